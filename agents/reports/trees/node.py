"""The tree that a search went through, node by node, as it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from adv_envs import CHANCE, Position

MOST_NODES = 400
"""A picture with more nodes than this cannot be read by anybody."""


@dataclass(eq=False)
class Node:
    """A position that a search visited, or did not because it was cut off.

    Values and windows are for player 0, MAX; a search compares ``score``, in which won games count
    more than any evaluation.
    """

    position: Position
    name: str = ""
    """The move that led here."""
    value: float | None = None
    """What the search found this to be worth: a bound only, where branches below were cut off."""
    score: float = 0.0
    window: tuple[float, float] | None = None
    """Alpha and beta when the search came here."""
    children: list[Node] = field(default_factory=list)
    best: Node | None = None
    """The child that the value comes from."""
    cut: bool = False
    """Whether the search never looked at this node."""
    dots: bool = False
    """Whether this only says that there is more: a sibling of others, or something in between."""
    leaf: int = 0
    """For a node that was valued at once: its number among those, from 1."""
    visits: int | None = None
    """How often a search that samples came here."""
    chance: float | None = None
    """The probability of the move that led here, where chance made it."""

    @property
    def player(self) -> int:
        """The player to move, or CHANCE."""
        return self.position.to_move

    @property
    def ended(self) -> bool:
        """Whether this is a finished game, not one that the search stopped looking at."""
        return self.position.is_terminal()

    def __iter__(self) -> Iterator[Node]:
        """This node and all below it, depth first from the left."""
        yield self
        for child in self.children:
            yield from child

    def line(self) -> list[Node]:
        """Best play from here."""
        line = [self]
        while line[-1].best is not None:
            line.append(line[-1].best)
        return line

    @property
    def visited(self) -> list[Node]:
        """The nodes that the search visited, this one included."""
        return [node for node in self if not node.cut and not node.dots]

    @property
    def leaves(self) -> list[Node]:
        """The nodes that were valued at once, in that order."""
        return sorted((node for node in self if node.leaf), key=lambda node: node.leaf)


def kind(node: Node) -> str:
    """Who moves, in the words of the textbook."""
    return "CHANCE" if node.player == CHANCE else ("MAX", "MIN")[node.player]


def fold(root: Node, most: int = 3) -> None:
    """Where more than ``most`` moves were cut off in a node, let one branch stand for them all."""
    for node in list(root):
        cut = [child for child in node.children if child.cut]
        if len(cut) > most:
            cut[0].name = f"{len(cut)} cut off"
            node.children = [child for child in node.children if child is cut[0] or not child.cut]


def require_room(nodes: int, limit: int) -> None:
    """Raise ValueError where a tree of so many nodes could not be read."""
    if nodes > limit:
        raise ValueError(
            f"the tree has more than {limit} nodes, too many to be read: "
            "take a smaller depth, a smaller board, or start after more moves"
        )
