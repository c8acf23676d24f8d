"""Searches any game by Monte Carlo: UCT that proves what it can, with RAVE, PUCT, Gumbel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import Kernel
from adv_envs.position import checked, require_competitive
from agents.agent import (
    SearchAgent,
    SearchResult,
    SeededAgent,
    require_function,
    require_limit,
    require_perfect_information,
    require_seconds,
    require_table,
    require_unfinished,
    require_weight,
)
from agents.background import waiting_search
from agents.knowledge import knowledge_of
from agents.search.limits import STOP, Counts, Deadline, counters, prepared

from .nodes import (
    NODE,
    NODE_AMAF,
    NODE_POLICY,
    NODE_PRIOR,
    SearchTree,
    best_child,
    known_of,
    means,
    merged,
    value_chosen,
)
from .playouts import (
    Playout,
    bound_playout,
    draw_chance,
    evaluate_statically,
    playout_for,
    winning_move_for,
)
from .policy_search import Policy, PolicySearch
from .selection import DEFAULT_SIMULATIONS, SCALE, SearchSettings, most_simulations
from .simulation import simulate

SELECTIONS = "puct", "gumbel"

FIRST_CHOICE = 1e9
"""What is added to the scores of actions that are still considered, and of those with most visits:
more than scores differ by, which is a quarter of the visits at most."""

ASK_AFTER = 256
"""The visits of a node after which the game is asked for proven moves, as in MoHex (Arneson,
Hayward and Henderson, Monte Carlo Tree Search in Hex, 2010). In Hex this wins 66 of 100 games on
9x9 at 0.2 s a move; 64 visits do no better."""

IN_MARGINS = 0.2
"""The weight of exploration, in units of the largest utility, where results are margins: the
largest is rare, random games differ by a part of it. It is never less than a margin of 1. What it
is worth prints ``adv-envs match kalah "mcts(simulations=400)" "mcts(simulations=400,
exploration=1)" --pairs 30 --plies 4``.
"""

FIRST_RESULT, RESULT_EVERY = 512, 0.1
"""The number of simulations before the first result; it doubles from one result to the next, until
they are this many seconds apart."""


def chance_prior(position: Position, action: int) -> float:
    """Returns the probability of ``action`` where chance is to move, for games that have any."""
    return position.probability(action) if position.to_move == CHANCE else 0.0


def require_selection(selection: str) -> None:
    """Raises ValueError unless ``selection`` is one of SELECTIONS."""
    if selection not in SELECTIONS:
        raise ValueError(f"selection must be {' or '.join(SELECTIONS)}, not {selection!r}")


def weight_of_bounds(largest: float) -> float:
    """Returns how much upper confidence bounds weigh by default: see ``IN_MARGINS``."""
    return max(IN_MARGINS, 1 / largest) if largest > 1 else 1.0


@dataclass(repr=False)
class MCTS(SeededAgent, SearchAgent):
    """Searches by Monte Carlo: ``simulations`` or ``seconds`` for one decision.

    Each simulation goes down the tree by upper confidence bounds, plays the game out at random
    and counts the result in every node on its way.

    The same ``seed``, number of simulations and threads give the same answers.
    """

    simulations: int | None = None
    """For one decision; None: no limit of simulations. With neither limit ten thousand; with both,
    the first to be reached ends the search."""
    seconds: float | None = None
    """Wall-clock time for one decision; None: no limit of time."""
    exploration: float | None = None
    """The weight of the second term of UCT or PUCT, in units of the largest utility; None: 1, or
    less where results are margins."""
    rave: int | None = None
    """Mix in the value of a move whenever it was played later, taken from the nearest node above
    with that many visits (GRAVE); 0: not at all; None: as is best for the game."""
    solver: bool = True
    """Whether wins, losses and draws are proven and not tried again (games of two players)."""
    playouts: Playout | None = None
    """A kernel in place of random play, see ``agents.mcts.playouts``; None: as is best for the
    game."""
    evaluate: Callable[[Any], float] | None = None
    """A function of a position, its value for the player to move, in place of playouts:
    tanh(evaluation) times the largest utility (games of two players); None: playouts."""
    policy: Policy | None = None
    """A function of a list of at most ``batch`` positions, in place of playouts, such as a network;
    None: playouts. It returns two arrays: priors (n, num_actions), of which the legal ones count,
    and values for the player to move (n,), for many players (n, num_players). Not for games with
    dice, and not with ``threads``."""
    batch: int = 8
    """Positions that ``policy`` is asked about at once."""
    selection: str = "puct"
    """How a search with a ``policy`` selects moves: "puct", or "gumbel", which shares a number of
    ``simulations`` among the moves by sequential halving, and needs fewer (I. Danihelka et al.,
    Policy improvement by planning with Gumbel, ICLR 2022)."""
    knowledge: int | None = None
    """After so many visits of a node the game is asked which of its moves are proven, see
    ``agents.knowledge`` (``proven_moves``); 0: never; None: as is best for the game."""
    reuse: bool = True
    """Whether what was learned about the position that is reached is kept; ``reset`` forgets it. A
    search by "gumbel", which shares out all simulations anew, keeps nothing."""
    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""
    threads: int = 1
    """Each thread has a tree of its own, and their visits are added up (root parallelisation)."""
    table_mb: float = 256
    """How much memory trees take, in megabytes; when it is used up they grow no more."""

    name: ClassVar[str] = "mcts"
    _trees: list[SearchTree] = field(init=False, repr=False, compare=False)
    _kind: tuple[Any, ...] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("simulations", "threads", "batch"):
            require_limit(name, getattr(self, name))
            if getattr(self, name) is None and name != "simulations":
                raise TypeError(f"{name} must be a whole number, not None")
        for name in ("playouts", "evaluate", "policy"):
            require_function(name, getattr(self, name))
        if sum(way is not None for way in (self.playouts, self.evaluate, self.policy)) > 1:
            raise ValueError("leaves are valued in one way: give playouts, evaluate or policy")
        if self.policy is not None and (self.threads > 1 or self.rave or self.knowledge):
            raise ValueError("policy needs threads=1, no rave and no knowledge")
        require_selection(self.selection)
        gumbel = self.selection == "gumbel"
        if gumbel and (self.policy is None or self.simulations is None):
            raise ValueError("selection='gumbel' needs a policy and a number of simulations")
        if gumbel and self.exploration is not None:
            raise ValueError("exploration is of UCT and PUCT: selection='gumbel' has none")
        require_seconds(self.seconds)
        require_table(self.table_mb)
        if self.exploration is not None:
            require_weight("exploration", self.exploration, " or None")
        for name in ("rave", "knowledge"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not hasattr(value, "__index__")):
                raise TypeError(f"{name} must be a whole number or None, not {value!r}")
            if value is not None and value < 0:
                raise ValueError(f"{name} must not be negative, not {value}")
        super().__post_init__()
        self._trees, self._kind = [], None

    def reset(self, seed: int | None = None) -> None:
        """Forgets the tree; draws from ``seed`` from now on, None goes on as before."""
        super().reset(seed)
        self._trees, self._kind = [], None

    @property
    def trees(self) -> tuple[SearchTree, ...]:
        """Returns the trees of the last search, one for each thread; none before the first."""
        return tuple(self._trees)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields results as the search goes on, after twice as many simulations, then every 0.1 s.

        ``nodes`` are simulations, ``depth`` is that of the deepest leaf. ValueError if the game is
        over, if chance is to move, or if an evaluation is to value a game not of two players.
        """
        return self._search(position, evenly=False)

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action, all of them tried equally often, in one search.

        Once an action is proven the others get its share; an action that was never tried, as the
        time was too short for it, has the value 0. ``simulations`` are at least one for each
        action. ValueError as from ``analysis``, and for games not of two players.
        """
        position = checked(position)
        if position.num_players != 2 or position.to_move == CHANCE or position.is_terminal():
            return super().values(position)
        *_, _ = self._search(position, evenly=True)
        children = merged(self._trees)
        values = means(children).tolist()
        return {a: v + 0.0 for a, v in zip(children["action"].tolist(), values, strict=True)}

    # ---- the search

    def _search(self, position: Position, evenly: bool) -> Iterator[SearchResult]:
        """Yields results of a search for the best move or, ``evenly``, for the value of each."""
        position = require_unfinished(position)
        require_perfect_information(position, self.name)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        if position.num_players == 2:
            require_competitive(position, f"{self.name} with two players")
        if self.evaluate is not None and position.num_players != 2:
            raise ValueError(f"evaluate values games of two players, not {position.num_players}")
        if self.policy is not None and position.has_chance:
            raise ValueError("policy is for games without dice")
        counts, settings = counters(), self.settings(position, evenly)
        self._set_roots(position)
        run = self._runner(position, settings, counts)
        wanted = most_simulations(self.simulations, self.seconds)
        wanted = max(wanted, self.threads * len(position.legal_actions())) if evenly else wanted
        shares = [(wanted + i) // self.threads for i in range(self.threads)]

        def work(i: int, most: int) -> None:
            share = min(most, shares[i])
            shares[i] -= share
            run(i, share)

        try:
            with Deadline(counts, self.seconds):
                yield from self._results(counts, shares, work, evenly)
        except GeneratorExit:
            raise
        except BaseException:  # interrupted somewhere: the trees may be in any state
            self._trees, self._kind = [], None
            raise

    def _results(
        self, counts: Counts, shares: list[int], work: Callable[[int, int], None], evenly: bool
    ) -> Iterator[SearchResult]:
        """Lets every tree work for a while and yields what they know, until a limit is reached."""
        trees, began = self._trees, time.perf_counter()
        number = FIRST_RESULT if waiting_search() is None else 1  # in plain Python each takes long
        before = sum(tree.simulations for tree in trees)
        with ThreadPoolExecutor(self.threads) as pool:
            while True:
                since = time.perf_counter()
                if self.threads == 1:
                    work(0, number)
                else:
                    list(pool.map(work, range(self.threads), [number] * self.threads))
                now = time.perf_counter()
                made = sum(tree.simulations for tree in trees) - before
                result = self._result(trees, made, now - began)
                # that one of many trees is proven ends a search for a time, not one that must
                # be the same again: when that is seen depends on the clock
                solved = self.solver and all(tree.is_solved(evenly) for tree in trees)
                over = solved or (result.proven and self.seconds is not None and not evenly)
                yield result
                if over or not any(shares) or counts[STOP]:
                    return
                number = max(int(number * min(2.0, RESULT_EVERY / (now - since))), 1)

    def _result(self, trees: list[SearchTree], made: int, seconds: float) -> SearchResult:
        children = merged(trees)
        actions, known, values = children["action"].tolist(), known_of(children), means(children)
        preferences = self._preferences()
        chosen = best_child(known, known.visits if preferences is None else preferences.tolist())
        value, proven = value_chosen(chosen, known)
        told = (children["visits"] > 0) | (children["lower"] == children["upper"])
        deepest = max(trees, key=lambda tree: int(tree.children()[chosen]["visits"]))
        return SearchResult(
            action=actions[chosen],
            value=value,
            principal_variation=tuple(deepest.line(chosen)),
            nodes=made,
            leaves=made,
            depth=max(tree.depth for tree in trees),
            seconds=seconds,
            proven=proven,
            values={
                a: v + 0.0 for a, v, t in zip(actions, values.tolist(), told, strict=True) if t
            },
            visits=dict(zip(actions, known.visits, strict=True)),
        )

    def root_logits(self) -> dict[int, float]:
        """Returns the logarithms of the weights of the actions, as the last search left them.

        They are those of the visits or, with Gumbel, of the improved policy. RuntimeError before
        the first search.
        """
        if not self._trees:
            raise RuntimeError("nothing was searched yet")
        children, tree = merged(self._trees), self._trees[0]
        with np.errstate(divide="ignore"):
            weights = np.log(children["visits"])
        if self.selection == "gumbel":
            weights = tree.scores
        weights = np.where(children["upper"] >= children["lower"].max(), weights, -inf)
        return dict(zip(children["action"].tolist(), weights.tolist(), strict=True))

    def _preferences(self) -> NDArray[np.float64] | None:
        """Returns what the children of the root are chosen by, (children,); None: their visits."""
        if self.selection != "gumbel":
            return None
        tree, children = self._trees[0], self._trees[0].children()
        visits = np.where(tree.considered, children["visits"], -1)
        first = tree.considered * 1.0 + (visits == visits.max())
        return np.asarray(tree.scores + FIRST_CHOICE * first, np.float64)

    # ---- how the game is searched

    def _set_roots(self, position: Position) -> None:
        """Makes ``position`` the root of every tree, with what they know of it already."""
        dtype, capacity = self.node_type(position), self.capacity(position)
        game = position[: len(position.parameters)]
        kind = type(position), game, dtype, capacity, self.threads
        if kind != self._kind:
            seeds = [self.rng.getrandbits(61) for _ in range(self.threads)]
            self._trees = [SearchTree(position, capacity, dtype, seed) for seed in seeds]
            self._kind = kind
        for tree in self._trees:
            tree.set_root(
                position, self.reuse and self.selection == "puct", self.policy is not None
            )

    def node_type(self, position: Position) -> np.dtype[Any]:
        """Returns the type of the nodes of a search of ``position``."""
        if self._reference(position) > 0:
            return NODE_AMAF
        if self.selection == "gumbel":
            return NODE_POLICY
        return NODE_PRIOR if position.has_chance or self.policy is not None else NODE

    def capacity(self, position: Position) -> int:
        """Returns how many nodes a tree has at most."""
        size = self.node_type(position).itemsize
        most = int(self.table_mb * 2**20) // (size * self.threads * (1 + self.reuse))
        return min(max(most, position.num_actions + 2), 2**31 - 1)

    def _runner(
        self, position: Position, settings: SearchSettings, counts: Counts
    ) -> Callable[[int, int], None]:
        """Returns a function, compiled by now, that adds simulations to the i-th tree."""
        trees = self._trees
        if self.policy is not None:
            gumbel = self.simulations if self.selection == "gumbel" else None
            search = PolicySearch(self.policy, self.batch, trees[0], settings, counts, gumbel)
            return lambda i, number: search.run(number)

        def arguments(i: int, number: int) -> tuple[Any, ...]:
            return position, number, settings, trees[i].arrays, trees[i].simulation, counts

        ready = prepared(self.kernel(position), *arguments(0, 0))
        visits, proven_moves = settings.ask_at, knowledge_of(position).proven_moves
        if visits and proven_moves is not None:
            proven_moves(position)  # compiles

        def run(i: int, number: int) -> None:
            tree = trees[i]
            until = tree.simulations + number
            while depth := ready(*arguments(i, until - tree.simulations)):
                assert proven_moves is not None  # only then are visits above 0
                tree.apply_proven_moves(depth - 1, visits, proven_moves)

        return run

    def kernel(self, position: Position) -> Kernel[..., int]:
        """Returns ``simulate`` with what is bound in it for this agent and the game."""
        amaf, chance = self._reference(position) > 0, position.has_chance
        if self.evaluate is not None:
            draw = {"next_by_chance": draw_chance} if chance else {}
            leaf: Playout = evaluate_statically.bind(evaluate=self.evaluate, **draw)
        else:
            leaf = bound_playout(self.playouts or playout_for(position), amaf, chance)
        return simulate.bind(
            AMAF=amaf,
            CHANCES=chance,
            evaluate_leaf=leaf,
            winning_move=winning_move_for(position),
            **({"prior": chance_prior} if chance else {}),
        )

    def settings(self, position: Position, evenly: bool) -> SearchSettings:
        """Returns the settings of a search for the best move or, ``evenly``, of each."""
        largest, reference = float(position.max_utility), self._reference(position)
        solver = self.solver and position.num_players == 2
        exploration, scale = self.exploration, 0.5 * SCALE / largest  # values are one apart
        if self.policy is not None:
            exploration = 1.5 if exploration is None else exploration
            return SearchSettings(float(exploration) * largest, solver, evenly, value_scale=scale)
        if exploration is None:
            exploration = 0.3 if reference else weight_of_bounds(largest)
        expand_at, ask_at = 1 + position.num_actions // 16, self._ask_after(position)
        return SearchSettings(
            float(exploration) * largest, solver, evenly, expand_at, reference, ask_at
        )

    def _reference(self, position: Position) -> int:
        """Returns the reference number of visits for GRAVE; 0: none is wanted."""
        if self.rave is not None:
            return self.rave
        played_out = self.playouts is None and self.evaluate is None and self.policy is None
        return knowledge_of(position).grave if played_out else 0

    def _ask_after(self, position: Position) -> int:
        """Returns after how many visits of a node the game is asked for proven moves; 0: never."""
        visits = ASK_AFTER if self.knowledge is None else int(self.knowledge)
        within = self.seconds is not None or visits <= (self.simulations or DEFAULT_SIMULATIONS)
        knows = knowledge_of(position).proven_moves is not None
        return visits if knows and within and self.solver and self.policy is None else 0
