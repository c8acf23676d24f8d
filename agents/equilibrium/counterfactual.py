"""Counterfactual values: what each action at an information set pays, given how others play.

The game is kept in sequence form. A player's *reach* of a slot is the probability with which this
player takes all own actions up to it, were the others and chance to let it happen; the reach of the
empty sequence is 1. The counterfactual value of a slot s of player i is the sum, over the leaves z
that follow it, of

    chance(z) · Π_{j≠i} reach_j(z) · reach_i(z) / reach_i(s) · u_i(z)

It is worked out by one pass over the sets of the player, from the last to the first: a leaf counts
at the last slot of the player, the value of a set at the slot before it. Source: M. Zinkevich,
M. Johanson, M. Bowling and C. Piccione, Regret Minimization in Games with Incomplete Information
(NIPS 2007); sequences: D. Koller, N. Megiddo and B. von Stengel (STOC 1994).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel

from .game_tree import Floats, GameTree

Form = tuple[NDArray[Any], ...]
"""The game as kernels take it, with s slots, m sets, p players and e entries.

An entry is a leaf as one player sees it. They are sorted by that player's last slot; the empty
sequence of player i counts as slot s + i.

0. first_set (p + 1,), 1. first_slot (m + 1,), 2. parent_slot (m,): as in ``GameTree``;
3. first_entry (s + p + 1,): the first entry of each slot;
4. others (e, p - 1): the last slots of the other players; s for the empty sequence;
5. payoffs (e,): the utility for the player times the probability of chance.
"""


@functools.lru_cache(maxsize=8)
def sequence_form(tree: GameTree, ones: bool = False) -> Form:
    """Returns the game in sequence form; with ``ones`` every leaf pays 1 to everybody."""
    players, slots = tree.num_players, tree.num_slots
    keys, others, payoffs = [], [], []
    utilities, last_slots = tree.utilities[tree.leaves], tree.last_slots[tree.leaves]
    for player in range(players):
        own = last_slots[:, player]
        keys.append(np.where(own == slots, slots + player, own))
        others.append(np.delete(last_slots, player, axis=1))
        payoffs.append(tree.chance[tree.leaves] * (1.0 if ones else utilities[:, player]))
    key, pays = np.concatenate(keys), np.concatenate(payoffs)
    order = np.argsort(key, kind="stable")
    order = order[pays[order] != 0.0]
    first_entry = np.searchsorted(key[order], np.arange(slots + players + 1))
    return (
        tree.first_set,
        tree.first_slot,
        tree.parent_slot,
        first_entry,
        np.concatenate(others)[order].astype(np.int32),
        pays[order],
    )


@kernel
def paid(form: Form, slot: int, reach: Floats) -> float:
    """What the leaves pay of which ``slot`` is the last, given the others' reach (s + 1,)."""
    first_entry, others, payoffs = form[3], form[4], form[5]
    total = 0.0
    if others.shape[1] == 1:
        for entry in range(first_entry[slot], first_entry[slot + 1]):
            total += payoffs[entry] * reach[others[entry, 0]]
    else:
        for entry in range(first_entry[slot], first_entry[slot + 1]):
            product = payoffs[entry]
            for other in range(others.shape[1]):
                product *= reach[others[entry, other]]
            total += product
    return total


@kernel
def find_reach(form: Form, player: int, policy: Floats, reach: Floats) -> None:
    """Write the player's reach of each own slot into ``reach`` (s + 1,) from ``policy`` (s,)."""
    first_set, first_slot, parent_slot = form[0], form[1], form[2]
    for number in range(first_set[player], first_set[player + 1]):
        before = reach[parent_slot[number]]
        for slot in range(first_slot[number], first_slot[number + 1]):
            reach[slot] = before * policy[slot]


@kernel
def find_values(
    form: Form, player: int, best: bool, policy: Floats, reach: Floats, values: Floats
) -> float:
    """Write the counterfactual values of the player's slots; returns the value of the game.

    ``reach`` (s + 1,) is that of the others, ``values`` is (s + 1,). After each slot the player
    goes on by ``policy`` (s,), or with ``best`` plays the best action at every set from there on.
    """
    first_set, first_slot, parent_slot = form[0], form[1], form[2]
    empty = len(policy)
    for number in range(first_set[player], first_set[player + 1]):
        for slot in range(first_slot[number], first_slot[number + 1]):
            values[slot] = paid(form, slot, reach)
    values[empty] = paid(form, empty + player, reach)
    for number in range(first_set[player + 1] - 1, first_set[player] - 1, -1):
        begin, end = first_slot[number], first_slot[number + 1]
        value = values[begin] if best else 0.0
        for slot in range(begin, end):
            if best:
                value = max(value, values[slot])
            else:
                value += policy[slot] * values[slot]
        values[parent_slot[number]] += value
    total: float = values[empty]
    return total


def reach_of(tree: GameTree, policy: Floats) -> Floats:
    """Returns each slot's reach by its player (num_slots + 1,), with 1 for the empty sequence."""
    reach = np.ones(tree.num_slots + 1)
    for player in range(tree.num_players):
        find_reach(sequence_form(tree), player, policy, reach)
    return reach


def slot_values(
    tree: GameTree, player: int, policy: Floats, best: bool = False, ones: bool = False
) -> Floats:
    """Returns counterfactual values (num_slots + 1,): of ``player``'s slots, and of the game last.

    Those of other players' slots are 0. ``policy`` (num_slots,) has the probability of each slot's
    action at its set; with ``best`` the player plays best after the slot. With ``ones`` every leaf
    pays 1: the value of any slot of a set is then the probability with which the others and chance
    let the set be reached.
    """
    values = np.zeros(tree.num_slots + 1)
    reach = reach_of(tree, policy)
    find_values(sequence_form(tree, ones), player, best, policy, reach, values)
    return values
