"""``adv-envs solve pig``: how often each move wins."""

from __future__ import annotations

import time
from typing import Any

import agents
from adv_envs.games.pig import Pig
from adv_envs.position import CHANCE

from .board import mark
from .console import busy, out, refusing
from .lists import print_table, table


def odds(position: Pig) -> dict[str, Any]:
    """Everything there is to know of an unfinished game; chances of who has the turn."""
    began, solver, player = time.perf_counter(), agents.PigSolver(), position.mover
    with busy(out(), f"solving pig with a target of {position.target}"), refusing(1):
        solver.solve(position)
    wins = {
        position.name(action): solver.win_probability(position.play(action), player)
        for action in position.legal_actions()
    }
    other = position.score(1 - player)
    return {
        "to_move": position.to_move,
        "turn_of": player,
        "win_probability": solver.win_probability(position),
        "win_probabilities": wins,
        "best": None if position.to_move == CHANCE else max(wins, key=wins.__getitem__),
        "hold_at": solver.hold_at(position.score(player), other, position.target, position.faces),
        "seconds": time.perf_counter() - began,
    }


def print_odds(position: Pig, data: dict[str, Any]) -> None:
    """The solution for people."""
    console, who = out(), mark(out(), position, position.mover)
    console.print(who, f"wins {data['win_probability']:.2%} of all games with best play.")
    if data["best"] is not None:
        advice = f"Best: {data['best']}; from these scores on, hold at {data['hold_at']}."
        console.print(advice, style="bold")
    listed = table("move" if data["best"] else "the die", "wins")
    for name, chance in data["win_probabilities"].items():
        listed.add_row(name, f"{chance:.2%}")
    print_table(listed)
    console.print(f"{data['seconds']:.2f} s", style="dim")
