"""Checkers against a second implementation, OpenSpiel, known counts and known endings."""

import re
from random import Random, randrange
from typing import Any

import numpy as np
import pytest
from games.naive_checkers import NaiveCheckers
from hypothesis import given, settings
from hypothesis import strategies as st
from manual.game_facts import lines_of_play

from adv_envs import Checkers, IllegalMove
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import draw
from adv_envs.pictures.checkers import marked
from agents import make
from agents.games.checkers import material

SHALLOW = disabled()

WHOLE_MOVES = lines_of_play("checkers", unit="whole moves")
PLIES = lines_of_play("checkers")


@kernel
def perft(position: Any, depth: int, whole: bool) -> int:
    """How many lines of play of ``depth`` plies, or whole moves, there are."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(0 if position.is_terminal() else position.num_actions):
        if position.legal(action):
            after = position.play(action)
            done = not whole or after.to_move != position.to_move
            lines += perft(after, depth - 1 if done else depth, whole)
    return lines


def seen(position: Checkers, player: int) -> list[Any]:
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes.astype(int).tolist()


# ---- the rules


def test_perft() -> None:
    deepest = 4 if SHALLOW else 7
    for depth in range(1, deepest + 1):
        assert perft(Checkers(), depth, True) == WHOLE_MOVES[depth - 1]
        assert perft(Checkers(), depth, False) == PLIES[depth - 1]


@pytest.mark.slow
@pytest.mark.compiled
def test_perft_of_eight_moves() -> None:
    assert perft(Checkers(), 8, True) == WHOLE_MOVES[7]


@settings(deadline=None, max_examples=40)
@given(
    size=st.sampled_from([4, 6, 8, 10]), draw_moves=st.integers(1, 12), seed=st.integers(0, 2**32)
)
def test_random_games_as_the_naive_one_plays_them(size: int, draw_moves: int, seed: int) -> None:
    position, naive, rng = Checkers(size, draw_moves), NaiveCheckers(size, draw_moves), Random(seed)
    while True:
        position.check()
        for player in (0, 1):
            assert seen(position, player) == naive.seen_by(player)
        assert position.to_move == naive.to_move
        assert position.legal_actions() == naive.actions()
        assert position.is_terminal() == (not naive.actions())
        if position.is_terminal():
            break
        action = rng.choice(position.legal_actions())
        position = position.play(action)
        naive.play(action)
    assert position.utility(0) == -position.utility(1) == naive.utility(0)


def open_spiel_action(position: Checkers, action: int) -> int:
    """The action of OpenSpiel, whose first player sits below and moves up."""
    square, direction = 31 - action // 4, action % 4 ^ 2
    row, column = square // 4, 2 * (square % 4) + 1 - square // 4 % 2
    jump = "x" in position.name(action)
    return ((row * 8 + column) * 4 + direction) * 2 + jump


TO_OURS = str.maketrans("o8+*", "bBwW")
"""OpenSpiel's letters for men and kings."""


def compare_with_open_spiel(games: int, seed: int) -> int:
    """Random games of both, ply by ply; returns how many plies that were.

    OpenSpiel ends a game after 40 plies without a capture, which is sooner.
    """
    pyspiel = pytest.importorskip("pyspiel")
    rng, plies, checkers = Random(seed), 0, pyspiel.load_game("checkers")
    for _ in range(games):
        position, state, uncaptured = Checkers(), checkers.new_initial_state(), 0
        while not state.is_terminal():
            where = f"seed {seed}: {state.history()}"
            actions = {open_spiel_action(position, a): a for a in position.legal_actions()}
            assert position.to_move == state.current_player(), where
            assert sorted(actions) == state.legal_actions(), where
            chosen = rng.choice(state.legal_actions())
            uncaptured = 0 if "x" in position.name(actions[chosen]) else uncaptured + 1
            position = position.play(actions[chosen])
            state.apply_action(chosen)
            plies += 1
            rows = [line[1:9][::-1] for line in str(state).splitlines()[:8]][::-1]
            ours = ["".join(c for c in line if c in ".bwBW") for line in str(position).split("\n")]
            assert [row.translate(TO_OURS) for row in rows] == ours, where
        if uncaptured >= 40:
            assert state.returns() == [0, 0]
        else:
            assert position.is_terminal()
            assert state.returns() == [position.utility(0), position.utility(1)]
    return plies


def test_random_games_as_open_spiel_plays_them() -> None:
    assert compare_with_open_spiel(10, randrange(2**32)) > 0


@pytest.mark.slow
def test_thousands_of_games_as_open_spiel_plays_them() -> None:
    plies = compare_with_open_spiel(3000, randrange(2**32))
    print(f"{plies} plies compared")
    assert plies > 100_000


DOUBLE = """
    . . . . . . . .
    . . b . . . . .
    . w . . . . . .
    . . . . . . . .
    . w . . . w . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
"""


def test_a_jump_is_forced_and_goes_on() -> None:
    start = Checkers.from_text(DOUBLE)
    assert start.choices() == "legal: 6x13"
    again = start.move("6x13")
    assert (again.to_move, again.choices()) == (0, "legal: 13x22")
    over = again.move("13x22")
    assert over.to_move == 1
    assert over.pieces(1).bit_count() == 1
    assert over.name(over.legal_actions()[0]) == "19-15"


def test_a_man_that_is_crowned_does_not_jump_on() -> None:
    position = Checkers.from_text(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . b . . . . .
        . . . w . w . .
        . . . . . . . .
        """
    )
    after = position.move("22x31")
    assert after.to_move == 1
    assert str(after).splitlines()[-1] == " 29  . . . . B . . .  32"


@pytest.mark.parametrize(("piece", "choices"), [("b", "legal: 11-14, 11-13"), ("B", "legal: 11x6")])
def test_only_kings_jump_backward(piece: str, choices: str) -> None:
    position = Checkers.from_text(
        f"""
        . . . . . .
        . . . . . .
        . . . w . .
        . . {piece} . . .
        . . . . . .
        . . . . . .
        """
    )
    assert position.choices() == choices


def test_forty_moves_each_without_progress_are_a_draw() -> None:
    text = """
        . B . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        W . . . . . . .
    """
    position = Checkers.from_text(text)
    for _ in range(20):
        assert not position.is_terminal()
        position = position.after("1-6 29-25 6-1 25-29")
    assert position.is_terminal()
    assert position.utility(0) == position.utility(1) == 0
    assert Checkers.from_text(text, draw_moves=1).after("1-6 29-25").is_terminal()
    assert not position.start().is_terminal()


@pytest.mark.parametrize(
    ("text", "to_move"),
    [
        (". b . .\n. . . .\n. . . .\n. . . .", 1),
        (". . . .\n. . . .\n. . . .\nW . . .", 0),
        (". b . .\nw . w .\n. w . w\n. . . .", 0),
    ],
    ids=["no white piece", "no black piece", "a black man without a move"],
)
def test_who_cannot_move_loses(text: str, to_move: int) -> None:
    position = Checkers.from_text(text, to_move)
    assert position.is_terminal()
    assert position.utility(to_move) == -1 == -position.utility(1 - to_move)


@pytest.mark.compiled
def test_two_kings_win_against_one() -> None:
    """Outside of the double corner: alpha-beta proves it."""
    position = Checkers.from_text(
        """
        . . . B
        . . . .
        . . . .
        W . W .
        """,
        to_move=1,
    )
    found: Any = make("alpha_beta(nodes=2000000)")
    result = found.analyse(position)
    assert (result.value, result.proven) == (1, True)


@pytest.mark.compiled
def test_four_by_four_by_all_positions() -> None:
    search: Any = make("alpha_beta(nodes=3000000)")
    everything: Any = make("retrograde()")
    start = Checkers(4, draw_moves=5)
    assert search.analyse(start).value == everything.value(start)


# ---- what is known


def turned(position: Checkers) -> Checkers:
    """The board from the other side, with the colours exchanged."""
    text = "\n".join(
        "".join(c for c in line if c in "bwBW.")[::-1] for line in str(position).splitlines()[::-1]
    )
    return Checkers.from_text(text.translate(str.maketrans("bwBW", "wbWB")), 1 - position.to_move)


def test_the_evaluation_is_the_same_from_both_sides() -> None:
    assert material(Checkers()) == 0
    position, rng = Checkers(), Random(4)
    while not position.is_terminal():
        if not position.jumping:
            assert material(turned(position)) == pytest.approx(material(position))
        position = position.play(rng.choice(position.legal_actions()))


# ---- text, pictures, and what is refused


def test_text() -> None:
    text = str(Checkers().after("11-15 22-18 15x22"))
    assert text.splitlines()[4:] == [
        " 17  . . . . . . . .  20",
        " 21  w . b . w . w .  24",
        " 25  . w . w . w . w  28",
        " 29  w . w . w . w .  32",
    ]
    rng, position = Random(2), Checkers(6)
    while not position.is_terminal():
        if not position.jumping and position.quiet == 0:
            assert Checkers.from_text(str(position), position.to_move) == position
        position = position.play(rng.choice(position.legal_actions()))


def test_the_last_move_is_marked() -> None:
    position = Checkers().move("11-15")
    assert marked(position, Checkers().action("11-15")) == [10, 14]
    assert marked(position, 0) == []
    assert draw(position, 42).title == "Player 1 to move"


@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({"size": 7}, "size must be 4, 6, 8 or 10, not 7"),
        ({"size": 12}, "size must be 4, 6, 8 or 10, not 12"),
        ({"draw_moves": 0}, "draw_moves must be 1 to 1000, not 0"),
        ({"own": 1}, "own and opp must be sets of squares"),
        ({"own": 1 << 8, "opp": 1}, "own and opp must be sets of squares"),
        ({"own": 1, "opp": 1}, "own and opp must not share a square"),
        ({"own": 1, "opp": 2}, "a man on the far row must be a king"),
        ({"own": 0, "opp": 0}, "there must be pieces on the board"),
        ({"kings": 1 << 20}, "kings must be a set of squares with pieces"),
        ({"jumping": 1}, "jumping must be 0 or an own piece that has jumped"),
        (  # a piece that goes on jumping has just captured one
            {"own": 10749040, "opp": 1107296256, "kings": 262144, "jumping": 2097152, "quiet": 1},
            "jumping must be 0 or an own piece that has jumped",
        ),
        ({"quiet": 81}, "quiet must be 0 to 80, not 81"),
        ({"to_move": -1}, "to_move must be 0 to 1, not -1"),
    ],
)
def test_what_cannot_be(parameters: dict[str, int], allowed: str) -> None:
    with pytest.raises(ValueError, match=re.escape(allowed)):
        Checkers(**parameters)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "size must be"),
        ("b.\n", "as many rows as columns"),
        (". x . .\n" * 4, "as many rows as columns, of bwBW and dots"),
        ("b . . .\n. . . .\n. . . .\n. . . .", "row 1 has a piece on a light square"),
    ],
)
def test_text_that_is_no_board(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Checkers.from_text(text)


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMove, match="legal: 9-14, 9-13"):
        Checkers().move("11-14")
