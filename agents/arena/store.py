"""The file of a tournament: an SQLite database that holds its settings and every game played.

Games are added in transactions, each whole or not at all, so a file is sound whenever its writer is
killed. One tournament writes to a file at a time; others may read it meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

FORMAT = 1
"""The version of the format: ``user_version`` of the database."""

APPLICATION = 0x61645F74
"""What marks a tournament's file among other databases: ``application_id``."""

SETTINGS = "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
GAMES = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY,   -- in the schedule, from 0; 2 n and 2 n + 1 are a pair
    first TEXT NOT NULL,          -- the agent in the first seat
    second TEXT NOT NULL,
    opening TEXT NOT NULL,        -- actions before the agents took over: "4 0 8"
    actions TEXT NOT NULL,        -- those that followed
    points REAL NOT NULL,         -- of the first seat: 1, 0.5 or 0
    seconds_first REAL NOT NULL,  -- time it thought
    seconds_second REAL NOT NULL,
    reason TEXT NOT NULL,         -- why it ended before its end, or ''
    loser INTEGER,                -- the seat that lost it for that reason
    fault TEXT NOT NULL           -- in a word: 'illegal', 'crash', 'time', 'resigned' or ''
)
"""


@dataclass(frozen=True)
class GameRecord:
    """The agents, moves and result of a game.

    Games 2 n and 2 n + 1 are pair n: one opening, played twice with seats swapped.
    """

    number: int
    """Its place in the schedule, from 0."""
    players: tuple[str, str]
    """The specs of the agents; the first had the first seat."""
    opening: tuple[int, ...]
    """The actions before the agents took over."""
    actions: tuple[int, ...]
    """Those that followed."""
    points: tuple[float, float]
    """1 for a win, 0.5 for a draw, 0 for a loss."""
    seconds: tuple[float, float]
    """Time each player thought."""
    reason: str = ""
    """Why it ended early: the player that failed, and how."""
    loser: int | None = None
    """The seat that lost it for this reason."""
    fault: str = ""
    """In a word: "illegal" action, "crash", out of "time", "resigned", or "" for none of them."""

    @property
    def pair(self) -> int:
        """The pair it belongs to."""
        return self.number // 2


class GameRow(NamedTuple):
    """A game as it is stored: the columns of the table ``game``."""

    number: int
    first: str
    second: str
    opening: str
    actions: str
    points: float
    seconds_first: float
    seconds_second: float
    reason: str = ""
    loser: int | None = None
    fault: str = ""

    @property
    def played(self) -> tuple[str, str, str, str]:
        """Both agents, the opening and the actions: equal for games that repeat each other."""
        return self.first, self.second, self.opening, self.actions

    def record(self) -> GameRecord:
        """The game as a record."""
        return GameRecord(
            self.number,
            (self.first, self.second),
            tuple(map(int, self.opening.split())),
            tuple(map(int, self.actions.split())),
            (self.points, 1.0 - self.points),
            (self.seconds_first, self.seconds_second),
            self.reason,
            self.loser,
            self.fault,
        )


class StoreError(OSError):
    """A tournament's file cannot be used; the message says why, and what can be done."""


class Store:
    """An open file, or with ``path`` None one in memory. Close it; it is also a context manager."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any], resume: bool) -> None:
        """Begin a file with these settings, or go on with one that has the same.

        Raises StoreError for a file that is in use, cannot be written, holds a tournament already
        (unless ``resume``), another tournament, or something else altogether.
        """
        self.path = path
        self._lock = _lock(path) if path is not None else None
        try:
            self._db = _connect(path)
            try:
                self._begin(settings, resume)
            except BaseException:
                self._db.close()
                raise
        except BaseException:
            self._unlock()
            raise

    def _begin(self, settings: Mapping[str, Any], resume: bool) -> None:
        with _explained(self.path):
            _require_ours(self._db, self.path)
            wanted = json.loads(json.dumps(settings))  # as it comes back from the file
            if not _is_empty(self._db):
                if not resume:
                    raise StoreError(
                        f"{self.path} holds a tournament, {len(self)} games of it played: go on "
                        "with --resume (resume=True), or choose another file"
                    )
                _require_same(self.path, _settings(self._db, self.path), wanted)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")  # safe from all but a power failure
            with self.transaction():
                if _is_empty(self._db):
                    _create(self._db, wanted)
                else:  # find out now whether it can be written
                    self._db.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is done in here is done wholly or not at all. StoreError if it cannot be."""
        with _explained(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk ends the transaction by itself
                    self._db.execute("ROLLBACK")
                raise

    def add(self, rows: Iterable[GameRow]) -> None:
        """Keep these games. StoreError, and none is kept, if they cannot be written."""
        with self.transaction():
            self._db.executemany(f"INSERT INTO game VALUES ({', '.join('?' * 11)})", rows)

    def drop_from(self, number: int) -> None:
        """Forget the games from this number on: the tournament ended before them."""
        with self.transaction():
            self._db.execute("DELETE FROM game WHERE number >= ?", (number,))

    def rows(self) -> list[GameRow]:
        """Every game, in the order of the schedule."""
        return _rows(self._db)

    def __len__(self) -> int:
        found: int = self._db.execute("SELECT count(*) FROM game").fetchone()[0]
        return found

    def discard(self) -> None:
        """Close the file and remove it: there is nothing in it."""
        self._db.close()
        if self.path is not None:
            self.path.unlink()

    def close(self) -> None:
        """Close the file. What was added is in it, not in a log beside it."""
        try:
            with suppress(sqlite3.Error):  # `close` does it, too, but not while somebody reads
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.close()
        finally:
            self._unlock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _unlock(self) -> None:
        if self._lock is not None and self.path is not None:
            with suppress(OSError):
                _lock_path(self.path).unlink()
            self._lock.close()


def read(path: Path) -> tuple[dict[str, Any], list[GameRow]]:
    """Return the settings and games of a file, which may be in use; or StoreError.

    The file is not changed, and its writer never waits.
    """
    with _explained(path), closing(_connect_to_read(path)) as db:
        _require_ours(db, path)
        if _is_empty(db):
            raise StoreError(f"{path} is an empty database: it holds no tournament")
        return _settings(db, path), _rows(db)


def read_game(path: Path, number: int) -> tuple[dict[str, Any], GameRow]:
    """Return the settings and one game of a file, as ``read``; StoreError if it has none such."""
    with _explained(path), closing(_connect_to_read(path)) as db:
        _require_ours(db, path)
        row = db.execute("SELECT * FROM game WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise StoreError(f"{path} has no game {number}")
        return _settings(db, path), GameRow(*row)


def in_use(path: Path) -> bool:
    """Whether a tournament writes to the file, or has been killed while it did."""
    return _lock_path(path).exists()


def actions_text(actions: Iterable[int]) -> str:
    """Actions as they are stored."""
    return " ".join(map(str, actions))


def _rows(db: sqlite3.Connection) -> list[GameRow]:
    return [GameRow(*row) for row in db.execute("SELECT * FROM game ORDER BY number")]


def _create(db: sqlite3.Connection, settings: Mapping[str, Any]) -> None:
    db.execute(SETTINGS)
    db.execute(GAMES)
    values = {**settings, "digest": _digest(settings)}
    db.executemany(
        "INSERT INTO setting VALUES (?, ?)",
        [(name, json.dumps(value)) for name, value in values.items()],
    )
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {FORMAT}")


def _settings(db: sqlite3.Connection, path: Path | None) -> dict[str, Any]:
    stored = {name: json.loads(value) for name, value in db.execute("SELECT * FROM setting")}
    digest = stored.pop("digest", None)
    if digest != _digest(stored):
        raise StoreError(f"{path} is damaged: its settings do not fit their digest")
    return stored


def _digest(settings: Mapping[str, Any]) -> str:
    text = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _require_same(path: Path | None, stored: dict[str, Any], wanted: dict[str, Any]) -> None:
    """StoreError, naming the settings that differ, unless they are the same."""
    names = [name for name in {**stored, **wanted} if stored.get(name) != wanted.get(name)]
    if names:
        differ = "; ".join(
            f"{name} is {json.dumps(stored.get(name))} there, {json.dumps(wanted.get(name))} here"
            for name in names
        )
        raise StoreError(f"{path} holds another tournament: {differ}")


def _is_empty(db: sqlite3.Connection) -> bool:
    """Whether it is a database without anything in it, such as a file just made."""
    found: int = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return found == 0


def _require_ours(db: sqlite3.Connection, path: Path | None) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if _is_empty(db) and application == version == 0:
        return
    if application != APPLICATION:
        raise StoreError(f"{path} is a database of something else, not of a tournament")
    if version != FORMAT:
        raise StoreError(
            f"{path} has version {version} of the format of tournaments, and this program reads "
            f"version {FORMAT}: use the release that wrote it, or choose another file"
        )


def _connect(path: Path | None) -> sqlite3.Connection:
    """The database of a file, made if need be; transactions are begun and ended by hand."""
    with _explained(path):
        name = ":memory:" if path is None else path
        return sqlite3.connect(name, isolation_level=None)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """The database of a file that is there, for reading only.

    A file that nobody uses has no write-ahead log. It is read as it is: otherwise SQLite would make
    a log, and leave it there.
    """
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    used = path.with_name(f"{path.name}-wal").exists()
    options = "mode=ro" if used else "mode=ro&immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, isolation_level=None)


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-lock")


def _lock(path: Path) -> sqlite3.Connection:
    """The right to be the only tournament that writes to ``path``, until it is closed.

    It is SQLite's own lock on an empty file beside it, which ends with the process that holds it,
    however that ends.
    """
    lock_path = _lock_path(path)
    with _explained(path):
        if path.is_dir():
            raise StoreError(f"{path} is a folder, not a file")
        while True:
            lock = sqlite3.connect(lock_path, timeout=0, isolation_level=None)
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                lock.close()
                if "locked" not in str(error):
                    raise
                raise StoreError(
                    f"{path} is in use by another tournament: wait for it, or choose another file"
                ) from error
            if lock_path.exists():
                return lock
            lock.close()  # its holder removed the file in between


REASONS = {
    "not a database": "{path} is no tournament's file: it is not an SQLite database",
    "malformed": "{path} is damaged",
    "readonly": "cannot write {path}: it is read-only",
    "full": "cannot write {path}: the disk is full; make room and go on with --resume",
    "disk I/O": "cannot write {path}: the disk refuses (is it full?); go on with --resume",
    "locked": "{path} is in use by another program",
    "unable to open": "cannot open {path}: is its folder there, and may you write to it?",
}
"""What SQLite says, and what it means here."""


@contextmanager
def _explained(path: Path | None) -> Iterator[None]:
    """Errors of SQLite in here are StoreErrors that name the file and say what to do."""
    try:
        yield
    except sqlite3.Error as error:
        for said, meaning in REASONS.items():
            if said in str(error):
                raise StoreError(meaning.format(path=path)) from error
        raise StoreError(f"cannot use {path}: {error}") from error
