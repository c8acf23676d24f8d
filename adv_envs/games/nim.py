"""Nim: take as many stones as you like from one heap; who takes the last stone of all wins.

The heaps, and what is left of them, are written as decimal numbers, a digit for each heap::

      heaps = 1357          left = 1327, after c3 (from heap c take 3)

      a  |                  a  |
      b  |||                b  |||
      c  |||||              c  ||
      d  |||||||            d  |||||||

Actions are numbered by what they take, then by heap: with n heaps action n * (t - 1) + i takes t
stones from heap i, heap 0 being a. Here c3 is action 4 * 2 + 2 = 10.

Source: C. L. Bouton, Nim, a Game with a Complete Mathematical Theory (Annals of Mathematics, 1901).
"""

from __future__ import annotations

from typing import Any

from adv_envs.position import Example, Position, counted, reflowed, require_between


def power_of_ten(exponent: int) -> int:
    """Returns ten to a power: one that says the place of a heap in ``heaps``."""
    power = 1
    for _ in range(exponent):
        power *= 10
    return power


class Nim(Position):
    """Represents a position of Nim; ``Nim(heaps=1357, misere=False)`` is the start.

    The digits of ``heaps`` are the sizes of the heaps. Raises ValueError unless there are one to
    eight heaps of 1 to 9 stones.
    """

    heaps: int = 1357
    misere: bool = False
    left: int = -1  # -1: all of ``heaps``, see set_up
    turn: int = 0  # the player to move
    parameters = ("heaps", "misere")
    parameter_words = (
        ("Heaps", "The sizes of the heaps, a digit each: 1357 is 1, 3, 5 and 7 stones."),
        ("Misère", "Who takes the last stone loses."),
    )

    def set_up(self) -> Nim:
        """Returns the position itself or, if nothing is said of what is left, the full heaps."""
        left = self.heaps if self.left == -1 else self.left
        return Nim(self.heaps, self.misere, left, self.turn)

    @property
    def num_heaps(self) -> int:
        """Returns how many heaps there are, the empty ones counted."""
        number, rest = 0, self.heaps
        while rest > 0:
            number += 1
            rest //= 10
        return number

    @property
    def largest(self) -> int:
        """Returns the size of the largest heap at the start."""
        size, rest = 0, self.heaps
        while rest > 0:
            size = max(size, rest % 10)
            rest //= 10
        return size

    @property
    def num_actions(self) -> int:
        """Returns, for each heap, one action for each number of stones up to the largest heap."""
        return self.num_heaps * self.largest

    @property
    def to_move(self) -> int:
        """Returns the player to move: players alternate, player 0 begins."""
        return self.turn

    def size(self, heap: int) -> int:
        """Returns how many stones are left in a heap, 0 being the first."""
        place = power_of_ten(self.num_heaps - 1 - heap)
        return self.left // place % 10

    def legal(self, action: int) -> bool:
        """Tests whether the heap has the stones that are to be taken."""
        number = self.num_heaps
        return action // number < self.size(action % number)

    def write_legal(self, actions: Any) -> int:
        found, number, largest = 0, self.num_heaps, self.largest
        first = power_of_ten(number - 1)
        for taken in range(1, largest + 1):
            place = first
            for heap in range(number):
                if self.left // place % 10 >= taken:
                    actions[found] = (taken - 1) * number + heap
                    found += 1
                place //= 10
        return found

    def play(self, action: int) -> Nim:
        """Takes stones from a heap."""
        number = self.num_heaps
        taken = (action // number + 1) * power_of_ten(number - 1 - action % number)
        return Nim(self.heaps, self.misere, self.left - taken, 1 - self.turn)

    def is_terminal(self) -> bool:
        """Tests whether all stones are taken."""
        return self.left == 0

    def utility(self, player: int) -> int:
        """Returns 1 for the player who took the last stone, in misere Nim the other; else -1."""
        return 1 if (player == self.turn) == self.misere else -1

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (num_heaps,): the stones that are left in each heap."""
        return (self.num_heaps,)

    @property
    def observation_high(self) -> int:
        """Returns the size of the largest heap at the start: no heap grows."""
        return self.largest

    def observe(self, player: int, planes: Any) -> None:
        """Writes the stones that are left in each heap, the same for both players."""
        for heap in range(self.num_heaps):
            planes[heap] = self.size(heap)

    # ---- not needed by the rules

    def rules(self) -> str:
        take, ends = "Take the last stone of all.", "wins and gets 1, the other -1"
        if self.misere:
            take, ends = "Do not take the last stone of all.", "loses and gets -1, the other 1"
        sizes = ", ".join(f"{'abcdefgh'[i]} {digit}" for i, digit in enumerate(str(self.heaps)))
        return reflowed(f"""
            **Goal.** {take} This is {"misere" if self.misere else "normal"} Nim with
            {counted(self.num_heaps, "heap")} of stones, called by letters.
            At the start they have these numbers of stones: {sizes}.

            **Moves.** The players take turns, and player 0 begins. A move takes one or more stones,
            as many as the player likes, from one heap; it may take the whole heap. Stones are
            never put back, no move takes stones from two heaps, and nobody may pass.

            **End.** The game is over when all heaps are empty. The player who took the last stone
            {ends}. There are no draws.

            **Notation.** A move is written as the letter of the heap and the number of stones that
            are taken, not of those that stay: `a1` takes one stone from heap a.

            **Board.** Each line is a heap: its letter, and a stroke for each stone that is left. An
            empty heap has no strokes. The board does not show who is to move.
            """)

    @property
    def example(self) -> Example:
        return Example(
            f"""
            c3 takes the whole heap c
            b1 leaves two heaps of one stone
            a1 player 0 has to take one of them
            b1 the last stone: player 1 {"loses" if self.misere else "wins"}
            """,
            heaps=123,
        )

    def name(self, action: int) -> str:
        """Returns the letter of the heap and the number of stones taken: "c3"."""
        number = self.num_heaps
        return f"{'abcdefgh'[action % number]}{action // number + 1}"

    def check(self) -> None:
        if not 1 <= self.heaps < 10**8 or "0" in str(self.heaps):
            raise ValueError(
                "heaps must have a digit from 1 to 9 for each of one to eight heaps, such as 1357, "
                f"and not be {self.heaps}"
            )
        require_between("turn", self.turn, 0, 1)
        require_between("left", self.left, 0, self.heaps)
        for heap in range(self.num_heaps):
            full = Nim(self.heaps, self.misere, self.heaps, 0).size(heap)
            require_between(f"heap {'abcdefgh'[heap]} of left", self.size(heap), 0, full)

    def state_space(self) -> int:
        """Counts positions: each heap has all its stones or fewer; either player is to move."""
        states = 2
        for digit in str(self.heaps):
            states *= int(digit) + 1
        return states

    def __str__(self) -> str:
        rows = [f"{'abcdefgh'[i]}  {'|' * self.size(i)}".rstrip() for i in range(self.num_heaps)]
        return "\n".join(rows)
