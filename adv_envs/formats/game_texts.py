"""Games as text in the formats that other programs know, whichever game it is.

``SET_UP`` positions, from which a game may begin, are a FEN record or an SGF file without moves;
``read_game`` and ``write_game`` know both formats, so that nobody else needs to ask which it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adv_envs.position import Position

from . import pgn, sgf


class GameText(NamedTuple):
    """A game that was read: where it began, and what was played."""

    start: Position
    actions: tuple[int, ...]


def write_set_up(start: Position) -> str:
    """A position from which a game may begin as text; "" for the usual one of its parameters.

    ValueError for games without such a text.
    """
    if start == start.start():
        return ""
    if pgn.supports(start):
        return start.fen()
    if sgf.supports(start):
        return sgf.write(start, ())
    raise ValueError(f"positions of {type(start).__name__} cannot be set up by text")


def read_set_up(usual: Position, text: str) -> Position:
    """The position that ``write_set_up`` wrote; ``usual`` is the start with the same parameters.

    ValueError says what is wrong.
    """
    if not text.strip():
        return usual
    if pgn.supports(usual):
        return pgn.set_up(usual, text)
    if sgf.supports(usual):
        found = sgf.read(text)
        if found.actions or not isinstance(found.start, type(usual)):
            raise ValueError("a set-up is an SGF file of this game without moves")
        if found.start.start() != usual:
            raise ValueError(f"the set-up is of {found.start.start()!r}, not of {usual!r}")
        return found.start
    raise ValueError(f"positions of {type(usual).__name__} cannot be set up by text")


def read_game(usual: Position, text: str) -> GameText | None:
    """The game in a text of one of the formats, the first one if there are several; else None.

    A FEN record is a game without moves. ValueError says what is wrong with a text that looks like
    one of the formats.
    """
    text = text.strip()
    if text.startswith("(") and ";" in text[:20]:
        if not sgf.supports(usual):
            raise ValueError(f"games of {type(usual).__name__} cannot be read from SGF")
        found = sgf.read(text)
        if not isinstance(found.start, type(usual)):
            raise ValueError("this SGF file is of another game")
        return GameText(found.start, found.actions)
    if not pgn.supports(usual):
        return None
    if text.count("/") == 7 and not text.startswith("["):
        return GameText(pgn.set_up(usual, text), ())
    if text.startswith("[") or "." in text:
        games = pgn.read(text, usual.repetition)
        if not games:
            raise ValueError("there is no game in this text")
        return GameText(games[0].start, games[0].actions)
    return None


def write_game(start: Position, actions: Sequence[int]) -> dict[str, str]:
    """The game in each of the formats that the game has, by their names: "SGF", "PGN", "FEN"."""
    if sgf.supports(start):
        return {"SGF": sgf.write(start, actions)}
    if pgn.supports(start):
        return {"PGN": pgn.write(start, actions), "FEN": start.after(actions).fen()}
    return {}
