"""Rock-paper-scissors: paper beats rock, scissors beat paper, rock beats scissors.

Both players choose at once. So player 0 chooses first, and ``hidden`` keeps the choice from player
1 until that player has chosen, too. All choices of a game are kept: ``first`` and ``second`` have a
hexadecimal digit for each round, the first round lowest, which is the action plus 1::

               round 321
      first  = 0x    213    player 0: scissors, rock, paper
      second = 0x     12    player 1: paper, rock; is to move, and sees first = 0x13
"""

from __future__ import annotations

from typing import Annotated, Any

from adv_envs.bits import digit, single
from adv_envs.position import Example, Position, reflowed, require_between
from adv_envs.random import below

ACTIONS = ("rock", "paper", "scissors")


class RockPaperScissors(Position):
    """Represents a position of rock-paper-scissors; ``RockPaperScissors(rounds=1)`` is the start.

    Actions are 0, rock, 1, paper, and 2, scissors, as in PettingZoo. The utility is the number of
    rounds won minus that of rounds lost. Raises ValueError unless there are 1 to 100 rounds.
    """

    rounds: int = 1
    first: Annotated[int, "history_bits"] = 0  # the choices of player 0
    second: Annotated[int, "history_bits"] = 0
    ply: int = 0
    parameters = ("rounds",)
    simultaneous = True
    parameter_words = (("Rounds", "How often the players choose."),)

    @property
    def history_bits(self) -> int:
        """Returns 4 bits, a hexadecimal digit, for each round."""
        return 4 * self.rounds

    @property
    def num_actions(self) -> int:
        """Returns 3: rock, paper, scissors."""
        return 3

    @property
    def max_utility(self) -> int:
        """Returns the utility of winning every round."""
        return self.rounds

    @property
    def to_move(self) -> int:
        """Returns player 0, then player 1, who does not know what player 0 has chosen."""
        return self.ply % 2

    def choice(self, player: int, number: int) -> int:
        """Returns a player's choice in a round, from 0; -1 for nothing, or if it is hidden."""
        return digit(self.first if player == 0 else self.second, number) - 1

    def legal(self, action: int) -> bool:
        """Returns True: everything is allowed."""
        return True

    def play(self, action: int) -> RockPaperScissors:
        """Chooses rock, paper or scissors for the player to move."""
        first, second, place = self.first, self.second, 4 * (self.ply // 2)
        if self.ply % 2 == 0:
            first = first | single(place, first) * (action + 1)
        else:
            second = second | single(place, second) * (action + 1)
        return RockPaperScissors(self.rounds, first, second, self.ply + 1)

    def is_terminal(self) -> bool:
        """Tests whether all rounds are played."""
        return self.ply == 2 * self.rounds

    def won(self, player: int, number: int) -> int:
        """Returns 1 if a player won a played round, -1 if the other player did, 0 for neither."""
        ahead = (self.choice(player, number) - self.choice(1 - player, number)) % 3
        return ahead if ahead < 2 else -1

    def score(self, player: int) -> int:
        """Returns the rounds that a player has won minus those lost."""
        total = 0
        for number in range(self.ply // 2):
            total += self.won(player, number)
        return total

    def utility(self, player: int) -> int:
        """Returns the rounds won minus the rounds lost."""
        return self.score(player)

    # ---- what a player sees

    def hidden(self, player: int) -> RockPaperScissors:
        """Hides what player 0 chose in a round that player 1 has not yet finished."""
        if player == 0 or self.ply % 2 == 0:
            return self
        first = self.first & single(4 * (self.ply // 2), self.first) - 1
        return RockPaperScissors(self.rounds, first, self.second, self.ply)

    def seen_after(self, player: int, action: int) -> int:
        """Shows player 1 what player 0 chose after choosing as well."""
        return 1 if player == 1 and self.ply % 2 == 0 else 0

    def determinized(self, player: int, state: int) -> RockPaperScissors:
        """Returns a position of the view: anything may have been chosen."""
        if player == 0 or self.ply % 2 == 0:
            return self
        choice = single(4 * (self.ply // 2), self.first) * (below(state, 3) + 1)
        return RockPaperScissors(self.rounds, self.first | choice, self.second, self.ply)

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (1,): what the opponent chose in the last round, as in PettingZoo."""
        return (1,)

    @property
    def observation_high(self) -> int:
        """Returns 3, which stands for no round yet."""
        return 3

    def observe(self, player: int, planes: Any) -> None:
        """Writes the opponent's action in the last round that is finished; 3 if none is."""
        last = self.ply // 2 - 1
        planes[0] = self.choice(1 - player, last) if last >= 0 else 3

    # ---- not needed by the rules

    def result_text(self) -> str:
        if self.rounds == 1:
            return super().result_text()
        won = [sum(self.won(i, number) == 1 for number in range(self.rounds)) for i in (0, 1)]
        high, low = sorted(won, reverse=True)
        return f"{super().result_text()}, {high} to {low}"

    def rules(self) -> str:
        rounds = "one round" if self.rounds == 1 else f"{self.rounds} rounds"
        return reflowed(f"""
            **Goal.** Win more rounds than you lose. The game has {rounds}.

            **Moves.** In each round both players choose rock, paper or scissors at once. Paper
            beats rock, scissors beat paper, and rock beats scissors; of two equal choices
            neither wins the round. Everything may be chosen in every
            round. Player 0 moves first, then player 1.

            **Hidden.** Player 1 does not see what player 0 has chosen in this round before choosing
            as well. Both see all choices of the rounds that are finished.

            **End.** The game is over after {rounds}. A player gets the number of rounds won minus
            the number of rounds lost, which is 0 to both if they have won as many.

            **Notation.** A move is `rock`, `paper` or `scissors`.

            **Board.** A line for each player tells the choices so far, round by round; ? is a
            choice that one does not see. > marks the player to move.
            """)

    example = Example(
        """
        rock
        paper player 1 wins the first round
        rock
        """,
        rounds=2,
    )

    def name(self, action: int) -> str:
        """Returns the word."""
        return ACTIONS[action]

    def check(self) -> None:
        require_between("rounds", self.rounds, 1, 100)
        require_between("ply", self.ply, 0, 2 * self.rounds)
        for name, player in (("first", 0), ("second", 1)):
            played = (self.ply + 1 - player) // 2
            history = getattr(self, name)
            unseen = player == 0 and self.ply % 2 == 1 and 0 <= history < 16 ** (played - 1)
            digits = f"{history:x}".zfill(played - unseen) if history else "0" * (played - unseen)
            if history < 0 or len(digits) != played - unseen or set(digits) - set("123"):
                raise ValueError(
                    f"{name} must have a hexadecimal digit 1 to 3 for each of {played} rounds"
                )

    def __str__(self) -> str:
        lines = []
        for player in (0, 1):
            here = player == self.to_move and not self.is_terminal()
            played = range((self.ply + 1 - player) // 2)
            choices = (self.choice(player, number) for number in played)
            words = " ".join("?" if choice < 0 else ACTIONS[choice] for choice in choices)
            lines.append(f"{'>' if here else ' '} player {player}   {words}".rstrip())
        return "\n".join(lines)
