"""The tree: one array for each thing known of a node; children lie side by side, in order.

What a node is worth is kept for the player who chose to go there, its parent's mover (player 0
where the dice went there; at the root, the player to move). So a parent compares its children as
they are, whoever moves next, and no vectors are needed for many players.

``lower`` and ``upper`` bound the value with best play (Cazenave and Saffidine, Score Bounded Monte
Carlo Tree Search, 2010): where they meet the node is proven, be it won, lost, drawn or worth 7.
MCTS-Solver (Winands et al., 2008) is the case of wins and losses.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.jit import kernel

TERMINAL = -1
"""The ``width`` of a node where the game is over; 0 is that of a leaf."""

RANDOM, STAMP, USED, DEEPEST, SCRATCH = range(5)
"""The integers a search carries along, the ``room``: the state of the random numbers, the number of
the simulation, how many nodes are in use, the deepest leaf; from SCRATCH on, room to work in."""

LOOK_DOWN, LOOK_AT = 6, 4096
"""How far, and at how many positions, ``locate`` looks."""

PRIORS = False
"""Whether children carry a probability: of the dice, or a policy's; bound by the agent."""

AMAF = False
"""Whether all-moves-as-first statistics are kept; bound by the agent."""

Tree = NDArray[np.void]
"""The nodes, an array of records, shape (nodes,); the root is node 0."""

NODE = np.dtype(
    [
        ("visits", np.int32),
        ("first", np.int32),  # the first child
        ("width", np.int32),  # how many children, or TERMINAL
        ("action", np.int32),  # that leads here
        ("total", np.float64),  # the sum of the values of all visits
        ("lower", np.float64),
        ("upper", np.float64),
    ]
)
"""What is known of a node. 40 bytes, so that the children of one are few cache lines."""

NODE_PRIOR = np.dtype([*NODE.descr, ("prior", np.float64)])
"""With the probability that the dice or a policy give its action."""

NODE_AMAF = np.dtype([*NODE_PRIOR.descr, ("amaf_total", np.float64), ("amaf_visits", np.int64)])
"""With all-moves-as-first statistics."""


def prior(position: Position, action: int) -> float:
    """The probability of ``action`` where the dice decide; bound where there are any."""
    return 1.0


@kernel
def clear(node, bound, action, tree):  # type: ignore[no-untyped-def]
    """Make ``node`` a leaf of which nothing is known, but that it is worth at most ``bound``."""
    tree[node]["visits"] = tree[node]["first"] = tree[node]["width"] = 0
    tree[node]["total"] = 0.0
    tree[node]["lower"], tree[node]["upper"] = -bound, bound
    tree[node]["action"] = action
    if AMAF:
        tree[node]["amaf_visits"] = 0
        tree[node]["amaf_total"] = 0.0


@kernel
def expand(position, node, tree, room):  # type: ignore[no-untyped-def]
    """Give a leaf a child for every legal action, in increasing order, if there is room."""
    begin = room[USED]
    if begin + position.num_actions > tree.shape[0]:
        return
    end, bound = begin, 1.0 * position.max_utility
    for action in range(position.num_actions):
        if position.legal(action):
            clear(end, bound, action, tree)
            if PRIORS:
                tree[end]["prior"] = prior(position, action)
            end += 1
    tree[node]["first"], tree[node]["width"] = begin, end - begin
    room[USED] = end


@kernel
def tighten(node, same, chance, tree):  # type: ignore[no-untyped-def]
    """Set the bounds of ``node`` by those of its children; have they changed?

    ``same``: who moves at ``node`` is who chose it, else it is the one opponent. Of ``chance`` the
    expectation counts, which is kept for player 0.
    """
    begin = int(tree[node]["first"])
    end = begin + int(tree[node]["width"])
    low, high = tree[begin]["lower"], tree[begin]["upper"]
    if PRIORS and chance:
        low = high = 0.0
        for child in range(begin, end):
            low += tree[child]["prior"] * tree[child]["lower"]
            high += tree[child]["prior"] * tree[child]["upper"]
    else:
        for child in range(begin + 1, end):
            low = max(low, tree[child]["lower"])
            high = max(high, tree[child]["upper"])
    if not same:
        low, high = 0.0 - high, 0.0 - low
    changed = low > tree[node]["lower"] or high < tree[node]["upper"]
    tree[node]["lower"], tree[node]["upper"] = low, high
    return changed


# ---- the root


@kernel
def settled(evenly, tree):  # type: ignore[no-untyped-def]
    """Whether all is proven that is asked for: the root, or, ``evenly``, each of its children."""
    if not evenly:
        return tree[0]["lower"] == tree[0]["upper"]
    begin = int(tree[0]["first"])
    for child in range(begin, begin + int(tree[0]["width"])):
        if tree[child]["lower"] != tree[child]["upper"]:
            return False
    return True


@kernel
def neglected(solver, tree):  # type: ignore[no-untyped-def]
    """The child of the root that was visited least, of those not proven if there are any."""
    begin = int(tree[0]["first"])
    chosen, least = begin, -1
    for child in range(begin, begin + int(tree[0]["width"])):
        visits = int(tree[child]["visits"])
        proven = solver and tree[child]["lower"] == tree[child]["upper"]
        if not proven and (least < 0 or visits < least):
            chosen, least = child, visits
    return chosen


# ---- keeping a subtree


@kernel
def transplant(node, old, new, room):  # type: ignore[no-untyped-def]
    """Copy what lies below ``node``, which has children, into ``new``, where it is the root."""
    new[0] = old[node]
    used, at = 1, 0
    while at < used:  # breadth first, so that children stay side by side
        begin, width = new[at]["first"], new[at]["width"]
        if width > 0:
            new[at]["first"] = used
            for i in range(width):
                new[used + i] = old[begin + i]
            used += width
        at += 1
    room[USED] = used
    room[DEEPEST] = 0
    # as seen by who moves now, not by who moved before
    new[0]["visits"], new[0]["total"] = 0, 0.0
    new[0]["lower"], new[0]["upper"] = new[1]["lower"], new[1]["upper"]
    for child in range(1, 1 + new[0]["width"]):
        new[0]["visits"] += new[child]["visits"]
        new[0]["total"] += new[child]["total"]
        new[0]["lower"] = max(new[0]["lower"], new[child]["lower"])
        new[0]["upper"] = max(new[0]["upper"], new[child]["upper"])


def locate(position: Position, target: Position, tree: Tree) -> int:
    """The node of ``target`` in the tree of ``position``; -1 if it has none, or far down.

    Looks up to LOOK_DOWN moves ahead, at most LOOK_AT positions, at often visited moves first.
    """
    level, looked = [(position, 0)], 0
    for _ in range(LOOK_DOWN):
        below = []
        for parent, node in level:
            begin = int(tree[node]["first"])
            children = range(begin, begin + max(int(tree[node]["width"]), 0))
            for child in sorted(children, key=lambda child: -int(tree[child]["visits"])):
                after = parent.play(int(tree[child]["action"]))
                looked += 1
                if after == target:
                    return child
                if looked == LOOK_AT:
                    return -1
                below.append((after, child))
        level = below
    return -1
