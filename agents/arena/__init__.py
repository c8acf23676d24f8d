"""Holds tournaments: paired openings, worker processes, time controls, files of games, ratings.

``run`` plays a tournament and returns a ``Tournament``, whose games are ``GameRecord`` objects.
``schedule`` says what is played, ``workers``, ``isolation`` and ``cluster`` play
it, ``clock`` keeps the time (``TimeControl``), ``store`` keeps the games (``StoreError``),
``game_files`` writes them as PGN and SGF; ``rating`` compares agents, and ``ladder`` has opponents
of known strength. ``isolated`` gives agents processes of their own elsewhere. ``WorkerError`` is
raised where no agent is to blame.
"""

from agents.processes import WorkerError

from .clock import TimeControl
from .isolation import isolated
from .store import GameRecord, StoreError
from .tournament import Tournament, run

__all__ = [
    "GameRecord",
    "StoreError",
    "TimeControl",
    "Tournament",
    "WorkerError",
    "isolated",
    "run",
]
