"""A referee of two GTP programs that knows no rules: what one plays the other is told.

It shares no code with the package, as programs such as ``gogui-twogtp`` do not.
"""

import shlex
import subprocess
from dataclasses import dataclass, field


@dataclass
class Player:
    """A program at the other end of two pipes."""

    command: str
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            shlex.split(self.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def send(self, command: str) -> str:
        """The text of the answer, which must be good."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines: list[str] = []
        while (line := self.process.stdout.readline()) and (line.strip() or not lines):
            lines += [line] if line.strip() else []
        answer = "".join(lines)
        assert answer.startswith("="), f"{self.command} answers {command!r} with {answer!r}"
        self.said.append(command)
        return answer[1:].strip()

    def close(self) -> None:
        """End the program."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.send("quit")
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(10)


def play(
    black: str, white: str, *settings: str, untold: str = "", most: int = 500
) -> tuple[list[str], list[str]]:
    """The moves of a game, and the result that each of the two programs says it has.

    ``settings`` are sent to both. A move ``untold`` is not told to the other one. A game ends when
    somebody resigns, after two passes, when a program has no legal move, or after ``most`` moves.
    """
    players = Player(black), Player(white)
    try:
        for player in players:
            for setting in settings:
                player.send(setting)
        moves: list[str] = []
        while len(moves) < most:
            number = len(moves) % 2
            move = players[number].send(f"genmove {'bw'[number]}").lower()
            moves.append(move)
            if move == "resign":
                break
            if move != untold:
                players[1 - number].send(f"play {'bw'[number]} {move}")
            if moves[-2:] == ["pass", "pass"] or any(map(ended, players)):
                break
        results = ["WB"[len(moves) % 2 == 0] + "+R"] * 2 if moves[-1] == "resign" else []
        return moves, results or [player.send("final_score") for player in players]
    finally:
        for player in players:
            player.close()


def ended(player: Player) -> bool:
    """Whether a program of ours has no legal move left: it is asked for all of them."""
    known = player.send("known_command all_legal_moves") == "true"
    return known and player.send("all_legal_moves") == ""
