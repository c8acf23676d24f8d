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

from adv_envs import CHANCE, IllegalMove, TexasHoldem, TexasHoldemNoLimit
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
        TexasHoldem(), TexasHoldem(3), TexasHoldem(6), TexasHoldemNoLimit(2, 40, amounts="all"),
        TexasHoldemNoLimit(3, 25, amounts="all"), TexasHoldemNoLimit(2, stacks=50_020, amounts="all"),
    ],
    ids=["limit2", "limit3", "limit6", "all2", "all3", "short"],
)  # fmt: skip
@pytest.mark.parametrize("plies", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_games_as_open_spiel_plays_them(start: Any, plies: int) -> None:
    rng, done = fresh(), 0
    while done < plies:
        done += same_as_open_spiel(start, rng)
