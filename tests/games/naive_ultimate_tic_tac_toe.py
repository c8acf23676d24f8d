"""Ultimate tic-tac-toe as a dictionary of stones, written from the rules alone."""

ROWS = [
    *([(r, 0), (r, 1), (r, 2)] for r in range(3)),
    *([(0, c), (1, c), (2, c)] for c in range(3)),
    [(0, 0), (1, 1), (2, 2)],
    [(0, 2), (1, 1), (2, 0)],
]
PLACES = [(r, c) for r in range(3) for c in range(3)]


class NaiveUltimateTicTacToe:
    """A game being played; a move is (place of the small board, place of the cell in it)."""

    num_players = 2

    def __init__(self) -> None:
        self.boards: dict[tuple[int, int], dict[tuple[int, int], int]] = {p: {} for p in PLACES}
        self.moves: list[tuple[tuple[int, int], tuple[int, int]]] = []

    @property
    def to_move(self) -> int:
        return len(self.moves) % 2

    def winner(self, board: tuple[int, int]) -> int | None:
        """Who has three in a row on a small board."""
        for player in (0, 1):
            for row in ROWS:
                if all(self.boards[board].get(place) == player for place in row):
                    return player
        return None

    def is_closed(self, board: tuple[int, int]) -> bool:
        return self.winner(board) is not None or len(self.boards[board]) == 9

    def overall(self) -> int | None:
        """Who has three small boards in a row."""
        for player in (0, 1):
            for row in ROWS:
                if all(self.winner(board) == player for board in row):
                    return player
        return None

    def allowed(self) -> list[tuple[int, int]]:
        """The small boards where the next stone may be set."""
        if self.moves and not self.is_closed(self.moves[-1][1]):
            return [self.moves[-1][1]]
        return [board for board in PLACES if not self.is_closed(board)]

    def actions(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        if self.overall() is not None:
            return []
        boards = self.allowed()
        return [(b, place) for b in boards for place in PLACES if place not in self.boards[b]]

    def play(self, move: tuple[tuple[int, int], tuple[int, int]]) -> None:
        assert move in self.actions()
        board, place = move
        self.boards[board][place] = self.to_move
        self.moves.append(move)

    def utility(self, player: int) -> int:
        winner = self.overall()
        return 0 if winner is None else 1 if winner == player else -1

    def owners(self) -> dict[tuple[int, int], int]:
        return {
            (3 * board[0] + place[0], 3 * board[1] + place[1]): player
            for board in PLACES
            for place, player in self.boards[board].items()
        }

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][own, other's, may be played on, won, lost]."""
        free, shown = set(self.actions()), []
        for row in range(9):
            shown.append([])
            for column in range(9):
                board, place = (row // 3, column // 3), (row % 3, column % 3)
                stone, owner = self.boards[board].get(place), self.winner(board)
                shown[-1].append([
                    int(stone == player), int(stone == 1 - player), int((board, place) in free),
                    int(owner == player), int(owner == 1 - player),
                ])  # fmt: skip
        return shown
