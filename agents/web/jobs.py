"""What a page can ask of a search: functions that run in the processes of ``pool``.

A job is a generator. It is given a ``Situation`` and the options of the request, and yields plain
data for JSON as it goes on; what it finds for hidden games is what the viewer may know. It ends
early where ``Stopper`` stops its search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from adv_envs.notation import write_line
from agents.agent import SearchAgent, SearchResult
from agents.describe import speed
from agents.move_values import move_values, on_one_scale, values_in

from .allow_list import allowed_agent
from .play_jobs import hint, move
from .puzzle_jobs import puzzle, puzzle_move, puzzle_reply
from .situations import Situation, board
from .tree_jobs import tree
from .warm_jobs import warm

Message = dict[str, Any]


def analyse(situation: Situation, options: Mapping[str, Any]) -> Iterator[Message]:
    """A search as it goes on: a row for each depth, and the values of the moves as a heat map."""
    agent = allowed_agent(options.get("agent"))
    if not isinstance(agent, SearchAgent):
        raise ValueError(f"{agent.name} does not search")
    agent.reset(options.get("seed", 0))
    view = situation.seen
    found = None
    for found in agent.analysis(view):
        yield {"row": row(situation, found)}
    assert found is not None
    if options.get("values", True):
        values = move_values(agent, view, found)
        shown = on_one_scale(values)
        shown_board = board(situation, shown) if shown else None
        yield {
            "values": {action: [each.value, each.proven] for action, each in values.items()},
            "board": shown_board,
        }


def row(situation: Situation, found: SearchResult) -> Message:
    """What a search has found so far."""
    return {
        "depth": found.depth,
        "value": found.value,
        "proven": found.proven,
        "nodes": found.nodes,
        "rate": speed(found),
        "seconds": found.seconds,
        "action": found.action,
        "actions": list(found.principal_variation),
        "line": write_line(situation.seen, found.principal_variation),
        "values": {a: v.value for a, v in values_in(found).items()},
        "visits": dict(found.visits),
    }


Job = Callable[[Situation, Mapping[str, Any]], Iterator[Message]]

JOBS: dict[str, Job] = {
    "move": move,
    "hint": hint,
    "analyse": analyse,
    "tree": tree,
    "puzzle": puzzle,
    "puzzle_move": puzzle_move,
    "puzzle_reply": puzzle_reply,
    "warm": warm,
}
"""The jobs by the names that pages use."""
