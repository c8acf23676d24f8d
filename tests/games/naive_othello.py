"""Othello as obviously as can be: a dictionary of cells, walked in eight directions."""

from naive import NaiveGame

DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


class NaiveOthello(NaiveGame):
    """``discs`` maps (row, column) to the player whose colour shows; the last action passes."""

    def __init__(self, size: int = 8, margin: bool = False) -> None:
        self.size, self.margin = size, margin
        self.num_actions = size * size + 1
        low, high = size // 2 - 1, size // 2
        self.discs = {(low, low): 1, (low, high): 0, (high, low): 0, (high, high): 1}

    def turned(self, row: int, column: int, player: int) -> list[tuple[int, int]]:
        """The discs that a disc of ``player`` on this empty cell would turn over."""
        found = []
        for down, right in DIRECTIONS:
            line = []
            here = row + down, column + right
            while self.discs.get(here) == 1 - player:
                line.append(here)
                here = here[0] + down, here[1] + right
            if self.discs.get(here) == player:
                found += line
        return found

    def placements(self, player: int) -> list[int]:
        """The actions with which ``player`` could set a disc."""
        cells = [divmod(action, self.size) for action in range(self.size * self.size)]
        return [
            row * self.size + column
            for row, column in cells
            if (row, column) not in self.discs and self.turned(row, column, player)
        ]

    def actions(self) -> list[int]:
        mine = self.placements(self.to_move)
        if not mine and self.placements(1 - self.to_move):
            return [self.num_actions - 1]
        return mine

    def _apply(self, action: int) -> None:
        if action < self.num_actions - 1:
            cell = divmod(action, self.size)
            changed = [cell, *self.turned(*cell, self.to_move)]
            self.discs = self.discs | dict.fromkeys(changed, self.to_move)

    def owners(self) -> dict[tuple[int, int], int]:
        return self.discs

    def utility(self, player: int) -> float:
        owners = list(self.discs.values())
        more = owners.count(player) - owners.count(1 - player)
        return more if self.margin else (more > 0) - (more < 0)

    def key(self) -> tuple[object, int]:
        return frozenset(self.discs.items()), self.to_move
