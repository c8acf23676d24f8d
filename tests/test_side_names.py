"""What people call the sides, the end of a game and its moves."""

import pytest

from adv_envs import GAMES, Backgammon, Chess, ConnectFour, Go, Kuhn, Pig, Position, TicTacToe
from adv_envs.games.checkers import Checkers
from adv_envs.games.gomoku import Gomoku
from adv_envs.games.lines_of_action import LinesOfAction
from adv_envs.games.nine_mens_morris import NineMensMorris
from adv_envs.registry import start_position
from adv_envs.text.rules import rules_text, with_side_names
from agents.web.game_states import GameState, moves

FIFTY = "7k/8/8/8/8/8/R7/K7 w - - 99 80"


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (Chess().after("f3 e5 g4 Qh4"), "Checkmate, Black wins"),
        (Chess.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "Draw by stalemate"),
        (Chess.from_fen("7k/8/8/8/8/8/8/K7 w - - 0 1"), "Draw: no mate is possible any more"),
        (Chess.from_fen(FIFTY).after("Ra3"), "Draw by the fifty-move rule"),
        (Chess().after("Nf3 Nf6 Ng1 Ng8 " * 2), "Draw by threefold repetition"),
        (Go(3, komi=0.5).after("b2 pass pass"), "Black wins by 8.5"),
        (ConnectFour().after("4142434"), "Red wins"),
        (TicTacToe().after("a1 b1 c1 b2 a2 c2 b3 a3 c3"), "Draw"),
        (Kuhn().after("Q K pass bet pass"), "Player 2 wins 1 chip"),
        (NineMensMorris(own=3, opp=56, own_left=0), "White has two men left, Black wins"),
        (LinesOfAction(own=1, opp=4, turn=1), "The men of both are joined, Black wins"),
        (Checkers(own=1 << 4, opp=1 << 33, kings=1 << 4, quiet=80), "Draw: 40 moves"),
    ],
)
def test_results(position: Position, said: str) -> None:
    assert position.is_terminal()
    assert position.result_text().startswith(said)


def test_whose_turn_it_is() -> None:
    assert Backgammon().turn_text() == "Each side rolls a die"
    assert Backgammon().after("31").turn_text() == "Black to move"
    assert Backgammon().after("31 8/5 6/5").turn_text() == "White to roll"
    assert Pig().after("roll").turn_text() == "Player 1 rolls"


def test_who_is_black_after_a_swap_is_open() -> None:
    assert Gomoku().side_names == ("Black", "White")
    assert Gomoku(swap2=True).side_names == ("Player 1", "Player 2")


def test_texts_for_people_name_the_sides() -> None:
    text = "Player 0 begins; player 1 and player 10 wait, and so do players 0 and 1."
    assert with_side_names(ConnectFour(), text) == (
        "Red begins; Yellow and player 10 wait, and so do players 0 and 1."
    )
    text = "Player 0, Red, begins, and Yellow,\nplayer 1, waits. Player 0 is Red, player 1 Yellow."
    assert with_side_names(ConnectFour(), text) == (
        "Red begins, and Yellow waits. Player 0 is Red, player 1 Yellow."
    )


@pytest.mark.parametrize("name", GAMES)
def test_boards_for_people_number_no_side(name: str) -> None:
    """Also where a line has nothing but the player's name, and the next one begins with another."""
    start = start_position(name)
    assert "player 0" not in with_side_names(start, str(start))


@pytest.mark.parametrize("name", GAMES)
def test_rules_for_people_name_no_side_twice(name: str) -> None:
    start = start_position(name)
    words = with_side_names(start, rules_text(start)).partition("**Example.**")[0]
    for side in start.side_names:
        assert f"{side}, {side}" not in words
        assert f"{side} is {side}" not in words


@pytest.mark.parametrize("name", GAMES)
def test_no_side_is_named_twice(name: str) -> None:
    position = start_position(name)
    text = with_side_names(position, position.rules())
    assert not [side for side in position.side_names if f"{side}, {side}," in text]


@pytest.mark.parametrize("name", GAMES)
def test_short_names_are_read_back(name: str) -> None:
    position = start_position(name)
    for action in position.legal_actions():
        assert position.action(position.short_name(action)) == action


def test_moves_of_chess_are_short_and_throws_belong_to_turns() -> None:
    chess, pig, backgammon = Chess(), Pig(), Backgammon()
    played = GameState(chess, [chess.action("g1f3")])
    assert moves(played) == [{"name": "Nf3", "player": 0}]
    rolled = GameState(pig, [0, 3, 0])
    assert [move.get("goes_on", False) for move in moves(rolled)] == [False, True, False]
    line = [backgammon.action("31")]
    for name in ("8/5", "6/5", "52"):
        line.append(backgammon.after(line).action(name))
    assert not any("goes_on" in move for move in moves(GameState(backgammon, line)))
