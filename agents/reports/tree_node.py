"""Holds the nodes of the tree of a search, and how many of them are shown.

Values are for MAX: player 0, or the player to move at the root where a search takes it so.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from adv_envs import CHANCE, Position
from agents.search.limits import EVALUATION_LIMIT, WIN

Interval = tuple[float, float]
UNKNOWN: Interval = (-math.inf, math.inf)
"""The bounds of what is not known."""


@dataclass(eq=False)
class TreeNode:
    """Describes a position that a search visited, or did not visit because it was cut off."""

    position: Position
    name: str = ""
    """The move that led here; where ``dots`` is set, what is left out."""
    action: int | None = None
    """The number of that move."""
    score: float | None = None
    """What the search found, on its own scale: won games count more than any evaluation. Only a
    bound where branches below were cut off."""
    score_window: Interval | None = None
    """Alpha and beta when the search came here; None for searches without a window."""
    bounds: Interval = UNKNOWN
    """The least and the largest score that the node can have, as far as the search knows."""
    children: list[TreeNode] = field(default_factory=list)
    best: TreeNode | None = None
    """The child that the value comes from."""
    cut: bool = False
    """Whether the search never looked at this node."""
    known: bool = False
    """Whether the search had its value in a table."""
    dots: bool = False
    """Whether this only stands for others that are left out."""
    hidden: int = 0
    """How many nodes below this one, or cut off beside it, are left out of the picture."""
    leaf: int = 0
    """For a node that was valued at once: its number among those, from 1."""
    visits: int | None = None
    """How often a sampling search visited the node."""
    chance: float | None = None
    """The probability of the move that led here, if chance made it."""
    role: int | None = None
    """0 for a node of MAX and 1 for one of MIN, where that does not follow from who moves."""
    scale: dict[float, float] = field(default_factory=dict, repr=False)
    """The utilities of finished games by their scores, for all nodes of the tree."""
    text: str = ""
    note: str = ""
    """What is written at the node in place of its value, and below."""

    @property
    def value(self) -> float | None:
        """Returns what the search found: a utility, or an evaluation."""
        return None if self.score is None else self.in_values(self.score)

    @property
    def window(self) -> Interval | None:
        """Returns alpha and beta when the search came here, in values."""
        return None if self.score_window is None else self.both_in_values(self.score_window)

    @property
    def player(self) -> int:
        """Returns the player to move, or CHANCE; the role, where there is one."""
        return self.position.to_move if self.role is None else self.role

    @property
    def sign(self) -> int:
        """Returns 1 where larger scores are better for the player to move, -1 where smaller are."""
        return -1 if self.player == 1 else 1

    @property
    def numbered(self) -> bool:
        """Tells whether nodes have the number of the player to move: with three and more."""
        return self.role is None and self.position.num_players > 2

    @property
    def ended(self) -> bool:
        """Returns whether the game is over here, not only the search."""
        return self.position.is_terminal()

    @property
    def inner(self) -> bool:
        """Returns whether the search went on below this node."""
        return bool(self.children) or self.hidden > 0

    def __iter__(self) -> Iterator[TreeNode]:
        """Yields this node and all below it, depth first from the left."""
        yield self
        for child in self.children:
            yield from child

    def line(self) -> list[TreeNode]:
        """Returns best play from here."""
        line = [self]
        while line[-1].best is not None:
            line.append(line[-1].best)
        return line

    @property
    def visited(self) -> list[TreeNode]:
        """Returns the nodes that the search visited, this one included."""
        return [node for node in self if not node.cut and not node.dots]

    @property
    def leaves(self) -> list[TreeNode]:
        """Returns the nodes that were valued at once, in that order."""
        return sorted((node for node in self if node.leaf), key=lambda node: node.leaf)

    @property
    def complete(self) -> bool:
        """Returns whether the search went to the end of the game below this node."""
        return all(leaf.ended for leaf in self.leaves)

    @property
    def plies(self) -> int:
        """Returns the most moves of players in a line below this node."""
        deepest = max((child.plies for child in self.children), default=0)
        return deepest + (bool(self.children) and self.player != CHANCE)

    def in_values(self, score: float) -> float:
        """Returns a score as a value: where the game is over, its utility.

        A bound of a null window, which is next to a score, has the value of that one.
        """
        for near in (score, math.nextafter(score, -math.inf), math.nextafter(score, math.inf)):
            if near in self.scale:
                return self.scale[near]
        if math.isfinite(score) and abs(score) > EVALUATION_LIMIT:
            return round(score / WIN, 6)
        return 0.0 if abs(score) < sys.float_info.min else float(score)

    def both_in_values(self, scores: Interval) -> Interval:
        """Returns two scores as values."""
        return self.in_values(scores[0]), self.in_values(scores[1])

    def after(self, action: int, **facts: Any) -> TreeNode:
        """Returns a node for the position after ``action``, which is not yet among the children."""
        here = self.position
        if here.to_move == CHANCE:
            facts["chance"] = here.probability(action)
        return TreeNode(here.play(action), here.name(action), action, scale=self.scale, **facts)


class TooManyNodes(ValueError):
    """Says that a tree has more nodes than are recorded."""


def require_at_most(nodes: int, limit: int) -> None:
    """Raises TooManyNodes for more than ``limit`` nodes."""
    if nodes > limit:
        raise TooManyNodes(
            f"the tree has more than {limit:,} nodes: "
            "take a smaller depth, a smaller board, or start after more moves"
        )


def bounds_of(node: TreeNode, bounds: Sequence[Interval]) -> Interval:
    """Returns the bounds of a node by those of its children."""
    lows, highs = zip(*bounds, strict=True)
    if node.player == CHANCE:
        chances = [child.chance or 0.0 for child in node.children]
        return mean_of(chances, lows), mean_of(chances, highs)
    best = max if node.player == 0 else min
    return best(lows), best(highs)


def mean_of(chances: Sequence[float], values: Sequence[float]) -> float:
    """Returns the expected value."""
    return math.fsum(p * value for p, value in zip(chances, values, strict=True) if p)


# ---- what is left out of a picture


def fold(root: TreeNode, most: int = 3) -> None:
    """Lets one branch stand for all moves cut off, where there are more than ``most``."""
    for node in list(root):
        cut = [child for child in node.children if child.cut]
        if len(cut) > most:
            cut[0].name, cut[0].hidden = f"{len(cut)} cut off", len(cut) - 1
            node.children = [child for child in node.children if child is cut[0] or not child.cut]


def pruned(root: TreeNode, nodes: int, children: int) -> TreeNode:
    """Returns a copy of a tree without what makes more than ``nodes`` nodes.

    Best play is kept first, then nodes from the top down, as far as ``nodes`` allow. A node keeps
    at most ``children`` of its children, the best ones; a node with ``dots`` and the name "7 more"
    stands for the others, and ``hidden`` counts all nodes that are left out below a node.
    """
    if sum(1 for _ in root) <= nodes:
        return root
    line, level, rest = root.line(), [root], list[TreeNode]()
    while level:
        rest += [node for node in level if node not in line]
        level = [child for node in level for child in node.children]
    visible, drawn = {root}, 1
    kept: dict[TreeNode, list[TreeNode]] = {}
    for node in (*line, *rest):
        shown = some_children(node, children)
        if node is root or (node in visible and drawn + len(shown) <= nodes):
            kept[node] = shown
            visible.update(shown)
            drawn += len(shown)
    return copied(root, kept)


def copied(node: TreeNode, kept: dict[TreeNode, list[TreeNode]]) -> TreeNode:
    """Returns a copy of a node and those below it that are ``kept``, the children of each."""
    copy = dataclasses.replace(node, children=[], best=None)
    if node not in kept:
        copy.hidden += sum(1 for _ in node) - 1
        return copy
    for child in kept[node]:
        copy.children.append(copied(child, kept))
        if child is node.best:
            copy.best = copy.children[-1]
    return copy


def some_children(node: TreeNode, most: int) -> list[TreeNode]:
    """Returns the ``most`` best children in their order, and a node that counts the others."""
    if len(node.children) <= most + 1:
        return node.children
    ranked = sorted(node.children, key=lambda child: (child.cut, -node.sign * (child.score or 0.0)))
    if node.best is not None:
        ranked = [node.best, *(child for child in ranked if child is not node.best)]
    shown = [child for child in node.children if child in ranked[:most]]
    left_out = sum(1 for child in node.children if not child.dots) - len(shown)
    return [*shown, TreeNode(node.position, f"{left_out} more", dots=True)]


# ---- numbers as text


def number(value: float) -> str:
    """Returns a value as the textbook writes it: "3", "−0.35", "+∞"."""
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{value:.3g}".replace("-", "−")


def rounded(value: float) -> str:
    """Returns a mean with two digits: "0.15"."""
    return f"{value:.2f}".replace("-", "−")
