"""Defines the base classes of agents: parameters are fields, ``repr`` is the spec."""

from __future__ import annotations

import dataclasses
import os
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeGuard, TypeVar

from adv_envs import Position
from adv_envs.position import checked, require_competitive
from adv_envs.random import plain_seed
from adv_envs.registry import name_of_class

from .background import answering_in_time, compiled_first
from .knowledge import named_functions

P = TypeVar("P", bound=Position)

LIMITS = "depth", "seconds", "nodes", "simulations"
"""Parameters that bound how much an agent does for one decision."""


@dataclass(frozen=True)
class SearchResult:
    """Holds what a search found.

    ``value`` is for the player to move. Where ``proven`` it is the exact utility of the game with
    best play; otherwise it is on the scale of the evaluation that was used at the depth limit.
    """

    action: int
    """The best action found."""
    value: float
    """The value of the position for the player to move."""
    principal_variation: tuple[int, ...] = ()
    """Best play for all sides as far as the search saw it; begins with ``action``."""
    nodes: int = 0
    """Positions visited, the root included, over all iterations."""
    leaves: int = 0
    """Those of them that were evaluated: finished games, and positions at the depth limit."""
    depth: int = 0
    """Plies looked ahead."""
    seconds: float = 0.0
    """Wall-clock time."""
    proven: bool = False
    """Whether the value is exact: no line was cut off by a limit."""
    values: Mapping[int, float] = dataclasses.field(default_factory=dict)
    """The value of each action for the player to move, of the actions for which it is known."""
    visits: Mapping[int, int] = dataclasses.field(default_factory=dict)
    """How often each action was tried, by searches that sample."""
    probabilities: Mapping[int, float] = dataclasses.field(default_factory=dict)
    """How likely the agent plays each action, of agents that draw their actions."""


def result_of_values(values: Mapping[int, float], began: float, **found: Any) -> SearchResult:
    """Returns the result of an agent that values every action: the first of the best ones.

    ``began`` is a time of ``time.perf_counter``, ``found`` more fields of the result.
    """
    best = max(values, key=values.__getitem__)
    found = {"principal_variation": (best,), "values": values} | found
    return SearchResult(best, values[best], seconds=time.perf_counter() - began, **found)


@dataclass(repr=False)
class Agent:
    """Chooses actions: a dataclass whose fields are its parameters.

    Agents see positions, never environments; they never change a position and never return an
    illegal action. After the same ``reset(seed)``, the same calls give the same answers.
    """

    name: ClassVar[str] = ""
    """What the agent is called in a spec, such as "alpha_beta"."""
    foreign: ClassVar[bool] = False
    """Whether it runs code of others, for which a process of its own is a sandbox."""

    def act(self, position: Position) -> int:
        """Returns a legal action for the player to move; ValueError if the game is over."""
        raise NotImplementedError

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game: forgets the last one, and makes random choices from ``seed``."""

    def prepare(self, position: Position) -> None:
        """Makes ready for a game, before the first one in a process; ``position`` is its first.

        By default it makes a move that does not count, which compiles and loads what it needs.
        ValueError, TypeError or ImportError if it cannot play this game at all.
        """
        with compiled_first():
            self.act(position)

    def game_counts(self) -> Mapping[str, float]:
        """Returns numbers about its moves since the last ``reset``, by name; most agents have none.

        They are stored with a game and summed over games, such as the tokens of language models.
        """
        return {}

    def limits(self) -> dict[str, Any]:
        """Returns the limits of its work by name, of ``LIMITS`` those that it has."""
        names = (field.name for field in dataclasses.fields(self) if field.init)
        return {name: getattr(self, name) for name in names if name in LIMITS}

    def limited(self, **limits: Any) -> Self:
        """Returns the same agent with other ``limits``, each of them one that it has."""
        return dataclasses.replace(self, **limits)

    def __repr__(self) -> str:
        """Returns the spec: the name, and the parameters that differ from their defaults."""
        shown = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.init and field.repr and value != _default(field):
                shown.append(f"{field.name}={spell(value)}")
        return f"{self.name}({', '.join(shown)})"


class SeededAgent(Agent):
    """Draws: its random choices are those of ``rng``.

    A subclass has the parameter ``seed``, which decides them until ``reset`` gives another one;
    None stands for new choices each time. ``__post_init__`` of a subclass calls this one.
    """

    seed: int | None = None
    rng: random.Random

    def __post_init__(self) -> None:
        """Seeds the generator; TypeError or ValueError for what is no seed."""
        self.rng = random.Random(plain_seed(self.seed))

    def reset(self, seed: int | None = None) -> None:
        """Draws from ``seed`` from now on; None goes on as before."""
        if seed is not None:
            self.rng = random.Random(plain_seed(seed))


@dataclass(repr=False)
class SearchAgent(Agent):
    """Searches and says what it found; it defines ``analyse`` or ``analysis``.

    All values are for the player to move; where chance is to move, for player 0.
    """

    table_optional: ClassVar[bool] = False
    """Whether ``table_mb`` may be 0."""

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for limits that allow nothing, and what is no function."""
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}
        for name in ("depth", "nodes"):
            require_limit(name, given.get(name))
        require_seconds(given.get("seconds"))
        require_function("evaluate", given.get("evaluate"))
        require_table(given.get("table_mb", 1), self.table_optional)

    def act(self, position: Position) -> int:
        """Returns the best action found, within its limit of time from the first call on.

        What is not compiled by then is compiled in the background: see ``agents.background``.
        """
        with answering_in_time(self, position):
            return self.analyse(position).action

    def analyse(self, position: Position) -> SearchResult:
        """Searches ``position``; ValueError if the game is over or not one for this search."""
        *_, last = self.analysis(position)
        return last

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields results of the same search as they improve; the last is that of ``analyse``.

        The search goes on only while results are asked for. ValueError as from ``analyse``.
        """
        yield self.analyse(position)

    def value(self, position: Position) -> float:
        """Returns the value of ``position``; the utility where the game is over.

        Solvers give the exact value, other searches what they find within their limits.
        """
        position = checked(position)
        if position.is_terminal():
            return float(position.utility(max(position.to_move, 0)))
        return self.analyse(position).value

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each legal action; empty where the game is over.

        ValueError unless there are two players.
        """
        position = checked(position)
        if position.num_players != 2:
            raise ValueError(f"{self.name} values the moves of two players only")
        player = max(position.to_move, 0)
        values = {}
        for action in position.legal_actions():
            child = position.play(action)
            same = max(child.to_move, 0) == player  # where chance is to move values are player 0's
            values[action] = self.value(child) * (1 if same else -1) + 0.0  # no -0.0
        return values

    def solving(self, position: Position) -> Iterator[Mapping[int, float]]:
        """Yields ``values`` as they become known: more of them each time; the last has all."""
        yield self.values(position)


def plays_as_analysed(agent: Agent) -> TypeGuard[SearchAgent]:
    """Returns whether an agent searches and plays what its ``analyse`` finds."""
    return isinstance(agent, SearchAgent) and type(agent).act is SearchAgent.act


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def spell(value: Any) -> str:
    """Returns a parameter as it is written in a spec: functions by module and name."""
    if callable(value) and hasattr(value, "__qualname__"):
        names = (name for name, function in named_functions().items() if function is value)
        return next(names, f"{value.__module__}.{value.__qualname__}")
    is_number = type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0
    return repr(value.item() if is_number else value)


def require_limit(name: str, value: int | None) -> None:
    """Raises TypeError or ValueError unless ``value`` is None or a whole number above 0."""
    if value is not None and (isinstance(value, bool) or not hasattr(value, "__index__")):
        raise TypeError(f"{name} must be a whole number or None, not {value!r}")
    if value is not None and value < 1:
        raise ValueError(f"{name} must be at least 1 or None, not {value}")


MOST_SECONDS = 10_000_000
"""The longest time that an agent can be given, about four months: timers cannot wait for ever."""


def require_seconds(seconds: float | None, name: str = "seconds") -> None:
    """Raises TypeError or ValueError unless ``seconds`` is None or 0 < seconds <= MOST_SECONDS.

    The message calls it by ``name``.
    """
    if seconds is not None and (isinstance(seconds, bool) or not hasattr(seconds, "__float__")):
        raise TypeError(f"{name} must be a number or None, not {seconds!r}")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"{name} must be more than 0 or None, not {seconds}")
    if seconds is not None and seconds > MOST_SECONDS:
        raise ValueError(f"{name} must be at most {MOST_SECONDS} or None, not {seconds}")


def require_table(table_mb: float, none: bool = False) -> None:
    """Raises TypeError or ValueError unless ``table_mb`` is above 0; with ``none`` it may be 0."""
    if isinstance(table_mb, bool) or not hasattr(table_mb, "__float__"):
        raise TypeError(f"table_mb must be a number, not {table_mb!r}")
    if none and not table_mb >= 0:
        raise ValueError(f"table_mb must not be negative, not {table_mb}")
    if not none and not table_mb > 0:
        raise ValueError(f"table_mb must be more than 0, not {table_mb}")


def require_weight(name: str, weight: float, otherwise: str = "") -> None:
    """Raises TypeError or ValueError unless ``weight`` is a number that is not negative.

    ``otherwise`` is what else would be right, such as " or None".
    """
    if not hasattr(weight, "__float__"):
        raise TypeError(f"{name} must be a number{otherwise}, not {weight!r}")
    if not weight >= 0:
        raise ValueError(f"{name} must not be negative, not {weight}")


def book_or_path(book: object) -> bool | str:
    """Returns True or False for the shipped book, or the path of another; else TypeError."""
    if not isinstance(book, bool | str | os.PathLike):
        raise TypeError(f"book must be True, False or the path of a file, not {book!r}")
    return book if isinstance(book, bool) else os.fspath(book)


def require_function(name: str, value: object) -> None:
    """Raises TypeError unless ``value`` is None or can be called."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function of a position, not {value!r}")


def require_game(position: Position, game: type[P], who: str, does: str = "plays") -> P:
    """Returns ``checked(position)``; ValueError unless it is one of ``game``: what ``who`` does."""
    found = checked(position)
    if not isinstance(found, game):
        raise ValueError(f"{who} {does} {name_of_class(game)}, not {type(position).__name__}")
    return found


def require_unfinished(position: P) -> P:
    """Returns ``checked(position)``; ValueError also if the game is over."""
    found: P = checked(position)
    if found.is_terminal():
        raise ValueError("the game is over: there is no action to choose")
    return found


def require_perfect_information(position: Position, who: str) -> None:
    """Raises ValueError if players of the game do not see everything; ``who`` would need it."""
    if not position.perfect_information:
        raise ValueError(
            f"{who} needs perfect information, and in this game players do not see everything; "
            "use ismcts or an agent of agents.equilibrium, such as cfr"
        )


def require_two_players(position: P, who: str) -> P:
    """Returns ``checked(position)``; ValueError unless it goes on, for two, who see everything."""
    position = require_unfinished(position)
    require_perfect_information(position, who)
    if position.num_players != 2:
        raise ValueError(f"{who} plays games of two players, not {position.num_players}; use max_n")
    require_competitive(position, who)
    return position


# ---- what agents count

MOST_COUNTS, LONGEST_COUNT = 32, 40
"""Numbers that are kept of an agent's own, and characters of their names."""


def counts_of(agent: Agent) -> dict[str, float]:
    """Returns what an agent has counted since its last ``reset``; {} if that is not to be had."""
    try:
        return checked_counts(agent.game_counts())
    except Exception:  # it plays well without
        return {}


def new_counts(before: Mapping[str, float], now: Mapping[str, float]) -> dict[str, float]:
    """Returns what was counted between two looks at the counts of an agent, without zeros."""
    return {name: n - before.get(name, 0) for name, n in now.items() if n > before.get(name, 0)}


def checked_counts(found: Any) -> dict[str, float]:
    """Returns a mapping of names to numbers, as plain data, sorted; ValueError if it is none."""
    if not isinstance(found, Mapping) or len(found) > MOST_COUNTS:
        raise ValueError(f"counts are at most {MOST_COUNTS} numbers by name")
    for name, number in found.items():
        named = isinstance(name, str) and name.isidentifier() and len(name) <= LONGEST_COUNT
        if not named or type(number) not in (int, float) or not 0 <= number <= 2**53:
            raise ValueError(f"{clean(repr(name), 60)} is not the name of a number from 0 to 2**53")
    return {str(name): found[name] for name in sorted(found)}


# ---- texts that come from agents: their names, what their errors say

LONGEST_MESSAGE = 2000
"""Characters that are kept of the message of an error."""

SLACK = 100
"""Characters by which a text may be longer, so that what was cut is not cut again."""


def clean(text: Any, longest: int = LONGEST_MESSAGE) -> str:
    """Returns a text that comes from an agent as one line, to be printed and stored anywhere.

    Control characters and halves of characters are escaped, white space becomes a space, and text
    of more than ``longest`` characters is cut. What is no text is described as such.
    """
    if not isinstance(text, str):
        return f"({type(text).__name__} in the place of a text)"
    size = str.__len__(text)  # not that of a class of the agent's own
    kept = str.__getitem__(text, slice(0, longest + SLACK))
    if not kept.isprintable():
        kept = "".join(map(_printable, kept)).strip()
    if max(size, len(kept)) > longest + SLACK:
        return f"{kept[:longest]}... ({size} characters)"
    return kept


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else ascii(character)[1:-1]


def label(agent: Agent) -> str:
    """Returns the repr of an agent, or the name of its class where that fails."""
    try:
        return clean(repr(agent))
    except Exception:
        return f"<an agent of {clean(type(agent).__name__)} whose repr fails>"
