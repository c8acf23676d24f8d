"""Retrograde analysis: known numbers, and the values of brute force at every position."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from brute import Known, best_moves, played, random_lines, solve, worth
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import (
    FIG52,
    NaiveConnectFour,
    NaiveGame,
    NaiveHex,
    NaiveThirtyOne,
    NaiveTicTacToe,
    NaiveTree,
)
from odd_games import Shuttle, Toss
from small_games import Race

import adv_envs
from adv_envs import CHANCE, ConnectFour, Fig52, Hex, Position, ThirtyOne, TicTacToe, Tree
from adv_envs.notation import read_line
from agents import Retrograde

BRANCHY = {"l": 1, "middle": {"l": -2.5, "r": {"only": 0}}, "r": {"x": {"y": {"z": 7}}, "l": 3}}

SMALL: dict[str, tuple[Position, NaiveGame]] = {
    "3,3,2": (TicTacToe(3, 3, 2), NaiveTicTacToe(3, 3, 2)),
    "3,3,3": (TicTacToe(), NaiveTicTacToe()),
    "2,3,3": (TicTacToe(2, 3, 3), NaiveTicTacToe(2, 3, 3)),
    "1,1,1": (TicTacToe(1, 1, 1), NaiveTicTacToe(1, 1, 1)),
    "connect 3 on 3x3": (ConnectFour(3, 3, 3), NaiveConnectFour(3, 3, 3)),
    "connect 2 on 2x3": (ConnectFour(2, 3, 2), NaiveConnectFour(2, 3, 2)),
    "hex 2": (Hex(2), NaiveHex(2)),
    "hex 2, swap": (Hex(2, swap=True), NaiveHex(2, swap=True)),
    "13": (ThirtyOne(13, 2, 4), NaiveThirtyOne(13, 2, 4)),
    "31": (ThirtyOne(), NaiveThirtyOne()),
    "13 for three": (ThirtyOne(13, 2, 4, 3), NaiveThirtyOne(13, 2, 4, 3)),
    "8 for five": (ThirtyOne(8, 3, 3, 5), NaiveThirtyOne(8, 3, 3, 5)),
    "figure 5.2": (Fig52(), NaiveTree({**FIG52})),
    "branchy": (Tree(BRANCHY), NaiveTree(BRANCHY)),  # type: ignore[arg-type]
}


def reachable(position: Position, naive: NaiveGame) -> Iterator[tuple[Position, NaiveGame]]:
    """Every position that can be reached, with the same game written naively."""
    seen = {position}
    todo = [(position, naive)]
    while todo:
        position, naive = todo.pop()
        yield position, naive
        for action in naive.actions():
            child = position.play(action)
            if child not in seen:
                seen.add(child)
                todo.append((child, played(naive, [action])))


# ---- known numbers


@pytest.mark.parametrize(
    ("start", "positions", "explored", "terminal", "value"),
    [
        (ThirtyOne(), 15_625, 3_551, 397, 1),
        (TicTacToe(), 3**9, 5_478, 626 + 316 + 16, 0),
        (TicTacToe(3, 3, 2), 3**9, 1_234, None, 1),
        (Hex(2), 3**4, 32, None, 1),
        (Hex(3), 3**9, 5_514, 994, 1),
        (Fig52(), 13, 13, 9, 3),
        pytest.param(Hex(3, swap=True), 3**9, None, None, -1, marks=pytest.mark.slow),
        pytest.param(TicTacToe(4, 3, 3), 3**12, 111_973, None, 1, marks=pytest.mark.slow),
        pytest.param(TicTacToe(4, 3, 4), 3**12, 142_231, None, 0, marks=pytest.mark.slow),
        pytest.param(ConnectFour(4, 4), 31**4, 161_029, None, 0, marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_known_numbers(
    start: Position, positions: int, explored: int | None, terminal: int | None, value: float
) -> None:
    """ORACLES: computed."""
    found = Retrograde().solve(start)
    assert (found.positions, found.value) == (positions, value)
    assert explored in (None, found.explored)
    assert terminal in (None, found.terminal)
    assert found.seconds > 0


def test_what_a_game_of_31_is_worth_after_the_lists_of_the_issue() -> None:
    agent, known, naive = Retrograde(), Known(), NaiveThirtyOne()
    start = ThirtyOne()
    answers = {}
    for moves in ("", "5 6 6", "2 5 6 6 4", "1 5 4 3", "5 4 4 3 4 4 3", "5 2 5 2 5 2 5"):
        game = played(naive, read_line(start, moves))
        expected = [action for action, value in worth(game, known).items() if value > 0]
        answers[moves] = [start.name(action) for action in agent.winning(start, moves)]
        assert answers[moves] == [str(action + 1) for action in expected]
        assert agent.values(start.after(moves)) == worth(game, known)
    assert [] in answers.values(), "in some of them there is nothing to be done"
    assert sum(bool(names) for names in answers.values()) >= 3
    assert agent.winning(start, [4, 5, 5]) == agent.winning(start, "5 6 6")


def test_the_status_of_a_game_of_31() -> None:
    """After 1 6 2 2 5 2 3 2 6 the total is 29; three tokens of value 1 are left and none of 2."""
    agent, position = Retrograde(), ThirtyOne().after("1 6 2 2 5 2 3 2 6")
    game = played(NaiveThirtyOne(), read_line(ThirtyOne(), "162252326"))
    assert position.total == 29
    assert position.to_move == 1
    assert position.legal_actions() == [0]
    assert agent.value(position) == solve(game, {})[0][1] == -1
    assert agent.winning(position) == []
    assert agent.analyse(position).principal_variation == (0, 0)


def test_staying_on_3_10_17_24_loses() -> None:
    """Dudeney: the naive strategy loses to a player who exhausts a token."""
    agent, position = Retrograde(), ThirtyOne().after("3")  # on 3, which should have won
    assert agent.value(position) == 1


# ---- the values of brute force


@pytest.mark.parametrize("name", SMALL)
def test_every_position_has_its_value(name: str) -> None:
    start, naive = SMALL[name]
    agent, known = Retrograde(), Known()
    agent.solve(start)
    for position, game in reachable(start, naive):
        utilities, plies = solve(game, known)
        assert agent.value(position) == utilities[game.to_move]
        assert agent._solved[position] == (utilities, plies)  # of all players
        if game.is_over():
            continue
        found = agent.analyse(position)
        assert found.action in best_moves(game, known, hurry=True)
        assert (found.value, found.depth, found.proven) == (utilities[game.to_move], plies, True)
        assert agent.values(position) == worth(game, known)
        assert agent.act(position) == found.action
        end = position.after(found.principal_variation)
        assert found.principal_variation[0] == found.action
        assert end.is_terminal()
        assert len(found.principal_variation) == plies
        assert [end.utility(player) for player in range(end.num_players)] == list(utilities)


@pytest.mark.parametrize("name", ["3,3,2", "hex 2", "13 for three", "branchy"])
def test_asked_in_the_middle_it_says_the_same(name: str) -> None:
    start, naive = SMALL[name]
    whole = Retrograde()
    whole.solve(start)
    for line in random_lines(start, 10, 0, range(1, 3)):
        position, asked = start.after(line), Retrograde()
        assert asked.values(position) == whole.values(position)
        assert asked.value(position) == whole.value(position)
        assert asked.analyse(position).action == whole.analyse(position).action
        game = played(naive, line)
        assert asked.winning(start, line) == [a for a, v in worth(game, {}).items() if v > 0]


NODE = st.recursive(
    st.integers(-3, 3),
    lambda below: st.lists(below, min_size=1, max_size=3).map(lambda n: dict(zip("abc", n))),  # noqa: B905
    max_leaves=15,
)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(NODE, min_size=1, max_size=3).map(lambda n: dict(zip("abc", n))))  # noqa: B905
def test_trees(tree: dict[str, Any]) -> None:
    agent, naive, known = Retrograde(), NaiveTree(tree), Known()
    assert agent.value(Tree(tree)) == solve(naive, known)[0][0]
    assert agent.values(Tree(tree)) == worth(naive, known)
    assert agent.act(Tree(tree)) in best_moves(naive, known)


# ---- chance


@pytest.mark.parametrize("coins", range(1, 9))
def test_chance_is_worth_its_expectation(coins: int) -> None:
    agent, start = Retrograde(), Toss(coins=coins)
    agent.solve(start)
    for position in adv_envs.reachable(start):
        first = toss_is_worth(position)
        assert agent.value(position) == (-first if position.to_move == 1 else first)
        if not position.is_terminal() and position.to_move != CHANCE:
            best = max(agent.values(position).values())
            assert best == agent.value(position)
            assert agent.values(position)[agent.act(position)] == best


def toss_is_worth(position: Toss) -> Fraction:
    """To player 0, of the coins that are left."""
    left = position.coins - position.gone
    mine = 1 - 2 * position.mover
    if left == 0:
        return Fraction(-mine)
    take = [toss_is_worth(Toss(position.coins, position.gone + n, 1 - position.mover, False))
            for n in range(1, min(left, 2) + 1)]  # fmt: skip
    expected = take[0] / 4 + 3 * take[1] / 4 if left > 1 else take[0]
    if position.tossed:
        return expected
    choices = [take[0], expected] if left > 1 else [take[0]]
    return max(choices) if position.mover == 0 else min(choices)


def test_chance_in_circles_is_refused() -> None:
    with pytest.raises(ValueError, match="chance goes in circles"):
        Retrograde().solve(Race(goal=3, sides=2))


# ---- positions that come again


@pytest.mark.parametrize("size", range(2, 12))
def test_what_nobody_can_end_is_worth_nothing(size: int) -> None:
    agent, start = Retrograde(), Shuttle(size=size)
    found = agent.solve(start)
    everywhere = [*adv_envs.reachable(start)]
    wins = forced_wins(everywhere)
    assert found.explored == len(everywhere)
    for position in everywhere:
        value = agent.value(position)
        expected = {0: 1, 1: -1}.get(wins.get(position, -1), 0)
        assert value == (expected if position.to_move == 0 else -expected)
        if not position.is_terminal():
            action = agent.act(position)
            assert agent.values(position)[action] == value == max(agent.values(position).values())
            assert agent.analyse(position).principal_variation[:1] == (action,)
    assert size != 7 or {*map(agent.value, everywhere)} == {-1, 0, 1}


def forced_wins(positions: list[Shuttle]) -> dict[Shuttle, int]:
    """Who can force a win: grown from the ends until nothing changes."""
    wins = {p: int(p.utility(0) < 0) for p in positions if p.is_terminal()}
    while True:
        more = {}
        for position in positions:
            if position in wins:
                continue
            after = [wins.get(position.play(action)) for action in position.legal_actions()]
            if position.mover in after:
                more[position] = position.mover
            elif all(winner == 1 - position.mover for winner in after):
                more[position] = 1 - position.mover
        if not more:
            return wins
        wins |= more


def test_a_small_win_is_better_than_going_on_for_ever() -> None:
    """Player 0 stands before an end that is worth 1, though the most a game is worth is 2."""
    position = Shuttle(size=7, right=1, left=2, moved=3, mover=0)
    assert position.play(1).is_terminal()
    assert Retrograde().value(position) == 1


# ---- limits and mistakes


def test_limit() -> None:
    assert Retrograde(limit=5_478).solve(TicTacToe()).explored == 5_478
    with pytest.raises(ValueError, match="more than 5,477 positions: too many for retrograde") as e:
        Retrograde(limit=5_477).solve(TicTacToe())
    assert "raise its limit, or search with alpha_beta" in str(e.value)
    for ask in ("act", "analyse", "value", "values"):
        with pytest.raises(ValueError, match="more than 10 positions"):
            getattr(Retrograde(limit=10), ask)(TicTacToe())
    with pytest.raises(ValueError, match="limit must be at least 1, not 0"):
        Retrograde(limit=0)


def test_too_many_positions_are_noticed_before_they_are_visited() -> None:
    """What is known to follow counts, before anybody asks what follows it."""
    asked = []

    class Noted(TicTacToe):
        def play(self, action: int) -> "Noted":
            return Noted(*super().play(action))

        def legal_actions(self) -> list[int]:
            asked.append(self)
            return super().legal_actions()

    with pytest.raises(ValueError, match="more than 30 positions"):
        Retrograde(limit=30).solve(Noted())
    assert len(asked) <= 6


def test_a_finished_game() -> None:
    over = TicTacToe().after("a1 a2 b1 b2 c1")
    agent = Retrograde()
    assert agent.value(over) == -1  # for the player to move, who has lost
    assert agent.values(over) == {}
    assert agent.winning(over) == []
    for ask in (agent.act, agent.analyse):
        with pytest.raises(ValueError, match="the game is over"):
            ask(over)


def test_one_agent_for_two_games() -> None:
    """TicTacToe(1, 3, 2) and ConnectFour(1, 3, 2) are equal, and are not the same game."""
    agent = Retrograde()
    for game in (TicTacToe(1, 3, 2), ConnectFour(1, 3, 2)):
        assert agent.values(game) == Retrograde().values(game)


def test_it_remembers() -> None:
    agent = Retrograde()
    agent.solve(ThirtyOne())
    known = dict(agent._solved)
    agent.reset(3)
    agent.analyse(ThirtyOne().after("5 2"))
    assert agent._solved == known
    assert agent == Retrograde()
    assert repr(agent) == "retrograde()"
