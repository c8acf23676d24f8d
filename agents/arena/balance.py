"""Which openings favour neither seat: draws with best play, or what a search finds most even."""

from __future__ import annotations

from collections.abc import Callable

from adv_envs import Position
from agents.knowledge import knowledge_of
from agents.mcts import MCTS
from agents.search import AlphaBeta

Line = tuple[int, ...]
"""Actions from the start of a game."""

Solver = Callable[[Position], float | None]
"""The exact value of a position, or None where that takes too long."""

NODES = 100_000
"""Positions are solved by alpha-beta with so many nodes; those of Connect Four by its book."""

SIMULATIONS = 400
"""Positions that are not are searched with so many."""


def after(position: Position, line: Line) -> Position:
    """The position after legal actions, which are not checked again."""
    for action in line:
        position = position.play(action)
    return position


def draws_among(start: Position, lines: list[Line], count: int | None) -> tuple[list[Line], int]:
    """The first ``count`` that are draws with best play, and how many were looked at for them.

    There are none where one of those cannot be solved quickly.
    """
    found: list[Line] = []
    solver = _quick_solver(start)
    for number, line in enumerate(lines):
        value = solver(after(start, line))
        if value is None:
            return [], number
        if value == 0:
            found.append(line)
        if len(found) == count:
            return found, number + 1
    return found, len(lines)


def _quick_solver(start: Position) -> Solver:
    search, known_value = AlphaBeta(nodes=NODES), knowledge_of(start).known_value

    def known(position: Position) -> float | None:
        value = known_value(position) if known_value is not None else None
        return by_search(position) if value is None else value

    def by_search(position: Position) -> float | None:
        found = search.analyse(position)
        return found.value if found.proven else None

    if start.has_chance:
        return lambda _: None
    return known


def evenest(start: Position, lines: list[Line], seed: int) -> tuple[list[Line], float]:
    """The quarter nearest to even, and how far from it the last one is, in percent of games."""
    search = MCTS(simulations=SIMULATIONS, solver=False, knowledge=0, reuse=False)
    off = []
    for line in lines:
        position = after(start, line)
        search.reset(seed)
        off.append(50 * abs(search.value(position)) / position.max_utility)
    order = sorted(range(len(lines)), key=off.__getitem__)[: max(1, len(lines) // 4)]
    return [lines[i] for i in order], off[order[-1]]
