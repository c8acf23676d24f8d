"""Holds what a class needs: files that students hand in, and what is done with them.

A ``Submission`` is such a file as an agent, which plays in a sandbox of its own and is never
imported where it is asked for. ``find_submissions`` finds those of a folder, ``load_submissions``
says how each loads (``Loading``), and ``LoadedSubmission`` calls functions of one. A file that is
none raises ``NotASubmission``.

``read_rubric`` reads what is graded (``Rubric``, ``RubricError``), and ``autograde`` grades a
submission by it (``AutogradeResult``); ``check`` runs one check in a notebook.

- ``rubric``, ``assessment``: rubrics, and what a check is; ``rubric_words``: the sentences of
  feedback in each language;
- ``play_checks``, ``exact_checks``, ``function_checks``, ``tree_checks``, ``import_checks``: the
  kinds of checks; ``questions``: what runs in the student's process, and ``students`` asks it;
- ``autograder``, ``notebook_check``: grading of files and of notebooks;
- ``platforms``, ``course_packages``: results and files for other graders.
"""

from typing import TYPE_CHECKING

from adv_envs.lazy import importing

from .submission import (
    LoadedSubmission,
    Loading,
    NotASubmission,
    Submission,
    find_submissions,
    load_submissions,
)

if TYPE_CHECKING:
    from .autograder import AutogradeResult, autograde
    from .notebook_check import check
    from .rubric import Rubric, RubricError, read_rubric

__all__ = [
    "AutogradeResult",
    "LoadedSubmission",
    "Loading",
    "NotASubmission",
    "Rubric",
    "RubricError",
    "Submission",
    "autograde",
    "check",
    "find_submissions",
    "load_submissions",
    "read_rubric",
]

_LAZY = {
    "AutogradeResult": ".autograder",
    "Rubric": ".rubric",
    "RubricError": ".rubric",
    "autograde": ".autograder",
    "check": ".notebook_check",
    "read_rubric": ".rubric",
}
"""Public names that grading needs, imported when they are used: not in students' processes."""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__getattr__ = importing(__name__, _LAZY)
