"""The games by name, and their registration with PettingZoo and Gymnasium."""

from __future__ import annotations

import ast
import difflib
import importlib
from typing import Any

import gymnasium
import pettingzoo

from .position import Position, require_valid

GAMES: dict[str, str | type[Position]] = {
    "tic_tac_toe": "adv_envs.games.tic_tac_toe:TicTacToe",
    "connect_four": "adv_envs.games.connect_four:ConnectFour",
    "hex": "adv_envs.games.hex:Hex",
    "thirty_one": "adv_envs.games.thirty_one:ThirtyOne",
    "fig52": "adv_envs.games.tree:Fig52",
    "pig": "adv_envs.games.pig:Pig",
    "gomoku": "adv_envs.games.gomoku:Gomoku",
    "othello": "adv_envs.games.othello:Othello",
    "breakthrough": "adv_envs.games.breakthrough:Breakthrough",
    "nim": "adv_envs.games.nim:Nim",
    "kalah": "adv_envs.games.kalah:Kalah",
    "dots_and_boxes": "adv_envs.games.dots_and_boxes:DotsAndBoxes",
    "domineering": "adv_envs.games.domineering:Domineering",
    "checkers": "adv_envs.games.checkers:Checkers",
    "amazons": "adv_envs.games.amazons:Amazons",
    "backgammon": "adv_envs.games.backgammon:Backgammon",
    "go": "adv_envs.games.go:Go",
    "chess": "adv_envs.games.chess:Chess",
    "kuhn": "adv_envs.games.kuhn:Kuhn",
    "leduc": "adv_envs.games.leduc:Leduc",
    "liars_dice": "adv_envs.games.liars_dice:LiarsDice",
    "goofspiel": "adv_envs.games.goofspiel:Goofspiel",
    "rock_paper_scissors": "adv_envs.games.rock_paper_scissors:RockPaperScissors",
    "phantom_tic_tac_toe": "adv_envs.games.phantom_tic_tac_toe:PhantomTicTacToe",
    "dark_hex": "adv_envs.games.dark_hex:DarkHex",
}
"""Each game's name and its position class, or where to find it."""


def register(name: str, game: str | type[Position]) -> None:
    """Make ``game``, a position class or "module:Class", known as ``name`` everywhere.

    It is then an environment, ``env(name)`` and ``pettingzoo.make("aec", "adv_envs/<name>-v0")``,
    one against an opponent, ``gymnasium.make("adv_envs/<Name>-v0")``, and a game of the command
    line and of every agent. ValueError for a name that is no identifier.
    """
    if not name.isidentifier():
        raise ValueError(f"a game's name must be an identifier like 'connect_four', not {name!r}")
    GAMES[name] = game
    register_with_pettingzoo(name)
    register_with_gymnasium(name)


def register_with_pettingzoo(name: str) -> None:
    """Register adv_envs/<name>-v0, lazily: the game is imported when it is made."""
    pettingzoo.register(
        "aec", f"adv_envs/{name}-v0", entry_point="adv_envs.envs:env", kwargs={"game": name}
    )


def gymnasium_id(name: str) -> str:
    """The id under which Gymnasium knows a game: "connect_four" is "adv_envs/ConnectFour-v0"."""
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return f"adv_envs/{words}-v0"


def register_with_gymnasium(name: str) -> None:
    """Register the game as an environment against an opponent, as lazily.

    Gymnasium's passive checker is not added: Gymnasium 1.4's raises TypeError in ``step`` if the
    first ``reset`` had raised, as it does for ``opponent="self"`` before ``set_opponent``.
    """
    gymnasium.register(
        gymnasium_id(name),
        entry_point="adv_envs.envs.gym:GymEnv",
        vector_entry_point="adv_envs.batch.vector:BatchVectorEnv",
        disable_env_checker=True,
        kwargs={"game": name},
    )


def game(name: str) -> type[Position]:
    """The position class of a game. Raises ValueError, which lists the games there are."""
    try:
        found = GAMES[name]
    except KeyError:
        close = difflib.get_close_matches(name, GAMES, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ValueError(f"no game {name!r}; {hint}games: {', '.join(GAMES)}") from None
    if isinstance(found, str):
        module, _, attribute = found.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        GAMES[name] = found
    return found


def start_position(name: str, **parameters: Any) -> Position:
    """The start position of a game, such as ``start_position("hex", size=5)``.

    Raises ValueError or TypeError, which lists the games or parameters there are.
    """
    cls = game(name)
    unknown = [key for key in parameters if key not in cls.parameters]
    if unknown:
        known = ", ".join(cls.parameters) or "none"
        raise TypeError(f"{name} has no parameter {unknown[0]!r}; parameters: {known}")
    return cls(**parameters)


def position_of(text: str, whole: bool = True) -> Position:
    """The position that ``repr`` has written, of a registered game; nothing is evaluated.

    ``whole``: whether it must be one that the game can have; what a player sees of a position is
    not. ValueError, which says what is wrong.
    """
    try:
        match ast.parse(text, mode="eval").body:
            case ast.Call(ast.Name(kind), [], keywords):
                fields = {str(each.arg): ast.literal_eval(each.value) for each in keywords}
            case _:
                raise ValueError
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise ValueError(f"this is no position: {text[:80]!r}") from None
    for name in GAMES:
        cls = game(name)
        if cls.__name__ == kind:
            break
    else:
        raise ValueError(f"no game of here has positions called {kind!r}")
    if tuple(fields) != cls._fields:
        raise ValueError(f"a position of {name} has the fields {', '.join(cls._fields)}")
    found = cls(*fields.values())
    if whole:
        try:
            require_valid(found)
        except TypeError as error:
            raise ValueError(str(error)) from None
    return found


def name_of(position: Position) -> str:
    """The registered name of a position's game, or its class name in snake case."""
    return name_of_class(type(position))


def name_of_class(cls: type[Position]) -> str:
    """The registered name of a game, given its class, or the name of the class in snake case."""
    path = f"{cls.__module__}:{cls.__name__}"
    for name, found in GAMES.items():
        if found is cls or found == path:
            return name
    words = "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__)
    return words.strip("_")


def parameters_of(position: Position) -> dict[str, int | float | str]:
    """The parameters that a position's game is played with, those that can be written as text."""
    values = {name: getattr(position, name) for name in position.parameters}
    return {name: value for name, value in values.items() if isinstance(value, int | float | str)}


def title(position: Position) -> str:
    """The game of a position and those of its parameters that are not usual: "hex, size=7"."""
    usual = parameters_of(type(position)())
    shown = [f"{k}={v!r}" for k, v in parameters_of(position).items() if v != usual[k]]
    return ", ".join([name_of(position), *shown])


def start_of(game: str | Position, parameters: dict[str, Any]) -> tuple[Position, str]:
    """The position that a game begins with, given by name and parameters or as it is; its name."""
    if isinstance(game, str):
        return start_position(game, **parameters), game
    if not isinstance(game, Position):
        raise TypeError(f"a game is a name or a position, not {game!r}")
    require_valid(game)
    if parameters:
        raise TypeError("parameters go with a game's name: a position has its own")
    return game, name_of(game)
