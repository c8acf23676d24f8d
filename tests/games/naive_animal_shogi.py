"""Animal shogi once more, as obvious as can be: a dictionary of pieces, and hands as lists."""

from collections import Counter

Square = tuple[int, int]

STEPS = {
    "C": [(0, 1)],
    "E": [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    "G": [(-1, 0), (1, 0), (0, -1), (0, 1)],
    "L": [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
    "H": [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, 1)],
}
"""By how many columns to the right and rows ahead pieces go, as player 0 sees it."""


class NaiveAnimalShogi:
    """A game in progress: ``pieces[column, row]`` is (player, kind), columns and rows from 1."""

    def __init__(self, max_plies: int = 128, repetition: bool = True) -> None:
        self.max_plies, self.repetition = max_plies, repetition
        self.pieces: dict[Square, tuple[int, str]] = {}
        for column, kind in ((1, "E"), (2, "L"), (3, "G")):
            self.pieces[column, 1] = 0, kind
            self.pieces[4 - column, 4] = 1, kind
        self.pieces[2, 2], self.pieces[2, 3] = (0, "C"), (1, "C")
        self.hands: list[list[str]] = [[], []]
        self.to_move, self.ply = 0, 0
        self.seen = Counter([self.key()])

    def key(self) -> object:
        return frozenset(self.pieces.items()), *map(tuple, map(sorted, self.hands)), self.to_move

    def reached(self, square: Square) -> list[Square]:
        """Where the piece on a square can go, its own pieces or not."""
        player, kind = self.pieces[square]
        ahead = 1 if player == 0 else -1
        found = [(square[0] + x * ahead, square[1] + y * ahead) for x, y in STEPS[kind]]
        return [(x, y) for x, y in found if 1 <= x <= 3 and 1 <= y <= 4]

    def moves(self) -> list[tuple[object, Square]]:
        """From where, or what from the hand, to where."""
        found: list[tuple[object, Square]] = []
        for square, (player, _) in self.pieces.items():
            if player == self.to_move:
                for target in self.reached(square):
                    if target not in self.pieces or self.pieces[target][0] != player:
                        found.append((square, target))
        for kind in set(self.hands[self.to_move]):
            for x in (1, 2, 3):
                found += [(kind, (x, y)) for y in (1, 2, 3, 4) if (x, y) not in self.pieces]
        return found

    def is_across(self, player: int) -> bool:
        """Whether the lion of a player is on the far row, and nothing can take it."""
        lions = [square for square, piece in self.pieces.items() if piece == (player, "L")]
        if not lions or lions[0][1] != (4 if player == 0 else 1):
            return False
        others = [square for square, piece in self.pieces.items() if piece[0] != player]
        return not any(lions[0] in self.reached(square) for square in others)

    def winner(self) -> int | None:
        for player in (0, 1):
            if (1 - player, "L") not in self.pieces.values() or self.is_across(player):
                return player
        return None if self.moves() else 1 - self.to_move

    def actions(self) -> list[tuple[object, Square]]:
        drawn = self.ply >= self.max_plies or (self.repetition and self.seen[self.key()] >= 3)
        return [] if self.winner() is not None or drawn else self.moves()

    def utility(self, player: int) -> int:
        winner = self.winner()
        return 0 if winner is None else 1 if winner == player else -1

    def play(self, move: tuple[object, Square]) -> None:
        start, target = move
        player = self.to_move
        if isinstance(start, str):
            self.hands[player].remove(start)
            self.pieces[target] = player, start
        else:
            _, kind = self.pieces.pop(start)  # type: ignore[call-overload]
            _, taken = self.pieces.get(target, (0, "L"))
            if taken != "L":
                self.hands[player].append("C" if taken == "H" else taken)
            if kind == "C" and target[1] == (4 if player == 0 else 1):
                kind = "H"
            self.pieces[target] = player, kind
        self.to_move, self.ply = 1 - player, self.ply + 1
        self.seen[self.key()] += 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][plane], the far row first, as ``player`` sees the board."""
        planes = [[[0] * 23 for _ in range(3)] for _ in range(4)]
        for (x, y), (owner, kind) in self.pieces.items():
            row, column = (4 - y, x - 1) if player == 0 else (y - 1, 3 - x)
            planes[row][column]["CEGHL".index(kind) + 5 * (owner != player)] = 1
        full = [22] if self.seen[self.key()] > 1 and self.repetition else []
        for side, hand in enumerate((self.hands[player], self.hands[1 - player])):
            for i, kind in enumerate("CEG"):
                full += [10 + 6 * side + 2 * i + j for j in range(hand.count(kind))]
        for row_of_cells in planes:
            for cell in row_of_cells:
                for plane in full:
                    cell[plane] = 1
        return planes
