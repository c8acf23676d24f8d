"""Answers those who play: moves, hints, what a move in a puzzle is worth, the best defence.

The page keeps the moves, as everywhere: each job is about a ``GameState``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adv_envs import Position
from adv_envs.notation import write_line
from adv_envs.session import view_of
from agents.agent import Agent, plays_as_analysed
from agents.best_play import best_line, best_move, keeps, said_of
from agents.describe import advice, expectation
from agents.faults import ask
from agents.knowledge import ExactValues

from .analyse_jobs import Searchers
from .game_states import BadRequest, GameState, Message, UnfinishedJob

SHORTEST, LONGEST = 0.02, 600.0
"""Seconds that an agent can be given for a move."""


# ---- those who play


def move(state: GameState, options: Mapping[str, Any], searchers: Searchers) -> Iterator[Message]:
    """Yields the moves that an agent plays next, {"played": [3], "said": "about even"}.

    They are several where the viewer does not notice the first ones: nobody at the page can count
    what a player tries in vain. "agent" is the spec, "seconds" what is left for the move; "seed"
    counts only where everything is seen, where a search says in between what it would play,
    {"thought": ...}. Elsewhere each move has a seed of its own, which the game decides.
    """
    agent = with_limit(searchers.agent(), options.get("seconds"))
    here = state.position
    if here.perfect_information:
        agent.reset(options.get("seed"))
        yield from thoughts(here, agent)
        return
    player, played = here.to_move, list[int]()
    while not played or (
        not here.is_terminal()
        and here.to_move == player
        and view_of(here, state.viewer) == state.view
    ):
        agent.reset(None if state.seed is None else state.seed + len(played))
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
    except UnfinishedJob:
        raise
    except ValueError as error:
        if "needs perfect information" in str(error):
            raise
        raise ValueError(f"{agent.name} has failed: {type(error).__name__}") from None
    except Exception as error:
        raise RuntimeError(f"{agent.name} has failed: {type(error).__name__}") from None


def hint(state: GameState, options: Mapping[str, Any], searchers: Searchers) -> Iterator[Message]:
    """Yields what an agent would play for the viewer: {"hint": {"action", "name", "said"}}."""
    agent = searchers.agent()
    agent.reset(options.get("seed", 0))
    here = state.view
    if state.viewer is not None and here.to_move != state.viewer:
        raise ValueError("it is not your turn")
    action, words = advice(here, agent)
    yield {"hint": {"action": action, "name": here.short_name(action), "said": words}}


def with_limit(agent: Agent, seconds: object) -> Agent:
    """Returns the agent with at most ``seconds`` for a move, if it keeps to a limit."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return agent
    if "seconds" not in agent.limits() or not seconds > 0:
        return agent
    own = agent.limits()["seconds"]
    most = min(max(seconds, SHORTEST), LONGEST, own if own is not None else LONGEST)
    return agent.limited(seconds=most)


# ---- puzzles


def puzzle_move(
    state: GameState, options: Mapping[str, Any], searchers: Searchers
) -> Iterator[Message]:
    """Yields what a move is worth: {"right", "said", "line"}; without "action" the solution.

    "line" is best play from the position, the move first.
    """
    exact, position = known(state, searchers)
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


def puzzle_reply(
    state: GameState, options: Mapping[str, Any], searchers: Searchers
) -> Iterator[Message]:
    """Yields the best defence, {"played": [3]}; for the side that is winning, the quickest win."""
    exact, position = known(state, searchers)
    yield {"played": [best_move(exact, position)]}


def known(state: GameState, searchers: Searchers) -> tuple[ExactValues, Position]:
    """Returns the exact values of the game, and the position; BadRequest where moves have none."""
    position = state.position
    exact = searchers.exact(state.start.start())
    if position.is_terminal() or position.to_move < 0:
        raise BadRequest("no player is to move here")
    if not exact.is_feasible(position):
        raise BadRequest("the values of the moves here take long to find")
    return exact, position
