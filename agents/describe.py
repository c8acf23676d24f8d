"""Puts games, players, results and values in words."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from typing import Any

from adv_envs.pictures.picture import picture_of
from adv_envs.position import CHANCE, Position
from adv_envs.registry import name_of, name_of_class, parameters_of, title
from agents.agent import Agent, SearchAgent, SearchResult, plays_as_analysed
from agents.knowledge import SolutionText, knowledge_of

# ---- a game


def first_line(thing: Any) -> str:
    """Returns the first line of a docstring, without the marks of code."""
    return (inspect.getdoc(thing) or "").partition("\n")[0].replace("``", "")


def summary(cls: type[Position]) -> str:
    """Returns the game in one line, from the docstring of its own module, or else of its class.

    A class's verb is left out: "Plays the textbook's tree: ..." is "The textbook's tree: ...".
    """
    module = sys.modules[cls.__module__]
    own = cls.__module__.rpartition(".")[2].replace("_", "") == cls.__name__.lower()
    text = first_line(module if own else cls).removeprefix("Plays ")
    return text[:1].upper() + text[1:]


LONGEST_NAME = 30
"""Characters of a game's name in a docstring."""


def full_name(cls: type[Position]) -> str:
    """Returns the game's name for people, "Connect Four": its ``summary`` up to the first ":".

    A summary of another form has no name; then it is the registered one with capitals.
    """
    name, mark, _ = summary(cls).partition(":")
    if mark and len(name) <= LONGEST_NAME:
        return name.partition(",")[0]
    return name_of_class(cls).replace("_", " ").title()


def game_heading(position: Position) -> str:
    """Returns a position's game and its unusual parameters, for people: "Hex, size=7"."""
    return title(position).replace(name_of(position), full_name(type(position)), 1)


def description(cls: type[Position]) -> str:
    """Returns what the ``summary`` of a game says beside its name."""
    rest = summary(cls).removeprefix(full_name(cls)).lstrip(":, ")
    return rest[:1].upper() + rest[1:]


def about(cls: type[Position]) -> str:
    """Returns the docstring of a game's class after its first paragraph, for the help page."""
    text = (inspect.getdoc(cls) or "").partition("\n\n")[2].replace("\n\n", "\f")
    text = " ".join(text.replace("Raises ValueError unless", "Allowed if").split("\n"))
    return text.replace("\f", "\n\n").replace("``", "")


def game_data(position: Position) -> dict[str, Any]:
    """Returns the game and its parameters, for JSON."""
    return {"game": name_of(position), "parameters": parameters_of(position)}


# ---- players and results


def seat(position: Position, player: int) -> str:
    """Returns the name of a player or of chance, as people call them: "White", "chance"."""
    return "chance" if player == CHANCE else position.side_names[player]


def task(position: Position, player: int) -> str:
    """Returns a player's task, in brackets, where the players have different ones."""
    tasks = picture_of(position).tasks
    return f" ({tasks[player]})" if tasks else ""


def outcome(utilities: Sequence[float], names: Sequence[str]) -> str:
    """Returns the result of a game that was cut short, between players with these names."""
    if not any(utilities):
        return "Draw"
    if sorted(utilities) == [-1, 1]:
        return f"{names[utilities.index(1)]} wins"
    return ", ".join(f"{n} gets {u:g}" for n, u in zip(names, utilities, strict=True))


# ---- values


def signed(value: float, digits: int = 4) -> str:
    """Returns a value with its sign; 0 has none, nor has -0.0."""
    return f"{value + 0.0:{'+' * (value != 0)}.{digits}g}"


def solution_text(position: Position, agent: SearchAgent) -> SolutionText:
    """Returns how exact values of an agent are shown: as the game says, if it is its solver."""
    knowledge = knowledge_of(position)
    own = knowledge.solver(position) if knowledge.solver is not None else None
    if own is None or agent.name not in (own.name, "perfect") or getattr(agent, "weak", False):
        return SolutionText()
    return knowledge.solution


def judgement(position: Position, agent: SearchAgent, found: SearchResult) -> str:
    """Returns a search's value for the player to move, in words that need no explanation."""
    if found.proven:
        return solution_text(position, agent).in_words(position, found.value)
    who = "ahead" if found.value > 0 else "behind"
    return "about even" if round(found.value, 2) == 0 else f"{who}, value {signed(found.value, 3)}"


def expectation(position: Position, agent: SearchAgent, found: SearchResult) -> str:
    """Returns what an agent that has moved expects for itself: "expects a draw"."""
    verb = "expects" if found.proven else "sees itself"
    return f"{verb} {judgement(position, agent, found)}"


def advice(position: Position, agent: Agent) -> tuple[int, str]:
    """Returns what an agent would play, and its value in words, "" for one that does not search.

    Raises IllegalMove for an answer that is not legal.
    """
    if not plays_as_analysed(agent):
        return position.action(agent.act(position)), ""
    found = agent.analyse(position)
    return found.action, judgement(position, agent, found)


def speed(found: SearchResult) -> float | None:
    """Returns nodes per second; None for a search that took no time."""
    return found.nodes / found.seconds if found.seconds else None
