"""Makes the twins of items: the same question in another form, of equal value by construction.

A twin is *mirrored* or *rotated*, an image under the symmetries of the game; *exchanged*, with the
players in each other's place; or *renamed*, the same position with other names of cells and pieces.
An item has one of each kind that there is: games without a symmetry have no such twins, and a
position that is its own image has none of that kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from adv_envs import Position
from adv_envs.position import checked
from adv_envs.text.renaming import Renaming, draw_renaming, renamed, why_not_renamed
from agents.knowledge import knowledge_of

from .item_records import move_data, position_data

RENAMED = "renamed"
TWIN_KINDS = "mirrored", "rotated", "exchanged", "image", RENAMED
"""The kinds of twins; "image" for symmetries without a name."""


class Twin(NamedTuple):
    """Holds a position of the same value as another one, and the map of their actions."""

    kind: str
    """One of TWIN_KINDS."""
    position: Position
    image_action: Callable[[Position, int], int]
    """The action here for one in the other position, or in one that follows it."""
    renaming: Renaming | None = None

    def image_line(self, position: Position, line: Sequence[int]) -> list[int]:
        """Returns the actions here of a line of play from the other ``position``."""
        actions = []
        for action in line:
            actions.append(self.image_action(position, action))
            position = position.play(action)
        return actions


def symmetry_twins(position: Position) -> Iterator[Twin]:
    """Yields every other position that is an image of ``position``, its players exchanged or not.

    They differ from each other. That with its players exchanged is not turned as well.
    """
    position = checked(position)
    known, seen = knowledge_of(position), {position}
    symmetries, exchange = known.symmetries, known.exchange
    for i in range(1, 1 if symmetries is None else symmetries.num_images(position)):
        assert symmetries is not None  # it has images
        image = symmetries.playable(position, i)
        if image not in seen:
            seen.add(image)
            yield Twin(symmetries.kind(i), image, _by_number(symmetries.image_action, i))
    if exchange is not None and (image := exchange.image(position)) not in (None, *seen):
        yield Twin("exchanged", image, exchange.image_action)


def _by_number(
    image_action: Callable[[Any, int, int], int], i: int
) -> Callable[[Position, int], int]:
    return lambda position, action: image_action(position, action, i)


def renamed_twin(position: Position, rng: random.Random) -> Twin | None:
    """Returns the position with other names of its cells and pieces; None where that is unsound."""
    if why_not_renamed(position.start()):
        return None
    try:
        renaming = draw_renaming(position.start(), rng)
    except ValueError:  # the board is too wide
        return None
    return Twin(RENAMED, renamed(position, renaming), lambda _, action: action, renaming)


def twins_of(position: Position, rng: random.Random) -> list[Twin]:
    """Returns a twin of each kind that the position has; ``rng`` chooses among several."""
    by_kind: dict[str, list[Twin]] = {}
    for twin in symmetry_twins(position):
        by_kind.setdefault(twin.kind, []).append(twin)
    chosen = [rng.choice(by_kind[kind]) for kind in TWIN_KINDS if kind in by_kind]
    other_names = renamed_twin(position, rng)
    return chosen + ([] if other_names is None else [other_names])


def item_twins(
    item: dict[str, Any], position: Position, line: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Yields the twins of an ``item`` as items of the same form; ``line`` is its best play."""
    by_name = {position.name(action): action for action in position.legal_actions()}
    for twin in twins_of(position, random.Random(f"{item['id']} twins")):
        there = {name: twin.image_action(position, action) for name, action in by_name.items()}
        values = {there[name]: value for name, value in item["values"].items()}
        names = {name: twin.position.name(action) for name, action in there.items()}
        yield {
            **item,
            "id": f"{item['id']}-{twin.kind}",
            "twin": {
                "kind": twin.kind,
                "of": item["id"],
                "moves": names,
                "renaming": None if twin.renaming is None else twin.renaming.to_dict(),
            },
            **position_data(twin.position, None),
            **move_data(twin.position, values, twin.image_line(position, line)),
        }
