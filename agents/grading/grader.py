"""Grading an agent, step by step: whoever has seen enough stops, and has a card of that much."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import adv_envs
from adv_envs import CHANCE, Position
from agents.faults import CannotPlay, first_decision, refusal
from agents.human import Human
from agents.knowledge import ExactValues
from agents.spec import AgentLike, make

from .calibration import calibrate
from .card import ReportCard, make_card
from .exact import exact_for
from .games import own_games
from .positions import positions_for
from .probe import Answer, Claim, Examiner, time_limit

WARM_UP = 300.0
"""Seconds that the first answer of all may take: searches are compiled then."""


class Step(NamedTuple):
    """How far the grading has come."""

    done: int
    total: int


class Grader:
    """Grades ``agent``, or the agent of that spec, at the game of ``start``.

    ``positions`` questions of the set are put to it (None: all; the set is the one that comes
    along, or with ``set_seed`` one that is drawn now; ``on_question`` is told how many are), and it
    plays ``games`` games against itself and as many against opponents of mixed strength. ``seed``
    decides the agent's randomness and the games; a move may take ``limit`` seconds.

    ``run`` does it in steps and can be left at any time; ``card`` is what was found until then.
    ValueError for games that cannot be solved within seconds, numbers that are negative, and
    agents that are people; ImportError without SciPy. ``run`` begins with CannotPlay, a ValueError,
    if the agent cannot play this game at all.
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
        on_question: Callable[[int], None] | None = None,
    ) -> None:
        from .statistics import library

        library()
        self.agent = make(agent)
        if isinstance(self.agent, Human):
            raise ValueError("people are graded by their games: give records of them")
        if (positions is not None and positions < 1) or games < 0:
            raise ValueError("at least 1 position and not fewer than 0 games are needed")
        self.exact: ExactValues = exact_for(start)
        self.examiner = Examiner(self.agent, limit, seed)
        self.positions = positions_for(self.exact, positions, set_seed, on_question)
        self.games, self.seed = games, seed
        self.answers: list[Answer] = []
        self.played: list[tuple[str, list[Answer]]] = []
        self.claims: list[tuple[Claim, float]] = []
        self._one_sided = len({question.value for question in self.positions.questions}) == 1

    def run(self) -> Iterator[Step]:
        """Ask and play; after each question and each game how far it has come."""
        questions = self.positions.questions
        total = len(questions) + 2 * self.games
        self._warm_up()
        yield Step(0, total)
        for number, question in enumerate(questions):
            answer = self.examiner.ask(question, number)
            self.answers.append(answer)
            self._claims(answer)
            yield Step(number + 1, total)
        for game in own_games(self.examiner, self.exact, self.games, self.seed):
            self.played.append(game)
            yield Step(len(questions) + len(self.played), total)

    def card(self) -> ReportCard:
        """What is known by now."""
        calibration = None
        if self.positions.in_points and self.claims:
            claims, truths = zip(*self.claims, strict=True)
            most = self.positions.start.max_utility
            calibration = calibrate(claims, truths, most, self.seed)
        return make_card(
            self.positions, repr(self.agent), self.seed, self.answers, self.played, calibration
        )

    def _warm_up(self) -> None:
        """Let the agent compile what it needs; what else goes wrong will be seen again."""
        start = self.positions.start
        try:
            with time_limit(max(WARM_UP, self.examiner.limit)):
                self.agent.reset(self.seed)
                self.agent.act(first_decision(start))
        except Exception as error:
            if why := refusal(error):
                raise CannotPlay(repr(self.agent), adv_envs.name_of(start), why) from error

    def _claims(self, answer: Answer) -> None:
        """Note what the agent thinks of the position.

        Where all positions of the set are worth the same it is asked for the one after a right
        move as well, in which the other player is to move.
        """
        question = answer.question
        if answer.claim is None:
            return
        self.claims.append((answer.claim, question.value))
        after = question.position.play(question.right[0])
        if self._one_sided and not after.is_terminal() and after.to_move != CHANCE:
            claim = self.examiner.claim(after)
            same = after.to_move == question.position.to_move
            if claim is not None:
                self.claims.append((claim, question.value if same else 1 - question.value))


def grade(start: Position, agent: AgentLike, **options: Any) -> ReportCard:
    """The report card of ``agent`` at the game of ``start``; options and errors as ``Grader``."""
    grader = Grader(start, agent, **options)
    for _ in grader.run():
        pass
    return grader.card()
