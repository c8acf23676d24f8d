"""What the tests of all adapters share: the fixture ``same_games``."""

import gymnasium
import pytest
from adapters.environments import COUNTS
from adapters.reference import CASES, played_directly

import adv_envs


@pytest.fixture
def same_games(record_property):
    """A function that plays all ``CASES`` by ``play(case)``, and compares the records.

    ``tests/adapters/environments.py`` prints the numbers of those that were equal.
    """

    def compare(play):
        pairs = [(case, play(case), played_directly(case)) for case in CASES]
        same = [
            (
                played.moves == direct.moves and played.outcomes == direct.outcomes,
                played.result == direct.result and played.failure == direct.failure,
                (played.graded, played.kept, played.mean_regret)
                == (direct.graded, direct.kept, direct.mean_regret),
            )
            for _, played, direct in pairs
        ]
        counts = [len(pairs), *(sum(column) for column in zip(*same, strict=True))]
        for name, count in zip(COUNTS, counts, strict=True):
            record_property(name, count)
        differing = [str(case) for case, played, direct in pairs if played != direct]
        assert not differing

    return compare


class OwnGame(adv_envs.TicTacToe):
    """Represents tic-tac-toe under a name of somebody else."""


@pytest.fixture
def own_game():
    """The name of a game that somebody else has registered."""
    adv_envs.register("own_game", OwnGame)
    yield "own_game"
    del adv_envs.GAMES["own_game"]
    for kind in ("", "Text"):
        del gymnasium.registry[f"adv_envs/OwnGame{kind}-v0"]
