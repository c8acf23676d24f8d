"""Makes engines search by Monte Carlo, as ``agents.mcts`` does.

A search begins with a new tree, and asks for no proven moves. Its random numbers are those of the
agent after ``reset(seed)``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import position_of, words_of
from adv_envs.jit import kernel
from adv_envs.random import scattered
from agents.mcts.mcts import MCTS
from agents.mcts.nodes import (
    MAX_DEPTH,
    Known,
    Simulation,
    TreeArrays,
    best_child,
    log_step,
    mean_within,
    new_tree,
    value_chosen,
    write_line,
)
from agents.mcts.nodes import is_solved as is_tree_solved
from agents.mcts.playouts import DEEPEST, RANDOM, STAMP
from agents.mcts.selection import SearchSettings, most_simulations
from agents.mcts.simulation import simulate
from agents.search.limits import UNLIMITED, Counts, counters

from .array_plans import arrays_told, seed_told
from .rules_engine import LIKE, Row, bound_to

NAME = "mcts"


class MonteCarloReport(NamedTuple):
    """Holds what a tree has found."""

    numbers: NDArray[np.float64]
    """(7,): the best action, its value, whether that is proven, the depth of the deepest leaf, the
    number of simulations, whether the search is at its end, and the length of the line."""
    children: NDArray[np.float64]
    """(num_actions, 4): of each legal action its number, its visits, its value, and whether that is
    known; then -1."""
    line: NDArray[np.int64]
    """(MAX_DEPTH,): what was played most."""


@kernel
def begin_mcts(row: Row, tree: TreeArrays) -> None:
    """Makes a tree ready for simulations; the state of the random numbers is still the seed."""
    tree.workspace[RANDOM] = scattered(int(tree.workspace[RANDOM]))
    tree.logs[0] = 0.0
    for i in range(1, tree.logs.shape[0]):
        tree.logs[i] = tree.logs[i - 1] + log_step(float(i))
    tree.nodes[0]["width"] = 0


@kernel
def simulate_words(
    row: Row,
    simulations: int,
    settings: SearchSettings,
    tree: TreeArrays,
    simulation: Simulation,
    counts: Counts,
) -> int:
    """Adds ``simulations`` to the tree of a position; returns what ``simulate`` does."""
    return int(simulate(position_of(LIKE, row), simulations, settings, tree, simulation, counts))


@kernel
def report_tree(row: Row, evenly: bool, tree: TreeArrays, report: MonteCarloReport) -> None:
    """Writes what a tree has found."""
    nodes, told, numbers = tree.nodes, report.children, report.numbers
    first, width = int(nodes[0]["first"]), int(nodes[0]["width"])
    end = first + width
    children = Known(  # here, as in modules functions cannot return arrays
        nodes["visits"][first:end],
        nodes["total"][first:end],
        nodes["lower"][first:end],
        nodes["upper"][first:end],
    )
    chosen = best_child(children, children.visits)
    value, proven = value_chosen(chosen, children)
    for i in range(width):
        visits, lower, upper = children.visits[i], children.lower[i], children.upper[i]
        told[i, 0], told[i, 1] = nodes[first + i]["action"], visits
        told[i, 2] = mean_within(visits, children.total[i], lower, upper) + 0.0
        told[i, 3] = 1.0 if visits > 0 or lower == upper else 0.0
    if width < told.shape[0]:
        told[width, 0] = -1.0
    numbers[0], numbers[1], numbers[2] = told[chosen, 0], value, proven
    numbers[3], numbers[4] = tree.workspace[DEEPEST], tree.workspace[STAMP]
    numbers[5], numbers[6] = is_tree_solved(evenly, nodes), write_line(chosen, nodes, report.line)


def plan(agent: Any, start: Position) -> dict[str, Any] | None:
    """Returns how an engine searches as ``agent`` does; None unless it is MCTS that engines have.

    They have no policies, threads or, with an evaluation, games of more players than two.
    """
    if type(agent) is not MCTS or agent.policy is not None or agent.threads > 1:
        return None
    if not start.perfect_information or (agent.evaluate is not None and start.num_players != 2):
        return None
    most = most_simulations(agent.simulations, agent.seconds)
    tree = new_tree(start, agent.capacity(start), agent.node_type(start), 0)
    settings = agent.settings(start, evenly=False)._replace(ask_at=0)
    simulation = Simulation(np.zeros((2, MAX_DEPTH), np.int64), np.zeros(start.num_players))
    return {
        "simulations": most if most < UNLIMITED else None,
        "seconds": agent.seconds,
        "seed": seed_told(agent.seed),
        "settings": [float(value) for value in settings],
        "tree": arrays_told(tree),
        "simulation": arrays_told(simulation),
        "report": arrays_told(new_report(start.num_actions)),
    }


def new_report(actions: int) -> MonteCarloReport:
    """Returns room for what a tree has found."""
    return MonteCarloReport(np.zeros(7), np.zeros((actions, 4)), np.zeros(MAX_DEPTH, np.int64))


def exports(agent: MCTS, start: Position) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Returns the kernels for a search as that of ``agent``."""
    row = np.array(words_of(start), np.int64)
    bindings = agent.kernel(start).bindings
    tree = new_tree(start, 1, agent.node_type(start), 0)
    simulation = Simulation(np.zeros((2, 1), np.int64), np.zeros(1))
    settings, report = agent.settings(start, evenly=False), new_report(1)
    found = {
        "begin": (begin_mcts, (row, tree)),
        "simulate": (
            simulate_words.bind(**bindings),
            (row, 1, settings, tree, simulation, counters()),
        ),
        "report": (report_tree, (row, False, tree, report)),
    }
    return {name: (bound_to(kernel, start), given) for name, (kernel, given) in found.items()}
