"""Best play after a proof, as far as the table of proof-number search remembers it."""

from __future__ import annotations

import numpy as np

from adv_envs import Position

from .proof_table import DISPROOF, PROOF, WORK, Table, find, recall

LONGEST = 512
"""Plies; where positions come again a line might never end."""


def best_play(position: Position, action: int, value: float, memory: Table) -> tuple[int, ...]:
    """The line that begins with ``action``; ``value`` is that of ``position`` for who moves there.

    Every move of it is proven to keep the value. Who wins takes the proof that was least work, who
    cannot change the value the defence that was most. It ends with the game, or where the table
    has forgotten the next move.
    """
    player, most = position.to_move, float(position.max_utility)
    line = [action]
    position = position.play(action)
    while not position.is_terminal() and len(line) < LONGEST:
        mine = position.to_move == player
        idle = value == (-most if mine else most)  # nothing changes the value for the worse
        works = {}
        for choice in position.legal_actions():
            low, high, work = known(position.play(choice), player, value, memory)
            if (low if mine else high) or (idle and work > 0):
                works[choice] = work
        if not works:
            break
        choose = max if idle else min
        line.append(choose(works, key=works.__getitem__))
        position = position.play(line[-1])
    return tuple(line)


def known(position: Position, player: int, value: float, memory: Table) -> tuple[bool, bool, int]:
    """(Whether ``player`` surely gets at least ``value``, and at most; the work that it took)."""
    if position.is_terminal():
        utility = position.utility(player)
        return utility >= value, utility <= value, 1
    entries, _, words = memory
    there, at = find.plain(position, entries, words)
    work = int(entries[at, WORK]) if there else 0
    least = recall.plain(position, float(np.nextafter(value, -np.inf)), memory)[PROOF] == 0
    return least, recall.plain(position, value, memory)[DISPROOF] == 0, work
