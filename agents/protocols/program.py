"""A program that speaks HTP or GTP, as a subprocess: a command in, its answer out, in time.

Its output is read by a thread, so that waiting for it can end; its error output by another, so that
it never blocks on a full pipe. However it fails there is an EngineError, and the process, with all
that it started, is gone.
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
from typing import IO, NoReturn

from adv_envs import IllegalMove

LONGEST_LINE = 100_000
"""Bytes; what is longer is read as several lines."""

LONGEST_ANSWER = 10_000
"""Lines. A program that says more than this at once is out of its mind."""

READER = "reading the answers of a program"
"""The name of the threads."""

POLITELY = 0.5
"""Seconds for a program to leave by itself when it is told to."""


class EngineError(RuntimeError):
    """Another program failed: it did not start, died, took too long, or talked nonsense."""


class EngineIllegalMove(EngineError, IllegalMove):
    """Another program answered with a move that the rules do not allow, or with none."""


class EngineRefusal(EngineError, ValueError):
    """Another program does not play the game that it is asked for, such as on boards so large."""


class EngineTimeout(EngineError, TimeoutError):
    """Another program took too long to answer."""


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
        # also when this object is collected, and when Python ends
        self.close = weakref.finalize(self, _end, self._process, readers, gone, os.getpid())

    def ask(self, command: str, seconds: float, error: type[EngineError] = EngineError) -> str:
        """The answer to ``command``; EngineError if there is none within ``seconds``.

        If the answer is that it cannot be done, ``error`` is raised.
        """
        good, answer = self.say(command, seconds)
        if not good:
            self.fail(f"answered {command!r} with an error: {answer}", error)
        return answer

    def say(self, command: str, seconds: float) -> tuple[bool, str]:
        """Whether the answer to ``command`` is a good one, and its text."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n".encode())
            self._process.stdin.flush()
        except OSError:
            self._died(command)
        deadline = time.monotonic() + seconds
        while True:
            lines = self._answer(command, seconds, deadline)
            if not lines[0].startswith("gogui-gfx:"):  # what a search shows while it thinks
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
            self._process.wait(POLITELY)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit status {code}"
        self.fail(f"{how} when asked {command!r}")

    def fail(self, what: str, error: type[EngineError] = EngineError) -> NoReturn:
        """End the program and raise the error that says what it did."""
        self.close()
        said = "; ".join(self._errors)
        raise error(f"{self.command!r} {what}" + (f" (it said: {said})" if said else ""))


def _read(stream: IO[bytes], lines: queue.Queue[str | None], gone: threading.Event) -> None:
    """Hand on every line, and None at the end, until nobody is there to take them."""
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
    """Keep the last lines of error output."""
    with stream:
        while raw := stream.readline(LONGEST_LINE):
            line = raw.decode("utf-8", "replace").strip()
            if re.search(r"\w", line):  # Python draws lines under its own
                errors.append(line[:200])


def _end(
    process: subprocess.Popen[bytes],
    readers: list[threading.Thread],
    gone: threading.Event,
    owner: int,
) -> None:
    """Tell the program to leave; kill it, and whatever it started, if it does not."""
    if os.getpid() != owner:  # a fork of the process that started it, which may need it still
        return
    gone.set()
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(b"quit\n")
        process.stdin.flush()
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(POLITELY)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for reader in readers:
        reader.join(POLITELY)
