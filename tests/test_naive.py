"""The naive games reproduce numbers that others computed or published; each test names its source.

ORACLES is the project's table of such numbers, recomputed by an independent program or quoted.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from random import Random
from typing import TypeVar

import pytest
from naive import (
    FIG52,
    NaiveBoardGame,
    NaiveConnectFour,
    NaiveGame,
    NaiveHex,
    NaiveThirtyOne,
    NaiveTicTacToe,
    NaiveTree,
    children,
    count_positions,
    perft,
    positions,
    random_game,
)

T = TypeVar("T")


def fold(game: NaiveGame, combine: Callable[[NaiveGame, list[T]], T]) -> dict[Hashable, T]:
    """Every reachable position's value, made from the values of its children (none: it is over)."""
    values: dict[Hashable, T] = {}

    def visit(position: NaiveGame) -> T:
        key = position.key()
        if key not in values:
            values[key] = combine(position, [visit(child) for child in children(position)])
        return values[key]

    visit(game)
    return values


def minimax(game: NaiveGame, values: list[float]) -> float:
    """The value for player 0 of a game of two."""
    if not values:
        return game.utility(0)
    return max(values) if game.to_move == 0 else min(values)


def value(game: NaiveGame) -> float:
    return fold(game, minimax)[game.key()]


def by_ply(game: NaiveGame) -> Iterator[list[tuple[NaiveGame, int]]]:
    """For ply 0, 1, ...: the different positions, each with the number of ways to get there."""
    level = {game.key(): (game, 1)}
    while level:
        yield list(level.values())
        following: dict[Hashable, tuple[NaiveGame, int]] = {}
        for parent, ways in level.values():
            for child in children(parent):
                _, others = following.get(child.key(), (child, 0))
                following[child.key()] = (child, others + ways)
        level = following


def after(game: NaiveGame, *actions: int) -> NaiveGame:
    """This game after these actions, the given one untouched."""
    game = game.copy()
    for action in actions:
        game.play(action)
    return game


# Tic-tac-toe


def test_tic_tac_toe_positions() -> None:
    """ORACLES: 5,478 positions, 4,520 of them not terminal; 626 X wins, 316 O wins, 16 draws."""
    assert count_positions(NaiveTicTacToe()) == (5478, 5478 - 4520)
    results = Counter(p.utility(0) for p in positions(NaiveTicTacToe()) if p.is_over())
    assert results == {1.0: 626, -1.0: 316, 0.0: 16}


def test_tic_tac_toe_positions_by_ply() -> None:
    """ORACLES: 1 9 72 252 756 1260 1520 1140 390 78."""
    counts = [len(level) for level in by_ply(NaiveTicTacToe())]
    assert counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]


def test_tic_tac_toe_positions_up_to_symmetry() -> None:
    """ORACLES: 765."""

    def images(stones: dict[tuple[int, int], int]) -> Iterator[frozenset[tuple[int, int, int]]]:
        image = [(row, column, owner) for (row, column), owner in stones.items()]
        for _ in range(4):
            image = [(column, 2 - row, owner) for row, column, owner in image]
            yield frozenset(image)
            yield frozenset((row, 2 - column, owner) for row, column, owner in image)

    boards = [p for p in positions(NaiveTicTacToe()) if isinstance(p, NaiveBoardGame)]
    assert len({frozenset(images(board.stones)) for board in boards}) == 765


def test_tic_tac_toe_games() -> None:
    """ORACLES: 255,168 games, of which X wins 131,184 and O 77,904, and 46,080 are draws."""
    games: Counter[float] = Counter()
    for level in by_ply(NaiveTicTacToe()):
        for position, ways in level:
            if position.is_over():
                games[position.utility(0)] += ways
    assert games == {1.0: 131184, -1.0: 77904, 0.0: 46080}
    assert games.total() == 255168


@pytest.mark.parametrize(
    ("result", "chance"),
    [(1.0, Fraction(737, 1260)), (-1.0, Fraction(121, 420)), (0.0, Fraction(8, 63))],
)
def test_tic_tac_toe_random_play(result: float, chance: Fraction) -> None:
    """ORACLES: random play gives X 737/1260, O 121/420, draw 8/63."""

    def mean(game: NaiveGame, chances: list[Fraction]) -> Fraction:
        if not chances:
            return Fraction(game.utility(0) == result)
        return sum(chances, Fraction(0)) / len(chances)

    game = NaiveTicTacToe()
    assert fold(game, mean)[game.key()] == chance


@pytest.mark.parametrize(("size", "expected"), [((3, 3, 3), 0.0), ((3, 3, 2), 1.0)])
def test_tic_tac_toe_values(size: tuple[int, int, int], expected: float) -> None:
    """ORACLES: 3,3,3 is a draw, 3,3,2 a win for the first player."""
    assert value(NaiveTicTacToe(*size)) == expected


def test_tic_tac_toe_332_positions() -> None:
    """ORACLES: height, width, k = 3, 3, 2 has 1,234 positions."""
    assert count_positions(NaiveTicTacToe(3, 3, 2))[0] == 1234


def test_tic_tac_toe_cells_and_observation() -> None:
    """By hand: action 1 is the middle of the top row, action 5 the right end of the second."""
    game = NaiveTicTacToe(height=2, width=3, k=3)
    game.play(1)
    game.play(5)
    assert (game.cell(0, 1), game.cell(1, 2), game.cell(0, 0)) == (0, 1, None)
    assert game.observation(0) == [[[0, 0], [1, 0], [0, 0]], [[0, 0], [0, 0], [0, 1]]]
    assert game.observation(1) == [[[0, 0], [0, 1], [0, 0]], [[0, 0], [0, 0], [1, 0]]]


# Connect Four


def test_connect_four_perft() -> None:
    """ORACLES: 7 49 343 2401 16807 117649 paths of 1..6 plies."""
    counts = [perft(NaiveConnectFour(), depth) for depth in range(1, 7)]
    assert counts == [7, 49, 343, 2401, 16807, 117649]


def test_connect_four_positions_by_ply() -> None:
    """ORACLES: 1 7 49 238 1120 4263 positions at ply 0..5."""
    levels = by_ply(NaiveConnectFour())
    assert [len(next(levels)) for _ in range(6)] == [1, 7, 49, 238, 1120, 4263]


def test_connect_four_random_play() -> None:
    """ORACLES: random play, first player wins 55.56 %, mean length 21.31 plies."""
    rng = Random(4)
    games = [list(random_game(NaiveConnectFour(), rng)) for _ in range(600)]
    wins = sum(game[-1][0].utility(0) == 1.0 for game in games)
    assert wins / 600 == pytest.approx(0.5556, abs=0.06)
    assert sum(map(len, games)) / 600 == pytest.approx(21.31, abs=1)


@pytest.mark.parametrize(
    ("columns", "winner"),
    [
        ([0, 0, 1, 1, 2, 2, 3], 0),  # across
        ([6, 0, 6, 0, 6, 0, 5, 0], 1),  # up
        ([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], 0),  # rising to the right
        ([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3], 0),  # falling to the right
    ],
)
def test_connect_four_wins_in_every_direction(columns: list[int], winner: int) -> None:
    """By hand: each list ends with the winning stone."""
    assert not after(NaiveConnectFour(), *columns[:-1]).is_over()
    game = after(NaiveConnectFour(), *columns)
    assert game.is_over()
    assert (game.utility(winner), game.utility(1 - winner)) == (1.0, -1.0)


def test_connect_four_stones_fall_and_columns_fill() -> None:
    """By hand: row 0 is the top one, and a full column is no longer an action."""
    game = NaiveConnectFour(height=2, width=3)
    game.play(2)
    game.play(2)
    assert (game.cell(1, 2), game.cell(0, 2)) == (0, 1)
    assert game.actions() == [0, 1]
    assert game.observation(1) == [[[0, 0], [0, 0], [1, 0]], [[0, 0], [0, 0], [0, 1]]]


# Hex


def test_hex_perft() -> None:
    """ORACLES: 3x3 to depth 6, 4x4 to depth 4."""
    counts = [perft(NaiveHex(3), depth) for depth in range(1, 7)]
    assert counts == [9, 72, 504, 3024, 15120, 54720]
    counts = [perft(NaiveHex(4), depth) for depth in range(1, 5)]
    assert counts == [16, 240, 3360, 43680]


def test_hex_perft_to_the_end() -> None:
    """ORACLES: 3x3, all nine depths, transpositions counted together."""
    counts = [sum(ways for _, ways in level) for level in by_ply(NaiveHex(3))]
    assert counts == [1, 9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960]


def test_hex_positions() -> None:
    """ORACLES: 2x2 32; 3x3 5,514, terminal 624 (first player) + 370 (second)."""
    assert count_positions(NaiveHex(2))[0] == 32
    assert count_positions(NaiveHex(3)) == (5514, 994)
    results = Counter(p.utility(0) for p in positions(NaiveHex(3)) if p.is_over())
    assert results == {1.0: 624, -1.0: 370}


@pytest.mark.parametrize("picture", ["W", ".W/W.", "..W/WWW/W.."])
def test_hex_winning_openings(picture: str) -> None:
    """ORACLES: the first stones that win, sizes 1 to 3, rows top to bottom."""
    game = NaiveHex(len(picture.split("/")))
    values = fold(game, minimax)
    wins = ["W" if values[child.key()] == 1.0 else "." for child in children(game)]
    assert wins == list(picture.replace("/", ""))
    assert values[game.key()] == 1.0


def test_hex_random_play() -> None:
    """ORACLES: random play on 7x7, first player wins 54.5 %; there are no draws."""
    rng = Random(7)
    games = [list(random_game(NaiveHex(7), rng)) for _ in range(300)]
    results = Counter(game[-1][0].utility(0) for game in games)
    assert results[1.0] + results[-1.0] == 300
    assert results[1.0] / 300 == pytest.approx(0.545, abs=0.09)


@pytest.mark.parametrize(
    ("actions", "over"),
    [
        ([1, 0, 2], True),  # player 0 on (0, 1) and (1, 0): they touch
        ([0, 1, 3], False),  # player 0 on (0, 0) and (1, 1): they do not
        ([0, 1, 3, 2], True),  # player 1 on (0, 1) and (1, 0) joins left and right
    ],
)
def test_hex_neighbours(actions: list[int], over: bool) -> None:
    """By hand, on 2x2: the short diagonal touches, the long one does not."""
    assert after(NaiveHex(2), *actions).is_over() is over


def test_hex_swap() -> None:
    """By hand: the first stone, mirrored, becomes player 1's, and player 0 is to move."""
    game = NaiveHex(3, swap=True)
    assert game.num_actions == 10
    assert 9 not in game.actions()
    game.play(1)
    assert game.actions() == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert 9 not in after(game, 0).actions()
    game.play(9)
    assert (game.cell(0, 1), game.cell(1, 0), game.to_move) == (None, 1, 0)
    assert game.actions() == [0, 1, 2, 4, 5, 6, 7, 8]
    assert 9 not in after(game, 0).actions()


@pytest.mark.parametrize("size", [2, 3])
def test_hex_swap_makes_the_second_player_win(size: int) -> None:
    """Literature: every opening wins or loses, and with the swap the second player picks."""
    assert value(NaiveHex(size)) == 1.0
    assert value(NaiveHex(size, swap=True)) == -1.0


# The Game of 31


def test_thirty_one_positions() -> None:
    """ORACLES: 3,551 reachable, 397 terminal: 331 at 31 and 66 stuck at 28..30."""
    assert count_positions(NaiveThirtyOne()) == (3551, 397)
    games = [p for p in positions(NaiveThirtyOne()) if isinstance(p, NaiveThirtyOne)]
    totals = Counter(game.total for game in games if game.is_over())
    assert totals[31] == 331
    assert totals[28] + totals[29] + totals[30] == 66
    assert totals.total() == 397


def test_thirty_one_first_player_wins() -> None:
    """ORACLES: the first player wins."""
    assert value(NaiveThirtyOne()) == 1.0


def test_thirty_one_last_mover_wins() -> None:
    """By hand: 6 6 6 6 5 leaves 2 to go; a 2 reaches 31 and the player then to move loses."""
    game = after(NaiveThirtyOne(), 5, 5, 5, 5, 4)
    assert game.actions() == [0, 1]
    game.play(1)
    assert game.is_over()
    assert (game.utility(0), game.utility(1)) == (-1.0, 1.0)


def test_thirty_one_stuck_below_the_limit() -> None:
    """By hand: limit 5, one token each of 1 and 3: after both, at 4, nothing is left."""
    game = after(NaiveThirtyOne(limit=5, copies=1, highest=3), 0, 2)
    assert game.is_over()
    assert (game.utility(0), game.utility(1)) == (-1.0, 1.0)


def test_thirty_one_with_three_players() -> None:
    """By hand: the one who cannot move loses 1, and the others share it."""
    game = after(NaiveThirtyOne(limit=4, num_players=3), 1, 1)
    assert game.to_move == 2
    assert [game.utility(player) for player in range(3)] == [0.5, 0.5, -1.0]


# The tree of figure 5.2


def test_fig52() -> None:
    """ORACLES, from AIMA figure 5.2: value 3 by a1, nine leaves."""
    game = NaiveTree(FIG52)
    assert count_positions(game) == (13, 9)
    assert value(game) == 3.0
    replies = {name: value(child) for name, child in zip(game.names(), children(game), strict=True)}
    assert replies == {"a1": 3.0, "a2": 2.0, "a3": 2.0}
    leaf = after(game, 0, 1)
    assert (leaf.utility(0), leaf.utility(1)) == (12.0, -12.0)


def test_tree_of_any_shape() -> None:
    """By hand: actions count the children, the widest node sets num_actions, a leaf is an end."""
    game = NaiveTree({"stop": 1, "go": {"x": -2.5, "y": {"z": 4}, "w": 0}})
    assert game.num_actions == 3
    assert game.actions() == [0, 1]
    assert after(game, 0).is_over()
    assert after(game, 1, 0).utility(1) == 2.5
    assert after(game, 1, 1).to_move == 0
    assert perft(game, 2) == 3


# Every game

GAMES: list[NaiveGame] = [
    NaiveTicTacToe(4, 3, 3),
    NaiveConnectFour(5, 4),
    NaiveHex(4, swap=True),
    NaiveThirtyOne(num_players=3),
    NaiveTree(FIG52),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_every_game(game: NaiveGame) -> None:
    """By the contract: random games end, sum to zero, refuse illegal actions, keep their copies."""
    start = game.key()
    for seed in range(30):
        before = game
        for position, action in random_game(game, Random(seed)):
            assert action in before.actions()
            assert after(before, action).key() == position.key() != before.key()
            illegal = set(range(-1, game.num_actions + 1)) - set(before.actions())
            for wrong in illegal:
                with pytest.raises(ValueError, match="is not one of"):
                    after(before, wrong)
            before = position
        assert before.is_over()
        assert before.actions() == []
        assert sum(map(before.utility, range(game.num_players))) == 0
    assert game.key() == start
