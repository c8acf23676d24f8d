"""Reads and writes chess as PGN, the Portable Game Notation: ``1. e4 e5 2. Nf3 *``.

``read_all`` and ``write`` turn text into ``PgnGame`` and back; a text may have many games, and
each is read by itself. What is read may be as it is found: comments, variations, annotations, other
spellings of moves, missing results. The main lines count, and variations may hold anything. What is
written is the export format: seven tags first, lines of at most 79 characters. Source: S. J.
Edwards, Standard: Portable Game Notation Specification and Implementation Guide (1994).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from adv_envs.games.chess import Chess
from adv_envs.notation import IllegalMove
from adv_envs.position import Position, checked

__all__ = [
    "PgnError",
    "PgnGame",
    "decode",
    "fill",
    "head",
    "read",
    "read_all",
    "set_up",
    "supports",
    "write",
]

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has, in this order."""

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
UNKNOWN = "*"
DRAWN = "1/2", "\u00bd-\u00bd", "\u00bd"
"""Other ways to write that a game is drawn."""

TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>\{[^}]*\}?)|(?P<skipped>;[^\n]*|^%[^\n]*|\$\d*|<[^>\n]*>)"""
    r"""|(?P<open>\()|(?P<close>\))"""
    r"""|\[\s*(?P<name>[A-Za-z0-9][\w+#=:-]*)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]"""
    r"""|^\[\s*(?P<line_name>[A-Za-z0-9][\w+#=:-]*)\s+"(?P<line_value>[^\n]*)"\s*\][^\S\n]*$"""
    r"""|(?P<no_tag>^\[[^\n]*)"""
    r"""|(?P<result>(?:1-0|0-1|1/2(?:-1/2)?|\u00bd(?:-\u00bd)?|\*)(?![\w/-]))"""
    r"""|(?P<number>(?!0000)\d+(?:\s*[.\u2026]+|(?=[\s({;A-Za-z\u2654-\u265f]|$)))"""
    r"""|(?P<word>(?:[^\s{}()\[\];$<>]|(?<=[18])\([QRBNqrbn]\))+)|(?P<other>.)""",
    re.MULTILINE,
)
TAGS_BEGIN = re.compile(r"\n[^\S\n]*\n\[\w+\s+\"[^\n]*\"\]")
"""A blank line and a tag: what is open there will not be closed."""
NULL_MOVES = ("--", "z0", "0000", "@@@@", "null", "pass")
REMARKS = ("d", "n", "e.p.", "e.p", "ep")
"""A diagram, a novelty, and what may follow a capture en passant."""
STANDARD = ("", "?", "chess", "standard", "normal", "from position", "chess960", "fischerandom")
"""What the tag Variant calls chess; of Chess960, a FEN says whether it is a position of chess."""


class PgnError(ValueError):
    """Says what is wrong with a text that is no game of chess, and where."""


@dataclass(frozen=True)
class PgnGame:
    """Holds a game that was read."""

    start: Chess
    actions: tuple[int, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    """Event, White, Black and others, as the text has them."""
    result: str = UNKNOWN
    """What the text says: "1-0", "0-1", "1/2-1/2" or "*"."""

    @property
    def end(self) -> Chess:
        """Returns the position after the last move."""
        return self.start.after(self.actions)


def supports(position: Position) -> TypeGuard[Chess]:
    """Returns whether games from this position can be read and written."""
    return type(position) is Chess


def has_fen(position: Position) -> TypeGuard[Chess]:
    """Returns whether positions of the game have FEN records: also those on smaller boards."""
    return isinstance(position, Chess)


def set_up(usual: Chess, fen: str) -> Chess:
    """Returns the position of a FEN record, by the rules of ``usual``; ValueError if wrong."""
    return usual.from_fen(fen, usual.draws)


def decode(data: bytes) -> str:
    """Decodes the text of a file: UTF-8, with or without its mark, or the standard's Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# ---- reading


def read(text: str, draws: int | str = "automatic") -> list[PgnGame]:
    """Reads the games of a text, see ``read_all``; raises the PgnError of the first with one."""
    found = []
    for game in read_all(text, draws):
        if isinstance(game, PgnError):
            raise game
        found.append(game)
    return found


def read_all(text: str, draws: int | str = "automatic") -> Iterator[PgnGame | PgnError]:
    """Yields each game of a text, or what is wrong with it, by number and line.

    ``draws`` is that of the games, see ``Chess``. A game that was played on where that ends it has
    "claimed" instead, or "never": nobody had claimed a draw.
    """
    for number, section in enumerate(_sections(text), 1):
        try:
            yield section.game(draws)
        except ValueError as error:
            yield PgnError(f"game {number}, {error}")


@dataclass
class _Section:
    """Holds the text of one game: its tags, and its main line's words with line numbers."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    words: list[tuple[str, int]] = field(default_factory=list)
    result: str = ""
    depth: int = 0
    """How many variations are open."""
    wrong: str = ""
    """What is the first thing wrong."""

    @property
    def is_empty(self) -> bool:
        """Returns whether no game has begun."""
        return not (self.tags or self.words or self.result or self.depth or self.wrong)

    def ends_before(self, token: _Token) -> bool:
        """Returns whether ``token`` is the first of another game."""
        if self.is_empty:
            return False
        if token.kind in ("tag", "no_tag") and (self.depth == 0 or token.after_blank):
            begun = self.words or self.result or token.name in self.tags
            return bool(begun or token.after_blank)
        return bool(self.result)

    def add(self, token: _Token) -> None:
        """Takes a token of this game; those of variations and comments are skipped."""
        if token.kind == "comment" and not token.text.endswith("}"):
            self.fault(token.line, "a comment is not closed: } is missing")
        elif token.kind == "open":
            self.depth += 1
        elif self.depth > 0:
            self.depth -= token.kind == "close"
        elif token.kind == "tag":
            self.tags[token.name] = token.text
        elif token.kind == "result":
            self.result = RESULTS[0] if token.text in DRAWN else token.text
        elif token.kind == "word":
            self.words.append((token.text, token.line))
        elif token.kind == "no_tag":
            tag = '[White "Ann"]'
            self.fault(token.line, f"cannot read {token.text[:60]!r}: a tag looks like {tag}")
        elif token.kind in ("close", "other"):
            self.fault(token.line, f"cannot read {token.text!r}")

    def fault(self, line: int, why: str) -> None:
        """Notes what is wrong, if it is the first thing."""
        self.wrong = self.wrong or f"line {line}: {why}"

    def game(self, draws: int | str) -> PgnGame:
        """Returns the game. ValueError says what is wrong, beginning with the line."""
        if self.depth > 0:
            self.fault(self.line, "a variation is not closed: a bracket is missing")
        if self.wrong:
            raise ValueError(self.wrong)
        try:
            start = self.start(draws)
        except ValueError as error:
            raise ValueError(f"line {self.line}: {error}") from error
        position, actions = start, list[int]()
        for move, line in self.moves():
            position = position.resumed()
            actions.append(_action(position, move, line))
            position = position.play(actions[-1])
        result = self.result or self.tags.get("Result", UNKNOWN)
        known = result in (*RESULTS.values(), UNKNOWN)
        start = start.with_draws(position.draws)
        return PgnGame(start, tuple(actions), self.tags, result if known else UNKNOWN)

    def moves(self) -> Iterator[tuple[str, int]]:
        """Yields the words that are moves, without what follows them, with their lines."""
        for word, line in self.words:
            move = re.sub(r"^[.\u2026]+|[^\w)]+$", "", word)
            if word[:2] in NULL_MOVES or move.lower() in NULL_MOVES:
                raise ValueError(f"line {line}: {word[:20]!r} is a null move, and not of chess")
            if move and move.lower() not in REMARKS:
                yield move, line

    def start(self, draws: int | str) -> Chess:
        """Returns where the game begins."""
        variant = self.tags.get("Variant", "").lower()
        if variant not in STANDARD:
            raise ValueError(f"a game of {variant}, and not of chess")
        fen = self.tags.get("FEN", "").strip()
        return Chess(draws) if fen in ("", "?") else Chess.from_fen(fen, draws)


@dataclass
class _Token:
    """Holds a piece of a text: its kind is the name of a group of TOKEN, or "tag"."""

    kind: str
    text: str
    line: int
    name: str = ""
    """That of a tag, whose value is ``text``."""
    after_blank: bool = False
    """Whether a blank line comes before it."""


def _sections(text: str) -> Iterator[_Section]:
    """Yields the text of each game."""
    section = _Section(1)
    for token in _tokens(text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")):
        if section.ends_before(token):
            yield section
            section = _Section(token.line)
        if section.is_empty:
            section.line = token.line
        section.add(token)
    if not section.is_empty:
        yield section


def _tokens(text: str) -> Iterator[_Token]:
    """Yields all tokens but white space."""
    at, line, after_blank = 0, 1, False
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found, "some group of TOKEN matches any character"
        kind, value = str(found.lastgroup), found[0]
        if kind == "comment" and (tags := TAGS_BEGIN.search(value)):
            value = value[: tags.start()]
        if kind == "space":
            after_blank = value.count("\n") > 1
        elif kind in ("value", "line_value"):
            content = re.sub(r"\\([\"\\])", r"\1", found[kind])
            name = found["name"] or found["line_name"]
            yield _Token("tag", content, line, name, after_blank)
        else:
            yield _Token(kind, value, line, "", after_blank)
        after_blank = after_blank and kind == "space"
        at += len(value)
        line += value.count("\n")


def _action(position: Chess, move: str, line: int) -> int:
    """Returns the action of a move; ValueError says where it is wrong."""
    try:
        return position.action(move)
    except IllegalMove as error:
        number = f"{position.ply // 2 + 1}{'.' if position.to_move == 0 else '...'}"
        wrong = f"line {line}: {number} {move[:40]} is not legal; {position.choices()}"
        raise ValueError(wrong) from error


# ---- writing


def write(start: Chess, actions: Sequence[int] = (), **tags: str) -> str:
    """Writes a game as PGN. ``tags``, such as ``White="Ann"``, replace or follow the roster.

    The result is that of the position reached, "*" if the game is not over, unless a tag says so.
    """
    position, words = checked(start), list[str]()
    for action in actions:
        if not words or position.to_move == 0:
            dots = "." if position.to_move == 0 else "..."
            words.append(f"{position.ply // 2 + 1}{dots}")
        words.append(position.san(action))
        position = position.move(action)
    result = RESULTS[int(position.utility(0))] if position.is_terminal() else UNKNOWN
    found = {"Result": result, **tags}
    if start != start.start():
        found |= {"SetUp": "1", "FEN": start.fen()}
    return f"{head(found)}\n{fill([*words, found['Result']])}\n"


def head(tags: Mapping[str, str]) -> str:
    """Writes tags as lines, the roster's first, with what stands for unknown for missing ones.

    A line break in a value becomes a space.
    """
    all_tags = {**dict.fromkeys(ROSTER, "?"), "Date": "????.??.??", "Result": UNKNOWN, **tags}
    values = {name: " ".join(value.splitlines()) for name, value in all_tags.items()}
    quoted = {name: re.sub(r'(["\\])', r"\\\1", value) for name, value in values.items()}
    return "".join(f'[{name} "{value}"]\n' for name, value in quoted.items())


def fill(words: Sequence[str]) -> str:
    """Writes words in lines of at most 79 characters."""
    text = " ".join(words)
    return textwrap.fill(text, 79, break_long_words=False, break_on_hyphens=False)
