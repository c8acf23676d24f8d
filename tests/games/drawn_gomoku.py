"""A proof that the first player cannot win k in a row, independent of all searches and rules.

The second player only has to prevent a row. Rows in which only the first player has stones are
alive, and one that needs n more stones weighs 2 ** -n. If all of them weigh less than 1 where the
second player is to move (1/2 where the first one is), the second player prevents all rows by taking
the heaviest cell each time (P. Erdős, J. Selfridge, On a combinatorial game, 1973). So only heavy
positions are searched, with rows of either player that need one stone as forced moves. The first
player never loses, as an additional stone cannot harm (strategy stealing): what is proved is a
draw.
"""

from __future__ import annotations

from collections.abc import Iterator

from naive import lines


class DrawProof:
    """``DrawProof(5, 5, 4).first_cannot_win()``; sets of cells are integers."""

    def __init__(self, height: int, width: int, k: int) -> None:
        self.rows = [sum(1 << r * width + c for r, c in row) for row in lines(height, width, k)]
        self.known: dict[tuple[int, int], bool] = {}

    def first_cannot_win(self, first: int = 0, second: int = 0) -> bool:
        """Whether the second player prevents a row; the first player is to move."""
        live, others = self.live(first, second), self.live(second, first)
        ones = needed(live)
        if ones or weight(live) < 0.5:
            return not ones
        if (first, second) not in self.known:
            forced = needed(others)
            cells = [forced] if forced else cells_of([*live, *others])
            several = forced & (forced - 1) != 0  # two rows of the second player
            self.known[first, second] = several or not any(
                self.first_wins_after(first | cell, second) for cell in cells
            )
        return self.known[first, second]

    def first_wins_after(self, first: int, second: int) -> bool:
        """Whether the first player completes a row; the second player is to move."""
        live, others = self.live(first, second), self.live(second, first)
        ones = needed(live)
        if needed(others) or (not ones and weight(live) < 1):
            return False
        if ones & (ones - 1):
            return True
        cells = [ones] if ones else cells_of([*live, *others])
        return not any(self.first_cannot_win(first, second | cell) for cell in cells)

    def live(self, own: int, other: int) -> list[int]:
        """The cells that ``own`` needs, of each row without a stone of ``other``."""
        return [row & ~own for row in self.rows if not row & other]


def needed(live: list[int]) -> int:
    """The cells that complete a row at once."""
    found = 0
    for row in live:
        if row & (row - 1) == 0:
            found |= row
    return found


def weight(live: list[int]) -> float:
    """The sum of 2 ** -n over rows that need n stones."""
    return sum(2.0 ** -row.bit_count() for row in live)


def cells_of(live: list[int]) -> list[int]:
    """The cells of these rows, the heaviest first."""
    weights: dict[int, float] = {}
    for row in live:
        for cell in single(row):
            weights[cell] = weights.get(cell, 0) + 2.0 ** -row.bit_count()
    return sorted(weights, key=lambda cell: -weights[cell])


def single(cells: int) -> Iterator[int]:
    """Its cells, as sets of one."""
    while cells:
        yield cells & -cells
        cells &= cells - 1
