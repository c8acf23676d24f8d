"""What adapters say of a game has nothing that its player does not know."""

import pytest
from adapters.reference import SMALL, told_apart
from hidden_games import HIDDEN

import agents
from adv_envs.text import TextGame, text_env
from agents.integrations import adapting
from agents.integrations.adapting import game_facts, stepping, with_own_opponent

pytestmark = pytest.mark.plain
LLM = "llm(model='x')"


def differing(game):
    """What ``told_apart`` finds in the facts of a game."""
    env = text_env(game, seat="all", board="json", **SMALL.get(game, {}))

    def told(_):
        facts = adapting.game_facts(env, env.seat or 0)
        return {"messages": env.messages(), "done": env.over, **facts}

    return told_apart(env.reset, env.step, told)


@pytest.mark.parametrize("game", HIDDEN)
def test_who_has_been_told_the_same_has_the_same_facts(game):
    assert differing(game) == []


@pytest.mark.parametrize("game", ["phantom_tic_tac_toe", "dark_hex"])
def test_the_number_of_hidden_tries_would_be_found(game, monkeypatch):
    def with_plies(env, seat):
        return {**game_facts(env, seat), "plies": len(env.session.actions)}

    monkeypatch.setattr(adapting, "game_facts", with_plies)
    assert differing(game)


def test_tries_that_were_not_noticed_are_told_at_the_end_alone():
    env = text_env("phantom_tic_tac_toe", seat="all")
    env.reset(seed=1)
    for reply in ("b2", "b2", "a1"):
        env.step(reply)
    facts = game_facts(env, 0)
    assert (facts["moves"], facts["plies"], facts["outcome"]) == (["b2", "?"], None, "legal")
    for reply in ("a2", "c1", "c2"):
        env.step(reply)
    facts = game_facts(env, 0)
    assert facts["finished"]
    assert facts["moves"] == ["b2", "b2", "a1", "a2", "c1", "c2"]
    assert facts["plies"] == 6


def test_agents_are_copied_and_what_cannot_be_is_refused():
    agent = agents.make("mcts(simulations=5)")
    given = with_own_opponent({"opponent": [(agent, 2), "random"], "seat": 1})
    assert given["opponent"] == [(agent, 2), "random"]
    assert given["opponent"][0][0] is not agent
    assert with_own_opponent({"seat": "all"}) == {"seat": "all"}
    with pytest.raises(TypeError, match="give the spec of an agent"):
        with_own_opponent({"opponent": (each for each in "ab")})


@pytest.mark.parametrize(
    ("options", "free"),
    [
        ({"opponent": LLM}, True),
        ({"opponent": [LLM, LLM], "grade": "exact"}, True),
        ({"opponent": "perfect"}, False),
        ({"opponent": [LLM, "perfect"]}, False),
        ({"opponent": LLM, "grade": lambda seen, action: 1}, False),
        ({"opponent": LLM, "reward": lambda utility, info: 1.0}, False),
    ],
)
def test_games_wait_for_others_where_something_may_be_shared(options, free):
    env = text_env("nim", **options)
    assert (stepping(env) is not adapting.STEPPING) == free
    assert stepping(TextGame("nim")) is adapting.STEPPING
