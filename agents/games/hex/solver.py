"""Solves Hex up to 8 x 8: an agent that knows who wins a position, and by which moves.

What all solvers by virtual connections share is a class that other games of connection subclass.

The openings of small boards ship with it, in a file with a line for every size: the rows of the
board from the top, with W where the first player wins by opening there and . where not. Its last
line is the SHA-256 of all others. ``write_openings`` makes it.
"""

from __future__ import annotations

import hashlib
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from adv_envs import Hex, Position
from adv_envs.files import write_file
from agents.agent import SearchAgent, SearchResult, require_unfinished
from agents.knowledge import knowledge_of
from agents.search.limits import (
    NODE_LIMIT,
    NODES,
    STOP,
    UNLIMITED,
    Deadline,
    counters,
    prepared,
    run,
    search_result,
)

from .proof import FOUND_CARRIER, FOUND_MOVE, ConnectionArrays, hex_arrays, prove
from .virtual_connections import cells_of, require_board, stones_of

FIRST_NODES = 1000
"""Nodes until the first result of ``analysis``; every further one takes twice as many."""

OPENINGS = Path(__file__).parents[2] / "data" / "hex_openings.txt"

HEADING = "openings of hex, version 1"


@dataclass(repr=False)
class ConnectionSolver(SearchAgent):
    """Plays a game of connection perfectly by proof-number search with virtual connections.

    Values are 1 for a position that the player to move wins and -1 for one they lose: there are no
    draws. Winning moves are played as they are found, not the quickest first. In a lost position
    the solver plays, of the cells that the winner needs, the one that is best by the default
    evaluation of the game. With the pie rule the opening is the most balanced one. A game says
    which positions it takes and how its board is connected.
    """

    seconds: float | None = None
    """Wall-clock time for one decision, not for ``value`` and ``values``, which are always exact;
    None: no limit."""
    table_mb: float = 64
    """Bounds the table, in megabytes; it is kept until ``reset``."""

    nodes: int = field(default=0, init=False, repr=False, compare=False)
    """Positions visited since ``reset``."""

    _kept: dict[int, ConnectionArrays] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @abstractmethod
    def _board(self, position: Position) -> Any:
        """Returns the position, if it is taken; ValueError, which says what is."""

    @abstractmethod
    def _arrays(self, size: int) -> ConnectionArrays:
        """Returns what searches on a board work on, with an empty table."""

    def _openings(self, position: Any) -> frozenset[int] | None:
        """Returns the first moves that win, where they are known without a search."""
        return None

    def reset(self, seed: int | None = None) -> None:
        """Clears the table; the result of a search does not depend on ``seed``."""
        self.nodes = 0
        self._kept.clear()

    def value(self, position: Position) -> float:
        """Returns 1 if the player to move wins, else -1.

        ValueError for other games, larger boards and impossible positions.
        """
        board = self._board(position)
        if board.is_terminal():
            return -1.0
        known = self._openings(board)
        if known is not None and board.ply < 2 and not board.swap:
            stones = cells_of(stones_of(board)[0])
            return -1.0 if stones and stones[0] in known else 1.0
        with _Proof(self, board) as proof:
            return float(proof.value(board))

    def values(self, position: Position) -> dict[int, float]:
        """Returns 1 for every move that wins, -1 for the others; errors as ``value``."""
        *_, found = self.solving(position)
        return found

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """Yields ``values`` as they are found: more of them each time, at the end all."""
        board = self._board(position)
        known = None if board.swap else self._openings(board)
        if board.is_terminal():
            yield {}
        elif board.ply == 0 and known is not None:
            yield {a: 1.0 if a in known else -1.0 for a in board.legal_actions()}
        elif board.ply == 1 and known is not None and self.value(board) < 0:
            yield dict.fromkeys(board.legal_actions(), -1.0)
        else:
            with _Proof(self, board) as proof:
                for found in proof.values(board):
                    actions = (a for a in board.legal_actions() if a in found)
                    yield {action: float(found[action]) for action in actions}

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields results while the proof goes on: value 0 and the best move so far until proven.

        The last is proven unless ``seconds`` were over before. ValueError if the game is over.
        """
        board = require_unfinished(self._board(position))
        with _Proof(self, board) as proof, Deadline(proof.counts, self.seconds):
            began = time.perf_counter()
            value, look = 0, FIRST_NODES
            while value == 0:
                proof.counts[NODE_LIMIT] = proof.counts[NODES] + look
                value, look = proof.value(board), 2 * look
                line = (proof.move(board, value),)
                if value == 0:
                    yield proof.result(value, line, began)
                if value == 0 and proof.counts[STOP]:
                    return
            proof.counts[NODE_LIMIT] = UNLIMITED
            yield proof.result(value, proof.variation(board, line), began)


class _Proof:
    """Holds a search with the solver's table, which no other thread has until it ends."""

    def __init__(self, solver: ConnectionSolver, position: Any) -> None:
        self.solver, self.size = solver, position.size
        self.counts = counters()
        self.answer = np.zeros(2, np.int64)

    def __enter__(self) -> _Proof:
        kept = self.solver._kept.pop(self.size, None)  # other threads make their own
        kept = kept or self.solver._arrays(self.size)
        self.arrays = kept._replace(counts=self.counts)
        self.search: Callable[..., int] = prepared(prove, 0, 0, 0, self.answer, self.arrays)
        return self

    def __exit__(self, *exception: object) -> None:
        self.solver._kept[self.size] = self.arrays
        self.solver.nodes += int(self.counts[NODES])

    def value(self, position: Any) -> int:
        """Returns 1 or -1 for the player to move; 0 if the search was stopped before."""
        self.answer[:] = 0, -1
        if position.is_terminal():
            return -1
        if not position.swap or position.ply > 1:
            return self.of_stones(position)
        if position.ply == 1:  # swap a stone that wins, play against one that loses
            swap = position.num_stone_actions
            self.answer[FOUND_MOVE] = swap if self.of_stones(position) < 0 else -1
            return 1
        return -1

    def of_stones(self, position: Any) -> int:
        """Returns ``value`` for the stones, without a swap."""
        stones = stones_of(position)
        given = *stones, position.to_move, self.answer, self.arrays
        value: int = run(self.search, self.counts, *given)
        return value

    def move(self, position: Any, value: int) -> int:
        """Returns the best move, after the search of ``position`` has found ``value``.

        A win by a virtual connection, found without a search, begins with some cell of its carrier;
        a lost position is best defended there.
        """
        found, carrier = int(self.answer[FOUND_MOVE]), int(self.answer[FOUND_CARRIER])
        if found >= 0 and value >= 0:
            return found
        legal: list[int] = position.legal_actions()
        within = [action for action in legal if carrier >> action & 1] or legal
        if value < 0:
            return longest_resistance(position, within)
        if value == 0:
            return within[len(within) // 2]
        limit = int(self.counts[NODE_LIMIT])
        for most in (1, limit):  # after the right first cell the connection is found at once
            for action in within:
                self.counts[NODE_LIMIT] = min(self.counts[NODES] + most, limit)
                if self.value(position.play(action)) < 0:
                    self.counts[NODE_LIMIT] = limit
                    return action
        return within[0]  # the search was stopped

    def variation(self, position: Any, line: tuple[int, ...]) -> tuple[int, ...]:
        """Returns best play to the end of the game, beginning with ``line``."""
        for action in line:
            position = position.play(action)
        while not position.is_terminal() and self.counts[STOP] == 0:
            line += (self.move(position, self.value(position)),)
            position = position.play(line[-1])
        return line

    def values(self, position: Any) -> Iterator[dict[int, int]]:
        """Yields the value of legal actions, more of them each time."""
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
        last, images = position.num_stone_actions - 1, _own_images(position)
        for action in sorted(legal, key=lambda action: abs(2 * action - last)):
            if action in values:
                continue
            value = values[action] = -self.value(position.play(action))
            for image in images:
                values[image[action]] = value
            if value < 0:  # so do all moves outside the carrier of the win against it
                carrier = int(self.answer[FOUND_CARRIER])
                for other in legal:
                    if not carrier >> other & 1:
                        values[other] = -1
            yield values

    def result(self, value: int, line: tuple[int, ...], began: float) -> SearchResult:
        """Returns what is known so far."""
        found: dict[str, Any] = {"depth": len(line), "proven": value != 0}
        return search_result(self.counts, began, line[0], float(value), line, **found)


def longest_resistance(position: Any, actions: list[int]) -> int:
    """Returns the one of ``actions`` after which the evaluation is worst for the opponent.

    Where the opponent may swap, the one after which it is nearest to 0.
    """
    knowledge = knowledge_of(position)
    evaluate = knowledge.evaluations[knowledge.default_evaluation or ""]
    values = {action: evaluate(position.play(action)) for action in actions}
    if position.swap and position.ply == 0:
        values = {action: abs(value) for action, value in values.items()}
    return min(values, key=values.__getitem__)


def _own_images(position: Any) -> list[list[int]]:
    """Returns the actions to which each symmetry takes those of cells, if it moves no stones.

    Or only to cells with stones of the same player; the one that changes nothing is left out.
    """
    known, stones = knowledge_of(position).symmetries, stones_of(position)
    if known is None:
        return []
    return [
        [known.image_action(position, action, i) for action in range(position.num_stone_actions)]
        for i in range(1, known.num_images(position))
        if stones_of(known.playable(position, i)) == stones
    ]


# ---- Hex


@dataclass(repr=False)
class HexSolver(ConnectionSolver):
    """Plays Hex perfectly; the parts of the search are listed in ``agents.games.hex``.

    In a lost position the edges of the winner are furthest apart in two-distance
    (``two_distance``) after its moves; games then last a third longer than with an arbitrary one.
    """

    book: bool = True
    """Whether the openings that ship with the package are used."""

    name: ClassVar[str] = "hex_solver"

    def _board(self, position: Position) -> Hex:
        return require_board(position, self.name)

    def _arrays(self, size: int) -> ConnectionArrays:
        return hex_arrays(size, self.table_mb)

    def _openings(self, position: Hex) -> frozenset[int] | None:
        return winning_openings(position.size) if self.book else None


# ---- the openings that ship with the package


@cache
def winning_openings(size: int, file: Path = OPENINGS) -> frozenset[int] | None:
    """Returns the first moves that win on this size, or None if the file has no such size.

    ValueError as ``read_openings``.
    """
    rows = read_openings(file).get(size)
    if rows is None:
        return None
    return frozenset(cell for cell, mark in enumerate(rows.replace("/", "")) if mark == "W")


def read_openings(file: Path) -> dict[int, str]:
    """Returns the rows for every size in ``file``.

    ValueError if the file is torn or of another version, with how to make it again.
    """
    text = file.read_text("ascii", errors="replace") if file.exists() else ""
    body, _, digest = text.rstrip("\n").rpartition("\n")
    if digest != _checksum(body) or not body.startswith(HEADING + "\n"):
        raise ValueError(
            f"{file} is torn, or not a table of {HEADING}: make it again with "
            "agents.games.hex.solver.write_openings"
        )
    sizes = (line.split() for line in body.splitlines()[1:])
    return {int(size): rows for size, rows in sizes}


def write_openings(rows: Mapping[int, str], file: Path = OPENINGS) -> None:
    """Writes the rows for every size into ``file``.

    The file of the package, in about half an hour::

        write_openings({size: solve_openings(size) for size in range(2, 8)})
    """
    body = "\n".join([HEADING, *(f"{size} {rows[size]}" for size in sorted(rows))])
    write_file(file, f"{body}\n{_checksum(body)}\n")


def solve_openings(size: int, table_mb: float = 256) -> str:
    """Returns the rows for ``size``, found without the file."""
    values = HexSolver(book=False, table_mb=table_mb).values(Hex(size))
    letters = "".join("W" if values[cell] > 0 else "." for cell in range(size * size))
    return "/".join(letters[row * size : (row + 1) * size] for row in range(size))


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
