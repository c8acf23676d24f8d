"""Clobber: its text and its picture, evaluations, the solver against all play."""

from random import Random

import pytest
from games.laws import unfinished, wins_by_advice
from games.naive_clobber import NaiveClobber

from adv_envs import Clobber
from adv_envs.jit import disabled
from adv_envs.pictures import draw, places
from agents import ClobberSolver, knowledge_of
from agents.games.clobber import corner_of, fewest_answers, joined_to, mobility, safety

SHALLOW = disabled()


def test_text() -> None:
    position = Clobber(3, 4).after("a1a2 b1b2")
    assert str(position).splitlines() == [
        " 3 W B W B", " 2 W B B W", " 1 . . W B", "   a b c d", "White to move",
    ]  # fmt: skip
    assert Clobber.from_text(str(position)) == position
    assert Clobber.from_text("W.B").to_move == 0
    assert Clobber.from_text("WB.", to_move=1).move("b1a1").result_text() == (
        "White cannot move, Black wins"
    )


def test_who_begins_may_have_any_stones() -> None:
    """The white corner is at the bottom, so other heights begin with another colour at the top."""
    assert Clobber(2, 2).rows() == [["B", "W"], ["W", "B"]]
    assert Clobber(3, 1).rows() == [["W"], ["B"], ["W"]]
    assert Clobber(2, 3, turn=1).rows() == Clobber(2, 3).rows()


@pytest.mark.plain
def test_the_picture_marks_the_last_move() -> None:
    position = Clobber(4, 5).after("b2b3 a2a3")
    assert sorted(places(position)) == position.legal_actions()
    last = Clobber(4, 5).after("b2b3").action("a2a3")
    more = [len(draw(position, i).shapes) - len(draw(position).shapes) for i in (last, 0, None)]
    assert more == [2, 0, 0]


def test_evaluations_do_not_depend_on_how_the_board_lies() -> None:
    rng, known = Random(3), knowledge_of(Clobber()).symmetries
    assert known is not None
    for start in (Clobber(), Clobber(6, 6)):
        for _ in range(4):
            position = unfinished(start, rng)
            action = rng.choice(position.legal_actions())
            for i in range(known.num_images(position)):
                image, there = known.image(position, i), known.image_action(position, action, i)
                assert mobility(image) == mobility(position)
                assert safety(image) == safety(position)
                assert fewest_answers(image, there) == fewest_answers(position, action)
            exchange = knowledge_of(start).exchange
            assert exchange is not None
            assert mobility(exchange.image(position)) == mobility(position)


def test_groups() -> None:
    position = Clobber.from_text("WB.W\n...B\nW..W")
    stones = position.own | position.opp
    assert joined_to(1, stones, 5) == 0b11
    assert joined_to(1 << 3, stones, 5) == 1 << 3 | 1 << 8 | 1 << 13
    assert corner_of(1 << 8 | 1 << 12, 5) == 7


SIZES = [(1, n) for n in range(1, 11)] + [(2, 2), (2, 3), (2, 4), (3, 3)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_outcomes_against_trying_everything(size: tuple[int, int]) -> None:
    solver = ClobberSolver(table_mb=1)
    for turn in (0, 1):
        naive = NaiveClobber(*size)
        naive.to_move = turn
        assert (solver.value(Clobber(*size, turn=turn)) > 0) == naive.wins()


@pytest.mark.compiled
def test_rows() -> None:
    """Conjectured by M. H. Albert et al., 2005: of even rows the second player wins 6 only."""
    solver = ClobberSolver(table_mb=16)
    even = [solver.value(Clobber(1, n)) for n in range(2, 21, 2)]
    assert even == [1, 1, -1, 1, 1, 1, 1, 1, 1, 1]
    odd = [tuple(solver.value(Clobber(1, n, turn=t)) for t in (0, 1)) for n in range(1, 20, 2)]
    black = (-1, 1)
    assert odd == [(-1, -1), (1, 1), black, black, (1, 1), *[black] * 5]


@pytest.mark.slow
@pytest.mark.compiled
def test_the_table_of_the_page() -> None:
    """By rows and columns; other boards are these turned by a quarter."""
    solver = ClobberSolver(table_mb=256)
    for size, outcome in PUBLISHED.items():
        values = [solver.value(Clobber(*size, turn=turn)) for turn in (0, 1)]
        assert {(1, 1): "1", (-1, -1): "2", (-1, 1): "B"}[values[0], values[1]] == outcome, size


PUBLISHED = {
    **{(1, n): outcome for n, outcome in enumerate("2111B2B", 1)},
    **{(2, n): outcome for n, outcome in enumerate("11211211211", 1)},
    **{(3, n): outcome for n, outcome in enumerate("1212121", 1)},
    **{(4, n): outcome for n, outcome in enumerate("11211", 1)},
}


def test_best_play() -> None:
    solver, rng = ClobberSolver(table_mb=1), Random(2)
    for _ in range(4):
        wins_by_advice(solver, unfinished(Clobber(3, 4), rng), rng)
    assert SHALLOW or solver.value(Clobber(4, 4)) == 1
