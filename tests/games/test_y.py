"""Y: chains that join the sides, one winner of every full board, small boards."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from games.connection import (
    fewest,
    played,
    stones,
)
from games.laws import fresh, random_line

from adv_envs import GameOfY, TicTacToe
from adv_envs.jit import disabled
from adv_envs.testing import check_agent
from agents import ProofNumber, YSolver, make
from agents.games.hex.inferior_cells import fill_in
from agents.games.hex.proof import FOUND_CARRIER, prove
from agents.games.hex.virtual_connections import cells_of
from agents.games.y import distance, needed
from agents.games.y.solver import triangle_tables, y_arrays
from agents.grading import exact_for
from agents.grading.move_grader import exact_utilities


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("c1 b2 b3 a3", "a1 b1 d1"),  # three sides, in the middle
        ("a1 a2 a3 a4", "b1 c1 d1"),  # two corners: a whole side
        ("d1 c1 b1 a1", "a2 a3 a4"),
        ("b1 b2 c2 a3", "a1 c1 d1"),
    ],
)
def test_chains_that_win(own: str, others: str) -> None:
    position = played(GameOfY(4), own, others)
    assert position.won
    assert position.result_text() == "Red wins"
    assert not position.has_won(stones(position, own.rsplit(" ", 1)[0]))
    winning = {position.cell_name(*cell) for cell in position.winning_cells()}
    assert winning <= {*own.split()}


def test_chains_that_do_not() -> None:
    assert not played(GameOfY(4), "b1 b2 c2", "a1 c1 d1").won  # two sides
    assert not played(GameOfY(4), "a1 d1 a4", "b2 a2 c1").won  # on all sides, but not joined
    assert not played(GameOfY(5), "a1 b1 a3 c3", "b2 a2 c1").won


def test_joined_sides_of_different_chains_do_not_add_up() -> None:
    """One chain joins the top with the left side, another one the top with the last side."""
    position = played(GameOfY(5), "a2 b1 d2 d1 b3", "c1 c2 a3 b2 c3")
    assert not position.won
    assert position.opp_both == stones(position, "a2 b1")
    assert position.opp_top == stones(position, "a2 b1 d1 d2")


def test_every_full_board_has_one_winner() -> None:
    rng = fresh()
    for size in (2, 3, 4, 5, 8, 13):
        position = GameOfY(size)
        cells = [1 << position.entry(action) for action in range(position.num_actions)]
        for _ in range(20):
            own = sum(rng.sample(cells, rng.randint(0, len(cells))))
            assert position.has_won(own) != position.has_won(position.board() & ~own)


def test_the_swap() -> None:
    for first in ("a1", "b1", "b2", "a3"):
        position = GameOfY(3, swap=True).after([first, "swap"])
        position.check()
        assert (position.to_move, position.ply) == (0, 2)
        assert position.opp == stones(position, first)
        assert random_line(position, Random(2))[-1].is_terminal()


# ---- what is known about it


def test_the_stones_that_are_missing() -> None:
    for position in random_line(GameOfY(4), fresh())[2:-1]:
        for player in (0, 1):
            none = position.own & 0
            sides = position.top_side(), position.left_side(), position.last_side()
            number = needed(position, player, (*sides, none, none, none), 3)[0]
            assert min(number, 5) == fewest(position, player, position.has_won, 4)


FIRST_MOVES = {
    2: "a1 b1 a2",
    3: "b1 a2 b2",
    4: "b1 c1 a2 b2 c2 a3 b3",
    5: "b2 c2 b3",
    6: "c2 b3 c3",
    7: "b2 c2 d2 e2 b3 c3 d3 b4 c4 b5",
    8: "c2 e2 b3 c3 d3 e3 c4 b5 c5",
}
"""Those that win."""


@pytest.mark.compiled
@pytest.mark.parametrize("size", [*range(2, 8), pytest.param(8, marks=pytest.mark.thorough)])
def test_small_boards_are_solved(size: int) -> None:
    start = GameOfY(size)
    values = exact_utilities(exact_for(start), start)
    wins = [start.name(action) for action, value in values.items() if value == 1]
    assert wins == FIRST_MOVES[size].split()
    if size <= 4:
        assert ProofNumber(evaluate=distance, nodes=2_000_000).value(start) == 1


# ---- the solver


def won(start: GameOfY, actions: int) -> bool:
    """Whether stones on these cells join the sides."""
    return start.has_won(sum(1 << start.entry(action) for action in cells_of(actions)))


@cache
def winner(start: GameOfY, zero: int, one: int, player: int) -> int:
    """Who wins if ``player`` is to move; the stones are sets of actions."""
    for who, actions in enumerate((zero, one)):
        if won(start, actions):
            return who
    for cell in cells_of((1 << start.num_actions) - 1 & ~(zero | one)):
        after = (zero | 1 << cell, one) if player == 0 else (zero, one | 1 << cell)
        if winner(start, *after, 1 - player) == player:
            return player
    return 1 - player


def undecided(start: GameOfY) -> Iterator[tuple[int, int]]:
    """The stones of both players, all up to size 3 and some above; nobody has won."""
    cells, rng = range(start.num_actions), Random(start.size)
    every = product(range(3), repeat=len(cells)) if start.size < 4 else ()
    some = (rng.choices(range(3), [2, 1, 1], k=len(cells)) for _ in range(60))
    for owners in every or some:
        zero, one = (sum(1 << i for i in cells if owners[i] == player) for player in (1, 2))
        if not won(start, zero) and not won(start, one):
            yield zero, one


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.compiled)])
def test_every_value_and_every_carrier(size: int) -> None:
    """Whatever stands outside of the carrier, the win remains; nor does filling in change it."""
    start, arrays, answer = GameOfY(size), y_arrays(size, 1), np.zeros(2, np.int64)
    board, every = triangle_tables(size)[0], (1 << start.num_actions) - 1
    chosen = [*undecided(start)]
    for zero, one in Random(1).sample(chosen, 10) if disabled() else chosen:
        z, o, dead = fill_in(zero, one, every & ~(zero | one), board)
        for player in (0, 1):
            who = winner(start, zero, one, player)
            assert (prove(zero, one, player, answer, arrays) > 0) == (who == player)
            free = every & ~int(answer[FOUND_CARRIER]) & ~(zero | one)
            worst = (zero, one | free) if who == 0 else (zero | free, one)
            assert winner(start, *worst, player) == who
            for filled in ((z, o), (z & ~dead, o | dead)):  # of whichever colour dead cells are
                assert winner(start, *filled, player) == who


@pytest.mark.compiled
def test_values_are_those_of_proof_number_search() -> None:
    rng, solver, search = Random(5), YSolver(table_mb=1), ProofNumber(evaluate=distance)
    for plies in (2, 3, 4, 5, 6) * 3:
        start = GameOfY(5).after(rng.sample(range(15), plies))
        assert solver.values(start) == search.values(start)


def test_best_play_with_and_without_a_swap() -> None:
    size, solver = 2 if disabled() else 5, YSolver(table_mb=1)
    for start in (GameOfY(size), GameOfY(size, swap=True), GameOfY(size, swap=True).play(1)):
        found = solver.analyse(start)
        end = start.after(found.principal_variation)
        assert (found.proven, end.is_terminal()) == (True, True)
        assert end.utility(start.to_move) == found.value == solver.value(start)
    assert solver.value(GameOfY(size, swap=True)) == -1
    check_agent(YSolver(table_mb=1), GameOfY(2, swap=True), games=1, make=make)


def test_what_the_solver_refuses() -> None:
    with pytest.raises(ValueError, match="boards up to size 10, not size=11: search larger ones"):
        YSolver().value(GameOfY(11))
    with pytest.raises(ValueError, match="y_solver solves y, not TicTacToe"):
        YSolver().value(TicTacToe())
