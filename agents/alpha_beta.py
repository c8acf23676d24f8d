"""Alpha-beta, state of the art: for any game of two.

Iterative deepening, each iteration a principal variation search (Marsland and Campbell 1982): the
line that looks best is searched with an open window, all other moves only with a null window, which
asks no more than whether they are better. A transposition table (``table``) and what was learned on
the way (``ordering``) put the best move first. ``benchmarks/ablation.py`` shows what each is worth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adv_envs import Position
from adv_envs.jit import kernel

from .agent import (
    SearchAgent,
    SearchResult,
    require_function,
    require_limit,
    require_seconds,
    require_two_players,
)
from .heuristics import knowledge
from .minimax import end_line, extend_line, valued
from .ordering import new_desk, pick, rank, reward
from .search import (
    ABORTED,
    CUT_OFF,
    EVALUATION_LIMIT,
    LEAVES,
    NODE_LIMIT,
    NODES,
    NULL_WINDOW,
    SHALLOW,
    STEP,
    STOP,
    USE_HISTORY,
    USE_KILLERS,
    WIN,
    Deadline,
    call,
    counters,
    prepared,
    read_line,
    require_no_chance,
    run,
)
from .table import give_back, recall, remember, take

MAX_DEPTH = 512
DEFAULT_NODES = 1_000_000

EVALUATED = False
"""Whether an evaluation is bound. It may take long, so the clock is looked at before each."""


@kernel
def principal(  # type: ignore[no-untyped-def]
    position, depth, alpha, beta, ply, line, preference, desk, entries, values, counts
):
    """The value of an unfinished ``position`` for the player to move, ``depth`` >= 1 plies ahead.

    Between ``alpha`` and ``beta`` it is the value, and line[ply] is best play, complete to the
    depth or the end of the game; at or below alpha an upper bound of the value, at or above beta a
    lower bound. Meaningless once counts[ABORTED] is set, but for line[0], the best so far. Each
    move of the root is looked at once, whatever the limits.
    """
    counts[NODES] += 1
    end_line(line, ply)
    if depth > 1 and (counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0):
        counts[ABORTED] = 1
        return 0.0
    # the table's value would save time here, and cost the rest of the line
    first = recall(position, depth, -np.inf, np.inf, ply, entries, values)[3]
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = rank(position, first, ply, preference, desk, counts)
    for i in range(number):
        action = pick(i, number, ply, desk)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        if depth == 1 or child.is_terminal():
            end_line(line, ply + 1)
            value = leaf(child, position.to_move, ply + 1, counts)
        else:
            better = i == 0 or counts[NULL_WINDOW] == 0
            if not better:
                more = np.nextafter(low, np.inf)
                worst, enough = (low, more) if sign > 0 else (-more, -low)
                value = sign * scout(
                    child, depth - 1, worst, enough, ply + 1, preference, desk, entries, values,
                    counts,
                )  # fmt: skip
                better = value > low
            if better:
                worst, enough = (low, beta) if sign > 0 else (-beta, -low)
                value = sign * principal(
                    child, depth - 1, worst, enough, ply + 1, line, preference, desk, entries,
                    values, counts,
                )  # fmt: skip
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action = value, action
        if value > low:
            low = value
            extend_line(line, ply, action)
            if low >= beta or (ply == 0 and low + STEP > beta):
                break  # at the root nothing is worth more than half a step below beta
    conclude(
        position, depth, cut_off, alpha, beta, ply, best, best_action, desk, entries, values, counts
    )
    return best


@kernel
def scout(  # type: ignore[no-untyped-def]
    position, depth, alpha, beta, ply, preference, desk, entries, values, counts
):
    """``alpha_beta`` from any depth above 0."""
    if depth > counts[SHALLOW]:
        return alpha_beta(
            position, depth, alpha, beta, ply, preference, desk, entries, values, counts
        )
    counts[NODES] += 1
    return shallow(position, depth, alpha, beta, ply, preference, counts)


@kernel
def alpha_beta(  # type: ignore[no-untyped-def]
    position, depth, alpha, beta, ply, preference, desk, entries, values, counts
):
    """As ``principal``, for a null window and ``depth`` > counts[SHALLOW]: there is no line."""
    counts[NODES] += 1
    if counts[NODES] >= counts[NODE_LIMIT] or counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    known, value, complete, first = recall(position, depth, alpha, beta, ply, entries, values)
    if known:
        counts[CUT_OFF] += not complete
        return value
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = rank(position, first, ply, preference, desk, counts)
    for i in range(number):
        action = pick(i, number, ply, desk)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        worst, enough = (low, beta) if sign > 0 else (-beta, -low)
        if child.is_terminal():
            value = leaf(child, position.to_move, ply + 1, counts)
        elif depth <= counts[SHALLOW] + 1:
            counts[NODES] += 1
            value = sign * shallow(child, depth - 1, worst, enough, ply + 1, preference, counts)
        else:
            value = sign * alpha_beta(
                child, depth - 1, worst, enough, ply + 1, preference, desk, entries, values, counts
            )
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action, low = value, action, max(low, value)
            if low >= beta:
                break
    conclude(
        position, depth, cut_off, alpha, beta, ply, best, best_action, desk, entries, values, counts
    )
    return best


@kernel
def shallow(position, depth, alpha, beta, ply, preference, counts):  # type: ignore[no-untyped-def]
    """``alpha_beta`` for the last plies, down to ``depth`` 1, where children are valued at once.

    Most positions of a search are visited here, so it carries little: no table, no order.
    """
    best, low, visited, ended, cut_off = -np.inf, alpha, 0, 0, 0
    for i in range(position.num_actions):
        action = int(preference[i])
        if position.legal(action):
            child = position.play(action)
            visited += 1
            sign = 1.0 if child.to_move == position.to_move else -1.0
            if child.is_terminal():
                ended += 1
                value = worth(child, position.to_move, ply + 1)
            elif depth == 1:
                if EVALUATED and counts[STOP] != 0:
                    counts[ABORTED] = 1
                    return 0.0
                cut_off += 1
                value = sign * valued(child)
            elif sign > 0:
                value = shallow(child, depth - 1, low, beta, ply + 1, preference, counts)
            else:
                value = -shallow(child, depth - 1, -beta, -low, ply + 1, preference, counts)
            if value > best:
                best = value
                low = max(low, value)
                if low >= beta:
                    break
    counts[NODES] += visited
    counts[LEAVES] += ended + cut_off
    counts[CUT_OFF] += cut_off
    return best


@kernel
def leaf(position, player, ply, counts):  # type: ignore[no-untyped-def]
    """The value to ``player`` of a position that is not searched, ``ply`` plies from the root."""
    counts[NODES] += 1
    counts[LEAVES] += 1
    if position.is_terminal():
        return worth(position, player, ply)
    counts[CUT_OFF] += 1
    if EVALUATED and ply > 1 and counts[STOP] != 0:
        counts[ABORTED] = 1
        return 0.0
    return valued(position) if position.to_move == player else -valued(position)


@kernel
def worth(position, player, ply):  # type: ignore[no-untyped-def]
    """What a finished game, ``ply`` plies from the root, is worth to ``player``: soon, if won."""
    value = WIN * position.utility(player)
    if value > EVALUATION_LIMIT:
        return value - STEP * ply
    if value < -EVALUATION_LIMIT:
        return value + STEP * ply
    return value


@kernel
def conclude(  # type: ignore[no-untyped-def]
    position, depth, cut_off, alpha, beta, ply, value, action, desk, entries, values, counts
):
    """Learn from a search: its move and its value, complete if nothing was cut off by the depth.

    Who has won all there is to win need not know the other lines, whatever cut them off.
    """
    if abs(value) > WIN * max(position.max_utility, 1) - 1:
        counts[CUT_OFF] = cut_off
    complete = counts[CUT_OFF] == cut_off
    if value > alpha:
        reward(position, action, depth, ply, desk)
    remember(position, depth, complete, alpha, beta, ply, value, action, entries, values)


@dataclass(repr=False)
class AlphaBeta(SearchAgent):
    """Alpha-beta, one ply deeper at a time until a limit or the end of the game is reached.

    ``depth`` is in plies, ``nodes`` and ``seconds`` are for one decision; with none of the three, a
    million nodes. ``evaluate(position)`` values positions at the depth limit for the player to
    move (None: all even). ``order(position, action)`` says which actions to try first: "own" is the
    game's own, where it has one, None as they are numbered. ``table_mb`` bounds the transposition
    table; 0 turns it off. ``symmetry``, ``killers``, ``history`` and ``null_window`` can be turned
    off to see what they are worth; the values found are the same.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    evaluate: Callable[[Any], float] | None = None
    order: Callable[[Any, int], float] | str | None = "own"
    table_mb: float = 16
    symmetry: bool = True
    killers: bool = True
    history: bool = True
    null_window: bool = True

    name: ClassVar[str] = "alpha_beta"

    def __post_init__(self) -> None:
        """Raise ValueError for a limit that allows nothing."""
        require_limit("depth", self.depth)
        require_limit("nodes", self.nodes)
        require_seconds(self.seconds)
        require_function("evaluate", self.evaluate)
        if self.order != "own":
            require_function("order", self.order)
        if not self.table_mb >= 0:
            raise ValueError(f"table_mb must not be negative, not {self.table_mb}")

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """The result of each iteration, one ply deeper than the one before.

        When time or nodes run out in the middle of one, the best move it has found so far counts.
        ValueError unless two players and an unfinished game.
        """
        search = Deepening(self, position)
        result = None
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                result = search.deepen(position, depth, result)
                yield result
                if result.proven or search.counts[ABORTED] or search.counts[STOP]:
                    break

    def values(self, position: Position) -> dict[int, float]:
        """What each action is worth, all of them looked ahead equally far, within one budget."""
        search = Deepening(self, position)
        children = {action: position.play(action) for action in position.legal_actions()}
        values = dict.fromkeys(children, 0.0)
        proven: set[int] = set()
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                found = {}
                for action, child in children.items():
                    if action not in proven:
                        found[action] = search.after(position, child, depth)
                        if search.counts[ABORTED]:
                            return values
                values |= {action: value for action, (value, _) in found.items()}
                proven |= {action for action, (_, known) in found.items() if known}
                if len(proven) == len(children):
                    break
        return values


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
            preference(agent, position),
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
    if agent.symmetry:
        for name in ("num_images", "image", "image_action", "inverse_image"):
            known = knowledge(position, name)
            if known is not None:
                names[name] = known
    return names


def preference(agent: AlphaBeta, position: Position) -> np.ndarray[Any, np.dtype[np.int64]]:
    """All actions, shape (num_actions,), those the game itself would try first in front."""
    actions = range(position.num_actions)
    own = knowledge(position, "centre") if agent.order == "own" else None
    if own is not None:
        own = getattr(own, "plain", own)
        actions = sorted(actions, key=lambda action: -own(position, action))  # type: ignore[assignment]
    return np.array(actions, np.int64)
