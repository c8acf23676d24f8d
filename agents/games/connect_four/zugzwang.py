"""Threats in Connect Four, and who must in the end play below one.

A threat of a player is an empty cell that completes a row of theirs. Nobody likes to play below a
threat of the other, so at the end of a game only such cells are left, and whoever is to move then
loses: a zugzwang, which depends on how many other cells there are, hence on the parities of the
threats' rows. Sources: J. D. Allen, "The Complete Book of Connect 4", 2010; V. Allis, "A
Knowledge-based Approach of Connect-Four", 1988, where the second player's answer in the same column
is called claimeven.
"""

from __future__ import annotations

from adv_envs.bits import count


def nearly_rows(stones: int, empty: int, k: int, stride: int) -> tuple[int, int, int]:
    """(the threats; the numbers of rows of ``k`` that lack two and three of ``stones``).

    Rows are counted that have no cell but of ``stones`` and ``empty``, on the board of
    ``bits.has_line``: a set shifted by i steps shows at the first cell of each row what is on its
    i-th cell.
    """
    threats, lack_two, lack_three = 0, 0, 0
    for step in (1, stride, stride - 1, stride + 1):
        if (k - 1) * step >= 64:
            continue  # no room; and a compiled shift by 64 is a shift by 0
        rows, one, two, three, four = stones | empty, 0, 0, 0, 0  # at least so many are empty
        for i in range(k):
            here = empty >> i * step
            rows &= (stones | empty) >> i * step
            four |= three & here
            three |= two & here
            two |= one & here
            one |= here
        lack_two += count(rows & two & ~three)
        lack_three += count(rows & three & ~four)
        lacking_one = rows & one & ~two
        for i in range(k):
            threats |= (lacking_one & empty >> i * step) << i * step
    return threats, lack_two, lack_three


def zugzwang(own: int, opp: int, taken: int, floor: int, tops: int) -> tuple[int, bool]:
    """(1, -1 or 0: whether the mover wins if no threats arise but these; whether by force).

    ``own`` and ``opp`` are the threats of the player to move and of the other, ``taken`` the cells
    with stones, ``floor`` the lowest cells and ``tops`` those above the highest ones. It is by
    force if every move until then was to answer a threat. Otherwise both fill all cells that are
    not below a threat, in any order, as only their number matters; then whoever is to move gives up
    threats of their own, by playing below them, until they must play below one of the other's.
    """
    sign, forced = 1, True
    while True:
        playable = taken + floor  # the carry through each column ends at its first empty cell
        if own & playable != 0:
            return sign, forced
        answers = opp & playable
        if answers & (answers - 1) != 0:
            return -sign, forced
        if answers != 0:
            taken |= answers
        else:
            forced = False
            ends = ((own | opp) & ~taken) >> 1 | tops  # cells below threats, and no cells
            safe = (ends - playable) & ~ends  # in each column all below the first of them
            if safe != 0:
                taken |= safe
                if count(safe) % 2 == 0:
                    continue
            else:
                playable &= ~tops
                given_up = playable & own >> 1 & ~(opp >> 1)
                if given_up == 0:
                    return (0 if playable == 0 else -sign), forced
                given_up &= -given_up
                taken |= given_up | given_up << 1  # the other one answers
                continue
        sign, own, opp = -sign, opp, own
