"""Child processes that never outlive the test that started them."""

import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

LONGEST = 120.0
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
