"""Phantom games once more, as obvious as can be: cells in dictionaries, lists of attempts."""

from collections.abc import Callable

Cell = tuple[int, int]


def three_in_a_row(stones: set[Cell], player: int) -> bool:
    """Whether some row, column or diagonal of 3 x 3 is full."""
    lines = [{(i, j) for j in range(3)} for i in range(3)]
    lines += [{(i, j) for i in range(3)} for j in range(3)]
    lines += [{(i, i) for i in range(3)}, {(i, 2 - i) for i in range(3)}]
    return any(line <= stones for line in lines)


def joined(size: int) -> Callable[[set[Cell], int], bool]:
    """Whether a chain of hexagons joins the player's edges: top and bottom, or left and right."""

    def wins(stones: set[Cell], player: int) -> bool:
        todo = [cell for cell in stones if cell[player] == 0]
        seen = set(todo)
        while todo:
            i, j = todo.pop()
            if (i, j)[player] == size - 1:
                return True
            for beside in (
                (i, j + 1),
                (i, j - 1),
                (i + 1, j),
                (i - 1, j),
                (i + 1, j - 1),
                (i - 1, j + 1),
            ):
                if beside in stones - seen:
                    seen.add(beside)
                    todo.append(beside)
        return False

    return wins


class NaivePhantom:
    """A game in progress: what stands where, and what each player has been told."""

    def __init__(self, size: int, abrupt: bool, wins: Callable[[set[Cell], int], bool]) -> None:
        self.size, self.abrupt, self.wins = size, abrupt, wins
        self.board: dict[Cell, int] = {}
        self.told: tuple[list[tuple[Cell, bool]], ...] = ([], [])
        self.to_move = 0
        self.over = False
        self.winner: int | None = None

    def actions(self) -> list[Cell]:
        """The cells that the player to move has not tried yet."""
        tried = [cell for cell, _ in self.told[self.to_move]]
        every = [(i, j) for i in range(self.size) for j in range(self.size)]
        return [cell for cell in every if cell not in tried and not self.over]

    def play(self, cell: Cell) -> None:
        player = self.to_move
        free = cell not in self.board
        self.told[player].append((cell, free))
        if free:
            self.board[cell] = player
            if self.wins({c for c, owner in self.board.items() if owner == player}, player):
                self.over, self.winner = True, player
            elif len(self.board) == self.size**2:
                self.over = True
        if free or self.abrupt:
            self.to_move = 1 - player

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: own stone, 1: stone met, 2: number of the attempt]."""
        planes = [[[0, 0, 0] for _ in range(self.size)] for _ in range(self.size)]
        for number, ((row, column), free) in enumerate(self.told[player], 1):
            planes[row][column] = [int(free), int(not free), number]
        return planes

    def utility(self, player: int) -> int:
        if self.winner is None:
            return 0
        return 1 if self.winner == player else -1
