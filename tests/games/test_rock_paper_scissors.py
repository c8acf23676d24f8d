"""Rock-paper-scissors against a second implementation, PettingZoo, OpenSpiel and arithmetic."""

import random
from random import Random
from typing import Any

import numpy as np
import pytest
from games.naive_rock_paper_scissors import NaiveRockPaperScissors
from games.trees import compare_with_state, histories, tree_size
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.classic import rps_v2

from adv_envs import IllegalMove, RockPaperScissors, env
from adv_envs.pictures import draw, places
from adv_envs.random import scattered
from agents.equilibrium import nash_conv, uniform_policy


def fresh_seed() -> int:
    """A seed that is another one in every run, and printed where a test fails."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    return seed


# ---- the rules


@settings(deadline=None)
@given(rounds=st.integers(1, 100), seed=st.integers(0, 2**32))
def test_random_games_as_the_naive_one_plays_them(rounds: int, seed: int) -> None:
    position, naive = RockPaperScissors(rounds), NaiveRockPaperScissors(rounds)
    rng = Random(seed)
    while not naive.over:
        assert (position.is_terminal(), position.to_move) == (False, naive.to_move)
        assert position.legal_actions() == [0, 1, 2]
        position.check()
        action = rng.randrange(3)
        naive.play(position.name(action))
        position = position.play(action)
    assert position.is_terminal()
    assert [position.utility(0), position.utility(1)] == naive.result()


@pytest.mark.parametrize("rounds", [1, 2])
def test_information_sets_as_the_naive_one_has_them(rounds: int) -> None:
    """At every history: two positions look the same to a player where the naive ones do."""
    start = RockPaperScissors(rounds)
    seen: dict[object, RockPaperScissors] = {}
    views: dict[object, object] = {}
    for position, history in histories(start):
        naive = NaiveRockPaperScissors(rounds)
        for action in history:
            naive.play(position.name(action))
        for player in range(0 if position.is_terminal() else 2):
            view, expected = position.hidden(player), naive.seen(player)
            assert seen.setdefault((player, expected), view) == view
            assert views.setdefault((player, view), expected) == expected


@pytest.mark.parametrize(
    ("rounds", "size"), [(1, (13, 9, 2)), (2, (121, 81, 20)), (3, (1_093, 729, 182))]
)
def test_histories_and_information_sets(rounds: int, size: tuple[int, int, int]) -> None:
    """All histories, the finished ones, and the information sets of both players."""
    assert tree_size(RockPaperScissors(rounds)) == size
    assert size[2] == 2 * (9**rounds - 1) // 8


def test_one_round_is_that_of_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("matrix_rps"))
    assert compare_with_state(RockPaperScissors(), game.new_initial_state()) == 13


@pytest.mark.parametrize("rounds", [1, 2])
def test_uniform_play_is_an_equilibrium(rounds: int) -> None:
    assert nash_conv(uniform_policy(RockPaperScissors(rounds))) == pytest.approx(0, abs=1e-12)


# ---- as PettingZoo plays it


def compare_with_pettingzoo(games: int, rounds: int, seed: int) -> int:
    """Random games with both players at once; returns how many rounds that were."""
    rng, played = Random(seed), 0
    theirs = rps_v2.parallel_env(max_cycles=rounds)
    for _ in range(games):
        observations, _ = theirs.reset()
        position, totals = RockPaperScissors(rounds), [0, 0]
        while not position.is_terminal():
            assert seen_by_both(position) == [int(o) for o in observations.values()]
            actions = [rng.randrange(3), rng.randrange(3)]
            before = [position.score(0), position.score(1)]
            position = position.play(actions[0])
            assert seen_by_both(position) == [int(o) for o in observations.values()]
            assert position.hidden(1) == position.hidden(1).hidden(1) != position
            position = position.play(actions[1])
            named = dict(zip(theirs.agents, actions, strict=True))
            observations, rewards, _, truncations, _ = theirs.step(named)
            gained = [position.score(i) - before[i] for i in (0, 1)]
            assert gained == list(rewards.values())
            totals = [total + gain for total, gain in zip(totals, gained, strict=True)]
            assert all(truncations.values()) == position.is_terminal()
            played += 1
        assert seen_by_both(position) == [int(o) for o in observations.values()]
        assert [position.utility(0), position.utility(1)] == totals
    theirs.close()
    return played


def seen_by_both(position: RockPaperScissors) -> list[int]:
    seen = np.zeros((2, 1))
    for player in (0, 1):
        position.observe(player, seen[player])
    return [int(number) for number in seen[:, 0]]


@pytest.mark.parametrize("rounds", [1, 15])
def test_games_as_pettingzoo_plays_them(rounds: int) -> None:
    games = 10 if rounds > 1 else 40
    assert compare_with_pettingzoo(games, rounds, fresh_seed()) == games * rounds


def test_our_environment_beside_that_of_pettingzoo() -> None:
    """Agent by agent: the same agent acts, the same is observed, the same is won in the end."""
    ours, theirs, rng = env("rock_paper_scissors", rounds=15), rps_v2.env(), Random(fresh_seed())
    ours.reset(seed=0)
    theirs.reset(seed=0)
    totals: dict[Any, float] = dict.fromkeys(theirs.possible_agents, 0)
    for agent in theirs.agent_iter():
        observation, reward, _, done, _ = theirs.last()
        totals[agent] += reward
        if not done:
            assert ours.agents[ours.agents.index(ours.agent_selection)] == agent
            seen = ours.last()[0]["observation"]
            assert int(seen[0]) == int(observation)
        action = None if done else rng.randrange(3)
        theirs.step(action)
        if not done:
            ours.step(action)
    assert all(ours.terminations.values())
    assert ours.rewards == totals


# ---- what is hidden


def test_every_position_of_an_information_set_may_be_determined() -> None:
    sets: dict[tuple[int, RockPaperScissors], set[RockPaperScissors]] = {}
    for position, _ in histories(RockPaperScissors(2)):
        for player in range(0 if position.is_terminal() else 2):
            sets.setdefault((player, position.hidden(player)), set()).add(position)
    rng = Random(1)
    for (player, view), members in sets.items():
        states = [scattered(rng.getrandbits(62)) for _ in range(30)]
        assert {view.determinized(player, state) for state in states} == members


def test_what_players_see() -> None:
    position = RockPaperScissors(3).after("paper rock rock paper scissors")
    assert str(position) == "  player 0   paper rock scissors\n> player 1   rock paper"
    assert str(position.hidden(1)) == "  player 0   paper rock ?\n> player 1   rock paper"
    assert position.hidden(0) == position
    assert (position.first, position.second, position.hidden(1).first) == (0x312, 0x21, 0x12)
    over = position.move("paper")
    assert over.hidden(1) == over
    assert (over.won(0, 0), over.won(0, 1), over.won(0, 2)) == (1, -1, 1)
    assert (over.utility(0), over.utility(1)) == (1, -1)


# ---- what is not allowed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rounds": 0}, "rounds must be 1 to 100"),
        ({"rounds": 101}, "rounds must be 1 to 100"),
        ({"ply": 3}, "ply must be 0 to 2"),
        ({"ply": 1, "first": 4}, "first must have"),
        ({"ply": 2, "first": 1}, "second must have a hexadecimal digit 1 to 3 for each of 1"),
        ({"ply": 2, "second": 1}, "first must have"),
        ({"rounds": 2, "ply": 3, "second": 1}, "first must have"),
        ({"rounds": 2, "ply": 4, "first": 0x10, "second": 0x11}, "first must have"),
        ({"ply": 1, "first": -1}, "first must have"),
    ],
)
def test_impossible_positions(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RockPaperScissors(**fields)


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMove, match="'well' is not a legal move; legal: rock, paper, scis"):
        RockPaperScissors().move("well")


# ---- the picture


def test_the_picture_shows_no_more_than_the_view() -> None:
    start = RockPaperScissors(2)
    one, other = start.after("rock paper rock"), start.after("rock paper paper")
    assert one.hidden(1).svg(0) == other.hidden(1).svg(0)
    assert one.svg(0) != other.svg(0)


def test_choices_have_their_places() -> None:
    for rounds in (1, 15, 40):
        found = places(RockPaperScissors(rounds).after("rock"))
        assert list(found) == [0, 1, 2]
        assert len({place.x for place in found.values()}) == 3
    over = RockPaperScissors(2).after("rock paper rock paper")
    assert places(over) == {}
    assert draw(over).title == "Player 1 wins"
