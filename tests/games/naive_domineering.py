"""Domineering on a grid of characters, written from the rules alone."""


class NaiveDomineering:
    """A game being played; action row * width + column is the upper or left cell of a domino."""

    num_players = 2

    def __init__(self, height: int = 8, width: int = 8) -> None:
        self.grid = [["."] * width for _ in range(height)]
        self.to_move = 0

    def covered(self, row: int, column: int) -> list[tuple[int, int]]:
        """The cells of a domino of the player to move."""
        second = (row + 1, column) if self.to_move == 0 else (row, column + 1)
        return [(row, column), second]

    def fits(self, row: int, column: int) -> bool:
        height, width = len(self.grid), len(self.grid[0])
        return all(
            r < height and c < width and self.grid[r][c] == "."
            for r, c in self.covered(row, column)
        )

    def actions(self) -> list[int]:
        width = len(self.grid[0])
        cells = [(r, c) for r in range(len(self.grid)) for c in range(width)]
        return [r * width + c for r, c in cells if self.fits(r, c)]

    def play(self, action: int) -> None:
        assert action in self.actions()
        for row, column in self.covered(*divmod(action, len(self.grid[0]))):
            self.grid[row][column] = "|-"[self.to_move]
        self.to_move = 1 - self.to_move

    def utility(self, player: int) -> int:
        return -1 if player == self.to_move else 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: under a domino of one's own, 1: of the opponent's]."""
        own, opp = "|-"[player], "|-"[1 - player]
        return [[[int(cell == own), int(cell == opp)] for cell in row] for row in self.grid]

    def perft(self, depth: int) -> int:
        """How many lines of play of ``depth`` plies there are."""
        if depth == 0:
            return 1
        lines = 0
        for action in self.actions():
            after = NaiveDomineering(1, 1)
            after.grid, after.to_move = [list(row) for row in self.grid], self.to_move
            after.play(action)
            lines += after.perft(depth - 1)
        return lines


def most_dominoes(free: frozenset[tuple[int, int]], upright: bool) -> int:
    """The most dominoes of one direction that fit on the free cells, by trying all."""
    best = 0
    for row, column in free:
        second = (row + 1, column) if upright else (row, column + 1)
        if second in free:
            best = max(best, 1 + most_dominoes(free - {(row, column), second}, upright))
    return best


def is_safe(cell: tuple[int, int], free: frozenset[tuple[int, int]], upright: bool) -> bool:
    """Whether no domino of the other direction can be laid on the cell."""
    row, column = cell
    beside = (
        [(row, column - 1), (row, column + 1)]
        if upright
        else [(row - 1, column), (row + 1, column)]
    )
    return not any(other in free for other in beside)
