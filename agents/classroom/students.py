"""Puts questions to a student's program: in a process of its own, or in a notebook's.

A question is a function of ``questions`` or its like, which runs where the program is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Agent
from agents.arena.isolation import ProcessFailure
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
        self._spare: LoadedSubmission | None = None

    def ask(self, question: Question, argument: Any) -> Any:
        """Returns what a question finds; see ``Student.ask``.

        Where the process has failed, now or in a game before, the question is put to another one.
        """
        try:
            return (self._spare or self._loaded).run(question, argument)
        except ProcessFailure:
            if self._spare is not None and self._spare.agent.late:
                raise  # another one would not get ready either
            self.close()
            self._spare = loading(self._loaded.submission, self._rubric)
            self._spare.agent.load(ready_for_questions)
            return self._spare.run(question, argument)

    def close(self) -> None:
        """Ends the process that was started for questions, if there is one."""
        if self._spare is not None:
            self._spare.agent.close()

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
    with loading(submission, rubric) as loaded:
        found = loaded.load()
        if found.error:
            printed = f"\n{found.printed}" if found.printed.strip() else ""
            raise LoadingFailed("crash", found.error.rstrip() + printed)
        loaded.agent.load(ready_for_questions)
        student = SubmittedStudent(loaded, rubric, found.form)
        try:
            yield student
        finally:
            student.close()


def loading(submission: Submission, rubric: Rubric) -> LoadedSubmission:
    """Returns a submission with the limits of a rubric, which loads when it is first asked."""
    limits = Limits(memory=rubric.memory)
    return LoadedSubmission(submission, rubric.start, limits, rubric.ready, rubric.seconds)


def ready_for_questions(submission: Submission, _: Any) -> None:
    """Imports what questions need, and runs the file, before there is a limit of time for them."""
    for name in (".questions", ".tree_checks"):
        importlib.import_module(name, __package__)
    submission.code()


def require_answer(right: bool) -> None:
    """Raises Forfeit unless an answer is such as the question gives: its process may be hostile."""
    if not right:
        raise Forfeit("crash", "its process sent what is no answer")


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

    def error_text(self, error: BaseException) -> str:
        """Returns nothing, as ``place`` does."""
        return ""

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
