"""Dark Hex against a second implementation and OpenSpiel, on whole trees of 2 x 2."""

from random import Random
from typing import Any

import pytest
from games.naive_phantom import NaivePhantom, joined
from games.phantom_cases import (
    fresh_seed,
    members_are_drawn,
    members_are_drawn_in_games,
    play_beside,
    play_beside_open_spiel,
    tree_beside_open_spiel,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import DarkHex

VERSIONS = pytest.mark.parametrize("abrupt", [False, True])


@settings(max_examples=60, deadline=None)
@given(size=st.integers(2, 5), abrupt=st.booleans(), seed=st.integers(0, 2**32))
def test_random_games_as_the_naive_one_plays_them(size: int, abrupt: bool, seed: int) -> None:
    play_beside(DarkHex(size, abrupt), NaivePhantom(size, abrupt, joined(size)), Random(seed))


@settings(max_examples=60, deadline=None)
@given(size=st.integers(2, 5), abrupt=st.booleans(), seed=st.integers(0, 2**32))
def test_the_winning_cells_join_the_edges_of_the_winner(size: int, abrupt: bool, seed: int) -> None:
    """A chain of the winner's stones, whoever has set more stones; nothing before the end."""
    position, rng = DarkHex(size, abrupt), Random(seed)
    while not position.is_terminal():
        for player in (0, 1):
            assert position.hidden(player).winning_cells() == []
        assert position.winning_cells() == []
        position = position.play(rng.choice(position.legal_actions()))
    cells, winner = position.winning_cells(), position.winner
    assert {position.cell(*cell) for cell in cells} == {winner}
    assert joined(size)(set(cells), winner)
    assert not joined(size)(set(cells[1:]), winner)  # no stone too many


def theirs(size: int, abrupt: bool) -> Any:
    pyspiel = pytest.importorskip("pyspiel")
    version = "adh" if abrupt else "cdh"
    return pyspiel.load_game(
        f"dark_hex(num_rows={size},num_cols={size},gameversion={version},obstype=reveal-nothing)"
    )


def compare_with_open_spiel(size: int, abrupt: bool, games: int) -> int:
    rng, plies = Random(fresh_seed()), 0
    game = theirs(size, abrupt)
    pairs: dict[Any, Any] = {}
    for _ in range(games):
        plies += play_beside_open_spiel(DarkHex(size, abrupt), game, rng, pairs)
    return plies


@VERSIONS
@pytest.mark.parametrize("size", [3, 4])
def test_random_games_as_open_spiel_plays_them(size: int, abrupt: bool) -> None:
    assert compare_with_open_spiel(size, abrupt, 30) > 0


@VERSIONS
@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them(abrupt: bool) -> None:
    plies = compare_with_open_spiel(3, abrupt, 10_000)
    print(f"{plies:,} plies compared")
    assert plies > 50_000


@VERSIONS
def test_the_whole_tree_is_that_of_open_spiel(abrupt: bool) -> None:
    tree_beside_open_spiel(DarkHex(2, abrupt), theirs(2, abrupt))


@VERSIONS
def test_a_view_may_be_each_of_the_positions_that_look_so(abrupt: bool) -> None:
    members_are_drawn(DarkHex(2, abrupt))
    rng = Random(fresh_seed())
    assert members_are_drawn_in_games(DarkHex(3, abrupt), rng, 3, 30) >= 3
