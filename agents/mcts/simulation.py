"""Simulations: down the tree to a leaf, from there to the end of the game, and back up."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import kernel
from adv_envs.random import advanced, below, fraction
from agents.search.limits import STOP, Counts

from .nodes import (
    AMAF_TOTAL,
    AMAF_VISITS,
    AT,
    PLAYER,
    PRIORS,
    SCORE,
    TERMINAL,
    TOTAL,
    VISITS,
    Nodes,
    Path,
    Statistics,
    expand,
    is_solved,
    update_bounds,
)
from .playouts import (
    AMAF,
    DEEPEST,
    RANDOM,
    STAMP,
    Played,
    Values,
    Workspace,
    uniform,
    winning_move,
)
from .selection import (
    ASK,
    BIAS,
    EVENLY,
    EXPAND,
    EXPLORATION,
    FIRST_PLAY,
    REFERENCE,
    SOLVER,
    Settings,
    grave,
    least_visited,
    logarithm,
    uct,
)


@kernel
def evaluate_leaf(position: Position, values: Values, played: Played, workspace: Workspace) -> None:
    """Writes the value of the leaf for each player: by a playout, unless another is bound."""
    uniform(position, values, played, workspace)


@kernel
def simulate(  # noqa: C901, PLR0912, PLR0915 -- one function is twice as fast, see below
    position: Position,
    simulations: int,
    settings: Settings,
    nodes: Nodes,
    path: Path,
    values: Values,
    played: Played,
    workspace: Workspace,
    statistics: Statistics,
    logs: NDArray[np.float64],
    counts: Counts,
) -> int:
    """Adds ``simulations`` to the tree of ``position``, fewer if it gets proven.

    It also ends when a node with children was visited so often that the game is to be asked for
    proven moves. Returns the length of the path on which that node lies, else 0. ``path``,
    ``values``, ``played``, ``workspace`` and ``statistics`` are overwritten. The root has children
    already.

    One long function, because every array that is passed to another is counted in and out by the
    compiler: cut into four this one takes twice as long. The statistics of all children are copied
    into columns before they are scored, so that the compiler can score four at a time.
    """
    exploration, untried = settings[EXPLORATION] ** 2, settings[FIRST_PLAY]
    expand_at, reference, bias = settings[EXPAND], settings[REFERENCE], settings[BIAS]
    players, solver = values.shape[0], settings[SOLVER] != 0
    ask_at, ask, evenly = int(settings[ASK]), False, settings[EVENLY] != 0
    root_player = position.to_move
    for _ in range(simulations):
        if counts[STOP] != 0 or (solver and is_solved(evenly, nodes)):
            break
        workspace[STAMP] += 1

        # 1. selection: down the tree to a leaf, which gets children when it was visited enough
        state, node, depth, here, chooser = int(workspace[RANDOM]), 0, 0, position, root_player
        path[AT, 0] = 0
        while depth < path.shape[1] - 1 and not (
            solver and nodes[node]["lower"] == nodes[node]["upper"] and not (evenly and depth == 0)
        ):
            if nodes[node]["width"] == 0 and nodes[node]["visits"] >= expand_at:
                expand(here, node, nodes, workspace)
            if nodes[node]["width"] <= 0:
                break
            to_move, begin = here.to_move, int(nodes[node]["first"])
            path[PLAYER, depth] = to_move
            state = advanced(state)
            end = begin + int(nodes[node]["width"])
            chosen = begin
            if PRIORS and to_move == CHANCE:
                left = fraction(state)
                while left >= nodes[chosen]["prior"] and chosen < end - 1:
                    left -= nodes[chosen]["prior"]
                    chosen += 1
            elif evenly and depth == 0:
                chosen = least_visited(solver, nodes)
            else:
                low = -inf  # what the player to move has for sure
                if solver:
                    own = to_move == max(chooser, 0)
                    low = nodes[node]["lower"] if own else -nodes[node]["upper"]
                exploration_term = exploration * logarithm(max(nodes[node]["visits"], 1), logs)
                width = end - begin
                for i in range(width):
                    statistics[VISITS, i] = nodes[begin + i]["visits"]
                    statistics[TOTAL, i] = nodes[begin + i]["total"]
                if AMAF:
                    at = depth
                    for level in range(depth, -1, -1):  # GRAVE: the nearest node above with enough
                        if path[PLAYER, level] == to_move:
                            at = level
                            if nodes[path[AT, level]]["visits"] >= reference:
                                break
                    other = int(nodes[path[AT, at]]["first"])
                    last = other + int(nodes[path[AT, at]]["width"])
                    for i in range(width):  # children are in the order of their actions
                        action = nodes[begin + i]["action"]
                        if at == depth:
                            other = begin + i
                        while other < last and nodes[other]["action"] < action:
                            other += 1
                        found = other < last and nodes[other]["action"] == action
                        statistics[AMAF_VISITS, i] = nodes[other]["amaf_visits"] if found else 0
                        statistics[AMAF_TOTAL, i] = nodes[other]["amaf_total"] if found else 0.0
                    for i in range(width):
                        visits, total = statistics[VISITS, i], statistics[TOTAL, i]
                        m, amaf_total = statistics[AMAF_VISITS, i], statistics[AMAF_TOTAL, i]
                        score = grave(visits, total, m, amaf_total, exploration_term, untried, bias)
                        statistics[SCORE, i] = score
                else:
                    for i in range(width):
                        visits, total = statistics[VISITS, i], statistics[TOTAL, i]
                        statistics[SCORE, i] = uct(visits, total, exploration_term, untried)
                if solver:  # a child that cannot be better than what is sure is left alone
                    for i in range(width):
                        if not nodes[begin + i]["upper"] > low:
                            statistics[SCORE, i] = -inf
                best, start = -inf, 0 if AMAF else below(state, width)
                for i in range(start, width):  # of equals the first counts, from a random one on
                    better = statistics[SCORE, i] > best
                    best = statistics[SCORE, i] if better else best
                    chosen = begin + i if better else chosen
                for i in range(start):
                    better = statistics[SCORE, i] > best
                    best = statistics[SCORE, i] if better else best
                    chosen = begin + i if better else chosen
            here = here.play(int(nodes[chosen]["action"]))
            chooser, node = to_move, chosen
            depth += 1
            path[AT, depth] = node
        workspace[RANDOM] = state
        workspace[DEEPEST] = max(workspace[DEEPEST], depth)

        # 2. evaluation: the value of the leaf for each player
        player, proven = max(chooser, 0), False
        if solver and nodes[node]["lower"] == nodes[node]["upper"]:  # only games of two are solved
            values[player] = nodes[node]["lower"]
            values[players - 1 - player] = -nodes[node]["lower"]
        elif nodes[node]["width"] == TERMINAL or (
            nodes[node]["visits"] == 0 and here.is_terminal()
        ):
            for each in range(players):
                values[each] = here.utility(each)
            nodes[node]["width"] = TERMINAL
            nodes[node]["lower"] = nodes[node]["upper"] = values[player]
            proven = True
        else:
            wins = players == 2 and nodes[node]["visits"] == 0 and here.to_move != CHANCE
            action = winning_move(here, workspace) if wins else -1
            if action >= 0:
                values[here.to_move] = here.max_utility
                values[1 - here.to_move] = -here.max_utility
                if AMAF:
                    played[here.to_move, action] = workspace[STAMP]
                if solver:
                    nodes[node]["lower"] = nodes[node]["upper"] = values[player]
                    proven = True
            else:
                evaluate_leaf(here, values, played, workspace)

        # 3. back up: count the simulation in every node of the path, prove what follows
        for level in range(depth, -1, -1):
            node = path[AT, level]
            player = max(path[PLAYER, level - 1] if level > 0 else root_player, 0)
            if level < depth:
                to_move = path[PLAYER, level]
                if AMAF and to_move != CHANCE:
                    value, stamp = values[to_move], workspace[STAMP]
                    begin = int(nodes[node]["first"])
                    for child in range(begin, begin + nodes[node]["width"]):
                        hit = int(played[to_move, nodes[child]["action"]] == stamp)  # no branch
                        nodes[child]["amaf_visits"] += hit
                        nodes[child]["amaf_total"] += hit * value
                if solver and proven:
                    proven = update_bounds(
                        node, max(to_move, 0) == player, to_move == CHANCE, nodes
                    )
            value = values[player]
            if solver and not PRIORS:  # one outcome of chance may well be outside the bounds
                value = min(max(value, nodes[node]["lower"]), nodes[node]["upper"])
                values[player] = value
                values[1 - player] = -value
            nodes[node]["visits"] += 1
            nodes[node]["total"] += value
            ask = ask or (nodes[node]["visits"] == ask_at and nodes[node]["width"] > 0)
            if AMAF and level > 0:
                played[player, nodes[node]["action"]] = workspace[STAMP]
        if ask:
            return depth + 1
    return 0
