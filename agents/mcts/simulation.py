"""Simulates: down the tree to a leaf, from there to the end of the game, and back up.

Each has four parts: ``select`` and ``expand``, ``evaluate``, ``back_up``. Searches by a policy, in
``policy_search``, are made of the same parts. They are inlined, because every array that is passed
to another function is counted in and out by the compiler: called, they take twice as long.
"""

from __future__ import annotations

from math import inf
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.jit import inlined, kernel
from adv_envs.random import advanced, fraction
from agents.search.limits import STOP, Counts

from .nodes import (
    AT,
    CHANCES,
    PLAYER,
    TERMINAL,
    Nodes,
    Simulation,
    TreeArrays,
    expand,
    is_solved,
    plant,
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
from .selection import Path, SearchSettings, least_visited, select_child


@kernel
def evaluate_leaf(position: Position, values: Values, played: Played, workspace: Workspace) -> None:
    """Writes the value of the leaf for each player: by a playout, unless another is bound."""
    uniform(position, values, played, workspace)


@kernel
def simulate(
    position: Position,
    simulations: int,
    settings: SearchSettings,
    tree: TreeArrays,
    simulation: Simulation,
    counts: Counts,
) -> int:
    """Adds ``simulations`` to the tree of ``position``, fewer if it gets proven.

    It also ends when a node with children was visited so often that the game is to be asked for
    proven moves. Returns 1 more than the depth of the path on which that node lies, else 0.
    ``simulation`` is overwritten.
    """
    workspace, played, values = tree.workspace, tree.played, simulation.values
    if tree.nodes[0]["width"] == 0:
        plant(position, tree.nodes, workspace)
    for _ in range(simulations):
        if counts[STOP] != 0 or (settings.solver and is_solved(settings.evenly, tree.nodes)):
            break
        workspace[STAMP] += 1
        leaf, depth = select(position, settings, tree, simulation.path)
        workspace[DEEPEST] = max(workspace[DEEPEST], depth)
        proven, known = evaluate_known(leaf, depth, False, settings, tree, simulation)
        if not known:
            evaluate_leaf(leaf, values, played, workspace)
        if back_up(depth, proven, 0.0, settings, tree, simulation):
            return depth + 1
    return 0


@inlined
def select(
    position: Any, settings: SearchSettings, tree: TreeArrays, path: Path
) -> tuple[Any, int]:
    """Goes down the tree to a leaf, which gets children when it was visited enough.

    Returns its position and depth; writes ``path``.
    """
    nodes, state, here = tree.nodes, int(tree.workspace[RANDOM]), position
    node, depth = 0, 0
    path[AT, 0], path[PLAYER, 0] = 0, position.to_move
    while depth < path.shape[1] - 1 and not (
        settings.solver and depth > 0 and nodes[node]["lower"] == nodes[node]["upper"]
    ):
        if nodes[node]["width"] == 0 and nodes[node]["visits"] >= settings.expand_at:
            expand(here, node, nodes, tree.workspace)
        if nodes[node]["width"] <= 0:
            break
        path[PLAYER, depth] = here.to_move
        state = advanced(state)
        if CHANCES and here.to_move == CHANCE:
            node = select_by_chance(node, fraction(state), nodes)
        elif settings.evenly and depth == 0:
            node = least_visited(settings.solver, nodes)
        else:
            low = surely(depth, settings, nodes, path)
            node = select_child(depth, low, state, settings, tree, path)
        here = here.play(int(nodes[node]["action"]))
        depth += 1
        path[AT, depth] = node
    tree.workspace[RANDOM] = state
    return here, depth


@inlined
def select_by_chance(node: int, left: float, nodes: Nodes) -> int:
    """Returns the child that ``left``, a random number from 0 to 1, selects by probability."""
    chosen = int(nodes[node]["first"])
    last = chosen + int(nodes[node]["width"]) - 1
    while left >= nodes[chosen]["prior"] and chosen < last:
        left -= nodes[chosen]["prior"]
        chosen += 1
    return chosen


@inlined
def surely(depth: int, settings: SearchSettings, nodes: Nodes, path: Path) -> float:
    """Returns what the player to move has for sure at a node of the path."""
    if not settings.solver:
        return -inf
    node, chooser = path[AT, depth], path[PLAYER, max(depth - 1, 0)]
    own = path[PLAYER, depth] == max(chooser, 0)
    return float(nodes[node]["lower"] if own else -nodes[node]["upper"])


@inlined
def evaluate_known(
    here: Any,
    depth: int,
    again: bool,
    settings: SearchSettings,
    tree: TreeArrays,
    simulation: Simulation,
) -> tuple[bool, bool]:
    """Writes the value of a leaf for each player if it is known without a playout or a policy.

    That is where it is proven, where the game is over, and where a move wins at once, which is
    asked at the first visit or, ``again``, at each. Returns (is it proven only now, is it known).
    """
    nodes, values = tree.nodes, simulation.values
    node, player = simulation.path[AT, depth], max(simulation.path[PLAYER, max(depth - 1, 0)], 0)
    first = nodes[node]["visits"] == 0
    if settings.solver and nodes[node]["lower"] == nodes[node]["upper"]:  # only games of two
        values[player], values[1 - player] = nodes[node]["lower"], -nodes[node]["lower"]
        return False, True
    if nodes[node]["width"] == TERMINAL or (first and here.is_terminal()):
        for each in range(values.shape[0]):
            values[each] = here.utility(each)
        nodes[node]["width"] = TERMINAL
        nodes[node]["lower"] = nodes[node]["upper"] = values[player]
        return True, True
    looks = values.shape[0] == 2 and (first or again) and here.to_move != CHANCE
    action = winning_move(here, tree.workspace) if looks else -1
    if action < 0:
        return False, False
    values[here.to_move], values[1 - here.to_move] = here.max_utility, -here.max_utility
    if AMAF:
        tree.played[here.to_move, action] = tree.workspace[STAMP]
    if settings.solver:
        nodes[node]["lower"] = nodes[node]["upper"] = values[player]
    return settings.solver, True


@inlined
def back_up(
    depth: int,
    proven: bool,
    virtual: float,
    settings: SearchSettings,
    tree: TreeArrays,
    simulation: Simulation,
) -> bool:
    """Counts the value in every node of the path, or makes good its ``virtual`` loss.

    Returns whether the game is to be asked for proven moves of one of them.
    """
    nodes, path, values = tree.nodes, simulation.path, simulation.values
    ask = False
    for level in range(depth, -1, -1):
        node, player = path[AT, level], max(path[PLAYER, max(level - 1, 0)], 0)
        if level < depth:
            to_move = path[PLAYER, level]
            if AMAF and to_move != CHANCE:
                count_later_moves(node, to_move, values[to_move], tree)
            if settings.solver and proven:
                proven = update_bounds(node, max(to_move, 0) == player, to_move == CHANCE, nodes)
        value = values[player]
        if settings.solver and not CHANCES:  # one outcome of chance may well be outside the bounds
            value = min(max(value, nodes[node]["lower"]), nodes[node]["upper"])
            values[player], values[1 - player] = value, -value
        nodes[node]["visits"] += 0 if virtual > 0.0 else 1
        nodes[node]["total"] += value + virtual
        ask = ask or (nodes[node]["visits"] == settings.ask_at and nodes[node]["width"] > 0)
        if AMAF and level > 0:
            tree.played[player, nodes[node]["action"]] = tree.workspace[STAMP]
    return ask


@inlined
def count_later_moves(node: int, player: int, value: float, tree: TreeArrays) -> None:
    """Adds ``value`` to the all-moves-as-first statistics of what was played below ``node``."""
    nodes, stamp = tree.nodes, tree.workspace[STAMP]
    begin = int(nodes[node]["first"])
    for child in range(begin, begin + nodes[node]["width"]):
        hit = int(tree.played[player, nodes[child]["action"]] == stamp)  # no branch
        nodes[child]["amaf_visits"] += hit
        nodes[child]["amaf_total"] += hit * value
