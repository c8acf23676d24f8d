"""Records what is known about Nine Men's Morris: an evaluation, symmetries, exact endings.

- ``evaluations``: men, mills, rows of two and moves; the symmetries of the board;
- ``endings``: ``NineMensMorrisEndings``, tables of all boards with few men.
"""

from __future__ import annotations

import random

from adv_envs.bits import count
from adv_envs.games.nine_mens_morris import ALL, FLY_FROM, POINTS, NineMensMorris
from adv_envs.jit import disabled
from agents.knowledge import ExactValues, Knowledge, SolutionText, by_number, register_knowledge
from agents.symmetries import PlayerExchange

from .endings import LONGEST, NineMensMorrisEndings, covers
from .evaluations import SYMMETRIES, closing, lead, men, structure, table_key

__all__ = ["NineMensMorrisEndings", "men", "structure"]

# ---- how the game is graded

MOST_GRADED = 7
"""The most men of both on boards whose values take a moment, once the tables are made: compiled, in
some seconds."""


def exact_values(start: NineMensMorris) -> ExactValues:
    """Returns the outcome of each move in endings with few men."""
    return ExactValues(
        start,
        NineMensMorrisEndings(),
        unit="scores",
        quick=lambda position: not disabled() and covers(position, MOST_GRADED),
        feasible=lambda position: covers(position, NineMensMorrisEndings().men),
    )


def random_ending(start: NineMensMorris, rng: random.Random) -> NineMensMorris:
    """Returns a random unfinished ending, with three men against three or four."""
    while True:
        own, opp = rng.choice(((3, 3), (3, 4), (4, 3)) if start.men > FLY_FROM else ((3, 3),))
        points = rng.sample(range(POINTS), own + opp)
        sets = (sum(1 << point for point in part) for part in (points[:own], points[own:]))
        position = start._replace(
            **dict(zip(("own", "opp"), sets, strict=True)), own_left=0, opp_left=0
        )
        if not position.is_terminal():
            return position  # type: ignore[no-any-return]


def solver_of(position: NineMensMorris) -> type[NineMensMorrisEndings] | None:
    """Returns ``NineMensMorrisEndings``: everywhere, as no other solver can help."""
    return NineMensMorrisEndings


def progress(position: NineMensMorris) -> float:
    """Returns the share of what can happen: men placed, and men taken."""
    left = position.own_left + position.opp_left
    taken = 2 * position.men - left - count((position.own | position.opp) & ALL)
    most = 2 * position.men + 2 * (position.men - FLY_FROM + 1)
    return min(1.0, max(0.0, (2 * position.men - left + taken) / most))


def in_moves(position: NineMensMorris, value: float) -> str:
    """Returns what a score means: "a win in 5 moves", those of both players."""
    if value == 0:
        return "a draw"
    moves = int(LONGEST - abs(value))
    return f"a {'win' if value > 0 else 'loss'} in {moves} move{'' if moves == 1 else 's'}"


# ---- what the game is offered with

SEARCH = "alpha_beta(%s, evaluate=nine_mens_morris.structure)"

register_knowledge(
    NineMensMorris,
    Knowledge(
        names=("mill", "mills", "merels", "muehle", "mühle", "morris", "cowboy checkers"),
        evaluations={"structure": structure, "men": men},
        default_evaluation="structure",
        orders={"closing": closing},
        order=closing,
        noise=lead,
        symmetries=SYMMETRIES,
        exchange=PlayerExchange(lambda position: position._replace(turn=1 - position.turn)),
        table_key=table_key,
        solver=solver_of,
        exact_values=exact_values,
        random_position=random_ending,
        progress=progress,
        solution=SolutionText(name="score", in_words=in_moves),
        settings=({"flying": False},),
        opponent=lambda start: SEARCH % "nodes=200000",
        analyst=lambda position: SEARCH % "seconds=3",
        strong=lambda start: SEARCH % "seconds=3",
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300),
            **by_number("depth %d", SEARCH % "depth=%d", 1, 2, 4, 6),
        },
    ),
)
