"""Liar's dice: bid how many dice under all cups show a face, or say that the last bid is a lie.

Bids are numbered by quantity, then by face; for two players with a die of 4 sides each::

    face          1  2  3  4
    quantity 1    0  1  2  3
    quantity 2    4  5  6  7    8: liar

``bids`` is the set of the actions taken, bit i for action i: as bids only rise, it tells their
order, too, and who made each. ``faces`` has a hexadecimal digit for each player and face, which
counts the dice. Player 0 has rolled a 3, player 1 a 4, and "1-3 2-3 liar" were the actions::

    faces = 0x 1000 0100            bids = 0b 1 0100 0100
      player 1^^^^ ^^^^player 0          liar^ ^^^^ ^^^^quantity 1
          faces 4321 4321                 quantity 2

Source: M. Lanctot et al., OpenSpiel (2019), whose ``liars_dice`` has these rules and actions.
"""

from __future__ import annotations

from typing import Annotated, Any

from adv_envs.bits import count, digit, single
from adv_envs.position import CHANCE, NEVER, Example, Position, reflowed, require_between
from adv_envs.random import advanced, below


class LiarsDice(Position):
    """Represents a position; ``LiarsDice(dice=1, sides=6, players=2)`` is the start.

    First chance is to move: its actions are the faces 0 .. sides - 1 of all dice of player 0, then
    of player 1, and so on. The winner gets 1, the loser -1, and other players 0. Raises ValueError
    unless there are 1 to 10 dice each of 2 to 12 sides, and 2 to 10 players.
    """

    dice: int = 1  # of each player
    sides: int = 6
    players: int = 2
    rolled: int = 0  # how many dice of all players
    faces: Annotated[int, "faces_bits"] = 0  # how many dice of each player show each face
    bids: Annotated[int, "bids_bits"] = 0  # the actions taken after the rolls
    parameters = ("dice", "sides", "players")
    parameter_words = (
        ("Dice", "How many dice each player has."),
        ("Sides", "How many sides a die has."),
        ("Players", "How many play."),
    )

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def total(self) -> int:
        """Returns the dice of all players."""
        return self.dice * self.players

    @property
    def liar(self) -> int:
        """Returns the action that calls the last bidder a liar."""
        return self.total * self.sides

    @property
    def num_actions(self) -> int:
        """Returns one action for each bid, a quantity and a face, and one for the call."""
        return self.total * self.sides + 1

    @property
    def faces_bits(self) -> int:
        """Returns 4 bits, a hexadecimal digit, for each player and face."""
        return 4 * self.players * self.sides

    @property
    def bids_bits(self) -> int:
        """Returns 1 bit for each action."""
        return self.num_actions

    @property
    def to_move(self) -> int:
        """Returns chance until all dice are rolled; then players take turns."""
        if self.rolled < self.total:
            return CHANCE
        return count(self.bids) % self.players

    def showing(self, player: int, face: int) -> int:
        """Counts a player's dice that show a face, 0 being the lowest; 0 if they are hidden."""
        return digit(self.faces, player * self.sides + face)

    def legal(self, action: int) -> bool:
        """Allows any face of a die; then any higher bid, or the call once there is a bid."""
        if self.rolled < self.total:
            return action < self.sides
        return self.bids >> action == 0 and (action < self.liar or self.bids != 0)

    def write_legal(self, actions: Any) -> int:
        """Lists the faces, or the bids above the last one and the call."""
        first, end = 0, self.sides
        if self.rolled == self.total:
            first, end = self.last_bid + 1, self.liar if self.bids == 0 else self.num_actions
        for action in range(first, end):
            actions[action - first] = action
        return end - first

    def probability(self, action: int) -> float:
        """Returns the chance of a face of a fair die."""
        return 1.0 / self.sides if action < self.sides else 0.0

    def play(self, action: int) -> LiarsDice:
        """Lets a die show ``action + 1``, or bids, or calls."""
        rolled, faces, bids = self.rolled, self.faces, self.bids
        if rolled < self.total:
            faces = faces + single(4 * (rolled // self.dice * self.sides + action), faces)
            rolled += 1
        else:
            bids = bids | single(action, bids)
        return LiarsDice(self.dice, self.sides, self.players, rolled, faces, bids)

    def is_terminal(self) -> bool:
        """Tests whether somebody was called a liar."""
        return self.bids >> self.liar != 0

    @property
    def last_bid(self) -> int:
        """Returns the last bid as an action; -1 if there is none."""
        bid = self.liar - 1
        while bid >= 0 and self.bids >> bid & 1 == 0:
            bid -= 1
        return bid

    def matches(self, face: int) -> int:
        """Returns how many dice that are not hidden show a face or are wild."""
        number = 0
        for player in range(self.players):
            number += self.showing(player, self.sides - 1)
            if face < self.sides - 1:
                number += self.showing(player, face)
        return number

    def utility(self, player: int) -> int:
        """Returns 1 for the bidder if the last bid is true, else for the caller; else -1."""
        bid = self.last_bid
        true = self.matches(bid % self.sides) > bid // self.sides
        caller = (count(self.bids) - 1) % self.players
        if player == caller:
            return -1 if true else 1
        if player == (caller - 1) % self.players:
            return 1 if true else -1
        return 0

    # ---- what a player sees

    def hidden(self, player: int) -> LiarsDice:
        """Returns the same without the dice of others, until the end."""
        if self.is_terminal():
            return self
        own = single(4 * self.sides, self.faces) - 1 << 4 * self.sides * player
        faces = self.faces & own
        return LiarsDice(self.dice, self.sides, self.players, self.rolled, faces, self.bids)

    def seen_after(self, player: int, action: int) -> int:
        """Shows dice to their owner only when they are rolled; everybody hears the bids."""
        rolling = self.rolled < self.total
        return NEVER if rolling and self.rolled // self.dice != player else 0

    def determinized(self, player: int, state: int) -> LiarsDice:
        """Returns the dice of others rolled anew."""
        faces = self.faces
        for die in range(self.rolled):
            owner = die // self.dice
            if owner != player:
                faces = faces + single(4 * (owner * self.sides + below(state, self.sides)), faces)
                state = advanced(state)
        return LiarsDice(self.dice, self.sides, self.players, self.rolled, faces, self.bids)

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (players + dice * sides + num_actions,), see ``observe``."""
        return (self.players + self.dice * self.sides + self.num_actions,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes a 1 for the player, the face of each own die, lowest first, and each action.

        This is OpenSpiel's tensor of the information state.
        """
        planes[player] = 1
        place = self.players
        for face in range(self.sides):
            for _ in range(self.showing(player, face)):
                planes[place + face] = 1
                place += self.sides
        place = self.players + self.dice * self.sides
        for action in range(self.num_actions):
            planes[place + action] = self.bids >> action & 1 != 0

    # ---- not needed by the rules

    def result_text(self) -> str:
        bid = self.last_bid
        word = "true" if self.matches(bid % self.sides) > bid // self.sides else "false"
        return f"{super().result_text()}: {self.bid_name(bid)} is {word}"

    def turn_text(self) -> str:
        return "The dice roll" if self.to_move == CHANCE else super().turn_text()

    def rules(self) -> str:
        dice = "one die" if self.dice == 1 else f"{self.dice} dice"
        return reflowed(f"""
            **Goal.** Bid higher than the last player without being caught in a false bid. Each of
            the {self.players} players rolls {dice} with {self.sides} sides. The rolls are moves of
            chance: all dice of player 0 first, then those of player 1, and so on.

            **Moves.** The players take turns, and player 0 begins with a bid. A bid is a quantity
            and a face: it says that at least so many of all {self.total} dice show this face. The
            face {self.sides} is wild: these dice count for every other face as well, but a bid on
            {self.sides} counts only them. Each later player must bid higher or call the last bidder
            a liar. A bid is higher if its quantity is larger, with any face, or the same with a
            higher face. Quantities go up to {self.total}, and after the highest bid of all one can
            only call. Nobody may pass.

            **Hidden.** A player sees only the own dice. Everybody hears all bids. When a player has
            been called a liar, all dice are shown.

            **End.** The game is over with the call. If the last bid is true, the bidder gets 1 and
            the caller -1; if it is false, the other way round.
            {"The other players get 0." if self.players > 2 else ""} There are no draws, and nobody
            loses dice.

            **Notation.** A bid is written as quantity, hyphen and face: `1-{self.sides - 1}` is one
            die that shows a {self.sides - 1}. The call is `liar`. What a die shows is its number.

            **Board.** A line for each player tells the dice, ? for those that one does not see; >
            marks the player to move. The last line tells all bids in order, player 0's first.
            """)

    example = Example(
        """
        3 is rolled by player 0
        6 is wild
        5 is rolled by player 1
        5
        2-5
        3-5 true, as two dice show a 5 and one a 6, but player 1 sees only the first two
        """,
        dice=2,
    )

    def name(self, action: int) -> str:
        """Returns what a die shows; "2-5" for a bid, or "liar"."""
        if self.rolled < self.total:
            return str(action + 1)
        return self.bid_name(action)

    def bid_name(self, action: int) -> str:
        """Returns a bid as quantity and face, "2-5", or "liar"."""
        if action == self.liar:
            return "liar"
        return f"{action // self.sides + 1}-{action % self.sides + 1}"

    def bid_names(self) -> list[str]:
        """Returns the bids and the call by name, in order; the first is that of player 0."""
        return [self.bid_name(i) for i in range(self.num_actions) if self.bids >> i & 1]

    def dice_of(self, player: int) -> list[int]:
        """Returns what a player's dice show, lowest first; empty if hidden or not rolled."""
        return [f + 1 for f in range(self.sides) for _ in range(self.showing(player, f))]

    def rolled_by(self, player: int) -> int:
        """Returns how many dice a player has rolled."""
        return min(max(self.rolled - player * self.dice, 0), self.dice)

    def check(self) -> None:
        require_between("dice", self.dice, 1, 10)
        require_between("sides", self.sides, 2, 12)
        require_between("players", self.players, 2, 10)
        require_between("rolled", self.rolled, 0, self.total)
        if not 0 <= self.bids < 1 << self.num_actions or self.bids == 1 << self.liar:
            raise ValueError(f"bids must be a set of actions, not {self.bids}")
        if self.bids and self.rolled < self.total:
            raise ValueError("all dice must be rolled before there are bids")
        if not 0 <= self.faces < 1 << self.faces_bits:
            raise ValueError(f"faces must have a digit for each player and face, not {self.faces}")
        for player in range(self.players):
            shown, number = len(self.dice_of(player)), self.rolled_by(player)
            if shown != number and (shown or self.is_terminal()):
                raise ValueError(f"faces must show {number} dice of player {player}, not {shown}")

    def __str__(self) -> str:
        lines = []
        for player in range(self.players):
            here = player == self.to_move and not self.is_terminal()
            dice = [str(die) for die in self.dice_of(player)]
            shown = " ".join(dice or ["?"] * self.rolled_by(player))
            lines.append(f"{'>' if here else ' '} player {player}   {shown}".rstrip())
        return "\n".join([*lines, f"  bids       {' '.join(self.bid_names())}".rstrip()])
