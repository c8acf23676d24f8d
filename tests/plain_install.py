"""Imports everything public where the libraries named as arguments are missing: a plain install.

Prints a line for each module and name that fails without saying which extra it needs.
"""

import importlib
import pkgutil
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from typing import Any

INTERNAL = ("agents.web.", "agents.learning.alphazero.", "adv_envs.jit.")
"""Modules that are reached only by way of others, which ask for the libraries first."""


class Missing(MetaPathFinder):
    """Finds none of some libraries, as where they are not installed."""

    def __init__(self, libraries: list[str]) -> None:
        self.libraries = {*libraries}

    def find_spec(self, name: str, *_: Any) -> None:
        if name.partition(".")[0] in self.libraries:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def check(name: str, use: Callable[[], Any]) -> None:
    """Tell if ``use`` fails for want of a library and does not say what to install."""
    try:
        use()
    except ImportError as error:
        if 'pip install "adv-envs[' not in str(error):
            print(f"{name}: {error}")


def main() -> None:
    sys.meta_path.insert(0, Missing(sys.argv[1:]))
    for package in ("adv_envs", "agents"):
        path = importlib.import_module(package).__path__
        for found in pkgutil.walk_packages(path, f"{package}."):
            if not found.name.startswith(INTERNAL) and not found.name.endswith("__main__"):
                check(found.name, lambda name=found.name: importlib.import_module(name))
        public = [(name, m) for name, m in sys.modules.items() if name.split(".")[0] == package]
        for name, module in public:
            for each in (*getattr(module, "__all__", ()), *dir(module)):
                getattr(module, each)  # as `import *` and `help` do
            for lazy in getattr(module, "_LAZY", ()):
                check(f"{name}.{lazy}", lambda lazy=lazy, module=module: getattr(module, lazy))


if __name__ == "__main__":
    main()
