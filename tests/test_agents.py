"""Every agent: finds what must be found, repeats itself, and takes the functions it is given."""

import copy
import math
import os
import pickle
import re
import signal
import subprocess
import sys
import warnings
from collections import Counter, deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from brute import Known, best, best_moves, look_ahead, played, random_positions, solve, worth
from children import LONGEST, child
from naive import (
    FIG52,
    NaiveConnectFour,
    NaiveGame,
    NaiveHex,
    NaiveThirtyOne,
    NaiveTicTacToe,
    NaiveTree,
)
from odd_games import Toss
from small_games import Heap

import adv_envs
from adv_envs import (
    Chess,
    ConnectFour,
    Fig52,
    Hex,
    IllegalMove,
    Pig,
    Position,
    ThirtyOne,
    TicTacToe,
)
from adv_envs.bits import count
from adv_envs.jit import disabled, kernel
from adv_envs.notation import read_line
from agents import (
    AGENTS,
    Agent,
    AlphaBeta,
    Greedy,
    Human,
    MaxN,
    Minimax,
    Random,
    Resign,
    Retrograde,
    Rush,
    StrongestAgent,
    TakeBack,
    knowledge_of,
    make,
)
from agents.agent import SearchAgent
from agents.games import tic_tac_toe
from agents.games.hex import evaluations as hex_heuristics
from agents.spec import strong_spec

ROOT = Path(__file__).parent.parent
OURS = {name for name, agent in AGENTS.items() if agent.__module__.startswith("agents.")}
compiled_only = pytest.mark.skipif(disabled(), reason="NUMBA_DISABLE_JIT is set")

# ---- positions with one move that does not give something away

Case = tuple[Position, NaiveGame, str]

WINS: dict[str, Case] = {
    "three in a row": (TicTacToe(), NaiveTicTacToe(), "a3 a1 b3 b2 a2"),
    "a fork": (TicTacToe(), NaiveTicTacToe(), "a2 b3 a3 a1 c3"),
    "a win in five": (TicTacToe(), NaiveTicTacToe(), "b1 c2 a1"),
    "connect 3": (ConnectFour(4, 4, 3), NaiveConnectFour(4, 4, 3), "3423"),
    "connect 3, from afar": (ConnectFour(4, 4, 3), NaiveConnectFour(4, 4, 3), "344213"),
    "connect 4": (ConnectFour(4, 4, 4), NaiveConnectFour(4, 4, 4), "34312232"),
    "connect 4, from afar": (ConnectFour(4, 4, 4), NaiveConnectFour(4, 4, 4), "311311232"),
    "hex 3": (Hex(3), NaiveHex(3), "a1 c3 a2 b3"),
    "hex 3, a bridge": (Hex(3), NaiveHex(3), "b3 a3 c3 b1"),
    "hex 3, the centre": (Hex(3), NaiveHex(3), "b3"),
    "hex 4": (Hex(4), NaiveHex(4), "c1 b2 b1 c3 d3 a4"),
    "31": (ThirtyOne(), NaiveThirtyOne(), "6126631"),
    "31, from afar": (ThirtyOne(), NaiveThirtyOne(), "134"),
    "figure 5.2": (Fig52(), NaiveTree({**FIG52}), ""),
}

DEFENCES: dict[str, Case] = {
    "block": (TicTacToe(), NaiveTicTacToe(), "a1 b2 b1"),
    "block a fork": (TicTacToe(), NaiveTicTacToe(), "a3 b3 c2"),
    "answer in the centre": (TicTacToe(), NaiveTicTacToe(), "a1"),
    "connect 4, a draw": (ConnectFour(4, 4, 4), NaiveConnectFour(4, 4, 4), "423143421"),
    "connect 4, a draw from afar": (ConnectFour(4, 4, 4), NaiveConnectFour(4, 4, 4), "31111323"),
}

SOLVERS: dict[str, Callable[[], Agent]] = {
    "alpha_beta": lambda: AlphaBeta(depth=99),
    "alpha_beta without a table": lambda: AlphaBeta(depth=99, table_mb=0),
    "alpha_beta with a million nodes": AlphaBeta,
    **{"minimax": Minimax, "max_n": MaxN, "retrograde": Retrograde},
}


def too_long(who: str, position: Any) -> bool:
    """Minimax in plain Python, with more than seven cells to fill or much of the 31 to go."""
    if isinstance(position, ThirtyOne):
        left = position.limit - position.total - 10
    else:
        left = position.num_actions - position.ply if isinstance(position, TicTacToe | Hex) else 0
    return disabled() and who in ("minimax", "max_n") and left > 7


@cache
def solved(name: str) -> tuple[Position, dict[int, float], list[int]]:
    """The position, what its moves are worth, and the best of them."""
    start, naive, moves = (WINS | DEFENCES)[name]
    game, known = played(naive, read_line(start, moves)), Known()
    return start.after(moves), worth(game, known), best_moves(game, known)


# Each game compiles every search anew: `make test` compiles two games, and runs all plain.
COMPILED = TicTacToe | Hex
PLAIN_FIRST = [pytest.mark.plain, pytest.mark.again]
CASES = [
    name if isinstance(start, COMPILED) else pytest.param(name, marks=PLAIN_FIRST)
    for name, (start, _, _) in (WINS | DEFENCES).items()
]


@pytest.mark.parametrize("who", SOLVERS)
@pytest.mark.parametrize("name", CASES)
def test_the_only_move_is_found(name: str, who: str) -> None:
    position, values, only = solved(name)
    assert len(only) == 1, "or the position proves nothing"
    assert len(values) > 1
    assert (values[only[0]] > 0) == (name in WINS)
    if not too_long(who, position):
        assert SOLVERS[who]().act(position) == only[0]


@pytest.mark.parametrize("who", ["minimax", "alpha_beta", "max_n"])
@pytest.mark.parametrize(
    ("start", "moves", "only", "depth"),
    [
        (ConnectFour(), "414141", "4", 1),  # four in a column
        (ConnectFour(), "41414", "4", 2),  # and the only way to stop it
        (ConnectFour(), "4455", "", 3),  # 3 and 6 both make an open three
        (TicTacToe(5, 5, 4), "b2 a1 c2 a2 d2", "", 2),  # an open three: nothing helps
        (TicTacToe(5, 5, 4), "b2 a2 c2 a1 d2", "e2", 2),
    ],
)
def test_the_only_move_is_found_on_larger_boards(
    start: Position, moves: str, only: str, depth: int, who: str
) -> None:
    position = start.after(moves)
    children = {action: position.play(action) for action in position.legal_actions()}
    values = {a: -look_ahead(child, depth - 1, lambda _: 0.0) for a, child in children.items()}
    top = [action for action, value in values.items() if value == max(values.values())]
    assert only in ("", *map(position.name, top))
    assert only == "" or len(top) == 1
    assert make(f"{who}(depth={depth})").act(position) in top


def test_heap_is_won_where_it_can_be() -> None:
    """A game in which turns do not alternate, against plain brute force."""
    for rest in range(1, 13):
        position = Heap(size=12, num_players=2, rest=rest)
        value = look_ahead(position, 99, lambda _: 0.0) / 1e6
        assert Retrograde().value(position) == value
        child = position.play(Retrograde().act(position))
        sign = 1 if child.to_move == position.to_move else -1
        assert sign * look_ahead(child, 99, lambda _: 0.0) / 1e6 == value


# ---- max^n

LEADS: dict[str, tuple[Position, range, NaiveGame]] = {
    "31 for three": (ThirtyOne(31, 4, 6, 3), range(5, 9), NaiveThirtyOne(31, 4, 6, 3)),
    "12 for four": (ThirtyOne(12, 2, 4, 4), range(4), NaiveThirtyOne(12, 2, 4, 4)),
    "13": (ThirtyOne(13, 2, 4), range(3), NaiveThirtyOne(13, 2, 4)),
    "3,3,3": (TicTacToe(), range(3, 7), NaiveTicTacToe()),
}


@pytest.mark.parametrize("name", LEADS)
def test_max_n_equals_brute_force(name: str) -> None:
    start, plies, naive = LEADS[name]
    known = Known()
    for position in random_positions(start, 4 if disabled() else 12, 1, plies):
        found = MaxN().analyse(position)
        game = naive_at(naive, start, position)
        utilities, _ = solve(game, known, hurry=False)
        assert (found.value, found.proven) == (pytest.approx(utilities[game.to_move]), True)
        assert found.action == best(game, known, hurry=False)[0]
        end = position.after(found.principal_variation)
        assert end.is_terminal()
        assert tuple(end.utility(p) for p in range(end.num_players)) == pytest.approx(utilities)


def naive_at(naive: NaiveGame, start: Position, position: Any) -> NaiveGame:
    """The same position, by whatever moves lead there."""
    todo = deque([(start, naive)])
    seen = set()
    while todo:
        here, game = todo.popleft()
        if here == position:
            return game
        for action in game.actions():
            child = here.play(action)
            if child not in seen and child.ply <= position.ply:  # type: ignore[attr-defined]
                seen.add(child)
                todo.append((child, played(game, [action])))
    raise AssertionError("it cannot be reached")


def eager(position: Any, player: int) -> float:
    return float((position.rest * 7 + player * 5) % 11)


def max_n(position: Position, depth: int) -> list[float]:
    players = range(position.num_players)
    if position.is_terminal():
        return [1e6 * position.utility(player) for player in players]
    if depth == 0:
        return [eager(position, player) for player in players]
    after = [max_n(position.play(action), depth - 1) for action in position.legal_actions()]
    return max(after, key=lambda worth: worth[position.to_move])


def test_max_n_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an evaluation for every player, in a game where turns do not alternate."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for players in (2, 3, 5):
        for rest in range(2, 15):
            position = Heap(size=14, num_players=players, rest=rest)
            for depth in (1, 2, 3, 4):
                found = MaxN(depth, eager).analyse(position)
                value = found.value * (1e6 if found.proven else 1)
                assert value == pytest.approx(max_n(position, depth)[0])
                assert len(found.principal_variation) <= depth


def test_max_n_counts() -> None:
    found = MaxN().analyse(Fig52())
    assert (found.nodes, found.leaves, found.depth, found.value) == (13, 9, 2, 3)
    assert MaxN(depth=1).analyse(Fig52()).nodes == 4


# ---- random, greedy, rush


def test_random_takes_every_action_alike() -> None:
    agent, taken = Random(seed=1), Counter[int]()
    position = TicTacToe().after("b2")
    for _ in range(8000):
        taken[agent.act(position)] += 1
    assert sorted(taken) == position.legal_actions()
    for number in taken.values():
        assert abs(number - 1000) < 5 * (8000 * 1 / 8 * 7 / 8) ** 0.5  # five standard deviations


@pytest.mark.parametrize("make_agent", [Random, Greedy, Rush], ids=["random", "greedy", "rush"])
def test_seeds(make_agent: Any) -> None:
    positions = [Hex(5), Hex(5).after("c3"), Hex(5).after("a1 b2 c3")] * 8

    def answers(agent: Agent) -> list[int]:
        return [agent.act(position) for position in positions]

    assert answers(make_agent(seed=3)) == answers(make_agent(seed=3))
    assert answers(make_agent(seed=3)) != answers(make_agent(seed=4))
    assert answers(make_agent()) != answers(make_agent()), "without a seed, not the same again"
    agent = make_agent(seed=3)
    first = answers(agent)
    assert answers(agent) != first, "it goes on"
    agent.reset(3)
    assert answers(agent) == first
    agent.reset(5)
    other = answers(agent)
    agent.reset(None)
    assert answers(agent) != other
    assert agent == make_agent(seed=3), "what it draws from is no parameter"
    copied = copy.deepcopy(agent)
    assert answers(copied) == answers(agent)
    assert answers(pickle.loads(pickle.dumps(agent))) == answers(agent)


@pytest.mark.parametrize("evaluate", [None, tic_tac_toe.lines], ids=["none", "lines"])
def test_greedy_takes_a_win_at_hand(evaluate: Any) -> None:
    agent = Greedy(evaluate, seed=1)
    for moves in ("a1 b1 a2 b2", "a1 b1 a2 b2 c3", "a1 a3 b2 b3"):
        position = TicTacToe().after(moves)
        wins = [a for a in position.legal_actions() if position.play(a).is_terminal()]
        assert wins
        for _ in range(10):
            assert agent.act(position) in wins


def test_greedy_takes_what_is_worth_most() -> None:
    """Valued for the player to move, who is the opponent; equals are drawn from at random."""
    for position in random_positions(TicTacToe(4, 3, 3), 20, 2, range(4)):
        worth = {a: -some_value(position.play(a)) for a in position.legal_actions()}
        top = [action for action, value in worth.items() if value == max(worth.values())]
        agent = Greedy(some_value, seed=1)
        assert {agent.act(position) for _ in range(40)} == set(top)


def some_value(position: Any) -> float:
    return float(position.own % 3)


def test_greedy_where_turns_do_not_alternate() -> None:
    """Whoever takes two moves again, and values the position after it as one of their own."""

    def rest(position: Any) -> float:
        return float(position.rest * (10 if position.to_move == 0 else 1))

    assert Greedy(rest).act(Heap(size=9, num_players=2, rest=9)) == 1


@pytest.mark.plain
@pytest.mark.parametrize(("turn", "best"), [(3, "roll"), (19, "roll"), (21, "hold"), (60, "hold")])
def test_greedy_expects_what_chance_brings(turn: int, best: str) -> None:
    """At 20 points rolling Pig's die is worth as much as holding; a 1 gives them all away."""

    def ahead(position: Any) -> float:
        scores = position.first, position.second
        return float(scores[position.to_move] + position.turn - scores[1 - position.to_move])

    for player in (0, 1):
        position = Pig(100, 6, 30, 30, turn, player, False)
        assert position.name(Greedy(ahead).act(position)) == best


def distance(game: NaiveHex, player: int) -> float:
    """Empty cells to fill from edge to edge, by breadth-first search: own stones cost nothing."""
    cost = {cell: {None: 1, player: 0}.get(game.cell(*cell), math.inf) for cell in game.cells}
    found = dict.fromkeys(game.cells, math.inf)
    todo = deque((cost[c], c) for c in game.cells if c[player] == 0)
    while todo:
        so_far, (row, column) = todo.popleft()
        if so_far < found[row, column]:
            found[row, column] = so_far
            for down, right in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]:
                beside = (row + down, column + right)
                if beside in cost:
                    todo.append((so_far + cost[beside], beside))
    return min(found[cell] for cell in game.cells if cell[player] == game.size - 1)


@pytest.mark.parametrize("size", [2, 3, 5, 7])
def test_rush_stays_on_a_shortest_path(size: int) -> None:
    agent = Rush(seed=1)
    plies = range(0, size * size // 2)
    start, naive = Hex(size), NaiveHex(size)
    rng = Random(seed=size)
    for _ in range(3):
        position, game = start, naive
        for _ in plies:
            if position.is_terminal():
                break
            player = position.to_move
            before = distance(game, player)
            nearer = {a for a in game.actions() if distance(hex_after(game, a), player) < before}
            assert agent.act(position) in nearer
            if size <= 3:
                assert {agent.act(position) for _ in range(60)} == nearer
            action = rng.act(position)
            position, game = position.play(action), hex_after(game, action)


def hex_after(game: NaiveHex, action: int) -> NaiveHex:
    child = played(game, [action])
    assert isinstance(child, NaiveHex)
    return child


def test_rush_wins_in_as_many_moves_as_the_board_is_wide() -> None:
    position: Position = Hex(5)
    agent, plies = Rush(seed=2), 0
    while not position.is_terminal():
        # the other one dawdles in a corner: a1, b1, ... is no row of player 1's
        dawdle = [a for a in position.legal_actions() if a % 5 == 4]
        position = position.play(agent.act(position) if position.to_move == 0 else dawdle[-1])
        plies += 1
    assert position.utility(0) == 1
    assert plies <= 11


def test_rush_plays_hex_only() -> None:
    with pytest.raises(ValueError, match="rush plays hex, not TicTacToe"):
        Rush().act(TicTacToe())
    assert Rush().act(Hex(3, swap=True).after("b2")) < 9


# ---- a person


def person(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """Let these lines be typed, then the end of the input; the prompts."""
    typed, prompts = iter(lines), []

    def answer(prompt: str = "") -> str:
        prompts.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    return prompts


def test_a_person_types_a_move(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    for typed in ("b2", " B2 ", "b2\t"):
        prompts = person(monkeypatch, typed)
        assert Human().act(TicTacToe()) == 4
        assert prompts == ["Your move, player 0: "]
    assert str(TicTacToe()) in capsys.readouterr().out


def test_a_person_may_type_the_names_of_a_second_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    for typed, square in (("Nf3", "g1f3"), ("nf3 ", ""), ("G1F3", "g1f3")):
        person(monkeypatch, typed)
        if square:
            assert Human().act(Chess()) == Chess().action(square)
        else:
            with pytest.raises(Resign):  # no knight: the input ends
                Human().act(Chess())


def test_nonsense_is_refused_politely(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    nonsense = ["d4", "b2", "4", "help me", "__import__('os')", "a1 c1", "🎲", "-1"]
    prompts = person(monkeypatch, *nonsense, "c3")
    assert Human().act(TicTacToe().after("b2")) == 8
    out = capsys.readouterr().out
    assert len(prompts) == len(nonsense) + 1
    assert out.count("Sorry") == len(nonsense)
    assert "'d4' is not a legal move; legal: a1, b1, c1, a2, c2, a3, b3, c3" in out


@pytest.mark.parametrize("word", ["help", "h", "?", "", "HELP"])
def test_help(monkeypatch: pytest.MonkeyPatch, capsys: Any, word: str) -> None:
    person(monkeypatch, word, "c3")
    assert Human().act(TicTacToe().after("b2")) == 8
    out = capsys.readouterr().out
    assert "a1, b1, c1, a2, c2, a3, b3, c3" in out
    assert '"undo"' in out
    assert '"resign"' in out


@pytest.mark.parametrize(
    ("words", "raised"),
    [
        *[([word], TakeBack) for word in ("undo", "back", "u", " Undo ")],
        *[
            ([*words], Resign)
            for words in (["resign"], ["quit"], ["exit"], ["q"], ["nonsense"], [])
        ],
    ],
)
def test_undo_resign_and_the_end_of_the_input(
    monkeypatch: pytest.MonkeyPatch, words: list[str], raised: type[Exception]
) -> None:
    person(monkeypatch, *words)
    with pytest.raises(raised):
        Human().act(TicTacToe())


def test_the_commands_are_explained_once_a_game(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    person(monkeypatch, "b2", "b2", "b2")
    human = Human(show_board=False)
    human.act(TicTacToe())
    human.act(TicTacToe())
    assert capsys.readouterr().out.count("Type a move") == 1
    human.reset(1)
    human.act(TicTacToe())
    assert capsys.readouterr().out == 'Type a move, or "help", "undo" or "resign".\n'


# ---- what all of them have in common


SPECS = ["random", "human", "greedy", "rush", "minimax", "minimax(depth=1)", "alpha_beta"]
SPECS += ["alpha_beta(depth=1)", "max_n", "mcts", "retrograde"]


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_is_to_be_done_in_a_finished_game(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person(monkeypatch, "a1")
    for over in (Hex(2).after("a1 b1 a2"), TicTacToe(1, 1, 1).after("a1")):
        with pytest.raises(ValueError, match="the game is over"):
            make(spec).act(over)


@pytest.mark.parametrize(
    "agent",
    [
        AlphaBeta(3, evaluate=hex_heuristics.two_distance),
        AlphaBeta(order=hex_heuristics.centre),
        Greedy(hex_heuristics.resistance),
        Minimax(2),
        Retrograde(7),
        Random(5),
    ],
    ids=repr,
)
def test_copies_are_equal(agent: Agent) -> None:
    assert agent == make(repr(agent)) == pickle.loads(pickle.dumps(agent)) == copy.deepcopy(agent)
    assert agent != make("max_n(depth=9)")


# ---- evaluations of one's own, in plain Python

START = TicTacToe().after("a1")
WEIGHTS = {0: 1.0, 1: -2.0}


def plain(position: Any) -> float:
    return 1.0 * (position.own % 7) - position.opp % 5


def squares(n: int) -> int:
    return n * n


def sum_of_squares(a: int, b: int) -> int:
    return squares(a) - squares(b)


def with_helpers(position: Any) -> float:
    return 0.5 * sum_of_squares(count(position.own & 0b1010), count(position.opp))


def with_keywords(position: Any) -> float:
    return weighed(position, opp=3.0)


def weighed(position: Any, own: float = 1.0, opp: float = 2.0) -> float:
    return own * (position.own % 7) - opp * (position.opp % 5)


def with_math(position: Any) -> float:
    return math.log(1 + position.own) - math.sqrt(position.opp)


def whole(position: Any) -> int:
    return int(position.own % 7)


def truth(position: Any) -> bool:
    return bool(position.own & 1)


@kernel
def in_a_kernel(position: Any) -> float:
    return 1.0 * with_helpers(position) + 1


def with_a_kernel(position: Any) -> float:
    return 2 * in_a_kernel(position)


def closure(weight: float) -> Callable[[Any], float]:
    return lambda position: weight * (position.own % 7)


COMPILES: dict[str, Callable[[Any], float]] = {
    **{"plain": plain, "lambda": lambda position: 1.0 * (position.own % 5), "closure": closure(-3)},
    **{"helpers": with_helpers, "keywords": with_keywords, "math": with_math, "whole": whole},
    **{"truth": truth, "kernel": in_a_kernel, "function with a kernel": with_a_kernel},
}


@pytest.mark.parametrize("name", COMPILES)
def test_any_evaluation_will_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled without a warning, with the values of plain Python."""
    evaluate = COMPILES[name]
    assert_same(evaluate, Minimax(2, evaluate), monkeypatch)


def assert_same(
    evaluate: Callable[[Any], float], agent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = agent.analyse(START)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    expected = agent.analyse(START)
    assert found.value == pytest.approx(expected.value, rel=1e-12)
    assert found.action == expected.action
    assert found.nodes == expected.nodes
    assert found.value == pytest.approx(look_ahead(START, 2, evaluate))


def test_two_closures_are_two_evaluations() -> None:
    one, two = Minimax(1, closure(1)), Minimax(1, closure(2))
    first = one.analyse(START).value
    assert first != 0
    assert two.analyse(START).value == 2 * first
    assert one.analyse(START).value == first


def with_a_dict(position: Any) -> float:
    return WEIGHTS[position.ply % 2] * (position.own % 7)


def with_text(position: Any) -> float:
    return float(len(str(position)))


def with_bit_count(position: Any) -> float:
    return float(position.own.bit_count() * position.own % 7)


def with_a_list(position: Any) -> float:
    return float(sum(position.legal_actions()))


def with_an_import(position: Any) -> float:
    from math import sqrt

    return sqrt(position.own)


class Weights:
    own = 3.0


class Judge:
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, position: Any) -> float:
        return self.weight * (position.own % 7)

    def judge(self, position: Any) -> float:
        return 2 * self(position)


def with_a_class(position: Any) -> float:
    return Weights.own * (position.own % 7)


DOES_NOT_COMPILE: dict[str, Callable[[Any], float]] = {
    "dict": with_a_dict,
    "text": with_text,
    "bit_count": with_bit_count,
    "list": with_a_list,
    "class": with_a_class,
    "object": Judge(2.0),
    "bound method": Judge(2.0).judge,
    "generator": lambda position: float(sum(position.own >> i & 1 for i in range(9))),
    "import": with_an_import,
}


@compiled_only
@pytest.mark.parametrize("name", DOES_NOT_COMPILE)
def test_an_evaluation_that_cannot_be_compiled(name: str, monkeypatch: Any) -> None:
    evaluate = DOES_NOT_COMPILE[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert_same(evaluate, Minimax(2, evaluate), monkeypatch)
    assert [warning.category for warning in caught] == [RuntimeWarning]
    message = str(caught[0].message)
    assert message.startswith("cannot compile ")
    assert "searching in plain Python, much slower" in message
    assert len(message) < 250
    assert "\n" not in message
    assert "^" not in message
    assert "Failed in nopython mode" not in message
    if hasattr(evaluate, "__name__"):
        assert evaluate.__name__ in message


def test_reports_of_the_compiler_may_be_in_colours() -> None:
    pytest.importorskip("numba")
    from adv_envs.jit import bridge

    report = "\x1b[1m\x1b[1mFailed in nopython mode\x1b[0m\n\x1b[1mUnknown attribute 'x'\x1b[0m\n^"
    assert bridge._reason(TypeError(report)) == "Unknown attribute 'x'"


@compiled_only
def test_what_cannot_be_compiled_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from adv_envs.jit import bridge

    tried = []
    compile_kernel = bridge.compile_kernel
    monkeypatch.setattr(
        bridge, "compile_kernel", lambda *args: tried.append(args) or compile_kernel(*args)
    )
    agent = Minimax(1, lambda position: float(WEIGHTS[position.ply % 2]))
    for _ in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            agent.act(START)
    assert len(tried) == 1


def order(position: Any) -> float:
    return 3.0


def evaluate(position: Any) -> float:
    return float(position.own % 7)


def cautious(position: Any) -> float:
    return 0.5 * evaluate(position) + order(position)


def test_helpers_may_be_called_as_the_searches_call_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    expected = look_ahead(START, 1, cautious)
    assert Minimax(1, cautious).analyse(START).value == expected


class Refused(ValueError):
    pass


def refuses(position: Any) -> float:
    if position.ply == 3:
        raise ValueError("no opinion on such a position")
    return 0.0


def breaks(position: Any) -> float:
    raise Refused(f"ply {position.ply}")


@pytest.mark.parametrize("agent", [Minimax(2, refuses), Greedy(refuses)], ids=repr)
def test_what_an_evaluation_raises_is_heard(agent: Agent) -> None:
    position = TicTacToe().after("a1 b1") if isinstance(agent, Greedy) else START
    with pytest.raises(ValueError, match="no opinion on such a position"):
        agent.act(position)


@pytest.mark.parametrize(
    "agent",
    [
        Minimax(2, breaks),
        AlphaBeta(2, evaluate=breaks),
        AlphaBeta(seconds=20, evaluate=breaks),
        MaxN(1, lambda position, player: breaks(position)),
    ],
    ids=repr,
)
def test_what_a_plain_evaluation_raises_is_heard(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(Refused, match=r"ply \d"):
        agent.act(START)


@pytest.mark.xfail(
    reason="no value is better than none yet, and the first action is taken", strict=True
)
@pytest.mark.parametrize("kind", [Minimax, AlphaBeta], ids=["minimax", "alpha_beta"])
def test_not_a_number_is_no_value(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(ValueError, match=r"nan|not a number"):
        kind(depth=2, evaluate=lambda position: math.nan).analyse(START)


# ---- at the keyboard

SEARCH_ON = """
import sys
from adv_envs import ConnectFour
from agents import AlphaBeta
AlphaBeta(depth=1).act(ConnectFour())
try:
    print("ready", flush=True)
    AlphaBeta(seconds=600).act(ConnectFour())
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_ctrl_c_stops_a_search() -> None:
    command = [sys.executable, "-c", SEARCH_ON]
    with child(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=LONGEST)
    assert (out, process.returncode) == ("stopped\n", 0)


@pytest.mark.parametrize(
    "spec", sorted(OURS - {"human", "engine", "llm", "policy", "league", "submission"})
)
def test_what_is_no_position(spec: str) -> None:
    agent = make(spec)
    asked = [agent.act]
    if isinstance(agent, SearchAgent):
        asked += [agent.analyse, agent.value, agent.values]
    for wrong in (None, "b2 a1", adv_envs.env("hex"), TicTacToe):
        for ask in asked:
            with pytest.raises(TypeError, match=r"agents see positions|hex_solver solves Hex, not"):
                ask(wrong)


def test_finished_games_have_no_moves_to_value() -> None:
    for spec in sorted(OURS):
        agent = None if spec in ("engine", "llm", "policy", "league", "submission") else make(spec)
        over: Position = (
            Hex(2).after("a1 b1 a2") if "hex" in spec else TicTacToe().after("a1 b1 a2 b2 a3")
        )
        if isinstance(agent, SearchAgent):
            try:
                found = agent.value(over), agent.values(over)
            except ValueError as error:
                about = str(error)
            else:
                about = ""
                assert found == (-1, {})
            assert re.fullmatch(r"|.* (solves|plays|knows|searches) .*", about), spec


@pytest.mark.parametrize("game", list(adv_envs.GAMES))
def test_the_strong_agent_of_every_game_can_be_made(game: str) -> None:
    start = adv_envs.start_position(game)
    spec = strong_spec(start)
    assert repr(StrongestAgent().agent(start)) == repr(make(spec))
    for rung in knowledge_of(start).rungs.values():
        make(rung)


def test_the_strong_agent_is_that_of_the_game() -> None:
    agent = StrongestAgent()
    assert agent.agent(Pig()) == make("pig_solver")
    assert agent.act(Pig(target=10)) == make("pig_solver").act(Pig(target=10))
    assert agent.act(TicTacToe().after("a1 a2 b1 b2")) == 2
    assert agent.agent(TicTacToe().after("a1")) is agent.agent(TicTacToe())
    agent.reset(3)
    assert strong_spec(ThirtyOne(num_players=3)) == "mcts(seconds=3)"
    assert strong_spec(Toss()) == "expectiminimax(seconds=3)"


def test_illegal_moves_have_a_name_of_their_own() -> None:
    with pytest.raises(IllegalMove, match="not a legal move"):
        TicTacToe().action("z9")


def test_chance_is_left_to_who_understands_it() -> None:
    assert Retrograde().act(Toss()) in (0, 1)
    assert Random(1).act(Toss()) in (0, 1)


GOES_ON = ["random()", "greedy()", "alpha_beta(depth=2)", "mcts(simulations=40)"]
GOES_ON += ["mcts(simulations=40, reuse=False)", "mcts(simulations=40, threads=2, rave=50)"]
GOES_ON += ["ismcts(simulations=40)"]


@pytest.mark.parametrize("spec", GOES_ON)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_copies_go_on_as_the_original_does(spec: str, copied: Callable[[Agent], Agent]) -> None:
    agent, position = make(spec), ConnectFour(5, 5, 4)
    agent.reset(7)
    for _ in range(4):
        position = position.play(agent.act(position))
    twin, chosen = copied(agent), []
    for player in (agent, twin):
        here, line = position, []
        for _ in range(6):
            if not here.is_terminal():
                line.append(player.act(here))
                here = here.play(line[-1])
        chosen.append(line)
    assert chosen[0] == chosen[1]
