"""Domineering: its text and its picture, evaluations, the known outcomes."""

from itertools import product
from random import Random

import pytest
from games.laws import unfinished, wins_by_advice
from games.naive_domineering import is_safe, most_dominoes

from adv_envs import Domineering
from adv_envs.jit import disabled
from adv_envs.pictures import draw, places
from agents import DomineeringSolver, knowledge_of
from agents.games.domineering import (
    least_room,
    mobility,
    real_moves,
    room,
    safe_moves,
    smallest_image,
)

SHALLOW = disabled()

OUTCOMES = "2HHH", "V11H", "V11H", "VVV1"
"""By rows and columns, 1 to 4: the first (1) or the second (2) player wins, or upright (V) or flat
(H) whoever begins. Computed; J. W. H. M. Uiterwijk, LNCS 10068 (2016)."""


def test_text() -> None:
    position = Domineering(3, 4).after("b1 c1")
    assert str(position).splitlines()[1:] == [" 1 . | - -", " 2 . | . .", " 3 . . . ."]
    assert Domineering.from_text(str(position)) == position
    assert Domineering.from_text("|--\n|..").to_move == 0
    assert Domineering.from_text("|..\n|..").to_move == 1


@pytest.mark.plain
def test_every_move_has_a_place_on_the_picture() -> None:
    position = Domineering(5, 4).after("b2 c1")
    assert sorted(places(position)) == position.legal_actions()
    assert [len(draw(position, i).shapes) - len(draw(position).shapes) for i in (1, 2)] == [0, 1]


def test_real_and_safe_moves() -> None:
    """Against all ways to lay dominoes."""
    rng = Random(7)
    for _ in range(10 if SHALLOW else 40):
        position = unfinished(Domineering(rng.randrange(2, 5), rng.randrange(2, 5)), rng)
        cells = product(range(position.height), range(position.width))
        free = frozenset(cell for cell in cells if position.cell(*cell) is None)
        for player in (0, 1):
            step, other = position.step(player), position.step(1 - player)
            upright = player == 0
            safe = frozenset(cell for cell in free if is_safe(cell, free, upright))
            assert real_moves(position.free(), step) == most_dominoes(free, upright)
            assert safe_moves(position.free(), step, other) == most_dominoes(safe, upright)


def test_symmetries_of_evaluations_and_of_the_order() -> None:
    rng = Random(3)
    known = knowledge_of(Domineering()).symmetries
    assert known is not None
    for start in (Domineering(), Domineering(5, 7)):
        for _ in range(5):
            position = unfinished(start, rng)
            action = rng.choice(position.legal_actions())
            for i in range(known.num_images(position)):
                image, there = known.image(position, i), known.image_action(position, action, i)
                assert image.legal(there)
                for evaluate in (room, mobility):  # an image is to be compared, not to be played on
                    assert evaluate.trusted(image) == evaluate(position)
                assert least_room.trusted(image, there) == least_room(position, action)


def test_images_of_a_board_have_one_key() -> None:
    rng = Random(4)
    known = knowledge_of(Domineering()).symmetries
    assert known is not None
    for start in (Domineering(7, 7), Domineering(4, 6)):
        position = unfinished(start, rng)
        images = [known.image(position, i).free() for i in range(4)]
        assert len({smallest_image(free, start.height, start.width) for free in images}) == 1


def outcome(height: int, width: int, solver: DomineeringSolver) -> str:
    """Who wins: flat beginning on this board is upright beginning on the board turned round."""
    upright, flat = (
        solver.value(Domineering(*size)) > 0 for size in ((height, width), (width, height))
    )
    return "1V"[not flat] if upright else "H2"[not flat]


def test_known_outcomes() -> None:
    solver = DomineeringSolver(table_mb=1)
    for height, row in enumerate(OUTCOMES, 1):
        assert "".join(outcome(height, width, solver) for width in range(1, 5)) == row


@pytest.mark.compiled
def test_squares() -> None:
    """2 to 7: D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, 2000."""
    solver = DomineeringSolver()
    assert "".join(outcome(size, size, solver) for size in range(2, 8)) == "111211"


def test_best_play() -> None:
    solver, rng = DomineeringSolver(table_mb=1), Random(2)
    for _ in range(5):
        wins_by_advice(solver, unfinished(Domineering(5, 5), rng), rng)
