"""Represents sets of squares of a board as ``chess.py`` draws it, and lists of its actions.

A board of n times n squares is numbered file by file, so that a set has n * n bits. The eight
directions are numbered as their steps grow: 0 is down and to the left, 1 left, 2 up and to the
left, 3 down, 4 up, 5 down and to the right, 6 right, 7 up and to the right. Opposite ones add up to
7; a line is the smaller number of its two directions: straight lines have odd numbers.

What depends on n are constants of the class, so that compiled code has them as numbers.
"""

from __future__ import annotations

from typing import Any, ClassVar

from adv_envs.bits import lowest, repeated, resized, single
from adv_envs.position import Position, Wide

FILES = "abcdefgh"
LEFT, UP_LEFT, UP, RIGHT, UP_RIGHT = 1, 2, 4, 6, 7


class ChessBoard(Position):
    """Holds what sets of squares need. ``class Chess(ChessBoard, side=8)`` has 8 times 8 squares.

    ``own`` has the pieces of the player to move.
    """

    side: ClassVar[int]
    """How many squares each side of the board has: n."""
    squares: ClassVar[int]
    """All squares; ``dark`` are those of the colour of a1."""
    dark: ClassVar[int]
    first_rank: ClassVar[int]
    last_rank: ClassVar[int]
    not_first: ClassVar[int]
    """All squares but those of the first rank, the last one, the first two and the last two."""
    not_last: ClassVar[int]
    not_first_two: ClassVar[int]
    not_last_two: ClassVar[int]
    first_file: ClassVar[int]
    diagonal_line: ClassVar[int]
    antidiagonal_line: ClassVar[int]
    steps: ClassVar[tuple[int, ...]]
    """What a step in each direction adds to the number of a square."""
    leaps: ClassVar[tuple[int, ...]]
    """What each of the knight's jumps adds."""
    first_jump: ClassVar[int]
    """The first planes of jumps and of promotions, and how many there are."""
    first_promotion: ClassVar[int]
    num_planes: ClassVar[int]

    def __init_subclass__(cls, *, side: int = 0, **options: Any) -> None:
        """Computes the constants of a board with that side; by default those of the base stay."""
        super().__init_subclass__(**options)
        if side == 0:
            return
        n = cls.side = side
        cls.squares = (1 << n * n) - 1
        cls.first_file, cls.first_rank = (1 << n) - 1, repeated(1, n, n)
        cls.last_rank = cls.first_rank << n - 1
        cls.not_first, cls.not_last = cls.squares ^ cls.first_rank, cls.squares ^ cls.last_rank
        cls.not_first_two = cls.not_first ^ cls.first_rank << 1
        cls.not_last_two = cls.not_last ^ cls.last_rank >> 1
        cls.diagonal_line, cls.antidiagonal_line = (
            repeated(1, n, n + 1),
            repeated(1 << n - 1, n, n - 1),
        )
        cls.dark = sum(1 << i for i in range(n * n) if (i // n + i % n) % 2 == 0)
        cls.steps = (-n - 1, -n, -n + 1, -1, 1, n - 1, n, n + 1)
        cls.leaps = (-2 * n - 1, -2 * n + 1, -n - 2, -n + 2, n - 2, n + 2, 2 * n - 1, 2 * n + 1)
        cls.first_jump = 8 * (n - 1)
        cls.first_promotion, cls.num_planes = cls.first_jump + 8, cls.first_jump + 17

    @property
    def own(self) -> Wide:
        """Returns the pieces of the player to move; a field of the game."""
        raise NotImplementedError

    def opposite(self, square: int) -> int:
        """Returns the number of a square on the board turned over."""
        if self.side == 8:  # the same, with fewer instructions, here and in ``mirrored``
            return square ^ 7
        return square + self.side - 1 - 2 * (square % self.side)

    def mirrored(self, cells: Wide) -> Wide:
        """Returns the set on the board turned over: ranks in reverse order."""
        if self.side == 8:
            cells = cells >> 1 & 0x5555555555555555 | (cells & 0x5555555555555555) << 1
            cells = cells >> 2 & 0x3333333333333333 | (cells & 0x3333333333333333) << 2
            return cells >> 4 & 0x0F0F0F0F0F0F0F0F | (cells & 0x0F0F0F0F0F0F0F0F) << 4
        last = self.side - 1
        turned = cells & 0 if last & 1 else cells & self.first_rank << last // 2
        for row in range(self.side // 2):
            lower, by = self.first_rank << row, last - 2 * row
            turned |= cells >> by & lower | (cells & lower) << by
        return turned

    def square_name(self, square: int) -> str:
        """Returns the name of a square, as White sees the board: "e4"."""
        return f"{FILES[square // self.side]}{square % self.side + 1}"

    # ---- pieces on the move

    def step(self, cells: Wide, direction: int) -> Wide:
        """Returns all ``cells`` one step further, without those that leave the board."""
        by = self.steps[direction]
        moved = cells << by if by > 0 else cells >> -by
        if direction in (1, 6):  # LEFT, RIGHT
            return moved & self.squares
        return moved & self.not_first if direction in (2, 4, 7) else moved & self.not_last

    def pawn_attacks(self, cells: Wide) -> Wide:
        """Returns what pawns on ``cells`` attack."""
        return (cells << self.side + 1 | cells >> self.side - 1) & self.not_first

    def jump(self, cells: Wide, i: int) -> Wide:
        """Returns all ``cells`` the i-th of the knight's jumps further."""
        by = self.leaps[i]
        moved = cells << by if by > 0 else cells >> -by
        if i in (0, 6):
            return moved & self.not_last
        if i in (1, 7):
            return moved & self.not_first
        return moved & self.not_last_two if i in (2, 4) else moved & self.not_first_two

    def jumps(self, cells: Wide) -> Wide:
        """Returns where knights on ``cells`` may jump."""
        n = self.side
        near, far = cells << n | cells >> n, cells << 2 * n | cells >> 2 * n
        near, far = near & self.squares, far & self.squares
        up = near << 2 & self.not_first_two | far << 1 & self.not_first
        return up | near >> 2 & self.not_last_two | far >> 1 & self.not_last

    def beside(self, cell: Wide) -> Wide:
        """Returns the up to eight squares around ``cell``."""
        n = self.side
        column = cell | cell << 1 & self.not_first | cell >> 1 & self.not_last
        return (column << n & self.squares | column | column >> n) ^ cell

    def ray(self, cells: Wide, direction: int, occupied: Wide) -> Wide:
        """Returns what riders on ``cells`` reach: empty squares and the first other."""
        reached = front = self.step(cells, direction)
        while front & ~occupied != 0:
            front = self.step(front & ~occupied, direction)
            reached |= front
        return reached

    def walk(self, cell: Wide, direction: int, distance: int, occupied: Wide) -> Wide:
        """Returns the square ``distance`` steps on, if all between are free; or nothing."""
        for _ in range(distance - 1):
            cell = self.step(cell, direction) & ~occupied
        return self.step(cell, direction)

    def whole_line(self, square: int, line: int) -> Wide:
        """Returns all squares of a line through a square, with directions line and 7 - line."""
        n, none, row = self.side, self.own & 0, square % self.side
        if line == UP - 1:
            return (none | self.first_file) << square - row
        if line == LEFT:
            return (none | self.first_rank) << row
        if line == 0:
            full, by = none | self.diagonal_line, square - (n + 1) * row
        else:
            full, by = none | self.antidiagonal_line, square + (n - 1) * (row - n)
        return full << by & self.squares if by > 0 else full >> -by

    # ---- actions

    def landing(self, piece: Wide, plane: int) -> Wide:
        """Returns where a legal move ends."""
        if plane >= self.first_promotion:
            by = self.steps[UP_LEFT] + self.side * ((plane - self.first_promotion) // 3)
        elif plane >= self.first_jump:
            by = self.leaps[plane - self.first_jump]
        else:
            by = self.steps[plane % 8] * (plane // 8 + 1)
        return piece << by if by > 0 else piece >> -by

    def write(self, actions: Any, n: int, targets: Wide, by: int, plane: int) -> int:
        """Writes a move to each target from ``by`` before it; returns the number then."""
        while targets != 0:
            actions[n] = (lowest(targets) - by) * self.num_planes + plane
            n += 1
            targets &= targets - 1
        return n

    def write_promotions(
        self, actions: Any, n: int, targets: Wide, direction: int, plane: int
    ) -> int:
        """Writes the moves of pawns by one step; on the last rank, all promotions."""
        n = self.write(actions, n, targets, self.steps[direction], direction)
        if targets & self.last_rank != 0:
            for i in range(3):
                n = self.write(
                    actions, n, targets & self.last_rank, self.steps[direction], plane + i
                )
        return n

    def occurrences(
        self, own: Wide, opp: Wide, diagonal: Wide, straight: Wide, kings: Wide, history: int
    ) -> int:
        """Counts how often a position has occurred before: takes ``history`` back, latest first.

        ``own`` has just moved.
        """
        found, mine, theirs = 0, own, opp
        bishops, rooks, royals = diagonal, straight, kings
        while history != 0:
            moves = resized(history & (1 << 48) - 1, 0)
            history = history >> 48
            for i in range(4):
                move = moves >> 12 * i & 4095
                if move == 0:
                    break
                end, start = move & 63, move >> 6
                if i & 1:
                    end, start = self.opposite(end), self.opposite(start)
                target = single(end, own)
                both = target | single(start, own)
                if i & 1 == 0:
                    mine ^= both
                else:
                    theirs ^= both
                if bishops & target != 0:
                    bishops ^= both
                if rooks & target != 0:
                    rooks ^= both
                if royals & target != 0:
                    royals ^= both
                if i & 1 == 0 or mine != own or theirs != opp:
                    continue
                if bishops == diagonal and rooks == straight and royals == kings:
                    found += 1
        return found

    def show(self, cells: Wide, flipped: bool, planes: Any, plane: int) -> None:
        """Writes ones for ``cells`` into a plane."""
        while cells != 0:
            square = self.opposite(lowest(cells)) if flipped else lowest(cells)
            planes[self.side - 1 - square % self.side, square // self.side, plane] = 1
            cells &= cells - 1
