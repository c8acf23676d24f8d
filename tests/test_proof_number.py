"""Proof-number search: always the value of brute force, or "not proven"."""

from random import Random
from typing import Any

import numpy as np
import pytest
from brute import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_games import Shuttle, Toss
from small_games import Heap

from adv_envs import ConnectFour, Fig52, Hex, Pig, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.jit import disabled, kernel
from adv_envs.testing import check_agent
from agents import AlphaBeta, Minimax, ProofNumber, Retrograde, make, match
from agents.games.hex.solver import HexSolver
from agents.search import proof_number as module
from agents.search.transposition_table import HashTable, slot_for, write_key

EVERY = ProofNumber(nodes=10**9)
HEX_SOLVER = HexSolver(table_mb=4)


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games in plain Python, which is sooner done than compiling for them."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def proves(agent: ProofNumber, position: Position, value: float) -> None:
    """The value, an action that keeps it, and what else there is in a result."""
    found = agent.analyse(position)
    assert (found.value, found.proven) == (value, True)
    assert found.action in position.legal_actions()
    assert found.principal_variation[0] == found.action
    end = position.after(found.principal_variation)
    if end.is_terminal():
        assert end.utility(position.to_move) == value
    assert found.nodes >= found.leaves > 0
    child = position.play(found.action)
    sign = 1 if child.to_move == position.to_move else -1
    assert agent.value(child) * sign == value, "the action keeps the value"


# ---- values


@pytest.mark.parametrize("table_mb", [0, 1])
def test_tic_tac_toe(table_mb: float) -> None:
    """From all stages of the game; a table of two entries forgets, and is never wrong."""
    solver, agent = Retrograde(), ProofNumber(nodes=10**9, table_mb=table_mb)
    fewest = 0 if table_mb and not disabled() else 3
    positions = random_positions(TicTacToe(), 12 if disabled() else 40, 1, range(fewest, 8))
    for position in positions:
        proves(agent, position, solver.value(position))
        assert agent.values(position) == solver.values(position)
    assert {solver.value(position) for position in positions} == {-1, 0, 1}


def test_connect_four_equals_alpha_beta() -> None:
    for start, plies in ((ConnectFour(4, 4, 3), range(4, 9)), (ConnectFour(4, 4, 4), range(5, 11))):
        for position in random_positions(start, 4 if disabled() else 15, 2, plies):
            expected = AlphaBeta(depth=99).analyse(position)
            assert expected.proven
            proves(EVERY, position, expected.value)


@pytest.mark.skipif(disabled(), reason="a hundred thousand nodes and more")
def test_whole_games() -> None:
    proves(EVERY, TicTacToe(), 0)
    proves(EVERY, ConnectFour(4, 4, 4), 0)
    found = EVERY.analyse(ConnectFour().after("4455"))
    assert (found.value, found.proven) == (1, True)
    assert ConnectFour().name(found.action) in "36"


def test_the_game_of_31(plainly: None) -> None:
    solver = Retrograde()
    for position in random_positions(ThirtyOne(), 12, 3, range(4, 8)):
        proves(EVERY, position, solver.value(position))


def test_hex(plainly: None) -> None:
    for start, plies in ((Hex(3), range(2, 6)), (Hex(3, swap=True), range(3, 6))):
        for position in random_positions(start, 8, 4, plies):
            proves(EVERY, position, Retrograde().value(position))


@pytest.mark.skipif(disabled(), reason="a hundred thousand nodes and more")
@settings(deadline=None, max_examples=40)
@given(size=st.sampled_from([3, 4]), seed=st.integers(0, 2**32))
def test_hex_equals_the_hex_solver(size: int, seed: int) -> None:
    """Within a million nodes, all of them, but for a few almost empty boards of 4x4."""
    rng, position = Random(seed), Hex(size)
    for _ in range(rng.randrange(0 if size == 3 else 2, size * size - 2)):
        child = position.play(rng.choice(position.legal_actions()))
        position = position if child.is_terminal() else child
    proves(EVERY, position, HEX_SOLVER.value(position))
    found = ProofNumber().analyse(position)
    assert found.proven
    assert position.after(found.principal_variation).is_terminal(), "the table remembers it all"


@pytest.mark.skipif(disabled(), reason="many nodes")
def test_what_is_not_proven_says_so() -> None:
    """Whatever the limit: proven and right, or worth 0 and not proven."""
    for position in (Hex(4), Hex(4).after("a1"), Hex(4).after("a4 a1 b2")):
        said = set()
        for nodes in (1, 10, 100, 1000, 10_000, 10**7):
            found = ProofNumber(nodes=nodes).analyse(position)
            assert found.action in position.legal_actions()
            assert found.principal_variation[0] == found.action
            assert found.value == (HEX_SOLVER.value(position) if found.proven else 0)
            said.add(found.proven)
        assert said == {False, True}


def test_best_play_keeps_the_value(plainly: None) -> None:
    """Won and lost games are told to their end; of drawn ones, what is proven of both sides."""
    solver, ended = Retrograde(), 0
    for position in random_positions(TicTacToe(), 20, 10, range(3, 8)):
        found = EVERY.analyse(position)
        here, player = position, position.to_move
        for action in found.principal_variation:
            here = here.play(action)
            sign = 1 if here.to_move == player or here.is_terminal() else -1
            worth = here.utility(player) if here.is_terminal() else sign * solver.value(here)
            assert worth == found.value
        if found.value != 0:
            assert here.is_terminal()
            ended += 1
    assert ended > 5


def test_where_players_do_not_alternate(plainly: None) -> None:
    solver = Retrograde()
    for rest in range(1, 10):
        for mover in (0, 1):
            position = Heap(size=9, num_players=2, rest=rest, mover=mover)
            proves(EVERY, position, solver.value(position))


def test_any_utility(plainly: None) -> None:
    """Not only won and lost: questions go on until the value is exact."""
    proves(EVERY, Fig52(), 3)
    rng = Random(5)

    def grow(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.2:
            return rng.choice([-7, -2.5, -1, 0, 0, 1, 2.5, 14])
        return {f"m{i}": grow(depth - 1) for i in range(rng.randint(1, 4))}

    values = set()
    for _ in range(60):
        tree = Tree({"first": grow(3), "second": grow(4)})
        value = Minimax().analyse(tree).value
        values.add(value)
        proves(EVERY, tree, value)
    assert len(values) > 5


def test_positions_that_come_again(plainly: None) -> None:
    """What is proven is right; what nobody can force is not proven."""
    solver, proven = Retrograde(), 0
    for size in range(3, 10):
        for moved in range(1 - size // 2, size - size // 2):
            for mover in (0, 1):
                position = Shuttle(size, moved=moved, mover=mover)
                found = ProofNumber(nodes=3000).analyse(position)
                assert found.action in position.legal_actions()
                if found.proven:
                    proven += 1
                    assert found.value == solver.value(position)
                    assert found.value != 0
    assert proven > 10


# ---- the table


@kernel
def slot_of(position: Position, table: HashTable) -> int:
    """The slot that a position would be written into."""
    write_key(position, 0, table)
    return slot_for(table, 1)


def test_a_clash_is_no_answer(plainly: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one hash for all positions the table holds two of them, and every value is right."""
    one_hash = module.prove.bind(MASK=0)
    table = ProofNumber(table_mb=0.01).new_table(TicTacToe())
    slot = slot_of.bind(MASK=0).plain
    positions = random_positions(TicTacToe(), 20, 6, range(6))
    assert {slot(position, table) for position in positions} == {0}
    monkeypatch.setattr(module, "prove", one_hash)
    solver = Retrograde()
    for position in random_positions(TicTacToe(), 10, 7, range(4, 8)):
        proves(EVERY, position, solver.value(position))


def test_what_is_remembered_is_recalled(plainly: None) -> None:
    memory = ProofNumber(table_mb=0.1).new_table(TicTacToe())
    recall, remember = module.probe_proof.plain, module.store_proof.plain
    positions = random_positions(TicTacToe(), 60, 8, range(1, 7))
    for i, position in enumerate(positions):
        remember(position, i + 2, i + 3, 0.0, 1, memory)
        assert recall(position, 0.0, memory) == (i + 2, i + 3, 0.0)
    for position in random_positions(TicTacToe(), 60, 9, range(7, 8)):
        assert recall(position, 0.0, memory) == (1, 1, 0.0), "another position"
    position = positions[0]
    remember(position, 0, module.INFINITE, 1.0, 1, memory)
    assert recall(position, 0.0, memory)[0] == 0, "1 is more than 0"
    assert recall(position, 1.0, memory) == (1, 1, 0.0), "but not more than 1"
    remember(position, module.INFINITE, 0, 0.0, 1, memory)
    assert recall(position, 0.0, memory)[1] == 0, "0 is not more than 0"
    assert recall(position, np.nextafter(0.0, -1.0), memory) == (1, 1, 0.0)


@pytest.mark.parametrize("megabytes", [0, 0.001, 1, 3.5])
def test_the_table_stays_within_its_bounds(megabytes: float) -> None:
    arrays = ProofNumber(table_mb=megabytes).new_table(ConnectFour())
    assert sum(array.nbytes for array in arrays) <= max(megabytes * 2**20, 200) + 100
    assert len(arrays.entries) & len(arrays.entries) - 1 == 0


# ---- limits


def test_nodes_are_a_limit() -> None:
    agent = ProofNumber(nodes=200)
    found = agent.analyse(ConnectFour())
    assert (found.proven, found.value) == (False, 0)
    assert found.action in range(7)
    assert found.nodes <= 200 + 7
    assert agent.act(ConnectFour()) == found.action
    first = ProofNumber(nodes=1).analyse(ConnectFour())
    assert first.action in range(7)


def test_seconds_are_a_limit() -> None:
    agent = ProofNumber(seconds=0.1)
    agent.act(ConnectFour())  # compile
    found = agent.analyse(ConnectFour())
    assert not found.proven
    assert found.action in range(7)


def test_each_question_is_told() -> None:
    """Can X win? At most a draw. Can X draw? Yes."""
    position = TicTacToe().after("b2 a1 c3")
    told = list(ProofNumber().analysis(position))
    assert [(found.value, found.proven) for found in told] == [(0, False), (0, True)]
    assert told[-1].nodes > told[0].nodes
    lost = TicTacToe().after("a1 b1 a2 b2 c3 c1 b3")
    assert len(list(ProofNumber().analysis(lost))) <= 2


def test_long_lines_are_given_up(plainly: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PLIES", 3)
    found = ProofNumber().analyse(TicTacToe())
    assert (found.proven, found.action in range(9)) == (False, True)


@pytest.mark.parametrize(
    ("parameters", "error", "says"),
    [
        ({"nodes": 0}, ValueError, "nodes must be at least 1"),
        ({"nodes": "many"}, TypeError, "nodes must be a whole number"),
        ({"seconds": 0}, ValueError, "seconds must be more than 0"),
        ({"table_mb": -1}, ValueError, "table_mb must not be negative"),
    ],
    ids=str,
)
def test_impossible_parameters(parameters: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        ProofNumber(**parameters)


def test_games_that_are_not_for_it() -> None:
    agent = ProofNumber()
    with pytest.raises(ValueError, match="plays games of two players, not 3"):
        agent.act(ThirtyOne(num_players=3))
    for game in (Pig(), Toss()):
        with pytest.raises(ValueError, match="proof_number plays games without chance"):
            agent.act(game)
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(TicTacToe(1, 1, 1).after("a1"))
    assert agent.value(TicTacToe(1, 1, 1).after("a1")) == -1


def test_agent_laws() -> None:
    agent = ProofNumber(nodes=2000)
    check_agent(agent, TicTacToe(), make=make)
    result = match(TicTacToe(), make("proof_number"), make("random"), pairs=8)
    assert result.total.losses == 0
    assert result.total.wins > 8
