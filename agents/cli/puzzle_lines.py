"""Implements ``adv-envs puzzles``: positions with one right move, as JSON lines."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Annotated

from adv_envs.position import Position, counted
from adv_envs.registry import name_of
from agents.knowledge import NotGraded

from .console import CommandError, check_files, option, save_file, warn

EXAMPLES = (
    "adv-envs puzzles tic_tac_toe --count 5",
    "adv-envs puzzles connect_four --count 50 --seed 7 --out items.jsonl",
    "adv-envs puzzles kalah --pits 3 --seeds 2",
)

Items = Annotated[Path | None, option("Write the items to FILE.", "FILE", "--out")]
Count = Annotated[int, option("How many puzzles at most.", "N", min=1)]
ItemSeed = Annotated[int, option("Decides which puzzles.", "N")]


def puzzles(start: Position, out: Items = None, count: Count = 20, seed: ItemSeed = 0) -> None:
    """Writes positions in which one move is right, with the exact value of every move.

    Each line is an object of JSON: the game with its parameters, the position, its board as text,
    the legal moves, for each of them its value and its regret, which is the utility that it loses,
    the best move, and best play. The same seed gives the same puzzles.
    """
    from agents.grading.puzzle_items import puzzle_items

    check_files(out)
    try:
        items = list(islice(puzzle_items(start, seed), count))
    except NotGraded as error:
        raise CommandError(str(error)) from error
    if len(items) < count:
        warn(f"{len(items)} puzzles were found in {name_of(start)}, not {count}")
    lines = "".join(json.dumps(item) + "\n" for item in items)
    if out is None:
        print(lines, end="")
    else:
        save_file(out, lines)
        print(f"{out}: {counted(len(items), 'puzzle')}")
