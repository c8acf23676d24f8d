"""Builds a game's extensive form as flat arrays: histories, information sets, what they pay."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.position import checked
from adv_envs.registry import title
from agents.knowledge import knowledge_of

TERMINAL = -2
"""In ``GameTree.player``: the game is over."""

LIMIT = 1_000_000
"""How many histories a tree may have unless another number is given."""

CERTAINLY = 100
"""An estimate of so many times the limit is enough to say that a game is too large."""

LONGEST = 1_000
"""No line of play in a game tree is longer."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Progress = Callable[[int], None]
"""It is told now and then how many histories there are so far."""


class GameTree:
    """Holds every history of a game of hidden information, and its information sets.

    A *node* is a history: a sequence of actions from ``start`` on, those of chance included. Nodes
    are numbered breadth first, the start is node 0. An *information set* is the set of the nodes in
    which a player is to move and sees the same, ``position.hidden(player)``. The sets of player 0
    come first, then those of player 1, and so on; of one player, sets come after those through
    which they are reached. A *slot* is an action at an information set, and stands for the sequence
    of own actions that ends with it; the slots of a set follow each other, in the order of its
    legal actions. ``num_slots``, which is no slot, stands for the empty sequence.

    With n nodes, k leaves, m information sets, s slots and p players:

    ==================  ========  ===============================================================
    ``parent``          (n,)      the node before; -1 at the start
    ``action``          (n,)      the action that leads here; -1 at the start
    ``player``          (n,)      who is to move: a player, ``CHANCE`` or ``TERMINAL``
    ``set_of``          (n,)      the information set; -1 where no player is to move
    ``first_child``     (n,)      the node after the first legal action; the others follow
    ``num_children``    (n,)      how many there are
    ``probability``     (n,)      of the action that leads here where chance took it; 1 elsewhere
    ``utilities``       (n, p)    what the game was worth; 0 where it goes on
    ``leaves``          (k,)      the nodes where the game is over
    ``last_slots``      (n, p)    each player's last slot on the way here; s if there is none
    ``chance``          (n,)      the product of the probabilities of chance on the way here
    ``set_player``      (m,)      who is to move
    ``first_slot``      (m + 1,)  the first slot of a set; those of set i end at first_slot[i + 1]
    ``parent_slot``     (m,)      the player's last slot before; s if there is none
    ``depth``           (m,)      how many own actions came before
    ``slot_action``     (s,)      the action
    ``slot_set``        (s,)      the information set
    ``first_set``       (p + 1,)  the first set of a player; those of i end at first_set[i + 1]
    ``views``           m         what the player sees there, a list of positions
    ==================  ========  ===============================================================

    Raises ValueError for a view, if there are more than ``limit`` histories, if a set has nodes
    with different legal actions, and where a player forgets (no perfect recall): all nodes of a set
    must follow the same own actions at the same own sets.
    """

    parent: Ints
    action: Ints
    player: Ints
    set_of: Ints
    first_child: Ints
    num_children: Ints
    probability: Floats
    utilities: Floats
    leaves: Ints
    last_slots: Ints
    chance: Floats
    set_player: Ints
    first_slot: Ints
    parent_slot: Ints
    depth: Ints
    slot_action: Ints
    slot_set: Ints
    first_set: Ints
    views: list[Position]

    def __init__(
        self, start: Position, limit: int = LIMIT, progress: Progress | None = None
    ) -> None:
        self.start = start = checked(start, whole=True)
        about = estimated_histories(start)
        if about > CERTAINLY * limit:
            raise ValueError(too_many(start, f"about {about:.0e}"))
        self.num_players = start.num_players
        found = _Enumeration(start, limit)
        found.run(progress)
        self._set_nodes(found, *self._set_sets(found))
        self._index = {view: i for i, view in enumerate(self.views)}

    def _set_sets(self, found: _Enumeration) -> tuple[Ints, Ints]:
        """Sorts the sets by player; returns the numbers of sets and slots by those found."""
        owners, sizes = np.array(found.set_player, np.int64), list(map(len, found.legal))
        order = np.argsort(owners, kind="stable")
        self.set_player = owners[order]
        self.first_set = np.searchsorted(self.set_player, np.arange(self.num_players + 1))
        self.views = [found.views[i] for i in order]
        self.depth = np.array(found.depth, np.int64)[order]
        self.slot_action = np.array([a for i in order for a in found.legal[i]], np.int64)
        lengths = np.array(sizes, np.int64)[order]
        self.first_slot = np.concatenate([[0], np.cumsum(lengths)])
        self.slot_set = np.repeat(np.arange(len(order)), lengths)
        sets = np.append(np.argsort(order), -1)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        moved = self.first_slot[sets[owner]] - np.array(found.first_slot, np.int64)[owner]
        slots = np.append(np.arange(len(owner)) + moved, len(owner))
        self.parent_slot = slots[np.array(found.parent_slot, np.int64)[order]]
        return sets, slots

    def _set_nodes(self, found: _Enumeration, sets: Ints, slots: Ints) -> None:
        """Turns the lists of nodes into arrays, with the numbers of sets and slots."""
        self.parent = np.array(found.parent, np.int64)
        self.action = np.array(found.action, np.int64)
        self.player = np.array(found.player, np.int64)
        self.probability = np.array(found.probability, np.float64)
        self.num_children = np.bincount(self.parent[1:], minlength=len(self.parent))
        self.first_child = 1 + np.cumsum(self.num_children) - self.num_children
        self.set_of = sets[found.set_of]
        self.leaves = np.flatnonzero(self.player == TERMINAL)
        self.chance = np.array(found.chance, np.float64)
        self.last_slots = slots[np.array(found.last_slots, np.int64)]
        self.utilities = np.zeros((len(self.parent), self.num_players))
        self.utilities[self.leaves] = found.utilities

    @property
    def num_nodes(self) -> int:
        """Returns how many histories there are."""
        return len(self.parent)

    @property
    def num_sets(self) -> int:
        """Returns how many information sets there are, of all players."""
        return len(self.views)

    @property
    def num_slots(self) -> int:
        """Returns how many pairs of an information set and an action there are."""
        return len(self.slot_action)

    def __repr__(self) -> str:
        return (
            f"<GameTree of {self.start!r}: {self.num_nodes:,} histories, {len(self.leaves):,} of "
            f"them ended, {self.num_sets:,} information sets>"
        )

    def slots(self, number: int) -> range:
        """Returns the slots of information set ``number``."""
        return range(int(self.first_slot[number]), int(self.first_slot[number + 1]))

    def legal_actions(self, number: int) -> list[int]:
        """Returns the legal actions at information set ``number``, in increasing order."""
        slots = self.slots(number)
        return self.slot_action[slots.start : slots.stop].tolist()  # type: ignore[no-any-return]

    def find(self, position: Position) -> int:
        """Returns the number of the information set of the player to move at ``position``.

        ``position`` may be a view. ValueError if no player is to move there, or it never comes up.
        """
        position = checked(position)
        if position.is_terminal() or position.to_move == CHANCE:
            raise ValueError("no player is to move there: it is in no information set")
        view = position.hidden(position.to_move)
        if view not in self._index:
            raise ValueError(f"{view!r} never comes up in the game that begins with {self.start!r}")
        return self._index[view]

    def line(self, node: int) -> list[int]:
        """Returns the actions that lead to a node from the start."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return actions[::-1]

    def position(self, node: int) -> Position:
        """Returns the position of a node, by playing its actions from the start."""
        position = self.start
        for action in self.line(node):
            position = position.play(action)
        return position


Frontier = list[tuple[Position, tuple[int, ...], float]]
"""Positions of one level, each with the last slot of every player and the reach of chance."""


class _Enumeration:
    """Plays every line, breadth first; sets and slots are numbered as they are found, -1: none."""

    def __init__(self, start: Position, limit: int) -> None:
        self.start, self.limit = start, limit
        self.parent, self.action, self.probability = [-1], [-1], [1.0]
        self.player: list[int] = []
        self.set_of: list[int] = []
        self.last_slots: list[tuple[int, ...]] = []
        self.chance: list[float] = []
        self.utilities: list[list[float]] = []  # of leaves alone
        self.numbers: dict[tuple[int, Position], int] = {}
        self.views: list[Position] = []
        self.legal: list[list[int]] = []
        self.set_player: list[int] = []
        self.first_slot: list[int] = []
        self.parent_slot: list[int] = []
        self.depth: list[int] = []
        self.set_of_slot: list[int] = []

    def run(self, progress: Progress | None) -> None:
        """Visits level after level until every line has ended."""
        level: Frontier = [(self.start, (-1,) * self.start.num_players, 1.0)]
        while level:
            after: Frontier = []
            for position, last, chance in level:
                self.last_slots.append(last)
                self.chance.append(chance)
                self.visit(position, last, chance, after)
            level = after
            if progress is not None:
                progress(len(self.parent))

    def visit(
        self, position: Position, last: tuple[int, ...], chance: float, after: Frontier
    ) -> None:
        """Writes down a node, the next in the order, and adds the positions after it."""
        node, player, number = len(self.player), position.to_move, -1
        if position.is_terminal():
            player = TERMINAL
            self.utilities.append([float(position.utility(i)) for i in range(len(last))])
        elif player == CHANCE:
            for action in position.legal_actions():
                probability = position.probability(action)
                if probability > 0:
                    after.append((position.play(action), last, chance * probability))
                    self.add_child(node, action, probability)
        else:
            legal = position.legal_actions()
            number = self.information_set(position, player, legal, last[player])
            for slot, action in enumerate(legal, self.first_slot[number]):
                slots = (*last[:player], slot, *last[player + 1 :])
                after.append((position.play(action), slots, chance))
                self.add_child(node, action, 1.0)
        self.player.append(player)
        self.set_of.append(number)

    def add_child(self, node: int, action: int, probability: float) -> None:
        """Writes down how the next node is reached; ValueError where there are too many."""
        if len(self.parent) >= self.limit:
            raise ValueError(too_many(self.start, f"more than {self.limit:,}"))
        self.parent.append(node)
        self.action.append(action)
        self.probability.append(probability)

    def information_set(self, position: Position, player: int, legal: list[int], last: int) -> int:
        """Returns the number of the set of ``position``, before which ``player`` took ``last``."""
        view = position.hidden(player)
        number = self.numbers.setdefault((player, view), len(self.views))
        if number == len(self.views):
            self.views.append(view)
            self.legal.append(legal)
            self.set_player.append(player)
            self.first_slot.append(len(self.set_of_slot))
            self.parent_slot.append(last)
            self.depth.append(0 if last < 0 else self.depth[self.set_of_slot[last]] + 1)
            self.set_of_slot += [number] * len(legal)
        elif self.legal[number] != legal:
            raise ValueError(
                f"player {player} cannot tell what is legal: at {view!r} these are once "
                f"{self.legal[number]} and then {legal}"
            )
        elif self.parent_slot[number] != last and position.perfect_information:
            raise ValueError(
                f"in {title(self.start)} all is seen, and {view!r} comes up in several ways: "
                "such games are solved by retrograde or perfect"
            )
        elif self.parent_slot[number] != last:
            raise ValueError(
                f"player {player} forgets (no perfect recall): {view!r} comes up "
                f"{self.told(self.parent_slot[number])} and {self.told(last)}"
            )
        return number

    def told(self, slot: int) -> str:
        """Returns a slot in words."""
        if slot < 0:
            return "at the first own turn"
        number = self.set_of_slot[slot]
        view, action = self.views[number], self.legal[number][slot - self.first_slot[number]]
        return f"after {view.name(action)!r} at {view!r}"


def too_many(start: Position, number: str) -> str:
    """Returns what is wrong with a game that has this number of histories."""
    known = knowledge_of(start).large_game
    other = "give GameTree a larger limit"
    if known is not None and known(start) is not None:
        other = "find exploitability without it: adv-envs grade does"
    return (
        f"{title(start)} has {number} histories: too many for the whole game tree; ask for a "
        f"smaller game, or {other}"
    )


def estimated_histories(start: Position, lines: int = 100) -> float:
    """Returns about how many histories there are, from random lines of play; the same each time.

    The mean over many lines is right: each stands for the product of its numbers of choices.
    Source: D. E. Knuth, Estimating the Efficiency of Backtrack Programs (1975).
    """
    generator, total = random.Random(0), 0.0
    for _ in range(lines):
        position, weight = start, 1.0
        for _ in range(LONGEST):
            total += weight
            choices = position.legal_actions()
            if position.to_move == CHANCE:
                choices = [a for a in choices if position.probability(a) > 0]
            if not choices:
                break
            weight *= len(choices)
            position = position.play(generator.choice(choices))
    return total / lines


@functools.lru_cache(maxsize=8)
def _tree_of(start: Position, limit: int) -> GameTree:
    return GameTree(start, limit)


def game_tree(start: Any, limit: int = LIMIT) -> GameTree:
    """Returns the tree of the game that begins with ``start``; the last few are kept.

    ValueError for a game with more than ``limit`` histories, as from ``GameTree``.
    """
    return _tree_of(start, limit)


def set_labels(tree: GameTree) -> list[str]:
    """Returns each information set as the line that leads there, "?" for what is not seen.

    A move is not seen where the histories of the set have different ones. Where they have different
    lengths, or two sets would be called the same, or none of several moves is seen, it is the board
    that is seen, in one line; and the view as Python writes it, where these are the same, too.
    """
    names = _names(tree)
    lines: list[tuple[str, ...]] = [()] * tree.num_nodes
    labels: dict[int, tuple[str, ...] | None] = {}
    for node in range(tree.num_nodes):
        if node:
            lines[node] = (*lines[int(tree.parent[node])], names[node])
        number = int(tree.set_of[node])
        if number >= 0:
            label = labels.setdefault(number, lines[node])
            same = label is not None and len(label) == len(lines[node])
            pairs = zip(label or (), lines[node], strict=False)
            labels[number] = tuple(a if a == b else "?" for a, b in pairs) if same else None
    told = [" ".join(labels[i] or ()) for i in range(tree.num_sets)]
    told = ["" if text.startswith("? ") and not text.strip("? ") else text for text in told]
    boards = [" ".join(str(view).split()) for view in tree.views]
    found = list(map(repr, tree.views))
    for texts in boards, told:
        times = Counter(zip(tree.set_player.tolist(), texts, strict=True))
        for i, text in enumerate(texts):
            if text and times[int(tree.set_player[i]), text] == 1:
                found[i] = text
    return found


def _names(tree: GameTree) -> list[str]:
    """Returns the name of the action that leads to each node; "" for the start."""
    names, positions = [""], [tree.start]
    for node in range(1, tree.num_nodes):
        before, action = positions[int(tree.parent[node])], int(tree.action[node])
        names.append(before.name(action))
        positions.append(before.play(action))
    return names
