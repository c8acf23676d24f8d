"""Rates agents on ladders: opponents of one game from random to perfect, with known ratings.

They lie in ``agents/data/ladders`` as JSON, made by ``benchmarks/ladder.py`` from a tournament of
the opponents: ratings in Elo, with 95 % intervals, the first rung at 0. Some rungs are other
programs, such as Stockfish: ``Ladder.playable`` leaves those out that are not installed.

``estimate_rating(start, agent, ladder)`` plays ten games at a time, five openings from both sides,
against the rung whose games are expected to give most information about the agent's rating, usually
the rung nearest to it. It stops when half of the 95 % interval is no longer than ``within``, or
when the games are used up. As the next rung depends only on the games before, an interrupted rating
is resumed from its file like any tournament.

The rating is the mean of the posterior over a grid, from a flat prior that reaches ``BEYOND`` Elo
below and above the ladder, with the ladder's advantage of the first seat; a draw is half a win and
half a loss (docs/statistics.md). Where openings come again, the likelihood of the games against a
rung is taken to the power of 1 / d, their ``design_effect`` (see ``head_to_head``), so that games
that deterministic players repeat count once. The interval holds 95 % of the posterior, widened by
the errors of the ratings of the rungs that were met. It has no limit on a side where more than
0.5 % of the posterior lies at the very end of the grid: then the agent is beyond the ladder.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.files import with_checksum, without_checksum, write_file
from adv_envs.literals import literal
from adv_envs.position import require_competitive
from adv_envs.registry import GAMES, game, title
from agents.captured_output import shortened_output
from agents.engine import Engine, split
from agents.spec import AgentLike, make
from agents.statistics import Z95, Interval

from .clock import TimeControl
from .game_record import GameRecord
from .rating.head_to_head import Clusters, HeadToHead, score_of
from .schedule import make_plan
from .store import Store, stored_seed
from .workers import make_pool, require_compatible

FOLDER = Path(__file__).parent.parent / "data" / "ladders"
FORMAT = 1


@dataclass(frozen=True)
class Rung:
    """Describes an opponent and its strength."""

    name: str
    """What it is called in a word or two."""
    spec: str
    rating: float
    """In Elo."""
    low: float | None
    """The ends of its 95 % interval, None where there is no limit."""
    high: float | None
    seconds: float
    """That it took for a move, where the ladder was made."""
    report: dict[str, float] | None = None
    """The share of its moves that keep the value of the game, and of the strongest ones; or None
    where the game is not solved."""

    @property
    def error(self) -> float:
        """Returns the standard error of its rating; 0 for the rung that all are measured from."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return max((abs(end - self.rating) for end in ends), default=0.0) / Z95

    @property
    def missing(self) -> str:
        """Returns the program that it needs and that is not on the PATH; empty if it can play."""
        return missing_program(self.spec)


@dataclass(frozen=True)
class Ladder:
    """Holds the rungs of one game, the weakest first."""

    start: str
    """The game, as ``repr`` of its start."""
    rungs: tuple[Rung, ...]
    first_seat: float
    """What the first seat is worth, in Elo."""
    openings: str
    """The kind of openings that the games began with."""
    how: str
    """How it was measured, in words."""

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        data = {"format": FORMAT, **asdict(self)}
        write_file(path, json.dumps(with_checksum(data), indent=1) + "\n")

    @property
    def missing(self) -> str:
        """Returns which rungs cannot play for want of a program, in words; empty where all can."""
        wanted = [rung for rung in self.rungs if rung.missing]
        programs = ", ".join(dict.fromkeys(rung.missing for rung in wanted))
        names = "; ".join(rung.name for rung in wanted)
        return f"{names} (not on the PATH: {programs})" if wanted else ""

    def playable(self) -> Self:
        """Returns the ladder without the rungs that cannot play for want of a program."""
        return replace(self, rungs=tuple(rung for rung in self.rungs if not rung.missing))

    @property
    def game(self) -> str:
        """Returns the game and its parameters that are not usual: "hex, size=7"."""
        name, _, fields = self.start.partition("(")
        values = {key: literal(v) for key, v in re.findall(r"(\w+)=('\w+'|[-\w.]+)", fields)}
        for cls in (game(known) for known in GAMES):
            if cls.__name__ == name and values.keys() >= {*cls.parameters}:
                return title(cls(**{key: values[key] for key in cls.parameters}))
        return self.start

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads what ``save`` wrote. ValueError, naming the file, for anything else."""
        try:
            data = without_checksum(json.loads(path.read_text(encoding="utf-8")))
            if data.pop("format") != FORMAT:
                raise ValueError(f"this program reads format {FORMAT}")
            rungs = tuple(Rung(**rung) for rung in data.pop("rungs"))
            return cls(rungs=rungs, **data)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"{path} is no ladder: {error}") from error


def missing_program(spec: str) -> str:
    """Returns the program that the agent needs and that is not on the PATH; empty if none."""
    agent = make(spec)
    program = split(agent.command)[0] if isinstance(agent, Engine) else ""
    return "" if not program or shutil.which(program) else program


def ladders(folder: Path = FOLDER) -> Iterator[Ladder]:
    """Yields those that are shipped."""
    for path in sorted(folder.glob("*.json")):
        yield Ladder.load(path)


def ladder_for(start: Position, folder: Path = FOLDER) -> Ladder:
    """Returns a game's ladder; ValueError lists the games with one, and how to make one.

    A team has none: Elo counts who wins against whom.
    """
    require_competitive(start, "a rating")
    for ladder in ladders(folder):
        if ladder.start == repr(start):
            return ladder
    if start.num_players > 2:
        raise ValueError(
            f"ladders are for games of two players, not {start.num_players}: adv-envs tournament "
            "rates agents that play each other"
        )
    games = "; ".join(ladder.game for ladder in ladders(folder)) or "none"
    raise ValueError(
        f"there is no ladder for {title(start)}; there are ladders for: {games}. "
        "benchmarks/ladder.py makes one"
    )


# ---- rating an agent on a ladder

BATCH = 10
"""Games against a rung before the rating is estimated anew."""

BEYOND = 800.0
STEP = 2.0
"""Elo between two points of the grid."""

Grid = NDArray[np.float64]


@dataclass(frozen=True)
class RungRecord:
    """Counts the games against one rung."""

    name: str
    rating: float
    games: int
    points: float
    """Of the agent that is rated."""


@dataclass(frozen=True)
class RatingEstimate:
    """Holds the rating of an agent, and its error."""

    agent: str
    rating: float
    """In Elo, on the scale of the ladder."""
    low: float | None
    """The ends of the 95 % interval; None where the agent is beyond the ladder."""
    high: float | None
    games: int
    met: tuple[RungRecord, ...]
    forfeits: int
    """Games that it lost by failing, which count as any lost game."""
    repeated: int
    """Games that repeat others: they give no information, and make the interval no shorter."""
    seed: int = 0
    """The seed, with which the rating can be repeated."""
    printed: str = ""
    """What the agent printed in these games, shortened."""

    @property
    def half_width(self) -> float:
        """Returns half the length of the interval; infinite if it has an open end."""
        return Interval(self.rating, self.low, self.high).half

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data, for JSON; without what was printed where that is nothing."""
        return {name: value for name, value in asdict(self).items() if name != "printed" or value}


def estimate_rating(
    start: Position,
    agent: AgentLike,
    ladder: Ladder,
    within: float = 50.0,
    games: int = 400,
    *,
    seed: int | None = None,
    control: TimeControl | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_progress: Callable[[RatingEstimate], None] | None = None,
) -> RatingEstimate:
    """Rates ``agent`` on ``ladder`` to ``within`` Elo, in at most ``games`` games.

    The other arguments are those of ``run``. After Ctrl-C the estimate from the games so far is
    returned. Raises what ``run`` raises, and ValueError for another game's ladder, for rungs that
    need a program that is not installed (see ``Ladder.playable``), or too few games.
    """
    _require_aim(start, ladder, within, games)
    rounds = games // BATCH * BATCH
    players = [agent, *(rung.spec for rung in ladder.rungs)]
    how = control or TimeControl()
    path = None if out is None else Path(out)
    if seed is None and resume:
        seed = stored_seed(path)
    plan = make_plan(start, players, rounds, ladder.openings, "gauntlet", seed, how)
    decisive = {**plan.settings(ladder.openings, "ladder", None), "ladder": ladder.how}
    found = AdaptiveRating(ladder, plan.names[0], len(plan.openings), plan.schedule.seed)
    with closing(make_pool(plan, workers)) as pool, Store(path, decisive, resume) as store:
        known = {game.number: game for game in store.games()}
        with suppress(KeyboardInterrupt):
            require_compatible(store, plan, pool, [0])
            while found.played < rounds and found.estimate().half_width > within:
                batch = _next_batch(found, len(ladder.rungs))
                for played in pool.results([number for number in batch if number not in known]):
                    store.add(played)
                    known.update((game.number, game) for game in played)
                found.count([known[number] for number in batch])
                if on_progress is not None:
                    on_progress(found.estimate())
    return found.estimate()


def _require_aim(start: Position, ladder: Ladder, within: float, games: int) -> None:
    """Raises ValueError for a ladder that cannot be played, an impossible aim or budget."""
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
    """Holds the posterior of one agent's rating over a grid, updated game by game."""

    def __init__(self, ladder: Ladder, name: str, openings: int, seed: int = 0) -> None:
        """Prepares the grid. ``openings``: how many there are; for one see ``head_to_head``."""
        self.ladder, self.name, self.seed = ladder, name, seed
        ratings = [rung.rating for rung in ladder.rungs]
        self.grid: Grid = np.arange(min(ratings) - BEYOND, max(ratings) + BEYOND + STEP, STEP)
        self.logs = np.zeros((len(ratings), len(self.grid)))
        """The logarithm of the likelihood of the games against each rung, if all independent."""
        self.games = [0] * len(ratings)
        self.points = [0.0] * len(ratings)
        self.forfeits = 0
        self.printed = ""
        self._distinct: set[tuple[object, ...]] = set()
        self._clusters = [Clusters(by_moves=openings == 1) for _ in ratings]
        self._alone: dict[int, GameRecord] = {}
        """Games whose twins, with seats swapped, are not there yet, by the number of the pair."""

    @property
    def played(self) -> int:
        """Counts all games."""
        return sum(self.games)

    @property
    def posterior(self) -> Grid:
        """Returns the weight of each rating of the grid; they sum to 1."""
        effects = [HeadToHead.from_clusters("", "", each).design_effect for each in self._clusters]
        log = (self.logs / np.array(effects)[:, None]).sum(axis=0)
        weights: Grid = np.exp(log - log.max())
        weights /= weights.sum()
        return weights

    def expected(self, rung: int, first: bool) -> Grid:
        """Returns the expected score against this rung, for each rating of the grid."""
        edge = self.ladder.first_seat * (1 if first else -1)
        ahead = self.grid - self.ladder.rungs[rung].rating + edge
        return score_of(ahead)

    def count(self, games: Sequence[GameRecord]) -> None:
        """Counts games; number n is one of pairing n // 2, as in the schedule of a gauntlet."""
        for record in games:
            rung, seat = record.pair % len(self.games), record.number % 2
            points = record.points[seat]
            self.games[rung] += 1
            self.points[rung] += points
            self._distinct.add(record.played)
            self.forfeits += record.loser == seat
            self.printed = shortened_output(self.printed + record.printed[seat])
            score = self.expected(rung, first=seat == 0)
            self.logs[rung] += points * np.log(score) + (1 - points) * np.log(1 - score)
            twin = self._alone.pop(record.pair, None)
            if twin is None:
                self._alone[record.pair] = record
            else:
                one, other = (record, twin) if seat == 0 else (twin, record)
                self._clusters[rung].add_games(one, other)

    def information(self) -> list[float]:
        """Returns each rung's expected information per game: the variance of its score."""
        weights = self.posterior
        found = []
        for rung in range(len(self.games)):
            scores = (self.expected(rung, first) for first in (True, False))
            found.append(sum(float(weights @ (score * (1 - score))) for score in scores) / 2)
        return found

    def estimate(self) -> RatingEstimate:
        """Returns the rating and its interval."""
        weights = self.posterior
        mean = float(weights @ self.grid)
        below = np.cumsum(weights)
        low, high = (float(self.grid[np.searchsorted(below, at)]) for at in (0.025, 0.975))
        told = np.array(self.games) * np.array(self.information())
        errors = np.array([rung.error for rung in self.ladder.rungs])
        at_rungs = float(np.sqrt(((told / (told.sum() or 1.0) * errors) ** 2).sum()))
        wider = Z95 * at_rungs  # by the standard error of the scale itself, at the rungs met
        ends = mean - math.hypot(mean - low, wider), mean + math.hypot(high - mean, wider)
        edge = max(1, round(25 / STEP))  # the last 25 Elo of the grid
        met = tuple(
            RungRecord(rung.name, rung.rating, games, points)
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
            self.seed,
            self.printed,
        )


def _next_batch(found: AdaptiveRating, rungs: int) -> list[int]:
    """Returns the numbers of the next games: those against the most informative rung."""
    information = found.information()
    rung = information.index(max(information))
    rounds = range(found.games[rung] // 2, (found.games[rung] + BATCH) // 2)
    return [2 * (turn * rungs + rung) + seat for turn in rounds for seat in (0, 1)]
