"""Implements ``adv-envs puzzles``: positions with one right move, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adv_envs.position import Position, counted
from adv_envs.registry import name_of
from agents.knowledge import NotGraded

from .console import (
    CommandError,
    check_files,
    command_errors,
    option,
    progress_bar,
    save_file,
    warn,
)

if TYPE_CHECKING:
    from agents.grading.puzzle_items import Split

EXAMPLES = (
    "adv-envs puzzles tic_tac_toe --count 5",
    "adv-envs puzzles connect_four --count 50 --seed 7 --twins --out items.jsonl",
    "adv-envs puzzles hex --size 5 --split public --twins --out public.jsonl",
    "adv-envs puzzles hex --size 5 --split private --secret secret.txt --out private.jsonl",
    "adv-envs puzzles kalah --pits 3 --seeds 2",
)

SPLIT = (
    "public: the items that everybody has; private: those that a secret decides, none of which is "
    "public, nor an image of one."
)
SECRET = "The file of the secret of a private split, of 16 bytes or more."
TWINS = "After each item its twins: mirrored, rotated, players exchanged, cells renamed."

Items = Annotated[Path | None, option("Write the items to FILE.", "FILE", "--out")]
Count = Annotated[int, option("How many puzzles at most, without their twins.", "N", min=1)]
ItemSeed = Annotated[int | None, option("Decides which puzzles; 0 by default.", "N")]
Twins = Annotated[bool, typer.Option("--twins", help=TWINS)]
SplitName = Annotated[str | None, option(SPLIT, "public|private", "--split")]
Secret = Annotated[Path | None, option(SECRET, "FILE", "--secret")]


def puzzles(
    start: Position,
    out: Items = None,
    count: Count = 20,
    seed: ItemSeed = None,
    twins: Twins = False,
    split: SplitName = None,
    secret: Secret = None,
) -> None:
    """Writes positions in which one move is right, with the exact value of every move.

    Each line is an object of JSON: the game with its parameters, the position, its board as text,
    the messages that ask for a move, the legal moves, for each of them its value and its regret,
    which is the utility that it loses, the best move, how difficult it is, and best play. The same
    seed gives the same puzzles, and few are the beginning of many: there is no end to them but that
    of the game. With --twins each puzzle is followed by the same question in other forms. An agent
    that was asked both shows what it knows by heart: see adv-envs grade --items.
    """
    from agents.grading.puzzle_items import puzzle_items

    if split is not None and seed is not None:
        raise CommandError("the seed of a split cannot be chosen: leave out --seed")
    if (split == "private") != (secret is not None):
        raise CommandError("--split private and --secret FILE go together")
    check_files(out)
    with command_errors():
        key = b"" if secret is None else read_secret(secret)
        chosen: Split | None = split  # type: ignore[assignment]  # puzzle_items checks it
        try:
            items = puzzle_items(start, seed or 0, split=chosen, secret=key, twins=twins)
            lines, found = write_items(items, count, out is not None)
        except NotGraded as error:
            raise CommandError(str(error)) from error
    if found < count:
        warn(f"{found} puzzles were found in {name_of(start)}, not {count}")
    if out is not None:
        save_file(out, "".join(lines))
        more = f" and {counted(len(lines) - found, 'twin')}" * twins
        print(f"{out}: {counted(found, 'puzzle')}{more}")


def read_secret(path: Path) -> bytes:
    """Returns the secret in a file, without the end of its line; ValueError if there is none."""
    try:
        found = path.read_bytes().strip()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    if not found:
        raise ValueError(f"{path} is empty: write a secret of 16 bytes or more into it")
    return found


def write_items(items: Iterable[dict[str, Any]], count: int, keep: bool) -> tuple[list[str], int]:
    """Returns the lines of ``count`` items and their twins, and how many items there are.

    Lines that are not to be kept are printed as they are found.
    """
    lines, found = list[str](), 0
    with progress_bar("finding puzzles", count) as update:
        for item in first_items(items, count):
            found += item["twin"] is None
            line = json.dumps(item) + "\n"
            if keep:
                lines.append(line)
            else:
                print(line, end="", flush=True)
            update(found)
    return lines, found


def first_items(items: Iterable[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
    """Yields the first ``count`` items, with their twins."""
    for item in items:
        count -= item["twin"] is None
        if count < 0:
            return
        yield item
