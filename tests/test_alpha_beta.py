"""Minimax and alpha-beta: equal to brute force and to each other, and true to what they say."""

import dataclasses
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from brute import Known, look_ahead, played, random_lines, random_positions, solve, worth
from hypothesis import example, given, settings
from hypothesis import strategies as st
from naive import NaiveConnectFour, NaiveGame, NaiveHex, NaiveThirtyOne, NaiveTicTacToe, NaiveTree
from odd_games import Shuttle, Toss
from small_games import Heap

from adv_envs import ConnectFour, Fig52, Hex, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.jit import disabled
from adv_envs.notation import read_line
from agents import AlphaBeta, MaxN, Minimax, SearchResult, knowledge_of
from agents.search.alpha_beta import IterativeDeepening, shallow_plies
from agents.search.limits import STOP, WIN, Deadline
from agents.search.minimax import SearchWindow
from agents.search.transposition_table import KEPT_BYTES, SYMMETRIC, acquire, probe, release, store

FEW = 4 if disabled() else 12
DEEP = 4 if disabled() else 5
TABLES = (0, 0.001, 16)
"""Megabytes: no table, one of sixteen slots in which nearly everything clashes, and a large one."""


def wild(position: Any) -> float:
    """An evaluation without rhyme or reason: nothing is even, symmetric or likely to be right."""
    return float((position.own % 1009 * 31 + position.opp % 1013 * 17 + position.ply) % 101 - 50)


def backwards(position: Any, action: int) -> float:
    return float(action)


# ---- what is played: a start, how many plies to begin with, and the same game written naively

Pair = tuple[Position, range, NaiveGame]

TO_THE_END: dict[str, Pair] = {
    "3,3,3": (TicTacToe(), range(2, 8), NaiveTicTacToe()),
    "4,3,3": (TicTacToe(4, 3, 3), range(6, 9), NaiveTicTacToe(4, 3, 3)),
    "3,4,4": (TicTacToe(3, 4, 4), range(7, 12), NaiveTicTacToe(3, 4, 4)),
    "connect 3 on 4x4": (ConnectFour(4, 4, 3), range(6, 10), NaiveConnectFour(4, 4, 3)),
    "connect 4 on 4x5": (ConnectFour(4, 5, 4), range(12, 18), NaiveConnectFour(4, 5, 4)),
    "hex 2": (Hex(2), range(3), NaiveHex(2)),
    "hex 3": (Hex(3), range(2, 6), NaiveHex(3)),
    "hex 3, swap": (Hex(3, swap=True), range(2, 6), NaiveHex(3, swap=True)),
    "hex 4": (Hex(4), range(8, 12), NaiveHex(4)),
    "31": (ThirtyOne(), range(4, 9), NaiveThirtyOne()),
    "13": (ThirtyOne(13, 2, 4), range(4), NaiveThirtyOne(13, 2, 4)),
}

Order = Callable[[Any, int], float] | None
BOTH: tuple[Order, ...] = (None, backwards)
AS_NUMBERED: tuple[Order, ...] = (None,)  # one of them for each game: every kernel takes seconds
BACKWARDS: tuple[Order, ...] = (backwards,)

AHEAD: dict[str, tuple[Position, range, tuple[Order, ...]]] = {
    "3,3,3": (TicTacToe(), range(5), BACKWARDS),
    "5,5,4": (TicTacToe(5, 5, 4), range(18), BACKWARDS),
    "connect 4": (ConnectFour(), range(24), AS_NUMBERED),
    "connect 3 on 4x4": (ConnectFour(4, 4, 3), range(6), AS_NUMBERED),
    "hex 3": (Hex(3), range(4), BACKWARDS),
    "hex 4": (Hex(4), range(8), BACKWARDS),
}


def pairs(name: str, count: int, seed: int) -> list[tuple[Position, NaiveGame]]:
    start, plies, naive = TO_THE_END[name]
    lines = random_lines(start, count, seed, plies)
    return [(start.after(line), played(naive, line)) for line in lines]


# ---- the truth


@pytest.mark.parametrize("name", TO_THE_END)
def test_minimax_and_alpha_beta_equal_brute_force(name: str) -> None:
    known: Known = {}
    for position, naive in pairs(name, FEW, 1):
        moves = worth(naive, known)
        for agent in (Minimax(), AlphaBeta(depth=99), AlphaBeta(depth=99, table_mb=0)):
            found = agent.analyse(position)
            assert found.proven
            assert found.value == max(moves.values())
            assert moves[found.action] == found.value


@pytest.mark.plain
@pytest.mark.again
@pytest.mark.parametrize("name", ["3,3,3", "connect 3 on 4x4", "hex 3"])
def test_no_table_no_order_and_no_evaluation_changes_the_value_of_a_game(name: str) -> None:
    for position, naive in pairs(name, FEW, 2):
        value = solve(naive, {})[0][naive.to_move]
        for evaluate, order in ((None, None), *((wild, order) for order in AHEAD[name][2])):
            for table_mb in TABLES:
                agent = AlphaBeta(depth=99, evaluate=evaluate, order=order, table_mb=table_mb)
                found = agent.analyse(position)
                assert (found.value, found.proven) == (value, True), agent


LIKE_OTHERS = {"connect 4", "hex 3"}
"""Their kernels take seconds to compile, and the same games on other boards are searched, too."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.thorough if n in LIKE_OTHERS else ()) for n in AHEAD],
)
def test_equal_to_minimax_at_every_depth(name: str) -> None:
    """Which is equal to brute force, with a best line that says so."""
    start, plies, orders = AHEAD[name]
    deepest = 3 if disabled() else 4
    for position in random_positions(start, FEW, 3, plies):
        for depth in range(1, deepest + 1):
            minimax = Minimax(depth=depth, evaluate=wild).analyse(position)
            assert depth > 3 or inner(minimax) == look_ahead(position, depth, wild)
            assert minimax.depth == depth
            check_line(position, minimax)
            for order, table_mb in itertools.product(orders, TABLES):
                agent = AlphaBeta(depth, evaluate=wild, order=order, table_mb=table_mb)
                found = agent.analyse(position)
                assert found.value == minimax.value, agent
                assert found.depth == depth or (found.proven and found.depth < depth)
                after = position.play(found.action)
                best = inner(minimax)
                assert -look_ahead(after, found.depth - 1, wild) == best, agent


def inner(result: SearchResult) -> float:
    """The value as the search sees it, where a utility counts a million times."""
    return result.value * WIN if result.proven else result.value


def test_an_order_changes_nothing_but_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for position in random_positions(TicTacToe(), 3, 5, range(2)):
        results = [AlphaBeta(5, evaluate=wild, order=order).analyse(position) for order in BOTH]
        assert len({result.value for result in results}) == 1
        assert len({result.nodes for result in results}) > 1


def test_players_need_not_alternate(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Heap whoever takes 2 moves again."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for size in range(1, 11):
        for rest in range(1, size + 1):
            position = Heap(size=size, num_players=2, rest=rest)
            value = look_ahead(position, 99, lambda _: 0.0) / WIN
            for agent in (Minimax(), AlphaBeta(depth=99), AlphaBeta(depth=99, table_mb=0)):
                found = agent.analyse(position)
                child = position.play(found.action)
                sign = 1 if child.to_move == position.to_move else -1
                assert (found.value, found.proven) == (value, True)
                assert sign * look_ahead(child, 99, lambda _: 0.0) / WIN == value


# ---- trees of any shape

LEAF = st.integers(-9, 9) | st.sampled_from([-2.5, 0.25, 1e5])
NODE = st.recursive(
    LEAF,
    lambda below: st.lists(below, min_size=1, max_size=4).map(lambda n: dict(zip("abcd", n))),  # noqa: B905
    max_leaves=20,
)
TREE = st.lists(NODE, min_size=1, max_size=4).map(lambda n: dict(zip("abcd", n)))  # noqa: B905
proof = settings(deadline=None, derandomize=True, max_examples=60 if disabled() else 150)


@proof
@given(TREE)
def test_trees(tree: dict[str, Any]) -> None:
    known: Known = {}
    naive = NaiveTree(tree)
    moves = worth(naive, known)
    for agent in (
        Minimax(),
        MaxN(),
        AlphaBeta(depth=99),
        AlphaBeta(depth=99, table_mb=0),
        AlphaBeta(depth=99, order=backwards),
    ):
        found = agent.analyse(Tree(tree))
        assert found.proven, agent
        assert found.value == pytest.approx(max(moves.values()), rel=1e-12)
        assert moves[found.action] == max(moves.values())


@proof
@given(TREE, st.integers(1, 5))
def test_trees_ahead(tree: dict[str, Any], depth: int) -> None:
    def by_node(position: Any) -> float:
        return float(position.node * 7 % 11 - 5)

    value = look_ahead(Tree(tree), depth, by_node)
    assert inner(Minimax(depth, by_node).analyse(Tree(tree))) == pytest.approx(value)
    for order, table_mb in ((None, 0), (backwards, 0.001), (None, 16)):
        found = AlphaBeta(depth, evaluate=by_node, order=order, table_mb=table_mb)
        assert inner(found.analyse(Tree(tree))) == pytest.approx(value)


@pytest.mark.parametrize("table_mb", TABLES)
def test_outside_of_its_window_a_value_is_a_bound(
    table_mb: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fail-soft: at or above the window a lower bound of the value, at or below it an upper one."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    seen = set()
    for position in random_positions(TicTacToe(), 20, 6, range(5)):
        value = look_ahead(position, 4, wild)
        for alpha, beta in ((-20.0, 20.0), (-1e9, 0.0), (5.0, 5.5), (value - 1, value + 1)):
            search = IterativeDeepening(AlphaBeta(4, evaluate=wild, table_mb=table_mb), position)
            window = SearchWindow(4, alpha, beta, 0)
            found = float(search.kernel.plain(position, window, search.arrays))
            seen.add((found > alpha) + (found >= beta))
            if found >= beta:
                assert value >= found - 1e-3
            elif found <= alpha:
                assert value <= found + 1e-3
            else:
                assert value == pytest.approx(found, abs=1e-3)
    assert seen == {0, 1, 2}


# ---- what makes it fast changes nothing

ABLATIONS: tuple[dict[str, Any], ...] = (
    {"null_window": False},
    {"killers": False},
    {"history": False},
    {"order": None},
    {"symmetry": False},
    {"table_mb": 0},
    {"killers": False, "history": False, "order": None, "null_window": False, "table_mb": 0},
)


@pytest.mark.parametrize("name", ["3,3,3", "connect 3 on 4x4", "hex 3", "31"])
def test_what_makes_it_fast_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    work = set()
    for position, naive in pairs(name, 3, 13):
        utilities, plies = solve(naive, {})
        for without in ({}, *ABLATIONS):
            found = AlphaBeta(depth=99, **without).analyse(position)
            assert (found.value, found.proven) == (utilities[naive.to_move], True), without
            if found.value:
                assert found.depth == len(found.principal_variation) == plies, without
            work.add(found.nodes)
    assert len(work) > 1, "they do something"


def test_images_are_kept_as_one() -> None:
    position = ConnectFour().after("1 2 2")
    table = acquire(position, 1)
    window = SearchWindow(9, -1.0, 1.0, 3)
    binding = vars(knowledge_of(position).symmetries)
    keep, find = store.bind_used(**binding).plain, probe.bind_used(**binding).plain
    keep(position, window, False, 0.5, 2, table)
    for moves, action in (("1 2 2", 2), ("7 6 6", 4)):
        there = ConnectFour().after(moves)
        assert find(there, window, table) == (True, 0.5, False, action)
    assert not find(ConnectFour().after("1 1 2"), window, table)[0]
    assert not find(ConnectFour().after("7 6 6"), window._replace(depth=SYMMETRIC - 1), table)[0]


def test_a_deep_search_is_not_overwritten_by_a_shallow_one() -> None:
    """One deep entry and a hundred shallow ones in a table for two positions."""
    deep = TicTacToe(5, 5, 4).after("a1")
    table = acquire(deep, 0.0001)
    assert len(table.entries) == 2
    much, little = SearchWindow(9, -1.0, 1.0, 1), SearchWindow(2, -1.0, 1.0, 1)
    store.plain(deep, much, False, 0.25, 7, table)
    for position in random_positions(TicTacToe(5, 5, 4), 100, 15, range(2, 9)):
        store.plain(position, little, False, -0.5, 3, table)
        found = probe.plain(position, little, table)
        assert found == (True, -0.5, False, 3)
    assert probe.plain(deep, much, table) == (True, 0.25, False, 7)


def test_tables_are_used_again_unless_they_are_large() -> None:
    table = acquire(TicTacToe(), 1)
    release(table)
    again = acquire(TicTacToe(), 1)
    assert again.entries is table.entries
    assert again.key[0, -1] == table.key[0, -1] > 1, "what was stored before does not count"
    large = acquire(TicTacToe(), 3 * KEPT_BYTES / 2**20)
    release(large)
    assert acquire(TicTacToe(), 3 * KEPT_BYTES / 2**20).entries is not large.entries


# ---- results on the way, and every move's


def test_analysis_goes_deeper_and_deeper() -> None:
    agent = AlphaBeta(depth=4)
    results = list(agent.analysis(ConnectFour(5, 5)))
    assert [result.depth for result in results] == [1, 2, 3, 4]
    assert [r.nodes for r in results] == sorted(r.nodes for r in results)
    assert results[-1].principal_variation == agent.analyse(ConnectFour(5, 5)).principal_variation
    for result in agent.analysis(ConnectFour(5, 5)):
        assert result.depth == 1
        break  # whoever has seen enough just stops


def test_the_value_of_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for position in random_positions(TicTacToe(), 4, 16, range(2, 6)):
        found = AlphaBeta(depth=99).values(position)
        children = {a: position.play(a) for a in position.legal_actions()}
        assert found == {a: -look_ahead(c, 99, wild) / WIN for a, c in children.items()}
        ahead = AlphaBeta(depth=2, evaluate=wild).values(position)
        for action, child in children.items():
            inside = -look_ahead(child, 1, wild)
            assert ahead[action] == (inside / WIN if abs(inside) == WIN else inside)
    start = TicTacToe().after("a1")
    assert AlphaBeta(depth=1, evaluate=wild).values(start)[4] == -wild(start.after("b2"))


# ---- figure 5.2


def test_figure_52() -> None:
    minimax = Minimax().analyse(Fig52())
    assert (minimax.nodes, minimax.leaves) == (13, 9)
    assert (minimax.value, minimax.action, minimax.proven) == (3, 0, True)
    assert minimax.principal_variation == (0, 0)
    for table_mb in TABLES:
        shallow = AlphaBeta(depth=1, table_mb=table_mb).analyse(Fig52())
        assert (shallow.nodes, shallow.leaves, shallow.proven) == (4, 3, False)
        deep = AlphaBeta(table_mb=table_mb).analyse(Fig52())
        assert (deep.value, deep.action, deep.depth, deep.proven) == (3, 0, 2, True)
        assert deep.principal_variation == (0, 0)
        # left to right alpha-beta skips two of the nine leaves, 4 and 6
        assert deep.leaves - shallow.leaves == 7
        assert deep.nodes - shallow.nodes == 11


def test_counts_of_a_game() -> None:
    """255,168 games of tic-tac-toe and 549,946 positions in their tree (ORACLES, computed)."""
    start = TicTacToe().after("a1") if disabled() else TicTacToe()
    share = 9 if disabled() else 1
    found = Minimax().analyse(start)
    assert found.leaves * share == pytest.approx(255_168, rel=0.1 if disabled() else 0)
    if not disabled():
        assert found.nodes == 549_946
    assert AlphaBeta(depth=9, table_mb=0).analyse(start).leaves < found.leaves / 4


# ---- what a result says of itself


@pytest.mark.parametrize("name", TO_THE_END)
def test_proven_is_proven(name: str) -> None:
    start, plies, _ = TO_THE_END[name]
    wide = range(max(plies.start - 1, 0), plies.stop)
    for line in random_lines(start, FEW, 7, wide):
        position = start.after(line)
        value = solve(played(TO_THE_END[name][2], line), {})[0][position.to_move]
        for depth, table_mb in itertools.product((1, 2, 3, 5), (0, 16)):
            found = AlphaBeta(depth, table_mb=table_mb).analyse(position)
            if found.proven:
                assert found.value == value
            else:
                assert found.value == 0, "no evaluation, so nothing else is known"
                assert found.depth == depth
        exact = AlphaBeta(depth=99, table_mb=0).analyse(position)
        assert exact.proven
        assert exact.depth <= 16


@pytest.mark.parametrize("table_mb", TABLES)
@pytest.mark.parametrize("name", AHEAD)
def test_principal_variation(name: str, table_mb: float) -> None:
    start, plies, orders = AHEAD[name]
    for position in random_positions(start, FEW, 8, plies):
        for depth, order in itertools.product((1, 2, 3, DEEP), orders):
            agent = AlphaBeta(depth, evaluate=wild, order=order, table_mb=table_mb)
            check_line(position, agent.analyse(position), complete=table_mb != 0.001)


@pytest.mark.parametrize("name", TO_THE_END)
def test_principal_variation_to_the_end(name: str) -> None:
    for position, _ in pairs(name, FEW, 9):
        check_line(position, Minimax().analyse(position))
        if name in ("3,3,3", "31"):
            check_line(position, MaxN().analyse(position))
        for table_mb in TABLES:
            found = AlphaBeta(depth=99, table_mb=table_mb).analyse(position)
            check_line(position, found, complete=table_mb != 0.001)


@proof
@given(TREE)
@example({"a": {"a": {"a": 0}}, "b": {"a": {"a": {"a": {"a": -2.5}}}}})  # ends before the others
def test_principal_variation_of_trees(tree: dict[str, Any]) -> None:
    for agent in (Minimax(), MaxN(), AlphaBeta(depth=99, table_mb=0)):
        check_line(Tree(tree), agent.analyse(Tree(tree)))
    check_line(Tree(tree), AlphaBeta(depth=99).analyse(Tree(tree)), complete=False)


def check_line(position: Position, found: SearchResult, complete: bool = True) -> None:
    """Best play is legal, goes on to the depth or the end of the game, and is worth the value."""
    line = found.principal_variation
    assert line[0] == found.action
    here = position
    for action in line:
        assert action in here.legal_actions(), f"{line} is not legal from {position!r}"
        here = here.play(action)
    assert len(line) <= found.depth
    if here.is_terminal():
        assert here.utility(position.to_move) == pytest.approx(found.value)
    elif len(line) == found.depth and not found.proven:
        sign = 1 if here.to_move == position.to_move else -1
        assert sign * wild(here) == found.value
    else:
        assert not complete, f"{line} is short of {found.depth} plies from {position!r}"


@pytest.mark.parametrize(
    ("moves", "table_mb"), [("a1 c1 c3 b2 a3", 0), ("a1 c1 c3 b2 a3", 16), ("b1 a3 b3", 0)]
)
def test_principal_variation_of_a_decided_position(moves: str, table_mb: float) -> None:
    position = TicTacToe().after(moves)
    value, plies = solve(played(NaiveTicTacToe(), read_line(TicTacToe(), moves)), {})
    found = AlphaBeta(table_mb=table_mb).analyse(position)
    assert (found.value, found.proven, found.depth) == (value[position.to_move], True, plies)
    assert len(found.principal_variation) == plies
    assert position.after(found.principal_variation).is_terminal()


# ---- the quickest win and the longest defence


@pytest.mark.parametrize("name", TO_THE_END)
def test_wins_quickly_and_loses_slowly(name: str) -> None:
    known: Known = {}
    for position, naive in pairs(name, 2 * FEW, 11):
        utilities, plies = solve(naive, known)
        if utilities[naive.to_move] == 0:
            continue
        for table_mb in TABLES:
            found = AlphaBeta(depth=99, table_mb=table_mb).analyse(position)
            assert (found.depth, found.proven) == (plies, True)
            after = solve(played(naive, [found.action]), known)
            assert (after[0], after[1] + 1) == (utilities, plies)


# ---- limits


@pytest.mark.parametrize("limit", [{"depth": 1}, {"nodes": 1}, {"seconds": 1e-6}], ids=repr)
@pytest.mark.parametrize(
    "start", [TicTacToe(), ConnectFour(), Hex(4), ThirtyOne(), Fig52(), Shuttle()], ids=repr
)
def test_however_little_time_there_is_the_answer_is_legal(start: Any, limit: Any) -> None:
    agent = AlphaBeta(**limit)
    assert agent.act(start) in start.legal_actions()
    for position in random_positions(start, 2, 12, range(1, 2)):
        found = agent.analyse(position)
        assert found.action in position.legal_actions()


class Over(Deadline):
    """A deadline that has passed when the search begins."""

    def __init__(self, counts: Any, seconds: float | None) -> None:
        super().__init__(counts, None)
        counts[STOP] = 1 if seconds else 0


@pytest.mark.parametrize("limit", [{"depth": 1}, {"nodes": 1}, {"seconds": 1e-6}], ids=repr)
def test_a_win_at_hand_is_taken_however_little_time_there_is(
    limit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.search.alpha_beta.Deadline", Over)
    position = TicTacToe().after("a1 a2 b1 b2")
    found = AlphaBeta(**limit).analyse(position)
    assert position.name(found.action) == "c1"
    assert (found.value, found.proven) == (1, True)
    assert found.principal_variation == (found.action,)


@pytest.mark.parametrize("nodes", [1, 10, 100, 1000, 5000])
@pytest.mark.parametrize(
    "start", [TicTacToe(5, 5, 4), ConnectFour(), Hex(4), ThirtyOne()], ids=repr
)
def test_nodes_are_a_budget(start: Position, nodes: int) -> None:
    """It is looked at in every position but those of the last plies, so this much may be added."""
    slack = sum(start.num_actions**plies for plies in range(1, shallow_plies(start) + 2))
    for table_mb in (0, 16):
        found = AlphaBeta(nodes=nodes, table_mb=table_mb).analyse(start)
        assert found.nodes <= nodes + slack
        assert found.nodes >= nodes or found.proven
        assert found.action in start.legal_actions()
        assert found.leaves < found.nodes


def test_a_million_nodes_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.search.alpha_beta.DEFAULT_NODES", 2000)
    found = AlphaBeta().analyse(ConnectFour())
    assert 2000 <= found.nodes <= 2000 + 7 + 7**2 + 7**3


def test_nodes_and_depth_whichever_comes_first() -> None:
    """And more nodes look deeper."""
    assert AlphaBeta(depth=2, nodes=10**9).analyse(ConnectFour()).depth == 2
    depths = [AlphaBeta(depth=50, nodes=n).analyse(ConnectFour()).depth for n in (1, 100, 3000)]
    assert depths == sorted(depths)
    assert depths[0] < depths[-1] < 10


def test_searches_in_threads_do_not_disturb_each_other() -> None:
    agent = AlphaBeta(nodes=3000 if disabled() else 300_000)
    positions = random_positions(ConnectFour(), 6, 17, range(2, 9))
    alone = [dataclasses.replace(agent.analyse(p), seconds=0) for p in positions]
    with ThreadPoolExecutor(4) as pool:
        together = [dataclasses.replace(r, seconds=0) for r in pool.map(agent.analyse, positions)]
    assert together == alone


def test_time_ends_a_search() -> None:
    found = AlphaBeta(seconds=0.2).analyse(ConnectFour())
    assert found.action in range(7)
    assert not found.proven


def test_a_game_that_goes_round_in_circles_ends_at_the_limit() -> None:
    found = AlphaBeta(nodes=3000).analyse(Shuttle(size=30))
    assert (found.value, found.proven) == (0, False)
    assert Minimax(depth=5).analyse(Shuttle(size=30)).value == 0


@pytest.mark.parametrize(
    ("agent", "limits"),
    [(AlphaBeta, ("depth", "seconds", "nodes")), (Minimax, ("depth",)), (MaxN, ("depth",))],
)
def test_limits_that_make_no_sense(agent: Any, limits: tuple[str, ...]) -> None:
    for limit, value in itertools.product(limits, (0, -1, -0.5, float("nan"), "4")):
        says = f"{limit} must be .*not {value!r}"
        with pytest.raises((ValueError, TypeError), match=says):
            agent(**{limit: value})
    with pytest.raises(TypeError, match="depth must be"):
        agent(depth=2.5)
    with pytest.raises(ValueError, match="table_mb must not be negative, not -1"):
        AlphaBeta(table_mb=-1)


@pytest.mark.parametrize("agent", [AlphaBeta(depth=2), Minimax(depth=2)], ids=repr)
def test_what_they_do_not_play(agent: Any) -> None:
    over = TicTacToe().after("a1 a2 b1 b2 c1")
    for ask in (agent.act, agent.analyse):
        with pytest.raises(ValueError, match="the game is over"):
            ask(over)
        with pytest.raises(ValueError, match="two players, not 3; use max_n"):
            ask(ThirtyOne(num_players=3))
        with pytest.raises(ValueError, match="here chance is to move"):
            ask(Toss().play(1))


@pytest.mark.parametrize("agent", [AlphaBeta(depth=3), Minimax(depth=3), MaxN(depth=3)], ids=repr)
def test_chance_further_on(agent: Any) -> None:
    with pytest.raises(ValueError, match="chance"):
        agent.analyse(Toss())


# ---- evaluations out of the ordinary


def million(position: Any) -> float:
    return 5e6 if position.own & 1 else -5e6


@pytest.mark.parametrize("kind", [AlphaBeta, Minimax], ids=["alpha_beta", "minimax"])
def test_no_evaluation_is_better_than_a_win(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    position = TicTacToe().after("a1 a2 b1 b2")
    found = kind(depth=1, evaluate=million).analyse(position)
    assert position.name(found.action) == "c1"
    assert found.value == 1
    lost = TicTacToe().after("a1 a2 b1 b2 c3")  # O, who does not have a1, is to move and wins
    assert kind(depth=1, evaluate=million).analyse(lost).value == 1
    assert not kind(depth=2, evaluate=million).analyse(TicTacToe()).proven


def test_same_question_same_answer() -> None:
    agent = AlphaBeta(nodes=2000)
    position = ConnectFour().after("4455")
    first = agent.analyse(position)
    agent.analyse(ConnectFour())
    agent.reset(7)
    again = agent.analyse(position)
    for name in ("action", "value", "principal_variation", "nodes", "leaves", "depth", "proven"):
        assert getattr(first, name) == getattr(again, name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "value"),
    [
        (TicTacToe(4, 3, 3), 1),
        (TicTacToe(4, 4, 3), 1),
        (TicTacToe(4, 3, 4), 0),
        (TicTacToe(4, 4, 4), 0),
        (ConnectFour(4, 4), 0),
        (ConnectFour(4, 5), 0),
        (ConnectFour(6, 6), -1),
        (Hex(3), 1),
        (Hex(4), 1),
        (ThirtyOne(), 1),
    ],
    ids=repr,
)
def test_known_values(start: Position, value: int) -> None:
    """ORACLES: computed or literature."""
    found = AlphaBeta(depth=99, table_mb=512).analyse(start)
    assert (found.value, found.proven) == (value, True)


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 4])
def test_openings_that_win_hex(size: int) -> None:
    """ORACLES: computed."""
    winning = {2: ".W/W.", 3: "..W/WWW/W..", 4: "...W/..W./.W../W..."}[size]
    agent = AlphaBeta(depth=99, table_mb=128)
    for action, mark in enumerate(winning.replace("/", "")):
        assert agent.analyse(Hex(size).play(action)).value == (-1 if mark == "W" else 1)
