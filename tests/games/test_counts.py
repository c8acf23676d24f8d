"""Lines of play, counted by others: the numbers on the page of each game."""

from typing import Any

import pytest
from games.laws import perft
from games.naive_domineering import NaiveDomineering
from manual.game_facts import lines_of_play

from adv_envs import (
    Amazons,
    AnimalShogi,
    Breakthrough,
    Checkers,
    Clobber,
    ConnectFour,
    Domineering,
    DotsAndBoxes,
    GameOfY,
    Gomoku,
    Hanabi,
    Havannah,
    Hex,
    Kalah,
    LinesOfAction,
    MiniChess,
    Nim,
    NineMensMorris,
    Othello,
    Quoridor,
    UltimateTicTacToe,
)
from adv_envs.jit import disabled

TINY = {"colours": 1, "ranks": 2, "hand_size": 1, "hints": 2, "lives": 2}

COUNTS: list[tuple[Any, tuple[int, ...], int, int]] = [
    (Amazons(), lines_of_play("amazons", unit="whole turns"), 1, 1),
    (Amazons(8), lines_of_play("amazons", unit="whole turns", size=8), 1, 1),
    (AnimalShogi(), lines_of_play("animal_shogi"), 3, 6),
    (Breakthrough(), lines_of_play("breakthrough"), 3, 5),
    (Breakthrough(6, 6), lines_of_play("breakthrough", height=6, width=6), 3, 5),
    (Breakthrough(5, 5), lines_of_play("breakthrough", height=5, width=5), 3, 5),
    (Breakthrough(5, 5, 1), lines_of_play("breakthrough", height=5, width=5, men_rows=1), 3, 5),
    (ConnectFour(), lines_of_play("connect_four"), 5, 9),
    (Checkers(), lines_of_play("checkers"), 4, 7),
    (Clobber(), lines_of_play("clobber"), 3, 5),
    (Clobber(10, 10), lines_of_play("clobber", height=10, width=10), 2, 3),
    (Domineering(), lines_of_play("domineering"), 2, 2),
    (DotsAndBoxes(2, 2), lines_of_play("dots_and_boxes", rows=2, columns=2), 4, 7),
    (DotsAndBoxes(), lines_of_play("dots_and_boxes"), 4, 7),
    (Gomoku(9, 9), lines_of_play("gomoku", height=9, width=9), 2, 3),
    (Gomoku(), lines_of_play("gomoku"), 2, 3),
    (Havannah(4), lines_of_play("havannah", size=4), 2, 4),
    (GameOfY(5), lines_of_play("y", size=5), 3, 5),
    (Hanabi(2, 1, 2, 1, 2, 2), lines_of_play("hanabi", **TINY), 6, 9),
    (Hanabi(2, 2, 2, 1), lines_of_play("hanabi", colours=2, ranks=2, hand_size=1), 4, 6),
    (Hex(3), lines_of_play("hex", size=3), 6, 9),
    (Hex(4), lines_of_play("hex", size=4), 4, 6),
    (Kalah(), lines_of_play("kalah"), 5, 99),
    (MiniChess(), lines_of_play("minichess"), 3, 6),
    (LinesOfAction(), lines_of_play("lines_of_action"), 2, 4),
    (LinesOfAction(5), lines_of_play("lines_of_action", size=5), 2, 3),
    (Nim(), lines_of_play("nim"), 4, 99),
    (Quoridor(), lines_of_play("quoridor"), 2, 3),
    (Quoridor(5), lines_of_play("quoridor", size=5), 2, 4),
    (Quoridor(5, 2, players=4), lines_of_play("quoridor", size=5, walls=2, players=4), 2, 4),
    (NineMensMorris(), lines_of_play("nine_mens_morris"), 3, 5),
    (Othello(), lines_of_play("othello")[:9], 5, 9),
    (Othello(6), lines_of_play("othello", size=6), 5, 12),
    (Othello(4), lines_of_play("othello", size=4), 5, 12),
    (UltimateTicTacToe(), lines_of_play("ultimate_tic_tac_toe"), 3, 5),
]
"""The start, the lines by depth, and how deep to look as plain Python and compiled."""


def named(value: Any) -> str:
    return type(value).__name__ if hasattr(value, "play") else ""


def lines(start: Any, depth: int) -> int:
    """By plies, or by the turns of amazons, which have three of them."""
    return perft(start, 3 * depth if isinstance(start, Amazons) else depth)


@pytest.mark.parametrize(("start", "counts", "plain", "compiled"), COUNTS, ids=named)
def test_lines_of_play(start: Any, counts: tuple[int, ...], plain: int, compiled: int) -> None:
    wanted = counts[: plain if disabled() else compiled]
    assert tuple(lines(start, depth) for depth in range(1, len(wanted) + 1)) == wanted


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("start", "counts"), [case[:2] for case in COUNTS if len(case[1]) > case[3]], ids=named
)
def test_the_deepest_count(start: Any, counts: tuple[int, ...]) -> None:
    assert lines(start, len(counts)) == counts[-1]


def test_domineering() -> None:
    """On 8 x 8: 7 * 8 uprights, and 14 * 14 pairs of an upright and a flat that touch a cell."""
    assert lines_of_play("domineering") == (56, 56 * 56 - 14 * 14)
    for size, depth in (((4, 4), 4), ((3, 5), 3), ((5, 2), 9)):
        assert perft(Domineering(*size), depth) == NaiveDomineering(*size).perft(depth)
