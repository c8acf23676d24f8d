"""Backgammon: race fifteen men home by dice, and send back those that stand alone.

There is no doubling cube. Each player numbers the places from their own side, in the order in which
their men run::

    place     0    1   2   3 ...  22  23  24   25       the men run to the right
    point    bar  24  23  22 ...   3   2   1   off      what players call it: 25 - place

A player's men are one number with a hexadecimal digit for each place, the lowest for the bar. At
the start both have two men on their 24-point, five on the 13-point, three on the 8, five on the 6::

    place      25    24....19    18....13    12.....7    6......1    0
    own = 0x    0      000005      030000      500000      000002    0        (with no spaces)
               off    home                                          bar

So a man who runs from place 1 to 5 is ``own + (1 << 4 * 5) - (1 << 4 * 1)``. The opponent's men
stand in ``opp``, numbered from the opponent's side: my place p is the opponent's place 25 - p. At
the end of a turn the two numbers change places. Dice that are left to play are the digits of
``dice``: 0x31 is a three and a one, 0x4444 four fours, 0x1 a one, and 0 says that they are to be
rolled.

A turn is a roll, by chance, and up to four plies of the same player, one for each die. Nothing
bounds the number of turns; a game ends with probability 1 if the players move at random.

Source: the rules of the US Backgammon Federation, without the cube and the Jacoby rule.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from math import comb
from typing import Any

from adv_envs.bits import digit, lowest, single
from adv_envs.position import CHANCE, Example, Position, Wide, reflowed, require_between

START = 0x00000050300005000000000020
"""The men of either player at the start."""


class Backgammon(Position):
    """Represents a position of Backgammon; ``Backgammon(gammons=True)`` is the start.

    A player's action is 6 * source + die - 1, as in Pgx: source 1 is the bar, 2 the own 24-point,
    and so on to 25, the own 1-point. Action 0 is the pass, legal where no man can be moved. Where
    chance is to move, action 6 * a + b - 7 is the roll of a and b: any two different dice before
    the first turn, that of player 0 first, and the higher one begins; later the higher die first.

    A win is worth 1; 2 (a gammon) if the loser has borne off no man; 3 (a backgammon) if moreover
    the loser has a man on the bar or among the winner's last six points. With ``gammons=False``
    every win is worth 1.
    """

    gammons: bool = True
    own: Wide = START  # the men of the player whose turn it is
    opp: Wide = START
    dice: int = 0
    turn: int = -1  # whose turn it is; -1 before the first roll
    parameters = ("gammons",)
    parameter_words = (
        ("Gammons", "A win before the other has borne off a man counts double, or three times."),
    )
    side_names = ("Black", "White")

    @property
    def board_bits(self) -> int:
        """Returns 104: 26 places of four bits each."""
        return 104

    @property
    def num_actions(self) -> int:
        """Returns 156: 26 sources by six dice."""
        return 156

    @property
    def max_utility(self) -> int:
        """Returns 3 with gammons, as a backgammon is worth three games; else 1."""
        return 3 if self.gammons else 1

    @property
    def to_move(self) -> int:
        """Returns whose turn it is, or chance while there are no dice."""
        return CHANCE if self.dice == 0 else self.turn

    def legal(self, action: int) -> bool:
        """Allows playing as many dice as possible, and the higher one if it is one of two."""
        if self.dice == 0:
            return self.probability(action) > 0.0
        place, die = action // 6 - 1, action % 6 + 1
        low, high = self.low_and_high()
        by_low, by_high = self.movable_men()
        if place < 0:
            return die == 1 and by_low | by_high == 0
        movable = by_low if die == low else by_high if die == high else 0
        return movable >> place & 1 == 1

    def low_and_high(self) -> tuple[int, int]:
        """Returns the numbers of the dice that are left; twice the same if they are equal."""
        low = self.dice & 15
        return low, max(self.dice >> 4 & 15, low)

    def movable_men(self) -> tuple[int, int]:
        """Returns the sets of places to move a man from by the lower and by the higher die."""
        low, high = self.low_and_high()
        men, blocked = places_of(self.own, 1), mirrored(places_of(self.opp, 2))
        by_low, by_high = movable(men, blocked, low), movable(men, blocked, high)
        if low == high:
            return by_low, by_high
        low_first = self.before(by_low, low, high, men, blocked)
        high_first = self.before(by_high, high, low, men, blocked)
        if low_first | high_first != 0:
            return low_first, high_first
        return (0, by_high) if by_high != 0 else (by_low, 0)

    def before(self, sources: int, die: int, other: int, men: int, blocked: int) -> int:
        """Returns those ``sources`` from which ``die`` can be played so that ``other`` then can."""
        found = 0
        while sources != 0:
            source = sources & -sources
            sources ^= source
            after = men if digit(self.own, lowest(source)) > 1 else men ^ source
            if movable(after | source << die, blocked, other) != 0:
                found |= source
        return found

    def write_legal(self, actions: Any) -> int:
        if self.dice == 0:
            return self.write_rolls(actions)
        number = 0
        low, high = self.low_and_high()
        by_low, by_high = self.movable_men()
        sources = by_low | by_high
        while sources != 0:
            place = lowest(sources)
            sources &= sources - 1
            if by_low >> place & 1 == 1:
                actions[number] = 6 * place + 5 + low
                number += 1
            if by_high >> place & 1 == 1 and high != low:
                actions[number] = 6 * place + 5 + high
                number += 1
        if number == 0:
            actions[0] = 0
            number = 1
        return number

    def write_rolls(self, actions: Any) -> int:
        """Writes the legal actions where chance is to move."""
        number = 0
        for action in range(36):
            if self.probability(action) > 0.0:
                actions[number] = action
                number += 1
        return number

    def probability(self, action: int) -> float:
        """Returns the chance of a roll with fair dice; those of the first roll are different."""
        first, second = action // 6, action % 6
        if self.turn < 0:
            return 1 / 30 if first < 6 and first != second else 0.0
        if first >= 6 or first < second:
            return 0.0
        return 1 / 36 if first == second else 1 / 18

    def play(self, action: int) -> Backgammon:
        """Rolls the dice, or moves a man; after the last die it is the opponent's turn."""
        if self.dice == 0:
            return self.rolled(action // 6 + 1, action % 6 + 1)
        own, opp, dice, die = self.own, self.opp, 0, action % 6 + 1
        if action >= 6:
            own, opp = moved(own, opp, action // 6 - 1, die)
            dice = self.dice >> 4 if self.dice & 15 == die else self.dice & 15
        if digit(own, 25) == 15:
            return Backgammon(self.gammons, own, opp, 0, self.turn)
        if dice == 0:
            return Backgammon(self.gammons, opp, own, 0, 1 - self.turn)
        return Backgammon(self.gammons, own, opp, dice, self.turn)

    def rolled(self, first: int, second: int) -> Backgammon:
        """Returns the position after a roll; the higher die in the first one begins."""
        turn = self.turn
        if turn < 0:
            turn = 0 if first > second else 1
        dice = 16 * max(first, second) + min(first, second)
        if first == second:
            dice += dice << 8
        return Backgammon(self.gammons, self.own, self.opp, dice, turn)

    def is_terminal(self) -> bool:
        """Tests whether the player whose turn it is has borne off all men."""
        return digit(self.own, 25) == 15

    def utility(self, player: int) -> int:
        """Returns 1, 2 or 3 for the winner, the negative for the loser."""
        points = 1
        if self.gammons and digit(self.opp, 25) == 0:
            points = 2
            for place in range(7):  # the loser's first places are the bar and the winner's home
                if digit(self.opp, place) > 0:
                    points = 3
        return points if player == self.turn else -points

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (58,): own men on 26 places, the opponent's on 26, dice of each face."""
        return (58,)

    @property
    def observation_high(self) -> tuple[int, ...]:
        """Returns 15 for the men on each place, and 4 for the dice of each face."""
        return (15,) * 52 + (4,) * 6

    def observe(self, player: int, planes: Any) -> None:
        """Writes men from the bar to those borne off, each player's in their own order; then dice.

        While it is the opponent's turn, there are no own dice.
        """
        here = player == max(self.turn, 0)
        for place in range(26):
            planes[place] = digit(self.own if here else self.opp, place)
            planes[26 + place] = digit(self.opp if here else self.own, place)
        if here:
            left = self.dice
            while left > 0:
                planes[51 + (left & 15)] += 1
                left >>= 4

    # ---- not needed by the rules

    def result_text(self) -> str:
        points = int(self.utility(self.turn))
        return super().result_text() + ("", " a gammon", " a backgammon")[points - 1]

    def turn_text(self) -> str:
        if self.turn < 0:
            return "Each side rolls a die"
        return f"{self.side_names[self.turn]} {'to roll' if self.dice == 0 else 'to move'}"

    def rules(self) -> str:
        return f"{reflowed(RACE)}\n\n{reflowed(GAMMONS if self.gammons else SINGLE)}\n\n{NOTATION}"

    example = Example("""
        31 the first roll: the die of player 0 is higher, so player 0 plays a 3 and a 1
        8/5 by the 3
        6/5 by the 1: the men of player 0 now hold this point
        62
        24/18 this is the 7-point of player 0
        24/22
        41
        8/7 hits the single man there, which goes to the bar
        """)

    def men(self, player: int) -> list[int]:
        """Counts a player's men on each place, from the bar, 0, to those borne off, 25."""
        number = self.own if player == max(self.turn, 0) else self.opp
        return [digit(number, place) for place in range(26)]

    def pips(self, player: int) -> int:
        """Returns the pip count: how many pips a player still needs to bear off all men."""
        return sum((25 - place) * count for place, count in enumerate(self.men(player)))

    def dice_left(self) -> list[int]:
        """Returns the dice that are left to play, the higher first."""
        dice = max(self.dice, 0)
        return [int(die, 16) for die in f"{dice:x}" if die != "0"]

    def name(self, action: int) -> str:
        """Returns the points from and to, "24/18", "bar/22" or "6/off"; "pass"; or the dice, "31".

        A man whom both dice bear off goes by the lower one, or, as "5/off(6)", by the higher one.
        """
        source, die = action // 6, action % 6 + 1
        if self.dice == 0:
            return f"{source + 1}{die}"
        if source == 0:
            return "pass"
        start, end = 26 - source, 26 - source - die
        low = self.dice & 15
        choice = f"({die})" if die > low >= start else ""
        return f"{'bar' if start == 25 else start}/{end if end > 0 else 'off' + choice}"

    def check(self) -> None:
        for player, number in enumerate((self.own, self.opp)):
            men = [digit(number, place) for place in range(26)] if number >= 0 else []
            if sum(men) != 15 or number >> 104:
                name = ("own", "opp")[player]
                raise ValueError(f"{name} must have 15 men on 26 places, a hexadecimal digit each")
        for place in range(1, 25):
            if digit(self.own, place) > 0 and digit(self.opp, 25 - place) > 0:
                raise ValueError(f"both players have men on the {25 - place}-point: own, opp")
        if digit(self.opp, 25) == 15:
            raise ValueError("only the player whose turn it is can have borne off all men")
        require_between("turn", self.turn, -1, 1)
        left = self.dice_left()
        equal = len(left) <= 4 and len(set(left)) <= 1
        pair = len(left) == 2 and left[0] > left[1]
        written = sum(die << 4 * i for i, die in enumerate(reversed(left)))
        if written != self.dice or max(left, default=0) > 6 or not (equal or pair):
            raise ValueError("dice must be 0, or one to four digits 1 to 6, as 0x31 or 0x4444")
        if self.dice != 0 and digit(self.own, 25) == 15:
            raise ValueError("the game is over: dice must be 0")
        if self.turn < 0 and (self.own, self.opp, self.dice) != (START, START, 0):
            raise ValueError("before the first roll, turn -1, all men stand as at the start")

    def state_space(self) -> int:
        """Returns how many positions ``check`` accepts.

        The men can stand in 18,528,584,051,601,162,496 ways: one player's on k points, the bar and
        off, the other's on the rest. There are 40 ways in which dice are left, or to be rolled.
        """
        boards = sum(comb(24, k) * comb(16, k + 1) * comb(40 - k, 15) for k in range(16))
        over = comb(40, 15)  # one player has borne off all men, and perhaps the other as well
        return 2 * (40 * (boards - 2 * over + 1) + over - 1) + 1

    @property
    def position_id(self) -> str:
        """Returns GNU Backgammon's Position ID, 14 characters, for the player whose turn it is.

        For each player, the opponent first, and each point from the own 1-point to the bar: as many
        ones as there are men, and a zero; 80 bits, the lowest first, in base 64.
        """
        bits = ""
        for number in (self.opp, self.own):
            for place in range(24, -1, -1):
                bits += "1" * digit(number, place) + "0"
        return b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")

    @classmethod
    def from_id(cls, text: str, turn: int = 0, dice: int = 0, **parameters: Any) -> Backgammon:
        """Returns the position of a Position ID, with ``turn`` to roll, or to play ``dice``.

        Raises ValueError for what is no Position ID.
        """
        runs: list[str] = []
        if re.fullmatch("[A-Za-z0-9+/]{14}", text):
            bits = int.from_bytes(b64decode(text + "=="), "little")
            runs = f"{bits:080b}"[::-1].split("0")
        if len(runs) <= 50:
            raise ValueError(
                f"a Position ID has 14 characters, such as 4HPwATDgc/ABMA, not {text!r}"
            )
        sides = [[len(run) for run in runs[i : i + 25]] for i in (0, 25)]
        opp, own = (
            sum(count << 4 * place for place, count in zip(range(24, -1, -1), men, strict=True))
            + (15 - sum(men) << 100)
            for men in sides
        )
        return cls(own=own, opp=opp, dice=dice, turn=turn, **parameters)

    def __str__(self) -> str:
        men = self.men(0), self.men(1)
        cells = [
            f"{men[0][25 - p]}X" if men[0][25 - p] else f"{men[1][p]}O" if men[1][p] else "."
            for p in range(25)
        ]
        rows = []
        for points in (range(13, 25), range(12, 0, -1)):
            for row in ([f"{p}" for p in points], [cells[p] for p in points]):
                padded = [f"{cell:>3}" for cell in row]
                rows.append("".join([*padded[:6], " |", *padded[6:]]))
        lines = [rows[0], rows[1], " " * 19 + "|", rows[3], rows[2]]
        for player in (0, 1):
            line = f"{'XO'[player]}  bar {men[player][0]}  off {men[player][25]}"
            line += f"  pips {self.pips(player)}"
            if player == self.turn and not self.is_terminal():
                line += f"  to play {self.dice:x}" if self.dice else "  to roll"
            lines.append(line)
        return "\n".join(lines)


def places_of(men: Wide, least: int) -> int:
    """Returns the places before the last with at least a number of a player's men."""
    found = 0
    for place in range(25):
        if digit(men, place) >= least:
            found |= 1 << place
    return found


def mirrored(places: int) -> int:
    """Returns the set of places of one player, as the other one numbers them; without the bar."""
    found = 0
    for place in range(1, 25):
        found |= (places >> place & 1) << 25 - place
    return found


def movable(men: int, blocked: int, die: int) -> int:
    """Returns the places from which a man can be moved by ``die``, whatever becomes of other dice.

    ``men`` is the set of the own places, and ``blocked`` that of those held by the opponent.
    """
    men &= (1 << 25) - 1
    if men & 1 == 1:
        men = 1  # from the bar first
    found = men & ~(blocked >> die)
    edge = 1 << 25 - die  # from here a man is borne off, if all are on the last six places
    if men & (1 << 19) - 1 != 0:
        return found & edge - 1
    last = men & -men  # the man that is furthest back goes by a higher die, too
    return found & edge - 1 | men & edge | (last if last > edge else 0)


def moved(own: Wide, opp: Wide, place: int, die: int) -> tuple[Wide, Wide]:
    """Returns both players' men after ``die`` moves one from ``place``; a blot there is hit."""
    target = min(place + die, 25)
    own = own + single(4 * target, own) - single(4 * place, own)
    if target < 25 and digit(opp, 25 - target) == 1:
        opp = opp + single(0, opp) - single(4 * (25 - target), opp)
    return own, opp


# ---- the rules in words

RACE = """
    **Goal.** Be the first to bear all your fifteen men off the board. It has 24 points, which each
    player numbers from the own side: your 24-point is the 1-point of the other player, and your
    p-point is the other's (25 - p)-point. Your men run from high points to low ones. Both begin
    with two men on their 24-point, five on the 13-point, three on the 8-point and five on the
    6-point.

    **Moves.** For the first turn chance rolls a die for each player, of different numbers; the
    higher one begins and plays both dice. Later two dice are rolled for the player whose turn it
    is; two equal dice are played as four. Each die is a move of its own, of one man by as many
    points as it shows; the dice of a turn may be played in either order.

    - A man may not end on a point with two or more men of the other player. A single man there is
      hit: it goes to the bar.
    - A player with men on the bar must enter them before any other move, by a die of n on the own
      (25 - n)-point.
    - When all own men are on the points 6 to 1 or off, they may be borne off: by a die of n from
      the n-point, or from the highest point with an own man if that is lower than n.
    - As many dice as possible must be played, and if only one of two different dice can be, the
      higher one. A player who can move no man must pass, which ends the turn.
"""
GAMMONS = """
    **End.** The game is over when a player has borne off all men and wins 1; it is 2, a gammon, if
    the loser has borne off none, and 3, a backgammon, if the loser then also has a man on the bar
    or on the winner's points 6 to 1. The loser gets the negative. There are no draws and no cube.
"""
SINGLE = """
    **End.** The game is over when a player has borne off all men and gets 1, the other -1. There
    are no draws and no cube.
"""
NOTATION = reflowed("""
    **Notation.** A man's move is written as the points from and to, as its owner numbers them:
    `24/18`, `bar/22` from the bar, `6/off` off the board; `pass` is to pass. Where both dice would
    bear off the same man, `5/off` plays the lower one and `5/off(6)` the higher one, a 6. A roll
    of chance is two digits: `31` is a three and a one, in the first roll the die of player 0
    first, and later the higher die first.

    **Board.** The points are numbered as player 0 numbers them, 13 to 24 above and 12 to 1 below.
    5X is five men of player 0, 3O three of player 1, and a dot an empty point; a point of player 1
    is 25 minus the number. A line for each player tells the men on the bar, those borne off, and
    the pips that are left to go. It ends with "to play" and the dice that are left, or "to roll",
    for the player whose turn it is.
""")
