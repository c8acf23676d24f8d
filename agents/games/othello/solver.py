"""The Othello solver: an agent that knows the exact score of every position, if it has the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import Position
from adv_envs.games.othello import Othello
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_position,
    require_table,
    require_unfinished,
)
from agents.knowledge import MoveOrder
from agents.search.limits import ABORTED, NODES, UNLIMITED, Counts, counters, run

from .endgame_search import MOST, new_stack, new_table, search
from .evaluations import corners_first

LINE_NODES = 1_000_000
"""Nodes that may be spent on the line of best play, besides as many as the scores took."""


@dataclass(repr=False)
class OthelloSolver(SearchAgent):
    """The exact score of positions of Othello: the own discs minus the opponent's at the end.

    With ``weak`` it is 1, 0 or -1, which is found sooner. On 4 x 4 that takes a tenth of a second
    from the start; on larger boards the time grows about fourfold with every two empty cells, and
    up to 20 it is seconds. ``table_mb`` bounds the memory of the transposition table, which is kept
    from one call to the next and changes no value. Threads may share a solver.
    """

    table_mb: float = 64
    """Bounds the transposition table, in megabytes; it is kept from one call to the next."""
    weak: bool = False
    """Tells only who wins, 1, -1 or 0, which is found sooner."""

    name: ClassVar[str] = "othello_solver"
    _searches: dict[int, EndgameSearch] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError for a table of no size."""
        require_table(self.table_mb)

    def value(self, position: Position) -> float:
        """Returns the score of ``position``, also of a finished one."""
        return float(self._score(position, counters()))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move."""
        require_position(position)
        *_, values = {}, *self.solving(position)
        return values

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """Yields the scores of the actions as they become known, likely ones first."""
        require_position(position)
        counts, values = counters(), dict[int, float]()
        for action in likely_first(position):
            values[action] = 0.0 - self._score(position.play(action), counts)
            yield dict(sorted(values.items()))

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields a result after each move that is solved; the last has best play and is proven."""
        require_unfinished(position)
        self._search_for(position)  # before the time is taken
        counts, began = counters(), time.perf_counter()
        values: dict[int, float] = {}
        for action in likely_first(position):
            values[action] = 0.0 - self._score(position.play(action), counts)
            best = max(values, key=lambda a: values[a])
            known = dict(sorted(values.items()))
            seconds = time.perf_counter() - began
            yield SearchResult(
                best, values[best], (best,), int(counts[NODES]), values=known, seconds=seconds
            )
        line = (best, *self.line(position.play(best), int(counts[NODES]) + LINE_NODES))
        seconds = time.perf_counter() - began
        yield SearchResult(
            best,
            values[best],
            line,
            nodes=int(counts[NODES]),
            depth=len(line),
            values=known,
            seconds=seconds,
            proven=True,
        )

    def act(self, position: Position) -> int:
        """Returns one of the best actions; ValueError if the game is over."""
        require_unfinished(position)
        return self._best(position, counters())

    def line(self, position: Position, nodes: int = UNLIMITED) -> tuple[int, ...]:
        """Returns best play to the end of the game, as far as ``nodes`` positions suffice."""
        line: list[int] = []
        counts = counters(nodes)
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
        score = self._score(position, counts)
        actions = likely_first(position)
        for action in actions[:-1]:
            child = position.play(action)
            if self._score(child, counts, -score, 1 - score) <= -score or counts[ABORTED]:
                return action
        return actions[-1]

    def _score(self, position: Position, counts: Counts, low: int = -MOST, high: int = MOST) -> int:
        """Returns the score, or a bound of it outside of ``low`` to ``high``; cut if ``weak``."""
        search = self._search_for(position)
        if not self.weak:
            return search.score(position, counts, low, high)
        score = search.score(position, counts, max(low, -1), min(high, 1))
        return (score > 0) - (score < 0)

    def _search_for(self, position: Position) -> EndgameSearch:
        """Returns the search, ready compiled, for boards of that size; ValueError for no board."""
        require_position(position)
        if not isinstance(position, Othello):
            raise ValueError(f"{self.name} solves othello, not {type(position).__name__}")
        size = position.size
        if size not in self._searches:
            search = EndgameSearch(position, self.table_mb)
            self._searches.setdefault(size, search)  # that of another thread, if it was faster
        return self._searches[size]


class EndgameSearch:
    """The compiled search for boards of one size, with its table.

    ``bindings`` are bound to the search, to measure it without one of its techniques.
    """

    def __init__(self, position: Othello, table_mb: float, **bindings: Any) -> None:
        self.start = Othello(position.size)
        self.table = new_table(table_mb)
        self.stacks = [new_stack(self.start)]
        kernel: Any = search.bind(GAME=self.start, **bindings)
        args = self.start, -MOST, MOST, self.table, self.stacks[0], counters()
        self.search: Callable[..., int] = kernel.ready(*args)

    def score(self, position: Any, counts: Counts, low: int, high: int) -> int:
        """Returns what ``search`` does; Ctrl-C stops it. Each search has a stack of its own."""
        try:
            stack = self.stacks.pop()
        except IndexError:  # another thread has the last one
            stack = new_stack(self.start)
        same = Othello(position.size, False, *position[2:])
        found = run(self.search, counts, same, low, high, self.table, stack, counts)
        self.stacks.append(stack)
        return int(found)


def likely_first(position: Position) -> list[int]:
    """Returns the legal actions: first those that leave the opponent the fewest answers."""
    order: MoveOrder = getattr(corners_first, "plain", corners_first)

    def answers(action: int) -> tuple[float, float]:
        return len(position.play(action).legal_actions()), -order(position, action)

    return sorted(position.legal_actions(), key=answers)
