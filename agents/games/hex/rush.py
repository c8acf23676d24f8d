"""An agent that hurries along its own shortest path."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import ClassVar

from adv_envs import Hex, Position
from agents.agent import Agent, require_unfinished

from .evaluations import path_cells


@dataclass(repr=False)
class Rush(Agent):
    """Hex: always a cell on its own shortest path from edge to edge, whatever the opponent does.

    Of the empty cells on shortest paths it takes one at random. ValueError for other games.
    """

    seed: int | None = None

    name: ClassVar[str] = "rush"
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Seed the generator that chooses among the cells of the path."""
        self._random = random.Random(self.seed)

    def reset(self, seed: int | None = None) -> None:
        """Choose by ``seed`` from now on; None goes on as before."""
        if seed is not None:
            self._random = random.Random(seed)

    def act(self, position: Position) -> int:
        """A cell of a shortest path."""
        require_unfinished(position)
        if not isinstance(position, Hex):
            raise ValueError(f"rush plays hex, not {type(position).__name__}")
        cells = path_cells(position, position.to_move)
        stones = range(position.num_stone_actions)
        return self._random.choice([a for a in stones if cells >> position.entry(a) & 1])
