"""Makes engines search information sets, as ``agents.mcts.information_set`` does.

They are given the true position, and use only what the player to move sees of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from adv_envs.random import scattered
from agents.mcts.information_set import (
    InformationSetMCTS,
    ViewArrays,
    kernel_for,
    report_views,
    simulate_views,
)
from agents.mcts.selection import most_simulations
from agents.search.limits import UNLIMITED, Counts, counters

from .array_plans import arrays_told, seed_told
from .rules_engine import LIKE, Row, bound_to

NAME = "ismcts"


@kernel
def begin_views(row: Row, state: NDArray[np.int64]) -> None:
    """Makes the seed in ``state`` (1,) the first state of the random numbers."""
    state[0] = scattered(int(state[0]))


@kernel
def simulate_from_words(
    row: Row,
    simulations: int,
    exploration: float,
    state: NDArray[np.int64],
    arrays: ViewArrays,
    counts: Counts,
) -> None:
    """Adds ``simulations`` from what the player to move sees; ``state`` (1,) is drawn from."""
    position = position_of(LIKE, row)
    view = position.hidden(position.to_move)
    drawn = int(state[0])
    state[0] = simulate_views(view, simulations, drawn, exploration, arrays, counts)


@kernel
def report_words(row: Row, report: NDArray[np.float64], arrays: ViewArrays) -> int:
    """Writes what was found of each action; returns the best one: see ``report_views``."""
    position = position_of(LIKE, row)
    return int(report_views(position.hidden(position.to_move), report, arrays))


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine searches as ``agent`` does; None unless it is of this kind."""
    if type(agent) is not InformationSetMCTS:
        return None
    most = most_simulations(agent.simulations, agent.seconds)
    return {
        "simulations": None if most == UNLIMITED else most,
        "seconds": agent.seconds,
        "seed": seed_told(agent.seed),
        "mixed": agent.mixed,
        "exploration": agent.weight(start),
        "arrays": arrays_told(agent.new_arrays(start)),
    }


def exports(agent: InformationSetMCTS, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels for a search as that of ``agent``."""
    row, state, report = (
        np.array(words_of(start), np.int64),
        np.zeros(1, np.int64),
        np.zeros((1, 3)),
    )
    arrays = InformationSetMCTS(simulations=1).new_arrays(start)
    simulate = simulate_from_words.bind(simulate_views=kernel_for(start))
    made: dict[str, Any] = {
        "begin": (begin_views, (row, state)),
        "simulate": (simulate, (row, 1, 1.0, state, arrays, counters())),
        "report": (report_words, (row, report, arrays)),
    }
    return {name: (bound_to(kernel, start), given) for name, (kernel, given) in made.items()}
