"""A person at the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from adv_envs import IllegalMove, Position

from .agent import Agent, require_unfinished


class Resign(Exception):  # noqa: N818 - not an error: a way to end a game
    """The player gives up the game."""


class TakeBack(Exception):  # noqa: N818 - not an error: a way to go back
    """The player wants their last move back."""


@dataclass(repr=False)
class Human(Agent):
    """A person who types moves by name ("b3", "4"), "help", "undo" or "resign".

    ``act`` shows the board, asks until it gets a legal move, and raises Resign or TakeBack, which
    the loop of the game must handle. End of input counts as resigning.
    """

    show_board: bool = True

    name: ClassVar[str] = "human"
    _shown_help: bool = field(default=False, init=False, repr=False, compare=False)

    def reset(self, seed: int | None = None) -> None:
        """Explain the commands again in the next game."""
        self._shown_help = False

    def act(self, position: Position) -> int:
        """The move that was typed."""
        require_unfinished(position)
        if self.show_board:
            print(f"\n{position}\n")
        if not self._shown_help:
            print('Type a move, or "help", "undo" or "resign".')
            self._shown_help = True
        while True:
            try:
                typed = input(f"Your move, player {position.to_move}: ").strip().lower()
            except EOFError:
                raise Resign from None
            if typed in ("resign", "quit", "exit", "q"):
                raise Resign
            if typed in ("undo", "back", "u"):
                raise TakeBack
            if typed in ("help", "h", "?", ""):
                print(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")
                print('"undo" takes your last move back, "resign" gives up the game.')
                continue
            try:
                return position.action(typed)
            except IllegalMove as error:
                print(f"Sorry, {error}.")
