"""k in a row with dictionaries and lists, and the opening rule swap2 as a table of turns."""

from collections.abc import Iterator

BLACK, WHITE = 0, 1

Cell = tuple[int, int]

SWAP2 = {  # what player 1 chose -> whose turn it is at each ply of the opening
    None: (0, 0, 0, 1),
    "stone": (0, 0, 0, 1),
    "black": (0, 0, 0, 1),
    "more": (0, 0, 0, 1, 1, 1, 0),
}


class NaiveGomoku:
    """A game being played. Action row * width + column sets a stone; then black, and more."""

    num_players = 2

    def __init__(
        self,
        height: int = 15,
        width: int = 15,
        k: int = 5,
        exact: bool = False,
        swap2: bool = False,
    ) -> None:
        self.height, self.width, self.k, self.exact, self.swap2 = height, width, k, exact, swap2
        self.cells = [(row, column) for row in range(height) for column in range(width)]
        self.colours: dict[Cell, int] = {}
        self.turns: list[int] = []  # who made each move so far
        self.chosen: str | None = None
        self.winner: int | None = None

    @property
    def to_move(self) -> int:
        opening = SWAP2[self.chosen] if self.swap2 else (0,)
        ply = len(self.turns)
        return opening[ply] if ply < len(opening) else 1 - self.turns[-1]

    @property
    def colour(self) -> int:
        """The colour of the next stone."""
        return WHITE if len(self.colours) % 2 else BLACK

    def choices(self) -> list[str]:
        if not self.swap2:
            return []
        if len(self.turns) == 3:
            return ["black", "more"]
        return ["black"] if self.chosen == "more" and len(self.turns) == 6 else []

    def actions(self) -> list[int]:
        if self.winner is not None or len(self.colours) == len(self.cells):
            return []
        empty = [a for a, cell in enumerate(self.cells) if cell not in self.colours]
        return empty + [len(self.cells) + ["black", "more"].index(c) for c in self.choices()]

    def play(self, action: int) -> None:
        assert action in self.actions()
        player, ply = self.to_move, len(self.turns)
        if action < len(self.cells):
            cell, colour = self.cells[action], self.colour
            self.colours[cell] = colour
            if any(self.is_long_enough(length) for length in self.rows_through(cell)):
                self.winner = player
        if ply == 3:
            self.chosen = dict(enumerate(["black", "more"], len(self.cells))).get(action, "stone")
        self.turns.append(player)

    def is_long_enough(self, length: int) -> bool:
        return length == self.k if self.exact else length >= self.k

    def rows_through(self, cell: Cell) -> Iterator[int]:
        """How many stones of the colour at ``cell`` stand in a row there, in each direction."""
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                row, column = cell
                while True:
                    row, column = row + sign * down, column + sign * right
                    if self.colours.get((row, column)) != self.colours[cell]:
                        break
                    length += 1
            yield length

    def winning_cells(self) -> set[Cell]:
        """The cells of every row of the winner that is long enough."""
        if self.winner is None:
            return set()
        loser = self.colour
        found: set[Cell] = set()
        for start in self.colours:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                before = start[0] - down, start[1] - right
                row = [start]
                while self.colours.get(row[-1]) == 1 - loser:
                    row.append((row[-1][0] + down, row[-1][1] + right))
                row.pop()
                starts = self.colours.get(before) != 1 - loser
                if row and starts and self.is_long_enough(len(row)):
                    found |= set(row)
        return found

    def owners(self) -> dict[Cell, int]:
        """The colour on each cell."""
        return self.colours

    def utility(self, player: int) -> float:
        if self.winner is None:
            return 0.0
        return 1.0 if player == self.winner else -1.0

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: a stone of the player's colour, 1: of the other].

        The player to move has the colour of the next stone.
        """
        own = self.colour if player == self.to_move else 1 - self.colour
        return [
            [
                [int(self.colours.get((row, column)) == colour) for colour in (own, 1 - own)]
                for column in range(self.width)
            ]
            for row in range(self.height)
        ]
