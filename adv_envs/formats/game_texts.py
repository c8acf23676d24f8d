"""Reads and writes any game as text in the formats that other programs know.

``SET_UP`` positions, from which a game may begin, are a FEN record or an SGF file without moves;
``read_game`` and ``write_game`` know both formats, so that nobody else needs to ask which it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adv_envs.position import Position

from . import pgn, sgf


class GameText(NamedTuple):
    """Holds a game that was read: where it began, what was played, and by whom."""

    start: Position
    actions: tuple[int, ...]
    players: tuple[str, str] = ("", "")
    """The names of player 0 and 1, or their colours."""
    earlier: tuple[GameText, ...] = ()
    """What was played before stones were set up in the middle of a game, a part for each time."""


def write_set_up(start: Position) -> str:
    """Writes a position from which a game may begin; "" for the usual one of its parameters.

    ValueError for games without such a text.
    """
    if start == start.start():
        return ""
    if pgn.has_fen(start):
        return start.fen()
    if sgf.supports(start):
        return sgf.write(start, ())
    raise ValueError(f"positions of {type(start).__name__} cannot be set up by text")


def write_position(position: Position) -> str:
    """Writes a position in one line that other programs know, a FEN record; "" if there is none."""
    return position.fen() if pgn.has_fen(position) else ""


def read_set_up(usual: Position, text: str) -> Position:
    """Reads the position that ``write_set_up`` wrote; ``usual`` is the start of the parameters.

    ValueError says what is wrong.
    """
    if not text.strip():
        return usual
    if pgn.has_fen(usual):
        return pgn.set_up(usual, text)
    if sgf.supports(usual):
        found = sgf.read(text)
        if found.actions or found.earlier or not isinstance(found.start, type(usual)):
            raise ValueError("a set-up is an SGF file of this game without moves")
        if found.start.start() != usual:
            raise ValueError(f"the set-up is of {found.start.start()!r}, not of {usual!r}")
        return found.start
    raise ValueError(f"positions of {type(usual).__name__} cannot be set up by text")


def decode(usual: Position, data: bytes) -> str:
    """Decodes the text of a file with a game: UTF-8, or Latin-1; SGF as it says itself.

    ValueError where it is not known in which encoding a file is, and moves could be lost.
    """
    if sgf.supports(usual):
        return sgf.decoded(data)
    return pgn.decode(data)


def read_games(usual: Position, data: bytes) -> Iterator[GameText | ValueError]:
    """Yields each game of an SGF or PGN file or, in its place, what is wrong with it.

    ValueError for a file that cannot be read at all, and for games without these formats.
    """
    if pgn.supports(usual):
        for game in pgn.read_all(pgn.decode(data), usual.draws):
            if isinstance(game, pgn.PgnError):
                yield game
            else:
                names = game.tags.get("White", "white"), game.tags.get("Black", "black")
                yield GameText(game.start, game.actions, names)
    elif sgf.supports(usual):
        for number, found in enumerate(sgf.read_all(data), 1):
            if isinstance(found, sgf.SgfError):
                yield ValueError(f"game {number}: {found}")
            else:
                parts = (GameText(part.start, part.actions) for part in found.earlier)
                names = found.properties.get("PB") or "black", found.properties.get("PW") or "white"
                yield GameText(found.start, found.actions, names, tuple(parts))
    else:
        raise ValueError(f"games of {type(usual).__name__} have no files")


def read_game(usual: Position, text: str) -> GameText | None:
    """Reads the game in a text of one of the formats, the first one if several; else None.

    A FEN record is a game without moves; of an SGF file with stones set up in the middle, it
    is what was played since. ValueError says what is wrong with a text that looks like one of
    the formats.
    """
    text = text.strip()
    if not sgf.supports(usual) and text.startswith("(") and sgf.begins(text[:20]):
        raise ValueError(f"games of {type(usual).__name__} cannot be read from SGF")
    if sgf.supports(usual) and sgf.begins(text):
        found = sgf.read(text)
        if not isinstance(found.start, type(usual)):
            raise ValueError("this SGF file is of another game")
        return GameText(found.start, found.actions)
    if pgn.has_fen(usual) and text.count("/") == usual.side - 1 and not text.startswith("["):
        return GameText(pgn.set_up(usual, text), ())
    if not pgn.supports(usual):
        return None
    if text.startswith("[") or "." in text:
        games = pgn.read(text, usual.draws)
        if not games:
            raise ValueError("there is no game in this text")
        return GameText(games[0].start, games[0].actions)
    return None


def write_game(start: Position, actions: Sequence[int]) -> dict[str, str]:
    """Writes the game in each of its formats, by their names: "SGF", "PGN", "FEN"."""
    if sgf.supports(start):
        return {"SGF": sgf.write(start, actions)}
    if pgn.supports(start):
        return {"PGN": pgn.write(start, actions), "FEN": start.after(actions).fen()}
    return {"FEN": start.after(actions).fen()} if pgn.has_fen(start) else {}
