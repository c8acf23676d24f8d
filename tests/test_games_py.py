"""The textbook's games.py: its states, games, notebooks and tests, with our module in place."""

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

import agents
from adv_envs import IllegalMove, aima
from adv_envs.aima import games_py
from adv_envs.aima.games_py import (
    ConnectFour,
    Fig52Extended,
    Fig52Game,
    GameState,
    Gomoku,
    TicTacToe,
    alpha_beta_cutoff_search,
    alpha_beta_player,
    alpha_beta_search,
    expect_minmax,
    expect_minmax_player,
    minmax_decision,
    minmax_player,
    monte_carlo_tree_search,
    query_player,
    random_player,
)

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent


# ---- trees


def test_the_nodes_of_figure_5_2_are_letters():
    game, best = Fig52Game(), {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
    assert game.initial == "A"
    for letter, move in best.items():
        moves = game.actions(letter)
        assert moves == [f"{letter.lower()}{number}" for number in (1, 2, 3)]
        assert minmax_decision(letter, game) == alpha_beta_search(letter, game) == move
        assert game.to_move(letter) == ("MAX" if letter == "A" else "MIN")
        assert not game.terminal_test(letter)
        after = [game.result(letter, move) for move in moves]
        assert after == (["B", "C", "D"] if letter == "A" else [f"{letter}{i}" for i in (1, 2, 3)])
    leaves = {"B1": 3, "B2": 12, "B3": 8, "C1": 2, "C2": 4, "C3": 6, "D1": 14, "D2": 5, "D3": 2}
    assert game.utils == leaves
    assert {leaf: game.utility(leaf, "MAX") for leaf in leaves} == leaves
    assert [game.utility(leaf, "MIN") for leaf in leaves] == [-each for each in leaves.values()]
    assert all(game.is_terminal(leaf) and not game.actions(leaf) for leaf in leaves)
    assert game.succs["C"] == {"c1": "C1", "c2": "C2", "c3": "C3"}
    assert game.play_game(alpha_beta_player, minmax_player) == 3


def test_what_is_no_node_or_no_move_is_refused():
    game = Fig52Game()
    for state in ("E", "B4", "", 3):
        with pytest.raises(ValueError, match=f"no state is called {state!r}: A, B, C, D, B1"):
            game.actions(state)
    with pytest.raises(IllegalMove, match="'b1' is not a legal move; legal: a1, a2, a3"):
        game.result("A", "b1")
    with pytest.raises(ValueError, match="'A' is no leaf"):
        game.utility("A", "MAX")
    with pytest.raises(ValueError, match="they are 'MAX' and 'MIN'"):
        game.utility("B1", "X")


def test_the_extended_tree_has_the_values_that_are_set():
    game, dice = Fig52Extended(), random.Random(3)
    assert game.actions(4) == ["l", "m", "r"]
    assert [game.result(4, move) for move in "lmr"] == [13, 14, 15]
    assert [game.to_move(node) for node in (0, 1, 3, 4, 12)] == ["MAX", "MIN", "MIN", "MAX", "MAX"]
    for _ in range(20):
        game.utils = {leaf: dice.randint(1, 50) for leaf in range(13, 40)}
        third = [max(game.utils[3 * node + i] for i in (1, 2, 3)) for node in range(4, 13)]
        second = [min(third[i : i + 3]) for i in (0, 3, 6)]
        assert alpha_beta_search(0, game) == minmax_decision(0, game)
        assert minmax_decision(0, game) == "lmr"[second.index(max(second))]
    with pytest.raises(ValueError, match="no state is called 40: they are 0 to 39"):
        game.actions(40)


# ---- boards


@pytest.mark.parametrize("make", [TicTacToe, lambda: TicTacToe(4, 3, 3), ConnectFour])
def test_whole_games_go_as_the_rules_say(make):
    game = make()
    for seed in range(8):
        dice, state, moves = random.Random(seed), game.initial, []
        while not game.terminal_test(state):
            position = state.position
            assert not position.is_terminal()
            squares = {aima.BoardState(position).spell(a) for a in position.legal_actions()}
            assert {(column - 1, row - 1) for row, column in game.actions(state)} == squares
            typed = GameState(state.to_move, state.utility, dict(state.board), [])
            assert game.position_of(typed) == position
            assert game.actions(typed) == state.moves
            move = dice.choice(state.moves)
            moves.append(move)
            state = game.result(state, move)
            assert state.board[move] == "XO"[len(moves) % 2 - 1]
        assert state.position.is_terminal()
        assert game.utility(state, "X") == state.utility == state.position.utility(0)
        assert game.utility(state, "O") == -state.utility
        assert pickle.loads(pickle.dumps(state)) == copy.deepcopy(state) == state


def test_squares_are_rows_and_columns_from_1(capsys):
    game = ConnectFour()
    assert (game.h, game.v, game.k) == (7, 6, 4)
    assert game.actions(game.initial) == [(7, column) for column in range(1, 7)]
    state = game.result(game.result(game.initial, (7, 2)), (6, 2))
    assert state.board == {(7, 2): "X", (6, 2): "O"}
    game.display(state)
    assert capsys.readouterr().out.splitlines()[4:] == [". . . . . .", ". O . . . .", ". X . . . ."]
    assert (Gomoku().h, Gomoku().v, len(Gomoku().initial.moves)) == (15, 16, 240)


def test_states_are_tuples_that_may_be_written_by_hand():
    game = TicTacToe()
    board = {(1, 1): "X", (1, 2): "O", (1, 3): "X", (2, 1): "O", (2, 3): "O", (3, 1): "X"}
    state = GameState(to_move="X", utility="0", board=board, moves=[(2, 2), (3, 2), (3, 3)])
    to_move, _, same, moves = state
    assert (to_move, same, moves) == ("X", board, [(2, 2), (3, 2), (3, 3)])
    assert alpha_beta_player(game, state) == (2, 2)
    assert random_player(game, state) in moves
    after = game.result(state, (2, 2))
    assert (after.utility, game.terminal_test(after), after.moves) == (1, True, [])
    assert game.actions(after._replace(utility=0, board=board)) == moves  # found anew
    assert agents.make("alpha_beta()").act(after.position._replace(ply=0, own=0, opp=0)) >= 0


def test_one_side_may_have_any_number_of_stones():
    state = GameState("X", 0, {(1, 1): "X", (2, 2): "O", (3, 1): "O"}, [])
    game = TicTacToe()
    assert alpha_beta_search(state, game) == monte_carlo_tree_search(state, game, 400) == (1, 3)
    full = game.play_game(alpha_beta_player, alpha_beta_player)
    assert full == 0
    while not game.terminal_test(state):
        state = game.result(state, game.actions(state)[0])
    assert state.utility in (1, -1) or len(state.board) == 9


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (GameState("X", 0, {(0, 1): "X"}, []), r"no square is \(0, 1\): they go from \(1, 1\)"),
        (GameState("X", 0, {(1, 4): "X"}, []), r"no square is \(1, 4\): .* to \(3, 3\)"),
        (GameState("X", 0, {(1, 1): "Z"}, []), "stones are 'X' and 'O', not 'Z'"),
        (GameState("X", 0, {"b2": "X"}, []), "no square is 'b2'"),
        (GameState("Z", 0, {}, []), "'X' or 'O' is to move, not 'Z'"),
    ],
)
def test_a_board_that_cannot_be_is_refused(state, message):
    with pytest.raises(ValueError, match=message):
        TicTacToe().actions(state)
    with pytest.raises(ValueError, match=message):
        alpha_beta_search(state, TicTacToe())


def test_what_is_no_state_is_refused():
    for state in ("A", None, TicTacToe()):
        with pytest.raises(TypeError, match="a state of this game is a GameState, not"):
            TicTacToe().actions(state)
    own = namedtuple("Mine", "to_move, utility, board, moves")
    state = own("O", 0, {(1, 1): "X"}, [])
    assert len(TicTacToe().actions(state)) == 8
    assert TicTacToe().result(state, (2, 2)).board == {(1, 1): "X", (2, 2): "O"}
    assert repr(TicTacToe()) == repr(aima.TicTacToe()) == "<TicTacToe>"


def test_what_is_not_legal_is_refused():
    game = TicTacToe()
    for move in ((0, 0), (4, 1), "b2", None, (1, 1, 1)):
        with pytest.raises(IllegalMove, match=r"not a legal move; legal: \(1, 1\), \(1, 2\)"):
            game.result(game.initial, move)
    with pytest.raises(ValueError, match="they are 'X' and 'O'"):
        game.utility(game.initial, "MAX")


def test_what_a_subclass_defines_is_asked():
    class Misere(TicTacToe):
        def compute_utility(self, board, move, player):
            return -super().compute_utility(board, move, player)

    class RowsOnly(TicTacToe):
        def k_in_row(self, board, move, player, delta_x_y):
            return delta_x_y == (0, 1) and super().k_in_row(board, move, player, delta_x_y)

    row = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]
    column = [(column, row) for row, column in row]
    worth = [[0, 0], [0, 0], [0, 0]]
    for number, cls in enumerate((TicTacToe, Misere, RowsOnly)):
        for which, moves in enumerate((row, column)):
            game = cls()
            state = game.initial
            for move in moves:
                state = game.result(state, move)
            worth[number][which] = state.utility
    assert worth == [[1, 1], [-1, -1], [1, 0]]


def test_the_order_of_arguments_is_that_of_games_py():
    game = Fig52Game()
    searches = (minmax_decision, alpha_beta_search, alpha_beta_cutoff_search)
    for search in (*searches, expect_minmax, monte_carlo_tree_search):
        with pytest.raises(TypeError, match=r"the arguments are \(state, game\)"):
            search(game, "A")


def test_all_names_are_here(capsys, monkeypatch):
    assert len(set(games_py.__all__)) == len(games_py.__all__)
    assert set(aima.__all__) < set(games_py.__all__)
    assert all(hasattr(games_py, name) for name in games_py.__all__)
    assert (games_py.random, games_py.copy) == (random, copy)
    assert games_py.np.inf == games_py.infinity == float("inf")
    assert games_py.expect_min_max_player is expect_minmax_player
    pig = games_py.Pig(10)
    assert expect_minmax(pig.initial, pig) == "roll"
    with pytest.raises(AttributeError, match="no attribute 'Shogi'"):
        _ = games_py.Shogi
    monkeypatch.setattr("builtins.input", lambda prompt: "2 2")
    assert query_player(TicTacToe(), TicTacToe().initial) == (2, 2)
    assert "(1, 1)" in capsys.readouterr().out
    assert alpha_beta_cutoff_search("A", Fig52Game(), eval_fn=len) == "a1"


# ---- notebooks and tests of aima-python

OURS = [
    ("from games import *", ""),
    (
        "fig = Fig52Game()\nprint(fig.actions('D'), fig.result('D', 'd2'))",
        "['d1', 'd2', 'd3'] D2\n",
    ),
    ("minmax_decision('D', fig)", "'d3'"),
    ("fig.play_game(query_player, alpha_beta_player)", "Your move? a2\n"),
    ("def stones(state): return len(state.board)", ""),
    ("ttt = TicTacToe()\nttt.display(ttt.initial)", ". . . \n. . . \n. . . \n"),
    ("%psource TicTacToe", ""),
    ("print(alpha_beta_cutoff_search(ttt.initial, ttt, d=1, eval_fn=stones))", "(1, 1)\n"),
    ("print(no_such_name)", ""),
]
"""Cells as those of the textbook's notebook, and what is stored as their output."""

A_TEST = """
from games import *

random.seed(1)

def test_of_x():
    assert TicTacToe().play_game(alpha_beta_player, random_player) >= 0

def test_that_fails():
    assert alpha_beta_search('A', Fig52Game()) == 'a2', 'not a2'
"""

THEIRS = "class TicTacToe: pass\nimport random\n"
"""Stands for aima-python's own module."""


def runner(checkout, *options):
    """The lines that the script prints about a checkout, and its exit code."""
    command = [sys.executable, str(ROOT / "tests" / "textbook_notebook.py"), str(checkout)]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout.splitlines() or done.stderr.splitlines(), done.returncode


def test_the_runner_tells_what_runs(tmp_path, monkeypatch):
    pytest.importorskip("IPython")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    checkout = tmp_path / "checkout"
    (checkout / "tests").mkdir(parents=True)
    output = {"output_type": "stream"}
    cells = [
        {"cell_type": "code", "source": source, "outputs": [output | {"text": text}] * bool(text)}
        for source, text in OURS
    ]
    (checkout / "games.ipynb").write_text(json.dumps({"cells": cells}))
    (checkout / "games.py").write_text(THEIRS)
    (checkout / "tests" / "test_games.py").write_text(A_TEST)
    lines, code = runner(checkout)
    outcomes = [line.split(" | ")[-1].strip(" |") for line in lines[2:13]]
    assert outcomes == [
        "runs",
        *["runs, same output"] * 2,
        *["runs"] * 2,
        "runs, same output",
        "runs",
        "runs, same output",
        "fails with theirs, too: NameError: name 'no_such_name' is not defined",
        "runs",
        "fails with theirs, too: AssertionError: not a2",
    ]
    assert lines[16:] == [
        "| games.ipynb | 8 of 9 | 4 | 1 | 0 |",
        "| test_games.py | 1 of 2 | 0 | 1 | 0 |",
        "",
        "0 of 11 fail with our module only",
    ]
    assert code == 0
    (checkout / "games.py").write_text(
        THEIRS + "Fig52Game = str\ndef alpha_beta_search(*_): return 'a2'"
    )
    lines, code = runner(checkout)
    assert lines[12].endswith("| fails: AssertionError: not a2 |")
    assert (lines[-1], code) == ("1 of 11 fail with our module only", 1)


def test_the_runner_wants_a_checkout(tmp_path):
    lines, code = runner(tmp_path)
    assert lines[-1].endswith(
        "holds none of games.ipynb, games4e.ipynb, test_games.py, test_games4e.py"
    )
    assert code == 1


@pytest.mark.skipif("AIMA_PYTHON" not in os.environ, reason="AIMA_PYTHON names no aima-python")
def test_the_notebooks_and_tests_of_a_checkout(tmp_path, monkeypatch):
    pytest.importorskip("IPython")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    lines, code = runner(os.environ["AIMA_PYTHON"])
    assert code == 0, "\n".join(lines)
    assert any("same output" in line for line in lines)
