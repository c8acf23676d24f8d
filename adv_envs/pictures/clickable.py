"""A position as data for a page: its picture as SVG shapes, and what can be clicked upon it.

This is what the browser's board (``static/board.js``) is given, by ``adv-envs serve`` and by the
widget of notebooks alike. Its colours are those of ``svg.palette_rules``, which the page has once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adv_envs.position import Position

from .heat import heat_map_of
from .picture import Place, clicks, sided
from .svg import shapes_text


def clickable(
    position: Position,
    last: int | None = None,
    *,
    flipped: bool = False,
    values: Mapping[int, float] | None = None,
    playable: bool = True,
) -> dict[str, Any]:
    """The picture of ``position`` and the places to click, as plain data for JSON.

    ``last`` is the action to mark as the latest move, ``values`` are drawn as a heat map, and
    without ``playable`` nothing can be clicked. The keys are

    - "box": left, top, width and height of the visible part, in the picture's units;
    - "title": the position in words; "shapes": SVG elements as text;
    - "targets": a list of [x, y, half width, half height, form] for each thing to be clicked, where
      form is that of ``Place``;
    - "actions": a list of [action, name, targets] for each legal action, where targets are indices
      into "targets", in the order of the clicks; none for actions that have no place.

    ValueError for values that cannot be drawn, see ``heat_map``.
    """
    picture = sided(position, flipped)
    drawing = picture.draw(position, last)
    if values:
        drawing = heat_map_of(position, values, drawing, picture.places(position))
    targets: dict[tuple[Any, ...], int] = {}
    actions = []
    if playable and not position.is_terminal():
        found = clicks(position, flipped)
        for action in position.legal_actions():
            ways = [number_of(place, targets) for place in found.get(action, ())]
            actions.append([action, position.name(action), ways])
    return {
        "box": [drawing.x, drawing.y, drawing.width, drawing.height],
        "title": drawing.title,
        "shapes": shapes_text(drawing),
        "targets": [list(target) for target in targets],
        "actions": actions,
    }


def number_of(place: Place, targets: dict[tuple[Any, ...], int]) -> int:
    """The index of a place among the targets, which gets it if it is new."""
    target = (
        round(place.x, 1), round(place.y, 1), round(place.half, 1), round(place.high, 1), place.form
    )  # fmt: skip
    return targets.setdefault(target, len(targets))
