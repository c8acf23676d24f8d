"""Puts questions to a student's program: in a process of its own, or in a notebook's.

A question is a function of ``questions`` or its like, which runs where the program is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Agent
from agents.faults import Forfeit, describe, fault_of, incompatibility
from agents.sandbox import Limits

from .submission import LoadedSubmission, Submission

if TYPE_CHECKING:
    from .rubric import Rubric

Question = Callable[[Any, Any], Any]
"""A function of the student's agent and one argument; its result is plain data."""


class Student:
    """Represents a student's program that is loaded."""

    agent: Agent
    """Plays for it."""
    form: str = ""
    """How it is written: a function, a class, the textbook's form."""
    source: str = ""
    """The text of its file; "" where there is none."""

    def ask(self, question: Question, argument: Any) -> Any:
        """Returns what a question finds; Forfeit for what the program raises."""
        raise NotImplementedError

    @contextmanager
    def again(self) -> Iterator[Student]:
        """Yields the same program, loaded anew where that is possible."""
        yield self

    def printed(self) -> str:
        """Returns what it printed since this was called last."""
        return ""


class SubmittedStudent(Student):
    """Represents a submission that runs in a process of its own, within the rubric's limits."""

    def __init__(self, loaded: LoadedSubmission, rubric: Rubric, form: str) -> None:
        self.agent, self.source, self.form = loaded.agent, loaded.submission.source, form
        self._loaded, self._rubric = loaded, rubric

    def ask(self, question: Question, argument: Any) -> Any:
        """Returns what a question finds; see ``Student.ask``."""
        return self._loaded.run(question, argument)

    @contextmanager
    def again(self) -> Iterator[Student]:
        """Yields the same program, in another process."""
        with submitted(self._loaded.submission, self._rubric) as student:
            yield student

    def printed(self) -> str:
        """Returns what it printed since this was called last."""
        return self._loaded.printed()


class LoadingFailed(Forfeit):
    """Says why a file cannot be loaded: its own traceback."""


@contextmanager
def submitted(submission: Submission, rubric: Rubric) -> Iterator[SubmittedStudent]:
    """Yields the program of a submission; LoadingFailed where it cannot be loaded."""
    limits = Limits(memory=rubric.memory)
    with LoadedSubmission(submission, rubric.start, limits, rubric.ready, rubric.seconds) as loaded:
        loading = loaded.load()
        if loading.error:
            printed = f"\n{loading.printed}" if loading.printed.strip() else ""
            raise LoadingFailed("crash", loading.error.rstrip() + printed)
        yield SubmittedStudent(loaded, rubric, loading.form)


@contextmanager
def staff_program(rubric: Rubric, path: Path) -> Iterator[Agent]:
    """Yields the agent of a file of the rubric's folder, in a process of its own.

    ValueError where the file cannot be loaded.
    """
    try:
        with submitted(Submission(str(path)), rubric) as student:
            yield student.agent
    except LoadingFailed as error:
        raise ValueError(f"{path} does not load: {error.why}") from None


class NotebookStudent(Student):
    """Represents what a notebook defines: an agent, and the names of its cells."""

    form = "notebook"

    def __init__(self, agent: Agent, namespace: Mapping[str, Any]) -> None:
        self.agent, self.namespace = agent, namespace

    def code(self) -> NotebookStudent:
        """Returns this object, in which questions look for functions."""
        return self

    def function(self, name: str) -> Callable[..., Any]:
        """Returns the function of a cell that has this name; AttributeError if there is none."""
        found = self.namespace.get(name)
        if not callable(found):
            raise AttributeError(f"there is no function {name} in the notebook")
        function: Callable[..., Any] = found
        return function

    def place(self, error: BaseException) -> str:
        """Returns nothing: where an error was raised in a notebook is shown by the notebook."""
        return ""

    def ask(self, question: Question, argument: Any) -> Any:
        """Returns what a question finds; see ``Student.ask``."""
        try:
            return question(self, argument)
        except Exception as error:  # a failure of the student's
            why = describe(error)
            raise Forfeit(fault_of(error), why, incompatibility(error)) from error
