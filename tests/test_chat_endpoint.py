"""Tests the stand-ins of language models: their replies, and how they are served."""

import json
import urllib.request
from typing import Any
from urllib.error import HTTPError

import pytest

import agents
from adv_envs import TicTacToe, text_env
from adv_envs.testing.chat_endpoint import MANNERS, ChatEndpoint, ScriptedModel

pytestmark = pytest.mark.plain


def ask(url: str, body: Any) -> dict[str, Any]:
    """Returns the answer to a request with this body."""
    request = urllib.request.Request(url, json.dumps(body).encode())
    with urllib.request.urlopen(request) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def play(env: Any, model: Any, seed: int = 0) -> tuple[float, dict[str, Any]]:
    messages, over = env.reset(seed=seed), env.game.over
    reward, info = 0.0, env.game.info(0)
    while not over:
        messages, reward, terminated, truncated, info = env.step(model(messages))
        over = terminated or truncated
    return reward, info


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "leduc", "backgammon", "kalah"])
def test_each_manner_fails_as_it_says(game: str, manner: str) -> None:
    env = text_env(game, seat=0, board="json", retries=1, on_failure="forfeit")
    reward, info = play(env, ScriptedModel(manner=manner))
    if manner in ("plain", "chatty"):
        assert info["legal"] > 0
        assert info["illegal"] == info["unreadable"] == 0
    if manner == "rude" and env.game.session.actions:
        assert (reward, info["legal"], info["failure"]) == (-1, 0, "forfeit")
    assert play(env, ScriptedModel(manner=manner)) == (reward, info)


def test_a_perfect_player_never_loses() -> None:
    solver = agents.make("alpha_beta")
    env = text_env("tic_tac_toe", board="json", seat="alternate")
    model = ScriptedModel(solver.act, "chatty")
    assert all(play(env, model, seed)[0] >= 0 for seed in range(6))


def test_a_game_is_played_through_the_endpoint() -> None:
    model = ScriptedModel()
    with ChatEndpoint(model) as endpoint:

        def served(messages: Any) -> str:
            answer = ask(endpoint.url, {"model": "any", "messages": messages})
            assert answer["model"] == "any"
            return str(answer["choices"][0]["message"]["content"])

        env = text_env("connect_four", seat=1, board="json")
        assert play(env, served) == play(env, model)
        assert endpoint.requests[0]["messages"][0]["role"] == "system"
        with pytest.raises(HTTPError, match="404"):
            ask(endpoint.base_url, {})
        parts = [{"type": "text", "text": "Hello"}]
        for content in ("Hello", parts, None):
            with pytest.raises(HTTPError, match="400"):
                ask(endpoint.url, {"messages": [{"role": "user", "content": content}]})
        for body in ({}, [], {"messages": 3}, {"messages": ["x"]}):
            with pytest.raises(HTTPError, match="400"):
                ask(endpoint.url, body)


def test_a_stream_has_the_same_reply() -> None:
    with ChatEndpoint(lambda messages: "Final answer: b2, \u00fcber all") as endpoint:
        asked = {"model": "m", "messages": [{"role": "user", "content": "Well?"}]}
        plain = ask(endpoint.url, asked)
        options = {"stream": True, "stream_options": {"include_usage": True}}
        body = json.dumps({**asked, **options}).encode()
        with urllib.request.urlopen(urllib.request.Request(endpoint.url, body)) as response:
            assert response.headers["Content-Type"] == "text/event-stream"
            *lines, done = response.read().decode().split("\n\n")[:-1]
    assert done == "data: [DONE]"
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    text = "".join(delta.get("content", "") for delta in deltas)
    assert text == plain["choices"][0]["message"]["content"]
    assert chunks[-1]["usage"] == plain["usage"]
    assert [c["choices"][0]["finish_reason"] for c in chunks[:2]] == [None, "stop"]


def test_what_an_endpoint_cannot_answer_is_answered_with_the_reason() -> None:
    question = [{"role": "user", "content": "Well?"}]
    replies: list[Any] = [None, 3]
    with ChatEndpoint(lambda messages: replies.pop()) as endpoint:
        for _ in range(2):
            with pytest.raises(HTTPError, match="400"):
                ask(endpoint.url, {"messages": question})
        with pytest.raises(HTTPError, match="500") as error:  # there is nothing to pop
            ask(endpoint.url, {"messages": question, "stream": True})
        assert "the model failed: IndexError" in error.value.read().decode()
        for data, headers, status in (
            (b"[" * 100_000, {}, 400),
            (b"", {"Content-Length": "x"}, 400),
            (b"", {"Content-Length": "99999999"}, 413),
        ):
            request = urllib.request.Request(endpoint.url, data, headers)
            with pytest.raises(HTTPError, match=str(status)):
                urllib.request.urlopen(request)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match="manner must be one of plain, chatty"):
        ScriptedModel(manner="kind")
    with pytest.raises(ValueError, match='play with board="json"'):
        ScriptedModel()(text_env(TicTacToe(), seat=0).reset(seed=0))
