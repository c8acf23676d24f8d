"""Adaptive rating: an agent plays the most informative rungs of a ladder, until it is rated.

``place(start, agent, ladder_for(start), within=50)`` plays ten games at a time, five openings from
both sides, against the rung whose games are expected to give most information about the agent's
rating, usually the rung nearest to it. It stops when half of the 95 % interval is no longer than
``within``, or when the games are used up.

The rating is the mean of the posterior over a grid, from a flat prior that reaches ``BEYOND`` Elo
below and above the ladder, and games that are won with the probability of Elo, with the ladder's
advantage of the first seat; a draw is half a win and half a loss. Where openings come again games
are not independent of each other: the likelihood of those against a rung is taken to the power of 1
/ d, their ``design_effect`` (see ``head_to_head``), so that games that deterministic players repeat
count once. The interval holds 95 % of the posterior, widened by the errors of the ratings of the
rungs that were met. It has no limit on a side where more than 0.5 % of the posterior lies at the
very end of the grid: then the agent is beyond the ladder.

The next rung depends only on the games before, so an interrupted rating is resumed from its file
like any tournament.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from agents.spec import AgentLike

from ..clock import TimeControl
from ..ladder import Ladder
from ..schedule import make_plan
from ..store import GameRow, Store
from ..workers import make_pool, require_compatible
from .clusters import Clusters
from .head_to_head import HeadToHead

BATCH = 10
"""Games against a rung before the rating is estimated anew."""

BEYOND = 800.0
STEP = 2.0
"""Elo between two points of the grid."""

Grid = NDArray[np.float64]


@dataclass(frozen=True)
class Met:
    """The games against one rung."""

    name: str
    rating: float
    games: int
    points: float
    """Of the agent that is rated."""


@dataclass(frozen=True)
class RatingEstimate:
    """The rating of an agent, and its error."""

    agent: str
    rating: float
    """In Elo, on the scale of the ladder."""
    low: float | None
    """The ends of the 95 % interval; None where the agent is beyond the ladder."""
    high: float | None
    games: int
    met: tuple[Met, ...]
    forfeits: int
    """Games that it lost by failing, which count as any lost game."""
    repeated: int
    """Games that repeat others: they give no information, and make the interval no shorter."""

    @property
    def half_width(self) -> float:
        """Half the length of the interval; infinite if it has an open end."""
        if self.low is None or self.high is None:
            return math.inf
        return (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)


def place(
    start: Position,
    agent: AgentLike,
    ladder: Ladder,
    within: float = 50.0,
    games: int = 400,
    *,
    seed: int = 0,
    control: TimeControl | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_progress: Callable[[RatingEstimate], None] | None = None,
) -> RatingEstimate:
    """Rate ``agent`` on ``ladder`` to ``within`` Elo, in at most ``games`` games.

    The other arguments are those of ``run``. After Ctrl-C the estimate from the games so far is
    returned. Raises what ``run`` raises, and ValueError for another game's ladder, for rungs that
    need a program that is not installed (see ``Ladder.playable``), or too few games.
    """
    _require_aim(start, ladder, within, games)
    rounds = games // BATCH * BATCH
    players = [agent, *(rung.spec for rung in ladder.rungs)]
    how = control or TimeControl()
    plan = make_plan(start, players, rounds, ladder.openings, "gauntlet", seed, how)
    decisive = {**plan.settings(ladder.openings, "ladder", None), "ladder": ladder.how}
    path = None if out is None else Path(out)
    found = AdaptiveRating(ladder, plan.names[0], len(plan.openings))
    with closing(make_pool(plan, workers)) as pool, Store(path, decisive, resume) as store:
        known = {row.number: row for row in store.rows()}
        with suppress(KeyboardInterrupt):
            require_compatible(store, plan, pool, [0])
            while found.played < rounds and found.estimate().half_width > within:
                batch = _next_batch(found, len(ladder.rungs))
                for rows in pool.results([number for number in batch if number not in known]):
                    store.add(rows)
                    known.update((row.number, row) for row in rows)
                found.count([known[number] for number in batch])
                if on_progress is not None:
                    on_progress(found.estimate())
    return found.estimate()


def _require_aim(start: Position, ladder: Ladder, within: float, games: int) -> None:
    """ValueError for a ladder that cannot be played, and for an impossible aim or budget."""
    if ladder.start != repr(start):
        raise ValueError(f"the ladder is for {ladder.start}, not for {start!r}")
    if ladder.missing:
        raise ValueError(
            f"these rungs cannot play: {ladder.missing}; ladder.playable() is the ladder without"
        )
    if not within > 0:
        raise ValueError(f"within must be more than 0 Elo, not {within}")
    if games < BATCH:
        raise ValueError(f"a rating needs at least {BATCH} games, not {games}")


class AdaptiveRating:
    """The posterior of one agent's rating over a grid, updated game by game."""

    def __init__(self, ladder: Ladder, name: str, openings: int) -> None:
        """``openings``: how many there are; for a single one see ``clusters``."""
        self.ladder, self.name = ladder, name
        ratings = [rung.rating for rung in ladder.rungs]
        self.grid: Grid = np.arange(min(ratings) - BEYOND, max(ratings) + BEYOND + STEP, STEP)
        self.logs = np.zeros((len(ratings), len(self.grid)))
        """The logarithm of the likelihood of the games against each rung, if all independent."""
        self.games = [0] * len(ratings)
        self.points = [0.0] * len(ratings)
        self.forfeits = 0
        self._distinct: set[tuple[str, ...]] = set()
        self._clusters = [Clusters(by_moves=openings == 1) for _ in ratings]
        self._alone: dict[int, GameRow] = {}
        """Games whose twins, with seats swapped, are not there yet, by the number of the pair."""

    @property
    def played(self) -> int:
        """Games in all."""
        return sum(self.games)

    @property
    def posterior(self) -> Grid:
        """The weight of each rating of the grid; they sum to 1."""
        effects = [HeadToHead.from_clusters("", "", each).design_effect for each in self._clusters]
        log = (self.logs / np.array(effects)[:, None]).sum(axis=0)
        weights: Grid = np.exp(log - log.max())
        weights /= weights.sum()
        return weights

    def expected(self, rung: int, first: bool) -> Grid:
        """The expected score against this rung, for each rating of the grid."""
        edge = self.ladder.first_seat * (1 if first else -1)
        ahead = self.grid - self.ladder.rungs[rung].rating + edge
        score: Grid = 1 / (1 + 10 ** (-ahead / 400))
        return score

    def count(self, rows: Sequence[GameRow]) -> None:
        """Update by games; number n is one of pairing n // 2, as in the schedule of a gauntlet."""
        for row in rows:
            rung = row.number // 2 % len(self.games)
            first = row.number % 2 == 0
            points = row.points if first else 1 - row.points
            self.games[rung] += 1
            self.points[rung] += points
            self._distinct.add(row.played)
            self.forfeits += row.loser is not None and (row.loser == 0) == first
            score = self.expected(rung, first)
            self.logs[rung] += points * np.log(score) + (1 - points) * np.log(1 - score)
            self._pair(rung, row)

    def _pair(self, rung: int, row: GameRow) -> None:
        """Count the pair that this game completes, if any."""
        twin = self._alone.pop(row.number // 2, None)
        if twin is None:
            self._alone[row.number // 2] = row
            return
        one, other = sorted((row, twin))
        self._clusters[rung].add_games(one, other)

    def information(self) -> list[float]:
        """The expected information of a game against each rung: the variance of its score."""
        weights = self.posterior
        found = []
        for rung in range(len(self.games)):
            scores = (self.expected(rung, first) for first in (True, False))
            found.append(sum(float(weights @ (score * (1 - score))) for score in scores) / 2)
        return found

    def estimate(self) -> RatingEstimate:
        """The rating and its interval."""
        weights = self.posterior
        mean = float(weights @ self.grid)
        below = np.cumsum(weights)
        low, high = (float(self.grid[np.searchsorted(below, at)]) for at in (0.025, 0.975))
        wider = 1.959964 * self._error_of_rungs()
        ends = mean - math.hypot(mean - low, wider), mean + math.hypot(high - mean, wider)
        edge = max(1, round(25 / STEP))  # the last 25 Elo of the grid
        met = tuple(
            Met(rung.name, rung.rating, games, points)
            for rung, games, points in zip(self.ladder.rungs, self.games, self.points, strict=True)
            if games
        )
        return RatingEstimate(
            self.name,
            mean,
            None if weights[:edge].sum() > 0.005 else ends[0],
            None if weights[-edge:].sum() > 0.005 else ends[1],
            self.played,
            met,
            self.forfeits,
            self.played - len(self._distinct),
        )

    def _error_of_rungs(self) -> float:
        """The standard error of the scale itself, at the rungs that the agent met."""
        told = np.array(self.games) * np.array(self.information())
        if not told.any():
            return 0.0
        errors = np.array([rung.error for rung in self.ladder.rungs])
        return float(np.sqrt(((told / told.sum() * errors) ** 2).sum()))


def _next_batch(found: AdaptiveRating, rungs: int) -> list[int]:
    """The numbers of the next games: those against the most informative rung."""
    information = found.information()
    rung = information.index(max(information))
    rounds = range(found.games[rung] // 2, (found.games[rung] + BATCH) // 2)
    return [2 * (turn * rungs + rung) + seat for turn in rounds for seat in (0, 1)]
