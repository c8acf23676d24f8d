"""Follows a search step by step: what is known of each node, and why branches are cut.

``steps_of`` goes through a recorded tree once more, as the textbook does in AIMA figure 5.5, and
``growth`` through the trees of Monte Carlo tree search with 1, 2, 4, ... simulations. Values and
windows are for player 0, MAX.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adv_envs import CHANCE, Position
from agents.mcts import MCTS
from agents.search.limits import EVALUATION_LIMIT

from .search_tree import grown
from .tree_node import (
    UNKNOWN,
    Interval,
    TreeNode,
    bounds_of,
    number,
    rounded,
)
from .tree_picture import kind


@dataclass
class Step:
    """Describes a step of a search."""

    node: TreeNode
    """Where the search is."""
    said: str
    """What happens, in a sentence or two."""
    bounds: dict[TreeNode, Interval] = field(default_factory=dict)
    """The values that nodes can have now; those that have not changed are left out."""
    windows: dict[TreeNode, Interval] = field(default_factory=dict)
    """Alpha and beta at nodes now, likewise."""
    cut: Sequence[TreeNode] = ()
    """The branches that are cut off now."""
    simulations: int | None = None
    """Of Monte Carlo tree search: how many have been made."""
    visits: dict[TreeNode, tuple[int, float]] = field(default_factory=dict)
    """Visits and mean for MAX of the nodes of the final tree that have been visited."""
    moves: list[tuple[str, int, float]] = field(default_factory=list)
    """The name, the visits and the mean for MAX of each move, the most visited first."""


def steps_of(root: TreeNode) -> list[Step]:
    """Returns the steps of a recorded search; parts of the tree that are left out take one step."""
    return TreeSteps(root).steps


def after_each_leaf(steps: Sequence[Step]) -> Iterator[dict[TreeNode, Interval]]:
    """Yields what is known after each leaf: the values that nodes can have, of those cut off any.

    Nodes to which the search has not come are left out.
    """
    known: dict[TreeNode, Interval] = {}
    valued = False
    for step in steps:
        if valued and step.node not in known:  # the search goes down again
            yield dict(known)
            valued = False
        known |= step.bounds | dict.fromkeys(step.cut, UNKNOWN)
        valued |= step.node.leaf > 0
    yield known


class TreeSteps:
    """Goes through a tree in the order of the search, and keeps what happens in ``steps``."""

    def __init__(self, root: TreeNode) -> None:
        self.root, self.steps = root, list[Step]()
        self.pruning = root.window is not None
        self.above = {child: node for node in root for child in node.children}
        self.known = dict.fromkeys(root, UNKNOWN)
        """The scores that nodes can have."""
        self.settled = set[TreeNode]()
        """Nodes of which all is known, that of children which are left out as well."""
        chance = any(node.player == CHANCE for node in root)
        self.evaluated = not chance and any(node.leaf and not node.ended for node in root)
        """Whether games that are won stand beside evaluations."""
        self.visit(root)
        best = "" if root.best is None else f": {root.best.name} is best"
        self.add(root, f"The search is done{best}, value {self.number(self.known[root][0])}.")

    # ---- the search

    def visit(self, node: TreeNode) -> None:
        """Adds the steps from when the search comes to a node until it goes back."""
        if not node.children:
            self.value(node)
            return
        window, best = self.enter(node), None
        for child in node.children:
            if child.cut:
                self.cut(node, *window)
                return
            if child.dots:
                self.others(node, child)
                return
            self.visit(child)
            score = child.score or 0.0
            better = best is None or node.sign * (score - best) > 0
            best = score if better else best
            if self.pruning:
                low, high = window
                window = (max(low, score), high) if node.sign > 0 else (low, min(high, score))
            self.back(node, child, better, window)

    def enter(self, node: TreeNode) -> Interval:
        """Adds that the search comes to a node where it goes on; returns alpha and beta there."""
        first = "The search begins" if node is self.root else f"Down {node.name}"
        said = f"{first}: {self.who(node)} to move"
        window = node.score_window
        if window is None:
            self.add(node, said + ".")
            return UNKNOWN
        said += f", α = {self.number(window[0])}, β = {self.number(window[1])}."
        before = self.steps[-1].windows.get(self.above[node]) if node is not self.root else None
        if before is not None and before != node.window:
            said += " Moves that are not drawn have narrowed the window."
        self.add(node, said, window)
        return window

    def value(self, node: TreeNode) -> None:
        """Adds that the search values a node at once, or that all below it is left out."""
        if node.leaf and node.ended:
            said = f"{node.name} ends the game with {number(node.value or 0)} for MAX."
        elif node.leaf:
            said = f"{node.name} is at the depth limit: evaluated as {number(node.value or 0)}."
        else:
            said = f"Down {node.name}: {node.hidden:,} nodes below are not drawn; "
            said += f"the search finds {self.words(node.bounds)}."
        self.conclude(node)
        self.add(node, said)

    def back(self, node: TreeNode, child: TreeNode, better: bool, window: Interval) -> None:
        """Adds that the search has gone back to ``node``, with the value of ``child``."""
        said = f"Back at {self.name(node)}: {child.name} gives {self.words(self.known[child])}"
        self.update(node)
        if node.player == CHANCE:
            done = child is node.children[-1]
            rest = f"; the mean of all is {number(node.value or 0)}" if done else ""
            said += f", with probability {child.chance:.3g}{rest}."
        elif better:
            most = ("most", "least")[node.player]
            words = "the first value" if child is node.children[0] else f"the {most} so far"
            said += f", {words} for {self.who(node)}."
            if self.pruning and window[node.player] == child.score:
                said += f" {'αβ'[node.player]} = {self.number(child.score)}."
        else:
            said += f": no better for {self.who(node)}."
        self.add(node, said, window)

    def cut(self, node: TreeNode, alpha: float, beta: float) -> None:
        """Adds that the other moves cannot matter."""
        gone = [child for child in node.children if child.cut]
        low, high = self.number(alpha), self.number(beta)
        first = f"α = {low} ≥ β = {high}" if node.player == 0 else f"β = {high} ≤ α = {low}"
        hidden = gone[0].hidden
        *most, last = [child.name for child in gone]
        names = " and ".join(filter(None, [", ".join(most), last]))
        names = f"{hidden + 1} moves" if hidden else names
        other, has = ("MIN", high) if node.player == 0 else ("MAX", low)
        said = (
            f"{first} at {self.name(node)}: {other} has {has} elsewhere and will not let "
            f"{self.who(node)} come here, so the other moves cannot matter. Cut: {names}."
        )
        self.conclude(node)
        self.add(node, said, cut=gone)

    def others(self, node: TreeNode, child: TreeNode) -> None:
        """Adds that moves which are not drawn have been searched too."""
        self.conclude(node)
        said = f"Back at {self.name(node)}: with {child.name} that "
        said += "is" if child.name.startswith("1 ") else "are"
        self.add(node, f"{said} not drawn, the search finds {self.words(node.bounds)}.")

    # ---- what is known

    def conclude(self, node: TreeNode) -> None:
        """Notes that all which the search will know of a node is known."""
        self.known[node] = node.bounds
        self.settled.add(node)
        while node in self.above:
            node = self.above[node]
            self.update(node)

    def update(self, node: TreeNode) -> None:
        """Concludes from the children what values a node can have."""
        if node not in self.settled:
            self.known[node] = bounds_of(node, [self.known[child] for child in node.children])

    def add(
        self,
        node: TreeNode,
        said: str,
        window: Interval | None = None,
        cut: Sequence[TreeNode] = (),
    ) -> None:
        """Adds a step, with what has changed since the last one."""
        step = Step(node, said, cut=cut)
        if window is not None and self.pruning:
            step.windows[node] = node.both_in_values(window)
        path: TreeNode | None = node
        while path is not None:
            step.bounds[path] = path.both_in_values(self.known[path])
            path = self.above.get(path)
        self.steps.append(step)

    # ---- in words

    def name(self, node: TreeNode) -> str:
        """Returns what a node is called in a sentence."""
        return "the root" if node is self.root else node.name

    def who(self, node: TreeNode) -> str:
        """Returns who moves at a node."""
        return "chance" if node.player == CHANCE else kind(node)

    def number(self, score: float) -> str:
        """Returns a score as a value; beside evaluations, whose game it is."""
        value = number(self.root.in_values(score))
        if not self.evaluated or abs(score) <= EVALUATION_LIMIT or math.isinf(score):
            return value
        return f"{value} ({'MAX' if score > 0 else 'MIN'} wins)"

    def words(self, bounds: Interval) -> str:
        """Returns the values that a node can have."""
        low, high = map(self.number, bounds)
        if bounds[0] == bounds[1]:
            return low
        if math.isinf(bounds[0]):
            return f"at most {high}"
        return f"at least {low}" if math.isinf(bounds[1]) else f"{low} to {high}"


# ---- Monte Carlo tree search


def growth(position: Position, agent: MCTS, root: TreeNode, depth: int) -> Iterator[Step]:
    """Yields how the tree ``root`` of ``agent`` grew: 1, 2, 4, ... simulations with its seed."""
    total = agent.simulations or 0
    counts = [2**i for i in range(total.bit_length()) if 2**i < total] + [total]
    for simulations in counts:
        search = dataclasses.replace(agent, simulations=simulations)
        tree = grown(position, search, depth, most=position.num_actions)
        ranked = sorted(tree.children, key=lambda child: -(child.visits or 0))
        moves = [(c.name, c.visits or 0, c.value or 0.0) for c in ranked if not c.dots]
        made = tree.visits or 0
        if made < simulations and made in counts:
            return  # as after the last step
        visits = dict(matched(root, tree))
        yield Step(root, said_of(made, moves), simulations=made, visits=visits, moves=moves)
        if made < simulations:  # the search knew all, and ended
            return


def matched(node: TreeNode, tree: TreeNode) -> Iterator[tuple[TreeNode, tuple[int, float]]]:
    """Yields the nodes of a tree that are in another one, with visits and means as in that one."""
    yield node, (tree.visits or 0, tree.value or 0.0)
    others = {child.name: child for child in tree.children if not child.dots}
    for child in node.children:
        if not child.dots and child.name in others:
            yield from matched(child, others[child.name])


def said_of(simulations: int, moves: list[tuple[str, int, float]]) -> str:
    """Returns what a number of simulations has found, in a sentence."""
    said = f"After {simulations:,} simulation{'s' * (simulations != 1)}: "
    if not moves:
        return said + "no move has been tried."
    name, visits, mean = moves[0]
    times = f"{visits:,} time{'s' * (visits != 1)}"
    return said + f"{name} was tried most, {times}, and gives MAX {rounded(mean)} on average."
