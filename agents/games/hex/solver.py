"""Hex solved exactly, up to 8 x 8: who wins any position, and which moves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from adv_envs import Hex, Position
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_seconds,
    require_table,
    require_unfinished,
)
from agents.search.limits import (
    LEAVES,
    NODE_LIMIT,
    NODES,
    STOP,
    UNLIMITED,
    Deadline,
    counters,
    prepared,
    run,
)

from .board import cells_of, require_board, rules, signed, stones_of
from .evaluations import two_distance
from .memory import memory
from .openings import winning_openings
from .proof import FOUND_CARRIER, FOUND_MOVE, prove, room

FIRST_LOOK = 1000
"""Nodes until the first result of ``analysis``; every further one takes twice as many."""


@dataclass(repr=False)
class HexSolver(SearchAgent):
    """Perfect play of Hex by proof-number search with virtual connections.

    Values are 1 for a position that the player to move wins and -1 for one they lose: Hex has no
    draws. Winning moves are played as they are found, not the quickest first. A lost position is
    defended where it resists longest: of the cells that the winner needs, on the one after which
    the winner's edges are furthest apart in two-distance (``heuristics.hex.two_distance``), which
    holds out a third longer than an arbitrary one. With the pie rule the opening is the most even
    one. ``seconds`` limits a decision, not ``value`` and
    ``values``, which are always exact; ``table_mb`` bounds the table, which is kept until
    ``reset``; ``book`` allows the solver the openings it has solved before.

    How it works is told in ``agents.games.hex``.
    """

    seconds: float | None = None
    table_mb: float = 64
    book: bool = True

    nodes: int = field(default=0, init=False, repr=False, compare=False)
    """Positions visited since ``reset``."""

    name: ClassVar[str] = "hex_solver"
    _kept: dict[int, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a limit that allows nothing."""
        require_seconds(self.seconds)
        require_table(self.table_mb)

    def reset(self, seed: int | None = None) -> None:
        """Forget what was solved."""
        self.nodes = 0
        self._kept.clear()

    def value(self, position: Position) -> float:
        """1 if the player to move wins, else -1. TypeError or ValueError for other boards."""
        position = require_board(position, self.name)
        if position.is_terminal():
            return -1.0
        known = self._openings(position)
        if known is not None and position.ply < 2 and not position.swap:
            stones = cells_of(stones_of(position)[0])
            return -1.0 if stones and stones[0] in known else 1.0
        with _Proof(self, position) as proof:
            return float(proof.value(position))

    def values(self, position: Position) -> dict[int, float]:
        """1 for every move that wins, -1 for all others. TypeError or ValueError as ``value``."""
        *_, found = self.solving(position)
        return found

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """``values``, as they are found: more of them each time; the last has all."""
        position = require_board(position, self.name)
        known = None if position.swap else self._openings(position)
        if position.is_terminal():
            yield {}
        elif position.ply == 0 and known is not None:
            yield {a: 1.0 if a in known else -1.0 for a in position.legal_actions()}
        elif position.ply == 1 and known is not None and self.value(position) < 0:
            yield dict.fromkeys(position.legal_actions(), -1.0)
        else:
            with _Proof(self, position) as proof:
                for found in proof.values(position):
                    actions = (a for a in position.legal_actions() if a in found)
                    yield {action: float(found[action]) for action in actions}

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Results as the proof goes on: unproven ones are worth 0 and tell the best move so far.

        The last is proven unless ``seconds`` were over. ValueError if the game is.
        """
        position = require_board(position, self.name)
        require_unfinished(position)
        with _Proof(self, position) as proof, Deadline(proof.counts, self.seconds):
            began = time.perf_counter()
            value, look = 0, FIRST_LOOK
            while value == 0:
                proof.counts[NODE_LIMIT] = proof.counts[NODES] + look
                value, look = proof.value(position), 2 * look
                line = (proof.move(position, value),)
                if value == 0:
                    yield proof.result(value, line, began)
                if value == 0 and proof.counts[STOP]:
                    return
            proof.counts[NODE_LIMIT] = UNLIMITED
            yield proof.result(value, proof.variation(position, line), began)

    def _openings(self, position: Hex) -> frozenset[int] | None:
        return winning_openings(position.size) if self.book else None


class _Proof:
    """A search with the solver's table, which is the search's alone until it ends."""

    def __init__(self, solver: HexSolver, position: Hex) -> None:
        self.solver, self.size = solver, position.size
        self.counts = counters()
        self.answer = np.zeros(2, np.int64)

    def __enter__(self) -> _Proof:
        kept = self.solver._kept.pop(self.size, None)  # another thread finds none, and makes one
        self.kept = kept or (memory(self.size, self.solver.table_mb), room(self.size))
        self.arrays = rules(self.size), *self.kept, self.answer, self.counts
        self.search = prepared(prove, 0, 0, 0, self.size, *self.arrays)
        return self

    def __exit__(self, *exception: object) -> None:
        self.solver._kept[self.size] = self.kept
        self.solver.nodes += int(self.counts[NODES])

    def value(self, position: Hex) -> int:
        """1 or -1 for the player to move; 0 if the search was stopped before it knew."""
        self.answer[:] = 0, -1
        if position.is_terminal():
            return -1
        if not position.swap or position.ply > 1:
            return self.of_stones(position)
        if position.ply == 1:  # to take over a stone that wins, or to play against one that loses
            self.answer[FOUND_MOVE] = position.size**2 if self.of_stones(position) < 0 else -1
            return 1
        return -1

    def of_stones(self, position: Hex) -> int:
        """The same where nobody may swap."""
        stones = stones_of(position)
        value: int = run(
            self.search, self.counts, *stones, position.to_move, self.size, *self.arrays
        )
        return value

    def move(self, position: Hex, value: int) -> int:
        """The best move, after the search of ``position`` has found ``value``.

        A win without a search, by a virtual connection, begins somewhere in its carrier; a lost
        position is best defended there.
        """
        found, carrier = int(self.answer[FOUND_MOVE]), int(self.answer[FOUND_CARRIER])
        if found >= 0 and value >= 0:
            return found
        legal = position.legal_actions()
        within = [action for action in legal if carrier >> action & 1] or legal
        if value < 0:
            return longest_resistance(position, within)
        if value == 0:
            return within[len(within) // 2]
        limit = int(self.counts[NODE_LIMIT])
        for most in (1, limit):  # the connection is seen at once where it begins
            for action in within:
                self.counts[NODE_LIMIT] = min(self.counts[NODES] + most, limit)
                if self.value(position.play(action)) < 0:
                    self.counts[NODE_LIMIT] = limit
                    return action
        return within[0]  # the search was stopped

    def variation(self, position: Hex, line: tuple[int, ...]) -> tuple[int, ...]:
        """Best play to the end of the game, of which ``line`` is the beginning."""
        for action in line:
            position = position.play(action)
        while not position.is_terminal() and self.counts[STOP] == 0:
            line += (self.move(position, self.value(position)),)
            position = position.play(line[-1])
        return line

    def values(self, position: Hex) -> Iterator[dict[int, int]]:
        """The value of every legal action, more of them each time."""
        legal = position.legal_actions()
        won = self.value(position)
        if won < 0:
            yield dict.fromkeys(legal, -1)
            return
        values: dict[int, int] = {}
        if position.swap and position.ply == 1:
            swap = legal.pop()
            values[swap] = -self.of_stones(position)
            if values[swap] > 0:
                yield values | dict.fromkeys(legal, -1)
                return
        last = position.size**2 - 1
        turned = all(_turned(stones, last) == stones for stones in stones_of(position))
        for action in sorted(legal, key=lambda action: abs(2 * action - last)):
            if action in values:
                continue
            value = values[action] = -self.value(position.play(action))
            if turned:  # the board looks the same from the other side
                values[last - action] = value
            if value < 0:  # so do all moves that are not in the way of the win against this one
                carrier = int(self.answer[FOUND_CARRIER])
                for other in legal:
                    if not carrier >> other & 1:
                        values[other] = -1
            yield values

    def result(self, value: int, line: tuple[int, ...], began: float) -> SearchResult:
        """What is known by now, as a result."""
        nodes, leaves = int(self.counts[NODES]), int(self.counts[LEAVES])
        seconds = time.perf_counter() - began
        return SearchResult(
            line[0], float(value), line, nodes, leaves, len(line), seconds, proven=value != 0
        )


def longest_resistance(position: Hex, actions: list[int]) -> int:
    """The action, of these, after which the other player seems furthest from winning.

    Where that player may swap, the one after which nobody seems to be ahead.
    """
    ahead = {action: two_distance(position.play(action)) for action in actions}
    if position.swap and position.ply == 0:
        ahead = {action: abs(value) for action, value in ahead.items()}
    return min(ahead, key=ahead.__getitem__)


def _turned(stones: int, last: int) -> int:
    """The stones of a board turned by half a circle; ``last`` is its last cell."""
    return signed(sum(1 << last - cell for cell in cells_of(stones)))
