"""Nim once more, as obvious as can be: a list of heaps, and who wins by trying everything."""

from functools import cache


class NaiveNim:
    """A game in progress."""

    def __init__(self, heaps: list[int], misere: bool = False) -> None:
        self.heaps, self.misere = list(heaps), misere
        self.to_move = 0
        self.winner: int | None = None

    def actions(self) -> list[tuple[int, int]]:
        """(heap, stones to take from it), for every move there is."""
        return [(i, n) for i, size in enumerate(self.heaps) for n in range(1, size + 1)]

    def utility(self, player: int) -> int:
        return 1 if player == self.winner else -1

    def observation(self, player: int) -> list[int]:
        return self.heaps

    def play(self, move: tuple[int, int]) -> None:
        heap, number = move
        self.heaps[heap] -= number
        if sum(self.heaps) == 0:
            self.winner = 1 - self.to_move if self.misere else self.to_move
        self.to_move = 1 - self.to_move


@cache
def wins(heaps: tuple[int, ...], misere: bool) -> bool:
    """Whether the player to move wins with best play; ``heaps`` are sorted."""
    if sum(heaps) == 0:
        return misere
    for i, size in enumerate(heaps):
        for rest in range(size):
            after = sorted([*heaps[:i], rest, *heaps[i + 1 :]])
            if not wins(tuple(after), misere):
                return True
    return False
