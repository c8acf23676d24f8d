"""Books of openings: the exact score of every position up to so many plies, in one checked file.

A file is a line of JSON that says what it holds, then one word for each position up to mirror
images, in increasing order: canonical number << 7 | score + 64, as a little-endian int64. The line
has the SHA-256 of itself without the hash and of the words, so a file that is torn or changed, that
another version of this program wrote or that is about another board is never read by mistake.
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

from .bitboard import canonical, constants

GAME, VERSION = "connect_four", 1
SCORE_BITS, ZERO = 7, 64
SHIPPED = Path(__file__).parents[2] / "data" / "connect_four.book"


class BookError(ValueError):
    """A file is not the book it should be; the message says why and what to do."""


@dataclass(frozen=True)
class Book:
    """Exact scores of positions of a board of height x width."""

    height: int
    width: int
    plies: int
    """No position has more stones."""
    complete: int
    """Every position with up to so many stones is there; -1 for none. Less than ``plies`` while the
    book is being made."""
    words: NDArray[np.int64]
    """Sorted, of shape (positions,)."""

    def score(self, position: ConnectFour) -> int | None:
        """The score for the player to move; None where the book does not reach."""
        if position.ply > self.plies or (position.height, position.width) != self.board:
            return None
        number = number_of(position) << SCORE_BITS
        at = int(np.searchsorted(self.words, number))
        if at == len(self.words) or self.words[at] >> SCORE_BITS != number >> SCORE_BITS:
            return None  # the game is over, or somebody made an impossible position
        return int(self.words[at] & (1 << SCORE_BITS) - 1) - ZERO

    @property
    def board(self) -> tuple[int, int]:
        """Height and width."""
        return self.height, self.width

    def save(self, path: Path) -> None:
        """Write the file; it takes its place at once, whole."""
        header = self._header()
        data = self.words.astype("<i8").tobytes()
        header["sha256"] = _digest(header, data)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(header).encode() + b"\n" + data)

    def _header(self) -> dict[str, Any]:
        return {
            "game": GAME,
            "version": VERSION,
            "height": self.height,
            "width": self.width,
            "plies": self.plies,
            "complete": self.complete,
            "positions": len(self.words),
        }

    def scores(self) -> dict[int, int]:
        """Every score by canonical number."""
        words = self.words.tolist()
        return {w >> SCORE_BITS: (w & (1 << SCORE_BITS) - 1) - ZERO for w in words}


def make_book(start: ConnectFour, plies: int, complete: int, scores: Mapping[int, int]) -> Book:
    """The book of ``scores``, by canonical number, for the board of ``start``."""
    words = sorted(number << SCORE_BITS | score + ZERO for number, score in scores.items())
    return Book(start.height, start.width, plies, complete, np.array(words, np.int64))


def load(path: Path, height: int = 6, width: int = 7) -> Book:
    """The book in a file; BookError if it is not a whole one of this version and this board."""
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
    except (ValueError, KeyError, TypeError):
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
def shipped() -> Book:
    """The book that comes with this package, for the board of 6 x 7."""
    return load(SHIPPED)


def book_for(board: tuple[int, int], book: bool | str | Path) -> Book | None:
    """The book for a board of (height, width); None if there is none or it is not wanted.

    A path is read, and BookError says what is wrong with it; True is the shipped one.
    """
    if isinstance(book, bool):
        return shipped() if book and board == shipped().board else None
    return load(Path(book), *board)


@cache
def _numbering(height: int, width: int) -> Any:
    return canonical.bind_used(**constants(height, width)).plain


def number_of(position: ConnectFour) -> int:
    """The canonical number of a position: the same for its mirror image, and for no other."""
    numbering = _numbering(position.height, position.width)
    return numbering(position.own, position.own | position.opp)  # type: ignore[no-any-return]
