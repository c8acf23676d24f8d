"""Draws Nine Men's Morris: three squares on a board, men on their points, those in hand below."""

from __future__ import annotations

from adv_envs.games.nine_mens_morris import GRID, MILLS, POINTS, NineMensMorris, closes, point_name

from . import palette
from .grids import WHITE_BLACK
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Point, Rect, Shape, Text, moved, on_the_way

STEP = 64
"""The distance of neighbouring lines of the grid."""

EDGE = 0.62 * STEP
"""The wood around the outermost points."""

MAN, SMALL_MAN = 0.37 * STEP, 0.17 * STEP
"""The radius of a man on the board, and of one in hand."""

NAMES = {"W": "{}, white man", "B": "{}, black man", ".": "{}"}
"""What is on a point, in words."""


def draw(position: NineMensMorris, last: int | None = None) -> Drawing:
    """Draws the board, frames around men that may be taken, and the last move."""
    signs = [*trace(position, last), *men_on(position, STEP, MAN), *rings(position)]
    shapes = [*wood(STEP), *lines(STEP), *labels(), *signs, *unplaced_men(position)]
    bottom = 6 * STEP + EDGE + 3 * SMALL_MAN
    box = (-EDGE - 18, -EDGE, 6 * STEP + EDGE, bottom)
    return card(shapes, box, *outcome(position), man)


def centre(point: int, step: float = STEP) -> Point:
    """Returns where a point is on the picture."""
    row, column = GRID[point]
    return column * step, row * step


def wood(step: float) -> list[Shape]:
    """Returns the board without lines."""
    edge, length = EDGE * step / STEP, 6 * step
    size = length + 2 * edge
    return [Rect(-edge, -edge, size, size, 0.12 * step, palette.WOOD, palette.WOOD_LINE, 1.5)]


def lines(step: float) -> list[Shape]:
    """Draws the sixteen lines of three points, and the points."""
    line = max(0.8, 0.045 * step)
    rows = [
        Line((centre(first, step), centre(end, step)), palette.WOOD_LINE, line)
        for first, _, end in MILLS
    ]
    dots = [Circle(*centre(point, step), 0.1 * step, palette.WOOD_LINE) for point in range(POINTS)]
    return [*rows, *dots]


def labels() -> list[Shape]:
    """Returns the names of columns and rows, below and at the left, on the wood."""
    x, y, size = -EDGE - 7, 6 * STEP + 0.8 * EDGE, 12
    columns = [Text(i * STEP, y, "abcdefg"[i], size, palette.INK) for i in range(7)]
    rows = [Text(x, i * STEP, str(7 - i), size, palette.MUTED, "end") for i in range(7)]
    return [*columns, *rows]


def man(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns a man: a disc with a groove."""
    fill, rim = WHITE_BLACK[player]
    line = max(1.0, 0.08 * radius)
    groove = Circle(x, y, 0.58 * radius, None, rim, line)
    return [Circle(x, y, radius, fill, rim, line), groove]


def men_on(position: NineMensMorris, step: float, radius: float) -> list[Shape]:
    """Returns every man on the board."""
    return [
        shape
        for point in range(POINTS)
        if position.symbol(point) != "."
        for shape in man("WB".index(position.symbol(point)), *centre(point, step), radius)
    ]


def rings(position: NineMensMorris) -> list[Shape]:
    """Returns rings around the men that may be taken, and around those of the mill just closed."""
    if not position.taking:
        return []
    able = position.takeable()
    shown = [point for point in range(POINTS) if able >> point & 1]
    closed = [p for p in range(POINTS) if position.own >> p & 1 and closes(position.own, p)]
    return [
        *(Circle(*centre(point), 1.12 * MAN, None, palette.RED, 3) for point in shown),
        *(Circle(*centre(point), 0.22 * MAN, palette.GOLD) for point in closed),
    ]


def trace(position: NineMensMorris, last: int | None) -> list[Shape]:
    """Returns the way of a man, a frame around one that was placed, a cross for one taken."""
    if last is None or not 0 <= last < position.num_actions:
        return []
    end, player = last % POINTS, position.turn if position.taking else 1 - position.turn
    if last < POINTS and position.symbol(end) == ".":
        return cross(end)
    if position.symbol(end) != "WB"[player]:
        return []
    frame = Circle(*centre(end), 1.14 * MAN, None, palette.GOLD, 4)
    if last < POINTS:
        return [frame]
    start = centre(last // POINTS - 1)
    way = Line((start, centre(end)), palette.GOLD, 0.09 * STEP)
    return [way, Circle(*start, 0.15 * STEP, palette.GOLD), frame]


def cross(point: int) -> list[Shape]:
    """Returns a cross where a man was taken."""
    (x, y), r = centre(point), 0.5 * MAN
    ends = ((x - r, y - r), (x + r, y + r)), ((x - r, y + r), (x + r, y - r))
    return [Line(each, palette.RED, 4) for each in ends]


def unplaced_men(position: NineMensMorris) -> list[Shape]:
    """Returns the men in hand below the board, White's at the left and Black's at the right."""
    y, gap, shapes = 6 * STEP + EDGE + 1.9 * SMALL_MAN, 2.3 * SMALL_MAN, list[Shape]()
    for i in range(position.unplaced(0)):
        shapes += man(0, -EDGE + SMALL_MAN + i * gap, y, SMALL_MAN)
    for i in range(position.unplaced(1)):
        shapes += man(1, 6 * STEP + EDGE - SMALL_MAN - i * gap, y, SMALL_MAN)
    return shapes


def points_of(position: NineMensMorris, action: int) -> tuple[int, ...]:
    """Returns the point of an action, or those that the man leaves and enters."""
    if action < POINTS:
        return (action,)
    return action // POINTS - 1, action % POINTS


def clicks(position: NineMensMorris) -> dict[int, tuple[Target, ...]]:
    """Returns the point of a man that is placed or taken, or where one is and where it goes."""

    def target(point: int) -> Target:
        words = NAMES[position.symbol(point)].format(point_name(point))
        return Target(*centre(point), 0.48 * STEP, 0.48 * STEP, "disc", words)

    return {
        action: tuple(target(point) for point in points_of(position, action))
        for action in position.legal_actions()
    }


def places(position: NineMensMorris) -> dict[int, Place]:
    """Returns each move on its point; of one along a line beside the man, on the way.

    Of men that fly, only the first to each point has a place there.
    """
    found, taken = dict[int, Place](), set[Point]()
    for action in position.legal_actions():
        ends = [centre(point) for point in points_of(position, action)]
        if len(ends) == 1:
            found[action] = Place(*ends[0], MAN, "disc")
        elif not position.flies():
            length = abs(ends[1][0] - ends[0][0]) + abs(ends[1][1] - ends[0][1])
            near = on_the_way(ends[0], ends[1], 0.5 * STEP / length)
            found[action] = Place(*near, 0.13 * STEP, "disc")
        elif ends[1] not in taken:
            taken.add(ends[1])
            found[action] = Place(*ends[1], 0.3 * STEP, "disc", position.name(action))
    return found


def miniature(position: NineMensMorris) -> Miniature:
    """Returns the board without names."""
    step = 11.0
    shapes = [*wood(step), *lines(step), *men_on(position, step, 0.42 * step)]
    size = 6 * step + 2 * EDGE * step / STEP
    return Miniature(size, size, [moved(shape, -3 * step, -3 * step) for shape in shapes])


register_picture(
    NineMensMorris,
    Picture(draw=draw, places=places, clicks=clicks, miniature=miniature, stones="\u25cb\u25cf"),
)
