"""The games against the naive ones, move by move; and compiled against plain, over all sizes."""

import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import Twin, same_game
from hypothesis import strategies as st
from naive import (
    FIG52,
    NaiveBoardGame,
    NaiveConnectFour,
    NaiveGame,
    NaiveHex,
    NaiveThirtyOne,
    NaiveTicTacToe,
    NaiveTree,
)

from adv_envs import ConnectFour, Fig52, Hex, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.bits import has_line, line_cells, num_words, pack
from adv_envs.jit import disabled, kernel

TIC_TAC_TOE = [(h, w) for h, w in itertools.product(range(1, 32), range(1, 63)) if h * (w + 1) < 64]
CONNECT_FOUR = [(w, h) for h, w in TIC_TAC_TOE]

needs_compiler = pytest.mark.skipif(disabled(), reason="there is nothing to compare with")


# ---- against the naive games


Maker = Callable[[Random], tuple[Position, NaiveGame]]


def tic_tac_toe(rng: Random) -> tuple[Position, NaiveGame]:
    height, width = rng.choice(TIC_TAC_TOE)
    size = height, width, rng.randint(1, max(height, width))
    return TicTacToe(*size), NaiveTicTacToe(*size)


def small_tic_tac_toe(rng: Random) -> tuple[Position, NaiveGame]:
    size = rng.randint(1, 5), rng.randint(2, 5), 0
    size = *size[:2], rng.randint(2, max(size))
    return TicTacToe(*size), NaiveTicTacToe(*size)


def connect_four(rng: Random) -> tuple[Position, NaiveGame]:
    height, width = rng.choice(CONNECT_FOUR)
    size = height, width, rng.randint(1, max(height, width))
    return ConnectFour(*size), NaiveConnectFour(*size)


def small_connect_four(rng: Random) -> tuple[Position, NaiveGame]:
    size = rng.randint(2, 6), rng.randint(2, 7), rng.randint(2, 4)
    size = *size[:2], min(size[2], max(size[:2]))
    return ConnectFour(*size), NaiveConnectFour(*size)


def hexes(rng: Random) -> tuple[Position, NaiveGame]:
    size, swap = rng.choice([2, 2, 3, 3, 4, 4, 5, 6, 7]), rng.random() < 0.5
    return Hex(size, swap), NaiveHex(size, swap)


def large_hexes(rng: Random) -> tuple[Position, NaiveGame]:
    size, swap = rng.choice([8, 9, 10, 11]), rng.random() < 0.5
    return Hex(size, swap), NaiveHex(size, swap)


def thirty_one(rng: Random) -> tuple[Position, NaiveGame]:
    size = rng.randint(1, 60), rng.randint(1, 6), rng.randint(1, 9), rng.randint(2, 6)
    return ThirtyOne(*size), NaiveThirtyOne(*size)


def trees(rng: Random) -> tuple[Position, NaiveGame]:
    def grow(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.3:
            return rng.choice([-1, 0, 1, 2.5, -7])
        return {f"m{i}": grow(depth - 1) for i in range(rng.randint(1, 4))}

    tree = {"first": grow(3), "second": grow(5)}
    return Tree(tree), NaiveTree(tree)


def won(position: Any, naive: Any) -> None:
    if isinstance(naive, NaiveBoardGame):
        assert bool(position.winning_cells()) == (naive.winner is not None)


TWIN = Twin(st.nothing(), look=won)


def games(maker: Maker, count: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(count):
        position, naive = maker(rng)
        assert position.num_players == naive.num_players
        assert same_game(TWIN, position, naive, rng) > 0


@pytest.mark.parametrize(
    ("maker", "count"),
    [
        (tic_tac_toe, 120),
        (small_tic_tac_toe, 700),
        (connect_four, 120),
        (small_connect_four, 500),
        (hexes, 700),
        (large_hexes, 12),
        (thirty_one, 700),
        (trees, 500),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_random_sizes(maker: Maker, count: int) -> None:
    games(maker, count // 2 if disabled() else count, seed=11)


@pytest.mark.parametrize(
    ("position", "naive", "count"),
    [
        (TicTacToe(), NaiveTicTacToe(), 600),
        (ConnectFour(), NaiveConnectFour(), 150),
        (Hex(11), NaiveHex(11), 4),
        (Hex(19), NaiveHex(19), 1),
        (ThirtyOne(), NaiveThirtyOne(), 600),
        (Fig52(), NaiveTree(FIG52), 40),
    ],
    ids=lambda value: type(value).__name__,
)
def test_usual_sizes(position: Position, naive: NaiveGame, count: int) -> None:
    games(lambda rng: (position, naive.copy()), count // 2 if disabled() else count, seed=12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "maker", [tic_tac_toe, connect_four, hexes, thirty_one, trees], ids=lambda maker: maker.__name__
)
def test_many_more_games(maker: Maker) -> None:
    games(maker, 5000, seed=13)


# ---- rows of k, on boards of every shape


def dense_stones(rng: Random, stride: int, lines: int) -> int:
    """Stones on a board of ``lines`` lines, each with an empty bit on top; mostly full."""
    density = rng.choice([0.5, 0.8, 0.95, 1.0])
    cells = [i for i in range(stride * lines) if i % stride != stride - 1]
    return sum(1 << cell for cell in cells if rng.random() < density)


def naive_line_cells(stones: int, k: int, stride: int, lines: int) -> set[tuple[int, int]]:
    on = {divmod(i, stride) for i in range(stride * lines) if stones >> i & 1}
    found: set[tuple[int, int]] = set()
    for row, column in on:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = {(row + i * down, column + i * right) for i in range(k)}
            if line <= on:
                found |= line
    return found


SHAPES = [(width + 1, height) for height, width in TIC_TAC_TOE]  # + the same, lying down
SHAPES += [(width + 1, height) for height, width in CONNECT_FOUR if width * (height + 1) < 64]
SHAPES = sorted({(stride, lines) for stride, lines in SHAPES if stride * lines < 64})


def test_rows_of_any_length_on_any_board() -> None:
    rng = Random(21)
    for stride, lines in SHAPES if not disabled() else SHAPES[::3]:
        for k in {1, 2, 3, 4, rng.randint(1, max(stride - 1, lines))}:
            stones = dense_stones(rng, stride, lines)
            expected = naive_line_cells(stones, k, stride, lines)
            assert has_line(stones, k, stride) == bool(expected), (stones, k, stride)
            cells = line_cells(stones, k, stride)
            found = {divmod(i, stride) for i in range(cells.bit_length()) if cells >> i & 1}
            assert found == expected, (stones, k, stride)


@kernel
def rows_of(stones: Any, k: int, stride: int, found: Any) -> None:
    """found (n,): whether each of stones (n,) has a row of k."""
    for i in range(len(stones)):
        found[i] = has_line(stones[i], k, stride)


@needs_compiler
def test_rows_compiled() -> None:
    """On every board, for every k; where shifts by 64 and more leave nothing, compiled too."""
    rng, wrong = Random(22), []
    for stride, lines in SHAPES:
        stones = np.array([dense_stones(rng, stride, lines) for _ in range(12)])
        for k in range(1, max(stride - 1, lines) + 1):
            found, plain = np.zeros((2, len(stones)), np.bool_)
            rows_of(stones, k, stride, found)
            rows_of.plain(stones.tolist(), k, stride, plain)
            if (found != plain).any():
                wrong.append((int(stones[np.argmax(found != plain)]), k, stride))
    assert not wrong, f"(stones, k, stride): {wrong[:5]} and {len(wrong)} in all"


# ---- compiled against plain, whole games


@kernel
def trace(position: Any, line: Any, seen: Any, planes: Any) -> int:
    """Play the legal ones of line (n,) until the end; how many rows of seen are written.

    seen (n + 1, 5 + num_words): is_terminal, to_move, utility of player 0, the legal actions
    counted and summed, and the packed state after each move; planes (2, *shape): the last view.
    """
    written = 0
    for i in range(len(line) + 1):
        row = seen[written]
        row[0] = position.is_terminal()
        row[1] = position.to_move
        if position.is_terminal():
            row[2] = int(1000 * position.utility(0))
        for action in range(position.num_actions):
            if position.legal(action):
                row[3] += 1
                row[4] += action * action
        pack(position, row[5:])
        written += 1
        if i == len(line) or position.is_terminal():
            break
        if position.legal(line[i]):
            position = position.play(line[i])
    position.observe(0, planes[0])
    position.observe(1, planes[1])
    return written


def same_compiled(position: Any, rng: Random) -> None:
    """One random line of play, compiled and plain."""
    if isinstance(position, ConnectFour):
        actions = list(range(position.width)) * position.height
    elif isinstance(position, ThirtyOne):
        actions = list(range(position.highest)) * position.copies
    else:
        actions = list(range(position.num_actions))
    rng.shuffle(actions)
    if isinstance(position, Hex) and position.swap and rng.random() < 0.5:
        actions.insert(1, position.num_actions - 1)
    line, results = np.array(actions), []
    for how in (trace, trace.plain):
        seen = np.zeros((len(line) + 1, 5 + num_words(position)), np.int64)
        planes = np.zeros((2, *position.observation_shape), np.int32)
        steps = how(position, line if how is trace else actions, seen, planes)
        results.append((steps, seen[:steps].tolist(), planes.tolist()))
    compiled, plain = results
    assert compiled == plain, f"{position!r} after {actions}"


@needs_compiler
@pytest.mark.parametrize(
    ("maker", "count"),
    [(tic_tac_toe, 500), (connect_four, 500), (thirty_one, 500)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_random_sizes_compiled(maker: Maker, count: int) -> None:
    rng = Random(31)
    for _ in range(count):
        same_compiled(maker(rng)[0], rng)


@needs_compiler
@pytest.mark.parametrize(
    ("position", "count"),
    [(TicTacToe(), 300), (ConnectFour(), 300), (ThirtyOne(), 300), (ThirtyOne(num_players=3), 200)],
    ids=lambda value: type(value).__name__,
)
def test_usual_sizes_compiled(position: Position, count: int) -> None:
    rng = Random(32)
    for _ in range(count):
        same_compiled(position, rng)


@needs_compiler
@pytest.mark.parametrize(
    ("size", "count"), [(2, 100), (3, 200), (4, 200), (5, 200), (6, 200), (7, 200)]
)
def test_hex_in_one_word_compiled(size: int, count: int) -> None:
    rng = Random(33)
    for _ in range(count):
        same_compiled(Hex(size, rng.random() < 0.3), rng)


@needs_compiler
@pytest.mark.parametrize(("size", "count"), [(8, 150), (9, 100), (10, 80), (11, 40), (13, 30)])
def test_hex_in_wide_words_compiled(size: int, count: int) -> None:
    rng = Random(34)
    for _ in range(count):
        same_compiled(Hex(size, rng.random() < 0.3), rng)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("size", range(2, 20))
def test_hex_of_every_size_compiled(size: int) -> None:
    rng = Random(35)
    for _ in range(100):
        same_compiled(Hex(size, rng.random() < 0.3), rng)
