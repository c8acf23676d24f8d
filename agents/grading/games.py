"""Positions from an agent's own games: against itself, and against opponents of mixed strength."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.random import chance_action
from agents.agent import Agent
from agents.knowledge import ExactValues

from .probe import Answer, Examiner
from .question import Question, phase_of
from .sampling import careful_move

SKILLS = 0.25, 0.5, 0.75, 1.0
"""How often opponents play a right move on purpose; each has the skill for one game."""

OPENING_PLIES = 3
"""Games begin with fewer random moves than this, so that not all are the same."""


@dataclass(repr=False)
class Mixed(Agent):
    """An opponent of mixed strength: with probability ``skill`` a right move, else any.

    Where the exact worth of moves takes long it plays with care instead.
    """

    exact: ExactValues
    skill: float
    rng: random.Random = field(default_factory=random.Random)

    name: ClassVar[str] = "mixed"

    def act(self, position: Position) -> int:
        """A right move, or any."""
        if self.rng.random() >= self.skill:
            return self.rng.choice(position.legal_actions())
        if not self.exact.is_quick(position):
            return careful_move(position, self.rng)
        move_values = self.exact.move_values(position)
        best = max(worth.score for worth in move_values.values())
        return self.rng.choice([a for a, worth in move_values.items() if worth.score == best])


def own_games(
    examiner: Examiner, exact: ExactValues, games: int, seed: int
) -> Iterator[tuple[str, list[Answer]]]:
    """Plays ``games`` games against itself and as many against ``Mixed``, on both seats in turn.

    For each game: "self" or "mixed", and the agent's answers. A failure ends its game.
    """
    for number in range(2 * games):
        rng = random.Random(f"{seed} game {number}")
        rival = Mixed(exact, rng.choice(SKILLS), rng) if number % 2 else None
        yield (
            "mixed" if rival else "self",
            play(examiner, exact, rival, number // 2 % 2, rng, number),
        )


def play(
    examiner: Examiner,
    exact: ExactValues,
    rival: Agent | None,
    seat: int,
    rng: random.Random,
    number: int,
) -> list[Answer]:
    """The agent's answers in one game; on both seats if there is no ``rival``."""
    actions = opening(exact.start, rng)
    position, answers = exact.start.after(actions), list[Answer]()

    def ask(position: Position) -> Question:
        return question_at(position, exact, exact.start, actions)

    failure = examiner.begin(number)
    while not position.is_terminal():
        mover = position.to_move
        if mover == CHANCE:
            action = chance_action(position, rng.random())
        elif rival is not None and mover != seat:
            action = rival.act(position)
        else:
            answers.append(examiner.answer(ask(position), number, failure))
            if answers[-1].action is None:
                break
            action = answers[-1].action
        actions.append(action)
        position = position.play(action)
    return answers


def opening(start: Position, rng: random.Random) -> list[int]:
    """A random action or two, or none; none where dice are thrown or the game might end."""
    position, actions = start, list[int]()
    for _ in range(0 if start.has_chance else rng.randrange(OPENING_PLIES)):
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        if position.is_terminal():
            return []
        actions.append(action)
    return actions


def question_at(
    position: Position,
    exact: ExactValues,
    start: Position,
    actions: list[int],
    patient: bool = False,
) -> Question:
    """The question that ``position`` is, after ``actions``; without values where they take long.

    ``patient`` waits some seconds for them.
    """
    known = exact.is_quick(position) or (patient and exact.is_feasible(position))
    moves = "" if exact.start.has_chance else write_line(start, actions)
    move_values = exact.move_values(position) if known else {}
    return Question(position, move_values, phase_of(exact.progress(position)), moves)
