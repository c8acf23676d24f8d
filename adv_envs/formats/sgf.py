"""Reads and writes Go and Hex as SGF, such as ``(;FF[4]GM[1]SZ[9]KM[7.5];B[ee];W[gc])``.

``read`` and ``write`` turn text into an ``SgfGame`` and back, ``load`` and ``save`` do so with
files; ``read_all`` reads a file of several games. Black is player 0. The main line of a file with
variations is read. ``sgf_nodes`` decodes a file, finds its games and has what is the
same for all, ``go_sgf`` and ``hex_sgf`` have what each game writes in its own way. Source:
SGF FF[4], https://www.red-bean.com/sgf/.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from sgfmill import sgf_grammar

from adv_envs.files import write_file
from adv_envs.games.go import Go
from adv_envs.games.hex import Hex
from adv_envs.notation import read_line
from adv_envs.position import Position, checked
from adv_envs.version import __version__

from . import go_sgf, hex_sgf
from .go_sgf import GoReader
from .hex_sgf import HexReader, is_hex
from .sgf_nodes import (
    BEGIN,
    MainLine,
    Node,
    SgfError,
    SgfGame,
    SgfReader,
    decoded,
    games_in,
    nodes_of,
    raw,
    value_of,
)

__all__ = [
    "SgfError",
    "SgfGame",
    "begins",
    "decoded",
    "load",
    "read",
    "read_all",
    "save",
    "supports",
    "write",
]

MODULES: dict[type[Position], Any] = {Go: go_sgf, Hex: hex_sgf}
"""How each game is written."""

READERS: dict[str, type[SgfReader]] = {go_sgf.NUMBER: GoReader, hex_sgf.NUMBER: HexReader}
"""How each game is read, by its number in SGF."""


def supports(position: Position) -> TypeGuard[Go | Hex]:
    """Returns whether games from this position can be written to files."""
    return type(position) in MODULES


def load(path: str | os.PathLike[str]) -> SgfGame:
    """Reads the game in a file. OSError if there is none, SgfError, with its name, as ``read``."""
    data = Path(path).read_bytes()
    try:
        return read(data)
    except SgfError as error:
        raise SgfError(f"{os.fspath(path)}: {error}") from None


def save(
    path: str | os.PathLike[str],
    start: Go | Hex,
    actions: Sequence[int],
    comments: Mapping[int, str] | None = None,
    **properties: str,
) -> None:
    """Writes a game into a file, see ``write``."""
    write_file(path, write(start, actions, comments, **properties))


# ---- writing


def write(
    start: Go | Hex,
    actions: Sequence[int],
    comments: Mapping[int, str] | None = None,
    **properties: str,
) -> str:
    """Writes SGF: ``write(Hex(5), [12, 7], PB="Ann", PW="Bob", comments={1: "the centre"})``.

    ``comments`` go by the number of actions before them. The result is given as RE where the game
    came to its end. Raises IllegalMove, and ValueError for other games, properties and comments.
    """
    if not supports(start):
        raise ValueError(f"SGF is for go and hex here, not for {type(start).__name__}")
    start, module = checked(start), MODULES[type(start)]
    given = {"FF": "4", "GM": module.NUMBER, "CA": "UTF-8", "AP": f"adv-envs:{__version__}"}
    root: Node = {name: [raw(value)] for name, value in given.items()}
    for name, values in module.root_of(start).items():
        root[name] = [raw(value) for value in values]
    for name, value in _extra(start, actions, properties).items():
        root[name] = [raw(value)]
    nodes, position = [root], start
    for action in read_line(start, actions):
        nodes.append({"BW"[position.to_move]: [raw(module.move_of(position, action))]})
        position = position.play(action)
    for number, text in (comments or {}).items():
        if number not in range(len(nodes)):
            raise ValueError(f"there is a comment on move {number} of {len(nodes) - 1}")
        if text:
            nodes[number]["C"] = [raw(text)]
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return str(sgf_grammar.serialise_game_tree(tree).decode())


def _extra(
    start: Go | Hex, actions: Sequence[int], properties: Mapping[str, str]
) -> dict[str, str]:
    """Returns the properties that are text, checked, and the result if it is not among them."""
    module = MODULES[type(start)]
    own = READERS[module.NUMBER].own
    for name, value in properties.items():
        if name in own or not re.fullmatch("[A-Z]{1,64}", name):
            why = "belongs to the game" if name in own else "is no name of a property"
            raise ValueError(f"{name} {why}: give others, such as PB, PW, RE, DT, EV")
        if not isinstance(value, str):
            raise TypeError(f"{name} must be text, not {value!r}")
    end = start.after(actions)
    return ({"RE": module.result_of(end)} if end.is_terminal() else {}) | dict(properties)


# ---- reading


def begins(text: str) -> bool:
    """Returns whether a game in SGF begins somewhere in a text."""
    return BEGIN.search(text) is not None


def read(text: str | bytes) -> SgfGame:
    """Reads the game of ``text``, the first if there are several; SgfError says what is wrong.

    Bytes are decoded by their byte-order mark or CA property, or else as UTF-8 or, where that fails
    and no move can be lost, as Latin-1. Variations are skipped. What comes before the game is
    ignored.
    """
    return _game(next(_games(text)))


def read_all(text: str | bytes) -> Iterator[SgfGame | SgfError]:
    """Yields each game of a text or, in its place, what is wrong with it.

    A game that nothing closes is the last one. SgfError for bytes whose encoding is not known, and
    for a text without any game.
    """
    for game in _games(text):
        try:
            yield _game(game)
        except SgfError as error:
            yield error


def _games(text: str | bytes) -> Iterator[MainLine]:
    """Returns the games of a file; SgfError if there is none."""
    games = games_in(text if isinstance(text, str) else decoded(bytes(text)))
    first = next(games, None)
    if first is None:
        raise SgfError("no game: it would begin with (;FF[4]GM[11]SZ[11]")
    return itertools.chain([first], games)


def _game(text: MainLine) -> SgfGame:
    """Returns one game of a file."""
    nodes = nodes_of(text)
    if text.fault:
        raise SgfError(text.fault)
    number = value_of(nodes[0], "GM") or (hex_sgf.NUMBER if is_hex(nodes) else go_sgf.NUMBER)
    if number not in READERS:
        raise SgfError(f"this is game number {number}; Go is GM[1], and Hex is GM[11]")
    return READERS[number](nodes).game()
