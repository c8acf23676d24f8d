"""The command line as a user has it: what is printed where, exit codes, whole games typed in."""

import io
import itertools
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from children import asleep, child, wait_for
from command_line import process, run, well, words
from odd_agents import Cheat
from rich.console import Console
from small_games import Heap, Pile, Race

import adv_envs
import agents
from adv_envs import GAMES, ConnectFour, Hex, Pig, Position, TicTacToe, Tree
from adv_envs.jit import disabled
from adv_envs.text.rules import rules_text, with_side_names
from agents import AlphaBeta, SearchResult
from agents.cli.board_text import board_text
from agents.cli.console import print_table, table
from agents.cli.solve import instead
from agents.faults import foreign_function
from agents.games.hex.solver import HexSolver
from agents.knowledge import suitable_opponent
from agents.move_values import searching_agent
from agents.spec import parameters

pytestmark = pytest.mark.compiled

OF_GAMES = [
    "rules",
    "show",
    "play",
    "match",
    "tournament",
    "rate",
    "grade",
    "solve",
    "puzzles",
    "analyse",
    "tree",
]
COMMANDS = [*OF_GAMES, "games", "agents", "gtp", "uci", "htp", "book"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three games of our own, registered."""
    for name, game in [("race", Race), ("heap", Heap), ("pile", Pile)]:
        monkeypatch.setitem(GAMES, name, game)


# ---- help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_with_examples(command: str) -> None:
    text = well(command, "--help")
    assert "Usage: adv-envs" in text
    assert f"   adv-envs {command}" in text.partition("Examples")[2]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_help_is_as_wide_as_the_terminal(width: int) -> None:
    """No line within a paragraph ends before the next word would not fit."""
    for command in OF_GAMES:
        answer = run(command, "hex", "--help", COLUMNS=str(width))
        lines = [line.rstrip() for line in answer.out.partition("╭")[0].split("\n")]
        for line, after in itertools.pairwise(lines):
            if line.strip() and after.strip() and "Allowed if" not in after:
                assert len(line) + 1 + len(after.split()[0]) > width - 2, (line, after)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("command", OF_GAMES)
def test_every_game_has_help_of_its_own(command: str, game: str) -> None:
    text = well(command, game, "--help")
    assert f"adv-envs {command} {game}" in text.partition("Examples")[2]
    for parameter in adv_envs.game(game).parameters:
        assert parameter == "tree" or f"--{parameter.replace('_', '-')}" in text


def test_help_explains_the_options_of_a_game_and_of_every_game() -> None:
    text = words(well("play", "hex", "--help"))
    for part in ("Hex: join your two sides", "--swap --no-swap", "Allowed if 2 <= size <= 19."):
        assert part in text
    text = words(well("play", "--help"))
    for part in ("--opponent", "by default a search that plays well", "tic_tac_toe"):
        assert part in text


@pytest.mark.parametrize("command", [[], *([command] for command in OF_GAMES)])
def test_no_arguments_ask_for_help(command: list[str]) -> None:
    assert well(*command) == well(*command, "--help") == well(*command, "-h")


def test_plain_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.core.HAS_RICH", False)
    text = well("play", "hex", "--help")
    assert text.index("--size") < text.index("Examples:") < text.index("adv-envs play hex --size 7")


def test_version() -> None:
    assert well("--version") == f"adv-envs {adv_envs.__version__}\n"


# ---- lists


def test_games() -> None:
    text = well("games")
    assert all(name in text for name in GAMES)
    assert "swap=False" in text
    rows = {row["name"]: row for row in json.loads(well("games", "--json"))}
    assert list(rows) == list(GAMES)
    assert rows["connect_four"] == {
        "name": "connect_four",
        "parameters": {"height": 6, "width": 7, "k": 4},
        "players": 2,
        "actions": 7,
        "description": "Connect Four: drop discs into the columns; four in a row win.",
    }
    assert rows["fig52"]["parameters"] == {}


def test_agents_and_functions() -> None:
    text = well("agents")
    found = json.loads(well("agents", "--json"))
    agents = {row["name"]: row for row in found["agents"]}
    assert agents["minimax"]["parameters"] == {"depth": None, "evaluate": None}
    functions = {row["name"]: row["use"] for row in found["functions"]}
    assert functions["hex.two_distance"] == "evaluate"
    assert functions["hex.centre"] == "order"
    assert all(name in text for name in [*agents, *functions])


# ---- rules


def test_rules_in_a_pipe_are_markdown() -> None:
    usual, swap = well("rules", "hex"), well("rules", "hex", "--size", "4", "--swap")
    assert usual == f"# Hex\n\n{with_side_names(Hex(), rules_text(Hex()))}\n"
    assert swap == f"# Hex\n\n{with_side_names(Hex(), rules_text(Hex(4, swap=True)))}\n"
    assert well("rules", "--size", "4", "hex", "--swap") == swap


def test_rules_in_a_terminal_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "agents.cli.show.out", lambda: Console(force_terminal=True, color_system=None, width=60)
    )
    text = well("rules", "nim", "--misere")
    assert "**" not in text
    assert "`" not in text
    assert "Goal. Do not take the last stone of all." in text
    assert max(map(len, text.splitlines())) == 60


def test_rules_of_a_game_of_our_own_are_its_docstring(small: None) -> None:
    assert words(Race.__doc__ or "") in words(well("rules", "race"))


# ---- show


def test_show_a_board() -> None:
    assert well("show", "hex", "--size", "3", "a1", "b2 c3") == (
        "\n  a b c\n 1 X . .\n  2 . O .\n   3 . .(X)\n\n"
        "Blue (O) to move (left to right).\nLegal moves: b1, c1, a2, c2, a3, b3\n"
    )


def test_show_the_end() -> None:
    assert "The game is over: X wins." in well("show", "tic_tac_toe", "a1,b1,a2,b2,a3")
    assert "The game is over: Draw." in well("show", "tic_tac_toe", *DRAW.split())
    shared = well("show", "thirty_one", "--num-players", "3", "--limit", "3", "2", "1")
    assert "Player 3 cannot move, Player 1 and Player 2 win." in shared


DRAW = "a1 b1 c1 b2 a2 c2 b3 a3 c3"


def test_show_json() -> None:
    assert json.loads(well("show", "connect_four", "44", "--height", "4", "--json")) == {
        "game": "connect_four",
        "parameters": {"height": 4, "width": 7, "k": 4},
        "position": repr(ConnectFour(height=4).after("44")),
        "board": str(ConnectFour(height=4).after("44")),
        "to_move": 0,
        "legal": ["1", "2", "3", "4", "5", "6", "7"],
        "utilities": None,
    }
    over = json.loads(well("show", "tic_tac_toe", "a1,b1,a2,b2,a3", "--json"))
    assert (over["to_move"], over["legal"], over["utilities"]) == (None, [], [1, -1])


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    well("show", "hex", "--size", "4", "b2", "--svg", str(svg), "--png", str(png))
    position = Hex(4).after("b2")
    assert svg.read_text(encoding="utf-8") == position.svg(last=5)
    assert png.read_bytes().startswith(b"\x89PNG")


def test_games_and_options_are_understood_however_they_are_written() -> None:
    usual = well("show", "thirty_one", "--num-players", "3", "5")
    assert well("show", "thirty-one", "5", "--num_players=3") == usual
    assert well("show", "--num-players", "3", "Thirty_One", "5") == usual
    assert "swap" in well("show", "hex", "--size", "2", "--swap", "a1")
    assert "swap" not in well("show", "hex", "--size", "2", "--no-swap", "a1")


# ---- what cannot be done


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("paly", 2, "no command 'paly'; did you mean 'play'? commands: games, agents"),
        ("show hx", 2, "no game 'hx'; did you mean 'hex'? games: chess, go"),
        ("show uttt", 2, "no game 'uttt'; did you mean 'ultimate_tic_tac_toe'? games: chess, go"),
        ("play doubutsu", 2, "did you mean 'animal_shogi'? games"),
        ("serve Muhle", 2, "did you mean 'nine_mens_morris'? games"),
        ("warm cards", 2, "did you mean 'texas_holdem_no_limit' or 'texas_holdem' or 'gin_rummy'?"),
        ("rules xiangqi", 2, "no game 'xiangqi'; games: chess"),
        ("show hex(5)", 2, "the parameters of a game are options: see adv-envs show hex --help"),
        ("show --size 5", 2, "name a game first, then its options; games: chess"),
        ("show hex --sise 5", 2, "--size"),
        ("show hex --width 5", 2, "s: --svg, --png, --sgf, --view, --json, --size, --swap, --help"),
        ("show hex --size 99", 2, "size must be 2 to 19, not 99"),
        ("show hex --size large", 2, "Invalid value for '--size'"),
        ("show hex --size 2 z9", 2, "move 1, 'z9', is not legal; legal: a1, b1, a2, b2"),
        ("show hex --svg /nowhere/at/all.svg", 2, "No such file or directory"),
        ("games chess", 2, "unexpected extra argument"),
        ("match hex random", 2, "hex needs 2 agents, one for each player, not 1"),
        ("play hex --opponent alpha_bet", 2, "no agent 'alpha_bet'; did you mean 'alpha_beta'?"),
        ("play hex --opponent minimax(dept=3)", 2, "no parameter 'dept'; parameters: depth"),
        ("play hex --opponent minimax(", 2, "cannot read the agent"),
        ("play tic_tac_toe --moves a1,b1,a2,b2,a3", 2, "is over after these moves: X wins"),
        ("match tic_tac_toe human random", 2, "to play yourself: adv-envs play"),
        ("match thirty_one --num-players 3 random random", 2, "num_players=3 needs 3 agents, one"),
        ("match connect_four policy random", 2, "policy needs path: write policy(path=...)"),
        ("rate fig52 random", 2, "there is no ladder for fig52; there are ladders for: "),
        ("show hex nofile.sgf", 2, "Error: there is no file 'nofile.sgf'"),
        ("match tic_tac_toe rush random", 1, "rush() cannot play tic_tac_toe: rush plays hex"),
        ("match tic_tac_toe random random --plies 30", 2, "no opening of 30 plies"),
        ("match tic_tac_toe random random --pairs 0", 2, "Invalid value for '--pairs'"),
        ("solve connect_four --k 3 --max-positions 9", 1, "more than 9 positions to visit: raise"),
        ("solve tic_tac_toe --agent random", 2, "random does not search; minimax, alpha_beta"),
        ("solve thirty_one --num-players 3 --agent minimax", 1, "games of two players, not 3"),
        ("puzzles leduc", 2, "no move has one exact value"),
        ("puzzles checkers", 2, "checkers is graded on boards of size 4, not 8"),
        ("solve tic_tac_toe a1,b1,a2,b2,a3", 2, "the game is over after these moves: X wins"),
        ("--import nothing_there games", 2, "cannot import 'nothing_there'"),
    ],
)
def test_errors_are_one_line_on_standard_error(line: str, code: int, message: str) -> None:
    answer = run(*line.split(" "))
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("Error: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err
    assert len(answer.err) < 700


# ---- play

COMPILING = "Compiling, which takes some time, but only once ...\n"
HUMANS = ("play", "tic_tac_toe", "--opponent", "human")
PERFECT = ("play", "tic_tac_toe", "--opponent", "retrograde")


def test_a_whole_game() -> None:
    text = well(*PERFECT, typed="b2\na1\nc1\nb1\n")
    assert "X: you, moves first\nO: retrograde()\nType a move, or help, hint, undo or res" in text
    played = "O retrograde plays a1  (expects a draw; looked 8 moves ahead, at 1,837 positions;"
    assert f"Your move, X: b2\n{played}" in text
    assert " 1(O). .\n 2 . X .\n" in text
    assert "Sorry, 'a1' is not a legal move; legal: b1," in text
    assert text.endswith("2(O)X .\n 3 O . .\n\nYou lose.\nMoves: b2 a1 c1 a3 b1 a2\n")


def test_two_people() -> None:
    text = well(*HUMANS, typed="a1\nb1\na2\nb2\na3\n")
    assert "Your move, O: b1\nO human plays b1\n" in text
    assert text.endswith("X human wins.\nMoves: a1 b1 a2 b2 a3\n")
    text = well(*HUMANS, typed="\n".join(DRAW.split()))
    assert text.endswith(f"Draw.\nMoves: {DRAW}\n")


def test_win() -> None:
    text = well("play", "connect_four", "--k", "1", "--opponent", "random", typed="4\n")
    assert text.endswith("\n . . .(X). . .\n 1 2 3 4 5 6 7\n\nYou win!\nMoves: 4\n")


def test_second_and_moves_made_already() -> None:
    text = well(*PERFECT, "--second", "--moves", "a1 b2 c3", typed="resign\n")
    assert "X: retrograde(), moves first\nO: you\n" in text
    assert " 1 X . .\n 2 . O .\n 3 . .(X)\n\nYour move, O: resign\n" in text
    assert text.endswith("Resigned. You lose.\nMoves: a1 b2 c3\n")
    assert well(*PERFECT).endswith("Your move, X: \nResigned. You lose.\n")  # the end of the input


def test_undo() -> None:
    text = well(*PERFECT, typed="undo\nb2\nundo\nundo\na2\nq\n")
    assert text.count("There is no move of yours to take back.") == 2
    board = "\n\n   a b c\n 1 . . .\n 2 . . .\n 3 . . .\n\nYour move, X: "
    assert f"undo{board}undo\nThere is no" in text
    assert "Resigned. You lose.\nMoves: a2 " in text


def test_undo_marks_the_move_before() -> None:
    text = well(*PERFECT, "--moves", "a1 b2", typed="c3\nundo\nq\n")
    board = " 1 X . .\n 2 .(O).\n 3 . . .\n\nYour move, X: "
    assert f"{board}c3" in text
    assert f"{board}q" in text


def test_help_and_nonsense() -> None:
    text = well("play", "hex", "--size", "5", "--opponent", "random", typed="help\nz9\n\nq\n")
    assert text.count("Legal moves: a1, b1, c1") == 2  # an empty line asks for help, too
    assert "Sorry, 'z9' is not a legal move; \"help\" lists them." in text
    assert "Resigned. You lose.\n" in text
    assert "Moves:" not in text


def test_the_names_of_moves_come_before_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    class Crossroads(Tree):
        def __new__(cls, tree: Any = None, node: int = 0, ply: int = 0) -> "Crossroads":
            tree = tree or Tree({"help": 2, "quit": -1}).tree
            return tuple.__new__(cls, (tree, node, ply))

    monkeypatch.setitem(GAMES, "crossroads", Crossroads)
    text = well("play", "crossroads", "--opponent", "random", typed="help\n")
    assert text.endswith("leaf, worth 2 to MAX\n\nYou win! (+2) MAX wins 2.\nMoves: help\n")


def test_agents_only() -> None:
    line = ["play", "hex", "--size=3", "--player=random", "--opponent=random", "--seed", "1"]
    text = well(*line)
    assert text == well(*line)
    assert text != well(*line[:-1], "2")
    moves = text.splitlines()[-1].removeprefix("Moves: ")
    end = Hex(3).after(moves)
    assert end.is_terminal()
    winner = "Red (X)" if end.utility(0) > 0 else "Blue (O)"
    assert text.splitlines()[-2] == f"{winner} random wins."
    assert text.count(" plays ") == end.ply


def test_chance_and_more_players(small: None) -> None:
    line = ["--goal", "20", "--player", "random", "--opponent", "greedy", "--seed", "3"]
    text = well("play", "race", *line)
    assert "Player 1: random(), moves first\nPlayer 2: greedy()\n" in text
    assert re.search(r"^Player 1 \(random\) plays roll: [1-4]$", text, re.M)
    assert "chance" not in text
    text = well("play", "heap", "--size", "2", "--opponent", "retrograde", typed="1\n")
    assert "Player 1: you, moves first\nPlayer 2: retrograde()\nPlayer 3: retro" in text
    assert text.endswith("You win! (+2)\nMoves: 1\n")


def test_the_die_is_shown() -> None:
    """What chance makes of a move is said with it; the seed throws the die."""
    line = ["play", "pig", "--target", "20", "--opponent", "pig_solver", "--seed", "5"]
    typed = "roll\nroll\nundo\nhold\nquit\n"
    text = well(*line, typed=typed)
    rolled = re.findall(r"^You roll: ([1-6])$", text, re.M)
    assert 1 <= len(rolled) <= 3
    played = r"^Player 2 \(pig_solver\) plays roll: [1-6]  \(expects a win in \d\d\.\d\d% of games;"
    assert re.search(played, text, re.M)
    assert "the die rolls" not in text, "nobody is asked while it does"
    again = well(*line, typed=typed)
    assert re.findall("You roll: .", again) == re.findall("You roll: .", text)
    watched = well(*line, "--player", "random")
    assert re.search(
        r"^Player \d \(\w+\) wins\. Player \d wins, \d+ to \d+\.\nMoves: roll [1-6] ", watched, re.M
    )


def test_suitable_where_dice_are_thrown() -> None:
    assert suitable_opponent(Pig()) == "pig_solver()"
    assert suitable_opponent(Pig(target=1000)) == "expectiminimax(evaluate=pig.lead, nodes=100000)"


def test_an_opponent_that_cannot_play_is_refused_before_the_first_move() -> None:
    answer = run("play", "tic_tac_toe", "--opponent", "rush", typed="a1\n")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "Error: rush() cannot play tic_tac_toe: rush plays hex, not TicTacToe\n"
    spec = "alpha_beta(depth=2, evaluate=hex.two_distance)"
    answer = run("play", "connect_four", "--opponent", spec, typed="4\n")
    assert (answer.code, answer.out.replace(COMPILING, "")) == (1, "")
    why = "evaluate=hex.two_distance is for hex"
    assert answer.err == f"Error: {spec} cannot play connect_four: {why}\n"


@pytest.mark.parametrize("game", [*GAMES, "pile", "race"])
def test_there_is_a_default_opponent(small: None, game: str) -> None:
    spec = suitable_opponent(adv_envs.start_position(game))
    assert repr(agents.make(spec)) == spec


# ---- match


def test_match() -> None:
    line = ["match", "tic_tac_toe", "random", "greedy", "--pairs", "3", "--seed", "4"]
    text = well(*line)
    assert "tic_tac_toe, 6 games\nA is random()\nB is greedy()\n" in text
    result = json.loads(well(*line, "--json"))
    assert result == {**json.loads(well(*line, "--json")), "seconds": result["seconds"]}
    assert (result["game"], len(result["games"]), result["seed"]) == ("tic_tac_toe", 6, 4)
    rows = [row.split() for row in text.splitlines() if "0." in row or ".5" in row]
    first = [str(result["first_seat"][key]) for key in ("wins", "draws", "losses")]
    second = [str(result["second_seat"][key]) for key in ("wins", "draws", "losses")]
    assert rows[0][:6] == ["A", "random", "first", *first]
    assert rows[1][:4] == ["second", *second]
    assert rows[4][:4] == ["second", *reversed(first)]
    assert rows[3][:6] == ["B", "greedy", "first", *reversed(second)]


def test_repeated_games_are_told() -> None:
    answer = run("match", "tic_tac_toe", "retrograde", "retrograde(limit=9999)", "--pairs", "4")
    assert answer.code == 0
    assert answer.err == "Warning: 6 of 8 games repeat others: use --plies 2\n"


def test_forfeits_are_told(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(agents.AGENTS, "cheat", Cheat)
    answer = run("match", "pile", "cheat", "random", "--pairs", "2")
    assert answer.code == 1
    why = "cheat(), failed: IllegalAction: 7 is not a legal action"
    assert f"Warning: 2 of 4 games forfeited: player 0, {why}\n" in answer.err
    assert f"Warning: 2 of 4 games forfeited: player 1, {why}\n" in answer.err
    assert re.search(r"^ A cheat +first +0 +0 +2 +0\.0 +\S+ +2: 2 illegal *$", answer.out, re.M)
    assert re.search(r"^ +both +0 +0 +4 +0\.0 +\S+ +4: 4 illegal *$", answer.out, re.M)
    assert re.search(r"^ B random +first +2 +0 +0 +2\.0 +\S+ +0 *$", answer.out, re.M)
    found = json.loads(run("match", "pile", "cheat", "random", "--pairs", "1", "--json").out)
    assert found["forfeits"][0] == {"illegal": 2, "crash": 0, "time": 0}
    assert [(game["loser"], game["fault"]) for game in found["games"]] == [
        (0, "illegal"),
        (1, "illegal"),
    ]
    answer = run("match", "pile", "random", "random", "--pairs", "2")  # games may repeat others
    assert answer.code == 0
    assert "forfeit" not in answer.out + answer.err


def test_a_match_of_three() -> None:
    out = well("match", "thirty_one", "--num-players", "3", *["random"] * 3, "--pairs", "2")
    assert out.startswith("thirty_one, num_players=3, 6 games\nA is random()\nB is random()\nC is")
    for seat in ("first", "second", "third", "all"):
        assert len(re.findall(rf"\b{seat} +\d", out)) == 3


def test_an_interrupted_match_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: Any, **options: Any) -> None:
        match(*args, **{**options, "pairs": 1})
        raise KeyboardInterrupt

    match = agents.match
    monkeypatch.setattr("agents.match", interrupted)
    answer = run("match", "tic_tac_toe", "random", "greedy", "--pairs", "5")
    assert answer.code == 130
    assert answer.out.startswith("tic_tac_toe, 2 games\n")
    assert answer.err == "Warning: interrupted after 2 of 10 games\n"


# ---- solve


def test_solve() -> None:
    text = well("solve", "tic_tac_toe", "b2", "b1")
    assert "X to move: a win with best play, after 5 more moves: " in text
    assert "Winning moves: a1, c1, a2, c2, a3, c3\n" in text
    assert re.search(r"^ b3 +0 +a draw +7$", text, re.M)
    assert "1 [+1] O  [+1]\n" in text
    assert "No move wins." in well("solve", "tic_tac_toe")
    assert "Best moves: a1\n" in well("solve", "fig52")


def test_solve_json() -> None:
    found = json.loads(well("solve", "thirty_one", "--json"))
    assert (found["positions"], found["explored"], found["terminal"]) == (15625, 3551, 397)
    assert (found["value"], found["winning"]) == (1, ["1", "2", "5"])
    assert found["values"]["3"]["value"] == -1
    assert found["parameters"] == {"limit": 31, "copies": 4, "highest": 6, "num_players": 2}


def test_solve_hex(tmp_path: Path) -> None:
    picture = tmp_path / "winners.svg"
    text = well("solve", "hex", "--size", "3", "a1", "--svg", str(picture))
    assert re.search(r"^ +2 +−1 \[\+1\] +−1$", text, re.M)
    assert "Blue (O) to move: a win with best play: b2 " in text
    assert re.search(r"^ a win +1 +b2 *$", text, re.M)
    assert re.search(r"^ a loss +7 +b1 c1 a2 c2 a3 b3 c3 *$", text, re.M)
    assert "not known" not in text
    exact = agents.Retrograde().values(Hex(3).after("a1"))
    assert [a for a, value in exact.items() if value > 0] == [4]
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    found = json.loads(well("solve", "hex", "--size", "3", "a1", "b2", "--json"))
    assert (found["value"], found["winning"], found["proven"]) == (-1, [], True)
    assert {move["words"] for move in found["values"].values()} == {"a loss"}
    assert Hex(3).after("a1 b2").after(found["principal_variation"]).utility(1) == 1
    assert "with best play" in well("solve", "hex", "--size", "6")  # its openings are stored


def test_hex_boards_that_are_too_large_are_refused() -> None:
    answer = run("solve", "hex", "--size", "9")
    assert (answer.code, answer.out) == (1, "")
    assert "not size=9" in answer.err
    assert '--agent "mcts(seconds=3)"' in answer.err


@pytest.mark.parametrize(
    "name", [name for name in GAMES if adv_envs.game(name)().perfect_information]
)
def test_a_game_that_cannot_be_solved_names_an_agent_that_searches_it(name: str) -> None:
    position = adv_envs.game(name)()
    _, spec, _ = instead(position).split('"')
    assert not foreign_function(searching_agent(agents.make(spec)), position)


def test_what_is_advised_where_the_usual_analyst_is_the_solver_or_chance_is_to_move() -> None:
    answer = run("solve", "pig", "--target", "300")
    assert answer.code == 1
    spec = "expectiminimax(seconds=3)"
    assert answer.err.endswith(f'search instead: --agent "{spec}"\n')
    assert next(iter(searching_agent(agents.make(spec)).analysis(Pig(300)))).action >= 0
    answer = run("solve", "backgammon")
    assert "name what chance does, such as 12, and search instead" in answer.err
    assert run("solve", "backgammon", "12", "--agent", "turn_search(depth=1)").code == 0


SO_FAR = "Warning: interrupted: this is the best so far\n"


def interrupt_after(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, *found: Any) -> None:
    """Let a search find this, and then be interrupted."""

    def search(self: Any, position: Position) -> Iterator[Any]:
        yield from found
        raise KeyboardInterrupt

    monkeypatch.setattr(where, name, search)


def test_hex_is_solved_until_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, HexSolver, "solving", {0: -1.0}, {0: -1.0, 4: -1.0})
    answer = run("solve", "hex", "--size", "3")
    assert (answer.code, answer.err) == (130, SO_FAR)
    assert "Red (X) to move: a win with best play: " in answer.out
    assert re.search(r"^ a loss +2 +a1 b2 *$", answer.out, re.M)
    assert re.search(r"^ not known yet +7 +b1 c1", answer.out, re.M)
    interrupt_after(monkeypatch, HexSolver, "analysis")
    answer = run("solve", "hex", "--size", "3")
    assert answer.code == 130
    assert "no move is solved yet; `adv-envs analyse` says which one looks best" in answer.err


def test_an_interrupted_search_says_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    result = SearchResult(4, 0.5, (4, 0), nodes=9, depth=2)
    interrupt_after(monkeypatch, AlphaBeta, "analysis", result)
    answer = run("solve", "tic_tac_toe", "--agent", "alpha_beta")
    assert (answer.code, answer.err) == (130, SO_FAR)
    assert "X to move: value +0.5, not proven\nBest: b2 a1\n" in answer.out
    assert "alpha_beta(): 9 nodes in 0.00 s, depth 2\n" in answer.out


def cpu_seconds(pid: int) -> float:
    """How long a process has worked."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(disabled() or sys.platform != "linux", reason="needs a long search, and /proc")
def test_a_long_proof_ends_with_ctrl_c() -> None:
    with process("solve", "hex", "--size", "8", "a3") as search:
        wait_for(lambda: cpu_seconds(search.pid) > 25)  # what it loads and compiles takes less
        search.send_signal(signal.SIGINT)
        out, err = search.communicate()
    assert search.returncode == 130, (out, err)


def test_solve_pig() -> None:
    text = well("solve", "pig", "--target", "30", "roll", "4")
    assert re.search(
        r"^Player 1 to move: a win in 5\d\.\d\d% of games with best play: roll$", text, re.M
    )
    assert "Best moves: roll\n" in text
    assert re.search(r"^With these scores, hold when the turn total is \d+ or more", text, re.M)
    assert re.search(r"^ hold +4\d\.\d\d%$", text, re.M)
    rolling = well("solve", "pig", "--target", "30", "roll")
    assert re.search(r"^ 6 +6\d\.\d\d%$", rolling, re.M)
    assert "chance to move: Player 1 has a win in" in rolling
    assert "Best" not in rolling
    found = json.loads(well("solve", "pig", "--target", "30", "roll 4", "--json"))
    solver = agents.PigSolver()
    position = Pig(target=30).after("roll 4")
    assert found["value"] == solver.value(position)
    assert found["values"]["roll"]["value"] == found["value"]
    assert found["values"]["hold"]["value"] < found["value"]
    assert (found["best"], found["value_name"]) == (["roll"], "chance of winning")
    answer = run("solve", "pig", "--target", "201")
    assert answer.code == 1
    assert "targets up to 200, not 201" in answer.err


def test_search() -> None:
    line = ["solve", "tic_tac_toe", "a1,b1,a2,b2", "--agent", "minimax(depth=2)"]
    text = well(*line)
    assert "X to move: a win with best play: a3\nBest: a3\nminimax(depth=2): 22 nodes" in text
    found = json.loads(well(*line, "--json"))
    assert (found["action"], found["principal_variation"], found["value"]) == ("a3", "a3", 1)
    assert found["proven"]
    assert found["nodes"] > 0


# ---- how it looks


class Odd(TicTacToe):
    """Tic-tac-toe with letters of its own."""

    symbols = "#*"


class Talks(TicTacToe):
    """Tic-tac-toe without a board."""

    def __str__(self) -> str:
        return "X to move, or O"


def test_stones_in_a_terminal() -> None:
    def looks(position: Position, before: Position) -> list[str]:
        file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        console = Console(file=file, force_terminal=True, color_system="standard")
        return board_text(console, position, before).plain.splitlines()

    before = TicTacToe().after("a1")
    assert looks(before.after("c2"), before) == ["   a b c", " 1 X . .", " 2 . .(O)", " 3 . . ."]
    four = ConnectFour().after("44")
    assert looks(four.after("5"), four)[-2] == " . . . ●(●). ."
    swapped = Hex(3, swap=True).after("a2")
    assert looks(swapped.after("swap"), swapped)[1] == " 1 .(○)."  # where the stone is now
    a1 = 3, 3, 3, 0, 1, 1
    assert looks(Odd(*a1), Odd())[1] == " 1(#). ."
    assert looks(Talks(*a1), Talks()) == ["X to move, or O"]


# ---- as a process


ROOT = str(Path(adv_envs.__file__).parents[1])


def test_a_module_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "my_games.py").write_text(
        "import adv_envs\n"
        "class Mine(adv_envs.TicTacToe):\n"
        '    """My [own] game."""\n'
        'adv_envs.register("mine", Mine)\n'
    )
    path = os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    with process("--import", "my_games", "games", cwd=tmp_path, env=environment) as own:
        out, err = own.communicate()
    assert (own.returncode, err) == (0, "")
    assert "My [own] game." in out
    assert "\x1b" not in out
    assert "before the other player joins theirs; nobody can draw." in out, (
        "nothing is cut in a pipe"
    )


def test_nobody_reads_on() -> None:
    with process("games") as listing:
        listing.stdout.close()  # type: ignore[union-attr]
        assert listing.stderr.read() == ""  # type: ignore[union-attr]
        assert listing.wait() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal and signals")
def test_in_a_terminal_until_ctrl_c() -> None:
    import pty

    ours, theirs = pty.openpty()
    line = ["play", "tic_tac_toe", "--opponent", "random", "--moves", "a1", "--second"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "60"}
    for name in ("NO_COLOR", "FORCE_COLOR"):
        environment.pop(name, None)
    with process(*line, stdin=theirs, stdout=theirs, env=environment) as game:
        os.close(theirs)
        seen = b""
        while b"Your move, O: " not in seen:
            seen += os.read(ours, 4096)
        wait_for(lambda: asleep(game.pid))  # readline misses a signal while it gets ready to wait
        game.send_signal(signal.SIGINT)
        assert game.communicate()[1] == "\nInterrupted.\n"
    os.close(ours)
    assert game.returncode == 130
    assert "(\x1b[1;31mX\x1b[0m)" in seen.decode()


INTERRUPTED = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("imported", ["numpy", "typer"])
@pytest.mark.parametrize("door", ["module", "script"])
def test_ctrl_c_while_it_starts_shows_no_traceback(
    imported: str, door: str, tmp_path: Path
) -> None:
    (tmp_path / f"{imported}.py").write_text(INTERRUPTED)
    (tmp_path / "adv-envs").write_text("from agents.cli import main\nmain()\n")
    line = ["-m", "adv_envs"] if door == "module" else [str(tmp_path / "adv-envs")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), ROOT])}
    command = [sys.executable, *line, "games"]
    with child(command, stdout=-1, stderr=-1, text=True, env=environment) as start:
        out, err = start.communicate()
    assert (start.returncode, out, err) == (-signal.SIGINT, "", "")


TWICE = """
import agents, sys

class Interrupted(agents.Agent):
    name = "interrupted"

    def act(self, position):
        raise KeyboardInterrupt

def err():
    raise KeyboardInterrupt

agents.AGENTS["interrupted"] = Interrupted
sys.modules["agents.cli.app"].err = err  # the second Ctrl-C comes while the first is being handled
"""


def test_ctrl_c_twice_in_a_row_shows_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text(TWICE)
    path = os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")])
    line = ["--import", "twice", "play", "tic_tac_toe", "--opponent", "interrupted"]
    with process(*line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}) as game:
        _, err = game.communicate("a1\n")
    assert (game.returncode, err) == (130, "")


def test_other_programs_keep_their_ctrl_c() -> None:
    code = "import signal, adv_envs; print(signal.getsignal(2) is signal.default_int_handler)"
    with child([sys.executable, "-c", code], stdout=-1, text=True) as program:
        assert program.communicate()[0] == "True\n"


def test_a_child_that_never_stops_is_killed() -> None:
    endless = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    command = [sys.executable, "-c", endless]
    with child(command, 0.5, stdout=subprocess.PIPE, text=True) as process:
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""  # would wait for ever
    with child(command) as process:
        pass
    assert process.returncode


# ---- narrow terminals and pipes


def printed(width: int, **options: Any) -> str:
    """A table of three columns as a terminal of this width, or a pipe, has it."""
    filled = table("agent", "points", "description", numbers=0)
    spec = "alpha_beta(depth=4, evaluate=connect_four.threats)"
    filled.add_row(spec, "12", "a search with an evaluation of threats and of open lines")
    filled.add_row("random()", "3", "any move")
    file = io.StringIO()
    print_table(filled, Console(file=file, width=width, color_system=None, **options))
    return file.getvalue()


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_tables_lose_nothing_at_any_width(width: int) -> None:
    text = printed(width, force_terminal=True)
    assert max(map(len, text.splitlines())) <= width
    letters = "".join(text.split())
    for word in ["alpha_beta(depth=4,", "12", "threats", "random()", "move", "points"]:
        assert word in letters
    assert ("points: 12" in text) == (width < 65)


def test_a_pipe_gets_tables_of_any_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    line = next(line for line in well("games").splitlines() if line.split()[:1] == ["hex"])
    assert len(line) > 160
    assert line.split()[:5] == ["hex", "size=11", "swap=False", "2", "121"]
    assert line.endswith(" joins theirs; nobody can draw.")


# ---- one agent explained


@pytest.mark.parametrize("name", agents.AGENTS)
def test_every_parameter_of_an_agent_is_explained(name: str) -> None:
    found = json.loads(well("agents", name, "--json"))
    assert [row["name"] for row in found["parameters"]] == [p.name for p in parameters(name)]
    text = well("agents", name)
    for row in found["parameters"]:
        assert f"{row['name']}: {row['type']}, " in text
        assert row["description"], f"{name} says nothing of {row['name']}"


def test_a_parameter_has_its_type_default_and_meaning() -> None:
    text = well("agents", "mcts")
    assert re.search(r"^rave: int \| None, default None\n    Mix[^\n]*GRAVE", text, re.M)
    assert re.search(r"^knowledge: int \| None, default None\n    \w+", text, re.M)
    assert "path: str | os.PathLike[str], must be given" in well("agents", "policy")
    assert "no agent 'mctt'; did you mean 'mcts'?" in run("agents", "mctt").err


# ---- help for beginners


def test_hint_board_and_eval() -> None:
    line = ["play", "tic_tac_toe", "--opponent", "random", "--moves", "a1 b1 a2 b2"]
    text = well(*line, typed="hint\neval\nboard\nhelp\nq\n").replace(COMPILING, "")
    assert "Your move, X: hint\nHint: a3 (alpha_beta: a win)\n" in text
    assert "Your move, X: eval\nFor you: a win (alpha_beta(" in text
    assert text.count(" 1 X O .\n") == 2
    assert "eval    says who is ahead; a value above 0 means that you are\n" in text
    text = well("play", "pig", "--opponent", "random", typed="eval\nq\n")
    assert re.search(r"For you: a win in 5\d\.\d\d% of games \(pig_solver", text)


def test_undo_does_not_throw_the_die_again() -> None:
    line = ["play", "pig", "--target", "50", "--opponent", "random", "--seed", "3"]
    once = re.findall("You roll: (.)", well(*line, typed="roll\nq\n"))
    again = re.findall("You roll: (.)", well(*line, typed="roll\nundo\nroll\nundo\nroll\nq\n"))
    assert again == 3 * once
    six = [*line, "--seed", "5"]
    plain = re.findall("You roll: (.)", well(*six, typed="roll\nroll\nroll\nq\n"))
    undone = re.findall("You roll: (.)", well(*six, typed="roll\nroll\nundo\nroll\nroll\nq\n"))
    assert [undone[0], *undone[2:]] == plain


def test_a_word_is_said_before_something_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiles(self: agents.Agent, position: Position) -> int:
        logging.getLogger("adv_envs.jit").info("compiling %s", "a kernel")
        return position.legal_actions()[0]

    monkeypatch.setattr(agents.Random, "act", compiles)
    text = well("play", "tic_tac_toe", "--opponent", "random", typed="q\n")
    assert text.startswith("Compiling, which takes some time, but only once ...\n")
    assert text.count("Compiling") == 1


def test_what_libraries_print_is_not_in_the_output() -> None:
    """Also what they write past Python's streams, as Ray does."""
    program = r"""
import os
from agents.cli.console import agents_print_aside

print("before")
with agents_print_aside():
    print("printed")
    os.write(1, b"written\n")
print("after")
"""
    with child([sys.executable, "-c", program], stdout=-1, stderr=-1, text=True) as started:
        out, err = started.communicate()
    assert out == "before\nafter\n"
    assert sorted(err.split()) == ["printed", "written"]
