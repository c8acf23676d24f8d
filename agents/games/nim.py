"""Plays Nim by its theory, which says who wins: evaluation, solver and exact values.

The nim-sum of the heaps is the exclusive or of their sizes in binary. The player to move wins if
it is not 0, as some move makes it 0 and no move from 0 leaves it so. In misere Nim the same holds
as long as some heap has two stones or more; once all have one or none, the player to move
wins with an even number of stones. Source: C. L. Bouton, Nim, a Game with a Complete Mathematical
Theory (1901).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, ClassVar

from adv_envs import Position
from adv_envs.games.nim import Nim
from adv_envs.jit import kernel
from agents.agent import SearchAgent, SearchResult, require_game, require_unfinished
from agents.knowledge import ExactValues, Knowledge, SolutionText, by_number, register_knowledge
from agents.search.exact_play import MoveKernels, NoArrays
from agents.spec import register
from agents.symmetries import PlayerExchange


@kernel
def winner(position: Nim) -> int:
    """Returns 1 if the player to move of an unfinished position wins with best play, else -1."""
    total, most = 0, 0
    for heap in range(position.num_heaps):
        total ^= position.size(heap)
        most = max(most, position.size(heap))
    if position.misere and most <= 1:
        return 1 if total == 0 else -1
    return 1 if total != 0 else -1


@kernel
def nim_sum(position: Nim) -> float:
    """Returns 1 if the player to move wins with best play, else -1."""
    return float(winner(position))


def sum_of_heaps(position: Nim) -> int:
    """Returns how many stones are left."""
    return sum(position.size(heap) for heap in range(position.num_heaps))


# ---- the solver


@dataclass(repr=False)
class NimSolver(SearchAgent):
    """Plays Nim perfectly by its theory, without search.

    Among moves of the same value it takes as few stones as it can: a lost game lasts longer, with
    more room for errors. A value is a utility, 1 or -1. ValueError for other games.
    """

    name: ClassVar[str] = "nim_solver"

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each legal action; empty where the game is over."""
        here = require_game(position, Nim, self.name, "solves")
        return {action: value_of.plain(here.play(action)) for action in here.legal_actions()}

    def move_kernels(self, start: Position) -> MoveKernels:
        """Returns the theory as a kernel; ValueError for other games."""
        require_game(start, Nim, self.name, "solves")
        return MoveKernels(value_in_nim, line="game")

    def analyse(self, position: Position) -> SearchResult:
        """Returns a best action, its value and a line of best play to the end of the game."""
        here = require_unfinished(require_game(position, Nim, self.name, "solves"))
        values = self.values(here)
        line = []
        while not here.is_terminal():
            moves = self.values(here)
            line.append(max(moves, key=moves.__getitem__))  # the first takes the fewest stones
            here = here.play(line[-1])
        return SearchResult(line[0], values[line[0]], tuple(line), 1, proven=True, values=values)


@kernel
def value_of(after: Nim) -> float:
    """Returns the value of the move that led to a position, for the player who made it."""
    if after.is_terminal():
        return float(after.utility(1 - after.turn))
    return float(-winner(after))


@kernel
def value_in_nim(position: Nim, action: int, arrays: NoArrays) -> float:
    """Returns the value of a move for the player to move."""
    return float(value_of(position.play(action)))


def note(position: Nim, solver: Any) -> str:
    """Returns the nim-sum as a sum in binary."""
    sizes = [position.size(heap) for heap in range(position.num_heaps)]
    return f"The nim-sum is {' xor '.join(map(str, sizes))} = {reduce(xor, sizes)}."


register("nim_solver", NimSolver)
register_knowledge(
    Nim,
    Knowledge(
        names=("matches", "heaps"),
        evaluations={"nim_sum": nim_sum},
        decided=winner,
        solver=lambda position: NimSolver,
        exchange=PlayerExchange(lambda position: position._replace(turn=1 - position.turn)),
        exact_values=lambda start: ExactValues(start, NimSolver()),
        progress=lambda position: 1 - sum_of_heaps(position) / sum_of_heaps(position.start()),
        sample_plies=lambda start: range(start.num_heaps),
        settings=({"misere": True},),
        opponent=lambda start: "nim_solver()",
        analyst=lambda position: "nim_solver()",
        strong=lambda start: "nim_solver()",
        rungs={
            "random": "random",
            "greedy": "greedy",
            **by_number("mcts %d", "mcts(simulations=%d, solver=False)", 10, 100),
            **by_number("depth %d", "alpha_beta(depth=%d)", 2, 4),
            "perfect": "nim_solver",
        },
        solution=SolutionText(note=note),
    ),
)
