"""Phantom tic-tac-toe against a second implementation and OpenSpiel."""

from random import Random
from typing import Any

import pytest
from games.naive_phantom import NaivePhantom, three_in_a_row
from games.phantom_cases import (
    fresh_seed,
    members_are_drawn_in_games,
    play_beside,
    play_beside_open_spiel,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import IllegalMove, PhantomTicTacToe

VERSIONS = pytest.mark.parametrize("abrupt", [False, True])


@settings(max_examples=60, deadline=None)
@given(abrupt=st.booleans(), seed=st.integers(0, 2**32))
def test_random_games_as_the_naive_one_plays_them(abrupt: bool, seed: int) -> None:
    naive = NaivePhantom(3, abrupt, three_in_a_row)
    play_beside(PhantomTicTacToe(abrupt), naive, Random(seed))


def compare_with_open_spiel(abrupt: bool, games: int) -> int:
    pyspiel = pytest.importorskip("pyspiel")
    version = "abrupt" if abrupt else "classical"
    game = pyspiel.load_game(f"phantom_ttt(obstype=reveal-nothing,gameversion={version})")
    rng, plies = Random(fresh_seed()), 0
    pairs: dict[Any, Any] = {}
    for _ in range(games):
        plies += play_beside_open_spiel(PhantomTicTacToe(abrupt), game, rng, pairs)
    return plies


@VERSIONS
def test_random_games_as_open_spiel_plays_them(abrupt: bool) -> None:
    assert compare_with_open_spiel(abrupt, 50) > 0


@VERSIONS
@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them(abrupt: bool) -> None:
    plies = compare_with_open_spiel(abrupt, 10_000)
    print(f"{plies:,} plies compared")
    assert plies > 50_000


@VERSIONS
def test_a_view_may_be_each_of_the_positions_that_look_so(abrupt: bool) -> None:
    rng = Random(fresh_seed())
    assert members_are_drawn_in_games(PhantomTicTacToe(abrupt), rng, 3, 30) >= 3


def test_what_is_told() -> None:
    """In the classical game a failed attempt is repeated, in the abrupt one it costs the turn."""
    taken = PhantomTicTacToe().after("b2 b2")
    assert (taken.to_move, taken.name(4)) == (1, "b2")
    assert 4 not in taken.legal_actions()
    assert taken.hidden(0) == PhantomTicTacToe().after("b2").hidden(0)
    lost = PhantomTicTacToe(abrupt=True).after("b2 b2")
    assert lost.to_move == 0
    assert lost.hidden(0) == PhantomTicTacToe(abrupt=True).after("b2 a1").hidden(0)
    assert lost.hidden(1).observation_shape == (3, 3, 3)


def test_the_order_of_attempts_is_remembered() -> None:
    one, other = PhantomTicTacToe().after("a1 b1 c3"), PhantomTicTacToe().after("c3 b1 a1")
    assert one.hidden(0) != other.hidden(0)
    assert one.hidden(1) == other.hidden(1)


def test_text() -> None:
    position = PhantomTicTacToe().after("b2 b2 a1")
    assert str(position) == (
        "   a b c\n 1 O . .\n 2 . X .\n 3 . . .\nX tried b2\nO tried b2 (taken), a1"
    )
    assert str(position.hidden(0)) == "   a b c\n 1 ? ? ?\n 2 ? X ?\n 3 ? ? ?\nX tried b2"
    assert PhantomTicTacToe.from_text("XO.\n...\n...") == PhantomTicTacToe().after("a1 b1")


def test_what_is_not_allowed() -> None:
    with pytest.raises(IllegalMove, match="b2"):
        PhantomTicTacToe().after("b2 b2 b2")
    with pytest.raises(ValueError, match="use after"):
        PhantomTicTacToe(own=1, opp_tried=1, turn=0)
    with pytest.raises(ValueError, match="each once"):
        PhantomTicTacToe(own=1, own_tried=0x11)
    with pytest.raises(ValueError, match="no attempts of the other"):
        PhantomTicTacToe(own=1, own_tried=1, opp_tried=2, viewer=0)
    with pytest.raises(ValueError, match="no others"):
        PhantomTicTacToe(own=1, viewer=0)
    two_met = {"own": 1, "opp": 6, "own_tried": 0x123, "viewer": 0}
    assert PhantomTicTacToe(True, **two_met).determinized(0, 1).attempts(1)[:2] == [1, 2]
    with pytest.raises(ValueError, match="no position has this view"):
        PhantomTicTacToe(False, **two_met)
    with pytest.raises(ValueError, match="no position has this view"):
        PhantomTicTacToe(opp=1, own_tried=1, viewer=0)
    with pytest.raises(ValueError, match="viewer"):
        PhantomTicTacToe(viewer=2)
