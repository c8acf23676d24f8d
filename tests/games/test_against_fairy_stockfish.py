"""Games that Fairy-Stockfish plays, turn by turn."""

import pytest
from games.cases import FISH
from games.laws import fresh_seed, swim_beside

from adv_envs.jit import disabled


@pytest.mark.parametrize("name", FISH)
def test_random_games(name: str) -> None:
    swim_beside(FISH[name], 3 if name == "amazons" else 40 if disabled() else 150, fresh_seed())


@pytest.mark.slow
@pytest.mark.parametrize("name", FISH)
def test_many_random_games(name: str) -> None:
    turns = 1000 if name == "amazons" else 20_000
    swim_beside(FISH[name]._replace(stride=1), turns, fresh_seed())


def test_the_law_can_fail() -> None:
    for wrong in ({"turns": lambda position: []}, {"real": lambda name: name != "a2a3"}):
        with pytest.raises(AssertionError):
            swim_beside(FISH["breakthrough"]._replace(**wrong), 10, 0)
