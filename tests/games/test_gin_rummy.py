"""Gin rummy: hands of RLCard and OpenSpiel, melds, views and every special rule."""

from random import Random
from typing import Any

import pytest
from games.laws import fresh, load, seen
from games.naive_gin_rummy import (
    laid_out,
    least_after_layoffs,
    least_deadwood,
)

from adv_envs import CHANCE, GinRummy
from adv_envs.games.gin_rummy import (
    DISCARD,
    DRAW,
    DRAWN,
    GIN,
    KNOCK,
    PASS,
    STOCK,
    SUITS,
    TAKE,
    TAKEN,
    best_melds,
    card_name,
    card_number,
    cards_of,
    deadwood_against,
    deadwood_of,
    meld_lists,
)
from adv_envs.testing.game_laws import random_action

# ---- RLCard


def rl_card() -> Any:
    """RLCard's environment, under PettingZoo's gin_rummy_v4."""
    return pytest.importorskip("rlcard", reason="pip install rlcard").make("gin-rummy")


def numbers(cards: list[Any]) -> list[int]:
    """Our numbers of RLCard's cards."""
    return [card_number(card.rank + card.suit) for card in cards]


def sensible(position: GinRummy, rng: Random) -> int:
    """Half of the time a move that keeps little deadwood, so that hands end by going out."""
    legal = position.legal_actions()
    out = [action for action in legal if action == GIN or action >= KNOCK]
    if out and rng.random() < 0.5:
        return rng.choice(out)
    if position.stage in (DRAWN, TAKEN) and rng.random() < 0.8:
        hand = position.hand(position.turn)
        plain = [action for action in legal if DISCARD <= action < KNOCK]
        if plain:
            return min(plain, key=lambda a: (deadwood_of(hand ^ 1 << a - DISCARD), rng.random()))
    return rng.choice(legal)


def beside_rl_card(plies: int, rng: Random) -> tuple[int, set[str]]:
    """Plays hands of both; returns how many plies were compared, and the ways in which they end."""
    env, done, ways = rl_card(), 0, set()
    while done < plies:
        env.seed(rng.randrange(2**31))
        _, first = env.reset()
        game = env.game
        hands = [numbers(game.round.players[(first + i) % 2].hand) for i in (0, 1)]
        ours = GinRummy("simplified").after([*hands[0], *hands[1]])
        while not ours.is_terminal():
            if ours.to_move == CHANCE:
                ours = ours.play(numbers(game.round.players[env.get_player_id()].hand[-1:])[0])
            state = env.get_state(env.get_player_id())
            assert env.get_player_id() == (ours.to_move + first) % 2
            assert sorted(state["legal_actions"]) == ours.legal_actions()
            assert seen(ours, ours.to_move) == state["obs"].tolist()
            action = sensible(ours, rng)
            env.step(action)
            ours, done = ours.play(action), done + 1
        for scored in (0, 1):
            assert [*env.get_state(scored)["legal_actions"]] == [scored]
            env.step(scored)
        rewards = [0.5 if r == 0.2 else r for r in env.get_payoffs()]  # as PettingZoo has it
        assert env.is_over()
        assert [ours.reward((i + first) % 2) for i in (0, 1)] == pytest.approx(rewards)
        assert ours.utility(first) == pytest.approx((rewards[0] - rewards[1]) / 2)
        ways.add(ours.result_text().partition(": ")[2])
    return done, ways


def test_hands_as_rl_card_plays_them() -> None:
    done, ways = beside_rl_card(1500, fresh())
    assert done >= 1500
    assert "knock" in ways


@pytest.mark.slow
def test_many_hands_as_rl_card_plays_them() -> None:
    done, ways = beside_rl_card(100_000, fresh())
    print(f"{done:,} plies compared")
    assert ways == {"knock", "gin", "the hand is dead"}


# ---- OpenSpiel

SPIEL = {PASS: 54, TAKE: 52, DRAW: 53}


class Spiel:
    """A hand of OpenSpiel with our numbers of cards: it has the suits in another order."""

    def __init__(self, start: GinRummy) -> None:
        self.ranks = start.ranks
        oklahoma = str(start.written("variant", start.variant) == "oklahoma").lower()
        self.state = load(
            f"gin_rummy(oklahoma={oklahoma},knock_card={start.knock},num_ranks={start.ranks},"
            f"hand_size={start.hand_size},gin_bonus={start.gin_bonus},"
            f"undercut_bonus={start.undercut_bonus})"
        ).new_initial_state()

    def card(self, ours: int) -> int:
        return "scdh".index(SUITS[ours // 13]) * self.ranks + ours % 13

    def cards(self) -> list[int]:
        """The legal actions that are cards, by our numbers."""
        found = [a for a in self.state.legal_actions() if a < 52]
        return sorted(SUITS.index("scdh"[a // self.ranks]) * 13 + a % self.ranks for a in found)

    def others(self) -> list[int]:
        return [a for a in self.state.legal_actions() if a >= 52]

    def lay(self, cards: list[int]) -> None:
        """Lays out the meld of these cards."""
        want = {card_name(card) for card in cards}
        for action in self.others():
            said = self.state.action_to_string(action).removeprefix("Player: ").split()[-1]
            if {said[i : i + 2] for i in range(0, len(said), 2)} == want:
                self.state.apply_action(action)
                return
        raise AssertionError(f"no meld {want}: {self.state}")


def best_defence(state: Any, out: int, known: dict[str, float]) -> float:
    """The least that who went out can win, over all that the other may lay off and meld."""
    if state.is_terminal():
        return float(state.returns()[out])
    text = str(state)
    if text not in known:
        children = [state.child(action) for action in state.legal_actions()]
        known[text] = min(best_defence(child, out, known) for child in children)
    return known[text]


def split(run: list[int]) -> list[list[int]]:
    """OpenSpiel's runs have at most five cards."""
    return [run] if len(run) <= 5 else [run[:3], *split(run[3:])]


def same_end(spiel: Spiel, before: GinRummy, after: GinRummy) -> None:
    """Knocks as we did, and compares the result with the best that the other can do."""
    out = before.turn
    discarded = cards_of(before.hand(out) & ~after.hand(out))[0]
    spiel.state.apply_action(55)
    gin, knock = before.going_out()
    allowed = [card for card in spiel.cards() if before.discard_set() >> card & 1]
    assert allowed == cards_of(gin | knock)
    spiel.state.apply_action(spiel.card(discarded))
    melds, _ = meld_lists(after.hand(out))
    for meld in melds:
        for part in split(meld) if meld[0] + 1 == meld[1] else [meld]:
            spiel.lay(part)
    spiel.state.apply_action(54)
    theirs = best_defence(spiel.state, out, {})
    tie = after.utility(out) == -after.undercut_bonus  # is no undercut in OpenSpiel
    assert theirs == (0 if tie else after.utility(out)), after


def beside_open_spiel(start: GinRummy, plies: int, rng: Random) -> tuple[int, set[str]]:
    """Plays hands of both; returns how many plies were compared, and the ways in which they end."""
    done, ways = 0, set()
    while done < plies:
        ours, spiel = start, Spiel(start)
        while not ours.is_terminal():
            assert ours.to_move == spiel.state.current_player()
            if spiel.state.is_chance_node():
                assert spiel.cards() == ours.legal_actions()
            elif ours.stage < STOCK:
                assert spiel.state.legal_actions() == sorted(SPIEL[a] for a in ours.legal_actions())
            else:
                same_discards(ours, spiel)
            action = random_action(ours, rng) if ours.to_move == CHANCE else sensible(ours, rng)
            after, done = ours.play(action), done + 1
            if ours.to_move == CHANCE:
                spiel.state.apply_action(spiel.card(action))
            elif action == GIN or action >= KNOCK:
                same_end(spiel, ours, after)
            else:
                theirs = spiel.card(action - DISCARD) if action >= DISCARD else SPIEL[action]
                spiel.state.apply_action(theirs)
            ours = after
            if spiel.state.is_terminal() and not ours.is_terminal():
                break  # after its fiftieth upcard
        if ours.is_terminal() and ours.utility(0) == 0 and not spiel.state.is_terminal():
            spiel.state.apply_action(54)  # it still asks the other player to knock or pass
            assert spiel.state.returns() == [0, 0]
        ways.add(ours.result_text().partition(": ")[2].split(",")[0] if ours.is_terminal() else "")
    return done, ways


def same_discards(ours: GinRummy, spiel: Spiel) -> None:
    """The same discards but for a card just taken, and the same right to go out."""
    legal = ours.legal_actions()
    mine = [action - DISCARD for action in legal if DISCARD <= action < KNOCK]
    allowed = ours.discard_set()
    assert mine == [card for card in spiel.cards() if allowed >> card & 1]
    may = any(action == GIN or action >= KNOCK for action in legal)
    if may != (55 in spiel.others()):  # it counts a card just taken, and may miss a way to meld
        assert ours.stage == TAKEN, ours


STARTS = (
    GinRummy(),
    GinRummy("oklahoma"),
    GinRummy(knock=6, gin_bonus=20, undercut_bonus=10),
    GinRummy(hand_size=7),
)


@pytest.mark.parametrize("start", STARTS)
def test_hands_as_open_spiel_plays_them(start: GinRummy) -> None:
    done, _ = beside_open_spiel(start, 400, fresh())
    assert done >= 400


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_many_hands_as_open_spiel_plays_them(start: GinRummy) -> None:
    done, ways = beside_open_spiel(start, 30_000, fresh())
    print(f"{done:,} plies compared")
    assert {"knock", "gin", "undercut", "the hand is dead"} <= ways


# ---- melds


def hand_of(names: str) -> int:
    """A set of cards, from their names."""
    return sum(1 << card_number(name) for name in names.split())


def crowded(rng: Random, number: int) -> int:
    """A hand of few ranks and suits, so that sets and runs compete for cards."""
    lowest = rng.randrange(9)
    near = [13 * suit + lowest + rank for suit in range(4) for rank in range(5)]
    cards = rng.sample(near if rng.random() < 0.7 else range(52), number)
    return sum(1 << card for card in cards)


@pytest.mark.parametrize("hands", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_deadwood_is_the_least_of_all_ways_to_meld(hands: int) -> None:
    rng = fresh()
    for _ in range(hands):
        cards = crowded(rng, rng.choice((7, 10, 11)))
        names = [card_name(card) for card in cards_of(cards)]
        assert deadwood_of(cards) == least_deadwood(names), names
        melds, rest = meld_lists(cards)
        theirs = {frozenset(card_number(c) for c in meld) for meld in laid_out(names)}
        runs = best_melds(cards)[1]
        ours = {frozenset(meld) for meld in melds}
        assert sum(map(len, ours)) + len(rest) == len(names)
        assert {m for m in ours if not runs >> min(m) & 1} == {
            m for m in theirs if len({c % 13 for c in m}) == 1
        }


@pytest.mark.parametrize("hands", [60, pytest.param(5_000, marks=pytest.mark.slow)])
def test_what_is_laid_off_is_the_best_of_all_ways(hands: int) -> None:
    rng, fewer = fresh(), 0
    for _ in range(hands):
        both = [13 * suit + rank for suit in range(4) for rank in range(7)]
        cards = rng.sample(both, 20)
        one, other = (sum(1 << card for card in part) for part in (cards[:10], cards[10:]))
        names = [[card_name(card) for card in cards_of(hand)] for hand in (one, other)]
        found = deadwood_against(other, *best_melds(one))
        assert found == least_after_layoffs(names[1], laid_out(names[0])), names
        fewer += found < deadwood_of(other)
    assert fewer


@pytest.mark.parametrize(
    ("hand", "deadwood"),
    [
        ("As 2s 3s 4h 5h 6h 7d 7c 7s Kd", 10),
        ("As 2s 3s 3h 3d", 3),  # the run keeps the ace and the two from counting
        ("7s 7h 7d 7c 8c 9c", 0),  # a set of three and a run
        ("5s 6s 7s 7h 7d 7c 8c 9c Ts", 21),
        ("Qs Ks As", 21),  # the ace is low only
        ("Ks Kh Kd Kc Qs Js", 0),
    ],
)
def test_deadwood(hand: str, deadwood: int) -> None:
    names = hand.split()
    assert least_deadwood(names) == deadwood
    assert deadwood_of(hand_of(hand)) == deadwood
