"""Hanabi: build fireworks of cards together, each player seeing every hand but the own one.

``deck`` has five bits for each card that was dealt, the first one lowest: colour * ranks + rank + 1
(both from 0), or 0 where the card is not seen. A hand is a row of slots, the oldest card first.
``hands`` has 18 bits for each slot, all slots of player 0 lowest::

    bit   17         16           15 .. 11          10 .. 6             5 .. 0
          rank told  colour told  possible ranks    possible colours    number of the card, from 1

so card 3 of the deck is ``deck >> 5 * (3 - 1) & 31``; an empty slot is 0. ``moves`` has six bits
for each move, an action + 1. ``seen`` and ``discards`` count cards, two bits for each kind of card,
and ``fireworks`` has a hexadecimal digit for each colour. ``last`` tells of the last move the
number of the card that left the hand (six bits), whether it was put on a firework, whether that
gave a token back, and which slots were pointed at (five bits).

Source: N. Bard et al., The Hanabi Challenge: A New Frontier for AI Research, Artificial
Intelligence 280 (2020), whose learning environment has these actions and observations.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from adv_envs.bits import count, digit, resized, scratch, single
from adv_envs.position import CHANCE, NEVER, Example, Position, counted, reflowed, require_between
from adv_envs.random import below

COLOURS = "red", "yellow", "green", "white", "blue"
LETTERS = "RYGWB"
SLOT, CARD, MOVE = 18, 5, 6
"""The bits of a slot, of a card and of a move."""
LOW_BITS = 0x5555555555555
"""The lower bit of each pair, of the counts of 25 kinds of cards."""
SCORED, TOKEN, POINTED = 6, 7, 8
"""Where in ``last`` it is told what became of a move."""
KINDS = 25
"""How many kinds of cards there may be, and one more than the highest number of one."""


class Hanabi(Position):
    """Represents a position of Hanabi; ``Hanabi(players=2, colours=5, ranks=5)`` is the start.

    All players share the score. Chance deals: card ``colour * ranks + rank`` is its action. The
    actions of players are to discard slot 0, 1, .., then to play one, then to tell every colour to
    each other player, the next one first, then every rank, as in PettingZoo. With 0 lives left the
    score is 0, or with ``keep_score`` what was built. A ``hand_size`` of 0 is the usual one: 5, or
    4 for four and five players. Raises ValueError unless there are 2 to 5 players, 1 to 5 colours
    and ranks, hands of up to 5 cards, 0 to 8 hints, 1 to 3 lives, and enough cards to deal.
    """

    players: int = 2
    colours: int = 5
    ranks: int = 5
    hand_size: int = 0
    hints: int = 8
    lives: int = 3
    keep_score: bool = False
    deck: Annotated[int, "deck_bits"] = 0
    hands: Annotated[int, "hands_bits"] = 0
    moves: Annotated[int, "moves_bits"] = 0
    dealt: int = 0  # how many cards
    turns: int = 0  # how many moves
    seen: int = 0  # how many of each kind of card are known of
    discards: int = 0
    fireworks: int = 0
    spent: int = 0  # how many tokens for hints
    mistakes: int = 0
    late: int = 0  # moves since the last card was dealt
    last: int = 0
    parameters = ("players", "colours", "ranks", "hand_size", "hints", "lives", "keep_score")
    parameter_words = (
        ("Players", "How many play."),
        ("Colours", "How many fireworks there are to build."),
        ("Ranks", "How many cards a whole firework has."),
        ("Cards in a hand", "How many cards each player holds; 0 for the usual number."),
        ("Hints", "How many hints there are at the start, and at most."),
        ("Lives", "With how many mistakes the game is over."),
        ("Keep the score", "Keep the points also when all lives are lost."),
    )
    cooperative: ClassVar[bool] = True

    # ---- sizes

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def held(self) -> int:
        """Returns how many cards a full hand has."""
        if self.hand_size > 0:
            return self.hand_size
        return 5 if self.players < 4 else 4

    @property
    def num_moves(self) -> int:
        """Returns how many actions players have: discards, plays and hints."""
        return 2 * self.held + (self.players - 1) * (self.colours + self.ranks)

    @property
    def num_kinds(self) -> int:
        """Returns how many kinds of cards there are."""
        return self.colours * self.ranks

    @property
    def num_actions(self) -> int:
        """Returns the number of moves, or of kinds of cards if there are more of them."""
        return max(self.num_moves, self.num_kinds)

    @property
    def max_utility(self) -> int:
        """Returns the score of all fireworks."""
        return self.num_kinds

    def copies(self, kind: int) -> int:
        """Returns how many cards there are of a kind: 3 of rank 1, 1 of the highest, else 2."""
        rank = kind % self.ranks
        return 3 if rank == 0 else 1 if rank == self.ranks - 1 else 2

    @property
    def deck_size(self) -> int:
        """Returns how many cards there are."""
        return self.colours * (3 if self.ranks == 1 else 2 * self.ranks)

    @property
    def most_moves(self) -> int:
        """Bounds the moves: each card drawn and each hint, for which discards give tokens."""
        drawn = self.deck_size - self.players * self.held
        return self.players + drawn + (self.hints + drawn if self.hints > 0 else 0)

    @property
    def deck_bits(self) -> int:
        """Returns 5 bits for each of 50 cards: fields of one width are compiled once."""
        return CARD * 50

    @property
    def hands_bits(self) -> int:
        """Returns 18 bits for each of 25 slots."""
        return SLOT * 25

    @property
    def moves_bits(self) -> int:
        """Returns 6 bits for each move of the longest game: two players, each with one card."""
        return MOVE * 106

    # ---- what lies where

    def slot(self, player: int, place: int) -> int:
        """Returns what is known of a card in a hand, see the module; 0 for an empty slot."""
        at = SLOT * (player * self.held + place)
        return resized(self.hands >> at & (1 << SLOT) - 1, self.seen)

    def dealt_card(self, number: int) -> int:
        """Returns a card by its number in the deck, from 1, as its kind + 1; 0 if not seen."""
        return resized(self.deck >> CARD * (number - 1) & 31, self.seen)

    def card(self, player: int, place: int) -> int:
        """Returns a card in a hand as its kind + 1; 0 if it is not seen or not there."""
        number = self.slot(player, place) & 63
        return self.dealt_card(number) if number > 0 else 0

    def cards_in(self, player: int) -> int:
        """Returns how many cards a hand has."""
        number = self.held
        while number > 0 and self.slot(player, number - 1) == 0:
            number -= 1
        return number

    def built(self, colour: int) -> int:
        """Returns how many cards a firework has."""
        return digit(self.fireworks, colour)

    def unseen(self, kind: int) -> int:
        """Returns how many cards of a kind are not known of."""
        return self.copies(kind) - (self.seen >> 2 * kind & 3)

    @property
    def tokens(self) -> int:
        """Returns how many hints may be given."""
        return self.hints - self.spent

    @property
    def lives_left(self) -> int:
        """Returns how many mistakes end the game."""
        return self.lives - self.mistakes

    @property
    def in_deck(self) -> int:
        """Returns how many cards are still to be dealt."""
        return self.deck_size - self.dealt

    @property
    def ply(self) -> int:
        """Counts cards dealt and moves."""
        return self.dealt + self.turns

    def built_in_all(self) -> int:
        """Returns how many cards lie on fireworks."""
        tops = self.fireworks
        pairs = (tops & 0xF0F0F) + (tops >> 4 & 0xF0F0F)
        return (pairs & 255) + (pairs >> 8 & 255) + (pairs >> 16)

    def removed(self) -> int:
        """Returns how many cards have left the hands."""
        return self.built_in_all() + number_in(self.discards)

    @property
    def score(self) -> int:
        """Returns the score: the cards on fireworks, or 0 where the last life is lost."""
        if self.mistakes >= self.lives and not self.keep_score:
            return 0
        return self.built_in_all()

    def is_playable(self, kind: int) -> bool:
        """Returns whether a card of a kind goes on its firework now."""
        return self.built(kind // self.ranks) == kind % self.ranks

    # ---- the rules

    @property
    def is_dealing(self) -> bool:
        """Returns whether a hand is short and there are cards left."""
        if self.dealt >= self.deck_size:
            return False
        return self.dealt - self.removed() < self.players * self.held

    @property
    def to_move(self) -> int:
        """Returns chance while a card is to be dealt, else the players in turn."""
        return CHANCE if self.is_dealing else self.turns % self.players

    @property
    def drawer(self) -> int:
        """Returns the player who gets the next card."""
        if self.dealt < self.players * self.held:
            return self.dealt // self.held
        return (self.turns - 1) % self.players

    def legal(self, action: int) -> bool:
        """Allows the cards that are left, discards below the limit, plays, and hints that hit."""
        if self.is_dealing:
            return action < self.num_kinds and self.unseen(action) > 0
        player = self.turns % self.players
        if action < self.held:
            return self.spent > 0 and self.slot(player, action) != 0
        if action < 2 * self.held:
            return self.slot(player, action - self.held) != 0
        if action >= self.num_moves or self.tokens == 0:
            return False
        return self.pointed(action) != 0

    @property
    def first_rank(self) -> int:
        """Returns the first action that tells a rank, after those that tell colours."""
        return 2 * self.held + (self.players - 1) * self.colours

    def offset(self, action: int) -> int:
        """Returns how many seats away, to the left, the player is whom a hint is for."""
        if action < self.first_rank:
            return (action - 2 * self.held) // self.colours + 1
        return (action - self.first_rank) // self.ranks + 1

    def told_player(self, action: int) -> int:
        """Returns the player whom a hint is for."""
        return (self.turns + self.offset(action)) % self.players

    def told(self, action: int) -> int:
        """Returns what a hint tells: a colour, or the number of colours + a rank."""
        if action < self.first_rank:
            return (action - 2 * self.held) % self.colours
        return self.colours + (action - self.first_rank) % self.ranks

    def hint(self, offset: int, value: int) -> int:
        """Returns the action that tells a value to the player ``offset`` seats away."""
        if value < self.colours:
            return 2 * self.held + (offset - 1) * self.colours + value
        return self.first_rank + (offset - 1) * self.ranks + value - self.colours

    def move_made(self, turn: int) -> int:
        """Returns the action of a player in a turn, counted from 0."""
        return resized(self.moves >> MOVE * turn & 63, self.seen) - 1

    def pointed(self, action: int) -> int:
        """Returns the slots of the cards that a hint is about, as a set."""
        player, value, places = self.told_player(action), self.told(action), 0
        for place in range(self.held):
            card = self.card(player, place)
            if card > 0 and self.is_told(card - 1, value):
                places |= 1 << place
        return places

    def is_told(self, kind: int, value: int) -> bool:
        """Returns whether a card of a kind has a colour, or the number of colours + a rank."""
        if value < self.colours:
            return kind // self.ranks == value
        return kind % self.ranks == value - self.colours

    def probability(self, action: int) -> float:
        """Returns the chance of a card: all that are not seen are as likely."""
        if action >= self.num_kinds:
            return 0.0
        return self.unseen(action) / (self.deck_size - number_in(self.seen))

    def play(self, action: int) -> Hanabi:
        """Deals a card, gives a hint, or plays or discards one."""
        if self.is_dealing:
            return self.deal(action)
        if action >= 2 * self.held:
            return self.tell(action)
        return self.use(action)

    def deal(self, kind: int) -> Hanabi:
        """Deals a card of a kind into the first empty slot of the player who draws."""
        at = SLOT * (self.drawer * self.held + self.cards_in(self.drawer))
        colours, ranks = (1 << self.colours) - 1, (1 << self.ranks) - 1
        slot = self.dealt + 1 | colours << 6 | ranks << 11
        return self.with_state(
            self.deck | resized(kind + 1, self.deck) << CARD * self.dealt,
            self.hands | resized(slot, self.hands) << at,
            self.moves,
            self.dealt + 1,
            self.turns,
            self.seen + (1 << 2 * kind),
            self.discards,
            self.fireworks,
            self.spent,
            self.mistakes,
            self.late,
            self.last,
        )

    def tell(self, action: int) -> Hanabi:
        """Tells a player all cards of a colour or a rank, and so also which are not."""
        player, value, places = self.told_player(action), self.told(action), self.pointed(action)
        hands = self.hands
        for place in range(self.held):
            slot = self.slot(player, place)
            if slot > 0:
                after = self.after_hint(slot, value, places >> place & 1 != 0)
                at = SLOT * (player * self.held + place)
                hands ^= resized(slot ^ after, hands) << at
        return self.moved(
            action, hands, self.discards, self.fireworks, 1, self.mistakes, places << POINTED
        )

    def after_hint(self, slot: int, value: int, hit: bool) -> int:
        """Returns a slot after its player was told a value, which is that of the card if ``hit``.

        Bit 6 + value is a colour's; ranks begin at bit 11.
        """
        is_colour = value < self.colours
        low, bit = (6, value) if is_colour else (11, value - self.colours)
        if not hit:
            return slot & ~(1 << low + bit)
        return slot & ~(31 << low) | 1 << low + bit | (1 << 16 if is_colour else 1 << 17)

    def use(self, action: int) -> Hanabi:
        """Discards or plays a card; the later ones of the hand move up."""
        player, place = self.turns % self.players, action % self.held
        number = self.slot(player, place) & 63
        kind = self.dealt_card(number) - 1
        discards, fireworks, mistakes = self.discards, self.fireworks, self.mistakes
        spent, last = 0, number
        if action < self.held:
            discards, spent = discards + (1 << 2 * kind), -1
        elif self.is_playable(kind):
            fireworks += 1 << 4 * (kind // self.ranks)
            last |= 1 << SCORED
            if kind % self.ranks == self.ranks - 1 and self.spent > 0:
                spent = -1
                last |= 1 << TOKEN
        else:
            discards, mistakes = discards + (1 << 2 * kind), mistakes + 1
        hands = self.without(player, place)
        return self.moved(action, hands, discards, fireworks, spent, mistakes, last)

    def without(self, player: int, place: int) -> int:
        """Returns the hands without the card of a slot."""
        hands, at = self.hands, SLOT * (player * self.held + place)
        room = SLOT * (self.held - 1 - place)
        below_it = hands & single(at, hands) - 1
        later = hands >> at + SLOT & single(room, hands) - 1
        above = hands >> at + SLOT + room << at + SLOT + room
        return below_it | later << at | above

    def moved(
        self, action: int, hands: int, discards: int, fireworks: int, spent: int, mistakes: int,
        last: int,
    ) -> Hanabi:  # fmt: skip
        """Returns the position after a move, which spends ``spent`` tokens."""
        return self.with_state(
            self.deck,
            hands,
            self.moves | resized(action + 1, self.moves) << MOVE * self.turns,
            self.dealt,
            self.turns + 1,
            self.seen,
            discards,
            fireworks,
            self.spent + spent,
            mistakes,
            self.late + (1 if self.dealt == self.deck_size else 0),
            last,
        )

    def with_state(
        self, deck: int, hands: int, moves: int, dealt: int, turns: int, seen: int, discards: int,
        fireworks: int, spent: int, mistakes: int, late: int, last: int,
    ) -> Hanabi:  # fmt: skip
        """Returns another position of the same game."""
        return Hanabi(
            self.players,
            self.colours,
            self.ranks,
            self.hand_size,
            self.hints,
            self.lives,
            self.keep_score,
            deck,
            hands,
            moves,
            dealt,
            turns,
            seen,
            discards,
            fireworks,
            spent,
            mistakes,
            late,
            last,
        )

    def is_terminal(self) -> bool:
        """Tests whether all lives are lost, all fireworks built, or the last moves made."""
        if self.mistakes >= self.lives or self.late >= self.players:
            return True
        return self.built_in_all() == self.num_kinds

    def utility(self, player: int) -> int:
        """Returns the score, the same for all."""
        return self.score

    # ---- what a player sees

    def hidden(self, player: int) -> Hanabi:
        """Turns the cards of the own hand face down, until the end."""
        if self.is_terminal():
            return self
        deck, seen = self.deck, self.seen
        for place in range(self.held):
            card = self.card(player, place)
            if card > 0:
                number = self.slot(player, place) & 63
                deck ^= resized(card, deck) << CARD * (number - 1)
                seen -= 1 << 2 * (card - 1)
        return self.with_cards(deck, seen)

    def with_cards(self, deck: int, seen: int) -> Hanabi:
        """Returns the same moment of the game with other cards."""
        return self.with_state(
            deck,
            self.hands,
            self.moves,
            self.dealt,
            self.turns,
            seen,
            self.discards,
            self.fireworks,
            self.spent,
            self.mistakes,
            self.late,
            self.last,
        )

    def seen_after(self, player: int, action: int) -> int:
        """Shows a card that is dealt to all but its owner, and every move to everybody."""
        return NEVER if self.is_dealing and self.drawer == player else 0

    def may_be(self, player: int, place: int, kind: int) -> bool:
        """Returns whether hints allow that a card in a hand is of a kind."""
        slot = self.slot(player, place)
        colour, rank = kind // self.ranks, kind % self.ranks
        return slot >> 6 + colour & 1 != 0 and slot >> 11 + rank & 1 != 0

    def face_down(self, player: int) -> int:
        """Returns the slots of a hand whose cards are not seen, as a set."""
        places = 0
        for place in range(self.held):
            if self.slot(player, place) != 0 and self.card(player, place) == 0:
                places |= 1 << place
        return places

    def determinized(self, player: int, state: int) -> Hanabi:
        """Deals the cards of the own hand that go with the hints, every deal as likely."""
        table = scratch(32 * (KINDS + 1))
        places = self.face_down(player)
        write_ways(self, player, places, table)
        deck, seen = self.deck, self.seen
        total = table[32 * self.num_kinds + places]
        mark = below(state, total) if total > 0 else 0
        kind = self.num_kinds - 1
        while kind >= 0 and total > 0:
            fits = fitting(self, player, places, kind)
            part, ways = fits, 0
            while True:  # every subset of the slots that fit may be of this kind
                each = table[32 * kind + places - part]
                ways = each * arrangements(self.unseen(kind), count(part))
                if mark < ways or part == 0:
                    break
                mark -= ways
                part = part - 1 & fits
            mark = mark % each if each > 0 else 0
            for place in range(self.held):
                if part >> place & 1 != 0:
                    number = self.slot(player, place) & 63
                    deck |= resized(kind + 1, deck) << CARD * (number - 1)
                    seen += 1 << 2 * kind
            places -= part
            kind -= 1
        return self.with_cards(deck, seen)

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (658,) in the full game of two, see ``observe``."""
        kinds, cards = self.num_kinds, self.players * self.held
        hands = (self.players - 1) * self.held * kinds + self.players
        board = self.deck_size - cards + kinds + self.hints + self.lives
        move = 2 * self.players + 6 + self.colours + self.ranks + 2 * self.held + kinds
        known = cards * (kinds + self.colours + self.ranks)
        return (hands + board + self.deck_size + move + known,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes the observation of the Hanabi learning environment, all of it zeros and ones.

        The others' cards, one-hot, the next player's first, and for each player from the own one on
        whether a card is missing; as many ones as cards in the deck; the top of each firework;
        ones for tokens and lives; for each kind as many ones as discards; the last move; and for
        each card, from the own ones on, which kinds it may be by hints, and the colour and the rank
        that were told. The last move is who, one of play, discard, colour and rank, for whom, which
        colour, which rank, which slots it is about, which slot was used, its kind, and whether a
        play went on a firework and gave a token. Players are counted from the own one on.
        """
        at = write_hands(self, player, planes)
        at = write_board(self, planes, at)
        write_last_move(self, player, planes, at)
        at += 2 * self.players + 6 + self.colours + self.ranks + 2 * self.held + self.num_kinds
        write_knowledge(self, player, planes, at)

    # ---- not needed by the rules

    def result_text(self) -> str:
        result = f"{self.score} of {self.max_utility} points"
        if self.mistakes >= self.lives:
            return f"All lives are lost: {result}"
        return result

    def turn_text(self) -> str:
        return "A card is dealt" if self.to_move == CHANCE else super().turn_text()

    def rules(self) -> str:
        ranks = ", ".join(f"{self.copies(rank)} of rank {rank + 1}" for rank in range(self.ranks))
        points = "is kept" if self.keep_score else "is 0"
        return reflowed(f"""
            **Goal.** Build fireworks together: all {self.players} players get the same score. There
            is a firework of each colour ({", ".join(COLOURS[: self.colours])}), and it is built
            with the cards of this colour in order, from rank 1 to rank {self.ranks}. The deck has,
            in each colour, {ranks}: {self.deck_size} cards. Each player is dealt
            {counted(self.held, "card")}. Deals are moves of chance.

            **Moves.** The players take turns, and player 0 begins. A move is one of these:

            - Play a card of the own hand. If it is the next one of its colour's firework, it is put
            there, and a firework that is complete gives a hint back, if some are spent. If not, the
            card is discarded, and one of {counted(self.lives, "life").replace("lifes", "lives")} is
            lost.
            - Discard a card of the own hand, which gives a hint back. This is not allowed while no
            hint is spent.
            - Tell another player a colour or a rank, which spends one of
            {counted(self.hints, "hint")}. All cards of this colour or rank in that hand are pointed
            at, and there must be one.

            After playing or discarding, a player draws a card while there are any. The other cards
            move up, and the new one becomes the last of the hand.

            **Hidden.** A player sees all hands but the own one. Everybody sees which cards hints
            point at, and what is played and discarded. At the end all hands are shown.

            **End.** The game is over when all lives are lost, when all fireworks are complete, or
            when each player has had one more move after the last card was drawn. The score is the
            number of cards on fireworks, at most {self.max_utility}; when all lives are lost it
            {points}.

            **Notation.** The cards of a hand are a, b, .., the oldest first: `play-a`, `discard-b`.
            A hint says how many seats away the player is, 1 being the next one, and a colour or a
            rank: `tell-1-red`, `tell-1-3`. A card
            that is dealt is the letter of its colour and its rank: `R1`.

            {PRINTED}
            """)

    example = Example(
        """
        R1 is dealt to player 0
        R2 is dealt to player 1
        tell-1-2 points at the card of the next player, and spends a hint
        tell-1-red is for player 0, and does not tell the rank
        play-a is the first card of the red firework: 1 point
        Y1 is drawn by player 0
        play-a of player 1 is R2, the next card of the red firework: 2 points
        """,
        colours=2,
        ranks=3,
        hand_size=1,
    )

    def name(self, action: int) -> str:
        """Returns "play-a", "discard-b", "tell-1-red", "tell-1-3", or the card dealt, "R1"."""
        if self.is_dealing:
            return self.kind_name(action)
        if action < 2 * self.held:
            return f"{('discard', 'play')[action // self.held]}-{'abcde'[action % self.held]}"
        return f"tell-{self.offset(action)}-{self.value_name(self.told(action))}"

    def value_name(self, value: int) -> str:
        """Returns a colour, or a rank as a number."""
        return COLOURS[value] if value < self.colours else str(value - self.colours + 1)

    def kind_name(self, kind: int) -> str:
        """Returns a card as the letter of its colour and its rank: "R1"."""
        return f"{LETTERS[kind // self.ranks]}{kind % self.ranks + 1}"

    def card_name(self, player: int, place: int) -> str:
        """Returns a card in a hand by name; "??" face down, with what was told: "R?", "?1"."""
        card, slot = self.card(player, place), self.slot(player, place)
        if card > 0:
            return self.kind_name(card - 1)
        colour = LETTERS[(slot >> 6 & 31).bit_length() - 1] if slot >> 16 & 1 else "?"
        return colour + (str((slot >> 11 & 31).bit_length()) if slot >> 17 & 1 else "?")

    def possible(self, player: int, place: int) -> str:
        """Returns what a player can tell of an own card by hints: "RY 123"."""
        slot = self.slot(player, place)
        colours = "".join(LETTERS[i] for i in range(self.colours) if slot >> 6 + i & 1)
        ranks = "".join(str(i + 1) for i in range(self.ranks) if slot >> 11 + i & 1)
        return f"{colours}{ranks}"

    def check(self) -> None:
        self._check_sizes()
        require_between("dealt", self.dealt, 0, self.deck_size)
        require_between("turns", self.turns, 0, self.most_moves)
        if not 0 <= self.hands < 1 << self.hands_bits:
            raise ValueError(f"hands must have {SLOT} bits for each slot, not {self.hands:#x}")
        cards = [self.deck >> CARD * i & 31 for i in range(self.dealt)] if self.deck >= 0 else [31]
        if max(cards, default=0) > self.num_kinds or self.deck >> CARD * self.dealt:
            raise ValueError(
                f"deck must have five bits for each of {self.dealt} cards: 1 to {self.num_kinds}, "
                f"or 0, face down, not {self.deck:#x}"
            )
        full = self._filled(cards)
        if full is None or full != self.replayed(full):
            raise ValueError("the fields must fit each other and the game: use after()")

    def _check_sizes(self) -> None:
        require_between("players", self.players, 2, 5)
        require_between("colours", self.colours, 1, 5)
        require_between("ranks", self.ranks, 1, 5)
        require_between("hand_size", self.hand_size, 0, 5)
        require_between("hints", self.hints, 0, 8)
        require_between("lives", self.lives, 1, 3)
        if self.players * self.held > self.deck_size:
            raise ValueError(
                f"{self.players} hands of {counted(self.held, 'card')} need more than "
                f"{self.deck_size} cards: choose a smaller hand_size, or more colours or ranks"
            )

    def _filled(self, cards: list[int]) -> Hanabi | None:
        """Returns a position that this view may be, itself if no card is face down; None if none.

        Only cards of one hand may be face down.
        """
        kinds = [card - 1 for card in cards if card > 0]
        counts = [kinds.count(kind) for kind in range(self.num_kinds)]
        if any(number > self.copies(kind) for kind, number in enumerate(counts)):
            return None
        if self.seen != sum(number << 2 * kind for kind, number in enumerate(counts)):
            return None
        if all(cards):
            return self
        for player in range(self.players):
            numbers = [self.slot(player, place) & 63 for place in range(self.held)]
            if set(numbers) - {0} == {i + 1 for i, card in enumerate(cards) if card == 0}:
                full = self.determinized(player, 0)
                return full if full.hidden(player) == self else None
        hidden = [i + 1 for i, card in enumerate(cards) if card == 0]
        raise ValueError(f"cards {hidden} of the deck are face down, which is no player's hand")

    def replayed(self, full: Hanabi) -> Hanabi | None:
        """Returns the position after the cards and moves of ``full``; None if not allowed."""
        position = full.with_state(full.deck & 0, full.hands & 0, full.moves & 0, *[0] * 9)
        number = 0
        if full.moves >> MOVE * full.turns:
            return None
        for _ in range(full.ply):
            if position.is_terminal():
                return None
            if position.is_dealing:
                number += 1
                action = full.dealt_card(number) - 1 if number <= full.dealt else -1
            else:
                action = full.move_made(position.turns) if position.turns < full.turns else -1
            if not position.legal(action):
                return None
            position = position.play(action)
        return position

    def __str__(self) -> str:
        lines = []
        for player in range(self.players):
            here = player == self.to_move and not self.is_terminal()
            cards = [
                f"{self.card_name(player, place)}:{self.possible(player, place)}"
                for place in range(self.cards_in(player))
            ]
            lines.append(f"{'>' if here else ' '} player {player}   {' '.join(cards)}".rstrip())
        fireworks = [f"{LETTERS[i]}{self.built(i)}" for i in range(self.colours)]
        lines.append(f"  fireworks  {' '.join(fireworks)}")
        lines.append(f"  hints {self.tokens}, lives {self.lives_left}, deck {self.in_deck}")
        lines.append(f"  discards   {' '.join(self.discarded())}".rstrip())
        return "\n".join(lines)

    def discarded(self) -> list[str]:
        """Returns the discarded cards by name, sorted."""
        names = []
        for kind in range(self.num_kinds):
            names += [self.kind_name(kind)] * (self.discards >> 2 * kind & 3)
        return names


def number_in(counts: int) -> int:
    """Returns the sum of counts of two bits each."""
    return count(counts & LOW_BITS) + 2 * count(counts >> 1 & LOW_BITS)


# ---- the deals that a player holds possible


def fitting(position: Hanabi, player: int, places: int, kind: int) -> int:
    """Returns those of some slots of a hand whose cards may be of a kind by hints."""
    found = 0
    for place in range(position.held):
        if places >> place & 1 != 0 and position.may_be(player, place, kind):
            found |= 1 << place
    return found


def arrangements(number: int, chosen: int) -> int:
    """Returns in how many ways ``chosen`` slots get different ones of ``number`` cards."""
    ways = 1
    for i in range(chosen):
        ways *= max(number - i, 0)
    return ways


def write_ways(position: Hanabi, player: int, places: int, table: Any) -> None:
    """Counts the deals of unseen cards to slots: table[32 * k + s] to the set s, of kinds below k.

    Copies of a kind are told apart, so that every deal counted is as likely. Only the numbers of
    subsets of ``places`` mean something.
    """
    for part in range(32):
        table[part] = 1 if part == 0 else 0
    for kind in range(position.num_kinds):
        number, row = position.unseen(kind), 32 * kind
        fits = fitting(position, player, places, kind) if number > 0 else 0
        for whole in range(places + 1):
            part, ways = whole & fits, table[row + whole]
            while part != 0:
                if count(part) <= number and table[row + whole - part] != 0:
                    ways += table[row + whole - part] * arrangements(number, count(part))
                part = part - 1 & whole & fits
            table[row + 32 + whole] = ways


# ---- observations


def write_hands(position: Hanabi, player: int, planes: Any) -> int:
    """Writes the others' cards and which hands are short; returns where to go on."""
    at = 0
    for offset in range(1, position.players):
        other = (player + offset) % position.players
        for place in range(position.held):
            card = position.card(other, place)
            if card > 0:
                planes[at + card - 1] = 1
            at += position.num_kinds
    for offset in range(position.players):
        other = (player + offset) % position.players
        planes[at + offset] = position.slot(other, position.held - 1) == 0
    return at + position.players


def write_board(position: Hanabi, planes: Any, at: int) -> int:
    """Writes deck, fireworks, tokens, lives and discards; returns where to go on."""
    most = position.deck_size - position.players * position.held
    at = write_ones(planes, at, min(position.in_deck, most), most)
    for colour in range(position.colours):
        if position.built(colour) > 0:
            planes[at + position.built(colour) - 1] = 1
        at += position.ranks
    at = write_ones(planes, at, position.tokens, position.hints)
    at = write_ones(planes, at, max(position.lives_left, 0), position.lives)
    for kind in range(position.num_kinds):
        at = write_ones(planes, at, position.discards >> 2 * kind & 3, position.copies(kind))
    return at


def write_ones(planes: Any, at: int, number: int, room: int) -> int:
    """Writes ``number`` ones into some ``room``; returns where it ends."""
    for i in range(number):
        planes[at + i] = 1
    return at + room


def write_last_move(position: Hanabi, player: int, planes: Any, at: int) -> None:
    """Writes the last move of a player, if there was one."""
    if position.turns == 0:
        return
    action = position.move_made(position.turns - 1)
    players, held = position.players, position.held
    offset = (position.turns - 1 - player) % players
    planes[at + offset] = 1
    at += players
    outcome = at + 4 + players + position.colours + position.ranks
    if action >= 2 * held:
        value, target = position.told(action), position.offset(action) + offset
        planes[at + (2 if value < position.colours else 3)] = 1
        planes[at + 4 + target % players] = 1
        planes[at + 4 + players + value] = 1
        for place in range(held):
            planes[outcome + place] = position.last >> POINTED + place & 1
    else:
        planes[at + (1 if action < held else 0)] = 1
        planes[outcome + held + action % held] = 1
        card = outcome + 2 * held
        planes[card + position.dealt_card(position.last & 63) - 1] = 1
        planes[card + position.num_kinds] = position.last >> SCORED & 1
        planes[card + position.num_kinds + 1] = position.last >> TOKEN & 1


def write_knowledge(position: Hanabi, player: int, planes: Any, at: int) -> None:
    """Writes what hints tell of each card, and what was told itself."""
    for offset in range(position.players):
        other = (player + offset) % position.players
        for place in range(position.held):
            slot = position.slot(other, place)
            for kind in range(position.num_kinds if slot != 0 else 0):
                planes[at + kind] = position.may_be(other, place, kind)
            at += position.num_kinds
            for colour in range(position.colours):
                planes[at + colour] = slot >> 16 & slot >> 6 + colour & 1
            at += position.colours
            for rank in range(position.ranks):
                planes[at + rank] = slot >> 17 & slot >> 11 + rank & 1
            at += position.ranks


PRINTED = """
    **Board.** A line for each player tells the cards, oldest first, each with the colours and ranks
    that its owner cannot rule out by hints: R1:RYB1 is a red 1 of which its owner knows the rank,
    and that it is red, yellow or blue. Own cards are ??, or what was told, R? or ?1. > marks
    the player to move. Below are the highest card of each firework, the hints and lives that are
    left, the number of cards in the deck, and the discarded cards.
"""
"""How boards are printed, for ``rules``."""
