"""Nim against a second implementation, brute force, OpenSpiel and known counts."""

import random
from random import Random
from typing import Any

import numpy as np
import pytest
from games.naive_nim import NaiveNim, wins
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import IllegalMove, Nim, TicTacToe, reachable
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import places, svg
from agents import AlphaBeta, NimSolver, ProofNumber, Retrograde
from agents.games.nim import nim_sum, winner
from agents.grading.exact_values import exact_for

SHALLOW = disabled()

PERFT = lines_of_play("nim")


@kernel
def perft(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` plies there are."""
    lines = 0
    for action in range(0 if position.is_terminal() else position.num_actions):
        if position.legal(action):
            lines += 1 if depth == 1 else perft(position.play(action), depth - 1)
    return lines


def sizes(position: Nim) -> list[int]:
    return [position.size(heap) for heap in range(position.num_heaps)]


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


# ---- the rules


def test_perft() -> None:
    depths = PERFT[:4] if SHALLOW else PERFT
    assert tuple(perft(Nim(), depth) for depth in range(1, len(depths) + 1)) == depths


@settings(deadline=None)
@given(
    heaps=st.lists(st.integers(1, 9), min_size=1, max_size=8),
    misere=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_random_games_as_the_naive_one_plays_them(
    heaps: list[int], misere: bool, seed: int
) -> None:
    position = Nim(int("".join(map(str, heaps))), misere)
    naive, rng, number = NaiveNim(heaps, misere), Random(seed), len(heaps)
    assert (position.num_heaps, position.largest) == (number, max(heaps))
    while True:
        moves = {(a % number, a // number + 1): a for a in position.legal_actions()}
        assert sorted(moves) == sorted(naive.moves())
        seen = np.zeros(position.observation_shape)
        position.observe(position.to_move, seen)
        assert seen.tolist() == naive.heaps == sizes(position)
        position.check()
        assert position.is_terminal() == (naive.winner is not None)
        if naive.winner is not None:
            break
        assert position.to_move == naive.to_move
        move = rng.choice(sorted(moves))
        assert position.name(moves[move]) == f"{'abcdefgh'[move[0]]}{move[1]}"
        position = position.play(moves[move])
        naive.play(*move)
    assert [position.utility(player) for player in (0, 1)] == [1, -1][:: 1 - 2 * naive.winner]


def compare_with_open_spiel(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were. Actions are the same."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, plies = Random(seed), 0
    for _ in range(games):
        heaps = [rng.randint(1, 9) for _ in range(rng.randint(2, 8))]
        misere = rng.random() < 0.5
        text = f"nim(pile_sizes={';'.join(map(str, heaps))},is_misere={misere})"
        state = pyspiel.load_game(text).new_initial_state()
        position = Nim(int("".join(map(str, heaps))), misere)
        while not position.is_terminal():
            assert position.legal_actions() == state.legal_actions(), text
            assert position.to_move == state.current_player()
            assert str(state).split(": ")[1] == " ".join(map(str, sizes(position)))
            action = rng.choice(position.legal_actions())
            position = position.play(action)
            state.apply_action(action)
            plies += 1
        assert state.is_terminal()
        assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


def test_random_games_as_open_spiel_plays_them() -> None:
    assert compare_with_open_spiel(30, fresh_seed()) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    plies = compare_with_open_spiel(5000, fresh_seed())
    print(f"{plies} plies compared")
    assert plies > 30_000


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"heaps": 0}, "a digit from 1 to 9 for each of one to eight heaps"),
        ({"heaps": 105}, "and not be 105"),
        ({"heaps": 123456789}, "one to eight heaps"),
        ({"heaps": -13}, "not be -13"),
        ({"left": 1358}, "left must be 0 to 1357"),
        ({"left": 1285}, "heap c of left must be 0 to 5, not 8"),
        ({"left": -2}, "left must be"),
        ({"turn": 2}, "turn must be 0 to 1"),
    ],
)
def test_what_is_not_allowed(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Nim(**fields)


def test_moves_by_name() -> None:
    position = Nim().after("c3 a1 d7")
    assert sizes(position) == [0, 3, 2, 0]
    assert str(position) == "a\nb  |||\nc  ||\nd"
    assert position == Nim().after("c3 a1 d7") == Nim(left=320, turn=1)
    with pytest.raises(IllegalMove, match="'a1' is not a legal move; legal: b1, c1, b2, c2, b3"):
        position.move("a1")


# ---- the theory


@settings(deadline=None)
@given(
    heaps=st.lists(st.integers(1, 6), min_size=1, max_size=4),
    misere=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_the_theory_equals_brute_force(heaps: list[int], misere: bool, seed: int) -> None:
    start, rng = Nim(int("".join(map(str, heaps))), misere), Random(seed)
    position = start
    while not position.is_terminal():
        expected = wins(tuple(sorted(sizes(position))), misere)
        assert winner(position) == nim_sum(position) == (1 if expected else -1)
        position = position.play(rng.choice(position.legal_actions()))


@pytest.mark.parametrize("start", [Nim(123), Nim(133, misere=True), Nim(111, misere=True)])
def test_the_solver_equals_retrograde_analysis(start: Nim) -> None:
    """At every position: the value of every move, and a line of best play to the end."""
    solver, listed, graded = NimSolver(), Retrograde(), exact_for(start)
    for position in reachable(start):
        values = solver.values(position)
        assert values == listed.values(position)
        assert {a: 2 * v.value - 1 for a, v in graded.move_values(position).items()} == values
        if position.is_terminal():
            continue
        found = solver.analyse(position)
        assert found.value == max(values.values()) == solver.value(position)
        end = position.after(found.principal_variation)
        assert end.is_terminal()
        assert end.utility(position.to_move) == found.value


def test_searches_agree_with_the_theory() -> None:
    for start in (Nim(1357), Nim(135, misere=True), Nim(246)):
        expected = winner(start)
        assert ProofNumber().analyse(start).value == expected
        if not SHALLOW:
            assert AlphaBeta().analyse(start).value == expected


def test_only_nim_is_solved() -> None:
    with pytest.raises(ValueError, match="nim_solver solves nim, not TicTacToe"):
        NimSolver().analyse(TicTacToe())
    with pytest.raises(ValueError, match="over"):
        NimSolver().analyse(Nim(left=0))


def test_the_picture() -> None:
    position = Nim().move("c3")
    assert svg.svg(position, 10).count("<circle") == 16, "thirteen stones and three rings"
    assert svg.svg(position, 3).count("<circle") == 13, "that heap is full"
    for here in (Nim(), position, Nim(12345678)):
        found = places(here)
        assert list(found) == here.legal_actions()
        assert len({(place.x, place.y) for place in found.values()}) == len(found)
