"""Plays Hex as a first attempt often does: paths are counted in cells, own stones among them.

So a path through own stones is no better than one through empty cells, and the evaluation sees only
what blocks. Connected stones are right, but not used.
"""

from math import inf

from adv_envs import Hex

STEPS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))


def neighbours(position: Hex, cell: tuple[int, int]) -> list[tuple[int, int]]:
    """Returns the cells on the board that touch ``cell``."""
    row, column = cell
    around = [(row + down, column + right) for down, right in STEPS]
    return [(r, c) for r, c in around if 0 <= r < position.size and 0 <= c < position.size]


def shortest_path(position: Hex, player: int) -> int:
    """Returns the number of cells on a shortest path, found breadth first."""
    edge = [(0, i) if player == 0 else (i, 0) for i in range(position.size)]
    row = [cell for cell in edge if position.cell(*cell) in (None, player)]
    seen, length = set(row), 1
    while row:
        if any(cell[player] == position.size - 1 for cell in row):
            return length
        beside = {n for cell in row for n in neighbours(position, cell)} - seen
        row = [cell for cell in beside if position.cell(*cell) in (None, player)]
        seen |= {*row}
        length += 1
    return position.size**2


def connected(position: Hex, player: int) -> int:
    """Returns the number of stones of ``player`` that touch another stone of theirs."""
    stones = set(position.cells_in(position.stones(player)))
    return sum(any(n in stones for n in neighbours(position, stone)) for stone in stones)


def evaluate(position: Hex, player: int) -> float:
    """Returns how much shorter the path of ``player`` is."""
    return shortest_path(position, 1 - player) - shortest_path(position, player)


def agent(position: Hex) -> int:
    """Returns the action after which the evaluation is best."""
    player = position.to_move

    def value(action: int) -> float:
        after = position.play(action)
        return inf if after.is_terminal() else evaluate(after, player)

    return max(position.legal_actions(), key=value)
