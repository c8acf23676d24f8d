"""Orders moves: the sooner a good action is tried, the more of the others are cut off.

After the table's action come two killers, actions that refuted another position at the same ply
(Huberman 1968), then the rest by their history, how much work each action has saved so far
(Schaeffer 1989), and among equals as the game itself prefers. An ``order`` that is bound takes the
place of the history. Noisy actions, such as captures, come before the killers, the noisiest first.

All of it is in the *ordering tables*, one float64 array of shape (4 + 2 * plies, num_actions + 2):
every array that a search hands on to the next ply costs it time. Row p is the history of player p.
Row PREFERRED has all actions as the game prefers them, row PLACES the place of each in that order.
Then every ply has a row of actions, which ends with its two killers (plus 1; 0 is none), and a row
of their scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import inlined, kernel
from agents.knowledge import knowledge_of

from .limits import USE_HISTORY, USE_KILLERS, Counts

OrderingTables = NDArray[np.float64]
"""What is known about the order of actions, shape (4 + 2 * plies, num_actions + 2)."""

PREFERRED, PLACES, PLIES = 2, 3, 4
"""Rows of the ordering tables: those of the game's preference, and the first of those of plies."""

Preference = NDArray[np.int64]
"""All actions, shape (num_actions,), in the order in which the game itself would try them."""

Moves = NDArray[np.int64]
"""Room for the legal actions at each ply, in games that list them: the last num_actions elements of
each row of an array, whose other elements the search may use as it likes."""

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
    if order is None:
        return np.arange(position.num_actions, dtype=np.int64)
    plain = getattr(order, "plain", order)
    return np.array(sorted(actions, key=lambda action: -plain(position, action)), np.int64)


def ordering_shape(position: Position, plies: int) -> tuple[int, int]:
    """Returns the shape of the ordering tables of a search at most ``plies`` deep."""
    return PLIES + 2 * (plies + 1), position.num_actions + 2


def ordering_tables(position: Position, plies: int, own: bool = True) -> OrderingTables:
    """Returns ordering tables for a search at most ``plies`` deep, in which nothing is learned yet.

    ``own`` as in ``preference_of``.
    """
    tables = np.zeros(ordering_shape(position, plies))
    preference = preference_of(position, own)
    tables[PREFERRED, : len(preference)] = preference
    tables[PLACES, preference] = np.arange(len(preference))
    return tables


@kernel
def write_preference(ordering: OrderingTables) -> None:
    """Writes the preferred order of actions and their places, of tables in which nothing is known.

    Row 0 has how early each action is to be tried, as for ``preference_of``, and is zeroed.
    """
    for action in range(ordering.shape[1] - 2):
        score, place = ordering[0, action], action
        while place > 0 and ordering[1, place - 1] < score:
            ordering[1, place] = ordering[1, place - 1]
            ordering[PREFERRED, place] = ordering[PREFERRED, place - 1]
            place -= 1
        ordering[1, place], ordering[PREFERRED, place] = score, action
    for place in range(ordering.shape[1] - 2):
        ordering[PLACES, int(ordering[PREFERRED, place])] = place
        ordering[0, place] = ordering[1, place] = 0.0


def room_for_moves(position: Position) -> int:
    """Returns how many elements ``Moves`` take of a row: none in games that do not list them."""
    return position.num_actions if position.lists_legal else 0


# ---- which actions to try: those that the game lists, else all, of which some are not legal


@inlined
def num_candidates(position: Position, ply: int, moves: Moves) -> int:
    """Returns how many actions to ask ``candidate`` for; it writes them where the game does."""
    if listed(position, ply, moves):
        return position.write_legal(moves[ply, -position.num_actions :])
    return position.num_actions


@inlined
def candidate(position: Position, i: int, ply: int, moves: Moves) -> int:
    """Returns the i-th action in increasing order; ``is_candidate`` says whether it is legal."""
    return int(moves[ply, i - position.num_actions]) if listed(position, ply, moves) else i


@inlined
def is_candidate(position: Position, action: int, ply: int, moves: Moves) -> bool:
    """Returns whether what ``candidate`` returned is legal."""
    return listed(position, ply, moves) or position.legal(action)


@inlined
def listed(position: Position, ply: int, moves: Moves) -> bool:
    """Returns whether the game lists its legal actions, and has room for them at ``ply``."""
    return position.lists_legal and ply < moves.shape[0]


@inlined
def num_preferred(position: Position, ply: int, ordering: OrderingTables) -> int:
    """Returns how many actions to ask ``preferred`` for; it writes them where the game does."""
    if position.lists_legal:
        return list_preferred(position, ply, ordering)
    return position.num_actions


@inlined
def preferred(position: Position, i: int, ply: int, ordering: OrderingTables) -> int:
    """Returns the i-th action as the game prefers; ``is_preferred`` says whether it is legal."""
    return int(ordering[PLIES + 2 * ply if position.lists_legal else PREFERRED, i])


@inlined
def is_preferred(position: Position, action: int) -> bool:
    """Returns whether what ``preferred`` returned is legal."""
    return position.lists_legal or position.legal(action)


@kernel
def list_preferred(position: Position, ply: int, ordering: OrderingTables) -> int:
    """Writes the legal actions, as the game prefers them; returns their number."""
    row, places = ordering[PLIES + 2 * ply], ordering[PLACES]
    number = position.write_legal(row)
    for i in range(1, number):
        action, j = row[i], i
        place = places[int(action)]
        while j > 0 and places[int(row[j - 1])] > place:
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
    ordering: OrderingTables,
    counts: Counts,
) -> int:
    """Writes the legal actions and their scores into the rows of ``ply``; returns their number.

    ``first`` gets the best score. They are written as the game prefers them, which ``pick_action``
    keeps among equals.
    """
    row, number = PLIES + 2 * ply, 0
    killer = ordering[row, ordering.shape[1] - 2] - 1
    second = ordering[row, ordering.shape[1] - 1] - 1
    for i in range(num_preferred(position, ply, ordering)):
        action = preferred(position, i, ply, ordering)
        if is_preferred(position, action):
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
def score_noisy(position: Position, ply: int, ordering: OrderingTables) -> int:
    """Writes the actions that make noise, scored by how much, as ``score_actions`` does all."""
    row, number = PLIES + 2 * ply, 0
    for i in range(num_preferred(position, ply, ordering)):
        action = preferred(position, i, ply, ordering)
        if is_preferred(position, action):
            score = noise(position, action)
            if score > 0.0:
                ordering[row, number], ordering[row + 1, number] = action, score
                number += 1
    return number


@kernel
def pick_action(i: int, number: int, ply: int, ordering: OrderingTables) -> int:
    """Returns the i-th best of ``number`` scored actions, called with i = 0, 1, 2 ... in turn."""
    row, best = PLIES + 2 * ply, i
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
    row, column = PLIES + 2 * ply, ordering.shape[1] - 2
    if ordering[row, column] != action + 1:
        ordering[row, column + 1] = ordering[row, column]
        ordering[row, column] = action + 1
    saved = ordering[position.to_move, action] + depth * depth
    ordering[position.to_move, action] = min(saved, HISTORY_LIMIT)
