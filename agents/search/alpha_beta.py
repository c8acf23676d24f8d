"""Alpha-beta, state of the art, for any game of two players without chance.

Iterative deepening, each iteration a principal variation search (``principal_variation.py``). A
transposition table (``transposition_table.py``) and what was learned in earlier iterations
(``ordering.py``) put the best move first. ``benchmarks/ablation.py`` shows what each of them gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adv_envs import Position
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_limit,
    require_position,
    require_seconds,
    require_table,
    require_two_players,
)
from agents.knowledge import knowledge_of

from .limits import (
    ABORTED,
    CUT_OFF,
    DEFAULT_NODES,
    EVALUATION_LIMIT,
    LEAVES,
    MAX_DEPTH,
    NODES,
    NOISY_PLIES,
    NULL_WINDOW,
    SHALLOW,
    STEP,
    STOP,
    USE_HISTORY,
    USE_KILLERS,
    WIN,
    Deadline,
    counters,
    in_utilities,
    interruptible,
    prepared,
    require_no_chance,
)
from .minimax import Line, read_line
from .ordering import ordering_tables
from .principal_variation import principal_variation
from .transposition_table import acquire, release


@dataclass(repr=False)
class AlphaBeta(SearchAgent):
    """Alpha-beta, one ply deeper at a time until a limit or the end of the game is reached.

    It is a principal variation search with a transposition table. The switches from ``symmetry`` on
    can be turned off to see what they gain; only ``quiescence`` changes the values found.
    """

    depth: int | None = None
    """Plies looked ahead at most; None: as deep as the other limits allow."""
    seconds: float | None = None
    """Wall-clock time for one decision; None: no limit of time."""
    nodes: int | None = None
    """Positions that one decision may visit; None: no limit of nodes. With no limit at all, a
    million nodes."""
    evaluate: Callable[[Any], float] | None = None
    """``evaluate(position)`` values positions at the depth limit for the player to move; None: all
    are even."""
    order: Callable[[Any, int], float] | str | None = "own"
    """``order(position, action)`` says which actions to try first, larger numbers before smaller
    ones; "own" is the game's own, where it has one, None as they are numbered."""
    table_mb: float = 16
    """Bounds the transposition table, in megabytes; 0 turns it off."""
    symmetry: bool = True
    """Whether positions that a symmetry of the game makes equal share an entry of the table."""
    quiescence: bool = True
    """Whether noisy moves, such as captures, are followed beyond the depth before a position is
    evaluated, in games that say which these are."""
    killers: bool = True
    """Whether moves that cut off at the same ply before are tried early."""
    history: bool = True
    """Whether moves that cut off often, wherever, are tried early."""
    null_window: bool = True
    """Whether moves after the first are searched with a null window first."""

    name: ClassVar[str] = "alpha_beta"

    def __post_init__(self) -> None:
        """Raises ValueError for a limit that allows nothing."""
        require_limit("depth", self.depth)
        require_limit("nodes", self.nodes)
        require_seconds(self.seconds)
        require_function("evaluate", self.evaluate)
        if self.order != "own":
            require_function("order", self.order)
        require_table(self.table_mb, none=True)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the result of each iteration, one ply deeper than the one before.

        When time or nodes run out in the middle of one, the best move it has found so far counts.
        ValueError unless two players and an unfinished game.
        """
        search = IterativeDeepening(self, position)
        result = None
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                result = search.iterate(position, depth, result)
                yield result
                if result.proven or search.counts[ABORTED] or search.counts[STOP]:
                    break

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action, all looked ahead equally far, within one budget.

        Empty where the game is over.
        """
        require_position(position)
        if position.is_terminal():
            return {}
        search = IterativeDeepening(self, position)
        children = {action: position.play(action) for action in position.legal_actions()}
        values = dict.fromkeys(children, 0.0)
        proven: set[int] = set()
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                found = {}
                for action, child in children.items():
                    if action not in proven:
                        found[action] = search.value_of_child(position, child, depth)
                        if search.counts[ABORTED]:
                            return values
                values |= {action: value for action, (value, _) in found.items()}
                proven |= {action for action, (_, known) in found.items() if known}
                if len(proven) == len(children):
                    break
        return values

    def bindings(self, position: Position) -> dict[str, Any]:
        """Returns what is bound in the kernels for this agent and the game of ``position``."""
        names: dict[str, Any] = {}
        if self.evaluate is not None:
            names.update(evaluate=self.evaluate, EVALUATED=True)
        if self.order not in ("own", None):
            names.update(order=self.order, ORDERED=True)
        known = knowledge_of(position)
        if self.symmetry and known.symmetries is not None:
            names.update(vars(known.symmetries))
            del names["whole_image"]  # positions are compared, not played on
        if known.table_key is not None:
            names.update(table_key=known.table_key, KEYED=True)
        if self.evaluate is not None and self.quiescence and known.noise is not None:
            names.update(noise=known.noise, NOISY=True)
        return names


class IterativeDeepening:
    """One search of an agent: the kernel and the arrays it works on, as a context manager."""

    def __init__(self, agent: AlphaBeta, position: Position) -> None:
        """Allocates the arrays and compiles; ValueError if ``position`` cannot be searched."""
        require_two_players(position, agent.name)
        require_no_chance(position, agent.name)
        bindings = agent.bindings(position)
        noisy = "noise" in bindings
        self.kernel = principal_variation.bind(**bindings)
        unlimited = agent.depth is None and agent.seconds is None and agent.nodes is None
        self.counts = counters(DEFAULT_NODES if unlimited else agent.nodes)
        # an evaluation or an order of moves costs more than a look into the table
        cheap = agent.evaluate is None and agent.order in ("own", None)
        self.counts[SHALLOW] = shallow_plies(position) if cheap else 0 if noisy else 1
        self.counts[USE_KILLERS] = agent.killers
        self.counts[USE_HISTORY] = agent.history
        self.counts[NULL_WINDOW] = agent.null_window
        self.deepest = min(agent.depth or MAX_DEPTH, MAX_DEPTH)
        self.bound = float(WIN * max(position.max_utility, 1))
        self.line: Line = np.empty((self.deepest + 2, self.deepest + 2), np.int64)
        key = bindings.get("table_key")
        self.table = acquire(key(position) if key else position, agent.table_mb)
        self.arrays = (
            self.line,
            ordering_tables(position, self.deepest + noisy * NOISY_PLIES, agent.order == "own"),
            *self.table,
            self.counts,
        )
        self.search = prepared(self.kernel, position, 1, -self.bound, self.bound, 0, *self.arrays)
        self.began = time.perf_counter()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        release(*self.table)

    def iterate(self, position: Position, depth: int, last: SearchResult | None) -> SearchResult:
        """Returns the result of the iteration of this depth; of the last one, if it was aborted."""
        value, proven = self.search_to(position, depth)
        line = read_line(self.line)
        if self.counts[ABORTED]:
            last = last or SearchResult(position.legal_actions()[0], 0.0)
            if not line or line[0] == last.action:
                action, value, line = last.action, last.value, last.principal_variation
            else:
                action, value = line[0], last.value
            depth, proven = last.depth, False
        else:
            action, value = line[0], without_steps(value, len(line), proven)
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

    def search_to(self, position: Position, depth: int) -> tuple[float, bool]:
        """Returns (the value, ``depth`` plies ahead, on the scale of the search; whether proven).

        A win in fewer plies would have been found by the iteration before.
        """
        self.counts[CUT_OFF] = 0
        quickest = self.bound - STEP * depth
        most = max(quickest + STEP / 2, float(np.nextafter(quickest, np.inf)))
        search = interruptible(self.search, self.counts, self.began)
        value = search(position, depth, -most, most, 0, *self.arrays)
        return float(value), bool(self.counts[CUT_OFF] == 0 or abs(value) > self.bound - 1)

    def value_of_child(self, position: Position, child: Position, depth: int) -> tuple[float, bool]:
        """Returns (the value of moving to ``child``, ``depth`` plies ahead in all, whether proven).

        It is for the player who moves.
        """
        if child.is_terminal():
            return float(child.utility(position.to_move)), True
        sign = 1 if child.to_move == position.to_move else -1
        if depth == 1:
            evaluate = self.kernel.bindings.get("evaluate")
            return (sign * float(evaluate(child)) if evaluate else 0.0), False
        value, proven = self.search_to(child, depth - 1)
        return sign * without_steps(value, len(read_line(self.line)), proven) + 0.0, proven


def shallow_plies(position: Position) -> int:
    """Returns the depth up to which table and move ordering cost more than they save.

    That is a few hundred leaves. Connect Four: 3 plies instead of 2 visit a quarter more positions
    in two thirds of the time.
    """
    return 3 if position.num_actions < 10 else 2


def without_steps(value: float, plies: int, proven: bool) -> float:
    """Returns a search value as users see it: a utility if proven, else the evaluation.

    ``plies`` is the length of the line to the end, which counts in the search's value of a win.
    """
    if abs(value) > EVALUATION_LIMIT:
        value += STEP * plies if value > 0 else -STEP * plies
    return in_utilities(value, proven)
