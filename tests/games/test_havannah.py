"""Havannah: rings, bridges and forks on constructed boards, draws, playouts, small boards."""

from functools import partial
from random import Random

import pytest
from games.connection import (
    fewest,
    played,
    playouts,
    stones,
)
from games.laws import fresh, random_line

from adv_envs import Havannah
from agents import ProofNumber
from agents.games.havannah import distance, needed
from agents.grading import exact_for
from agents.grading.move_grader import exact_utilities

AWAY = "a3 a2 b5 c6 d7 f7 f4 e2 g7 g5 a4 d1"
"""Cells of the opponent that make no figure, on a board of size 4."""
RING = "c2 d3 d4 c4 b3 b2"
"""Around c3."""


def rotations(cells: str) -> list[str]:
    """The same cells, each of them the last one once."""
    names = cells.split()
    return [" ".join(names[i:] + names[:i]) for i in range(len(names))]


def outcome_of(own: str, others: str = AWAY) -> str:
    """What White has after the last move; before it there was nothing."""
    position = played(Havannah(4), own, others)
    *before, last = own.split()
    assert not position.figure(stones(position, " ".join(before)))
    assert position.won == (position.figure(position.opp) != "")
    winning = position.winning_cells()
    assert not position.won or last in {position.cell_name(*cell) for cell in winning}
    return position.figure(position.opp) if position.won else ""


@pytest.mark.parametrize("own", rotations(RING))
@pytest.mark.parametrize("inside", ["", "c3 "])
def test_a_ring_is_closed_by_each_of_its_stones(own: str, inside: str) -> None:
    """Around an empty cell, and around a stone of the opponent."""
    assert outcome_of(own, inside + AWAY) == "ring"


@pytest.mark.parametrize("own", rotations(RING))
def test_a_ring_around_a_stone_of_its_own(own: str) -> None:
    """All neighbours of the last stone that are its own form one arc."""
    assert outcome_of("c3 " + own) == "ring"


@pytest.mark.parametrize("own", rotations("b2 c2 d2 e3 e4 e5 d5 c4 b3"))
def test_larger_rings(own: str) -> None:
    """Around c3, d3 and d4: some are the opponent's, some empty."""
    assert outcome_of(own, "c3 d4 " + AWAY.replace("e2", "g6")) == "ring"


def test_loops_that_are_no_rings() -> None:
    assert outcome_of("b2 b3 c3") == ""  # three stones that touch each other
    assert outcome_of("b2 b3 c3 c2 d3 d4 c4") == "ring"
    assert outcome_of("b2 b3 c4 d4 d3") == ""  # open at c2
    assert outcome_of("a1 a2 b2 b1", "d7 f7 f4") == ""  # a rhombus
    assert outcome_of("b1 c2 c3 b3 a2", "a1 b2 d7 f7 f4 e2") == ""  # shuts a corner off


def test_bridges() -> None:
    assert outcome_of("a1 b1 d1 c1", "a3 a2 b5 c6") == "bridge"
    assert outcome_of("a1 b2 c3 d4 e5 f6 g7", "a3 a2 b5 c6 f7 f4 e2") == "bridge"
    assert outcome_of("b1 c1 d1", "a3 a2 b5 c6") == ""  # one corner
    assert outcome_of("a1 b2 d1", "a3 a2 b5 c6") == ""  # not joined


def test_forks() -> None:
    sides = "b1 b2 b3 a3 b4 c5 b5"  # the top, the upper left and the lower left side
    assert outcome_of(sides, "a1 a2 d7 f7 f4 e2 g5") == "fork"
    assert outcome_of("b1 b2 b3 a3", "a1 a2 d7 f7") == ""  # two sides
    corner = "a1 b2 b3 b4 b5"  # a corner belongs to no side
    assert outcome_of(corner, "a2 a3 d7 f7 f4") == ""
    assert outcome_of("b1 a1 a2", "d3 d4 d7") == ""  # two sides and the corner between them


DRAW = """
      X O X
     X O O O
    O O . X X
     X X X O
      O X O
"""
"""A board of size 3 that fills up without a figure."""


def test_a_full_board_without_a_figure_is_a_draw() -> None:
    position = Havannah.from_text(DRAW).move("c3")
    assert position.is_terminal()
    assert position.ply == 19
    assert (position.utility(0), position.utility(1)) == (0, 0)
    assert (position.result_text(), position.winning_cells()) == ("Draw", [])
    assert position.legal_actions() == []
    assert "<svg" in position.svg()


def test_after_a_swap_a_full_board_is_a_ply_later() -> None:
    near = Havannah.from_text(DRAW, 1, swap=True)
    assert (near.to_move, near.is_terminal()) == (1, False)
    assert near.move("c3").is_terminal()


def test_the_swap() -> None:
    position = Havannah(3, swap=True).after("b2 swap")
    assert (position.to_move, position.ply, position.cell(1, 1)) == (0, 2, 1)
    assert "swap" not in [position.name(action) for action in position.legal_actions()]
    line = random_line(position, Random(2))
    assert line[-1].is_terminal()


# ---- what is known about it


def test_playouts_from_the_start_have_all_results() -> None:
    assert {*playouts(Havannah(3), 300)} >= {-1.0, 1.0}


def test_the_stones_that_are_missing() -> None:
    rng = fresh()
    for position in random_line(Havannah(3), rng)[6:-1]:
        for player in (0, 1):
            found = [
                needed(position, player, goals, wanted)[0]
                for goals, wanted in ((corners_of(position), 2), (position.side_cells(), 3))
            ]
            for kind, number in zip(("bridge", "fork"), found, strict=True):
                least = fewest(position, player, partial(has, position, kind), 3)
                assert min(number, 4) == least, (position, player, kind)


def corners_of(position: Havannah) -> tuple[int, ...]:
    """Each corner as a set."""
    return tuple(1 << position.bit(*cell) for cell in position.cells_in(position.corners()))


def has(position: Havannah, kind: str, own: int) -> bool:
    """Whether a chain of these stones has two corners, or touches three sides."""
    while own:
        chain = position.spread(own & -own, own, 0)
        own &= ~chain
        corners = (chain & position.corners()).bit_count()
        if corners > 1 if kind == "bridge" else position.sides(chain) > 2:
            return True
    return False


FIRST_MOVES = {2: "a1 b1 a2 c2 b3 c3", 3: "a1 c1 a3 e3 c5 e5"}
"""Those that win."""


@pytest.mark.compiled
@pytest.mark.parametrize("size", FIRST_MOVES)
def test_small_boards_are_solved(size: int) -> None:
    start = Havannah(size)
    values = exact_utilities(exact_for(start), start)
    wins = [start.name(action) for action, value in values.items() if value == 1]
    assert wins == FIRST_MOVES[size].split()
    assert ProofNumber(evaluate=distance).value(start) == 1
