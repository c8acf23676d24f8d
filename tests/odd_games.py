"""Games with an oddity each, in plain Python: play that can go on for ever, tossed coins."""

from typing import Any

from adv_envs import CHANCE, Position


class Shuttle(Position, compiled=False):
    """A token on the cells 0 .. size; player 0 wants it at ``size``, player 1 at 0.

    Each moves it a cell to the left (action 0) or to the right (1), or two to the right (2) from
    every third cell. Positions come again, and nobody has to let the other win. Reaching the right
    end is worth ``right`` to player 0, the left end ``left`` to player 1.
    """

    size: int = 7
    right: int = 1
    left: int = 1
    moved: int = 0  # from the middle
    mover: int = 0
    parameters = ("size", "right", "left")
    observation_shape = (1,)
    num_actions = 3

    @property
    def at(self) -> int:
        return self.size // 2 + self.moved

    @property
    def to_move(self) -> int:
        return self.mover

    @property
    def max_utility(self) -> int:
        return max(self.right, self.left)

    def legal(self, action: int) -> bool:
        return action < 2 or (self.at % 3 == 0 and self.at + 2 <= self.size)

    def play(self, action: int) -> "Shuttle":
        step = (-1, 1, 2)[action]
        return type(self)(self.size, self.right, self.left, self.moved + step, 1 - self.mover)

    def is_terminal(self) -> bool:
        return self.at in (0, self.size)

    def utility(self, player: int) -> float:
        worth = self.right if self.at == self.size else -self.left
        return worth if player == 0 else -worth

    @property
    def observation_high(self) -> int:
        return self.size

    def observe(self, player: int, planes: Any) -> None:
        planes[0] = self.at


class Toss(Position, compiled=False):
    """Take one of the coins (action 0), or toss (1): chance takes 1 or, three times in four, 2.

    Whoever takes the last coin wins, by toss or not.
    """

    coins: int = 6
    gone: int = 0
    mover: int = 0
    tossed: bool = False
    parameters = ("coins",)
    observation_shape = (1,)
    num_actions = 2

    @property
    def to_move(self) -> int:
        return CHANCE if self.tossed else self.mover

    def legal(self, action: int) -> bool:
        return action == 0 or self.gone + 2 <= self.coins

    def probability(self, action: int) -> float:
        if self.gone + 2 > self.coins:
            return 1.0 - action
        return (0.25, 0.75)[action]

    def play(self, action: int) -> "Toss":
        if not self.tossed and action == 1:
            return type(self)(self.coins, self.gone, self.mover, True)
        return type(self)(self.coins, self.gone + action + 1, 1 - self.mover, False)

    def is_terminal(self) -> bool:
        return self.gone == self.coins

    def utility(self, player: int) -> float:
        return -1.0 if player == self.mover else 1.0

    @property
    def observation_high(self) -> int:
        return self.coins

    def observe(self, player: int, planes: Any) -> None:
        planes[0] = self.gone
