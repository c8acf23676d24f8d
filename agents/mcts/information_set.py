"""Information set Monte Carlo tree search: for games in which players do not see everything.

Each simulation guesses a position that looks to the player to move as the true one does
(``Position.determinized``) and plays it to its end. What was learned is kept for information sets,
not for positions: at every ply the player to move is at the node of what that player sees
(``Position.hidden``), and so decides alike wherever it cannot tell positions apart.

Source: P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE
Transactions on Computational Intelligence and AI in Games 4 (2012), there called multiple-observer.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel
from adv_envs.random import advanced, below, scattered
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_limit,
    require_seconds,
    require_table,
    require_unfinished,
)
from agents.search.limits import STOP, UNLIMITED, Counts, Deadline, counters, prepared
from agents.search.transposition_table import hash_word

from .playouts import MAX_PLIES, draw_chance, next_by_chance
from .selection import uct

DEFAULT_SIMULATIONS = 10_000

RESULT_EVERY = 1024
"""How many simulations are made between two results."""

PROBES = 64
"""How many slots of the table are looked at for a view; if all are taken, it gets no node."""

Keys = NDArray[np.int64]
"""The views that have nodes, shape (n + 1, words), n a power of two, found by open addressing; the
last row is workspace."""
Visits = NDArray[np.int64]
"""How often each action was taken at each node, shape (n, num_actions + 1); the last column is 0
where the node is free, else 1 more than the sum of the others."""
Totals = NDArray[np.float64]
"""The sum of utilities of each action, for the player to move, shape (n, num_actions)."""
Steps = NDArray[np.int64]
"""The nodes and actions of a simulation, shape (MAX_PLIES, 3): node, action and player."""


@kernel
def find_node(view: Position, keys: Keys, visits: Visits) -> int:
    """Returns the node of ``view``, or a free one, whose key is written; -1 if there is no room."""
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
    number: int,
    node: int,
    state: int,
    exploration: float,
    visits: Visits,
    totals: Totals,
    legal: NDArray[np.int64],
) -> int:
    """Returns the best of ``number`` actions in ``legal`` by UCT, beginning at a random one."""
    exploration_term = exploration * log(max(visits[node, visits.shape[1] - 1] - 1, 1))
    best, highest, first = int(legal[0]), -inf, below(state, number)
    for i in range(number):
        action = int(legal[(first + i) % number])
        n = 1.0 * visits[node, action]
        score = uct(n, totals[node, action], exploration_term, inf)
        if score > highest:
            best, highest = action, score
    return best


@kernel
def simulate_views(
    view: Position,
    simulations: int,
    state: int,
    exploration: float,
    keys: Keys,
    visits: Visits,
    totals: Totals,
    steps: Steps,
    legal: NDArray[np.int64],
    counts: Counts,
) -> int:
    """Adds ``simulations`` from ``view``, what the player to move sees; returns the next state.

    Each adds at most one node. ``exploration`` is the square of the constant, in utilities.
    ``legal``, of shape (num_actions,), is workspace.
    """
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
                node = find_node(seen, keys, visits)
            if node >= 0:
                inside = visits[node, column] != 0
                visits[node, column] = max(visits[node, column], 1)
                action = select_action(number, node, state, exploration, visits, totals, legal)
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


@dataclass(repr=False)
class InformationSetMCTS(SearchAgent):
    """Information set Monte Carlo tree search: ``simulations`` or ``seconds`` for one decision.

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
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError, saying what is allowed."""
        require_limit("simulations", self.simulations)
        require_seconds(self.seconds)
        require_table(self.table_mb)
        if not hasattr(self.exploration, "__float__"):
            raise TypeError(f"exploration must be a number, not {self.exploration!r}")
        if not self.exploration >= 0:
            raise ValueError(f"exploration must not be negative, not {self.exploration}")
        self._random = random.Random(self.seed)

    def reset(self, seed: int | None = None) -> None:
        """Draws from ``seed`` from now on; None goes on as before."""
        if seed is not None:
            self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """Returns the action with the most visits or, ``mixed``, one drawn by its visits."""
        found = self.analyse(position)
        if not self.mixed:
            return found.action
        return self._random.choices([*found.visits], [*found.visits.values()])[0]

    def probabilities(self, position: Position) -> dict[int, float]:
        """Returns the probability with which each legal action would be played, by one search."""
        found = self.analyse(position)
        if not self.mixed:
            return {action: float(action == found.action) for action in found.visits}
        total = sum(found.visits.values())
        return {action: number / total for action, number in found.visits.items()}

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields results as the search goes on; it uses only what the player to move sees.

        ``nodes`` are simulations. ValueError if the game is over or chance is to move.
        """
        require_unfinished(position)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        view, counts = position.hidden(position.to_move), counters()
        unlimited = self.simulations is None and self.seconds is None
        left = DEFAULT_SIMULATIONS if unlimited else self.simulations or UNLIMITED
        keys, visits, totals, steps, legal = self._arrays(view, left)
        arrays: Any = keys, visits, totals, steps, legal, counts
        state = scattered(self._random.getrandbits(62))
        exploration = (float(self.exploration) * position.max_utility) ** 2
        run = prepared(self._kernel(view), view, 0, state, exploration, *arrays)
        began, made = time.perf_counter(), 0
        with Deadline(counts, self.seconds):
            while left > 0:
                share = min(left, RESULT_EVERY)
                state = run(view, share, state, exploration, *arrays)
                left, made = left - share, made + share
                yield self._result(view, keys, visits, totals, made, time.perf_counter() - began)
                if counts[STOP]:
                    return

    @staticmethod
    def _kernel(view: Position) -> Any:
        if not view.has_chance:
            return simulate_views
        return simulate_views.bind(next_by_chance=draw_chance)

    def _arrays(
        self, view: Position, most: int
    ) -> tuple[Keys, Visits, Totals, Steps, NDArray[np.int64]]:
        """Returns keys, visits, totals, steps and workspace: one node for each simulation."""
        words, actions = num_words(view), view.num_actions
        room = int(self.table_mb * 2**20) // (8 * (words + 2 * actions + 1))
        nodes = 1 << max(min(2 * most, room).bit_length() - 1, 4)
        return (
            np.zeros((nodes + 1, words), np.int64),
            np.zeros((nodes, actions + 1), np.int64),
            np.zeros((nodes, actions)),
            np.zeros((MAX_PLIES, 3), np.int64),
            np.zeros(actions, np.int64),
        )

    @staticmethod
    def _result(
        view: Position, keys: Keys, visits: Visits, totals: Totals, made: int, seconds: float
    ) -> SearchResult:
        """Returns what is known of the root."""
        node, legal = find_node.plain(view, keys, visits), view.legal_actions()
        tried = {action: int(visits[node, action]) for action in legal}
        values = {a: float(totals[node, a] / n) + 0.0 for a, n in tried.items() if n}
        best = max(legal, key=lambda action: (tried[action], values.get(action, -inf)))
        value = values.get(best, 0.0)
        return SearchResult(
            best, value, (best,), made, made, seconds=seconds, values=values, visits=tried
        )
