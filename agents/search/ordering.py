"""Move ordering: the sooner a good action is tried, the more of the others are cut off.

After the table's action come two killers, actions that refuted another position at the same ply
(Huberman 1968), then the rest by their history, how much work each action has saved so far
(Schaeffer 1989), and among equals as the game itself prefers. An ``order`` that is bound takes the
place of the history.

All of it is in the *ordering tables*, one float64 array of shape (2 + 2 * plies, num_actions + 2).
Row p is the history of player p. Then every ply has a row of actions, which ends with its two
killers (plus 1; 0 is none), and a row of their scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import kernel
from agents.knowledge import knowledge_of

from .limits import USE_HISTORY, USE_KILLERS, Counts

OrderingTables = NDArray[np.float64]
"""What was learned about the order of actions, shape (2 + 2 * plies, num_actions + 2)."""

Preference = NDArray[np.int64]
"""All actions, shape (num_actions,), in the order in which the game itself would try them."""

ORDERED = False
"""Whether ``order`` is bound."""

KILLER = 1e300
"""The score of a killer; no history or sensible order comes near it."""

HISTORY_LIMIT = 1e12


def order(position: Position, action: int) -> float:
    """Returns how promising an action looks; larger is tried first. Another may be bound."""
    return 0.0


def preference_of(position: Position, own: bool = True) -> Preference:
    """Returns all actions, those that the game's ``Knowledge.order`` would try first in front.

    They are in their own order if ``own`` is False, or if the game has no order. It is asked once,
    at the root.
    """
    actions = range(position.num_actions)
    order = knowledge_of(position).order if own else None
    if order is None:
        return np.array(actions, np.int64)
    plain = getattr(order, "plain", order)
    return np.array(sorted(actions, key=lambda action: -plain(position, action)), np.int64)


def ordering_tables(position: Position, plies: int) -> OrderingTables:
    """Returns empty ordering tables for a search at most ``plies`` deep."""
    return np.zeros((2 + 2 * (plies + 1), position.num_actions + 2))


@kernel
def score_actions(
    position: Position,
    first: int,
    ply: int,
    preference: Preference,
    ordering: OrderingTables,
    counts: Counts,
) -> int:
    """Writes the legal actions and their scores into the rows of ``ply``; returns their number.

    ``first`` gets the best score. They are written in the order of ``preference``, which
    ``pick_action`` keeps among equals.
    """
    row, number = 2 + 2 * ply, 0
    killer = ordering[row, ordering.shape[1] - 2] - 1
    second = ordering[row, ordering.shape[1] - 1] - 1
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
                score = ordering[position.to_move, action]
            ordering[row, number], ordering[row + 1, number] = action, score
            number += 1
    return number


@kernel
def pick_action(i: int, number: int, ply: int, ordering: OrderingTables) -> int:
    """Returns the i-th best of ``number`` scored actions, called with i = 0, 1, 2 ... in turn."""
    row, best = 2 + 2 * ply, i
    for j in range(i + 1, number):
        if ordering[row + 1, j] > ordering[row + 1, best]:
            best = j
    action, score = ordering[row, best], ordering[row + 1, best]
    while best > i:  # the others move up, so that equals stay in their order
        ordering[row, best] = ordering[row, best - 1]
        ordering[row + 1, best] = ordering[row + 1, best - 1]
        best -= 1
    ordering[row, i], ordering[row + 1, i] = action, score
    return int(action)


@kernel
def record_cutoff(
    position: Position, action: int, depth: int, ply: int, ordering: OrderingTables
) -> None:
    """Notes that ``action`` decided ``position``, which saved a search of ``depth`` plies."""
    row, column = 2 + 2 * ply, ordering.shape[1] - 2
    if ordering[row, column] != action + 1:
        ordering[row, column + 1] = ordering[row, column]
        ordering[row, column] = action + 1
    saved = ordering[position.to_move, action] + depth * depth
    ordering[position.to_move, action] = min(saved, HISTORY_LIMIT)
