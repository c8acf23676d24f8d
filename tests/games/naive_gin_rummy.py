"""Gin rummy once more, as obvious as can be: lists of cards such as "7h", and every way to meld."""

from itertools import combinations

RANKS, SUITS = "A23456789TJQK", "shdc"
Meld = tuple[str, ...]


def points(cards: list[str]) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def is_meld(cards: Meld) -> bool:
    ranks = sorted(RANKS.index(rank) for rank, _ in cards)
    if len({suit for _, suit in cards}) == 1:
        return ranks == list(range(ranks[0], ranks[0] + len(cards)))
    return len(set(ranks)) == 1


def all_melds(cards: list[str]) -> list[Meld]:
    """Every three or more cards that are a meld."""
    by_suit = [[c for c in cards if c[1] == suit] for suit in SUITS]
    by_rank = [[c for c in cards if c[0] == rank] for rank in RANKS]
    groups = [
        g for group in by_suit + by_rank for n in range(3, 11) for g in combinations(group, n)
    ]
    return [group for group in groups if is_meld(group)]


def arrangements(cards: list[str]) -> list[list[Meld]]:
    """Every choice of melds without a common card."""
    found: list[list[Meld]] = [[]]
    for meld in all_melds(cards):
        found += [[*some, meld] for some in found if not {c for m in some for c in m} & {*meld}]
    return found


def left_over(cards: list[str], melds: list[Meld]) -> list[str]:
    return [card for card in cards if not any(card in meld for meld in melds)]


def least_deadwood(cards: list[str]) -> int:
    return min(points(left_over(cards, melds)) for melds in arrangements(cards))


def laid_out(cards: list[str]) -> list[Meld]:
    """The melds of who knocked: the least deadwood, the most cards in sets, the lowest of them."""

    def key(melds: list[Meld]) -> tuple[int, int, int]:
        sets = [c for meld in melds if len({c[0] for c in meld}) == 1 for c in meld]
        number = sum(1 << SUITS.index(suit) * 13 + RANKS.index(rank) for rank, suit in sets)
        return points(left_over(cards, melds)), -len(sets), number

    return min(arrangements(cards), key=key)


def least_after_layoffs(cards: list[str], melds: list[Meld]) -> int:
    """The least deadwood of who may add single cards to the melds of the other, one by one."""
    best = least_deadwood(cards)
    for card in cards:
        for at, meld in enumerate(melds):
            longer = tuple(sorted((*meld, card)))
            if is_meld(longer):
                rest = [c for c in cards if c != card]
                more = [*melds[:at], longer, *melds[at + 1 :]]
                best = min(best, least_after_layoffs(rest, more))
    return best


class NaiveGinRummy:
    """A hand in progress; ``actions`` are words, and cards that chance deals."""

    def __init__(
        self, variant: str, knock: int, gin_bonus: int, undercut_bonus: int, ranks: int,
        hand_size: int,
    ) -> None:  # fmt: skip
        self.simple, self.oklahoma = variant == "simplified", variant == "oklahoma"
        self.knock, self.bonuses = knock, (gin_bonus, undercut_bonus)
        self.stock = [rank + suit for rank in RANKS[:ranks] for suit in SUITS]
        self.to_deal = [0] * (hand_size + self.simple) + [1] * hand_size
        self.hands: list[list[str]] = [[], []]
        self.known: list[list[str]] = [[], []]
        self.pile: list[str] = []
        self.offers = 0 if self.simple else 2
        self.player, self.drawing = 0, False
        self.taken: str | None = None
        self.discards, self.ended, self.dead = 0, "", False

    @property
    def to_move(self) -> int:
        chance = self.to_deal or (not self.simple and not self.pile and not self.taken)
        return -1 if not self.ended and (chance or self.drawing) else self.player

    def full(self) -> bool:
        """Whether the player has a card too many."""
        return len(self.hands[self.player]) > len(self.hands[1 - self.player])

    def actions(self) -> list[str]:
        if self.ended:
            return []
        if self.to_move == -1:
            return self.stock
        if self.full():
            return self.ways_out() or self.discards_allowed()
        if self.offers > 0:
            return ["pass", "take"]
        if self.offers == -1:
            return ["draw"]
        if self.simple and self.discards == 100:
            return ["dead"]
        return ["take", "draw" if len(self.stock) > 2 else "dead"]

    def discards_allowed(self) -> list[str]:
        return [card for card in self.hands[self.player] if card != self.taken]

    def ways_out(self) -> list[str]:
        """What may be done if one may go out; nothing if not."""
        hand, found = self.hands[self.player], set[str]()
        for card in hand if self.simple else self.discards_allowed():
            left = least_deadwood([c for c in hand if c != card])
            if left == 0:
                found.add("gin")
            elif left <= self.knock:
                found.add(f"knock-{card}")
        if self.simple and "gin" in found:
            return ["gin"]
        return [*found, *self.discards_allowed()] if found else []

    def play(self, word: str) -> None:
        if self.to_move == -1:
            self.give(word)
        elif word == "pass":
            self.offers -= 1
            self.player = 1 - self.player
            self.offers = self.offers or -1
        elif word == "take":
            self.taken = self.pile.pop()
            self.hands[self.player].append(self.taken)
            self.known[self.player].append(self.taken)
            self.offers = 0
        elif word == "draw":
            self.drawing, self.offers = True, 0
        elif word == "dead":
            self.ended = word
        else:
            self.discard(word)

    def give(self, card: str) -> None:
        """Chance deals or gives a card of the stock."""
        self.stock.remove(card)
        if self.to_deal:
            self.hands[self.to_deal.pop(0)].append(card)
        elif self.drawing:
            self.hands[self.player].append(card)
            self.drawing = False
        else:
            self.pile.append(card)
            if self.oklahoma:
                self.knock = 0 if card[0] == "A" else points([card])

    def discard(self, word: str) -> None:
        hand = self.hands[self.player]
        card = word[-2:]
        if word == "gin":
            card = next(
                c for suit in SUITS for rank in RANKS for c in [rank + suit]
                if c in hand and (self.simple or c != self.taken)
                and least_deadwood([other for other in hand if other != c]) == 0
            )  # fmt: skip
        hand.remove(card)
        self.known[self.player] = [c for c in self.known[self.player] if c != card]
        self.pile.append(card)
        self.taken, self.discards = None, self.discards + 1
        if word in ("gin", f"knock-{card}"):
            self.ended = word[:5]
        elif not self.simple and (len(self.stock) == 2 or self.discards == 100):
            self.ended = "dead"
        else:
            self.player = 1 - self.player

    def reward(self, player: int) -> float:
        if player == self.player and self.ended != "dead":
            return {"gin": 1.0, "knock": 0.5}[self.ended]
        return -least_deadwood(self.hands[player]) / 100

    def utility(self, player: int) -> float:
        if self.simple:
            return (self.reward(player) - self.reward(1 - player)) / 2
        if self.ended == "dead":
            return 0
        won, (out, other) = self.won(), (self.player, 1 - self.player)
        return {out: won, other: -won}[player]

    def won(self) -> int:
        """The points of who went out."""
        mine, theirs = self.hands[self.player], self.hands[1 - self.player]
        if self.ended == "gin":
            return least_deadwood(theirs) + self.bonuses[0]
        ahead = least_after_layoffs(theirs, laid_out(mine)) - least_deadwood(mine)
        return ahead if ahead > 0 else ahead - self.bonuses[1]

    def observation(self, player: int) -> list[list[int]]:
        cards = [rank + suit for suit in SUITS for rank in RANKS]
        mine, known = self.hands[player], self.known[1 - player]
        hidden = [*self.stock, *(c for c in self.hands[1 - player] if c not in known)]
        rows = [mine, self.pile[-1:], self.pile[:-1], known, hidden]
        return [[int(card in row) for card in cards] for row in rows]
