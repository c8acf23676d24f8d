"""Obvious, slow second implementations of the evaluations, on lists, sets and dictionaries.

Stones are {(row, column): player}. Everything is asked for one player; see `balance` for values.
"""

import heapq
import math
from collections.abc import Callable, Iterator

import numpy as np
from naive import Cell, lines

Stones = dict[Cell, int]


def cells(size: int) -> list[Cell]:
    return [(row, column) for row in range(size) for column in range(size)]


def neighbours(size: int, cell: Cell) -> Iterator[Cell]:
    row, column = cell
    for down, right in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]:
        if 0 <= row + down < size and 0 <= column + right < size:
            yield row + down, column + right


def edge(size: int, player: int, which: int) -> set[Cell]:
    """The cells on the first (0) or last (1) edge of the player: top and bottom, left and right."""
    return {cell for cell in cells(size) if cell[player] == which * (size - 1)}


def empty_cells(size: int, stones: Stones) -> list[Cell]:
    return [cell for cell in cells(size) if cell not in stones]


def group(size: int, stones: Stones, cell: Cell) -> set[Cell]:
    """The stones joined to the one on this cell."""
    found, todo = {cell}, [cell]
    while todo:
        for beside in neighbours(size, todo.pop()):
            if beside not in found and stones.get(beside) == stones[cell]:
                found.add(beside)
                todo.append(beside)
    return found


def distance(size: int, stones: Stones, player: int) -> float:
    """Dijkstra: cheapest way from edge to edge; own stones cost 0, empty cells 1."""
    costs = {cell: 0 if cell in stones else 1 for cell in cells(size)}
    blocked = {cell for cell in stones if stones[cell] != player}
    queue = [(costs[cell], cell) for cell in edge(size, player, 0) - blocked]
    heapq.heapify(queue)
    done: set[Cell] = set()
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in edge(size, player, 1):
            return cost
        if cell not in done:
            done.add(cell)
            for beside in set(neighbours(size, cell)) - blocked:
                heapq.heappush(queue, (cost + costs[beside], beside))
    return math.inf


def path_cells(size: int, stones: Stones, player: int) -> set[Cell]:
    """The empty cells that, with a stone of the player on them, make the distance smaller."""
    before = distance(size, stones, player)
    return {
        cell
        for cell in empty_cells(size, stones)
        if distance(size, {**stones, cell: player}, player) < before
    }


def reach(size: int, stones: Stones, player: int, cell: Cell) -> set[Cell]:
    """The cell's neighbours and all that is beside own groups among these, groups included."""
    found = set(neighbours(size, cell))
    for beside in neighbours(size, cell):
        if stones.get(beside) == player:
            for stone in group(size, stones, beside):
                found |= {stone, *neighbours(size, stone)}
    return found - {cell}


def two_distances(size: int, stones: Stones, player: int, which: int) -> dict[Cell, float]:
    """Of every empty cell to one edge: rules applied over and over until nothing changes."""
    empty = empty_cells(size, stones)
    goal = edge(size, player, which)
    around = {cell: reach(size, stones, player, cell) for cell in empty}
    own_goal = {cell for cell in goal if stones.get(cell) == player}
    found = {c: 1 if c in goal or around[c] & own_goal else math.inf for c in empty}
    while True:
        better = dict(found)
        for cell in empty:
            near = sorted(found[beside] for beside in around[cell] if beside in found)
            if found[cell] > 1 and len(near) >= 2:
                better[cell] = 1 + near[1]
        if better == found:
            return found
        found = better


def potential_and_mobility(size: int, stones: Stones, player: int) -> tuple[float, int]:
    first, last = (two_distances(size, stones, player, which) for which in (0, 1))
    sums = [first[cell] + last[cell] for cell in empty_cells(size, stones)]
    least = min(sums)
    return (least, sums.count(least)) if least < math.inf else (2 * size * size, 0)


def resistance(size: int, stones: Stones, player: int) -> float:
    """1 / the current that flows from the first edge, at voltage 1, to the last, at voltage 0."""
    name: dict[Cell, Cell | str] = {}
    for cell in cells(size):
        if stones.get(cell, player) == player:
            joined = group(size, stones, cell) if cell in stones else set()
            ends = [end for end in (0, 1) if joined & edge(size, player, end)]
            name[cell] = ["first", "last"][ends[0]] if ends else min(joined, default=cell)
    wires: list[tuple[Cell | str, Cell | str, float]] = []
    for cell, node in name.items():
        own = 0 if cell in stones else 1
        for beside in neighbours(size, cell):
            if beside > cell and beside in name and name[beside] != node:
                wires.append((node, name[beside], 1 / (own + (beside not in stones))))
        for end, word in enumerate(["first", "last"]):
            if cell in edge(size, player, end) and own:
                wires.append((node, word, 1.0))
    voltage = solve(wires)
    return 1 / sum(
        g * abs(1 - voltage[b if a == "first" else a]) for a, b, g in wires if "first" in (a, b)
    )


def solve(wires: list[tuple[Cell | str, Cell | str, float]]) -> dict[Cell | str, float]:
    """The voltage of every node that is not cut off, by Kirchhoff's laws in matrix form."""
    live: set[Cell | str] = {"first"}
    for _ in wires:
        live |= {node for a, b, _ in wires if a in live or b in live for node in (a, b)}
    index = {node: i for i, node in enumerate(live)}
    matrix, right = np.zeros((len(live), len(live))), np.zeros(len(live))
    for a, b, conductance in wires:
        if a in live:
            i, j = index[a], index[b]
            matrix[[i, j, i, j], [i, j, j, i]] += np.array([1, 1, -1, -1]) * conductance
    for node, voltage in ("first", 1.0), ("last", 0.0):
        matrix[index[node]] = 0
        matrix[index[node], index[node]] = 1
        right[index[node]] = voltage
    return dict(zip(index, np.linalg.solve(matrix, right).tolist(), strict=True))


def connected(size: int, stones: Stones, player: int) -> int:
    """Own stones beside an own stone."""
    return len(
        [
            cell
            for cell in stones
            if stones[cell] == player
            and any(stones.get(beside) == player for beside in neighbours(size, cell))
        ]
    )


def relevant_connected(size: int, stones: Stones, player: int) -> int:
    """Own stones beside an own stone in another row (player 1: another column)."""
    return len(
        [
            cell
            for cell in stones
            if stones[cell] == player
            and any(
                stones.get(beside) == player and beside[player] != cell[player]
                for beside in neighbours(size, cell)
            )
        ]
    )


def open_lines(height: int, width: int, k: int, stones: Stones, player: int) -> int:
    """The squared number of own stones in each row of k without a stone of the other player."""
    total = 0
    for line in lines(height, width, k):
        owners = [stones[cell] for cell in line if cell in stones]
        if all(owner == player for owner in owners):
            total += len(owners) ** 2
    return total


def hex_values(size: int, stones: Stones, mover: int) -> dict[str, float]:
    """Every Hex evaluation by name, for the player to move."""

    def both(measure: Callable[[int, Stones, int], float]) -> tuple[float, float]:
        return measure(size, stones, mover), measure(size, stones, 1 - mover)

    own, opp = both(distance)
    resistances = both(resistance)
    (own_potential, own_moves), (opp_potential, opp_moves) = (
        potential_and_mobility(size, stones, player) for player in (mover, 1 - mover)
    )
    joined, relevant = both(connected), both(relevant_connected)
    return {
        "shortest_path": opp - own,
        "two_distance": opp_potential - own_potential + (own_moves - opp_moves) / size**2,
        "resistance": math.log(resistances[1] / resistances[0]),
        "connected": (joined[0] - joined[1]) / max(*joined, 1),
        "relevant_connected": (relevant[0] - relevant[1]) / max(*relevant, 1),
    }


def connect_four_threats(height: int, width: int, k: int, stones: Stones, mover: int) -> float:
    """``connect_four.threats``, stone by stone."""
    value, wins = 10.0, {}
    rows = list(lines(height, width, k))
    for player, sign in ((mover, 1), (1 - mover, -1)):
        lacking = [
            [cell for cell in line if cell not in stones]
            for line in rows
            if all(stones.get(cell, player) == player for cell in line)
        ]
        wins[player] = {cells[0] for cells in lacking if len(cells) == 1}
        by_number = [len(cells) for cells in lacking]
        value += sign * (6 * len(wins[player]) + 3 * by_number.count(2) + by_number.count(3))
    winner, forced = fill(height, width, set(stones), wins, mover)
    sign = 0 if winner is None else 1 if winner == mover else -1
    return value + sign * (1000 if forced else 30 * len(stones) / (height * width))


def fill(
    height: int, width: int, taken: set[Cell], wins: dict[int, set[Cell]], mover: int
) -> tuple[int | None, bool]:
    """Who reaches a cell of theirs first if nobody plays below one of the other's without need."""
    forced = True
    while True:
        heights = [sum((row, column) in taken for row in range(height)) for column in range(width)]
        moves = [(height - 1 - heights[c], c) for c in range(width) if heights[c] < height]
        if not moves:
            return None, False
        other = 1 - mover
        if wins[mover] & set(moves):
            return mover, forced
        answers = wins[other] & set(moves)
        if len(answers) > 1:
            return other, forced
        above = {(row, column): (row - 1, column) for row, column in moves}
        useful = [m for m in moves if above[m] not in wins[mover] | wins[other]]
        spoiling = [m for m in moves if above[m] not in wins[other]]
        forced = forced and bool(answers)
        choices = list(answers) or useful or spoiling
        if not choices:
            return other, forced
        taken = taken | {choices[0]}
        mover = other
