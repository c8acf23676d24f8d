"""Breakthrough: be the first to bring a man to the far side of the board.

White, player 0, begins at the bottom and moves up; Black, player 1, moves down. No player is ever
without a move. Invented by Dan Troyka in 2000.

Cells are numbered row by row from the top left, without gaps. On 5 x 5, with two rows of men::

    5   0  1  2  3  4     B B B B B
    4   5  6  7  8  9     B B B B B          action = 3 * cell + direction
    3  10 11 12 13 14     . . . . .          direction, for both players:
    2  15 16 17 18 19     W W W W W          0  one column to the left
    1  20 21 22 23 24     W W W W W          1  straight ahead
        a  b  c  d  e     a b c d e          2  one column to the right

``cell`` is the cell that the man leaves: b2 to a3 is action 3 * 16 + 0 = 48. On this board White
moves 6, 5 or 4 bits down, Black 4, 5 or 6 bits up. A man in column a has no direction 0, and one in
the last column no direction 2.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from adv_envs.bits import lowest, single
from adv_envs.position import Board, Example, Wide, reflowed, require_between


class Breakthrough(Board):
    """Represents a position; ``Breakthrough(height=8, width=8, men_rows=2)`` is the start.

    ``men_rows`` is the number of rows that each player's men fill at the start. Raises ValueError
    unless height * width <= 64, width >= 2 and height >= 2 * men_rows.
    """

    height: int = 8
    width: int = 8
    men_rows: int = 2
    own: Wide = -1  # -1: see set_up
    opp: Wide = -1
    turn: int = 0  # the player to move
    parameters = ("height", "width", "men_rows")
    parameter_words = (
        ("Height", "How many rows the board has."),
        ("Width", "How many columns the board has."),
        ("Rows of men", "How many rows each player's men fill at the start."),
    )
    symbols: ClassVar[str] = "WB"
    side_names = ("White", "Black")

    def set_up(self) -> Breakthrough:
        """Returns the position itself or, if no men were given, all men on their first rows."""
        if self.own != -1 or self.opp != -1:
            return self
        self.check_size()
        men = (1 << self.men_rows * self.width) - 1
        down = (self.height - self.men_rows) * self.width
        own, opp = (men << down, men) if self.turn == 0 else (men, men << down)
        return Breakthrough(self.height, self.width, self.men_rows, own, opp, self.turn)

    @property
    def board_bits(self) -> int:
        """Returns 1 bit for every cell."""
        return self.height * self.width

    @property
    def num_actions(self) -> int:
        """Returns three actions for each cell, one for each direction."""
        return 3 * self.height * self.width

    @property
    def num_stone_actions(self) -> int:
        """Returns 0: no action sets a stone on an empty cell."""
        return 0

    @property
    def to_move(self) -> int:
        """Returns the player to move: White, player 0, begins."""
        return self.turn

    @property
    def ahead(self) -> int:
        """Returns how many bits further a man is after a move straight ahead."""
        return self.width if self.turn == 1 else -self.width

    def bit(self, row: int, column: int) -> int:
        """Returns a cell's bit: cells are numbered row by row, from the top left."""
        return row * self.width + column

    def legal(self, action: int) -> bool:
        """Allows a man a step ahead to an empty cell, diagonally to one without an own man."""
        cell, aside = action // 3, action % 3 - 1
        on_board = 0 <= cell % self.width + aside < self.width
        if not on_board or self.own >> cell & 1 == 0:
            return False
        closed = self.own | self.opp if aside == 0 else self.own
        return closed >> cell + self.ahead + aside & 1 == 0

    def write_legal(self, actions: Any) -> int:
        last, ahead, number = self.width - 1, self.ahead, 0
        all_men = self.own | self.opp
        for row in range(self.height):
            men = self.own >> row * self.width & (1 << self.width) - 1
            while men != 0:
                column = lowest(men)
                men &= men - 1
                cell = row * self.width + column
                to = cell + ahead
                if column > 0 and self.own >> to - 1 & 1 == 0:
                    actions[number] = 3 * cell
                    number += 1
                if all_men >> to & 1 == 0:
                    actions[number] = 3 * cell + 1
                    number += 1
                if column < last and self.own >> to + 1 & 1 == 0:
                    actions[number] = 3 * cell + 2
                    number += 1
        return number

    def play(self, action: int) -> Breakthrough:
        """Moves a man; what it captures is gone, and the other player is to move."""
        cell = action // 3
        start = single(cell, self.own)
        end = single(cell + self.ahead + action % 3 - 1, self.own)
        men, others = self.own ^ start | end, self.opp & ~end
        return Breakthrough(self.height, self.width, self.men_rows, others, men, 1 - self.turn)

    def has_arrived(self) -> bool:
        """Tests whether the player who just moved has a man on the far row."""
        if self.turn == 1:
            return self.opp & (1 << self.width) - 1 != 0
        return self.opp >> (self.height - 1) * self.width != 0

    def is_terminal(self) -> bool:
        """Tests whether a man is on the far row, or the player to move has no men."""
        return self.own == 0 or self.has_arrived()

    def utility(self, player: int) -> int:
        """Returns 1 for the player who moved last, who has won; -1 for the other."""
        return -1 if player == self.turn else 1

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (height, width, 3): own men, the opponent's men, whether the own men move up."""
        return self.height, self.width, 3

    def observe(self, player: int, planes: Any) -> None:
        """Writes own men into planes[:, :, 0], the opponent's into 1, White's ones into 2."""
        own, opp = self.stones(player), self.stones(1 - player)
        for row in range(self.height):
            for column in range(self.width):
                cell = row * self.width + column
                planes[row, column, 0] = own >> cell & 1 != 0
                planes[row, column, 1] = opp >> cell & 1 != 0
                planes[row, column, 2] = player == 0

    # ---- not needed by the rules

    def rules(self) -> str:
        rows = "row" if self.men_rows == 1 else f"{self.men_rows} rows"
        return reflowed(f"""
            **Goal.** Be the first to bring one man to the far row, or capture every man of the
            other player. The board has {self.height} rows of {self.width} cells. Player 0, White,
            moves up and begins with the {rows} at the bottom full of men; player 1, Black, moves
            down and begins with the {rows} at the top.

            **Moves.** The players take turns, and White begins. A move takes one own man to a cell
            of the next row ahead:

            - straight ahead, only if that cell is empty;
            - diagonally ahead, to the left or right, if that cell is empty or has a man of the
              other player, which is then captured and taken off.

            Nobody must capture, a man never moves backwards or sideways, and nobody may pass.

            **End.** The game is over when a man stands on the far row, or a player has no men left.
            The player who moved last wins and gets 1, the other -1. There are no draws.

            **Notation.** A move is written as the cell that the man leaves and the one it enters,
            such as `a{self.men_rows}b{self.men_rows + 1}`. A cell is the letter of its column and
            the number of its row, counted from the bottom as in chess: a1 is the bottom left cell.

            **Board.** W is a man of White, B one of Black, and a dot an empty cell. The numbers of
            the rows are at the left, the letters of the columns below. The last line tells who is
            to move, or who has won.
            """)

    example = Example(
        """
        b2b3 straight ahead
        c4b3 captures diagonally
        a2b3 captures the man that has captured
        d4d3
        b3c4 diagonally to an empty cell
        b5c4 captures
        """,
        height=5,
        width=4,
    )

    def name(self, action: int) -> str:
        """Returns the cells that the man leaves and enters: "b2a3"; "a1" is White's left corner."""
        cell = action // 3
        to = cell + self.ahead + action % 3 - 1
        return "".join(self.cell_name(i // self.width, i % self.width) for i in (cell, to))

    def cell_name(self, row: int, column: int) -> str:
        """Returns column letter and row number, as in chess: "a1" is the bottom left."""
        return super().cell_name(self.height - 1 - row, column)

    def check_size(self) -> None:
        """Raises ValueError, saying what is allowed, for other boards."""
        require_between("height", self.height, 2, 32)
        require_between("width", self.width, 2, 32)
        if self.height * self.width > 64:
            raise ValueError(
                f"a board of {self.height} x {self.width} is too large: "
                "height * width must be at most 64"
            )
        require_between("men_rows", self.men_rows, 1, self.height // 2)

    def check(self) -> None:
        self.check_size()
        require_between("turn", self.turn, 0, 1)
        self.check_cells()
        most, names = self.men_rows * self.width, ("White", "Black")
        for player in (0, 1):
            require_between(f"the men of {names[player]}", self.stones(player).bit_count(), 0, most)
        if self.opp == 0:
            raise ValueError("the player who moved last must have a man")
        row = (self.height - 1) * self.width if self.turn == 1 else 0
        if self.own >> row & (1 << self.width) - 1:
            raise ValueError("the player to move has a man on the far row: the game ended with it")
        if len(self.winning_cells()) > 1:
            raise ValueError("the game ended with the first man on the far row: there are more")

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it; see ``Board``.

        Who is to move is read from the text. If it does not say so, and ``to_move`` is not given,
        it is White.
        """
        if to_move is None:
            to_move = 1 if "Black to move" in text or "White wins" in text else 0
        return super().from_text(text, to_move, **parameters)

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position with these men of White and Black; player ``ply`` % 2 is to move."""
        own, opp = (second, first) if ply % 2 else (first, second)
        return type(self)(self.height, self.width, self.men_rows, own=own, opp=opp, turn=ply % 2)

    def state_space(self) -> int:
        """Counts boards: each cell empty or with a man of one player, one of them to move."""
        return 2 * 3 ** (self.height * self.width)  # type: ignore[no-any-return]

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cell of the man that reached the far row."""
        row = 0 if self.turn == 1 else self.height - 1
        return [cell for cell in self.cells_in(self.opp) if cell[0] == row]

    def __str__(self) -> str:
        letters, *lines = super().__str__().splitlines()
        to_move, other = ("White", "Black") if self.turn == 0 else ("Black", "White")
        outcome = f"{other} wins" if self.is_terminal() else f"{to_move} to move"
        return "\n".join([*lines, letters, outcome])
