"""Games of Hex as SGF files, as HexGui and its kin write them: ``FF[4]GM[11]SZ[11];B[c4];W[h8]``.

``read`` and ``write`` turn text into a ``GameRecord`` and back, ``load`` and ``save`` do so with
files. Black is player 0. The grammar is sgfmill's, which knows nothing of Go; what the properties
of Hex mean is here. Source: SGF FF[4], https://www.red-bean.com/sgf/, and its page on Hex.

Of a file with variations the main line is read. The pie rule has two forms, and old programs write
one for the other; the colour that moves next tells which was meant. ``swap-pieces`` mirrors the
stone and Black moves: that is the swap of ``Hex(swap=True)``. ``swap-sides`` leaves the board as it
is and White moves, the players having changed seats: the record says so, and the game goes on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from sgfmill import sgf_grammar

from adv_envs.files import write_file
from adv_envs.games.hex import Hex
from adv_envs.notation import read_line

from .hex_setup import stones
from .sgf_reader import HEX, OWN, GameRecord, Node, Reader, SgfError, encoding_of, nodes_of

__all__ = ["GameRecord", "SgfError", "load", "read", "save", "write"]


def load(path: str | os.PathLike[str]) -> GameRecord:
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

    if not isinstance(start, Hex):
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


def read(text: str | bytes) -> GameRecord:
    """The game that ``text`` is; SgfError says what is wrong and where.

    Bytes are decoded as their CA property says, as UTF-8 or, where that fails, as Latin-1.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    nodes = nodes_of(data)
    reader = Reader(nodes[0], "utf-8" if isinstance(text, str) else encoding_of(nodes[0]))
    for number, node in enumerate(nodes):
        following = (n for n in nodes[number + 1 :] if n.keys() & {"B", "W"})
        reader.take(node, next(following, {}))
    return reader.record()
