"""Agents that fail in every way there is. In a module of their own: workers import it."""

import ctypes
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from adv_envs import Position
from agents import Agent, register


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

    def act(self, position: Position) -> Any:
        if position.ply // 2 == self.ply // 2:  # type: ignore[attr-defined]
            answer = self._fail()
            if answer is not None:
                return answer
        return position.legal_actions()[0]

    def _fail(self) -> Any:  # noqa: C901, PLR0912 - ways to fail are many
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
            case "hang" | "note and hang":
                if self.path:
                    with open(self.path, "a") as file:
                        print(os.getpid(), file=file)
                while True:
                    pass
            case "sleep":
                time.sleep(0.7)
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
            case "print":
                print("I think, therefore I print")
        return None


register("odd", Odd)
