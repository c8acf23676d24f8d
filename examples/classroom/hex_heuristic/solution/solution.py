"""Plays Hex by shortest paths and connectivity: the reference solution."""

from heapq import heappop, heappush
from math import inf

from adv_envs import Hex

Cell = tuple[int, int]
STEPS = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0))
"""From a cell to its six neighbours: what to add to row and column."""


def neighbours(position: Hex, cell: Cell) -> list[Cell]:
    """Returns the cells on the board that touch ``cell``."""
    row, column = cell
    around = [(row + down, column + right) for down, right in STEPS]
    return [(r, c) for r, c in around if 0 <= r < position.size and 0 <= c < position.size]


def shortest_path(position: Hex, player: int) -> int:
    """Returns the least number of stones with which ``player`` would join both edges.

    Dijkstra's algorithm from all cells of the first edge at once. Own stones cost 0, empty cells 1.
    """
    size, last = position.size, position.size - 1
    queue: list[tuple[int, Cell]] = []
    best: dict[Cell, int] = {}

    def reach(cell: Cell, distance: int) -> None:
        owner = position.cell(*cell)
        distance += owner is None
        if owner in (None, player) and distance < best.get(cell, size**2):
            best[cell] = distance
            heappush(queue, (distance, cell))

    for i in range(size):
        reach((0, i) if player == 0 else (i, 0), 0)
    while queue:
        distance, cell = heappop(queue)
        if cell[player] == last:
            return distance
        for neighbour in neighbours(position, cell):
            reach(neighbour, distance)
    return size**2


def connected(position: Hex, player: int) -> int:
    """Returns the number of stones of ``player`` that touch another stone of theirs."""
    stones = set(position.cells_in(position.stones(player)))
    return sum(not stones.isdisjoint(neighbours(position, stone)) for stone in stones)


def evaluate(position: Hex, player: int) -> float:
    """Returns how much shorter the path of ``player`` is; connected stones decide between equals.

    All stones together weigh less than one step.
    """
    other = 1 - player
    paths = shortest_path(position, other) - shortest_path(position, player)
    stones = connected(position, player) - connected(position, other)
    return paths + stones / position.size**2


def agent(position: Hex) -> int:
    """Returns the action after which the evaluation is best; of equals the most central."""
    player, centre = position.to_move, (position.size - 1) / 2

    def value(action: int) -> tuple[float, float]:
        row, column = divmod(action, position.size)
        central = -abs(row - centre) - abs(column - centre)
        after = position.play(action)
        return inf if after.is_terminal() else evaluate(after, player), central

    return max(position.legal_actions(), key=value)
