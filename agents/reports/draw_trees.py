"""Search trees as SVG: what a search visited, what it found there, and what it left out."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from adv_envs import CHANCE, Position
from adv_envs.pictures import palette
from adv_envs.pictures.picture import CAPTION, card
from adv_envs.pictures.shapes import Drawing, Shape, Text, moved
from adv_envs.pictures.svg import to_svg
from agents.agent import Agent, require_limit, require_position, require_unfinished
from agents.mcts import MCTS

from .other_trees import OTHERS, other_tree
from .search_tree import MOST_NODES, TreeNode, fold, grown, pruned, record, require_at_most
from .tree_picture import Labels, TreePicture, number, rounded, wide

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
MOST_IN_PANELS = 1600
"""Nodes in all panels of ``draw_steps`` together."""


def draw_tree(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    children: int | None = None,
    nodes: int | None = None,
) -> str:
    """The tree that a search from ``position`` goes through, as an SVG picture.

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

    At most ``nodes`` nodes are drawn (by default 64, or fewer in a picture wider than 1,400
    pixels), and at most ``children`` of each (by default 12; 5 of MCTS): best play first, then
    nodes from the top down. "7 more" stands for children that are left out, dots for all that is
    below a node. Raises ValueError for a finished game, for an agent that has no such tree, and if
    the tree to the given depth has more than 2,000 nodes.
    """
    return to_svg(tree_drawing(*searched_tree(position, agent, depth, children, nodes)))


def searched_tree(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    children: int | None = None,
    nodes: int | None = None,
) -> tuple[TreeNode, str]:
    """The nodes that ``draw_tree`` draws, and the caption."""
    from agents.spec import make

    require_position(position)
    agent = None if agent is None else make(agent)
    require_limit("depth", depth)
    require_limit("children", children)
    require_limit("nodes", nodes)
    if isinstance(agent, MCTS):
        children = children or VISITED_CHILDREN
        root = grown(position, agent, depth or 2, children)
        best = "" if root.best is None else f" {root.best.name},"
        text = f"MCTS:{best} {root.visits:,} simulations, {mean_value(root)} on average"
    elif isinstance(agent, OTHERS):
        root, text = other_tree(position, agent, depth)
    else:
        root = record(position, agent, depth)
        text = caption(root)
        fold(root)
    for number_of_nodes in (nodes,) if nodes else NODES:
        drawn = pruned(root, number_of_nodes, children or CHILDREN)
        left, _, right, _ = TreePicture(drawn, labels_of(drawn)).box
        if right - left <= WIDTH:
            break
    left_out = sum(1 for _ in root) - sum(not node.dots for node in drawn)
    return drawn, text + (f"; {left_out:,} nodes are not drawn" if drawn is not root else "")


def tree_drawing(root: TreeNode, text: str) -> Drawing:
    """The picture of a tree above its caption."""
    return on_card(root, labels_of(root), text)


def labels_of(root: TreeNode) -> Labels:
    """What is written at the nodes of a tree: means and visits, or values and windows."""
    if root.text:
        return Labels(lambda node: node.text, lambda node: node.note)
    if root.visits is not None:
        return Labels(mean_value, visits)
    return Labels(note=window) if root.window else Labels()


def on_card(root: TreeNode, labels: Labels, text: str) -> Drawing:
    """A tree above its caption."""
    picture = TreePicture(root, labels)
    left, top, right, bottom = picture.box
    return card(picture.shapes(), (left, top, max(right, left + wide(text, CAPTION)), bottom), text)


def draw_game(position: Position, widths: Sequence[int] = (9, 3, 3)) -> str:
    """A part of the whole tree of a game, as in AIMA figure 5.1, as an SVG picture.

    ``widths[i]`` is how many children are drawn of the first node of level i; dots stand for the
    others, and below the last of them are finished games with their utilities for MAX. Raises
    ValueError for a finished game, for widths that are not all above 0, and for too many nodes.
    """
    for width in widths:
        require_limit("every width", width)
    labels = Labels(ends="TERMINAL")
    return to_svg(on_card(outline(position, widths), labels, "The values are utilities for MAX"))


def outline(position: Position, widths: Sequence[int], seed: int = 0) -> TreeNode:
    """A part of the whole game tree: ``widths[i]`` children of the first node of level i.

    Below the last level are finished games, found by random play, with different utilities as far
    as there are any.
    """
    require_unfinished(position)
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
            node.children[0].children = [TreeNode(end, value=float(end.utility(0)))]
    require_at_most(sum(1 for _ in root), MOST_NODES)
    return root


def finished(position: Position, generator: random.Random, seen: list[float]) -> Position:
    """The end of a random game, with the utility for player 0 that is rarest in ``seen``."""
    ends: dict[float, Position] = {}
    for _ in range(50):
        end = position
        while not end.is_terminal():
            end = end.play(generator.choice(end.legal_actions()))
        ends.setdefault(float(end.utility(0)), end)
    return ends[min(sorted(ends), key=seen.count)]


def window(node: TreeNode) -> str:
    """Alpha and beta of an inner node."""
    if node.window is None or not node.inner:
        return ""
    alpha, beta = map(number, node.window)
    return f"α {alpha}  β {beta}"


def visits(node: TreeNode) -> str:
    """How often a sampling search visited a node."""
    return "" if node.visits is None else f"{node.visits:,} ×"


def mean_value(node: TreeNode) -> str:
    """The mean of the simulations through a node."""
    return "" if node.value is None else rounded(node.value)


def caption(root: TreeNode) -> str:
    """What the search found, and how many nodes it took."""
    cut = sum(node.cut for node in root)
    visited, leaves = len(root.visited), len(root.leaves)
    found = "" if root.best is None else f" by {root.best.name}"
    name = "Alpha-beta" if root.window else "Minimax"
    if any(node.chance is not None for node in root):
        name = "Expectiminimax"
    if not all(leaf.ended for leaf in root.leaves):
        name += f" to depth {plies(root)}"
    less = f", {cut} branch{'es' * (cut > 1)} cut off" if cut else ""
    return f"{name}: {number(root.value or 0)}{found}, {visited} nodes, {leaves} leaves{less}"


def plies(node: TreeNode) -> int:
    """The most moves of players in a line of the tree."""
    deepest = max(map(plies, node.children), default=0)
    return deepest + (bool(node.children) and node.player != CHANCE)


# ---- step by step


def draw_steps(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    steps: Sequence[int] | None = None,
) -> str:
    """Alpha-beta step by step, a panel after each leaf, as an SVG picture.

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
    """The picture of ``draw_steps`` before it is SVG."""
    root = record(position, "alpha_beta" if agent is None else agent, depth)
    last = len(root.leaves)
    steps = range(1, last + 1) if steps is None else steps
    if not steps or not all(step in range(1, last + 1) for step in steps):
        raise ValueError(f"steps must be numbers of leaves valued, 1 to {last}, not {list(steps)}")
    if len(steps) * len(list(root)) > MOST_IN_PANELS:
        raise ValueError(
            f"{len(steps)} pictures of this tree are too many to be read: "
            "choose some of the steps, or a smaller depth"
        )
    return panels(root, steps)


def panels(root: TreeNode, steps: Sequence[int]) -> Drawing:
    """A picture of the tree after each number of leaves in ``steps``."""
    text = caption(root)
    fold(root)
    shapes: list[Shape] = []
    width = height = 0.0
    for i, step in enumerate(steps):
        picture = TreePicture(root, labels_after(root, step), labels_after(root, 0))
        left, top, right, bottom = picture.box
        width, height = right - left + 40, bottom - top + 46
        x = (i % COLUMNS) * width - left
        y = (i // COLUMNS) * height - top
        shapes += [moved(shape, x, y) for shape in picture.shapes()]
        name = f"({letters(i)})"
        shapes.append(Text(x + left, y + top + 2, name, 15, palette.INK, "start"))
    rows, columns = math.ceil(len(steps) / COLUMNS), min(COLUMNS, len(steps))
    box = (0.0, -10.0, columns * width - 40, rows * height - 40)
    return card(shapes, box, text)


def letters(i: int) -> str:
    """The name of a panel: a, b, ... z, aa."""
    name = chr(ord("a") + i % 26)
    return name if i < 26 else letters(i // 26 - 1) + name


def labels_after(root: TreeNode, step: int) -> Labels:
    """What is known of each node after ``step`` leaves; 0 stands for the widest labels of all."""
    first, last = spans(root)
    above = {child: node for node in root for child in node.children}

    def shown(node: TreeNode) -> bool:
        if node.cut:
            return last[above[node]] <= step
        return first[node] <= step

    def value(node: TreeNode) -> str:
        if node.cut:
            return ""
        if not node.children:
            return number(node.value or 0)
        low, high = known(node, step) if step else known(node, last[node])
        text = f"[{number(low)}, {number(high)}]"
        return text if step else max(text, "[−∞, +∞]", key=len)

    return Labels(value=value, shown=shown, settled=step == last[root])


def spans(root: TreeNode) -> tuple[dict[TreeNode, int], dict[TreeNode, int]]:
    """The numbers of the first and the last leaf that was valued below each node."""
    first: dict[TreeNode, int] = {}
    last: dict[TreeNode, int] = {}
    for node in reversed(list(root)):  # children come before their parents
        below = [child for child in node.children if not child.cut]
        first[node] = min((first[child] for child in below), default=node.leaf)
        last[node] = max((last[child] for child in below), default=node.leaf)
    return first, last


def known(node: TreeNode, step: int) -> tuple[float, float]:
    """The bounds of a node's value after ``step`` leaves are valued."""
    if node.cut or (node.leaf and node.leaf > step):
        return -math.inf, math.inf
    if node.leaf:
        return node.value or 0.0, node.value or 0.0
    lows, highs = zip(*(known(child, step) for child in node.children), strict=True)
    best = max if node.player == 0 else min
    return best(lows), best(highs)
