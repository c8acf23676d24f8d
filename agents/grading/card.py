"""The report card: what was measured, ready to be printed, written as JSON or as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adv_envs import Position, name_of

from .calibration import Calibration
from .marks import Marks, marks
from .positions import PositionSet, parameters
from .probe import Answer
from .question import DIFFICULTIES, PHASES, SAME
from .statistics import Estimate, quantile

BLUNDERS = 6

OPPONENTS = {"self": "against itself", "mixed": "against mixed strength"}


@dataclass(frozen=True)
class Times:
    """Seconds for a move."""

    median: Estimate | None
    slow: Estimate | None
    """The 95th percentile: one move in twenty takes longer."""


@dataclass(frozen=True)
class Blunder:
    """A mistake: the answer, and where the question came from."""

    answer: Answer
    source: str

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        question, name = self.answer.question, self.answer.question.position.name
        assert self.answer.action is not None  # failures are no blunders
        return {
            "source": self.source,
            "position": repr(question.position),
            "moves": question.moves,
            "phase": question.phase,
            "played": name(self.answer.action),
            "right": [name(action) for action in question.right],
            "strongest": [name(action) for action in question.strongest],
            "lost": self.answer.lost,
            "lost_score": self.answer.lost_score,
        }


@dataclass(frozen=True)
class ReportCard:
    """What an agent is worth, measured against the exact worth of every move."""

    start: Position
    agent: str
    seed: int
    positions: PositionSet
    asked: int
    """How many of the set's questions were asked: all, unless the grading was interrupted."""
    overall: Marks
    phases: dict[str, Marks]
    difficulties: dict[str, Marks]
    games: dict[str, Marks]
    """By opponent: "self" and "mixed"."""
    played: int
    """Own games."""
    unknown: int
    """Moves of own games that were not graded, as their exact worth would take long to find."""
    repeated: int
    """Moves of own games in positions that had come up before, which count once."""
    calibration: Calibration | None
    times: Times
    failures: dict[str, int]
    """How often the agent failed, by reason."""
    blunders: tuple[Blunder, ...]

    @property
    def complete(self) -> bool:
        """Whether all of the set was asked."""
        return self.asked == len(self.positions.questions)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "agent": self.agent,
            "seed": self.seed,
            "positions": {
                "name": self.positions.name,
                "sha256": self.positions.digest,
                "questions": len(self.positions.questions),
                "asked": self.asked,
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
    """The card for the answers to a set and for those of each game, "self" or "mixed"."""
    scores = positions.has_scores
    own, repeated = first_answers(games)
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
        asked=len(answers),
        overall=marks(answers, scores, seed),
        phases=by(answers, PHASES, "phase", scores, seed),
        difficulties=by(
            [answer for answer in answers if answer.question.value_matters],
            DIFFICULTIES,
            "difficulty",
            scores,
            seed,
        ),
        games={who: marks(some, scores, seed, True) for who, some in own.items() if some},
        played=len(games),
        unknown=unknown,
        repeated=repeated,
        calibration=calibration,
        times=Times(quantile(seconds, 0.5, seed), quantile(seconds, 0.95, seed)),
        failures=dict(Counter(answer.failure for answer in every if answer.failure).most_common()),
        blunders=worst(sources),
    )


def by(
    answers: Sequence[Answer], kinds: Sequence[str], attribute: str, has_scores: bool, seed: int
) -> dict[str, Marks]:
    """The marks for each kind of question, of those kinds that were asked."""
    found = {}
    for kind in kinds:
        some = [answer for answer in answers if getattr(answer.question, attribute) == kind]
        if some:
            found[kind] = marks(some, has_scores, seed)
    return found


def first_answers(
    games: Sequence[tuple[str, Sequence[Answer]]],
) -> tuple[dict[str, list[Answer]], int]:
    """The graded answers by opponent, one for each position, and how many others there were."""
    own: dict[str, list[Answer]] = {who: [] for who in OPPONENTS}
    seen, repeated = set[tuple[str, Position]](), 0
    for who, answers in games:
        for answer in answers:
            key = who, answer.question.position
            if answer.graded and key not in seen:
                own[who].append(answer)
            repeated += key in seen
            seen.add(key)
    return own, repeated


def worst(sources: Sequence[tuple[Answer, str]], most: int = BLUNDERS) -> tuple[Blunder, ...]:
    """The worst mistakes, one for each position: by value lost, by score, by how easy it was."""
    mistakes: dict[Position, Blunder] = {}
    for answer, source in sources:
        if answer.action is None or not answer.graded:
            continue
        if answer.lost > SAME or answer.lost_score > SAME:
            mistakes.setdefault(answer.question.position, Blunder(answer, source))

    def badness(blunder: Blunder) -> tuple[float, float, float]:
        answer, question = blunder.answer, blunder.answer.question
        return answer.lost, answer.lost_score, len(question.right) / len(question.move_values)

    return tuple(sorted(mistakes.values(), key=badness, reverse=True)[:most])
