"""Leduc hold'em once more, as obvious as can be: lists of cards, chips and words."""

from itertools import count


class NaiveLeduc:
    """A game in progress: ``deal`` lists the cards (rank, suit) of the players and the public one.

    ``blinds``: two players, by the rules of RLCard.
    """

    def __init__(self, deal: list[tuple[int, int]], blinds: bool = False) -> None:
        *self.cards, self.public = deal
        self.players, self.blinds = len(self.cards), blinds
        self.paid = [1, 2] if blinds else [1] * self.players
        self.left = list(range(self.players))
        self.rounds: list[list[str]] = [[]]
        self.to_move = 0
        self.to_act = list(range(self.players))
        """Who has still to act in this round, in turn."""

    def actions(self) -> list[str]:
        """What the player to move may do; nothing when the game is over."""
        if self.is_over():
            return []
        behind = self.paid[self.to_move] < max(self.paid)
        words = ["call" if behind else "check"]
        if behind or self.blinds:
            words.append("fold")
        if self.rounds[-1].count("raise") < 2:
            words.append("raise")
        return sorted(words)

    def play(self, word: str) -> None:
        player = self.to_act.pop(0)
        self.rounds[-1].append(word)
        if word == "fold":
            self.left.remove(player)
        if word in ("call", "raise"):
            self.paid[player] = max(self.paid)
        if word == "raise":
            self.paid[player] += 2 * len(self.rounds)
            self.to_act = self.others_after(player)
        if not self.to_act and not self.is_over():
            self.rounds.append([])
            first = player if self.blinds else self.players - 1
            self.to_act = self.others_after(first) + [first] * (first in self.left)
        if self.to_act:
            self.to_move = self.to_act[0]

    def others_after(self, player: int) -> list[int]:
        """The others who are left, in turn."""
        around = [(player + step) % self.players for step in range(1, self.players)]
        return [other for other in around if other in self.left]

    def is_over(self) -> bool:
        return len(self.left) == 1 or (not self.to_act and len(self.rounds) == 2)

    def strength(self, player: int) -> tuple[bool, int]:
        rank = self.cards[player][0]
        return rank == self.public[0], rank

    def utility(self, player: int) -> float:
        best = max(map(self.strength, self.left))
        winners = [p for p in self.left if self.strength(p) == best]
        if len(self.left) == 1:
            winners = self.left
        share = sum(self.paid) / len(winners)
        return share * (player in winners) - self.paid[player]

    def seen(self, player: int) -> tuple[object, ...]:
        """What ``player`` knows: every card or None, and all that has been said."""
        shown = self.left if self.is_over() and len(self.left) > 1 else []
        cards = [c if p == player or p in shown else None for p, c in zip(count(), self.cards)]
        public = self.public if len(self.rounds) == 2 else None
        return player, tuple(cards), public, tuple(map(tuple, self.rounds))
