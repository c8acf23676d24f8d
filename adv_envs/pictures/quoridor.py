"""Draws Quoridor: a wooden board with pawns, walls between the cells, and the walls that are left.

The board fills the square from (0, 0) to (``length``, ``length``); the walls that are
left lie in racks outside, each player's on the side where their pawn began.
"""

from __future__ import annotations

from adv_envs.games.quoridor import DOWN, LEFT, UP, Quoridor

from . import palette
from .grids import WHITE_BLACK
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Point, Rect, Shape, Text, clamp, moved

COLOURS = (
    *WHITE_BLACK,
    (palette.RED, palette.RED_RIM),
    (palette.YELLOW, palette.YELLOW_RIM),
)
"""The fill and the rim of each player's pawn."""

GROOVE = 0.2
"""The width of the gap between cells, as a part of the distance of their middles."""

LARGEST_MINIATURE = 9
"""The largest board that is drawn as a miniature."""

MOST_IN_RACK = 2
"""Walls in a rack for each cell along it; of more, there is a number only."""


class QuoridorPlan:
    """Says where cells and walls are, seen from the bottom, or from the top if ``flipped``."""

    def __init__(self, position: Quoridor, flipped: bool = False, small: bool = False) -> None:
        self.position, self.flipped, self.small = position, flipped, small
        size = position.size
        self.step = 90 / size if small else clamp(46, 560 / size, 72)
        self.length = self.step * size
        self.text = clamp(11, 0.24 * self.step, 15)
        self.rack = 0.0 if small else 0.6 * self.step

    def point(self, row: float, column: float) -> Point:
        """Returns the point ``row`` cells below the upper edge, ``column`` from the left one."""
        if self.flipped:
            row, column = self.position.size - row, self.position.size - column
        return column * self.step, row * self.step

    def centre(self, cell: int) -> Point:
        """Returns the middle of a cell."""
        row, column = divmod(cell, self.position.size)
        return self.point(row + 0.5, column + 0.5)

    def tile(self, cell: int, fill: str | None, rim: str | None = None) -> Shape:
        """Returns a rounded square for a cell, perhaps with a rim."""
        x, y = self.centre(cell)
        half = (0.5 - GROOVE / 2) * self.step
        return Rect(
            x - half, y - half, 2 * half, 2 * half, 0.12 * self.step, fill, rim,
            max(1.5, 0.05 * self.step) if rim else 0,
        )  # fmt: skip

    def wall(self, row: int, column: int, upright: bool, fill: str, rim: str) -> Shape:
        """Returns a wall in the groove, given its point."""
        x, y = self.point(row + 1, column + 1)
        long, wide = (1 - GROOVE / 2) * self.step, 0.46 * GROOVE * self.step
        half, high = (wide, long) if upright else (long, wide)
        return Rect(x - half, y - high, 2 * half, 2 * high, 0.6 * wide, fill, rim, 1)

    def part(self, row: int, column: int, upright: bool) -> Point:
        """Returns the middle of the first half of a wall, by which it is chosen."""
        if upright:
            return self.point(row + 0.5, column + 1)
        return self.point(row + 1, column + 0.5)


def draw(position: Quoridor, last: int | None = None, flipped: bool = False) -> Drawing:
    """Draws the board, the racks and the names of rows and columns; the last move is golden."""
    plan = QuoridorPlan(position, flipped)
    shapes = [*board(plan, last), *racks(plan), *labels(plan)]
    side = 1.35 * plan.rack if position.players > 2 else 0.0
    left = -1.9 * plan.text - side
    bottom = plan.length + plan.rack
    box = (left, -plan.rack, plan.length + side, bottom + 1.8 * plan.text)
    return card(shapes, box, *outcome(position), pawn)


def board(plan: QuoridorPlan, last: int | None = None) -> list[Shape]:
    """Draws cells, goals, walls and pawns."""
    position = plan.position
    corner = 2 if plan.small else 0.12 * plan.step
    shapes: list[Shape] = [
        Rect(0, 0, plan.length, plan.length, corner, palette.WOOD_LINE, palette.GRID, 1)
    ]
    moved_to = last_cell(position, last)
    for cell in range(position.size**2):
        shapes.append(plan.tile(cell, palette.WOOD, palette.GOLD if cell == moved_to else None))
    shapes += goals(plan)
    for row in range(position.size - 1):
        for column in range(position.size - 1):
            point = row * position.stride + column
            for upright in (False, True):
                walls = position.vertical if upright else position.horizontal
                if walls >> point & 1:
                    new = last is not None and position.wall_of(last) == (row, column, upright)
                    fill = palette.GOLD if new else palette.INK
                    shapes.append(plan.wall(row, column, upright, fill, palette.CARD))
    for player in range(position.players):
        shapes += pawn(player, *plan.centre(position.cell_of(player)), 0.3 * plan.step)
    return shapes


def last_cell(position: Quoridor, last: int | None) -> int | None:
    """Returns the cell where ``last`` took a pawn, if it can have led to ``position``."""
    if last is None or position.ply == 0:
        return None
    return last if last == position.cell_of(position.latest) else None


def goals(plan: QuoridorPlan) -> list[Shape]:
    """Draws a strip along each side, in the colour of the player who is to come there."""
    shapes: list[Shape] = []
    size, wide = plan.position.size, max(2.0, 0.07 * plan.step)
    for player in range(plan.position.players):
        heading, inset = plan.position.heading(player), wide / plan.step / 2
        if heading in (UP, DOWN):
            row = inset if heading == UP else size - inset
            ends = plan.point(row, 0.1), plan.point(row, size - 0.1)
        else:
            column = inset if heading == LEFT else size - inset
            ends = plan.point(0.1, column), plan.point(size - 0.1, column)
        (x, y), (right, low) = (min(ends), max(ends))
        half = wide / 2
        box = (x - half * (x == right), y - half * (y == low))
        lengths = (right - x or wide), (low - y or wide)
        shapes.append(Rect(*box, *lengths, half, *COLOURS[player], 0.8))
    return shapes


def racks(plan: QuoridorPlan) -> list[Shape]:
    """Draws the walls that are left to each player, outside, and how many these are."""
    position, shapes = plan.position, list[Shape]()
    for player in range(position.players):
        left, number = position.walls_of(player), position.walls_each
        heading = position.heading(player)
        along = heading in (UP, DOWN)
        beyond = plan.length + 0.5 * plan.rack
        near = (heading in (UP, LEFT)) != plan.flipped
        shapes.append(Text(*place_in_rack(plan, along, near, -1, beyond), str(left), plan.text,
                           palette.INK))  # fmt: skip
        if number > MOST_IN_RACK * position.size:
            continue
        step = 0.8 * plan.length / max(number, 10)
        for i in range(number):
            x, y = place_in_rack(plan, along, near, i * step, beyond)
            wide, high = (0.09 * plan.step, 0.36 * plan.rack)
            half, tall = (wide, high) if along else (high, wide)
            there = i < left
            fill, rim = (palette.INK, None) if there else (None, palette.GRID)
            shapes.append(
                Rect(x - half, y - tall, 2 * half, 2 * tall, 0.6 * wide, fill, rim, 1 if rim else 0)
            )
    return shapes


def place_in_rack(plan: QuoridorPlan, along: bool, near: bool, at: float, beyond: float) -> Point:
    """Returns the middle of what lies ``at`` in a rack, -1 of the number before the first wall.

    ``near`` is the rack at the bottom or the right, others are at the top or the left.
    """
    first = 0.12 * plan.length
    where = 0.05 * plan.length if at < 0 else first + at
    across = beyond if near else plan.length - beyond
    if not along and not near:
        across -= 1.9 * plan.text
    return (where, across) if along else (across, where)


def labels(plan: QuoridorPlan) -> list[Shape]:
    """Draws the letters of columns below the lower rack, the numbers of rows at the left."""
    size, text = plan.position.size, plan.text
    below = plan.length + plan.rack + 0.9 * text
    shapes: list[Shape] = []
    for i in range(size):
        x, _ = plan.point(0, i + 0.5)
        _, y = plan.point(i + 0.5, 0)
        shapes.append(Text(x, below, "abcdefghijk"[i], text, palette.MUTED))
        shapes.append(Text(-0.6 * text, y, str(size - i), text, palette.MUTED, "end"))
    return shapes


def pawn(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns a pawn seen from above, around (x, y)."""
    fill, rim = COLOURS[player]
    line = max(1.0, 0.09 * radius)
    return [
        Circle(x, y, radius - line / 2, fill, rim, line),
        Circle(x, y, 0.52 * radius, fill, rim, line),
    ]


def places(position: Quoridor, flipped: bool = False) -> dict[int, Place]:
    """Returns moves of the pawn on their cells, each wall on its first half."""
    plan, found = QuoridorPlan(position, flipped), {}
    for action in position.legal_actions():
        wall = position.wall_of(action)
        if wall is None:
            found[action] = Place(*plan.centre(action), 0.3 * plan.step, "disc")
        else:
            found[action] = Place(*plan.part(*wall), 0.16 * plan.step, "disc")
    return found


def clicks(position: Quoridor, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns cells for moves of the pawn, and of each wall the first half, which shows all."""
    plan, found = QuoridorPlan(position, flipped), dict[int, tuple[Target, ...]]()
    thick, long = 0.19 * plan.step, 0.31 * plan.step
    for action in position.legal_actions():
        wall, name = position.wall_of(action), position.name(action)
        if wall is None:
            half = 0.31 * plan.step
            found[action] = (Target(*plan.centre(action), half, half, "box", name),)
            continue
        row, column, upright = wall
        half, high = (thick, long) if upright else (long, thick)
        x, y = plan.point(row + 1, column + 1)
        whole, wide = (1 - GROOVE / 2) * plan.step, 0.6 * GROOVE * plan.step
        shown = Target(x, y, wide, whole) if upright else Target(x, y, whole, wide)
        found[action] = (Target(*plan.part(*wall), half, high, "box", name, shown),)
    return found


def miniature(position: Quoridor) -> Miniature | None:
    """Returns the board without names and racks; None for large ones."""
    if position.size > LARGEST_MINIATURE:
        return None
    plan = QuoridorPlan(position, small=True)
    half = plan.length / 2
    return Miniature(plan.length, plan.length, [moved(s, -half, -half) for s in board(plan)])


register_picture(Quoridor, two_sided(draw, places, clicks, miniature=miniature))
