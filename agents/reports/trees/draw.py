"""Search trees as SVG: what a search looked at, what it found there, and what it left out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from adv_envs import Position
from adv_envs.pictures import palette
from adv_envs.pictures.picture import CAPTION, card
from adv_envs.pictures.shapes import Drawing, Shape, Text, moved
from adv_envs.pictures.svg import to_svg
from agents.agent import Agent, require_limit, require_position
from agents.mcts.agent import MCTS
from agents.search.alpha_beta import AlphaBeta
from agents.search.expectimax import Expectimax
from agents.search.minimax import Minimax

from .node import MOST_NODES, Node, fold
from .picture import Labels, TreePicture, number, rounded, wide
from .record import Recorder
from .sampled import grown, outline

COLUMNS = 3
"""Panels side by side."""


def draw_tree(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    children: int = 5,
) -> str:
    """The tree that a search from ``position`` goes through, as an SVG picture.

    Triangles on their base are MAX's nodes (player 0), on their tip MIN's; small boards are drawn
    in their place. Boxes are finished games, bubbles are evaluations at the depth limit. All values
    are for MAX. Gold is best play.

    ``agent`` says which search, as an object or a spec: ``Minimax()``, the default; ``AlphaBeta()``
    with the window in which each node was searched and the branches that were cut struck out;
    ``Expectimax()``, with circles where chance moves. Its evaluation and move order are used,
    and its depth unless ``depth`` is given; None is the end of the game. Of ``MCTS()`` the first
    two plies (or ``depth``) of the tree that it grows are drawn, and of each node the most visited
    ``children``, with visits and means; the more visits, the thicker the line. ValueError for a
    finished game, for more nodes than can be read, and for an agent that has no such tree.
    """
    return to_svg(tree_drawing(*searched_tree(position, agent, depth, children)))


def searched_tree(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    children: int = 5,
) -> tuple[Node, str]:
    """The tree that ``draw_tree`` draws, and its caption."""
    from agents.spec import make

    require_position(position)
    agent = Minimax() if agent is None else make(agent)
    require_limit("depth", depth)
    require_limit("children", children)
    if isinstance(agent, MCTS):
        root = grown(position, agent, depth or 2, children)
        best = "" if root.best is None else f" {root.best.name},"
        return root, f"MCTS:{best} {root.visits:,} simulations, {mean_value(root)} on average"
    root = record(position, agent, depth)
    return root, caption(root)


def tree_drawing(root: Node, text: str) -> Drawing:
    """The picture of a tree above its caption."""
    if root.visits is not None:
        return on_card(root, Labels(mean_value, visits), text)
    fold(root)
    return on_card(root, Labels(note=window) if root.window else Labels(), text)


def on_card(root: Node, labels: Labels, text: str) -> Drawing:
    """A tree above its caption."""
    picture = TreePicture(root, labels)
    left, top, right, bottom = picture.box
    return card(picture.shapes(), (left, top, max(right, left + wide(text, CAPTION)), bottom), text)


def draw_game(position: Position, widths: Sequence[int] = (9, 3, 3)) -> str:
    """A part of the whole tree of a game, as in AIMA figure 5.1, as an SVG picture.

    ``widths[i]`` is how many children are drawn of the first node of level i; dots stand for the
    others, and below the last of them are finished games with what they are worth to MAX.
    ValueError for a finished game, for widths that are not all above 0, and for too many nodes.
    """
    for width in widths:
        require_limit("every width", width)
    labels = Labels(ends="TERMINAL")
    return to_svg(on_card(outline(position, widths), labels, "The values are utilities for MAX"))


def record(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    limit: int = MOST_NODES,
) -> Node:
    """The tree of ``draw_tree`` as nodes, to be looked into."""
    from agents.spec import make

    agent = Minimax() if agent is None else make(agent)
    require_limit("depth", depth)
    if not isinstance(agent, Minimax | AlphaBeta | Expectimax):
        raise ValueError(
            f"{agent.name} has no tree that could be drawn; "
            "minimax, alpha_beta, expectimax and mcts have"
        )
    if depth is None:
        depth = agent.depth
    pruning = isinstance(agent, AlphaBeta)
    order = getattr(agent, "order", None)  # as the moves are numbered, unless it is a function
    if position.has_chance and not isinstance(agent, Expectimax):
        raise ValueError(f"{agent.name} plays games without chance; expectimax draws this one")
    recorder = Recorder(
        position,
        depth,
        pruning=pruning,
        evaluate=agent.evaluate,
        order=order if callable(order) else None,
        limit=limit,
    )
    return recorder.root


def window(node: Node) -> str:
    """Alpha and beta of a node that was looked into."""
    if node.window is None or not node.children:
        return ""
    alpha, beta = map(number, node.window)
    return f"α {alpha}  β {beta}"


def visits(node: Node) -> str:
    """How often a sampling search came to a node."""
    return "" if node.visits is None else f"{node.visits:,} ×"


def mean_value(node: Node) -> str:
    """What the simulations through a node were worth."""
    return "" if node.value is None else rounded(node.value)


def caption(root: Node) -> str:
    """What the search found, and what it took."""
    cut = sum(node.cut for node in root)
    visited, leaves = len(root.visited), len(root.leaves)
    found = "" if root.best is None else f" by {root.best.name}"
    name = "Alpha-beta" if root.window else "Minimax"
    if any(node.chance is not None for node in root):
        name = "Expectimax"
    less = f", {cut} branch{'es' * (cut > 1)} cut off" if cut else ""
    return f"{name}: {number(root.value or 0)}{found}, {visited} nodes, {leaves} leaves{less}"


# ---- step by step


def draw_steps(
    position: Position,
    agent: Agent | str | None = None,
    depth: int | None = None,
    steps: Sequence[int] | None = None,
) -> str:
    """Alpha-beta as it goes on, a panel after each leaf, as an SVG picture.

    Beside each node stands what is known of its value by then, as in AIMA figure 5.5: [−∞, 3] is
    at most 3. ``steps`` chooses panels by the number of leaves valued, from 1; ``agent`` and
    ``depth`` are as in ``draw_tree``, alpha-beta by default. ValueError as there, and for steps
    that there are not.
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
    if len(steps) * len(list(root)) > 4 * MOST_NODES:
        raise ValueError(
            f"{len(steps)} pictures of this tree are too many to be read: "
            "choose some of the steps, or a smaller depth"
        )
    return panels(root, steps)


def panels(root: Node, steps: Sequence[int]) -> Drawing:
    """Pictures of the same tree, each after so many leaves."""
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


def labels_after(root: Node, step: int) -> Labels:
    """What is known of each node once ``step`` leaves are valued; 0 is the widest it may get."""
    first, last = spans(root)
    above = {child: node for node in root for child in node.children}

    def shown(node: Node) -> bool:
        if node.cut:
            return last[above[node]] <= step
        return first[node] <= step

    def value(node: Node) -> str:
        if node.cut:
            return ""
        if not node.children:
            return number(node.value or 0)
        low, high = known(node, step) if step else known(node, last[node])
        text = f"[{number(low)}, {number(high)}]"
        return text if step else max(text, "[−∞, +∞]", key=len)

    return Labels(value=value, shown=shown, settled=step == last[root])


def spans(root: Node) -> tuple[dict[Node, int], dict[Node, int]]:
    """The numbers of the first and the last leaf that was valued below each node."""
    first: dict[Node, int] = {}
    last: dict[Node, int] = {}
    for node in reversed(list(root)):  # children come before their parents
        below = [child for child in node.children if not child.cut]
        first[node] = min((first[child] for child in below), default=node.leaf)
        last[node] = max((last[child] for child in below), default=node.leaf)
    return first, last


def known(node: Node, step: int) -> tuple[float, float]:
    """Between which values a node lies, once ``step`` leaves are valued."""
    if node.cut or (node.leaf and node.leaf > step):
        return -math.inf, math.inf
    if node.leaf:
        return node.value or 0.0, node.value or 0.0
    lows, highs = zip(*(known(child, step) for child in node.children), strict=True)
    best = max if node.player == 0 else min
    return best(lows), best(highs)
