"""What there is to choose for a game: its parameters, and the agents that play and analyse it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from adv_envs import Position
from adv_envs.registry import game, parameters_of, start_position, title
from agents.agent import SearchAgent, spell
from agents.describe import summary
from agents.knowledge import knowledge_of
from agents.networks import checkpoint
from agents.suitable import strong_spec, suitable_analyst, suitable_opponent

from .allow_list import allowed_agent

PROBED = range(41)
"""Whole numbers that are tried as values of a parameter, to say which ones there are."""


def catalogue(name: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The choices for a game with some parameters, as plain data for JSON.

    Raises ValueError or TypeError if there is no such game. The keys are

    - "game", "title", "summary", "players" (their number);
    - "parameters": the usual values; "chosen": those that are asked about; "form": for each of
      them {"name", "type", "usual", "value"}, and "choices" where those are known;
    - "opponent" and "analyst": the specs that suit the game; "agents": the specs of those that can
      have a seat, and "analysts": of those that search, by what they are called in words;
      "solver": the spec of the exact solver, or None;
    - "chance": whether the game has chance; "evaluations": their names in specs.
    """
    start = start_position(name, **dict(parameters or {}))
    usual, chosen = parameters_of(type(start)()), parameters_of(start)
    return {
        "game": name,
        "title": title(start),
        "summary": summary(type(start)),
        "players": start.num_players,
        "parameters": usual,
        "chosen": chosen,
        "form": [field(name, key, usual[key], chosen) for key in chosen],
        "opponent": suitable_opponent(start),
        "analyst": suitable_analyst(start),
        "agents": allowed(seat_specs(start)),
        "analysts": {
            label: spec
            for label, spec in allowed(analyst_specs(start)).items()
            if isinstance(allowed_agent(spec), SearchAgent)
        },
        "solver": solver_spec(start),
        "chance": start.has_chance,
        "evaluations": [f"{name}.{known}" for known in knowledge_of(start).evaluations],
    }


def read_parameters(name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """The parameters of a game as they stand in an address; ValueError if they make no sense."""
    found: dict[str, Any] = {}
    for key, usual in parameters_of(game(name)()).items():
        if key not in query:
            continue
        text = query[key]
        if isinstance(usual, bool):
            found[key] = {"true": True, "false": False}.get(text.lower(), text)
        else:
            try:
                found[key] = type(usual)(text[:30])
            except ValueError:
                raise ValueError(f"{key}={text[:30]} is no number") from None
    return found


# ---- agents


def seat_specs(start: Position) -> Iterator[tuple[str, str]]:
    """The agents that are offered for a seat, by what they are called in words."""
    yield "usual opponent", suitable_opponent(start)
    if (strongest := strong_spec(start)) != suitable_opponent(start):
        yield "strongest known", strongest
    yield from exact(start)
    yield from trained(start)
    yield from knowledge_of(start).rungs.items()
    yield "random", "random()"
    if start.perfect_information:
        yield "greedy", "greedy()"
        yield "Monte Carlo, 1 second", "mcts(seconds=1)"
    else:
        yield "Monte Carlo, 1 second", "ismcts(seconds=1)"


def analyst_specs(start: Position) -> Iterator[tuple[str, str]]:
    """The agents that are offered to analyse, by what they are called in words."""
    yield "usual analyst", suitable_analyst(start)
    if (strongest := strong_spec(start)) != suitable_analyst(start):
        yield "strongest known", strongest
    yield from exact(start)
    yield from trained(start)
    if not start.perfect_information:
        yield "Monte Carlo, 10 seconds", "ismcts(seconds=10)"
        return
    if start.num_players == 2:
        search = "expectiminimax" if start.has_chance else "alpha_beta"
        yield "search, 10 seconds", f"{search}(seconds=10)"
    yield "Monte Carlo, 10 seconds", "mcts(seconds=10)"


def exact(start: Position) -> Iterator[tuple[str, str]]:
    """The exact solver, if the game has one."""
    if (spec := solver_spec(start)) is not None:
        yield "exact solver", spec


def solver_spec(start: Position) -> str | None:
    """The spec of the exact solver for the game of ``start``, or None."""
    solver = knowledge_of(start).solver
    found = solver(start) if solver is not None else None
    return None if found is None else f"{found.name}()"


def trained(start: Position) -> Iterator[tuple[str, str]]:
    """The policies that come with the package and were trained for this game."""
    for name, trained_for in shipped_policies().items():
        if trained_for == start:
            yield f"trained: {name}", f"policy(path={spell(name)})"


@cache
def shipped_policies() -> dict[str, Position]:
    """For each policy that comes with the package the game that it was trained for."""
    names = checkpoint.shipped_checkpoints()
    return {
        n: checkpoint.load_checkpoint(checkpoint.SHIPPED / f"{n}.safetensors").start for n in names
    }


def allowed(specs: Iterator[tuple[str, str]]) -> dict[str, str]:
    """Those specs that a page may send; of agents with one spec the first, of equal names too."""
    found: dict[str, str] = {}
    for label, spec in specs:
        if label in found or spec in found.values() or f"{spec}()" in found.values():
            continue
        try:
            allowed_agent(spec)
        except ValueError:  # an engine, for which the page would start a program
            continue
        found[label] = spec
    return found


# ---- parameters


def field(name: str, key: str, usual: Any, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter for a form."""
    data = {"name": key, "type": type(usual).__name__, "usual": usual, "value": chosen[key]}
    if data["type"] != "int":
        return data
    choices = choices_of(name, key, tuple(chosen.items()))
    return {**data, "choices": list(choices)} if choices else data


@lru_cache(1000)
def choices_of(name: str, key: str, chosen: tuple[tuple[str, Any], ...]) -> tuple[int, ...]:
    """The values that a parameter may have beside the other ones that are chosen.

    Empty where it may have larger values than those that are tried.
    """
    others = dict(chosen)
    found = tuple(value for value in PROBED if is_valid(name, {**others, key: value}))
    at_ends = others[key] not in found or is_valid(name, {**others, key: PROBED.stop})
    return () if at_ends else found


def is_valid(name: str, parameters: Mapping[str, Any]) -> bool:
    """Whether a game can be played with these parameters."""
    try:
        start_position(name, **parameters)
    except ValueError:
        return False
    return True
