"""Kalah: sowing and capturing, report cards, the evaluation, its text."""

from random import Random

from games.laws import met, random_line

from adv_envs import Kalah
from adv_envs.jit import disabled
from adv_envs.pictures import draw
from agents import MarginSolver
from agents.games.kalah import lead, left
from agents.grading.exact_values import exact_for

SHALLOW = disabled()


def test_moving_again_capturing_and_the_end() -> None:
    start = Kalah()
    again = start.move("3")
    assert (again.to_move, again.numbers(0)) == (0, [4, 4, 0, 5, 5, 5, 1])
    assert start.move("4").to_move == 1
    assert Kalah(3, 1).move("1").numbers(0) == [0, 2, 1, 0]  # pit 2 was not empty
    caught = Kalah(3, 1).after("3 2")  # into the empty pit 3, opposite pit 1 of the other
    assert caught.numbers(0) == [1, 0, 0, 3]
    assert caught.numbers(1) == [0, 1, 1, 0]
    swept = Kalah(1, 3).move("1")
    assert swept.is_terminal()
    assert swept.numbers(0) == [0, 6]


def test_empty_capture() -> None:
    """The last seed falls into an empty pit, opposite an empty one."""
    both = {}
    for empty_capture in (False, True):
        position = Kalah(3, 1, empty_capture).after("3 2 2")  # both pits 2 are empty
        both[empty_capture] = position.move("1")
    assert both[False].numbers(0) == [0, 1, 0, 3]
    assert both[True].numbers(0) == [0, 0, 0, 4]  # and the row is empty
    assert both[True].is_terminal()


def test_report_cards_of_endings() -> None:
    exact = exact_for(Kalah())
    late = met(Kalah(), Random(3), lambda position: left(position) <= (6 if SHALLOW else 20))
    assert exact.is_quick(late)
    assert not exact.is_feasible(Kalah())
    assert {a: v.value for a, v in exact.move_values(late).items()} == MarginSolver().values(late)
    assert 0 < exact.progress(late) < 1


def test_the_evaluation_is_antisymmetric() -> None:
    for position in random_line(Kalah(), Random(1))[:-1]:
        turned = position._replace(own=position.opp, opp=position.own, to_move=1 - position.to_move)
        assert lead(turned) == -lead(position)
    assert lead(Kalah()) == 0


def test_text() -> None:
    assert str(Kalah().after("3 6")).splitlines() == [
        "          6   5   4   3   2   1",
        " >        4   4   5   5   5   5     player 1",
        "  [  0]                         [  2]",
        "          4   4   0   5   5   0     player 0",
        "          1   2   3   4   5   6",
    ]


def test_the_picture_tells_the_winner_and_by_how_much() -> None:
    over = Kalah(1, 3).move("1")
    assert draw(over).title == "Red wins, 6 to 0"
    assert draw(Kalah(1, 1).move("1")).title == "Draw, 1 to 1"
