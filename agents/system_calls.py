"""Refuses calls of the system that an agent does not need: seccomp, Linux on x86-64 and ARM64.

The filter is a program of the kernel's packet filter (``linux/filter.h``): it looks at the number
of each call, and at the first argument of a few. What is forbidden fails as a lack of permission.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import struct
from collections.abc import Iterable
from errno import ENOSYS, EPERM

from .launcher import LINUX, libc

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Instructions: load a word, compare and jump, return."""

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | EPERM, 0x80000000
NOT_THERE = 0x00050000 | ENOSYS
"""What a filter returns; after the last a library tries an older call."""

NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16
"""Offsets of what a filter can see; of the argument the lower half."""

CLONE_THREAD = 0x10000
X32 = 0x40000000
"""Numbers from here on are those of another interface on x86-64."""

SET_MODE_FILTER, GET_ACTION_AVAIL, ALL_THREADS = 1, 2, 1

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

STARTING = """
    clone3 435 435 | fork 57 0 | vfork 58 0 | execve 59 221 | execveat 322 281
"""
"""Calls that start a process or a program, with their numbers on both machines; 0: there is none.
Of ``clone`` only threads are allowed."""

CLONE = "clone 56 220"

CONNECTING = "socket 41 198 | io_uring_setup 425 425 | io_uring_enter 426 426"
"""Calls that open what could be a connection."""

ON_OTHERS = """
    kill 62 129 | tkill 200 130 | tgkill 234 131 | rt_sigqueueinfo 129 138
    | rt_tgsigqueueinfo 297 240 | prlimit64 302 261 | sched_setaffinity 203 122
    | sched_setscheduler 144 119 | sched_setparam 142 118 | sched_setattr 314 274
"""
"""Calls whose first argument is a process, which may be one's own only."""

NEVER = """
    ptrace 101 117 | process_vm_readv 310 270 | process_vm_writev 311 271 | pidfd_getfd 438 438
    | pidfd_send_signal 424 424 | process_madvise 440 440 | setpriority 141 140 | ioprio_set 251 30
    | chmod 90 0 | fchmod 91 52 | fchmodat 268 53 | fchmodat2 452 452 | chown 92 0 | fchown 93 55
    | lchown 94 0 | fchownat 260 54 | utime 132 0 | utimes 235 0 | futimesat 261 0
    | utimensat 280 88 | setxattr 188 5 | lsetxattr 189 6 | fsetxattr 190 7 | removexattr 197 14
    | lremovexattr 198 15 | fremovexattr 199 16 | unshare 272 97 | setns 308 268
    | open_by_handle_at 304 265 | shmget 29 194 | semget 64 190 | msgget 68 186 | mq_open 240 180
    | add_key 248 217 | request_key 249 218 | keyctl 250 219 | bpf 321 280
    | perf_event_open 298 241 | userfaultfd 323 282 | io_uring_register 427 427
"""
"""Calls that reach other processes, files that Landlock does not watch, or more of the kernel."""

SECCOMP = "seccomp 317 277"


def available() -> bool:
    """Returns whether calls can be forbidden here."""
    if not LINUX or platform.machine() not in MACHINES:
        return False
    (number,) = _numbers(SECCOMP)
    action = ctypes.c_uint32(0x00050000)
    return bool(libc().syscall(number, GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0)


def forbid(network: bool = False, processes: bool = False) -> None:
    """Refuses what is above, in all threads of this process and in what it starts; or OSError.

    ``network`` and ``processes`` allow these; then Landlock alone keeps signals from others.
    Nothing happens where that is not available. Privileges must have been given up before.
    """
    if not available():
        return
    code = b"".join(_filter(network, processes))
    lines = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(lines))
    (number,) = _numbers(SECCOMP)
    if libc().syscall(number, SET_MODE_FILTER, ALL_THREADS, program):
        raise OSError(ctypes.get_errno(), "seccomp refuses to restrict this process")


def _filter(network: bool, processes: bool) -> Iterable[bytes]:
    yield from (_line(LOAD, MACHINE), _line(EQUAL, MACHINES[platform.machine()], 1, 0))
    yield from (_line(RETURN, KILL), _line(LOAD, NUMBER))
    yield from (_line(AT_LEAST, X32, 0, 1), _line(RETURN, REFUSE))
    never = [*_numbers(NEVER), *([] if network else _numbers(CONNECTING))]
    for number in never:
        yield from (_line(EQUAL, number, 0, 1), _line(RETURN, REFUSE))
    if not processes:
        first, *others = _numbers(STARTING)
        yield from (_line(EQUAL, first, 0, 1), _line(RETURN, NOT_THERE))
        for number in others:
            yield from (_line(EQUAL, number, 0, 1), _line(RETURN, REFUSE))
        (clone,) = _numbers(CLONE)
        yield from (_line(EQUAL, clone, 0, 4), _line(LOAD, FIRST_ARGUMENT))
        yield from (_line(ANY_BIT, CLONE_THREAD, 0, 1), _line(RETURN, ALLOW))
        yield _line(RETURN, REFUSE)
        for number in _numbers(ON_OTHERS):
            yield from (_line(EQUAL, number, 0, 5), _line(LOAD, FIRST_ARGUMENT))
            yield from (_line(EQUAL, os.getpid(), 1, 0), _line(EQUAL, 0, 0, 1))
            yield from (_line(RETURN, ALLOW), _line(RETURN, REFUSE))
    yield _line(RETURN, ALLOW)


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


@functools.cache
def _numbers(table: str) -> tuple[int, ...]:
    """Returns the numbers of calls on this machine, without those that it does not have."""
    column = 1 + list(MACHINES).index(platform.machine())
    found = (int(entry.split()[column]) for entry in table.split("|"))
    return tuple(number for number in found if number)
