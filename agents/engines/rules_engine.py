"""Has the kernels of the rules that every engine exports: they take positions as rows of words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import pack, position_of, words_of
from adv_envs.jit import kernel
from adv_envs.random import chance_action

Row = NDArray[np.int64]
"""A position as ``adv_envs.bits.words_of`` writes it."""

LIKE: Any = None
"""A position of the game, bound in all kernels: it tells the types of the fields."""

PARAMETERS = 0
"""How many words are parameters; bound likewise."""

MOST_AXES = 4
"""The most axes that observations have."""


@kernel
def write_facts(row: Row, numbers: NDArray[np.float64]) -> None:
    """Writes facts about the game into ``numbers``, of shape (4 + MOST_AXES,).

    They are the numbers of actions and of players, the largest utility, and of the shape of
    observations the number of axes and their lengths.
    """
    position = position_of(LIKE, row)
    numbers[0], numbers[1] = position.num_actions, position.num_players
    numbers[2] = position.max_utility
    shape = position.observation_shape
    numbers[3] = len(shape)
    for i in range(len(shape)):
        numbers[4 + i] = shape[i]


@kernel
def list_legal(row: Row, actions: NDArray[np.int64]) -> int:
    """Writes the legal actions, increasing, into ``actions`` (num_actions,); returns how many."""
    position = position_of(LIKE, row)
    if position.lists_legal:
        return int(position.write_legal(actions))
    number = 0
    for action in range(position.num_actions):
        if position.legal(action):
            actions[number] = action
            number += 1
    return number


@kernel
def play_words(row: Row, action: int, after: Row) -> None:
    """Writes the position after a legal ``action`` into ``after``."""
    for i in range(PARAMETERS):
        after[i] = row[i]
    pack(position_of(LIKE, row).play(action), after[PARAMETERS:])


@kernel
def hide_words(row: Row, player: int, view: Row) -> None:
    """Writes the position as ``player`` sees it into ``view``."""
    for i in range(PARAMETERS):
        view[i] = row[i]
    pack(position_of(LIKE, row).hidden(player), view[PARAMETERS:])


@kernel
def is_over(row: Row) -> bool:
    """Returns whether the game is over."""
    return bool(position_of(LIKE, row).is_terminal())


@kernel
def whose_turn(row: Row) -> int:
    """Returns the player to move, or ``CHANCE``."""
    return int(position_of(LIKE, row).to_move)


@kernel
def write_utilities(row: Row, values: NDArray[np.float64]) -> None:
    """Writes what a finished game was worth to each player into ``values`` (num_players,)."""
    position = position_of(LIKE, row)
    for player in range(values.shape[0]):
        values[player] = position.utility(player)


@kernel
def write_observation(row: Row, player: int, planes: NDArray[np.int32]) -> None:
    """Writes what ``player`` observes into ``planes``, zeroed, of the shape of observations."""
    position_of(LIKE, row).observe(player, planes)


@kernel
def probability_of(row: Row, action: int) -> float:
    """Returns the probability of an action of chance."""
    return float(position_of(LIKE, row).probability(action))


@kernel
def draw_by_chance(row: Row, mark: float) -> int:
    """Returns the action of chance that ``mark``, random in [0, 1), falls on."""
    return chance_action(position_of(LIKE, row), mark)


def bound_to(kernel: Any, start: Position) -> Any:
    """Returns a kernel that takes rows, for the game of ``start``."""
    return kernel.bind_used(LIKE=start, PARAMETERS=len(start.parameters))


def rules_exports(start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels of the rules by the name of their export."""
    row = np.array(words_of(start), np.int64)
    whole, numbers = np.zeros(1, np.int64), np.zeros(1)
    planes = np.zeros((1,) * len(start.observation_shape), np.int32)
    found: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "facts": (write_facts, (row, numbers)),
        "legal": (list_legal, (row, whole)),
        "play": (play_words, (row, 0, row)),
        "is_terminal": (is_over, (row,)),
        "to_move": (whose_turn, (row,)),
        "utilities": (write_utilities, (row, numbers)),
        "observe": (write_observation, (row, 0, planes)),
    }
    if start.has_chance:
        found["probability"] = probability_of, (row, 0)
        found["draw"] = draw_by_chance, (row, 0.0)
    if not start.perfect_information:
        found["hidden"] = hide_words, (row, 0, row)
    return {name: (bound_to(kernel, start), given) for name, (kernel, given) in found.items()}
