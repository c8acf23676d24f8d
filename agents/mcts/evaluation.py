"""The Python side of ``batches.py``: positions out to a policy, priors and values back in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adv_envs import Position
from agents.search.limits import STOP, prepared

from .batches import gather, settle
from .playouts import winning_for
from .search import MAX_DEPTH, Search
from .selection import EVENLY, SOLVER
from .simulation import AT

Policy = Callable[[list[Any]], tuple[ArrayLike, ArrayLike]]
"""Positions to their priors (n, num_actions) and values (n,) or (n, num_players)."""


class Asked:
    """A search whose leaves are valued by ``policy``, at most ``batch`` at a time."""

    def __init__(
        self, policy: Policy, batch: int, search: Search, settings: Any, counts: Any
    ) -> None:
        position = search.position
        assert position is not None
        self.policy, self.batch, self.search = policy, batch, search
        self.position: Position = position
        self.settings, self.counts = settings, counts
        self.paths = np.zeros((batch, 2, MAX_DEPTH), np.int64)
        self.depths = np.zeros(batch, np.int64)
        functions = {"winning": winning_for(position)}
        names = {"PRIORS": True}
        self.gather = prepared(gather.bind(**functions), *self._gathering(0))
        row = np.zeros(position.num_actions)
        self.settle = prepared(settle.bind(**names), *self._settling(position, 0, row))
        if search.tree[0]["visits"] == 0:
            self.paths[0, AT, 0] = 0
            priors, _ = self.ask([position])
            self.settle(*self._settling(position, 0, priors[0]))

    def run(self, simulations: int) -> None:
        """Add so many simulations, fewer if the root gets proven or time is up."""
        until = self.search.simulations + simulations
        while self.search.simulations < until and not self.counts[STOP]:
            if self.settings[SOLVER] and self.search.settled(bool(self.settings[EVENLY])):
                break
            left = until - self.search.simulations
            found = self.gather(*self._gathering(min(left, self.batch)))
            leaves = [self._leaf(i) for i in range(found)]
            if leaves:
                priors, values = self.ask(leaves)
                for i, leaf in enumerate(leaves):
                    self._value(leaf, values[i])
                    self.settle(*self._settling(leaf, i, priors[i]))

    def ask(self, positions: list[Position]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Priors and values of ``positions``; ValueError if they are not what was asked for."""
        number, start = len(positions), self.position
        given_priors, given_values = self.policy(positions)
        priors, values = np.asarray(given_priors, np.float64), np.asarray(given_values, np.float64)
        if priors.shape != (number, start.num_actions):
            raise ValueError(
                f"policy must give priors of shape {(number, start.num_actions)} for {number} "
                f"positions, not {priors.shape}"
            )
        wanted = [(number, start.num_players)] + [(number,)] * (start.num_players == 2)
        if values.shape not in wanted:
            raise ValueError(f"policy must give values of shape {wanted[-1]}, not {values.shape}")
        if not (np.isfinite(priors).all() and np.isfinite(values).all() and (priors >= 0).all()):
            raise ValueError("policy must give finite values, and priors that are not negative")
        return np.ascontiguousarray(priors), np.clip(values, -start.max_utility, start.max_utility)

    def _leaf(self, i: int) -> Position:
        """The position at the end of path ``i``."""
        position = self.position
        for node in self.paths[i, AT, 1 : int(self.depths[i]) + 1]:
            position = position.play(int(self.search.tree[node]["action"]))
        return position

    def _value(self, leaf: Position, value: Any) -> None:
        """Write what ``leaf`` is worth to each player where the kernels look for it."""
        if np.ndim(value):
            self.search.worth[:] = value
        else:
            self.search.worth[leaf.to_move], self.search.worth[1 - leaf.to_move] = value, -value

    def _gathering(self, batch: int) -> tuple[Any, ...]:
        search = self.search
        arrays = search.tree, self.paths, self.depths, search.worth, search.room, self.counts
        return self.position, batch, self.settings, *arrays

    def _settling(self, leaf: Position, i: int, priors: Any) -> tuple[Any, ...]:
        search, solver = self.search, bool(self.settings[SOLVER])
        arrays = search.tree, self.paths[i], search.worth, search.room
        return leaf, int(self.depths[i]), priors, solver, *arrays
