"""Evaluates Dots and Boxes by chains; a move order, the symmetries, what margins are solved by.

A box with one open side left can be closed by the player to move. A chain is a row of boxes with
two open sides each, joined by these; a loop is a chain that closes upon itself. To draw in a
chain gives all of it away, but the player who takes it need not take all: by leaving the last two
boxes of a chain of three or more, or the last four of a loop, with one more edge around them, the
other has to open the next one. Source: E. R. Berlekamp, The Dots and Boxes Game (2000).
"""

from __future__ import annotations

from adv_envs.bits import count, lowest, scratch
from adv_envs.games.dots_and_boxes import DotsAndBoxes
from adv_envs.jit import kernel
from agents.knowledge import Knowledge, Margins, SolutionText, by_number, register_knowledge
from agents.search.perfect import MarginSolver, exact_margins, margin_in_words
from agents.symmetries import BoardGroup, PlayerExchange, board_symmetries, moved

QUICK = 20
"""Edges left up to which all moves are solved in a second at most."""

FEASIBLE = 24
"""Edges left up to which all moves are solved in some seconds: 3 x 3 boxes."""

QUIET = 0.1
"""What it is worth, for each box that is left, that the opponent will have to open the first chain;
as far as the number of quiet edges tells."""

MAX_BOXES = 30
"""No board has more: 5 x 6 would have 71 edges, and 2 x 11 has 22 boxes."""


# ---- an evaluation


@kernel
def chains(position: DotsAndBoxes) -> float:
    """Returns the lead in boxes that play in chains will lead to, as a share of all boxes.

    The player to move takes what can be closed, all of it or all but what keeps control. Then
    chains are opened one by one, the shortest first. While there are quiet edges, which give away
    nothing, only their number counts: the player who drew the last one has the other open a chain.
    """
    lead = count(position.first) - count(position.second)
    if position.to_move == 1:
        lead = -lead
    edges, taken = all_taken(position, position.edges)
    value = value_of_quiet(position, edges)
    value = max(taken + value, taken - 4.0 - value) if taken > 2 else taken + value
    return (lead + value) / (position.rows * position.columns)


def all_taken(position: DotsAndBoxes, edges: int) -> tuple[int, int]:
    """Returns (the edges after every box that can be closed has been, how many these are)."""
    taken, again = 0, True
    while again:
        again = False
        for box in range(position.rows * position.columns):
            open_sides = position.sides(box) & ~edges
            if open_sides != 0 and open_sides & (open_sides - 1) == 0:
                edges |= open_sides
                one, two = position.boxes_beside(lowest(open_sides))
                taken += num_open(position, edges, one) == 0
                taken += num_open(position, edges, two) == 0
                again = True
    return edges, taken


def num_open(position: DotsAndBoxes, edges: int, box: int) -> int:
    """Returns how many sides of a box are not drawn; 4 for -1, the outside."""
    return 4 if box < 0 else count(position.sides(box) & ~edges)


def value_of_quiet(position: DotsAndBoxes, edges: int) -> float:
    """Returns what the player to move will gain where no box can be closed."""
    quiet, open_boxes = 0, 0
    for edge in range(position.num_actions):
        if edges >> edge & 1 == 0:
            one, two = position.boxes_beside(edge)
            quiet += num_open(position, edges, one) > 2 and num_open(position, edges, two) > 2
    if quiet == 0:
        return value_of_chains(position, edges)
    for box in range(position.rows * position.columns):
        open_boxes += edges & position.sides(box) != position.sides(box)
    return QUIET * open_boxes if quiet & 1 != 0 else -QUIET * open_boxes


def value_of_chains(position: DotsAndBoxes, edges: int) -> float:
    """Returns what a player gains who has to open the first of the chains and loops."""
    lengths = scratch(2 * MAX_BOXES + 2)  # of chains; from MAX_BOXES + 1 on, of loops
    for i in range(2 * MAX_BOXES + 2):
        lengths[i] = 0
    seen = 0
    for box in range(position.rows * position.columns):
        if seen >> box & 1 == 0 and num_open(position, edges, box) == 2:
            chain, links = chain_of(position, edges, box)
            length = count(chain)
            lengths[length + (MAX_BOXES + 1 if links == 2 * length else 0)] += 1
            seen |= chain
    value = 0  # for the player who has to open the next one
    for length in range(MAX_BOXES, 0, -1):
        for _ in range(lengths[MAX_BOXES + 1 + length]):
            value = -max(length + value, length - 8 - value)
        for _ in range(lengths[length]):
            value = -max(length + value, length - 4 - value) if length > 2 else -length - value
    return float(value)


def chain_of(position: DotsAndBoxes, edges: int, box: int) -> tuple[int, int]:
    """Returns (the boxes of the chain through ``box``, the sum of their links to each other)."""
    chain, todo, links = 1 << box, 1 << box, 0
    while todo != 0:
        here = lowest(todo)
        todo &= todo - 1
        open_sides = position.sides(here) & ~edges
        while open_sides != 0:
            one, two = position.boxes_beside(lowest(open_sides))
            open_sides &= open_sides - 1
            other = two if one == here else one
            if num_open(position, edges, other) == 2:
                links += 1
                todo |= 1 << other & ~chain
                chain |= 1 << other
    return chain, links


# ---- the order of moves


@kernel
def closing(position: DotsAndBoxes, action: int) -> float:
    """Returns 2 for each box that an edge closes, 0 for a quiet one, -1 for giving away a box."""
    one, two = position.boxes_beside(action)
    least = min(num_open(position, position.edges, one), num_open(position, position.edges, two))
    return 2.0 if least == 1 else -1.0 if least == 2 else 0.0


# ---- symmetries: of a rectangle, and of a square, which can be turned as well


def num_images(position: DotsAndBoxes) -> int:
    """Returns 4 for a rectangle, 8 for a square."""
    return 8 if position.rows == position.columns else 4


def image_edges(position: DotsAndBoxes, edges: int, turn: int) -> int:
    """Returns the set of edges to which ``edges`` are taken."""
    found = 0
    while edges != 0:
        found |= 1 << image_action(position, lowest(edges), turn)
        edges &= edges - 1
    return found


def image_boxes(position: DotsAndBoxes, boxes: int, turn: int) -> int:
    """Returns the set of boxes to which ``boxes`` are taken."""
    found, rows, columns = 0, position.rows, position.columns
    while boxes != 0:
        box = lowest(boxes)
        boxes &= boxes - 1
        place = moved(box // columns, box % columns, rows, columns, turn)
        found |= 1 << place[0] * columns + place[1]
    return found


def image_action(position: DotsAndBoxes, action: int, turn: int) -> int:
    """Returns the edge to which that of ``action`` is taken."""
    across = action >= position.num_horizontal
    if across:
        action -= position.num_horizontal
    columns = position.columns + 1 if across else position.columns
    row, column = action // columns, action % columns
    across ^= turn & 4 != 0
    rows = position.rows + (0 if across else 1)
    columns = position.columns + (1 if across else 0)
    place = moved(row, column, rows, columns, turn)
    return (position.num_horizontal if across else 0) + place[0] * columns + place[1]


def exchanged(position: DotsAndBoxes) -> DotsAndBoxes:
    """Returns the position in which each player has the boxes of the other."""
    boxes = {"first": position.second, "second": position.first}
    return position._replace(**boxes, to_move=1 - position.to_move)  # type: ignore[no-any-return]


TURNED = board_symmetries(
    DotsAndBoxes,
    BoardGroup(num_images),
    {"edges": image_edges, "first": image_boxes, "second": image_boxes},
    image_action,
)

# ---- for the solver of margins


def ahead(position: DotsAndBoxes) -> int:
    """Returns how many more boxes the player to move owns."""
    lead = count(position.first) - count(position.second)
    return lead if position.to_move == 0 else -lead


def left(position: DotsAndBoxes) -> int:
    """Returns how many boxes are not closed."""
    return position.rows * position.columns - count(position.first | position.second)


def rest(position: DotsAndBoxes) -> DotsAndBoxes:
    """Returns the same edges with player 0 to move, to whom all closed boxes belong."""
    rows, columns, margin = position.rows, position.columns, position.margin
    closed = position.first | position.second
    return DotsAndBoxes(rows, columns, margin, position.edges, closed, 0, 0)


def next_action(position: DotsAndBoxes, first: int, tried: int) -> int:
    """Returns ``first``, edges that close a box, quiet ones, those that give boxes away.

    An edge that closes a box and leaves no other one with one open side is drawn at once, and
    nothing else tried: it takes what the opponent would take, and neither gains nor loses a move.
    """
    found, best = -1, -10.0
    for action in range(position.num_actions):
        if position.legal(action):
            one, two = position.boxes_beside(action)
            some = num_open(position, position.edges, one)
            others = num_open(position, position.edges, two)
            if min(some, others) == 1 and max(some, others) != 2:
                return action if tried == 0 else -1
            if tried >> action & 1 == 0:
                least = min(some, others)
                score = 3.0 if action == first else 2.0 if least == 1 else 1.0 if least > 2 else 0.0
                if score > best:
                    found, best = action, score
    return found


# ---- grading, and what the game is offered with


def edges_left(position: DotsAndBoxes) -> int:
    """Returns how many edges are not drawn."""
    return position.num_actions - count(position.edges)


SEARCH = "alpha_beta(%s, evaluate=dots_and_boxes.chains, order=dots_and_boxes.closing)"


def opponent(start: DotsAndBoxes) -> str:
    """Returns the solver for small boards, else alpha-beta with chains."""
    return "margin_solver()" if edges_left(start) <= QUICK else SEARCH % "nodes=200000"


def strong(start: DotsAndBoxes) -> str:
    """Returns the solver for small boards, else alpha-beta with chains for two seconds a move."""
    small = start.num_actions <= FEASIBLE
    return "margin_solver()" if small else SEARCH % "seconds=2, table_mb=256"


def analyst(position: DotsAndBoxes) -> str:
    """Returns the solver where it is quick, otherwise alpha-beta for some seconds."""
    return "margin_solver()" if edges_left(position) <= QUICK else SEARCH % "seconds=3"


register_knowledge(
    DotsAndBoxes,
    Knowledge(
        names=("paddocks", "boxes", "squares"),
        evaluations={"chains": chains},
        default_evaluation="chains",
        orders={"closing": closing},
        symmetries=TURNED,
        exchange=PlayerExchange(exchanged),
        margins=Margins(ahead, left, rest, next_action),
        solver=lambda position: MarginSolver,
        exact_values=lambda start: exact_margins(start, edges_left, QUICK, FEASIBLE),
        progress=lambda position: position.ply / position.num_actions,
        sample_plies=lambda start: range(max(0, start.num_actions - QUICK), start.num_actions - 1),
        settings=(*({"rows": size, "columns": size} for size in (2, 4, 5)),),
        opponent=opponent,
        analyst=analyst,
        solution=SolutionText(name="margin", in_words=margin_in_words),
        strong=strong,
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 10, 30, 100, 300, 1000),
            "chains": "greedy(evaluate=dots_and_boxes.chains)",
            "depth 2": SEARCH % "depth=2",
            "nodes 3000": SEARCH % "nodes=3000",
        },
    ),
)
