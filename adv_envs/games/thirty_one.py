"""The Game of 31: take numbers in turn and add them up; who cannot without passing 31 has lost.

How many tokens of each value are gone is kept in one integer, ``bits_each`` bits for each value
(three here)::

      value     6   5   4   3   2   1
      taken   000 010 000 001 000 001      after 1 5 3 5, total 14

Source: H. E. Dudeney, The Canterbury Puzzles (1907), no. 79, "The Thirty-One Game".
"""

from __future__ import annotations

from typing import Any

from adv_envs.position import Example, Position, reflowed, require_between


class ThirtyOne(Position):
    """Represents a position; ``ThirtyOne(limit=31, copies=4, highest=6)`` is the start.

    With more than two players, the one who cannot move loses and the others share the win equally.
    Raises ValueError unless each parameter is at least 1 (players: 2 to 16), limit is at most
    10,000, and highest * bits_each is at most 63.
    """

    limit: int = 31
    copies: int = 4
    highest: int = 6
    num_players: int = 2
    taken: int = 0
    total: int = 0
    ply: int = 0
    parameters = ("limit", "copies", "highest", "num_players")
    parameter_words = (
        ("Limit", "The total that must not be passed."),
        ("Copies", "How many times each number is there."),
        ("Highest", "The largest number that can be taken."),
        ("Players", "How many play."),
    )

    @property
    def num_actions(self) -> int:
        """Returns one action for each value: action a takes a token of value a + 1."""
        return self.highest

    @property
    def to_move(self) -> int:
        """Returns the player to move: players take turns."""
        return self.ply % self.num_players

    @property
    def bits_each(self) -> int:
        """Returns the bits that count to ``copies``."""
        bits = 1
        while self.copies >> bits != 0:
            bits += 1
        return bits

    def left(self, action: int) -> int:
        """Returns how many tokens of value ``action + 1`` are still on the table."""
        bits = self.bits_each
        return self.copies - (self.taken >> action * bits & (1 << bits) - 1)

    def legal(self, action: int) -> bool:
        """Tests whether there is such a token, and the total stays within the limit."""
        return self.total + action + 1 <= self.limit and self.left(action) > 0

    def play(self, action: int) -> ThirtyOne:
        """Takes a token of value ``action + 1``."""
        return ThirtyOne(
            self.limit,
            self.copies,
            self.highest,
            self.num_players,
            self.taken + (1 << action * self.bits_each),
            self.total + action + 1,
            self.ply + 1,
        )

    def is_terminal(self) -> bool:
        """Tests whether no token that is left fits."""
        for action in range(self.highest):
            if self.legal(action):
                return False
        return True

    def utility(self, player: int) -> float:
        """Returns -1 for the player who cannot move; the others share 1."""
        return -1.0 if player == self.to_move else 1.0 / (self.num_players - 1)

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (highest + 1,): the tokens left of each value from 1 up, then the total."""
        return (self.highest + 1,)

    @property
    def observation_high(self) -> tuple[int, ...]:
        """Returns ``copies`` for the tokens of each value, then ``limit`` for the total."""
        return (self.copies,) * self.highest + (self.limit,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes the tokens left of each value, then the total; the same for every player."""
        for action in range(self.highest):
            planes[action] = self.left(action)
        planes[self.highest] = self.total

    # ---- not needed by the rules

    def result_text(self) -> str:
        return f"{self.side_names[self.to_move]} cannot move, {super().result_text()}"

    def rules(self) -> str:
        others = "the other gets 1"
        if self.num_players > 2:
            others = f"the others share 1 equally, 1/{self.num_players - 1} each"
        return reflowed(f"""
            **Goal.** Do not be the player who cannot move. On the table lie tokens of the values 1
            to {self.highest}, {self.copies} of each, and the players add up what they take.

            **Moves.** The {self.num_players} players take turns, and player 0 begins. A move takes
            one token from the table and adds its value to the common total, which may not pass
            {self.limit}. A token that is taken does not come back, and nobody may pass.

            **End.** The game is over when the player to move has no move: every token that is left
            would lead past {self.limit}, or none is left. This player gets -1, and {others}. So
            who brings the total to exactly {self.limit} leaves the next player without a move.
            There are no draws.

            **Notation.** A move is written as the value of the token: `1` to `{self.highest}`.

            **Board.** The first line tells the total and its limit, the second how many tokens of
            each value are left: 3 x2 means two tokens of value 3. It does not show who is to move:
            the players take one token each, in turn.
            """)

    example = Example(
        """
        4 the total is 4
        3 the total is 7
        1 the total is 8
        2 the total is 10: player 0 cannot move and loses
        """,
        limit=10,
        copies=2,
        highest=4,
    )

    def name(self, action: int) -> str:
        """Returns the value of the token."""
        return str(action + 1)

    def check(self) -> None:
        require_between("limit", self.limit, 1, 10_000)
        require_between("copies", self.copies, 1, 10_000)
        require_between("highest", self.highest, 1, 63)
        require_between("num_players", self.num_players, 2, 16)
        if self.highest * self.bits_each > 63:
            raise ValueError(
                f"{self.highest} values of {self.copies} copies need "
                f"{self.highest * self.bits_each} bits: at most 63 are allowed"
            )
        gone = [self.copies - self.left(action) for action in range(self.highest)]
        total = sum(value * number for value, number in enumerate(gone, 1))
        fits = self.taken >> self.highest * self.bits_each == 0 and max(gone) <= self.copies
        if not fits or (sum(gone), total) != (self.ply, self.total) or total > self.limit:
            raise ValueError("taken, total and ply must fit each other and the game: use after()")

    def state_space(self) -> int:
        """Returns how many multisets of tokens can be left."""
        return (self.copies + 1) ** self.highest  # type: ignore[no-any-return]

    def __str__(self) -> str:
        left = "  ".join(f"{a + 1} x{self.left(a)}" for a in range(self.highest))
        return f"total {self.total} of {self.limit}\ntokens left: {left}"
