"""Havannah on cells (row, column), written from the rules alone.

Columns run down to the left: the cells beside one differ by one in the row, the column, or both in
the same direction.
"""

from games.naive_chains import Cell, NaiveChains


class NaiveHavannah(NaiveChains):
    """A game being played; an action is a cell, or "swap"."""

    steps = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1))

    def __init__(self, size: int = 8, swap: bool = False) -> None:
        numbers = range(2 * size - 1)
        super().__init__([(r, c) for r in numbers for c in numbers if abs(r - c) < size], swap)
        self.size = size

    def wins(self, own: set[Cell]) -> bool:
        return self.figure(own) != ""

    def figure(self, own: set[Cell]) -> str:
        if any(self.is_shut_in(cell, own) for cell in self.cells):
            return "ring"
        found = ""
        for chain in self.chains(own):
            if sum(len(self.beside(cell)) == 3 for cell in chain) > 1:
                return "bridge"
            sides = {self.side(cell) for cell in chain if len(self.beside(cell)) == 4}
            if len(sides) > 2:
                found = "fork"
        return found

    def is_shut_in(self, cell: Cell, own: set[Cell]) -> bool:
        """Whether no way leads from a cell to the border but over stones."""
        seen, todo = {cell}, [cell]
        while todo:
            here = todo.pop()
            around = self.beside(here)
            if len(around) < 6:
                return False
            new = {other for other in around if other not in own} - seen
            seen |= new
            todo += new
        return True

    def side(self, cell: Cell) -> str:
        row, column, last = *cell, 2 * self.size - 2
        if row in (0, last):
            return f"row {row}"
        return f"column {column}" if column in (0, last) else f"difference {row - column}"
