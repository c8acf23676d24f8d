"""Best responses, NashConv and exploitability, exact: what a perfect opponent takes.

For a policy σ of all players, with v_i the expected utility of player i and BR_i the most that i
can expect against the others' σ:

    NashConv = Σ_i (BR_i - v_i)        exploitability = NashConv / number of players

Both are 0 at a Nash equilibrium and only there. Source: E. Lockhart and others, Computing
Approximate Equilibria in Sequential Adversarial Games by Exploitability Descent (IJCAI 2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .counterfactual import reach_of, slot_values
from .game_tree import Floats, GameTree
from .tabular_policy import TabularPolicy, set_sums


@dataclass(frozen=True)
class BestResponse:
    """The best that a player can do against the others' policies."""

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
    """Returns how much the players could gain in all, each by a best response to the others."""
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
    """What a policy loses at each information set of one player, given the others' policies.

    Arrays have a number for each of the player's sets, (sets,), of which the first is set
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
