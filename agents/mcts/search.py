"""One tree and all that a search needs beside it, kept from move to move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words
from adv_envs.random import scattered

from .tree import DEEPEST, RANDOM, SCRATCH, STAMP, USED, Tree, locate, transplant

MAX_DEPTH = 512
"""Leaves lie at most this deep."""


class Search:
    """A tree of at most ``nodes`` nodes of kind ``dtype``, and room to work in."""

    def __init__(self, position: Position, nodes: int, dtype: np.dtype[Any], seed: int) -> None:
        self.position: Position | None = None
        self.tree: Tree = np.empty(nodes, dtype)
        self.spare: Tree | None = None
        players, actions = position.num_players, position.num_actions
        self.path = np.zeros((2, MAX_DEPTH), np.int64)
        self.worth = np.zeros(players, np.float64)
        self.seen = np.zeros((players, actions), np.int64)
        self.room = np.zeros(SCRATCH + 4 * (actions + num_words(position)) + 256, np.int64)
        self.room[RANDOM] = scattered(seed)

    @property
    def simulations(self) -> int:
        """How many were made, in all searches so far."""
        return int(self.room[STAMP])

    def begin(self, position: Position, reuse: bool) -> None:
        """Make ``position`` the root; with ``reuse``, keep what is known of it."""
        if reuse and self.position is not None:
            node = locate(self.position, position, self.tree) if self.position != position else 0
            if node == 0 and self.tree[0]["width"] > 0:
                return
            if node > 0 and self.tree[node]["width"] > 0:
                spare = np.empty_like(self.tree) if self.spare is None else self.spare
                transplant(node, self.tree, spare, self.room)
                self.tree, self.spare, self.position = spare, self.tree, position
                return
        self.plant(position)

    def plant(self, position: Position) -> None:
        """Begin a tree: the root and its children. A move that wins at once is proven to do so."""
        actions, most = position.legal_actions(), float(position.max_utility)
        self.tree[: 1 + len(actions)] = np.zeros((), self.tree.dtype)
        self.tree[: 1 + len(actions)]["lower"] = -most
        self.tree[: 1 + len(actions)]["upper"] = most
        self.tree[0]["first"], self.tree[0]["width"] = 1, len(actions)
        self.children()["action"] = actions
        for child, action in zip(self.children(), actions, strict=True):
            after = position.play(action)
            if after.is_terminal() and after.utility(position.to_move) >= most:
                child["lower"] = self.tree[0]["lower"] = most
                break
        self.room[USED], self.room[DEEPEST] = 1 + len(actions), 0
        self.position = position

    def children(self, node: int = 0) -> Tree:
        """What is known of the children of ``node``; they are in the order of their actions."""
        first = int(self.tree[node]["first"])
        return self.tree[first : first + max(int(self.tree[node]["width"]), 0)]

    def line(self, action: int) -> list[int]:
        """What was played most from the root down, beginning with ``action``."""
        actions, node = [action], 0
        while True:
            children = self.children(node)
            if not len(children):
                return actions
            if node == 0:
                at = int(np.flatnonzero(children["action"] == action)[0])
            else:
                at = best(children)
                if not children[at]["visits"]:
                    return actions
                actions.append(int(children[at]["action"]))
            node = int(self.tree[node]["first"]) + at

    @property
    def proven(self) -> bool:
        """Whether the value of the root is known exactly."""
        return bool(self.tree[0]["lower"] == self.tree[0]["upper"])

    def settled(self, evenly: bool) -> bool:
        """Whether all is proven that is asked for: the root, or, ``evenly``, all its children."""
        children = self.children()
        return bool((children["lower"] == children["upper"]).all()) if evenly else self.proven

    @property
    def depth(self) -> int:
        """How many plies down the deepest leaf was."""
        return int(self.room[DEEPEST])


def best(children: Tree) -> int:
    """The index of the child to choose: visited most, unless another is sure to be better.

    Of moves that are known to be worth less than another nothing is asked.
    """
    safe = children["lower"].max()
    visits = np.where(children["upper"] >= safe, children["visits"], -1)
    chosen = int(visits.argmax())
    if children[chosen]["lower"] < safe and means(children)[chosen] <= safe:
        return int(np.where(children["lower"] == safe, children["visits"], -1).argmax())
    return chosen


def means(children: Tree) -> NDArray[np.float64]:
    """The mean value of each child, within its bounds; 0 or the nearest bound if never visited."""
    mean = children["total"] / np.maximum(children["visits"], 1)
    return np.clip(mean, children["lower"], children["upper"])  # type: ignore[no-any-return]


def merged(searches: list[Search]) -> Tree:
    """The children of the root, as all ``searches`` of one position know them together."""
    children: Tree = searches[0].children().copy()
    for search in searches[1:]:
        others = search.children()
        children["visits"] += others["visits"]
        children["total"] += others["total"]
        np.maximum(children["lower"], others["lower"], out=children["lower"])
        np.minimum(children["upper"], others["upper"], out=children["upper"])
    return children
