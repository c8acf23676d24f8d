"""Other names of cells and pieces: the same game, which is read in its new names only."""

import copy
import pickle
import random

import pytest

from adv_envs import GAMES, Board, Chess, Kalah, Position, TicTacToe, start_position, text_env
from adv_envs.testing import check_reading
from adv_envs.text import read_reply, rules_text, write_board
from adv_envs.text.renaming import Renaming, draw_renaming, renamed, renaming_of, why_not_renamed

pytestmark = pytest.mark.plain

NAMED = [
    start_position(name, **parameters)
    for name, parameters in (
        ("tic_tac_toe", {}), ("connect_four", {}), ("hex", {"size": 5, "swap": True}),
        ("gomoku", {"height": 7, "width": 7}), ("othello", {"size": 6}), ("breakthrough", {}),
        ("domineering", {}), ("amazons", {"size": 6}), ("go", {"size": 5}),
        ("ultimate_tic_tac_toe", {}), ("clobber", {}),
        ("havannah", {"size": 4, "swap": True}), ("y", {"size": 6}),
    )
]  # fmt: skip


def test_which_games_can_be_renamed() -> None:
    able = {name for name in GAMES if not why_not_renamed(start_position(name))}
    assert able == {
        "tic_tac_toe", "connect_four", "hex", "gomoku", "othello", "breakthrough", "domineering",
        "amazons", "go", "ultimate_tic_tac_toe", "clobber",
        "havannah", "y",
    }  # fmt: skip
    assert able == {start.__class__.__module__.split(".")[-1] for start in NAMED}
    with pytest.raises(ValueError, match="the cells of kalah cannot be renamed: only games whose"):
        draw_renaming(Kalah(), random.Random(1))
    with pytest.raises(ValueError, match="a board of 15 columns is too wide"):
        draw_renaming(start_position("gomoku"), random.Random(1))


@pytest.mark.parametrize("start", NAMED, ids=lambda start: type(start).__name__)
def test_only_names_change(start: Board) -> None:
    rng = random.Random(1)
    renaming = draw_renaming(start, rng)
    plain, other = start, renamed(start, renaming)
    assert other.start() == other
    for _ in range(12):
        assert renaming_of(other) == renaming
        assert tuple(other) == tuple(plain)
        assert pickle.loads(pickle.dumps(other)) == copy.deepcopy(other) == other
        legal = plain.legal_actions()
        assert other.legal_actions() == legal
        names = {other.name(action) for action in legal}
        assert len(names) == len(legal)
        assert not {n for n in names if n.isalnum() and not n.isalpha()} & set(
            map(plain.name, legal)
        )
        assert [other.action(other.name(action)) for action in legal] == legal
        shown = [[renaming.symbols.find(c) for c in row] for row in other.rows()]
        assert shown == [[plain.symbols.find(c) for c in row] for row in plain.rows()]
        assert not any(symbol in "".join(map("".join, other.rows())) for symbol in plain.symbols)
        for label in (*renaming.columns, *renaming.rows):
            assert label in str(other).split()
        action = rng.choice(legal)
        plain, other = plain.play(action), other.play(action)
        if plain.is_terminal():
            break
    assert other.is_terminal() == plain.is_terminal()


@pytest.mark.parametrize("start", NAMED, ids=lambda start: type(start).__name__)
def test_replies_are_read_in_the_new_names(start: Board) -> None:
    other = renamed(start, draw_renaming(start, random.Random(2)))
    check_reading(other, replies=120)
    cells = [start.name(a) for a in start.legal_actions() if start.name(a)[-1:].isdigit()]
    for name in cells[:3]:
        assert read_reply(other, f"Final answer: {name}").outcome == "illegal"


@pytest.mark.parametrize("start", NAMED, ids=lambda start: type(start).__name__)
def test_no_form_of_boards_has_an_old_name(start: Board) -> None:
    rng = random.Random(4)
    for _ in range(8):
        renaming = draw_renaming(start, rng)
        plain = start.play(rng.choice(start.legal_actions()))
        assert isinstance(plain, Board)
        other = renamed(plain, renaming)
        rows = plain.rows()  # of which some may begin with places that are no cells
        places = [(row, i) for row in range(start.height) for i in range(len(rows[row]))]
        places = [(row, i) for row, i in places if rows[row][i] != " "]
        cells = {plain.cell_name(*place) for place in places}
        new = [other.cell_name(*place) for place in places]
        assert [name[0] for name in new] == [renaming.columns[i] for _, i in places]
        listed, texts = write_board(other, "cells"), (str(other), write_board(other, "json"))
        assert not set(new) - set(listed.split())
        assert len(listed.split()) == len(write_board(plain, "cells").split())
        assert not cells & set(" ".join([listed, *texts]).split())
        assert not set(renaming.columns) & set(plain.labels()[0])
        with pytest.raises(ValueError, match="no text that other programs read"):
            write_board(other, "standard")


def test_letters_that_a_board_has_are_no_new_names() -> None:
    with pytest.raises(ValueError, match="columns of this board are called a, b already"):
        renamed(TicTacToe(), Renaming(("b", "a", "x"), ("48", "57", "72"), "@+"))
    with pytest.raises(ValueError, match="columns of this board are called g already"):
        renamed(start_position("connect_four"), Renaming(tuple("uvwxyzg"), (), "@+"))


def test_a_game_is_played_in_the_new_names() -> None:
    start = start_position("hex", size=3)
    other = renamed(start, draw_renaming(start, random.Random(3)))
    env = text_env(other, opponent="alpha_beta", seat=0, grade="exact")
    messages = env.reset(seed=1)
    assert "**Names.**" in messages[0]["content"]
    terminated = False
    while not terminated:
        board = messages[-1]["content"].split("\n\n")[-2].splitlines()
        column, row = next(
            (column, line.split()[0])
            for line in board[1:]
            for column, cell in zip(board[0].split(), line.split()[1:], strict=True)
            if cell == "."
        )
        messages, _, terminated, _, info = env.step(f"Final answer: {column}{row}")
        assert info["legal"] == info["graded"] > 0


def test_the_rules_say_what_is_called_how() -> None:
    renaming = Renaming(("x", "z", "w"), ("48", "57", "72"), "@+")
    text = rules_text(renamed(TicTacToe(), renaming))
    assert text.startswith(TicTacToe().rules())
    paragraph = text.removeprefix(TicTacToe().rules())
    assert "a is called x, b is called z, c is called w" in paragraph
    assert "1 is called 48, 2 is called 57, 3 is called 72" in paragraph
    assert "`a1` is `x48`" in paragraph
    assert "X is called @, O is called +" in paragraph
    assert "Example" not in text
    board = renamed(TicTacToe().after("b2 a1"), renaming)
    assert str(board) == "   x z w\n48 + . .\n57 . @ .\n72 . . ."
    assert write_board(board, "cells").startswith("+ (player 1): x48\n@ (player 0): z57\nempty:")
    with pytest.raises(ValueError, match="no text that other programs read"):
        write_board(board, "standard")


@pytest.mark.parametrize(
    ("columns", "rows", "symbols"),
    [
        (("x", "x", "w"), ("48", "57", "72"), "@+"),
        (("x", "zz", "w"), ("48", "57", "72"), "@+"),
        (("x", "1", "w"), ("48", "57", "72"), "@+"),
        (("x", "z", "w"), ("4", "57", "72"), "@+"),
        (("x", "z", "w"), ("48", "57", "72"), "@"),
        (("x", "z", "w"), ("48", "57", "72"), "@."),
        (("x", "z", "w"), ("48", "57", "72"), "@@"),
        (("x", "z", "w"), ("48", "57", "72"), "x+"),
        (("x", "z", 3), ("48", "57", "72"), "@+"),
        (("x", "z", "w"), (48, 57, 72), "@+"),
        (("x", "z", "w"), ("48", "57", "72"), ["@", "+"]),
    ],
)
def test_unsound_names_are_refused(
    columns: tuple[str, ...], rows: tuple[str, ...], symbols: str
) -> None:
    with pytest.raises(ValueError, match="a renaming has a letter for each column"):
        Renaming(columns, rows, symbols)


def test_other_boards_are_refused() -> None:
    renaming = Renaming(("x", "z"), ("48", "57"), "@+")
    with pytest.raises(ValueError, match="has 3 columns and 3 rows here, not 2 and 2"):
        renamed(TicTacToe(), renaming)
    with pytest.raises(ValueError, match="the cells of chess cannot be renamed"):
        renamed(Chess(), renaming)
    three = Renaming(("x", "z", "w"), ("48", "57", "72"), "@+")
    with pytest.raises(ValueError, match="renamed already"):
        renamed(renamed(TicTacToe(), three), three)
    assert Renaming.from_dict(three.to_dict()) == three
    unmarked: Position = TicTacToe()
    assert renaming_of(unmarked) is None
