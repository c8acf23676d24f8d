"""Defines boards of hexagons for games of connection: what is beside a cell, and chains of stones.

Boards whose rows are not all as long, such as triangles, are cut out of a grid. The bits of the
grid that are no cells are always empty, and actions number the cells only.
"""

from __future__ import annotations

import re
from typing import Any, Self

from adv_envs.position import RowBoard, Wide, require_between


class HexagonBoard(RowBoard):
    """Represents a board of hexagons in rows, each half a cell to the right of the one above.

    The six neighbours of a cell are one step left and right, up and up-right, down and down-left.
    """

    def neighbours(self, cells: Wide) -> Wide:
        """Returns the cells beside ``cells``, some of them perhaps off the board."""
        down = self.width + 1
        right, left = cells << 1, cells >> 1
        return right | left | (cells | left) << down | (cells | right) >> down

    def spread(self, cells: Wide, among: Wide, reached: Wide) -> Wide:
        """Returns ``reached`` and ``cells``, and all of ``among`` to which chains lead from these.

        The chains do not pass what was ``reached`` before.
        """
        while cells != 0:
            reached |= cells
            cells = self.neighbours(cells) & among & ~reached
        return reached


class ShapedBoard(HexagonBoard):
    """Represents a board of hexagons that is cut out of its grid; the pie rule is an option.

    A game declares the fields of a ``Board``, ``size`` and ``swap``, and says where the cells of a
    row begin, how many are above it, in which row an action is, which set of cells is the board,
    and how it can be turned. The last action, with ``swap``, is to take the first stone over.
    """

    ROW = r"\s*\d*((?:\s*[{}.])+)\s*[a-z]?\s*"
    """A line of a board as text: its name, its cells and perhaps the name of a column."""

    @property
    def swap(self) -> bool:
        """Returns whether the pie rule is played; a field of the game."""
        raise NotImplementedError

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, row by row; with the pie rule, one more."""
        return self.above(self.height) + (1 if self.swap else 0)

    @property
    def num_stone_actions(self) -> int:
        """Returns the actions that are cells."""
        return self.above(self.height)

    def begin(self, row: int) -> int:
        """Returns the column of the first cell of a row."""
        raise NotImplementedError

    def above(self, row: int) -> int:
        """Counts the cells of all rows above ``row``, which may be one below the last."""
        raise NotImplementedError

    def row_of(self, action: int) -> int:
        """Returns the row of the cell of an action."""
        raise NotImplementedError

    def board(self) -> Wide:
        """Returns all cells."""
        raise NotImplementedError

    @property
    def turns(self) -> int:
        """Returns how many turns of the board there are, the first one by nothing."""
        raise NotImplementedError

    def image_place(self, row: int, column: int, i: int) -> tuple[int, int]:
        """Returns where a cell is taken by the i-th turn, or from ``turns`` on by a reflection."""
        raise NotImplementedError

    def entry(self, action: int) -> int:
        """Returns the bit of the cell of ``action``."""
        row = self.row_of(action)
        return self.bit(row, self.begin(row) + action - self.above(row))

    def legal(self, action: int) -> bool:
        """Allows a stone on any empty cell; the swap is player 1's first move or never."""
        if action == self.num_stone_actions:
            return self.ply == 1
        return (self.own | self.opp) >> self.entry(action) & 1 == 0

    # ---- not needed by the rules

    def name(self, action: int) -> str:
        """Returns column letter and row number: "a1"; "swap" is the pie rule."""
        if action == self.num_stone_actions:
            return "swap"
        row = self.row_of(action)
        return self.cell_name(row, self.begin(row) + action - self.above(row))

    def cells(self) -> list[tuple[int, int]]:
        """Returns the (row, column) of every cell, row by row."""
        return [(row, column) for row in range(self.height) for column in self.columns(row)]

    def columns(self, row: int) -> range:
        """Returns the columns of the cells of a row."""
        begin = self.begin(row)
        return range(begin, begin + self.above(row + 1) - self.above(row))

    def rows(self) -> list[list[str]]:
        """Returns the rows as characters: X, O or a dot, and spaces before the first cell."""
        every = super().rows()
        return [
            [" "] * cells.start + row[cells.start : cells.stop]
            for row, cells in zip(every, map(self.columns, range(self.height)), strict=True)
        ]

    def check_ply(self) -> None:
        """Raises ValueError unless the stones stand on cells and ``ply`` goes with their number."""
        self.check_cells()
        if (self.own | self.opp) & ~self.board():
            raise ValueError("own and opp must be sets of cells of the board, given as bits")
        stones = (self.own | self.opp).bit_count()
        require_between("ply", self.ply, stones, stones + 1)

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``Board.from_text`` does.

        Raises ValueError if the rows are not those of a board of a size that there is.
        """
        found = [re.fullmatch(cls.ROW.format(cls.symbols), line) for line in text.splitlines()]
        rows = ["".join(line[1].split()) for line in found if line]
        if not rows:
            raise ValueError(
                f"there is no board in {text!r}: rows are written with {cls.symbols} and dots"
            )
        size = parameters.get("size", cls.size_of(rows))
        start = cls(**{**parameters, "size": size})
        wanted = [start.columns(row) for row in range(start.height)]
        lengths = [*map(len, wanted)]
        if [*map(len, rows)] != lengths:
            raise ValueError(
                f"the rows of a board of size {size} must have {', '.join(map(str, lengths))} "
                f"cells, not {', '.join(str(len(row)) for row in rows)}"
            )
        filled = [
            f"{'.' * columns.start}{row}".ljust(start.width, ".")
            for columns, row in zip(wanted, rows, strict=True)
        ]
        return super().from_text("\n".join(filled), to_move, **{**parameters, "size": size})

    @classmethod
    def size_of(cls, rows: list[str]) -> int:
        """Returns the size of the board that has as many rows."""
        return len(rows)

    def smallest(self, stones: int) -> int:
        """Returns some of winning ``stones`` that win as well, but not without one of them."""
        for row, column in self.cells_in(stones):
            fewer = stones & ~(1 << self.bit(row, column))
            if self.has_won(fewer):
                stones = fewer
        return stones

    def has_won(self, stones: int) -> bool:
        """Returns whether a player with these stones has won, found from nothing."""
        raise NotImplementedError

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of stones that win without any others."""
        return self.cells_in(self.smallest(self.opp)) if self.has_won(self.opp) else []


SWAP = """
    Instead of setting a stone, player 1 may answer the first move of player 0 with `swap`: that
    stone becomes one of player 1, on the same cell. Then player 0 is to move. Nobody may swap
    later.
""".strip()
"""The pie rule on a board that is the same for both players, for ``rules``."""
