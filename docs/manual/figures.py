"""Figures of the manual: the numbers of actions on a board, and the planes of an observation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.pictures import draw, palette, places
from adv_envs.pictures.shapes import Drawing, Line, Polygon, Rect, Shape, Text
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


# ---- boxes and arrows

Box = tuple[float, float, float, float, str, str]
"""Left, top, width and height, what it is called, and what is in it; lines end with a newline."""


def diagram(boxes: Sequence[Box], arrows: Sequence[tuple[int, int]], title: str) -> str:
    """Boxes, and arrows from one to another, given by their indices, as SVG."""
    shapes: list[Shape] = []
    for start, end in arrows:
        shapes += arrow(boxes[start], boxes[end])
    for left, top, width, height, name, text in boxes:
        shapes.append(Rect(left, top, width, height, 8, palette.CELL, palette.GRID, 1.4))
        shapes.append(Text(left + width / 2, top + 17, name, 14, palette.INK))
        for i, line in enumerate(text.splitlines()):
            shapes.append(Text(left + width / 2, top + 39 + 17 * i, line, 12, palette.MUTED))
    right = max(left + width for left, _, width, *_ in boxes)
    bottom = max(top + height for _, top, _, height, *_ in boxes)
    return to_svg(Drawing(-16, -14, round(right + 32), round(bottom + 28), title, shapes))


def arrow(start: Box, end: Box) -> list[Shape]:
    """An arrow from the lower edge of a box to the upper edge of one below it, or from its side."""
    left, top, width, height, *_ = start
    x, y, wide, high, *_ = end
    if y >= top + height:
        tail, head = (left + width / 2, top + height), (x + wide / 2, y - 2)
        tip = ((head[0], head[1]), (head[0] - 5, head[1] - 9), (head[0] + 5, head[1] - 9))
    else:
        tail, head = (left + width, top + height / 2), (x - 2, y + high / 2)
        tip = ((head[0], head[1]), (head[0] - 9, head[1] - 5), (head[0] - 9, head[1] + 5))
    return [Line((tail, head), palette.MUTED, 1.6), Polygon(tip, palette.MUTED)]


def one_source() -> str:
    """How the rules of a game are run."""
    boxes: list[Box] = [
        (210, 0, 260, 66, "adv_envs/games/hex.py", "one class: legal, play, is_terminal, ..."),
        (0, 130, 200, 84, "plain Python", "AEC and Gymnasium,\npage, debugger"),
        (240, 130, 200, 84, "compiled, one game", "kernels of searches, MCTS,\nsolvers: Numba"),
        (480, 130, 200, 84, "compiled, n games", "Boards, vector\nenvironments: threads"),
        (120, 280, 440, 66, "the laws", "all answers are compared, on random games of every game"),
    ]
    arrows = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]
    return diagram(boxes, arrows, "One source of rules runs plainly, compiled and in batches")


def cache() -> str:
    """How compiled code is found again."""
    boxes: list[Box] = [
        (0, 0, 210, 84, "kernel and rules", "code and constants of all\nthat is reached"),
        (270, 0, 170, 84, "fingerprint", "SHA-256: the\nname of the file"),
        (500, 0, 190, 84, "file", "checksum verified,\nthen loaded"),
        (500, 140, 190, 66, "compile", "no file of that name"),
        (0, 140, 210, 84, "versions", "Python, Numba, processor,\nthe compiler's own code"),
    ]
    return diagram(
        boxes, [(0, 1), (4, 1), (1, 2), (2, 3)], "Compiled code is found by a fingerprint"
    )


def rooms() -> str:
    """Which packages import which."""
    boxes: list[Box] = [
        (
            0,
            0,
            680,
            66,
            "agents",
            "searches, solvers, tournaments, report cards, protocols, pages",
        ),
        (0, 130, 150, 66, "envs", "AEC, Gymnasium"),
        (177, 130, 150, 66, "batch", "n games at once"),
        (353, 130, 150, 66, "pictures", "one file a game"),
        (530, 130, 150, 66, "jit", "knows Numba"),
        (177, 260, 326, 66, "games", "rules, one file a game"),
        (177, 390, 326, 66, "position, bits, random", "the contract"),
    ]
    arrows = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 5), (2, 5), (3, 5), (5, 6)]
    return diagram(boxes, arrows, "Imports run one way")


FIGURES = {"one_source": one_source, "cache": cache, "rooms": rooms}
"""Figures that pages name, as in ``<!-- figure: cache -->``."""
