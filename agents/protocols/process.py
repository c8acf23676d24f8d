"""A program that runs beside ours: lines out, lines in, within time limits, and its end.

One thread reads the program's output, so that waiting can end; another reads its error output, so
that it never blocks on a full pipe. However it fails there is an EngineError, and the process, with
all processes that it started, is ended.
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

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, command: str) -> None:
        """Write a line to the program; EngineError if it has ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n".encode())
            self._process.stdin.flush()
        except OSError:
            self._died(command)

    def line(self, command: str, began: float, seconds: float) -> str:
        """The next line of the answer to ``command``, which may be empty.

        EngineError if the program ends, or has not sent it ``seconds`` after ``began``, a time of
        ``time.monotonic``.
        """
        try:
            line = self._lines.get(timeout=max(began + seconds - time.monotonic(), 0))
        except queue.Empty:
            self.fail(f"did not answer {command!r} within {seconds:g} s", EngineTimeout)
        if line is None:
            self._died(command)
        return line

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
