"""Plays the tournament of a class: ``run_class`` plays all submissions of a folder, and a staff.

Each submission meets each other one and all of the staff, from a few openings with seats swapped.
The staff have known ratings, which are held: so all are rated on the scale of the game's ladder,
and a class can be compared with another one. All that was played is in one file. The same call
goes on with it: it plays what is not there yet, such as the games of files that are new, and leaves
out those of files that have changed or are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.position import require_competitive
from adv_envs.random import root_seed
from agents.agent import Agent, clean, require_unfinished
from agents.arena.clock import TimeControl
from agents.arena.game_record import GameRecord
from agents.arena.isolation import Participant, prepared
from agents.arena.rating.ratings import RatingTable, rate
from agents.arena.schedule import Plan, openings
from agents.arena.store import stored_seed
from agents.arena.tournament import Tournament
from agents.arena.workers import make_pool
from agents.processes import WorkerError
from agents.sandbox import Limits
from agents.simple import Human
from agents.spec import make

from .members import (
    ClassSchedule,
    ClassStore,
    Member,
    MemberKey,
    class_pairings,
    pair_number,
)
from .staff import StaffAgent, staff_of, usual_openings, usual_staff
from .submission import Loading, Submission, load_submissions, submission_files

FILE = "class.db"
"""The name of the file in the folder of the submissions, unless there is another one."""


@dataclass(frozen=True)
class FormerMember:
    """Describes a submission that takes part no more, and why."""

    member: Member
    games: int
    """Those that it had played, which do not count any more."""
    points: float
    why: str
    """What its file is: "changed", "gone" or, with the same content, "not loaded"."""


@dataclass(frozen=True)
class LeftOut:
    """Describes a file that cannot take part."""

    name: str
    path: str
    error: str
    """Its own traceback, or why it cannot be read."""
    printed: str = ""
    """What it printed while it was loaded."""


@dataclass
class ClassTournament:
    """Holds what came out of a class: who loaded, who plays, the games, and who left."""

    folder: Path
    loadings: list[Loading]
    """Every submission that could be read, by name."""
    left_out: list[LeftOut]
    """Files that could not be read, or did not load, by name."""
    members: tuple[Member, ...]
    """Those that play, the staff first."""
    staff: dict[str, StaffAgent]
    """The staff, by label."""
    tournament: Tournament
    """The games of those that play; its names are the labels of the ``members``."""
    former: list[FormerMember]
    problem: str = ""
    """Why it ended before all was played, where no agent is to blame."""

    @property
    def complete(self) -> bool:
        """Returns whether every game is played."""
        return self.tournament.complete

    @property
    def shown(self) -> dict[str, str]:
        """Returns what each label is shown as: the name of the file, or of one of the staff."""
        labels = [member.label for member in self.members]
        names = [self.staff[m.label].name if m.key.staff else m.key.name for m in self.members]
        return {
            label: name if names.count(name) == 1 else label
            for label, name in zip(labels, names, strict=True)
        }

    def games(self) -> list[GameRecord]:
        """Returns the games that count, with names as they are shown."""
        shown, plan = self.shown, self.tournament.plan
        spelled = {
            each.spec: shown[n] for each, n in zip(plan.participants, plan.names, strict=True)
        }
        return [_renamed(game, shown, spelled) for game in self.tournament.games]

    def ratings(self) -> RatingTable:
        """Returns the ratings of all that play, as they are shown, on the scale of the staff.

        Games are counted in an order that does not depend on who joined when, which would change
        the resamples.
        """
        result, shown = self.tournament, self.shown
        names, per_pair = list(shown.values()), 2 * result.plan.schedule.rounds
        games = [
            replace(
                game,
                number=per_pair * pair_number(*map(names.index, game.players))
                + game.number % per_pair,
            )
            for game in self.games()
        ]
        known = {label: each.elo for label, each in self.staff.items()}
        anchors = {shown[label]: elo for label, elo in known.items() if elo is not None}
        return rate(games, names, anchors, seed=result.seed, chance=result.start.has_chance)


def _renamed(game: GameRecord, shown: Mapping[str, str], spelled: Mapping[str, str]) -> GameRecord:
    """Returns a game with the names of players, also in the reason, as they are shown."""
    first, second = (shown[name] for name in game.players)
    reason = game.reason
    for spec, name in spelled.items():
        reason = reason.replace(f", {spec}, ", f", {name}, ", 1)
    return replace(game, players=(first, second), reason=reason)


@dataclass(frozen=True)
class ClassSettings:
    """Says how a class plays. The games of a file all have the same settings."""

    games: int = 4
    """Games of each pairing, an even number: each opening is played from both seats."""
    seed: int | None = None
    """Decides openings and random choices; None: that of the file, or a random one."""
    seconds: float | None = 1.0
    """Time for each move; None: any."""
    ready: float = 20.0
    """Time to load, to be reset, and for a first move that does not count."""
    memory: int = 512
    """MB that a submission may use."""
    openings: str | None = None
    """How games begin, see ``agents.arena.schedule``; None: as those of the game's ladder, or as
    those of its tournaments."""

    def __post_init__(self) -> None:
        """Raises ValueError or TypeError for what is impossible."""
        if isinstance(self.games, bool) or not isinstance(self.games, int):
            raise TypeError(f"games must be a whole number, not {self.games!r}")
        if self.games < 2 or self.games % 2:
            raise ValueError(
                "games must be an even number from 2 on, as each opening is played twice with "
                f"seats swapped, not {self.games}"
            )
        Limits(memory=self.memory)
        self.control()

    def control(self) -> TimeControl:
        """Returns the limits of time."""
        return TimeControl(self.seconds, ready=self.ready)


def require_two_opponents(start: Position) -> None:
    """Raises ValueError for a game that is not of two players against each other."""
    require_competitive(start, "a class")
    if start.num_players != 2:
        raise ValueError(f"a class plays games of two players, not {start.num_players}")


def run_class(
    start: Position,
    folder: Path,
    settings: ClassSettings | None = None,
    *,
    staff: Sequence[str] | None = None,
    workers: int | None = None,
    out: Path | None = None,
    on_load: Callable[[int, int, str], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
    on_progress: Callable[[ClassTournament], None] | None = None,
) -> ClassTournament:
    """Plays the game that begins with ``start`` with every submission of ``folder``.

    ``staff`` are specs of agents or names of files; None is the usual staff, and an empty one is
    none. ``out`` is the file, ``class.db`` in the folder unless it is given. ``on_load`` is called
    before each submission is loaded, with how many are, of how many, and its name; ``on_wait`` with
    one of the staff that gets ready, ``on_progress`` after every few games. After Ctrl-C the result
    is not ``complete``. Raises ValueError for a game that is not for two, no submissions and what
    else cannot be played, and StoreError (an OSError) for a file that cannot be used.
    """
    start, settings = require_unfinished(start), settings or ClassSettings()
    require_two_opponents(start)
    submissions, unreadable = read_submissions(folder)
    teachers = _staff(start, settings, staff)
    if len(submissions) + len(teachers) < 2:
        raise ValueError(f"{folder} has one submission, and there is no staff to play against it")
    path = folder / FILE if out is None else out
    seed = root_seed(stored_seed(path) if settings.seed is None else settings.seed)
    kind = usual_openings(start) if settings.openings is None else settings.openings
    try:
        found = openings(start, kind, settings.games // 2, seed)
    except ValueError as error:
        raise ValueError(f"{error}; choose other openings, such as none") from error
    plan = Plan(
        start, (), (), found.lines, str(found), ClassSchedule((), settings.games // 2, 1, seed),
        settings.control(), limits=Limits(memory=settings.memory),
    )  # fmt: skip
    own = {"agents": [], "memory": settings.memory}
    stored = {**plan.settings(kind, "class", None), **own}
    with ClassStore(path, stored) as store:
        loadings = _loaded(submissions, start, settings, on_load)
        playing = [loading.submission for loading in loadings if loading.loaded]
        left_out = [
            *unreadable,
            *(
                LeftOut(each.submission.name, str(each.submission.path), each.error, each.printed)
                for each in loadings
                if not each.loaded
            ),
        ]
        left_out.sort(key=lambda each: each.name)
        agents: dict[MemberKey, Agent] = {key: agent for key, agent, _ in teachers}
        agents |= {MemberKey(each.name, each.digest, False): each for each in playing}
        members = tuple(store.join(list(agents)))
        on_staff = {key.label: each for key, _, each in teachers}
        known = [label for label, each in on_staff.items() if each.elo is not None]
        plan = _completed(plan, members, list(agents.values()), known)
        tournament = Tournament(plan, stored, _games(store, plan), None)
        former = _former(store, members, {each.name: each.digest for each in submissions})
        result = ClassTournament(folder, loadings, left_out, members, on_staff, tournament, former)
        try:
            _play(result, store, workers, on_wait, on_progress)
        except KeyboardInterrupt:  # the games played so far are returned
            pass
        except WorkerError as error:
            result.problem = str(error)
        tournament.set_games(_games(store, plan))
    return result


def read_submissions(folder: Path) -> tuple[list[Submission], list[LeftOut]]:
    """Returns the submissions of a folder, and files that cannot be read; ValueError if none."""
    files = submission_files(folder)
    if not files:
        below = sorted(folder.glob("*/*.py"))
        hint = f"; files of sub-folders, such as {below[0]}, are not looked at" if below else ""
        raise ValueError(
            f"{folder} has no submissions: they are files whose names end in .py{hint}"
        )
    submissions, unreadable = list[Submission](), list[LeftOut]()
    for path in files:
        try:
            submissions.append(Submission(str(path)))
        except ValueError as error:
            unreadable.append(LeftOut(clean(path.stem), clean(str(path)), str(error)))
    return submissions, unreadable


def _staff(
    start: Position, settings: ClassSettings, chosen: Sequence[str] | None
) -> list[tuple[MemberKey, Agent, StaffAgent]]:
    """Returns the staff. ValueError for what is no agent."""
    if chosen is None:
        staff = usual_staff(start, settings.seconds)
    else:
        made = [make(text) for text in chosen]
        if any(isinstance(agent, Human) for agent in made):
            raise ValueError("the staff are agents; to play yourself: adv-envs play")
        staff = staff_of(start, [repr(agent) for agent in made])
    found: list[tuple[MemberKey, Agent, StaffAgent]] = []
    for each in staff:
        agent = make(each.spec)
        if isinstance(agent, Submission):
            key = MemberKey(agent.name, agent.digest, True)
            found.append((key, agent, replace(each, name=agent.name)))
        else:
            found.append((MemberKey.of_spec(each.spec), agent, each))
    return found


def _loaded(
    submissions: Sequence[Submission],
    start: Position,
    settings: ClassSettings,
    on_load: Callable[[int, int, str], None] | None,
) -> list[Loading]:
    """Returns what came out of loading each of them."""
    found: list[Loading] = []
    for number, submission in enumerate(submissions):
        if on_load is not None:
            on_load(number, len(submissions), submission.name)
        limits = Limits(memory=settings.memory)
        found += load_submissions([submission], start, limits, settings.ready)
    return found


def _completed(
    plan: Plan, members: tuple[Member, ...], agents: Sequence[Agent], known: Sequence[str]
) -> Plan:
    """Returns the plan with those that play."""
    pairings = class_pairings(members, known)
    rounds, seed = plan.schedule.rounds, plan.schedule.seed
    return replace(
        plan,
        participants=tuple(map(Participant.of, agents)),
        names=tuple(member.label for member in members),
        schedule=ClassSchedule(pairings, rounds, len(plan.openings), seed, members),
    )


def _games(store: ClassStore, plan: Plan) -> list[GameRecord]:
    """Returns the games of the file between those that play."""
    wanted = set(_numbers(plan))
    return [game for game in store.games() if game.number in wanted]


def _numbers(plan: Plan) -> list[int]:
    assert isinstance(plan.schedule, ClassSchedule)
    return plan.schedule.numbers()


def _former(
    store: ClassStore, members: Sequence[Member], digests: Mapping[str, str]
) -> list[FormerMember]:
    """Returns the submissions that took part and do not any more."""
    found, games = [], store.games()
    for member in store.members():
        if member in members or member.key.staff:
            continue
        points = [game.points[game.players.index(member.label)] for game in games
                  if member.label in game.players]  # fmt: skip
        now = digests.get(member.key.name)
        same = now == member.key.digest
        why = "gone" if now is None else "not loaded" if same else "changed"
        found.append(FormerMember(member, len(points), sum(points), why))
    return found


def _play(
    result: ClassTournament,
    store: ClassStore,
    workers: int | None,
    on_wait: Callable[[str], None] | None,
    on_progress: Callable[[ClassTournament], None] | None,
) -> None:
    """Plays the games that are not in the file yet."""
    tournament = result.tournament
    done = {game.number for game in tournament.games}
    todo = [number for number in _numbers(tournament.plan) if number not in done]
    if not todo:
        return
    _prepare_staff(tournament.plan, on_wait)
    with closing(make_pool(tournament.plan, workers)) as pool:
        for games in pool.results(todo):
            if games:
                store.add(games)
                tournament.add(games)
            if on_progress is not None:
                on_progress(result)


def _prepare_staff(plan: Plan, on_wait: Callable[[str], None] | None) -> None:
    """Compiles what the staff needs, so that this does not count as the time to get ready."""
    for participant in plan.participants:
        if participant.trusted:
            if on_wait is not None:
                on_wait(participant.spec)
            prepared(participant.load(), plan.start)


def settings_in_words(result: ClassTournament) -> dict[str, Any]:
    """Returns how the class played, for a page."""
    stored = result.tournament.settings
    shown = {"openings": result.tournament.plan.how, "games of each pairing": stored["games"]}
    names = ("seconds", "ready", "memory", "seed")
    return {**shown, **{name: stored[name] for name in names if stored[name] is not None}}
