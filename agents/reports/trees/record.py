"""Minimax and alpha-beta once more, in plain Python that notes all it does.

The compiled searches keep no record. These are the same algorithms as the textbook writes them
(AIMA figures 5.3 and 5.7, fail-soft), and visit what it says they visit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adv_envs import CHANCE, Position
from agents.agent import require_unfinished
from agents.search.limits import EVALUATION_LIMIT, WIN

from .node import MOST_NODES, Node, require_room

Evaluate = Callable[[Any], float]
Order = Callable[[Any, int], float]


def plain(function: Any) -> Any:
    """A compiled function as the Python that it was: compiling it is not worth it here."""
    return getattr(function, "plain", function)


class Recorder:
    """Searches ``position`` to ``depth`` plies (None: to the end) and keeps the tree in ``root``.

    With ``pruning`` it is alpha-beta, else minimax; chance nodes are worth the mean of what may
    happen, are never pruned, and do not count as plies. ``order(position, action)``: larger is
    tried first. ValueError where there would be more than ``limit`` nodes.
    """

    def __init__(
        self,
        position: Position,
        depth: int | None = None,
        *,
        pruning: bool = False,
        evaluate: Evaluate | None = None,
        order: Order | None = None,
        limit: int = MOST_NODES,
    ) -> None:
        require_unfinished(position)
        if position.num_players != 2:
            raise ValueError(
                f"trees are drawn of games for two players, not {position.num_players}"
            )
        self.pruning = pruning
        self.evaluate, self.order = plain(evaluate), plain(order)
        self.limit, self.nodes, self.leaves = limit, 0, 0
        self.root = Node(position)
        self.search(self.root, math.inf if depth is None else depth, -math.inf, math.inf)

    def search(self, node: Node, depth: float, alpha: float, beta: float) -> None:
        """Find the value of ``node``, between ``alpha`` and ``beta`` in scores for MAX."""
        self.count()
        if self.pruning:
            node.window = in_values(alpha), in_values(beta)
        position = node.position
        if not position.is_terminal() and position.to_move == CHANCE:
            self.expect(node, depth)
            return
        if position.is_terminal() or depth <= 0:
            self.leaves += 1
            node.leaf = self.leaves
            node.value, node.score = self.worth(position)
            return
        better = 1 if position.to_move == 0 else -1
        actions = self.ordered(position)
        for i, action in enumerate(actions):
            child = Node(position.play(action), position.name(action))
            node.children.append(child)
            self.search(child, depth - 1, alpha, beta)
            if node.best is None or better * child.score > better * node.score:
                node.best, node.value, node.score = child, child.value, child.score
            if not self.pruning:
                continue
            if better > 0:
                alpha = max(alpha, node.score)
            else:
                beta = min(beta, node.score)
            if alpha >= beta:
                self.cut(node, actions[i + 1 :])
                return

    def expect(self, node: Node, depth: float) -> None:
        """The value of a node where chance moves: the mean."""
        for action in node.position.legal_actions():
            child = Node(node.position.play(action), node.position.name(action))
            child.chance = node.position.probability(action)
            node.children.append(child)
            self.search(child, depth, -math.inf, math.inf)
        node.score = math.fsum(c.chance * c.score for c in node.children if c.chance is not None)
        values = [(c.chance or 0.0) * (c.value or 0.0) for c in node.children]
        node.value = math.fsum(values)

    def cut(self, node: Node, actions: list[int]) -> None:
        """Note the moves that need no search."""
        for action in actions:
            self.count()
            child = Node(node.position.play(action), node.position.name(action), cut=True)
            node.children.append(child)

    def count(self) -> None:
        """One node more. ValueError if it is one too many."""
        self.nodes += 1
        require_room(self.nodes, self.limit)

    def worth(self, position: Position) -> tuple[float, float]:
        """The value and the score of a position that is not looked into."""
        if position.is_terminal():
            utility = float(position.utility(0))
            return utility, WIN * utility
        value = 0.0 if self.evaluate is None else float(self.evaluate(position))
        value = min(max(value, -EVALUATION_LIMIT), EVALUATION_LIMIT)
        value = value if position.to_move in (0, CHANCE) else -value + 0.0
        return value, value

    def ordered(self, position: Position) -> list[int]:
        """The legal actions, the most promising first."""
        actions = position.legal_actions()
        if self.order is None:
            return actions
        return sorted(actions, key=lambda action: -float(self.order(position, action)))


def in_values(score: float) -> float:
    """A bound in the numbers that people see."""
    return score / WIN if math.isfinite(score) and abs(score) > EVALUATION_LIMIT else score
