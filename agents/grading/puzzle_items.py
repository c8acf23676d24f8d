"""Writes puzzles as items for training and evaluation, one record of plain data for each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from adv_envs import Position
from adv_envs.notation import write_line
from adv_envs.position import checked
from agents.describe import game_data
from agents.knowledge import ExactValues, NotGraded

from .exact_values import exact_for
from .move_grader import MoveGrader
from .puzzles import Puzzle, candidates, no_puzzles


def puzzle_items(start: Position, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yields puzzles of the game of ``start`` as plain data, each position once, a few hundred.

    The keys are "game", "parameters", "position" (``registry.position_of`` reads it), "to_move",
    "moves" (the line of play that leads there; None if it was set up), "board", "legal", "values"
    and "regrets" (by move, in utility for the player to move), "value", "best", "difficulty" (the
    share of legal moves that keep the value), "proven", "task" (a key of ``TASKS``) and "line"
    (best play). The same game and seed give the same items. NotGraded, which says why, for games
    without puzzles.
    """
    start = checked(start).start()
    if why := no_puzzles(start):
        raise NotGraded(why)
    return _items(exact_for(start), seed)


def _items(exact: ExactValues, seed: int) -> Iterator[dict[str, Any]]:
    grader, seen = MoveGrader(exact.start, True, None), set[Position]()
    for puzzle in candidates(exact, random.Random(f"{seed} puzzle")):
        if puzzle.position not in seen:
            seen.add(puzzle.position)
            yield _item(grader, puzzle)


def _item(grader: MoveGrader, puzzle: Puzzle) -> dict[str, Any]:
    position, start = puzzle.position, grader.start
    names = {action: position.name(action) for action in position.legal_actions()}
    values, _ = grader.move_utilities(position)
    grade = grader(position, puzzle.answer)
    return {
        **game_data(position),
        "position": repr(position),
        "to_move": position.to_move,
        "moves": None if puzzle.actions is None else write_line(start, puzzle.actions),
        "board": str(position),
        "legal": list(names.values()),
        "values": {names[action]: value for action, value in values.items()},
        "regrets": {name: grader(position, action).regret for action, name in names.items()},
        "value": grade.value,
        "best": list(grade.best),
        "difficulty": grade.difficulty,
        "proven": grade.proven,
        "task": puzzle.task,
        "line": write_line(position, puzzle.line),
    }
