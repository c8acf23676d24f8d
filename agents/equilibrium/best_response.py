"""Computes what actions pay where players do not see everything, and what a perfect opponent takes.

The game is kept in sequence form. A player's *reach* of a slot is the probability with which this
player takes all own actions up to it, were the others and chance to let it happen; the reach of the
empty sequence is 1. The *counterfactual value* of a slot s of player i is the sum, over the leaves
z that follow it, of

    chance(z) · Π_{j≠i} reach_j(z) · reach_i(z) / reach_i(s) · u_i(z)

It is worked out by one pass over the sets of the player, from the last to the first: a leaf counts
at the last slot of the player, the value of a set at the slot before it. With the best action at
each set in place of a policy σ this gives best responses. With v_i the expected utility of player i
and BR_i the most that i can expect against the others' σ:

    NashConv = Σ_i (BR_i - v_i)        exploitability = NashConv / number of players

Both are 0 at a Nash equilibrium and only there. Sources: M. Zinkevich, M. Johanson, M. Bowling and
C. Piccione, Regret Minimization in Games with Incomplete Information (NIPS 2007); sequences:
D. Koller, N. Megiddo and B. von Stengel (STOC 1994); E. Lockhart and others, Computing Approximate
Equilibria in Sequential Adversarial Games by Exploitability Descent (IJCAI 2019).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import kernel
from adv_envs.position import require_competitive

from .game_tree import Floats, GameTree, Ints
from .tabular_policy import TabularPolicy, set_sums


class SequenceForm(NamedTuple):
    """Holds the game as kernels take it, with s slots, m sets, p players and e entries.

    An entry is a leaf as one player sees it. They are sorted by that player's last slot; the empty
    sequence of player i counts as slot s + i.
    """

    first_set: Ints
    """(p + 1,), with ``first_slot`` (m + 1,) and ``parent_slot`` (m,) as in ``GameTree``."""
    first_slot: Ints
    parent_slot: Ints
    first_entry: Ints
    """(s + p + 1,): the first entry of each slot."""
    others: NDArray[np.int32]
    """(e, p - 1): the last slots of the other players; s for the empty sequence."""
    payoffs: Floats
    """(e,): the utility for the player times the probability of chance."""


@functools.lru_cache(maxsize=8)
def sequence_form(tree: GameTree, ones: bool = False) -> SequenceForm:
    """Returns the game in sequence form; with ``ones`` every leaf pays 1 to everybody."""
    players, slots = tree.num_players, tree.num_slots
    keys, others, payoffs = [], [], []
    utilities, last_slots = tree.utilities[tree.leaves], tree.last_slots[tree.leaves]
    for player in range(players):
        last = last_slots[:, player]
        keys.append(np.where(last == slots, slots + player, last))
        others.append(np.delete(last_slots, player, axis=1))
        payoffs.append(tree.chance[tree.leaves] * (1.0 if ones else utilities[:, player]))
    key, pays = np.concatenate(keys), np.concatenate(payoffs)
    order = np.argsort(key, kind="stable")
    order = order[pays[order] != 0.0]
    first_entry = np.searchsorted(key[order], np.arange(slots + players + 1))
    all_others = np.concatenate(others)[order].astype(np.int32)
    own = tree.first_set, tree.first_slot, tree.parent_slot
    return SequenceForm(*own, first_entry, all_others, pays[order])


@kernel
def paid(form: SequenceForm, slot: int, reach: Floats) -> float:
    """Returns what the leaves pay after a last ``slot``, given the others' reach (s + 1,)."""
    first_entry, others, payoffs = form.first_entry, form.others, form.payoffs
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
def find_reach(form: SequenceForm, player: int, policy: Floats, reach: Floats) -> None:
    """Writes the player's reach of each own slot into ``reach`` (s + 1,) from ``policy`` (s,)."""
    first_set, first_slot, parent_slot = form.first_set, form.first_slot, form.parent_slot
    for number in range(first_set[player], first_set[player + 1]):
        before = reach[parent_slot[number]]
        for slot in range(first_slot[number], first_slot[number + 1]):
            reach[slot] = before * policy[slot]


@kernel
def find_values(
    form: SequenceForm, player: int, best: bool, policy: Floats, reach: Floats, values: Floats
) -> float:
    """Writes the counterfactual values of the player's slots; returns the value of the game.

    ``reach`` (s + 1,) is that of the others, ``values`` is (s + 1,). After each slot the player
    goes on by ``policy`` (s,), or with ``best`` plays the best action at every set from there on.
    """
    first_set, first_slot, parent_slot = form.first_set, form.first_slot, form.parent_slot
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


# ---- best responses


@dataclass(frozen=True)
class BestResponse:
    """Returns the best that a player can do against the others' policies."""

    player: int
    value: float
    """The expected utility."""
    policy: TabularPolicy
    """The policy with the best response in the player's place: at each set of the player one action
    has probability 1, the first of the best ones."""


def best_response(policy: TabularPolicy, player: int) -> BestResponse:
    """Returns an exact best response of ``player`` to what the others do by ``policy``."""
    tree = policy.tree
    require_player_of(tree, player)
    values = slot_values(tree, player, policy.array, best=True)
    array = policy.array.copy()
    for number in range(int(tree.first_set[player]), int(tree.first_set[player + 1])):
        slots = tree.slots(number)
        own = slice(slots.start, slots.stop)
        array[own] = 0.0
        array[slots.start + int(np.argmax(values[own]))] = 1.0
    return BestResponse(player, float(values[-1]), TabularPolicy(tree, array))


def require_player_of(tree: GameTree, player: int) -> None:
    """Raises ValueError unless the game has this player."""
    if not 0 <= player < tree.num_players:
        raise ValueError(f"player must be 0 to {tree.num_players - 1}, not {player}")


def best_value(policy: TabularPolicy, player: int) -> float:
    """Returns what a best response of ``player`` to the others' policies can expect."""
    return float(slot_values(policy.tree, player, policy.array, best=True)[-1])


def expected_utilities(policy: TabularPolicy) -> list[float]:
    """Returns what each player can expect where all play by ``policy``."""
    tree = policy.tree
    reach = reach_of(tree, policy.array)
    chances = tree.chance[tree.leaves] * reach[tree.last_slots[tree.leaves]].prod(axis=1)
    utilities = chances @ tree.utilities[tree.leaves]
    return utilities.tolist()  # type: ignore[no-any-return]


def nash_conv(policy: TabularPolicy) -> float:
    """Returns how much the players could gain in all, each by a best response to the others.

    ValueError for a team, which nobody exploits: ``best_response`` tells how to play with it.
    """
    require_competitive(policy.tree.start, "exploitability")
    gains = [
        best_value(policy, player) - utility
        for player, utility in enumerate(expected_utilities(policy))
    ]
    return sum(gains)


def exploitability(policy: TabularPolicy) -> float:
    """Returns NashConv divided by the number of players.

    With two players who win what the other loses it is what a perfect opponent takes on average
    over both seats, beyond the value of the game.
    """
    return nash_conv(policy) / policy.tree.num_players


@dataclass(frozen=True)
class Losses:
    """Holds what a policy loses at each information set of one player, given the others'.

    Arrays have a number for each of the player's sets, (sets,); the first is set
    ``first`` of the tree. ``gap`` is the most that can be expected from the set on, by a best
    response, less what can be expected if the policy chooses here and is followed by a best
    response. ``reach`` is how likely the set is reached. ``loss`` is their product: the losses of
    all sets add up to the gain of a best response, BR - v.
    """

    player: int
    first: int
    loss: Floats
    gap: Floats
    reach: Floats


def losses(policy: TabularPolicy, player: int) -> Losses:
    """Returns where ``player`` loses how much, against a best response to the same opponents.

    It is what Kakade and Langford (2002) call the performance difference of the two policies, with
    the advantages of the best response. The gap is 0 where the others never let the set be reached.
    """
    tree = policy.tree
    require_player_of(tree, player)
    first, end = int(tree.first_set[player]), int(tree.first_set[player + 1])
    values = slot_values(tree, player, policy.array, best=True)[:-1]
    chosen = set_sums(tree, policy.array * values)[first:end]
    most = np.array([max(values[s] for s in tree.slots(i)) for i in range(first, end)])
    others = slot_values(tree, player, policy.array, ones=True)[tree.first_slot[first:end]]
    own = reach_of(tree, policy.array)[tree.parent_slot[first:end]]
    gap = np.divide(most - chosen, others, out=np.zeros(end - first), where=others > 0)
    return Losses(player, first, own * (most - chosen), gap, own * others)


class FictitiousPlay:
    """Plays fictitious play over the whole tree of a game, from the uniform policy.

    All players answer best what the others have done on average, again and again. In games of two
    players with a zero sum the averages approach an equilibrium. Averaged are sequences of own
    actions, by how likely a best response takes them: an information set that it does not reach
    adds nothing. Source: J. Heinrich, M. Lanctot and D. Silver, Fictitious Self-Play in
    Extensive-Form Games, ICML (2015), there called XFP.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.iterations = 0
        self._sums = np.zeros(tree.num_slots)  # how often each sequence of actions was an answer

    def run(self, iterations: int = 1) -> None:
        """Answers best, for all players at once, ``iterations`` times."""
        owner = self.tree.set_player[self.tree.slot_set]
        for _ in range(iterations):
            average = self.average()
            for player in range(self.tree.num_players):
                answer = best_response(average, player).policy
                self._sums += np.where(owner == player, reach_of(self.tree, answer.array)[:-1], 0.0)
            self.iterations += 1

    def average(self) -> TabularPolicy:
        """Returns the average of the best responses so far, uniform where none came."""
        return TabularPolicy.of_weights(self.tree, self._sums)
