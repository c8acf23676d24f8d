"""Games of messages with Gymnasium's interface."""

import copy
import pickle
import random

import gymnasium
import pytest
from adapters.reference import Script, record_of
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import adv_envs
from adv_envs.registry import gymnasium_id
from adv_envs.text import TextGymEnv
from adv_envs.text.text_gym import REPLACEMENT

pytestmark = pytest.mark.plain


def made(name: str, **options) -> TextGymEnv:
    return gymnasium.make(gymnasium_id(name, "Text"), **options).unwrapped


def test_the_same_games(same_games):
    def play(case):
        env = gymnasium.make(gymnasium_id(case.game, "Text"), **case.arguments())
        script, outcomes = Script(case), []
        seen, _ = env.reset(seed=case.seed)
        over = False
        while not over:
            assert seen in env.observation_space
            seen, _, terminated, truncated, info = env.step(script(seen))
            over = terminated or truncated
            outcomes.append(info["reading"].outcome)
        return record_of(env.unwrapped.text_env.game, case.seat, outcomes)

    same_games(play)


@pytest.mark.parametrize("name", adv_envs.GAMES)
def test_every_game_has_an_id_and_observations_inside_its_space(name):
    env, rng = made(name, opponent="random", board="json"), random.Random(name)
    seen, info = env.reset(seed=1)
    assert info["messages"][0]["role"] == "system"
    for _ in range(30):
        assert seen in env.observation_space
        if env.text_env.game.over:
            break
        view = env.position
        seen, *_ = env.step(f"I play {view.name(rng.choice(view.legal_actions()))}.")
    assert env.whole_position != env.text_env.game.start


def test_it_keeps_the_laws_of_gymnasium():
    for env in (TextGymEnv("tic_tac_toe"), TextGymEnv("kuhn", seat="second", retries=0)):
        check_env(env, skip_render_check=True)


def test_characters_that_no_observation_has():
    env = TextGymEnv("tic_tac_toe", seat="first")
    env.reset(seed=0)
    seen, *_, info = env.step("Final answer: \u9f8d5")
    assert seen in env.observation_space
    assert REPLACEMENT in seen
    assert "\u9f8d" in info["messages"][-1]["content"]


def test_a_hidden_card_is_in_no_observation():
    texts = []
    for other in ("J", "K"):
        env = TextGymEnv(adv_envs.start_position("kuhn").after(f"Q {other}"), seat="first")
        env.set_opponent(lambda position: position.legal_actions()[0])
        seen, info = env.reset(seed=0)
        texts.append((seen, info["messages"]))
        assert env.position == env.whole_position.hidden(0) != env.whole_position
    assert texts[0] == texts[1]


def test_errors_and_misuse():
    env = TextGymEnv("tic_tac_toe", retries=0)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step("a1")
    env.reset(seed=0)
    with pytest.raises(InvalidAction, match="the reply of a model, not 4"):
        env.step(4)
    *_, terminated, truncated, info = env.step("no")
    assert (terminated, truncated, info["failure"]) == (True, False, "forfeit")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step("a1")
    with pytest.raises(TypeError, match="seat must be"):
        TextGymEnv("tic_tac_toe", seat="all")
    with pytest.raises(ValueError, match="render_mode"):
        TextGymEnv("tic_tac_toe", render_mode="text")


def test_a_game_that_is_over_before_my_turn_takes_one_step():
    env = made("thirty_one", num_players=3, limit=5, copies=2, seat=2, opponent=last_action)
    seen, info = env.reset(seed=0)
    assert "Your result: +0.5" in seen
    assert "reading" not in info
    seen, reward, terminated, truncated, info = env.step("Final answer: 1")
    assert (reward, terminated, truncated, info["legal"]) == (0.5, True, False, 0)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step("Final answer: 1")


def last_action(position):
    return position.legal_actions()[-1]


def test_copies_and_pictures():
    env = made("hex", size=3, render_mode="ansi", seat="first", opponent="random")
    env.reset(seed=3)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    played = env.step("a1")
    assert env.render() == str(env.whole_position)
    assert "X" in env.render()
    for each in copies:
        assert each.step("a1") == played
    assert env.last_action is not None


@pytest.mark.parametrize(
    ("mode", "options"), [("sync", {}), ("async", {"vector_kwargs": {"shared_memory": False}})]
)
def test_several_at_once(mode, options):
    envs = gymnasium.make_vec(
        gymnasium_id("tic_tac_toe", "Text"), 2, vectorization_mode=mode, seat="first", **options
    )
    seen, info = envs.reset(seed=1)
    assert all("It is your turn" in each for each in seen)
    seen, _, _, _, info = envs.step(("b2", "no move"))
    assert "No move was found" in seen[1]
    assert info["legal"].tolist() == [1, 0]
    assert info["_action"].tolist() == [True, False]
    envs.close()


def test_a_game_of_ones_own(own_game):
    env = made(own_game, seat="first")
    seen, _ = env.reset(seed=0)
    assert "You play the game own_game" in seen
