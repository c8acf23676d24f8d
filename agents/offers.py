"""Says which agents are offered for a game: for its seats, and to analyse it.

Pages list them, and the engines that come with the package are made for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from adv_envs import Position

from .agent import spell
from .allow_list import allowed_agent
from .equilibrium.game_tree import LIMIT, estimated_histories
from .equilibrium.hidden_agents import PolicyAgent
from .faults import first_decision
from .grading.exact_values import exact_or_none
from .knowledge import knowledge_of, strong_spec, suitable_analyst, suitable_opponent
from .networks import checkpoint


def seat_specs(start: Position) -> Iterator[tuple[str, str]]:
    """Yields the agents that are offered for a seat, by what they are called in words."""
    yield from good_specs(start, "usual opponent", suitable_opponent(start))
    yield from fitting_rungs(start)
    yield "random", "random()"
    if start.perfect_information:
        yield "greedy", "greedy()"
    yield "Monte Carlo, 1 second", f"{monte_carlo(start)}(seconds=1)"


FOR_TWO = "alpha_beta", "expectiminimax", "minimax"
"""Agents that play games of two players only, by name: pages know them without importing them."""


def fitting_rungs(start: Position) -> Iterator[tuple[str, str]]:
    """Yields the rungs of the game's record that play with as many players."""
    for name, spec in knowledge_of(start).rungs.items():
        if start.num_players == 2 or spec.partition("(")[0] not in FOR_TWO:
            yield name, spec


def analyst_specs(start: Position) -> Iterator[tuple[str, str]]:
    """Yields the agents that are offered to analyse, by what they are called in words."""
    yield from good_specs(start, "usual analyst", suitable_analyst(start))
    if start.perfect_information and start.num_players == 2:
        search = "expectiminimax" if start.has_chance else "alpha_beta"
        yield "search, 10 seconds", f"{search}(seconds=10)"
    yield "Monte Carlo, 10 seconds", f"{monte_carlo(start)}(seconds=10)"


def good_specs(start: Position, label: str, usual: str) -> Iterator[tuple[str, str]]:
    """Returns the usual agent, the strongest, a fast exact solver, and trained policies."""
    yield label, usual
    if (strongest := strong_spec(start)) != usual:
        yield "strongest known", strongest
    if (solver := solver_spec(start)) is not None:
        yield "exact solver", solver
    for name, trained_for in shipped_policies().items():
        if trained_for == start:
            yield f"trained: {name}", f"policy(path={spell(name)})"


def monte_carlo(start: Position) -> str:
    """Returns the name of the Monte Carlo tree search that plays a game."""
    return "mcts" if start.perfect_information else "ismcts"


def solver_spec(start: Position) -> str | None:
    """Returns the spec of the exact solver for a start; None where it would take long."""
    solver, exact = knowledge_of(start).solver, exact_or_none(start.start())
    found = solver(start) if solver is not None else None
    if found is None or exact is None or not exact.is_feasible(first_decision(start)):
        return None
    return f"{found.name}()"


@cache
def shipped_policies() -> dict[str, Position]:
    """Returns for each policy of the package the game that it was trained for."""
    names = checkpoint.shipped_checkpoints()
    return {
        n: checkpoint.load_checkpoint(checkpoint.SHIPPED / f"{n}.safetensors").start for n in names
    }


def allowed(specs: Iterator[tuple[str, str]], start: Position) -> dict[str, str]:
    """Returns those specs that a page may send and that can play from ``start``.

    Of agents with one spec the first, of equal names too.
    """
    found: dict[str, str] = {}
    for label, spec in specs:
        if label in found or spec in found.values() or f"{spec}()" in found.values():
            continue
        try:
            agent = allowed_agent(spec)
        except ValueError:  # an engine, for which the page would start a program
            continue
        if not isinstance(agent, PolicyAgent) or estimated_histories(start.start()) <= LIMIT:
            found[label] = spec
    return found
