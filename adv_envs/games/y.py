r"""Y: join all three sides of a triangle by one chain of your stones; nobody can draw.

Cells are numbered row by row. The triangle is the upper left half of a grid that has an
always-empty bit at the end of each row. Actions on a board of size 3, and their bits::

      a b c              a b c
    1 0 1 2            1 0 1 2 (3)
     2 3 4              2 4 5 (6 7)
      3 5                3 8 (9 10 11)

The sides are the top row, the left column a, and the cells at the ends of the rows. A corner
belongs to two sides. The six neighbours of a cell are those of a rhombus of hexagons: one step left
and right, up and up-right, down and down-left.

Who has won is known at the move that does it. A second set holds each player's stones that are
joined to the top, and a third one those of them that are also joined to the left side. A new stone
joins the second set if it stands in the top row or beside a stone of it, and then brings along all
stones that it is joined to; these enter the third set if one of them stands on the left side, or
the new stone beside a stone of the third set. Who has a stone of the third set on the last side has
won. Each stone enters each set once in a game: constant amortised work per move.
"""

from __future__ import annotations

from math import sqrt

from adv_envs.bits import repeated, single
from adv_envs.position import Example, Wide, reflowed, require_between

from .hexagons import SWAP, ShapedBoard


class GameOfY(ShapedBoard):
    """Plays Y: join all three sides of a triangle by one chain of your stones; nobody can draw.

    ``GameOfY(size=19, swap=False)`` is the start; ``size`` is the number of cells on each side.
    ``swap=True`` adds the pie rule: instead of setting their first stone, player 1 may take over
    the stone of player 0, which stays where it is; this is the last action, legal at ply 1 only.
    Raises ValueError unless 2 <= size <= 19.
    """

    size: int = 19
    swap: bool = False
    own: Wide = 0
    opp: Wide = 0
    own_top: Wide = 0  # those of own that are joined to the top side
    opp_top: Wide = 0
    own_both: Wide = 0  # those of them that are joined to the left side as well
    opp_both: Wide = 0
    won: bool = False  # the player who just moved joined all sides
    ply: int = 0
    parameters = ("size", "swap")
    parameter_words = (
        ("Size", "How many cells each side of the triangle has."),
        ("Swap rule", "The second player may take over the first stone."),
    )
    side_names = ("Red", "Blue")

    def begin(self, row: int) -> int:
        """Returns 0: every row begins on the left side."""
        return 0

    def above(self, row: int) -> int:
        """Counts the cells of all rows above ``row``, each one shorter than the one above it."""
        return row * (2 * self.size + 1 - row) // 2

    def row_of(self, action: int) -> int:
        """Returns the row of the cell of an action."""
        most = 2 * self.size + 1
        return int((most - sqrt(most * most - 8 * action)) / 2)

    def board(self) -> Wide:
        """Returns all cells: a triangle is three smaller ones that overlap."""
        cells, length = single(0, self.own), 1
        while length < self.size:
            step = min((length + 1) // 2, self.size - length)
            cells |= cells << step | cells << step * (self.size + 1)
            length += step
        return cells

    def play(self, action: int) -> GameOfY:
        """Sets a stone, or swaps; the other player is to move."""
        none = self.own & 0
        if action == self.num_stone_actions:
            top, both = self.opp_top, self.opp_both
            return GameOfY(self.size, True, none, self.opp, none, top, none, both, False, 2)
        cell = self.entry(action)
        stone = single(cell, none)
        own, top, both, won = self.own | stone, self.own_top, self.own_both, False
        beside = self.neighbours(stone)
        if cell < self.size or beside & top != 0:
            top = self.spread(stone, own, top)
            if top & ~self.own_top & self.left_side() != 0 or beside & both != 0:
                both = self.spread(stone, top, both)
                won = both & self.last_side() != 0
        return GameOfY(
            self.size, self.swap, self.opp, own, self.opp_top, top, self.opp_both, both, won,
            self.ply + 1,
        )  # fmt: skip

    def top_side(self) -> Wide:
        """Returns the cells of row 1."""
        return repeated(single(0, self.own), self.size, 1)

    def left_side(self) -> Wide:
        """Returns the cells of column a."""
        return repeated(single(0, self.own), self.size, self.size + 1)

    def last_side(self) -> Wide:
        """Returns the last cell of every row."""
        return repeated(single(self.size - 1, self.own), self.size, self.size)

    def is_terminal(self) -> bool:
        """Tests whether a player has joined all sides."""
        return self.won

    def utility(self, player: int) -> int:
        """Returns 1 for the player who joined the sides, -1 for the other."""
        return -1 if player == self.to_move else 1

    # ---- not needed by the rules

    def rules(self) -> str:
        last = self.cell_name(self.size - 1, 0)
        return reflowed(f"""
            **Goal.** Join all three sides of the board by a chain of your own stones, each beside
            the next one. The sides are the same for both players. The board is a triangle of
            hexagons, empty at the start: its top row has {self.size} cells, each row has one cell
            less than the row above, and the last row has a single cell. The three sides are the
            top row, the first cells of all rows, and the last cells of all rows. A corner cell
            belongs to two sides. A cell is beside up to six others: those to its left and right in
            the same row; in the row above, the one of the same column and the one to the right of
            that; in the row below, the one of the same column and the one to the left of that.

            **Moves.** The players take turns, and player 0 begins. A move sets one own stone on any
            empty cell. Stones are never moved or captured, and nobody may pass.
            {SWAP if self.swap else ""}

            **End.** The player who first has a chain that touches all three sides wins and gets 1,
            the other -1. There are no draws: a full board always has exactly one such chain.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top: `a1` is the top left corner,
            `{self.cell_name(0, self.size - 1)}` the top right one and `{last}` the lowest one.

            **Board.** X is a stone of player 0, O one of player 1, and a dot an empty cell. Each
            row is printed one character further to the right than the row above, so count the
            columns within the row. X is to move when there are as many X as O, otherwise O.
            {"After a swap it is the other way round." if self.swap else ""}
            """)

    @property
    def example(self) -> Example:
        swap = """a1
            swap the stone is now one of player 1"""
        return Example(
            f"""
            {swap if self.swap else ""}
            b2 touches the side of the last cells, as row 2 has two cells
            a2 stops the way to the left in the same row
            a3 is beside b2, and a corner: this chain touches two sides
            b1 stops one of two ways to the top
            c1 is beside b2 and in the top row: c1, b2 and a3 touch all sides, and player 0 wins
            """,
            size=3,
        )

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other sizes and impossible positions.

        Any number of stones of each colour will do, as in puzzles; ``ply`` is the number of stones,
        or one more, as after a swap or where the other player is to move.
        """
        require_between("size", self.size, 2, 19)
        self.check_ply()
        sets = self.joined_stones(self.own), self.joined_stones(self.opp)
        won = self.has_won(self.opp)
        if sets != ((self.own_top, self.own_both), (self.opp_top, self.opp_both)):
            raise ValueError("own_top, opp_top, own_both and opp_both do not fit: use after()")
        if won != self.won:
            raise ValueError("won does not fit the stones: use after()")
        if self.has_won(self.own):
            raise ValueError("the player to move cannot have joined all sides: the game is over")

    def with_stones(self, first: int, second: int, ply: int) -> GameOfY:
        own, opp = (first, second) if ply % 2 == 0 else (second, first)
        mine, theirs = self.joined_stones(own), self.joined_stones(opp)
        won = self.has_won(opp)
        return GameOfY(
            self.size, self.swap, own, opp, mine[0], theirs[0], mine[1], theirs[1], won, ply=ply
        )

    def joined_stones(self, stones: int) -> tuple[int, int]:
        """Returns those joined to the top, and those of them joined to the left side as well."""
        top = self.spread(stones & self.top_side(), stones, 0)
        return top, self.spread(top & self.left_side(), top, 0)

    def has_won(self, stones: int) -> bool:
        """Returns whether a chain of the stones touches all sides."""
        return self.joined_stones(stones)[1] & self.last_side() != 0

    @property
    def turns(self) -> int:
        """Returns 3: a board can be turned by 120 degrees."""
        return 3

    def image_place(self, row: int, column: int, i: int) -> tuple[int, int]:
        """Returns where a cell is taken by i turns of 120 degrees; from 3 on transposed before."""
        a, b, c = column, row, self.size - 1 - row - column  # steps from the sides
        if i >= 3:
            a, b = b, a
        for _ in range(i % 3):
            a, b, c = b, c, a
        return b, a

    def state_space(self) -> int:
        """Counts boards: each cell is empty or holds a stone of one of two colours."""
        return 3**self.num_stone_actions  # type: ignore[no-any-return]

    def __str__(self) -> str:
        letters, *rows = super().__str__().splitlines()
        return "\n".join([letters[1:], *(" " * i + row for i, row in enumerate(rows))])
