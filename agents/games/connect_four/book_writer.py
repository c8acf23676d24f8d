"""Makes books of openings, going on with an unfinished file.

Positions are taken in the order of a walk through the game, so that those solved one after the
other share most of what the transposition table knows. Only the deepest are searched; the score of
the others is that of their best move.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adv_envs.games.connect_four import ConnectFour

from .book import BookError, load_book, make_book, position_key
from .solver import ConnectFourSolver, central_first


class OpeningBookWriter:
    """Makes the book of all positions of up to ``plies`` plies, of which ``path`` may have a part.

    ``table_mb`` bounds the solver's table; with ``rebuild`` the file is ignored. Raises ValueError
    for a position that is not an empty board and for rows of another length than four, BookError
    for a file that is damaged or about another board.
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
        """Solves the missing positions; yields the number that the book has so far."""
        wanted = {key for layer in self.layers for key, _ in layer}
        others = len(self.scores.keys() - wanted)
        for found in solve_openings(self.solver, self.layers, self.scores):
            yield found - others

    def save(self) -> str:
        """Writes the scores found so far; returns a line that describes them."""
        complete = complete_plies(self.layers, self.scores)
        if self.scores:
            deepest = max(self._stones(key) for key in self.scores)
            make_book(self.start, deepest, complete, self.scores).save(self.path)
        return f"{len(self.scores):,} positions, every one up to {complete} plies"

    def _stones(self, key: int) -> int:
        """Returns the number of stones of the position with this canonical key."""
        up = self.start.height + 1
        columns = (key >> up * column & (1 << up) - 1 for column in range(self.start.width))
        return sum((column + 1).bit_length() - 1 for column in columns)


Opening = tuple[int, ConnectFour]
"""A canonical key and a position that has it."""


def opening_layers(start: ConnectFour, plies: int) -> list[list[Opening]]:
    """Returns the unfinished positions after 0, 1, ... ``plies`` plies, without mirror images.

    In each layer those after central columns come first. ValueError unless ``start`` is an empty
    board.
    """
    if start.ply:
        raise ValueError("a book begins with the empty board")
    layers: list[list[Opening]] = [[] for _ in range(plies + 1)]
    seen: set[int] = set()
    stack = [start]
    while stack:
        position = stack.pop()
        key = position_key(position)
        if key in seen or position.is_terminal():
            continue
        seen.add(key)
        layers[position.ply].append((key, position))
        if position.ply < plies:
            stack += [position.play(action) for action in reversed(central_first(position))]
    return layers


def solve_openings(
    solver: ConnectFourSolver, layers: list[list[Opening]], scores: dict[int, int]
) -> Iterator[int]:
    """Solves every position of ``opening_layers`` into ``scores``, the deepest layer first.

    Yields the number of scores after each position of the deepest layer, and after each other
    layer. Positions that are in ``scores`` are not solved again.
    """
    for key, position in layers[-1]:
        if key not in scores:
            scores[key] = int(solver.value(position))
            yield len(scores)
    for layer in reversed(layers[:-1]):
        for key, position in layer:
            if key not in scores:
                scores[key] = backed_up_score(solver, position, scores)
        yield len(scores)


def backed_up_score(
    solver: ConnectFourSolver, position: ConnectFour, scores: dict[int, int]
) -> int:
    """Returns the score of a position whose unfinished children are all in ``scores``."""
    children = [position.play(action) for action in position.legal_actions()]
    return max(
        -int(solver.value(child)) if child.is_terminal() else -scores[position_key(child)]
        for child in children
    )


def complete_plies(layers: list[list[Opening]], scores: dict[int, int]) -> int:
    """Returns the number of plies up to which ``scores`` has every position; -1 for none."""
    for ply, layer in enumerate(layers):
        if any(key not in scores for key, _ in layer):
            return ply - 1
    return len(layers) - 1
