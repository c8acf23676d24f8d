"""Move ordering: the sooner a good action is tried, the more of the others are cut off.

After the table's action come two killers, actions that refuted another position at the same ply
(Huberman 1968), then the rest by their history, how much work each action has saved so far
(Schaeffer 1989), and among equals as the game itself prefers. An ``order`` that is bound takes the
place of the history. Noisy actions, such as captures, come before the killers, the noisiest first.

All of it is in the *ordering tables*, one float64 array of shape (2 + 2 * plies, num_actions + 2).
Row p is the history of player p. Then every ply has a row of actions, which ends with its two
killers (plus 1; 0 is none), and a row of their scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import inlined, kernel
from agents.knowledge import knowledge_of

from .limits import USE_HISTORY, USE_KILLERS, Counts

OrderingTables = NDArray[np.float64]
"""What was learned about the order of actions, shape (2 + 2 * plies, num_actions + 2)."""

Preference = NDArray[np.int64]
"""The order in which the game itself would try actions, shape (2, num_actions): row 0 has all
actions in this order, row 1 the place of each action in it."""

Moves = NDArray[np.int64]
"""Room for the legal actions at each ply, shape (plies, num_actions), in games that list them."""

ORDERED = False
"""Whether ``order`` is bound."""

NOISY = False
"""Whether ``noise`` is bound."""

KILLER = 1e300
"""The score of a killer; no history or sensible order comes near it."""

HISTORY_LIMIT = 1e12


def order(position: Position, action: int) -> float:
    """Returns how promising an action looks; larger is tried first. Another may be bound."""
    return 0.0


def noise(position: Position, action: int) -> float:
    """Returns about how much an action changes the evaluation at once; a game's own may be bound.

    0 for quiet actions. See ``Knowledge.noise``.
    """
    return 0.0


def preference_of(position: Position, own: bool = True) -> Preference:
    """Returns all actions, those that the game's ``Knowledge.order`` would try first in front.

    They are in their own order if ``own`` is False, or if the game has no order. It is asked once,
    at the root.
    """
    actions = range(position.num_actions)
    order = knowledge_of(position).order if own else None
    preference = np.array([actions, actions], np.int64)
    if order is not None:
        plain = getattr(order, "plain", order)
        preference[0] = sorted(actions, key=lambda action: -plain(position, action))
        preference[1, preference[0]] = actions
    return preference


def ordering_tables(position: Position, plies: int) -> OrderingTables:
    """Returns empty ordering tables for a search at most ``plies`` deep."""
    return np.zeros((2 + 2 * (plies + 1), position.num_actions + 2))


def new_moves(position: Position, plies: int = 256) -> Moves:
    """Returns room for the legal actions at each of ``plies``, if the game lists them."""
    return np.zeros((plies, position.num_actions) if position.lists_legal else (0, 1), np.int64)


# ---- which actions to try: those that the game lists, else all, of which some are not legal


@inlined
def num_candidates(position: Position, ply: int, moves: Moves) -> int:
    """Returns how many actions to ask ``candidate`` for; it writes them where the game does."""
    if position.lists_legal and ply < moves.shape[0]:
        return position.write_legal(moves[ply])
    return position.num_actions


@inlined
def candidate(position: Position, i: int, ply: int, moves: Moves) -> int:
    """Returns the i-th action in increasing order; -1 if it is not legal."""
    if position.lists_legal and ply < moves.shape[0]:
        return int(moves[ply, i])
    return i if position.legal(i) else -1


@inlined
def num_preferred(
    position: Position, ply: int, preference: Preference, ordering: OrderingTables
) -> int:
    """Returns how many actions to ask ``preferred`` for; it writes them where the game does."""
    if position.lists_legal:
        return list_preferred(position, ply, preference, ordering)
    return position.num_actions


@inlined
def preferred(
    position: Position, i: int, ply: int, preference: Preference, ordering: OrderingTables
) -> int:
    """Returns the i-th action in the order of ``preference``; -1 if it is not legal."""
    if position.lists_legal:
        return int(ordering[2 + 2 * ply, i])
    action = int(preference[0, i])
    return action if position.legal(action) else -1


@kernel
def list_preferred(
    position: Position, ply: int, preference: Preference, ordering: OrderingTables
) -> int:
    """Writes the legal actions, in the order of ``preference``; returns their number."""
    row = ordering[2 + 2 * ply]
    number = position.write_legal(row)
    for i in range(1, number):
        action, j = row[i], i
        place = preference[1, int(action)]
        while j > 0 and preference[1, int(row[j - 1])] > place:
            row[j] = row[j - 1]
            j -= 1
        row[j] = action
    return number


# ---- which of them first


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
    for i in range(num_preferred(position, ply, preference, ordering)):
        action = preferred(position, i, ply, preference, ordering)
        if action >= 0:
            score = KILLER * noise(position, action) if NOISY else 0.0
            if action == first:
                score = np.inf
            elif score > 0.0:
                score += KILLER
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
def score_noisy(
    position: Position, ply: int, preference: Preference, ordering: OrderingTables
) -> int:
    """Writes the actions that make noise, scored by how much, as ``score_actions`` does all."""
    row, number = 2 + 2 * ply, 0
    for i in range(num_preferred(position, ply, preference, ordering)):
        action = preferred(position, i, ply, preference, ordering)
        if action >= 0:
            score = noise(position, action)
            if score > 0.0:
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
