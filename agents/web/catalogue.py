"""Lists what there is to choose for a game: parameters, agents that play and that analyse it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from adv_envs import Position
from adv_envs.registry import game, parameters_of, start_position, title
from adv_envs.text import rules_text
from agents.agent import SearchAgent, spell
from agents.describe import summary
from agents.equilibrium.game_tree import LIMIT, estimated_histories
from agents.equilibrium.hidden_agents import PolicyAgent
from agents.faults import first_decision
from agents.grading.exact_values import exact_or_none
from agents.knowledge import knowledge_of, strong_spec, suitable_analyst, suitable_opponent
from agents.networks import checkpoint

from .allow_list import allowed_agent
from .game_states import read_start

PROBED = range(41)
"""Whole numbers that are tried as values of a parameter, to say which ones there are."""


def catalogue(
    name: str,
    parameters: Mapping[str, Any] | None = None,
    set_up: str = "",
    named: Sequence[str] = (),
) -> dict[str, Any]:
    """Returns the choices for a game with some parameters, from the start or a ``set_up``.

    Plain data for JSON; only agents that can play the start are offered, and those ``named`` by
    their specs when the server was started. Raises ValueError or
    TypeError if there is no such game or start. The keys are

    - "game", "title", "summary", "rules" (in words, as HTML), "players" (their number);
    - "parameters": the usual values; "chosen": those that are asked about; "form": for each of
      them {"name", "type", "usual", "value"}, and "choices" where those are known;
    - "opponent" and "analyst": the specs that suit the game; "agents": the specs of those that can
      have a seat, and "analysts": of those that search, by what they are called in words;
      "solver": the spec of the exact solver that plays the start within seconds, or None;
    - "chance": whether the game has chance; "evaluations": their names in specs.
    """
    start = read_start({"game": name, "parameters": dict(parameters or {}), "set_up": set_up})
    usual, chosen = parameters_of(type(start)()), parameters_of(start)
    return {
        "game": name,
        "title": title(start),
        "summary": summary(type(start)),
        "rules": html_of(rules_text(start)),
        "players": start.num_players,
        "parameters": usual,
        "chosen": chosen,
        "form": [field(name, key, usual[key], chosen) for key in chosen],
        "opponent": suitable_opponent(start),
        "analyst": suitable_analyst(start),
        "agents": allowed(seat_specs(start), start) | {spec: spec for spec in named},
        "analysts": {
            label: spec
            for label, spec in allowed(analyst_specs(start), start).items()
            if isinstance(allowed_agent(spec), SearchAgent)
        },
        "solver": solver_spec(start),
        "chance": start.has_chance,
        "evaluations": [f"{name}.{known}" for known in knowledge_of(start).evaluations],
    }


def html_of(markdown: str) -> str:
    """Returns paragraphs, lists, code and emphasis as HTML; all else is text and is escaped."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("zero").enable(["list", "fence", "emphasis", "backticks"])
    return str(reader.render(markdown))


def read_parameters(name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """Reads a game's parameters from an address; ValueError if they make no sense."""
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
    """Yields the agents that are offered for a seat, by what they are called in words."""
    yield from good_specs(start, "usual opponent", suitable_opponent(start))
    yield from knowledge_of(start).rungs.items()
    yield "random", "random()"
    if start.perfect_information:
        yield "greedy", "greedy()"
    yield "Monte Carlo, 1 second", f"{monte_carlo(start)}(seconds=1)"


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


# ---- parameters


def field(name: str, key: str, usual: Any, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a parameter for a form."""
    data = {"name": key, "type": type(usual).__name__, "usual": usual, "value": chosen[key]}
    if words := game(name).field_words.get(key):
        return {**data, "choices": list(words)}
    if data["type"] != "int":
        return data
    choices = choices_of(name, key, tuple(chosen.items()))
    return {**data, "choices": list(choices)} if choices else data


@lru_cache(1000)
def choices_of(name: str, key: str, chosen: tuple[tuple[str, Any], ...]) -> tuple[int, ...]:
    """Returns the values that a parameter may have beside the other ones that are chosen.

    Empty where it may have larger values than those that are tried.
    """
    others = dict(chosen)
    found = tuple(value for value in PROBED if is_valid(name, {**others, key: value}))
    at_ends = others[key] not in found or is_valid(name, {**others, key: PROBED.stop})
    return () if at_ends else found


def is_valid(name: str, parameters: Mapping[str, Any]) -> bool:
    """Returns whether a game can be played with these parameters."""
    try:
        start_position(name, **parameters)
    except ValueError:
        return False
    return True
