"""Writes positions for language models, in the forms ``BOARDS``.

- "grid": ``str(position)``, as people see it in a terminal;
- "cells": a list of the cells of a board, with what stands there;
- "standard": what other programs read, a FEN record or an SGF file, where the game has it; the file
  holds the moves of the game;
- "json": every field by name, which ``read_json_board`` reads back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from adv_envs.formats import sgf
from adv_envs.formats.game_texts import write_position
from adv_envs.literals import shortened
from adv_envs.position import Board, Position, checked
from adv_envs.registry import game, name_of, position_of
from adv_envs.session import Session


def write_board(position: Position, form: str, session: Session | None = None) -> str:
    """Returns ``position``, or a player's view of it, in one of the forms ``BOARDS``.

    ``session`` is the game that has led to it, for files of games; None if it is a start itself.
    ValueError, which lists what there is, for another form and for one that the game does not have;
    TypeError or ValueError for what is no position.
    """
    position = checked(position)
    if form not in _WRITERS:
        raise ValueError(f"board must be one of {', '.join(_WRITERS)}, not {form!r}")
    start = position if session is None else session.start
    if form == "standard" and sgf.supports(start):
        return sgf.write(start, session.actions if session else ()).strip()
    text = _WRITERS[form](position)
    if not text:
        missing = "board of cells" if form == "cells" else "text that other programs read"
        others = [other for other in BOARDS if other != form and _has_form(position, other, start)]
        raise ValueError(
            f"{name_of(position)} has no {missing}: board must be one of {', '.join(others)}, "
            f"not {form!r}"
        )
    return text


def _has_form(position: Position, form: str, start: Position) -> bool:
    """Returns whether a game has a form of positions."""
    return bool(_WRITERS[form](position)) or (form == "standard" and sgf.supports(start))


def _cells(position: Position) -> str:
    """Returns each cell that is not empty and what stands there; "" if there are no cells."""
    if not isinstance(position, Board):
        return ""
    found: dict[str, list[str]] = {}
    for row, characters in enumerate(position.rows()):
        for column, character in enumerate(characters):
            if character == " ":  # there is no cell
                continue
            found.setdefault(character, []).append(position.cell_name(row, column))
    words = {".": "empty", "?": "unknown", **_owners(position)}
    kinds = sorted(found, key=lambda character: (character == ".", character))
    return "\n".join(f"{words.get(kind, kind)}: {' '.join(found[kind])}" for kind in kinds)


def _owners(position: Board) -> dict[str, str]:
    """Returns what the characters of stones stand for."""
    return {symbol: f"{symbol} (player {i})" for i, symbol in enumerate(position.symbols)}


def _json(position: Position) -> str:
    fields = zip(position._fields, position, strict=True)
    values = {field: position.written(field, value) for field, value in fields}
    return json.dumps({"game": name_of(position), "to_move": position.to_move, "position": values})


_WRITERS: dict[str, Callable[[Position], str]] = {
    "grid": str,
    "cells": _cells,
    "standard": write_position,
    "json": _json,
}
BOARDS = tuple(_WRITERS)
"""The forms of positions."""


def read_json_board(text: str) -> Position:
    """Returns the position that the form "json" has written; of a registered game.

    ValueError, which says what is wrong.
    """
    try:
        found = json.loads(text)
        name, values = found["game"], found["position"]
        fields = ", ".join(f"{field}={_frozen(value)!r}" for field, value in values.items())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(
            f'this is no position: {shortened(text)}; write {{"game": name, "position": fields}}'
        ) from None
    return position_of(f"{game(name).__name__}({fields})")


def _frozen(value: Any) -> Any:
    """Returns a value of JSON with tuples in place of lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
