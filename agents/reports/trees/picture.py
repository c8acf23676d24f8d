"""A recorded search as a picture: triangles or small boards, values, windows, cut branches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from adv_envs import CHANCE
from adv_envs.pictures import palette
from adv_envs.pictures.picture import Miniature, picture_of
from adv_envs.pictures.shapes import (
    Circle,
    Line,
    Point,
    Rect,
    Shape,
    Text,
    moved,
    on_the_way,
    triangle,
)
from adv_envs.position import Board

from .layout import tidy
from .node import Node, kind

LEVEL = 84.0
"""From a triangle down to its children."""
WAY = 0.6
"""How far down a branch the name of its move stands."""
VALUE, NOTE, NAME = 15.0, 11.0, 12.0
"""Sizes of text: what a node is worth, its window or visits, the moves."""


def number(value: float) -> str:
    """A value as the textbook writes it: "3", "−0.35", "+∞"."""
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{value:.3g}".replace("-", "−")


def rounded(value: float) -> str:
    """A mean as far as it is known: "0.15"."""
    return f"{value:.2f}".replace("-", "−")


@dataclass(frozen=True)
class Labels:
    """What is written at a node, and whether it is drawn at all."""

    value: Callable[[Node], str] = lambda node: "" if node.value is None else number(node.value)
    note: Callable[[Node], str] = lambda node: ""
    shown: Callable[[Node], bool] = lambda node: True
    settled: bool = True
    """Whether best play is known."""
    ends: str = ""
    """What a level of finished games is called at the left."""


class TreePicture:
    """The shapes of a tree, with the root in the middle above, at level 0.

    ``box`` (left, top, right, bottom) is what they fill, drawn or not: pictures of the same tree
    with other labels fit on each other if ``widest`` is what the labels may need.
    """

    def __init__(self, root: Node, labels: Labels, widest: Labels | None = None) -> None:
        self.root, self.labels, self.widest = root, labels, widest or labels
        self.side = stamp(root)
        self.sides = outward(root)
        places = tidy(root, self.extent)
        self.depth = max(level for _, level in places.values())
        inner = [node for node in root if node.children]
        lines = 20 * any(map(self.widest.value, inner)) + 15 * any(map(self.widest.note, inner))
        self.high = self.side + 4 + lines  # of a board with what is written below
        self.level = self.high + 44 if self.side else LEVEL
        self.places = {node: (x, level * self.level) for node, (x, level) in places.items()}
        right = max(self.places[node][0] + self.extent(node)[1] for node in root)
        self.margin = 92 if self.side else 46  # for the names of the levels
        bottom = max(self.places[node][1] + self.below(node) for node in root)
        self.box = (-self.margin, -max(20, self.side / 2 + 4), right, bottom)

    def shapes(self) -> list[Shape]:
        """Levels, branches, then the nodes above them."""
        shown = [node for node in self.root if self.labels.shown(node)]
        best = set(self.root.line()) if self.labels.settled else set()
        shapes = self.levels()
        parents = [(node, child) for node in shown for child in node.children]
        for node, child in sorted(parents, key=lambda pair: pair[1] in best):
            if self.labels.shown(child):
                shapes += self.branch(node, child, child in best)
        for node, child in parents:
            if self.labels.shown(child) and not self.side and not child.cut and not child.dots:
                shapes += self.move(node, child)
        for node in shown:
            shapes += self.node(node)
        return shapes

    # ---- sizes

    def extent(self, node: Node) -> tuple[float, float]:
        """How far a node and what is written at it reach to the left and to the right."""
        text = max(wide(self.widest.value(node), VALUE), wide(self.widest.note(node), NOTE))
        name = wide(move_name(node), NAME) / 2 / WAY
        if node.cut or node.dots:
            half = max(8.0, wide(node.name, NAME) / 2) if node.cut else 16.0
        elif self.side:
            half = max(small(node)[0] / 2 + 3, text / 2 + 2)
        elif node.children:
            half = max(20, name)
            far = max(20 + text, name)
            return (half, far) if self.sides[node] > 0 else (far, half)
        else:
            half = max(15, text / 2 + 6, name)
        return half, half

    def below(self, node: Node) -> float:
        """How far a node and what is written at it reach down."""
        return self.side / 2 + 22 + 15 * bool(self.widest.note(node)) if self.side else 18

    # ---- parts

    def levels(self) -> list[Shape]:
        """MAX and MIN at the left, where a whole level is one player's."""
        shapes: list[Shape] = []
        for level in range(self.depth + 1):
            nodes = [n for n in self.root if self.places[n][1] == level * self.level and not n.dots]
            inner = [n for n in nodes if n.children and self.labels.shown(n)]
            names = {kind(node) for node in inner} or {self.labels.ends} - {""}
            if len(names) == 1 and nodes:
                name = names.pop()
                position = self.root.position
                if self.side and isinstance(position, Board) and name in ("MAX", "MIN"):
                    name += f" ({position.symbols[name == 'MIN']})"
                at = 12 - self.margin, level * self.level
                shapes.append(Text(*at, name, 13, palette.MUTED, "start"))
        return shapes

    def branch(self, parent: Node, child: Node, best: bool) -> list[Shape]:
        """The line down to a child: gold on the way that is best, struck out where it was cut."""
        start, end = self.ends(parent, child)
        if child.dots or parent.dots:
            return []
        if child.cut:
            middle = on_the_way(start, end, 0.55)
            strokes = [(-7, 2.5, 3, -5.5), (-3, 5.5, 7, -2.5)]
            return [
                Line((start, end), palette.GRID, 1.5, 5),
                *(
                    Line(tuple(shift(middle, x, y) for x, y in ((a, b), (c, d))), palette.INK, 1.5)
                    for a, b, c, d in strokes
                ),
            ]
        if parent.visits and child.visits is not None:
            thick = 1 + 7 * child.visits / parent.visits
            return [Line((start, end), palette.GOLD if best else palette.GRID, thick)]
        return [Line((start, end), *((palette.GOLD, 3.5) if best else (palette.GRID, 1.5)))]

    def ends(self, parent: Node, child: Node) -> tuple[Point, Point]:
        """Where the line to a child begins and ends."""
        (x, y), (u, v) = self.places[parent], self.places[child]
        up = 10 * child.cut
        if self.side:
            return (x, y + self.high - self.side / 2), (u, v - self.side / 2 - 3 - up)
        return (x, y), (u, v - 12 - up if child.cut else v)

    def move(self, parent: Node, child: Node) -> list[Shape]:
        """The name of a move, and its probability, on the line down."""
        x, y = on_the_way(self.places[parent], self.places[child], WAY)
        text = move_name(child)
        half = wide(text, NAME) / 2 + 1
        ground = Rect(x - half, y - 0.6 * NAME, 2 * half, 1.2 * NAME, 3, palette.CARD)
        return [ground, Text(x, y, text, NAME, palette.MUTED)]

    def node(self, node: Node) -> list[Shape]:
        """A node with what is written at it."""
        x, y = self.places[node]
        value, note = self.labels.value(node), self.labels.note(node)
        if node.dots:
            across, down = (0, 11) if node.children else (11, 0)
            return [Circle(x + i * across, y + i * down, 2, palette.MUTED) for i in (-1, 0, 1)]
        if node.cut:
            return [Text(x, y - (self.side / 2 or 13), node.name, NAME, palette.MUTED)]
        if self.side:
            return self.board(node, x, y, value, note)
        if not node.children:
            return leaf(node, x, y, self.extent(node)[0], value)
        side = self.sides[node]
        anchor = "start" if side > 0 else "end"
        line = y - 7 - 6 * bool(note) - 4 * (node is self.root)
        at = x + side * (13 if node.player == 0 and not note else 22)
        shape = Circle(x, y, 16, palette.CARD, palette.MUTED, 2.5)
        return [
            triangle(node.player, x, y, False) if node.player != CHANCE else shape,
            Text(at, line, value, VALUE, palette.INK, anchor),
            Text(at, line + 15, note, NOTE, palette.MUTED, anchor),
        ]

    def board(self, node: Node, x: float, y: float, value: str, note: str) -> list[Shape]:
        """A small board in the colour of who moves, with what is written below."""
        width, height, shapes = small(node)
        colour, line = palette.GRID, 1.0
        if not node.ended:
            colour, line = (palette.RED, palette.BLUE)[node.player], 2.0
        pad = 3
        frame = Rect(x - width / 2 - pad, y - height / 2 - pad, width + 2 * pad, height + 2 * pad)
        below = y + height / 2 + 13
        return [
            frame._replace(radius=4, fill=palette.CARD, stroke=colour, line=line),
            *(moved(shape, x, y) for shape in shapes),
            Text(x, below, value, VALUE, palette.INK),
            Text(x, below + 15, note, NOTE, palette.MUTED),
        ]


def leaf(node: Node, x: float, y: float, half: float, value: str) -> list[Shape]:
    """A finished game in a box, a position that was only evaluated in a bubble."""
    radius = 5 if node.ended else 14
    fill = palette.CELL if node.ended else palette.CARD
    box = Rect(x - half, y - 14, 2 * half, 28, radius, fill, palette.GRID, 1)
    return [box, Text(x, y, value, VALUE - 1, palette.INK)]


def move_name(node: Node) -> str:
    """The move that leads to a node, with its probability if it was chance that made it."""
    return node.name if node.chance is None else f"{node.name}: {node.chance:.2g}"


def stamp(root: Node) -> float:
    """The side of the small boards; 0 for games that are drawn as triangles."""
    found = picture_of(root.position).miniature(root.position)
    return 0 if found is None else max(found.width, found.height)


def small(node: Node) -> Miniature:
    """The board of a node in a tree of small boards."""
    found = picture_of(node.position).miniature(node.position)
    assert found is not None, "the root of this tree has a miniature"
    return found


def outward(root: Node) -> dict[Node, int]:
    """On which side of each node its text stands: away from the line that comes from above."""
    sides = {root: 1}
    for node in root:
        for i, child in enumerate(node.children):
            sides[child] = -1 if 2 * i < len(node.children) - 1 else 1
    return sides


def wide(text: str, size: float) -> float:
    """About how wide a text is."""
    return 0.6 * size * len(text)


def shift(point: Point, x: float, y: float) -> Point:
    """A point, moved."""
    return point[0] + x, point[1] + y
