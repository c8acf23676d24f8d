"""The evaluations: by hand, against obvious second implementations, and by their symmetries."""

import math
import random

import naive_heuristics as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs.games.connect_four import ConnectFour
from adv_envs.games.hex import Hex
from adv_envs.games.tic_tac_toe import TicTacToe
from adv_envs.jit import disabled, kernel
from agents import AlphaBeta
from agents.games import tic_tac_toe
from agents.games.connect_four import evaluations as connect_four
from agents.games.connect_four.evaluations import zugzwang
from agents.games.hex import evaluations as hex
from agents.games.hex.evaluations import (
    connected,
    relevant_connected,
    resistance,
    shortest_path,
    two_distance,
)

NAMES = ["shortest_path", "two_distance", "resistance", "connected", "relevant_connected"]
SIZES = [2, 3, 5, 7, 11]  # compiled for two widths of integers

SEEDS = st.integers(0, 2**32)


@kernel
def evaluate_all(position, values):
    """One kernel for all of them, since each compiles what it uses again."""
    values[0] = shortest_path(position)
    values[1] = two_distance(position)
    values[2] = resistance(position)
    values[3] = connected(position)
    values[4] = relevant_connected(position)


def values_of(position, evaluate=evaluate_all):
    values = np.zeros(len(NAMES))
    placed(evaluate, position, values)
    return dict(zip(NAMES, values.tolist(), strict=True))


def placed(evaluate, *args):
    """An evaluation of stones placed at will, as no game leads to and no plain call would take."""
    return getattr(evaluate, "trusted", evaluate)(*args)


def near(values):
    return pytest.approx(values, rel=0, abs=1e-9)


def some_position(start, seed):
    """Random moves for a random time, but not to the end."""
    rng = random.Random(seed)
    position = start
    for _ in range(rng.randrange(start.height * start.width)):
        child = position.play(rng.choice(position.legal_actions()))
        if child.is_terminal():
            break
        position = child
    return position


def stones_of(position):
    cells = [(r, c) for r in range(position.height) for c in range(position.width)]
    return {cell: position.cell(*cell) for cell in cells if position.cell(*cell) is not None}


def cells_of(position, bits):
    cells = naive.cells(position.size)
    assert bits >> position.board_bits == 0
    found = {cell for cell in cells if bits >> position.bit(*cell) & 1}
    assert len(found) == bits.bit_count()  # none in the gaps between rows
    return found


def from_stones(position, stones):
    """The same game and ply with other stones."""
    own, opp = (
        sum(1 << position.bit(*cell) for cell in stones if stones[cell] == player)
        for player in (position.to_move, 1 - position.to_move)
    )
    return position._replace(own=own, opp=opp)


def turned_over(position):
    """The same stones, the other player to move."""
    return position._replace(own=position.opp, opp=position.own, ply=position.ply + 1)


# ---- Hex by hand


def test_nothing_on_the_board():
    assert values_of(Hex(3)) == near(dict.fromkeys(NAMES, 0.0))


def test_a_stone_in_the_middle():
    """X: b2 on 3 x 3, the other to move.

    - Distances: X needs one cell above and one below, 2; O goes along the top or bottom row, 3.
    - X can finish at b1, c1 or at a3, b3: each is beside one edge (1), and touches the stone, which
      touches two cells at the other edge (1 + 1): potential 3, mobility 4. O reaches the right
      column only in single file: potential 2 * 9, mobility 0.
    - X has one stone, connected to none.
    """
    values = values_of(Hex(3).after("b2"))
    del values["resistance"]
    assert values == near(
        {
            "shortest_path": 2 - 3,
            "two_distance": 3 - 18 + (0 - 4) / 9,
            "connected": 0.0,
            "relevant_connected": 0.0,
        }
    )


def test_resistance_by_hand():
    """X: b1 on 2 x 2, O to move.

    For O, b1 is missing: the left edge reaches a2 by 1 ohm, or by a1 with 1 + 2; from there 2 to b2
    and 1 to the right edge: 3/4 + 3. For X, b1 is part of the top edge. With voltage 1 there and 0
    at the bottom, Kirchhoff's laws are

        at a1:  2 (1 - a1) = (a1 - a2) / 2
        at a2:  (1 - a2) + (a1 - a2) / 2 = a2 + (a2 - b2) / 2
        at b2:  (1 - b2) + (a2 - b2) / 2 = b2

    so a2 = 4/7, b2 = 18/35, and the current a2 + b2 into the bottom edge is 38/35.
    """
    opponent, own = 35 / 38, 15 / 4
    assert values_of(Hex(2).after("b1"))["resistance"] == near(math.log(opponent / own))


def test_connected_by_hand():
    """X: a1 a2 a3 b1 and c3 on 3 x 3, O: c1 c2 b2, placed at will.

    All of X but c3 touch another X; a1 b1, a2 b1 are not in one row: all four lead up or down. Of O
    all three touch; c1 and c2 are in one column, but b2 touches both from the next one.
    """
    stones = dict.fromkeys([(0, 0), (1, 0), (2, 0), (0, 1), (2, 2)], 0)
    stones |= dict.fromkeys([(0, 2), (1, 2), (1, 1)], 1)
    position = from_stones(Hex(3), stones)
    assert placed(hex.connected, position) == (4 - 3) / 4
    assert placed(hex.relevant_connected, position) == (4 - 3) / 4
    row = from_stones(Hex(3), {(0, 0): 0, (0, 1): 0, (1, 0): 1, (2, 0): 1})
    assert placed(hex.connected, row) == 0  # two each
    assert placed(hex.relevant_connected, row) == 0  # neither leads anywhere
    column = from_stones(Hex(3), {(0, 0): 0, (1, 0): 0, (1, 2): 1, (2, 2): 1})
    assert placed(hex.relevant_connected, column) == 1


def test_a_move_from_winning():
    """X: b1 b3 on 3 x 3, O: c1 c3, X to move.

    Only b2 joins the edges of X: it touches both stones, so its potential is 1 + 1. For O, b2 is
    beside c1 (1), and beside a2 and a3, both on the left edge (2): potential 3. No cell does better
    or as well, for either, and c2 is beside nothing but b2 on the way to the left.
    """
    position = Hex(3).after("b1 c1 b3 c3")
    assert cells_of(position, hex.path_cells.plain(position, 0)) == {(1, 1)}
    assert values_of(position)["two_distance"] == 3 - 2


def test_a_lost_game_has_the_lowest_value():
    lost = Hex(3).after("b1 a1 b2 a2 b3")
    assert lost.is_terminal()
    values = values_of(lost)
    assert [values[name] for name in NAMES[:3]] == [-9, -9, -9]


def test_the_middle_first():
    def best(order, position, actions):
        return max(actions, key=lambda action: order(position, action))

    assert best(hex.centre, Hex(5), range(25)) == 12
    assert best(hex.centre, Hex(5, swap=True).after("a1"), range(26)) == 25
    assert hex.on_shortest_path.plain(Hex(5, swap=True).after("a1"), 25) == 0
    assert best(tic_tac_toe.centre, TicTacToe(), range(9)) == 4
    assert best(connect_four.centre, ConnectFour(), range(7)) == 3
    values = [connect_four.centre(ConnectFour(), column) for column in range(7)]
    assert values == [-3, -2, -1, 0, -1, -2, -3]


# ---- Hex against second implementations


def check_against_naive(position, evaluate):
    naive_values = naive.hex_values(position.size, stones_of(position), position.to_move)
    assert values_of(position, evaluate) == near(naive_values)


@settings(deadline=None, max_examples=40)
@given(size=st.sampled_from(SIZES[:-1]), seed=SEEDS)
def test_values(size, seed):
    check_against_naive(some_position(Hex(size), seed), evaluate_all)


@settings(deadline=None, max_examples=6)
@given(seed=SEEDS)
def test_values_on_a_wide_board(seed):
    check_against_naive(some_position(Hex(11), seed), evaluate_all)


@pytest.mark.parametrize("size", [8, 19])
def test_values_on_other_boards(size):
    for seed in range(2):
        check_against_naive(some_position(Hex(size), seed), evaluate_all.plain)


def test_a_long_way_round():
    """Walls of O with a gap of two at alternate ends: the two-distances of X pass any bit of 16."""
    size = 11
    walls = {
        (row, column): 1
        for row in range(1, size - 1, 3)
        for column in range(size)
        if not (column < 2 if row % 2 else column >= size - 2)
    }
    position = from_stones(Hex(size), walls)
    potential, _ = naive.potential_and_mobility(size, walls, 0)
    assert 32 < potential < 2 * size * size
    check_against_naive(position, evaluate_all)


@settings(deadline=None, max_examples=30)
@given(size=st.sampled_from(SIZES[:-1]), seed=SEEDS, player=st.sampled_from([0, 1]))
def test_path_cells(size, seed, player):
    position = some_position(Hex(size), seed)
    found = cells_of(position, hex.path_cells(position, player))
    assert found == naive.path_cells(size, stones_of(position), player)
    if player == position.to_move:
        order = hex.on_shortest_path.plain
        assert found == {cell for a, cell in enumerate(naive.cells(size)) if order(position, a)}


def test_path_cells_on_a_wide_board():
    position = some_position(Hex(11), 3)
    found = cells_of(position, hex.path_cells(position, 0))
    assert found == naive.path_cells(11, stones_of(position), 0)


# ---- Hex: symmetries


@settings(deadline=None, max_examples=30)
@given(size=st.sampled_from(SIZES), seed=SEEDS)
def test_symmetries(size, seed):
    position = some_position(Hex(size), seed)
    values, stones = values_of(position), stones_of(position)
    negated = {name: -value for name, value in values.items()}
    assert values_of(turned_over(position)) == near(negated)
    mirrored = {(c, r): 1 - owner for (r, c), owner in stones.items()}  # players change sides
    assert values_of(from_stones(position, mirrored)) == near(negated)
    rotated = {(size - 1 - r, size - 1 - c): owner for (r, c), owner in stones.items()}
    assert values_of(from_stones(position, rotated)) == near(values)


@settings(deadline=None, max_examples=30)
@given(size=st.sampled_from(SIZES), seed=SEEDS)
def test_compiled_and_plain(size, seed):
    position = some_position(Hex(size), seed)
    compiled, plain = values_of(position), values_of(position, evaluate_all.plain)
    assert compiled == pytest.approx(plain, rel=1e-12, abs=1e-12)
    for name in set(NAMES) - {"resistance"}:
        assert compiled[name] == plain[name]


# ---- lines


def test_lines_by_hand():
    """A stone in the centre is on 4 lines; one in the corner then on the 2 it does not share."""
    assert tic_tac_toe.lines(TicTacToe().after("b2")) == -4
    assert tic_tac_toe.lines(TicTacToe().after("b2 a1")) == 3 - 2
    # X: a1 b1, two in the first row (4), and two columns; O: c3 with a row and a column.
    assert tic_tac_toe.lines(TicTacToe().after("a1 c3 b1")) == 2 - (4 + 1 + 1)
    # The middle of the bottom row is on 4 rows, a column and a diagonal each way.
    assert connect_four.lines(ConnectFour().after("4")) == -7
    # On top of it: 4 rows, 1 column, 2 diagonals each way; the other's column has become useless.
    assert connect_four.lines(ConnectFour().after("44")) == 6 - 9


BOARDS = st.sampled_from(
    [(3, 3, 3), (6, 7, 4), (4, 5, 4), (5, 4, 2), (7, 7, 5), (2, 9, 6), (3, 3, 1)]
)


@settings(deadline=None)
@given(
    game=st.sampled_from([(TicTacToe, tic_tac_toe.lines), (ConnectFour, connect_four.lines)]),
    board=BOARDS,
    seed=SEEDS,
)
def test_lines(game, board, seed):
    rules, lines = game
    position = some_position(rules(*board), seed)
    stones, value = stones_of(position), lines(position)
    own, opp = (
        naive.open_lines(*board, stones, player)
        for player in (position.to_move, 1 - position.to_move)
    )
    assert value == own - opp
    assert value == lines.plain(position)
    assert placed(lines, turned_over(position)) == -value
    mirrored = {(row, position.width - 1 - column): who for (row, column), who in stones.items()}
    assert placed(lines, from_stones(position, mirrored)) == value


# ---- threats of Connect Four


def test_threats_by_hand():
    """X at b1 to d1, nobody on a1 or e1: two threats that cannot both be answered."""
    three = ConnectFour(4, 6).after("2233445")  # e1 completes the row
    assert three.is_terminal()
    open_ended = ConnectFour(4, 6).after("22334")
    assert connect_four.threats(open_ended) < -900  # a1 or e1: one of them is left
    mine = open_ended.play(5)  # elsewhere, and X is to move
    assert connect_four.threats(mine) > 900


def test_zugzwang_by_hand():
    """One column is left and its upper cell wins: whoever must play the lower one loses."""
    tops = (1 << 2) | (1 << 5)  # two columns of two; cells 0, 1 and 3, 4
    floor, full = 0b001001, 0b011000
    upper = 0b000010
    assert zugzwang(0, upper, full, floor, tops) == (-1, False)
    # it is the mover's own: they play below it and are answered, and the board is full
    assert zugzwang(upper, 0, full, floor, tops) == (0, False)
    # with one more cell to wait in, it is the other's turn to play below the threat
    assert zugzwang(upper, 0, 0b001000, floor, tops) == (1, False)
    # with two more it is not
    assert zugzwang(upper, 0, 0, floor, tops) == (0, False)
    assert zugzwang(0, upper, 0, floor, tops) == (-1, False)


@settings(deadline=None)
@given(board=BOARDS, seed=SEEDS)
def test_threats(board, seed):
    position = some_position(ConnectFour(*board), seed)
    stones, value = stones_of(position), connect_four.threats(position)
    expected = naive.connect_four_threats(*board, stones, position.to_move)
    assert value == pytest.approx(expected, rel=1e-12)
    assert value == connect_four.threats.plain(position)


@settings(deadline=None, max_examples=200)
@given(seed=SEEDS)
def test_what_is_won_by_force_is_won(seed):
    position = some_position(ConnectFour(4, 5), seed)
    value = connect_four.threats(position)
    if abs(value) > 500:
        assert AlphaBeta(depth=9).value(position) == (1 if value > 0 else -1)


def test_threats_tell_who_wins():
    """The sign is right more often than that of lines, in positions not decided at once."""
    rng, right = random.Random(3), {connect_four.threats: 0, connect_four.lines: 0}
    solver, quiet = AlphaBeta(), AlphaBeta(depth=2)
    count = 0
    while count < (20 if disabled() else 300):
        position = some_position(ConnectFour(4, 5), rng.getrandbits(32))
        if position.ply < 6 or quiet.analyse(position).proven:
            continue
        exact = solver.value(position)
        if exact != 0:
            count += 1
            for evaluate in right:
                right[evaluate] += evaluate(position) * exact > 0
    assert disabled() or right[connect_four.threats] > right[connect_four.lines] + 30, right
