"""Keeps what a process prints, in a file that the one who has started it holds.

So it is there however the process ends, and none of it is on the output of a command.
"""

from __future__ import annotations

import os
import sys
import tempfile
import weakref
from contextlib import suppress

MOST_BYTES = 10_000_000
"""Bytes that may be printed for one answer; a process that prints more is ended."""

DRAIN_AT = 200_000
"""Bytes in the file from which on it is emptied between two answers."""


class CapturedOutput:
    """Holds what processes print, at most ``most`` characters until it is taken.

    ``file`` is the number of the file that they are to have as standard output and error.
    """

    def __init__(self, most: int) -> None:
        self._most, self._kept, self._dropped = most, "", 0
        if hasattr(os, "memfd_create"):
            self.file = os.memfd_create("adv-envs-printed")
        else:
            with tempfile.TemporaryFile() as temporary:
                self.file = os.dup(temporary.fileno())
        weakref.finalize(self, os.close, self.file)
        if sys.platform != "win32":
            import fcntl

            fcntl.fcntl(self.file, fcntl.F_SETFL, os.O_APPEND | os.O_RDWR)

    @property
    def size(self) -> int:
        """Returns how many bytes are in the file."""
        return os.fstat(self.file).st_size

    def drain(self) -> None:
        """Empties the file; of what was in it no more is kept than is allowed."""
        size, left = self.size, self._most - len(self._kept)
        if not size:
            return
        os.lseek(self.file, 0, os.SEEK_SET)
        data = os.read(self.file, min(size, 4 * max(left, 0)))
        self.cut(0)
        text = printable(data.decode("utf-8", "replace"))
        kept = text[: max(left, 0)]
        self._kept += kept
        self._dropped += size - len(data) + len((text[len(kept) :]).encode())

    def rest(self, size: int) -> str:
        """Returns what is in the file after ``size`` bytes."""
        os.lseek(self.file, size, os.SEEK_SET)
        return os.read(self.file, MOST_BYTES).decode("utf-8", "replace")

    def cut(self, size: int) -> None:
        """Removes what is in the file after ``size`` bytes."""
        with suppress(OSError):
            os.ftruncate(self.file, size)

    def take(self) -> str:
        """Returns what was printed since the last call, and forgets it."""
        self.drain()
        note = f"\n... and {self._dropped:,} bytes more\n" if self._dropped else ""
        found, self._kept, self._dropped = self._kept + note, "", 0
        return found


def printable(text: str) -> str:
    """Returns a text with lines, in which nothing is left that a terminal would obey."""
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c == "\n" or c.isprintable() else ascii(c)[1:-1] for c in text)


def shortened_output(text: str, most: int = 2000) -> str:
    """Returns at most ``most`` characters of what was printed: how it begins and how it ends."""
    if len(text) <= most:
        return text
    half = most // 2 - 20
    return f"{text[:half]}\n... ({len(text):,} characters) ...\n{text[-half:]}"
