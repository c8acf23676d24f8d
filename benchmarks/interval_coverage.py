"""Measures how often the 95 % intervals of report cards and tournaments contain the truth.

    python benchmarks/interval_coverage.py
    python benchmarks/interval_coverage.py --runs 2000

Results are drawn at random from distributions that are known, and given to the functions that
report cards and tournaments call themselves. A line of the table is one kind of data, with the
share of intervals that contain the true number, the standard error of that share, and the shares of
intervals that lie above and below the truth. Then comes the sequential test: how often it accepts
the wrong hypothesis where one of the two is exactly true, which alpha and beta, 5 %, promise to
limit. Next is the interval of two agents at many scores and numbers of pairs, with ten
times as many runs. Last are tournaments of games of three players and more, whose orders follow
Plackett and Luce's model. All depends on ``--seed`` only.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from adv_envs import Kuhn
from agents.arena.game_record import GameRecord, points_of_game
from agents.arena.rating.head_to_head import HeadToHead, elo_of, score_of
from agents.arena.rating.ratings import rate
from agents.arena.rating.sprt import ACCEPT_H0, ACCEPT_H1, RUNNING, Sprt
from agents.arena.rating.winnings import winnings
from agents.match_loop import Schedule
from agents.statistics import mean_interval, share_interval, t_interval

Generator = np.random.Generator
Trial = Callable[[Generator], Iterator[tuple[float, float | None, float | None]]]
"""Draws data once; yields true numbers with the two ends of their intervals, None for no limit."""

HALVES = [(0, 0), (0, 0.5), (0.5, 0.5), (1, 0.5), (1, 1)]
"""The points of pairs of games."""
PAIRS = (0.1, 0.2, 0.3, 0.2, 0.2)
"""Their probabilities."""
ADVANTAGE = 40.0
"""Elo of the first seat in simulated tournaments."""


def share(rng: Generator, true: float, n: int) -> Iterator[tuple[float, float, float]]:
    """Yields the share of correct moves of a report card: n independent positions."""
    found = share_interval((rng.random(n) < true).tolist())
    assert found is not None
    yield true, found.low, found.high


def share_in_games(rng: Generator, true: float, games: int) -> Iterator[tuple[float, float, float]]:
    """Yields the same of whole games of 10 moves; some games are played better than others."""
    skill = rng.beta(4 * true, 4 * (1 - true), games)
    hits = rng.random((games, 10)) < skill[:, None]
    found = share_interval(hits.flatten().tolist(), np.repeat(np.arange(games), 10).tolist())
    assert found is not None
    yield true, found.low, found.high


def regret(rng: Generator, true: float, n: int) -> Iterator[tuple[float, float, float]]:
    """Returns points lost: mostly none, sometimes 0.5 or 1."""
    lost = rng.choice([0.0, 0.5, 1.0], size=n, p=[1 - 4 * true / 3, 2 * true / 3, 2 * true / 3])
    found = mean_interval(lost.tolist(), int(rng.integers(2**31)))
    assert found is not None
    yield true, found.low, found.high


def score(
    rng: Generator, openings: int, again: int
) -> Iterator[tuple[float, float | None, float | None]]:
    """Yields the Elo of two agents from pairs; without chance, an opening's pair comes again."""
    drawn = np.tile(rng.choice(5, size=openings, p=PAIRS), again)
    points = [HALVES[kind] for kind in drawn]
    found = HeadToHead.from_points("a", "b", points, [*range(openings)] * again)
    low, high = found.elo_interval or (None, None)
    yield elo_of(float(np.linspace(0, 1, 5) @ PAIRS)), low, high


SCORES_OF_TWO = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
PAIRS_OF_TWO = (10, 20, 50, 100, 300)
KINDS_OF_TWO = {"no draws": (0.0, 0.0), "some draws": (0.4, 0.0), "many draws": (0.8, 0.0)} | {
    "pairs alike": (0.0, 0.4), "pairs unlike": (0.0, -0.3), "draws, alike": (0.4, 0.4)
}  # fmt: skip
"""The share of draws, of the most that the score allows, and the correlation of a pair's games."""


def kinds_of_pairs(score: float, draws: float, correlation: float) -> NDArray[np.float64]:
    """Returns the probabilities of 0 to 2 points of a pair, correlated as low as can be."""
    drawn = 2 * min(score, 1 - score) * draws
    game = np.array([1 - score - drawn / 2, drawn, score - drawn / 2])
    alone, alike = np.convolve(game, game), np.zeros(5)
    alike[::2] = game
    least = max(correlation, -(alone[0] / (alike[0] - alone[0])))
    return np.maximum((1 - least) * alone + least * alike, 0.0)  # not -1e-17


def interval_of_two(score: float, pairs: int, runs: int, rng: Generator, kind: str) -> float:
    """Returns how often the interval of two agents contains their score."""
    chances = kinds_of_pairs(score, *KINDS_OF_TWO[kind])
    drawn, times = np.unique(rng.multinomial(pairs, chances, runs), axis=0, return_counts=True)
    held = 0
    for counts, number in zip(drawn.tolist(), times.tolist(), strict=True):
        found = HeadToHead("a", "b", pairs_by_points=tuple(counts)).score_interval
        assert found is not None
        held += number * (found[0] <= score <= found[1])
    return held / runs


def print_intervals_of_two(runs: int, rng: Generator) -> None:
    """Prints how often they contain the score, by scores and numbers of pairs."""
    print(f"Elo of two by score, {runs} runs each")
    print(f"{'':24}" + "".join(f"{score:>7.0%}" for score in SCORES_OF_TWO))
    for kind in KINDS_OF_TWO:
        for pairs in PAIRS_OF_TWO:
            found = [interval_of_two(score, pairs, runs, rng, kind) for score in SCORES_OF_TWO]
            print(f"{f'{kind}, {pairs} pairs':24}" + "".join(f"{held:>7.1%}" for held in found))


def ratings(
    rng: Generator, elo: NDArray[np.float64], pairs: int
) -> Iterator[tuple[float, float | None, float | None]]:
    """Yields all agents of a tournament, without draws, so that the model is exactly true."""
    records, elo = [], elo - elo.mean()
    for a in range(len(elo)):
        for b in range(a):
            for _ in range(pairs):
                for first, second in ((a, b), (b, a)):
                    won = float(rng.random() < score_of(elo[first] - elo[second] + ADVANTAGE))
                    number, names = len(records), (str(first), str(second))
                    opening = (number // 2,)
                    record = GameRecord(number, names, opening, (), (won, 1 - won), (0.0, 0.0))
                    records.append(record)
    table = rate(records, resamples=500, seed=int(rng.integers(2**31)))
    for each in table.ratings:
        yield elo[int(each.agent)], each.low, each.high
    yield ADVANTAGE, table.first_seat.low, table.first_seat.high


def chips(rng: Generator, deals: int) -> Iterator[tuple[float, float | None, float | None]]:
    """Yields what an agent wins per game, of duplicate deals that share their cards."""
    cards = rng.standard_t(4, deals)
    values = np.stack([cards, -cards]) + rng.normal(0.3, 2, (2, deals))
    found = t_interval(values.T.flatten(), np.repeat(np.arange(deals), 2))
    yield 0.3, found.low, found.high


def orders(rng: Generator, elo: NDArray[np.float64], times: int) -> NDArray[np.int64]:
    """Returns (times, p): places of p agents, by the model of Plackett and Luce: 0 is the best."""
    strengths = elo * math.log(10) / 400 + rng.gumbel(size=(times, len(elo)))
    places: NDArray[np.int64] = np.argsort(np.argsort(-strengths, axis=1), axis=1)
    return places


def many(
    rng: Generator, elo: NDArray[np.float64], openings: int, alike: float, players: int = 3
) -> Iterator[tuple[float, float | None, float | None]]:
    """Yields the ratings of a tournament of games of several players.

    A share of the games of an opening, ``alike``, end as its first does, in all orders of seats.
    """
    records, elo = [], elo - elo.mean()
    schedule = Schedule(tuple(combinations(range(len(elo)), players)), openings, openings, 0,
                        permuted=True)  # fmt: skip
    for number in range(len(schedule)):
        task = schedule.task(number)
        if number % schedule.together == 0:
            first = dict(zip(task.players, orders(rng, elo[list(task.players)], 1)[0], strict=True))
        if rng.random() < alike:
            places = [first[agent] for agent in task.players]
        else:
            places = orders(rng, elo[list(task.players)], 1)[0].tolist()
        names = tuple(map(str, task.players))
        points = points_of_game([-float(place) for place in places])
        records.append(GameRecord(number, names, (task.opening,), (), points, (0.0,) * players))
    table = rate(records, resamples=500, seed=int(rng.integers(2**31)))
    for each in table.ratings:
        yield elo[int(each.agent)], each.low, each.high
    yield 0.0, table.first_seat.low, table.first_seat.high


def pots(
    rng: Generator, deals: int, worth: tuple[float, ...] = (1.0, 0.25, -0.25, -1.0)
) -> Iterator[tuple[float, float | None, float | None]]:
    """Yields what agents win of two others: means per game, and ratings, of duplicate deals."""
    schedule = Schedule(tuple(combinations(range(len(worth)), 3)), deals, 1, 0, permuted=True)
    tasks = [schedule.task(number) for number in range(len(schedule))]
    cards = rng.standard_t(4, (len(tasks) // schedule.together, 3))
    cards -= cards.mean(axis=1, keepdims=True)
    noise = rng.normal(0, 2, (len(tasks), 3))
    noise -= noise.mean(axis=1, keepdims=True)
    amounts = []
    for task in tasks:
        own = np.array([worth[agent] for agent in task.players])
        ahead = own - (own.sum() - own) / 2
        deal = cards[task.number // schedule.together]
        amounts.append((ahead + deal + noise[task.number]).tolist())
    records = [
        GameRecord(task.number, tuple(map(str, task.players)), (), (), (1.0, 0.5, 0.0), (0.0,) * 3)
        for task in tasks
    ]
    replaced = "agents.arena.rating.winnings.utilities_of"
    with mock.patch(replaced, lambda _, record: amounts[record.number]):
        table = winnings(Kuhn(players=3), records)
    for each in table.winnings:
        true = worth[int(each.agent)]
        others = [x for i, x in enumerate(worth) if i != int(each.agent)]
        yield true - sum(others) / len(others), each.mean.low, each.mean.high
        yield true, each.rating.low, each.rating.high


TRIALS: dict[str, Trial] = {
    "correct moves, 90 % of 50 positions": partial(share, true=0.9, n=50),
    "correct moves, 90 % of 150 positions": partial(share, true=0.9, n=150),
    "correct moves, 99 % of 150 positions": partial(share, true=0.99, n=150),
    "correct moves, 80 % in 20 whole games": partial(share_in_games, true=0.8, games=20),
    "correct moves, 80 % in 60 whole games": partial(share_in_games, true=0.8, games=60),
    "points lost, 0.05 at 150 positions": partial(regret, true=0.05, n=150),
    "points lost, 0.30 at 150 positions": partial(regret, true=0.3, n=150),
    "Elo of two, 30 openings": partial(score, openings=30, again=1),
    "Elo of two, 200 openings": partial(score, openings=200, again=1),
    "Elo of two, 30 openings 4 times": partial(score, openings=30, again=4),
    "ratings of 3, 20 pairs each": partial(ratings, elo=np.array([0.0, 100.0, 250.0]), pairs=20),
    "ratings of 5, 20 pairs each": partial(ratings, elo=np.arange(5) * 100.0, pairs=20),
    "chips per game, 12 deals": partial(chips, deals=12),
    "chips per game, 60 deals": partial(chips, deals=60),
}


OF_MANY: dict[str, Trial] = {
    "3 players, ratings of 3, 20 groups": partial(
        many, elo=np.array([0.0, 100.0, 250.0]), openings=20, alike=0.0
    ),
    "3 players, ratings of 3, alike": partial(
        many, elo=np.array([0.0, 100.0, 250.0]), openings=30, alike=0.5
    ),
    "3 players, ratings of 5, 10 groups each": partial(
        many, elo=np.arange(5) * 80.0, openings=10, alike=0.3
    ),
    "4 players, ratings of 4, 20 groups": partial(
        many, elo=np.arange(4) * 80.0, openings=20, alike=0.3, players=4
    ),
    "chips of 3 players, 20 deals": partial(pots, deals=20),
}
"""Tournaments of games of three players and more."""


def measure(trial: Trial, runs: int, rng: Generator) -> tuple[float, float, float, float]:
    """Returns the share of intervals that hold the truth, its error, those above and below it."""
    held, above, below = [], [], []
    for _ in range(runs):
        found = [
            (low is not None and true < low, high is not None and true > high)
            for true, low, high in trial(rng)
        ]
        above.append(np.mean([over for over, _ in found]))
        below.append(np.mean([under for _, under in found]))
        held.append(1 - above[-1] - below[-1])
    error = float(np.std(held, ddof=1)) / math.sqrt(runs)
    return float(np.mean(held)), error, float(np.mean(above)), float(np.mean(below))


def wrong_verdicts(elo: float, wrong: str, runs: int, rng: Generator) -> tuple[float, float]:
    """Returns how often the test accepts a false hypothesis, and how many pairs it takes."""
    test, mistakes, taken = Sprt(0, 40, model="logistic"), 0, 0
    base = np.array([0.15, 0.2, 0.3, 0.2, 0.15])
    tilt = (score_of(elo) - 0.5) / float(base @ (np.linspace(0, 1, 5) - 0.5) ** 2)
    chances = base * (1 + tilt * (np.linspace(0, 1, 5) - 0.5))
    for _ in range(runs):
        counts = np.zeros(5, int)
        while test.state(counts.tolist()) == RUNNING:
            counts += rng.multinomial(10, chances)
        mistakes += test.state(counts.tolist()) == wrong
        taken += int(counts.sum())
    return mistakes / runs, taken / runs


def print_trials(trials: dict[str, Trial], runs: int, rng: Generator) -> None:
    """Prints a line for each kind of data."""
    for name, trial in trials.items():
        held, error, above, below = measure(trial, runs, rng)
        print(f"{name:40} {held:>10.1%} {error:>6.1%} {above:>6.1%} {below:>6.1%}", flush=True)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began, rng = time.perf_counter(), np.random.default_rng(given.seed)
    print(f"95 % intervals, {given.runs} runs each, seed {given.seed}")
    print(f"{'':40} {'contain it':>10} {'error':>6} {'above':>6} {'below':>6}")
    print_trials(TRIALS, given.runs, rng)
    print("sequential test of 0 against 40 Elo, asked after every 10 pairs")
    for elo, wrong in ((0.0, ACCEPT_H1), (40.0, ACCEPT_H0)):
        mistakes, taken = wrong_verdicts(elo, wrong, given.runs, rng)
        print(f"{f'{elo:g} Elo: {wrong} accepted':40} {mistakes:>10.1%}; {taken:.0f} pairs a test")
    print_intervals_of_two(10 * given.runs, rng)
    print("games of three players and more")
    print_trials(OF_MANY, given.runs, np.random.default_rng(given.seed))
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
