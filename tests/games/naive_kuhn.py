"""Kuhn poker once more, as obvious as can be: lists of cards and of words."""


class NaiveKuhn:
    """A game in progress: ``deal`` lists the players' cards, 0 for the lowest."""

    def __init__(self, deal: list[int]) -> None:
        self.deal = list(deal)
        self.words: list[str] = []

    @property
    def to_move(self) -> int:
        return len(self.words) % len(self.deal)

    def in_pot(self) -> list[int]:
        """Who has put in the second chip."""
        players = len(self.deal)
        return sorted({i % players for i, word in enumerate(self.words) if word == "bet"})

    def is_over(self) -> bool:
        if "bet" not in self.words:
            return len(self.words) == len(self.deal)
        return len(self.words) == self.words.index("bet") + len(self.deal)

    def showdown(self) -> list[int]:
        """Who compares cards at the end."""
        return self.in_pot() or list(range(len(self.deal)))

    def actions(self) -> list[str]:
        return [] if self.is_over() else ["pass", "bet"]

    def play(self, word: str) -> None:
        self.words.append(word)

    def utility(self, player: int) -> int:
        paid = [2 if other in self.in_pot() else 1 for other in range(len(self.deal))]
        winner = max(self.showdown(), key=self.deal.__getitem__)
        return sum(paid) * (player == winner) - paid[player]

    def seen(self, player: int) -> tuple[object, ...]:
        """What ``player`` knows: every card or None, and all that has been said."""
        shown = self.showdown() if self.is_over() else []
        face_up = shown if len(shown) > 1 else []
        cards = [c if p == player or p in face_up else None for p, c in enumerate(self.deal)]
        return player, tuple(cards), tuple(self.words)
