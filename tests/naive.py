"""Obvious, slow second implementations of the first six games, written from the rules alone.

The fast games are compared with these move by move. A cell is (row, column), row 0 is at the top,
column 0 at the left. `play` replaces containers and never changes one in place, so that a shallow
copy of a game is a full one.
"""

import copy
from collections.abc import Hashable, Iterator
from random import Random
from typing import Self, TypeAlias

Cell: TypeAlias = tuple[int, int]
Node: TypeAlias = "dict[str, Node] | float"

FIG52: dict[str, Node] = {
    "a1": {"b1": 3, "b2": 12, "b3": 8},
    "a2": {"c1": 2, "c2": 4, "c3": 6},
    "a3": {"d1": 14, "d2": 5, "d3": 2},
}


class NaiveGame:
    """A game being played: players move in turn, and it is over when there is no legal action."""

    num_players: int = 2
    num_actions: int
    to_move: int = 0

    def actions(self) -> list[int]:
        """The legal actions in rising order; none when the game is over."""
        raise NotImplementedError

    def play(self, action: int) -> None:
        """Let the player to move take this action; then it is the next player's turn."""
        if action not in self.actions():
            raise ValueError(f"action {action} is not one of {self.actions()}")
        self._apply(action)
        self.to_move = (self.to_move + 1) % self.num_players

    def _apply(self, action: int) -> None:
        raise NotImplementedError

    def is_over(self) -> bool:
        return not self.actions()

    def utility(self, player: int) -> float:
        """What the game is worth to this player; to be asked when it is over."""
        raise NotImplementedError

    def key(self) -> Hashable:
        """Equal for two games of one kind and size exactly when they are in the same position."""
        raise NotImplementedError

    def copy(self) -> Self:
        return copy.copy(self)


class NaiveBoardGame(NaiveGame):
    """Two players put stones on a board; whoever is the first to make a winning shape wins."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.cells: list[Cell] = [(row, column) for row in range(height) for column in range(width)]
        self.stones: dict[Cell, int] = {}
        self.winner: int | None = None

    def put(self, cell: Cell) -> None:
        """Put a stone of the player to move on this cell, and see whether that wins."""
        self.stones = {**self.stones, cell: self.to_move}
        if self.has_won(self.stones_of(self.to_move)):
            self.winner = self.to_move

    def has_won(self, own: set[Cell]) -> bool:
        """Whether these stones of the player to move hold a winning shape."""
        raise NotImplementedError

    def owners(self) -> dict[Cell, int]:
        return self.stones

    def stones_of(self, player: int) -> set[Cell]:
        return {cell for cell, owner in self.stones.items() if owner == player}

    def cell(self, row: int, column: int) -> int | None:
        """The player whose stone lies here, None where there is none."""
        return self.stones.get((row, column))

    def observation(self, player: int) -> list[list[list[int]]]:
        """[row][column][0: a stone of this player's, 1: a stone of the opponent's]."""
        return [
            [
                [int(self.cell(row, column) == owner) for owner in (player, 1 - player)]
                for column in range(self.width)
            ]
            for row in range(self.height)
        ]

    def utility(self, player: int) -> float:
        if self.winner is None:
            return 0.0
        return 1.0 if player == self.winner else -1.0

    def key(self) -> Hashable:
        return frozenset(self.stones.items()), self.to_move


def lines(height: int, width: int, k: int) -> list[set[Cell]]:
    """Every row of k cells on the board: across, down and along both diagonals."""
    on_board = {(row, column) for row in range(height) for column in range(width)}
    found = []
    for row, column in sorted(on_board):
        for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
            line = {(row + i * down, column + i * right) for i in range(k)}
            if line <= on_board:
                found.append(line)
    return found


class NaiveTicTacToe(NaiveBoardGame):
    """k in a row wins. Action row * width + column puts a stone on that cell."""

    def __init__(self, height: int = 3, width: int = 3, k: int = 3) -> None:
        super().__init__(height, width)
        self.num_actions = height * width
        self.lines = lines(height, width, k)

    def actions(self) -> list[int]:
        if self.winner is not None:
            return []
        return [a for a, cell in enumerate(self.cells) if cell not in self.stones]

    def _apply(self, action: int) -> None:
        self.put(self.cells[action])

    def has_won(self, own: set[Cell]) -> bool:
        return any(line <= own for line in self.lines)


class NaiveConnectFour(NaiveBoardGame):
    """k in a row wins. An action is a column; the stone falls to the lowest empty cell of it."""

    def __init__(self, height: int = 6, width: int = 7, k: int = 4) -> None:
        super().__init__(height, width)
        self.num_actions = width
        self.lines = lines(height, width, k)

    def actions(self) -> list[int]:
        if self.winner is not None:
            return []
        return [column for column in range(self.width) if (0, column) not in self.stones]

    def _apply(self, action: int) -> None:
        empty_rows = [row for row in range(self.height) if (row, action) not in self.stones]
        self.put((max(empty_rows), action))

    def has_won(self, own: set[Cell]) -> bool:
        return any(line <= own for line in self.lines)


class NaiveHex(NaiveBoardGame):
    """Player 0 joins top and bottom, player 1 left and right. Action row * size + column.

    With swap, the second player may answer the first stone with action size * size: that stone,
    at (row, column), becomes one of theirs at (column, row).
    """

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        super().__init__(size, size)
        self.size = size
        self.swap = swap
        self.num_actions = size * size + (1 if swap else 0)

    def actions(self) -> list[int]:
        if self.winner is not None:
            return []
        free = [a for a, cell in enumerate(self.cells) if cell not in self.stones]
        only_the_first_stone = list(self.stones.values()) == [0]
        return [*free, self.size * self.size] if self.swap and only_the_first_stone else free

    def _apply(self, action: int) -> None:
        if action == self.size * self.size:
            [(row, column)] = self.stones
            self.stones = {(column, row): 1}
        else:
            self.put(self.cells[action])

    def has_won(self, own: set[Cell]) -> bool:
        """Flood own stones from the top row (player 1: left column); is the far side wet?"""
        axis = self.to_move  # which half of (row, column) counts the way across
        wet = {cell for cell in own if cell[axis] == 0}
        to_visit = list(wet)
        while to_visit:
            row, column = to_visit.pop()
            for down, right in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]:
                neighbour = (row + down, column + right)
                if neighbour in own and neighbour not in wet:
                    wet.add(neighbour)
                    to_visit.append(neighbour)
        return any(cell[axis] == self.size - 1 for cell in wet)


class NaiveThirtyOne(NaiveGame):
    """Action a adds a token of value a + 1 to the total; the player who cannot take one loses."""

    def __init__(
        self, limit: int = 31, copies: int = 4, highest: int = 6, num_players: int = 2
    ) -> None:
        self.limit = limit
        self.num_players = num_players
        self.num_actions = highest
        self.left: dict[int, int] = dict.fromkeys(range(1, highest + 1), copies)
        self.total = 0

    def actions(self) -> list[int]:
        return [
            value - 1
            for value, count in self.left.items()
            if count > 0 and self.total + value <= self.limit
        ]

    def _apply(self, action: int) -> None:
        value = action + 1
        self.left = {**self.left, value: self.left[value] - 1}
        self.total += value

    def utility(self, player: int) -> float:
        """When it is over, the player to move is the one who cannot."""
        return -1.0 if player == self.to_move else 1 / (self.num_players - 1)

    def key(self) -> Hashable:
        return tuple(self.left.values()), self.total, self.to_move


class NaivePig(NaiveGame):
    """Who is to move is -1 while the die rolls: then the actions are its faces."""

    def __init__(self, target: int = 100, faces: int = 6) -> None:
        self.target = target
        self.faces = faces
        self.num_actions = max(2, faces)
        self.scores = (0, 0)
        self.rolls: tuple[int, ...] = ()  # of this turn
        self.owner = 0  # of this turn

    def actions(self) -> list[int]:
        if any(score >= self.target for score in self.scores):
            return []
        if self.to_move == -1:
            return list(range(self.faces))
        roll, hold = [0], [1]
        if not self.rolls:
            return roll
        return hold if self.in_hand() >= self.target else roll + hold

    def in_hand(self) -> int:
        """What the owner of the turn would have after holding."""
        return self.scores[self.owner] + sum(self.rolls)

    def play(self, action: int) -> None:
        if action not in self.actions():
            raise ValueError(f"action {action} is not one of {self.actions()}")
        if self.to_move != -1 and action == 0:
            self.to_move = -1
            return
        if self.to_move == -1 and action != 0:
            self.rolls = (*self.rolls, action + 1)
            self.to_move = self.owner
            return
        if self.to_move != -1:
            scores = list(self.scores)
            scores[self.owner] = self.in_hand()
            self.scores = (scores[0], scores[1])
        self.rolls = ()
        self.owner = self.to_move = 1 - self.owner

    def utility(self, player: int) -> float:
        return 1.0 if self.scores[player] >= self.target else -1.0

    def key(self) -> Hashable:
        return self.scores, sum(self.rolls), self.owner, self.to_move


class NaiveTree(NaiveGame):
    """A walk down a tree. Action i goes to the i-th child; a leaf is what player 0 wins."""

    def __init__(self, tree: Node) -> None:
        self.node = tree
        self.path: tuple[int, ...] = ()
        self.num_actions = most_children(tree)

    def actions(self) -> list[int]:
        return list(range(len(self.node))) if isinstance(self.node, dict) else []

    def names(self) -> list[str]:
        """The names of the legal moves."""
        return list(self.node) if isinstance(self.node, dict) else []

    def _apply(self, action: int) -> None:
        assert isinstance(self.node, dict)
        self.node = list(self.node.values())[action]
        self.path = (*self.path, action)

    def utility(self, player: int) -> float:
        assert not isinstance(self.node, dict)
        return float(self.node if player == 0 else -self.node)

    def key(self) -> Hashable:
        return self.path


def most_children(tree: Node) -> int:
    """The largest number of moves at any node."""
    if not isinstance(tree, dict):
        return 0
    return max(len(tree), *map(most_children, tree.values()))


def children(game: NaiveGame) -> Iterator[NaiveGame]:
    """The games after each legal action."""
    for action in game.actions():
        child = game.copy()
        child.play(action)
        yield child


def perft(game: NaiveGame, depth: int) -> int:
    """The number of ways to play exactly depth actions from here."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.actions())
    return sum(perft(child, depth - 1) for child in children(game))


def positions(game: NaiveGame) -> Iterator[NaiveGame]:
    """Every position that can be reached from here, this one included, each once."""
    seen = {game.key()}
    to_visit = [game]
    while to_visit:
        visited = to_visit.pop()
        yield visited
        for child in children(visited):
            if child.key() not in seen:
                seen.add(child.key())
                to_visit.append(child)


def count_positions(game: NaiveGame) -> tuple[int, int]:
    """(positions that can be reached from here, those of them in which the game is over)."""
    over = [position.is_over() for position in positions(game)]
    return len(over), sum(over)


def random_game(game: NaiveGame, rng: Random) -> Iterator[tuple[NaiveGame, int]]:
    """Play at random to the end: (a copy of the game after the move, the move) for every move."""
    while not game.is_over():
        action = rng.choice(game.actions())
        game = game.copy()
        game.play(action)
        yield game, action
