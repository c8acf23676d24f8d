"""Leagues: who is drawn, what ratings learn, and what a folder survives."""

import itertools
import json
import math
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from adv_envs import Hex, Position, TicTacToe
from adv_envs.batch.vector import BatchVectorEnv
from adv_envs.files import with_checksum, without_checksum
from agents import League, make, match
from agents.networks.checkpoint import CheckpointError, make_checkpoint
from agents.networks.drifting_ratings import DriftingRatings
from agents.networks.league import DRAWS, LeagueError
from agents.networks.policy import Policy

pytestmark = pytest.mark.plain


def checkpoint(path: Path, position: Position | None = None, seed: int = 0) -> Path:
    """A checkpoint of a small network with random weights."""
    position = TicTacToe() if position is None else position
    rng, inputs = np.random.default_rng(seed), math.prod(position.observation_shape)
    arrays = {
        "policy.weight": rng.normal(size=(position.num_actions, inputs)).astype(np.float32),
        "policy.bias": np.zeros(position.num_actions, np.float32),
    }
    layers = {"policy": [{"op": "flatten"}, {"op": "linear", "name": "policy"}]}
    make_checkpoint(position, arrays, layers).save(path)
    return path


@pytest.fixture
def league(tmp_path: Path) -> League:
    """Four past selves of tic-tac-toe."""
    made = League.begin(tmp_path / "league", checkpoint(tmp_path / "0.safetensors"))
    for number in range(1, 4):
        made.add(checkpoint(tmp_path / "new.safetensors", seed=number), 100 * number)
    made.save()
    return made


def results(league: League, scores: list[float], games: int, seed: int = 0) -> None:
    """Games of the learner, won with the probabilities ``scores`` against each member."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        for member, score in zip(league.members, scores, strict=True):
            member.report_result(float(rng.random() < score), bool(rng.random() < 0.5))


# ---- who is drawn


@pytest.mark.parametrize("by", DRAWS)
def test_opponents_are_drawn_as_often_as_stated(league: League, by: str) -> None:
    league.by, league.latest = by, 0.25
    results(league, [0.9, 0.7, 0.5, 0.3], 200)
    p = league.ratings.expected()
    stated = {"uniform": p**0, "hard": (1 - p) ** 2, "even": p * (1 - p)}[by]
    stated = 0.75 * stated / stated.sum() + [0, 0, 0, 0.25]
    assert league.chances() == pytest.approx(stated)
    rng = np.random.default_rng(1)
    numbers = [league.draw_opponent(rng.random()).number for _ in range(4000)]
    seen = np.bincount(numbers, minlength=4)
    assert ((seen - 4000 * stated) ** 2 / (4000 * stated)).sum() < 16.27  # 99.9 %, 3 degrees


def test_the_hardest_is_drawn_most_often_if_that_is_asked_for(league: League) -> None:
    league.by, league.latest = "hard", 0.0
    results(league, [0.9, 0.2, 0.8, 0.7], 100)
    assert league.chances().argmax() == 1
    league.by = "even"
    results(league, [0.9, 0.2, 0.5, 0.8], 400)
    assert league.chances().argmax() == 2


def test_environments_draw_the_same_opponents_from_the_same_seed(league: League) -> None:
    def drawn() -> list[int]:
        env: Any = gymnasium.make("adv_envs/TicTacToe-v0", opponent=League(league.path), seat=0)
        found = []
        for seed in range(30):
            env.reset(seed=seed)
            found.append(env.unwrapped.opponents[1].number)
        return found

    assert drawn() == drawn()
    assert set(drawn()) == {0, 1, 2, 3}


def test_a_league_may_be_one_of_a_pool(league: League) -> None:
    env: Any = gymnasium.make(
        "adv_envs/TicTacToe-v0", opponent=[(league, 0.5), ("random", 0.5)], seat=0
    )
    found = []
    for seed in range(200):
        env.reset(seed=seed)
        found.append(getattr(env.unwrapped.opponents[1], "number", None))
    assert 70 < found.count(None) < 130
    assert {0, 1, 2, 3} <= set(found)


# ---- results


def points_of(league: League) -> tuple[float, float]:
    return (
        sum(member.games.sum() for member in league.members),
        sum(member.points.sum() for member in league.members),
    )


def games_by_seat(league: League) -> list[float]:
    return [sum(member.games[seat] for member in league.members) for seat in (0, 1)]


def test_a_single_environment_reports_its_results(league: League) -> None:
    env: Any = gymnasium.make("adv_envs/TicTacToe-v0", opponent=league, seat="alternate")
    points, seats = 0.0, [0, 0]
    for seed in range(20):
        _, info = env.reset(seed=seed)
        seats[info["seat"]] += 1
        over, reward = False, 0.0
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, reward, over, _, info = env.step(action)
        points += (1 + reward) / 2
    assert points_of(league) == (20, points)
    assert games_by_seat(league) == seats == [10, 10]


def test_an_illegal_action_is_a_game_lost(league: League) -> None:
    env: Any = gymnasium.make("adv_envs/TicTacToe-v0", opponent=league, seat=1)
    _, info = env.reset(seed=1)
    assert env.step(int(np.argmin(info["action_mask"])))[2]
    assert points_of(league) == (1, 0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("seat", ["random", "alternate"])
def test_a_batch_reports_its_results(league: League, mode: str, seat: str) -> None:
    env = BatchVectorEnv(8, "tic_tac_toe", opponent=league, seat=seat, autoreset_mode=mode)
    _, info = env.reset(seed=1)
    rng, games, points = np.random.default_rng(0), 0, 0.0
    seats, counted = info["seat"], [0, 0]
    for _ in range(60):
        masks = info["action_mask"]
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        _, rewards, over, _, info = env.step(np.array(actions))
        games, points = games + over.sum(), points + ((1 + rewards[over]) / 2).sum()
        for player in seats[over]:
            counted[player] += 1
        if mode == "Disabled" and over.any():
            _, info = env.reset(options={"reset_mask": over})
        seats = info["seat"]
    assert points_of(league) == (games, points)
    assert games_by_seat(league) == counted
    assert games > 50


def test_each_past_self_is_asked_once_for_all_its_games(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    act = Policy.act_on_observations

    def counted(self: Any, start: Any, observations: Any, masks: Any, players: Any) -> Any:
        asked.append(len(players))
        return act(self, start, observations, masks, players)

    monkeypatch.setattr(Policy, "act_on_observations", counted)
    BatchVectorEnv(64, "tic_tac_toe", opponent=league, seat="second").reset(seed=0)
    assert sum(asked) == 64
    assert len(asked) <= 4


@pytest.mark.parametrize("temperature", [0, 1])
@pytest.mark.parametrize("channels_first", [False, True])
def test_policies_answer_the_same_from_observations(temperature: int, channels_first: bool) -> None:
    spec = f"policy(path='hex_5_alphazero', temperature={temperature})"

    class Unseeing(Policy):
        sees_observations = False

    rollouts = []
    for opponent in (make(spec, Policy), Unseeing("hex_5_alphazero", temperature=temperature)):
        env = BatchVectorEnv(
            6, Hex(5), opponent=opponent, autoreset_mode="SameStep", channels_first=channels_first
        )
        _, info = env.reset(seed=3)
        found = []
        for _ in range(15):
            _, rewards, _, _, info = env.step(info["action_mask"].argmax(axis=1))
            found.append((info["action_mask"].tolist(), rewards.tolist()))
        rollouts.append(found)
    assert rollouts[0] == rollouts[1]


# ---- ratings


def test_ratings_come_to_known_strengths() -> None:
    """The learner grows by 100 Elo between past selves; intervals hold the truth."""
    rng, unit, inside = np.random.default_rng(2), math.log(10) / 400, []
    truth, ratings = [0.0], DriftingRatings()
    ratings.add()
    for strength in np.arange(0, 700, 20):
        games = np.full((len(truth), 2), 40.0)
        ahead = strength - np.array(truth)[:, None] + [60, -60]
        won = rng.binomial(40, 1 / (1 + np.exp(-unit * ahead)))
        ratings.update(games, won.astype(np.float64))
        if strength % 100 == 80:
            truth.append(float(strength))
            ratings.add()
    for number, rating in enumerate(truth[1:], 1):
        found = ratings.rating(number)
        assert found.low is not None
        assert found.high is not None
        assert abs(found.value - rating) < 60
        assert found.high - found.low < 120
        inside.append(found.low <= rating <= found.high)
    assert sum(inside) >= len(inside) - 1
    assert abs(ratings.advantage().value - 60) < 25


def test_the_likeliest_ratings_are_those_of_a_direct_search() -> None:
    """One update from the prior has the mode of the posterior, found otherwise."""
    from scipy.optimize import minimize

    ratings = DriftingRatings()
    ratings.add()
    ratings.update(np.array([[30.0, 10]]), np.array([[20.0, 4]]))  # the learner is ahead by now
    ratings.add()
    before = ratings.mean.copy()
    games, points = np.array([[20.0, 20], [50, 30]]), np.array([[15, 9], [30, 12.5]])
    covariance = ratings.covariance.copy()
    covariance[1, 1] += games.sum() / 1000 * (50 * math.log(10) / 400) ** 2
    root = np.linalg.cholesky(covariance)

    def lost(z: Any) -> float:
        advantage, learner, *selves = before + root @ z
        total = z @ z / 2
        for (i, own), seat in itertools.product(enumerate(selves), (0, 1)):
            d = learner - own + (advantage if seat == 0 else -advantage)
            won = points[i, seat]
            total += won * np.logaddexp(0, -d) + (games[i, seat] - won) * np.logaddexp(0, d)
        return float(total)

    wanted = before + root @ minimize(lost, np.zeros(4), tol=1e-12).x
    ratings.update(games, points)
    assert ratings.mean == pytest.approx(wanted, abs=1e-3)


def test_one_who_always_wins_has_a_finite_rating() -> None:
    ratings = DriftingRatings()
    ratings.add()
    for _ in range(5):
        ratings.update(np.full((1, 2), 1000.0), np.full((1, 2), 1000.0))
    assert 500 < ratings.learner().value < 5000
    assert ratings.expected()[0] > 0.99


# ---- the folder


def test_no_more_are_kept_than_asked_for_and_they_are_spread(tmp_path: Path) -> None:
    league = League.begin(tmp_path / "league", checkpoint(tmp_path / "0.safetensors"), size=5)
    for number in range(1, 21):
        league.add(tmp_path / "0.safetensors", number)
        league.save()
    numbers = [member.number for member in league.members]
    assert (numbers[0], numbers[-1], len(numbers)) == (0, 20, 5)
    gaps = np.diff(numbers)
    assert gaps.max() <= 8
    league.save()
    assert len(list((tmp_path / "league").glob("*.safetensors"))) == 5


def test_a_league_goes_on_after_a_kill_with_the_same_draws(league: League, tmp_path: Path) -> None:
    league.by = "hard"
    results(league, [0.8, 0.6, 0.5, 0.4], 130)  # ratings are due again after some more games
    state = json.loads(json.dumps(league.save()))
    league.size = 4

    def go_on(after: League) -> list[Any]:
        results(after, [0.8, 0.6, 0.5, 0.4], 60, seed=1)
        after.add(checkpoint(tmp_path / "later.safetensors", seed=9), 400)
        drawn = [after.draw_opponent(mark).number for mark in np.linspace(0, 0.999, 50)]
        return [drawn, after.chances().tolist(), after.ratings.mean.tolist(), after.lines()]

    whole = go_on(league)  # and is killed before the state of training is written
    again = League(league.path, by="hard", size=4)
    assert len(again.members) == 4
    again.load_state_dict(state)
    assert go_on(again) == whole


def test_torn_and_missing_files_are_refused(league: League) -> None:
    folder = Path(league.path)
    member, index = folder / "self_000002.safetensors", folder / "league.json"
    whole = member.read_bytes()
    member.write_bytes(whole[:-7])
    with pytest.raises(LeagueError, match=r"self_000002\.safetensors is torn or was changed"):
        make(f"league(path={str(folder)!r})")
    member.unlink()
    with pytest.raises(LeagueError, match="is missing"):
        League(folder)
    member.write_bytes(whole)
    text = index.read_text()
    index.write_text(text[:100])
    with pytest.raises(LeagueError, match="is torn, or no league"):
        League(folder)
    index.write_text("{}")
    with pytest.raises(LeagueError, match="cannot be read: KeyError"):
        League(folder)
    state = without_checksum(json.loads(text))
    index.write_text(json.dumps(with_checksum({**state, "members": []})))
    with pytest.raises(LeagueError, match="is empty"):
        League(folder)
    index.write_text(json.dumps(with_checksum({**state, "format": 9})))
    with pytest.raises(LeagueError, match="of another format"):
        League(folder)


def test_what_cannot_be_a_league(league: League, tmp_path: Path) -> None:
    with pytest.raises(LeagueError, match="has no league: begin one"):
        make(f"league(path={str(tmp_path)!r})")
    with pytest.raises(LeagueError, match="has a league already"):
        League.begin(league.path, tmp_path / "0.safetensors")
    with pytest.raises(LeagueError, match="but its league plays tic_tac_toe"):
        league.add(checkpoint(tmp_path / "hex.safetensors", Hex(3)))
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        league.add(tmp_path / "nothing.safetensors")
    assert len(League(league.path).members) == 4
    env: Any = gymnasium.make("adv_envs/Hex-v0", size=3, opponent=league, seat=1)
    with pytest.raises(RuntimeError, match="was trained for tic_tac_toe, not for"):
        env.reset(seed=0)
    batch = BatchVectorEnv(2, Hex(3), opponent=league, seat=1)
    with pytest.raises(RuntimeError, match="was trained for tic_tac_toe, not for"):
        batch.reset(seed=0)


@pytest.mark.parametrize("wrong", ["by='best'", "latest=1.5", "size=1", "power=-1"])
def test_parameters_that_make_no_sense(league: League, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong.partition("=")[0]):
        make(f"league(path={league.path!r}, {wrong})")


def test_members_and_leagues_play_matches(league: League) -> None:
    whole = make(f"league(path={league.path!r}, seed=1)")
    assert repr(make(repr(whole))) == repr(whole)
    member = make(repr(league.members[2]))
    result = match(TicTacToe(), whole, member, pairs=3)
    assert result.total.games == 6
    assert not any(game.reason for game in result.games)
