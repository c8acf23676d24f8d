"""Takes from a process what an agent does not need: writing, reading others' files, the network.

``enter`` does it for the process that calls it, and for all that it starts, without a way back:

- Landlock: it reads Python, this package and the system's libraries only, and writes to its
  scratch folder only; it neither signals nor traces other processes.
- seccomp: it starts no process and no program, opens no socket, and changes no owner and no time of
  a file. Calls that do are refused as forbidden, as is what would get around these rules.
- Limits of memory, of the size of a file, and what Python itself says of these events, in words.

All but the last is Linux's: ``not_enforced`` says what this system lacks.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import signal
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import landlock, system_calls
from .agent import require_seconds
from .captured_output import MOST_BYTES
from .launcher import LINUX, PR_SET_NO_NEW_PRIVS, libc, prctl
from .processes import limit_memory

CAP_DAC_READ_SEARCH = 1 << 2
"""The one right that remains of root's: to read, where rules allow it, what belongs to others."""

CAPABILITIES_VERSION = 0x20080522


LEAST_MEMORY = 64
"""MB without which no submission begins at all."""


@dataclass(frozen=True)
class Limits:
    """Sets what a process of an agent that is not trusted may use."""

    memory: int | None = 512
    """MB in addition to the program itself; None: no limit."""
    output: int = 100_000
    """Characters that are kept of what it prints. More is dropped; ten megabytes for one answer
    end the process."""
    network: bool = False
    """Whether it may open connections."""
    processes: bool = False
    """Whether it may start other processes."""
    files: bool = False
    """Whether it may read and write all that its user can."""
    seconds: float = 60.0
    """Seconds for an answer where no time control says less."""

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for impossible limits."""
        require_seconds(self.seconds)
        for name, value, least in (
            ("memory", self.memory, LEAST_MEMORY),
            ("output", self.output, 1),
        ):
            if value is None and name == "memory":
                continue
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{name} must be a whole number, not {value!r}")
            if value < least:
                unit = " MB" * (name == "memory")
                raise ValueError(f"{name} must be at least {least}{unit}, not {value}")

    def to_dict(self) -> dict[str, Any]:
        """Returns the limits as plain data; ``Limits(**data)`` makes them again."""
        return asdict(self)


def not_enforced() -> list[str]:
    """Returns what this system cannot keep an agent in a sandbox from, a sentence for each."""
    found = []
    if not LINUX:
        return [
            "limits of memory are not enforced on this system",
            "reading and writing of files is not restricted on this system",
            "processes and the network are refused by Python only, not by this system",
        ]
    if landlock.version() < landlock.WITH_FILES:
        found.append("reading and writing of files is not restricted: there is no Landlock here")
    if not system_calls.available():
        found.append("processes and the network are refused by Python only: no seccomp here")
        if not landlock.can_contain():
            found.append("an agent can send signals to processes of the same user")
    return found


_entered: list[Limits] = []
"""The limits of this process, once it is in a sandbox."""


def entered() -> bool:
    """Returns whether this process is in a sandbox."""
    return bool(_entered)


def enter(limits: Limits, scratch: str) -> None:
    """Restricts this process, and all that it starts, from now on; ``scratch`` is its own folder.

    Raises OSError where the system offers a restriction and then refuses it.
    """
    _entered.append(limits)
    roots = readable()
    if compiled := compiled_code():
        sys.meta_path.insert(0, ReadOnlyCache(compiled))
        roots = (*roots, str(compiled))
    set_environment(scratch, roots)
    limit_memory(limits.memory, hard=True)
    limit_files()
    if LINUX:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        drop_capabilities()
        if not limits.files:
            landlock.restrict(roots, [scratch])
        system_calls.forbid(limits.network, limits.processes)
    sys.addaudithook(functools.partial(_refuse, limits))


KEPT = ("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "SYSTEMROOT")
"""Variables of the environment that a process in a sandbox keeps, and those that begin so:"""
KEPT_PREFIXES = ("LC_", "NUMBA_", "PYTHON", "ADV_ENVS_", "LD_LIBRARY_PATH")

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
"""Variables by which libraries use one thread: each would need its part of the memory."""


def set_environment(scratch: str, roots: Sequence[str]) -> None:
    """Keeps from the environment what tells nothing of its user; all else is in ``scratch``."""
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    for name in ("HOME", "TMPDIR", "TEMP", "TMP", "USERPROFILE"):
        os.environ[name] = scratch
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    os.chdir(scratch)
    sys.dont_write_bytecode = True
    package = str(Path(__file__).resolve().parent.parent)
    kept = (*roots, os.path.realpath(scratch))
    sys.path[:] = [
        path
        for path in filter(None, map(os.path.realpath, sys.path))
        if path == package or any(f"{path}/".startswith(f"{root}/") for root in kept)
    ]


def compiled_code() -> Path | None:
    """Returns the folder of compiled code of ``adv_envs.jit``; None if there is none yet."""
    import platformdirs

    chosen = os.environ.get("ADV_ENVS_CACHE")
    place = Path(chosen) if chosen else platformdirs.user_cache_path("adv_envs", False)
    return place.resolve() if place.is_dir() else None


class ReadOnlyCache:
    """Finds ``adv_envs.jit.cache`` for a process that can read the folder, and not write to it.

    The module would do without the folder then. It is not imported for that, which takes long.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Returns how the module is imported, once; None for all others."""
        if name != "adv_envs.jit.cache":
            return None
        sys.meta_path.remove(self)
        spec: Any = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            run(module)
            module.folder = lambda: self._place

        spec.loader.exec_module = exec_module
        return spec


def limit_files() -> None:
    """Lets a file grow to ten megabytes; what writes more, to its output as well, is ended."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def drop_capabilities() -> None:
    """Gives up what root may do beyond other users, except reading."""
    import ctypes

    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()
    if libc().capget(header, sets):
        return
    kept = sets[1] & CAP_DAC_READ_SEARCH
    libc().capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0))


def readable() -> tuple[str, ...]:
    """Returns what a process in a sandbox may read: Python, this package, the system's libraries.

    Neither the folder of its file is there, nor the home of its user, nor temporary files.
    """
    here = Path(__file__).resolve().parent
    known = sysconfig.get_paths()
    found = [known[name] for name in ("stdlib", "platstdlib", "purelib", "platlib", "scripts")]
    found += [path for path in sys.path if "-packages" in Path(path).name]
    for prefix in (sys.prefix, sys.base_prefix):
        found += [f"{prefix}/{name}" for name in ("lib", "lib64", "bin", "share", "pyvenv.cfg")]
    found += [str(here), str(here.parent / "adv_envs"), *SYSTEM]
    return tuple(dict.fromkeys(path for path in map(os.path.realpath, found) if path != "/"))


SYSTEM = (
    *("/usr", "/bin", "/lib", "/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/localtime"),
    *("/etc/passwd", "/etc/nsswitch.conf", "/etc/mime.types", "/etc/fonts", "/etc/ssl/openssl.cnf"),
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/sys/devices/system"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/kernel", "/proc/sys/vm"),
)
"""What is the same for all users, and tells nothing of other processes."""


OF_PROCESSES = ("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system", "os.spawn")
OF_NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto")
"""What Python tells its hooks of, by the names that it has there."""


def _refuse(limits: Limits, event: str, _: Any) -> None:
    """Says in words what the system would refuse, and refuses it where the system does not."""
    if not limits.processes and (event in OF_PROCESSES or event == "subprocess.Popen"):
        raise PermissionError(f"{event}: a submission must not start processes")
    if not limits.network and event in OF_NETWORK:
        raise PermissionError(f"{event}: a submission must not use the network")
