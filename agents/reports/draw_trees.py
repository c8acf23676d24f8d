"""Draws search trees as SVG: what a search visited, what it found there, what it left out."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from functools import partial

from adv_envs import CHANCE, Position
from adv_envs.pictures import palette
from adv_envs.pictures.picture import CAPTION, card
from adv_envs.pictures.shapes import (
    Circle,
    Drawing,
    Line,
    Point,
    Rect,
    Shape,
    Text,
    moved,
    on_the_way,
)
from adv_envs.pictures.svg import to_svg
from adv_envs.registry import title
from agents.agent import Agent, require_limit, require_unfinished
from agents.equilibrium.game_tree import GameTree
from agents.equilibrium.tabular_policy import TabularPolicy
from agents.mcts import MCTS, InformationSetMCTS
from agents.search import ProofNumber
from agents.spec import make

from .search_tree import MOST_NODES, default_agent, grown, proof_tree, record, views_tree
from .tree_node import Interval, TreeNode, fold, number, pruned, require_at_most, rounded
from .tree_picture import NAME, Labels, TreePicture, player_colour, tidy, wide
from .tree_steps import after_each_leaf, steps_of

COLUMNS = 3
"""Panels side by side."""
WIDTH = 1400
"""Pixels of the widest tree that is drawn unless a number of nodes is given."""
NODES = (64, 48, 36, 27, 20, 15)
"""Numbers of nodes that are tried for it."""
CHILDREN = 12
"""Children of a node that are drawn where nodes are left out, unless a number is given."""
VISITED_CHILDREN = 5
"""The same for trees of MCTS."""
PLIES_OF_SAMPLES = 2
"""Plies that are drawn of searches that sample, unless a number is given."""
MOST_IN_PANELS = 1600
"""Nodes in all panels of ``draw_steps`` together."""


def draw_tree(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    children: int | None = None,
    nodes: int | None = None,
    as_played: bool = False,
) -> str:
    """Returns the tree that a search from ``position`` goes through, as an SVG picture.

    Triangles on their base are MAX's nodes (player 0), on their tip MIN's; small boards are drawn
    in their place. Boxes are finished games, bubbles are evaluations at the depth limit. All values
    are for MAX. Gold is best play.

    ``agent`` is the search, as an object or a spec: minimax with the game's first evaluation, the
    default (expectiminimax in games of chance); ``AlphaBeta()``, with the window in which each node
    was searched and the branches that were cut struck out; ``Expectiminimax()``, with circles where
    chance moves. Its evaluation and move order are used, and its depth unless ``depth`` is given;
    without either the search goes to the end of the game, or as deep as 2,000 nodes allow. Of
    ``MCTS()`` the first two plies (or ``depth``) of the tree that it grows are drawn, with visits
    and means; the more visits, the thicker the line. ``MaxN()`` has the values of all players at
    each node, ``Paranoid()`` MIN for all players but one, ``ProofNumber()`` proof and disproof
    numbers, and of ``InformationSetMCTS()`` nodes are what the player to move sees.

    Alpha-beta and expectiminimax are drawn as textbooks have them; ``as_played`` draws the last
    iteration of the agent's own search, with its null windows, what its table knew ("table") and
    what it pruned.

    At most ``nodes`` nodes are drawn (by default 64, or fewer in a picture wider than 1,400
    pixels), and at most ``children`` of each (by default 12; 5 of MCTS): best play first, then
    nodes from the top down. "7 more" stands for children that are left out, dots for all that is
    below a node. Raises ValueError for a finished game, for an agent that has no such tree, and if
    the tree to the given depth has more than 2,000 nodes.
    """
    root, text = drawn_tree(position, agent, depth, children, nodes, as_played)
    return to_svg(on_card(root, labels_of(root), text))


def drawn_tree(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    children: int | None = None,
    nodes: int | None = None,
    as_played: bool = False,
) -> tuple[TreeNode, str]:
    """Returns the nodes that ``draw_tree`` draws, and the caption."""
    for name, limit in (("depth", depth), ("children", children), ("nodes", nodes)):
        require_limit(name, limit)
    position = require_unfinished(position)
    agent = default_agent(position) if agent is None else make(agent)
    if children is None:
        children = VISITED_CHILDREN if isinstance(agent, MCTS) else CHILDREN
    root, text = searched_tree(position, agent, depth, children, as_played)
    drawn = fitting(root, nodes, children)
    left_out = sum(1 for _ in root) - sum(not node.dots for node in drawn)
    return drawn, text + (f"; {left_out:,} nodes are not drawn" if drawn is not root else "")


def searched_tree(
    position: Position, agent: Agent, depth: int | None, children: int, as_played: bool = False
) -> tuple[TreeNode, str]:
    """Returns the whole tree of a search (of MCTS ``children`` of each node), and the caption."""
    if isinstance(agent, MCTS):
        root = grown(position, agent, depth or PLIES_OF_SAMPLES, children)
        best = "" if root.best is None else f" {root.best.name},"
        return root, f"MCTS:{best} {root.visits:,} simulations, {mean_value(root)} on average"
    if isinstance(agent, InformationSetMCTS):
        return views_tree(position, agent, depth or PLIES_OF_SAMPLES)
    if isinstance(agent, ProofNumber):
        return proof_tree(position, agent, depth or MOST_NODES)
    root = record(position, agent, depth, as_played=as_played)
    text = caption(root, agent) + "; the last iteration, as played" * as_played
    fold(root)
    return root, text


def fitting(root: TreeNode, nodes: int | None, children: int) -> TreeNode:
    """Returns as much of a tree as is drawn: ``nodes`` nodes, or None as many as fit ``WIDTH``."""
    for number_of_nodes in (nodes,) if nodes else NODES:
        drawn = pruned(root, number_of_nodes, children)
        left, _, right, _ = TreePicture(drawn, labels_of(drawn)).box
        if right - left <= WIDTH:
            break
    return drawn


def labels_of(root: TreeNode) -> Labels:
    """Returns what is written at the nodes of a tree: means and visits, or values and windows."""
    if root.text:
        return Labels(lambda node: node.text, lambda node: node.note)
    if root.visits is not None:
        return Labels(mean_value, lambda n: "" if n.visits is None else f"{n.visits:,} ×")
    return Labels(note=window) if root.window else Labels()


def on_card(root: TreeNode, labels: Labels, text: str) -> Drawing:
    """Returns the picture of a tree above its caption."""
    picture = TreePicture(root, labels)
    left, top, right, bottom = picture.box
    return card(picture.shapes(), (left, top, max(right, left + wide(text, CAPTION)), bottom), text)


def draw_game(position: Position, widths: Sequence[int] = (9, 3, 3)) -> str:
    """Returns a part of the whole tree of a game, as in AIMA figure 5.1, as an SVG picture.

    ``widths[i]`` is how many children are drawn of the first node of level i; dots stand for the
    others, and below the last of them are finished games with their utilities for MAX. Raises
    ValueError for a finished game, for widths that are not all above 0, and for too many nodes.
    """
    for width in widths:
        require_limit("every width", width)
    labels = Labels(ends="TERMINAL")
    return to_svg(on_card(outline(position, widths), labels, "The values are utilities for MAX"))


def outline(position: Position, widths: Sequence[int], seed: int = 0) -> TreeNode:
    """Returns a part of the whole game tree: ``widths[i]`` children of the first node of level i.

    Below the last level are finished games, found by random play, with different utilities as far
    as there are any.
    """
    position = require_unfinished(position)
    root = node = TreeNode(position)
    last = [root]
    for width in widths:
        here, actions = node.position, node.position.legal_actions()
        for action in actions[:width]:
            node.children.append(TreeNode(here.play(action), here.name(action)))
        last = node.children[:]
        if len(actions) > width:
            node.children.append(TreeNode(here, dots=True))
        node = last[0]
        if node.ended:
            break
    generator, seen = random.Random(seed), list[float]()
    for node in last:
        if not node.ended:
            end = finished(node.position, generator, seen)
            seen.append(end.utility(0))
            node.children = [TreeNode(node.position, dots=True)]
            node.children[0].children = [TreeNode(end, score=float(end.utility(0)))]
    require_at_most(sum(1 for _ in root), MOST_NODES)
    return root


def finished(position: Position, generator: random.Random, seen: list[float]) -> Position:
    """Returns the end of a random game whose utility for player 0 is rarest in ``seen``."""
    ends: dict[float, Position] = {}
    for _ in range(50):
        end = position
        while not end.is_terminal():
            end = end.play(generator.choice(end.legal_actions()))
        ends.setdefault(float(end.utility(0)), end)
    return ends[min(sorted(ends), key=seen.count)]


def window(node: TreeNode) -> str:
    """Returns alpha and beta of an inner node, or that a table knew its value."""
    if node.window is None or not node.inner:
        return "table" if node.known else ""
    alpha, beta = map(number, node.window)
    return f"α {alpha}  β {beta}"


def mean_value(node: TreeNode) -> str:
    """Returns the mean of the simulations through a node."""
    return "" if node.value is None else rounded(node.value)


def caption(root: TreeNode, agent: Agent) -> str:
    """Returns what a search found, and how many nodes it took."""
    found = "" if root.best is None else f" by {root.best.name}"
    name = {"max_n": "Max^n"}.get(agent.name, agent.name.replace("_", "-").capitalize())
    if not root.complete:
        name += f" to depth {root.plies}"
    cut, leaves = sum(node.cut for node in root), len(root.leaves)
    text = f"{name}: {root.text or number(root.value or 0)}{found}, {len(root.visited)} nodes, "
    text += f"{leaves} leaves" + (f", {cut} branch{'es' * (cut > 1)} cut off" if cut else "")
    if root.text:
        return f"{text}; the values of players 0, 1, ..."
    if root.role is not None:
        return f"{text}; MAX is player {root.position.to_move}, MIN all others"
    return text


# ---- step by step


def draw_steps(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    steps: Sequence[int] | None = None,
) -> str:
    """Returns a picture of alpha-beta step by step, a panel after each leaf, as SVG.

    Beside each node is the interval of its possible values at that moment, as in AIMA figure 5.5:
    [−∞, 3] is at most 3. ``steps`` chooses panels by the number of leaves valued, from 1; ``agent``
    and ``depth`` are as in ``draw_tree``, alpha-beta by default. All nodes are drawn. Raises
    ValueError as there, for steps that do not exist, and for more nodes than can be read.
    """
    return to_svg(steps_drawing(position, agent, depth, steps))


def steps_drawing(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    steps: Sequence[int] | None = None,
) -> Drawing:
    """Returns the picture of ``draw_steps`` before it is SVG."""
    agent = make("alpha_beta" if agent is None else agent)
    root = record(position, agent, depth)
    last = len(root.leaves)
    steps = range(1, last + 1) if steps is None else steps
    if not steps or not all(step in range(1, last + 1) for step in steps):
        raise ValueError(f"steps must be numbers of leaves valued, 1 to {last}, not {list(steps)}")
    if len(steps) * len(list(root)) > MOST_IN_PANELS:
        raise ValueError(
            f"{len(steps)} pictures of this tree are too many to be read: "
            "choose some of the steps, or a smaller depth"
        )
    text = caption(root, agent)
    fold(root)
    known = list(after_each_leaf(steps_of(root)))
    unknown = f"[{number(-math.inf)}, {number(math.inf)}]"
    widest = Labels(
        lambda node: max(interval(node, known[-1]), unknown * bool(node.children), key=len)
    )
    shapes: list[Shape] = []
    width = height = 0.0
    for i, step in enumerate(steps):
        here = known[step - 1]
        labels = Labels(
            partial(interval, known=here), shown=here.__contains__, settled=step == last
        )
        picture = TreePicture(root, labels, widest)
        left, top, right, bottom = picture.box
        width, height = right - left + 40, bottom - top + 46
        x = (i % COLUMNS) * width - left
        y = (i // COLUMNS) * height - top
        shapes += [moved(shape, x, y) for shape in picture.shapes()]
        shapes.append(Text(x + left, y + top + 2, f"({letters(i)})", 15, palette.INK, "start"))
    rows, columns = math.ceil(len(steps) / COLUMNS), min(COLUMNS, len(steps))
    box = (0.0, -10.0, columns * width - 40, rows * height - 40)
    return card(shapes, box, text)


def letters(i: int) -> str:
    """Returns the name of a panel: a, b, ... z, aa."""
    name = chr(ord("a") + i % 26)
    return name if i < 26 else letters(i // 26 - 1) + name


def interval(node: TreeNode, known: Mapping[TreeNode, Interval]) -> str:
    """Returns the values that a node can have, or the value of a leaf."""
    if node.cut:
        return ""
    low, high = map(number, known[node])
    return f"[{low}, {high}]" if node.children else low


# ---- games of hidden information, with their information sets

MOST_HISTORIES = 200
"""Nodes of the largest tree that is drawn."""

STEP_DOWN = 124.0
"""From a node down to its children, in pixels."""

RADIUS = 11.0
LOWEST, RISE, DASH = 20.0, 7.0, 6.0
"""How high above its nodes the line of a set runs, how much higher one that would overlap with it,
and the length of its dashes."""

NAME_AT = 0.42
"""Where the name of a move stands on its line, as a part of the length."""


def draw_game_tree(start: Position, policy: TabularPolicy | None = None) -> str:
    """Returns the whole tree of a game with its players' information sets, as an SVG picture.

    With a ``policy``, each move has its probability, and lines are the thicker the likelier it is.
    Raises ValueError for games with more than 200 histories, and as ``GameTree``.
    """
    tree = GameTree(start, limit=MOST_HISTORIES)
    picture = ExtensiveForm(tree, policy)
    text = (
        f"{title(tree.start).capitalize()}: {tree.num_nodes} histories, {tree.num_sets} "
        "information sets (dashed); boxes have what each player wins"
    )
    left, top, right, bottom = picture.box
    box = left, top, max(right, left + wide(text, CAPTION)), bottom
    return to_svg(card(picture.shapes(), box, text))


class ExtensiveForm:
    """Returns the shapes of a game tree. ``box`` (left, top, right, bottom) is their area."""

    def __init__(self, tree: GameTree, policy: TabularPolicy | None = None) -> None:
        self.tree = tree
        self.nodes = [TreeNode(tree.start)]
        self.shares: dict[TreeNode, float] = {}
        """How likely the policy plays the move that leads to a node."""
        for number_of_node in range(1, tree.num_nodes):
            parent = self.nodes[int(tree.parent[number_of_node])]
            child = parent.after(int(tree.action[number_of_node]))
            parent.children.append(child)
            self.nodes.append(child)
            if policy is not None and child.chance is None and child.action is not None:
                share = policy.probabilities(parent.position)[child.action]
                self.shares[child], child.name = share, f"{child.name} {share:.2f}"
        levels = tidy(self.nodes[0], self.extent)
        self.places = {node: (x, level * STEP_DOWN) for node, (x, level) in levels.items()}
        right = max(x + self.extent(node)[1] for node, (x, _) in self.places.items())
        self.box = (-6.0, -34.0, right + 6, max(y for _, y in self.places.values()) + 30)

    def payoffs(self, node: TreeNode) -> list[str]:
        """Returns what each player won at the end of the game."""
        return [number(float(u)) for u in self.tree.utilities[self.nodes.index(node)]]

    def extent(self, node: TreeNode) -> tuple[float, float]:
        """Returns how far a node reaches to the left and to the right of its middle."""
        inside = RADIUS
        if node.ended:
            inside = max(wide(text, NAME) for text in self.payoffs(node)) / 2 + 4
        half = max(inside, wide(node.name, NAME) / (2 * NAME_AT)) + 1
        return half, half

    def shapes(self) -> list[Shape]:
        """Returns information sets below, then branches, then nodes."""
        pairs = [(node, child) for node in self.nodes for child in node.children]
        shapes = self.sets()
        for node, child in pairs:
            share = self.shares.get(child)
            points = self.places[node], self.places[child]
            shapes.append(Line(points, palette.GRID, 1.5 if share is None else 1 + 5 * share))
        for node, child in pairs:
            x, y = on_the_way(self.places[node], self.places[child], NAME_AT)
            half = wide(child.name, NAME) / 2 + 1
            shapes += [
                Rect(x - half, y - 0.6 * NAME, 2 * half, 1.2 * NAME, 3, palette.CARD),
                Text(x, y, child.name, NAME, palette.MUTED),
            ]
        for node in self.nodes:
            shapes += self.node(node)
        return shapes

    def sets(self) -> list[Shape]:
        """Returns dashed lines from node to node of each information set."""
        members: dict[int, list[Point]] = {}
        for node, number_of_set in zip(self.nodes, self.tree.set_of.tolist(), strict=True):
            if number_of_set >= 0:
                members.setdefault(number_of_set, []).append(self.places[node])
        shapes: list[Shape] = []
        ends: dict[tuple[float, int], float] = {}
        for number_of_set, places in sorted(members.items(), key=lambda each: min(each[1])[0]):
            ordered, rank = sorted(places), 0
            (left, level), right = ordered[0], ordered[-1][0]
            while ends.get((level, rank), -math.inf) > left - RADIUS:
                rank += 1  # lines of one height do not overlap
            ends[level, rank] = right
            colour = player_colour(int(self.tree.set_player[number_of_set]))
            high = LOWEST + RISE * rank
            for one, other in itertools.pairwise(ordered):
                (x, y), (u, v) = one, other  # up to a height, across, and down again
                bend, top = min(high / 2, (u - x) / 2), min(y, v) - high
                corners = [one, (x + bend, top), (u - bend, top), other]
                shapes += [Line(ends, colour, 2, DASH) for ends in itertools.pairwise(corners)]
        return shapes

    def node(self, node: TreeNode) -> list[Shape]:
        """Returns a node with the number of the player, or a box with what each player won."""
        x, y = self.places[node]
        if node.ended:
            lines = self.payoffs(node)
            half = max(wide(text, NAME) for text in lines) / 2 + 3
            high = 14 * len(lines) + 4
            box = Rect(x - half, y - 10, 2 * half, high, 3, palette.CELL, palette.GRID, 1)
            return [
                box,
                *(Text(x, y - 1 + 14 * i, t, NAME, player_colour(i)) for i, t in enumerate(lines)),
            ]
        if node.player == CHANCE:
            return [Circle(x, y, 6, palette.CARD, palette.MUTED, 2)]
        disc = Circle(x, y, RADIUS, player_colour(node.player))
        return [disc, Text(x, y, str(node.player), NAME, palette.CARD)]
