"""Draws a recorded search: triangles or small boards, values, windows, cut branches.

Subtrees stand side by side as close as their outlines allow, and parents above the middle of their
children. Source: Reingold and Tilford, Tidier Drawings of Trees (1981).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

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

from .tree_node import TreeNode, number

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Extent = Callable[[TreeNode], tuple[float, float]]
"""How far a node reaches to the left and to the right of its middle."""

GAP = 10.0
"""Between neighbours, in pixels."""
LEVEL = 84.0
"""From a triangle down to its children."""
WAY = 0.6
"""Where the name of a move stands on a straight branch, as a part of its length."""
DROP, BAND, RISE = 24.0, 40.0, 44.0
"""The parts of a bent branch: straight down, across, and straight down to the child."""
BOARD_RISE = 27.0
"""``RISE`` above a small board."""
COLOURS = palette.RED, palette.BLUE, palette.GOLD, palette.INK
"""The colours of players, again from the first for more."""
VALUE, NOTE, NAME = 15.0, 11.0, 12.0
"""Sizes of text: the value of a node, its window or visits, the moves."""


def player_colour(player: int) -> palette.Colour:
    """Returns the ink of the pictures' palette in which a seat's stones are drawn."""
    return COLOURS[player % len(COLOURS)]


def kind(node: TreeNode) -> str:
    """Returns the kind of a node, in the words of the textbook: by who moves."""
    if node.player == CHANCE:
        return "CHANCE"
    return f"PLAYER {node.player}" if node.numbered else ("MAX", "MIN")[node.player]


@dataclass(frozen=True)
class Labels:
    """Says what is written at a node, and whether it is drawn at all."""

    value: Callable[[TreeNode], str] = lambda node: "" if node.value is None else number(node.value)
    note: Callable[[TreeNode], str] = lambda node: ""
    shown: Callable[[TreeNode], bool] = lambda node: True
    settled: bool = True
    """Whether best play is known."""
    ends: str = ""
    """The name at the left of a level of finished games."""


class TreePicture:
    """Returns the shapes of a tree, with the root in the middle above, at level 0.

    ``box`` (left, top, right, bottom) is the area that they fill, drawn or not: pictures of the
    same tree with other labels fit on each other if ``widest`` has the widest labels of all.
    Branches are straight lines as in the textbook; where one would run through a node they are
    bent, so that they cross no nodes.
    """

    def __init__(self, root: TreeNode, labels: Labels, widest: Labels | None = None) -> None:
        self.root, self.labels, self.widest = root, labels, widest or labels
        board = picture_of(root.position).miniature(root.position)
        self.side = 0.0 if board is None else max(board.width, board.height)
        """The side of the small boards; 0 for games that are drawn as triangles."""
        self.sides = {root: 1}
        """On which side of each node its text stands: away from the line from above."""
        for node in root:
            for i, child in enumerate(node.children):
                self.sides[child] = -1 if 2 * i < len(node.children) - 1 else 1
        places = tidy(root, self.extent)
        self.depth = max(level for _, level in places.values())
        inner = [node for node in root if node.inner]
        lines = 20 * any(map(self.widest.value, inner)) + 15 * any(map(self.widest.note, inner))
        self.high = self.side + 4 + lines  # of a board with what is written below
        self.bent = False
        self.place(places)
        self.bent = any(map(self.runs_through, self.branches()))
        if self.bent:
            self.place(places)
        right = max(self.places[node][0] + self.extent(node)[1] for node in root)
        self.margin = 92 if self.side else 46  # for the names of the levels
        bottom = max(self.places[node][1] + self.below(node) for node in root)
        self.box = (-self.margin, -max(20, self.side / 2 + 4), right, bottom)

    def place(self, places: dict[TreeNode, tuple[float, int]]) -> None:
        """Sets the distance of levels, and where each node stands."""
        gap = 10 + BAND / 2 + BOARD_RISE if self.bent else 54.0
        bent = DROP + BAND + RISE if self.bent else LEVEL
        self.level = self.high + gap if self.side else bent
        self.places = {node: (x, level * self.level) for node, (x, level) in places.items()}

    def shapes(self) -> list[Shape]:
        """Returns levels, branches, then the nodes above them."""
        shown = [node for node in self.root if self.labels.shown(node)]
        best = set(self.root.line()) if self.labels.settled else set()
        shapes = self.levels()
        pairs = [(p, c) for p, c in self.branches() if self.labels.shown(p)]
        for node, child in sorted(pairs, key=lambda pair: pair[1] in best):
            if self.labels.shown(child):
                shapes += self.branch(node, child, child in best)
        for node, child in pairs:
            if self.labels.shown(child) and not child.cut:
                shapes += self.move(node, child)
        for node in shown:
            shapes += [*self.frame(node), *self.texts(node), *self.more(node)]
        return shapes

    def branches(self) -> Iterator[tuple[TreeNode, TreeNode]]:
        """Yields every node with each of its children, where there is a line between them."""
        for node in self.root:
            yield from ((node, child) for child in node.children if not (child.dots or node.dots))

    # ---- sizes

    def extent(self, node: TreeNode) -> tuple[float, float]:
        """Returns how far a node and what is written at it reach to the left and to the right."""
        text = max(wide(self.widest.value(node), VALUE), wide(self.widest.note(node), NOTE))
        name = wide(move_name(node), NAME) / 2
        if node.dots:
            half = max(16.0, name)
        elif node.cut:
            half = max(8.0, name)
        elif self.side:
            half = max(small(node).width / 2 + 3, text / 2 + 2, name)
        elif node.inner:
            half = max(20, name / WAY)
            far = max(20 + text, name / WAY)
            return (half, far) if self.sides[node] > 0 else (far, half)
        else:
            half = max(15, text / 2 + 6, name / WAY)
        return half, half

    def below(self, node: TreeNode) -> float:
        """Returns how far a node and what is written at it reach down."""
        more = 22 * (node.hidden > 0)
        if self.side:
            return self.side / 2 + 22 + 15 * bool(self.widest.note(node)) + more
        return 18 + more

    def area(self, node: TreeNode) -> Box:
        """Returns the area of a node with what is written at it."""
        (x, y), (left, right) = self.places[node], self.extent(node)
        if self.side:
            return x - left, y - self.side / 2, x + right, y + self.high - self.side / 2
        return x - left, y - 19, x + right, y + 18

    def runs_through(self, branch: tuple[TreeNode, TreeNode]) -> bool:
        """Returns whether a straight branch would run through a node, or beside its own name."""
        start, end = self.ends(*branch)
        if self.side:
            return abs(end[0] - start[0]) > 2.5 * self.side
        levels = self.places[branch[0]][1], self.places[branch[1]][1]
        near = (node for node in self.root if self.places[node][1] in levels)
        others = (node for node in near if node not in branch and not node.dots)
        return any(crosses(start, end, self.area(node)) for node in others)

    # ---- parts

    def levels(self) -> list[Shape]:
        """Returns MAX and MIN at the left, where a whole level is one player's."""
        shapes: list[Shape] = []
        for level in range(self.depth + 1):
            nodes = [n for n in self.root if self.places[n][1] == level * self.level and not n.dots]
            inner = [n for n in nodes if n.inner and self.labels.shown(n)]
            names = {kind(node) for node in inner} or {self.labels.ends} - {""}
            if len(names) == 1 and nodes:
                name = names.pop()
                position = self.root.position
                if self.side and isinstance(position, Board) and name in ("MAX", "MIN"):
                    name += f" ({position.symbols[name == 'MIN']})"
                at = 12 - self.margin, level * self.level
                shapes.append(Text(*at, name, 13, palette.MUTED, "start"))
        return shapes

    def branch(self, parent: TreeNode, child: TreeNode, best: bool) -> list[Shape]:
        """Returns the line down to a child: gold on the best line, struck out where it was cut."""
        points = self.points(parent, child)
        if child.cut:
            middle = on_the_way(points[-2], points[-1], 0.55)
            strokes = [(-7, 2.5, 3, -5.5), (-3, 5.5, 7, -2.5)]
            return [
                Line(points, palette.GRID, 1.5, 5),
                *(
                    Line(tuple(shift(middle, x, y) for x, y in ((a, b), (c, d))), palette.INK, 1.5)
                    for a, b, c, d in strokes
                ),
            ]
        if parent.visits and child.visits is not None:
            thick = 1 + 7 * min(child.visits / parent.visits, 1.0)  # a view can be met elsewhere
            return [Line(points, palette.GOLD if best else palette.GRID, thick)]
        return [Line(points, *((palette.GOLD, 3.5) if best else (palette.GRID, 1.5)))]

    def points(self, parent: TreeNode, child: TreeNode) -> tuple[Point, ...]:
        """Returns the corners of the line to a child."""
        start, end = self.ends(parent, child)
        if not self.bent:
            return start, end
        top = self.places[child][1]
        drop, rise = (6, BOARD_RISE + self.side / 2 - 4) if self.side else (DROP, RISE)
        return start, shift(start, 0, drop), (end[0], top - rise), end

    def ends(self, parent: TreeNode, child: TreeNode) -> tuple[Point, Point]:
        """Returns where the line to a child begins and ends."""
        (x, y), (u, v) = self.places[parent], self.places[child]
        up = 10 * child.cut
        if self.side:
            return (x, y + self.high - self.side / 2), (u, v - self.side / 2 - 3 - up)
        return (x, y), (u, v - 12 - up if child.cut else v)

    def move(self, parent: TreeNode, child: TreeNode) -> list[Shape]:
        """Returns the name of a move, and its probability, on the line down."""
        (start, *_, last), (u, v) = self.points(parent, child), self.places[child]
        if self.side:
            x, y = on_the_way(start, last, 0.75) if not self.bent else shift(last, 0, -9)
        else:
            x, y = (u, v - 29) if self.bent else on_the_way(start, last, WAY)
        text = move_name(child)
        half = wide(text, NAME) / 2 + 1
        ground = Rect(x - half, y - 0.6 * NAME, 2 * half, 1.2 * NAME, 3, palette.CARD)
        return [ground, Text(x, y, text, NAME, palette.MUTED)]

    def frame(self, node: TreeNode) -> list[Shape]:
        """Returns a triangle, circle, box or small board; text or dots if it stands for others."""
        x, y = self.places[node]
        if node.dots and node.name:
            return [Text(x, y, node.name, NAME, palette.MUTED)]
        if node.dots:
            across, down = (0, 11) if node.children else (11, 0)
            return [Circle(x + i * across, y + i * down, 2, palette.MUTED) for i in (-1, 0, 1)]
        if node.cut:
            return [Text(x, y - (self.side / 2 or 13), node.name, NAME, palette.MUTED)]
        if self.side:
            return board(node, x, y)
        if not node.inner:
            half = self.extent(node)[
                0
            ]  # the box of a finished game, or the bubble of an evaluation
            radius, fill = (5, palette.CELL) if node.ended else (14, palette.CARD)
            return [Rect(x - half, y - 14, 2 * half, 28, radius, fill, palette.GRID, 1)]
        if node.player == CHANCE:
            return [Circle(x, y, 16, palette.CARD, palette.MUTED, 2.5)]
        if node.numbered:
            disc = Circle(x, y, 14, palette.CARD, player_colour(node.player), 2.5)
            return [disc, Text(x, y, str(node.player), VALUE, palette.INK)]
        return [triangle(node.player, x, y, False)]

    def texts(self, node: TreeNode) -> list[Text]:
        """Returns the value of a node, and its window or visits."""
        if node.dots or node.cut:
            return []
        x, y = self.places[node]
        value, note = self.labels.value(node), self.labels.note(node)
        if not self.side and not node.inner:
            return [Text(x, y, value, VALUE - 1, palette.INK)]
        if self.side:
            at, line, anchor = x, y + small(node).height / 2 + 13, "middle"
        else:
            side = self.sides[node]
            anchor = "start" if side > 0 else "end"
            line = y - 7 - 6 * bool(note) - 4 * (node is self.root)
            at = x + side * (13 if node.player == 0 and not note else 22)
        return [
            Text(at, line, value, VALUE, palette.INK, anchor),
            Text(at, line + 15, note, NOTE, palette.MUTED, anchor),
        ]

    def more(self, node: TreeNode) -> list[Shape]:
        """Returns dots for the nodes below that are left out."""
        if not node.hidden or node.dots or node.cut:
            return []
        x, y = self.places[node]
        bottom = y + self.below(node)
        return [Circle(x, bottom - i, 1.6, palette.MUTED) for i in (4, 10, 16)]


def board(node: TreeNode, x: float, y: float) -> list[Shape]:
    """Returns a small board in the colour of who moves."""
    width, height, shapes = small(node)
    colour, line = palette.GRID, 1.0
    if not node.ended and node.player != CHANCE:
        colour, line = player_colour(node.player), 2.0
    pad = 3
    frame = Rect(x - width / 2 - pad, y - height / 2 - pad, width + 2 * pad, height + 2 * pad)
    return [
        frame._replace(radius=4, fill=palette.CARD, stroke=colour, line=line),
        *(moved(shape, x, y) for shape in shapes),
    ]


def move_name(node: TreeNode) -> str:
    """Returns the move that leads to a node, with its probability if chance made it."""
    return node.name if node.chance is None else f"{node.name}: {node.chance:.2g}"


def small(node: TreeNode) -> Miniature:
    """Returns the board of a node in a tree of small boards."""
    found = picture_of(node.position).miniature(node.position)
    assert found is not None, "the root of this tree has a miniature"
    return found


def wide(text: str, size: float) -> float:
    """Returns about how wide a text is."""
    return 0.6 * size * len(text)


def shift(point: Point, x: float, y: float) -> Point:
    """Returns a point, moved."""
    return point[0] + x, point[1] + y


def crosses(start: Point, end: Point, box: Box) -> bool:
    """Returns whether a straight line meets a box (Liang and Barsky, 1984)."""
    left, top, right, bottom = box
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    low, high = 0.0, 1.0
    for step, room in ((-dx, x - left), (dx, right - x), (-dy, y - top), (dy, bottom - y)):
        if step == 0 and room < 0:
            return False
        if step < 0:
            low = max(low, room / step)
        elif step > 0:
            high = min(high, room / step)
    return low <= high


# ---- where nodes go


def tidy(root: TreeNode, extent: Extent) -> dict[TreeNode, tuple[float, int]]:
    """Returns (x, level) of every node: the root has level 0, the leftmost begins at x = 0."""
    offsets: dict[TreeNode, float] = {}  # from the parent's x
    outline = place(root, extent, offsets)
    places = {root: (-min(left for left, _ in outline), 0)}
    for node in root:  # parents come before their children
        x, level = places[node]
        for child in node.children:
            places[child] = x + offsets[child], level + 1
    return places


def place(
    node: TreeNode, extent: Extent, offsets: dict[TreeNode, float]
) -> list[tuple[float, float]]:
    """Places all below ``node``; returns its outline, from where to where each level reaches."""
    left, right = extent(node)
    below: list[tuple[float, float]] = []
    xs: list[float] = []
    for child in node.children:
        outline = place(child, extent, offsets)
        levels = zip(below, outline, strict=False)
        x = max((high + GAP - low for (_, high), (low, _) in levels), default=0.0)
        xs.append(x)
        beside = [(low + x, high + x) for low, high in outline]
        both = zip_longest(below, beside, fillvalue=(math.inf, -math.inf))
        below = [(min(a, c), max(b, d)) for (a, b), (c, d) in both]
    if not xs:
        return [(-left, right)]
    middle = (xs[0] + xs[-1]) / 2
    for child, x in zip(node.children, xs, strict=True):
        offsets[child] = x - middle
    return [(-left, right), *((low - middle, high - middle) for low, high in below)]
