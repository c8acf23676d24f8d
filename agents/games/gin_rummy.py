"""Plays gin rummy: rules of thumb for each choice, and a search that plays hands out by them.

**Rules of thumb.** A hand is worth its deadwood, less a share for each card, not yet seen, that
would make or lengthen a meld. The player takes the upcard if the hand is then better by a margin,
discards what leaves the best hand, goes gin, and knocks: late in the hand with little deadwood
only, as the other may have less. Each number was chosen by playing thousands of hands against
others.

**The search** guesses what the player does not see, tries every action on it, and lets both players
go on by the rules of thumb to the end, with the same cards to come. The better half of the actions
is tried on more guesses, and so on. It finds when to play on for gin, and which cards to keep from
an opponent who collects them.

Source of the halving: Z. Karnin, T. Koren and O. Somekh, Almost optimal exploration in multi-armed
bandits (ICML 2013).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil, log2, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, GinRummy, Position
from adv_envs.bits import count, lowest, nth
from adv_envs.games.gin_rummy import (
    ACES,
    DECLARE,
    DISCARD,
    DRAW,
    GIN,
    KNOCK,
    NO_ACES,
    NO_KINGS,
    PASS,
    RUN_STARTS,
    SIMPLIFIED,
    STOCK,
    STOCK_ONLY,
    SUIT,
    TAKE,
    TURN,
    best_melds,
    card_points,
    deadwood_of,
    ranks_of_three,
)
from adv_envs.jit import kernel
from adv_envs.random import advanced, below, scattered
from agents.agent import (
    SearchAgent,
    SearchResult,
    SeededAgent,
    require_game,
    require_limit,
    require_unfinished,
)
from agents.knowledge import Knowledge, by_number, register_knowledge
from agents.spec import register

PER_CARD = 0.7
"""How many points of deadwood a card is worth that would make or lengthen a meld."""
MARGIN = 5.0
"""By how much a hand must be better for the upcard to be taken."""
GIVEN = 3.0
"""How many points it costs to discard a card next to those that the other collects."""
LATE, SAFE = 16, 3
"""After how many discards of both one fears an undercut, and knocks with so much deadwood only."""
GATHERED = 2
"""After so many discards of both, one more guess is made of the other's hand."""

DOUBT = 0.16
"""How much better a mean of n hands must be than that of the usual choice, times sqrt(n), in units
of the largest utility: about what chance brings about."""

# ---- rules of thumb


def useful_cards(hand: int, unseen: int) -> int:
    """Returns those of the ``unseen`` cards that make or lengthen a meld of a hand, as a set."""
    sets, runs = best_melds(hand)
    dead = hand & ~(sets | runs)
    pairs = dead & dead >> 1 & NO_KINGS
    gaps = dead & dead >> 2 & RUN_STARTS
    useful = (pairs & NO_ACES) >> 1 | (pairs & RUN_STARTS) << 2 | gaps << 1
    useful |= runs << 1 & NO_ACES | runs >> 1 & NO_KINGS
    useful |= (ranks_of_two(dead) | ranks_of_three(sets)) * ACES
    return useful & unseen


def ranks_of_two(cards: int) -> int:
    """Returns the ranks that two or more of a set of cards have, bit r for rank r."""
    one, two, three, four = cards, cards >> 13, cards >> 26, cards >> 39
    return (one & (two | three | four) | two & (three | four) | three & four) & SUIT


def hand_score(hand: int, unseen: int) -> float:
    """Returns how bad a hand of as many cards as were dealt is, in points of deadwood."""
    return deadwood_of(hand) - PER_CARD * count(useful_cards(hand, unseen))


def known_to(position: GinRummy) -> int:
    """Returns the cards that the player to move has not seen, as a set."""
    player = position.turn
    theirs = position.hand(1 - player) & position.shown
    return position.deck() & ~(position.hand(player) | position.pile | theirs)


def collected(position: GinRummy) -> int:
    """Returns cards that go with those that the other has taken from the pile, as a set."""
    taken = position.hand(1 - position.turn) & position.shown
    ranks = (taken | taken >> 13 | taken >> 26 | taken >> 39) & SUIT
    return taken << 1 & NO_ACES | taken >> 1 & NO_KINGS | ranks * ACES


def best_discard(position: GinRummy, hand: int, cards: int) -> tuple[int, float]:
    """Returns which of ``cards`` to discard from a hand, and how bad the hand is then."""
    unseen, given = known_to(position), collected(position)
    best, least = lowest(cards), 1e9
    while cards != 0:
        card = cards & -cards
        cards ^= card
        score = hand_score(hand ^ card, unseen) - 0.01 * card_points(card)
        if given & card != 0:
            score += GIVEN
        if score < least:
            best, least = lowest(card), score
    return best, least


def chosen_draw(position: GinRummy) -> int:
    """Returns how to get a card, or that the upcard is passed, by the rules of thumb."""
    choices = position.draw_set()
    if choices >> TAKE & 1 == 0:
        return DRAW if choices >> DRAW & 1 != 0 else DECLARE
    hand, card = position.hand(position.turn), 1 << position.latest()
    _, with_card = best_discard(position, hand | card, hand)
    if with_card + MARGIN < hand_score(hand, known_to(position)):
        return TAKE
    if deadwood_with(hand, card) <= position.limit:
        return TAKE
    if choices >> PASS & 1 != 0:
        return PASS
    return DRAW if choices >> DRAW & 1 != 0 else DECLARE


def deadwood_with(hand: int, card: int) -> int:
    """Returns the least deadwood after a card was taken and another one discarded."""
    least, cards = 1000, hand
    while cards != 0:
        other = cards & -cards
        cards ^= other
        least = min(least, deadwood_of((hand | card) ^ other))
    return least


def chosen_discard(position: GinRummy) -> int:
    """Returns gin, a knock with the least deadwood, or what to discard, by the rules of thumb."""
    hand = position.hand(position.turn)
    gin, knock = position.going_out()
    if gin != 0:
        return GIN
    best, least = -1, 1000
    careful = position.discards >= LATE and position.variant != SIMPLIFIED
    while knock != 0:
        card = knock & -knock
        knock ^= card
        left = deadwood_of(hand ^ card)
        if left < least and (left <= SAFE or not careful):
            best, least = lowest(card), left
    if best >= 0:
        return KNOCK + best
    discarded, _ = best_discard(position, hand, position.discard_set())
    return DISCARD + discarded


def chosen_by_thumb(position: GinRummy) -> int:
    """Returns the action of a player to move by the rules of thumb, from what is seen alone."""
    return chosen_draw(position) if position.stage < STOCK else chosen_discard(position)


# ---- the search


@kernel
def action_by_thumb(view: GinRummy) -> int:
    """Returns ``chosen_by_thumb`` of a view."""
    return chosen_by_thumb(view)


def likely_guess(view: GinRummy, player: int, state: int) -> GinRummy:
    """Returns of several guesses the one in which the other has the least deadwood.

    The longer the other has gathered cards, the more there are: a hand is better than by chance.
    """
    guess = view.determinized(player, state)
    least = deadwood_of(guess.hand(1 - player))
    for _ in range(view.discards // GATHERED):
        state = advanced(state)
        other = view.determinized(player, state)
        left = deadwood_of(other.hand(1 - player))
        if left < least:
            guess, least = other, left
    return guess


@kernel
def simulate_hands(
    view: GinRummy,
    deals: int,
    state: int,
    tried: NDArray[np.int64],
    number: int,
    totals: NDArray[np.float64],
) -> int:
    """Plays the first ``number`` actions of ``tried`` out on ``deals`` guesses each.

    The guesses and the cards of chance are the same for all of them. ``totals`` (num_actions,), the
    sums of utilities, grow. Returns the next random state.
    """
    player = view.turn
    for _ in range(deals):
        state = advanced(state)
        guess, begin = likely_guess(view, player, state), advanced(scattered(state))
        for i in range(number):
            action, drawn = int(tried[i]), begin
            position = guess.play(action)
            while not position.is_terminal():
                if position.to_move == CHANCE:
                    unseen, drawn = position.unseen(), advanced(drawn)
                    position = position.play(nth(unseen, below(drawn, count(unseen))))
                else:
                    position = position.play(chosen_by_thumb(position))
            totals[action] += position.utility(player)
    return state


@dataclass(repr=False)
class GinRummyPlayer(SeededAgent, SearchAgent):
    """Plays gin rummy by rules of thumb, or tries ``simulations`` hands that go on by them.

    Sees no more than a player does. Without simulations it answers at once, and draws nothing.
    """

    simulations: int | None = None
    """Hands that are played out for one decision; None: none, the rules of thumb decide."""
    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "gin_rummy_player"

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for limits that allow nothing."""
        require_limit("simulations", self.simulations)
        super().__post_init__()

    def analyse(self, position: Position) -> SearchResult:
        """Returns the action that wins most on average, of those that were tried to the end.

        ValueError if the game is over, another one, or chance is to move.
        """
        position = require_game(require_unfinished(position), GinRummy, self.name)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        view, began = position.hidden(position.turn), time.perf_counter()
        if self.simulations is None:
            action = int(action_by_thumb(view))
            return SearchResult(action, 0.0, (action,), 1, 1, seconds=time.perf_counter() - began)
        return self._halving(view, self.simulations, began)

    def _halving(self, view: GinRummy, simulations: int, began: float) -> SearchResult:
        """Returns what is found by trying all actions, then the better half, and so on.

        The choice of the rules of thumb is always among them; another must be clearly better.
        """
        left, totals = view.legal_actions(), np.zeros(view.num_actions)
        usual = int(action_by_thumb(view))
        tried = dict.fromkeys(left, 0)
        rounds = max(1, ceil(log2(len(left))))
        state = scattered(self.rng.getrandbits(62))
        for _ in range(rounds):
            deals = max(1, simulations // (rounds * len(left)))
            actions = np.array(left, np.int64)
            state = simulate_hands(view, deals, state, actions, len(left), totals)
            tried |= {action: tried[action] + deals for action in left}
            left.sort(key=lambda action: -totals[action] / tried[action])
            left = left[: (len(left) + 1) // 2]
            left += [usual] if usual not in left else []
        values = {action: float(totals[action]) / n for action, n in tried.items()}
        doubt = DOUBT * view.max_utility / sqrt(tried[usual])
        best = left[0] if values[left[0]] > values[usual] + doubt else usual
        number, seconds = sum(tried.values()), time.perf_counter() - began
        return SearchResult(
            best, values[best], (best,), number, number, 0, seconds, values=values, visits=tried
        )


register("gin_rummy_player", GinRummyPlayer)

# ---- the record


def phase(view: GinRummy) -> str:
    """Returns what is to be decided: the upcard, how to get a card, or what to discard."""
    if view.stage <= STOCK_ONLY:
        return "first upcard"
    return "draw" if view.stage == TURN else "discard"


def progress(position: GinRummy) -> float:
    """Returns how much of the stock is gone."""
    full = 4 * position.ranks - position.dealt_to(0) - position.dealt_to(1)
    return min(1.0, max(0.0, (full - position.stock) / (full - 2)))


register_knowledge(
    GinRummy,
    Knowledge(
        names=("gin", "rummy", "rommé", "knock rummy", "oklahoma gin", "cards"),
        progress=progress,
        utility_unit="points per hand",
        phase=phase,
        settings=({"variant": "oklahoma"}, {"variant": "simplified"}),
        opponent=lambda position: "gin_rummy_player()",
        analyst=lambda position: "gin_rummy_player(simulations=1000)",
        strong=lambda position: "gin_rummy_player",
        rungs={
            "random": "random",
            **by_number("ismcts %d", "ismcts(simulations=%d)", 100, 1000),
            "rules of thumb": "gin_rummy_player",
            "hands 1000": "gin_rummy_player(simulations=1000)",
        },
    ),
)
