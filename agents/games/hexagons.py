"""Knows games of connection on hexagons: playouts by groups, how much is missing, symmetries.

A game says which goals a cell belongs to, such as sides, and what a chain needs of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adv_envs.bits import count, lowest, num_words, pack, single
from adv_envs.games.hexagons import ShapedBoard
from adv_envs.jit import kernel
from adv_envs.position import Wide
from adv_envs.random import advanced, below
from agents.agent import SearchAgent
from agents.knowledge import ExactValues, NotGraded
from agents.mcts.playouts import AMAF, RANDOM, SCRATCH, STAMP, Played, Values, Workspace

# ---- how many stones a player needs

Goals = tuple[Wide, Wide, Wide, Wide, Wide, Wide]
"""Six sets of cells, some of them perhaps empty: corners or sides."""
Counters = tuple[Wide, Wide, Wide, Wide, Wide, Wide, Wide]
"""A number below 128 for every cell: the first set has the bits 0, the next the bits 1, ..."""


def needed(position: Any, player: int, goals: Goals, wanted: int) -> tuple[int, Wide]:
    """Returns the least number of stones with which ``player`` has a chain to ``wanted`` goals.

    If the opponent passes all the time, that is; and the cells where the ways to the goals can
    meet. The number of all cells and the empty set if there is no such chain any more.

    The distance of a cell to a goal is the number of stones to set, one on the cell itself if it is
    empty. The sum of the distances to the nearest goals is counted in steps: in each one, all cells
    that are not yet within reach of one goal, of two and of three get a point.
    """
    own = position.stones(player)
    empty = position.board() & ~(position.own | position.opp)
    none = own & 0
    sums = none, none, none, none, none, none, none
    a, b, c, d, e, f = goals
    reached = (
        position.spread(a & own, own, none), position.spread(b & own, own, none),
        position.spread(c & own, own, none), position.spread(d & own, own, none),
        position.spread(e & own, own, none), position.spread(f & own, own, none),
    )  # fmt: skip
    while True:
        once, twice, thrice = within_reach(reached)
        enough = thrice if wanted == 3 else twice
        sums = increment(increment(sums, ~once), ~twice)
        if wanted == 3:
            sums = increment(sums, ~thrice)
        farther = (
            one_farther(position, own, empty, a, reached[0]),
            one_farther(position, own, empty, b, reached[1]),
            one_farther(position, own, empty, c, reached[2]),
            one_farther(position, own, empty, d, reached[3]),
            one_farther(position, own, empty, e, reached[4]),
            one_farther(position, own, empty, f, reached[5]),
        )
        if farther == reached:
            break
        reached = farther
    most = int(position.num_stone_actions)
    return least(sums, enough & own, enough & empty, wanted, most)


def within_reach(reached: Goals) -> tuple[Wide, Wide, Wide]:
    """Returns the cells in one or more of the sets, in two or more, and in three or more."""
    once, twice, thrice = reached[0], reached[0] & 0, reached[0] & 0
    for i in range(1, 6):
        thrice |= twice & reached[i]
        twice |= once & reached[i]
        once |= reached[i]
    return once, twice, thrice


def one_farther(position: ShapedBoard, own: Wide, empty: Wide, goal: Wide, reached: Wide) -> Wide:
    """Returns ``reached`` with the cells that are one stone farther from the goal."""
    new = (position.neighbours(reached) | goal) & empty & ~reached
    reached |= new
    return position.spread(position.neighbours(new) & own & ~reached, own, reached)


def increment(sums: Counters, cells: Wide) -> Counters:
    """Adds 1 to the number of each of ``cells``: one carry into each set."""
    a, b, c, d, e, f, g = sums
    to_b = cells & a
    to_c = to_b & b
    to_d = to_c & c
    to_e = to_d & d
    to_f = to_e & e
    return a ^ cells, b ^ to_b, c ^ to_c, d ^ to_d, e ^ to_e, f ^ to_f, g ^ to_f & f


def least(sums: Counters, own: Wide, empty: Wide, wanted: int, most: int) -> tuple[int, Wide]:
    """Returns the least sum and its cells; the stone on an empty cell is counted once only."""
    if own | empty == 0:
        return most, own
    with_stone, stones = smallest_of(sums, own, most)
    without, cells = smallest_of(sums, empty, most)
    without -= wanted - 1
    if without < with_stone:
        return without, cells
    return with_stone, stones if with_stone < without else stones | cells


def smallest_of(sums: Counters, cells: Wide, most: int) -> tuple[int, Wide]:
    """Returns the smallest number of ``cells``, and those that have it; ``most`` if none."""
    if cells == 0:
        return most, cells
    smallest, bit = 0, 64
    for plane in sums[::-1]:  # from the most significant bit: keep those without it, if any
        if cells & ~plane != 0:
            cells &= ~plane
        else:
            smallest += bit
        bit >>= 1
    return smallest, cells


# ---- sure wins


def winning_stones(position: Any, stones: Wide) -> Wide:
    """Returns the empty cells with which the player who has ``stones`` wins; bound by the game."""
    return stones & 0


@kernel
def decided(position: ShapedBoard) -> int:
    """Returns 1 if the player to move can win at once, -1 if the opponent can in two ways."""
    if winning_stones(position, position.own) != 0:
        return 1
    return -1 if count(winning_stones(position, position.opp)) > 1 else 0


@kernel
def winning_action(position: ShapedBoard, workspace: Workspace) -> int:
    """Returns an action that wins at once; -1 if there is none."""
    cells = winning_stones(position, position.own)
    return action_at(position, lowest(cells)) if cells != 0 else -1


# ---- playouts

ROW_STEP = 1, 1, 0, -1, -1, 0
COLUMN_STEP = -1, 0, 1, 1, 0, -1
"""The steps to the neighbours of a cell, in a circle: each touches the next."""

EMPTY, OUTSIDE = 2, 3
"""What a place of the padded board has instead of a player's stone."""
RING = 1 << 12
"""Added to the goals of a chain that has become a ring."""

LEANS, RINGS, SIDES = 1, False, True
"""Bound by the game: -1 where rows lie half a cell further to the left; whether rings count;
whether a stone and the side of the board form a bridge as well."""


def goals_of(position: Any, row: int, column: int) -> int:
    """Returns the goals that a cell belongs to, a bit for each; bound by the game."""
    return 0


def completed(goals: int) -> bool:
    """Returns whether a chain with these goals wins; bound by the game."""
    return False


@kernel
def by_groups(position: ShapedBoard, values: Values, played: Played, workspace: Workspace) -> None:
    """Plays random moves to the end, except that broken bridges are mended at once.

    Two stones of a player with two empty cells between them that touch both form a bridge: if the
    opponent takes one of the cells, the player takes the other. Chains are kept in a forest: each
    stone has a parent, and the root of a chain the goals of all its stones. So a move takes the
    same short time on boards of all sizes. The pie rule is not used in playouts. The arguments are
    those of ``agents.mcts.playouts``.
    """
    side, player = position.width + 2, position.to_move
    cells = SCRATCH + num_words(position)  # what each place has, its goals and its action
    parents = cells + side * (position.height + 2)
    undrawn = parents + side * (position.height + 2)  # the list of empty cells
    left = unpack_stones(position, side, cells, parents, undrawn, workspace)
    state, last, winner = int(workspace[RANDOM]), -1, -1
    filled, number = 0, left
    while filled < number:
        cell = broken_bridge(last, side, player, cells, workspace) if last >= 0 else -1
        while cell < 0:
            state = advanced(state)
            at = undrawn + below(state, left)
            left -= 1
            drawn, workspace[at] = int(workspace[at]), workspace[undrawn + left]
            if workspace[cells + drawn] & 3 == EMPTY:
                cell = drawn
        filled += 1
        workspace[cells + cell] += player - EMPTY
        if AMAF:
            played[player, workspace[cells + cell] >> 32] = workspace[STAMP]
        if completed(joined_goals(cell, side, player, cells, parents, workspace)):
            winner = player
            break
        last, player = cell, 1 - player
    workspace[RANDOM] = state
    values[0] = 0.0 if winner < 0 else 1.0 - 2 * winner
    values[1] = -values[0]


def unpack_stones(
    position: Any, side: int, cells: int, parents: int, undrawn: int, workspace: Workspace
) -> int:
    """Writes the board with a rim around it, its chains and the list of empty cells.

    Returns how many cells are empty. ``cells``, ``parents`` and ``undrawn`` are indices into
    ``workspace``, see ``by_groups``.
    """
    player, words, left, action = position.to_move, (position.board_bits + 63) // 64, 0, 0
    pack(position, workspace[SCRATCH:])
    for place in range(cells, parents):
        workspace[place] = OUTSIDE
    for row in range(position.height):
        begin = position.begin(row)
        for column in range(begin, begin + position.above(row + 1) - position.above(row)):
            bit, cell = position.bit(row, column), (row + 1) * side + column + 1
            word, by = SCRATCH + (bit >> 6), bit & 63
            own, opp = int(workspace[word]) >> by & 1, int(workspace[word + words]) >> by & 1
            owner = player if own else 1 - player if opp else EMPTY
            goals = goals_of(position, row, column)
            workspace[cells + cell] = owner | goals << 2 | action << 32
            workspace[parents + cell] = cell
            workspace[undrawn + left] = cell
            left += 1 - own - opp
            action += 1
            if owner != EMPTY:  # chains of stones that were written before
                joined_goals(cell, side, owner, cells, parents, workspace)
    return left


def joined_goals(
    cell: int, side: int, player: int, cells: int, parents: int, workspace: Workspace
) -> int:
    """Joins the stone on ``cell`` to the chains beside it; returns the goals of the whole chain.

    Neighbours of the same colour in an arc around the stone belong to one chain, so the first of
    each arc stands for it. Two arcs of one chain make a ring.
    """
    around = around_of(cell, side, player, cells, workspace)
    root, goals = cell, int(workspace[cells + cell]) >> 2 & 4 * RING - 1
    first = around & ~(around << 1 | around >> 5)
    while first != 0:
        i = lowest(first)
        first &= first - 1
        other = root_of(beside(cell, i, side), parents, workspace)
        if other == root:
            goals |= RING
        else:
            goals |= int(workspace[cells + other]) >> 2 & 4 * RING - 1
            if root == cell:
                workspace[parents + cell], root = other, other
            else:
                workspace[parents + other] = root
    if RINGS and around & (around << 1 | around >> 5) & (around << 2 | around >> 4) != 0:
        for i in range(6):
            near = beside(cell, i, side)
            if around >> i & 1 and around_of(near, side, player, cells, workspace) == 63:
                goals |= RING
    workspace[cells + root] |= goals << 2
    return goals


def beside(cell: int, i: int, side: int) -> int:
    """Returns the i-th neighbour of a place of the padded board."""
    return cell + ROW_STEP[i] * side + LEANS * COLUMN_STEP[i]


def root_of(cell: int, parents: int, workspace: Workspace) -> int:
    """Returns the root of the chain of a stone, and shortens the way there."""
    parent = int(workspace[parents + cell])
    while parent != cell:
        workspace[parents + cell] = workspace[parents + parent]
        cell = parent
        parent = int(workspace[parents + cell])
    return cell


def around_of(cell: int, side: int, player: int, cells: int, workspace: Workspace) -> int:
    """Returns which of the six neighbours of a place are of ``player``: bits in a circle."""
    own = 0
    for i in range(6):
        own |= (int(workspace[cells + beside(cell, i, side)]) & 3 == player) << i
    return own


def broken_bridge(last: int, side: int, player: int, cells: int, workspace: Workspace) -> int:
    """Returns the cell that mends a bridge of ``player`` broken by the stone on ``last``, or -1."""
    own = empty = 0
    for i in range(6):
        owner = int(workspace[cells + beside(last, i, side)]) & 3
        own |= (owner == player or (SIDES and owner == OUTSIDE)) << i
        empty |= (owner == EMPTY) << i
    found = empty & (own << 1 | own >> 5) & (own >> 1 | own << 5)
    return beside(last, lowest(found), side) if found != 0 else -1


# ---- symmetries


def num_images(position: Any) -> int:
    """Returns how many turns and reflections the board has."""
    return 2 * int(position.turns)


def image_cells(position: Any, cells: Wide, i: int) -> Wide:
    """Returns the set of cells to which the i-th turn or reflection takes ``cells``."""
    if i == 0:
        return cells
    found, first, stride = cells & 0, position.bit(0, 0), position.width + 1
    while cells != 0:
        cell = lowest(cells) - first
        cells &= cells - 1
        place = position.image_place(cell // stride, cell % stride, i)
        found |= single(position.bit(place[0], place[1]), cells)
    return found


def image_action(position: Any, action: int, i: int) -> int:
    """Returns the action of the cell to which that of ``action`` is taken; the swap stays."""
    if action == position.num_stone_actions:
        return action
    row = position.row_of(action)
    column = position.begin(row) + action - position.above(row)
    place = position.image_place(row, column, i)
    return int(position.above(place[0]) + place[1] - position.begin(place[0]))


def inverse_image(position: Any, i: int) -> int:
    """Returns the number of the turn back; a reflection is its own."""
    turns = position.turns
    return int((turns - i) % turns if i < turns else i)


def kinds_of(turns: int) -> tuple[str, ...]:
    """Returns what the images of a board are called, by the number of its turns."""
    return ("same", *["rotated"] * (turns - 1), *["mirrored"] * turns)


def exchanged(position: Any) -> Any:
    """Returns the position with the stones of each player those of the other, who is to move.

    None where the pie rule is not decided yet.
    """
    number = position.own.bit_count() + position.opp.bit_count()
    ply = position.ply + (1 if position.ply == number else -1)
    if position.swap and min(ply, position.ply) < 2:
        return None
    return position.with_stones(position.stones(1), position.stones(0), ply)


# ---- moves


@kernel
def centre(position: ShapedBoard, action: int) -> float:
    """Returns the number of steps to the nearest border cell; more than that for the swap."""
    if action == position.num_stone_actions:
        return float(position.width)
    cell, steps = single(position.entry(action), position.own), 0
    board = position.board()
    while cell & ~board == 0:
        cell |= position.neighbours(cell)
        steps += 1
    return float(steps)


def action_at(position: Any, cell: int) -> int:
    """Returns the action of the cell with this bit."""
    cell -= position.bit(0, 0)
    row = cell // (position.width + 1)
    column = cell - row * (position.width + 1)
    return int(position.above(row) + column - position.begin(row))


def num_empty(position: Any) -> int:
    """Counts the cells without a stone."""
    return int(position.num_stone_actions) - count(position.own | position.opp)


def progress(position: Any) -> float:
    """Returns the share of the cells that have a stone."""
    return count(position.own | position.opp) / float(position.num_stone_actions)


def graded_by(
    name: str, solver: Callable[[], SearchAgent], largest: int, quick: int
) -> dict[str, Any]:
    """Returns how a game is graded, by a new ``solver()``, on boards of up to size ``largest``.

    With ``quick`` empty cells all moves are solved in a fraction of a second; more take seconds.
    They are fields of ``Knowledge``.
    """

    def exact_values(start: Any) -> ExactValues:
        if start.size > largest:
            raise NotGraded(
                f"{name} is graded up to size {largest}, where it is solved; this is size "
                f"{start.size}"
            )
        return ExactValues(
            start,
            solver(),
            quick=lambda position: num_empty(position) <= quick,
            feasible=lambda position: True,
        )

    def sample_plies(start: Any) -> range:
        return range(max(0, start.num_stone_actions - quick), start.num_stone_actions - 1)

    return {"exact_values": exact_values, "sample_plies": sample_plies}
