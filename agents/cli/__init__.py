"""The command line: list games and agents, show positions, play, hold matches, solve.

``adv-envs COMMAND --help`` explains each command. This is the only part of the package that knows
agents, and the only one that prints in colour.
"""

from .app import app, main

__all__ = ["app", "main"]
