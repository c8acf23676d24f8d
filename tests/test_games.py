"""What is particular to each game: its parameters, its text, positions known by hand."""

import itertools
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import SAMPLES

from adv_envs import (
    Amazons,
    AnimalShogi,
    Breakthrough,
    Chess,
    Clobber,
    ConnectFour,
    Domineering,
    Fig52,
    GameOfY,
    Gomoku,
    Goofspiel,
    Havannah,
    Hex,
    IllegalMove,
    Kalah,
    Kuhn,
    LinesOfAction,
    MiniChess,
    Nim,
    NineMensMorris,
    Othello,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
    UltimateTicTacToe,
    reachable,
)
from adv_envs.notation import read_line, write_line

START: dict[type[Position], dict[str, int]] = {
    TicTacToe: {"height": 3, "width": 3, "k": 3},
    ConnectFour: {"height": 6, "width": 7, "k": 4},
    Hex: {"size": 11, "swap": False},
    ThirtyOne: {"limit": 31, "copies": 4, "highest": 6, "num_players": 2},
    Pig: {"target": 100, "faces": 6},
}
EVERY_PARAMETER = [(game, name) for game, names in START.items() for name in names]
GAMES: list[Position] = [*(game() for game in START), Fig52(), Tree({"a": {"b": 1}, "c": 2})]


def named(value: Any) -> str | None:
    return value.__name__ if isinstance(value, type) else None


# ---- parameters


def test_defaults_are_what_the_books_play() -> None:
    for game, parameters in START.items():
        assert game.parameters == tuple(parameters)
        assert game() == game(**parameters)
        for name, value in parameters.items():
            assert getattr(game(), name) == value


RANGES: dict[Any, dict[str, tuple[int, int]]] = {
    TicTacToe: {"height": (1, 31), "width": (1, 62), "k": (1, 3)},
    ConnectFour: {"height": (1, 62), "width": (1, 31), "k": (1, 7)},
    Hex: {"size": (2, 19)},
    ThirtyOne: {
        **{"limit": (1, 10_000), "copies": (1, 10_000)},
        **{"highest": (1, 63), "num_players": (2, 16)},
    },
    Pig: {"target": (1, 10_000), "faces": (2, 100)},
}


@pytest.mark.parametrize("game", RANGES, ids=named)
def test_parameters_out_of_range(game: Any) -> None:
    for name, (least, most) in RANGES[game].items():
        for value in (least - 1, -3, most + 1, 10**30):
            says = f"{name} must be {least} to {most}, not {value}"
            with pytest.raises(ValueError, match=says):
                game(**{name: value})


@pytest.mark.parametrize(
    ("game", "parameters", "allowed"),
    [
        (TicTacToe, {"height": 8, "width": 7}, "8 x 7 is too large: height * (width + 1) must"),
        (TicTacToe, {"height": 2, "width": 5, "k": 6}, "k must be 1 to 5, not 6"),
        (ConnectFour, {"height": 8, "width": 8}, "8 x 8 is too large: (height + 1) * width must"),
        (Hex, {"swap": 2}, "swap must be True or False, not 2"),
        (ThirtyOne, {"highest": 32, "copies": 2}, "need 64 bits: at most 63 are allowed"),
    ],
    ids=named,
)
def test_parameters_that_do_not_fit(game: Any, parameters: dict[str, int], allowed: str) -> None:
    with pytest.raises(ValueError, match=re.escape(allowed)):
        game(**parameters)


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        (TicTacToe, {"height": 31, "width": 1, "k": 31}),
        (TicTacToe, {"height": 1, "width": 62, "k": 62}),
        (TicTacToe, {"height": 7, "width": 8, "k": 8}),
        (ConnectFour, {"height": 62, "width": 1, "k": 62}),
        (ConnectFour, {"height": 1, "width": 31, "k": 31}),
        (ConnectFour, {"height": 8, "width": 7}),
        (Hex, {"size": 2}),
        (Hex, {"size": 19, "swap": True}),
        (ThirtyOne, {"limit": 10_000, "copies": 10_000, "highest": 4}),
        (ThirtyOne, {"limit": 99, "highest": 63, "copies": 1, "num_players": 16}),
        (ThirtyOne, {"limit": 1, "copies": 1, "highest": 1}),
    ],
    ids=named,
)
def test_parameters_at_the_limits(game: type[Position], parameters: dict[str, int]) -> None:
    position = game(**parameters)
    legal = range(position.num_actions - parameters.get("swap", 0))
    assert position.legal_actions() == [*legal]
    while not position.is_terminal():
        position = position.play(position.legal_actions()[-1])
        position.check()
    assert position.utility(0) in (-1, 0, 1, 1 / (position.num_players - 1))


@pytest.mark.parametrize(("game", "name"), EVERY_PARAMETER, ids=named)
def test_parameters_are_integers_of_any_kind(game: type[Position], name: str) -> None:
    for value in ("3", 3.0, None, [3], np.float64(3), 3j):
        with pytest.raises(TypeError, match=f"{name} must be"):
            game(**{name: value})
    for value in (True, np.True_):
        if name == "swap":
            assert game(**{name: value}).swap is not game(**{name: not value}).swap is False
            continue
        with pytest.raises(TypeError, match=f"{name} must be an integer, not "):
            game(**{name: value})
    for kind in (np.int8, np.int32, np.int64, np.uint8, np.uint64):
        given = game(**{name: kind(START[game][name])})
        assert given == game()
        assert {type(value) for value in given} <= {int, bool}


@pytest.mark.parametrize("game", START, ids=named)
def test_unknown_fields(game: type[Position]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'rows'"):
        game(rows=3)
    with pytest.raises(TypeError, match="positional arguments"):
        game(*game(), 0)


# ---- values


@pytest.mark.parametrize("position", GAMES, ids=lambda p: type(p).__name__)
def test_positions_cannot_be_changed(position: Position) -> None:
    before = hash(position)
    for name in (*position._fields, "num_actions", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
    with pytest.raises(TypeError):
        position[0] = 1  # type: ignore[index]
    assert not hasattr(position, "__dict__")
    assert hash(position) == before
    assert position in {position: 1}
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(position, protocol))
        assert (other, type(other), hash(other)) == (position, type(position), before)


def test_different_moves_to_the_same_position() -> None:
    assert TicTacToe().after("a1 b2 c3") == TicTacToe().after("c3 b2 a1")
    assert len({ConnectFour().after(line) for line in ("1234", "3412", "3214")}) == 1
    assert Hex(3).after("a1 b1 c1") != Hex(3).after("b1 a1 c1")
    assert ThirtyOne().after("1 2 3") == ThirtyOne().after("321")


def test_another_class_is_another_game() -> None:
    """Boards that hold the same numbers are not the same position, nor are they mere tuples."""
    tic, four = TicTacToe(3, 3, 3), ConnectFour(3, 3, 3)
    assert tuple(tic) == tuple(four)
    assert tic != four
    assert not tic == four  # noqa: SIM201
    assert four not in {tic: 1}
    assert len({tic, four}) == 2
    assert tic != tuple(tic)


def test_repr_shows_every_field() -> None:
    position = ConnectFour().after("4455")
    fields = dict(part.split("=") for part in repr(position)[12:-1].split(", "))
    assert ConnectFour(**{name: int(value) for name, value in fields.items()}) == position


# ---- positions that cannot be


TOP, MIDDLE, BOTTOM = 0b111, 0b111 << 4, 0b111 << 8


@pytest.mark.parametrize(
    ("game", "fields"),
    [
        (TicTacToe, {"own": 1}),
        (TicTacToe, {"opp": 1}),
        (TicTacToe, {"ply": 1}),
        (TicTacToe, {"own": 1, "ply": 1}),
        (TicTacToe, {"own": 1, "opp": 1, "ply": 2}),
        (TicTacToe, {"opp": 8, "ply": 1}),  # beyond the end of a row
        (TicTacToe, {"opp": 1 << 11, "ply": 1}),
        (TicTacToe, {"opp": 1 << 63, "ply": 1}),
        (TicTacToe, {"own": -1, "opp": -1}),
        (TicTacToe, {"opp": 1, "ply": -1}),
        (TicTacToe, {"own": TOP, "opp": MIDDLE, "ply": 6}),  # both have won
        (TicTacToe, {"own": TOP, "opp": 0b110011 << 4, "ply": 7}),  # after they lost
        (ConnectFour, {"opp": 2, "ply": 1}),  # a stone in the air
        (ConnectFour, {"opp": 1 << 6, "ply": 1}),  # on top of a column
        (ConnectFour, {"opp": 1 << 49, "ply": 1}),
        (ConnectFour, {"own": 0b1111, "opp": 0b1111 << 7, "ply": 8}),
        (Hex, {"opp": 1, "ply": 1}),  # joined, but not told so
        (Hex, {"opp": 1, "opp_joined": 1}),
        (Hex, {"opp": 1, "opp_joined": 1, "ply": 1, "won": True}),
        (Hex, {"opp": 1 << 11, "ply": 1}),  # beyond the end of a row
        (Hex, {"own_joined": 1}),
        (Hex, {"size": 3, "opp": 1 << 5, "ply": 3}),
        (Hex, {"size": 3, "swap": True, "opp": 1 << 5, "ply": 3}),
        (Hex, {"size": 2, "own": 0b1001, "own_joined": 0b1001, "opp": 0b10010, "ply": 4}),
        (ThirtyOne, {"total": 1}),
        (ThirtyOne, {"taken": 1}),
        (ThirtyOne, {"taken": 1, "total": 1}),
        (ThirtyOne, {"taken": 1, "ply": 1}),
        (ThirtyOne, {"taken": 5, "total": 5, "ply": 5}),  # five of four tokens
        (ThirtyOne, {"taken": 1 << 18, "total": 7, "ply": 1}),  # a token of 7
        (ThirtyOne, {"taken": -1, "total": 0, "ply": 0}),
        (ThirtyOne, {"limit": 5, "taken": 1 << 15, "total": 6, "ply": 1}),
        (Fig52, {"node": 13}),
        (Fig52, {"node": -1}),
        (Fig52, {"node": 1}),  # at ply 0
        (Fig52, {"node": 1, "ply": 3}),  # the same player's turn, but not as deep
    ],
    ids=named,
)
def test_impossible_positions(game: type[Position], fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must|cannot|fit"):
        game(**fields)


def test_possible_positions_by_keyword() -> None:
    """As well as those of TicTacToe(), Hex() and others that no game leads to."""
    for position in (
        ConnectFour().after("4455"),
        TicTacToe().after("a2 a1 b2 b1 c2"),
        Hex(3, swap=True).after("b1 swap"),
        ThirtyOne().after("6"),
        Fig52().after("a2"),
    ):
        assert type(position)(**position._asdict()) == position
    assert TicTacToe(own=TOP & 3, opp=MIDDLE, ply=5) == TicTacToe().after("a2 a1 b2 b1 c2")
    assert Fig52(node=5, ply=1) == Fig52().after("a2")
    assert Hex(3, opp=1 << 5, ply=2).to_move == 0  # a puzzle


# ---- text


@pytest.mark.parametrize(
    ("position", "names"),
    [
        (TicTacToe(), ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]),
        (TicTacToe(2, 4, 2), ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"]),
        (ConnectFour(), ["1", "2", "3", "4", "5", "6", "7"]),
        (Hex(2), ["a1", "b1", "a2", "b2"]),
        (ThirtyOne(), ["1", "2", "3", "4", "5", "6"]),
        (Fig52(), ["a1", "a2", "a3"]),
        (Fig52().play(1), ["c1", "c2", "c3"]),
        (Tree({"Left": 1, "Right": 0}), ["Left", "Right"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_names(position: Position, names: list[str]) -> None:
    assert [position.name(action) for action in position.legal_actions()] == names
    for action, name in enumerate(names):
        for spelt in (name, name.upper(), name.lower(), f"  {name}\n"):
            assert position.action(spelt) == action


def test_names_of_wide_boards() -> None:
    position = TicTacToe(1, 62, 3)
    assert [position.name(action) for action in (0, 25, 26, 51, 52, 61)] == [
        "a1", "z1", "aa1", "az1", "ba1", "bj1",
    ]  # fmt: skip
    assert Hex(19).name(360) == "s19"
    assert Hex(5, swap=True).name(25) == "swap"


@pytest.mark.parametrize("name", ["b2", "a4", "d1", "", "1", "a", "a1 b1", "swap", "0", "-1"])
def test_a_name_that_is_no_move(name: str) -> None:
    position = TicTacToe().after("b2")
    says = f"'{name}' is not a legal move; legal: a1, b1, c1, a2, c2"
    with pytest.raises(IllegalMove, match=says):
        position.action(name)


def test_no_name_is_a_move_of_a_finished_game() -> None:
    over = TicTacToe().after("a1 a2 b1 b2 c1")
    with pytest.raises(IllegalMove, match="'c3' is not a legal move; the game is over"):
        over.action("c3")
    assert over.legal_actions() == []
    assert issubclass(IllegalMove, ValueError)


@pytest.mark.parametrize(
    "moves",
    [
        "b2 a1 c3", "B2 A1 C3", "b2,a1,c3", " b2,  a1\nc3 ", ["b2", "a1", "c3"],
        "1. b2 a1 2. c3", "1.b2 1...a1 2.c3",
        [4, 0, 8], [4, "A1", 8], (np.int64(4), np.int8(0), "c3"), iter([4, 0, 8]),
    ],
    ids=lambda moves: "iterator" if hasattr(moves, "__next__") else str(moves),
)  # fmt: skip
def test_lines_of_play(moves: Any) -> None:
    position = TicTacToe()
    for action in (4, 0, 8):
        position = position.play(action)
    assert TicTacToe().after(moves) == position
    for nothing in ("", "  ", [], ()):
        assert position.after(nothing) == position


@pytest.mark.parametrize(
    ("moves", "error", "says"),
    [
        ("a1 a1", IllegalMove, "move 2, 'a1', is not legal; legal: b1, c1, a2"),
        ("a1 x", IllegalMove, "move 2, 'x', is not legal"),
        ("a1b2", IllegalMove, "move 1, 'a1b2', is not legal; legal: a1, b1"),
        (["a1 b2"], IllegalMove, "move 1, 'a1 b2', is not legal"),
        (["a1", ""], IllegalMove, "move 2, '', is not legal"),
        ([0, 0], IllegalMove, "move 2, 'action 0', is not legal"),
        ([9], IllegalMove, "move 1, 'action 9', is not legal"),
        (["1."], IllegalMove, "move 1, '1.', is not legal"),
        ([-1], IllegalMove, "move 1, 'action -1', is not legal"),
        ("a1 a2 b1 b2 c1 c2", IllegalMove, "move 6, 'c2', is not legal; the game is over"),
        ([4, 0.5], TypeError, "move 2 must be an action or its name, not 0.5"),
        ([None], TypeError, "move 1 must be an action or its name, not None"),
    ],
    ids=str,
)
def test_lines_with_a_wrong_move(moves: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=re.escape(says)):
        TicTacToe().after(moves)


RUN_TOGETHER = {"a": {"b": {"c": 1}, "bc": 2}, "x": {"c": 0}}


@pytest.mark.parametrize(
    ("position", "line", "actions"),
    [
        (ConnectFour(), "4455", [3, 3, 4, 4]),
        (TicTacToe(), "a1 b2 c3", [0, 4, 8]),
        (Hex(11), "f6 a11 k1", [60, 110, 10]),
        (Hex(5, swap=True), "c1 swap a1", [2, 25, 0]),
        (ThirtyOne(), "56", [4, 5]),
        (Fig52(), "a3 d2", [2, 1]),
        (ConnectFour(4, 12, 4), "11 1 10", [10, 0, 9]),
        (ConnectFour(4, 12, 4), "1 1", [0, 0]),
        (ConnectFour(4, 12, 4), "11", [10]),
        (ConnectFour(4, 12, 4), "1 11", [0, 10]),
        (ConnectFour(4, 12, 4), "11 1", [10, 0]),
        (Hex(12), "a1 a11 a12", [0, 120, 132]),
        (Tree(RUN_TOGETHER), "a b c", [0, 0, 0]),
        (Tree(RUN_TOGETHER), "a bc", [0, 1]),
        (Tree(RUN_TOGETHER), "xc", [1, 0]),
        (ConnectFour(), "", []),
    ],
)
def test_lines_both_ways(position: Position, line: str, actions: list[int]) -> None:
    assert write_line(position, actions) == line
    assert read_line(position, line) == actions


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.data())
def test_any_line_of_play_is_read_back(data: st.DataObject) -> None:
    start = data.draw(
        st.sampled_from([TicTacToe(4, 4, 3), ConnectFour(5, 9, 4), Hex(4, swap=True), Fig52()])
    )
    position, actions = start, []
    for _ in range(data.draw(st.integers(0, 12))):
        if position.is_terminal():
            break
        actions.append(data.draw(st.sampled_from(position.legal_actions())))
        position = position.play(actions[-1])
    line = write_line(start, actions)
    assert start.after(line) == start.after(line.upper()) == start.after(actions) == position


@pytest.mark.plain
@pytest.mark.parametrize(
    ("start", "before", "token"),
    [
        (Goofspiel(13, -1), "11 5", "11"),
        (ConnectFour(4, 12, 4), "11 11 11 11", "11"),
        (ConnectFour(4, 12, 4), "10 10 10 10", "10"),
        (ConnectFour(), "4", "45"),
        (ConnectFour(), "4", "44444"),
        (TicTacToe(), "b2", "a1c3"),
        (Chess(), "e4", "e5Nf3"),
        (Chess(), "e2e4", "e7e5g1f3"),
    ],
)
def test_a_word_is_one_move_or_an_error(start: Position, before: str, token: str) -> None:
    position = start.after(before)
    with pytest.raises(IllegalMove, match=re.escape(f"{token!r} is not a legal move")):
        position.action(token)
    words = before.split()
    for line in ([*words, token], f"{before} {token}", f"{before}, {token}"):
        with pytest.raises(IllegalMove, match=f"move {len(words) + 1}, '{token}', is not legal"):
            start.after(line)
    alone = [token] if isinstance(start, ConnectFour) and start.width < 10 else token
    with pytest.raises(IllegalMove, match=f"move 1, '{token}', is not legal"):
        position.after(alone)


@pytest.mark.plain
def test_moves_that_run_together_are_counted_as_the_user_counts() -> None:
    for line, says in (
        ("4444444", "move 7, '4', is not legal; legal: 1, 2, 3, 5, 6, 7"),
        ("44444444", "move 7, '4', is not legal; legal: 1, 2, 3, 5"),
        ("44 5", "move 1, '44', is not legal"),
    ):
        with pytest.raises(IllegalMove, match=says):
            ConnectFour().after(line)


@pytest.mark.parametrize(
    ("position", "picture"),
    [
        (TicTacToe().after("b2 a1 c3"), "   a b c\n 1 O . .\n 2 . X .\n 3 . . X"),
        (ConnectFour(3, 4, 3).after("1121"), " O . . .\n O . . .\n X X . .\n 1 2 3 4"),
        (Hex(3, swap=True).after("b1 swap c3"), "  a b c\n 1 . . .\n  2 O . .\n   3 . . X"),
        (
            ThirtyOne().after("155"),
            "total 11 of 31\ntokens left: 1 x3  2 x4  3 x4  4 x4  5 x2  6 x4",
        ),
        (Fig52(), "MAX to move: a1, a2, a3"),
        (Fig52().after("a2"), "MIN to move: c1, c2, c3"),
        (Fig52().after("a2 c2"), "leaf, worth 4 to MAX"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_boards_as_text(position: Position, picture: str) -> None:
    assert str(position) == picture


# ---- tic-tac-toe


def _decided(game: Position, line: str, winner: int | None) -> None:
    """The last move of ``line`` ends the game, and none before it."""
    position = game
    for action in read_line(game, line):
        assert not position.is_terminal()
        position = position.play(action)
    assert position.is_terminal()
    expected = [0 if winner is None else 1 if player == winner else -1 for player in (0, 1)]
    assert [position.utility(player) for player in (0, 1)] == expected
    cells = position.winning_cells()
    assert bool(cells) == (winner is not None)
    for row, column in cells:
        assert position.cell(row, column) == winner  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("game", "line", "winner"),
    [
        (TicTacToe(), "a1 a2 b1 b2 c1", 0),
        (TicTacToe(), "a1 b2 c1 b1 a3 b3", 1),
        (TicTacToe(), "a1 a2 b2 b1 c3", 0),
        (TicTacToe(), "c1 a2 b2 b1 a3", 0),
        (TicTacToe(), "a1 b1 c1 a2 b2 a3 b3 c3 c2", None),
        (TicTacToe(), "a1 b1 c1 b2 a2 c2 b3 a3 c3", None),
        (TicTacToe(), "a1 a2 b2 b1 c1 a3 c2 b3 c3", 0),  # the last cell wins: no draw
        (TicTacToe(1, 1, 1), "a1", 0),
        (TicTacToe(3, 5, 1), "e3", 0),
        (TicTacToe(1, 4, 2), "a1 d1 b1", 0),
        (TicTacToe(4, 4, 2), "d1 a2 c2", 0),
        (TicTacToe(3, 4, 3), "d1 a1 a2 b1 b2 a3 c2", 0),
        (TicTacToe(7, 7, 5), "a1 b1 b2 c1 c3 d1 d4 e1 e5", 0),
        (ConnectFour(), "1212121", 0),
        (ConnectFour(), "4455667", 0),
        (ConnectFour(), "17275737", 1),
        (ConnectFour(), "12233434474", 0),
        (ConnectFour(), "76655454414", 0),
        (ConnectFour(2, 2, 2), "121", 0),
        (ConnectFour(1, 4, 2), "1234", None),
        (ConnectFour(3, 1, 2), "111", None),
        (ConnectFour(1, 1, 1), "1", 0),
    ],
)
def test_rows_decide(game: Position, line: str, winner: int | None) -> None:
    _decided(game, line, winner)


@pytest.mark.parametrize(
    ("size", "line"), [((), "12121237372"), ((), "776655"), ((), "11112222333"), ((2, 2, 2), "12")]
)
def test_no_row_decides_nothing(size: tuple[int, ...], line: str) -> None:
    position = ConnectFour(*size).after(line)
    assert not position.is_terminal()
    assert position.winning_cells() == []


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("game", [TicTacToe, ConnectFour], ids=named)
def test_rows_do_not_wrap_around_the_edges(game: Any, k: int) -> None:
    """Stones one after another in reading order, over an edge, are no row."""
    for height, width in ((7, 7), (6, 8), (5, 9), (4, 12), (7, 6)):
        if (height + 1) * width > 63 or height * (width + 1) > 63 or k > min(height, width):
            continue
        start = game(height, width, k)
        cells = list(itertools.product(range(height), range(width)))
        for first in range(len(cells) - k + 1):
            run = cells[first : first + k]
            if len({row for row, _ in run}) == 1:
                continue
            opp = sum(1 << start.bit(*cell) for cell in run)
            position = game(height, width, k, 0, opp, 2 * k - 1)  # trusted: only lost() is asked
            vertical = {column for _, column in run}
            assert position.lost() == (len(vertical) == 1), run


def test_every_row_wins_and_shows_its_cells() -> None:
    for start, number in (
        (TicTacToe(5, 6, 4), 39),
        (ConnectFour(6, 7, 4), 69),
        (TicTacToe(7, 7, 7), 16),
    ):
        height, width, k = start[:3]
        rows = 0
        for row, column in itertools.product(range(height), range(width)):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(k)]
                if not all(0 <= r < height and 0 <= c < width for r, c in cells):
                    continue
                opp = sum(1 << start.bit(*cell) for cell in cells)
                position: Any = type(start)(height, width, k, 0, opp, 2 * k - 1)
                assert position.lost()
                assert position.is_terminal()
                assert position.winning_cells() == sorted(cells)
                rows += 1
        assert rows == number


# ---- Connect Four


# ---- Hex


@pytest.mark.parametrize(
    ("size", "line", "winner"),
    [
        (2, "a1 b2 a2", 0),
        (2, "b1 b2 a2", 0),  # b1 and a2 touch: the short diagonal
        (2, "a1 a2 b2 b1", 1),  # a1 and b2 do not: the long one
        (2, "a1 b1 b2 a2", 1),
        (3, "b1 a1 b2 a2 b3", 0),
        (3, "c1 a1 b2 b1 a3", 0),
        (3, "a1 a2 b1 b2 c1 c2", 1),
        (3, "a1 a3 a2 b2 b1 c1", 1),
        (4, "a1 b1 a2 b2 a3 b3 a4", 0),
        (5, "c5 a1 c4 a2 c3 a3 c2 a4 d1", 0),  # the last stone closes a gap
    ],
)
def test_hex(size: int, line: str, winner: int) -> None:
    _decided(Hex(size), line, winner)
    _decided(Hex(size, swap=True), line, winner)


def test_hex_is_decided_by_the_stone_that_closes_a_gap() -> None:
    """A chain that grew from the far edge joins the near one with its last stone."""
    position = Hex(5).after("c5 a1 c4 a2 c3 a3 c2 a4")
    assert not position.after("b1").is_terminal()
    over = position.after("c1")
    assert over.is_terminal()
    assert over.winning_cells() == [(4, 2), (3, 2), (2, 2), (1, 2), (0, 2)]


def test_hex_neighbours() -> None:
    for size in (3, 8, 11, 19):
        position = Hex(size)
        for row, column in ((1, 1), (size - 2, 1), (1, size - 2), (size - 2, size - 2)):
            beside = {
                (row + i, column + j)
                for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
            }
            cells = position.neighbours(1 << position.bit(row, column))
            found = {
                cell
                for cell in itertools.product(range(size), range(size))
                if cells >> position.bit(*cell) & 1
            }
            assert found == beside


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11, 19])
def test_a_straight_line_wins_hex_of_every_size(size: int) -> None:
    """A whole row for player 1, a whole column for player 0; the other plays beside it."""
    for number in {0, size // 2, size - 1}:
        other = 0 if number else 1
        row = [(number, i) for i in range(size)], [(other, i) for i in range(size)]
        for player in (0, 1):
            position = Hex(size)
            lines = row if player == 1 else tuple([cell[::-1] for cell in line] for line in row)
            for mine, theirs in zip(*lines, strict=True):
                pair = [mine, theirs] if player == 0 else [theirs, mine]
                for cell in pair if position.ply < 2 * size - 1 - (1 - player) else pair[:1]:
                    assert not position.is_terminal()
                    position = position.play(cell[0] * size + cell[1])
            assert position.is_terminal()
            assert position.utility(player) == 1
            assert sorted(position.winning_cells()) == sorted(lines[0])


def test_swap() -> None:
    start = Hex(5, swap=True)
    assert (start.num_actions, Hex(5).num_actions) == (26, 25)
    assert not start.legal(25)
    opened = start.after("d2")
    assert opened.legal_actions() == [a for a in range(26) if a != 8]
    swapped = opened.after("swap")
    assert (swapped.to_move, swapped.ply) == (0, 2)
    assert swapped.cell(1, 3) is None
    assert swapped.cell(3, 1) == 1
    assert 25 not in swapped.legal_actions()
    assert 25 not in opened.after("a1").legal_actions()
    assert 25 not in opened.after("a1 b1").legal_actions()
    assert swapped.after("d2").cell(1, 3) == 0
    with pytest.raises(IllegalMove):
        Hex(5).after("d2 swap")
    _decided(Hex(3, swap=True), "a1 swap a2 b1 b2 c1", 1)


@pytest.mark.parametrize("size", [2, 3, 8, 11])
def test_swap_keeps_what_a_stone_is_worth(size: int) -> None:
    """A stone on the first edge of player 0 is one on the first edge of player 1, joined to it."""
    for row, column in itertools.product(range(size), range(size)):
        swapped = Hex(size, swap=True).play(row * size + column).play(size * size)
        assert swapped.cell(column, row) == 1
        assert bool(swapped.opp_joined) == (row == 0)
        assert swapped.own == swapped.own_joined == 0
        assert not swapped.is_terminal()
        swapped.check()


def _value(position: Position, known: dict[Position, float]) -> float:
    """What the game is worth to player 0 with best play."""
    if position not in known:
        if position.is_terminal():
            known[position] = position.utility(0)
        else:
            best = max if position.to_move == 0 else min
            after = map(position.play, position.legal_actions())
            known[position] = best(_value(child, known) for child in after)
    return known[position]


def test_with_the_swap_the_second_player_wins() -> None:
    for size in (2, 3):
        assert _value(Hex(size), {}) == 1
        assert _value(Hex(size, swap=True), {}) == -1


# ---- the Game of 31


def test_thirty_one() -> None:
    position = ThirtyOne().after("1 5 3 5")
    assert (position.total, position.ply, position.to_move) == (14, 4, 0)
    assert [position.left(action) for action in range(6)] == [3, 4, 3, 4, 2, 4]
    assert position.legal_actions() == [0, 1, 2, 3, 4, 5]
    close = ThirtyOne().after("66665")
    assert close.legal_actions() == [0, 1]
    over = close.after("2")  # who reaches the limit wins
    assert over.is_terminal()
    assert (over.total, over.utility(0), over.utility(1)) == (31, -1, 1)
    stuck = ThirtyOne(limit=5, copies=1, highest=3).after("13")
    assert stuck.is_terminal()
    assert (stuck.total, stuck.to_move, stuck.utility(0)) == (4, 0, -1)
    shared = ThirtyOne(limit=4, num_players=3).after("22")
    assert shared.to_move == 2
    assert [shared.utility(player) for player in range(3)] == [0.5, 0.5, -1]
    assert [ThirtyOne(num_players=5).after("1" * i).to_move for i in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize(("game", "line"), [(ConnectFour(), "444444"), (ThirtyOne(), "3333")])
def test_a_full_column_is_closed_and_a_token_can_run_out(game: Position, line: str) -> None:
    position, name = game.after(line), line[0]
    assert [position.name(a) for a in position.legal_actions()] == [
        position.name(a) for a in range(position.num_actions) if str(a + 1) != name
    ]
    assert not position.legal(int(name) - 1)
    with pytest.raises(IllegalMove, match=rf"'{name}'.* legal: 1, 2, "):
        position.action(name)


# ---- trees


def test_trees_of_any_shape() -> None:
    leaves = [Fig52().play(i).play(j).utility(0) for i in range(3) for j in range(3)]
    assert leaves == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert _value(Fig52(), {}) == 3
    assert Fig52().after("a3 d1").utility(1) == -14
    assert Fig52().after("a2").start() == Fig52()
    tree = Tree({"stop": 1, "go": {"x": -2.5, "y": {"z": 4}, "w": 0}})
    assert tree.num_actions == 3
    assert tree.legal_actions() == [0, 1]
    assert tree.after("stop").is_terminal()
    assert tree.after("go x").utility(1) == 2.5
    assert tree.after("go y").to_move == 0
    assert tree.after("go y z").utility(0) == 4
    assert tree.after("go y").start() == tree
    assert _value(tree, {}) == 1
    assert Tree({1: 5, 2: 6}).after("2").utility(0) == 6


@pytest.mark.parametrize(
    ("tree", "error", "says"),
    [
        ({}, ValueError, "every node needs a move"),
        ({"a": {}}, ValueError, "every node needs a move"),
        ({"a": "1"}, TypeError, "a leaf must be a number, not '1'"),
        ({"a": None}, TypeError, "a leaf must be a number, not None"),
        ({"a": True}, TypeError, "a leaf must be a number, not True"),
        ({"a": [1]}, TypeError, "a leaf must be a number"),
        ({"a": float("nan")}, ValueError, "nan"),
        ({"a": float("inf")}, ValueError, "inf"),
        ({1: 2, "1": 3}, ValueError, "1"),
        ({"a": 2, "A": 3}, ValueError, "A"),
        ({"go on": 2, "stop": 3}, ValueError, "go on"),
        ({"": 2}, ValueError, "name"),
        (3, TypeError, "3"),
        ("a", TypeError, "a"),
        ([("a", 3)], TypeError, "dict"),
        (None, TypeError, "None"),
    ],
    ids=repr,
)
def test_trees_that_are_none(tree: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=re.escape(says)):
        Tree(tree)


def test_a_tree_is_as_deep_as_it_is_drawn() -> None:
    drawn: Any = 7
    for _ in range(200):
        drawn = {"on": drawn}
    position = Tree(drawn)
    for _ in range(200):
        assert not position.is_terminal()
        position = position.play(0)
    assert position.utility(0) == 7


# ---- the size of things


@pytest.mark.parametrize(
    ("position", "positions"),
    [
        (TicTacToe(), 3**9),
        (ConnectFour(), (2**7 - 1) ** 7),
        (Hex(3), 3**9),
        (ThirtyOne(), 15_625),
        (Fig52(), 13),
        (Pig(2, 3), 2 * 2 * (2 * 6 + 3)),
        (Gomoku(3, 4, 3), 3**12),
        (Othello(4), 2**4 * 3**12),
        (Breakthrough(4, 3), 2 * 3**12),
        (Nim(135), 2 * (2 * 4 * 6)),
        (Kalah(1, 1), 2 * 10),  # two seeds in four places
        (Domineering(2, 3), 3**6),
        (AnimalShogi(), 2 * 1_567_925_964 * 128),  # T. Tanaka, 2009
        (Havannah(3), 3**19),
        (GameOfY(4), 3**10),
        (NineMensMorris(3, draw_moves=1), 3**24 * 4**2 * 2 * 3 * 2),
        (LinesOfAction(4, draw_moves=3), 2 * 3**16 * 7),
        (Amazons(4), 4**16 * 2 * (1 + 2 * 16)),
        (MiniChess(), 13**25 * 2 * 101),
        (Chess(), 13**64 * 2 * 2**4 * 9 * 101),  # castling, file of a capture en passant, clock
        (Clobber(2, 3), 2 * 3**6),
        (UltimateTicTacToe(), 3**81 * 10),
        (Kuhn(2), 1 + 3 + 6 * (1 + 2 + 4 + 2)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_state_space(position: Position, positions: int) -> None:
    assert position.state_space() == positions


@pytest.mark.plain
@pytest.mark.parametrize("name", SAMPLES)
def test_no_more_positions_are_reached_than_the_state_space_has(name: str) -> None:
    for start in SAMPLES[name].small:
        most = start.state_space()
        try:
            reached = list(reachable(start, 3_000))
        except ValueError:  # there are more
            reached = []
        plies = bool(reached) and start._fields[-1] == "ply"
        boards = {position[:-1] if plies else position for position in reached}
        assert most is None or most >= len(boards)


@pytest.mark.parametrize(
    ("position", "high"),
    [(TicTacToe(), 1), (ThirtyOne(copies=3, highest=2), (3, 3, 31)), (Fig52(), 12)],
    ids=lambda value: type(value).__name__,
)
def test_observation_high(position: Position, high: Any) -> None:
    assert position.observation_high == high
