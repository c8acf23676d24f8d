"""Matrix products on one thread, while networks are asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_limits: list[Any] = []
"""An entry for each of those inside, the first of which the last one to leave undoes."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Lets NumPy multiply matrices on the calling thread alone, in the block under ``with``.

    The threads of its libraries wait for each other: where other programs compute too, an answer of
    a network takes many times as long. And the last digits depend on how many there are. The
    number is that of the whole process; it is put back when the last block is left. A limit that
    another thread of the program has set with threadpoolctl stays as it is.
    """
    with _lock:
        _limits.append(None if _limits else libraries().limit(limits=1))
        release()
    try:
        yield
    finally:
        with _lock:
            limit = _limits.pop()
            if limit is not None:
                limit.restore_original_limits()
                release()


def release() -> None:
    """Lets other threads set the number, too: from 3.8 on, threadpoolctl ignores all but one."""
    for library in libraries().lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear()


@cache
def libraries() -> Any:
    """Returns the libraries with which NumPy multiplies matrices."""
    return ThreadpoolController().select(user_api="blas")
