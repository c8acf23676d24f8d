"""The best few moves of a position, each with its line, are those of a search of every move."""

from collections.abc import Iterator
from typing import Any

import pytest

from adv_envs import ConnectFour, Hex, Position, TicTacToe, start_position
from agents import MCTS, AlphaBeta, Random, SearchResult, make
from agents.move_values import result_below
from agents.protocols.best_lines import best_lines, compared, on_the_scale
from agents.search.limits import Stopper

pytestmark = pytest.mark.plain


def positions(game: Any, moves: int, number: int) -> Iterator[Position]:
    """Positions after so many random moves."""
    for seed in range(number):
        player, position = Random(seed), game
        player.reset(seed)
        for _ in range(moves):
            if not position.is_terminal():
                position = position.play(player.act(position))
        if not position.is_terminal():
            yield position


def last(found: Iterator[list[SearchResult]]) -> list[SearchResult]:
    """The last of the lists that are yielded."""
    *_, results = found
    return results


CASES = [
    (TicTacToe(), 3, 9, {}),
    (TicTacToe(), 2, 3, {}),
    (ConnectFour(4, 5, 3), 4, 4, {"evaluate": "connect_four.threats"}),
    (ConnectFour(), 9, 3, {"evaluate": "connect_four.threats"}),
    (Hex(3), 2, 3, {}),
    (start_position("kalah"), 6, 3, {"evaluate": "kalah.lead"}),  # one moves again
]


def agent_of(depth: int, **parameters: str) -> AlphaBeta:
    """An alpha-beta search of that depth."""
    spec = ", ".join(f"{name}={value}" for name, value in parameters.items())
    agent = make(f"alpha_beta(depth={depth}{', ' * bool(spec)}{spec})")
    assert isinstance(agent, AlphaBeta)
    return agent


@pytest.mark.parametrize(("game", "moves", "depth", "parameters"), CASES)
@pytest.mark.parametrize("number", [1, 3])
def test_alpha_beta_finds_the_best_of_all_moves(
    game: Position, moves: int, depth: int, parameters: dict[str, str], number: int
) -> None:
    for position in positions(game, moves, 3):
        below = agent_of(max(depth - 1, 1), **parameters)
        every = [result_below(below, position, action) for action in position.legal_actions()]
        found = last(best_lines(agent_of(depth, **parameters), position, number))
        worth = {each.action: on_the_scale(each) for each in every}
        values = sorted(worth.values(), reverse=True)[:number]
        assert [on_the_scale(each) for each in found] == pytest.approx(values)
        assert [worth[each.action] for each in found] == pytest.approx(values)
        assert len({each.action for each in found}) == len(found)
        for each in found:
            assert each.principal_variation[0] == each.action
            here = position
            for action in each.principal_variation:
                assert here.legal(action)
                here = here.play(action)
            assert each.proven <= (here.is_terminal() or each.value in (-1, 0, 1))
        assert found[0].nodes == found[-1].nodes > 0


def test_one_move_is_what_alpha_beta_finds() -> None:
    for position in positions(ConnectFour(), 8, 4):
        agent = agent_of(4, evaluate="connect_four.threats")
        found = last(best_lines(agent, position, 1))[0]
        result = agent.analyse(position)
        assert (found.value, found.proven) == (result.value, result.proven)


def test_cutting_off_what_is_not_shown_saves_work() -> None:
    agent = agent_of(6, evaluate="connect_four.threats", table_mb="0")
    every = last(best_lines(agent, ConnectFour(), 7))[0].nodes
    assert last(best_lines(agent, ConnectFour(), 2))[0].nodes < every * 3 / 4


def test_quick_wins_come_first() -> None:
    position = TicTacToe().after("a1 b1 a2 b2")  # a3 wins at once
    found = last(best_lines(AlphaBeta(), position, 5))
    assert [position.name(each.action) for each in found][:2] == ["a3", "b3"]
    assert [(each.value, each.proven) for each in found[:2]] == [(1.0, True), (0.0, True)]
    assert [each.value for each in found[2:]] == [-1.0] * 3
    assert found[0].principal_variation == (position.action("a3"),)


@pytest.mark.parametrize("agent", [AlphaBeta(depth=5), MCTS(simulations=400, seed=1)])
def test_some_moves_only(agent: Any) -> None:
    position = TicTacToe().after("a1 b1 a2 b2")
    chosen = [position.action(name) for name in ("c3", "b3", "c1")]
    found = last(best_lines(agent, position, 2, chosen))
    assert len(found) == 2
    assert found[0].action == position.action("b3")
    assert found[1].action in chosen


def test_a_tree_of_monte_carlo_has_all_lines() -> None:
    position = TicTacToe().after("a1 b1 a2 b2")
    agent = MCTS(simulations=500, seed=2, threads=2)
    found = last(best_lines(agent, position, 3))  # a win is seen before others are tried
    assert [position.name(each.action) for each in found] == ["a3"]
    assert (found[0].value, found[0].proven) == (1.0, True)
    agent = MCTS(simulations=2000, seed=2, threads=2)
    lists = list(best_lines(agent, ConnectFour(), 3))
    assert len(lists) > 1
    found = lists[-1]
    visits = [found[0].visits[each.action] for each in found]
    assert visits == sorted(found[0].visits.values(), reverse=True)[:3]
    assert len({each.action for each in found}) == 3
    assert all(each.principal_variation[0] == each.action for each in found)


def test_limits_are_those_of_all_moves_together() -> None:
    for agent in (AlphaBeta(nodes=500), MCTS(simulations=300, seed=1)):
        found = last(best_lines(agent, ConnectFour(), 3))
        assert 0 < found[0].nodes <= 700
    found = last(best_lines(AlphaBeta(seconds=1e-6), ConnectFour(), 3))
    assert len(found) == 3
    with pytest.raises(ValueError, match="the game is over"):
        next(best_lines(AlphaBeta(), TicTacToe().after("a1 b1 a2 b2 a3"), 3))


def test_other_agents_search_below_every_move() -> None:
    position = TicTacToe().after("a1 b1 a2 b2")
    found = last(best_lines(make("minimax()"), position, 2))
    assert [position.name(each.action) for each in found] == ["a3", "b3"]
    stopper = Stopper()
    stopper.stop()
    first = list(compared(make("minimax()"), position, position.legal_actions(), stopper))
    assert len(first) == 1
    assert len(first[0]) == 5
