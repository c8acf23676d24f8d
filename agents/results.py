"""Results of games and matches: utilities, failures and thinking times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from typing import Any

from adv_envs import Position
from adv_envs.notation import write_line
from adv_envs.optional import optional_library
from adv_envs.position import seen_by

from .agent import Agent
from .knowledge import knowledge_of


@dataclass(frozen=True)
class ConfidenceInterval:
    """A number and the ends of its 95 % interval, None where there is no limit."""

    value: float
    low: float | None
    high: float | None


def amount(found: ConfidenceInterval) -> str:
    """A number with its interval: "+0.120 (-0.030 to +0.270)"."""
    if found.low is None or found.high is None:
        return _signed(found.value)
    return f"{_signed(found.value)} ({_signed(found.low)} to {_signed(found.high)})"


def _signed(value: float) -> str:
    text = f"{value:+.3f}"
    return text[1:] if float(text) == 0 else text


def is_for_amounts(start: Position) -> bool:
    """Whether games are worth amounts, such as chips, not just won, drawn or lost."""
    return start.max_utility != 1


@dataclass(frozen=True)
class Game:
    """A game that was played: from where, by whom, how, and how it ended."""

    start: Position
    players: tuple[Agent, ...]
    actions: tuple[int, ...]
    utilities: tuple[float, ...]
    """What the game was worth to each player."""
    seconds: tuple[float, ...]
    """Time each player thought."""
    reason: str = ""
    """Why it ended early: the player that resigned, made an illegal move or failed, and how."""
    loser: int | None = None
    """The player who lost it for this reason."""
    fault: str = ""
    """In a word: "illegal" action, "crash", out of "time", "resigned", or "" for none of them."""

    @property
    def end(self) -> Position:
        """The last position."""
        return self.start.after(self.actions)

    @property
    def moves(self) -> str:
        """The actions as text: all of them, also those that a player did not see."""
        return write_line(self.start, self.actions)

    def moves_seen_by(self, player: int) -> str:
        """The actions as text, as a player sees them when they are taken.

        "?" stands for an action of which the player learns that it is taken, but not which it is;
        others that are hidden are left out. ValueError for a player that is none.
        """
        if not 0 <= player < self.start.num_players:
            raise ValueError(f"players are 0 to {self.start.num_players - 1}, not {player}")
        position, names = self.start, list[str]()
        for action in self.actions:
            after = position.play(action)
            if seen_by(player, position, action):
                names.append(position.name(action))
            elif after.hidden(player) != position.hidden(player):
                names.append("?")
            position = after
        return " ".join(names)


@dataclass(repr=False)
class Score:
    """Wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    note: str = field(default="", compare=False)
    """What should be known about these games; it is printed with them."""

    def count(self, utility: float) -> None:
        """Add a game that was worth ``utility``."""
        self.wins += utility > 0
        self.draws += utility == 0
        self.losses += utility < 0

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is 1, a draw a half."""
        return self.wins + 0.5 * self.draws

    def to_dict(self) -> dict[str, int]:
        """The same in plain data, for JSON."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}

    def __repr__(self) -> str:
        note = f", note={self.note!r}" if self.note else ""
        return f"Score(wins={self.wins}, draws={self.draws}, losses={self.losses}{note})"

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"+{self.wins} ={self.draws} -{self.losses}{note}"


@dataclass
class Forfeits:
    """Games lost by failures, not by the rules of the game or by resigning."""

    illegal: int = 0
    """For an answer that is not a legal action."""
    crash: int = 0
    """For an exception."""
    time: int = 0
    """For no answer in time: a TimeoutError."""

    def count(self, fault: str) -> None:
        """Count a game that was lost by ``fault``; other words than the names here do not count."""
        if fault in vars(self):
            setattr(self, fault, getattr(self, fault) + 1)

    @property
    def total(self) -> int:
        """All of them."""
        return self.illegal + self.crash + self.time

    def __add__(self, other: Forfeits) -> Forfeits:
        return Forfeits(
            self.illegal + other.illegal, self.crash + other.crash, self.time + other.time
        )

    def __str__(self) -> str:
        """As in "3: 2 illegal, 1 time"."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in vars(self).items() if number)
        return f"{self.total}: {kinds}" if kinds else "0"


@dataclass
class MatchResult:
    """The result of a match, from the point of view of the first agent.

    Seats rotate: in game i agent k has seat (k + i) mod n, where there are n agents. With two, they
    swap seats in every second game.
    """

    agents: tuple[Agent, ...]
    games: list[Game] = field(default_factory=list)
    by_seat: list[list[Score]] = field(init=False, repr=False, compare=False)
    """For each agent its scores in the first seat, the second and so on."""
    _forfeited: int = field(default=0, init=False, repr=False, compare=False)
    _first_reason: str = field(default="", init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Count the games that are given."""
        self.by_seat = [[Score() for _ in self.agents] for _ in self.agents]
        games, self.games = self.games, []
        for game in games:
            self.add(game)

    def add(self, game: Game) -> None:
        """Count one more game."""
        for agent, scores in enumerate(self.by_seat):
            seat = self.seat(agent, len(self.games))
            scores[seat].count(game.utilities[seat])
        if game.fault in vars(Forfeits()):
            self._forfeited += 1
            self._first_reason = self._first_reason or game.reason
        self.games.append(game)

    def seat(self, agent: int, game: int) -> int:
        """The seat of an agent in a game, both by number."""
        return (agent + game) % len(self.agents)

    @property
    def first(self) -> Score:
        """The games in which the first agent had the first seat."""
        return self.by_seat[0][0]

    @property
    def second(self) -> Score:
        """The games in which it had the second."""
        return self.by_seat[0][1]

    @property
    def total(self) -> Score:
        """All games of the first agent, with a note if some were forfeited."""
        return self.totals[0]

    @property
    def totals(self) -> tuple[Score, ...]:
        """All games of each agent."""
        totals = tuple(sum(scores, Score()) for scores in self.by_seat)
        if self._forfeited:
            played = f"{self._forfeited} of {len(self.games)} games forfeited"
            for total in totals:
                total.note = f"{played}; the first: {self._first_reason}"
        return totals

    @property
    def mean_utilities(self) -> tuple[ConfidenceInterval, ...]:
        """What a game was worth to each agent: the mean, with the t-interval of the openings.

        The games of an opening depend on each other, on its dice and deal for example; openings are
        independent. There is no interval where all were worth the same, nor without SciPy, which
        the extra ``lab`` brings.
        """
        size = len(self.agents)
        found = []
        for agent in range(size):
            own = [game.utilities[self.seat(agent, i)] for i, game in enumerate(self.games)]
            complete = len(own) // size * size
            if not complete:
                found.append(ConfidenceInterval(fmean(own) if own else 0.0, None, None))
                continue
            openings = [fmean(own[i : i + size]) for i in range(0, complete, size)]
            found.append(t_interval(openings))
        return tuple(found)

    @property
    def forfeits(self) -> tuple[Forfeits, ...]:
        """How often each agent forfeited a game, and how."""
        found = tuple(Forfeits() for _ in self.agents)
        for i, game in enumerate(self.games):
            if game.loser is not None:
                found[(game.loser - i) % len(found)].count(game.fault)
        return found

    @property
    def distinct(self) -> int:
        """How many of the games differ from one another."""
        return len({(*map(label, game.players), game.start, game.actions) for game in self.games})

    @property
    def seconds(self) -> tuple[float, ...]:
        """Time each agent thought."""
        return tuple(
            sum(game.seconds[self.seat(agent, i)] for i, game in enumerate(self.games))
            for agent in range(len(self.agents))
        )

    def __str__(self) -> str:
        names = list(map(label, self.agents))
        if len(names) == 2:
            return f"{names[0]} against {names[1]}: {self.total}{self._amount()}"
        totals = [replace(total, note="") for total in self.totals]
        note = f" ({self.total.note})" * bool(self._forfeited)
        both = zip(names, totals, strict=True)
        return "; ".join(f"{name}: {total}" for name, total in both) + note

    def _amount(self) -> str:
        """What the first agent got per game, where games are played for amounts."""
        if not self.games or not is_for_amounts(start := self.games[0].start):
            return ""
        return f"; {amount(self.mean_utilities[0])} {knowledge_of(start).utility_unit}"

    def to_dict(self) -> dict[str, Any]:
        """The result in plain data, for JSON. Games are whole: what players did not see, too."""
        return {
            "agents": list(map(label, self.agents)),
            "first_seat": self.first.to_dict(),
            "second_seat": self.second.to_dict(),
            "by_seat": [[score.to_dict() for score in scores] for scores in self.by_seat],
            "mean_utilities": [asdict(each) for each in self.mean_utilities],
            "forfeits": [vars(forfeits) for forfeits in self.forfeits],
            "distinct_games": self.distinct,
            "seconds": list(self.seconds),
            "games": [
                {
                    "players": list(map(label, game.players)),
                    "start": repr(game.start),
                    "moves": game.moves,
                    "utilities": list(game.utilities),
                    "reason": game.reason,
                    "loser": game.loser,
                    "fault": game.fault,
                }
                for game in self.games
            ],
        }


def t_interval(values: Sequence[float]) -> ConfidenceInterval:
    """The mean of independent values with its 95 % interval by Student's distribution."""
    mean = fmean(values)
    if max(values) - min(values) < 1e-9:
        return ConfidenceInterval(mean, None, None)
    try:
        stats = optional_library("scipy.stats", "intervals need", "lab")
    except ImportError:
        return ConfidenceInterval(mean, None, None)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    return ConfidenceInterval(mean, float(low), float(high))


def label(agent: Agent) -> str:
    """The repr of an agent, or the name of its class where that fails."""
    try:
        return repr(agent)
    except Exception:
        return f"<an agent of {type(agent).__name__} whose repr fails>"
