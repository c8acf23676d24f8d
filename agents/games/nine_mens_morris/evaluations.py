"""Evaluates Nine Men's Morris by men, mills, rows of two and moves; symmetries of the board."""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, lowest
from adv_envs.games.nine_mens_morris import (
    BESIDE,
    FLY_FROM,
    GRID,
    MILLS,
    POINTS,
    NineMensMorris,
    closes,
)
from adv_envs.jit import kernel
from agents.symmetries import Symmetries, inverse_turn, moved

# ---- evaluations

MAN, MILL, PAIR, MOVE = 1.0, 0.15, 0.25, 0.08
"""What a man, a mill, a row with two own men and an empty point, and a move are worth."""

FREE = 10
"""As many moves count for a player who flies."""

SCALE = 0.15
"""What a man is as a share of a win."""

ROWS = tuple(sum(1 << point for point in mill) for mill in MILLS)
"""The points of each row of three, as a set."""


@kernel
def structure(position: NineMensMorris) -> float:
    """Returns the lead in men, mills, rows of two that can become mills, and moves.

    A man that is about to be taken counts as taken.
    """
    own, opp = position.own, position.opp
    empty = position.empty
    lead = side_value(own, opp, empty, position.flying, position.own_left)
    lead -= side_value(opp, own, empty, position.flying, position.opp_left)
    return SCALE * (lead + (MAN if position.taking else 0.0))


@kernel
def men(position: NineMensMorris) -> float:
    """Returns the lead in men, those in hand included. Antisymmetric."""
    own, opp = count(position.own) + position.own_left, count(position.opp) + position.opp_left
    return float(own - opp)


def side_value(own: int, opp: int, empty: int, flying: bool, left: int) -> float:
    """Returns the worth of a player's men."""
    number, mills, pairs = count(own), 0, 0
    for row in ROWS:
        inside = count(own & row)
        mills += inside == 3
        pairs += inside == 2 and empty & row != 0
    moves = 0
    if flying and number + left <= FLY_FROM:
        moves = FREE
    else:
        men = own
        while men != 0:
            moves += count(BESIDE[lowest(men)] & empty)
            men &= men - 1
    return MAN * (number + left) + MILL * mills + PAIR * pairs + MOVE * min(moves, 2 * FREE)


@kernel
def closing(position: NineMensMorris, action: int) -> float:
    """Returns 2 for a move that closes a mill, 1 for one that stops a mill, else 0."""
    end = action % POINTS
    if position.taking:
        return 0.0
    own = position.own
    if action >= POINTS:
        own &= ~(1 << action // POINTS - 1)
    if closes(own | 1 << end, end):
        return 2.0
    return 1.0 if closes(position.opp | 1 << end, end) else 0.0


@kernel
def lead(position: NineMensMorris, action: int) -> float:
    """Returns the worth of a man for moves that close a mill and those that take one, else 0."""
    if position.taking:
        return SCALE * MAN
    return SCALE * MAN if closing(position, action) == 2.0 else 0.0


def table_key(position: NineMensMorris) -> NineMensMorris:
    """Returns the position without the count of quiet moves and without who of the two moves."""
    return NineMensMorris(
        position.men,
        position.flying,
        position.draw_moves,
        position.own,
        position.opp,
        position.own_left,
        position.opp_left,
        position.taking,
        0,
        0,
    )


# ---- symmetries

TURNS = 8
"""Turns and reflections; as many again exchange the inner and the outer square."""


def image_of_place(row: int, column: int, image: int) -> tuple[int, int]:
    """Returns where an image takes a place of the grid."""
    row, column = moved(row, column, 7, 7, image % TURNS)
    if image < TURNS:
        return row, column
    ring = max(abs(row - 3), abs(column - 3))
    return tuple(3 + (i - 3) // ring * (4 - ring) for i in (row, column))  # type: ignore[return-value]


IMAGES = tuple(
    GRID.index(image_of_place(*place, image)) for image in range(2 * TURNS) for place in GRID
)
"""By 24 times the number of an image and a point, the point to which it is taken."""


def image_points(points: int, image: int) -> int:
    """Returns the points to which an image takes some."""
    found = 0
    while points != 0:
        found |= 1 << IMAGES[POINTS * image + lowest(points)]
        points &= points - 1
    return found


def whole_image(position: Any, image: int) -> Any:
    """Returns the image of a position: turned, reflected, or the squares exchanged."""
    return NineMensMorris(
        position.men,
        position.flying,
        position.draw_moves,
        image_points(position.own, image),
        image_points(position.opp, image),
        position.own_left,
        position.opp_left,
        position.taking,
        position.quiet,
        position.turn,
    )


def image_action(position: Any, action: int, image: int) -> int:
    """Returns the action with its points taken as ``image`` takes them."""
    end = IMAGES[POINTS * image + action % POINTS]
    if action < POINTS:
        return end
    return POINTS + POINTS * IMAGES[POINTS * image + action // POINTS - 1] + end


def inverse_image(position: Any, image: int) -> int:
    """Returns the number of the image that leads back."""
    return inverse_turn(position, image % TURNS) + image // TURNS * TURNS


def sixteen(position: Any) -> int:
    """Returns 16: turns and reflections, with and without the squares exchanged."""
    return 2 * TURNS


SYMMETRIES = Symmetries(sixteen, whole_image, image_action, inverse_image)
"""The symmetries of the board."""
