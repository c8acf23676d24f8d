"""Plays k in a row by threat search: proves wins by threats and otherwise looks ahead.

First it looks for a win by threats, which is proven (``threat_proof.py``). If it finds none, it
searches by alpha-beta, deeper and deeper, the heaviest moves of each position: those in the rows
with most stones of either colour. Positions at the end are valued by their rows. Where a row of the
opponent needs one more stone, or two could be made to, only moves that prevent it are tried.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adv_envs import Gomoku, Position
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_game, require_unfinished
from agents.search.limits import (
    ABORTED,
    CUT_OFF,
    LEAVES,
    NODE_LIMIT,
    NODES,
    STOP,
    UNLIMITED,
    Deadline,
    prepared,
    run,
    search_result,
)
from agents.search.transposition_table import (
    BOUND,
    bound_type,
    data_of,
    decides,
    find,
    note_at,
    slot_for,
    work_of,
    write,
)

from .threat_proof import (
    NEEDS,
    Counts,
    ThreatArrays,
    double_cell,
    insert,
    place,
    prove,
    remove,
    set_key,
    threat_arrays,
    winning_cell,
    write_answers,
    write_line,
)

WON = 1_000_000_000
"""The value of a won game, less the plies to its end; no weight of rows comes near it."""

SURE = WON - 1000

SEEN = 100.0
"""The value of a win that the agent sees but that is not proven, as not all answers were tried."""

MAX_PLIES = 160
"""The search does not look further than that, forced moves included."""

NOTHING = -2 * WON
"""The table does not know."""

DEFAULT_NODES = 300_000

BOUND_BITS = 2
"""The bits of the bound type in the data of an entry of the table, before the best move + 1."""

PROOF_SHARE = 4
"""One part in so many of the nodes may go to proofs by threats."""


@kernel
def negamax(colour: int, depth: int, alpha: int, beta: int, ply: int, work: ThreatArrays) -> int:
    """Returns the value for ``colour``, to move; the expected line is in work.line[ply].

    Forced moves do not count in ``depth``.
    """
    counts, counters = work.counts, work.counters
    counters[NODES] += 1
    if counters[NODES] >= counters[NODE_LIMIT] or counters[STOP] != 0:
        counters[ABORTED] = 1
        return 0
    work.line[ply, 0] = -1
    forced = winning_cell(1 - colour, -1, counts)
    value = known_value(colour, forced, ply, work)
    if value != 0:
        return value
    if (depth <= 0 and forced < 0) or ply + 3 >= work.line.shape[0]:
        counters[LEAVES] += 1
        return rows_value(colour, counts)
    value = table_value(colour, depth, alpha, beta, ply, work)
    if value != NOTHING:
        return value
    number = write_moves(colour, forced, ply, work.width, work)
    best, low, best_cell = -WON if number > 0 else 0, alpha, -1
    for i in range(number):
        cell = int(work.moves[ply, i])
        place(cell, colour, work.rows, counts)
        less, bound = depth - (forced < 0), beta if i == 0 else low + 1
        value = -negamax(1 - colour, less, -bound, -low, ply + 1, work)
        if i > 0 and low < value < beta:
            value = -negamax(1 - colour, less, -beta, -low, ply + 1, work)
        remove(cell, colour, work.rows, counts)
        if counters[ABORTED] != 0:
            return best
        if value > best:
            best, best_cell = value, cell
            if value > low or i == 0:
                write_line(cell, ply, work)
        low = max(low, value)
        if low >= beta:
            break
    set_key(4 + colour, work)
    at = slot_for(work.table, depth)
    write(work.table, at, bound_type(best, alpha, beta) | best_cell + 1 << BOUND_BITS, depth)
    work.table.values[at, 0] = best
    return best


@kernel
def table_value(
    colour: int, depth: int, alpha: int, beta: int, ply: int, work: ThreatArrays
) -> int:
    """Returns what the table knows if that is enough, or else NOTHING."""
    set_key(4 + colour, work)
    at = find(work.table)
    if at < 0 or ply == 0:
        return NOTHING
    note, value = note_at(work.table, at), int(work.table.values[at, 0])
    if work_of(note) < depth or abs(value) > SURE:  # which depends on the ply
        return NOTHING
    return value if decides(note & BOUND, value, alpha, beta) else NOTHING


@kernel
def known_value(colour: int, forced: int, ply: int, work: ThreatArrays) -> int:
    """Returns the value where a row is completed at once or cannot be prevented, otherwise 0."""
    counts = work.counts
    cell = winning_cell(colour, -1, counts)
    if cell >= 0:
        work.line[ply, 0], work.line[ply, 1] = cell, -1
        return WON - ply - 1
    if forced >= 0:
        if winning_cell(1 - colour, forced, counts) < 0:
            return 0
        work.line[ply, 0], work.line[ply, 1] = forced, -1
        return ply + 2 - WON
    cell = double_cell(colour, work.rows, counts)
    if cell < 0:
        return 0
    work.line[ply, 0], work.line[ply, 1] = cell, -1
    return WON - ply - 3


@kernel
def rows_value(colour: int, counts: Counts) -> int:
    """Returns the weight of the own live rows, a half more for the turn, minus the opponent's."""
    own, opp = counts.total[colour, NEEDS + 1], counts.total[1 - colour, NEEDS + 1]
    return int(own + own // 2 - opp)


@kernel
def write_moves(colour: int, forced: int, ply: int, width: int, work: ThreatArrays) -> int:
    """Writes the moves to try, and returns their number; the table's move is the first.

    They are those that prevent what the opponent threatens, otherwise the ``width`` heaviest.
    """
    counts, number = work.counts, 0
    if forced >= 0 or double_cell(1 - colour, work.rows, counts) >= 0:
        number = write_answers(colour, ply, work)
    else:
        for cell in range(counts.stone.shape[0]):
            if counts.stone[cell] < 0:
                score = counts.weight[0, cell] + counts.weight[1, cell]
                if number < width or score > work.score[ply, width - 1]:
                    number = min(insert(cell, ply, number, work), width)
    set_key(4 + colour, work)
    at = find(work.table)
    first = (data_of(note_at(work.table, at)) >> BOUND_BITS) - 1 if at >= 0 else -1
    for i in range(1, number):
        if work.moves[ply, i] == first:
            for j in range(i, 0, -1):
                work.moves[ply, j] = work.moves[ply, j - 1]
            work.moves[ply, 0] = first
            break
    return number


# ---- the agent


@dataclass(repr=False)
class ThreatSearch(SearchAgent):
    """Plays gomoku and every k in a row: proves wins by threats, otherwise alpha-beta.

    A value is 1 or -1 where ``proven``: for wins by threats, and where nobody can prevent a win any
    more. Otherwise it compares the rows of both colours, in units of an open three (of k - 2
    stones), up to 100 where it sees a win without having tried all answers. In the opening by swap2
    it sets the most balanced stones, and takes the colour it prefers.
    """

    depth: int | None = None
    """Plies looked ahead at most, forced moves not counted; None: as deep as the other limits
    allow."""
    seconds: float | None = None
    """Wall-clock time for one decision; None: no limit of time."""
    nodes: int | None = None
    """Positions that one decision may visit; None: no limit of nodes. With neither limit,
    300,000."""
    width: int = 14
    """How many moves are tried where none is forced; 0 turns the looking ahead off: then it plays
    the heaviest move if it finds no win by threats."""
    table_mb: float = 16
    """Bounds the tables, in megabytes."""

    name: ClassVar[str] = "threat_search"

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for a limit that allows nothing."""
        super().__post_init__()
        if self.width < 0:
            raise ValueError(f"width must be 0 or more, not {self.width}")

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields results as they get better; ValueError unless an unfinished k in a row."""
        position = require_game(require_unfinished(position), Gomoku, self.name)
        search = _Search(self, position)
        if position.swap2 and (position.ply < 4 or position.more):  # the colours are still open
            yield search.opening()
        else:
            yield from search.results()


class _Search:
    """Holds one decision of the agent."""

    def __init__(self, agent: ThreatSearch, position: Gomoku) -> None:
        self.agent, self.position = agent, position
        self.colour = (position.own | position.opp).bit_count() % 2
        self.work = threat_arrays(position, MAX_PLIES, agent.width, agent.table_mb)
        self.rows, self.counts, self.counters = self.work[:3]
        unlimited = agent.depth is None and agent.seconds is None and agent.nodes is None
        self.limit = DEFAULT_NODES if unlimited else agent.nodes or UNLIMITED
        self.prove = prepared(prove, 0, 1, 1, 0, self.work)
        self.look = prepared(negamax, 0, 1, -WON, WON, 0, self.work)
        k = position.k
        self.unit = float(3 * self.rows.weight[max(k - 2, 0)] or 1)
        self.began = time.perf_counter()

    def results(self) -> Iterator[SearchResult]:
        """Yields what is known at once, then a proof, or one result for each depth."""
        yield self.at_once()
        if self.last.proven:
            return
        share = PROOF_SHARE if self.agent.width else 1
        yield from self.proofs(share)
        if not self.last.proven and self.agent.width:
            yield from self.looks(share)

    def at_once(self) -> SearchResult:
        """Returns the heaviest move, or the last one where the game is decided."""
        forced = winning_cell(1 - self.colour, -1, self.counts)
        value = known_value(self.colour, forced, 0, self.work)
        if value != 0:
            cell = int(self.work.line[0, 0])
            return self.result(cell, 1.0 if value > 0 else -1.0, 1, (cell,), proven=True)
        write_moves(self.colour, forced, 0, 1, self.work)
        cell = int(self.work.moves[0, 0])
        return self.result(cell, rows_value(self.colour, self.counts) / self.unit, 0, (cell,))

    def proofs(self, share: int) -> Iterator[SearchResult]:
        """Yields a proof of a win by threats, if it finds one with its ``share`` of the limits."""
        self.counters[NODE_LIMIT] = self.limit // share + 1
        with self.deadline(1 / share):
            for depth in range(1, MAX_PLIES // 2):
                self.counters[CUT_OFF] = 0
                if self.call(self.prove, self.colour, 1, depth, 0, self.work) == 1:
                    yield self.result(self.line()[0], 1.0, depth, self.line(), proven=True)
                if self.last.proven or not self.counters[CUT_OFF] or self.counters[ABORTED]:
                    break

    def looks(self, share: int) -> Iterator[SearchResult]:
        """Yields the result of alpha-beta for each depth."""
        self.counters[NODE_LIMIT] = self.limit
        self.counters[[STOP, ABORTED]] = 0
        with self.deadline(1 - 1 / share):
            for depth in range(1, (self.agent.depth or MAX_PLIES) + 1):
                value = self.call(self.look, self.colour, depth, -WON, WON, 0, self.work)
                line = self.line()
                if self.counters[ABORTED] and (not line or depth == 1):
                    break
                if self.counters[ABORTED]:
                    yield self.result(line[0], self.last.value, self.last.depth, line)
                    break
                shown = max(-SEEN, min(value / self.unit, SEEN))
                yield self.result(line[0], shown, depth, line)
                if abs(value) > SURE or depth >= np.count_nonzero(self.counts.stone < 0):
                    break

    def call(self, kernel: Any, *args: Any) -> int:
        """Returns what a kernel says; Ctrl-C stops it."""
        return int(run(kernel, self.counters, *args))

    def deadline(self, share: float) -> Deadline:
        """Returns a deadline after a share of the time."""
        seconds = self.agent.seconds
        return Deadline(self.counters, None if seconds is None else seconds * share)

    def line(self) -> tuple[int, ...]:
        """Returns the moves that the search expects."""
        moves = self.work.line[0].tolist()
        return tuple(moves[: moves.index(-1)])

    def result(
        self, cell: int, value: float, depth: int, line: tuple[int, ...], proven: bool = False
    ) -> SearchResult:
        """Returns a result, and keeps it as the last one."""
        self.last = search_result(
            self.counters, self.began, cell, value, line, depth=depth, proven=proven
        )
        return self.last

    # ---- the opening by swap2

    def opening(self) -> SearchResult:
        """Returns the stone after which the rows are most even, or the colour that has more.

        The choice needs an unfinished game: stones of the opening cannot make a row.
        """
        position, cells = self.position, self.position.num_stone_actions
        if position.legal(cells):
            *_, best = self.results()
            if best.value < 0:
                best = self.result(cells, -best.value, best.depth, (cells,))
            return best
        values = {}
        for cell in (c for c in range(cells) if self.counts.stone[c] < 0):
            place(cell, self.colour, self.rows, self.counts)
            values[cell] = abs(rows_value(1 - self.colour, self.counts))
            remove(cell, self.colour, self.rows, self.counts)
        cell = min(values, key=values.__getitem__)
        return self.result(cell, 0.0, 1, (cell,))
