"""Implements ``adv-envs warm``: compiles what games need before somebody waits for it."""

from __future__ import annotations

import os
import pickle
import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import typer

import agents
from adv_envs.jit import disabled
from adv_envs.jit.folder import folder
from adv_envs.position import Position
from adv_envs.registry import GAMES, start_position
from agents.background import NotCompiled, compiled_only, make_moves, without_delay
from agents.faults import FAILURES, first_decision
from agents.knowledge import known_game, strong_spec, suitable_analyst, suitable_opponent
from agents.processes import Closed, LauncherError, start

from .console import CommandError, command_errors, option, out, progress_bar

EXAMPLES = (
    "adv-envs warm connect_four",
    "adv-envs warm chess go hex",
    "adv-envs warm --all",
)

USUAL_SECONDS = 6.0
"""Seconds that the kernels of an agent take to compile on one core, before one has been timed."""

MOST_PROCESSES = 4
"""Processes at once at most; each takes some hundred megabytes."""

ALL = "Compile for all games."


class NeededSearch(NamedTuple):
    """Represents an agent whose kernels a game needs."""

    name: str
    """The name of the game."""
    agent: agents.Agent
    position: Position
    """The first one in which the agent could be asked."""


def warm(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games, with their usual sizes.")
    ] = None,
    every: Annotated[bool, option(ALL, None, "--all")] = False,
) -> None:
    """Compiles beforehand what play, serve, gtp and uci need: opponents, analyst, hints.

    Compiled code is kept on disk, so this is needed once, and after an update. Ctrl-C ends it; what
    is compiled by then stays.
    """
    with command_errors():
        chosen = [name.replace("-", "_").lower() for name in names or []]
        for name in chosen:
            known_game(name)
        place = None if disabled() else folder()
    if not chosen and not every:
        raise CommandError("name games, such as adv-envs warm connect_four, or say --all")
    if disabled():
        raise CommandError("nothing is compiled here: NUMBA_DISABLE_JIT is set")
    if place is None:
        raise CommandError("compiled code can be kept nowhere: set ADV_ENVS_CACHE to a folder")
    wanted = [
        each for name in (GAMES if every else dict.fromkeys(chosen)) for each in searches(name)
    ]
    missing = not_compiled(wanted)
    if missing:
        compile_all(missing)
    report(wanted, missing, str(place))


def searches(name: str) -> Iterator[NeededSearch]:
    """Yields the agents that people meet in a game, each once."""
    beginning = start_position(name)
    first = first_decision(beginning)
    position = first.hidden(first.to_move)
    usual = (suitable_opponent, suitable_analyst, strong_spec)
    found = [without_delay(agents.make(spec_of(beginning))) for spec_of in usual]
    for agent in {repr(agent): agent for agent in found}.values():
        yield NeededSearch(name, agent, position)


def not_compiled(wanted: Sequence[NeededSearch]) -> list[NeededSearch]:
    """Returns those that have something to compile, without compiling it."""
    found = []
    with progress_bar("looking", len(wanted)) as update:
        for number, search in enumerate(wanted):
            update(number, f"looking at {search.name}")
            if not is_compiled(search):
                found.append(search)
    return found


def is_compiled(search: NeededSearch) -> bool:
    """Returns whether an agent makes a move without compiling anything."""
    try:
        with compiled_only():
            search.agent.act(search.position)
    except NotCompiled:
        return False
    except FAILURES:  # it cannot play here, such as for want of a library
        return True
    return True


def compile_all(missing: Sequence[NeededSearch]) -> None:
    """Lets every agent make a move, in several processes, and says how long it still takes."""
    processes = min(MOST_PROCESSES, os.cpu_count() or 1, len(missing))
    about = USUAL_SECONDS * len(missing) / processes
    out().print(f"Compiling {counted(missing)}, about {in_words(about)}.", soft_wrap=True)
    todo: queue.SimpleQueue[NeededSearch] = queue.SimpleQueue()
    done: queue.SimpleQueue[NeededSearch | Exception] = queue.SimpleQueue()
    for search in missing:
        todo.put(search)
    for _ in range(processes):
        threading.Thread(target=work, args=(todo, done), daemon=True).start()
    with progress_bar("compiling", len(missing)) as update:
        for number in range(1, len(missing) + 1):
            found = done.get()
            if isinstance(found, Exception):
                raise CommandError(f"the process that compiles has ended: {found}", 1)
            update(number, f"compiled {found.name}: {found.agent.name}")


def work(
    todo: queue.SimpleQueue[NeededSearch], done: queue.SimpleQueue[NeededSearch | Exception]
) -> None:
    """Has a process of its own compile what is to be done, until nothing is left."""
    child = None
    try:
        child = start(make_moves, [])
        while not todo.empty():
            search = todo.get_nowait()
            child.channel.send(pickle.dumps((search.agent, search.position)))
            child.channel.receive(gone=lambda: child.ended)
            done.put(search)
    except queue.Empty:  # another thread has the last one
        pass
    except (Closed, LauncherError) as error:
        done.put(error)
    finally:
        if child is not None:
            child.end()


def counted(found: Sequence[NeededSearch]) -> str:
    """Returns how many there are."""
    return f"{len(found)} search{'es' * (len(found) > 1)}"


def in_words(seconds: float) -> str:
    """Returns a time as one says it."""
    return f"{round(seconds / 60)} minutes" if seconds > 90 else f"{round(seconds)} seconds"


def report(wanted: Sequence[NeededSearch], missing: Sequence[NeededSearch], place: str) -> None:
    """Says what was compiled and what was there; CommandError if something could not be."""
    if not missing:
        out().print(f"Nothing to do for {games_of(wanted)}: all is compiled.", soft_wrap=True)
        return
    failed = [search for search in missing if not is_compiled(search)]
    for search in failed:
        out().print(f"{search.name}: {search.agent!r} could not be compiled", style="yellow")
    if failed:
        raise CommandError(f"not compiled: {len(failed)} of {counted(missing)}", 1)
    out().print(f"Compiled {counted(missing)}, kept in {place}.", soft_wrap=True)


def games_of(wanted: Sequence[NeededSearch]) -> str:
    """Returns the games in words."""
    names = list(dict.fromkeys(search.name for search in wanted))
    return "all games" if names == list(GAMES) else " and ".join(names)
