"""Plays perfectly, by the exact solver of each game; what such solvers share; exact margins.

Margins are of games whose players gather points until there are none left. What the players have
gathered does not matter to what they can still gather. So the value of a position is how many
points the player to move is ahead, plus the margin of the *rest*, which is the same for all
positions that differ in the points gathered only. The search and its table know rests. It is
alpha-beta to the end of the game, called with null windows until one margin is left (MTD(f): A.
Plaat et al., Best-first fixed-depth minimax algorithms, Artificial Intelligence 87, 1996). What it
has to know of a game is in the field ``margins`` of its ``Knowledge``.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from adv_envs import Position
from adv_envs.bits import num_words
from adv_envs.jit import Kernel, kernel
from adv_envs.position import checked
from agents.agent import SearchAgent, SearchResult, book_or_path, require_unfinished
from agents.knowledge import ExactValues, Margins, knowledge_of

from .exact_play import OnlyCounts, SolverKernels, chosen_by, in_likely_order
from .limits import (
    ABORTED,
    NODES,
    UNLIMITED,
    Counts,
    counters,
    must_end,
    prepared,
    run,
    search_result,
)
from .retrograde import Retrograde
from .transposition_table import HashTable, find_position, new_table, slot_for, write, write_key


@dataclass(repr=False)
class ExactSolver(SearchAgent):
    """Plays by the exact score of every position of its game, if it has the time.

    A subclass has ``_search_for`` and ``_score``, and ``kernels`` if browsers can have it, too.
    Scores are whole numbers for the player to move.
    """

    likely: ClassVar[Kernel[..., float] | None] = None
    """Says which actions are likely to be best; None: all are as likely."""
    line_nodes: ClassVar[int] = UNLIMITED
    """Nodes that may be spent on the line of best play, besides as many as the scores took."""

    def _search_for(self, position: Position) -> Any:
        """Returns the search for such positions, compiled; ValueError for those of other games."""
        raise NotImplementedError

    def _score(
        self, position: Position, counts: Counts, low: int = -UNLIMITED, high: int = UNLIMITED
    ) -> int:
        """Returns the score of a checked position, or a bound of it outside of low to high.

        Anything once counts[ABORTED] is set.
        """
        raise NotImplementedError

    def kernels(self, start: Position) -> SolverKernels:
        """Returns what ``_score`` does as a kernel for the game of ``start``, with its arrays.

        NotImplementedError for a solver that has none.
        """
        raise NotImplementedError(f"{self.name} is not there as one kernel")

    def _order(self, position: Position) -> list[int]:
        """Returns the legal actions, those first that are likely to be best.

        ValueError for positions of other games, whose fields ``likely`` does not know.
        """
        self._search_for(position)
        return in_likely_order(position, self.likely)

    def value(self, position: Position) -> float:
        """Returns the exact score of ``position``, also of a finished one."""
        return float(self._score(checked(position), counters()))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the exact score of each legal action for the player to move."""
        *_, values = {}, *self.solving(position)
        return values

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """Yields ``values`` as they become known, likely ones first."""
        return self._solving(checked(position), counters())

    def _solving(self, position: Position, counts: Counts) -> Iterator[dict[int, float]]:
        values: dict[int, float] = {}
        for action in self._order(position):
            child = position.play(action)
            score = self._score(child, counts)
            values[action] = 0.0 + (score if child.to_move == position.to_move else -score)
            yield dict(sorted(values.items()))

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result after each move that is solved, the likely ones first.

        ``values`` are the moves solved so far and ``value`` is the best of them: what the player
        to move is sure of. The last result, with all of them and best play, is ``proven``.
        """
        position = require_unfinished(position)
        self._search_for(position)  # before the time is taken
        counts, began, order = counters(), time.perf_counter(), self._order(position)
        for values in self._solving(position, counts):
            best = max((a for a in order if a in values), key=values.__getitem__)
            yield search_result(counts, began, best, values[best], (best,), values=values)
        line = (best, *self.line(position.play(best), int(counts[NODES]) + self.line_nodes))
        found: dict[str, Any] = {"depth": len(line), "values": values, "proven": True}
        yield search_result(counts, began, best, values[best], line, **found)

    def act(self, position: Position) -> int:
        """Returns the likeliest of the best actions; ValueError if the game is over."""
        return self._best(require_unfinished(position), counters())

    def line(self, position: Position, nodes: int = UNLIMITED) -> tuple[int, ...]:
        """Returns best play to the end of the game, as far as ``nodes`` positions suffice."""
        position, line, counts = checked(position), list[int](), counters(nodes)
        while not position.is_terminal():
            action = self._best(position, counts)
            if counts[ABORTED]:
                break
            line.append(action)
            position = position.play(action)
        return tuple(line)

    def _best(self, position: Position, counts: Counts) -> int:
        """Returns the first action that has the score of ``position``; each is asked for a bound.

        Any action once counts[ABORTED] is set.
        """

        def score(position: Position, low: int, high: int, arrays: OnlyCounts) -> int:
            return self._score(position, arrays.counts, low, high)

        return chosen_by(score, position, self._order(position), UNLIMITED, counts)


@dataclass(repr=False)
class Perfect(SearchAgent):
    """Plays and values positions exactly, by the solver that the game's ``Knowledge`` names.

    Games without one are solved by ``Retrograde``: their positions must be few. A solver gets those
    of the parameters that it has. Values are on the scale of the solver: a utility, or the score of
    a solver that tells quick wins from slow ones, unless it is asked only who wins.
    """

    book: bool | str | Path = True
    """Whether the solver may use its book of openings, or the path of one that ``adv-envs book``
    made."""
    table_mb: float = 64
    """Bounds the transposition table of the solver, in megabytes."""
    weak: bool = False
    """Asks only who wins, not by how much, which is found sooner."""

    name: ClassVar[str] = "perfect"
    _solvers: dict[type[SearchAgent], SearchAgent] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for a table without size and for what is no book."""
        super().__post_init__()
        self.book = book_or_path(self.book)

    def reset(self, seed: int | None = None) -> None:
        """Resets the solvers, which forget what they know."""
        for solver in self._solvers.values():
            solver.reset(seed)

    def solver(self, position: Position) -> SearchAgent:
        """Returns the solver for the game of ``position``; the same one for all such games."""
        position = checked(position)
        own = knowledge_of(position).solver
        cls = (own(position) if own is not None else None) or Retrograde
        if cls not in self._solvers:
            takes = inspect.signature(cls).parameters
            given = {name: v for name, v in vars(self).items() if name in takes}
            self._solvers[cls] = cls(**given)
        return self._solvers[cls]

    def value(self, position: Position) -> float:
        """Returns the exact value of ``position`` for the player to move."""
        return self.solver(position).value(position)

    def values(self, position: Position) -> dict[int, float]:
        """Returns the exact value of each legal action for the player to move."""
        return self.solver(position).values(position)

    def analyse(self, position: Position) -> SearchResult:
        """Returns the best action, its value and best play; ValueError if the game is over."""
        position = require_unfinished(position)
        return self.solver(position).analyse(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the solver's results as they improve."""
        position = require_unfinished(position)
        return self.solver(position).analysis(position)


# ---- margins

LOWER_BOUND, UPPER_BOUND, BEST_ACTION = range(3)
"""The numbers of a position in the table; its work is the points left."""

MOST = 1 << 20
"""Larger than any margin."""

UNINTERRUPTED = 16
"""Points left up to which a search is so short that it runs without a watch for interrupts."""

Search = Callable[[Position, Counts], int]
"""``search(position, counts)``: the exact margin for the player to move."""


@dataclass(repr=False)
class MarginSolver(ExactSolver):
    """Computes a position's exact margin for the player to move: own points minus the other's.

    For games of two players whose record in ``agents.knowledge`` has ``margins``; ValueError for
    others. It searches to the end of the game, however long that takes.
    """

    table_mb: float = 128
    """Bounds the transposition table, in megabytes; it is kept from one call to the next."""

    name: ClassVar[str] = "margin_solver"
    _searches: dict[Any, Search] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def _score(
        self, position: Position, counts: Counts, low: int = -UNLIMITED, high: int = UNLIMITED
    ) -> int:
        """Returns the exact margin for the player to move, whatever the bounds."""
        return self._search_for(position)(position, counts)

    def _search_for(self, position: Position) -> Search:
        """Returns the search of the game of ``position``; the last game's table is kept."""
        game = type(position), position[: len(position.parameters)]
        if game not in self._searches:
            self._searches = {game: new_search(position, self.table_mb)}
        return self._searches[game]

    def kernels(self, start: Position) -> SolverKernels:
        """Returns the search as one kernel; ValueError for games without margins."""
        start = checked(start)
        bound = dict(vars(margins_of(start)))
        table = new_table(num_words(start), self.table_mb, numbers=3, least=2)
        return SolverKernels(exact_margin, None, MOST, MarginArrays(table, counters()), bound)

    def __getstate__(self) -> dict[str, Any]:
        """Returns all but the tables: a copy begins without one."""
        return self.__dict__ | {"_searches": {}}


def new_search(start: Position, table_mb: float) -> Search:
    """Returns the search for margins in the game of ``start``, compiled, with an empty table."""
    margins = margins_of(start)
    table = new_table(num_words(start), table_mb, numbers=3, least=2)
    kernel = exact_margin.bind(**vars(margins))
    search = prepared(kernel, start, -UNLIMITED, UNLIMITED, MarginArrays(table, counters()))

    def margin(position: Position, counts: Counts) -> int:
        given = position, -UNLIMITED, UNLIMITED, MarginArrays(table, counts)
        if position.is_terminal() or margins.left(margins.rest(position)) <= UNINTERRUPTED:
            return int(search(*given))
        return int(run(search, counts, *given))

    return margin


def margins_of(start: Position) -> Margins:
    """Returns what the record of a game says of its margins; ValueError if it says nothing."""
    margins = knowledge_of(start).margins
    if margins is None:
        raise ValueError(
            f"margin_solver solves games with margins in their record of agents.knowledge, which "
            f"{type(start).__name__} has not; use retrograde or alpha_beta"
        )
    return margins


def exact_margins(
    start: Position, work: Callable[[Any], int], quick: int, feasible: int
) -> ExactValues:
    """Returns the exact margins of moves; where games are only won or lost they are their scores.

    ``work(position)`` is what the time to solve a position depends on: ``quick`` takes a second at
    most for all moves, ``feasible`` some seconds.
    """
    return ExactValues(
        start,
        MarginSolver(),
        unit="scores" if start.max_utility == 1 else "amounts",
        work=work,
        limits=(quick, feasible),
    )


def margin_in_words(position: Position, margin: float) -> str:
    """Returns who wins, and by how much."""
    if margin == 0:
        return "a draw"
    return f"a win by {margin:g}" if margin > 0 else f"a loss by {-margin:g}"


# ---- what is bound for a game: see ``agents.knowledge.Margins``


def ahead(position: Position) -> int:
    """Returns how many points the player to move has more than the other."""
    return 0


def left(position: Position) -> int:
    """Returns how many points are left to be gathered."""
    return 0


def rest(position: Position) -> Position:
    """Returns the position that stands for all that differ in the points gathered only."""
    return position


def next_action(position: Position, first: int, tried: int) -> int:
    """Returns the most promising action not in the set ``tried``; -1 if none needs a trial."""
    return -1


# ---- the search

UNKNOWN = 1 << 40
"""Larger than any bound of a margin."""


class MarginArrays(NamedTuple):
    """Holds what the search works on."""

    table: HashTable
    """See ``transposition_table``."""
    counts: Counts
    """(10,): see ``limits``."""


@kernel
def exact_margin(position: Position, low: int, high: int, arrays: MarginArrays) -> int:
    """Returns the margin for the player to move of any position, whatever the bounds."""
    points = ahead(position)
    if position.is_terminal():
        return points
    return points + margin_of_rest(rest(position), arrays.table, arrays.counts)


@kernel
def margin_of_rest(position: Position, table: HashTable, counts: Counts) -> int:
    """Returns the margin of a rest that is not over; meaningless once counts[ABORTED] is set."""
    high = left(position)
    low, margin = -high, 0
    while low < high and counts[ABORTED] == 0:
        beta = max(margin, low + 1)
        margin = bound_of_margin(position, beta, table, counts)
        if margin < beta:
            high = margin
        else:
            low = margin
    return margin


@kernel
def bound_of_margin(position: Position, beta: int, table: HashTable, counts: Counts) -> int:
    """Returns a lower bound of the margin that is at least ``beta``, or an upper bound below it.

    ``position`` is a rest that is not over.
    """
    counts[NODES] += 1
    if must_end(counts):
        return 0
    lower, upper, first = probe_margin(position, table)
    if lower >= beta or upper < beta:
        return lower if lower >= beta else upper
    best, best_action, tried, before = -UNKNOWN, -1, 0, ahead(position)
    while best < beta:
        action = next_action(position, first, tried)
        if action < 0:
            break
        tried |= 1 << action
        child = position.play(action)
        sign = 1 if child.to_move == position.to_move else -1
        margin = sign * ahead(child) - before  # gained by the move
        if not child.is_terminal():
            enough = beta - margin if sign > 0 else margin - beta + 1
            margin += sign * bound_of_margin(rest(child), enough, table, counts)
        if counts[ABORTED] != 0:
            return 0
        if margin > best:
            best, best_action = margin, action
    store_margin(position, beta, best, (lower, upper), best_action, table)
    return best


@kernel
def probe_margin(position: Position, table: HashTable) -> tuple[int, int, int]:
    """Returns (a lower bound, an upper bound, the best action); unknown: all that is left, -1."""
    at = find_position(position, table)
    if at < 0:
        most = left(position)
        return -most, most, -1
    found = table.values[at]
    return int(found[LOWER_BOUND]), int(found[UPPER_BOUND]), int(found[BEST_ACTION])


@kernel
def store_margin(
    position: Position,
    beta: int,
    margin: int,
    bounds: tuple[int, int],
    action: int,
    table: HashTable,
) -> None:
    """Stores what a search found, with the bounds that were known before."""
    lower, upper = bounds
    write_key(position, 0, table)
    at = slot_for(table, left(position))
    write(table, at, 0, left(position))
    table.values[at, LOWER_BOUND] = max(margin, lower) if margin >= beta else lower
    table.values[at, UPPER_BOUND] = upper if margin >= beta else min(margin, upper)
    table.values[at, BEST_ACTION] = action
