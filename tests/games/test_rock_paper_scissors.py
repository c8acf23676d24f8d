"""Rock-paper-scissors: as PettingZoo plays it, what players see, the picture."""

from typing import Any

import pytest
from games.laws import fresh, seen, utilities
from pettingzoo.classic import rps_v2

from adv_envs import RockPaperScissors, env
from adv_envs.pictures import draw, places


@pytest.mark.parametrize(("rounds", "games"), [(1, 40), (15, 10)])
def test_games_as_pettingzoo_plays_them(rounds: int, games: int) -> None:
    """Random games with both players at once."""
    rng = fresh()
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
        assert seen_by_both(position) == [int(o) for o in observations.values()]
        assert utilities(position) == totals
    theirs.close()


def seen_by_both(position: RockPaperScissors) -> list[int]:
    return [number for player in (0, 1) for number in seen(position, player)]


def test_our_environment_beside_that_of_pettingzoo() -> None:
    """Agent by agent: the same agent acts, the same is observed, the same is won in the end."""
    ours, theirs, rng = env("rock_paper_scissors", rounds=15), rps_v2.env(), fresh()
    ours.reset(seed=0)
    theirs.reset(seed=0)
    totals: dict[Any, float] = dict.fromkeys(theirs.possible_agents, 0)
    for agent in theirs.agent_iter():
        observation, reward, _, done, _ = theirs.last()
        totals[agent] += reward
        if not done:
            assert ours.agents[ours.agents.index(ours.agent_selection)] == agent
            assert int(ours.last()[0]["observation"][0]) == int(observation)
        action = None if done else rng.randrange(3)
        theirs.step(action)
        if not done:
            ours.step(action)
    assert all(ours.terminations.values())
    assert ours.rewards == totals


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
    assert draw(over).title == "Player 2 wins, 2 to 0"
