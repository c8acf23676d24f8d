"""Restricts by Landlock what a process can open, signal and trace: Linux 5.13 and newer.

Neither root nor a program of its own is needed; what a process starts is restricted as it is.
"""

from __future__ import annotations

import ctypes
import functools
import os
import stat
import struct
from collections.abc import Iterable

from .launcher import LINUX, PR_SET_NO_NEW_PRIVS, libc, prctl

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all machines."""

WITH_FILES, WITH_REFER, WITH_TRUNCATE, WITH_IOCTL, WITH_SCOPE = 1, 2, 3, 5, 6
"""Versions of Landlock, and what they know first. The last one is in Linux 6.12."""

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE
READING = EXECUTE | READ_FILE | READ_DIR
ALL_OF_1 = (1 << 13) - 1
REFER, TRUNCATE, IOCTL = 1 << 13, 1 << 14, 1 << 15
"""Rights of Landlock: of files in version 1, and what later ones have added."""

SCOPE_SIGNAL = 2
"""The flag for signals to other processes."""


@functools.cache
def version() -> int:
    """Returns the version of Landlock here; 0 where there is none."""
    return max(libc().syscall(CREATE_RULESET, None, 0, 1), 0) if LINUX else 0


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Lets this process read and write only what is below these paths; OSError if that fails.

    Paths that are not there are left out. Nothing happens where there is no Landlock.
    """
    known = version()
    if not known:
        return
    handled = ALL_OF_1
    for since, right in ((WITH_REFER, REFER), (WITH_TRUNCATE, TRUNCATE), (WITH_IOCTL, IOCTL)):
        handled |= right if known >= since else 0
    rules = [(path, READING) for path in readable]
    rules += [(path, handled & ~IOCTL) for path in writable]
    _apply(struct.pack("Q", handled), rules)


def can_contain() -> bool:
    """Returns whether ``contain`` has an effect here: Linux 6.12 or newer, with Landlock."""
    return version() >= WITH_SCOPE


def contain() -> None:
    """Lets this process, and all that it starts, signal and trace only each other, if possible."""
    if can_contain():
        _apply(struct.pack("QQQ", 0, 0, SCOPE_SIGNAL), [])


def _apply(handled: bytes, rules: Iterable[tuple[str, int]]) -> None:
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    ruleset = _checked(libc().syscall(CREATE_RULESET, handled, len(handled), 0))
    try:
        for path, rights in rules:
            _allow(ruleset, path, rights)
        _checked(libc().syscall(RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= OF_FILES | TRUNCATE
        if path == os.devnull:
            rights |= OF_FILES
        _checked(libc().syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, place), 0))
    finally:
        os.close(place)


def _checked(answer: int) -> int:
    if answer < 0:
        why = os.strerror(ctypes.get_errno())
        raise OSError(ctypes.get_errno(), f"Landlock refuses to restrict this process: {why}")
    return answer
