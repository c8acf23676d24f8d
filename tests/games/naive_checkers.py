"""Checkers once more: a dictionary of squares (row, column), searched piece by piece.

Black, "b" and "B", begins at the top and moves down. Kings are capital letters.
"""

Cell = tuple[int, int]

DIRECTIONS = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
"""Up and left, up and right, down and right, down and left."""


class NaiveCheckers:
    """A game in progress; ``must_go_on`` is the cell of a piece in the middle of its jumps."""

    def __init__(self, size: int = 8, draw_moves: int = 40) -> None:
        self.size, self.draw_moves = size, draw_moves
        self.dark = [(r, c) for r in range(size) for c in range(size) if (r + c) % 2 == 1]
        self.piece: dict[Cell, str] = {}
        for row, column in self.dark:
            if row < size // 2 - 1:
                self.piece[row, column] = "b"
            elif row > size // 2:
                self.piece[row, column] = "w"
        self.to_move = 0
        self.must_go_on: Cell | None = None
        self.quiet = 0

    def is_own(self, cell: Cell) -> bool:
        return self.piece.get(cell, ".").lower() == "bw"[self.to_move]

    def is_other(self, cell: Cell) -> bool:
        return self.piece.get(cell, ".").lower() == "wb"[self.to_move]

    def is_empty(self, cell: Cell) -> bool:
        return cell in self.dark and cell not in self.piece

    def moves(self) -> dict[int, tuple[Cell, Cell, Cell | None]]:
        """By action: from where, to where, and the cell of the captured piece."""
        steps: dict[int, tuple[Cell, Cell, Cell | None]] = {}
        jumps: dict[int, tuple[Cell, Cell, Cell | None]] = {}
        for number, cell in enumerate(self.dark):
            if not self.is_own(cell) or self.must_go_on not in (None, cell):
                continue
            for direction, (down, right) in enumerate(DIRECTIONS):
                forward = down == (1 if self.to_move == 0 else -1)
                if not forward and self.piece[cell].islower():
                    continue
                beside = cell[0] + down, cell[1] + right
                behind = cell[0] + 2 * down, cell[1] + 2 * right
                if self.is_empty(beside):
                    steps[4 * number + direction] = cell, beside, None
                elif self.is_other(beside) and self.is_empty(behind):
                    jumps[4 * number + direction] = cell, behind, beside
        return jumps or steps

    def actions(self) -> list[int]:
        return [] if self.quiet >= 2 * self.draw_moves else sorted(self.moves())

    def play(self, action: int) -> None:
        start, end, captured = self.moves()[action]
        piece = self.piece.pop(start)
        if captured is not None:
            del self.piece[captured]
        self.quiet = self.quiet + 1 if piece.isupper() and captured is None else 0
        crowned = piece.islower() and end[0] == (self.size - 1 if piece == "b" else 0)
        self.piece[end] = piece.upper() if crowned else piece
        self.must_go_on = None
        if captured is not None and not crowned:
            self.must_go_on = end
            if any(move[2] is not None for move in self.moves().values()):
                return
            self.must_go_on = None
        self.to_move = 1 - self.to_move

    def utility(self, player: int) -> int:
        """At the end of the game: 0 for a draw, else who cannot move has lost."""
        if self.moves():
            return 0
        return -1 if player == self.to_move else 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """Rows, columns, then own men, own kings, the other's men, kings, and who must go on."""
        own, other = "bw"[player], "wb"[player]
        kinds = [own, own.upper(), other, other.upper()]
        return [
            [
                [
                    *(int(self.piece.get((row, column)) == kind) for kind in kinds),
                    int(self.must_go_on == (row, column)),
                ]
                for column in range(self.size)
            ]
            for row in range(self.size)
        ]
