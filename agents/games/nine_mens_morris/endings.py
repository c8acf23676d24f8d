"""Solves endings of Nine Men's Morris by retrograde analysis, one table for each count of men.

A table holds all boards with i men of the player to move and j of the other, all of them placed. It
is worked out together with that for j and i, after those that a man taken leads to. First all moves
that close a mill are looked up there. Then, move by move, from boards whose outcome is known the
moves are taken back: before a loss is a win, and before wins, once no other move is left, a loss.

A number of a board is the number of the first player's points among all sets of i points, times
that of the other's among all sets of j of the points that are left.

Source: R. Gasser, Solving Nine Men's Morris, Games of No Chance, MSRI Publications 29 (1996), who
computed all tables up to nine men each, and found that the game is a draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import count, lowest
from adv_envs.games.nine_mens_morris import (
    ALL,
    BESIDE,
    FLY_FROM,
    POINTS,
    NineMensMorris,
    closes,
    outside_mills,
)
from adv_envs.jit import kernel
from adv_envs.position import checked
from agents.games.scored_endings import ScoredEndings
from agents.spec import register

Codes = NDArray[np.uint8]
"""By number of a board: 0 for a draw, n + 1 for what is over in n moves, an odd code for a loss of
the player to move and an even one for a win."""

Sets = NDArray[np.int32]
"""Sets of points, increasing: a set's number is its place."""

CHOOSE = np.array([[comb(n, k) for k in range(10)] for n in range(POINTS + 1)])
"""By n and k, the number of sets of k of n points."""

NOT_LOST = 255
"""Instead of a number of moves: one that closes a mill leads to a draw."""

MOST_MEN = 9
"""The most men of both of which tables are made: 330 MB, and a gigabyte while they are made."""

LONGEST = 255
"""A win in n moves has the score LONGEST - n: no ending takes as many."""


# ---- numbers of boards


@kernel
def number_of(own: int, opp: int, choose: NDArray[np.int64]) -> int:
    """Returns the number of the board with these men of the player to move and of the other."""
    number, place, k = 0, 0, 0
    left = own
    while left != 0:
        k += 1
        number += choose[lowest(left), k]
        left &= left - 1
    rest, left, i = POINTS - k, opp, 0
    while left != 0:
        i += 1
        point = lowest(left)
        left &= left - 1
        place += choose[point - count(own & (1 << point) - 1), i]
    return int(number * choose[rest, i] + place)


def put_among(points: int, gone: int) -> int:
    """Returns ``points``, numbered without those of ``gone``, as they are numbered with them."""
    while gone != 0:
        point = lowest(gone)
        gone &= gone - 1
        below = points & (1 << point) - 1
        points = points >> point << point + 1 | below
    return points


def all_sets(points: int, size: int) -> Sets:
    """Returns every set of ``size`` points, increasing."""
    sets = [sum(1 << i for i in chosen) for chosen in combinations(range(points), size)]
    return np.sort(np.array(sets, np.int32))


# ---- one table


@kernel
def look_ahead(
    flying: bool, own_sets: Sets, opp_sets: Sets, lower: Codes, choose: NDArray[np.int64],
    codes: Codes, quiet: Codes, latest: Codes,
) -> None:  # fmt: skip
    """Looks all moves up that close a mill: ``lower`` has the boards after a man was taken.

    Writes wins that way into ``codes``, shape (boards,), and losses of those who cannot move; how
    many other moves there are into ``quiet``, or NOT_LOST; the longest loss into ``latest``.
    """
    number = 0
    for i in range(len(own_sets)):
        own = int(own_sets[i])
        for j in range(len(opp_sets)):
            opp = put_among(int(opp_sets[j]), own)
            moves, best, worst = 0, NOT_LOST, 0
            drawn, left = False, own
            while left != 0:
                start = lowest(left)
                left &= left - 1
                ends = reachable_from(own, opp, start, flying)
                while ends != 0:
                    end = lowest(ends)
                    ends &= ends - 1
                    men = own ^ 1 << start | 1 << end
                    if not closes(men, end):
                        moves += 1
                        continue
                    loose = outside_mills(opp)
                    taken = loose if loose != 0 else opp
                    while taken != 0:
                        rest = opp ^ (taken & -taken)
                        taken &= taken - 1
                        code = 1
                        if count(rest) >= FLY_FROM:
                            code = int(lower[number_of(rest, men, choose)])
                        if code == 0:
                            drawn = True
                        elif code % 2 == 1:
                            best = min(best, code + 1)
                        else:
                            worst = max(worst, code)
            quiet[number] = NOT_LOST if drawn else moves
            latest[number] = worst
            if best != NOT_LOST:
                codes[number] = best
            elif moves == 0 and not drawn:
                codes[number] = worst + 1
            number += 1


def reachable_from(own: int, opp: int, start: int, flying: bool) -> int:
    """Returns the empty points to which a man of ``own`` may move."""
    empty = ALL & ~(own | opp)
    return empty if flying and count(own) <= FLY_FROM else BESIDE[start] & empty


@kernel
def take_back(
    level: int, found: NDArray[np.int64], flying: bool, own_sets: Sets, opp_sets: Sets,
    choose: NDArray[np.int64], codes: Codes, quiet: Codes, latest: Codes,
) -> None:  # fmt: skip
    """Takes all moves back that led, without a mill, to the boards ``found``, of code ``level``.

    ``codes`` and the others are of the boards before, in which the other player is to move.
    """
    for place in range(len(found)):
        own = int(own_sets[found[place] // len(opp_sets)])
        opp = put_among(int(opp_sets[found[place] % len(opp_sets)]), own)
        men = opp
        while men != 0:
            end = lowest(men)
            men &= men - 1
            if closes(opp, end):
                continue
            starts = reachable_from(opp, own, end, flying)
            while starts != 0:
                start = lowest(starts)
                starts &= starts - 1
                number = number_of(opp ^ 1 << end | 1 << start, own, choose)
                code = int(codes[number])
                if level % 2 == 1:
                    if code == 0 or code > level + 1:
                        codes[number] = level + 1
                elif code == 0 and quiet[number] != NOT_LOST:
                    quiet[number] -= 1
                    if quiet[number] == 0:
                        codes[number] = max(level, int(latest[number])) + 1


@cache
def table(own: int, opp: int, flying: bool) -> Codes:
    """Returns the codes of all boards with these numbers of men; makes those that it needs.

    Raises ValueError for more than MOST_MEN men in all.
    """
    if own + opp > MOST_MEN:
        raise ValueError(f"there are tables of {MOST_MEN} men at most, not of {own + opp}")
    if own > opp:
        return tables_of(opp, own, flying)[1]
    return tables_of(own, opp, flying)[0]


@cache
def tables_of(few: int, many: int, flying: bool) -> tuple[Codes, Codes]:
    """Returns the codes with ``few`` men to move against ``many``, and the other way round."""
    sides = [(few, many)] if few == many else [(few, many), (many, few)]
    sets = [(all_sets(POINTS, i), all_sets(POINTS - i, j)) for i, j in sides]
    work = []
    for (i, j), (own_sets, opp_sets) in zip(sides, sets, strict=True):
        lower = table(j - 1, i, flying) if j > FLY_FROM else np.zeros(1, np.uint8)
        codes, quiet, latest = np.zeros((3, len(own_sets) * len(opp_sets)), np.uint8)
        look_ahead(flying, own_sets, opp_sets, lower, CHOOSE, codes, quiet, latest)
        work.append((codes, quiet, latest))
    level = 1
    while level <= max(int(codes.max()) for codes, _, _ in work):
        for here, before in zip(range(len(work)), reversed(range(len(work))), strict=True):
            found = np.flatnonzero(work[here][0] == level)
            take_back(level, found, flying, *sets[here], CHOOSE, *work[before])
        level += 1
    return work[0][0], work[-1][0]


# ---- what is known of positions


def code_of(position: NineMensMorris) -> int:
    """Returns the code of a position that ``covers`` knows, perhaps of one that is over."""
    if position.taking:
        children = [code_of(position.play(action)) for action in position.legal_actions()]
        losses = [code for code in children if code % 2 == 1]
        if losses or 0 in children:
            return min(losses) + 1 if losses else 0
        return max(children) + 1
    own, opp = count(position.own), count(position.opp)
    if position.has_lost():
        return 1
    number = number_of.plain(position.own, position.opp, CHOOSE)
    return int(table(own, opp, position.flying)[number])


def score(position: NineMensMorris) -> int:
    """Returns LONGEST - n for a win of the player to move in n moves, -(LONGEST - n), or 0."""
    code = code_of(position)
    if code == 0:
        return 0
    left = LONGEST + 1 - code
    return -left if code % 2 == 1 else left


def covers(position: Position, most: int = MOST_MEN) -> bool:
    """Returns whether all men are placed, ``most`` at most, and no win can come too late."""
    if not isinstance(position, NineMensMorris) or position.own_left or position.opp_left:
        return False
    if count(position.own | position.opp) > most:
        return False
    if position.is_terminal():
        return True
    code = code_of(position)
    return code == 0 or position.quiet + code <= 2 * position.draw_moves


@dataclass(repr=False)
class NineMensMorrisEndings(ScoredEndings):
    """Computes the exact value of endings of Nine Men's Morris: who wins, and when.

    A win after n moves of both has the score 255 - n, a loss -(255 - n), a draw 0. The first time
    in a process it makes tables: seven men take some seconds, eight up to a
    minute, nine some minutes.
    """

    men: int = 8
    """The most men of both players on the board: 6 to 9."""

    name: ClassVar[str] = "nine_mens_morris_endings"

    def __post_init__(self) -> None:
        if not 2 * FLY_FROM <= self.men <= MOST_MEN:
            raise ValueError(f"men must be {2 * FLY_FROM} to {MOST_MEN}, not {self.men}")

    def value(self, position: Position) -> float:
        """Returns the score of ``position``, also of a finished one."""
        here = self._covered(position)
        if here.is_terminal():
            return float(LONGEST * here.utility(here.to_move))
        return float(score(here))

    def values(self, position: Position) -> dict[int, float]:
        """Returns the score of each legal action for the player to move."""
        here = self._covered(position)
        after = {action: here.play(action) for action in here.legal_actions()}
        return {action: self._score_before(here, child) for action, child in after.items()}

    def _score_before(self, here: NineMensMorris, child: NineMensMorris) -> float:
        """Returns the score of the move to ``child``; a man taken is a part of the move."""
        if child.to_move == here.to_move:
            return float(score(child))
        value = -score(child)
        return float(value - (value > 0) + (value < 0))

    def _covered(self, position: Position) -> NineMensMorris:
        """Returns ``position``; ValueError if it is not such an ending."""
        position = checked(position)
        if not isinstance(position, NineMensMorris) or not covers(position, self.men):
            raise ValueError(
                f"{self.name} knows Nine Men's Morris with all men placed, {self.men} of them at "
                "most, and wins that come before the moves without a man taken are a draw"
            )
        return position


register(NineMensMorrisEndings.name, NineMensMorrisEndings)
