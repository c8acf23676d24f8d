"""Makes test positions with the exact value of every move, and sets of them in files.

A file is JSON: the game, how the set was drawn, and for each test position the line of play that
leads there (in games with chance, the fields of the position) and the values of the legal actions
in increasing order: scores where the game has them, else values. The SHA-256 of all this is part of
the name of the set, and is checked when the file is read.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar

from adv_envs import CHANCE, Position, name_of
from adv_envs.files import write_file
from adv_envs.notation import write_line
from adv_envs.random import chance_action
from adv_envs.registry import title
from agents.best_play import SAME
from agents.knowledge import ExactValues, MoveValue, NotGraded, knowledge_of

PHASES = "opening", "middle", "end"
"""The thirds of a game, by the progress that the game's record defines."""

DIFFICULTIES = "one right move", "up to half right", "over half right"


@dataclass(frozen=True)
class TestPosition:
    """Holds a position with a player to move, and the exact value of each of its moves.

    A move is right if it keeps the value of the game, and strongest if no move has a better score:
    the quickest win or the longest defence, where the game has scores.
    """

    __test__: ClassVar[bool] = False  # for pytest: this is not a class of tests

    position: Position
    move_values: dict[int, MoveValue]
    """The value of each legal action for the player to move; empty if that is not known."""
    phase: str
    """One of PHASES."""
    moves: str = ""
    """The line of play that leads here from the start; "" where none is known."""

    @cached_property
    def value(self) -> float:
        """Returns the value of the position for the player to move: that of the best move."""
        return max(move.value for move in self.move_values.values())

    @cached_property
    def score(self) -> float:
        """Returns the score of the strongest move."""
        return max(move.score for move in self.move_values.values())

    @cached_property
    def right(self) -> tuple[int, ...]:
        """Returns the actions that keep the value."""
        return tuple(a for a, move in self.move_values.items() if move.value >= self.value - SAME)

    @cached_property
    def strongest(self) -> tuple[int, ...]:
        """Returns the actions with the best score."""
        return tuple(a for a, move in self.move_values.items() if move.score >= self.score - SAME)

    @property
    def value_matters(self) -> bool:
        """Returns whether some move is wrong."""
        return len(self.right) < len(self.move_values)

    @property
    def score_matters(self) -> bool:
        """Returns whether some move is not a strongest one."""
        return len(self.strongest) < len(self.move_values)

    @property
    def difficulty(self) -> str:
        """Returns one of DIFFICULTIES, by the share of right moves among the legal ones."""
        if len(self.right) == 1:
            return DIFFICULTIES[0]
        return DIFFICULTIES[1 if 2 * len(self.right) <= len(self.move_values) else 2]

    def lost(self, action: int | None) -> float:
        """Returns the value that ``action`` loses; that of the worst move for None, no answer."""
        return max(0.0, self.value - self._value_of(action).value)

    def lost_score(self, action: int | None) -> float:
        """Returns the score that ``action`` loses; None as in ``lost``."""
        return max(0.0, self.score - self._value_of(action).score)

    def _value_of(self, action: int | None) -> MoveValue:
        if action is not None:
            return self.move_values[action]
        return MoveValue(*map(min, zip(*self.move_values.values(), strict=True)))


def phase_of(progress: float) -> str:
    """Returns the phase of a position by the progress of the game, from 0 to 1."""
    return PHASES[min(int(3 * progress), 2)]


# ---- sets

FORMAT, VERSION = "adv-envs positions", 2

SHIPPED = Path(__file__).parent.parent / "data" / "positions"

DIGITS = 12
"""Decimals of the values in a file."""


class PositionsError(ValueError):
    """Says why a file is not a valid set of positions."""


@dataclass(frozen=True)
class PositionSet:
    """Holds test positions of one game."""

    start: Position
    positions: tuple[TestPosition, ...]
    seed: int
    has_scores: bool
    """Whether moves have scores beside their values."""
    in_points: bool
    """Whether values are probabilities of winning, from 0 to 1."""
    part_of: str = ""
    """The name of the larger set that begins with these positions."""

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the content."""
        text = json.dumps(self._content(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """Returns the name in reports: "connect_four-240-seed-0-1a2b3c4d5e6f"."""
        if self.part_of:
            return f"the first {len(self.positions)} of {self.part_of}"
        return f"{slug(self.start)}-{len(self.positions)}-seed-{self.seed}-{self.digest[:12]}"

    def take(self, number: int) -> PositionSet:
        """Returns the first ``number`` positions, which are as balanced as all of them."""
        if number >= len(self.positions):
            return self
        positions, part_of = self.positions[:number], self.part_of or self.name
        return dataclasses.replace(self, positions=positions, part_of=part_of)

    def _content(self) -> dict[str, Any]:
        scale = "scores" if self.has_scores else "points" if self.in_points else "utilities"
        fields = len(self.start.parameters)
        entries: list[dict[str, Any]] = [
            {"state": list(t.position[fields:])} if self.start.has_chance else {"moves": t.moves}
            for t in self.positions
        ]
        for entry, test in zip(entries, self.positions, strict=True):
            values = (round(move.score, DIGITS) for move in test.move_values.values())
            entry["move_values"] = [int(v) if v == int(v) else v for v in values]
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": name_of(self.start),
            "parameters": parameters(self.start),
            "seed": self.seed,
            "move_values": scale,
            "positions": entries,
        }

    def save(self, path: Path) -> None:
        """Writes the file, one line for each test position."""
        content = self._content()
        entries = [json.dumps(entry, separators=(",", ":")) for entry in content.pop("positions")]
        head = json.dumps({**content, "sha256": self.digest})[:-1]
        write_file(path, head + ', "positions": [\n' + ",\n".join(entries) + "\n]}\n")


def parameters(start: Position) -> dict[str, Any]:
    """Returns the parameters of the game that JSON can hold.

    Others, such as the tree of a game tree, are left out if they are the usual ones, and stand for
    themselves by the beginning of their SHA-256 otherwise.
    """
    found: dict[str, Any] = {}
    for name, value in zip(start.parameters, start, strict=False):
        if isinstance(value, bool | int | float | str):
            found[name] = value
        elif value != getattr(type(start)(), name):
            found[name] = hashlib.sha256(repr(value).encode()).hexdigest()[:12]
    return found


def load_positions(path: Path, exact: ExactValues) -> PositionSet:
    """Returns the set in a file about the game of ``exact``.

    PositionsError unless it is intact and about this game.
    """
    try:
        data = json.loads(path.read_text("ascii"))
        if data["format"] != FORMAT:
            raise ValueError(f"its format is {data['format']!r}")
    except FileNotFoundError:
        raise PositionsError(f"there is no set of positions at {path}") from None
    except OSError as error:
        raise PositionsError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise PositionsError(f"{path} is no set of positions, or is torn: {error}") from error
    if data.get("version") != VERSION:
        raise PositionsError(
            f"{path} is of version {data.get('version')}, and {VERSION} is needed; make it again "
            "with benchmarks/positions.py"
        )
    try:
        if (data["game"], data["parameters"]) != (name_of(exact.start), parameters(exact.start)):
            raise PositionsError(
                f"{path} is about {data['game']} {data['parameters']}, not {title(exact.start)}"
            )
        found = from_data(data, exact)
    except PositionsError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise damaged(path) from error
    if found.digest != data.get("sha256"):
        raise damaged(path)
    return found


def damaged(path: Path) -> PositionsError:
    """Returns the error for a file whose content has changed."""
    return PositionsError(
        f"{path} is torn or was changed: its SHA-256 is not what it says; make it again with "
        "benchmarks/positions.py, or install the package again"
    )


def from_data(data: dict[str, Any], exact: ExactValues) -> PositionSet:
    """Returns the set in the parsed JSON of a file."""
    start = exact.start
    given = start[: len(start.parameters)]
    tests = []
    for entry in data["positions"]:
        if "state" in entry:
            fields = zip(start._fields, (*given, *entry["state"]), strict=True)
            position = type(start)(**dict(fields))
        else:
            position = start.after(entry["moves"])
        move_value = MoveValue.of_score if exact.has_scores else MoveValue.of_value
        values = map(move_value, entry["move_values"])
        move_values = dict(zip(position.legal_actions(), values, strict=True))
        phase = phase_of(exact.progress(position))
        tests.append(TestPosition(position, move_values, phase, entry.get("moves", "")))
    return PositionSet(start, tuple(tests), data["seed"], exact.has_scores, exact.in_points)


def shipped_path(start: Position) -> Path:
    """Returns where the shipped set about the game of ``start`` is, if there is one."""
    return SHIPPED / f"{slug(start)}.json"


def slug(start: Position) -> str:
    """Returns the game and those of its parameters that are not usual: "hex-size-5"."""
    usual, values = type(start)(), parameters(start).items()
    special = [f"-{name}-{value}" for name, value in values if value != getattr(usual, name)]
    return name_of(start) + "".join(special)


# ---- drawing positions

DEFAULT_SIZE = 200
"""Test positions that are drawn for a game without a shipped set."""

MAX_MISSES = 50
"""Positions of a phase in a row without some value, after which it is no longer looked for."""

NO_POSITION = 0.1
"""How a game that has no new position in the phase counts, in such positions."""

VALUES = "loss", "even", "win"

Stratum = tuple[str, str]
"""A phase and one of VALUES."""


def sample(
    exact: ExactValues,
    number: int,
    seed: int = 0,
    allowed: Callable[[Position], bool] | None = None,
    on_position: Callable[[int], None] | None = None,
) -> list[TestPosition]:
    """Returns ``number`` different positions in which moves differ, or as many as can be found.

    As far as there are such positions, phases are equally frequent, and so are the values of the
    position for the player to move, also among the first few of the list. A game gives at most one
    position. ``allowed`` decides which positions may be solved (None: those that are quick);
    ``on_position`` is called with the number found so far.
    """
    rng = random.Random(f"{seed} positions")
    strata: dict[Stratum, list[TestPosition]] = {(p, v): [] for p in PHASES for v in VALUES}
    misses, seen = dict.fromkeys(strata, 0.0), set[Position]()
    while lacking := strata_that_lack(strata, misses, number):
        phase, _ = rng.choice(lacking)
        test = draw(exact, phase, rng, seen, allowed or exact.is_quick)
        found = None
        if test is not None and (test.value_matters or test.score_matters):
            won, lost = (2 / 3, 1 / 3) if exact.in_points else (0, 0)  # of a probability, nearly
            found = phase, VALUES[1 + (test.value > won) - (test.value < lost)]
            strata[found].append(test)
        miss = NO_POSITION if test is None else 1.0
        for stratum in strata:
            if stratum[0] == phase:
                misses[stratum] = 0.0 if stratum == found else misses[stratum] + miss
        if on_position is not None:
            on_position(min(sum(map(len, strata.values())), number))
    in_turn = zip_longest(*strata.values())
    return [test for tests in in_turn for test in tests if test is not None][:number]


def strata_that_lack(
    strata: dict[Stratum, list[TestPosition]], misses: dict[Stratum, float], number: int
) -> list[Stratum]:
    """Returns the strata that need more positions for ``number`` in all, and may have some."""
    live = [stratum for stratum in strata if misses[stratum] < MAX_MISSES]
    for quota in range(1, number + 1):
        full = sum(quota if s in live else min(quota, len(strata[s])) for s in strata)
        if full >= number:
            return [stratum for stratum in live if len(strata[stratum]) < quota]
    return live


def draw(
    exact: ExactValues,
    phase: str,
    rng: random.Random,
    seen: set[Position],
    allowed: Callable[[Position], bool],
) -> TestPosition | None:
    """Returns a position of a phase from a new game; None if it has none that is not ``seen``."""
    random_position = knowledge_of(exact.start).random_position
    own = None if random_position is None else [(random_position(exact.start, rng), ())]
    game = [
        (position, actions)
        for position, actions in own or random_play(exact.start, rng)
        if phase_of(exact.progress(position)) == phase
        and position not in seen
        and allowed(position)
    ]
    if not game:
        return None
    position, actions = rng.choice(game)
    seen.add(position)
    moves = "" if exact.start.has_chance else write_line(exact.start, actions)
    return TestPosition(position, exact.move_values(position), phase, moves)


def random_play(start: Position, rng: random.Random) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Yields the positions of one game with a player to move, and the actions that lead there."""
    care = rng.choice((0.0, 0.5, 1.0))
    position, actions = start, tuple[int, ...]()
    while not position.is_terminal():
        if position.to_move == CHANCE:
            action = chance_action(position, rng.random())
        else:
            yield position, actions
            careful = rng.random() < care
            legal = position.legal_actions()
            action = careful_move(position, rng) if careful else rng.choice(legal)
        actions += (action,)
        position = position.play(action)


def careful_move(position: Position, rng: random.Random) -> int:
    """Returns a win, else a move that leaves the opponent no win, else any move."""
    player, safe, actions = position.to_move, [], position.legal_actions()
    for action in actions:
        child = position.play(action)
        if child.is_terminal() and child.utility(player) > 0:
            return action
        replies = (child.play(reply) for reply in child.legal_actions())
        if not any(r.is_terminal() and r.utility(player) < 0 for r in replies):
            safe.append(action)
    return rng.choice(safe or actions)


def positions_for(
    exact: ExactValues,
    number: int | None = None,
    seed: int | None = None,
    on_position: Callable[[int], None] | None = None,
) -> PositionSet:
    """Returns a set of at most ``number`` test positions of the game of ``exact``.

    None: all of the shipped set, or DEFAULT_SIZE. Without a ``seed`` it is the shipped set, if
    there is one and it is large enough, else one drawn with seed 0; ``on_position`` is called with
    the number drawn so far. NotGraded if no position is found in which moves differ.
    """
    path = shipped_path(exact.start)
    if seed is None and path.exists():
        shipped = load_positions(path, exact)
        if number is None or number <= len(shipped.positions):
            return shipped.take(number or len(shipped.positions))
    tests = sample(exact, number or DEFAULT_SIZE, seed or 0, None, on_position)
    if not tests:
        raise NotGraded(f"no position of {title(exact.start)} was found in which moves differ")
    return PositionSet(exact.start, tuple(tests), seed or 0, exact.has_scores, exact.in_points)
