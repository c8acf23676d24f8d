r"""Dark Hex: Hex in which you do not see the stones of the other player.

What an attempt is, and what a player sees, is said in ``phantom.py``. Player 0 joins top and
bottom, player 1 left and right. Cells are numbered row by row, with an always-empty cell at the end
of each row. On 3 x 3::

      a b c
    1  0  1  2 (3)
     2  4  5  6 (7)
      3  8  9 10 (11)

The six neighbours of a cell are one step left and right, up and up-right, down and down-left:
shifts by 1, 4 and 3 here, either way. Actions are numbered row by row without the gap.
"""

from __future__ import annotations

from typing import Annotated

from adv_envs.bits import count
from adv_envs.position import Example, reflowed, require_between

from .hex import Hex, shortest_chain, slanted
from .phantom import Phantom


class DarkHex(Phantom):
    """Represents a position of dark Hex; ``DarkHex(size=3, abrupt=False)`` is the start.

    Raises ValueError unless 2 <= size <= 5.
    """

    size: int = 3
    own_tried: Annotated[int, "tried_bits"] = 0
    opp_tried: Annotated[int, "tried_bits"] = 0
    parameters = ("size", "abrupt")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        ("Lose the turn", "A try on a cell that is taken costs the turn."),
    )
    side_names = ("Red", "Blue")

    def with_state(
        self, own: int, opp: int, own_tried: int, opp_tried: int,
        turn: int, winner: int, viewer: int,
    ) -> DarkHex:  # fmt: skip
        # type checkers expect the fields of the base before size
        return DarkHex(self.size, self.abrupt, own, opp, own_tried, opp_tried, turn, winner, viewer)  # type: ignore[arg-type]

    @property
    def tried_bits(self) -> int:
        """Returns how many bits all attempts of a player have."""
        return self.num_actions * self.digit_bits

    def wins(self, stones: int, player: int) -> bool:
        """Tests whether these stones join the player's edges."""
        down, last = self.size + 1, self.size - 1
        first = (1 << self.size) - 1
        far = first << last * down
        if player == 1:
            first = 0
            for row in range(self.size):
                first |= 1 << row * down
            far = first << last
        joined, grown = 0, stones & first
        while grown != 0:
            joined |= grown
            beside = grown << 1 | grown >> 1 | (grown | grown >> 1) << down
            beside = beside | (grown | grown << 1) >> down
            grown = beside & stones & ~joined
        return joined & far != 0

    # ---- not needed by the rules

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Join your two edges of the board by a chain of your own stones, each beside
            the next one, where you do not see the stones of the other player. Player 0 joins the
            top edge with the bottom edge, player 1 the left edge with the right edge. The board is
            a rhombus of {self.size} rows of {self.size} hexagons, empty at the start. A cell is
            beside up to six others: those to its left and right in the same row; in the row above,
            the one of the same column and the one to the right of that; in the row below, the one
            of the same column and the one to the left of that.

            {self.attempts_rules()}

            **End.** The player who first joins both own edges wins and gets 1, the other -1. There
            are no draws.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top: `a1` is the top left cell,
            `{self.cell_name(self.size - 1, self.size - 1)}` the bottom right one.

            **Board.** X is a stone of player 0, O one of player 1, a dot an empty cell, and ? a
            cell of which a player knows nothing. Each row is printed one character further to the
            right than the row above, so count the columns within the row. The lines below tell the
            attempts, in their order, with (taken) after those that failed; a player sees only the
            own line.
            """)

    @property
    def example(self) -> Example:
        return Example(f"""
            b2
            b2 fails: player 1 is told so and {"loses the turn" if self.abrupt else "tries again"}
            a1
            a1 fails as well
            """)

    def check(self) -> None:
        require_between("size", self.size, 2, 5)
        super().check()

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns a shortest chain of the winner from edge to edge, if it is shown."""
        if self.winner not in (0, 1):
            return []
        stones = count(self.own | self.opp)
        ply = stones + (stones + self.winner + 1) % 2  # the winner has just moved
        board = Hex(self.size).with_stones(self.stones(0), self.stones(1), ply)
        return shortest_chain(board, self.winner)

    def board_text(self) -> str:
        return slanted(super().board_text())
