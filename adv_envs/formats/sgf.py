"""Games of Go and Hex as SGF files, such as ``(;FF[4]GM[1]SZ[9]KM[7.5];B[ee];W[gc])``.

``read`` and ``write`` turn text into an ``SgfGame`` and back, ``load`` and ``save`` do so with
files. Black is player 0. The main line of a file with variations is read. ``sgf_nodes`` has what is
the same for all games, ``go_sgf`` and ``hex_sgf`` have what each game writes in its own way.
Source: SGF FF[4], https://www.red-bean.com/sgf/.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from sgfmill import sgf_grammar

from adv_envs.files import write_file
from adv_envs.games.go import Go
from adv_envs.games.hex import Hex
from adv_envs.notation import read_line
from adv_envs.position import Position

from . import go_sgf, hex_sgf
from .go_sgf import GoReader
from .hex_sgf import HexReader
from .sgf_nodes import (
    Node,
    SgfError,
    SgfGame,
    SgfReader,
    encoding_of,
    game_number,
    nodes_of,
    raw,
)

__all__ = ["SgfError", "SgfGame", "load", "read", "save", "supports", "write"]

MODULES: dict[type[Position], Any] = {Go: go_sgf, Hex: hex_sgf}
"""How each game is written."""

READERS: dict[str, type[SgfReader]] = {go_sgf.NUMBER: GoReader, hex_sgf.NUMBER: HexReader}
"""How each game is read, by its number in SGF."""


def supports(position: Position) -> TypeGuard[Go | Hex]:
    """Whether games from this position can be written to files."""
    return type(position) in MODULES


def load(path: str | os.PathLike[str]) -> SgfGame:
    """The game in a file. OSError if there is none, SgfError, which names it, as in ``read``."""
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
    """Write a game into a file, see ``write``."""
    write_file(path, write(start, actions, comments, **properties))


# ---- writing


def write(
    start: Go | Hex,
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
        raise ValueError(f"SGF is for go and hex here, not for {type(start).__name__}")
    module = MODULES[type(start)]
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
    """The properties that are text, checked, and the result if it is not among them."""
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


def read(text: str | bytes) -> SgfGame:
    """The game that ``text`` is; SgfError says what is wrong and where.

    Bytes are decoded as their CA property says, as UTF-8 or, where that fails, as Latin-1.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    nodes = nodes_of(data)
    number = game_number(nodes[0])
    if number not in READERS:
        raise SgfError(f"this is game number {number}; Go is GM[1], and Hex is GM[11]")
    encoding = "utf-8" if isinstance(text, str) else encoding_of(nodes[0])
    reader = READERS[number](nodes[0], encoding)
    for i, node in enumerate(nodes, 1):
        following = (n for n in nodes[i:] if n.keys() & {"B", "W"})
        reader.read_node(node, next(following, {}))
    return reader.game()
