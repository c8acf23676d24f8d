"""Files that commands write: refused at once where they cannot be, else replaced as a whole."""

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import run, well, words

import agents
from adv_envs import Chess
from agents.cli.console import CommandError, check_files, check_folder, save_file

pytestmark = pytest.mark.compiled


COMMANDS = ("show", "analyse", "tree", "solve")


class Searched(Exception):
    """A search has begun."""


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to think fails the test."""

    def begin(*args: object, **options: object) -> None:
        raise Searched

    monkeypatch.setattr(agents, "Retrograde", begin)
    monkeypatch.setattr(agents, "make", begin)
    monkeypatch.setattr("agents.games.connect_four.solver.opening_layers", begin)


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize(
    "line",
    [
        *[f"{command} tic_tac_toe --{kind}" for command in COMMANDS for kind in ("svg", "png")],
        "show hex --sgf",
        "play hex --player random --opponent random --sgf",
    ],
)
def test_nothing_begins_that_cannot_be_written(line: str, tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "where.svg"
    for path, why in ((nowhere, "No such file or directory"), (tmp_path, "it is a folder")):
        answer = run(*line.split(), str(path))
        assert (answer.code, answer.out) == (2, "")
        assert f"cannot write {path}: {why}" in words(answer.err)


@pytest.mark.parametrize(
    "line",
    [
        "book connect_four --plies 0 --height 4 --width 4 --out",
        "match hex random random --pairs 1 --size 3 --sgf",
    ],
)
def test_folders_are_made_before_the_work_begins(line: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    answer = run(*line.split(), str(tmp_path / "file" / "x"))
    assert (answer.code, answer.out) == (2, "")
    assert f"cannot write {tmp_path / 'file'}" in answer.err
    well(*line.split(), str(tmp_path / "new" / "x"))
    assert any((tmp_path / "new").rglob("*"))


def test_a_file_takes_its_place_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    save_file(path, "first")
    path.chmod(0o640)
    link.symlink_to(path)
    save_file(link, b"second")
    assert link.is_symlink()
    assert path.read_text() == "second"
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o640

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CommandError, match=r"cannot write .*a\.txt: No space left on device"):
        save_file(path, "third")
    assert path.read_text() == "second"
    assert sorted(tmp_path.iterdir()) == [path, link]


def test_what_can_be_written_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    check_files(path, None, png=None)
    assert not any(tmp_path.iterdir())
    path.write_text("kept")
    check_files(path)
    check_folder(tmp_path / "b" / "c")
    assert path.read_text() == "kept"
    assert sorted(tmp_path.rglob("*")) == [path, tmp_path / "b", tmp_path / "b" / "c"]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices")
def test_devices_are_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", lambda *names: pytest.fail("replaced a device"))
    well("show", "tic_tac_toe", "--svg", "/dev/null")


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_png_without_pillow_is_an_error_before_the_work(
    command: str, tmp_path: Path, without: Callable[[str], None]
) -> None:
    without("PIL")
    answer = run(command, "tic_tac_toe", "--png", str(tmp_path / "x.png"))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "Error: PNG pictures need Pillow: pip install pillow\n"
    assert not any(tmp_path.iterdir())


def test_a_page_without_jinja_is_an_error_before_the_work(
    tmp_path: Path, without: Callable[[str], None]
) -> None:
    without("jinja2")
    for line in ("grade tic_tac_toe random", "tournament tic_tac_toe random greedy"):
        answer = run(*line.split(), "--html", str(tmp_path / "x.html"))
        assert (answer.code, answer.out) == (2, "")
        assert "pip install" in answer.err


PGN = """[White "Ann"]

1. e4 e5 2. Nf3 Nc6 *

[White "Bob"]

1. e4 e4 *
"""


def test_pgn_is_read_where_moves_are(tmp_path: Path) -> None:
    (tmp_path / "my games").mkdir()
    file = tmp_path / "my games" / "two.PGN"
    file.write_bytes(b"\xef\xbb\xbf" + PGN.encode())
    shown = run("show", "chess", str(file), "--json")
    assert "2 games; this is the first" in shown.err
    assert json.loads(shown.out)["position"] == repr(Chess().after("e4 e5 Nf3 Nc6"))
    after = json.loads(run("show", "chess", str(file), "Bb5", "a6", "--json").out)["position"]
    assert after == repr(Chess().after("e4 e5 Nf3 Nc6 Bb5 a6"))
    claimed = run("show", "chess", str(file), "--draws", "claimed", "--json").out
    assert json.loads(claimed)["parameters"] == {"draws": "claimed"}
    found = run("analyse", "chess", str(file), "--agent", "alpha_beta(depth=1)", "--json")
    assert (found.code, json.loads(found.out)["game"]) == (0, "chess")
    bots = ["--player", "random(seed=1)", "--opponent", "random(seed=2)"]
    assert run("play", "chess", "--moves", f"{file}", *bots).code == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no game in it"),
        ("1. e4 e4 *", r"game 1, line 1: 1\.\.\. e4 is not legal"),
        (None, "there is no file"),
    ],
)
def test_pgn_that_cannot_be_read(text: str | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "a.pgn"
    if text is not None:
        file.write_text(text, "utf-8")
    for line in (["show", "chess"], ["play", "chess", "--moves"], ["grade", "chess", "--record"]):
        answer = run(*line, str(file))
        assert answer.code in (1, 2)
        assert re.search(why, answer.err.replace("\n", " "))
    assert "PGN files are not for hex" in run("show", "hex", str(file)).err


def test_every_game_of_a_pgn_file_is_graded(tmp_path: Path) -> None:
    ending = '[FEN "8/8/8/8/8/k7/8/K1R4r w - - 0 1"]\n\n'
    mate = '[White "Ann"]\n[FEN "7k/8/6K1/8/8/8/8/R7 w - - 0 1"]\n\n1. Ra8# 1-0\n\n'
    file = tmp_path / "endings.pgn"
    file.write_text(f"{mate}1. e4 e4 *\n\n{ending}1. Rxh1 *\n\n{mate}", "utf-8")
    answer = run("grade", "chess", "--record", str(file), "--json")
    assert answer.code == 0
    assert "game 2, line" in answer.err
    games = json.loads(answer.out)["games"]
    assert len(games) == 3
