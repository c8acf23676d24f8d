"""Games of Hex as SGF files, such as those of HexGui: ``FF[4]GM[11]SZ[11];B[c4];W[h8]``.

``read`` and ``write`` turn text into an ``SgfGame`` and back, ``load`` and ``save`` do so with
files. Black is player 0. sgfmill reads the grammar, which is the same for all games; the properties
of Hex are interpreted here. Source: SGF FF[4], https://www.red-bean.com/sgf/, and its page on Hex.

The main line of a file with variations is read. The pie rule has two forms, and old programs write
one for the other; the colour that moves next tells which was meant. ``swap-pieces`` mirrors the
stone and Black moves: that is the swap of ``Hex(swap=True)``. ``swap-sides`` leaves the board as it
is and White moves, the players having changed seats: ``SgfGame.sides_swapped`` says so, and the
game goes on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TypeGuard

from sgfmill import sgf_grammar

from adv_envs.files import write_file
from adv_envs.games.hex import Hex
from adv_envs.notation import read_line
from adv_envs.position import Position

from .hex_setup import COLOURS, Cell, set_up, stones

__all__ = ["SgfError", "SgfGame", "load", "read", "save", "supports", "write"]

HEX = "11"
"""The number of Hex among the games of SGF."""

Node = dict[str, list[bytes]]
"""A node of a file: raw values by property."""

OWN = {"FF", "GM", "SZ", "AP", "CA", "AB", "AW", "AE", "PL", "B", "W", "C"}
"""Properties that are part of the game; all others are text about it."""


class SgfError(ValueError):
    """A file that is not a game of Hex; the message says what is wrong, and where."""


@dataclass(frozen=True)
class SgfGame:
    """A game that was read from a file."""

    start: Hex
    actions: tuple[int, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    """The other properties of the root: PB and PW (the players), RE (the result), DT, EV, ..."""
    comments: Mapping[int, str] = field(default_factory=dict)
    """Comments, by the number of actions before them."""
    sides_swapped: bool = False
    """Whether the players changed seats after the first stone, which stayed as it was."""

    @property
    def end(self) -> Hex:
        """The last position."""
        return self.start.after(self.actions)

    @property
    def result(self) -> str:
        """The result as the file has it, such as "B+" or "W+Resign"; "" if it does not say."""
        return self.properties.get("RE", "")


def supports(position: Position) -> TypeGuard[Hex]:
    """Whether games from this position can be written to files."""
    return isinstance(position, Hex)


def load(path: str | os.PathLike[str]) -> SgfGame:
    """The game in a file. OSError if there is none, SgfError, which names it, as in ``read``."""
    data = Path(path).read_bytes()
    try:
        return read(data)
    except SgfError as error:
        raise SgfError(f"{os.fspath(path)}: {error}") from None


def save(
    path: str | os.PathLike[str],
    start: Hex,
    actions: Sequence[int],
    comments: Mapping[int, str] | None = None,
    **properties: str,
) -> None:
    """Write a game into a file, see ``write``."""
    write_file(path, write(start, actions, comments, **properties))


# ---- writing


def write(
    start: Hex,
    actions: Sequence[int],
    comments: Mapping[int, str] | None = None,
    **properties: str,
) -> str:
    """The game as SGF: ``write(Hex(5), [12, 7], PB="Ann", PW="Bob", comments={1: "the centre"})``.

    ``comments`` go by the number of actions before them. The result is given as RE where the game
    came to its end. Raises IllegalMove, and ValueError for other games, properties and comments.
    """
    from adv_envs import __version__

    if not supports(start):
        raise ValueError(f"SGF is for hex here, not for {type(start).__name__}")
    root: Node = {}
    given = {"FF": "4", "GM": HEX, "CA": "UTF-8", "AP": f"adv-envs:{__version__}"}
    for name, value in {
        **given,
        "SZ": str(start.size),
        **_extra(start, actions, properties),
    }.items():
        root[name] = [_raw(value)]
    _write_stones(root, start)
    nodes, position = [root], start
    for action in read_line(start, actions):
        name = "swap-pieces" if action == position.num_stone_actions else position.name(action)
        nodes.append({"BW"[position.to_move]: [name.encode()]})
        position = position.play(action)
    for number, text in (comments or {}).items():
        if number not in range(len(nodes)):
            raise ValueError(f"there is a comment on move {number} of {len(nodes) - 1}")
        if text:
            nodes[number]["C"] = [_raw(text)]
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return str(sgf_grammar.serialise_game_tree(tree).decode())


def _extra(start: Hex, actions: Sequence[int], properties: Mapping[str, str]) -> dict[str, str]:
    """The properties that are text, checked, and the result if it is not among them."""
    for name, value in properties.items():
        if name in OWN or not re.fullmatch("[A-Z]{1,64}", name):
            why = "belongs to the game" if name in OWN else "is no name of a property"
            raise ValueError(f"{name} {why}: give others, such as PB, PW, RE, DT, EV")
        if not isinstance(value, str):
            raise TypeError(f"{name} must be text, not {value!r}")
    extra = {"RU": "swap"} if start.swap else {}
    end = start.after(actions)
    if end.is_terminal():
        extra["RE"] = "WB"[end.to_move] + "+"
    return {**extra, **properties}


def _write_stones(root: Node, start: Hex) -> None:
    """Where the game does not begin with an empty board, the stones and whose turn it is."""
    for player, name in ((0, "AB"), (1, "AW")):
        if cells := stones(start, player):
            root[name] = [start.cell_name(*cell).encode() for cell in cells]
    if len(root.keys() & {"AB", "AW"}) or start.to_move == 1:
        root["PL"] = ["BW"[start.to_move].encode()]


def _raw(text: str) -> bytes:
    raw: bytes = sgf_grammar.escape_text(text.encode())
    return raw


# ---- reading


def read(text: str | bytes) -> SgfGame:
    """The game that ``text`` is; SgfError says what is wrong and where.

    Bytes are decoded as their CA property says, as UTF-8 or, where that fails, as Latin-1.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    nodes = nodes_of(data)
    reader = SgfReader(nodes[0], "utf-8" if isinstance(text, str) else encoding_of(nodes[0]))
    for number, node in enumerate(nodes):
        following = (n for n in nodes[number + 1 :] if n.keys() & {"B", "W"})
        reader.read_node(node, next(following, {}))
    return reader.game()


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
        raise SgfError(f"no game: it would begin with (;FF[4]GM[{HEX}]SZ[11]")
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


class SgfReader:
    """Reads the nodes of a game, one after another."""

    def __init__(self, root: Node, encoding: str) -> None:
        self.encoding = encoding
        self.size = self._size(root)
        texts = {name: self.text(values[0]) for name, values in root.items() if name not in OWN}
        self.properties = texts
        self.swap = bool(re.search("swap|pie", texts.get("RU", ""), re.IGNORECASE))
        self.setup: dict[Cell, int] = {}
        self.to_move: int | None = None
        self.start: Hex | None = None
        self.here: Hex | None = None
        self.actions: list[int] = []
        self.comments: dict[int, str] = {}
        self.sides_swapped = False

    def _size(self, root: Node) -> int:
        game = self.text(root["GM"][0]).strip() if "GM" in root else "1, the default"
        if game != HEX:
            raise SgfError(f"this is game number {game}; Hex is GM[{HEX}]")
        if "SZ" not in root:
            raise SgfError("the size of the board is missing: SZ[11]")
        size = self.text(root["SZ"][0]).strip()
        match = re.fullmatch(r"(\d{1,3})(?::(\d{1,3}))?", size)
        if match is None or (match[2] or match[1]) != match[1]:
            raise SgfError(f"SZ[{size}] is no square board: SZ[11]")
        try:
            return Hex(int(match[1])).size
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
                cell = self.cell(self.text(value).strip().lower(), name)
                self.setup.pop(cell, None)
                if player is not None:
                    self.setup[cell] = player
        for value in node.get("PL", []):
            word = self.text(value).strip().lower()
            if word not in ("b", "black", "w", "white", "1", "2"):
                raise SgfError(f"PL[{word}] is no player: PL[B] or PL[W]")
            self.to_move = int(word[0] in "w2")

    def cell(self, word: str, name: str) -> Cell:
        """The cell called ``word``: "c4", or "cd" as on Little Golem."""
        match = re.fullmatch(r"([a-z])(?:([1-9]\d?)|([a-z]))", word)
        row, column = -1, -1
        if match is not None:
            row = int(match[2]) - 1 if match[2] else ord(match[3]) - ord("a")
            column = ord(match[1]) - ord("a")
        if not (0 <= row < self.size and 0 <= column < self.size):
            last = Hex(self.size).cell_name(self.size - 1, self.size - 1)
            where = f"move {len(self.actions) + 1}: " if name in "BW" else ""
            raise SgfError(f"{where}{name}[{word}] is not a cell: a1 to {last}")
        return row, column

    def begin(self, to_move: int | None, swap: bool) -> Hex:
        """End the set-up and begin the game from the stones that were set up."""
        cells: list[list[Cell]] = [[], []]
        for cell, player in self.setup.items():
            cells[player].append(cell)
        player_to_move = to_move if self.to_move is None else self.to_move
        try:
            self.start = self.here = set_up(self.size, cells[0], cells[1], player_to_move, swap)
        except ValueError as error:
            raise SgfError(f"the stones that are set up: {error}") from None
        return self.here

    def move(self, player: int, word: str, following: Node) -> None:
        """A move of ``player``; SgfError if the rules do not have it."""
        here = self.here or self.begin(player, self.swap)
        what = f"move {len(self.actions) + 1}, {'BW'[player]}[{word}],"
        if word in ("resign", "forfeit"):
            how = "Resign" if word == "resign" else "Forfeit"
            self.properties.setdefault("RE", f"{'WB'[player]}+{how}")
            return
        if here.is_terminal():
            raise SgfError(f"{what} comes after the end of the game")
        if here.to_move != player:
            raise SgfError(f"{what} is out of turn: {COLOURS[here.to_move]} is to move")
        if word in ("swap", "swap-pieces", "swap-sides"):
            self.swap_players(word, following, what)
            return
        row, column = self.cell(word, "BW"[player])
        if here.cell(row, column) is not None:
            raise SgfError(f"{what} is not legal: there is a stone")
        self.play(row * self.size + column)

    def play(self, action: int) -> None:
        """Make a move."""
        assert self.here is not None  # a move has begun the game
        self.actions.append(action)
        self.here = self.here.play(action)

    def swap_players(self, word: str, following: Node, what: str) -> None:
        """Apply the pie rule in the form that fits the next move."""
        start, here = self.start, self.here
        assert start is not None
        assert here is not None
        if here.ply != 1 or len(self.actions) != 1 or self.sides_swapped:
            raise SgfError(f"{what} is not legal: White may swap for the first stone, or never")
        if "W" in following or ("B" not in following and word == "swap-sides"):
            self.sides_swapped = True
            return
        self.start = self.here = Hex(self.size, True)
        first, self.actions = self.actions, []
        for action in [*first, here.num_stone_actions]:
            self.play(action)

    def game(self) -> SgfGame:
        """The game that the nodes make."""
        start = self.start or self.begin(None, self.swap)
        made = tuple(self.actions)
        return SgfGame(start, made, self.properties, self.comments, self.sides_swapped)
