"""Defines submissions: files of students as agents, each in a process of its own, in a sandbox.

The file is read when a ``Submission`` is made, and is sent to the process as it was then. It is
never imported where it is asked for.
"""

from __future__ import annotations

import copy
import hashlib
import io
import os
import sys
import tokenize
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from adv_envs import Position

from . import sandbox
from .agent import Agent, clean, require_seconds
from .faults import CannotPlay, Forfeit, NotASubmission, describe, fault_of, to_action
from .simple import Resign, TakeBack

if TYPE_CHECKING:
    from .student_code import StudentCode

MOST_SOURCE = 2_000_000
"""Bytes of a file that can be handed in."""


@dataclass(repr=False)
class Submission(Agent):
    """Plays by the agent in a file of Python, whatever the file's name.

    ``path`` is the file, which is read at once: ``source`` and ``digest``, its SHA-256, do not
    change with it. ``seconds`` is told to agents that have an attribute or a parameter of that
    name. ``name`` is the name of the file without its end. Raises ValueError for a file that cannot
    be read, and CannotPlay where it is asked outside of a sandbox.
    """

    path: str | os.PathLike[str]
    """The file of Python that was handed in."""
    seconds: float | None = None
    """Told to an agent that has an attribute or a parameter of that name; None: no limit."""

    name: ClassVar[str] = "submission"
    foreign: ClassVar[bool] = True
    digest: str = field(default="", init=False, repr=False)
    _bytes: bytes = field(default=b"", init=False, repr=False, compare=False)
    load_error: str = field(default="", init=False, repr=False, compare=False)
    """The file's own traceback, in its process, if it did not load."""
    _code: StudentCode | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Reads the file."""
        if not isinstance(self.path, str | os.PathLike):
            raise TypeError(f"path must be the path of a file of Python, not {self.path!r}")
        require_seconds(self.seconds)
        self.path = os.fspath(self.path)
        self._bytes = _read(Path(self.path))
        self.digest = hashlib.sha256(self._bytes).hexdigest()
        self.name = clean(Path(self.path).stem)  # type: ignore[misc]  # each file has its own

    @property
    def source(self) -> str:
        """Returns the text of the file; what is no text of its encoding is replaced."""
        try:
            encoding = tokenize.detect_encoding(io.BytesIO(self._bytes).readline)[0]
            return self._bytes.decode(encoding, "replace")
        except (SyntaxError, LookupError):
            return self._bytes.decode("utf-8", "replace")

    def __repr__(self) -> str:
        """Returns the spec."""
        told = "" if self.seconds is None else f", seconds={self.seconds!r}"
        return f"submission({self.path!r}{told})"

    def limited(self, **limits: Any) -> Self:
        """Returns the same submission with another limit, ``seconds``; the file is as it was."""
        other = copy.copy(self)
        for name, value in limits.items():
            setattr(other, name, value)
        require_seconds(other.seconds)
        return other

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game; Python's and NumPy's own generators have this seed then, too."""
        code = self.code()
        self._answer(code, lambda: code.reset(seed))

    def act(self, position: Position) -> int:
        """Returns the action that the student's agent chooses, which may be illegal.

        Raises Forfeit, with the line of the file, for what it raises.
        """
        code = self.code()
        return to_action(self._answer(code, lambda: code.player.answer(position, self.seconds)))

    def code(self) -> StudentCode:
        """Returns the file's code, which is run once; Forfeit for what that raises."""
        if self._code is None:
            if not sandbox.entered():
                why = "a submission has a process of its own, as agents.arena.isolated gives it"
                raise CannotPlay(self.name, "in this process", why)
            from .student_code import StudentCode, load_error, place_in  # where it is needed only

            file = Path.cwd() / Path(self.path).name
            try:
                self._code = StudentCode(file, self._bytes)
            except BaseException as error:  # a file may raise anything
                self.load_error = load_error(error, file)
                said = str(error) if isinstance(error, NotASubmission) else describe(error)
                why = f"it did not load: {said}{place_in(error, file)}"
                raise Forfeit("crash", why, why) from None
        return self._code

    def _answer(self, code: StudentCode, ask: Callable[[], Any]) -> Any:
        """Returns what the student's code returns; what it raises is printed there, as Python does.

        Forfeit says it, too.
        """
        try:
            return ask()
        except (Resign, TakeBack):
            raise
        except BaseException as error:  # all that it raises is its own
            sys.stderr.write(code.error_text(error))
            raise Forfeit(fault_of(error), describe(error) + code.place(error)) from None


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_SOURCE:
            most = f"{MOST_SOURCE // 10**6} MB"
            raise ValueError(f"{path} has more than {most}: a submission is one file of Python")
        return path.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise ValueError(f"cannot read the submission {path}: {why}") from None
