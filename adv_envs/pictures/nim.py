"""Draws Nim: heaps of round stones; the stones that the last move took are rings."""

from __future__ import annotations

from adv_envs.games.nim import Nim

from . import palette
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Circle, Drawing, Shape, Text

STEP = 36  # from one stone to the next
RADIUS = 14
SMALL = 4, palette.BLACK, palette.BLACK_RIM, 0.8  # a stone of a miniature


def draw(position: Nim, last: int | None = None) -> Drawing:
    """Draws a row for each heap, with its letter, and a ring for each stone just taken."""
    shapes: list[Shape] = []
    for heap in range(position.num_heaps):
        y = (heap + 0.5) * STEP
        shapes.append(Text(0, y, "abcdefgh"[heap], 15, palette.MUTED))
        taken = taken_by(position, last, heap)
        for i in range(position.size(heap) + taken):
            x = centre(i)
            if i < position.size(heap):
                shapes.append(Circle(x, y, RADIUS, palette.BLACK, palette.BLACK_RIM, 1.5))
            else:
                shapes.append(Circle(x, y, RADIUS - 2, None, palette.GOLD, 2))
    box = (-10, 0, centre(position.largest - 1) + RADIUS, position.num_heaps * STEP)
    return card(shapes, box, outcome(position)[0])


def centre(i: int) -> float:
    """Returns where the i-th stone of a heap lies, from left to right."""
    return (i + 1) * STEP - 6


def taken_by(position: Nim, action: int | None, heap: int) -> int:
    """Returns how many stones ``action``, the latest move, can have taken from a heap."""
    if action is None or not 0 <= action < position.num_actions:
        return 0
    number = position.num_heaps
    taken = action // number + 1 if action % number == heap else 0
    return taken if position.size(heap) + taken <= position.start().size(heap) else 0


def places(position: Nim) -> dict[int, Place]:
    """Returns each move on the stone from which on, to the right, it takes all of a heap."""
    found, number = {}, position.num_heaps
    for action in position.legal_actions():
        heap, taken = action % number, action // number + 1
        at = centre(position.size(heap) - taken), (heap + 0.5) * STEP
        found[action] = Place(*at, RADIUS, "disc")
    return found


def clicks(position: Nim) -> dict[int, tuple[Target, ...]]:
    """Returns the same stone; all stones that the move takes are marked."""
    found: dict[int, tuple[Target, ...]] = {}
    for action, place in places(position).items():
        more = action // position.num_heaps  # stones to the right
        taken = Target(place.x + more * STEP / 2, place.y, (more + 1) * STEP / 2 - 2, STEP / 2 - 2)
        found[action] = (Target(place.x, place.y, STEP / 2, STEP / 2, shown=taken),)
    return found


def miniature(position: Nim) -> Miniature:
    """Returns the stones that are left."""
    step = 10.0
    width, height = position.largest * step, position.num_heaps * step
    shapes: list[Shape] = [
        Circle((i + 0.5) * step - width / 2, (heap + 0.5) * step - height / 2, *SMALL)
        for heap in range(position.num_heaps)
        for i in range(position.size(heap))
    ]
    return Miniature(width, height, shapes)


register_picture(Nim, Picture(draw=draw, places=places, clicks=clicks, miniature=miniature))
