"""Reads files of items, a line of JSON for each, and says in which line what is wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from adv_envs import CHANCE, Position, name_of
from adv_envs.literals import shortened
from adv_envs.position import checked
from adv_envs.registry import parameters_of, position_of, title
from adv_envs.text.renaming import Renaming, renamed
from agents.best_play import SAME
from agents.knowledge import MoveValue

from .item_records import ITEM_FORMAT, ITEM_VERSION
from .item_twins import RENAMED, TWIN_KINDS
from .position_sets import PHASES, TestPosition

ORIGINAL = "original"


class ItemsError(ValueError):
    """Says which line of a file of items is wrong, and why."""


class LoadedItem(NamedTuple):
    """Holds the question of an item: a position, and the value of each of its moves."""

    id: str
    original: str
    """The id of the item whose twin it is; its own if it is none."""
    kind: str
    """ORIGINAL, or one of TWIN_KINDS."""
    test: TestPosition
    """The position as it is asked, with other names if it is renamed; values are utilities."""


def read_items(path: str | os.PathLike[str], start: Position) -> list[LoadedItem]:
    """Returns the items of a file about the game of ``start``.

    ItemsError, which says in which line what is wrong, or why the file cannot be read.
    """
    start = checked(start).start()
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ItemsError(f"{path} is no text in UTF-8: {error.reason}") from None
    except OSError as error:
        raise ItemsError(f"{path} cannot be read: {error.strerror or error}") from None
    if not text.strip():
        raise ItemsError(f"{path} is empty: it has no item")
    found, lines = list[LoadedItem](), dict[str, int]()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        cut_off = not text.endswith("\n") and number == text.count("\n") + 1
        try:
            item = read_item(line, start)
        except json.JSONDecodeError as error:
            why = "it is cut off" if cut_off else f"it is not JSON: {error}"
            raise ItemsError(f"{where}: {why}") from None
        except (ValueError, TypeError, LookupError, RecursionError, ArithmeticError) as error:
            missing = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ItemsError(f"{where}: {missing}") from None
        if item.id in lines:
            raise ItemsError(f"{where}: the item of line {lines[item.id]} is here again: {item.id}")
        lines[item.id] = number
        found.append(item)
    return found


def read_item(line: str, start: Position) -> LoadedItem:
    """Returns the item in a line of JSON; ValueError, TypeError or KeyError if it is none.

    Its values must be those of exactly the legal moves, and agree with its regrets and best moves.
    """
    data = json.loads(line)
    if not isinstance(data, dict) or data.get("format") != ITEM_FORMAT:
        raise ValueError("it is no item, which `adv-envs puzzles` writes")
    if data.get("version") != ITEM_VERSION or isinstance(data["version"], bool | float):
        shown = shortened(str(data.get("version")))
        raise ValueError(f"it is of version {shown}, and {ITEM_VERSION} is needed: write it again")
    if (data["game"], data["parameters"]) != (name_of(start), parameters_of(start)):
        about = f"{data['game']} with {data['parameters']}"
        mine = f"{name_of(start)} with {parameters_of(start)}"
        raise ValueError(f"it is about {shortened(about)}, not {mine}")
    if data["rules_version"] != start.version:
        raise ValueError(f"it is about other rules of {name_of(start)}: write it again")
    moves = "" if data["moves"] is None else _text(data, "moves", empty=True)
    _check_position(position_of(_text(data, "position")), data, start)
    original, kind = _kinship(data)
    position = item_position(data)
    if data["phase"] not in PHASES:
        raise ValueError(f"its phase is not one of {', '.join(PHASES)}")
    values = _values(data, position)
    test = TestPosition(position, values, data["phase"], moves)
    if not test.value_matters:
        raise ValueError("all its moves have the same value: there is nothing to find")
    _check_best(data, test)
    return LoadedItem(_text(data, "id"), original, kind, test)


def item_position(item: dict[str, Any]) -> Position:
    """Returns the position of an item as it is asked, with the names that a renamed twin has.

    ``text_env(item_position(item), seat=item["to_move"])`` asks what its messages ask. ValueError,
    TypeError or KeyError if the ``item``, plain data, has no such position.
    """
    position, twin = position_of(_text(item, "position")), item["twin"]
    if twin is None or twin["kind"] != RENAMED:
        return position
    return renamed(position, Renaming.from_dict(twin["renaming"]))


def _text(data: dict[str, Any], key: str, empty: bool = False) -> str:
    value = data[key]
    if not isinstance(value, str):
        raise TypeError(f"its {key} must be text, not {shortened(str(value))}")
    if not value and not empty:
        raise ValueError(f"its {key} is empty")
    return value


def _check_position(position: Position, data: dict[str, Any], start: Position) -> None:
    """Raises ValueError unless a player is to move in a position of this game, the one named."""
    if type(position) is not type(start) or position.start() != start:
        raise ValueError(f"its position is not one of {title(start)}")
    if position.is_terminal() or position.to_move == CHANCE:
        raise ValueError("no player is to move in its position")
    if data["to_move"] != position.to_move or isinstance(data["to_move"], bool | float):
        shown = shortened(str(data["to_move"]))
        raise ValueError(f"its to_move must be {position.to_move}, not {shown}")
    if data["moves"] is not None and start.after(data["moves"]) != position:
        raise ValueError("its moves do not lead to its position")


def _kinship(data: dict[str, Any]) -> tuple[str, str]:
    """Returns the id of the original, and the kind of the item."""
    name, twin = _text(data, "id"), data["twin"]
    if twin is None:
        return name, ORIGINAL
    if not isinstance(twin, dict) or twin.get("kind") not in TWIN_KINDS:
        raise ValueError(f"its twin must be null or of a kind: {', '.join(TWIN_KINDS)}")
    if (original := _text(twin, "of")) == name:
        raise ValueError("it is given as a twin of itself")
    return original, twin["kind"]


def _values(data: dict[str, Any], position: Position) -> dict[int, MoveValue]:
    """Returns the value of each legal action."""
    names, values = [position.name(a) for a in position.legal_actions()], data["values"]
    if data["legal"] != names or not isinstance(values, dict) or set(values) != set(names):
        raise ValueError("its moves are not those that are legal in its position")
    for value in values.values():
        # A comparison, as integers can be too large for a float, and NaN is less than nothing.
        if not _is_number(value) or not abs(value) <= position.max_utility + SAME:
            raise ValueError(f"no move is worth {shortened(str(value))} in this game")
    actions = zip(position.legal_actions(), names, strict=True)
    return {action: MoveValue.of_value(float(values[name])) for action, name in actions}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_best(data: dict[str, Any], test: TestPosition) -> None:
    name = test.position.name
    regrets = {name(a): test.lost(a) for a in test.move_values}
    given = data["regrets"]
    if not isinstance(given, dict) or given.keys() != regrets.keys():
        raise ValueError("its regrets are not those of its moves")
    for value in given.values():
        if not _is_number(value):
            raise TypeError(f"its regrets must be numbers, not {shortened(str(value))}")
    follow = all(lost - SAME <= given[each] <= lost + SAME for each, lost in regrets.items())
    if data["best"] != [name(a) for a in test.right] or not follow:
        raise ValueError("its best moves and regrets do not follow from its values")


def clusters_of(items: Iterable[LoadedItem]) -> Iterator[int]:
    """Yields for each item the number of its original: twins depend on each other."""
    numbers: dict[str, int] = {}
    for item in items:
        yield numbers.setdefault(item.original, len(numbers))
