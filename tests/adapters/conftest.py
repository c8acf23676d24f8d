"""What the tests of all adapters share: the fixture ``same_games``."""

import pytest
from adapters.environments import COUNTS
from adapters.reference import CASES, played_directly


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
