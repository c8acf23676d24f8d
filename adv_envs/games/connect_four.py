"""Connect Four: drop discs into the columns; four in a row win.

How many in a row win is ``k``. Cells are numbered up each column, with an always-empty cell on top.
On 7 columns of 6::

     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

so a step up, right, and along the two diagonals are shifts by 1, 7, 8 and 6, and no row of stones
can wrap around an edge. Adding a stone at the bottom of a column carries it up to the first empty
cell, as adding 1 to a number of ones does.
"""

from __future__ import annotations

from adv_envs.bits import has_line, line_cells
from adv_envs.position import Board, Example, counted, reflowed, require_between


class ConnectFour(Board):
    """Represents a position; ``ConnectFour(height=6, width=7, k=4)`` is the start.

    Raises ValueError unless (height + 1) * width <= 63 and 1 <= k <= max(height, width).
    """

    height: int = 6
    width: int = 7
    k: int = 4
    own: int = 0
    opp: int = 0
    ply: int = 0
    parameters = ("height", "width", "k")
    parameter_words = (
        ("Height", "How many rows the board has."),
        ("Width", "How many columns the board has."),
        ("In a row", "How many discs in a row win."),
    )
    side_names = ("Red", "Yellow")

    @property
    def num_actions(self) -> int:
        """Returns one action for each column; 0 is the left."""
        return self.width

    def bit(self, row: int, column: int) -> int:
        """Returns a cell's bit: cells are numbered up each column, one bit left empty on top."""
        return column * (self.height + 1) + self.height - 1 - row

    def entry(self, action: int) -> int:
        """Returns the bit of the top cell of the column."""
        return action * (self.height + 1) + self.height - 1

    def legal(self, action: int) -> bool:
        """Tests whether the top cell of the column is empty, so that a stone may fall."""
        return (self.own | self.opp) >> self.entry(action) & 1 == 0

    def play(self, action: int) -> ConnectFour:
        """Lets a stone fall; the other player is to move."""
        stones = self.own | self.opp
        bottom = 1 << action * (self.height + 1)
        column = bottom * ((1 << self.height) - 1)
        stone = (stones + bottom) & column & ~stones
        return ConnectFour(
            self.height, self.width, self.k, self.opp, self.own | stone, self.ply + 1
        )

    def lost(self) -> bool:
        """Tests whether the player who just moved has k in a row."""
        return has_line(self.opp, self.k, self.height + 1)

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
            down or diagonally, without a gap. The board stands upright; it has
            {counted(self.height, "row")} and {counted(self.width, "column")}, and is empty at the
            start.

            **Moves.** The players take turns, and player 0 begins. A move drops one own stone into
            a column that is not full, where it falls to the lowest empty cell. Stones are never
            moved or taken off, and nobody may pass.

            **End.** The game is over as soon as a player has {self.k} in a row: this player gets 1,
            the other -1. When the board is full and there is no such row, it is a draw, worth 0 to
            both.

            **Notation.** A move is written as the number of its column, from `1` at the left to
            `{self.width}` at the right.

            **Board.** X is a stone of player 0, O one of player 1, and a dot an empty cell. The top
            row comes first, and the numbers of the columns are below. X is to move when there are
            as many X as O, otherwise O.
            """)

    example = Example("""
        4 falls to the bottom of column 4
        4 lies on top of it
        3
        3
        5 three in a row at the bottom: both `2` and `6` would make four
        2 stops one of them
        6 four in a row, in columns 3 to 6: player 0 wins
        """)

    def name(self, action: int) -> str:
        """Returns the number of the column, counted from 1 at the left."""
        return str(action + 1)

    def check(self) -> None:
        require_between("height", self.height, 1, 62)
        require_between("width", self.width, 1, 31)
        if (self.height + 1) * self.width > 63:
            raise ValueError(
                f"a board of {self.height} x {self.width} is too large: "
                "(height + 1) * width must be at most 63"
            )
        require_between("k", self.k, 1, max(self.height, self.width))
        self.check_stones()
        if has_line(self.own, self.k, self.height + 1):
            raise ValueError("the player to move cannot have k in a row: the game ended with that")
        stones, floor = (
            self.own | self.opp,
            sum(1 << column * (self.height + 1) for column in range(self.width)),
        )
        if stones & ~(stones << 1 | floor):
            raise ValueError("every stone must rest on the floor or on another stone")

    def state_space(self) -> int:
        """Counts boards: each column holds 0 to ``height`` stones of two colours."""
        return (2 ** (self.height + 1) - 1) ** self.width  # type: ignore[no-any-return]

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of every row of k that won."""
        cells = line_cells(self.opp, self.k, self.height + 1) if self.lost() else 0
        return self.cells_in(cells)

    def __str__(self) -> str:
        numbers = "".join(f"{self.name(column):>2}" for column in range(self.width))
        return "\n".join([*(f" {' '.join(row)}" for row in self.rows()), numbers])
