"""Runs agents in processes of their own: a position goes in, one integer comes out.

The rules and the record of a tournament are in a worker process. Agents of this package play in
it. Every other agent, ``Participant.trusted`` says which, has an agent process for each worker, and
``isolated`` gives the same processes to matches and report cards. By what an agent loses is in
docs/tournaments.md, what is enforced on which system in docs/isolation.md.

- The agent process is started by a launcher that knows nothing of any game (see
  ``agents.processes``), so that no plan, no deal and no other agent is in its memory. It is sent
  the agent, then numbered requests, pickled: ``("act", position, seconds)``, and the like. It
  answers each with its number and a few kB of JSON. Nothing that comes back is unpickled, and an
  answer to another request than the last one never counts.
- Time is kept outside, also while the agent is unpickled and reset. An agent process that takes too
  long, ends, closes its connection or sends anything else is killed with all that it has started.
- Between its moves an agent process is stopped (SIGSTOP), with all that it has started, and where
  the system can do that it is contained: it cannot send signals to other processes, nor look into
  them. A file that was handed in (``agents.classroom.Submission``) runs in a sandbox besides.
- What it prints goes to a file on this side: ``IsolatedAgent.printed``.
- An agent loses by the death of its process only where nobody else can have caused it. Else the
  game is played again, and NobodyToBlame is raised if that does not help.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, ClassVar, TypeVar

from adv_envs import Position
from adv_envs.position import checked
from agents.agent import Agent, checked_counts, clean
from agents.captured_output import DRAIN_AT, MOST_BYTES, CapturedOutput
from agents.faults import (
    FAILURES,
    FAULTS,
    Forfeit,
    NobodyToBlame,
    describe,
    first_decision,
)
from agents.landlock import can_contain
from agents.processes import (
    FROM_OUTSIDE,
    Closed,
    LauncherError,
    how,
    start,
)
from agents.sandbox import Limits
from agents.simple import Human, Resign, TakeBack
from agents.spec import AgentLike, make

from .agent_server import CLOSED, serve_agent
from .clock import KILL_AFTER, READY

T = TypeVar("T")

MOST_FAILURES = 3
"""Failures in a row, none of them after a move, until an agent process is not started again."""

MOST_DISTURBANCES = 3
"""How often one game is begun whose processes are ended from outside."""

LONGEST_ANSWER = 2**16
"""Bytes. Error messages are cut in the agent process, so that no answer is longer than this."""


class ProcessFailure(Forfeit):
    """Says that an agent process took too long, ended, or talked nonsense; it is gone."""

    def __init__(
        self,
        fault: str,
        why: str,
        incompatible: str = "",
        disturbed: bool = False,
        ended: float | None = None,
    ) -> None:
        super().__init__(fault, why, incompatible)
        self.disturbed = disturbed
        """Whether another process may have ended it."""
        self.ended = ended


# ---- which agents are isolated


@dataclass(frozen=True)
class Participant:
    """Holds an agent of a tournament, ready to be sent to other processes."""

    spec: str
    """Its repr, which is asked for once."""
    name: str
    pickled: bytes
    trusted: bool
    """Whether it plays in the worker: its class and the functions among its parameters are ours."""
    timed: bool
    """Whether it has an attribute ``seconds`` to be told how long to think."""
    seconds: float | None
    counting: bool = False
    """Whether its class has ``game_counts`` of its own."""
    foreign: bool = False
    """Whether it runs code of others, and so in a sandbox."""

    @classmethod
    def of(cls, agent: Agent) -> Participant:
        """Pickles ``agent``. TypeError if that fails, or its repr does."""
        try:
            spec, name, timed = clean(repr(agent)), clean(agent.name), hasattr(agent, "seconds")
        except Exception as error:
            kind = clean(type(agent).__name__)
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
        counting = type(agent).game_counts is not Agent.game_counts
        trusted, foreign = is_trusted(agent), type(agent).foreign
        return cls(spec, name, pickled, trusted, timed, own, counting, foreign)

    def load(self) -> Agent:
        """Returns a copy of the agent, in this process."""
        agent: Agent = pickle.loads(self.pickled)
        return agent


def is_trusted(agent: Agent) -> bool:
    """Returns whether no code but that of this package ever runs in ``agent``."""
    own = type(agent)
    if own.foreign or not _is_ours(own) or not dataclasses.is_dataclass(agent):
        return False
    names = {field.name for field in dataclasses.fields(agent) if field.init}
    patched = (name for name in vars(agent) if name not in names)
    if any(callable(getattr(own, name, None)) for name in patched):
        return False
    return all(_is_harmless(getattr(agent, name)) for name in names)


def _is_ours(thing: Any) -> bool:
    """Returns whether a class or function is found by its name in a module of this package."""
    name, path = getattr(thing, "__module__", None) or "", getattr(thing, "__qualname__", "")
    if name.partition(".")[0] not in ("adv_envs", "agents"):
        return False
    found: Any = sys.modules.get(name)
    for part in path.split("."):
        found = getattr(found, part, None)
    return found is thing


def _is_harmless(value: Any) -> bool:
    """Tells whether a parameter is plain data, a function of ours, or a trusted agent."""
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


@contextmanager
def isolated(
    agents: Sequence[AgentLike],
    start: Position,
    *,
    ready: float = READY,
    seconds: float | None = None,
    memory: int | None = None,
    trusted: bool = False,
    limits: Limits | None = None,
) -> Iterator[tuple[Agent, ...]]:
    """Gives the agents, those of others in processes of their own, as tournaments do.

    They are to play one after the other, as in a match or a report card. An agent has ``ready``
    seconds to be loaded, to be reset, and for its first move from ``start``, which does not count;
    then ``seconds`` for each answer, None for any time, and at most ``memory`` megabytes. With
    ``trusted`` agents of this package are isolated, too, and so their time is limited. People play
    where they are. Submissions have the ``limits`` of a sandbox. Raises TypeError for an agent that
    cannot be sent to another process.
    """
    start, limit = checked(start), inf if seconds is None else seconds
    made: list[Agent] = []
    for agent in map(make, agents):
        participant = None if isinstance(agent, Human) else Participant.of(agent)
        if participant is None or (participant.trusted and not trusted):
            made.append(agent)
        else:
            deadline = lambda: time.perf_counter() + limit  # noqa: E731 - asked for each answer
            settings = memory, True, limits
            made.append(IsolatedAgent(participant, start, ready, deadline, *settings))
    try:
        yield tuple(made)
    finally:
        for agent in made:
            if isinstance(agent, IsolatedAgent):
                agent.close()


def prepared(agent: Agent, start: Position, seed: int = 0) -> BaseException | None:
    """Has an agent prepare for a game, such as compile its search; returns its error.

    An error is no loss here: it will occur again in a game.
    """
    try:
        if isinstance(agent, IsolatedAgent):
            return agent.get_ready()  # as it does by itself, in each new process
        first = first_decision(start)
        agent.reset(seed)
        agent.prepare(first.hidden(first.to_move))
    except FAILURES as error:
        return error
    return None


def ask_in_place(agent: Agent, function: Callable[[Any, Position], Any], position: Position) -> Any:
    """Returns what a function of this package returns for an agent, where the agent is.

    It must be plain data, and is not to be trusted where that is a process of another's agent.
    """
    if isinstance(agent, IsolatedAgent):
        return agent.call(function, position)
    return function(agent, position)


# ---- the side of the one who asks


class IsolatedAgent(Agent):
    """Represents an agent in a process of its own, started when it is reset or asked.

    ``act``, ``reset`` and ``call`` raise Forfeit for what the agent raises, and ProcessFailure,
    with the process gone, where that fails; after that they raise it again until the next reset.
    NobodyToBlame is raised where the process was ended from outside.
    """

    name: ClassVar[str] = "isolated"

    def __init__(
        self,
        participant: Participant,
        start: Position,
        ready: float,
        deadline: Callable[[], float],
        memory: int | None = None,
        alone: bool = False,
        limits: Limits | None = None,
    ) -> None:
        """Stores when an answer must be there, by ``deadline``; for ``alone`` see _fail.

        A ``memory`` that is given replaces that of the ``limits``.
        """
        self.name = participant.name  # type: ignore[misc]  # it is shown under the agent's own
        self.foreign = participant.foreign  # type: ignore[misc]
        self._participant, self._start, self._ready = participant, start, ready
        self._deadline, self._memory, self._alone = deadline, memory, alone
        limits = limits or Limits()
        self._limits = limits if memory is None else replace(limits, memory=memory)
        self._output, self._getting_ready = CapturedOutput(limits.output), ""
        self._process: AgentProcess | None = None
        self._warm = False
        self._failures = self._disturbances = 0
        self._disturbed = False
        self.late = ""
        """Says that it did not get ready in time, if so; then it is not started again."""
        self._failure: ProcessFailure | None = None
        if participant.timed:
            self.seconds = participant.seconds

    def __repr__(self) -> str:
        return self._participant.spec

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def act(self, position: Position) -> int:
        """Returns what the agent answers, as an integer; it is not known to be legal."""
        action = self._ask("act", position)
        if not isinstance(action, int):
            raise self._fail(ProcessFailure("crash", NO_ANSWER))
        self._failures = 0
        return action

    def prepare(self, position: Position) -> None:
        """Has the agent prepare, as it does by itself in each new process."""
        self._ask("prepare", position)

    def reset(self, seed: int | None = None) -> None:
        """Resets the agent, within the time to get ready, in a new process if needed."""
        if not self._disturbed:
            self._disturbances = 0  # the game before was played to its end
        self._disturbed = False
        if self._failures < MOST_FAILURES and not self.late:
            self._failure = None
        self.get_ready()
        self._ask("reset", seed, time.perf_counter() + self._ready)

    def game_counts(self) -> Mapping[str, float]:
        """Returns what the agent has counted, within the time to get ready; {} if it is gone."""
        if not self._participant.counting or self._process is None or self._failure is not None:
            return {}
        return checked_counts(self._ask("counts", None, time.perf_counter() + self._ready))

    def call(self, function: Callable[[Any, Any], Any], position: Any) -> Any:
        """Returns what a function of this package returns for the agent and a position.

        The answer is plain data, as JSON has it; in the place of a position any other thing can be
        sent.
        """
        found = self._ask("call", (function.__module__, function.__name__, position))
        self._failures = 0
        return found

    def printed(self, ready: bool = True) -> str:
        """Returns what its processes have printed since the last call, and forgets it.

        Unless ``ready`` it leaves out what they printed while they got ready, which is no game's.
        """
        before, self._getting_ready = self._getting_ready, ""
        return (before if ready else "") + self._output.take()

    def give_up(self, late: str) -> None:
        """Does not start the agent, which is ``late`` in another process, as this text says."""
        self.late = late
        self._failure = ProcessFailure("time", late)

    def get_ready(self) -> BaseException | None:
        """Starts the process, if it is not there: load the agent, and have it prepare.

        It compiles and loads what it needs. Returns what it raises then, which is no loss, as it
        will occur again in a game.
        """
        if self._warm or self._failure is not None:
            return self._failure
        game = self._output.take()
        try:
            return self._within_ready(self._warm_up)
        finally:
            found = game + self._getting_ready + self._output.take()
            self._getting_ready = found[: self._limits.output]

    def load(self, function: Callable[[Any, Any], Any], argument: Any = None) -> Any:
        """Starts the process and returns what ``call`` does, within the time to get ready.

        The agent is loaded, and not asked to prepare yet.
        """
        return self._within_ready(partial(self._load_and_call, function, argument))

    def _within_ready(self, work: Callable[[float], T]) -> T:
        """Returns what ``work`` returns, which is given its deadline; raises as ``_fail`` does."""
        try:
            return work(self._begin(time.perf_counter() + self._ready))
        except ProcessFailure as failure:
            if failure.fault == "time":
                self.late = f"it was not ready after {self._ready:g} s: {failure.why}"
                failure.why = self.late
            raise self._fail(failure) from None
        except LauncherError as error:
            raise self._lost(str(error)) from error

    def _begin(self, deadline: float) -> float:
        """Starts the process if it is not there; returns when it is to be ready."""
        if self._process is not None:
            return deadline
        began = time.perf_counter()
        main, trusted = b"__main__" in self._participant.pickled, self._participant.trusted
        limits = self._limits if self._participant.foreign else None
        self._process = AgentProcess(self._memory, main, trusted, self._output, limits)
        deadline += time.perf_counter() - began  # to start a process is not the agent's time
        known = self._start if self._participant.foreign else None  # its rules are imported first
        try:
            self._process.ask("load", (self._participant.pickled, known), None, deadline)
        except ProcessFailure:
            raise
        except Forfeit as error:
            why = f"it cannot be unpickled in a process of its own: {error.why}"
            raise ProcessFailure(error.fault, why, why) from error
        return deadline

    def _warm_up(self, deadline: float) -> BaseException | None:
        assert self._process is not None
        self._warm = True
        first = first_decision(self._start)
        seconds = getattr(self, "seconds", None)
        try:
            self._process.ask("reset", 0, seconds, deadline)
            self._process.ask("prepare", first.hidden(first.to_move), seconds, deadline)
        except ProcessFailure:
            raise
        except FAILURES as error:
            return error
        return None

    def _load_and_call(self, function: Any, argument: Any, deadline: float) -> Any:
        assert self._process is not None
        place = function.__module__, function.__name__, argument
        return self._process.ask("call", place, getattr(self, "seconds", None), deadline)

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.end()
            self._process, self._warm = None, False

    def _ask(self, what: str, argument: Any, deadline: float | None = None) -> Any:
        if self._failure is None and not self._warm:
            self.get_ready()
        if self._failure is not None or self._process is None:
            raise self._failure or ProcessFailure("crash", "its process is gone")
        if deadline is None:
            deadline = self._deadline()
        if deadline == inf and self.foreign:
            deadline = time.perf_counter() + self._limits.seconds
        try:
            return self._process.ask(what, argument, getattr(self, "seconds", None), deadline)
        except ProcessFailure as failure:
            raise self._fail(failure) from None
        finally:
            if self._output.size > DRAIN_AT:
                self._output.drain()

    def _fail(self, failure: ProcessFailure) -> ProcessFailure:
        """Ends the process, and returns the failure. NobodyToBlame if the agent may be innocent.

        That is so the first time in a game. If it happens again, the agent has done it itself where
        no other agent can have done it: where agents are contained, or all others are stopped,
        because this is the only one that is ``alone`` in being asked.
        """
        self.close()
        if failure.disturbed:
            own = failure.fault and (self._alone or can_contain())
            if not own or not self._disturbances:
                raise self._lost(f"{failure.why} while {self!r} was asked")
        self._failures += 1
        self._failure = failure
        return failure

    def _lost(self, why: str) -> NobodyToBlame:
        self._disturbed = True
        self._disturbances += 1
        final = self._disturbances >= MOST_DISTURBANCES
        times = f", {self._disturbances} times" * final
        return NobodyToBlame(f"{why}{times}; no agent is to blame for that", final)


class AgentProcess:
    """Holds a process in which an agent lives. It is stopped whenever it is not asked.

    Only a ``trusted`` agent may say that nobody is to blame, and so not lose by what it raises.
    """

    def __init__(
        self,
        memory: int | None,
        main: bool,
        trusted: bool,
        output: CapturedOutput,
        limits: Limits | None = None,
    ) -> None:
        """Starts it, in a sandbox if there are ``limits``; what it prints goes to ``output``."""
        self._scratch = ""
        arguments: list[Any] = [memory]
        if limits is not None:
            self._scratch = tempfile.mkdtemp(prefix="adv-envs-")
            arguments = [memory, limits.to_dict(), self._scratch]
        more: dict[str, Any] = {"output": output.file, "scratch": self._scratch}
        self.child = start(serve_agent, arguments, main=main, **more)
        self._trusted, self._output = trusted, output
        self._number = 0
        self._stopped = False

    def end(self) -> None:
        """Ends the process, and removes its folder."""
        self.child.end()
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def ask(self, what: str, argument: Any, seconds: float | None, deadline: float) -> Any:
        """Returns the answer, which must be there by ``deadline``, ``KILL_AFTER`` later at most.

        Raises Forfeit, Resign, TakeBack and NobodyToBlame for what the agent raises, else
        ProcessFailure.
        """
        self._number += 1
        request = pickle.dumps((what, argument, seconds))
        answer = self._exchange(request, deadline + KILL_AFTER)
        match answer:
            case ["answer", found]:
                return found
            case ["resigned"]:
                raise Resign
            case ["undo"]:
                raise TakeBack
            case ["nobody", str(why)]:
                if self._trusted:
                    raise NobodyToBlame(clean(why), final=True)
                raise Forfeit("crash", clean(why))
            case ["error", str(fault), str(why), str(refused)]:
                fault = fault if fault in FAULTS else "crash"
                raise Forfeit(fault, clean(why), clean(refused))
        raise ProcessFailure("crash", NO_ANSWER)

    def _exchange(self, request: bytes, deadline: float) -> Any:
        """Returns the answer to a request, read from JSON; None if it is none."""
        if self._stopped:
            self.child.go_on()
            self._stopped = False
        try:
            channel, gone = self.child.channel, self._gone
            channel.send(request, self._number, deadline)
            return json.loads(channel.receive(self._number, LONGEST_ANSWER, deadline, gone))
        except TimeoutError:
            raise ProcessFailure("time", TOO_LATE + self._place(), ended=deadline) from None
        except Closed:
            raise self._death() from None
        except (ValueError, RecursionError):
            return None
        finally:
            self.child.stop()
            self._stopped = True

    def _death(self) -> ProcessFailure:
        """Returns how the process ended."""
        self.child.join(1)  # its connection ends a little before the process does
        code = self.child.exitcode
        if self._output.size > MOST_BYTES or code == -TOO_LARGE:
            return ProcessFailure("crash", TOO_LOUD)
        if code == CLOSED or not self.child.ended:
            return ProcessFailure("crash", "its process closed the connection")
        disturbed = code is None or -code in FROM_OUTSIDE
        fault = "" if code is None else "crash"
        return ProcessFailure(fault, f"its process {how(code)}", disturbed=disturbed)

    def _place(self) -> str:
        """Returns in which line of a submission its process is, such as " (alice.py, line 3)"."""
        if not self._scratch or not hasattr(signal, "SIGUSR1"):
            return ""
        before, found = self._output.size, None
        with suppress(OSError):
            os.kill(self.child.pid, signal.SIGUSR1)  # see ``serve_agent``
        file = re.escape(f"{self._scratch}{os.sep}")
        for _ in range(200):  # it answers at once, unless the machine is busy
            found = re.search(f'File "{file}([^"]+)", line (\\d+) in', self._output.rest(before))
            if found is not None:
                break
            self.child.join(0.01)
        self._output.cut(before)
        return "" if found is None else f" ({clean(found[1])}, line {found[2]})"

    def _gone(self) -> bool:
        """Returns whether the process has ended; ends one that prints too much."""
        if self._output.size > MOST_BYTES:
            self.child.kill()
        return self.child.ended


NO_ANSWER = "its process sent what is no answer"
TOO_LARGE = getattr(signal, "SIGXFSZ", 0) or sys.maxsize
TOO_LOUD = f"it printed or wrote more than {MOST_BYTES // 10**6} MB at once"
TOO_LATE = f"no answer {KILL_AFTER:g} s after its time and grace were over"
