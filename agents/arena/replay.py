"""Games as pictures to step through, in little room: what changes on the board from move to move.

``replays(start, records)`` is plain data for JSON. A picture is a list of shapes, and these are
numbers of ``shapes``, pieces of SVG that all pictures share. Each move is a list of changes
[at, how many go, shapes that come ...], made one after another as JavaScript's ``splice`` does. A
game of Hex on 7 x 7 takes about 4 kB.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from adv_envs import Position
from adv_envs.pictures import draw
from adv_envs.pictures.shapes import Drawing, Shape
from adv_envs.pictures.svg import element

from .record import GameRecord

GAMES, SHAPES = 400, 400_000
"""No more games can be stepped through, and none once so many shapes have been drawn, which takes
some seconds: 400 games of tic-tac-toe, 250 of Connect Four, 100 of Hex on 7 x 7."""

Picture = list[int]
Change = list[int]


def replays(
    start: Position, records: Sequence[GameRecord], games: int = GAMES, shapes: int = SHAPES
) -> dict[str, Any]:
    """The pictures of the first games of every two agents, and before them of all that went wrong.

    ``games`` of them at most, of at most ``shapes`` in all pictures. By the number of a game: the
    names of its moves, and what changes with each, the start itself being first.
    """
    film, nothing = Film(), list[int]()
    chosen: dict[str, Any] = {}
    plies = shapes // max(len(film.picture(start, None)), 1)
    for record in _in_order(records):
        actions = (*record.opening, *record.actions)
        if len(chosen) == games or plies < len(actions):
            break
        plies -= len(actions)
        position, before = start, film.picture(start, None)
        changes, names = [changes_between(nothing, before)], []
        for action in actions:
            names.append(position.name(action))
            position = position.play(action)
            after = film.picture(position, action)
            changes.append(changes_between(before, after))
            before = after
        chosen[str(record.number)] = {"moves": names, "changes": changes}
    return {"box": film.box, "shapes": film.shapes, "games": chosen}


def _in_order(records: Iterable[GameRecord]) -> list[GameRecord]:
    """Games that went wrong, then those of every two agents in turns."""
    seen: dict[frozenset[str], int] = defaultdict(int)
    order = []
    for record in sorted(records, key=lambda record: record.number):
        players = frozenset(record.players)
        order.append((not record.reason, seen[players] // 2, record.number, record))
        seen[players] += 1
    return [record for *_, record in sorted(order, key=lambda item: item[:3])]


class Film:
    """Pictures of one game, whose shapes are kept once."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        """The SVG of each."""
        self._numbers: dict[Shape, int] = {}
        self._pictures: dict[tuple[Position, int | None], Picture] = {}
        self._box = [0.0, 0.0, 0.0, 0.0]  # left, top, right, bottom

    @property
    def box(self) -> list[float]:
        """What all pictures lie in: x, y, width and height."""
        left, top, right, bottom = self._box
        return [left, top, right - left, bottom - top]

    def picture(self, position: Position, last: int | None) -> Picture:
        """The numbers of its shapes, from the lowest to the topmost."""
        found = self._pictures.get((position, last))
        if found is None:
            found = self._pictures[position, last] = self._draw(draw(position, last))
        return found

    def _draw(self, drawing: Drawing) -> Picture:
        new = [shape for shape in dict.fromkeys(drawing.shapes) if shape not in self._numbers]
        for shape in new:
            self._numbers[shape] = len(self.shapes)
            self.shapes.append(element(shape))
        right, bottom = drawing.x + drawing.width, drawing.y + drawing.height
        if self._box[0] == self._box[2]:
            self._box = [drawing.x, drawing.y, right, bottom]
        low = [min(a, b) for a, b in zip(self._box[:2], (drawing.x, drawing.y), strict=True)]
        high = [max(a, b) for a, b in zip(self._box[2:], (right, bottom), strict=True)]
        self._box = [*low, *high]
        return [self._numbers[shape] for shape in drawing.shapes]


def changes_between(old: Picture, new: Picture) -> list[Change]:
    """What makes ``new`` of ``old``: splices, each on the result of the one before."""
    staying = set(old) & set(new)
    kept = [shape for shape in old if shape in staying]
    if kept != [shape for shape in new if shape in staying]:  # moved, or there more than once
        return [[0, len(old), *new]]
    changes: list[Change] = []
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
            continue
        change = [j, 0]
        while i < len(old) and old[i] not in staying:
            change[1] += 1
            i += 1
        while j < len(new) and new[j] not in staying:
            change.append(new[j])
            j += 1
        changes.append(change)
    return changes
