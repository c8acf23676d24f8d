"""Solves Pig by value iteration: the probability of winning; and an evaluation.

Source: T. Neller and C. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004).
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Pig, Position
from adv_envs.jit import kernel
from adv_envs.position import checked
from agents.agent import (
    SearchAgent,
    SearchResult,
    require_game,
    require_unfinished,
    result_of_values,
)
from agents.knowledge import (
    ExactValues,
    Knowledge,
    NotGraded,
    SolutionText,
    by_number,
    register_knowledge,
)
from agents.search.exact_play import MoveKernels
from agents.search.limits import NODES, STOP, Counts, counters, run
from agents.spec import register
from agents.symmetries import PlayerExchange

MAX_TARGET = 200
"""The largest target that is solved, in a few seconds; twice the target takes 8 times as long."""

ACCURACY = 1e-15
"""Value iteration ends when no probability changes by more than this."""

Probabilities = NDArray[np.float64]


@kernel
def best_turn(
    own: int, other: int, wins: Probabilities, faces: int, chances: Probabilities
) -> float:
    """Returns the probability of winning at the beginning of a turn, by own and other score.

    ``wins`` (target, target): this probability by own and other score, exact for higher scores.
    ``chances`` (target + faces,): the probability at each turn total is written here.
    """
    target = wins.shape[0]
    for turn in range(target - own, target - own + faces):
        chances[turn] = 1.0  # enough to win: hold
    for turn in range(target - own - 1, -1, -1):
        roll = 1.0 - wins[other, own]
        for face in range(2, faces + 1):
            roll += chances[turn + face]
        roll /= faces
        hold = 1.0 - wins[other, own + turn] if turn > 0 else 0.0
        chances[turn] = max(roll, hold)
    return float(chances[0])


@kernel
def iterate_values(
    wins: Probabilities,
    faces: int,
    chances: Probabilities,
    accuracy: float,
    counts: NDArray[np.int64],
) -> None:
    """Fills ``wins``, from the highest scores down; see ``best_turn`` for the shapes.

    A turn leads to higher scores or, after a 1, to the same scores with the other player to begin.
    So two entries at a time depend on each other and on known ones, and only these are iterated.
    ``counts`` are counters of ``agents.search.limits``.
    """
    target = wins.shape[0]
    for total in range(2 * target - 2, -1, -1):
        for low in range(max(0, total - target + 1), total // 2 + 1):
            high, change = total - low, 1.0
            while change > accuracy and counts[STOP] == 0:
                change = 0.0
                for own, other in ((low, high), (high, low)):
                    win = best_turn(own, other, wins, faces, chances)
                    change = max(change, abs(win - wins[own, other]))
                    wins[own, other] = win
                    counts[NODES] += target - own


@kernel
def win_chance(position: Pig, wins: Probabilities, chances: Probabilities) -> float:
    """Returns the probability that the player whose turn it is wins; shapes as in ``best_turn``."""
    player = position.mover
    if position.is_terminal():
        return 1.0 if position.utility(player) > 0 else 0.0
    own, other = position.score(player), position.score(1 - player)
    best_turn(own, other, wins, position.faces, chances)
    if not position.rolling:
        return float(chances[position.turn])
    rest = 0.0
    for face in range(2, position.faces + 1):
        rest += chances[position.turn + face]
    return float(1 - wins[other, own] + rest) / position.faces


class PigArrays(NamedTuple):
    """Holds what a solver of one game works on."""

    wins: Probabilities
    """(target, target): see ``best_turn``."""
    chances: Probabilities
    """(target + faces,): workspace."""
    counts: Counts
    """(10,): see ``agents.search.limits``."""


@kernel
def solve_game(position: Pig, arrays: PigArrays) -> float:
    """Fills ``arrays`` for a game, unless they are; returns how many values were computed."""
    if arrays.counts[NODES] == 0:
        arrays.wins[:] = 0.5
        iterate_values(arrays.wins, position.faces, arrays.chances, ACCURACY, arrays.counts)
    return float(arrays.counts[NODES])


@kernel
def utility_of_move(position: Pig, action: int, arrays: PigArrays) -> float:
    """Returns the expected utility of an action for the player to move; of a face for player 0."""
    child = position.play(action)
    chance = win_chance(child, arrays.wins, arrays.chances)
    return 2 * (chance if child.mover == max(position.to_move, 0) else 1 - chance) - 1


@dataclass(repr=False)
class PigSolver(SearchAgent):
    """Plays Pig perfectly: the action with the higher probability of winning.

    A value is the expected utility, -1 to 1: twice the probability of winning, minus 1; both have
    rounding errors of about 1e-15. A game is solved at its first position. ValueError for other
    games, and for targets above 200.
    """

    name: ClassVar[str] = "pig_solver"
    _solved: dict[tuple[int, int], Probabilities] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def solve(self, position: Position) -> int:
        """Solves the game of ``position`` once; returns the number of values computed, then 0."""
        position = require_game(position, Pig, self.name, "solves")
        target, faces = game = position.target, position.faces
        if target > MAX_TARGET:
            raise ValueError(
                f"{self.name} solves targets up to {MAX_TARGET}, not {target}; use expectiminimax"
            )
        if game in self._solved:
            return 0
        wins, chances, counts = np.full((target, target), 0.5), np.zeros(target + faces), counters()
        run(iterate_values, counts, wins, faces, chances, ACCURACY, counts)
        self._solved[game] = wins
        return int(counts[NODES])

    def win_probability(self, position: Position, player: int | None = None) -> float:
        """Returns the probability that ``player`` (None: whose turn it is) wins, by best play."""
        here: Any = checked(position)
        self.solve(here)
        wins, chances = self._solved[here.target, here.faces], np.zeros(here.target + here.faces)
        chance = float(win_chance.bind(best_turn=best_turn.__call__).plain(here, wins, chances))
        return chance if player in (None, here.mover) else 1 - chance

    def hold_at(self, own: int, other: int, target: int = 100, faces: int = 6) -> int:
        """Returns the smallest turn total at which a player with ``own`` points should hold.

        The other player has ``other``; the game is to ``target`` with a die of ``faces``.
        """
        turn = 2
        while turn < target - own:
            values = self.values(Pig(target, faces, own, other, turn))
            if values[1] >= values[0]:
                break
            turn += 1
        return turn

    def value(self, position: Position) -> float:
        """Returns the expected utility for the player to move; for player 0 while the die rolls."""
        position = checked(position)
        return 2 * self.win_probability(position, max(position.to_move, 0)) - 1

    def values(self, position: Position) -> dict[int, float]:
        """Returns each action's expected utility for the player to move; of faces for player 0."""
        position = checked(position)
        player = max(position.to_move, 0)
        return {
            action: 2 * self.win_probability(position.play(action), player) - 1
            for action in position.legal_actions()
        }

    def move_kernels(self, start: Position) -> MoveKernels:
        """Returns the solver as kernels; ValueError for other games."""
        start = require_game(start, Pig, self.name, "solves")
        wins, chances = np.zeros((start.target,) * 2), np.zeros(start.target + start.faces)
        return MoveKernels(utility_of_move, PigArrays(wins, chances, counters()), solve_game)

    def analyse(self, position: Position) -> SearchResult:
        """Returns the better of roll and hold; ValueError if the game is over or the die rolls."""
        position = require_unfinished(position)
        if position.to_move < 0:
            raise ValueError(f"{self.name} chooses actions; here the die is rolling")
        began, nodes = time.perf_counter(), self.solve(position)
        return result_of_values(self.values(position), began, nodes=nodes, proven=True)


# ---- an evaluation


@kernel
def lead(position: Pig) -> float:
    """Returns the lead of the player to move as a share of the target, with the turn total.

    It is between -1 and 1, as utilities are.
    """
    own = min(position.score(position.mover) + position.turn, position.target)
    other = min(position.score(1 - position.mover), position.target)
    return (own - other) / position.target


# ---- grading, and what the game is offered with


def exact_values(start: Pig) -> ExactValues:
    """Returns the probability of winning after each move, by value iteration."""
    if start.target > MAX_TARGET:
        raise NotGraded(f"pig is graded up to target {MAX_TARGET}, not {start.target}")
    return ExactValues(start, PigSolver())


def exchanged(position: Pig) -> Pig:
    """Returns the position in which each player has the score of the other."""
    scores = {"first": position.second, "second": position.first}
    return position._replace(**scores, mover=1 - position.mover)  # type: ignore[no-any-return]


def random_position(start: Pig, rng: random.Random) -> Pig:
    """Returns a position with any scores and a turn total of up to a third of the target."""
    target, faces = start.target, start.faces
    player, scores = rng.randrange(2), [rng.randrange(target) for _ in range(2)]
    most = min(target // 3 + faces, target - 1 + faces - scores[player])
    turn = rng.choice([t for t in range(most + 1) if t != 1])
    return Pig(target, faces, scores[0], scores[1], turn, player, False)


def hold_at(position: Pig, solver: PigSolver) -> str:
    """Returns at which turn total to hold."""
    own, other = position.score(position.mover), position.score(1 - position.mover)
    total = solver.hold_at(own, other, position.target, position.faces)
    return f"With these scores, hold when the turn total is {total} or more."


def opponent(start: Pig) -> str:
    """Returns the solver, or a search where the target is too large for it."""
    searching = "expectiminimax(evaluate=pig.lead, nodes=100000)"
    return "pig_solver()" if start.target <= MAX_TARGET else searching


register("pig_solver", PigSolver)
register_knowledge(
    Pig,
    Knowledge(
        names=("dice",),
        evaluations={"lead": lead},
        solver=lambda position: PigSolver,
        exchange=PlayerExchange(exchanged),
        exact_values=exact_values,
        progress=lambda position: max(position.first, position.second) / position.target,
        random_position=random_position,
        settings=({"target": 50},),
        opponent=opponent,
        analyst=lambda position: "pig_solver()",
        solution=SolutionText(
            name="chance of winning",
            in_numbers=lambda position, value: f"{(value + 1) / 2:.2%}",
            in_words=lambda position, value: f"a win in {(value + 1) / 2:.2%} of games",
            note=hold_at,
        ),
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300),
            "perfect": "pig_solver",
        },
    ),
)
