"""Y on cells (row, column), written from the rules alone."""


class NaiveY:
    """A game being played; an action is a cell, or "swap"."""

    num_players = 2

    def __init__(self, size: int = 19, swap: bool = False) -> None:
        self.cells = [(row, column) for row in range(size) for column in range(size - row)]
        self.size, self.swap = size, swap
        self.stones: dict[tuple[int, int], int] = {}
        self.to_move = 0
        self.ply = 0
        self.won = False

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
        self.won = any(self.touches_all(chain) for chain in self.chains(self.to_move))
        self.to_move, self.ply = 1 - self.to_move, self.ply + 1

    def chains(self, player: int) -> list[set[tuple[int, int]]]:
        left, chains = {cell for cell in self.stones if self.stones[cell] == player}, []
        while left:
            chain: set[tuple[int, int]] = set()
            todo = [left.pop()]
            while todo:
                chain.add(cell := todo.pop())
                found = [other for other in beside(cell) if other in left]
                left -= set(found)
                todo += found
            chains.append(chain)
        return chains

    def touches_all(self, chain: set[tuple[int, int]]) -> bool:
        top = any(row == 0 for row, _ in chain)
        left = any(column == 0 for _, column in chain)
        return top and left and any(row + column == self.size - 1 for row, column in chain)

    def owners(self) -> dict[tuple[int, int], int]:
        return self.stones

    def utility(self, player: int) -> int:
        return -1 if player == self.to_move else 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: own stone, 1: stone of the opponent]."""
        return [
            [
                [int(self.stones.get((row, column)) == seat) for seat in (player, 1 - player)]
                for column in range(self.size)
            ]
            for row in range(self.size)
        ]


def beside(cell: tuple[int, int]) -> list[tuple[int, int]]:
    row, column = cell
    steps = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))
    return [(row + down, column + right) for down, right in steps]
