"""Expectiminimax against plain recursion, with chance and without; its limits."""

import math
from typing import Any

import numpy as np
import pytest
from odd_games import Toss
from small_games import Heap

from adv_envs import CHANCE, ConnectFour, Pig, ThirtyOne, TicTacToe
from adv_envs.jit import disabled
from adv_envs.testing import check_agent
from agents import Expectiminimax, Minimax, PigSolver, Retrograde, make, match
from agents.games.connect_four import evaluations as connect_four
from agents.search import expectiminimax as module
from agents.search.limits import counters
from agents.search.minimax import new_line
from agents.search.transposition_table import acquire


def lead(position: Any) -> float:
    """By how much of the target the player to move is ahead."""
    own, other = position.score(position.mover), position.score(1 - position.mover)
    return 0.5 * (own + position.turn - other) / position.target


def plain(position: Any, depth: int, evaluate: Any, win: float = 1.0) -> float:
    """The value for player 0, in the obvious way."""
    if position.is_terminal():
        return win * position.utility(0)
    mover = position.to_move
    if mover == CHANCE:
        return sum(
            position.probability(action) * plain(position.play(action), depth, evaluate, win)
            for action in position.legal_actions()
        )
    if depth == 0:
        return evaluate(position) * (1 if mover == 0 else -1)
    values = [
        plain(position.play(action), depth - 1, evaluate, win)
        for action in position.legal_actions()
    ]
    return max(values) if mover == 0 else min(values)


def expected(position: Any, depth: int, evaluate: Any, win: float = 1.0) -> dict[int, float]:
    """The value of each action for the player to move."""
    sign = -1 if position.to_move == 1 else 1
    left = depth if position.to_move == CHANCE else depth - 1
    return {
        action: sign * plain(position.play(action), left, evaluate, win)
        for action in position.legal_actions()
    }


def agrees(agent: Expectiminimax, position: Any, evaluate: Any, win: float = 1.0) -> None:
    """Value, values, action and scale, at the depth of the agent."""
    found = agent.analyse(position)
    depth = agent.depth or 99
    values = expected(position, depth, evaluate, win)
    scale = win if found.proven else 1
    assert found.values == pytest.approx({a: v / scale for a, v in values.items()}, abs=1e-9)
    assert agent.values(position) == found.values
    assert found.value == pytest.approx(max(values.values()) / scale, abs=1e-9)
    assert agent.value(position) == found.value == found.values[found.action]
    assert found.principal_variation[0] == found.action
    position.after(found.principal_variation)


PIGS = [
    "",
    "roll 4",
    "roll 4 roll 6 hold",
    "roll 6 roll 6 hold roll 5 roll 5",
    "roll 1 roll 6 roll 6 hold roll 4",
]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("evaluate", [lead, None], ids=["lead", "none"])
def test_pig_equals_plain_recursion(depth: int, evaluate: Any) -> None:
    for line in PIGS:
        position = Pig(target=20).after(line)
        agrees(Expectiminimax(depth, evaluate), position, evaluate or (lambda _: 0.0))


def test_from_where_the_die_rolls() -> None:
    """Values of chance, and of its faces, are for player 0."""
    agent = Expectiminimax(depth=2, evaluate=lead)
    for line in ("roll", "roll 4 roll", "roll 6 hold roll", "roll 6 hold roll 3 roll"):
        position = Pig(target=20).after(line)
        values = expected(position, 2, lead)
        assert agent.values(position) == pytest.approx(values)
        assert agent.value(position) == pytest.approx(sum(values.values()) / 6)


@pytest.mark.parametrize("coins", range(1, 7))
def test_to_the_end_of_a_game(coins: int) -> None:
    """Coins that are tossed with odds of their own, solved by working back from the ends."""
    position, agent, solver = Toss(coins), Expectiminimax(), Retrograde()
    found = agent.analyse(position)
    assert found.proven
    assert found.value == pytest.approx(solver.value(position))
    assert found.values == pytest.approx(solver.values(position))
    assert solver.values(position)[found.action] == pytest.approx(found.value)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_without_chance_it_is_minimax(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    evaluate = connect_four.lines
    for moves in ("", "44", "4433", "123456"):
        position = ConnectFour().after(moves)
        found = Expectiminimax(depth, evaluate, win=1e6).analyse(position)
        other = Minimax(depth, evaluate).analyse(position)
        assert found.value == other.value or found.value == 1e6 * other.value
        assert found.action == other.action


@pytest.mark.thorough
def test_whole_games_without_chance() -> None:
    for moves in ("b2 a1", "a1 b2 c3", "a1 b1 c1 a2 b2"):
        position = TicTacToe().after(moves)
        found = Expectiminimax(nodes=10**9).analyse(position)
        assert (found.value, found.proven) == (Minimax().analyse(position).value, True)


def test_a_win_ends_the_search() -> None:
    found = Expectiminimax(depth=9).analyse(TicTacToe().after("a1 b1 a2 b2"))
    assert (found.depth, found.value, found.proven) == (1, 1, True)


def test_where_players_do_not_alternate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for rest in range(1, 9):
        position = Heap(size=9, num_players=2, rest=rest)
        found = Expectiminimax(depth=20).analyse(position)
        assert found.value == Retrograde().value(position)


def nodes_and_worth(
    position: Pig, depth: int, table_mb: float = 1, **functions: Any
) -> tuple[int, list[float]]:
    """The compiled search itself, with these functions in it."""
    search = module.search_root.bind(evaluate=lead, **functions)
    worth, table, counts = np.zeros(6), acquire(position, table_mb), counters()
    arrays = module.ExpectationArrays(1.0, np.zeros(1), new_line(position), table, counts)
    search(position, depth, 2.0, worth, arrays)
    return int(counts[0]), worth.tolist()


def test_pruning_and_the_table_change_nothing() -> None:
    """Star1, and a table that remembers more than two positions: the same values, fewer nodes."""
    nodes = {"as it is": 0, "no star": 0, "no table": 0, "neither": 0}
    for line in PIGS:
        position = Pig(target=20).after(line)
        for depth in range(1, 5 if disabled() else 7):
            found = {
                "as it is": nodes_and_worth(position, depth),
                "no star": nodes_and_worth(position, depth, STAR=False),
                "no table": nodes_and_worth(position, depth, table_mb=0),
                "neither": nodes_and_worth(position, depth, table_mb=0, STAR=False),
            }
            for how, (visited, worth) in found.items():
                assert worth == pytest.approx(found["neither"][1], abs=1e-12), how
                nodes[how] += visited
    assert nodes["as it is"] < (0.8 if disabled() else 0.5) * nodes["no table"]
    assert nodes["as it is"] < nodes["no star"] < nodes["neither"]
    assert nodes["no table"] < nodes["neither"]


# ---- strength


def test_it_plays_pig_well() -> None:
    """Near to perfect: looking ahead three moves loses little against the solution."""
    start, agent, solver = Pig(target=20), Expectiminimax(depth=3, evaluate=lead), PigSolver()
    lost = []
    for line in PIGS:
        values = solver.values(start.after(line))
        lost.append(max(values.values()) - values[agent.act(start.after(line))])
    assert max(lost) < 0.1
    result = match(start, agent, make("random"), pairs=10)
    assert result.total.wins >= 14


# ---- limits


def test_each_depth_is_told() -> None:
    position = Pig(target=20)
    told = list(Expectiminimax(depth=4, evaluate=lead).analysis(position))
    assert [found.depth for found in told] == [1, 2, 3, 4]
    for found in told:
        assert found.value == Expectiminimax(found.depth, lead).analyse(position).value
    nodes = [found.nodes for found in told]
    assert nodes == sorted(nodes)


def test_nodes_are_a_limit() -> None:
    found = Expectiminimax(nodes=500, evaluate=lead).analyse(Pig())
    assert 1 <= found.depth < 9
    assert found.nodes <= 500
    found = Expectiminimax(nodes=1, evaluate=lead).analyse(Pig().after("roll 4"))
    assert (found.action, found.depth, found.proven) == (0, 0, False)


def test_seconds_are_a_limit() -> None:
    agent = Expectiminimax(seconds=0.2, evaluate=lead)
    agent.act(Pig())  # compile
    found = agent.analyse(Pig().after("roll 4"))
    assert found.action in Pig().after("roll 4").legal_actions()


@pytest.mark.parametrize(
    ("parameters", "error", "says"),
    [
        ({"depth": 0}, ValueError, "depth must be at least 1"),
        ({"depth": 1.5}, TypeError, "depth must be a whole number"),
        ({"nodes": 0}, ValueError, "nodes must be at least 1"),
        ({"seconds": 0}, ValueError, "seconds must be more than 0"),
        ({"seconds": -1.0}, ValueError, "seconds must be more than 0"),
        ({"table_mb": -1}, ValueError, "table_mb must not be negative"),
        ({"evaluate": 3}, TypeError, "evaluate must be a function"),
        ({"win": 0}, ValueError, "win must be more than 0 and finite, not 0"),
        ({"win": math.inf}, ValueError, "win must be more than 0 and finite, not inf"),
    ],
    ids=str,
)
def test_impossible_parameters(parameters: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        Expectiminimax(**parameters)


def wild(position: Any) -> float:
    return 37.0


def nothing(position: Any) -> float:
    return math.nan


@pytest.mark.parametrize(("evaluate", "number"), [(wild, "37"), (nothing, "nan")])
def test_an_evaluation_must_be_on_the_scale_of_wins(evaluate: Any, number: str) -> None:
    says = f"an evaluation of -?{number} is beyond what a finished game is worth, 1: "
    with pytest.raises(ValueError, match=says):
        Expectiminimax(depth=1, evaluate=evaluate).analyse(Toss())
    assert Expectiminimax(depth=1, evaluate=wild, win=100).analyse(Toss()).value != 0


def test_games_that_are_not_for_it() -> None:
    agent = Expectiminimax(depth=2)
    with pytest.raises(ValueError, match="plays games of two players, not 3"):
        agent.act(ThirtyOne(num_players=3))
    with pytest.raises(ValueError, match="here chance is to move"):
        agent.act(Pig().after("roll"))
    for over in (Pig(5).after("roll 6 hold"), TicTacToe(1, 1, 1).after("a1")):
        with pytest.raises(ValueError, match="the game is over"):
            agent.act(over)
        assert agent.value(over) == over.utility(over.to_move)


def test_agent_laws() -> None:
    check_agent(Expectiminimax(depth=2, evaluate=None), Pig(target=15), make=make)
    check_agent(make("expectiminimax(depth=2, win=2.0)"), Toss())
    check_agent(Expectiminimax(depth=2), TicTacToe())
