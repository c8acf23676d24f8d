"""Amazons once more, as obvious as can be: a dictionary of cells, walked one step at a time."""

Square = tuple[int, int]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class NaiveAmazons:
    """A game in progress: ``board[row, column]`` is 0 or 1, an amazon; "burnt"; or "empty"."""

    def __init__(self, size: int, amazons: dict[Square, int]) -> None:
        cells = [(row, column) for row in range(size) for column in range(size)]
        self.size, self.to_move = size, 0
        self.board: dict[Square, int | str] = {cell: amazons.get(cell, "empty") for cell in cells}
        self.chosen: Square | None = None
        self.shoots = False

    def ways(self, start: Square) -> list[Square]:
        """Where a queen can go."""
        found = []
        for down, right in DIRECTIONS:
            row, column = start[0] + down, start[1] + right
            while self.board.get((row, column)) == "empty":
                found.append((row, column))
                row, column = row + down, column + right
        return found

    def actions(self) -> list[Square]:
        """The cells of the legal actions; none when the game is over."""
        if self.chosen is not None:
            return self.ways(self.chosen)
        amazons = [cell for cell, there in self.board.items() if there == self.to_move]
        return [cell for cell in amazons if self.ways(cell)]

    def play(self, cell: Square) -> None:
        if self.chosen is None:
            self.chosen = cell
        elif not self.shoots:
            self.board[self.chosen], self.board[cell] = "empty", self.to_move
            self.chosen, self.shoots = cell, True
        else:
            self.board[cell] = "burnt"
            self.chosen, self.shoots, self.to_move = None, False, 1 - self.to_move

    def utility(self, player: int) -> int:
        return -1 if player == self.to_move else 1

    def owners(self) -> dict[Square, int]:
        return {cell: there for cell, there in self.board.items() if isinstance(there, int)}

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: own, 1: other, 2: burnt, 3: the chosen one, 4: whether it shoots]."""
        kinds = player, 1 - player, "burnt"
        return [
            [
                [*(int(self.board[cell] == kind) for kind in kinds),
                 int(cell == self.chosen), int(self.shoots)]
                for cell in ((row, column) for column in range(self.size))
            ]
            for row in range(self.size)
        ]  # fmt: skip
