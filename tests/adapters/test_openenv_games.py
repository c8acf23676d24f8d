"""Plays the games at OpenEnv's server, by its client over WebSockets, and validates the package."""

import contextlib
import itertools
import json
import re
import runpy
import shutil
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from adapters.reference import (
    CASES,
    OVER_AT_ONCE,
    SMALL,
    Record,
    Script,
    models_of,
    text_of,
    told_apart,
)
from hidden_games import HIDDEN

import agents
from adv_envs import Hex
from adv_envs.testing import ChatEndpoint, ScriptedModel

pytestmark = pytest.mark.needs("openenv")

PACKAGE = Path(__file__).parents[2] / "examples" / "openenv"


@contextmanager
def served(app):
    """The address of an application that uvicorn serves on this computer meanwhile."""
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def games(*options):
    from agents.integrations.openenv_games import games_app

    with served(games_app(options)) as url:
        yield url


@contextmanager
def client(url):
    from agents.integrations.openenv_games import ServedGameClient

    with ServedGameClient(base_url=url).sync() as connected:
        yield connected


class Uncopied:
    """Plays, but cannot be copied."""

    def act(self, position):
        return position.legal_actions()[0]

    def __deepcopy__(self, memo):
        raise TypeError("it holds a process")


def answer(connected, reply):
    from agents.integrations.openenv_games import ServedAction

    return connected.step(ServedAction(reply=reply))


def record(outcomes, facts):
    """The record of a game from what the server said."""
    for kind in ("legal", "illegal", "unreadable"):
        assert facts[kind] == outcomes.count(kind)
    regret = facts["mean_regret"]
    return Record(
        tuple(facts["moves"]),
        tuple(outcomes),
        facts["utility"],
        facts["failure"],
        facts["graded"],
        facts["kept"],
        None if regret is None else round(regret, 9),
    )


@pytest.fixture
def cases_of_one_seat():
    """A server whose games are the cases, in their order."""
    with games(*({"game": case.game, **case.arguments()} for case in CASES)) as url:
        yield url


@pytest.fixture
def cases_of_all_seats():
    """The same, where every seat is a model."""
    with games(
        *({"game": c.game, "seat": "all", **c.options, **c.parameters} for c in CASES)
    ) as url:
        yield url


def replies_of_one(case, connected, records):
    """Plays a case, a reply at a time: a generator, which fills ``records``."""
    script, outcomes = Script(case), []
    told = connected.reset(seed=case.seed, index=CASES.index(case), episode_id=str(case))
    while not told.done:
        yield
        told = answer(connected, script(text_of(told.observation.messages)))
        outcomes.append(told.observation.outcome)
    state, facts = connected.state(), told.observation.facts
    assert (state.episode_id, state.step_count, state.facts) == (str(case), len(outcomes), facts)
    assert told.reward == (facts["utility"] or 0)
    records[case] = record(outcomes, facts)


def replies_of_all(case, connected, records):
    """The same where every seat is a model, each with a conversation of its own."""
    models, outcomes, waiting = models_of(case), [], False
    told = connected.reset(seed=case.seed, index=CASES.index(case))
    while not told.done:
        yield
        seat = told.observation.seat
        if seat == case.seat and waiting:
            outcomes.append(told.observation.outcome)
        waiting |= seat == case.seat
        told = answer(connected, models[seat](text_of(told.observation.messages)))
    facts = told.observation.seats[case.seat]
    outcomes += [facts["outcome"]] * waiting
    assert told.reward == (told.observation.seats[seat]["utility"] or 0)
    records[case] = record(outcomes, facts)


def test_the_same_games_by_four_clients_at_the_same_time(same_games, cases_of_one_seat):
    records = {}

    def play(cases):
        with client(cases_of_one_seat) as connected:
            for case in cases:
                assert list(replies_of_one(case, connected, records))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, (CASES[number::4] for number in range(4))))
    same_games(records.__getitem__)


@pytest.mark.parametrize(
    ("server", "replies"),
    [("cases_of_one_seat", replies_of_one), ("cases_of_all_seats", replies_of_all)],
    ids=["one", "all"],
)
def test_the_same_games_in_four_sessions_that_take_turns(same_games, server, replies, request):
    records = {}
    with contextlib.ExitStack() as stack:
        url = request.getfixturevalue(server)
        sessions = [stack.enter_context(client(url)) for _ in range(4)]

        def turns(number):
            for case in CASES[number::4]:
                yield from replies(case, sessions[number], records)

        for _ in itertools.zip_longest(*map(turns, range(4))):
            pass
    same_games(records.__getitem__)


# ---- what is told


def test_a_seat_is_told_what_it_sees_and_no_more():
    told = {0: "", 1: ""}
    with games({"game": "kuhn", "seat": "all", "board": "json"}) as url, client(url) as connected:
        for seed in range(12):
            model, said = ScriptedModel(seed=seed), {0: [], 1: []}
            step = connected.reset(seed=seed)
            while not step.done:
                seen = step.observation
                assert seen.facts["moves"].count("?") == 1
                assert connected.state().facts == seen.facts
                said[seen.seat].append(text_of(seen.messages))
                step = answer(connected, model(seen.messages))
            cards = step.observation.seats[0]["moves"][:2]
            for seat, texts in said.items():
                assert all(f"chance: {cards[seat]}" in text for text in texts)
                assert not any(f"chance: {cards[1 - seat]}" in text for text in texts)
                told[seat] += cards[seat]
    assert {*told[0]} == {*told[1]} == {*"JQK"}


@pytest.mark.parametrize("game", HIDDEN)
def test_who_has_been_told_the_same_observes_the_same(game):
    from agents.integrations.openenv_games import ServedAction, ServedGameEnvironment

    parameters = SMALL.get(game, {})
    env = ServedGameEnvironment([{"game": game, "seat": "all", "board": "json", **parameters}])

    def told(observed):
        assert env.state.facts == observed.facts
        return observed.model_dump()

    def step(reply):
        return env.step(ServedAction(reply=reply))

    assert told_apart(env.reset, step, told) == []


@pytest.mark.parametrize("case", OVER_AT_ONCE, ids=lambda case: case["game"])
def test_a_game_that_others_have_ended_is_over_at_once(case):
    with games(case) as url, client(url) as connected:
        seeds = [seed for seed in range(30) if connected.reset(seed=seed).done]
        assert seeds
        for seed in seeds:
            told = connected.reset(seed=seed)
            facts = told.observation.facts
            assert told.reward == facts["utility"] != 0
            assert (told.observation.outcome, facts["failures"]) == (None, 0)
            assert "The game is over." in told.observation.messages[-1]["content"]
            with pytest.raises(RuntimeError, match="call reset"):
                answer(connected, "hold")


def test_sessions_do_not_share_an_opponent_that_is_an_object():
    from agents.integrations.openenv_games import ServedAction, ServedGameEnvironment

    options = {"game": "tic_tac_toe", "seat": "first", "board": "json"}
    options["opponent"] = agents.make("mcts(simulations=5)")
    model = ScriptedModel()

    def moves(number):
        sessions = [ServedGameEnvironment([options]) for _ in range(number)]
        told = [session.reset(seed=3) for session in sessions]
        while not told[0].done:
            for i, session in enumerate(sessions):
                told[i] = session.step(ServedAction(reply=model(told[i].messages)))
        return [each.facts["moves"] for each in told]

    assert moves(3) == moves(1) * 3


def test_other_sessions_go_on_while_a_model_that_is_an_opponent_thinks():
    asked, go_on, begun = threading.Event(), threading.Event(), []
    scripted = ScriptedModel()

    def slow(messages):
        asked.set()
        assert go_on.wait(60)
        return scripted(messages)

    with ChatEndpoint(slow) as endpoint:
        model = f"llm(model='slow', base_url='{endpoint.base_url}', board='json')"
        options = {"game": "nim", "seat": "second", "grade": "exact"}
        both = {**options, "opponent": model}, {**options, "opponent": "perfect"}
        with games(*both) as url, client(url) as one, client(url) as other:
            waiting = threading.Thread(target=lambda: begun.append(one.reset(seed=1, index=0)))
            waiting.start()
            try:
                assert asked.wait(60)
                played = other.reset(seed=1, index=1)
                assert not begun
            finally:
                go_on.set()
                waiting.join()
    for told in (played, *begun):
        assert len(told.observation.facts["moves"]) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"index": 2}, "index must be from 0 to 1, not 2"),
        ({"index": "first"}, "index must be from 0 to 1, not 'first'"),
        ({"split": "test"}, "the split is 'games', not 'test'"),
        ({"opponent": "perfect"}, "reset takes seed, episode_id, split and index, not 'opponent'"),
        ({"seed": "one"}, "seed"),
    ],
)
def test_a_client_that_asks_for_what_is_not_served_is_told_so(arguments, said):
    with games({"game": "nim"}, {"game": "kuhn"}) as url, client(url) as connected:
        with pytest.raises(RuntimeError, match=said):
            connected.reset(**arguments)
        with pytest.raises(RuntimeError, match=r"call reset\(\) "):
            answer(connected, "1")
        assert connected.state().step_count == 0
        connected.reset(seed=1)
        assert answer(connected, "What was I to do?").observation.outcome == "unreadable"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "at least one game"),
        (({"game": "nim"}, {"game": "chesss"}), "did you mean 'chess'"),
        (({"game": "nim", "reward": "kept"},), "needs a grade"),
        (({"game": "nim", "reward": "kept", "grade": "exact", "seat": "all"},), "out reward: with"),
        (({"game": "nim", "reward": "grade", "grade": "exact", "seat": "all"},), "out reward: "),
        (({"game": "nim", "seat": "all", "opponent": "random"},), "leave out opponent: with"),
        (("nim",), "a game is given by its options"),
        (({"seat": "all"},), "a game is given by its options"),
        (({"game": "nim", "opponent": Uncopied()},), "cannot be copied"),
        (({"game": "kuhn", "grade": "exact"},), "players do not see everything"),
    ],
)
def test_what_cannot_be_served_is_refused_before_anything_is(options, said):
    with pytest.raises((TypeError, ValueError), match=said), games(*options):
        pass


@pytest.mark.parametrize("wrong", [{"game": "nim"}, "nim", None, Hex(3)])
def test_what_is_no_list_of_games_is_refused(wrong):
    from agents.integrations.openenv_games import games_app

    with pytest.raises(TypeError, match="games must be a list"):
        games_app(wrong)


def test_a_request_without_a_session_is_refused_and_tasks_name_their_games():
    import httpx

    with games({"game": Hex(3), "board": "json"}, {"game": "nim"}) as url:
        refused = httpx.post(f"{url}/step", json={"action": {"reply": "1"}})
        assert refused.status_code == 400
        assert "a session is one WebSocket" in refused.json()["detail"]
        tasks = httpx.post(f"{url}/adv_envs/tasks", json={"split": "games"}).json()["tasks"]
        size = {"size": 3, "swap": False}
        assert tasks == [
            {"index": 0, "game": "hex", "board": "json", **size},
            {"index": 1, "game": "nim"},
        ]


# ---- the package


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package, without what Python leaves there."""
    copy = tmp_path / "package"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "outputs"))
    monkeypatch.syspath_prepend(copy)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in [name for name in sys.modules if name.partition(".")[0] == "server"]:
        monkeypatch.delitem(sys.modules, name)
    return copy


def app_of(package):
    return runpy.run_path(str(package / "server" / "app.py"))["app"]


def validated(*arguments):
    """The status and the report of ``openenv validate``."""
    from openenv.cli.__main__ import app
    from typer.testing import CliRunner

    done = CliRunner().invoke(app, ["validate", *arguments, "--json"])
    return done.exit_code, json.loads(done.stdout)


def test_the_declarations_of_the_package_are_valid(package):
    status, report = validated(str(package), "--level", "static", "--skip-build")
    assert (status, report["verdict"]) == (0, "pass")
    declared = report["manifest"]["reward"]
    assert declared["oracle_tolerance"] == 0
    assert declared["floor_margin"] > 0
    assert (package / report["manifest"]["capabilities"]["oracle"]["location"]).exists()


def test_the_package_is_found_by_its_name(tmp_path):
    from openenv.auto._discovery import EnvironmentDiscovery

    discovery = EnvironmentDiscovery()
    discovery._cache_file = tmp_path / "cache.json"
    found = discovery.get_environment_by_name("adv-games")
    assert found is not None, "examples/openenv is not installed here"
    assert found.get_client_class().__name__ == "ServedGameClient"
    assert found.get_action_class().__name__ == "ServedAction"
    assert found.get_observation_class().__name__ == "ServedObservation"


def test_a_running_server_is_valid(package):
    with served(app_of(package)) as url:
        status, report = validated("--url", url)
    assert status == 0, report
    assert report["passed"]


def test_the_checks_of_a_running_package_pass(package):
    """With uvicorn on this computer in place of Docker, which cannot enforce "no-network"."""
    from openenv.validation import Level, ProviderCapability, run_validation

    manifest = package / "openenv.yaml"
    manifest.write_text(manifest.read_text().replace("mode: no-network", "mode: public"))

    class Running:
        def __init__(self):
            self._stack = contextlib.ExitStack()
            self.base_url = self._stack.enter_context(served(app_of(package)))

        def inspect(self):
            return {}

        def stop(self):
            self._stack.close()

    class OnThisComputer:
        name = "this computer"
        capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
        supported_network_modes = frozenset({"public"})

        def build(self, root, execution):
            assert (root / execution.dockerfile).exists()
            return "sha256:" + "0" * 64

        def start(self, spec):
            return Running()

    report = run_validation(package, max_level=Level.SEMANTIC, provider=OnThisComputer())
    found = {result.check_id: (result.status.value, result.evidence) for result in report.results}
    for check in ("startup", "reward_well_formed", "observation_schema", "state_contract"):
        assert found[f"runtime.{check}"][0] == "pass", found
    assert "fail" not in [status for status, _ in found.values()]


def test_the_client_of_its_page_plays(package, monkeypatch, capsys):
    page = (package / "README.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    names = itertools.cycle(row + column for column in "123" for row in "abc")
    monkeypatch.setattr("builtins.input", lambda prompt: f"Final answer: {next(names)}")
    with served(app_of(package)) as url:
        assert "http://localhost:8000" in code
        (package / "page.py").write_text(code.replace("http://localhost:8000", url))
        runpy.run_path(str(package / "page.py"))
    *_, reward = capsys.readouterr().out.splitlines()
    assert 0 <= float(reward) <= 1
    assert '\nserver = "adv_games_env.server.app:main"' in (package / "pyproject.toml").read_text()


def test_the_runtime_plan_plays_a_perfect_game(package):
    plan = json.loads((package / "validation" / "runtime.json").read_text())
    with served(app_of(package)) as url, client(url) as connected:
        told = connected.reset(seed=plan["reset"]["seed"], **plan["reset"]["options"])
        for action in plan["actions"]:
            assert not told.done
            told = answer(connected, action["reply"])
    assert (told.done, told.reward) == (True, 1)


@pytest.mark.parametrize(("agent", "status"), [("perfect", 0), ("random", 1)])
def test_perfect_play_has_the_largest_reward_and_random_play_is_below_the_margin(
    package, capsys, monkeypatch, agent, status
):
    import yaml

    declared = yaml.safe_load((package / "openenv.yaml").read_text())["validation"]
    oracle = runpy.run_path(str(package / declared["capabilities"]["oracle"]["location"]))
    with served(app_of(package)) as url:
        monkeypatch.setattr(sys, "argv", ["oracle.py", url, "--agent", agent])
        assert oracle["main"]() == status
    *kinds, total = capsys.readouterr().out.splitlines()
    means = [float(line.rpartition(" ")[2]) for line in kinds]
    assert len(means) == declared["capabilities"]["declared_task_count"]["games"]
    if agent == "perfect":
        assert (means, total) == ([1.0] * len(means), "mean of all 1.000")
    else:
        assert 1 - max(means) >= declared["reward"]["floor_margin"]
