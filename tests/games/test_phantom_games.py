"""Phantom tic-tac-toe and dark Hex: what is told, views in games, the winning cells."""

from random import Random
from typing import Any

import pytest
from games.laws import each_is_drawn, fresh, random_line
from games.naive_phantom import joined
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import DarkHex, PhantomTicTacToe
from adv_envs.random import scattered


def members_of(start: Any, view: Any, player: int) -> set[Any]:
    """Every position with that view, by trying all attempts of the other."""
    mine, found, todo = view.attempts(player), set(), [start]
    while todo:
        position = todo.pop()
        if position.is_terminal():
            continue
        done = position.attempts(player)
        if position.hidden(player) == view:
            found.add(position)
        if position.to_move != player:
            todo += [position.play(action) for action in position.legal_actions()]
        elif len(done) < len(mine):
            after = position.play(mine[len(done)])
            stones = after.stones(player) & view.stones(player) == after.stones(player)
            lost = after.stones(player).bit_count() == position.stones(player).bit_count()
            if stones and lost == (view.stones(1 - player) >> view.entry(mine[len(done)]) & 1 == 1):
                todo.append(after)
    return found


@pytest.mark.parametrize(
    "start",
    [game for abrupt in (False, True) for game in (DarkHex(3, abrupt), PhantomTicTacToe(abrupt))],
)
def test_a_view_may_be_each_of_the_positions_that_look_so(start: Any) -> None:
    """In random games, of views with up to 30 members each one is drawn, and no other."""
    rng, views = fresh(), 0
    for _ in range(3):
        for position in random_line(start, rng)[:-1]:
            for player in (0, 1):
                view = position.hidden(player)
                guesses = {view.determinized(player, scattered(i)) for i in range(50)}
                members = members_of(start, view, player) if len(guesses) <= 15 else set()
                if 0 < len(members) <= 30:
                    each_is_drawn({(player, view): members})
                    views += 1
    assert views >= 3, "the view of player 0 before the first move, in every game"


@settings(max_examples=60, deadline=None)
@given(size=st.integers(2, 5), abrupt=st.booleans(), seed=st.integers(0, 2**32))
def test_the_winning_cells_join_the_edges_of_the_winner(size: int, abrupt: bool, seed: int) -> None:
    """A chain of the winner's stones, whoever has set more stones; nothing before the end."""
    *before, over = random_line(DarkHex(size, abrupt), Random(seed))
    for position in before:
        for view in (position, position.hidden(0), position.hidden(1)):
            assert view.winning_cells() == []
    cells, winner = over.winning_cells(), over.winner
    assert {over.cell(*cell) for cell in cells} == {winner}
    assert joined(size)(set(cells), winner)
    assert not joined(size)(set(cells[1:]), winner)  # no stone too many


def test_what_is_told() -> None:
    """In the classical game a failed attempt is repeated, in the abrupt one it costs the turn."""
    taken = PhantomTicTacToe().after("b2 b2")
    assert (taken.to_move, taken.name(4)) == (1, "b2")
    assert 4 not in taken.legal_actions()
    assert taken.hidden(0) == PhantomTicTacToe().after("b2").hidden(0)
    lost = PhantomTicTacToe(abrupt=True).after("b2 b2")
    assert lost.to_move == 0
    assert lost.hidden(0) == PhantomTicTacToe(abrupt=True).after("b2 a1").hidden(0)
    assert lost.hidden(1).observation_shape == (3, 3, 3)


def test_the_order_of_attempts_is_remembered() -> None:
    one, other = PhantomTicTacToe().after("a1 b1 c3"), PhantomTicTacToe().after("c3 b1 a1")
    assert one.hidden(0) != other.hidden(0)
    assert one.hidden(1) == other.hidden(1)


def test_text() -> None:
    position = PhantomTicTacToe().after("b2 b2 a1")
    board = "   a b c\n 1 O . .\n 2 . X .\n 3 . . .\n"
    assert str(position) == f"{board}X tried b2\nO tried b2 (taken), a1"
    assert str(position.hidden(0)) == "   a b c\n 1 ? ? ?\n 2 ? X ?\n 3 ? ? ?\nX tried b2"
    assert PhantomTicTacToe.from_text("XO.\n...\n...") == PhantomTicTacToe().after("a1 b1")


def test_a_view_of_two_stones_met_is_one_of_the_abrupt_game_only() -> None:
    two_met = {"own": 1, "opp": 6, "own_tried": 0x123, "viewer": 0}
    assert PhantomTicTacToe(True, **two_met).determinized(0, 1).attempts(1)[:2] == [1, 2]
