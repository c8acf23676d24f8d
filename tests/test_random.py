"""The one sampler of chance: each action has its share of the marks."""

from types import SimpleNamespace
from typing import Any

import pytest
from odd_games import Toss

from adv_envs import Pig
from adv_envs.random import chance_action


def chance(*probabilities: float) -> Any:
    return SimpleNamespace(
        num_actions=len(probabilities), probability=lambda action: probabilities[action]
    )


@pytest.mark.parametrize(
    ("position", "shares"),
    [
        (Toss().play(1), [0.25, 0.75]),
        (Toss(coins=1, tossed=True), [1, 0]),
        (Pig().play(0), [1 / 6] * 6),
        (chance(0, 0.5, 0, 0.5, 0), [0, 0.5, 0, 0.5, 0]),
    ],
)
def test_each_action_has_its_share(position: Any, shares: list[float]) -> None:
    marks = [(i + 0.5) / 12_000 for i in range(12_000)]
    drawn = [chance_action(position, mark) for mark in marks]
    assert [drawn.count(action) for action in range(len(shares))] == [
        round(12_000 * share) for share in shares
    ]
    assert drawn == sorted(drawn)


def test_where_the_sum_falls_short_the_last_one_possible_has_the_rest() -> None:
    tenths = chance(*[0.1] * 10, 0)
    assert sum([0.1] * 10) < 1
    assert chance_action(tenths, 1 - 2**-53) == 9
    assert chance_action(chance(0, 0.5, 0), 0.75) == 1
