"""Solves an abstraction of limit hold'em by CFR, and plays it against the player by equity.

Two players, and one bet a round after the flop and later. Hands are put into buckets by their
equity against a random hand, as many to each: in the abstract game players see buckets instead of
cards, and how likely buckets follow each other, and win, is counted in random deals. An equilibrium
of it is played at the real game by looking up the bucket of the own cards.

    python examples/texas_holdem_cfr.py
    python examples/texas_holdem_cfr.py --buckets 2 5 1 8 --deals 300000 --iterations 1000
"""

import argparse
import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np

from adv_envs import CHANCE, Position, TexasHoldem
from adv_envs.games.poker_hands import card_bit, hand_strength
from adv_envs.position import NEVER
from agents import match
from agents.agent import SeededAgent, require_unfinished
from agents.equilibrium import CFR, TabularPolicy, exploitability, game_tree, plus, uniform_policy
from agents.games.holdem.equities import rank_tables, sampled_equity

REAL = TexasHoldem(raises=1)
DIGIT = 4
"""Bits of a bucket in a path."""
SAMPLES = 60
"""Hands and boards that are drawn for the equity of a hand."""
ACTIONS = 4

Cuts = list[list[float]]
"""For each round, the equities at which the next bucket begins."""
Path = tuple[int, ...]
"""The buckets of both players in each round so far: player 0's, player 1's, player 0's ..."""


# ---- buckets


def equity(cards: list[int], seed: int) -> float:
    """Returns the equity of a hand and a board against a random hand, by samples."""
    return sampled_equity(np.array(cards, np.int64), 1, SAMPLES, seed, rank_tables())


def bucket(cards: list[int], cuts: Cuts) -> int:
    """Returns the bucket of a hand and a board, always the same for the same cards."""
    street = (2, 5, 6, 7).index(len(cards))
    seed = sum((card + 1) << 6 * i for i, card in enumerate(cards)) & 0xFFFFFFFF
    value = equity(cards, seed)
    return sum(value >= cut for cut in cuts[street])


def cuts_for(numbers: list[int], rng: np.random.Generator) -> Cuts:
    """Returns cuts between as many buckets for each round, equally often met."""
    cuts: Cuts = []
    for number, size in zip(numbers, (2, 5, 6, 7), strict=True):
        hands = [[int(c) for c in rng.permutation(52)[:size]] for _ in range(4000)]
        values = [equity(hand, i) for i, hand in enumerate(hands)]
        cuts.append([float(np.quantile(values, i / number)) for i in range(1, number)])
    return cuts


class Deals:
    """Counts, in random deals, which buckets follow each other, and what player 0 wins."""

    def __init__(self, cuts: Cuts, number: int, rng: np.random.Generator) -> None:
        self.counts: dict[Path, int] = defaultdict(int)
        self.next: dict[Path, set[int]] = defaultdict(set)
        self.wins: dict[Path, float] = defaultdict(float)
        self.most = max(len(each) for each in cuts) + 1
        for _ in range(number):
            self.add([int(card) for card in rng.permutation(52)[:9]], cuts)

    def add(self, deck: list[int], cuts: Cuts) -> None:
        """Counts one deal: two cards each, and the board."""
        path: Path = ()
        self.counts[path] += 1
        for size in (0, 3, 4, 5):
            board = deck[4 : 4 + size]
            pair = tuple(bucket(deck[2 * p : 2 * p + 2] + board, cuts) for p in (0, 1))
            self.next[path].add(pair[0] * self.most + pair[1])
            path += pair
            self.counts[path] += 1
        first, second = (strength([*deck[2 * p : 2 * p + 2], *deck[4:9]]) for p in (0, 1))
        self.wins[path] += (first > second) - (first < second)


def strength(cards: list[int]) -> int:
    """Returns the strength of a hand of seven cards."""
    return hand_strength(sum(map(card_bit, cards)))


DEALS: list[Deals] = []
"""What the abstract game is played with."""


# ---- the abstract game


@cache
def betting(history: int) -> TexasHoldem:
    """Returns a position of the real game, with some cards, after these actions."""
    if history == 1:
        return REAL.after([0, 4, 8, 12])
    here = betting(history >> 2).play(history & 3)
    while here.waiting == 0 and not here.is_terminal():
        here = here.play(16 + here.dealt)
    return here


class BucketHoldem(Position, compiled=False):
    """Holds a game in which players see buckets. Chance deals those of both players in one ply."""

    path: int = 0  # four bits for a bucket + 1, 0 if it is not seen
    history: int = 1
    dealt: int = 0  # pairs of buckets

    @property
    def num_actions(self) -> int:
        """Returns the pairs of buckets, or the actions of the real game."""
        return max(DEALS[0].most ** 2, ACTIONS)

    @property
    def max_utility(self) -> float:
        """Returns what may be won in the real game."""
        return REAL.max_utility

    @property
    def to_move(self) -> int:
        """Returns chance where a round has no buckets yet."""
        here = betting(self.history)
        return CHANCE if here.street >= self.dealt else here.turn

    def buckets(self) -> Path:
        """Returns the buckets of all rounds."""
        return tuple((self.path >> DIGIT * i & 15) - 1 for i in range(2 * self.dealt))

    def legal(self, action: int) -> bool:
        """Tests whether buckets have been met, or the real game allows the action."""
        if self.to_move == CHANCE:
            return action in DEALS[0].next[self.buckets()]
        return action < ACTIONS and betting(self.history).legal(action)

    def pair(self, action: int) -> Path:
        """Returns the two buckets of an action of chance."""
        return divmod(action, DEALS[0].most)

    def probability(self, action: int) -> float:
        """Returns how often these buckets followed."""
        counts, path = DEALS[0].counts, self.buckets()
        return counts[path + self.pair(action)] / counts[path]

    def play(self, action: int) -> "BucketHoldem":
        """Deals two buckets, or lets the player act."""
        if self.to_move != CHANCE:
            return BucketHoldem(self.path, self.history << 2 | action, self.dealt)
        first, second = self.pair(action)
        pair = first + 1 | second + 1 << DIGIT
        return BucketHoldem(
            self.path | pair << 2 * DIGIT * self.dealt, self.history, self.dealt + 1
        )

    def is_terminal(self) -> bool:
        """Tests whether the betting is over."""
        return betting(self.history).is_terminal()

    def utility(self, player: int) -> float:
        """Returns what is won, or on average at a showdown of such buckets."""
        over, path = betting(self.history), self.buckets()
        won: float = over.utility(0)
        if over.num_left() == 2:
            won = over.level() * DEALS[0].wins[path] / DEALS[0].counts[path]
        return won if player == 0 else -won

    def hidden(self, player: int) -> "BucketHoldem":
        """Hides the other's buckets."""
        seen = sum(15 << DIGIT * (2 * i + player) for i in range(self.dealt))
        return BucketHoldem(self.path & seen, self.history, self.dealt)

    def seen_after(self, player: int, action: int) -> int:
        """Tells nobody the buckets of both."""
        return NEVER if self.to_move == CHANCE else 0

    @property
    def observation_shape(self) -> tuple[int]:
        """Returns (1,): searches do not look at it."""
        return (1,)

    def observe(self, player: int, planes: Any) -> None:
        """Writes nothing."""


# ---- its equilibrium at the real game


@dataclass(repr=False)
class BucketPlayer(SeededAgent):
    """Plays a policy of the abstract game at the real one."""

    policy: TabularPolicy
    cuts: Cuts = field(default_factory=list)
    seed: int | None = None
    name: ClassVar[str] = "bucket_player"

    def act(self, position: Position) -> int:
        """Returns an action, drawn as the policy says for the buckets of the own cards."""
        here = require_unfinished(position)
        assert isinstance(here, TexasHoldem)
        view = here.hidden(here.turn)
        cards = [view.card_at(place) for place in (view.turn, view.turn + 2, *range(4, view.dealt))]
        path = 0
        for street in range(view.street + 1):
            number = bucket(cards[: (2, 5, 6, 7)[street]], self.cuts)
            path |= number + 1 << DIGIT * (2 * street + view.turn)
        abstract = BucketHoldem(path, view.history, view.street + 1)
        chances = self.policy.probabilities(abstract)
        legal = view.legal_actions()
        return self.rng.choices(legal, [chances[action] + 1e-12 for action in legal])[0]


def chips_a_hand(agent: BucketPlayer, other: str, pairs: int) -> str:
    """Returns what the agent wins, with the interval of 95 %, in duplicate deals."""
    result = match(REAL, agent, other, pairs=pairs, seed=1)
    won = [game.utilities[result.seat(0, i)] for i, game in enumerate(result.games)]
    halves = [(one + two) / 2 for one, two in zip(won[::2], won[1::2], strict=True)]
    half_width = 1.96 * statistics.stdev(halves) / math.sqrt(len(halves))
    return f"{statistics.fmean(halves):+.3f} +- {half_width:.3f}"


def main() -> None:
    """Prints the exploitability in the abstract game, and what is won in the real one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--buckets", type=int, nargs=4, default=[2, 3, 3, 4], help="in each round")
    parser.add_argument("--deals", type=int, default=100_000, help="random deals (100000)")
    parser.add_argument("--iterations", type=int, default=300, help="iterations of CFR+ (300)")
    parser.add_argument("--pairs", type=int, default=2000, help="pairs of hands (2000)")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    cuts = cuts_for(options.buckets, rng)
    DEALS[:] = [Deals(cuts, options.deals, rng)]
    tree = game_tree(BucketHoldem(), limit=3_000_000)
    print(f"{tree.num_nodes:,} histories, {tree.num_sets:,} information sets")
    print(f"uniform play: exploitability {exploitability(uniform_policy(BucketHoldem())):.3f}")
    solver = CFR(tree, plus)
    solver.run(options.iterations)
    policy = solver.average()
    print(f"CFR+, {options.iterations} iterations: exploitability {exploitability(policy):.4f}")
    for other in ("random", "equity_player(samples=100, trust=0)", "equity_player(samples=100)"):
        won = chips_a_hand(BucketPlayer(policy, cuts), other, options.pairs)
        print(f"against {other}: {won} chips a hand")


if __name__ == "__main__":
    main()
