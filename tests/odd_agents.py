"""Agents that fail in every way there is. In a module of their own: workers import it."""

import ctypes
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from children import state_of

from adv_envs import Position, TicTacToe
from agents import Agent, Resign, TakeBack, register
from agents.faults import Forfeit


@dataclass(repr=False)
class Odd(Agent):
    """It takes the first legal action, but when it sees ``ply`` stones it does ``what``.

    ``path`` is a file in which it notes how often.
    """

    what: str = ""
    ply: int = 2
    path: str = ""

    name: ClassVar[str] = "odd"

    def reset(self, seed: int | None = None) -> None:
        if self.what == "reset":
            raise RuntimeError("I do not begin")
        while self.what == "hang in reset":
            pass

    def act(self, position: Position) -> Any:
        if position.ply // 2 == self.ply // 2:  # type: ignore[attr-defined]
            answer = self._fail(position)
            if answer is not None:
                return answer
        return position.legal_actions()[0]

    def _fail(self, position: Position) -> Any:  # noqa: C901, PLR0912, PLR0915 - ways to fail are many
        match self.what:
            case "exit":
                os._exit(3)
            case "quit":
                sys.exit(3)
            case "segfault":
                ctypes.string_at(0)
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "kill once" | "kill twice":
                note = Path(self.path)
                times = len(note.read_text()) if note.exists() else 0
                note.write_text("x" * (times + 1))
                if times < (1 if self.what == "kill once" else 2):
                    os.kill(os.getpid(), signal.SIGKILL)
            case "hang" | "note" | "note and hang":
                if self.path:
                    with open(self.path, "a") as file:
                        print(os.getpid(), file=file)
                while self.what != "note":
                    pass
            case "sleep" | "sleep long":
                time.sleep(0.7 if self.what == "sleep" else 3.2)
            case "memory":
                bytearray(2**34)
            case "raise":
                raise RuntimeError("I do not know")
            case "refuse":
                raise ValueError("I play chess")
            case "refuse if noted":
                if Path(self.path).exists():
                    raise ValueError("I play chess")
            case "miss":
                raise ImportError("there is no chess")
            case "illegal":
                return -7
            case "undo":
                raise TakeBack
            case "resign":
                raise Resign
            case "long message":
                raise RuntimeError("x" * 10_000_000)
            case "no message":
                raise Silent
            case "base":
                raise BaseException("I am above exceptions")
            case "fork":
                os.fork()
            case "fork in C":
                ctypes.CDLL(None).fork()
            case "close":
                os.closerange(3, 1000)
            case "rubbish":
                write_everywhere(b"rubbish" * 99)
            case "half a header":
                write_everywhere(b"\0\0")
                os.kill(os.getpid(), signal.SIGSTOP)
            case "kill the parent":
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(60)
            case "index":
                return Shifty(position.legal_actions()[0], -1, 9, 10**99)
            case "minus one":
                return -1
            case "large":
                return 10**5000
            case "patch":
                TicTacToe.is_terminal = lambda self: True  # type: ignore[method-assign]
                TicTacToe.legal = lambda self, action: True  # type: ignore[method-assign]
                TicTacToe.utility = lambda self, player: 1.0  # type: ignore[method-assign]
            case "mutate":
                for thing in gc.get_objects():
                    if isinstance(thing, Agent) and thing is not self:
                        vars(thing).clear()
            case "empty fault":
                raise Forfeit("", "it is nothing")
            case "long fault":
                raise Forfeit("x" * 30_000, "it is much")
            case "half a character":
                raise Forfeit("crash", "\ud800\t\x1b[31m\n")
            case "no text":
                raise Forfeit("time now", 7)  # type: ignore[arg-type]
            case "fault on the channel":
                answer_for_ourselves(b'["error", "", "\\udfff", ""]')
            case "multiprocessing":
                with multiprocessing.get_context("fork").Pool(1) as pool:
                    assert pool.map(abs, [-1]) == [1]
            case "look around":
                assert not [thing for thing in gc.get_objects() if is_of_a_tournament(thing)]
            case "kill later":
                threading.Thread(target=kill_everybody, daemon=True).start()
            case "stop all":
                stop_everybody()
            case "start":
                command = [sys.executable, "-c", "import time; time.sleep(600)"]
                with open(self.path, "a") as file:
                    child = subprocess.Popen(command, start_new_session=True)
                    line = ["sh", "-c", '"$@" >/dev/null & echo $!', "sh", *command]
                    orphan = subprocess.run(
                        line, stdout=-1, start_new_session=True, text=True, check=True
                    )
                    print(os.getpid(), child.pid, orphan.stdout, file=file)
            case "see it stopped":
                until = time.monotonic() + 200  # a busy machine stops a process when it runs it
                for pid in Path(self.path).read_text().split():
                    while state_of(int(pid)) != "T":
                        assert time.monotonic() < until, state_of(int(pid))
            case "print":
                print("I think, therefore I print")
        return None


def is_of_a_tournament(thing: Any) -> bool:
    """Whether an object tells of games that this agent plays."""
    names = {"Plan", "Schedule", "Task", "Participant", "GameRunner", "GameRecord"}
    return type(thing).__name__ in names


def kill_everybody() -> None:
    """Kill every process of ours that can be found, a little later."""
    time.sleep(0.05)
    for pid in everybody():
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def stop_everybody() -> None:
    for pid in everybody():
        with suppress(OSError):
            os.kill(pid, signal.SIGSTOP)


def everybody() -> list[int]:
    """The parent, all processes that it has started, and those above it."""
    found, pid = [], os.getppid()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(folder.name))
    return [pid, *(other for other in found if other != os.getpid())]


def answer_for_ourselves(text: bytes) -> None:
    """Answer the request that is worked on, as its number is known."""
    for thing in gc.get_objects():
        if type(thing).__name__ == "AgentServer":
            number = sys._getframe(4).f_locals["number"]
            thing._channel.send(text, number)
            os._exit(0)


class Cheat(Agent):
    """It answers with 7, which is not legal."""

    name: ClassVar[str] = "cheat"

    def act(self, position: Position) -> int:
        return 7


class Shifty:
    """An integer that is another one each time it is asked."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)

    def __index__(self) -> int:
        return self.values.pop(0) if len(self.values) > 1 else self.values[0]

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Silent(Exception):
    """It does not even say what is wrong."""

    def __str__(self) -> str:
        raise RuntimeError("I do not say")


def write_everywhere(data: bytes) -> None:
    """Write to every file but those of the terminal."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with suppress(OSError):
                os.write(int(name), data)


@dataclass(repr=False)
class Unloadable(Agent):
    """It can be pickled, and when it is unpickled in another process it does ``what``."""

    what: str = ""
    home: int = field(default_factory=os.getpid, repr=False)

    name: ClassVar[str] = "unloadable"

    def act(self, position: Position) -> int:
        return position.legal_actions()[0]

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if os.getpid() != self.home:
            match self.what:
                case "raise":
                    raise RuntimeError("I stay at home")
                case "exit":
                    os._exit(4)
            while self.what == "hang":
                pass


@dataclass(repr=False)
class Nameless(Agent):
    """Its repr fails, the first time or later."""

    good: int = 0

    name: ClassVar[str] = "nameless"

    def act(self, position: Position) -> int:
        raise RuntimeError("I do not know")

    def __repr__(self) -> str:
        self.good -= 1
        if self.good < 0:
            raise RuntimeError("I have no name")
        return "nameless()"


register("odd", Odd)
