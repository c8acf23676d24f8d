"""Go: evaluations, playouts, and how it is written in the Go text protocol.

- ``evaluations``: who is ahead, by area and by distance, and an order of moves;
- ``eye_playouts``: Monte Carlo playouts that fill no eyes.

Positions have no symmetries here: the keys of the boards before, which superko forbids, do not tell
which board they are of, so a position cannot be turned with its history.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

from adv_envs.games.go import Go
from adv_envs.jit import kernel
from agents.dialects import GtpGame
from agents.knowledge import ExactValues, Knowledge, NotGraded, register_knowledge
from agents.mcts.playouts import Workspace

from .evaluations import area, centre, nearest
from .eye_playouts import sparing_eyes

__all__ = ["area", "centre", "nearest", "sparing_eyes"]


@kernel
def winning_pass(position: Go, workspace: Workspace) -> int:
    """Returns the pass if it ends the game and wins; -1 otherwise: no other move ends a game."""
    if position.passes == 0:
        return -1
    lead = position.lead() if position.to_move == 0 else 0.0 - position.lead()
    return position.num_stone_actions if lead > 0 else -1


# ---- Go in GTP, which is the protocol of GNU Go, Pachi, KataGo and most others


def settings(position: Go) -> Sequence[str]:
    """Returns the commands for the size of the board and the komi."""
    return [f"boardsize {position.size}", f"komi {position.komi:g}"]


def set_up(position: Go, known: Collection[str]) -> Sequence[str]:
    """Returns a command for each stone, black and white in turn as long as there are both.

    Nothing is captured on the way, as every group has more liberties than it ends with.
    """
    cells = [(row, column) for row in range(position.size) for column in range(position.size)]
    both = [
        [position.cell_name(*cell) for cell in cells if position.cell(*cell) == player]
        for player in (0, 1)
    ]
    return [
        f"play {colour} {name}"
        for pair in zip_longest(*both)
        for colour, name in zip(("black", "white"), pair, strict=True)
        if name is not None
    ]


def turned(position: Go, player: int) -> Go:
    """Returns the position after the other player has passed, which is not counted as a pass."""
    if position.to_move == player:
        return position
    passed = position.play(position.num_stone_actions)
    return Go(**{**dict(zip(passed._fields, passed, strict=True)), "passes": 0})


def score(position: Go) -> str:
    """Returns the winner and the lead: "B+3.5"; "0" for a draw."""
    lead = position.lead()
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def with_komi(start: Go, komi: float) -> Go:
    """Returns the start with another komi."""
    return Go(**{**dict(zip(start._fields, start, strict=True)), "komi": komi})


GTP = GtpGame(
    name="Go", settings=settings, set_up=set_up, turned=turned, score=score, with_komi=with_komi
)
"""Go in GTP."""

# ---- grading, and what the game is offered with

MAX_GRADED_PLIES = 12
"""The longest games that are graded, on 2 x 2: they have 54,000 positions."""


def exact_values(start: Go) -> ExactValues:
    """Returns the exact values from a list of all positions, each with its history."""
    from agents.grading.exact_values import listed_values

    if start.size > 2 or start.limit > MAX_GRADED_PLIES:
        raise NotGraded(
            f"go is graded on 2 x 2 in games of up to {MAX_GRADED_PLIES} plies; "
            f"this one is {start.size} x {start.size} with {start.limit}"
        )
    return listed_values(start)


def strong(start: Go) -> str:
    """Returns Monte Carlo tree search for some seconds."""
    return "mcts(seconds=3)"


RUNGS = {
    "random": "random",
    "greedy": "greedy(evaluate=go.nearest)",
    "depth 2": "alpha_beta(depth=2, evaluate=go.nearest, order=go.centre)",
    "mcts 10": "mcts(simulations=10)",
    "mcts 30": "mcts(simulations=30)",
    "mcts 100": "mcts(simulations=100)",
    "mcts 300": "mcts(simulations=300)",
    "mcts 1000": "mcts(simulations=1000)",
}
"""Opponents from random to some that answer within hundredths of a second on 9 x 9."""

register_knowledge(
    Go,
    Knowledge(
        evaluations={"area": area, "nearest": nearest},
        default_evaluation="nearest",
        orders={"centre": centre},
        order=centre,
        playout=lambda position: sparing_eyes,
        winning_move=lambda position: winning_pass,
        grave=50,  # wins 19 of 20 games on 9 x 9 against none, 800 simulations each
        exact_values=exact_values,
        progress=lambda position: min(position.ply / position.size**2, 1.0),
        opponent=lambda start: "mcts(simulations=5000)",
        analyst=lambda position: "mcts(seconds=3)",
        strong=strong,
        rungs=RUNGS,
        gtp=GTP,
    ),
)
