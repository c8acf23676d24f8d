"""Holds what several adapters need: games as plain data, rewards, one game at a time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from adv_envs.text import MoveGrade, TextGame

STEPPING = threading.Lock()
"""Held while a game goes on, where several are played in threads: the exact values of a game share
tables, which only one thread may use at a time."""


def game_facts(game: TextGame, seat: int, replied: int | None) -> dict[str, Any]:
    """Returns what there is to say of a seat's game, in types of JSON, as its player sees it.

    "game", "seat", "moves" (the names of all moves so far, of chance too: as the player has seen
    them, and when the game is over as they were), "plies", "finished" (by its rules or a forfeit),
    "utility" (None before the end), the numbers of ``TextGame.info``, "outcome" of the last reply
    and "grade" of the last move: None unless it was this seat that has ``replied``.
    """
    info = game.info(seat)
    reading, grade, _ = (info.pop(key) for key in ("reading", "grade", "action"))
    if replied != seat:
        reading = grade = None
    cut_off = game.failure == "end" and not game.session.ended
    finished = game.over and not cut_off
    return {
        **info,
        "game": game.name,
        "moves": [move.name for move in game.session.seen(None if game.over else seat)],
        "plies": len(game.session.actions),
        "finished": finished,
        "utility": game.utilities[seat] if game.utilities and finished else None,
        "outcome": None if reading is None else reading.outcome,
        "grade": plain_grade(grade),
    }


def new_messages(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Returns what a player has been told since the last reply, without the system prompt."""
    replies = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
    return list(messages[max(replies, default=0) + 1 :])


def kept_share(utility: float | None, info: Mapping[str, Any]) -> float:
    """Returns the share of moves that kept the value, from 0 to 1; 0 before the end of the game.

    It is a ``reward`` of ``text_env``: who plays perfectly has 1, and a turn without a legal move is
    one that did not keep the value. Where there was no turn at all, it is 1.
    """
    if utility is None:
        return 0.0
    turns = info["graded"] + info["failures"]
    return float(info["kept"] / turns) if turns else 1.0


def plain_grade(grade: Any) -> Any:
    """Returns a ``MoveGrade`` as an object of JSON; other grades as they are."""
    if not isinstance(grade, MoveGrade):
        return grade
    return {**grade._asdict(), "best": list(grade.best)}
