"""Hex solved for ``adv-envs solve``: which moves win."""

from __future__ import annotations

import time
from typing import Any

import agents
from adv_envs.games.hex import Hex
from adv_envs.notation import write_line
from adv_envs.position import Position
from agents.games.hex.solver import HexSolver

from .board import mark
from .console import Refusal, busy, out, warn_that_nothing_is_known
from .heat import heat_text
from .lists import print_table, table


def has_winners(position: Position) -> bool:
    """Whether it is Hex, of which it is told which moves win."""
    return isinstance(position, Hex)


def winners(position: Position) -> dict[str, Any]:
    """Who wins, with which moves. Those found by then, if it is interrupted; Refusal if too large.

    ``value`` is None while nobody knows.
    """
    solver, began = agents.Perfect().solver(position), time.perf_counter()
    assert isinstance(solver, HexSolver)
    values: dict[int, float] = {}
    line: tuple[int, ...] = ()
    moves = len(position.legal_actions())
    try:
        with busy(out(), "solving: who wins?") as status:
            for values in solver.solving(position):
                if status is not None:
                    status.update(f"solving: {len(values)} of {moves} moves are known")
            if status is not None:
                status.update("every move is known; and now best play (Ctrl-C leaves it out)")
            line = solver.analyse(position).principal_variation
    except KeyboardInterrupt:
        if not values:
            warn_that_nothing_is_known()
            raise
    except ValueError as error:
        raise Refusal(f'{error}, as in --agent "mcts(seconds=10)"', 1) from error
    done = len(values) == moves
    known = done or 1 in values.values()
    return {
        "to_move": position.to_move,
        "value": max(values.values()) if known else None,
        "proven": done,
        "winning": [position.name(action) for action, value in values.items() if value > 0],
        "values": {position.name(action): value for action, value in values.items()},
        "line": write_line(position, line),
        "nodes": solver.nodes,
        "seconds": time.perf_counter() - began,
    }


def print_winners(position: Hex, data: dict[str, Any]) -> None:
    """The solution for people: every move's value on the board, then who wins and how."""
    console = out()
    values = {a: data["values"].get(position.name(a)) for a in position.legal_actions()}
    found = {action: value for action, value in values.items() if value is not None}
    console.print(heat_text(console, position, found), no_wrap=True, crop=False)
    result = {1: "wins", -1: "loses", None: "may win or lose"}[data["value"]]
    line = f", for example: {data['line']}" if data["line"] else ""
    mover = mark(console, position, position.to_move)
    console.print(mover, f"to move: {result} with best play{line}", soft_wrap=True)
    listed = table("worth", "moves", "")
    for kind, value in (("a win", 1), ("a loss", -1), ("not known yet", None)):
        names = [position.name(action) for action, worth in values.items() if worth == value]
        if names:
            listed.add_row(kind, str(len(names)), " ".join(names))
    print_table(listed)
    console.print(f"{data['nodes']:,} nodes; {data['seconds']:.2f} s", style="dim")
