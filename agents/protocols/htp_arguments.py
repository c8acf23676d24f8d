"""The arguments of commands of the Hex text protocol: colours, cells, numbers."""

from __future__ import annotations

import re

from adv_envs.formats.hex_setup import COLOURS
from adv_envs.games.hex import Hex


class HtpError(Exception):
    """A command that cannot be obeyed; the message is the answer after ``?``."""


def player_of(word: str) -> int:
    """Who is meant by b, black, w, white."""
    for player, name in enumerate(COLOURS):
        if word.lower() in (name, name[0]):
            return player
    raise HtpError(f"{word!r} is not a colour: black or white")


def cell_of(word: str, size: int) -> tuple[int, int]:
    """(row, column) of a cell such as c4."""
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", word.lower())
    row, column = (int(match[2]) - 1, ord(match[1]) - ord("a")) if match else (-1, -1)
    if not (0 <= row < size and 0 <= column < size):
        last = Hex(size).cell_name(size - 1, size - 1)
        raise HtpError(f"{word!r} is not a cell: a1 to {last}")
    return row, column


def number_of(word: str, what: str, kind: type[int] | type[float] = int) -> float:
    """A number of seconds, or of anything else that cannot be negative."""
    try:
        value = kind(word)
    except ValueError:
        value = kind(-1)
    if not 0 <= value < float("inf"):
        raise HtpError(f"{word!r} is not {what}")
    return value
