"""The Connect Four solver against published numbers, brute force and another solver."""

import itertools
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

from adv_envs import ConnectFour, TicTacToe
from adv_envs.bits import has_line
from adv_envs.jit import disabled
from agents import Retrograde
from agents.games.connect_four import ConnectFourSolver
from agents.games.connect_four.book import position_key
from agents.games.connect_four.exact_search import (
    completing,
    constants,
    mirrored_key,
    new_table,
    probe,
    store,
)
from agents.search.limits import ABORTED, NODES, counters

SOLVER = ConnectFourSolver(book=False, table_mb=8)

LONG = [pytest.mark.slow, pytest.mark.skipif(disabled(), reason="many nodes")]
ENDGAMES = 30 if disabled() else 12
"""From how many stones on random positions of the full board are cheap."""


def random_positions(
    start: ConnectFour, number: int, seed: int, least: int = 0
) -> Iterator[ConnectFour]:
    """Unfinished positions after random moves, at all depths from ``least`` on."""
    rng = random.Random(seed)
    while number:
        position, plies = start, rng.randrange(least, start.height * start.width)
        while not position.is_terminal() and position.ply < plies:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal():
            number -= 1
            yield position


def moves_of(position: ConnectFour) -> list[int]:
    """Some order of play that leads to ``position``, as columns."""
    stack: list[tuple[ConnectFour, list[int]]] = [(position, [])]
    while True:
        here, moves = stack.pop()
        if here.ply == 0:
            return moves[::-1]
        for column in range(here.width):
            cells = [here.bit(row, column) for row in range(here.height)]
            tops = [cell for cell in cells if (here.own | here.opp) >> cell & 1]
            if tops and here.opp >> tops[0] & 1:
                before = here.opp & ~(1 << tops[0])
                stack.append(
                    (ConnectFour(*here[:3], before, here.own, here.ply - 1), [*moves, column])
                )


@cache
def brute_force(position: ConnectFour) -> int:
    """The score by looking at everything."""
    cells = position.height * position.width
    if position.lost():
        return -((cells + 2 - position.ply) // 2)
    return max((-brute_force(position.play(a)) for a in position.legal_actions()), default=0)


# ---- scores


@pytest.mark.parametrize(
    ("moves", "score"), [("4455", 18), ("44455554221", -15), ("76461241141", -1)]
)
def test_published_scores(moves: str, score: int) -> None:
    if disabled() and score == -1:
        pytest.skip("millions of nodes")
    assert SOLVER.value(ConnectFour().after(moves)) == score  # ORACLES


@pytest.mark.parametrize(
    "size", [(4, 4), (4, 5), *(pytest.param(size, marks=LONG) for size in ((5, 4), (3, 6), (2, 7)))]
)
def test_small_boards_against_brute_force(size: tuple[int, int]) -> None:
    for position in random_positions(ConnectFour(*size), 20 if disabled() else 150, 1, 8):
        assert SOLVER.value(position) == brute_force(position), repr(position)
        values = {a: -brute_force(position.play(a)) for a in position.legal_actions()}
        assert SOLVER.values(position) == values, repr(position)


@pytest.mark.skipif(disabled(), reason="161,029 positions")
def test_every_position_of_4x4_with_eight_stones_or_more() -> None:
    layer = {ConnectFour(4, 4)}
    for ply in range(1, 17):
        layer = {p.play(a) for p in layer for a in p.legal_actions()}
        if ply >= 8:
            assert SOLVER.scores([*layer]) == [*map(brute_force, layer)]


def test_weak_scores_are_the_signs_of_strong_ones() -> None:
    weak = ConnectFourSolver(book=False, weak=True, table_mb=8)
    retrograde = Retrograde()
    for position in random_positions(ConnectFour(4, 4), 10 if disabled() else 100, 2, 9):
        assert weak.value(position) == np.sign(SOLVER.value(position))
        assert weak.value(position) == retrograde.value(position)


@pytest.mark.skipif(disabled(), reason="many nodes")
@pytest.mark.parametrize("size", [(4, 4), (4, 5)])
def test_empty_boards_are_draws(size: tuple[int, int]) -> None:
    assert SOLVER.value(ConnectFour(*size)) == 0  # ORACLES: 4x4 and 5x4


@pytest.mark.slow
@pytest.mark.skipif(disabled(), reason="many nodes")
@pytest.mark.parametrize(
    ("size", "moves", "sign"),
    [
        ((5, 4), "", 0),
        ((5, 5), "", 0),
        ((5, 6), "", 0),
        ((6, 6), "", -1),
        ((6, 7), "45461667", 1),  # the inputs of Fhourstones
        ((6, 7), "35333571", -1),
    ],
)
def test_values_of_larger_boards(size: tuple[int, int], moves: str, sign: int) -> None:
    weak = ConnectFourSolver(book=False, weak=True, table_mb=256)
    assert weak.value(ConnectFour(*size).after(moves)) == sign


@pytest.mark.slow
@pytest.mark.skipif(disabled(), reason="billions of nodes")
def test_the_empty_board() -> None:
    assert ConnectFourSolver(book=False, table_mb=512).value(ConnectFour()) == 1


@pytest.mark.parametrize(
    ("number", "least"), [(100, 34 if disabled() else 14), pytest.param(1000, 7, marks=LONG)]
)
def test_against_bitbully(number: int, least: int) -> None:
    bitbully = pytest.importorskip("bitbully")
    oracle = bitbully.BitBully(opening_book=None)
    positions = list(random_positions(ConnectFour(), number, 3, least))
    for position, score in zip(positions, SOLVER.scores(positions), strict=True):
        assert score == oracle.mtdf(bitbully.Board(moves_of(position))), repr(position)


# ---- best play


def test_the_line_is_best_play() -> None:
    for position in random_positions(ConnectFour(), 5, 5, ENDGAMES + 8):
        result = SOLVER.analyse(position)
        assert result.proven
        assert result.value == max(result.values.values()) == SOLVER.value(position)
        assert result.principal_variation[0] == result.action
        here, value = position, result.value
        for action in result.principal_variation:
            assert SOLVER.values(here)[action] == value
            here, value = here.play(action), -value
        assert here.is_terminal()


def test_results_improve() -> None:
    position = ConnectFour().after("44444435555622")
    results = list(SOLVER.analysis(position))
    assert [len(r.values) for r in results] == [*range(1, len(results)), len(results) - 1]
    assert all(a.value <= b.value for a, b in itertools.pairwise(results))
    assert [r.proven for r in results] == [False] * (len(results) - 1) + [True]


def test_finished_games() -> None:
    lost = ConnectFour().after("1212121")
    assert SOLVER.value(lost) == -18  # with the fourth of 21 stones
    assert SOLVER.values(lost) == {}
    with pytest.raises(ValueError, match="the game is over"):
        SOLVER.analyse(lost)
    with pytest.raises(ValueError, match="the game is over"):
        SOLVER.act(lost)


# ---- what it refuses


def test_refusals() -> None:
    small = ConnectFourSolver(table_mb=1)
    for ask, given, says in (
        (SOLVER.value, TicTacToe(), "solves connect_four, not TicTacToe"),
        (SOLVER.value, ConnectFour(4, 4, 3), "solves four in a row, not k=3"),
        (SOLVER.scores, [ConnectFour(), ConnectFour(4, 4)], "of one board"),
        (small.value, ConnectFour(6, 9), r"table_mb=1 is too small: a board of 6 x 9 needs"),
    ):
        with pytest.raises(ValueError, match=says):
            ask(given)  # type: ignore[operator]
    with pytest.raises(ValueError, match="table_mb must be more than 0, not 0"):
        ConnectFourSolver(table_mb=0)


# ---- the table


def test_a_small_table_gives_the_same_scores() -> None:
    small = ConnectFourSolver(book=False, table_mb=0.5)
    positions = list(random_positions(ConnectFour(), 10 if disabled() else 40, 6, ENDGAMES + 4))
    assert small.scores(positions) == SOLVER.scores(positions)
    (search,) = small._searches.values()
    assert search.table.nbytes <= 2**19


def test_tags_tell_all_positions_apart() -> None:
    """In a table of one bucket everything clashes, and only the tag says what is what."""
    bound = constants(4, 4)
    table, shift = new_table(bound | {"NEAR_BITS": 0}, 64 / 2**20)
    names: dict[str, Any] = {**bound, "NEAR_BITS": 0, "NEAR_FROM": 99}
    put, get = store.bind_used(**names), probe.bind_used(**names)
    seen: dict[int, int] = {}
    rng = random.Random(7)
    for _ in range(300):
        product, score = rng.randrange(1, 1 << bound["KEY_BITS"]), rng.randrange(-8, 9)
        score = seen.setdefault(product, score)
        put(product, score, score, 3, table, shift)
        for other, known in seen.items():
            assert get(other, 3, table, shift) in ((-64, 64), (known, known))
        assert get(product, 3, table, shift) == (score, score)


def test_numbers_are_unique_up_to_mirror_images() -> None:
    layer = {ConnectFour(4, 4)}
    for _ in range(4 if disabled() else 6):
        layer = {p.play(a) for p in layer for a in p.legal_actions()}
    numbers: dict[int, set[str]] = {}
    for position in layer:
        rows = position.rows()
        image = min(str(rows), str([row[::-1] for row in rows]))
        numbers.setdefault(position_key(position), set()).add(image)
    assert all(len(images) == 1 for images in numbers.values())
    assert len(numbers) == len(set.union(*numbers.values()))


# ---- bitboards


def test_threats_on_boards() -> None:
    for position in random_positions(ConnectFour(), 50, 8):
        cells, threats = range(49), completing(position.own)
        for row, column in itertools.product(range(6), range(7)):
            cell = 1 << position.bit(row, column)
            if not (position.own | position.opp) & cell:
                assert (threats & cell != 0) == has_line(position.own | cell, 4, 7)
        assert mirrored_key(mirrored_key(position.own)) == position.own
        assert threats >> max(cells) + 1 == 0


# ---- threads and interruption


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_threads_share_a_solver() -> None:
    positions = list(random_positions(ConnectFour(), 60, 9, 12))
    shared = ConnectFourSolver(book=False, table_mb=4)

    def solve(some: list[ConnectFour]) -> list[float]:
        return [shared.value(position) for position in some]

    with ThreadPoolExecutor(2) as pool:
        found = [*pool.map(solve, (positions, positions[::-1]))]
    assert found[0] == found[1][::-1] == SOLVER.scores(positions)


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_a_search_stops_when_asked() -> None:
    counts = counters(300_000)
    SOLVER._score(ConnectFour(), counts)
    assert counts[ABORTED] == 1
    assert 300_000 <= counts[NODES] < 310_000
