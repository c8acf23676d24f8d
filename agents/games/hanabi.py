"""Plays Hanabi by rules that the literature knows, as kernels: IGGI, Piers and recommendations.

IGGI and Piers: J. Walton-Rivers et al., Evaluating and Modelling Hanabi-Playing Agents, IEEE
Congress on Evolutionary Computation (2017). A rule is a function that returns an action, or -1
where it has none; a player takes the first action that there is. Where no rule has one it gives the
hint that tells most.

Recommendations: C. Cox et al., How to Make the Perfect Fireworks Display: Two Strategies for
Hanabi, Mathematics Magazine 88 (2015). All others' hands have a recommendation: to play, or to
discard, one of the cards. A hint says the sum of these numbers, modulo the number of hints that
differ in who is told and whether it is a colour or a rank; and each of the others, who sees all
hands but one, knows the own number then. It needs at least as many such hints as recommendations,
so one card in a hand fewer than players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from adv_envs import Hanabi, Position
from adv_envs.bits import count
from adv_envs.jit import kernel
from agents.agent import Agent, require_game, require_unfinished
from agents.knowledge import Knowledge, register_knowledge
from agents.spec import register

STYLES = "iggi", "piers", "recommendations"
IGGI, PIERS, RECOMMENDATIONS = range(3)

# ---- what is known of cards


@kernel
def is_useless(position: Hanabi, kind: int) -> bool:
    """Returns whether a card of a kind can never be put on its firework any more."""
    colour, rank = kind // position.ranks, kind % position.ranks
    if rank < position.built(colour):
        return True
    for lower in range(position.built(colour), rank):
        needed = colour * position.ranks + lower
        if position.discards >> 2 * needed & 3 == position.copies(needed):
            return True
    return False


@kernel
def is_dispensable(position: Hanabi, kind: int) -> bool:
    """Returns whether there is a copy of the card beside this one that is not discarded."""
    return (position.discards >> 2 * kind & 3) + 1 < position.copies(kind)


@kernel
def playable_share(position: Hanabi, player: int, place: int) -> float:
    """Returns how likely an own card goes on its firework, by hints and the cards seen."""
    good, total = 0, 0
    for kind in range(position.num_kinds):
        if position.may_be(player, place, kind):
            number = position.unseen(kind)
            total += number
            if position.is_playable(kind):
                good += number
    return good / max(total, 1)


@kernel
def is_known_useless(position: Hanabi, player: int, place: int) -> bool:
    """Returns whether an own card is useless, whatever it is by hints and the cards seen."""
    for kind in range(position.num_kinds):
        possible = position.may_be(player, place, kind) and position.unseen(kind) > 0
        if possible and not is_useless(position, kind):
            return False
    return True


# ---- rules, for the player to move


@kernel
def play_likely(position: Hanabi, least: float) -> int:
    """Plays the card that goes on a firework most likely, if that is at least ``least``."""
    best, highest = -1, least - 1e-9
    for place in range(position.cards_in(position.to_move)):
        share = playable_share(position, position.to_move, place)
        if share > highest + 1e-9 or (best < 0 and share >= highest):
            best, highest = position.held + place, share
    return best


@kernel
def tell_useful(position: Hanabi) -> int:
    """Tells the next player who has a playable card its rank, or its colour if that is known."""
    if position.tokens == 0:
        return -1
    for offset in range(1, position.players):
        player = (position.to_move + offset) % position.players
        for place in range(position.cards_in(player)):
            kind, slot = position.card(player, place) - 1, position.slot(player, place)
            if position.is_playable(kind):
                if slot >> 17 & 1 == 0:
                    return position.hint(offset, position.colours + kind % position.ranks)
                if slot >> 16 & 1 == 0:
                    return position.hint(offset, kind // position.ranks)
    return -1


@kernel
def tell_useless(position: Hanabi) -> int:
    """Tells a player what is missing to know that a card is already on its firework."""
    if position.tokens == 0:
        return -1
    least = position.ranks
    for colour in range(position.colours):
        least = min(least, position.built(colour))
    for offset in range(1, position.players):
        player = (position.to_move + offset) % position.players
        for place in range(position.cards_in(player)):
            kind, slot = position.card(player, place) - 1, position.slot(player, place)
            colour, rank = kind // position.ranks, kind % position.ranks
            knows_colour, knows_rank = slot >> 16 & 1 != 0, slot >> 17 & 1 != 0
            is_built = rank < position.built(colour)
            complete = position.built(colour) == position.ranks
            if not knows_colour and (complete or (knows_rank and is_built)):
                return position.hint(offset, colour)
            if not knows_rank and (rank < least or (knows_colour and is_built)):
                return position.hint(offset, position.colours + rank)
    return -1


@kernel
def discard_useless(position: Hanabi) -> int:
    """Discards the oldest card that is known to be useless."""
    for place in range(position.cards_in(position.to_move) if position.spent > 0 else 0):
        if is_known_useless(position, position.to_move, place):
            return place
    return -1


@kernel
def discard_oldest(position: Hanabi) -> int:
    """Discards the oldest card."""
    return 0 if position.spent > 0 else -1


@kernel
def tell_most(position: Hanabi) -> int:
    """Gives the hint by which most cards lose a possible colour or rank; plays if there is none."""
    best, most = position.held, -1
    for action in range(2 * position.held, position.num_moves if position.tokens > 0 else 0):
        if not position.legal(action):
            continue
        player, value, told = position.told_player(action), position.told(action), 0
        for place in range(position.cards_in(player)):
            slot = position.slot(player, place)
            hit = position.pointed(action) >> place & 1 != 0
            told += count(slot) - count(position.after_hint(slot, value, hit) & 0xFFFF)
        if told > most:
            best, most = action, told
    return best


@kernel
def by_iggi(position: Hanabi) -> int:
    """Plays what is safe, tells of playable cards, and discards useless ones or the oldest."""
    action = play_likely(position, 1.0)
    if action < 0:
        action = tell_useful(position)
    if action < 0:
        action = discard_useless(position)
    if action < 0:
        action = discard_oldest(position)
    return action if action >= 0 else tell_most(position)


@kernel
def by_piers(position: Hanabi) -> int:
    """Plays as IGGI, and takes risks while lives are left; tells of useless cards."""
    action = -1
    if position.lives_left > 1:
        action = play_likely(position, 0.6 if position.in_deck > 0 else 0.0)
    if action < 0:
        action = play_likely(position, 1.0)
    if action < 0:
        action = tell_useful(position)
    if action < 0 and position.tokens < 4:
        action = tell_useless(position)
    if action < 0:
        action = discard_useless(position)
    if action < 0:
        action = discard_oldest(position)
    return action if action >= 0 else tell_most(position)


# ---- recommendations


@kernel
def recommended(position: Hanabi, player: int) -> int:
    """Returns what is best for a hand that is seen: a place to play, or cards in a hand + a place.

    A playable card, the highest rank first of all, then the lowest ones; a useless card; one with
    another copy, the highest; the oldest.
    """
    best, highest = position.held, 0
    for place in range(position.cards_in(player)):
        kind = position.card(player, place) - 1
        rank, value = kind % position.ranks, 1
        if position.is_playable(kind):
            value = 60 if rank == position.ranks - 1 else 50 - rank
        elif is_useless(position, kind):
            value = 40
        elif is_dispensable(position, kind):
            value = 20 + rank
        if value > highest:
            best, highest = place if value > 40 else position.held + place, value
    return best


@kernel
def sum_for_others(position: Hanabi, teller: int, left_out: int) -> int:
    """Adds the recommendations of all but two players, of whom ``teller`` gives the hint."""
    total = 0
    for player in range(position.players):
        if player not in (teller, left_out):
            total += recommended(position, player)
    return total


@kernel
def coded_hint(position: Hanabi, code: int) -> int:
    """Returns a hint with a number: of a rank to the next players, then of a colour."""
    offset = code % (position.players - 1) + 1
    kind = position.card((position.to_move + offset) % position.players, 0) - 1
    if code < position.players - 1:
        return position.hint(offset, position.colours + kind % position.ranks)
    return position.hint(offset, kind // position.ranks)


@kernel
def code_of(position: Hanabi, action: int) -> int:
    """Returns the number of a hint."""
    others = position.players - 1
    return position.offset(action) - 1 + (others if position.told(action) < position.colours else 0)


@kernel
def before_last_hint(position: Hanabi) -> Hanabi:
    """Returns the position in which the last hint was given; the start if there was none."""
    past = position.with_state(
        position.deck & 0, position.hands & 0, position.moves & 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )
    found = past
    while past.turns < position.turns:
        action = position.dealt_card(past.dealt + 1) - 1
        if not past.is_dealing:
            action = position.move_made(past.turns)
            if action >= 2 * position.held:
                found = past
        past = past.play(action)
    return found


@kernel
def by_recommendations(view: Hanabi) -> int:
    """Plays what the last hint recommends, gives a hint, or discards what was recommended."""
    player = view.to_move
    position = view.determinized(player, 0)
    past, advice, played = before_last_hint(position), position.held, 0
    if past.dealt > 0:
        hint, teller = position.move_made(past.turns), past.to_move
        played = count_plays(position, past.turns + 1)
        if teller != player and position.turns - past.turns < position.players:
            codes = 2 * (position.players - 1)
            advice = (code_of(past, hint) - sum_for_others(past, teller, player)) % codes
    is_play = advice < position.held
    if is_play and (played == 0 or (played == 1 and position.mistakes < 2)):
        return position.held + advice
    if position.tokens > 0:
        codes = 2 * (position.players - 1)
        return coded_hint(position, sum_for_others(position, player, player) % codes)
    if position.spent == 0:
        return position.held
    return 0 if is_play else advice - position.held


@kernel
def count_plays(position: Hanabi, turn: int) -> int:
    """Counts the cards that were played, not discarded, from a turn on."""
    number = 0
    for i in range(turn, position.turns):
        action = position.move_made(i)
        number += position.held <= action < 2 * position.held
    return number


@kernel
def choose(view: Hanabi, style: int) -> int:
    """Returns the action of a style, by its number in ``STYLES``, at what the player sees."""
    if style == IGGI:
        return by_iggi(view)
    if style == PIERS:
        return by_piers(view)
    return by_recommendations(view)


@dataclass(repr=False)
class HanabiRules(Agent):
    """Plays Hanabi by rules: the base class. ValueError for other games."""

    style: ClassVar[int] = IGGI

    def act(self, position: Position) -> int:
        """Returns the action of the first rule that has one."""
        position = require_game(require_unfinished(position), Hanabi, self.name)
        self._require_size(position)
        return int(choose.trusted(position.hidden(position.to_move), self.style))

    def _require_size(self, position: Hanabi) -> None:
        """Raises ValueError for a game that the rules are not for."""


@dataclass(repr=False)
class Iggi(HanabiRules):
    """Plays what is sure to be right in Hanabi, tells of playable cards, discards the oldest."""

    name: ClassVar[str] = "iggi"
    style: ClassVar[int] = IGGI


@dataclass(repr=False)
class Piers(HanabiRules):
    """Plays Hanabi as IGGI, and takes some risks while lives are left; tells of useless cards."""

    name: ClassVar[str] = "piers"
    style: ClassVar[int] = PIERS


@dataclass(repr=False)
class Recommendations(HanabiRules):
    """Tells all others at once what to do in Hanabi, by hints that are sums of numbers.

    It needs team-mates who know it, and hands of fewer cards than there are players, as five of
    them have. ValueError for other games.
    """

    name: ClassVar[str] = "recommendations"
    style: ClassVar[int] = RECOMMENDATIONS

    def _require_size(self, position: Hanabi) -> None:
        """Raises ValueError for hands that are too large."""
        if position.held >= position.players:
            raise ValueError(
                f"{self.name} needs hands of fewer cards than there are players, not "
                f"{position.held} for {position.players}: use piers"
            )


# ---- what the game is offered with


def best_style(start: Hanabi) -> str:
    """Returns the spec of the best team-mate by rules."""
    return "recommendations()" if start.held < start.players else "piers()"


def progress(position: Hanabi) -> float:
    """Returns the share of the cards that have left the hands."""
    return position.removed() / position.deck_size


for player in (Iggi, Piers, Recommendations):
    register(player.name, player)
register_knowledge(
    Hanabi,
    Knowledge(
        names=("fireworks", "cooperative"),
        progress=progress,
        utility_unit="points per game",
        settings=({"colours": 2, "hand_size": 2, "hints": 3, "lives": 1},),
        opponent=lambda start: "piers()",
        analyst=lambda start: "ismcts(seconds=3)",
        strong=best_style,
        rungs={
            "random": "random",
            "ismcts 100": "ismcts(simulations=100)",
            "iggi": "iggi()",
            "piers": "piers()",
        },
    ),
)
