"""Goofspiel: bid one of your cards for each prize card; the higher bid takes the prize.

Player 0 bids first, and ``hidden`` keeps that bid from player 1 until both have bid. Then both see
the bids; or, if they are ``secret``, who has taken the prize, and the cards stay hidden to the end.
The last turn, in which nobody has a choice, is played at once. All sequences are numbers with a
hexadecimal digit for each turn, the first turn lowest. With 4 cards, prizes from the highest down,
after three bids::

                turn 4321
      first  =  0x     23      player 0 has bid 3, then 2
      second =  0x      1      player 1 has bid 1, and is to move
      taken  =  0x      1      taken by player 0 (1), by player 1 (2), by neither (3)
      prizes =  0x      0      kept where chance turns them up; here they are 4, 3, 2, 1

Source: S. Ross, Goofspiel: the game of pure strategy (Journal of Applied Probability, 1971).
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, lowest, nth
from adv_envs.position import CHANCE, NEVER, Example, Position, reflowed, require_between
from adv_envs.random import advanced, below


class Goofspiel(Position):
    """Represents a position; ``Goofspiel(cards=13, order=0, secret=False)`` is the start.

    ``order`` says how prizes are turned up: 0 by chance, 1 from the lowest, -1 from the highest.
    With ``margin`` the utility is half the difference in points, and not 1, 0 or -1. ``turns`` are
    played, or, if it is 0, as many as there are cards. Action a is to bid card a + 1, or for chance
    to turn up prize a + 1. Raises ValueError unless there are 2 to 15 cards, and 0 to cards turns.
    """

    cards: int = 13
    order: int = 0
    secret: bool = False
    margin: bool = False
    turns: int = 0
    prizes: int = 0
    first: int = 0  # the bids of player 0
    second: int = 0
    taken: int = 0
    ply: int = 0
    parameters = ("cards", "order", "secret", "margin", "turns")
    simultaneous = True
    parameter_words = (
        ("Cards", "How many cards each player has."),
        ("Order of prizes", "0: by chance; 1: the lowest first; -1: the highest first."),
        ("Secret bids", "Bids stay hidden; players see only who has won a prize."),
        ("Count the margin", "The result is by how many points a player wins, not only who wins."),
        ("Turns", "How many prizes are played for; 0: all."),
    )

    @property
    def num_actions(self) -> int:
        """Returns one action for each card; action a is card a + 1."""
        return self.cards

    @property
    def max_utility(self) -> float:
        """Returns 1 for a win or, with ``margin``, half of all points."""
        return self.cards * (self.cards + 1) / 4 if self.margin else 1.0

    @property
    def num_turns(self) -> int:
        """Returns how many prizes there are to bid for."""
        return self.turns if self.turns > 0 else self.cards

    @property
    def num_choices(self) -> int:
        """Counts the turns with a choice: not the last one, if all cards are bid."""
        return min(self.num_turns, self.cards - 1)

    @property
    def plies_each(self) -> int:
        """Returns the plies of a turn: two bids, and before them chance if the order is random."""
        return 3 if self.order == 0 else 2

    @property
    def turn(self) -> int:
        """Returns the number of turns in which both have bid."""
        if self.is_terminal():
            return self.num_turns
        return self.ply // self.plies_each

    @property
    def to_move(self) -> int:
        """Returns chance, which turns up a prize; then player 0 bids, and then player 1."""
        if self.order != 0 or self.is_terminal():
            return self.ply % 2
        return self.ply % 3 - 1

    def prize(self, turn: int) -> int:
        """Returns the prize of a turn, 0 being the first; 0 if it is not yet turned up."""
        if self.order == 0:
            return self.prizes >> 4 * turn & 15
        return turn + 1 if self.order == 1 else self.cards - turn

    def bid(self, player: int, turn: int) -> int:
        """Returns the card that a player bid; 0 if there is none, or if it is hidden."""
        return (self.first if player == 0 else self.second) >> 4 * turn & 15

    def bids(self, player: int) -> int:
        """Returns a player's bids, as a hexadecimal digit for each turn."""
        return self.first if player == 0 else self.second

    def left(self, played: int) -> int:
        """Returns the cards, bit a for card a + 1, not in ``played``, digits for some turns."""
        cards = (1 << self.cards) - 1
        while played != 0:
            if played & 15 != 0:
                cards &= ~(1 << (played & 15) - 1)
            played >>= 4
        return cards

    def choice_set(self) -> int:
        """Returns the legal actions as a set: the cards of the player to move, or prizes left."""
        player = self.to_move
        if player == CHANCE:
            return self.left(self.prizes)
        return self.left(self.bids(player))

    def legal(self, action: int) -> bool:
        """Tests whether the player to move still has the card, or the prize was not turned up."""
        return self.choice_set() >> action & 1 != 0

    def write_legal(self, actions: Any) -> int:
        """Lists the cards that are left."""
        number, cards = 0, self.choice_set()
        while cards != 0:
            actions[number] = lowest(cards)
            cards &= cards - 1
            number += 1
        return number

    def probability(self, action: int) -> float:
        """Returns the chance of a prize: all that are left are as likely."""
        prizes = self.left(self.prizes)
        return 1.0 / count(prizes) if prizes >> action & 1 != 0 else 0.0

    def play(self, action: int) -> Goofspiel:
        """Turns up a prize, or bids; plays the last turn where only one way is left."""
        player, place = self.to_move, 4 * (self.ply // self.plies_each)
        prizes, first, second, taken = self.prizes, self.first, self.second, self.taken
        if player == CHANCE:
            prizes |= action + 1 << place
        elif player == 0:
            first |= action + 1 << place
        else:
            second |= action + 1 << place
            taken |= taker(first >> place, action + 1) << place
        after = self.with_state(prizes, first, second, taken, self.ply + 1)
        if self.num_choices < self.num_turns and after.is_terminal():
            return after.with_last_turn()
        return after

    def with_last_turn(self) -> Goofspiel:
        """Returns the position after the cards and the prize that are left were played, too."""
        place, prizes = 4 * (self.cards - 1), self.prizes
        if self.order == 0:
            prizes |= lowest(self.left(prizes)) + 1 << place
        one, other = lowest(self.left(self.first)) + 1, lowest(self.left(self.second)) + 1
        first, second = self.first | one << place, self.second | other << place
        taken = self.taken | taker(one, other) << place
        return self.with_state(prizes, first, second, taken, self.ply)

    def with_state(self, prizes: int, first: int, second: int, taken: int, ply: int) -> Goofspiel:
        """Returns another position of the same game."""
        return Goofspiel(
            self.cards,
            self.order,
            self.secret,
            self.margin,
            self.turns,
            prizes,
            first,
            second,
            taken,
            ply,
        )

    def is_terminal(self) -> bool:
        """Tests whether the last bids are made."""
        return self.ply == self.num_choices * self.plies_each

    def points(self, player: int) -> int:
        """Returns the prizes that a player has taken, added up."""
        total = 0
        for turn in range(self.turn):
            if self.taken >> 4 * turn & 15 == player + 1:
                total += self.prize(turn)
        return total

    def utility(self, player: int) -> float:
        """Returns 1 for more points, -1 for fewer, 0 for as many; or half the difference."""
        ahead = self.points(player) - self.points(1 - player)
        if self.margin:
            return ahead / 2
        return 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0

    # ---- what a player sees

    def hidden(self, player: int) -> Goofspiel:
        """Hides the opponent's bid of this turn; if bids are secret, all of them."""
        if self.is_terminal():
            return self
        known = 0 if self.secret else (1 << 4 * self.turn) - 1
        return self.with_bids(1 - player, self.bids(1 - player) & known)

    def seen_after(self, player: int, action: int) -> int:
        """Shows prizes to all; the opponent's bid after both, unless it is secret."""
        if self.to_move in (CHANCE, player):
            return 0
        return NEVER if self.secret else player

    def with_bids(self, player: int, bids: int) -> Goofspiel:
        """Returns the same with other bids of a player."""
        first = bids if player == 0 else self.first
        second = bids if player == 1 else self.second
        return self.with_state(self.prizes, first, second, self.taken, self.ply)

    def determinized(self, player: int, state: int) -> Goofspiel:
        """Returns bids of the opponent that go with who took the prizes."""
        found, own, other = self.bids(1 - player), self.bids(player), 2 - player
        if self.secret:
            found = bids_behind(self.taken, own, other, self.cards, state)
        if player == 1 and self.to_move == 1:  # player 0 has made one more bid
            cards = self.left(found)
            for _ in range(self.turn):  # the numbers behind the other bids
                state = advanced(state)
            found |= nth(cards, below(state, count(cards))) + 1 << 4 * self.turn
        return self.with_bids(1 - player, found)

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns the number of elements, see ``observe``."""
        sums = self.cards * (self.cards + 1) // 2 + 1
        sequences = self.num_turns * (2 * self.cards + 2 if self.secret else self.cards)
        return (2 * sums + self.cards * (1 if self.secret else 2) + sequences,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes OpenSpiel's tensor of the information state, all of it as ones and zeros.

        The points of the player, one of 0, 1, .. ; those of the opponent; the own cards. If bids
        are secret, then for each turn who took its prize, player 0 or 1; for each turn its prize;
        and for each turn the own bid. If not, the own cards are followed by the opponent's, and
        the prize for each turn comes before both.
        """
        cards, turns = self.cards, self.num_turns
        sums = cards * (cards + 1) // 2 + 1
        planes[self.points(player)] = 1
        planes[sums + self.points(1 - player)] = 1
        place = 2 * sums if self.secret else 2 * sums + turns * cards
        past = (1 << 4 * self.turn) - 1
        write_set(self.left(self.bids(player) & past), cards, planes, place)
        if self.secret:
            place += cards
            for turn in range(self.turn):
                if self.taken >> 4 * turn & 15 != 3:
                    planes[place + 2 * turn + (self.taken >> 4 * turn & 15) - 1] = 1
            place += 2 * turns
        else:
            write_set(self.left(self.bids(1 - player) & past), cards, planes, place + cards)
            place = 2 * sums
        for turn in range(turns):
            if self.is_turned_up(turn):
                planes[place + turn * cards + self.prize(turn) - 1] = 1
            if self.secret and turn < self.turn:
                planes[place + (turns + turn) * cards + self.bid(player, turn) - 1] = 1

    def is_turned_up(self, turn: int) -> bool:
        """Returns whether the prize of a turn, 0 being the first, can be seen."""
        return self.prize(turn) != 0 if self.order == 0 else turn <= self.turn

    # ---- not needed by the rules

    def result_text(self) -> str:
        high, low = sorted((self.points(0), self.points(1)), reverse=True)
        return f"{super().result_text()}, {high} to {low}"

    def turn_text(self) -> str:
        player = self.to_move
        return "A prize is turned up" if player == CHANCE else f"{self.side_names[player]} to bid"

    def rules(self) -> str:
        last = f"The game has {self.num_turns} turns; cards that are left are not played."
        if self.num_turns == self.cards:
            last = "The last turn, in which nobody has a choice, is played at once."
        return reflowed(f"""
            **Goal.** Take prizes of more points than the other player. Each player holds the cards
            1 to {self.cards}, and the prizes are another set of cards 1 to {self.cards}.

            **Moves.** In each turn one prize is turned up, {TURNED_UP[self.order]}. Then both
            players bid one of their own cards at once: player 0 moves first, but player 1 does not
            see that bid before bidding. The higher card takes the prize, which is worth its number
            in points; if both bid the same, nobody takes it. Cards that are bid are gone. Nobody
            may pass. {last}

            **Hidden.** Prizes are seen by both as they are turned up. {SEEN[self.secret]}

            **End.** The game is over after the last turn. {RESULTS[self.margin]}

            **Notation.** A bid, or a prize that chance turns up, is written as the number of the
            card: `1` to `{self.cards}`.

            {PRINTED}
            """)

    @property
    def example(self) -> Example:
        turned_up = ("4 is turned up", "2 is turned up") if self.order == 0 else ("", "")
        return Example(
            f"""
            {turned_up[0]}
            3 is the bid of player 0
            1 player 1 bids less: player 0 takes the prize
            {turned_up[1]}
            2 is the bid of player 0 for the next prize
            """,
            cards=4,
            order=self.order,
        )

    def name(self, action: int) -> str:
        """Returns the number of the card."""
        return str(action + 1)

    def check(self) -> None:
        require_between("cards", self.cards, 2, 15)
        require_between("order", self.order, -1, 1)
        require_between("turns", self.turns, 0, self.cards)
        require_between("ply", self.ply, 0, self.num_choices * self.plies_each)
        turn, dealt = self.turn, self.turn if self.order == 0 else 0
        if self.order == 0 and self.to_move != CHANCE and not self.is_terminal():
            dealt += 1
        self._check_cards("prizes", self.prizes, dealt)
        unseen = self.secret and not self.is_terminal()  # the bids of one player may be
        if self.first != 0 or not unseen:
            bids = self.secret or self.first >> 4 * turn != 0  # not a view of player 1
            more = bids and self.to_move == 1 and not self.is_terminal()
            self._check_cards("first", self.first, turn + more)
        if self.second != 0 or not unseen:
            self._check_cards("second", self.second, turn)
        self._check_taken()

    def _check_cards(self, name: str, digits: int, number: int) -> None:
        """Raises ValueError unless ``number`` different cards were played."""
        cards = [digits >> 4 * i & 15 for i in range(number)] if digits >= 0 else [0]
        different = len(set(cards)) == number and digits >> 4 * number == 0
        if not different or not all(1 <= card <= self.cards for card in cards):
            raise ValueError(
                f"{name} must have {number} different hexadecimal digits 1 to {self.cards:x}, "
                f"not {digits:#x}"
            )

    def _check_taken(self) -> None:
        """Raises ValueError unless the higher bid took the prize of each turn."""
        if self.taken < 0 or self.taken >> 4 * self.turn:
            raise ValueError(f"taken must have {self.turn} hexadecimal digits, not {self.taken:#x}")
        for turn in range(self.turn):
            found, one, other = self.taken >> 4 * turn & 15, self.bid(0, turn), self.bid(1, turn)
            if not 1 <= found <= 3 or (one and other and found != taker(one, other)):
                raise ValueError(f"taken must say who took the prize of turn {turn + 1}")

    def __str__(self) -> str:
        prizes = [str(self.prize(i)) for i in range(self.num_turns) if self.is_turned_up(i)]
        lines = [("  prizes   ", prizes)]
        for player in (0, 1):
            here = player == self.to_move and not self.is_terminal()
            number = self.turn + (player == 0 and self.to_move == 1)
            won = [self.taken >> 4 * i & 15 == player + 1 for i in range(number)]
            bids = [f"{self.bid(player, i) or '?'}{'*' * won[i]}" for i in range(number)]
            lines.append((f"{'>' if here else ' '} player {player} ", bids))
        lines.append(("  points   ", [str(self.points(0)), str(self.points(1))]))
        text = (head + "".join(f"{word:<4}" for word in words) for head, words in lines)
        return "\n".join(map(str.rstrip, text))


def taker(first: int, second: int) -> int:
    """Returns who takes the prize: player 0 (1), player 1 (2) or nobody (3)."""
    return 1 if first > second else 2 if second > first else 3


def write_set(cards: int, number: int, planes: Any, place: int) -> None:
    """Writes a 1 for each of ``cards``, a set of up to ``number``, from a place of ``planes``."""
    for card in range(number):
        planes[place + card] = cards >> card & 1


# ---- what the opponent may have bid


def bids_behind(taken: int, own: int, other: int, cards: int, state: int) -> int:
    """Returns random bids of the opponent, given who took the prizes, own bids, ``other``.

    ``other`` is the digit of the opponent in ``taken``. All bids that can be have some chance.
    """
    free, below_own, above_own = known_cards(taken, own, other, cards)
    bids, place = 0, 0
    while taken >> place != 0:
        found = card = (own >> place & 15) - 1
        number, state = state, advanced(state)
        if taken >> place & 15 != 3:
            up = taken >> place & 15 == other
            below_own &= ~(1 << card)
            above_own &= ~(1 << card)
            choices = free & (-2 << card if up else (1 << card) - 1)
            found = nth(choices, below(number, count(choices)))
            while not can_bid(free ^ 1 << found, below_own, above_own):
                higher = choices & -2 << found
                found = lowest(higher if higher != 0 else choices)
            free ^= 1 << found
        bids |= found + 1 << place
        place += 4
    return bids


def known_cards(taken: int, own: int, other: int, cards: int) -> tuple[int, int, int]:
    """Returns the cards that ties do not tell of; the own cards that won; those that lost."""
    free, below_own, above_own = (1 << cards) - 1, 0, 0
    while taken != 0:
        card = 1 << (own & 15) - 1
        if taken & 15 == 3:
            free ^= card
        elif taken & 15 == other:
            above_own |= card
        else:
            below_own |= card
        own, taken = own >> 4, taken >> 4
    return free, below_own, above_own


def can_bid(free: int, below_own: int, above_own: int) -> bool:
    """Returns whether ``free`` cards can be lower and higher than own ones, each than one.

    By Hall's theorem: as each condition leaves the lowest or the highest cards, it is enough that
    for every card enough free ones are lower, and higher.
    """
    cards = below_own
    while cards != 0:
        card = cards & -cards
        if count(below_own & (card << 1) - 1) > count(free & card - 1):
            return False
        cards ^= card
    cards = above_own
    while cards != 0:
        card = cards & -cards
        if count(above_own & -card) > count(free & -card << 1):
            return False
        cards ^= card
    return True


TURNED_UP = {
    -1: "from the highest to the lowest",
    0: "by chance, each that is left as likely",
    1: "from the lowest to the highest",
}
"""How prizes are turned up, by ``order``, for ``rules``."""

SEEN = (
    "After both have bid, both see the two bids.",
    "Both are told who has taken the prize, but not the other's bid: all bids of the other player "
    "stay hidden until the end of the game.",
)
"""What players see of the bids: usually, and if they are ``secret``."""

RESULTS = (
    "The player with more points gets 1, the other -1; as many each are a draw, 0 to both.",
    "A player gets half the difference: own points minus the other's, divided by 2.",
)
"""What the game is worth: usually, and with ``margin``."""

PRINTED = """
    **Board.** The first line tells the prizes in the order of the turns, the next two the bids of
    each player below them: * marks the bid that took the prize, ? a bid that one does not see, and
    > the player to move. The last line tells the points of player 0 and of player 1.
"""
"""How boards are printed, for ``rules``."""
