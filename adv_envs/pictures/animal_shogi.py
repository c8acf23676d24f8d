"""Draws animal shogi: animals on tiles in the colour of their player, with dots where they may go.

Forest's tiles are green, Sky's blue. The hands are beside the board, each on its player's side: a
place for each kind, with the number of pieces. The top left corner of the board is (0, 0).
"""

from __future__ import annotations

from collections import defaultdict

from adv_envs.games.animal_shogi import DROPS, KINDS, STEPS, AnimalShogi

from . import palette
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Point, Polygon, Rect, Shape, Text, moved, on_the_way

SIDE = 76.0
"""The side of a cell."""
PLACE = 49.0
"""The side of a place in a hand."""
GAP = 22.0
"""Between the board and the hands."""
LABEL = 13.0
FILLS = palette.FELT, palette.BOARD
RIMS = palette.FELT_LINE, palette.HOLE
NAMES = {"c": "chick", "e": "elephant", "g": "giraffe", "h": "hen", "l": "lion"}
WAYS = {"c": (1,), "e": (0, 2, 5, 7), "g": (1, 3, 4, 6), "h": (0, 1, 2, 3, 4, 6), "l": range(8)}
"""The directions in which pieces go, from 0 up and left to 7 down and right."""
AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""Right and down, by direction."""


# ---- animals


def tile(letter: str, x: float, y: float, half: float, down: bool = False) -> list[Shape]:
    """Returns a piece by its letter, capital for Forest, around (x, y); ``down`` as it faces."""
    player, kind = (0 if letter.isupper() else 1), letter.lower()
    line = max(0.8, 0.06 * half)
    box = x - half, y - half, 2 * half, 2 * half
    shapes: list[Shape] = [Rect(*box, 0.28 * half, FILLS[player], RIMS[player], line)]
    shapes.append(Circle(x, y, 0.68 * half, palette.WHITE))
    for way in WAYS[kind]:
        right, below = AROUND[7 - way if down else way]
        spot = x + 0.83 * half * right, y + 0.83 * half * below
        shapes.append(Circle(*spot, 0.085 * half, palette.ON_DARK))
    return shapes + face(kind, x, y, 0.68 * half)


def face(kind: str, x: float, y: float, half: float) -> list[Shape]:
    """Returns the head of an animal on a white disc around (x, y)."""
    draw = {"c": chick, "e": elephant, "g": giraffe, "h": hen, "l": lion}[kind]
    return draw(Brush(x, y, half))


class Brush:
    """Draws in a square from -1 to 1 around a point."""

    def __init__(self, x: float, y: float, half: float) -> None:
        """Takes the middle and half the side of the square."""
        self.x, self.y, self.half = x, y, half

    def disc(self, x: float, y: float, radius: float, fill: str, rim: str | None = None) -> Circle:
        """Returns a disc, perhaps with a rim."""
        at = self.x + x * self.half, self.y + y * self.half
        line = max(0.6, 0.08 * self.half) if rim else 0
        return Circle(*at, radius * self.half, fill, rim, line)

    def form(self, points: tuple[Point, ...], fill: str, rim: str | None = None) -> Polygon:
        """Returns a polygon, perhaps with a rim."""
        at = tuple((self.x + a * self.half, self.y + b * self.half) for a, b in points)
        return Polygon(at, fill, rim, max(0.6, 0.08 * self.half) if rim else 0)

    def eyes(self, apart: float, y: float) -> list[Shape]:
        """Returns two eyes."""
        return [self.disc(side * apart, y, 0.1, palette.BLACK) for side in (-1, 1)]


def chick(brush: Brush) -> list[Shape]:
    """Returns a yellow chick with an open beak."""
    beak = ((-0.2, 0.08), (0.2, 0.08), (0, 0.4))
    head = brush.disc(0, 0.05, 0.7, palette.YELLOW, palette.YELLOW_RIM)
    return [head, *brush.eyes(0.32, -0.12), brush.form(beak, palette.RED)]


def hen(brush: Brush) -> list[Shape]:
    """Returns a white hen with a red comb."""
    comb = [
        brush.disc(x, y, 0.2, palette.RED) for x, y in ((-0.26, -0.6), (0, -0.72), (0.26, -0.6))
    ]
    head = brush.disc(0, 0.08, 0.66, palette.WHITE, palette.WHITE_RIM)
    beak = brush.form(((-0.2, 0.1), (0.2, 0.1), (0, 0.42)), palette.YELLOW, palette.YELLOW_RIM)
    return [*comb, head, *brush.eyes(0.3, -0.1), beak, brush.disc(0, 0.55, 0.13, palette.RED)]


def elephant(brush: Brush) -> list[Shape]:
    """Returns a grey elephant with large ears and a trunk."""
    grey, rim = palette.MUTED, palette.PIECE_RIM
    ears = [brush.disc(side * 0.55, -0.1, 0.36, grey, rim) for side in (-1, 1)]
    trunk = ((-0.17, 0.1), (0.17, 0.1), (0.14, 0.6), (0.34, 0.72), (0.24, 0.92), (-0.1, 0.78))
    head = brush.disc(0, -0.12, 0.5, grey, rim)
    return [*ears, head, brush.form(trunk, grey, rim), *brush.eyes(0.24, -0.2)]


def giraffe(brush: Brush) -> list[Shape]:
    """Returns a yellow giraffe with brown spots and horns."""
    coat, rim, spot = palette.YELLOW, palette.YELLOW_RIM, palette.POINT
    horns: list[Shape] = []
    for side in (-1, 1):
        stem = ((side * 0.12, -0.5), (side * 0.3, -0.5), (side * 0.34, -0.85), (side * 0.2, -0.85))
        horns += [brush.form(stem, coat, rim), brush.disc(side * 0.27, -0.82, 0.13, spot)]
    ears = ((-0.75, -0.5), (-0.3, -0.42), (0.3, -0.42), (0.75, -0.5), (0.34, -0.2), (-0.34, -0.2))
    head = ((-0.4, -0.55), (0.4, -0.55), (0.3, 0.3), (0.36, 0.75), (-0.36, 0.75), (-0.3, 0.3))
    spots = [brush.disc(x, y, 0.11, spot) for x, y in ((0, -0.4), (-0.16, -0.02), (0.15, 0.1))]
    nose = [brush.disc(side * 0.14, 0.58, 0.07, palette.BLACK) for side in (-1, 1)]
    shapes = [*horns, brush.form(ears, coat, rim), brush.form(head, coat, rim), *spots, *nose]
    return [*shapes, *brush.eyes(0.24, -0.2)]


def lion(brush: Brush) -> list[Shape]:
    """Returns a lion with a brown mane."""
    mane = brush.disc(0, 0, 0.86, palette.POINT, palette.PIECE_RIM)
    head = brush.disc(0, 0.06, 0.56, palette.YELLOW, palette.YELLOW_RIM)
    nose = brush.form(((-0.14, 0.14), (0.14, 0.14), (0, 0.32)), palette.BLACK)
    return [mane, head, *brush.eyes(0.24, -0.08), nose]


def lion_of(player: int, x: float, y: float, radius: float) -> list[Shape]:
    """Returns the lion that stands for a player in captions."""
    return tile("Ll"[player], x, y, 1.3 * radius)


# ---- the board and the hands


def corner(cell: int, flipped: bool, side: float = SIDE) -> Point:
    """Returns the top left corner of a cell, numbered as the first player sees it."""
    cell = 11 - cell if flipped else cell
    return cell % 3 * side, cell // 3 * side


def centre(cell: int, flipped: bool) -> Point:
    """Returns the middle of a cell, numbered as the first player sees it."""
    x, y = corner(cell, flipped)
    return x + SIDE / 2, y + SIDE / 2


def held_at(player: int, kind: int, flipped: bool) -> Point:
    """Returns the middle of the place of a kind in the hand of a player."""
    below = (player == 0) != flipped
    x = 3 * SIDE + GAP + PLACE / 2
    return x, 4 * SIDE - (2.5 - kind) * PLACE if below else (0.5 + kind) * PLACE


def board(position: AnimalShogi, side: float, flipped: bool = False) -> list[Shape]:
    """Draws cells and pieces."""
    shapes: list[Shape] = []
    for cell in range(12):
        x, y = corner(cell, flipped, side)
        shapes.append(Rect(x, y, side, side, 0, palette.CELL, palette.GRID, max(1, 0.02 * side)))
    for cell in range(12):
        letter = position.piece_at(cell)
        if letter != ".":
            x, y = corner(cell, flipped, side)
            down = letter.islower() != flipped
            shapes += tile(letter, x + side / 2, y + side / 2, 0.42 * side, down)
    return shapes


def hands(position: AnimalShogi, flipped: bool) -> list[Shape]:
    """Draws what the players hold: a pale place where that is nothing."""
    shapes: list[Shape] = []
    for player in (0, 1):
        held = position.held_by(player)
        for kind, letter in enumerate(KINDS):
            x, y = held_at(player, kind, flipped)
            half, number = 0.5 * PLACE - 3, held.count(letter)
            if number == 0:
                box = x - half, y - half, 2 * half, 2 * half
                shapes.append(Rect(*box, 0.28 * half, palette.CELL, palette.GRID, 1))
                continue
            name = letter if player == 0 else letter.lower()
            shapes += tile(name, x, y, 0.84 * half, (player == 1) != flipped)
            if number > 1:
                shapes.append(Text(x + half + 3, y, f"x{number}", LABEL, palette.INK, "start"))
    return shapes


def draw(position: AnimalShogi, last: int | None = None, flipped: bool = False) -> Drawing:
    """Returns the board as Forest sees it, or Sky; frames mark the last move."""
    shapes = board(position, SIDE, flipped)
    for cell in marked(position, last):
        x, y = corner(cell, flipped)
        shapes.append(Rect(x + 2, y + 2, SIDE - 4, SIDE - 4, 3, None, palette.LAST_MOVE, 3))
    for i in range(4):
        y = (i + 0.5) * SIDE
        row = str(i + 1 if flipped else 4 - i)
        shapes.append(Text(-0.6 * LABEL, y, row, LABEL, palette.MUTED, "end"))
    for i in range(3):
        column = "abc"[2 - i if flipped else i]
        at = (i + 0.5) * SIDE, 4 * SIDE + LABEL
        shapes.append(Text(*at, column, LABEL, palette.MUTED))
    shapes += hands(position, flipped)
    box = (-1.6 * LABEL, 0, 3 * SIDE + GAP + PLACE + 20, 4 * SIDE + 1.6 * LABEL)
    return card(shapes, box, *outcome(position), lion_of)


def cells_of(position: AnimalShogi, action: int) -> tuple[int | None, int]:
    """Returns the cells that an action leaves (None: a drop) and enters, as Forest sees them."""
    if action >= DROPS:
        return None, position.seen_by_first(action % 12)
    start = action // 8
    return position.seen_by_first(start), position.seen_by_first(start + STEPS[action % 8])


def marked(position: AnimalShogi, last: int | None) -> list[int]:
    """Returns the cells of the move ``last``, if it can have led to ``position``."""
    if last is None or not 0 <= last < position.num_actions or position.ply == 0:
        return []
    before = position._replace(ply=position.ply - 1)  # the other player's view
    if last < DROPS and not 0 <= last // 8 + STEPS[last % 8] < 12:
        return []
    start, end = cells_of(before, last)
    theirs = position.piece_at(end).isupper() == (position.to_move == 1)
    if position.piece_at(end) == "." or not theirs:
        return []
    return [end] if start is None else [start, end]


# ---- clicks


def clicks(position: AnimalShogi, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns the piece, on the board or in the hand, and the cell where it goes."""

    def on_board(cell: int) -> Target:
        letter = position.piece_at(cell)
        words = f"{'abc'[cell % 3]}{4 - cell // 3}"
        if letter != ".":
            owner = position.side_names[letter.islower()]
            words += f", {owner}'s {NAMES[letter.lower()]}"
        return Target(*centre(cell, flipped), SIDE / 2, SIDE / 2, label=words)

    def beside_board(kind: int) -> Target:
        words = f"{NAMES[KINDS[kind].lower()]} in hand"
        at = held_at(position.to_move, kind, flipped)
        return Target(*at, PLACE / 2 - 1, PLACE / 2 - 1, label=words)

    found: dict[int, tuple[Target, ...]] = {}
    for action in position.legal_actions():
        start, end = cells_of(position, action)
        first = beside_board((action - DROPS) // 12) if start is None else on_board(start)
        found[action] = first, on_board(end)
    return found


def places(position: AnimalShogi, flipped: bool = False) -> dict[int, Place]:
    """Returns each step towards the cell that it enters; drops share their cell."""
    dropped = defaultdict(list)
    found = {}
    for action in position.legal_actions():
        start, end = cells_of(position, action)
        if start is None:
            dropped[end].append(action)
            continue
        at = on_the_way(centre(start, flipped), centre(end, flipped), 0.5)
        found[action] = Place(*at, 0.14 * SIDE, "disc")
    for cell, actions in dropped.items():
        x, y = centre(cell, flipped)
        for action in actions:
            kind = (action - DROPS) // 12
            at = x + (kind - 1) * 0.3 * SIDE, y + 0.16 * SIDE * (kind != 1) - 0.1 * SIDE
            found[action] = Place(*at, 0.14 * SIDE, "square", KINDS[kind])
    return {action: found[action] for action in position.legal_actions()}


def miniature(position: AnimalShogi) -> Miniature:
    """Returns the board without names and hands."""
    side = 22.0
    shapes = [moved(shape, -1.5 * side, -2 * side) for shape in board(position, side)]
    return Miniature(3 * side, 4 * side, shapes)


register_picture(AnimalShogi, two_sided(draw, places, clicks, miniature=miniature))
