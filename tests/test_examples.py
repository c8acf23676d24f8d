"""Every example runs, as a user would run it, and prints what it should.

What each prints is kept in tests/examples, times masked. After a change that is meant to change it,
`python tests/test_examples.py` writes those files anew; read the difference before committing it.
"""

import importlib
import io
import os
import random
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pettingzoo.test import api_test

from adv_envs import GAMES, start_position
from adv_envs.jit import disabled

pytestmark = pytest.mark.compiled

FOLDER = Path(__file__).parent.parent / "examples"
EXPECTED = Path(__file__).parent / "examples"

ARGUMENTS = {
    "aec_loop": (),
    "aima_chapter_5": (),
    "connect_four_depth": ("--pairs", "5"),
    "demo": ("--out", "pictures"),
    "evaluate_in_env": ("--games", "3"),
    "exploitability": (),
    "game_of_31": (),
    "hex_tournament": ("--games", "10"),
    "language_model": (),
    "open_spiel_game": (),
    "pig": ("--pairs", "100"),
    "stacked_history": (),
    "texas_holdem_cfr": (
        "--buckets",
        "2",
        "2",
        "1",
        "2",
        "--deals",
        "2000",
        "--iterations",
        "50",
        "--pairs",
        "30",
    ),
    "your_own_game": ("--out", "pages"),
}
IN_PLAIN_PYTHON = {  # where the whole example would take minutes
    "connect_four_depth": ("--pairs", "1", "--deepest", "3"),
    "exploitability": ("--game", "kuhn", "--iterations", "4"),
    "hex_tournament": ("--games", "2", "--size", "5"),
    "pig": ("--pairs", "10", "--target", "20"),
    "your_own_game": ("--largest", "3", "--out", "pages"),
}


def run(name, folder, *arguments):
    """What an example prints; it must neither warn nor fail, and ends its last line."""
    environment = {**os.environ, "COLUMNS": "80", "PYTHONUTF8": "1"}
    for variable in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        environment.pop(variable, None)
    command = [sys.executable, "-W", "error", FOLDER / f"{name}.py", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == ""
    assert "\x1b" not in done.stdout
    assert done.stdout.endswith("\n")
    return done.stdout


def masked(output):
    """The output without times, which have two decimals or more, and without spaces at the ends.

    Our command is called by its name, wherever it is.
    """
    output = re.sub(r"\S+(/adv-envs| -m adv_envs)(?= )", "adv-envs", output)
    lines = re.sub(r" *\d+\.\d\d+", " #", output).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.fixture
def printed(tmp_path):
    """Runs an example and compares it with what it should print; where compiled, all of it."""

    def run_and_compare(name):
        if disabled() and name in IN_PLAIN_PYTHON:
            return run(name, tmp_path, *IN_PLAIN_PYTHON[name])
        output = run(name, tmp_path, *ARGUMENTS[name])
        assert masked(output) == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")
        return output

    return run_and_compare


def cells(output):
    """The words of the rows of a table that begin with a number."""
    return [line.split() for line in output.splitlines() if re.match(r" +\d+ ", line)]


compiled_only = pytest.mark.skipif(disabled(), reason="takes minutes in plain Python")


def test_every_example_is_tested():
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    for path in FOLDER.glob("*.py"):  # here, or in a file of its own
        assert any(re.search(rf'"{path.stem}["\s]', text) for text in tests), path


@pytest.mark.parametrize("name", sorted(set(ARGUMENTS) - {"aima_chapter_5"}))
def test_help(name, tmp_path):
    if name == "open_spiel_game":
        pytest.importorskip("pyspiel")
    assert "usage:" in run(name, tmp_path, "--help")


def test_aima_chapter_5(printed):
    output = printed("aima_chapter_5")
    assert "minimax     3 by a1, 13 nodes, 9 leaves" in output
    assert "alpha-beta  3 by a1, 11 nodes, 7 leaves" in output
    assert re.search(r"against random, 10 games: \d+ won, \d+ drawn, 0 lost", output)
    assert "alpha-beta (X) against minimax (O): a draw" in output
    assert "the first player wins; winning openings\n  . . W\n   W W W\n    W . .\n" in output


def test_exploitability(printed):
    rows = [line for line in printed("exploitability").splitlines() if "CFR" in line]
    lost = {row[1:26].strip(): float(row.split()[-1]) for row in rows}
    assert lost["discounted CFR"] < lost["CFR+"] < lost["CFR"] < lost["MCCFR, external sampling"]


@compiled_only
def test_texas_holdem_cfr(printed):
    output = printed("texas_holdem_cfr")
    uniform, solved = (float(x) for x in re.findall(r"exploitability (\d+\.\d+)", output))
    assert solved < uniform / 20


@pytest.mark.thorough
@compiled_only
def test_connect_four_depth(printed):
    output = printed("connect_four_depth")
    assert "Depth 1 (X) against depth 8 (O)" in output
    assert "Depth 8 wins after" in output
    depths = {int(row[0]): row for row in cells(output)[-8:]}
    assert [sum(map(int, row[1:4])) for row in depths.values()] == [10] * 8
    points = {depth: int(row[4].rstrip("%")) for depth, row in depths.items()}
    assert points[1] < points[4] == 50 < points[8]


@pytest.mark.thorough
def test_connect_four_depth_with_options(tmp_path):
    output = run("connect_four_depth", tmp_path, *IN_PLAIN_PYTHON["connect_four_depth"])
    assert [row[0] for row in cells(output)[-3:]] == ["1", "2", "3"]


def test_game_of_31(printed):
    output = printed("game_of_31")
    assert "Of 15625 positions 3551 can be reached" in output
    assert "The first player wins, and begins with 1 2 5:" in output
    status = {}  # taken -> total, left of 1..6, to move, winning moves, winner
    for line in output.splitlines():
        columns = re.split(r"  +", line.strip())
        if len(columns) == 6:
            status[columns[0]] = columns[1:]
    assert status["5 6 6"] == ["17", "4 4 4 4 3 2", "second", "none", "first"]
    assert status["2 5 6 6 4"] == ["23", "4 3 4 3 3 2", "second", "1", "second"]
    assert status["1 5 4 3"] == ["13", "3 4 3 3 3 4", "first", "4", "first"]
    assert status["5 4 4 3 4 4 3"] == ["27", "4 4 2 0 3 4", "second", "none", "first"]
    assert status["5 2 5 2 5 2 5"] == ["26", "4 1 4 4 0 4", "second", "none", "first"]
    assert status["1 6 2 2 5 2 3 2 6"] == ["29", "3 0 3 4 3 2", "second", "none", "first"]
    totals = re.search(r"total +([\d ]+)\n", output)[1].split()
    assert {"3", "10", "17", "24"} <= set(totals[::2])  # the first player kept to them, and
    assert "At 28 it needs a 3: 0 are left.\n  The second player wins." in output


def test_game_of_31_after_moves(tmp_path):
    assert "16      4 4 3 2 3 4    first     1 4" in run("game_of_31", tmp_path, "5 4 4 3")


def test_hex_tournament(printed):
    output = printed("hex_tournament")
    ratings, cross = output.split("Wins of each against each")
    rows = {row[1]: [0 if cell == "-" else int(cell) for cell in row[2:]] for row in cells(cross)}
    names, games = list(rows), 2 if disabled() else 10
    assert len(names) == 6
    assert [row[1] for row in cells(ratings)] == names  # the best first
    for i, name in enumerate(names):
        *wins, total = rows[name]
        assert sum(wins) == total
        for j, other in enumerate(names):
            assert wins[j] + rows[other][i] == (0 if i == j else games)
    best = ["Random", "Rush", "ShortestPath", "TwoDistance"]
    assert sorted(best, key=lambda name: rows[name][-1]) == best


@pytest.mark.parametrize(
    ("wrong", "told"), [(("--games", "3"), "even"), (("--size", "1"), "2 to 19")]
)
def test_hex_tournament_refuses_in_one_line(wrong, told, tmp_path):
    command = [sys.executable, FOLDER / "hex_tournament.py", *wrong]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.strip().splitlines()
    assert told in line


def test_pig(printed):
    output = printed("pig")
    share = float(re.search(r"first player wins (\d\d\.\d\d)% of all games", output)[1])
    assert (50 < share < 75) if disabled() else share == 53.06  # Neller and Presser, 2004
    rows = [line.split() for line in output.splitlines() if re.match(r" +\d+ ", line)]
    assert len(rows) == 10
    assert disabled() or rows[0][:2] == ["0", "21"]
    won, played = map(int, re.search(r"wins (\d+) of (\d+) games", output).groups())
    assert 0.2 * played < won < 0.5 * played or disabled()


@pytest.mark.thorough
def test_your_own_game(printed, tmp_path):
    output = printed("your_own_game")
    assert "keep all laws" in output
    assert "PettingZoo: cram_v0, Discrete(72), observation (6, 6, 2)" in output
    solved = re.findall(r"(\d) x \1: the (\w+) player wins", output)
    assert {winner for _, winner in solved} == {"second"}  # even sizes by symmetry (Gardner 1974)
    assert len(solved) >= 2
    for picture in ("board.svg", "values.svg"):
        assert ElementTree.parse(tmp_path / "pages" / picture).getroot().tag.endswith("svg")
    for page in ("report_card.html", "tournament.html"):
        assert "greedy(evaluate=cram.odd)" in (tmp_path / "pages" / page).read_text()


def test_aec_loop(printed):
    output = printed("aec_loop")
    random_moves, against_random, copied = output.split("\n" + "1 2 3 4 5 6 7".rjust(14) + "\n")
    assert "reward is" in random_moves
    assert "player_0's reward is 1" in against_random
    assert "original 4453 " in copied
    assert "copy     4453 " in copied


def test_open_spiel_game(printed):
    pytest.importorskip("pyspiel")
    found = re.search(r"NashConv by OpenSpiel: (0\.\d+)", printed("open_spiel_game"))
    assert float(found[1]) < 0.001


def test_every_game_is_one_of_open_spiel(monkeypatch):
    """Views are information sets, and random games end with the utilities of ours."""
    pyspiel = pytest.importorskip("pyspiel")
    monkeypatch.syspath_prepend(FOLDER)
    importlib.import_module("open_spiel_game").register()
    rng = random.Random(1)
    for name in GAMES:
        game = pyspiel.load_game(f"adv_envs_{name}")
        state, position = game.new_initial_state(), start_position(name)
        for _ in range(60):
            if position.is_terminal():
                break
            assert state.legal_actions() == sorted(position.legal_actions())
            action = rng.choice(state.legal_actions())
            assert state.action_to_string(action) == position.name(action)
            state.apply_action(action)
            position = position.play(action)
            for player in range(position.num_players):
                assert state.information_state_string(player) == repr(position.hidden(player))
                seen = np.zeros(position.observation_shape, np.float32)
                position.observe(player, seen)
                assert state.observation_tensor(player) == seen.ravel().tolist()
        if position.is_terminal():
            assert state.is_terminal()
            assert state.returns() == [position.utility(p) for p in range(position.num_players)]
    assert pyspiel.load_game("adv_envs_hex(size=5,swap=True)").num_distinct_actions() == 26


def test_stacked_history(printed, monkeypatch):
    printed("stacked_history")
    monkeypatch.syspath_prepend(FOLDER)
    example = importlib.import_module("stacked_history")
    with redirect_stdout(io.StringIO()):
        api_test(example.chess(), num_cycles=50)
        api_test(example.go(size=5), num_cycles=50)


def test_language_model(printed):
    assert "right moves in 20 positions: 100 %" in printed("language_model")


def test_evaluate_in_env(printed):
    output = printed("evaluate_in_env")
    rows = re.findall(r"as player_(\d): (\d) won, (\d) drawn, 0 lost", output)
    assert [int(won) + int(drawn) for _, won, drawn in rows] == [3, 3]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("evaluate_in_env", ["shogi"], "no game 'shogi'; games: chess, go"),
        ("evaluate_in_env", ["hex", "alphabeta"], "did you mean 'alpha_beta'? agents: random"),
        ("evaluate_in_env", ["hex", "random", "mcts(depth=1)"], "mcts has no parameter 'depth'"),
        ("evaluate_in_env", ["hex", "--games", "0"], "--games must be at least 1, not 0"),
        ("evaluate_in_env", ["tic_tac_toe", "rush"], "rush plays hex, not TicTacToe"),
        ("language_model", ["--game", "shogi"], "no game 'shogi'; games: chess, go"),
        ("language_model", ["some", "--base-url", "some"], "base_url must be as in http://"),
        ("small_model", ["shogi"], "no game 'shogi'; games: chess, go"),
        ("small_model", ["--replies", "0"], "--replies must be at least 1, not 0"),
        ("train_grpo", ["--steps", "0"], "--steps must be 1 to 1000, not 0"),
        ("train_grpo", ["--steps", "1000"], "need 4128 positions; 3000 at most"),
        ("language_model", ["--positions", "-1"], "at least 1 position and not fewer than 0 games"),
        ("search_vs_rl", ["--game", "pig"], "no cross table for 'pig'; games: tic_tac_toe"),
        ("search_vs_rl", ["--game", "hex", "--size", "0"], "size must be 2 to 19, not 0"),
        ("search_vs_rl", ["--pairs", "0"], "--pairs must be at least 1, not 0"),
        ("search_vs_rl", ["--agent", "alphabeta"], "did you mean 'alpha_beta'? agents: random"),
        ("search_vs_rl", ["--policy", "none.safetensors"], "no checkpoint 'none.safetensors'"),
        ("search_vs_rl", ["--agent", "rush"], "rush() cannot play tic_tac_toe: rush plays hex"),
        ("search_vs_rl", ["--out", "none/table.png"], "none/table.png: No such file or directory"),
        ("search_vs_rl", ["--out", "table.txt"], "--out is a picture, a .png file, not table.txt"),
    ],
)
def test_bad_arguments_end_with_one_line(name, arguments, told, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
    with pytest.raises(SystemExit) as end:
        importlib.import_module(name).main()
    output = capsys.readouterr()
    line = output.err.strip()  # a progress bar that is broken off leaves an empty one
    assert end.value.code == 2
    assert output.out == ""
    assert line.startswith(f"{name}.py: ")
    assert told in line
    assert "\n" not in line


def test_demo(printed, tmp_path):
    output = printed("demo")
    assert "player_1, alpha_beta(), gets +1" in output
    assert "Solved: 3551 positions" in output
    assert "The first player wins, with 1 2 5." in output
    assert "Minimax: 3 by a1, 13 nodes, 9 leaves." in output
    pictures = {path.stem: ElementTree.parse(path) for path in tmp_path.glob("pictures/*.svg")}
    assert set(pictures) == {"tic_tac_toe", "connect_four", "hex", "thirty_one", "fig52"}
    assert all(tree.getroot().tag.endswith("svg") for tree in pictures.values())


if __name__ == "__main__":
    import tempfile

    for example, arguments in ARGUMENTS.items():
        with tempfile.TemporaryDirectory() as scratch:
            text = masked(run(example, scratch, *arguments))
        (EXPECTED / f"{example}.txt").write_text(text, encoding="utf-8")
