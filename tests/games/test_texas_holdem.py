"""Texas hold'em: games of PettingZoo, OpenSpiel and PokerKit, special rules, hands, equities."""

import itertools
from collections import Counter
from contextlib import nullcontext
from random import Random
from typing import Any

import numpy as np
import pytest
from games.laws import fresh, load, random_line, seen, utilities
from games.naive_texas_holdem import best_hand

from adv_envs import CHANCE, IllegalMove, TexasHoldem, TexasHoldemNoLimit, TicTacToe
from adv_envs.games.holdem import Holdem
from adv_envs.games.poker_hands import (
    card_bit,
    card_of,
    card_text,
    category_of,
    hand_strength,
)
from adv_envs.pictures import draw, palette, places, svg
from agents import make, match
from agents.games.holdem import EquityPlayer, category_counts, equity_by_chance, hand_equities
from agents.games.holdem.equities import flush_ranks, rank_tables, strength_of, with_card

# ---- beside PettingZoo


def petting_zoo(start: Holdem) -> Any:
    """PettingZoo's environment, without wrappers; skips where RLCard is not installed."""
    pytest.importorskip("rlcard", reason="PettingZoo's hold'em plays by pip install rlcard")
    limit = isinstance(start, TexasHoldem)
    name = "texas_holdem_v4" if limit else "texas_holdem_no_limit_v6"
    module = pytest.importorskip(f"pettingzoo.classic.{name}")
    with pytest.warns(UserWarning, match="precision") if not limit else nullcontext():
        return module.raw_env(num_players=start.players)


def theirs(card: int) -> Any:
    text = card_text(card)
    return pytest.importorskip("rlcard.games.base").Card(text[1].upper(), text[0])


def set_deck(env: Any, start: Holdem, deck: list[int]) -> int:
    """Puts our cards on their table; returns who is the small blind there."""
    game, n = env.env.game, start.players
    limit = isinstance(start, TexasHoldem)
    small: int = (game.game_pointer - 2 if limit else game.dealer_id + 1) % n
    for player in range(n):
        hand = [theirs(deck[player]), theirs(deck[player + n])]
        game.players[(small + player) % n].hand = hand
    game.dealer.deck = [theirs(card) for card in reversed(deck[2 * n :])]
    return small


def same_as_petting_zoo(env: Any, start: Holdem, rng: Random) -> int:
    """One game of both, with the same cards; returns how many plies it took."""
    env.reset()
    n, size = start.players, 72 if isinstance(start, TexasHoldem) else 54
    deck = rng.sample(range(52), 2 * n + 5)
    small, ours, plies = set_deck(env, start, deck), start, 0
    while not ours.is_terminal():
        if ours.to_move == CHANCE:
            ours = ours.play(deck[ours.dealt])
            continue
        assert env.agent_selection == f"player_{(ours.to_move + small) % n}", ours
        mask = env.observe(env.agent_selection)["action_mask"]
        assert np.flatnonzero(mask).tolist() == ours.legal_actions(), ours
        for player in range(n):
            found = env.observe(f"player_{(player + small) % n}")["observation"]
            assert found.tolist() == seen(ours, player)[:size], ours
        action = rng.choice(ours.legal_actions())
        if ours.is_fold(action):
            action = rng.choice(ours.legal_actions())
        env.step(action)
        ours, plies = ours.play(action), plies + 1
    assert all(env.terminations.values())
    unit = ours.big_blind if isinstance(start, TexasHoldem) else 1  # they count in big blinds
    paid = [unit * env.rewards[f"player_{(player + small) % n}"] for player in range(n)]
    missing = [ours.utility(player) - paid[player] for player in range(n)]
    if any(missing):  # they give odd chips to anybody who shares
        shares = [won for won in map(ours.won, range(n)) if won > 0]
        assert len(shares) > 1, ours
        assert max(map(abs, missing)) < len(shares), ours
    return plies


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("game", [TexasHoldem, TexasHoldemNoLimit])
@pytest.mark.parametrize("plies", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_games_as_petting_zoo_plays_them(game: Any, players: int, plies: int) -> None:
    start = game(players, rlcard=True)
    env, rng, done = petting_zoo(start), fresh(), 0
    while done < plies:
        done += same_as_petting_zoo(env, start, rng)


# ---- beside OpenSpiel, which plays by the server of the Annual Computer Poker Competition


def universal(start: Holdem) -> Any:
    """OpenSpiel's game with the same parameters."""
    n, big = start.players, start.big_blind
    first = [2 % n + 1] + [2 if n == 2 else 1] * 3
    lists = {
        "blind": [start.small_blind, big] + [0] * (n - 2),
        "firstPlayer": first,
        "numBoardCards": [0, 3, 1, 1],
        "stack": [start.stack_of(player) for player in range(n)],
    }
    words = {"betting": "nolimit", "bettingAbstraction": "fullgame"}
    if isinstance(start, TexasHoldem):
        words = {"betting": "limit"}
        lists |= {"raiseSize": [big, big, 2 * big, 2 * big], "maxRaises": [3, 4, 4, 4]}
    words |= {key: " ".join(map(str, numbers)) for key, numbers in lists.items()}
    sizes = f"numPlayers={n},numRounds=4,numSuits=4,numRanks=13,numHoleCards=2"
    return load(f"universal_poker({sizes},{','.join(f'{k}={v}' for k, v in words.items())})")


def as_in_open_spiel(ours: Any, action: int) -> int:
    """OpenSpiel's number: fold, call, raise, or the chips put in."""
    if isinstance(ours, TexasHoldem):
        return {0: 1, 1: 2, 2: 0, 3: 1}[action]
    return action


def same_as_open_spiel(start: Any, rng: Random) -> int:
    """One game of both, with the same cards; returns how many plies it took."""
    n, state = start.players, universal(start).new_initial_state()
    deck = rng.sample(range(52), 2 * n + 5)
    for player in range(n):
        for card in deck[player : 2 * n : n]:  # a whole hand at a time
            state.apply_action(card)
    ours, plies = start, 0
    while not ours.is_terminal():
        if ours.to_move == CHANCE:
            if ours.dealt >= 2 * n:
                state.apply_action(deck[ours.dealt])
            ours = ours.play(deck[ours.dealt])
            continue
        assert state.current_player() == ours.to_move, ours
        legal = {as_in_open_spiel(ours, action): action for action in ours.legal_actions()}
        found = set(state.legal_actions())
        if isinstance(ours, TexasHoldem):  # they call checking a call, and may fold for nothing
            found -= {0} - legal.keys()
        assert legal.keys() == found - ({0} - legal.keys()), (str(ours), state.legal_actions())
        number = rng.choice([*legal])
        if number == 0:
            number = rng.choice([*legal])
        state.apply_action(number)
        ours, plies = ours.play(legal[number]), plies + 1
    assert state.is_terminal()
    shares = [won for won in map(ours.won, range(n)) if won > 0]
    for mine, other in zip(utilities(ours), state.returns(), strict=True):
        assert abs(mine - other) < (1 if len(shares) > 1 else 1e-9), ours  # they cut odd chips
    return plies


@pytest.mark.parametrize(
    "start",
    [
        TexasHoldem(), TexasHoldem(3), TexasHoldem(4), TexasHoldemNoLimit(2, 40, amounts="all"),
        TexasHoldemNoLimit(3, 25, amounts="all"),
        TexasHoldemNoLimit(2, stacks=50_020, amounts="all"),
    ],
    ids=["limit2", "limit3", "limit4", "all2", "all3", "short"],
)  # fmt: skip
@pytest.mark.parametrize("plies", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_games_as_open_spiel_plays_them(start: Any, plies: int) -> None:
    rng, done = fresh(), 0
    while done < plies:
        done += same_as_open_spiel(start, rng)


# ---- beside PokerKit


def poker_kit(start: Any) -> Any:
    """PokerKit's state before the deal; skips where it is not installed."""
    kit = pytest.importorskip("pokerkit", reason="by pip install pokerkit, when wanted")
    limit, big = isinstance(start, TexasHoldem), start.big_blind
    cap = [start.raises_in(street) if start.raises else None for street in range(4)]
    streets = tuple(
        kit.Street(
            street > 0, (False, False) if street == 0 else (), (0, 3, 1, 1)[street], False,
            kit.Opening.POSITION, start.bet_size(street), cap[street],
        )
        for street in range(4)
    )  # fmt: skip
    by_hand = {"CARD_BURNING", "HOLE_DEALING", "BOARD_DEALING", "RUNOUT_COUNT_SELECTION"}
    return kit.State(
        tuple(each for each in kit.Automation if each.name not in by_hand), kit.Deck.STANDARD,
        (kit.StandardHighHand,), streets,
        kit.BettingStructure.FIXED_LIMIT if limit else kit.BettingStructure.NO_LIMIT,
        True, 0, (start.small_blind, big), 0,
        tuple(start.stack_of(theirs_seat(start, p)) for p in range(start.players)), start.players,
        mode=kit.Mode.TOURNAMENT,
    )  # fmt: skip


def theirs_seat(start: Holdem, player: int) -> int:
    """PokerKit's number of a player: it begins to the left of the button also with two."""
    return 1 - player if start.players == 2 else player


def same_raises_as_poker_kit(ours: Any, kit: Any) -> int:
    """Compares what may be raised; returns what each had put in before this round."""
    below = ours.level() - max(kit.bets)  # what was put in before this round
    legal = ours.legal_actions()
    amounts = sorted({ours.raises_to(a) - below for a in legal if ours.is_raise(a)})
    low = kit.min_completion_betting_or_raising_to_amount
    high = kit.max_completion_betting_or_raising_to_amount
    if kit.completion_betting_or_raising_amount >= ours.bet_size(ours.street) or amounts:
        assert bool(amounts) == (low is not None), (str(ours), amounts, low)
    if amounts and isinstance(ours, TexasHoldemNoLimit) and not ours.amounts:
        assert low <= amounts[0] <= amounts[-1] == high, (str(ours), amounts, low, high)
    elif amounts:
        assert amounts == [*range(low, high + 1)], (str(ours), amounts, low, high)
    return below


def same_payoffs_as_poker_kit(ours: Any, kit: Any) -> None:
    """Compares what is won."""
    players = range(ours.players)
    paid = [kit.payoffs[theirs_seat(ours, player)] for player in players]
    if paid != utilities(ours):  # one has all odd chips, also those of several pots together
        pots = len({ours.chips(player) for player in players if not ours.has_folded(player)})
        missing = [abs(mine - other) for mine, other in zip(utilities(ours), paid, strict=True)]
        shares = sum(ours.won(player) > 0 for player in players)
        assert sum(paid) == 0, ours
        assert max(missing) < shares * pots, ours
        assert shares > 2 or (shares == 2 and pots > 1), ours


def same_as_poker_kit(start: Any, rng: Random) -> int:
    """One game of both, with the same cards; returns how many plies it took."""
    n, kit = start.players, poker_kit(start)
    deck = rng.sample(range(52), 2 * n + 5)
    for seat in range(n):
        player = theirs_seat(start, seat)
        kit.deal_hole(card_text(deck[player]) + card_text(deck[player + n]))
    ours, plies = start.after(deck[: 2 * n]), 0
    while not ours.is_terminal():
        if ours.to_move == CHANCE:
            if kit.can_burn_card():
                kit.burn_card("??")
            number = 3 if ours.num_board == 0 else 1
            cards = [deck[ours.dealt + i] for i in range(number)]
            kit.deal_board("".join(map(card_text, cards)))
            ours = ours.after(cards)
            continue
        assert kit.actor_index == theirs_seat(start, ours.to_move), ours
        below = same_raises_as_poker_kit(ours, kit)
        legal = ours.legal_actions()
        action = rng.choice(legal)
        if ours.is_fold(action) or (start.amounts if hasattr(start, "amounts") else False):
            action = rng.choice(legal[: 2 + 3 * (rng.random() < 0.4)])
        if ours.is_fold(action):
            kit.fold()
        elif ours.is_raise(action):
            kit.complete_bet_or_raise_to(ours.raises_to(action) - below)
        else:
            kit.check_or_call()
        ours, plies = ours.play(action), plies + 1
    assert not kit.status, ours
    same_payoffs_as_poker_kit(ours, kit)
    return plies


@pytest.mark.parametrize(
    "start",
    [
        TexasHoldem(), TexasHoldem(3, stacks=20_007_015), TexasHoldem(5), TexasHoldemNoLimit(),
        TexasHoldemNoLimit(3, stacks=100_050_021), TexasHoldemNoLimit(6, 60),
        TexasHoldemNoLimit(3, 25, amounts="all"),
        TexasHoldemNoLimit(6, stacks=11_023_040_100_061_007, small_blind=2, big_blind=5),
    ],
    ids=["limit2", "limit3", "limit5", "two", "three", "six", "all", "stacks"],
)  # fmt: skip
@pytest.mark.parametrize("hands", [20, pytest.param(2_000, marks=pytest.mark.slow)])
def test_random_games_as_poker_kit_plays_them(start: Any, hands: int) -> None:
    rng = fresh()
    for _ in range(hands):
        same_as_poker_kit(start, rng)


# ---- hands


def hand_of(cards: list[int]) -> int:
    return sum(map(card_bit, cards))


def held(cards: list[int]) -> Any:
    hand = (0, 0, 0, 0, 0)
    for card in cards:
        hand = with_card(hand, card)
    return hand


def by_tables(cards: list[int]) -> int:
    hand, tables = held(cards), rank_tables()
    return strength_of(hand, flush_ranks(hand[4], tables), tables)


@pytest.mark.parametrize("hands", [400, pytest.param(200_000, marks=pytest.mark.slow)])
def test_hands_are_ranked_as_the_best_of_all_their_five_cards(hands: int) -> None:
    """Half of them with few ranks or suits, so that good hands are met."""
    rng, found = fresh(), list[tuple[tuple[int, ...], int]]()
    for number in range(hands):
        few = [card for card in range(52) if card % 4 < 2 or card // 4 < 4]
        cards = rng.sample(few if number % 2 else range(52), 7)
        strength = hand_strength(hand_of(cards))
        assert by_tables(cards) == strength
        found.append((best_hand([card_text(card) for card in cards]), strength))
    found.sort()
    for (worse, weak), (better, strong) in itertools.pairwise(found):
        assert (worse == better) == (weak == strong)
        assert weak <= strong
        assert strong >> 26 == better[0]


def test_six_and_five_cards() -> None:
    rng = fresh()
    for _ in range(200):
        cards = rng.sample(range(52), 6)
        five = max(hand_strength(hand_of(list(c))) for c in itertools.combinations(cards, 5))
        assert hand_strength(hand_of(cards)) == five


@pytest.mark.slow
def test_there_are_7462_hands_of_five_cards() -> None:
    """All 2,598,960, by category as every table of odds has them."""
    found: Counter[int] = Counter()
    for cards in itertools.combinations([card_bit(card) for card in range(52)], 5):
        found[hand_strength(sum(cards))] += 1
    assert len(found) == 7462
    numbers = [
        sum(n for strength, n in found.items() if strength >> 26 == category)
        for category in range(9)
    ]
    assert numbers == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    royal = hand_strength(hand_of([card_of(f"{rank}s") for rank in "TJQKA"]))
    assert max(found) == royal
    assert found[royal] == 4


@pytest.mark.slow
@pytest.mark.compiled
def test_all_hands_of_seven_cards_by_category() -> None:
    """Known numbers, of 133,784,560."""
    assert category_counts() == {
        "high card": 23294460, "pair": 58627800, "two pair": 31433400, "three of a kind": 6461620,
        "straight": 6180020, "flush": 4047644, "full house": 3473184, "four of a kind": 224848,
        "straight flush": 41584,
    }  # fmt: skip


@pytest.mark.compiled
def test_known_equities() -> None:
    """Of 1,712,304 boards, as poker calculators have them."""
    boards = 1712304
    (win, tie), (loss, same) = hand_equities(["Ac Ah", "Kd Ks"], "2c 7d 9s")
    assert win + tie + loss + same == pytest.approx(1)
    assert tie == same
    known = {
        ("Ac Ah", "Kd Ks"): (1388072, 317694, 6538),
        ("As Ks", "Qh Qd"): (787966, 917606, 6732),
    }
    for hands, numbers in known.items():
        (win, tie), (loss, _) = hand_equities(hands)
        counted = [round(share * boards) for share in (win, loss, 2 * tie)]
        assert counted == list(numbers)


@pytest.mark.compiled
def test_equity_by_chance_is_near_the_exact_one() -> None:
    assert equity_by_chance("AhAd", samples=40_000, seed=1) == pytest.approx(0.852, abs=0.01)
    assert equity_by_chance("7h2d", samples=40_000, seed=1) == pytest.approx(0.346, abs=0.01)
    assert equity_by_chance("AhAd", opponents=9, samples=40_000) == pytest.approx(0.31, abs=0.01)
    assert equity_by_chance("AhKh", "Qh Jh Th 2c 2d", 3, 100) == 1


def test_one_of_many_hands_wins_on_each_board() -> None:
    shares = hand_equities(["AhAd", "KhKd", "QhQd", "JhJd"], "2c 3c 4c 9s")
    assert sum(win + tie for win, tie in shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: hand_equities(["AhAd"]), "hands must be 2 to 22"),
        (lambda: hand_equities(["AhAd", "Kh"]), "two cards each"),
        (lambda: hand_equities(["AhAd", "AhKd"]), "Ah is given twice"),
        (lambda: hand_equities(["AhAd", "KhKd"], "2c3c4c5c6c7c"), "at most five"),
        (lambda: equity_by_chance("AhXd"), "not 'Xd'"),
        (lambda: equity_by_chance("AhAd", opponents=10), "opponents must be 1 to 9"),
        (lambda: equity_by_chance("AhAd", "Ah2c3c"), "Ah is given twice"),
        (lambda: equity_by_chance("Ah"), "a hand has two cards"),
        (lambda: EquityPlayer(samples=0), "samples must be 1 or more"),
    ],
)
def test_equities_refuse_what_cannot_be(ask: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ask()


# ---- special rules


def no_limit(line: str, *given: Any, **parameters: Any) -> TexasHoldemNoLimit:
    return TexasHoldemNoLimit(*given, **parameters).after(line)


def test_who_begins() -> None:
    """Among two the button posts the small blind, is first before the flop and last after it."""
    two = TexasHoldem().after("Ah 7c Ad 7d")
    assert (two.to_move, two.chips(0), two.chips(1)) == (0, 1, 2)
    assert two.after("call check 2c 3c 4c").to_move == 1
    assert TexasHoldem(rlcard=True).after("Ah 7c Ad 7d call check 2c 3c 4c").to_move == 0
    three = TexasHoldem(3).after("Ah 7c 2s Ad 7d 2h")
    assert three.to_move == 2
    assert three.after("call fold check 2c 3c 4c").to_move == 1


def test_the_big_blind_may_raise_where_all_have_called() -> None:
    here = TexasHoldem().after("Ah 7c Ad 7d call")
    assert (here.to_move, names_of(here)) == (1, ["raise", "check"])


def names_of(position: Any) -> list[str]:
    return [position.name(action) for action in position.legal_actions()]


def test_a_round_has_four_bets() -> None:
    """The big blind is the first one before the flop; with RLCard it is none."""
    here = TexasHoldem().after("Ah 7c Ad 7d raise raise raise")
    assert names_of(here) == ["call", "fold"]
    assert names_of(here.after("call 2c 3c 4c raise raise raise raise")) == ["call", "fold"]
    there = TexasHoldem(rlcard=True).after("Ah 7c Ad 7d raise raise raise")
    assert names_of(there) == ["call", "raise", "fold"]


def test_as_many_information_sets_as_are_known() -> None:
    """Of two players with limit: 319,365,922,522,608, as M. Johanson counted in 2013.

    They are the moments of betting in each round, for each of the cards that a player may see.
    """
    deck, moments = [0, 4, 8, 12, 20, 25, 30, 35, 40], Counter[int]()
    stack = [TexasHoldem().after(deck[:4])]
    while stack:
        here = stack.pop()
        if here.is_terminal():
            continue
        if here.to_move == CHANCE:
            stack.append(here.play(deck[here.dealt]))
            continue
        moments[here.street] += 1
        stack += [here.play(action) for action in here.legal_actions()]
    hands, flops = 1326, 19_600
    cards = [hands, hands * flops, hands * flops * 47, hands * flops * 47 * 46]
    assert [moments[street] for street in range(4)] == [8, 70, 630, 5670]
    assert sum(moments[street] * cards[street] for street in range(4)) == 319_365_922_522_608


SIX_CARDS = "Ah Kh Qh Ad Kd Qd"


def test_side_pots() -> None:
    """The short stack takes the main pot, the second best hand the side pot."""
    over = no_limit(f"{SIX_CARDS} all-in call call 2c 3c 4s 9s Js", 3, stacks=20_060_100)
    assert utilities(over) == [40, 20, -60]
    assert [over.won(player) for player in range(3)] == [60, 80, 40]  # 40 go back to the last


def test_odd_chips_go_to_the_first_from_the_left_of_the_button() -> None:
    """Two share a pot of 3 chips of others; with two players the button is player 0."""
    board = "2c 3d 4s 5c 6d"
    over = no_limit(f"{SIX_CARDS} half-pot fold call {board[:8]} check check 5c check check 6d", 3)
    over = over.after("check check")
    assert utilities(over) == [-1, 1, 0]


def test_a_bet_that_nobody_matches_is_given_back() -> None:
    over = no_limit("Ah 7c Ad 7d all-in fold")
    assert utilities(over) == [2, -2]
    short = no_limit("Ah 7c Ad 7d all-in call 2c 3c 4s 9s Js", stacks=100_030)
    assert utilities(short) == [30, -30]


def test_an_all_in_that_is_no_whole_raise_lets_nobody_raise_again() -> None:
    """Player 2 raises to 12, player 0 is all in for 15: who has acted may only call or fold."""
    here = no_limit(f"{SIX_CARDS} raise12 raise15", 3, stacks=15_100_100, amounts="all")
    assert "raise25" in names_of(here)  # player 1 has not acted
    again = here.after("call")
    assert (again.to_move, names_of(again)) == (2, ["fold", "call"])
    whole = no_limit(f"{SIX_CARDS} raise12 raise22 call", 3, stacks=22_100_100, amounts="all")
    assert "raise32" in names_of(whole)


def test_raises_that_are_whole_together_let_those_who_acted_raise() -> None:
    line = "Ah Kh Qh Jh Ad Kd Qd Jd raise12 call raise18 raise22"
    here = no_limit(line, 4, stacks=18_022_100_100, amounts="all")
    assert here.to_move == 2
    assert "raise32" in names_of(here)


def test_the_least_raise() -> None:
    """As large as the last one, and at first the big blind."""
    here = no_limit("Ah 7c Ad 7d", amounts="all")
    assert names_of(here)[:4] == ["fold", "call", "raise4", "raise5"]
    assert names_of(here.after("raise10"))[:4] == ["fold", "call", "raise18", "raise19"]
    assert names_of(here.after("call check 2c 3c 4c"))[:3] == ["check", "raise4", "raise5"]


def test_raises_by_parts_of_the_pot() -> None:
    """After a call; PettingZoo's put in what the pot is before it."""
    for rlcard, half, whole in ((False, 4, 6), (True, None, 4)):
        here = no_limit("Ah 7c Ad 7d", rlcard=rlcard)
        assert (half is not None) == ("half-pot" in names_of(here))
        assert half is None or here.after("half-pot").chips(0) == half
        assert here.after("pot").chips(0) == whole


def test_with_a_limit_only_a_whole_bet_lets_those_raise_again_who_have_acted() -> None:
    """Player 0 is all in for 3 chips after a bet of 2 on the flop, which is half of one."""
    flop = f"{SIX_CARDS} call call check 2c 3c 4s check check raise"
    here = TexasHoldem(3, stacks=5_100_100).after(f"{flop} raise call")
    assert [here.chips(player) for player in range(3)] == [5, 5, 4]
    assert (here.to_move, names_of(here)) == (2, ["call", "fold"])
    whole = TexasHoldem(3, stacks=6_100_100).after(f"{flop} raise call")
    assert names_of(whole) == ["call", "raise", "fold"]


def test_nobody_raises_where_all_others_are_all_in() -> None:
    here = no_limit("Ah 7c Ad 7d all-in", stacks=20_100)
    assert names_of(here) == ["fold", "call"]
    assert here.after("call").to_move == CHANCE


def test_who_shows_the_cards() -> None:
    """Who raised last shows first, and after that only hands that are as good."""
    called = "Ah 7c Ad 8d check 2c 3c 4s check check 9s check check Js"
    worse = TexasHoldem().after(called.replace("check", "call check", 1) + " check raise call")
    assert worse.hidden(1) == worse  # aces were bet
    assert worse.hidden(0).card_words(1) == ["?", "?"]  # and need not be shown what lost
    better = TexasHoldem().after(called.replace("check", "call check", 1) + " raise call")
    assert better.hidden(0) == better.hidden(1) == better
    folded = TexasHoldem().after("Ah 7c Ad 7d raise fold")
    assert folded.hidden(1).card_words(0) == ["?", "?"]
    assert [folded.hidden(1).utility(player) for player in (0, 1)] == [2, -2]


def test_text() -> None:
    here = TexasHoldem().after("Ah 7c Ad 7d raise")
    assert (
        here
        == TexasHoldem().after("ah 7C aD 7d bet")
        == TexasHoldem().after([51 - 1, 20, 49, 21, 1])
    )
    assert str(here.hidden(1)).splitlines() == [
        "  player 0  ? ?    4 chips in the pot, 96 left",
        "> player 1  7c 7d  2 chips in the pot, 98 left",
        "  board     -",
        "  pot       6",
        "  preflop:  raise",
    ]
    with pytest.raises(IllegalMove, match="legal: call, raise, fold"):
        here.move("check")
    assert category_of(hand_strength(hand_of([0, 4, 8, 12, 16]))) == "straight flush"


def test_all_amounts_by_other_names() -> None:
    here = no_limit("Ah 7c Ad 7d", amounts="all")
    assert here.move("r12") == here.move("bet12") == here.move("raise-to12") == here.move(12)
    assert here.move("allin") == here.move("raise100")
    assert no_limit("Ah 7c Ad 7d").move("allin").chips_left(0) == 0


# ---- the picture, and the player


def test_the_picture() -> None:
    here = no_limit("Ah 7c Ad 7d half-pot call 7h Kc 2s check half-pot")
    shown, view = svg.svg(here, 1), svg.svg(here.hidden(0), 1)
    assert ">K<" in shown
    assert ">pot 12<" in view
    assert view.count(">7<") < shown.count(">7<")
    assert [place.name for place in places(here).values()] == names_of(here)
    assert not places(TexasHoldem())
    framed = [s for s in draw(here, 1).shapes if getattr(s, "stroke", None) == palette.GOLD]
    assert len(framed) == 2  # whose turn it is, and what was done last
    assert not places(no_limit("Ah 7c Ad 7d", amounts="all"))  # too many for boxes
    assert ">+100<" in svg.svg(here.after("all-in call 9s Td"))


def test_pictures_of_ten_players() -> None:
    for position in random_line(TexasHoldem(10), fresh())[::9]:
        assert draw(position, 0).shapes


def test_the_player_sees_its_own_cards_only() -> None:
    player = make("equity_player(samples=50, seed=1)")
    here = TexasHoldem().after("Ah 7c Ad 7d raise")
    for _ in range(20):
        player.reset(7)
        action = player.act(here)
        player.reset(7)
        assert player.act(here.hidden(1)) == action


def test_the_player_beats_those_who_look_less() -> None:
    """By far more than luck, in duplicate deals with one seed."""
    for start, other, least in (
        (TexasHoldem(), "equity_player(samples=5, bluff=0.5, trust=0)", 0),
        (TexasHoldemNoLimit(), "random", 0),
    ):
        result = match(start, "equity_player(samples=100, trust=0)", other, pairs=60, seed=5)
        total = sum(g.utilities[result.seat(0, i)] for i, g in enumerate(result.games))
        assert total > least


def test_the_player_refuses_other_games() -> None:
    with pytest.raises(ValueError, match="equity_player plays"):
        make("equity_player()").act(TicTacToe())
