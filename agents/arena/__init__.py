"""Holds tournaments: paired openings, worker processes, time controls, files of games, ratings.

``run`` plays a tournament and returns a ``Tournament``, whose games are ``GameRecord`` objects.
``schedule`` says what is played, ``workers``, ``isolation`` with ``agent_server`` and ``cluster``
play it, ``clock`` keeps the time (``TimeControl``), ``store`` keeps the games (``StoreError``),
``game_files`` writes them as PGN and SGF; ``rating`` compares agents, and ``ladder`` has opponents
of known strength. ``isolated`` gives agents processes of their own elsewhere. ``WorkerError`` is
raised where no agent is to blame.
"""

from typing import TYPE_CHECKING

from adv_envs.lazy import importing

if TYPE_CHECKING:
    from agents.processes import WorkerError

    from .clock import TimeControl
    from .game_record import GameRecord
    from .isolation import isolated
    from .store import StoreError
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

_LAZY = {
    "GameRecord": ".game_record",
    "StoreError": ".store",
    "TimeControl": ".clock",
    "Tournament": ".tournament",
    "WorkerError": "agents.processes",
    "isolated": ".isolation",
    "run": ".tournament",
}
"""Public names and their modules, imported when they are used: files of games need none of them."""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__getattr__ = importing(__name__, _LAZY)
