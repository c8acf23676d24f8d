"""Chess once more, as obviously as possible: a dictionary of pieces, and every move tried out.

The FEN says how large the board is; pawns step twice and kings castle only on that of chess.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

Square = tuple[int, int]
"""File and rank, 0 to 7."""

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Move(NamedTuple):
    start: Square
    end: Square
    promotion: str = ""

    def __str__(self) -> str:
        squares = "".join(f"{'abcdefgh'[file]}{rank + 1}" for file, rank in self[:2])
        return squares + self.promotion.lower()


class NaiveChess:
    """A game of chess: the board is changed by ``push``. Pieces are letters, capital for White."""

    def __init__(
        self, fen: str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    ) -> None:
        rows, turn, castling, passant, clock, _ = fen.split()
        self.board: dict[Square, str] = {}
        self.side = len(rows.split("/"))
        for i, row in enumerate(rows.split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    self.board[file, self.side - 1 - i] = letter
                    file += 1
        self.white = turn == "w"
        self.castling = set(castling) - {"-"}
        self.passant = (
            None if passant == "-" else ("abcdefgh".index(passant[0]), int(passant[1]) - 1)
        )
        self.clock = int(clock)
        self.seen = Counter([self.key()])

    def own(self, square: Square) -> bool:
        return square in self.board and self.board[square].isupper() == self.white

    def key(self) -> tuple[object, ...]:
        """What makes two positions the same: a capture en passant counts if it is legal."""
        passing = [m for m in self.moves() if self.captures_passing(m)]
        return frozenset(self.board.items()), self.white, frozenset(self.castling), bool(passing)

    def captures_passing(self, move: Move) -> bool:
        return self.board[move.start] in "pP" and move.end == self.passant

    # ---- moves

    def moves(self) -> list[Move]:
        """All legal moves: those after which the own king is not attacked."""
        return [move for move in self.pseudo_moves() if self.is_safe(move)]

    def is_safe(self, move: Move) -> bool:
        board = self.board_after(move)
        king = next(s for s, piece in board.items() if piece == ("K" if self.white else "k"))
        return not attacked(board, king, not self.white, self.side)

    def pseudo_moves(self) -> list[Move]:
        found = []
        for square in [s for s in self.board if self.own(s)]:
            kind = self.board[square].lower()
            if kind == "p":
                found += self.pawn_moves(square)
                continue
            steps = {"n": JUMPS, "b": DIAGONAL, "r": STRAIGHT}.get(kind, STRAIGHT + DIAGONAL)
            for end in reached(self.board, square, steps, kind in "nk", self.side):
                if not self.own(end):
                    found.append(Move(square, end))
        return found + self.castlings()

    def pawn_moves(self, square: Square) -> list[Move]:
        (file, rank), up = square, (1 if self.white else -1)
        ends = []
        if (file, rank + up) not in self.board:
            ends.append((file, rank + up))
            first = rank == (1 if self.white else 6) and self.side == 8
            if first and (file, rank + 2 * up) not in self.board:
                ends.append((file, rank + 2 * up))
        for side in (file - 1, file + 1):
            end = (side, rank + up)
            if (end in self.board and not self.own(end)) or end == self.passant:
                ends.append(end)
        last = self.side - 1 if self.white else 0
        return [Move(square, e, p) for e in ends for p in ("QRBN" if e[1] == last else ("",))]

    def castlings(self) -> list[Move]:
        rank = 0 if self.white else 7
        found = []
        for right, empty, passed, end in (
            ("k", (5, 6), (4, 5, 6), 6),
            ("q", (1, 2, 3), (4, 3, 2), 2),
        ):
            allowed = (right.upper() if self.white else right) in self.castling
            free = all((file, rank) not in self.board for file in empty)
            danger = any(attacked(self.board, (f, rank), not self.white, self.side) for f in passed)
            if allowed and free and not danger:
                found.append(Move((4, rank), (end, rank)))
        return found

    def board_after(self, move: Move) -> dict[Square, str]:
        board = dict(self.board)
        piece = board.pop(move.start)
        if piece in "pP" and move.end == self.passant:
            del board[move.end[0], move.start[1]]
        if piece in "kK" and abs(move.end[0] - move.start[0]) == 2:
            corner, beside = (7, 5) if move.end[0] == 6 else (0, 3)
            board[beside, move.start[1]] = board.pop((corner, move.start[1]))
        promoted = move.promotion if self.white else move.promotion.lower()
        board[move.end] = promoted or piece
        return board

    def push(self, move: Move) -> None:
        piece = self.board[move.start]
        pawn = piece in "pP"
        self.clock = 0 if pawn or move.end in self.board else self.clock + 1
        self.board = self.board_after(move)
        self.passant = None
        if pawn and abs(move.end[1] - move.start[1]) == 2:
            self.passant = (move.start[0], (move.start[1] + move.end[1]) // 2)
        for right, corner in {"K": (7, 0), "Q": (0, 0), "k": (7, 7), "q": (0, 7)}.items():
            squares = (4, corner[1]), corner
            if move.start in squares or move.end in squares:
                self.castling.discard(right)
        self.white = not self.white
        self.seen[self.key()] += 1

    # ---- the end

    def in_check(self) -> bool:
        king = next(s for s, piece in self.board.items() if piece == ("K" if self.white else "k"))
        return attacked(self.board, king, not self.white, self.side)

    @property
    def to_move(self) -> int:
        return 0 if self.white else 1

    def actions(self) -> list[str]:
        return [] if self.is_over() else [str(move) for move in self.moves()]

    def play(self, name: str) -> None:
        self.push(next(move for move in self.moves() if str(move) == name))

    def is_over(self) -> bool:
        drawn = self.clock >= 100 or self.seen[self.key()] >= 3 or self.is_dead()
        return drawn or not self.moves()

    def utility(self, player: int) -> int:
        if self.moves() or not self.in_check():
            return 0
        return -1 if player == self.to_move else 1

    def is_dead(self) -> bool:
        others = [(s, p.lower()) for s, p in self.board.items() if p not in "kK"]
        if len(others) <= 1:
            return all(piece in "bn" for _, piece in others)
        colours = {(file + rank) % 2 for (file, rank), _ in others}
        return all(piece == "b" for _, piece in others) and len(colours) == 1


def reached(
    board: dict[Square, str], square: Square, steps: tuple[Square, ...], once: bool, side: int
) -> list[Square]:
    """The squares on the way in each direction, up to the first piece."""
    found = []
    for right, up in steps:
        file, rank = square
        for _ in range(1 if once else 7):
            file, rank = file + right, rank + up
            if not (0 <= file < side and 0 <= rank < side):
                break
            found.append((file, rank))
            if (file, rank) in board:
                break
    return found


def attacked(board: dict[Square, str], square: Square, by_white: bool, side: int) -> bool:
    """Whether a piece of that colour could capture on ``square``."""
    attackers = {
        "n": reached(board, square, JUMPS, True, side),
        "k": reached(board, square, STRAIGHT + DIAGONAL, True, side),
        "bq": reached(board, square, DIAGONAL, False, side),
        "rq": reached(board, square, STRAIGHT, False, side),
    }
    down = -1 if by_white else 1
    attackers["p"] = [(square[0] - 1, square[1] + down), (square[0] + 1, square[1] + down)]
    for kinds, squares in attackers.items():
        for other in squares:
            piece = board.get(other, ".")
            if piece.lower() in kinds and piece.isupper() == by_white:
                return True
    return False
