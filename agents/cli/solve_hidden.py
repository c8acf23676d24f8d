"""``adv-envs solve`` for games of hidden information: value, equilibrium, exploitability."""

from __future__ import annotations

from typing import Any

from rich.text import Text

import agents
from adv_envs.position import CHANCE, Position
from adv_envs.registry import title
from agents.describe import game_data
from agents.equilibrium.best_response import expected_utilities, exploitability
from agents.equilibrium.game_tree import GameTree, set_labels
from agents.equilibrium.hidden_agents import PolicyAgent
from agents.equilibrium.tabular_policy import TabularPolicy

from .console import CommandError, busy, command_errors, out, print_json, print_table, table

ROWS = 60
"""Information sets that are listed; JSON has all."""


def solve_hidden(start: Position, moves: list[str] | None, spec: str | None, json: bool) -> None:
    """Prints an equilibrium, or the policy of an agent, and how far it can be exploited."""
    two = start.num_players == 2
    spec = spec or ("equilibrium()" if two else "cfr_plus(iterations=10000)")
    with command_errors(2):
        position = start.after(" ".join(moves or []))
        agent = agents.make(spec)
    if not isinstance(agent, PolicyAgent):
        raise CommandError(
            f"{agent!r} has no policy for a whole game: use equilibrium, cfr, cfr_plus, "
            "discounted_cfr or mccfr"
        )
    with busy(out(), f"{spec} solves {title(start)}"), command_errors(1):
        policy = agent.policy(start)
        values = expected_utilities(policy)
        lost = exploitability(policy)
    numbers = chosen_sets(policy.tree, position) if moves else list(range(policy.tree.num_sets))
    if json:
        print_json(policy_data(agent, policy, values, lost, numbers))
        return
    print_policy(agent, policy, values, lost, numbers)


def chosen_sets(tree: GameTree, position: Position) -> list[int]:
    """The information set of the player to move."""
    if position.is_terminal():
        raise CommandError("the game is over: there is nothing to solve")
    if position.to_move != CHANCE:
        return [tree.find(position)]
    raise CommandError("chance is to move there: go on to the turn of a player, or name no moves")


def print_policy(
    agent: PolicyAgent,
    policy: TabularPolicy,
    values: list[float],
    lost: float,
    numbers: list[int],
) -> None:
    """Prints what there is to say, and a row for each information set."""
    tree, console = policy.tree, out()
    what = "Value" if lost < 1e-7 and tree.num_players == 2 else "Expected"
    told = ", ".join(f"{value:+.9g} for player {i}" for i, value in enumerate(values))
    console.print(Text(f"{what}: ", "bold") + Text(told))
    console.print(
        f"{agent!r}: exploitability {lost:.3g}; {tree.num_sets:,} information sets, "
        f"{tree.num_nodes:,} histories, {len(tree.leaves):,} of them ended"
    )
    filled = table("player", "what the player sees", "plays")
    labels = set_labels(tree)
    for number in numbers[:ROWS]:
        view = tree.views[number]
        shares = policy.probabilities(view)
        plays = ", ".join(f"{view.name(a)} {share:.4g}" for a, share in shares.items())
        filled.add_row(str(int(tree.set_player[number])), labels[number], plays)
    print_table(filled)
    if len(numbers) > ROWS:
        console.print(
            f"and {len(numbers) - ROWS:,} information sets more: --json lists all; or name the "
            "first moves",
            style="dim",
        )


def policy_data(
    agent: PolicyAgent,
    policy: TabularPolicy,
    values: list[float],
    lost: float,
    numbers: list[int],
) -> dict[str, Any]:
    """Everything for JSON."""
    tree, labels = policy.tree, set_labels(policy.tree)
    return {
        **game_data(tree.start),
        "agent": repr(agent),
        "values": values,
        "exploitability": lost,
        "information_sets": tree.num_sets,
        "histories": tree.num_nodes,
        "policy": [
            {
                "player": int(tree.set_player[number]),
                "sees": labels[number],
                "plays": {
                    tree.views[number].name(action): share
                    for action, share in policy.probabilities(tree.views[number]).items()
                },
            }
            for number in numbers
        ],
    }
