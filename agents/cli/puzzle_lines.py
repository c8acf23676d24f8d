"""Implements ``adv-envs puzzles``: positions with one right move, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adv_envs.position import Position, counted
from adv_envs.registry import name_of

from .console import (
    CommandError,
    check_files,
    command_errors,
    end,
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
SECRET = (
    "The file of the secret of a private split: 16 bytes or more, or such a line of text, whose "
    "end is not part of it."
)
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
        items = puzzle_items(start, seed or 0, split=chosen, secret=key, twins=twins)
        chosen_items = first_items(items, count) if twins else islice(items, count)
        lines, done = write_items(chosen_items, count, out is not None)
    found = sum(is_original for _, is_original in lines)
    if done and found < count:
        warn(f"{found} puzzles were found in {name_of(start)}, not {count}")
    if done and twins and found == len(lines):
        warn(f"{name_of(start)} has no twins: it has no symmetry, nor cells to be renamed")
    if out is not None and lines:
        save_file(out, "".join(line for line, _ in lines))
        more = f" and {counted(len(lines) - found, 'twin')}" * twins
        print(f"{out}: {counted(found, 'puzzle')}{more}")
    end(f"interrupted after {found} of {count} puzzles" * (not done))


def read_secret(path: Path) -> bytes:
    """Returns the secret in a file: its bytes, or one line of text without the end of the line.

    A line of less than 16 bytes is no text but bytes, whose last one may look like its end.
    ValueError if there is no secret.
    """
    from agents.grading.puzzle_items import LEAST_SECRET

    try:
        found = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    if not found.strip(b"\r\n"):
        raise ValueError(f"{path} is empty: write a secret of {LEAST_SECRET} bytes or more into it")
    line = found.removesuffix(b"\n").removesuffix(b"\r")
    return line if len(line) >= LEAST_SECRET and _is_text(line) else found


def _is_text(line: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        return line.decode().isprintable()
    return False


def write_items(
    items: Iterable[dict[str, Any]], count: int, keep: bool
) -> tuple[list[tuple[str, bool]], bool]:
    """Returns the line of each item, and whether it was not interrupted.

    With each line stands whether it is an item itself, and no twin; there are ``count`` of these at
    most. Lines that are not to be kept are printed as they are found, and are empty then.
    """
    lines, found, done = list[tuple[str, bool]](), 0, False
    with suppress(KeyboardInterrupt), progress_bar("finding puzzles", count) as update:
        for item in items:
            line, is_original = json.dumps(item) + "\n", item["twin"] is None
            if not keep:
                print(line, end="", flush=True)
            lines.append((line if keep else "", is_original))
            found += is_original
            update(found)
        done = True
    return lines, done


def first_items(items: Iterable[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
    """Yields the first ``count`` items, with their twins."""
    for item in items:
        count -= item["twin"] is None
        if count < 0:
            return
        yield item
