"""Which action to try first: the sooner a good one is tried, the more of the others are cut off.

After the table's action come two killers, actions that refuted another position just as far from
the root (Huberman 1968), then the rest by their history, how much work each action has saved so far
(Schaeffer 1989), and among equals as the game itself prefers. An ``order`` that is bound takes the
place of the history.

All of it lives on a *desk*, a float64 array of shape (2 + 2 * plies, num_actions + 2). Row p is the
history of player p; then every ply has a row of actions, which ends with its killers (plus 1; 0 is
none), and one of their scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import kernel
from agents.knowledge import knowledge_of

from .limits import USE_HISTORY, USE_KILLERS

ORDERED = False
"""Whether ``order`` is bound."""

KILLER = 1e300
"""The score of a killer; no history or sensible order comes near it."""

HISTORY_LIMIT = 1e12


def order(position: Position, action: int) -> float:
    """How promising an action looks: larger is tried first."""
    return 0.0


def preference(position: Position, own: bool = True) -> NDArray[np.int64]:
    """All actions, shape (num_actions,), those the game itself would try first in front.

    As they are numbered if ``own`` is False, or if the game does not say.
    """
    actions = range(position.num_actions)
    order = knowledge_of(position).order if own else None
    if order is None:
        return np.array(actions, np.int64)
    plain = getattr(order, "plain", order)
    return np.array(sorted(actions, key=lambda action: -plain(position, action)), np.int64)


def new_desk(position: Position, plies: int) -> NDArray[np.float64]:
    """An empty desk for a search at most ``plies`` deep."""
    return np.zeros((2 + 2 * (plies + 1), position.num_actions + 2))


@kernel
def rank(position, first, ply, preference, desk, counts):  # type: ignore[no-untyped-def]
    """Write the legal actions and their scores to the desk, ``first`` as the best; how many?

    They are written in the game's order of ``preference``, and ``pick`` keeps that among equals.
    """
    row, number = 2 + 2 * ply, 0
    killer, second = desk[row, desk.shape[1] - 2] - 1, desk[row, desk.shape[1] - 1] - 1
    for i in range(preference.shape[0]):
        action = int(preference[i])
        if position.legal(action):
            score = 0.0
            if action == first:
                score = np.inf
            elif counts[USE_KILLERS] != 0 and action in (killer, second):
                score = KILLER
            elif ORDERED:
                score = 1.0 * order(position, action)
            elif counts[USE_HISTORY] != 0:
                score = desk[position.to_move, action]
            desk[row, number], desk[row + 1, number] = action, score
            number += 1
    return number


@kernel
def pick(i, number, ply, desk):  # type: ignore[no-untyped-def]
    """The i-th best of ``number`` ranked actions, called with i = 0, 1, 2 ... in turn."""
    row, best = 2 + 2 * ply, i
    for j in range(i + 1, number):
        if desk[row + 1, j] > desk[row + 1, best]:
            best = j
    action, score = desk[row, best], desk[row + 1, best]
    while best > i:  # the others move up, so that equals stay in their order
        desk[row, best], desk[row + 1, best] = desk[row, best - 1], desk[row + 1, best - 1]
        best -= 1
    desk[row, i], desk[row + 1, i] = action, score
    return int(action)


@kernel
def reward(position, action, depth, ply, desk):  # type: ignore[no-untyped-def]
    """Note that ``action`` decided ``position``, which saved a search of ``depth`` plies."""
    row, column = 2 + 2 * ply, desk.shape[1] - 2
    if desk[row, column] != action + 1:
        desk[row, column + 1] = desk[row, column]
        desk[row, column] = action + 1
    saved = desk[position.to_move, action] + depth * depth
    desk[position.to_move, action] = min(saved, HISTORY_LIMIT)
