"""Searches whose leaves a policy values: a function in Python, such as a network, of many at once.

``select_leaves`` goes down the trees of one or many games to positions that wait for their values,
the policy gives them priors and values, and ``expand_leaves`` puts these into the trees. A path
that waits counts as lost until then (virtual loss), so that the next one of its tree goes another
way. Children are selected by PUCT or, where GUMBEL is bound, as in Gumbel AlphaZero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack_row, unpack, unpack_row
from adv_envs.jit import Kernel, inlined, kernel
from agents.search.limits import STOP, UNLIMITED, Counts, prepared

from .nodes import (
    AT,
    END,
    MAX_DEPTH,
    PENDING,
    Nodes,
    SearchTree,
    Simulation,
    TreeArrays,
    expand,
    is_solved,
)
from .playouts import STAMP, winning_move_for
from .selection import (
    MAX_CONSIDERED,
    SearchSettings,
    halving_phases,
    next_round,
    select_gumbel,
    select_puct,
    write_scores,
)
from .simulation import back_up, evaluate_known, select

Policy = Callable[[list[Any]], tuple[ArrayLike, ArrayLike]]
"""Positions to their priors (n, num_actions) and values (n,) or (n, num_players)."""

GUMBEL = False
"""Whether the nodes of the tree have values, and its root phases; bound by ``bound_for``."""


class Leaves(NamedTuple):
    """Holds positions that wait for a policy, at most n, and what it says of them."""

    games: NDArray[np.int64]
    """(n,): to which tree each belongs."""
    paths: NDArray[np.int64]
    """(n, 2, depth + 1): the way there, as in ``Simulation``."""
    depths: NDArray[np.int64]
    """(n,): its length."""
    words: NDArray[np.int64]
    """(n, num_words): the positions, as ``adv_envs.bits.pack`` writes them."""
    priors: NDArray[np.float64]
    """(n, num_actions): not negative, of any sum; only those of legal actions count."""
    values: NDArray[np.float64]
    """(n, num_players)."""


def new_leaves(position: Position, number: int, depth: int) -> Leaves:
    """Returns room for ``number`` leaves, at most ``depth`` plies below the roots."""
    return Leaves(
        games=np.zeros(number, np.int64),
        paths=np.zeros((number, 2, depth + 1), np.int64),
        depths=np.zeros(number, np.int64),
        words=np.zeros((number, num_words(position)), np.int64),
        priors=np.zeros((number, position.num_actions)),
        values=np.zeros((number, position.num_players)),
    )


def bound_for(position: Position, gumbel: bool) -> tuple[Kernel[..., int], Kernel[..., None]]:
    """Returns ``select_leaves`` and ``expand_leaves`` for the game of ``position``."""
    facts = {
        "GUMBEL": gumbel,
        "select_child": select_gumbel if gumbel else select_puct,
        "winning_move": winning_move_for(position),
    }
    return select_leaves.bind(**facts), expand_leaves.bind(GUMBEL=gumbel)


@kernel
def select_leaves(
    start: Position,
    batch: int,
    settings: SearchSettings,
    trees: TreeArrays,
    leaves: Leaves,
    counts: Counts,
) -> int:
    """Makes up to ``batch`` simulations in each of ``trees``; returns how many leaves wait.

    Simulations that end where the value is known are backed up at once. The roots have children,
    with priors. ``leaves`` is written to, but for priors and values.
    """
    found = 0
    for game in range(trees.nodes.shape[0]):
        tree = tree_of(trees, game)
        left = min(batch, int(tree.phases[tree.phases.shape[0] - 1, END] - tree.workspace[STAMP]))
        if GUMBEL and left > 0 and not settings.evenly:
            left = min(left, next_round(settings, tree))
        position = unpack_row(start, trees.root, game)
        while left > 0 and counts[STOP] == 0:
            if settings.solver and is_solved(settings.evenly, tree.nodes):
                break
            left -= 1
            simulation = Simulation(leaves.paths[found], leaves.values[found])
            leaf, depth = select(position, settings, tree, simulation.path)
            if tree.nodes[simulation.path[AT, depth]]["width"] == PENDING:
                break  # nowhere else to go: wait for it
            again = not settings.solver  # what is not noted is asked again
            proven, known = evaluate_known(leaf, depth, again, settings, tree, simulation)
            if known:
                tree.workspace[STAMP] += 1
                back_up(depth, proven, 0.0, settings, tree, simulation)
            else:
                lose_for_now(depth, 1.0 * leaf.max_utility, simulation.path, tree.nodes)
                leaves.games[found], leaves.depths[found] = game, depth
                pack_row(leaf, leaves.words, found)
                found += 1
    return found


def tree_of(trees: TreeArrays, game: int) -> TreeArrays:
    """Returns the tree of one game."""
    return TreeArrays(
        trees.nodes[game],
        trees.root[game],
        trees.workspace[game],
        trees.played[game],
        trees.statistics[game],
        trees.considered[game],
        trees.noise[game],
        trees.phases[game],
        trees.logs,
    )


@inlined
def lose_for_now(depth: int, loss: float, path: NDArray[np.int64], nodes: Nodes) -> None:
    """Counts a virtual loss in every node of a path, whose leaf waits from now on."""
    nodes[path[AT, depth]]["width"] = PENDING
    for level in range(depth + 1):
        nodes[path[AT, level]]["visits"] += 1
        nodes[path[AT, level]]["total"] -= loss


@kernel
def expand_leaves(
    start: Position, number: int, settings: SearchSettings, trees: TreeArrays, leaves: Leaves
) -> None:
    """Gives the first ``number`` of ``leaves`` children with their priors, and backs values up.

    At depth 0, at a root, it only expands, if there are no children yet.
    """
    for i in range(number):
        tree, leaf = tree_of(trees, leaves.games[i]), unpack_row(start, leaves.words, i)
        simulation, depth = Simulation(leaves.paths[i], leaves.values[i]), leaves.depths[i]
        node, nodes = simulation.path[AT, depth], tree.nodes
        if GUMBEL:
            nodes[node]["value"] = leaves.values[i, leaf.to_move]
        if nodes[node]["width"] == PENDING:
            nodes[node]["width"] = 0
            if depth < simulation.path.shape[1] - 1:
                expand(leaf, node, nodes, tree.workspace)
        write_priors(node, leaves.priors[i], nodes)
        if depth > 0:
            tree.workspace[STAMP] += 1
            back_up(depth, False, 1.0 * leaf.max_utility, settings, tree, simulation)


@inlined
def write_priors(node: int, priors: NDArray[np.float64], nodes: Nodes) -> None:
    """Gives the children of a node their ``priors`` (num_actions,), scaled to add up to 1."""
    begin, total = int(nodes[node]["first"]), 0.0
    end = begin + int(nodes[node]["width"])
    for child in range(begin, end):
        total += priors[nodes[child]["action"]]
    for child in range(begin, end):
        prior = priors[nodes[child]["action"]]
        nodes[child]["prior"] = prior / total if total > 0.0 else 1.0 / (end - begin)


class PolicySearch:
    """Searches from the root of ``tree``, asking ``policy`` for ``batch`` leaves at once.

    By PUCT or, with a number of simulations ``gumbel``, as in Gumbel AlphaZero without its noise
    (I. Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022): the considered
    actions of the root are tried equally often; then the better half of them is, and so on; below
    the root visits follow the improved policy. ``tree.scores`` and ``tree.considered`` say how the
    root was left. ``settings`` are for a tree that is new in this case.
    """

    def __init__(
        self,
        policy: Policy,
        batch: int,
        tree: SearchTree,
        settings: SearchSettings,
        counts: Counts,
        gumbel: int | None = None,
    ) -> None:
        assert tree.position is not None
        self.position: Position = tree.position
        self.policy, self.batch, self.tree, self.gumbel = policy, batch, tree, gumbel is not None
        self.settings, self.counts = settings, counts
        made, phases = tree.simulations, [(0, UNLIMITED)]
        if gumbel is not None:
            actions = min(len(tree.children()), gumbel, MAX_CONSIDERED)
            phases = halving_phases(actions, gumbel, made)
            tree.arrays.considered[:] = True
        arrays = tree.arrays._replace(phases=np.array([(0, made), *phases]))
        views = {name: part[None] for name, part in arrays._asdict().items() if name != "logs"}
        self.trees = arrays._replace(**views)
        self.leaves = new_leaves(self.position, batch, MAX_DEPTH - 1)
        select, expand = bound_for(self.position, self.gumbel)
        shared = self.settings, self.trees, self.leaves
        self.select = prepared(select, self.position, 0, *shared, self.counts)
        self.expand = prepared(expand, self.position, 0, *shared)
        if self.gumbel:
            self.score = prepared(write_scores, 0, settings.value_scale, arrays)
        if tree.nodes[0]["visits"] == 0:
            self.leaves.words[0] = arrays.root
            self._ask([self.position])

    def run(self, simulations: int) -> None:
        """Adds ``simulations``, fewer if the root gets proven or time is up."""
        tree, settings = self.tree, self.settings
        until = tree.simulations + simulations
        while tree.simulations < until and not self.counts[STOP]:
            if settings.solver and tree.is_solved(settings.evenly):
                break
            most = min(until - tree.simulations, self.batch)
            found = self.select(self.position, most, settings, self.trees, self.leaves, self.counts)
            if found:
                self._ask([unpack(self.position, row) for row in self.leaves.words[:found]])
        if self.gumbel:
            self.score(0, settings.value_scale, tree.arrays)

    def _ask(self, positions: list[Any]) -> None:
        number = len(positions)
        self.leaves.priors[:number], values = self.answers(positions)
        if values.ndim == 1:
            for row, position, value in zip(self.leaves.values, positions, values, strict=False):
                row[position.to_move], row[1 - position.to_move] = value, -value
        else:
            self.leaves.values[:number] = values
        self.expand(self.position, number, self.settings, self.trees, self.leaves)

    def answers(self, positions: list[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns priors and values of ``positions``; ValueError if the policy gives others."""
        number, start = len(positions), self.position
        given_priors, given_values = self.policy(positions)
        priors, values = np.asarray(given_priors, np.float64), np.asarray(given_values, np.float64)
        if priors.shape != (number, start.num_actions):
            raise ValueError(
                f"policy must give priors of shape {(number, start.num_actions)} for {number} "
                f"positions, not {priors.shape}"
            )
        wanted = [(number, start.num_players)] + [(number,)] * (start.num_players == 2)
        if values.shape not in wanted:
            raise ValueError(f"policy must give values of shape {wanted[-1]}, not {values.shape}")
        if not (np.isfinite(priors).all() and np.isfinite(values).all() and (priors >= 0).all()):
            raise ValueError("policy must give finite values, and priors that are not negative")
        return priors, np.clip(values, -start.max_utility, start.max_utility)
