"""Makes books of openings: an unfinished file is continued where it was left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adv_envs.games.connect_four import ConnectFour

from .book import (
    BookError,
    complete_plies,
    load_book,
    make_book,
    opening_layers,
    solve_openings,
)
from .solver import ConnectFourSolver


class OpeningBookWriter:
    """The book of all positions of up to ``plies`` plies, which ``path`` may hold in part.

    ``table_mb`` bounds the solver's table; ``rebuild`` ignores what the file holds. Raises
    ValueError for a position that is not an empty board and rows of another length than four, and
    BookError for a file that is damaged or about another board.
    """

    def __init__(
        self, start: ConnectFour, plies: int, path: Path, table_mb: float, rebuild: bool
    ) -> None:
        if start.k != 4:
            raise ValueError(f"a book has the scores of four in a row, not of k={start.k}")
        self.start, self.path = start, path
        self.solver = ConnectFourSolver(book=False, table_mb=table_mb)
        self.layers = opening_layers(start, plies)
        self.total = sum(map(len, self.layers))
        self.scores: dict[int, int] = {}
        if path.exists() and not rebuild:
            try:
                self.scores = load_book(path, start.height, start.width).scores()
            except BookError as error:
                hint = "" if "--rebuild" in str(error) else "; begin again with --rebuild"
                raise BookError(f"{error}{hint}") from error

    def fill(self) -> Iterator[int]:
        """Solve the positions that are missing; yields how many the book has so far."""
        wanted = {number for layer in self.layers for number, _ in layer}
        others = len(self.scores.keys() - wanted)
        for found in solve_openings(self.solver, self.layers, self.scores):
            yield found - others

    def save(self) -> str:
        """Write what there is, and say what that is in a line."""
        complete = complete_plies(self.layers, self.scores)
        if self.scores:
            deepest = max(self._stones(number) for number in self.scores)
            make_book(self.start, deepest, complete, self.scores).save(self.path)
        return f"{len(self.scores):,} positions, every one up to {complete} plies"

    def _stones(self, number: int) -> int:
        """The number of stones of the position with this canonical number."""
        up = self.start.height + 1
        columns = (number >> up * column & (1 << up) - 1 for column in range(self.start.width))
        return sum((column + 1).bit_length() - 1 for column in columns)
