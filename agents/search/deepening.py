"""Iterative deepening: one search of alpha-beta, a ply deeper each time, and what it says."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from adv_envs import Position
from agents.agent import SearchResult, require_two_players
from agents.knowledge import knowledge_of

from .limits import (
    ABORTED,
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    NODES,
    NULL_WINDOW,
    SHALLOW,
    STEP,
    USE_HISTORY,
    USE_KILLERS,
    WIN,
    call,
    counters,
    prepared,
    read_line,
    require_no_chance,
    run,
)
from .ordering import new_desk, preference
from .principal_variation import principal
from .table import give_back, take

if TYPE_CHECKING:
    from .alpha_beta import AlphaBeta

MAX_DEPTH = 512
DEFAULT_NODES = 1_000_000


class Deepening:
    """One search of an agent: the kernel, and the arrays it works on; a context manager."""

    def __init__(self, agent: AlphaBeta, position: Position) -> None:
        """Make room for a search from ``position``; ValueError if it is not one to search."""
        require_two_players(position, agent.name)
        require_no_chance(position, agent.name)
        self.kernel = principal.bind(**bound(agent, position))
        unlimited = agent.depth is None and agent.seconds is None and agent.nodes is None
        self.counts = counters(DEFAULT_NODES if unlimited else agent.nodes)
        # an evaluation or an order of moves costs more than a look into the table
        plain = agent.evaluate is None and agent.order in ("own", None)
        self.counts[SHALLOW] = shallow_plies(position) if plain else 1
        self.counts[USE_KILLERS] = agent.killers
        self.counts[USE_HISTORY] = agent.history
        self.counts[NULL_WINDOW] = agent.null_window
        self.deepest = min(agent.depth or MAX_DEPTH, MAX_DEPTH)
        self.bound = float(WIN * max(position.max_utility, 1))
        self.line = np.empty((self.deepest + 2, self.deepest + 2), np.int64)
        self.table = take(position, agent.table_mb)
        self.arrays = (
            self.line,
            preference(position, own=agent.order == "own"),
            new_desk(position, self.deepest),
            *self.table,
            self.counts,
        )
        self.search = prepared(self.kernel, position, 1, -self.bound, self.bound, 0, *self.arrays)
        self.began = time.perf_counter()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        give_back(*self.table)

    def deepen(self, position: Position, depth: int, last: SearchResult | None) -> SearchResult:
        """The result of the iteration of this depth; of the last one, if this one was aborted."""
        value, proven = self.iterate(position, depth)
        line = read_line(self.line)
        if self.counts[ABORTED]:
            last = last or SearchResult(position.legal_actions()[0], 0.0)
            if not line or line[0] == last.action:
                action, value, line = last.action, last.value, last.principal_variation
            else:
                action, value = line[0], last.value
            depth, proven = last.depth, False
        else:
            action, value = line[0], reported(value, len(line), proven)
        return SearchResult(
            action,
            value,
            line,
            int(self.counts[NODES]),
            int(self.counts[LEAVES]),
            depth,
            time.perf_counter() - self.began,
            proven,
        )

    def iterate(self, position: Position, depth: int) -> tuple[float, bool]:
        """(the value, ``depth`` plies ahead, on the inner scale; whether it is proven).

        Whoever can win in fewer plies would have been found to by the iteration before.
        """
        self.counts[CUT_OFF] = 0
        quickest = self.bound - STEP * depth
        most = max(quickest + STEP / 2, float(np.nextafter(quickest, np.inf)))
        # the early iterations are over before anybody could interrupt them
        go = run if time.perf_counter() - self.began > 0.02 else call
        value = go(self.search, self.counts, position, depth, -most, most, 0, *self.arrays)
        return float(value), bool(self.counts[CUT_OFF] == 0 or abs(value) > self.bound - 1)

    def after(self, position: Position, child: Position, depth: int) -> tuple[float, bool]:
        """(what moving to ``child`` is worth, ``depth`` plies ahead in all; whether proven)."""
        if child.is_terminal():
            return float(child.utility(position.to_move)), True
        sign = 1 if child.to_move == position.to_move else -1
        if depth == 1:
            evaluated = self.kernel.bindings.get("evaluate")
            return (sign * float(evaluated(child)) if evaluated else 0.0), False
        value, proven = self.iterate(child, depth - 1)
        return sign * reported(value, len(read_line(self.line)), proven) + 0.0, proven


def shallow_plies(position: Position) -> int:
    """The depth at which neither table nor order is worth its time any more: a few hundred leaves.

    Connect Four: 3 plies instead of 2 visit a quarter more positions in two thirds of the time.
    """
    return 3 if position.num_actions < 10 else 2


def reported(value: float, plies: int, proven: bool) -> float:
    """A value for people: a utility where it is one, else the evaluation as it came.

    ``plies`` is the length of the line to the end, which the inner value of a win has in it.
    """
    if abs(value) > EVALUATION_LIMIT:
        value += STEP * plies if value > 0 else -STEP * plies
    return float(value / WIN if proven else value) + 0.0  # + 0.0 turns -0.0 into 0.0


def bound(agent: AlphaBeta, position: Position) -> dict[str, Any]:
    """What the kernels' global names stand for in the search of ``agent``."""
    names: dict[str, Any] = {}
    if agent.evaluate is not None:
        names.update(evaluate=agent.evaluate, EVALUATED=True)
    if agent.order not in ("own", None):
        names.update(order=agent.order, ORDERED=True)
    symmetries = knowledge_of(position).symmetries if agent.symmetry else None
    if symmetries is not None:
        names.update(vars(symmetries))
    return names
