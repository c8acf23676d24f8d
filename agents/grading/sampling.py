"""Positions as they come up in play: of players who move at random or with some care."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.random import chance_action
from agents.knowledge import ExactValues, knowledge_of

from .question import PHASES, Question, phase_of

PATIENCE = 50
"""So many positions of a phase are looked at in vain before a value is taken not to occur there."""

NO_POSITION = 0.1
"""How much of such a look it is if a game does not reach the phase, or has nothing new there."""

VALUES = "loss", "even", "win"

Stratum = tuple[str, str]
"""A phase and one of VALUES."""


def sample(
    exact: ExactValues,
    number: int,
    seed: int = 0,
    allowed: Callable[[Position], bool] | None = None,
    on_question: Callable[[int], None] | None = None,
) -> list[Question]:
    """``number`` different questions in which moves differ, or as many as can be found.

    As far as there are such positions, each phase has as many, and so has each value of the
    position for the player to move; and so it is with the first few of them. One question at most
    comes from one game. ``allowed`` says which positions may be solved (None: those that are
    quick); ``on_question`` is told how many there are.
    """
    rng = random.Random(f"{seed} positions")
    strata: dict[Stratum, list[Question]] = {(p, v): [] for p in PHASES for v in VALUES}
    misses, seen = dict.fromkeys(strata, 0.0), set[Position]()
    while lacking := strata_that_lack(strata, misses, number):
        phase, _ = rng.choice(lacking)
        question = draw(exact, phase, rng, seen, allowed or exact.is_quick)
        found = None
        if question is not None and (question.value_matters or question.score_matters):
            found = phase, value_class(exact, question)
            strata[found].append(question)
        miss = NO_POSITION if question is None else 1.0
        for stratum in strata:
            if stratum[0] == phase:
                misses[stratum] = 0.0 if stratum == found else misses[stratum] + miss
        if on_question is not None:
            on_question(min(sum(map(len, strata.values())), number))
    return interleaved(list(strata.values()))[:number]


def strata_that_lack(
    strata: dict[Stratum, list[Question]], misses: dict[Stratum, float], number: int
) -> list[Stratum]:
    """The strata in which more questions are needed for ``number`` in all, and can be hoped for."""
    live = [stratum for stratum in strata if misses[stratum] < PATIENCE]
    for quota in range(1, number + 1):
        full = sum(quota if s in live else min(quota, len(strata[s])) for s in strata)
        if full >= number:
            return [stratum for stratum in live if len(strata[stratum]) < quota]
    return live


def draw(
    exact: ExactValues,
    phase: str,
    rng: random.Random,
    seen: set[Position],
    allowed: Callable[[Position], bool],
) -> Question | None:
    """A question of a phase out of a new game; None if that game has none that is not ``seen``."""
    game = [
        (position, actions)
        for position, actions in positions(exact.start, rng)
        if phase_of(exact.progress(position)) == phase
        and position not in seen
        and allowed(position)
    ]
    if not game:
        return None
    position, actions = rng.choice(game)
    seen.add(position)
    moves = "" if exact.start.has_chance else write_line(exact.start, actions)
    return Question(position, exact.move_values(position), phase, moves)


def value_class(exact: ExactValues, question: Question) -> str:
    """Whether the player to move wins, loses or neither."""
    value = question.value
    if not exact.in_points:
        return VALUES[1 + (value > 0) - (value < 0)]
    return VALUES[1 + (value > 2 / 3) - (value < 1 / 3)]


def interleaved(groups: list[list[Question]]) -> list[Question]:
    """One of each group in turn, as long as there are any."""
    longest = max(map(len, groups), default=0)
    return [group[i] for i in range(longest) for group in groups if i < len(group)]


def positions(start: Position, rng: random.Random) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """The positions of one game in which a player is to move, and the actions that lead there.

    Where the game has random positions of its own, as random play does not get anywhere, one.
    """
    random_position = knowledge_of(start).random_position
    if random_position is not None:
        yield random_position(start, rng), ()
        return
    care = rng.choice((0.0, 0.5, 1.0))
    position, actions = start, tuple[int, ...]()
    while not position.is_terminal():
        if position.to_move == CHANCE:
            action = chance_action(position, rng.random())
        else:
            yield position, actions
            careful = rng.random() < care
            legal = position.legal_actions()
            action = careful_move(position, rng) if careful else rng.choice(legal)
        actions += (action,)
        position = position.play(action)


def careful_move(position: Position, rng: random.Random) -> int:
    """Takes a win, and leaves the opponent none if that can be helped; else any move."""
    me, safe, actions = position.to_move, [], position.legal_actions()
    for action in actions:
        child = position.play(action)
        if child.is_terminal() and child.utility(me) > 0:
            return action
        replies = (child.play(reply) for reply in child.legal_actions())
        if not any(r.is_terminal() and r.utility(me) < 0 for r in replies):
            safe.append(action)
    return rng.choice(safe or actions)
