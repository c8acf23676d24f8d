"""Lists the games by name, their versions, and what is registered for them."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from .literals import call_of, expression, literal, shortened
from .position import Position, checked

GAMES: dict[str, str | type[Position]] = {
    "chess": "adv_envs.games.chess:Chess",
    "go": "adv_envs.games.go:Go",
    "texas_holdem_no_limit": "adv_envs.games.texas_holdem_no_limit:TexasHoldemNoLimit",
    "texas_holdem": "adv_envs.games.texas_holdem:TexasHoldem",
    "backgammon": "adv_envs.games.backgammon:Backgammon",
    "checkers": "adv_envs.games.checkers:Checkers",
    "connect_four": "adv_envs.games.connect_four:ConnectFour",
    "tic_tac_toe": "adv_envs.games.tic_tac_toe:TicTacToe",
    "othello": "adv_envs.games.othello:Othello",
    "gin_rummy": "adv_envs.games.gin_rummy:GinRummy",
    "leduc": "adv_envs.games.leduc:Leduc",
    "rock_paper_scissors": "adv_envs.games.rock_paper_scissors:RockPaperScissors",
    "nine_mens_morris": "adv_envs.games.nine_mens_morris:NineMensMorris",
    "gomoku": "adv_envs.games.gomoku:Gomoku",
    "hex": "adv_envs.games.hex:Hex",
    "ultimate_tic_tac_toe": "adv_envs.games.ultimate_tic_tac_toe:UltimateTicTacToe",
    "dots_and_boxes": "adv_envs.games.dots_and_boxes:DotsAndBoxes",
    "hanabi": "adv_envs.games.hanabi:Hanabi",
    "kalah": "adv_envs.games.kalah:Kalah",
    "nim": "adv_envs.games.nim:Nim",
    "liars_dice": "adv_envs.games.liars_dice:LiarsDice",
    "pig": "adv_envs.games.pig:Pig",
    "quoridor": "adv_envs.games.quoridor:Quoridor",
    "goofspiel": "adv_envs.games.goofspiel:Goofspiel",
    "kuhn": "adv_envs.games.kuhn:Kuhn",
    "domineering": "adv_envs.games.domineering:Domineering",
    "amazons": "adv_envs.games.amazons:Amazons",
    "breakthrough": "adv_envs.games.breakthrough:Breakthrough",
    "clobber": "adv_envs.games.clobber:Clobber",
    "minichess": "adv_envs.games.minichess:MiniChess",
    "animal_shogi": "adv_envs.games.animal_shogi:AnimalShogi",
    "havannah": "adv_envs.games.havannah:Havannah",
    "y": "adv_envs.games.y:GameOfY",
    "lines_of_action": "adv_envs.games.lines_of_action:LinesOfAction",
    "thirty_one": "adv_envs.games.thirty_one:ThirtyOne",
    "phantom_tic_tac_toe": "adv_envs.games.phantom_tic_tac_toe:PhantomTicTacToe",
    "dark_hex": "adv_envs.games.dark_hex:DarkHex",
    "fig52": "adv_envs.games.tree:Fig52",
}
"""Each game's name and its position class, or where to find it; the best known games first."""


VERSIONS: dict[str, int] = {}
"""The versions of games that are not imported yet, where they are not 0: names must be known
before. The rules file of a game states its version, and ``game`` compares."""


def version_of(name: str) -> int:
    """Returns the version of a game, 3 of "hex-v3", without importing the game."""
    found = GAMES[name]
    return VERSIONS.get(name, 0) if isinstance(found, str) else found.version


def versioned(name: str) -> str:
    """Returns the name of a game's environments with its version: "hex_v0"."""
    return f"{name}_v{version_of(name)}"


def gymnasium_id(name: str, kind: str = "") -> str:
    """Returns Gymnasium's id of a game: "connect_four" is "adv_envs/ConnectFour-v0".

    ``kind`` follows the name: "Text" for "adv_envs/ConnectFourText-v0", the game by messages.
    """
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return f"adv_envs/{words}{kind}-v{version_of(name)}"


def game(name: str) -> type[Position]:
    """Returns the position class of a game. Raises ValueError, which lists the games there are."""
    try:
        found = GAMES[name]
    except KeyError:
        raise no_game(name, difflib.get_close_matches(name, GAMES, 1)) from None
    if isinstance(found, str):
        module, _, attribute = found.partition(":")
        cls = getattr(importlib.import_module(module), attribute)
        if cls.version != version_of(name):
            raise ValueError(
                f"{found} has version {cls.version} of its rules, but {name!r} is registered with "
                f"version {version_of(name)}: register({name!r}, {found!r}, {cls.version})"
            )
        found = GAMES[name] = cls
    return found


def no_game(name: str, meant: Sequence[str]) -> ValueError:
    """Returns the error for a name that no game has; ``meant`` are those that it may stand for."""
    hint = f"did you mean {' or '.join(map(repr, meant))}? " if meant else ""
    return ValueError(f"no game {name!r}; {hint}games: {', '.join(GAMES)}")


R = TypeVar("R")


class Records(Generic[R]):
    """Holds what is registered for classes of positions, one record of a kind for each.

    A record is found along the method resolution order: a subclass has that of its base class
    unless it has one of its own, and another class of the same name has none. Those of the games
    that come with the package are in ``package``, in modules called as those with the rules. They
    are imported when they are looked for, as entry points are: nothing here depends on them.
    """

    def __init__(self, kind: type[R], package: str, default: R) -> None:
        self.kind, self.package, self.default = kind, package, default
        self._records: dict[type[Position], R] = {}
        self._complete = False
        self.of_class = functools.cache(self._find)

    def register(self, game: type[Position], record: R) -> None:
        """Registers a record in the place of one that ``game`` may have; errors as ``require``."""
        self.require(game, record)
        self._import(game)
        self._records[game] = record
        self.of_class.cache_clear()

    def require(self, game: type[Position], record: R) -> None:
        """Raises TypeError unless ``game`` is a class of positions and ``record`` of the kind."""
        kind = self.kind.__name__
        if not (isinstance(game, type) and issubclass(game, Position)):
            raise TypeError(f"a {kind} record is for a class of positions, not for {game!r}")
        if not isinstance(record, self.kind):
            raise TypeError(f"a {kind} record is needed, not {record!r}")

    def of_name(self, name: str) -> dict[type[Position], R]:
        """Returns the records of all classes whose games are called ``name``."""
        if name in GAMES:
            self.of_class(game(name))
        return {cls: found for cls, found in self._records.items() if name_of_class(cls) == name}

    def all(self) -> Mapping[type[Position], R]:
        """Returns every record by its class, those of the package included."""
        if not self._complete:
            self._complete = True
            for name in GAMES:
                self.of_class(game(name))
        return self._records

    def copy(self) -> Records[R]:
        """Returns the same records, to which others may be added without changing these."""
        copy = Records(self.kind, self.package, self.default)
        copy._records |= self.all()
        copy._complete = True
        return copy

    def _find(self, game: type[Position]) -> R:
        for base in game.__mro__:
            self._import(base)
            if base in self._records:
                return self._records[base]
        return self.default

    def _import(self, game: type) -> None:
        """Imports the module of the package that has the record of a class, if there is one."""
        room, _, module = game.__module__.rpartition(".")
        if room == "adv_envs.games" and importlib.util.find_spec(f"{self.package}.{module}"):
            importlib.import_module(f"{self.package}.{module}")


def start_position(name: str, **parameters: Any) -> Position:
    """Returns the start position of a game, such as ``start_position("hex", size=5)``.

    Raises ValueError or TypeError, which lists the games or parameters there are.
    """
    cls = game(name)
    unknown = [key for key in parameters if key not in cls.parameters]
    if unknown:
        known = ", ".join(cls.parameters) or "none"
        raise TypeError(  # in Python's words, which libraries look for
            f"{name} got an unexpected keyword argument {unknown[0]!r}; parameters: {known}"
        )
    return cls(**parameters)


def position_of(text: str) -> Position:
    """Returns the position, or view of one, that ``repr`` has written; nothing is evaluated.

    Of a registered game. ValueError, which says what is wrong.
    """
    try:
        kind, values = call_of(expression(text))
        fields = {name: literal(value) for name, value in values.items()}
    except ValueError:
        raise ValueError(f"this is no position: {shortened(text)}") from None
    for name in GAMES:
        cls = game(name)
        if cls.__name__ == kind:
            break
    else:
        raise ValueError(f"no game of here has positions called {kind!r}")
    if tuple(fields) != cls._fields:
        raise ValueError(f"a position of {name} has the fields {', '.join(cls._fields)}")
    try:
        words = {field: cls.convert(field, fields[field]) for field in cls.field_words}
        found: Position = checked(cls(*(fields | words).values()))
    except TypeError as error:
        raise ValueError(str(error)) from None
    return found


def name_of(position: Position) -> str:
    """Returns the registered name of a position's game, or its class name in snake case."""
    return name_of_class(type(position))


def name_of_class(cls: type[Position]) -> str:
    """Returns a game's registered name, given its class, or the class's name in snake case."""
    path = f"{cls.__module__}:{cls.__name__}"
    for name, found in GAMES.items():
        if found is cls or found == path:
            return name
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__)
    return words.strip("_")


def parameters_of(position: Position) -> dict[str, int | float | str]:
    """Returns the parameters of a position's game that can be written as text.

    Numbers that stand for words are the words: "claimed".
    """
    values = {name: position.written(name, getattr(position, name)) for name in position.parameters}
    return {name: value for name, value in values.items() if isinstance(value, int | float | str)}


def title(position: Position) -> str:
    """Returns a position's game and its unusual parameters: "hex, size=7"."""
    usual = parameters_of(type(position)())
    shown = [f"{k}={v!r}" for k, v in parameters_of(position).items() if v != usual[k]]
    return ", ".join([name_of(position), *shown])


def start_of(game: str | Position, parameters: dict[str, Any]) -> tuple[Position, str]:
    """Returns a game's start, given by name and parameters or as it is; and its name."""
    if isinstance(game, str):
        return start_position(game, **parameters), game
    if not isinstance(game, Position):
        raise TypeError(f"a game is a name or a position, not {game!r}")
    if parameters:
        raise TypeError("parameters go with a game's name: a position has its own")
    return checked(game, whole=True), name_of(game)
