"""Child processes that never outlive the test that started them."""

import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LONGEST = 300.0
"""Seconds after which a child is killed: what waits for it then reads the end of its output."""


@contextmanager
def child(
    command: Sequence[str], seconds: float = LONGEST, **options: Any
) -> Iterator["subprocess.Popen[Any]"]:
    """A process; it is killed at the end of the block if it still runs, and after ``seconds``."""
    with subprocess.Popen(command, **options) as process:
        alarm = threading.Timer(seconds, process.kill)
        alarm.daemon = True
        alarm.start()
        try:
            yield process
        finally:
            alarm.cancel()
            process.kill()  # does nothing to one that has ended


def wait_for(condition: Callable[[], Any], why: str = "it takes too long") -> None:
    """Wait until something holds; AssertionError after what no busy machine explains."""
    until = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < until, why
        time.sleep(0.02)


def state_of(pid: int) -> str:
    """The letter of a process's state as /proc has it, "" if there is none."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""


def runs(pid: int) -> bool:
    """Whether a process runs, zombies aside, as far as /proc tells."""
    return state_of(pid) not in ("", "Z")


def wait_for_the_end_of(pids: Iterable[int], why: str = "processes are left") -> None:
    """Wait until none of the processes runs: a signal takes its time to end one."""
    found = set(pids)
    assert found
    wait_for(lambda: not any(map(runs, found)), why)


def asleep(pid: int) -> bool:
    """Whether a process waits for something, and has done so for half a second."""
    for _ in range(25):
        if state_of(pid) in ("R", "D"):
            return False
        time.sleep(0.02)
    return True
