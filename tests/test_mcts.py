"""Monte Carlo tree search: proves what is true, repeats itself, keeps to its limits."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from brute import random_positions
from naive_tree_search import gumbel_search
from odd_games import Shuttle, Toss

from adv_envs import (
    ConnectFour,
    DotsAndBoxes,
    Fig52,
    Hex,
    Kalah,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
    Tree,
)
from adv_envs.jit import disabled, kernel
from adv_envs.random import advanced, below, fraction, scattered
from adv_envs.testing import check_agent
from agents import (
    MCTS,
    HexSolver,
    PigSolver,
    Retrograde,
    knowledge_of,
    make,
    match,
    register_knowledge,
)
from agents.games.connect_four import evaluations as connect_four_playouts
from agents.games.hex import bridge_playouts as hex_playouts
from agents.games.pig import lead
from agents.mcts import playouts as general
from agents.mcts.mcts import weight_of_bounds
from agents.mcts.nodes import NODE, best_child, known_of
from agents.mcts.selection import SCALE

ROOM = np.zeros(1000, np.int64)
PLAIN = [pytest.mark.plain, pytest.mark.again]
PLENTY = 3_000 if disabled() else 100_000


def near_the_end(start: Position, plies: range, number: int) -> list[Position]:
    return random_positions(start, 3 if disabled() else number, 1, plies)


# ---- what is proven is true

CASES = [
    *near_the_end(TicTacToe(), range(3, 8), 30),
    *near_the_end(ConnectFour(4, 4, 3), range(8, 14), 20),
    *near_the_end(Hex(3), range(2, 6), 20),
    *near_the_end(ThirtyOne(), range(5, 9), 20),
]


@pytest.mark.plain
@pytest.mark.again
def test_proofs_are_exact() -> None:
    solver, search, proofs = Retrograde(), MCTS(PLENTY, seed=1), 0
    for position in CASES:
        found = search.analyse(position)
        assert position.legal(found.action)
        if not found.proven:
            continue
        proofs += 1
        assert found.value == solver.value(position)
        after = position.play(found.action)
        sign = 1 if after.to_move == position.to_move else -1
        assert sign * solver.value(after) == found.value, "the action keeps the value"
    assert proofs > 0.9 * len(CASES)


@pytest.mark.thorough
def test_bounds_of_every_move_are_sound() -> None:
    solver = Retrograde()
    for position in CASES[::3]:
        search = MCTS(200, seed=2)
        search.analyse(position)
        for child in search.trees[0].children():
            after = position.play(int(child["action"]))
            sign = 1 if after.to_move == position.to_move else -1
            over = after.is_terminal()
            value = sign * (after.utility(after.to_move) if over else solver.value(after))
            assert child["lower"] <= value <= child["upper"]


def test_games_whose_utilities_are_not_1() -> None:
    found = MCTS(1000, seed=1).analyse(Fig52())
    assert (found.value, found.proven, found.action) == (3.0, True, 0)
    found = MCTS(1000).analyse(Tree({"a": {"b": 0.3, "c": 0.1}, "d": {"e": -4}}))
    assert (found.value, found.proven) == (0.1, True)


def toss_value(position: Any) -> float:
    """The value for player 0."""
    if position.is_terminal():
        return float(position.utility(0))
    values = {a: toss_value(position.play(a)) for a in position.legal_actions()}
    if position.to_move < 0:
        return sum(position.probability(a) * value for a, value in values.items())
    return max(values.values()) if position.to_move == 0 else min(values.values())


@pytest.mark.parametrize("coins", [1, 2, 5])
def test_dice(coins: int) -> None:
    found = MCTS(3000, seed=1).analyse(Toss(coins))
    assert found.proven
    best = max(toss_value(Toss(coins).play(action)) for action in found.values)
    assert found.value == pytest.approx(toss_value(Toss(coins))) == pytest.approx(best)


def test_dice_are_drawn_by_their_probability() -> None:
    search = MCTS(2000, seed=1, solver=False, exploration=100.0)
    found = search.analyse(Toss(12))
    toss = found.values[1]
    assert toss == pytest.approx(toss_value(Toss(12).play(1)), abs=0.2)
    tree, top = search.trees[0].nodes, search.trees[0].children()
    thrown = search.trees[0].children(int(tree[0]["first"]) + 1)["visits"]
    assert top[1]["visits"] == thrown.sum() + 1
    assert thrown[1] / thrown.sum() == pytest.approx(0.75, abs=0.05)


def test_pig() -> None:
    """Luck is not taken for proof: the mean goes to the value, which is never proven here."""
    position = Pig(target=20)
    found = MCTS(PLENTY, seed=1).analyse(position)
    assert found.value == pytest.approx(PigSolver().value(position), abs=0.08)
    assert not found.proven


# ---- what a game knows


def test_a_game_is_asked_at_busy_nodes(request: pytest.FixtureRequest) -> None:
    plain = MCTS(100, seed=1).analyse(TicTacToe())
    known = knowledge_of(TicTacToe())
    register_knowledge(TicTacToe, replace(known, proven_moves=Retrograde().values))
    request.addfinalizer(lambda: register_knowledge(TicTacToe, known))
    found = MCTS(100, knowledge=40, seed=1).analyse(TicTacToe())
    assert not plain.proven
    assert (found.proven, found.value, found.nodes) == (True, 0.0, 40)
    below = MCTS(100, knowledge=15, seed=1)
    found = below.analyse(TicTacToe().after("a1 b1"))
    assert (found.proven, found.value) == (True, 1.0)
    for unasked in ({"knowledge": 0}, {"knowledge": 101}, {"knowledge": 40, "solver": False}):
        found = MCTS(100, seed=1, **unasked).analyse(TicTacToe())
        assert (found.proven, found.nodes) == (False, 100)


def test_knowledge_keeps_bounds_sound() -> None:
    """Whole games of Hex with one tree, asked early: everything that is proven is true."""
    solver, search, proofs = HexSolver(), MCTS(150, knowledge=20, seed=1), 0
    for seed in range(1 if disabled() else 8):
        rng = Random(seed)
        position: Any = Hex(4 if disabled() else 5).play(rng.randrange(16))
        while not position.is_terminal():
            found = search.analyse(position)
            exact = solver.values(position)
            for child in search.trees[0].children():
                assert child["lower"] <= exact[int(child["action"])] <= child["upper"]
            if found.proven:
                proofs += 1
                assert exact[found.action] == found.value == max(exact.values())
            position = position.play(rng.choice(position.legal_actions()))
    assert proofs >= 3


def test_knowledge_proves_what_playouts_cannot() -> None:
    """7x7 opened in the centre is won, which takes a search for a proof without knowledge."""
    position = Hex(7).after("d4 a7")
    assert not MCTS(150, knowledge=0, seed=1).analyse(position).proven
    found = MCTS(150, knowledge=100, seed=1).analyse(position)
    assert found.proven
    assert HexSolver().value(position) == found.value


# ---- the worth of every move


def test_values_are_one_search() -> None:
    """Every move is tried equally often, within the simulations that there are."""
    search = MCTS(900, seed=1, solver=False)
    values = search.values(TicTacToe())
    assert search.trees[0].children()["visits"].tolist() == [100] * 9
    assert values[4] > max(values[1], values[3], values[5], values[7])
    assert len(MCTS(3, seed=1).values(TicTacToe())) == 9


def test_values_are_exact_where_they_are_proven() -> None:
    """Also of the moves that are worse than the best, which a search for that would not ask for."""
    solver, search = Retrograde(), MCTS(PLENTY, seed=1)
    for position in CASES[::4]:
        assert search.values(position) == solver.values(position)
    policy = MCTS(2000, policy=uniform_policy, seed=1)
    ending = TicTacToe().after("a1 a2 b1 b2")
    assert policy.values(ending) == solver.values(ending)


def test_values_of_games_with_dice_and_of_many_players() -> None:
    assert MCTS(500, seed=1).values(Pig(target=20)).keys() == set(Pig(target=20).legal_actions())
    assert MCTS(2000, seed=1).values(Toss(2)) == pytest.approx(
        {a: toss_value(Toss(2).play(a)) for a in Toss(2).legal_actions()}, abs=0.1
    )
    with pytest.raises(ValueError, match="two players only"):
        MCTS(10).values(ThirtyOne(num_players=3))


# ---- it gets better


def test_it_converges() -> None:
    """Without proofs, to the only move that wins."""
    start = ConnectFour(4, 4, 3).after("344213")
    solver = Retrograde()
    children = {a: -solver.value(start.play(a)) for a in start.legal_actions()}
    assert sorted(children.values())[-2] < max(children.values())
    found = MCTS(PLENTY // 5, solver=False, seed=1).analyse(start)
    assert children[found.action] == max(children.values())


@pytest.mark.parametrize("options", [{}, {"solver": False}, {"rave": 30}, {"threads": 2}], ids=str)
def test_it_beats_random_play(options: dict[str, Any]) -> None:
    pairs = 3 if disabled() else 15
    total = match(TicTacToe(), MCTS(300, seed=1, **options), make("random"), pairs=pairs).total
    assert total.losses <= pairs // 10
    assert total.wins > pairs


def test_three_players() -> None:
    """Whoever cannot move loses: the last move of an almost finished game is found."""
    for position in near_the_end(ThirtyOne(num_players=3), range(6, 9), 12):
        found = MCTS(2000, seed=1).analyse(position)
        after = worth(position.play(found.action))
        assert after[position.to_move] == pytest.approx(worth(position)[position.to_move])


def worth(position: Any) -> list[float]:
    """Max^n, where of equals the first counts."""
    if position.is_terminal():
        return [position.utility(player) for player in range(3)]
    after = [worth(position.play(action)) for action in position.legal_actions()]
    return max(after, key=lambda values: values[position.to_move])


# ---- decisive moves


def test_a_win_at_once_is_found_at_once() -> None:
    for start, moves, win in [
        (ConnectFour(), "414141", "4"),
        (TicTacToe(), "a1 a2 b1 b2", "c1"),
        (Hex(3), "b1 a1 b2 a2", "a3"),
    ]:
        position = start.after(moves)
        found = MCTS(1, seed=1).analyse(position)
        assert (position.name(found.action), found.proven, found.value) == (win, True, 1.0)


def test_a_threat_is_met() -> None:
    found = MCTS(40, seed=1).analyse(ConnectFour().after("41414"))
    assert found.action == 3
    assert sum(found.values[a] == -1.0 for a in found.values) == 6, "all others are proven losses"


@pytest.mark.parametrize(
    ("start", "find"),
    [
        (Hex(3), hex_playouts.winning_cell),
        (Hex(4), hex_playouts.winning_cell),
        (ConnectFour(6, 7), connect_four_playouts.winning_column),
        (ConnectFour(4, 4), connect_four_playouts.winning_column),
        (ConnectFour(9, 5), connect_four_playouts.winning_column),
    ],
)
def test_a_move_that_wins_is_found(start: Position, find: Any) -> None:
    rng = Random(1)
    for _ in range(15 if disabled() else 120):
        position = start
        while not position.is_terminal():
            after = {action: position.play(action) for action in position.legal_actions()}
            wins = [a for a, p in after.items() if p.is_terminal() and p.utility(p.to_move) < 0]
            found = find(position, ROOM)
            assert (found in wins) if wins else found == -1
            position = rng.choice([*after.values()])


# ---- playouts


def mean_of(playout: Any, position: Position, number: int) -> float:
    worth, seen = np.zeros(2), np.zeros((2, position.num_actions), np.int64)
    room, total = np.zeros(1000, np.int64), 0.0
    room[0] = scattered(1)
    for _ in range(number):
        room[1] += 1
        playout(position, worth, seen, room)
        assert worth[0] == -worth[1]
        total += worth[0]
    return total / number


@pytest.mark.parametrize("playout", [general.uniform, general.filling], ids=str)
def test_random_play(playout: Any) -> None:
    """Of random games of tic-tac-toe X wins 737/1260 and O 121/420."""
    number = 3_000 if disabled() else 40_000
    expected = 737 / 1260 - 121 / 420
    assert mean_of(playout, TicTacToe(), number) == pytest.approx(expected, abs=4 / number**0.5)


@pytest.mark.parametrize("moves", ["", "b2", "a1 b2 c3"])
def test_dealing_cells_is_random_play(moves: str) -> None:
    """Hex by walking the border and Hex played out have the same results, from any position."""
    position, number = Hex(3).after(moves), 3_000 if disabled() else 40_000
    dealt = mean_of(hex_playouts.dealt, position, number)
    assert dealt == pytest.approx(mean_of(general.uniform, position, number), abs=5 / number**0.5)


@pytest.mark.skipif(disabled(), reason="takes long in plain Python")
def test_the_first_player_of_a_random_hex_wins_as_often_as_is_known() -> None:
    assert mean_of(hex_playouts.dealt, Hex(7), 200_000) == pytest.approx(2 * 0.545 - 1, abs=0.01)


@pytest.mark.parametrize("playout", [hex_playouts.dealt, hex_playouts.bridged], ids=str)
def test_a_full_board_of_hex_is_judged_right(playout: Any) -> None:
    """With one cell left there is nothing random: the walk must agree with the rules."""
    rng = Random(2)
    for _ in range(100):
        position: Any = Hex(4)
        while len(position.legal_actions()) > 1:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal():
            worth, room = np.zeros(2), np.zeros(1000, np.int64)
            room[1] = 1
            playout(position, worth, np.zeros((2, 16), np.int64), room)
            end = position.play(position.legal_actions()[0])
            assert worth.tolist() == [end.utility(0), end.utility(1)]


@pytest.mark.parametrize("size", [(6, 7), (4, 4), (9, 5)], ids=str)
def test_decisive_play(size: tuple[int, int]) -> None:
    """Connect Four with a win or a threat, or one cell left, is judged as the rules do."""
    rng, room = Random(2), np.zeros(1000, np.int64)
    for number in range(20 if disabled() else 200):
        position: Any = ConnectFour(*size)
        while not position.is_terminal():
            here = position
            worth = np.zeros(2)
            room[0] = scattered(number)
            connect_four_playouts.decisive(here, worth, np.zeros((2, 7), np.int64), room)
            assert worth[0] == -worth[1]
            if connect_four_playouts.winning_column(here, ROOM) >= 0:
                assert worth[here.to_move] == 1
            elif here.ply == size[0] * size[1] - 1:
                assert worth[0] == 0
            position = position.play(rng.choice(position.legal_actions()))


def test_bridges_are_mended() -> None:
    """A stone in the centre of 3x3 is joined to both edges by bridges: it always wins."""
    number = 200 if disabled() else 2_000
    for moves, sure in (("b2", 1.0), ("a1 b2", -1.0), ("a1 b2 c3 a3", -1.0)):
        position = Hex(3).after(moves)
        assert mean_of(hex_playouts.bridged, position, number) == sure
        assert abs(mean_of(hex_playouts.dealt, position, number)) < 1
    free = mean_of(hex_playouts.bridged, Hex(3), number)
    assert free == pytest.approx(mean_of(hex_playouts.dealt, Hex(3), number), abs=0.2)


@pytest.mark.parametrize("playout", [hex_playouts.dealt, hex_playouts.bridged], ids=str)
def test_moves_are_noted_for_rave(playout: Any) -> None:
    position, seen = Hex(3).after("b2"), np.zeros((2, 9), np.int64)
    room = np.zeros(1000, np.int64)
    for stamp in range(1, 20):
        room[1] = stamp
        playout.bind(AMAF=True)(position, np.zeros(2), seen, room)
        now = seen == stamp
        assert now.sum(0).tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1], "each empty cell is somebody's"
        assert now[1].sum() == 4


def test_random_numbers() -> None:
    state, counts, total = scattered(7), np.zeros(6, int), 0.0
    for _ in range(6000):
        state = advanced(state)
        assert 0 <= state < 1 << 62
        counts[below(state, 6)] += 1
        total += fraction(state)
    assert counts.min() > 900
    assert total / 6000 == pytest.approx(0.5, abs=0.02)
    assert len({scattered(seed) for seed in range(1000)}) == 1000


# ---- the same again


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (TicTacToe(), {}),
        (TicTacToe(), {"rave": 20}),
        (Hex(3), {"rave": 20}),
        (ThirtyOne(num_players=3), {}),
    ],
    ids=str,
)
def test_plain_and_compiled_are_one_search(
    position: Position, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = MCTS(200, seed=3, **options).analyse(position)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    again = MCTS(200, seed=3, **options).analyse(position)
    assert again.visits == found.visits
    assert again.values == found.values
    assert again.principal_variation == found.principal_variation


def test_seeds() -> None:
    one, two = MCTS(300, seed=1), MCTS(300, seed=2)
    first = one.analyse(TicTacToe()).visits
    assert two.analyse(TicTacToe()).visits != first
    one.reset(2)
    two.reset(2)
    assert one.analyse(TicTacToe()).visits == two.analyse(TicTacToe()).visits
    assert one.analyse(TicTacToe()).visits == two.analyse(TicTacToe()).visits
    assert MCTS(300).analyse(TicTacToe()).visits != MCTS(300).analyse(TicTacToe()).visits


def test_threads_give_the_same_answers_every_time() -> None:
    found = [MCTS(2001, threads=3, seed=5).analyse(TicTacToe()) for _ in range(2)]
    assert found[0].visits == found[1].visits
    assert found[0].nodes == sum(found[0].visits.values()) == 2001
    assert found[0].visits != MCTS(2001, seed=5).analyse(TicTacToe()).visits


@pytest.mark.parametrize(
    ("options", "start", "games"),
    [
        ({}, TicTacToe(), 4),
        ({"rave": 5}, Hex(3), 3),
        ({}, ThirtyOne(num_players=3), 4),
        ({}, Toss(), 3),
        ({"simulations": 20}, Shuttle(), 2),
    ],
)
def test_laws(options: dict[str, Any], start: Position, games: int) -> None:
    check_agent(MCTS(**{"simulations": 50, "seed": 1, **options}), start, games, make=make)


# ---- from move to move


def test_a_tree_is_kept() -> None:
    search = MCTS(500, seed=1, solver=False)
    position: Any = TicTacToe()
    first = search.analyse(position)
    reply = max(set(range(9)) - {first.action}, key=lambda a: a)
    after = position.play(first.action).play(reply)
    node = search.trees[0]
    known = node.nodes.copy()
    second = search.analyse(after)
    assert sum(second.visits.values()) > 500 + 5, "begins with what was known"
    assert second.nodes == 500
    top = int(known[0]["first"]) + first.action
    below = int(known[top]["first"]) + reply - (reply > first.action)
    child = known[int(known[below]["first"]) : int(known[below]["first"]) + 7]
    assert all(second.visits[int(c["action"])] >= c["visits"] for c in child)
    again = search.analyse(after)
    assert sum(again.visits.values()) == sum(second.visits.values()) + 500
    search.reset()
    assert sum(search.analyse(after).visits.values()) == 500
    fresh = MCTS(500, seed=1, reuse=False, solver=False)
    fresh.analyse(position)
    assert sum(fresh.analyse(after).visits.values()) == 500


def test_a_kept_tree_is_sound() -> None:
    """Whole games with one tree, every proof checked; also on to another game and back."""
    solver, search, rng = Retrograde(), MCTS(60, seed=1), Random(3)
    for start in (TicTacToe(), Hex(3), TicTacToe(), TicTacToe(2, 3, 2)):
        position: Any = start
        while not position.is_terminal():
            found = search.analyse(position)
            if found.proven:
                assert found.value == solver.value(position)
            position = position.play(found.action)
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))


# ---- limits


def test_results_improve() -> None:
    results = list(MCTS(5000, seed=1).analysis(TicTacToe(4, 4, 4)))
    assert len(results) > 2
    assert [r.nodes for r in results] == sorted({r.nodes for r in results})
    assert results[-1].nodes == 5000
    found = results[-1]
    assert sum(found.visits.values()) == 5000
    assert found.principal_variation[0] == found.action
    assert found.depth >= len(found.principal_variation)
    assert TicTacToe(4, 4, 4).after(found.principal_variation)


@pytest.mark.parametrize("threads", [1, 2])
def test_seconds(threads: int) -> None:
    search = MCTS(seconds=0.1, threads=threads, solver=False)
    search.act(TicTacToe())  # compiles
    search.reset()
    over = []
    for _ in range(5):
        began = time.perf_counter()
        found = search.analyse(TicTacToe())
        over.append(time.perf_counter() - began - 0.1)
        assert found.nodes > 0
    assert min(over) > -0.01


def test_whoever_stops_asking_stops_the_search() -> None:
    search = MCTS(seconds=3600, seed=1)
    for result in search.analysis(TicTacToe(4, 4, 4)):
        if result.nodes >= 500:
            break
    assert search.analysis(TicTacToe())


def test_memory_is_bounded() -> None:
    search = MCTS(5000, seed=1, table_mb=0.02, solver=False)
    found = search.analyse(TicTacToe(4, 4, 4))
    assert found.nodes == sum(found.visits.values()) == 5000
    size = search.trees[0].nodes.nbytes
    assert size <= 0.01 * 2**20
    assert search.trees[0].size * search.trees[0].nodes.itemsize <= size
    assert MCTS(100, table_mb=1e-9).analyse(TicTacToe(4, 4, 4)).nodes == 100


def test_two_searches_in_two_threads() -> None:
    def search(_: int) -> dict[int, int]:
        return MCTS(3000, seed=4).analyse(TicTacToe()).visits

    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(search, range(2))] == [search(0)] * 2


# ---- in place of playouts


def lines(position: Any) -> float:
    return 0.1 * (position.own % 7) - 0.1 * (position.opp % 7)


def test_an_evaluation() -> None:
    found = MCTS(400, evaluate=lines, seed=1).analyse(TicTacToe())
    again = MCTS(400, evaluate=lines, seed=1).analyse(TicTacToe())
    assert found.visits == again.visits
    assert found.visits != MCTS(400, seed=1).analyse(TicTacToe()).visits
    one = MCTS(1, evaluate=lines, solver=False).analyse(TicTacToe().after("a1"))
    after = TicTacToe().after("a1").play(one.action)
    assert one.value == pytest.approx(-np.tanh(lines(after)))


@kernel
def all_even(position: Any, values: Any, played: Any, workspace: Any) -> None:
    """Notes no moves, and knows no chance."""
    values[0] = values[1] = 0.0


@pytest.mark.parametrize("start", [TicTacToe(), Toss()], ids=str)
def test_a_playout_need_not_note_moves(start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = MCTS(50, playouts=all_even, solver=False, seed=1).analyse(start)
    assert found.nodes == 50
    assert min(found.values.values()) > -1


@pytest.mark.slow
def test_another_playout() -> None:
    search = make("mcts(simulations=300, playouts=agents.mcts.playouts.decisive, seed=1)")
    assert make(repr(search)) == search
    assert search.act(TicTacToe().after("a1 a2 b1")) in (2, 5)


# ---- a policy


def uniform_policy(positions: list[Any]) -> tuple[Any, Any]:
    return np.ones((len(positions), positions[0].num_actions)), np.zeros(len(positions))


def perfect_policy(positions: list[Any]) -> tuple[Any, Any]:
    solver = Retrograde()
    priors = np.zeros((len(positions), positions[0].num_actions))
    for row, position in zip(priors, positions, strict=True):
        row[solver.act(position)] = 1
    return priors, [solver.value(position) for position in positions]


@pytest.mark.parametrize("batch", [1, 5])
def test_a_uniform_policy(batch: int) -> None:
    sizes: list[int] = []

    def policy(positions: list[Any]) -> tuple[Any, Any]:
        sizes.append(len(positions))
        assert not any(position.is_terminal() for position in positions)
        return uniform_policy(positions)

    search = MCTS(300, policy=policy, batch=batch, seed=1, solver=False)
    found = search.analyse(TicTacToe())
    assert found.nodes == sum(found.visits.values()) == 300
    assert max(sizes) == batch
    tree = search.trees[0].nodes[: search.trees[0].size]
    assert (tree["width"] > -2).all(), "nobody waits for a value any more"
    inner = tree[tree["width"] > 0]
    for node in inner:
        children = tree[node["first"] : node["first"] + node["width"]]
        assert children["prior"].sum() == pytest.approx(1)
        assert 0 <= node["visits"] - children["visits"].sum() <= 1
        assert abs(node["total"] + 0.0) <= node["visits"], "virtual losses were made good"


@pytest.mark.parametrize(
    "options", [{"simulations": 20, "batch": 2}, {"simulations": 4, "selection": "gumbel"}], ids=str
)
def test_a_perfect_policy(options: dict[str, Any]) -> None:
    for start in (TicTacToe().after("a1"), TicTacToe().after("a1 a2")):
        found = MCTS(policy=perfect_policy, seed=1, **options).analyse(start)
        value = Retrograde().value(start)
        assert -Retrograde().value(start.play(found.action)) == value
        assert "selection" in options or found.value == pytest.approx(value, abs=0.2)


@pytest.mark.parametrize(
    "options", [{"batch": 4}, pytest.param({"selection": "gumbel"}, marks=PLAIN)], ids=str
)
def test_a_policy_of_many_players(options: dict[str, Any]) -> None:
    def policy(positions: Sequence[Position]) -> tuple[Any, Any]:
        return np.ones((len(positions), 6)), np.zeros((len(positions), 3))

    position = ThirtyOne(num_players=3)
    found = MCTS(100, policy=policy, **options).analyse(position)
    assert position.legal(found.action)
    assert found.nodes == 100


@pytest.mark.parametrize("options", [{"batch": 8}, {"selection": "gumbel"}], ids=str)
def test_a_policy_and_proofs(options: dict[str, Any]) -> None:
    search = MCTS(PLENTY, policy=uniform_policy, **options)
    drawn = TicTacToe().after("a1 b2 c3")
    found = search.analyse(drawn)
    assert (found.proven, found.value) == (True, 0.0)
    assert search.values(drawn) == Retrograde().values(drawn)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((np.ones((1, 8)), np.zeros(1)), r"priors of shape \(1, 9\) for 1 positions, not \(1, 8\)"),
        ((np.ones((1, 9)), np.zeros(2)), r"values of shape \(1,\), not \(2,\)"),
        ((-np.ones((1, 9)), np.zeros(1)), "priors that are not negative"),
        ((np.ones((1, 9)), [np.nan]), "finite"),
    ],
)
def test_policies_that_answer_nonsense(answer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MCTS(10, policy=lambda _: answer).act(TicTacToe())
    with pytest.raises(ValueError, match="without dice"):
        MCTS(10, policy=lambda _: answer).act(Toss())


def best_of(children: Any, wanted: Any = None) -> int:
    known = known_of(children)
    return best_child(known, known.visits if wanted is None else wanted)


def test_a_lost_move_is_not_chosen_for_its_visits() -> None:
    """A move that was tried most and then proven to lose is left out, unless all lose."""
    children = np.zeros(3, NODE)
    children["lower"], children["upper"] = -1, 1
    children["visits"], children["total"] = (90, 7, 3), (45.0, -2.0, -1.0)
    assert best_of(children) == 0
    children["upper"][0] = -1
    assert best_of(children) == 1
    assert best_of(children, [9.0, 1.0, 2.0]) == 2
    children["upper"][1] = -1
    assert best_of(children) == 2
    children["upper"][2] = -1
    assert best_of(children) == 0, "all lose: the one that was tried most"
    children["lower"][2] = children["upper"][2] = 0
    assert best_of(children) == 2


# ---- Gumbel AlphaZero


def noisy_network(position: Position) -> tuple[list[float], float]:
    """Logits and a value that are drawn anew for each position, but the same each time."""
    rng = np.random.default_rng([hash(position) & 2**32 - 1, len(position)])
    return rng.normal(0, 1.5, position.num_actions).tolist(), float(np.tanh(rng.normal()))


def noisy_policy(positions: list[Any]) -> tuple[Any, Any]:
    logits, values = zip(*map(noisy_network, positions), strict=True)
    return np.exp(logits), np.array(values) * positions[0].max_utility


def quiet_positions(start: Position, number: int, seed: int) -> list[Position]:
    """Random positions with at least two moves, none of which wins at once."""
    rng, found = Random(seed), list[Position]()
    while len(found) < number:
        position = start
        for _ in range(rng.randrange(12)):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        after = [position.play(a) for a in position.legal_actions()]
        won = [p.is_terminal() and p.utility(position.to_move) > 0 for p in after]
        if len(after) > 1 and not any(won):
            found.append(position)
    return found


@pytest.mark.parametrize("simulations", [1, 3, 16, 50])
@pytest.mark.parametrize(
    "start",
    [
        TicTacToe(),
        Hex(5),
        *(
            pytest.param(p, marks=PLAIN)
            for p in (ConnectFour(4, 5), Kalah(3, 2), DotsAndBoxes(2, 2))
        ),
    ],
    ids=repr,
)
def test_gumbel_is_the_plain_search(start: Position, simulations: int) -> None:
    """Without proofs, and one position at a time: every visit and the choice are the same."""
    for position in quiet_positions(start, 8, simulations):
        search = MCTS(simulations, policy=noisy_policy, selection="gumbel", batch=1, solver=False)
        found = search.analyse(position)
        silence = [0.0] * position.num_actions
        action, root = gumbel_search(position, noisy_network, simulations, 16, SCALE, silence)
        assert found.visits == root.visits
        assert found.action == action
        logits = search.root_logits()
        improved = root.improved(SCALE)
        shares = np.exp([logits[a] - max(logits.values()) for a in improved])
        assert shares / shares.sum() == pytest.approx(list(improved.values()), abs=1e-9)


@pytest.mark.parametrize(
    "start",
    [TicTacToe(), pytest.param(ConnectFour(4, 5), marks=pytest.mark.thorough), Hex(4)],
    ids=repr,
)
def test_gumbel_asks_for_a_round_at_once(start: Position) -> None:
    """In batches it tries all that are left equally often, and no action twice in one batch."""
    sizes: list[int] = []

    def policy(positions: list[Any]) -> tuple[Any, Any]:
        sizes.append(len(positions))
        return noisy_policy(positions)

    for position in quiet_positions(start, 5, 1):
        sizes.clear()
        actions = len(position.legal_actions())
        search = MCTS(64, policy=policy, selection="gumbel", batch=8, solver=False)
        found = search.analyse(position)
        assert found.nodes == sum(found.visits.values()) == 64
        assert max(sizes) <= min(actions, 8)
        assert len(sizes) < 64 or actions == 1
        most = sorted(found.visits.values())[-2:]
        assert most[1] - most[0] <= 1, "the last two share what is left"
        tree = search.trees[0].nodes[: search.trees[0].size]
        assert (tree["width"] > -2).all(), "nobody waits for a value any more"


@pytest.mark.compiled
def test_gumbel_proves_and_leaves_out_what_is_lost() -> None:
    """Simulations of actions that are proven go to others, and proofs decide."""
    for seed, position in enumerate(quiet_positions(TicTacToe(), 30, 3)):
        search = MCTS(400, policy=noisy_policy, selection="gumbel", seed=seed)
        found = search.analyse(position)
        values = Retrograde().values(position)
        if found.proven:
            assert found.value == values[found.action] == max(values.values())
        for child in search.trees[0].children():
            assert child["lower"] <= values[int(child["action"])] <= child["upper"]


def test_gumbel_begins_anew_at_every_position() -> None:
    """What was searched before does not change an answer."""
    search = MCTS(40, policy=noisy_policy, selection="gumbel", seed=1)
    for position in quiet_positions(ConnectFour(), 6, 2):
        first = search.analyse(position)
        again = search.analyse(position)
        other = MCTS(40, policy=noisy_policy, selection="gumbel").analyse(position)
        assert first.visits == again.visits == other.visits
        assert first.action == again.action == other.action
        assert sum(first.visits.values()) == first.nodes <= 40


# ---- bad input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"simulations": 0}, ValueError, "simulations must be at least 1 or None, not 0"),
        ({"simulations": 1.5}, TypeError, "simulations must be a whole number"),
        ({"seconds": 0}, ValueError, "seconds must be more than 0 or None, not 0"),
        ({"seconds": -1.0}, ValueError, "seconds must be more than 0"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
        ({"threads": None}, TypeError, "threads must be a whole number"),
        ({"table_mb": 0}, ValueError, "table_mb must be more than 0, not 0"),
        ({"exploration": "1"}, TypeError, "exploration must be a number or None, not '1'"),
        ({"exploration": -1}, ValueError, "exploration must not be negative"),
        ({"rave": -1}, ValueError, "rave must not be negative"),
        ({"rave": True}, TypeError, "rave must be a whole number"),
        ({"knowledge": -1}, ValueError, "knowledge must not be negative, not -1"),
        ({"knowledge": 0.5}, TypeError, "knowledge must be a whole number or None"),
        ({"knowledge": 9, "policy": lambda _: 0}, ValueError, "no knowledge"),
        ({"playouts": 3}, TypeError, "playouts must be a function"),
        ({"evaluate": "x"}, TypeError, "evaluate must be a function"),
        ({"evaluate": lines, "playouts": general.uniform}, ValueError, "valued in one way"),
        ({"policy": 1}, TypeError, "policy must be a function"),
        ({"policy": lambda _: 0, "threads": 2}, ValueError, "policy needs threads=1"),
        ({"batch": 0}, ValueError, "batch must be at least 1"),
        ({"selection": "uct"}, ValueError, "selection must be puct or gumbel, not 'uct'"),
        ({"selection": "gumbel"}, ValueError, "selection='gumbel' needs a policy and a number of"),
        (
            {"selection": "gumbel", "policy": lambda _: 0, "simulations": 9, "exploration": 1.0},
            ValueError,
            "exploration is of UCT and PUCT",
        ),
    ],
)
def test_bad_parameters(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        MCTS(**options)


def test_positions_that_cannot_be_searched() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        MCTS(10).act(TicTacToe(1, 1, 1).after("a1"))
    with pytest.raises(ValueError, match="chance is to move"):
        MCTS(10).act(Toss().play(1))
    with pytest.raises(ValueError, match="games of two players, not 3"):
        MCTS(10, evaluate=lines).act(ThirtyOne(num_players=3))


def test_both_limits_and_none() -> None:
    assert MCTS(seed=1, solver=False).analyse(TicTacToe()).nodes == 10_000 or disabled()
    assert MCTS(100, seconds=60, seed=1).analyse(TicTacToe()).nodes == 100


def test_evaluations_where_chance_is_to_move() -> None:
    """A leaf before a roll is worth what a random position after it is, to the right player."""
    search = MCTS(simulations=2000, evaluate=lead, seed=1)
    assert 0.3 < search.analyse(Pig(40, 6, 30, 5, 2)).value < 1
    assert -1 < search.analyse(Pig(40, 6, 5, 30, 0)).value < -0.2


@pytest.mark.compiled
def test_margins_are_explored_by_how_much_they_differ() -> None:
    """The largest margin is rare: it would weigh more than all that moves differ by."""
    wins = 0.0
    for seed in range(8):
        position = Kalah(pits=4, seeds=3).after([seed % 4])
        side = position.to_move if seed < 4 else 1 - position.to_move
        ours, other = MCTS(200, seed=seed), MCTS(200, seed=seed, exploration=1.0)
        while not position.is_terminal():
            position = position.play((ours if position.to_move == side else other).act(position))
        wins += (position.utility(side) > 0) + 0.5 * (position.utility(side) == 0)
    assert wins > 4


@pytest.mark.plain
@pytest.mark.parametrize(
    ("largest", "weight"), [(1, 1.0), (0.5, 1.0), (3, 1 / 3), (5, 0.2), (48, 0.2)]
)
def test_weight_of_bounds(largest: float, weight: float) -> None:
    assert weight_of_bounds(largest) == weight
