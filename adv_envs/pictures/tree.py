"""Draws game trees as the textbook does. The first leaf is at x = 0, the root at y = 0."""

from __future__ import annotations

from typing import Any

from adv_envs.games.tree import Tree

from . import palette
from .picture import Picture, Place, Target, card, enlarged, register_picture, text_card
from .shapes import Drawing, Line, Point, Rect, Shape, Text, clamp, on_the_way, triangle

LEVEL = 88  # from a node down to its children
MOST_LEAVES = 40  # of a tree that is still drawn


def draw(position: Tree, last: int | None = None) -> Drawing:
    """Draws MAX as a triangle on its base, MIN on its tip; gold leads to the current node."""
    plan = TreePlan(position.tree)
    if len(plan.leaves) > MOST_LEAVES:
        return text_card(position)
    way = plan.way(position.node)
    shapes: list[Shape] = []
    for node, (parent, _) in sorted(plan.above.items(), key=lambda item: item[0] in way):
        stroke, line = (palette.GOLD, 3.5) if node in way else (palette.GRID, 1.5)
        shapes.append(Line((plan.places[parent], plan.places[node]), stroke, line))
    for node, (parent, name) in plan.above.items():
        shapes += move_name(name, plan.places[parent], plan.places[node], plan.step)
    longest = max(len(plan.value(leaf)) for leaf in plan.leaves)
    for node, (x, y) in enumerate(plan.places):
        here = node == position.node
        if node in plan.leaves:
            shapes += leaf_box(plan.value(node), longest, x, y, 0.4 * plan.step, here)
        else:
            shapes.append(triangle(round(y / LEVEL) % 2, x, y, here))
    left, bottom = -0.4 * plan.step - 18, max(y for _, y in plan.places)
    for level in range(round(bottom / LEVEL)):
        shapes.append(Text(left, level * LEVEL, NAMES[level % 2], 13, palette.MUTED, "end"))
    box = (left - 28, -20, (len(plan.leaves) - 0.6) * plan.step, bottom + 16)
    if position.is_terminal():
        return card(shapes, box, f"Worth {position.utility(0):g} to MAX")
    return card(shapes, box, f"{NAMES[position.to_move]} to move")


def places(position: Tree) -> dict[int, Place]:
    """Returns each move on the branch that goes down; none if the tree is too wide to be drawn."""
    plan = TreePlan(position.tree)
    if len(plan.leaves) > MOST_LEAVES:
        return {}
    start, found = plan.places[position.node], {}
    for action, (_, child) in enumerate(position.moves):
        x, y = on_the_way(start, plan.places[child], 0.68)
        found[action] = Place(x, y, min(0.34 * plan.step, 22), "label")
    return found


def clicks(position: Tree) -> dict[int, tuple[Target, ...]]:
    """Returns a tall part of the branch."""
    found = places(position)
    return enlarged(found, max((place.half for place in found.values()), default=0), 0.26 * LEVEL)


NAMES = ("MAX", "MIN")


class TreePlan:
    """Places a tree's nodes: leaves side by side, others above the middle of their children.

    ``above`` has the parent of every node but the root, and the name of the move from there.
    """

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        below = [node if isinstance(node[0], tuple) else () for node in tree]
        self.leaves = [node for node, moves in enumerate(below) if not moves]
        self.step = clamp(26, 640 // len(self.leaves), 64)  # from leaf to leaf
        self.above = {child: (n, name) for n, moves in enumerate(below) for name, child in moves}
        depth, x = [0] * len(tree), [0.0] * len(tree)
        for node in range(1, len(tree)):  # parents have lower numbers than their children
            depth[node] = depth[self.above[node][0]] + 1
        for i, leaf in enumerate(self.leaves):
            x[leaf] = i * self.step
        for node, moves in reversed(list(enumerate(below))):
            if moves:
                x[node] = (x[moves[0][1]] + x[moves[-1][1]]) / 2
        self.places: list[Point] = [(x[node], depth[node] * LEVEL) for node in range(len(tree))]

    def way(self, node: int) -> list[int]:
        """Returns the nodes from ``node`` up to the root."""
        way = [node]
        while way[-1] in self.above:
            way.append(self.above[way[-1]][0])
        return way

    def value(self, leaf: int) -> str:
        """Returns what a leaf is worth to MAX."""
        return f"{self.tree[leaf][0]:g}"


def leaf_box(value: str, longest: int, x: float, y: float, half: float, here: bool) -> list[Shape]:
    """Returns a leaf, as wide as two halves; the ``longest`` value has to fit."""
    fill, rim = (palette.GOLD_PALE, palette.GOLD) if here else (palette.CELL, palette.GRID)
    size = min(15, 3.2 * half / longest)
    return [
        Rect(x - half, y - 15, 2 * half, 30, 7, fill, rim, 1 + here),
        Text(x, y, value, size, palette.INK),
    ]


def move_name(name: str, start: Point, end: Point, step: float) -> list[Shape]:
    """Returns the name of a move on the middle of its line."""
    x, y = on_the_way(start, end, 0.48)
    size = clamp(9, 0.22 * step, 13)
    half = 0.3 * size * len(name) + 2
    return [
        Rect(x - half, y - 0.6 * size, 2 * half, 1.2 * size, 3, palette.CARD),
        Text(x, y, " ".join(name.split()), size, palette.MUTED),
    ]


register_picture(Tree, Picture(draw=draw, places=places, clicks=clicks))
