"""Leduc hold'em: games of PettingZoo, views, pictures and text."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from games.laws import each_is_drawn, fresh, histories, members_of

from adv_envs import CHANCE, IllegalMove, Leduc
from adv_envs.games.leduc import CHECK
from adv_envs.pictures import draw, palette, places, svg


def petting_zoo() -> Any:
    """PettingZoo's environment, without wrappers; skips where RLCard is not installed."""
    pytest.importorskip("rlcard", reason="PettingZoo's leduc_holdem_v4 plays by pip install rlcard")
    return pytest.importorskip("pettingzoo.classic.leduc_holdem_v4").raw_env()


def set_cards(env: Any, deal: list[int]) -> int:
    """Put our cards for the small blind, the big blind and the table; returns who is small."""
    make = pytest.importorskip("rlcard.games.base").Card
    game = env.env.game
    cards = [make("SH"[card % 2], "JQK"[card // 2]) for card in deal]
    small: int = game.game_pointer
    game.players[small].hand, game.players[1 - small].hand = cards[:2]
    game.dealer.deck = [cards[2]]
    return small


def theirs_of(ours: Leduc, player: int) -> list[float]:
    """The observation of PettingZoo: two ranks and two stakes, one-hot."""
    numbers = [0.0] * 36
    for place, start in ((player, 0), (2, 3)):
        if ours.card(place) > 0:
            numbers[start + (ours.card(place) - 1) // 2] = 1
    numbers[6 + ours.chips(player)] = numbers[21 + ours.chips(1 - player)] = 1
    return numbers


@pytest.mark.parametrize("plies", [700, pytest.param(50_000, marks=pytest.mark.slow)])
def test_random_games_as_petting_zoo_plays_them(plies: int) -> None:
    """Ply by ply, dead agents at their end."""
    env, rng, done = petting_zoo(), fresh(), 0
    while done < plies:
        env.reset()
        deal = rng.sample(range(6), 3)
        small = set_cards(env, deal)
        ours = Leduc(blinds=True).after(deal[:2])
        while not ours.is_terminal():
            if ours.to_move == CHANCE:
                ours = ours.move(deal[2])
            assert env.agent_selection == f"player_{(ours.to_move + small) % 2}"
            mask = env.observe(env.agent_selection)["action_mask"]
            assert np.flatnonzero(mask).tolist() == ours.legal_actions()
            for player in (0, 1):
                found = env.observe(f"player_{(player + small) % 2}")["observation"]
                assert found.tolist() == theirs_of(ours, player)
            action = rng.choice(ours.legal_actions())
            env.step(action)
            ours = ours.play(action)
            done += 1
        assert all(env.terminations.values())
        for player in (0, 1):  # they count in big blinds
            assert 2 * env.rewards[f"player_{(player + small) % 2}"] == ours.utility(player)


def test_a_view_may_be_each_of_the_positions_that_look_so() -> None:
    start = Leduc().after("Js Qh raise call")  # the first rounds differ in their actions only
    deals = [Leduc().after(deal).after("raise call") for deal in permutations(range(6), 2)]
    members = members_of(position for deal in deals for position in histories(deal))
    assert (0, start.hidden(0)) in members
    each_is_drawn(members, draws=20)


def test_suits_do_not_count() -> None:
    """Of 936 information sets, 288 differ in ranks and actions."""
    views = {(p.to_move, p.hidden(p.to_move)) for p in histories(Leduc()) if not over(p)}
    ranks = {
        (player, *((view.card(place) + 1) // 2 for place in range(3)), view.first, view.second)
        for player, view in views
    }
    assert (len(views), len(ranks)) == (936, 288)


def over(position: Leduc) -> bool:
    return position.is_terminal() or position.to_move == CHANCE


def test_what_is_shown_at_the_end() -> None:
    called = Leduc().after("Js Qh check check Kh check check")
    assert called.hidden(0) == called.hidden(1) == called
    folded = Leduc().after("Js Qh raise fold")
    assert folded.hidden(1) == folded.with_cards(folded.card(1) << 5)
    assert [folded.hidden(player).utility(player) for player in (0, 1)] == [1, -1]
    three = Leduc(3).after("Js Qh Kh check check raise fold call Jh check check")
    assert three.hidden(2) == three.hidden(1) == three.with_cards(three.cards & ~31)
    assert three.hidden(0) == three


def test_the_picture() -> None:
    position = Leduc().after("Js Qh raise call Kh check raise")
    shown, view = svg.svg(position, 1), svg.svg(position.hidden(0), 1)
    for text in (">J<", ">K<", ">call<", ">7<", ">10<"):
        assert text in shown
        assert text in view
    assert ">Q<" in shown
    assert ">Q<" not in view
    assert [place.name for place in places(position).values()] == ["call", "raise", "fold"]
    assert len({place.x for place in places(position).values()}) == 3
    assert not places(Leduc())
    assert ">-7<" in svg.svg(position.after("call"))


def test_what_was_dealt_or_done_last_is_framed() -> None:
    """The card that is dealt, or the word at the player's row; nothing where it is not asked."""
    line = ["Js", "Qh", "raise", "call", "Kh", "check", "raise", "call"]
    tops = []
    for number in range(9):
        position = Leduc().after(line[:number])
        assert not framed(position, None)
        tops.append([round(shape.y) for shape in framed(position, 0)])
    assert tops == [[], [29], [93], [44], [108], [157], [44], [108], [44]]


def framed(position: Leduc, last: int | None) -> list[Any]:
    return [s for s in draw(position, last).shapes if getattr(s, "stroke", None) == palette.GOLD]


def test_text() -> None:
    position = Leduc().after("Js Qh raise call Kh check raise")
    for same in ([0, 3, 1, 0, 5, 3, 1], "Js Qh bet call Kh check bet"):
        assert position == Leduc().after(same)
    assert (position.cards, position.first, position.second, position.stakes) == (
        0b00110_00100_00001, 0b1_01_00, 0b1_11_01, 0x73,
    )  # fmt: skip
    assert "player 1  ?   7 chips" in str(position.hidden(0))
    assert position.choices() == "legal: call, raise, fold"
    assert not position.legal(CHECK)
    with pytest.raises(IllegalMove, match="move 2, 'raise', is not legal; legal: call, fold"):
        position.after("raise raise")
    assert Leduc(3).choices() == "legal: Js, Jh, Qs, Qh, Ks, Kh, As, Ah"
    assert Leduc(blinds=True).after("Js Qh").choices() == "legal: call, raise, fold"
    assert Leduc(blinds=True).after("Js Qh call").choices() == "legal: raise, fold, check"
