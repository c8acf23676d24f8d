"""Shares what solvers have that know the score of every move: best play to the end."""

from __future__ import annotations

import time
from abc import abstractmethod

from adv_envs import Position
from adv_envs.position import checked
from agents.agent import SearchAgent, SearchResult, require_unfinished, result_of_values


class ScoredEndings(SearchAgent):
    """Plays by exact scores: higher for sooner wins, lower for sooner losses, 0 for a draw."""

    @abstractmethod
    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move; ValueError if unknown."""

    def analyse(self, position: Position) -> SearchResult:
        """Returns best play to the end; ValueError if the game is over."""
        position, began = require_unfinished(position), time.perf_counter()
        values, line = self.values(position), self.line(position)
        return result_of_values(
            values, began, principal_variation=line, depth=len(line), proven=True
        )

    def line(self, position: Position) -> tuple[int, ...]:
        """Returns best play to the end; one move where it is a draw."""
        position, line = checked(position), list[int]()
        while not position.is_terminal():
            values = self.values(position)
            line.append(max(values, key=values.__getitem__))
            position = position.play(line[-1])
            if values[line[-1]] == 0:
                break
        return tuple(line)
