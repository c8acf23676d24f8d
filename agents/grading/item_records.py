"""Writes a position with the values of its moves as plain data, the core of an item."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from adv_envs import Position, name_of
from adv_envs.notation import write_line
from adv_envs.session import Session
from adv_envs.text.board_forms import write_board
from adv_envs.text.conversation import Conversation
from agents.best_play import SAME

ITEM_FORMAT, ITEM_VERSION = "adv-envs item", 1


def item_id(position: Position) -> str:
    """Returns what an item is called: the game, and a digest of the position."""
    return f"{name_of(position)}-{hashlib.sha256(repr(position).encode()).hexdigest()[:12]}"


def position_data(position: Position, session: Session | None) -> dict[str, Any]:
    """Returns a position as data, in several notations, and as messages that ask for a move.

    ``session`` is the game that has led there; None where the position was set up.
    """
    talk = Conversation(position.start(), position.to_move)
    talk.ask(Session(position))
    moves = None if session is None else write_line(session.start, session.actions)
    return {
        "position": repr(position),
        "to_move": position.to_move,
        "moves": moves,
        "board": str(position),
        "standard": _standard(position, session or Session(position)),
        "messages": talk.messages(),
    }


def _standard(position: Position, session: Session) -> str | None:
    """Returns what other programs read, FEN or SGF; None where the game has neither."""
    try:
        return write_board(position, "standard", session)
    except ValueError:
        return None


def move_data(
    position: Position, values: Mapping[int, float], line: Sequence[int]
) -> dict[str, Any]:
    """Returns the moves by name, in the order of their actions, with values and regrets.

    ``values`` are those of all legal actions, ``line`` is best play.
    """
    names = {action: position.name(action) for action in position.legal_actions()}
    most = max(values.values())
    best = [action for action in names if values[action] >= most - SAME]
    regrets = {a: 0.0 if a in best else most - values[a] for a in names}
    return {
        "legal": list(names.values()),
        "values": {name: values[action] for action, name in names.items()},
        "regrets": {name: regrets[action] for action, name in names.items()},
        "value": most,
        "best": [names[action] for action in best],
        "difficulty": len(best) / len(names),
        "line": write_line(position, line),
        "plies": len(line),
    }
