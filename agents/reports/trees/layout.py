"""Where the nodes of a tree go: as narrow as it can be without anything overlapping.

Subtrees are put side by side as close as their outlines allow, and parents above the middle of
their children. Source: Reingold and Tilford, Tidier Drawings of Trees (1981).
"""

from __future__ import annotations

from collections.abc import Callable

from .node import Node

GAP = 10.0
"""Between neighbours, in pixels."""

Extent = Callable[[Node], tuple[float, float]]
"""How far a node reaches to the left and to the right of its middle."""


def tidy(root: Node, extent: Extent) -> dict[Node, tuple[float, int]]:
    """(x, level) of every node; the root has level 0, and the leftmost node begins at x = 0."""
    offsets: dict[Node, float] = {}  # from the parent's x
    outline = place(root, extent, offsets)
    places = {root: (-min(left for left, _ in outline), 0)}
    for node in root:  # parents come before their children
        x, level = places[node]
        for child in node.children:
            places[child] = x + offsets[child], level + 1
    return places


def place(node: Node, extent: Extent, offsets: dict[Node, float]) -> list[tuple[float, float]]:
    """Place all below ``node``; its outline: from where to where each level reaches."""
    left, right = extent(node)
    below: list[tuple[float, float]] = []
    xs: list[float] = []
    for child in node.children:
        outline = place(child, extent, offsets)
        levels = zip(below, outline, strict=False)
        x = max((high + GAP - low for (_, high), (low, _) in levels), default=0.0)
        xs.append(x)
        below = merged(below, [(low + x, high + x) for low, high in outline])
    if not xs:
        return [(-left, right)]
    middle = (xs[0] + xs[-1]) / 2
    for child, x in zip(node.children, xs, strict=True):
        offsets[child] = x - middle
    return [(-left, right), *((low - middle, high - middle) for low, high in below)]


def merged(
    one: list[tuple[float, float]], other: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The outline of two outlines together."""
    both = [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=False)]
    longer = one if len(one) > len(other) else other
    return both + longer[len(both) :]
