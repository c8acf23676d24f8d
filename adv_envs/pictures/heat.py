"""Heat maps: a position with the value of every move upon it, the best ones in a golden frame.

Each move's value stands where the move goes: on its cell, in the hole where the disc comes to
rest, on the token, on the branch of the tree. Moves that have no place, such as the swap of Hex or
the choices of a game without a board, stand as bars below.
``places.register(MyGame, function)`` says where the moves of another game go.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import singledispatch
from typing import NamedTuple

from adv_envs.games.connect_four import ConnectFour
from adv_envs.games.hex import Hex
from adv_envs.games.thirty_one import ThirtyOne
from adv_envs.games.tree import Tree
from adv_envs.position import CHANCE, Board, Position

from . import palette
from .boards import Grid, cells
from .card import MARGIN, draw
from .hex import Rhombus, hexagon
from .scale import Scale, short
from .shapes import Circle, Polygon, Rect, Scene, Shape, Text
from .thirty_one import Shelf
from .tree import branches

BAR = 20  # height of a bar's line
LEGEND = 30  # height of the legend's line


class Place(NamedTuple):
    """Where a move goes: a "square", "disc", "hexagon" or "label", its middle, half its width."""

    x: float
    y: float
    half: float
    form: str
    name: str = ""  # what the value would hide, for its corner


def heat_map(position: Position, values: Mapping[int, float], last: int | None = None) -> Scene:
    """The picture of ``position`` with the value of each action of ``values`` for the mover.

    Values are above 0 where the player to move is better off; infinite ones are games won and lost
    for sure, beside which the others are mere evaluations. Actions without a value are left as they
    are. ``last`` is the action to mark as the latest move. ValueError if the game is over, for an
    action that is not legal, for a value that is not a number, and without values.
    """
    check(position, values)
    scene, where, scale = draw(position, last), places(position), Scale(values.values())
    best = max(values.values())
    shapes: list[Shape] = []
    for action, value in sorted(values.items(), key=lambda item: item[1] == best):
        if action in where:
            shapes += spot(where[action], value, scale, value == best)
    others = {action: value for action, value in values.items() if action not in where}
    left, bottom = scene.x + MARGIN, scene.y + scene.height - MARGIN + 10
    width = scene.width - 2 * MARGIN
    below = bars(position, others, scale, best, left, bottom, width)
    y = bottom + BAR * len(others) + LEGEND / 2
    below += scale.legend(left, y, min(width, 260))
    height = scene.height + BAR * len(others) + LEGEND
    mover = "chance" if position.to_move == CHANCE else f"player {position.to_move}"
    title = f"{scene.title}: the value of each move for {mover}"
    return Scene(scene.x, scene.y, scene.width, height, title, [*scene.shapes, *shapes, *below])


def check(position: Position, values: Mapping[int, float]) -> None:
    """Raise ValueError, saying what is wrong, unless ``values`` can be drawn upon ``position``."""
    if position.is_terminal():
        raise ValueError("the game is over: there are no moves to draw the values of")
    if not values:
        raise ValueError("a heat map needs the value of at least one move")
    legal = position.legal_actions()
    for action, value in values.items():
        if action not in legal:
            raise ValueError(f"{action!r} is not a legal action; {position.choices()}")
        if math.isnan(value):
            raise ValueError(f"the value of {position.name(action)} must be a number, not {value}")


# ---- where moves go


@singledispatch
def places(position: Position) -> dict[int, Place]:
    """Where each action goes on the picture of ``position``; those left out become bars."""
    return {}


@places.register
def on_board(position: Board) -> dict[int, Place]:
    """On the cell where the stone is set."""
    grid = Grid(position)
    cell_of = {position.bit(*cell): cell for cell in cells(position)}
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {
        action: Place(*grid.centre(*cell_of[position.entry(action)]), 0.46 * grid.side, "square")
        for action in stones
    }


@places.register
def in_columns(position: ConnectFour) -> dict[int, Place]:
    """In the hole where the disc comes to rest."""
    grid, found = Grid(position), {}
    for row, column in cells(position):  # from the top: the last empty hole is the lowest
        if position.cell(row, column) is None:
            found[column] = Place(*grid.centre(row, column), 0.4 * grid.side, "disc")
    return found


@places.register
def on_hexagons(position: Hex) -> dict[int, Place]:
    """On the hexagon where the stone is set."""
    board, n = Rhombus(position.size), position.size
    stones = [a for a in position.legal_actions() if a < position.num_stone_actions]
    return {a: Place(*board.centre(a // n, a % n), board.radius, "hexagon") for a in stones}


@places.register
def on_tokens(position: ThirtyOne) -> dict[int, Place]:
    """On the token that would be taken next."""
    shelf, found = Shelf(position), {}
    for action in position.legal_actions():
        row = 0 if shelf.many else position.copies - position.left(action)
        x, y = shelf.centre(action, row)
        found[action] = Place(x, y, 0.43 * shelf.pitch, "square", position.name(action))
    return found


@places.register
def on_branches(position: Tree) -> dict[int, Place]:
    """On the branch that goes down."""
    return {a: Place(x, y, half, "label") for a, (x, y, half) in branches(position).items()}


# ---- what is drawn there


def spot(place: Place, value: float, scale: Scale, best: bool) -> list[Shape]:
    """A value in its colour, in a golden frame if no move is better."""
    x, y, half, form, name = place
    fill, ink = scale.colours(value)
    text = short(value)
    room = {"hexagon": 1.5, "label": 2, "disc": 1.7}.get(form, 1.8) * half
    size = min(0.62 * half if form != "label" else 13, room / (0.6 * len(text)))
    line = max(2.0, 0.13 * half) if best else max(0.6, 0.03 * half)
    stroke = palette.GOLD if best else palette.GRID
    frame: Shape
    if form == "disc":
        frame = Circle(x, y, half - line / 2, fill, stroke, line)
    elif form == "hexagon":
        corners = hexagon((x, y), half - 0.6 * line * best)
        frame = Polygon(corners, fill, stroke, line)
    else:
        high = 0.8 * size if form == "label" else half
        corner = high if form == "label" else 0.3 * half
        inner = line / 2 * best
        wide = half - inner
        frame = Rect(x - wide, y - high + inner, 2 * wide, 2 * (high - inner), corner, fill, stroke)
        frame = frame._replace(line=line)
    if not name:
        return [frame, Text(x, y, text, size, ink)]
    hidden = Text(x - 0.72 * half, y - 0.58 * half, name, 0.5 * half, ink, "start")
    return [frame, hidden, Text(x, y + 0.22 * half, text, size, ink)]


def bars(
    position: Position,
    values: Mapping[int, float],
    scale: Scale,
    best: float,
    left: float,
    top: float,
    width: float,
) -> list[Shape]:
    """A line for each action: its name, a bar as long as its value, and the number."""
    size = 13.0
    names = {action: position.name(action) for action in values}
    start = left + 0.6 * size * max(map(len, names.values()), default=0) + 10
    most = max((abs(v) for v in values.values() if math.isfinite(v)), default=0)
    room = max(20.0, left + width - 3.6 * size - start)
    shapes: list[Shape] = []
    for i, (action, value) in enumerate(values.items()):
        y, length = top + (i + 0.5) * BAR, min(room, room * abs(value) / (most or 1))
        marked = value == best
        rim, line = (palette.GOLD, 2.5) if marked else (palette.GRID, 1)
        shapes += [
            Text(left, y, names[action], size, palette.INK, "start"),
            Rect(start, y - 6, max(4.0, length), 12, 3, scale.colours(value)[0], rim, line),
            Text(left + width, y, short(value), size, palette.INK, "end"),
        ]
    return shapes
