r"""Reads and writes the text and the grammar of SGF files, and what every game reads alike.

In Shift_JIS, GBK and Big5 the second byte of a character may be ``\`` or ``]``, so a file is
decoded before it is parsed. The main line of a game ends with its first ``)``: variations come
after that and are skipped, whatever they hold.

sgfmill reads and writes the grammar. ``SgfReader`` goes through the nodes of the main line; a game
derives from it and says what its cells and moves are.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from sgfmill import sgf_grammar

from adv_envs.position import Board, Position

# ---- the text of files


class SgfError(ValueError):
    """Says what is wrong with a file that is not a game that can be read, and where."""


# ---- encodings

CA = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:+-]{1,40})\s*\]")
SAMPLE = rb"(;C[aZ09.:+-\u0041] )"
"""What means the same in every encoding that a file may have."""

LARGER = {
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "shift_jis": ("cp932",),
    "euc_kr": ("cp949",),
    "big5": ("cp950", "big5hkscs"),
}
"""Encodings with more characters, which files have under the name of the smaller one."""

BYTE_ORDERS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def decoded(data: bytes) -> str:
    r"""Returns the text of a file: by its byte-order mark, or by its CA property.

    Where there is neither, or it is wrong, the text is UTF-8 or, where that fails, Latin-1.
    SgfError where Latin-1 could lose moves, because a byte beyond ASCII comes before a ``\``, and
    for games in different encodings.
    """
    for mark, name in BYTE_ORDERS.items():
        if data.startswith(mark):
            return _decoded_by(name, data) or data.decode("latin-1")
    said = {name for found in CA.findall(data) if (name := usable(found.decode("latin-1")))}
    if len(said) > 1 and not data.isascii():
        raise SgfError(f"the games are in different encodings: {', '.join(sorted(said))}")
    for name in [one for known in said for one in (known, *LARGER.get(known, ()))] + ["utf-8"]:
        text = _decoded_by(name, data)
        if text is not None:
            return text
    if re.search(rb"[\x80-\xff]\\", data):
        known = f"{said.pop()}, as CA says, nor UTF-8" if said else "UTF-8"
        ways = "CA[Shift_JIS], CA[GBK], CA[Big5]"
        raise SgfError(f"the text is not {known}: say what it is, such as {ways}")
    return data.decode("latin-1")


def usable(name: str) -> str:
    """Returns Python's name of an encoding in which a file may be; "" for what is none."""
    try:
        found = codecs.lookup(name.removeprefix("x-")).name
        same = SAMPLE.decode(found) == SAMPLE.decode("ascii")
    except (LookupError, UnicodeError):
        return ""
    return found if same else ""


def _decoded_by(name: str, data: bytes) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


# ---- games

BEGIN = re.compile(r"\(\s*;")
"""Where a game begins; what is before it is no part of the file's games."""

PIECE = re.compile(r"\[(?:[^\\\]]+|\\.)*+(?:\]|\Z|\\\Z)|[();]", re.DOTALL)
"""A value, closed or not, or what is between values."""


class MainLine(NamedTuple):
    """Holds the main line of a game in a file, from ``begin`` to ``end``."""

    whole: str
    """The text of the file."""
    begin: int
    end: int
    depth: int
    """How many brackets are open at the end."""
    fault: str = ""
    """What is wrong behind the main line, if moves may be there that belong to it."""

    @property
    def text(self) -> str:
        """Returns the main line, closed as if there were no variations."""
        return self.whole[self.begin : self.end] + ")" * self.depth

    def place(self, at: int) -> str:
        """Returns the line and the column of a character of the file."""
        line = self.whole.count("\n", 0, at) + 1
        return f"line {line}, column {at - self.whole.rfind(chr(10), 0, at)}"


def games_in(text: str) -> Iterator[MainLine]:
    """Yields the games of a file; the last one may be torn, or have a fault."""
    at = 0
    while begin := BEGIN.search(text, at):
        game = _main_line(text, begin.start())
        at, fault = _end_of(game) if game.depth else (-1, "")
        yield game._replace(fault=fault)
        if at < 0:
            return


def _main_line(text: str, begin: int) -> MainLine:
    """Returns the main line of a game; of a torn one all the rest, without an open bracket."""
    depth, at = 0, begin
    while piece := PIECE.search(text, at):
        if piece[0] == ")":
            return MainLine(text, begin, piece.start(), depth)
        depth, at = depth + (piece[0] == "("), piece.end()
    return MainLine(text, begin, len(text), 0)


def _end_of(game: MainLine) -> tuple[int, str]:
    """Returns where the game ends, its variations included, or -1 and why nothing is read then."""
    depth = level = game.depth
    at = game.end
    while depth > 0:
        piece = PIECE.search(game.whole, at)
        if piece is None:
            return -1, ""
        level = min(level, depth)
        if piece[0] not in "()" and depth == level:
            return -1, f"{game.place(piece.start())}: a node follows a variation"
        depth, at = depth + {"(": 1, ")": -1}.get(piece[0], 0), piece.end()
    return at, ""


Node = dict[str, list[bytes]]
"""A node of a file: raw values by property."""

Root = dict[str, list[str]]
"""What a file says of the start: texts by property."""

Cell = tuple[int, int]
"""(row, column), from 0; row 0 is at the top."""

COLOURS = "black", "white"
"""The names of player 0 and of player 1."""

OWN = {"FF", "GM", "SZ", "AP", "CA", "AB", "AW", "AE", "PL", "B", "W", "C"}
"""Properties that are part of the game; all others are text about it."""


@dataclass(frozen=True)
class SgfGame:
    """Holds a game that was read from a file."""

    start: Any
    """Where the game begins: a position of the game that the file is of."""
    actions: tuple[int, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    """The other properties of the root: PB and PW (the players), RE (the result), DT, EV, ..."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Comments, by the number of actions before them."""
    sides_swapped: bool = False
    """Whether the players changed seats after the first stone, which stayed as it was."""
    earlier: tuple[SgfGame, ...] = ()
    """What was played before stones were set up in the middle of the game, a part for each time.
    ``start`` is the position that was set up last."""

    @property
    def end(self) -> Any:
        """Returns the last position."""
        return self.start.after(self.actions)

    @property
    def result(self) -> str:
        """Returns the result as the file has it, such as "B+" or "W+Resign"; "" if it has none."""
        return self.properties.get("RE", "")


def nodes_of(game: MainLine) -> list[Node]:
    """Returns the nodes of the main line. SgfError, with line and column, for faulty grammar."""
    try:
        data = game.text.encode()
    except UnicodeEncodeError as error:
        raise SgfError(f"{game.place(game.begin + error.start)}: half of a character") from None
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        at = _place_of_fault(data, str(error))
        place = game.place(game.begin + len(data[:at].decode("utf-8", "ignore")))
        raise SgfError(f"{place}: {error}") from None
    return list(sgf_grammar.main_sequence_iter(tree))


def _place_of_fault(data: bytes, why: str) -> int:
    """Returns the length of the shortest beginning with this fault in the grammar."""
    _, at = sgf_grammar.tokenise(data)
    low = 0
    while "end of SGF" not in why and low < at:
        middle = (low + at) // 2
        try:
            sgf_grammar.parse_sgf_game(data[:middle])
            fault = ""
        except ValueError as error:
            fault = str(error)
        low, at = (low, middle) if fault == why else (middle + 1, at)
    return int(at)


def value_of(root: Node, name: str) -> str:
    """Returns the first value of a property as text; "" if there is none."""
    plain: bytes = sgf_grammar.text_value(root.get(name, [b""])[0])
    return plain.decode().strip()


def stones_of(start: Board, write: Callable[[int, int], str]) -> Root:
    """Writes the start's stones and whose turn it is, unless empty, by ``write(*cell)``."""
    root = {
        name: [write(*cell) for cell in start.cells_in(start.stones(player))]
        for player, name in ((0, "AB"), (1, "AW"))
        if start.stones(player)
    }
    return root | ({"PL": ["BW"[start.to_move]]} if root or start.to_move == 1 else {})


def raw(text: str) -> bytes:
    """Returns text as a property's value; ValueError if it has half of a character, a surrogate."""
    try:
        escaped: bytes = sgf_grammar.escape_text(text.encode())
    except UnicodeEncodeError as error:
        raise ValueError(f"{text[:80]!r} has half of a character at {error.start}") from None
    return escaped


class SgfReader:
    """Reads the nodes of a game, one after another."""

    own: ClassVar[set[str]] = OWN

    def __init__(self, nodes: list[Node]) -> None:
        root = nodes[0]
        self.nodes = nodes
        self.colours = "BW"
        """The properties that are moves of player 0 and of player 1."""
        self.size = self.read_size(root)
        texts = {n: self.text(values[0]) for n, values in root.items() if n and n not in self.own}
        self.properties = texts
        self.setup: dict[Cell, int] = {}
        self.to_move: int | None = None
        self.turn: int | None = None
        """Who was to move before stones were set up in the middle of the game."""
        self.start: Any = None
        self.here: Any = None
        self.actions: list[int] = []
        self.comments: dict[int, str] = {}
        self.sides_swapped = False
        self.earlier: list[SgfGame] = []

    # ---- what a game says

    def read_size(self, root: Node) -> int:
        """Returns the size of the board."""
        raise NotImplementedError

    def cells(self, word: str, name: str) -> list[Cell]:
        """Returns the cells that a value of property ``name`` sets up."""
        raise NotImplementedError

    def position(self, black: list[Cell], white: list[Cell], to_move: int | None) -> Any:
        """Returns the position with these stones; ValueError if there is none."""
        raise NotImplementedError

    def read_move(self, word: str, following: Node, what: str) -> None:
        """Reads a move of the player to move; ``what`` names it in errors."""
        raise NotImplementedError

    def go_on(self, what: str) -> None:
        """Goes on after the end of the game; SgfError where it is the board that ends it."""
        raise SgfError(f"{what} comes after the end of the game")

    def take_turn(self, player: int, what: str) -> None:
        """Goes on with another player than the one to move; SgfError unless the game allows it."""
        raise SgfError(f"{what} is out of turn: {COLOURS[self.here.to_move]} is to move")

    # ---- what is the same for all

    def begin(self, to_move: int | None) -> Any:
        """Ends the set-up and begins the game from the stones that were set up."""
        cells: list[list[Cell]] = [[], []]
        for cell, player in self.setup.items():
            cells[player].append(cell)
        if to_move is None or self.to_move is not None:
            to_move = self.turn if self.to_move is None else self.to_move
        try:
            return self.position(cells[0], cells[1], to_move)
        except ValueError as error:
            raise SgfError(f"the stones that are set up: {error}") from None

    def square(self, root: Node, start: type[Position], default: str = "") -> int:
        """Reads the size of a square board that a game has; by ``default`` that without SZ."""
        size = value_of(root, "SZ") or default
        if not size:
            raise SgfError("the size of the board is missing: SZ[11]")
        match = re.fullmatch(r"(\d{1,3})(?::(\d{1,3}))?", size)
        if match is None or (match[2] or match[1]) != match[1]:
            raise SgfError(f"SZ[{size}] is no square board: SZ[{default or 11}]")
        try:
            return int(start(size=int(match[1])).size)  # type: ignore[call-arg, attr-defined]
        except ValueError as error:
            raise SgfError(f"SZ[{size}]: {error}") from None

    def text(self, value: bytes) -> str:
        """Returns a value as text, its escapes undone."""
        plain: bytes = sgf_grammar.text_value(value)
        return plain.decode()

    def word(self, value: bytes) -> str:
        """Returns a value that is a cell, a colour or a move."""
        return self.text(value).strip().lower()

    def game(self) -> SgfGame:
        """Returns the game that the nodes make."""
        following = [Node()]
        for node in reversed(self.nodes[1:]):
            following.append(node if node.keys() & {"B", "W"} else following[-1])
        for node in self.nodes:
            self.read_node(node, following.pop())
        if self.start is None:
            self.start = self.begin(None)
        return self.part(self.properties, tuple(self.earlier))

    def part(self, properties: Mapping[str, str], earlier: tuple[SgfGame, ...] = ()) -> SgfGame:
        """Returns what was played since stones were set up."""
        actions, comments = tuple(self.actions), dict(self.comments)
        return SgfGame(self.start, actions, properties, comments, self.sides_swapped, earlier)

    def read_node(self, node: Node, following: Node) -> None:
        """Reads one node; ``following`` is the next node with a move, which explains a swap."""
        if node.keys() & {"AB", "AW", "AE", "PL"}:
            self.set_up(node)
        if "B" in node and "W" in node:
            raise SgfError(f"there are two moves in the node after move {self.count}")
        for player, name in enumerate(self.colours):
            for value in node.get(name, []):
                self.move(player, self.word(value), following)
        for text in filter(None, map(self.text, node.get("C", []))):
            before = self.comments.get(len(self.actions), "")
            self.comments[len(self.actions)] = f"{before}\n{text}".strip("\n") if before else text

    @property
    def count(self) -> int:
        """Returns how many moves were read."""
        return len(self.actions) + sum(len(part.actions) for part in self.earlier)

    def set_up(self, node: Node) -> None:
        """Puts stones on the board, or takes them from it."""
        stones = self.setup if self.here is None else self.stones()
        found, to_move = stones.copy(), self.to_move
        for name, player in (("AB", 0), ("AW", 1), ("AE", None)):
            for word in filter(None, map(self.word, node.get(name, []))):
                for cell in self.cells(word, name):
                    found.pop(cell, None)
                    if player is not None:
                        found[cell] = player
        for word in filter(None, map(self.word, node.get("PL", []))):
            if word not in ("b", "black", "w", "white", "1", "2"):
                raise SgfError(f"PL[{word}] is no player: PL[B] or PL[W]")
            to_move = int(word[0] in "w2")
        if self.here is None:
            self.setup, self.to_move = found, to_move
        elif found != stones or to_move not in (None, self.here.to_move):
            self.begin_again(found, to_move)

    def stones(self) -> dict[Cell, int]:
        """Returns the stones that are on the board now."""
        return {
            cell: player
            for player in (0, 1)
            for cell in self.here.cells_in(self.here.stones(player))
        }

    def begin_again(self, found: dict[Cell, int], to_move: int | None) -> None:
        """Ends what was played so far, and goes on from other stones."""
        self.earlier.append(self.part({}))
        self.setup, self.to_move, self.turn = found, to_move, self.here.to_move
        self.start, self.here, self.actions, self.comments = None, None, [], {}
        self.sides_swapped = False

    def move(self, player: int, word: str, following: Node) -> None:
        """Plays a move of ``player``; SgfError if the rules do not have it."""
        if self.here is None:
            self.start = self.here = self.begin(player)
            self.to_move = None
        what = f"move {self.count + 1}, {self.colours[player]}[{word}],"
        if word in ("resign", "forfeit"):
            how = "Resign" if word == "resign" else "Forfeit"
            self.properties.setdefault("RE", f"{'WB'[player]}+{how}")
            return
        if self.here.is_terminal():
            self.go_on(what)
        if self.here.to_move != player:
            self.take_turn(player, what)
        self.read_move(word, following, what)

    def play(self, action: int) -> None:
        """Makes a move."""
        self.actions.append(action)
        self.here = self.here.play(action)
