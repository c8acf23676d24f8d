"""Lines of Action once more: a dictionary of men, lines walked cell by cell, groups by search.

Cells are (column, row) from 1 on, row 1 below, and a move is a pair of them.
"""

Cell = tuple[int, int]

STEPS = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if (right, up) != (0, 0)]


class NaiveLinesOfAction:
    """A game in progress; ``men`` has the owner, 0 or 1, of each cell with a man."""

    def __init__(self, size: int, joined_both: int, draw_moves: int) -> None:
        self.size, self.draw_moves = size, draw_moves
        self.draw_if_both = joined_both == 1
        self.men: dict[Cell, int] = {}
        for i in range(2, size):
            for edge in (1, size):
                self.men[i, edge] = 0
                self.men[edge, i] = 1
        self.to_move = 0
        self.plies_without_capture = 0

    def on_board(self, cell: Cell) -> bool:
        return 1 <= cell[0] <= self.size and 1 <= cell[1] <= self.size

    def walk(self, cell: Cell, step: Cell) -> list[Cell]:
        """The cells from the next one to the edge."""
        found = []
        cell = cell[0] + step[0], cell[1] + step[1]
        while self.on_board(cell):
            found.append(cell)
            cell = cell[0] + step[0], cell[1] + step[1]
        return found

    def moves(self) -> list[tuple[Cell, Cell]]:
        found = []
        for cell in [cell for cell, who in self.men.items() if who == self.to_move]:
            for step in STEPS:
                ahead, behind = self.walk(cell, step), self.walk(cell, (-step[0], -step[1]))
                distance = len([c for c in [cell, *ahead, *behind] if c in self.men])
                if distance > len(ahead):
                    continue
                *passed, end = ahead[:distance]
                if any(self.men.get(c) == 1 - self.to_move for c in passed):
                    continue
                if self.men.get(end) != self.to_move:
                    found.append((cell, end))
        return found

    def joined(self, player: int) -> bool:
        men = {cell for cell, who in self.men.items() if who == player}
        group, new = set[Cell](), {min(men)}
        while new:
            group |= new
            near = {(x + right, y + up) for x, y in new for right, up in STEPS}
            new = (near & men) - group
        return group == men

    def actions(self) -> list[tuple[Cell, Cell]]:
        if self.joined(0) or self.joined(1) or self.plies_without_capture >= 2 * self.draw_moves:
            return []
        return self.moves()

    def play(self, move: tuple[Cell, Cell]) -> None:
        start, end = move
        self.plies_without_capture = 0 if end in self.men else self.plies_without_capture + 1
        self.men[end] = self.men.pop(start)
        self.to_move = 1 - self.to_move

    def utility(self, player: int) -> int:
        mover = 1 - self.to_move
        if self.joined(0) and self.joined(1):
            winner = None if self.draw_if_both else mover
        elif self.joined(0) or self.joined(1):
            winner = 0 if self.joined(0) else 1
        else:
            winner = None if self.moves() else mover
        return 0 if winner is None else 1 if player == winner else -1

    def owners(self) -> dict[Cell, int]:
        """By row from the top and column."""
        return {(self.size - y, x - 1): who for (x, y), who in self.men.items()}
