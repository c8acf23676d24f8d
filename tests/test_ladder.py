"""Ladders and ratings: where agents are put, how sure that is, and what is refused."""

import json
import random
import re
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import run, well
from odd_agents import Odd
from typer import Exit

import agents
from adv_envs import GAMES, Fig52, Hex, TicTacToe, game
from adv_envs.jit import disabled
from agents.arena import StoreError
from agents.arena import ladder as adaptive
from agents.arena.game_record import GameRecord
from agents.arena.ladder import (
    AdaptiveRating,
    Ladder,
    RatingEstimate,
    Rung,
    estimate_rating,
    ladder_for,
    ladders,
)
from agents.arena.store import read
from agents.cli import matches, tournaments

pytestmark = pytest.mark.plain

START = TicTacToe()
QUICK = Ladder(
    repr(START),
    (
        Rung("random", "random", 0.0, 0.0, 0.0, 0.0),
        Rung("greedy", "greedy", 134.0, 108.0, 161.0, 0.0),
    ),
    first_seat=100.0,
    openings="random:2",
    how="for tests",
)


def test_shipped_ladders_are_sound() -> None:
    found = list(ladders())
    assert found
    classes = {game(name).__name__ for name in GAMES}
    for ladder in found:
        assert ladder.start.partition("(")[0] in classes
        ratings = [rung.rating for rung in ladder.rungs]
        assert ratings == sorted(ratings)
        assert ladder.rungs[0].spec == "random()"
        assert ratings[0] == 0
        for rung in ladder.rungs:
            assert repr(agents.make(rung.spec)) == rung.spec
            assert rung.low is None or rung.low <= rung.rating
            assert rung.high is None or rung.high >= rung.rating
    ladder = ladder_for(START)
    assert ladder.rungs[-1].report == {"kept": 1.0, "strongest": 1.0}  # the perfect one


def test_a_ladder_is_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    QUICK.save(path)
    assert Ladder.load(path) == QUICK
    data = json.loads(path.read_text())
    for wrong in ("[]", "{", json.dumps({**data, "format": 2}), json.dumps({**data, "rungs": [1]})):
        path.write_text(wrong)
        with pytest.raises(ValueError, match=r"ladder\.json is no ladder"):
            Ladder.load(path)
    with pytest.raises(ValueError, match=r"for hex, size=9; there are .*for: .*tic_"):
        ladder_for(Hex(9))


WITH_PROGRAM = replace(
    QUICK,
    rungs=(*QUICK.rungs, Rung("a program", 'engine(command="no-such-program -x")', 300, 0, 0, 0)),
)
"""A ladder of which the last rung cannot play."""


def test_rungs_that_need_a_program_are_left_out_where_it_is_missing() -> None:
    assert WITH_PROGRAM.missing == "a program (not on the PATH: no-such-program)"
    assert WITH_PROGRAM.playable() == QUICK
    assert QUICK.playable() == QUICK
    assert QUICK.missing == ""
    there = replace(WITH_PROGRAM.rungs[-1], spec=f'engine(command="{sys.executable} -V")')
    assert there.missing == ""
    with pytest.raises(ValueError, match=r"rungs cannot play: a program .* on the PATH: no-s"):
        estimate_rating(START, "random", WITH_PROGRAM)


@pytest.mark.parametrize("command", [["rate"], ["tournament", "--ladder"]])
def test_the_command_line_warns_of_rungs_that_are_left_out(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (matches, tournaments):
        monkeypatch.setattr(module, "ladder_for", lambda start: WITH_PROGRAM)
    name, *options = command
    args = ["tic_tac_toe", "random", "--games", "10", "--workers", "0", *options]
    code, out, err = run(name, *args)
    assert code == 0
    warning = "Warning: left out of the ladder: a program (not on the PATH: no-such-program)\n"
    assert err.startswith(warning)
    assert ("a program" in out) == (name == "rate")  # a rating shows the whole ladder


def simulated(
    rating: float, games: int, rng: random.Random, openings: int, told: bool = True
) -> RatingEstimate:
    """The estimate for an agent whose games are drawn at its true rating.

    Who plays one of the ``openings`` again plays the same. Not ``told``, each pair is said to have
    an opening of its own.
    """
    exact = replace(QUICK, rungs=tuple(replace(r, low=None, high=None) for r in QUICK.rungs))
    standing = AdaptiveRating(exact, "a", 10**6)
    known: dict[tuple[int, int], GameRecord] = {}
    while standing.played < games:
        for number in adaptive._next_batch(standing, len(exact.rungs)):
            opening = number // 4 % openings
            game = known.setdefault((opening, number % 4), drawn(number, rating, rng))
            standing.count([replace(game, number=number, opening=(opening if told else number,))])
    return standing.estimate()


def drawn(number: int, rating: float, rng: random.Random) -> GameRecord:
    first = number % 2 == 0
    ahead = rating - QUICK.rungs[number // 2 % 2].rating + (100 if first else -100)
    won = rng.random() < 1 / (1 + 10 ** (-ahead / 400))
    points = float(won == first)
    return GameRecord(number, ("a", "b"), (), (number,), (points, 1 - points), (0, 0))


def held(runs: int, games: int, openings: int, told: bool = True) -> float:
    """The share of ratings of which the interval holds the true rating."""
    rng, inside = random.Random(5), 0
    for _ in range(runs):
        rating = rng.uniform(-150, 250)
        found = simulated(rating, games, rng, openings, told)
        above = found.low is None or found.low <= rating
        inside += above and (found.high is None or rating <= found.high)
    return inside / runs


def test_intervals_hold_the_true_rating_as_often_as_they_say() -> None:
    runs = 100 if disabled() else 300
    assert held(runs, games=60, openings=60) == pytest.approx(0.95, abs=0.04)


def test_intervals_hold_the_true_rating_also_where_openings_come_again() -> None:
    assert held(100, games=200, openings=12) == pytest.approx(0.95, abs=0.05)
    assert held(50, games=200, openings=12, told=False) < 0.8


def test_who_tells_most_is_played() -> None:
    weak, strong = AdaptiveRating(QUICK, "a", 1), AdaptiveRating(QUICK, "a", 1)
    rng = random.Random(1)
    weak.count([drawn(number, -300, rng) for number in range(0, 40, 4)])
    strong.count([drawn(number, 600, rng) for number in range(2, 40, 4)])
    assert weak.information()[0] > weak.information()[1]
    assert strong.information()[1] > strong.information()[0]
    assert adaptive._next_batch(weak, 2) == [n for t in range(5, 10) for n in (4 * t, 4 * t + 1)]


def test_who_wins_or_loses_everything_is_beyond_the_ladder() -> None:
    for points, open_end in ((1.0, "high"), (0.0, "low")):
        standing = AdaptiveRating(QUICK, "a", 1)
        for number in range(200):
            own = points if number % 2 == 0 else 1 - points
            both = own, 1 - own
            standing.count([GameRecord(number, ("a", "b"), (), (number,), both, (0, 0))])
        found = standing.estimate()
        assert getattr(found, open_end) is None
        assert found.half_width == float("inf")


def test_a_rung_is_placed_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    options: dict[str, Any] = {"within": 60, "games": 400, "workers": 0, "seed": 2}
    seen: list[RatingEstimate] = []
    ladder = ladder_for(START)
    quick = replace(ladder, rungs=tuple(r for r in ladder.rungs if r.name in ("random", "greedy")))
    found = estimate_rating(START, "random", quick, out=path, on_progress=seen.append, **options)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high
    assert found.half_width <= 60 < seen[-2].half_width
    assert seen[-1] == found
    assert sum(met.games for met in found.met) == found.games == len(read(path)[1])

    def interrupt(_: RatingEstimate) -> None:
        raise KeyboardInterrupt

    other = tmp_path / "u.db"
    begun = estimate_rating(START, "random", quick, out=other, on_progress=interrupt, **options)
    assert begun.games == 10
    assert estimate_rating(START, "random", quick, out=other, resume=True, **options) == found
    with pytest.raises(StoreError, match="holds another tournament"):
        estimate_rating(START, "greedy", quick, out=other, resume=True, **options)


def test_what_cannot_be_placed_is_refused() -> None:
    for start, changes, why in [
        (Hex(3), {}, "the ladder is for TicTacToe"),
        (START, {"within": 0}, "more than 0 Elo"),
        (START, {"games": 9}, "at least 10 games"),
    ]:
        with pytest.raises(ValueError, match=why):
            estimate_rating(start, "random", QUICK, **changes)  # type: ignore[arg-type]


def test_failures_are_counted() -> None:
    found = estimate_rating(START, Odd("raise"), QUICK, games=20, within=1, workers=0)
    assert (found.forfeits, found.games) == (20, 20)


FEW = "Warning: not known to within 50 Elo after {} games: use more --games\n"


def test_more_games_are_advised_only_where_they_tell_something(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = RatingEstimate("a", 100.0, 0.0, 200.0, 400, (), 0, repeated=50)
    matches.finish_rating(found, 50, 400, None)
    assert capsys.readouterr().err == FEW.format(400)
    matches.finish_rating(replace(found, repeated=300), 50, 400, None)
    warnings = capsys.readouterr().err
    assert "300 of 400 games repeat others and add no information" in warnings
    assert "after 400 games: most repeat others, so that more games would add no info" in warnings
    with pytest.raises(Exit):
        matches.finish_rating(replace(found, games=200), 50, 400, Path("t.db"))
    assert "interrupted after 200 games; continue with: adv-envs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["hex", "size=99"], "size must be 2 to 19, not 99"),
        (["pig", "--games", "3"], "games must be an even number"),
        (["pig", "--workers", "-1"], "workers must be at least 1, or 0 for none, not -1"),
        (["chess"], "needs stockfish, which is not on the PATH"),
    ],
)
def test_the_script_of_ladders_refuses_in_a_line(
    args: list[str], message: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    script = Path(__file__).parent.parent / "benchmarks" / "ladder.py"
    monkeypatch.setattr(sys, "argv", [str(script), *args])
    with pytest.raises(SystemExit):
        runpy.run_path(str(script), run_name="__main__")
    assert re.search(rf"ladder\.py: error: .*{message}", capsys.readouterr().err)


def test_rate_prints_the_ladder_with_the_agent_in_its_place() -> None:
    args = ["rate", "tic_tac_toe", "random", "--workers", "0"]
    lines = [line.split() for line in well(*args, "--within", "100").splitlines()[4:]]
    places = [line[0] for line in lines if line]
    assert places.index(">") > places.index("greedy") > places.index("perfect")
    data = json.loads(well(*args, "--within", "100", "--json"))
    assert (data["agent"], data["game"]) == ("random()", "tic_tac_toe")
    assert data["low"] < 0 < data["high"]
    code, _, err = run(*args, "--games", "10")
    assert (code, err) == (0, FEW.format(10))


def test_rate_refuses_in_one_line() -> None:
    for args, message in [
        (["hex", "random"], "there is no ladder for hex; there are ladders for: "),
        (["hex", "random"], "; hex, size=7; "),
        (["tic_tac_toe", "nobody"], "no agent 'nobody'"),
        (["tic_tac_toe", "random", "--resume"], "--resume continues the tournament in a file"),
        (["tic_tac_toe", "rush"], "rush() cannot play tic_tac_toe: rush plays hex"),
    ]:
        code, out, err = run("rate", *args, "--workers", "0")
        assert (code, out, err.count("\n")) == (1 if "rush" in args else 2, "", 1)
        assert message in err


def test_the_error_without_a_ladder_is_short_and_names_games() -> None:
    with pytest.raises(ValueError, match="there is no ladder for fig52; there") as caught:
        ladder_for(Fig52())
    games = str(caught.value).partition(": ")[2].partition(". ")[0].split("; ")
    assert {"hex, size=7", "pig", "thirty_one"} <= {*games}
    assert len(str(caught.value)) < 500
