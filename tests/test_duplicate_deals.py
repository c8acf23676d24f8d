"""Games of a pair have the same deal, intervals allow for it, and amounts are what is rated."""

import json
import random
from dataclasses import dataclass
from statistics import fmean, variance
from typing import ClassVar

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import agents
from adv_envs import CHANCE, Backgammon, Kuhn, Leduc, Pig, TicTacToe
from agents.arena import run
from agents.arena.game_record import GameRecord
from agents.arena.rating.head_to_head import HeadToHead, clusters_of
from agents.arena.rating.winnings import utilities_of, winnings
from agents.arena.schedule import default_kind, openings, pairings_of
from agents.cli import app
from agents.match_loop import Schedule, match, play_game, random_action
from agents.reports.tournament_page import page_data, tournament_html
from agents.statistics import Interval, t_interval

pytestmark = pytest.mark.plain


def always(name):
    """An agent that takes the action of this name, or the first legal one."""

    def act(position):
        legal = position.legal_actions()
        return next((a for a in legal if position.name(a) == name), legal[0])

    return act


def throws(game):
    """What chance did in a game, each with who had moved last."""
    position, mover, found = game.start, CHANCE, []
    for action in game.actions:
        if position.to_move == CHANCE:
            found.append((mover, action))
        else:
            mover = position.to_move
        position = position.play(action)
    return found


def broken(position):
    """Fails."""
    raise RuntimeError


# ---- the same deal


@pytest.mark.parametrize("start", [Kuhn(), Kuhn(players=3), Leduc()])
def test_games_of_an_opening_have_the_same_deal(start):
    names = ["random", always("raise"), always("call")][: start.num_players]
    result = match(start, *names, pairs=20, seed=1)
    deals = [tuple(action for _, action in throws(game)) for game in result.games]
    size = start.num_players
    for i in range(0, len(deals), size):
        for cards in zip(*deals[i : i + size], strict=False):  # as far as all were dealt
            assert len(set(cards)) == 1
    assert len({deal[:size] for deal in deals}) > 3
    lengths = {len(deal) for deal in deals}
    assert lengths == ({2, 3} if start == Leduc() else {size})


def test_each_seat_has_the_same_dice():
    one, other = (play_game(Pig(), ["random"] * 2, seed, chance_seed=5) for seed in (1, 2))
    compared = 0
    for seat in (0, 1):
        rolls = [[action for mover, action in throws(g) if mover == seat] for g in (one, other)]
        compared += min(map(len, rolls))
        assert all(a == b for a, b in zip(*rolls, strict=False))
    assert compared > 10
    assert one.actions != other.actions


def test_the_deal_does_not_depend_on_the_agents_seed():
    same = {play_game(Leduc(), ["random"] * 2, s, chance_seed=3).actions[:2] for s in range(9)}
    assert len(same) == 1
    seeds = range(300)
    dealt = [play_game(Kuhn(), ["random"] * 2, 0, chance_seed=s).actions[:2] for s in seeds]
    counts = [dealt.count(deal) for deal in sorted(set(dealt))]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 1e-4


@dataclass(repr=False)
class Doubtful(agents.Human):
    """Rolls, and takes the first roll back a few times."""

    asked: int = 0
    name: ClassVar[str] = "doubtful"

    def act(self, position):
        """Takes back at times."""
        self.asked += 1
        if self.asked in (3, 4, 8):
            raise agents.TakeBack
        return position.legal_actions()[0]


def test_chance_is_the_same_after_moves_are_taken_back():
    plain = play_game(Pig(target=20), [always("roll")] * 2, 1, chance_seed=7)
    again = play_game(Pig(target=20), [Doubtful(), always("roll")], 1, chance_seed=7)
    assert again.actions == plain.actions


def test_both_games_of_a_pair_have_the_same_chance_and_pairs_their_own():
    schedule = Schedule(pairings_of("round-robin", 3), 4, 2, seed=1)
    tasks = [schedule.task(number) for number in range(len(schedule))]
    assert all(a.chance_seed == b.chance_seed for a, b in zip(tasks[::2], tasks[1::2], strict=True))
    assert len({task.chance_seed for task in tasks}) == len(tasks) // 2
    assert len({task.seed for task in tasks}) == len(tasks)


def test_tournaments_deal_to_seats():
    result = run(Kuhn(), ["random", "random"], games=40, workers=0, seed=2)
    assert result.plan.how == "1 opening: the start itself"
    for one, other in zip(result.games[::2], result.games[1::2], strict=True):
        assert one.actions[:2] == other.actions[:2]
        assert one.players == other.players[::-1]
    assert len({record.actions[:2] for record in result.games}) == 6


@pytest.mark.parametrize(
    ("start", "name", "least"),
    [(Kuhn(), "bet", 2), (Leduc(), "call", 1.5), (Pig(target=30), "roll", 1.2)],
    ids=["Kuhn", "Leduc", "Pig"],
)
def test_duplicate_deals_cut_the_variance(start, name, least):
    two = ["random" if name == "roll" else always(name), "random"]
    rng, found = random.Random(5), {}
    for duplicate in (False, True):
        pairs = []
        for _ in range(600):
            deals = [rng.getrandbits(64) for _ in "12"]
            one, other = (
                play_game(start, seats, rng.getrandbits(32), chance_seed=deal)
                for seats, deal in ((two, deals[0]), (two[::-1], deals[not duplicate]))
            )
            pairs.append((one.utilities[0] + other.utilities[1]) / 2)
        found[duplicate] = pairs
    assert variance(found[False]) > least * variance(found[True])
    assert stats.ttest_ind(found[False], found[True], equal_var=False).pvalue > 1e-4  # same mean


# ---- openings


def test_openings_are_for_games_in_which_all_is_seen():
    assert default_kind(TicTacToe()) == default_kind(Pig()) == "random:2"
    assert default_kind(Kuhn()) == "none"
    assert len(openings(Kuhn(), "all:2").lines) == 6  # every deal
    with pytest.raises(ValueError, match="players see everything"):
        openings(Kuhn(), "balanced:2", 3)


def test_chance_in_random_openings_is_as_probable_as_in_play():
    rng, start = random.Random(1), Backgammon()
    start = start.play(start.legal_actions()[0])
    while start.to_move != CHANCE:
        start = start.play(start.legal_actions()[0])
    dice = [random_action(start, rng) for _ in range(3000)]
    observed = [dice.count(a) for a in start.legal_actions()]
    expected = [3000 * start.probability(a) for a in start.legal_actions()]
    assert stats.chisquare(observed, expected).pvalue > 1e-4
    assert len({round(number) for number in expected}) > 1


# ---- amounts


def records_of(effects, deals, rng, noise=1.0, seat=0.3):
    """A round robin in which agents win what they are worth, with noise common to a deal."""
    found = []
    names = list(effects)
    for _ in range(deals):
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                luck = rng.gauss(0, noise)
                for first, second in ((a, b), (b, a)):
                    share = rng.gauss(0, noise / 3) + (luck if first == a else -luck) / 2
                    found.append((first, second, effects[first] - effects[second] + seat + share))
    records = [
        GameRecord(n, (a, b), (), (n // 2,), (0.5, 0.5), (0.0, 0.0))
        for n, (a, b, _) in enumerate(found)
    ]
    return records, [utility for *_, utility in found]


@pytest.fixture
def worth(monkeypatch):
    """Makes games worth given amounts."""
    name = "agents.arena.rating.winnings.utilities_of"
    both = lambda utility: [utility, -utility]  # noqa: E731 - of both seats
    return lambda utilities: monkeypatch.setattr(name, lambda _, game: both(utilities[game.number]))


def test_two_agents_have_the_t_interval_of_their_deals(worth):
    records, utilities = records_of({"a": 0.4, "b": 0.0}, 30, random.Random(1))
    worth(utilities)
    table = winnings(Kuhn(), records)
    deals = [(x - y) / 2 for x, y in zip(utilities[::2], utilities[1::2], strict=True)]
    low, high = stats.ttest_1samp(deals, 0).confidence_interval(0.95)
    first = table.winnings[0]
    assert first.agent == "a"
    assert (first.mean.low, first.mean.high) == pytest.approx((low, high))
    assert first.mean.value == pytest.approx(np.mean(deals)) == 2 * first.rating.value
    assert first.rating.low == pytest.approx(low / 2)
    meeting = table.meetings[0]
    assert (meeting.a, meeting.b, meeting.games, meeting.clusters) == ("a", "b", 60, 30)
    assert meeting.mean == first.mean
    better = 1 - stats.ttest_1samp(deals, 0, alternative="greater").pvalue
    assert table.superiority[0][1] == pytest.approx(better)
    assert table.superiority[0][1] + table.superiority[1][0] == pytest.approx(1)


def test_ratings_allow_for_whom_an_agent_has_met(worth):
    records, _ = records_of({"a": 0, "b": 0, "c": 0}, 10, random.Random(1))
    truth = {"a": 1.0, "b": 0.0, "c": -1.0}
    kept = [r for r in records if set(r.players) != {"a", "c"}]  # b met both, a and c did not
    exact = {r.number: truth[r.players[0]] - truth[r.players[1]] + 0.25 for r in records}
    worth(exact)
    table = winnings(Kuhn(), kept)
    assert {w.agent: pytest.approx(w.rating.value) for w in table.winnings} == truth
    assert table.first_seat.value == pytest.approx(0.25)
    assert next(w for w in table.winnings if w.agent == "b").mean.value == pytest.approx(0)


def test_agents_that_never_met_are_not_compared(worth):
    records, utilities = records_of({"a": 1.0, "b": 0.0}, 5, random.Random(1))
    more = [GameRecord(10 + n, ("c", "d"), (), (n,), (0.5, 0.5), (0.0, 0.0)) for n in range(2)]
    worth([*utilities, 1.0, -1.0])
    table = winnings(Kuhn(), [*records, *more])
    place = [won.agent for won in table.winnings]
    assert table.superiority[place.index("a")][place.index("c")] is None
    assert any("never met" in note for note in table.notes)


@pytest.mark.slow
@pytest.mark.parametrize("deals", [12, 60])
def test_coverage_of_the_intervals_of_winnings(deals, worth):
    truth, held, rng = {"a": 0.5, "b": 0.0, "c": -0.2, "d": -0.3}, [], random.Random(3)
    for _ in range(400):
        records, utilities = records_of(truth, deals, rng)
        worth(utilities)
        for won in winnings(Kuhn(), records).winnings:
            held.append(won.rating.low <= truth[won.agent] <= won.rating.high)
            mean = truth[won.agent] * 4 / 3
            held.append(won.mean.low <= mean <= won.mean.high)
    assert 0.93 <= fmean(held) <= 0.97


def test_nothing_is_known_from_one_deal_or_none():
    assert t_interval(np.array([1.0, 3.0]), np.array([0, 0])).low is None
    table = winnings(Kuhn(), [], ("a", "b"))
    assert [won.games for won in table.winnings] == [0, 0]
    assert "no game was played" in str(table)
    with pytest.raises(ValueError, match="against itself"):
        winnings(Kuhn(), [GameRecord(0, ("a", "a"), (), (0, 1, 0, 0), (1.0, 0.0), (0, 0))])


def test_who_fails_loses_as_much_as_a_game_can_cost():
    result = match(Leduc(), broken, "random", pairs=2)
    assert {g.utilities[result.seat(0, i)] for i, g in enumerate(result.games)} == {-13.0}
    lost = GameRecord(0, ("a", "b"), (), (1, 2), (1.0, 0.0), (0, 0), "crash", 1, "crash")
    assert utilities_of(Leduc(), lost) == [13, -13]
    table = run(Kuhn(), [broken, "random"], games=4, workers=0).winnings()
    assert [won.mean.value for won in table.winnings] == [2, -2]


def test_deals_that_agree_are_independent_where_chance_deals_them():
    records = [
        GameRecord(n, ("ab", "ba")[n % 2], (), (1, 2, 0, 0), (1.0, 0.0), (0, 0)) for n in range(6)
    ]
    assert len(clusters_of(records)) == 1
    assert len(clusters_of(records, chance=True)) == 3
    assert HeadToHead.of(records, "a", "b", chance=True).clusters == 3


def test_a_match_tells_amounts_with_the_interval_of_its_openings():
    result = match(Kuhn(players=3), "random", "random", always("bet"), pairs=12, seed=4)
    for agent, found in enumerate(result.mean_utilities):
        won = [g.utilities[result.seat(agent, i)] for i, g in enumerate(result.games)]
        openings_ = [fmean(won[i : i + 3]) for i in range(0, 36, 3)]
        low, high = stats.t.interval(0.95, 11, fmean(openings_), stats.sem(openings_))
        assert (found.value, found.low, found.high) == pytest.approx((fmean(won), low, high))
    assert "chips per hand" in str(match(Kuhn(), "random", "random", pairs=3))
    assert "per game" not in str(match(TicTacToe(), "random", "random", pairs=3))
    sure = match(Kuhn(), always("pass"), always("pass"), pairs=3)
    assert sure.mean_utilities[0] == Interval(0.0, n=3)


def test_a_record_tells_what_a_player_saw():
    game = play_game(Kuhn(), [always("bet"), always("bet")], chance_seed=0)
    first, second = game.moves.split()[:2]
    assert game.moves_seen_by(0) == f"{first} ? bet bet"
    assert game.moves_seen_by(1) == f"? {second} bet bet"
    with pytest.raises(ValueError, match="0 to 1"):
        game.moves_seen_by(2)
    plain = play_game(TicTacToe(), ["random", "random"], seed=1)
    assert plain.moves_seen_by(0).split() == plain.moves.split()


# ---- as it is printed


def typed(*args):
    result = CliRunner(env={"COLUMNS": "140"}).invoke(app, args, prog_name="adv-envs")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout


def test_the_command_line_prints_chips_per_hand():
    specs = ["ismcts(simulations=20)", "random"]
    line = ["tournament", "kuhn", *specs, "--games", "20", "--workers", "0"]
    text = typed(*line)
    found = run(Kuhn(), specs, games=20, workers=0)
    won = found.winnings().winnings[0]
    assert "chips per hand" in text
    assert f"{won.mean.low:+.3f} to {won.mean.high:+.3f}" in text
    data = json.loads(typed(*line, "--json"))
    assert data["winnings"]["winnings"][0]["mean"]["value"] == won.mean.value
    assert {each["name"]: each["won"] for each in data["standings"]} == {
        won.agent: pytest.approx(won.mean.value * 20) for won in found.winnings().winnings
    }
    three = typed("tournament", "kuhn", *specs, "random", "--games", "4", "--workers", "0")
    assert "against" in three
    told = typed("match", "leduc", "random", "random", "--pairs", "5", "--seed", "3")
    assert "chips per hand" in told
    assert "won/game" in told


def test_the_page_is_a_referee_s_report():
    found = run(Kuhn(), ["random", "random", "greedy"][:2], games=8, workers=0)
    data = page_data(found.start, found.games)
    page = tournament_html(json.loads(json.dumps(data)))
    assert "referee" in page
    assert "Chips per hand" in page
    assert data["winnings"] == found.winnings().to_dict()
    plain = run(TicTacToe(), ["random", "random"], games=4, workers=0)
    page = tournament_html(page_data(plain.start, plain.games))
    assert "referee" not in page
    assert "Winnings" not in page
