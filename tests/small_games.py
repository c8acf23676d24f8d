"""Small games of our own for the tests: chance, three players, and turns that do not alternate."""

from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.position import require_between


class Race(Position):
    """Run to the goal: walk 1 step, or roll a die and go as far as it says, but a 1 goes nowhere.

    Actions of a player: 0 walks, 1 rolls; actions of chance: 0 .. sides - 1, the faces of the die.
    """

    goal: int = 9
    sides: int = 4
    first: int = 0
    second: int = 0
    mover: int = 0
    rolling: bool = False
    parameters = ("goal", "sides")
    observation_shape = (4,)

    @property
    def num_actions(self) -> int:
        return self.sides if self.sides > 2 else 2

    @property
    def to_move(self) -> int:
        return CHANCE if self.rolling else self.mover

    def legal(self, action: int) -> bool:
        return action < self.sides if self.rolling else action < 2

    def probability(self, action: int) -> float:
        return 1.0 / self.sides if action < self.sides else 0.0

    def play(self, action: int) -> "Race":
        if not self.rolling and action == 1:
            return Race(self.goal, self.sides, self.first, self.second, self.mover, True)
        steps = 0 if self.rolling and action == 0 else action + 1
        first, second = self.first, self.second
        if self.mover == 0:
            first = min(first + steps, self.goal)
        else:
            second = min(second + steps, self.goal)
        return Race(self.goal, self.sides, first, second, 1 - self.mover, False)

    def is_terminal(self) -> bool:
        return self.goal in (self.first, self.second)

    def utility(self, player: int) -> float:
        return 1.0 if (self.first == self.goal) == (player == 0) else -1.0

    @property
    def observation_high(self) -> tuple[int, int, int, int]:
        return (self.goal, self.goal, 1, 1)

    def observe(self, player: int, planes: Any) -> None:
        planes[player] = self.first
        planes[1 - player] = self.second
        planes[2] = player
        planes[3] = self.rolling

    def check(self) -> None:
        require_between("goal", self.goal, 1, 1000)
        require_between("sides", self.sides, 2, 100)
        require_between("first", self.first, 0, self.goal)
        require_between("second", self.second, 0, self.goal)
        require_between("mover", self.mover, 0, 1)

    def name(self, action: int) -> str:
        return str(action + 1) if self.rolling else ("walk", "roll")[action]


class Heap(Position):
    """Take 1 to 3 from a heap; whoever takes exactly 2 moves again; the last to take wins it all.

    For any number of players: the winner has what the others lose.
    """

    size: int = 12
    num_players: int = 3
    rest: int = -1  # -1: all of them
    mover: int = 0
    last: int = 0
    parameters = ("size", "num_players")
    observation_shape = (1, 2)
    num_actions = 3

    @property
    def to_move(self) -> int:
        return self.mover

    @property
    def heap(self) -> int:
        return self.size if self.rest < 0 else self.rest

    def legal(self, action: int) -> bool:
        return action < self.heap

    def play(self, action: int) -> "Heap":
        mover = self.mover if action == 1 else (self.mover + 1) % self.num_players
        return Heap(self.size, self.num_players, self.heap - action - 1, mover, self.mover)

    def is_terminal(self) -> bool:
        return self.rest == 0

    def utility(self, player: int) -> float:
        return self.max_utility if player == self.last else -1.0

    @property
    def max_utility(self) -> float:
        return self.num_players - 1.0

    @property
    def observation_high(self) -> int:
        return max(self.size, self.num_players)

    def observe(self, player: int, planes: Any) -> None:
        planes[0, 0] = self.heap
        planes[0, 1] = (self.mover - player) % self.num_players

    def check(self) -> None:
        require_between("size", self.size, 1, 1000)
        require_between("num_players", self.num_players, 2, 10)
        require_between("rest", self.rest, -1, self.size)
        require_between("mover", self.mover, 0, self.num_players - 1)


class ThreeInARow(Position):
    """Tic-tac-toe for three: X, O and Z in turn; the first with three in a row wins it all.

    The stones of each player are a set of cells, bit row * width + column. Not a ``Board``, whose
    ``own`` and ``opp`` are the stones of two.
    """

    height: int = 3
    width: int = 4
    crosses: int = 0
    noughts: int = 0
    zeds: int = 0
    ply: int = 0
    parameters = ("height", "width")
    max_utility = 2.0
    num_players = 3

    @property
    def num_actions(self) -> int:
        return self.height * self.width

    @property
    def to_move(self) -> int:
        return self.ply % 3

    def stones(self, player: int) -> int:
        return self.crosses if player == 0 else self.noughts if player == 1 else self.zeds

    def legal(self, action: int) -> bool:
        return (self.crosses | self.noughts | self.zeds) >> action & 1 == 0

    def play(self, action: int) -> "ThreeInARow":
        bit, mover = 1 << action, self.to_move
        return ThreeInARow(
            self.height,
            self.width,
            self.crosses | (bit if mover == 0 else 0),
            self.noughts | (bit if mover == 1 else 0),
            self.zeds | (bit if mover == 2 else 0),
            self.ply + 1,
        )

    def has_row(self, stones: int) -> bool:
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    length = 0
                    for i in range(3):
                        r, c = row + i * down, column + i * right
                        if r < self.height and 0 <= c < self.width:
                            length += stones >> r * self.width + c & 1
                    if length == 3:
                        return True
        return False

    def is_terminal(self) -> bool:
        last = self.stones((self.ply + 2) % 3)
        return self.ply == self.num_actions or self.has_row(last)

    def utility(self, player: int) -> float:
        last = (self.ply + 2) % 3
        if not self.has_row(self.stones(last)):
            return 0.0
        return 2.0 if player == last else -1.0

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        return (self.height, self.width, 3)

    def observe(self, player: int, planes: Any) -> None:
        for i in range(3):
            stones = self.stones((player + i) % 3)
            for cell in range(self.num_actions):
                planes[cell // self.width, cell % self.width, i] = stones >> cell & 1

    def check(self) -> None:
        require_between("height", self.height, 1, 7)
        require_between("width", self.width, 1, 7)

    def __str__(self) -> str:
        cells = ["XOZ."[self.owner(cell)] for cell in range(self.num_actions)]
        rows = [cells[i : i + self.width] for i in range(0, self.num_actions, self.width)]
        return "\n".join(" ".join(row) for row in rows)

    def owner(self, cell: int) -> int:
        """Whose stone lies there, 3 for nobody's."""
        for player in range(3):
            if self.stones(player) >> cell & 1:
                return player
        return 3


class Pile(Position, compiled=False):
    """Take 1 or 2 of the stones; the last to take wins. In plain Python; meant to be broken."""

    stones: int = 5
    taken: int = 0
    ply: int = 0
    parameters = ("stones",)
    num_actions = 2

    @property
    def to_move(self) -> int:
        return self.ply % 2

    def legal(self, action: int) -> bool:
        return self.taken + action < self.stones

    def play(self, action: int) -> "Pile":
        return type(self)(self.stones, self.taken + action + 1, self.ply + 1)

    def is_terminal(self) -> bool:
        return self.taken == self.stones

    def utility(self, player: int) -> float:
        return -1 if player == self.to_move else 1

    @property
    def observation_shape(self) -> tuple[int]:
        return (self.stones,)

    def observe(self, player: int, planes: Any) -> None:
        for i in range(self.taken):
            planes[i] = 1

    def check(self) -> None:
        require_between("stones", self.stones, 1, 60)
        require_between("taken", self.taken, 0, self.stones)
