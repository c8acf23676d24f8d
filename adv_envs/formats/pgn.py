"""Games of chess as PGN, the Portable Game Notation: ``1. e4 e5 2. Nf3 *``.

``read`` and ``write`` turn text into ``PgnGame`` and back; a text may have many games. What is read
may have comments, variations, annotations and moves in UCI's notation; the main lines count. What
is written is the export format: seven tags first, lines of at most 79 characters. Source: S. J.
Edwards, Standard: Portable Game Notation Specification and Implementation Guide (1994).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from adv_envs.games.chess import Chess
from adv_envs.notation import read_line
from adv_envs.position import Position

__all__ = ["PgnError", "PgnGame", "read", "set_up", "supports", "write"]

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has, in this order."""

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
UNKNOWN = "*"

TOKEN = re.compile(
    r"""\[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]"""
    r"""|\{(?P<comment>[^}]*)\}|;[^\n]*|^%[^\n]*|(?P<open>\()|(?P<close>\))|\$\d+"""
    r"""|(?P<result>1-0|0-1|1/2-1/2|\*)|\d+\.+|\d+(?=\s)|(?P<move>[A-Za-z0-9][\w+#=:/-]*[!?]*)|[!?.]+|\s+""",
    re.MULTILINE,
)


class PgnError(ValueError):
    """A text that is no game of chess; the message says what is wrong, and where."""


@dataclass(frozen=True)
class PgnGame:
    """A game that was read."""

    start: Chess
    actions: tuple[int, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    """Event, White, Black and others, as the text has them."""
    result: str = UNKNOWN
    """What the text says at the end: "1-0", "0-1", "1/2-1/2" or "*"."""

    @property
    def end(self) -> Chess:
        """The position after the last move."""
        return self.start.after(self.actions)


def supports(position: Position) -> TypeGuard[Chess]:
    """Whether games from this position can be read and written."""
    return type(position) is Chess


def set_up(usual: Chess, fen: str) -> Chess:
    """The position of a FEN record, by the rules of ``usual``; ValueError says what is wrong."""
    return Chess.from_fen(fen, usual.repetition)


def read(text: str, repetition: bool = True) -> list[PgnGame]:
    """The games of a text. Raises PgnError, which gives the line, for what cannot be read.

    With ``repetition`` False a game may go on after a third occurrence, which is no draw in games
    that nobody claimed; so it may after fifty moves only by the rules of ``Chess``.
    """
    games: list[PgnGame] = []
    tags: dict[str, str] = {}
    moves: list[str] = []
    for kind, value, line in _tokens(text):
        if kind == "tag":
            if moves:
                games.append(_game(tags, moves, UNKNOWN, line, repetition))
                tags, moves = {}, []
            name, _, content = value.partition("\n")
            tags[name] = content
        elif kind == "move":
            moves.append(value)
        elif kind == "result":
            games.append(_game(tags, moves, value, line, repetition))
            tags, moves = {}, []
    if tags or moves:
        games.append(_game(tags, moves, UNKNOWN, text.count("\n") + 1, repetition))
    return games


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """(Kind, value, line) of tags, moves and results outside of comments and variations."""
    at, depth = 0, 0
    while at < len(text):
        found = TOKEN.match(text, at)
        line = text.count("\n", 0, at) + 1
        if not found:
            raise PgnError(f"line {line}: cannot read {text[at : at + 20]!r}")
        at = found.end()
        kind = found.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "value":
            value = re.sub(r"\\(.)", r"\1", found["value"])
            yield "tag", f"{found['tag']}\n{value}", line
        elif kind in ("move", "result") and depth == 0:
            yield kind, found[kind], line
    if depth > 0:
        raise PgnError("a variation is not closed: a bracket is missing")


def _game(
    tags: dict[str, str], moves: list[str], result: str, line: int, repetition: bool
) -> PgnGame:
    """The game of these tags and moves, which ends in ``line``."""
    try:
        start = Chess.from_fen(tags["FEN"], repetition) if "FEN" in tags else Chess(repetition)
        actions = read_line(start, moves)
    except ValueError as error:
        raise PgnError(f"in the game that ends in line {line}: {error}") from error
    return PgnGame(start, tuple(actions), tags, result)


def write(start: Chess, actions: Sequence[int] = (), **tags: str) -> str:
    """A game as PGN. ``tags``, such as ``White="Ann"``, replace or follow the seven of the roster.

    The result is that of the position reached, "*" if the game is not over, unless a tag says so.
    """
    position, words = start, list[str]()
    for action in actions:
        if not words or position.to_move == 0:
            dots = "." if position.to_move == 0 else "..."
            words.append(f"{position.ply // 2 + 1}{dots}")
        words.append(position.san(action))
        position = position.move(action)
    result = RESULTS[int(position.utility(0))] if position.is_terminal() else UNKNOWN
    found = {**dict.fromkeys(ROSTER, "?"), "Date": "????.??.??", "Result": result, **tags}
    if start != start.start():
        found |= {"SetUp": "1", "FEN": start.fen()}
    quoted = {name: re.sub(r'(["\\])', r"\\\1", value) for name, value in found.items()}
    head = "".join(f'[{name} "{value}"]\n' for name, value in quoted.items())
    return f"{head}\n{textwrap.fill(' '.join([*words, found['Result']]), 79)}\n"
