"""Parallel environments: PettingZoo's own tests, the AEC environments, PettingZoo's rps_v2."""

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import adv_envs
from adv_envs import GAMES, Goofspiel, Hex, RockPaperScissors, goofspiel_v0, start_position
from adv_envs.envs.parallel import ParallelGame

pytestmark = pytest.mark.plain

STARTS = [
    RockPaperScissors(4),
    Goofspiel(5),
    Goofspiel(4, -1, secret=True),
    Goofspiel(6, 1, margin=True, turns=3),
]


def test_games_of_simultaneous_choices() -> None:
    found = {name for name in GAMES if start_position(name).simultaneous}
    assert found == {"rock_paper_scissors", "goofspiel"}


@pytest.mark.filterwarnings("ignore:.*Illegal move")
@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_the_tests_of_pettingzoo(start: Any) -> None:
    parallel_api_test(adv_envs.parallel_env(start), num_cycles=60)
    parallel_seed_test(lambda: adv_envs.parallel_env(start), num_cycles=20)


def same(one: Any, other: Any) -> bool:
    """Whether observations are equal, element for element, and of the same types."""
    return one.keys() == other.keys() and all(
        np.array_equal(one[key], other[key]) and one[key].dtype == other[key].dtype for key in one
    )


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_every_round_is_that_of_the_aec_environment(start: Any) -> None:
    """Each agent sees, may do and gets what it does there on its turn."""
    parallel, aec, rng = adv_envs.parallel_env(start), adv_envs.env(start), Random(repr(start))
    rounds = 0
    for seed in range(8):
        seen, infos = parallel.reset(seed)
        aec.reset(seed)
        assert infos == {"player_0": {}, "player_1": {}}
        while parallel.agents:
            assert parallel.whole_position == aec.whole_position
            actions = {}
            for agent in parallel.agents:
                assert agent == aec.agent_selection
                assert same(seen[agent], aec.observe(agent))
                actions[agent] = rng.choice(np.flatnonzero(seen[agent]["action_mask"]).tolist())
                aec.step(actions[agent])
            assert np.array_equal(parallel.state().shape, aec.state().shape)
            seen, rewards, terminations, truncations, infos = parallel.step(actions)
            assert rewards == aec.rewards
            assert terminations == aec.terminations
            assert truncations == aec.truncations
            assert infos == aec.infos
            rounds += 1
        assert all(terminations.values())
        for agent in parallel.possible_agents:
            end, wanted = seen[agent], aec.observe(agent)["observation"]
            assert np.array_equal(end["observation"], wanted)
            assert not end["action_mask"].any()
    assert rounds > 8


def test_nobody_sees_what_others_choose_in_the_same_round() -> None:
    """What player 1 is shown does not depend on what player 0 is about to choose."""
    for start in STARTS:
        env = adv_envs.parallel_env(start)
        seen, _ = env.reset(seed=3)
        for _ in range(2):
            turns = [env.whole_position.play(a) for a in env.whole_position.legal_actions()]
            assert len({after.hidden(1) for after in turns}) == 1
            mask = np.flatnonzero(seen["player_1"]["action_mask"]).tolist()
            assert all(after.legal_actions() == mask for after in turns)
            actions = {a: int(np.flatnonzero(seen[a]["action_mask"])[0]) for a in env.agents}
            seen, *_ = env.step(actions)


def test_rock_paper_scissors_is_that_of_pettingzoo() -> None:
    """The same observations, and in the end the sum of its rewards for each round."""
    theirs = pytest.importorskip("pettingzoo.classic.rps_v2").parallel_env(max_cycles=15)
    ours, rng = adv_envs.parallel_env("rock_paper_scissors", rounds=15), Random(5)
    for seed in range(4):
        seen, _ = ours.reset(seed)
        their_seen, _ = theirs.reset(seed)
        total = dict.fromkeys(ours.possible_agents, 0)
        for number in range(15):
            for agent in ours.agents:
                assert int(seen[agent]["observation"][0]) == int(their_seen[agent])
            actions = {agent: rng.randrange(3) for agent in ours.agents}
            seen, rewards, terminations, _, _ = ours.step(actions)
            their_seen, their_rewards, _, truncations, _ = theirs.step(actions)
            total = {agent: total[agent] + their_rewards[agent] for agent in total}
            assert [*terminations.values()] == [*truncations.values()] == 2 * [number == 14]
        assert rewards == total
        assert ours.agents == theirs.agents == []


def test_copies_go_on_with_the_same_game() -> None:
    env = goofspiel_v0.parallel_env(cards=6)
    env.reset(seed=9)
    env.step({"player_0": 2, "player_1": 4})
    for twin in copy.deepcopy(env), pickle.loads(pickle.dumps(env)):
        assert twin.whole_position == env.whole_position
        assert twin.agents == env.agents
        other = copy.deepcopy(env)
        found, wanted = (e.step({"player_0": 1, "player_1": 0}) for e in (twin, other))
        assert all(same(found[0][agent], wanted[0][agent]) for agent in wanted[0])
        assert twin.whole_position == other.whole_position != env.whole_position


def test_illegal_actions_end_the_game() -> None:
    env = adv_envs.parallel_env(Goofspiel(4, 1))
    for actions, rewards in (
        ({"player_0": 3, "player_1": 1}, {"player_0": -1, "player_1": 0}),
        ({"player_0": 0, "player_1": 3}, {"player_0": 0, "player_1": -1}),
        ({"player_0": 3, "player_1": 99}, {"player_0": -1, "player_1": -1}),
    ):
        env.reset()
        env.step({"player_0": 3, "player_1": 3})
        seen, found, terminations, truncations, _ = env.step(actions)
        assert found == rewards
        assert [*terminations.values(), *truncations.values()] == 4 * [True]
        assert env.agents == []
        assert not any(each["action_mask"].any() for each in seen.values())
        assert env.step(actions) == ({}, {}, {}, {}, {})


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="in hex the players take turns: use env; parallel_env is"):
        adv_envs.parallel_env(Hex(4))
    with pytest.raises(ValueError, match="in chess the players take turns"):
        adv_envs.chess_v0.parallel_env(history=8)
    with pytest.raises(ValueError, match="begins where a round begins"):
        adv_envs.parallel_env(RockPaperScissors(2).move("rock"))
    env = adv_envs.parallel_env("goofspiel", cards=4, order=1)
    with pytest.raises(AssertionError, match="reset"):
        env.step({"player_0": 0, "player_1": 0})
    env.reset()
    with pytest.raises(ValueError, match="player 0 has chosen already"):
        env.reset(options={"position": env.start.move("2")})
    for actions in ({"player_0": 1}, {"player_0": 1, "player_1": 1, "me": 0}, [1, 1], None):
        with pytest.raises(KeyError, match="with an action of each of player_0, player_1"):
            env.step(actions)
    with pytest.raises(TypeError, match=r"an action is an integer, not 1\.5 of player_1"):
        env.step({"player_0": 1, "player_1": 1.5})
    with pytest.raises(ValueError, match="render_mode must be one of"):
        adv_envs.parallel_env("goofspiel", render_mode="gif")


def test_forms_of_observations_and_pictures() -> None:
    env = adv_envs.parallel_env("rock_paper_scissors", rounds=2, render_mode="ansi", dtype="uint8")
    assert isinstance(env, ParallelGame)
    assert env.metadata["is_parallelizable"]
    assert env.metadata["name"] == "rock_paper_scissors_v0"
    seen, _ = env.reset(options={"position": env.start.after("rock paper")})
    assert seen["player_0"]["observation"].dtype == np.uint8
    assert env.render("all") == str(env.whole_position)
    assert env.last_action is None
    env.step({"player_0": np.int64(1), "player_1": 2})
    assert env.last_action == 2
    env.render_mode = "svg"
    assert env.render().startswith("<svg")
