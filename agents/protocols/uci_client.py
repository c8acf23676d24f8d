"""Another program that is asked for moves by UCI, the protocol of chess and its variants.

The program is sent the position that it was first asked about as a FEN, and the moves since then,
so that it knows which positions have been repeated.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping

from adv_envs import IllegalMove, Position
from adv_envs.registry import GAMES, name_of
from adv_envs.registry import game as registered
from agents.dialects import UciGame
from agents.human import Resign
from agents.knowledge import knowledge_of, knowledge_of_class

from .line_search import line_between
from .process import EngineIllegalMove, EngineIncompatible, Program

VARIANT = "UCI_Variant"
"""The option that says which game is played, of programs that play several."""

USUAL = "chess"
"""The game of the programs that have no such option."""

OPTION = re.compile(r"option\s+name\s+(.+?)\s+type\s+(.*)")


def uci_of(position: Position) -> UciGame:
    """How UCI writes the game of ``position``; ValueError if no program plays it by UCI."""
    game = knowledge_of(position).uci
    if game is None:
        known = [name for name in GAMES if knowledge_of_class(registered(name)).uci is not None]
        these = ", ".join(known) or "none"
        raise ValueError(f"{name_of(position)} is not a game of UCI; these are: {these}")
    return game


def read_options(text: str) -> dict[str, str]:
    """The options written as "Skill Level=0; Hash=16"; ValueError for any other form."""
    options = {}
    for part in filter(str.strip, text.split(";")):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()) or not part.strip().isprintable():
            raise ValueError(f"cannot read the options {text!r}: write 'Name=value; Name=value'")
        options[name.strip()] = value.strip()
    return options


class UciClient:
    """A program that speaks UCI. EngineError if it cannot be started or fails."""

    def __init__(self, command: str, go: str, limit: float, options: Mapping[str, str]) -> None:
        """Start the program; ``go`` says how long it thinks, ``limit`` bounds every answer."""
        self.go, self.limit = go, limit
        self.program = Program(command)
        self._variant = USUAL
        self._new = True
        self._start: Position | None = None
        """The position that the program was sent as text; None before the first."""
        self._moves: list[str] = []
        """The moves from there on, and the position that they lead to:"""
        self._shown: Position | None = None
        try:
            found = (OPTION.match(line.strip()) for line in self._answer("uci", "uciok"))
            self._known = {m[1].lower(): m[2] for m in found if m}
            for name, value in options.items():
                self._set(name, value)
            self._ready()
        except BaseException:
            self.program.close()
            raise

    def new_game(self) -> None:
        """Tell the program that another game begins, at the next move."""
        self._new, self._shown = True, None

    def move(self, position: Position) -> int:
        """The program's move. EngineError if it fails, Resign if it resigns."""
        game = uci_of(position)
        self._choose(position, game)
        if self._new:
            self.program.send("ucinewgame")
            self._ready()
            self._new = False
        self.program.send(self._position(position, game))
        *_, last = self._answer(f"go {self.go}", "bestmove")
        word = "".join(last.split()[1:2])
        if word == "resign":
            self.new_game()
            raise Resign
        try:
            action = game.action(position, word.lower())
        except IllegalMove as error:
            self.program.fail(f"answered go with an illegal move: {error}", EngineIllegalMove)
        self._moves.append(game.move(position, action))
        self._shown = position.play(action)
        return action

    def _choose(self, position: Position, game: UciGame) -> None:
        """Let the program play the game of ``position``; EngineIncompatible if it does not."""
        variant = game.variant(position)
        if variant == self._variant:
            return
        known = self._known.get(VARIANT.lower(), f"var {USUAL}")
        names = re.findall(r"\bvar\s+(\S+)", known)
        if variant not in names:
            why = f"does not play {variant}: it plays {', '.join(names)}"
            self.program.fail(why, EngineIncompatible)
        self._set(VARIANT, variant)
        self._variant, self._shown = variant, None

    def _position(self, position: Position, game: UciGame) -> str:
        """The command that tells the program the position."""
        line = None if self._shown is None else line_between(self._shown, position)
        if line is None or self._start is None or self._shown is None:
            self._start, self._moves = position, []
        else:
            here = self._shown
            for action in line:
                self._moves.append(game.move(here, action))
                here = here.play(action)
        self._shown = position
        start = self._start
        text = "startpos" if start == start.start() else f"fen {game.fen(start)}"
        return " ".join([f"position {text}", *(["moves", *self._moves] if self._moves else [])])

    # ---- commands and answers

    def _set(self, name: str, value: str) -> None:
        if name.lower() not in self._known:
            known = ", ".join(self._known) or "none"
            self.program.fail(f"has no option {name!r}; options: {known}", EngineIncompatible)
        self.program.send(f"setoption name {name} value {value}")

    def _ready(self) -> None:
        """Wait until the program has done what it was told."""
        for _ in self._answer("isready", "readyok"):
            pass

    def _answer(self, command: str, last: str) -> Iterator[str]:
        """The lines of the answer to ``command``, up to the one that begins with ``last``."""
        self.program.send(command)
        began = time.monotonic()
        while True:
            line = self.program.line(command, began, self.limit)
            yield line
            if line.split()[:1] == [last]:
                return
