"""Keeps books of openings: exact scores of every position up to a number of plies, in one file.

A file is one line of JSON that describes it, then one little-endian int64 for each position, one of
each pair of mirror images, in increasing order: canonical key << 7 | score + 64. The line has the
SHA-256 of itself without the hash and of the words, so a file that is torn or was changed, of
another version or about another board is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.files import write_file
from adv_envs.games.connect_four import ConnectFour
from adv_envs.position import checked

from .exact_search import canonical_key, constants

GAME, VERSION = "connect_four", 1
SCORE_BITS, ZERO = 7, 64
SHIPPED = Path(__file__).parents[2] / "data" / "connect_four.book"


class BookError(ValueError):
    """Says why a file is not a valid book for the board, and what to do."""


@dataclass(frozen=True)
class Book:
    """Holds exact scores of positions of a board of height x width."""

    height: int
    width: int
    plies: int
    """The most stones that a position in the book has."""
    complete: int
    """Every position with up to this number of stones is in the book; -1 for none. Less than
    ``plies`` while the book is being made."""
    words: NDArray[np.int64]
    """(positions,), sorted: canonical key << 7 | score + 64."""

    def score(self, position: ConnectFour) -> int | None:
        """Returns the score for the player to move; None for a position that is not in the book."""
        position = checked(position)
        if position.ply > self.plies or (position.height, position.width) != self.board:
            return None
        word = position_key(position) << SCORE_BITS
        at = int(np.searchsorted(self.words, word))
        if at == len(self.words) or self.words[at] >> SCORE_BITS != word >> SCORE_BITS:
            return None  # the game is over, or the position cannot arise
        return int(self.words[at] & (1 << SCORE_BITS) - 1) - ZERO

    @property
    def board(self) -> tuple[int, int]:
        """Returns height and width."""
        return self.height, self.width

    def save(self, path: Path) -> None:
        """Writes the file in one step: a reader sees the old one or all of the new one."""
        header = {
            "game": GAME,
            "version": VERSION,
            "height": self.height,
            "width": self.width,
            "plies": self.plies,
            "complete": self.complete,
            "positions": len(self.words),
        }
        data = self.words.astype("<i8").tobytes()
        header["sha256"] = _digest(header, data)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(header).encode() + b"\n" + data)

    def scores(self) -> dict[int, int]:
        """Returns every score by canonical key."""
        words = self.words.tolist()
        return {w >> SCORE_BITS: (w & (1 << SCORE_BITS) - 1) - ZERO for w in words}


def make_book(start: ConnectFour, plies: int, complete: int, scores: Mapping[int, int]) -> Book:
    """Returns the book of ``scores``, by canonical key, for the board of ``start``."""
    words = sorted(key << SCORE_BITS | score + ZERO for key, score in scores.items())
    return Book(start.height, start.width, plies, complete, np.array(words, np.int64))


def load_book(path: Path, height: int = 6, width: int = 7) -> Book:
    """Returns the book in a file; BookError unless it is intact, of this version and this board."""
    board = "" if (height, width) == (6, 7) else f" --height {height} --width {width}"
    again = f"make it again with: adv-envs book connect_four{board} --rebuild --out {path}"
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise BookError(f"there is no book at {path}; {again}") from None
    except OSError as error:
        raise BookError(f"{path} cannot be read: {error.strerror}") from error
    line, _, data = raw.partition(b"\n")
    try:
        header = json.loads(line)
        game, version = header["game"], header["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BookError(f"{path} is no book of openings, or is torn; {again}") from None
    if game != GAME:
        raise BookError(f"{path} is a book of {game}, not of {GAME}")
    if version != VERSION:
        raise BookError(f"{path} is of version {version}, and {VERSION} is needed; {again}")
    if header.pop("sha256", None) != _digest(header, data):
        raise BookError(f"{path} is torn or was changed: its SHA-256 is not what it says; {again}")
    if (header["height"], header["width"]) != (height, width):
        raise BookError(
            f"{path} is a book of the board {header['height']} x {header['width']}, "
            f"not {height} x {width}"
        )
    words = np.frombuffer(data, "<i8").astype(np.int64)
    return Book(height, width, header["plies"], header["complete"], words)


def _digest(header: dict[str, Any], data: bytes) -> str:
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode() + b"\n" + data).hexdigest()


@cache
def shipped_book() -> Book:
    """Returns the book that ships with this package, for the board of 6 x 7."""
    return load_book(SHIPPED)


def book_for(board: tuple[int, int], book: bool | str | Path) -> Book | None:
    """Returns the book for a board of (height, width); None without one, or if ``book`` is False.

    ``book`` is True for the shipped book, or the path of a file; BookError as ``load_book``.
    """
    if isinstance(book, bool):
        return shipped_book() if book and board == shipped_book().board else None
    return load_book(Path(book), *board)


@cache
def _key_function(height: int, width: int) -> Any:
    return canonical_key.bind_used(**constants(height, width)).plain


def position_key(position: ConnectFour) -> int:
    """Returns the canonical key of a position, which only its mirror image shares."""
    key_function = _key_function(position.height, position.width)
    return int(key_function(position.own, position.own | position.opp))
