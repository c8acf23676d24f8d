"""Games of hidden information on whole trees: their sizes, views, values and equilibria."""

from itertools import permutations
from typing import Any

import pytest
from games.cases import TWINS
from games.laws import each_is_drawn, histories, members_of, same_tree, tree_size
from games.naive_best_response import nash_conv as naive_nash_conv
from games.naive_best_response import uniform
from games.naive_goofspiel import NaiveGoofspiel
from games.naive_kuhn import NaiveKuhn
from games.naive_liars_dice import NaiveLiarsDice
from games.naive_rock_paper_scissors import NaiveRockPaperScissors

from adv_envs import DarkHex, Goofspiel, Kuhn, Leduc, LiarsDice, RockPaperScissors
from agents.equilibrium import (
    CFR,
    constant,
    expected_utilities,
    exploitability,
    game_tree,
    nash_conv,
    plus,
    uniform_policy,
)
from agents.equilibrium.linear_program import solve_zero_sum
from agents.games import goofspiel, liars_dice

SECRET = {cards: Goofspiel(cards, -1, secret=True) for cards in (3, 4)}
SHUFFLED = Goofspiel(3, 0, secret=True)

SIZES = {
    SECRET[3]: (67, 36, 16),
    SHUFFLED: (418, 216, 90),
    SECRET[4]: (1_077, 576, 162),
    Goofspiel(4, -1): (1_077, 576, 2 * (1 + 16 + 16 * 9)),
    Kuhn(): (58, 30, 12),
    Kuhn(3): (617, 312, 48),
    Kuhn(4): (7_886, 3_960, 160),
    Leduc(): (9_457, 5_520, 936),
    LiarsDice(1, 2): (127, 60, 2 * 2**4),
    LiarsDice(1, 3): (1_147, 567, 3 * 2**6),
    LiarsDice(1, 4): (8_181, 4_080, 4 * 2**8),  # sets of bids, not all, that one has to answer
    LiarsDice(2, 2): (8_191, 4_080, 768),
    **{
        RockPaperScissors(rounds): (size, 9**rounds, 2 * (9**rounds - 1) // 8)
        for rounds, size in ((1, 13), (2, 121), (3, 1_093))
    },
}
"""All histories, the finished ones, and the information sets of all players."""


@pytest.mark.parametrize(("start", "size"), SIZES.items(), ids=repr)
def test_histories_and_information_sets(start: Any, size: tuple[int, int, int]) -> None:
    assert tree_size(start) == size
    if isinstance(start, Kuhn):
        assert start.state_space() == size[0]


@pytest.mark.parametrize(
    ("count", "start"),
    [
        *((goofspiel.num_histories, Goofspiel(4, -1)), (goofspiel.num_histories, SHUFFLED)),
        (goofspiel.num_histories, Goofspiel(5, 1, turns=2)),
        *((liars_dice.num_histories, LiarsDice(*size)) for size in ((1, 2), (1, 3), (1, 2, 3))),
    ],
)
def test_histories_are_counted(count: Any, start: Any) -> None:
    assert count(start) == tree_size(start)[0]


@pytest.mark.parametrize(
    ("name", "naive", "start", "given"),
    [
        *(
            ("goofspiel", NaiveGoofspiel, start, start[:5])
            for start in (
                *(SECRET[4], Goofspiel(4, 1), SHUFFLED, Goofspiel(3, 0)),
                Goofspiel(4, -1, secret=True, turns=2),
            )
        ),
        *(
            ("liars_dice", NaiveLiarsDice, LiarsDice(*size), size)
            for size in ((1, 3), (2, 2), (1, 2, 3), (1, 4))
        ),
        *(
            ("rock_paper_scissors", NaiveRockPaperScissors, RockPaperScissors(rounds), (rounds,))
            for rounds in (1, 2)
        ),
    ],
)
def test_all_histories_as_the_naive_one_plays_them(
    name: str, naive: Any, start: Any, given: Any
) -> None:
    same_tree(TWINS[name], start, naive(*given))


@pytest.mark.parametrize(("players", "ends"), [(2, 30), (3, 312), (4, 3_960)])
def test_all_histories_of_kuhn_poker_as_the_naive_one_plays_them(players: int, ends: int) -> None:
    deals = permutations(range(players + 1), players)
    starts = [(Kuhn(players).after(deal), NaiveKuhn([*deal])) for deal in deals]
    assert sum(same_tree(TWINS["kuhn"], *start) for start in starts) == ends


@pytest.mark.parametrize(
    ("start", "most"),
    [
        *((start, 120) for start in (SECRET[4], Goofspiel(4, 1), SHUFFLED)),
        *((start, 60) for start in (LiarsDice(2, 2), LiarsDice(1, 2, 3))),
        *((start, 999) for start in (Kuhn(), Kuhn(3), RockPaperScissors(2))),
        *((DarkHex(2, abrupt), 10**9) for abrupt in (False, True)),
    ],
)
def test_a_view_may_be_each_of_the_positions_that_look_so(start: Any, most: int) -> None:
    each_is_drawn(members_of(histories(start)), most)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (SECRET[3], 4 / 3),
        (SECRET[4], 17 / 12),
        (Kuhn(), 11 / 12),
        (Kuhn(3), 2.0625),
        (Leduc(), 4.747222222222),  # OpenSpiel's number
        (RockPaperScissors(), 0),
        (RockPaperScissors(2), 0),
    ],
)
def test_what_all_gain_against_uniform_play(start: Any, expected: float) -> None:
    """NashConv, by looking at everything, and by the tree."""
    assert naive_nash_conv(start, uniform) == pytest.approx(expected, abs=1e-9)
    assert nash_conv(uniform_policy(start)) == pytest.approx(expected, abs=1e-9)


def test_what_all_gain_against_uniform_play_at_liars_dice() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    algorithms = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    game = pyspiel.load_game("liars_dice", {"dice_sides": 3})
    expected = algorithms.nash_conv(game, policies.UniformRandomPolicy(game))
    assert nash_conv(uniform_policy(LiarsDice(1, 3))) == pytest.approx(expected, abs=1e-12)
    assert naive_nash_conv(LiarsDice(1, 3), uniform) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_what_all_gain_against_uniform_play_with_six_sides() -> None:
    assert nash_conv(uniform_policy(LiarsDice())) == pytest.approx(1.561489, abs=5e-7)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("start", "schedule", "expected"),
    [
        (SECRET[4], constant, (0.7083333, 0.1497, 0.03259, 0.00448)),
        (SECRET[4], plus, (0.7083333, 0.1430, 0.01113, 0.00027)),
        (LiarsDice(sides=4), constant, (0.6550595, 0.1416, 0.01704)),
        (LiarsDice(sides=4), plus, (0.6550595, 0.1066, 0.00230)),
    ],
)
def test_regret_minimisation_as_open_spiel_does_it(
    start: Any, schedule: Any, expected: tuple[float, ...]
) -> None:
    """Exploitability of the average policy after 1, 10, 100 and 1000 iterations."""
    solver, done = CFR(game_tree(start), schedule), 0
    for iterations, number, digits in zip((1, 10, 100, 1000), expected, (7, 4, 5, 5), strict=False):
        solver.run(iterations - done)
        done = iterations
        assert round(exploitability(solver.average()), digits) == number


@pytest.mark.parametrize(
    ("start", "value"),
    [
        *((start, 0) for start in (SECRET[4], SHUFFLED, Goofspiel(4, 1, margin=True))),
        *((LiarsDice(*size), value) for size, value in (((1, 2), 1 / 2), ((1, 3), 1 / 9))),
        *((LiarsDice(*size), value) for size, value in (((1, 4), 1 / 16), ((2, 2), 7 / 8))),
        pytest.param(LiarsDice(sides=5), 1 / 125, marks=pytest.mark.slow),
        # OpenSpiel's number by linear programming; with blinds, what was found here.
        pytest.param(Leduc(), -0.085606424078, marks=pytest.mark.compiled),
        pytest.param(Leduc(blinds=True), 0.023825385128, marks=pytest.mark.compiled),
    ],
)
def test_values(start: Any, value: float) -> None:
    pytest.importorskip("scipy")
    found = solve_zero_sum(game_tree(start))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert exploitability(found.policy) < 1e-8
    assert expected_utilities(found.policy) == pytest.approx([value, -value], abs=1e-9)
