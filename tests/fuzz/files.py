"""Files: policies, position sets, ladders, books, openings, tournaments."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path
from typing import Any

from adv_envs import ConnectFour, TicTacToe
from adv_envs.registry import start_position
from agents.arena import store
from agents.arena.ladder import FOLDER, Ladder
from agents.arena.schedule import openings as make_openings
from agents.games.connect_four.book import BookError, load_book, make_book
from agents.grading import exact_values
from agents.grading.position_sets import PositionsError, load_positions
from agents.networks.checkpoint import SHIPPED, CheckpointError, load_checkpoint

from .kinds import kind
from .mutations import damaged

DATA = FOLDER.parent


@functools.cache
def folder() -> Path:
    """Returns a folder of this process, which ends with it."""
    path = Path(tempfile.mkdtemp(prefix="fuzz-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def change_file(sample: bytes, others: list[bytes], rng: Any) -> bytes:
    """Changes bytes of a file."""
    return damaged(sample, rng)


def written(data: bytes, name: str) -> Path:
    """Returns the path of a file with these contents."""
    path = folder() / name
    path.write_bytes(data)
    return path


def policies() -> list[bytes]:
    """Returns the smaller of the policies that come with the package."""
    paths = [p for p in sorted(SHIPPED.glob("*.safetensors")) if p.stat().st_size < 200_000]
    return [path.read_bytes() for path in paths[:3]]


@kind(policies, CheckpointError, OSError, share=8, change=change_file)
def policies_in_files(data: bytes) -> None:
    """Loads a policy."""
    load_checkpoint(written(data, "policy.safetensors"))


@kind(
    lambda: [(DATA / "positions" / "fig52.json").read_bytes()],
    PositionsError,
    OSError,
    share=20,
    change=change_file,
)
def position_sets(data: bytes) -> None:
    """Loads positions for grading."""
    exact = exact_values.exact_for(start_position("fig52"))
    load_positions(written(data, "positions.json"), exact)


@kind(
    lambda: [path.read_bytes() for path in sorted(FOLDER.glob("*.json"))[:4]],
    ValueError,
    OSError,
    share=20,
    change=change_file,
)
def ladders(data: bytes) -> None:
    """Loads a ladder and asks what game it is of."""
    found = Ladder.load(written(data, "ladder.json"))
    assert isinstance(found.game, str)


def books() -> list[bytes]:
    """Returns a small book of Connect Four."""
    path = folder() / "book"
    make_book(ConnectFour(4, 4), 1, 1, {key: key % 3 - 1 for key in range(20)}).save(path)
    return [path.read_bytes()]


@kind(books, BookError, share=20, change=change_file)
def opening_books(data: bytes) -> None:
    """Loads a book."""
    load_book(written(data, "four.book"), 4, 4)


@kind(
    lambda: [b"# openings\nb2 a1\na1, b2\n\n5 1 # centre\nc3 b2 a1\n"],
    ValueError,
    OSError,
    share=20,
    change=change_file,
)
def files_of_openings(data: bytes) -> None:
    """Reads openings."""
    make_openings(TicTacToe(), f"file:{written(data, 'openings.txt')}")


# ---- tournaments

SETTINGS = {"start": repr(TicTacToe()), "agents": ["random", "greedy"], "pairs": 2, "seed": 1}


def stores() -> list[bytes]:
    """Returns a tournament's file with some games."""
    path = folder() / "whole.db"
    with store.Store(path, SETTINGS, False) as found:
        found.add(
            store.GameRecord(n, ("random", "greedy"), (0, 4), (1, 2, 3), (1.0, 0.0), (0.1, 0.2))
            for n in range(4)
        )
    return [path.read_bytes()]


@kind(stores, store.StoreError, share=5, change=change_file)
def tournaments_in_files(data: bytes) -> None:
    """Reads the games, and goes on with the tournament."""
    path = written(data, "tournament.db")
    for other in folder().glob("tournament.db-*"):
        other.unlink()
    _, games = store.read(path)
    assert all(game.number >= 0 for game in games)
    with store.Store(path, SETTINGS, True) as found:
        len(found)
