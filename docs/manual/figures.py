"""Figures of the manual: the numbers of actions on a board, and the planes of an observation."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.pictures import draw, palette, places
from adv_envs.pictures.shapes import Drawing, Rect, Shape, Text
from adv_envs.pictures.svg import to_svg

MOST_PLANES = 24
"""Planes of an observation that are drawn."""
CELL, GAP = 13.0, 26.0


def numbered_actions(position: Position) -> str | None:
    """The picture of ``position`` with the number of each action at its place, as SVG.

    None for positions without places.
    """
    where = places(position)
    if not where:
        return None
    drawing = draw(position)
    shapes: list[Shape] = []
    for action, place in where.items():
        text = str(action)
        size = min(0.8 * place.high, 1.9 * place.half / (0.62 * len(text)), 15.0)
        shapes.append(place.outline(0.5, palette.HALO, palette.GRID, 1))
        shapes.append(Text(place.x, place.y, text, size, palette.INK))
    title = f"{drawing.title}: the numbers of the actions"
    return to_svg(drawing._replace(shapes=[*drawing.shapes, *shapes], title=title))


def drawn_planes(observed: NDArray[np.integer], high: NDArray[np.integer]) -> str:
    """The planes of an observation as SVG: the deeper a cell, the larger its number.

    ``observed`` and ``high``, the largest numbers there can be, have the same shape: (height,
    width, planes), or less. At most ``MOST_PLANES`` planes are drawn.
    """
    if observed.ndim == 1:
        observed, high = observed[None, :, None], high[None, :, None]
    elif observed.ndim == 2:
        observed, high = observed[:, :, None], high[:, :, None]
    rows, columns, planes = observed.shape
    shown = min(planes, MOST_PLANES)
    cell = min(CELL, 560 / columns)
    step_x, step_y = columns * cell + GAP, rows * cell + GAP
    across = max(1, min(shown, int(600 // step_x)))
    shapes: list[Shape] = []
    for plane in range(shown):
        left, top = plane % across * step_x, plane // across * step_y
        shapes.append(Text(left, top + 8, str(plane), 12, palette.MUTED, "start"))
        for row, column in product(range(rows), range(columns)):
            number, most = int(observed[row, column, plane]), int(high[row, column, plane])
            at = left + column * cell, top + 18 + row * cell
            shapes.append(Rect(*at, cell, cell, 0, palette.CELL, palette.GRID, 0.6))
            if number:
                side = cell * (0.45 + 0.4 * min(1.0, abs(number) / max(most, 1)))
                inset = (cell - side) / 2
                shapes.append(Rect(at[0] + inset, at[1] + inset, side, side, 1, palette.BLUE))
    width, height = across * step_x, -(-shown // across) * step_y
    title = f"The first {shown} of {planes} planes" if planes > shown else f"{shown} planes"
    return to_svg(Drawing(-14, -10, round(width + 10), round(height + 16), title, shapes))
