"""Symmetries of all games: images are positions of the same game, and moves lead to images."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adv_envs import (
    GAMES,
    Amazons,
    AnimalShogi,
    Backgammon,
    Breakthrough,
    Clobber,
    ConnectFour,
    Domineering,
    DotsAndBoxes,
    GameOfY,
    Gomoku,
    Havannah,
    Hex,
    LinesOfAction,
    NineMensMorris,
    Othello,
    Position,
    Quoridor,
    TicTacToe,
    UltimateTicTacToe,
    start_position,
)
from adv_envs.games.hexagons import ShapedBoard
from adv_envs.position import Board
from agents import knowledge_of

pytestmark = pytest.mark.plain

STARTS: list[Any] = [
    TicTacToe(),
    TicTacToe(3, 4, 3),
    TicTacToe(4, 4, 3),
    ConnectFour(),
    ConnectFour(4, 5),
    Hex(4),
    Hex(9),
    Hex(5, swap=True),
    Gomoku(9, 9),
    Gomoku(7, 5, 4),
    Othello(4),
    Othello(8),
    Breakthrough(5, 4),
    Breakthrough(8, 8),
    Amazons(6),
    AnimalShogi(repetition="ignored"),
    NineMensMorris(),
    LinesOfAction(5),
    LinesOfAction(8),
    Domineering(6, 6),
    Domineering(5, 7),
    DotsAndBoxes(3, 3),
    DotsAndBoxes(2, 4),
    Backgammon(),
    UltimateTicTacToe(),
    Clobber(),
    Clobber(5, 5),
    Quoridor(5),
    Quoridor(4, 3),
    Havannah(3, swap=True),
    Havannah(5),
    GameOfY(4, swap=True),
    GameOfY(7),
]

ANEW: Any = Hex, GameOfY
"""Games whose images tell neither what is joined nor who has won: they are to be compared only."""


def test_all_games_with_symmetries_are_tested() -> None:
    symmetric = {type(p) for p in map(start_position, GAMES) if knowledge_of(p).symmetries}
    assert symmetric == {*map(type, STARTS)}


def some_of_a_game(start: Position) -> Iterator[Position]:
    """Every third position of a random game."""
    rng, position, ply = random.Random(repr(start)), start, 0
    while not position.is_terminal() and ply < 60:
        if ply % 3 == 0:
            yield position
        position = position.play(rng.choice(position.legal_actions()))
        ply += 1


def stripped(position: Any) -> Any:
    """The position without who has won, where images do not tell."""
    return position._replace(won=False) if isinstance(position, ANEW) else position


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_images(start: Position) -> None:
    known = knowledge_of(start).symmetries
    assert known is not None
    whole, rng, seen = known.whole_image or known.image, random.Random(1), set()
    for here in some_of_a_game(start):
        assert whole(here, 0) == (known.image(here, 0) if isinstance(here, ANEW) else here)
        for i in range(known.num_images(here)):
            there, back = whole(here, i), known.inverse_image(here, i)
            if not isinstance(here, ANEW):
                there.check()
            seen.add(there)
            assert whole(there, back) == whole(here, 0)
            assert known.image(there, 0) == known.image(here, i)
            assert known.canonical(there) == known.canonical(here)
            moved = {known.image_action(here, a, i): a for a in here.legal_actions()}
            assert sorted(moved) == there.legal_actions()
            for far, near in rng.sample(sorted(moved.items()), min(3, len(moved))):
                assert known.image_action(there, far, back) == near
                after = stripped(known.image(there.play(far), 0))
                assert after == stripped(known.image(here.play(near), i))
    assert len(seen) > known.num_images(start)


GRIDS = [p for p in STARTS if isinstance(p, Board) and not isinstance(p, ShapedBoard)]


@pytest.mark.parametrize("start", GRIDS, ids=repr)
def test_images_of_boards_are_turned_and_reflected_arrays(start: Board) -> None:
    known = knowledge_of(start).symmetries
    assert known is not None
    *_, position = some_of_a_game(start)
    board, number = np.array(position.rows()), known.num_images(start)
    for i in range(number):
        turn = 3 * i if isinstance(start, Hex) else i
        expected = board.T if turn & 4 else board
        expected = expected[::-1] if turn & 2 else expected
        expected = expected[:, ::-1] if turn & 1 else expected
        image = (known.whole_image or known.image)(position, i)
        assert image.rows() == expected.tolist()
