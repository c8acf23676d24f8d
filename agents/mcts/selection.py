"""Selects the child to try next: UCT, RAVE and GRAVE, PUCT, Gumbel AlphaZero, least visited.

The formulas take numbers only, no arrays: see ``simulate`` for why.
"""

from __future__ import annotations

from math import ceil, exp, inf, log, log2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs.jit import inlined, kernel
from adv_envs.random import below
from agents.search.limits import UNLIMITED

from .nodes import (
    AMAF_TOTAL,
    AMAF_VISITS,
    AT,
    END,
    LEFT,
    PLAYER,
    SCORE,
    TOTAL,
    VISITS,
    Nodes,
    TreeArrays,
)
from .playouts import AMAF, STAMP

Path = NDArray[np.int64]
"""``Simulation.path``."""

BIAS = 1e-3
"""How fast the all-moves-as-first statistics of a child lose weight as its visits grow."""


DEFAULT_SIMULATIONS = 10_000


def most_simulations(simulations: int | None, seconds: float | None) -> int:
    """Returns how many simulations an agent with these limits, None for none, makes at most."""
    unlimited = simulations is None and seconds is None
    return DEFAULT_SIMULATIONS if unlimited else simulations or UNLIMITED


class SearchSettings(NamedTuple):
    """Holds the settings of a search."""

    exploration: float
    """The weight of the second term of UCT or PUCT, for utilities of this game."""
    solver: bool
    """Whether what is proven is backed up and not tried again."""
    evenly: bool = False
    """Whether all moves of the root are tried equally often until each is proven, instead of the
    best ones until one is."""
    expand_at: int = 1 << 62
    """How many visits make a leaf a node with children."""
    reference: int = 0
    """From how many visits on the all-moves-as-first statistics of a node are used below it."""
    ask_at: int = 0
    """After how many visits of a node the game is asked for proven moves; 0: never."""
    value_scale: float = 0.0
    """How much values weigh beside a policy in Gumbel AlphaZero, for values of this game."""


LOG_64 = log(64)


def logarithm(number: int, logs: NDArray[np.float64]) -> float:
    """Returns log(number), by the table of ``TreeArrays``."""
    number, extra = int(number), 0.0
    while number > logs.shape[0]:  # good to 0.2 %
        number >>= 6
        extra += LOG_64
    return float(logs[number - 1]) + extra


def uct(n: float, total: float, exploration_term: float) -> float:
    """Returns mean and confidence bound of ``n`` visits; infinity without any.

    ``exploration_term`` is exploration**2 * log(all visits). Source: Kocsis and Szepesvari, Bandit
    based Monte-Carlo planning, 2006.
    """
    return (total + sqrt(exploration_term * n)) / n if n > 0 else inf


def grave(n: float, total: float, m: float, amaf_total: float, exploration_term: float) -> float:
    """Returns ``uct`` with the ``m`` times that the action was played at once or later mixed in.

    Both means have the weights that minimise the error of their sum: later plays have m / (n + m +
    BIAS * n * m), by which the code divides only once. Sources: Gelly and Silver, Combining online
    and offline knowledge in UCT, 2007 (RAVE); Cazenave, 2015 (GRAVE).
    """
    number = n + m + BIAS * n * m
    if number == 0.0:
        return inf
    score = (amaf_total + total * (1.0 + BIAS * m)) / number
    return score + sqrt(exploration_term / n) if n > 0 and exploration_term > 0.0 else score


def puct(n: int, total: float, prior: float, exploration_term: float, untried: float) -> float:
    """Returns the mean and a bonus for what the policy prefers.

    ``exploration_term`` is exploration * sqrt(all visits). Source: Silver et al., Mastering the
    game of Go without human knowledge, 2017.
    """
    return (total / n if n > 0 else untried) + exploration_term * prior / (1 + n)


# ---- the child to try next: by UCT, unless another selection is bound


@inlined
def select_child(
    depth: int, low: float, state: int, settings: SearchSettings, tree: TreeArrays, path: Path
) -> int:
    """Returns the best child of a node of the path by ``uct`` or, with AMAF, by ``grave``.

    ``low`` is what its player has for sure: children that cannot be better are left alone. Of
    equals the first counts, with UCT from a random one on. Statistics are copied into columns
    before they are scored, so that the compiler can score four children at a time.
    """
    nodes, columns = tree.nodes, tree.statistics
    node = path[AT, depth]
    begin, width = int(nodes[node]["first"]), int(nodes[node]["width"])
    exploration_term = settings.exploration * settings.exploration
    exploration_term *= logarithm(max(nodes[node]["visits"], 1), tree.logs)
    for i in range(width):
        columns[VISITS, i] = nodes[begin + i]["visits"]
        columns[TOTAL, i] = nodes[begin + i]["total"]
    if AMAF:
        write_amaf(depth, settings.reference, tree, path)
        for i in range(width):
            visits, total = columns[VISITS, i], columns[TOTAL, i]
            m, later = columns[AMAF_VISITS, i], columns[AMAF_TOTAL, i]
            columns[SCORE, i] = grave(visits, total, m, later, exploration_term)
    else:
        for i in range(width):
            columns[SCORE, i] = uct(columns[VISITS, i], columns[TOTAL, i], exploration_term)
    if settings.solver:
        for i in range(width):
            if not nodes[begin + i]["upper"] > low:
                columns[SCORE, i] = -inf
    return begin + best_from(0 if AMAF else below(state, width), width, columns)


@inlined
def best_from(start: int, width: int, columns: NDArray[np.float64]) -> int:
    """Returns the child with the highest score, of equals the first from ``start`` on."""
    best, chosen = -inf, 0
    for i in range(start, width):
        better = columns[SCORE, i] > best
        best = columns[SCORE, i] if better else best
        chosen = i if better else chosen
    for i in range(start):
        better = columns[SCORE, i] > best
        best = columns[SCORE, i] if better else best
        chosen = i if better else chosen
    return chosen


@inlined
def write_amaf(depth: int, reference: int, tree: TreeArrays, path: Path) -> None:
    """Writes the all-moves-as-first statistics of the children of a node of the path.

    They are those of the nearest node above with at least ``reference`` visits at which the same
    player moves. Children are in the order of their actions.
    """
    nodes, columns, at = tree.nodes, tree.statistics, depth
    for level in range(depth, -1, -1):
        if path[PLAYER, level] == path[PLAYER, depth]:
            at = level
            if nodes[path[AT, level]]["visits"] >= reference:
                break
    begin, other = int(nodes[path[AT, depth]]["first"]), int(nodes[path[AT, at]]["first"])
    last = other + int(nodes[path[AT, at]]["width"])
    for i in range(int(nodes[path[AT, depth]]["width"])):
        action = nodes[begin + i]["action"]
        if at == depth:
            other = begin + i
        while other < last and nodes[other]["action"] < action:
            other += 1
        found = other < last and nodes[other]["action"] == action
        columns[AMAF_VISITS, i] = nodes[other]["amaf_visits"] if found else 0
        columns[AMAF_TOTAL, i] = nodes[other]["amaf_total"] if found else 0.0


@inlined
def select_puct(
    depth: int, low: float, state: int, settings: SearchSettings, tree: TreeArrays, path: Path
) -> int:
    """Returns the best child by ``puct``; the others as for ``select_child``.

    A child that was never tried counts with the mean of those that were.
    """
    nodes, node = tree.nodes, path[AT, depth]
    begin = int(nodes[node]["first"])
    end = begin + int(nodes[node]["width"])
    tried, total = 0, 0.0
    for child in range(begin, end):
        tried += nodes[child]["visits"]
        total += nodes[child]["total"]
    untried, exploration_term = total / max(tried, 1), settings.exploration * sqrt(1.0 + tried)
    best, chosen = -inf, begin
    for child in range(begin, end):
        if nodes[child]["upper"] > low:
            visits, value = nodes[child]["visits"], nodes[child]["total"]
            score = puct(visits, value, nodes[child]["prior"], exploration_term, untried)
            if score > best:
                best, chosen = score, child
    return chosen


@kernel
def least_visited(solver: bool, nodes: Nodes) -> int:
    """Returns the child of the root with the fewest visits, if possible one that is not proven."""
    begin = int(nodes[0]["first"])
    chosen, least = begin, -1
    for child in range(begin, begin + int(nodes[0]["width"])):
        visits = int(nodes[child]["visits"])
        proven = solver and nodes[child]["lower"] == nodes[child]["upper"]
        if not proven and (least < 0 or visits < least):
            chosen, least = child, visits
    return chosen


# ---- Gumbel AlphaZero

MAX_CONSIDERED = 16
"""Actions of the root that share the simulations, at most, as in mctx."""

VISIT_OFFSET, SCALE = 50.0, 0.25
"""c_visit of Danihelka et al.: by how much values count before there are visits; and c_scale, as
``AlphaZeroSettings`` has it."""


def sigma(value: float, most: int, scale: float) -> float:
    """Returns what a value adds to a logit, for a node whose most tried action has ``most`` visits.

    Equation 8 of I. Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022, of a
    value from 0 to 1.
    """
    return (VISIT_OFFSET + most) * scale * value


@inlined
def completed_value(node: int, nodes: Nodes) -> tuple[float, int, int]:
    """Returns (the value of children without visits, the visits of all, the most visits of one).

    The value mixes what the policy said of the node with the mean of the children with visits, by
    their priors: equation 33 of Danihelka et al.
    """
    begin, number, most, weight, weighted = int(nodes[node]["first"]), 0, 0, 0.0, 0.0
    for child in range(begin, begin + int(nodes[node]["width"])):
        visits = int(nodes[child]["visits"])
        number += visits
        most = max(most, visits)
        if visits > 0:
            weight += nodes[child]["prior"]
            weighted += nodes[child]["prior"] * nodes[child]["total"] / visits
    mean = weighted / weight if weight > 0.0 else 0.0
    return (nodes[node]["value"] + number * mean) / (1 + number), number, most


@inlined
def mean_value(child: int, otherwise: float, nodes: Nodes) -> float:
    """Returns the mean value of a child within its bounds, ``otherwise`` of one without visits."""
    visits = int(nodes[child]["visits"])
    value = nodes[child]["total"] / visits if visits > 0 else otherwise
    return float(min(max(value, nodes[child]["lower"]), nodes[child]["upper"]))


@inlined
@kernel
def write_scores(node: int, scale: float, tree: TreeArrays) -> int:
    """Writes log(prior) + sigma(value) of each child of ``node``; returns the sum of their visits.

    Their softmax is the improved policy: equation 11 of Danihelka et al.
    """
    nodes = tree.nodes
    completed, number, most = completed_value(node, nodes)
    begin = int(nodes[node]["first"])
    for i in range(int(nodes[node]["width"])):
        value = mean_value(begin + i, completed, nodes)
        logit = log(max(nodes[begin + i]["prior"], 1e-30))
        tree.statistics[SCORE, i] = logit + sigma(value, most, scale)
    return number


@inlined
def select_gumbel(
    depth: int, low: float, state: int, settings: SearchSettings, tree: TreeArrays, path: Path
) -> int:
    """Returns the child to try by Gumbel AlphaZero; the others as for ``select_child``."""
    if depth == 0:
        return select_in_turn(settings, tree)
    return select_improved(path[AT, depth], low, settings.value_scale, tree)


@inlined
def select_improved(node: int, low: float, scale: float, tree: TreeArrays) -> int:
    """Returns the child whose share of the visits is most below the improved policy.

    Of those whose value may be above ``low``: equation 14 of Danihelka et al.
    """
    number, nodes, scores = write_scores(node, scale, tree), tree.nodes, tree.statistics[SCORE]
    begin, width = int(nodes[node]["first"]), int(nodes[node]["width"])
    largest, total = -inf, 0.0
    for i in range(width):
        if nodes[begin + i]["upper"] > low:
            largest = max(largest, scores[i])
    for i in range(width):
        if nodes[begin + i]["upper"] > low:
            scores[i] = exp(scores[i] - largest)
            total += scores[i]
    best, chosen = -inf, begin
    for i in range(width):
        if nodes[begin + i]["upper"] > low:
            share = nodes[begin + i]["visits"] / (1.0 + number)
            if scores[i] / total - share > best:
                best, chosen = scores[i] / total - share, begin + i
    return chosen


@inlined
def select_in_turn(settings: SearchSettings, tree: TreeArrays) -> int:
    """Returns the child of the root, of those considered, with the fewest visits.

    Of several the one with the best score. Those that are proven are left out, if there are others.
    """
    write_scores(0, settings.value_scale, tree)
    nodes, begin = tree.nodes, int(tree.nodes[0]["first"])
    chosen, least, best = begin, -1, -inf
    for i in range(int(nodes[0]["width"])):
        child, score = begin + i, tree.statistics[SCORE, i] + tree.noise[i]
        visits = int(nodes[child]["visits"])
        proven = settings.solver and nodes[child]["lower"] == nodes[child]["upper"]
        fewer = least < 0 or visits < least or (visits == least and score > best)
        if tree.considered[i] and not proven and fewer:
            chosen, least, best = child, visits, score
    return chosen


@kernel
def next_round(settings: SearchSettings, tree: TreeArrays) -> int:
    """Returns how many simulations may be made at once, so that no action is tried twice in them.

    Where a phase begins, its actions are considered; where none of them may be the best any more,
    others are.
    """
    made, phase = int(tree.workspace[STAMP]), 1
    while phase < tree.phases.shape[0] - 1 and made >= tree.phases[phase, END]:
        phase += 1
    if made == tree.phases[phase - 1, END] or count_open(settings.solver, tree) == 0:
        consider(int(tree.phases[phase, LEFT]), settings, tree)
    number = count_open(settings.solver, tree)
    return max(min(number, int(tree.phases[phase, END]) - made), 1)


@kernel
def consider(number: int, settings: SearchSettings, tree: TreeArrays) -> None:
    """Considers the ``number`` best of the actions considered so far, if they are open."""
    among, begin = count_open(settings.solver, tree) > 0, int(tree.nodes[0]["first"])
    write_scores(0, settings.value_scale, tree)
    width, least, scores = int(tree.nodes[0]["width"]), safe_value(tree), tree.statistics[SCORE]
    for i in range(width):
        is_open = not settings.solver or tree.nodes[begin + i]["upper"] > least
        scores[i] = scores[i] + tree.noise[i] if is_open else -inf
        if among and not tree.considered[i]:
            scores[i] = -inf
    tree.considered[:] = False
    for _ in range(number):
        best, chosen = -inf, -1
        for i in range(width):
            if scores[i] > best:
                best, chosen = scores[i], i
        if chosen >= 0:
            tree.considered[chosen], scores[chosen] = True, -inf


def safe_value(tree: TreeArrays) -> float:
    """Returns the value that the player to move at the root has for sure."""
    begin, least = int(tree.nodes[0]["first"]), -inf
    for child in range(begin, begin + int(tree.nodes[0]["width"])):
        least = max(least, tree.nodes[child]["lower"])
    return least


def count_open(solver: bool, tree: TreeArrays) -> int:
    """Returns how many considered actions may be the best, and are not proven."""
    begin, least, number = int(tree.nodes[0]["first"]), safe_value(tree), 0
    for i in range(int(tree.nodes[0]["width"])):
        is_open = not solver or tree.nodes[begin + i]["upper"] > least
        number += int(tree.considered[i] and is_open)
    return number


def halving_phases(actions: int, simulations: int, made: int = 0) -> list[tuple[int, int]]:
    """Returns the rows of ``TreeArrays.phases`` of a search that begins after ``made`` simulations.

    Sequential halving (Z. Karnin, T. Koren and O. Somekh, ICML 2013): all ``actions`` equally
    often, then the better half, then a quarter, down to two, which get what is left.
    """
    found: list[tuple[int, int]] = []
    left, end = max(actions, 1), made + simulations
    phases = max(1, ceil(log2(left)))
    while made < end:
        made = min(made + max(1, simulations // (phases * left)) * left, end)
        found.append((left, made))
        left = max(min(2, max(actions, 1)), left // 2)
    return found
