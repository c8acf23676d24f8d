"""Phantom tic-tac-toe: tic-tac-toe in which you do not see the marks of the other player.

What an attempt is, and what a player sees, is said in ``phantom.py``. Cells are numbered row by
row, with an always-empty cell at the end of each row::

     0  1  2 (3)
     4  5  6 (7)
     8  9 10 (11)

so no row of stones can wrap around an edge. Actions are numbered row by row without the gap.
"""

from __future__ import annotations

from adv_envs.bits import has_line, line_cells
from adv_envs.position import Example, reflowed

from .phantom import Phantom


class PhantomTicTacToe(Phantom):
    """Represents a position; ``PhantomTicTacToe(abrupt=False)`` is the start."""

    parameter_words = (("Lose the turn", "A try on a cell that is taken costs the turn."),)
    side_names = ("X", "O")

    def with_state(
        self, own: int, opp: int, own_tried: int, opp_tried: int,
        turn: int, winner: int, viewer: int,
    ) -> PhantomTicTacToe:  # fmt: skip
        return PhantomTicTacToe(self.abrupt, own, opp, own_tried, opp_tried, turn, winner, viewer)

    @property
    def height(self) -> int:
        """Returns 3, the number of rows."""
        return 3

    @property
    def width(self) -> int:
        """Returns 3, the number of columns."""
        return 3

    def wins(self, stones: int, player: int) -> bool:
        """Tests whether three of these stones are in a row."""
        return has_line(stones, 3, 4)

    # ---- not needed by the rules

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Be the first to have three of your own stones in a row, across, down or
            diagonally, on a board of 3 rows of 3 cells, where you do not see the stones of the
            other player. The board is empty at the start.

            {self.attempts_rules()}

            **End.** The game is over as soon as a player has three in a row: this player gets 1,
            the other -1. When the board is full and there is no row, it is a draw, worth 0 to both.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top: `a1` is the top left cell, `c3` the bottom right one.

            **Board.** Stones of player 0 are printed as X, those of player 1 as O, empty cells as
            dots, and cells of which a player knows nothing as ?. The lines below tell the attempts,
            in their order, with (taken) after those that failed; a player sees only the own line.
            """)

    @property
    def example(self) -> Example:
        return Example(f"""
            b2
            b2 fails: player 1 is told so and {"loses the turn" if self.abrupt else "tries again"}
            a1
            """)

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of every row of three that won, of those that are shown."""
        stones = self.stones(self.winner) if self.winner in (0, 1) else 0
        return self.cells_in(line_cells(stones, 3, 4))
