"""Holds policies as tables: for each information set, how likely each legal action is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from adv_envs import Position
from agents.agent import require_limit
from agents.networks.checkpoint import (
    CheckpointError,
    checkpoint_path,
    load_checkpoint,
    make_checkpoint,
    table_key,
)

from .game_tree import Floats, GameTree, game_tree


class TabularPolicy:
    """Holds how likely every player takes each action, at all information sets of a game.

    ``probabilities`` (num_slots,) has a number for each slot of the tree: those of one information
    set add up to 1. ValueError for anything else.
    """

    def __init__(self, tree: GameTree, probabilities: Floats) -> None:
        found = np.array(probabilities, np.float64)
        if found.shape != (tree.num_slots,):
            raise ValueError(
                f"{tree.start!r} has {tree.num_slots:,} pairs of an information set and an action: "
                f"probabilities must have this shape, not {found.shape}"
            )
        if tree.num_slots and not (found >= 0).all():
            raise ValueError("probabilities must be numbers from 0 to 1")
        sums = set_sums(tree, found)
        wrong = np.flatnonzero(~(np.abs(sums - 1) < 1e-6))
        if len(wrong):
            view = tree.views[wrong[0]]
            raise ValueError(f"at {view!r} the probabilities add up to {sums[wrong[0]]}, not 1")
        self.tree, self.array = tree, found

    @classmethod
    def of_weights(cls, tree: GameTree, weights: Floats) -> Self:
        """Returns the policy in which actions are as likely as their weights (num_slots,) say.

        Where all weights of a set are 0, each action is as likely as the others.
        """
        sums = set_sums(tree, weights)[tree.slot_set]
        some = sums > 0
        shares = np.divide(weights, sums, out=np.zeros(len(weights)), where=some)
        return cls(tree, np.where(some, shares, uniform_probabilities(tree)))

    @classmethod
    def of_function(cls, tree: GameTree, function: Callable[[Any], Mapping[int, float]]) -> Self:
        """Returns the policy that ``function(view)`` tells: the probability of each action.

        Actions that it leaves out have probability 0.
        """
        array = np.zeros(tree.num_slots)
        for number, view in enumerate(tree.views):
            told = function(view)
            legal = tree.legal_actions(number)
            illegal = [action for action, share in told.items() if share and action not in legal]
            if illegal:
                raise ValueError(f"action {illegal[0]} is not legal at {view!r}")
            for slot, action in zip(tree.slots(number), legal, strict=True):
                array[slot] = told.get(action, 0.0)
        return cls(tree, array)

    @classmethod
    def of_agent(cls, agent: Any, start: Position, samples: int = 1, seed: int | None = 0) -> Self:
        """Returns the policy that an agent plays in the game that begins with ``start``.

        An agent with ``action_probabilities(view)`` is asked for these. Any other one is reset with
        ``seed`` and asked ``samples`` times what it does at each view: agents that draw their
        actions need many to show what they do.
        """
        require_limit("samples", samples)
        if hasattr(agent, "action_probabilities"):
            return cls.of_function(game_tree(start), agent.action_probabilities)

        def shares(view: Position) -> dict[int, float]:
            agent.reset(seed)
            counts = Counter(agent.act(view) for _ in range(samples))
            return {action: number / samples for action, number in counts.items()}

        return cls.of_function(game_tree(start), shares)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Returns the policy in a file that ``save`` wrote, or that ships with the package.

        CheckpointError if the file is damaged, or is none of this kind or game.
        """
        found = load_checkpoint(checkpoint_path(path))
        if not found.is_mixed:
            raise CheckpointError(f"{path} is a network or a table of values: use policy(path=...)")
        tree = game_tree(found.start)
        rows = {tuple(key): i for i, key in enumerate(found.arrays["keys"].tolist())}
        lost = [view for view in tree.views if table_key(view) not in rows]
        if lost:
            raise CheckpointError(f"{path} does not say what to play at {lost[0]!r}")
        row = np.array([rows[table_key(view)] for view in tree.views], np.int64)
        return cls(tree, found.arrays["probabilities"][row[tree.slot_set], tree.slot_action])

    def save(self, path: str | os.PathLike[str], **card: Any) -> None:
        """Writes the policy to a file that ``policy(path=...)`` plays; ``card`` are notes in it.

        It is a checkpoint as in ``agents.networks``: a safetensors file, with data and no code.
        """
        tree = self.tree
        keys = np.array([table_key(view) for view in tree.views], np.int64)
        table = np.zeros((tree.num_sets, tree.start.num_actions))
        table[tree.slot_set, tree.slot_action] = self.array
        order = np.lexsort(keys.T[::-1])
        arrays = {"keys": keys[order], "probabilities": table[order]}
        make_checkpoint(tree.start, arrays, card=card).save(path)

    def probabilities(self, position: Position) -> dict[int, float]:
        """Returns how likely each legal action is for the player to move.

        ``position`` may be a view. ValueError where no player is to move, or that never comes up.
        """
        number = self.tree.find(position)
        slots = self.tree.slots(number)
        shares = self.array[slots.start : slots.stop].tolist()
        return dict(zip(self.tree.legal_actions(number), shares, strict=True))

    def with_player(self, player: int, other: TabularPolicy) -> TabularPolicy:
        """Returns this policy with ``other`` in the place of one player."""
        if other.tree.start != self.tree.start:
            raise ValueError(f"{other!r} is no policy for {self.tree.start!r}")
        own = self.tree.set_player[self.tree.slot_set] == player
        return TabularPolicy(self.tree, np.where(own, other.array, self.array))

    def __repr__(self) -> str:
        return f"<TabularPolicy for {self.tree.start!r}: {self.tree.num_sets:,} information sets>"


def set_sums(tree: GameTree, numbers: Floats) -> Floats:
    """Returns the sum over the slots of each information set, (num_sets,)."""
    return np.bincount(tree.slot_set, numbers, tree.num_sets).astype(np.float64)


def uniform_probabilities(tree: GameTree) -> Floats:
    """Returns the same probability for all actions of a set, (num_slots,)."""
    return 1.0 / np.diff(tree.first_slot)[tree.slot_set]


def uniform_policy(start: Position) -> TabularPolicy:
    """Returns the policy that takes each legal action with the same probability."""
    tree = game_tree(start)
    return TabularPolicy(tree, uniform_probabilities(tree))
