"""The token of a port, which is kept for a while: pages that are open outlive their server."""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

import platformdirs

KEPT = 12 * 3600.0
"""Seconds after its last start in which a server at the same port has the same token."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(24)


def kept_token(port: int) -> str:
    """The token of the last server at this port, or a new one, which is kept.

    It is in a file of the user's that nobody else may read; a file that others can read, or that is
    not ours, does not count, and where none can be written the token is new each time.
    """
    place = platformdirs.user_state_path("adv_envs", appauthor=False) / f"token_{port}"
    token = read(place) or new_token()
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(place, flags, 0o600), "w") as file:
            file.write(token)
    return token


def read(place: Path) -> str | None:
    """The token in a file, if nobody else can have put it there or read it, and it is not old."""
    try:
        facts = place.lstat()
        if not stat.S_ISREG(facts.st_mode) or time.time() - facts.st_mtime > KEPT:
            return None
        if os.name == "posix" and (facts.st_uid != os.getuid() or facts.st_mode & 0o077):
            return None
        token = place.read_text()
    except (OSError, ValueError):
        return None
    return token if re.fullmatch(r"[\w-]{32}", token, re.ASCII) else None
