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
    TAKE,
    TAKEN,
    best_melds,
    cards_of,
    deadwood_against,
    deadwood_of,
    meld_lists,
)
from adv_envs.games.gin_rummy_words import SUITS, card_name, card_number
from adv_envs.testing.game_laws import random_action
from agents import GinRummyPlayer, make, match

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
    done, _ = beside_rl_card(600, fresh())
    assert done >= 600


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
    done, _ = beside_open_spiel(start, 200, fresh())
    assert done >= 200


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_many_hands_as_open_spiel_plays_them(start: GinRummy) -> None:
    done, ways = beside_open_spiel(start, 30_000, fresh())
    print(f"{done:,} plies compared")
    assert {"knock", "undercut"} <= ways


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


# ---- special rules

MELDED = "5s 5d 5c 9h Th Jh 2c 2d Ks Qd"
LOOSE = "3s 4s 7h 8d 9d Tc Qc Kh 6h As"


def dealt(first: str, second: str, upcard: str, variant: str = "standard") -> GinRummy:
    """A hand of which all cards are dealt."""
    cards = [*first.split(), *second.split(), *([upcard] if upcard else [])]
    return GinRummy(variant).after(cards)


def names_of(position: GinRummy) -> list[str]:
    return [position.name(action) for action in position.legal_actions()]


def test_the_first_upcard_is_offered_to_both() -> None:
    position = dealt(MELDED, LOOSE, "4d")
    assert (position.turn_text(), names_of(position)) == (
        "Player 1 to take the upcard or pass", ["pass", "take"],
    )  # fmt: skip
    passed = position.after("pass")
    assert (passed.to_move, names_of(passed)) == (1, ["pass", "take"])
    both = passed.after("pass")
    assert (both.to_move, names_of(both)) == (0, ["draw"])
    taken = passed.after("take")
    assert taken.to_move == 1
    assert "4d" not in names_of(taken)
    assert names_of(taken.after("Kh")) == ["draw", "take"]


def test_a_card_just_taken_is_not_discarded_though_one_just_drawn_is() -> None:
    position = dealt(MELDED, LOOSE, "4d")
    taken = position.after("take")
    assert "4d" not in names_of(taken)
    assert "knock-4d" not in names_of(taken)
    assert "6d" in names_of(position.after("pass pass draw 6d"))


@pytest.mark.parametrize(
    ("first", "second", "line", "points"),
    [
        # 2d is left; the other has 68 points, of which Kh is laid off on the kings
        ("5s 5d 5c 9h Th Jh 2c 2d Ks Kd", LOOSE, "pass pass draw Kc knock-2c", 68 - 10 - 2),
        # the other lays off 8h, 7h and Qh on the run, and 5h on the set
        ("5s 5d 5c 9h Th Jh 2c 2d Ks Kd", "8h 7h Qh 5h As 3s 4s 6d Kh 8c",
         "pass pass draw Kc knock-2c", 1 + 3 + 4 + 6 + 8 - 2),
    ],
)  # fmt: skip
def test_a_knock(first: str, second: str, line: str, points: float) -> None:
    position = dealt(first, second, "4d").after(line)
    assert position.is_terminal()
    assert position.utility(0) == -position.utility(1) == points
    assert position.result_text() == f"Player 1 wins: knock, {points} points"


def test_an_undercut_and_a_tie_that_is_one() -> None:
    melded = "5s 5d 5c 9h Th Jh Ks Kd Kc 8s"
    for second, ahead in (
        ("As 2s 3s 4h 4d 4c 7s 7d 7c 6c", 2),
        ("As 2s 3s 4h 4d 4c 7s 7d 7c 8c", 0),
    ):
        position = dealt(melded, second, "Qd").after("pass pass draw Qs knock-Qs")
        assert position.utility(1) == 25 + ahead
        assert position.result_text() == f"Player 2 wins: undercut, {25 + ahead} points"


def test_gin_is_not_compulsory_and_nothing_is_laid_off_on_it() -> None:
    position = dealt("5s 5d 5c 9h Th Jh Ks Kd Kc Qh", "8h 7h 5h Kh As 3s 4s 6d 2h Tc", "4d")
    drawn = position.after("pass pass draw Qs")
    assert {"gin", "Qs"} <= set(names_of(drawn))
    assert "knock-Qs" not in names_of(drawn)  # that is gin
    over = drawn.after("gin")
    assert over.latest() == card_number("Qs")
    assert over.utility(0) == 25 + deadwood_of(over.second)
    assert over.result_text().startswith("Player 1 wins: gin, ")
    assert not drawn.after("Qs").is_terminal()


def test_by_simplified_rules_gin_is_compulsory_and_one_may_knock_with_a_card_taken() -> None:
    gin = dealt("5s 5d 5c 9h Th Jh Ks Kd Kc Qh 2s", LOOSE, "", "simplified")
    assert names_of(gin) == ["gin"]
    low = "5s 5d 5c 9h Th Jh 2s 2d Ad Qh Kh"
    taken = dealt(low, LOOSE.replace("Kh", "Kd"), "", "simplified").after("Kh draw 9c Kd take")
    assert "Kd" not in names_of(taken)
    assert "knock-Kd" in names_of(taken)


def test_the_upcard_says_with_what_one_may_knock_by_the_rules_of_oklahoma() -> None:
    limits = {card: dealt(MELDED, LOOSE, card, "oklahoma").limit for card in ("Ad", "4d", "Kd")}
    assert limits == {"Ad": 0, "4d": 4, "Kd": 10}


def to_the_end_of_the_stock(variant: str) -> GinRummy:
    """A hand in which nobody takes anything, and each card that is drawn is discarded."""
    position = dealt("2s 4s 6s 8s Ts Qs 2h 4h 6h 8h", "As 3s 5s 7s 9s Js Ah 3h 5h 7h", "Kd")
    if variant == "simplified":
        position = GinRummy("simplified").after(
            "2s 4s 6s 8s Ts Qs 2h 4h 6h 8h Kd As 3s 5s 7s 9s Js Ah 3h 5h 7h Kd"
        )
    while not position.is_terminal() and position.stock > 2:
        if position.to_move == CHANCE:
            card = max(position.legal_actions())
            position = position.play(card).play(DISCARD + card)
        else:
            position = position.play(PASS if position.legal(PASS) else DRAW)
    return position


def test_the_hand_is_dead_with_two_cards_in_the_stock() -> None:
    over = to_the_end_of_the_stock("standard")
    assert over.is_terminal()
    assert (over.stock, over.utility(0), over.result_text()) == (2, 0, "Draw: the hand is dead")
    last = to_the_end_of_the_stock("simplified")
    assert names_of(last) == ["take", "dead"]
    over = last.after("dead")
    rewards = [-deadwood_of(over.hand(player)) / 100 for player in (0, 1)]
    assert [over.reward(player) for player in (0, 1)] == rewards
    assert over.utility(0) == (rewards[0] - rewards[1]) / 2


@pytest.mark.parametrize("variant", ["standard", "simplified"])
def test_a_hand_ends_after_a_hundred_discards(variant: str) -> None:
    """Both take what the other discards, for ever."""
    position = dealt("2s 4s 6s 8s Ts Qs 2h 4h 6h 8h", "As 3s 5s 7s 9s Js Ah 3h 5h 7h", "Kd")
    if variant == "simplified":
        position = GinRummy(variant).after(
            "2s 4s 6s 8s Ts Qs 2h 4h 6h 8h Kd As 3s 5s 7s 9s Js Ah 3h 5h 7h Kd"
        )
    while not position.is_terminal() and position.discards < 100:
        position = position.play(TAKE)
        kings = [a for a in position.legal_actions() if a >= DISCARD and a < KNOCK]
        position = position.play(kings[-1])
        position.check()
    assert position.discards == 100
    if variant == "simplified":
        assert names_of(position) == ["dead"]
        position = position.after("dead")
    assert position.result_text().endswith("the hand is dead")


# ---- views


def test_cards_that_were_taken_are_known_until_they_are_discarded() -> None:
    position = dealt(MELDED, LOOSE, "4d").after("take Ks")
    view = position.hidden(1)
    assert view.first == 1 << card_number("4d")
    assert str(view).splitlines()[0] == "  player 0  4d" + 9 * " ?"
    later = position.after("draw 2s 2s draw 3d 4d").hidden(1)
    assert later.first == 0
    assert later.determinized(1, 99 << 40).hidden(1) == later


def test_a_view_may_be_each_of_the_positions_that_look_so() -> None:
    """Of a game of twelve cards, in all hands that are dealt and drawn alike."""
    start = GinRummy(ranks=3, hand_size=1, knock=0)
    known, rest = [0, 14], [c for c in cards_of(start.deck()) if c not in (0, 14)]
    members: set[GinRummy] = set()
    for other in rest:
        position = start.after([known[0], other, known[1]]).after("pass take")
        for card in cards_of(position.discard_set()):
            after = position.play(DISCARD + card)
            if after.latest() == 1:  # player 1 has discarded the two of spades
                members.add(after)
    (view,) = {position.hidden(0) for position in members}
    drawn = {view.determinized(0, state * 2**33) for state in range(1, 400)}
    assert drawn == members


def test_the_past_that_is_guessed_goes_with_what_was_seen() -> None:
    rng = Random(5)
    for _ in range(4):
        position = GinRummy()
        while not position.is_terminal():
            for player in (0, 1) if rng.random() < 0.1 else ():
                view = position.hidden(player)
                guess = view.determinized(player, rng.getrandbits(62))
                guess.check()
                assert guess.hidden(player) == view
                assert guess.after([]).actions_taken() is not None
            position = position.play(random_action(position, rng))
        position.check()
        assert position.start().after(position.actions_taken() or []) == position


# ---- agents


def test_rules_of_thumb_go_out_when_they_can_and_take_what_they_need() -> None:
    player = GinRummyPlayer()
    position = dealt("5s 5d 5c 9h Th Jh Ks Kd 2c Qd", LOOSE, "Kc")
    assert position.name(player.act(position)) == "take"
    assert position.after("take").name(player.act(position.after("take"))) == "knock-Qd"
    gin = dealt("5s 5d 5c 9h Th Jh Ks Kd Kc Qh", LOOSE.replace("Qc", "2c"), "4d")
    gin = gin.after("pass pass draw Qs")
    assert gin.name(player.act(gin)) == "gin"


def test_agents_see_their_view_only_and_refuse_what_they_cannot_play() -> None:
    rng = Random(3)
    for spec in ("gin_rummy_player", "gin_rummy_player(simulations=4, seed=1)"):
        position = GinRummy()
        while not position.is_terminal() and position.discards < 4:
            if position.to_move == CHANCE:
                action = random_action(position, rng)
            else:
                view = position.hidden(position.turn)
                action, same = (make(spec).act(seen_so) for seen_so in (position, view))
                assert action == same
            position = position.play(action)
    with pytest.raises(ValueError, match="chance is to move"):
        GinRummyPlayer().act(GinRummy())
    with pytest.raises(ValueError, match="simulations must be at least 1"):
        GinRummyPlayer(simulations=0)


def test_the_search_counts_its_hands_and_keeps_to_the_usual_choice_if_in_doubt() -> None:
    position = dealt("5s 5d 5c 9h Th Jh Ks Kd 2c Qd", LOOSE, "Kc")
    found = GinRummyPlayer(simulations=200, seed=1).analyse(position)
    assert sum(found.visits.values()) == found.nodes == 200
    assert position.name(found.action) == "take"
    assert found.values[TAKE] > found.values[PASS]


def test_rules_of_thumb_win_against_random_play() -> None:
    result = match(GinRummy(), "gin_rummy_player", "random", pairs=5, seed=1)
    assert sum(game.utilities[i % 2] for i, game in enumerate(result.games)) > 0
