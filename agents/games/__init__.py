"""What games know about themselves beyond their rules: evaluations, move orders, symmetries.

An evaluation is a kernel ``evaluate(position) -> float``, larger for better, from the point of view
of the player to move; a won game is worth more than any evaluation. Zero means even.

Searches look up, by name, what the module of a game has; all of it is optional:

- ``order(position, action) -> float``: larger is tried first. It is asked once, at the root.
- ``num_images(position) -> int``, ``image(position, i)``, ``image_action(position, action, i)`` and
  ``inverse_image(position, i)``: the symmetries of the board, as in ``agents.search.table``;
- ``decided(position) -> {action: value}``: moves of an unfinished game whose exact value for the
  player to move is known without a search, often none. ``mcts`` asks at nodes that are busy.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from adv_envs import ConnectFour, Hex, Position, TicTacToe

KNOWLEDGE: dict[type[Position], str | ModuleType] = {
    TicTacToe: "agents.games.tic_tac_toe",
    ConnectFour: "agents.games.connect_four.evaluations",
    Hex: "agents.games.hex.evaluations",
}
"""The module of each game; add your own, as a module or by name."""


def knowledge(position: Position, name: str) -> Any:
    """What the game of ``position`` has under ``name``, or None."""
    module = KNOWLEDGE.get(type(position))
    if isinstance(module, str):
        module = importlib.import_module(module)
    return getattr(module, name, None)
