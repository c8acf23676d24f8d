"""Other people's Hex programs as agents: MoHex, KataHex, or any other that speaks HTP or GTP.

``Program`` is the running process: a command in, its answer out, within a time limit. One thread
reads its output, so that waiting can end; another reads its error output, so that it never blocks
on a full pipe. However it fails there is an EngineError, and the process, with all processes that
it started, is ended. ``Engine`` is the agent that plays the program's moves.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import IO, Any, ClassVar, NoReturn

from adv_envs import Hex, IllegalMove, Position
from agents.agent import MOST_SECONDS, Agent, require_unfinished
from agents.human import Resign

COLOURS = "black", "white"
SWAPS = "swap", "swap-pieces", "swap-sides"

LONGEST_LINE = 100_000
"""Bytes; a longer line is read as several lines."""

LONGEST_ANSWER = 10_000
"""Lines; a longer answer is an error."""

READER = "reading the answers of a program"
"""The name of the threads that read."""

QUIT_SECONDS = 0.5
"""Seconds that a program has to end after the command "quit", before it is killed."""


class EngineError(RuntimeError):
    """A program failed: it did not start, ended, took too long, or gave an invalid answer."""


class EngineIllegalMove(EngineError, IllegalMove):
    """A program answered with an illegal move, or with no move."""


class EngineIncompatible(EngineError, ValueError):
    """A program does not play this game, for example on boards of this size."""


class EngineTimeout(EngineError, TimeoutError):
    """A program took too long to answer."""


def split(command: str) -> list[str]:
    """The words of a command line; ValueError if there are none, or a quote is not closed."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise ValueError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise ValueError('a command is needed: engine(command="path/to/program --arguments")')
    return words


class Program:
    """A running program. EngineError if it cannot be started."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            self._process = subprocess.Popen(
                split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is ours, and all that it starts ends with it
            )
        except OSError as error:
            raise EngineError(f"cannot start {command!r}: {error.strerror or error}") from error
        self._lines: queue.Queue[str | None] = queue.Queue(LONGEST_ANSWER)
        self._errors: deque[str] = deque(maxlen=5)
        gone = threading.Event()
        assert self._process.stdout is not None  # pipes, as asked for
        assert self._process.stderr is not None
        readers = [
            threading.Thread(target=_read, args=(self._process.stdout, self._lines, gone)),
            threading.Thread(target=_drain, args=(self._process.stderr, self._errors)),
        ]
        for reader in readers:
            reader.daemon, reader.name = True, READER
            reader.start()
        # also called when this object is deleted, and when Python ends
        self.close = weakref.finalize(self, _end, self._process, readers, gone, os.getpid())

    def ask(self, command: str, seconds: float, error: type[EngineError] = EngineError) -> str:
        """The answer to ``command``; EngineError if there is none within ``seconds``.

        ``error`` is raised if the program answers that the command failed.
        """
        good, answer = self.say(command, seconds)
        if not good:
            self.fail(f"answered {command!r} with an error: {answer}", error)
        return answer

    def say(self, command: str, seconds: float) -> tuple[bool, str]:
        """Whether ``command`` succeeded, and the text of the answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n".encode())
            self._process.stdin.flush()
        except OSError:
            self._died(command)
        deadline = time.monotonic() + seconds
        while True:
            lines = self._answer(command, seconds, deadline)
            if not lines[0].startswith("gogui-gfx:"):  # a search's progress
                break
        first = lines[0].strip()
        if first[0] not in "=?":
            self.fail(
                f"answered {command!r} with {first[:80]!r}, which begins with neither = nor ?"
            )
        text = "\n".join([first[1:].lstrip("0123456789"), *lines[1:]])
        return first[0] == "=", text.strip()

    def _answer(self, command: str, seconds: float, deadline: float) -> list[str]:
        """The lines up to the next empty one."""
        lines: list[str] = []
        while len(lines) < LONGEST_ANSWER:
            try:
                line = self._lines.get(timeout=max(deadline - time.monotonic(), 0))
            except queue.Empty:
                self.fail(f"did not answer {command!r} within {seconds:g} s", EngineTimeout)
            if line is None:
                self._died(command)
            elif line.strip():
                lines.append(line)
            elif lines:
                return lines
        self.fail(f"answered {command!r} with more than {LONGEST_ANSWER} lines")

    def _died(self, command: str) -> NoReturn:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit status {code}"
        self.fail(f"{how} when asked {command!r}")

    def fail(self, what: str, error: type[EngineError] = EngineError) -> NoReturn:
        """End the program and raise an error that says what it did."""
        self.close()
        said = "; ".join(self._errors)
        raise error(f"{self.command!r} {what}" + (f" (it said: {said})" if said else ""))


def _read(stream: IO[bytes], lines: queue.Queue[str | None], gone: threading.Event) -> None:
    """Put every line into the queue, and None at the end, until ``gone`` is set."""
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
    """Keep the last lines of the error output."""
    with stream:
        while raw := stream.readline(LONGEST_LINE):
            line = raw.decode("utf-8", "replace").strip()
            if re.search(r"\w", line):  # Python underlines the code in its tracebacks
                errors.append(line[:200])


def _end(
    process: subprocess.Popen[bytes],
    readers: list[threading.Thread],
    gone: threading.Event,
    owner: int,
) -> None:
    """Tell the program to quit; kill it, and the processes it started, if it does not."""
    if os.getpid() != owner:  # a fork: the process that started the program still uses it
        return
    gone.set()
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(b"quit\n")
        process.stdin.flush()
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(QUIT_SECONDS)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for reader in readers:
        reader.join(QUIT_SECONDS)


# ---- the agent


@dataclass(repr=False)
class Engine(Agent):
    """Another Hex program, which is started with ``command`` at the first move.

    Parameters:
        command: the command line of a program that speaks HTP or GTP on its standard input.
        seconds: time for a move, sent to programs that know ``time_settings`` or ``set_time``.
        timeout: the longest that an answer may take, in seconds; None for 2 * seconds + 10.

    A program that does not start, ends, takes longer or gives an invalid answer is ended and raises
    EngineError, which loses the game; the next move starts it again. A program that does not accept
    the size of the board raises EngineIncompatible, also a ValueError, so that no tournament begins
    with it. ``close`` ends the program, as does deleting this object. Copies start a program of
    their own. Raises ValueError for other games, an empty command and invalid times.
    """

    command: str = ""
    seconds: float = 10.0
    timeout: float | None = None

    name: ClassVar[str] = "engine"
    _program: Program | None = field(default=None, init=False, repr=False, compare=False)
    _size: int = field(default=0, init=False, repr=False, compare=False)
    _shown: tuple[set[int], set[int]] = field(init=False, repr=False, compare=False)
    """The stones on the program's board, by player."""

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for an invalid command or invalid times."""
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
        self._shown = set(), set()

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game. The program's random numbers are its own."""
        self._size = 0

    def close(self) -> None:
        """End the program; the next move starts it again."""
        if self._program is not None:
            self._program.close()
        self._program, self._size = None, 0

    def act(self, position: Position) -> int:
        """The program's move. EngineError if it fails, Resign if it resigns."""
        require_unfinished(position)
        if not isinstance(position, Hex):
            raise ValueError(f"{self.name} plays hex, not {type(position).__name__}")
        try:
            program = self._program or self._start()
            self._show(program, position)
            colour = COLOURS[position.to_move]
            move = self._ask(program, f"genmove {colour}").lower()
            if move != "resign":
                return self._played(program, position, move)
        except BaseException:  # after an interrupt its answer would be taken for the next one
            self.close()
            raise
        self._size = 0
        raise Resign

    def _played(self, program: Program, position: Hex, move: str) -> int:
        """The action called ``move``, which is then on the program's board too."""
        if move in SWAPS and position.swap and position.ply == 1:
            self._size = 0  # programs differ in what their board then looks like
            return position.num_stone_actions
        try:
            action = position.action(move)
        except IllegalMove as error:
            program.fail(f"answered genmove with an illegal move: {error}", EngineIllegalMove)
        self._shown[position.to_move].add(action)
        return action

    @property
    def _limit(self) -> float:
        return 2 * self.seconds + 10 if self.timeout is None else self.timeout

    def _ask(self, program: Program, command: str) -> str:
        return program.ask(command, self._limit)

    def _start(self) -> Program:
        self._program, self._size = Program(self.command), 0
        known = self._program.say("list_commands", self._limit)[1].split()
        for command in (f"time_settings 0 {self.seconds:g} 1", f"set_time {self.seconds:g}"):
            if command.split()[0] in known:
                self._program.say(command, self._limit)
                break
        return self._program

    def _show(self, program: Program, position: Hex) -> None:
        """Send the stones that the program's board lacks, or all of them if it has others.

        A position does not know the order of its stones; in Hex it makes no difference.
        """
        cells = range(position.num_stone_actions)
        now = [
            {a for a in cells if position.stones(player) >> position.entry(a) & 1}
            for player in (0, 1)
        ]
        if self._size != position.size:
            command = f"boardsize {position.size} {position.size}"
            program.ask(command, self._limit, EngineIncompatible)
        if self._size != position.size or not all(
            s <= n for s, n in zip(self._shown, now, strict=True)
        ):
            self._ask(program, "clear_board")
            self._shown = set(), set()
        self._size = position.size
        new = [sorted(n - s) for s, n in zip(self._shown, now, strict=True)]
        for both in zip_longest(*new):  # black and white in turn, as long as there are both
            for player, action in enumerate(both):
                if action is not None:
                    cell = position.cell_name(action // position.size, action % position.size)
                    self._ask(program, f"play {COLOURS[player]} {cell}")
                    self._shown[player].add(action)

    def __getstate__(self) -> dict[str, Any]:
        """A copy has no program yet."""
        return {**vars(self), "_program": None, "_size": 0}
