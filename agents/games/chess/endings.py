"""Chess endings of three pieces, exact: queen, rook or pawn and king against king.

Retrograde analysis of all such positions at once: mates are found first, then, ply by ply, what
leads to a known win or cannot avoid a known loss. A position is a number that has the piece, who is
to move and the squares of the three pieces, as the side with the piece sees the board. The values
know nothing of draws by repetition, and of fifty moves only that no win here takes as many.
Source: T. Ströhlein, Untersuchungen über kombinatorische Spiele (1970).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import lowest, scratch, single
from adv_envs.games.chess import Chess
from adv_envs.games.chess_board import RANK_1, RANK_8, mirrored
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_position, require_unfinished
from agents.knowledge import ExactValues, MoveValue

QUEEN, ROOK, PAWN = range(3)
SIZE = 3 << 19
"""How many numbers positions have; of most pairs of them that differ in the side to move, both are
positions."""
DRAWN = -1
"""Instead of the number of a position in which nobody can be mated."""
MOST_MOVES = 16_000_000
LATEST = 40
"""The clock from which on a win might come too late for the fifty-move rule."""
MOST_VISITED = 6
"""The most pieces with which ``Retrograde`` is left to try: with more it never ends."""
LONGEST = 100
"""A mate after n plies has the score LONGEST - n: no ending takes as many."""

Values = NDArray[np.int8]
"""By number: n + 1 for a win in n plies, -(n + 1) for a loss, 0 for draws and what is no position,
shape (SIZE,)."""


@kernel
def numbered(number: int, like: Chess) -> Chess:
    """Returns the position of that number; one without pieces if there is none."""
    kind, weak = number >> 19, number >> 18 & 1 != 0
    none = like.own & 0
    king, bare = single(number >> 12 & 63, none), single(number >> 6 & 63, none)
    piece = single(number & 63, none)
    right = king & bare == 0 and (king | bare) & piece == 0
    if kind == PAWN and piece & (RANK_1 | RANK_8) != 0:
        right = False
    pawns = piece if kind == PAWN else none
    diagonal = piece if kind == QUEEN else none
    straight = none if kind == PAWN else piece
    strong = Chess(
        False, king | piece, bare, pawns, diagonal, straight, king | bare, none, none, 0, 0, 0, 0
    )
    other = turned(strong)
    if not right or (strong.in_check() if weak else other.in_check()):
        return Chess(False, none, none, none, none, none, none, none, none, 0, 0, 0, 0)
    return other if weak else strong


@kernel
def turned(position: Chess) -> Chess:
    """Returns the position with the other player to move, for boards without a past."""
    none = position.own & 0
    return Chess(
        False,
        mirrored(position.opp),
        mirrored(position.own),
        mirrored(position.pawns),
        mirrored(position.diagonal),
        mirrored(position.straight),
        mirrored(position.kings),
        none,
        none,
        0,
        1 - position.ply,
        0,
        0,
    )


@kernel
def number_of(position: Chess) -> int:
    """Returns the number of a position of three pieces at most, or DRAWN."""
    piece = (position.own | position.opp) & ~position.kings
    if piece == 0 or position.is_dead():
        return DRAWN
    kind = ROOK if position.straight & piece != 0 else PAWN
    if position.diagonal & piece != 0:
        kind = QUEEN
    king, bare = lowest(position.own & position.kings), lowest(position.opp & position.kings)
    number, square = kind << 19, lowest(piece)
    if piece & position.own == 0:
        number |= 1 << 18
        king, bare, square = bare ^ 7, king ^ 7, square ^ 7
    return number | king << 12 | bare << 6 | square


@kernel
def list_moves(
    like: Chess, first: NDArray[np.int32], children: NDArray[np.int32], values: Values
) -> int:
    """Writes the numbers that each number leads to, from children[first[number]] on, and mates.

    Returns how many there are in all. ``first`` has SIZE + 1 elements.
    """
    n, actions = 0, scratch(like.num_actions)
    for number in range(SIZE):
        first[number] = n
        position = numbered(number, like)
        if position.kings != 0:
            if position.can_move():
                for i in range(position.write_legal(actions)):
                    children[n] = number_of(position.play(int(actions[i])))
                    n += 1
            elif position.in_check():
                values[number] = -1
    first[SIZE] = n
    return n


@kernel
def work_back(
    plies: int, first: NDArray[np.int32], children: NDArray[np.int32], values: Values
) -> int:
    """Finds what is won or lost in ``plies``, all that takes less being known; returns how much."""
    found = 0
    for number in range(SIZE):
        if values[number] != 0 or first[number] == first[number + 1]:
            continue
        wins, longest = False, 0
        for i in range(first[number], first[number + 1]):
            value = 0 if children[i] == DRAWN else int(values[children[i]])
            if value == -plies:
                wins = True
                break
            longest = LONGEST if value <= 0 else max(longest, value)
        if wins:
            values[number] = plies + 1
        elif longest == plies:
            values[number] = -(plies + 1)
        found += values[number] != 0
    return found


@lru_cache(maxsize=1)
def solved() -> Values:
    """Returns the values of all numbers, which takes some seconds the first time."""
    like = Chess(repetition=False)
    first, children = np.zeros(SIZE + 1, np.int32), np.empty(MOST_MOVES, np.int32)
    values = np.zeros(SIZE, np.int8)
    list_moves(like, first, children, values)
    plies, idle = 1, 0
    while idle < 2:
        idle = 0 if work_back(plies, first, children, values) else idle + 1
        plies += 1
    return values


def covers(position: Position) -> bool:
    """Returns whether the position has three pieces, two of them kings, and no long past."""
    if not isinstance(position, Chess) or position.castling or position.clock > LATEST:
        return False
    return (position.own | position.opp).bit_count() == 3


def solver_of(position: Position) -> type[ChessEndings] | None:
    """Returns ``ChessEndings``, also where it refuses: with many pieces no other solver can help.

    With few, and a clock near its end or castling, there may be few enough positions to visit all.
    """
    many = isinstance(position, Chess) and (position.own | position.opp).bit_count() > MOST_VISITED
    refused = many and not position.is_terminal()
    return ChessEndings if refused or covers(position) else None


def score(position: Chess) -> int:
    """Returns LONGEST - n if the player to move mates in n plies, -(LONGEST - n) if mated, or 0."""
    number = number_of.plain(position)
    value = 0 if number == DRAWN else int(solved()[number])
    if value == 0:
        return 0
    left = LONGEST + 1 - abs(value)
    return left if value > 0 else -left


@dataclass(repr=False)
class ChessEndings(SearchAgent):
    """The exact value of endings of three pieces: who mates and when, with best play.

    A mate after n plies has the score 100 - n, being mated -(100 - n), a draw 0. It takes some
    seconds the first time in a process.
    """

    name: ClassVar[str] = "chess_endings"

    def value(self, position: Position) -> float:
        """Returns the score of ``position``, also of a finished one."""
        return float(score(self._covered(position)))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move."""
        position = self._covered(position)
        after = {action: position.play(action) for action in position.legal_actions()}
        found = {action: score(child) for action, child in after.items()}
        return {a: float((value > 0) - (value < 0) - value) for a, value in found.items()}

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields one result, with best play to the end."""
        require_unfinished(position)
        began, values = time.perf_counter(), self.values(position)
        best = max(values, key=lambda action: values[action])
        line = self.line(position)
        seconds = time.perf_counter() - began
        yield SearchResult(
            best, values[best], line, depth=len(line), values=values, seconds=seconds, proven=True
        )

    def line(self, position: Position) -> tuple[int, ...]:
        """Returns best play to mate; one move where there is none."""
        line: list[int] = []
        while not position.is_terminal():
            values = self.values(position)
            best = max(values, key=lambda action: values[action])
            line.append(best)
            position = position.play(best)
            if values[best] == 0:
                break
        return tuple(line)

    def _covered(self, position: Position) -> Chess:
        """Returns ``position``; ValueError if it is not such an ending."""
        require_position(position)
        if not isinstance(position, Chess) or (not covers(position) and not position.is_dead()):
            raise ValueError(
                f"{self.name} knows chess with three pieces, no castling and a clock of at most "
                f"{LATEST}"
            )
        return position


class ChessValues(ExactValues):
    """The exact values of moves in endings of three pieces."""

    has_scores = True

    def __init__(self, start: Position) -> None:
        super().__init__(start)
        self._solver = ChessEndings()

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action; ValueError with more pieces."""
        if position.is_terminal():
            return {}
        values = self._solver.values(position)
        return {action: MoveValue.of_score(value) for action, value in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether the position is such an ending."""
        return covers(position)


def random_ending(start: Chess, rng: random.Random) -> Chess:
    """Returns a random unfinished ending of queen, rook or pawn and king against king."""
    while True:
        position = numbered.plain(rng.randrange(SIZE), start)
        if position.kings and not position.is_terminal():
            board = tuple(position[1:])
            return Chess(start.repetition, *board)


def in_moves(position: Chess, value: float) -> str:
    """Returns what a score means: "mate in 5 moves"."""
    if value == 0:
        return "a draw"
    moves = int(LONGEST - abs(value) + 1) // 2
    plural = "" if moves == 1 else "s"
    return f"{'mate' if value > 0 else 'mated'} in {moves} move{plural}"
