"""Simulations: down the tree to a leaf, from there to the end of the game, and back up."""

from __future__ import annotations

from math import inf

from adv_envs import CHANCE
from adv_envs.jit import kernel
from adv_envs.random import advanced, below, fraction
from agents.search.limits import STOP

from .playouts import uniform, winning
from .selection import (
    ASK,
    BIAS,
    EVENLY,
    EXPAND,
    EXPLORATION,
    FIRST_PLAY,
    REFERENCE,
    SOLVER,
    grave,
    logarithm,
    uct,
)
from .tree import (
    AMAF,
    DEEPEST,
    PRIORS,
    RANDOM,
    STAMP,
    TERMINAL,
    expand,
    neglected,
    settled,
    tighten,
)

AT, MOVER = range(2)
"""The rows of ``path`` (2, plies): the nodes from the root down; who moves at each."""


@kernel
def play_out(position, worth, seen, room):  # type: ignore[no-untyped-def]
    """What the leaf is worth to each player: a playout, unless another is bound."""
    uniform(position, worth, seen, room)


@kernel
def simulate(  # type: ignore[no-untyped-def]  # noqa: C901, PLR0912, PLR0915 (see below)
    position, simulations, settings, tree, path, worth, seen, room, logs, counts
):
    """Add ``simulations`` to the tree of ``position``, fewer if it gets proven.

    It also ends when a node with children was visited so often that the game is to be asked about
    it: the answer is the length of the path on which it lies, else 0.

    ``path`` (2, plies), ``worth`` (num_players,) float64, ``seen`` (num_players, num_actions) and
    ``room`` are written to. The root has children already.

    One long function, because every array that is passed to another is counted in and out by the
    compiler: cut into four this one takes twice as long.
    """
    exploration, untried = settings[EXPLORATION] ** 2, settings[FIRST_PLAY]
    expand_at, reference, bias = settings[EXPAND], settings[REFERENCE], settings[BIAS]
    players, solver = worth.shape[0], settings[SOLVER] != 0
    ask_at, ask, evenly = int(settings[ASK]), False, settings[EVENLY] != 0
    root_mover = position.to_move
    for _ in range(simulations):
        if counts[STOP] != 0 or (solver and settled(evenly, tree)):
            break
        room[STAMP] += 1

        # 1. selection: down the tree to a leaf, which gets children when it was visited enough
        state, node, depth, here, chooser = int(room[RANDOM]), 0, 0, position, root_mover
        path[AT, 0] = 0
        while depth < path.shape[1] - 1 and not (
            solver and tree[node]["lower"] == tree[node]["upper"] and not (evenly and depth == 0)
        ):
            if tree[node]["width"] == 0 and tree[node]["visits"] >= expand_at:
                expand(here, node, tree, room)
            if tree[node]["width"] <= 0:
                break
            mover, begin = here.to_move, int(tree[node]["first"])
            path[MOVER, depth] = mover
            state = advanced(state)
            end = begin + int(tree[node]["width"])
            chosen = child = begin
            if PRIORS and mover == CHANCE:
                left = fraction(state)
                while left >= tree[chosen]["prior"] and chosen < end - 1:
                    left -= tree[chosen]["prior"]
                    chosen += 1
            elif evenly and depth == 0:
                chosen = neglected(solver, tree)
            else:
                low = -inf  # what the player to move has for sure
                if solver:
                    low = tree[node]["lower"] if mover == max(chooser, 0) else -tree[node]["upper"]
                spread = exploration * logarithm(max(tree[node]["visits"], 1), logs)
                other = last = begin
                here_itself = True
                if AMAF:
                    at = depth
                    for level in range(depth, -1, -1):  # GRAVE: who was visited enough?
                        if path[MOVER, level] == mover:
                            at = level
                            if tree[path[AT, level]]["visits"] >= reference:
                                break
                    other = tree[path[AT, at]]["first"]
                    here_itself = at == depth
                    last = other + tree[path[AT, at]]["width"]
                else:  # of equals the first counts, from a random one on
                    child = begin + below(state, end - begin)
                best = -inf
                for _ in range(end - begin):
                    if AMAF:  # children are in the order of their actions
                        action = tree[child]["action"]
                        if here_itself:
                            other = child
                        while other < last and tree[other]["action"] < action:
                            other += 1
                        m, amaf_total = 0, 0.0
                        if other < last and tree[other]["action"] == action:
                            m, amaf_total = tree[other]["amaf_visits"], tree[other]["amaf_total"]
                        score = grave(
                            tree[child]["visits"],
                            tree[child]["total"],
                            m,
                            amaf_total,
                            spread,
                            untried,
                            bias,
                        )
                    else:
                        score = uct(tree[child]["visits"], tree[child]["total"], spread, untried)
                    better = score > best and (not solver or tree[child]["upper"] > low)
                    best = score if better else best
                    chosen = child if better else chosen
                    child += 1
                    if child == end:
                        child = begin
            here = here.play(int(tree[chosen]["action"]))
            chooser, node = mover, chosen
            depth += 1
            path[AT, depth] = node
        room[RANDOM] = state
        room[DEEPEST] = max(room[DEEPEST], depth)

        # 2. evaluation: what the leaf is worth to each player
        who, proven = max(chooser, 0), False
        if solver and tree[node]["lower"] == tree[node]["upper"]:  # only games of two are solved
            worth[who] = tree[node]["lower"]
            worth[players - 1 - who] = -tree[node]["lower"]
        elif tree[node]["width"] == TERMINAL or (tree[node]["visits"] == 0 and here.is_terminal()):
            for player in range(players):
                worth[player] = here.utility(player)
            tree[node]["width"] = TERMINAL
            tree[node]["lower"] = tree[node]["upper"] = worth[who]
            proven = True
        else:
            wins = players == 2 and tree[node]["visits"] == 0 and here.to_move != CHANCE
            action = winning(here) if wins else -1
            if action >= 0:
                worth[here.to_move] = here.max_utility
                worth[1 - here.to_move] = -here.max_utility
                if AMAF:
                    seen[here.to_move, action] = room[STAMP]
                if solver:
                    tree[node]["lower"] = tree[node]["upper"] = worth[who]
                    proven = True
            else:
                play_out(here, worth, seen, room)

        # 3. back up: count the simulation in every node of the path, prove what follows
        for level in range(depth, -1, -1):
            node = path[AT, level]
            who = max(path[MOVER, level - 1] if level > 0 else root_mover, 0)
            if level < depth:
                mover = path[MOVER, level]
                if AMAF and mover != CHANCE:
                    value, stamp = worth[mover], room[STAMP]
                    for child in range(
                        tree[node]["first"], tree[node]["first"] + tree[node]["width"]
                    ):
                        hit = int(seen[mover, tree[child]["action"]] == stamp)  # no branch: faster
                        tree[child]["amaf_visits"] += hit
                        tree[child]["amaf_total"] += hit * value
                if solver and proven:
                    proven = tighten(node, max(mover, 0) == who, mover == CHANCE, tree)
            value = worth[who]
            if solver and not PRIORS:  # what the dice gave once may well be outside the bounds
                value = min(max(value, tree[node]["lower"]), tree[node]["upper"])
                worth[who] = value
                worth[1 - who] = -value
            tree[node]["visits"] += 1
            tree[node]["total"] += value
            ask = ask or (tree[node]["visits"] == ask_at and tree[node]["width"] > 0)
            if AMAF and level > 0:
                seen[who, tree[node]["action"]] = room[STAMP]
        if ask:
            return depth + 1
    return 0
