"""Dots and Boxes: closing boxes, values of chains, report cards, its text."""

from random import Random

import pytest
from games.laws import random_line

from adv_envs import DotsAndBoxes
from adv_envs.jit import disabled
from adv_envs.pictures import draw
from agents import MarginSolver
from agents.games.dots_and_boxes import (
    all_taken,
    chains,
    closing,
    value_of_chains,
)
from agents.grading.exact_values import exact_for
from agents.knowledge import knowledge_of

SHALLOW = disabled()


def test_who_closes_a_box_draws_again() -> None:
    three = DotsAndBoxes(1, 2).after("a1b1 a2b2 a1a2")
    assert (three.to_move, three.first, three.second) == (1, 0, 0)
    closed = three.move("b1b2")
    assert (closed.to_move, closed.first, closed.second) == (1, 0, 1)
    two_at_once = DotsAndBoxes(1, 2).after("a1b1 a2b2 a1a2 b1c1 b2c2 c1c2 b1b2")
    assert (two_at_once.to_move, two_at_once.first) == (0, 3)
    assert two_at_once.is_terminal()
    assert two_at_once.utility(0) == 1
    assert DotsAndBoxes(1, 2, True, *two_at_once[3:]).utility(0) == 2


@pytest.mark.compiled
def test_only_outer_edges_win_on_two_by_two() -> None:
    start = DotsAndBoxes(2, 2)
    values = MarginSolver(table_mb=1).values(start)
    inner = {start.action(name) for name in ("b1b2", "b2b3", "a2b2", "b2c2")}
    assert values == {action: 0 if action in inner else 2 for action in range(12)}


def test_report_cards() -> None:
    late = random_line(DotsAndBoxes(4, 4), Random(2), 40 - (5 if SHALLOW else 12))[-1]
    points, margins = exact_for(DotsAndBoxes(4, 4)), exact_for(DotsAndBoxes(4, 4, margin=True))
    assert points.is_quick(late)
    assert not points.is_feasible(DotsAndBoxes(4, 4))
    same = DotsAndBoxes(4, 4, True, late.edges, late.first, late.second, late.to_move)
    for action, (value, score) in points.move_values(late).items():
        assert margins.move_values(same)[action] == (score, score)
        assert value == (score > 0) + 0.5 * (score == 0)


def test_the_value_of_chains_by_hand() -> None:
    """Whoever opens a chain loses it; of the first of two the last two boxes are declined."""
    row = DotsAndBoxes(1, 5).after("a1b1 a2b2 b1c1 b2c2 c1d1 c2d2 d1e1 d2e2 e1f1 e2f2")
    assert value_of_chains(row, row.edges) == -5
    two = row.move("c1c2")  # opens it: what is on both sides can be taken
    edges, taken = all_taken(two, two.edges)
    assert (taken, two.start().num_actions - edges.bit_count()) == (5, 0)
    separate = DotsAndBoxes(2, 3).after("a1b1 b1c1 c1d1 a2b2 b2c2 c2d2 a3b3 b3c3 c3d3")
    assert value_of_chains(separate, separate.edges) == -2  # 1 - 2 + 3 boxes for the other


def test_a_loop() -> None:
    loop = DotsAndBoxes(2, 2).after("a1b1 b1c1 a1a2 a2a3 c1c2 c2c3 a3b3 b3c3")
    assert value_of_chains(loop, loop.edges) == -4


def test_evaluation_and_order_are_those_of_every_image() -> None:
    rng, known = Random(7), knowledge_of(DotsAndBoxes()).symmetries
    assert known is not None
    for start in (DotsAndBoxes(3, 3), DotsAndBoxes(2, 4)):
        position = random_line(start, rng, start.num_actions // 2)[-1]
        for i in range(known.num_images(start)):
            turned = known.image(position, i)
            assert chains(turned) == pytest.approx(chains(position))
            for action in position.legal_actions():
                assert closing(position, action) == closing(
                    turned, known.image_action(position, action, i)
                )


def test_the_evaluation_is_antisymmetric_in_what_was_closed() -> None:
    start = DotsAndBoxes(3, 3)
    for seed in range(10):
        position = random_line(start, Random(seed), 18)[-1]
        turned = DotsAndBoxes(
            3, 3, False, position.edges, position.second, position.first, 1 - position.to_move
        )
        assert chains(turned) == chains(position)
    assert abs(chains(start)) < 1


def test_text() -> None:
    assert str(DotsAndBoxes(2, 2).after("a1b1 a1a2 a2b2 b1b2 c2c3")).splitlines() == [
        "   a   b   c",
        " 1 +---+   +",
        "   | 1 |",
        " 2 +---+   +",
        "           |",
        " 3 +   +   +",
        "   boxes: 0 of player 0, 1 of player 1",
    ]


def test_the_picture_tells_the_score() -> None:
    assert draw(DotsAndBoxes(1, 2).after("a1b1 a2b2 a1a2 b1b2")).title == "Blue to move   0 : 1"
