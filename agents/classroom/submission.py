"""Loads submissions, each in a process of its own, and asks what is in them.

``Submission`` itself is in ``agents.submitted``, as every command can play with one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Self

from adv_envs import Position
from adv_envs.position import checked
from agents.agent import clean
from agents.arena.clock import READY, advised_seconds
from agents.arena.isolation import NO_ANSWER, IsolatedAgent, Participant
from agents.captured_output import printable
from agents.faults import Forfeit, NobodyToBlame, NotASubmission
from agents.sandbox import Limits
from agents.submitted import Submission

from .questions import FunctionCall, call_result

__all__ = [
    "LoadedSubmission",
    "Loading",
    "NotASubmission",
    "Submission",
    "find_submissions",
    "load_submissions",
]


def find_submissions(folder: Path) -> list[Submission]:
    """Returns every file of Python in a folder, by name; ValueError if it is no folder.

    Sub-folders, hidden files and ``__init__.py`` are left out. ValueError, too, for a file that
    cannot be read.
    """
    return [Submission(str(path)) for path in submission_files(folder)]


def submission_files(folder: Path) -> list[Path]:
    """Returns the paths of these files; ValueError if it is no folder."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder of submissions")
    files = sorted(path for path in folder.glob("*.py") if path.is_file())
    return [path for path in files if path.name != "__init__.py" and path.name[0] != "."]


# ---- one that is loaded


class LoadedSubmission:
    """Represents a submission in its own process: a context manager, whose agent can be asked.

    ``agent`` is it, as an ``IsolatedAgent``, for matches and report cards.
    """

    def __init__(
        self,
        submission: Submission,
        start: Position,
        limits: Limits | None = None,
        ready: float = READY,
        seconds: float | None = None,
    ) -> None:
        """Stores the limits: ``ready`` seconds to load, then ``seconds`` for each answer.

        The submission is told to think for a little less than these. The ``limits`` are those of
        its sandbox.
        """
        start = checked(start)
        self.submission, limit = submission, inf if seconds is None else seconds
        deadline = lambda: time.perf_counter() + limit  # noqa: E731 - asked for each answer
        participant = Participant.of(submission)
        self.agent = IsolatedAgent(
            participant, start, ready, deadline, None, True, limits or Limits()
        )
        if seconds is not None:
            self.agent.seconds = min(advised_seconds(seconds), submission.seconds or inf)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.agent.close()

    def load(self) -> Loading:
        """Loads the file, if it is not loaded, and returns what came out."""
        began, form, error = time.perf_counter(), "", ""
        try:
            match self.agent.load(loading_report):
                case [str(form), str(error)] if form or error:
                    form, error = clean(form), printable(error)
                case _:
                    error = f"{NO_ANSWER}\n"
        except Forfeit as failure:
            error = f"{failure.why}\n"
        except NobodyToBlame as disturbance:
            error = f"{disturbance}\n"
        seconds = time.perf_counter() - began
        return Loading(self.submission, form, error, self.agent.printed(), seconds)

    def call(self, function: str, *arguments: Any) -> Any:
        """Returns what a function of the file returns for these arguments, as plain data.

        Tuples are lists then. Raises Forfeit for what it raises, and ProcessFailure, also where the
        answer takes too long.
        """
        return self.agent.call(call_result, FunctionCall(function, arguments))

    def run(self, function: Callable[[Submission, Any], Any], argument: Any = None) -> Any:
        """Returns what a function of this package returns in the process.

        It is called with the submission and the ``argument``; its answer is plain data. Raises as
        ``call``.
        """
        return self.agent.call(function, argument)

    def printed(self) -> str:
        """Returns what was printed since the last call, and forgets it."""
        return self.agent.printed()


@dataclass
class Loading:
    """Records what came out of loading a submission in a process of its own."""

    submission: Submission
    form: str
    """Which agent was found, such as "agent(position)"; "" if it did not load."""
    error: str
    """The file's own traceback, or what ended the process; "" if it loaded."""
    printed: str
    """What it printed meanwhile."""
    seconds: float
    """How long it took."""

    @property
    def loaded(self) -> bool:
        """Returns whether it can play."""
        return not self.error


def load_submissions(
    submissions: Sequence[Submission],
    start: Position,
    limits: Limits | None = None,
    ready: float = READY,
) -> list[Loading]:
    """Loads each submission in its own process, for the game of ``start``, and ends the process.

    Each has ``ready`` seconds, and the ``limits`` of a sandbox. Never raises for what a submission
    does.
    """
    start, found = checked(start), []
    for submission in submissions:
        with LoadedSubmission(submission, start, limits, ready) as loaded:
            found.append(loaded.load())
    return found


# ---- in the process of the submission


def loading_report(submission: Submission, _: Any) -> list[str]:
    """Returns the form of the agent in the file, and why it did not load; one of them is ""."""
    try:
        return [submission.code().form, ""]
    except Forfeit:
        return ["", submission.load_error]
