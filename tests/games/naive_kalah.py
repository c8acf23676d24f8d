"""Kalah once more, as obvious as can be: a ring of holes as a list, sown one after the other."""


class NaiveKalah:
    """A game in progress.

    ``holes`` go round the board counterclockwise: the pits of player 0, the store of player 0, the
    pits of player 1, the store of player 1.
    """

    def __init__(self, pits: int = 6, seeds: int = 4, empty_capture: bool = False) -> None:
        self.pits, self.empty_capture = pits, empty_capture
        row = [seeds] * pits
        self.holes = [*row, 0, *row, 0]
        self.to_move = 0

    def row(self, player: int) -> list[int]:
        """The holes that are pits of this player."""
        first = player * (self.pits + 1)
        return list(range(first, first + self.pits))

    def store(self, player: int) -> int:
        """The hole that is the store of this player."""
        return player * (self.pits + 1) + self.pits

    def is_over(self) -> bool:
        return any(all(self.holes[hole] == 0 for hole in self.row(p)) for p in (0, 1))

    def actions(self) -> list[int]:
        if self.is_over():
            return []
        return [i for i, hole in enumerate(self.row(self.to_move)) if self.holes[hole] > 0]

    def play(self, action: int) -> None:
        me, other = self.to_move, 1 - self.to_move
        round_of_mine = [hole for hole in range(len(self.holes)) if hole != self.store(other)]
        at = round_of_mine.index(self.row(me)[action])
        in_hand = self.holes[round_of_mine[at]]
        self.holes[round_of_mine[at]] = 0
        for _ in range(in_hand):
            at = (at + 1) % len(round_of_mine)
            self.holes[round_of_mine[at]] += 1
        last = round_of_mine[at]
        if last in self.row(me) and self.holes[last] == 1:
            across = self.row(other)[::-1][self.row(me).index(last)]
            if self.holes[across] > 0 or self.empty_capture:
                self.holes[self.store(me)] += 1 + self.holes[across]
                self.holes[last] = self.holes[across] = 0
        if last != self.store(me):
            self.to_move = other

    def utility(self, player: int) -> int:
        """What the player has more than the other, counting what is left in the rows."""
        mine = sum(self.holes[hole] for hole in [*self.row(player), self.store(player)])
        return mine - (sum(self.holes) - mine)

    def observation(self, player: int) -> list[int]:
        """Own pits and store, then the other's, with all seeds in the stores at the end."""
        seen = []
        for who in (player, 1 - player):
            row, store = [self.holes[hole] for hole in self.row(who)], self.holes[self.store(who)]
            if self.is_over():
                row, store = [0] * self.pits, store + sum(row)
            seen += [*row, store]
        return seen
