"""Runs other people's programs as agents: GNU Go, MoHex, Stockfish, all that speak GTP or UCI.

``Engine`` is the agent; ``GtpClient`` and ``UciClient`` are its conversations with the program. A
position does not know the moves that led to it, so a program is sent those that lead from the
position on its board to the one it is asked about, where there are such; else the position itself.

``Program`` is a program that runs beside ours: lines out, lines in, within time limits, and its
end. One thread reads its output, so that waiting can end; another reads its error output, so that
it never blocks on a full pipe. However it fails there is an EngineError, and the process, with all
processes that it started, is ended.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import IO, Any, ClassVar, NoReturn

from adv_envs import IllegalMove, Position
from adv_envs.registry import GAMES, name_of, title
from adv_envs.registry import game as registered

from .agent import MOST_SECONDS, Agent, require_two_players
from .dialects import GtpGame, UciGame
from .faults import NobodyToBlame
from .knowledge import knowledge_of, knowledge_of_class
from .processes import Child, how, start_program
from .search.limits import require_no_chance
from .simple import Resign

PROTOCOLS = "gtp", "uci"


class EngineError(RuntimeError):
    """Says that a program failed: did not start, ended, took too long, gave an invalid answer."""


class EngineIllegalMove(EngineError, IllegalMove):
    """Says that a program answered with an illegal move, or with no move."""


class EngineIncompatible(EngineError, ValueError):
    """Says that a program cannot be started, or does not play this game or this size."""


class EngineTimeout(EngineError, TimeoutError):
    """Says that a program took too long to answer."""


@dataclass(repr=False)
class Engine(Agent):
    """Plays by another program, which is started with ``command`` at the first move.

    Parameters:
        command: the command line of a program that speaks GTP or UCI on its standard input.
        seconds: time for a move, sent to GTP programs that know ``time_settings`` or ``set_time``.
        timeout: the longest that an answer may take, in seconds; None for 2 * seconds + 10.
        protocol: "gtp", or "uci" for games whose record has a ``UciGame``.
        options: the options of a UCI program, such as "Skill Level=0; Hash=16".
        go: what bounds the search of a UCI program in place of the time, such as "nodes 1000".

    A program that ends, takes longer or gives an invalid answer is ended and raises EngineError,
    which loses the game; the next move starts it again. A program that does not start, or does not
    accept the game or the size of the board, raises EngineIncompatible, also a ValueError, so that
    no tournament begins with it. ``close`` ends the program, as does deleting this object. Copies
    start a program of their own. Raises ValueError for games not of two players, or with chance, an
    empty command and invalid times.
    """

    command: str = ""
    seconds: float = 10.0
    timeout: float | None = None
    protocol: str = "gtp"
    options: str = ""
    go: str = ""

    name: ClassVar[str] = "engine"
    _client: GtpClient | UciClient | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for invalid parameters."""
        if not isinstance(self.command, str):
            raise TypeError(f"command must be a command line, not {self.command!r}")
        split(self.command)
        for what, value in (("seconds", self.seconds), ("timeout", self.timeout)):
            if what == "timeout" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{what} must be a number of seconds, not {value!r}")
            if not 0 < value <= MOST_SECONDS:
                raise ValueError(f"{what} must be above 0 and at most {MOST_SECONDS}, not {value}")
        if self.protocol not in PROTOCOLS:
            raise ValueError(f"protocol must be {' or '.join(PROTOCOLS)}, not {self.protocol!r}")
        for what, text in (("options", self.options), ("go", self.go)):
            if not isinstance(text, str):
                raise TypeError(f"{what} must be text, not {text!r}")
            if text and self.protocol != "uci":
                raise ValueError(f'{what} are for programs that speak UCI: add protocol="uci"')
        read_options(self.options)
        if self.go and not self.go.isprintable():
            raise ValueError(f"go must be one line, such as 'nodes 1000', not {self.go!r}")

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game. The program's random numbers are its own."""
        if self._client is not None:
            self._client.new_game()

    def close(self) -> None:
        """Ends the program; the next move starts it again."""
        if self._client is not None:
            self._client.program.close()
        self._client = None

    def act(self, position: Position) -> int:
        """Returns the program's move. EngineError if it fails, Resign if it resigns."""
        position = require_two_players(position, self.name)
        require_no_chance(position, self.name)
        if self.protocol == "uci":
            uci_of(position).variant(position)  # ValueError: it need not be started
        try:
            self._client = self._client or self._start()
            return self._client.move(position)
        except Resign:
            raise
        except BaseException:  # after an interrupt its answer would be taken for the next one
            self.close()
            raise

    def _start(self) -> GtpClient | UciClient:
        limit = 2 * self.seconds + 10 if self.timeout is None else self.timeout
        program = Program(self.command)
        try:
            if self.protocol == "gtp":
                return GtpClient(program, self.seconds, limit)
            go = self.go or f"movetime {max(round(1000 * self.seconds), 1)}"
            return UciClient(program, go, limit, read_options(self.options))
        except BaseException:
            program.close()
            raise

    def __getstate__(self) -> dict[str, Any]:
        """Leaves the program out: a copy starts its own."""
        return {**vars(self), "_client": None}


# ---- GTP

MOST_SET_UP = 100_000
"""Positions that are visited to find the moves that lead from the start to a position."""


class GtpClient:
    """Plays by a program that speaks GTP. EngineError if it fails."""

    def __init__(self, program: Program, seconds: float, limit: float) -> None:
        """Tells the program its ``seconds`` for a move; ``limit`` bounds every answer."""
        self.program, self.limit = program, limit
        self._settings: list[str] | None = None
        """The commands by which the program was told which game is played."""
        self._shown: Position | None = None
        """The position on the program's board; None where it is not known."""
        self._known = frozenset(self._say("list_commands")[1].split())
        for time_limit in (f"time_settings 0 {seconds:g} 1", f"set_time {seconds:g}"):
            if time_limit.split()[0] in self._known:
                self._say(time_limit)
                break

    def new_game(self) -> None:
        """Tells the program everything anew at the next move."""
        self._settings = self._shown = None

    def move(self, position: Position) -> int:
        """Returns the program's move. EngineError if it fails, Resign if it resigns."""
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
        """Lets the program's board show ``position``."""
        named = [f"set_game {game.name}"] if game.name and "set_game" in self._known else []
        settings = [*named, *game.settings(position)]
        if self._settings != settings:
            self.new_game()
            for command in settings:
                self.ask(command, EngineIncompatible)
            self._settings = settings
        commands: Sequence[str] | None = None
        if self._shown is not None:
            commands = moves_between(self._shown, position, game)
        self._shown = None  # until all of it is on the board
        if commands is None:
            self.ask("clear_board")
            if game.set_up is not None:
                commands = game.set_up(position, self._known)
        if commands is None:
            commands = moves_between(position.start(), position, game, MOST_SET_UP)
        if commands is None:
            self.program.fail(
                f"cannot be told this position of {title(position)}: no line of moves from the "
                "start was found that leads to it",
                EngineIncompatible,
            )
        for command in commands:
            self.ask(command)
        self._shown = position

    # ---- commands and answers

    def ask(self, command: str, error: type[EngineError] = EngineError) -> str:
        """Returns the answer to ``command``; EngineError if there is none in time.

        ``error`` is raised if the program answers that the command failed.
        """
        good, answer = self._say(command)
        if not good:
            self.program.fail(f"answered {command!r} with an error: {answer}", error)
        return answer

    def _say(self, command: str) -> tuple[bool, str]:
        """Returns whether ``command`` succeeded, and the answer, up to an empty line."""
        lines: list[str] = []
        for line in self.program.answer(command, self.limit):
            if line.strip():
                lines.append(line)
            elif lines and not lines[0].startswith("gogui-gfx:"):
                break
            else:  # a search's progress
                lines.clear()
            if len(lines) == LONGEST_ANSWER:
                why = f"answered {command!r} with more than {LONGEST_ANSWER} lines"
                self.program.fail(why)
        first = lines[0].strip()
        if first[0] not in "=?":
            self.program.fail(
                f"answered {command!r} with {first[:80]!r}, which begins with neither = nor ?"
            )
        text = "\n".join([first[1:].lstrip("0123456789"), *lines[1:]])
        return first[0] == "=", text.strip()


def moves_between(before: Position, after: Position, game: GtpGame, *most: int) -> list[str] | None:
    """Returns the commands for the moves from one position to another; None if there are none."""
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


# ---- UCI

VARIANT = "UCI_Variant"
"""The option that says which game is played, of programs that play several."""

USUAL = "chess"
"""The game of the programs that have no such option."""

OPTION = re.compile(r"option\s+name\s+(.+?)\s+type\s+(.*)")


def uci_of(position: Position) -> UciGame:
    """Returns how UCI writes the game of ``position``; ValueError if no program plays it by UCI."""
    game = knowledge_of(position).uci
    if game is None:
        known = [name for name in GAMES if knowledge_of_class(registered(name)).uci is not None]
        these = ", ".join(known) or "none"
        raise ValueError(f"{name_of(position)} is not a game of UCI; these are: {these}")
    return game


def read_options(text: str) -> dict[str, str]:
    """Returns the options written as "Skill Level=0; Hash=16"; ValueError for any other form."""
    options = {}
    for part in filter(str.strip, text.split(";")):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()) or not part.strip().isprintable():
            raise ValueError(f"cannot read the options {text!r}: write 'Name=value; Name=value'")
        options[name.strip()] = value.strip()
    return options


class UciClient:
    """Plays by a program that speaks UCI. EngineError if it fails."""

    def __init__(self, program: Program, go: str, limit: float, options: Mapping[str, str]) -> None:
        """Sets the options; ``go`` says how long it thinks, ``limit`` bounds every answer."""
        self.program, self.go, self.limit = program, go, limit
        self._variant = USUAL
        self._new = True
        self._start: Position | None = None
        """The position that the program was sent as text; None before the first."""
        self._moves: list[str] = []
        """The moves from there on, and the position that they lead to:"""
        self._shown: Position | None = None
        found = (OPTION.match(line.strip()) for line in self._answer("uci", "uciok"))
        self._known = {m[1].lower(): (m[1], m[2]) for m in found if m}
        for name, value in options.items():
            self._set(name, value)
        self._ready()

    def new_game(self) -> None:
        """Tells the program that another game begins, at the next move."""
        self._new, self._shown = True, None

    def move(self, position: Position) -> int:
        """Returns the program's move. EngineError if it fails, Resign if it resigns."""
        game = uci_of(position)
        if (variant := game.variant(position)) != self._variant:
            self._choose(variant)
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

    def _choose(self, variant: str) -> None:
        """Lets the program play the game of that name; EngineIncompatible if it does not."""
        _, known = self._known.get(VARIANT.lower(), (VARIANT, f"var {USUAL}"))
        names = re.findall(r"\bvar\s+(\S+)", known)
        if variant not in names:
            why = f"does not play {variant}: it plays {', '.join(names)}"
            self.program.fail(why, EngineIncompatible)
        self._set(VARIANT, variant)
        self._variant, self._shown = variant, None

    def _position(self, position: Position, game: UciGame) -> str:
        """Returns the command that tells the program the position."""
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
        spelt, _ = self._known[name.lower()]  # some programs know their own spelling only
        self.program.send(f"setoption name {spelt} value {value}")

    def _ready(self) -> None:
        """Waits until the program has done what it was told."""
        for _ in self._answer("isready", "readyok"):
            pass

    def _answer(self, command: str, last: str) -> Iterator[str]:
        """Returns the lines of the answer to ``command``, up to one that begins with ``last``."""
        for line in self.program.answer(command, self.limit):
            yield line
            if line.split()[:1] == [last]:
                return


# ---- the moves from one position to another

MOST_POSITIONS = 10_000
"""Positions that are visited before the search for a line is given up."""


def line_between(before: Position, after: Position, most: int = MOST_POSITIONS) -> list[int] | None:
    """Finds a shortest line of actions from one position to another, breadth first.

    None if there is none, or none is found within ``most`` positions.
    """
    if type(before) is not type(after) or before.start() != after.start():
        return None
    if before == after:
        return []
    plies = getattr(after, "ply", inf) - getattr(before, "ply", 0)  # inf: the game counts none
    level: list[tuple[Position, list[int]]] = [(before, [])]
    seen, visited = {before}, 0
    while level and plies > 0:
        following = []
        for position, line in level:
            for action in position.legal_actions():
                child = position.play(action)
                if child == after:
                    return [*line, action]
                visited += 1
                if plies != 1 and child not in seen:
                    seen.add(child)
                    following.append((child, [*line, action]))
            if visited > most:
                return None
        level, plies = following, plies - 1
    return None


# ---- a program that runs

LONGEST_LINE = 100_000
"""Bytes; a longer line is read as several lines."""

LONGEST_ANSWER = 10_000
"""Lines; a longer answer is an error."""

READER = "reading the answers of a program"
"""The name of the threads that read."""

QUIT_SECONDS = 0.5
"""Seconds that a program has to end after the command "quit", before it is killed."""


def split(command: str) -> list[str]:
    """Splits a command line; ValueError if it is empty, or a quote is not closed."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise ValueError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise ValueError('a command is needed: engine(command="path/to/program --arguments")')
    return words


class Program:
    """Represents a running program.

    EngineIncompatible if it cannot be started, EngineError and NobodyToBlame if it ends.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            self._child, self._input, output, errors = start_program(split(command))
        except OSError as error:
            raise EngineIncompatible(
                f"cannot start {command!r}: {error.strerror or error}"
            ) from error
        self._lines: queue.Queue[str | None] = queue.Queue(LONGEST_ANSWER)
        self._errors: deque[str] = deque(maxlen=5)
        gone = threading.Event()
        readers = [
            threading.Thread(target=_read, args=(output, self._lines, gone)),
            threading.Thread(target=_drain, args=(errors, self._errors)),
        ]
        for reader in readers:
            reader.daemon, reader.name = True, READER
            reader.start()
        # also called when this object is deleted, and when Python ends
        ends = self._child, self._input, readers, gone, os.getpid()
        self.close = weakref.finalize(self, _end, *ends)

    @property
    def pid(self) -> int:
        """Returns the number of the process."""
        return self._child.pid

    def send(self, command: str) -> None:
        """Writes a line to the program; EngineError if it has ended."""
        try:
            self._input.write(f"{command}\n".encode())
            self._input.flush()
        except OSError:
            self._died(command)

    def answer(self, command: str, seconds: float) -> Iterator[str]:
        """Sends a command, and yields the lines of the answer, which may be empty.

        EngineError if the program ends, or has not sent a line within ``seconds`` of the command.
        """
        self.send(command)
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(end - time.monotonic(), 0))
            except queue.Empty:
                self.fail(f"did not answer {command!r} within {seconds:g} s", EngineTimeout)
            if line is None:
                self._died(command)
            yield line

    def _died(self, command: str) -> NoReturn:
        self._child.join(QUIT_SECONDS)
        if self._child.ended and self._child.exitcode is None:
            self.close()
            why = f"{self.command!r} was lost, with what had started it"
            raise NobodyToBlame(f"{why}; no agent is to blame for that", final=True)
        what = how(self._child.exitcode) if self._child.ended else "closed its output"
        self.fail(f"{what} when asked {command!r}")

    def fail(self, what: str, error: type[EngineError] = EngineError) -> NoReturn:
        """Ends the program and raises an error that says what it did."""
        self.close()
        said = "; ".join(self._errors)
        raise error(f"{self.command!r} {what}" + (f" (it said: {said})" if said else ""))


def _read(stream: IO[bytes], lines: queue.Queue[str | None], gone: threading.Event) -> None:
    """Puts every line into the queue, and None at the end, until ``gone`` is set."""
    with stream:
        while not gone.is_set():
            raw = stream.readline(LONGEST_LINE)
            line = raw.decode("utf-8", "replace").replace("\t", " ").strip("\r\n") if raw else None
            while not gone.is_set():
                with contextlib.suppress(queue.Full):
                    lines.put(line, timeout=0.1)
                    break
            if line is None:
                return


def _drain(stream: IO[bytes], errors: deque[str]) -> None:
    """Keeps the last lines of the error output."""
    with stream:
        while raw := stream.readline(LONGEST_LINE):
            line = raw.decode("utf-8", "replace").strip()
            if re.search(r"\w", line):  # Python underlines the code in its tracebacks
                errors.append(line[:200])


def _end(
    child: Child,
    stdin: IO[bytes],
    readers: list[threading.Thread],
    gone: threading.Event,
    owner: int,
) -> None:
    """Tells the program to quit; kills it, and the processes it started, if it does not."""
    if os.getpid() != owner:  # a fork: the process that started the program still uses it
        return
    gone.set()
    with contextlib.suppress(OSError):
        stdin.write(b"quit\n")
        stdin.flush()
    with contextlib.suppress(OSError):
        stdin.close()
    child.join(QUIT_SECONDS)
    child.end()
    for reader in readers:
        reader.join(QUIT_SECONDS)
