"""A search step by step: what is known of each node after every step, and why branches are cut.

``steps_of`` goes through a recorded tree once more, as the textbook does in AIMA figure 5.5, and
``growth`` through the trees of Monte Carlo tree search with 1, 2, 4, ... simulations. Values and
windows are for player 0, MAX.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from adv_envs import CHANCE, Position
from agents.mcts import MCTS
from agents.search.limits import EVALUATION_LIMIT

from .search_tree import OPEN, Bound, TreeNode, bounds_of, grown, in_values
from .tree_picture import kind, number, rounded

Interval = tuple[float, float]


@dataclass
class Step:
    """A step of a search."""

    node: TreeNode
    """Where the search is."""
    said: str
    """What happens, in a sentence or two."""
    bounds: dict[TreeNode, Interval] = field(default_factory=dict)
    """The values that nodes can have now; those that have not changed are left out."""
    windows: dict[TreeNode, Interval] = field(default_factory=dict)
    """Alpha and beta at nodes now, likewise."""
    cut: list[TreeNode] = field(default_factory=list)
    """The branches that are cut off now."""


def steps_of(root: TreeNode) -> list[Step]:
    """The steps of a recorded search; parts of the tree that are left out take one step."""
    return TreeSteps(root).steps


class TreeSteps:
    """Goes through a tree in the order of the search, and keeps what happens in ``steps``."""

    def __init__(self, root: TreeNode) -> None:
        self.root, self.steps = root, list[Step]()
        self.pruning = root.alpha is not None
        self.above = {child: node for node in root for child in node.children}
        self.known = dict.fromkeys(root, OPEN)
        self.settled = set[TreeNode]()
        """Nodes of which all is known, that of children which are left out as well."""
        chance = any(node.player == CHANCE for node in root)
        self.evaluated = not chance and any(node.leaf and not node.ended for node in root)
        """Whether games that are won stand beside evaluations."""
        self.visit(root)
        self.end()

    # ---- the search

    def visit(self, node: TreeNode) -> None:
        """The steps from when the search comes to a node until it goes back."""
        if not node.children:
            self.value(node)
            return
        alpha, beta = self.enter(node)
        best: TreeNode | None = None
        for child in node.children:
            if child.cut:
                self.cut(node, alpha, beta)
                return
            if child.dots:
                self.others(node, child)
                return
            self.visit(child)
            better = best is None or self.sign(node) * (child.score - best.score) > 0
            best = child if better else best
            if self.pruning and node.player == 0:
                alpha = max(alpha, child.score)
            elif self.pruning:
                beta = min(beta, child.score)
            self.back(node, child, better, (alpha, beta))

    def enter(self, node: TreeNode) -> Interval:
        """The search comes to a node where it goes on; alpha and beta there."""
        first = "The search begins" if node is self.root else f"Down {node.name}"
        said = f"{first}: {self.who(node)} to move"
        if node.alpha is None or node.beta is None:
            self.add(node, said + ".")
            return -math.inf, math.inf
        window = node.alpha, node.beta
        said += f", {self.window(window)}."
        before = self.steps[-1].windows.get(self.above[node]) if node is not self.root else None
        if before is not None and before != in_values_both(window):
            said += " Moves that are not drawn have narrowed the window."
        self.add(node, said, window=window)
        return window

    def value(self, node: TreeNode) -> None:
        """The search values a node at once, or all below it is left out."""
        if node.leaf and node.ended:
            said = f"{node.name} ends the game with {number(node.value or 0)} for MAX."
        elif node.leaf:
            said = f"{node.name} is at the depth limit: evaluated as {number(node.value or 0)}."
        else:
            said = f"Down {node.name}: {node.hidden:,} nodes below are not drawn; "
            said += f"the search finds {self.words(node.bounds)}."
        self.conclude(node, node.bounds)
        self.add(node, said)

    def back(self, node: TreeNode, child: TreeNode, better: bool, window: Interval) -> None:
        """The search has gone back to ``node``, with the value of ``child``."""
        gives = f"Back at {self.name(node)}: {child.name} gives {self.words(self.known[child])}"
        self.update(node)
        if node.player == CHANCE:
            done = child is node.children[-1]
            rest = f"; the mean of all is {number(node.value or 0)}" if done else ""
            self.add(node, f"{gives}, with probability {child.chance:.3g}{rest}.", window=window)
            return
        who = self.who(node)
        if better:
            most = ("most", "least")[node.player]
            words = "the first value" if child is node.children[0] else f"the {most} so far"
            said = f"{gives}, {words} for {who}."
            if self.pruning and window[node.player] == child.score:
                said += f" {'αβ'[node.player]} = {self.number(child.score)}."
        else:
            said = f"{gives}: no better for {who}."
        self.add(node, said, window=window)

    def cut(self, node: TreeNode, alpha: float, beta: float) -> None:
        """The other moves cannot matter."""
        gone = [child for child in node.children if child.cut]
        low, high = self.number(alpha), self.number(beta)
        first = f"α = {low} ≥ β = {high}" if node.player == 0 else f"β = {high} ≤ α = {low}"
        hidden = gone[0].hidden
        names = f"{hidden + 1} moves" if hidden else listed([child.name for child in gone])
        who = self.who(node)
        other, has = ("MIN", high) if node.player == 0 else ("MAX", low)
        said = (
            f"{first} at {self.name(node)}: {other} has {has} elsewhere and will not let {who} "
            f"come here, so the other moves cannot matter. Cut: {names}."
        )
        self.conclude(node, node.bounds)
        self.add(node, said, cut=gone)

    def others(self, node: TreeNode, child: TreeNode) -> None:
        """Moves that are not drawn have been searched too."""
        self.conclude(node, node.bounds)
        said = f"Back at {self.name(node)}: with {child.name} that "
        said += "is" if child.name.startswith("1 ") else "are"
        self.add(node, f"{said} not drawn, the search finds {self.words(node.bounds)}.")

    def end(self) -> None:
        """The search is done."""
        best = "" if self.root.best is None else f": {self.root.best.name} is best"
        self.add(
            self.root, f"The search is done{best}, value {self.bound(self.known[self.root][0])}."
        )

    # ---- what is known

    def conclude(self, node: TreeNode, bounds: tuple[Bound, Bound]) -> None:
        """All that the search will know of a node is known."""
        self.known[node] = bounds
        self.settled.add(node)
        while node in self.above:
            node = self.above[node]
            self.update(node)

    def update(self, node: TreeNode) -> None:
        """Conclude from the children what values a node can have."""
        if node not in self.settled:
            children = [dataclasses.replace(c, bounds=self.known[c]) for c in node.children]
            self.known[node] = bounds_of(dataclasses.replace(node, children=children))

    def add(
        self,
        node: TreeNode,
        said: str,
        window: Interval | None = None,
        cut: list[TreeNode] | None = None,
    ) -> None:
        """Add a step, with what has changed since the last one."""
        step = Step(node, said, cut=cut or [])
        path = node
        while True:
            step.bounds[path] = self.known[path][0][1], self.known[path][1][1]
            if path not in self.above:
                break
            path = self.above[path]
        if window is not None and self.pruning:
            step.windows[node] = in_values_both(window)
        self.steps.append(step)

    # ---- in words

    def sign(self, node: TreeNode) -> int:
        """1 where larger scores are better for who moves, -1 where smaller ones are."""
        return -1 if node.player == 1 else 1

    def name(self, node: TreeNode) -> str:
        """What a node is called in a sentence."""
        return "the root" if node is self.root else node.name

    def who(self, node: TreeNode) -> str:
        """Who moves at a node."""
        return "chance" if node.player == CHANCE else kind(node)

    def number(self, score: float) -> str:
        """A score as a value."""
        return self.bound((score, in_values(score)))

    def bound(self, bound: Bound) -> str:
        """A value; beside evaluations, whose game it is."""
        score, value = bound
        if not self.evaluated or abs(score) <= EVALUATION_LIMIT or math.isinf(score):
            return number(value)
        return f"{number(value)} ({'MAX' if score > 0 else 'MIN'} wins)"

    def window(self, window: Interval) -> str:
        """Alpha and beta."""
        return f"α = {self.number(window[0])}, β = {self.number(window[1])}"

    def words(self, bounds: tuple[Bound, Bound]) -> str:
        """The values that a node can have."""
        low, high = bounds
        if low == high:
            return self.bound(low)
        if math.isinf(low[0]):
            return f"at most {self.bound(high)}"
        if math.isinf(high[0]):
            return f"at least {self.bound(low)}"
        return f"{self.bound(low)} to {self.bound(high)}"


def in_values_both(window: Interval) -> Interval:
    """Two scores as values."""
    return in_values(window[0]), in_values(window[1])


def listed(names: list[str]) -> str:
    """Names in a sentence: "c2, c3 and c4"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


# ---- Monte Carlo tree search


@dataclass
class Growth:
    """The tree of Monte Carlo tree search after a number of simulations."""

    simulations: int
    said: str
    visits: dict[TreeNode, tuple[int, float]]
    """Visits and mean for MAX of the nodes of the final tree that have been visited."""
    moves: list[tuple[str, int, float]]
    """The name, the visits and the mean for MAX of each move, the most visited first."""


def growth(position: Position, agent: MCTS, root: TreeNode, depth: int) -> Iterator[Growth]:
    """How the tree ``root`` of ``agent`` grew: after 1, 2, 4, ... simulations with its seed."""
    total = agent.simulations or 0
    counts = [2**i for i in range(total.bit_length()) if 2**i < total] + [total]
    for simulations in counts:
        search = dataclasses.replace(agent, simulations=simulations)
        tree = grown(position, search, depth, most=position.num_actions)
        visits = dict(matched(root, tree))
        ranked = sorted(tree.children, key=lambda child: -(child.visits or 0))
        moves = [(c.name, c.visits or 0, c.value or 0.0) for c in ranked if not c.dots]
        made = tree.visits or 0
        if made < simulations and made in counts:
            return  # as after the last step
        yield Growth(made, said_of(made, moves), visits, moves)
        if made < simulations:  # the search knew all, and ended
            return


def matched(node: TreeNode, tree: TreeNode) -> Iterator[tuple[TreeNode, tuple[int, float]]]:
    """The nodes of a tree that are in another one, with visits and means as in that one."""
    yield node, (tree.visits or 0, tree.value or 0.0)
    others = {child.name: child for child in tree.children if not child.dots}
    for child in node.children:
        if not child.dots and child.name in others:
            yield from matched(child, others[child.name])


def said_of(simulations: int, moves: list[tuple[str, int, float]]) -> str:
    """What a number of simulations has found."""
    said = f"After {simulations:,} simulation{'s' * (simulations != 1)}: "
    if not moves:
        return said + "no move has been tried."
    name, visits, mean = moves[0]
    times = f"{visits:,} time{'s' * (visits != 1)}"
    return said + f"{name} was tried most, {times}, and gives MAX {rounded(mean)} on average."
