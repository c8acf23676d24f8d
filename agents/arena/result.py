"""A tournament as far as it was played: every game, the points table, and what ended it."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import Any

from adv_envs import Position

from .plan import Plan
from .rating.head_to_head import HeadToHead
from .rating.ratings import Table, rate
from .record import GameRecord
from .standings import Standings
from .stopping import Stopping
from .store import Row, record


class Tournament:
    """What was played so far of a plan, and the table. It grows while games are played."""

    standings: Standings
    """Points, seats, time and forfeits of all agents."""

    def __init__(
        self, plan: Plan, settings: dict[str, Any], rows: list[Row], stopping: Stopping | None
    ) -> None:
        self.plan = plan
        self.settings = settings
        """What decides the games, as it is stored in the file."""
        self.stopping = stopping
        """The test that ends it, if there is one."""
        self.set_rows(rows)
        if stopping is not None:
            stopping.see(rows)

    def set_rows(self, rows: list[Row]) -> None:
        """Have these games instead of those there were."""
        self.rows = rows
        self.standings = Standings(self.plan.names)
        self.standings.count(rows)

    def add(self, rows: list[Row]) -> None:
        """Count more games."""
        self.rows += rows
        self.standings.count(rows)
        if self.stopping is not None:
            self.stopping.see(rows)

    @property
    def start(self) -> Position:
        """The game, at its start."""
        return self.plan.start

    @property
    def names(self) -> tuple[str, ...]:
        """The agents by their specs; the second of the same spec has #2 behind it, and so on."""
        return self.plan.names

    @property
    def planned(self) -> int:
        """Games in all, unless a test ends the tournament before."""
        return len(self.plan.schedule)

    @property
    def complete(self) -> bool:
        """Whether it is over: every game is played, or the test decided. Ctrl-C ends it before."""
        decided = self.stopping is not None and self.stopping.end is not None
        return decided or len(self.rows) == self.planned

    @property
    def duplicates(self) -> float:
        """The share of games that repeat another: same players, same seats, same moves."""
        distinct = {row[1:5] for row in self.rows}
        return 1 - len(distinct) / len(self.rows) if self.rows else 0.0

    @cached_property
    def games(self) -> list[GameRecord]:
        """Every game, in the order of the schedule. To be asked for when the tournament is over."""
        return [record(row) for row in self.rows]

    def ratings(self) -> Table:
        """Ratings with intervals: see the module of that name. Needs the extra ``lab``."""
        return rate(self.games, self.names, seed=self.plan.schedule.seed)

    def head_to_head(self) -> HeadToHead:
        """What is known of a tournament of two. ValueError for more."""
        if len(self.names) != 2:
            raise ValueError(f"a tournament of {len(self.names)} has more than one pairing")
        return HeadToHead.of(self.games, *self.names)

    def to_dict(self) -> dict[str, Any]:
        """The result in plain data, for JSON, every game included."""
        stopping = self.stopping
        return {
            "settings": self.settings,
            "opened": self.plan.how,
            "planned": self.planned,
            "played": len(self.rows),
            "complete": self.complete,
            "duplicates": self.duplicates,
            "verdict": None if stopping is None else stopping.verdict,
            "standings": [standing.to_dict() for standing in self.standings.table()],
            "games": [asdict(game) for game in self.games],
        }
