r"""Gomoku: five stones in a row win, on the board of Go.

Boards have up to 19 x 19 cells, and ``k`` in a row win. Cells are numbered row by row, with an
always-empty cell at the end of each row. On 3 x 3::

      a b c
    1 0 1 2 (3)
    2 4 5 6 (7)
    3 8 9 10 (11)

so a step right, down and along the two diagonals are shifts by 1, 4, 5 and 3 on this board, and no
row of stones can wrap around an edge. Actions are numbered row by row without the gap.

With ``swap2`` the game begins as tournaments do. Stones are black and white in turn, as always, but
who has which colour is settled late::

    ply 0, 1, 2   player 0 sets black, white, black
    ply 3         player 1 sets a white stone and has white (player 0 has black), or
                  takes black, and player 0 sets a white stone next, or
                  asks for more, and
    ply 4, 5          sets white and black
    ply 6             player 0 sets a white stone and has white, or takes black

From then on players alternate; after every one of these ways player 0 moves at even plies.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, has_line, line_starts, single
from adv_envs.position import Example, RowBoard, Wide, counted, reflowed, require_between


class Gomoku(RowBoard):
    """Represents a position of k in a row; ``Gomoku(height=15, width=15, k=5)`` is gomoku's start.

    With k or more in a row a player wins; with ``exact=True`` more than k do not count. ``swap2``
    adds the opening rule, and two actions after those of the cells: take black, ask for more.
    Raises ValueError unless height and width are 1 to 19 and k is 1 to the larger of them, at
    least 4 with swap2.
    """

    height: int = 15
    width: int = 15
    k: int = 5
    exact: bool = False
    swap2: bool = False
    own: Wide = 0  # the stones of the player to move: of the colour that is set next
    opp: Wide = 0
    won: bool = False  # the stone just set made a row
    more: bool = False  # in the opening: player 1 asked for two more stones
    ply: int = 0
    parameters = ("height", "width", "k", "exact", "swap2")
    parameter_words = (
        ("Height", "How many rows the board has."),
        ("Width", "How many columns the board has."),
        ("In a row", "How many stones in a row win."),
        ("Exactly", "Longer rows do not win."),
        ("Swap2 opening", "One sets three stones, the other chooses a colour or asks for more."),
    )

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, row by row; with swap2, two more."""
        return self.height * self.width + (2 if self.swap2 else 0)

    @property
    def to_move(self) -> int:
        """Returns player 0 at even plies, but for two of the opening rule."""
        if self.swap2 and self.ply == 1:
            return 0
        if self.more and self.ply == 4:
            return 1
        return self.ply % 2

    def legal(self, action: int) -> bool:
        """Allows a stone on any empty cell; black, and more stones, when they are due."""
        more = action - self.height * self.width
        if more < 0:
            return (self.own | self.opp) >> self.entry(action) & 1 == 0
        return self.ply == 3 or (more == 0 and self.more and self.ply == 6)

    def write_legal(self, actions: Any) -> int:
        filled, cells, number = self.own | self.opp, self.height * self.width, 0
        for row in range(0, cells, self.width):
            for action in range(row, row + self.width):
                if filled & 1 == 0:
                    actions[number] = action
                    number += 1
                filled >>= 1
            filled >>= 1
        for action in range(cells, self.num_actions):
            if self.legal(action):
                actions[number] = action
                number += 1
        return number

    def play(self, action: int) -> Gomoku:
        """Sets a stone of the colour whose turn it is, or takes black, or asks for more."""
        own, opp, won, more = self.opp, self.own, False, self.more and self.ply < 6
        if action >= self.height * self.width:  # no stone is set: the same colour is next
            own, opp, more = self.own, self.opp, action > self.height * self.width
        else:
            opp |= single(self.entry(action), self.own)
            won = self.has_row(opp)
        return Gomoku(
            self.height, self.width, self.k, self.exact, self.swap2,
            own, opp, won, more, self.ply + 1,
        )  # fmt: skip

    def has_row(self, stones: Wide) -> bool:
        """Tests whether k of ``stones`` stand in a row; with ``exact``, no more than k."""
        if not self.exact:
            return has_line(stones, self.k, self.width + 1)
        stride = self.width + 1
        for step in (1, stride, stride - 1, stride + 1):
            if self.row_starts(stones, step) != 0:
                return True
        return False

    def row_starts(self, stones: Wide, step: int) -> Wide:
        """Returns the first cells of all winning rows, neighbours being ``step`` bits apart."""
        starts = line_starts(stones, self.k, step)
        if self.exact:
            starts &= ~(stones << step) & ~line_starts(stones, self.k + 1, step)
        return starts

    def is_terminal(self) -> bool:
        """Tests whether k are in a row or the board is full."""
        if self.won:
            return True
        cells = self.height * self.width
        return self.ply >= cells and count(self.own | self.opp) == cells

    def utility(self, player: int) -> int:
        """Returns 1 for a win, -1 for a loss, 0 for a draw."""
        if not self.won:
            return 0
        return -1 if player == self.to_move else 1

    # ---- not needed by the rules

    @property
    def side_names(self) -> tuple[str, ...]:
        """Returns ("Black", "White"); with ``swap2`` who has which is not settled at the start."""
        return super().side_names if self.swap2 else ("Black", "White")

    def rules(self) -> str:
        wins = f"{self.k} or more stones of one colour"
        if self.exact:
            wins = f"exactly {self.k} stones of one colour, as a longer row counts for nobody,"
        return reflowed(f"""
            **Goal.** Be the first to have {wins} in a row, across, down or diagonally, without a
            gap. The board has {counted(self.height, "row")} of
            {counted(self.width, "cell")} and is empty at the start.

            **Moves.** A move sets one stone on any empty cell. Black and white stones are set in
            turn, black first. Stones are never moved or taken off, and nobody may pass.
            {OPENING if self.swap2 else PLAYERS}

            **End.** The game is over as soon as a stone makes such a row: the player who set it
            gets 1, the other -1. When the board is full and there is none, it is a draw, worth 0 to
            both.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row, counted from the top: `a1` is the top left cell,
            `{self.cell_name(self.height - 1, self.width - 1)}` the bottom right one.
            {"The choices of the opening are `black` and `more`." if self.swap2 else ""}

            **Board.** X is a black stone, O a white one, and a dot an empty cell. The letters of
            the columns are above, the numbers of the rows at the left. A black stone is set next
            when there are as many X as O, otherwise a white one.
            """)

    @property
    def example(self) -> Example:
        choice = "black player 1 has the black stones from now on" if self.swap2 else ""
        return Example(
            f"""
            d4
            c3
            e4
            {choice}
            e5
            c4 three in a row with both ends open: `b4` and `f4` would make four
            f4 stops one of them
            b4 four in a row: player {int(self.swap2)} wins
            """,
            height=7,
            width=7,
            k=4,
        )

    def name(self, action: int) -> str:
        """Returns column letter and row number: "a1" is the top left; "black", "more" of swap2."""
        if action >= self.height * self.width:
            return "more" if action > self.height * self.width else "black"
        return super().name(action)

    def cell(self, row: int, column: int) -> int | None:
        """Returns the stone at (row, column): 0 black, 1 white, None; without swap2 the player."""
        colour_to_move = (self.own | self.opp).bit_count() % 2
        bit = 1 << self.bit(row, column)
        if self.own & bit:
            return colour_to_move
        return 1 - colour_to_move if self.opp & bit else None

    def check(self) -> None:
        require_between("height", self.height, 1, 19)
        require_between("width", self.width, 1, 19)
        longest = max(self.height, self.width)
        if self.swap2 and longest < 4:
            raise ValueError("swap2 needs 4 or more in a row, and so a longer board")
        require_between("k", self.k, 4 if self.swap2 else 1, longest)
        self.check_cells()
        stones = (self.own | self.opp).bit_count()
        if self.own.bit_count() != stones // 2:
            raise ValueError("colours take turns: opp must have as many stones as own, or 1 more")
        choices = self.ply - stones
        if self.more:
            possible = self.swap2 and choices == 1 and 4 <= self.ply <= 6
        else:
            possible = choices == 0 or (
                self.swap2 and ((choices == 1 and self.ply > 3) or (choices == 2 and self.ply > 6))
            )
        if not possible:
            raise ValueError(f"there cannot be {stones} stones after {self.ply} plies: use after()")
        if self.won != self.has_row(self.opp):
            raise ValueError("won does not fit the stones: use after()")
        if self.has_row(self.own):
            raise ValueError("the player to move cannot have a row: the game ended with that")

    def with_stones(self, first: int, second: int, ply: int) -> Gomoku:
        """Returns the position with these black and white stones after ``ply`` plies."""
        black_next = (first | second).bit_count() % 2 == 0
        own, opp = (first, second) if black_next else (second, first)
        game = self.height, self.width, self.k, self.exact, self.swap2
        return Gomoku(*game, own, opp, won=self.has_row(opp), ply=ply)

    def state_space(self) -> int:
        """Counts boards: each cell is empty, black or white."""
        return 3 ** (self.height * self.width)  # type: ignore[no-any-return]

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of every row that won."""
        cells, stride = 0, self.width + 1
        for step in (1, stride, stride - 1, stride + 1) if self.won else ():
            starts = self.row_starts(self.opp, step)
            for i in range(self.k):
                cells |= starts << i * step
        return self.cells_in(cells)


PLAYERS = "Player 0 is black and begins, player 1 is white, and they take turns."
"""Who sets which stones, for players."""

OPENING = """Who has which colour is settled by the opening:

            1. Player 0 sets three stones: black, white, black.
            2. Player 1 sets a white stone and is white from now on; or chooses `black`, sets
               nothing and is black; or chooses `more`, and sets a white and a black stone.
            3. After `more`, player 0 sets a white stone and is white, or chooses `black`, sets
               nothing and is black.

            From then on the players take turns, each with stones of their own colour. Where a
            player has chosen `black`, the other one sets a white stone next."""
"""The same, with ``swap2``."""
