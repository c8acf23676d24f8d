"""Goofspiel with lists of cards, written to be obvious."""


class NaiveGoofspiel:
    def __init__(self, cards: int, order: int, secret: bool, margin: bool, turns: int) -> None:
        self.cards, self.order, self.secret, self.margin = cards, order, secret, margin
        self.turns = turns or cards
        self.hands = [list(range(1, cards + 1)) for _ in range(2)]
        self.deck = list(range(1, cards + 1))
        if order == -1:
            self.deck.reverse()
        self.prizes: list[int] = []
        self.bids: list[list[int]] = [[], []]
        self.next_prize()

    def next_prize(self) -> None:
        if self.order:
            self.prizes.append(self.deck.pop(0))

    @property
    def to_move(self) -> int:
        if len(self.prizes) == len(self.bids[1]):
            return -1
        return len(self.bids[0]) - len(self.bids[1])

    def is_over(self) -> bool:
        return len(self.bids[1]) == self.turns

    def actions(self) -> list[int]:
        if self.is_over():
            return []
        return sorted(self.deck if self.to_move == -1 else self.hands[self.to_move])

    def play(self, card: int) -> None:
        if self.to_move == -1:
            self.deck.remove(card)
            self.prizes.append(card)
            return
        player = self.to_move
        self.hands[player].remove(card)
        self.bids[player].append(card)
        if player == 1 and not self.is_over():
            self.next_prize()
            if len(self.hands[0]) == 1:  # nobody has a choice
                for _ in range(2 if self.order else 3):
                    self.play(self.actions()[0])

    def winners(self) -> list[int | None]:
        """Who took each prize."""
        pairs = zip(*self.bids, strict=False)
        return [None if a == b else int(b > a) for a, b in pairs]

    def points(self) -> list[int]:
        points = [0, 0]
        for prize, winner in zip(self.prizes, self.winners(), strict=False):
            if winner is not None:
                points[winner] += prize
        return points

    def seen(self, player: int) -> tuple[object, ...]:
        """What a player knows: the prizes, who took them, the own bids, and what is no secret."""
        own, other = self.bids[player], self.bids[1 - player]
        finished = [] if self.secret else other[: len(self.bids[1])]
        return tuple(self.prizes), tuple(self.winners()), tuple(own), tuple(finished), self.to_move

    def utility(self, player: int) -> float:
        more = self.points()[player] - self.points()[1 - player]
        return more / 2 if self.margin else (more > 0) - (more < 0)
