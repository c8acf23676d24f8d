"""Quoridor once more, as obvious as can be: edges that walls close, and paths by search."""

from collections import deque
from typing import Any

Cell = tuple[int, int]
Move = tuple[Any, ...]

STEPS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
"""(column, row); rows are counted from the bottom."""


class NaiveQuoridor:
    """A game in progress: cells are (column, row) from 1 on, row 1 below.

    A wall is (column, row, "h" or "v"), the cell at its lower left: it closes two edges.
    """

    def __init__(self, size: int, walls: int, players: int, max_plies: int) -> None:
        middle = size // 2 + 1
        lower = size - size // 2
        self.size, self.players = size, players
        bottom, left = (middle, 1), (1, lower)
        top, right = (middle, size), (size, lower)
        self.pawns = [bottom, top] if players == 2 else [bottom, left, top, right]
        usual = size * size // 8 if players == 2 else size * size // 8 // 2
        self.left = [max(usual, 1) if walls == -1 else walls] * players
        self.first_left = self.left[0]
        self.max_plies = max_plies or 4 * size * size
        self.walls: set[tuple[int, int, str]] = set()
        self.moves = 0
        self.winner: int | None = None

    @property
    def to_move(self) -> int:
        return self.moves % self.players

    def at_goal(self, player: int, cell: Cell) -> bool:
        column, row = cell
        goals = [row == self.size, row == 1]
        if self.players == 4:
            goals = [row == self.size, column == self.size, row == 1, column == 1]
        return goals[player]

    # ---- walls

    def edges(self, wall: tuple[int, int, str]) -> set[frozenset[Cell]]:
        """The two pairs of neighbours that a wall separates."""
        column, row, way = wall
        if way == "h":
            return {frozenset({(c, row), (c, row + 1)}) for c in (column, column + 1)}
        return {frozenset({(column, r), (column + 1, r)}) for r in (row, row + 1)}

    def closed(self, walls: set[tuple[int, int, str]]) -> set[frozenset[Cell]]:
        return {edge for wall in walls for edge in self.edges(wall)}

    def beside(self, cell: Cell, way: str, closed: set[frozenset[Cell]]) -> Cell | None:
        """The next cell, None where a wall or the edge is."""
        step = STEPS[way]
        other = cell[0] + step[0], cell[1] + step[1]
        on_board = 1 <= other[0] <= self.size and 1 <= other[1] <= self.size
        return other if on_board and frozenset({cell, other}) not in closed else None

    def distance(self, player: int) -> int:
        """The steps to the goal, as if there were no other pawns; -1 if there is no way."""
        return self.steps(player, self.closed(self.walls))

    def steps(self, player: int, closed: set[frozenset[Cell]]) -> int:
        seen, queue = {self.pawns[player]: 0}, deque([self.pawns[player]])
        while queue:
            cell = queue.popleft()
            if self.at_goal(player, cell):
                return seen[cell]
            for way in STEPS:
                other = self.beside(cell, way, closed)
                if other is not None and other not in seen:
                    seen[other] = seen[cell] + 1
                    queue.append(other)
        return -1

    def may_put(self, wall: tuple[int, int, str]) -> bool:
        column, row, _ = wall
        if (column, row, "h") in self.walls or (column, row, "v") in self.walls:
            return False
        if self.edges(wall) & self.closed(self.walls):
            return False
        closed = self.closed(self.walls | {wall})
        return all(self.steps(player, closed) >= 0 for player in range(self.players))

    # ---- the game

    def pawn_moves(self) -> list[Cell]:
        closed, here = self.closed(self.walls), self.pawns[self.to_move]
        found: list[Cell] = []
        for way in STEPS:
            other = self.beside(here, way, closed)
            if other is None:
                continue
            if other not in self.pawns:
                found.append(other)
                continue
            behind = self.beside(other, way, closed)
            if behind is not None:
                found += [behind] if behind not in self.pawns else []
                continue
            sides = ("left", "right") if way in ("up", "down") else ("up", "down")
            for side in sides:
                aside = self.beside(other, side, closed)
                if aside is not None and aside not in self.pawns:
                    found.append(aside)
        return sorted(set(found))

    def actions(self) -> list[Move]:
        """("pawn", cell), ("wall", column, row, way) or ("pass",); none when the game is over."""
        if self.winner is not None or self.moves >= self.max_plies:
            return []
        found: list[Move] = [("pawn", cell) for cell in self.pawn_moves()]
        if self.left[self.to_move] > 0:
            spots = range(1, self.size)
            every = [(c, r, way) for c in spots for r in spots for way in "hv"]
            found += [("wall", *wall) for wall in every if self.may_put(wall)]
        return found or [("pass",)]

    def utility(self, player: int) -> float:
        if self.winner is None:
            return 0
        return 1 if player == self.winner else -1 / (self.players - 1)

    def play(self, move: Move) -> None:
        player = self.to_move
        if move[0] == "pawn":
            self.pawns[player] = move[1]
            if self.at_goal(player, move[1]):
                self.winner = player
        elif move[0] == "wall":
            self.walls.add(move[1:])
            self.left[player] -= 1
        self.moves += 1

    def observation(self, player: int) -> list[list[list[float]]]:
        """[row from the top][column][plane]."""
        turns = [(player + i) % self.players for i in range(self.players)]
        closed = self.closed(self.walls)
        rows = []
        for row in range(self.size, 0, -1):
            cells = []
            for column in range(1, self.size + 1):
                cell = column, row
                pawns = [float(self.pawns[other] == cell) for other in turns]
                below = frozenset({cell, (column, row - 1)}) in closed
                right = frozenset({cell, (column + 1, row)}) in closed
                goal = self.at_goal(player, cell)
                left = [float(self.left[other]) for other in turns]
                cells.append([*pawns, float(goal), float(below), float(right), *left])
            rows.append(cells)
        return rows
