"""Tic-tac-toe: fill cells in turn; three in a row win.

Boards may have any size, and ``k`` in a row win: an m,n,k-game. Cells are numbered row by row, with
an always-empty cell at the end of each row::

     0  1  2 (3)
     4  5  6 (7)
     8  9 10 (11)

so a step right, down and along the two diagonals are shifts by 1, 4, 5 and 3 on this board, and no
row of stones can wrap around an edge. Actions are numbered row by row without the gap.
"""

from __future__ import annotations

from adv_envs.bits import has_line, line_cells
from adv_envs.position import Example, RowBoard, counted, reflowed, require_between


class TicTacToe(RowBoard):
    """Represents a position; ``TicTacToe(height=3, width=3, k=3)`` is the start.

    Raises ValueError unless height * (width + 1) <= 63 and 1 <= k <= max(height, width).
    """

    height: int = 3
    width: int = 3
    k: int = 3
    own: int = 0
    opp: int = 0
    ply: int = 0
    parameters = ("height", "width", "k")
    parameter_words = (
        ("Height", "How many rows the board has."),
        ("Width", "How many columns the board has."),
        ("In a row", "How many marks in a row win."),
    )
    side_names = ("X", "O")

    def legal(self, action: int) -> bool:
        """Tests whether the cell is empty."""
        return (self.own | self.opp) >> self.entry(action) & 1 == 0

    def play(self, action: int) -> TicTacToe:
        """Sets a stone; the other player is to move."""
        stone = 1 << self.entry(action)
        return TicTacToe(self.height, self.width, self.k, self.opp, self.own | stone, self.ply + 1)

    def lost(self) -> bool:
        """Tests whether the player who just moved has k in a row."""
        return has_line(self.opp, self.k, self.width + 1)

    def is_terminal(self) -> bool:
        """Tests whether k are in a row or the board is full."""
        return self.lost() or self.ply == self.height * self.width

    def utility(self, player: int) -> int:
        """Returns 1 for a win, -1 for a loss, 0 for a draw."""
        if not self.lost():
            return 0
        return -1 if player == self.to_move else 1

    # ---- not needed by the rules

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Be the first to have {self.k} or more of your own stones in a row, across,
            down or diagonally, without a gap. The board has {counted(self.height, "row")}
            of {counted(self.width, "cell")} and is empty at the start.

            **Moves.** The players take turns, and player 0 begins. A move sets one own stone on any
            empty cell. Stones are never moved or taken off, and nobody may pass.

            **End.** The game is over as soon as a player has {self.k} in a row: this player gets 1,
            the other -1. When the board is full and there is no such row, it is a draw, worth 0 to
            both.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top: `a1` is the top left cell,
            `{self.cell_name(self.height - 1, self.width - 1)}` the bottom right one.

            **Board.** Stones of player 0 are printed as X, those of player 1 as O, and empty cells
            as dots. The letters of the columns are above, the numbers of the rows at the left. X is
            to move when there are as many X as O, otherwise O.
            """)

    example = Example("""
        b2 in the middle
        a2
        a1 threatens c3, which would make a row of a1, b2 and c3
        b1 does not stop it; `c3` would have
        c3 three in a row: player 0 wins
        """)

    def check(self) -> None:
        require_between("height", self.height, 1, 31)
        require_between("width", self.width, 1, 62)
        if self.height * (self.width + 1) > 63:
            raise ValueError(
                f"a board of {self.height} x {self.width} is too large: "
                "height * (width + 1) must be at most 63"
            )
        require_between("k", self.k, 1, max(self.height, self.width))
        self.check_stones()
        if has_line(self.own, self.k, self.width + 1):
            raise ValueError("the player to move cannot have k in a row: the game ended with that")

    def state_space(self) -> int:
        """Counts boards: each cell is empty, X or O."""
        return 3**self.num_actions  # type: ignore[no-any-return]

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of every row of k that won."""
        cells = line_cells(self.opp, self.k, self.width + 1) if self.lost() else 0
        return self.cells_in(cells)
