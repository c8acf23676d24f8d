"""Tests language models as agents, with endpoints on loopback that answer as they are told."""

from __future__ import annotations

import copy
import json
import pickle
import re
import threading
from collections.abc import Iterator
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from command_line import run

import agents
from adv_envs import Chess, Hex, Kuhn, Leduc, TicTacToe, start_position
from adv_envs.testing import ChatEndpoint, ScriptedModel, check_agent
from adv_envs.text import rules_text
from agents.arena.store import read_game
from agents.language import (
    AnswerCache,
    Completion,
    Endpoint,
    LanguageModel,
    ModelCounts,
    NoAnswer,
    NoLegalMove,
    endpoint,
)
from agents.match_loop import play_game

pytestmark = pytest.mark.plain

START = TicTacToe()


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between requests, which no test waits for; no key and no proxy is set."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    pauses: list[float] = []
    monkeypatch.setattr(endpoint, "pause", pauses.append)
    return pauses


def llm(served: Any, **parameters: Any) -> LanguageModel:
    """An agent that asks an endpoint, and is told positions as a scripted model reads them."""
    return LanguageModel("scripted", served.base_url, **{"board": "json", **parameters})


# ---- an endpoint that answers as it is told

Answer = tuple[int, dict[str, str], bytes]


class OddEndpoint:
    """Gives the answers of a list, one for each request; the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.headers: list[dict[str, str]] = []
        self.bodies: list[Any] = []
        odd = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                odd.bodies.append(json.loads(body))
                odd.headers.append(dict(self.headers))
                status, headers, content = odd.answers[min(len(odd.bodies), len(odd.answers)) - 1]
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))

    def __enter__(self) -> OddEndpoint:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def says(text: Any, **more: Any) -> Answer:
    """A chat completion."""
    message = {"role": "assistant", "content": text}
    return 200, {}, json.dumps({"choices": [{"message": message}], **more}).encode()


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    return status, headers, json.dumps({"error": {"message": message}}).encode()


CUT_OFF = (200, {"Content-Length": "1000"}, b'{"choices": [')
FINE = says("Final answer: a1", usage={"prompt_tokens": 70, "completion_tokens": 5})


# ---- play


@pytest.mark.parametrize("manner", ["plain", "chatty"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "leduc", "backgammon", "goofspiel", "nim"])
def test_it_plays_by_the_laws_of_agents(game: str, manner: str) -> None:
    with ChatEndpoint(ScriptedModel(manner=manner)) as served:
        agent = llm(served)
        check_agent(agent, start_position(game), games=1, make=agents.make)
        assert agent.counts.legal == agent.counts.requests == len(served.requests) > 0
        assert agent.counts.illegal == agent.counts.unreadable == agent.counts.failures == 0


def test_random_moves_take_the_place_of_replies_without_one() -> None:
    with ChatEndpoint(ScriptedModel(manner="rude")) as served:
        agent = llm(served, on_failure="random", attempts=2)
        check_agent(agent, Kuhn(), games=2)
        counts = agent.counts
        assert counts.legal == 0
        assert counts.illegal + counts.unreadable == counts.requests == 2 * counts.failures > 0


def test_each_kind_of_reply_is_counted() -> None:
    replies = iter(["Final answer: z9", "Hm, well.", "Final answer: b2"])
    with ChatEndpoint(lambda messages: next(replies)) as served:
        agent = llm(served)
        assert START.name(agent.act(START)) == "b2"
        counts = {k: v for k, v in asdict(agent.counts).items() if k != "seconds" and v}
        words = [m["content"] for request in served.requests for m in request["messages"]]
        tokens = {"tokens_in": len(" ".join(words).split()), "tokens_out": 8}
        assert counts == {"requests": 3, "legal": 1, "illegal": 1, "unreadable": 1, **tokens}
    last = served.requests[-1]["messages"]
    assert [message["role"] for message in last] == ["system", *["user", "assistant"] * 2, "user"]
    assert last[0]["content"].count(rules_text(START)) == 1
    assert last[3]["content"].startswith('"z9" is not a legal move here.')
    assert last[5]["content"].endswith("You have 1 try left.")


def test_a_reply_without_text_is_unreadable_and_sent_on_with_some() -> None:
    with OddEndpoint(says(None), FINE) as served:
        agent = llm(served)
        assert agent.act(START) == START.action("a1")
        assert agent.counts.unreadable == 1
        assert served.bodies[1]["messages"][2]["content"] == "(no answer)"


@pytest.mark.parametrize(
    ("attempts", "replies", "why"),
    [
        (1, ["Final answer: z9"], "no legal move in 1 reply; the last one answered 'z9'"),
        (2, ["", "Hm, well."], "no legal move in 2 replies; the last one answered nothing"),
    ],
)
def test_replies_without_a_move_lose_the_game(attempts: int, replies: list[str], why: str) -> None:
    with OddEndpoint(*map(says, replies)) as served:
        agent = llm(served, attempts=attempts)
        with pytest.raises(NoLegalMove, match=re.escape(why)):
            agent.act(START)
        game = play_game(START, [agents.make("random"), agent], seed=1)
        assert (game.loser, game.fault, game.utilities) == (1, "illegal", (1.0, -1.0))
        assert "NoLegalMove" in game.reason
        assert agent.counts.failures == 2


def test_nothing_hidden_is_in_any_request() -> None:
    deals: dict[str, list[Any]] = {}
    for other in "J", "Q":
        with ChatEndpoint(ScriptedModel(manner="forgetful")) as served:
            agent = llm(served, on_failure="random")
            deal = [a for a in Kuhn().legal_actions() if Kuhn().name(a) == "K"]
            start = Kuhn().play(deal[0])
            second = [a for a in start.legal_actions() if start.name(a) == other]
            position = start.play(second[0])
            agent.reset(1)
            agent.act(position)  # all of it, though it is to be given a view
            deals[other] = served.requests
    assert deals["J"] == deals["Q"]


def test_only_the_present_position_is_sent_unless_there_is_a_memory() -> None:
    start = Hex(5)
    with ChatEndpoint(ScriptedModel()) as served:
        for memory, longest in ((False, 2), (True, 8)):
            agent = llm(served, memory=memory)
            served.requests.clear()
            position = start
            agent.reset(3)
            while len(served.requests) < 4:
                position = position.play(agent.act(position))
                position = position.play(position.legal_actions()[0])
                assert not position.is_terminal()
            assert len(served.requests[-1]["messages"]) == longest
        last = served.requests[-1]["messages"][-1]["content"]
        assert last.startswith("Since your last turn:\n- you: ")
        agent.act(start)  # no game leads here
        assert len(served.requests[-1]["messages"]) == 2


def test_each_seat_has_a_conversation_of_its_own() -> None:
    with ChatEndpoint(ScriptedModel()) as served:
        agent = llm(served, memory=True)
        game = play_game(START, [agent, agent], seed=0)
        assert not game.reason
        for request in served.requests:
            seats = {m["content"].partition("You are ")[2][:8] for m in request["messages"][:1]}
            own = {m["content"].rpartition("your turn, ")[2][:8] for m in request["messages"][1::2]}
            assert own == seats


def test_memory_is_refused_where_players_do_not_see_everything() -> None:
    agent = LanguageModel("some", "http://127.0.0.1:9/v1", memory=True)
    start = Leduc()
    with pytest.raises(agents.CannotPlay, match="leave out memory=True"):
        agents.match(start, agent, "random", pairs=1)


def test_boards_are_written_as_told() -> None:
    with ChatEndpoint(lambda messages: "Final answer: e5") as served:
        agent = llm(served, board="standard", show_legal=True)
        agent.act(Chess().after("e2e4"))
    text = served.requests[0]["messages"][1]["content"]
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq" in text
    assert "Legal moves: " in text


# ---- requests


def test_what_is_not_given_is_left_to_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret\n")
    with OddEndpoint(FINE) as served:
        monkeypatch.setenv("OPENAI_BASE_URL", served.base_url + "/")
        plain = LanguageModel("some")
        plain.act(START)
        assert served.bodies[-1].keys() == {"model", "messages"}
        assert served.headers[-1]["Authorization"] == "Bearer sk-secret"
        given = LanguageModel("some", temperature=0.5, max_tokens=20, seed=4)
        given.act(START)
        body = served.bodies[-1]
        assert (body["temperature"], body["max_tokens"], body["seed"]) == (0.5, 20, 4)
        given.reset(5)
        given.act(START)
        assert served.bodies[-1]["seed"] == 5
        assert repr(given) == "llm(model='some', temperature=0.5, max_tokens=20, seed=4)"
        assert given.counts.tokens_in == 140
        assert given.counts.tokens_out == 10
        for twin in (copy.deepcopy(given), pickle.loads(pickle.dumps(given))):
            assert twin == given
            assert b"sk-secret" not in pickle.dumps(twin)


@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        ([refuses(500), FINE], [0.5]),
        ([refuses(503), refuses(502), FINE], [0.5, 1.0]),
        ([refuses(429, **{"Retry-After": "0"}), FINE], [0.0]),
        ([refuses(429, **{"Retry-After": "7"}), FINE], [7.0]),
        ([refuses(429, **{"Retry-After": "Thu, 01 Jan 1970 00:00:10 GMT"}), FINE], [0.0]),
        ([refuses(429, **{"Retry-After": "soon"}), FINE], [0.5]),
        ([CUT_OFF, FINE], [0.5]),
        ([(200, {}, b"<html>"), FINE], [0.5]),
        ([(200, {}, b"[]"), FINE], [0.5]),
        ([(200, {}, b'{"choices": []}'), FINE], [0.5]),
        ([says(7), FINE], [0.5]),
    ],
)
def test_what_may_pass_is_asked_again(
    answers: list[Answer], waited: list[float], waits: list[float]
) -> None:
    with OddEndpoint(*answers) as served:
        agent = llm(served)
        assert agent.act(START) == START.action("a1")
        assert waits == waited
        assert agent.counts.requests == len(served.bodies) == len(answers)
        assert agent.counts.legal == 1


@pytest.mark.parametrize(
    ("answer", "requests", "why"),
    [
        (refuses(401, "Incorrect key sk-secret"), 1, r"status 401: Incorrect key \*\*\*"),
        (refuses(404), 1, "status 404: no"),
        ((400, {}, b"plain text"), 1, "status 400: plain text"),
        ((302, {"Location": "http://127.0.0.1:9/"}, b""), 1, "status 302: no reason"),
        (refuses(500), 3, "status 500: no; it was asked 3 times"),
        (refuses(429, **{"Retry-After": "9000"}), 1, "asks to wait 9000 s; it was asked once"),
        (CUT_OFF, 3, "did not answer: RemoteProtocolError"),
        ((200, {}, b"{"), 3, "gave an answer that is no chat completion"),
    ],
)
def test_an_endpoint_that_fails_stops_the_match(
    answer: Answer, requests: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with OddEndpoint(answer) as served:
        with pytest.raises(NoAnswer, match=why):
            agents.match(START, llm(served, retries=2), "random", pairs=1)
        assert len(served.bodies) == requests


@pytest.mark.parametrize("status", [400, 500])
def test_what_a_server_says_of_hidden_games_is_not_repeated(status: int) -> None:
    """It may quote the prompt, and with it cards that only the model's player sees."""
    here = Leduc().after("Ks Jh raise call Qs")
    served = OddEndpoint(refuses(status, "Invalid prompt: player 0 Ks"))
    with served, pytest.raises(NoAnswer, match=f"answered with status {status}") as error:
        llm(served, retries=0).act(here.hidden(0))
    assert "Ks" not in str(error.value)
    assert "prompt" not in str(error.value)


def test_an_endpoint_that_is_not_there() -> None:
    with OddEndpoint(FINE) as served:
        agent = llm(served, retries=1)
    with pytest.raises(NoAnswer, match=r"did not answer: ConnectError.*; it was asked 2 times"):
        agent.act(START)


def test_an_endpoint_that_is_silent_is_not_waited_for() -> None:
    done = threading.Event()

    def silent(messages: Any) -> str:
        done.wait()
        return ""

    with ChatEndpoint(silent) as served:
        try:
            with pytest.raises(NoAnswer, match=r"had not answered after 0.05 s; it was asked once"):
                llm(served, timeout=0.05, retries=0).act(START)
        finally:
            done.set()


def test_an_invalid_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk secret")
    with pytest.raises(NoAnswer, match="OPENAI_API_KEY holds characters that no key has"):
        Endpoint("http://127.0.0.1:9/v1").complete({})


def test_a_text_in_parts() -> None:
    parts = [{"type": "text", "text": "Final "}, {"type": "text", "text": "answer: c3"}]
    with OddEndpoint(says(parts)) as served:
        assert llm(served).act(START) == START.action("c3")


# ---- the cache


def forgetful() -> ChatEndpoint:
    return ChatEndpoint(ScriptedModel(manner="forgetful", seed=2))


def test_a_run_that_is_repeated_asks_nothing(tmp_path: Path) -> None:
    with forgetful() as served:
        results, counts = [], []
        for _ in range(2):
            agent = llm(served, on_failure="random", cache=tmp_path / "answers")
            result = agents.match(START, agent, "random", pairs=2, seed=3)
            results.append([game.actions for game in result.games])
            counts.append(agent.counts)
    first, again = counts
    assert results[0] == results[1]
    assert first.requests == len(served.requests) == len(list((tmp_path / "answers").iterdir()))
    assert (again.requests, again.cached) == (0, first.requests + first.cached)
    assert (again.legal, again.illegal) == (first.legal, first.illegal)


def test_stored_answers_are_for_the_same_request_only(tmp_path: Path) -> None:
    with OddEndpoint(FINE) as served:
        for changes, requests in (
            ({}, 1),
            ({}, 1),
            ({"temperature": 0.5}, 2),
            ({"max_tokens": 9}, 3),
            ({"seed": 1}, 4),
            ({"board": "grid"}, 5),
            ({"temperature": 0}, 6),
        ):
            llm(served, cache=tmp_path, **changes).act(START)
            assert len(served.bodies) == requests
        for temperature, more in ((0, 0), (1, 2)):
            served.bodies.clear()
            for seed in (1, 2):
                agent = llm(served, cache=tmp_path, temperature=temperature)
                agent.reset(seed)
                agent.act(START)
            assert len(served.bodies) == more


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "list", "other", "unsigned"])
def test_a_damaged_file_is_told(damage: str, tmp_path: Path) -> None:
    with OddEndpoint(FINE) as served:
        agent = llm(served, cache=tmp_path)
        agent.act(START)
        (file,) = tmp_path.iterdir()
        text = file.read_text(encoding="utf-8")
        other = AnswerCache(str(tmp_path / "other"))
        other.store({"of": "another"}, Completion("Final answer: b2"))
        unsigned = {k: v for k, v in json.loads(text).items() if k != "sha256"}
        damaged = {
            "cut": text[:-9],
            "changed": text.replace("answer: a1", "answer: a2"),
            "empty": "",
            "list": "[]",
            "other": other.path({"of": "another"}).read_text(encoding="utf-8"),
            "unsigned": json.dumps(unsigned),
        }
        file.write_text(damaged[damage], encoding="utf-8")
        with pytest.raises(NoAnswer, match=r"the stored answer .* is damaged: .*; delete it"):
            agent.act(START)
        assert len(served.bodies) == 1
        file.unlink()
        agent.act(START)


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with OddEndpoint(FINE) as served, pytest.raises(NoAnswer, match=r"cannot (read|write) the"):
        llm(served, cache=tmp_path / "file").act(START)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def games(agent: LanguageModel) -> Iterator[tuple[int, ...]]:
        for game in agents.match(START, agent, "random", pairs=2, seed=5).games:
            yield game.actions

    with ChatEndpoint(ScriptedModel(seed=1)) as served:
        whole = list(games(llm(served)))
        model, asked = served.model, len(served.requests)

        def ends(messages: Any) -> str:
            if len(served.requests) > asked + 6:
                raise ValueError("out of credit")
            return model(messages)

        served.model = ends
        with pytest.raises(NoAnswer, match="status 400: ValueError: out of credit"):
            list(games(llm(served, cache=tmp_path)))
        served.model = model
        served.requests.clear()
        assert list(games(llm(served, cache=tmp_path))) == whole
        assert len(served.requests) == asked - 6


# ---- parameters


@pytest.mark.parametrize(
    ("parameters", "error", "why"),
    [
        ({"model": ""}, ValueError, "model must be the name of a model, not empty"),
        ({"model": 1}, TypeError, "model must be the name of a model, not 1"),
        ({"base_url": 1}, TypeError, "base_url must be a URL or None"),
        ({"base_url": "localhost:8000"}, ValueError, "base_url must be as in http://"),
        ({"base_url": "ftp://a.b/v1"}, ValueError, "base_url must be as in http://"),
        ({"base_url": "http://a.b/v1?key=1"}, ValueError, "base_url must be as in http://"),
        ({"base_url": "http://me:key@a.b/v1"}, ValueError, "base_url must not hold a password"),
        ({"temperature": -1}, ValueError, "temperature must be at least 0, not -1"),
        ({"temperature": float("nan")}, ValueError, "temperature must be at least 0, not nan"),
        ({"temperature": "hot"}, TypeError, "temperature must be a number, not 'hot'"),
        ({"max_tokens": 0}, ValueError, "max_tokens must be at least 1 or None, not 0"),
        ({"timeout": 0}, ValueError, "timeout must be above 0 and at most"),
        ({"retries": -1}, ValueError, "retries must be at least 0, not -1"),
        ({"attempts": 0}, ValueError, "attempts must be at least 1, not 0"),
        ({"attempts": 1.5}, TypeError, "attempts must be a whole number, not 1.5"),
        ({"on_failure": "end"}, ValueError, "on_failure must be forfeit or random, not 'end'"),
        ({"memory": 3}, ValueError, "memory must be True or False, not 3"),
        ({"board": "ascii"}, ValueError, "board must be grid or cells or standard or json"),
        ({"cache": 3}, TypeError, "cache must be the path of a folder or None, not 3"),
    ],
)
def test_invalid_parameters(parameters: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=re.escape(why)):
        LanguageModel(**{"model": "some", **parameters})


def test_a_board_that_the_game_does_not_have_is_refused_before_anything_begins() -> None:
    agent = LanguageModel("some", "http://127.0.0.1:9/v1", board="cells")
    with pytest.raises(agents.CannotPlay, match="kuhn has no board of cells"):
        agents.match(Kuhn(), agent, "random", pairs=1)


# ---- commands


def test_counts_as_text() -> None:
    assert str(ModelCounts(requests=2, legal=1, unreadable=1, tokens_in=7)) == (
        "2 requests, 0 answers from the cache; 1 legal, 0 illegal, 1 unreadable; 0 failures; "
        "7 tokens in, 0 out; 0.0 s"
    )


def spec_of(served: Any, *more: str) -> str:
    given = "model='scripted'", f"base_url='{served.base_url}'", *more
    return f"llm({', '.join(given)})"


def test_a_match_says_what_a_model_answered() -> None:
    with ChatEndpoint(ScriptedModel()) as served:
        answer = run("match", "tic_tac_toe", spec_of(served, "board='json'"), "random")
    asked = len(served.requests)
    assert (answer.code, answer.err) == (0, "")
    assert f"A: {asked} requests, 0 answers from the cache; {asked} legal, 0 illegal" in answer.out


def test_a_perfect_model_has_a_perfect_card() -> None:
    with ChatEndpoint(ScriptedModel(agents.make("alpha_beta").act, "chatty")) as served:
        spec = spec_of(served, "board='json'")
        answer = run("grade", "tic_tac_toe", spec, "--games", "2", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["overall"]["kept"]["value"] == 1


@pytest.mark.parametrize(
    "words",
    [
        ("grade", "tic_tac_toe", "SPEC"),
        ("grade", "kuhn", "SPEC"),
        ("match", "tic_tac_toe", "random", "SPEC"),
        ("rate", "tic_tac_toe", "SPEC"),
        ("play", "tic_tac_toe", "--opponent", "SPEC", "--second"),
    ],
)
def test_commands_say_in_one_line_that_an_endpoint_fails(words: tuple[str, ...]) -> None:
    with OddEndpoint(refuses(402, "no money left")) as served:
        answer = run(*(spec_of(served) if word == "SPEC" else word for word in words))
    assert answer.code == 1
    assert "Error: " in answer.err
    why = " (what it says is left out" if "kuhn" in words else ": no money left"
    said = " ".join(answer.err.split())
    assert f"{served.base_url} answered with status 402{why}" in said


def test_a_tournament_that_an_endpoint_stops_goes_on(tmp_path: Path) -> None:
    spec, out = "", str(tmp_path / "games.jsonl")
    with ChatEndpoint(ScriptedModel(seed=1)) as served:
        model = served.model

        def ends(messages: Any) -> str:
            if len(served.requests) > 6:
                raise ValueError("out of credit")
            return model(messages)

        spec = spec_of(served, "board='json'", f"cache={str(tmp_path / 'answers')!r}")
        served.model = ends
        words = ("tournament", "tic_tac_toe", spec, "random", "--games", "6", "--workers", "1")
        words += ("--seed", "1", "--out")
        answer = run(*words, out)
        assert answer.code == 1
        assert "out of credit" in answer.err
        served.model = model
        assert run(*words, out, "--resume").code == 0
        asked = len(served.requests)
        whole = str(tmp_path / "whole.jsonl")
        assert run(*words, whole).code == 0
        assert len(served.requests) == asked
    assert actions_in(out) == actions_in(whole)


def actions_in(path: str) -> list[Any]:
    return [read_game(Path(path), number)[1].actions for number in range(6)]
