"""Evaluates Go; its playouts, and how it is written in the Go text protocol.

Evaluations are antisymmetric but for komi: with the other player to move the same stones have the
opposite value.

Positions have no symmetries here: the keys of the boards before, which superko forbids, do not tell
which board they are of, so a position cannot be turned with its history.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import count, lowest, single
from adv_envs.games.go import Go, captured, enclosed, neighbours, reached
from adv_envs.jit import inlined, kernel
from adv_envs.random import advanced, below
from agents.dialects import GtpGame
from agents.knowledge import ExactValues, Knowledge, NotGraded, register_knowledge
from agents.mcts.playouts import AMAF, RANDOM, SCRATCH, STAMP, Workspace

# ---- playouts that fill no eyes: random moves until both players can only fill their own
#
# An eye is an empty cell all of whose neighbours are own stones, with at most one of its diagonal
# cells, at the edge none, in the hands of the opponent. Without this rule random games do not end,
# and living groups die. A move may not take back a single stone at once; longer cycles end with the
# playout, after three plies for each cell. Sources: B. Bruegmann, Monte Carlo Go, 1993; S. Gelly et
# al., Modification of UCT with Patterns in Monte-Carlo Go, 2006.

Numbers = NDArray[np.int64]

ATARI = True
"""Whether a stone is answered that can be captured, or that threatens to capture."""


@kernel
def sparing_eyes(
    position: Go, values: NDArray[np.float64], played: Numbers, workspace: Numbers
) -> None:
    """Plays random moves, each one as likely as the others that fill no own eye.

    The empty cells are listed in the workspace behind SCRATCH.
    """
    own, opp, free, stride = position.own, position.opp, position.free, position.size + 1
    banned, last, to_move, passes = own & 0, own & 0, position.to_move, position.passes
    number, plies = added(free, 0, workspace), 3 * position.num_actions
    while passes < position.passes_to_end and plies > 0:
        urgent = answer(own, opp, free, last, stride) & ~banned if ATARI else banned & 0
        if urgent != 0:
            cell = lowest(urgent)
            taken = captured(urgent, opp, free ^ urgent, stride)
            take_out(cell, number, workspace)
        else:
            cell, taken = drawn(own, opp, free, banned, stride, number, workspace)
        last = own & 0
        if cell >= 0:
            stone = single(cell, own)
            last = stone
            own, opp, free = own | stone, opp ^ taken, free ^ stone | taken
            banned = taken if is_ko(stone, taken, own | free, stride) else taken & 0
            number, passes = added(taken, number - 1, workspace), -1
        if AMAF:
            action = cell - cell // stride if cell >= 0 else position.num_stone_actions
            played[to_move, action] = workspace[STAMP]
        own, opp, to_move, passes, plies = opp, own, 1 - to_move, passes + 1, plies - 1
    lead = count(reached(own, free, stride) & ~reached(opp, free, stride))
    lead -= count(reached(opp, free, stride) & ~reached(own, free, stride))
    points = (lead if to_move == 0 else -lead) - position.komi
    values[0] = 1.0 if points > 0 else -1.0 if points < 0 else 0.0
    values[1] = 0.0 - values[0]


@inlined
def answer(own: int, opp: int, free: int, last: int, stride: int) -> int:
    """Returns the cell that answers the ``last`` stone of the opponent; the empty set for none.

    It captures the group of that stone, if that has one liberty; or it saves an own group beside
    it with one liberty, which by this move has two.
    """
    liberty = last_liberty(last, opp, free, stride)
    if liberty != 0:
        return liberty
    left = neighbours(last, stride) & own
    while left != 0:
        stone = single(lowest(left), own)
        left &= ~stone
        liberty = last_liberty(stone, own, free, stride)
        if liberty != 0:
            saved = reached(liberty, own | liberty, stride)
            if count(neighbours(saved, stride) & free & ~liberty) >= 2:
                return liberty
    return last & 0


def last_liberty(stone: int, stones: int, free: int, stride: int) -> int:
    """Returns the liberty of the group of ``stones`` with this one if it has one, else nothing."""
    group = stone
    while True:
        beside = neighbours(group, stride)
        liberties = beside & free
        if count(liberties) > 1:
            return stone & 0
        grown = group | beside & stones
        if grown == group:
            return liberties
        group = grown


@inlined
def take_out(cell: int, number: int, workspace: Numbers) -> None:
    """Takes a cell out of the list of ``number`` cells."""
    at = SCRATCH
    while workspace[at] != cell:
        at += 1
    workspace[at] = workspace[SCRATCH + number - 1]


@inlined
def added(cells: int, number: int, workspace: Numbers) -> int:
    """Lists ``cells`` behind the ``number`` cells in the list; returns how many there are now."""
    while cells != 0:
        workspace[SCRATCH + number] = lowest(cells)
        cells &= cells - 1
        number += 1
    return number


@inlined
def drawn(
    own: int, opp: int, free: int, banned: int, stride: int, number: int, workspace: Numbers
) -> tuple[int, int]:
    """Takes a random cell from the list where a stone may be set, with what that captures.

    Returns -1 for the cell if there is none.
    """
    state, cells, untried = int(workspace[RANDOM]), own | opp | free, number
    chosen, taken = -1, own & 0
    while untried > 0 and chosen < 0:
        state = advanced(state)
        at, untried = SCRATCH + below(state, untried), untried - 1
        cell = int(workspace[at])
        stone, last = single(cell, own), SCRATCH + untried
        workspace[at] = workspace[last]
        workspace[last] = cell
        beside = neighbours(stone, stride) & cells
        if stone & banned == 0 and (beside & ~own != 0 or not is_eye(stone, opp, cells, stride)):
            taken = captured(stone, opp, free ^ stone, stride)
            alive = beside & free != 0 or taken != 0
            if alive or enclosed(stone, own | stone, free ^ stone, stride) == 0:
                chosen = cell
                workspace[last] = workspace[SCRATCH + number - 1]
    workspace[RANDOM] = state
    return chosen, taken


def is_eye(cell: int, opp: int, cells: int, stride: int) -> bool:
    """Returns whether an empty cell, beside which are own stones only, is an eye."""
    sides = cell << 1 | cell >> 1
    corners = sides << stride | sides >> stride
    enemies = count(corners & opp)
    return enemies == 0 or (enemies == 1 and count(corners & cells) == 4)


def is_ko(stone: int, taken: int, not_opp: int, stride: int) -> bool:
    """Returns whether taking back the only stone that was ``taken`` would take this one alone."""
    return count(taken) == 1 and neighbours(stone, stride) & not_opp == taken


# ---- evaluations and an order of moves


@kernel
def area(position: Go) -> float:
    """Returns the lead of the player to move if the game ended here, as a share of the board."""
    lead = position.lead() if position.to_move == 0 else 0.0 - position.lead()
    return lead / (position.size * position.size)


@kernel
def nearest(position: Go) -> float:
    """Returns the lead if every empty cell belonged to the player of the nearest stone.

    Both players' stones grow by a step at a time until they meet; cells that both reach at once are
    nobody's. As a share of the board, komi included.
    """
    own, opp, free, stride = position.own, position.opp, position.free, position.size + 1
    while True:
        more, other = neighbours(own, stride) & free, neighbours(opp, stride) & free
        if more | other == 0:
            break
        own, opp, free = own | more & ~other, opp | other & ~more, free & ~(more | other)
    komi = position.komi if position.to_move == 1 else 0.0 - position.komi
    return (count(own) - count(opp) + komi) / (position.size * position.size)


@kernel
def centre(position: Go, action: int) -> float:
    """Returns minus the distance to the middle of the board; the pass comes last."""
    if action == position.num_stone_actions:
        return -2.0 * position.size
    row, column = action // position.size, action % position.size
    return -(abs(2 * row - position.size + 1) + abs(2 * column - position.size + 1)) / 2


__all__ = ["area", "centre", "nearest", "sparing_eyes"]


@kernel
def winning_pass(position: Go, workspace: Workspace) -> int:
    """Returns the pass if it ends the game and wins; -1 otherwise: no other move ends a game."""
    if position.passes + 1 < position.passes_to_end:
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


def resumed(position: Go) -> Go:
    """Returns the position in which players go on after passes: one more ends the game again."""
    two = position.passes_to_end
    found: Go = position.extended()._replace(passes=two - 1, passes_to_end=two)
    return found


def most_handicap(start: Go) -> int:
    """Returns the largest fixed handicap of GTP 2: nine stones, on small or even boards four."""
    return 0 if start.size < 7 else 4 if start.size % 2 == 0 or start.size == 7 else 9


def fixed_handicap(start: Go, count: int) -> Sequence[int]:
    """Returns the cells of the fixed handicap of GTP 2."""
    size = start.size
    low = 3 if size >= 12 else 2
    high, middle = size - 1 - low, size // 2
    corners = [(high, low), (low, high), (low, low), (high, high)]  # row from the top, column
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    cells = corners[:count] if count < 5 else corners + sides[: count - 4 - count % 2]
    if count >= 5 and count % 2:
        cells.append((middle, middle))
    return [row * size + column for row, column in cells]


def with_handicap(start: Go, actions: Collection[int]) -> Go:
    """Returns the start with these black stones and White to move."""
    stones = sum(1 << start.entry(action) for action in set(actions))
    return start.with_stones(stones, 0, len(set(actions)) // 2 * 2 + 1)


def groups(position: Go) -> Sequence[Sequence[int]]:
    """Returns the cells of each group of stones, as actions: with area scoring all are alive."""
    found = []
    for player in (0, 1):
        left = position.stones(player)
        while left:
            group = reached(left & -left, left, position.size + 1)
            left ^= group
            found.append([a for a in range(position.size**2) if group >> position.entry(a) & 1])
    return found


def score(position: Go) -> str:
    """Returns the winner and the lead: "B+3.5"; "0" for a draw."""
    lead = position.lead()
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def with_komi(start: Go, komi: float) -> Go:
    """Returns the start with another komi."""
    return Go(**{**dict(zip(start._fields, start, strict=True)), "komi": komi})


GTP = GtpGame(
    name="Go",
    settings=settings,
    set_up=set_up,
    turned=turned,
    resumed=resumed,
    fixed_handicap=fixed_handicap,
    most_handicap=most_handicap,
    with_handicap=with_handicap,
    groups=groups,
    score=score,
    with_komi=with_komi,
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
        names=("weiqi", "baduk", "igo"),
        evaluations={"area": area, "nearest": nearest},
        default_evaluation="nearest",
        orders={"centre": centre},
        order=centre,
        playout=lambda position: sparing_eyes,
        winning_move=lambda position: winning_pass,
        grave=50,  # wins 19 of 20 games on 9 x 9 against none, 800 simulations each
        exact_values=exact_values,
        progress=lambda position: min(position.ply / position.size**2, 1.0),
        settings=(*({"size": size} for size in (5, 7, 13, 19)),),
        opponent=lambda start: "mcts(simulations=5000)",
        analyst=lambda position: "mcts(seconds=3)",
        strong=strong,
        rungs=RUNGS,
        gtp=GTP,
    ),
)
