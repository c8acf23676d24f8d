"""Grades an agent at test positions and in its own games, and makes the report card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from adv_envs import CHANCE, Position, name_of
from agents.faults import CannotPlay, first_decision, incompatibility
from agents.human import Human
from agents.knowledge import ExactValues
from agents.spec import AgentLike, make

from .evaluator import Answer, Claim, Evaluator, own_games, time_limit
from .exact_values import exact_for
from .metrics import (
    Calibration,
    Interval,
    Metrics,
    calibrate,
    metrics_of,
    quantile_interval,
    scipy_stats,
)
from .position_sampling import positions_for
from .position_sets import DIFFICULTIES, PHASES, SAME, PositionSet, parameters

MAX_BLUNDERS = 6
"""Blunders on a card."""

OPPONENTS = {"self": "against itself", "mixed": "against mixed strength"}
"""The opponents in the agent's own games."""

WARM_UP = 300.0
"""Seconds that the first decision may take, as searches are compiled then."""


# ---- the card


@dataclass(frozen=True)
class DecisionTimes:
    """Seconds for a move."""

    median: Interval | None
    slow: Interval | None
    """The 95th percentile."""


@dataclass(frozen=True)
class Blunder:
    """A mistake: the answer, and where the position comes from."""

    answer: Answer
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Returns the blunder as plain data, for JSON."""
        test, name = self.answer.test, self.answer.test.position.name
        assert self.answer.action is not None  # failures are no blunders
        return {
            "source": self.source,
            "position": repr(test.position),
            "moves": test.moves,
            "phase": test.phase,
            "played": name(self.answer.action),
            "right": [name(action) for action in test.right],
            "strongest": [name(action) for action in test.strongest],
            "lost": self.answer.lost,
            "lost_score": self.answer.lost_score,
        }


@dataclass(frozen=True)
class ReportCard:
    """How well an agent plays, measured by the exact value of every move."""

    start: Position
    agent: str
    seed: int
    positions: PositionSet
    evaluated: int
    """The number of test positions answered: all of the set, unless grading was interrupted."""
    overall: Metrics
    phases: dict[str, Metrics]
    difficulties: dict[str, Metrics]
    games: dict[str, Metrics]
    """By opponent: "self" and "mixed"."""
    played: int
    """The number of own games."""
    unknown: int
    """Moves of own games that were not graded, as their exact values take long to find."""
    repeated: int
    """Moves of own games in positions that had occurred before; each position counts once."""
    calibration: Calibration | None
    times: DecisionTimes
    failures: dict[str, int]
    """The number of failures of the agent, by reason."""
    blunders: tuple[Blunder, ...]

    @property
    def complete(self) -> bool:
        """Whether all test positions were answered."""
        return self.evaluated == len(self.positions.positions)

    def to_dict(self) -> dict[str, Any]:
        """Returns the card as plain data, for JSON."""
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "agent": self.agent,
            "seed": self.seed,
            "positions": {
                "name": self.positions.name,
                "sha256": self.positions.digest,
                "questions": len(self.positions.positions),
                "asked": self.evaluated,
                "in_points": self.positions.in_points,
                "has_scores": self.positions.has_scores,
            },
            "overall": self.overall.to_dict(),
            "phases": {name: found.to_dict() for name, found in self.phases.items()},
            "difficulties": {name: found.to_dict() for name, found in self.difficulties.items()},
            "games": {
                "played": self.played,
                "not_graded": self.unknown,
                "repeated": self.repeated,
                **{name: found.to_dict() for name, found in self.games.items()},
            },
            "calibration": self.calibration and self.calibration.to_dict(),
            "seconds": {
                "median": self.times.median and self.times.median.to_dict(),
                "p95": self.times.slow and self.times.slow.to_dict(),
            },
            "failures": self.failures,
            "blunders": [blunder.to_dict() for blunder in self.blunders],
        }


def make_card(
    positions: PositionSet,
    agent: str,
    seed: int,
    answers: Sequence[Answer],
    games: Sequence[tuple[str, Sequence[Answer]]],
    calibration: Calibration | None,
) -> ReportCard:
    """Returns the card for answers to a set, and for those in games, "self" or "mixed"."""
    scores = positions.has_scores
    own, repeated = without_repetitions(games)
    unknown = sum(not answer.graded for _, some in games for answer in some)
    every = [*answers, *(answer for _, some in games for answer in some)]
    seconds = [answer.seconds for answer in answers if not answer.failure]
    sources = [(answer, "from the set") for answer in answers]
    sources += [
        (answer, f"from a game {OPPONENTS[who]}") for who, some in own.items() for answer in some
    ]
    return ReportCard(
        start=positions.start,
        agent=agent,
        seed=seed,
        positions=positions,
        evaluated=len(answers),
        overall=metrics_of(answers, scores, seed),
        phases=metrics_by(answers, PHASES, "phase", scores, seed),
        difficulties=metrics_by(
            [answer for answer in answers if answer.test.value_matters],
            DIFFICULTIES,
            "difficulty",
            scores,
            seed,
        ),
        games={who: metrics_of(some, scores, seed, True) for who, some in own.items() if some},
        played=len(games),
        unknown=unknown,
        repeated=repeated,
        calibration=calibration,
        times=DecisionTimes(
            quantile_interval(seconds, 0.5, seed), quantile_interval(seconds, 0.95, seed)
        ),
        failures=dict(Counter(answer.failure for answer in every if answer.failure).most_common()),
        blunders=worst(sources),
    )


def metrics_by(
    answers: Sequence[Answer], kinds: Sequence[str], attribute: str, has_scores: bool, seed: int
) -> dict[str, Metrics]:
    """Returns the metrics for each kind of test position that occurs."""
    found = {}
    for kind in kinds:
        some = [answer for answer in answers if getattr(answer.test, attribute) == kind]
        if some:
            found[kind] = metrics_of(some, has_scores, seed)
    return found


def without_repetitions(
    games: Sequence[tuple[str, Sequence[Answer]]],
) -> tuple[dict[str, list[Answer]], int]:
    """Returns the graded answers by opponent, the first for each position, and the repetitions."""
    own: dict[str, list[Answer]] = {who: [] for who in OPPONENTS}
    seen, repeated = set[tuple[str, Position]](), 0
    for who, answers in games:
        for answer in answers:
            key = who, answer.test.position
            if answer.graded and key not in seen:
                own[who].append(answer)
            repeated += key in seen
            seen.add(key)
    return own, repeated


def worst(sources: Sequence[tuple[Answer, str]], most: int = MAX_BLUNDERS) -> tuple[Blunder, ...]:
    """Returns the worst mistakes, one for each position: by value lost, score lost, difficulty."""
    mistakes: dict[Position, Blunder] = {}
    for answer, source in sources:
        if answer.action is None or not answer.graded:
            continue
        if answer.lost > SAME or answer.lost_score > SAME:
            mistakes.setdefault(answer.test.position, Blunder(answer, source))

    def badness(blunder: Blunder) -> tuple[float, float, float]:
        answer, test = blunder.answer, blunder.answer.test
        return answer.lost, answer.lost_score, len(test.right) / len(test.move_values)

    return tuple(sorted(mistakes.values(), key=badness, reverse=True)[:most])


# ---- grading


class GradingProgress(NamedTuple):
    """How many test positions and games are done, and how many there are in all."""

    done: int
    total: int


class Grader:
    """Grades ``agent`` at the game of ``start``; an agent, the spec of one, or a function.

    The agent answers the first ``positions`` test positions of the set (None: all) and plays
    ``games`` games against itself and as many against opponents of mixed strength. The set is the
    shipped one, or with ``set_seed`` one that is drawn now; ``on_position`` is called with the
    number drawn so far. ``seed`` seeds the agent and the games; a move may take ``limit`` seconds.

    ``run`` grades in steps and can be left at any time; ``card`` is the result until then.
    ValueError for games that cannot be solved within seconds, negative numbers, and human agents;
    ImportError without SciPy. ``run`` raises CannotPlay, a ValueError, if the agent cannot play
    this game at all.
    """

    def __init__(
        self,
        start: Position,
        agent: AgentLike,
        positions: int | None = None,
        games: int = 10,
        seed: int = 0,
        set_seed: int | None = None,
        limit: float = 60.0,
        on_position: Callable[[int], None] | None = None,
    ) -> None:
        scipy_stats()
        self.agent = make(agent)
        if isinstance(self.agent, Human):
            raise ValueError("people are graded by their games: give records of them")
        if (positions is not None and positions < 1) or games < 0:
            raise ValueError("at least 1 position and not fewer than 0 games are needed")
        self.exact: ExactValues = exact_for(start)
        self.evaluator = Evaluator(self.agent, limit, seed)
        self.positions = positions_for(self.exact, positions, set_seed, on_position)
        self.games, self.seed = games, seed
        self.answers: list[Answer] = []
        self.played: list[tuple[str, list[Answer]]] = []
        self.claims: list[tuple[Claim, float]] = []
        self._one_value = len({test.value for test in self.positions.positions}) == 1

    def run(self) -> Iterator[GradingProgress]:
        """Grades; yields the progress at the start and after each position and each game."""
        tests = self.positions.positions
        total = len(tests) + 2 * self.games
        self._warm_up()
        yield GradingProgress(0, total)
        for number, test in enumerate(tests):
            answer = self.evaluator.evaluate(test, number)
            self.answers.append(answer)
            self._add_claims(answer)
            yield GradingProgress(number + 1, total)
        for game in own_games(self.evaluator, self.exact, self.games, self.seed):
            self.played.append(game)
            yield GradingProgress(len(tests) + len(self.played), total)

    def card(self) -> ReportCard:
        """Returns the report card of all answers so far."""
        calibration = None
        if self.positions.in_points and self.claims:
            claims, truths = zip(*self.claims, strict=True)
            max_utility = self.positions.start.max_utility
            calibration = calibrate(claims, truths, max_utility, self.seed)
        return make_card(
            self.positions, repr(self.agent), self.seed, self.answers, self.played, calibration
        )

    def _warm_up(self) -> None:
        """Lets the agent compile its search; CannotPlay if it refuses the game."""
        start = self.positions.start
        try:
            with time_limit(max(WARM_UP, self.evaluator.limit)):
                self.agent.reset(self.seed)
                self.agent.act(first_decision(start))
        except Exception as error:
            if why := incompatibility(error):
                raise CannotPlay(repr(self.agent), name_of(start), why) from error

    def _add_claims(self, answer: Answer) -> None:
        """Adds the agent's own value of the position.

        Where all positions of the set have the same value, also that of the position after a right
        move, in which the other player is to move.
        """
        test = answer.test
        if answer.claim is None:
            return
        self.claims.append((answer.claim, test.value))
        after = test.position.play(test.right[0])
        if self._one_value and not after.is_terminal() and after.to_move != CHANCE:
            claim = self.evaluator.claim(after)
            same = after.to_move == test.position.to_move
            if claim is not None:
                self.claims.append((claim, test.value if same else 1 - test.value))


def grade(start: Position, agent: AgentLike, **options: Any) -> ReportCard:
    """Returns the report card of ``agent`` at the game of ``start``; options as for ``Grader``."""
    grader = Grader(start, agent, **options)
    for _ in grader.run():
        pass
    return grader.card()
