"""Hanabi: the end, tokens, hints and what they tell, deals of the own hand, players by rules."""

from collections import Counter
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from games.laws import met, placed, random_line

import agents
from adv_envs import CHANCE, Hanabi
from adv_envs.jit import disabled
from adv_envs.random import scattered
from agents.games.hanabi import is_known_useless, is_useless, playable_share, recommended

TWO = Hanabi(2, 2, 3, 2, hints=2, lives=2)
DEALT = TWO.after("R1 Y2 R1 R3")


def test_sizes_are_those_of_the_usual_game() -> None:
    assert [Hanabi(players).held for players in (2, 3, 4, 5)] == [5, 5, 4, 4]
    assert [Hanabi(players).num_moves for players in (2, 3, 4, 5)] == [20, 30, 38, 48]
    assert Hanabi().observation_shape == (658,)
    assert Hanabi().deck_size == 50
    assert sum(map(Hanabi().copies, range(25))) == 50


def test_a_hint_tells_of_all_cards() -> None:
    after = DEALT.move("tell-1-red")
    assert [after.possible(1, place) for place in (0, 1)] == ["R123", "R123"]
    assert after.tokens == 1
    assert after.move("tell-1-2").possible(0, 0) == "RY13"
    assert after.move("tell-1-2").possible(0, 1) == "RY2"
    assert [after.hidden(1).card_name(1, place) for place in (0, 1)] == ["R?", "R?"]
    assert DEALT.move("tell-1-3").hidden(1).card_name(1, 1) == "?3"


def test_a_hint_must_point_at_a_card() -> None:
    with pytest.raises(ValueError, match="is not a legal move"):
        DEALT.move("tell-1-yellow")
    spent = DEALT.after("tell-1-1 tell-1-1")
    assert [spent.name(a) for a in spent.legal_actions()] == [
        "discard-a", "discard-b", "play-a", "play-b",
    ]  # fmt: skip
    assert not any(DEALT.legal(action) for action in (0, 1)), "no hint is spent"


def test_cards_move_up_and_the_new_one_is_the_last() -> None:
    after = DEALT.move("play-a")
    assert (after.to_move, after.drawer, after.cards_in(0)) == (CHANCE, 0, 1)
    after = after.move("Y3")
    assert [after.card_name(0, place) for place in (0, 1)] == ["Y2", "Y3"]
    assert after.score == 1


def test_a_wrong_card_costs_a_life_and_the_last_one_all_points() -> None:
    once = DEALT.after("play-a Y1 play-b Y1")
    assert (once.score, once.lives_left, once.discarded()) == (1, 1, ["R3"])
    over = once.move("play-a")
    assert over.is_terminal()
    assert (over.utility(0), over.utility(1)) == (0, 0)
    assert over.result_text() == "All lives are lost: 0 of 6 points"
    kept = Hanabi(2, 2, 3, 2, hints=2, lives=2, keep_score=True)
    kept = kept.after("R1 Y2 R1 R3 play-a Y1 play-b Y1 play-a")
    assert kept.is_terminal()
    assert kept.utility(0) == 1


def test_a_whole_firework_gives_a_hint_back_if_one_is_spent() -> None:
    start = Hanabi(2, 1, 2, 1, hints=1)
    full = start.after("R1 R2 play-a R1 play-a")
    assert full.is_terminal()
    assert full.tokens == 1
    assert full.result_text() == "2 of 2 points"
    two = Hanabi(2, 2, 2, 1, hints=1).after(["R1", "R2", "tell-1-2", "tell-1-1"][:3])
    back = two.after("discard-a Y1 play-a R1")
    assert back.tokens == 1


def test_everybody_has_one_more_move_after_the_last_card() -> None:
    start = Hanabi(3, 2, 2, 2, hints=2)
    position = start.after("R1 R1 R1 Y1 Y1 Y1 tell-1-1 discard-a R2 play-a Y2")
    assert (position.in_deck, position.late, position.to_move) == (0, 0, 0)
    for late in range(1, 4):
        position = position.play(position.legal_actions()[0])
        assert position.late == late
    assert position.is_terminal()
    whole = Hanabi(2, 1, 2, 2)
    assert len(random_line(whole, Random(1))) == 7, "no card is left to draw"


def test_own_cards_are_hidden_until_they_are_played() -> None:
    view = DEALT.hidden(0)
    assert str(view).startswith("> player 0   ??:RY123 ??:RY123\n  player 1   R1:RY123 R3:RY123")
    assert view == TWO.after("Y3 Y1 R1 R3").hidden(0)
    assert view.probability(0) == DEALT.hidden(0).probability(0) == 2 / 10
    after = DEALT.after("play-a Y3")
    assert after.hidden(0) != TWO.after("R2 Y2 R1 R3 play-a Y3").hidden(0)
    assert view.svg() == TWO.after("Y3 Y1 R1 R3").hidden(0).svg()


def deals_of(view: Hanabi, player: int) -> Counter[tuple[int, ...]]:
    """The own hands that go with the hints, by in how many ways cards can be dealt so."""
    held = range(view.cards_in(player))
    cards = [kind for kind in range(view.num_kinds) for _ in range(view.unseen(kind))]
    found = Counter(permutations(cards, len(held)))
    fits = (c for c in found if all(view.may_be(player, place, c[place]) for place in held))
    return Counter({deal: found[deal] for deal in fits})


@pytest.mark.parametrize("seed", range(4))
def test_deals_of_the_own_hand_are_as_likely_as_the_cards_are(seed: int) -> None:
    rng = Random(seed)
    told = met(TWO, rng, lambda p: p.to_move == 0 and p.turns > 1 and p.slot(0, 1) >> 16)
    view, draws = told.hidden(0), 3000
    expected = deals_of(view, 0)
    found = Counter[tuple[int, ...]]()
    for _ in range(draws):
        full = view.determinized(0, scattered(rng.getrandbits(62)))
        found[tuple(full.card(0, place) - 1 for place in range(full.cards_in(0)))] += 1
    total = expected.total()
    assert found.keys() <= expected.keys()
    for deal, ways in expected.items():
        mean = draws * ways / total
        assert abs(found[deal] - mean) < 6 * mean**0.5 + 1, deal


def test_pictures_have_a_box_for_each_move() -> None:
    for start in (Hanabi(), Hanabi(5), Hanabi(3, 1, 1, 1)):
        rng = Random(1)
        placed(*(p for p in random_line(start, rng)[:-1] if p.to_move != CHANCE))


# ---- players by rules


def test_what_is_known_of_a_card() -> None:
    view = DEALT.hidden(0)
    assert playable_share(view, 0, 0) == pytest.approx(5 / 10), "two R1 and three Y1, of ten"
    after = DEALT.after("play-a Y1 tell-1-2 tell-1-1 discard-a")
    assert [is_useless(after, kind) for kind in range(6)] == [True, *[False] * 5]
    known = DEALT.after("play-a Y1 tell-1-yellow tell-1-1").hidden(0)
    assert not is_known_useless(known, 0, 0)
    four = Hanabi(2, 2, 3, 2, hints=4)
    told = four.after("R1 Y2 R1 R3 play-a R1 tell-1-red tell-1-1 tell-1-1").hidden(0)
    assert is_known_useless(told, 0, 1)
    assert not is_known_useless(told, 0, 0)


def test_recommendations() -> None:
    cards = "R1 R2 R3 R4 Y1 Y1 Y2 Y3 G2 G2 G3 G4 B5 B4 B3 B2 W1 W1 W2 W3"
    start = Hanabi(5).after(cards)
    assert recommended(start, 0) == 0, "R1 is playable"
    assert recommended(start, 2) == 4 + 3, "G4 is the highest card with a copy"
    assert recommended(start, 3) == 4 + 1, "B4, as there is one B5 only"


def points(players: int, style: str, seed: int) -> float:
    return agents.play_game(Hanabi(players), [style] * players, seed=seed).utilities[0]


@pytest.mark.parametrize(
    ("style", "players", "least"), [("iggi", 2, 14), ("piers", 3, 14), ("recommendations", 5, 19)]
)
def test_players_by_rules_score_well(style: str, players: int, least: float) -> None:
    games = 1 if disabled() else 3
    assert sum(points(players, style, seed) for seed in range(games)) >= games * least


def test_recommendations_need_small_hands() -> None:
    agent: Any = agents.make("recommendations()")
    with pytest.raises(ValueError, match=r"needs hands of fewer cards than .* not 5 for 2"):
        agent.act(met(Hanabi(), Random(1), lambda p: p.to_move == 0))


def test_all_sizes_begin() -> None:
    for players, colours, ranks in product(range(2, 6), range(1, 6), range(1, 6)):
        most = colours * (3 if ranks == 1 else 2 * ranks) // players
        if most:
            Hanabi(players, colours, ranks, min(most, 5)).check()
        if most < 5:
            with pytest.raises(ValueError, match="choose a smaller hand_size"):
                Hanabi(players, colours, ranks, most + 1)
