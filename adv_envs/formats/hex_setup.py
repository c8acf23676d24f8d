"""Positions of Hex from stones alone, as set-ups, puzzles and other programs describe them.

In a game that began with the empty board, the numbers of stones tell whose turn it is. In a puzzle
they need not: it may show one black stone among ten white ones, with White to move. Rules and
searches go on from there all the same, since neither counts stones.
"""

from __future__ import annotations

from collections.abc import Iterable

from adv_envs.games.hex import Hex

Cell = tuple[int, int]
"""(row, column), from 0; row 0 is at the top."""

COLOURS = "black", "white"
"""The names of player 0, who connects top and bottom, and of player 1 in other programs."""


def set_up(
    size: int,
    black: Iterable[Cell],
    white: Iterable[Cell],
    to_move: int | None = None,
    swap: bool = False,
) -> Hex:
    """The position with these stones and with player ``to_move`` to move.

    Any set of stones is allowed. If a game can reach them, this is the position of that game;
    otherwise it is one without the swap. By default the player with fewer stones is to move, Black
    if both have equally many, and the loser in a won position. Raises ValueError for cells off the
    board, for two stones in a cell, and if the winner would be to move.
    """
    start = Hex(size, swap)
    cells = [_checked(start, black), _checked(start, white)]
    if both := cells[0] & cells[1]:
        name = start.cell_name(*min(both))
        raise ValueError(f"{name} cannot hold a black and a white stone at once")
    stones = [sum(1 << start.bit(*cell) for cell in own) for own in cells]
    plain = Hex(size, False, stones[0], stones[1], 0, 0, False, 0)
    joined = [plain.joined_stones(player) for player in (0, 1)]
    winner = next((player for player in (0, 1) if plain.joins(joined[player], player)), None)
    if to_move is None:
        to_move = int(len(cells[0]) > len(cells[1])) if winner is None else 1 - winner
    if to_move == winner:
        raise ValueError(f"{COLOURS[winner]} has won: {COLOURS[1 - winner]} is to move, not they")
    placed = len(cells[0]) + len(cells[1])
    ply = placed + (placed % 2 != to_move)  # one more than stones, as where somebody has swapped
    swap = swap and (ply != 1 or len(cells[0]) == 1)  # at ply 1 there is a black stone to take over
    own, opp = (0, 1) if to_move == 0 else (1, 0)
    return Hex(
        size, swap, stones[own], stones[opp], joined[own], joined[opp], winner is not None, ply
    )


def stones(position: Hex, player: int) -> list[Cell]:
    """The cells with stones of ``player``, row by row."""
    cells = [(row, column) for row in range(position.size) for column in range(position.size)]
    return [cell for cell in cells if position.cell(*cell) == player]


def turned(position: Hex, player: int) -> Hex:
    """The same stones with ``player`` to move; ValueError if ``player`` has won."""
    if position.to_move == player:
        return position
    return set_up(position.size, stones(position, 0), stones(position, 1), player, position.swap)


def _checked(start: Hex, cells: Iterable[Cell]) -> set[Cell]:
    found = set(cells)
    for row, column in found:
        if not (0 <= row < start.size and 0 <= column < start.size):
            last = start.cell_name(start.size - 1, start.size - 1)
            raise ValueError(f"row {row}, column {column} is off the board, which ends at {last}")
    return found
