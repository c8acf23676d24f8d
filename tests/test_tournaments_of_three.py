"""Tournaments of games of three players and more: seats, groups, what is kept, and ratings."""

import json
import math
import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from adv_envs import CHANCE, Kuhn, LiarsDice, Position, ThirtyOne
from agents.arena import GameRecord, StoreError, TimeControl, Tournament, run, workers
from agents.arena.game_files import read_pgn, write_pgn
from agents.arena.game_record import points_of_game
from agents.arena.ladder import ladder_for
from agents.arena.rating.head_to_head import HeadToHead, all_against_all
from agents.arena.rating.ratings import rate
from agents.arena.rating.winnings import utilities_of, winnings
from agents.arena.schedule import MOST_GROUPS, default_games, make_plan, pairings_of
from agents.arena.store import read, read_game
from agents.match_loop import Schedule
from agents.reports.tournament_page import page_data, tournament_html
from agents.seating import group_size

pytestmark = pytest.mark.compiled

THREE, DICE = ThirtyOne(num_players=3), LiarsDice(players=3)
FOUR = ["random", "greedy", "random(seed=1)", "max_n(depth=1)"]
BLUFFERS = ["random", "ismcts(simulations=3)", "random(seed=1)", "random(seed=2)"]


def played(start: Position, agents: list[Any], games: int | None = 6, **options: Any) -> Tournament:
    return run(start, agents, games, **{"workers": 0, "seed": 3, **options})


def timeless(rows: list[GameRecord]) -> list[GameRecord]:
    return [replace(row, seconds=(0.0,) * len(row.players)) for row in rows]


# ---- who plays whom


@pytest.mark.parametrize(("players", "agents"), [(2, 3), (3, 4), (4, 5)])
def test_every_group_plays_every_order_of_seats(players: int, agents: int) -> None:
    schedule = Schedule(pairings_of("round-robin", agents, players), 2, 2, 7, permuted=True)
    groups = list(combinations(range(agents), players))
    assert len(schedule) == 2 * len(groups) * math.factorial(players)
    tasks = [schedule.task(number) for number in range(len(schedule))]
    assert len({task.seed for task in tasks}) == len(tasks)
    found = Counter((task.opening, task.players) for task in tasks)
    assert found == {(r, order): 1 for r in (0, 1) for g in groups for order in permutations(g)}
    size = math.factorial(players)
    for first in range(0, len(tasks), size):
        own = tasks[first : first + size]
        assert len({(task.chance_seed, task.opening, frozenset(task.players)) for task in own}) == 1
    assert len({task.chance_seed for task in tasks}) == 2 * len(groups)


@pytest.mark.parametrize("players", [5, 7])
def test_of_many_each_has_each_seat_and_neighbours_change(players: int) -> None:
    schedule = Schedule((tuple(range(players)),), 6, 6, 7, permuted=True)
    assert schedule.together == group_size(players) == players
    orders = set()
    for group in range(6):
        own = [schedule.task(group * players + turn).players for turn in range(players)]
        assert all(sorted(seats) == list(range(players)) for seats in zip(*own, strict=True))
        orders.add(min(own))
    assert len(orders) > 3
    assert schedule.task(3) == Schedule((tuple(range(players)),), 6, 6, 7, permuted=True).task(3)


def test_groups_of_all_modes() -> None:
    assert pairings_of("round-robin", 4, 3) == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    assert pairings_of("gauntlet", 4, 3) == ((0, 1, 2), (0, 1, 3), (0, 2, 3))
    assert pairings_of("near:2", 4, 3) == ((0, 1, 2), (1, 2, 3))
    with pytest.raises(ValueError, match="3 agents are at most near:2, not near:1"):
        pairings_of("near:1", 4, 3)


@pytest.mark.parametrize(
    ("mode", "agents", "players"), [("round-robin", 30, 3), ("gauntlet", 60, 4)]
)
def test_of_many_groups_a_balanced_sample_plays(mode: str, agents: int, players: int) -> None:
    found = pairings_of(mode, agents, players, seed=5)
    assert len(found) == len(set(found)) == max(MOST_GROUPS, 4 * agents)
    assert all(len(set(group)) == players and list(group) == sorted(group) for group in found)
    times = Counter(agent for group in found for agent in group)
    if mode == "gauntlet":
        assert times.pop(0) == len(found)
    assert len(times) == agents - (mode == "gauntlet")
    assert max(times.values()) - min(times.values()) <= 2
    assert found == pairings_of(mode, agents, players, seed=5)
    assert found != pairings_of(mode, agents, players, seed=6)


def test_how_many_games() -> None:
    assert [default_games(players) for players in range(2, 8)] == [100, 102, 120, 100, 102, 105]
    assert len(played(THREE, FOUR[:3], None).games) == 102


@pytest.mark.parametrize(
    ("start", "agents", "options", "message"),
    [
        (THREE, FOUR[:2], {}, "needs 3 agents or more, one for each seat, not 2; name an agent ag"),
        (THREE, FOUR, {"games": 8}, "a multiple of 6, as each opening is played 6 times, in every"),
        (Kuhn(players=5), FOUR + FOUR, {"games": 6}, "multiple of 5, .* with each agent in each s"),
        (THREE, FOUR, {"games": 0}, "a multiple of 6"),
        (THREE, FOUR, {"openings": "balanced"}, "for two players, not 3: use random:2"),
        (THREE, FOUR, {"sprt": (0, 10)}, "SPRT compares two agents, not 4"),
        (THREE, FOUR, {"mode": "near:1"}, "at most near:2"),
    ],
)
def test_what_cannot_be_is_refused(start: Any, agents: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        played(start, agents, **options)


def test_there_is_no_ladder_for_three() -> None:
    with pytest.raises(
        ValueError, match="ladders are for games of two players, not 3: adv-envs to"
    ):
        ladder_for(THREE)


# ---- points


def test_points_are_the_share_of_the_others_that_were_beaten() -> None:
    assert points_of_game([1, -1]) == (1.0, 0.0)
    assert points_of_game([0, 0]) == (0.5, 0.5)
    assert points_of_game([0.5, -1.0, 0.5]) == (0.75, 0.0, 0.75)
    assert points_of_game([3, 2, 1, -6]) == (1.0, 2 / 3, 1 / 3, 0.0)
    rng = random.Random(1)
    for players in (2, 3, 4, 5, 10):
        for _ in range(30):
            worth = [float(rng.randrange(-3, 4)) for _ in range(players)]
            game = GameRecord(0, tuple("abcdefghij"[:players]), (), (), points_of_game(worth), ())
            assert sum(game.points) == pytest.approx(players / 2)
            assert points_of_game(game.points) == game.points
            for i, j, points in game.duels:
                assert points == (worth[i] > worth[j]) + 0.5 * (worth[i] == worth[j])


# ---- games that are played


@pytest.mark.parametrize(("start", "agents"), [(THREE, FOUR), (DICE, BLUFFERS)], ids=["31", "dice"])
def test_it_is_interrupted_and_resumed(
    start: Any, agents: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(result: Tournament) -> None:
        if len(result.games) > 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(workers, "SLICE", 0.0)
    path = tmp_path / "t.db"
    whole = played(start, agents, 12)
    assert len(whole.games) == 4 * 12
    first = played(start, agents, 12, out=path, on_progress=interrupt)
    assert not first.complete
    stored, rows = read(path)
    assert rows == first.games
    assert len(rows) == 21
    assert stored["games"] == 12
    second = played(start, agents, 12, out=path, resume=True)
    assert second.games[:21] == rows
    assert timeless(second.games) == timeless(whole.games)
    assert second.ratings() == whole.ratings()
    assert second.winnings() == whole.winnings()
    assert read_game(path, 30)[1] == second.games[30]
    with pytest.raises(StoreError, match="games is 12 there, 18 here"):
        played(start, agents, 18, out=path, resume=True)


def test_processes_play_the_same(tmp_path: Path) -> None:
    assert timeless(played(DICE, BLUFFERS[:3], workers=2).games) == timeless(
        played(DICE, BLUFFERS[:3]).games
    )


def test_a_group_has_the_same_deal() -> None:
    result = played(DICE, BLUFFERS[:3], 12)
    deals = []
    for game in result.games:
        position, deal = DICE, []
        for action in game.actions:
            if position.to_move == CHANCE:
                deal.append(action)
            position = position.play(action)
        deals.append(tuple(deal))
    assert len(set(deals[:6])) == len(set(deals[6:])) == 1
    assert deals[0] != deals[6]
    assert {game.pair for game in result.games[:6]} == {0}
    assert [game.turn for game in result.games] == [*range(6), *range(6)]
    assert {game.players for game in result.games[:6]} == set(permutations(result.names))


def broken(position: Any) -> int:
    raise ArithmeticError("no")


def test_who_fails_loses_to_all_others() -> None:
    result = played(THREE, ["random", broken, "greedy"])
    for game in result.games:
        seat = game.players.index(result.names[1])
        assert (game.loser, game.fault, game.points[seat]) == (seat, "crash", 0.0)
        assert sorted(game.points) == [0.0, 0.75, 0.75]
        worth = utilities_of(THREE, game)
        assert worth[seat] == -1.0
        assert sum(worth) == 0.0
    lost = result.standings.table()[-1]
    assert (lost.name, lost.points, lost.games) == (result.names[1], 0.0, 6)
    assert lost.forfeits.crash == 6
    assert (lost.score.losses, lost.mean) == (12, -1.0)
    assert [seat.games for seat in lost.seats] == [2, 2, 2]


def test_the_table_adds_up() -> None:
    result = played(THREE, FOUR, 12)
    rows = result.standings.to_dict()
    assert sum(row["points"] for row in rows) == len(result.games) * 1.5
    assert [row["games"] for row in rows] == [36] * 4
    assert sum(row["won"] for row in rows) == pytest.approx(0)
    assert all(len(row["by_seat"]) == 3 for row in rows)
    assert json.loads(json.dumps(result.to_dict()))["games"][5]["points"] == [
        *result.games[5].points
    ]
    table = result.ratings()
    assert (table.games, table.pairs, table.clusters, table.players) == (48, 8, 8, 3)
    assert [rating.games for rating in table.ratings] == [72] * 4
    assert "A game of 3 players counts as 3 of two." in table.lines()


def test_files_and_pages() -> None:
    for start, agents in ((THREE, FOUR), (DICE, BLUFFERS)):
        games = played(start, agents).games
        assert read_pgn(write_pgn(start, games), start) == games
        page = tournament_html(page_data(start, games))
        for word in ("Other seats", "3rd seat", "groups of 3 agents, in every order of the seats"):
            assert word in page
        told = re.findall(r'title="(.*% in the 1st seat, .*% in the 2nd seat, .*3rd seat)"', page)
        assert len(told) == len(agents), "the plot of seats shows all three"
    text = write_pgn(THREE, games_of([[0.5, -1.0, 0.5]]))
    with pytest.raises(ValueError, match=r"game 1: points 1\.0 1\.0 1\.0 are not"):
        read_pgn(text.replace("0.75 0.0 0.75", "1.0 1.0 1.0"), THREE)


@pytest.mark.parametrize(
    "seats", ["", "[]", "[[1, 2, 3], [1.0, 0.5, 0.0], [0.0, 0.0, 0.0]]", '[["a", "b"], [], []]']
)
def test_damaged_seats_are_told(seats: str, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    played(THREE, FOUR[:3], out=path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE game SET seats = ? WHERE number = 3", (seats,))
    with pytest.raises(StoreError, match="game 3 is not as it was written"):
        read(path)


def test_a_file_of_version_4_goes_on(tmp_path: Path) -> None:
    path, start = tmp_path / "t.db", ThirtyOne()
    whole = played(start, FOUR[:2], out=path).games
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("ALTER TABLE game RENAME TO later")
        db.execute("CREATE TABLE game AS SELECT * FROM later")
        db.execute("ALTER TABLE game DROP COLUMN seats")
        db.execute("DROP TABLE later")
        db.execute("PRAGMA user_version = 4")
    assert read(path)[1] == whole
    assert played(start, FOUR[:2], out=path, resume=True).games == whole
    assert read(path)[1] == whole


# ---- statistics


def games_of(utilities: list[list[float]], names: str = "abc") -> list[GameRecord]:
    """Games of 31, in groups of all orders of the seats; ``utilities`` are by agent."""
    orders = list(permutations(range(len(names))))
    found = []
    for number, worth in enumerate(utilities):
        group, turn = divmod(number, len(orders))
        order = orders[turn]
        points = points_of_game([worth[agent] for agent in order])
        players = tuple(names[agent] for agent in order)
        zeros = (0.0,) * len(names)
        found.append(GameRecord(number, players, (group,), (), points, zeros))
    return found


def drawn(groups: int, seed: int, alike: bool = False) -> list[GameRecord]:
    rng = np.random.default_rng(seed)
    strengths = np.array([0.0, 0.4, 0.9])
    worth: list[list[float]] = []
    for _ in range(groups):
        orders = (strengths + rng.gumbel(size=(6, 3))).tolist()
        worth += [orders[0]] * 6 if alike else orders
    return games_of(worth)


def test_ratings_are_those_of_every_two() -> None:
    """Maximum likelihood by hand, from each two of a game."""
    games = drawn(25, 1)
    games = [g if n % 4 else replace(g, points=(0.5, 0.5, 0.5)) for n, g in enumerate(games)]

    def minus_log_posterior(x: Any) -> float:
        total = float((x**2).sum()) / (2 * 1000**2)
        for game in games:
            for i, j in combinations(range(3), 2):
                a, b = ("abc".index(game.players[seat]) for seat in (i, j))
                p = 1 / (1 + 10 ** (-(x[a] - x[b] + x[3]) / 400))
                y = 0.5 + 0.5 * np.sign(game.points[i] - game.points[j])
                total -= y * math.log(p) + (1 - y) * math.log(1 - p)
        return total

    by_hand = minimize(minus_log_posterior, np.zeros(4)).x
    table = rate(games)
    for rating in table.ratings:
        own = by_hand["abc".index(rating.agent)] - by_hand[:3].mean()
        assert rating.elo == pytest.approx(own, abs=0.05)
    assert table.first_seat.value == pytest.approx(by_hand[3], abs=0.05)


def test_the_group_is_the_unit() -> None:
    """Six games that end alike tell no more than one; as independent games they would tell more."""
    alike, each = rate(drawn(40, 2, alike=True)), rate(drawn(40, 2))
    wide, narrow = ([r.high - r.low for r in t.ratings] for t in (alike, each))  # type: ignore[operator]
    assert all(1.5 < a / b < 4 for a, b in zip(wide, narrow, strict=True))
    assert alike.clusters == each.clusters == 40
    games = drawn(20, 3)
    again = [replace(game, number=game.number + len(games)) for game in games]
    once, twice = rate(games), rate(games + again)
    assert (twice.clusters, twice.pairs) == (20, 40)
    for a, b in zip(once.ratings, twice.ratings, strict=True):
        assert a.high - a.low == pytest.approx(b.high - b.low, rel=0.15)  # type: ignore[operator]


def test_who_wins_all_has_no_upper_limit() -> None:
    worth = [[2.0, float(n % 2), float(n % 3 == 0)] for n in range(60)]
    table = rate(games_of(worth))
    assert table.ratings[0].agent == "a"
    assert table.ratings[0].high is None
    assert any("no upper limit" in note for note in table.notes)


def test_two_of_them_are_compared() -> None:
    games = drawn(30, 4)
    found = HeadToHead.of(games, "c", "a")
    won = [g.points[g.players.index("c")] > g.points[g.players.index("a")] for g in games]
    assert (found.games, found.wins, found.pairs, found.clusters) == (180, sum(won), 90, 30)
    shares = np.array(won, float).reshape(30, 6).mean(axis=1)
    assert found.score == pytest.approx(shares.mean())
    assert found.error == pytest.approx(shares.std(ddof=1) / math.sqrt(30))
    met = all_against_all(games)
    assert [(one.a, one.b) for one in met] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_what_is_won_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without noise the fit is exact; what an agent wins is its rating less the others' mean."""
    rating, edge = {"a": 1.0, "b": 0.5, "c": -0.25, "d": -1.25}, 0.3
    games: list[GameRecord] = []
    worth: list[list[float]] = []
    for names in combinations("abcd", 3):
        for order in permutations(names):
            own = [rating[name] for name in order]
            seats = [edge, -edge / 2, -edge / 2]
            worth.append([x - (sum(own) - x) / 2 + s for x, s in zip(own, seats, strict=True)])
            points = points_of_game(worth[-1])
            games.append(GameRecord(len(games), order, (), (), points, (0.0,) * 3))
    name = "agents.arena.rating.winnings.utilities_of"
    monkeypatch.setattr(name, lambda _, game: worth[game.number])
    table = winnings(DICE, games)
    for each in table.winnings:
        assert each.rating.value == pytest.approx(rating[each.agent])
        assert each.games == 18
        assert each.mean.value == pytest.approx(rating[each.agent] * 4 / 3)
    assert table.first_seat.value == pytest.approx(edge)
    assert table.clusters == 4
    assert [met.games for met in table.meetings] == [12] * 6


def test_impossible_records() -> None:
    game = games_of([[1.0, 0.0, -1.0]])[0]
    with pytest.raises(ValueError, match="'a' played itself"):
        rate([replace(game, players=("a", "b", "a"))])
    with pytest.raises(ValueError, match="points are the share of the others"):
        rate([replace(game, points=(1.0, 1.0, 0.0))])


@pytest.mark.slow
@pytest.mark.parametrize("alike", [0.0, 0.5])
def test_coverage_of_three(alike: float) -> None:
    """Intervals contain the true strengths of Plackett and Luce's model in about 95 %."""
    strengths, held = np.array([0.0, 0.4, 0.9]), list[bool]()
    true = (strengths - strengths.mean()) * 400 / math.log(10)
    rng = np.random.default_rng(6)
    for _ in range(300):
        worth: list[list[float]] = []
        for _ in range(25):
            orders = (strengths + rng.gumbel(size=(6, 3))).tolist()
            worth += [orders[0] if rng.random() < alike else order for order in orders]
        for rating in rate(games_of(worth), resamples=300).ratings:
            low, high = rating.low or -math.inf, rating.high or math.inf
            held.append(low <= true["abc".index(rating.agent)] <= high)
    assert 0.925 < np.mean(held) < 0.98


def test_a_plan_says_how_seats_change() -> None:
    plan = make_plan(THREE, FOUR, 12, "none", "round-robin", 1, TimeControl())
    assert plan.settings("none", "round-robin", None)["games"] == 12
    assert len(plan.schedule) == 48
