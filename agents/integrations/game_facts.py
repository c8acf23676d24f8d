"""Says what has happened in a game of messages, as plain data for other frameworks' records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adv_envs.text import MoveGrade, TextGame


def game_facts(game: TextGame, seat: int) -> dict[str, Any]:
    """Returns what there is to say of a seat's game, in types of JSON.

    "game", "seat", "moves" (the names of all moves so far, of chance too: as the player has seen
    them, and when the game is over as they were), "plies", "finished" (by its rules or a forfeit),
    "utility" (None before the end), the numbers of ``TextGame.info``, "outcome" of the last reply
    and "grade" of the last move.
    """
    info = game.info(seat)
    reading, grade = info.pop("reading"), info.pop("grade")
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


def plain_grade(grade: Any) -> Any:
    """Returns a ``MoveGrade`` as an object of JSON; other grades as they are."""
    if not isinstance(grade, MoveGrade):
        return grade
    return {**grade._asdict(), "best": list(grade.best)}
