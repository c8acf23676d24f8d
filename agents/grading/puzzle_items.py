"""Writes puzzles as items for training and evaluation, one record of plain data for each.

Items of a game go on for as long as new positions are found. No two of them are images of each
other under the symmetries of the game, its players exchanged or not; ``item_twins`` has these
images. The public and the private split have no position in common, nor an image of one: the digest
of the smallest image decides which of the two a position belongs to.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterator
from itertools import count
from typing import Any, Literal

from adv_envs import Position
from adv_envs.position import checked
from adv_envs.random import root_seed
from adv_envs.registry import title
from adv_envs.session import Session
from agents.describe import game_data
from agents.knowledge import ExactValues, NotGraded, knowledge_of

from .exact_values import exact_for
from .item_records import ITEM_FORMAT, ITEM_VERSION, item_id, move_data, position_data
from .item_twins import item_twins
from .move_grader import MoveGrader
from .position_sets import phase_of
from .puzzles import Puzzle, candidates, no_puzzles, shipped_tests

SPLITS = "public", "private"
PUBLIC_SEED = 0
"""The seed of the public split."""
LEAST_SECRET = 16
"""Bytes of a secret, at least."""
IDLE_ROUNDS = 3
"""Rounds of games in a row without a new position, after which a game is taken to have no more."""

Split = Literal["public", "private"]


def puzzle_items(
    start: Position,
    seed: int = PUBLIC_SEED,
    *,
    split: Split | None = None,
    secret: bytes = b"",
    twins: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yields puzzles of the game of ``start`` as plain data, each with its twins if asked for.

    The keys are listed in docs/language-models.md. The same game and seed give the same items, as
    many as are asked for: few are the beginning of many. ``split="public"`` has the items of seed
    PUBLIC_SEED of one half of all positions; "private" those of the other half that a ``secret`` of
    16 bytes or more decides, which nobody can find without it, and none of the positions that come
    with the package. NotGraded, which says why, for games without puzzles; ValueError or TypeError
    for a split that does not exist, a secret that is too short, or another seed of a split.
    """
    start, seed = checked(start).start(), root_seed(seed)
    if split not in (None, *SPLITS):
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, not {split!r}")
    if (split == "private") != bool(secret):
        raise ValueError("the private split needs a secret, and no other items do")
    if secret and len(secret) < LEAST_SECRET:
        raise ValueError(f"the secret must have at least {LEAST_SECRET} bytes, not {len(secret)}")
    if split is not None and seed != PUBLIC_SEED:
        raise ValueError(f"the seed of a split cannot be chosen: leave out seed={seed}")
    if why := no_puzzles(start):
        raise NotGraded(why)
    return _items(exact_for(start), seed, split, secret, twins)


def _items(
    exact: ExactValues, seed: int, split: Split | None, secret: bytes, twins: bool
) -> Iterator[dict[str, Any]]:
    grader = MoveGrader(exact.start, True, None)
    stream: str | int = _keyed(secret, title(exact.start)) if secret else seed
    source: dict[str, Any] = {"split": split, "seed": None if secret else seed}
    if secret:
        source["commitment"] = _keyed(secret, "commitment")[:16]
    for puzzle in _puzzles(exact, stream, split):
        item = {**_item(grader, exact, puzzle), **source}
        yield item
        if twins:
            yield from item_twins(item, puzzle.position, puzzle.line)


def _keyed(secret: bytes, message: str) -> str:
    """Returns 64 hexadecimal digits that only those who know the secret can compute."""
    return hmac.new(secret, message.encode(), hashlib.sha256).hexdigest()


def _puzzles(exact: ExactValues, stream: str | int, split: Split | None) -> Iterator[Puzzle]:
    """Yields the puzzles of a stream of random numbers, none an image of another."""
    private = split == "private"
    known = (test.position for test in shipped_tests(exact)) if private else ()
    seen = set(map(canonical_position, known))
    idle = 0
    for number in count():
        rng = random.Random(f"{stream} puzzle" + f" {number}" * (number > 0))
        idle += 1
        for puzzle in candidates(exact, rng, shipped=number == 0 and not private):
            smallest = canonical_position(puzzle.position)
            if smallest in seen:
                continue
            idle = 0
            seen.add(smallest)
            if split is None or split_of(smallest) == split:
                yield puzzle
        if idle == IDLE_ROUNDS:
            return


# ---- positions that are the same but for a symmetry


def canonical_position(position: Position) -> Position:
    """Returns the same position for all images of ``position``, its players exchanged or not."""
    known = knowledge_of(position)
    both = [position]
    if known.exchange is not None and (other := known.exchange.image(position)) is not None:
        both.append(other)
    if known.symmetries is not None:
        both = [known.symmetries.canonical(each) for each in both]
    return min(both, key=tuple)


def split_of(position: Position) -> Split:
    """Returns the split to which ``position`` and all its images belong.

    It follows from the fields and symmetries of a game: where these change, so does ITEM_VERSION.
    """
    digest = hashlib.sha256(repr(canonical_position(position)).encode()).digest()
    return "private" if digest[0] & 1 else "public"


# ---- one record


def _item(grader: MoveGrader, exact: ExactValues, puzzle: Puzzle) -> dict[str, Any]:
    position = puzzle.position
    values, proven = grader.move_utilities(position)
    session = None if puzzle.actions is None else Session(grader.start, list(puzzle.actions))
    return {
        "format": ITEM_FORMAT,
        "version": ITEM_VERSION,
        "id": item_id(position),
        "twin": None,
        **game_data(position),
        "rules_version": position.version,
        **position_data(position, session),
        **move_data(position, values, puzzle.line),
        "phase": phase_of(exact.progress(position)),
        "task": puzzle.task,
        "proven": proven,
        "solver": exact.solver_name,
    }
