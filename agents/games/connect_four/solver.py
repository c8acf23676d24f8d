"""Solves Connect Four: the exact score of every position; and writes the solver's books."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from adv_envs import Position
from adv_envs.games.connect_four import ConnectFour
from adv_envs.jit import Kernel
from agents.agent import book_or_path, require_game
from agents.search.exact_play import SolverKernels, in_likely_order
from agents.search.limits import ABORTED, NODE_LIMIT, NODES, STOP, Counts, counters, run
from agents.search.perfect import ExactSolver

from .book import BookError, book_for, load_book, make_book, position_key
from .evaluations import centre
from .exact_search import ExactArrays, constants, new_table, position_score, solve_score

MAX_SCORE = 63
"""No score is larger."""

UNINTERRUPTED_NODES = 100_000
"""Nodes of a search so short that it runs without a watch for interrupts."""

UNINTERRUPTED_EMPTY = 18
"""Empty cells up to which a search takes a millisecond and runs without such a watch, too."""


@dataclass(repr=False)
class ConnectFourSolver(ExactSolver):
    """Plays by the exact score of Connect Four, four in a row, on any board of the game.

    A score is for the player to move: k for a win with the k-th last of the winner's stones (on
    7 x 6, 18 is a win with the fourth), -k for a loss, 0 for a draw. Threads may share a solver.

    ValueError for other games, and for rows of another length than four; BookError, at the first
    position, for a file that is torn, of another version or about another board.
    """

    book: bool | str | Path = True
    """Whether the shipped book of openings is used, or the path of one that ``adv-envs book`` made
    for the board; it changes no value."""
    table_mb: float = 64
    """Bounds the transposition table, in megabytes; it is kept from one call to the next."""
    weak: bool = False
    """Tells only who wins, 1, -1 or 0, which is found sooner."""

    name: ClassVar[str] = "connect_four_solver"
    likely: ClassVar[Kernel[..., float] | None] = centre
    line_nodes: ClassVar[int] = UNINTERRUPTED_NODES
    _searches: dict[Any, BoardSearch] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for a table of no size and for what is no book."""
        super().__post_init__()
        self.book = book_or_path(self.book)

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """Returns the scores of positions of one board, searched one after the other."""
        counts = counters()
        for position in positions:
            if position[:3] != positions[0][:3] or not isinstance(position, type(positions[0])):
                raise ValueError("positions that are scored together must be of one board")
        return [self._score(position, counts) for position in positions]

    def kernels(self, start: Position) -> SolverKernels:
        """Returns the search as one kernel, without the book; ValueError for other games."""
        self._require_board(start)
        size = start[0], start[1]
        bound = constants(*size)
        table, shift = new_table(bound, self.table_mb)
        stack = np.zeros((bound["CELLS"] + 1, bound["FRAME"] + 8), np.int64)
        arrays = ExactArrays(table, shift, stack, counters())
        used = {} if size == (6, 7) else bound
        most = 1 if self.weak else MAX_SCORE
        return SolverKernels(position_score, centre, most, arrays, used)

    def _score(
        self, position: Position, counts: Counts, low: int = -MAX_SCORE, high: int = MAX_SCORE
    ) -> int:
        most = 1 if self.weak else MAX_SCORE
        search = self._search_for(position)
        return search.look_up_or_search(position, counts, max(low, -most), min(high, most))

    def _require_board(self, position: Position) -> ConnectFour:
        """Returns a checked position; ValueError for other games."""
        found = require_game(position, ConnectFour, self.name, "solves")
        if found.k != 4:
            raise ValueError(
                f"{self.name} solves four in a row, not k={found.k}: use retrograde or alpha_beta"
            )
        return found

    def _search_for(self, position: Position) -> BoardSearch:
        """Returns the search of the board; ValueError for other games."""
        if type(position) is ConnectFour and position[:3] in self._searches:
            return self._searches[position[:3]]
        position = self._require_board(position)
        search = self._searches.get(position[:3]) or BoardSearch(position, self.table_mb, self.book)
        return self._searches.setdefault(position[:3], search)  # another thread's, if faster


class BoardSearch:
    """Holds the compiled search for boards of one size, with its table and its book.

    ``bindings`` are bound to the search, to measure it without one of its techniques.
    """

    def __init__(
        self, position: ConnectFour, table_mb: float, book: bool | str | Path, **bindings: Any
    ) -> None:
        size = position.height, position.width
        bound = constants(*size) | bindings
        self.stack_shape = bound["CELLS"] + 1, bound["FRAME"] + 8
        self.late = bound["CELLS"] - UNINTERRUPTED_EMPTY
        self.table, self.shift = new_table(bound, table_mb)
        self.book = book_for(size, book)
        self.plies = self.book.plies if self.book else -1
        self.stacks = [np.empty(self.stack_shape, np.int64)]
        kernel: Any = solve_score.bind(**bindings)
        if size != (6, 7):
            kernel = kernel.bind_used(**bound)
        arrays = ExactArrays(self.table, self.shift, self.stacks[0], counters())
        self.score: Callable[..., int] = kernel.ready(0, 0, 0, -MAX_SCORE, MAX_SCORE, arrays)

    def look_up_or_search(self, position: Position, counts: Counts, low: int, high: int) -> int:
        """Returns the score of a position, cut to ``low`` .. ``high``."""
        if position[5] <= self.plies and self.book is not None:
            known = self.book.score(position)  # type: ignore[arg-type] # of this board: checked
            if known is not None:
                return min(max(known, low), high)
        return self.search(position[3:6], counts, low, high)

    def search(self, state: tuple[int, int, int], counts: Counts, low: int, high: int) -> int:
        """Returns the score of (own, opp, stones), cut; long searches can be interrupted.

        Each search needs a stack of its own, as threads may search at the same time.
        """
        stack = self.stacks.pop() if self.stacks else np.empty(self.stack_shape, np.int64)
        args = *state, low, high, ExactArrays(self.table, self.shift, stack, counts)
        if state[2] >= self.late:
            found = self.score(*args)
            self.stacks.append(stack)
            return found
        limit = int(counts[NODE_LIMIT])
        counts[NODE_LIMIT] = min(limit, int(counts[NODES]) + UNINTERRUPTED_NODES)
        found = self.score(*args)
        counts[NODE_LIMIT] = limit
        if counts[ABORTED] and counts[NODES] < limit and not counts[STOP]:
            counts[ABORTED] = 0
            found = run(self.score, counts, *args)
        self.stacks.append(stack)
        return found


# ---- books of openings
#
# Positions are taken in the order of a walk through the game, so that those solved one after the
# other share most of what the transposition table knows. Only the deepest are searched; the score
# of the others is that of their best move.


class OpeningBookWriter:
    """Makes the book of all positions of up to ``plies`` plies; ``path`` may have a part of it.

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
            stack += [
                position.play(action) for action in reversed(in_likely_order(position, centre))
            ]
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
                children = [position.play(action) for action in position.legal_actions()]
                scores[key] = max(
                    -int(solver.value(child))
                    if child.is_terminal()
                    else -scores[position_key(child)]
                    for child in children
                )
        yield len(scores)


def complete_plies(layers: list[list[Opening]], scores: dict[int, int]) -> int:
    """Returns the number of plies up to which ``scores`` has every position; -1 for none."""
    for ply, layer in enumerate(layers):
        if any(key not in scores for key, _ in layer):
            return ply - 1
    return len(layers) - 1
