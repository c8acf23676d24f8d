"""Paranoid search and the values of max^n, for three players and more, against brute force."""

from random import Random
from typing import Any

import pytest
from brute import look_ahead, random_positions
from odd_games import Toss
from small_games import Heap, ThreeInARow

import adv_envs
from adv_envs import Hex, Pig, Position, ThirtyOne, TicTacToe
from adv_envs.jit import disabled
from adv_envs.testing import check_agent, check_env, check_game
from agents import MaxN, Minimax, Paranoid, make, play_game
from agents.move_values import move_values

FEW = 4 if disabled() else 15
THREE = ThirtyOne(num_players=3)


def against_all(position: Any, player: int, depth: int, evaluate: Any) -> float:
    """What ``position`` is worth to ``player`` against all the others, without pruning."""
    if position.is_terminal():
        return 1e6 * position.utility(player)
    if depth == 0:
        return float(evaluate(position, player))
    values = [
        against_all(position.play(action), player, depth - 1, evaluate)
        for action in position.legal_actions()
    ]
    return max(values) if position.to_move == player else min(values)


def for_themselves(position: Any, depth: int, evaluate: Any) -> list[float]:
    """What ``position`` is worth to each, if each takes the first best action for themselves."""
    players = range(position.num_players)
    if position.is_terminal():
        return [1e6 * position.utility(player) for player in players]
    if depth == 0:
        return [float(evaluate(position, player)) for player in players]
    after = [
        for_themselves(position.play(action), depth - 1, evaluate)
        for action in position.legal_actions()
    ]
    return max(after, key=lambda worth: worth[position.to_move])


def nothing(position: Any, player: int) -> float:
    return 0.0


def eager(position: Any, player: int) -> float:
    return float((position.rest * 7 + player * 5) % 11)


def agrees(agent: Any, position: Any, evaluate: Any) -> None:
    """Value and values, in utilities where nothing was cut off."""
    me, depth, found = position.to_move, agent.depth or 99, agent.analyse(position)
    scale = 1e6 if found.proven else 1
    values = {}
    for action in position.legal_actions():
        child = position.play(action)
        if isinstance(agent, Paranoid):
            values[action] = against_all(child, me, depth - 1, evaluate) / scale
        else:
            values[action] = for_themselves(child, depth - 1, evaluate)[me] / scale
    assert agent.values(position) == pytest.approx(values)
    assert found.value == pytest.approx(max(values.values()))
    assert found.action == max(values, key=values.__getitem__), "the first of the best"
    assert found.principal_variation[0] == found.action
    end = position.after(found.principal_variation)
    assert end.is_terminal() or len(found.principal_variation) == depth


@pytest.mark.parametrize("agent", [Paranoid(), MaxN()], ids=repr)
def test_31_for_three(agent: Any) -> None:
    for position in random_positions(THREE, FEW, 1, range(6, 9)):
        agrees(agent, position, nothing)


def test_31_for_three_in_brief() -> None:
    """By hand: from 28 a 2 or a 3 leave the loss to another; after a 1, two more ones lose."""
    position = THREE.after("6 6 6 5 5")
    assert (position.total, position.to_move) == (28, 2)
    assert MaxN().values(position) == {0: -1.0, 1: 0.5, 2: 0.5}
    assert Paranoid().values(position) == MaxN().values(position)
    assert Paranoid().act(position) == MaxN().act(position) == 1


@pytest.mark.parametrize("agent", [Paranoid(), MaxN()], ids=repr)
def test_three_in_a_row_for_three(agent: Any) -> None:
    for position in random_positions(ThreeInARow(), FEW, 2, range(5, 9)):
        agrees(agent, position, nothing)


def test_fears_what_max_n_does_not() -> None:
    """Two who conspire can do more harm than two who play for themselves; never less."""
    less = 0
    for position in random_positions(ThreeInARow(), FEW, 3, range(5, 8)):
        paranoid, max_n = Paranoid().value(position), MaxN().value(position)
        assert paranoid <= max_n
        less += paranoid < max_n
    for position in random_positions(THREE, FEW, 4, range(6, 9)):
        less += Paranoid().value(position) < MaxN().value(position)
    assert less > 0


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("kind", [Paranoid, MaxN], ids=["paranoid", "max_n"])
def test_ahead_with_an_evaluation(kind: Any, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where turns do not alternate; the same player may move twice."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for rest in range(2, 12):
        for depth in (1, 2, 3, 4):
            position = Heap(size=14, num_players=players, rest=rest)
            agrees(kind(depth, eager), position, eager)


def test_with_two_players_it_is_minimax() -> None:
    for position in random_positions(TicTacToe(), 6, 5, range(3, 6)):
        expected, found = Minimax().analyse(position), Paranoid().analyse(position)
        assert (found.value, found.action) == (expected.value, expected.action)
        assert found.nodes <= expected.nodes
        for action, value in Paranoid().values(position).items():
            child = position.play(action)
            assert value == -look_ahead(child, 99, lambda _: 0.0) / 1e6


def test_pruning_saves_nodes() -> None:
    position = THREE.after("1 5 4 3 6")
    pruned = Paranoid().analyse(position).nodes
    assert pruned < 0.7 * every(position)


def every(position: Position) -> int:
    """How many positions there are in the whole tree below, this one included."""
    return 1 + sum(every(position.play(action)) for action in position.legal_actions())


@pytest.mark.parametrize("agent", [Paranoid(), MaxN()], ids=repr)
def test_the_command_line_tells_the_values(agent: Any) -> None:
    position = THREE.after("6 6 6 5 5")
    told = move_values(agent, position, agent.analyse(position))
    assert {action: worth.value for action, worth in told.items()} == agent.values(position)
    assert all(worth.proven for worth in told.values())


# ---- the game for three, and playing it


def test_three_in_a_row_obeys() -> None:
    check_game(ThreeInARow(), games=5)
    check_env(lambda: adv_envs.env(ThreeInARow(3, 3)), games=2)


def test_they_beat_chance() -> None:
    """Against two who move at random, from every seat."""
    rng, start = Random(1), ThreeInARow()
    for agent in (Paranoid(depth=3), MaxN(depth=3)):
        won = 0.0
        for game in range(18):
            seats = [make(f"random(seed={rng.randrange(99)})") for _ in range(3)]
            seats[game % 3] = agent
            played = play_game(start, seats, seed=game)
            assert not played.reason
            won += played.utilities[game % 3]
        assert won > 0


def test_agent_laws() -> None:
    check_agent(Paranoid(depth=2), THREE, make=make)
    check_agent(Paranoid(depth=2), TicTacToe())


@pytest.mark.parametrize(
    ("parameters", "error", "says"),
    [
        ({"depth": 0}, ValueError, "depth must be at least 1"),
        ({"depth": "deep"}, TypeError, "depth must be a whole number"),
        ({"evaluate": 1}, TypeError, "evaluate must be a function"),
    ],
    ids=str,
)
def test_impossible_parameters(parameters: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        Paranoid(**parameters)


@pytest.mark.parametrize("agent", [Paranoid(), MaxN()], ids=repr)
def test_games_that_are_not_for_them(agent: Any) -> None:
    for game in (Pig(), Toss()):
        for ask in (agent.analyse, agent.values):
            with pytest.raises(ValueError, match="plays games without chance"):
                ask(game)
    over = Hex(2).after("a1 b1 a2")
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(over)
    assert agent.values(over) == {}
