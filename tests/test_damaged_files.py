"""Files of ours that are read again, damaged: a documented error, or the same contents.

Tournaments' files are in test_tournament.py, networks in test_policy.py.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adv_envs import TicTacToe
from adv_envs.files import with_checksum, without_checksum
from agents.arena.ladder import FOLDER, Ladder
from agents.games.connect_four.book import SHIPPED, BookError, load_book
from agents.games.hex.solver import OPENINGS, read_openings
from agents.grading import exact_for
from agents.grading.position_sets import PositionsError, load_positions, shipped_path
from agents.learning.training_log import LogError, read_log
from agents.networks.checkpoint import checkpoint_path
from agents.networks.league import League, LeagueError

pytestmark = pytest.mark.plain

SIZES = 1, 1, 1, 4, 64, 100_000
"""How many bytes are damaged at once."""


def corrupted(data: bytes, rng: random.Random) -> bytes:
    """Data of which some bytes are others, twice or lost."""
    at, length = rng.randrange(len(data)), rng.choice(SIZES)
    other = rng.randrange(len(data))
    match rng.randrange(4):
        case 0:
            return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + rng.randbytes(length)[: len(data) - at] + data[at + length :]
        case 2:
            return data[:at] + data[other : other + length] + data[at + length :]
    return data[:at]


def damaged(path: Path, read: Callable[[Path], Any], error: type[Exception], times: int) -> None:
    """Hold that ``read`` gives what it gave, or ``error`` with the path, after any damage."""
    whole, rng = path.read_bytes(), random.Random(1)
    good, refused = read(path), 0
    for _ in range(times):
        path.write_bytes(corrupted(whole, rng))
        try:
            found = read(path)
        except error as raised:
            refused += str(path.parent) in str(raised)
        else:
            assert found == good, path.read_bytes()[:400]
            refused += 1
    assert refused == times


def copied(path: Path, folder: Path) -> Path:
    """A copy that may be changed."""
    copy = folder / path.name
    copy.write_bytes(path.read_bytes())
    return copy


def test_positions(tmp_path: Path) -> None:
    exact = exact_for(TicTacToe())
    path = copied(shipped_path(exact.start), tmp_path)
    damaged(path, lambda path: load_positions(path, exact).digest, PositionsError, 60)
    for text in ("[" * 100_000, "null", "[]", '"format"', '{"format": 1}', "é"):
        path.write_text(text)
        with pytest.raises(PositionsError, match=str(path)):
            load_positions(path, exact)
    with pytest.raises(PositionsError, match="cannot be read"):
        load_positions(tmp_path, exact)


def test_ladders(tmp_path: Path) -> None:
    path = copied(FOLDER / "tic_tac_toe.json", tmp_path)
    damaged(path, Ladder.load, ValueError, 300)
    for text in ("[" * 100_000, "null", "[]", '"format"', '{"format": 1}', "{}"):
        path.write_text(text)
        with pytest.raises(ValueError, match=f"{path} is no ladder"):
            Ladder.load(path)


def test_ladders_of_earlier_releases_have_no_checksum(tmp_path: Path) -> None:
    path = copied(FOLDER / "tic_tac_toe.json", tmp_path)
    found = Ladder.load(path)
    lines = path.read_text().splitlines()
    assert lines[-2].startswith(' "sha256"')
    path.write_text("\n".join([*lines[:-3], lines[-3].rstrip(","), "}"]))
    assert Ladder.load(path) == found


def test_openings_of_hex(tmp_path: Path) -> None:
    path = copied(OPENINGS, tmp_path)
    damaged(path, read_openings, ValueError, 200)


def test_books(tmp_path: Path) -> None:
    path = copied(SHIPPED, tmp_path)
    damaged(path, lambda path: load_book(path).words.tobytes(), BookError, 60)
    for text in (b"[" * 100_000, b"null\n", b"[]\n", b'{"game": {}, "version": 1}\n', b"\xff"):
        path.write_bytes(text)
        with pytest.raises(BookError, match=str(path)):
            load_book(path)


def test_leagues(tmp_path: Path) -> None:
    checkpoint = checkpoint_path("hex_5_alphazero")
    league = League.begin(tmp_path / "league", checkpoint, seed=1)
    league.add(checkpoint, 10)
    league.save()
    path = tmp_path / "league" / "league.json"
    assert path.exists()
    damaged(path, lambda path: League(path.parent, seed=1).state_dict(), LeagueError, 100)


def test_logs_of_trainings(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"steps": 0, "mistakes": 0.5}\n{"steps": 5, "mistakes": 0.25}\n{"steps"')
    assert [line["steps"] for line in read_log(path)] == [0, 5]
    for line in (
        b"{",
        b"[]",
        b'"steps"',
        b'{"step": 1}',
        b'{"steps": "1"}',
        b"\xff",
        b"[" * 100_000,
    ):
        path.write_bytes(b'{"steps": 0}\n' + line + b'\n{"steps": 9}\n')
        with pytest.raises(LogError, match=r"log\.jsonl is damaged: line 2 is no grade"):
            read_log(path)


def test_the_checksum_is_of_all_that_is_said() -> None:
    data = {"b": [1, 2.5, None], "a": {"é": "\ud800"}}
    kept = with_checksum(data)
    assert without_checksum(kept) == data == without_checksum(data)
    with pytest.raises(ValueError, match="torn or was changed"):
        without_checksum({**kept, "b": [1, 2.25, None]})
    with pytest.raises(ValueError, match="torn or was changed"):
        without_checksum({**kept, "c": 1})
