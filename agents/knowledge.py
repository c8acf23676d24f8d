"""Holds what is known about a game beyond its rules: one record per game, all of it optional.

Searches find evaluations, move orders and symmetries here, report cards exact values, the command
line the opponents to offer. A game of one's own gets all of that by one call::

    register_knowledge(Nim, Knowledge(evaluations={"nim_sum": nim_sum}, order=largest_first))

    knowledge_of(Nim()).evaluations["nim_sum"]
    agents.make("alpha_beta(depth=4, evaluate=nim.nim_sum)")

A subclass has the record of its base class unless it has one of its own. The records of the games
that come with the package are in ``agents.games``.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from adv_envs import Position
from adv_envs.position import checked
from adv_envs.registry import GAMES, Records, game, name_of_class, no_game

from .dialects import GtpGame, UciGame
from .symmetries import PlayerExchange, Symmetries

if TYPE_CHECKING:
    from .agent import SearchAgent
    from .equilibrium.large_games import LargeGame

Evaluation = Callable[[Any], float]
"""``evaluate(position)``: the value for the player to move, larger for better and 0 for even. A
kernel, so that compiled searches can call it; only unfinished positions are evaluated."""

MoveOrder = Callable[[Any, int], float]
"""``order(position, action)``: actions with a larger number are searched first."""


@dataclass(frozen=True)
class Margins:
    """Describes a game of two players who gather points, for ``MarginSolver``.

    All four are plain functions that Numba can compile. The points that are gathered must not
    matter to what can still be, and each is worth the same.
    """

    ahead: Callable[[Any], int]
    """How many points the player to move has more than the other."""
    left: Callable[[Any], int]
    """How many points are left to be gathered; above 0 unless the game is over."""
    rest: Callable[[Any], Any]
    """The position that stands for all those, with either player to move, in which the same is left
    to the player to move; it may be played on."""
    next_action: Callable[[Any, int, int], int]
    """``next_action(position, first, tried)``: the most promising legal action that is not in
    ``tried``, a set of actions as bits; ``first`` (-1: none) was the best in another search. -1 if
    none is left that needs to be tried."""


@dataclass(frozen=True)
class Features:
    """Adds planes for a network to those of a player: what follows from the rules at a glance."""

    names: tuple[str, ...]
    """What each plane shows, in a few words."""
    write: Callable[[Any, Any, int], None]
    """``write(position, planes, first)`` writes them for the player to move, as numbers from 0 to
    1, into the zeroed ``planes[:, :, first]`` and the next ones, (height, width) as those that are
    observed. A plain function that Numba can compile."""


class MoveValue(NamedTuple):
    """Holds the exact value of a move for the player who makes it."""

    value: float
    """1 for a win, 0.5 for a draw, 0 for a loss; with chance, the probability of winning; where the
    game is played for other amounts, that amount."""
    score: float
    """Among moves of the same value, how soon the game is over; larger is better. k for a win with
    the k-th last stone that the winner may have, -k for a loss to that stone, 0 for a draw. The
    value, where the game has no such scores."""

    @classmethod
    def of_score(cls, score: float) -> MoveValue:
        """Returns the value of a move with this score, whose sign says who wins."""
        return cls((score > 0) + 0.5 * (score == 0), score)

    @classmethod
    def of_value(cls, value: float) -> MoveValue:
        """Returns the value of a move in a game without scores."""
        return cls(value, value)


LISTED = "a list of all positions, worked back from the ends"
"""Where exact values come from that no solver has found."""


class NotGraded(ValueError):
    """Says that the values of a game's moves take too long, and whose do not."""


class ExactValues:
    """Computes the exact value of every move of one game, that of ``start``, by a solver.

    ``unit`` says what the solver's values are: "utilities" from -1 to 1, which become probabilities
    of winning, "scores", by which quick wins and long defences are better, or "amounts".
    ``quick(position)`` tells whether all moves take a second at most, ``feasible(position)``
    whether some seconds. ``work(position)`` is a whole number that the time depends on, a plain
    function that Numba can compile; ``limits`` are those up to which positions are quick and
    feasible. Without any of them all positions are quick. A subclass may have ``move_values`` of
    its own instead of a solver.
    """

    has_scores = False
    """Whether moves have scores, by which quick wins and long defences are better."""
    in_points = True
    """Whether values are probabilities of winning, from 0 to 1."""
    of_start = False
    """Whether they are only of positions to which the usual start leads."""

    def __init__(
        self,
        start: Position,
        solver: SearchAgent | None = None,
        *,
        unit: Literal["utilities", "scores", "amounts"] = "utilities",
        quick: Callable[[Any], bool] | None = None,
        feasible: Callable[[Any], bool] | None = None,
        work: Callable[[Any], int] | None = None,
        limits: tuple[int, int] = (0, 0),
    ) -> None:
        self.start, self.solver = checked(start).start(), solver
        self.has_scores, self.in_points = unit == "scores", unit != "amounts"
        self._quick, self._feasible = quick, feasible
        self.work, self.limits = work, limits

    @property
    def solver_name(self) -> str:
        """Returns the spec of the solver, or else the name of the class."""
        return type(self).__name__ if self.solver is None else repr(self.solver)

    @property
    def source(self) -> str:
        """Returns where the values come from, in words."""
        solver = knowledge_of(self.start).solver
        found = solver(self.start) if solver is not None else None
        return f"{found.name}()" if found is not None else "the solver of this game"

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action; empty where the game is over."""
        if self.solver is None:
            raise NotImplementedError
        position = checked(position)
        return self.in_unit({} if position.is_terminal() else self.solver.values(position))

    def in_unit(self, values: Mapping[int, float]) -> dict[int, MoveValue]:
        """Returns values of moves, as the solver has them, as those of report cards."""
        if self.has_scores:
            return {action: MoveValue.of_score(value) for action, value in values.items()}
        if self.in_points:
            values = {action: (value + 1) / 2 for action, value in values.items()}
        return {action: MoveValue.of_value(value) for action, value in values.items()}

    def is_quick(self, position: Position) -> bool:
        """Returns whether ``move_values`` takes a second at most."""
        if not isinstance(position, type(self.start)):
            return False
        if self._quick is not None and self._quick(position):
            return True
        if self.work is None:
            return self._quick is None
        return self.work(position) <= self.limits[0]

    def is_feasible(self, position: Position) -> bool:
        """Returns whether ``move_values`` takes some seconds at most."""
        if self.is_quick(position) or not isinstance(position, type(self.start)):
            return self.is_quick(position)
        if self.work is not None:
            return self.work(position) <= self.limits[1]
        return self._feasible is not None and self._feasible(position)

    def progress(self, position: Position) -> float:
        """Returns how much of the game has been played, from 0 to 1, as the game's record says.

        NotImplementedError if the record has no ``progress``.
        """
        progress = knowledge_of(position).progress
        if progress is None:
            name = name_of_class(type(position))
            raise NotImplementedError(
                f"{type(self).__name__} needs a method progress, or the record of {name} a progress"
            )
        return float(progress(position))


def value_in_words(position: Position, value: float) -> str:
    """Returns an exact value for the player to move: "a win", "a draw", "a loss", or the number."""
    if value in (0, position.max_utility, -position.max_utility):
        return "a draw" if value == 0 else "a win" if value > 0 else "a loss"
    return f"{value:+.4g}"


def _number(position: Position, value: float) -> str:
    return f"{value:+g}" if value else "0"


@dataclass(frozen=True, kw_only=True)
class SolutionText:
    """Says how the values of a game's exact solver are shown to people.

    Values are those of the solver for the player to move, for player 0 where chance is to move.
    """

    name: str = "value"
    """What the number is, for the heading of a table: "score", "chance of winning"."""
    in_numbers: Callable[[Any, float], str] = _number
    """``in_numbers(position, value)``: a value as a number."""
    in_words: Callable[[Any, float], str] = value_in_words
    """``in_words(position, value)``: what a value means, such as "a win with 3 more stones"."""
    note: Callable[[Any, Any], str] = lambda position, solver: ""
    """``note(position, solver)``: a sentence of advice, or ""."""


class BookWriter(Protocol):
    """Makes a book of openings, as ``adv-envs book`` does, going on from what the file holds."""

    total: int
    """How many positions the book will have."""

    def fill(self) -> Iterator[int]:
        """Solves the positions that are missing; yields how many the book has so far."""

    def save(self) -> str:
        """Writes what there is, and says what that is in a line."""


class TableWriter(BookWriter, Protocol):
    """Builds the table of all positions of a game, as ``adv-envs solve GAME --table`` does."""

    about: str
    """What is built, how long that takes and how much memory and room it needs."""


def _no_functions() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Records what is known about one game. Every field is optional; the defaults know nothing."""

    names: tuple[str, ...] = ()
    """Other names, in small letters, by which people look for the game."""

    # ---- for searches

    evaluations: Mapping[str, Evaluation] = field(default_factory=_no_functions)
    """Evaluations by name; a spec writes them as "game.name"."""
    orders: Mapping[str, MoveOrder] = field(default_factory=_no_functions)
    """Move orders by name; a spec writes them as "game.name"."""
    order: MoveOrder | None = None
    """The order that searches use by default. It is asked once for every action, at the root, where
    it is also asked about actions that are not legal there."""
    noise: MoveOrder | None = None
    """``noise(position, action)``: about how much a legal action changes the evaluations at once,
    such as the value of the piece that it captures; 0 for quiet ones. A kernel. Alpha-beta tries
    the noisiest first, and evaluates positions only after the noise is over."""
    symmetries: Symmetries | None = None
    """Positions of the same value: one entry in a transposition table, one opening."""
    exchange: PlayerExchange | None = None
    """How the players of a game of two can be exchanged; None where rules tell them apart, or where
    the number of stones tells whose turn it is."""
    features: Callable[[Any], Features | None] | None = None
    """The planes that networks see beside those that a player observes, in the game of a start
    position; None where there are none."""
    transposed_sides: bool = False
    """Whether the transposed board is to the second player what the board is to the first. Networks
    then see it transposed, and learn for one side what they learn for the other."""
    table_key: Callable[[Any], Any] | None = None
    """``table_key(position)``: the position without what hardly matters to its value, such as
    counters and its past, by which the transposition table of alpha-beta remembers it. Won and lost
    must not depend on what is left out; draws may, and no draw is taken for proven then."""
    proven_moves: Callable[[Any], dict[int, float]] | None = None
    """The exact values, for the player to move, of those moves of an unfinished position whose
    value is known without a search; MCTS asks at nodes with many visits."""
    decided: Callable[[Any], int] | None = None
    """``decided(position)``: 1 or -1 where the player to move of an unfinished position is sure to
    win or to lose ``max_utility``, as can be told without a search, and 0 everywhere else. A
    kernel, or a function that Numba can compile; proof-number search asks at every position."""
    playout: Callable[[Any], Any] | None = None
    """The kernel that plays a position of the given game to its end, see ``agents.mcts.playouts``;
    None where the general one is as good."""
    winning_move: Callable[[Any], Any] | None = None
    """The function of a position and a workspace that finds a move that wins at once, or answers
    -1, see ``agents.mcts.playouts``; None where the general one is as good."""
    large_game: Callable[[Any], LargeGame | None] | None = None
    """``large_game(start)``: what finds exploitability where the game tree is too large to be
    written down, see ``agents.equilibrium.large_games``; None if nothing does."""
    default_evaluation: str | None = None
    """The name, in ``evaluations``, of the one for searches of a fixed depth that are opponents of
    learners; None: they look at finished games only."""
    scale: float | None = None
    """The value of ``default_evaluation`` at which a player's winning chances are 0.46, see
    ``agents.move_values``; None: as large as it typically is in random games."""
    first_view: bool = False
    """Whether people read values of searches from the first player's side, as in chess."""
    grave: int = 0
    """The reference number of visits for GRAVE with which MCTS plays best by playouts; 0: none."""

    # ---- for exact play and grading

    margins: Margins | None = None
    """How points are gathered, where that is the game; ``MarginSolver`` solves it then."""
    solver: Callable[[Any], type[SearchAgent] | None] | None = None
    """The agent class that solves the game of a position exactly; None if there is none for it."""
    exact_values: Callable[[Any], ExactValues] | None = None
    """The exact values of moves in the game of a start position. ValueError, which says what can be
    graded, for a game that is too large."""
    known_value: Callable[[Any], float | None] | None = None
    """The exact value of a position for the player to move where that takes no search, as with a
    book of openings; otherwise None."""
    book_writer: Callable[[Any, int, Path, float, bool], BookWriter] | None = None
    """``book_writer(start, plies, path, table_mb, rebuild)``: what makes a book of openings, if
    the solver can use one. ValueError for a game or a file that does not go with it."""
    table_writer: Callable[[Any], TableWriter | None] | None = None
    """``table_writer(start)``: what builds the table of all positions from which the solver plays;
    None if it has been built. ValueError if it cannot be kept."""
    phase: Callable[[Any], str] | None = None
    """``phase(view)``: the part of the game that a player's view is in, such as "round 2": what an
    agent loses is summed by it. None: by the player's turns."""
    progress: Callable[[Any], float] | None = None
    """How much of the game has been played at a position, from 0 to 1."""
    sample_plies: Callable[[Any], range | None] | None = None
    """The plies of the game of a start position after which random play leads to positions whose
    exact values take a fraction of a second; learners are evaluated at such positions. None: they
    are evaluated at the positions of report cards."""
    random_position: Callable[[Any, random.Random], Any] | None = None
    """A random position of the game of ``start`` at which a player is to move, for games in which
    random play does not reach typical ones."""

    # ---- for people

    opponent: Callable[[Any], str | None] | None = None
    """The spec of an opponent in the game of a start position, that plays well and answers within
    about a second; None for the one that games without a record get."""
    analyst: Callable[[Any], str | None] | None = None
    """The spec of the agent that analyses a position well within some seconds; None likewise."""
    strong: Callable[[Any], str | None] | None = None
    """The spec of the strongest agent for the game of a start position that takes a few seconds for
    a move; None where that is the analyst."""
    rungs: Mapping[str, str] = field(default_factory=_no_functions)
    """Opponents from random to the strongest, by name: specs whose strength a ladder tells, see
    ``agents.arena.ladder``."""
    solution: SolutionText = SolutionText()
    """How the values of the solver are shown."""
    utility_unit: str = "points per game"
    """What mean utilities are counted in: "chips per hand" in poker."""

    settings: tuple[Mapping[str, Any], ...] = ()
    """Parameters, beside the usual ones, with which the game is often played: engines for browsers
    are made for them, too."""

    # ---- for other programs

    gtp: GtpGame = field(default_factory=GtpGame)
    """How the Go text protocol writes the game: the default does for our own programs, and for a
    game that others play the record says how they write its moves and set up its positions."""
    uci: UciGame | None = None
    """How UCI writes the game; None where no program plays it by UCI."""


def by_number(name: str, spec: str, *numbers: int) -> dict[str, str]:
    """Returns ``rungs`` that differ in a number, which is written into the name and the spec."""
    return {name % number: spec % number for number in numbers}


NOTHING = Knowledge()
"""The record of a game about which nothing was registered."""

_records = Records(Knowledge, "agents.games", NOTHING)


def register_knowledge(game: type[Position], knowledge: Knowledge) -> None:
    """Registers what is known about ``game``, for it and for its subclasses.

    A game that has a record already gets the new one in its place. Raises TypeError unless ``game``
    is a class of positions and ``knowledge`` a record, and ValueError if specs know a function of
    another game by the same name.
    """
    _records.require(game, knowledge)
    names = _named_functions_of(game, knowledge)
    for other, known in _records.of_name(name_of_class(game)).items():
        taken = sorted(names.keys() & _named_functions_of(other, known)) if other != game else []
        if taken:
            raise ValueError(
                f"{taken[0]} is a function of {other.__module__}.{other.__qualname__} already: "
                f"give {game.__qualname__} a name of its own with adv_envs.register"
            )
    _records.register(game, knowledge)


def knowledge_of(position: Position) -> Knowledge:
    """Returns the record of the game of ``position``; an empty one where nothing is known."""
    return _records.of_class(type(position))


def knowledge_of_class(game: type[Position]) -> Knowledge:
    """Returns the record of a class of positions: its own, or that of the nearest base class."""
    return _records.of_class(game)


def known_game(name: str) -> type[Position]:
    """Returns the position class of a game, as ``registry.game`` does.

    ValueError for an unknown name, which tells the games that are called so elsewhere.
    """
    if name not in GAMES:
        raise no_game(name, games_meant(name))
    return game(name)


def games_meant(name: str) -> list[str]:
    """Returns up to three games that ``name`` may mean, best first.

    Those that have it as a name or other name; else as a word of one; else those spelled like it.
    """
    sought = name.replace("_", " ").replace("-", " ").lower()
    called: dict[str, list[str]] = {}
    for known in GAMES:
        for other in (known, *knowledge_of_class(game(known)).names):
            called.setdefault(other.replace("_", " ").replace("-", " "), []).append(known)
    words = [other for other in called if f" {sought} " in f" {other} "]
    close = words or difflib.get_close_matches(sought, called, 1)
    found = [known for other in [sought, *close] for known in called.get(other, [])]
    return list(dict.fromkeys(found))[:3]


def all_knowledge() -> Mapping[type[Position], Knowledge]:
    """Returns every record by its class of positions, those that come with the package included."""
    return _records.all()


def named_functions() -> dict[str, Evaluation | MoveOrder]:
    """Returns every registered evaluation and move order by the name that specs use."""
    found: dict[str, Evaluation | MoveOrder] = {}
    for cls, knowledge in all_knowledge().items():
        found |= _named_functions_of(cls, knowledge)
    return found


def _named_functions_of(
    game: type[Position], knowledge: Knowledge
) -> dict[str, Evaluation | MoveOrder]:
    functions: dict[str, Evaluation | MoveOrder] = {**knowledge.evaluations, **knowledge.orders}
    return {f"{name_of_class(game)}.{name}": function for name, function in functions.items()}


# ---- agents that suit a game


def suitable_opponent(start: Position) -> str:
    """Returns the spec of an opponent that plays a game well."""
    own = knowledge_of(start).opponent
    if own is not None and (spec := own(start)) is not None:
        return spec
    if not start.perfect_information:
        return "ismcts(simulations=1000)"
    if start.num_players != 2:
        return "greedy()" if start.has_chance else "max_n(depth=4)"
    return "expectiminimax(nodes=100000)" if start.has_chance else "alpha_beta(nodes=100000)"


def suitable_analyst(position: Position) -> str:
    """Returns the spec of an agent that analyses a game well."""
    own = knowledge_of(position).analyst
    return (own(position) if own is not None else None) or general_analyst(position)


def general_analyst(position: Position) -> str:
    """Returns the spec of an agent that searches any game of the same kind, within a time."""
    if not position.perfect_information:
        return "ismcts(seconds=3)"
    if position.num_players != 2:
        return "mcts(seconds=3)"
    return "expectiminimax(seconds=3)" if position.has_chance else "alpha_beta(seconds=3)"


def strong_spec(start: Position) -> str:
    """Returns the spec of the strongest agent that is known for the game of ``start``."""
    own = knowledge_of(start).strong
    return (own(start) if own is not None else None) or suitable_analyst(start)
