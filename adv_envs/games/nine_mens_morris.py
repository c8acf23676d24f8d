"""Nine Men's Morris: close mills, rows of three, to take the other player's men.

White, player 0, begins. A man that is taken is a move of its own, of the player who closed a mill.

The 24 points are numbered row by row, bit i of a set being point i, and lie on a grid of 7 x 7::

    7  0-----------1-----------2
       |           |           |
    6  |   3-------4-------5   |
       |   |       |       |   |
    5  |   |   6---7---8   |   |         actions:
       |   |   |       |   |   |         point                    places a man, or takes one
    4  9--10--11      12--13--14         24 + 24 * from + to      moves a man
       |   |   |       |   |   |
    3  |   |  15--16--17   |   |
       |   |       |       |   |
    2  |  18------19------20   |
       |           |           |
    1  21---------22----------23
       a   b   c   d   e   f   g

Rules: R. Gasser, Solving Nine Men's Morris, Games of No Chance, MSRI Publications 29 (1996).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from adv_envs.bits import count, lowest
from adv_envs.position import Example, Position, counted, reflowed, require_between

POINTS = 24
"""How many points the board has."""

ALL = (1 << POINTS) - 1
"""The set of all points."""

GRID = (
    (0, 0), (0, 3), (0, 6), (1, 1), (1, 3), (1, 5), (2, 2), (2, 3), (2, 4), (3, 0), (3, 1), (3, 2),
    (3, 4), (3, 5), (3, 6), (4, 2), (4, 3), (4, 4), (5, 1), (5, 3), (5, 5), (6, 0), (6, 3), (6, 6),
)  # fmt: skip
"""The row and the column of each point on the grid of 7 x 7, row 0 at the top."""

MILLS = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20),
    (21, 22, 23), (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17),
    (5, 13, 20), (2, 14, 23),
)  # fmt: skip
"""The points of the 16 rows of three."""

ACROSS = tuple(
    sum(1 << i for i in mill if i != p) for p in range(POINTS) for mill in MILLS[:8] if p in mill
)
"""By point, the other two points of its row across."""

DOWN = tuple(
    sum(1 << i for i in mill if i != p) for p in range(POINTS) for mill in MILLS[8:] if p in mill
)
"""By point, the other two points of its row down."""

BESIDE = tuple(
    sum(
        1 << mill[k + d]
        for mill in MILLS
        for k in range(3)
        if mill[k] == p
        for d in (-1, 1)
        if 0 <= k + d < 3
    )
    for p in range(POINTS)
)
"""By point, the points beside it along the lines."""

FLY_FROM = 3
"""A player with as many men may fly."""


class NineMensMorris(Position):
    """Represents a position; ``NineMensMorris(men=9)`` is the start.

    Each player has ``men``, and with ``flying`` may move any of the last three to any empty point.
    The game is drawn after ``draw_moves`` moves of each player without a man taken. Raises
    ValueError unless ``men`` is 3 to 9 and ``draw_moves`` 1 to 1000.
    """

    men: int = 9
    flying: bool = True
    draw_moves: int = 50
    own: int = 0  # points with men of the player to move
    opp: int = 0
    own_left: int = -1  # men that are still to be placed; -1: all of them
    opp_left: int = -1
    taking: bool = False  # whether the player has closed a mill, and is to take a man
    quiet: int = 0  # moves of both players since all men were placed or one was taken
    turn: int = 0  # the player to move
    parameters = ("men", "flying", "draw_moves")
    parameter_words = (
        ("Men", "How many men each player has."),
        ("Flying", "Whether a player with three men may move them to any empty point."),
        ("Moves to a draw", "The game is drawn after so many moves of each without a man taken."),
    )
    symbols: ClassVar[str] = "WB"
    side_names = ("White", "Black")

    num_actions = POINTS + POINTS * POINTS
    observation_shape = (7, 7, 6)

    def set_up(self) -> NineMensMorris:
        """Returns the position with all men in hand, where no numbers were given."""
        require_between("men", self.men, 3, 9)
        own = self.men - count(self.own & ALL) if self.own_left == -1 else self.own_left
        opp = self.men - count(self.opp & ALL) if self.opp_left == -1 else self.opp_left
        return self._replace(own_left=own, opp_left=opp)  # type: ignore[no-any-return]

    @property
    def to_move(self) -> int:
        """Returns the player to move: White, player 0, begins."""
        return self.turn

    @property
    def empty(self) -> int:
        """Returns the empty points."""
        return ALL & ~(self.own | self.opp)

    def flies(self) -> bool:
        """Tests whether the player to move, with all men placed, may move to any empty point."""
        return self.flying and count(self.own) <= FLY_FROM

    def targets(self, point: int) -> int:
        """Returns the empty points to which an own man may move."""
        return self.empty if self.flies() else BESIDE[point] & self.empty

    def takeable(self) -> int:
        """Returns the men that may be taken: those in no mill, or any if all are in mills."""
        loose = outside_mills(self.opp)
        return loose if loose != 0 else self.opp

    def legal(self, action: int) -> bool:
        """Tests whether a man may be taken from, placed on or moved to a point."""
        if action < POINTS:
            if self.taking:
                return self.takeable() >> action & 1 != 0
            return self.own_left > 0 and self.empty >> action & 1 != 0
        if self.taking or self.own_left > 0:
            return False
        start, end = action // POINTS - 1, action % POINTS
        return self.own >> start & 1 != 0 and self.targets(start) >> end & 1 != 0

    def write_legal(self, actions: Any) -> int:
        number = 0
        if self.taking or self.own_left > 0:
            points = self.takeable() if self.taking else self.empty
            while points != 0:
                actions[number] = lowest(points)
                points &= points - 1
                number += 1
            return number
        men = self.own
        while men != 0:
            start = lowest(men)
            men &= men - 1
            ends = self.targets(start)
            while ends != 0:
                actions[number] = POINTS + POINTS * start + lowest(ends)
                ends &= ends - 1
                number += 1
        return number

    def play(self, action: int) -> NineMensMorris:
        """Places or moves a man, after which the same player may be to take one; or takes it."""
        own, left, quiet, end = self.own, self.own_left, 0, action % POINTS
        if self.taking:
            return self.passed_on(own, self.opp ^ 1 << end, left, 0)
        if action < POINTS:
            left -= 1
        else:
            own, quiet = own ^ 1 << action // POINTS - 1, self.quiet + 1
        own |= 1 << end
        if not closes(own, end):
            return self.passed_on(own, self.opp, left, quiet)
        men, flying, draw_moves, opp = self.men, self.flying, self.draw_moves, self.opp
        return NineMensMorris(
            men, flying, draw_moves, own, opp, left, self.opp_left, True, quiet, self.turn
        )

    def passed_on(self, own: int, opp: int, left: int, quiet: int) -> NineMensMorris:
        """Returns the position with the other player to move."""
        men, flying, draw_moves, turn = self.men, self.flying, self.draw_moves, 1 - self.turn
        return NineMensMorris(
            men, flying, draw_moves, opp, own, self.opp_left, left, False, quiet, turn
        )

    def can_move(self) -> bool:
        """Tests whether the player to move, who takes no man, can place or move one."""
        if self.own_left > 0 or self.flies():
            return True
        men = self.own
        while men != 0:
            if BESIDE[lowest(men)] & self.empty != 0:
                return True
            men &= men - 1
        return False

    def has_lost(self) -> bool:
        """Tests whether the player to move has two men left, or no move."""
        return count(self.own) + self.own_left < FLY_FROM or not (self.taking or self.can_move())

    def is_terminal(self) -> bool:
        """Tests whether a player has two men or no move, or no man was taken for too long."""
        if self.taking:
            return False
        return self.quiet >= 2 * self.draw_moves or self.has_lost()

    def utility(self, player: int) -> int:
        """Returns -1 for a player to move who has two men or no move, 1 for the other, or 0."""
        if not self.has_lost():
            return 0
        return -1 if player == self.turn else 1

    @property
    def observation_high(self) -> int:
        """Returns 9: the most men in a hand."""
        return 9

    def observe(self, player: int, planes: Any) -> None:
        """Writes own men into planes[:, :, 0], the opponent's into 1 and the points into 2.

        Plane 3 is all ones while a man is to be taken; 4 and 5 are everywhere the number of men in
        the player's hand and in the opponent's.
        """
        own, opp = self.stones(player), self.stones(1 - player)
        left, other = self.unplaced(player), self.unplaced(1 - player)
        for row in range(7):
            for column in range(7):
                planes[row, column, 3] = self.taking
                planes[row, column, 4] = left
                planes[row, column, 5] = other
        for point in range(POINTS):
            row, column = GRID[point]
            planes[row, column, 0] = own >> point & 1
            planes[row, column, 1] = opp >> point & 1
            planes[row, column, 2] = 1

    def stones(self, player: int) -> int:
        """Returns the points with men of ``player``."""
        return self.own if player == self.turn else self.opp

    def unplaced(self, player: int) -> int:
        """Returns how many men ``player`` still has to place."""
        return self.own_left if player == self.turn else self.opp_left

    # ---- not needed by the rules

    def turn_text(self) -> str:
        task = "to take a man" if self.taking else "to place a man" if self.own_left else "to move"
        return f"{self.side_names[self.turn]} {task}"

    def result_text(self) -> str:
        if not self.has_lost():
            return f"Draw: {counted(self.draw_moves, 'move')} of each without a man taken"
        why = "has two men left" if count(self.own) + self.own_left < FLY_FROM else "cannot move"
        return f"{self.side_names[self.turn]} {why}, {super().result_text()}"

    def rules(self) -> str:
        flying = (
            "A player with three men on the board may fly: a man then moves to any empty point."
            if self.flying
            else "Nobody flies: players with three men, too, move along the lines."
        )
        return reflowed(f"""
            **Goal.** Leave the other player with two men, or without a move. The board has 24
            points: the corners and the middles of the sides of three squares, one inside the other;
            lines join the middles of their top sides, of their left sides and so on. Player 0,
            White, and player 1, Black, have {self.men} men each, all in hand.

            **Moves.** The players take turns, and White begins. A player with men in hand places
            one on any empty point, others move a man along a line to an empty point beside it.
            {flying} Nobody may pass. Three men of a player on the three points of a straight line
            are a mill. Who closes a mill takes a man of the other player off the board at once, as
            a move of its own; only one, even for two mills. Men in mills may be taken only if all
            men of that player are in mills.

            **End.** A player with two men, those in hand included, loses, and so does a player to
            move who has no move. The loser gets -1, the winner 1. The game is a draw, worth 0 to
            both, after {counted(self.draw_moves, "move")} of each player in succession in which
            nobody took a man, once all men are placed. Repetition does not end the game.

            {NOTATION}
            """)

    example = Example(
        """
        a7
        d6
        d7
        f4
        g7 closes a mill
        xf4 takes this man
        d5
        """
    )

    def name(self, action: int) -> str:
        """Returns "d6" for a man placed there, "a1-a4" for a move, "xf4" for a man taken."""
        if action < POINTS:
            return f"{'x' if self.taking else ''}{point_name(action)}"
        return f"{point_name(action // POINTS - 1)}-{point_name(action % POINTS)}"

    def alias(self, name: str) -> int | None:
        """Returns the legal action of "f4" for "xf4" and of "a1a4" for "a1-a4"; else None."""
        for action in self.legal_actions():
            full = self.name(action)
            if name.lower() in (full.removeprefix("x"), full.replace("-", ""), full):
                return action
        return None

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other games and impossible positions.

        Who has placed how many men need not have come about by turns, as in puzzles.
        """
        require_between("men", self.men, 3, 9)
        require_between("draw_moves", self.draw_moves, 1, 1000)
        require_between("turn", self.turn, 0, 1)
        require_between("quiet", self.quiet, 0, 2 * self.draw_moves)
        if min(self.own, self.opp) < 0 or (self.own | self.opp) & ~ALL:
            raise ValueError("own and opp must be sets of points, given as the lowest 24 bits")
        if self.own & self.opp:
            raise ValueError("own and opp must not share a point")
        for who, men, left in (("own", self.own, self.own_left), ("opp", self.opp, self.opp_left)):
            require_between(f"{who}_left", left, 0, self.men)
            least = FLY_FROM if who == "opp" else FLY_FROM - 1
            total = f"the men of {who}, on the board and in hand,"
            require_between(total, count(men) + left, least, self.men)
        self.check_taking()

    def check_taking(self) -> None:
        """Raises ValueError if no man can be taken here where one is to be."""
        if not self.taking:
            return
        if not self.opp or self.own == outside_mills(self.own):
            raise ValueError("taking needs a mill of own, and a man of opp to be taken")
        if count(self.own) + self.own_left < FLY_FROM:
            raise ValueError("the game is over for a player with two men: nothing is taken")

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it.

        The points row by row, W, B or a dot; all else on these lines is ignored. Who is to move, to
        take a man, what is in hand and how many moves nobody took a man is read from the last line.
        Where it does not say so, White moves, nothing is in hand, and a man was just taken. Raises
        ValueError for what is no board.
        """
        *_, last = ["", *text.strip().splitlines()]
        lines = [line for line in text.splitlines() if line.strip() and not is_told(line)]
        found = [c for line in lines for c in line if c in "WB."]
        if len(found) != POINTS:
            raise ValueError(
                f"the board must have {POINTS} points, W, B or a dot, not {len(found)}"
            )
        white, black = (sum(1 << i for i, c in enumerate(found) if c == own) for own in "WB")
        if to_move is None:
            to_move = int("Black to" in last or "after a move of White" in last)
        if to_move not in (0, 1):
            raise ValueError(f"to_move must be 0 or 1, not {to_move!r}")
        numbers = [number_in(last, rf"\bhand: .*\b{side} (\d+)") for side in cls.side_names]
        own, opp = (white, black) if to_move == 0 else (black, white)
        own_left, opp_left = numbers[to_move], numbers[1 - to_move]
        taking, quiet = "to take a man" in last, number_in(last, r"(\d+) of \d+ moves without")
        given = {**parameters, "turn": to_move, "taking": taking, "quiet": quiet}
        return cls(**given, own=own, opp=opp, own_left=own_left, opp_left=opp_left)

    def state_space(self) -> int:
        """Counts boards with men in hand, whether one is to be taken, quiet moves and the turn."""
        rest = (self.men + 1) ** 2 * 2 * (2 * self.draw_moves + 1) * 2
        return 3**POINTS * rest  # type: ignore[no-any-return]

    def symbol(self, point: int) -> str:
        """Returns W, B or a dot."""
        sides = zip(self.symbols, (self.stones(0), self.stones(1)), strict=True)
        return next((symbol for symbol, men in sides if men >> point & 1), ".")

    def __str__(self) -> str:
        symbols = [self.symbol(point) for point in range(POINTS)]
        board = "\n".join(PICTURE).format(*symbols)
        said = self.turn_text()
        if self.is_terminal():
            said = f"{self.result_text()}, after a move of {self.side_names[1 - self.turn]}"
        hands = f"in hand: White {self.unplaced(0)}, Black {self.unplaced(1)}"
        clock = f"{self.quiet} of {2 * self.draw_moves} moves without a man taken"
        return f"{board}\n{said}; {hands}; {clock}"


def closes(men: int, point: int) -> bool:
    """Returns whether the man on ``point`` is in a mill of ``men``."""
    across, down = ACROSS[point], DOWN[point]
    return men & across == across or men & down == down


def outside_mills(men: int) -> int:
    """Returns those of ``men`` that are in no mill."""
    loose, left = 0, men
    while left != 0:
        point = lowest(left)
        left &= left - 1
        if not closes(men, point):
            loose |= 1 << point
    return loose


def point_name(point: int) -> str:
    """Returns column letter and row number: "a7" is the top left point."""
    row, column = GRID[point]
    return f"{'abcdefg'[column]}{7 - row}"


def is_told(line: str) -> bool:
    """Returns whether a line of a board's text tells the turn, or the names of columns."""
    return "White" in line or "Black" in line or "d e f" in line


def number_in(text: str, pattern: str) -> int:
    """Returns the number that the group of ``pattern`` finds in ``text``, 0 if there is none."""
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


PICTURE = (
    " 7 {}-----{}-----{}",
    "   |     |     |",
    " 6 | {}---{}---{} |",
    "   | |   |   | |",
    " 5 | | {}-{}-{} | |",
    "   | | |   | | |",
    " 4 {}-{}-{}   {}-{}-{}",
    "   | | |   | | |",
    " 3 | | {}-{}-{} | |",
    "   | |   |   | |",
    " 2 | {}---{}---{} |",
    "   |     |     |",
    " 1 {}-----{}-----{}",
    "   a b c d e f g",
)
"""How boards are printed."""

NOTATION = """
    **Notation.** A man that is placed is written as its point, such as `d6`, a move as the points
    that the man leaves and enters, such as `a1-a4`, a man that is taken as `xf4`. A point is its
    column's letter and its row's number, from the bottom: a1 is the bottom left corner.

    **Board.** W is a man of White, B one of Black, a dot an empty point; lines join neighbours. The
    last line tells who is to place, move or take a man, or how the game has ended and whose move
    was the last, how many men are in hand, and how long none was taken.
"""
"""How moves are written and boards are printed, for ``rules``."""
