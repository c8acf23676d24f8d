"""Holds what several adapters need: games as plain data, and rewards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adv_envs.text import MoveGrade, TextGame


def game_facts(game: TextGame, seat: int, replied: int | None) -> dict[str, Any]:
    """Returns what there is to say of a seat's game, in types of JSON, as its player sees it.

    "game", "seat", "moves" (the names of all moves so far, of chance too: as the player has seen
    them, and when the game is over as they were), "plies", "finished" (by its rules or a forfeit),
    "utility" (None before the end), the numbers of ``TextGame.info``, and "grade" of the last move:
    None unless it was this seat that has ``replied``.
    """
    info = game.info(seat)
    grade, *_ = (info.pop(key) for key in ("grade", "reading", "action"))
    finished = game.over and not game.truncated
    return {
        **info,
        "game": game.name,
        "moves": [move.name for move in game.session.seen(None if game.over else seat)],
        "plies": len(game.session.actions),
        "finished": finished,
        "utility": game.utilities[seat] if game.utilities and finished else None,
        "grade": plain_grade(grade) if replied == seat else None,
    }


def new_messages(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Returns what a player has been told since the last reply, without the system prompt."""
    replies = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
    return list(messages[max(replies, default=0) + 1 :])


def kept_share(game: TextGame, seat: int) -> float:
    """Returns how much of what a seat's moves could lose they have kept, from 0 to 1.

    Each move with a ``MoveGrade`` counts by the share of legal moves that lose value there, so a
    choice that cannot be wrong counts nothing; a turn without a legal move counts as one that lost.
    Who plays perfectly has 1; and 1 where nothing could be lost.
    """
    grades = [grade for grade in game.grades[seat] if grade.difficulty is not None]
    kept = sum(1 - (grade.difficulty or 0.0) for grade in grades if grade.kept)
    lost = sum(1 - (grade.difficulty or 0.0) for grade in grades if not grade.kept)
    lost += game.counts[seat]["failures"]
    return kept / (kept + lost) if lost else 1.0


def plain_grade(grade: Any) -> Any:
    """Returns a ``MoveGrade`` as an object of JSON; other grades as they are."""
    if not isinstance(grade, MoveGrade):
        return grade
    return {**grade._asdict(), "best": list(grade.best)}
