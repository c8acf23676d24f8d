"""The end of a race: exact values where both players bear off at most six men each.

All men are on their players' last six points and can neither meet nor lose a gammon, so a side is
one of 924 sets of men, and the value depends on a pair of them. Pairs are solved in the order of
their pips, as a turn leads to fewer: expectation over the 21 rolls of the best play of each.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Backgammon, Position
from adv_envs.bits import digit, scratch
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_position, require_unfinished
from agents.knowledge import ExactValues, MoveValue

MOST = 6
"""The most men of a player in positions that are solved."""

BASE = MOST + 1

Values = NDArray[np.float64]
Indices = NDArray[np.int64]


@kernel
def side_key(men: int) -> int:
    """Returns the men on the last six points as a number with digits of base ``BASE``."""
    key = 0
    for place in range(19, 25):
        key = BASE * key + digit(men, place)
    return key


@kernel
def write_ends(position: Backgammon, keys: Indices, number: int) -> int:
    """Writes the keys of the player's side after each way to play the turn, without repetition.

    ``keys`` (many,) has ``number`` keys so far; returns how many it has then.
    """
    over = position.is_terminal()
    if over or position.to_move == CHANCE:
        key = side_key(position.own if over else position.opp)
        for i in range(number):
            if keys[i] == key:
                return number
        keys[number] = key
        return number + 1
    actions = scratch(156)
    for i in range(position.write_legal(actions)):
        number = write_ends(position.play(int(actions[i])), keys, number)
    return number


@kernel
def solve_pairs(
    pips: Indices, first: Indices, ends: Indices, weights: Values, values: Values
) -> None:
    """Fills ``values`` (sides, sides), by the sides of the player to roll and of the other.

    ``pips`` (sides,) are in rising order; side 0 has no men. After roll r, side s can become one of
    ends[first[21 * s + r]] to ends[first[21 * s + r + 1] - 1]; ``weights`` (21,): probabilities.
    """
    sides = pips.shape[0]
    for total in range(2, 2 * pips[sides - 1] + 1):
        for own in range(1, sides):
            for other in range(1, sides):
                if pips[own] + pips[other] != total:
                    continue
                value = 0.0
                for roll in range(21):
                    best = -1.0
                    for i in range(first[21 * own + roll], first[21 * own + roll + 1]):
                        end = ends[i]
                        best = max(best, 1.0 if end == 0 else -values[other, end])
                    value += weights[roll] * best
                values[own, other] = value


@dataclass(frozen=True)
class BearOff:
    """The values of all pairs of sides, by the numbers of the sides."""

    number_of: Indices
    values: Values

    def value(self, own: int, opp: int) -> float:
        """Returns the expected points of the player to roll with men ``own`` against ``opp``."""
        sides = (int(self.number_of[side_key.plain(men)]) for men in (own, opp))
        return float(self.values[tuple(sides)])


@cache
def bear_off() -> BearOff:
    """Returns the values of all pairs; computed once, in a few seconds."""
    sides = [men for men in product(range(BASE), repeat=6) if sum(men) <= MOST]
    sides.sort(key=pips_of)
    number_of = np.full(BASE**6, -1)
    boards = [sum(n << 4 * place for place, n in enumerate(men, 19)) for men in sides]
    boards = [board + (15 - sum(men) << 100) for board, men in zip(boards, sides, strict=True)]
    for number, board in enumerate(boards):
        number_of[side_key.plain(board)] = number
    rolls = [action for action in range(36) if action // 6 >= action % 6]
    first, ends, keys = [0] * 22, [], np.zeros(1000, np.int64)
    for board in boards[1:]:
        start = Backgammon(True, board, boards[1], 0, 0)
        for roll in rolls:
            number = write_ends(start.play(roll), keys, 0)
            ends += number_of[keys[:number]].tolist()
            first.append(len(ends))
    values = np.zeros((len(sides), len(sides)))
    weights = np.array([Backgammon(turn=0).probability(roll) for roll in rolls])
    pips = np.array([pips_of(men) for men in sides])
    solve_pairs(pips, np.array(first), np.array(ends), weights, values)
    return BearOff(number_of, values)


def pips_of(men: tuple[int, ...]) -> int:
    """Returns the pips of men on the 6-point, the 5-point and so on."""
    return sum((6 - i) * count for i, count in enumerate(men))


def is_ending(position: Backgammon) -> bool:
    """Returns whether both players bear off, at most ``MOST`` men each."""
    sides = position.men(0), position.men(1)
    return all(sum(men[:19]) == 0 and men[25] >= 15 - MOST for men in sides)


@dataclass(repr=False)
class BearOffSolver(SearchAgent):
    """Perfect play where both players bear off, with at most six men each.

    A value is the expected utility, exact but for rounding. ValueError for other positions.
    """

    name: ClassVar[str] = "bear_off"

    def value(self, position: Position) -> float:
        """Returns the expected utility for the player to move; for player 0 before a roll."""
        here = self._require(position)
        return self._value(here, max(here.to_move, 0))

    def values(self, position: Position) -> dict[int, float]:
        """Returns each action's expected utility for the player to move; of rolls for player 0."""
        here = self._require(position)
        player = max(here.to_move, 0)
        return {a: self._value(here.play(a), player) for a in here.legal_actions()}

    def analyse(self, position: Position) -> SearchResult:
        """Returns the best action; ValueError if the game is over or the dice are to be rolled."""
        require_unfinished(position)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here the dice are to be rolled")
        began = time.perf_counter()
        values = self.values(position)
        action = max(values, key=values.__getitem__)
        return SearchResult(
            action,
            values[action],
            (action,),
            nodes=len(values),
            seconds=time.perf_counter() - began,
            proven=True,
            values=values,
        )

    def _require(self, position: Position) -> Backgammon:
        require_position(position)
        if not isinstance(position, Backgammon) or not is_ending(position):
            raise ValueError(
                f"{self.name} solves backgammon where both players have at most {MOST} men left, "
                "all on their last six points; use expectiminimax"
            )
        return position

    def _value(self, position: Backgammon, player: int) -> float:
        """Returns the expected utility for ``player``."""
        if position.is_terminal():
            return float(position.utility(player))
        sign = 1 if player == position.turn else -1
        if position.dice == 0:
            return sign * bear_off().value(position.own, position.opp)
        after = (position.play(action) for action in position.legal_actions())
        return sign * max(self._value(child, position.turn) for child in after)


class BearOffValues(ExactValues):
    """The exact values of endings: the expected points after each move."""

    in_points = False

    def __init__(self, start: Backgammon) -> None:
        super().__init__(start)
        self._solver = BearOffSolver()

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the expected points after each legal action."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value(value) for action, value in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether both players bear off, at most six men each."""
        here: Any = position
        return is_ending(here)


def random_ending(start: Backgammon, rng: random.Random) -> Backgammon:
    """Returns an ending with two to six men a side at random, and dice to play."""
    sides = []
    for _ in range(2):
        men = rng.randint(2, MOST)
        board = 15 - men << 100
        for _ in range(men):
            board += 1 << 4 * rng.randint(19, 24)
        sides.append(board)
    high, low = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
    rest = Backgammon(start.gammons, sides[0], sides[1], 0, rng.randint(0, 1))
    return rest.move(f"{high}{low}")
