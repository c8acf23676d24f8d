"""Openings: the lines of play with which the games of a tournament begin.

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

Two lines are the same opening if they lead to the same position or to images of each other, where
``agents.games`` knows the symmetries of the game. Finished games are no openings.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from adv_envs import CHANCE, IllegalMove, Position
from adv_envs.notation import read_line, write_line
from adv_envs.random import chance_action
from agents.agent import require_unfinished
from agents.knowledge import knowledge_of
from agents.mcts import MCTS
from agents.search import AlphaBeta

__all__ = ["Line", "Openings", "key", "openings"]

Line = tuple[int, ...]
"""The actions of an opening, from the start of a game."""

Solver = Callable[[Position], float | None]
"""The exact value of a position, or None where that takes too long."""

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
    """Distinct openings of one game."""

    start: Position
    lines: tuple[Line, ...]
    """The actions of each, from ``start``."""
    available: int | None
    """How many there are of this kind; None where not all were looked at."""
    how: str
    """What they are, in words."""

    def take(self, count: int) -> list[Line]:
        """``count`` of them, all again from the first when there are no more."""
        return [self.lines[i % len(self.lines)] for i in range(count)]

    def text(self) -> str:
        """As a file that ``file:PATH`` reads."""
        head = f"# {self.start!r}: {self.how}\n"
        return head + "".join(f"{write_line(self.start, line)}\n" for line in self.lines)

    def __str__(self) -> str:
        of = "" if self.available in (None, len(self.lines)) else f" of {self.available}"
        one = len(self.lines) == self.available == 1
        return f"{len(self.lines)}{of} opening{'s' * (not one)}: {self.how}"


def default_kind(start: Position) -> str:
    """``random:2``, or ``none`` where players do not see everything.

    Openings are there for agents without chance to play more than one game. Where something is
    hidden, the deal does that, or agents choose by chance themselves; and what they have done so
    far, which is all that they know, should be their own.
    """
    return "random:2" if start.perfect_information else "none"


def openings(
    start: Position, kind: str | None = None, count: int | None = None, seed: int = 0
) -> Openings:
    """Return at most ``count`` openings of a kind, or all there are; for the kinds see the module.

    Without a kind it is the ``default_kind``. Where there are fewer than ``count``, ``take``
    repeats them. ValueError for games not for two players, unknown kinds, and where there is no
    such opening; OSError for a file that cannot be read.
    """
    require_unfinished(start)
    kind = default_kind(start) if kind is None else kind
    if start.num_players != 2:
        raise ValueError(f"tournaments are played by two, not {start.num_players}")
    if count is not None and count < 1:
        raise ValueError(f"at least 1 opening is needed, not {count}")
    name, _, rest = kind.partition(":")
    rng = random.Random(f"openings {seed}")
    if name == "file" or os.sep in kind or kind.endswith(".txt"):
        return _some(start, *_read(start, Path(rest if name == "file" else kind)), count)
    if kind == "none":
        return Openings(start, ((),), 1, "the start itself")
    if kind == "first":
        return _some(start, _shuffled(_listed(start, 1), rng), "the first moves", count)
    if name == "balanced" and not start.perfect_information:
        raise ValueError(
            "balanced openings are for games in which players see everything: use none, or "
            f"{KINDS.replace(', balanced:N, balanced', '')}"
        )
    if kind == "balanced":
        return _balanced_somewhere(start, count, seed)
    if name not in ("all", "random", "balanced") or not rest.isdecimal() or int(rest) < 1:
        raise ValueError(f"openings are {KINDS}, not {kind!r}")
    plies = int(rest)
    if name == "random":
        return _random(start, plies, count, rng)
    if name == "all":
        return _some(
            start, _shuffled(_listed(start, plies), rng), f"all after {plies} plies", count
        )
    return _balanced(start, plies, count, rng, seed)


def _some(start: Position, lines: list[Line], how: str, count: int | None) -> Openings:
    if not lines:
        raise ValueError(f"there is no opening of this kind ({how}): no game is left unfinished")
    return Openings(start, tuple(lines[:count]), len(lines), how)


def _shuffled(lines: Iterable[Line], rng: random.Random) -> list[Line]:
    found = list(lines)
    rng.shuffle(found)
    return found


# ---- distinct positions


def key(position: Position) -> Position:
    """The same for all images of a position: the smallest of them as a tuple."""
    symmetries = knowledge_of(position).symmetries
    return position if symmetries is None else symmetries.canonical(position)


def _listed(start: Position, plies: int) -> list[Line]:
    """Lines to all unfinished positions after ``plies`` plies; ValueError if there are too many."""
    lines = _level(start, plies)
    if lines is None:
        raise ValueError(
            f"there are more than {LIMIT:,} positions after {plies} plies: "
            f"take fewer plies, or random:{plies}"
        )
    return lines


def _level(start: Position, plies: int) -> list[Line] | None:
    """The same, but None if there are too many."""
    level: dict[Position, tuple[Line, Position]] = {key(start): ((), start)}
    for _ in range(plies):
        children: dict[Position, tuple[Line, Position]] = {}
        for line, position in level.values():
            for action in _possible(position):
                child = position.play(action)
                if not child.is_terminal():
                    children.setdefault(key(child), ((*line, action), child))
            if len(children) > LIMIT:
                return None
        level = children
    return [line for line, _ in level.values()]


def _possible(position: Position) -> list[int]:
    """The legal actions; at chance nodes those with a probability above 0."""
    actions = position.legal_actions()
    if position.to_move != CHANCE:
        return actions
    return [action for action in actions if position.probability(action) > 0]


def _random(start: Position, plies: int, count: int | None, rng: random.Random) -> Openings:
    """Random lines until there are enough, or a thousand in a row bring nothing new."""
    if count is None:
        raise ValueError("how many random openings are wanted?")
    found: dict[Position, Line] = {}
    failures = 0
    while len(found) < count and failures < 1000:
        position, line = start, list[int]()
        while len(line) < plies and not position.is_terminal():
            line.append(_throw(position, rng))
            position = position.play(line[-1])
        if position.is_terminal() or key(position) in found:
            failures += 1
        else:
            found[key(position)] = tuple(line)
            failures = 0
    if not found:
        raise ValueError(f"no opening of {plies} plies leaves the game unfinished")
    available = len(found) if len(found) < count else None
    return Openings(start, tuple(found.values()), available, f"{plies} random plies")


def _throw(position: Position, rng: random.Random) -> int:
    if position.to_move == CHANCE:
        return chance_action(position, rng.random())
    return rng.choice(_possible(position))


# ---- balanced openings


def _balanced_somewhere(start: Position, count: int | None, seed: int) -> Openings:
    """Balanced openings of the least number of plies that has enough of them, or the most."""
    best, plies = None, 0
    while best is None or len(best.lines) < (count or 1):
        plies += 1
        try:
            found = _balanced(start, plies, count, random.Random(f"openings {seed}"), seed)
        except ValueError:
            if best is None and plies < MOST_THROWS:
                continue  # dice are thrown then
            if best is None:
                raise
            break  # the game is over by then, or too large to be listed
        best = found if best is None or len(found.lines) > len(best.lines) else best
    return best


def _balanced(
    start: Position, plies: int, count: int | None, rng: random.Random, seed: int
) -> Openings:
    lines, complete = _candidates(start, plies, count, rng)
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
    """Lines to positions at which a player is to move, and whether these are all there are."""
    level = _listed(start, plies) if count is None else _level(start, plies)
    lines = list(_random(start, plies, 4 * (count or 1), rng).lines) if level is None else level
    lines = [line for line in lines if after(start, line).to_move != CHANCE]
    if not lines:
        raise ValueError(f"after {plies} plies there is nothing to decide")
    return _shuffled(lines, rng), level is not None


def after(position: Position, line: Line) -> Position:
    """The position after legal actions, which are not checked again."""
    for action in line:
        position = position.play(action)
    return position


def draws_among(start: Position, lines: list[Line], count: int | None) -> tuple[list[Line], int]:
    """The first ``count`` that are draws with best play, and how many were looked at for them.

    There are none where one of those cannot be solved quickly.
    """
    found: list[Line] = []
    solver = _quick_solver(start)
    for number, line in enumerate(lines):
        value = solver(after(start, line))
        if value is None:
            return [], number
        if value == 0:
            found.append(line)
        if len(found) == count:
            return found, number + 1
    return found, len(lines)


def _quick_solver(start: Position) -> Solver:
    search, known_value = AlphaBeta(nodes=NODES), knowledge_of(start).known_value

    def known(position: Position) -> float | None:
        value = known_value(position) if known_value is not None else None
        return by_search(position) if value is None else value

    def by_search(position: Position) -> float | None:
        found = search.analyse(position)
        return found.value if found.proven else None

    if start.has_chance:
        return lambda _: None
    return known


def most_balanced(start: Position, lines: list[Line], seed: int) -> tuple[list[Line], float]:
    """The quarter nearest to even, and how far from it the last one is, in percent of games."""
    search = MCTS(simulations=SIMULATIONS, solver=False, knowledge=0, reuse=False)
    off = []
    for line in lines:
        position = after(start, line)
        search.reset(seed)
        off.append(50 * abs(search.value(position)) / position.max_utility)
    order = sorted(range(len(lines)), key=off.__getitem__)[: max(1, len(lines) // 4)]
    return [lines[i] for i in order], off[order[-1]]


# ---- files


def _read(start: Position, path: Path) -> tuple[list[Line], str]:
    """The lines of a file, those that lead to the same position once; ValueError names the line."""
    found: dict[Position, Line] = {}
    repeated = 0
    for number, text in _lines(path):
        try:
            line = tuple(read_line(start, text))
        except IllegalMove as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
        position = after(start, line)
        if position.is_terminal():
            raise ValueError(f"{path}, line {number}: {text!r} ends the game")
        repeated += key(position) in found
        found.setdefault(key(position), line)
    if not found:
        raise ValueError(f"{path} has no opening: write a line of play in each line")
    again = f", {repeated} of them repeated and left out" if repeated else ""
    return list(found.values()), f"{len(found) + repeated} lines of {path.name}{again}"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        raise type(error)(f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(text.splitlines(), 1):
        moves = line.partition("#")[0].strip()
        if moves:
            yield number, moves
