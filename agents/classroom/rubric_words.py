"""Reads the sentences of feedback, which are in rubric_words.toml in every language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("rubric_words.toml")


@cache
def all_words() -> Mapping[str, Mapping[str, str]]:
    """Returns the sentences of each language by their keys."""
    return tomllib.loads(FILE.read_text("utf-8"))


class RubricWords:
    """Says things in one language: ``words("loads_yes", form="...")``; ValueError for others."""

    def __init__(self, language: str = "en") -> None:
        if language not in all_words():
            known = ", ".join(f'"{name}"' for name in all_words())
            raise ValueError(f"there is no language {language!r}; languages: {known}")
        self.language = language
        self._sentences = all_words()[language]

    def __call__(self, key: str, **values: Any) -> str:
        """Returns a sentence with its values filled in."""
        return self._sentences[key].format(**values)
