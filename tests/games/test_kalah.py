"""Kalah against a second implementation, OpenSpiel's mancala, known counts and known margins."""

import re
from random import Random, randrange
from typing import Any

import numpy as np
import pytest
from games.naive_kalah import NaiveKalah
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import IllegalMove, Kalah, TicTacToe, reachable
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import draw
from agents import MarginSolver, make
from agents.games.kalah import lead, left
from agents.grading.exact_values import exact_for

SHALLOW = disabled()

PERFT = lines_of_play("kalah")

MARGINS = {
    1: (0, -2, 6, -2, 2, 0),
    2: (2, -2, -2, -10),
    3: (0, 4, 2),
    4: (2, 6),
}
"""By pits, then seeds from 1 on: the margin of the first player, computed by others."""


@kernel
def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(0 if position.is_terminal() else position.num_actions):
        if position.legal(action):
            lines += perft(position.play(action), depth - 1)
    return lines


def seen(position: Kalah, player: int) -> list[int]:
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return [int(number) for number in planes]


def random_game(start: Kalah, rng: Random, least: int = 0) -> Kalah:
    """A position of a random game in which at most ``least`` seeds are left, if there is one."""
    position = start
    while not position.is_terminal() and left(position) > least:
        position = position.play(rng.choice(position.legal_actions()))
    return position


# ---- the rules


def test_perft() -> None:
    depths = PERFT[:5] if SHALLOW else PERFT
    assert tuple(perft(Kalah(), depth) for depth in range(1, len(depths) + 1)) == depths


@settings(deadline=None, max_examples=40)
@given(
    pits=st.integers(1, 6),
    seeds=st.integers(1, 21),
    empty_capture=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_random_games_as_the_naive_one_plays_them(
    pits: int, seeds: int, empty_capture: bool, seed: int
) -> None:
    seeds = min(seeds, 255 // (2 * pits))
    position, naive = Kalah(pits, seeds, empty_capture), NaiveKalah(pits, seeds, empty_capture)
    rng = Random(seed)
    while True:
        assert position.is_terminal() == naive.is_over()
        assert position.legal_actions() == naive.actions()
        for player in (0, 1):
            assert seen(position, player) == naive.seen_by(player)
        position.check()
        if position.is_terminal():
            break
        assert position.to_move == naive.to_move
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        naive.play(action)
    assert position.utility(0) == -position.utility(1) == naive.margin()


def compare_with_open_spiel(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, plies, mancala = Random(seed), 0, pyspiel.load_game("mancala")
    for _ in range(games):
        position, state = Kalah(), mancala.new_initial_state()
        while not position.is_terminal():
            where = f"seed {seed}: {state.history()}"
            assert not state.is_terminal(), where
            first = (1, 8)[position.to_move]
            legal = position.legal_actions()
            assert position.to_move == state.current_player(), where
            assert [action + first for action in legal] == state.legal_actions(), where
            board = state.observation_tensor(0)[:14]
            assert seen(position, 0) == [*board[1:8], *board[8:], board[0]], where
            action = rng.choice(legal)
            position = position.play(action)
            state.apply_action(action + first)
            plies += 1
        assert state.is_terminal(), f"seed {seed}: {state.history()}"
        assert np.sign(position.utility(0)) == state.returns()[0], f"seed {seed}: {state.history()}"
    return plies


def test_random_games_as_open_spiel_plays_them() -> None:
    assert compare_with_open_spiel(10, randrange(2**32)) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    plies = compare_with_open_spiel(5000, randrange(2**32))
    print(f"{plies} plies compared")
    assert plies > 100_000


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


# ---- values


@pytest.mark.parametrize("pits", MARGINS)
def test_known_margins(pits: int) -> None:
    most = 3 if SHALLOW and pits == 3 else 6
    for seeds, margin in enumerate(MARGINS[pits][: most - 1], 1):
        assert MarginSolver(table_mb=1).value(Kalah(pits, seeds)) == margin


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize("size", [(1, 5), (2, 2), (2, 3), (3, 1), (3, 2)], ids=str)
def test_the_solver_equals_retrograde_analysis(size: tuple[int, int], empty_capture: bool) -> None:
    start, solver, all_of_them = Kalah(*size, empty_capture), MarginSolver(1), make("retrograde()")
    positions = list(reachable(start))
    for position in Random(1).sample(positions, min(len(positions), 60)):
        assert solver.value(position) == all_of_them.value(position)
        assert solver.values(position) == all_of_them.values(position)


@pytest.mark.compiled
def test_the_solver_equals_alpha_beta_at_the_end_of_the_full_game() -> None:
    solver, search = MarginSolver(table_mb=4), make("alpha_beta(nodes=9000000)")
    for seed in range(8):
        position = random_game(Kalah(empty_capture=seed % 2 == 1), Random(seed), least=12)
        if not position.is_terminal():
            found = solver.analyse(position)
            assert found.proven
            assert found.value == search.analyse(position).value
            played = position.after(found.principal_variation)
            assert played.is_terminal()
            assert played.utility(position.to_move) == found.value


@pytest.mark.compiled
def test_four_pits_of_four_seeds() -> None:
    """The first player wins both: G. Irving et al., 2000; by how much, we computed."""
    assert MarginSolver().value(Kalah(4, 4)) == 2
    assert MarginSolver().value(Kalah(4, 4, empty_capture=True)) == 2


@pytest.mark.slow
def test_six_pits_of_three_seeds() -> None:
    assert MarginSolver(table_mb=200).value(Kalah(6, 3)) == 2


def test_report_cards_of_endings() -> None:
    exact = exact_for(Kalah())
    late = random_game(Kalah(), Random(3), least=6 if SHALLOW else 20)
    assert exact.is_quick(late)
    assert not exact.is_feasible(Kalah())
    assert {a: v.value for a, v in exact.move_values(late).items()} == MarginSolver().values(late)
    assert 0 < exact.progress(late) < 1


def test_the_evaluation_is_antisymmetric() -> None:
    for seed in range(20):
        position = random_game(Kalah(), Random(seed), least=seed)
        if not position.is_terminal():
            turned = position._replace(
                own=position.opp, opp=position.own, to_move=1 - position.to_move
            )
            assert lead(turned) == -lead(position)
    assert lead(Kalah()) == 0


# ---- text, pictures, and what is refused


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
    assert draw(over).title == "Player 0 wins by 6"
    assert draw(Kalah(1, 1).move("1")).title == "Draw"


@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({"pits": 0}, "pits must be 1 to 6, not 0"),
        ({"pits": 7}, "pits must be 1 to 6, not 7"),
        ({"pits": 10**12}, "pits must be 1 to 6"),
        ({"seeds": 0}, "seeds must be 1 to 21, not 0"),
        ({"seeds": 22}, "seeds must be 1 to 21, not 22"),
        ({"pits": 1, "seeds": 128}, "seeds must be 1 to 127, not 128"),
        ({"own": 0}, "opp must be 0 to"),
        ({"own": 0, "opp": 0}, "there must be 48 seeds in all, not 0"),
        ({"own": 48, "opp": 0}, "a row is empty, so the game is over"),
        ({"own": 48, "opp": 1 << 56}, "opp must be 0 to"),
        ({"to_move": 2}, "to_move must be 0 to 1, not 2"),
    ],
)
def test_what_cannot_be(parameters: dict[str, int], allowed: str) -> None:
    with pytest.raises(ValueError, match=re.escape(allowed)):
        Kalah(**parameters)


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMove, match="legal: 1, 2, 4, 5, 6"):
        Kalah().after("3 3")
    with pytest.raises(ValueError, match="margin_solver solves games with margins"):
        MarginSolver().value(TicTacToe())
