"""Evaluates checkers by material and advance, and says what the game is offered with."""

from __future__ import annotations

from adv_envs.bits import count, scratch
from adv_envs.games.checkers import Checkers
from adv_envs.jit import kernel
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge

KING = 1.4
"""What a king is worth, if a man is worth 1."""

ADVANCE = 0.03
"""What each row counts that a man has come forward."""

HOME = 0.1
"""What a man on the own first row counts in addition: the opponent gets no king there."""

WORST = 1000.0
"""No lead is as large, in men."""

SCALE = 0.25
"""A man ahead is worth this much, as a share of a win."""


@kernel
def material(position: Checkers) -> float:
    """Returns the lead in material and advance once nobody can jump; a man is 0.25.

    Jumps are forced and soon over, so they are played out, the best for each player
    (quiescence search).
    """
    return SCALE * quiet_value(position)


@kernel
def quiet_value(position: Checkers) -> float:
    """Returns the lead of the player to move, in men, after the jumps that are due."""
    if position.can_jump() == 0:
        own = side_value(position, position.own, position.to_move)
        return own - side_value(position, position.opp, 1 - position.to_move)
    actions, best = scratch(position.num_actions), -WORST
    number = position.write_legal(actions)
    for i in range(number):
        after = position.play(int(actions[i]))
        value = quiet_value(after)
        best = max(best, value if after.to_move == position.to_move else -value)
    return best


def side_value(position: Checkers, pieces: int, player: int) -> float:
    """Returns the value of the pieces of a player, in men."""
    men = pieces & ~position.kings
    half, size = position.size // 2, position.size
    row_bits, rows = (1 << half) - 1, 0
    for row in range(size):
        advance = row if player == 0 else size - 1 - row
        rows += advance * count(men >> row * half + row // 2 & row_bits)
    home = men & (row_bits if player == 0 else row_bits << half * size - 1)
    value = count(men) + KING * count(pieces & position.kings)
    return value + ADVANCE * rows + HOME * count(home)


SEARCH = "alpha_beta(%s, evaluate=checkers.material)"


def progress(position: Checkers) -> float:
    """Returns the share of the pieces that are off the board."""
    men = (position.size // 2) * (position.size // 2 - 1)
    return max(0.0, 1 - count(position.own | position.opp) / (2 * men))


LARGEST_LISTED = 4
"""The size of the largest board of which all positions are listed within seconds."""


def exact_values(start: Checkers) -> ExactValues:
    """Returns the values of moves from a list of all positions; NotGraded for larger boards."""
    from agents.grading.exact_values import listed_values

    if start.size > LARGEST_LISTED:
        raise NotGraded(f"checkers is graded on boards of size {LARGEST_LISTED}, not {start.size}")
    return listed_values(start)


register_knowledge(
    Checkers,
    Knowledge(
        names=("draughts", "dames"),
        evaluations={"material": material},
        default_evaluation="material",
        exact_values=exact_values,
        progress=progress,
        settings=({"size": 6},),
        opponent=lambda start: SEARCH % "nodes=300000",
        analyst=lambda position: SEARCH % "seconds=3",
        strong=lambda start: SEARCH % "seconds=2, table_mb=256",
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=checkers.material)",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300),
            **by_number("depth %d", SEARCH % "depth=%d", 2, 4, 6, 9),
        },
    ),
)
