"""Agents in processes of their own: a position goes in, one integer comes out.

The rules and the record of a tournament are in a worker process. Agents of this package play in
it. Every other agent, ``Entrant.trusted`` says which, has an agent process for each worker:

- The worker sends numbered requests, pickled: ``("act", position, seconds)``, and the like. The
  agent process answers each with its number and a few kB of JSON. The worker unpickles nothing that
  comes back, and an answer to another request than the last one never counts.
- The worker keeps the time, also while the agent is unpickled and reset. An agent process that
  takes too long, ends, closes its connection or sends anything else is killed with all processes of
  its group, and the agent loses that game; for the next game it is started again. An agent that
  fails ``MOST_FAILURES`` times in a row before it has made a move is not started again: it loses
  its further games for the reason of the last failure.
- The agent process is a fork of the worker on Linux, which costs some milliseconds, without the
  worker's files; it ends with the worker. Elsewhere it is a new interpreter.
"""

from __future__ import annotations

import ctypes
import dataclasses
import json
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NoReturn

from adv_envs import Position
from agents.agent import Agent
from agents.faults import Forfeit, describe, fault_of, incompatibility
from agents.human import Resign, TakeBack
from agents.match import to_action

from .clock import KILL_AFTER, Clock

MOST_FAILURES = 3
"""Failures in a row, none of them after a move, until an agent process is not started again."""

LONGEST_ANSWER = 2**16
"""Bytes. Error messages are cut in the agent process, so that no answer is longer than this."""

CHECK = 0.25
"""Seconds after which the worker looks whether a silent agent process still runs."""

HEADER = struct.Struct("!II")
"""The number of a request, and how many bytes follow."""

CLOSED = 99
"""The exit status of an agent process that has lost its connection."""

PR_SET_PDEATHSIG = 1
"""The option of Linux's ``prctl`` for a signal when the parent ends."""

FROM_OUTSIDE = {
    int(getattr(signal, name))
    for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
    if hasattr(signal, name)  # Windows lacks some
}
"""Signals that say nothing about the agents: an operator's, or the system's without memory."""


class ProcessFailure(Forfeit):
    """An agent process took too long, ended, or talked nonsense; it is gone."""

    def __init__(self, fault: str, why: str, incompatible: str = "", outside: bool = False) -> None:
        super().__init__(fault, why, incompatible)
        self.outside = outside
        """Whether it was ended by a signal from outside."""


# ---- which agents are isolated


@dataclass(frozen=True)
class Entrant:
    """An agent of a tournament, ready to be sent to other processes."""

    spec: str
    """Its repr, which is asked for once."""
    pickled: bytes
    trusted: bool
    """Whether it plays in the worker: its class and the functions among its parameters are ours."""
    timed: bool
    """Whether it has an attribute ``seconds`` to be told how long to think."""
    seconds: float | None

    @classmethod
    def of(cls, agent: Agent) -> Entrant:
        """Pickle ``agent``. TypeError if that fails, or its repr does."""
        try:
            spec, timed = repr(agent), hasattr(agent, "seconds")
            spec.encode()
        except Exception as error:
            kind = type(agent).__name__
            raise TypeError(f"the repr of an agent, a {kind}, fails: {describe(error)}") from error
        try:
            pickled = pickle.dumps(agent)
        except Exception as error:  # anything can be raised by the parts of an agent
            raise TypeError(
                f"{spec} cannot be sent to another process: {describe(error)}; its functions must "
                "be found by name in a module"
            ) from error
        seconds = getattr(agent, "seconds", None)
        own = float(seconds) if isinstance(seconds, int | float) else None
        return cls(spec, pickled, is_trusted(agent), timed, own)

    def load(self) -> Agent:
        """A copy of the agent, in this process."""
        agent: Agent = pickle.loads(self.pickled)
        return agent


def is_trusted(agent: Agent) -> bool:
    """Whether no code but that of this package runs in ``agent``, whatever it is asked."""
    own = type(agent)
    if not _is_ours(own) or not dataclasses.is_dataclass(agent):
        return False
    names = {field.name for field in dataclasses.fields(agent) if field.init}
    patched = (name for name in vars(agent) if name not in names)
    if any(callable(getattr(own, name, None)) for name in patched):
        return False
    return all(_is_harmless(getattr(agent, name)) for name in names)


def _is_ours(thing: Any) -> bool:
    """Whether a class or function is found by its name in a module of this package."""
    name, path = getattr(thing, "__module__", None) or "", getattr(thing, "__qualname__", "")
    if name.partition(".")[0] not in ("adv_envs", "agents"):
        return False
    found: Any = sys.modules.get(name)
    for part in path.split("."):
        found = getattr(found, part, None)
    return found is thing


def _is_harmless(value: Any) -> bool:
    """Whether a parameter is plain data, a function of ours, or an agent that is trusted."""
    if isinstance(value, Agent):
        return is_trusted(value)
    if callable(value):
        return _is_ours(value)
    if type(value) in (list, tuple, set, frozenset):
        return all(map(_is_harmless, value))
    if type(value) is dict:
        return all(map(_is_harmless, (*value, *value.values())))
    library = type(value).__module__.partition(".")[0]
    return isinstance(value, Position) or library in PLAIN or _is_ours(type(value))


PLAIN = "builtins", "numpy", "pathlib", "random"
"""Libraries of which parameters of trusted agents may be."""


# ---- the worker's side


class IsolatedAgent(Agent):
    """An agent in a process of its own, which is started when it is first asked.

    ``act`` and ``reset`` raise Forfeit for what the agent raises, and ProcessFailure, with the
    process gone, where that fails. After a ProcessFailure they raise it again until ``recover``.
    """

    name: ClassVar[str] = "isolated"

    def __init__(self, entrant: Entrant, clock: Clock, memory: int | None = None) -> None:
        self._entrant, self._clock, self._memory = entrant, clock, memory
        self._process: AgentProcess | None = None
        self._failures = 0
        self.failure: ProcessFailure | None = None
        """Why the process is gone, if it failed."""
        if entrant.timed:
            self.seconds = entrant.seconds

    def __repr__(self) -> str:
        return self._entrant.spec

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def act(self, position: Position) -> int:
        """What the agent answers, as an integer; it is not known to be legal."""
        action = self._ask("act", position, self._clock.deadline)
        self._failures = 0
        if not isinstance(action, int):
            raise self._fail(ProcessFailure("crash", "its process answered no number"))
        return action

    def reset(self, seed: int | None = None) -> None:
        """Reset the agent, within the time that it has to get ready."""
        self._ask("reset", seed, time.perf_counter() + self._clock.control.ready)

    def recover(self) -> bool:
        """Forget a failure, so that the process is started again; whether it may be."""
        if self._failures >= MOST_FAILURES:
            return False
        self.failure = None
        return True

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _ask(self, what: str, argument: Any, deadline: float) -> int | None:
        if self.failure is not None:
            raise self.failure
        try:
            if self._process is None:
                self._process = AgentProcess(self._memory)
                ready = time.perf_counter() + self._clock.control.ready
                self._load(self._process, ready)
            return self._process.ask(what, argument, getattr(self, "seconds", None), deadline)
        except ProcessFailure as failure:
            raise self._fail(failure) from None

    def _load(self, process: AgentProcess, deadline: float) -> None:
        try:
            process.ask("load", self._entrant.pickled, None, deadline)
        except ProcessFailure:
            raise
        except Forfeit as error:
            why = f"it cannot be unpickled in a process of its own: {error.why}"
            raise ProcessFailure(error.fault, why, why) from error

    def _fail(self, failure: ProcessFailure) -> ProcessFailure:
        self._failures += 1
        self.failure = failure
        self.close()
        return failure


class AgentProcess:
    """A process in which an agent lives, as the worker sees it."""

    def __init__(self, memory: int | None) -> None:
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._socket, theirs = socket.socketpair()
        self._number = 0
        with theirs, warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forks of processes with threads
            self._process = context.Process(
                target=serve, args=(theirs, memory, os.getpid()), name="agent", daemon=True
            )
            self._process.start()

    def ask(self, what: str, argument: Any, seconds: float | None, deadline: float) -> int | None:
        """The answer, which must be there by ``deadline`` (and a little later by ``KILL_AFTER``).

        Raises Forfeit, Resign and TakeBack for what the agent raises, else ProcessFailure.
        """
        self._number += 1
        request = pickle.dumps((what, argument, seconds))
        self._send(HEADER.pack(self._number, len(request)) + request, deadline)
        match self._receive(deadline):
            case ["done"]:
                return None
            case ["action", int(action)]:
                return action
            case ["resigned"]:
                raise Resign
            case ["undo"]:
                raise TakeBack
            case ["error", str(fault), str(why), str(refused)]:
                raise Forfeit(fault, why, refused)
        raise ProcessFailure("crash", "its process sent what is no answer")

    def _send(self, request: bytes, deadline: float) -> None:
        self._socket.settimeout(None if deadline == inf else _patience(deadline))
        try:
            self._socket.sendall(request)
        except TimeoutError:
            raise _too_late() from None
        except OSError:
            raise self._death() from None

    def _receive(self, deadline: float) -> Any:
        """The answer to the last request, read from JSON; None if it is none."""
        data, size = b"", HEADER.size
        while len(data) < size:
            data += self._read(deadline)
            if len(data) >= HEADER.size:
                number, length = HEADER.unpack_from(data)
                size = HEADER.size + length
                if number != self._number or length > LONGEST_ANSWER or len(data) > size:
                    return None
        try:
            return json.loads(data[HEADER.size :])
        except ValueError:
            return None

    def _read(self, deadline: float) -> bytes:
        """Some bytes, as soon as there are any."""
        while True:
            self._socket.settimeout(min(_patience(deadline), CHECK))
            try:
                data = self._socket.recv(LONGEST_ANSWER)
            except TimeoutError:
                if time.perf_counter() > deadline + KILL_AFTER:
                    raise _too_late() from None
                if self._process.exitcode is None:
                    continue
                data = b""  # it has ended, though another process holds its end of the connection
            except OSError:
                data = b""
            if not data:
                raise self._death()
            return data

    def _death(self) -> ProcessFailure:
        """How the process ended."""
        self._process.join(1)  # its connection ends a little before the process does
        code = self._process.exitcode
        if code in (None, CLOSED):
            return ProcessFailure("crash", "its process closed the connection")
        return ProcessFailure("crash", f"its process {how(code)}", outside=-code in FROM_OUTSIDE)

    def end(self) -> None:
        """Kill the process and its group."""
        self._socket.close()
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self._process.close()


def _patience(deadline: float) -> float:
    """The seconds until an answer is too late; a little more than 0, which means not to wait."""
    return max(deadline + KILL_AFTER - time.perf_counter(), 1e-6)


def _too_late() -> ProcessFailure:
    return ProcessFailure("time", TOO_LATE)


TOO_LATE = f"no answer {KILL_AFTER:g} s after its time and grace were over"


def how(code: int) -> str:
    """How a process ended."""
    if code >= 0:
        return f"ended with exit status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


# ---- the agent's side


def serve(connection: socket.socket, memory: int | None, worker: int) -> NoReturn:
    """Load an agent and answer requests to it until ``worker``, a process, ends the connection."""
    status = CLOSED
    try:
        _separate(connection, worker)
        if memory is not None:
            limit_memory(memory)
        Servant(connection).work()
        status = 0
    except (EOFError, OSError):
        pass  # the worker is gone, or the agent has closed the connection
    finally:
        os._exit(status)  # whatever the agent has put in the way of an orderly end


class Servant:
    """The agent in its process, and the connection to the worker."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._process = connection, os.getpid()
        self._agent: Any = None
        self._told: float | None = None

    def work(self) -> None:
        """Answer requests; EOFError when there are no more."""
        while True:
            number, length = HEADER.unpack(self._read(HEADER.size))
            answer = json.dumps(self._answer(self._read(length))).encode()
            if os.getpid() != self._process:
                return  # a copy of this process that the agent has made does not answer
            self._connection.sendall(HEADER.pack(number, len(answer)) + answer)

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._connection.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def _answer(self, request: bytes) -> list[Any]:
        """What is sent back; see ``AgentProcess.ask``."""
        try:
            what, argument, seconds = pickle.loads(request)
            if what == "load":
                self._agent = pickle.loads(argument)
                self._told = getattr(self._agent, "seconds", None)
                return ["done"]
            if seconds != self._told:
                self._agent.seconds = self._told = seconds
            if what == "reset":
                self._agent.reset(argument)
                return ["done"]
            return ["action", to_action(self._agent.act(argument))]
        except Resign:
            return ["resigned"]
        except TakeBack:
            return ["undo"]
        except BaseException as error:  # all that an agent raises is its own
            return ["error", fault_of(error), describe(error), incompatibility(error)]


def _separate(connection: socket.socket, worker: int) -> None:
    """Leave this process nothing of the worker's, and end it with the worker."""
    if hasattr(os, "setsid"):
        os.setsid()  # Ctrl-C is not for it, and the processes that it starts can be ended with it
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != worker:
            raise EOFError  # it ended before this
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2 and int(name) != connection.fileno():
                with suppress(OSError):  # that of the folder, which is closed already
                    os.close(int(name))
    sys.addaudithook(_refuse_forks)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it is a text file


def _refuse_forks(event: str, _: Any) -> None:
    """Stop ``os.fork``, after which two copies of the agent would play; multiprocessing may."""
    if event in ("os.fork", "os.forkpty"):
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] != "multiprocessing":
            raise RuntimeError("an agent must not fork: use subprocess or multiprocessing")


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more memory; what asks for more gets a MemoryError."""
    import resource

    with open("/proc/self/statm") as statm:
        now = int(statm.read().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * 2**20, hard))
