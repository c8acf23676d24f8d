"""Searches information sets by Monte Carlo: for games in which players do not see everything.

Each simulation guesses a position that looks to the player to move as the true one does
(``Position.determinized``) and plays it to its end. What was learned is kept for information sets,
not for positions: at every ply the player to move is at the node of what that player sees
(``Position.hidden``), and so decides alike wherever it cannot tell positions apart.

Source: P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE
Transactions on Computational Intelligence and AI in Games 4 (2012), there called multiple-observer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, log
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import Kernel, kernel
from adv_envs.random import advanced, below, hash_word, scattered
from agents.agent import (
    SearchAgent,
    SearchResult,
    SeededAgent,
    require_limit,
    require_seconds,
    require_table,
    require_unfinished,
    require_weight,
)
from agents.background import answering_in_time
from agents.search.limits import STOP, Counts, Deadline, counters, prepared

from .playouts import MAX_PLIES, draw_chance, next_by_chance
from .selection import most_simulations, uct

RESULT_EVERY = 1024
"""How many simulations are made between two results."""

PROBES = 64
"""How many slots of the table are looked at for a view; if all are taken, it gets no node."""


class ViewArrays(NamedTuple):
    """Holds the nodes of a search, one for each of n views, a power of two, and its workspace."""

    keys: NDArray[np.int64]
    """(n + 1, words): the views that have nodes, found by open addressing; the last row is
    workspace."""
    visits: NDArray[np.int64]
    """(n, num_actions + 1): how often each action was taken at each node; the last column is 0
    where the node is free, else 1 more than the sum of the others."""
    totals: NDArray[np.float64]
    """(n, num_actions): the sum of utilities of each action, for the player to move."""
    steps: NDArray[np.int64]
    """(MAX_PLIES, 3): the node, the action and the player of each ply of a simulation."""
    legal: NDArray[np.int64]
    """(num_actions,): workspace."""


@kernel
def find_node(view: Position, arrays: ViewArrays) -> int:
    """Returns the node of ``view``, or a free one, whose key is written; -1 if there is no room."""
    keys, visits = arrays.keys, arrays.visits
    last = keys.shape[0] - 1
    pack(view, keys[last])
    hashed = 0
    for word in range(keys.shape[1]):
        hashed = hash_word(hashed, keys[last, word])
    for probe in range(PROBES):
        node = (hashed + probe) & (last - 1)
        same = True
        for word in range(keys.shape[1]):
            same = same and keys[node, word] == keys[last, word]
        if visits[node, visits.shape[1] - 1] == 0:
            for word in range(keys.shape[1]):
                keys[node, word] = keys[last, word]
            return int(node)
        if same:
            return int(node)
    return -1


@kernel
def select_action(
    number: int, node: int, state: int, exploration: float, arrays: ViewArrays
) -> int:
    """Returns the best of ``number`` actions in ``arrays.legal`` by UCT, from a random one on."""
    visits, totals, legal = arrays.visits, arrays.totals, arrays.legal
    exploration_term = exploration * log(max(visits[node, visits.shape[1] - 1] - 1, 1))
    best, highest, first = int(legal[0]), -inf, below(state, number)
    for i in range(number):
        action = int(legal[(first + i) % number])
        n = 1.0 * visits[node, action]
        score = uct(n, totals[node, action], exploration_term)
        if score > highest:
            best, highest = action, score
    return best


@kernel
def simulate_views(
    view: Position,
    simulations: int,
    state: int,
    exploration: float,
    arrays: ViewArrays,
    counts: Counts,
) -> int:
    """Adds ``simulations`` from ``view``, what the player to move sees; returns the next state.

    Each adds at most one node. ``exploration`` is the square of the constant, in utilities.
    """
    visits, totals, steps, legal = arrays.visits, arrays.totals, arrays.steps, arrays.legal
    column = visits.shape[1] - 1
    for _ in range(simulations):
        if counts[STOP] != 0:
            break
        state = advanced(state)
        position = view.determinized(view.to_move, state)
        inside, depth, plies = True, 0, 0
        while not position.is_terminal() and plies < MAX_PLIES:
            state = advanced(state)
            plies += 1
            player = position.to_move
            if player == CHANCE:
                position = position.play(next_by_chance(position, state))
                continue
            seen = position.hidden(player)
            number, node = seen.write_legal(legal), -1
            if inside:
                node = find_node(seen, arrays)
            if node >= 0:
                inside = visits[node, column] != 0
                visits[node, column] = max(visits[node, column], 1)
                action = select_action(number, node, state, exploration, arrays)
                steps[depth, 0], steps[depth, 1], steps[depth, 2] = node, action, player
                depth += 1
            else:
                inside = False
                action = int(legal[below(state, number)])
            position = position.play(action)
        for i in range(depth):
            node, action = steps[i, 0], steps[i, 1]
            visits[node, column] += 1
            visits[node, action] += 1
            if position.is_terminal():
                totals[node, action] += position.utility(steps[i, 2])
    return state


VISITS, MEAN, TRIED = range(3)
"""The numbers that are reported of an action: its visits, the mean of its utilities, and whether it
was ever tried."""


@kernel
def report_views(view: Position, report: NDArray[np.float64], arrays: ViewArrays) -> int:
    """Writes what was found of each legal action of ``view`` into ``report`` (num_actions, 3).

    Returns the action with the most visits, of equals the one with the best mean.
    """
    node, visits, totals = find_node(view, arrays), arrays.visits, arrays.totals
    best, most, highest = -1, -1.0, -inf
    for i in range(view.write_legal(arrays.legal)):
        action = int(arrays.legal[i])
        n, mean = 1.0 * visits[node, action], -inf
        if n > 0.0:
            mean = totals[node, action] / n + 0.0
        if n > most or (n == most and mean > highest):
            best, most, highest = action, n, mean
        report[action, VISITS], report[action, TRIED] = n, 1.0 if n > 0.0 else 0.0
        report[action, MEAN] = mean if n > 0.0 else 0.0
    return best


@dataclass(repr=False)
class InformationSetMCTS(SeededAgent, SearchAgent):
    """Searches information sets by Monte Carlo: ``simulations`` or ``seconds`` for a decision.

    For games of any number of players, with chance and hidden information; the game must be able
    to guess what a player does not see (``determinized``).
    """

    simulations: int | None = None
    """For one decision; None: no limit of simulations. With neither limit ten thousand."""
    seconds: float | None = None
    """Wall-clock time for one decision; None: no limit of time."""
    exploration: float = 1.0
    """The weight of the second term of UCT, in units of the largest utility."""
    mixed: bool = False
    """Plays each action as often as its share of the visits says, in place of the one with the
    most: a fixed choice can be exploited where it should be mixed."""
    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""
    table_mb: float = 256
    """How much memory the nodes take at most, in megabytes."""

    name: ClassVar[str] = "ismcts"

    def __post_init__(self) -> None:
        require_limit("simulations", self.simulations)
        require_seconds(self.seconds)
        require_table(self.table_mb)
        require_weight("exploration", self.exploration)
        super().__post_init__()

    def act(self, position: Position) -> int:
        """Returns the action with the most visits or, ``mixed``, one drawn by its visits."""
        with answering_in_time(self, position):
            found = self.analyse(position)
        if not self.mixed:
            return found.action
        return self.rng.choices([*found.visits], [*found.visits.values()])[0]

    def probabilities(self, position: Position) -> dict[int, float]:
        """Returns the probability with which each legal action would be played, by one search."""
        found = self.analyse(position)
        if not self.mixed:
            return {action: float(action == found.action) for action in found.visits}
        total = sum(found.visits.values())
        return {action: number / total for action, number in found.visits.items()}

    def analysis(
        self, position: Position, arrays: ViewArrays | None = None
    ) -> Iterator[SearchResult]:
        """Yields results as the search goes on; it uses only what the player to move sees.

        ``nodes`` are simulations. The search fills ``arrays``, those of ``new_arrays``, or None for
        its own. ValueError if the game is over or chance is to move.
        """
        position = require_unfinished(position)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        view, counts = position.hidden(position.to_move), counters()
        left = most_simulations(self.simulations, self.seconds)
        arrays = arrays or self.new_arrays(view)
        state = scattered(self.rng.getrandbits(62))
        exploration = self.weight(position)
        run = prepared(kernel_for(view), view, 0, state, exploration, arrays, counts)
        began, made = time.perf_counter(), 0
        with Deadline(counts, self.seconds):
            while left > 0:
                share = min(left, RESULT_EVERY)
                state = run(view, share, state, exploration, arrays, counts)
                left, made = left - share, made + share
                yield self._result(view, arrays, made, time.perf_counter() - began)
                if counts[STOP]:
                    return

    def weight(self, position: Position) -> float:
        """Returns the square of the exploration constant, in utilities of the game."""
        return float((float(self.exploration) * position.max_utility) ** 2)

    def new_arrays(self, view: Position) -> ViewArrays:
        """Returns the arrays of a search of ``view``: one node for each simulation."""
        words, actions = num_words(view), view.num_actions
        room = int(self.table_mb * 2**20) // (8 * (words + 2 * actions + 1))
        most = most_simulations(self.simulations, self.seconds)
        nodes = 1 << max(min(2 * most, room).bit_length() - 1, 4)
        return ViewArrays(
            keys=np.zeros((nodes + 1, words), np.int64),
            visits=np.zeros((nodes, actions + 1), np.int64),
            totals=np.zeros((nodes, actions)),
            steps=np.zeros((MAX_PLIES, 3), np.int64),
            legal=np.zeros(actions, np.int64),
        )

    @staticmethod
    def _result(view: Position, arrays: ViewArrays, made: int, seconds: float) -> SearchResult:
        report = np.zeros((view.num_actions, 3))
        best, legal = report_views.plain(view, report, arrays), view.legal_actions()
        told = report.tolist()
        return SearchResult(
            best,
            told[best][MEAN],
            (best,),
            made,
            made,
            seconds=seconds,
            values={action: told[action][MEAN] for action in legal if told[action][TRIED]},
            visits={action: int(told[action][VISITS]) for action in legal},
        )


def kernel_for(start: Position) -> Kernel[..., int]:
    """Returns ``simulate_views`` with what is bound for the game of ``start``."""
    return simulate_views.bind(**({"next_by_chance": draw_chance} if start.has_chance else {}))
