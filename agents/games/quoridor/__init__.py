"""Records what is known about Quoridor: shortest paths, playouts along them, and its symmetries.

``wall_layouts`` solves positions in which few walls are left. Sources: L. Glendenning, Mastering
Quoridor (2005); P. J. C. Mertens, A Quoridor-playing agent (2006): both value a position by the
shortest paths of the players.
"""

from __future__ import annotations

from collections.abc import Callable

from adv_envs.bits import count, lowest, single
from adv_envs.games.quoridor import CELL_BITS, LEFT_BITS, Quoridor, spread
from adv_envs.jit import kernel
from adv_envs.position import Wide, counted
from adv_envs.random import advanced, below
from agents.knowledge import (
    ExactValues,
    Knowledge,
    NotGraded,
    SolutionText,
    by_number,
    register_knowledge,
)
from agents.mcts.playouts import AMAF, RANDOM, SCRATCH, STAMP, Played, Values, Workspace
from agents.spec import register
from agents.symmetries import BoardGroup, PlayerExchange, board_symmetries

from .wall_layouts import QuoridorSolver, num_states

__all__ = ["QuoridorSolver"]

# ---- evaluations

WALL = 1.0
"""What a wall in hand is worth, in steps."""

TEMPO = 0.5
"""What it is worth to be on move, in steps."""

RACE = 4.0
"""How much more a step counts once nobody has a wall left."""


@kernel
def paths(position: Quoridor) -> float:
    """Returns the steps that the player to move is ahead of the next one, and walls in hand.

    Steps are those of shortest paths, as if there were no other pawns.
    """
    return lead(position, position.to_move)


@kernel
def lead(position: Quoridor, player: int) -> float:
    """Returns how many steps a player is ahead of the best of the others, and walls in hand."""
    best, others = 1000.0, 0
    for other in range(position.players):
        if other != player:
            steps = position.distance(other) - (TEMPO if other == position.to_move else 0.0)
            best = min(best, steps)
            others += position.walls_of(other)
    steps = position.distance(player) - (TEMPO if player == position.to_move else 0.0)
    walls = position.walls_of(player)
    if others == 0 and walls == 0:
        return RACE * (best - steps)
    return best - steps + WALL * (walls - others / (position.players - 1))


@kernel
def near(position: Quoridor, action: int) -> float:
    """Returns a number for each action: moves of the pawn first, then walls before other pawns."""
    cells, size = position.size * position.size, position.size
    if action < cells:
        return 100.0
    points = (size - 1) * (size - 1)
    place = (action - cells) % points
    row, column, closest = place // (size - 1), place % (size - 1), 100
    for player in range(position.players):
        cell = position.cell_of(player)
        down, across = 2 * (cell // size - row) - 1, 2 * (cell % size - column) - 1
        away = abs(down) + abs(across) + (2 if player == position.to_move else 0)
        closest = min(closest, away)
    return -float(closest)


# ---- playouts

WALLS_IN = 3
"""One move of so many is a wall in playouts, as long as there are any."""


@kernel
def running(position: Quoridor, values: Values, played: Played, workspace: Workspace) -> None:
    """Plays along shortest paths, and now and then puts a wall across that of the next player.

    The arguments are those of ``agents.mcts.playouts``.
    """
    state = int(workspace[RANDOM])
    while not position.is_terminal():
        state = advanced(state)
        action = -1
        if position.walls_of(position.to_move) > 0 and below(state, WALLS_IN) == 0:
            state = advanced(state)
            action = wall_in_the_way(position, state)
        if action < 0:
            state = advanced(state)
            action = step_home(position, state, workspace)
        if AMAF:
            played[position.to_move, action] = workspace[STAMP]
        position = position.play(action)
    workspace[RANDOM] = state
    for player in range(values.shape[0]):
        values[player] = position.utility(player)


def wall_in_the_way(position: Quoridor, state: int) -> int:
    """Returns a random wall across the shortest path of the next player; -1 if it is not legal."""
    down, across = position.path((position.to_move + 1) % position.players)
    flat = (down | down >> 1) & position.open_points(False)
    upright = (across | across >> position.stride) & position.open_points(True)
    number = count(flat)
    if number + count(upright) == 0:
        return -1
    chosen = below(state, number + count(upright))
    is_upright = chosen >= number
    points = upright if is_upright else flat
    for _ in range(chosen - number if is_upright else chosen):
        points &= points - 1
    point, side = lowest(points), position.size - 1
    place = point // position.stride * side + point % position.stride
    action = position.size * position.size + (side * side if is_upright else 0) + place
    return action if position.legal(action) else -1


def step_home(position: Quoridor, state: int, workspace: Workspace) -> int:
    """Returns a random one of the moves of the pawn that lead nearest to the goal.

    Where the pawn cannot move, any legal action.
    """
    targets = position.targets()
    if targets == 0:
        scratch = workspace[SCRATCH:]
        return int(scratch[below(state, position.write_legal(scratch))])
    below_walls, right_walls = position.closed_below(), position.closed_right()
    cells = position.goal(position.to_move)
    found, board = cells & targets, position.all_cells()
    for _ in range(position.size * position.size):
        if found != 0:
            break
        cells = spread(cells, below_walls, right_walls, position.stride) & board
        found = cells & targets
    if found == 0:  # behind walls: no move leads home
        found = targets
    for _ in range(below(state, count(found))):
        found &= found - 1
    bit = lowest(found)
    return bit - bit // position.stride


# ---- symmetries


def num_images(position: Quoridor) -> int:
    """Returns 2, left and right exchanged, for two players; turns would exchange four players."""
    return 2 if position.players == 2 else 1


def image_pawns(position: Quoridor, pawns: int, turn: int) -> int:
    """Returns the cells of all pawns, columns exchanged for turn 1."""
    if turn == 0:
        return pawns
    found, size = 0, position.size
    for player in range(position.players):
        cell = pawns >> CELL_BITS * player & (1 << CELL_BITS) - 1
        found |= cell + size - 1 - 2 * (cell % size) << CELL_BITS * player
    return found


def image_points(position: Quoridor, points: Wide, turn: int) -> Wide:
    """Returns a set of points, columns exchanged for turn 1."""
    if turn == 0:
        return points
    found, left = points & 0, points
    while left != 0:
        point = lowest(left)
        left &= left - 1
        place = point + position.size - 2 - 2 * (point % position.stride)
        found |= single(place, points)
    return found


def image_action(position: Quoridor, action: int, turn: int) -> int:
    """Returns the action with columns exchanged for turn 1."""
    cells, size = position.size * position.size, position.size
    if turn == 0:
        return action
    if action < cells:
        return action + size - 1 - 2 * (action % size)
    return action + size - 2 - 2 * ((action - cells) % (size - 1))


def exchanged(position: Quoridor) -> Quoridor | None:
    """Returns the board turned by 180 degrees, with the players exchanged.

    None with four players, and where the number of plies could matter.
    """
    ply = position.ply ^ 1
    put = position.horizontal.bit_count() + position.vertical.bit_count()
    if position.players != 2 or put > ply or 2 * position.ply > position.last_ply:
        return None
    one, two = (position.size**2 - 1 - position.cell_of(player) for player in (1, 0))
    walls = {
        name: sum(
            1 << (position.size - 2) * (position.stride + 1) - point
            for point in range(position.board_bits)
            if getattr(position, name) >> point & 1
        )
        for name in ("horizontal", "vertical")
    }
    left = position.walls_of(1) | position.walls_of(0) << LEFT_BITS
    pawns = one | two << CELL_BITS
    return position._replace(pawns=pawns, left=left, ply=ply, **walls)  # type: ignore[no-any-return]


def exchanged_action(position: Quoridor, action: int) -> int:
    """Returns the action on the board turned by 180 degrees."""
    cells, points = position.size**2, (position.size - 1) ** 2
    if action < cells:
        return cells - 1 - action
    first = cells if action < cells + points else cells + points
    return 2 * first + points - 1 - action


MIRRORED = board_symmetries(
    Quoridor,
    BoardGroup(num_images),
    {"pawns": image_pawns, "horizontal": image_points, "vertical": image_points},
    image_action,
)

# ---- grading, and what the game is offered with

QUICK_STATES = 4_000_000
"""States in tables that are made in a second."""


def exact_values(start: Quoridor) -> ExactValues:
    """Returns who wins after each move where few walls are left; NotGraded with four players."""
    if start.players != 2:
        raise NotGraded(f"quoridor is graded with two players, not with {start.players}")
    return ExactValues(
        start,
        QuoridorSolver(),
        unit="scores",
        quick=lambda position: num_states(position) <= QUICK_STATES,
        feasible=lambda position: num_states(position) <= 5 * QUICK_STATES,
    )


def progress(position: Quoridor) -> float:
    """Returns how much is left neither of the walls nor of the plies, as shares of all of them."""
    walls = max(1, position.players * position.walls_each)
    left = sum(position.walls_of(player) for player in range(position.players))
    unused = left / walls if position.walls_each > 0 else 1.0
    return 1 - unused * (1 - position.ply / position.last_ply)


def in_words(position: Quoridor, score: float) -> str:
    """Returns the meaning of a score: who wins, and after how many moves of both."""
    if score == 0:
        return "a draw"
    moves = counted(position.last_ply - position.ply + 1 - abs(int(score)), "move")
    return f"a win in {moves}" if score > 0 else f"a loss in {moves}"


def solver(position: Quoridor) -> type[QuoridorSolver] | None:
    """Returns the solver where it takes some seconds at most."""
    few = position.players == 2 and num_states(position) <= 5 * QUICK_STATES
    return QuoridorSolver if few else None


def searching(alpha_beta: str, mcts: str) -> Callable[[Quoridor], str]:
    """Returns what answers the spec of alpha-beta for two players, and that of MCTS for four."""
    return lambda position: (
        (SEARCH if position.players == 2 else "mcts(%s)")
        % (alpha_beta if position.players == 2 else mcts)
    )


SEARCH = "alpha_beta(%s, evaluate=quoridor.paths)"

register("quoridor_solver", QuoridorSolver)
register_knowledge(
    Quoridor,
    Knowledge(
        names=("corridor", "blockade", "wall game"),
        evaluations={"paths": paths},
        default_evaluation="paths",
        orders={"near": near},
        symmetries=MIRRORED,
        exchange=PlayerExchange(exchanged, exchanged_action),
        playout=lambda position: running,
        solver=solver,
        exact_values=exact_values,
        progress=progress,
        settings=({"size": 5}, {"players": 4}),
        opponent=searching("nodes=100000", "simulations=3000"),
        analyst=searching("seconds=3", "seconds=3"),
        strong=searching("seconds=3, table_mb=256", "seconds=3"),
        solution=SolutionText(name="score", in_words=in_words),
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 10, 100),
            "greedy": "greedy(evaluate=quoridor.paths)",
            **by_number("depth %d", SEARCH % "depth=%d", 2, 3),
            "nodes 100000": SEARCH % "nodes=100000",
        },
    ),
)
