"""Runs what may hang, die or misbehave in processes: how they start, are watched, and end.

A process is a fork of the *launcher*: a fresh interpreter, started once for each program, that
imports what its processes need and holds nothing else. So a process starts in some milliseconds,
and nothing of the program that asked for it is in its memory. ``start`` returns a ``Child``, and so
does ``start_program`` for a program of another kind, such as an engine.

- What is sent to a process, and what comes back, goes through a ``Channel``: messages of bytes,
  with deadlines on this side, which so never waits for a process that is silent.
- A process ends when its ``Child`` is ended or forgotten, and with it everything that it has
  started, also in sessions of its own: orphans become children of the launcher, which ends them.
- The launcher ends with its program, however that ends; its processes end with the launcher. When
  the launcher is lost, ``Child.exitcode`` is None, as nobody knows how the process ended, and the
  next ``start`` starts another one. A process that notices it before it is killed ends by itself,
  so that it takes the loss for nobody's failure.

All this is Linux's. On macOS and other systems with forks, processes that leave the group of the
process that started them are neither stopped nor ended, and a process whose program was killed ends
when it next reads or writes. On Windows each process is a new interpreter.
"""

from __future__ import annotations

import importlib
import json
import mmap
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from multiprocessing import spawn
from typing import IO, Any

from . import launcher
from .launcher import HEADER, LINUX, STATUS, children

READ_AT_ONCE = 4096
"""Bytes that are read at once, if that many are there."""

CHECK = 0.25
"""Seconds after which one that waits for a message looks whether the process still runs."""

PATIENCE = 10.0
"""Seconds that are waited for the end of a process that was killed."""

LONGEST_ERROR = 4096
"""Bytes of what says why a program cannot be started."""

MOST_ROUNDS = 20
"""How often one looks for processes that are still to be stopped."""

MOST_LAUNCHERS = 3
"""Launchers that are lost one after the other before one gives up."""

LOST = 98
"""The exit status of a process that has lost the launcher that started it."""

FROM_OUTSIDE = {
    int(getattr(signal, name))
    for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
    if hasattr(signal, name)  # Windows lacks some
}
"""Signals that a process does not get by a fault of its own, but from another process."""


class WorkerError(RuntimeError):
    """Says that processes cannot work, and no agent is to blame."""


class LauncherError(WorkerError):
    """Says that no process can be started: the launcher of this process is gone."""


# ---- messages


class Closed(Exception):
    """Says that the other end of a channel is closed, or its process has ended."""


class Channel:
    """Represents one end of a connection for messages of bytes, each with a number."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        """What is readable when there is an answer, for ``multiprocessing.connection.wait``."""
        self._data = bytearray()
        """What has been read of the next message."""

    def send(self, message: bytes, number: int = 0, deadline: float = inf) -> None:
        """Sends a message by ``deadline``, of ``perf_counter``. Raises TimeoutError and Closed."""
        self._limit(deadline)
        try:
            self.socket.sendall(HEADER.pack(number, len(message)) + message)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed from error

    def receive(
        self,
        number: int = 0,
        longest: float = inf,
        deadline: float = inf,
        gone: Callable[[], bool] | None = None,
    ) -> bytes:
        """Returns the next message, which is to have this number and at most ``longest`` bytes.

        Raises TimeoutError at ``deadline``, Closed at the end, also where only ``gone`` knows of
        it, and ValueError for bytes that are no such message.
        """
        while len(self._data) < HEADER.size:
            self._read(deadline, gone)
        found, length = HEADER.unpack_from(self._data)
        if found != number or length > longest:
            raise ValueError("this is no message that was waited for")
        end = HEADER.size + length
        while len(self._data) < end:
            self._read(deadline, gone, end - len(self._data))
        message = bytes(self._data[HEADER.size : end])
        del self._data[:end]
        return message

    def _read(self, deadline: float, gone: Callable[[], bool] | None, size: int = 0) -> None:
        """Reads some more, up to ``size`` bytes at once; raises TimeoutError and Closed."""
        self._limit(deadline, inf if gone is None else CHECK)
        try:
            data = self.socket.recv(max(size, READ_AT_ONCE))
        except TimeoutError:
            if time.perf_counter() >= deadline:
                raise
            if gone is None or not gone():
                return
            data = b""  # it has ended, though another process holds its end
        except OSError:
            data = b""
        if not data:
            raise Closed
        self._data += data

    def _limit(self, deadline: float, most: float = inf) -> None:
        """Limits the next call of the system to the time until ``deadline``, and ``most`` seconds.

        A little more than 0 is left at least, as 0 means not to wait.
        """
        if deadline != inf or most != inf:
            left = max(deadline - time.perf_counter(), 1e-6)
            self.socket.settimeout(min(left, most))
        elif self.socket.gettimeout() is not None:
            self.socket.settimeout(None)

    def close(self) -> None:
        """Closes this end."""
        self.socket.close()


class SharedNumbers:
    """Holds floats that two processes see: ``numbers[i]``."""

    def __init__(self, count: int, source: Any = None) -> None:
        """Maps what another process has sent as ``source``, which closes its own then."""
        size = 8 * count
        if sys.platform == "win32":
            self.source = source or f"adv-envs-{os.getpid()}-{time.perf_counter_ns()}"
            memory = mmap.mmap(-1, size, tagname=self.source)
        else:
            self.source = _memory_file(size) if source is None else source
            memory = mmap.mmap(self.source, size)  # which keeps the file
        self.numbers: Any = memoryview(memory).cast("d")


def _memory_file(size: int) -> int:
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("adv-envs")
    else:
        with tempfile.TemporaryFile() as temporary:
            file = os.dup(temporary.fileno())
    os.ftruncate(file, size)
    return file


# ---- the side of the one who starts a process


class Child:
    """Represents a process that was started, as its parent sees it."""

    def __init__(self, pid: int, control: socket.socket, channel: Channel) -> None:
        self.pid, self.channel = pid, channel
        self._control = control
        self._status: list[int | None] = []
        self._stopped: list[int] = []

    @property
    def sentinel(self) -> Any:
        """Returns what is readable once it has ended, for ``multiprocessing.connection.wait``."""
        return self._control

    @property
    def ended(self) -> bool:
        """Returns whether the process has ended."""
        self._listen(0)
        return bool(self._status)

    @property
    def exitcode(self) -> int | None:
        """Returns how it has ended: its exit status, or minus a signal; None if nobody knows."""
        return self._status[0] if self._status else None

    def join(self, seconds: float | None = None) -> None:
        """Waits until it has ended, ``seconds`` at most."""
        self._listen(seconds)

    def kill(self) -> None:
        """Kills the process and all that it has started, and waits for its end."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        self._listen(PATIENCE)

    def end(self) -> None:
        """Kills it, and closes its channel."""
        self.kill()
        self._control.close()
        self.channel.close()

    def stop(self) -> None:
        """Stops the process, and all that it has started, until ``go_on``."""
        self._stopped = []
        self._signal_group("SIGSTOP")
        for _ in range(MOST_ROUNDS):  # one may have started another before it was stopped
            found = [pid for pid in descendants(self.pid) if pid not in self._stopped]
            for pid in found:
                _send_signal(pid, "SIGSTOP")
            self._stopped += found
            if not found:
                break

    def go_on(self) -> None:
        """Lets the process go on after ``stop``."""
        for pid in self._stopped:
            _send_signal(pid, "SIGCONT")
        self._signal_group("SIGCONT")

    def _signal_group(self, name: str) -> None:
        if hasattr(os, "killpg") and not self._status:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, getattr(signal, name))

    def _listen(self, seconds: float | None) -> None:
        if self._status:
            return
        try:
            self._control.settimeout(seconds)
            text = self._control.recv(STATUS.size)
            if not text:
                _end_with_launcher()
        except (BlockingIOError, TimeoutError):
            return
        except OSError:
            text = b""
        self._status.append(STATUS.unpack(text)[0] if len(text) == STATUS.size else None)


def _send_signal(pid: int, name: str) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, getattr(signal, name))


class _SpawnedChild(Child):
    """Represents a new interpreter, where the system has no forks; it cannot be stopped."""

    def __init__(self, process: Any, channel: Channel) -> None:
        super().__init__(process.pid, channel.socket, channel)
        self._process = process

    @property
    def sentinel(self) -> Any:
        return self._process.sentinel

    @property
    def ended(self) -> bool:
        return self._process.exitcode is not None

    @property
    def exitcode(self) -> int | None:
        code: int | None = self._process.exitcode
        return code

    def join(self, seconds: float | None = None) -> None:
        self._process.join(seconds)

    def kill(self) -> None:
        self._process.kill()
        self._process.join(PATIENCE)

    def stop(self) -> None:
        pass

    def go_on(self) -> None:
        pass


class _PlainProgram(subprocess.Popen[bytes]):
    """Represents a program, with what ``_SpawnedChild`` asks of a process."""

    @property
    def exitcode(self) -> int | None:
        return self.poll()

    def join(self, seconds: float | None = None) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(seconds)


def start(
    function: Callable[..., None],
    arguments: Sequence[Any],
    memory: SharedNumbers | None = None,
    launches: bool = False,
    main: bool = False,
    output: int | None = None,
    scratch: str = "",
) -> Child:
    """Starts a process that calls ``function``.

    The function is called with its end of the channel, with the ``memory`` if there is some, and
    with the ``arguments``, plain data as JSON has it. The process may start others itself if it
    ``launches``; it imports the program that runs as ``__main__`` only for ``main``. What it prints
    goes to the file of number ``output``, and a folder ``scratch`` is removed when it has ended,
    where there are forks. Raises LauncherError where one launcher after the other is lost.
    """
    task = {
        "runner": __name__,  # which the launcher does not know: it is run by itself
        "module": function.__module__,
        "function": function.__qualname__,
        "arguments": list(arguments),
        "launches": launches,
        "prepare": preparation(main),
        "environment": dict(os.environ),
        "numbers": None if memory is None else len(memory.numbers),
        "scratch": scratch,
        "captured": output is not None and hasattr(os, "fork"),
    }
    files = [] if memory is None else [memory.source]
    if not hasattr(os, "fork"):
        ours, theirs = socket.socketpair()
        context: Any = multiprocessing.get_context("spawn")
        process = context.Process(target=run_task, args=(task, theirs, *files), daemon=True)
        with theirs:
            process.start()
        return _SpawnedChild(process, Channel(ours))
    try:
        return _launch(task, files if output is None else [*files, output])
    finally:
        for file in files:
            os.close(file)


def start_program(words: Sequence[str]) -> tuple[Child, IO[bytes], IO[bytes], IO[bytes]]:
    """Starts a program; returns it, and its input, output and error output.

    It has the limit of memory of this process. Raises OSError where there is no such program, and
    LauncherError as ``start`` does.
    """
    if not hasattr(os, "fork"):
        pipe = subprocess.PIPE
        plain: Any = _PlainProgram(words, stdin=pipe, stdout=pipe, stderr=pipe)
        channel = Channel(socket.socketpair()[0])  # nobody is at its other end
        return _SpawnedChild(plain, channel), plain.stdin, plain.stdout, plain.stderr
    import resource

    task = {
        "program": list(words),
        "directory": os.getcwd(),
        "environment": dict(os.environ),
        "memory": resource.getrlimit(resource.RLIMIT_AS),
    }
    (stdin, writer), (reader, stdout), (errors, stderr) = (os.pipe() for _ in range(3))
    files = os.fdopen(writer, "wb"), os.fdopen(reader, "rb"), os.fdopen(errors, "rb")
    try:
        child = _launch(task, [stdin, stdout, stderr])
        why = child.channel.socket.recv(LONGEST_ERROR)  # nothing, if it has become the program
        if why:
            child.end()
            raise OSError(*json.loads(why))
    except BaseException:
        for file in files:
            file.close()
        raise
    finally:
        for number in (stdin, stdout, stderr):
            os.close(number)
    return child, *files


def preparation(main: bool) -> dict[str, Any]:
    """Returns what a process needs to import what this one can, for ``spawn.prepare``."""
    kept = ["sys_path", "sys_argv", "orig_dir", "dir"]
    kept += ["init_main_from_name", "init_main_from_path"] if main else []
    found = spawn.get_preparation_data("process")
    return {key: found[key] for key in kept if found.get(key) is not None}


def run_task(
    task: dict[str, Any],
    channel: socket.socket,
    *files: Any,
    launcher: socket.socket | None = None,
) -> None:
    """Calls the function of a task, in the process that was started for it."""
    if task["captured"]:
        *files, output = files  # type: ignore[assignment]  # of those that were sent
        for number in (1, 2):
            os.dup2(output, number)
        os.close(output)
    spawn.prepare(task["prepare"])
    os.environ.update(task["environment"])  # as it is now, not as the launcher got it
    if launcher is not None:
        _launchers.append(Launcher(launcher))
    function: Any = getattr(importlib.import_module(task["module"]), task["function"])
    shared = [SharedNumbers(task["numbers"], file) for file in files]
    function(Channel(channel), *shared, *task["arguments"])


class Launcher:
    """Represents the connection to the launcher: its own, or the one that began this process."""

    def __init__(self, connection: socket.socket, process: Any = None) -> None:
        self._connection, self._process = connection, process
        self._owner = os.getpid()
        self._lock = threading.Lock()
        # also called when Python ends, after what was made later
        self.close = weakref.finalize(self, _close, connection, process, self._owner)

    @classmethod
    def begin(cls) -> Launcher:
        """Starts a launcher and connects this process to it by a pair of sockets."""
        ours, theirs = socket.socketpair()
        paths = [path or os.getcwd() for path in sys.path]
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        words = [json.dumps(paths), str(theirs.fileno())]
        order = {"PYTHONHASHSEED": "0"}  # sets of texts have the same order in all processes
        with theirs:
            process = subprocess.Popen(
                [sys.executable, *flags, "-P", launcher.__file__, *words],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what agents print is not the program's output
                pass_fds=[theirs.fileno()],
                env={**order, **os.environ},
                start_new_session=True,  # Ctrl-C is the program's
            )
        return cls(ours, process)

    @property
    def usable(self) -> bool:
        """Tells whether it runs and belongs to this process, not to one it was forked from."""
        if self._owner != os.getpid():
            return False
        return self._process is None or self._process.poll() is None

    @property
    def parent(self) -> bool:
        """Returns whether it has started this process."""
        return self._process is None and self._owner == os.getpid()

    def start(self, task: dict[str, Any], files: Sequence[int]) -> Child:
        """Starts a process that has these files. LauncherError if the launcher is gone."""
        control, its_control = socket.socketpair()
        channel, its_channel = socket.socketpair()
        text, answer = json.dumps(task).encode(), b""
        try:
            with its_control, its_channel, self._lock, suppress(ConnectionError):
                sent = [its_control.fileno(), its_channel.fileno(), *files]
                header = HEADER.pack(len(sent), len(text))
                socket.send_fds(self._connection, [header], sent)
                self._connection.sendall(text)
            with suppress(ConnectionError):
                answer = control.recv(STATUS.size)
            if len(answer) != STATUS.size:
                raise LauncherError("the process that starts others was lost")
        except BaseException:
            control.close()
            channel.close()
            raise
        return Child(STATUS.unpack(answer)[0], control, Channel(channel))


def _close(connection: socket.socket, process: Any, owner: int) -> None:
    """Ends a launcher, and all its processes, if it is this process's own."""
    connection.close()
    if process is not None and owner == os.getpid():
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


_launchers: list[Launcher] = []
"""The launcher of this process, if there is one."""

_launchers_lock = threading.Lock()


def _end_with_launcher() -> None:
    """Ends this process if the launcher that started it is gone, which kills it a little later."""
    if _launchers and _launchers[0].parent:
        os._exit(LOST)


def _launch(task: dict[str, Any], files: Sequence[int]) -> Child:
    """Starts a process, by a new launcher if there is none, or if the own one is gone."""
    for _ in range(MOST_LAUNCHERS):
        with _launchers_lock:
            if _launchers and not _launchers[0].usable:
                _launchers.pop().close()
            if not _launchers:
                _launchers.append(Launcher.begin())
            launcher = _launchers[0]
        try:
            return launcher.start(task, files)
        except LauncherError:
            _end_with_launcher()
            launcher.close()
    raise LauncherError(f"no process can be started: {MOST_LAUNCHERS} launchers were lost")


# ---- what the system can do


def descendants(pid: int) -> list[int]:
    """Returns the processes that ``pid`` has started, and those that these have started."""
    found = children(pid)
    for other in found:  # grows
        found += children(other)
    return found


def limit_memory(megabytes: int | None, hard: bool = False) -> None:
    """Lets this process take so much more memory; what asks for more gets a MemoryError.

    None is no limit; on other systems than Linux there is none. The process can take back a limit
    that is not ``hard``.
    """
    if megabytes is None or not LINUX:
        return
    import resource

    with open("/proc/self/statm") as statm:
        now = int(statm.read().split()[0]) * resource.getpagesize()
    most, before = now + megabytes * 2**20, resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most if hard else before))


def how(code: int | None) -> str:
    """Returns how a process ended."""
    if code is None:
        return "was lost"
    if code >= 0:
        return f"ended with exit status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
