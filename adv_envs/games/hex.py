r"""Hex: join your two sides of the board before the other player joins theirs; nobody can draw.

Player 0 joins top and bottom, player 1 left and right. Cells are numbered row by row, with an
always-empty cell at the end of each row. On 3 x 3::

      a b c
    1  0  1  2 (3)
     2  4  5  6 (7)
      3  8  9 10 (11)

The six neighbours of a cell are one step left and right, up and up-right, down and down-left:
shifts by 1, 4 and 3 here, either way; none can wrap around an edge. Actions are numbered row by row
without the gap.

Who has won is known at the move that does it. Each player's stones that are already joined to their
first edge (top, or left) are kept in a second set. A new stone joins it if it stands on that edge
or beside a joined stone; only then does the set grow, from the new stone through the player's
other stones that were not joined before. Each stone joins once in a game, so over a whole game
the search for the winner visits every stone at most once: constant amortised work per move where a
flood fill of the board would be linear. (A union-find forest does no better here, and its arrays
could not live in an immutable position.)
"""

from __future__ import annotations

from adv_envs.bits import single
from adv_envs.position import Example, Wide, reflowed, require_between

from .hexagons import HexagonBoard


class Hex(HexagonBoard):
    """Represents a position of Hex; ``Hex(size=11, swap=False)`` is the start.

    ``swap=True`` adds the pie rule: instead of setting their first stone, player 1 may take over
    the stone of player 0, mirrored on the long diagonal so that it plays for left and right; this
    is action size * size, legal at ply 1 only. Raises ValueError unless 2 <= size <= 19.
    """

    size: int = 11
    swap: bool = False
    own: Wide = 0
    opp: Wide = 0
    own_joined: Wide = 0  # those of own that are joined to the first edge of the player to move
    opp_joined: Wide = 0
    won: bool = False  # the player who just moved joined both edges
    ply: int = 0
    parameters = ("size", "swap")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        ("Swap rule", "The second player may take over the first stone."),
    )
    side_names = ("Red", "Blue")

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, row by row; with the pie rule, one more."""
        return self.size * self.size + (1 if self.swap else 0)

    def legal(self, action: int) -> bool:
        """Allows a stone on any empty cell; the swap is player 1's first move or never."""
        if action == self.size * self.size:
            return self.ply == 1
        return (self.own | self.opp) >> self.entry(action) & 1 == 0

    def play(self, action: int) -> Hex:
        """Sets a stone, or swaps; the other player is to move."""
        if action == self.size * self.size:
            return self.swapped()
        stone = single(self.entry(action), self.own)
        own, joined, won = self.own | stone, self.own_joined, False
        from_edge = action // self.size if self.to_move == 0 else action % self.size
        if from_edge == 0 or self.neighbours(stone) & joined != 0:
            joined = self.spread(stone, own, joined)
            won = self.joins(joined, self.to_move)
        return Hex(self.size, self.swap, self.opp, own, self.opp_joined, joined, won, self.ply + 1)

    def swapped(self) -> Hex:
        """Returns the only stone, mirrored on the long diagonal, as a stone of player 1."""
        none = self.own & 0
        for row in range(self.size):
            for column in range(self.size):
                if self.opp >> self.bit(row, column) & 1 != 0:
                    stone = single(self.bit(column, row), none)
                    joined = stone if row == 0 else none
                    return Hex(self.size, self.swap, none, stone, none, joined, False, 2)
        return self

    def joins(self, joined: Wide, player: int) -> bool:
        """Tests whether stones joined to the first edge of ``player`` stand on the last one too."""
        stride = self.size + 1
        if player == 0:
            return joined >> (self.size - 1) * stride != 0
        rows = 1
        while rows < self.size:  # fold all rows onto the first
            joined |= joined >> rows * stride
            rows *= 2
        return joined >> self.size - 1 & 1 != 0

    def is_terminal(self) -> bool:
        """Tests whether a player has joined both edges."""
        return self.won

    def utility(self, player: int) -> int:
        """Returns 1 for the player who joined both edges, -1 for the other."""
        return -1 if player == self.to_move else 1

    # ---- not needed by the rules

    def rules(self) -> str:
        after_swap = " After a swap it is the other way round."
        return reflowed(f"""
            **Goal.** Join your two edges of the board by a chain of your own stones, each beside
            the next one. Player 0 joins the top edge with the bottom edge, player 1 the left edge
            with the right edge. The board is a rhombus of {self.size} rows of {self.size}
            hexagons, empty at the start. A cell is beside up to six others: those to its left and
            right in the same row; in the row above, the one of the same column and the one to the
            right of that; in the row below, the one of the same column and the one to the left of
            that. A corner cell belongs to both of its edges.

            **Moves.** The players take turns, and player 0 begins. A move sets one own stone on any
            empty cell. Stones are never moved or captured, and nobody may pass.
            {PIE if self.swap else ""}

            **End.** The player who first joins both own edges wins and gets 1, the other -1. There
            are no draws: a full board always has such a chain.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top: `a1` is the top left cell,
            `{self.cell_name(self.size - 1, self.size - 1)}` the bottom right one.

            **Board.** X is a stone of player 0, O one of player 1, and a dot an empty cell. Each
            row is printed one character further to the right than the row above, so count the
            columns within the row. X is to move when there are as many X as O, otherwise O.
            {after_swap if self.swap else ""}
            """)

    @property
    def example(self) -> Example:
        swap = """b1
            swap the stone is now one of player 1, on a2"""
        return Example(
            f"""
            {swap if self.swap else ""}
            b2
            b1 stops one of two ways from b2 to the top edge
            c1 is the other one
            b3 stops one of two ways to the bottom edge
            a3 is the other one: c1, b2 and a3 join top and bottom, and player 0 wins
            """,
            size=3,
        )

    def name(self, action: int) -> str:
        """Returns column letter and row number: "a1" is the top left; "swap" is the pie rule."""
        return "swap" if action == self.size * self.size else super().name(action)

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other sizes and impossible positions.

        Any number of stones of each colour will do, as in puzzles; ``ply`` is the number of stones,
        or one more, as after a swap or where the other player is to move.
        """
        require_between("size", self.size, 2, 19)
        self.check_cells()
        stones = (self.own | self.opp).bit_count()
        require_between("ply", self.ply, stones, stones + 1)
        joined = self.joined_stones(self.to_move), self.joined_stones(1 - self.to_move)
        won = self.joins(joined[1], 1 - self.to_move)
        if joined != (self.own_joined, self.opp_joined) or won != self.won:
            raise ValueError("own_joined, opp_joined and won do not fit the stones: use after()")
        if self.joins(joined[0], self.to_move):
            raise ValueError("the player to move cannot have joined both edges: the game is over")

    def with_stones(self, first: int, second: int, ply: int) -> Hex:
        own, opp = (first, second) if ply % 2 == 0 else (second, first)
        bare = Hex(self.size, self.swap, own, opp, 0, 0, False, ply)
        joined = [bare.joined_stones(player) for player in (ply % 2, 1 - ply % 2)]
        won = bare.joins(joined[1], 1 - ply % 2)
        return Hex(self.size, self.swap, own, opp, joined[0], joined[1], won, ply=ply)

    def joined_stones(self, player: int) -> int:
        """Returns the stones of ``player`` joined to their first edge, found from nothing."""
        first = [(0, i) if player == 0 else (i, 0) for i in range(self.size)]
        stones = self.stones(player)
        return self.spread(stones & sum(1 << self.bit(*cell) for cell in first), stones, 0)

    def state_space(self) -> int:
        """Counts boards: each cell is empty or holds a stone of one of two colours."""
        return 3 ** (self.size * self.size)  # type: ignore[no-any-return]

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of one shortest chain of the winner from edge to edge."""
        return shortest_chain(self, 1 - self.to_move) if self.won else []

    def __str__(self) -> str:
        return slanted(super().__str__())


def slanted(text: str) -> str:
    """Returns the text of a board, each row a character to the right of the one above."""
    letters, *rows = text.splitlines()
    return "\n".join([letters[1:], *(" " * i + row for i, row in enumerate(rows))])


def shortest_chain(position: Hex, player: int) -> list[tuple[int, int]]:
    """Returns the cells of a shortest chain of stones of ``player`` from first to last edge."""
    size = position.size
    todo = [(0, i) if player == 0 else (i, 0) for i in range(size)]
    todo = [cell for cell in todo if position.cell(*cell) == player]
    parent: dict[tuple[int, int], tuple[int, int] | None] = dict.fromkeys(todo)
    for cell in todo:  # breadth first: the list grows while it is walked
        row, column = cell
        if cell[player] == size - 1:
            chain = [cell]
            while (step := parent[chain[-1]]) is not None:
                chain.append(step)
            return chain
        for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            beside = row + i, column + j
            inside = 0 <= beside[0] < size and 0 <= beside[1] < size
            if inside and beside not in parent and position.cell(*beside) == player:
                parent[beside] = cell
                todo.append(beside)
    return []


PIE = """
    Instead of setting a stone, player 1 may answer the first move of player 0 with `swap`: that
    stone is taken off, and one of player 1 is set where its column and row are exchanged, so that
    b1 becomes a2. Then player 0 is to move. Nobody may swap later.
""".strip()
"""The pie rule, for ``rules``."""
