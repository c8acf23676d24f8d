"""adv-envs: adversarial board games as PettingZoo environments, with rules that run everywhere.

``env("connect_four")`` is an AEC environment with action masks, and
``gymnasium.make("adv_envs/ConnectFour-v0")`` one against an opponent; ``ConnectFour()`` is the
start position, an immutable value that knows the rules; ``agents`` plays on both.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .games.connect_four import ConnectFour
from .games.hex import Hex
from .games.pig import Pig
from .games.thirty_one import ThirtyOne
from .games.tic_tac_toe import TicTacToe
from .games.tree import Fig52, Tree
from .position import CHANCE, Board, IllegalMove, Position, reachable
from .registry import (
    GAMES,
    env,
    game,
    game_module,
    make,
    name_of,
    raw_env,
    register,
    register_with_gymnasium,
    register_with_pettingzoo,
)

if TYPE_CHECKING:
    from .pictures import Picture, register_picture

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "GAMES",
    "Board",
    "ConnectFour",
    "Fig52",
    "Hex",
    "IllegalMove",
    "Picture",
    "Pig",
    "Position",
    "ThirtyOne",
    "TicTacToe",
    "Tree",
    "env",
    "game",
    "make",
    "name_of",
    "raw_env",
    "reachable",
    "register",
    "register_picture",
]

_LAZY = {"Picture": ".pictures", "register_picture": ".pictures"}
"""Public names of modules that are imported when they are used."""

for _name in GAMES:
    register_with_pettingzoo(_name)
    register_with_gymnasium(_name)


def __getattr__(name: str) -> Any:
    """``from adv_envs import hex_v0``: each game as a module with ``env`` and ``raw_env``."""
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name], __name__), name)
    if name.endswith("_v0") and name.removesuffix("_v0") in GAMES:
        return game_module(name.removesuffix("_v0"))
    raise AttributeError(f"module 'adv_envs' has no attribute {name!r}")
