"""What connections alone say of a position, without any search: for whoever plays Hex.

    must_play(position)              # the cells that do not lose at once, as far as can be seen
    winner_by_connections(position)  # 0, 1, or None if that cannot be told

Kernels that need this for many positions call ``connections.h_search`` with a ``room`` of theirs.
"""

from __future__ import annotations

from adv_envs import Hex

from .board import require_board, rules, stones_of
from .connections import JOINED, NOTHING, SEMI, SEMIS, THREAT, h_search, room


def winner_by_connections(position: Hex) -> int | None:
    """The player whose edges are virtually connected, whoever is to move; None if none is known.

    For the player to move a semi-connection is enough. Sound, not complete: who is named wins.
    Raises TypeError or ValueError for boards that the engine cannot take.
    """
    if position.is_terminal():
        return 1 - position.to_move
    for player, enough in ((position.to_move, THREAT), (1 - position.to_move, JOINED)):
        if connections(position, player, enough)[0] >= enough:
            return player
    return None


def must_play(position: Hex) -> list[int]:
    """The empty cells on which the player to move has to set a stone: all others lose at once.

    Empty if every move loses; of an unfinished game that the opponent does not threaten to win,
    all empty cells. Raises TypeError or ValueError for boards that the engine cannot take.
    """
    if position.is_terminal():
        return []
    found, carriers = connections(position, 1 - position.to_move, JOINED)
    if found == JOINED:
        return []
    zero, one = stones_of(position)
    cells = [cell for cell in range(position.size**2) if not (zero | one) >> cell & 1]
    return [cell for cell in cells if all(carrier >> cell & 1 for carrier in carriers)]


def connections(position: Hex, player: int, enough: int = JOINED) -> tuple[int, list[int]]:
    """What H-search finds for ``player`` in an unfinished game.

    Returns NOTHING, THREAT or JOINED for their edges, where the search ends as soon as it is
    ``enough``, and the carriers of their semi-connections, as sets of cells.
    """
    require_board(position, "h_search")
    size, space = position.size, room(position.size)
    stones = stones_of(position)
    found = h_search(
        stones[player], stones[1 - player], player, size, enough, rules(size)[1], space
    )
    if found == NOTHING:
        return NOTHING, []
    row = space[0][size * size * (size * size + 2) + size * size + 1]
    return found, [int(carrier) for carrier in row[SEMI : SEMI + row[SEMIS]]]
