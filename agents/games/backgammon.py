"""Evaluates backgammon; its symmetry, and what the game is offered with.

Evaluations estimate the points that the player to move will win, by counts and by a small network
that was trained by playing against itself. ``TurnSearch`` searches by whole turns, and
``BearOffSolver`` has the exact values of endings with a few men.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp, inf
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Backgammon, Position
from adv_envs.bits import digit, scratch, single
from adv_envs.games.backgammon import mirrored, movable, places_of
from adv_envs.jit import kernel
from adv_envs.jit.kernel import Kernel
from adv_envs.position import Wide, checked
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_game,
    require_unfinished,
    result_of_values,
)
from agents.knowledge import ExactValues, Knowledge, SolutionText, register_knowledge
from agents.search.exact_play import MoveKernels
from agents.spec import register
from agents.symmetries import Symmetries, inverse_turn, two

# ---- evaluations


@kernel
def pip_count(men: Wide) -> int:
    """Returns how many pips a player's men still have to run."""
    pips = 0
    for place in range(25):
        pips += (25 - place) * digit(men, place)
    return pips


@kernel
def race(position: Backgammon) -> float:
    """Returns the chance of winning the race, as if nobody stood in the way, from -1 to 1.

    The lead in pips, with 4 for being on roll, against the square root of all pips.
    """
    own, opp = pip_count(position.own), pip_count(position.opp)
    lead = (opp - own + 4) / (1 + own + opp) ** 0.5
    return 2 / (1 + exp(-0.9 * lead)) - 1


@kernel
def blots_and_points(position: Backgammon) -> float:
    """Returns the race, corrected for blots in danger, made points and men on the bar, -1 to 1."""
    men, others = position.own, position.opp
    value = race(position) + 0.5 * structure(men, others) - 0.5 * structure(others, men)
    return max(-1.0, min(1.0, value))


@kernel
def structure(men: Wide, others: Wide) -> float:
    """Returns the value of one player's points, less the danger to that player's blots."""
    value = -0.2 * digit(men, 0)
    behind = 0  # the opponent's men that have still to pass this place
    for place in range(25):
        behind += digit(others, 25 - place) if place > 0 else digit(others, 25) * 0
        count = digit(men, place)
        if place > 0 and count == 1:
            value -= 0.002 * place + 0.02
        if place > 0 and count >= 2:
            value += 0.06 if 18 <= place <= 22 else 0.03 if place >= 14 else 0.02
        if count > 4:
            value -= 0.02 * (count - 4)
    return value


# ---- a small network that estimates how a game ends, trained by playing against itself
#
# The inputs are 0 or 1, one for each man: the first, second, third or a further man of the player
# to roll, or of the other, on a place. One hidden layer; five outputs, the probabilities that the
# player to roll wins, wins a gammon, a backgammon, loses a gammon, a backgammon. The weights were
# found by ``benchmarks/backgammon.py train``, by temporal differences as in G. Tesauro, Temporal
# Difference Learning and TD-Gammon, Communications of the ACM 38 (1995).

FILE = Path(__file__).parents[1] / "data" / "backgammon.npz"
"""The weights: ``inputs`` (hidden, INPUTS + 1) and ``outputs`` (hidden + 1, OUTPUTS); the last
column and the last row are the biases."""

INPUTS, MEN, OUTPUTS = 2 * 26 * 4, 30, 5

WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON = range(5)

Weights = NDArray[np.float32]
Numbers = NDArray[np.float64]

with np.load(FILE) as _weights:
    INPUT_WEIGHTS: Weights = _weights["inputs"]
    OUTPUT_WEIGHTS: Weights = _weights["outputs"]


@kernel
def write_inputs(own: Wide, opp: Wide, inputs: NDArray[np.int64]) -> None:
    """Writes the numbers of the inputs that are 1, one for each man, into ``inputs`` (30,)."""
    at = 0
    for place in range(26):
        for number in range(digit(own, place)):
            inputs[at] = 4 * place + min(number, 3)
            at += 1
        for number in range(digit(opp, place)):
            inputs[at] = 104 + 4 * place + min(number, 3)
            at += 1


@kernel
def network(position: Backgammon) -> float:
    """Returns the points that the player whose turn it is will win, if the dice are to be rolled.

    Dice that are left to play are ignored.
    """
    inputs = scratch(MEN)
    write_inputs(position.own, position.opp, inputs)
    hidden_units = INPUT_WEIGHTS.shape[0]
    win, gammon, backgammon, lost_gammon, lost_backgammon = OUTPUT_WEIGHTS[hidden_units]
    for unit in range(hidden_units):
        total = INPUT_WEIGHTS[unit, INPUTS]
        for i in range(MEN):
            total += INPUT_WEIGHTS[unit, inputs[i]]
        value = total / (1 + abs(total))
        win += value * OUTPUT_WEIGHTS[unit, WIN]
        gammon += value * OUTPUT_WEIGHTS[unit, WIN_GAMMON]
        backgammon += value * OUTPUT_WEIGHTS[unit, WIN_BACKGAMMON]
        lost_gammon += value * OUTPUT_WEIGHTS[unit, LOSE_GAMMON]
        lost_backgammon += value * OUTPUT_WEIGHTS[unit, LOSE_BACKGAMMON]
    points = 2 * logistic(win) - 1
    if position.gammons:
        points += logistic(gammon) + logistic(backgammon)
        points -= logistic(lost_gammon) + logistic(lost_backgammon)
    return float(points)


@kernel
def logistic(number: float) -> float:
    """Returns the logistic function, from 0 to 1."""
    return 1.0 / (1.0 + exp(-number))


# ---- endings: exact values where both players bear off at most six men each
#
# All men are on their players' last six points and can neither meet nor lose a gammon, so a side is
# one of 924 sets of men, and the value depends on a pair of them. Pairs are solved in the order of
# their pips, as a turn leads to fewer: expectation over the 21 rolls of the best play of each.

MOST = 6
"""The most men of a player in positions that are solved."""

BASE = MOST + 1

SIDES, MOST_ENDS = 924, 70_000
"""How many sides there are, and room for all ends of their turns."""

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


class BearOff(NamedTuple):
    """Holds the values of all pairs of sides, by the numbers of the sides, and what they are from.

    Side 0 has no men; the others come in the order of their pips.
    """

    number_of: Indices
    """(BASE**6,): by ``side_key``."""
    values: Values
    """(SIDES, SIDES): the expected points of the player to roll, by the own and the other side."""
    sides: Indices
    """(SIDES,): their keys."""
    pips: Indices
    """(SIDES,)."""
    weights: Values
    """(21,): the probabilities of the rolls."""
    first: Indices
    """(21 * SIDES + 1,): see ``solve_pairs``."""
    ends: Indices
    """(MOST_ENDS,): see ``solve_pairs``."""
    solved: Indices
    """(1,): how many pairs have been solved: none, or all of them."""


def new_bear_off() -> BearOff:
    """Returns room for the values of all pairs."""
    whole = (BASE**6, SIDES, SIDES, 21 * SIDES + 1, MOST_ENDS, 1)
    number_of, sides, pips, first, ends, solved = (np.zeros(n, np.int64) for n in whole)
    values, weights = np.zeros((SIDES, SIDES)), np.zeros(21)
    return BearOff(number_of, values, sides, pips, weights, first, ends, solved)


@kernel
def bear_off_value(own: Wide, opp: Wide, exact: BearOff) -> float:
    """Returns the expected points of the player to roll with men ``own`` against ``opp``."""
    return float(exact.values[exact.number_of[side_key(own)], exact.number_of[side_key(opp)]])


@cache
def bear_off() -> BearOff:
    """Returns the values of all pairs; computed once, in some seconds with the compilation."""
    exact = new_bear_off()
    solve_bear_off(Backgammon(), exact)
    return exact


@kernel
def solve_bear_off(like: Backgammon, exact: BearOff) -> int:
    """Computes the values of all pairs, unless that was done; returns how many there are."""
    if exact.solved[0] > 0:
        return int(exact.solved[0])
    number_sides(exact)
    sides, keys, ends = exact.sides, scratch(1000), 0
    nothing = int(exact.solved[0])  # not a literal 0, as a kernel recurs with it
    for side in range(1, sides.shape[0]):
        own, opp = board_of(sides[side], like.own), board_of(sides[1], like.own)
        start, row = Backgammon(True, own, opp, 0, 0), 21 * side
        for roll in range(36):
            if roll // 6 >= roll % 6:
                exact.weights[row - 21 * side] = start.probability(roll)
                for i in range(write_ends(start.play(roll), keys, nothing)):
                    exact.ends[ends] = exact.number_of[keys[i]]
                    ends += 1
                row += 1
                exact.first[row] = ends
    solve_pairs(exact.pips, exact.first, exact.ends, exact.weights, exact.values)
    exact.solved[0] = sides.shape[0] ** 2
    return int(exact.solved[0])


@kernel
def number_sides(exact: BearOff) -> None:
    """Numbers the sides in the order of their pips, and of equals in that of their keys."""
    number = 0
    for pips in range(6 * MOST + 1):
        for key in range(BASE**6):
            men, run, rest = 0, 0, key
            for place in range(1, 7):
                men += rest % BASE
                run += place * (rest % BASE)
                rest //= BASE
            if men <= MOST and run == pips:
                exact.sides[number], exact.pips[number] = key, pips
                exact.number_of[key] = number
                number += 1


@kernel
def board_of(key: int, like: Wide) -> Wide:
    """Returns the men of a side by its key, as wide as ``like``; all others are borne off."""
    board, away, man = like & 0, 15, single(0, like)
    for place in range(24, 18, -1):
        for _ in range(key % BASE):
            board += man << 4 * place
            away -= 1
        key //= BASE
    for _ in range(away):
        board += man << 100
    return board


def is_ending(position: Backgammon) -> bool:
    """Returns whether both players bear off, at most ``MOST`` men each."""
    sides = position.men(0), position.men(1)
    return all(sum(men[:19]) == 0 and men[25] >= 15 - MOST for men in sides)


@dataclass(repr=False)
class BearOffSolver(SearchAgent):
    """Plays perfectly where both players bear off, with at most six men each.

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
        position = require_unfinished(position)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here the dice are to be rolled")
        began, values = time.perf_counter(), self.values(position)
        return result_of_values(values, began, nodes=len(values), proven=True)

    def _require(self, position: Position) -> Backgammon:
        position = checked(position)
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
            return sign * bear_off_value.plain(position.own, position.opp, bear_off())
        after = (position.play(action) for action in position.legal_actions())
        return sign * max(self._value(child, position.turn) for child in after)


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


# ---- turn search: expectiminimax by whole turns, each end of a turn visited once


def value_of_end(position: Any, context: Any) -> float:
    """Returns the value of the end of a turn for the player who has played it; bound by users."""
    return 0.0


@kernel
def best_end(
    position: Backgammon, first: int, skipped: int, context: Any
) -> tuple[float, Backgammon]:
    """Returns the value of the best end of the turn for the player to move, and that position.

    Moves that can be played in either order are played in one. Of equal dice, men move in the order
    of their places, from ``first`` on; of different dice, the lower one comes first only if the
    move by the higher one was not possible before: these are the places ``skipped``. Users call it
    with 0 and 0. Where no order is left the value is -inf.
    """
    best, end = -inf, position
    actions = scratch(156)
    low, high = position.low_and_high()
    equal = low == high
    nothing = skipped & 0
    before = nothing  # where the higher die could be played first
    if not equal:
        men, blocked = places_of(position.own, 1), mirrored(places_of(position.opp, 2))
        before = movable(men, blocked, high)
    for i in range(position.write_legal(actions)):
        action = int(actions[i])
        place = action // 6 - 1
        if place >= 0 and (place < first or skipped >> place & 1 == 1):
            continue
        child = position.play(action)
        if child.dice == 0:
            value, after = value_of_end(child, context), child
        elif equal:
            value, after = best_end(child, place, nothing, context)
        else:
            later = before if action % 6 + 1 == low else nothing
            value, after = best_end(child, nothing, later, context)
        if value > best:
            best, end = value, after
    return best, end


@kernel
def best_value(position: Backgammon, context: Any) -> float:
    """Returns the value of the best end of the turn; ``position`` may be an end itself."""
    if position.dice == 0:
        return value_of_end(position, context)
    nothing = position.dice & 0  # not a literal 0: a kernel recurs with the types it begins with
    return best_end(position, nothing, nothing, context)[0]


@kernel
def turn_value(position: Backgammon, action: int, context: Any) -> float:
    """Returns the value of an action for the player to move."""
    return float(best_value(position.play(action), context))


@kernel
def prepare_ending(position: Backgammon, exact: BearOff) -> float:
    """Computes the values of endings if some can come within two turns; returns 0."""
    own, opp = digit(position.own, 25), digit(position.opp, 25)
    if min(own, opp) >= 15 - MOST - 4:  # a turn bears off four men at most
        solve_bear_off(position, exact)
    return 0.0


DEEPEST = 2
"""Two turns take some hundredths of a second, three would take some hundred times as long."""


def evaluate(position: Backgammon) -> float:
    """Returns the points of the player to roll; an evaluation is bound in its place."""
    return 0.0


@kernel
def is_bearing_off(men: Wide) -> bool:
    """Returns whether at most ``MOST`` men are left, all on the last six points."""
    number = digit(men, 25)
    if number < 15 - MOST:
        return False
    for place in range(19, 25):
        number += digit(men, place)
    return number == 15


@kernel
def static_value(position: Backgammon, context: BearOff) -> float:
    """Returns the value of the end of a turn for the player who has played it."""
    if position.is_terminal():
        return float(position.utility(position.turn))
    own, opp = position.own, position.opp
    if is_bearing_off(own) and is_bearing_off(opp):
        return -bear_off_value(own, opp, context)
    return -evaluate(position)


def best_reply(position: Backgammon, context: BearOff) -> float:
    """Returns ``best_value`` with the static value, which is bound in its place."""
    return 0.0


@kernel
def value_after_rolls(position: Backgammon, context: BearOff) -> float:
    """Returns the value of the end of a turn from the opponent's best replies to all rolls."""
    if position.is_terminal():
        return float(position.utility(position.turn))
    value = 0.0
    for roll in range(36):
        probability = position.probability(roll)
        if probability > 0.0:
            value -= probability * best_reply(position.play(roll), context)
    return value


@dataclass(repr=False)
class TurnSearch(SearchAgent):
    """Looks ``depth`` whole turns ahead, 1 or 2, in Backgammon.

    At depth 1 it compares all ends of the own turn by ``evaluate``, at depth 2 the opponent's best
    replies to all rolls. Endings with a few men are exact.
    """

    depth: int = 1
    """Whole turns looked ahead."""
    evaluate: Callable[[Any], float] | None = None
    """A function of a position where the dice are to be rolled: what the player to roll will win,
    in points; None: the network."""

    name: ClassVar[str] = "turn_search"

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for what it cannot search with."""
        if self.depth not in range(1, DEEPEST + 1):
            raise ValueError(f"depth must be 1 to {DEEPEST}, not {self.depth}")
        super().__post_init__()

    def act(self, position: Position) -> int:
        """Returns the best action, without a search if it is the only one."""
        position = self._require(position)
        legal = position.legal_actions()
        return legal[0] if len(legal) == 1 else self.analyse(position).action

    def analyse(self, position: Position) -> SearchResult:
        """Returns the best action and the value of each; ValueError where nobody is to move."""
        here = self._require(position)
        began, values = time.perf_counter(), self.values(position)
        line = [max(values, key=values.__getitem__)]
        while (here := here.play(line[-1])).dice != 0:
            line.append(self.act(here))
        return result_of_values(
            values, began, principal_variation=tuple(line), nodes=len(values), depth=self.depth
        )

    def value(self, position: Position) -> float:
        """Returns the value for the player to move; for player 0 where the dice are to be rolled.

        There the first of the ``depth`` turns is the one after the roll.
        """
        position = checked(position)
        if position.is_terminal() or position.to_move != CHANCE:
            return super().value(position)
        here = require_game(position, Backgammon, self.name)
        if here.turn < 0:
            return 0.0  # before the first roll both sides have the same
        value = float(self._value_of_end()(here, bear_off()))
        return (value if here.turn == 1 else -value) + 0.0

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each legal action for the player to move; empty at the end."""
        position = checked(position)
        if position.is_terminal():
            return {}
        here, best = self._require(position), best_value.bind(value_of_end=self._value_of_end())
        return {a: float(best(here.play(a), bear_off())) for a in here.legal_actions()}

    def move_kernels(self, start: Position) -> MoveKernels:
        """Returns the search as kernels; ValueError for other games."""
        require_game(start, Backgammon, self.name)
        best = best_value.bind(value_of_end=self._value_of_end())
        return MoveKernels(
            turn_value,
            new_bear_off(),
            prepare_ending,
            bindings={"best_value": best},
            line="turn",
            nodes=1,
            depth=self.depth,
            proven=False,
        )

    def _require(self, position: Position) -> Backgammon:
        here = require_game(require_unfinished(position), Backgammon, self.name)
        if here.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here the dice are to be rolled")
        return here

    def _value_of_end(self) -> Kernel[..., float]:
        """Returns the value of the end of a turn, bound to the evaluation and to the depth."""
        value = static_value.bind(evaluate=self.evaluate or network)
        if self.depth == 1:
            return value
        return value_after_rolls.bind(best_reply=best_value.bind(value_of_end=value))


# ---- the record


def image(position: Backgammon, i: int) -> Backgammon:
    """Returns the position with the players exchanged; the men are stored by whose turn it is."""
    turn = position.turn if i == 0 or position.turn < 0 else 1 - position.turn
    return Backgammon(position.gammons, position.own, position.opp, position.dice, turn)


def image_action(position: Backgammon, action: int, i: int) -> int:
    """Returns the same action; of the first roll, that with the dice exchanged."""
    if i == 1 and position.turn < 0:
        return action % 6 * 6 + action // 6
    return action


def progress(position: Backgammon) -> float:
    """Returns the larger share of men that a player has borne off: hits undo all other progress."""
    return max(position.men(player)[25] for player in (0, 1)) / 15


register("bear_off", BearOffSolver)
register("turn_search", TurnSearch)
register_knowledge(
    Backgammon,
    Knowledge(
        names=("tables", "tavla", "nardi", "dice"),
        evaluations={"race": race, "blots_and_points": blots_and_points, "network": network},
        default_evaluation="network",
        symmetries=Symmetries(two, image, image_action, inverse_turn, kinds=("same", "exchanged")),
        solver=lambda position: BearOffSolver,
        exact_values=lambda start: ExactValues(
            start, BearOffSolver(), unit="amounts", quick=is_ending
        ),
        random_position=random_ending,
        progress=progress,
        solution=SolutionText(
            name="expected points",
            in_numbers=lambda position, value: f"{value:+.4f}",
            in_words=lambda position, value: f"{value:+.4f} points by best play",
        ),
        opponent=lambda start: "turn_search()",
        analyst=lambda position: "turn_search(depth=2)",
        strong=lambda start: "turn_search(depth=2)",
        rungs={
            "random": "random",
            "mcts 30": "mcts(simulations=30)",
            "points": "turn_search(evaluate=backgammon.blots_and_points)",
            "greedy": "greedy(evaluate=backgammon.network)",
            "depth 1": "turn_search()",
            "depth 2": "turn_search(depth=2)",
        },
    ),
)
