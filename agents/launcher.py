"""Launches processes: an interpreter that starts them, tells how they ended, and ends them.

See ``processes``, which runs this file by itself, without the package, so that it starts at once.
The processes are its forks: they are the program that was asked for, or call a function of a
module, which the launcher imports for all of them.

- It ends with the program that has started it, however that ends, and its processes end with it.
- What processes have started ends with them: orphans become children of the launcher.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import sys
import traceback
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

LINUX = sys.platform == "linux"

HEADER = struct.Struct("!II")
"""The number of a message, or of its files, and how many bytes follow."""

STATUS = struct.Struct("!i")
"""A number of a process, or how it ended."""

MOST_FILES = 5
"""Files that are sent to a process: of its control, its channel, and three of a program."""

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
"""Options of Linux's ``prctl``."""


def prctl(option: int, value: int) -> None:
    """Sets an option of this process, on Linux."""
    if LINUX:
        libc().prctl(option, value, 0, 0, 0)


@functools.cache
def libc() -> Any:
    """Returns the C library."""
    return ctypes.CDLL(None, use_errno=True)


def children(pid: int) -> list[int]:
    """Returns the processes whose parent is ``pid``; on systems other than Linux none are known."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def serve(connection: int) -> NoReturn:
    """Starts processes for those that are connected, until the program ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        LauncherServer(socket.socket(fileno=connection)).work()
    finally:
        os._exit(0)


@dataclass
class Started:
    """Represents a process that the launcher has started."""

    pid: int
    control: socket.socket
    """Where the end of the process is told. When the other end is closed, the process is ended."""
    end: int | None
    """A file that is readable when the process has ended, on Linux."""
    scratch: str = ""
    """A folder that is removed when it has ended, if there is one."""
    told: bool = False
    """Whether its end was told."""


class LauncherServer:
    """Starts processes, tells how they ended, and ends them."""

    def __init__(self, owner: socket.socket) -> None:
        self._selector = selectors.DefaultSelector()
        self._started: dict[int, Started] = {}
        self._owner = owner
        self._selector.register(owner, selectors.EVENT_READ, self._serve)
        self._program = os.getppid()
        if LINUX:  # forks of the program may hold its end of the connection
            program = os.pidfd_open(self._program)
            self._selector.register(program, selectors.EVENT_READ, self._leave)
        if os.getppid() != self._program:
            self._leave(None)

    def work(self) -> NoReturn:
        """Does what is asked for, until the program ends."""
        while True:
            for key, _ in self._selector.select(None if LINUX else 0.05):
                if self._selector.get_map().get(key.fd) is key:  # not closed in this round
                    key.data(key.fileobj)
            if not LINUX:
                for started in list(self._started.values()):
                    self._look(started)

    def _serve(self, client: socket.socket) -> None:
        """Starts a process for one that is connected."""
        wait_all = socket.MSG_WAITALL
        try:
            header, files, _, _ = socket.recv_fds(client, HEADER.size, MOST_FILES, wait_all)
            count, size = HEADER.unpack(header) if header else (0, 0)
            text = client.recv(size, wait_all) if size else b""
        except OSError:
            files, size, text, count = [], 0, b"", 0
        if not text or len(text) != size or len(files) != count:
            for file in files:
                os.close(file)
            self._selector.unregister(client)
            client.close()
            if client is self._owner:
                self._leave(None)
            return
        self._fork(json.loads(text), files)

    def _fork(self, task: dict[str, Any], files: list[int]) -> None:
        control = socket.socket(fileno=files[0])
        if "module" in task:
            with suppress(ImportError):  # the process says so
                importlib.import_module(task["module"])  # once, for all processes that need it
        ends = socket.socketpair() if task.get("launches") else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forks of processes with threads
            pid = os.fork()
        if not pid:
            become(task, files[1:], None if ends is None else ends[1])
        for file in files[1:]:
            os.close(file)
        if ends is not None:
            ends[1].close()
            self._selector.register(ends[0], selectors.EVENT_READ, self._serve)
        end = os.pidfd_open(pid) if LINUX else None
        started = Started(pid, control, end, task.get("scratch") or "")
        self._started[pid] = started
        with suppress(OSError):
            control.send(STATUS.pack(pid))
        self._selector.register(control, selectors.EVENT_READ, lambda _: self._end(started))
        if started.end is not None:
            look = functools.partial(self._look, started)
            self._selector.register(started.end, selectors.EVENT_READ, lambda _: look())

    def _look(self, started: Started) -> None:
        """Tells how a process has ended, if it has. Its number is kept until ``_end``."""
        if started.told:
            return
        if LINUX:
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            found = os.waitid(os.P_PID, started.pid, options)
            if found is None:
                return
            exited = found.si_code == os.CLD_EXITED
            code = found.si_status if exited else -found.si_status
        else:
            pid, status = os.waitpid(started.pid, os.WNOHANG)
            if not pid:
                return
            code = os.waitstatus_to_exitcode(status)
        self._tell(started, code)

    def _tell(self, started: Started, code: int) -> None:
        started.told = True
        with suppress(OSError):
            started.control.send(STATUS.pack(code))
        if started.end is not None:
            self._selector.unregister(started.end)
            os.close(started.end)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(started.pid, signal.SIGKILL)
        self._end_orphans()
        if started.scratch:
            shutil.rmtree(started.scratch, ignore_errors=True)

    def _end(self, started: Started) -> None:
        """Ends a process, and tells how it ended."""
        del self._started[started.pid]
        self._selector.unregister(started.control)
        self._look(started)
        if not started.told or LINUX:
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError, PermissionError):
                    kill(started.pid, signal.SIGKILL)
            _, status = os.waitpid(started.pid, 0)
            if not started.told:
                self._tell(started, os.waitstatus_to_exitcode(status))
        started.control.close()
        self._end_orphans()

    def _end_orphans(self) -> None:
        """Ends what processes left behind: children that are not the launcher's."""
        while orphans := [pid for pid in children(os.getpid()) if pid not in self._started]:
            for pid in orphans:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def _leave(self, _: Any) -> NoReturn:
        """Ends all processes, and this one."""
        for started in list(self._started.values()):
            self._end(started)
        os._exit(0)


def become(task: dict[str, Any], files: list[int], launcher: socket.socket | None) -> NoReturn:
    """Is the process of a task: a fork of the launcher that keeps nothing of it but ``files``."""
    status = 1
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        prctl(PR_SET_CHILD_SUBREAPER, 1)  # its orphans are stopped and ended with it
        os.setsid()
        _close_others({0, 1, 2, *files, *([] if launcher is None else [launcher.fileno()])})
        channel = socket.socket(fileno=files[0])
        if "program" in task:
            execute(task, channel, files[1:])
        else:
            processes: Any = importlib.import_module(task["runner"])
            processes.run_task(task, channel, *files[1:], launcher=launcher)
            status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def execute(task: dict[str, Any], channel: socket.socket, files: list[int]) -> None:
    """Becomes the program of a task, with its input and outputs, or sends why it cannot."""
    import resource

    try:
        os.chdir(task["directory"])
        resource.setrlimit(resource.RLIMIT_AS, task["memory"])
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        for signal_ in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(signal_, signal.SIG_DFL)
        channel.set_inheritable(False)
        os.execvpe(task["program"][0], task["program"], task["environment"])
    except OSError as error:
        channel.sendall(json.dumps([error.errno, error.strerror]).encode())


def _close_others(kept: set[int]) -> None:
    if LINUX:
        found = [int(name) for name in os.listdir("/proc/self/fd")]
    else:
        found = list(range(3, 1024))
    for file in found:
        if file not in kept:
            with suppress(OSError):
                os.close(file)


if __name__ == "__main__":
    sys.path[:] = json.loads(sys.argv[1])
    serve(int(sys.argv[2]))
