"""Gives the cells and pieces of a board other names, so that what was learnt by heart is no help.

``renamed`` makes a position of the same game whose text, moves and rules have the other names;
actions stay the same. Nothing is replaced within prose: the rules keep their names, and end with
what each name is here. Replies are read in the new names, as those of any other game are.
"""

from __future__ import annotations

import functools
import random
import re
from dataclasses import asdict, dataclass
from typing import Any

from adv_envs.position import Board, Position, checked
from adv_envs.registry import name_of

CELL = re.compile(r"([a-z]+)([0-9]+)")
NEW_LETTERS = "uvwxyzqrstnpkhmdbcefgj"
"""The letters of new columns, those that no small board has first; none looks like a number."""
NEW_SYMBOLS = "@%&+=~"
NEW_ROWS = range(41, 100)


@dataclass(frozen=True)
class Renaming:
    """Holds the new names of the columns, rows and pieces of a board.

    ValueError where two have the same name, or one could be taken for something else.
    """

    columns: tuple[str, ...]
    """A letter for each column, from the left."""
    rows: tuple[str, ...]
    """A number for each row, in the order of ``Board.labels``; empty where moves have no rows."""
    symbols: str
    """The characters of the pieces of player 0 and 1."""

    def __post_init__(self) -> None:
        names = (*self.columns, *self.rows, *self.symbols)
        sound = (
            all(isinstance(name, str) for name in (*names, self.symbols))
            and all(re.fullmatch("[a-z]", name) for name in self.columns)
            and all(re.fullmatch("[1-9][0-9]", name) for name in self.rows)
            and re.fullmatch(r"[^\w\s.?|]{2}", self.symbols)
        )
        if not sound or len(set(names)) != len(names):
            raise ValueError(
                "a renaming has a letter for each column, a number of two digits for each row and "
                f"two other characters for the pieces, all different, not {self}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Returns the names as plain data, for JSON."""
        return asdict(self) | {"columns": list(self.columns), "rows": list(self.rows)}

    @classmethod
    def from_dict(cls, data: Any) -> Renaming:
        """Returns the renaming that ``data`` is; ValueError or TypeError if it is none."""
        if not isinstance(data, dict) or set(data) != {"columns", "rows", "symbols"}:
            raise ValueError("a renaming has columns, rows and symbols")
        if [type(data[key]) for key in ("columns", "rows", "symbols")] != [list, list, str]:
            raise ValueError("columns and rows of a renaming are lists, and its symbols are text")
        return cls(tuple(data["columns"]), tuple(data["rows"]), data["symbols"])


def why_not_renamed(position: Position) -> str:
    """Returns why the moves of a game cannot be renamed, in words; "" if they can."""
    if isinstance(position, Board) and position.perfect_information:
        names = [position.name(action) for action in position.legal_actions()]
        rows, columns = range(position.height), range(position.width)
        cells = {position.cell_name(row, column) for row in rows for column in columns}
        if moves_are_columns(position) or all(_is_of_cells(name, cells) for name in names):
            return ""
    return (
        f"the cells of {name_of(position)} cannot be renamed: only games whose moves are named by "
        "the cells of a board, or by its columns, have renamed twins"
    )


def _is_of_cells(name: str, cells: set[str]) -> bool:
    """Returns whether a name is made of cells, or a word such as "pass"."""
    found = {cell[0] for cell in CELL.finditer(name)}
    return found <= cells and not any(map(str.isdigit, CELL.sub("", name)))


def moves_are_columns(position: Position) -> bool:
    """Returns whether a move is the number of a column."""
    if not isinstance(position, Board) or position.num_actions != position.width:
        return False
    return [position.name(i) for i in range(position.width)] == _numbers(position.width)


def _numbers(number: int) -> list[str]:
    return [str(i + 1) for i in range(number)]


def draw_renaming(position: Position, rng: random.Random) -> Renaming:
    """Returns a renaming for the game of ``position``, one of many that ``rng`` chooses.

    ValueError, which says why, for games that have none.
    """
    if why := why_not_renamed(checked(position)):
        raise ValueError(why)
    assert isinstance(position, Board)  # others have none
    columns, rows = labels_of(position)
    own_letters = position.labels()[0]  # of cells, also where moves are numbers of columns
    letters = [letter for letter in NEW_LETTERS if letter not in own_letters]
    if len(letters) < len(columns):
        raise ValueError(f"a board of {len(columns)} columns is too wide to be renamed")
    chosen = rng.sample(letters, len(columns))
    numbers = rng.sample(NEW_ROWS, len(rows))
    used = {character for row in position.rows() for character in row} | set(position.symbols)
    symbols = rng.sample([s for s in NEW_SYMBOLS if s not in used], 2)
    return Renaming(tuple(chosen), tuple(map(str, numbers)), "".join(symbols))


def labels_of(position: Board) -> tuple[list[str], list[str]]:
    """Returns what moves call the columns and rows; no rows where moves are columns."""
    return (_numbers(position.width), []) if moves_are_columns(position) else position.labels()


def renamed(position: Position, renaming: Renaming) -> Position:
    """Returns a position of the same game in which names are those of ``renaming``.

    ValueError for games without cells to rename, for another board, and for letters that it has.
    """
    position = checked(position)
    if renaming_of(position) is not None:
        raise ValueError("the position is renamed already")
    if why := why_not_renamed(position.start()):
        raise ValueError(why)
    assert isinstance(position, Board)  # others have none
    columns, rows = labels_of(position)
    if (len(columns), len(rows)) != (len(renaming.columns), len(renaming.rows)):
        raise ValueError(
            f"a renaming of {name_of(position)} has {len(columns)} columns and {len(rows)} rows "
            f"here, not {len(renaming.columns)} and {len(renaming.rows)}"
        )
    if own := sorted({*renaming.columns} & {*position.labels()[0]}):
        raise ValueError(f"columns of this board are called {', '.join(own)} already: use others")
    made: Position = tuple.__new__(_renamed_class(type(position), renaming), position)
    return made


def renaming_of(position: Position) -> Renaming | None:
    """Returns the renaming of a renamed position; None for others."""
    found: Renaming | None = getattr(type(position), "renaming", None)
    return found


@functools.lru_cache(maxsize=1024)
def _renamed_class(game: type[Any], renaming: Renaming) -> type[Any]:
    """Returns the class of the same game with other names."""

    def plain(self: Any) -> Any:
        return tuple.__new__(game, self)

    def name(self: Any, action: int) -> str:
        return _translated(plain(self), renaming, plain(self).name(action))

    def cell_name(self: Any, row: int, column: int) -> str:
        return _translated(plain(self), renaming, plain(self).cell_name(row, column))

    def play(self: Any, action: int) -> Any:
        return tuple.__new__(type(self), plain(self).play(action))

    def start(self: Any) -> Any:
        return tuple.__new__(type(self), plain(self).start())

    def rules(self: Any) -> str:
        return f"{plain(self).rules()}\n\n{dictionary(plain(self), renaming)}"

    def reduce(self: Any) -> Any:
        return renamed, (plain(self), renaming)

    body = {
        "__module__": game.__module__, "__doc__": game.__doc__, "__reduce__": reduce,
        "is_compiled": False, "renaming": renaming, "symbols": renaming.symbols, "example": None,
        "name": name, "cell_name": cell_name, "play": play, "start": start, "rules": rules,
    }  # fmt: skip
    make: Any = type(game)
    made: type[Any] = make(game.__name__, (game,), body)
    return made


def _translated(position: Board, renaming: Renaming, name: str) -> str:
    """Returns the name of a move or cell with each column and row called as it is here.

    Rows keep their numbers in cells where moves have none.
    """
    moves = labels_of(position)[0]
    if name in moves:
        return renaming.columns[moves.index(name)]
    columns, rows = position.labels()
    new_columns = dict(zip(columns, renaming.columns, strict=True))
    new_rows = dict(zip(rows, renaming.rows or rows, strict=True))
    return CELL.sub(lambda cell: new_columns[cell[1]] + new_rows[cell[2]], name)


def dictionary(position: Board, renaming: Renaming) -> str:
    """Returns a paragraph that says what cells and pieces are called."""
    columns, rows = labels_of(position)
    parts = ["**Names.** Here names are other ones than in the rules above."]
    parts.append(f"Columns: {_pairs(columns, renaming.columns)}.")
    if rows:
        parts.append(f"Rows: {_pairs(rows, renaming.rows)}.")
        old, new = columns[0] + rows[0], renaming.columns[0] + renaming.rows[0]
        parts.append(f"So the cell that the rules call `{old}` is `{new}`.")
    parts.append(f"Pieces: {_pairs(list(position.symbols), tuple(renaming.symbols))}.")
    parts.append("The board is shown in the new names, and moves are written in them only.")
    return " ".join(parts)


def _pairs(old: list[str], new: tuple[str, ...]) -> str:
    return ", ".join(f"{a} is called {b}" for a, b in zip(old, new, strict=True))
