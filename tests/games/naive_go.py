"""A second implementation of Go, as obvious as it can be: dictionaries, sets, whole boards kept."""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]
Stones = dict[Cell, int]


@dataclass
class NaiveGo:
    """A game on ``rows`` x ``columns`` points, without a limit unless ``max_plies`` is given."""

    rows: int
    columns: int
    komi: float = 7.5
    superko: bool = True
    max_plies: int = 10**9
    boards: list[Stones] = field(default_factory=lambda: [{}])
    to_move: int = 0
    passes: int = 0

    @property
    def stones(self) -> Stones:
        return self.boards[-1]

    def points(self) -> list[Cell]:
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def beside(self, cell: Cell) -> list[Cell]:
        row, column = cell
        around = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [(r, c) for r, c in around if 0 <= r < self.rows and 0 <= c < self.columns]

    def region(self, cell: Cell, stones: Stones) -> tuple[set[Cell], set[int | None]]:
        """The points joined to ``cell`` that hold the same, and what is found at its border."""
        inside, todo, border = {cell}, [cell], set()
        while todo:
            for other in self.beside(todo.pop()):
                if stones.get(other) != stones.get(cell):
                    border.add(stones.get(other))
                elif other not in inside:
                    inside.add(other)
                    todo.append(other)
        return inside, border

    def after(self, cell: Cell) -> Stones | None:
        """The board after a stone at ``cell``; None if it cannot be set there."""
        if cell in self.stones:
            return None
        stones = {**self.stones, cell: self.to_move}
        for other in self.beside(cell):
            if stones.get(other) == 1 - self.to_move:
                group, border = self.region(other, stones)
                if None not in border:
                    stones = {c: player for c, player in stones.items() if c not in group}
        return stones if None in self.region(cell, stones)[1] else None

    def actions(self) -> list[Cell | None]:
        """Points in the order of the rows, then None, the pass; none when the game is over."""
        if self.is_over():
            return []
        forbidden = self.boards if self.superko else self.boards[-2:]
        found: list[Cell | None] = []
        for cell in self.points():
            board = self.after(cell)
            if board is not None and board not in forbidden:
                found.append(cell)
        return [*found, None]

    def play(self, cell: Cell | None) -> NaiveGo:
        board = self.stones if cell is None else self.after(cell)
        assert board is not None
        return NaiveGo(
            self.rows,
            self.columns,
            self.komi,
            self.superko,
            self.max_plies,
            [*self.boards, board],
            1 - self.to_move,
            self.passes + 1 if cell is None else 0,
        )

    def owners(self) -> Stones:
        return self.stones

    def utility(self, player: int) -> float:
        lead = self.lead() * (1 - 2 * player)
        return (lead > 0) - (lead < 0)

    def is_over(self) -> bool:
        return self.passes == 2 or len(self.boards) > self.max_plies

    def lead(self) -> float:
        """The points of Black minus those of White."""
        total = -self.komi
        for cell in self.points():
            owner = self.stones.get(cell)
            if owner is None:
                border = self.region(cell, self.stones)[1]
                owner = next(iter(border)) if len(border) == 1 else None
            if owner is not None:
                total += 1 if owner == 0 else -1
        return total


def value(game: NaiveGo, low: float = -999, high: float = 999) -> float:
    """The lead of Black after best play, by alpha-beta over whole games."""
    if game.is_over():
        return game.lead()
    best = -999.0 if game.to_move == 0 else 999.0
    for move in game.actions():
        found = value(game.play(move), low, high)
        if game.to_move == 0:
            best = max(best, found)
            low = max(low, best)
        else:
            best = min(best, found)
            high = min(high, best)
        if low >= high:
            break
    return best
