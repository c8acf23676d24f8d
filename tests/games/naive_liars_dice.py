"""Liar's dice with lists of dice and of bids, written to be obvious."""


class NaiveLiarsDice:
    def __init__(self, dice: int, sides: int, players: int = 2) -> None:
        self.dice, self.sides, self.num_players = dice, sides, players
        self.rolls: list[list[int]] = [[] for _ in range(players)]
        self.bids: list[tuple[int, int]] = []
        self.caller: int | None = None

    @property
    def rolling(self) -> bool:
        return any(len(roll) < self.dice for roll in self.rolls)

    @property
    def to_move(self) -> int:
        return -1 if self.rolling else len(self.bids) % self.num_players

    def actions(self) -> list[str]:
        if self.caller is not None:
            return []
        if self.rolling:
            return [str(face) for face in range(1, self.sides + 1)]
        quantities = range(1, self.dice * self.num_players + 1)
        bids = [(q, f) for q in quantities for f in range(1, self.sides + 1)]
        higher = [f"{q}-{f}" for q, f in bids if not self.bids or (q, f) > self.bids[-1]]
        return higher + (["liar"] if self.bids else [])

    def play(self, move: str) -> None:
        if self.rolling:
            next(roll for roll in self.rolls if len(roll) < self.dice).append(int(move))
        elif move == "liar":
            self.caller = self.to_move
        else:
            quantity, face = map(int, move.split("-"))
            self.bids.append((quantity, face))

    def seen(self, player: int) -> tuple[object, ...]:
        """What a player knows: the own dice, how many dice are rolled, and all bids."""
        number = sum(map(len, self.rolls))
        return tuple(sorted(self.rolls[player])), number, tuple(self.bids)

    def utility(self, player: int) -> int:
        assert self.caller is not None
        quantity, face = self.bids[-1]
        number = sum(roll.count(face) for roll in self.rolls)
        if face != self.sides:
            number += sum(roll.count(self.sides) for roll in self.rolls)
        bidder = (len(self.bids) - 1) % self.num_players
        winner, loser = (bidder, self.caller) if number >= quantity else (self.caller, bidder)
        return (player == winner) - (player == loser)
