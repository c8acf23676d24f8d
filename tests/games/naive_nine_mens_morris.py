"""Nine Men's Morris once more: a dictionary of men on a grid of 7 x 7, lines found by walking it.

Points are (row, column), row 0 at the top, and numbered row by row for the actions.
"""

Place = tuple[int, int]

POINTS = [
    (row, column)
    for row in range(7)
    for column in range(7)
    if (row, column) != (3, 3) and (row == 3 or column == 3 or abs(row - 3) == abs(column - 3))
]


def walk(place: Place, down: int, right: int) -> list[Place]:
    """The points on a line from ``place``, one side of a square or across three squares."""
    found = []
    row, column = place[0] + down, place[1] + right
    while 0 <= row < 7 and 0 <= column < 7 and (row, column) != (3, 3):
        if (row, column) in POINTS:
            found.append((row, column))
        row, column = row + down, column + right
    return found


def lines() -> list[list[Place]]:
    """Every row of three: three points in one row or column of the grid, not across the middle."""
    found = []
    for point in POINTS:
        for down, right in ((0, 1), (1, 0)):
            if not walk(point, -down, -right):
                found.append([point, *walk(point, down, right)])
    return found


LINES = lines()


def beside(one: Place, other: Place) -> bool:
    """Neighbours on a line."""
    places = [(line.index(one), line.index(other)) for line in LINES if {one, other} <= set(line)]
    return any(abs(i - j) == 1 for i, j in places)


class NaiveNineMensMorris:
    """A game in progress; ``owner`` has the player, 0 or 1, of each point with a man."""

    def __init__(self, men: int, flying: bool, draw_moves: int) -> None:
        self.flying, self.draw_moves = flying, draw_moves
        self.owner: dict[Place, int] = {}
        self.in_hand = [men, men]
        self.to_move = 0
        self.must_take = False
        self.moves_without_taking = 0

    def men(self, player: int) -> list[Place]:
        return [point for point in POINTS if self.owner.get(point) == player]

    def in_mill(self, point: Place) -> bool:
        """Whether the man there has two friends on some line."""
        who = self.owner[point]
        return any(all(self.owner.get(p) == who for p in line) for line in LINES if point in line)

    def moves(self) -> dict[int, tuple[Place | None, Place]]:
        """By action: the point that is left, None if none is, and the other."""
        free = [point for point in POINTS if point not in self.owner]
        if self.must_take:
            others = self.men(1 - self.to_move)
            loose = [point for point in others if not self.in_mill(point)]
            return {POINTS.index(point): (None, point) for point in loose or others}
        if self.in_hand[self.to_move]:
            return {POINTS.index(point): (None, point) for point in free}
        own = self.men(self.to_move)
        fly = self.flying and len(own) == 3
        return {
            24 + 24 * POINTS.index(start) + POINTS.index(end): (start, end)
            for start in own
            for end in free
            if fly or beside(start, end)
        }

    def loser(self) -> int | None:
        for player in (0, 1):
            if len(self.men(player)) + self.in_hand[player] == 2:
                return player
        return None if self.moves() else self.to_move

    def actions(self) -> list[int]:
        late = self.moves_without_taking == 2 * self.draw_moves and not self.must_take
        return [] if late or self.loser() is not None else [*self.moves()]

    def play(self, action: int) -> None:
        start, end = self.moves()[action]
        if self.must_take:
            del self.owner[end]
            self.must_take, self.moves_without_taking = False, 0
        else:
            if start is None:
                self.in_hand[self.to_move] -= 1
            else:
                del self.owner[start]
                self.moves_without_taking += 1
            self.owner[end] = self.to_move
            self.must_take = self.in_mill(end)
        if not self.must_take:
            self.to_move = 1 - self.to_move

    def utility(self, player: int) -> int:
        loser = self.loser()
        return 0 if loser is None else -1 if player == loser else 1

    def observation(self, player: int) -> list[list[list[int]]]:
        """Own men, the other's, points, whether a man is to be taken, both hands."""
        rest = [int(self.must_take), self.in_hand[player], self.in_hand[1 - player]]
        return [
            [
                [
                    int(self.owner.get((row, column)) == player),
                    int(self.owner.get((row, column)) == 1 - player),
                    int((row, column) in POINTS),
                    *rest,
                ]
                for column in range(7)
            ]
            for row in range(7)
        ]
