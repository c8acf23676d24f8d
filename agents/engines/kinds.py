"""Lists the kinds of search that engines have."""

from __future__ import annotations

from typing import Any, Protocol

from adv_envs import Position

from . import (
    alpha_beta_engine,
    exact_engine,
    expectiminimax_engine,
    greedy_engine,
    ismcts_engine,
    mcts_engine,
    phases_engine,
    policy_engine,
    random_engine,
    valued_engine,
)

Exports = dict[str, tuple[Any, tuple[Any, ...]]]
"""Kernels by the name of their export, each with arguments like those that it will get."""


class Kind(Protocol):
    """Represents a kind of search: a file of this folder, and one of its ``NAME`` in ``static``."""

    NAME: str
    """The "search" of its plans."""

    def plan(self, agent: Any, start: Position) -> dict[str, Any] | None:
        """Returns what JavaScript needs to know to search as ``agent`` does, as data for JSON.

        None for agents of another kind, and for what engines cannot do.
        """

    def exports(self, agent: Any, start: Position) -> Exports:
        """Returns the kernels that a search as ``agent``'s calls, with all that is bound."""


KINDS: tuple[Kind, ...] = (
    alpha_beta_engine,
    exact_engine,
    expectiminimax_engine,
    greedy_engine,
    ismcts_engine,
    mcts_engine,
    phases_engine,
    policy_engine,
    random_engine,
    valued_engine,
)
