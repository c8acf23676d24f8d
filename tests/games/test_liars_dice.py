"""Liar's dice: what is shown, three players, pictures that show no more."""

from games.laws import placed, utilities

from adv_envs import LiarsDice
from adv_envs.pictures import draw, places


def test_dice_are_shown_at_the_end() -> None:
    position = LiarsDice().after("3 6 1-3 2-3")
    view = position.hidden(0)
    assert str(view) == "> player 0   3\n  player 1   ?\n  bids       1-3 2-3"
    assert (view.dice_of(0), view.dice_of(1)) == ([3], [])
    assert str(position.hidden(1)).startswith("> player 0   ?\n  player 1   6")
    over = position.move("liar")
    assert over.hidden(0) == over.hidden(1) == over
    assert (over.utility(0), over.utility(1)) == (-1, 1), "the 6 is wild, so 2-3 is true"
    assert str(over) == "  player 0   3\n  player 1   6\n  bids       1-3 2-3 liar"


def test_three_players() -> None:
    over = LiarsDice(2, 6, 3).after("1 2 3 4 5 5 1-5 4-5 liar")
    assert utilities(over) == [0, -1, 1]
    over = LiarsDice(2, 6, 3).after("1 2 3 4 5 6 1-5 2-5 liar")
    assert utilities(over) == [0, 1, -1]
    assert over.dice_of(2) == [5, 6]
    assert over.showing(2, 5) == 1


def test_the_picture_shows_no_more_than_the_view() -> None:
    position = LiarsDice(2, 6).after("3 4 5 6 1-3 2-3")
    other = LiarsDice(2, 6).after("3 4 1 1 1-3 2-3")
    assert position.hidden(0).svg(8) == other.hidden(0).svg(8)
    assert position.hidden(1).svg(8) != other.hidden(1).svg(8)
    assert position.svg(8).count("<circle") == position.hidden(0).svg(8).count("<circle") + 11


def test_bids_have_their_places() -> None:
    placed(LiarsDice().after("3 6"), LiarsDice(5, 6, 2).after([0] * 10 + [7]))
    assert places(LiarsDice()) == {}
    assert draw(LiarsDice()).title == "The dice roll"
    assert draw(LiarsDice().after("3 6 1-3 liar")).title == "Player 1 wins: 1-3 is true"
    assert draw(LiarsDice().after("3 6 1-1 2-1 liar")).title == "Player 1 wins: 2-1 is false"
