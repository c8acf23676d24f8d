"""Havannah on cells (row, column), written from the rules alone.

Columns run down to the left: the cells beside one differ by one in the row, the column, or both in
the same direction.
"""

STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1))


class NaiveHavannah:
    """A game being played; an action is a cell, or "swap"."""

    num_players = 2

    def __init__(self, size: int = 8, swap: bool = False) -> None:
        numbers = range(2 * size - 1)
        self.cells = [(r, c) for r in numbers for c in numbers if abs(r - c) < size]
        self.size, self.swap = size, swap
        self.stones: dict[tuple[int, int], int] = {}
        self.to_move = 0
        self.ply = 0
        self.won = False

    def beside(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        found = [(cell[0] + down, cell[1] + right) for down, right in STEPS]
        return [other for other in found if other in self.cells]

    def actions(self) -> list[object]:
        if self.won:
            return []
        free: list[object] = [cell for cell in self.cells if cell not in self.stones]
        return [*free, "swap"] if self.swap and self.ply == 1 else free

    def play(self, action: object) -> None:
        assert action in self.actions()
        if action == "swap":
            self.stones = dict.fromkeys(self.stones, 1)
        else:
            self.stones[action] = self.to_move  # type: ignore[index]
        own = {cell for cell, player in self.stones.items() if player == self.to_move}
        self.won = self.figure(own) != ""
        self.to_move, self.ply = 1 - self.to_move, self.ply + 1

    def figure(self, own: set[tuple[int, int]]) -> str:
        if any(self.is_shut_in(cell, own) for cell in self.cells):
            return "ring"
        left, found = set(own), ""
        while left:
            chain = self.chain(left.pop(), own)
            left -= chain
            corners = [cell for cell in chain if len(self.beside(cell)) == 3]
            if len(corners) > 1:
                return "bridge"
            sides = {self.side(cell) for cell in chain if len(self.beside(cell)) == 4}
            if len(sides) > 2:
                found = "fork"
        return found

    def is_shut_in(self, cell: tuple[int, int], own: set[tuple[int, int]]) -> bool:
        """Whether no way leads from a cell to the border but over stones."""
        seen, todo = {cell}, [cell]
        while todo:
            here = todo.pop()
            around = self.beside(here)
            if len(around) < 6:
                return False
            new = {other for other in around if other not in own} - seen
            seen |= new
            todo += new
        return True

    def chain(self, cell: tuple[int, int], own: set[tuple[int, int]]) -> set[tuple[int, int]]:
        chain, todo = {cell}, [cell]
        while todo:
            new = {other for other in self.beside(todo.pop()) if other in own} - chain
            chain |= new
            todo += new
        return chain

    def side(self, cell: tuple[int, int]) -> str:
        row, column, last = *cell, 2 * self.size - 2
        if row in (0, last):
            return f"row {row}"
        return f"column {column}" if column in (0, last) else f"difference {row - column}"

    def owners(self) -> dict[tuple[int, int], int]:
        return self.stones

    def utility(self, player: int) -> int:
        if not self.won:
            return 0
        return -1 if player == self.to_move else 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: own stone, 1: stone of the opponent]."""
        numbers = range(2 * self.size - 1)
        return [
            [
                [int(self.stones.get((row, column)) == seat) for seat in (player, 1 - player)]
                for column in numbers
            ]
            for row in numbers
        ]
