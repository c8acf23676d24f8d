"""Kuhn poker: what is shown at the end, its equilibria, picture and text."""

import pytest
from games.naive_best_response import best_response, expected, nash_conv

from adv_envs import Kuhn
from adv_envs.pictures import places, svg


def test_what_is_shown_at_the_end() -> None:
    called, folded = Kuhn().after("Q K bet call"), Kuhn().after("Q K bet fold")
    assert called.hidden(0) == called.hidden(1) == called
    assert folded.hidden(0) == Kuhn(cards=0x02, bets=0b01, ply=4)
    assert [folded.hidden(player).utility(player) for player in (0, 1)] == [1, -1]
    three = Kuhn(3).after("K Q J bet fold call")
    assert three.hidden(0) == three.hidden(2) == Kuhn(3, cards=0x103, bets=0b101, ply=6)
    assert three.hidden(1) == three


@pytest.mark.parametrize("bluff", [0, 0.1, 0.2, 1 / 3])
def test_the_equilibria_that_kuhn_found(bluff: float) -> None:
    """Player 0 bets the jack with probability ``bluff``; the first player loses 1/18 of a chip."""
    bets = {
        "J": bluff, "Q": 0, "K": 3 * bluff, "Q pass bet": bluff + 1 / 3, "K pass bet": 1,
        "J bet": 0, "Q bet": 1 / 3, "K bet": 1, "J pass": 1 / 3, "Q pass": 0, "K pass": 1,
    }  # fmt: skip

    def policy(view: Kuhn, action: int) -> float:
        card = "JQK"[view.card(view.to_move) - 1]
        bet = bets.get(" ".join([card, *view.actions_taken()]), 0)
        return bet if action == 1 else 1 - bet

    assert expected(Kuhn(), policy) == pytest.approx([-1 / 18, 1 / 18])
    assert best_response(Kuhn(), 0, policy) == pytest.approx(-1 / 18)
    assert nash_conv(Kuhn(), policy) == pytest.approx(0, abs=1e-12)


def test_the_picture() -> None:
    position = Kuhn().after("Q K pass bet")
    assert position.to_move == 0
    assert ">K<" in svg.svg(position, 1)
    assert ">K<" not in svg.svg(position.hidden(0), 1)
    assert ">K<" in svg.svg(position.move("bet").hidden(0), 1)
    assert [place.name for place in places(position).values()] == ["pass", "bet"]
    assert not places(Kuhn())
    assert not places(position.move("bet"))


def test_text() -> None:
    position = Kuhn().after("Q K pass bet")
    assert position == Kuhn().after("Q K pass bet") == Kuhn().after([1, 2, 0, 1])
    assert position == Kuhn(cards=0x32, bets=0b10, ply=4)
    assert str(position.hidden(0)).splitlines()[1] == "  player 1  ?  2 chips"
    assert position.move("call") == position.move("bet")
    assert position.move("fold") == position.move("pass")
    assert Kuhn(3).choices() == "legal: J, Q, K, A"
    assert Kuhn(4).choices() == "legal: T, J, Q, K, A"
