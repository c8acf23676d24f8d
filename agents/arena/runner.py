"""Tournaments: ``run`` plays one, in worker processes, and keeps every game in a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from adv_envs import Position
from agents.faults import CannotPlay
from agents.spec import AgentLike

from .clock import TimeControl, read_clock
from .cluster import Cluster
from .crew import Alone, Crew
from .plan import Plan, make_plan, settings
from .rating.sprt import Sprt
from .result import Tournament
from .stopping import Stopping
from .store import Store
from .trial import require_players


def run(
    start: Position,
    agents: Sequence[AgentLike],
    games: int = 100,
    *,
    openings: str = "random:2",
    mode: str = "round-robin",
    seed: int = 0,
    seconds: float | None = None,
    clock: str | None = None,
    grace: float = 0.1,
    ready: float = 60.0,
    memory: int | None = None,
    sprt: tuple[float, float] | None = None,
    workers: int | None = None,
    ray: str | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_progress: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Let agents, specs or objects, play a tournament of the game that begins with ``start``.

    Each pairing of ``mode``, "round-robin" or "gauntlet" (the first agent against all others), is
    ``games`` games: each of its ``openings`` (kinds are listed by the module of that name) twice,
    with seats swapped. Openings, agents and chance draw from ``seed`` and the number of the game:
    how many ``workers`` there are (None: one for each core) and in which order they play makes no
    difference. ``sprt``, two differences in Elo, ends a tournament of two as soon as it is clear
    which of them the first agent's strength is on the side of (see ``Sprt``).

    ``seconds`` is the time for each move, or ``clock`` that for a game, "60" or "60+0.5" with what
    is added after each move; who exceeds it by more than ``grace`` seconds loses. An agent that is
    not of this package plays in a process of its own, see ``isolation``. An agent that fails, hangs
    or whose process ends loses that game, and the tournament goes on. ``memory`` is how many MB the
    agents of a worker may take, and each agent with its own process. Before its first game in a
    process an agent makes a move that does not count, to compile and load what it needs, which may
    take ``ready`` seconds, as every ``reset`` may.
    (With 0 workers all is played in this process, for debuggers, and nothing is ended by force.)
    ``ray``, an address, "auto" or "local", has a Ray cluster play the same games: see ``Cluster``.

    ``out`` is a file that keeps every game as it ends; with ``resume`` what was played there is not
    played again. ``on_progress`` sees the tournament after every few games, and now and then. After
    Ctrl-C what is returned is not ``complete``. Raises ValueError or TypeError for what cannot be
    played, CannotPlay (a ValueError) for an agent that cannot play this game at all, StoreError (an
    OSError) for a file that cannot be used, WorkerError if workers cannot.
    """
    control = TimeControl(seconds, None if clock is None else read_clock(clock), grace, ready)
    plan = make_plan(start, agents, games, openings, mode, seed, control, memory)
    stopping = _stopping(plan, sprt)
    decisive = settings(plan, openings, mode, sprt)
    path = None if out is None else Path(out)
    with closing(_crew(plan, workers, ray)) as crew, Store(path, decisive, resume) as store:
        result = Tournament(plan, decisive, store.rows(), stopping)
        with suppress(KeyboardInterrupt):  # what there is then is returned
            require_players_of(store, plan, crew, range(len(plan.entrants)))
            _play(result, crew, store, on_progress)
        if stopping is not None and stopping.end is not None:
            store.drop_from(stopping.end)  # played before it was known that they are not needed
        result.set_rows(store.rows())
    return result


def _stopping(plan: Plan, sprt: tuple[float, float] | None) -> Stopping | None:
    if sprt is None:
        return None
    if len(plan.names) != 2:
        raise ValueError(f"SPRT compares two agents, not {len(plan.names)}")
    test = Sprt(*sprt)
    test.llr([1] * 5)  # finds out now whether the hypotheses can be told apart
    return Stopping(test, len(plan.openings))


def hired(plan: Plan, workers: int | None) -> Alone | Crew:
    """Who plays on this machine; ValueError for a number of workers that is none."""
    if workers is None:
        workers = available_cores()
    if workers < 0:
        raise ValueError(f"workers must be at least 1, or 0 for none, not {workers}")
    return Crew(plan, workers) if workers else Alone(plan)


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _crew(plan: Plan, workers: int | None, ray: str | None) -> Alone | Cluster | Crew:
    """Who plays; ValueError for a number of workers that is none."""
    if ray is None:
        return hired(plan, workers)
    if workers is not None and workers < 1:
        raise ValueError(f"on a cluster there is at least 1 worker, not {workers}")
    return Cluster(plan, workers, ray)


def require_players_of(
    store: Store, plan: Plan, crew: Alone | Cluster | Crew, agents: Sequence[int]
) -> None:
    """CannotPlay for agents that cannot, if this is the beginning; then no file is left."""
    if len(store):
        return
    try:
        require_players(plan, crew, agents)
    except CannotPlay:
        store.discard()
        raise


def _play(
    result: Tournament,
    crew: Alone | Cluster | Crew,
    store: Store,
    on_progress: Callable[[Tournament], None] | None,
) -> None:
    if result.complete:
        return
    done = {row[0] for row in result.rows}
    todo = [number for number in range(len(result.plan.schedule)) if number not in done]
    for rows in crew.results(todo):
        if rows:
            store.add(rows)
            result.add(rows)
        if on_progress is not None:
            on_progress(result)
        if result.complete:
            return
