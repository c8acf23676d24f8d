"""The tree of a search, node by node: what was visited, what was found there, what was cut off.

The compiled searches keep no tree. ``record`` runs minimax, alpha-beta and expectiminimax once more
in plain Python, as the textbook writes them (AIMA figures 5.3 and 5.7, fail-soft), and visits
exactly the nodes that the compiled ones visit. ``grown`` copies the tree of Monte Carlo tree
search. All values are for player 0, MAX.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from adv_envs import CHANCE, Position
from agents.agent import Agent, require_limit, require_perfect_information, require_unfinished
from agents.knowledge import knowledge_of
from agents.mcts import MCTS
from agents.search import AlphaBeta, Expectiminimax, Minimax
from agents.search.limits import EVALUATION_LIMIT, WIN

MOST_NODES = 2000
"""Nodes of the largest tree that is recorded."""

Bound = tuple[float, float]
"""A score, and the value that it stands for."""
OPEN: tuple[Bound, Bound] = (-math.inf, -math.inf), (math.inf, math.inf)
"""The bounds of what is not known."""


@dataclass(eq=False)
class TreeNode:
    """A position that a search visited, or did not visit because it was cut off.

    Values and windows are for player 0, MAX. Searches compare ``score``, in which won games count
    more than any evaluation.
    """

    position: Position
    name: str = ""
    """The move that led here; where ``dots`` is set, what is left out."""
    value: float | None = None
    """What the search found: only a bound where branches below were cut off."""
    score: float = 0.0
    alpha: float | None = None
    beta: float | None = None
    """The window when the search came here, in scores; None for searches without one."""
    bounds: tuple[Bound, Bound] = OPEN
    """The least and the most that the node can be worth, as far as the search knows."""
    children: list[TreeNode] = field(default_factory=list)
    best: TreeNode | None = None
    """The child that the value comes from."""
    cut: bool = False
    """Whether the search never looked at this node."""
    dots: bool = False
    """Whether this only stands for others that are left out."""
    hidden: int = 0
    """How many nodes below this one, or cut off beside it, are left out of the picture."""
    leaf: int = 0
    """For a node that was valued at once: its number among those, from 1."""
    visits: int | None = None
    """How often a sampling search visited the node."""
    chance: float | None = None
    """The probability of the move that led here, if chance made it."""
    role: int | None = None
    """0 for a node of MAX and 1 for one of MIN, where that does not follow from who moves."""
    text: str = ""
    note: str = ""
    """What is written at the node in place of its value, and below."""

    @property
    def window(self) -> tuple[float, float] | None:
        """Alpha and beta when the search came here, in values."""
        if self.alpha is None or self.beta is None:
            return None
        return in_values(self.alpha), in_values(self.beta)

    @property
    def player(self) -> int:
        """The player to move, or CHANCE; the role, where there is one."""
        return self.position.to_move if self.role is None else self.role

    @property
    def numbered(self) -> bool:
        """Whether nodes have the number of the player to move: with three players and more."""
        return self.role is None and self.position.num_players > 2

    @property
    def ended(self) -> bool:
        """Whether the game is over here, not only the search."""
        return self.position.is_terminal()

    @property
    def inner(self) -> bool:
        """Whether the search went on below this node."""
        return bool(self.children) or self.hidden > 0

    def __iter__(self) -> Iterator[TreeNode]:
        """This node and all below it, depth first from the left."""
        yield self
        for child in self.children:
            yield from child

    def line(self) -> list[TreeNode]:
        """Best play from here."""
        line = [self]
        while line[-1].best is not None:
            line.append(line[-1].best)
        return line

    @property
    def visited(self) -> list[TreeNode]:
        """The nodes that the search visited, this one included."""
        return [node for node in self if not node.cut and not node.dots]

    @property
    def leaves(self) -> list[TreeNode]:
        """The nodes that were valued at once, in that order."""
        return sorted((node for node in self if node.leaf), key=lambda node: node.leaf)


class TooManyNodes(ValueError):
    """A tree has more nodes than are recorded."""


def record(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    limit: int = MOST_NODES,
) -> TreeNode:
    """The tree that a search from ``position`` goes through.

    ``agent`` is minimax, alpha-beta or expectiminimax, as an object or a spec; by default minimax,
    or expectiminimax in a game of chance, with the game's first evaluation. ``depth`` is that of
    the agent unless it is given; where neither is, the search goes to the end of the game, or as
    deep as ``limit`` nodes allow. Raises ValueError for a finished game, for an agent that has no
    such tree, and if the tree to a given depth has more than ``limit`` nodes.
    """
    from agents.spec import make

    require_unfinished(position)
    require_perfect_information(position, "a search tree")
    agent = default_agent(position) if agent is None else make(agent)
    require_limit("depth", depth)
    if not isinstance(agent, Minimax | AlphaBeta | Expectiminimax):
        raise ValueError(
            f"{agent.name} has no tree that could be drawn; "
            "minimax, alpha_beta, expectiminimax and mcts have"
        )
    if position.has_chance and not isinstance(agent, Expectiminimax):
        raise ValueError(f"{agent.name} plays games without chance; expectiminimax draws this one")
    depth = agent.depth if depth is None else depth
    if depth is not None:
        return TreeRecorder(position, agent, depth, limit).root
    found = None
    try:
        for depth in range(1, limit):
            found = TreeRecorder(position, agent, depth, limit)
            if found.complete:
                break
    except TooManyNodes:
        if found is None:
            raise
    assert found is not None, "a tree of one ply was recorded or raised"
    return found.root


def default_agent(position: Position) -> Minimax | Expectiminimax:
    """The search that is drawn if none is given."""
    evaluation = next(iter(knowledge_of(position).evaluations.values()), None)
    kind = Expectiminimax if position.has_chance else Minimax
    return kind(evaluate=evaluation)


def plain(function: Any) -> Any:
    """A kernel as plain Python, for which nothing is compiled."""
    return getattr(function, "plain", function)


class TreeRecorder:
    """Searches ``position`` to ``depth`` plies and keeps the tree in ``root``.

    Chance nodes have the mean of the values below them, are never pruned, and do not count as
    plies. Raises TooManyNodes for more than ``limit`` nodes.
    """

    def __init__(
        self,
        position: Position,
        agent: Minimax | AlphaBeta | Expectiminimax,
        depth: int,
        limit: int,
    ) -> None:
        require_two_players(position)
        self.pruning = isinstance(agent, AlphaBeta)
        self.evaluate = plain(agent.evaluate)
        order = getattr(agent, "order", None)
        self.order = plain(order) if callable(order) else None
        self.limit, self.nodes, self.leaves = limit, 0, 0
        self.complete = True
        """Whether every line was searched to the end of the game."""
        self.root = TreeNode(position)
        self.search(self.root, depth, -math.inf, math.inf)

    def search(self, node: TreeNode, depth: int, alpha: float, beta: float) -> None:
        """Find the value of ``node``, between ``alpha`` and ``beta`` in scores for MAX."""
        self.count()
        if self.pruning:
            node.alpha, node.beta = alpha, beta
        position = node.position
        if not position.is_terminal() and position.to_move == CHANCE:
            self.expect(node, depth)
            return
        if position.is_terminal() or depth <= 0:
            self.complete &= position.is_terminal()
            self.leaves += 1
            node.leaf = self.leaves
            node.value, node.score = self.static_value(position)
            node.bounds = (node.score, node.value), (node.score, node.value)
            return
        sign = 1 if position.to_move == 0 else -1
        actions = self.ordered(position)
        for i, action in enumerate(actions):
            child = TreeNode(position.play(action), position.name(action))
            node.children.append(child)
            self.search(child, depth - 1, alpha, beta)
            node.bounds = bounds_of(node) if i + 1 == len(actions) else node.bounds
            if node.best is None or sign * child.score > sign * node.score:
                node.best, node.value, node.score = child, child.value, child.score
            if not self.pruning:
                continue
            if sign > 0:
                alpha = max(alpha, node.score)
            else:
                beta = min(beta, node.score)
            if alpha >= beta:
                self.cut(node, actions[i + 1 :])
                return

    def expect(self, node: TreeNode, depth: int) -> None:
        """Find the value of a node where chance moves: the mean."""
        for action in node.position.legal_actions():
            child = TreeNode(node.position.play(action), node.position.name(action))
            child.chance = node.position.probability(action)
            node.children.append(child)
            self.search(child, depth, -math.inf, math.inf)
        node.score = math.fsum(c.chance * c.score for c in node.children if c.chance is not None)
        values = [(c.chance or 0.0) * (c.value or 0.0) for c in node.children]
        node.value = math.fsum(values)
        node.bounds = bounds_of(node)

    def cut(self, node: TreeNode, actions: list[int]) -> None:
        """Record the moves that need no search."""
        for action in actions:
            self.count()
            child = TreeNode(node.position.play(action), node.position.name(action), cut=True)
            node.children.append(child)
        node.bounds = bounds_of(node)

    def count(self) -> None:
        """Count a node; TooManyNodes if there are more than the limit."""
        self.nodes += 1
        require_at_most(self.nodes, self.limit)

    def static_value(self, position: Position) -> tuple[float, float]:
        """The value and the score of a position where the search stops."""
        if position.is_terminal():
            utility = float(position.utility(0))
            return utility, WIN * utility
        value = 0.0 if self.evaluate is None else float(self.evaluate(position))
        value = min(max(value, -EVALUATION_LIMIT), EVALUATION_LIMIT)
        value = value if position.to_move in (0, CHANCE) else -value + 0.0
        return value, value

    def ordered(self, position: Position) -> list[int]:
        """The legal actions, the most promising first."""
        actions, order = position.legal_actions(), self.order
        if order is None:
            return actions
        return sorted(actions, key=lambda action: -float(order(position, action)))


def bounds_of(node: TreeNode) -> tuple[Bound, Bound]:
    """The least and the most that a node can be worth, by what is known of its children."""
    lows, highs = zip(*(child.bounds for child in node.children), strict=True)
    if node.player == CHANCE:
        chances = [child.chance or 0.0 for child in node.children]
        return mean_of(chances, lows), mean_of(chances, highs)
    best = max if node.player == 0 else min
    return best(lows), best(highs)


def mean_of(chances: Sequence[float], bounds: Sequence[Bound]) -> Bound:
    """The expected bound."""
    pairs = [(p, bound) for p, bound in zip(chances, bounds, strict=True) if p]
    return math.fsum(p * b[0] for p, b in pairs), math.fsum(p * b[1] for p, b in pairs)


def in_values(score: float) -> float:
    """A bound on scores as a bound on values."""
    return score / WIN if math.isfinite(score) and abs(score) > EVALUATION_LIMIT else score


def require_two_players(position: Position) -> None:
    """Raise ValueError for games of more players: values are those of MAX and MIN."""
    if position.num_players != 2:
        raise ValueError(f"trees are drawn of games for two players, not {position.num_players}")


def require_at_most(nodes: int, limit: int) -> None:
    """Raise TooManyNodes for more than ``limit`` nodes."""
    if nodes > limit:
        raise TooManyNodes(
            f"the tree has more than {limit:,} nodes: "
            "take a smaller depth, a smaller board, or start after more moves"
        )


# ---- what is left out of a picture


def fold(root: TreeNode, most: int = 3) -> None:
    """Where more than ``most`` moves of a node were cut off, let one branch stand for them all."""
    for node in list(root):
        cut = [child for child in node.children if child.cut]
        if len(cut) > most:
            cut[0].name, cut[0].hidden = f"{len(cut)} cut off", len(cut) - 1
            node.children = [child for child in node.children if child is cut[0] or not child.cut]


def pruned(root: TreeNode, nodes: int, children: int) -> TreeNode:
    """A copy of a tree without what makes more than ``nodes`` nodes.

    Best play is kept first, then nodes from the top down, as far as ``nodes`` allow. A node keeps
    at most ``children`` of its children, the best ones; a node with ``dots`` and the name "7 more"
    stands for the others, and ``hidden`` counts all nodes that are left out below a node.
    """
    if sum(1 for _ in root) <= nodes:
        return root
    line, level, rest = root.line(), [root], list[TreeNode]()
    while level:
        rest += [node for node in level if node not in line]
        level = [child for node in level for child in node.children]
    visible, drawn = {root}, 1
    kept: dict[TreeNode, list[TreeNode]] = {}
    for node in (*line, *rest):
        shown = some_children(node, children)
        if node is root or (node in visible and drawn + len(shown) <= nodes):
            kept[node] = shown
            visible.update(shown)
            drawn += len(shown)
    return copied(root, kept)


def copied(node: TreeNode, kept: dict[TreeNode, list[TreeNode]]) -> TreeNode:
    """A node and those below it that are ``kept``, which has the children of each."""
    copy = dataclasses.replace(node, children=[], best=None)
    if node not in kept:
        copy.hidden += sum(1 for _ in node) - 1
        return copy
    for child in kept[node]:
        copy.children.append(copied(child, kept))
        if child is node.best:
            copy.best = copy.children[-1]
    return copy


def some_children(node: TreeNode, most: int) -> list[TreeNode]:
    """The ``most`` best children of a node in their order, and a node that counts the others."""
    if len(node.children) <= most + 1:
        return node.children
    sign = -1 if node.player == 1 else 1
    ranked = sorted(node.children, key=lambda child: (child.cut, -sign * child.score))
    if node.best is not None:
        ranked = [node.best, *(child for child in ranked if child is not node.best)]
    shown = [child for child in node.children if child in ranked[:most]]
    left_out = sum(1 for child in node.children if not child.dots) - len(shown)
    return [*shown, TreeNode(node.position, f"{left_out} more", dots=True)]


# ---- trees of which a part is kept from the beginning


def grown(position: Position, agent: MCTS, depth: int, most: int) -> TreeNode:
    """The tree that ``agent`` grows from ``position``, with what was learnt of each node.

    Contains ``depth`` plies, and of each node the ``most`` children with the most visits. Values
    are means for player 0, or what was proven.
    """
    require_two_players(position)
    search = dataclasses.replace(agent, threads=1)
    search.analyse(position)
    tree = search.trees[0].nodes
    root = TreeNode(position, visits=int(tree[0]["visits"]))
    root.value = mean(tree[0], position)
    grow(root, 0, tree, depth, most)
    require_at_most(sum(1 for _ in root), MOST_NODES)
    return root


def grow(node: TreeNode, at: int, tree: Any, depth: int, most: int) -> None:
    """Add the children of ``node``, which is record ``at`` of the tree."""
    width = int(tree[at]["width"])
    if depth == 0 or width <= 0:
        return
    begin, position = int(tree[at]["first"]), node.position
    tried = [i for i in range(begin, begin + width) if tree[i]["visits"] > 0]
    ranked = sorted(tried, key=lambda i: -int(tree[i]["visits"]))[:most]
    for i in sorted(ranked):
        action = int(tree[i]["action"])
        visits = int(tree[i]["visits"])
        child = TreeNode(position.play(action), position.name(action), visits=visits)
        child.value = mean(tree[i], position)
        if position.to_move == CHANCE:
            child.chance = position.probability(action)
        node.children.append(child)
        grow(child, i, tree, depth - 1, most)
        if i == ranked[0] and position.to_move != CHANCE:
            node.best = child
    if node.children and len(ranked) < width:
        node.children.append(TreeNode(position, f"{width - len(ranked)} more", dots=True))


def mean(entry: Any, parent: Position) -> float:
    """The value of a tree's entry for player 0; it is kept for the player to move at its parent."""
    lower, upper = float(entry["lower"]), float(entry["upper"])
    value = lower if lower == upper else float(entry["total"]) / max(int(entry["visits"]), 1)
    return value if parent.to_move in (0, CHANCE) else 0.0 - value
