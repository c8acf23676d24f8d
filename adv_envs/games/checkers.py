"""Checkers: jump over the other player's men to take them, and crown those that get across.

The game is English draughts. Black, player 0, begins, from the top. Each jump of a piece is a ply
of its own, and the same player is to move while the piece can jump again.

The dark squares are numbered from 1 as usual. Each has a bit; one bit is left empty after every two
rows, so that all moves in one direction go by as many bits::

     square     1    2    3    4        bit     0     1     2     3
             5    6    7    8             4     5     6     7          (8 is empty)
                9   10   11   12              9    10    11    12
            13   14   15   16            13    14    15    16          (17 is empty)
               17   18   19   20             18    19    20    21
            21   22   23   24            22    23    24    25          (26 is empty)
               25   26   27   28             27    28    29    30
            29   30   31   32            31    32    33    34

Action 4 * (square - 1) + direction moves from a square, one step or one jump, as the position has
it: 0 up and left, 5 bits down here, 1 up and right, 4 down, 2 down and right, 5 up, 3 down and
left, 4 up. Rules: World Checkers Draughts Federation; there a player claims the draw.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import lowest
from adv_envs.position import Example, Position, counted, reflowed, require_between

SYMBOLS = "bwBW"
"""Men and kings of Black and White."""


class Checkers(Position):
    """Represents a position of checkers; ``Checkers(size=8, draw_moves=40)`` is the start.

    Raises ValueError unless size is 4, 6, 8 or 10, and draw_moves is 1 to 1000. Men fill all rows
    but the two in the middle.
    """

    size: int = 8
    draw_moves: int = 40
    own: int = -1  # all pieces of the player to move; -1: the start
    opp: int = -1
    kings: int = 0  # of both players
    jumping: int = 0  # the piece that has jumped and must go on
    quiet: int = 0  # plies since a man moved or a piece was captured
    to_move: int = 0
    parameters = ("size", "draw_moves")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        (
            "Moves to a draw",
            "The game is drawn after so many moves of each without a capture or a man's move.",
        ),
    )
    side_names = ("Black", "White")

    @property
    def num_actions(self) -> int:
        """Returns four actions for each dark square, one for each direction."""
        return 2 * self.size * self.size

    @property
    def board(self) -> int:
        """Returns the bits of all squares."""
        size = self.size
        board = (1 << size) - 1  # two rows
        board |= board << size + 1
        board |= board << 2 * (size + 1)
        board |= board << 4 * (size + 1)
        return board & (1 << (size + 1) * size // 2) - 1

    def shifted(self, cells: int, direction: int) -> int:
        """Returns the squares beside ``cells`` in a direction, some perhaps off the board."""
        half = self.size // 2
        if direction == 0:
            return cells >> half + 1
        if direction == 1:
            return cells >> half
        return cells << half + 1 if direction == 2 else cells << half

    def movers(self, direction: int) -> int:
        """Returns own pieces that may move in a direction: men forward only; or who jumps on."""
        forward = direction > 1 if self.to_move == 0 else direction < 2
        pieces = self.own if forward else self.own & self.kings
        return pieces & self.jumping if self.jumping != 0 else pieces

    def jumpers(self, direction: int) -> int:
        """Returns the own pieces that can jump in a direction."""
        back = direction ^ 2
        empty = self.board & ~(self.own | self.opp)
        over = self.opp & self.shifted(empty, back)
        return self.movers(direction) & self.shifted(over, back)

    def steppers(self, direction: int) -> int:
        """Returns the own pieces that can step in a direction, if nobody has to jump."""
        empty = self.board & ~(self.own | self.opp)
        return self.movers(direction) & self.shifted(empty, direction ^ 2)

    def can_jump(self) -> int:
        """Returns the own pieces that can jump; if there are any, one of them must."""
        return self.jumpers(0) | self.jumpers(1) | self.jumpers(2) | self.jumpers(3)

    def can_step(self) -> int:
        """Returns the own pieces that can step, if nobody has to jump."""
        return self.steppers(0) | self.steppers(1) | self.steppers(2) | self.steppers(3)

    def bit(self, square: int) -> int:
        """Returns the bit of a square, both numbered from 0."""
        return square + square // self.size

    def legal(self, action: int) -> bool:
        """Tests whether the piece can jump in this direction or, if no piece can jump, step."""
        direction = action % 4
        pieces = self.jumpers(direction) if self.can_jump() != 0 else self.steppers(direction)
        return pieces >> self.bit(action // 4) & 1 != 0

    def write_legal(self, actions: Any) -> int:
        zero, one, two, three = self.jumpers(0), self.jumpers(1), self.jumpers(2), self.jumpers(3)
        if zero | one | two | three == 0:
            zero, one, two = self.steppers(0), self.steppers(1), self.steppers(2)
            three = self.steppers(3)
        pieces, number = zero | one | two | three, 0
        while pieces != 0:
            bit = lowest(pieces)
            pieces &= pieces - 1
            action = 4 * (bit - bit // (self.size + 1))
            for moving in (zero, one, two, three):
                if moving >> bit & 1 != 0:
                    actions[number] = action
                    number += 1
                action += 1
        return number

    def play(self, action: int) -> Checkers:
        """Steps or jumps; the same player goes on while the piece can jump again."""
        direction = action % 4
        start = 1 << self.bit(action // 4)
        end = self.shifted(start, direction)
        captured = self.opp & end
        if captured != 0:
            end = self.shifted(end, direction)
        own, opp = self.own ^ start | end, self.opp ^ captured
        man = self.kings & start == 0
        crowned = man and end & self.far_row(self.to_move) != 0
        kings = self.kings & ~(start | captured)
        if crowned or not man:
            kings |= end
        quiet = 0 if man or captured != 0 else self.quiet + 1
        size, draw_moves, to_move = self.size, self.draw_moves, self.to_move
        if captured != 0 and not crowned:
            again = Checkers(size, draw_moves, own, opp, kings, end, quiet, to_move)
            if again.can_jump() != 0:
                return again
        return Checkers(size, draw_moves, opp, own, kings, 0, quiet, 1 - to_move)

    def far_row(self, player: int) -> int:
        """Returns the squares on which men of a player become kings."""
        half = self.size // 2
        row = (1 << half) - 1
        return row << half * self.size - 1 if player == 0 else row

    def is_terminal(self) -> bool:
        """Tests whether somebody cannot move, or nothing has happened for too long."""
        return self.quiet >= 2 * self.draw_moves or self.can_jump() | self.can_step() == 0

    def utility(self, player: int) -> int:
        """Returns -1 for the player who cannot move, 1 for the other; 0 for a draw."""
        if self.can_jump() | self.can_step() != 0:
            return 0
        return -1 if player == self.to_move else 1

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (size, size, 5): own men, kings, the opponent's men, kings, the jumping piece."""
        return self.size, self.size, 5

    def observe(self, player: int, planes: Any) -> None:
        """Writes men and kings, own ones first, and the piece that jumps on; row 0 at the top."""
        own, opp = self.pieces(player), self.pieces(1 - player)
        for square in range(self.size * self.size // 2):
            row, column = square // (self.size // 2), 2 * (square % (self.size // 2))
            column += 1 - row % 2
            bit = self.bit(square)
            king = self.kings >> bit & 1
            planes[row, column, king] = own >> bit & 1
            planes[row, column, 2 + king] = opp >> bit & 1
            planes[row, column, 4] = self.jumping >> bit & 1

    def pieces(self, player: int) -> int:
        """Returns all pieces of a player."""
        return self.own if player == self.to_move else self.opp

    # ---- not needed by the rules

    def result_text(self) -> str:
        if self.can_jump() | self.can_step() != 0:
            moves = counted(self.draw_moves, "move")
            return f"Draw: {moves} of each without a capture or a man's move"
        return f"{self.side_names[self.to_move]} cannot move, {super().result_text()}"

    def turn_text(self) -> str:
        return f"{self.side_names[self.to_move]} {'jumps on' if self.jumping else 'to move'}"

    def rules(self) -> str:
        half, squares = self.size // 2, self.size * self.size // 2
        men, last = half * (half - 1), self.size * self.size // 2
        return reflowed(f"""
            **Goal.** Leave the other player without a move. The board has {self.size} rows of
            {self.size} squares, of which only the {squares} dark ones are used, numbered from 1 at
            the top left to {last} at the bottom right. Player 0, Black, begins with {men} men on
            the squares from 1 on and moves down; player 1, White, has {men} men on the last squares
            and moves up.

            **Moves.** The players take turns, and Black begins. A man moves one square diagonally
            forward, a king one square diagonally in any direction, to an empty square. A piece
            jumps over a piece of the other player beside it, in one of its own directions, to the
            empty square right behind, and captures it. A player who can jump must jump, with any
            piece that can. Each jump is a move of its own: while the piece that has jumped can jump
            again, the same player goes on with it. A man that reaches the far row becomes a king,
            which ends the turn. Nobody may pass.

            **End.** A player to move who has no move, or no pieces, loses and gets -1, the other 1.
            The game is a draw, worth 0 to both, after
            {counted(self.draw_moves, "move")} of each player in succession in which nothing
            was captured and no man moved. That positions repeat does not end the game.

            **Notation.** A move is written as the squares that the piece leaves and enters, with -
            for a step and x for a jump, such as `{half + 1}-{2 * half + 1}`.

            {PRINTED}
            """)

    example = Example(
        """
        4-7
        13-10
        1-4
        16-13
        7-11
        13x8 player 1 must jump, and captures 11; the same piece can jump again
        8x1 captures 4, which ends the turn, as the man has become a king
        """,
        size=6,
    )

    def set_up(self) -> Checkers:
        """Returns the men on their squares, where no pieces were given."""
        if (self.own, self.opp) != (-1, -1):
            return self
        self.check_parameters()
        men = self.size // 2 * (self.size // 2 - 1)
        black = sum(1 << self.bit(square) for square in range(men))
        white = sum(1 << self.bit(self.size * self.size // 2 - 1 - i) for i in range(men))
        own, opp = (black, white) if self.to_move == 0 else (white, black)
        state = self.kings, self.jumping, self.quiet, self.to_move
        return Checkers(self.size, self.draw_moves, own, opp, *state)

    def check_parameters(self) -> None:
        """Raises ValueError, saying what is allowed, for other boards."""
        if self.size not in (4, 6, 8, 10):
            raise ValueError(f"size must be 4, 6, 8 or 10, not {self.size}")
        require_between("draw_moves", self.draw_moves, 1, 1000)

    def check(self) -> None:
        self.check_parameters()
        require_between("to_move", self.to_move, 0, 1)
        require_between("quiet", self.quiet, 0, 2 * self.draw_moves)
        if min(self.own, self.opp) < 0 or (self.own | self.opp) & ~self.board:
            raise ValueError("own and opp must be sets of squares of the board, given as bits")
        if self.own & self.opp:
            raise ValueError("own and opp must not share a square")
        if self.kings < 0 or self.kings & ~(self.own | self.opp):
            raise ValueError("kings must be a set of squares with pieces, given as bits")
        men = [self.pieces(player) & self.far_row(player) & ~self.kings for player in (0, 1)]
        if any(men):
            raise ValueError("a man on the far row must be a king")
        if self.jumping and (
            self.jumping.bit_count() != 1
            or self.jumping & ~self.own
            or self.can_jump() == 0
            or self.quiet
        ):
            raise ValueError("jumping must be 0 or an own piece that has jumped and can go on")
        if not self.own and not self.opp:
            raise ValueError("there must be pieces on the board")

    def squares(self, action: int) -> tuple[int, int]:
        """Returns the squares, numbered from 1, that an action leaves and comes to."""
        start, direction = action // 4, action % 4
        to = self.shifted(1 << self.bit(start), direction)
        if to & self.opp:
            to = self.shifted(to, direction)
        bit = to.bit_length() - 1
        return start + 1, bit - bit // (self.size + 1) + 1

    def name(self, action: int) -> str:
        """Returns both squares by their numbers: "11-15" is a step, "15x22" a jump."""
        start, to = self.squares(action)
        jump = self.shifted(1 << self.bit(action // 4), action % 4) & self.opp
        return f"{start}{'x' if jump else '-'}{to}"

    def symbol(self, square: int) -> str:
        """Returns what stands on a square, numbered from 0: b or w, a king B or W, or a dot."""
        bit = 1 << self.bit(square)
        for player in (0, 1):
            if self.pieces(player) & bit:
                return SYMBOLS[player + 2 * (self.kings & bit != 0)]
        return "."

    @classmethod
    def from_text(cls, text: str, to_move: int = 0, **parameters: int) -> Checkers:
        """Reads the position of rows of b, w, B, W and dots, as ``str(position)`` writes it.

        Every square is written, also light ones; numbers are ignored. Raises ValueError for what
        is no board.
        """
        lines = [
            [part for part in line.split() if not part.isdigit()] for line in text.splitlines()
        ]
        rows = ["".join(line) for line in lines if line]
        if any(len(row) != len(rows) for row in rows) or set("".join(rows)) - {".", *SYMBOLS}:
            raise ValueError(f"there must be as many rows as columns, of {SYMBOLS} and dots")
        start, sets = cls(**{"size": len(rows), **parameters}), dict.fromkeys(SYMBOLS, 0)
        for row, cells in enumerate(rows):
            for column, symbol in enumerate(cells):
                if symbol != "." and (row + column) % 2 == 0:
                    raise ValueError(f"row {row + 1} has a piece on a light square: {cells}")
                if symbol != ".":
                    sets[symbol] |= 1 << start.bit((row * len(rows) + column) // 2)
        if to_move not in (0, 1):
            raise ValueError(f"to_move must be 0 or 1, not {to_move!r}")
        black, white = sets["b"] | sets["B"], sets["w"] | sets["W"]
        own, opp = (black, white) if to_move == 0 else (white, black)
        kings = sets["B"] | sets["W"]
        return cls(start.size, start.draw_moves, own, opp, kings, to_move=to_move)

    def __str__(self) -> str:
        half, rows = self.size // 2, []
        for row in range(self.size):
            squares = range(row * half, (row + 1) * half)
            cells = [self.symbol(square) for square in squares]
            pairs = [f"{cell} ." if row % 2 else f". {cell}" for cell in cells]
            rows.append(f"{squares[0] + 1:3}  {' '.join(pairs)}  {squares[-1] + 1}")
        return "\n".join(rows)


PRINTED = """
    **Board.** b is a man and B a king of Black, w a man and W a king of White, and a dot an empty
    or light square. The numbers beside a row are those of its first and its last dark square; the
    first row has a light square at the left. The board does not show who is to move.
"""
"""How boards are printed, for ``rules``."""
