"""Kuhn poker against a second implementation, OpenSpiel and known values, on whole trees."""

import itertools
from typing import Any

import numpy as np
import pytest
from games.naive_best_response import best_response, expected, histories, nash_conv, uniform
from games.naive_kuhn import NaiveKuhn

from adv_envs import CHANCE, IllegalMove, Kuhn
from adv_envs.pictures import places, svg
from adv_envs.random import scattered

TREES = 2, 3, 4
"""Numbers of players whose trees are gone through: up to 7,886 histories."""


def seen(position: Kuhn, player: int) -> list[float]:
    numbers = np.zeros(position.observation_shape)
    position.observe(player, numbers)
    return numbers.tolist()


def decisions(start: Kuhn) -> list[Kuhn]:
    """Every history at whose end a player is to move."""
    return [p for p in histories(start) if not p.is_terminal() and p.to_move != CHANCE]


# ---- the rules


@pytest.mark.parametrize("players", TREES)
def test_every_deal_and_line_as_the_naive_one_plays_it(players: int) -> None:
    ends = 0
    for deal in itertools.permutations(range(players + 1), players):
        start = Kuhn(players).after(deal)
        lines: list[list[str]] = [[]]
        while lines:
            line = lines.pop()
            position, naive = start.after(line), NaiveKuhn(list(deal))
            naive.words = line
            assert position.is_terminal() == naive.is_over()
            for player in range(players):
                view = position.hidden(player)
                cards = [view.card(other) - 1 for other in range(players)]
                found = player, tuple(c if c >= 0 else None for c in cards), tuple(line)
                assert found == naive.seen_by(player)
                assert view.actions_taken() == line
            if naive.is_over():
                ends += 1
                assert [position.utility(p) for p in range(players)] == naive.winnings()
                continue
            assert position.to_move == naive.to_move
            assert position.choices() == "legal: pass, bet"
            lines += [[*line, "pass"], [*line, "bet"]]
    assert ends == {2: 30, 3: 312, 4: 3960}[players]


def compare_with_open_spiel(players: int) -> dict[str, int]:
    """Both trees side by side; returns how many histories and information sets they have."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(f"kuhn_poker(players={players})")
    assert (game.num_players(), game.max_utility()) == (players, Kuhn(players).max_utility)
    assert list(Kuhn(players).observation_shape) == game.information_state_tensor_shape()
    to_theirs: dict[Any, str] = {}
    to_ours: dict[Any, Any] = {}
    number = 0

    def visit(ours: Kuhn, theirs: Any) -> None:
        nonlocal number
        number += 1
        assert ours.legal_actions() == theirs.legal_actions()
        assert ours.is_terminal() == theirs.is_terminal()
        if ours.is_terminal():
            utilities = [ours.utility(player) for player in range(players)]
            assert utilities == theirs.returns()
        elif ours.to_move == CHANCE:
            outcomes = [(a, ours.probability(a)) for a in ours.legal_actions()]
            assert outcomes == theirs.chance_outcomes()
        else:
            assert ours.to_move == theirs.current_player()
            for player in range(players):
                view, text = ours.hidden(player), theirs.information_state_string(player)
                assert to_theirs.setdefault((player, view), text) == text
                assert to_ours.setdefault((player, text), view) == view
                assert seen(ours, player) == theirs.information_state_tensor(player)
        for action in ours.legal_actions():
            visit(ours.play(action), theirs.child(action))

    visit(Kuhn(players), game.new_initial_state())
    own_turn = sum(view.to_move == player for player, view in to_theirs)
    return {"histories": number, "information sets": own_turn}


@pytest.mark.parametrize(("players", "sets"), [(2, 12), (3, 48), (4, 160)])
def test_information_sets_are_those_of_open_spiel(players: int, sets: int) -> None:
    """The views and OpenSpiel's texts are in bijection, for all players at every decision."""
    found = compare_with_open_spiel(players)
    assert found == {"histories": Kuhn(players).state_space(), "information sets": sets}


@pytest.mark.parametrize("players", [2, 3])
def test_a_view_may_be_each_of_the_positions_that_look_so(players: int) -> None:
    members: dict[Any, set[Kuhn]] = {}
    for position in decisions(Kuhn(players)):
        for player in range(players):
            members.setdefault((player, position.hidden(player)), set()).add(position)
    for (player, view), positions in members.items():
        drawn = {view.determinized(player, scattered(seed)) for seed in range(15 * len(positions))}
        assert drawn == positions, f"{view!r} of player {player}"


def test_what_is_shown_at_the_end() -> None:
    called, folded = Kuhn().after("Q K bet call"), Kuhn().after("Q K bet fold")
    assert called.hidden(0) == called.hidden(1) == called
    assert folded.hidden(0) == Kuhn(cards=0x02, bets=0b01, ply=4)
    assert [folded.hidden(player).utility(player) for player in (0, 1)] == [1, -1]
    three = Kuhn(3).after("K Q J bet fold call")
    assert three.hidden(0) == three.hidden(2) == Kuhn(3, cards=0x103, bets=0b101, ply=6)
    assert three.hidden(1) == three


# ---- values


@pytest.mark.parametrize(("players", "value"), [(2, 11 / 12), (3, 2.0625)])
def test_nash_conv_of_uniform_play(players: int, value: float) -> None:
    assert nash_conv(Kuhn(players), uniform) == pytest.approx(value, abs=1e-12)


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


# ---- pictures


def test_the_picture() -> None:
    position = Kuhn().after("Q K pass bet")
    assert position.to_move == 0
    assert ">K<" in svg.svg(position, 1)
    assert ">K<" not in svg.svg(position.hidden(0), 1)
    assert ">K<" in svg.svg(position.move("bet").hidden(0), 1)
    assert [place.name for place in places(position).values()] == ["pass", "bet"]
    assert not places(Kuhn())
    assert not places(position.move("bet"))


# ---- text, and what is not allowed


def test_text() -> None:
    position = Kuhn().after("Q K pass bet")
    assert position == Kuhn().after("Q K pass bet") == Kuhn().after([1, 2, 0, 1])
    assert position == Kuhn(cards=0x32, bets=0b10, ply=4)
    assert str(position.hidden(0)).splitlines()[1] == "  player 1  ?  2 chips"
    assert position.move("call") == position.move("bet")
    assert position.move("fold") == position.move("pass")
    with pytest.raises(IllegalMove, match="'check' is not a legal move; legal: pass, bet"):
        position.move("check")
    assert Kuhn(3).choices() == "legal: J, Q, K, A"
    assert Kuhn(4).choices() == "legal: T, J, Q, K, A"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 1}, "players must be 2 to 10, not 1"),
        ({"players": 11}, "players must be 2 to 10, not 11"),
        ({"ply": 6}, "ply must be 0 to 5, not 6"),
        ({"cards": 1}, "cards must be 0 to 0, not 1"),
        ({"cards": 0x11, "ply": 2}, "different ranks, 1 to 3, or 0, face down, not 0x11"),
        ({"cards": 0x14, "ply": 2}, "different ranks, 1 to 3, or 0, face down, not 0x14"),
        ({"cards": 0x321, "ply": 3}, "cards must be 0 to 255"),
        ({"cards": 0x12, "bets": 2, "ply": 3}, "bets must be 0 to 1, not 2"),
        ({"cards": 0x12, "bets": 1, "ply": 5}, "after the end of the game"),
        ({"cards": 0x12, "bets": 4, "ply": 5}, "after the end of the game"),
        ({"cards": 0x02, "bets": 3, "ply": 4}, "of those who have bet must be face up"),
    ],
)
def test_what_is_not_allowed(fields: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Kuhn(**fields)
