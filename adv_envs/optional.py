"""Imports libraries that only some features need when such a feature is used."""

from __future__ import annotations

import importlib
from typing import Any

PACKAGES = {
    "PIL": "Pillow",
    "stable_baselines3": "stable-baselines3",
}
"""Packages whose name differs from that of their module."""


def optional_library(name: str, needed_for: str, extra: str) -> Any:
    """Returns the module ``name``.

    Raises ImportError where it is missing, as in ``{needed_for} scipy: pip install
    "adv-envs[{extra}]"``.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        module = name.partition(".")[0]
        package = PACKAGES.get(module, module)
        message = f'{needed_for} {package}: pip install "adv-envs[{extra}]"'
        raise type(error)(message, name=error.name) from error
