"""Does the jobs of pages by agents and exact values of Python, in a process for searches.

Here are also the jobs that nothing else can do: finding puzzles, drawing trees, and compiling what
an agent needs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from adv_envs import Position
from adv_envs.registry import parameters_of, title
from agents.agent import Agent, plays_as_analysed
from agents.allow_list import allowed_agent, named
from agents.describe import seat
from agents.faults import ask, first_decision
from agents.grading.exact_values import exact_for
from agents.grading.puzzles import LEVELS, TASKS, Puzzle, find_puzzle, no_puzzles, smaller_game
from agents.knowledge import ExactValues
from agents.search.limits import Stopper
from agents.spec import StrongestAgent

from .analyse_jobs import Searchers, analyse, review
from .game_states import BadRequest, GameState, Message, shown
from .play_jobs import hint, move, puzzle_move, puzzle_reply
from .tree_jobs import tree

LONGEST_WARM_UP = 20.0
"""Seconds after which a search that answers late is stopped; compiling goes on to its end."""
MOST_SEEDS = 10**9
"""Numbers of puzzles are below."""


class PythonSearchers:
    """Gives the agents of Python that a page may name, and the exact values of its solvers."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options

    def agent(self) -> Agent:
        """Returns the agent of the request; ValueError if a page may not name it."""
        return allowed_agent(self.options.get("agent"))

    def exact(self, start: Position) -> ExactValues:
        """Returns the exact values of the game of ``start``; NotGraded where they take long."""
        return exact_for(start)


# ---- compiling


def warm(
    state: GameState, options: Mapping[str, Any], searchers: Searchers
) -> Iterator[dict[str, Any]]:
    """Compiles what an agent needs in a game: {"compiling": True}, then {"ready": seconds}.

    "agent" is its spec; one that was named when the server was started is not asked anything here.
    The kernels stay with the process, and on disk for the next one. An agent
    that cannot play the game with its parameters says so here.
    """
    agent = searchers.agent()
    if options.get("agent") in named:  # it may be asked for what is wanted only: that may cost
        yield {"ready": 0.0}
        return
    yield {"compiling": True}
    began = time.monotonic()
    stopper = Stopper.active.stopper
    timer = threading.Timer(LONGEST_WARM_UP, stopper.stop if stopper is not None else int)
    timer.daemon = True
    timer.start()
    try:
        search_a_little(agent, first_decision(state.start))
    finally:
        timer.cancel()
    yield {"ready": time.monotonic() - began}


def search_a_little(agent: Agent, position: Position) -> None:
    """Lets an agent do as little as it can, but for what it needs for a move."""
    if isinstance(agent, StrongestAgent):
        agent = agent.agent(position)
    if not plays_as_analysed(agent):
        ask(agent, position)
        return
    found = agent.analysis(position.hidden(position.to_move))
    next(found)
    if hasattr(found, "close"):
        found.close()


# ---- puzzles


def puzzle(state: GameState, options: Mapping[str, Any], searchers: Searchers) -> Iterator[Message]:
    """Yields a puzzle of the game, {"puzzle": ...}, or {"sorry": why} if it has none.

    Options are "seed", a whole number, and "level", one of LEVELS. A puzzle has the "state" to be
    shown, the "task" in words, "player" (who moves), and "legal" (how many moves there are).
    {"sorry"} comes with "smaller", {"parameters", "title"}, if a smaller game has puzzles.
    """
    seed, level = options.get("seed"), options.get("level", LEVELS[0])
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < MOST_SEEDS:
        raise BadRequest(f"the number of a puzzle is a whole number below {MOST_SEEDS:,}")
    start = state.start
    why = no_puzzles(start)
    found = None if why else find_puzzle(searchers.exact(start.start()), seed, level)
    if found is None:
        yield {"sorry": why or "No position was found in which one move only is right."}
        smaller = smaller_game(start)
        if smaller is not None:
            yield {"smaller": {"parameters": parameters_of(smaller), "title": title(smaller)}}
        return
    yield {"puzzle": puzzle_data(state, found)}


def puzzle_data(state: GameState, found: Puzzle) -> Message:
    """Returns a puzzle as a page shows it; the answer is not told."""
    start = found.position if found.actions is None else state.start.start()
    content = shown(replace(state, start=start, actions=list(found.actions or ())))
    title = content["board"]["title"]
    begin = title if title.endswith("to move") else f"{who(found.position)} to move"
    return {
        "state": content,
        "player": found.position.to_move,
        "task": f"{begin}: {TASKS[found.task]}.",
        "legal": found.legal,
    }


def who(position: Position) -> str:
    """Returns who moves, at the beginning of a sentence."""
    name = seat(position, position.to_move)
    return name[0].upper() + name[1:]


# ---- all jobs

Job = Callable[[GameState, Mapping[str, Any]], Iterator[Message]]


def by_python(job: Callable[[GameState, Mapping[str, Any], Searchers], Iterator[Message]]) -> Job:
    """Returns a job that is done by agents and solvers of Python."""
    return lambda state, options: job(state, options, PythonSearchers(options))


JOBS: dict[str, Job] = {
    "move": by_python(move),
    "hint": by_python(hint),
    "analyse": by_python(analyse),
    "review": by_python(review),
    "tree": tree,
    "puzzle": by_python(puzzle),
    "puzzle_move": by_python(puzzle_move),
    "puzzle_reply": by_python(puzzle_reply),
    "warm": by_python(warm),
}
"""The jobs by the names that pages use."""
