"""Trees that are drawn in part: what Monte Carlo tree search grew, and what a game is like."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any

from adv_envs import CHANCE, Position
from agents.agent import require_unfinished
from agents.mcts.agent import MCTS

from .node import MOST_NODES, Node, require_room


def grown(position: Position, agent: MCTS, depth: int, most: int) -> Node:
    """The tree that ``agent`` grows from ``position``, with what was learnt of each node.

    ``depth`` plies of it, and the ``most`` often visited children of each node. Values are means
    for player 0, or what was proven. ValueError for more nodes than can be read.
    """
    if position.num_players != 2:
        raise ValueError(f"trees are drawn of games for two players, not {position.num_players}")
    search = dataclasses.replace(agent, threads=1)
    search.analyse(position)
    tree = search._searches[0].tree
    root = Node(position, visits=int(tree[0]["visits"]))
    root.value = mean(tree[0], position)
    grow(root, 0, tree, depth, most)
    require_room(sum(1 for _ in root), MOST_NODES)
    return root


def grow(node: Node, at: int, tree: Any, depth: int, most: int) -> None:
    """Add the children of ``node``, which is record ``at`` of the tree."""
    width = int(tree[at]["width"])
    if depth == 0 or width <= 0:
        return
    begin, position = int(tree[at]["first"]), node.position
    tried = [i for i in range(begin, begin + width) if tree[i]["visits"] > 0]
    ranked = sorted(tried, key=lambda i: -int(tree[i]["visits"]))[:most]
    for i in sorted(ranked):
        action = int(tree[i]["action"])
        child = Node(position.play(action), position.name(action), visits=int(tree[i]["visits"]))
        child.value = mean(tree[i], position)
        if position.to_move == CHANCE:
            child.chance = position.probability(action)
        node.children.append(child)
        grow(child, i, tree, depth - 1, most)
        if i == ranked[0] and position.to_move != CHANCE:
            node.best = child
    if node.children and len(ranked) < width:
        node.children.append(Node(position, dots=True))


def mean(record: Any, chooser: Position) -> float:
    """What a node is worth to player 0; it is kept for the player who chose it."""
    lower, upper = float(record["lower"]), float(record["upper"])
    value = lower if lower == upper else float(record["total"]) / max(int(record["visits"]), 1)
    return value if chooser.to_move in (0, CHANCE) else 0.0 - value


def outline(position: Position, widths: Sequence[int], seed: int = 0) -> Node:
    """A part of the whole game tree: ``widths[i]`` children of the first node of level i.

    Below the last of them stand finished games, found by random play, with different utilities as
    far as there are any.
    """
    require_unfinished(position)
    root = node = Node(position)
    last = [root]
    for width in widths:
        here, actions = node.position, node.position.legal_actions()
        for action in actions[:width]:
            node.children.append(Node(here.play(action), here.name(action)))
        last = node.children[:]
        if len(actions) > width:
            node.children.append(Node(here, dots=True))
        node = last[0]
        if node.ended:
            break
    dice, seen = random.Random(seed), list[float]()
    for node in last:
        if not node.ended:
            end = finished(node.position, dice, seen)
            seen.append(end.utility(0))
            node.children = [Node(node.position, dots=True)]
            node.children[0].children = [Node(end, value=float(end.utility(0)))]
    require_room(sum(1 for _ in root), MOST_NODES)
    return root


def finished(position: Position, dice: random.Random, seen: list[float]) -> Position:
    """The end of a random game, with a utility for player 0 that was seen least so far."""
    ends: dict[float, Position] = {}
    for _ in range(50):
        end = position
        while not end.is_terminal():
            end = end.play(dice.choice(end.legal_actions()))
        ends.setdefault(float(end.utility(0)), end)
    return ends[min(sorted(ends), key=seen.count)]
