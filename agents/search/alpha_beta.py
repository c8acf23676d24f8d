"""Searches by alpha-beta, state of the art, any game of two players without chance.

Iterative deepening, each iteration a principal variation search: the line that looks best is
searched with an open window; all other moves get a null window (``scout``, ``alpha_beta``), which
only asks whether they are better, and the last plies use neither table nor move ordering
(``plain_alpha_beta``). A transposition table (``transposition_table.py``) and what was learned in
earlier iterations (``ordering.py``) put the best move first. ``benchmarks/ablation.py`` shows what
each of them gains. Source: T. A. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game
Trees, 1982.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import kernel
from adv_envs.position import checked
from agents.agent import SearchAgent, SearchResult, require_function, require_two_players
from agents.knowledge import knowledge_of

from .limits import (
    ABORTED,
    CUT_OFF,
    DEFAULT_NODES,
    EVALUATION_LIMIT,
    MAX_DEPTH,
    NODES,
    NOISY_PLIES,
    NULL_WINDOW,
    SHALLOW,
    STEP,
    USE_HISTORY,
    USE_KILLERS,
    WIN,
    Counts,
    Deadline,
    anew_when_compiled,
    begins_anew,
    counters,
    in_utilities,
    interruptible,
    is_over,
    must_end,
    prepared,
    require_no_chance,
    search_result,
)
from .minimax import (
    Line,
    SearchWindow,
    ShallowArrays,
    end_line,
    evaluate,
    extend_line,
    leaf_value,
    plain_alpha_beta,
    read_line,
)
from .ordering import ordering_tables, pick_action, record_cutoff, score_actions
from .transposition_table import KEYED, HashTable, acquire, probe, release, store


@dataclass(repr=False)
class AlphaBeta(SearchAgent):
    """Searches by alpha-beta, one ply deeper at a time, until a limit or the end of the game.

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
    table_optional: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for limits that allow nothing, and what is no function."""
        super().__post_init__()
        if self.order != "own":
            require_function("order", self.order)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the result of each iteration, one ply deeper than the one before.

        When time or nodes run out in the middle of one, the best move it has found so far counts.
        ValueError unless two players and an unfinished game.
        """
        search = IterativeDeepening(self, position)
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                result = search.iterate(position, depth)
                yield result
                if result.proven or is_over(search.counts):
                    break

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action, all looked ahead equally far, within one budget.

        Empty where the game is over.
        """
        position = checked(position)
        if position.is_terminal():
            return {}
        search = IterativeDeepening(self, position)
        found = new_move_table(position.legal_actions())
        with search, Deadline(search.counts, self.seconds):
            for depth in range(1, search.deepest + 1):
                if search.value_moves(position, depth, found) != MORE:
                    break
        return dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))

    @property
    def most_nodes(self) -> int | None:
        """Returns how many positions a decision may visit; None: as many as time allows."""
        unlimited = self.depth is None and self.seconds is None and self.nodes is None
        return DEFAULT_NODES if unlimited else self.nodes

    @property
    def deepest(self) -> int:
        """Returns how many plies are looked ahead at most."""
        return min(self.depth or MAX_DEPTH, MAX_DEPTH)

    def switches(self, position: Position) -> dict[int, int]:
        """Returns what the switches among the counters of a search are."""
        # an evaluation or an order of moves costs more than a look into the table
        cheap = self.evaluate is None and self.order in ("own", None)
        noisy = "noise" in self.bindings(position)
        return {
            SHALLOW: shallow_plies(position) if cheap else 0 if noisy else 1,
            USE_KILLERS: int(self.killers),
            USE_HISTORY: int(self.history),
            NULL_WINDOW: int(self.null_window),
        }

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
            for name in ("whole_image", "complete", "kinds"):  # positions are not played on
                del names[name]
        if known.table_key is not None:
            names.update(table_key=known.table_key, KEYED=True)
        if self.evaluate is not None and self.quiescence and known.noise is not None:
            names.update(noise=known.noise, NOISY=True)
        return names


class IterativeDeepening:
    """Runs one search of an agent: the kernel and its arrays, as a context manager."""

    def __init__(self, agent: AlphaBeta, position: Position) -> None:
        """Allocates the arrays and compiles; ValueError if ``position`` cannot be searched."""
        position = require_two_players(position, agent.name)
        require_no_chance(position, agent.name)
        bindings = agent.bindings(position)
        noisy = "noise" in bindings
        self.kernel = principal_variation.bind(**bindings)
        self.counts = counters(agent.most_nodes)
        for switch, value in agent.switches(position).items():
            self.counts[switch] = value
        self.deepest = agent.deepest
        key = bindings.get("table_key")
        plies = self.deepest + noisy * NOISY_PLIES
        self.arrays = DeepArrays(
            np.empty((self.deepest + 2, self.deepest + 2), np.int64),
            acquire(key(position) if key else position, agent.table_mb),
            ShallowArrays(ordering_tables(position, plies, agent.order == "own"), self.counts),
        )
        self.search = prepared(self.kernel, position, widest_window(position, 1), self.arrays)
        anew_when_compiled(self.counts)
        self._iterate = iterate.bind(principal_variation=self.search).plain
        self.outcome = new_outcome(self.deepest)
        self.began = time.perf_counter()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        release(self.arrays.table)

    def iterate(self, position: Position, depth: int) -> SearchResult:
        """Returns the result of the iteration of this depth; of the last one, if it was aborted."""
        search = interruptible(self._iterate, self.counts, self.began)
        search(position, depth, self.outcome, self.arrays)
        while begins_anew(self.counts):
            search(position, depth, self.outcome, self.arrays)
        action, value, searched, proven = self.outcome.numbers.tolist()
        line = read_line(self.outcome.line)
        found = {"depth": int(searched), "proven": bool(proven)}
        return search_result(self.counts, self.began, int(action), value, line, **found)

    def value_moves(self, position: Position, depth: int, found: MoveTable) -> int:
        """Values each move, ``depth`` plies ahead in all; returns what ``value_moves`` returns."""
        compiled: dict[str, Any] = {"principal_variation": self.search}
        if "evaluate" in self.kernel.bindings:
            compiled["evaluate"] = self.kernel.bindings["evaluate"].__call__  # not plain Python
        search = interruptible(value_moves.bind(**compiled).plain, self.counts, self.began)
        answer = search(position, depth, found, self.arrays)
        while begins_anew(self.counts):
            answer = search(position, depth, found, self.arrays)
        return int(answer)


def shallow_plies(position: Position) -> int:
    """Returns the depth up to which table and move ordering cost more than they save.

    That is a few hundred leaves. Connect Four: 3 plies instead of 2 visit a quarter more positions
    in two thirds of the time.
    """
    return 3 if position.num_actions < 10 else 2


# ---- the iterations, which run compiled in engines, and plainly around a compiled search here

MORE, INTERRUPTED, ALL_PROVEN = range(3)
"""What ``value_moves`` returns: whether it is worth while to look deeper."""

ACTION, VALUE, DEPTH, PROVEN = range(4)
"""The elements of ``Outcome.numbers``."""


class Outcome(NamedTuple):
    """Holds what a search has found so far."""

    numbers: NDArray[np.float64]
    """(4,): the best action, its value as users see it, the plies looked ahead, and whether the
    value is proven."""
    line: Line
    """(1, plies + 2): best play, ended by -1."""


class MoveTable(NamedTuple):
    """Holds what a search has found of each legal move so far."""

    actions: NDArray[np.int64]
    """(n,): the moves."""
    values: NDArray[np.float64]
    """(n,): their values as users see them, for the player who moves."""
    latest: NDArray[np.float64]
    """(n,): the same, of the depth that is looked at."""
    proven: NDArray[np.float64]
    """(n,): 1 for moves whose value is proven, else 0."""


def new_move_table(actions: list[int]) -> MoveTable:
    """Returns a table in which nothing is known of these moves."""
    return MoveTable(np.array(actions, np.int64), *np.zeros((3, len(actions))))


def new_outcome(deepest: int) -> Outcome:
    """Returns room for the outcome of a search that looks ``deepest`` plies ahead at most."""
    return Outcome(np.zeros(4), np.full((1, deepest + 2), -1, np.int64))


def first_legal(position: Position) -> int:
    """Returns the first legal action of an unfinished position."""
    action = 0
    while not position.legal(action):
        action += 1
    return action


def widest_window(position: Position, depth: int) -> SearchWindow:
    """Returns the window of an iteration: a win in fewer plies was found by the one before."""
    quickest = WIN * max(position.max_utility, 1) - STEP * depth
    most = max(quickest + STEP / 2, np.nextafter(quickest, np.inf))
    return SearchWindow(depth, -most, most, 0)


def is_proven(position: Position, value: float, counts: Counts) -> bool:
    """Returns whether the value that an iteration has found is that of the game."""
    return counts[CUT_OFF] == 0 or abs(value) > WIN * max(position.max_utility, 1) - 1


def line_length(line: Line) -> int:
    """Returns how many moves best play from the root has."""
    number = 0
    while line[0, number] >= 0:
        number += 1
    return number


def without_steps(value: float, plies: int, proven: bool) -> float:
    """Returns a search value as users see it: a utility if proven, else the evaluation.

    ``plies`` is the length of the line to the end, which counts in the search's value of a win.
    """
    if abs(value) > EVALUATION_LIMIT:
        value += STEP * plies if value > 0 else -STEP * plies
    return in_utilities(value, proven)


@kernel
def iterate(position: Position, depth: int, outcome: Outcome, arrays: DeepArrays) -> None:
    """Makes ``outcome`` that of the iteration of this depth.

    When it is aborted, the best move that it has found counts, with the value from before.
    """
    numbers, line, counts = outcome.numbers, arrays.line, arrays.shallow.counts
    counts[CUT_OFF] = 0
    value = principal_variation(position, widest_window(position, depth), arrays)
    length = line_length(line)
    if counts[ABORTED] != 0:
        numbers[PROVEN] = 0.0
        if numbers[DEPTH] == 0.0 and length == 0:  # there was no time to look at any
            numbers[ACTION], outcome.line[0, 0] = first_legal(position), -1
        if length == 0 or (numbers[DEPTH] > 0.0 and line[0, 0] == numbers[ACTION]):
            return
    else:
        proven = is_proven(position, value, counts)
        numbers[VALUE], numbers[DEPTH] = without_steps(value, length, proven), depth
        numbers[PROVEN] = proven
    numbers[ACTION] = line[0, 0]
    for ply in range(length + 1):
        outcome.line[0, ply] = line[0, ply]


@kernel
def value_moves(position: Position, depth: int, found: MoveTable, arrays: DeepArrays) -> int:
    """Values each move that is not proven, ``depth`` plies ahead in all.

    Returns MORE, ALL_PROVEN, or INTERRUPTED: then ``found.values`` are as before.
    """
    counts, unproven = arrays.shallow.counts, 0
    for i in range(found.actions.shape[0]):
        if found.proven[i] == 0.0:
            child = position.play(int(found.actions[i]))
            found.latest[i], proven = value_of_child(position, child, depth, arrays)
            if counts[ABORTED] != 0:
                return INTERRUPTED
            found.proven[i] = 1.0 if proven else 0.0
            unproven += not proven
    for i in range(found.actions.shape[0]):
        found.values[i] = found.latest[i]
    return MORE if unproven > 0 else ALL_PROVEN


@kernel
def value_of_child(
    position: Position, child: Position, depth: int, arrays: DeepArrays
) -> tuple[float, bool]:
    """Returns (the value of moving to ``child``, ``depth`` plies ahead in all, whether proven).

    It is for the player who moves.
    """
    if child.is_terminal():
        return 1.0 * child.utility(position.to_move), True
    sign = 1.0 if child.to_move == position.to_move else -1.0
    if depth == 1:
        return sign * evaluate(child) + 0.0, False
    arrays.shallow.counts[CUT_OFF] = 0
    value = principal_variation(child, widest_window(child, depth - 1), arrays)
    proven = is_proven(child, value, arrays.shallow.counts)
    return sign * without_steps(value, line_length(arrays.line), proven) + 0.0, proven


# ---- the kernels: values are for the player to move, on the scale of ``limits``


class DeepArrays(NamedTuple):
    """Holds what a search works on above its last plies."""

    line: Line
    """(plies + 1, plies + 1): see ``minimax``."""
    table: HashTable
    """See ``transposition_table``."""
    shallow: ShallowArrays
    """The rest, which is all that the last plies use."""


@kernel
def principal_variation(position: Position, window: SearchWindow, arrays: DeepArrays) -> float:
    """Returns the value of an unfinished ``position``, at a depth of 1 or more.

    Inside the window it is the value, and line[ply] is best play, complete to the depth or the end
    of the game; at or below alpha an upper bound of the value, at or above beta a lower bound.
    Meaningless once counts[ABORTED] is set, but for line[0], the best so far. Each move of the root
    is looked at once, whatever the limits.
    """
    depth, alpha, beta, ply = window
    line, table, shallow = arrays
    ordering, counts = shallow
    counts[NODES] += 1
    end_line(line, ply)
    if depth > 1 and must_end(counts):
        return 0.0
    # the table's value would save time here, and cost the rest of the line
    first = probe(position, SearchWindow(depth, -np.inf, np.inf, ply), table)[3]
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = score_actions(position, first, ply, ordering, counts)
    for i in range(number):
        action = pick_action(i, number, ply, ordering)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        if depth == 1 or child.is_terminal():
            end_line(line, ply + 1)
            value = leaf_value(child, position.to_move, low, beta, ply + 1, shallow)
        else:
            better = i == 0 or counts[NULL_WINDOW] == 0
            if not better:
                more = np.nextafter(low, np.inf)
                worst, enough = (low, more) if sign > 0 else (-more, -low)
                value = sign * scout(child, SearchWindow(depth - 1, worst, enough, ply + 1), arrays)
                better = value > low
            if better:
                worst, enough = (low, beta) if sign > 0 else (-beta, -low)
                child_window = SearchWindow(depth - 1, worst, enough, ply + 1)
                value = sign * principal_variation(child, child_window, arrays)
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action = value, action
        if value > low:
            low = value
            extend_line(line, ply, action)
            if low >= beta or (ply == 0 and low + STEP > beta):
                break  # at the root no value is more than half a step below beta
    conclude(position, window, cut_off, best, best_action, arrays)
    return best


@kernel
def scout(position: Position, window: SearchWindow, arrays: DeepArrays) -> float:
    """Returns the value within a null window, from any depth above 0: as ``alpha_beta``."""
    counts = arrays.shallow.counts
    if window.depth > counts[SHALLOW]:
        return alpha_beta(position, window, arrays)
    counts[NODES] += 1
    return plain_alpha_beta(position, window, arrays.shallow)


@kernel
def alpha_beta(position: Position, window: SearchWindow, arrays: DeepArrays) -> float:
    """Returns the value within a null window, for a depth > counts[SHALLOW], without a line."""
    depth, alpha, beta, ply = window
    ordering, counts = arrays.shallow
    counts[NODES] += 1
    if must_end(counts):
        return 0.0
    known, value, complete, first = probe(position, window, arrays.table)
    if known:
        counts[CUT_OFF] += not complete
        return value
    cut_off, low, best, best_action = counts[CUT_OFF], alpha, -np.inf, -1
    number = score_actions(position, first, ply, ordering, counts)
    for i in range(number):
        action = pick_action(i, number, ply, ordering)
        child = position.play(action)
        sign = 1.0 if child.to_move == position.to_move else -1.0
        worst, enough = (low, beta) if sign > 0 else (-beta, -low)
        child_window = SearchWindow(depth - 1, worst, enough, ply + 1)
        if depth == 1 or child.is_terminal():
            value = leaf_value(child, position.to_move, low, beta, ply + 1, arrays.shallow)
        elif depth <= counts[SHALLOW] + 1:
            counts[NODES] += 1
            value = sign * plain_alpha_beta(child, child_window, arrays.shallow)
        else:
            value = sign * alpha_beta(child, child_window, arrays)
        if counts[ABORTED] != 0:
            return 0.0
        if value > best:
            best, best_action, low = value, action, max(low, value)
            if low >= beta:
                break
    conclude(position, window, cut_off, best, best_action, arrays)
    return best


@kernel
def conclude(
    position: Position,
    window: SearchWindow,
    cut_off: int,
    value: float,
    action: int,
    arrays: DeepArrays,
) -> None:
    """Learns from a search: stores its action and value, and records a cutoff.

    The value is complete if nothing was cut off by the depth since counts[CUT_OFF] was ``cut_off``.
    Where the best possible result or its opposite was found, the other lines do not matter. Draws
    may depend on what a key leaves out, the past of the position: they are not complete then.
    """
    ordering, counts = arrays.shallow
    if abs(value) > WIN * max(position.max_utility, 1) - 1:
        counts[CUT_OFF] = cut_off
    complete = counts[CUT_OFF] == cut_off and (not KEYED or abs(value) > EVALUATION_LIMIT)
    if value > window.alpha:
        record_cutoff(position, action, window.depth, window.ply, ordering)
    store(position, window, complete, value, action, arrays.table)
