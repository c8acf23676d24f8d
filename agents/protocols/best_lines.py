"""Finds the best moves of a position, each with its line: what programs show side by side.

Alpha-beta looks for the best few moves only: one that is not better than the last of these is cut
off, as at any other node. Monte Carlo reads them off the tree of one search. Other agents, which
find one best move, search the position after each move, one after the other; so does Monte Carlo
where only some of the moves are to be compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from adv_envs import Position
from agents.agent import SearchAgent, SearchResult, require_unfinished
from agents.mcts import MCTS
from agents.mcts.nodes import known_of, means, merged
from agents.move_values import result_below
from agents.search import AlphaBeta
from agents.search.alpha_beta import (
    IterativeDeepening,
    is_proven,
    new_move_table,
    widest_window,
    without_steps,
)
from agents.search.limits import (
    CUT_OFF,
    DEFAULT_NODES,
    MAX_DEPTH,
    NODES,
    WIN,
    Deadline,
    Stopper,
    begins_anew,
    interruptible,
    is_over,
    search_result,
)
from agents.search.minimax import SearchWindow, terminal_value

from .agent_control import thinking_for


def best_lines(
    agent: SearchAgent,
    position: Position,
    number: int,
    actions: Sequence[int] = (),
    stopper: Stopper | None = None,
) -> Iterator[list[SearchResult]]:
    """Yields the best ``number`` moves, the best first, again and again as more is known.

    ``actions`` are the moves to choose from, all if there are none. The agent's limits are those
    of all moves together. ValueError if the game is over.
    """
    position = require_unfinished(position)
    chosen = list(actions) or position.legal_actions()
    if isinstance(agent, AlphaBeta):
        yield from _searched(agent, position, number, chosen)
    elif isinstance(agent, MCTS) and not actions:
        yield from _sampled(agent, position, number)
    else:
        for results in compared(agent, position, chosen, stopper or Stopper()):
            yield results[:number]


# ---- alpha-beta


class RankedMove(NamedTuple):
    """Holds a move, and the value that the search compares."""

    value: float
    """On the scale of the search; at most that if the move was cut off."""
    result: SearchResult
    settled: bool
    """Whether nothing below it was cut off by the depth."""


class LinesSearch(IterativeDeepening):
    """Runs one search of an agent for the best few of some moves."""

    def __init__(self, agent: AlphaBeta, position: Position, number: int) -> None:
        """Prepares the search for the best ``number`` moves of ``position``."""
        super().__init__(agent, position)
        self.position, self.number = position, number

    def first(self, actions: list[int]) -> list[RankedMove]:
        """Ranks the moves by what is seen one ply ahead."""
        found = new_move_table(actions)
        self.value_moves(self.position, 1, found)
        self.counts[NODES] += len(actions)
        moves = []
        for action, value, proven in zip(actions, found.values, found.proven, strict=True):
            result = self._result(action, float(value), (action,), 1, bool(proven))
            moves.append(RankedMove(on_the_scale(result), result, bool(proven)))
        return sorted(moves, key=lambda move: -move.value)

    def next(self, moves: list[RankedMove], depth: int) -> list[RankedMove] | None:
        """Ranks the moves again, ``depth`` plies ahead; None if that was interrupted."""
        best, rest = list[RankedMove](), list[RankedMove]()
        for move in moves:
            full = len(best) == self.number
            bound = best[-1].value if full else -widest_window(self.position, 1).beta
            found = self._look(move.result.action, depth, bound)
            if is_over(self.counts):
                return None
            if full and found.value <= bound:
                rest.append(found)
                continue
            best.append(found)
            best.sort(key=lambda each: -each.value)  # equal ones stay in their order
            rest += best[self.number :]
            del best[self.number :]
        return best + rest

    def _look(self, action: int, depth: int, bound: float) -> RankedMove:
        """Returns the value of a move if it is above ``bound``, else an upper bound of it."""
        position, counts, line = self.position, self.counts, self.arrays.line
        child, player = position.play(action), position.to_move
        if child.is_terminal():
            value = float(terminal_value.plain(child, player, 1))
            return self._ranked(action, value, (action,), depth, True)
        counts[CUT_OFF], most = 0, widest_window(position, 1).beta
        sign = 1.0 if child.to_move == player else -1.0
        low, high = (bound, most) if sign > 0 else (-most, -bound)
        search = interruptible(self.search, counts, self.began)
        window = SearchWindow(depth - 1, low, high, 1)
        value = sign * search(child, window, self.arrays)
        while begins_anew(counts):
            value = sign * search(child, window, self.arrays)
        below = line[1].tolist()
        proven = is_proven(position, value, counts)
        return self._ranked(action, value, (action, *below[: below.index(-1)]), depth, proven)

    def _ranked(
        self, action: int, value: float, line: tuple[int, ...], depth: int, proven: bool
    ) -> RankedMove:
        shown = without_steps(value, len(line), proven)
        return RankedMove(value, self._result(action, shown, line, depth, proven), proven)

    def _result(
        self, action: int, value: float, line: tuple[int, ...], depth: int, proven: bool
    ) -> SearchResult:
        return search_result(
            self.counts, self.began, action, value, line, depth=depth, proven=proven
        )


def _searched(
    agent: AlphaBeta, position: Position, number: int, actions: list[int]
) -> Iterator[list[SearchResult]]:
    search, most = LinesSearch(agent, position, number), position.max_utility
    with search, Deadline(search.counts, agent.seconds):
        moves: list[RankedMove] | None = search.first(actions)
        for depth in range(2, search.deepest + 2):
            assert moves is not None
            yield [replace_work(move.result, search) for move in moves[:number]]
            won = all(m.settled and m.result.value >= most for m in moves[:number])
            if won or depth > search.deepest or all(move.settled for move in moves):
                return
            if (moves := search.next(moves, depth)) is None:
                return


def replace_work(result: SearchResult, search: LinesSearch) -> SearchResult:
    """Returns a result with the nodes and the time of the whole search."""
    now = search._result(result.action, 0.0, (), 0, False)
    return replace(result, nodes=now.nodes, leaves=now.leaves, seconds=now.seconds)


# ---- Monte Carlo


def _sampled(agent: MCTS, position: Position, number: int) -> Iterator[list[SearchResult]]:
    for result in agent.analysis(position):
        children = merged(list(agent.trees))
        known, values = known_of(children), means(children).tolist()
        actions, visits = children["action"].tolist(), known.visits
        proven = [low == high for low, high in zip(known.lower, known.upper, strict=True)]
        tried = [i for i, number in enumerate(visits) if number or proven[i]]
        lost = [high < max(known.upper) and proven[i] for i, high in enumerate(known.upper)]
        tried.sort(key=lambda i: (actions[i] != result.action, lost[i], -visits[i]))
        yield [
            replace(
                result,
                action=actions[i],
                value=values[i] + 0.0,
                principal_variation=tuple(
                    max(agent.trees, key=lambda tree: int(tree.children()[i]["visits"])).line(i)
                ),
                proven=proven[i],
            )
            for i in tried[:number]
        ]


# ---- other agents

FEWEST_SIMULATIONS = 16
"""How many simulations each move has at first."""


def compared(
    agent: SearchAgent, position: Position, actions: Sequence[int], stopper: Stopper
) -> Iterator[list[SearchResult]]:
    """Yields a result for each of ``actions``, the best first, again and again as they improve.

    The agent searches the position after each of the moves, further and further. Its limits are
    those of all searches together, and the usual number of nodes if there is none. The first list
    is always complete; after it no search begins that would exceed them, or once it is stopped.
    """
    limits = {name: limit for name, limit in agent.limits().items() if limit is not None}
    most = limits.get("seconds")
    most_nodes = limits.get("nodes", limits.get("simulations", None if limits else DEFAULT_NODES))
    began, spent = time.perf_counter(), 0
    order, found = list(actions), list[SearchResult]()
    for effort in _efforts(agent, len(order)):
        results = []
        for action in order:
            seconds = time.perf_counter() - began
            over = most is not None and seconds >= most
            over |= most_nodes is not None and spent >= most_nodes
            if found and (stopper.stopped or over):
                return
            left = None if most is None else max(most - seconds, 0.01)
            nodes = None if most_nodes is None else max(most_nodes - spent, 1)
            with thinking_for(agent, left, nodes=nodes, **effort):
                result = result_below(agent, position, action)
            spent += result.nodes
            results.append(result)
        seconds = time.perf_counter() - began
        found = [replace(each, nodes=spent, seconds=seconds) for each in results]
        found.sort(key=_rank)
        order = [result.action for result in found]
        yield found
        if all(result.proven for result in found):
            return


def on_the_scale(result: SearchResult) -> float:
    """Returns a value to compare: no evaluation is better than a win that is proven."""
    return result.value * WIN if result.proven else result.value


def _rank(result: SearchResult) -> tuple[float, int]:
    """Ranks larger values first, then the shortest win or the longest loss."""
    plies = len(result.principal_variation) if result.proven else 0
    return -on_the_scale(result), plies if result.value > 0 else -plies


def _efforts(agent: Any, moves: int) -> Iterator[dict[str, int | None]]:
    """Yields the limits of a search after each of the moves, larger and larger."""
    if hasattr(agent, "depth"):
        for plies in range(1, max((agent.depth or MAX_DEPTH) - 1, 1) + 1):
            yield {"depth": plies}
    elif hasattr(agent, "simulations"):
        most = None if agent.simulations is None else max(agent.simulations // moves, 1)
        for doubling in count():
            simulations = FEWEST_SIMULATIONS << doubling
            yield {"simulations": simulations if most is None else min(simulations, most)}
            if most is not None and simulations >= most:
                return
    else:
        yield {}
