"""Tells from what a module was made, so that a test finds those that are out of date."""

from __future__ import annotations

from .kinds import Exports


def fingerprint(exports: Exports) -> str:
    """Returns a hash."""
    return ""
