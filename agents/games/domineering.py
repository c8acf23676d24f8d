"""Evaluates Domineering: counts of moves, a move order, symmetries, and the solver.

They work on sets of free cells as integers. ``step`` is how many bits the two cells of a domino are
apart: 1 for flat ones, the width and 1 for upright ones.

D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, Solving 8 x 8 Domineering, Theoretical
Computer Science 230 (2000), introduce real and safe moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import count, single
from adv_envs.games.domineering import Domineering
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.agent import require_game
from agents.games.last_move import LastMoveSolver
from agents.knowledge import ExactValues, Knowledge, NotGraded, register_knowledge
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
from agents.symmetries import REFLECTIONS, board_symmetries

# ---- counts of moves


def real_moves(free: Wide, step: int) -> int:
    """Returns the most dominoes that fit on ``free``, if nobody else moves."""
    number, cells = 0, free
    while cells != 0:
        first = cells & ~(cells << step)  # of every run of cells
        pairs = first & cells >> step
        number += count(pairs)
        cells &= ~(first | pairs << step)
    return number


def safe_moves(free: Wide, step: int, other: int) -> int:
    """Returns the dominoes that fit on cells of ``free`` where no domino of the opponent can lie.

    ``other`` is the step of the opponent.
    """
    return real_moves(free & ~(free << other) & ~(free >> other), step)


def balance(free: Wide, step: int, other: int) -> int:
    """Returns the real and safe moves of a player, minus those of the opponent."""
    own = real_moves(free, step) + safe_moves(free, step, other)
    return own - real_moves(free, other) - safe_moves(free, other, step)


# ---- evaluation and move order


@kernel
def room(position: Domineering) -> float:
    """Returns the real and safe moves of the player to move, minus those of the opponent.

    Real moves are as many as fit, safe moves as many as fit where the opponent has no place. With
    the other player to move the same free cells have the negative value.
    """
    own, other = position.step(position.to_move), position.step(1 - position.to_move)
    return float(balance(position.free(), own, other))


@kernel
def mobility(position: Domineering) -> float:
    """Returns the number of moves of the player to move, minus those of the opponent."""
    player = position.to_move
    return float(count(position.places(player)) - count(position.places(1 - player)))


@kernel
def least_room(position: Domineering, action: int) -> float:
    """Returns how much a move leaves to oneself and takes from the opponent, as ``room``."""
    if not position.legal(action):
        return -1000.0
    step, other = position.step(position.to_move), position.step(1 - position.to_move)
    cell = single(position.entry(action), position.own)
    return float(balance(position.free() & ~(cell | cell << step), step, other))


# ---- symmetries: a turn would exchange the directions of the players


def core(position: Domineering) -> Domineering:
    """Returns the position with all dominoes as ``own``: whose they are does not matter."""
    taken = position.own | position.opp
    return Domineering(position.height, position.width, taken, taken & 0, position.to_move)


def image_action(position: Domineering, action: int, turn: int) -> int:
    """Returns the upper or left cell of the image of a domino."""
    row, column = action // position.width, action % position.width
    if turn & 2 != 0:
        row = position.height - 1 - row - (1 if position.to_move == 0 else 0)
    if turn & 1 != 0:
        column = position.width - 1 - column - (1 if position.to_move == 1 else 0)
    return max(row, 0) * position.width + max(column, 0)


REFLECTED = board_symmetries(Domineering, REFLECTIONS, action=image_action, core=core)


# ---- who wins: a search that stops where safe moves are enough
#
# A player with s safe moves makes at least s more moves, one with r real moves at most r. So the
# player to move wins if s > r of the opponent, and loses if the opponent's s is at least the own r.
# Where that decides nothing the moves are tried, the most promising first, and the result is kept
# in a table. Cells where nobody has a place, and which way the board is turned over, do not matter.

UNKNOWN = -1


class SearchArrays(NamedTuple):
    """Holds what the search works on."""

    table: HashTable
    """Who wins, by the free cells and the player to move; the work is the number of free cells."""
    moves: NDArray[np.int64]
    """The free cells after each move of a ply, shape (plies, cells)."""
    score: NDArray[np.int64]
    """How promising they are, likewise."""
    counts: Counts
    """(10,): see ``agents.search.limits``."""


def search_arrays(table_mb: float) -> SearchArrays:
    """Returns what searches on boards of up to 63 bits work on."""
    moves = np.zeros((2, 40, 64), np.int64)
    return SearchArrays(new_table(2, table_mb, least=2), moves[0], moves[1], counters())


@kernel
def wins(free: int, player: int, ply: int, height: int, width: int, work: SearchArrays) -> int:
    """Returns 1 if ``player``, to move on the ``free`` cells, wins, otherwise 0.

    Bit row * (width + 1) + column is a cell. The answer means nothing once counts[STOP] is set.
    """
    table, counts = work.table, work.counts
    counts[NODES] += 1
    step, other = (width + 1, 1) if player == 0 else (1, width + 1)
    known = decided(free, step, other)
    if known != UNKNOWN or counts[STOP] != 0:
        return known
    places = free & (free << 1 | free >> 1 | free << width + 1 | free >> width + 1)
    key = smallest_image(places, height, width)  # of the cells on which a domino can lie
    table.key[0, 0], table.key[0, 1] = key, player
    at = find(table)
    if at >= 0:
        return data_of(note_at(table, at))
    number, won = write_moves(free, step, other, ply, work), 0
    for i in range(number):
        if wins(int(work.moves[ply, i]), 1 - player, ply + 1, height, width, work) == 0:
            won = 1
            break
    if counts[STOP] == 0:
        table.key[0, 0], table.key[0, 1] = key, player
        write(table, slot_for(table, count(free)), won, count(free))
    return won


@kernel
def decided(free: int, step: int, other: int) -> int:
    """Returns 1 or 0 where safe moves decide who wins, otherwise UNKNOWN."""
    if safe_moves(free, step, other) > real_moves(free, other):
        return 1
    return 0 if safe_moves(free, other, step) >= real_moves(free, step) else UNKNOWN


@kernel
def write_moves(free: int, step: int, other: int, ply: int, work: SearchArrays) -> int:
    """Writes the free cells after each move, the most promising first; returns their number."""
    number, places = 0, free & free >> step
    while places != 0:
        cell = places & -places
        places ^= cell
        rest = free & ~(cell | cell << step)
        score, at = balance(rest, step, other), number
        while at > 0 and work.score[ply, at - 1] < score:
            work.score[ply, at] = work.score[ply, at - 1]
            work.moves[ply, at] = work.moves[ply, at - 1]
            at -= 1
        work.score[ply, at], work.moves[ply, at] = score, rest
        number += 1
    return number


def smallest_image(free: int, height: int, width: int) -> int:
    """Returns the smallest of the four sets that are ``free`` with rows or columns reversed."""
    upside_down, stride, row = 0, width + 1, (1 << width) - 1
    for i in range(height):
        upside_down |= (free >> i * stride & row) << (height - 1 - i) * stride
    last = height * stride - 1  # the turned set has the empty bit of each row in front
    turned, across = reversed_bits(free, last), reversed_bits(upside_down, last)
    return min(free, upside_down, turned, across)


def reversed_bits(cells: int, number: int) -> int:
    """Returns the lowest ``number`` bits of a set in the opposite order."""
    turned = 0
    for i in range(number):
        turned |= (cells >> i & 1) << number - 1 - i
    return turned


# ---- the solver

MOST_BITS = 63
"""The search keeps the cells of a board, and one more for each row, in one word."""


def fits(position: Domineering) -> bool:
    """Returns whether the solver takes the board."""
    return position.height * (position.width + 1) <= MOST_BITS


@dataclass(repr=False)
class DomineeringSolver(LastMoveSolver):
    """Plays Domineering perfectly: values are 1 for a win and -1 for a loss.

    Of several winning moves, and in a lost position of all, it plays the one that leaves most room
    (``domineering.room``). ValueError for boards beyond 7 x 8.
    """

    name: ClassVar[str] = "domineering_solver"

    def _board(self, position: Position) -> Domineering:
        board = require_game(position, Domineering, self.name)
        if not fits(board):
            raise ValueError(
                f"{self.name} takes boards with height * (width + 1) up to {MOST_BITS}, such as "
                f"7 x 8; not {board.height} x {board.width}"
            )
        return board

    def _promise(self, board: Domineering) -> float:
        return room(board)

    def _player_wins(self, board: Domineering, counts: Counts) -> bool:
        size = board.height, board.width
        work = self._kept.pop(size, None) or search_arrays(self.table_mb)
        args = board.free(), board.to_move, 0, *size, work._replace(counts=counts)
        try:
            return bool(run(prepared(wins, *args), counts, *args) == 1)
        finally:
            self._kept[size] = work


# ---- the record

QUICK_FREE = 36
"""The values of all moves take a second at most with so many free cells."""


def exact_values(start: Domineering) -> ExactValues:
    """Returns who wins after each move; all boards that are taken are solved in some seconds."""
    if not fits(start):
        raise NotGraded(
            "domineering is graded on boards that the solver takes, up to 7 x 8; "
            f"this one is {start.height} x {start.width}"
        )
    return ExactValues(
        start,
        DomineeringSolver(),
        quick=lambda position: position.num_actions - 2 * position.ply <= QUICK_FREE,
        feasible=lambda position: True,
    )


def strong(start: Domineering) -> str:
    """Returns the solver, or a search of some seconds where the board is too large for it."""
    searching = "alpha_beta(seconds=4, evaluate=domineering.room)"
    return "domineering_solver()" if fits(start) else searching


register("domineering_solver", DomineeringSolver)
register_knowledge(
    Domineering,
    Knowledge(
        names=("crosscram", "dominoes"),
        evaluations={"room": room, "mobility": mobility},
        default_evaluation="room",
        orders={"least_room": least_room},
        order=least_room,
        symmetries=REFLECTED,
        solver=lambda position: DomineeringSolver if fits(position) else None,
        exact_values=exact_values,
        progress=lambda position: 2 * position.ply / position.num_actions,
        sample_plies=lambda start: range(max(1, start.num_actions // 3)),
        settings=(*({"height": size, "width": size} for size in (5, 6, 7)),),
        opponent=lambda start: "alpha_beta(nodes=50000, evaluate=domineering.room)",
        analyst=strong,
        strong=strong,
        rungs={
            "random": "random",
            "mcts 30": "mcts(simulations=30)",
            "mobility": "greedy(evaluate=domineering.mobility)",
            "room": "greedy(evaluate=domineering.room)",
            "mcts 300": "mcts(simulations=300)",
            "depth 3": "alpha_beta(depth=3, evaluate=domineering.room)",
            "mcts 3000": "mcts(simulations=3000)",
            "depth 5": "alpha_beta(depth=5, evaluate=domineering.room)",
        },
    ),
)
