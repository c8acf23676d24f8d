"""``adv-envs analyse`` and ``adv-envs tree``: what a user sees of a search."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from xml.etree import ElementTree

import pytest
from children import child
from command_line import run
from PIL import Image
from rich.console import Console
from small_games import Pile

import agents
from adv_envs import GAMES, ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, game
from adv_envs.pictures.heat import short
from agents import AlphaBeta, Minimax, SearchAgent, SearchResult
from agents.cli.board_text import cell_of, values_text
from agents.cli.solve import View
from agents.describe import signed
from agents.knowledge import suitable_analyst
from agents.move_values import FoundValue, in_parts, move_values, not_above, on_one_scale

pytestmark = pytest.mark.compiled


def test_values_of_nothing_have_no_sign() -> None:
    assert [signed(value) for value in (0.0, -0.0, 0.25, -3)] == ["0", "0", "+0.25", "-3"]


def well(*args: str) -> str:
    """What a command that succeeds prints, in plain text."""
    answer = run(*args)
    assert (answer.code, answer.err) == (0, "")
    assert "\x1b" not in answer.out
    return answer.out


def refused(*args: str) -> str:
    """What a command that is refused says, on one line."""
    answer = run(*args)
    assert answer.code in (1, 2)
    assert answer.out == ""
    assert answer.err.startswith("Error: ")
    assert answer.err.count("\n") == 1
    return answer.err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("analyse tic_tac_toe a1,a2,b1,b2,c1", "the game is over after these moves: X wins"),
        ("tree tic_tac_toe a1,a2,b1,b2,c1", "the game is over after these moves: X wins"),
        ("analyse tic_tac_toe --agent alphabeta", "no agent 'alphabeta'"),
        ("tree tic_tac_toe --agent alphabeta", "no agent 'alphabeta'"),
        ("analyse tic_tac_toe --agent random", "random does not search; minimax, alpha_beta"),
        ("tree tic_tac_toe --agent greedy", "greedy has no tree that could be drawn; minimax, alp"),
        ("analyse tic_tac_toe --agent minimax --seconds 2", "minimax has no limit of time"),
        ("analyse tic_tac_toe --seconds 0", "seconds must be more than 0"),
        ("tree fig52 --depth 0", "depth must be at least 1 or None"),
        ("tree fig52 --depth -1", "depth must be at least 1 or None"),
        ("tree tic_tac_toe --depth 5", "more than 2,000 nodes"),
        ("tree fig52 --steps", "say where with --svg FILE"),
        (
            "analyse thirty_one --num-players 3 --agent alpha_beta",
            "alpha_beta plays games of two players, not 3",
        ),
        ("analyse leduc --agent ismcts", "Error: ismcts chooses actions; here chance is to move"),
        ("analyse tic_tac_toe b2 --no-values --svg x.svg", "no move has a value that could be dr"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(line: str, why: str) -> None:
    assert why in refused(*line.split())


# ---- analyse


def test_a_row_for_each_depth_then_the_board() -> None:
    text = well("analyse", "tic_tac_toe", "b2 b1")
    rows = re.findall(
        r"^ +(\d+) +(\S+(?: proven)?) +([\d,]+) +([\d,]+) +([\d.]+)  (.+)$", text, re.M
    )
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    assert rows[-1][1] == "+1 proven"
    nodes = [int(row[2].replace(",", "")) for row in rows]
    assert nodes == sorted(nodes)
    assert "Best: a1, a win, proven\n" in text
    board = text[text.index("a   b   c") :].splitlines()
    assert board[1].split() == ["1", "[+1]", "O", "[+1]"]
    assert board[3].split() == ["3", "[+1]", "0", "[+1]"]


def test_json() -> None:
    data = json.loads(well("analyse", "fig52", "--json"))
    assert data["action"] == "a1"
    assert data["values"] == {
        "a1": {"value": 3.0, "proven": True},
        "a2": {"value": 2.0, "proven": True},
        "a3": {"value": 2.0, "proven": True},
    }
    assert [row["depth"] for row in data["iterations"]] == [1, 2]
    assert (data["agent"], data["interrupted"], data["proven"]) == ("alpha_beta()", False, True)
    assert data["principal_variation"].split()[0] == "a1"


@pytest.mark.parametrize(
    ("moves", "spec"),
    [("", "minimax"), ("a3", "alpha_beta"), ("", "mcts(simulations=200, seed=1)")],
)
def test_values_of_figure_5_2(moves: str, spec: str) -> None:
    position = Fig52().after(moves)
    data = json.loads(well("analyse", "fig52", moves, "--agent", spec, "--json"))
    exact = {
        position.name(action): Minimax().value(position.play(action))
        * (1 if position.play(action).to_move == position.to_move else -1)
        for action in position.legal_actions()
    }
    assert {name: found["value"] for name, found in data["values"].items()} == exact
    assert bool(data["visits"]) == spec.startswith("mcts")


def test_pictures(tmp_path: Path) -> None:
    svg, png = tmp_path / "values.svg", tmp_path / "values.png"
    well("analyse", "tic_tac_toe", "b2", "a1", "--svg", str(svg), "--png", str(png))
    root = ElementTree.parse(svg).getroot()
    written = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert written.count("+1") + written.count("0") + written.count("−1") >= 7
    with Image.open(png) as image:
        assert image.size == (2 * int(root.get("width", "")), 2 * int(root.get("height", "")))


def test_without_values() -> None:
    text = well("analyse", "tic_tac_toe", "b2", "--no-values")
    assert "Best: a1, a draw, proven" in text
    assert "[0]" not in text


def test_a_game_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can value the moves for three does; whoever cannot says so."""
    args = "analyse", "thirty_one", "--num-players", "3", "--limit", "5", "--agent", "max_n"
    assert re.search(r"^4 +\[\S+\] \++$", well(*args), re.M)
    monkeypatch.setattr(agents.MaxN, "values", SearchAgent.values)
    assert "max_n has no values of moves with more than two players" in well(*args)


@pytest.mark.parametrize("name", [*GAMES, "pile"])
def test_the_usual_agent_searches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "pile", Pile)
    agent = agents.make(suitable_analyst(game(name)()))
    assert isinstance(agent, SearchAgent)


def test_the_usual_agent_depends_on_the_position() -> None:
    assert suitable_analyst(ConnectFour()).startswith("alpha_beta")
    assert suitable_analyst(ConnectFour().after("4444475275")) == "perfect()"
    assert suitable_analyst(ThirtyOne(num_players=3)).startswith("mcts")
    assert suitable_analyst(Pig(10)).startswith("pig_solver")


# ---- values of moves


def test_values_of_one_search_are_those_of_all() -> None:
    for position in (TicTacToe().after("b2 a1"), TicTacToe().after("a1 b2 c3")):
        for agent in (Minimax(), Minimax(3), AlphaBeta(3)):
            found = agent.analyse(position)
            values = move_values(agent, position, found)
            assert list(values) == position.legal_actions()
            assert max(worth.value for worth in values.values()) == found.value
            assert values[found.action].value == found.value
    exact = {a: Minimax().value(TicTacToe().after("b2").play(a)) for a in (0, 1)}
    values = move_values(
        Minimax(), TicTacToe().after("b2"), Minimax().analyse(TicTacToe().after("b2"))
    )
    assert {a: values[a] for a in (0, 1)} == {
        a: FoundValue(-v + 0.0, True) for a, v in exact.items()
    }


def test_a_search_in_parts_takes_no_longer() -> None:
    part = in_parts(AlphaBeta(depth=4, seconds=2.0, nodes=1000), 7)
    assert part == AlphaBeta(depth=3, seconds=2 / 7, nodes=142)
    assert in_parts(Minimax(1), 9) == Minimax(1)
    assert in_parts(Minimax(), 9) == Minimax()


def test_no_move_is_better_than_the_best() -> None:
    for value, found, expected in [
        ((7, False), SearchResult(0, 3.0), (3, False)),
        ((2, False), SearchResult(0, 3.0), (2, False)),
        ((7, False), SearchResult(0, 1.0, proven=True), (7, False)),
        ((7, False), SearchResult(0, -1.0, proven=True), (-1, True)),
        ((7, False), SearchResult(0, 0.0, proven=True), (0, False)),
        ((-1, True), SearchResult(0, 0.5), (-1, True)),
    ]:
        assert not_above(FoundValue(*value), found) == FoundValue(*expected)


def test_a_win_is_more_than_any_evaluation() -> None:
    inf = float("inf")
    mixed = {
        0: FoundValue(1, True),
        1: FoundValue(9, False),
        2: FoundValue(-1, True),
        3: FoundValue(0, True),
    }
    assert on_one_scale(mixed) == {0: inf, 1: 9, 2: -inf, 3: 0}
    exact = {0: FoundValue(1, True), 1: FoundValue(-1, True), 2: FoundValue(0, False)}
    assert on_one_scale(exact) == {0: 1, 1: -1, 2: 0}


def test_scores_of_solvers_stay_what_they_are() -> None:
    move_values = {0: FoundValue(-1, True), 1: FoundValue(-15, False)}
    solver = View(TicTacToe(), agents.Retrograde(), quiet=True)
    search = View(TicTacToe(), AlphaBeta(evaluate=len), quiet=True)
    solver.found = search.found = move_values
    assert solver.values == {0: -1, 1: -15}
    assert search.values == {0: -float("inf"), 1: -15}


# ---- the board in a terminal


def text_of(position: Position, values: dict[int, float], width: int = 100) -> str:
    return values_text(Console(width=width, color_system=None), position, values).plain


@pytest.mark.parametrize(
    "position",
    [
        TicTacToe().after("b2 a1"),
        ConnectFour().after("4455"),
        Hex(5).after("c3"),
        Hex(5, swap=True).after("b1"),
        ThirtyOne().after("1535"),
        Fig52(),
        Pig().after("roll 4"),
    ],
    ids=repr,
)
def test_every_value_is_readable_without_colours(position: Position) -> None:
    actions = position.legal_actions()
    values = {action: i - 2.5 for i, action in enumerate(actions)}
    text = text_of(position, values)
    for value in values.values():
        assert short(value) in text
    assert f"[{short(max(values.values()))}]" in text
    assert text.count("[") == 1


def test_boards_that_are_too_wide() -> None:
    values = {action: 0.5 - action / 242 for action in Hex(11).legal_actions()}
    wide, narrow, least = (text_of(Hex(11), values, width) for width in (160, 80, 60))
    assert "[+0.50]" in wide
    assert "*+50" in narrow
    assert narrow.endswith("in hundredths; * is best")
    assert max(map(len, narrow.splitlines())) <= 80
    assert "and 101 more" in least
    lines = narrow.splitlines()
    starts = [len(line) - len(line.lstrip()) for line in lines[1:6]]
    assert starts == sorted(set(starts))


def test_where_a_stone_comes_to_stand() -> None:
    assert cell_of(ConnectFour().after("44"), 3) == (3, 3)
    assert cell_of(TicTacToe(), 5) == (1, 2)
    assert cell_of(Hex(5, swap=True).after("b1"), 25) is None
    assert cell_of(Hex(3, swap=True).after("b2"), 9) is None


# ---- a terminal, and Ctrl-C


@dataclass(repr=False)
class Endless(SearchAgent):
    """Finds a little more, then thinks until it is interrupted."""

    rows: int = 2
    name: ClassVar[str] = "endless"

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """A few results."""
        action = position.legal_actions()[0]
        for depth in range(1, self.rows + 1):
            values = dict.fromkeys(position.legal_actions(), 0.25)
            yield SearchResult(action, 0.25, (action,), depth=depth, nodes=depth, values=values)
        raise KeyboardInterrupt


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(agents.AGENTS, "endless", Endless)


@pytest.mark.usefixtures("endless")
def test_interrupted_it_says_the_best_so_far(tmp_path: Path) -> None:
    svg = tmp_path / "so_far.svg"
    answer = run("analyse", "tic_tac_toe", "b2", "--agent", "endless", "--svg", str(svg))
    assert answer.code == 130
    assert "Best: a1, value +0.25" in answer.out
    assert "[+0.25]" in answer.out
    assert answer.err == "Warning: interrupted: this is the best so far\n"
    assert svg.exists()
    answer = run("analyse", "tic_tac_toe", "--agent", "endless", "--json")
    assert answer.code == 130
    assert json.loads(answer.out)["interrupted"] is True


@pytest.mark.usefixtures("endless")
def test_interrupted_before_anything_is_found() -> None:
    answer = run("analyse", "tic_tac_toe", "--agent", "endless(rows=0)")
    assert answer.code == 130
    assert answer.err == "\nInterrupted.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals")
def test_in_a_terminal_the_table_is_live() -> None:
    import pty

    ours, theirs = pty.openpty()
    code = "from agents.cli import main; main()"
    command = [sys.executable, "-c", code, "analyse", "hex", "--size", "5"]
    command += ["--agent", "minimax(depth=1)"]  # by default it would compile for a while
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    with child(
        command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment
    ) as search:
        os.close(theirs)
        seen = b""
        while b"Best:" not in seen:
            seen += os.read(ours, 4096)
        assert search.wait() == 0
    os.close(ours)
    text = seen.decode()
    assert "\x1b[" in text
    assert "nodes/s" in text
    assert "Best: " in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


# ---- bad input


@pytest.mark.parametrize("option", ["--svg", "--png"])
def test_files_that_cannot_be_written(option: str) -> None:
    name = f"/nowhere/at/all/x.{option[2:]}"
    assert "No such file" in refused("analyse", "fig52", option, name)
    assert "No such file" in refused("tree", "fig52", option, name)
    assert "No such file" in refused("tree", "fig52", "--steps", option, name)


# ---- tree


def test_a_tree_as_text() -> None:
    text = well("tree", "fig52", "--agent", "alpha_beta")
    assert text.splitlines()[0] == "MAX 3  [−∞, +∞]"
    assert re.search(r"a2 MIN 2  \[3, \+∞\]", text)
    assert text.count("cut off") == 3
    assert "Alpha-beta: 3 by a1, 11 nodes, 7 leaves, 2 branches cut off" in text
    assert "Minimax: 3 by a1, 13 nodes, 9 leaves" in well("tree", "fig52")
    played = well("tree", "fig52", "--agent", "alpha_beta", "--as-played")
    assert played.startswith("MAX 3  [−14, 14]")  # no game is worth more
    assert "7 leaves, 2 branches cut off; the last iteration, as played" in played


def test_a_tree_as_a_picture(tmp_path: Path) -> None:
    svg = tmp_path / "tree.svg"
    well("tree", "fig52", "--agent", "alpha_beta", "--svg", str(svg))
    assert svg.read_text(encoding="utf-8") == agents.draw_tree(Fig52(), "alpha_beta") + "\n"
    well("tree", "fig52", "--steps", "--agent", "alpha_beta", "--svg", str(svg))
    assert svg.read_text(encoding="utf-8") == agents.draw_steps(Fig52()) + "\n"
    png = tmp_path / "tree.png"
    well("tree", "fig52", "--agent", "alpha_beta", "--png", str(png))
    with Image.open(png) as image:
        assert image.width > 700


def test_the_tree_of_mcts() -> None:
    spec = "mcts(simulations=60, seed=2)"
    text = well("tree", "fig52", "--agent", spec, "--children", "2", "--depth", "1")
    assert len(re.findall(r"^[├└]── \S+ .*visits$", text, re.M)) == 2
    assert "1 more" in text


def test_a_large_tree_is_shown_in_part() -> None:
    text = well("tree", "connect_four")
    assert "nodes below are not shown" in text
    assert re.search(r"400 nodes, 343 leaves; \d+ nodes are not drawn", text)
    few = well("tree", "tic_tac_toe", "--depth", "1", "--nodes", "5", "--children", "3")
    assert "6 more" in few
    cut = well("tree", "connect_four", "--agent", "alpha_beta", "--depth", "2", "--nodes", "99")
    assert "6 cut off\n" in cut


def test_odd_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.AlphaBeta.values", lambda *_: {})
    assert "Best: b1" in well("analyse", "tic_tac_toe", "b2 a1")
