"""Records what is known about gomoku and every other k in a row on a board.

``threat_search`` is an agent that proves wins by threats (``threat_proof``) and looks ahead by
alpha-beta. Here are an evaluation, a move order, playouts and symmetries for all other searches,
and the record. They work on sets of cells as integers, bit row * (width + 1) + column for each
cell: a set shifted by i steps has, at the first cell of each row of k cells, the bit of its i-th
cell. So the rows are counted for all places at once.
"""

from __future__ import annotations

from adv_envs.bits import count, has_room, lowest, repeated, single
from adv_envs.games.gomoku import Gomoku
from adv_envs.jit import kernel
from adv_envs.position import Wide
from adv_envs.random import advanced, below
from agents.knowledge import ExactValues, Knowledge, NotGraded, by_number, register_knowledge
from agents.mcts.playouts import AMAF, RANDOM, STAMP, Played, Values, Workspace
from agents.spec import register
from agents.symmetries import RECTANGLE, board_symmetries

from .threat_search import ThreatSearch

__all__ = ["ThreatSearch"]

# ---- evaluation


@kernel
def threats(position: Gomoku) -> float:
    """Returns the own live rows, minus the opponent's, in units of a three with one end closed.

    A row of k cells is alive without a stone of the other colour, and counts 1/5 of one with a
    stone more. The stones of an open three are in more such rows than those of a closed one. Where
    the next moves are forced the value says so: 100 if the player to move completes a row, -50 if
    the opponent has two cells for it, 25 if an open three (of k - 2 stones) can be extended, and
    -5 if the opponent has one, or a row to be closed.
    """
    empty = empty_cells(position)
    own, opp = position.own, position.opp
    if completing(position, own, empty) != 0:
        return 100.0
    value = live_rows(position, own, empty) - live_rows(position, opp, empty)
    holes = count(completing(position, opp, empty))
    if holes > 1:
        return value - 50.0
    if holes == 1:
        return value - 5.0
    if has_open_row(position, own, empty):
        return value + 25.0
    return value - 5.0 if has_open_row(position, opp, empty) else value


def empty_cells(position: Gomoku) -> Wide:
    """Returns the empty cells of the board."""
    row = repeated(single(0, position.own), position.width, 1)
    board = repeated(row, position.height, position.width + 1)
    return board & ~(position.own | position.opp)


def live_rows(position: Gomoku, stones: Wide, empty: Wide) -> float:
    """Returns the weight of the live rows that ``stones`` have."""
    stride, total = position.width + 1, 0.0
    for step in (1, stride, stride - 1, stride + 1):
        if has_room(stones, (position.k - 1) * step):
            one, two, three, four = rows_by_need(position, stones, empty, step)
            total += 5.0 * count(one) + count(two) + 0.2 * count(three) + 0.04 * count(four)
    return total


def rows_by_need(
    position: Gomoku, stones: Wide, empty: Wide, step: int
) -> tuple[Wide, Wide, Wide, Wide]:
    """Returns the first cells of the live rows that need 1, 2, 3 and 4 more stones."""
    none, zero = empty & 0, rows_in(position, stones, empty, step)
    one, two, three, four = none, none, none, none
    for i in range(position.k):
        full, free = stones >> i * step, empty >> i * step
        four = four & full | three & free
        three = three & full | two & free
        two = two & full | one & free
        one = one & full | zero & free
        zero &= full
    return one, two, three, four


def rows_in(position: Gomoku, stones: Wide, empty: Wide, step: int) -> Wide:
    """Returns the cells of both sets at which no row begins that its own stones make too long."""
    cells = stones | empty
    if position.exact:
        cells &= ~(stones << step)
        if has_room(stones, position.k * step):
            cells &= ~(stones >> position.k * step)
    return cells


def completing(position: Gomoku, stones: Wide, empty: Wide) -> Wide:
    """Returns the empty cells that complete a row with ``stones``."""
    stride, cells = position.width + 1, empty & 0
    for step in (1, stride, stride - 1, stride + 1):
        if has_room(stones, (position.k - 1) * step):
            zero, one = rows_in(position, stones, empty, step), empty & 0
            for i in range(position.k):
                full, free = stones >> i * step, empty >> i * step
                one = one & full | zero & free
                zero &= full
            if one != 0:
                for i in range(position.k):
                    cells |= one << i * step
    return cells & empty


def has_open_row(position: Gomoku, stones: Wide, empty: Wide) -> bool:
    """Returns whether a stone more makes k - 1 ``stones`` with an empty cell at either end."""
    stride, k = position.width + 1, position.k
    for step in (1, stride, stride - 1, stride + 1):
        if has_room(stones, k * step):
            _, two, _, _ = rows_by_need(position, stones, empty, step)
            if two & two >> step & empty & empty >> k * step != 0:
                return True
    return False


# ---- move order


@kernel
def heaviest(position: Gomoku, action: int) -> float:
    """Returns the weight of the live rows through a cell, of both colours; 0 if it is not empty.

    A row with n stones of one colour and none of the other counts 5 ** n, and no more than 5 ** 8.
    On an empty board that prefers the middle, through which most rows lead.
    """
    stride, k, weight = position.width + 1, position.k, 0.0
    if action >= position.num_stone_actions or not position.legal(action):
        return 0.0
    row, column = action // position.width, action % position.width
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for back in range(k):
            top, left = row - back * down, column - back * right
            bottom, end = top + (k - 1) * down, left + (k - 1) * right
            inside = top >= 0 and bottom < position.height and 0 <= left < position.width
            if inside and 0 <= end < position.width:
                first, step = top * stride + left, down * stride + right
                weight += row_weight(position, first, step)
    return weight


def row_weight(position: Gomoku, first: int, step: int) -> float:
    """Returns what the row of k cells from ``first`` on weighs: nothing with both colours in it."""
    own, opp = 0, 0
    for i in range(position.k):
        own += position.own >> first + i * step & 1 != 0
        opp += position.opp >> first + i * step & 1 != 0
    return 0.0 if own > 0 and opp > 0 else 5.0 ** min(own + opp, 8)


# ---- playouts


@kernel
def winning_action(position: Gomoku, workspace: Workspace) -> int:
    """Returns an action that completes a row; -1 if there is none."""
    cells = completing(position, position.own, empty_cells(position))
    return action_of(position, lowest(cells)) if cells != 0 else -1


def action_of(position: Gomoku, cell: int) -> int:
    """Returns the action that sets a stone on the cell with this bit."""
    return cell - cell // (position.width + 1)


@kernel
def nearby(position: Gomoku, values: Values, played: Played, workspace: Workspace) -> None:
    """Plays wins, else blocks the opponent's, else random cells beside stones.

    The arguments are those of ``agents.mcts.playouts``. In the opening by swap2 all is random.
    """
    state = int(workspace[RANDOM])
    while not position.is_terminal():
        state = advanced(state)
        action = likely_action(position, state)
        if AMAF:
            played[position.to_move, action] = workspace[STAMP]
        position = position.play(action)
    workspace[RANDOM] = state
    for player in range(values.shape[0]):
        values[player] = position.utility(player)


def likely_action(position: Gomoku, state: int) -> int:
    """Returns a winning or blocking action, else a random one beside stones."""
    empty = empty_cells(position)
    cells = completing(position, position.own, empty)
    if cells == 0:
        cells = completing(position, position.opp, empty)
    if cells == 0:
        cells = beside(position, position.own | position.opp) & empty
    if cells == 0:
        cells = empty
    for _ in range(below(state, count(cells))):
        cells &= cells - 1
    return action_of(position, lowest(cells))


def beside(position: Gomoku, stones: Wide) -> Wide:
    """Returns the cells beside ``stones`` in all eight directions, some perhaps off the board."""
    across = stones | stones << 1 | stones >> 1
    return across | across << position.width + 1 | across >> position.width + 1


# ---- the record

MAX_GRADED_CELLS = 12
"""Cells of the largest board that is graded, from a list of all positions."""


def exact_values(start: Gomoku) -> ExactValues:
    """Returns the exact values from a list of all positions."""
    from agents.grading.exact_values import listed_values

    if start.num_stone_actions > MAX_GRADED_CELLS or start.swap2:
        raise NotGraded(
            f"k in a row is graded on boards of up to {MAX_GRADED_CELLS} cells without swap2, "
            f"such as 3 x 4; this one has {start.num_stone_actions}"
        )
    return listed_values(start)


register("threat_search", ThreatSearch)
register_knowledge(
    Gomoku,
    Knowledge(
        names=("five in a row", "gobang", "omok"),
        evaluations={"threats": threats},
        default_evaluation="threats",
        orders={"heaviest": heaviest},
        order=heaviest,
        symmetries=board_symmetries(Gomoku, RECTANGLE),
        playout=lambda position: nearby,
        winning_move=lambda position: winning_action,
        grave=1,  # won 14 of 20 games against none at 1,000 simulations
        exact_values=exact_values,
        progress=lambda position: position.ply / position.num_stone_actions,
        sample_plies=lambda start: range(start.num_stone_actions - 1),
        settings=(
            {"height": 7, "width": 7, "k": 4},
            {"height": 9, "width": 9},
            {"height": 19, "width": 19},
        ),
        opponent=lambda start: "threat_search(nodes=10000)",
        analyst=lambda position: "threat_search(seconds=3)",
        strong=lambda start: "threat_search(seconds=4)",
        rungs={
            "random": "random",
            **by_number("mcts %d", "mcts(simulations=%d)", 100, 1000),
            "greedy": "greedy(evaluate=gomoku.threats)",
            "depth 2": "alpha_beta(depth=2, evaluate=gomoku.threats)",
            "threats": "threat_search(nodes=1000, width=0)",
            **by_number("look %d", "threat_search(nodes=%d)", 300, 3000, 10000),
        },
    ),
)
