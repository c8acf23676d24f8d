"""Plans a tournament: its agents, its openings, and who plays whom in which game.

Players, opening and seed of a game follow from its number alone. So games can be played in any
order, by any number of workers, and repeated, with the same results.

``openings(start, "balanced:2", 50, seed=1)`` gives 50 distinct lines of play. Each is played twice,
with seats swapped. The kinds:

- ``none``: the start itself;
- ``first``: every first move, ``all:N``: every position after N plies, in an order drawn by seed;
- ``random:N``: N random plies, distinct;
- ``balanced:N``, or ``balanced`` for the least N that has enough: positions after N plies at which
  neither seat is better. Where all candidates can be solved quickly, and some are draws, these are
  the draws. Otherwise, as in games without draws, they are the quarter of the candidates that are
  most balanced by a Monte Carlo search of ``SIMULATIONS`` simulations: its score is nearest to one
  half. There are at most four times as many candidates as openings are wanted, drawn by seed. For
  games in which everything is seen;
- ``file:PATH``, or a path: a line of play in each line of a text file, such as "c3 b2" or "44";
  empty lines and comments after a ``#`` are ignored.

Of more than two players a pairing is a group of as many agents, and each opening is played in all
orders of their seats: see ``agents.seating.group_size``. Where there are more groups than
``MOST_GROUPS``, that many are drawn, such that all agents are in about equally many.

Two lines are the same opening if they lead to the same position or to images of each other, where
``agents.games`` knows the symmetries of the game. Finished games are no openings.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.notation import read_line, write_line
from adv_envs.position import checked, require_competitive
from adv_envs.random import derived_seed, root_seed
from agents.agent import require_unfinished
from agents.knowledge import knowledge_of
from agents.match_loop import Schedule, Task, random_line
from agents.mcts import MCTS
from agents.sandbox import Limits
from agents.search import AlphaBeta
from agents.seating import MOST_PERMUTED, group_size
from agents.simple import Human
from agents.spec import AgentLike, make

from .clock import TimeControl
from .game_record import GameRecord
from .isolation import Participant

Line = tuple[int, ...]
"""The actions of an opening, from the start of a game."""


MOST_GROUPS = 200
"""The most groups of three agents or more that play; or four for each agent, if those are more."""


def pairings_of(
    mode: str, agents: int, players: int = 2, seed: int = 0
) -> tuple[tuple[int, ...], ...]:
    """Returns the pairings of a mode: "round-robin", "gauntlet", "near:3". ValueError for others.

    These are all pairings of ``agents`` agents; those of the first agent with each of the others;
    and those of agents that are at most three places apart. Games of more ``players`` have groups
    of as many agents instead, where there are many a sample by ``seed``, see ``MOST_GROUPS``.
    """
    if match := re.fullmatch(r"near:([1-9]\d{0,3})", mode):
        near = int(match[1])
        if near < players - 1:
            raise ValueError(f"{players} agents are at most near:{players - 1}, not {mode}")
        return tuple(
            (first, *others)
            for first in range(agents)
            for others in combinations(range(first + 1, min(first + near + 1, agents)), players - 1)
        )
    if mode not in ("round-robin", "gauntlet"):
        raise ValueError(f"mode must be round-robin, gauntlet or near:N, not {mode!r}")
    fixed = (0,) if mode == "gauntlet" else ()
    others, seats = range(len(fixed), agents), players - len(fixed)
    most = max(MOST_GROUPS, 4 * agents)
    if players > 2 and comb(len(others), seats) > most:
        return tuple((*fixed, *group) for group in sampled_groups(others, seats, most, seed))
    return tuple((*fixed, *group) for group in combinations(others, seats))


def sampled_groups(
    agents: Sequence[int], size: int, number: int, seed: int
) -> list[tuple[int, ...]]:
    """Returns ``number`` distinct groups, in which all agents are about equally often.

    There must be more groups than that.
    """
    rng, found = random.Random(derived_seed(seed, "groups")), dict[tuple[int, ...], None]()
    times = dict.fromkeys(agents, 0)
    while len(found) < number:
        spread = 1.0  # less than one group: those with the fewest come first
        group: tuple[int, ...] = ()
        while not group or group in found:
            order = sorted(agents, key=lambda agent: times[agent] + spread * rng.random())
            group = tuple(sorted(order[:size]))
            spread += 0.5
        found[group] = None
        for agent in group:
            times[agent] += 1
    return list(found)


@dataclass
class Plan:
    """Holds all that is needed to play any game of a tournament. It is sent to the workers."""

    start: Position
    participants: tuple[Participant, ...]
    """The agents, pickled."""
    names: tuple[str, ...]
    """Their specs; the second agent of one spec is called spec#2, and so on."""
    openings: tuple[Line, ...]
    how: str
    """The openings in words."""
    schedule: Schedule
    control: TimeControl
    memory: int | None = None
    """MB that a process may use in addition to the program itself; None: no limit."""
    limits: Limits | None = None
    """What submissions may use, in their sandboxes; None: the usual limits."""

    def record(
        self,
        task: Task,
        actions: Sequence[int],
        points: Sequence[float],
        seconds: Sequence[float],
        *ended: Any,
        counts: Sequence[Mapping[str, float]] = (),
        printed: Sequence[str] = (),
    ) -> GameRecord:
        """Returns a game of the plan: ``points`` of all seats, reason, loser and fault."""
        players = tuple(self.names[i] for i in task.players)
        line, moves = self.openings[task.opening], tuple(actions)
        result = tuple(points), tuple(seconds)
        found = GameRecord(task.number, players, line, moves, *result, *ended)
        return replace(found, counts=tuple(counts), printed=tuple(printed))

    def settings(self, kind: str, mode: str, sprt: Sequence[float] | None) -> dict[str, Any]:
        """Returns what decides the games, as plain data; a resumed file must have the same."""
        digest = hashlib.sha256(repr(tuple(self.openings)).encode()).hexdigest()
        return {
            "game": repr(self.start),
            "agents": list(self.names),
            "mode": mode,
            "games": self.schedule.together * self.schedule.rounds,
            "openings": kind,
            "lines": f"{len(self.openings)}, {digest[:16]}",
            "seed": self.schedule.seed,
            **asdict(self.control),
            "memory": self.memory,
            "sprt": sprt,
        }


def make_plan(
    start: Position,
    agents: Sequence[AgentLike],
    games: int | None,
    kind: str,
    mode: str,
    seed: int | None,
    control: TimeControl,
    memory: int | None = None,
) -> Plan:
    """Returns the plan; ValueError or TypeError, with what would be right, if it is not possible.

    Without a ``seed`` it has one of 64 random bits, and without ``games`` ``default_games``.
    """
    start = require_unfinished(start)
    require_competitive(start, "a tournament")
    players, made = start.num_players, [make(agent) for agent in agents]
    if players == 1:
        raise ValueError("a tournament is for games of two players or more, not 1")
    if len(made) < 2:
        raise ValueError(f"a tournament needs two agents or more, not {len(made)}")
    if len(made) < players:
        raise ValueError(
            f"a tournament of this game needs {players} agents or more, one for each seat, not "
            f"{len(made)}; name an agent again to have it in several seats"
        )
    if any(isinstance(agent, Human) for agent in made):
        raise ValueError("a tournament is for agents; to play yourself: adv-envs play")
    participants = tuple(map(Participant.of, made))
    games, together = default_games(players) if games is None else games, group_size(players)
    for name, value in (("games", games), ("memory", memory or 1)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be a whole number, not {value!r}")
    if games < together or games % together:
        allowed, how = "an even number from 2 on", "twice with seats swapped"
        if players > 2:
            allowed = f"a multiple of {together}"
            how = f"{together} times, {seats_in_words(players)}"
        raise ValueError(f"games must be {allowed}, as each opening is played {how}, not {games}")
    if memory is not None and memory < 1:
        raise ValueError(f"memory must be at least 1 MB, not {memory}")
    if memory is not None and sys.platform != "linux":
        raise ValueError("memory is limited on Linux only: leave it out")
    seed, rounds = root_seed(seed), games // together
    pairings = pairings_of(mode, len(participants), players, seed)
    found = openings(start, kind, rounds, seed)
    schedule = Schedule(pairings, rounds, len(found.lines), seed, permuted=True)
    names = unique_names([participant.spec for participant in participants])
    return Plan(start, participants, names, found.lines, str(found), schedule, control, memory)


def default_games(players: int) -> int:
    """Returns how many games a pairing or a group plays: 100, or the least more that fits."""
    return -(-100 // group_size(players)) * group_size(players)


def seats_in_words(players: int) -> str:
    """Returns how the games of an opening differ."""
    if players == 2:
        return "with seats swapped"
    if players <= MOST_PERMUTED:
        return "in every order of the seats"
    return "with each agent in each seat"


def unique_names(specs: Sequence[str]) -> tuple[str, ...]:
    """Names the specs: the second agent of one spec is called spec#2, the third spec#3."""
    times = [specs[:i].count(spec) for i, spec in enumerate(specs)]
    return tuple(spec + f"#{n + 1}" * (n > 0) for spec, n in zip(specs, times, strict=True))


# ---- openings


NODES = 100_000
"""The node limit of alpha-beta for positions whose value the game's knowledge does not have."""

SIMULATIONS = 400
"""The simulations for each position that is not solved."""

LIMIT = 20_000
"""The most positions that are listed; where there are more, ``balanced`` draws random ones."""

MOST_THROWS = 3
"""The most plies of chance with which a game with dice begins."""

KINDS = "none, first, all:N, random:N, balanced:N, balanced or file:PATH"


@dataclass(frozen=True)
class Openings:
    """Holds distinct openings of one game."""

    start: Position
    lines: tuple[Line, ...]
    """The actions of each, from ``start``."""
    available: int | None
    """How many there are of this kind; None where not all were looked at."""
    how: str
    """What they are, in words."""

    def take(self, count: int) -> list[Line]:
        """Returns ``count`` of them, all again from the first when there are no more."""
        return [self.lines[i % len(self.lines)] for i in range(count)]

    def text(self) -> str:
        """Writes them as a file that ``file:PATH`` reads."""
        head = f"# {self.start!r}: {self.how}\n"
        return head + "".join(f"{write_line(self.start, line)}\n" for line in self.lines)

    def __str__(self) -> str:
        of = "" if self.available in (None, len(self.lines)) else f" of {self.available}"
        one = len(self.lines) == 1 and not of
        return f"{len(self.lines)}{of} opening{'s' * (not one)}: {self.how}"


def default_kind(start: Position) -> str:
    """Returns ``random:2``, or ``none`` where players do not see everything.

    Openings are there for agents without chance to play more than one game. Where something is
    hidden, the deal does that, or agents choose by chance themselves; and what they have done so
    far, which is all that they know, should be their own.
    """
    return "random:2" if start.perfect_information else "none"


def openings(
    start: Position, kind: str | None = None, count: int | None = None, seed: int = 0
) -> Openings:
    """Returns at most ``count`` openings of a kind, or all there are; for the kinds see the module.

    Without a kind it is the ``default_kind``. Where there are fewer than ``count``, ``take``
    repeats them. ValueError for unknown kinds, for balanced ones of more than two players, and
    where there is no such opening; OSError for a file that cannot be read.
    """
    start = require_unfinished(start)
    kind = default_kind(start) if kind is None else kind
    if count is not None and count < 1:
        raise ValueError(f"at least 1 opening is needed, not {count}")
    name, _, rest = kind.partition(":")
    if name == "file" or os.sep in kind or kind.endswith(".txt"):
        lines, how = _read(start, Path(rest if name == "file" else kind))
        return Openings(start, tuple(lines[:count]), len(lines), how)
    if kind == "none":
        return Openings(start, ((),), 1, "the start itself")
    if kind == "first":
        return _all(start, 1, count, seed, "the first moves")
    if name == "balanced" and not start.perfect_information:
        raise ValueError(
            "balanced openings are for games in which players see everything: use none, or "
            f"{KINDS.replace(', balanced:N, balanced', '')}"
        )
    if name == "balanced" and start.num_players != 2:
        raise ValueError(
            f"balanced openings are for two players, not {start.num_players}: use random:2"
        )
    if kind == "balanced":
        return _balanced_somewhere(start, count, seed)
    if name not in ("all", "random", "balanced") or not rest.isdecimal() or int(rest) < 1:
        raise ValueError(f"openings are {KINDS}, not {kind!r}")
    plies = int(rest)
    if name == "random":
        return _random(start, plies, count, _generator(seed))
    if name == "all":
        return _all(start, plies, count, seed, f"all after {plies} plies")
    return _balanced(start, plies, count, seed)


def _generator(seed: int) -> random.Random:
    return random.Random(f"openings {seed}")


def _all(start: Position, plies: int, count: int | None, seed: int, how: str) -> Openings:
    lines = _listed(start, plies)
    if not lines:
        raise ValueError(f"there is no opening of this kind ({how}): no game is left unfinished")
    _generator(seed).shuffle(lines)
    return Openings(start, tuple(lines[:count]), len(lines), how)


# ---- distinct positions


def key(position: Position) -> Position:
    """Returns the same for all images of a position: the smallest of them as a tuple."""
    position = checked(position)
    symmetries = knowledge_of(position).symmetries
    return position if symmetries is None else symmetries.canonical(position)


def _listed(start: Position, plies: int) -> list[Line]:
    """Returns lines to all unfinished positions after ``plies``; ValueError if too many."""
    lines = _level(start, plies)
    if lines is None:
        raise ValueError(
            f"there are more than {LIMIT:,} positions after {plies} plies: "
            f"take fewer plies, or random:{plies}"
        )
    return lines


def _level(start: Position, plies: int) -> list[Line] | None:
    """Returns the same, but None if there are too many."""
    level: dict[Position, tuple[Line, Position]] = {key(start): ((), start)}
    for _ in range(plies):
        children: dict[Position, tuple[Line, Position]] = {}
        for line, position in level.values():
            for action in position.legal_actions():
                if position.to_move == CHANCE and not position.probability(action) > 0:
                    continue
                child = position.play(action)
                if not child.is_terminal():
                    children.setdefault(key(child), ((*line, action), child))
            if len(children) > LIMIT:
                return None
        level = children
    return [line for line, _ in level.values()]


def _random(start: Position, plies: int, count: int | None, rng: random.Random) -> Openings:
    """Returns random lines until there are enough, or a thousand in a row bring nothing new."""
    if count is None:
        raise ValueError("how many random openings are wanted?")
    found: dict[Position, Line] = {}
    failures = 0
    while len(found) < count and failures < 1000:
        line, position = random_line(start, plies, rng)
        if position.is_terminal() or key(position) in found:
            failures += 1
        else:
            found[key(position)] = line
            failures = 0
    if not found:
        raise ValueError(f"no opening of {plies} plies leaves the game unfinished")
    available = len(found) if len(found) < count else None
    return Openings(start, tuple(found.values()), available, f"{plies} random plies")


# ---- balanced openings


def _balanced_somewhere(start: Position, count: int | None, seed: int) -> Openings:
    """Returns balanced openings of the fewest plies that have enough of them, or the most."""
    best, plies = None, 0
    while best is None or len(best.lines) < (count or 1):
        plies += 1
        try:
            found = _balanced(start, plies, count, seed)
        except ValueError:
            if best is None and plies < MOST_THROWS:
                continue  # dice are thrown then
            if best is None:
                raise
            break  # the game is over by then, or too large to be listed
        best = found if best is None or len(found.lines) > len(best.lines) else best
    return best


def _balanced(start: Position, plies: int, count: int | None, seed: int) -> Openings:
    lines, complete = _candidates(start, plies, count, _generator(seed))
    draws, looked_at = draws_among(start, lines, count)
    if draws:
        available = len(draws) if complete and looked_at == len(lines) else None
        how = f"draws with best play after {plies} plies"
        return Openings(start, tuple(draws), available, how)
    seen = lines if count is None else lines[: 4 * count]
    found, furthest = most_balanced(start, seen, seed)
    how = (
        f"after {plies} plies, the quarter of {len(seen)} positions that a search of {SIMULATIONS} "
        f"simulations finds most even: the first seat wins {50 - furthest:.0f} to "
        f"{50 + furthest:.0f} %"
    )
    available = len(found) if complete and len(seen) == len(lines) else None
    return Openings(start, tuple(found[:count]), available, how)


def _candidates(
    start: Position, plies: int, count: int | None, rng: random.Random
) -> tuple[list[Line], bool]:
    """Returns lines to positions where a player is to move, and whether these are all."""
    level = _listed(start, plies) if count is None else _level(start, plies)
    lines = list(_random(start, plies, 4 * (count or 1), rng).lines) if level is None else level
    lines = [line for line in lines if start.after(line).to_move != CHANCE]
    if not lines:
        raise ValueError(f"after {plies} plies there is nothing to decide")
    rng.shuffle(lines)
    return lines, level is not None


def draws_among(start: Position, lines: list[Line], count: int | None) -> tuple[list[Line], int]:
    """Returns the first ``count`` draws with best play, and how many were looked at.

    There are none where one of those cannot be solved quickly.
    """
    found: list[Line] = []
    search, known_value = AlphaBeta(nodes=NODES), knowledge_of(start).known_value
    for number, line in enumerate(() if start.has_chance else lines, 1):
        position = start.after(line)
        value = None if known_value is None else known_value(position)
        if value is None:
            result = search.analyse(position)
            if not result.proven:
                return [], number
            value = result.value
        if value == 0:
            found.append(line)
        if len(found) == count:
            return found, number
    return found, len(lines)


def most_balanced(start: Position, lines: list[Line], seed: int) -> tuple[list[Line], float]:
    """Returns the quarter nearest to even, and the last one's distance in percent of games."""
    search = MCTS(simulations=SIMULATIONS, solver=False, knowledge=0, reuse=False)
    off = []
    for line in lines:
        position = start.after(line)
        search.reset(seed)
        off.append(50 * abs(search.value(position)) / position.max_utility)
    order = sorted(range(len(lines)), key=off.__getitem__)[: max(1, len(lines) // 4)]
    return [lines[i] for i in order], off[order[-1]]


# ---- files


def _read(start: Position, path: Path) -> tuple[list[Line], str]:
    """Reads the lines of a file, equal positions once; ValueError names the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        raise type(error)(f"cannot read {path}: {error.strerror}") from error
    found: dict[Position, Line] = {}
    repeated = 0
    for number, whole in enumerate(text.splitlines(), 1):
        moves = whole.partition("#")[0].strip()
        if not moves:
            continue
        try:
            line = tuple(read_line(start, moves))
        except IllegalMove as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
        position = start.after(line)
        if position.is_terminal():
            raise ValueError(f"{path}, line {number}: {moves!r} ends the game")
        repeated += key(position) in found
        found.setdefault(key(position), line)
    if not found:
        raise ValueError(f"{path} has no opening: write a line of play in each line")
    again = f", {repeated} of them repeated and left out" if repeated else ""
    return list(found.values()), f"{len(found) + repeated} lines of {path.name}{again}"
