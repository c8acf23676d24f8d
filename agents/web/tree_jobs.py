"""Searches a tree for a page to step through.

The picture is sent once, node by node, and each step says what is written at the nodes then: the
page goes from step to step without asking again.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

from adv_envs.pictures.svg import element
from agents.allow_list import allowed_agent
from agents.mcts import MCTS
from agents.reports.draw_trees import CHILDREN, VISITED_CHILDREN, fitting, searched_tree
from agents.reports.tree_node import Interval, TreeNode, number, rounded
from agents.reports.tree_picture import Labels, TreePicture, kind, small
from agents.reports.tree_steps import Step, growth, steps_of

from .game_states import GameState, Message

MOST_DRAWN = 240
"""Nodes of the largest picture."""
MOST_SIMULATIONS = 16_384
USUAL_SIMULATIONS = 256
PLIES_OF_MCTS = 3


def tree(state: GameState, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yields the tree of a search, {"tree": ...}, see ``TreePage.message``; else {"sorry": why}.

    Options are "agent", a spec, and "nodes", how many are drawn at most; without it as many as
    fit a picture that is not too wide.
    """
    why = without_tree(state)
    if why:
        yield {"sorry": why}
        return
    agent, position = allowed_agent(options.get("agent")), state.position
    most = options.get("nodes")
    nodes = min(max(most, 2), MOST_DRAWN) if isinstance(most, int) else None
    children, depth = CHILDREN, None
    if isinstance(agent, MCTS):
        agent, children, depth = with_few_simulations(agent), VISITED_CHILDREN, PLIES_OF_MCTS
    root, text = searched_tree(position, agent, depth, children)
    page = TreePage(root, fitting(root, nodes, children), text)
    if isinstance(agent, MCTS):
        steps = list(growth(position, agent, page.drawn, PLIES_OF_MCTS))
    else:
        steps = steps_of(page.drawn)
    yield {"tree": page.message(steps)}


def without_tree(state: GameState) -> str:
    """Returns why a state has no tree to be drawn, in a sentence; "" if it has one."""
    start = state.start
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
    if state.position.is_terminal():
        return "The game is over: go back a move, and the tree of what could come is drawn."
    return ""


def with_few_simulations(agent: MCTS) -> MCTS:
    """Returns the agent with a number of simulations that is not too large, and a seed."""
    simulations = min(agent.simulations or USUAL_SIMULATIONS, MOST_SIMULATIONS)
    seed = 0 if agent.seed is None else agent.seed
    return dataclasses.replace(
        agent, simulations=simulations, seconds=None, seed=seed, threads=1, reuse=False
    )


Texts = dict[TreeNode, tuple[str, str]]
"""What is written at nodes from a step on: a value, and a note below it."""


class TreePage:
    """Returns a tree for a page: ``drawn``, the part of ``root`` that is drawn, and a caption."""

    def __init__(self, root: TreeNode, drawn: TreeNode, text: str) -> None:
        self.drawn, self.text = drawn, text
        self.nodes = list(drawn)
        self.numbers = {node: i for i, node in enumerate(self.nodes)}
        self.above = {child: node for node in drawn for child in node.children}
        self.left_out = sum(not node.dots for node in root) - sum(not node.dots for node in drawn)

    # ---- messages

    def message(self, steps: list[Step]) -> Message:
        """Returns the tree of a search with its steps, as plain data for JSON.

        The keys are "box", "levels" (shapes as text), "nodes", "steps", "caption" and "left_out"
        (a sentence, or ""). A step has the "node" where the search is, the sentence "said",
        "changed": a list of [node, value, note] to be written, "cut": the nodes cut off now,
        "window": alpha and beta in words. Those of Monte Carlo tree search have "simulations",
        "thick": a list of [node, width of its branch], and "moves": a list of [name, visits, mean
        for MAX], as well.
        """
        texts = [self.texts(step) for step in steps]
        message, windows = self.picture(texts), dict[Any, Interval]()
        message["steps"] = []
        for step, written in zip(steps, texts, strict=True):
            windows |= step.windows
            above = windows.get(self.above.get(step.node))
            told: Message = {
                "node": self.numbers[step.node],
                "said": step.said,
                "changed": [[self.numbers[node], *each] for node, each in written.items()],
                "cut": [self.numbers[node] for node in step.cut],
                "window": in_words(windows.get(step.node, above)),
            }
            if step.simulations is not None:
                told["simulations"], told["thick"] = step.simulations, self.thick(step)
                told["moves"] = [
                    [name, visits, round(mean, 4)] for name, visits, mean in step.moves
                ]
            message["steps"].append(told)
        return message

    def texts(self, step: Step) -> Texts:
        """Returns what is written: possible values with alpha and beta, or means and visits."""
        pruning = self.drawn.window is not None
        found = {
            node: (possible(bounds, pruning and node.inner), in_words(step.windows.get(node)))
            for node, bounds in step.bounds.items()
        }
        for node, (visits, mean) in step.visits.items():
            found[node] = rounded(mean), f"{visits:,} ×"
        return found

    def thick(self, step: Step) -> list[list[float]]:
        """Returns how wide the branch to each node is: by its share of the visits above."""
        return [
            [self.numbers[node], round(1 + 7 * visits / step.visits[self.above[node]][0], 2)]
            for node, (visits, _) in step.visits.items()
            if node in self.above
        ]

    # ---- the picture

    def picture(self, texts: list[Texts]) -> Message:
        """Returns the tree with room for all that will be written."""
        longest = [dict.fromkeys(self.nodes, ""), dict.fromkeys(self.nodes, "")]
        for node, written in (each for step in texts for each in step.items()):
            for kept, text in zip(longest, written, strict=True):
                kept[node] = max(kept[node], text, key=len)
        labels = Labels(longest[0].__getitem__, longest[1].__getitem__)
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
        """Returns a node as plain data: what it is, and its shapes and those of its branch."""
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
        """Returns the moves that lead to a node from the root; None if it stands for several."""
        found: list[int] = []
        while node in self.above:
            if node.action is None or (node.cut and node.hidden):
                return None
            found.append(node.action)
            node = self.above[node]
        return found[::-1]


def halves(node: TreeNode, picture: TreePicture) -> list[float]:
    """Returns how far the mark of a node reaches to each side, and up and down."""
    if not picture.side or node.dots:
        return [20, 20]
    board = small(node)
    return [round(board.width / 2 + 6, 1), round(board.height / 2 + 5, 1)]


def possible(bounds: Interval, as_interval: bool) -> str:
    """Returns the values that a node can have: [3, +∞], or else ≥ 3, or 3."""
    low, high = bounds
    if low == high and not as_interval:
        return number(low)
    if as_interval or (math.isfinite(low) and math.isfinite(high)):
        return f"[{number(low)}, {number(high)}]"
    if math.isinf(low):
        return "" if math.isinf(high) else f"≤ {number(high)}"
    return f"≥ {number(low)}"


def in_words(window: Interval | None) -> str:
    """Returns alpha and beta; "" for None."""
    return "" if window is None else f"α {number(window[0])}, β {number(window[1])}"
