"""Grades an agent at test positions and in its own games, and makes the report card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from adv_envs import CHANCE, Position, name_of
from adv_envs.notation import write_line
from adv_envs.optional import optional_library
from adv_envs.position import checked
from adv_envs.random import root_seed
from adv_envs.registry import title as game_title
from agents.best_play import SAME
from agents.knowledge import ExactValues
from agents.language import ModelUsage, model_usage
from agents.simple import Human
from agents.spec import AgentLike, make
from agents.statistics import Interval, quantile_interval

from .evaluator import (
    Answer,
    Calibration,
    Claim,
    Evaluator,
    Metrics,
    calibrate,
    metrics_of,
    own_game,
    to_test_position,
)
from .exact_values import exact_for
from .parallel_answers import Evaluators
from .position_sets import (
    DIFFICULTIES,
    PHASES,
    PositionSet,
    TestPosition,
    parameters,
    positions_for,
)

MAX_BLUNDERS = 6
"""Blunders on a card."""

OPPONENTS = {"self": "against itself", "mixed": "against mixed strength"}
"""The opponents in the agent's own games."""


# ---- the card


@dataclass(frozen=True)
class DecisionTimes:
    """Describes the seconds for a move."""

    median: Interval | None
    slow: Interval | None
    """The 95th percentile."""


@dataclass(frozen=True)
class Blunder:
    """Describes a mistake: the answer, and where the position comes from."""

    answer: Answer
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Returns the blunder as plain data, for JSON."""
        test = self.answer.test
        assert self.answer.action is not None  # failures are no blunders
        return {
            "source": self.source,
            "position": repr(test.position),
            "moves": test.moves,
            "phase": test.phase,
            "played": test.position.name(self.answer.action),
            **self.answer.to_dict(),
        }


@dataclass(frozen=True)
class ReportCard:
    """Shows how well an agent plays, measured by the exact value of every move."""

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
    models: tuple[ModelUsage, ...] = ()
    """What a language model answered at the positions and in its own games, and the sum."""

    @property
    def complete(self) -> bool:
        """Returns whether all test positions were answered."""
        return self.evaluated == len(self.positions.positions)

    def to_dict(self) -> dict[str, Any]:
        """Returns the card as plain data, for JSON."""
        given, times = self.positions, self.times
        by_phase, by_difficulty, by_opponent = (
            {name: found.to_dict() for name, found in groups.items()}
            for groups in (self.phases, self.difficulties, self.games)
        )
        counts = {"played": self.played, "not_graded": self.unknown, "repeated": self.repeated}
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "agent": self.agent,
            "seed": self.seed,
            "positions": {
                "name": given.name,
                "sha256": given.digest,
                "questions": len(given.positions),
                "asked": self.evaluated,
                "in_points": given.in_points,
                "has_scores": given.has_scores,
            },
            "overall": self.overall.to_dict(),
            "phases": by_phase,
            "difficulties": by_difficulty,
            "games": {**counts, **by_opponent},
            "calibration": self.calibration and self.calibration.to_dict(),
            "seconds": {
                "median": times.median and times.median.to_dict(),
                "p95": times.slow and times.slow.to_dict(),
            },
            "failures": self.failures,
            "blunders": [blunder.to_dict() for blunder in self.blunders],
            **({"models": [row.to_dict() for row in self.models]} if self.models else {}),
        }


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


def counted(answers: Sequence[Answer]) -> Counter[str]:
    """Returns the sums of what an agent counted for these answers."""
    found = Counter[str]()
    for answer in answers:
        found.update(answer.counts)
    return found


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
    """Counts the test positions and games that are done, and those there are in all."""

    done: int
    total: int


class Grader:
    """Grades ``agent`` at the game of ``start``; an agent, the spec of one, or a function.

    The agent answers the first ``positions`` test positions of the set (None: all) and plays
    ``games`` games against itself and as many against opponents of mixed strength. The set is the
    shipped one, or with ``set_seed`` one that is drawn now; ``on_position`` is called with the
    number drawn so far. The seeds of the agent, and of the games and their opponents, are derived
    from ``seed``, None for 64 random bits; the card has it. A move may take ``limit`` seconds.
    ``copies`` are more agents of the same spec, asked at the same time, which gives the same card:
    other objects, and in processes of their own (``agents.arena.isolated``) if they compute much.

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
        seed: int | None = None,
        set_seed: int | None = None,
        limit: float = 60.0,
        on_position: Callable[[int], None] | None = None,
        copies: Sequence[AgentLike] = (),
    ) -> None:
        optional_library("scipy", "report cards need", "lab")
        seed = root_seed(seed)
        self.agent = make(agent)
        if isinstance(self.agent, Human):
            raise ValueError("people are graded by their games: give records of them")
        if (positions is not None and positions < 1) or games < 0:
            raise ValueError("at least 1 position and not fewer than 0 games are needed")
        self.exact: ExactValues = exact_for(start)
        self.copies = tuple(map(make, copies))
        self.evaluators = Evaluators([self.agent, *self.copies], limit, seed)
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
        self.evaluators.prepare(self.positions.start)
        yield GradingProgress(0, total)
        questions = [partial(self._ask, number=i, test=test) for i, test in enumerate(tests)]
        for answer, claims in self.evaluators.results(questions):
            self.answers.append(answer)
            self.claims += claims
            yield GradingProgress(len(self.answers), total)
        exact, seed = self.exact, self.seed
        games = [
            partial(own_game, exact=exact, number=number, seed=seed)
            for number in range(2 * self.games)
        ]
        for game in self.evaluators.results(games):
            self.played.append(game)
            yield GradingProgress(len(tests) + len(self.played), total)

    def card(self) -> ReportCard:
        """Returns the report card of all answers so far."""
        tests, answers, seed, calibration = self.positions, self.answers, self.seed, None
        if tests.in_points and self.claims:
            claims, truths = zip(*self.claims, strict=True)
            calibration = calibrate(claims, truths, tests.start.max_utility, seed)
        own, repeated = without_repetitions(self.played)
        in_games = [answer for _, some in self.played for answer in some]
        failures = [answer.failure for answer in (*answers, *in_games)]
        seconds = [answer.seconds for answer in answers if not answer.failure]
        median, slow = (quantile_interval(seconds, part, seed) for part in (0.5, 0.95))
        sources = [(answer, "from the set") for answer in answers]
        for who, some in own.items():
            sources += [(answer, f"from a game {OPPONENTS[who]}") for answer in some]

        def measured(groups: dict[str, list[Answer]], games: bool = False) -> dict[str, Metrics]:
            found = {name: some for name, some in groups.items() if some}
            scores = tests.has_scores
            return {name: metrics_of(some, scores, seed, games) for name, some in found.items()}

        phases = {phase: [a for a in answers if a.test.phase == phase] for phase in PHASES}
        telling = [answer for answer in answers if answer.test.value_matters]
        kinds = {kind: [a for a in telling if a.test.difficulty == kind] for kind in DIFFICULTIES}
        return ReportCard(
            start=tests.start,
            agent=repr(self.agent),
            seed=seed,
            positions=tests,
            evaluated=len(answers),
            overall=metrics_of(answers, tests.has_scores, seed),
            phases=measured(phases),
            difficulties=measured(kinds),
            games=measured(own, games=True),
            played=len(self.played),
            unknown=sum(not answer.graded for answer in in_games),
            repeated=repeated,
            calibration=calibration,
            times=DecisionTimes(median, slow),
            failures=dict(Counter(filter(None, failures)).most_common()),
            blunders=worst(sources),
            models=tuple(model_usage({"positions": counted(answers), "games": counted(in_games)})),
        )

    def _ask(
        self, evaluator: Evaluator, number: int, test: TestPosition
    ) -> tuple[Answer, list[tuple[Claim, float]]]:
        """Returns the answer at a test position, and the agent's own value of it beside the truth.

        Where all positions of the set have the same value, also that of the position after a right
        move, in which the other player is to move.
        """
        answer = evaluator.evaluate(test, number)
        if answer.claim is None:
            return answer, []
        claims = [(answer.claim, test.value)]
        after = test.position.play(test.right[0])
        if self._one_value and not after.is_terminal() and after.to_move != CHANCE:
            claim = evaluator.claim(after)
            same = after.to_move == test.position.to_move
            if claim is not None:
                claims.append((claim, test.value if same else 1 - test.value))
        return answer, claims


def grade(start: Position, agent: AgentLike, **options: Any) -> ReportCard:
    """Returns the report card of ``agent`` at the game of ``start``; options as for ``Grader``."""
    grader = Grader(start, agent, **options)
    for _ in grader.run():
        pass
    return grader.card()


# ---- recorded games

MAX_MISTAKES = 12
"""Blunders on a card of games."""

VERDICTS = {
    "strongest": "no move is stronger",
    "right": "keeps the value, but not as strongly as it could",
    "mistake": "loses value",
    "same": "all moves have the same value",
    "unknown": "the values of the moves take long to find",
}


@dataclass(frozen=True)
class GradedMove:
    """Describes a move of a recorded game, and how good it was."""

    number: int
    """The number of the ply, from 1."""
    player: int
    answer: Answer

    @property
    def verdict(self) -> str:
        """Returns one of VERDICTS."""
        test, answer = self.answer.test, self.answer
        if not answer.graded:
            return "unknown"
        if not test.value_matters and not test.score_matters:
            return "same"
        if answer.lost > SAME:
            return "mistake"
        return "right" if answer.lost_score > SAME else "strongest"

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as plain data, for JSON."""
        answer = self.answer
        assert answer.action is not None  # it was played
        return {
            "number": self.number,
            "player": self.player,
            "move": answer.test.position.name(answer.action),
            "verdict": self.verdict,
            **(answer.to_dict() if answer.graded else {}),
        }


@dataclass(frozen=True)
class GradedGame:
    """Holds a game with every move graded."""

    title: str
    start: Position
    players: tuple[str, ...]
    moves: tuple[GradedMove, ...]

    @property
    def line(self) -> str:
        """Returns the moves as text, without those of chance."""
        if self.start.has_chance:
            names = (m.answer.test.position.name(m.answer.action or 0) for m in self.moves)
            return " ".join(names)
        return write_line(self.start, [move.answer.action or 0 for move in self.moves])


@dataclass(frozen=True)
class RecordCard:
    """Shows how well the players of some recorded games played, by name."""

    start: Position
    games: tuple[GradedGame, ...]
    players: dict[str, Metrics]
    blunders: tuple[Blunder, ...]
    has_scores: bool
    in_points: bool

    @property
    def unknown(self) -> int:
        """Counts moves that were not graded."""
        return sum(not move.answer.graded for game in self.games for move in game.moves)

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as plain data, for JSON."""
        return {
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "players": {name: found.to_dict() for name, found in self.players.items()},
            "games": [
                {
                    "title": game.title,
                    "players": list(game.players),
                    "start": repr(game.start),
                    "line": game.line,
                    "moves": [move.to_dict() for move in game.moves],
                }
                for game in self.games
            ],
            "not_graded": self.unknown,
            "in_points": self.in_points,
            "has_scores": self.has_scores,
            "blunders": [blunder.to_dict() for blunder in self.blunders],
        }


def grade_game(
    exact: ExactValues,
    start: Position,
    actions: Sequence[int],
    title: str = "",
    players: Sequence[str] = ("player 0", "player 1"),
    number: int = 0,
    on_move: Callable[[int], None] | None = None,
) -> GradedGame:
    """Returns a game from ``start`` with every move graded whose values take seconds at most.

    ``actions`` are the moves, ``title`` and ``players`` what the game and those who played are
    called. ``number`` distinguishes games; ``on_move`` is called with the number of moves graded so
    far. ValueError for a game without moves, and for another game than that of ``exact``.
    """
    start = checked(start)
    if start.start() != exact.start:
        raise ValueError(
            f"the game is one of {game_title(start)}, not of {game_title(exact.start)}"
        )
    if not actions:
        raise ValueError("the record has no moves to grade")
    position, moves, before = start, list[GradedMove](), list[int]()
    for action in actions:
        if position.to_move != CHANCE:
            test = to_test_position(position, exact, start, before, patient=True)
            answer = Answer(test, action, group=number)
            moves.append(GradedMove(len(before) + 1, position.to_move, answer))
        before.append(action)
        position = position.play(action)
        if on_move is not None:
            on_move(len(before))
    return GradedGame(title, start, tuple(players), tuple(moves))


def record_card(exact: ExactValues, games: Sequence[GradedGame], seed: int = 0) -> RecordCard:
    """Returns the card of these games; players of the same name count as one.

    ``exact`` are the values by which they were graded.
    """
    by_name: dict[str, list[Answer]] = {}
    sources: list[tuple[Answer, str]] = []
    for game in games:
        for move in game.moves:
            name = game.players[move.player]
            where = f"move {move.number} of {game.title}" if game.title else f"move {move.number}"
            by_name.setdefault(name, [])
            if move.answer.graded:
                by_name[name].append(move.answer)
                sources.append((move.answer, f"{where}, {name}"))
    found = {
        name: metrics_of(answers, exact.has_scores, seed, len(games) > 1)
        for name, answers in sorted(by_name.items())
    }
    blunders = worst(sources, MAX_MISTAKES)
    return RecordCard(exact.start, tuple(games), found, blunders, exact.has_scores, exact.in_points)
