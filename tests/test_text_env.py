"""Tests games of messages: every game to its end, what is hidden, failures, seeds and copies."""

import copy
import itertools
import json
import pickle
import random
from typing import Any

import pytest
from hidden_games import STARTS, observed, random_game
from samples import SAMPLES

from adv_envs import (
    CHANCE,
    GAMES,
    Board,
    Chess,
    Go,
    Hex,
    Kuhn,
    Leduc,
    Position,
    TicTacToe,
    text_env,
)
from adv_envs.formats import pgn, sgf
from adv_envs.registry import name_of, start_position
from adv_envs.session import Session
from adv_envs.text import TextEnv, TextGame, read_json_board, write_board
from adv_envs.text.conversation import example_moves

pytestmark = pytest.mark.plain

STARTING: list[Position] = [start for samples in SAMPLES.values() for start in samples.small[:2]]


def text_of(messages: list[dict[str, str]]) -> str:
    return "\n".join(message["content"] for message in messages)


def play_on(game: TextGame, rng: random.Random, limit: int = 60) -> None:
    """Answers with random legal moves."""
    for _ in range(limit):
        if game.over:
            break
        view = game.session.position
        game.step(f"Final answer: {view.name(rng.choice(view.legal_actions()))}")


# ---- all games


@pytest.mark.parametrize("start", STARTING, ids=lambda start: repr(start)[:60])
def test_every_game_is_played_by_messages(start: Position) -> None:
    game, rng = text_env(start, seat="all", show_legal=True), random.Random(1)
    seat, messages = game.reset(seed=1)
    assert messages[0]["role"] == "system"
    assert seat is None or f"player {seat}" in messages[0]["content"]
    play_on(game, rng)
    for seat in range(start.num_players):
        assert game.info(seat)["illegal"] == game.info(seat)["unreadable"] == 0
        roles = [message["role"] for message in game.messages(seat)]
        assert roles[:2] in (["system", "user"], ["system"])
        assert all(one != two for one, two in itertools.pairwise(roles))
        if game.over:
            assert "The game is over." in game.messages(seat)[-1]["content"]
    if game.over:
        position = game.session.position
        assert game.utilities == [position.utility(p) for p in range(start.num_players)]


@pytest.mark.parametrize("start", STARTING, ids=lambda start: repr(start)[:60])
def test_one_seat_is_the_same_game_as_all_seats(start: Position) -> None:
    def first(position: Position) -> int:
        return position.legal_actions()[0]

    env, game = text_env(start, seat=0, opponent=first), text_env(start, seat="all")
    messages, over = env.reset(seed=5), env.game.over
    game.reset(seed=5)
    for _ in range(30):
        while game.seat not in (0, None):
            game.play(first(game.session.position))
        assert messages == game.messages(0)
        if over:
            break
        reply = f"I play {env.game.session.position.name(first(env.game.session.position))}."
        messages, reward, over, truncated, info = env.step(reply)
        game.step(reply)
        assert not truncated
        assert info["reading"].outcome == "legal"
        assert reward == (env.game.session.position.utility(0) if over else 0)


# ---- what is hidden


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
@pytest.mark.parametrize("board", ["grid", "json"])
def test_messages_are_a_function_of_what_was_observed(name, parameters, board):
    start = start_position(name, **parameters)
    told: dict[Any, Any] = {}
    repeated = 0
    for seed in range(60):
        actions = random_game(start, seed)
        for seat in range(start.num_players):
            game = text_env(start, seat="all", board=board, show_legal=True)
            game._begin(0)  # chance is played as in the actions
            for number, action in enumerate(actions[:9]):
                position = game.session.position
                if game.seat == seat and not game.over:
                    key = seat, observed(start, actions[:number], seat)
                    repeated += key in told
                    messages = game.messages(seat)
                    assert told.setdefault(key, messages) == messages
                    game.conversations[seat].reply(position.name(action))
                game.session.play(action)
                if game.session.position.is_terminal():
                    break
    assert repeated


@pytest.mark.parametrize("board", ["grid", "json"])
def test_the_card_of_another_player_is_never_told(board: str) -> None:
    told = []
    for other in ("J", "K"):
        game = TextGame(Kuhn().after(f"Q {other}"), board=board, show_legal=True)
        game.reset(seed=0)
        for reply in ("no", "Final answer: raise", "bet", "fold"):
            game.step(reply)
        assert game.over
        text = text_of(game.messages(0)[1:])
        assert other not in text
        if board == "json":
            line = next(line for line in text.split("\n") if line.startswith("{"))
            assert json.loads(line)["position"]["cards"] == 2
        told.append(text)
    assert told[0] == told[1]


def test_a_simultaneous_choice_is_not_told_before_the_other() -> None:
    texts = []
    for choice in ("rock", "paper", "scissors"):
        game = text_env("rock_paper_scissors", seat="all")
        game.reset(seed=0)
        _, messages = game.step(choice)
        texts.append(messages)
    assert texts[0] == texts[1] == texts[2]


# ---- replies that fail


def test_a_retry_says_what_was_wrong_and_lists_no_moves() -> None:
    env = text_env("tic_tac_toe", seat="first", opponent="random")
    env.reset(seed=0)
    said = []
    for reply in ("Final answer: z9", "I could play a1 or b2"):
        messages, reward, terminated, truncated, info = env.step(reply)
        assert (reward, terminated, truncated) == (0, False, False)
        said.append(messages[-1]["content"])
    assert said[0].startswith('"z9" is not a legal move here.')
    assert said[0].endswith("You have 2 tries left.")
    assert said[1].startswith('Your reply has several moves: "a1 or b2".')
    assert said[1].endswith("You have 1 try left.")
    assert "legal:" not in text_of(messages)
    messages, reward, terminated, truncated, info = env.step("What now?")
    assert (reward, terminated, truncated, info["failure"]) == (-1, True, False, "forfeit")
    assert (info["legal"], info["illegal"], info["unreadable"], info["failures"]) == (0, 1, 2, 1)
    assert "forfeited" in messages[-1]["content"]
    with pytest.raises(ValueError, match="no game is being played"):
        env.step("a1")


def test_failures_may_end_the_game_or_be_replaced_by_random_moves() -> None:
    env = text_env("tic_tac_toe", seat=0, retries=0, on_failure="end")
    env.reset(seed=0)
    messages, reward, terminated, truncated, info = env.step("?")
    assert (reward, terminated, truncated, info["failure"]) == (0, False, True, "end")
    assert "cut off" in messages[-1]["content"]
    env = text_env("tic_tac_toe", seat=0, retries=0, on_failure="random")
    replays = []
    for _ in range(2):
        env.reset(seed=3)
        for count in range(1, 9):
            messages, reward, terminated, truncated, info = env.step("?")
            assert info["failures"] == count
            if terminated:
                break
        replays.append((messages, reward))
    assert replays[0] == replays[1]
    assert "- you: " in text_of(messages)


# ---- options


def test_rewards_and_grades_are_what_was_asked_for() -> None:
    seen: list[Any] = []

    def reward(utility: float | None, info: dict[str, Any]) -> float:
        seen.append(utility)
        return info["legal"] + (utility or 0)

    env = text_env(
        TicTacToe(), seat=0, opponent=lambda p: p.legal_actions()[-1], reward=reward,
        grade=lambda position, action: position.name(action),
    )  # fmt: skip
    env.reset()
    grades, rewards = [], []
    for reply in ("a1", "b1", "c1"):
        _, value, *_, info = env.step(reply)
        grades.append(info["grade"])
        rewards.append(value)
    assert grades == ["a1", "b1", "c1"]
    assert rewards == [1, 2, 4]
    assert seen == [None, None, 1]


def test_only_remembered_turns_are_in_the_messages() -> None:
    for memory, turns in ((0, 1), (1, 2), (None, 4)):
        env = text_env("connect_four", seat=0, memory=memory)
        env.reset(seed=2)
        for reply in ("1", "2", "3"):
            messages, *_ = env.step(reply)
        assert sum(message["role"] == "user" for message in messages) == turns
        moves = env.game.session.text(0)
        assert (f"Moves so far: {moves}" in messages[-1]["content"]) == (memory is not None)


def test_legal_moves_are_listed_only_if_asked_for() -> None:
    for show_legal in (False, True):
        messages = text_env("pig", seat=0, show_legal=show_legal).reset(seed=0)
        assert ("Legal moves: roll" in text_of(messages)) == show_legal


def test_seeds_seats_copies_and_pickles() -> None:
    for game in ("backgammon", "leduc", "liars_dice", "pig"):
        env, again = text_env(game), text_env(game)
        assert env.reset(seed=9) == again.reset(seed=9)
        for _ in range(4):
            if env.game.over:
                break
            position = env.game.session.position
            reply = f"**{position.name(position.legal_actions()[0])}**"
            copies = [again, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            result = env.step(reply)
            assert all(copied.step(reply) == result for copied in copies)
    env = text_env("nim", seat="alternate")
    env.reset(seed=4)
    seats = [env.seat]
    for _ in range(3):
        env.reset()
        seats.append(env.seat)
    assert seats == [0, 1, 0, 1]


def test_where_the_game_ends_before_my_turn_the_first_step_ends_it() -> None:
    env = text_env(Kuhn().after("J Q bet"), seat=0, opponent=lambda position: 0)
    messages = env.reset(seed=0)
    assert "The game is over. Your result: +1." in messages[-1]["content"]
    assert env.step("bet")[1:4] == (1, True, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "picture"}, "board must be one of grid, cells, standard, json"),
        (
            {"board": "cells", "game": "chess"},
            "chess has no board of cells: .* grid, standard, json",
        ),
        (
            {"board": "cells"},
            "pig has no board of cells: .* must be one of grid, json, not 'cells'",
        ),
        ({"board": "standard", "game": "nim"}, "nim has no text .* must be one of grid, json, not"),
        ({"board": "standard"}, "pig has no text .* must be one of grid, json, not 'standard'"),
        ({"on_failure": "cry"}, "on_failure must be one of forfeit, random, end"),
        ({"retries": -1}, "retries must be 0 or more"),
        ({"memory": -1}, "memory must be 0 or more"),
        ({"reward": "points"}, "reward must be"),
        ({"seat": 2}, "seat must be one of"),
    ],
    ids=str,
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        text_env(**{"game": "pig"} | options)


def test_a_reply_whose_grade_fails_is_not_counted() -> None:
    def fails(seen: Position, action: int) -> float:
        return 1 / action

    game = text_env("tic_tac_toe", seat="all", grade=fails)
    game.reset()
    before = game.messages(), game.info(0)
    with pytest.raises(ZeroDivisionError):
        game.step("a1")
    assert (game.messages(), game.info(0)) == before
    game.step("a2")
    assert (game.info(0)["legal"], game.info(0)["grade"]) == (1, 1 / 3)


def test_the_info_of_a_seat_says_nothing_of_other_replies() -> None:
    """Where bids are made at once, what one player has answered would tell the other."""
    game = text_env("goofspiel", seat="all", grade=lambda seen, action: action)
    game.reset(seed=1)
    game.step("13")
    own, other = game.info(0), game.info(1)
    assert (own["action"], own["grade"], own["reading"].answer) == (12, 12, "13")
    assert (other["action"], other["grade"], other["reading"]) == (None, None, None)
    game.step("what?")
    assert game.info(1)["reading"].outcome == "unreadable"
    assert game.info(0) == own
    unlucky = text_env("goofspiel", seat="all", retries=0, on_failure="random")
    unlucky.reset(seed=1)
    unlucky.step("zz")
    assert [unlucky.info(seat)["failure"] for seat in (0, 1)] == ["random", None]


def test_answers_are_quoted_in_one_line_of_what_can_be_printed() -> None:
    game = text_env("tic_tac_toe", seat="all")
    game.reset()
    _, messages = game.step("Final answer: z\x1b[31m9\x00\u202e x")
    fault = messages[-1]["content"].partition(" is not a legal move here.")[0]
    assert fault == '"z[31m9 x"'
    _, messages = game.step("Final answer: " + "x" * 99)
    assert messages[-1]["content"].startswith(f'"{"x" * 40}" is not')


def test_a_finished_game_takes_no_reply() -> None:
    game = text_env("tic_tac_toe", seat="all")
    game.reset()
    for reply in ("a1", "b1", "a2", "b2", "a3"):
        game.step(reply)
    with pytest.raises(ValueError, match="the game is over"):
        game.step("c3")
    with pytest.raises(TypeError, match="a seed is an integer"):
        game.reset(seed="x")  # type: ignore[arg-type]
    for env in (TextEnv("pig"), TextGame("pig"), TextGame("backgammon")):
        with pytest.raises(ValueError, match=r"no game is being played: call reset\(\)"):
            env.step("roll")


# ---- boards


@pytest.mark.parametrize("start", STARTING, ids=lambda start: repr(start)[:60])
def test_boards_are_written_in_every_form_the_game_has(start: Position) -> None:
    for seed in range(3):
        session = Session(start)
        for action in random_game(start, seed)[:20]:
            session.play(action)
            for player in range(start.num_players):
                view = session.position.hidden(player)
                assert write_board(view, "grid") == str(view)
                assert has_cells(view) == isinstance(view, Board)
                if name_of(start) in GAMES:
                    assert read_json_board(write_board(view, "json")) == view
                if pgn.has_fen(start) or sgf.supports(start):
                    assert write_board(view, "standard", session)
                else:
                    with pytest.raises(ValueError, match="has no text that other programs read"):
                        write_board(view, "standard", session)


def has_cells(view: Position) -> bool:
    try:
        return write_board(view, "cells") != ""
    except ValueError:
        return False


def test_boards_of_other_programs_and_cells() -> None:
    assert write_board(Chess().after("e4"), "standard").startswith("rnbqkbnr/pppppppp/8/8/4P3")
    session = Session(Go(5), [12, 0])
    assert sgf.read(write_board(session.position, "standard", session)).actions == (12, 0)
    assert write_board(Hex(2).after("a1 b2"), "cells") == (
        "O (player 1): b2\nX (player 0): a1\nempty: b1 a2"
    )
    for text in (
        "",
        "[]",
        '{"game": "hex"}',
        '{"game": "hex", "position": {"size": 3}}',
        "[" * 999,
    ):
        with pytest.raises(ValueError, match="position"):
            read_json_board(text)


def test_examples_of_moves_are_those_of_the_first_turn() -> None:
    assert example_moves(Leduc(), 1) == ["call", "raise", "fold"]
    for start in STARTING:
        for seat in range(start.num_players):
            names = example_moves(start, seat)
            assert len(names) == len(set(names)) <= 3
            assert start.to_move in (seat, CHANCE, 1 - seat) or start.num_players > 2
