"""Tournaments: paired openings, worker processes, time controls, files of games, and ratings.

``run`` plays a tournament and returns a ``Tournament``, whose games are ``GameRecord`` objects.
``schedule`` and ``openings`` say what is played, ``workers``, ``isolation`` and ``cluster`` play
it, ``clock`` keeps the time (``TimeControl``), ``store`` keeps the games (``StoreError``),
``game_files`` writes them as PGN and SGF; ``rating`` compares agents, and ``ladder`` has opponents
of known strength. ``WorkerError`` is raised where no agent is to blame.
"""

from .clock import TimeControl
from .store import GameRecord, StoreError
from .tournament import Tournament, run
from .workers import WorkerError

__all__ = [
    "GameRecord",
    "StoreError",
    "TimeControl",
    "Tournament",
    "WorkerError",
    "run",
]
