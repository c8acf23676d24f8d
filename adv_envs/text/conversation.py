"""Writes what a player is told in a game of messages, from what that player sees and no more.

All that is said of a game comes from the player's view, ``Position.hidden``, and from what the
rules announce of each move, ``Session.seen``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from adv_envs.position import CHANCE, Board, Position
from adv_envs.registry import title
from adv_envs.session import SeenMove, Session, view_of

from .board_forms import write_board
from .reading import Reading
from .rules import rules_text

Message = dict[str, str]
"""A message as the chat interfaces of language models have it: "role" and "content"."""

ASK = 'End your reply with "Final answer: " and one move.'
LONGEST_QUOTE = 40
"""Characters of an answer that are quoted to its author."""


@dataclass
class Conversation:
    """Holds the messages between a game and one player, turn by turn."""

    start: Position
    """Where games begin, whose rules and parameters are told."""
    seat: int
    board: str = "grid"
    """One of ``BOARDS``: how positions are written."""
    show_legal: bool = False
    """Whether the legal moves are listed."""
    memory: int | None = None
    """How many earlier turns are kept in ``messages``; None for all. Where some are left out, each
    turn lists the moves since the start."""
    turns: list[list[Message]] = field(default_factory=list)
    told: list[SeenMove] = field(default_factory=list)
    """What the player has been told of each move."""

    def messages(self) -> list[Message]:
        """Returns the rules and the turns that are remembered, as a new list."""
        first = 0 if self.memory is None else max(0, len(self.turns) - 1 - self.memory)
        said = [dict(message) for turn in self.turns[first:] for message in turn]
        return [{"role": "system", "content": self.introduction()}, *said]

    def introduction(self) -> str:
        """Returns the first message: the game, its rules, and how to answer."""
        # Rules with an example say how moves are written.
        start = self.start.start()  # the same moves wherever the game begins
        moves = example_moves(start, self.seat) if start.example is None else []
        names = " or ".join(f'"{name}"' for name in moves)
        written = f" Moves are written as {names}." if names else ""
        return (
            f"You play the game {title(self.start)}. You are {self.player(self.seat)} of "
            f"{self.start.num_players}; players are numbered from 0.\n\n"
            f"{rules_text(self.start)}\n\n"
            "You are told what you see, and answer with one move; where a turn has several, you "
            f"are asked for one after another. You may think first. {ASK}{written}"
        )

    def player(self, number: int) -> str:
        """Returns what a player is called: "player 1 (O)", with the stones, where there are any."""
        stones = f" ({self.start.symbols[number]})" if isinstance(self.start, Board) else ""
        return f"player {number}{stones}"

    def ask(self, session: Session) -> None:
        """Begins a turn of the player: says what was done, what is seen, and asks for a move."""
        view = view_of(session.position, self.seat)
        parts = [*self._seen(session), f"It is your turn, {self.player(self.seat)}. {ASK}"]
        if self.show_legal:
            names = " ".join(view.name(action) for action in view.legal_actions())
            parts.insert(-1, f"Legal moves: {names}")
        self.turns.append([{"role": "user", "content": "\n\n".join(parts)}])

    def close(self, session: Session, ending: str) -> None:
        """Says how the game has ended."""
        content = "\n\n".join([*self._seen(session), f"The game is over. {ending}"])
        self.turns.append([{"role": "user", "content": content}])

    def reply(self, reply: str) -> None:
        """Adds a reply of the player to the turn."""
        self.turns[-1].append({"role": "assistant", "content": reply})

    def ask_again(self, reading: Reading, tries: int) -> None:
        """Says what was wrong with the last reply, and how many ``tries`` are left."""
        answer = f'"{quoted(reading.answer)}"'
        if reading.outcome == "illegal":
            fault = f"{answer} is not a legal move here."
        elif reading.answer:
            fault = f"Your reply has several moves: {answer}."
        else:
            fault = "No move was found in your reply."
        left = f"You have {tries} {'tries' if tries > 1 else 'try'} left."
        self.turns[-1].append({"role": "user", "content": f"{fault} {ASK} {left}"})

    # ---- what is seen

    def _seen(self, session: Session) -> Iterator[str]:
        """Yields what was done, as far as the player has seen it, and the board."""
        seen = session.seen(self.seat)
        if self.memory is not None and (moves := session.text(self.seat)):
            yield f"Moves so far: {moves}"
        news = [move for i, move in enumerate(seen) if self.told[i : i + 1] != [move]]
        if lines := [f"- {self._who(move)}: {move.name}" for move in news if move.name]:
            yield "\n".join([f"{'Since your last turn' if self.turns else 'So far'}:", *lines])
        self.told = seen
        yield write_board(view_of(session.position, self.seat), self.board, session)

    def _who(self, move: SeenMove) -> str:
        if move.player == CHANCE:
            return "chance"
        return "you" if move.player == self.seat else self.player(move.player)


def quoted(answer: str) -> str:
    """Returns an answer in one line, without what cannot be printed, cut to ``LONGEST_QUOTE``."""
    line = " ".join(answer.split())
    return "".join(filter(str.isprintable, line))[:LONGEST_QUOTE].strip()


def example_moves(start: Position, seat: int) -> list[str]:
    """Returns up to three names of moves that a player of a seat may have, none of them advised.

    They are from the first turn of that seat where everybody plays the first legal action, so they
    say nothing about the game that is played.
    """
    position = start
    for _ in range(200):
        if position.is_terminal():
            break
        actions = position.legal_actions()
        if position.to_move == seat:
            chosen = dict.fromkeys((actions[0], actions[len(actions) // 2], actions[-1]))
            return [position.name(action) for action in chosen]
        position = position.play(actions[0])
    return []
