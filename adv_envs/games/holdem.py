"""What the games of hold'em share: the deal, the betting, the pots, and what each player sees.

Player 0 is the first to the left of the button, who posts the small blind, and player 1 posts the
big one; with two players the button is player 0. The cards are dealt by chance, an action for each:
one to every player, one more to every player, then the flop of three, the turn and the river.

``cards`` has six bits for each card that is dealt, in this order, the first lowest: its action + 1,
or 0 if it lies face down. ``stakes`` has sixteen bits for each player: the chips put in. After
"Ah 7c Ad 7d" with two players, blinds of one and two chips, and a raise by player 0 to four::

    cards  = 0b 010110 110010 010101 110011          stakes = 0x 0002 0004
                  7d     Ad     7c     Ah                      player 1  0
                  22     50     21     51  (card + 1)

``history`` has all actions of the players, the latest lowest, after a leading 1. ``raised`` counts
the raises of each round of betting, eight bits each, the first round lowest.

The rules are Robert's Rules of Poker and those of the Tournament Directors Association (TDA): a bet
or raise is at least as large as the last one, a player without enough chips may be all in for less,
and such a raise does not let those raise again who have acted and do not face a whole raise. With a
limit TDA asks for half of one only (rule 47 B); here it is a whole one in both games.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from adv_envs.bits import count, nth, resized
from adv_envs.position import CHANCE, NEVER, Position, counted, require_between
from adv_envs.random import advanced, below

from .kuhn import chips_won
from .poker_hands import card_bit, card_of, card_text, hand_strength

DECK = 52
ALL_CARDS = (1 << DECK) - 1
CARD, CHIPS, COUNTER = 6, 16, 8
"""The bits of a card, of a player's chips and of the raises of a round."""
MOST_CHIPS = 50_000
"""The most chips that a player may have."""
GROUP = 1000
"""``stacks`` has a group of three decimal digits for each player."""
MOST_HISTORY, MOST_RAISES = 8192, 255
"""The most bits of ``history``, and the most raises of a hand."""
ROUNDS = "preflop", "flop", "turn", "river"


class Holdem(Position):
    """Holds what games of hold'em share. A game says what may be bet."""

    players: int = 2
    stack: int = 100
    stacks: int = 0  # the chips of each player where they differ
    small_blind: int = 1
    big_blind: int = 2
    raises: int = 0  # the most bets of a round, 0 for no limit
    rlcard: bool = False
    cards: Annotated[int, "card_bits"] = 0
    dealt: int = 0  # how many cards
    history: Annotated[int, "history_bits"] = 1
    stakes: Annotated[int, "stake_bits"] = 0
    folded: int = 0  # the players who are out, as a set
    raised: int = 0
    size: int = 0  # the least whole raise: the last one of the round, or the first bet
    acted: int = 0  # the players who have acted since the last whole raise, as a set
    turn: int = 0
    waiting: int = 0  # how many have still to act in this round, if nobody raises
    ply: int = 0
    parameters: ClassVar[tuple[str, ...]] = (
        "players", "stack", "stacks", "small_blind", "big_blind", "raises", "rlcard",
    )  # fmt: skip

    def with_state(
        self, cards: int, dealt: int, history: int, stakes: int, folded: int, raised: int,
        size: int, acted: int, turn: int, waiting: int, ply: int,
    ) -> Self:  # fmt: skip
        """Returns the position of the same game with these fields."""
        raise NotImplementedError

    # ---- what may be bet, which each game says

    @property
    def num_moves(self) -> int:
        """Counts the actions that are not cards."""
        raise NotImplementedError

    @property
    def action_bits(self) -> int:
        """Returns the bits of an action in ``history``."""
        raise NotImplementedError

    @property
    def most_raises(self) -> int:
        """Bounds the raises of all rounds."""
        raise NotImplementedError

    @property
    def most_bet(self) -> int:
        """Bounds what a player puts in, however many chips there are."""
        raise NotImplementedError

    def bet_size(self, street: int) -> int:
        """Returns the least bet of a round, 0 to 3."""
        raise NotImplementedError

    def is_fold(self, action: int) -> bool:
        """Returns whether a player's action gives up."""
        raise NotImplementedError

    def is_raise(self, action: int) -> bool:
        """Returns whether a player's action puts in more than all others have."""
        raise NotImplementedError

    def raises_to(self, action: int) -> int:
        """Returns what the player to move has put in after a raise."""
        raise NotImplementedError

    def allows(self, action: int) -> bool:
        """Returns whether the player to move may take an action."""
        raise NotImplementedError

    @property
    def keeps_turn(self) -> bool:
        """Returns whether a round begins after the last to act, and waits for those who fold.

        These are the rules of RLCard's limit game.
        """
        raise NotImplementedError

    # ---- sizes

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def card_bits(self) -> int:
        """Returns the bits of ``cards``: two cards for each player, and five for all."""
        return CARD * (2 * self.players + 5)

    @property
    def stake_bits(self) -> int:
        """Returns the room for the chips of all players."""
        return CHIPS * self.players

    @property
    def history_bits(self) -> int:
        """Returns the bits of ``history``: all act in each round, and the others after a raise."""
        turns = (4 + self.keeps_turn) * self.players + self.most_raises * (self.players - 1)
        return 1 + self.action_bits * turns

    def stack_of(self, player: int) -> int:
        """Returns the chips of a player at the start."""
        chips = self.stacks
        if chips == 0:
            return self.stack
        for _ in range(self.players - 1 - player):
            chips //= GROUP
        return chips % GROUP

    @property
    def max_utility(self) -> int:
        """Returns the most that a player can win: all that each of the others can put in."""
        best = 0
        for player in range(self.players):
            most = min(self.stack_of(player), self.most_bet)
            won = 0
            for other in range(self.players):
                won += min(self.stack_of(other), most)
            best = max(best, won - most)
        return best

    def set_up(self) -> Self:
        """Returns the start with the blinds, if the stakes were not given."""
        if self.stakes != 0:
            return self
        self.check_parameters()
        start: Self = self._replace(stakes=self.blinds())
        return start

    def blinds(self) -> int:
        """Returns the stakes at the start."""
        return self.small_blind | self.big_blind << CHIPS

    # ---- what is on the table

    def card_at(self, place: int) -> int:
        """Returns the card that was dealt as number ``place``; -1 if it is not seen."""
        return resized(self.cards >> CARD * place & 63, self.folded) - 1

    def hole_card(self, player: int, number: int) -> int:
        """Returns a player's card, number 0 or 1; -1 if it is not seen."""
        return self.card_at(player + number * self.players)

    def board_card(self, number: int) -> int:
        """Returns a card of all, number 0 to 4; -1 if it is not dealt."""
        return self.card_at(2 * self.players + number)

    @property
    def num_board(self) -> int:
        """Counts the cards of all."""
        return max(self.dealt - 2 * self.players, 0)

    @property
    def street(self) -> int:
        """Returns the round of betting, 0 before the flop to 3 after the river."""
        return max(self.num_board - 2, 0)

    def chips(self, player: int) -> int:
        """Returns what a player has put into the pot."""
        return resized(self.stakes >> CHIPS * player & 0xFFFF, self.folded)

    def chips_left(self, player: int) -> int:
        """Returns what a player may still put in."""
        return self.stack_of(player) - self.chips(player)

    def level(self) -> int:
        """Returns what a player has to put into the pot to stay in."""
        most = 0
        for player in range(self.players):
            most = max(most, self.chips(player))
        return most

    def pot(self) -> int:
        """Returns all chips that were put in."""
        total = 0
        for player in range(self.players):
            total += self.chips(player)
        return total

    def has_folded(self, player: int) -> bool:
        """Returns whether a player is out."""
        return self.folded >> player & 1 != 0

    def num_left(self) -> int:
        """Returns how many have not folded."""
        return self.players - count(self.folded)

    def is_able(self, player: int) -> bool:
        """Returns whether a player is in and has chips left."""
        return not self.has_folded(player) and self.chips(player) < self.stack_of(player)

    def num_able(self) -> int:
        """Returns how many are in and have chips left."""
        number = 0
        for player in range(self.players):
            number += self.is_able(player)
        return number

    def num_raises(self, street: int) -> int:
        """Returns how often somebody has raised in a round."""
        return self.raised >> COUNTER * street & 255

    def may_raise(self) -> bool:
        """Returns whether the player to move may bet or raise by any amount.

        Not one who cannot put in more than others have, nor where no other could answer; nor after
        the last raise of the round; nor one who has acted and does not face a whole raise.
        """
        level, player = self.level(), self.turn
        if not self.raises_left() or self.stack_of(player) <= level:
            return False
        if self.acted >> player & 1 != 0 and level - self.chips(player) < self.size:
            return False
        for other in range(self.players):
            if other != player and not self.has_folded(other) and self.stack_of(other) > level:
                return True
        return False

    def raises_left(self) -> bool:
        """Returns whether the round may have another raise."""
        return self.raises == 0 or self.num_raises(self.street) < self.raises_in(self.street)

    def raises_in(self, street: int) -> int:
        """Returns the most raises of a round; the big blind is the first bet before the flop."""
        return self.raises - (street == 0 and not self.rlcard)

    def unseen(self) -> int:
        """Returns the cards in the deck and those that lie face down, as a set."""
        cards = ALL_CARDS
        for place in range(self.dealt):
            if self.card_at(place) >= 0:
                cards &= ~(1 << self.card_at(place))
        return cards

    # ---- the rules

    @property
    def to_move(self) -> int:
        """Returns chance, which deals, where nobody has to act any more."""
        return CHANCE if self.waiting == 0 else self.turn

    def legal(self, action: int) -> bool:
        """Allows any card that is still in the deck, then what the game allows."""
        return self.unseen() >> action & 1 != 0 if self.waiting == 0 else self.allows(action)

    def write_legal(self, actions: Any) -> int:
        number, cards = 0, 0
        if self.waiting == 0:
            cards = self.unseen()
        for action in range(DECK if self.waiting == 0 else self.num_moves):
            if cards >> action & 1 != 0 if self.waiting == 0 else self.allows(action):
                actions[number] = action
                number += 1
        return number

    def probability(self, action: int) -> float:
        """Returns the chance of a card: all that are not seen are as likely."""
        unseen = self.unseen()
        return 1.0 / count(unseen) if action < DECK and unseen >> action & 1 != 0 else 0.0

    def play(self, action: int) -> Self:
        """Deals a card, or lets the player act."""
        return self.deal(action + 1) if self.waiting == 0 else self.act(action)

    def deal(self, number: int) -> Self:
        """Deals card ``number`` - 1, or one face down for 0; after the last of a round, all bet."""
        cards = self.cards | resized(number, self.cards) << CARD * self.dealt
        dealt, board = self.dealt + 1, self.dealt + 1 - 2 * self.players
        if board < 0 or 0 < board < 3:
            return self.with_state(
                cards, dealt, self.history, self.stakes, self.folded, self.raised,
                self.size, self.acted, self.turn, 0, self.ply + 1,
            )  # fmt: skip
        first = self.turn
        if board == 0:
            first = self.next_able(2 % self.players)
        elif not self.keeps_turn:
            first = self.next_able(1 if self.players == 2 and not self.rlcard else 0)
        return self.with_state(
            cards, dealt, self.history, self.stakes, self.folded, self.raised,
            self.bet_size(max(board - 2, 0)), 0, first, self.num_waiting(), self.ply + 1,
        )  # fmt: skip

    def num_waiting(self) -> int:
        """Returns how many have to act when a round begins: nobody, if all but one are all in."""
        if self.keeps_turn:
            return self.players
        number = self.num_able()
        if number != 1:
            return number
        player = self.next_able(0)
        return 1 if self.chips(player) < self.level() else 0

    def next_able(self, player: int) -> int:
        """Returns ``player``, or the next one who can act; ``player`` if there is none."""
        for step in range(self.players):
            other = (player + step) % self.players
            if self.is_able(other):
                return other
        return player

    def act(self, action: int) -> Self:
        """Takes the action of the player to move; the turn passes on."""
        player, level, before = self.turn, self.level(), self.chips(self.turn)
        folded, raised, size, acted = self.folded, self.raised, self.size, self.acted | 1 << player
        waiting, stake = self.waiting - 1, before
        if self.is_fold(action):
            folded |= 1 << player
            waiting += self.keeps_turn
        elif self.is_raise(action):
            stake = self.raises_to(action)
            raised += 1 << COUNTER * self.street
            waiting = self.players - 1 if self.keeps_turn else self.num_able() - 1
            if stake - level >= size:
                size, acted = stake - level, 1 << player
        else:
            stake = min(level, self.stack_of(player))
        history = self.history << self.action_bits | resized(action, self.history)
        stakes = self.stakes + (resized(stake - before, self.stakes) << CHIPS * player)
        after = self.with_state(
            self.cards, self.dealt, history, stakes, folded, raised, size, acted, player, waiting,
            self.ply + 1,
        )  # fmt: skip
        return after.passed_on()

    def passed_on(self) -> Self:
        """Returns the position with the turn of the next player who can act."""
        return self.with_state(
            self.cards, self.dealt, self.history, self.stakes, self.folded, self.raised, self.size,
            self.acted, self.next_able((self.turn + 1) % self.players), self.waiting, self.ply,
        )  # fmt: skip

    def is_terminal(self) -> bool:
        """Tests whether all but one have folded, or the last round is over."""
        return self.num_left() == 1 or (self.waiting == 0 and self.num_board == 5)

    # ---- the end

    def hand_of(self, player: int) -> int:
        """Returns a player's cards and those of all, as ``hand_strength`` takes them."""
        hand = 0
        for number in range(7):
            card = self.hole_card(player, number) if number < 2 else self.board_card(number - 2)
            if card >= 0:
                hand |= card_bit(card)
        return hand

    def strength(self, player: int) -> int:
        """Returns a number that is higher for better hands; 0 for one who is out or shows none."""
        if self.has_folded(player):
            return 0
        if self.num_left() == 1:
            return 1
        return hand_strength(self.hand_of(player)) if self.hole_card(player, 1) >= 0 else 0

    def won(self, player: int) -> int:
        """Returns what a player takes of the main pot and of the side pots.

        Each pot is what those in it have put in between two stakes of players who are in. Its best
        hands share it; odd chips go, one each, to the first of them from the left of the button.
        """
        total, below_pot, strength = 0, 0, self.strength(player)
        while strength > 0 and below_pot < self.chips(player):
            top = self.next_stake(below_pot)
            if top > self.chips(player):
                break
            chips, winners, earlier = 0, 0, 0
            for other in range(self.players):
                chips += min(self.chips(other), top) - min(self.chips(other), below_pot)
                if not self.has_folded(other) and self.chips(other) >= top:
                    rival = self.strength(other)
                    if rival > strength:
                        winners = DECK
                    winners += rival == strength
                    earlier += rival == strength and self.is_earlier(other, player)
            if winners < DECK:
                total += chips // winners + (earlier < chips % winners)
            below_pot = top
        return total

    def next_stake(self, stake: int) -> int:
        """Returns the least stake above ``stake`` of a player who is in; 2**16 if there is none."""
        least = 1 << CHIPS
        for player in range(self.players):
            if not self.has_folded(player) and stake < self.chips(player) < least:
                least = self.chips(player)
        return least

    def is_earlier(self, player: int, other: int) -> bool:
        """Returns whether a player sits before the other, seen from the left of the button."""
        if self.players == 2 and not self.rlcard:
            return player > other
        return player < other

    def utility(self, player: int) -> int:
        """Returns what is won less the own stake, in chips."""
        return self.won(player) - self.chips(player)

    def is_shown(self, player: int) -> bool:
        """Returns whether the game is over, and a player has to show the cards.

        All do if one of them is all in. Otherwise the last one to raise begins, or the first from
        the left of the button, and after that only hands that are as good as all shown before.
        """
        if not self.is_terminal() or self.num_left() == 1 or self.has_folded(player):
            return False
        if self.num_able() < self.num_left():
            return True
        strength, other = self.strength(player), self.turn
        while other != player:
            if self.strength(other) > strength:
                return False
            other = (other + 1) % self.players
        return True

    # ---- what a player sees

    def hidden(self, player: int) -> Self:
        """Turns the others' cards face down, but for those that are shown at the end."""
        pair = resized(63, self.cards)
        pair |= pair << CARD * self.players
        board = self.cards >> CARD * 2 * self.players << CARD * 2 * self.players
        cards = board | self.cards & pair << CARD * player
        if self.is_terminal():
            for other in range(self.players):
                if self.is_shown(other):
                    cards |= self.cards & pair << CARD * other
        return self.with_cards(cards)

    def with_cards(self, cards: int) -> Self:
        """Returns the same moment of the game with other cards."""
        return self.with_state(
            cards, self.dealt, self.history, self.stakes, self.folded, self.raised, self.size,
            self.acted, self.turn, self.waiting, self.ply,
        )  # fmt: skip

    def seen_after(self, player: int, action: int) -> int:
        """Shows a private card to its owner only; all else to everybody."""
        private = self.dealt < 2 * self.players and self.dealt % self.players != player
        return NEVER if private else 0

    def determinized(self, player: int, state: int) -> Self:
        """Deals the cards that are face down, every deal as likely."""
        cards, unseen = self.cards, self.unseen()
        for place in range(min(self.dealt, 2 * self.players)):
            if self.card_at(place) < 0:
                card = nth(unseen, below(state, count(unseen)))
                cards |= resized(card + 1, cards) << CARD * place
                unseen &= ~(1 << card)
                state = advanced(state)
        return self.with_cards(cards)

    def mark_cards(self, player: int, planes: Any) -> None:
        """Writes 1 for each card that a player sees, as RLCard numbers them.

        Suits in the order s h d c, and the ace before the two.
        """
        for number in range(7):
            card = self.hole_card(player, number) if number < 2 else self.board_card(number - 2)
            if card >= 0:
                planes[rlcard_number(card)] = 1

    def mark_table(self, player: int, planes: Any, start: int) -> None:
        """Writes what RLCard leaves out: seats from the own one on, and the chips of each.

        For each: 1 if the seat is player 0's, 1 if it is in, its chips in the pot, its chips left.
        """
        for step in range(self.players):
            other, at = (player + step) % self.players, start + 4 * step
            planes[at] = other == 0
            planes[at + 1] = not self.has_folded(other)
            planes[at + 2] = self.chips(other)
            planes[at + 3] = self.chips_left(other)

    @property
    def table_high(self) -> tuple[int, ...]:
        """Bounds what ``mark_table`` writes."""
        high = max(self.stack_of(player) for player in range(self.players))
        return (1, 1, high, high) * self.players

    # ---- not needed by the rules

    def action_name(self, action: int) -> str:
        """Returns what a player does, in a word."""
        raise NotImplementedError

    def name(self, action: int) -> str:
        """Returns what a player does, or the card that is dealt: "Ah", "Td"."""
        return card_text(action) if self.waiting == 0 else self.action_name(action)

    def alias(self, name: str) -> int | None:
        """Reads a card in other cases, "aH" or "10h"."""
        if self.waiting == 0:
            text = name.replace("10", "T")
            try:
                return card_of(text[:1].upper() + text[1:].lower())
            except ValueError:
                return None
        return None

    def turn_text(self) -> str:
        return "A card is dealt" if self.to_move == CHANCE else super().turn_text()

    def result_text(self) -> str:
        return super().result_text() + chips_won(self)

    def check_parameters(self) -> None:
        """Raises ValueError unless the parameters say a game."""
        require_between("players", self.players, 2, 10)
        require_between("big_blind", self.big_blind, 1, 1000)
        require_between("small_blind", self.small_blind, 1, self.big_blind)
        require_between("stack", self.stack, self.big_blind, MOST_CHIPS)
        if self.stacks != 0:
            self.check_stacks()
        if self.most_raises > MOST_RAISES or self.history_bits > MOST_HISTORY:
            raise ValueError(
                "there are too many chips for so many raises: take a smaller stack, a larger "
                "big_blind or fewer raises"
            )

    def check_stacks(self) -> None:
        """Raises ValueError unless ``stacks`` says how many chips each player has."""
        most = GROUP**self.players - 1
        chips = [self.stack_of(player) for player in range(self.players)]
        if self.players > 6 or not 0 < self.stacks <= most or min(chips) < self.big_blind:
            raise ValueError(
                "stacks must be 0, for all the same, or three digits for each of at most 6 players,"
                f" such as 100_050_200, at least the big blind each, not {self.stacks}"
            )
        if self.rlcard:
            raise ValueError("with rlcard all have the same stack: stacks must be 0")

    def check(self) -> None:
        self.check_parameters()
        require_between("dealt", self.dealt, 0, 2 * self.players + 5)
        seen = [self.card_at(place) for place in range(self.dealt)]
        known = [card for card in seen if card >= 0]
        beyond = self.cards < 0 or self.cards >> CARD * self.dealt != 0
        if beyond or len(set(known)) < len(known) or max(known, default=0) >= DECK:
            raise ValueError(
                f"cards must be different ones, {CARD} bits each: 1 to {DECK}, or 0, face down, as "
                f"many as are dealt, not {[card + 1 for card in seen]}"
            )
        if min(seen[2 * self.players :], default=0) < 0:
            raise ValueError("the cards of all must be face up")
        if self._replayed(seen) != self:
            raise ValueError("the fields must fit each other and the game: use after()")
        for player in range(self.players):
            if self.is_shown(player) and self.hole_card(player, 1) < 0:
                raise ValueError("the game is over: the cards that have to be shown are missing")
            alone = (self.hole_card(player, 0) < 0) != (self.hole_card(player, 1) < 0)
            if alone and self.dealt > self.players + player:
                raise ValueError("of a player's two cards one cannot be face down alone")

    def _replayed(self, seen: list[int]) -> Self | None:
        """Returns the position after these cards and actions; None if they are not allowed."""
        position = self.with_state(0, 0, 1, self.blinds(), 0, 0, 0, 0, 0, 0, 0)
        actions = self.actions()
        cards = [card + 1 for card in seen]
        while True:
            if position.is_terminal():
                return None if actions or cards else position
            if position.waiting == 0:
                if not cards:
                    return None if actions else position
                position = position.deal(cards.pop(0))
            elif not actions:
                return None if cards else position
            elif position.legal(actions[0]):
                position = position.act(actions.pop(0))
            else:
                return None

    def actions(self) -> list[int]:
        """Returns the actions of the players, the first one first."""
        bits, history, found = self.action_bits, self.history, list[int]()
        while history > 1:
            found.append(history & (1 << bits) - 1)
            history >>= bits
        return found[::-1]

    def turns_taken(self) -> list[list[tuple[int, int]]]:
        """Returns, for each round that was begun, the players and their actions."""
        return [[(position.turn, action) for position, action in each] for each in self._rounds()]

    def rounds(self) -> list[list[tuple[int, str]]]:
        """Returns, for each round that was begun, the players and what they did, in words."""
        return [[(p.turn, p.action_name(action)) for p, action in each] for each in self._rounds()]

    def _rounds(self) -> list[list[tuple[Self, int]]]:
        """Returns, for each round that was begun, the actions and the positions before them."""
        position = self.with_state(0, 0, 1, self.blinds(), 0, 0, 0, 0, 0, 0, 0)
        actions = self.actions()
        found: list[list[tuple[Self, int]]] = [[]]
        for place in range(self.dealt + 1):
            while actions and position.waiting != 0:
                found[-1].append((position, actions[0]))
                position = position.act(actions.pop(0))
            if place < self.dealt:
                position = position.deal(self.card_at(place) + 1)
                if position.num_board >= 3:
                    found.append([])
        return found

    def card_words(self, player: int) -> list[str]:
        """Returns a player's cards: "Ah", "?" face down; those that are dealt."""
        places = [place for place in (player, player + self.players) if place < self.dealt]
        cards = [self.card_at(place) for place in places]
        return [card_text(card) if card >= 0 else "?" for card in cards]

    def board_words(self) -> list[str]:
        """Returns the cards of all that are dealt."""
        return [card_text(self.board_card(number)) for number in range(self.num_board)]

    def __str__(self) -> str:
        lines = []
        for player in range(self.players):
            here = player == self.to_move and not self.is_terminal()
            cards = " ".join(self.card_words(player)) or "-"
            left = self.chips_left(player)
            out = ", folded" if self.has_folded(player) else ", all in" if left == 0 else ""
            start = f"{'>' if here else ' '} player {player}"
            chips = counted(self.chips(player), "chip")
            lines.append(f"{start}  {cards:5}  {chips} in the pot, {left} left{out}")
        lines.append(f"  board     {' '.join(self.board_words()) or '-'}")
        lines.append(f"  pot       {self.pot()}")
        for name, taken in zip(ROUNDS, self.rounds(), strict=False):
            lines.append(" ".join([f"  {name + ':':9}", *(word for _, word in taken)]).rstrip())
        return "\n".join(lines)


def rlcard_number(card: int) -> int:
    """Returns RLCard's number of a card: suits in the order s h d c, the ace before the two."""
    return 13 * (3 - card % 4) + (card // 4 + 1) % 13
