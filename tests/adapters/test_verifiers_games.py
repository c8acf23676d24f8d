"""Plays the games in verifiers: its loaders, environments and client, and models behind HTTP."""

import asyncio
import contextlib
import json
import sys
from pathlib import Path

import pytest
from adapters.reference import CASES, OVER_AT_ONCE, Record, Script, models_of, text_of

from adv_envs.testing import ChatEndpoint, ScriptedModel

pytestmark = pytest.mark.needs("verifiers")

PACKAGES = Path(__file__).parents[2] / "examples" / "verifiers"
ONE, ALL = "adv-envs-games", "adv-envs-self-play"


@pytest.fixture(autouse=True)
def packages(monkeypatch, tmp_path):
    """The packages of the example can be imported, and no key is needed."""
    monkeypatch.syspath_prepend(PACKAGES)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    paths = pytest.importorskip("verifiers.v1.utils.paths")
    monkeypatch.setattr(paths, "CACHE_DIR", tmp_path)
    monkeypatch.setattr("verifiers.v1.runtimes.subprocess.CACHE_DIR", tmp_path)


def client_of(endpoint):
    return {"type": "eval", "base_url": endpoint.base_url, "api_key_var": "OPENAI_API_KEY"}


def environment(package, endpoints=(), game="tic_tac_toe", **options):
    """The environment of a package; with ``endpoints``, each plays a seat."""
    from verifiers.v1 import load_environment, resolve_env_config

    options = {"game": game, **options}

    seats = {f"player{seat}": {"client": client_of(e)} for seat, e in enumerate(endpoints)}
    return load_environment(resolve_env_config({"taskset": {"id": package, **options}, **seats}))


async def episodes(env, endpoint):
    """The episodes of all tasks of an environment, played at the same time."""
    import verifiers.v1 as vf

    client = vf.EvalClientConfig(**client_of(endpoint))
    model = vf.ModelContext(client=client, model="scripted", sampling=vf.SamplingConfig())
    async with env.serving():
        slots = [slot for task in env.taskset for slot in env.slots(task)]
        return await asyncio.gather(*(env.run_slot(slot, model) for slot in slots))


def play(package, model, **options):
    """The traces of each episode where ``model`` answers for all seats."""
    with ChatEndpoint(model) as endpoint:
        found = asyncio.run(episodes(environment(package, **options), endpoint))
    for episode in found:
        assert episode.ok, episode.errors or [trace.errors for trace in episode.traces]
    return [sorted(episode.traces, key=lambda t: t.info["game"]["seat"]) for episode in found]


def arguments(case):
    options = {"game": case.game, "parameters": case.parameters, "opponent": case.opponent}
    return {**options, **case.options, "first_seed": case.seed, "num_games": 1}


def record(trace):
    """The record of the game of a trace, from what the trace says."""
    facts, metrics = trace.info["game"], trace.metrics
    assert trace.num_turns == len(facts["outcomes"])
    for kind in ("legal", "illegal", "unreadable"):
        assert metrics[kind] == facts["outcomes"].count(kind)
    assert trace.reward == (facts["utility"] or 0)
    regret = metrics.get("mean_regret")
    return Record(
        tuple(facts["moves"]),
        tuple(facts["outcomes"]),
        metrics.get("utility"),
        facts["failure"],
        int(metrics["graded"]),
        int(metrics["kept"]),
        None if regret is None else round(regret, 9),
    )


async def all_at_once(runs):
    return await asyncio.gather(*runs)


def test_the_same_games_against_opponents_at_the_same_time(same_games):
    with contextlib.ExitStack() as stack:
        runs = []
        for case in CASES:
            endpoint = stack.enter_context(ChatEndpoint(of_messages(Script(case))))
            runs.append(episodes(environment(ONE, **arguments(case), seat=case.seat), endpoint))
        played = asyncio.run(all_at_once(runs))
    traces = {case: found[0].traces[0] for case, found in zip(CASES, played, strict=True)}
    same_games(lambda case: record(traces[case]))


def test_the_same_games_with_a_model_at_every_seat(same_games):
    with contextlib.ExitStack() as stack:
        runs = []
        for case in CASES:
            models = map(of_messages, models_of(case))
            endpoints = [stack.enter_context(ChatEndpoint(model)) for model in models]
            env = environment(ALL, endpoints, **arguments(case))
            runs.append(episodes(env, endpoints[0]))
        played = asyncio.run(all_at_once(runs))
    traces = {
        case: {trace.agent.name: trace for trace in found[0].traces}[f"player{case.seat}"]
        for case, found in zip(CASES, played, strict=True)
    }
    same_games(lambda case: record(traces[case]))


def of_messages(model):
    """A model of texts as one of messages; a script has given all replies that are in them."""

    def answer(messages):
        if isinstance(model, Script):
            assert len(model.replies) == sum(m["role"] == "assistant" for m in messages)
        return model(text_of(messages))

    return answer


# ---- what is told, and what goes wrong


def test_each_seat_is_told_what_it_sees():
    hands = set()
    for first, second in play(ALL, ScriptedModel(), game="kuhn", board="json", num_games=12):
        cards = first.info["game"]["moves"][:2]
        hands.add(tuple(cards))
        for seat, trace in enumerate((first, second)):
            told = text_of(m.model_dump() for m in trace.branches[-1].messages if m.role == "user")
            assert f"chance: {cards[seat]}" in told
            assert f"chance: {cards[1 - seat]}" not in told
            assert f"You are player {seat}" in trace.task.data.system_prompt
    assert len(hands) > 2


@pytest.mark.parametrize("case", OVER_AT_ONCE, ids=lambda case: case["game"])
def test_a_game_that_others_have_ended_asks_nothing(case):
    own = ("game", "seat", "opponent")
    options = {key: case[key] for key in own if key in case}
    parameters = {key: value for key, value in case.items() if key not in own}
    found = play(ONE, ScriptedModel(), board="json", num_games=30, parameters=parameters, **options)
    ended = [trace for (trace,) in found if not trace.info["game"]["outcomes"]]
    assert ended
    for trace in ended:
        assert trace.reward == trace.metrics["utility"] != 0
        assert (trace.num_turns, trace.metrics["failures"]) == (0, 0)
        assert trace.info["game"]["outcome"] is None


def test_grades_are_rewards_if_asked_for():
    options = {"game": "tic_tac_toe", "board": "json", "grade": "exact", "reward": "grade"}
    for (trace,) in play(ONE, ScriptedModel(), num_games=4, **options):
        metrics = trace.metrics
        assert trace.reward == pytest.approx(-metrics["mean_regret"] * metrics["graded"])
    totals = [
        trace.reward
        for pair in play(ALL, ScriptedModel(), num_games=4, **options)
        for trace in pair
    ]
    assert min(totals) < 0
    assert max(totals) <= 0


def test_a_limit_of_turns_ends_a_game_that_is_not_finished():
    with ChatEndpoint(ScriptedModel()) as endpoint:
        env = environment(ONE, game="connect_four", board="json", num_games=1)
        env.config.player.max_turns = 2
        (episode,) = asyncio.run(episodes(env, endpoint))
    (trace,) = episode.traces
    assert (trace.stop_condition, trace.metrics["finished"], trace.reward) == ("max_turns", 0, 0)
    assert (trace.metrics["legal"], "utility" in trace.metrics) == (2, False)


def test_an_endpoint_that_fails_is_an_error_and_no_lost_game():
    def broken(messages):
        raise ValueError("out of credit")

    with ChatEndpoint(broken) as endpoint:
        (episode,) = asyncio.run(episodes(environment(ONE, num_games=1), endpoint))
    assert not episode.ok
    assert "out of credit" in str(episode.traces[0].errors)
    assert episode.traces[0].rewards == {}


@pytest.mark.parametrize(
    ("package", "options", "said"),
    [
        (ONE, {"game": ""}, "no game ''; games: chess, "),
        (ONE, {"game": "tic_tac_to"}, "did you mean 'tic_tac_toe'"),
        (ONE, {"seat": "third"}, "seat must be"),
        (ONE, {"seat": "all"}, "adv-envs-self-play plays all"),
        (ONE, {"opponent": "nobody"}, "nobody"),
        (ONE, {"grade": "exact", "game": "kuhn"}, "players do not see everything"),
        (ONE, {"reward": "grade"}, "needs grade="),
        (ONE, {"parameters": {"sides": 3}}, "sides"),
        (ONE, {"num_games": 0}, "greater than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said_before_any_game(package, options, said):
    with pytest.raises((ValueError, TypeError), match=said):
        environment(package, **options)


def test_the_command_line_plays(tmp_path, monkeypatch):
    from verifiers.v1.cli.eval.main import main

    monkeypatch.chdir(tmp_path)
    with ChatEndpoint(ScriptedModel()) as endpoint:
        line = f"vf-eval {ONE} -n 2 --model scripted --no-push --no-rich"
        line += f" --client.base-url {endpoint.base_url} --client.api-key-var OPENAI_API_KEY"
        for option in ("game hex", "parameters.size 3", "seat 1", "board json", "grade exact"):
            line += f" --env.taskset.{option}"
        monkeypatch.setattr(sys, "argv", line.split())
        main()
    (file,) = tmp_path.glob("outputs/*/traces.jsonl")
    facts = [json.loads(row)["traces"][0]["info"]["game"] for row in file.read_text().splitlines()]
    assert [(each["seat"], each["game"], each["finished"]) for each in facts] == [
        (1, "hex", True)
    ] * 2
    assert all(each["graded"] == len(each["outcomes"]) > 0 for each in facts)


def test_games_have_no_end_unless_they_are_counted():
    endless = environment(ONE).taskset
    assert not endless.bounded
    assert [task.data.seed for task in endless.take(3)] == [0, 1, 2]
    counted = environment(ONE, first_seed=7, num_games=2).taskset
    assert counted.bounded
    assert [task.data.name for task in counted] == ["tic_tac_toe#7", "tic_tac_toe#8"]
    assert len({task.key for task in counted}) == 2


def test_self_play_says_how_many_seats_it_has():
    options = {"game": "thirty_one", "parameters": {"num_players": 11}, "num_games": 1}
    with ChatEndpoint(ScriptedModel()) as endpoint:
        (episode,) = asyncio.run(episodes(environment(ALL, **options), endpoint))
    assert "self-play has 10 seats, and thirty_one has 11 players" in str(episode.errors)
