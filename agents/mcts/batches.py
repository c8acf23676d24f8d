"""Simulations whose leaves are valued many at a time by a function in Python, such as a network.

``gather`` goes down the tree for a batch of leaves, Python asks for their priors and values, and
``settle`` hangs these into the tree. A path that waits for its value counts as lost until then
(virtual loss), so that the next one of the batch goes another way.
"""

from __future__ import annotations

from math import inf, sqrt

from adv_envs.jit import kernel
from agents.search.limits import STOP

from .playouts import winning
from .selection import EVENLY, EXPLORATION, SOLVER, puct
from .simulation import AT, MOVER
from .tree import STAMP, TERMINAL, expand, neglected, settled, tighten

PENDING = -2
"""The ``width`` of a leaf that waits for its value."""


@kernel
def gather(position, batch, settings, tree, paths, depths, worth, room, counts):  # type: ignore[no-untyped-def]
    """How many leaves, at most ``batch``, wait for their values; the ways there are in ``paths``.

    ``paths`` (batch, 2, plies) and ``depths`` (batch,) are int64. Simulations that end where the
    value is known are backed up at once. The root has children, with priors.
    """
    solver, found, tries = settings[SOLVER] != 0, 0, 0
    evenly = settings[EVENLY] != 0
    while found < batch and tries < batch and counts[STOP] == 0:
        if solver and settled(evenly, tree):
            break
        tries += 1
        path, node, depth, here = paths[found], 0, 0, position
        path[AT, 0] = 0
        while tree[node]["width"] > 0 and depth < paths.shape[2] - 1:
            mover = here.to_move
            same = mover == (path[MOVER, depth - 1] if depth > 0 else mover)
            low = -inf
            if solver:
                low = tree[node]["lower"] if same else -tree[node]["upper"]
            path[MOVER, depth] = mover
            if evenly and depth == 0:
                node = neglected(solver, tree)
            else:
                node = favourite(node, low, settings[EXPLORATION], tree)
            here = here.play(int(tree[node]["action"]))
            depth += 1
            path[AT, depth] = node
            if solver and tree[node]["lower"] == tree[node]["upper"]:
                break
        if tree[node]["width"] == PENDING:
            break  # nowhere else to go: wait for it
        depths[found] = depth
        proven, known = judge(here, depth, solver, tree, path, worth)
        if known:
            room[STAMP] += 1
            back_up(depth, proven, solver, 0.0, tree, path, worth)
        else:
            tree[node]["width"] = PENDING
            for level in range(depth + 1):
                tree[path[AT, level]]["visits"] += 1
                tree[path[AT, level]]["total"] -= here.max_utility
            found += 1
    return found


@kernel
def favourite(node, low, exploration, tree):  # type: ignore[no-untyped-def]
    """The best child by ``puct``; one not tried is taken to be worth what the tried ones are."""
    begin = int(tree[node]["first"])
    end = begin + int(tree[node]["width"])
    tried, total = 0, 0.0
    for child in range(begin, end):
        tried += tree[child]["visits"]
        total += tree[child]["total"]
    untried, spread = total / max(tried, 1), exploration * sqrt(1.0 + tried)
    best, chosen = -inf, begin
    for child in range(begin, end):
        if tree[child]["upper"] > low:
            visits, value = tree[child]["visits"], tree[child]["total"]
            score = puct(visits, value, tree[child]["prior"], spread, untried)
            if score > best:
                best, chosen = score, child
    return chosen


@kernel
def judge(here, depth, solver, tree, path, worth):  # type: ignore[no-untyped-def]
    """(was the leaf proven just now, is its value known); the value goes into ``worth``."""
    node, who, players = path[AT, depth], path[MOVER, depth - 1], worth.shape[0]
    if solver and tree[node]["lower"] == tree[node]["upper"]:
        worth[who] = tree[node]["lower"]
        worth[1 - who] = -tree[node]["lower"]
        return False, True
    if tree[node]["width"] == TERMINAL or (tree[node]["visits"] == 0 and here.is_terminal()):
        for player in range(players):
            worth[player] = here.utility(player)
        tree[node]["width"] = TERMINAL
        tree[node]["lower"] = tree[node]["upper"] = worth[who]
        return True, True
    if players == 2 and tree[node]["visits"] == 0 and winning(here) >= 0:
        worth[here.to_move] = here.max_utility
        worth[1 - here.to_move] = -here.max_utility
        if solver:
            tree[node]["lower"] = tree[node]["upper"] = worth[who]
        return solver, True
    return False, False


@kernel
def settle(leaf, depth, priors, solver, tree, path, worth, room):  # type: ignore[no-untyped-def]
    """Give the position ``leaf`` its children with their ``priors`` (num_actions,), and back up.

    ``worth`` (num_players,) is what it is worth to each player. Priors are scaled to sum up to 1
    over the legal actions.
    """
    node = path[AT, depth]
    if depth > 0:
        tree[node]["width"] = 0
        if depth < path.shape[1] - 1:
            expand(leaf, node, tree, room)
    begin = int(tree[node]["first"])
    end = begin + int(tree[node]["width"])
    total = 0.0
    for child in range(begin, end):
        total += priors[tree[child]["action"]]
    for child in range(begin, end):
        prior = priors[tree[child]["action"]]
        tree[child]["prior"] = prior / total if total > 0.0 else 1.0 / (end - begin)
    if depth > 0:
        room[STAMP] += 1
        back_up(depth, False, solver, 1.0 * leaf.max_utility, tree, path, worth)


@kernel
def back_up(depth, proven, solver, virtual, tree, path, worth):  # type: ignore[no-untyped-def]
    """Count the simulation in every node of the path, or make good its ``virtual`` loss."""
    for level in range(depth, -1, -1):
        node = path[AT, level]
        who = path[MOVER, level - 1] if level > 0 else path[MOVER, 0]
        if solver and proven and level < depth:
            proven = tighten(node, path[MOVER, level] == who, False, tree)
        value = worth[who]
        if solver:
            value = min(max(value, tree[node]["lower"]), tree[node]["upper"])
            worth[who] = value
            worth[1 - who] = -value
        tree[node]["visits"] += 0 if virtual > 0.0 else 1
        tree[node]["total"] += value + virtual
