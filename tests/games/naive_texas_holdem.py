"""Texas hold'em once more, as obvious as can be: lists of cards, chips and words.

A card is text, "Ah". Player 0 is left of the button, who is player 0 among two.
"""

from collections import Counter
from itertools import combinations

RANKS = "23456789TJQKA"


def five_cards(cards: tuple[str, ...]) -> tuple[int, ...]:
    """What five cards are worth: the category, 0 to 8, then the ranks that decide."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    many = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    by_number = [rank for rank, _ in many]
    numbers = [number for _, number in many]
    flush = len({card[1] for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = by_number = [3, 2, 1, 0, -1]  # the ace is low
    straight = len(numbers) == 5 and ranks[0] - ranks[4] == 4
    category = {
        (1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7,
    }[tuple(numbers)]  # fmt: skip
    if straight or flush:
        category = 8 if straight and flush else 5 if flush else 4
    return (category, *by_number)


def best_hand(cards: list[str]) -> tuple[int, ...]:
    """The best five of the cards."""
    return max(map(five_cards, combinations(cards, 5)))


class NaiveHoldem:
    """A hand in progress. ``deck`` is dealt from its beginning: a card each, again, the board."""

    first_bets = (2, 2, 4, 4)
    limit = True

    def __init__(
        self, deck: list[str], stacks: list[int], blinds: tuple[int, int] = (1, 2),
        bets: int = 4, rlcard: bool = False, amounts: bool = False,
    ) -> None:  # fmt: skip
        self.players = n = len(stacks)
        self.hands = [[deck[p], deck[p + n]] for p in range(n)]
        self.deck = deck[2 * n : 2 * n + 5]
        self.shown = 0
        self.left = list(stacks)
        self.paid = [0] * n
        self.bets, self.rlcard, self.amounts = bets, rlcard, amounts
        self.big = blinds[1]
        self.folded = [False] * n
        self.to_move = 0
        self.said: list[list[tuple[int, str]]] = []
        for player, chips in enumerate(blinds):
            self.pay(player, chips)
        self.begin(2 % n)

    def pay(self, player: int, chips: int) -> None:
        chips = min(chips, self.left[player])
        self.left[player] -= chips
        self.paid[player] += chips

    def begin(self, first: int) -> None:
        """A round of betting, begun by ``first`` or the next who can act."""
        self.said.append([])
        street = len(self.said) - 1
        self.count = 1 if street == 0 and not self.rlcard else 0
        self.raise_by = self.big * (1 if street < 2 or not self.limit else 2)
        self.acted: set[int] = set()
        self.to_act = self.around(first)
        able = self.able()
        if len(able) == 1 and self.paid[able[0]] == max(self.paid):
            self.to_act = []
        if self.rlcard and self.limit:  # as many act as there are players, some of them again
            self.to_act = [first, *self.in_turn(first, self.players - 1)]
        self.settle()

    def around(self, first: int) -> list[int]:
        order = [(first + step) % self.players for step in range(self.players)]
        return [player for player in order if player in self.able()]

    def able(self) -> list[int]:
        return [p for p in range(self.players) if not self.folded[p] and self.left[p] > 0]

    def settle(self) -> None:
        """Who is next; a round without anybody to act is over, and the next cards are shown."""
        if self.is_over():
            return
        if self.to_act:
            self.to_move = self.to_act[0]
        elif len(self.said) == 4:
            self.shown = 5
            self.said.append([])  # over
        else:
            self.shown = (3, 4, 5)[len(self.said) - 1]
            self.begin(self.after_the_flop())

    def after_the_flop(self) -> int:
        if self.rlcard and self.limit:
            return self.next_in(self.last)
        return 1 if self.players == 2 and not self.rlcard else 0

    def next_in(self, player: int) -> int:
        player = (player + 1) % self.players
        while self.folded[player]:
            player = (player + 1) % self.players
        return player

    def in_turn(self, player: int, number: int) -> list[int]:
        """The next so many who are in, round and round."""
        found: list[int] = []
        while len(found) < number:
            found.append(self.next_in(found[-1] if found else player))
        return found

    def is_over(self) -> bool:
        return self.folded.count(False) == 1 or len(self.said) == 5

    def raise_targets(self) -> dict[str, int]:
        """The raises that are allowed, and what has been put in after each."""
        me, level = self.to_move, max(self.paid)
        mine, most = self.paid[me], self.paid[me] + self.left[me]
        others = [p for p in range(self.players) if p != me and not self.folded[p]]
        if self.bets and self.count >= self.bets:
            return {}
        if self.rlcard and self.limit:
            return {"raise": level + self.raise_by}
        if self.rlcard:
            pot = sum(self.paid)
            wanted = {"half-pot": mine + pot // 2, "pot": mine + pot, "all-in": most}
            return {word: to for word, to in wanted.items() if level < to <= most}
        if most <= level or all(self.paid[p] + self.left[p] <= level for p in others):
            return {}
        if me in self.acted and level - mine < self.raise_by:
            return {}
        least = min(level + self.raise_by, most)
        if self.limit:
            return {"raise": least}
        if self.amounts:
            return {f"raise{to}": to for to in range(least, most + 1)}
        pot = sum(self.paid) + level - mine
        half, whole = (max(level + self.raise_by, level + part) for part in (pot // 2, pot))
        found = {"all-in": most}
        if half < most:
            found["half-pot"] = half
        if half < whole < most:
            found["pot"] = whole
        return found

    def actions(self) -> list[str]:
        """What the player to move may do; nothing when the game is over."""
        if self.is_over():
            return []
        behind = self.paid[self.to_move] < max(self.paid)
        words = ["call" if behind else "check", *self.raise_targets()]
        return words + ["fold"] * (behind or self.rlcard)

    def play(self, word: str) -> None:
        me, level = self.to_move, max(self.paid)
        targets = self.raise_targets()
        self.said[-1].append((me, word))
        number = len(self.to_act)
        self.to_act.pop(0)
        self.last = me
        self.acted.add(me)
        if word == "fold":
            self.folded[me] = True
        elif word in ("call", "check"):
            self.pay(me, level - self.paid[me])
        else:
            self.pay(me, targets[word] - self.paid[me])
            self.count += 1
            self.to_act = [p for p in self.around(me) if p != me]
            if self.paid[me] - level >= self.raise_by:
                self.raise_by = self.paid[me] - level
                self.acted = {me}
        if self.rlcard and self.limit:  # who folds is still waited for, so another acts once more
            number -= word != "fold"
            self.to_act = self.in_turn(me, self.players - 1 if word == "raise" else number)
        self.settle()

    def utility(self, player: int) -> int:
        """What is won of each pot, chip by chip, less what was put in."""
        return self.winnings()[player] - self.paid[player]

    def winnings(self) -> list[int]:
        won, left = [0] * self.players, list(self.paid)
        order = [1, 0] if self.players == 2 and not self.rlcard else list(range(self.players))
        while any(left):
            contenders = [p for p in order if left[p] > 0 and not self.folded[p]]
            part = min(left[p] for p in contenders)
            pot = sum(min(part, chips) for chips in left)
            left = [max(chips - part, 0) for chips in left]
            best = max(map(self.strength, contenders))
            winners = [p for p in contenders if self.strength(p) == best]
            for number, winner in enumerate(winners):
                won[winner] += pot // len(winners) + (number < pot % len(winners))
        return won

    def strength(self, player: int) -> tuple[int, ...]:
        return best_hand(self.hands[player] + self.deck) if self.folded.count(False) > 1 else ()

    def shows(self) -> list[int]:
        """Who shows the cards at the end, in turn."""
        if not self.is_over() or self.folded.count(False) == 1:
            return []
        players = [p for p in range(self.players) if not self.folded[p]]
        if any(self.left[p] == 0 for p in players):
            return players
        raisers = [p for p, word in self.said[3] if word not in ("call", "check", "fold")]
        first = raisers[-1] if raisers else self.said[3][0][0]
        if self.rlcard and self.limit:
            first = self.next_in(self.last)
        shown: list[int] = []
        for step in range(self.players):
            player = (first + step) % self.players
            if player not in players:
                continue
            if all(self.strength(player) >= self.strength(p) for p in shown):
                shown.append(player)
        return shown

    def seen(self, player: int) -> tuple[object, ...]:
        """What ``player`` knows: every hand or None, the board, and all that has been said."""
        shown = [player, *self.shows()]
        hands = tuple(tuple(h) if p in shown else None for p, h in enumerate(self.hands))
        said = tuple(tuple(turn) for turn in self.said if turn)
        return player, hands, tuple(self.deck[: self.shown]), said


class NaiveNoLimit(NaiveHoldem):
    """Without limit."""

    limit = False
