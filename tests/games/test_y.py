"""Y: chains that join the sides, one winner of every full board, small boards."""

from random import Random

import pytest
from games.connection import (
    fewest,
    played,
    stones,
)
from games.laws import fresh, random_line

from adv_envs import GameOfY
from agents import ProofNumber
from agents.games.y import distance, needed
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


FIRST_MOVES = {2: "a1 b1 a2", 3: "b1 a2 b2", 4: "b1 c1 a2 b2 c2 a3 b3", 5: "b2 c2 b3"}
"""Those that win."""


@pytest.mark.compiled
@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_small_boards_are_solved(size: int) -> None:
    start = GameOfY(size)
    values = exact_utilities(exact_for(start), start)
    wins = [start.name(action) for action, value in values.items() if value == 1]
    assert wins == FIRST_MOVES[size].split()
    assert ProofNumber(evaluate=distance, nodes=2_000_000).value(start) == 1
