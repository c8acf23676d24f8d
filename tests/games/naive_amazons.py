"""Amazons once more, as obvious as can be: a dictionary of cells, walked one step at a time."""

Square = tuple[int, int]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class NaiveAmazons:
    """A game in progress: ``board[row, column]`` is 0 or 1, an amazon; "burnt"; or "empty"."""

    def __init__(self, size: int, white: list[Square], black: list[Square]) -> None:
        self.board: dict[Square, int | str] = {
            (row, column): "empty" for row in range(size) for column in range(size)
        }
        self.board.update(dict.fromkeys(white, 0))
        self.board.update(dict.fromkeys(black, 1))
        self.to_move = 0
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
        return sorted(found)

    def moves(self) -> list[Square]:
        """The cells of the legal actions; none when the game is over."""
        if self.chosen is not None:
            return self.ways(self.chosen)
        amazons = [cell for cell, there in self.board.items() if there == self.to_move]
        return sorted(cell for cell in amazons if self.ways(cell))

    def play(self, cell: Square) -> None:
        if cell not in self.moves():
            raise ValueError(f"{cell} is not one of {self.moves()}")
        if self.chosen is None:
            self.chosen = cell
        elif not self.shoots:
            self.board[self.chosen], self.board[cell] = "empty", self.to_move
            self.chosen, self.shoots = cell, True
        else:
            self.board[cell] = "burnt"
            self.chosen, self.shoots, self.to_move = None, False, 1 - self.to_move
