"""What a game knows of its own accord, hung into the tree at nodes that are visited often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from adv_envs import Position

from .search import Search
from .simulation import AT, MOVER

Decided = Callable[[Any], Mapping[int, float]]
"""A position to the exact values of some of its moves, for the player to move; often of none."""


def advise(search: Search, position: Position, depth: int, visits: int, decided: Decided) -> None:
    """Ask about the nodes of the last path, ``depth`` long, that were visited ``visits`` times.

    What is known becomes the bounds of their children, and is backed up to the root, ``position``.
    """
    tree, path = search.tree, search.path
    here, changed = [position], False
    for node in path[AT, 1 : depth + 1]:
        here.append(here[-1].play(int(tree[node]["action"])))
    for level in range(depth, -1, -1):
        node = int(path[AT, level])
        if tree[node]["lower"] == tree[node]["upper"]:
            continue
        if tree[node]["visits"] == visits and tree[node]["width"] > 0:
            values = decided(here[level])
            for child in search.children(node) if values else ():
                value = values.get(int(child["action"]))
                if value is not None:
                    child["lower"] = child["upper"] = value
                    changed = True
        if changed:
            same = level == 0 or path[MOVER, level - 1] == path[MOVER, level]
            tighten(search, node, bool(same))


def tighten(search: Search, node: int, same: bool) -> None:
    """Set the bounds of ``node`` by those of its children; ``same`` as for ``tree.tighten``."""
    children = search.children(node)
    low, high = children["lower"].max(), children["upper"].max()
    if not same:
        low, high = 0.0 - high, 0.0 - low
    search.tree[node]["lower"], search.tree[node]["upper"] = low, high
