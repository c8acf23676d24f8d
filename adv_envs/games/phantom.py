"""Phantom games: two players set stones on a board, and neither sees the stones of the other.

The player to move tries a cell. If it is empty, the stone stands, and it is the opponent's turn. If
the opponent has it already, the player is told so, and

- in the classical game tries another cell, until a stone stands;
- in the abrupt game has lost the turn.

Nobody is told what the other tries. So a player knows the own attempts, in their order, and what
came of each; who is to move; and in the end who has won. No cell is tried twice.

The stones are two sets of cells. The attempts of a player are one number, with the last attempt in
the lowest bits: action + 1 each, in ``digit_bits`` bits. After b2, a1, c3 on 3 x 3 (4 bits each)::

    a1 b1 c1     1  2  3
    a2 b2 c2     4  5  6     attempts = 0x519
    a3 b3 c3     7  8  9

An attempt is known to have failed if the opponent has a stone there: stones are never taken away.
A view has the same fields: ``viewer`` is the player who sees it, the attempts of the other are 0,
and of the other's stones only those that an attempt has met are there.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from adv_envs.bits import count, nth, resized, scratch
from adv_envs.position import RowBoard, require_between
from adv_envs.random import advanced, below, scattered

UNDECIDED, DRAWN = -1, 2
"""``winner`` of a game that goes on, and of one that nobody has won."""

EVERYBODY = -1
"""``viewer`` of a position that shows everything."""


MOST = 27
"""How many turns a player has at most, and two more."""


class Phantom(RowBoard):
    """Holds what phantom games share. A game says what wins."""

    abrupt: bool = False  # whether an attempt that fails ends the turn
    own: int = 0
    opp: int = 0
    own_tried: int = 0  # the attempts of the player to move
    opp_tried: int = 0
    turn: int = 0
    winner: int = UNDECIDED
    viewer: int = EVERYBODY
    parameters: ClassVar[tuple[str, ...]] = ("abrupt",)

    def with_state(
        self, own: int, opp: int, own_tried: int, opp_tried: int,
        turn: int, winner: int, viewer: int,
    ) -> Self:  # fmt: skip
        """Returns the position of the same game with these fields."""
        raise NotImplementedError

    def wins(self, stones: int, player: int) -> bool:
        """Returns whether ``player`` has won with these stones."""
        raise NotImplementedError

    # ---- the rules

    @property
    def to_move(self) -> int:
        """Returns the player to move."""
        return self.turn

    @property
    def digit_bits(self) -> int:
        """Returns how many bits an attempt has."""
        bits = 0
        while self.num_actions >> bits != 0:
            bits += 1
        return bits

    def last_of(self, tried: int) -> int:
        """Returns the last one of some attempts, an action; -1 if there is none."""
        return resized(tried & (1 << self.digit_bits) - 1, self.own) - 1

    def cells_of(self, tried: int) -> int:
        """Returns the set of the cells of attempts."""
        cells, bits = 0, self.digit_bits
        while tried != 0:
            cells |= 1 << self.entry(self.last_of(tried))
            tried >>= bits
        return cells

    def legal(self, action: int) -> bool:
        """Tests whether the player to move has not tried the cell yet."""
        return self.cells_of(self.own_tried) >> self.entry(action) & 1 == 0

    def write_legal(self, actions: Any) -> int:
        tried, number = self.cells_of(self.own_tried), 0
        for action in range(self.num_actions):
            if tried >> self.entry(action) & 1 == 0:
                actions[number] = action
                number += 1
        return number

    def play(self, action: int) -> Self:
        """Sets a stone if the cell is empty; otherwise the attempt fails."""
        stone = 1 << self.entry(action)
        tried = self.own_tried << self.digit_bits | action + 1
        own, opp, turn = self.own, self.opp, self.turn
        if opp & stone != 0:
            if self.abrupt:
                return self.with_state(opp, own, self.opp_tried, tried, 1 - turn, -1, self.viewer)
            return self.with_state(own, opp, tried, self.opp_tried, turn, -1, self.viewer)
        own |= stone
        winner = UNDECIDED
        if self.wins(own, turn):
            winner = turn
        elif count(own | opp) == self.num_actions:
            winner = DRAWN
        return self.with_state(opp, own, self.opp_tried, tried, 1 - turn, winner, self.viewer)

    def is_terminal(self) -> bool:
        """Tests whether somebody has won or the board is full."""
        return self.winner != UNDECIDED

    def utility(self, player: int) -> int:
        """Returns 1 for a win, -1 for a loss, 0 for a draw."""
        if self.winner == DRAWN:
            return 0
        return 1 if self.winner == player else -1

    # ---- what a player sees

    def tried(self, player: int) -> int:
        """Returns the attempts of ``player``."""
        return self.own_tried if player == self.turn else self.opp_tried

    def hidden(self, player: int) -> Self:
        """Hides the other's attempts, and those of their stones that nobody has met."""
        known, none = self.cells_of(self.tried(player)), self.own_tried & 0
        own, opp, own_tried, opp_tried = self.own, self.opp, self.own_tried, self.opp_tried
        if player == self.turn:
            opp, opp_tried = opp & known, none
        else:
            own, own_tried = own & known, none
        return self.with_state(own, opp, own_tried, opp_tried, self.turn, self.winner, player)

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (height, width, 3): own stones, known stones of the opponent, own attempts."""
        return self.height, self.width, 3

    @property
    def observation_high(self) -> int:
        """Returns the number of cells: an attempt for each."""
        return self.num_actions

    def observe(self, player: int, planes: Any) -> None:
        """Writes own stones, known ones of the opponent, and which attempt met a cell: 1, 2..."""
        own, opp, tried = self.stones(player), self.stones(1 - player), self.tried(player)
        number = count(self.cells_of(tried))
        while number > 0:
            action = self.last_of(tried)
            row, column = action // self.width, action % self.width
            cell = self.bit(row, column)
            planes[row, column, 0] = own >> cell & 1
            planes[row, column, 1] = opp >> cell & 1
            planes[row, column, 2] = number
            tried >>= self.digit_bits
            number -= 1

    def unmet(self) -> int:
        """Returns the cells without a stone, as far as is seen."""
        cells = (1 << self.bit(self.height, 0)) - 1
        for row in range(self.height):
            cells &= ~(1 << self.bit(row, self.width))
        return cells & ~(self.own | self.opp)

    def determinized(self, player: int, state: int) -> Self:
        """Returns a position of this view: the other's stones, then the turns that set them."""
        other, mine = 1 - player, self.stones(player)
        after, due, least = scratch(MOST), scratch(MOST), scratch(MOST)
        turns = recall(self, player, after, due)
        set_least(self, player, turns, after, due, least)
        lowest, highest = least[turns], min(turns, self.num_actions - 1 - count(mine))
        total = lowest + below(state, highest - lowest + 1) if self.abrupt else turns
        stones = -1
        while stones < 0:
            state = scattered(state)
            stones = extended(self, other, self.stones(other), self.unmet(), total, state)
            total -= 1
        choose_successes(count(stones), turns, self.abrupt, scattered(state + 1), least)
        tried = attempts(self, player, stones, turns, scattered(state + 2), after, due, least)
        if player == self.turn:
            return self.with_state(mine, stones, self.own_tried, tried, player, -1, EVERYBODY)
        return self.with_state(stones, mine, tried, self.opp_tried, other, -1, EVERYBODY)

    # ---- not needed by the rules

    def attempts_rules(self) -> str:
        """Returns, for ``rules``, what all phantom games share: the moves, and who sees what."""
        failed = "the move is over without a stone, and it is the other player's turn."
        if not self.abrupt:
            failed = "the same player must try another cell, until a stone stands."
        return f"""
            **Moves.** The players take turns, and player 0 begins. A move tries one cell that the
            same player has not tried before. If it is empty, an own stone is set there, and it is
            the other player's turn. If a stone of the other player stands there, the attempt fails:
            {failed} Stones are never moved or taken off, and nobody may pass.

            **Hidden.** A player sees the own stones, and those stones of the other player that own
            attempts have met. Nobody is told what the other player tries{
            "" if self.abrupt else ", or how often"
        }. Who is to move is known to both, and at the end who has won; the other stones stay
            hidden.
            """

    def attempts(self, player: int) -> list[int]:
        """Returns the actions that ``player`` has tried, in order, as far as they are shown."""
        tried, actions = self.tried(player), []
        while tried:
            actions.append(self.last_of(tried))
            tried >>= self.digit_bits
        return actions[::-1]

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, unless play leads to this position or view."""
        require_between("turn", self.turn, 0, 1)
        require_between("winner", self.winner, UNDECIDED, DRAWN)
        require_between("viewer", self.viewer, EVERYBODY, 1)
        self.check_cells()
        for tried in (self.own_tried, self.opp_tried):
            require_between("attempts", tried, 0, (1 << self.num_actions * self.digit_bits) - 1)
        for player in (0, 1):
            actions = self.attempts(player)
            if len(set(actions)) < len(actions) or not set(actions) <= set(range(self.num_actions)):
                raise ValueError(f"attempts must be actions + 1, each once, not {actions} + 1")
        if self.viewer == EVERYBODY:
            self.check_play()
        else:
            self.check_view()

    def check_play(self) -> None:
        """Raises ValueError unless the attempts of both lead to this position."""
        left = [self.attempts(0), self.attempts(1)]
        position = self.with_state(0, 0, 0, 0, 0, UNDECIDED, EVERYBODY)
        while not position.is_terminal() and left[position.turn]:
            position = position.play(left[position.turn].pop(0))
        if any(left) or position != self:
            raise ValueError(f"the attempts lead to another position, {position!r}: use after()")

    def check_view(self) -> None:
        """Raises ValueError unless this can be a view: some position has it."""
        player = self.viewer
        seen = self.cells_of(self.tried(player))
        if self.tried(1 - player) != 0:
            raise ValueError("a view has no attempts of the other player")
        if self.stones(player) | self.stones(1 - player) != seen:
            raise ValueError("a view has the stones that own attempts have met, and no others")
        if any(self.wins(self.stones(i), i) and self.winner != i for i in (0, 1)):
            raise ValueError("winner does not fit the stones")
        after, due, least = [0] * MOST, [0] * MOST, [0] * MOST
        turns, known = recall(self, player, after, due), self.stones(1 - player)
        if self.winner == UNDECIDED:
            set_least(self, player, max(turns, 0), after, due, least)
            total = least[turns] if self.abrupt else turns
            late = turns < 0 or known & ~due[turns] or any(least[i] > i for i in range(turns + 1))
            full = total + count(self.stones(player)) >= self.num_actions
            if late or full or extended(self, 1 - player, known, self.unmet(), total, 0) < 0:
                raise ValueError("no position has this view: the other cannot have set the stones")

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position after these stones, in the order of the board, without a failure."""
        position, left = self.start(), [first, second]
        while any(left):
            cells = left[position.turn]
            actions = [a for a in range(self.num_actions) if cells >> self.entry(a) & 1]
            if position.is_terminal() or not actions:
                raise ValueError("the players set stones in turn, until one of them has won")
            left[position.turn] = cells ^ 1 << self.entry(actions[0])
            position = position.play(actions[0])
        return position

    def rows(self) -> list[list[str]]:
        """Returns the board as characters: X, O, a dot for an empty cell, ? for an unknown one."""
        empty = "." if self.viewer == EVERYBODY else "?"
        return [[c.replace(".", empty) for c in row] for row in super().rows()]

    def attempts_in_words(self, player: int) -> str:
        """Returns what ``player`` has tried: "b2, a1 (taken), c3"."""
        stones = self.stones(player)
        names = [
            self.name(a) + ("" if stones >> self.entry(a) & 1 else " (taken)")
            for a in self.attempts(player)
        ]
        return ", ".join(names) or "nothing"

    def board_text(self) -> str:
        """Returns the cells as rows of characters, with letters and numbers at the edges."""
        return super().__str__()

    def __str__(self) -> str:
        players = (0, 1) if self.viewer == EVERYBODY else (self.viewer,)
        tried = [f"{self.symbols[i]} tried {self.attempts_in_words(i)}" for i in players]
        return "\n".join([self.board_text(), *tried])


# ---- what a player may have done whose attempts are not seen
#
# Turns are those that are over; turns of the other are counted from 0. ``player`` is who sees.


def recall(position: Phantom, player: int, after: Any, due: Any) -> int:
    """Writes what ``player`` knows of the turns; returns how many turns the other has finished.

    ``after[i]``: the own stones after i own turns. ``due[i]``: the stones of the other that stood
    after i turns of the other, as own attempts have met them.
    """
    tried, mine, bits = position.tried(player), position.stones(player), position.digit_bits
    number = count(position.cells_of(tried))
    turn, stones, met = 0, 0, 0
    for i in range(MOST):
        after[i], due[i] = 0, 0
    for i in range(number - 1, -1, -1):
        cell = 1 << position.entry(position.last_of(tried >> i * bits))
        if mine & cell != 0:
            stones |= cell
        else:
            met |= cell
            due[turn + player] = met
        if mine & cell != 0 or position.abrupt:
            turn += 1
            after[turn] = stones
    for i in range(1, MOST):
        due[i] |= due[i - 1]
    if position.turn == 0:
        return turn
    return turn + 1 if player == 1 else turn - 1


def set_least(position: Phantom, player: int, turns: int, after: Any, due: Any, least: Any) -> None:
    """Writes ``least[i]``, how many stones the other has after i turns at the least.

    Those that were met, and one for each turn more than there were stones to run into.
    """
    for i in range(turns + 1):
        least[i] = count(due[i])
        if i > 0:
            least[i] = max(least[i], least[i - 1], i - count(after[i - player]))


def extended(position: Phantom, player: int, stones: int, free: int, total: int, state: int) -> int:
    """Returns ``total`` stones of ``player`` that do not win, the others ``free``; -1 if none."""
    if position.wins(stones, player):
        return -1
    if count(stones) == total:
        return stones
    while count(free) + count(stones) >= total:
        cell = 1 << nth(free, below(state, count(free)))
        free &= ~cell
        state = advanced(state)
        found = extended(position, player, stones | cell, free, total, state)
        if found >= 0:
            return found
    return -1


def choose_successes(total: int, turns: int, may_fail: bool, state: int, least: Any) -> None:
    """Turns ``least`` into the number of stones after each turn: one that can be, at random."""
    for i in range(turns):
        stones = least[i] if i > 0 else 0
        fails = may_fail and total - stones < turns - i
        for later in range(i + 1, turns + 1):
            fails = fails and stones + later - i - 1 >= least[later]
        succeeds = stones < total
        if fails and succeeds:
            state = advanced(state)
            succeeds = below(state, 2) == 1
        least[i + 1] = stones + 1 if succeeds else stones


def attempts(
    position: Phantom,
    player: int,
    stones: int,
    turns: int,
    state: int,
    after: Any,
    due: Any,
    successes: Any,
) -> int:
    """Returns attempts of the other that set ``stones``, ``successes[i]`` within i turns."""
    tried, left, mine = position.own_tried & 0, stones, 0
    for i in range(turns + 1):
        here = after[i + 1 - player]
        if position.abrupt and i < turns and successes[i + 1] == successes[i]:
            state = advanced(state)
            cell = nth(here & ~mine, below(state, count(here & ~mine)))
            mine |= 1 << cell
            tried = with_attempt(position, tried, cell)
        if not position.abrupt and (i < turns or position.turn != player):
            state = advanced(state)
            while here & ~mine != 0 and below(state, 2) == 1:
                state = advanced(state)
                cell = nth(here & ~mine, below(state, count(here & ~mine)))
                mine |= 1 << cell
                tried = with_attempt(position, tried, cell)
                state = advanced(state)
        if i < turns and successes[i + 1] > successes[i]:
            state = advanced(state)
            cells = not_too_late(left, i, turns, due, successes)
            cell = nth(cells, below(state, count(cells)))
            left &= ~(1 << cell)
            tried = with_attempt(position, tried, cell)
    return tried


def with_attempt(position: Phantom, tried: int, cell: int) -> int:
    """Returns ``tried`` and then the ``cell``."""
    return tried << position.digit_bits | cell - cell // (position.width + 1) + 1


def not_too_late(left: int, turn: int, turns: int, due: Any, successes: Any) -> int:
    """Returns those of the stones ``left`` after which the others can be set while they are due."""
    cells = left
    for later in range(turn + 2, turns + 1):
        if count(left & due[later]) > successes[later] - successes[turn + 1]:
            cells &= due[later]
    if count(left & due[turn + 1]) > 0:
        cells &= due[turn + 1]
    return cells
