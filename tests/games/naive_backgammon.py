"""Backgammon once more, as obvious as can be: two lists of men, and all plays of a turn."""

from __future__ import annotations

import copy

BAR, OFF = 25, 0


class NaiveBackgammon:
    """A game being played. ``men[player][point]``: points as that player counts them."""

    def __init__(self) -> None:
        start = {24: 2, 13: 5, 8: 3, 6: 5}
        self.men = [[start.get(point, 0) for point in range(26)] for _ in range(2)]
        self.dice: list[int] = []
        self.turn: int | None = None

    @property
    def to_move(self) -> int:
        """-1 while the dice are to be rolled."""
        return -1 if not self.dice or self.turn is None else self.turn

    def is_over(self) -> bool:
        return any(men[OFF] == 15 for men in self.men)

    def actions(self) -> list[tuple[int, int] | None]:
        """Pairs of dice, where they are to be rolled; or of point and die; or a pass, None."""
        if self.is_over():
            return []
        if self.to_move >= 0:
            return [*self.legal()] or [None]
        dice = range(1, 7)
        if self.turn is None:
            return [(a, b) for a in dice for b in dice if a != b]
        return [(a, b) for a in dice for b in dice if a >= b]

    def roll(self, first: int, second: int) -> None:
        if self.turn is None:
            self.turn = 0 if first > second else 1
        self.dice = [first] * 4 if first == second else [first, second]

    def can_move(self, point: int, die: int) -> bool:
        assert self.turn is not None
        own, other = self.men[self.turn], self.men[1 - self.turn]
        if own[point] == 0 or (own[BAR] > 0 and point != BAR):
            return False
        end = point - die
        if end > 0:
            return other[25 - end] <= 1
        if any(own[p] > 0 for p in range(7, 26)):
            return False
        return end == 0 or not any(own[p] > 0 for p in range(point + 1, 7))

    def move(self, point: int, die: int) -> None:
        assert self.turn is not None
        own, other = self.men[self.turn], self.men[1 - self.turn]
        end = max(point - die, OFF)
        own[point] -= 1
        own[end] += 1
        if end != OFF and other[25 - end] == 1:
            other[25 - end] = 0
            other[BAR] += 1
        self.dice.remove(die)

    def all_plays(self) -> list[list[tuple[int, int]]]:
        """Every way to play dice until no more can be played, as pairs of point and die."""
        plays = []
        for die in sorted(set(self.dice)):
            for point in range(1, 26):
                if not self.is_over() and self.can_move(point, die):
                    after = copy.deepcopy(self)
                    after.move(point, die)
                    plays += [[(point, die), *rest] for rest in after.all_plays()]
        return plays or [[]]

    def legal(self) -> set[tuple[int, int]]:
        """The first moves of the longest plays, of the higher die if there is a choice of one."""
        plays = self.all_plays()
        longest = max(map(len, plays))
        firsts = {play[0] for play in plays if play and len(play) == longest}
        if longest == 1:
            highest = max(die for _, die in firsts)
            firsts = {(point, die) for point, die in firsts if die == highest}
        return firsts

    def play(self, move: tuple[int, int] | None) -> None:
        """Roll, or move a man, or None: there is nothing to move."""
        if self.to_move < 0 and move is not None:
            self.roll(*move)
            return
        assert self.turn is not None
        if move is None:
            self.dice = []
        else:
            self.move(*move)
        if not self.dice and not self.is_over():
            self.turn = 1 - self.turn

    def utility(self, player: int) -> int:
        winner = 0 if self.men[0][OFF] == 15 else 1
        loser = self.men[1 - winner]
        points = 1
        if loser[OFF] == 0:
            points = 3 if any(loser[point] > 0 for point in range(19, 26)) else 2
        return points if player == winner else -points
