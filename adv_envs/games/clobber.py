"""Clobber: take a neighbouring stone of the other player with each move; who cannot has lost.

Cells are numbered row by row from the top left, with an always-empty cell at the end of each row.
On 3 x 4, with action = 4 * cell + direction, where ``cell`` is numbered without the gaps::

    3   0  1  2  3  (4)     W B W B         direction  0  up
    2   5  6  7  8  (9)     B W B W                    1  right
    1  10 11 12 13 (14)     W B W B                    2  down
        a  b  c  d          a b c d                    3  left

``cell`` is the one that the stone leaves: b2 to c2 is action 4 * 5 + 1 = 21. Both players have the
same moves on the same board, and each keeps as many as the other has left alone.

Source: M. H. Albert, J. P. Grossman, R. J. Nowakowski and D. Wolfe, An Introduction to Clobber,
Integers 5 (2005).
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from adv_envs.bits import lowest, single
from adv_envs.position import Example, RowBoard, Wide, counted, reflowed, require_between

MOST_CELLS = 400
"""Of the largest board."""


class Clobber(RowBoard):
    """Represents a position; ``Clobber(height=5, width=6)`` is the start, a chequered full board.

    Raises ValueError unless height and width are 1 to 40, with at most 400 cells.
    """

    height: int = 5
    width: int = 6
    own: Wide = -1  # -1: see set_up
    opp: Wide = -1
    turn: int = 0  # the player to move
    parameters = ("height", "width")
    parameter_words = (
        ("Height", "How many rows the board has."),
        ("Width", "How many columns the board has."),
    )
    symbols: ClassVar[str] = "WB"
    side_names = ("White", "Black")

    def set_up(self) -> Clobber:
        """Returns the position itself or, if no stones were given, all stones of the start."""
        if self.own != -1 or self.opp != -1:
            return self
        self.check_size()
        rows, columns = range(self.height), range(self.width)
        cells = [(row, column) for row in rows for column in columns]
        last = self.height - 1
        white = sum(1 << self.bit(r, c) for r, c in cells if (last - r + c) % 2 == 0)
        black = sum(1 << self.bit(r, c) for r, c in cells if (last - r + c) % 2 == 1)
        own, opp = (white, black) if self.turn == 0 else (black, white)
        return Clobber(self.height, self.width, own, opp, self.turn)

    @property
    def num_actions(self) -> int:
        """Returns four actions for each cell, one for each direction."""
        return 4 * self.height * self.width

    @property
    def num_stone_actions(self) -> int:
        """Returns 0: no action sets a stone on an empty cell."""
        return 0

    @property
    def to_move(self) -> int:
        """Returns the player to move: White, player 0, begins."""
        return self.turn

    def step(self, direction: int) -> int:
        """Returns by how many bits a stone moves up, to the right, down or to the left."""
        if direction % 2 == 1:
            return 2 - direction
        return (direction - 1) * (self.width + 1)

    def beside(self, cells: Wide) -> Wide:
        """Returns the bits above, below, to the left and to the right of ``cells``."""
        stride = self.width + 1
        return cells << 1 | cells >> 1 | cells << stride | cells >> stride

    def movable(self) -> Wide:
        """Returns the stones of the player to move that have a stone to take."""
        return self.own & self.beside(self.opp)

    def legal(self, action: int) -> bool:
        """Tests whether there is an own stone, and one of the opponent where it would go."""
        cell = action // 4
        start = cell + cell // self.width
        end = start + self.step(action % 4)
        return end >= 0 and self.own >> start & 1 != 0 and self.opp >> end & 1 != 0

    def write_legal(self, actions: Any) -> int:
        stride, number, left = self.width + 1, 0, self.movable()
        while left != 0:
            start = lowest(left)
            left &= left - 1
            action = 4 * (start - start // stride)
            if start >= stride and self.opp >> start - stride & 1 != 0:
                actions[number] = action
                number += 1
            if self.opp >> start + 1 & 1 != 0:
                actions[number] = action + 1
                number += 1
            if self.opp >> start + stride & 1 != 0:
                actions[number] = action + 2
                number += 1
            if start > 0 and self.opp >> start - 1 & 1 != 0:
                actions[number] = action + 3
                number += 1
        return number

    def play(self, action: int) -> Clobber:
        """Moves a stone onto one of the opponent, which is gone; the other player is to move."""
        cell = action // 4
        start = cell + cell // self.width
        end = single(start + self.step(action % 4), self.own)
        own = self.own ^ single(start, self.own) | end
        return Clobber(self.height, self.width, self.opp & ~end, own, 1 - self.turn)

    def is_terminal(self) -> bool:
        """Tests whether the player to move has no stone to take, and so nobody has."""
        return self.movable() == 0

    def utility(self, player: int) -> int:
        """Returns -1 for the player who cannot move, 1 for the other."""
        return -1 if player == self.turn else 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        return f"{self.side_names[self.turn]} cannot move, {super().result_text()}"

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Be the last player who can move. The board has
            {counted(self.height, "row")} of {counted(self.width, "cell")}. At the start it is full
            of stones, white and black ones by turns like the squares of a chess board, with a white
            one at the bottom left. Player 0 has the white stones, player 1 the black ones.

            **Moves.** The players take turns, and player 0 begins. A move takes one own stone to
            the next cell above, below, to the left or to the right, where there must be a stone of
            the other player. That stone is taken off, and the moved one stands in its place; the
            cell that it has left stays empty for the rest of the game. There are no diagonal moves
            and no moves to empty cells, and nobody may pass.

            **End.** The game is over when the player to move has no stone next to one of the other
            player: this player loses and gets -1, the other gets 1. There are no draws. Every move
            takes a stone off, so every game ends.

            **Notation.** A move is written as the cell that the stone leaves and the one it enters.
            A cell is the letter of its column and the number of its row, counted from the bottom as
            in chess: a1 is the bottom left cell.{self.first_move()}

            **Board.** W is a white stone, B a black one, and a dot an empty cell. The numbers of
            the rows are at the left, the letters of the columns below. The last line tells who is
            to move, or who has won.
            """)

    def first_move(self) -> str:
        """Returns a move of the start as an example, in words; "" where there is none."""
        start = self.start()
        if start.is_terminal():
            return ""
        name = start.name(max(start.legal_actions()))
        return f" Player 0 may begin with `{name}`."

    example = Example(
        """
        b2b1 the stone in the middle takes the one below
        a2a3 takes upwards
        c1c2
        b3c3 takes to the right
        c2c3 and now no black stone is next to a white one: player 1 loses
        """,
        height=3,
        width=3,
    )

    def name(self, action: int) -> str:
        """Returns the cells that the stone leaves and enters: "b2b3"; "a1" is the bottom left."""
        row, column = divmod(action // 4, self.width)
        down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[action % 4]
        return self.cell_name(row, column) + self.cell_name(row + down, column + right)

    def cell_name(self, row: int, column: int) -> str:
        """Returns column letter and row number, as in chess: "a1" is the bottom left."""
        return super().cell_name(self.height - 1 - row, column)

    def check_size(self) -> None:
        """Raises ValueError, saying what is allowed, for other boards."""
        require_between("height", self.height, 1, 40)
        require_between("width", self.width, 1, 40)
        if self.height * self.width > MOST_CELLS:
            raise ValueError(
                f"a board of {self.height} x {self.width} is too large: "
                f"height * width must be at most {MOST_CELLS}"
            )

    def check(self) -> None:
        self.check_size()
        require_between("turn", self.turn, 0, 1)
        self.check_cells()

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it; see ``Board``.

        Any stones may stand anywhere. Who is to move is read from the text. If it does not say so,
        and ``to_move`` is not given, it is White.
        """
        if to_move is None:
            to_move = 1 if "Black to move" in text or "Black cannot move" in text else 0
        return super().from_text(text, to_move, **parameters)

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position with these stones of White and Black; ``ply`` % 2 is to move."""
        own, opp = (second, first) if ply % 2 else (first, second)
        return type(self)(self.height, self.width, own=own, opp=opp, turn=ply % 2)

    def state_space(self) -> int:
        """Counts boards: each cell is empty, white or black, and one of two players to move."""
        return 2 * 3 ** (self.height * self.width)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        letters, *lines = super().__str__().splitlines()
        said = self.result_text() if self.is_terminal() else self.turn_text()
        return "\n".join([*lines, letters, said])
