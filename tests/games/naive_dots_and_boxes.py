"""Dots and Boxes once more: an edge is a pair of dots, a box the frozenset of its four edges."""

Dot = tuple[int, int]
Edge = frozenset[Dot]


class NaiveDotsAndBoxes:
    """A game in progress; ``boxes`` maps the top left dot of each closed box to its player."""

    def __init__(self, rows: int = 3, columns: int = 3, margin: bool = False) -> None:
        self.rows, self.columns, self.margin = rows, columns, margin
        across = [((r, c), (r, c + 1)) for r in range(rows + 1) for c in range(columns)]
        down = [((r, c), (r + 1, c)) for r in range(rows) for c in range(columns + 1)]
        self.all_edges: list[Edge] = [frozenset(dots) for dots in across + down]
        self.drawn: set[Edge] = set()
        self.boxes: dict[Dot, int] = {}
        self.to_move = 0

    def around(self, box: Dot) -> set[Edge]:
        row, column = box
        a, b = (row, column), (row, column + 1)
        c, d = (row + 1, column), (row + 1, column + 1)
        return {frozenset(pair) for pair in ((a, b), (b, d), (d, c), (c, a))}

    def actions(self) -> list[int]:
        return [i for i, edge in enumerate(self.all_edges) if edge not in self.drawn]

    def play(self, action: int) -> None:
        self.drawn.add(self.all_edges[action])
        closed = [
            (row, column)
            for row in range(self.rows)
            for column in range(self.columns)
            if (row, column) not in self.boxes and self.around((row, column)) <= self.drawn
        ]
        for box in closed:
            self.boxes[box] = self.to_move
        if not closed:
            self.to_move = 1 - self.to_move

    def utility(self, player: int) -> int:
        owned = list(self.boxes.values())
        more = owned.count(player) - owned.count(1 - player)
        return more if self.margin else (more > 0) - (more < 0)

    def observation(self, player: int) -> list[list[list[int]]]:
        """Rows of the drawing, columns, then whether there is an edge, an own box, another one."""
        seen = [[[0, 0, 0] for _ in range(2 * self.columns + 1)] for _ in range(2 * self.rows + 1)]
        for edge in self.drawn:
            (row, column), (below, right) = sorted(edge)
            seen[row + below][column + right][0] = 1
        for (row, column), owner in self.boxes.items():
            seen[2 * row + 1][2 * column + 1][1 if owner == player else 2] = 1
        return seen
