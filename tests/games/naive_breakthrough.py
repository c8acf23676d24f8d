"""Breakthrough once more, as obvious as can be: a dictionary of men, looked at one by one."""

Square = tuple[int, int]


class NaiveBreakthrough:
    """A game in progress: ``men[column, row]`` is whose man stands there, row 1 below."""

    def __init__(self, height: int = 8, width: int = 8, men_rows: int = 2) -> None:
        self.height, self.width = height, width
        self.men: dict[Square, int] = {}
        for column in range(1, width + 1):
            for row in range(1, men_rows + 1):
                self.men[column, row] = 0
                self.men[column, height + 1 - row] = 1
        self.to_move = 0
        self.winner: int | None = None

    def actions(self) -> list[tuple[Square, Square]]:
        """From where to where men may move; none when the game is over."""
        found: list[tuple[Square, Square]] = []
        if self.winner is not None:
            return found
        for (column, row), player in self.men.items():
            if player != self.to_move:
                continue
            next_row = row + 1 if player == 0 else row - 1
            for next_column in (column - 1, column, column + 1):
                target = next_column, next_row
                if not 1 <= next_column <= self.width:
                    continue
                captures = next_column != column and self.men.get(target) == 1 - player
                if target not in self.men or captures:
                    found.append(((column, row), target))
        return found

    def utility(self, player: int) -> int:
        return 1 if player == self.winner else -1

    def owners(self) -> dict[Square, int]:
        """By row from the top and column from the left, from 0."""
        return {(self.height - row, column - 1): who for (column, row), who in self.men.items()}

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: own man, 1: other's, 2: whether the player is the first]."""
        men = self.owners()
        return [
            [
                [*(int(men.get((row, column)) == who) for who in (player, 1 - player)), 1 - player]
                for column in range(self.width)
            ]
            for row in range(self.height)
        ]

    def play(self, move: tuple[Square, Square]) -> None:
        start, target = move
        player = self.men.pop(start)
        self.men[target] = player
        last_row = self.height if player == 0 else 1
        if target[1] == last_row or 1 - player not in self.men.values():
            self.winner = player
        self.to_move = 1 - player
