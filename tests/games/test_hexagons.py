"""Havannah and Y: cells, turns, playouts and evaluations of both."""

from typing import Any

import pytest
from games.connection import ends, every_image_is_a_board, finds_wins, late_positions, playouts
from games.laws import fresh, placed, random_line

from adv_envs import GameOfY, Havannah
from adv_envs.jit import disabled
from agents.games import havannah, y

GAMES = [(Havannah, havannah), (GameOfY, y)]
"""With what is known about each."""

both = pytest.mark.parametrize(("game", "known"), GAMES, ids=["Havannah", "GameOfY"])


@pytest.mark.parametrize("size", range(2, 20))
def test_actions_number_the_cells(size: int) -> None:
    counts = {GameOfY: size * (size + 1) // 2, Havannah: 3 * size * (size - 1) + 1}
    for game in (GameOfY, Havannah) if size < 12 else (GameOfY,):
        position = game(size)
        cells = position.cells()
        assert len(cells) == counts[game] == position.num_actions
        bits = [position.entry(action) for action in range(position.num_actions)]
        assert bits == [position.bit(*cell) for cell in cells]
        assert sum(1 << bit for bit in bits) == position.board()
        assert max(bits) < position.board_bits
        names = [position.cell_name(*cell) for cell in cells]
        assert [position.name(action) for action in range(len(cells))] == names


@pytest.mark.parametrize(
    "start",
    [*map(Havannah, (2, 3, 5, 11)), *map(GameOfY, (2, 3, 6, 19))],
    ids=lambda start: f"{type(start).__name__}-{start.size}",
)
def test_turns_and_reflections(start: Any) -> None:
    every_image_is_a_board(start)


@both
def test_places_on_the_picture(game: Any, known: Any) -> None:
    placed(game(3), game(5).after("a1 c3"))


# ---- what is known about them


@both
def test_wins_that_are_seen_at_once(game: Any, known: Any) -> None:
    rng = fresh()
    for size in (2, 3, 4):
        for position in random_line(game(size), rng)[:-1]:
            finds_wins(position, known.winning_stones)


@both
def test_playouts_end_as_games_may(game: Any, known: Any) -> None:
    rng, number = fresh(), 1 if disabled() else 20
    for size in (2, 3, 4):
        for position in late_positions(game(size), 3, number, rng):
            assert {*playouts(position, 20)} <= ends(position)


@both
def test_the_evaluation_is_antisymmetric(game: Any, known: Any) -> None:
    for position in random_line(game(5), fresh())[:-1]:
        other = position.with_stones(position.stones(0), position.stones(1), position.ply + 1)
        if not other.is_terminal():
            assert known.distance(position) == -known.distance(other)
