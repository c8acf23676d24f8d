"""Goofspiel: what players see, and pictures that show no more."""

from itertools import permutations
from typing import Any

import pytest
from games.laws import placed
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import Goofspiel
from adv_envs.games.goofspiel import bids_behind, taker
from adv_envs.pictures import draw, places
from adv_envs.random import scattered


@settings(deadline=None, max_examples=40)
@given(cards=st.integers(2, 6), turns=st.integers(1, 6), data=st.data())
def test_bids_of_the_opponent_are_all_that_can_be(cards: int, turns: int, data: Any) -> None:
    turns = min(turns, cards)
    cut = [data.draw(st.permutations(range(1, cards + 1)))[:turns] for _ in range(2)]
    taken = [taker(one, other) for one, other in zip(*cut, strict=True)]
    for player in (0, 1):
        own = cut[player]
        expected = {
            as_digits(bids)
            for bids in permutations(range(1, cards + 1), turns)
            if [taker(*pair[:: 1 - 2 * player]) for pair in zip(own, bids, strict=True)] == taken
        }
        args = as_digits(taken), as_digits(own), 2 - player, cards
        found = {bids_behind(*args, scattered(i)) for i in range(20 * len(expected) + 20)}
        assert found <= expected
        if len(expected) <= 6:
            assert len(found) == len(expected)


def as_digits(numbers: Any) -> int:
    """A number with a hexadecimal digit for each of ``numbers``, the first one lowest."""
    return sum(number << 4 * i for i, number in enumerate(numbers))


def test_what_players_see() -> None:
    position = Goofspiel(4, -1, secret=True).after("3 1 2")
    view = position.hidden(1)
    assert str(view) == "  prizes   4   3\n  player 0 ?*  ?\n> player 1 1\n  points   4   0"
    assert (view.first, view.second, view.taken) == (0, 1, 1)
    assert position.hidden(0).second == 0
    known = Goofspiel(4, -1).after("3 1 2")
    assert (known.hidden(1).first, known.hidden(0).second) == (3, 1)
    over = position.after("4 4 2")
    assert over.is_terminal()
    assert (over.first, over.second) == (0x1423, 0x3241), "the last turn was played at once"
    assert over.hidden(0) == over.hidden(1) == over
    assert (over.points(0), over.points(1)) == (6, 4)
    assert (over.utility(0), over.utility(1)) == (1, -1)
    assert Goofspiel(4, -1, margin=True).after("3 1 2 4 4 2").utility(0) == 1


def test_the_picture_shows_no_more_than_the_view() -> None:
    start = Goofspiel(5, -1, secret=True)
    one, other = start.after("4 2 3"), start.after("3 2 1")
    assert one.hidden(1).svg(2) == other.hidden(1).svg(2)
    assert one.svg(2) != other.svg(2)
    assert one.hidden(1).svg(2).count("?") == 2
    known = Goofspiel(5, -1).after("4 2 3")
    assert known.hidden(1).svg(2).count("?") == 1


def test_cards_have_their_places() -> None:
    position = Goofspiel(4, -1, secret=True).after("3 1 2")
    placed(Goofspiel(), position)
    assert places(position.hidden(1)).keys() == places(position).keys()
    assert places(position.hidden(0)) == {}, "player 0 does not know what player 1 has"
    assert draw(Goofspiel()).title == "A prize is turned up"
    assert draw(position).title == "Player 2 to bid"


def test_a_secret_bid_of_this_turn_is_there_or_all_are_hidden() -> None:
    """What player 1 sees has no bids of player 0; the whole position has one more of them."""
    position = Goofspiel(4, -1, secret=True).after("4 1 2 3")
    found = position.play(position.legal_actions()[0])
    assert found.hidden(1).first == 0
    found.hidden(1).check()
    with pytest.raises(ValueError, match="first must have 3 different hexadecimal digits"):
        found._replace(first=position.first).check()
