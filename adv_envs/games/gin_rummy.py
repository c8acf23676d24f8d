"""Gin rummy: draw and discard, gather sets and runs, and knock with little left outside them.

Card 13 * suit + rank is the rank-th of A 2 3 .. 9 T J Q K in the suit s, h, d or c; a set of cards
has bit c for card c. With fewer ``ranks`` the highest of each suit are left out. ``history`` has a
byte for each card that was laid on the pile, the latest lowest: the card + 1, and above it how its
player had got a card before, 1 from the stock or 2 from the pile; 0 for the first card::

    history = 0x   2e     52     9f      2e is the upcard, 46: 7c
                upcard   4d      5d      the non-dealer drew and laid down 4d, 18
                                         the dealer took it and laid down 5d, 31

The cards that each player drew from the stock are numbers of six bits, card + 1, the latest lowest.

Source: D. Parlett, The Penguin Book of Card Games (2008); PettingZoo's gin_rummy_v4 for the numbers
of the actions, and for the simplified rules.
"""

from __future__ import annotations

from typing import Annotated, Any

from adv_envs.bits import count, lowest, nth, resized, scratch
from adv_envs.position import (
    CHANCE,
    NEVER,
    Example,
    Position,
    Words,
    counted,
    require_between,
)
from adv_envs.random import advanced, below

from .gin_rummy_words import RANKS, SUITS, card_name, card_number, gin_example, gin_rules

STANDARD, OKLAHOMA, SIMPLIFIED = range(3)
"""The rules that are played."""

PASS, DRAW, TAKE, DECLARE, GIN, DISCARD, KNOCK = 0, 2, 3, 4, 5, 6, 58
"""Actions of players; DISCARD and KNOCK are those with card 0."""

DEAL, OFFER, OFFER_DEALER, STOCK_ONLY, TURN, STOCK, DRAWN, TAKEN, KNOCKED, GINNED, DEAD = range(11)
"""Stages. In the first three after the deal the upcard is offered, or both have passed; then turns
begin, chance gives a card of the stock, one is held too many; from KNOCKED on the hand is over."""

MOST_DISCARDS = 100
"""After so many discards the hand is dead."""
WALL = 2
"""Cards of the stock that are not drawn."""

ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
SUIT = (1 << 13) - 1
RUN_STARTS = ACES * (SUIT >> 2)
"""Cards with which a run of three can begin."""
NO_ACES, NO_KINGS = ACES * (SUIT ^ 1), ACES * (SUIT >> 1)
ONES, TWOS, FOURS, EIGHTS = (
    ACES * sum(1 << rank for rank in range(13) if min(rank + 1, 10) & bit) for bit in (1, 2, 4, 8)
)
"""Cards whose points, 1 to 10, have this binary digit."""


class GinRummy(Position):
    """Represents a hand of gin rummy; ``GinRummy(knock=10, variant="standard")`` is the start.

    Player 0 is the non-dealer, who moves first. Actions are those of PettingZoo: 2 draws from the
    stock, 3 takes the upcard, 5 goes gin, 6 + c discards card c and 58 + c knocks with it; 0 passes
    the first upcard, and 4 declares the hand dead, by the simplified rules only. Chance deals card
    c by action c. Raises ValueError unless there are 3 to 13 ranks, hands of 1 to 10 cards, and
    three cards for the stock.
    """

    variant: Words = Words("standard", "oklahoma", "simplified")
    knock: int = 10
    gin_bonus: int = 25
    undercut_bonus: int = 25
    ranks: int = 13
    hand_size: int = 10
    first: int = 0  # the hand of player 0
    second: int = 0
    pile: int = 0
    shown: int = 0  # cards of both hands that were taken from the pile
    history: Annotated[int, "history_bits"] = 0
    first_draws: Annotated[int, "draws_bits"] = 0
    second_draws: Annotated[int, "draws_bits"] = 0
    limit: int = 0  # the most deadwood with which one may knock in this hand
    stock: int = -1  # how many cards it has
    discards: int = 0
    stage: int = 0
    turn: int = 0
    ply: int = 0
    parameters = ("variant", "knock", "gin_bonus", "undercut_bonus", "ranks", "hand_size")
    parameter_words = (
        (
            "Rules",
            "standard; oklahoma: the upcard says how much deadwood one may knock with; or "
            "simplified: those of RLCard and PettingZoo.",
        ),
        ("Knock with", "The most points of deadwood with which one may knock."),
        ("Gin bonus", "Points for going gin."),
        ("Undercut bonus", "Points for having no more deadwood than who knocked."),
        ("Ranks", "How many cards each suit has, from the ace on."),
        ("Hand", "How many cards each player holds."),
    )
    num_actions = 110

    @property
    def max_utility(self) -> float:
        """Returns the points for gin against a hand of tens, or 1 by the simplified rules."""
        if self.variant == SIMPLIFIED:
            return 1.0
        return 10.0 * self.hand_size + max(self.gin_bonus, self.undercut_bonus)

    @property
    def history_bits(self) -> int:
        """Returns a byte for the upcard and each discard."""
        return 8 * (MOST_DISCARDS + 2)

    @property
    def draws_bits(self) -> int:
        """Returns six bits for each card that may be drawn."""
        return 192

    def set_up(self) -> GinRummy:
        """Returns the position with all cards in the stock, if nothing else is given."""
        return self._replace(stock=4 * self.ranks) if self.stock == -1 else self

    # ---- cards

    def deck(self) -> int:
        """Returns all cards as a set."""
        return ((1 << self.ranks) - 1) * ACES

    def unseen(self) -> int:
        """Returns the cards that are neither in a hand, as far as it is seen, nor in the pile."""
        return self.deck() & ~(self.first | self.second | self.pile)

    def hand(self, player: int) -> int:
        """Returns the cards of a player; of a hand that is hidden, those that are known."""
        return self.first if player == 0 else self.second

    def draws(self, player: int) -> int:
        """Returns what a player drew from the stock; 0 if that is hidden."""
        return self.first_draws if player == 0 else self.second_draws

    def dealt_to(self, player: int) -> int:
        """Returns how many cards a player is dealt."""
        return self.hand_size + (self.variant == SIMPLIFIED and player == 0)

    def hand_length(self, player: int) -> int:
        """Returns how many cards a player has now, seen or not."""
        if self.stage == DEAL:
            dealt = self.ply if player == 0 else self.ply - self.dealt_to(0)
            return max(0, min(dealt, self.dealt_to(player)))
        return self.hand_size + (player == self.turn and STOCK < self.stage < KNOCKED)

    def latest(self) -> int:
        """Returns the card that was laid on the pile last; -1 if there is none yet."""
        return (resized(self.history, self.pile) & 63) - 1

    def top(self) -> int:
        """Returns the card on top of the pile now; -1 if the pile is empty."""
        history = self.history
        while history != 0:
            card = (resized(history & 63, self.pile)) - 1
            if self.pile >> card & 1 != 0:
                return card
            history >>= 8
        return -1

    # ---- the rules

    @property
    def to_move(self) -> int:
        """Returns chance while cards are dealt and drawn; else the player whose turn it is."""
        return CHANCE if self.stage in (DEAL, STOCK) else self.turn

    def legal(self, action: int) -> bool:
        """Tests by the stage: a card of the stock, a way to get a card, or what to discard."""
        if self.stage in (DEAL, STOCK):
            return action < 52 and self.unseen() >> action & 1 != 0
        if self.stage < STOCK:
            return self.draw_set() >> action & 1 != 0 if action <= DECLARE else False
        gin, knock = self.going_out()
        if action == GIN:
            return gin != 0
        if action < DISCARD or (gin != 0 and self.variant == SIMPLIFIED):
            return False
        if action < KNOCK:
            return self.discard_set() >> action - DISCARD & 1 != 0
        return knock >> action - KNOCK & 1 != 0

    def write_legal(self, actions: Any) -> int:
        """Lists the legal actions, melding the hand once."""
        if self.stage in (DEAL, STOCK):
            return list_set(self.unseen(), 0, actions, 0)
        if self.stage < STOCK:
            return list_set(self.draw_set(), 0, actions, 0)
        gin, knock = self.going_out()
        number = 0
        if gin != 0:
            actions[0] = GIN
            number = 1
            if self.variant == SIMPLIFIED:
                return 1
        number = list_set(self.discard_set(), DISCARD, actions, number)
        return list_set(knock, KNOCK, actions, number)

    def draw_set(self) -> int:
        """Returns the actions that may get a card, or pass, as a set: bit a for action a."""
        if self.stage <= OFFER_DEALER:
            return 1 << PASS | 1 << TAKE
        if self.stage == STOCK_ONLY:
            return 1 << DRAW
        if self.discards >= MOST_DISCARDS:
            return 1 << DECLARE
        return 1 << TAKE | 1 << (DRAW if self.stock > WALL else DECLARE)

    def discard_set(self) -> int:
        """Returns the cards that may be discarded: all but one that was just taken."""
        hand = self.hand(self.turn)
        return hand & ~(1 << self.latest()) if self.stage == TAKEN else hand

    def going_out(self) -> tuple[int, int]:
        """Returns the cards with which the player may go gin, and those to knock with, as sets."""
        hand = self.hand(self.turn)
        cards = hand if self.variant == SIMPLIFIED else self.discard_set()
        least, gin, knock = deadwood_of(hand), 0, 0
        if least > self.limit + 10:
            return gin, knock
        while cards != 0:
            card = cards & -cards
            cards ^= card
            if least - card_points(card) <= self.limit:
                left = deadwood_of(hand ^ card)
                if left == 0:
                    gin |= card
                elif left <= self.limit:
                    knock |= card
        return gin, knock

    def probability(self, action: int) -> float:
        """Returns the chance of a card: all that are not seen are as likely."""
        unseen = self.unseen()
        return 1.0 / count(unseen) if action < 52 and unseen >> action & 1 != 0 else 0.0

    def play(self, action: int) -> GinRummy:
        """Deals or draws a card, gets one, or discards."""
        if self.stage == DEAL:
            return self.deal(action)
        if self.stage == STOCK:
            return self.draw(action)
        if self.stage < STOCK:
            return self.get(action)
        return self.discard(action)

    def deal(self, card: int) -> GinRummy:
        """Deals a card to player 0, then to player 1, then turns up the upcard."""
        first, second, pile, history = self.first, self.second, self.pile, self.history
        limit, stage = self.limit, DEAL
        both = self.dealt_to(0) + self.dealt_to(1)
        if self.ply < self.dealt_to(0):
            first |= 1 << card
        elif self.ply < both:
            second |= 1 << card
        else:
            pile, history = 1 << card, history | card + 1
        if self.ply == both - 1 and self.variant == SIMPLIFIED:
            limit, stage = self.knock, DRAWN
        elif self.ply == both:
            limit, stage = self.knock, OFFER
            if self.variant == OKLAHOMA:
                limit = card_points(1 << card)
                limit = 0 if limit == 1 else limit
        return self.with_state(
            first, second, pile, self.shown, history, self.first_draws, self.second_draws,
            limit, self.stock - 1, self.discards, stage, self.turn,
        )  # fmt: skip

    def draw(self, card: int) -> GinRummy:
        """Gives the player a card of the stock."""
        first, second = self.first, self.second
        first_draws, second_draws = self.first_draws, self.second_draws
        if self.turn == 0:
            first, first_draws = first | 1 << card, first_draws << 6 | card + 1
        else:
            second, second_draws = second | 1 << card, second_draws << 6 | card + 1
        return self.with_state(
            first, second, self.pile, self.shown, self.history, first_draws, second_draws,
            self.limit, self.stock - 1, self.discards, DRAWN, self.turn,
        )  # fmt: skip

    def get(self, action: int) -> GinRummy:
        """Passes, asks for a card of the stock, takes the upcard, or declares the hand dead."""
        first, second, pile, shown = self.first, self.second, self.pile, self.shown
        stage, turn = self.stage, self.turn
        if action == PASS:
            stage, turn = stage + 1, 1 - turn
        elif action == DRAW:
            stage = STOCK
        elif action == DECLARE:
            stage = DEAD
        else:
            stage, card = TAKEN, 1 << self.latest()
            pile ^= card
            shown |= card
            if turn == 0:
                first |= card
            else:
                second |= card
        return self.with_state(
            first, second, pile, shown, self.history, self.first_draws, self.second_draws,
            self.limit, self.stock, self.discards, stage, turn,
        )  # fmt: skip

    def discard(self, action: int) -> GinRummy:
        """Discards a card; with it the player may go out, or the hand may be dead."""
        first, second, stage, turn = self.first, self.second, TURN, self.turn
        if action == GIN:
            gin, _ = self.going_out()
            card, stage = lowest(gin), GINNED
        elif action >= KNOCK:
            card, stage = action - KNOCK, KNOCKED
        else:
            card = action - DISCARD
        if turn == 0:
            first &= ~(1 << card)
        else:
            second &= ~(1 << card)
        over = self.stock <= WALL or self.discards + 1 >= MOST_DISCARDS
        if stage == TURN and over and self.variant != SIMPLIFIED:
            stage = DEAD
        elif stage == TURN:
            turn = 1 - turn
        return self.with_state(
            first, second, self.pile | 1 << card, self.shown & ~(1 << card),
            self.history << 8 | self.source() << 6 | card + 1, self.first_draws, self.second_draws,
            self.limit, self.stock, self.discards + 1, stage, turn,
        )  # fmt: skip

    def source(self) -> int:
        """Returns where the player's last card came from: 1 the stock, 2 the pile, 0 the deal."""
        if self.stage == TAKEN:
            return 2
        return 1 if self.history != 0 else 0

    def with_state(
        self, first: int, second: int, pile: int, shown: int, history: int, first_draws: int,
        second_draws: int, limit: int, stock: int, discards: int, stage: int, turn: int,
    ) -> GinRummy:  # fmt: skip
        """Returns the next position of the same hand."""
        return GinRummy(
            self.variant, self.knock, self.gin_bonus, self.undercut_bonus, self.ranks,
            self.hand_size, first, second, pile, shown, history, first_draws, second_draws,
            limit, stock, discards, stage, turn, self.ply + 1,
        )  # fmt: skip

    def is_terminal(self) -> bool:
        """Tests whether a player has gone out, or the hand is dead."""
        return self.stage >= KNOCKED

    def final_deadwood(self, player: int) -> int:
        """Returns the points that a player has left at the end, cards laid off not counted."""
        hand, out = self.hand(player), self.stage == KNOCKED and player != self.turn
        if not out or self.variant == SIMPLIFIED:
            return deadwood_of(hand)
        sets, runs = best_melds(self.hand(1 - player))
        return deadwood_against(hand, sets, runs)

    def reward(self, player: int) -> float:
        """Returns the reward of PettingZoo, by the simplified rules: it is not zero-sum."""
        if self.stage != DEAD and player == self.turn:
            return 1.0 if self.stage == GINNED else 0.5
        return -deadwood_of(self.hand(player)) / 100

    def utility(self, player: int) -> float:
        """Returns the points won; by the simplified rules half the difference of the rewards."""
        if self.variant == SIMPLIFIED:
            return (self.reward(player) - self.reward(1 - player)) / 2
        if self.stage == DEAD:
            return 0.0
        won = self.final_deadwood(1 - self.turn)
        if self.stage == GINNED:
            won += self.gin_bonus
        else:
            won -= self.final_deadwood(self.turn)
            won -= self.undercut_bonus if won <= 0 else 0
        return float(won if player == self.turn else -won)

    # ---- what a player sees

    def hidden(self, player: int) -> GinRummy:
        """Hides the other hand, but for cards taken from the pile, until the hand is over."""
        if self.is_terminal():
            return self
        none = self.first_draws & 0
        return self.with_hand(1 - player, self.hand(1 - player) & self.shown, none)

    def with_hand(self, player: int, hand: int, draws: int) -> GinRummy:
        """Returns the same moment with another hand of a player, who drew other cards."""
        return GinRummy(
            self.variant, self.knock, self.gin_bonus, self.undercut_bonus, self.ranks,
            self.hand_size, hand if player == 0 else self.first,
            hand if player == 1 else self.second, self.pile, self.shown, self.history,
            draws if player == 0 else self.first_draws,
            draws if player == 1 else self.second_draws, self.limit, self.stock, self.discards,
            self.stage, self.turn, self.ply,
        )  # fmt: skip

    def seen_after(self, player: int, action: int) -> int:
        """Shows cards that are dealt or drawn to their owner only, and all else to everybody."""
        if self.stage == STOCK:
            return 0 if player == self.turn else NEVER
        both = self.dealt_to(0) + self.dealt_to(1)
        if self.stage != DEAL or self.ply >= both:
            return 0
        return 0 if player == (self.ply >= self.dealt_to(0)) else NEVER

    def determinized(self, player: int, state: int) -> GinRummy:
        """Deals the unknown cards of the other hand, each hand as likely, then what was drawn.

        Does not ask what the other has made of them: not even whether gin was missed.
        """
        hand, unseen = self.hand(1 - player), self.unseen()
        for _ in range(self.hand_length(1 - player) - count(hand)):
            card = 1 << nth(unseen, below(state, count(unseen)))
            hand, unseen, state = hand | card, unseen ^ card, advanced(state)
        return self.with_hand(1 - player, hand, self.guessed_draws(1 - player, hand, state))

    def guessed_draws(self, player: int, hand: int, state: int) -> int:
        """Returns cards that a player may have drawn from the stock, who now has ``hand``.

        Goes back in time. A card that was drawn was held after it, and had not been on the pile.
        """
        older, found = scratch(MOST_DISCARDS + 2), scratch(MOST_DISCARDS + 2)
        list_older(self.history, self.pile, older)
        number, history, owner = 0, self.history, 1 - self.turn
        source, place = 0, 0
        if player == self.turn and STOCK < self.stage < KNOCKED:
            source = self.source()
        while True:
            entry = resized(history & 255, self.pile)
            if source == 2:
                hand &= ~(1 << (entry & 63) - 1)
            elif source == 1:
                choices = hand & ~older[place]
                drawn = nth(choices, below(state, count(choices))) if choices != 0 else 0
                state = advanced(state)
                hand &= ~(1 << drawn)
                found[number] = drawn + 1
                number += 1
            if entry == 0:
                break
            source = 0
            if owner == player and (entry >> 6 != 0 or self.variant == SIMPLIFIED):
                hand |= 1 << (entry & 63) - 1
                source = entry >> 6
            history >>= 8
            owner, place = 1 - owner, place + 1
        draws = self.first_draws & 0
        while number > 0:
            number -= 1
            draws = draws << 6 | found[number]
        return draws

    @property
    def observation_shape(self) -> tuple[int, int]:
        """Returns (5, 52): rows of cards, see ``observe``."""
        return 5, 52

    def observe(self, player: int, planes: Any) -> None:
        """Writes five sets of cards, a row each: a 1 for each card, by its number.

        The own hand; the top of the pile; the rest of the pile; cards that the other has taken
        from the pile and still holds; all others, whose place is unknown. These are RLCard's
        numbers, and the first four rows are PettingZoo's.
        """
        own, top = self.hand(player), self.top()
        upcard = 1 << top if top >= 0 else 0
        known = self.hand(1 - player) & self.shown
        rest = self.deck() & ~(own | self.pile | known)
        for card in range(52):
            planes[0, card] = own >> card & 1
            planes[1, card] = upcard >> card & 1
            planes[2, card] = (self.pile ^ upcard) >> card & 1
            planes[3, card] = known >> card & 1
            planes[4, card] = rest >> card & 1

    # ---- not needed by the rules

    def turn_text(self) -> str:
        if self.to_move == CHANCE:
            return "A card is dealt" if self.stage == DEAL else "A card is drawn"
        what = "to draw" if self.stage in (STOCK_ONLY, TURN) else "to discard"
        what = "to take the upcard or pass" if self.stage < STOCK_ONLY else what
        return f"{self.side_names[self.turn]} {what}"

    def result_text(self) -> str:
        if self.stage == DEAD:
            return f"{super().result_text()}: the hand is dead"
        won = self.utility(self.turn)
        how = "gin" if self.stage == GINNED else "knock" if won > 0 else "undercut"
        amount = "" if self.variant == SIMPLIFIED else f", {counted(round(abs(won)), 'point')}"
        return f"{super().result_text()}: {how}{amount}"

    def rules(self) -> str:
        return gin_rules(self, MOST_DISCARDS)

    @property
    def example(self) -> Example:
        return gin_example(self)

    def name(self, action: int) -> str:
        """Returns "draw", "7h" for a discard or a card of chance, "knock-7h", and so on."""
        if self.stage in (DEAL, STOCK):
            return card_name(action)
        if action < DISCARD:
            return NAMES.get(action, str(action))
        if action < KNOCK:
            return card_name(action - DISCARD)
        return f"knock-{card_name(action - KNOCK)}"

    def alias(self, name: str) -> int | None:
        """Reads "stock" and "upcard" for what is drawn, and "knock7h" or "k7h"."""
        word = name.lower()
        if word in ALIASES and self.to_move != CHANCE:
            return ALIASES[word]
        card = word.removeprefix("knock").removeprefix("k")
        if card != word and len(card) == 2 and card[0].upper() in RANKS and card[1] in SUITS:
            return KNOCK + card_number(card)
        return None

    def check(self) -> None:
        require_between("knock", self.knock, 0, 100)
        require_between("gin_bonus", self.gin_bonus, 0, 1000)
        require_between("undercut_bonus", self.undercut_bonus, 0, 1000)
        require_between("ranks", self.ranks, 3, 13)
        require_between("hand_size", self.hand_size, 1, 10)
        if 4 * self.ranks < 2 * self.hand_size + 2 + WALL:
            raise ValueError(
                f"{4 * self.ranks} cards are too few for hands of {self.hand_size}: "
                f"ranks must be at least {(2 * self.hand_size + 5 + WALL) // 4}"
            )
        self._check_numbers()
        if not self._is_possible(self) and not any(map(self._is_view, (0, 1))):
            raise ValueError("the fields must fit each other and the game: use after()")

    def _check_numbers(self) -> None:
        """Raises ValueError unless cards are in one place each and numbers in their ranges."""
        sets = self.first, self.second, self.pile
        apart = sum(sets) == self.first | self.second | self.pile and min(sets) >= 0
        if not apart or (self.first | self.second | self.pile) & ~self.deck():
            raise ValueError("first, second and pile must be sets of cards, each card in one only")
        if self.shown & ~(self.first | self.second):
            raise ValueError("shown must be a set of cards that are in first or second")
        require_between("history", self.history, 0, (1 << self.history_bits) - 1)
        require_between("first_draws", self.first_draws, 0, (1 << self.draws_bits) - 1)
        require_between("second_draws", self.second_draws, 0, (1 << self.draws_bits) - 1)
        require_between("limit", self.limit, 0, 100)
        require_between("stock", self.stock, 0, 4 * self.ranks)
        require_between("discards", self.discards, 0, MOST_DISCARDS)
        require_between("stage", self.stage, DEAL, DEAD)
        require_between("turn", self.turn, 0, 1)
        entries = self.entries()
        if len(entries) > MOST_DISCARDS + 1 or any(not 1 <= e & 63 <= 52 for e in entries):
            raise ValueError("history must have a byte for each discard: use after()")

    def _is_view(self, player: int) -> bool:
        """Returns whether this is what ``player`` sees of some unfinished position."""
        other = 1 - player
        missing = self.hand_length(other) - count(self.hand(other))
        if self.is_terminal() or not 0 <= missing <= count(self.unseen()):
            return False
        whole = self.determinized(player, 0)
        return whole.hidden(player) == self and self._is_possible(whole)

    def _is_possible(self, whole: GinRummy) -> bool:
        """Returns whether some play leads to this position."""
        actions, position = whole.actions_taken(), self._undealt()
        for action in actions if actions is not None else ():
            if position.is_terminal() or not position._may_have(action):
                return False
            position = position.play(action)
        return actions is not None and position == whole

    def _may_have(self, action: int) -> bool:
        """Returns whether an action is legal, even if a player should have gone gin instead."""
        if self.stage in (DRAWN, TAKEN) and DISCARD <= action < KNOCK:
            return self.discard_set() >> action - DISCARD & 1 != 0
        return self.legal(action)

    def _undealt(self) -> GinRummy:
        """Returns the start, which is not checked."""
        return GinRummy(
            self.variant, self.knock, self.gin_bonus, self.undercut_bonus, self.ranks,
            self.hand_size, 0, 0, 0, 0, 0, 0, 0, 0, 4 * self.ranks, 0, DEAL, 0, 0,
        )  # fmt: skip

    def entries(self) -> list[int]:
        """Returns the bytes of the history, the first one first."""
        size = (self.history.bit_length() + 7) // 8
        return list(self.history.to_bytes(size, "big"))

    def actions_taken(self) -> list[int] | None:
        """Returns the actions of a line that leads here, of chance too; None if there is none.

        Cards are dealt in the order of their numbers. The position must be whole.
        """
        turns = self._turns_taken()
        if turns is None:
            return None
        hands, later = turns
        if self.stage == DEAL:
            return [card for hand in hands for card in cards_of(hand)]
        entries = self.entries()
        upcard = [] if self.variant == SIMPLIFIED else [(entries[0] & 63) - 1] if entries else []
        return [card for hand in hands for card in cards_of(hand)] + upcard + later

    def _turns_taken(self) -> tuple[list[int], list[int]] | None:
        """Returns the hands that were dealt, and the actions after the deal; None if impossible."""
        hands, draws = [self.first, self.second], [self.drawn(0), self.drawn(1)]
        entries = self.entries()
        offered = self.variant != SIMPLIFIED
        declared = self.stage == DEAD and not offered
        over = self.stage >= KNOCKED and not declared
        player = self.turn if over else 1 - self.turn
        later: list[list[int]] = [self._pending_taken()]
        if not self._undo_pending(hands, draws):
            return None
        for at in range(len(entries) - 1, offered - 1, -1):
            source, card = entries[at] >> 6, (entries[at] & 63) - 1
            action = DISCARD + card
            if at == len(entries) - 1 and over and self.stage != DEAD:
                action = GIN if self.stage == GINNED else KNOCK + card
            got: list[int] = []
            hands[player] |= 1 << card
            if source == 2 and at > 0:
                got = [TAKE]
                hands[player] &= ~(1 << (entries[at - 1] & 63) - 1)
            elif source == 1 and draws[player]:
                got = [DRAW, draws[player].pop()]
                hands[player] &= ~(1 << got[1])
            elif source != 0 or offered or at > 0:
                return None
            passes = []
            if at == 1 and offered:
                passes = [PASS] * (player if source == 2 else 2)
            later.append([*passes, *got, action])
            player = 1 - player
        if draws[0] or draws[1]:
            return None
        return hands, [action for part in reversed(later) for action in part]

    def drawn(self, player: int) -> list[int]:
        """Returns the cards that a player drew from the stock, the first one first."""
        draws, found = self.draws(player), []
        while draws:
            found.append((draws & 63) - 1)
            draws >>= 6
        return found[::-1]

    def _pending_taken(self) -> list[int]:
        """Returns the actions since the last discard."""
        first = self.variant != SIMPLIFIED and self.discards == 0
        if self.stage in (DEAL, OFFER, TURN, KNOCKED, GINNED):
            return []
        if self.stage == DEAD:
            return [DECLARE] if self.variant == SIMPLIFIED else []
        if self.stage in (OFFER_DEALER, STOCK_ONLY):
            return [PASS] * (self.stage - OFFER)
        if self.stage == TAKEN:
            return [PASS] * (first and self.turn) + [TAKE]
        if self.history == 0:
            return []
        drawn = self.drawn(self.turn)[-1:] if self.stage == DRAWN else []
        return [PASS] * (2 * first) + [DRAW, *drawn]

    def _undo_pending(self, hands: list[int], draws: list[list[int]]) -> bool:
        """Takes the card that was got since the last discard out of its hand, if there is one."""
        if self.stage == TAKEN:
            hands[self.turn] &= ~(1 << max(self.latest(), 0))
        if self.stage == DRAWN and self.history != 0:
            if not draws[self.turn]:
                return False
            hands[self.turn] &= ~(1 << draws[self.turn].pop())
        return True

    def __str__(self) -> str:
        lines = []
        for player in (0, 1):
            here = player == self.to_move and not self.is_terminal()
            lines.append(f"{'>' if here else ' '} player {player}  {self.hand_text(player)}")
        top = self.top()
        pile = f"{card_name(top)}, {counted(count(self.pile), 'card')}" if top >= 0 else "-"
        lines.append(f"  pile      {pile}")
        lines.append(f"  stock     {counted(self.stock, 'card')}")
        if self.stage != DEAL:
            lines.append(f"  knock     {self.limit}")
        return "\n".join(lines)

    def hand_text(self, player: int) -> str:
        """Returns a hand in words: its melds, | and its deadwood, (and how much)."""
        hand = self.hand(player)
        hidden = self.hand_length(player) - count(hand)
        if hidden > 0:
            return " ".join([*map(card_name, cards_of(hand)), *["?"] * hidden])
        melds, rest = meld_lists(hand)
        parts = [" ".join(map(card_name, meld)) for meld in [*melds, rest] if meld]
        return f"{' | '.join(parts)} ({deadwood_of(hand)})" if hand else "-"


# ---- melds


def card_points(cards: int) -> int:
    """Returns the points of a set of cards, as deadwood."""
    return (
        count(cards & ONES)
        + 2 * count(cards & TWOS)
        + 4 * count(cards & FOURS)
        + 8 * count(cards & EIGHTS)
    )


def cards_in_runs(cards: int) -> int:
    """Returns those of ``cards`` that are in runs: three or more ranks in a row of one suit."""
    starts = cards & cards >> 1 & cards >> 2 & RUN_STARTS
    return starts | starts << 1 | starts << 2


def ranks_of_three(cards: int) -> int:
    """Returns the ranks that three or four of a set of cards have, bit r for rank r."""
    one, two, three, four = cards, cards >> 13, cards >> 26, cards >> 39
    return ((one & two & (three | four)) | (three & four & (one | two))) & SUIT


def num_ways(cards: int) -> int:
    """Returns in how many ways sets can be formed: of each rank none, three or four cards."""
    number, ranks = 1, ranks_of_three(cards)
    while ranks != 0:
        number *= 6 if count(cards & ACES << lowest(ranks)) == 4 else 2
        ranks &= ranks - 1
    return number


def sets_formed(cards: int, way: int) -> int:
    """Returns the cards in sets, if they are formed in this way, 0 to ``num_ways`` - 1."""
    sets, ranks = 0, ranks_of_three(cards)
    while ranks != 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        group = cards & ACES << rank
        ways = 6 if count(group) == 4 else 2
        choice = way % ways
        way //= ways
        if choice == 1:
            sets |= group
        elif choice > 1:
            sets |= group & ~(1 << rank + 13 * (choice - 2))
    return sets


def deadwood_of(cards: int) -> int:
    """Returns the least points of deadwood that a hand can have.

    Tries all ways to form sets, at most 72 for eleven cards. Whatever is left is melded in runs as
    far as it can be: every card of three or more in a row.
    """
    least = 1000
    for way in range(num_ways(cards)):
        rest = cards ^ sets_formed(cards, way)
        least = min(least, card_points(rest & ~cards_in_runs(rest)))
    return least


def best_melds(cards: int) -> tuple[int, int]:
    """Returns the cards in sets and those in runs with the least deadwood.

    Of several such ways it is the one with the most cards in sets, and of these the one whose
    cards in sets are the lowest number, as a set.
    """
    least, best_sets, best_runs = 1000 * 64, 0, 0
    for way in range(num_ways(cards)):
        sets = sets_formed(cards, way)
        runs = cards_in_runs(cards ^ sets)
        dead = 64 * card_points(cards & ~(sets | runs)) - count(sets)
        if dead < least or (dead == least and sets < best_sets):
            least, best_sets, best_runs = dead, sets, runs
    return best_sets, best_runs


def deadwood_against(cards: int, sets: int, runs: int) -> int:
    """Returns the least deadwood of a hand that may lay off cards on another's sets and runs.

    However the own sets are formed, every other card that is in an own run, goes on with one of
    the ``runs``, or is the fourth of a set is no deadwood, and these do not stand in each
    other's way.
    """
    ranks = (sets | sets >> 13 | sets >> 26 | sets >> 39) & SUIT
    fourth, least = ranks * ACES & ~sets, 1000
    for way in range(num_ways(cards)):
        rest = cards ^ sets_formed(cards, way)
        laid = laid_off(rest, runs) | fourth
        least = min(least, card_points(rest & ~(cards_in_runs(rest) | laid)))
    return least


def laid_off(cards: int, runs: int) -> int:
    """Returns the ``runs`` with those of ``cards`` that go on with them."""
    laid = runs
    more = (laid << 1 & NO_ACES | laid >> 1 & NO_KINGS) & cards & ~laid
    while more != 0:
        laid |= more
        more = (laid << 1 & NO_ACES | laid >> 1 & NO_KINGS) & cards & ~laid
    return laid


def list_set(cards: int, add: int, numbers: Any, number: int) -> int:
    """Writes the bits of a set, plus ``add``, after ``number`` numbers; returns the new number."""
    while cards != 0:
        numbers[number] = lowest(cards) + add
        cards &= cards - 1
        number += 1
    return number


def list_older(history: int, like: int, older: Any) -> None:
    """Writes for each entry of a history, the latest first, which cards those before it have.

    The number after the last entry is 0. ``like`` is a set of cards.
    """
    number = 0
    while history != 0:
        older[number] = 1 << (resized(history & 63, like)) - 1
        history >>= 8
        number += 1
    older[number] = 0
    while number > 0:
        number -= 1
        older[number] |= older[number + 1]


# ---- words


def cards_of(cards: int) -> list[int]:
    """Returns the cards of a set, in the order of their numbers."""
    return [card for card in range(52) if cards >> card & 1]


def meld_lists(cards: int) -> tuple[list[list[int]], list[int]]:
    """Returns the melds with the least deadwood, and the deadwood, from high points to low."""
    sets, runs = best_melds(cards)
    melds = [cards_of(sets & ACES << rank) for rank in range(13) if sets & ACES << rank]
    for card in cards_of(runs):
        if melds and melds[-1][-1] == card - 1 and runs >> card - 1 & 1 and card % 13:
            melds[-1].append(card)
        else:
            melds.append([card])
    return melds, sorted(cards_of(cards & ~(sets | runs)), key=lambda card: (-(card % 13), card))


NAMES = {PASS: "pass", DRAW: "draw", TAKE: "take", DECLARE: "dead", GIN: "gin"}
ALIASES = {"stock": DRAW, "upcard": TAKE, "pile": TAKE}
