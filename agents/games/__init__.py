"""What is known about each game: one module for a game, or a package where it has a solver.

Every module registers a ``Knowledge`` record for its game (see ``agents.knowledge``), and agents
that play only this game with ``agents.spec.register``. Importing this package imports all of them.
"""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
