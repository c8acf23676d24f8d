"""Limit Texas hold'em: two cards each, five for all, four rounds of betting.

The deal, the pots and what players see are said in ``holdem.py``. A bet or raise is the big blind
before and after the flop, and twice as much after the turn and the river. In a round there are at
most four bets; before the flop the big blind is the first of them.
"""

from __future__ import annotations

from typing import Annotated, Any

from adv_envs.position import Example, reflowed, require_between

from .holdem import Holdem

CALL, RAISE, FOLD, CHECK = range(4)
NAMES = "call", "raise", "fold", "check"


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

    players: int = 2
    stack: int = 100
    stacks: int = 0
    small_blind: int = 1
    big_blind: int = 2
    raises: int = 4
    rlcard: bool = False
    cards: Annotated[int, "card_bits"] = 0
    dealt: int = 0
    history: Annotated[int, "history_bits"] = 1
    stakes: Annotated[int, "stake_bits"] = 0
    folded: int = 0
    raised: int = 0
    size: int = 0
    acted: int = 0
    turn: int = 0
    waiting: int = 0
    ply: int = 0
    parameters = (
        "players", "stack", "stacks", "small_blind", "big_blind", "raises", "rlcard",
    )  # fmt: skip
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
        return reflowed(f"""
            **Goal.** Win chips with the best five of seven cards, or by making all others fold.
            {table_rules(self)}

            **Moves.** {
            turn_rules(self)
        } A player who has put in less than another must `call`, which puts in as much,
            `raise`, or `fold` and be out; one who has not may `check` or `raise`{
            ", or even fold" if self.rlcard else ""
        }. A bet or raise puts in {self.big_blind} chips more than the most so far before and after
            the flop, and {2 * self.big_blind} after the turn and the river. A round has at most
            {self.raises} bets{
            "" if self.rlcard else ", of which the big blind is the first before the flop"
        }. {"" if self.rlcard else SHORT_RULES}

            {SHOWDOWN_RULES}

            **Notation.** A move is `call`, `raise`, `fold` or `check`; bet is read for the first
            raise of a round. A card is a rank and a suit: `Ah`, `Td`, `7c`.

            {PRINTED}
            """)

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


def table_rules(game: Holdem) -> str:
    """Returns, for ``rules``, what is common to games of hold'em: the seats and the deal."""
    chips = ", ".join(str(game.stack_of(player)) for player in range(game.players))
    have = f"Each has {game.stack} chips" if game.stacks == 0 else f"They have {chips} chips"
    button = "Player 0 has the button. " if game.players == 2 and not game.rlcard else ""
    return f"""
        There are {game.players} players. {have}. {button}Player 0 posts the small blind of
        {game.small_blind} and player 1 the big blind of {game.big_blind}. Each is dealt two cards
        of a deck of 52, one after the other. Deals are moves of chance.
        """.strip()


def turn_rules(game: Holdem) -> str:
    """Returns, for ``rules``, what is common to games of hold'em: the rounds, and who acts."""
    after = "player 1 begins" if game.players == 2 else "the first who is in from player 0 on does"
    if game.keeps_turn:
        after = "the player after the last one to act does"
    elif game.rlcard:
        after = "the first who is in from player 0 on does"
    return f"""
        There are four rounds of betting: now, after the flop of three cards for all, after a
        fourth card, the turn, and after a fifth, the river. Player {2 % game.players} begins the
        first round; in the others {after}. The players who are in and have chips take turns. A
        round ends when all of them have acted since the last raise and have put in as much as it
        asks. One who has not enough chips puts in all and is all in.
        """.strip()


SHORT_RULES = """
    A raise of all chips may be smaller; who has acted may raise again only against a whole bet.
    """

SHOWDOWN_RULES = """
    **Hidden.** A player sees the own cards and those of all. Everybody sees what is bet. At the end
    the player who raised last shows the cards first, or the first from the left of the button; the
    next ones only if they are as good. If somebody is all in, all show.

    **End.** The game is over when all but one have folded, who takes the pot, or after the last
    round. The best five of the own two cards and the five of all win: a straight flush, four of a
    kind, a full house, a flush, a straight, three of a kind, two pair, a pair, or the highest
    cards. Equal hands share the pot, and odd chips go to the first of them from the left of the
    button. A player who is all in takes part in the pot only as far as the own chips go: what
    others put in beyond is a side pot among them, and what nobody has matched is given back. A
    player gets the chips won: what is taken of the pots less the chips put in.
    """

PRINTED = """
    **Board.** A line for each player tells the cards, ? if one is face down and - if none is dealt,
    the chips put in and those left; > marks the player to move. Below are the cards of all, the
    pot, and the moves of each round.
    """
"""How boards are printed, for ``rules``."""
