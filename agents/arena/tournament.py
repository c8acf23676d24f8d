"""Tournaments: ``run`` plays one, in worker processes, and stores every game in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from adv_envs import Position
from agents.results import Forfeits, Score, is_for_amounts
from agents.spec import AgentLike

from .clock import TimeControl, read_clock
from .cluster import RayPool
from .openings import default_kind
from .rating.clusters import Clusters
from .rating.head_to_head import HeadToHead
from .rating.ratings import RatingTable, rate
from .rating.sprt import RUNNING, Sprt
from .rating.winnings import WinningsTable, utility_of, winnings
from .schedule import Plan, make_plan
from .store import GameRecord, GameRow, Store
from .workers import Pool, make_pool, require_compatible


def run(
    start: Position,
    agents: Sequence[AgentLike],
    games: int = 100,
    *,
    openings: str | None = None,
    mode: str = "round-robin",
    seed: int = 0,
    seconds: float | None = None,
    clock: str | None = None,
    grace: float = 0.1,
    ready: float = 60.0,
    memory: int | None = None,
    sprt: tuple[float, float] | None = None,
    workers: int | None = None,
    ray: str | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_progress: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Play a tournament of agents, specs or objects, in the game that begins with ``start``.

    Each pairing of ``mode``, "round-robin", "gauntlet" (the first agent against all others) or
    "near:3" (agents that are at most three places apart), plays ``games`` games: each of its
    ``openings`` (kinds are listed by the module of that name) twice, with seats swapped and the
    same dice or deal. Openings, agents and chance draw from ``seed`` and the number of the game, so
    the number of ``workers`` (None: one for each core) makes no difference. ``sprt``, two
    differences in Elo, ends a tournament of two as soon as one hypothesis is accepted (see
    ``Sprt``).

    ``seconds`` is the time for each move, or ``clock`` that for a game, "60" or "60+0.5" with what
    is added after each move; an agent that exceeds it by more than ``grace`` seconds loses. An
    agent that is not of this package plays in a process of its own, see ``isolation``. An agent
    that fails, hangs or whose process ends loses that game, and the tournament goes on. ``memory``
    is how many MB the agents of a worker may use, and each agent with its own process. Before its
    first game in a process an agent makes a move that does not count, to compile and load what it
    needs, which may take ``ready`` seconds, as every ``reset`` may.
    (With 0 workers all is played in this process, for debuggers, and nothing is ended by force.)
    ``ray``, an address, "auto" or "local", plays the same games on a Ray cluster: see ``RayPool``.

    ``out`` is a file that stores every game as it ends; with ``resume`` the games in it are not
    played again. ``on_progress`` is called with the tournament after every few games, and now and
    then. After Ctrl-C the result is not ``complete``. Raises ValueError or TypeError for what
    cannot be played, CannotPlay (a ValueError) for an agent that cannot play this game at all,
    StoreError (an OSError) for a file that cannot be used, WorkerError if workers cannot work.
    """
    openings = default_kind(start) if openings is None else openings
    control = TimeControl(seconds, None if clock is None else read_clock(clock), grace, ready)
    plan = make_plan(start, agents, games, openings, mode, seed, control, memory)
    sequential = _sequential_test(plan, sprt)
    settings = plan.settings(openings, mode, sprt)
    path = None if out is None else Path(out)
    with closing(_pool(plan, workers, ray)) as pool, Store(path, settings, resume) as store:
        result = Tournament(plan, settings, store.rows(), sequential)
        with suppress(KeyboardInterrupt):  # the games played so far are returned
            require_compatible(store, plan, pool, range(len(plan.entrants)))
            _play(result, pool, store, on_progress)
        if sequential is not None and sequential.end is not None:
            store.drop_from(sequential.end)  # played before the test was decided
        result.set_rows(store.rows())
    return result


def _sequential_test(plan: Plan, sprt: tuple[float, float] | None) -> SequentialTest | None:
    if sprt is None:
        return None
    if len(plan.names) != 2:
        raise ValueError(f"SPRT compares two agents, not {len(plan.names)}")
    test = Sprt(*sprt)
    test.llr([1] * 5)  # an error now if the hypotheses cannot be told apart
    return SequentialTest(test, len(plan.openings), plan.start.has_chance)


def _pool(plan: Plan, workers: int | None, ray: str | None) -> Pool:
    """The pool; ValueError for an impossible number of workers."""
    if ray is None:
        return make_pool(plan, workers)
    if workers is not None and workers < 1:
        raise ValueError(f"on a cluster there is at least 1 worker, not {workers}")
    return RayPool(plan, workers, ray)


def _play(
    result: Tournament,
    pool: Pool,
    store: Store,
    on_progress: Callable[[Tournament], None] | None,
) -> None:
    if result.complete:
        return
    done = {row.number for row in result.rows}
    todo = [number for number in range(len(result.plan.schedule)) if number not in done]
    for rows in pool.results(todo):
        if rows:
            store.add(rows)
            result.add(rows)
        if on_progress is not None:
            on_progress(result)
        if result.complete:
            return


# ---- the result


@dataclass
class Standing:
    """The score of one agent so far."""

    name: str
    first: Score = field(default_factory=Score)
    """Its games in the first seat."""
    second: Score = field(default_factory=Score)
    """Its games in the second."""
    seconds: float = 0.0
    """Its thinking time."""
    won: float | None = None
    """The sum of the utilities, where games are played for amounts."""
    forfeits: Forfeits = field(default_factory=Forfeits)

    @property
    def total(self) -> Score:
        """All its games."""
        return self.first + self.second

    @property
    def share(self) -> float:
        """Its part of the points, 0 to 1; a half where nothing was played."""
        total = self.total
        return total.points / total.games if total.games else 0.5

    @property
    def mean(self) -> float:
        """What it has won per game, where games are played for amounts."""
        return (self.won or 0.0) / max(self.total.games, 1)

    def to_dict(self) -> dict[str, Any]:
        """The same in plain data, for JSON."""
        return {
            "name": self.name,
            "points": self.total.points,
            "games": self.total.games,
            "first_seat": self.first.to_dict(),
            "second_seat": self.second.to_dict(),
            "forfeits": vars(self.forfeits),
            "seconds": self.seconds,
            "won": self.won,
        }


class Standings:
    """The points table of all agents, updated game by game."""

    def __init__(self, start: Position, names: Sequence[str]) -> None:
        self.start = start
        self.amounts = is_for_amounts(start)
        self.by_amounts = self.amounts and not start.perfect_information
        """Whether who wins more is better, not who wins more often: so in games such as poker."""
        won = 0.0 if self.amounts else None
        self.by_name = {name: Standing(name, won=won) for name in names}

    def count(self, rows: Iterable[GameRow]) -> None:
        """Add these games."""
        for row in rows:
            first, second = self.by_name[row.first], self.by_name[row.second]
            first.first.count(row.points - 0.5)
            second.second.count(0.5 - row.points)
            if self.amounts:
                utility = utility_of(self.start, row.record())
                first.won = (first.won or 0.0) + utility
                second.won = (second.won or 0.0) - utility
            first.seconds += row.seconds_first
            second.seconds += row.seconds_second
            if row.loser is not None:
                (second if row.loser else first).forfeits.count(row.fault)

    def table(self) -> list[Standing]:
        """The best first; where they are equal, in the order in which agents were named."""
        by_amounts = self.by_amounts
        return sorted(
            self.by_name.values(), key=lambda own: -own.mean if by_amounts else -own.share
        )


class Tournament:
    """The games of a plan that were played so far, and the table. It grows during play."""

    standings: Standings
    """Points, seats, time and forfeits of all agents."""

    def __init__(
        self,
        plan: Plan,
        settings: dict[str, Any],
        rows: list[GameRow],
        stopping: SequentialTest | None,
    ) -> None:
        self.plan = plan
        self.settings = settings
        """What decides the games, as it is stored in the file."""
        self.stopping = stopping
        """The test that ends it, if there is one."""
        self.set_rows(rows)
        if stopping is not None:
            stopping.add(rows)

    def set_rows(self, rows: list[GameRow]) -> None:
        """Replace all games by those of ``rows``, as the store has them."""
        self.rows = rows
        self.standings = Standings(self.plan.start, self.plan.names)
        self.standings.count(rows)

    def add(self, rows: list[GameRow]) -> None:
        """Count the games of ``rows`` in addition."""
        self.rows += rows
        self.standings.count(rows)
        if self.stopping is not None:
            self.stopping.add(rows)

    @property
    def start(self) -> Position:
        """The game, at its start."""
        return self.plan.start

    @property
    def names(self) -> tuple[str, ...]:
        """The agents by their specs; the second of one spec is called spec#2, and so on."""
        return self.plan.names

    @property
    def planned(self) -> int:
        """The number of games, unless a test ends the tournament before."""
        return len(self.plan.schedule)

    @property
    def complete(self) -> bool:
        """Whether every game is played, or the test is decided. Ctrl-C ends it before."""
        decided = self.stopping is not None and self.stopping.end is not None
        return decided or len(self.rows) == self.planned

    @property
    def duplicates(self) -> float:
        """The share of games that repeat another: same players, same seats, same moves."""
        distinct = {row.played for row in self.rows}
        return 1 - len(distinct) / len(self.rows) if self.rows else 0.0

    @cached_property
    def games(self) -> list[GameRecord]:
        """Every game, in the order of the schedule; for use when the tournament is over."""
        return [row.record() for row in self.rows]

    def ratings(self) -> RatingTable:
        """Ratings with intervals: see the module of that name. Needs the extra ``lab``."""
        seed, chance = self.plan.schedule.seed, self.start.has_chance
        return rate(self.games, self.names, seed=seed, chance=chance)

    def head_to_head(self) -> HeadToHead:
        """The comparison of both agents of a tournament of two. ValueError for more."""
        if len(self.names) != 2:
            raise ValueError(f"a tournament of {len(self.names)} has more than one pairing")
        return HeadToHead.of(self.games, *self.names, chance=self.start.has_chance)

    def winnings(self) -> WinningsTable:
        """What the agents win per game: see the module of that name. Needs the extra ``lab``."""
        return winnings(self.start, self.games, self.names)

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


class SequentialTest:
    """SPRT that ends a tournament of two: looks at pairs in the order of the schedule.

    The order in which they are played does not matter, so where it ends does not depend on the
    workers.
    """

    def __init__(self, sprt: Sprt, openings: int, chance: bool = False) -> None:
        """``openings``: how many the tournament has; for ``chance`` see ``clusters``."""
        self.sprt, self.chance = sprt, chance
        self.end: int | None = None
        """The number of games that were needed, once it is decided."""
        self._clusters = Clusters(by_moves=openings == 1)
        self._early: dict[int, GameRow] = {}
        """Games by number that were played before their turn."""
        self._pairs = 0

    def add(self, rows: Iterable[GameRow]) -> bool:
        """Count these games; return whether the test is decided."""
        self._early.update((row.number, row) for row in rows)
        while self.end is None and {2 * self._pairs, 2 * self._pairs + 1} <= self._early.keys():
            one, other = (self._early.pop(2 * self._pairs + seat) for seat in (0, 1))
            self._pairs += 1
            self._clusters.add_games(one, other, alone=self.chance)
            if self.sprt.state(self.games) != RUNNING:
                self.end = 2 * self._pairs
        return self.end is not None

    @property
    def games(self) -> HeadToHead:
        """The pairs of the first agent and their clusters, for the test."""
        return HeadToHead.from_clusters("", "", self._clusters)

    @property
    def verdict(self) -> str:
        """The state of the test in words."""
        return self.sprt.verdict(self.games)

    def __str__(self) -> str:
        return f"{self.sprt.line(self.games)}; {self.verdict}"
