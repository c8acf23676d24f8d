"""Holds what a class needs: files that students hand in, and what is done with them.

A ``Submission`` is such a file as an agent, which plays in a sandbox of its own and is never
imported where it is asked for. ``find_submissions`` finds those of a folder, ``load_submissions``
says how each loads (``Loading``), and ``LoadedSubmission`` calls functions of one. A file that is
none raises ``NotASubmission``.
"""

from .submission import (
    LoadedSubmission,
    Loading,
    NotASubmission,
    Submission,
    find_submissions,
    load_submissions,
)

__all__ = [
    "LoadedSubmission",
    "Loading",
    "NotASubmission",
    "Submission",
    "find_submissions",
    "load_submissions",
]
