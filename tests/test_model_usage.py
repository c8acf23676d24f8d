"""Tests what tables say of language models, also of runs that were killed and resumed."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import signal
import sqlite3
import sys
import threading
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from command_line import process, refused, run

import agents
from adv_envs import Kuhn, Position, TicTacToe
from adv_envs.testing import ChatEndpoint, ScriptedModel
from agents import LanguageModel
from agents.agent import checked_counts, counts_of
from agents.arena import StoreError, tournament
from agents.arena.game_files import read_pgn, write_pgn
from agents.arena.game_record import GameRecord
from agents.arena.isolation import isolated
from agents.arena.store import FORMAT, Store, read
from agents.arena.tournament import Standings
from agents.grading import Grader
from agents.language import ModelCounts, NoAnswer, endpoint, model_usage, usage_cells
from agents.language.model import dollars
from agents.reports.tournament_page import page_data

START = TicTacToe()
VARYING = {"seconds", "seconds_per_move", "cached", "requests"}
"""What depends on the moment at which a run was killed: times, and where answers came from."""


def spec_of(served: ChatEndpoint, *more: str) -> str:
    given = "model='scripted'", f"base_url='{served.base_url}'", "board='json'", *more
    return f"llm({', '.join(given)})"


def steady(found: Any) -> Any:
    """Plain data without what varies."""
    if isinstance(found, dict):
        return {name: steady(value) for name, value in found.items() if name not in VARYING}
    return list(map(steady, found)) if isinstance(found, list) else found


# ---- rows


def test_rows_are_of_models_and_a_sum_follows_several() -> None:
    one = {"legal": 3, "illegal": 1, "failures": 1, "forfeits": 1, "tokens_in": 10, "cost": 0.5}
    other = {"legal": 2, "unreadable": 4, "failures": 2, "tokens_out": 1200, "seconds": 2.0}
    assert model_usage({"a": {}, "b": {"nodes": 7}}) == []
    assert [row.name for row in model_usage({"a": one, "b": {}})] == ["a"]
    rows = model_usage({"a": one, "b": other, "c": {"nodes": 7}})
    assert usage_cells(rows) == (
        ["", "moves", "legal", "illegal", "unreadable", "forfeits", "random", "tokens in",
         "tokens out", "s/move", "$/move", "$"],
        [["a", "4", "3", "1", "0", "1", "0", "10", "0", "0.000", "0.125", "0.500"],
         ["b", "4", "2", "0", "4", "0", "2", "0", "1,200", "0.500", "", ""],
         ["all", "8", "5", "1", "4", "1", "2", "10", "1,200", "0.250", "", "0.500"]],
    )  # fmt: skip
    assert usage_cells(rows[:1])[0][5:8] == ["forfeits", "tokens in", "tokens out"]


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "$0.00"), (4.2e-6, "$0.00000420"), (0.5, "$0.500"), (1, "$1.00"), (1234.5, "$1,234.50")],
)
def test_dollars(amount: float, text: str) -> None:
    assert dollars(amount) == text


@pytest.mark.parametrize(
    ("prices", "error"),
    [((1,), TypeError), (3, TypeError), ((1, "2"), TypeError), ((1, -2), ValueError)],
)
def test_prices_are_two_numbers(prices: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="prices must be"):
        LanguageModel("some", prices=prices)


def test_tokens_have_their_prices() -> None:
    with ChatEndpoint(lambda messages: "Final answer: b2") as served:
        model = LanguageModel("some", served.base_url, prices=[1, 1000])
        assert repr(model).endswith("prices=(1, 1000))")
        model.act(START)
        counts = model.game_counts()
        assert counts["cost"] == (counts["tokens_in"] + 3000) / 1e6
        assert str(model.counts).endswith(f"; {dollars(counts['cost'])}")
        model.reset(1)
        assert model.game_counts() == {}
        assert model.counts.legal == 1


# ---- what agents report


@pytest.mark.parametrize(
    "counts",
    [None, 3, [("a", 1)], {"a": "1"}, {"a": True}, {"a": -1}, {"a": float("nan")}, {"a": 2.0**60},
     {"a b": 1}, {"": 1}, {1: 1}, {"a" * 41: 1}, {f"a{n}": n for n in range(33)}],
    ids=repr,
)  # fmt: skip
def test_what_is_no_number_by_name_does_not_count(counts: Any) -> None:
    @dataclass(repr=False)
    class Odd(agents.Agent):
        def game_counts(self) -> Any:
            return counts

    assert counts_of(Odd()) == {}
    with pytest.raises(ValueError, match=r"counts are at most|is not the name of a number"):
        checked_counts(counts)


class Counting(LanguageModel):
    """A model of others, which plays in a process of its own."""


@pytest.mark.parametrize("kind", [LanguageModel, Counting])
def test_counts_come_home_from_every_process(kind: type[LanguageModel], tmp_path: Path) -> None:
    with ChatEndpoint(ScriptedModel(manner="forgetful", seed=4)) as served:
        model = kind("scripted", served.base_url, board="json", on_failure="random")
        result = tournament.run(START, [model, "random"], 4, workers=2, seed=1)
        whole = result.standings.models()[0].counts
        assert whole == summed(result.games, repr(model))
        alone = tournament.run(START, [model, "random"], 4, workers=0, seed=1)
    assert steady(vars(alone.standings.models()[0].counts)) == steady(vars(whole))
    assert whole.legal + whole.failures == sum(
        len(game.actions[seat::2])
        for game in result.games
        for seat, name in enumerate(game.players)
        if name == repr(model)
    )
    assert whole.illegal
    assert whole.unreadable
    assert whole.failures
    assert not whole.forfeits


def summed(games: list[GameRecord], name: str) -> ModelCounts:
    found = ModelCounts()
    for game in games:
        found.add(**game.counts[game.players.index(name)])
    return found


@pytest.mark.parametrize("kind", [LanguageModel, Counting])
@pytest.mark.parametrize("workers", [0, 1, 2])
def test_all_that_is_asked_is_counted(kind: type[LanguageModel], workers: int) -> None:
    with ChatEndpoint(ScriptedModel(manner="forgetful", seed=4)) as served:
        model = kind("scripted", served.base_url, board="json", on_failure="random")
        result = tournament.run(START, [model, "random"], 2, workers=workers, seed=1)
        found = result.standings.models()[0].counts
        assert found.legal + found.illegal + found.unreadable == len(served.requests)
        served.requests.clear()
        with isolated([replace(model) for _ in range(workers + 1)], START) as (first, *copies):
            grader = Grader(START, first, 4, games=1, seed=1, copies=copies)
            steps = grader.run()
            next(steps)
            assert not served.requests
            assert sum(1 for _ in steps) == 6
        found = grader.card().models[-1].counts
        assert found.legal + found.illegal + found.unreadable == len(served.requests)


def test_a_model_that_cannot_play_is_refused_and_not_asked(monkeypatch: Any) -> None:
    with ChatEndpoint(ScriptedModel()) as served:
        with pytest.raises(agents.CannotPlay, match="leave out memory=True"):
            agents.match(Kuhn(), LanguageModel("one", served.base_url, memory=True), "random")
        with pytest.raises(agents.CannotPlay, match="kuhn has no board of cells"):
            tournament.run(
                Kuhn(), [LanguageModel("one", served.base_url, board="cells"), "random"], 2
            )
        monkeypatch.setenv("OPENAI_BASE_URL", "nowhere")
        with pytest.raises(agents.CannotPlay, match="base_url must be as in"):
            list(Grader(START, LanguageModel("one"), 2).run())
        monkeypatch.setitem(sys.modules, "httpx", None)
        endpoint._tls.cache_clear()
        with pytest.raises(agents.CannotPlay, match=r"adv-envs\[llm\]"):
            agents.match(START, LanguageModel("one", served.base_url), "random")
        assert not served.requests


# ---- files


def counted_games() -> list[GameRecord]:
    record = GameRecord(0, ("a", "b"), (), (4, 0, 8), (1.0, 0.0), (0.5, 1.0))
    counts = {"legal": 2, "seconds": 0.25}, {}
    return [replace(record, number=n, counts=counts if n else ({}, {})) for n in range(2)]


def test_counts_are_stored_and_written_as_pgn(tmp_path: Path) -> None:
    games, path = counted_games(), tmp_path / "t.db"
    with Store(path, {"seed": 1}, resume=False) as store:
        store.add(games)
    assert read(path)[1] == games
    assert read_pgn(write_pgn(START, games), START) == games


@pytest.mark.parametrize(
    "change",
    ["counts = ''", "counts = '[{}, {}]'", "counts = '[3'", "counts = replace(counts, '2', '3')"],
)
@pytest.mark.parametrize("version", [2, FORMAT])
def test_other_counts_are_never_read(change: str, version: int, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with Store(path, {"seed": 1}, resume=False) as store:
        store.add(counted_games())
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE game SET {change} WHERE number = 1")
        db.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match="game 1 is not as it was written"):
        read(path)


GAMES_OF_VERSION_2 = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL, opening TEXT NOT NULL,
    actions TEXT NOT NULL, points REAL NOT NULL, seconds_first REAL NOT NULL,
    seconds_second REAL NOT NULL, reason TEXT NOT NULL, loser INTEGER, fault TEXT NOT NULL,
    checksum INTEGER NOT NULL
)
"""


def test_a_file_of_version_2_is_read_and_continued(tmp_path: Path) -> None:
    path, games = tmp_path / "t.db", counted_games()
    old = [replace(game, counts=({}, {})) for game in games]
    with Store(path, {"seed": 1}, resume=False) as store:
        store.add(old[:1])
    with closing(sqlite3.connect(path)) as db, db:
        (row,) = db.execute("SELECT * FROM game")
        for statement in ("DROP TABLE game", GAMES_OF_VERSION_2, "PRAGMA user_version = 2"):
            db.execute(statement)
        db.execute(f"INSERT INTO game VALUES ({', '.join('?' * 12)})", row[:12])
    assert read(path)[1] == old[:1]
    with Store(path, {"seed": 1}, resume=True) as store:
        store.add(games[1:])
    assert read(path)[1] == [old[0], games[1]]


# ---- commands


def test_a_page_lists_models_as_the_table_does() -> None:
    """By points, also where ratings are in another order: weak opponents give many points."""
    won = *["xw"] * 6, "yx", "yx", "sy"
    counts = {"legal": 1, "tokens_in": 7}, {"legal": 1, "tokens_in": 5}
    records = [
        GameRecord(number, (one, other), (), (), (1.0, 0.0), (0.0, 0.0), counts=counts)
        for number, (one, other) in enumerate(won)
    ]
    table = Standings(START, list("wxys"))
    table.count(records)
    rows = [row.to_dict() for row in table.models()]
    assert [row["name"] for row in rows] == [*"sxyw", "all"]
    data = page_data(START, records, agents=list("wxys"))
    assert data["models"] == rows
    assert [rating["agent"] for rating in data["table"]["ratings"]] == [*"syxw"]


def forgetful() -> ChatEndpoint:
    return ChatEndpoint(ScriptedModel(manner="forgetful", seed=2))


def test_tables_and_pages_have_models_only_where_one_plays(tmp_path: Path) -> None:
    pages = [tmp_path / name for name in "abcd"]
    with forgetful() as served:
        spec = spec_of(served, "prices=(1, 2)")
        words = "tournament", "tic_tac_toe", "random", "--games", "2", "--seed", "1"
        card = "grade", "tic_tac_toe", "--positions", "6", "--games", "1", "--seed", "1"
        texts = [
            run(*words, spec, "--html", str(pages[0])).out,
            run(*card, spec, "--html", str(pages[1])).out,
            run(*words, "greedy", "--html", str(pages[2])).out,
            run(*card, "greedy", "--html", str(pages[3])).out,
        ]
    for has_models, text, page in zip((True, True, False, False), texts, pages, strict=True):
        html = page.read_text("utf-8")
        assert ("unreadable" in text) == ("tokens in" in text) == ("$/move" in text) == has_models
        assert ('id="models"' in html) == ("$ a move" in html) == has_models


# ---- killed, and run again


class Killer:
    """Answers as ``model``, and kills a process at request number ``last``, which gets no answer.

    Nor do later ones, until it is told to ``go_on``.
    """

    def __init__(self, model: Any, last: int) -> None:
        self.model, self.last, self.process, self.asked = model, last, None, 0

    def __call__(self, messages: Any) -> str:
        self.asked += 1
        killed = self.process
        if killed is not None and self.asked >= self.last:
            os.kill(killed.pid, signal.SIGKILL)
            killed.wait()
            raise ValueError("its process is gone")
        answer: str = self.model(messages)
        return answer

    def kill(self, *words: str) -> None:
        """Runs a command and kills it."""
        self.asked = 0
        with process(*words) as self.process:
            assert self.process.wait() == -signal.SIGKILL
        assert self.asked >= self.last
        self.process, self.asked = None, 0


@pytest.mark.parametrize("command", ["grade", "tournament"])
def test_what_was_killed_goes_on_and_gives_the_same(command: str, tmp_path: Path) -> None:
    answers, last = tmp_path / "answers", 25
    model = Killer(ScriptedModel(manner="forgetful", seed=2), last)
    with ChatEndpoint(model) as served:
        spec = spec_of(served, f"cache={str(answers)!r}")
        words = [command, "tic_tac_toe", spec, "--seed", "1", "--json"]
        more = ["--positions", "12", "--games", "1"]
        if command == "tournament":
            words += ["random", "--workers", "1", "--games", "12", "--resume", "--out"]
            more = [str(tmp_path / "t.db")]
        whole, needed = run(*words, *more), model.asked
        for made in (answers, *(map(Path, more[:1]) if command == "tournament" else ())):
            shutil.rmtree(made) if made.is_dir() else made.unlink()
        assert needed > last + 10
        model.kill(*words, *more)
        assert len(list(answers.iterdir())) == last - 1
        again = run(*words, *more)
        assert model.asked == needed - (last - 1)
    found, expected = (json.loads(answer.out) for answer in (again, whole))
    assert steady(found) == steady(expected)
    assert expected["models"][-1]["illegal"]
    assert expected["models"][-1]["tokens_in"]


# ---- at the same time


class Together:
    """Answers as ``model``, but holds requests until two are there at once."""

    def __init__(self) -> None:
        self.model = ScriptedModel(manner="forgetful", seed=2)
        self.lock, self.both, self.asked = threading.Lock(), threading.Event(), 0

    def __call__(self, messages: Any) -> str:
        with self.lock:
            self.asked += 1
            if self.asked == 2:
                self.both.set()
        if not self.both.wait(300):
            raise ValueError("nobody else asks")  # instead of waiting for ever
        return self.model(messages)


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "tic_tac_toe", "random", "--games", "6"),
        ("grade", "tic_tac_toe", "--positions", "8", "--games", "1"),
    ],
    ids=["tournament", "grade"],
)
def test_games_and_questions_overlap_and_nothing_else_changes(words: tuple[str, ...]) -> None:
    found = []
    for workers in ("2", "1"):
        model = Together()
        with ChatEndpoint(model) as served:
            if workers == "1":
                model.both.set()
            spec = spec_of(served)
            answer = run(*words, spec, "--seed", "1", "--workers", workers, "--json")
        text = answer.out.replace(served.base_url, "URL")
        found.append(steady(json.loads(text)))
        assert model.asked >= 2
    assert found[0] == found[1]


def test_copies_in_one_process_give_the_same_card() -> None:
    with forgetful() as served:
        models = [LanguageModel("one", served.base_url, board="json") for _ in range(3)]
        cards = []
        for copies in ([], models[1:]):
            grader = Grader(START, models[0], 10, games=2, seed=1, copies=copies)
            assert [step.done for step in grader.run()] == list(range(15))
            cards.append(steady(grader.card().to_dict()))
    assert cards[0] == cards[1]


@dataclass(repr=False)
class Meeting(agents.Agent):
    """What it is told to do at the same time as another one waits until that does it, too."""

    what: str = ""
    copy: bool = field(default=False, repr=False)
    both: threading.Barrier | None = field(default=None, repr=False)

    def meet(self, what: str) -> None:
        if what == self.what and self.both is not None:
            self.both.wait(300)

    def prepare(self, position: Position) -> None:
        if self.copy:
            self.meet("prepare")

    def reset(self, seed: int | None = None) -> None:
        if seed:  # not when it prepares
            self.meet("reset")

    def act(self, position: Position) -> int:
        self.meet("act")
        return position.legal_actions()[0]

    def value(self, position: Position) -> float:
        self.meet("value")
        return 0.0


@pytest.mark.parametrize("what", ["prepare", "reset", "act", "value"])
def test_copies_do_everything_at_the_same_time(what: str) -> None:
    both = threading.Barrier(2)
    first, *copies = (Meeting(what, number > 0, both) for number in range(3 - (what != "prepare")))
    grader = Grader(START, first, 2, games=0, seed=1, copies=copies)
    assert [step.done for step in grader.run()] == [0, 1, 2]
    assert not both.broken
    assert not grader.card().failures


@dataclass(repr=False)
class Stuck(agents.Agent):
    """It answers at one position, and waits for ever at others once it has prepared."""

    answers_at: list[Position] = field(default_factory=list, repr=False)
    free: threading.Event = field(default_factory=threading.Event, repr=False)

    def act(self, position: Position) -> int:
        if self.answers_at and position not in self.answers_at:
            self.free.wait()
        return position.legal_actions()[0]


def test_no_program_waits_for_questions_that_were_left() -> None:
    first, copy = Stuck(), Stuck()
    grader = Grader(START, first, 5, games=0, seed=1, copies=[copy])
    steps, before = grader.run(), set(threading.enumerate())
    next(steps)
    for agent in (first, copy):
        agent.answers_at.append(grader.positions.positions[0].position)
    next(steps)
    steps.close()
    left = set(threading.enumerate()) - before
    assert all(thread.daemon for thread in left)
    first.free.set()
    copy.free.set()
    for thread in left:
        thread.join()


def test_copies_are_other_objects_and_the_same_agent() -> None:
    agent, other = (LanguageModel("one", f"http://127.0.0.1:{port}/v1") for port in (9, 9))
    cases: list[tuple[list[Any], str]] = [
        ([agent], "copies must be other objects: one llm.* is there twice"),
        ([other, other], "copies must be other objects"),
        ([other, "random"], r"copies of llm\(model='one'.* must be as it is, not random\(\)"),
    ]
    for copies, why in cases:
        with pytest.raises(ValueError, match=why):
            Grader(START, agent, 2, copies=copies)


def test_an_endpoint_that_fails_stops_all_copies() -> None:
    def fails(messages: Any) -> str:
        if len(served.requests) > 12:
            raise ValueError("out of credit")
        return model(messages)

    model = ScriptedModel()
    with ChatEndpoint(fails) as served:
        first, *copies = (LanguageModel("one", served.base_url, board="json") for _ in range(3))
        grader = Grader(START, first, 40, games=2, seed=1, copies=copies)
        with pytest.raises(NoAnswer, match="out of credit"):
            list(grader.run())
    assert len(grader.answers) < 13


@pytest.mark.parametrize("words", [("kuhn", "random"), ("tic_tac_toe", "--record", "b2")])
def test_workers_are_refused_where_nothing_is_asked_at_positions(words: tuple[str, ...]) -> None:
    assert "--workers is for an agent that is asked" in refused("grade", *words, "--workers", "2")


# ---- the card of what was scripted

MANNER = {"perfect": "plain", "random": "plain"}
SCRIPTED = {"zz99": "illegal", "My move": "legal", "Final answer:": "legal"}


def scripted_as(reply: str) -> str:
    """What a reply of a scripted model is meant to be."""
    found = next((kind for text, kind in SCRIPTED.items() if text in reply), "unreadable")
    return "legal" if "**Final answer:**" in reply else found


@pytest.mark.compiled
@pytest.mark.parametrize("who", ["perfect", "random", "chatty", "forgetful", "rude"])
def test_a_card_says_of_a_model_what_was_scripted(who: str) -> None:
    act = None if who == "random" else agents.make("perfect").act
    model, replies = ScriptedModel(act, MANNER.get(who, who), seed=2), list[str]()

    def recorded(messages: Any) -> str:
        replies.append(model(messages))
        return replies[-1]

    words = "--positions", "30", "--games", "0", "--seed", "2", "--timeout", "600", "--json"
    with ChatEndpoint(recorded) as served:
        answer = run("grade", "connect_four", spec_of(served), *words)
    card = json.loads(answer.out)
    (row,), kept = card["models"], card["overall"]["kept"]
    kinds = [scripted_as(reply) for reply in replies]
    counts = {kind: kinds.count(kind) for kind in ("legal", "illegal", "unreadable")}
    assert {kind: row[kind] for kind in counts} == counts
    assert row["moves"] == counts["legal"] + row["forfeits"] == 30
    assert answer.code == (row["forfeits"] > 0)
    if who in ("perfect", "chatty"):
        assert (kept["value"], counts["legal"]) == (1, 30)
    if who == "random":
        assert kept["low"] <= card["overall"]["random"]["kept"] <= kept["high"] < 1
    if who == "forgetful":
        assert min(counts.values()) > 10
    if who == "rude":
        assert (kept["value"], counts["unreadable"], row["forfeits"]) == (0, 90, 30)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--positions", "0"), "at least 1 position and not fewer than 0 games are needed"),
        (("--game", "kuhn"), "a move alone has an exact value only with perfect information"),
        (("--game", "chezz"), "no game 'chezz'; did you mean 'chess'?"),
    ],
)
def test_the_script_of_scripted_models_refuses_in_a_line(
    words: tuple[str, ...], why: str, monkeypatch: Any, capsys: Any
) -> None:
    script = Path(__file__).parent.parent / "benchmarks" / "language_models.py"
    monkeypatch.setattr(sys, "argv", [str(script), *words])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith(f"language_models.py: error: {why}")
    assert err.count("\n") == 1
