"""Pig: an evaluation, and the solver, which finds the chance of winning by value iteration.

Source: T. Neller and C. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004).
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Pig, Position
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_position, require_unfinished
from agents.knowledge import ExactValues, Knowledge, MoveValue, register_knowledge
from agents.search.limits import NODES, STOP, counters, run
from agents.spec import register

MAX_TARGET = 200
"""The largest target that is solved, in a few seconds; twice as much takes eight times as long."""

EXACT = 1e-15
"""Value iteration ends when no chance of winning changes by more than this."""

Chances = NDArray[np.float64]


@kernel
def best_turn(own, other, wins, faces, chances):  # type: ignore[no-untyped-def]
    """The chance of winning of a player at the beginning of a turn, with ``own`` points.

    wins (target, target): the chance of a player who begins a turn, by own score and the other's;
    right for all higher scores. chances (target + faces,): becomes the chance at each turn total.
    """
    target = wins.shape[0]
    for turn in range(target - own, target - own + faces):
        chances[turn] = 1.0  # enough in hand: hold
    for turn in range(target - own - 1, -1, -1):
        roll = 1.0 - wins[other, own]
        for face in range(2, faces + 1):
            roll += chances[turn + face]
        roll /= faces
        hold = 1.0 - wins[other, own + turn] if turn > 0 else 0.0
        chances[turn] = max(roll, hold)
    return chances[0]


@kernel
def solve(wins, faces, chances, accuracy, counts):  # type: ignore[no-untyped-def]
    """Fill ``wins``, from the highest scores down; see ``best_turn`` for the shapes.

    A turn leads to higher scores or, after a 1, to the same scores with the other player to begin.
    So two entries at a time depend on each other and on what is known, and are iterated alone.
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


@dataclass(repr=False)
class PigSolver(SearchAgent):
    """Perfect play of Pig: always the action that wins more often.

    A value is the expected utility, -1 to 1: twice the chance of winning, less 1; both have
    rounding errors of about 1e-15. A game is solved when it is first met. ValueError for other
    games, and for targets above 200.
    """

    name: ClassVar[str] = "pig_solver"
    _solved: dict[tuple[int, int], Chances] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def solve(self, position: Position) -> int:
        """Solve the game of ``position``, once; how many values that took to compute, 0 if none."""
        if not isinstance(position, Pig):
            raise ValueError(f"{self.name} solves pig, not {type(position).__name__}")
        target, faces = game = position.target, position.faces
        if target > MAX_TARGET:
            raise ValueError(
                f"{self.name} solves targets up to {MAX_TARGET}, not {target}; use expectiminimax"
            )
        if game in self._solved:
            return 0
        wins, chances, counts = np.full((target, target), 0.5), np.zeros(target + faces), counters()
        run(solve, counts, wins, faces, chances, EXACT, counts)
        self._solved[game] = wins
        return int(counts[NODES])

    def win_probability(self, position: Position, player: int | None = None) -> float:
        """The chance that ``player`` (None: whose turn it is) wins, with best play of both."""
        self.solve(position)
        here: Any = position
        if here.is_terminal():
            chance = float(here.utility(here.mover) > 0)
        else:
            own, other = here.score(here.mover), here.score(1 - here.mover)
            wins = self._solved[here.target, here.faces]
            chances = np.zeros(here.target + here.faces)
            best_turn(own, other, wins, here.faces, chances)
            chance = float(chances[here.turn])
            if here.rolling:
                rest = chances[here.turn + 2 : here.turn + here.faces + 1]
                chance = float(1 - wins[other, own] + rest.sum()) / here.faces
        return chance if player in (None, here.mover) else 1 - chance

    def hold_at(self, own: int, other: int, target: int = 100, faces: int = 6) -> int:
        """The smallest turn total at which a player with ``own`` points should hold."""
        turn = 2
        while turn < target - own:
            values = self.values(Pig(target, faces, own, other, turn))
            if values[1] >= values[0]:
                break
            turn += 1
        return turn

    def value(self, position: Position) -> float:
        """The expected utility for the player to move; for player 0 while the die rolls."""
        require_position(position)
        return 2 * self.win_probability(position, max(position.to_move, 0)) - 1

    def values(self, position: Position) -> dict[int, float]:
        """The expected utility of each action for the player to move, of each face for player 0."""
        require_position(position)
        player = max(position.to_move, 0)
        return {
            action: 2 * self.win_probability(position.play(action), player) - 1
            for action in position.legal_actions()
        }

    def analyse(self, position: Position) -> SearchResult:
        """The better of roll and hold; ValueError if the game is over or the die rolls."""
        require_unfinished(position)
        if position.to_move < 0:
            raise ValueError(f"{self.name} chooses actions; here the die is rolling")
        began = time.perf_counter()
        nodes = self.solve(position)
        values = self.values(position)
        action = max(values, key=values.__getitem__)
        return SearchResult(
            action,
            values[action],
            (action,),
            nodes,
            seconds=time.perf_counter() - began,
            proven=True,
            values=values,
        )


# ---- an evaluation


@kernel
def lead(position: Pig) -> float:
    """By how much of the target the player to move is ahead, the turn total counted in full.

    Between -1 and 1, as utilities are.
    """
    own = min(position.score(position.mover) + position.turn, position.target)
    other = min(position.score(1 - position.mover), position.target)
    return (own - other) / position.target


# ---- grading, and what the game is offered with


class PigValues(ExactValues):
    """Pig, by value iteration: every move is worth the chance of winning after it."""

    def __init__(self, start: Pig) -> None:
        super().__init__(start)
        self._solver = PigSolver()
        if start.target > 200:
            raise ValueError(f"pig is graded up to target 200, not {start.target}")

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """The chances of winning."""
        values = self._solver.values(position)
        return {action: MoveValue.of_value((v + 1) / 2) for action, v in values.items()}

    def progress(self, position: Position) -> float:
        """The better player's share of the target."""
        here: Any = position
        return float(max(here.first, here.second) / here.target)


def random_position(start: Pig, rng: random.Random) -> Pig:
    """Any scores, and a turn that may have brought up to a third of the target."""
    target, faces = start.target, start.faces
    mover, scores = rng.randrange(2), [rng.randrange(target) for _ in range(2)]
    most = min(target // 3 + faces, target - 1 + faces - scores[mover])
    turn = rng.choice([t for t in range(most + 1) if t != 1])
    return Pig(target, faces, scores[0], scores[1], turn, mover, False)


def opponent(start: Pig) -> str:
    """The solver, or a search where the target is too large for it."""
    searching = "expectiminimax(evaluate=pig.lead, nodes=100000)"
    return "pig_solver()" if start.target <= MAX_TARGET else searching


register("pig_solver", PigSolver)
register_knowledge(
    Pig,
    Knowledge(
        evaluations={"lead": lead},
        solver=lambda position: PigSolver,
        exact_values=PigValues,
        progress=lambda position: max(position.first, position.second) / position.target,
        random_position=random_position,
        opponent=opponent,
        analyst=lambda position: "pig_solver()",
    ),
)
