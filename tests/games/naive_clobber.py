"""Clobber on a dictionary of stones, written from the rules alone."""


class NaiveClobber:
    """A game being played; a move is ((row, column), (row, column)), from where and to where."""

    num_players = 2

    def __init__(self, height: int = 5, width: int = 6) -> None:
        self.size = height, width
        cells = [(r, c) for r in range(height) for c in range(width)]
        self.stones = {(r, c): (height - 1 - r + c) % 2 for r, c in cells}  # row 0 is the top one
        self.to_move = 0

    def actions(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        moves = []
        for (row, column), owner in self.stones.items():
            beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            for other in beside:
                if owner == self.to_move and self.stones.get(other) == 1 - self.to_move:
                    moves.append(((row, column), other))
        return moves

    def play(self, move: tuple[tuple[int, int], tuple[int, int]]) -> None:
        assert move in self.actions()
        start, end = move
        self.stones[end] = self.stones.pop(start)
        self.to_move = 1 - self.to_move

    def utility(self, player: int) -> int:
        return -1 if player == self.to_move else 1

    def owners(self) -> dict[tuple[int, int], int]:
        return dict(self.stones)

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: one's own stone, 1: the opponent's]."""
        height, width = self.size
        return [
            [
                [int(self.stones.get((r, c)) == who) for who in (player, 1 - player)]
                for c in range(width)
            ]
            for r in range(height)
        ]

    def wins(self) -> bool:
        """Whether the player to move can win, by trying everything."""
        for move in self.actions():
            after = NaiveClobber(0, 0)
            after.stones, after.to_move = dict(self.stones), self.to_move
            after.play(move)
            if not after.wins():
                return True
        return False
