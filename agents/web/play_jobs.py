"""Runs the searches of those who play: moves, hints, compiling what they need, puzzles.

The page keeps the moves, as everywhere: each job is about a ``GameState``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from adv_envs import Position
from adv_envs.notation import write_line
from adv_envs.registry import parameters_of, title
from adv_envs.session import view_of
from agents.agent import Agent, plays_as_analysed
from agents.describe import advice, expectation, seat
from agents.faults import first_decision
from agents.grading.exact_values import exact_for
from agents.grading.puzzles import (
    LEVELS,
    TASKS,
    Puzzle,
    best_line,
    best_move,
    find_puzzle,
    keeps,
    no_puzzles,
    said_of,
    smaller_game,
)
from agents.knowledge import ExactValues
from agents.match_loop import ask
from agents.search.limits import Stopper
from agents.spec import StrongestAgent

from .allow_list import allowed_agent, named
from .game_states import BadRequest, GameState, Message, shown

SHORTEST, LONGEST = 0.02, 600.0
"""Seconds that an agent can be given for a move."""
LONGEST_WARM_UP = 20.0
"""Seconds after which a search that answers late is stopped; compiling goes on to its end."""
MOST_SEEDS = 10**9
"""Numbers of puzzles are below."""


# ---- those who play


def move(state: GameState, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yields the moves that an agent plays next, {"played": [3], "said": "about even"}.

    They are several where the viewer does not notice the first ones: nobody at the page can count
    what a player tries in vain. "agent" is the spec, "seconds" what is left for the move; "seed"
    counts only where everything is seen, where a search says in between what it would play,
    {"thought": ...}.
    """
    agent = with_limit(allowed_agent(options.get("agent")), options.get("seconds"))
    agent.reset(options.get("seed") if state.start.perfect_information else state.seed)
    here = state.position
    if here.perfect_information:
        yield from thoughts(here, agent)
        return
    player, played = here.to_move, list[int]()
    while not played or (
        not here.is_terminal()
        and here.to_move == player
        and view_of(here, state.viewer) == state.view
    ):
        played.append(quiet_move(agent, here))
        here = here.play(played[-1])
    yield {"played": played, "said": ""}


def thoughts(here: Position, agent: Agent) -> Iterator[Message]:
    """Yields what an agent would play, again and again, and at last what it plays."""
    if not plays_as_analysed(agent):
        yield {"played": [ask(agent, here)], "said": ""}
        return
    found = None
    for found in agent.analysis(here):
        yield {"thought": {"action": found.action, "depth": found.depth, "nodes": found.nodes}}
    assert found is not None
    if not here.legal(found.action):
        raise ValueError(f"{agent.name} would play {found.action}, which is not legal")
    said = f"{agent.name} {expectation(here, agent, found)}"
    yield {"played": [found.action], "said": said, "seconds": found.seconds}


def quiet_move(agent: Agent, here: Position) -> int:
    """Returns the action of an agent; no error tells what the agent has seen."""
    try:
        return ask(agent, here)
    except ValueError as error:
        if "needs perfect information" in str(error):
            raise
        raise ValueError(f"{agent.name} has failed: {type(error).__name__}") from None
    except Exception as error:
        raise RuntimeError(f"{agent.name} has failed: {type(error).__name__}") from None


def hint(state: GameState, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yields what an agent would play for the viewer: {"hint": {"action", "name", "said"}}."""
    agent = allowed_agent(options.get("agent"))
    agent.reset(options.get("seed", 0))
    here = state.view
    if state.viewer is not None and here.to_move != state.viewer:
        raise ValueError("it is not your turn")
    action, words = advice(here, agent)
    yield {"hint": {"action": action, "name": here.name(action), "said": words}}


def with_limit(agent: Agent, seconds: object) -> Agent:
    """Returns the agent with at most ``seconds`` for a move, if it keeps to a limit."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return agent
    if "seconds" not in {field.name for field in fields(agent)} or not seconds > 0:
        return agent
    own = getattr(agent, "seconds", None)
    most = min(max(seconds, SHORTEST), LONGEST, own if own is not None else LONGEST)
    changes: dict[str, Any] = {"seconds": most}
    return replace(agent, **changes)


# ---- compiling


def warm(state: GameState, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Compiles what an agent needs in a game: {"compiling": True}, then {"ready": seconds}.

    "agent" is its spec; one that was named when the server was started is not asked anything here.
    The kernels stay with the process, and on disk for the next one. An agent
    that cannot play the game with its parameters says so here.
    """
    agent = allowed_agent(options.get("agent"))
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


def puzzle(state: GameState, options: Mapping[str, Any]) -> Iterator[Message]:
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
    found = None if why else find_puzzle(exact_for(start), seed, level)
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


def puzzle_move(state: GameState, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yields what a move is worth: {"right", "said", "line"}; without "action" the solution.

    "line" is best play from the position, the move first.
    """
    exact, position = known(state)
    values = exact.move_values(position)
    best = best_move(exact, position)
    action = options.get("action", best)
    if action not in values:
        raise BadRequest("this move is not legal")
    right = keeps(exact, values, action)
    line = best_line(exact, position, action)
    most = values[best].value
    said = f"{position.name(action)} {said_of(exact, position, values[action].value, most)}"
    if not right:
        if len(line) > 1 and not position.has_chance:
            said += f": the answer is {position.play(line[0]).name(line[1])}"
        said += "."
        said += f" The right move {said_of(exact, position, most, most)}"
    yield {
        "right": right,
        "said": said + ".",
        "move": position.name(action),
        "line": write_line(position, line),
        "plies": len(line),
    }


def puzzle_reply(state: GameState, options: Mapping[str, Any]) -> Iterator[Message]:
    """Yields the best defence, {"played": [3]}; for the side that is winning, the quickest win."""
    exact, position = known(state)
    yield {"played": [best_move(exact, position)]}


def known(state: GameState) -> tuple[ExactValues, Position]:
    """Returns the exact values of the game, and the position; BadRequest where moves have none."""
    position = state.position
    exact = exact_for(state.start)
    if position.is_terminal() or position.to_move < 0:
        raise BadRequest("no player is to move here")
    if not exact.is_feasible(position):
        raise BadRequest("the values of the moves here take long to find")
    return exact, position


def who(position: Position) -> str:
    """Returns who moves, at the beginning of a sentence."""
    name = seat(position, position.to_move)
    return name[0].upper() + name[1:]
