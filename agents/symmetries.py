"""Defines symmetries: positions of the same value, as reflections and turns of a board.

Those of most boards are declared: which turns and reflections there are, and which fields of a
position hold cells; ``board_symmetries`` makes the functions. Turns and reflections have numbers
from 0 to 7: bit 2 exchanges rows and columns, then bit 1 reverses the rows and bit 0 the columns.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from adv_envs import Position
from adv_envs.bits import lowest, single
from adv_envs.position import Wide


@dataclass(frozen=True)
class Symmetries:
    """Holds the symmetries of a game, for example the reflections of a board.

    All of them are plain functions that Numba can compile. The images of a position have the same
    value; image 0 is the position itself, but for what does not matter to its value.
    """

    num_images: Callable[[Any], int]
    """How many images a position has, itself included."""
    image: Callable[[Any, int], Any]
    """``image(position, i)``: the i-th image. It is compared with others, never played on."""
    image_action: Callable[[Any, int, int], int]
    """``image_action(position, action, i)``: the action in the i-th image."""
    inverse_image: Callable[[Any, int], int]
    """``inverse_image(position, i)``: the number of the image that leads back from the i-th."""
    whole_image: Callable[[Any, int], Any] | None = None
    """As ``image``, with all that ``image`` leaves out, as one can play on it; None: the same."""
    complete: Callable[[Any], Any] | None = None
    """Makes an image of ``whole_image`` one to play on, in plain Python; None: it is one."""
    kinds: tuple[str, ...] = ()
    """What the images are called, by number, such as "rotated"; others are called "image"."""

    def playable(self, position: Position, i: int) -> Position:
        """Returns the i-th image as one can play on it."""
        image: Position = (self.whole_image or self.image)(position, i)
        return image if self.complete is None else self.complete(image)

    def kind(self, i: int) -> str:
        """Returns what the i-th image is called."""
        return self.kinds[i] if i < len(self.kinds) else "image"

    def canonical(self, position: Position) -> Position:
        """Returns the smallest image as a tuple: the same for all images of a position."""
        images = (self.image(position, i) for i in range(self.num_images(position)))
        smallest: Position = min(images, key=tuple)
        return smallest


@dataclass(frozen=True)
class PlayerExchange:
    """Holds how the two players of a game are exchanged: the same position, from the other seat.

    For games whose rules do not tell the players apart, perhaps but for directions on the board.
    Both are plain functions, which are not compiled.
    """

    image: Callable[[Any], Any]
    """The position in which each player has what the other has here, and the other is to move; one
    can play on it, and its own image is the position again. None where there is none."""
    image_action: Callable[[Any, int], int] = lambda position, action: action
    """``image_action(position, action)``: the action there; by default the same."""


# ---- declared ones


class BoardGroup(NamedTuple):
    """Lists a board's turns and reflections: the i-th image is number ``i * step``."""

    num_images: Callable[[Any], int]
    step: int = 1


TURN_KINDS = (
    "same", "mirrored", "mirrored", "rotated", "mirrored", "rotated", "rotated", "mirrored",
)  # fmt: skip
"""What turns and reflections are, by number."""


def all_of_board(position: Any) -> int:
    """Returns 8 for a square board, 4 for another rectangle."""
    return 8 if position.height == position.width else 4


def four(position: Any) -> int:
    """Returns 4: the number of turns and reflections that matter."""
    return 4


def two(position: Any) -> int:
    """Returns 2: the number of turns and reflections that matter."""
    return 2


RECTANGLE = BoardGroup(all_of_board)
"""All turns and reflections of a board with ``height`` and ``width``."""
REFLECTIONS = BoardGroup(four)
"""Rows and columns may be reversed, but not exchanged."""
MIRROR = BoardGroup(two)
"""Left and right may be exchanged."""
HALF_TURN = BoardGroup(two, step=3)
"""The board may be turned by 180 degrees."""


def moved(row: int, column: int, height: int, width: int, turn: int) -> tuple[int, int]:
    """Returns where a turn or reflection takes (row, column)."""
    if turn & 4 != 0:
        row, column = column, row
    if turn & 2 != 0:
        row = height - 1 - row
    if turn & 1 != 0:
        column = width - 1 - column
    return row, column


def image_cell(position: Any, cell: int, turn: int) -> int:
    """Returns the bit of the cell to which the one with the bit ``cell`` is taken; -1 for -1.

    Of a board whose ``bit`` numbers cells row by row, perhaps with gaps after the rows.
    """
    if cell < 0:
        return cell
    stride = position.bit(1, 0)
    place = moved(cell // stride, cell % stride, position.height, position.width, turn)
    return int(position.bit(place[0], place[1]))


def image_cells(position: Any, cells: Wide, turn: int) -> Wide:
    """Returns the set of cells to which ``cells`` are taken; see ``image_cell``."""
    if turn == 0:
        return cells
    found, left = cells & 0, cells
    while left != 0:
        cell = lowest(left)
        left &= left - 1
        found |= single(image_cell(position, cell, turn), cells)
    return found


def no_cells(position: Any, cells: Wide, turn: int) -> Wide:
    """Returns the empty set, for fields that follow from others."""
    return cells & 0


def image_of_cell_action(position: Any, action: int, turn: int) -> int:
    """Returns the action of the cell to which that of ``action`` is taken; others stay the same.

    Actions below height * width are the cells, row by row.
    """
    height: int = position.height
    width: int = position.width
    if action >= height * width:
        return action
    place = moved(action // width, action % width, height, width, turn)
    return place[0] * width + place[1]


def inverse_turn(position: Any, i: int) -> int:
    """Returns the opposite quarter turn for a quarter turn, else ``i``."""
    return 11 - i if i in (5, 6) else i


CELLS = MappingProxyType({"own": image_cells, "opp": image_cells})
"""The fields of a ``Board`` that hold cells."""


def board_symmetries(
    game: type[Position],
    group: BoardGroup,
    fields: Mapping[str, Callable[[Any, Any, int], Any]] | None = None,
    action: Callable[[Any, int, int], int] = image_of_cell_action,
    core: Callable[[Any], Any] | None = None,
    complete: Callable[[Any], Any] | None = None,
) -> Symmetries:
    """Returns the symmetries of a game on a board, with functions made for it.

    ``group`` says which turns and reflections there are. ``fields`` says how a turn maps the value
    of a field, ``map(position, value, turn)``; all others stay the same; None: as ``CELLS``.
    ``action(position, action, turn)`` maps actions. ``core(position)`` is the position without what
    does not matter to its value; None if all of it does. All of them are plain functions that Numba
    can compile, and ``turn`` is a number from 0 to 7. ``complete`` is that of ``Symmetries``.
    """
    fields = CELLS if fields is None else fields
    names: dict[str, Any] = {"__name__": __name__, "Game": game, "map_action": action}
    names |= {f"map_{field}": function for field, function in fields.items()} | {"core": core}
    turn = f"{group.step} * i"
    values = [
        f"map_{name}(position, position.{name}, {turn})" if name in fields else f"position.{name}"
        for name in game._fields
    ]
    source = f"""
def whole_image(position, i):
    return Game({", ".join(values)})

def image(position, i):
    return whole_image(core(position), i)

def image_action(position, action, i):
    return map_action(position, action, {turn})
"""
    file = f"<symmetries of {game.__module__}.{game.__qualname__}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    code = compile(source, file, "exec")  # as named tuples are made, of the names of fields only
    exec(code, names)  # noqa: S102
    whole, act, kinds = names["whole_image"], names["image_action"], TURN_KINDS[:: group.step]
    image, rest = (whole, None) if core is None else (names["image"], whole)
    return Symmetries(group.num_images, image, act, inverse_turn, rest, complete, kinds)
