"""Says who takes part in a class's tournament, who plays which game, and keeps both in a file.

The file is that of any tournament (see ``agents.arena.store``) with one more table: the members, in
the order in which they joined. A member is a submission as it was at one time, known by its name
and the SHA-256 of its file, or one of the staff. Numbers of games follow from those of the two
members, the later one first: so who joins adds games at the end, and who leaves takes no number
away. Seeds follow from the digests of both alone. So two files play the same games, no matter who
else is there and when they joined.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from adv_envs.random import derived_seed
from agents.arena.store import Store, StoreError
from agents.match_loop import Schedule, Task

MEMBERS = """
CREATE TABLE IF NOT EXISTS member (
    number INTEGER PRIMARY KEY,   -- in the order of joining, from 0
    name TEXT NOT NULL,           -- of the file, without .py, or the spec of an agent of the staff
    digest TEXT NOT NULL,         -- SHA-256 of the file, or of the spec
    staff INTEGER NOT NULL,       -- 1 for one of the staff, else 0
    UNIQUE (name, digest, staff)
)
"""


class MemberKey(NamedTuple):
    """Tells members apart."""

    name: str
    digest: str
    """SHA-256 of the file, or of the spec, in hexadecimal digits."""
    staff: bool

    @classmethod
    def of_spec(cls, spec: str) -> MemberKey:
        """Returns the key of an agent of the staff."""
        return cls(spec, hashlib.sha256(spec.encode()).hexdigest(), True)

    @property
    def label(self) -> str:
        """Returns what it is called in the records of games: "alice 3f2a9c1d", "random()"."""
        if self == MemberKey.of_spec(self.name):
            return self.name
        return f"{'staff ' * self.staff}{self.name} {self.digest[:8]}"


@dataclass(frozen=True)
class Member:
    """Describes who takes part, or took part."""

    number: int
    """The place in the order of joining, from 0."""
    key: MemberKey

    @property
    def label(self) -> str:
        """Returns what it is called in the records of games."""
        return self.key.label


# ---- who plays which game


def pair_number(one: int, other: int) -> int:
    """Returns the number of the pair of two members, from 0; those of later members are higher."""
    low, high = sorted((one, other))
    return high * (high - 1) // 2 + low


def pair_of(number: int) -> tuple[int, int]:
    """Returns the two members of a pair, the earlier one first."""
    high = (1 + math.isqrt(1 + 8 * number)) // 2
    return number - high * (high - 1) // 2, high


@dataclass(frozen=True)
class ClassSchedule(Schedule):
    """Schedules games whose numbers and seeds do not depend on who else takes part.

    ``pairings`` are those of agents of the plan; game ``k`` of a pair of members has the number
    ``2 * rounds * pair_number + k``.
    """

    members: tuple[Member, ...] = ()
    """The member that each agent of the plan is."""
    indices: Mapping[int, int] = field(init=False, hash=False)
    """The agent of the plan by the number of the member."""

    def __post_init__(self) -> None:
        """Finds the agents by the numbers of members."""
        indices = {member.number: index for index, member in enumerate(self.members)}
        object.__setattr__(self, "indices", indices)

    def numbers(self) -> list[int]:
        """Returns the numbers of all games, in order."""
        firsts = sorted(
            2 * self.rounds * pair_number(self.members[a].number, self.members[b].number)
            for a, b in self.pairings
        )
        return [first + turn for first in firsts for turn in range(2 * self.rounds)]

    def task(self, number: int) -> Task:
        """Returns game ``number``. IndexError if a member of it does not take part."""
        pair, turn = divmod(number, 2 * self.rounds)
        try:
            agents = [self.indices[member] for member in pair_of(pair)]
        except KeyError:
            raise IndexError(f"no game {number}: one of its members does not take part") from None
        by_digest = {i: (self.members[i].key.digest, self.members[i].key.name) for i in agents}
        first, second = sorted(agents, key=by_digest.__getitem__)
        digests = by_digest[first][0], by_digest[second][0]
        own = derived_seed(self.seed, "agents", *digests, turn)
        shared = derived_seed(self.seed, "chance", *digests, turn // 2)
        players = (second, first) if turn % 2 else (first, second)
        return Task(number, players, turn // 2 % self.openings, own, shared)


def class_pairings(members: Sequence[Member], known: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Returns all pairs of ``members``, by index, but those of two whose strength is ``known``.

    ``known`` has labels.
    """
    rated = set(known)
    return tuple(
        (a, b)
        for b in range(len(members))
        for a in range(b)
        if not {members[a].label, members[b].label} <= rated
    )


# ---- the file


class ClassStore(Store):
    """Represents the file of a class's tournament, which goes on whenever it is opened."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        """Opens it, or begins it. StoreError for what it cannot be, see ``Store``."""
        super().__init__(path, settings, resume=True)
        with self.transaction():
            self._db.execute(MEMBERS)

    def join(self, keys: Sequence[MemberKey]) -> list[Member]:
        """Returns the members with these keys, in this order; those that are new join now."""
        with self.transaction():
            self._db.executemany(
                "INSERT OR IGNORE INTO member (number, name, digest, staff) "
                "VALUES ((SELECT count(*) FROM member), ?, ?, ?)",
                keys,
            )
        by_key = {member.key: member for member in self.members()}
        return [by_key[key] for key in keys]

    def members(self) -> list[Member]:
        """Returns all that ever joined. StoreError if the table is not as it was written."""
        rows = self._db.execute("SELECT * FROM member ORDER BY number").fetchall()
        if [row[0] for row in rows] != list(range(len(rows))):
            raise StoreError(f"{self.path} is damaged: its members are not as they were written")
        found = [Member(n, MemberKey(name, digest, bool(staff))) for n, name, digest, staff in rows]
        if not all(isinstance(text, str) for member in found for text in member.key[:2]):
            raise StoreError(f"{self.path} is damaged: its members are not as they were written")
        return found
