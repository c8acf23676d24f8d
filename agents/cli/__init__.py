"""Implements the command line ``adv-envs``: lists games and agents, plays, holds matches, solves.

``app`` puts the commands together; ``show``, ``play``, ``matches``, ``tournaments``, ``grade``,
``item_cards``, ``solve``, ``puzzle_lines``, ``lists``, ``programs``, ``serving`` and
``warming`` have the commands; ``console``, ``board_text`` and ``card_tables`` are their options and
output. ``adv-envs COMMAND --help`` explains each command.
``app`` is the Typer application, and ``main`` runs it in a process of its own.
"""

from .app import app, main

__all__ = ["app", "main"]
