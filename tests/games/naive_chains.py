"""What the obvious versions of Havannah and Y share: stones on cells, the swap, chains."""

Cell = tuple[int, int]


class NaiveChains:
    """A game being played on ``cells``, (row, column) each; an action is a cell, or "swap".

    A game says which ``steps`` lead to the cells beside one, and what wins.
    """

    num_players = 2
    steps: tuple[Cell, ...]

    def __init__(self, cells: list[Cell], swap: bool) -> None:
        self.cells, self.swap = cells, swap
        self.stones: dict[Cell, int] = {}
        self.to_move = 0
        self.ply = 0
        self.won = False

    def wins(self, own: set[Cell]) -> bool:
        """Whether a player with these stones has won."""
        raise NotImplementedError

    def actions(self) -> list[object]:
        if self.won:
            return []
        free: list[object] = [cell for cell in self.cells if cell not in self.stones]
        return [*free, "swap"] if self.swap and self.ply == 1 else free

    def play(self, action: object) -> None:
        assert action in self.actions()
        if action == "swap":
            self.stones = dict.fromkeys(self.stones, 1)
        else:
            self.stones[action] = self.to_move  # type: ignore[index]
        self.won = self.wins({cell for cell in self.stones if self.stones[cell] == self.to_move})
        self.to_move, self.ply = 1 - self.to_move, self.ply + 1

    def beside(self, cell: Cell) -> list[Cell]:
        found = [(cell[0] + down, cell[1] + right) for down, right in self.steps]
        return [other for other in found if other in self.cells]

    def chains(self, own: set[Cell]) -> list[set[Cell]]:
        """The stones that are joined, chain by chain."""
        left, chains = set(own), []
        while left:
            chain, todo = set[Cell](), [left.pop()]
            while todo:
                chain.add(cell := todo.pop())
                new = left.intersection(self.beside(cell))
                left -= new
                todo += new
            chains.append(chain)
        return chains

    def owners(self) -> dict[Cell, int]:
        return self.stones

    def utility(self, player: int) -> int:
        if not self.won:
            return 0
        return -1 if player == self.to_move else 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: own stone, 1: stone of the opponent]."""
        numbers = range(1 + max(map(max, self.cells)))
        return [
            [
                [int(self.stones.get((row, column)) == seat) for seat in (player, 1 - player)]
                for column in numbers
            ]
            for row in numbers
        ]
