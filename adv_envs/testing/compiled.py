"""The law of the compiler: the same answers as in plain Python."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel
from adv_envs.position import CHANCE

from .law import some


@kernel
def look(position: Any, numbers: Any, utilities: Any, planes: Any, words: Any) -> None:
    """Write down all that a position answers.

    numbers (5 + num_actions,), utilities (num_players,), planes (num_players, *shape), words
    (num_words,).
    """
    numbers[0] = position.num_players
    numbers[1] = position.num_actions
    numbers[2] = position.to_move
    numbers[3] = position.is_terminal()
    numbers[4] = num_words(position)
    for action in range(position.num_actions):
        numbers[5 + action] = position.legal(action)
    for player in range(position.num_players):
        position.observe(player, planes[player])
        if position.is_terminal():
            utilities[player] = position.utility(player)
    pack(position, words)


@kernel
def look_at_chance(position: Any, probabilities: Any) -> None:
    """Write down the probability of every action."""
    for action in range(position.num_actions):
        probabilities[action] = position.probability(action)


@kernel
def play(position: Any, action: int) -> Any:
    """The position after ``action``."""
    return position.play(action)


def same_answers_compiled(position: Any, rng: Random) -> None:
    """Compiled or in plain Python, a position gives the same answers."""
    answers, expected = _look(look, position), _look(look.plain, position)
    for name, found in answers.items():
        same = np.array_equal(found, expected[name])
        assert same, f"{name}: {found.tolist()} compiled, {expected[name].tolist()} plain"
    if position.is_terminal():
        return
    if position.to_move == CHANCE:
        found, plain = np.zeros((2, position.num_actions))
        look_at_chance(position, found)
        look_at_chance.plain(position, plain)
        assert np.array_equal(found, plain), f"probability: {found} compiled, {plain} plain"
    for action in some(position.legal_actions(), rng):
        child, other = play(position, action), play.plain(position, action)
        same = child == other and type(child) is type(other)
        assert same, f"play({action}) is {child!r} compiled, {other!r} plain"


def _look(how: Any, position: Any) -> dict[str, Any]:
    numbers = "num_players, num_actions, to_move, is_terminal, num_words, legal"
    answers = {
        numbers: np.zeros(5 + position.num_actions, np.int64),
        "utility": np.zeros(position.num_players),
        "observe": np.zeros((position.num_players, *position.observation_shape), np.int32),
        "pack": np.zeros(num_words(position), np.int64),
    }
    how(position, *answers.values())
    return answers
