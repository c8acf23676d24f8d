"""Serves an agent in its own process: the other end of ``isolation``.

A position comes in, and one integer goes out; what the agent raises is told in a line.
"""

from __future__ import annotations

import faulthandler
import importlib
import io
import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from agents import sandbox
from agents.agent import counts_of
from agents.background import compiled_first
from agents.faults import (
    NobodyToBlame,
    describe,
    fault_of,
    incompatibility,
    message_of,
    to_action,
)
from agents.landlock import contain
from agents.processes import Channel, Closed, limit_memory
from agents.sandbox import Limits
from agents.simple import Resign, TakeBack

CLOSED = 99
"""The exit status of an agent process that has lost its connection."""


def serve_agent(
    channel: Channel,
    memory: int | None,
    limits: Mapping[str, Any] | None = None,
    scratch: str = "",
) -> None:
    """Loads an agent and answers requests to it until the connection ends.

    With ``limits`` that is in a sandbox, whose one folder to write to is ``scratch``.
    """
    try:
        contain()
        if limits is None:  # a sandbox refuses more
            sys.addaudithook(_refuse_forks)
        for name in ("stdout", "stderr"):
            unbuffer(name)
        enter = None
        if limits is None:
            limit_memory(memory)
        else:
            enter = partial(sandbox.enter, Limits(**limits), scratch)
            if hasattr(faulthandler, "register"):
                faulthandler.register(signal.SIGUSR1, 2, all_threads=False)
        with compiled_first():  # agents within agents start no process that compiles
            AgentServer(channel, enter).work()
    except (Closed, ValueError):
        pass  # who asks is gone, or the agent has closed the connection or read from it
    finally:
        os._exit(CLOSED)  # whatever the agent has put in the way of an orderly end


def unbuffer(name: str) -> None:
    """Lets "stdout" or "stderr" write at once, so that all is kept however the process ends."""
    text: Any = getattr(sys, name)
    text.flush()
    encoding, errors = text.encoding, text.errors
    raw = text.detach().detach() if hasattr(text.buffer, "raw") else text.detach()
    now = io.TextIOWrapper(raw, encoding, errors, line_buffering=True, write_through=True)
    setattr(sys, name, now)
    setattr(sys, f"__{name}__", now)


class AgentServer:
    """Serves the agent in its process, over the connection to the one that asks.

    ``enter`` is called as soon as the agent is unpickled, before code of its own runs.
    """

    def __init__(self, channel: Channel, enter: Callable[[], None] | None = None) -> None:
        self._channel, self._process, self._enter = channel, os.getpid(), enter
        self._agent: Any = None
        self._told: float | None = None

    def work(self) -> None:
        """Answers requests; Closed when there are no more."""
        number = 0
        while True:
            number += 1
            answer = encoded(self._answer(self._channel.receive(number))).encode()
            if os.getpid() != self._process:
                return  # a copy of this process that the agent has made does not answer
            self._channel.send(answer, number)

    def _answer(self, request: bytes) -> list[Any]:
        """Returns what is sent back; see ``AgentProcess.ask``."""
        try:
            what, argument, seconds = pickle.loads(request)
            if what == "load":
                self._agent = pickle.loads(argument[0])
                if self._enter is not None:
                    self._enter()
                self._told = getattr(self._agent, "seconds", None)
                return ["answer", None]
            if seconds != self._told:
                self._agent.seconds = self._told = seconds
            if what == "reset":
                self._agent.reset(argument)
                return ["answer", None]
            if what == "prepare":
                self._agent.prepare(argument)
                return ["answer", None]
            if what == "counts":
                return ["answer", counts_of(self._agent)]
            if what == "call":
                module, name, position = argument
                function = getattr(importlib.import_module(module), name)
                return ["answer", function(self._agent, position)]
            return ["answer", to_action(self._agent.act(argument))]
        except Resign:
            return ["resigned"]
        except TakeBack:
            return ["undo"]
        except NobodyToBlame as error:
            return ["nobody", message_of(error)]
        except BaseException as error:  # all that an agent raises is its own
            return ["error", fault_of(error), describe(error), incompatibility(error)]


encoded = json.JSONEncoder().encode
"""Encodes answers, whatever an agent does to ``json.dumps``."""


def _refuse_forks(event: str, _: Any) -> None:
    """Stops ``os.fork``, after which two copies of the agent would play; multiprocessing may."""
    if event in ("os.fork", "os.forkpty"):
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] != "multiprocessing":
            raise RuntimeError("an agent must not fork: use subprocess or multiprocessing")
