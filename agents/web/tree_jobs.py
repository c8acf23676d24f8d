"""The tree of a search for a page to step through.

The picture is sent once, node by node, and each step says what is written at the nodes then: the
page goes from step to step without asking again.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adv_envs import Position
from adv_envs.pictures.svg import element
from agents.mcts import MCTS
from agents.reports.draw_trees import (
    CHILDREN,
    NODES,
    VISITED_CHILDREN,
    WIDTH,
    caption,
    labels_of,
    mean_value,
)
from agents.reports.search_tree import TreeNode, fold, grown, pruned, record
from agents.reports.tree_picture import Labels, TreePicture, kind, number, rounded, small
from agents.reports.tree_steps import Growth, Interval, Step, growth, steps_of

from .allow_list import allowed_agent
from .situations import Situation

Message = dict[str, Any]

MOST_DRAWN = 240
"""Nodes of the largest picture."""
MOST_SIMULATIONS = 16_384
USUAL_SIMULATIONS = 256
PLIES_OF_MCTS = 3


def tree(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """The tree of a search, {"tree": ...}, see ``TreePage.message``; {"sorry": why} if it has none.

    Options are "agent", a spec, and "nodes", how many are drawn at most; without it as many as
    fit a picture that is not too wide.
    """
    why = without_tree(situation)
    if why:
        yield {"sorry": why}
        return
    agent, position = allowed_agent(options.get("agent")), situation.position
    most = options.get("nodes")
    if isinstance(agent, MCTS):
        agent = limited(agent)
        root = grown(position, agent, PLIES_OF_MCTS, VISITED_CHILDREN)
        best = "" if root.best is None else f" {root.best.name},"
        text = f"MCTS:{best} {root.visits:,} simulations, {mean_value(root)} on average"
        drawn = part(root, most, VISITED_CHILDREN)
        snapshots = list(growth(position, agent, drawn, PLIES_OF_MCTS))
        yield {"tree": TreePage(root, drawn, text).message_of_growth(snapshots)}
    else:
        root = record(position, agent)
        text = caption(root)
        fold(root)
        drawn = part(root, most, CHILDREN)
        yield {"tree": TreePage(root, drawn, text).message(steps_of(drawn))}


def without_tree(situation: Situation) -> str:
    """Why a situation has no tree to be drawn, in a sentence; "" if it has one."""
    start = situation.start
    if not start.perfect_information:
        return (
            "Here players do not see everything, so there is no one tree in which MAX and MIN take "
            "turns: what a player may be in are sets of positions."
        )
    if start.num_players != 2:
        return (
            f"Trees of MAX and MIN are for two players; this game has {start.num_players}. "
            "With two it has a tree."
        )
    if situation.position.is_terminal():
        return "The game is over: go back a move, and the tree of what could come is drawn."
    return ""


def part(root: TreeNode, most: Any, children: int) -> TreeNode:
    """As much of a tree as is drawn: ``most`` nodes, or as many as are not too wide."""
    if isinstance(most, int):
        return pruned(root, min(max(most, 2), MOST_DRAWN), children)
    for number_of_nodes in NODES:
        drawn = pruned(root, number_of_nodes, children)
        left, _, right, _ = TreePicture(drawn, labels_of(drawn)).box
        if right - left <= WIDTH:
            break
    return drawn


def limited(agent: MCTS) -> MCTS:
    """The agent with a number of simulations that is not too large, and a seed."""
    simulations = min(agent.simulations or USUAL_SIMULATIONS, MOST_SIMULATIONS)
    seed = 0 if agent.seed is None else agent.seed
    return dataclasses.replace(
        agent, simulations=simulations, seconds=None, seed=seed, threads=1, reuse=False
    )


@dataclass
class Change:
    """What is written at a node from a step on."""

    value: str = ""
    note: str = ""


class TreePage:
    """A tree for a page: ``drawn``, of ``root`` as much as is drawn, and a caption."""

    def __init__(self, root: TreeNode, drawn: TreeNode, text: str) -> None:
        self.drawn, self.text = drawn, text
        self.nodes = list(drawn)
        self.numbers = {node: i for i, node in enumerate(self.nodes)}
        self.above = {child: node for node in drawn for child in node.children}
        self.left_out = sum(not node.dots for node in root) - sum(not node.dots for node in drawn)

    # ---- messages

    def message(self, steps: list[Step]) -> Message:
        """The tree of a recorded search with its steps, as plain data for JSON.

        The keys are "box", "levels" (shapes as text), "nodes", "steps", "caption" and "left_out"
        (a sentence, or ""). A step has the "node" where the search is, the sentence "said",
        "changed": a list of [node, value, note] to be written, "cut": the nodes cut off now,
        "window": alpha and beta in words.
        """
        pruning = self.drawn.alpha is not None
        texts = [changes(step, pruning) for step in steps]
        message = self.picture(texts)
        message["steps"] = [
            {
                "node": self.numbers[step.node],
                "said": step.said,
                "changed": self.changed(change),
                "cut": [self.numbers[node] for node in step.cut],
                "window": in_words(self.window(steps[: i + 1], step.node)) if pruning else "",
            }
            for i, (step, change) in enumerate(zip(steps, texts, strict=True))
        ]
        return message

    def message_of_growth(self, snapshots: list[Growth]) -> Message:
        """The same for a tree of Monte Carlo tree search.

        A step has "simulations", "said", "changed", "thick": a list of [node, width of its branch],
        and "moves": a list of [name, visits, mean for MAX].
        """
        texts = [
            {n: Change(rounded(mean), f"{visits:,} ×") for n, (visits, mean) in g.visits.items()}
            for g in snapshots
        ]
        message = self.picture(texts)
        message["steps"] = [
            {
                "node": 0,
                "simulations": snapshot.simulations,
                "said": snapshot.said,
                "changed": self.changed(change),
                "thick": self.thick(snapshot),
                "moves": [[name, v, round(mean, 4)] for name, v, mean in snapshot.moves],
                "cut": [],
                "window": "",
            }
            for snapshot, change in zip(snapshots, texts, strict=True)
        ]
        return message

    def changed(self, change: Mapping[TreeNode, Change]) -> list[list[Any]]:
        """What is written at which nodes, as plain data."""
        return [[self.numbers[node], each.value, each.note] for node, each in change.items()]

    def window(self, steps: list[Step], node: TreeNode) -> Interval | None:
        """Alpha and beta at a node, or at the one above it, after the last of ``steps``."""
        path = [node, *([self.above[node]] if node in self.above else [])]
        return next((s.windows[n] for s in reversed(steps) for n in path if n in s.windows), None)

    def thick(self, snapshot: Growth) -> list[list[float]]:
        """How wide the branch to each node is: by its share of the visits above."""
        return [
            [self.numbers[node], round(1 + 7 * visits / snapshot.visits[self.above[node]][0], 2)]
            for node, (visits, _) in snapshot.visits.items()
            if node in self.above
        ]

    # ---- the picture

    def picture(self, texts: list[dict[TreeNode, Change]]) -> Message:
        """The tree with room for all that will be written."""
        values, notes = longest(texts, "value"), longest(texts, "note")
        labels = Labels(lambda n: values.get(n, ""), lambda n: notes.get(n, ""))
        picture = TreePicture(self.drawn, labels)
        left, top, right, bottom = picture.box
        left_out = f"{self.left_out:,} more nodes are not drawn." if self.left_out > 1 else ""
        left_out = "One more node is not drawn." if self.left_out == 1 else left_out
        best = set(self.drawn.line())
        return {
            "box": [left - 8, top - 8, right - left + 16, bottom - top + 16],
            "levels": "".join(map(element, picture.levels())),
            "nodes": [self.node(node, picture, node in best) for node in self.nodes],
            "caption": self.text,
            "left_out": left_out,
        }

    def node(self, node: TreeNode, picture: TreePicture, best: bool) -> Message:
        """A node as plain data: what it is, and its shapes and those of its branch."""
        parent = self.above.get(node)
        branch: list[Any] = []
        if parent is not None and not (node.dots or parent.dots):
            branch = picture.branch(parent, node, False)
            branch += [] if node.cut else picture.move(parent, node)
        frame = [*picture.frame(node), *picture.more(node)]
        return {
            "parent": None if parent is None else self.numbers[parent],
            "name": node.name or "the root",
            "who": kind(node) if node.inner and not node.cut else "",
            "value": "" if node.value is None or node.cut else number(node.value),
            "cut": node.cut,
            "dots": node.dots,
            "hidden": node.hidden,
            "best": best,
            "place": [round(x, 1) for x in picture.places[node]],
            "half": halves(node, picture),
            "frame": "".join(map(element, frame)),
            "texts": "".join(map(element, picture.texts(node))),
            "branch": "".join(map(element, branch)),
            "actions": self.actions(node),
        }

    def actions(self, node: TreeNode) -> list[int] | None:
        """The moves that lead to a node from the root; None if it stands for several."""
        found: list[int] = []
        while node in self.above:
            parent = self.above[node]
            action = named(parent.position, node.name)
            if node.dots or action is None:
                return None
            found.append(action)
            node = parent
        return found[::-1]


def halves(node: TreeNode, picture: TreePicture) -> list[float]:
    """How far the mark of a node reaches to each side, and up and down."""
    if not picture.side or node.dots:
        return [20, 20]
    board = small(node)
    return [round(board.width / 2 + 6, 1), round(board.height / 2 + 5, 1)]


def named(position: Position, name: str) -> int | None:
    """The legal action of that name."""
    return next((a for a in position.legal_actions() if position.name(a) == name), None)


def changes(step: Step, pruning: bool) -> dict[TreeNode, Change]:
    """What is written at nodes from a step on: the possible values, and alpha and beta."""
    found = {node: Change(possible(node, b, pruning)) for node, b in step.bounds.items()}
    for node, window in step.windows.items():
        found[node].note = in_words(window)
    return found


def possible(node: TreeNode, bounds: Interval, pruning: bool) -> str:
    """The values that a node can have: [3, +∞] with alpha-beta, and else ≥ 3, or 3."""
    low, high = bounds
    if pruning and node.inner:
        return f"[{number(low)}, {number(high)}]"
    if low == high:
        return number(low)
    if math.isinf(low):
        return "" if math.isinf(high) else f"≤ {number(high)}"
    return f"≥ {number(low)}" if math.isinf(high) else f"[{number(low)}, {number(high)}]"


def in_words(window: Interval | None) -> str:
    """Alpha and beta."""
    return "" if window is None else f"α {number(window[0])}, β {number(window[1])}"


def longest(texts: list[dict[TreeNode, Change]], what: str) -> dict[TreeNode, str]:
    """The longest text that is ever written at each node."""
    found: dict[TreeNode, str] = {}
    for change in texts:
        for node, each in change.items():
            found[node] = max(found.get(node, ""), getattr(each, what), key=len)
    return found
