"""Rock-paper-scissors with a list of words for each player, written to be obvious."""

BEATS = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}


class NaiveRockPaperScissors:
    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.choices: list[list[str]] = [[], []]

    @property
    def to_move(self) -> int:
        return len(self.choices[0]) - len(self.choices[1])

    def actions(self) -> list[str]:
        return [] if len(self.choices[1]) == self.rounds else ["rock", "paper", "scissors"]

    def play(self, word: str) -> None:
        self.choices[self.to_move].append(word)

    def seen(self, player: int) -> tuple[object, ...]:
        """What a player knows: the own choices, and those of the other in finished rounds."""
        done = len(self.choices[1])
        return tuple(self.choices[player]), tuple(self.choices[1 - player][:done]), self.to_move

    def utility(self, player: int) -> int:
        ahead = 0
        for one, other in zip(*self.choices, strict=True):
            ahead += ((one, other) in BEATS) - ((other, one) in BEATS)
        return ahead if player == 0 else -ahead
