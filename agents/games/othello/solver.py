"""Solves Othello: the exact score of every position, by a compiled search; and an agent.

Scores are differences of discs for the player to move. ``search`` is a principal variation search
with fail-soft bounds. It first tries the moves that leave the opponent the fewest answers, which
need the smallest trees (fastest first). With few empty cells ``finish`` takes over, which prefers
regions with an odd number of empty cells, where the player can be the last to move (parity), and
needs neither table nor stack. Source for both: G. Andersson, "Writing an Othello program", 2007.
``benchmarks/othello.py`` prints what each technique gains: without fastest first, there are ten
times as many nodes.

The table is that of ``agents.search.transposition_table``: the work of a position is its number of
empty cells, its data are the best move and two bounds of the score. As a bound stays true, a table
may be kept from one search to the next, and shared by threads that have keys of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import count, lowest, pack_row, single, unpack_row
from adv_envs.games.othello import Othello, enclosed, enclosing
from adv_envs.jit import Kernel, inlined, kernel
from adv_envs.position import checked
from agents.agent import SearchAgent, SearchResult, require_game, require_unfinished
from agents.background import compiled_first
from agents.search.alpha_beta import AlphaBeta
from agents.search.exact_play import Phases, SolverKernels
from agents.search.limits import ABORTED, NODES, Counts, counters, must_end, run
from agents.search.perfect import ExactSolver
from agents.search.transposition_table import HashTable, find, new_table, note_at, slot_for, write

from .evaluations import corner_cells, corners_first, mobility


class EndgameArrays(NamedTuple):
    """Holds what a search works on."""

    table: HashTable
    """See ``agents.search.transposition_table``."""
    stack: NDArray[np.int64]
    """(rows, NOTE + 1): the positions after the moves at each number of empty cells."""
    counts: Counts
    """(10,): see ``agents.search.limits``."""


GAME: Any = Othello()
"""The start position, bound by the solver: the size of the board becomes a constant."""

FEW = 6
"""Empty cells up to which ``finish`` searches."""

PROBED_FROM = 9
"""Empty cells from which on the table is asked about every answer before the first is searched."""

MOST = 64
"""No score is larger."""

ROWS = 64
"""Rows of the stack for each number of empty cells: more than there can be moves."""

NOTE = 4
"""The column of the stack after the words of a position: the priority of the move that led to it,
times 128, plus the move."""

OWN, OPP = 0, 1
"""The columns of the sets of discs in the words of a position; they are the key of the table."""

MOVE, LOWER, UPPER = 16, 8, 0
"""The lowest bits of the best move, and of the bounds of the score + MOST, in the table's data."""

FIRST, ANSWER = 1 << 20, 1
"""What is added to the priority of the table's move, and what each answer of the opponent takes
away; an answer in a corner counts twice."""

PARITY = True
"""Whether ``finish`` tries moves into odd regions first."""


@kernel
def search(position: Othello, alpha: int, beta: int, arrays: EndgameArrays) -> int:
    """Returns the score of a position, or a bound of it where it is not above alpha or below beta.

    Meaningless once counts[ABORTED] is set.
    """
    counts, stack = arrays.counts, arrays.stack
    empty = GAME.num_actions - 1 - count(position.own | position.opp)
    if empty <= FEW:
        return finish(position.own, position.opp, empty, alpha, beta, counts)
    counts[NODES] += 1
    if must_end(counts):
        return 0
    if position.moves == 0:
        after = position.play(position.num_actions - 1)
        if after.moves == 0:
            return count(position.own) - count(position.opp)
        return -search(after, -beta, -alpha, arrays)
    done, best, number = begun(position, empty, alpha, beta, arrays)
    if done:
        return best
    best_move, low = 0, alpha
    for i in range(number):
        row = empty * ROWS + pick(i, number, empty, stack)
        child, move = unpack_row(position, stack, row), int(stack[row, NOTE]) & 127
        value = -search(child, -beta if i == 0 else -low - 1, -low, arrays)
        if i > 0 and low < value < beta:
            value = -search(child, -beta, -value, arrays)
        if counts[ABORTED] != 0:
            return 0
        if value > best:
            best, best_move = value, move
        low = max(low, best)
        if low >= beta:
            break
    at_least, at_most = best if best > alpha else -MOST, best if best < beta else MOST
    data = best_move << MOVE | at_least + MOST << LOWER | at_most + MOST << UPPER
    set_key(written_row(position, stack), arrays)
    write(arrays.table, slot_for(arrays.table, empty), data, empty)
    return best


@kernel
def begun(
    position: Othello, empty: int, alpha: int, beta: int, arrays: EndgameArrays
) -> tuple[bool, int, int]:
    """Returns (whether the table knows enough, the score or bound, how many children there are).

    The children are in the stack. A score that is not known yet is below all others.
    """
    first, lower, upper = known(written_row(position, arrays.stack), arrays)
    if lower >= beta or lower == upper:
        return True, lower, 0
    if upper <= alpha:
        return True, upper, 0
    number = write_children(position, empty, first, arrays.stack)
    if empty >= PROBED_FROM:
        lower = best_known(empty, number, arrays)
        if lower >= beta:
            return True, lower, number
    return False, -MOST - 1, number


# ---- the order of moves


@kernel
def write_children(position: Othello, empty: int, first: int, stack: NDArray[np.int64]) -> int:
    """Writes the positions after each move and their priorities into the stack; how many.

    ``first`` is the move to try first, or none.
    """
    row, moves = empty * ROWS, position.moves
    while moves != 0:
        move = lowest(moves)
        moves ^= single(move, moves)
        child = position.play(move)
        answers = count(child.moves) + count(child.moves & corner_cells(moves, GAME.size))
        priority = 1024 - ANSWER * answers + (FIRST if move == first else 0)
        pack_row(child, stack, row)
        stack[row, NOTE] = priority * 128 + move
        row += 1
    return row - empty * ROWS


@kernel
def pick(i: int, number: int, empty: int, stack: NDArray[np.int64]) -> int:
    """Moves the best of the children from the i-th on to the i-th place; returns ``i``."""
    first, best = empty * ROWS + i, empty * ROWS + i
    for row in range(first + 1, empty * ROWS + number):
        if stack[row, NOTE] > stack[best, NOTE]:
            best = row
    if best != first:
        for column in range(NOTE + 1):
            stack[first, column], stack[best, column] = stack[best, column], stack[first, column]
    return i


@kernel
def best_known(empty: int, number: int, arrays: EndgameArrays) -> int:
    """Returns the best score that the table promises by one of the children.

    Enhanced transposition cut-off: A. Plaat et al., 1996.
    """
    best = -MOST
    for row in range(empty * ROWS, empty * ROWS + number):
        best = max(best, -known(row, arrays)[2])
    return best


# ---- the last moves


@kernel
def finish(own: int, opp: int, empty: int, alpha: int, beta: int, counts: Counts) -> int:
    """Returns what ``search`` does, for positions with few empty cells."""
    counts[NODES] += 1
    if empty == 0:
        return count(own) - count(opp)
    if empty == 1:
        return last_move(own, opp)
    moves = enclosing(own, opp, GAME.size)
    if moves == 0:
        if enclosing(opp, own, GAME.size) == 0:
            return count(own) - count(opp)
        return -finish(opp, own, empty, -beta, -alpha, counts)
    best = -MOST - 1
    likely = moves
    if PARITY and empty > 3:
        likely = moves & odd_regions(~(own | opp), GAME.size)
        if likely == 0:
            likely = moves
    while moves != 0:
        disc = single(lowest(likely), own)
        moves ^= disc
        likely ^= disc
        if likely == 0:
            likely = moves
        turned = enclosed(disc, own, opp, GAME.size)
        value = -finish(opp ^ turned, own | disc | turned, empty - 1, -beta, -alpha, counts)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@inlined
@kernel
def last_move(own: int, opp: int) -> int:
    """Returns the score of a position with one empty cell."""
    difference = count(own) - count(opp)
    disc = single(lowest(~(own | opp)), own)
    turned = enclosed(disc, own, opp, GAME.size)
    if turned != 0:
        return difference + 2 * count(turned) + 1
    turned = enclosed(disc, opp, own, GAME.size)
    return difference - 2 * count(turned) - (1 if turned != 0 else 0)


@inlined
@kernel
def odd_regions(free: int, size: int) -> int:
    """Returns the quarters of the board with an odd number of free cells."""
    odd, half = free & 0, size // 2
    row = (1 << half) - 1
    quarter = odd | row | row << size
    if size > 4:
        quarter |= row << 2 * size
    if size > 6:
        quarter |= row << 3 * size
    for i in range(4):
        cells = quarter << (i & 1) * half + (i >> 1) * half * size
        if count(free & cells) & 1 != 0:
            odd |= cells
    return odd


# ---- the arrays, and what the table knows


def new_stack(start: Othello) -> NDArray[np.int64]:
    """Returns the stack of a search: a row for each move at each number of empty cells, and one."""
    return np.zeros((ROWS * start.num_actions + 1, NOTE + 1), np.int64)


@inlined
@kernel
def written_row(position: Othello, stack: NDArray[np.int64]) -> int:
    """Writes the words of a position into the last row of the stack; returns the row."""
    pack_row(position, stack, stack.shape[0] - 1)
    return int(stack.shape[0] - 1)


@inlined
@kernel
def set_key(row: int, arrays: EndgameArrays) -> None:
    """Makes the discs in a row of the stack the key of the table."""
    key, stack = arrays.table.key, arrays.stack
    key[0, OWN], key[0, OPP] = stack[row, OWN], stack[row, OPP]


@inlined
@kernel
def known(row: int, arrays: EndgameArrays) -> tuple[int, int, int]:
    """Returns (the best move, a lower and an upper bound) of the position in a row of the stack.

    -1 and the widest bounds if the table has none.
    """
    set_key(row, arrays)
    at = find(arrays.table)
    if at < 0:
        return -1, -MOST, MOST
    note = note_at(arrays.table, at)
    return note >> MOVE & 255, (note >> LOWER & 255) - MOST, (note >> UPPER & 255) - MOST


# ---- the solver


@kernel
def position_score(position: Othello, low: int, high: int, arrays: EndgameArrays) -> int:
    """Returns the exact score of a position, cut; as ``ExactSolver`` asks for it."""
    return search(position, low, high, arrays)


@kernel
def few_answers(position: Othello, action: int) -> float:
    """Returns how good an action looks: the fewer answers the better, then as ``corners_first``."""
    child, answers = position.play(action), 0
    if not child.is_terminal():
        for answer in range(position.num_actions):
            answers += child.legal(answer)
    return corners_first(position, action) / 16 - answers


@dataclass(repr=False)
class OthelloSolver(ExactSolver):
    """Plays by the exact score of Othello: own discs minus the opponent's at the end.

    On 4 x 4 that takes a tenth of a second from the start; on larger boards the time grows about
    fourfold with every two empty cells, and up to 20 it is seconds. Threads may share a solver.
    """

    table_mb: float = 64
    """Bounds the transposition table, in megabytes; it is kept from one call to the next."""
    weak: bool = False
    """Tells only who wins, 1, -1 or 0, which is found sooner."""

    name: ClassVar[str] = "othello_solver"
    likely: ClassVar[Kernel[..., float] | None] = few_answers
    line_nodes: ClassVar[int] = 1_000_000
    _searches: dict[int, EndgameSearch] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def kernels(self, start: Position) -> SolverKernels:
        """Returns the search as one kernel; ValueError for other games."""
        start = require_game(start, Othello, self.name, "solves")
        table, most = new_table(2, self.table_mb, least=2), 1 if self.weak else MOST
        arrays = EndgameArrays(table, new_stack(start), counters())
        game = {"GAME": Othello(start.size)}
        return SolverKernels(position_score, few_answers, most, arrays, game)

    def _score(self, position: Position, counts: Counts, low: int = -MOST, high: int = MOST) -> int:
        """Returns the score, or a bound of it outside of ``low`` to ``high``; cut if ``weak``."""
        search, most = self._search_for(position), 1 if self.weak else MOST
        score = search.score(position, counts, max(low, -most), min(high, most))
        return (score > 0) - (score < 0) if self.weak else score

    def _search_for(self, position: Position) -> EndgameSearch:
        """Returns the search, ready compiled, for boards of that size; ValueError for no board."""
        position = require_game(position, Othello, self.name, "solves")
        size = position.size
        if size not in self._searches:
            search = EndgameSearch(position, self.table_mb)
            self._searches.setdefault(size, search)  # that of another thread, if it was faster
        return self._searches[size]


class EndgameSearch:
    """Holds the compiled search for boards of one size, with its table.

    ``bindings`` are bound to the search, to measure it without one of its techniques.
    """

    def __init__(self, position: Othello, table_mb: float, **bindings: Any) -> None:
        self.start = Othello(position.size)
        self.table = new_table(2, table_mb, least=2)
        self.unused = [self.arrays()]
        kernel: Any = search.bind(GAME=self.start, **bindings)
        with compiled_first():  # it has no limit of time
            self.search: Callable[..., int] = kernel.ready(self.start, -MOST, MOST, self.unused[0])

    def arrays(self) -> EndgameArrays:
        """Returns what a search works on: the common table, and a key and a stack of its own."""
        table = self.table._replace(key=self.table.key.copy())
        return EndgameArrays(table, new_stack(self.start), counters())

    def score(self, position: Any, counts: Counts, low: int, high: int) -> int:
        """Returns what ``search`` does; Ctrl-C stops it."""
        try:
            arrays = self.unused.pop()
        except IndexError:  # another thread has the last one
            arrays = self.arrays()
        same = Othello(position.size, False, *position[2:])
        found = run(self.search, counts, same, low, high, arrays._replace(counts=counts))
        self.unused.append(arrays)
        return int(found)


# ---- an agent for whole games


def empty_cells(position: Othello) -> int:
    """Returns how many cells are empty."""
    return position.size * position.size - count(position.own | position.opp)


MOST_EXACT = 64
"""As many empty cells as there can be."""


@dataclass(repr=False)
class OthelloPlayer(SearchAgent):
    """Searches by alpha-beta with ``othello.mobility``, exactly from ``exact`` empty cells on.

    The solver takes the time that it needs: a tenth of a second for 16 empty cells, seconds for 20.
    """

    depth: int | None = None
    """Plies that alpha-beta looks ahead at most; None: as deep as the other limits allow."""
    nodes: int | None = None
    """Positions that alpha-beta may visit for one decision; None: no limit of nodes. With no limit
    at all, a million nodes."""
    seconds: float | None = None
    """Wall-clock time of alpha-beta for one decision, not of the solver; None: no limit."""
    exact: int = 16
    """Empty cells from which on the solver plays."""
    table_mb: float = 64
    """Bounds the table of each of the two, in megabytes."""

    name: ClassVar[str] = "othello_player"
    _search: AlphaBeta = field(init=False, repr=False, compare=False)
    _solver: OthelloSolver = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for limits that allow nothing."""
        if isinstance(self.exact, bool) or not isinstance(self.exact, int):
            raise TypeError(f"exact must be a number of empty cells, not {self.exact!r}")
        if not 0 <= self.exact <= MOST_EXACT:
            raise ValueError(f"exact must be 0 to {MOST_EXACT}, not {self.exact}")
        super().__post_init__()
        self._search = AlphaBeta(
            self.depth, self.seconds, self.nodes, mobility, "own", self.table_mb
        )
        self._solver = OthelloSolver(self.table_mb)

    def act(self, position: Position) -> int:
        """Returns the best action found."""
        return self._agent(position).act(position)

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields the results of the search or of the solver as they improve."""
        yield from self._agent(position).analysis(position)

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action, all of them within one budget; empty after the end.

        Up to ``exact`` empty cells they are exact, before that all looked ahead equally far.
        """
        position = checked(position)
        return {} if position.is_terminal() else self._agent(position).values(position)

    def phases(self, start: Position) -> Phases:
        """Returns the search and the solver, and from when on the solver plays."""
        return Phases(self._search, self._solver, empty_cells, self.exact)

    def _agent(self, position: Position) -> SearchAgent:
        """Returns the search or the solver; ValueError if the game is over or another one."""
        position = require_game(require_unfinished(position), Othello, self.name)
        own = self._search  # limits may have been set since
        own.depth, own.seconds, own.nodes = self.depth, self.seconds, self.nodes
        return self._solver if empty_cells(position) <= self.exact else self._search
