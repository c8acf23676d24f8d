"""Describes a position for a page: its picture as SVG shapes, and what can be clicked upon it.

This is what the browser's board (``static/board.js``) is given, by ``adv-envs serve`` and by the
widget of notebooks alike. Its colours are those of ``svg.palette_rules``, which the page has once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adv_envs.position import Position

from .heat import heat_map_of
from .picture import MARGIN, Target, clicks, sided
from .svg import shapes_text

CLOSE = 6
"""The margin of a picture on a page, which has margins of its own."""


def clickable(
    position: Position,
    last: int | None = None,
    *,
    flipped: bool = False,
    values: Mapping[int, float] | None = None,
    playable: bool = True,
) -> dict[str, Any]:
    """Returns the picture of ``position`` and the places to click, as plain data for JSON.

    ``last`` is the action to mark as the latest move, ``values`` are drawn as a heat map, and
    without ``playable`` nothing can be clicked. The keys are

    - "box": left, top, width and height of the visible part, in the picture's units;
    - "title": the position in words, which the picture itself does not show;
    - "shapes": SVG elements as text, a line each, the first "own" are the picture and the others
      the heat map; "last": as given;
    - "targets": [x, y, half width, half height, form, label, shown] for each thing to be clicked:
      a ``Target``, where "shown" is None or what is marked instead, [x, y, half width, half height,
      form];
    - "actions": [action, name, targets, label] for each legal action, where targets are indices
      into "targets", in the order of the clicks; none for actions that have no place. The label is
      the name unless that would be cryptic on a button.

    ValueError for values that cannot be drawn, see ``heat_map``.
    """
    picture = sided(position, flipped)
    drawing = picture.draw(position, last).without_caption()
    own = len(drawing.shapes)
    if values:
        drawing = heat_map_of(position, values, drawing, picture.places(position))
    drawing = drawing.trimmed(MARGIN - CLOSE)
    numbers: dict[tuple[Any, ...], int] = {}
    targets: list[list[Any]] = []
    actions = []
    if playable and not position.is_terminal():
        found, labels = clicks(position, flipped), picture.labels(position)
        for action in position.legal_actions():
            ways = [number_of(target, numbers, targets) for target in found.get(action, ())]
            name = position.name(action)
            actions.append([action, name, ways, labels.get(action, name)])
    return {
        "box": [drawing.x, drawing.y, drawing.width, drawing.height],
        "title": drawing.title,
        "shapes": shapes_text(drawing),
        "own": own,
        "last": last,
        "targets": targets,
        "actions": actions,
    }


def number_of(target: Target, numbers: dict[tuple[Any, ...], int], found: list[list[Any]]) -> int:
    """Returns the index of a target in ``found``, to which it is added if it is new."""
    key = area(target)
    if key not in numbers:
        numbers[key] = len(found)
        shown = None if target.shown is None else list(area(target.shown))
        found.append([*key, target.label, shown])
    return numbers[key]


def area(target: Target) -> tuple[Any, ...]:
    """Returns where a target lies, and its form."""
    x, y, wide, high = (round(length, 1) for length in target[:4])
    return x, y, wide, high, target.form
