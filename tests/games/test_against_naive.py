"""Every game against an obvious second implementation, written from the rules alone."""

from random import Random
from typing import Any

import pytest
from games.cases import TWINS
from games.laws import same_game
from games.naive_kalah import NaiveKalah
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adv_envs import Kalah


def play(name: str, examples: int) -> None:
    twin = TWINS[name]

    @settings(deadline=None, max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(games=twin.games, seed=st.integers(0, 2**32))
    def law(games: Any, seed: int) -> None:
        same_game(twin, *games, Random(seed))

    law()


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.plain if n == "chess" else []) for n in TWINS],
)
def test_random_games(name: str) -> None:
    play(name, TWINS[name].examples)


@pytest.mark.slow
@pytest.mark.parametrize("name", TWINS)
def test_many_random_games(name: str) -> None:
    play(name, 25 * TWINS[name].examples)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("actions", lambda self: [0, 1]),
        ("actions", lambda self: []),
        ("to_move", property(lambda self: 0, lambda self, value: None)),
        ("utility", lambda self, player: 7),
        ("observation", lambda self, player: self.holes),
    ],
)
def test_the_law_can_fail(part: str, wrong: Any) -> None:
    """A naive game that answers something else is found."""
    naive = type("Wrong", (NaiveKalah,), {part: wrong})
    with pytest.raises(AssertionError):
        same_game(TWINS["kalah"], Kalah(), naive(), Random(0))
