"""Limit Texas hold'em: two cards each, five for all, four rounds of betting.

The deal, the pots and what players see are said in ``holdem.py``. A bet or raise is the big blind
before and after the flop, and twice as much after the turn and the river. In a round there are at
most four bets; before the flop the big blind is the first of them.
"""

from __future__ import annotations

from typing import Any

from adv_envs.position import Example, require_between

from .holdem import Holdem
from .holdem_words import holdem_rules

CALL, RAISE, FOLD, CHECK = range(4)
NAMES = "call", "raise", "fold", "check"

SHORT_RAISE = (
    "A raise of all chips may be smaller; who has acted may raise again only against a whole bet."
)


class TexasHoldem(Holdem):
    """Represents a position of limit hold'em; ``TexasHoldem(players=2, stack=100)`` is the start.

    Actions are 0, call, 1, raise, 2, fold, and 3, check, as in PettingZoo; the deal is by chance,
    and its action a is card a of ``poker_hands``. The utility is what a player has won, in chips.

    ``stacks`` is 0, or three decimal digits for each of at most six players: their chips, such as
    100_050_200, instead of ``stack``. With ``rlcard`` the rules are those of RLCard and PettingZoo:
    one may fold also where one could check, each round is begun by the player after the last one to
    act, there are ``raises`` also before the flop, and after a fold another has to act once more.
    Raises ValueError for what is no game, such as 11 players.
    """

    raises: int = 4
    parameter_words = (
        ("Players", "How many play."),
        ("Chips", "The chips of each player at the start."),
        ("Own chips", "Three digits for each player, such as 100050200; 0: all have the same."),
        ("Small blind", "What the player to the left of the button puts in."),
        ("Big blind", "What the next player puts in; also the size of a bet."),
        ("Bets", "How many bets and raises a round may have."),
        ("RLCard's rules", "Plays by the rules of RLCard, as PettingZoo does."),
    )

    def with_state(
        self, cards: int, dealt: int, history: int, stakes: int, folded: int, raised: int,
        size: int, acted: int, turn: int, waiting: int, ply: int,
    ) -> TexasHoldem:  # fmt: skip
        return TexasHoldem(
            self.players, self.stack, self.stacks, self.small_blind, self.big_blind, self.raises,
            self.rlcard, cards, dealt, history, stakes, folded, raised, size, acted, turn, waiting,
            ply,
        )  # fmt: skip

    @property
    def num_actions(self) -> int:
        """Returns the number of cards; call, raise, fold and check come first."""
        return 52

    @property
    def num_moves(self) -> int:
        """Counts call, raise, fold and check."""
        return 4

    @property
    def action_bits(self) -> int:
        """Returns two bits for an action."""
        return 2

    @property
    def most_raises(self) -> int:
        """Counts the raises that four rounds may have."""
        return 4 * self.raises

    @property
    def most_bet(self) -> int:
        """Returns the most that the raises of four rounds come to."""
        first = 1 + self.raises_in(0)
        return self.big_blind * (first + self.raises + 2 * self.raises + 2 * self.raises)

    @property
    def keeps_turn(self) -> bool:
        """Returns whether rounds are begun and ended as RLCard does."""
        return self.rlcard

    def bet_size(self, street: int) -> int:
        """Returns the big blind, and twice as much from the turn on."""
        return self.big_blind if street < 2 else 2 * self.big_blind

    def is_fold(self, action: int) -> bool:
        """Returns whether the action is to fold."""
        return action == FOLD

    def is_raise(self, action: int) -> bool:
        """Returns whether the action is to raise."""
        return action == RAISE

    def raises_to(self, action: int) -> int:
        """Returns the stake after a raise: a bet more than the others', or all chips."""
        return min(self.level() + self.size, self.stack_of(self.turn))

    def allows(self, action: int) -> bool:
        """Allows to call or to check, to fold, and to raise if the round has bets left."""
        if action == RAISE:
            return self.raises_left() if self.rlcard else self.may_raise()
        behind = self.chips(self.turn) < self.level()
        if action == FOLD:
            return behind or self.rlcard
        return action == (CALL if behind else CHECK)

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (72 + 4 * players,): PettingZoo's 72 numbers, then four for each seat."""
        return (72 + 4 * self.players,)

    @property
    def observation_high(self) -> tuple[int, ...]:
        """Returns 1 for PettingZoo's numbers, and for the seats what chips there are."""
        return (1,) * 72 + self.table_high

    def observe(self, player: int, planes: Any) -> None:
        """Writes the cards that are seen, the raises of each round one-hot, and the table.

        The first 72 numbers are those of PettingZoo's texas_holdem_v4; a fifth raise counts as the
        fourth.
        """
        self.mark_cards(player, planes)
        for street in range(4):
            planes[52 + 5 * street + min(self.num_raises(street), 4)] = 1
        self.mark_table(player, planes, 72)

    # ---- not needed by the rules

    def check_parameters(self) -> None:
        """Raises ValueError unless the parameters say a game."""
        require_between("raises", self.raises, 1, 9)
        super().check_parameters()
        if self.rlcard and self.stack < self.most_bet:
            raise ValueError(
                f"with rlcard nobody is all in: stack must be at least {self.most_bet}"
            )

    def rules(self) -> str:
        first = "" if self.rlcard else ", of which the big blind is the first before the flop"
        raises = (
            f"A bet or raise puts in {self.big_blind} chips more than the most so far before and "
            f"after the flop, and {2 * self.big_blind} after the turn and the river. A round has "
            f"at most {self.raises} bets{first}."
        )
        if not self.rlcard:
            raises += " " + SHORT_RAISE
        moves = "`call`, `raise`, `fold` or `check`; bet is read for the first raise of a round"
        return holdem_rules(self, "`raise`", raises, moves)

    @property
    def example(self) -> Example:
        return Example(
            f"""
            Ah is dealt to player 0
            7c is dealt to player 1
            Ad
            7d
            raise player 0 has put in {2 * self.big_blind} chips
            call so has player 1, which ends the first round
            7h the flop begins
            """
        )

    def action_name(self, action: int) -> str:
        """Returns call, raise, fold or check."""
        return NAMES[action]

    def alias(self, name: str) -> int | None:
        """Reads "bet", another name of a first raise, and cards in other cases."""
        if self.waiting != 0 and name.lower() == "bet" and self.num_raises(self.street) == 0:
            return RAISE
        return super().alias(name)
