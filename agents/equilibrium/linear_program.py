"""Finds equilibria of games of two players by linear programming over sequences, exactly.

A policy of player 0 is given by its realisation plan x: x(s) is the reach of each sequence s of own
actions, so x(empty) = 1 and the x(I, a) of an information set I add up to the x of the sequence
before it. With A(s, t) what the leaves pay that end the sequences s and t, chance included, the
best plan is that of

    maximise v(root)    subject to    v(I_t) - Σ_{I after t} v(I) ≤ Σ_s A(s, t) x(s)   for all t

where v(I) is what player 1 can still hold player 0 to at the set I, I_t the set of the sequence t,
and root that of the empty one. The dual variables of these inequalities are the plan of player 1.

Sources: B. von Stengel, Efficient Computation of Behavior Strategies, Games and Economic Behavior
14 (1996); D. Koller, N. Megiddo and B. von Stengel, Fast Algorithms for Finding Randomized
Strategies in Game Trees (STOC 1994).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from adv_envs.optional import optional_library
from adv_envs.position import require_competitive

from .game_tree import Floats, GameTree, Ints
from .tabular_policy import TabularPolicy


@dataclass(frozen=True)
class ZeroSumSolution:
    """Holds an equilibrium of a game of two players, and the game's value for player 0."""

    value: float
    policy: TabularPolicy


@functools.lru_cache(maxsize=8)
def solve_zero_sum(tree: GameTree) -> ZeroSumSolution:
    """Returns an equilibrium, exact but for rounding (about 1e-9).

    At information sets that a player's own policy never reaches it is uniform. ValueError for games
    of other than two players or in which one does not lose what the other wins, and if the linear
    program cannot be solved. It is solved by HiGHS, from scipy: ImportError says how to get it.
    """
    optimize = optional_library("scipy.optimize", "linear programming needs", "lab")
    require_zero_sum(tree)
    found = optimize.linprog(**program(tree), method="highs")
    if not found.success:
        raise ValueError(f"HiGHS found no equilibrium: {found.message}")
    plan = found.x[1 : 1 + int(tree.first_slot[tree.first_set[1]])]
    weights = np.concatenate([plan, -found.ineqlin.marginals[1:]])
    policy = TabularPolicy.of_weights(tree, np.maximum(weights, 0.0))
    return ZeroSumSolution(-float(found.fun), policy)


def require_zero_sum(tree: GameTree) -> None:
    """Raises ValueError unless there are two players, and one wins what the other loses."""
    require_competitive(tree.start, "linear programming")
    if tree.num_players != 2:
        raise ValueError(
            f"linear programming solves games of two players, not {tree.num_players}; use cfr_plus"
        )
    if np.abs(tree.utilities.sum(axis=1)).max(initial=0.0) > 1e-9:
        raise ValueError("linear programming needs players of whom one wins what the other loses")


def program(tree: GameTree) -> dict[str, Any]:
    """Returns the arguments of ``linprog``; variables are x, then v of the root and of each set."""
    sparse = optional_library("scipy.sparse", "linear programming needs", "lab")
    flow, other = flow_of(tree, 0), flow_of(tree, 1)
    (conditions, rows), (values, columns) = flow.shape, other.shape
    last = tree.last_slots[tree.leaves]
    pays = tree.chance[tree.leaves] * tree.utilities[tree.leaves, 0]
    at = sequences(tree, last[:, 1], 1), sequences(tree, last[:, 0], 0)
    payments = sparse.coo_array((pays, at), shape=(columns, rows)).tocsr()
    costs, ones = np.zeros(rows + values), np.zeros(conditions)
    costs[rows], ones[0] = -1.0, 1.0
    return {
        "c": costs,
        "A_ub": sparse.hstack([-payments, other.T]).tocsr(),
        "b_ub": np.zeros(columns),
        "A_eq": sparse.hstack([flow, sparse.coo_array((conditions, values))]).tocsr(),
        "b_eq": ones,
        "bounds": [(0, None)] * rows + [(None, None)] * values,
    }


def sequences(tree: GameTree, slots: Ints, player: int) -> Ints:
    """Returns the numbers, of their player, of sequences that end with slots: 0 the empty one."""
    first = int(tree.first_slot[tree.first_set[player]])
    numbers: Ints = np.where(slots == tree.num_slots, 0, slots - first + 1)
    return numbers


def flow_of(tree: GameTree, player: int) -> Any:
    """Returns the matrix (1 + sets, sequences) that a plan fulfils: 1, 0, 0, ..., 0.

    Its first row is the empty sequence; in the others the actions of a set have 1, the sequence
    before it -1.
    """
    sparse = optional_library("scipy.sparse", "linear programming needs", "lab")
    first, end = int(tree.first_set[player]), int(tree.first_set[player + 1])
    slots = np.arange(tree.first_slot[first], tree.first_slot[end])
    own = np.arange(1, end - first + 1)
    rows = np.concatenate([[0], 1 + tree.slot_set[slots] - first, own])
    before = sequences(tree, tree.parent_slot[first:end], player)
    columns = np.concatenate([[0], sequences(tree, slots, player), before])
    signs: Floats = np.concatenate([np.ones(1 + len(slots)), -np.ones(end - first)])
    shape = 1 + end - first, 1 + len(slots)
    return sparse.coo_array((signs, (rows, columns)), shape=shape).tocsr()
