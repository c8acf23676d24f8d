"""Keeps a league: a learner's past selves in a folder, from which its opponents are drawn.

Against a mixture of all its past selves a learner cannot go in circles, as it may against the last
one alone: it must not lose again to what it has beaten. Where the mixture is uniform this is
fictitious self-play. Sources:

- G. W. Brown, Iterative solution of games by fictitious play, 1951; J. Heinrich, M. Lanctot and
  D. Silver, Fictitious self-play in extensive-form games, ICML 2015: ``by="uniform"``;
- O. Vinyals and others, Grandmaster level in StarCraft II using multi-agent reinforcement learning,
  Nature 575, 2019: prioritised fictitious self-play. With p the learner's chance to beat a past
  self, this is drawn by (1 - p)^power, the more often the harder it is (``by="hard"``), or by
  p (1 - p), the more often the nearer it is in strength (``by="even"``).

AlphaStar counts how often a past self was beaten; here p is what the ratings expect, see
``drifting_ratings``, as games of long ago say little of the learner of today.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.files import with_checksum, without_checksum, write_file
from adv_envs.registry import title
from agents.agent import SeededAgent, require_unfinished
from agents.networks.checkpoint import CheckpointError
from agents.networks.policy import Policy
from agents.statistics import Interval

from .drifting_ratings import DriftingRatings

INDEX = "league.json"
FORMAT = 1

GAMES_OF_UPDATE = 200
"""Games that are reported before ratings, and the chances that depend on them, are worked out."""

Array = NDArray[np.float64]

DRAWS: dict[str, Callable[[Array, float], Array]] = {
    "uniform": lambda p, power: np.ones_like(p),
    "hard": lambda p, power: (1 - p) ** power,
    "even": lambda p, power: p * (1 - p),
}
"""How often past selves are drawn, in proportion, by the learner's chances p (n,) to beat them."""


class LeagueError(ValueError):
    """Says why a folder is no league that can be used."""


class PastSelf:
    """Plays as an earlier policy of the learner, an opponent. Its results go to its league."""

    def __init__(self, league: League, entry: dict[str, Any]) -> None:
        self.league, self.entry = league, entry
        self.policy = Policy(league._path_of(entry), temperature=league.temperature)
        self.games: Array = np.zeros(2)
        self.points: Array = np.zeros(2)
        """Games in all and the learner's points in them, by the learner's seat: first or second."""
        self.reset(None)

    @property
    def number(self) -> int:
        """Returns how many past selves were added before it."""
        return int(self.entry["number"])

    @property
    def steps(self) -> int:
        """Returns the learner's steps when it was added."""
        return int(self.entry["steps"])

    def reset(self, seed: int | None) -> None:
        """Seeds the random choices of its moves."""
        self.policy.reset(seed)

    def act(self, position: Position) -> int:
        """Returns an action, drawn from the policy."""
        return self.policy.act(position)

    def act_batch(self, positions: list[Any]) -> list[int]:
        """Returns an action for each position, by one evaluation of the network."""
        return self.policy.act_batch(positions)

    @property
    def sees_observations(self) -> bool:
        """Returns whether ``act_on_observations`` can be asked."""
        return self.policy.sees_observations

    @property
    def act_on_observations(self) -> Callable[..., list[int]]:
        """Returns that of the policy."""
        return self.policy.act_on_observations

    def report_result(self, points: float, first: bool) -> None:
        """Counts a game: the learner's ``points``, and whether it was ``first`` of the two."""
        self.league.count(self, points, first)

    def __repr__(self) -> str:
        return repr(self.policy)


@dataclass(repr=False)
class League(SeededAgent):
    """Plays as a learner's past selves in the folder ``path``, as one opponent or agent.

    As the opponent of an environment, single or batched, it draws one of them for each game and
    seat, and learns their ratings from the results. As an agent it draws one when it is reset, and
    plays it until it is reset again: the average policy of fictitious self-play. Each is also a
    checkpoint of its own, for ``policy(path=...)``.

    ``League.begin`` begins a league with a first self; ``add`` adds the next. ``save`` writes the
    results too, and ``state_dict`` has everything for a state of training. LeagueError if the
    folder has no league, or one that is damaged or of another format.
    """

    path: str | os.PathLike[str]
    """The folder, as ``League.begin`` writes it."""
    latest: float = 0.5
    """The share of games, 0 to 1, of the newest past self alone; in the others it is drawn like
    all of them."""
    by: str = "uniform"
    """How all are drawn: "uniform"; "hard", in proportion to (1 - p)^power, where p is the score
    that the learner is expected to make against each; or "even", in proportion to p (1 - p)."""
    power: float = 2.0
    """The power of "hard", 0 or more."""
    size: int = 20
    """Past selves that are kept, at least 2. Beyond that, the one is removed, other than the first
    and the newest, whose neighbours are nearest to each other in number, of equals the oldest:
    those that are left are spread over the whole training."""
    temperature: float = 1.0
    """Of their policies: 1 draws moves as a learner does, 0 takes the best ones."""
    seed: int | None = None
    """Decides random choices until ``reset`` gives another seed; None: new ones each time."""

    name: ClassVar[str] = "league"
    members: list[PastSelf] = field(init=False, repr=False, compare=False)
    """The past selves, the oldest first."""
    ratings: DriftingRatings = field(init=False, repr=False, compare=False)
    _added: int = field(init=False, repr=False, compare=False)
    _saved: set[str] = field(init=False, repr=False, compare=False)
    _pending: dict[int, list[list[float]]] = field(init=False, repr=False, compare=False)
    _cumulative: Array = field(init=False, repr=False, compare=False)
    _playing: PastSelf | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.path = os.fspath(self.path)  # so that the spec can be read back
        if self.by not in DRAWS:
            raise ValueError(f"by must be one of {', '.join(DRAWS)}, not {self.by!r}")
        if not 0 <= self.latest <= 1:
            raise ValueError(f"latest must be a share, 0 to 1, not {self.latest}")
        if not self.size >= 2:
            raise ValueError(f"size must be at least 2, not {self.size}")
        if not self.power >= 0:
            raise ValueError(f"power must not be negative, not {self.power}")
        index = Path(self.path) / INDEX
        if not os.path.isfile(index):
            raise LeagueError(
                f"{self.path[:200]} has no league: begin one with League.begin(path, checkpoint)"
            )
        try:
            state = without_checksum(json.loads(index.read_text(encoding="utf-8")))
        except (OSError, ValueError, AttributeError, RecursionError) as error:
            raise LeagueError(f"{index} is torn, or no league: {error}") from None
        super().__post_init__()
        self.load_state_dict(state)

    # ---- adding past selves

    @classmethod
    def begin(
        cls,
        path: str | os.PathLike[str],
        checkpoint: str | os.PathLike[str],
        *,
        replace: bool = False,
        **options: Any,
    ) -> League:
        """Returns a new league whose first past self is a copy of the file ``checkpoint``.

        ``options`` are those of the class. A league that is there already is removed if
        ``replace``; otherwise LeagueError. CheckpointError for a file that is no checkpoint.
        """
        folder = Path(path)
        if (folder / INDEX).exists() and not replace:
            raise LeagueError(f"{folder} has a league already: open it with League(path)")
        first = _stored(folder, checkpoint, 0, 0)
        ratings = DriftingRatings()
        ratings.add()
        state = {
            "format": FORMAT,
            "added": 1,
            "members": [first | {"games": [0, 0], "points": [0, 0]}],
            "ratings": ratings.state_dict(),
            "pending": [],
        }
        write_file(folder / INDEX, json.dumps(with_checksum(state)))
        league = cls(path, **options)
        league.save()
        return league

    def add(self, checkpoint: str | os.PathLike[str], steps: int = 0) -> None:
        """Adds a copy of the file ``checkpoint``, the learner as it is now after ``steps`` steps.

        It begins with the learner's rating. CheckpointError for a file that is no checkpoint,
        LeagueError for one of another game.
        """
        self._update()
        entry = _stored(Path(self.path), checkpoint, self._added, steps)
        new = PastSelf(self, entry)
        self._require_same_game(new)
        new.reset(self.rng.getrandbits(32))
        self.members.append(new)
        self._added += 1
        self.ratings.add()
        if len(self.members) > self.size:
            self._thin()
        self._work_out_chances()
        self._write_index()

    def _thin(self) -> None:
        """Removes the past self whose neighbours are the nearest to each other, see the class."""
        numbers = [member.number for member in self.members]
        gaps = [after - before for before, after in zip(numbers, numbers[2:], strict=False)]
        least = 1 + gaps.index(min(gaps))
        del self.members[least]
        self.ratings.remove(least)

    def _require_same_game(self, member: PastSelf) -> None:
        if self.members and member.policy.checkpoint.start != self.start:
            path = Path(member.policy.path)
            plays = member.policy.checkpoint.start
            raise LeagueError(
                f"{path} plays {title(plays)}, but its league plays {title(self.start)}"
            )

    @property
    def start(self) -> Position:
        """Returns the start position of the game that the league plays."""
        return self.members[0].policy.checkpoint.start

    def _path_of(self, entry: dict[str, Any]) -> str:
        """Returns the file of a past self; LeagueError if it is missing or damaged."""
        path = Path(self.path) / Path(entry["file"]).name
        if not os.path.isfile(path):
            raise LeagueError(f"{path}, a past self of the league, is missing")
        if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
            raise LeagueError(f"{path} is torn or was changed since it was added to the league")
        return str(path)

    # ---- results

    def count(self, member: PastSelf, points: float, first: bool) -> None:
        """Counts a game against ``member``: the learner's ``points``, 1, 0.5 or 0.

        ``first``: whether the learner's seat is before that of ``member``.
        """
        seat = 0 if first else 1
        member.games[seat] += 1
        member.points[seat] += points
        pending = self._pending.setdefault(member.number, [[0, 0], [0, 0]])
        pending[0][seat] += 1
        pending[1][seat] += points
        if sum(sum(games) for games, _ in self._pending.values()) >= GAMES_OF_UPDATE:
            self._update()
            self._work_out_chances()

    def _update(self) -> None:
        nothing = [[0, 0], [0, 0]]  # games against those that were removed are left out
        counted = [self._pending.get(member.number, nothing) for member in self.members]
        games, points = np.array(counted, np.float64).transpose(1, 0, 2)
        self.ratings.update(games, points)
        self._pending = {}

    def _work_out_chances(self) -> None:
        self._cumulative = np.cumsum(self.chances())

    def chances(self) -> Array:
        """Returns how likely each of ``members`` is drawn, (n,), by the ratings as they are."""
        wanted = DRAWS[self.by](self.ratings.expected(), self.power)
        found: Array = (1 - self.latest) * wanted / wanted.sum()
        found[-1] += self.latest
        return found

    def rating(self, member: PastSelf) -> Interval:
        """Returns the rating of a member in Elo above the first one, with its 95 % interval."""
        return self.ratings.rating(self.members.index(member))

    def lines(self) -> list[str]:
        """Returns the members as a table, the newest first."""
        lines = ["  number       steps   games  points    Elo above the first        drawn"]
        chances = self.chances()
        for i, member in reversed(list(enumerate(self.members))):
            rated, games = self.ratings.rating(i), member.games.sum()
            share = f"{member.points.sum() / games:.0%}" if games else "-"
            elo = f"{rated.value:+.0f} ({rated.low:+.0f} to {rated.high:+.0f})"
            lines.append(
                f"{member.number:>8} {member.steps:>11} {games:>7.0f} {share:>7}    "
                f"{elo:<24} {chances[i]:>7.1%}"
            )
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    # ---- playing

    def reset(self, seed: int | None = None) -> None:
        """Seeds all random choices; the next action is that of another draw."""
        super().reset(seed)
        if seed is not None:
            for member in self.members:
                member.reset(self.rng.getrandbits(32))
        self._playing = None

    def draw_opponent(self, mark: float) -> PastSelf:
        """Returns the past self that ``mark``, a random number from 0 to 1, selects."""
        found = int(np.searchsorted(self._cumulative, mark * self._cumulative[-1], "right"))
        return self.members[min(found, len(self.members) - 1)]

    def act(self, position: Position) -> int:
        """Returns the action of the past self that was drawn; ValueError if the game is over."""
        position = require_unfinished(position)
        if self._playing is None:
            self._playing = self.draw_opponent(self.rng.random())
        return self._playing.act(position)

    # ---- the folder

    def state_dict(self) -> dict[str, Any]:
        """Returns everything that must be known to go on, as numbers, texts, lists and dicts."""
        return {
            "format": FORMAT,
            "added": self._added,
            "members": [
                member.entry | {"games": member.games.tolist(), "points": member.points.tolist()}
                for member in self.members
            ],
            "ratings": self.ratings.state_dict(),
            "pending": [[number, *counted] for number, counted in self._pending.items()],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from a ``state`` that ``state_dict`` returned; LeagueError if that cannot be.

        Past selves that were added later are forgotten.
        """
        try:
            if state["format"] != FORMAT:
                raise LeagueError(f"{self.path} has a league of another format than {FORMAT}")
            if not state["members"]:
                raise LeagueError(f"the league in {self.path} is empty")
            self._load(state)
        except LeagueError:
            raise
        except CheckpointError as error:
            raise LeagueError(f"a past self cannot be read: {error}") from None
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise LeagueError(f"{self.path} has a league that cannot be read: {error!r}") from None

    def _load(self, state: dict[str, Any]) -> None:
        self.members = []
        for entry in state["members"]:
            kept = {key: entry[key] for key in ("number", "steps", "file", "sha256")}
            member = PastSelf(self, kept)
            self._require_same_game(member)
            member.games = np.array(entry["games"], np.float64)
            member.points = np.array(entry["points"], np.float64)
            member.reset(self.rng.getrandbits(32))
            self.members.append(member)
        self.ratings = DriftingRatings()
        self.ratings.load_state_dict(state["ratings"])
        if len(self.ratings) != len(self.members):
            raise LeagueError(
                f"{self.path} has ratings of {len(self.ratings)} past selves, not of "
                f"{len(self.members)}"
            )
        self._added = int(state["added"])
        self._pending = {number: [games, points] for number, games, points in state["pending"]}
        self._saved = {member.entry["file"] for member in self.members}
        self._playing = None
        self._work_out_chances()

    def save(self) -> dict[str, Any]:
        """Writes the results into the folder, and returns ``state_dict()``.

        Files of past selves that were removed before the last ``save`` are deleted: a training that
        is stopped before it has written its own state can go on from the state before.
        """
        state = self._write_index()
        present = {entry["file"] for entry in state["members"]}
        for file in Path(self.path).glob("self_*.safetensors"):
            if file.name not in present | self._saved:
                file.unlink()
        self._saved = present
        return state

    def _write_index(self) -> dict[str, Any]:
        state = self.state_dict()
        write_file(Path(self.path) / INDEX, json.dumps(with_checksum(state)))
        return state


def _stored(
    folder: Path, checkpoint: str | os.PathLike[str], number: int, steps: int
) -> dict[str, Any]:
    """Copies a checkpoint into the folder; returns its entry in the index."""
    Policy(checkpoint)  # raises CheckpointError for what cannot be played
    data = Path(checkpoint).read_bytes()
    name = f"self_{number:06}.safetensors"
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / name, data)
    digest = hashlib.sha256(data).hexdigest()
    return {"number": number, "steps": steps, "file": name, "sha256": digest}
