"""Tournaments: the schedule, what is kept of them, and that nothing an agent does ends them."""

import os
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import kill_tournament
import pytest
from children import LONGEST, child, wait_for, wait_for_the_end_of
from odd_agents import Nameless, Odd, Unloadable

from adv_envs import CHANCE, Hex, Pig, TicTacToe
from agents import MCTS, CannotPlay, Engine, Greedy, Human, Perfect, Random, play_game, processes
from agents.arena import StoreError, Tournament, WorkerError, isolated, isolation, run, workers
from agents.arena.clock import GAME, USED, Clock, OutOfTime, TimeControl, read_clock
from agents.arena.game_record import GameRecord
from agents.arena.isolation import TOO_LATE, IsolatedAgent, Participant, is_trusted
from agents.arena.rating.sprt import Sprt
from agents.arena.schedule import pairings_of, unique_names
from agents.arena.store import FORMAT, Store, read, read_game
from agents.arena.tournament import SequentialTest
from agents.faults import NobodyToBlame
from agents.games import hex
from agents.landlock import can_contain
from agents.match_loop import Game, Schedule, match, until_undisturbed

pytestmark = pytest.mark.compiled

START = TicTacToe()


def timeless(rows: list[GameRecord]) -> list[GameRecord]:
    """Games without the seconds that were measured."""
    return [replace(row, seconds=(0, 0)) for row in rows]


def outcomes(result: Tournament) -> list[Any]:
    """The games without the names of the agents, and without the times they took."""
    return [(row.actions, row.points, row.reason, row.loser, row.fault) for row in result.games]


def faults(result: Tournament) -> list[str]:
    return [game.fault for game in result.games]


def alone(agents: list[Any], games: int = 20, **options: Any) -> Tournament:
    """A tournament without workers: it costs no time to start them."""
    return run(START, agents, games, **{"workers": 0, "seed": 3, **options})


def apart(agents: list[Any], games: int = 2, **options: Any) -> Tournament:
    """A tournament with one worker, from the start of the game."""
    return run(START, agents, games, **{"workers": 1, "openings": "none", **options})


def interrupt(result: Tournament) -> None:
    """Interrupts a tournament of which some games are played."""
    if result.games:
        raise KeyboardInterrupt


# ---- the schedule


@pytest.mark.parametrize(
    "pairings",
    [pairings_of("round-robin", 4), pairings_of("gauntlet", 4), pairings_of("near:2", 4)],
)
def test_every_pairing_plays_every_opening_twice_with_seats_swapped(
    pairings: tuple[tuple[int, int], ...],
) -> None:
    schedule = Schedule(pairings, rounds=5, openings=3, seed=7)
    tasks = [schedule.task(number) for number in range(len(schedule))]
    assert len(tasks) == 2 * 5 * len(pairings)
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.players == second.players[::-1]
        assert first.players in pairings
        assert first.opening == second.opening
    met = Counter((task.players, task.opening) for task in tasks)
    assert set(met) == {
        (players, opening)
        for a, b in pairings
        for players in ((a, b), (b, a))
        for opening in range(3)
    }
    assert max(met.values()) == 2  # five rounds of three openings
    assert min(met.values()) == 1


def test_who_meets_whom() -> None:
    assert pairings_of("near:1", 4) == ((0, 1), (1, 2), (2, 3))
    assert pairings_of("near:2", 3) == pairings_of("round-robin", 3) == ((0, 1), (0, 2), (1, 2))
    assert pairings_of("gauntlet", 3) == ((0, 1), (0, 2))


def test_seeds_follow_from_the_seed_and_the_number_alone() -> None:
    two = pairings_of("round-robin", 2)
    short, long = Schedule(two, 5, 1, 7), Schedule(two, 500, 1, 7)
    assert [short.task(n) for n in range(10)] == [long.task(n) for n in range(10)]
    assert len({long.task(n).seed for n in range(1000)}) == 1000
    assert long.task(0).seed != Schedule(two, 500, 1, 8).task(0).seed
    with pytest.raises(IndexError, match="0 to 9, not 10"):
        short.task(10)


def test_agents_of_one_spec_are_numbered() -> None:
    assert unique_names(["a()", "b()", "a()", "a()"]) == ("a()", "b()", "a()#2", "a()#3")


# ---- what is played


def test_games_are_those_that_their_seeds_lead_to() -> None:
    result = alone(["random", "greedy"], 10)
    assert result.complete
    schedule = Schedule(pairings_of("round-robin", 2), 5, 5, 3)
    for record in result.games:
        task = schedule.task(record.number)
        agents = [[Random(), Greedy()][i] for i in task.players]
        game = play_game(START.after(record.opening), agents, task.seed)
        assert game.actions == record.actions
        assert record.points == tuple((utility + 1) / 2 for utility in game.utilities)
        assert record.players == tuple(repr(agent) for agent in agents)
        assert record.reason == ""
    assert [record.number for record in result.games] == list(range(10))
    for twin in range(0, 10, 2):
        assert result.games[twin].opening == result.games[twin + 1].opening


def test_the_table_counts_points_seats_and_time() -> None:
    result = alone(["random", "greedy", "random"], 40)
    by_name = result.standings.by_name
    assert set(by_name) == {"random()", "greedy()", "random()#2"}
    assert sum(standing.total.points for standing in by_name.values()) == 120
    for name, standing in by_name.items():
        own = [game for game in result.games if name in game.players]
        points = [game.points[game.players.index(name)] for game in own]
        assert standing.total.games == len(own) == 80
        assert standing.total.points == sum(points)
        first = [game.points[0] for game in own if game.players[0] == name]
        assert (standing.first.games, standing.first.points) == (40, sum(first))
        seconds = sum(game.seconds[game.players.index(name)] for game in own)
        assert standing.seconds == pytest.approx(seconds)
    assert result.standings.table()[0].name == "greedy()"


def test_games_that_repeat_others_are_counted() -> None:
    same = alone([Odd(), Odd()], 20, openings="none")
    assert same.duplicates == 18 / 20  # two games, as seats are swapped between two agents
    assert alone(["random", "random"], 20).duplicates < 0.2


def test_a_tournament_of_pig_throws_dice() -> None:
    result = run(Pig(target=10), ["random", "random"], 6, openings="none", workers=0)
    assert result.complete
    assert {sum(game.points) for game in result.games} == {1}


def test_one_worker_and_many_come_to_the_same() -> None:
    agents = ["random", "greedy", "random"]
    expected = timeless(alone(agents, 60).games)
    for number in (1, 3):
        result = run(START, agents, 60, seed=3, workers=number)
        assert timeless(result.games) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_file_stays_open() -> None:
    left = []
    for _ in range(2):  # the launcher stays
        run(START, [Odd(), "random"], 2, workers=2)
        left.append(sorted(os.listdir("/proc/self/fd")))
    assert left[0] == left[1]


def test_what_cannot_be_played_is_refused() -> None:
    for agents, games, options, message in [
        (["random"], 2, {}, "two agents or more, not 1"),
        (["random", "randon"], 2, {}, "did you mean 'random'"),
        (["random", Human()], 2, {}, "a tournament is for agents"),
        (["random", "random"], 3, {}, "even number"),
        (["random", "random"], 0, {}, "even number"),
        (["random", "random"], 2, {"memory": 0}, "at least 1 MB, not 0"),
        (["random", "random"], 2, {"workers": -1}, "not -1"),
        (["random", "random"], 2, {"mode": "knockout"}, "round-robin, gauntlet or near:N"),
        (["random", "random"], 2, {"mode": "near:0"}, "or near:N, not 'near:0'"),
        (["random", "random"], 2, {"seconds": 0}, "more than 0 seconds"),
        (["random", "random"], 2, {"seconds": 1, "clock": "1+1"}, "not both"),
        (["random", "random"], 2, {"clock": "1+x"}, "60\\+0.5"),
        (["random", "random"], 2, {"grace": -1}, "at least 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            alone(agents, games, **options)
    with pytest.raises(ValueError, match="the game is over"):
        run(START.after([0, 3, 1, 4, 2]), ["random", "random"], 2)
    with pytest.raises(TypeError, match="cannot be sent to another process"):
        alone(["random", Greedy(evaluate=lambda position: 0)])


def test_a_test_ends_a_tournament_of_two_at_the_same_game_whoever_plays(tmp_path: Path) -> None:
    agents, path = ["greedy", "random"], tmp_path / "t.db"
    options: dict[str, Any] = {"sprt": (0, 50), "openings": "none"}
    expected = alone(agents, 2000, **options)
    assert expected.complete
    assert expected.stopping is not None
    assert len(expected.games) == expected.stopping.end < 400
    assert expected.to_dict()["verdict"] == "H1 accepted: at least 50 normalized Elo"
    result = run(START, agents, 2000, seed=3, workers=3, out=path, **options)
    assert timeless(result.games) == timeless(expected.games)
    assert len(read(path)[1]) == len(expected.games)
    again = alone(agents, 2000, out=path, resume=True, **options)
    assert again.games == result.games
    other = alone(agents[::-1], 2000, **options)
    assert other.to_dict()["verdict"] == "H0 accepted: at most 0 normalized Elo"
    undecided = alone(agents, 4, **options)
    assert undecided.complete
    assert undecided.to_dict()["verdict"] == "undecided: the test goes on"
    with pytest.raises(ValueError, match="SPRT compares two agents, not 3"):
        alone([*agents, "random"], **options)
    with pytest.raises(ValueError, match="elo0 must be less than elo1"):
        alone(agents, sprt=(20, 0))
    with pytest.raises(ValueError, match="it is too large"):
        alone(agents, sprt=(0, 5000), out=tmp_path / "large.db")
    assert not (tmp_path / "large.db").exists()


def test_a_test_counts_clusters_of_pairs_and_one_opening_by_its_moves() -> None:
    rows: list[GameRecord] = [
        GameRecord(n, ("a", "b"), (n // 2 % 3,), (n % 8,), (points, 1 - points), (0, 0))
        for n in range(24)
        for points in [float(n % 3 == 0)]
    ]
    for openings, clusters in ((3, 3), (1, 4)):
        stopping = SequentialTest(Sprt(0, 50), openings)
        stopping.add(rows[::-1])
        assert (stopping.games.pairs, stopping.games.clusters) == (12, clusters)
        points = [row.points[row.number % 2] for row in rows]
        assert stopping.games.score == sum(points) / 24


# ---- who cannot play at all

REFUSED: list[tuple[Any, str]] = [
    ("rush", "rush() cannot play {game}: rush plays hex, not TicTacToe"),
    ("pig_solver", "pig_solver() cannot play {game}: pig_solver solves pig, not TicTacToe"),
    (Odd("refuse", ply=0), "{agent!r} cannot play {game}: I play chess"),
    (Odd("miss", ply=0), "{agent!r} cannot play {game}: there is no chess"),
]


@pytest.mark.parametrize(("agent", "message"), REFUSED)
@pytest.mark.parametrize("workers", [0, 1])
def test_who_cannot_play_the_game_is_refused_before_it_begins(
    agent: Any, message: str, workers: int, tmp_path: Path
) -> None:
    path = tmp_path / "t.db"
    with pytest.raises(CannotPlay) as refusal:
        run(START, ["random", agent], 20, out=path, workers=workers)
    assert str(refusal.value) == message.format(agent=agent, game="tic_tac_toe")
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_is_not_there_is_refused() -> None:
    with pytest.raises(CannotPlay, match=r"cannot start '/none/engine': No such file"):
        run(Hex(3), ["random", "engine(command='/none/engine')"], 2, workers=0)


def test_agents_are_tried_out_where_a_player_is_to_move() -> None:
    dice = Pig(target=10).play(0)
    assert dice.to_move == CHANCE
    assert run(dice, ["random", "pig_solver"], 2, openings="none", workers=0).complete


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        *dict.fromkeys(["exit", "raise", "kill"], "crash").items(),
        ("hang", "time"),
        ("illegal",) * 2,
    ],
)
def test_who_fails_in_other_ways_is_not_refused(what: str, fault: str) -> None:
    ready = 0.3 if what == "hang" else LONGEST
    result = apart(["random", Odd(what, ply=0)], seconds=9, ready=ready)
    assert result.complete
    assert faults(result) == [fault] * 2


def test_a_refusal_later_on_is_a_loss() -> None:
    result = alone([Odd(), Odd("refuse", ply=2)], 2, openings="none")
    assert faults(result) == ["crash", "crash"]
    assert all("ValueError: I play chess" in game.reason for game in result.games)


def test_agents_are_tried_out_once(tmp_path: Path) -> None:
    """On resuming it is known that they play; here they have forgotten meanwhile."""
    path, note = tmp_path / "t.db", tmp_path / "note"
    agents = [Odd("refuse if noted", ply=0, path=str(note)), "random"]
    begun = apart(agents, 400, out=path, on_progress=interrupt)
    assert 0 < len(begun.games) < 400
    note.touch()
    assert apart(agents, 400, out=path, resume=True).complete
    with pytest.raises(CannotPlay, match="I play chess"):
        apart(agents, 400)


# ---- clocks


def test_clocks_are_read_as_they_are_written() -> None:
    clocks = {"60": (60, 0), " 60+0.5 ": (60, 0.5), ".5+.1": (0.5, 0.1)}
    assert {text: read_clock(text) for text in clocks} == clocks
    for wrong in ("", "60+", "-1", "1+2+3", "1e3", "nan"):
        with pytest.raises(ValueError, match="a clock is written"):
            read_clock(wrong)


def test_a_clock_runs_down_and_is_wound_up_by_each_move() -> None:
    players = [Random(), Random()]
    clock = Clock(TimeControl(clock=(10.0, 2.0), grace=0.5), [0.0] * (USED + 2))
    clock.start(0, players)
    for player, seconds in [(0, 9.0), (1, 1.0), (0, 2.0), (0, 3.2), (0, 2.5), (0, 1)]:
        clock.before(player, [], 0.0)
        clock.after(player, seconds)  # 0 has 3 left after the first, 3, 2 (in grace), 2 and 3
    clock.before(0, [], 0.0)
    with pytest.raises(OutOfTime, match=r"3.51 s for a move that may take 3.00 s and 0.5 s of gra"):
        clock.after(0, 3.51)


def test_agents_that_can_are_told_how_long_to_think() -> None:
    class Thinker(Random):
        seconds: float | None = None

    agent, own = Thinker(), Thinker()
    own.seconds = 0.01
    clock = Clock(TimeControl(seconds=0.2), [0.0] * (USED + 2))
    clock.start(0, [agent, own])
    for player in (0, 1):
        clock.before(player, [], 0.0)
        clock.after(player, 0.1)
    assert (agent.seconds, own.seconds) == (pytest.approx(0.18), 0.01)
    clock.stop()
    assert agent.seconds is None


# ---- agents that fail


@pytest.mark.parametrize(
    ("whats", "limits"),
    [
        (["exit", "quit", "segfault", "raise", "reset", "illegal", "kill"], {}),
        (["hang", "sleep long"], {"seconds": 1.5, "grace": 1.5}),
    ],
)
def test_who_fails_loses_that_game_and_the_tournament_goes_on(
    whats: list[str], limits: dict[str, float]
) -> None:
    agents = [Odd(), *(Odd(what) for what in whats)]
    result = run(START, agents, 2, openings="none", mode="gauntlet", workers=2, **limits)
    assert result.complete
    kinds = {"illegal": "illegal", "hang": "time", "sleep long": "time"}
    reasons = {
        "exit": "its process ended with exit status 3",
        "quit": "SystemExit: 3",
        "segfault": "its process was ended by SIGSEGV",
        "raise": "RuntimeError: I do not know",
        "reset": "RuntimeError: I do not begin",
        "illegal": "IllegalAction: -7 is not a legal action",
        "hang": TOO_LATE,
        "sleep long": "for a move that may take 1.50 s and 1.5 s of grace",
        "kill": "its process was ended by SIGKILL",
    }
    for game in result.games:
        loser = game.players[game.loser]  # type: ignore[index]
        what = loser.partition("'")[2].rpartition("'")[0]
        assert game.points[game.loser] == 0  # type: ignore[index]
        assert game.fault == kinds.get(what, "crash")
        assert game.reason.startswith(f"player {game.loser}, {loser}, failed: ")
        too_late = (TOO_LATE,) if what == "sleep long" else ()  # on a busy machine
        assert game.reason.endswith((reasons[what], *too_late))
        plies = game.loser if what != "reset" else -2  # type: ignore[operator]
        assert game.actions == tuple(range(plies + 2))
        if what in ("exit", "segfault", "hang", "kill"):  # its process has ended with it
            assert game.seconds[game.loser] > (3 if what == "hang" else 0)  # type: ignore[index]
            assert game.seconds[1 - game.loser] > 0  # type: ignore[operator]
    assert result.standings.by_name["odd()"].total.wins == 2 * len(whats)
    first = result.standings.by_name[f"odd(what='{whats[0]}')"]
    assert str(first.forfeits) == f"2: 2 {'time' if limits else 'crash'}"


contained = pytest.mark.skipif(not can_contain(), reason="Linux 6.12 keeps agents from signalling")

SPOILERS = {
    "undo": ("illegal", "only people take moves back"),
    "resign": ("resigned", "resigned"),
    "long message": ("crash", "xxx... (10000000 characters)"),
    "no message": ("crash", "Silent: (its message fails: RuntimeError)"),
    "base": ("crash", "BaseException: I am above exceptions"),
    "fork": ("crash", "an agent must not fork: use subprocess or multiprocessing"),
    "close": ("crash", "its process closed the connection"),
    "rubbish": ("crash", "its process sent what is no answer"),
    "kill the parent": ("crash", "PermissionError: [Errno 1] Operation not permitted"),
    "empty fault": ("crash", "it is nothing"),
    "long fault": ("crash", "it is much"),
    "half a character": ("crash", "\\ud800 \\x1b[31m"),
    "no text": ("crash", "(int in the place of a text)"),
    "minus one": ("illegal", "IllegalAction: -1 is not a legal action"),
    "large": ("illegal", "an integer of more than 64 bits is not a legal action"),
}
"""What agents do that play in a process of their own, and how their games end."""


@pytest.mark.skipif(sys.platform != "linux", reason="some of this needs forks and /proc")
@pytest.mark.parametrize(
    "what", [pytest.param(w, marks=contained) if "parent" in w else w for w in SPOILERS]
)
def test_who_spoils_its_process_loses_that_game_and_nothing_else_changes(what: str) -> None:
    calm = apart([Odd(), "random", Greedy()], 4, seed=17)
    spoiled = apart([Odd(what, ply=6), "random", Greedy()], 4, seed=17)
    fault, reason = SPOILERS[what]
    lost = 0
    for game, other in zip(spoiled.games, calm.games, strict=True):
        if repr(Odd(what, ply=6)) not in game.players or len(other.actions) <= 6:
            assert (game.actions, game.points) == (other.actions, other.points)
            assert game.reason == ""
        elif game.fault == "" and len(other.actions) == 7:
            assert game.actions == other.actions  # the seventh move was the opponent's
        else:
            lost += 1
            assert (game.fault, game.reason.endswith(reason)) == (fault, True), game.reason
            assert game.loser == game.players.index(repr(Odd(what, ply=6)))
            assert game.actions == other.actions[: len(game.actions)]
            assert len(game.reason) < 2200
    assert lost > 3


def test_who_writes_its_own_answers_chooses_no_fault_of_its_own() -> None:
    result = apart([Odd("fault on the channel"), "random"])
    assert faults(result) == ["crash"] * 2
    assert result.games[0].reason.endswith("failed: \\udfff")


@pytest.mark.skipif(sys.platform != "linux", reason="it looks for its files in /proc")
def test_an_answer_that_stops_in_the_middle_is_too_late() -> None:
    result = apart([Odd("half a header"), "random"], seconds=0.5, grace=0.5)
    assert faults(result) == ["time", "time"]
    assert all(game.reason.endswith(TOO_LATE) for game in result.games)


@pytest.mark.skipif(sys.platform != "linux", reason="some of this needs forks and /proc")
@pytest.mark.parametrize(
    "what",
    [
        "fork in C",
        "mutate",
        "index",
        "multiprocessing",
        "look around",
        pytest.param("kill later", marks=contained),
        pytest.param("stop all", marks=contained),
    ],
)
def test_what_an_agent_does_to_its_process_changes_no_game(what: str) -> None:
    calm, odd = (apart([Odd(w), "random", Greedy()], 20, seed=4) for w in ("", what))
    assert outcomes(odd) == outcomes(calm)


def test_who_changes_the_rules_changes_them_for_itself() -> None:
    calm, patched = (apart([Odd(w), "random", Greedy()], 20, seed=4) for w in ("", "patch"))
    for game, other in zip(patched.games, calm.games, strict=True):
        assert game.actions == other.actions[: len(game.actions)]
        if repr(Odd("patch")) in game.players:
            assert game.loser == game.players.index(repr(Odd("patch")))
        else:
            assert game.points == other.points


def test_who_does_not_get_ready_is_waited_for_once(tmp_path: Path) -> None:
    """Not by each worker, nor in each game: its process is started once."""
    note = tmp_path / "note"
    agents = [Odd("hang", ply=0, path=str(note)), "random"]
    result = apart(agents, 20, seconds=9, ready=0.3, workers=2)
    assert faults(result) == ["time"] * 20
    assert all("it was not ready after 0.3 s" in game.reason for game in result.games)
    assert len(note.read_text().split()) <= 1


@pytest.mark.parametrize("clock", [None, 9.0])
def test_who_hangs_in_reset_loses_and_is_not_waited_for_again_and_again(
    clock: float | None,
) -> None:
    """The second game is lost like the first, and from the fourth on without waiting."""
    result = apart([Odd("hang in reset"), "random"], 40, seconds=clock, ready=0.05)
    assert {(game.fault, game.actions) for game in result.games} == {("time", ())}
    assert result.standings.by_name["random()"].total.points == 40


@pytest.mark.parametrize(
    ("what", "fault", "reason"),
    [("exit", "crash", "its process ended with exit status 4"), ("hang", "time", TOO_LATE)],
)
def test_who_spoils_its_loading_loses(what: str, fault: str, reason: str) -> None:
    ready = 0.1 if what == "hang" else LONGEST
    result = apart([Unloadable(what), "random"], 10, ready=ready)
    assert result.standings.by_name["random()"].total.points == 10
    assert faults(result) == [fault] * 10
    assert all(game.reason.endswith(reason) for game in result.games)


def test_who_cannot_be_loaded_is_refused() -> None:
    with pytest.raises(CannotPlay, match=r"be unpickled in a process of its own: RuntimeError: I"):
        apart([Unloadable("raise"), "random"])


def test_agents_are_asked_for_their_names_once() -> None:
    assert faults(apart([Nameless(1), "random"], openings="first")) == ["crash", "crash"]
    with pytest.raises(TypeError, match=r"the repr of an agent, a Nameless, fails: Runtime.*name"):
        apart([Nameless(0), "random"])


def first_legal(position: Any) -> int:
    """A policy in a line."""
    return int(position.legal_actions()[0])


def test_functions_are_agents_of_tournaments() -> None:
    agents = ["random", first_legal, f"{__name__}.first_legal"]
    result = apart(agents, 4)
    assert result.names == ("random()", f"{__name__}.first_legal", f"{__name__}.first_legal#2")
    assert faults(result) == [""] * 12
    assert outcomes(result) == outcomes(apart(["random", Odd(), Odd()], 4))
    with pytest.raises(TypeError, match="<lambda> cannot be sent to another process"):
        apart(["random", lambda position: 0], 4)


def test_our_own_agents_play_in_the_worker() -> None:
    trusted = [Random(3), Greedy(hex.two_distance), MCTS(), Perfect(), Engine("mohex", 5)]
    patched = Random()
    patched.act = max  # type: ignore[method-assign, assignment]
    others = [Odd(), Greedy(winner), MCTS(evaluate=winner), patched]
    assert [is_trusted(agent) for agent in (*trusted, *others)] == [True] * 5 + [False] * 4


def winner(position: Any) -> float:
    """An evaluation of one's own."""
    return 0.0


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("note", 2),
        pytest.param(
            "start", 1, marks=pytest.mark.skipif(sys.platform != "linux", reason="orphans go on")
        ),
    ],
)
def test_agents_and_what_they_start_end_with_the_tournament(
    what: str, number: int, tmp_path: Path
) -> None:
    note = tmp_path / "note"
    apart([Odd(what, path=str(note)), "random"], workers=number)
    wait_for_the_end_of(map(int, note.read_text().split()))


@pytest.mark.skipif(sys.platform != "linux", reason="processes are stopped as a whole on Linux")
def test_an_agent_that_is_not_asked_is_stopped(tmp_path: Path) -> None:
    """It and what it has started, whenever the opponent, which can see it, is asked."""
    note = tmp_path / "note"
    agents = [Odd("start", ply=0, path=str(note)), Odd("see it stopped", path=str(note))]
    assert [game.reason for game in apart(agents, 6).games] == [""] * 6


@pytest.mark.parametrize("workers", [1, 2])
def test_a_lost_launcher_is_replaced(workers: int, tmp_path: Path) -> None:
    """It is the parent of all processes, which end with it; their games are played again."""
    calm = run(START, [Odd(), "random"], 300, seed=3, workers=workers)
    lost = 0

    def kill(result: Tournament) -> None:
        nonlocal lost
        if len(result.games) > 100 * lost and lost < 3:
            lost += 1
            os.kill(processes._launchers[0]._process.pid, signal.SIGKILL)

    result = run(START, [Odd(), "random"], 300, seed=3, workers=workers, on_progress=kill)
    assert lost == 3
    assert outcomes(result) == outcomes(calm)


def test_a_worker_s_death_is_nobody_s_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is killed from outside: in the end that is an error."""
    pools: list[workers.WorkerPool] = []
    make_pool = workers.WorkerPool.__init__

    def kept(pool: workers.WorkerPool, *args: Any) -> None:
        pools.append(pool)
        make_pool(pool, *args)

    monkeypatch.setattr(workers.WorkerPool, "__init__", kept)

    def kill(result: Tournament) -> None:
        for worker in pools[0]._workers:
            if worker.shared.numbers[GAME] == 0:
                os.kill(worker.process.pid, signal.SIGKILL)

    agents = ["random", Odd("sleep", ply=0)]
    with pytest.raises(WorkerError, match=r"game 0 .* SIGKILL, 3 times; no agent is to blame"):
        apart(agents, on_progress=kill)


def test_a_game_is_played_again_when_its_worker_is_killed_from_outside(tmp_path: Path) -> None:
    result = apart([Odd("kill once", path=str(tmp_path / "once")), "random"])
    assert outcomes(result) == outcomes(apart([Odd(), "random"]))
    assert not any(game.reason for game in result.games)
    result = apart([Odd("kill twice", path=str(tmp_path / "twice")), "random"])
    assert faults(result) == ["crash", ""]  # the first game, twice


@pytest.mark.parametrize(
    ("alone", "contained", "to_blame"),
    [(True, False, True), (False, True, True), (False, False, False)],
)
def test_who_is_killed_loses_where_no_other_agent_can_have_done_it(
    alone: bool, contained: bool, to_blame: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "can_contain", lambda: contained)
    participant = Participant.of(Odd("kill"))
    agent = IsolatedAgent(participant, START, 60, lambda: inf, alone=alone)

    def play() -> Game:
        return until_undisturbed(lambda: play_game(START, [agent, Random()], 1))

    with closing(agent):
        if to_blame:
            assert [(play().fault, play().loser) for _ in range(2)] == [("crash", 0)] * 2
        else:
            with pytest.raises(NobodyToBlame, match=r"by SIGKILL .* 3 times; no agent is to blame"):
                play()


def test_matches_are_isolated_as_tournaments_are() -> None:
    whats = {
        "exit": "its process ended with exit status 3",
        "kill": "its process was ended by SIGKILL",
        "segfault": "its process was ended by SIGSEGV",
        "empty fault": "it is nothing",
    }
    for what, why in whats.items():
        with isolated([Odd(what), Random()], START) as players:
            assert repr(players[0]) == repr(Odd(what))
            result = match(START, *players, pairs=1)
        assert [(game.fault, game.loser) for game in result.games] == [("crash", 0), ("crash", 1)]
        assert all(game.reason.endswith(f"failed: {why}") for game in result.games)


def test_an_agent_that_never_gets_ready_runs_out_of_time() -> None:
    result = apart([Odd("hang", ply=0), "random"], seconds=9, ready=0.2, workers=2)
    found = [(game.fault, game.loser, game.actions) for game in result.games]
    assert found == [("time", 0, ()), ("time", 1, ())]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
def test_memory_is_limited() -> None:
    result = apart([Odd("memory"), "random"], memory=500)
    assert faults(result) == ["crash", "crash"]
    assert all("MemoryError" in game.reason for game in result.games)


class Broken(TicTacToe):
    """Its rules have a fault."""

    def play(self, action: int) -> Any:
        raise RuntimeError("no such cell")


def test_faults_of_the_rules_are_nobody_s_loss() -> None:
    with pytest.raises(WorkerError, match="game 0 cannot be played: RuntimeError: no such cell"):
        run(Broken(), ["random", "random"], 2, openings="none", workers=1)


# ---- files


def test_an_interrupted_tournament_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SLICE", 0.0)  # or a fast machine is done at once
    path = tmp_path / "t.db"
    agents = ["random", "greedy"]
    whole = alone(agents, 600)
    first = alone(agents, 600, out=path, on_progress=interrupt)
    assert not first.complete
    assert 0 < len(first.games) < 600
    stored, rows = read(path)
    assert rows == first.games
    assert stored == first.settings
    second = alone(agents, 600, out=path, resume=True)
    assert second.games[: len(rows)] == rows  # with the seconds measured then
    assert timeless(second.games) == timeless(whole.games)
    again = alone(agents, 600, out=path, resume=True)
    assert again.games == second.games
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.db"]


def test_kill_9_at_twenty_random_moments_loses_nothing(tmp_path: Path) -> None:
    path, games = tmp_path / "t.db", 3000
    script = kill_tournament.__file__
    command = [sys.executable, script, str(path), str(games), "20", "1"]
    with child(command, stdout=-1, text=True) as process:
        counts = [int(line) for line in process.communicate()[0].split()]
    assert len(counts) >= 20
    assert 0 < counts[-1] < games
    assert len(set(counts)) > 5
    before = read(path)[1]
    options = kill_tournament.OPTIONS
    resumed = run(START, ["random", "greedy"], games, out=path, resume=True, **options)
    whole = run(START, ["random", "greedy"], games, **options)
    assert timeless(resumed.games) == timeless(whole.games)
    assert set(before) <= set(resumed.games)
    tables = [
        [(s.name, s.first, s.second) for s in result.standings.table()]
        for result in (resumed, whole)
    ]
    assert tables[0] == tables[1]


@pytest.mark.slow
def test_kill_9_with_workers_at_twenty_random_moments_loses_nothing(tmp_path: Path) -> None:
    path, games = tmp_path / "t.db", 20_000
    command = ["-m", "adv_envs", "tournament", "tic_tac_toe", "random", "greedy"]
    options = ["--games", str(games), "--seed", "3", "--out", str(path), "--workers", "2"]
    before, rng = -1, random.Random(1)
    for _ in range(20):
        with child([sys.executable, *command, *options, "--resume"], stdout=-3) as process:
            wait_for(
                lambda b=before, p=process: kill_tournament.played(path) > b or p.poll() is not None  # type: ignore[misc]
            )
            time.sleep(rng.uniform(0, 0.3))
            process.kill()
            process.wait()
        now = kill_tournament.played(path)
        assert now > before
        before = now
        if now == games:
            break
    kept = read(path)[1]
    resumed = run(START, ["random", "greedy"], games, seed=3, out=path, resume=True)
    assert set(kept) <= set(resumed.games)
    assert timeless(resumed.games) == timeless(alone(["random", "greedy"], games).games)


def test_kill_9_ends_the_workers_too(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    note = tmp_path / "note"
    agents = ["random", f"odd(what='note and hang', path={str(note)!r})"]
    command = ["--import", "odd_agents", "tournament", "tic-tac-toe", *agents, "--out", str(path)]
    options: dict[str, Any] = {"cwd": Path(__file__).parent, "stderr": -3}
    with child([sys.executable, "-m", "adv_envs", *command, "--workers", "2"], **options) as one:
        wait_for(lambda: note.exists() and len(note.read_text().split()) > 1)
        workers = note.read_text().split()
        with pytest.raises(StoreError, match="in use by another tournament"):
            run(START, ["random", "random"], 2, out=path)
        one.send_signal(signal.SIGKILL)
        one.wait()
    wait_for_the_end_of(map(int, workers))


def test_a_file_is_refused_if_it_is_not_what_is_asked_for(tmp_path: Path) -> None:
    full, plain, text, other = (
        tmp_path / name for name in ("t.db", "plain.db", "text", "other.db")
    )
    two = ["random", "random"]
    alone(two, out=full)
    alone(two, openings="none", out=plain, resume=True)  # which may begin one
    text.write_text("not a database, but a text that is long enough " * 9)
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE bird (name TEXT)")
    for path, agents, options, why in [
        (full, two, {}, "20 games of it played: go on with --resume"),
        (
            full,
            ["random", "greedy"],
            {"resume": True},
            'agents is .*there, .*random\\(\\)", "greedy',
        ),
        (plain, two, {"openings": "none", "seed": 4, "resume": True}, "seed is 3 there, 4 here"),
        (tmp_path, two, {}, "is a folder"),
        (tmp_path / "nowhere" / "t.db", two, {}, "is its folder there"),
        (text, two, {"resume": True}, "it is not an SQLite database"),
        (other, two, {}, "a database of something else"),
    ]:
        with pytest.raises(StoreError, match=why):
            alone(agents, out=path, **options)
    with pytest.raises(StoreError, match="there is no file"):
        read(tmp_path / "missing")


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    alone(["random", "random"], out=path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(StoreError, match=f"has version {FORMAT + 1} .* reads versions 1 to"):
        alone(["random", "random"], out=path, resume=True)


def as_version_1(path: Path) -> None:
    """Make a file what the first release wrote: without checksums."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("ALTER TABLE game RENAME TO later")
        db.execute("CREATE TABLE game AS SELECT * FROM later")
        for column in ("checksum", "counts", "printed", "seats"):
            db.execute(f"ALTER TABLE game DROP COLUMN {column}")
        db.execute("DROP TABLE later")
        db.execute("DROP TABLE total")
        db.execute("PRAGMA user_version = 1")


def test_a_file_of_the_first_version_is_read_but_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    alone(["random", "greedy"], out=path)
    settings, rows = read(path)
    as_version_1(path)
    assert read(path) == (settings, rows)
    assert read_game(path, 3) == (settings, rows[3])
    with pytest.raises(StoreError, match=r"t\.db was begun by an earlier release.* other seeds"):
        alone(["random", "greedy"], out=path, resume=True)
    assert read(path) == (settings, rows)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE game SET actions = '4 0 8 1 7' WHERE number = 3", "game 3 is not as it was"),
        ("UPDATE game SET points = 1 - points WHERE points != 0.5", "game .* and . more is not as"),
        ("UPDATE game SET reason = CAST(x'ff' AS TEXT) WHERE number = 3", "UTF-8"),
        ("UPDATE game SET number = 77 WHERE number = 3", "game 77 is not as it was written"),
        ("DELETE FROM game WHERE number = 3", "20 games were written, 19 are there"),
        ("UPDATE total SET games = 19", "19 games were written, 20 are there"),
        ("DELETE FROM total", "the number of games was written, 20 are there"),
        ("DROP TABLE total", "no such table"),
        ("UPDATE setting SET value = '[' WHERE name = 'seed'", "its settings do not fit"),
        ("UPDATE setting SET value = '4' WHERE name = 'seed'", "its settings do not fit"),
        ("UPDATE setting SET value = x'ff' WHERE name = 'seed'", "its settings do not fit"),
        ("UPDATE setting SET name = 'sead' WHERE name = 'seed'", "its settings do not fit"),
        ("DELETE FROM setting", "its settings do not fit"),
        ("PRAGMA user_version = 1", "is not as it was written"),
    ],
)
def test_other_games_are_never_read(change: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    alone(["random", "greedy"], out=path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(change)
    with pytest.raises(StoreError, match=rf"t\.db is damaged: .*{told}"):
        read(path)
    with pytest.raises(StoreError, match=r"t\.db (is damaged|was begun by an earlier)"):
        alone(["random", "greedy"], out=path, resume=True, seed=4 if "'4'" in change else 3)


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_whatever_happens_to_the_bytes_other_games_are_never_read(
    suffix: str, tmp_path: Path
) -> None:
    path, damaged = tmp_path / "t.db", tmp_path / "damaged.db"
    with Store(path, {"seed": 1}, resume=False) as store:
        for part in range(5):  # several pages, and several transactions in the log
            store.add(
                GameRecord(8 * part + n, ("a", "b"), (1,), (2,) * n, (1.0, 0.0), (0.5, 1.0))
                for n in range(8)
            )
        files = {end: path.with_name(path.name + end) for end in ("", "-wal")}
        if not suffix:  # all of it in the file itself
            store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        whole = {end: each.read_bytes() for end, each in files.items()}
    written, rng = read(path), random.Random(1)
    for _ in range(150):
        hurt = {**whole, suffix: corrupted(whole[suffix], rng)}
        for end, data in hurt.items():
            damaged.with_name(damaged.name + end).write_bytes(data)
        with suppress(StoreError):
            settings, rows = read(damaged)
            # what a damaged log no longer holds was never there, as after a power failure
            assert (settings, rows) == (written[0], written[1][: len(rows)])
            assert suffix or len(rows) == 40
        for each in tmp_path.glob("damaged.db*"):
            each.unlink()


def corrupted(data: bytes, rng: random.Random) -> bytes:
    """Some bytes changed: one, a row of random ones, or a piece from elsewhere."""
    at = rng.randrange(120) if rng.random() < 0.3 else rng.randrange(len(data))
    length = rng.choice([1, 1, 4, 64, 4096])
    other = rng.randrange(len(data))
    piece = rng.choice([rng.randbytes(length), data[other : other + length]])
    return (data[:at] + piece + data[at + length :])[: len(data)]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    alone(["random", "random"], 200, out=path)
    whole = path.read_bytes()
    for rest in (whole[:4096] + bytes(len(whole) - 4096), whole[:-1], whole[:4096], whole[:1]):
        path.write_bytes(rest)
        with pytest.raises(StoreError, match=r"t\.db is damaged: .* with the same seed"):
            alone(["random", "random"], 200, out=path, resume=True)


def test_two_tournaments_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with Store(path, {"seed": 1}, resume=False):
        with pytest.raises(StoreError, match="in use by another tournament"):
            Store(path, {"seed": 1}, resume=True)
        assert read(path) == ({"seed": 1}, [])  # who only reads may
    Store(path, {"seed": 1}, resume=True).close()


def test_a_read_only_file_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder, mortal(folder):
        path = Path(folder) / "t.db"
        Store(path, {"seed": 1}, resume=False).close()
        path.chmod(0o400)
        with pytest.raises(StoreError, match=r"cannot write .*t\.db: it is read-only"):
            Store(path, {"seed": 1}, resume=True)
        Path(folder).chmod(0o500)
        with pytest.raises(StoreError, match="may you write to it"):
            Store(path, {"seed": 1}, resume=True)
        Path(folder).chmod(0o700)


@contextmanager
def mortal(folder: str) -> Iterator[None]:
    """Without the rights of the superuser, to whom no file is read-only."""
    if os.geteuid():
        yield
        return
    nobody = 65534
    os.chown(folder, nobody, nobody)
    os.seteuid(nobody)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_full_disk_ends_a_tournament_that_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        with pytest.raises(StoreError, match=r"cannot write .*t\.db: the disk .*--resume"):
            alone(["random", "random"], 1500, out=path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    kept = read(path)[1]
    assert len(kept) < 1500
    resumed = alone(["random", "random"], 1500, out=path, resume=True)
    assert set(kept) <= set(resumed.games)
    assert timeless(resumed.games) == timeless(alone(["random", "random"], 1500).games)
