"""Pig: roll a die as often as you dare, or hold; a 1 loses what the turn has brought.

After "roll 4 roll 6 hold roll 5", target 100::

      player 0   first = 10
      player 1   second = 0    turn = 5, mover = 1, rolling = False

Source: J. Scarne, Scarne on Dice (1945). Solved in T. Neller and C. Presser, Optimal Play of the
Dice Game Pig, The UMAP Journal 25 (2004), 25-47.
"""

from __future__ import annotations

from typing import Any

from adv_envs.position import CHANCE, Example, Position, reflowed, require_between


class Pig(Position):
    """Represents a position of Pig; ``Pig(target=100, faces=6)`` is the start.

    A player's actions are 0, roll, and 1, hold; after a roll chance is to move, and its actions are
    the faces of the die, 0 .. faces - 1. A turn begins with a roll, and who has the target in
    hand can only hold: a game may last, but not stand still. Raises ValueError unless target is 1
    to 10,000 and faces is 2 to 100.
    """

    target: int = 100
    faces: int = 6
    first: int = 0  # the score of player 0
    second: int = 0
    turn: int = 0  # what the turn has brought so far
    mover: int = 0  # whose turn it is
    rolling: bool = False
    parameters = ("target", "faces")
    parameter_words = (
        ("Target", "How many points win."),
        ("Faces", "How many faces the die has."),
    )

    @property
    def num_actions(self) -> int:
        """Returns the number of faces, at least 2; roll and hold are the first two actions."""
        return max(2, self.faces)

    @property
    def to_move(self) -> int:
        """Returns whose turn it is, or chance while the die rolls."""
        return CHANCE if self.rolling else self.mover

    def score(self, player: int) -> int:
        """Returns the points that a player has for sure."""
        return self.first if player == 0 else self.second

    def legal(self, action: int) -> bool:
        """Allows any face of the die; a roll before the target is in hand; to hold more than 0."""
        if self.rolling:
            return action < self.faces
        if action == 0:
            return self.score(self.mover) + self.turn < self.target
        return action == 1 and self.turn > 0

    def probability(self, action: int) -> float:
        """Returns the chance of a face of a fair die."""
        return 1.0 / self.faces if action < self.faces else 0.0

    def play(self, action: int) -> Pig:
        """Rolls, holds, or lets the die show ``action + 1``."""
        first, second, turn, mover = self.first, self.second, self.turn, self.mover
        rolling = not self.rolling and action == 0
        if self.rolling and action > 0:
            turn += action + 1
        elif not rolling:  # the turn passes on
            if not self.rolling and mover == 0:
                first += turn
            elif not self.rolling:
                second += turn
            turn, mover = 0, 1 - mover
        return Pig(self.target, self.faces, first, second, turn, mover, rolling)

    def is_terminal(self) -> bool:
        """Tests whether a score has reached the target."""
        return max(self.first, self.second) >= self.target

    def utility(self, player: int) -> float:
        """Returns 1 for the player who reached the target, -1 for the other."""
        return 1.0 if self.score(player) >= self.target else -1.0

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (4,): own score, the opponent's, the turn total, 1 if it is the own turn."""
        return (4,)

    @property
    def observation_high(self) -> tuple[int, ...]:
        """Returns the highest scores, as the last roll may lead past the target; then 1."""
        most = self.target + self.faces - 1
        return (most, most, most, 1)

    def observe(self, player: int, planes: Any) -> None:
        """Writes own score, the opponent's score, the turn total, 1 if it is the own turn."""
        planes[0] = self.score(player)
        planes[1] = self.score(1 - player)
        planes[2] = self.turn
        planes[3] = self.mover == player

    # ---- not needed by the rules

    def result_text(self) -> str:
        high, low = sorted((self.first, self.second), reverse=True)
        return f"{super().result_text()}, {high} to {low}"

    def turn_text(self) -> str:
        return f"{self.side_names[self.mover]} rolls" if self.rolling else super().turn_text()

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Be the first player with a score of {self.target} or more points. Both begin
            with 0, and player 0 has the first turn.

            **Moves.** A turn has any number of rolls of a die with {self.faces} faces. The player
            whose turn it is chooses:

            - `roll`: chance rolls the die, every face as likely. A 1 loses all that this turn has
              brought, and the turn passes on; the score of earlier turns is kept. Any other number
              is added to the turn total, and the same player chooses again.
            - `hold`: the turn total is added to the player's score, and the turn passes on.

            A turn begins with a roll: nobody may hold with a turn total of 0. A player whose score
            and turn total together are {self.target} or more may only hold. A roll of the die is a
            move of chance and not of a player.

            **End.** The game is over when a player has held with a score of {self.target} or more:
            this player gets 1, the other -1. There are no draws.

            **Notation.** A player's move is `roll` or `hold`. What the die shows is written as its
            number, 1 to {self.faces}.

            **Board.** A line for each player tells the score, followed by + and the turn total
            where there is one; > marks the player whose turn it is. The last line tells the target.
            """)

    example = Example(
        """
        roll
        4 the turn total is 4
        roll
        6 the turn total is 10
        hold the score of player 0 is 10, and the turn passes on
        roll
        1 player 1 gets nothing, and the turn passes on
        """,
        target=20,
    )

    def name(self, action: int) -> str:
        """Returns roll or hold, or what the die shows."""
        if self.rolling:
            return str(action + 1)
        return "roll" if action == 0 else "hold"

    def check(self) -> None:
        require_between("target", self.target, 1, 10_000)
        require_between("faces", self.faces, 2, 100)
        require_between("mover", self.mover, 0, 1)
        own, other = self.score(self.mover), self.score(1 - self.mover)
        most = self.target - 1 + self.faces  # the last roll was made below the target
        require_between("the score of the player to move", own, 0, self.target - 1)
        require_between("the other score", other, 0, most)
        require_between("turn", self.turn, 0, most - own)
        if self.is_terminal() and (self.turn > 0 or self.rolling):
            raise ValueError("the game is over: turn must be 0, and the die cannot be rolling")
        if self.rolling and own + self.turn >= self.target:
            raise ValueError("with the target in hand there is nothing to roll for: hold")

    def state_space(self) -> int:
        """Counts the positions that ``check`` accepts: unfinished, at rest or rolling, and ends."""
        unfinished = self.target * (self.target + self.faces + 1)  # of one player, against a score
        return 2 * self.target * (unfinished + self.faces)

    def __str__(self) -> str:
        lines = []
        for player in (0, 1):
            here = player == self.mover and not self.is_terminal()
            turn = f" + {self.turn}" if here and (self.turn or self.rolling) else ""
            die = ", the die rolls" if here and self.rolling else ""
            lines.append(
                f"{'>' if here else ' '} player {player} {self.score(player):5}{turn}{die}"
            )
        return "\n".join([*lines, f"  target   {self.target:5}"])
