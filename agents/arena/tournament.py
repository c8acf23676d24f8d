"""Plays tournaments: ``run`` plays one in worker processes and stores every game in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Any

from adv_envs import Position
from agents.language import ModelUsage, model_usage
from agents.match_loop import SeatResults, Standing, is_for_amounts
from agents.spec import AgentLike

from .clock import READY, TimeControl, read_clock
from .cluster import RayPool
from .game_record import GameRecord
from .rating.head_to_head import Clusters, HeadToHead
from .rating.ratings import RatingTable, rate
from .rating.sprt import RUNNING, Sprt
from .rating.winnings import WinningsTable, utilities_of, winnings
from .schedule import Plan, default_kind, make_plan
from .store import Store, stored_seed
from .workers import Pool, make_pool, require_compatible


def run(
    start: Position,
    agents: Sequence[AgentLike],
    games: int | None = None,
    *,
    openings: str | None = None,
    mode: str = "round-robin",
    seed: int | None = None,
    seconds: float | None = None,
    clock: str | None = None,
    grace: float = 0.1,
    ready: float = READY,
    memory: int | None = None,
    sprt: tuple[float, float] | None = None,
    workers: int | None = None,
    ray: str | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_progress: Callable[[Tournament], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
) -> Tournament:
    """Plays a tournament of agents, specs or objects, in the game that begins with ``start``.

    Each pairing of ``mode``, "round-robin", "gauntlet" (the first agent against all others) or
    "near:3" (agents that are at most three places apart), plays ``games`` games: each of its
    ``openings`` (kinds are listed by the module ``schedule``) twice, with seats swapped and the
    same dice or deal; by default 100. Of a game for more players, groups of as many agents take the
    place of pairings, and play each opening in all orders of their seats. Openings, agents and
    chance draw from ``seed`` and the number of the game, so the number of ``workers`` (None: one
    for each core) makes no difference. Without a ``seed`` it
    is 64 random bits, or that of the file that is continued; ``settings`` of the result has it.
    Each agent, and the chance of each game, has a seed of its own, from which no other can be
    computed, unless the ``seed`` can be guessed. ``sprt``, two
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
    then, ``on_wait`` with the name of an agent that gets ready before the first game. After Ctrl-C
    the result is not ``complete``. Raises ValueError or TypeError for what cannot be played,
    CannotPlay (a ValueError) for an agent that cannot play this game at all, StoreError (an
    OSError) for a file that cannot be used, WorkerError if workers cannot work.
    """
    openings = default_kind(start) if openings is None else openings
    control = TimeControl(seconds, None if clock is None else read_clock(clock), grace, ready)
    path = None if out is None else Path(out)
    if seed is None and resume:
        seed = stored_seed(path)
    plan = make_plan(start, agents, games, openings, mode, seed, control, memory)
    sequential = None if sprt is None else sequential_test(plan, sprt)
    settings = plan.settings(openings, mode, sprt)
    if ray is not None and workers is not None and workers < 1:
        raise ValueError(f"on a cluster there is at least 1 worker, not {workers}")
    started = make_pool(plan, workers) if ray is None else RayPool(plan, workers, ray)
    with closing(started) as pool, Store(path, settings, resume) as store:
        result = Tournament(plan, settings, store.games(), sequential)
        with suppress(KeyboardInterrupt):  # the games played so far are returned
            require_compatible(store, plan, pool, range(len(plan.participants)), on_wait)
            _play(result, pool, store, on_progress)
        if sequential is not None and sequential.end is not None:
            store.drop_from(sequential.end)  # played before the test was decided
        result.set_games(store.games())
    return result


def sequential_test(plan: Plan, sprt: tuple[float, float]) -> SequentialTest:
    """Returns the test of two differences in Elo; ValueError unless two agents play."""
    test = SequentialTest(Sprt(*sprt), len(plan.openings), plan.start.has_chance)
    if len(plan.names) != 2:
        raise ValueError(f"SPRT compares two agents, not {len(plan.names)}")
    return test


def _play(
    result: Tournament,
    pool: Pool,
    store: Store,
    on_progress: Callable[[Tournament], None] | None,
) -> None:
    done = {game.number for game in result.games}
    todo = [number for number in range(result.planned) if number not in done]
    for games in () if result.complete else pool.results(todo):
        if games:
            store.add(games)
            result.add(games)
        if on_progress is not None:
            on_progress(result)
        if result.complete:
            return


# ---- the result


class Standings:
    """Holds the points table of all agents, updated game by game."""

    def __init__(self, start: Position, names: Sequence[str]) -> None:
        self.start, many = start, start.num_players > 2
        self.amounts = is_for_amounts(start) or many
        """Whether it is told what a game was worth."""
        self.by_amounts = is_for_amounts(start) and not start.perfect_information
        """Whether who wins more is better, not who wins more often: so in games such as poker."""
        self.by_name = {
            name: Standing(name=name, seats=[SeatResults() for _ in range(start.num_players)])
            for name in names
        }

    def count(self, games: Iterable[GameRecord]) -> None:
        """Adds these games; of more than two players, a win or loss for each other player."""
        for game in games:
            points = game.points
            utilities = (
                utilities_of(self.start, game) if self.amounts else [2 * x - 1 for x in points]
            )
            for seat, name in enumerate(game.players):
                fault = game.fault if game.loser == seat else ""
                seconds, counts = game.seconds[seat], game.counts[seat]
                leads = [points[seat] - x for i, x in enumerate(points) if i != seat]
                self.by_name[name].count(seat, utilities[seat], seconds, fault, counts, leads)

    def table(self) -> list[Standing]:
        """Returns the best first; where they are equal, in the order in which agents were named."""
        key = attrgetter("mean" if self.by_amounts else "share")
        return sorted(self.by_name.values(), key=key, reverse=True)

    def models(self, names: Mapping[str, str] | None = None) -> list[ModelUsage]:
        """Returns what language models answered, the best first, and the sum of several.

        ``names`` are others that they are to have.
        """
        table = self.table()
        return model_usage({(names or {}).get(own.name, own.name): own.counts for own in table})

    def to_dict(self) -> list[dict[str, Any]]:
        """Returns the table as plain data, for JSON."""
        return [
            {
                "name": standing.name,
                "points": standing.points,
                "games": standing.games,
                "first_seat": standing.first.to_dict(),
                "second_seat": standing.second.to_dict(),
                **self._by_seat(standing),
                "forfeits": vars(standing.forfeits),
                "seconds": standing.seconds,
                "won": standing.won if self.amounts else None,
            }
            for standing in self.table()
        ]

    def _by_seat(self, standing: Standing) -> dict[str, Any]:
        """Returns the results in all seats, where there are more than two."""
        if self.start.num_players == 2:
            return {}
        return {"by_seat": [seat.score.to_dict() for seat in standing.seats]}


class Tournament:
    """Holds the games of a plan that were played so far, and the table. It grows during play."""

    start: Position
    """The game, at its start."""
    names: tuple[str, ...]
    """The agents by their specs; the second of one spec is called spec#2, and so on."""
    seed: int
    """The seed, with which the tournament can be repeated."""
    planned: int
    """The number of games, unless a test ends the tournament before."""
    games: list[GameRecord]
    """Every game; in the order of the schedule when the tournament is over."""
    standings: Standings
    """Points, seats, time and forfeits of all agents."""

    def __init__(
        self,
        plan: Plan,
        settings: dict[str, Any],
        games: list[GameRecord],
        stopping: SequentialTest | None,
    ) -> None:
        self.plan, self.start, self.names = plan, plan.start, plan.names
        self.seed, self.planned = plan.schedule.seed, len(plan.schedule)
        self.settings = settings
        """What decides the games, as it is stored in the file."""
        self.stopping = stopping
        """The test that ends it, if there is one."""
        self.set_games(games)
        if stopping is not None:
            stopping.add(games)

    def set_games(self, games: list[GameRecord]) -> None:
        """Replaces all games by those that the store has."""
        self.games, self.standings = games, Standings(self.start, self.names)
        self.standings.count(games)

    def add(self, games: list[GameRecord]) -> None:
        """Counts more games."""
        self.games += games
        self.standings.count(games)
        if self.stopping is not None:
            self.stopping.add(games)

    @property
    def complete(self) -> bool:
        """Returns whether every game is played, or the test is decided. Ctrl-C ends it before."""
        decided = self.stopping is not None and self.stopping.end is not None
        return decided or len(self.games) == self.planned

    @property
    def duplicates(self) -> float:
        """Returns the share of games that repeat another: same players, same seats, same moves."""
        distinct = {game.played for game in self.games}
        return 1 - len(distinct) / len(self.games) if self.games else 0.0

    def ratings(self) -> RatingTable:
        """Returns ratings with intervals: see ``head_to_head``. Needs the extra ``lab``."""
        return rate(self.games, self.names, seed=self.seed, chance=self.start.has_chance)

    def head_to_head(self) -> HeadToHead:
        """Returns the comparison of both agents of a tournament of two. ValueError for more."""
        if len(self.names) != 2:
            raise ValueError(f"a tournament of {len(self.names)} has more than one pairing")
        first, second = self.names
        return HeadToHead.of(self.games, first, second, chance=self.start.has_chance)

    def winnings(self) -> WinningsTable:
        """Returns what the agents win per game: see ``head_to_head``. Needs the extra ``lab``."""
        return winnings(self.start, self.games, self.names)

    def to_dict(self) -> dict[str, Any]:
        """Returns the result in plain data, for JSON, every game included."""
        stopping, models = self.stopping, self.standings.models()
        return {
            "settings": self.settings,
            "opened": self.plan.how,
            "planned": self.planned,
            "played": len(self.games),
            "complete": self.complete,
            "duplicates": self.duplicates,
            "verdict": None if stopping is None else stopping.verdict,
            "standings": self.standings.to_dict(),
            **({"models": [row.to_dict() for row in models]} if models else {}),
            "games": [_plain(game) for game in self.games],
        }


def _plain(game: GameRecord) -> dict[str, Any]:
    """Returns a game as plain data; without counts and prints where neither agent has any."""
    optional = {"counts": any(game.counts), "printed": any(game.printed)}
    return {name: value for name, value in asdict(game).items() if optional.get(name, True)}


class SequentialTest:
    """Ends a tournament of two by SPRT: looks at pairs in the order of the schedule.

    The order in which they are played does not matter, so where it ends does not depend on the
    workers.
    """

    def __init__(self, sprt: Sprt, openings: int, chance: bool = False) -> None:
        """Prepares it. ``openings``: how many there are; for ``chance`` see ``head_to_head``."""
        sprt.llr([1] * 5)  # an error now if the hypotheses cannot be told apart
        self.sprt, self.chance = sprt, chance
        self.end: int | None = None
        """The number of games that were needed, once it is decided."""
        self._clusters = Clusters(by_moves=openings == 1)
        self._early: dict[int, GameRecord] = {}
        """Games by number that were played before their turn."""
        self._pairs = 0

    def add(self, games: Iterable[GameRecord]) -> None:
        """Counts these games."""
        self._early.update((game.number, game) for game in games)
        while self.end is None and {2 * self._pairs, 2 * self._pairs + 1} <= self._early.keys():
            one, other = (self._early.pop(2 * self._pairs + seat) for seat in (0, 1))
            self._pairs += 1
            self._clusters.add_games(one, other, alone=self.chance)
            if self.sprt.state(self.games) != RUNNING:
                self.end = 2 * self._pairs

    @property
    def games(self) -> HeadToHead:
        """Returns the pairs of the first agent and their clusters, for the test."""
        return HeadToHead.from_clusters("", "", self._clusters)

    @property
    def verdict(self) -> str:
        """Returns the state of the test in words."""
        return self.sprt.verdict(self.games)

    def __str__(self) -> str:
        return f"{self.sprt.line(self.games)}; {self.verdict}"
