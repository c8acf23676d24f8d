"""Tells a game of chosen parameters in words, and what parameters there are to choose.

Only the standard library is needed, and ``markdown_it``, which is pure Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from adv_envs import Position
from adv_envs.registry import game, name_of, parameters_of, start_position, title
from adv_envs.text.rules import rules_text, with_side_names
from agents.describe import summary

PROBED = range(41)
"""Whole numbers that are tried as values of a parameter, to say which ones there are."""


def game_form(start: Position) -> dict[str, Any]:
    """Returns the part of a ``catalogue`` that is about the game, not about agents.

    That is "title", "summary", "rules", "players", "parameters", "chosen", "form" and "chance".
    """
    usual, chosen = parameters_of(type(start)()), parameters_of(start)
    name = name_of(start)
    return {
        "title": title(start),
        "summary": summary(type(start)),
        "rules": html_of(with_side_names(start, rules_text(start))),
        "players": start.num_players,
        "parameters": usual,
        "chosen": chosen,
        "form": [field(name, key, usual[key], chosen) for key in chosen],
        "chance": start.has_chance,
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


def field(name: str, key: str, usual: Any, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a parameter for a form."""
    cls = game(name)
    words_of = dict(zip(cls.parameters, cls.parameter_words, strict=False))
    label, about = words_of.get(key, (key.replace("_", " ").capitalize(), ""))
    data = {"name": key, "label": label, "about": about, "type": type(usual).__name__}
    data |= {"usual": usual, "value": chosen[key]}
    if words := cls.field_words.get(key):
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
