"""Positions that give the compiler something to do: wide sets, and names that mean two things."""

from typing import Annotated, Any

from adv_envs import Position
from adv_envs.bits import count, lowest, num_words, pack, resized, scratch, single
from adv_envs.jit import kernel
from adv_envs.position import Wide


class Bare(Position):
    """What the contract asks for, so that a test need only add what it is about."""

    @property
    def num_actions(self) -> int:
        return 2

    @property
    def to_move(self) -> int:
        return 0

    def legal(self, action: int) -> bool:
        return True

    def is_terminal(self) -> bool:
        return False

    def utility(self, player: int) -> float:
        return 0.0


class Sets(Bare):
    """Two sets of up to ``bits`` cells."""

    bits: int = 64
    a: Wide = 0
    b: Wide = 0
    flag: bool = False
    number: int = 0
    parameters = ("bits",)

    @property
    def board_bits(self) -> int:
        return self.bits

    def play(self, action: int) -> "Sets":
        return self.combined(action, 0)

    def combined(self, how: int, by: int) -> "Sets":
        """The sets with ``a`` replaced by what the operator numbered ``how`` makes of them."""
        cells = self.a
        if how == 0:
            cells = self.a & self.b
        elif how == 1:
            cells = self.a | self.b
        elif how == 2:
            cells = self.a ^ self.b
        elif how == 3:
            cells = self.a << by
        elif how == 4:
            cells = self.a >> by
        elif how == 5:
            cells = self.a & ~self.b
        elif how == 6:
            cells = single(by, self.b)
        else:
            cells = self.mixed(how, by)
        return Sets(self.bits, cells, self.b, self.flag, by)

    def mixed(self, how: int, by: int) -> Wide:
        cells = self.a
        if how == 7:
            cells &= self.b
            cells |= self.a >> 3
            cells ^= self.b
            cells >>= 2
            cells <<= 1
        elif how == 8:
            cells = (self.a | 5) & ~(self.b & 3) ^ 9
        elif how == 9:
            cells = self.a if by % 2 == 0 else 0
        elif how == 10:
            while cells != 0 and by > 0:  # without its lowest cells
                cells &= ~single(lowest(cells), cells)
                by -= 1
        elif how == 11 and cells != 0:
            cells = cells & cells - 1 | (self.b >> 1) + 1
            cells = resized(cells, self.b)
        return cells

    def look(self, by: int, numbers: Any) -> None:
        numbers[0] = count(self.a)
        numbers[1] = lowest(self.a) if self.a != 0 else -1
        numbers[2] = self.a == self.b
        numbers[3] = self.a != self.b
        numbers[4] = self.a == 0
        numbers[5] = self.a >> by & 1 != 0
        numbers[6] = self.a & 6 == 2
        numbers[7] = count(self.a ^ self.b)
        numbers[8] = num_words(self)
        numbers[9] = self.bits


class Diary(Bare):
    """A set of 63 cells, and what it was before: its last ``length`` values, of 32 bits each."""

    length: int = 3
    cells: int = 0
    history: Annotated[int, "history_bits"] = 0
    parameters = ("length",)

    @property
    def history_bits(self) -> int:
        return 32 * self.length

    def play(self, action: int) -> "Diary":
        low = self.history & 0
        for i in range(32 * self.length):
            low |= single(i, low)
        history = (self.history << 32 | resized(self.cells & 0xFFFFFFFF, low)) & low
        return Diary(self.length, self.cells >> 1 ^ action, history)


OPERATORS = range(12)


@kernel
def combine(position: Sets, how: int, by: int, numbers: Any, words: Any) -> Sets:
    """Everything at once, to be compiled once for each width."""
    position.look(by, numbers)
    pack(position, words)
    return position.combined(how, by)


class Fields(Bare):
    """Here ``wide`` is a field and ``tall`` is not; ``deep`` is a method."""

    wide: int = 3
    x: int = 0

    @property
    def tall(self) -> int:
        return 10 * self.wide

    def deep(self) -> int:
        return 7

    def play(self, action: int) -> "Fields":
        return Fields(self.wide, self.x + action)


class Properties(Bare):
    """Here ``tall`` is a field and ``wide`` is not; ``deep`` is a constant."""

    tall: int = 4
    x: int = 0
    deep = 70

    @property
    def wide(self) -> int:
        return 100 * self.tall

    def play(self, action: int) -> "Properties":
        return Properties(self.tall, self.x + action)


class Constants(Bare):
    """Here ``wide`` is a constant, ``tall`` comes from the base class, and ``deep`` is a field."""

    deep: int = 5
    x: int = 0
    wide = 1000
    sides = 6
    corners = (1, 2, 4)
    half = 0.5

    def play(self, action: int) -> "Constants":
        return Constants(self.deep, self.x + self.corners[action])


class Child(Fields):
    """Its rules are those of Fields, but for one."""

    @property
    def tall(self) -> int:
        return 11 * self.wide


@kernel
def triangle(number: int) -> int:
    """The sum of the numbers below, by way of an array in the frame."""
    numbers, total = scratch(8), 0
    for i in range(number):
        numbers[i] = i
    for i in range(number):
        total += numbers[i]
    return total


@kernel
def area(position: Any) -> int:
    return position.wide * 10_000 + position.tall  # type: ignore[no-any-return]


@kernel
def area_again(position: Any) -> int:
    return position.tall * 10_000 + position.wide  # type: ignore[no-any-return]
