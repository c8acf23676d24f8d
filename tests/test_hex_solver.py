"""HexSolver: right at every small position, by the published maps, and its parts one by one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from adv_envs import ConnectFour, Hex
from adv_envs.jit import disabled
from adv_envs.testing import check_agent
from agents import AlphaBeta, HexSolver, Perfect, make
from agents.games.hex import must_play, winner_by_connections
from agents.games.hex.evaluations import two_distance
from agents.games.hex.inferior_cells import fill_in
from agents.games.hex.proof import FOUND_CARRIER, hex_arrays, prove
from agents.games.hex.solver import (
    OPENINGS,
    read_openings,
    solve_openings,
    winning_openings,
    write_openings,
)
from agents.games.hex.virtual_connections import (
    CONNECTED,
    FULL,
    FULLS,
    SEMI,
    SEMIS,
    all_cells,
    board_tables,
    cells_of,
    connections_of,
    h_search,
    signed,
    stones_of,
)

MAPS = {
    2: ".W/W.",
    3: "..W/WWW/W..",
    4: "...W/..W./.W../W...",
    5: "....W/.WWWW/.WWW./WWWW./W....",
    6: ".....W/.WWWWW/WWWWWW/WWWWWW/WWWWW./W.....",
}
"""The first moves that win; to 5 by brute force, 6 from the literature."""

Stones = tuple[int, int]

compiled_only = pytest.mark.skipif(disabled(), reason="takes long in plain Python")


# ---- brute force, on sets of cells


def beside(cell: int, size: int) -> list[int]:
    row, column = divmod(cell, size)
    steps = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    around = [(row + down, column + right) for down, right in steps]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def flood(start: int, stones: int, size: int) -> int:
    """The cells of ``stones`` that are joined to ``start``."""
    reached, todo = 0, list(cells_of(start & stones))
    while todo:
        cell = todo.pop()
        if not reached >> cell & 1:
            reached |= 1 << cell
            todo += [other for other in beside(cell, size) if stones >> other & 1]
    return reached


def edges(player: int, size: int) -> Stones:
    """The cells on the first and on the last edge of a player."""
    rows = [sum(1 << row * size + column for column in range(size)) for row in (0, size - 1)]
    columns = [sum(1 << row * size + column for row in range(size)) for column in (0, size - 1)]
    return (rows[0], rows[1]) if player == 0 else (columns[0], columns[1])


def joined(stones: int, player: int, size: int) -> bool:
    first, last = edges(player, size)
    return flood(first, stones, size) & last != 0


@cache
def winner(zero: int, one: int, player: int, size: int) -> int:
    """Who wins if ``player`` is to move."""
    for who, stones in enumerate((zero, one)):
        if joined(stones, who, size):
            return who
    for cell in range(size * size):
        stone = 1 << cell
        if not (zero | one) & stone:
            after = (zero | stone, one) if player == 0 else (zero, one | stone)
            if winner(*after, 1 - player, size) == player:
                return player
    return 1 - player


def positions(size: int, empty: range, number: int, seed: int) -> Iterator[Stones]:
    """Random stones, as many of one player as of the other, more or less; nobody has won."""
    rng, cells = Random(seed), size * size
    while number:
        chosen = rng.sample(range(cells), cells - rng.choice(empty))
        half = len(chosen) // 2 + rng.randrange(2)
        zero, one = (sum(1 << cell for cell in part) for part in (chosen[:half], chosen[half:]))
        if not joined(zero, 0, size) and not joined(one, 1, size):
            yield zero, one
            number -= 1


def every_position(size: int) -> Iterator[Stones]:
    """Every set of stones with which nobody has won, whoever set how many."""
    for zero in range(1 << size * size):
        for one in range(1 << size * size):
            if zero & one == 0 and not joined(zero, 0, size) and not joined(one, 1, size):
                yield zero, one


# ---- the solver


@pytest.mark.parametrize(
    "size",
    [
        *(2, 3, pytest.param(4, marks=compiled_only), pytest.param(5, marks=compiled_only)),
        *(pytest.param(size, marks=pytest.mark.slow) for size in (6, 7)),
    ],
)
def test_openings(size: int) -> None:
    table_mb = {} if size > 5 else {"table_mb": 8}
    assert solve_openings(size, **table_mb) == (MAPS.get(size) or read_openings(OPENINGS)[size])


def test_the_table_of_openings_agrees_with_the_maps_and_with_symmetry() -> None:
    table = read_openings(OPENINGS)
    assert {size: rows for size, rows in table.items() if size in MAPS} == MAPS
    for rows in table.values():
        assert rows == rows[::-1], "the board looks the same when it is turned"
    solver = HexSolver()
    values = solver.values(Hex(7))
    assert [a for a in values if values[a] > 0] == sorted(winning_openings(7) or ())
    assert values[24] == -solver.value(Hex(7).play(24)) == solver.value(Hex(7)) == 1


@pytest.mark.parametrize("size", [2, 3])
def test_every_position_and_every_carrier(size: int) -> None:
    arrays, answer = hex_arrays(size, 1), np.zeros(2, np.int64)
    chosen = list(every_position(size))
    if disabled():
        chosen = Random(1).sample(chosen, 20)
    for zero, one in chosen:
        for player in (0, 1):
            value = prove(zero, one, player, answer, arrays)
            who = winner(zero, one, player, size)
            assert (value > 0) == (who == player), (zero, one, player)
            outside = (1 << size * size) - 1 & ~int(answer[FOUND_CARRIER]) & ~(zero | one)
            worst = (zero, one | outside) if who == 0 else (zero | outside, one)
            assert winner(*worst, player, size) == who, (zero, one, player)


@compiled_only
def test_a_board_that_fills_a_word() -> None:
    arrays, answer = hex_arrays(8, 1), np.zeros(2, np.int64)
    winners = set()
    for zero, one in positions(8, range(6, 9), 10, seed=1):
        for player in (0, 1):
            stones = signed(zero), signed(one)
            value = prove(*stones, player, answer, arrays)
            winners.add(who := winner(zero, one, player, 8))
            assert (value > 0) == (who == player), (zero, one, player)
    assert winners == {0, 1}


@compiled_only
@pytest.mark.parametrize(
    ("number", "size", "plies"),
    [
        (300, 4, range(3, 12)),
        pytest.param(3000, 4, range(2, 12), marks=pytest.mark.slow),
        pytest.param(300, 5, range(9, 18), marks=pytest.mark.slow),
    ],
)
def test_values_are_those_of_alpha_beta(number: int, size: int, plies: range) -> None:
    rng, solver, reference = Random(size), HexSolver(table_mb=8), AlphaBeta(depth=99)
    while number:
        position = Hex(size)
        for _ in range(rng.choice(plies)):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal():
            values = solver.values(position)
            expected = {a: -reference.value(position.play(a)) for a in position.legal_actions()}
            assert values == expected, position
            assert solver.value(position) == max(values.values())
            number -= 1


def test_best_play_wins_to_the_end() -> None:
    for size, moves in ((3, "b3"), (3, "a1"), *(() if disabled() else ((5, "c3 b4"), (6, "")))):
        start = Hex(size).after(moves)
        result = HexSolver().analyse(start)
        assert result.proven
        assert result.action == result.principal_variation[0]
        end = start.after(result.principal_variation)
        assert end.is_terminal()
        assert end.utility(start.to_move) == result.value


@compiled_only
def test_whoever_wins_beats_alpha_beta() -> None:
    solver, rng = HexSolver(), Random(1)
    for _ in range(5):
        position = Hex(5).play(rng.randrange(25))
        winning = position.to_move if solver.value(position) > 0 else 1 - position.to_move
        while not position.is_terminal():
            mine = position.to_move == winning
            action = solver.act(position) if mine else rng.choice(position.legal_actions())
            position = position.play(action)
        assert position.utility(winning) == 1


def resisted(start: Hex, defend: Any) -> int:
    """Plies that the loser, who moves first, holds out against the solver."""
    solver, position = HexSolver(), start
    while not position.is_terminal():
        mine = position.to_move == start.to_move
        position = position.play(defend(position) if mine else solver.act(position))
    assert position.utility(start.to_move) == -1
    return position.ply - start.ply


@compiled_only
def test_the_loser_resists() -> None:
    """Longer than whoever plays any move, in sum over lost positions."""
    rng, solver, ours, others = Random(4), HexSolver(), 0, 0
    for _ in range(12):
        start = Hex(5)
        while solver.value(start) > 0:
            start = Hex(5).after(rng.sample(range(25), 3))
        ours += resisted(start, solver.act)
        others += resisted(start, lambda position: rng.choice(position.legal_actions()))
    assert ours > 1.3 * others, (ours, others)


def test_replies_to_stored_openings_are_known_at_once() -> None:
    solver = HexSolver()
    assert set(solver.values(Hex(6).play(14)).values()) == {-1}
    assert solver.nodes == 0, "nothing was searched"


def test_an_even_opening_where_it_may_be_swapped() -> None:
    size = 3 if disabled() else 5
    opening = HexSolver().act(Hex(size, swap=True))
    assert opening != size * size // 2
    ahead = {a: abs(two_distance(Hex(size).play(a))) for a in range(size * size)}
    assert ahead[opening] == min(ahead.values())


def test_swap() -> None:
    solver, size = HexSolver(), 2 if disabled() else 4
    start, plain, swap = Hex(size, swap=True), Hex(size), size * size
    assert solver.value(start) == -1
    assert set(solver.values(start).values()) == {-1}
    for opening, value in solver.values(plain).items():
        position = start.play(opening)
        result = solver.analyse(position)
        assert result.value == solver.value(position) == 1
        assert (result.action == swap) == (value > 0)
        values = solver.values(position)
        assert values[swap] == value
        assert values[swap] == -solver.value(position.play(swap))
        others = {action: v for action, v in values.items() if action != swap}
        assert others == solver.values(plain.play(opening))
        assert position.after(result.principal_variation).utility(position.to_move) == 1


def test_limits_and_other_games() -> None:
    solver = HexSolver()
    largest = 7 if disabled() else 8
    for ask in (solver.act, solver.value, solver.values):
        with pytest.raises(ValueError, match=f"up to {largest} x {largest}, not size=11"):
            ask(Hex(11))
        with pytest.raises(ValueError, match="solves hex, not ConnectFour"):
            ask(ConnectFour())
    over = Hex(2).after("a1 b1 a2")
    assert solver.value(over) == -1
    assert solver.values(over) == {}
    with pytest.raises(ValueError, match="the game is over"):
        solver.act(over)
    for name, value in (("seconds", 0), ("table_mb", -1)):
        with pytest.raises(ValueError, match=f"{name} must be more than 0"):
            HexSolver(**{name: value})


@compiled_only
def test_a_budget_ends_in_a_legal_move() -> None:
    solver = HexSolver(seconds=0.1, book=False)
    solver.act(Hex(2))
    results = list(solver.analysis(Hex(7).play(6)))
    assert not results[-1].proven
    assert results[-1].value == 0
    assert results[-1].action in Hex(7).play(6).legal_actions()


@compiled_only
def test_results_improve_and_a_small_table_does() -> None:
    position = Hex(6).after("a1")
    results = list(HexSolver(table_mb=0.01).analysis(position))
    assert [result.proven for result in results] == [False] * (len(results) - 1) + [True]
    assert results[-1].value == 1
    assert all(a.nodes < b.nodes for a, b in pairwise(results))


@compiled_only
def test_two_threads_with_one_solver() -> None:
    solver = HexSolver(book=False)
    starts = [Hex(5).play(cell) for cell in (0, 12, 3, 7)]
    with ThreadPoolExecutor(4) as pool:
        results = [*pool.map(solver.analyse, starts)]
    assert sorted(result.value for result in results) == [-1, -1, 1, 1]


def test_laws_and_names() -> None:
    check_agent(HexSolver(), Hex(2 if disabled() else 4, swap=True), games=3, make=make)
    assert repr(make("hex_solver(table_mb=8)")) == "hex_solver(table_mb=8)"
    assert Perfect().value(Hex(3)) == 1
    assert type(Perfect().solver(Hex(3))) is HexSolver


def test_a_torn_table_is_refused(tmp_path: Path) -> None:
    whole = OPENINGS.read_text()
    for torn in ("", whole[:-9], whole.replace("W", ".", 1), whole.replace("version 1", "2")):
        file = tmp_path / "openings.txt"
        file.write_text(torn)
        with pytest.raises(ValueError, match=r"torn.*make it again with"):
            read_openings(file)
    write_openings(MAPS, file)
    assert read_openings(file) == MAPS
    assert winning_openings(9) is None


# ---- its parts


def test_filling_in_changes_no_value() -> None:
    count = 3 if disabled() else 150
    filled = 0
    for size, empty in ((3, range(2, 9)), (4, range(4, 9))):
        for zero, one in positions(size, empty, count, seed=size):
            z, o, dead = fill_in(
                zero, one, all_cells(size * size) & ~(zero | one), board_tables(size)
            )
            assert z & o == 0
            assert (z & zero, o & one) == (zero, one)
            filled += (z | o) != (zero | one)
            for player in (0, 1):
                who = winner(zero, one, player, size)
                assert winner(z, o, player, size) == who
                for other in (z & ~dead, o | dead), (z, o):  # of whichever colour they are
                    assert winner(*other, player, size) == who
    assert filled > 2


def holds(
    ends: Stones, carrier: int, own: int, size: int, player: int, mine: bool, edge: Stones
) -> bool:
    """Whether a connection holds: the owner plays in ``carrier``, or the opponent if not ``mine``.

    Points from cells on are edges, whose cells are ``edge``.
    """
    cells = size * size

    def reach(point: int) -> int:
        return edge[point - cells] if point >= cells else 1 << point

    stones = own | sum(1 << point for point in ends if point < cells)
    first, last = (reach(point) for point in ends)
    if flood(first & stones, stones, size) & last:
        return True
    moves = [1 << cell for cell in cells_of(carrier)]
    if mine:
        return any(holds(ends, carrier ^ m, own | m, size, player, False, edge) for m in moves)
    if not moves:
        return False
    return all(holds(ends, carrier ^ m, own, size, player, True, edge) for m in moves)


@pytest.mark.parametrize(("size", "empty"), [(3, range(3, 10)), (4, range(5, 13))])
def test_every_connection_holds(size: int, empty: range) -> None:
    cells, connections, checked = size * size, connections_of(size), 0
    number = 2 if disabled() else 40
    for zero, one in positions(size, empty, number, seed=7):
        for player, own, opp in ((0, zero, one), (1, one, zero)):
            h_search(own, opp, player, CONNECTED, connections)
            pairs = connections.pairs
            for x in range(cells + 2):
                for y in range(x + 1, cells + 2):
                    row = pairs[x * (cells + 2) + y]
                    fulls = row[FULL : FULL + row[FULLS]].tolist()
                    semis = row[SEMI : SEMI + row[SEMIS]].tolist()
                    for carrier, mine in [(c, False) for c in fulls] + [(c, True) for c in semis]:
                        assert carrier & (own | opp) == 0
                        if carrier.bit_count() < 8:
                            ends, edge = (x, y), edges(player, size)
                            assert holds(ends, carrier, own, size, player, mine, edge)
                            checked += 1
    assert checked > 20


def test_connections_are_sound_and_moves_outside_must_play_lose() -> None:
    known = 0
    rng, size = Random(3), 3 if disabled() else 4
    for _ in range(4 if disabled() else 60):
        position = Hex(size)
        for _ in range(rng.randrange(size * size // 2 - 2, size * size - 4)):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        if position.is_terminal():
            continue
        who = winner(*stones_of(position), position.to_move, size)
        claimed = winner_by_connections(position)
        known += claimed is not None
        assert claimed in (who, None)
        inside = must_play(position)
        for action in position.legal_actions():
            if action not in inside:
                after = position.play(action)
                assert winner(*stones_of(after), after.to_move, size) != position.to_move
    assert known > 0
