r"""Explicit game trees, such as figure 5.2 of Artificial Intelligence: A Modern Approach.

A tree is written as it is drawn: a dict from the names of the moves to subtrees, with numbers at
the leaves, worth that much to MAX, who moves first; MAX and MIN take turns. Nodes are numbered
depth first, so that figure 5.2 is::

                        A 0
             a1 /     a2 |     \ a3
             B 1        C 5        D 9
           / | \      / | \      / | \
          2  3  4     6  7  8    10 11 12        (nodes)
          3 12  8     2  4  6    14  5  2        (utilities)
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from adv_envs.position import Example, Position, reflowed, require_between

MOST = sys.float_info.max
"""No leaf is worth more, as Python's integers can be."""

DEEPEST = 200
"""The moves of the longest line in a tree that is drawn by hand."""


class Tree(Position, compiled=False):
    """Represents a node; ``Tree({"left": {"a": 1, "b": 2}, "right": 0})`` is the root of a tree.

    Raises ValueError for an empty tree or node, and TypeError for a leaf that is not a number.
    Trees are drawn by hand and small, so they run in plain Python everywhere.
    """

    tree: Any = ((0.0,),)  # node by node, depth first: (utility,) or ((move, child), ...)
    node: int = 0
    ply: int = 0
    parameters = ("tree",)
    parameter_words = (("Tree", "The moves and the values at their ends."),)
    side_names = ("MAX", "MIN")

    @classmethod
    def convert(cls, field: str, value: Any) -> Any:
        """Turns a drawn tree into its nodes, depth first."""
        if field != "tree" or isinstance(value, tuple):
            return super().convert(field, value)
        if not isinstance(value, Mapping):
            raise TypeError(f"a tree is a dict from moves to subtrees and numbers, not {value!r}")
        return _flatten(value)

    @property
    def moves(self) -> tuple[Any, ...]:
        """Returns the (name, child) of each move from here; empty at a leaf."""
        here: tuple[Any, ...] = self.tree[self.node]
        return here if isinstance(here[0], tuple) else ()

    @property
    def num_actions(self) -> int:
        """Returns the most moves that any node has; action i is the i-th move from the left."""
        return max((len(node) for node in self.tree if isinstance(node[0], tuple)), default=1)

    @property
    def to_move(self) -> int:
        """Returns the player to move: MAX (0) and MIN (1) take turns."""
        return self.ply % 2

    def legal(self, action: int) -> bool:
        """Tests whether the node has such a move."""
        return action < len(self.moves)

    def play(self, action: int) -> Tree:
        """Goes down to a child."""
        return type(self)(self.tree, self.moves[action][1], self.ply + 1)

    def is_terminal(self) -> bool:
        """Tests whether the node is a leaf."""
        return not self.moves

    def utility(self, player: int) -> float:
        """Returns the number at the leaf for MAX, its negative for MIN."""
        value: float = self.tree[self.node][0]
        return value if player == 0 else -value

    @property
    def max_utility(self) -> float:
        """Returns the largest number at a leaf, in size."""
        return float(max(abs(node[0]) for node in self.tree if not isinstance(node[0], tuple)))

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (1,): the number of the node."""
        return (1,)

    @property
    def observation_high(self) -> int:
        """Returns the number of the last node."""
        return len(self.tree) - 1

    def observe(self, player: int, planes: Any) -> None:
        """Writes the number of the node, depth first from 0."""
        planes[0] = self.node

    # ---- not needed by the rules

    def result_text(self) -> str:
        number = abs(self.utility(0))
        return super().result_text() + (f" {number:g}" if number else "")

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Player 0, called MAX, wants to reach a leaf of the tree with a large number,
            player 1, called MIN, one with a small number. The tree, with the moves from each node
            and what they lead to, is known to both: {self.drawn(0)}.

            **Moves.** The game begins at the root of the tree. MAX and MIN take turns, MAX first. A
            move chooses one of those that are drawn from the node where the game is, and goes down
            to what it leads to: another node, or a leaf. Nobody may pass, and there is no way back.

            **End.** The game is over at a leaf. MAX gets its number, and MIN the negative of it: a
            leaf of 3 is worth 3 to MAX and -3 to MIN. So the numbers are scores, and not only
            their signs matter.

            **Notation.** A move is written by its name in the tree, such as `{self.tree[0][0][0]}`
            at the root.

            **Board.** One line tells who is to move, MAX or MIN, and lists the moves from the node
            where the game is; at a leaf it tells what the leaf is worth to MAX.
            """)

    def drawn(self, node: int) -> str:
        """Returns a node as it is drawn: the number of a leaf, or {move: what it leads to, ...}."""
        here = self.tree[node]
        if not isinstance(here[0], tuple):
            return f"{here[0]:g}"
        return f"{{{', '.join(f'{move}: {self.drawn(child)}' for move, child in here)}}}"

    def name(self, action: int) -> str:
        """Returns what the move is called in the drawing."""
        moves = self.moves
        return moves[action][0] if action < len(moves) else str(action)

    def check(self) -> None:
        """Raises ValueError unless the node exists and is as deep as ``ply`` says, or TypeError."""
        if not isinstance(self.tree, tuple) or not self.tree:
            raise TypeError(f"a tree is a tuple of nodes, as Tree makes it, not {self.tree!r}")
        require_between("node", self.node, 0, len(self.tree) - 1)
        depths = [0] * len(self.tree)
        for number, node in enumerate(self.tree):
            for child in _children(node):
                require_between("the node after a move", child, number + 1, len(depths) - 1)
                depths[child] = depths[number] + 1
        if self.ply != depths[self.node]:
            raise ValueError(f"node {self.node} must be at ply {depths[self.node]}, not {self.ply}")

    def state_space(self) -> int:
        """Returns the number of nodes."""
        return len(self.tree)

    def __str__(self) -> str:
        if self.is_terminal():
            return f"leaf, worth {self.utility(0):g} to MAX"
        names = ", ".join(name for name, _ in self.moves)
        return f"{'MIN' if self.to_move else 'MAX'} to move: {names}"


def _children(node: Any) -> list[int]:
    """Returns the nodes after a node's moves; TypeError or ValueError if it is none, nor a leaf."""
    match node:
        case (int() | float() as utility,) if not isinstance(utility, bool):
            _require_finite(utility)
            return []
        case ((_, _), *_) if all(
            isinstance(move, tuple) and list(map(type, move)) == [str, int] for move in node
        ):
            _check_names(dict(node))
            if len(dict(node)) == len(node):
                return [child for _, child in node]
    raise TypeError(f"a node is (number,) or ((name, node), ...), not {node!r}")


def _require_finite(utility: float) -> None:
    """Raises ValueError unless the utility of a leaf is a finite number."""
    if not abs(utility) <= MOST:
        raise ValueError(f"a leaf must be a finite number, not {utility!r}")


def _flatten(tree: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns the nodes of a drawn tree, depth first."""
    nodes: list[Any] = []

    def add(subtree: Any, depth: int) -> int:
        if depth > DEEPEST:
            raise ValueError(f"a tree must be at most {DEEPEST} moves deep")
        number = len(nodes)
        nodes.append(None)
        if isinstance(subtree, Mapping):
            names = _check_names(subtree)
            children = zip(names, subtree.values(), strict=True)
            nodes[number] = tuple((name, add(below, depth + 1)) for name, below in children)
        elif isinstance(subtree, int | float) and not isinstance(subtree, bool):
            _require_finite(subtree)
            nodes[number] = (subtree,)
        else:
            raise TypeError(f"a leaf must be a number, not {subtree!r}")
        return number

    add(tree, 0)
    return tuple(nodes)


def _check_names(subtree: Mapping[Any, Any]) -> list[str]:
    """Returns the names of the moves of a node, which must tell them apart in a line of play."""
    names = [str(name) for name in subtree]
    if not names:
        raise ValueError("every node needs a move: a leaf is written as a number")
    for name in names:
        if not name or any(character.isspace() or character == "," for character in name):
            raise ValueError(f"a move's name must have no spaces or commas, and not be {name!r}")
    if len({name.lower() for name in names}) < len(names):
        raise ValueError(f"the moves of a node must have different names, not {', '.join(names)}")
    return names


FIG52 = _flatten(
    {
        "a1": {"b1": 3, "b2": 12, "b3": 8},
        "a2": {"c1": 2, "c2": 4, "c3": 6},
        "a3": {"d1": 14, "d2": 5, "d3": 2},
    }
)


class Fig52(Tree):
    """Plays the textbook's tree: choose a branch, then the other chooses, and its number is yours.

    It is that of AIMA figure 5.2: MAX chooses one of three moves, then MIN one of three.
    """

    tree: Any = FIG52
    node: int = 0
    ply: int = 0

    example = Example("""
        a1 now MIN chooses among 3, 12 and 8
        b1 the smallest of them
        """)
