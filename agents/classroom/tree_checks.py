"""Checks searches on trees: by the value that they find, and by the leaves that they evaluate."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from adv_envs import Tree
from adv_envs.aima import Game, alphabeta_search, minimax_search
from adv_envs.registry import GAMES, start_position

from .assessment import STUDENT_FAILURES, Assessment, CheckOutcome, numbered, shown, why_of
from .function_checks import FunctionCheck, same
from .questions import FunctionCall, call_result
from .students import require_answer

if TYPE_CHECKING:
    from .rubric import Rubric


class CountedTree(Game):
    """Represents a tree as a game of the textbook that notes which leaves are evaluated."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.leaves: list[int] = []

    def utility(self, state: Any, player: Any) -> float:
        """Returns the utility of a leaf, and notes the leaf."""
        position = self.known(state).position
        if position.is_terminal() and position.node not in self.leaves:
            self.leaves.append(position.node)
        return super().utility(state, player)


def search_tree_leaves(submission: Any, question: tuple[str, Tree]) -> list[Any]:
    """Returns what a search function returns for a tree, and the leaves that it evaluates.

    The function is called with (game, state), or with (state, game) where its first parameter has
    that name.
    """
    name, tree = question
    game = CountedTree(tree)
    first = next(iter(inspect.signature(submission.code().function(name)).parameters), "")
    swapped = first in ("state", "position", "node")
    arguments = (game.initial, game) if swapped else (game, game.initial)
    return [call_result(submission, FunctionCall(name, arguments)), game.leaves]


SEARCHES: Mapping[str, Callable[..., Any]] = {
    "minimax": minimax_search,
    "alpha_beta": alphabeta_search,
}
"""The searches of the textbook that leaves are counted by."""


@dataclass(frozen=True, kw_only=True)
class CountsLeaves(FunctionCheck):
    """Counts the leaves that a search evaluates, and compares with a search of the textbook.

    A tree is nested lists of numbers, or the name of a game that is a tree. ``random`` adds trees
    that are drawn for each student. Moves are searched from left to right.
    """

    kind: ClassVar[str] = "counts_leaves"
    trees: tuple[Any, ...] = ()
    random: int = 0
    expected: str = "alpha_beta"

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        super().require(rubric)
        if self.expected not in SEARCHES:
            raise ValueError(
                f"expected must be one of {', '.join(SEARCHES)}, not {self.expected!r}"
            )
        if self.random < 0 or not self.random + len(self.trees):
            raise ValueError("it needs trees, or a number of random ones, such as random = 3")
        for tree in self.trees:
            tree_of(tree)

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, rng = assessment.words, random.Random(assessment.seed_for("trees"))
        trees = [tree_of(tree) for tree in self.trees]
        trees += [tree_of(random_tree(rng)) for _ in range(self.random)]
        found = {tree.drawn(0): self.faults(assessment, tree) for tree in trees}
        wrong = {drawn: faults for drawn, faults in found.items() if faults}
        data = {"trees": len(found), "wrong": len(wrong)}
        if not wrong:
            name = words(self.expected)
            text = words("counts_leaves_yes", trees=len(found), expected=name)
            return self.outcome(assessment, 1, text, data=data)
        texts = [words("counts_leaves_no", bad=len(wrong), trees=len(found))]
        for drawn, faults in list(wrong.items())[:3]:
            texts += [words("counts_leaves_tree", tree=drawn), *(f"  {each}" for each in faults)]
        share = 1 - len(wrong) / len(found)
        return self.outcome(assessment, share, "\n".join(texts), data=data)

    def faults(self, assessment: Assessment, tree: Tree) -> list[str]:
        """Returns what is wrong with the search of a tree, in sentences."""
        words, counted = assessment.words, CountedTree(tree)
        value, _ = SEARCHES[self.expected](counted, counted.initial)
        try:
            found = assessment.student.ask(search_tree_leaves, (self.function, tree))
            require_answer(
                isinstance(found, list) and len(found) == 2 and are_leaves(tree, found[1])
            )
            returned, leaves = found
        except STUDENT_FAILURES as error:
            return [words("counts_leaves_error", function=self.function, why=why_of(error))]
        best = [name for name, child in tree.moves if value_of(tree, child) == value]
        said = []
        if not is_result(returned, value, best):
            values: dict[str, Any] = {
                "found": shown(returned),
                "right": numbered(value),
                "moves": ", ".join(best),
            }
            said.append(words("counts_leaves_value", function=self.function, **values))
        if len(leaves) != len(counted.leaves):
            numbers = ", ".join(numbered(tree.tree[leaf][0]) for leaf in leaves)
            values = {"found": len(leaves), "right": len(counted.leaves), "leaves": numbers}
            name = words(self.expected)
            said.append(
                words("counts_leaves_count", function=self.function, expected=name, **values)
            )
        return said


def are_leaves(tree: Tree, nodes: Any) -> bool:
    """Returns whether these are the numbers of leaves."""
    numbers = {i for i, node in enumerate(tree.tree) if not isinstance(node[0], tuple)}
    return isinstance(nodes, list) and all(type(n) is int and n in numbers for n in nodes)


def value_of(tree: Tree, node: int) -> float:
    """Returns the value to MAX of a node below the root, where MIN is to move."""
    below = type(tree)(tree.tree, node, 1)
    if below.is_terminal():
        return below.utility(0)
    game = CountedTree(below)
    return -float(minimax_search(game, game.initial)[0])


def is_result(returned: Any, value: float, best: Sequence[str]) -> bool:
    """Returns whether a search returned the value, a best move, or both as (value, move)."""
    if isinstance(returned, list) and len(returned) == 2:
        return all(is_result(each, value, best) for each in returned)
    return returned in best if isinstance(returned, str) else same(returned, value)


def tree_of(drawn: Any) -> Tree:
    """Returns a tree that a rubric has: nested lists, or a game; ValueError for anything else."""
    if isinstance(drawn, str):
        found = start_position(drawn) if drawn in GAMES else None
        if not isinstance(found, Tree):
            raise ValueError(
                f"{drawn!r} is not a tree: give nested lists of numbers, such as [[3, 12], [2, 4]]"
            )
        return found
    try:
        return Tree(with_names(drawn))
    except TypeError as error:
        raise ValueError(str(error)) from None


def with_names(drawn: Any, path: str = "") -> Any:
    """Returns nested lists as a tree with names: "a", "b", and below them "a1", "a2", "b1"."""
    if not isinstance(drawn, list):
        return drawn
    names = [f"{path}{i + 1}" if path else chr(ord("a") + i) for i in range(len(drawn))]
    return {name: with_names(below, name) for name, below in zip(names, drawn, strict=True)}


def random_tree(rng: random.Random) -> Any:
    """Returns a random tree of three plies with two or three moves each."""

    def below(plies: int) -> Any:
        if not plies:
            return rng.randrange(1, 30)
        return [below(plies - 1) for _ in range(rng.choice((2, 3)))]

    return below(3)
