"""Kalah: sow seeds around the board, and bring home more of them than the other player.

Each player has a row of pits and, to the right of it, a store. Player 1 sits on the other side of
the board; 6 pits, 4 seeds in each::

               6   5   4   3   2   1
               4   4   4   4   4   4            player 1
        [ 0 ]                         [ 0 ]     the store of player 1, of player 0
               4   4   4   4   4   4            player 0
               1   2   3   4   5   6

A side of the board is one integer, a byte for each pit and the highest for the store. After pit 3,
whose last seed fell into the store, player 0 is still to move, and action 0 is pit 1::

      byte      6  5  4  3  2  1  0
      own       1  5  5  5  0  4  4      the side of the player to move
      opp       0  4  4  4  4  4  4      the other one

Invented by W. J. Champion, 1940 (US patent 2,720,362). Solved for up to 6 pits and 6 seeds in G.
Irving, J. Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23 (2000), 139-148, where the rule
is ``empty_capture=False``.
"""

from __future__ import annotations

from math import comb
from typing import Any

from adv_envs.position import Example, Position, counted, reflowed, require_between

BYTE = 255


class Kalah(Position):
    """Represents a position; ``Kalah(pits=6, seeds=4, empty_capture=False)`` is the start.

    The utility of a player is the margin: the own seeds minus the other player's. Raises ValueError
    unless pits is 1 to 6, seeds is at least 1, and there are at most 255 seeds in all.
    """

    pits: int = 6
    seeds: int = 4
    empty_capture: bool = False
    own: int = -1  # not given: the start
    opp: int = -1
    to_move: int = 0
    parameters = ("pits", "seeds", "empty_capture")
    parameter_words = (
        ("Pits", "How many pits each player has."),
        ("Seeds", "How many seeds each pit has at the start."),
        (
            "Capture alone",
            "A last seed in an own empty pit is brought home even if nothing is opposite.",
        ),
    )
    side_names = ("Red", "Blue")

    @property
    def num_actions(self) -> int:
        """Returns one action for each pit: action a sows the seeds of pit a + 1."""
        return self.pits

    @property
    def max_utility(self) -> int:
        """Returns the number of all seeds."""
        return 2 * self.pits * self.seeds

    def legal(self, action: int) -> bool:
        """Tests whether the pit has seeds."""
        return self.own >> 8 * action & BYTE != 0

    def play(self, action: int) -> Kalah:
        """Sows the seeds of a pit, captures, and finishes the game if a row is empty."""
        seeds = self.own >> 8 * action & BYTE
        own, opp = self.own - (seeds << 8 * action), self.opp
        last = action  # own pits are 0 .. pits - 1, then the own store, then the opponent's pits
        while seeds > 0:
            last = last + 1 if last < 2 * self.pits else 0
            if last <= self.pits:
                own += 1 << 8 * last
            else:
                opp += 1 << 8 * (last - self.pits - 1)
            seeds -= 1
        if last < self.pits and own >> 8 * last & BYTE == 1:
            opposite = 8 * (self.pits - 1 - last)
            captured = opp >> opposite & BYTE
            if captured > 0 or self.empty_capture:
                opp -= captured << opposite
                own += (captured + 1 << 8 * self.pits) - (1 << 8 * last)
        row = (1 << 8 * self.pits) - 1
        if own & row == 0 or opp & row == 0:
            own, opp = self.brought_home(own), self.brought_home(opp)
        pits, seeds, empty_capture = self.pits, self.seeds, self.empty_capture
        if last == self.pits:
            return Kalah(pits, seeds, empty_capture, own, opp, self.to_move)
        return Kalah(pits, seeds, empty_capture, opp, own, 1 - self.to_move)

    def brought_home(self, side: int) -> int:
        """Returns a side of the board with all its seeds in the store."""
        seeds = 0
        for pit in range(self.pits + 1):
            seeds += side >> 8 * pit & BYTE
        return seeds << 8 * self.pits

    def is_terminal(self) -> bool:
        """Tests whether a row is empty; then both are, as all seeds are in the stores."""
        return self.own & (1 << 8 * self.pits) - 1 == 0

    def utility(self, player: int) -> int:
        """Returns how many more seeds are in the own store than in the other one."""
        return self.store(player) - self.store(1 - player)

    def side(self, player: int) -> int:
        """Returns the pits and the store of a player."""
        return self.own if player == self.to_move else self.opp

    def store(self, player: int) -> int:
        """Returns how many seeds are in the store of a player."""
        return self.side(player) >> 8 * self.pits

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (2 * pits + 2,): own pits, own store, the opponent's pits, and store."""
        return (2 * self.pits + 2,)

    @property
    def observation_high(self) -> int:
        """Returns the number of all seeds, which may be in one place."""
        return 2 * self.pits * self.seeds

    def observe(self, player: int, planes: Any) -> None:
        """Writes the seeds in each pit and in the store, the own side first."""
        own, opp, places = self.side(player), self.side(1 - player), self.pits + 1
        for place in range(places):
            planes[place] = own >> 8 * place & BYTE
            planes[places + place] = opp >> 8 * place & BYTE

    # ---- not needed by the rules

    def result_text(self) -> str:
        high, low = sorted((self.store(0), self.store(1)), reverse=True)
        return f"{super().result_text()}, {high} to {low}"

    def rules(self) -> str:
        empty = "If the opposite pit is empty nothing is captured and the seed stays where it is."
        if self.empty_capture:
            empty = "If the opposite pit is empty, the last seed alone goes into the own store."
        return reflowed(f"""
            **Goal.** Have more seeds than the other player at the end. Each player has
            {counted(self.pits, "pit")} with {counted(self.seeds, "seed")} in each, and a
            store, which is empty at the start.

            **Moves.** Player 0 begins. A move takes all seeds out of one own pit that is not empty
            and sows them, one into each place: into the own pits with higher numbers, the own
            store, the other player's pits from 1 on, and round again from the own pit 1, the pit
            they came from included. The other player's store is left out. Then, by the last seed:

            - In the own store: the same player moves again. Otherwise the turn passes on.
            - In an own pit that was empty before it fell: that seed and all seeds in the opposite
              pit are captured and go into the own store. Own pit 1 is opposite the other player's
              pit {self.pits}, pit 2 the one before it, and so on. {empty}

            **End.** The game is over when, after a move, all pits of one player are empty. Then
            each player's seeds in the own pits go into the own store. A player gets the number of
            seeds in the own store minus that in the other's; as many each are a draw, worth 0.

            **Notation.** A move is written as the number of the pit, `1` to `{self.pits}`, counted
            from the left by a player who sits at the own side.

            {PRINTED}
            """)

    example = Example(
        """
        3 the last seed falls into the store: player 0 moves again
        1 the last seed falls into pit 3, which was empty: it and 2 seeds opposite are captured
        4 one seed into the own store, the last one into pit 1 of player 0
        """,
        pits=4,
        seeds=2,
    )

    def set_up(self) -> Kalah:
        """Returns the same number of seeds in each pit, where neither side was given."""
        if (self.own, self.opp) != (-1, -1):
            return self
        self.check_parameters()
        side = sum(self.seeds << 8 * pit for pit in range(self.pits))
        return Kalah(self.pits, self.seeds, self.empty_capture, side, side, self.to_move)

    def check_parameters(self) -> None:
        """Raises ValueError, saying what is allowed, for boards that cannot be."""
        require_between("pits", self.pits, 1, 6)
        require_between("seeds", self.seeds, 1, 255 // (2 * self.pits))

    def check(self) -> None:
        self.check_parameters()
        require_between("to_move", self.to_move, 0, 1)
        most = (1 << 8 * (self.pits + 1)) - 1
        require_between("own", self.own, 0, most)
        require_between("opp", self.opp, 0, most)
        total = sum(sum(self.numbers(player)) for player in (0, 1))
        if total != 2 * self.pits * self.seeds:
            raise ValueError(
                f"there must be {2 * self.pits * self.seeds} seeds in all, not {total}"
            )
        empty = [not any(self.numbers(player)[:-1]) for player in (0, 1)]
        if empty[0] != empty[1]:
            raise ValueError("a row is empty, so the game is over: all seeds must be in the stores")

    def numbers(self, player: int) -> list[int]:
        """Returns how many seeds are in each pit of a player, and in the store."""
        return [self.side(player) >> 8 * place & BYTE for place in range(self.pits + 1)]

    def name(self, action: int) -> str:
        """Returns the number of the pit, from the player's left to right."""
        return str(action + 1)

    def state_space(self) -> int:
        """Counts the ways to lay the seeds in pits and stores, with either player to move."""
        places = 2 * self.pits + 2
        return 2 * comb(2 * self.pits * self.seeds + places - 1, places - 1)

    def __str__(self) -> str:
        first, second = self.numbers(0), self.numbers(1)
        over = self.is_terminal()
        signs = ["  " if over or player != self.to_move else " >" for player in (0, 1)]
        rows = [range(self.pits, 0, -1), second[-2::-1], first[:-1], range(1, self.pits + 1)]
        above, back, front, below = ("".join(f"{number:4}" for number in row) for row in rows)
        between = " " * (4 * self.pits)
        return "\n".join(
            [
                f"       {above}",
                f"{signs[1]}     {back}     player 1",
                f"  [{second[-1]:3}]{between} [{first[-1]:3}]",
                f"{signs[0]}     {front}     player 0",
                f"       {below}",
            ]
        )


PRINTED = """
    **Board.** Player 0 has the lower row, from left to right, and the store in brackets at the
    right; player 1 has the upper row, from right to left, and the store at the left. The outer
    lines number the pits, and > marks the player to move.
"""
"""How boards are printed, for ``rules``."""
