"""H-search from groups and edges: what it says is true, and it knows what every player knows."""

from random import Random
from typing import Any

import numpy as np
import pytest

from adv_envs import Hex
from adv_envs.jit import disabled
from agents import HexSolver
from agents.games.hex.sparse_h_search import (
    KEYS,
    MUST,
    empty_cells,
    owner_array,
    proven_moves,
    search_edges,
    words_for,
)
from agents.games.hex.virtual_connections import CONNECTED, NONE_FOUND, SEMI_CONNECTED

Found = tuple[int, list[str], list[str]]


def searched(
    size: int, zero: str, one: str = "", player: int = 0, enough: int = CONNECTED
) -> Found:
    """The answer for the stones of player 0 and 1, and the cells of MUST and KEYS by name."""
    owner = np.full(size * size, 2)
    for owned_by, stones in enumerate((zero, one)):
        for name in stones.split():
            owner[ord(name[0]) - ord("a") + size * (int(name[1:]) - 1)] = owned_by
    sets, found = search_edges(owner, player, size, enough)
    names = [
        [Hex(size).name(cell) for cell in empty_cells(sets[row], owner)] for row in (MUST, KEYS)
    ]
    return found, names[0], names[1]


# ---- true


@pytest.mark.parametrize(
    ("size", "plies", "number"), [(3, 5, 60), (4, 11, 120), (5, 19, 120), (6, 27, 60)]
)
def test_what_is_decided_is_true(size: int, plies: int, number: int) -> None:
    """Against exact values of every move, in random positions."""
    if disabled():
        plies, number = plies - 1, 6 if size < 5 else 0
    solver, rng, told, positions = HexSolver(), Random(size), 0, 0
    for _ in range(number):
        position: Any = Hex(size)
        for _ in range(rng.randrange(1 if size < 6 else 6, plies)):
            position = position.play(rng.choice(position.legal_actions()))
            if position.is_terminal():
                break
        if position.is_terminal():
            continue
        positions += 1
        known = proven_moves(position)
        told += bool(known)
        values = solver.values(position) if known else {}
        assert known == {action: values[action] for action in known}
    assert told >= 0.8 * positions


@pytest.mark.slow
def test_moves_decided_on_a_large_board_are_true() -> None:
    """On 7x7, in positions of games between players who know what they do."""
    from agents import MCTS

    solver, search, rng, told = HexSolver(), MCTS(300, knowledge=0, seed=1), Random(1), 0
    for _ in range(2):
        position: Any = Hex(7).play(rng.randrange(49))
        while not position.is_terminal():
            known = proven_moves(position)
            told += bool(known)
            if known:
                values = solver.values(position)
                assert known == {action: values[action] for action in known}
            position = position.play(search.act(position))
    assert told > 15


# ---- what is known of connections

COLUMN = "d1 d2 d3 d4 d5 d6 "
"""Stones of player 0 on 9x9, joined to the top."""


@pytest.mark.parametrize("size", [9, 11, pytest.param(13, marks=pytest.mark.slow)])
def test_a_chain_of_bridges(size: int) -> None:
    """On every other row a stone, from the second row to the one before the last."""
    stones = [f"{'abcdefghijklm'[size - 2 - row // 2]}{row}" for row in range(2, size, 2)]
    found, carrier, _ = searched(size, " ".join(stones))
    assert found == CONNECTED
    assert len(carrier) == size + 1, "two cells for every bridge, and for both edges"
    gap = stones.pop(1)
    found, _, keys = searched(size, " ".join(stones))
    assert found == SEMI_CONNECTED
    assert gap in keys
    assert searched(size, " ".join(stones[1:-1]))[0] == NONE_FOUND


def test_the_ziggurat() -> None:
    """A stone on the third row is joined to the edge if there is room on one side: template IIIa.

    Of d7 it is e7, c8 d8 e8, b9 c9 d9 e9 or, the other way, c7, b8 c8 d8, a9 b9 c9 d9.
    """
    chain = COLUMN + "d7"
    for walls in ("", "b8 a9 c7", "e8 e9 e7", "a9 b8"):
        assert searched(9, chain, walls)[0] == CONNECTED
    assert searched(9, chain, "b8 e8")[0] == SEMI_CONNECTED
    assert searched(9, chain, "e7 b9")[0] == SEMI_CONNECTED


def test_the_edge_template_of_the_fourth_row() -> None:
    """IVa: with room on both sides even a stone on the fourth row is joined to the edge."""
    found, carrier, _ = searched(11, "f1 f2 f3 f4 f5 f6 f7 f8")
    assert found == CONNECTED
    assert len(carrier) > 10
    assert searched(11, "f1 f2 f3 f4 f5 f6 f7 f8", "d9 f10 h9")[0] == SEMI_CONNECTED


def test_the_only_cell_left() -> None:
    wall = "a9 b9 d9 e9 f9 g9 h9 i9"
    assert searched(9, COLUMN + "d7 d8") == (CONNECTED, ["c9", "d9"], ["c9", "d9"])
    assert searched(9, COLUMN + "d7 d8", wall) == (SEMI_CONNECTED, ["c9"], ["c9"])
    assert searched(9, COLUMN + "d7 d8", wall + " c9")[0] == NONE_FOUND


def test_the_other_player_joins_the_other_edges() -> None:
    chain = "a4 b4 c4 d4 e4 f4 g4 h4"
    assert searched(9, "", chain, player=1)[:2] == (CONNECTED, ["i3", "i4"])
    assert searched(9, "", chain, player=0)[0] == NONE_FOUND


def test_the_must_play_region() -> None:
    """Of a threat: all other moves lose; of a joined player's opponent all do."""
    threat = Hex(9).after("d1 a1 d2 b8 d3 a3 d4 a4 d5 a5 d6 e8 d7")
    known = proven_moves(threat)
    assert set(known.values()) == {-1.0}
    left = {threat.name(action) for action in threat.legal_actions() if action not in known}
    assert "c9" in left, "in all of bridge and ziggurats, and it is needed"
    assert len(left) < 12, "it, and cells that player 0 captured"
    joined = threat.play(action(threat, "i1")).play(action(threat, "d8"))
    assert proven_moves(joined) == dict.fromkeys(joined.legal_actions(), -1.0)
    won = proven_moves(joined.play(action(joined, "i2")))
    assert set(won.values()) == {1.0}
    assert {joined.name(cell) for cell in won} <= {"c8", "b9", "c9", "d9"}, "what leads there"


def action(position: Hex, name: str) -> int:
    return next(a for a in position.legal_actions() if position.name(a) == name)


def test_nothing_is_known_of_an_empty_board() -> None:
    for size in (7, 9, 11):
        assert proven_moves(Hex(size)) == {}


def test_the_stones_of_a_position() -> None:
    rng = Random(4)
    for size in (2, 7, 8, 11, 13, 19):
        position: Any = Hex(size)
        for _ in range(min(40, size)):
            position = position.play(rng.choice(position.legal_actions()))
        cells = [position.cell(row, column) for row in range(size) for column in range(size)]
        assert owner_array(position).tolist() == [2 if cell is None else cell for cell in cells]
    assert [words_for(size) for size in (5, 11, 13, 19)] == [2, 2, 3, 6]


def test_two_threads_do_not_disturb_each_other() -> None:
    from concurrent.futures import ThreadPoolExecutor

    positions = []
    rng = Random(5)
    for _ in range(4 if disabled() else 40):
        position: Any = Hex(6)
        for _ in range(14):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal():
            positions.append(position)
    expected = [proven_moves(position) for position in positions]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(proven_moves, positions)) == expected
