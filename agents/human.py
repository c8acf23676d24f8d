"""A person at the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from adv_envs import IllegalMove, Position

from .agent import Agent, require_unfinished


class Resign(Exception):
    """The player gives up the game."""


class TakeBack(Exception):
    """The player wants their last move back."""


@dataclass(repr=False)
class Human(Agent):
    """A person who types moves by name ("b3", "4"), "help", "undo" or "resign".

    ``act`` shows the board, asks until it gets a legal move, and raises Resign or TakeBack, which
    the loop of the game must handle. The end of the input counts as resigning. A subclass can have
    more commands (``obey``) and another output (``show``, ``ask``, ``tell`` and ``help``).
    ``show_board`` prints the board before each move.
    """

    show_board: bool = True

    name: ClassVar[str] = "human"
    _shown_help: bool = field(default=False, init=False, repr=False, compare=False)

    def reset(self, seed: int | None = None) -> None:
        """Explains the commands again in the next game."""
        self._shown_help = False

    def act(self, position: Position) -> int:
        """Returns the move that was typed."""
        require_unfinished(position)
        self.show(position)
        while True:
            try:
                typed = self.ask(position).strip().lower()
            except EOFError:
                raise Resign from None
            try:
                return position.action(typed)
            except IllegalMove as error:
                if self.obey(typed, position):
                    continue
                if len(position.legal_actions()) > 20:
                    self.tell(f'Sorry, {typed!r} is not a legal move; "help" lists them.')
                else:
                    self.tell(f"Sorry, {error}.")

    def obey(self, typed: str, position: Position) -> bool:
        """Carry out a command; False if ``typed`` is none."""
        if typed in ("resign", "quit", "exit", "q"):
            raise Resign
        if typed in ("undo", "back", "u"):
            self.take_back()
        elif typed in ("help", "h", "?", ""):
            self.help(position)
        else:
            return False
        return True

    def take_back(self) -> None:
        """Raises TakeBack. A subclass may return instead, and another move is asked for."""
        raise TakeBack

    # ---- how it looks

    def show(self, position: Position) -> None:
        """Shows the position, and in the first one of a game what may be typed."""
        if self.show_board:
            self.tell(f"\n{position}\n")
        if not self._shown_help:
            self.tell('Type a move, or "help", "undo" or "resign".')
            self._shown_help = True

    def ask(self, position: Position) -> str:
        """Returns what the person types; EOFError at the end of input."""
        return input(f"Your move, player {position.to_move}: ")

    def help(self, position: Position) -> None:
        """Prints what may be typed."""
        self.tell(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")
        self.tell('"undo" takes your last move back, "resign" gives up the game.')

    def tell(self, text: str) -> None:
        """Prints ``text``."""
        print(text)
