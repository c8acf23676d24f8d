"""Implements AlphaZero for every two-player game of perfect information without chance.

- ``settings``: ``AlphaZeroSettings``, everything a run is made of, and where it was published;
- ``learner``: ``AlphaZero``, self-play and learning, and ``train_alphazero``, all that in a folder,
  graded while it learns, to be continued; on
- ``self_play``: games, and the samples of the latest ones; by
- ``search``: ``agents.mcts.policy_search`` in hundreds of games at once; with
- ``residual_network``: what the network is, and how it is asked; in
- ``actors``: processes of self-play, on this machine or on a Ray cluster.

Needs the extra ``learn``: PyTorch.
"""

import importlib
from typing import TYPE_CHECKING, Any

from adv_envs.optional import optional_library

from .actors import ActorError
from .settings import AlphaZeroSettings

if TYPE_CHECKING:
    from .learner import AlphaZero as AlphaZero
    from .learner import train_alphazero as train_alphazero

__all__ = ["ActorError", "AlphaZeroSettings"]

_LAZY = {"AlphaZero": "learner", "train_alphazero": "learner"}
"""Public names that need PyTorch as soon as they are imported, and their modules."""


def __getattr__(name: str) -> Any:
    """Imports what needs PyTorch, and PyTorch with it, when it is asked for."""
    if name in _LAZY:
        optional_library("torch", "training needs", "learn")
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
