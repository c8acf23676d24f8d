"""Evaluates Clobber: counts of moves, a move order, symmetries, and the solver.

They work on the sets of stones of the player to move (``own``) and of the other (``opp``), as
integers with ``stride`` bits a row, and the last bit of a row is empty. The two players have the
same moves, so that who is to move is all that tells them apart.

A position falls apart into groups of stones that are joined side by side, and moves in one do not
matter to the others: it is their sum. J. Griebel and M. Müller, Solving Linear Clobber Faster,
Computers and Games (2024), build their solver on that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import count, lowest, single
from adv_envs.games.clobber import Clobber
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.agent import require_game
from agents.games.last_move import LastMoveSolver
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.search.limits import NODES, STOP, Counts, counters, prepared, run
from agents.search.transposition_table import (
    HashTable,
    data_of,
    find,
    new_table,
    note_at,
    slot_for,
    write,
)
from agents.spec import register
from agents.symmetries import RECTANGLE, PlayerExchange, board_symmetries, image_of_cell_action

# ---- evaluation and move order


def neighbours(cells: Wide, stride: int) -> Wide:
    """Returns the bits above, below, to the left and to the right of ``cells``."""
    return cells << 1 | cells >> 1 | cells << stride | cells >> stride


@kernel
def mobility(position: Clobber) -> float:
    """Returns the stones of the player to move that can move, minus those of the opponent."""
    return float(lead(position.own, position.opp, position.width + 1))


@kernel
def safety(position: Clobber) -> float:
    """Returns ``mobility``, and a quarter for each stone that nothing can reach any more.

    Such a stone is lost to its player's further moves, so those of the opponent count.
    """
    own, opp, stride = position.own, position.opp, position.width + 1
    live = joined_to(own & neighbours(opp, stride), own | opp, stride)
    return lead(own, opp, stride) + 0.25 * (count(own & live) - count(opp & live))


def lead(own: Wide, opp: Wide, stride: int) -> int:
    """Returns how many more of ``own`` stones than of ``opp`` can move."""
    return count(own & neighbours(opp, stride)) - count(opp & neighbours(own, stride))


def joined_to(seeds: Wide, stones: Wide, stride: int) -> Wide:
    """Returns those of ``stones`` that are joined side by side to some of ``seeds``."""
    found, before = seeds, seeds & 0
    while found != before:
        before = found
        found |= stones & neighbours(found, stride)
    return found


@kernel
def fewest_answers(position: Clobber, action: int) -> float:
    """Returns how good ``mobility`` is after a move, for the player who makes it."""
    if not position.legal(action):
        return -1000.0
    cell, stride = action // 4, position.width + 1
    start = cell + cell // position.width
    end = single(start + position.step(action % 4), position.own)
    own = position.own ^ single(start, position.own) | end
    return float(lead(own, position.opp & ~end, stride))


# ---- symmetries


def image_action(position: Clobber, action: int, turn: int) -> int:
    """Returns the action of the image of the cell, in the turned direction."""
    cell, direction = image_of_cell_action(position, action // 4, turn), action % 4
    if turn & 4 != 0:  # rows and columns exchanged: up is left, right is down
        direction = 3 - direction
    if turn >> 1 - direction % 2 & 1 != 0:  # rows reversed for up and down, columns for the others
        direction ^= 2
    return 4 * cell + direction


TURNED = board_symmetries(Clobber, RECTANGLE, action=image_action)


def exchanged(position: Clobber) -> Clobber:
    """Returns the position with the colours of the stones and the player to move exchanged."""
    return position._replace(turn=1 - position.turn)  # type: ignore[no-any-return]


# ---- who wins: groups one by one where they decide it, else a search of their sum
#
# For the player to move a group of stones is good (wins whoever begins in it), bad (loses whoever
# begins), first (who begins wins) or zero (who begins loses). Zero groups may be left out. Without
# bad ones the player to move wins if there is one first group, or none but a good one. Without good
# and first ones it loses.

LOST, WON = 0, 1


class ClobberArrays(NamedTuple):
    """Holds what the search works on."""

    table: HashTable
    """Who wins, by the stones of the player to move and of the other."""
    moves: NDArray[np.int64]
    """The stones of both after each move of a ply, shape (2, plies, moves)."""
    score: NDArray[np.int64]
    """How promising they are, shape (plies, moves)."""
    counts: Counts
    """(10,): see ``agents.search.limits``."""


MOST_PLIES, MOST_MOVES = 192, 128
"""Room for lines of moves, and of groups within groups."""


def clobber_arrays(table_mb: float) -> ClobberArrays:
    """Returns what searches on boards of up to 63 bits work on."""
    moves = np.zeros((3, MOST_PLIES, MOST_MOVES), np.int64)
    return ClobberArrays(new_table(2, table_mb, least=2), moves[:2], moves[2], counters())


@kernel
def wins_clobber(own: int, opp: int, ply: int, stride: int, work: ClobberArrays) -> int:
    """Returns 1 if the player with the ``own`` stones, to move, wins, otherwise 0.

    The answer means nothing once counts[STOP] is set.
    """
    table, counts = work.table, work.counts
    counts[NODES] += 1
    live = joined_to(own & neighbours(opp, stride), own | opp, stride)
    if live == 0 or counts[STOP] != 0:
        return LOST
    own, opp, rest = own & live, opp & live, live
    if joined_to(live & -live, live, stride) != live:
        good, bad, first, kept = 0, 0, 0, 0
        while rest != 0:
            group = joined_to(rest & -rest, rest, stride)
            mine, others, rest = own & group, opp & group, rest & ~group
            begins = wins_clobber(mine, others, ply + 1, stride, work)
            waits = 1 - wins_clobber(others, mine, ply + 1, stride, work)
            good, bad = good + (begins & waits), bad + ((1 - begins) & (1 - waits))
            first += begins & (1 - waits)
            kept |= 0 if begins == 0 and waits == 1 else group
        if good + first == 0 or (bad == 0 and first < 2):
            return WON if good + first > 0 else LOST
        own, opp = own & kept, opp & kept
    shift = corner_of(own | opp, stride)
    own, opp = own >> shift, opp >> shift
    table.key[0, 0], table.key[0, 1] = own, opp
    at = find(table)
    if at >= 0:
        return data_of(note_at(table, at))
    number, won = write_clobbers(own, opp, ply, stride, work), LOST
    for i in range(number):
        mine, others = int(work.moves[0, ply, i]), int(work.moves[1, ply, i])
        if wins_clobber(others, mine, ply + 1, stride, work) == LOST:
            won = WON
            break
    if counts[STOP] == 0:
        table.key[0, 0], table.key[0, 1] = own, opp
        write(table, slot_for(table, count(own | opp)), won, count(own | opp))
    return won


def corner_of(stones: int, stride: int) -> int:
    """Returns by how much a set moves to the top left corner of the board."""
    shift = lowest(stones) // stride * stride
    stones >>= shift
    columns, row = 0, stones
    while row != 0:  # all rows upon each other
        columns |= row & (1 << stride) - 1
        row >>= stride
    return shift + lowest(columns)


@kernel
def write_clobbers(own: int, opp: int, ply: int, stride: int, work: ClobberArrays) -> int:
    """Writes the stones of both after each move, the most promising first; returns their number."""
    number = 0
    for direction in range(4):
        step = stride if direction % 2 == 0 else 1
        forward = direction < 2
        left = own & (opp >> step if forward else opp << step)
        while left != 0:
            start = left & -left
            left ^= start
            end = start << step if forward else start >> step
            mine, others = own ^ start | end, opp & ~end
            score, at = lead(mine, others, stride), number
            while at > 0 and work.score[ply, at - 1] < score:
                work.score[ply, at] = work.score[ply, at - 1]
                work.moves[0, ply, at] = work.moves[0, ply, at - 1]
                work.moves[1, ply, at] = work.moves[1, ply, at - 1]
                at -= 1
            work.score[ply, at] = score
            work.moves[0, ply, at], work.moves[1, ply, at] = mine, others
            number += 1
    return number


# ---- the solver

MOST_BITS = 63
"""The search keeps the cells of a board, and one more for each row, in one word."""

MOST_SOLVED = 22
"""Stones with which a position on such a board is solved in some seconds, as a rule."""

MOST_IN_A_ROW = 26
"""The same where the board is one row or one column."""


def fits(position: Clobber) -> bool:
    """Returns whether the solver takes the position."""
    stones = count(position.own | position.opp)
    most = MOST_IN_A_ROW if min(position.height, position.width) == 1 else MOST_SOLVED
    return stones <= most and position.height * (position.width + 1) <= MOST_BITS


@dataclass(repr=False)
class ClobberSolver(LastMoveSolver):
    """Plays Clobber perfectly: values are 1 for a win and -1 for a loss.

    Of several winning moves, and in a lost position of all, it plays the one that leaves the
    opponent the fewest stones that can move. ValueError for positions with more than 22 stones, or
    26 in one row, and for boards with height * (width + 1) above 63.
    """

    name: ClassVar[str] = "clobber_solver"

    def _board(self, position: Position) -> Clobber:
        board = require_game(position, Clobber, self.name)
        if not fits(board):
            raise ValueError(
                f"{self.name} takes positions of up to {MOST_SOLVED} stones on boards with "
                f"height * (width + 1) up to {MOST_BITS}, such as the start of 4 x 5; not "
                f"{count(board.own | board.opp)} stones on {board.height} x {board.width}"
            )
        return board

    def _promise(self, board: Clobber) -> float:
        return mobility.trusted(board)

    def _player_wins(self, board: Clobber, counts: Counts) -> bool:
        stride = board.width + 1
        work = self._kept.pop(stride, None) or clobber_arrays(self.table_mb)
        args = board.own, board.opp, 0, stride, work._replace(counts=counts)
        try:
            return bool(run(prepared(wins_clobber, *args), counts, *args) == WON)
        finally:
            self._kept[stride] = work


# ---- the record

QUICK_STONES = 18
"""The values of all moves take a second at most with so many stones."""


def exact_values(start: Clobber) -> ExactValues:
    """Returns who wins after each move, where few stones are left; NotGraded for wide boards."""
    if start.height * (start.width + 1) > MOST_BITS:
        raise NotGraded(
            "clobber is graded on boards with height * (width + 1) up to "
            f"{MOST_BITS}, such as 7 x 8; this one is {start.height} x {start.width}"
        )
    return ExactValues(
        start, ClobberSolver(), work=stones_left, limits=(QUICK_STONES, QUICK_STONES + 2)
    )


def stones_left(position: Clobber) -> int:
    """Returns how many stones are on the board."""
    return count(position.own | position.opp)


def progress(position: Clobber) -> float:
    """Returns the share of the cells that are empty."""
    cells = position.height * position.width
    return 1 - stones_left(position) / cells


def sample_plies(start: Clobber) -> range:
    """Returns the plies after which so few stones are left that all moves are soon solved."""
    first = max(0, start.height * start.width - QUICK_STONES)
    return range(first, first + 6)


SEARCH = "alpha_beta(%s, evaluate=clobber.safety)"

register("clobber_solver", ClobberSolver)
register_knowledge(
    Clobber,
    Knowledge(
        names=("klobber", "last mover"),
        evaluations={"mobility": mobility, "safety": safety},
        default_evaluation="safety",
        orders={"fewest_answers": fewest_answers},
        order=fewest_answers,
        symmetries=TURNED,
        exchange=PlayerExchange(exchanged),
        solver=lambda position: ClobberSolver if fits(position) else None,
        exact_values=exact_values,
        progress=progress,
        sample_plies=sample_plies,
        settings=(
            {"height": 4, "width": 4},
            {"height": 8, "width": 8},
            {"height": 10, "width": 10},
        ),
        opponent=lambda start: "mcts(simulations=2000)",
        analyst=lambda position: "clobber_solver()" if fits(position) else "mcts(seconds=3)",
        strong=lambda start: "clobber_solver()" if fits(start) else "mcts(seconds=3)",
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=clobber.safety)",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300, 3000),
            **by_number("depth %d", SEARCH % "depth=%d", 2, 4, 6),
        },
    ),
)
