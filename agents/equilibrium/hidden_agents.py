"""Plays games of hidden information by a policy for the whole game, solved at first use.

The game is that of the position's start; its policy is kept in the process, so a second agent with
the same parameters has it at once. What an agent plays depends on the view of the player to move
alone: actions are drawn by the probabilities of its policy.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from adv_envs import CHANCE, Position
from adv_envs.position import checked
from agents.agent import (
    SearchAgent,
    SearchResult,
    SeededAgent,
    require_limit,
    require_unfinished,
)

from .best_response import find_values, reach_of, sequence_form
from .game_tree import GameTree, game_tree
from .linear_program import solve_zero_sum
from .regret_matching import (
    CFR,
    MCCFR,
    Schedule,
    constant,
    discounted,
    plus,
    require_sampling,
)
from .tabular_policy import TabularPolicy, uniform_probabilities

MOST_EXPONENT = 20
"""The largest exponent of discounted CFR: powers of it stay numbers for a million iterations."""

TREMBLE = 1e-9
"""The share of uniform play that is mixed in to say what is expected where nobody should get."""


@dataclass(repr=False)
class PolicyAgent(SeededAgent, SearchAgent):
    """Plays a policy for a whole game, which ``solve`` finds: the base class.

    ValueError for games with too many histories, see ``GameTree``, and for those in which players
    see everything.
    """

    def solve(self, tree: GameTree) -> TabularPolicy:
        """Returns the policy for a game; the same each time."""
        raise NotImplementedError

    def policy(self, position: Position) -> TabularPolicy:
        """Returns the policy for the game of ``position``."""
        given = tuple((f.name, getattr(self, f.name)) for f in fields(self) if f.init)
        agent: Callable[..., PolicyAgent] = type(self)
        return solved(agent, given, game_tree(checked(position).start()))

    def action_probabilities(self, position: Position) -> dict[int, float]:
        """Returns how likely ``act`` is to play each legal action."""
        require_decision(position, self.name)
        return self.policy(position).probabilities(position)

    def act(self, position: Position) -> int:
        """Returns an action drawn by the policy; ValueError if the game is over."""
        shares = self.action_probabilities(position)
        return self.rng.choices(list(shares), list(shares.values()))[0]

    def analyse(self, position: Position) -> SearchResult:
        """Returns how the policy plays, and what it expects where all play by it.

        ``action`` is the most likely one. Values are utilities that the player to move expects of
        each action, given what the player sees; ``nodes`` counts the histories of the game.
        """
        began = time.perf_counter()
        shares = self.action_probabilities(position)
        policy = self.policy(position)
        values = self.values(position)
        action = max(shares, key=shares.__getitem__)
        return SearchResult(
            action,
            sum(shares[a] * values[a] for a in shares),
            (action,),
            nodes=policy.tree.num_nodes,
            leaves=len(policy.tree.leaves),
            seconds=time.perf_counter() - began,
            values=values,
            probabilities=shares,
        )

    def value(self, position: Position) -> float:
        """Returns what the player to move expects; player 0 where chance is to move."""
        position = checked(position)
        if position.is_terminal():
            return float(position.utility(max(position.to_move, 0)))
        if position.to_move != CHANCE:
            return self.analyse(position).value
        if position != position.start():
            raise ValueError(f"{self.name} values no deals: ask after they are done")
        policy = self.policy(position)
        return expected_values(policy, 0)[-1]

    def values(self, position: Position) -> dict[int, float]:
        """Returns what the player to move expects of each legal action, given the view."""
        position = checked(position)
        if position.is_terminal():
            return {}
        require_decision(position, self.name)
        policy = self.policy(position)
        number = policy.tree.find(position)
        slots = policy.tree.slots(number)
        found = expected_values(policy, int(policy.tree.set_player[number]))
        own = found[slots.start : slots.stop]
        return dict(zip(policy.tree.legal_actions(number), own, strict=True))


def require_iterations(iterations: int) -> None:
    """Raises TypeError or ValueError unless ``iterations`` is a whole number above 0."""
    if iterations is None:
        raise TypeError("iterations must be a whole number, not None")
    require_limit("iterations", iterations)


@functools.lru_cache(maxsize=16)
def solved(
    agent: Callable[..., PolicyAgent], given: tuple[tuple[str, Any], ...], tree: GameTree
) -> TabularPolicy:
    """Returns the policy of an agent with these parameters; the last few are kept."""
    return agent(**dict(given)).solve(tree)


def require_decision(position: Position, who: str) -> None:
    """Raises ValueError unless a player is to move in a game of hidden information."""
    position = require_unfinished(position)
    if position.perfect_information:
        raise ValueError(
            f"{who} plays games in which players do not see everything; where they do, use "
            "retrograde, perfect or alpha_beta"
        )
    if position.to_move == CHANCE:
        raise ValueError(
            f"{who} chooses actions; here chance is to move: name its moves first, such as the deal"
        )


@functools.lru_cache(maxsize=16)
def expected_values(policy: TabularPolicy, player: int) -> list[float]:
    """Returns what ``player`` expects after each own slot, and in the game, (num_slots + 1).

    Sets that the others never let be reached are valued as if they made a mistake now and then.
    """
    tree = policy.tree
    mixed = (1 - TREMBLE) * policy.array + TREMBLE * uniform_probabilities(tree)
    found = []
    for shares in (policy.array, mixed):
        reach = reach_of(tree, shares)
        numbers = []
        for ones in (False, True):
            values = np.zeros(tree.num_slots + 1)
            form = sequence_form(tree, ones)
            find_values(form, player, False, policy.array, reach, values)
            numbers.append(values)
        found.append(numbers)
    (values, chances), (mixed_values, mixed_chances) = found
    rare = np.divide(mixed_values, mixed_chances, out=0 * mixed_values, where=mixed_chances > 0)
    usual = np.divide(values, chances, out=rare, where=chances > 1e-12)
    return usual.tolist()  # type: ignore[no-any-return]


@dataclass(repr=False)
class CFRAgent(PolicyAgent):
    """Plays the average policy of counterfactual regret minimisation (CFR)."""

    iterations: int = 1000
    """How many iterations are made before the first move."""

    name: ClassVar[str] = "cfr"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_iterations(self.iterations)

    def schedule(self) -> Schedule:
        """Returns the weights of the iterations."""
        return constant

    def solve(self, tree: GameTree) -> TabularPolicy:
        """Returns the average policy."""
        solver = CFR(tree, self.schedule())
        solver.run(self.iterations)
        return solver.average()


@dataclass(repr=False)
class CFRPlusAgent(CFRAgent):
    """Plays the average policy of CFR+."""

    name: ClassVar[str] = "cfr_plus"

    def schedule(self) -> Schedule:
        """Returns the weights of the iterations."""
        return plus


@dataclass(repr=False)
class DiscountedCFRAgent(CFRAgent):
    """Plays the average policy of discounted CFR.

    In iteration t, positive regrets so far are multiplied by t ** ``alpha`` / (t ** ``alpha`` + 1),
    negative ones likewise with ``beta``, and the policy has the weight t ** ``gamma``.
    """

    alpha: float = 1.5
    """Of positive regrets: the larger, the less the first iterations are forgotten."""
    beta: float = 0.0
    """The same of negative regrets."""
    gamma: float = 2.0
    """Of the average policy: the larger, the less the first iterations count."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta", "gamma"):
            exponent = getattr(self, name)
            if not -MOST_EXPONENT <= exponent <= MOST_EXPONENT:
                raise ValueError(
                    f"{name} must be from {-MOST_EXPONENT} to {MOST_EXPONENT}, not {exponent}"
                )

    name: ClassVar[str] = "discounted_cfr"

    def schedule(self) -> Schedule:
        """Returns the weights of the iterations."""
        return discounted(self.alpha, self.beta, self.gamma)


@dataclass(repr=False)
class MCCFRAgent(PolicyAgent):
    """Plays the average policy of Monte Carlo CFR.

    ``sampling`` is "external" or "outcome", ``exploration`` that of outcome sampling. The samples
    are drawn from ``seed``, so the policy is always the same; ``reset`` is for the actions drawn.
    """

    iterations: int = 100_000
    """How many games are sampled before the first move, for each player."""
    sampling: str = "external"
    """"external" tries all actions of the player who is updated, "outcome" draws one line of
    play."""
    exploration: float = 0.6
    """How often outcome sampling draws own actions uniformly."""
    seed: int = 0
    """Of the samples, so the policy is always the same; ``reset`` is for the actions drawn."""

    name: ClassVar[str] = "mccfr"

    def __post_init__(self) -> None:
        require_iterations(self.iterations)
        require_sampling(self.sampling, self.exploration)
        if not isinstance(self.seed, int):
            raise TypeError(f"seed must be a whole number, not {self.seed!r}")
        super().__post_init__()

    def solve(self, tree: GameTree) -> TabularPolicy:
        """Returns the average policy."""
        solver = MCCFR(tree, self.sampling, self.exploration, self.seed)
        solver.run(self.iterations)
        return solver.average()


@dataclass(repr=False)
class EquilibriumAgent(PolicyAgent):
    """Plays an exact equilibrium of a game of two players, found by linear programming.

    It needs scipy, which the extra ``lab`` brings.
    """

    name: ClassVar[str] = "equilibrium"

    def solve(self, tree: GameTree) -> TabularPolicy:
        """Returns an equilibrium."""
        return solve_zero_sum(tree).policy
