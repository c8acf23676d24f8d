"""Tournaments one can trust: paired openings, ratings with intervals, and nothing lost."""

from .clock import TimeControl
from .crew import WorkerError
from .record import GameRecord
from .result import Tournament
from .runner import run
from .store import StoreError

__all__ = [
    "GameRecord",
    "StoreError",
    "TimeControl",
    "Tournament",
    "WorkerError",
    "run",
]
