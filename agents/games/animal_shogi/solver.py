"""Plays animal shogi perfectly: from the table of all positions, or as far as a search proves.

The table is built once, by ``adv-envs solve animal_shogi --table``, and kept in the folder of
compiled code, the user's cache.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from adv_envs import AnimalShogi, Position
from adv_envs.jit.folder import folder
from adv_envs.position import checked
from agents.agent import SearchResult, require_game, require_unfinished
from agents.games.scored_endings import ScoredEndings
from agents.search.alpha_beta import AlphaBeta

from .evaluations import fitted
from .numbering import number_of, pieces_in
from .table import DECIDED, OPEN, UNSEEN, WORDS, Bytes, TableProgress, filled_table

LONGEST = 512
"""A win after n plies has the score LONGEST - n: no forced win takes as many."""
FILE = "animal_shogi_table.npy"
EXPANDED = 99_485_568
"""Positions that are expanded: the published count of those in which the game goes on."""
LEVELS = 176
"""Distances to be worked back, about."""
BUILD = (
    "`adv-envs solve animal_shogi --table` builds the table of all 246,803,167 positions, in about "
    "ten minutes on one core, with 1.1 GB of memory and of the disk"
)


class Unproven(ValueError):
    """Says that a search has proven nothing, and what would tell."""


def table_path(table: str | Path = "") -> Path:
    """Returns the file of the table: ``table``, or the one in the user's cache."""
    if table:
        return Path(table)
    place = folder()
    if place is None:
        raise ValueError("there is no folder to keep the table in: set ADV_ENVS_CACHE to one")
    return place / FILE


@functools.lru_cache(maxsize=1)
def _opened(path: Path, changed: int) -> Bytes:
    """Returns the table in a file; only what is asked for is read from it."""
    try:
        table: Bytes = np.load(path, mmap_mode="r")
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(f"{path} is no table of animal shogi: remove it. {BUILD}") from error
    if table.shape != (8 * WORDS,) or table.dtype != np.uint8:
        raise ValueError(f"{path} is no table of animal shogi: remove it. {BUILD}")
    return table


def kept_table(table: str | Path = "") -> Bytes | None:
    """Returns the table, None if it has not been built; ValueError for what is none."""
    path = table_path(table)
    return _opened(path, path.stat().st_mtime_ns) if path.exists() else None


def plies_to_end(position: AnimalShogi, table: Bytes | None) -> int | None:
    """Returns in how many plies an unfinished position is won (odd) or lost; 0 for a draw.

    None for a position to which play does not lead, and without a table for all but those in which
    the lion can be caught. The table knows nothing of repetition, and of the longest game only that
    a win must come in time.
    """
    if position.takers(position.opp & position.lions):
        return 1
    if table is None:
        return None
    byte = int(table[number_of.plain(pieces_in(position))[0]])
    if byte in (UNSEEN, DECIDED):
        return None
    plies = 0 if byte >= OPEN else byte - DECIDED
    return plies if plies <= position.max_plies - position.ply else 0


def is_listed(position: AnimalShogi) -> bool:
    """Returns whether the table has the values of all moves of a position.

    It has none of some positions after a lion was not caught that could be.
    """
    table = kept_table()
    children = (position.play(action) for action in position.legal_actions())
    return table is not None and all(
        child.is_terminal() or plies_to_end(child, table) is not None for child in children
    )


@dataclass(repr=False)
class AnimalShogiSolver(ScoredEndings):
    """Plays animal shogi perfectly: who wins, and in how many plies.

    A win after n plies has the score 512 - n, a loss -(512 - n), a draw 0; a lion that is caught
    or across ends the game. Without the table, and at positions that are not in it, alpha-beta
    proves a value or ValueError says that it did not; ``act`` then plays what it likes best.
    """

    table: str | Path = ""
    """The file of the table; by default the one in the user's cache."""
    nodes: int = 200_000
    """Positions that the search may visit where the table does not help."""

    name: ClassVar[str] = "animal_shogi_solver"

    def value(self, position: Position) -> float:
        """Returns the score of ``position``, also of a finished one."""
        position = require_game(checked(position), AnimalShogi, self.name, "solves")
        if position.is_terminal():
            return float(LONGEST * position.utility(position.to_move))
        return float(self._score(position))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move; ValueError if unknown."""
        position = checked(position)
        return {a: self._value_of_move(position, a) for a in position.legal_actions()}

    def solving(self, position: Position) -> Iterator[dict[int, float]]:
        """Yields ``values`` as they become known; without the table some may stay unknown."""
        position, found = checked(position), dict[int, float]()
        for action in position.legal_actions():
            with contextlib.suppress(Unproven):
                found[action] = self._value_of_move(position, action)
            yield dict(found)

    def _value_of_move(self, position: Position, action: int) -> float:
        value = self.value(position.play(action))
        return float((value > 0) - (value < 0) - value)

    def analyse(self, position: Position) -> SearchResult:
        """Returns best play to the end, or as far as it is known."""
        position = require_game(require_unfinished(position), AnimalShogi, self.name, "solves")
        for action in position.legal_actions():
            child = position.play(action)
            if child.own & child.lions == 0:  # the lion is caught
                return SearchResult(action, LONGEST - 1.0, (action,), depth=1, proven=True)
        if plies_to_end(position, kept_table(self.table)) is None:
            return self._searched(position)
        return super().analyse(position)

    def act(self, position: Position) -> int:
        """Returns the best action, or what a search prefers that proves nothing."""
        try:
            return self.analyse(position).action
        except Unproven:
            return AlphaBeta(nodes=self.nodes, evaluate=fitted).act(position)

    def _score(self, position: AnimalShogi) -> int:
        """Returns the score of an unfinished position."""
        plies = plies_to_end(position, kept_table(self.table))
        if plies is None:
            return int(self._searched(position).value)
        if plies == 0:
            return 0
        return LONGEST - plies if plies % 2 else plies - LONGEST

    def _searched(self, position: AnimalShogi) -> SearchResult:
        """Returns what alpha-beta proves, its value a score; ValueError if it proves nothing.

        Iterations get deeper one by one, so the first proof is of the shortest win.
        """
        found = AlphaBeta(nodes=self.nodes, evaluate=fitted, quiescence=False).analyse(position)
        if not found.proven:
            raise Unproven(
                f"{self.name} proves nothing about this position with {self.nodes:,} nodes: {BUILD}"
            )
        sign = (found.value > 0) - (found.value < 0)
        return dataclasses.replace(found, value=float(sign * (LONGEST - found.depth)))


def in_plies(position: AnimalShogi, value: float) -> str:
    """Returns what a score means: "a win in 5 plies"."""
    if value == 0:
        return "a draw"
    plies = int(LONGEST - abs(value))
    ending = "y" if plies == 1 else "ies"
    return f"a {'win' if value > 0 else 'loss'} in {plies} pl{ending}"


class AnimalShogiTable:
    """Builds the table and keeps it in a file: what ``--table`` of ``adv-envs solve`` does."""

    about = BUILD
    total = EXPANDED + LEVELS * (EXPANDED // LEVELS)

    def __init__(self, path: Path) -> None:
        """Takes the file to be written; ValueError if there is no room for it."""
        self.path, self.done = path, False
        free = os.statvfs(path.parent) if hasattr(os, "statvfs") else None
        if free is not None and free.f_bavail * free.f_frsize < 8 * WORDS:
            raise ValueError(f"there is no room for 1.1 GB in {path.parent}")
        self.table: Bytes = np.zeros(8 * WORDS, np.uint8)

    def fill(self) -> Iterator[int]:
        """Builds the table; yields how much of ``total`` is done."""
        for progress in filled_table(self.table):
            yield self.share(progress)
        self.done = True

    def share(self, progress: TableProgress) -> int:
        """Returns how much of ``total`` is done: positions expanded, and decided as many again."""
        return min(progress.positions + progress.decided, self.total)

    def save(self) -> str:
        """Writes the table if it is whole; a reader sees no part of it. Says what it has."""
        if not self.done:
            return "the table is not built: it has to be begun anew"
        partial = self.path.with_suffix(".part")
        with partial.open("wb") as file:
            np.save(file, self.table)
        partial.replace(self.path)
        return "the table of all positions"


def table_writer(start: Position) -> AnimalShogiTable | None:
    """Returns what builds the table; None if it is there."""
    return None if kept_table() is not None else AnimalShogiTable(table_path())
