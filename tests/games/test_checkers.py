"""Checkers: jumps, crowns and draws, known endings, its text and its picture."""

from random import Random
from typing import Any

import pytest
from games.laws import random_line
from manual.game_facts import lines_of_play

from adv_envs import Checkers
from adv_envs.jit import disabled, kernel
from adv_envs.pictures import draw
from adv_envs.pictures.checkers import marked
from agents import make
from agents.games.checkers import material

SHALLOW = disabled()


@kernel
def whole_moves(position: Any, depth: int) -> int:
    """How many lines of play of ``depth`` moves there are; several jumps are one."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(0 if position.is_terminal() else position.num_actions):
        if position.legal(action):
            after = position.play(action)
            lines += whole_moves(after, depth - (after.to_move != position.to_move))
    return lines


@pytest.mark.parametrize(
    "depths",
    [
        range(1, 5 if SHALLOW else 8),
        pytest.param([8], marks=[pytest.mark.slow, pytest.mark.compiled]),
    ],
)
def test_lines_of_whole_moves(depths: Any) -> None:
    counts = lines_of_play("checkers", unit="whole moves")
    for depth in depths:
        assert whole_moves(Checkers(), depth) == counts[depth - 1]


EMPTY = ". . . . . . . .\n"
"""A row without a piece."""


def test_a_jump_is_forced_and_goes_on() -> None:
    rows = EMPTY, ". . b . . . . .\n", ". w . . . . . .\n", EMPTY, ". w . . . w . .\n"
    start = Checkers.from_text("".join(rows) + 3 * EMPTY)
    assert start.choices() == "legal: 6x13"
    again = start.move("6x13")
    assert (again.to_move, again.choices()) == (0, "legal: 13x22")
    over = again.move("13x22")
    assert over.to_move == 1
    assert over.pieces(1).bit_count() == 1
    assert over.name(over.legal_actions()[0]) == "19-15"


def test_a_man_that_is_crowned_does_not_jump_on() -> None:
    position = Checkers.from_text(5 * EMPTY + ". . b . . . . .\n. . . w . w . .\n" + EMPTY)
    after = position.move("22x31")
    assert after.to_move == 1
    assert str(after).splitlines()[-1] == " 29  . . . . B . . .  32"


@pytest.mark.parametrize(("piece", "choices"), [("b", "legal: 11-14, 11-13"), ("B", "legal: 11x6")])
def test_only_kings_jump_backward(piece: str, choices: str) -> None:
    row = ". . . . . .\n"
    position = Checkers.from_text(2 * row + f". . . w . .\n. . {piece} . . .\n" + 2 * row)
    assert position.choices() == choices


def test_forty_moves_each_without_progress_are_a_draw() -> None:
    text = ". B . . . . . .\n" + 6 * EMPTY + "W . . . . . . .\n"
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
    position = Checkers.from_text(". . . B\n. . . .\n. . . .\nW . W .", to_move=1)
    found: Any = make("alpha_beta(nodes=2000000)")
    result = found.analyse(position)
    assert (result.value, result.proven) == (1, True)


@pytest.mark.compiled
def test_four_by_four_by_all_positions() -> None:
    search: Any = make("alpha_beta(nodes=3000000)")
    everything: Any = make("retrograde()")
    start = Checkers(4, draw_moves=5)
    assert search.analyse(start).value == everything.value(start)


def turned(position: Checkers) -> Checkers:
    """The board from the other side, with the colours exchanged."""
    text = "\n".join(
        "".join(c for c in line if c in "bwBW.")[::-1] for line in str(position).splitlines()[::-1]
    )
    return Checkers.from_text(text.translate(str.maketrans("bwBW", "wbWB")), 1 - position.to_move)


def test_the_evaluation_is_the_same_from_both_sides() -> None:
    assert material(Checkers()) == 0
    for position in random_line(Checkers(), Random(4))[:-1]:
        if not position.jumping:
            assert material(turned(position)) == pytest.approx(material(position))


def test_text() -> None:
    text = str(Checkers().after("11-15 22-18 15x22"))
    assert text.splitlines()[4:] == [
        " 17  . . . . . . . .  20",
        " 21  w . b . w . w .  24",
        " 25  . w . w . w . w  28",
        " 29  w . w . w . w .  32",
    ]
    for position in random_line(Checkers(6), Random(2))[:-1]:
        if not position.jumping and position.quiet == 0:
            assert Checkers.from_text(str(position), position.to_move) == position


def test_the_last_move_is_marked() -> None:
    position = Checkers().move("11-15")
    assert marked(position, Checkers().action("11-15")) == [10, 14]
    assert marked(position, 0) == []
    assert draw(position, 42).title == "White to move"
