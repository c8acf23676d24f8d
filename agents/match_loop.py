"""Plays games and matches: every opening from all seats, with results counted.

A ``Schedule`` says who plays which game, and a ``Standing`` counts what an agent got: of a match,
which plays in this process, and of a tournament (``agents.arena``), which plays in others and keeps
every game in a file.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import permutations
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from adv_envs.position import checked
from adv_envs.random import chance_action, derived_seed, root_seed
from adv_envs.session import Session

from .agent import Agent, counts_of, label, new_counts, require_unfinished
from .background import compiled_first
from .faults import (
    FAILURES,
    Forfeit,
    NobodyToBlame,
    ask,
    describe,
    fault_of,
    require_player,
)
from .knowledge import knowledge_of
from .seating import MOST_PERMUTED, group_size
from .simple import Human, Resign, TakeBack
from .spec import AgentLike, make
from .statistics import Interval, signed, t_interval


class MoveCallbacks:
    """Holds functions called around each reset and move, such as a clock's; these do nothing."""

    def before_reset(self, player: int) -> None:
        """Is called before the agent of ``player`` is reset."""

    def before(self, player: int, actions: Sequence[int], began: float) -> None:
        """Is called when ``player`` is asked, ``began`` by ``perf_counter``, after ``actions``."""

    def after(self, player: int, seconds: float) -> None:
        """Is called after the player's answer. By a TimeoutError raised here it loses the game."""


def play_game(
    start: Position,
    players: Sequence[AgentLike],
    seed: int | None = None,
    on_move: Callable[[Position, int | None], None] | None = None,
    callbacks: MoveCallbacks | None = None,
    chance_seed: int | None = None,
) -> Game:
    """Plays from ``start``; player i is players[i]. ``on_move`` sees positions and last moves.

    Players are agents, specs or functions from positions to actions. Each is reset with a seed of
    32 bits derived from ``seed``, as is chance, unless there is a ``chance_seed``: games with the
    same one have the same deal, or each seat the same dice, in all games; see ``Chance``. No agent
    can compute the deal from its seed, unless it can guess ``seed``; None stands for 64 random
    bits. An agent is asked with what it sees of a position; ``on_move`` sees all of it. An agent
    that raises or answers with an illegal action loses the game there, and ``reason`` says why;
    resigning is a loss. It costs a player of two all that a game can cost, ``max_utility``; of more
    players 1, which the others share; a team gets 0. When a ``Human`` raises TakeBack the game goes
    back to the player's last move, and ``on_move`` sees None for a move; other agents lose by it.
    ``callbacks`` are called around every reset and move. ValueError unless there is a player for
    every seat, and for a ``start`` that the game cannot have.
    """
    start, agents = checked(start, whole=True), tuple(map(make, players))
    if len(agents) != start.num_players:
        raise ValueError(f"{start.num_players} players are needed, not {len(agents)}")
    seed, callbacks = root_seed(seed), callbacks or MoveCallbacks()
    chance, seats = Chance(seed if chance_seed is None else chance_seed), CountedSeats(agents)
    session, position = Session(start), start
    tell = on_move or (lambda position, action: None)

    def so_far(*utilities: float) -> Game:
        return Game(
            start,
            agents,
            tuple(session.actions),
            utilities,
            tuple(seats.seconds),
            counts=seats.counts(),
        )

    for player in range(len(agents)):
        callbacks.before_reset(player)
        try:
            seats.reset(player, derived_seed(seed, "agent", player, bits=32))
        except FAILURES as error:  # its own failure is its loss, on the record
            return _lost(so_far(), player, fault_of(error), f"failed: {describe(error)}")
    while not position.is_terminal():
        to_move = position.to_move
        if to_move == CHANCE:
            action = chance.draw(session.positions)
        else:
            began = time.perf_counter()
            try:
                callbacks.before(to_move, session.actions, began)
                action = seats.ask(to_move, position, began)
                callbacks.after(to_move, seats.spent)
            except TakeBack:
                if not isinstance(agents[to_move], Human):
                    why = "failed: only people take moves back"
                    return _lost(so_far(), to_move, "illegal", why)
                if session.undo([to_move]):
                    chance.rewind(len(session.actions))
                    tell(position := session.position, None)
                continue
            except Resign:
                return _lost(so_far(), to_move, "resigned", "resigned")
            except FAILURES as error:
                return _lost(so_far(), to_move, fault_of(error), f"failed: {describe(error)}")
        position = session.play(action)
        tell(position, action)
    return so_far(*(float(position.utility(player)) for player in range(len(agents))))


class CountedSeats:
    """Asks the players of a game, and knows the time and the counts of each seat.

    Two seats may be one object. Such an object counts for both, so it is looked at around
    everything that it is asked.
    """

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents = agents
        self._shared = [sum(agent is other for other in agents) > 1 for agent in agents]
        self._before = dict[int, Mapping[str, float]]()
        self._sums = [Counter[str]() for _ in agents]
        self.seconds = [0.0] * len(agents)
        self.spent = 0.0
        """Seconds of the last answer."""

    def reset(self, player: int, seed: int) -> None:
        """Resets the agent of ``player``, which then counts from 0."""
        self._agents[player].reset(seed)
        self._before.pop(id(self._agents[player]), None)
        self._look(player)

    def ask(self, player: int, position: Position, began: float) -> int:
        """Returns the action of ``player``, as ``ask``; its time began at ``began``."""
        ended = None
        try:
            return ask(self._agents[player], position)
        except Forfeit as failure:
            ended = failure.ended  # to end a process is not its time
            raise
        finally:
            # An agent that is given up fails at once, as it did in an earlier game.
            self.spent = max((ended or time.perf_counter()) - began, 0.0)
            self.seconds[player] += self.spent
            self._look(player)

    def counts(self) -> tuple[Mapping[str, float], ...]:
        """Returns what each seat has counted so far."""
        each = zip(self._agents, self._shared, self._sums, strict=True)
        return tuple(dict(sums) if shared else counts_of(agent) for agent, shared, sums in each)

    def _look(self, player: int) -> None:
        """Adds what the agent has counted since the last look to the sums of this seat."""
        if self._shared[player]:
            agent = self._agents[player]
            before, now = self._before.get(id(agent), {}), counts_of(agent)
            self._before[id(agent)] = now
            self._sums[player].update(new_counts(before, now))


class Chance:
    """Draws the actions of chance, the same in all games of one seed: duplicate deals and dice.

    The random number of a draw is a hash of ``seed`` and of how many draws there were before, so
    what was drawn tells nothing about what will be. Where players see everything, as in games with
    dice, draws are counted for each seat, and a throw belongs to the player who has moved last: the
    n-th throw after a move of the first seat is the same in all games, even where the other seat
    throws more often. After moves are taken back, the same actions are drawn again.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws: list[tuple[int, int]] = []  # after how many plies, and for whom
        self._drawn = Counter[int]()

    def draw(self, history: Sequence[Position]) -> int:
        """Returns the action of chance at the last of these positions."""
        here, thrower = history[-1], CHANCE
        if here.perfect_information:
            movers = (position.to_move for position in reversed(history))
            thrower = next((player for player in movers if player != CHANCE), CHANCE)
        number = derived_seed(self._seed, thrower, self._drawn[thrower], bits=53)
        self._draws.append((len(history) - 1, thrower))
        self._drawn[thrower] += 1
        return chance_action(here, number * 2.0**-53)

    def rewind(self, ply: int) -> None:
        """Goes back to ``ply`` actions: the next draw is the one that was made first after them."""
        while self._draws and self._draws[-1][0] >= ply:
            self._drawn[self._draws.pop()[1]] -= 1


def forfeited(start: Position, loser: int) -> tuple[float, ...]:
    """Returns what a game that a player lost by failing or resigning is worth to each.

    It costs the most that a utility may be, so that no play is worse, and the others share that. A
    team has no points then.
    """
    others = start.num_players - 1
    if start.cooperative:
        return (0.0,) * (others + 1)
    cost = float(start.max_utility)
    return tuple(-cost if player == loser else cost / others for player in range(others + 1))


def _lost(game: Game, loser: int, fault: str, why: str) -> Game:
    """Returns the game that ``loser`` forfeited."""
    utilities = forfeited(game.start, loser)
    reason = f"player {loser}, {label(game.players[loser])}, {why}"
    return replace(game, utilities=utilities, reason=reason, loser=loser, fault=fault)


def why_lost(reason: str) -> str:
    """Returns the ``reason`` of a game that ended early, without the words for who lost it."""
    return reason.partition(", failed: ")[2] or reason.rpartition(", ")[2]


def match(
    position: Position,
    *agents: AgentLike,
    pairs: int = 10,
    seed: int | None = None,
    plies: int = 0,
    on_game: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Plays ``pairs`` openings, each twice: first with the first agent in the first seat.

    ``agents`` are agents, specs or functions from positions to actions, one for each player of the
    game. Where there are n players, each opening is played n times, with the seats rotated. Each
    opening is ``position`` after ``plies`` random moves that do not end the game, drawn from
    ``seed``, as all randomness is; None stands for 64 random bits, and ``seed`` of the result has
    them, so that the match can be repeated. Agents that are not random need openings, or they play
    one game over and over: ``distinct`` tells. Chance is the same in all games of an opening: cards
    are dealt to the seats, so that with them the agents swap the deal. ``on_game`` sees the result
    after every game.

    Raises ValueError for another number of agents and for fewer than one pair, and CannotPlay, a
    ValueError, for an agent that cannot play this game at all. An agent that fails in another way
    loses that game; the result says so when it is printed.
    """
    position = require_unfinished(position)
    if len(agents) != position.num_players or len(agents) < 2:
        needed = f"{position.num_players} agents, one for each player"
        raise ValueError(f"a match of this game needs {needed}, not {len(agents)}")
    if pairs < 1 or plies < 0:
        raise ValueError("a match needs at least 1 pair and not fewer than 0 plies")
    everyone = tuple(range(len(agents)))
    schedule = Schedule((everyone,), rounds=pairs, openings=pairs, seed=root_seed(seed))
    result = MatchResult(tuple(map(make, agents)), seed=schedule.seed)
    for agent in result.agents:
        require_player(agent, position)
    for number in range(len(schedule)):
        task = schedule.task(number)
        if number % len(agents) == 0:
            rng = random.Random(derived_seed(schedule.seed, "opening", task.opening))
            start = random_opening(position, plies, rng)
        seats = [result.agents[i] for i in task.players]
        play = partial(play_game, start, seats, task.seed, chance_seed=task.chance_seed)
        with compiled_first():
            result.add(until_undisturbed(play))
        if on_game is not None:
            on_game(result)
    return result


Played = TypeVar("Played")


def until_undisturbed(play: Callable[[], Played]) -> Played:
    """Plays a game, again where a process was ended from outside; NobodyToBlame if that goes on."""
    while True:
        try:
            return play()
        except NobodyToBlame as disturbance:
            if disturbance.final:
                raise


def random_opening(position: Position, plies: int, rng: random.Random) -> Position:
    """Returns ``position`` after ``plies`` random moves; ValueError if no such line is found."""
    for _ in range(1000):
        _, end = random_line(position, plies, rng)
        if not end.is_terminal():
            return end
    raise ValueError(f"no opening of {plies} plies leaves the game unfinished")


def random_line(
    position: Position, plies: int, rng: random.Random
) -> tuple[tuple[int, ...], Position]:
    """Returns ``plies`` random actions, fewer at the end of the game, and where they lead."""
    line = list[int]()
    while len(line) < plies and not position.is_terminal():
        line.append(random_action(position, rng))
        position = position.play(line[-1])
    return tuple(line), position


def random_action(position: Position, rng: random.Random) -> int:
    """Returns a legal action, each as likely; one of chance by its probability."""
    if position.to_move == CHANCE:
        return chance_action(position, rng.random())
    return rng.choice(position.legal_actions())


# ---- who plays whom


class Task(NamedTuple):
    """Describes one game to be played."""

    number: int
    players: tuple[int, ...]
    """Indices of the agents; the first has the first seat."""
    opening: int
    """The index of the opening."""
    seed: int
    """The seed that those of all agents are derived from."""
    chance_seed: int
    """The seed of chance: all games of an opening in which these agents meet have the same."""


@dataclass(frozen=True)
class Schedule:
    """Yields all games: in each round the agents of every pairing play an opening from all seats.

    Where a game has n players, these are n games, with the seats rotated: a pair, of two; or a
    group of as many as ``group_size`` says. Chance is the same in them: each seat has the same
    cards or dice. The pairs differ, in one opening and between pairings, and are independent of
    each other.
    """

    pairings: tuple[tuple[int, ...], ...]
    """Indices of the agents of each pairing, as many as the game has players."""
    rounds: int
    openings: int
    """The number of openings; round r plays opening r, modulo this number."""
    seed: int = 0
    permuted: bool = field(default=False, kw_only=True)
    """Whether seats are not just rotated: up to ``MOST_PERMUTED`` players take them in every order,
    and more are shuffled before they rotate, anew in each group."""

    @property
    def together(self) -> int:
        """Returns how many games an opening is played by the agents of a pairing."""
        players = len(self.pairings[0]) if self.pairings else 2
        return group_size(players) if self.permuted else players

    def __len__(self) -> int:
        return self.rounds * len(self.pairings) * self.together

    def task(self, number: int) -> Task:
        """Returns game ``number``, from 0. IndexError if there is none."""
        if not 0 <= number < len(self):
            raise IndexError(f"games are numbered 0 to {len(self) - 1}, not {number}")
        group, turn = divmod(number, self.together)
        rounds, pairing = divmod(group, len(self.pairings))
        players = self._seated(self.pairings[pairing], group, turn)
        own = derived_seed(self.seed, "agents", number)
        shared = derived_seed(self.seed, "chance", group)
        return Task(number, players, rounds % self.openings, own, shared)

    def _seated(self, agents: tuple[int, ...], group: int, turn: int) -> tuple[int, ...]:
        """Returns the agents in the order of their seats in one game of a group."""
        if self.permuted and len(agents) <= MOST_PERMUTED:
            return list(permutations(agents))[turn]
        if self.permuted:
            rng = random.Random(derived_seed(self.seed, "seats", group))
            agents = tuple(rng.sample(agents, len(agents)))
        return agents[-turn:] + agents[:-turn] if turn else agents


# ---- results


def amount(found: Interval) -> str:
    """Returns a number with its interval: "+0.120 (-0.030 to +0.270)"."""
    limits = "" if found.low is None else f" ({found.ends(signed)})"
    return f"{signed(found.value)}{limits}"


def score_of_team(result: MatchResult) -> str:
    """Returns the mean score of a team with its interval: "12.4 (11.9 to 12.9)"."""
    mean = result.mean_utilities[0]
    return f"{mean.value:.3f}" + ("" if mean.low is None else f" ({mean.ends('{:.3f}'.format)})")


def is_for_amounts(start: Position) -> bool:
    """Returns whether games are worth amounts, such as chips, not just won, drawn or lost."""
    return start.max_utility != 1


@dataclass(frozen=True)
class Game:
    """Records a game that was played: from where, by whom, how, and how it ended."""

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
    counts: tuple[Mapping[str, float], ...] = field(default=(), hash=False)
    """What each player counted, see ``Agent.game_counts``."""

    @property
    def end(self) -> Position:
        """Returns the last position."""
        return self.start.after(self.actions)

    @property
    def moves(self) -> str:
        """Returns the actions as text: all of them, also those that a player did not see."""
        return write_line(self.start, self.actions)

    def moves_seen_by(self, player: int) -> str:
        """Returns the actions as text, as far as a player was told them.

        "?" stands for an action that the player learns is taken, but not which it is;
        others that are hidden are left out. ValueError for a player that is none.
        """
        if not 0 <= player < self.start.num_players:
            raise ValueError(f"players are 0 to {self.start.num_players - 1}, not {player}")
        return Session(self.start, list(self.actions)).text(player)


@dataclass(repr=False)
class Score:
    """Counts wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    note: str = field(default="", compare=False)
    """What should be known about these games; it is printed with them."""

    def count(self, utility: float) -> None:
        """Adds a game that was worth ``utility``."""
        self.wins += utility > 0
        self.draws += utility == 0
        self.losses += utility < 0

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """Returns how many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Counts points: 1 for a win, a half for a draw."""
        return self.wins + 0.5 * self.draws

    def to_dict(self) -> dict[str, int]:
        """Returns the same in plain data, for JSON."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}

    def __repr__(self) -> str:
        note = f", note={self.note!r}" if self.note else ""
        return f"Score(wins={self.wins}, draws={self.draws}, losses={self.losses}{note})"

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"+{self.wins} ={self.draws} -{self.losses}{note}"


@dataclass
class Forfeits:
    """Counts games lost by failures, not by the rules of the game or by resigning."""

    illegal: int = 0
    """For an answer that is not a legal action."""
    crash: int = 0
    """For an exception."""
    time: int = 0
    """For no answer in time: a TimeoutError."""

    def count(self, fault: str) -> None:
        """Counts a game lost by ``fault``; words other than the names here do not count."""
        if fault in vars(self):
            setattr(self, fault, getattr(self, fault) + 1)

    @property
    def total(self) -> int:
        """Returns all of them."""
        return self.illegal + self.crash + self.time

    def __add__(self, other: Forfeits) -> Forfeits:
        return Forfeits(
            self.illegal + other.illegal, self.crash + other.crash, self.time + other.time
        )

    def __str__(self) -> str:
        """Writes as in "3: 2 illegal, 1 time"."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in vars(self).items() if number)
        return f"{self.total}: {kinds}" if kinds else "0"


@dataclass
class SeatResults:
    """Counts what an agent got in one seat, or in several of them together."""

    score: Score = field(default_factory=Score)
    forfeits: Forfeits = field(default_factory=Forfeits)
    seconds: float = 0.0
    """The time it thought."""
    won: float = 0.0
    """The sum of the utilities."""
    counts: Counter[str] = field(default_factory=Counter)
    """The sums of what the agent counted, see ``Agent.game_counts``."""
    games: int = 0

    def add(
        self,
        utility: float,
        seconds: float,
        fault: str,
        counts: Mapping[str, float] = {},
        leads: Sequence[float] = (),
    ) -> None:
        """Adds a game; for the arguments see ``Standing.count``."""
        self.games += 1
        for lead in leads or (utility,):
            self.score.count(lead)
        self.forfeits.count(fault)
        self.seconds += seconds
        self.won += utility
        self.counts.update(counts)

    @property
    def points(self) -> float:
        """Returns its points: of each game, at most 1."""
        return self.score.points * self.games / max(self.score.games, 1)

    @property
    def share(self) -> float:
        """Returns its part of the points, 0 to 1; a half where nothing was played."""
        return self.score.points / self.score.games if self.score.games else 0.5

    @property
    def mean(self) -> float:
        """Returns what it has won per game."""
        return self.won / max(self.games, 1)


@dataclass
class Standing(SeatResults):
    """Counts what one agent of a match or a tournament got so far, in all seats and in each."""

    name: str = ""
    seats: list[SeatResults] = field(default_factory=lambda: [SeatResults(), SeatResults()])

    def count(
        self,
        seat: int,
        utility: float,
        seconds: float,
        fault: str = "",
        counts: Mapping[str, float] = {},
        leads: Sequence[float] = (),
    ) -> None:
        """Adds a game that was worth ``utility``; ``fault``: for which the agent forfeited it.

        It is won or lost by its ``utility``, or else once for each of the ``leads`` over others.
        """
        for results in (self, self.seats[seat]):
            results.add(utility, seconds, fault, counts, leads)

    @property
    def first(self) -> Score:
        """Counts its games in the first seat."""
        return self.seats[0].score

    @property
    def second(self) -> Score:
        """Counts its games in the second."""
        return self.seats[1].score

    @property
    def total(self) -> Score:
        """Returns all its games."""
        return self.score


@dataclass
class MatchResult:
    """Holds the result of a match, from the point of view of the first agent.

    Seats rotate: in game i agent k has seat (k + i) mod n, where there are n agents. With two, they
    swap seats in every second game.
    """

    agents: tuple[Agent, ...]
    games: list[Game] = field(default_factory=list)
    standings: list[Standing] = field(init=False, repr=False, compare=False)
    """What each agent got, by seat."""
    seed: int | None = None
    """The seed of the match; with it the match can be repeated."""

    def __post_init__(self) -> None:
        """Counts the games that are given."""
        size = len(self.agents)
        self.standings = [
            Standing(name=label(agent), seats=[SeatResults() for _ in range(size)])
            for agent in self.agents
        ]
        games, self.games = self.games, []
        for game in games:
            self.add(game)

    def add(self, game: Game) -> None:
        """Counts one more game."""
        for agent, standing in enumerate(self.standings):
            seat = self.seat(agent, len(self.games))
            fault = game.fault if game.loser == seat else ""
            counts = game.counts[seat] if game.counts else {}
            standing.count(seat, game.utilities[seat], game.seconds[seat], fault, counts)
        self.games.append(game)

    def seat(self, agent: int, game: int) -> int:
        """Returns the seat of an agent in a game, both by number."""
        return (agent + game) % len(self.agents)

    @property
    def by_seat(self) -> list[list[Score]]:
        """Returns for each agent its scores in the first seat, the second and so on."""
        return [[seat.score for seat in standing.seats] for standing in self.standings]

    @property
    def first(self) -> Score:
        """Returns the games in which the first agent had the first seat."""
        return self.standings[0].first

    @property
    def second(self) -> Score:
        """Returns the games in which it had the second."""
        return self.standings[0].second

    @property
    def total(self) -> Score:
        """Returns all games of the first agent, with a note if some were forfeited."""
        return self.totals[0]

    @property
    def totals(self) -> tuple[Score, ...]:
        """Returns all games of each agent."""
        note = ""
        if number := sum(forfeits.total for forfeits in self.forfeits):
            reason = next(game.reason for game in self.games if game.fault in vars(Forfeits()))
            note = f"{number} of {len(self.games)} games forfeited; the first: {reason}"
        return tuple(replace(standing.total, note=note) for standing in self.standings)

    @property
    def mean_utilities(self) -> tuple[Interval, ...]:
        """Returns each agent's mean worth of a game, with the t-interval of the openings.

        The games of an opening depend on each other, on its dice and deal for example; openings are
        independent. There is no interval where all were worth the same, nor without SciPy, which
        the extra ``lab`` brings.
        """
        size = len(self.agents)
        found = []
        for agent in range(size):
            own = [game.utilities[self.seat(agent, i)] for i, game in enumerate(self.games)]
            complete = len(own) // size * size
            openings = [fmean(own[i : i + size]) for i in range(0, complete, size)]
            try:
                found.append(t_interval(openings) if openings else Interval(fmean(own or [0.0])))
            except ImportError:
                found.append(Interval(fmean(openings)))
        return tuple(found)

    @property
    def forfeits(self) -> tuple[Forfeits, ...]:
        """Returns how often each agent forfeited a game, and how."""
        return tuple(standing.forfeits for standing in self.standings)

    @property
    def distinct(self) -> int:
        """Returns how many of the games differ from one another."""
        return len({(*map(label, game.players), game.start, game.actions) for game in self.games})

    @property
    def seconds(self) -> tuple[float, ...]:
        """Returns the time each agent thought."""
        return tuple(standing.seconds for standing in self.standings)

    def __str__(self) -> str:
        names = [standing.name for standing in self.standings]
        if self.games and self.games[0].start.cooperative:
            note = f" ({self.total.note})" if self.total.note else ""
            unit = knowledge_of(self.games[0].start).utility_unit
            return f"{' with '.join(names)}: {score_of_team(self)} {unit}{note}"
        if len(names) > 2:
            both = zip(names, self.standings, strict=True)
            note = f" ({self.total.note})" if self.total.note else ""
            return "; ".join(f"{name}: {standing.total}" for name, standing in both) + note
        text = f"{names[0]} against {names[1]}: {self.total}"
        if self.games and is_for_amounts(start := self.games[0].start):
            text += f"; {amount(self.mean_utilities[0])} {knowledge_of(start).utility_unit}"
        return text

    def to_dict(self) -> dict[str, Any]:
        """Returns the result in plain data, for JSON, with whole games, also what was hidden."""
        return {
            "agents": [standing.name for standing in self.standings],
            "seed": self.seed,
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
