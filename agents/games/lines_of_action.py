"""Evaluates Lines of Action by concentration, quads and mobility; symmetries and exact values.

The features are those of MIA: M. H. M. Winands, H. J. van den Herik and J. W. H. M. Uiterwijk, An
Evaluation Function for Lines of Action (Advances in Computer Games 10, 2003).
"""

from __future__ import annotations

from adv_envs.bits import count, lowest, repeated, single
from adv_envs.games.lines_of_action import LinesOfAction
from adv_envs.jit import kernel
from adv_envs.position import Wide
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.search.proof_number import WITHOUT_LIMIT, ProofNumber
from agents.symmetries import RECTANGLE, PlayerExchange, board_symmetries, image_of_cell_action

# ---- evaluations

CONCENTRATION = 6.0
"""What it costs that each man is one step further from the centre of mass than it must be."""

QUAD = 0.35
"""What a square of 2 x 2 cells with three or four own men near the centre of mass is worth."""

LINK = 0.35
"""What each pair of neighbours for each man is worth."""

CENTRAL = 0.5
"""What it is worth if every man is one step further from the edge."""

TURN = 0.5
"""What it is worth to be to move."""

SCALE = 0.12
"""What 1 of these is as a share of a win."""


@kernel
def formation(position: LinesOfAction) -> float:
    """Returns how near a player's men are to being one group, compared with the other's.

    By concentration, quads, pairs of neighbours and men away from the edge.
    """
    lead = shape_of(position, position.own) - shape_of(position, position.opp)
    return SCALE * (lead + TURN)


@kernel
def concentration(position: LinesOfAction) -> float:
    """Returns how much nearer own men are to their centre than the other's. Antisymmetric.

    In steps for each man, beyond those that as many men need.
    """
    return spread(position, position.opp) - spread(position, position.own)


@kernel
def mobility(position: LinesOfAction) -> float:
    """Returns the own moves minus the opponent's. Antisymmetric.

    A capture counts twice, a move to the edge half.
    """
    return mobility_of(position) - mobility_of(turned_over(position))


def turned_over(position: LinesOfAction) -> LinesOfAction:
    """Returns the board with the other player to move."""
    return LinesOfAction(
        position.size,
        position.joined_both,
        position.draw_moves,
        position.opp,
        position.own,
        position.quiet,
        1 - position.turn,
    )


def shape_of(position: LinesOfAction, men: Wide) -> float:
    """Returns the worth of where ``men`` of one player stand."""
    n, number = position.size, count(men)
    cells, inner = men, 0
    while cells != 0:
        cell = lowest(cells)
        cells &= cells - 1
        inner += min(cell // n, n - 1 - cell // n, cell % n, n - 1 - cell % n)
    value = (CENTRAL * inner + LINK * links(position, men)) / number
    row, column = centre_of(position, men)
    value -= CONCENTRATION * excess(position, men, row, column) / number
    return value + QUAD * quads_around(position, men, row, column)


def spread(position: LinesOfAction, men: Wide) -> float:
    """Returns the mean distance of ``men`` from their centre, beyond the least for as many."""
    row, column = centre_of(position, men)
    return excess(position, men, row, column) / count(men)


def excess(position: LinesOfAction, men: Wide, row: int, column: int) -> int:
    """Returns the steps from ``men`` to a cell, beyond those of as many men around it."""
    around, steps = max(0, count(men) - 1), 0
    while men != 0:
        cell = lowest(men)
        men &= men - 1
        steps += max(abs(cell // position.size - row), abs(cell % position.size - column))
    return steps - around - max(0, around - 8)  # the first 8 are one step away, others two


def centre_of(position: LinesOfAction, men: Wide) -> tuple[int, int]:
    """Returns the row and the column of the cell at the centre of mass of ``men``."""
    number, rows, columns = count(men), 0, 0
    while men != 0:
        cell = lowest(men)
        men &= men - 1
        rows += cell // position.size
        columns += cell % position.size
    return (2 * rows + number) // (2 * number), (2 * columns + number) // (2 * number)


def quads(position: LinesOfAction, men: Wide) -> int:
    """Returns how many 2 x 2 squares within two steps of the centre have three or four ``men``."""
    row, column = centre_of(position, men)
    return quads_around(position, men, row, column)


def quads_around(position: LinesOfAction, men: Wide, row: int, column: int) -> int:
    """Returns how many 2 x 2 squares within two steps of a cell have three or four ``men``."""
    n = position.size
    first, last = max(0, column - 2), min(n - 1, column + 2)
    top, bottom = max(0, row - 2), min(n - 1, row + 2)
    columns = (single(last + 1, men) - single(first, men)) << n * top
    near = men & repeated(columns, bottom - top + 1, n)
    right = (near & ~repeated(single(0, men), n, n)) >> 1
    below, aslant = near >> n, right >> n
    three = near & right & (below | aslant) | below & aslant & (near | right)
    return count(three)


def links(position: LinesOfAction, men: Wide) -> int:
    """Returns how many pairs of ``men`` are neighbours, in eight directions."""
    n = position.size
    first_column = repeated(single(0, men), n, n)
    right = (men & ~first_column) >> 1
    left = (men & ~(first_column << n - 1)) << 1
    below = men >> n
    return count(men & right) + count(men & below) + count(right & below) + count(left & below)


def mobility_of(position: LinesOfAction) -> float:
    """Returns the moves of the player to move: captures count 2, moves to the edge a half."""
    n, men, total = position.size, position.own, 0.0
    while men != 0:
        cell = lowest(men)
        men &= men - 1
        distances = (
            position.distance(cell, 0),
            position.distance(cell, 1),
            position.distance(cell, 2),
            position.distance(cell, 3),
        )
        for direction in range(8):
            to = position.target(cell, direction, distances[direction % 4])
            if to >= 0:
                at_edge = to < n or to >= n * (n - 1) or to % n == 0 or to % n == n - 1
                value = 2.0 if position.opp >> to & 1 != 0 else 1.0
                total += 0.5 * value if at_edge else value
    return total


@kernel
def towards_the_middle(position: LinesOfAction, action: int) -> float:
    """Returns how many steps nearer to the middle a man comes, and 3 more for a capture."""
    to, n = position.end_of(action), position.size
    if to < 0:
        return 0.0
    nearer = from_middle(action // 8, n) - from_middle(to, n)
    return nearer / 2 + 3.0 * (position.opp >> to & 1 != 0)


def from_middle(cell: int, n: int) -> int:
    """Returns twice the number of steps from a cell to the middle of a board."""
    return max(abs(2 * (cell // n) - n + 1), abs(2 * (cell % n) - n + 1))


# ---- symmetries


def image_action(position: LinesOfAction, action: int, turn: int) -> int:
    """Returns the action with the cell and the direction turned; ``turn`` is as of boards."""
    cell = image_of_cell_action(position, action // 8, turn)
    return 8 * cell + image_direction(action % 8, turn)


def image_direction(direction: int, turn: int) -> int:
    """Returns the direction to which a turn or reflection takes one; 0 is up, 2 to the right."""
    if turn & 4 != 0:
        direction = (14 - direction) % 8  # rows and columns exchanged: up becomes left
    if turn & 2 != 0:
        direction = (12 - direction) % 8  # upside down
    if turn & 1 != 0:
        direction = -direction % 8  # left and right exchanged
    return direction


def table_key(position: LinesOfAction) -> LinesOfAction:
    """Returns the board without the number of quiet plies and without who of the two moves."""
    n, joined_both, draw_moves = position.size, position.joined_both, position.draw_moves
    return LinesOfAction(n, joined_both, draw_moves, position.own, position.opp, 0, 0)


# ---- how the game is graded

LARGEST_LISTED, LARGEST_GRADED = 4, 5
"""The sizes of the largest boards whose positions are solved at once, and in some seconds."""


def exact_values(start: LinesOfAction) -> ExactValues:
    """Returns who wins after each move, on small boards; NotGraded for larger ones."""
    if start.size > LARGEST_GRADED:
        raise NotGraded(
            f"lines_of_action is graded up to size {LARGEST_GRADED}; this is size {start.size}"
        )
    return ExactValues(
        start,
        ProofNumber(nodes=WITHOUT_LIMIT, table_mb=64, evaluate=concentration),
        quick=lambda position: position.size <= LARGEST_LISTED or men_of(position) <= FEW_MEN,
        feasible=lambda position: True,
    )


FEW_MEN = 8
"""On a board of 5 x 5, positions with so many men of both are solved within a second."""


def men_of(position: LinesOfAction) -> int:
    """Returns the number of men on the board."""
    return count(position.own | position.opp)


def progress(position: LinesOfAction) -> float:
    """Returns the share of the men that were captured, of all those that can be."""
    most = 4 * (position.size - 2) - 2
    return min(1.0, max(0.0, 1 - (men_of(position) - 2) / most))


def sample_plies(start: LinesOfAction) -> range | None:
    """Returns the first plies on the smallest board."""
    return range(5) if start.size <= LARGEST_LISTED else None


# ---- what the game is offered with

SEARCH = "alpha_beta(%s, evaluate=lines_of_action.formation)"

register_knowledge(
    LinesOfAction,
    Knowledge(
        names=("loa",),
        evaluations={
            "formation": formation,
            "concentration": concentration,
            "mobility": mobility,
        },
        default_evaluation="formation",
        orders={"towards_the_middle": towards_the_middle},
        order=towards_the_middle,
        symmetries=board_symmetries(LinesOfAction, RECTANGLE, action=image_action),
        exchange=PlayerExchange(lambda position: position._replace(turn=1 - position.turn)),
        table_key=table_key,
        solver=lambda position: ProofNumber if position.size <= LARGEST_LISTED else None,
        exact_values=exact_values,
        progress=progress,
        sample_plies=sample_plies,
        settings=({"size": 5}, {"size": 6}),
        opponent=lambda start: SEARCH % "nodes=200000",
        analyst=lambda position: SEARCH % "seconds=3",
        strong=lambda start: SEARCH % "seconds=3",
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300),
            **by_number("depth %d", SEARCH % "depth=%d", 1, 2, 3, 4),
        },
    ),
)
