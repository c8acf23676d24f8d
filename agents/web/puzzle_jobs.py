"""Puzzles for a page: a position with one right move, what a move is worth, and the best defence.

The page keeps the moves, as everywhere: each job is about a situation.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from adv_envs import Position
from adv_envs.notation import write_line
from adv_envs.registry import parameters_of, title
from agents.describe import seat
from agents.grading.exact_values import exact_for
from agents.grading.puzzles import (
    LEVELS,
    TASKS,
    Puzzle,
    best_line,
    best_move,
    find_puzzle,
    keeps,
    no_puzzles,
    said_of,
    smaller_game,
)
from agents.knowledge import ExactValues

from .situations import BadRequest, Situation, Situations

Message = dict[str, Any]

MOST_SEEDS = 10**9
"""Numbers of puzzles are below."""


def puzzle(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """A puzzle of the game, {"puzzle": ...}, or {"sorry": why} if it has none.

    Options are "seed", a whole number, and "level", one of LEVELS. A puzzle has the "state" to be
    shown, the "task" in words, "player" (who moves), and "legal" (how many moves there are).
    {"sorry"} comes with "smaller", {"parameters", "title"}, if a smaller game has puzzles.
    """
    seed, level = options.get("seed"), options.get("level", LEVELS[0])
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < MOST_SEEDS:
        raise BadRequest(f"the number of a puzzle is a whole number below {MOST_SEEDS:,}")
    start = situation.start
    why = no_puzzles(start)
    found = None if why else find_puzzle(exact_for(start), seed, level)
    if found is None:
        yield {"sorry": why or "No position was found in which one move only is right."}
        smaller = smaller_game(start)
        if smaller is not None:
            yield {"smaller": {"parameters": parameters_of(smaller), "title": title(smaller)}}
        return
    yield {"puzzle": content(situation, found)}


def content(situation: Situation, found: Puzzle) -> Message:
    """A puzzle as a page shows it; the answer is not told."""
    actions = found.actions or ()
    start = found.position if found.actions is None else situation.start.start()
    here = dataclasses.replace(
        situation,
        start=start,
        actions=actions,
        codes=actions,
        ends=tuple(range(1, len(actions) + 1)),
    )
    state = Situations().state(here)
    title = state["board"]["title"]
    begin = title if title.endswith("to move") else f"{who(found.position)} to move"
    return {
        "state": state,
        "player": found.position.to_move,
        "task": f"{begin}: {TASKS[found.task]}.",
        "legal": found.legal,
    }


def puzzle_move(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """What a move is worth: {"right", "said", "line"}; without "action" the solution.

    "line" is best play from the position, the move first.
    """
    exact, position = known(situation)
    values = exact.move_values(position)
    best = best_move(exact, position)
    action = options.get("action", best)
    if action not in values:
        raise BadRequest("this move is not legal")
    right = keeps(exact, values, action)
    line = best_line(exact, position, action)
    most = values[best].value
    said = f"{position.name(action)} {said_of(exact, position, values[action].value, most)}"
    if not right:
        said += refutation(position, line)
        said += f" The right move {said_of(exact, position, most, most)}"
    yield {
        "right": right,
        "said": said + ".",
        "move": position.name(action),
        "line": write_line(position, line),
        "plies": len(line),
    }


def refutation(position: Position, line: tuple[int, ...]) -> str:
    """The end of a sentence about a wrong move: how it is answered, where that refutes it."""
    if len(line) < 2 or position.has_chance:
        return "."
    return f": the answer is {position.play(line[0]).name(line[1])}."


def puzzle_reply(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """The best defence, {"played": [3]}; for the side that is winning, the quickest win."""
    exact, position = known(situation)
    yield {"played": [best_move(exact, position)]}


def known(situation: Situation) -> tuple[ExactValues, Position]:
    """The exact values of the game, and the position; BadRequest where moves have none."""
    position = situation.position
    exact = exact_for(situation.start)
    if position.is_terminal() or position.to_move < 0:
        raise BadRequest("no player is to move here")
    if not exact.is_feasible(position):
        raise BadRequest("the values of the moves here take long to find")
    return exact, position


def who(position: Position) -> str:
    """Who moves, at the beginning of a sentence."""
    name = seat(position, position.to_move)
    return name[0].upper() + name[1:]
