"""Numbers the positions of animal shogi: each arrangement of the pieces, seen by who is to move.

Both lions are on the board. A position and its mirror image have the same number, that of the one
with the smaller. First comes which *class* a position is of: how many giraffes, elephants and
chicks (hens among them) are on the board, 0 to 2 of each. Within the class the number is a mixed
one, from the most significant digit on: the place of the lion to move, 0 to 7, as a mirror image
has it in the first or second column; that of the other lion, 0 to 10; then for each kind the cells
that it has among those still free, and the owners, forms and hands that go with them.
"""

from __future__ import annotations

from itertools import product
from math import comb
from typing import NamedTuple

from adv_envs.bits import count, lowest
from adv_envs.games.animal_shogi import ALL, AnimalShogi
from adv_envs.jit import kernel

LIONS = 8 * 11
"""The places of two lions, the first of them not in the last column."""


class Pieces(NamedTuple):
    """Holds the pieces of a position as ``AnimalShogi`` does."""

    own: int
    opp: int
    chicks: int  # hens not among them
    elephants: int
    giraffes: int
    hens: int
    hands: int


def class_sizes() -> list[int]:
    """Returns how many numbers each class has, by 9 * giraffes + 3 * elephants + chicks."""
    sizes = []
    for giraffes, elephants, chicks in product(range(3), repeat=3):
        cells, size = 10, LIONS
        for number, kinds in ((giraffes, 2), (elephants, 2), (chicks, 4)):
            size *= comb(cells, number) * kinds**number * (3 - number)
            cells -= number
        sizes.append(size)
    return sizes


FIRST = tuple(sum(class_sizes()[:i]) for i in range(28))
"""The first number of each class, and the number of all."""
SIZE = FIRST[27]


def mirrored(cells: int) -> int:
    """Returns the set with left and right exchanged."""
    return (cells & 0o1111) << 2 | cells & 0o2222 | cells >> 2 & 0o1111


@kernel
def mirror_image(p: Pieces) -> Pieces:
    """Returns the mirror image of a position."""
    return Pieces(
        mirrored(p.own), mirrored(p.opp), mirrored(p.chicks), mirrored(p.elephants),
        mirrored(p.giraffes), mirrored(p.hens), p.hands,
    )  # fmt: skip


# ---- from pieces to numbers


def rank(cell: int, free: int) -> int:
    """Returns how many of the ``free`` cells come before a cell, a set of one."""
    return count(free & cell - 1)


def placed(number: int, cells: int, free: int, opp: int, hens: int, mine: int, kinds: int) -> int:
    """Adds to a number the digits of one kind, whose pieces on the board are ``cells``.

    ``kinds`` is 2 where pieces differ in the owner only and 4 where some are ``hens``; ``mine`` is
    how many the player to move holds.
    """
    held = 3 - count(cells)
    if cells == 0:
        return number * 3 + mine
    room = count(free)
    low = cells & -cells
    form = (opp & low != 0) + 2 * (hens & low != 0)
    if cells == low:
        return ((number * room + rank(low, free)) * kinds + form) * held + mine
    high = cells ^ low
    form += kinds * ((opp & high != 0) + 2 * (hens & high != 0))
    above = rank(high, free)
    place = above * (above - 1) // 2 + rank(low, free)
    return (number * (room * (room - 1) // 2) + place) * (kinds * kinds) + form


@kernel
def number_as_is(p: Pieces) -> int:
    """Returns the number of a position whose lion to move is not in the last column."""
    pieces, chicks = p.own | p.opp, p.chicks | p.hens
    lions = pieces & ~(chicks | p.elephants | p.giraffes)
    mine, theirs = lowest(lions & p.own), lions & p.opp
    free = ALL & ~lions
    number = (2 * (mine // 3) + mine % 3) * 11 + count(theirs - 1 & ~(1 << mine))
    number = placed(number, p.giraffes, free, p.opp, 0, p.hands >> 4 & 3, 2)
    free &= ~p.giraffes
    number = placed(number, p.elephants, free, p.opp, 0, p.hands >> 2 & 3, 2)
    free &= ~p.elephants
    number = placed(number, chicks, free, p.opp, p.hens, p.hands & 3, 4)
    return FIRST[9 * count(p.giraffes) + 3 * count(p.elephants) + count(chicks)] + number


@kernel
def number_of(p: Pieces) -> tuple[int, int, int]:
    """Returns (number, side, symmetric).

    ``side`` is 0 if the number is that of the position itself, 1 if that of its mirror image;
    ``symmetric`` is 1 if both are the same.
    """
    lion = p.own & ~(p.chicks | p.hens | p.elephants | p.giraffes)
    if lion & 0o1111 != 0:
        return number_as_is(p), 0, 0
    other = number_as_is(mirror_image(p))
    if lion & 0o4444 != 0:
        return other, 1, 0
    number = number_as_is(p)
    return min(number, other), int(other < number), int(other == number)


# ---- and back


def nth_free(n: int, free: int) -> int:
    """Returns the n-th of the ``free`` cells, from 0, as a set."""
    for _ in range(n):
        free &= free - 1
    return free & -free


@kernel
def pair_of(digits: int, number: int, free: int, kinds: int) -> tuple[int, int, int, int]:
    """Returns (cells, those of the opponent, hens, in the own hand) of the digits of one kind."""
    if number == 0:
        return 0, 0, 0, digits
    mine, form = 0, digits
    if number == 1:
        mine, form = digits % 2, digits // 2
        low, high = nth_free(form // kinds, free), 0
        form = form % kinds
    else:
        place, form = form // (kinds * kinds), form % (kinds * kinds)
        above = 1
        while (above + 1) * above // 2 <= place:
            above += 1
        low, high = nth_free(place - above * (above - 1) // 2, free), nth_free(above, free)
    opp, hens = low if form & 1 else 0, low if kinds == 4 and form & 2 else 0
    form //= kinds
    opp |= high if form & 1 else 0
    hens |= high if kinds == 4 and form & 2 else 0
    return low | high, opp, hens, mine


def digits_of(number: int, cells: int, kinds: int) -> int:
    """Returns how many digits ``number`` pieces of a kind have among free ``cells``."""
    if number == 0:
        return 3
    return 2 * cells * kinds if number == 1 else cells * (cells - 1) // 2 * kinds * kinds


@kernel
def pieces_of(number: int) -> Pieces:
    """Returns the position of a number; of a mirrored pair the one that has the number as it is."""
    kind = 0
    while FIRST[kind + 1] <= number:
        kind += 1
    number -= FIRST[kind]
    g, e, c = kind // 9, kind // 3 % 3, kind % 3
    sizes = digits_of(c, 10 - g - e, 4), digits_of(e, 10 - g, 2), digits_of(g, 10, 2)
    chick, number = number % sizes[0], number // sizes[0]
    elephant, number = number % sizes[1], number // sizes[1]
    giraffe, number = number % sizes[2], number // sizes[2]
    mine = number // 11 // 2 * 3 + number // 11 % 2
    lion, theirs = 1 << mine, 1 << number % 11 + (number % 11 >= mine)
    free = ALL & ~(lion | theirs)
    giraffes, opp_g, _, held_g = pair_of(giraffe, g, free, 2)
    free &= ~giraffes
    elephants, opp_e, _, held_e = pair_of(elephant, e, free, 2)
    free &= ~elephants
    chicks, opp_c, hens, held_c = pair_of(chick, c, free, 4)
    opp = theirs | opp_g | opp_e | opp_c
    own = (lion | giraffes | elephants | chicks) & ~opp
    hands = held_c | held_e << 2 | held_g << 4
    held = (2 - c - held_c) | (2 - e - held_e) << 2 | (2 - g - held_g) << 4
    return Pieces(own, opp, chicks & ~hens, elephants, giraffes, hens, hands | held << 6)


def pieces_in(position: AnimalShogi) -> Pieces:
    """Returns the pieces of an ``AnimalShogi``, whatever its past."""
    return Pieces(
        position.own, position.opp, position.chicks, position.elephants, position.giraffes,
        position.hens, position.hands,
    )  # fmt: skip
