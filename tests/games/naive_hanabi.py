"""Hanabi with lists of cards, a card being a colour and a rank, written to be obvious."""

from collections import Counter

LETTERS = {"red": "R", "yellow": "Y", "green": "G", "white": "W", "blue": "B"}
Card = tuple[str, int]


class NaiveHanabi:
    def __init__(
        self, players: int, colours: int, ranks: int, hand_size: int, hints: int, lives: int,
        keep_score: bool,
    ) -> None:  # fmt: skip
        self.num_players, self.hand_size, self.most_hints = players, hand_size, hints
        self.hints, self.lives, self.keep_score = hints, lives, keep_score
        self.colours, self.ranks = list(LETTERS)[:colours], ranks
        self.deck = Counter[Card]()
        for colour in self.colours:
            for rank in range(1, ranks + 1):
                self.deck[colour, rank] = 3 if rank == 1 else 1 if rank == ranks else 2
        self.hands: list[list[Card]] = [[] for _ in range(players)]
        self.fireworks = dict.fromkeys(self.colours, 0)
        self.discards: list[Card] = []
        self.player = 0
        self.last_turns: int | None = None
        self.drawing: list[int] = [p for p in range(players) for _ in range(hand_size)]

    @property
    def to_move(self) -> int:
        return -1 if self.drawing else self.player

    @property
    def points(self) -> int:
        return sum(self.fireworks.values())

    def is_over(self) -> bool:
        complete = all(top == self.ranks for top in self.fireworks.values())
        return self.lives == 0 or complete or self.last_turns == 0

    def actions(self) -> list[str]:
        if self.is_over():
            return []
        if self.drawing:
            return [f"{LETTERS[c]}{r}" for (c, r), number in self.deck.items() if number > 0]
        places = "abcde"[: len(self.hands[self.player])]
        found = [f"play-{place}" for place in places]
        if self.hints < self.most_hints:
            found += [f"discard-{place}" for place in places]
        if self.hints > 0:
            for other, hand in enumerate(self.hands):
                if other != self.player:
                    values = {str(value) for card in hand for value in card}
                    away = (other - self.player) % self.num_players
                    found += [f"tell-{away}-{value}" for value in values]
        return found

    def play(self, move: str) -> None:
        if self.drawing:
            colour = next(c for c, letter in LETTERS.items() if letter == move[0])
            self.deck[colour, int(move[1])] -= 1
            self.hands[self.drawing.pop(0)].append((colour, int(move[1])))
            if self.deck.total() == 0:
                self.last_turns = self.num_players
            return
        if self.last_turns is not None:
            self.last_turns -= 1
        if move.startswith("tell"):
            self.hints -= 1
        else:
            colour, rank = self.hands[self.player].pop("abcde".index(move[-1]))
            self.use(move.startswith("play"), colour, rank)
            if self.deck.total() > 0:
                self.drawing = [self.player]
        self.player = (self.player + 1) % self.num_players

    def use(self, playing: bool, colour: str, rank: int) -> None:
        if playing and self.fireworks[colour] == rank - 1:
            self.fireworks[colour] = rank
            gives_hint = rank == self.ranks
        else:
            self.discards.append((colour, rank))
            self.lives -= playing
            gives_hint = not playing
        if gives_hint and self.hints < self.most_hints:
            self.hints += 1

    def utility(self, player: int) -> int:
        return self.points if self.lives > 0 or self.keep_score else 0
