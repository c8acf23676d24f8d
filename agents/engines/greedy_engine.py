"""Makes engines play one ply ahead, as ``agents.simple.Greedy`` does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from adv_envs.random import impossible
from agents.simple import Greedy, value_for

from .rules_engine import LIKE, Row, bound_to

NAME = "greedy"


@kernel
def look_ahead(
    row: Row,
    actions: NDArray[np.int64],
    utilities: NDArray[np.float64],
    evaluations: NDArray[np.float64],
) -> None:
    """Writes the utility and the evaluation after each of ``actions`` for the player to move."""
    position = position_of(LIKE, row)
    for i in range(actions.shape[0]):
        child = position.play(int(actions[i]))
        utilities[i], evaluations[i] = value_for(child, position.to_move)


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine plays as ``agent`` does; None unless it is greedy."""
    return {} if type(agent) is Greedy and start.perfect_information else None


def exports(agent: Greedy, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernel that values each action by the evaluation of ``agent``."""
    bound: dict[str, Any] = {} if agent.evaluate is None else {"evaluate": agent.evaluate}
    if not start.has_chance:
        bound["chance_of"] = impossible
    row, numbers = np.array(words_of(start), np.int64), np.zeros(1)
    given = row, np.zeros(1, np.int64), numbers, numbers
    return {"values": (bound_to(look_ahead.bind(**bound), start), given)}
