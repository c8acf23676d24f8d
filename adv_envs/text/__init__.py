"""Puts games into words: ``rules_text`` is what players must know, with a worked example."""

from .rules import rules_text

__all__ = ["rules_text"]
