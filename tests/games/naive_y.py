"""Y on cells (row, column), written from the rules alone."""

from games.naive_chains import Cell, NaiveChains


class NaiveY(NaiveChains):
    """A game being played; an action is a cell, or "swap"."""

    steps = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))

    def __init__(self, size: int = 19, swap: bool = False) -> None:
        super().__init__(
            [(row, column) for row in range(size) for column in range(size - row)], swap
        )
        self.size = size

    def wins(self, own: set[Cell]) -> bool:
        return any(self.touches_all(chain) for chain in self.chains(own))

    def touches_all(self, chain: set[Cell]) -> bool:
        top = any(row == 0 for row, _ in chain)
        left = any(column == 0 for _, column in chain)
        return top and left and any(row + column == self.size - 1 for row, column in chain)
