"""The command line ``adv-envs``: list games and agents, play, hold matches and tournaments, solve.

``app`` puts the commands together; ``show``, ``play``, ``matches``, ``tournaments``, ``rate``,
``grade``, ``solve``, ``analyse``, ``lists`` and ``programs`` are the commands; ``console``,
``describe`` and ``board_text`` print games, tables and errors. ``adv-envs COMMAND --help`` explains
each command. ``app`` is the Typer application, and ``main`` runs it in a process of its own.
"""

from .app import app, main

__all__ = ["app", "main"]
