"""Domineering against a second implementation, retrograde analysis and the known outcomes."""

from random import Random
from typing import Any

import numpy as np
import pytest
from games.naive_domineering import NaiveDomineering, is_safe, most_dominoes
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import Domineering, IllegalMove, TicTacToe, reachable
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import draw, places
from agents import DomineeringSolver, Retrograde, knowledge_of
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


# ---- the rules


@kernel
def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(position.num_actions):
        if position.legal(action):
            lines += perft(position.play(action), depth - 1)
    return lines


def test_perft() -> None:
    """On 8 x 8: 7 * 8 uprights, and 14 * 14 pairs of an upright and a flat that touch a cell."""
    found = [perft(Domineering(), depth) for depth in (1, 2)]
    assert found == [56, 56 * 56 - 14 * 14] == [*lines_of_play("domineering")]
    for size, depth in (((4, 4), 4), ((3, 5), 3), ((5, 2), 9)):
        assert perft(Domineering(*size), depth) == NaiveDomineering(*size).perft(depth)


@settings(max_examples=60, deadline=None)
@given(height=st.integers(1, 19), width=st.integers(1, 19), seed=st.integers(0, 2**32))
def test_random_games_as_the_naive_one_plays_them(height: int, width: int, seed: int) -> None:
    position, naive, rng = Domineering(height, width), NaiveDomineering(height, width), Random(seed)
    while True:
        assert position.is_terminal() == naive.is_over()
        assert position.legal_actions() == naive.actions()
        assert position.to_move == naive.to_move
        if rng.random() < 0.1 or position.is_terminal():
            position.check()
            assert position.rows() == naive.grid
            assert Domineering.from_text(str(position)) == position
            for player in (0, 1):
                planes = np.zeros(position.observation_shape, np.int8)
                position.observe(player, planes)
                assert planes.tolist() == naive.observation(player)
        if position.is_terminal():
            break
        action = rng.choice(naive.actions())
        position = position.play(action)
        naive.play(action)
    assert position.utility(0) == -position.utility(1) == naive.utility(0)


@pytest.mark.slow
def test_thousands_of_games_as_the_naive_one_plays_them() -> None:
    rng, plies = Random(), 0
    for _ in range(3000):
        size = rng.randrange(1, 13), rng.randrange(1, 13)
        position, naive = Domineering(*size), NaiveDomineering(*size)
        while not naive.is_over():
            assert position.legal_actions() == naive.actions()
            action = rng.choice(naive.actions())
            position = position.play(action)
            naive.play(action)
            plies += 1
        assert position.is_terminal()
        assert position.utility(0) == naive.utility(0)
    print(f"{plies} plies compared")


def test_text() -> None:
    position = Domineering(3, 4).after("b1 c1")
    assert str(position).splitlines()[1:] == [" 1 . | - -", " 2 . | . .", " 3 . . . ."]
    assert Domineering.from_text(str(position)) == position
    assert Domineering.from_text("|--\n|..").to_move == 0
    assert Domineering.from_text("|..\n|..").to_move == 1
    with pytest.raises(ValueError, match="upright dominoes"):
        Domineering.from_text("|.\n..")
    with pytest.raises(ValueError, match="flat dominoes"):
        Domineering.from_text("|-\n|-")
    with pytest.raises(ValueError, match="cannot have"):
        Domineering.from_text("--\n..")


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ({"height": 20}, "1 to 19"),
        ({"width": 0}, "1 to 19"),
        ({"own": 1 << 8}, "cells of the board"),
        ({"own": 3, "ply": 2}, "upright dominoes"),
        ({"opp": 3, "ply": 2}, "after 2 plies"),
        ({"opp": 3, "ply": 1}, "upright dominoes"),
    ],
)
def test_what_cannot_be(fields: dict[str, Any], allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        Domineering(**fields)


def test_illegal_moves() -> None:
    position = Domineering(3, 3).move("b1")
    for move in ("a1", "b2", "c1", 9, -1):
        with pytest.raises(IllegalMove):
            position.move(move)
    assert position.legal_actions() == [6, 7]


@pytest.mark.plain
def test_every_move_has_a_place_on_the_picture() -> None:
    position = Domineering(5, 4).after("b2 c1")
    assert sorted(places(position)) == position.legal_actions()
    assert len(draw(position, 1).shapes) == len(draw(position).shapes) + 0
    assert len(draw(position, 2).shapes) == len(draw(position).shapes) + 1


# ---- what is known


def random_position(start: Domineering, rng: Random) -> Domineering:
    """An unfinished position of a random game."""
    game = [start]
    while not game[-1].is_terminal():
        game.append(game[-1].play(rng.choice(game[-1].legal_actions())))
    return rng.choice(game[:-1])


def test_real_and_safe_moves() -> None:
    """Against all ways to lay dominoes."""
    rng = Random(7)
    for _ in range(10 if SHALLOW else 40):
        position = random_position(Domineering(rng.randrange(2, 5), rng.randrange(2, 5)), rng)
        free = frozenset(
            (r, c)
            for r in range(position.height)
            for c in range(position.width)
            if position.cell(r, c) is None
        )
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
            position = random_position(start, rng)
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
        position = random_position(start, rng)
        keys = {
            smallest_image(known.image(position, i).free(), start.height, start.width)
            for i in range(4)
        }
        assert len(keys) == 1


# ---- the solver


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


def test_the_solver_equals_retrograde_analysis() -> None:
    solver, everything = DomineeringSolver(table_mb=1), Retrograde()
    for size in ((3, 3), (4, 3), (2, 5), (4, 4)):
        positions = list(reachable(Domineering(*size)))
        for position in Random(1).choices(positions, k=20 if SHALLOW else 100):
            assert solver.value(position) == everything.value(position)
            assert solver.values(position) == everything.values(position)


@pytest.mark.compiled
def test_squares() -> None:
    """2 to 7: D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, 2000."""
    solver = DomineeringSolver()
    assert "".join(outcome(size, size, solver) for size in range(2, 8)) == "111211"


def test_best_play() -> None:
    """A won position is won against all play that follows the solver's advice."""
    solver, rng = DomineeringSolver(table_mb=1), Random(2)
    for _ in range(5):
        position = random_position(Domineering(5, 5), rng)
        winner = position.to_move if solver.value(position) > 0 else 1 - position.to_move
        while not position.is_terminal():
            best = solver.analyse(position)
            assert best.proven
            assert (best.value > 0) == (position.to_move == winner)
            choices = position.legal_actions()
            position = position.play(best.action if best.value > 0 else rng.choice(choices))
        assert position.utility(winner) == 1


def test_it_refuses_what_it_cannot_solve() -> None:
    with pytest.raises(ValueError, match="7 x 8"):
        DomineeringSolver().value(Domineering())
    with pytest.raises(ValueError, match="plays domineering, not TicTacToe"):
        DomineeringSolver().act(TicTacToe())
    assert knowledge_of(Domineering()).solver is not None
