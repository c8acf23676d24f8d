"""Libraries that only tournaments need: the extra ``lab``."""

from __future__ import annotations

import importlib
from typing import Any


def library(name: str) -> Any:
    """The module ``name``; ImportError says what to install where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        message = f'tournaments need {package}: pip install "adv-envs[lab]"'
        raise ImportError(message) from error
