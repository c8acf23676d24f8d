"""Holds the tree: an array of records, one for each node; a node's children lie side by side.

The value of a node is kept for the player who chose to go there, the one to move at its parent
(player 0 where chance went there; at the root, the player to move). So a parent compares its
children as they are, no matter who moves next, and games for many players need no vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words, pack
from adv_envs.jit import kernel
from adv_envs.position import checked
from adv_envs.random import scattered

from .playouts import AMAF, DEEPEST, RANDOM, SCRATCH, STAMP, USED, Played, Values, Workspace

MAX_DEPTH = 512
"""Leaves lie at most this deep."""

LOOK_DOWN, LOOK_AT = 6, 4096
"""How many moves ahead, and at how many positions, ``find_node`` looks."""

CHANCES = False
"""Whether the game has chance; bound by the agent."""

TERMINAL, PENDING = -1, -2
"""The ``width`` of a node where the game is over, and of a leaf whose evaluation is awaited."""

Nodes = NDArray[np.void]
"""The nodes of a tree, records of shape (capacity,); node 0 is the root."""

ProvenMoves = Callable[[Any], Mapping[int, float]]
"""A position to the exact values of some of its moves, for the player to move; often of none."""

SERIES = 18
"""How many terms of a series ``log_step`` adds: enough for every digit of a float."""


def log_step(number: Any) -> Any:
    """Returns log(number + 1) - log(number); of float64 arrays, too.

    It only adds, multiplies and divides, so that it is the same to the last bit everywhere, which
    libraries of mathematics are not. It is 2 artanh(1 / (2 number + 1)), by its series.
    """
    x, terms = 1.0 / (2.0 * number + 1.0), 0.0
    for k in range(SERIES, 0, -1):
        terms = terms * (x * x) + 1.0 / (2 * k - 1)
    return 2.0 * x * terms


LOGS: NDArray[np.float64] = np.cumsum(np.append(0.0, log_step(np.arange(1.0, 4096.0))))
"""``TreeArrays.logs``, which all trees share."""

NODE = np.dtype(
    [
        ("visits", np.int32),
        ("first", np.int32),
        ("width", np.int32),
        ("action", np.int32),
        ("total", np.float64),
        ("lower", np.float64),
        ("upper", np.float64),
    ]
)
"""What is known of a node, in 40 bytes, so that its children take few cache lines:

- ``visits``: how many simulations came here;
- ``first``: the index of its first child; the others follow in the order of their actions;
- ``width``: how many children there are; 0 for a leaf, else TERMINAL or PENDING;
- ``action``: the action that leads here from the parent;
- ``total``: the sum of the values of all visits;
- ``lower``, ``upper``: bounds of the value with best play (Cazenave and Saffidine, Score Bounded
  Monte Carlo Tree Search, 2010). Where they meet, the node is proven, be it won, lost, drawn or of
  any other utility. MCTS-Solver (Winands et al., 2008) is the case of wins and losses.
"""

NODE_PRIOR = np.dtype([*NODE.descr, ("prior", np.float64)])
"""Also ``prior``: the probability of the action, by chance or by a policy."""

NODE_POLICY = np.dtype([*NODE_PRIOR.descr, ("value", np.float64)])
"""Also ``value``: what a policy says of the position, for its player to move; once it was asked."""

NODE_AMAF = np.dtype([*NODE_PRIOR.descr, ("amaf_total", np.float64), ("amaf_visits", np.int64)])
"""Also all-moves-as-first statistics: how often the action was played at once or later in a
simulation that came to the parent, and the sum of the values of those simulations."""

SCORE, VISITS, TOTAL, AMAF_VISITS, AMAF_TOTAL = range(5)
"""The rows of ``TreeArrays.statistics``."""

LEFT, END = range(2)
"""The columns of ``TreeArrays.phases``: how many actions are considered in a phase, and the number
of simulations after which it ends."""

AT, PLAYER = range(2)
"""The rows of ``Simulation.path``."""


class TreeArrays(NamedTuple):
    """Holds a search tree, or those of many games, as first axis of all but ``logs``.

    The children of the root have numbers in the order of their actions, beginning with 0.
    """

    nodes: Nodes
    """(capacity,): records of one of the types above; node 0 is the root."""
    root: NDArray[np.int64]
    """(num_words,): the position of the root, as ``adv_envs.bits.pack`` writes it."""
    workspace: Workspace
    """(SCRATCH + n,): the counters of ``agents.mcts.playouts``, and room for playouts."""
    played: Played
    """(num_players, num_actions): the last simulation in which a player made a move."""
    statistics: NDArray[np.float64]
    """(5, num_actions): columns in which the children of a node are scored, the row SCORE last."""
    considered: NDArray[np.bool_]
    """(num_actions,): the children of the root that Gumbel AlphaZero considers, by number."""
    noise: NDArray[np.float64]
    """(num_actions,): its noise, which is added to their scores."""
    phases: NDArray[np.int64]
    """(phases + 1, 2): its phases, the columns LEFT and END; the first row is before the first
    phase, the last END is that of the search, of PUCT as well."""
    logs: NDArray[np.float64]
    """(4096,): the logarithms of 1, 2, ...: most nodes have few visits, and ``log`` takes time."""


class Simulation(NamedTuple):
    """Holds the way of one simulation down a tree, and the value of where it led."""

    path: NDArray[np.int64]
    """(2, MAX_DEPTH): row AT has the nodes from the root down, row PLAYER who moves at each."""
    values: Values
    """(num_players,): for each player."""


def new_tree(
    position: Position, capacity: int, dtype: np.dtype[Any], seed: int, games: tuple[int, ...] = ()
) -> TreeArrays:
    """Returns an empty tree of at most ``capacity`` nodes, or one for each of ``games`` (n,)."""
    players, actions, words = position.num_players, position.num_actions, num_words(position)
    workspace = np.zeros((*games, SCRATCH + 4 * (actions + words) + 256), np.int64)
    workspace[..., RANDOM] = scattered(seed)
    return TreeArrays(
        nodes=np.empty((*games, capacity), dtype),
        root=np.zeros((*games, words), np.int64),
        workspace=workspace,
        played=np.zeros((*games, players, actions), np.int64),
        statistics=np.zeros((*games, 5, actions)),
        considered=np.ones((*games, actions), np.bool_),
        noise=np.zeros((*games, actions)),
        phases=np.zeros((*games, 2, 2), np.int64),
        logs=LOGS,
    )


def prior(position: Position, action: int) -> float:
    """Returns the probability of ``action`` at a chance node; bound where there is chance."""
    return 1.0


# ---- kernels over nodes


@kernel
def clear(node: int, bound: float, action: int, nodes: Nodes) -> None:
    """Makes ``node`` a leaf: all that is known of it is that its value is at most ``bound``."""
    nodes[node]["visits"] = nodes[node]["first"] = nodes[node]["width"] = 0
    nodes[node]["total"] = 0.0
    nodes[node]["lower"], nodes[node]["upper"] = -bound, bound
    nodes[node]["action"] = action
    if AMAF:
        nodes[node]["amaf_visits"] = 0
        nodes[node]["amaf_total"] = 0.0


@kernel
def expand(position: Position, node: int, nodes: Nodes, workspace: Workspace) -> None:
    """Gives a leaf a child for every legal action, in increasing order, if there is room."""
    begin = workspace[USED]
    if begin + position.num_actions > nodes.shape[0]:
        return
    end, bound, listed = begin, 1.0 * position.max_utility, position.lists_legal
    number = position.write_legal(workspace[SCRATCH:]) if listed else position.num_actions
    for i in range(number):
        action = int(workspace[SCRATCH + i]) if listed else i
        if listed or position.legal(action):
            clear(end, bound, action, nodes)
            if CHANCES:
                nodes[end]["prior"] = prior(position, action)
            end += 1
    nodes[node]["first"], nodes[node]["width"] = begin, end - begin
    workspace[USED] = end


@kernel
def update_bounds(node: int, same: bool, chance: bool, nodes: Nodes) -> bool:
    """Sets the bounds of ``node`` by those of its children; returns whether they changed.

    ``same``: the player to move at ``node`` is the one who chose it, else it is the one opponent.
    At a ``chance`` node the expectation counts, which is kept for player 0.
    """
    begin = int(nodes[node]["first"])
    end = begin + int(nodes[node]["width"])
    low, high = nodes[begin]["lower"], nodes[begin]["upper"]
    if CHANCES and chance:
        low = high = 0.0
        for child in range(begin, end):
            low += nodes[child]["prior"] * nodes[child]["lower"]
            high += nodes[child]["prior"] * nodes[child]["upper"]
    else:
        for child in range(begin + 1, end):
            low = max(low, nodes[child]["lower"])
            high = max(high, nodes[child]["upper"])
    if not same:
        low, high = 0.0 - high, 0.0 - low
    changed = low > nodes[node]["lower"] or high < nodes[node]["upper"]
    nodes[node]["lower"], nodes[node]["upper"] = low, high
    return bool(changed)


@kernel
def is_solved(evenly: bool, nodes: Nodes) -> bool:
    """Returns whether the root is proven or, with ``evenly``, each of its children."""
    if not evenly:
        return bool(nodes[0]["lower"] == nodes[0]["upper"])
    begin = int(nodes[0]["first"])
    for child in range(begin, begin + int(nodes[0]["width"])):
        if nodes[child]["lower"] != nodes[child]["upper"]:
            return False
    return True


@kernel
def copy_subtree(node: int, old: Nodes, new: Nodes, workspace: Workspace) -> None:
    """Copies what lies below ``node``, which has children, into ``new``, where it is the root."""
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
    workspace[USED] = used
    workspace[DEEPEST] = 0
    # as seen by the player who moves now, not by the one who moved before
    new[0]["visits"], new[0]["total"] = 0, 0.0
    new[0]["lower"], new[0]["upper"] = new[1]["lower"], new[1]["upper"]
    for child in range(1, 1 + new[0]["width"]):
        new[0]["visits"] += new[child]["visits"]
        new[0]["total"] += new[child]["total"]
        new[0]["lower"] = max(new[0]["lower"], new[child]["lower"])
        new[0]["upper"] = max(new[0]["upper"], new[child]["upper"])


# ---- what a tree has found


class Known(NamedTuple):
    """Holds what is known of some nodes that lie side by side: the fields of their records."""

    visits: Any
    total: Any
    lower: Any
    upper: Any


def known_of(nodes: Nodes) -> Known:
    """Returns the same of all nodes, as lists, which plain Python is fast with."""
    return Known(*(nodes[name].tolist() for name in Known._fields))


def mean_within(visits: int, total: float, lower: float, upper: float) -> float:
    """Returns the mean value of a node within its bounds; 0 counts for one never visited."""
    return min(max(total / max(visits, 1), lower), upper)


def best_child(children: Known, wanted: Any) -> int:
    """Returns the index of the child to choose: wanted most, unless another is sure to be better.

    ``wanted`` is a number for each child, such as its visits. Children that are known to be worse
    than another are left out, and those that are lost if others may not be.
    """
    visits, total, lower, upper = children
    number, safe, least, lost = len(visits), -inf, inf, True
    for i in range(number):
        safe, least = max(safe, lower[i]), min(least, lower[i])
    for i in range(number):
        lost = lost and upper[i] <= least
    chosen, most = 0, -inf
    for i in range(number):
        if upper[i] >= safe and (lost or upper[i] > least) and wanted[i] > most:
            chosen, most = i, wanted[i]
    mean = mean_within(visits[chosen], total[chosen], lower[chosen], upper[chosen])
    if lower[chosen] < safe and mean <= safe:
        chosen, most = 0, -inf
        for i in range(number):
            if lower[i] == safe and visits[i] > most:
                chosen, most = i, visits[i]
    return chosen


def value_chosen(chosen: int, children: Known) -> tuple[float, bool]:
    """Returns (the value of a position whose best child is ``chosen``, whether it is proven)."""
    visits, total, lower, upper = children
    low, high = -inf, -inf
    for i in range(len(visits)):
        low, high = max(low, lower[i]), max(high, upper[i])
    if low == high:
        return low + 0.0, True
    mean = mean_within(visits[chosen], total[chosen], lower[chosen], upper[chosen])
    return mean + 0.0, False


@kernel
def plant(position: Position, nodes: Nodes, workspace: Workspace) -> None:
    """Begins a tree: the root and its children. A move that wins at once is proven to do so."""
    most = 1.0 * position.max_utility
    clear(0, most, 0, nodes)
    workspace[USED], workspace[DEEPEST] = 1, 0
    expand(position, 0, nodes, workspace)
    for child in range(1, 1 + int(nodes[0]["width"])):
        after = position.play(int(nodes[child]["action"]))
        if after.is_terminal() and after.utility(position.to_move) >= most:
            nodes[0]["lower"] = nodes[child]["lower"] = most
            break


def write_line(chosen: int, nodes: Nodes, line: NDArray[np.int64]) -> int:
    """Writes what was played most from the root down, from its child ``chosen`` on, into ``line``.

    Returns how many moves they are, at most as ``line`` is long.
    """
    number, node = 0, int(nodes[0]["first"]) + chosen
    while number < line.shape[0]:
        line[number] = nodes[node]["action"]
        number += 1
        first, width = int(nodes[node]["first"]), int(nodes[node]["width"])
        if width <= 0:
            break
        end = first + width
        children = Known(
            nodes["visits"][first:end],
            nodes["total"][first:end],
            nodes["lower"][first:end],
            nodes["upper"][first:end],
        )
        node = first + best_child(children, children.visits)
        if nodes[node]["visits"] == 0:
            break
    return number


# ---- a tree that is kept from move to move


class SearchTree:
    """Returns a tree of at most ``capacity`` nodes of kind ``dtype``, and its workspace.

    It is kept from move to move; ``position`` is that of the root.
    """

    def __init__(self, position: Position, capacity: int, dtype: np.dtype[Any], seed: int) -> None:
        position = checked(position)
        self.position: Position | None = None
        self.arrays = new_tree(position, capacity, dtype, seed)
        self.spare: Nodes | None = None
        self.simulation = Simulation(
            np.zeros((2, MAX_DEPTH), np.int64), np.zeros(position.num_players)
        )

    def __getstate__(self) -> dict[str, Any]:
        """Returns everything, but only the nodes in use: a copy goes on as the original does."""
        used = self.arrays._replace(nodes=self.nodes[: self.size].copy())
        return self.__dict__ | {"arrays": used, "capacity": len(self.nodes), "spare": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        used = self.nodes
        nodes = np.empty(self.__dict__.pop("capacity"), used.dtype)
        nodes[: len(used)] = used
        self.arrays = self.arrays._replace(nodes=nodes)

    @property
    def nodes(self) -> Nodes:
        """Returns the nodes; the first ``size`` are in use."""
        return self.arrays.nodes

    @property
    def scores(self) -> NDArray[np.float64]:
        """Returns what the root's children are chosen by, (children,), after Gumbel AlphaZero."""
        return self.arrays.statistics[SCORE, : len(self.children())]

    @property
    def considered(self) -> NDArray[np.bool_]:
        """Returns which of the root's children are considered, (children,), by Gumbel AlphaZero."""
        return self.arrays.considered[: len(self.children())]

    @property
    def simulations(self) -> int:
        """Returns how many simulations were made, in all searches so far."""
        return int(self.arrays.workspace[STAMP])

    @property
    def depth(self) -> int:
        """Returns the depth of the deepest leaf, in plies."""
        return int(self.arrays.workspace[DEEPEST])

    @property
    def size(self) -> int:
        """Returns how many nodes are in use."""
        return int(self.arrays.workspace[USED])

    def set_root(self, position: Position, reuse: bool, whole: bool = True) -> None:
        """Makes ``position`` the root; with ``reuse``, keeps what is known of it.

        ``whole`` is as for ``plant``.
        """
        if reuse and self.position is not None:
            node = find_node(self.position, position, self.nodes)
            if node == 0 and self.nodes[0]["width"] > 0:
                return
            if node > 0 and self.nodes[node]["width"] > 0:
                spare = np.empty_like(self.nodes) if self.spare is None else self.spare
                copy_subtree(node, self.nodes, spare, self.arrays.workspace)
                self.spare, self.arrays = self.nodes, self.arrays._replace(nodes=spare)
                self._place(position)
                return
        self.plant(position, whole)

    def plant(self, position: Position, whole: bool = True) -> None:
        """Begins a tree: the root, and if it is to be ``whole`` its children, see ``plant``.

        They are made by the first simulation else.
        """
        position = checked(position)
        self.nodes[: 1 + whole * position.num_actions] = np.zeros((), self.nodes.dtype)
        self.arrays.workspace[USED], self.arrays.workspace[DEEPEST] = 1, 0
        if whole:
            plant.plain(position, self.nodes, self.arrays.workspace)
        self._place(position)

    def _place(self, position: Position) -> None:
        self.position = position
        pack(position, self.arrays.root)

    def children(self, node: int = 0) -> Nodes:
        """Returns a view of the children of ``node``, in the order of their actions."""
        first = int(self.nodes[node]["first"])
        return self.nodes[first : first + max(int(self.nodes[node]["width"]), 0)]

    def line(self, chosen: int) -> list[int]:
        """Returns what was played most from the root down, from this child of the root on."""
        line = np.zeros(MAX_DEPTH, np.int64)
        return line[: write_line(chosen, self.nodes, line)].tolist()  # type: ignore[no-any-return]

    def is_solved(self, evenly: bool) -> bool:
        """Returns whether the root is proven or, with ``evenly``, each of its children."""
        proven = self.children() if evenly else self.nodes[:1]
        return bool((proven["lower"] == proven["upper"]).all())

    def apply_proven_moves(self, depth: int, visits: int, proven_moves: ProvenMoves) -> None:
        """Asks about the nodes of the last path, ``depth`` long, with exactly ``visits`` visits.

        What is known becomes the bounds of their children, and is backed up to the root.
        """
        assert self.position is not None
        nodes, path, changed = self.nodes, self.simulation.path, False
        here = [self.position]
        for node in path[AT, 1 : depth + 1]:
            here.append(here[-1].play(int(nodes[node]["action"])))
        for level in range(depth, -1, -1):
            node = int(path[AT, level])
            if nodes[node]["lower"] == nodes[node]["upper"]:
                continue
            if nodes[node]["visits"] == visits and nodes[node]["width"] > 0:
                values = proven_moves(here[level])
                for child in self.children(node) if values else ():
                    value = values.get(int(child["action"]))
                    if value is not None:
                        child["lower"] = child["upper"] = value
                        changed = True
            if changed:
                same = level == 0 or path[PLAYER, level - 1] == path[PLAYER, level]
                update_bounds.plain(node, bool(same), False, nodes)


def find_node(position: Position, target: Position, nodes: Nodes) -> int:
    """Returns the node of ``target`` in the tree of ``position``; -1 if it has none, or far down.

    Looks up to LOOK_DOWN moves ahead, at most LOOK_AT positions, at often visited moves first.
    """
    if position == target:
        return 0
    level, looked = [(position, 0)], 0
    for _ in range(LOOK_DOWN):
        below = []
        for parent, node in level:
            begin = int(nodes[node]["first"])
            children = range(begin, begin + max(int(nodes[node]["width"]), 0))
            for child in sorted(children, key=lambda child: -int(nodes[child]["visits"])):
                after = parent.play(int(nodes[child]["action"]))
                looked += 1
                if after == target:
                    return child
                if looked == LOOK_AT:
                    return -1
                below.append((after, child))
        level = below
    return -1


def means(children: Nodes) -> NDArray[np.float64]:
    """Returns the mean value of each child, within its bounds; 0 counts for one never visited."""
    return np.array([mean_within(*child) for child in zip(*known_of(children), strict=True)])


def merged(trees: list[SearchTree]) -> Nodes:
    """Returns the children of the root, as all ``trees`` of one position know them together."""
    children: Nodes = trees[0].children().copy()
    for tree in trees[1:]:
        others = tree.children()
        children["visits"] += others["visits"]
        children["total"] += others["total"]
        np.maximum(children["lower"], others["lower"], out=children["lower"])
        np.minimum(children["upper"], others["upper"], out=children["upper"])
    return children
