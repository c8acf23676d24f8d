"""Keeps a tournament's file: an SQLite database that holds its settings and every game played.

Games are added in transactions, each whole or not at all, so a file is sound whenever its writer is
killed. One tournament writes to a file at a time; others may read it meanwhile. The settings have a
digest, each game has a checksum, and the number of all games and the exclusive or of their
checksums are kept beside them: a file whose bytes have changed is refused, whatever they say now.
Files of version 1 have no checksums; they can be read, but not continued, as their games had other
seeds. Those of version 2 have no counts of agents, those of version 3 nothing that was printed, and
those of version 4 no games of more than two players; they become files of version 5 when they are
continued.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any, Self

from agents.agent import checked_counts

from .game_record import GameRecord

FORMAT = 5
"""The version of the format: ``user_version`` of the database."""

APPLICATION = 0x61645F74
"""What marks a tournament's file among other databases: ``application_id``."""

SMALLEST = 512
"""Bytes of the smallest database that is not empty: a page."""

SETTINGS = "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
GAMES = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY,   -- in the schedule, from 0; of two, 2 n and 2 n + 1 are a pair
    first TEXT NOT NULL,          -- the agent in the first seat
    second TEXT NOT NULL,
    opening TEXT NOT NULL,        -- actions before the agents took over: "4 0 8"
    actions TEXT NOT NULL,        -- those that followed
    points REAL NOT NULL,         -- of the first seat: 1, 0.5 or 0; or a share of p players
    seconds_first REAL NOT NULL,  -- time it thought
    seconds_second REAL NOT NULL,
    reason TEXT NOT NULL,         -- why it ended before its end, or ''
    loser INTEGER,                -- the seat that lost it for that reason
    fault TEXT NOT NULL,          -- in a word: 'illegal', 'crash', 'time', 'resigned' or ''
    checksum INTEGER NOT NULL,    -- of all of these, and of those below
    counts TEXT NOT NULL DEFAULT '',  -- of all agents, as JSON, or '' if they have none
    printed TEXT NOT NULL DEFAULT '', -- by all agents, as JSON, or '' if it is nothing
    seats TEXT NOT NULL DEFAULT ''    -- of more than two players, as JSON: agents, points, seconds
)
"""
ADDED = {3: "counts", 4: "printed", 5: "seats"}
"""The column of the table ``game`` that was added in a version of the format."""
TOTAL = "CREATE TABLE total (games INTEGER NOT NULL, checksum INTEGER NOT NULL)"
"""Its one row: the number of games, and the exclusive or of their checksums."""
SET_TOTAL = "UPDATE total SET games = ?, checksum = ?"


# ---- a game as a row of the table ``game``

Columns = tuple[Any, ...]
"""The columns of a game, without the checksum."""

CHECKSUM = 11
"""The place of the checksum in a row."""

NUMBERS = struct.Struct("<q3d")
"""The number of a game, the points and the seconds, as the checksum has them."""

KINDS = (int, str, str, str, str, float, float, float, str, int | None, str, str, str, str)
"""The types of the columns: all that is known of files of version 1."""

ACTIONS = re.compile(r"(?:\d{1,19}(?: \d{1,19})*)?", re.ASCII)


def columns_of(game: GameRecord) -> Columns:
    """Returns the columns of a record that the database keeps, in the order of ``GAMES``."""
    opening, actions = (" ".join(map(str, each)) for each in (game.opening, game.actions))
    ended = game.reason, game.loser, game.fault
    counts = json.dumps(game.counts, sort_keys=True) if any(game.counts) else ""
    printed = json.dumps(game.printed) if any(game.printed) else ""
    seats = [game.players, game.points, game.seconds]
    more = json.dumps(seats) if len(game.players) > 2 else ""
    thought = game.points[0], *game.seconds[:2]
    two = game.players[:2]
    return game.number, *two, opening, actions, *thought, *ended, counts, printed, more


def checksum_of(columns: Columns) -> int:
    """Returns the CRC-32 of all columns, as they come back from the file."""
    number, first, second, opening, actions, points, one, other, *rest = columns
    reason, loser, fault, *more = rest
    while more and not more[-1]:  # without these it is that of the version before
        more.pop()
    texts = "\0".join((first, second, opening, actions, reason, str(loser), fault, *more))
    numbers = NUMBERS.pack(number, points + 0.0, one + 0.0, other + 0.0)  # SQLite has no -0.0
    return zlib.crc32(texts.encode("utf-8", "surrogatepass"), zlib.crc32(numbers))


def game_of(columns: Columns) -> GameRecord | None:
    """Returns the game of some columns; None if they are not what they should be."""
    if len(columns) != len(KINDS) or not all(map(isinstance, columns, KINDS)):
        return None
    number, first, second, opening, actions, points, one, other, *rest = columns
    *ended, counts, printed, seats = rest
    if not (ACTIONS.fullmatch(opening) and ACTIONS.fullmatch(actions)):
        return None
    line, played = (tuple(map(int, text.split())) for text in (opening, actions))
    two = (first, second), (points, 1.0 - points), (one, other)
    try:
        players, all_points, seconds = read_seats(seats) if seats else two
        each = read_counts(counts, len(players)), read_printed(printed, len(players))
    except (ValueError, TypeError, RecursionError):
        return None
    reason, loser, fault = ended
    result = all_points, seconds, reason, loser, fault
    return GameRecord(number, players, line, played, *result, *each)


def read_counts(text: str, players: int = 2) -> tuple[dict[str, float], ...]:
    """Returns the counts of all players of a column; ValueError or TypeError if it is none."""
    found = tuple(map(checked_counts, json.loads(text) if text else [{}] * players))
    if len(found) != players:
        raise ValueError(f"the counts are of {len(found)} players, not of {players}")
    return found


def read_printed(text: str, players: int = 2) -> tuple[str, ...]:
    """Returns what all players printed, of a column; ValueError or TypeError if it is none."""
    found = tuple(json.loads(text) if text else [""] * players)
    if len(found) != players or not all(isinstance(each, str) for each in found):
        raise TypeError("what was printed is text, one of each player")
    return found


Seats = tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]
"""The agents, points and seconds of all seats."""


def read_seats(text: str) -> Seats:
    """Returns the seats of a column; ValueError or TypeError if it has none."""
    players, points, seconds = map(tuple, json.loads(text))
    if not 2 < len(players) == len(points) == len(seconds):
        raise ValueError("there are a name, points and seconds of each of three seats or more")
    if not all(isinstance(name, str) for name in players):
        raise TypeError("agents have names")
    if not all(isinstance(number, float) for number in (*points, *seconds)):
        raise TypeError("points and seconds are numbers")
    return players, points, seconds


class StoreError(OSError):
    """Says why a tournament's file cannot be used, and what can be done."""


class Store:
    """Represents an open file, or with ``path`` None one in memory; a context manager too."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any], resume: bool) -> None:
        """Begins a file with these settings, or goes on with one that has the same.

        Raises StoreError for a file that is in use, cannot be written, is damaged, holds a
        tournament already (unless ``resume``), another tournament, or something else altogether.
        """
        self.path = path
        self._total = 0, 0
        """The number of games, and the exclusive or of their checksums."""
        self._lock = _lock(path) if path is not None else None
        with ExitStack() as undo:
            undo.callback(self._unlock)
            with _explained(path):
                self._db = sqlite3.connect(path or ":memory:", isolation_level=None)
            undo.callback(self._db.close)
            self._begin(settings, resume)
            undo.pop_all()

    def _begin(self, settings: Mapping[str, Any], resume: bool) -> None:
        with _explained(self.path):
            version = _require_ours(self._db, self.path)
            wanted = json.loads(json.dumps(settings))  # as it comes back from the file
            if not _is_empty(self._db):
                if not resume:
                    raise StoreError(
                        f"{self.path} holds a tournament, {len(self)} games of it played: go on "
                        "with --resume (resume=True), or choose another file"
                    )
                self._continue(version, wanted)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")  # safe from all but a power failure
            with self.transaction():
                if _is_empty(self._db):
                    for table in (SETTINGS, GAMES, TOTAL, "INSERT INTO total VALUES (0, 0)"):
                        self._db.execute(table)
                    values = {**wanted, "digest": _digest(wanted)}
                    rows = [(name, json.dumps(value)) for name, value in values.items()]
                    self._db.executemany("INSERT INTO setting VALUES (?, ?)", rows)
                    self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                # of a file that is there: find out now whether it can be written
                self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _continue(self, version: int, wanted: dict[str, Any]) -> None:
        """Raises StoreError unless the file is sound, and of the tournament that is ``wanted``."""
        if version == 1:
            raise StoreError(
                f"{self.path} was begun by an earlier release, whose games have other seeds: go on "
                "with that release, or begin in another file; the games in it can be read"
            )
        stored = _settings(self._db, self.path)
        differ = "; ".join(
            f"{name} is {json.dumps(stored.get(name))} there, {json.dumps(wanted.get(name))} here"
            for name in {**stored, **wanted}
            if stored.get(name) != wanted.get(name)
        )
        if differ:
            raise StoreError(f"{self.path} holds another tournament: {differ}")
        said = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if said != "ok":  # more could not be written
            why = f"its pages are not in order ({' '.join(said.split())})"
            raise _damaged(self.path, why)
        _games(self._db, self.path)
        if version < FORMAT:
            with self.transaction():
                for name in (ADDED[added] for added in range(version + 1, FORMAT + 1)):
                    self._db.execute(f"ALTER TABLE game ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
                self._db.execute(f"PRAGMA user_version = {FORMAT}")
        self._total = self._db.execute("SELECT * FROM total").fetchone()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Lets what is done in here be done wholly or not at all. StoreError if it cannot be."""
        with _explained(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk ends the transaction by itself
                    self._db.execute("ROLLBACK")
                raise

    def add(self, games: Iterable[GameRecord]) -> None:
        """Keeps these games. StoreError, and none is kept, if they cannot be written."""
        every = list(map(columns_of, games))
        rows = [(*c[:CHECKSUM], checksum_of(c), *c[CHECKSUM:]) for c in every]
        before, checksum = self._total
        total = before + len(rows), reduce(xor, (row[CHECKSUM] for row in rows), checksum)
        with self.transaction():
            self._db.executemany(f"INSERT INTO game VALUES ({', '.join('?' * 15)})", rows)
            self._db.execute(SET_TOTAL, total)
        self._total = total

    def drop_from(self, number: int) -> None:
        """Forgets the games from this number on: the tournament ended before them."""
        with self.transaction():
            self._db.execute("DELETE FROM game WHERE number >= ?", (number,))
            kept = [checksum for (checksum,) in self._db.execute("SELECT checksum FROM game")]
            total = len(kept), reduce(xor, kept, 0)
            self._db.execute(SET_TOTAL, total)
        self._total = total

    def games(self) -> list[GameRecord]:
        """Returns every game, in the order of the schedule. StoreError if the file is damaged."""
        with _explained(self.path):
            return _games(self._db, self.path)

    def __len__(self) -> int:
        found: int = self._db.execute("SELECT count(*) FROM game").fetchone()[0]
        return found

    def discard(self) -> None:
        """Closes the file and removes it: there is nothing in it."""
        self._db.close()
        if self.path is not None:
            self.path.unlink()

    def close(self) -> None:
        """Closes the file. What was added is in it, not in a log beside it."""
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


def read(path: Path) -> tuple[dict[str, Any], list[GameRecord]]:
    """Returns the settings and games of a file, which may be in use; or StoreError.

    The file is not changed, and its writer never waits.
    """
    with _reading(path) as db:
        return _settings(db, path), _games(db, path)


def read_game(path: Path, number: int) -> tuple[dict[str, Any], GameRecord]:
    """Returns the settings and one game of a file, as ``read``; StoreError if it has none such."""
    with _reading(path) as db:
        settings = _settings(db, path)
        found = db.execute("SELECT * FROM game WHERE number = ?", (number,)).fetchall()
        if not found:
            raise StoreError(f"{path} has no game {number}")
        return settings, _checked(found, _version(db), path)[0]


def stored_seed(path: Path | None) -> int | None:
    """Returns the seed of the tournament in a file; None if there is no file, or nothing in it."""
    if path is None or not path.is_file() or not path.stat().st_size:
        return None
    with _reading(path) as db:
        return None if _is_empty(db) else int(_settings(db, path)["seed"])


def in_use(path: Path) -> bool:
    """Returns whether a tournament writes to the file, or has been killed while it did."""
    return _lock_path(path).exists()


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Yields the database of a file that is there, for reading only, as it is at one moment.

    A file that nobody uses has no write-ahead log. It is read as it is: otherwise SQLite would make
    a log, and leave it there.
    """
    with _explained(path):
        if not path.is_file():
            raise StoreError(f"there is no file {path}")
        used = path.with_name(f"{path.name}-wal").exists()
        uri = f"{path.absolute().as_uri()}?mode=ro{'' if used else '&immutable=1'}"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
            db.execute("BEGIN")  # what a writer adds from now on is not seen
            _require_ours(db, path)
            yield db


def _games(db: sqlite3.Connection, path: Path | None) -> list[GameRecord]:
    """Returns all games, in the order of the schedule; StoreError unless all checksums fit."""
    version = _version(db)
    rows = db.execute("SELECT * FROM game ORDER BY number").fetchall()
    games = _checked(rows, version, path)
    if version > 1:
        total = db.execute("SELECT * FROM total").fetchall()
        if total != [(len(rows), reduce(xor, (row[CHECKSUM] for row in rows), 0))]:
            said = f"{total[0][0]} games were" if total else "the number of games was"
            raise _damaged(path, f"{said} written, {len(rows)} are there")
    return games


def _checked(rows: Sequence[Any], version: int, path: Path | None) -> list[GameRecord]:
    """Returns rows as they are in the file; StoreError names games with wrong checksums."""
    games, wrong = list[GameRecord](), list[str]()
    for row in rows:
        columns, checksum = _columns_in(row, version)
        game = game_of(columns)
        if game is None or checksum not in (None, checksum_of(columns)):
            wrong.append(ascii(row[0]))
        else:
            games.append(game)
    if wrong:
        more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        raise _damaged(path, f"game {', '.join(wrong[:10])}{more} is not as it was written")
    return games


def _columns_in(row: Sequence[Any], version: int) -> tuple[Columns, int | None]:
    """Returns the columns of a row of a file of some version, and its checksum, if it has one."""
    if version == 1:
        return (*row, *[""] * len(ADDED)), None
    known = version - 2
    more = *row[CHECKSUM + 1 : CHECKSUM + 1 + known], *[""] * (len(ADDED) - known)
    return (*row[:CHECKSUM], *more), row[CHECKSUM]


def _damaged(path: Path | None, why: str) -> StoreError:
    return StoreError(
        f"{path} is damaged: {why}. Take a copy of it from before, or play the tournament again "
        "into another file: with the same seed and settings the games are the same"
    )


def _settings(db: sqlite3.Connection, path: Path | None) -> dict[str, Any]:
    if _is_empty(db):
        raise StoreError(f"{path} is an empty database: it holds no tournament")
    try:
        stored = {name: json.loads(value) for name, value in db.execute("SELECT * FROM setting")}
        if stored.pop("digest", None) == _digest(stored):
            return stored
    except (ValueError, TypeError, RecursionError):  # what was no settings of ours
        pass
    raise _damaged(path, "its settings do not fit their digest")


def _digest(settings: Mapping[str, Any]) -> str:
    text = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _is_empty(db: sqlite3.Connection) -> bool:
    """Returns whether it is a database without anything in it, such as a file just made."""
    found: int = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return found == 0


def _version(db: sqlite3.Connection) -> int:
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def _require_ours(db: sqlite3.Connection, path: Path | None) -> int:
    """Returns the version of the format; StoreError for a database of something else."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = _version(db)
    if _is_empty(db) and application == version == 0:
        if path is not None and 0 < path.stat().st_size < SMALLEST:  # SQLite takes it for empty
            raise _damaged(path, "it is cut off")
        return FORMAT
    if application != APPLICATION:
        raise StoreError(f"{path} is a database of something else, not of a tournament")
    if not 1 <= version <= FORMAT:
        raise StoreError(
            f"{path} has version {version} of the format of tournaments, and this program reads "
            f"versions 1 to {FORMAT}: use the release that wrote it, or choose another file"
        )
    if _is_empty(db):
        raise _damaged(path, "it has no tables")
    return version


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-lock")


def _lock(path: Path) -> sqlite3.Connection:
    """Returns the right to be the only tournament that writes to ``path``, until it is closed.

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
    "readonly": "cannot write {path}: it is read-only",
    "full": "cannot write {path}: the disk is full; make room and go on with --resume",
    "disk I/O": "cannot write {path}: the disk refuses (is it full?); go on with --resume",
    "locked": "{path} is in use by another program",
    "unable to open": "cannot open {path}: is its folder there, and may you write to it?",
}
"""What SQLite says, and what it means here."""


@contextmanager
def _explained(path: Path | None) -> Iterator[None]:
    """Turns errors of SQLite in here into StoreErrors that name the file and say what to do."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise _damaged(path, "its text is not UTF-8") from error
    except sqlite3.Error as error:
        if re.search("malformed|no such|decode to UTF-8", str(error)):
            raise _damaged(path, str(error)) from error
        for said, meaning in REASONS.items():
            if said in str(error):
                raise StoreError(meaning.format(path=path)) from error
        raise StoreError(f"cannot use {path}: {error}") from error
