"""A process that does jobs: what runs at the other end of ``pool.SearchProcess``.

It reads lines of JSON from standard input and writes lines of JSON to standard output. It ends
when its input ends, and so with the server, however that ends.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import Any, BinaryIO

from agents.arena.isolation import limit_memory
from agents.search.limits import Stopper

from .jobs import JOBS
from .situations import Situation

Message = dict[str, Any]


def main() -> None:
    """Do jobs until the input ends.

    Arguments are the MB of memory (0: any number) and the user's modules, with commas.
    """
    memory, modules = int(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no reply
    end_with_server()
    for module in filter(None, modules.split(",")):
        importlib.import_module(module)
    import adv_envs.jit.cache  # noqa: F401  # the compiler, which takes a while and all jobs need

    if memory and sys.platform == "linux":
        limit_memory(memory)
    do_jobs(sys.stdin.buffer, replies)


def end_with_server() -> None:
    """Let the system end this process when its parent ends, also while it hears nothing."""
    if sys.platform == "linux":
        import ctypes

        from agents.arena.isolation import PR_SET_PDEATHSIG

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def do_jobs(requests: BinaryIO, replies: BinaryIO) -> None:
    """Do the jobs that come in, one after the other."""
    waiting: queue.Queue[tuple[Message, Stopper]] = queue.Queue()

    def listen() -> None:
        stopper = Stopper()
        for line in requests:
            message = json.loads(line)
            if "stop" in message:
                stopper.stop()
            else:
                stopper = Stopper()
                waiting.put((message, stopper))
        os._exit(0)

    def reply(message: Message) -> None:
        replies.write(as_json(message).encode() + b"\n")
        replies.flush()

    threading.Thread(target=listen, daemon=True).start()
    with suppress(BrokenPipeError):  # the server has ended
        reply({"started": True})
        while True:
            do_job(*waiting.get(), reply)
    os._exit(0)


def do_job(request: Message, stopper: Stopper, reply: Any) -> None:
    """Do one job: replies {"message": ...}, and at last {"done": True} or {"error": why}."""
    try:
        situation = Situation.from_plain(request["situation"])
        with stopper:
            for message in JOBS[request["job"]](situation, request["options"]):
                reply({"message": message})
                if stopper.stopped:
                    break
        reply({"done": True})
    except BrokenPipeError:
        raise
    except MemoryError:
        reply({"error": "the search ran out of memory: give it a smaller table, or less to do"})
    except Exception as error:
        reply({"error": str(error) or type(error).__name__})


def as_json(message: Message) -> str:
    """A message as JSON that browsers can read: numbers that JSON lacks are null."""
    try:
        return json.dumps(message, allow_nan=False, default=number)
    except ValueError:
        return json.dumps(finite(message), default=number)


def number(value: Any) -> Any:
    """A number of NumPy as one of Python; TypeError for what is no number."""
    if hasattr(value, "item"):
        return finite(value.item())
    raise TypeError(f"{value!r} is no plain data")


def finite(data: Any) -> Any:
    """Data with None in the place of infinite numbers and of NaN."""
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
