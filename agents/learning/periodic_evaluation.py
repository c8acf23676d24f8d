"""Grades a learner by the share of moves that keep the value, and points against searches.

Where exact values are not to be had, there are the points alone; in games of hidden information it
is the exact exploitability.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from adv_envs import Position, name_of
from adv_envs.position import checked
from adv_envs.random import derived_seed
from adv_envs.registry import title
from agents.agent import Agent
from agents.equilibrium import TabularPolicy, exploitability, game_tree, uniform_policy
from agents.equilibrium.large_games import best_values, large_game, policy_array, uniform_answer
from agents.faults import IllegalAction
from agents.grading import PositionSet, TestPosition, exact_for, positions_for
from agents.grading.evaluator import expected_random
from agents.grading.large_card import is_large
from agents.grading.position_sets import PHASES, phase_of
from agents.knowledge import MoveValue, NotGraded, knowledge_of
from agents.match_loop import match
from agents.search.perfect import Perfect
from agents.spec import make
from agents.statistics import Interval, mean_interval, share_interval

from .policies import (
    BatchPolicy,
    GreedyPolicyAgent,
    PolicyFunction,
    observations_of,
    policy_function,
    probabilities_of,
    undisturbed,
)

NUM_POSITIONS, NUM_PAIRS = 300, 30
"""Test positions, and pairs of games against each opponent, by default."""

SOLVED_AT_ONCE = 100_000
"""Positions up to which a game is solved from its start."""

OPPONENT_DEPTHS = 1, 2, 3, 4, 5
"""Search depths of the default opponents."""


MAX_LEAVES = 300_000
"""Leaves of the deepest default opponent of ``PointsEvaluation``, as if all were visited."""


class PointsGrade(dict[str, float]):
    """Holds what games found: "vs SPEC", the points against each opponent, 0 to 1."""

    def __init__(self, points: dict[str, Interval], **others: float) -> None:
        super().__init__(others)
        self.update({f"vs {spec}": found.value for spec, found in points.items()})
        self.points = points
        """The points against each opponent, by its spec."""

    @property
    def intervals(self) -> dict[str, Interval]:
        """Returns the intervals, with 95 % confidence, by name: "vs SPEC"."""
        return {f"vs {spec}": found for spec, found in self.points.items()}


class Grade(PointsGrade):
    """Holds what an evaluation found: numbers by name, and their intervals with 95 % confidence.

    The numbers are "mistakes", the share of moves that lose value, and "vs SPEC", the points
    against each opponent, all from 0 to 1.
    """

    def __init__(
        self,
        kept: Interval,
        random: float,
        phases: dict[str, Interval],
        points: dict[str, Interval],
    ) -> None:
        super().__init__(points, mistakes=1 - kept.value)
        self.kept = kept
        """The share of moves that keep the value of the game, at all test positions."""
        self.random = random
        """The same for uniformly random moves, exactly."""
        self.phases = phases
        """``kept`` in the opening, the middle and the end of the game, as far as they occur."""

    @property
    def intervals(self) -> dict[str, Interval]:
        """Returns the intervals by name: "kept", "kept opening" and so on, "random", and "vs SPEC".

        That of random moves is exact.
        """
        phases = {f"kept {phase}": found for phase, found in self.phases.items()}
        exact = Interval(self.random, self.random, self.random, self.kept.n)
        return {"kept": self.kept, **phases, "random": exact, **super().intervals}


class PointsEvaluation:
    """Evaluates a policy by games, always from the same openings, where values are not known.

    ``evaluate`` returns a ``PointsGrade``: the points against each of ``opponents``, a draw
    counting half, in ``pairs`` random openings of two plies, each played twice with the seats
    swapped. The default opponents are random and alpha-beta, as deep as takes moments. A policy is
    what ``PeriodicEvaluation`` takes.
    """

    def __init__(
        self,
        start: Position,
        opponents: Iterable[str] | None = None,
        pairs: int | None = None,
        seed: int = 0,
        reason: str = "",
    ) -> None:
        self.start, self.seed, self.pairs = checked(start), seed, pairs or NUM_PAIRS
        self.rng = random.Random(seed)
        specs = self.default_opponents() if opponents is None else opponents
        self.opponents = {spec: make(spec) for spec in specs}
        self.reason = reason
        """Why the game is not evaluated by exact values, if that is known."""

    def default_opponents(self) -> list[str]:
        """Returns the specs of the opponents that nobody has chosen."""
        rng, position, width = random.Random(0), self.start, 1
        for _ in range(10):  # a turn may have several plies, some with few actions
            if not position.is_terminal():
                width = max(width, len(position.legal_actions()))
                position = position.play(rng.choice(position.legal_actions()))
        deepest = [d for d in OPPONENT_DEPTHS if width**d <= MAX_LEAVES]
        return default_opponents(self.start, deepest or OPPONENT_DEPTHS[:1])

    @cached_property
    def openings(self) -> list[Position]:
        """Returns the positions that games begin from."""
        return [self._random_position(2) for _ in range(self.pairs)]

    def evaluate(self, policy: Any) -> PointsGrade:
        """Returns the grade of ``policy``, and leaves random numbers and modes as they were.

        RuntimeError if it fails or answers with an illegal action: a bug is no bad play.
        """
        function = policy_function(policy)
        with undisturbed(*(function.modules if function else ())):
            agent = make(policy) if function is None else GreedyPolicyAgent(function, self.start)
            return PointsGrade(self._all_points(agent))

    def _all_points(self, agent: Agent) -> dict[str, Interval]:
        return {spec: self._points(agent, o) for spec, o in self.opponents.items()}

    def _points(self, agent: Agent, opponent: Agent) -> Interval:
        shares = []
        for number, opening in enumerate(self.openings):
            seed = derived_seed(self.seed, "match", number)
            result = match(opening, agent, opponent, pairs=1, seed=seed)
            for game in result.games:
                if game.reason:  # otherwise a bug would look like bad play
                    raise RuntimeError(game.reason)
            shares.append(result.total.points / 2)
        found = mean_interval(shares, seed=0)
        assert found is not None  # there are openings
        return found

    def _random_position(self, plies: int) -> Position:
        while True:
            position = self.start
            for _ in range(plies):
                if not position.is_terminal():
                    position = position.play(self.rng.choice(position.legal_actions()))
            if not position.is_terminal():
                return position


class PeriodicEvaluation(PointsEvaluation):
    """Evaluates a policy at one game, always at the same positions and from the same openings.

    ``evaluate`` returns a ``Grade``:

    - "mistakes": the share of ``positions`` at which the policy plays a wrong move (from a win to a
      draw or loss, from a draw to a loss; with chance, any that lowers the probability of winning);
    - "vs SPEC": the points against each of ``opponents``, a draw counting half, in ``pairs`` random
      openings of two plies, each played twice with the seats swapped. The default opponents are
      random and alpha-beta of depth 1 to 5, with chance expectiminimax of depth 1 and 2; () is
      none.

    At all ``positions`` some move is wrong. A number (None: NUM_POSITIONS) are random ones, as many
    or all there are, with the exact values of ``Perfect``; for games without ``sample_plies`` in
    their record of ``agents.knowledge`` they are of the set of their report cards, or drawn like
    it. Or it is a ``PositionSet``: one of ``agents.grading.positions_for`` gives the share that a
    report card has.

    A policy is whatever ``policy_function`` knows, which answers all positions at once, or an
    agent, its spec, or a function of a position. NotGraded, with what can be graded, for games
    whose values are not known within seconds.
    """

    def __init__(
        self,
        start: Position,
        opponents: Iterable[str] | None = None,
        pairs: int | None = None,
        positions: int | PositionSet | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(start, opponents, pairs, seed)
        self.tests = self._tests(positions, seed)
        self._batch = observations_of(start, [test.position for test in self.tests])

    def default_opponents(self) -> list[str]:
        """Returns random and searches of OPPONENT_DEPTHS."""
        return default_opponents(self.start, OPPONENT_DEPTHS)

    @property
    def positions(self) -> list[tuple[Position, set[int]]]:
        """Returns the test positions, and the right moves at each."""
        return [(test.position, set(test.right)) for test in self.tests]

    def evaluate(self, policy: Any) -> Grade:
        """Returns the grade of ``policy``, and leaves random numbers and modes as they were.

        RuntimeError if it fails or answers with an illegal action: a bug is no bad play.
        """
        function = policy_function(policy)
        with undisturbed(*(function.modules if function else ())):
            if function is None:
                agent = make(policy)
                actions = [agent.act(test.position) for test in self.tests]
            else:
                agent = GreedyPolicyAgent(function, self.start)
                actions = probabilities_of(function, *self._batch).argmax(1).tolist()
            points = self._all_points(agent)
        return self._grade(actions, points)

    def _grade(self, actions: list[int], points: dict[str, Interval]) -> Grade:
        kept = []
        for test, action in zip(self.tests, actions, strict=True):
            if action not in test.move_values:
                raise RuntimeError(f"{IllegalAction.__name__}: {action} at {test.position!r}")
            kept.append(action in test.right)
        overall, at_random = share_interval(kept), expected_random(self.tests).kept
        assert overall is not None  # some move is wrong at every position
        assert at_random is not None
        phases = {}
        for phase in PHASES:
            some = [k for k, test in zip(kept, self.tests, strict=True) if test.phase == phase]
            if (found := share_interval(some)) is not None:
                phases[phase] = found
        return Grade(overall, at_random, phases, points)

    def _tests(self, positions: int | PositionSet | None, seed: int) -> list[TestPosition]:
        """Returns the test positions, where some move is wrong; ValueError without any."""
        known = knowledge_of(self.start)
        if known.exact_values is not None:
            known.exact_values(self.start)  # says why where there are none
        sample_plies = known.sample_plies
        plies = None if sample_plies is None else sample_plies(self.start)
        if isinstance(positions, PositionSet):
            if positions.start != self.start:
                raise ValueError(
                    f"these positions are of {title(positions.start)}, not {title(self.start)}"
                )
            found = list(positions.positions)
        elif plies is not None:
            found = self._random_tests(plies, positions or NUM_POSITIONS)
        elif positions is None:
            found = list(positions_for(exact_for(self.start), None, seed or None).positions)
        else:  # in about a third of a set no move is wrong, as all lose
            found = list(positions_for(exact_for(self.start), 2 * positions, seed).positions)
        number = positions if isinstance(positions, int) else None
        telling = [test for test in found if test.value_matters][:number]
        if not telling:
            raise NotGraded(
                f"no position of {title(self.start)} was found at which some move is wrong"
            )
        return telling

    def _random_tests(self, plies: range, number: int) -> list[TestPosition]:
        """Returns random positions that are not lost and have a wrong move."""
        from tqdm import tqdm

        solver, found, seen = Perfect(), list[TestPosition](), set[Position]()
        progress = knowledge_of(self.start).progress
        if (self.start.state_space() or math.inf) <= SOLVED_AT_ONCE:
            solver.value(self.start)  # all positions at once
        bar = tqdm(total=number, desc="exact values", leave=False, disable=None)
        for _ in range(50 * number):
            position = self._random_position(self.rng.choice(plies))
            if position in seen:
                continue
            seen.add(position)
            values = {a: MoveValue.of_score(v) for a, v in solver.values(position).items()}
            phase = "" if progress is None else phase_of(progress(position))
            test = TestPosition(position, values, phase)
            if test.value_matters:
                found.append(test)
                bar.update()
            if len(found) == number:
                break
        bar.close()
        return found


class ExploitabilityEvaluation:
    """Grades policies of one game by what a perfect opponent would win, as a ``TrainingRun`` does.

    ``evaluate`` returns {"exploitability": chips per game}: NashConv divided by the number of
    players, exactly, from all information sets of the game. Where the tree is too large, the game's
    record says how (``Knowledge.large_game``); ValueError for games for which nothing does.

    ``uniform`` is that of uniform play, which takes as long as an evaluation.
    """

    in_percent = False

    def __init__(self, start: Position) -> None:
        self.start = start
        self.large = large_game(start) if is_large(start) else None
        if self.large is not None:
            return
        self.tree = tree = game_tree(start)
        self.observations = observations_of(start, tree.views)[0]
        self.masks = np.zeros((tree.num_sets, start.num_actions), np.bool_)
        self.masks[tree.slot_set, tree.slot_action] = True

    @cached_property
    def uniform(self) -> float:
        """Returns the exploitability of uniform play."""
        if self.large is None:
            return exploitability(uniform_policy(self.start))
        return self._of_large(uniform_answer)

    def table(self, policy: Any) -> TabularPolicy:
        """Returns the policy at every information set of the tree, asked for in one batch.

        It is whatever ``policy_function`` knows. TypeError for an agent or a function of a
        position, which say one action and no probabilities: ``agents.grading.grade_hidden`` grades
        them. ValueError where the tree is too large.
        """
        if self.large is not None:
            game_tree(self.start)  # says why
        function = self._function(policy)
        with undisturbed(*function.modules):
            weights = probabilities_of(function, self.observations, self.masks)
        chosen = weights[self.tree.slot_set, self.tree.slot_action]
        return TabularPolicy.of_weights(self.tree, chosen)

    def _function(self, policy: Any) -> BatchPolicy:
        function = policy_function(policy)
        if function is None:
            raise TypeError(
                "where players do not see everything a policy gives probabilities from "
                f"observations and masks, and {policy!r} is an agent: use "
                "agents.grading.grade_hidden for it"
            )
        return function

    def _of_large(self, function: PolicyFunction) -> float:
        assert self.large is not None
        game, players = self.large, (0, 1)

        def answer(observations: Any, masks: Any) -> Any:
            return probabilities_of(function, observations, masks)

        return sum(best_values(game, [policy_array(game, p, answer) for p in players])) / 2

    def evaluate(self, policy: Any) -> dict[str, float]:
        """Returns the exploitability by name."""
        if self.large is None:
            return {"exploitability": exploitability(self.table(policy))}
        function = self._function(policy)
        with undisturbed(*function.modules):
            return {"exploitability": self._of_large(function)}


def evaluation_for(
    start: Position, **options: Any
) -> PeriodicEvaluation | ExploitabilityEvaluation:
    """Returns the exact evaluation of learners of a game, with ``options`` as it takes them.

    Where players do not see everything that is the exploitability, else the moves that keep the
    value. ValueError, with what would be right, for a game that has neither.
    """
    if not start.perfect_information:
        return ExploitabilityEvaluation(start, **options)
    return PeriodicEvaluation(start, **options)


def evaluation_or_points(start: Position) -> PointsEvaluation:
    """Returns the exact evaluation of learners of a game, or that by games if there is none.

    Of the latter kind ``reason`` says why.
    """
    try:
        return PeriodicEvaluation(start)
    except NotGraded as error:
        return PointsEvaluation(start, reason=str(error))


def default_opponents(start: Position, depths: Sequence[int] = OPPONENT_DEPTHS) -> list[str]:
    """Returns random, and alpha-beta of these ``depths`` with the game's default evaluation.

    With chance it is expectiminimax, of the first two of the depths.
    """
    evaluation = knowledge_of(start).default_evaluation
    evaluate = "" if evaluation is None else f", evaluate={name_of(start)}.{evaluation}"
    search = "alpha_beta"
    if start.has_chance:
        search, depths = "expectiminimax", depths[:2]
    return ["random", *(f"{search}(depth={depth}{evaluate})" for depth in depths)]


def never_loses(agent: Agent, start: Position) -> tuple[bool, int]:
    """Returns whether no sequence of replies beats the agent in any seat, and the positions seen.

    The agent must be deterministic.
    """
    start, seen = checked(start), set[tuple[Position, int]]()

    def safe(position: Position, seat: int) -> bool:
        if (position, seat) in seen:
            return True
        seen.add((position, seat))
        if position.is_terminal():
            return position.utility(seat) >= 0
        if position.to_move == seat:
            return safe(position.play(agent.act(position)), seat)
        return all(safe(position.play(action), seat) for action in position.legal_actions())

    return safe(start, 0) and safe(start, 1), len(seen)
