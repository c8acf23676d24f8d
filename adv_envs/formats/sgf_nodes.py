"""The grammar of SGF files, which is the same for all games, and what every game reads alike.

sgfmill reads and writes the grammar. ``SgfReader`` goes through the nodes of the main line; a game
derives from it and says what its cells and moves are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

from sgfmill import sgf_grammar

from adv_envs.position import Position

Node = dict[str, list[bytes]]
"""A node of a file: raw values by property."""

Cell = tuple[int, int]
"""(row, column), from 0; row 0 is at the top."""

COLOURS = "black", "white"
"""The names of player 0 and of player 1."""

OWN = {"FF", "GM", "SZ", "AP", "CA", "AB", "AW", "AE", "PL", "B", "W", "C"}
"""Properties that are part of the game; all others are text about it."""


class SgfError(ValueError):
    """A file that is not a game that can be read; the message says what is wrong, and where."""


@dataclass(frozen=True)
class SgfGame:
    """A game that was read from a file."""

    start: Any
    """Where the game begins: a position of the game that the file is of."""
    actions: tuple[int, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    """The other properties of the root: PB and PW (the players), RE (the result), DT, EV, ..."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Comments, by the number of actions before them."""
    sides_swapped: bool = False
    """Whether the players changed seats after the first stone, which stayed as it was."""

    @property
    def end(self) -> Any:
        """The last position."""
        return self.start.after(self.actions)

    @property
    def result(self) -> str:
        """The result as the file has it, such as "B+" or "W+Resign"; "" if it does not say."""
        return self.properties.get("RE", "")


def nodes_of(data: bytes) -> list[Node]:
    """The nodes of the main line."""
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        _raise_at(data, str(error))
    return list(sgf_grammar.main_sequence_iter(tree))


def _raise_at(data: bytes, why: str) -> NoReturn:
    """Raise SgfError for a fault in the grammar, with its line and column."""
    tokens, at = sgf_grammar.tokenise(data)
    if not tokens:
        raise SgfError("no game: it would begin with (;FF[4]GM[11]SZ[11]")
    low = 0
    while "end of SGF" not in why and low < at:  # the shortest beginning with this fault
        middle = (low + at) // 2
        try:
            sgf_grammar.parse_sgf_game(data[:middle])
            fault = ""
        except ValueError as error:
            fault = str(error)
        low, at = (low, middle) if fault == why else (middle + 1, at)
    line, column = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
    raise SgfError(f"line {line}, column {column}: {why}")


def encoding_of(root: Node) -> str:
    """The encoding of the text in a file, by its CA property; Latin-1 where that is wrong."""
    name = root.get("CA", [b"utf-8"])[0].decode("ascii", "replace").strip()
    try:
        b"".join(value for values in root.values() for value in values).decode(name)
    except (LookupError, UnicodeDecodeError):
        return "latin-1"
    return name


def raw(text: str) -> bytes:
    """Text as the value of a property."""
    escaped: bytes = sgf_grammar.escape_text(text.encode())
    return escaped


def game_number(root: Node) -> str:
    """The number of the game among those of SGF; without one it is 1, Go."""
    return root.get("GM", [b"1"])[0].decode("ascii", "replace").strip()


class SgfReader:
    """Reads the nodes of a game, one after another."""

    own: ClassVar[set[str]] = OWN

    def __init__(self, root: Node, encoding: str) -> None:
        self.encoding = encoding
        self.size = self.read_size(root)
        texts = {n: self.text(values[0]) for n, values in root.items() if n not in self.own}
        self.properties = texts
        self.setup: dict[Cell, int] = {}
        self.to_move: int | None = None
        self.start: Any = None
        self.here: Any = None
        self.actions: list[int] = []
        self.comments: dict[int, str] = {}
        self.sides_swapped = False

    # ---- what a game says

    def read_size(self, root: Node) -> int:
        """The size of the board."""
        raise NotImplementedError

    def cells(self, word: str, name: str) -> list[Cell]:
        """The cells that a value of property ``name`` sets up."""
        raise NotImplementedError

    def begin(self, to_move: int | None) -> Any:
        """End the set-up and begin the game from the stones that were set up."""
        raise NotImplementedError

    def read_move(self, word: str, following: Node, what: str) -> None:
        """A move of the player to move; ``what`` names it in errors."""
        raise NotImplementedError

    # ---- what is the same for all

    def square(self, root: Node, start: type[Position], default: str = "") -> int:
        """The size of a square board that a game has; by ``default`` that of a file without SZ."""
        if "SZ" not in root and not default:
            raise SgfError("the size of the board is missing: SZ[11]")
        size = self.text(root["SZ"][0]).strip() if "SZ" in root else default
        match = re.fullmatch(r"(\d{1,3})(?::(\d{1,3}))?", size)
        if match is None or (match[2] or match[1]) != match[1]:
            raise SgfError(f"SZ[{size}] is no square board: SZ[{default or 11}]")
        try:
            return int(start(size=int(match[1])).size)  # type: ignore[call-arg, attr-defined]
        except ValueError as error:
            raise SgfError(f"SZ[{size}]: {error}") from None

    def text(self, value: bytes) -> str:
        """A value as text."""
        plain: bytes = sgf_grammar.text_value(value)
        return plain.decode(self.encoding, "replace")

    def read_node(self, node: Node, following: Node) -> None:
        """Read one node; ``following`` is the next node with a move, which explains a swap."""
        if node.keys() & {"AB", "AW", "AE", "PL"}:
            self.set_up(node)
        if "B" in node and "W" in node:
            raise SgfError(f"there are two moves in the node after move {len(self.actions)}")
        for player, name in enumerate("BW"):
            for value in node.get(name, []):
                self.move(player, self.text(value).strip().lower(), following)
        for value in node.get("C", []):
            before = self.comments.get(len(self.actions), "")
            joined = f"{before}\n{self.text(value)}".strip("\n") if before else self.text(value)
            self.comments[len(self.actions)] = joined

    def set_up(self, node: Node) -> None:
        """Put stones on the board, or take them from it, before the first move."""
        if self.here is not None:
            what = f"stones are set up after move {len(self.actions)}"
            raise SgfError(f"{what}: a record has such only before the first move")
        for name, player in (("AB", 0), ("AW", 1), ("AE", None)):
            for value in node.get(name, []):
                for cell in self.cells(self.text(value).strip().lower(), name):
                    self.setup.pop(cell, None)
                    if player is not None:
                        self.setup[cell] = player
        for value in node.get("PL", []):
            word = self.text(value).strip().lower()
            if word not in ("b", "black", "w", "white", "1", "2"):
                raise SgfError(f"PL[{word}] is no player: PL[B] or PL[W]")
            self.to_move = int(word[0] in "w2")

    def move(self, player: int, word: str, following: Node) -> None:
        """A move of ``player``; SgfError if the rules do not have it."""
        if self.here is None:
            self.start = self.here = self.begin(player)
        what = f"move {len(self.actions) + 1}, {'BW'[player]}[{word}],"
        if word in ("resign", "forfeit"):
            how = "Resign" if word == "resign" else "Forfeit"
            self.properties.setdefault("RE", f"{'WB'[player]}+{how}")
            return
        if self.here.is_terminal():
            raise SgfError(f"{what} comes after the end of the game")
        if self.here.to_move != player:
            raise SgfError(f"{what} is out of turn: {COLOURS[self.here.to_move]} is to move")
        self.read_move(word, following, what)

    def play(self, action: int) -> None:
        """Make a move."""
        self.actions.append(action)
        self.here = self.here.play(action)

    def game(self) -> SgfGame:
        """The game that the nodes make."""
        start = self.begin(None) if self.start is None else self.start
        made = tuple(self.actions)
        return SgfGame(start, made, self.properties, self.comments, self.sides_swapped)
