"""Another program that is asked for moves by GTP, and the board that it has.

A position does not know the moves that led to it. So the program is sent the moves that lead from
the position on its board to the one it is asked about, where there are such; otherwise its board is
cleared and the position is set up, as the game's ``GtpGame`` says.
"""

from __future__ import annotations

import time

from adv_envs import IllegalMove, Position
from adv_envs.registry import title
from agents.dialects import GtpGame
from agents.human import Resign
from agents.knowledge import knowledge_of

from .line_search import line_between
from .process import (
    LONGEST_ANSWER,
    EngineError,
    EngineIllegalMove,
    EngineIncompatible,
    Program,
)

MOST_SET_UP = 100_000
"""Positions that are visited to find the moves that lead from the start to a position."""


class GtpClient:
    """A program that speaks GTP. EngineError if it cannot be started or fails."""

    def __init__(self, command: str, seconds: float, limit: float) -> None:
        """Start the program; ``seconds`` are for a move, ``limit`` for every answer."""
        self.limit = limit
        self.program = Program(command)
        self._settings: list[str] | None = None
        """The commands by which the program was told which game is played."""
        self._shown: Position | None = None
        """The position on the program's board; None where it is not known."""
        try:
            self._known = frozenset(self._say("list_commands")[1].split())
            for time_limit in (f"time_settings 0 {seconds:g} 1", f"set_time {seconds:g}"):
                if time_limit.split()[0] in self._known:
                    self._say(time_limit)
                    break
        except BaseException:
            self.program.close()
            raise

    def new_game(self) -> None:
        """Tell the program everything anew at the next move."""
        self._settings = self._shown = None

    def move(self, position: Position) -> int:
        """The program's move. EngineError if it fails, Resign if it resigns."""
        game = knowledge_of(position).gtp
        self._show(position, game)
        word = self.ask(f"genmove {game.colours[position.to_move]}").lower()
        if word == "resign":
            self.new_game()
            raise Resign
        try:
            action = game.action(position, word)
        except IllegalMove as error:
            why = f"answered genmove with an illegal move: {error}"
            self.program.fail(why, EngineIllegalMove)
        if game.vertex(position, action) is None:
            self.new_game()
        else:
            self._shown = position.play(action)
        return action

    # ---- the program's board

    def _show(self, position: Position, game: GtpGame) -> None:
        """Let the program's board show ``position``."""
        named = [f"set_game {game.name}"] if game.name and "set_game" in self._known else []
        settings = [*named, *game.settings(position)]
        if self._settings != settings:
            self.new_game()
            for command in settings:
                self.ask(command, EngineIncompatible)
            self._settings = settings
        commands = None
        if self._shown is not None:
            commands = moves_between(self._shown, position, game)
        self._shown = None  # until all of it is on the board
        if commands is None:
            self.ask("clear_board")
            commands = self._set_up(position, game)
        for command in commands:
            self.ask(command)
        self._shown = position

    def _set_up(self, position: Position, game: GtpGame) -> list[str]:
        """The commands that lead from the empty board to ``position``."""
        commands = None if game.set_up is None else game.set_up(position, self._known)
        if commands is None:
            commands = moves_between(position.start(), position, game, MOST_SET_UP)
        if commands is None:
            self.program.fail(
                f"cannot be told this position of {title(position)}: no line of moves from the "
                "start was found that leads to it",
                EngineIncompatible,
            )
        return list(commands)

    # ---- commands and answers

    def ask(self, command: str, error: type[EngineError] = EngineError) -> str:
        """The answer to ``command``; EngineError if there is none in time.

        ``error`` is raised if the program answers that the command failed.
        """
        good, answer = self._say(command)
        if not good:
            self.program.fail(f"answered {command!r} with an error: {answer}", error)
        return answer

    def _say(self, command: str) -> tuple[bool, str]:
        """Whether ``command`` succeeded, and the text of the answer."""
        self.program.send(command)
        began = time.monotonic()
        while True:
            lines = self._answer(command, began)
            if not lines[0].startswith("gogui-gfx:"):  # a search's progress
                break
        first = lines[0].strip()
        if first[0] not in "=?":
            self.program.fail(
                f"answered {command!r} with {first[:80]!r}, which begins with neither = nor ?"
            )
        text = "\n".join([first[1:].lstrip("0123456789"), *lines[1:]])
        return first[0] == "=", text.strip()

    def _answer(self, command: str, began: float) -> list[str]:
        """The lines up to the next empty one."""
        lines: list[str] = []
        while len(lines) < LONGEST_ANSWER:
            line = self.program.line(command, began, self.limit)
            if line.strip():
                lines.append(line)
            elif lines:
                return lines
        self.program.fail(f"answered {command!r} with more than {LONGEST_ANSWER} lines")


def moves_between(before: Position, after: Position, game: GtpGame, *most: int) -> list[str] | None:
    """The commands for the moves from one position to another; None if there are none."""
    commands = []
    line = line_between(before, after, *most)
    for action in line if line is not None else ():
        vertex = game.vertex(before, action)
        if vertex is None:
            return None
        if vertex:
            commands.append(f"play {game.colours[before.to_move]} {vertex}")
        before = before.play(action)
    return None if line is None else commands
