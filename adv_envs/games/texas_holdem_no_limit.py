"""Texas hold'em without limit: a player may bet all chips at any time.

The deal, the pots and what players see are said in ``holdem.py``. A raise is by half the pot, by
the pot, each counted after a call, or of all chips; or, with ``amounts="all"``, to any number of
chips.
"""

from __future__ import annotations

from typing import Any

from adv_envs.position import Example, Words, require_between

from .holdem import Holdem
from .holdem_words import holdem_rules

FOLD, CALL, HALF_POT, POT, ALL_IN = range(5)
LEAST_AMOUNT = 2
"""With all amounts, the first action that is a raise to as many chips."""
MOST_CAP = 60


class TexasHoldemNoLimit(Holdem):
    """Represents a position of no-limit hold'em; ``TexasHoldemNoLimit(2, 100)`` is the start.

    Actions are 0, fold, 1, check or call, 2, raise by half the pot, 3, by the pot, and 4, all in,
    as in PettingZoo. With ``amounts="all"`` action a above 1 puts in a chips in all. The deal is by
    chance, and its action a is card a of ``poker_hands``. The utility is what a player has won, in
    chips.

    ``stacks`` is 0, or three decimal digits for each of at most six players: their chips, such as
    100_050_200, instead of ``stack``. ``raises`` is the most bets of a round, 0 for no end. With
    ``rlcard`` the rules are those of RLCard and PettingZoo: a raise puts in half the pot, or the
    pot, as it is, however small; one may fold also where one could check; and with two players
    player 0 begins every round. Raises ValueError for what is no game, such as 11 players.
    """

    amounts: Words = Words("pot", "all")
    parameters = (*Holdem.parameters, "amounts")
    parameter_words = (
        ("Players", "How many play."),
        ("Chips", "The chips of each player at the start."),
        ("Own chips", "Three digits for each player, such as 100050200; 0: all have the same."),
        ("Small blind", "What the player to the left of the button puts in."),
        ("Big blind", "What the next player puts in; also the least bet."),
        ("Bets", "How many bets and raises a round may have; 0: as many as the chips allow."),
        ("RLCard's rules", "Plays by the rules of RLCard, as PettingZoo does."),
        ("Amounts", "Raise by parts of the pot, or to any number of chips."),
    )

    def with_state(
        self, cards: int, dealt: int, history: int, stakes: int, folded: int, raised: int,
        size: int, acted: int, turn: int, waiting: int, ply: int,
    ) -> TexasHoldemNoLimit:  # fmt: skip
        return TexasHoldemNoLimit(
            self.players, self.stack, self.stacks, self.small_blind, self.big_blind, self.raises,
            self.rlcard, self.amounts, cards, dealt, history, stakes, folded, raised, size, acted,
            turn, waiting, ply,
        )  # fmt: skip

    @property
    def most_chips(self) -> int:
        """Returns the chips of the player who has most."""
        most = 0
        for player in range(self.players):
            most = max(most, self.stack_of(player))
        return most

    @property
    def num_actions(self) -> int:
        """Returns the number of cards, or of amounts, if these are more."""
        return max(52, self.num_moves)

    @property
    def num_moves(self) -> int:
        """Counts what a player may do: five actions, or as many as there are amounts."""
        return 5 if self.amounts == 0 else self.most_chips + 1

    @property
    def action_bits(self) -> int:
        """Returns the room for an action: as many as there are amounts."""
        bits, most = 0, 4 if self.amounts == 0 else self.most_chips
        while most >> bits != 0:
            bits += 1
        return bits

    @property
    def most_raises(self) -> int:
        """Bounds the raises: each is at least a big blind, or half of the pot, or all in.

        Not all players can raise all in: there must be another one to answer.
        """
        number = self.players - 1
        if self.amounts != 0:
            number += self.most_chips // self.big_blind
        else:
            pot = self.small_blind + self.big_blind
            while pot < self.players * self.most_chips:
                pot += max(pot // 2, 1)
                number += 1
        return number if self.raises == 0 else min(number, 4 * self.raises)

    @property
    def most_bet(self) -> int:
        """Returns the most chips that there are."""
        return self.most_chips

    @property
    def keeps_turn(self) -> bool:
        """Returns False: rounds begin to the left of the button."""
        return False

    def bet_size(self, street: int) -> int:
        """Returns the big blind."""
        return self.big_blind

    def is_fold(self, action: int) -> bool:
        """Returns whether the action is to fold."""
        return action == FOLD

    def is_raise(self, action: int) -> bool:
        """Returns whether the action is neither to fold nor to call."""
        return action > CALL

    def raises_to(self, action: int) -> int:
        """Returns the stake after a raise, which may be more than there are chips."""
        if self.amounts != 0:
            return action
        if action == ALL_IN:
            return self.stack_of(self.turn)
        pot, level, mine = self.pot(), self.level(), self.chips(self.turn)
        if self.rlcard:
            return mine + (pot if action == POT else pot // 2)
        pot += level - mine
        return level + max(self.size, pot if action == POT else pot // 2)

    def allows(self, action: int) -> bool:
        """Allows to check or call, to fold, and to raise by what is a raise and is there."""
        level = self.level()
        if action == FOLD:
            return self.chips(self.turn) < level or self.rlcard
        if action == CALL:
            return True
        if self.amounts == 0 and action > ALL_IN:
            return False
        stack, to = self.stack_of(self.turn), self.raises_to(action)
        if self.rlcard:
            return self.raises_left() and level < to <= stack
        if not self.may_raise() or to > stack:
            return False
        if self.amounts != 0:
            return to >= level + self.size or to == stack
        if action == ALL_IN:
            return True
        return to < stack and (action == HALF_POT or to > self.raises_to(HALF_POT))

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (54 + 4 * players,): PettingZoo's 54 numbers, then four for each seat."""
        return (54 + 4 * self.players,)

    @property
    def observation_high(self) -> tuple[int, ...]:
        """Returns 1 for cards, and the most chips that there are for numbers of chips."""
        return (1,) * 52 + (self.most_chips,) * 2 + self.table_high

    def observe(self, player: int, planes: Any) -> None:
        """Writes the cards that are seen, the own chips in the pot, the most of any, and the table.

        The first 54 numbers are those of PettingZoo's texas_holdem_no_limit_v6.
        """
        self.mark_cards(player, planes)
        planes[52] = self.chips(player)
        planes[53] = self.level()
        self.mark_table(player, planes, 54)

    # ---- not needed by the rules

    def check_parameters(self) -> None:
        """Raises ValueError unless the parameters say a game."""
        require_between("raises", self.raises, 0, MOST_CAP)
        if self.rlcard and self.amounts != 0:
            raise ValueError("with rlcard amounts must be 'pot'")
        super().check_parameters()

    def rules(self) -> str:
        return holdem_rules(self, "raise", self.raise_rules(), self.move_words())

    def raise_rules(self) -> str:
        """Returns, for ``rules``, what a raise may be."""
        cap = f" A round has at most {self.raises} bets." if self.raises != 0 else ""
        if self.rlcard:
            return f"`half-pot` puts in half of the pot, `pot` the pot, `all-in` all chips.{cap}"
        least = (
            "A bet is at least the big blind, and a raise at least as large as the last one of the "
            "round. A player with fewer chips may go all in; this does not let those raise again "
            f"who have acted and do not face a whole raise.{cap}"
        )
        if self.amounts != 0:
            return f"`raise12` puts in so many chips that they are 12 in all. {least}"
        return (
            "`half-pot` and `pot` raise by half of the pot, or the pot, as it is after a call; "
            f"`all-in` puts in all chips. {least}"
        )

    def move_words(self) -> str:
        """Returns, for ``rules``, how moves are written."""
        if self.amounts != 0:
            return "`fold`, `check`, `call`, or `raise` and the chips put in after it: `raise12`"
        return "`fold`, `check`, `call`, `half-pot`, `pot` or `all-in`"

    @property
    def example(self) -> Example:
        more = "all-in player 0 puts in all chips"
        called = "so does player 1, and the other cards are dealt"
        if self.amounts != 0:
            more = f"raise{2 * self.big_blind} player 0 has put in {2 * self.big_blind} chips"
            called = "so has player 1, which ends the first round"
        return Example(
            f"""
            Ah is dealt to player 0
            7c is dealt to player 1
            Ad
            7d
            {more}
            call {called}
            """
        )

    def action_name(self, action: int) -> str:
        """Returns fold, check, call, half-pot, pot, all-in, or raise and the chips put in."""
        if action == CALL:
            return "call" if self.chips(self.turn) < self.level() else "check"
        if self.amounts != 0 and action >= LEAST_AMOUNT:
            return f"raise{action}"
        return ("fold", "", "half-pot", "pot", "all-in")[min(action, ALL_IN)]

    def alias(self, name: str) -> int | None:
        """Reads "allin", "r12" and "bet12", and cards in other cases."""
        if self.waiting == 0:
            return super().alias(name)
        text = name.lower().replace(" ", "").replace("-", "")
        if text == "allin":
            return self.stack_of(self.turn) if self.amounts != 0 else ALL_IN
        for word in ("raiseto", "raise", "bet", "r"):
            if self.amounts != 0 and text.startswith(word) and text[len(word) :].isdecimal():
                return int(text[len(word) :][:9])
        return None
