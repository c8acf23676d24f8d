"""Goofspiel against a second implementation, OpenSpiel, and known counts and values."""

import random
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from games.naive_best_response import nash_conv as naive_nash_conv
from games.naive_best_response import uniform
from games.naive_goofspiel import NaiveGoofspiel
from games.trees import compare_with_state, histories, tree_size
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import CHANCE, Goofspiel, IllegalMove
from adv_envs.games.goofspiel import ORDERS, bids_behind, taker
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
from agents.games.goofspiel import num_histories


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


# ---- the rules


@settings(deadline=None)
@given(
    cards=st.integers(2, 15),
    order=st.integers(-1, 1),
    secret=st.booleans(),
    margin=st.booleans(),
    turns=st.integers(0, 15),
    seed=st.integers(0, 2**32),
)
def test_random_games_as_the_naive_one_plays_them(
    cards: int, order: int, secret: bool, margin: bool, turns: int, seed: int
) -> None:
    turns = min(turns, cards)
    position, rng = Goofspiel(cards, order, secret, margin, turns), Random(seed)
    naive = NaiveGoofspiel(cards, order, secret, margin, turns)
    while True:
        assert [action + 1 for action in position.legal_actions()] == naive.moves()
        assert position.is_terminal() == naive.over
        assert [position.points(0), position.points(1)] == naive.points()
        assert [i for i in range(16) if position.taken >> 4 * i & 15] == [
            i for i, _ in enumerate(naive.winners())
        ]
        position.check()
        if naive.over:
            break
        assert position.to_move == naive.to_move
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        naive.play(action + 1)
    assert [position.utility(player) for player in (0, 1)] == naive.result()


@pytest.mark.parametrize(
    "start",
    [
        Goofspiel(4, -1, secret=True),
        Goofspiel(4, 1),
        Goofspiel(3, 0, secret=True),
        Goofspiel(3, 0),
        Goofspiel(4, -1, secret=True, turns=2),
    ],
)
def test_information_sets_as_the_naive_one_has_them(start: Goofspiel) -> None:
    """At every history: two positions look the same to a player where the naive ones do."""
    seen: dict[object, Goofspiel] = {}
    views: dict[object, object] = {}
    for position, history in histories(start):
        naive = NaiveGoofspiel(*start[:5])
        for action in history:
            naive.play(action + 1)
        for player in range(0 if position.is_terminal() else 2):
            view, expected = position.hidden(player), naive.seen(player)
            assert seen.setdefault((player, expected), view) == view
            assert views.setdefault((player, view), expected) == expected


@pytest.mark.parametrize(
    ("start", "size"),
    [
        (Goofspiel(3, -1, secret=True), (67, 36, 16)),
        (Goofspiel(3, 0, secret=True), (418, 216, 90)),
        (Goofspiel(4, -1, secret=True), (1_077, 576, 162)),
        (Goofspiel(4, -1), (1_077, 576, 2 * (1 + 16 + 16 * 9))),
    ],
)
def test_histories_and_information_sets(start: Goofspiel, size: tuple[int, int, int]) -> None:
    """All histories, the finished ones, and the information sets of both players."""
    assert tree_size(start) == size


def game_of(pyspiel: Any, start: Goofspiel) -> Any:
    """The same game of OpenSpiel, in which the players take turns."""
    parameters = {
        "num_cards": start.cards,
        "points_order": ORDERS[start.order],
        "imp_info": start.secret,
        "returns_type": "point_difference" if start.margin else "win_loss",
        "num_turns": start.turns or -1,
    }
    return pyspiel.convert_to_turn_based(pyspiel.load_game("goofspiel", parameters))


@pytest.mark.parametrize(
    "start",
    [
        Goofspiel(3, -1, secret=True),
        Goofspiel(3, 0, secret=True),
        Goofspiel(4, -1, secret=True),
        Goofspiel(4, 1, secret=True, margin=True),
        Goofspiel(5, 1, secret=True, turns=2),
        Goofspiel(4, 0, secret=True, turns=2),
    ],
)
def test_the_whole_tree_is_that_of_open_spiel(start: Goofspiel) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = game_of(pyspiel, start)
    assert start.num_actions == game.num_distinct_actions()
    assert compare_with_state(start, game.new_initial_state()) == tree_size(start)[0]


@pytest.mark.slow
def test_a_larger_tree_is_that_of_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    start = Goofspiel(4, 0, secret=True)
    number = compare_with_state(start, game_of(pyspiel, start).new_initial_state())
    print(f"{number} histories compared")
    assert number == tree_size(start)[0]


def compare_with_open_spiel(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were. Actions are the same."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, plies = Random(seed), 0
    for _ in range(games):
        cards = rng.randint(3, 13)
        turns = rng.choice([0, rng.randint(1, cards - 2)])
        position = Goofspiel(
            cards, rng.choice([-1, 0, 1]), rng.random() < 0.5, rng.random() < 0.5, turns
        )
        state = game_of(pyspiel, position).new_initial_state()
        while not position.is_terminal():
            assert position.legal_actions() == state.legal_actions(), position
            assert position.to_move == state.current_player()
            compare_observations(position, state)
            action = rng.choice(position.legal_actions())
            position = position.play(action)
            state.apply_action(action)
            plies += 1
        compare_observations(position, state)
        assert state.is_terminal()
        assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


def compare_observations(position: Goofspiel, state: Any) -> None:
    """The turn-based tensor begins with who moves and what the observer has just done."""
    for player in (0, 1) if position.to_move != CHANCE else ():
        seen = np.zeros(position.observation_shape)
        position.observe(player, seen)
        tensor = state.information_state_tensor(player)
        assert seen.tolist() == tensor[len(tensor) - len(seen) :], position


def test_random_games_as_open_spiel_plays_them() -> None:
    assert compare_with_open_spiel(40, fresh_seed()) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    plies = compare_with_open_spiel(3000, fresh_seed())
    print(f"{plies} plies compared")
    assert plies > 30_000


# ---- values


@pytest.mark.parametrize(("cards", "expected"), [(3, 4 / 3), (4, 17 / 12)])
def test_uniform_play_can_be_exploited(cards: int, expected: float) -> None:
    """The sum of what both can win more, NashConv, by looking at everything, and by the tree."""
    start = Goofspiel(cards, -1, secret=True)
    assert naive_nash_conv(start, uniform) == pytest.approx(expected, abs=1e-12)
    assert nash_conv(uniform_policy(start)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (constant, (0.7083333, 0.1497, 0.03259, 0.00448)),
        (plus, (0.7083333, 0.1430, 0.01113, 0.00027)),
    ],
)
def test_regret_minimisation_as_open_spiel_does_it(
    schedule: Any, expected: tuple[float, ...]
) -> None:
    """Exploitability of the average policy after 1, 10, 100 and 1000 iterations, with 4 cards."""
    solver, done = CFR(game_tree(Goofspiel(4, -1, secret=True)), schedule), 0
    for iterations, number, digits in zip((1, 10, 100, 1000), expected, (7, 4, 5, 5), strict=True):
        solver.run(iterations - done)
        done = iterations
        assert round(exploitability(solver.average()), digits) == number


@pytest.mark.parametrize(
    "start",
    [Goofspiel(4, -1, secret=True), Goofspiel(3, 0, secret=True), Goofspiel(4, 1, margin=True)],
)
def test_nobody_has_an_advantage(start: Goofspiel) -> None:
    pytest.importorskip("scipy")
    found = solve_zero_sum(game_tree(start))
    assert found.value == pytest.approx(0, abs=1e-9)
    assert exploitability(found.policy) < 1e-8


@pytest.mark.parametrize(
    "start", [Goofspiel(4, -1), Goofspiel(3, 0, secret=True), Goofspiel(5, 1, turns=2)]
)
def test_histories_are_counted(start: Goofspiel) -> None:
    assert num_histories(start) == tree_size(start)[0]


# ---- what is hidden


@pytest.mark.parametrize(
    "start",
    [
        Goofspiel(4, -1, secret=True),
        Goofspiel(4, 1),
        Goofspiel(3, 0, secret=True),
    ],
)
def test_every_position_of_an_information_set_may_be_determined(start: Goofspiel) -> None:
    sets: dict[tuple[int, Goofspiel], set[Goofspiel]] = {}
    for position, _ in histories(start):
        for player in range(0 if position.is_terminal() else 2):
            sets.setdefault((player, position.hidden(player)), set()).add(position)
    rng = Random(1)
    for (player, view), members in rng.sample(sorted(sets.items()), min(len(sets), 120)):
        states = [scattered(rng.getrandbits(62)) for _ in range(60 * len(members))]
        assert {view.determinized(player, state) for state in states} == members


@settings(deadline=None, max_examples=40)
@given(cards=st.integers(2, 6), turns=st.integers(1, 6), data=st.data())
def test_bids_of_the_opponent_are_all_that_can_be(cards: int, turns: int, data: Any) -> None:
    turns = min(turns, cards)
    cut = [data.draw(st.permutations(range(1, cards + 1)))[:turns] for _ in range(2)]
    taken = [taker(one, other) for one, other in zip(*cut, strict=True)]
    for player in (0, 1):
        own = cut[player]
        expected = {
            as_digits(bids)
            for bids in permutations(range(1, cards + 1), turns)
            if [taker(*pair[:: 1 - 2 * player]) for pair in zip(own, bids, strict=True)] == taken
        }
        args = as_digits(taken), as_digits(own), 2 - player, cards
        found = {bids_behind(*args, scattered(i)) for i in range(20 * len(expected) + 20)}
        assert found <= expected
        if len(expected) <= 6:
            assert len(found) == len(expected)


def as_digits(numbers: Any) -> int:
    """A number with a hexadecimal digit for each of ``numbers``, the first one lowest."""
    return sum(number << 4 * i for i, number in enumerate(numbers))


def test_what_players_see() -> None:
    position = Goofspiel(4, -1, secret=True).after("3 1 2")
    view = position.hidden(1)
    assert str(view) == "  prizes   4   3\n  player 0 ?*  ?\n> player 1 1\n  points   4   0"
    assert (view.first, view.second, view.taken) == (0, 1, 1)
    assert position.hidden(0).second == 0
    known = Goofspiel(4, -1).after("3 1 2")
    assert (known.hidden(1).first, known.hidden(0).second) == (3, 1)
    over = position.after("4 4 2")
    assert over.is_terminal()
    assert (over.first, over.second) == (0x1423, 0x3241), "the last turn was played at once"
    assert over.hidden(0) == over.hidden(1) == over
    assert (over.points(0), over.points(1)) == (6, 4)
    assert (over.utility(0), over.utility(1)) == (1, -1)
    assert Goofspiel(4, -1, margin=True).after("3 1 2 4 4 2").utility(0) == 1


# ---- what is not allowed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"cards": 1}, "cards must be 2 to 15"),
        ({"cards": 16}, "cards must be 2 to 15"),
        ({"order": 2}, "order must be -1 to 1"),
        ({"cards": 4, "turns": 5}, "turns must be 0 to 4"),
        ({"cards": 4, "ply": 10}, "ply must be 0 to 9"),
        ({"ply": 1}, "prizes must have 1 different"),
        ({"ply": 1, "prizes": 14}, "digits 1 to d, not 0xe"),
        ({"order": 1, "ply": 2, "first": 1, "taken": 1}, "second must have 1 different"),
        ({"order": 1, "ply": 2, "first": 1, "second": 2}, "taken must say who"),
        ({"order": 1, "ply": 2, "first": 1, "second": 2, "taken": 1}, "taken must say who"),
        ({"order": 1, "ply": 4, "first": 0x11, "second": 0x21, "taken": 0x33}, "first must have 2"),
        ({"order": 1, "first": 1}, "first must have 0"),
        ({"order": 1, "taken": 1}, "taken must have 0"),
        ({"order": 1, "first": -1, "ply": 1}, "first must have"),
    ],
)
def test_impossible_positions(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Goofspiel(**fields)


def test_illegal_moves() -> None:
    position = Goofspiel(4, -1).after("3 1")
    with pytest.raises(IllegalMove, match="'3' is not a legal move; legal: 1, 2, 4"):
        position.move("3")


# ---- the picture


def test_the_picture_shows_no_more_than_the_view() -> None:
    start = Goofspiel(5, -1, secret=True)
    one, other = start.after("4 2 3"), start.after("3 2 1")
    assert one.hidden(1).svg(2) == other.hidden(1).svg(2)
    assert one.svg(2) != other.svg(2)
    assert one.hidden(1).svg(2).count("?") == 2
    known = Goofspiel(5, -1).after("4 2 3")
    assert known.hidden(1).svg(2).count("?") == 1


def test_cards_have_their_places() -> None:
    for position in (Goofspiel(), Goofspiel(4, -1, secret=True).after("3 1 2")):
        found = places(position)
        assert list(found) == position.legal_actions()
        assert len({(place.x, place.y) for place in found.values()}) == len(found)
    assert places(position.hidden(1)).keys() == found.keys()
    assert places(position.hidden(0)) == {}, "player 0 does not know what player 1 has"
    assert draw(Goofspiel()).title == "A prize is turned up"
    assert draw(position).title == "Player 1 to move"


def test_a_secret_bid_of_this_turn_is_there_or_all_are_hidden() -> None:
    """What player 1 sees has no bids of player 0; the whole position has one more of them."""
    position = Goofspiel(4, -1, secret=True).after("4 1 2 3")
    found = position.play(position.legal_actions()[0])
    assert found.hidden(1).first == 0
    found.hidden(1).check()
    with pytest.raises(ValueError, match="first must have 3 different hexadecimal digits"):
        found._replace(first=position.first).check()
