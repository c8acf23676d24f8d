"""Kuhn poker: the smallest poker, with one card each and a single bet.

Each player pays a chip, and a bet is one more. ``cards`` has a hexadecimal digit for each player,
and ``bets`` a bit for each action after the deal. After "Q K pass bet"::

      player      1 0              action    1 0
      cards  = 0x 3 2              bets = 0b 1 0     ply = 4: two cards, two actions
                  K Q                       bet pass

A card is its rank, 1 for the lowest; 0 is a card that lies face down or has not been dealt. So what
player 0 sees of this position is the same with ``cards = 0x02``.

Source: H. W. Kuhn, A Simplified Two-Person Poker, Contributions to the Theory of Games 1 (1950),
97-103.
"""

from __future__ import annotations

from math import perm
from typing import Any

from adv_envs.bits import count, digit, lowest, nth
from adv_envs.position import (
    CHANCE,
    NEVER,
    Example,
    Position,
    counted,
    reflowed,
    require_between,
    winners_of,
)
from adv_envs.random import advanced, below

RANKS = "23456789TJQKA"


def rank_names(number: int) -> str:
    """Returns the names of ``number`` ranks, the lowest first: JQK, JQKA, TJQKA and so on."""
    return "JQK" if number == 3 else RANKS[-number:]


def chips_won(position: Position) -> str:
    """Returns what the only winner of a finished game has won, " 2 chips"; "" if several have."""
    winners = winners_of(position)
    won = position.utility(winners[0])
    return f" {won:g} chip{'' if won == 1 else 's'}" if len(winners) == 1 else ""


class Kuhn(Position):
    """Represents a position of Kuhn poker; ``Kuhn(players=2)`` is the start.

    Actions are 0, pass, and 1, bet. The deal is by chance, a card to each player in turn, and its
    action a is the card of rank a + 1. The utility is what a player has won, in chips. Raises
    ValueError unless players is 2 to 10.
    """

    players: int = 2
    cards: int = 0
    bets: int = 0
    ply: int = 0
    parameters = ("players",)
    parameter_words = (("Players", "How many play."),)

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def num_actions(self) -> int:
        """Returns the number of cards; pass and bet are the first two actions."""
        return self.players + 1

    @property
    def max_utility(self) -> int:
        """Returns the most that a player can win: two chips from each of the others."""
        return 2 * (self.players - 1)

    @property
    def to_move(self) -> int:
        """Returns chance, which deals; then the players in turn."""
        return CHANCE if self.ply < self.players else self.ply % self.players

    def card(self, player: int) -> int:
        """Returns the rank of a player's card, 1 the lowest; 0 if it is face down or not dealt."""
        return digit(self.cards, player)

    def has_bet(self, player: int) -> bool:
        """Returns whether a player has bet or called."""
        return (self.bets >> player | self.bets >> player + self.players) % 2 == 1

    def chips(self, player: int) -> int:
        """Returns what a player has put into the pot."""
        return 2 if self.has_bet(player) else 1

    def unseen(self) -> int:
        """Returns the cards in the deck and those that lie face down, as a set: bit r is rank r."""
        cards = (2 << self.players + 1) - 2
        for player in range(self.players):
            cards &= ~(1 << self.card(player))
        return cards

    def legal(self, action: int) -> bool:
        """Allows any card that is still in the deck, then pass and bet."""
        if self.ply < self.players:
            return self.unseen() >> action + 1 & 1 != 0
        return action < 2

    def probability(self, action: int) -> float:
        """Returns the chance of a card: all that are not seen are as likely."""
        unseen = self.unseen()
        return 1.0 / count(unseen) if unseen >> action + 1 & 1 != 0 else 0.0

    def play(self, action: int) -> Kuhn:
        """Deals a card, passes or bets."""
        cards, bets = self.cards, self.bets
        if self.ply < self.players:
            cards |= action + 1 << 4 * self.ply
        else:
            bets |= action << self.ply - self.players
        return Kuhn(self.players, cards, bets, self.ply + 1)

    def is_terminal(self) -> bool:
        """Tests whether all have passed, or all have answered the first bet."""
        acted = self.ply - self.players
        return acted == self.players + (lowest(self.bets) if self.bets != 0 else 0)

    def contends(self, player: int) -> bool:
        """Returns whether a player of a finished game can win the pot: those who bet, or all."""
        return self.bets == 0 or self.has_bet(player)

    def is_shown(self, player: int) -> bool:
        """Returns whether the game is over and a player had to show the card: two contend."""
        if not self.is_terminal() or not self.contends(player):
            return False
        for other in range(self.players):
            if other != player and self.contends(other):
                return True
        return False

    def utility(self, player: int) -> float:
        """Returns the pot, for the highest card that contends, less what the player put in."""
        winner, best, pot = 0, -1, 0
        for other in range(self.players):
            pot += self.chips(other)
            if self.contends(other) and self.card(other) > best:
                winner, best = other, self.card(other)
        return (pot if player == winner else 0.0) - self.chips(player)

    def hidden(self, player: int) -> Kuhn:
        """Turns the other cards face down, but for those that are shown at the end."""
        cards = 0
        for other in range(self.players):
            if other == player or self.is_shown(other):
                cards |= self.card(other) << 4 * other
        return Kuhn(self.players, cards, self.bets, self.ply)

    def seen_after(self, player: int, action: int) -> int:
        """Shows a card to its owner only; what is bet is seen by everybody."""
        return NEVER if self.ply < self.players and self.ply != player else 0

    def determinized(self, player: int, state: int) -> Kuhn:
        """Deals the cards that are face down, every deal as likely."""
        full = self
        for other in range(min(self.ply, self.players)):
            if full.card(other) == 0:
                unseen = full.unseen()
                rank = nth(unseen, below(state, count(unseen)))
                cards = full.cards | rank << 4 * other
                full, state = Kuhn(self.players, cards, self.bets, self.ply), advanced(state)
        return full

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (6 * players - 1,): who one is, the own card, for each action pass or bet."""
        return (6 * self.players - 1,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes the player, the card and each action, one-hot, as OpenSpiel's tensor does."""
        planes[player] = 1
        if self.card(player) > 0:
            planes[self.players + self.card(player) - 1] = 1
        for i in range(self.ply - self.players):
            planes[2 * self.players + 1 + 2 * i + (self.bets >> i & 1)] = 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        return super().result_text() + chips_won(self)

    def turn_text(self) -> str:
        return "A card is dealt" if self.to_move == CHANCE else super().turn_text()

    def rules(self) -> str:
        ranks = " ".join(rank_names(self.players + 1))
        return reflowed(f"""
            **Goal.** Win chips. The {self.players} players put one chip each, the ante, into the
            pot. Then each is dealt one card of a deck of {self.players + 1}, one of each rank, from
            the lowest to the highest: {ranks}. The deal is a move of chance; the last card is not
            used.

            **Moves.** The players take turns, and player 0 begins. While nobody has bet, the player
            to move chooses `pass`, or `bet` and puts one more chip into the pot. Once somebody has
            bet, each of the others has one more move, in turn: `bet` to call, with one more chip,
            or `pass` to fold and be out. Nobody can raise.

            **Hidden.** A player sees only the own card. Everybody sees what is bet. At the end the
            cards are shown of those who compare them: two or more players who have bet or called,
            or all if nobody has bet. If everybody else has folded, no card is shown.

            **End.** The game is over when all have passed, or all others have answered the bet. The
            highest card takes the pot: of those who have bet or called, or of all if nobody has
            bet. A player gets the chips won: the pot, if it is taken, less the chips put in.

            **Notation.** A move is `pass` or `bet`. Also read are check for a pass before a bet,
            and after it call for a bet and fold for a pass. A card that is dealt is written as its
            rank.

            **Board.** A line for each player tells the card, ? if it is face down and - if it is
            not dealt yet, and the chips put in; > marks the player to move. The last line tells
            all moves in order.
            """)

    example = Example("""
        Q is dealt to player 0
        K is dealt to player 1
        pass
        bet now player 0 must call or fold
        """)

    def name(self, action: int) -> str:
        """Returns pass or bet, or the rank that is dealt."""
        if self.ply < self.players:
            return rank_names(self.players + 1)[action]
        return "bet" if action == 1 else "pass"

    def alias(self, name: str) -> int | None:
        """Reads the words of poker: after a bet "call" and "fold", before it "check"."""
        words = {"call": 1, "fold": 0} if self.bets != 0 else {"check": 0}
        return None if self.to_move == CHANCE else words.get(name.lower())

    def check(self) -> None:
        require_between("players", self.players, 2, 10)
        require_between("ply", self.ply, 0, 3 * self.players - 1)
        dealt, acted = min(self.ply, self.players), max(self.ply - self.players, 0)
        require_between("bets", self.bets, 0, (1 << acted) - 1)
        first = lowest(self.bets) if self.bets != 0 else 0
        if first >= self.players or acted > self.players + first:
            raise ValueError("bets and ply go on after the end of the game: use after()")
        require_between("cards", self.cards, 0, (1 << 4 * dealt) - 1)
        seen = [self.card(player) for player in range(dealt) if self.card(player) > 0]
        if len(set(seen)) < len(seen) or max(seen, default=0) > self.players + 1:
            raise ValueError(
                f"the digits of cards must be different ranks, 1 to {self.players + 1}, or 0, face "
                f"down, not {self.cards:#x}"
            )
        if any(self.is_shown(player) and self.card(player) == 0 for player in range(dealt)):
            raise ValueError("the game is over: the cards of those who have bet must be face up")

    def state_space(self) -> int:
        """Returns how many positions there are, whose cards are all face up."""
        deals = [perm(self.players + 1, dealt) for dealt in range(self.players + 1)]
        after_bets = self.players * ((1 << self.players) - 1)
        return sum(deals[:-1]) + deals[-1] * (self.players + 1 + after_bets)

    def actions_taken(self) -> list[str]:
        """Returns the names of the actions after the deal."""
        return [("pass", "bet")[self.bets >> i & 1] for i in range(self.ply - self.players)]

    def __str__(self) -> str:
        lines = []
        for player in range(self.players):
            card = ("?" if player < self.ply else "-") + rank_names(self.players + 1)
            here = ">" if player == self.to_move and not self.is_terminal() else " "
            lines.append(
                f"{here} player {player}  {card[self.card(player)]}  "
                f"{counted(self.chips(player), 'chip')}"
            )
        return "\n".join([*lines, " ".join(["  bets:", *self.actions_taken()])])
