r"""Havannah: make a ring, or join two corners or three sides of a hexagon by a chain of stones.

Cells are numbered row by row. The board is a hexagon in a grid that has an always-empty bit at the
end of each row, and a row of them above. Actions on a board of size 2, and their bits::

        a b                  a b
     1 0 1 c              1 5 6 c
    2 2 3 4              2 9 10 11
     3 5 6                3 14 15

The six neighbours of a cell are one step left and right, up and up-left, down and down-right: here,
shifts by 1, 4 and 5 bits, either way.

Who has won is known at the move that does it, from the six neighbours of the new stone and the
chain that it belongs to. The neighbours of its own colour form arcs, parted by other cells. If two
arcs belong to one chain, the new stone closes a loop, and one of the cells that part the arcs is
inside: a ring. If there is only one arc, there was a way around the new stone before, and it closes
a ring only if all that is inside are stones of its own colour beside it: then one of these has six
neighbours of its own colour. So the chain is followed from each arc that is not reached yet, and
there is a ring if that happens less often than there are arcs; then the chain is known as well, and
its corners and sides are counted.
"""

from __future__ import annotations

from math import sqrt

from adv_envs.bits import count, lowest, repeated, resized, single
from adv_envs.position import Example, Wide, reflowed, require_between

from .hexagons import SWAP, ShapedBoard


class Havannah(ShapedBoard):
    """Represents a position of Havannah; ``Havannah(size=8, swap=False)`` is the start.

    ``size`` is the number of cells on each of the six sides. ``swap=True`` adds the pie rule:
    instead of setting their first stone, player 1 may take over the stone of player 0, which stays
    where it is; this is the last action, legal at ply 1 only. Raises ValueError unless
    2 <= size <= 11.
    """

    size: int = 8
    swap: bool = False
    own: Wide = 0
    opp: Wide = 0
    won: bool = False  # the player who just moved made a ring, a bridge or a fork
    ply: int = 0
    parameters = ("size", "swap")
    parameter_words = (
        ("Size", "How many cells each side of the hexagon has."),
        ("Swap rule", "The second player may take over the first stone."),
    )
    side_names = ("White", "Black")

    @property
    def height(self) -> int:
        """Counts the rows of the board."""
        return 2 * self.size - 1

    @property
    def width(self) -> int:
        """Counts the columns of the board."""
        return 2 * self.size - 1

    @property
    def board_bits(self) -> int:
        """Returns a bit for every place of the grid, one after every row, and a row above."""
        return 4 * self.size * self.size

    def bit(self, row: int, column: int) -> int:
        """Numbers the places of the grid row by row, from the second row of bits on."""
        return (row + 1) * 2 * self.size + column + 1

    def begin(self, row: int) -> int:
        """Returns the column of the first cell of a row."""
        return max(0, row - self.size + 1)

    def above(self, row: int) -> int:
        """Counts the cells of all rows above ``row``; the board is the same upside down."""
        size = self.size
        if row <= size:
            return row * (2 * size + row - 1) // 2
        below = 2 * size - 1 - row
        return 3 * size * (size - 1) + 1 - below * (2 * size + below - 1) // 2

    def row_of(self, action: int) -> int:
        """Returns the row of the cell of an action."""
        width, size = self.width, self.size
        upper = action < self.above(size)
        cells = action if upper else 3 * size * (size - 1) - action  # before it, or after it
        row = int((sqrt(width * width + 8 * cells) - width) / 2)
        return row if upper else width - 1 - row

    def board(self) -> Wide:
        """Returns all cells: a row of ``size`` cells, moved along both other directions."""
        stride, size = 2 * self.size, self.size
        rhombus = repeated(repeated(single(stride + 1, self.own), size, 1), size, stride)
        return repeated(rhombus, size, stride + 1)

    def neighbours(self, cells: Wide) -> Wide:
        """Returns the cells beside ``cells``, some of them perhaps off the board."""
        down = 2 * self.size
        right, left = cells << 1, cells >> 1
        return right | left | (cells | right) << down | (cells | left) >> down

    def play(self, action: int) -> Havannah:
        """Sets a stone, or swaps; the other player is to move."""
        if action == self.num_stone_actions:
            return Havannah(self.size, True, self.own & 0, self.opp, False, 2)
        cell = self.entry(action)
        own = self.own | single(cell, self.own)
        won = self.completes(own, cell)
        return Havannah(self.size, self.swap, self.opp, own, won, self.ply + 1)

    def completes(self, own: Wide, cell: int) -> bool:
        """Tests whether the new stone on ``cell``, one of ``own``, wins, as none did before."""
        around = self.around(own, cell)
        if around == 0:
            return False
        turned = around << 1 | around >> 5
        if around & turned & (around << 2 | around >> 4) != 0 and self.surrounded(own) != 0:
            return True
        stone = single(cell, own)
        chain, others, followed = stone, own & ~stone, 0
        left = self.neighbours(stone) & others
        while left != 0:
            chain = self.spread(single(lowest(left), own), others, chain)
            left &= ~chain
            followed += 1
        return followed < count(around & ~turned) or self.joins(chain)

    def around(self, own: Wide, cell: int) -> int:
        """Returns which of the six neighbours of a cell are ``own``: bits in a circle."""
        stride = 2 * self.size
        near = resized(own >> cell - stride - 1 & (1 << 2 * stride + 3) - 1, 0)
        beside = near >> stride
        below = near >> 2 * stride + 1
        return near & 3 | beside & 4 | (below & 2) << 2 | (below & 1) << 4 | (beside & 1) << 5

    def surrounded(self, stones: Wide) -> Wide:
        """Returns those of ``stones`` that have six of them as neighbours."""
        down = 2 * self.size
        pairs = stones & stones >> 1  # a stone and its right neighbour
        wide = pairs & pairs << 1
        return wide & pairs >> down & pairs << down + 1

    def joins(self, chain: Wide) -> bool:
        """Tests whether a chain has two corners or touches three sides."""
        return count(chain & self.corners()) > 1 or self.sides(chain) > 2

    def corners(self) -> Wide:
        """Returns the six corners."""
        step, stride = self.size - 1, 2 * self.size
        first = single(stride + 1, self.own)
        pair, ends = first | first << step, first | first << 2 * step
        return pair | ends << step * stride | pair << step * (2 * stride + 1)

    def sides(self, chain: Wide) -> int:
        """Counts the sides that a chain touches."""
        a, b, c, d, e, f = self.side_cells()
        return (
            (chain & a != 0) + (chain & b != 0) + (chain & c != 0)
            + (chain & d != 0) + (chain & e != 0) + (chain & f != 0)
        )  # fmt: skip

    def side_cells(self) -> tuple[Wide, Wide, Wide, Wide, Wide, Wide]:
        """Returns the cells of each side; a corner belongs to none."""
        inner, step, stride = self.size - 2, self.size - 1, 2 * self.size
        none = self.own & 0
        if inner == 0:
            return none, none, none, none, none, none
        first = single(stride + 1, none)
        along = repeated(first << 1, inner, 1)
        down = repeated(first << stride, inner, stride)
        across = repeated(first << stride + 1, inner, stride + 1)
        return (
            along, along << step * (2 * stride + 1),
            down, down << step * (stride + 2),
            across << step, across << step * stride,
        )  # fmt: skip

    def is_terminal(self) -> bool:
        """Tests whether a player has won, or all cells are taken."""
        cells = self.num_stone_actions
        return self.won or (self.ply >= cells and count(self.own | self.opp) == cells)

    def utility(self, player: int) -> int:
        """Returns 1 for the winner and -1 for the other, 0 if the board is full without one."""
        if not self.won:
            return 0
        return -1 if player == self.to_move else 1

    # ---- not needed by the rules

    def rules(self) -> str:
        size, last = self.size, 2 * self.size - 1
        return reflowed(f"""
            **Goal.** Make one of three figures of your own stones: a ring, a bridge or a fork. A
            chain is a group of stones of one colour, each beside another one. A ring is a chain
            that goes around at least one cell, whether that is empty or has a stone of any colour.
            A bridge is a chain with two corner cells, and a fork one that touches three of the six
            sides; a corner cell belongs to no side. The board is a hexagon of hexagons, empty at
            the start, with {size} cells on each side: {last} rows of {size} to {last} cells. A cell
            is beside up to six others: those to its left and right in the same row; in the row
            above, the one of the same column and that of the column before; in the row below, the
            one of the same column and that of the next column.

            **Moves.** The players take turns, and player 0 begins. A move sets one own stone on any
            empty cell. Stones are never moved or captured, and nobody may pass.
            {SWAP if self.swap else ""}

            **End.** The player who first makes a figure wins and gets 1, the other -1. If the board
            is full without one, the game is a draw, and both get 0.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top. Row 1 has columns a to {self.cell_name(0, size - 1)[0]},
            and each row down to row {size} has one column more. From there on the first column is
            left out, then the second one, and so on: the last row goes from
            `{self.cell_name(last - 1, size - 1)}` to `{self.cell_name(last - 1, last - 1)}`.

            **Board.** X is a stone of player 0, O one of player 1, and a dot an empty cell. The
            letters of columns stand above the board and at the ends of rows; columns run down to
            the left. X is to move when there are as many X as O, otherwise O.
            {"After a swap it is the other way round." if self.swap else ""}
            """)

    @property
    def example(self) -> Example:
        swap = """b2
            swap the stone is now one of player 1"""
        return Example(
            f"""
            {swap if self.swap else ""}
            a1 a corner
            c3 the middle of the board
            b1 is beside a1
            e5 a corner
            c1 is beside b1, and a corner: a1, b1 and c1 are a bridge, and player 0 wins
            """,
            size=3,
        )

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other sizes and impossible positions.

        Any number of stones of each colour will do, as in puzzles; ``ply`` is the number of stones,
        or one more, as after a swap or where the other player is to move.
        """
        require_between("size", self.size, 2, 11)
        self.check_ply()
        if self.has_won(self.own):
            raise ValueError("the player to move cannot have a figure: the game is over")
        if self.won != self.has_won(self.opp):
            raise ValueError("won does not fit the stones: use after()")

    def with_stones(self, first: int, second: int, ply: int) -> Havannah:
        own, opp = (first, second) if ply % 2 == 0 else (second, first)
        won = Havannah(self.size, self.swap, own, opp, False, ply).has_won(opp)
        return Havannah(self.size, self.swap, own, opp, won, ply=ply)

    def has_won(self, stones: int) -> bool:
        """Returns whether there is a figure of these stones."""
        return self.figure(stones) != ""

    def figure(self, stones: int) -> str:
        """Returns "ring", "bridge" or "fork", which there is of these stones, found from nothing.

        "" if there is none. Around a ring one cannot get from the border to all cells that have
        none of the stones, unless there are only such stones inside.
        """
        board = self.board()
        free, inner = board & ~stones, self.surrounded(board)
        if self.spread(free & ~inner, free, 0) != free or self.surrounded(stones):
            return "ring"
        found = ""
        while stones:
            chain = self.spread(stones & -stones, stones, 0)
            stones &= ~chain
            if (chain & self.corners()).bit_count() > 1:
                return "bridge"
            found = "fork" if self.sides(chain) > 2 else found
        return found

    def result_text(self) -> str:
        text = super().result_text()
        return f"{text} with a {self.figure(self.opp)}" if self.won else text

    @property
    def turns(self) -> int:
        """Returns 6: a board can be turned by 60 degrees."""
        return 6

    def image_place(self, row: int, column: int, i: int) -> tuple[int, int]:
        """Returns where a cell is taken by i turns of 60 degrees; from 6 on transposed before."""
        middle = self.size - 1
        x, y = column - middle, row - middle
        if i >= 6:
            x, y = y, x
        for _ in range(i % 6):
            x, y = x - y, x
        return y + middle, x + middle

    def state_space(self) -> int:
        """Counts boards: each cell is empty or holds a stone of one of two colours."""
        return 3**self.num_stone_actions  # type: ignore[no-any-return]

    @classmethod
    def size_of(cls, rows: list[str]) -> int:
        """Returns the size of the board that has as many rows."""
        return (len(rows) + 1) // 2

    def __str__(self) -> str:
        columns, names = self.labels()
        lines = [" " * (self.size + 3) + " ".join(columns[: self.size])]
        for row, cells in enumerate(self.rows()):
            indent = " " * abs(self.size - 1 - row)
            end = f" {columns[self.size + row]}" if row < self.size - 1 else ""
            lines.append(f"{indent}{names[row]:>2} {' '.join(cells).strip()}{end}")
        return "\n".join(lines)
