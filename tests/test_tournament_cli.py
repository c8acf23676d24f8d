"""``adv-envs tournament``: what it prints and writes, what it refuses, how it is interrupted."""

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from children import wait_for
from command_line import Answer, process, run
from odd_agents import Odd
from rich.console import Console

from adv_envs import Hex, TicTacToe
from agents.arena import run as tournament
from agents.arena.game_files import read_pgn
from agents.arena.ladder import ladder_for
from agents.arena.store import StoreError, read
from agents.cli import tournaments as command

pytestmark = pytest.mark.plain

TWO = ["tournament", "tic_tac_toe", "random", "greedy", "--workers", "0"]
GAME = ["tournament", "tic_tac_toe", "--workers", "0"]


def typed(*args: str) -> Answer:
    return run(*args, COLUMNS="120")


def printed(*args: str) -> str:
    """What a command prints that succeeds and complains of nothing."""
    code, out, err = typed(*args)
    assert (code, err) == (0, "")
    return out


def test_the_table_and_the_head_to_head_are_printed() -> None:
    out = printed(*TWO, "--games", "40", "--seed", "3")
    expected = tournament(TicTacToe(), ["random", "greedy"], 40, seed=3, workers=0)
    assert out.startswith("tic_tac_toe, 40 games, 12 openings: 2 random plies\n")
    standing = expected.standings.by_name["greedy()"]
    total = standing.total
    row = [f"{total.points:g}", 40, f"{total.points / 40:.1%}", total.wins, total.draws]
    assert re.search(r"greedy\(\) +" + " +".join(map(str, row)), out)
    assert str(expected.head_to_head()) in out
    assert "Games: 4" in printed(*TWO, "--games", "4", "--seed", "-1")  # any number is a seed


def test_three_agents_are_rated() -> None:
    out = printed(*GAME, "random", "random", "greedy", "--games", "10", "--gauntlet")
    for part in ("random()#2", "95 % interval", "20 games in 10 pairs"):
        assert part in out


def test_an_agent_meets_the_ladder() -> None:
    args = [*GAME, "random", "--ladder", "--games", "2"]
    out = printed(*args)
    rungs = ladder_for(TicTacToe()).rungs
    assert f"{2 * len(rungs)} games in {len(rungs)} pairs" in out
    assert "random()#2" in out
    code, _, err = typed(*args, "greedy")
    assert (code, err) == (2, "Error: --ladder needs one agent, not 2\n")


def test_json_is_the_whole_result() -> None:
    data = json.loads(printed(*TWO, "--games", "6", "--sprt", "0", "50", "--json"))
    assert data["game"] == "tic_tac_toe"
    assert (data["planned"], data["played"], data["complete"]) == (6, 6, True)
    assert data["verdict"] == "undecided: the test goes on"
    assert data["head_to_head"]["games"] == data["ratings"]["games"] == len(data["games"]) == 6
    assert {game["players"][0] for game in data["games"]} == {"random()", "greedy()"}
    assert data["settings"]["sprt"] == [0, 50]


def test_games_are_written_as_pgn_and_sgf(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    args = ["tournament", "hex", "--size", "3", "random", "rush", "--games", "4", "--workers", "0"]
    printed(*args, "--pgn", str(pgn), "--sgf", str(tmp_path / "games"))
    records = read_pgn(pgn.read_text(), Hex(3))
    expected = tournament(Hex(3), ["random", "rush"], 4, workers=0)
    assert [(r.players, r.opening, r.actions, r.points) for r in records] == [
        (r.players, r.opening, r.actions, r.points) for r in expected.games
    ]
    assert len(list((tmp_path / "games").iterdir())) == 4


def test_a_page_is_written(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    printed(*TWO, "--games", "4", "--html", str(path))
    text = path.read_text()
    assert text.startswith("<!doctype html>")
    assert "Tic-tac-toe: a tournament" in text
    assert "2 openings: 2 random plies" in text


@pytest.mark.parametrize("library", ["scipy", "jinja2"])
def test_a_page_that_cannot_be_written_is_refused_before_a_game(
    library: str, tmp_path: Path, without: Callable[[str], None]
) -> None:
    without(library)
    files = ["--html", str(tmp_path / "t.html"), "--out", str(tmp_path / "t.db")]
    code, out, err = typed(*TWO, "--games", "4", *files)
    assert (code, out) == (2, "")
    assert err == f'Error: tournaments need {library}: pip install "adv-envs[lab]"\n'
    assert list(tmp_path.iterdir()) == []


def test_failures_are_told_and_are_the_exit_code() -> None:
    odd = Odd("raise", ply=4)
    code, out, err = typed(*TWO[:2], repr(odd), *TWO[3:], "--games", "4")
    assert code == 1
    assert re.search(r"\d: \d crash", out)
    assert f"games forfeited: player 0, {odd!r}, failed: RuntimeError: I do not know" in err


def test_repeated_games_are_told() -> None:
    code, _, err = typed(*GAME, *["minimax(depth=1)"] * 2, "--games", "8", "--openings", "none")
    assert code == 0
    assert "75% of 8 games repeat others: use other --openings" in err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([*TWO[:3], "--games", "2"], "two agents or more, not 1"),
        ([*TWO, "--games", "3"], "even number"),
        ([*TWO, "nobody"], "no agent 'nobody'"),
        ([*TWO, "human"], "a tournament is for agents"),
        (["tournament", "thirty_one", "--num-players", "3", *TWO[2:4]], "needs 3 agents or more"),
        ([*TWO, "rush"], "Error: rush() cannot play tic_tac_toe: rush plays hex, not TicTacToe"),
        (
            ["tournament", "hex", "--size", "9", *TWO[2:], "perfect"],
            "perfect() cannot play hex, size",
        ),
        ([*TWO, "--resume"], "--resume continues the tournament in a file"),
        ([*TWO, "--openings", "nonsense"], "openings are none, first"),
        ([*TWO, "--clock", "soon"], 'a clock is written "60"'),
        ([*TWO, "--sprt", "5", "1"], "elo0 must be less than elo1"),
        ([*TWO, "--sprt", "5", "5"], "elo0 must be less than elo1, not 5.0 and 5.0"),
        ([*TWO, "--sprt", "0", "9999"], "no distribution of pairs has the Elo of this hypothesis"),
        ([*TWO, "--openings", "file:none.txt"], "Error: cannot read none.txt: No such file"),
        ([*TWO[:4], "--workers", "-1"], "workers must be at least 1, or 0 for none, not -1"),
        ([*TWO, "--seconds", "1", "--clock", "1"], "not both"),
        ([*TWO, "--out", __file__], "it is not an SQLite database"),
        (
            ["tournament", "shogi", "random", "random"],
            "no game 'shogi'; did you mean",
        ),
        (["tournament", "hex", "--size", "99", "random", "random"], "size must be 2 to 19, not 99"),
        (["tournament", "hex", "random", "--ladder"], "no ladder for hex; "),
        ([*TWO, "--sgf", "folder"], "SGF files are for go and hex"),
        ([*TWO, "--out", "/nowhere/t.db"], "cannot write /nowhere/t.db"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(args: list[str], message: str) -> None:
    code, out, err = typed(*args)
    assert (code > 0, out) == (True, "")
    assert err.startswith("Error: ")
    assert message in err
    assert err.count("\n") == 1


def test_ctrl_c_ends_it_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    args = [*TWO[:4], "--games", "100000", "--out", str(path), "--workers", "1"]
    with process(*args) as program:
        wait_for(lambda: path.exists() and path.with_name("t.db-wal").exists() and games(path))
        program.send_signal(signal.SIGINT)
        out, err = program.communicate()
    assert program.returncode == 130
    assert "games, 12 openings" in out
    found = re.search(r"interrupted after (\d+) of 100000 games; continue with: (.*)", err)
    assert found is not None
    assert int(found[1]) == games(path) > 0
    assert found[2] == " ".join(["adv-envs", *args, "--resume"])
    assert [file.name for file in tmp_path.iterdir()] == ["t.db"]


def games(path: Path) -> int:
    """How many games are in a file; none before the tournament has written its settings."""
    try:
        return len(read(path)[1])
    except StoreError:
        return 0


def test_whoever_watches_sees_the_table_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(force_terminal=True, width=100, record=True, file=sys.stderr)
    monkeypatch.setattr(command, "err", lambda: console)
    shown = []
    display = command.Display(json=False)
    with display.live:

        def show(result: Any) -> None:
            display._shown = 0.0  # every time, not four times a second
            display.show(result)
            shown.append(console.export_text())

        options: dict[str, Any] = {"workers": 0, "openings": "first", "on_progress": show}
        tournament(TicTacToe(), ["random", "greedy"], 4000, **options)
    assert len(shown) > 2
    assert re.search(r"greedy\(\) +\d", shown[1])
    assert re.search(r"\d+/4000 0:00:\d\d left", shown[1])


LONG = "alpha_beta(depth=2, evaluate=tic_tac_toe.lines, order=tic_tac_toe.centre)"
WITH_LONG = [*GAME, LONG, "random", "greedy", "--games", "2"]


@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_long_specs_do_not_crop_the_table(width: str) -> None:
    lines = run(*WITH_LONG, COLUMNS=width).out.splitlines()
    heads = [line.split() for line in lines if line.startswith(" agent")]
    assert heads[0][:7] == ["agent", "points", "games", "score", "wins", "draws", "losses"]
    assert heads[0][7:] in ([], ["first", "second", "s/game"])
    assert heads[1] == ["agent", "Elo", "95", "%", "interval", ">", "next"]
    assert (f"1 alpha_beta is {LONG}" in lines) == (width != "200")
    assert sum(f" {LONG} " in line for line in lines) == 2 * (width == "200")


def test_what_is_written_to_a_file_is_as_wide_as_need_be() -> None:
    # All that Python knows of; readline, once imported, gives children COLUMNS behind its back.
    unset = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    with process(*WITH_LONG, env=unset) as program:
        lines = program.communicate()[0].splitlines()
    assert sum(f" {LONG} " in line for line in lines) == 2
