"""Evaluates Kalah by the seeds; what margins are solved by, and the grading of endings."""

from __future__ import annotations

from adv_envs.games.kalah import BYTE, Kalah
from adv_envs.jit import kernel
from agents.knowledge import Knowledge, Margins, SolutionText, by_number, register_knowledge
from agents.search.perfect import MarginSolver, exact_margins, margin_in_words
from agents.symmetries import PlayerExchange

QUICK = 24
"""Seeds in the pits up to which all moves are solved in a second at most."""

FEASIBLE = 30
"""Seeds in the pits up to which all moves are solved in some seconds."""

IN_A_PIT = 0.25
"""What a seed in a pit is worth, if one in the store is worth 1."""


@kernel
def lead(position: Kalah) -> float:
    """Returns the lead in seeds as a share of all seeds; those in the pits count a quarter.

    Seeds in the own row are kept if the game ends, and until then they may be captured. Between -1
    and 1; antisymmetric: for the other player to move it is the negative value.
    """
    own, opp, lead = position.own, position.opp, 0.0
    for pit in range(position.pits):
        lead += IN_A_PIT * ((own >> 8 * pit & BYTE) - (opp >> 8 * pit & BYTE))
    lead += (own >> 8 * position.pits) - (opp >> 8 * position.pits)
    return lead / position.max_utility


@kernel
def promising(position: Kalah, action: int) -> float:
    """Returns more for pits near the own store: their seeds are the first to come home."""
    return float(action)


# ---- for the solver of margins


def ahead(position: Kalah) -> int:
    """Returns how many more seeds are in the store of the player to move."""
    return position.store(position.to_move) - position.store(1 - position.to_move)


def left(position: Kalah) -> int:
    """Returns how many seeds are in the pits."""
    seeds = 0
    for pit in range(position.pits):
        seeds += (position.own >> 8 * pit & BYTE) + (position.opp >> 8 * pit & BYTE)
    return seeds


def rest(position: Kalah) -> Kalah:
    """Returns the same pits with empty stores; the player to move is player 0."""
    row = (1 << 8 * position.pits) - 1
    pits, seeds, empty_capture = position.pits, position.seeds, position.empty_capture
    return Kalah(pits, seeds, empty_capture, position.own & row, position.opp & row, 0)


def next_action(position: Kalah, first: int, tried: int) -> int:
    """Returns ``first``, then pits after which the player moves again; the last of these."""
    found = -1
    for action in range(position.pits):
        if tried >> action & 1 == 0 and position.legal(action):
            if action == first:
                return action
            if found < 0 or moves_again(position, action) or not moves_again(position, found):
                found = action
    return found


def moves_again(position: Kalah, action: int) -> bool:
    """Returns whether the last seed falls into the store, without a lap around the board."""
    return position.own >> 8 * action & BYTE == position.pits - action


# ---- grading, and what the game is offered with


SEARCH = "alpha_beta(%s, evaluate=kalah.lead)"


def opponent(start: Kalah) -> str:
    """Returns the solver for small games, else alpha-beta with the lead in seeds."""
    return "margin_solver()" if start.max_utility <= QUICK else SEARCH % "nodes=1000000"


def strong(start: Kalah) -> str:
    """Returns the solver for small games, else alpha-beta for two seconds a move."""
    searching = "alpha_beta(seconds=2, evaluate=kalah.lead, table_mb=256)"
    return "margin_solver()" if start.max_utility <= QUICK else searching


def analyst(position: Kalah) -> str:
    """Returns the solver where it is quick, otherwise alpha-beta for some seconds."""
    return "margin_solver()" if left(position) <= QUICK else SEARCH % "seconds=3"


register_knowledge(
    Kalah,
    Knowledge(
        names=("mancala", "kalaha"),
        evaluations={"lead": lead},
        default_evaluation="lead",
        orders={"promising": promising},
        order=promising,
        margins=Margins(ahead, left, rest, next_action),
        solver=lambda position: MarginSolver,
        exchange=PlayerExchange(lambda position: position._replace(to_move=1 - position.to_move)),
        exact_values=lambda start: exact_margins(start, left, QUICK, FEASIBLE),
        progress=lambda position: 1 - left(position) / position.max_utility,
        settings=({"pits": 4, "seeds": 3},),
        opponent=opponent,
        analyst=analyst,
        solution=SolutionText(name="margin", in_words=margin_in_words),
        strong=strong,
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=kalah.lead)",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300),
            **by_number("depth %d", SEARCH % "depth=%d", 2, 4, 6, 9),
        },
    ),
)
