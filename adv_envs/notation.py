"""Reads and writes games as text: a line of play such as "4455" or "a1 b2 c3"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from .position import Position

P = TypeVar("P", bound="Position")


class IllegalMove(ValueError):
    """Says that the rules do not allow a move in this position, and which ones they do."""


def play_line(position: P, moves: str | Iterable[int | str]) -> P:
    """Returns the position after ``moves``, see ``read_line``."""
    for action in read_line(position, moves):
        position = position.play(action)
    return position


def read_line(position: Position, moves: str | Iterable[int | str]) -> list[int]:
    """Returns the actions of a line of play from ``position``.

    ``moves`` is text, in which moves are separated by spaces or commas, or a list of actions and
    names. Each name is that of one move, see ``Position.action``; numbers of moves may stand before
    them in text, as in "1. a1 b2 2. c3". In games whose moves all have names of one character,
    nothing need separate them: "4455" is four moves of Connect Four. Raises IllegalMove, which says
    what would be legal, or TypeError.
    """
    tokens: list[int | str] = []
    tokens += re.findall(r"[^\s,]+", moves) if isinstance(moves, str) else moves
    together = isinstance(moves, str) and len(tokens) == 1 and _may_run_together(position)
    tokens = list(str(tokens[0])) if together else tokens
    actions: list[int] = []
    for token in tokens:
        number = len(actions) + 1
        if together and not _has_short_names(position):
            _raise_illegal(position, repr("".join(map(str, tokens[number - 1 :]))[:60]), number)
        if isinstance(moves, str) and not (token := _without_number(position, str(token))):
            continue
        actions.append(_read_move(position, token, number))
        position = position.play(actions[-1])
    return actions


def _without_number(position: Position, token: str) -> str:
    """Returns a token without the number of a move before it: "e4" of "1.e4", "" of "1."."""
    rest = re.sub(r"^\d+\.+(?!\d)", "", token)
    known = rest != token and token in map(position.name, position.legal_actions())
    return token if known else rest


def write_line(position: Position, actions: Sequence[int]) -> str:
    """Returns the line of play as text: "4455" where no name is longer, else "a1 b2 c3"."""
    positions = [position]
    for action in actions:
        positions.append(positions[-1].play(action))
    return line_text(positions, actions)


def line_text(positions: Sequence[Position], actions: Sequence[int]) -> str:
    """Returns the same, with the positions before each of the actions; more may follow."""
    before = positions[: len(actions)]
    names = [position.name(action) for position, action in zip(before, actions, strict=True)]
    together = _may_run_together(positions[0]) and all(map(_has_short_names, before))
    return ("" if together else " ").join(names)


def _may_run_together(position: Position) -> bool:
    """Returns whether a line from here may be written without separators.

    Not so in a game that begins with longer names, even where these are not legal now: in a Connect
    Four of eleven columns "11" is never twice the first one.
    """
    return _has_short_names(position) and _has_short_names(position.start())


def _has_short_names(position: Position) -> bool:
    """Returns whether every legal move has a name of one character."""
    return all(len(position.name(action)) == 1 for action in position.legal_actions())


def _read_move(position: Position, token: str | int, number: int) -> int:
    """Returns the action of a token, which is the move of this number, from 1."""
    try:
        return position.action(token)
    except IllegalMove as error:
        shown = token[:60] if isinstance(token, str) else f"action {token}"
        _raise_illegal(position, repr(shown), number, error)
    except TypeError:
        message = f"move {number} must be an action or its name, not {token!r}"
        raise TypeError(message) from None


def _raise_illegal(
    position: Position, shown: str, number: int, cause: IllegalMove | None = None
) -> NoReturn:
    message = f"move {number}, {shown}, is not legal; {position.choices()}"
    raise IllegalMove(message) from cause
