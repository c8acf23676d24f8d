"""Leduc hold'em: a small poker, with one card each, one for all and two rounds of betting.

Each round has two raises at most. ``cards`` has five bits for each player and then for the public
card; ``first`` and ``second`` are the actions of the two rounds, two bits each, the latest lowest,
after a leading 1. After "Js Qh raise call Kh check raise"::

                public  1     0                              action       0    1
      cards = 0b 00110 00100 00001              first  = 0b    1          01   00
                   Kh    Qh    Js                           (leading)   raise  call
      action   0 call 1 raise 2 fold 3 check    second = 0b    1          11   01
                                                            (leading)   check  raise

A card is 2 * rank + suit + 1 (Js 1, Jh 2, Qs 3, ...); 0 is a card that lies face down or has not
been dealt. ``stakes`` has a hexadecimal digit for each player, the chips put in: here 0x73.

Source: F. Southey et al., Bayes' Bluff: Opponent Modelling in Poker, UAI (2005), 550-558.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, digit, nth
from adv_envs.position import (
    CHANCE,
    NEVER,
    Example,
    Position,
    counted,
    reflowed,
    require_between,
)
from adv_envs.random import advanced, below

from .kuhn import chips_won, rank_names

CALL, RAISE, FOLD, CHECK = range(4)
NAMES = "call", "raise", "fold", "check"
LOW_BITS = 0x1555555555555555
"""The lower one of each pair of bits."""


class Leduc(Position):
    """Represents a position of Leduc hold'em; ``Leduc(players=2, blinds=False)`` is the start.

    Actions are 0, call, 1, raise, 2, fold, and 3, check, as in PettingZoo; the deal is by chance,
    and its action a is card a + 1. The utility is what a player has won, in chips.

    With ``blinds`` the rules are those of RLCard and PettingZoo: player 0 begins with one chip in
    the pot and player 1 with two, one may fold also where one could check, and in the second round
    the player after the last one to act begins, instead of player 0. Raises ValueError unless
    players is 2 to 10, or 2 with blinds.
    """

    players: int = 2
    blinds: bool = False
    cards: int = 0
    first: int = 1
    second: int = 1
    stakes: int = 0
    folded: int = 0  # bit p: player p has folded
    turn: int = 0  # the next player to act
    waiting: int = 0  # how many have still to act in this round, if nobody raises
    ply: int = 0
    parameters = ("players", "blinds")
    parameter_words = (
        ("Players", "How many play."),
        ("Blinds", "Begin with one and two chips in the pot, as PettingZoo does."),
    )

    def set_up(self) -> Leduc:
        """Returns the stakes before the deal, if they were not given: the ante, or the blinds."""
        if self.stakes != 0:
            return self
        require_between("players", self.players, 2, 10)
        stakes = 0x21 if self.blinds else int("1" * self.players, 16)
        start: Leduc = self._replace(stakes=stakes)
        return start

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def num_actions(self) -> int:
        """Returns the number of cards, two of each rank; call, raise, fold, check come first."""
        return 2 * (self.players + 1)

    @property
    def max_utility(self) -> int:
        """Returns the most that a player can win: all that each of the others can put in."""
        return (14 if self.blinds else 13) * (self.players - 1)

    @property
    def to_move(self) -> int:
        """Returns chance, which deals, where nobody has to act any more."""
        return CHANCE if self.waiting == 0 else self.turn

    def card(self, player: int) -> int:
        """Returns a player's card, that of ``players`` the public one; 0 if it is not seen."""
        return self.cards >> 5 * player & 31

    def chips(self, player: int) -> int:
        """Returns what a player has put into the pot."""
        return digit(self.stakes, player)

    def level(self) -> int:
        """Returns what everybody has to put into the pot to stay in."""
        most = 0
        for player in range(self.players):
            most = max(most, self.chips(player))
        return most

    def has_folded(self, player: int) -> bool:
        """Returns whether a player is out."""
        return self.folded >> player & 1 != 0

    def num_left(self) -> int:
        """Returns how many have not folded."""
        return self.players - count(self.folded)

    def num_raises(self) -> int:
        """Returns how often somebody has raised in this round."""
        actions = self.first if self.card(self.players) == 0 else self.second
        return count(actions & ~(actions >> 1) & LOW_BITS) - 1  # pairs 01, less the leading 1

    def unseen(self) -> int:
        """Returns the cards in the deck and those that lie face down, as a set: bit c is card c."""
        cards = (2 << self.num_actions) - 2
        for place in range(self.players + 1):
            cards &= ~(1 << self.card(place))
        return cards

    def legal(self, action: int) -> bool:
        """Allows any card that is still in the deck, then what the stakes allow."""
        if self.waiting == 0:
            return self.unseen() >> action + 1 & 1 != 0
        if action == RAISE:
            return self.num_raises() < 2
        behind = self.chips(self.turn) < self.level()
        if action == FOLD:
            return behind or self.blinds
        return action == (CALL if behind else CHECK)

    def probability(self, action: int) -> float:
        """Returns the chance of a card: all that are not seen are as likely."""
        unseen = self.unseen()
        return 1.0 / count(unseen) if unseen >> action + 1 & 1 != 0 else 0.0

    def play(self, action: int) -> Leduc:
        """Deals a card, or lets the player act."""
        return self.deal(action + 1) if self.waiting == 0 else self.act(action)

    def deal(self, card: int) -> Leduc:
        """Deals the next player's card, or the public one; with the last one betting begins."""
        place = min(self.ply, self.players)
        return Leduc(
            self.players,
            self.blinds,
            self.cards | card << 5 * place,
            self.first,
            self.second,
            self.stakes,
            self.folded,
            self.turn if self.blinds else self.next_left(self.folded, 0),
            self.num_left() if place >= self.players - 1 else 0,
            self.ply + 1,
        )

    def act(self, action: int) -> Leduc:
        """Calls, raises, folds or checks for the player to move; the turn passes on."""
        first, second, folded, waiting = self.first, self.second, self.folded, self.waiting
        stake, size = self.chips(self.turn), 4
        if self.card(self.players) == 0:
            first, size = first << 2 | action, 2
        else:
            second = second << 2 | action
        if action == FOLD:
            folded |= 1 << self.turn
        elif action == CALL:
            stake = self.level()
        elif action == RAISE:
            stake, waiting = self.level() + size, self.num_left()
        return Leduc(
            self.players,
            self.blinds,
            self.cards,
            first,
            second,
            self.stakes + (stake - self.chips(self.turn) << 4 * self.turn),
            folded,
            self.next_left(folded, (self.turn + 1) % self.players),
            waiting - 1,
            self.ply + 1,
        )

    def next_left(self, folded: int, player: int) -> int:
        """Returns ``player``, or the next one who has not folded."""
        while folded >> player & 1 != 0:
            player = (player + 1) % self.players
        return player

    def is_terminal(self) -> bool:
        """Tests whether all but one have folded, or the second round is over."""
        return self.num_left() == 1 or (self.waiting == 0 and self.card(self.players) != 0)

    def is_shown(self, player: int) -> bool:
        """Returns whether the game is over, and a player, not folded, had to show the card."""
        return self.is_terminal() and self.num_left() > 1 and not self.has_folded(player)

    def strength(self, player: int) -> int:
        """Returns a number that is higher for better cards; 0 for a player who has folded."""
        if self.has_folded(player):
            return 0
        rank, public = (self.card(player) + 1) // 2, (self.card(self.players) + 1) // 2
        return 1 + rank + (self.players + 1 if rank == public else 0)

    def utility(self, player: int) -> float:
        """Returns the pot, shared by the best cards of those in, less the own stake."""
        best, winners, pot = 0, 0, 0
        for other in range(self.players):
            pot += self.chips(other)
            strength = self.strength(other)
            if strength > best:
                best, winners = strength, 0
            winners += strength == best
        won = pot / winners if self.strength(player) == best else 0.0
        return won - self.chips(player)

    def hidden(self, player: int) -> Leduc:
        """Turns the others' cards face down, but for those that are shown at the end."""
        cards = self.card(self.players) << 5 * self.players
        for other in range(self.players):
            if other == player or self.is_shown(other):
                cards |= self.card(other) << 5 * other
        return self.with_cards(cards)

    def with_cards(self, cards: int) -> Leduc:
        """Returns the same moment of the game with other cards."""
        return Leduc(
            self.players,
            self.blinds,
            cards,
            self.first,
            self.second,
            self.stakes,
            self.folded,
            self.turn,
            self.waiting,
            self.ply,
        )

    def seen_after(self, player: int, action: int) -> int:
        """Shows a private card to its owner only; all else to everybody."""
        return NEVER if self.ply < self.players and self.ply != player else 0

    def determinized(self, player: int, state: int) -> Leduc:
        """Deals the cards that are face down, every deal as likely."""
        full = self
        for other in range(min(self.ply, self.players)):
            if full.card(other) == 0:
                unseen = full.unseen()
                card = nth(unseen, below(state, count(unseen)))
                full, state = full.with_cards(full.cards | card << 5 * other), advanced(state)
        return full

    @property
    def most_actions(self) -> int:
        """Counts the most actions of a round: all check, the last raises, then the one before."""
        return 3 * self.players - 2

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (17 * players - 4,): who one is, the own card, the public one, the actions."""
        return (5 * self.players + 4 + 4 * self.most_actions,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes one-hot the player, both cards, and each action: call or check, raise; none: fold.

        They are the numbers of OpenSpiel's tensor of an information state.
        """
        planes[player] = 1
        for i in range(2):
            card = self.card(player if i == 0 else self.players)
            if card > 0:
                planes[self.players + self.num_actions * i + card - 1] = 1
        at = self.players + 2 * self.num_actions
        for actions in (self.first, self.second):
            number = num_taken(actions)
            for i in range(number):
                action = actions >> 2 * (number - 1 - i) & 3
                if action != FOLD:
                    planes[at + 2 * i + (action == RAISE)] = 1
            at += 2 * self.most_actions

    # ---- not needed by the rules

    def result_text(self) -> str:
        return super().result_text() + chips_won(self)

    def turn_text(self) -> str:
        return "A card is dealt" if self.to_move == CHANCE else super().turn_text()

    def rules(self) -> str:
        ante, fold, first = ANTE
        if self.blinds:
            ante, fold, first = BLINDS
        ranks = " ".join(rank_names(self.players + 1))
        return reflowed(f"""
            **Goal.** Win chips. There are {self.players} players. {ante} Each is dealt one card of
            a deck with two cards, s and h, of each rank, from the lowest to the highest: {ranks}.
            Deals are moves of chance.

            **Moves.** There are two rounds of betting, the second after a public card is turned up.
            Player 0 begins the first round; the second is begun by {first}. The players who are in
            take turns. A player who has put in less than another must `call`, which puts in as
            much, `raise`, or `fold` and be out; one who has not may `check` or `raise`{fold}. A
            raise puts in 2 chips more than the most so far in the first round, 4 in the second.
            There are at most two raises in a round. A round ends when all who are in have moved
            since the last raise.

            **Hidden.** A player sees the own card and the public one. Everybody sees what is bet.
            At the end the cards of those who are in are shown if they are two or more.

            **End.** The game is over when all but one have folded, who takes the pot, or after the
            second round. Then a pair with the public card is best, and after that the higher card;
            equal ranks share the pot. A player gets the chips won: the share of the pot less the
            chips put in.

            **Notation.** A move is `call`, `raise`, `fold` or `check`; bet is read for the first
            raise of a round. A card that is dealt is a rank and s or h: `Js`.

            {PRINTED}
            """)

    @property
    def example(self) -> Example:
        return Example(f"""
            Js is dealt to player 0
            Qh is dealt to player 1
            raise player 0 has put in {3 + self.blinds} chips
            call so has player 1, which ends the first round
            Kh is turned up for both
            check
            raise player 1 has put in {7 + self.blinds} chips
            """)

    def name(self, action: int) -> str:
        """Returns what a player does, or the card that is dealt: "Js" and "Jh" for the jacks."""
        return self.card_name(action + 1) if self.waiting == 0 else NAMES[action]

    def card_name(self, card: int) -> str:
        """Returns a card's rank and suit; "?" if it is not seen."""
        rank, suit = divmod(card - 1, 2)
        return rank_names(self.players + 1)[rank] + "sh"[suit] if card > 0 else "?"

    def alias(self, name: str) -> int | None:
        """Reads "bet", another name of a first raise."""
        here = self.to_move != CHANCE and not self.is_terminal() and self.num_raises() == 0
        return RAISE if here and name.lower() == "bet" else None

    def check(self) -> None:
        require_between("players", self.players, 2, 10)
        if self.blinds and self.players != 2:
            raise ValueError(f"with blinds players must be 2, not {self.players}")
        dealt = [self.card(place) for place in range(self.players + 1)]
        seen = [card for card in dealt if card > 0]
        if len(set(seen)) < len(seen) or max(seen, default=0) > self.num_actions:
            raise ValueError(
                f"cards must be different ones, five bits each: 1 to {self.num_actions}, or 0, "
                f"face down, not {dealt}"
            )
        if self._replayed(dealt) != self:
            raise ValueError("the fields must fit each other and the game: use after()")
        if any(self.is_shown(player) and dealt[player] == 0 for player in range(self.players)):
            raise ValueError("the game is over: the cards of those who stayed must be face up")

    def _replayed(self, dealt: list[int]) -> Leduc | None:
        """Returns the position after these cards and actions; None if they are not allowed."""
        position = Leduc(self.players, self.blinds, 0, 1, 1, 0, 0, 0, 0, 0).set_up()
        for card in dealt[: min(max(self.ply, 0), self.players)]:
            position = position.deal(card)
        for public, actions in ((0, self.first), (dealt[-1], self.second)):
            if public > 0:
                if position.is_terminal() or position.to_move != CHANCE:
                    return None
                position = position.deal(public)
            for action in actions_of(actions):
                over = position.is_terminal() or position.to_move == CHANCE
                if over or not position.legal(action):
                    return None
                position = position.act(action)
        return position

    def __str__(self) -> str:
        lines = []
        for player in range(self.players):
            here = player == self.to_move and not self.is_terminal()
            card = self.card_name(self.card(player)) if player < self.ply else "-"
            out = ", folded" if self.has_folded(player) else ""
            start = f"{'>' if here else ' '} player {player}"
            chips = counted(self.chips(player), "chip")
            lines.append(f"{start}  {card:2}  {chips}{out}")
        public = self.card(self.players)
        lines.append(f"  public    {self.card_name(public) if public else '-'}")
        for number, actions in enumerate((self.first, self.second), 1):
            taken = [NAMES[action] for action in actions_of(actions)]
            lines.append(" ".join([f"  round {number}: ", *taken]).rstrip())
        return "\n".join(lines)

    def actions_taken(self) -> list[list[tuple[int, int]]]:
        """Returns the players and their actions in both rounds."""
        rounds: list[list[tuple[int, int]]] = []
        folded = player = 0
        for actions in (self.first, self.second):
            rounds.append([])
            player = player if self.blinds else self.next_left(folded, 0)
            for action in actions_of(actions):
                rounds[-1].append((player, action))
                folded |= (action == FOLD) << player
                player = self.next_left(folded, (player + 1) % self.players)
        return rounds


def num_taken(actions: int) -> int:
    """Returns how many actions a round's integer holds."""
    number = 0
    while actions >> 2 * number > 3:
        number += 1
    return number


def actions_of(actions: int) -> list[int]:
    """Returns the actions of a round, the first one first."""
    number = num_taken(actions)
    return [actions >> 2 * (number - 1 - i) & 3 for i in range(number)]


ANTE = (
    "Each puts one chip, the ante, into the pot.",
    "",
    "player 0, or the next one who has not folded",
)
BLINDS = (
    "Player 0 puts one chip into the pot and player 1 two: the blinds.",
    ", or even `fold`",
    "the player after the last one to move",
)
"""What is put in at the start, whether one may fold without need, and who begins round two."""


PRINTED = """
    **Board.** A line for each player tells the card, ? if it is face down and - if it is not dealt
    yet, and the chips put in; > marks the player to move. Below are the public card and the moves
    of both rounds.
"""
"""How boards are printed, for ``rules``."""
