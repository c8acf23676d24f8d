"""Lists what there is to choose for a game: parameters, agents that play and that analyse it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from adv_envs import Position
from agents.agent import SearchAgent
from agents.allow_list import allowed_agent
from agents.engines import exact_plan, plan_of
from agents.faults import first_decision
from agents.grading.exact_values import exact_or_none
from agents.knowledge import knowledge_of, suitable_analyst, suitable_opponent
from agents.levels import levels
from agents.offers import allowed, analyst_specs, seat_specs, solver_spec

from .game_form import game_form
from .game_states import read_start


def catalogue(
    name: str,
    parameters: Mapping[str, Any] | None = None,
    set_up: str = "",
    named: Sequence[str] = (),
    hidden_engines: bool = False,
) -> dict[str, Any]:
    """Returns the choices for a game with some parameters, from the start or a ``set_up``.

    Plain data for JSON; only agents that can play the start are offered, and those ``named`` by
    their specs when the server was started. Raises ValueError or
    TypeError if there is no such game or start. The keys are

    - "game", "title", "summary", "rules" (in words, as HTML), "players" (their number);
    - "parameters": the usual values; "chosen": those that are asked about; "form": for each of
      them {"name", "label" and "about" (in words), "type", "usual", "value"}, and "choices" where
      those are known;
    - "levels": opponents from the weakest to the strongest, each {"number", "spec", "elo" (None:
      not measured), "words"};
    - "opponent" and "analyst": the specs that suit the game; "agents": the specs of those that can
      have a seat, and "analysts": of those that search, by what they are called in words;
      "solver": the spec of the exact solver that plays the start within seconds, or None;
    - "engines": the plans by which engines of the page play what specs say, by spec, in games of
      hidden information only with ``hidden_engines``; "exact": the
      plan by which one finds the exact values of moves, or None; "graded": whether the server finds
      such values from the start on;
    - "chance": whether the game has chance; "hidden": whether players see different things;
      "evaluations": their names in specs.
    """
    start = read_start({"game": name, "parameters": dict(parameters or {}), "set_up": set_up})
    opponent, analyst = suitable_opponent(start), suitable_analyst(start)
    seats = allowed(seat_specs(start), start)
    analysts = {
        label: spec
        for label, spec in allowed(analyst_specs(start), start).items()
        if isinstance(allowed_agent(spec), SearchAgent)
    }
    hidden = not start.perfect_information
    by_level = levels(start)
    specs = {opponent, analyst, *seats.values(), *analysts.values()}
    specs |= {level.spec for level in by_level}
    return {
        "game": name,
        **game_form(start),
        "levels": [asdict(level) for level in by_level],
        "opponent": opponent,
        "analyst": analyst,
        "agents": seats | {spec: spec for spec in named},
        "analysts": analysts,
        "engines": engine_plans(start, specs) if hidden_engines or not hidden else {},
        "exact": exact_plan(start.start()) if start.perfect_information else None,
        "graded": is_graded(start),
        "hidden": hidden,
        "solver": solver_spec(start),
        "evaluations": [f"{name}.{known}" for known in knowledge_of(start).evaluations],
    }


def engine_plans(start: Position, specs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Returns the plans of engines by spec, of those ``specs`` that they play from ``start``."""
    plans = {}
    for spec in sorted(specs):
        with suppress(ValueError):  # such as an engine, for which the page would start a program
            plans[spec] = plan_of(allowed_agent(spec), start)
    return {spec: plan for spec, plan in plans.items() if plan is not None}


def is_graded(start: Position) -> bool:
    """Returns whether the exact values of moves are found within seconds from ``start`` on."""
    exact = exact_or_none(start.start())
    return exact is not None and exact.is_feasible(first_decision(start))


def answer_plan(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the "plan" by which an engine plays what the "agent" of a request says, or None.

    There is none where players do not see everything: the page would learn what is hidden.
    """
    spec, start = data.get("agent"), read_start(data)
    known = isinstance(spec, str) and start.perfect_information
    plans = engine_plans(start, [str(spec)] if known else [])
    return {"plan": plans.get(str(spec))}
