"""Which first moves of Hex win: the table that ships with the solver, and what makes it.

    python -m agents.games.hex.openings 7    # solve all openings of 2 x 2 to 7 x 7 again

The file has a line for every size, the rows of the board from the top, with W where the first
player wins by opening there and . where not; its last line is the SHA-256 of all others.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

from adv_envs.files import write_file

FILE = Path(__file__).parents[2] / "data" / "hex_openings.txt"

HEADING = "openings of hex, version 1"


@cache
def winning_openings(size: int, file: Path = FILE) -> frozenset[int] | None:
    """The first moves that win on this size, or None if it is not in the table.

    Raises ValueError if the file is torn or of another version, saying how to make it again.
    """
    rows = read(file).get(size)
    if rows is None:
        return None
    return frozenset(cell for cell, mark in enumerate(rows.replace("/", "")) if mark == "W")


def read(file: Path) -> dict[int, str]:
    """The rows for every size in ``file``; ValueError unless it is whole."""
    text = file.read_text("ascii", errors="replace") if file.exists() else ""
    body, _, digest = text.rstrip("\n").rpartition("\n")
    if digest != checksum(body) or not body.startswith(HEADING + "\n"):
        raise ValueError(
            f"{file} is torn, or not a table of {HEADING}: "
            "make it again with python -m agents.games.hex.openings 7"
        )
    sizes = (line.split() for line in body.splitlines()[1:])
    return {int(size): rows for size, rows in sizes}


def write(file: Path, table: dict[int, str]) -> None:
    """Write the rows for every size into ``file``."""
    body = "\n".join([HEADING, *(f"{size} {rows}" for size, rows in sorted(table.items()))])
    write_file(file, f"{body}\n{checksum(body)}\n")


def checksum(body: str) -> str:
    """The last line of a file with these lines before it."""
    return hashlib.sha256(body.encode()).hexdigest()


def solve(size: int, table_mb: float = 256) -> str:
    """The rows for ``size``, found by the solver without this table."""
    from adv_envs import Hex

    from .solver import HexSolver

    values = HexSolver(book=False, table_mb=table_mb).values(Hex(size))
    marks = "".join("W" if values[cell] > 0 else "." for cell in range(size * size))
    return "/".join(marks[row * size : (row + 1) * size] for row in range(size))


if __name__ == "__main__":
    write(FILE, {size: solve(size) for size in range(2, int(sys.argv[1]) + 1)})
    print(FILE.read_text())
