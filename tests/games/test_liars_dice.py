"""Liar's dice against a second implementation, OpenSpiel, and known counts and values."""

import random
from random import Random
from typing import Any

import numpy as np
import pytest
from games.naive_best_response import nash_conv as naive_nash_conv
from games.naive_best_response import uniform
from games.naive_liars_dice import NaiveLiarsDice
from games.trees import compare_with_state, histories, tree_size
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import CHANCE, IllegalMove, LiarsDice
from adv_envs.pictures import draw, places
from adv_envs.random import scattered
from agents.equilibrium import (
    CFR,
    constant,
    exploitability,
    game_tree,
    nash_conv,
    plus,
    uniform_policy,
)
from agents.equilibrium.linear_program import solve_zero_sum
from agents.games.liars_dice import num_histories


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


# ---- the rules


@settings(deadline=None)
@given(
    dice=st.integers(1, 4),
    sides=st.integers(2, 12),
    num_players=st.integers(2, 10),
    seed=st.integers(0, 2**32),
)
def test_random_games_as_the_naive_one_plays_them(
    dice: int, sides: int, num_players: int, seed: int
) -> None:
    position = LiarsDice(dice, sides, num_players)
    naive, rng = NaiveLiarsDice(dice, sides, num_players), Random(seed)
    while True:
        moves = {position.name(action): action for action in position.legal_actions()}
        assert list(moves) == naive.moves()
        assert position.is_terminal() == (naive.caller is not None)
        position.check()
        if position.is_terminal():
            break
        assert position.to_move == naive.to_move
        for player in range(num_players):
            dice_seen = position.hidden(player).dice_of(player)
            assert dice_seen == sorted(naive.rolls[player])
        some = list(moves)[: sides + 1] + list(moves)[-1:]
        move = rng.choice(some)
        position = position.play(moves[move])
        naive.play(move)
    assert [position.utility(player) for player in range(num_players)] == naive.result()


@pytest.mark.parametrize(
    "start", [LiarsDice(1, 3), LiarsDice(2, 2), LiarsDice(1, 2, 3), LiarsDice(1, 4)]
)
def test_information_sets_as_the_naive_one_has_them(start: LiarsDice) -> None:
    """At every history: two positions look the same to a player where the naive ones do."""
    seen: dict[object, LiarsDice] = {}
    views: dict[object, object] = {}
    for position, history in histories(start):
        naive = NaiveLiarsDice(start.dice, start.sides, start.num_players)
        here = start
        for action in history:
            naive.play(here.name(action))
            here = here.play(action)
        for player in range(0 if position.is_terminal() else start.num_players):
            view, expected = position.hidden(player), naive.seen(player)
            assert seen.setdefault((player, expected), view) == view
            assert views.setdefault((player, view), expected) == expected


@pytest.mark.parametrize(
    ("start", "size"),
    [
        (LiarsDice(1, 2), (127, 60, 32)),
        (LiarsDice(1, 3), (1_147, 567, 192)),
        (LiarsDice(1, 4), (8_181, 4_080, 1_024)),
        (LiarsDice(2, 2), (8_191, 4_080, 768)),
    ],
)
def test_histories_and_information_sets(start: LiarsDice, size: tuple[int, int, int]) -> None:
    """All histories, the finished ones, and the information sets of both players."""
    assert tree_size(start) == size
    if start.dice == 1:  # a set of bids, not all of them, that somebody has to answer
        assert size[2] == start.sides * 2 ** (2 * start.sides)


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 3), (1, 4), (2, 2)])
def test_the_whole_tree_is_that_of_open_spiel(dice: int, sides: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("liars_dice", {"numdice": dice, "dice_sides": sides})
    start = LiarsDice(dice, sides)
    assert start.num_actions == game.num_distinct_actions()
    assert start.observation_shape == tuple(game.information_state_tensor_shape())
    assert compare_with_state(start, game.new_initial_state()) == tree_size(start)[0]


def compare_with_open_spiel(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were. Actions are the same."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, plies = Random(seed), 0
    for _ in range(games):
        dice, sides = rng.randint(1, 5), rng.randint(2, 9)
        game = pyspiel.load_game("liars_dice", {"numdice": dice, "dice_sides": sides})
        state, position = game.new_initial_state(), LiarsDice(dice, sides)
        while not position.is_terminal():
            assert position.legal_actions() == state.legal_actions()
            assert (position.to_move == CHANCE) == state.is_chance_node()
            if not state.is_chance_node():
                assert position.to_move == state.current_player()
                compare_observations(position, state)
            action = rng.choice(position.legal_actions()[: 2 * sides])
            if action + 1 == position.liar or rng.random() < 0.05:
                action = position.legal_actions()[-1]
            position = position.play(action)
            state.apply_action(action)
            plies += 1
        compare_observations(position, state)
        assert state.is_terminal()
        assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


def compare_observations(position: LiarsDice, state: Any) -> None:
    for player in (0, 1):
        seen = np.zeros(position.observation_shape)
        position.observe(player, seen)
        assert seen.tolist() == state.information_state_tensor(player)


def test_random_games_as_open_spiel_plays_them() -> None:
    assert compare_with_open_spiel(40, fresh_seed()) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    plies = compare_with_open_spiel(5000, fresh_seed())
    print(f"{plies} plies compared")
    assert plies > 50_000


# ---- values


def test_uniform_play_can_be_exploited() -> None:
    """The sum of what both can win more, NashConv, by looking at everything, and OpenSpiel's."""
    pyspiel = pytest.importorskip("pyspiel")
    algorithms = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    game = pyspiel.load_game("liars_dice", {"dice_sides": 3})
    expected = algorithms.nash_conv(game, policies.UniformRandomPolicy(game))
    assert nash_conv(uniform_policy(LiarsDice(1, 3))) == pytest.approx(expected, abs=1e-12)
    assert naive_nash_conv(LiarsDice(1, 3), uniform) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_uniform_play_with_six_sides() -> None:
    assert nash_conv(uniform_policy(LiarsDice())) == pytest.approx(1.561489, abs=5e-7)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("schedule", "expected"),
    [(constant, (0.6550595, 0.1416, 0.01704)), (plus, (0.6550595, 0.1066, 0.00230))],
)
def test_regret_minimisation_as_open_spiel_does_it(
    schedule: Any, expected: tuple[float, ...]
) -> None:
    """Exploitability of the average policy after 1, 10 and 100 iterations, with 4 sides."""
    solver, done = CFR(game_tree(LiarsDice(sides=4)), schedule), 0
    for iterations, number, digits in zip((1, 10, 100), expected, (7, 4, 5), strict=True):
        solver.run(iterations - done)
        done = iterations
        assert round(exploitability(solver.average()), digits) == number


@pytest.mark.parametrize(
    ("dice", "sides", "value"), [(1, 2, 1 / 2), (1, 3, 1 / 9), (1, 4, 1 / 16), (2, 2, 7 / 8)]
)
def test_values(dice: int, sides: int, value: float) -> None:
    pytest.importorskip("scipy")
    found = solve_zero_sum(game_tree(LiarsDice(dice, sides)))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert exploitability(found.policy) < 1e-8


@pytest.mark.slow
def test_the_value_with_five_sides() -> None:
    pytest.importorskip("scipy")
    assert solve_zero_sum(game_tree(LiarsDice(sides=5))).value == pytest.approx(1 / 125, abs=1e-9)


@pytest.mark.parametrize("start", [LiarsDice(1, 2), LiarsDice(1, 3), LiarsDice(1, 2, 3)])
def test_histories_are_counted(start: LiarsDice) -> None:
    assert num_histories(start) == tree_size(start)[0]


# ---- what is hidden


@pytest.mark.parametrize("start", [LiarsDice(2, 2), LiarsDice(1, 2, 3)])
def test_every_position_of_an_information_set_may_be_determined(start: LiarsDice) -> None:
    sets: dict[tuple[int, LiarsDice], set[LiarsDice]] = {}
    for position, _ in histories(start):
        for player in range(0 if position.is_terminal() else start.num_players):
            sets.setdefault((player, position.hidden(player)), set()).add(position)
    rng = Random(1)
    for (player, view), members in rng.sample(sorted(sets.items()), 60):
        states = [scattered(rng.getrandbits(62)) for _ in range(40 * len(members))]
        assert {view.determinized(player, state) for state in states} == members


def test_dice_are_shown_at_the_end() -> None:
    position = LiarsDice().after("3 6 1-3 2-3")
    view = position.hidden(0)
    assert str(view) == "> player 0   3\n  player 1   ?\n  bids       1-3 2-3"
    assert (view.dice_of(0), view.dice_of(1)) == ([3], [])
    assert str(position.hidden(1)).startswith("> player 0   ?\n  player 1   6")
    over = position.move("liar")
    assert over.hidden(0) == over.hidden(1) == over
    assert (over.utility(0), over.utility(1)) == (-1, 1), "the 6 is wild, so 2-3 is true"
    assert str(over) == "  player 0   3\n  player 1   6\n  bids       1-3 2-3 liar"


def test_three_players() -> None:
    over = LiarsDice(2, 6, 3).after("1 2 3 4 5 5 1-5 4-5 liar")
    assert [over.utility(player) for player in range(3)] == [0, -1, 1]
    over = LiarsDice(2, 6, 3).after("1 2 3 4 5 6 1-5 2-5 liar")
    assert [over.utility(player) for player in range(3)] == [0, 1, -1]
    assert over.dice_of(2) == [5, 6]
    assert over.showing(2, 5) == 1


# ---- what is not allowed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dice": 0}, "dice must be 1 to 10"),
        ({"sides": 1}, "sides must be 2 to 12"),
        ({"sides": 13}, "sides must be 2 to 12"),
        ({"players": 1}, "players must be 2 to 10"),
        ({"rolled": 3}, "rolled must be 0 to 2"),
        ({"bids": 1}, "all dice must be rolled"),
        ({"rolled": 2, "bids": 1 << 13}, "bids must be a set of actions"),
        ({"rolled": 2, "bids": 1 << 12}, "bids must be a set of actions"),
        ({"rolled": 2, "faces": 0x11}, "faces must show 1 dice of player 0, not 2"),
        ({"rolled": 1, "faces": 0x1000000}, "faces must show 0 dice of player 1, not 1"),
        ({"rolled": 2, "faces": 1, "bids": 0x1001}, "faces must show 1 dice of player 1, not 0"),
        ({"rolled": 2, "faces": 1 << 48}, "faces must have a digit for each player and face"),
    ],
)
def test_impossible_positions(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LiarsDice(**fields)


def test_illegal_moves() -> None:
    position = LiarsDice().after("3 6")
    with pytest.raises(IllegalMove, match="'liar' is not a legal move; legal: 1-1, 1-2"):
        position.move("liar")
    with pytest.raises(IllegalMove, match="'1-2', is not legal; legal: 1-3, 1-4"):
        position.after("1-2 1-2")
    assert position.after("2-6").legal_actions() == [12]


# ---- the picture


def test_the_picture_shows_no_more_than_the_view() -> None:
    position = LiarsDice(2, 6).after("3 4 5 6 1-3 2-3")
    other = LiarsDice(2, 6).after("3 4 1 1 1-3 2-3")
    assert position.hidden(0).svg(8) == other.hidden(0).svg(8)
    assert position.hidden(1).svg(8) != other.hidden(1).svg(8)
    assert position.svg(8).count("<circle") == position.hidden(0).svg(8).count("<circle") + 11


def test_bids_have_their_places() -> None:
    for position in (LiarsDice().after("3 6"), LiarsDice(5, 6, 2).after([0] * 10 + [7])):
        found = places(position)
        assert list(found) == position.legal_actions()
        assert len({(place.x, place.y) for place in found.values()}) == len(found)
    assert places(LiarsDice()) == {}
    assert draw(LiarsDice()).title == "The dice roll"
    assert draw(LiarsDice().after("3 6 1-3 liar")).title == "Player 0 wins: 1-3 is true"
    assert draw(LiarsDice().after("3 6 1-1 2-1 liar")).title == "Player 0 wins: 2-1 is false"
