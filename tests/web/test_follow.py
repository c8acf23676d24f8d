"""Files that are followed: while they are written, missing, torn, or of something else."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from browser import open_page
from event_loops import RunnerApart, run_apart

pytest.importorskip("starlette")

import httpx
from children import LONGEST, child, wait_for
from local_page import Site
from starlette.applications import Starlette

from adv_envs import TicTacToe
from adv_envs.registry import GAMES, position_of, start_position
from agents.arena import run
from agents.arena.game_record import GameRecord
from agents.arena.store import Store
from agents.arena.store import read as read_file
from agents.grading import Grader, exact_for, grade_game, record_card
from agents.grading.exploitability_card import grade_hidden
from agents.reports.page import fragment
from agents.reports.report_card_page import (
    card_values,
    exploitability_html,
    graded_games_html,
    report_card_html,
)
from agents.reports.tournament_page import page_data, tournament_values
from agents.reports.training_page import learning_curves, read_runs, training_values
from agents.web.follow import Follower, Reader, Source, read, read_game

pytestmark = pytest.mark.plain

AGENTS = ["random", "greedy", "alpha_beta(depth=1)"]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The file of a tournament that is over, and its result."""
    path = tmp_path_factory.mktemp("tournament") / "t.db"
    return path, run(TicTacToe(), AGENTS, 4, seed=3, workers=0, out=path)


class Client:
    """The pages that follow files, asked without a server."""

    def __init__(self, *sources):
        named = [Source(kind, tuple(map(str, paths))) for kind, *paths in sources]
        self.follower, self.runner = Follower(named), RunnerApart()
        app = Starlette(routes=self.follower.routes)
        self.ask = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://page")

    def get(self, path, **options):
        return self.runner.run(self.ask.get(path, **options))

    def post(self, path, **options):
        return self.runner.run(self.ask.post(path, **options))

    def close(self):
        self.runner.run(self.ask.aclose())
        self.follower.close()
        self.runner.close()


@pytest.fixture
def follow():
    """A function that follows files, by kind and paths, and returns a client."""
    opened = []

    def serve(*sources):
        opened.append(Client(*sources))
        return opened[-1]

    yield serve
    for client in opened:
        client.close()


def wait_for_data(client, condition, path="/api/follow/0?after=0", seconds=LONGEST):
    """The data of a page, when it is as it should be."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        data = client.get(path).json()
        if condition(data):
            return data
        client.runner.run(asyncio.sleep(0.05))
    raise AssertionError(data)


# ---- positions as text


@pytest.mark.parametrize("name", sorted(GAMES))
def test_positions_are_read_as_they_are_written(name):
    position = start_position(name)
    for _ in range(3):
        assert position_of(repr(position)) == position
        if not position.is_terminal():
            position = position.play(position.legal_actions()[0])
    hidden = position.hidden(0)
    assert position_of(repr(hidden)) == hidden


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("__import__('os').system('true')", "this is no position"),
        ("TicTacToe(height=print(1))", "this is no position"),
        ("TicTacToe(3, 3, 3)", "this is no position"),
        ("TicTacToe(**{})", "has the fields"),
        ("os()", "no game of here"),
        ("Position()", "no game of here"),
        ("(" * 5000, "this is no position"),
        ("TicTacToe(height=3, width=3, k=3, own=-1, opp=0, ply=0)", "own"),
        ("TicTacToe(height=3, width=3, k=3, own='a', opp=0, ply=0)", "own"),
    ],
)
def test_nothing_else_is_read_as_a_position(text, said):
    with pytest.raises(ValueError, match=said):
        position_of(text)


# ---- tournaments


def test_a_tournament_is_shown_with_the_numbers_of_its_static_page(played):
    path, result = played
    found = read("db", [str(path)], None)
    settings = {"openings": "random:2", "mode": "round-robin", "games": "4", "seed": "3"}
    data = page_data(
        TicTacToe(),
        result.games,
        "Tic-tac-toe: a tournament",
        agents=result.names,
        settings=settings | {"grace": "0.1"},
        table=result.ratings(),
    )
    assert found["html"] == fragment("tournament.html.j2", **tournament_values(data, live=True))
    assert (found["state"], found["done"], found["total"]) == ("complete", 12, 12)
    assert [game["number"] for game in found["games"]] == list(range(12))
    assert read("db", [str(path)], found["signature"]) == {"same": True}


def test_each_game_can_be_stepped_through(played):
    path, result = played
    for record in result.games:
        found = read_game(path, record.number)
        assert len(found["moves"]) == len(record.opening) + len(record.actions)
        assert len(found["changes"]) == len(found["moves"]) + 1
    with pytest.raises(OSError, match="no game 12"):
        read_game(path, 12)


def test_reading_leaves_no_trace(played):
    path, _ = played
    before = path.read_bytes(), path.stat().st_mtime_ns, sorted(os.listdir(path.parent))
    read("db", [str(path)], None)
    read_game(path, 0)
    assert before == (path.read_bytes(), path.stat().st_mtime_ns, sorted(os.listdir(path.parent)))


def test_reading_works_while_a_writer_writes_and_never_stops_it(played, tmp_path):
    source, result = played
    path = tmp_path / "growing.db"
    with Store(path, result.settings, resume=False) as store:
        for row in result.games:
            store.add([row])
            with store.transaction():  # the writer has begun to write, and is not ready
                found = read("db", [str(path)], None)
            assert found["done"] == row.number + 1
            assert found["state"] == ("complete" if found["done"] == 12 else "running")
            assert ("<dt>seed</dt>" in found["html"]) == (found["state"] == "complete")
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        assert db.execute("SELECT count(*) FROM game").fetchone() == (12,)
    assert os.listdir(tmp_path) == ["growing.db"]
    assert read("db", [str(path)], None)["html"] == read("db", [str(source)], None)["html"]


def test_a_writer_leaves_all_games_in_the_file_while_somebody_reads(played, tmp_path):
    _, result = played
    path = tmp_path / "read.db"
    store = Store(path, result.settings, resume=False)
    store.add(result.games)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
        reader.execute("SELECT * FROM game").fetchone()
        reader.rollback()
        store.close()
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            assert db.execute("SELECT count(*) FROM game").fetchone() == (12,)


def test_a_tournament_that_was_stopped_says_so(played, tmp_path):
    path = tmp_path / "stopped.db"
    with Store(path, played[1].settings, resume=False) as store:
        store.add(played[1].games[:5])
    found = read("db", [str(path)], None)
    assert (found["state"], found["done"], found["total"]) == ("stopped", 5, 12)


def broken(kind, path, result):
    """Makes a file that is not as it should be."""
    if kind == "text":
        path.write_text("no database, but a text that is longer than its header" * 40)
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "other database":
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE game (number)")
    elif kind == "empty":
        path.touch()
    elif kind == "torn":
        with Store(path, result.settings, resume=False) as store:
            store.add(result.games * 1)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    else:
        settings, rows = dict(result.settings), list(result.games)
        if kind == "evil game":
            settings["game"] = "__import__('os').abort()"
        elif kind == "letters":
            rows[0] = replace(rows[0], actions=("a", "b", "c"))
        elif kind == "settings":
            settings = {"game": settings["game"]}
        with Store(path, settings, resume=False) as store:
            store.add(rows)


NO_TOURNAMENTS = ["text", "folder", "pipe", "other database", "empty", "torn", "evil game"]


@pytest.mark.parametrize("kind", [*NO_TOURNAMENTS, "letters", "settings"])
def test_what_is_no_tournament_is_reported(played, tmp_path, kind):
    path = tmp_path / "broken.db"
    broken(kind, path, played[1])
    found = read("db", [str(path)], None)
    assert set(found) == {"signature", "problem"}
    assert found["problem"]


def test_a_game_of_illegal_moves_is_not_drawn(played, tmp_path):
    path = tmp_path / "illegal.db"
    with Store(path, played[1].settings, resume=False) as store:
        store.add([replace(game, actions=(4, 4, 4, 99999)) for game in played[1].games])
    with pytest.raises(ValueError, match="not legal"):
        read_game(path, 0)
    assert read("db", [str(path)], None)


def test_names_from_a_file_are_text_on_the_page(tmp_path, played):
    path, evil = tmp_path / "evil.db", "<img src=x onerror=alert(1)>"
    settings = played[1].settings | {"agents": [evil, "greedy()"]}
    with Store(path, settings, resume=False) as store:
        players, actions = (evil, "greedy()"), (4, 0, 2, 6, 3, 5)
        store.add([GameRecord(0, players, (), actions, (0.0, 1.0), (0.0, 0.0), evil, 0, "crash")])
    html = read("db", [str(path)], None)["html"]
    assert "&lt;img" in html
    assert "<img" not in html


# ---- pages and their data


def test_a_page_gets_only_what_has_changed(played, tmp_path, follow):
    path = tmp_path / "growing.db"
    client = follow(("db", path))
    assert wait_for_data(client, lambda data: data["state"] == "missing")["games"] == []
    _, result = played
    with Store(path, result.settings, resume=False) as store:
        store.add(result.games[:4])
        first = wait_for_data(client, lambda data: data.get("done") == 4)
        assert [game["number"] for game in first["games"]] == [0, 1, 2, 3]
        store.add(result.games[4:])
        after = f"/api/follow/0?after={first['version']}"
        second = wait_for_data(client, lambda data: data["done"] == 12, after)
        assert [game["number"] for game in second["games"]] == list(range(4, 12))
        assert second["html"] != first["html"]
        assert not second["all"]
    nothing = wait_for_data(
        client, lambda data: data["state"] == "complete", f"/api/follow/0?after={second['version']}"
    )
    assert nothing["games"] == []
    path.unlink()
    gone = wait_for_data(client, lambda data: data["state"] == "missing")
    assert "tic_tac_toe" in gone["html"]  # what was read before is still there


def test_addresses_lead_nowhere_else(played, follow):
    path, _ = played
    client = follow(("db", path), ("card", path))
    assert client.get("/follow").text.count('href="/follow/') == 2
    assert client.get("/api/follow/0/games/3").json()["moves"]
    for wrong in (
        "/follow/2",
        "/follow/-1",
        "/api/follow/99999999999999999999",
        "/api/follow/0/games/12",
        "/api/follow/0/games/99999999999999999999",
        "/api/follow/1/games/0",
        "/follow/0/../../etc/passwd",
        "/follow/%2e%2e%2fetc",
        "/api/follow/0/games/..%2f0",
    ):
        assert client.get(wrong).status_code == 404, wrong
    for version in ("-1", "x", "1e9", "9" * 30, "²"):
        assert client.get("/api/follow/0", params={"after": version}).status_code == 400, version
    assert client.post("/api/follow/0", json={"path": "/etc/passwd"}).status_code == 405
    told = wait_for_data(client, lambda data: data["problem"], "/api/follow/1")
    assert "no report card" in told["problem"]


def test_a_reading_that_takes_too_long_is_ended(tmp_path, played):
    async def ask(reader):
        return await reader.read(Source("db", (str(played[0]),)), None)

    slow = Reader(None, seconds=0.0)
    assert "takes longer than 0 s" in run_apart(ask(slow))["problem"]
    slow.seconds = 60.0
    assert run_apart(ask(slow))["done"] == 12  # another process
    os.kill(slow._process.pid, signal.SIGKILL)
    assert "has ended" in run_apart(ask(slow))["problem"]
    slow.close()
    slow.close()


# ---- report cards


def as_file(path, data):
    path.write_text(json.dumps(data))
    return [str(path)]


def main_of(html):
    """What is in a page beside its frame."""
    return html.partition("<main>\n")[2].partition("\n</main>")[0]


def test_cards_are_shown_as_their_static_pages(tmp_path):
    grader = Grader(TicTacToe(), "mcts(simulations=3)", positions=20, games=1)
    for _ in grader.run():
        pass
    card = grader.card()
    data = json.loads(json.dumps(card.to_dict()))
    assert main_of(report_card_html(card)) in fragment("report_card.html.j2", **card_values(data))
    found = read("card", as_file(tmp_path / "card.json", data), None)
    assert found["html"].count("/game/tic_tac_toe#moves=") == len(card.blunders) > 0

    game = grade_game(exact_for(TicTacToe()), TicTacToe(), [4, 1, 0, 8], "A game", ("Ann", "Bob"))
    record = record_card(exact_for(TicTacToe()), [game])
    found = read("card", as_file(tmp_path / "record.json", record.to_dict()), None)
    assert found["html"].count("Analyse") == len(record.blunders) > 0
    assert "<style" not in found["html"]

    hidden = grade_hidden(start_position("kuhn"), ["random"])
    found = read("card", as_file(tmp_path / "hidden.json", hidden.to_dict()), None)
    assert main_of(exploitability_html(hidden)) in found["html"]
    assert graded_games_html(record).count("<svg") == len(record.blunders)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[1]",
        b"\xff\xfe",
        b'{"game": "tic_tac_toe"}',
        b'{"game": "nothing", "parameters": {}, "players": {}}',
        b'{"game": "tic_tac_toe", "parameters": {"x": 1}, "agents": [], "against_each_other": 1}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_card_is_reported(tmp_path, data):
    path = tmp_path / "card.json"
    path.write_bytes(data)
    found = read("card", [str(path)], None)
    assert set(found) == {"signature", "problem"}
    assert found["problem"]


# ---- trainings


def write_run(folder, steps, about=None, end="\n"):
    """A folder as a ``TrainingRun`` writes it."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"steps": n, "seconds": n / 10, "mistakes": 1 / (n + 2), "vs <a>": 0.25})
        for n in steps
    ]
    (folder / "log.jsonl").write_text("\n".join(lines) + end)
    if about is not None:
        (folder / "run.json").write_text(json.dumps(about))


def test_trainings_are_shown_side_by_side(tmp_path):
    write_run(tmp_path / "runs" / "a", [0, 50, 100], {"steps": 100, "minutes": None, "kind": "DQN"})
    write_run(tmp_path / "runs" / "b", [0, 50], {"steps": 100, "minutes": None})
    found = read("training", [str(tmp_path / "runs")], None)
    assert found["state"] == "graded"
    html = found["html"]
    assert html.count('<svg class="curves"') == 2
    assert html.count("<polyline") == 4
    assert "vs &lt;" in html
    assert "<a>" not in html
    one = read("training", [str(tmp_path / "runs" / "a")], None)
    assert one["state"] == "complete"
    assert "DQN" in one["html"]
    write_run(tmp_path / "runs" / "b", [0, 50, 75], {"steps": 100})
    again = read("training", [str(tmp_path / "runs")], found["signature"])
    assert again["html"] != html


def test_a_torn_log_is_shown_as_far_as_it_goes(tmp_path):
    write_run(tmp_path, [0, 50], end='\n{"steps": 100, "sec')
    (run_,) = read_runs([tmp_path])
    assert [line["steps"] for line in run_.lines] == [0, 50]
    assert run_.strange == 0
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('\nnonsense\n[1]\n{"steps": NaN, "seconds": 1}\n{"steps": 200, "seconds": 9}\n')
    (run_,) = read_runs([tmp_path])
    assert [line["steps"] for line in run_.lines] == [0, 50, 200]
    assert run_.strange == 4
    assert "4 lines" in read("training", [str(tmp_path)], None)["html"]


def test_the_time_left_is_that_of_the_steps_or_of_the_minutes(tmp_path):
    write_run(tmp_path, [0, 50], {"steps": 200, "minutes": None})
    (run_,) = read_runs([tmp_path])
    run_.graded = time.time() + 9999  # so that no time has passed
    assert run_.seconds_left == pytest.approx(15)
    run_.about = {"steps": None, "minutes": 0.25}
    assert run_.seconds_left == pytest.approx(10)
    run_.about = {}
    assert run_.seconds_left is None
    assert not run_.complete


def test_intervals_and_phases_of_grades_are_drawn(tmp_path):
    ends = {"value": 0.9, "low": 0.8, "high": 0.95}
    known = {"kept": ends, "kept end": ends, "random": {**ends, "value": 0.25}, "vs a": ends}
    lines = [
        {"steps": n, "seconds": n, "mistakes": 0.1, "vs a": 0.9, "loss": 12_345, "intervals": known}
        for n in (0, 50)
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (found,) = read_runs([tmp_path])
    kept, points = (pytest.approx(each) for each in ((0.05, 0.2), (0.8, 0.95)))
    assert found.bands == [{"mistakes": kept, "mistakes, end": kept, "vs a": points}] * 2
    assert found.random == 0.75
    html = read("training", [str(tmp_path)], None)["html"]
    charts = training_values([found])["charts"]
    assert [each["metric"] for each in charts] == ["mistakes", "mistakes, end", "vs a", "loss"]
    assert html.count('class="band"') == 3
    assert html.count('class="random"') == 1
    assert html.count("<small>5.0 % to 20.0 %</small>") == 2
    assert "<td>12,345</td>" in html
    assert "10.0 % after 50 steps, 5.0 % to 20.0 %" in html
    assert "Bands are intervals" in html


@pytest.mark.parametrize("strange", [None, [1], {"kept": 1}, {"kept": {"low": 0}}, {"kept": {}}])
def test_strange_intervals_are_left_out(tmp_path, strange):
    line = {"steps": 1, "seconds": 1, "mistakes": 0.1, "intervals": strange}
    (tmp_path / "log.jsonl").write_text(json.dumps(line) + "\n")
    (found,) = read_runs([tmp_path])
    assert (found.lines, found.bands) == ([{"steps": 1, "seconds": 1, "mistakes": 0.1}], [{}])
    assert "Bands" not in read("training", [str(tmp_path)], None)["html"]


def test_curves_are_never_too_long(tmp_path):
    write_run(tmp_path, range(3000))
    runs = read_runs([tmp_path])
    assert learning_curves("mistakes", runs).count("<circle") == 400
    assert len(training_values(runs)["charts"]) == 2


def test_no_training_yet(tmp_path):
    assert "no folder" in read("training", [str(tmp_path), str(tmp_path / "x")], None)["problem"]
    assert "graded yet" in read("training", [str(tmp_path)], None)["problem"]
    assert read("training", [str(tmp_path / "x")], None) == {"signature": [[]], "missing": True}


# ---- in a browser

SLOW = "mcts(seconds=0.03)"
PLANNED = 240


def games_in(path):
    """The number of games in a file, 0 if it is not there yet."""
    try:
        return len(read_file(path)[1])
    except OSError:
        return 0


@contextmanager
def paused(process, path):
    """A tournament that has played some games, and waits; the number of games."""
    wait_for(lambda: games_in(path))
    process.send_signal(signal.SIGSTOP)
    try:
        yield games_in(path)
    finally:
        process.send_signal(signal.SIGCONT)


@pytest.mark.needs("browser")
@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be paused")
def test_a_tournament_that_runs_is_followed(chromium, tmp_path):
    from playwright.sync_api import expect

    path = tmp_path / "t.db"
    command = [sys.executable, "-m", "adv_envs", "tournament", "tic_tac_toe", "random", "greedy"]
    command += [SLOW, "--games", str(PLANNED // 3), "--workers", "1", "--out", str(path)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = Site("--db", str(path), NUMBA_DISABLE_JIT="1")
    with server as site, open_page(chromium) as screen:  # a page that outlives it misses it
        screen.goto(site.address)
        state, count = screen.locator("#follow"), screen.locator("#count")
        expect(state).to_have_attribute("data-state", "missing")
        with child(command, env=environment, **quiet) as tournament:
            with paused(tournament, path) as played:
                assert 0 < played < PLANNED
                expect(count).to_have_text(f"{played} of {PLANNED} games")
                expect(state).to_have_attribute("data-state", "running")
                expect(screen.locator("#list tbody tr")).to_have_count(min(played, 100))
                screen.locator("details summary").first.click()
                screen.locator("#one").focus()
            expect(state).to_have_attribute("data-state", "complete")
        expect(count).to_have_text(f"{PLANNED} of {PLANNED} games")
        expect(screen.locator("#list tbody tr")).to_have_count(100)
        expect(screen.locator("details").first).to_have_attribute("open", "")
        expect(screen.locator("#one")).to_be_focused()
        screen.locator("#list tbody tr a").nth(7).click()
        expect(screen.locator("#players")).to_contain_text("Game 8")
        screen.locator("#to-start").click()
        for _ in range(3):
            screen.locator("#on").click()
        moves = screen.locator("#moves button").all_text_contents()[:3]
        screen.locator("#analyse").click()
        screen.wait_for_url(f"**/game/tic_tac_toe#moves={'%20'.join(moves)}*")
        expect(screen.locator("#board .target")).to_have_count(6)
        expect(screen.get_by_role("tab", name="Analyse")).to_have_attribute("aria-selected", "true")
