"""The picture of a game of hidden information as books draw it: its tree and information sets.

Nodes carry the number of the player to move, chance has a ring, boxes have what each player won.
Dashed lines of a player's colour join the nodes that this player cannot tell apart.
"""

from __future__ import annotations

import itertools
import math

from adv_envs import CHANCE, Position
from adv_envs.pictures import palette
from adv_envs.pictures.picture import CAPTION, card
from adv_envs.pictures.shapes import Circle, Drawing, Line, Point, Rect, Shape, Text, on_the_way
from adv_envs.pictures.svg import to_svg
from adv_envs.registry import title
from agents.equilibrium.game_tree import TERMINAL, GameTree
from agents.equilibrium.tabular_policy import TabularPolicy

from .search_tree import TreeNode
from .tree_picture import COLOURS, NAME, number, tidy, wide

MOST = 200
"""Nodes of the largest tree that is drawn."""

LEVEL = 124.0
"""From a node down to its children, in pixels."""

RADIUS = 11.0
LOWEST, RISE, DASH = 20.0, 7.0, 6.0
"""How high above its nodes the line of a set runs, how much higher one that would overlap with it,
and the length of its dashes."""

WAY = 0.42
"""Where the name of a move stands on its line, as a part of the length."""


def draw_game_tree(start: Position, policy: TabularPolicy | None = None) -> str:
    """The whole tree of a game with the information sets of its players, as an SVG picture.

    With a ``policy``, each move has its probability, and lines are the thicker the likelier it is.
    Raises ValueError for games with more than 200 histories, and as ``GameTree``.
    """
    return to_svg(game_tree_drawing(start, policy))


def game_tree_drawing(start: Position, policy: TabularPolicy | None = None) -> Drawing:
    """The picture of ``draw_game_tree`` before it is SVG."""
    picture = ExtensiveForm(GameTree(start, limit=MOST), policy)
    shapes, (left, top, right, bottom) = picture.shapes(), picture.box
    text = picture.caption()
    return card(shapes, (left, top, max(right, left + wide(text, CAPTION)), bottom), text)


class ExtensiveForm:
    """The shapes of a game tree. ``box`` (left, top, right, bottom) is the area that they fill."""

    def __init__(self, tree: GameTree, policy: TabularPolicy | None = None) -> None:
        self.tree, self.policy = tree, policy
        self.nodes = [TreeNode(tree.start)]
        for node in range(1, tree.num_nodes):
            before, action = self.nodes[int(tree.parent[node])], int(tree.action[node])
            child = TreeNode(before.position.play(action), before.position.name(action))
            before.children.append(child)
            self.nodes.append(child)
        self.index = {node: i for i, node in enumerate(self.nodes)}
        levels = tidy(self.nodes[0], self.extent)
        self.places: list[Point] = [
            (levels[node][0], levels[node][1] * LEVEL) for node in self.nodes
        ]
        pairs = zip(self.nodes, self.places, strict=True)
        right = max(x + self.extent(node)[1] for node, (x, _) in pairs)
        self.box = (-6.0, -34.0, right + 6, max(y for _, y in self.places) + 30)

    def caption(self) -> str:
        """The numbers of histories and information sets."""
        tree = self.tree
        return (
            f"{title(tree.start).capitalize()}: {tree.num_nodes} histories, {tree.num_sets} "
            "information sets (dashed); boxes have what each player wins"
        )

    def share(self, node: TreeNode) -> float | None:
        """How likely the policy plays the move that leads to a node; None where there is none."""
        number_of_node = self.index[node]
        parent = int(self.tree.parent[number_of_node])
        if self.policy is None or parent < 0 or self.tree.player[parent] == CHANCE:
            return None
        action = int(self.tree.action[number_of_node])
        return self.policy.probabilities(self.nodes[parent].position)[action]

    def label(self, node: TreeNode) -> str:
        """The name of the move that leads to a node, with its probability."""
        share = self.share(node)
        return node.name if share is None else f"{node.name} {share:.2f}"

    def payoffs(self, node: TreeNode) -> list[str]:
        """What each player won at the end of the game."""
        return [number(float(u)) for u in self.tree.utilities[self.index[node]]]

    def extent(self, node: TreeNode) -> tuple[float, float]:
        """How far a node reaches to the left and to the right of its middle."""
        name = wide(self.label(node), NAME)
        inside = RADIUS
        if node.ended:
            inside = max(wide(text, NAME) for text in self.payoffs(node)) / 2 + 4
        half = max(inside, name / (2 * WAY)) + 1
        return half, half

    def shapes(self) -> list[Shape]:
        """Information sets below, then branches, then nodes."""
        shapes = self.sets()
        for node, parent in enumerate(self.tree.parent[1:].tolist(), 1):
            points = self.places[parent], self.places[node]
            share = self.share(self.nodes[node])
            shapes.append(Line(points, palette.GRID, 1.5 if share is None else 1 + 5 * share))
        for node in range(1, len(self.nodes)):
            shapes += self.move(node)
        for node in range(len(self.nodes)):
            shapes += self.node(node)
        return shapes

    def sets(self) -> list[Shape]:
        """Dashed lines from node to node of each information set."""
        members: dict[int, list[int]] = {}
        for node, number_of_set in enumerate(self.tree.set_of.tolist()):
            if number_of_set >= 0:
                members.setdefault(number_of_set, []).append(node)
        shapes: list[Shape] = []
        for number_of_set, rank in self.ranks(members).items():
            colour = self.colour(int(self.tree.set_player[number_of_set]))
            ordered = sorted(self.places[node] for node in members[number_of_set])
            for one, other in itertools.pairwise(ordered):
                shapes += dashed_line(one, other, LOWEST + RISE * rank, colour)
        return shapes

    def ranks(self, members: dict[int, list[int]]) -> dict[int, int]:
        """How high the line of each set runs: lines of one height do not overlap."""
        ends: dict[tuple[float, int], float] = {}
        ranks = {}
        for number_of_set in sorted(members, key=lambda i: min(self.places[n] for n in members[i])):
            xs = [self.places[node][0] for node in members[number_of_set]]
            level, rank = self.places[members[number_of_set][0]][1], 0
            while ends.get((level, rank), -math.inf) > min(xs) - RADIUS:
                rank += 1
            ends[level, rank] = max(xs)
            ranks[number_of_set] = rank
        return ranks

    def colour(self, player: int) -> str:
        """The colour of a player."""
        return COLOURS[player % len(COLOURS)]

    def move(self, node: int) -> list[Shape]:
        """The name of the move that leads to a node, on the line from its parent."""
        name = self.label(self.nodes[node])
        x, y = on_the_way(self.places[int(self.tree.parent[node])], self.places[node], WAY)
        half = wide(name, NAME) / 2 + 1
        ground = Rect(x - half, y - 0.6 * NAME, 2 * half, 1.2 * NAME, 3, palette.CARD)
        return [ground, Text(x, y, name, NAME, palette.MUTED)]

    def node(self, node: int) -> list[Shape]:
        """A node with the player's number, or a box with what was won, a line for each player."""
        (x, y), player = self.places[node], int(self.tree.player[node])
        if player == CHANCE:
            return [Circle(x, y, 6, palette.CARD, palette.MUTED, 2)]
        if player != TERMINAL:
            disc = Circle(x, y, RADIUS, self.colour(player))
            return [disc, Text(x, y, str(player), NAME, palette.CARD)]
        lines = self.payoffs(self.nodes[node])
        half = max(wide(text, NAME) for text in lines) / 2 + 3
        box = Rect(
            x - half, y - 10, 2 * half, 14 * len(lines) + 4, 3, palette.CELL, palette.GRID, 1
        )
        texts = [
            Text(x, y - 1 + 14 * i, text, NAME, self.colour(i)) for i, text in enumerate(lines)
        ]
        return [box, *texts]


def dashed_line(one: Point, other: Point, high: float, colour: str) -> list[Shape]:
    """Dashes from one point up to a height, across, and down to another point."""
    (x, y), (u, v) = one, other
    bend = min(high / 2, (u - x) / 2)
    top = min(y, v) - high
    corners = [one, (x + bend, top), (u - bend, top), other]
    return [Line((a, b), colour, 2, DASH) for a, b in itertools.pairwise(corners)]
