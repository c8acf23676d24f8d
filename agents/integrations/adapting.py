"""Holds what several adapters need: games as plain data, and rewards."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from adv_envs.text import MoveGrade, TextEnv, TextGame
from adv_envs.text.grades import STEPPING
from agents.grading.move_grader import MoveGrader
from agents.language import LanguageModel


def game_facts(game: TextGame, seat: int) -> dict[str, Any]:
    """Returns what there is to say of a seat's game, in types of JSON, as its player sees it.

    "game", "seat", "moves" (their names, of chance too: those that the player has noticed, and when
    the game is over all, as they were), "plies" (how many, None before the end), "finished" (by its
    rules or a forfeit), "utility" (None before the end), the numbers of ``TextGame.info``, and of
    this player's last reply "outcome" ("legal", "illegal", "unreadable", None before it) and
    "grade".
    """
    info = game.info(seat)
    grade, reading, _ = (info.pop(key) for key in ("grade", "reading", "action"))
    finished = game.over and not game.truncated
    seen = game.session.seen(None if game.over else seat)
    return {
        **info,
        "game": game.name,
        "moves": [move.name for move in seen if move.name],
        "plies": len(seen) if game.over else None,
        "finished": finished,
        "utility": game.utilities[seat] if game.utilities and finished else None,
        "outcome": None if reading is None else reading.outcome,
        "grade": plain_grade(grade),
    }


def with_own_opponent(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options of ``text_env`` whose agents, where they are objects, no other game shares.

    TypeError for an agent that cannot be copied.
    """
    if "opponent" not in options:
        return dict(options)
    try:
        return {**options, "opponent": copy.deepcopy(options["opponent"])}
    except Exception as error:  # whatever an agent says of it
        raise TypeError(
            "each game needs an opponent of its own, and this one cannot be copied "
            f"({error}): give the spec of an agent in its place"
        ) from error


def stepping(env: TextEnv | TextGame) -> AbstractContextManager[Any]:
    """Returns what a thread holds while ``env``, whose opponents are its own, goes on.

    That is ``STEPPING``, but nothing where others would wait for the answers of a language model:
    where all opponents are such models, and ``MoveGrader``, which holds it, or nobody grades.
    """
    waits = isinstance(env, TextEnv) and (
        (env.game.grade is None or isinstance(env.game.grade, MoveGrader))
        and not env.has_own_reward
        and all(isinstance(each, LanguageModel) for each in env.pool)
    )
    return nullcontext() if waits else STEPPING


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
