"""Leaves whose values do not come from playouts: evaluations, policies, moves known to be proven.

A policy is a function in Python, such as a network, that values positions many at a time.
``select_leaves`` goes down the tree for a batch of them, the policy gives their priors and values,
and ``expand_and_backup`` puts these into the tree. A path that waits for its value counts as lost
until then (virtual loss), so that the next one of the batch goes another way.

Children are selected by PUCT or, by ``GumbelEvaluator``, as in Gumbel AlphaZero without its noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, tanh
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import kernel
from adv_envs.random import advanced
from agents.search.limits import STOP, Counts, prepared

from .nodes import (
    AT,
    MAX_DEPTH,
    PENDING,
    PLAYER,
    TERMINAL,
    Nodes,
    Path,
    SearchTree,
    expand,
    is_solved,
    update_bounds,
)
from .playouts import (
    RANDOM,
    STAMP,
    Played,
    Values,
    Workspace,
    next_by_chance,
    winning_move,
    winning_move_for,
)
from .selection import (
    EVENLY,
    EXPLORATION,
    MAX_CONSIDERED,
    SOLVER,
    VALUE_SCALE,
    Scores,
    Settings,
    halving_phases,
    least_visited,
    select_gumbel,
    select_in_turn,
    select_puct,
    write_scores,
)

Policy = Callable[[list[Any]], tuple[ArrayLike, ArrayLike]]
"""Positions to their priors (n, num_actions) and values (n,) or (n, num_players)."""

GUMBEL = False
"""Whether children are selected as in Gumbel AlphaZero, else by PUCT; bound by the evaluator."""

ProvenMoves = Callable[[Any], Mapping[int, float]]
"""A position to the exact values of some of its moves, for the player to move; often of none."""


def evaluate(position: Position) -> float:
    """Returns the evaluation of a leaf for the player to move; another is bound in its place."""
    return 0.0


@kernel
def evaluate_statically(
    position: Position, values: Values, played: Played, workspace: Workspace
) -> None:
    """Writes an evaluation in place of a playout, scaled between the worst and the best utility.

    Where chance is to move, it is that of a random one of the positions after it.
    """
    while position.to_move == CHANCE and not position.is_terminal():
        workspace[RANDOM] = advanced(int(workspace[RANDOM]))
        position = position.play(next_by_chance(position, int(workspace[RANDOM])))
    if position.is_terminal():
        for player in range(values.shape[0]):
            values[player] = position.utility(player)
        return
    value = position.max_utility * tanh(evaluate(position))
    values[position.to_move], values[1 - position.to_move] = value, -value


# ---- proven moves


def apply_proven_moves(
    tree: SearchTree, position: Position, depth: int, visits: int, proven_moves: ProvenMoves
) -> None:
    """Asks about the nodes of the last path, ``depth`` long, that were visited ``visits`` times.

    What is known becomes the bounds of their children, and is backed up to the root, ``position``.
    """
    nodes, path = tree.nodes, tree.path
    here, changed = [position], False
    for node in path[AT, 1 : depth + 1]:
        here.append(here[-1].play(int(nodes[node]["action"])))
    for level in range(depth, -1, -1):
        node = int(path[AT, level])
        if nodes[node]["lower"] == nodes[node]["upper"]:
            continue
        if nodes[node]["visits"] == visits and nodes[node]["width"] > 0:
            values = proven_moves(here[level])
            for child in tree.children(node) if values else ():
                value = values.get(int(child["action"]))
                if value is not None:
                    child["lower"] = child["upper"] = value
                    changed = True
        if changed:
            same = level == 0 or path[PLAYER, level - 1] == path[PLAYER, level]
            update_bounds.plain(node, bool(same), False, nodes)


# ---- a policy in batches


class PolicyEvaluator:
    """A search by PUCT whose leaves are valued by ``policy``, at most ``batch`` at a time."""

    gumbel: ClassVar[bool] = False

    def __init__(
        self, policy: Policy, batch: int, tree: SearchTree, settings: Settings, counts: Counts
    ) -> None:
        assert tree.position is not None
        position = tree.position
        self.policy, self.batch, self.tree = policy, batch, tree
        self.position: Position = position
        self.settings, self.counts = settings, counts
        self.paths = np.zeros((batch, 2, MAX_DEPTH), np.int64)
        self.depths = np.zeros(batch, np.int64)
        select = select_leaves.bind(GUMBEL=self.gumbel, winning_move=winning_move_for(position))
        backup = expand_and_backup.bind(GUMBEL=self.gumbel, PRIORS=True)
        none = np.zeros(position.num_actions)
        self.select = prepared(select, *self._selecting(0))
        self.backup = prepared(backup, *self._backing_up(position, 0, none))
        if tree.nodes[0]["visits"] == 0:
            self.paths[0, AT, 0] = 0
            priors, values = self.ask([position])
            self._write_values(position, values[0])
            self.backup(*self._backing_up(position, 0, priors[0]))

    def run(self, simulations: int) -> None:
        """Adds ``simulations``, fewer if the root gets proven or time is up."""
        until = self.tree.simulations + simulations
        while self.tree.simulations < until and not self.counts[STOP]:
            if self.settings[SOLVER] and self.tree.is_solved(bool(self.settings[EVENLY])):
                break
            found = self.select(*self._selecting(self._next_batch(until - self.tree.simulations)))
            leaves = [self._leaf(i) for i in range(found)]
            if leaves:
                priors, values = self.ask(leaves)
                for i, leaf in enumerate(leaves):
                    self._write_values(leaf, values[i])
                    self.backup(*self._backing_up(leaf, i, priors[i]))

    def _next_batch(self, left: int) -> int:
        """Returns how many of the simulations that are ``left`` are made at once."""
        return min(left, self.batch)

    def ask(self, positions: list[Position]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
        return np.ascontiguousarray(priors), np.clip(values, -start.max_utility, start.max_utility)

    def _leaf(self, i: int) -> Position:
        """Returns the position at the end of path ``i``."""
        position = self.position
        for node in self.paths[i, AT, 1 : int(self.depths[i]) + 1]:
            position = position.play(int(self.tree.nodes[node]["action"]))
        return position

    def _write_values(self, leaf: Position, value: Any) -> None:
        """Writes the value of ``leaf`` for each player where the kernels look for it."""
        values = self.tree.values
        if np.ndim(value):
            values[:] = value
        else:
            values[leaf.to_move], values[1 - leaf.to_move] = value, -value

    def _selecting(self, batch: int) -> tuple[Any, ...]:
        """Returns the arguments of ``select_leaves``."""
        tree = self.tree
        arrays = tree.nodes, self.paths, self.depths, tree.values, tree.workspace, self.counts
        at_root = tree.considered, tree.scores
        return self.position, batch, self.settings, *arrays, *at_root

    def _backing_up(self, leaf: Position, i: int, priors: NDArray[np.float64]) -> tuple[Any, ...]:
        """Returns the arguments of ``expand_and_backup``."""
        tree, solver = self.tree, bool(self.settings[SOLVER])
        arrays = tree.nodes, self.paths[i], tree.values, tree.workspace
        return leaf, int(self.depths[i]), priors, solver, *arrays


class GumbelEvaluator(PolicyEvaluator):
    """The same, but the actions of the root share ``simulations`` by sequential halving.

    The considered actions are tried equally often; then the better half of them is, and so on.
    Below the root visits follow the improved policy. Without noise: I. Danihelka et al., Policy
    improvement by planning with Gumbel, ICLR 2022. The tree, which is new, gets ``considered`` and
    ``scores``.
    """

    gumbel = True

    def __init__(self, simulations: int, *arguments: Any) -> None:
        super().__init__(*arguments)
        tree, actions = self.tree, len(self.tree.children())
        self.score = prepared(write_scores, *self._scoring())
        self.phases = halving_phases(min(actions, simulations, MAX_CONSIDERED), simulations)
        self.phase, self.phase_end = -1, tree.simulations
        tree.considered[:] = True

    def run(self, simulations: int) -> None:
        """Adds ``simulations``; the scores of the root are those after them."""
        super().run(simulations)
        self.score(*self._scoring())

    def _next_batch(self, left: int) -> int:
        """Returns how many simulations are made at once: no action is tried twice among them."""
        if self.settings[EVENLY]:
            return super()._next_batch(left)
        while self.tree.simulations >= self.phase_end and self.phase + 1 < len(self.phases):
            self.phase += 1
            number, simulations = self.phases[self.phase]
            self.phase_end += simulations
            self._consider(number)
        if not (self.tree.considered & self._is_open()).any():
            self._consider(self.phases[self.phase][0])
        number = int(np.count_nonzero(self.tree.considered & self._is_open()))
        rest = self.phase_end - self.tree.simulations
        return max(min(left, rest, self.batch, number), 1)

    def _consider(self, number: int) -> None:
        """Considers the ``number`` best of the actions considered so far, if they are open."""
        tree, is_open = self.tree, self._is_open()
        among = tree.considered & is_open
        self.score(*self._scoring())
        scores = np.where(among if among.any() else is_open, tree.scores, -inf)
        tree.considered[:] = False
        tree.considered[np.argsort(-scores, kind="stable")[:number]] = True
        tree.considered &= scores > -inf

    def _is_open(self) -> NDArray[np.bool_]:
        """Returns which children may be the best, and are not proven: (num_actions,)."""
        children, found = self.tree.children(), np.zeros_like(self.tree.considered)
        proves = bool(self.settings[SOLVER])
        found[: len(children)] = (children["upper"] > children["lower"].max()) | (not proves)
        return found

    def _scoring(self) -> tuple[Any, ...]:
        """Returns the arguments of ``write_scores`` for the root."""
        return 0, float(self.settings[VALUE_SCALE]), self.tree.nodes, self.tree.scores


@kernel
def select_leaves(
    position: Position,
    batch: int,
    settings: Settings,
    nodes: Nodes,
    paths: NDArray[np.int64],
    depths: NDArray[np.int64],
    values: Values,
    workspace: Workspace,
    counts: Counts,
    considered: NDArray[np.bool_],
    scores: Scores,
) -> int:
    """Returns how many leaves, at most ``batch``, wait for their values; ``paths`` leads there.

    ``paths`` (batch, 2, MAX_DEPTH) and ``depths`` (batch,) are written to. Simulations that end
    where the value is known are backed up at once. The root has children, with priors; those
    ``considered`` (num_actions,), by their number, are tried in Gumbel AlphaZero. ``scores`` is
    written to.
    """
    solver, found, tries = settings[SOLVER] != 0, 0, 0
    evenly = settings[EVENLY] != 0
    while found < batch and tries < batch and counts[STOP] == 0:
        if solver and is_solved(evenly, nodes):
            break
        tries += 1
        path, node, depth, here = paths[found], 0, 0, position
        path[AT, 0] = 0
        while nodes[node]["width"] > 0 and depth < paths.shape[2] - 1:
            to_move = here.to_move
            same = to_move == (path[PLAYER, depth - 1] if depth > 0 else to_move)
            low = -inf
            if solver:
                low = nodes[node]["lower"] if same else -nodes[node]["upper"]
            path[PLAYER, depth] = to_move
            node = select_child(node, low, settings, considered, nodes, scores)
            here = here.play(int(nodes[node]["action"]))
            depth += 1
            path[AT, depth] = node
            if solver and nodes[node]["lower"] == nodes[node]["upper"]:
                break
        if nodes[node]["width"] == PENDING:
            break  # nowhere else to go: wait for it
        depths[found] = depth
        proven, known = evaluate_terminals(here, depth, solver, nodes, path, values, workspace)
        if known:
            workspace[STAMP] += 1
            back_up(depth, proven, solver, 0.0, nodes, path, values)
        else:
            nodes[node]["width"] = PENDING
            for level in range(depth + 1):
                nodes[path[AT, level]]["visits"] += 1
                nodes[path[AT, level]]["total"] -= here.max_utility
            found += 1
    return found


@kernel
def select_child(
    node: int,
    low: float,
    settings: Settings,
    considered: NDArray[np.bool_],
    nodes: Nodes,
    scores: Scores,
) -> int:
    """Returns the child to go to from ``node``, of those whose value may be above ``low``."""
    solver, scale = settings[SOLVER] != 0, settings[VALUE_SCALE]
    if node == 0 and settings[EVENLY] != 0:
        return int(least_visited(solver, nodes))
    if not GUMBEL:
        return int(select_puct(node, low, settings[EXPLORATION], nodes))
    if node == 0:
        return int(select_in_turn(solver, scale, considered, nodes, scores))
    return int(select_gumbel(node, low, scale, nodes, scores))


@kernel
def evaluate_terminals(
    here: Position,
    depth: int,
    solver: bool,
    nodes: Nodes,
    path: Path,
    values: Values,
    workspace: Workspace,
) -> tuple[bool, bool]:
    """Writes the value of a leaf for each player into ``values``, if it is known without a policy.

    That is where the game is over, where a move wins at once, and where it is proven. Returns (was
    it proven just now, is it known).
    """
    node, player, players = path[AT, depth], path[PLAYER, depth - 1], values.shape[0]
    if solver and nodes[node]["lower"] == nodes[node]["upper"]:
        values[player] = nodes[node]["lower"]
        values[1 - player] = -nodes[node]["lower"]
        return False, True
    if nodes[node]["width"] == TERMINAL or (nodes[node]["visits"] == 0 and here.is_terminal()):
        for each in range(players):
            values[each] = here.utility(each)
        nodes[node]["width"] = TERMINAL
        nodes[node]["lower"] = nodes[node]["upper"] = values[player]
        return True, True
    unseen = nodes[node]["visits"] == 0 or not solver  # what is not noted is asked again
    if players == 2 and unseen and winning_move(here, workspace) >= 0:
        values[here.to_move] = here.max_utility
        values[1 - here.to_move] = -here.max_utility
        if solver:
            nodes[node]["lower"] = nodes[node]["upper"] = values[player]
        return solver, True
    return False, False


@kernel
def expand_and_backup(
    leaf: Position,
    depth: int,
    priors: NDArray[np.float64],
    solver: bool,
    nodes: Nodes,
    path: Path,
    values: Values,
    workspace: Workspace,
) -> None:
    """Gives the position ``leaf`` its children with their ``priors`` (num_actions,), backs up.

    ``values`` has its value for each player. Priors are scaled to sum up to 1 over the legal
    actions.
    """
    node = path[AT, depth]
    if GUMBEL:
        nodes[node]["value"] = values[leaf.to_move]
    if depth > 0:
        nodes[node]["width"] = 0
        if depth < path.shape[1] - 1:
            expand(leaf, node, nodes, workspace)
    begin = int(nodes[node]["first"])
    end = begin + int(nodes[node]["width"])
    total = 0.0
    for child in range(begin, end):
        total += priors[nodes[child]["action"]]
    for child in range(begin, end):
        prior = priors[nodes[child]["action"]]
        nodes[child]["prior"] = prior / total if total > 0.0 else 1.0 / (end - begin)
    if depth > 0:
        workspace[STAMP] += 1
        back_up(depth, False, solver, 1.0 * leaf.max_utility, nodes, path, values)


@kernel
def back_up(
    depth: int,
    proven: bool,
    solver: bool,
    virtual: float,
    nodes: Nodes,
    path: Path,
    values: Values,
) -> None:
    """Counts the simulation in every node of the path, or make good its ``virtual`` loss."""
    for level in range(depth, -1, -1):
        node = path[AT, level]
        player = path[PLAYER, level - 1] if level > 0 else path[PLAYER, 0]
        if solver and proven and level < depth:
            proven = update_bounds(node, path[PLAYER, level] == player, False, nodes)
        value = values[player]
        if solver:
            value = min(max(value, nodes[node]["lower"]), nodes[node]["upper"])
            values[player] = value
            values[1 - player] = -value
        nodes[node]["visits"] += 0 if virtual > 0.0 else 1
        nodes[node]["total"] += value + virtual
