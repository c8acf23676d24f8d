"""A class: who plays whom, that nothing is played twice, and what becomes of bad submissions."""

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from browser import open_page
from children import child, wait_for
from command_line import refused, run

from adv_envs import ConnectFour, Hex, TicTacToe
from agents.arena.store import StoreError, read
from agents.classroom import Loading, Submission
from agents.classroom.class_tournament import (
    ClassSettings,
    ClassTournament,
    read_submissions,
    run_class,
)
from agents.classroom.members import (
    ClassSchedule,
    ClassStore,
    Member,
    MemberKey,
    class_pairings,
    pair_number,
    pair_of,
)
from agents.classroom.staff import MOST, staff_of, usual_staff
from agents.reports.class_page import (
    class_csv,
    class_html,
    class_page_data,
    class_rows,
    error_line,
    without_source,
)
from agents.web.follow import read_tournament

pytestmark = pytest.mark.compiled

START = TicTacToe()
TWELVE = Path(__file__).parent / "submissions"
QUICK = ClassSettings(games=2, seed=1, seconds=20.0, ready=60.0)
"""No submission that answers at all exceeds these times, however busy the machine is."""

GOOD = "def agent(position):\n    return position.legal_actions()[{}]\n"


def keys(*names: str) -> list[MemberKey]:
    return [MemberKey(name, f"{ord(name[0]):064x}", False) for name in names]


def schedule(*members: Member, rounds: int = 2) -> ClassSchedule:
    return ClassSchedule(class_pairings(members, ()), rounds, rounds, 7, members)


def folder_of(path: Path, **files: str) -> Path:
    """A folder with these files, by name without the end."""
    path.mkdir(exist_ok=True)
    for name, text in files.items():
        (path / f"{name}.py").write_text(text)
    return path


def play(folder: Path, out: Path, **more: Any) -> ClassTournament:
    settings = more.pop("settings", QUICK)
    return run_class(START, folder, settings, staff=["random()"], workers=1, out=out, **more)


def played(result: ClassTournament) -> set[Any]:
    """The games, whatever their numbers and times, and where in a loop a process was ended."""
    return {
        (
            game.players,
            game.opening,
            game.actions,
            game.points,
            re.sub(r", line \d+", "", game.reason),
        )
        for game in result.games()
    }


# ---- who plays whom


def test_numbers_of_pairs_are_one_after_the_other():
    pairs = [(low, high) for high in range(40) for low in range(high)]
    assert [pair_number(*pair) for pair in pairs] == list(range(len(pairs)))
    assert [pair_of(number) for number in range(len(pairs))] == pairs
    assert pair_number(5, 3) == pair_number(3, 5)
    far = 10**15
    assert pair_of(pair_number(far, far - 1)) == (far - 1, far)


def test_who_joins_adds_games_at_the_end():
    members = [Member(number, key) for number, key in enumerate(keys("c", "a", "d", "b"))]
    before, after = schedule(*members[:3]), schedule(*members)
    assert after.numbers()[: len(before)] == before.numbers() == list(range(len(before)))
    assert len(after) == len(after.numbers()) == 6 * 4
    assert [after.task(n)[1:] for n in before.numbers()] == [
        before.task(n)[1:] for n in before.numbers()
    ]


def test_games_do_not_depend_on_who_is_there_and_when_they_joined():
    def games(order: str) -> set[Any]:
        members = [Member(number, key) for number, key in enumerate(keys(*order))]
        found = schedule(*members)
        return {
            (tuple(members[i].key.name for i in task.players), *task[2:])
            for task in map(found.task, found.numbers())
        }

    assert games("abcd") == games("dcba")
    assert games("ab") < games("cabd")


def test_both_seats_play_every_opening_with_one_deal():
    a, b = (Member(number, key) for number, key in enumerate(keys("a", "b")))
    tasks = [schedule(a, b).task(number) for number in range(4)]
    assert [task.players for task in tasks] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [task.opening for task in tasks] == [0, 0, 1, 1]
    assert len({task.seed for task in tasks}) == 4
    assert [tasks[0].chance_seed, tasks[2].chance_seed] == [
        tasks[1].chance_seed,
        tasks[3].chance_seed,
    ]
    assert tasks[0].chance_seed != tasks[2].chance_seed


def test_who_left_has_no_games_and_takes_no_number_away():
    members = [Member(number, key) for number, key in enumerate(keys("a", "b", "c"))]
    left = schedule(members[0], members[2])
    assert left.numbers() == [4, 5, 6, 7]
    assert left.task(4).players == (0, 1)
    with pytest.raises(IndexError, match="no game 0"):
        left.task(0)


def test_staff_of_known_strength_do_not_meet():
    members = [Member(n, key) for n, key in enumerate(keys("a", "b", "c"))]
    known = [member.label for member in members[:2]]
    assert class_pairings(members, known) == ((0, 2), (1, 2))


def test_members_join_a_file_once(tmp_path: Path):
    settings = {"game": repr(START), "seed": 1}
    with ClassStore(tmp_path / "c.db", settings) as store:
        assert [m.number for m in store.join(keys("b", "a"))] == [0, 1]
        assert [m.number for m in store.join(keys("a", "c"))] == [1, 2]
    with ClassStore(tmp_path / "c.db", settings) as store:
        assert [(m.number, m.key.name) for m in store.members()] == [(0, "b"), (1, "a"), (2, "c")]
        assert [m.number for m in store.join(keys("c", "b", "d"))] == [2, 0, 3]
    with closing(sqlite3.connect(tmp_path / "c.db")) as db:
        db.execute("DELETE FROM member WHERE number = 1")
        db.commit()
    with (
        ClassStore(tmp_path / "c.db", settings) as store,
        pytest.raises(StoreError, match="its members are not as they were written"),
    ):
        store.members()


# ---- the staff


def test_the_staff_are_spread_over_the_ladder_and_quick():
    staff = usual_staff(ConnectFour(), 1.0)
    assert len(staff) == MOST
    assert (staff[0].spec, staff[0].elo) == ("random()", 0)
    ratings = [each.elo or 0 for each in staff]
    assert ratings == sorted(ratings)
    assert ratings[-1] > 1500
    assert "perfect()" not in {each.spec for each in staff}  # it takes most of a second
    assert "perfect()" in {each.spec for each in usual_staff(ConnectFour(), 10.0)}
    assert [each.spec for each in usual_staff(ConnectFour(), 1e-9)] == ["random()"]


def test_without_a_ladder_random_play_is_at_0():
    staff = usual_staff(Hex(5), 1.0)
    assert (staff[0].spec, staff[0].elo) == ("random()", 0)
    assert {each.elo for each in staff[1:]} == {None}
    assert len(staff) == MOST


def test_staff_by_hand_have_the_ratings_of_the_ladder():
    greedy, other = staff_of(ConnectFour(), ["greedy()", "mcts(simulations=7)", "greedy()"])
    assert (greedy.name, other.name) == ("greedy", "mcts(simulations=7)")
    assert greedy.elo is not None
    assert other.elo is None


# ---- a class


def test_new_submissions_join_changed_ones_begin_again_and_nothing_is_played_twice(tmp_path: Path):
    folder, out = folder_of(tmp_path / "class", a=GOOD.format(0), b=GOOD.format(-1)), tmp_path / "f"
    counts: list[int] = []
    first = play(folder, out, on_progress=lambda r: counts.append(len(r.tournament.games)))
    assert first.complete
    assert len(first.tournament.games) == 2 * 3  # each other, and random play
    assert counts[-1] == 6
    again = play(folder, out, on_progress=lambda _: pytest.fail("nothing is to be played"))
    assert again.tournament.games == first.tournament.games
    assert again.ratings() == first.ratings()

    folder_of(folder, c=GOOD.format(1))
    joined = play(folder, out)
    assert joined.tournament.games[:6] == first.tournament.games  # with their times
    assert len(joined.tournament.games) == 2 * (3 + 3)
    at_once = play(folder, tmp_path / "at_once")
    assert played(joined) == played(at_once)
    assert joined.ratings() == at_once.ratings()

    folder_of(folder, a=GOOD.format("len(position.legal_actions()) // 2"))
    (folder / "b.py").unlink()
    changed = play(folder, out)
    assert [(each.member.key.name, each.why) for each in changed.former] == [
        ("a", "changed"),
        ("b", "gone"),
    ]
    assert all(each.games == 6 for each in changed.former)
    assert len(changed.tournament.games) == 2 * (1 + 2)
    data = class_page_data(changed)
    assert [each["name"] for each in data["former"]] == ["a", "b"]
    assert "Earlier versions" in class_html(data)
    folder_of(folder, a=GOOD.format(0), b=GOOD.format(-1))  # as they were
    back = play(folder, out, on_progress=lambda _: pytest.fail("nothing is to be played"))
    assert played(back) == played(joined)


def test_who_fails_in_every_game_loses_each_at_the_same_place(tmp_path: Path):
    """Also when its process is not started any more: the order of games does not matter."""
    exits = GOOD.format(0).replace("return", "position == position.start() or exit(0)\n    return")
    folder = folder_of(
        tmp_path / "class", good=GOOD.format(0), exits=exits.replace("exit", "_exit")
    )
    folder_of(folder, exits=f"from os import _exit\n{(folder / 'exits.py').read_text()}")
    settings = ClassSettings(games=12, seed=1, seconds=20.0, ready=60.0)
    result = run_class(START, folder, settings, staff=[], workers=1)
    assert len(result.tournament.games) == 12
    for game in result.games():
        assert game.players[game.loser or 0] == "exits"
        assert len(game.actions) == game.loser
        assert min(game.seconds) >= 0


def test_a_class_goes_on_after_it_was_killed(tmp_path: Path):
    folder = folder_of(tmp_path / "class", **{f"s{i}": GOOD.format(i) for i in range(3)})
    folder_of(folder, s3="def agent(position):\n    while position.ply: pass\n    return 0\n")
    settings = ClassSettings(games=4, seed=5, seconds=300.0, ready=300.0)  # s3 is not over by then
    line = [
        *(sys.executable, "-m", "adv_envs", "class", str(folder), "--game", "tic_tac_toe"),
        *("--games", "4", "--seed", "5", "--staff", "random()", "--workers", "1", "--json"),
        *("--seconds", "300", "--ready", "300"),
    ]
    file = folder / "class.db"

    def in_file() -> int:
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db,
        ):
            return int(db.execute("SELECT count(*) FROM game").fetchone()[0])
        return 0

    with child(line, stdout=subprocess.PIPE) as process:
        wait_for(lambda: file.exists() and in_file() > 0)
        process.send_signal(signal.SIGKILL)
        process.wait()
    kept = {game.number: game for game in read(file)[1]}
    assert kept
    folder_of(folder, s3=GOOD.format(0))
    result = run_class(START, folder, settings, staff=["random()"], workers=1)
    assert result.complete
    assert len(result.tournament.games) == 4 * 10
    of_s3 = [number for number, game in kept.items() if any("s3" in n for n in game.players)]
    assert not of_s3
    assert all(game == kept.get(game.number, game) for game in result.tournament.games)
    assert {game.number for game in result.tournament.games} > {*kept}
    whole = run_class(
        START, folder, settings, staff=["random()"], workers=1, out=tmp_path / "whole"
    )
    assert played(whole) == played(result)


def test_the_file_can_be_followed_as_that_of_any_tournament(tmp_path: Path):
    folder = folder_of(tmp_path / "class", a=GOOD.format(0))
    result = play(folder, tmp_path / "f")
    state = read_tournament(tmp_path / "f")
    assert state["done"] == 2
    assert state["state"] == "ended"
    assert state["names"] == sorted(result.tournament.names)


def test_interrupted_it_has_the_table_of_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = folder_of(tmp_path / "class", a=GOOD.format(0), b=GOOD.format(-1))

    def interrupt(result: ClassTournament) -> None:
        raise KeyboardInterrupt

    result = play(folder, tmp_path / "f", on_progress=interrupt)
    assert not result.complete
    assert len(class_rows(result, class_page_data(result))) == 3

    def busy(submissions: list[Submission], *_: Any) -> list[Loading]:
        return [Loading(each, "", "it was not ready\n", "", 1.0) for each in submissions]

    monkeypatch.setattr("agents.classroom.class_tournament.load_submissions", busy)
    result = play(folder, tmp_path / "f")  # the same files, which do not load now
    assert [each.name for each in result.left_out] == ["a", "b"]
    assert {each.why for each in result.former} == {"not loaded"}


def test_what_a_teacher_should_know_is_noted(tmp_path: Path):
    other = f"from agents import Agent, make\nP = 'perfect'\n{GOOD.format(1)}    exec('')\n"
    folder = folder_of(
        tmp_path / "Übung 1",
        **{"Müller, Jörg (3)": GOOD.format(0), "=cmd": GOOD.format(0), "other": other},
    )
    (folder / "notes.txt").write_text("no submission")
    (folder / "folder.py").mkdir()
    (folder / "large.py").write_bytes(b"#" * 3_000_000)
    result = play(folder, tmp_path / "f")
    data = class_page_data(result)
    rows = {row["name"]: row for row in data["rows"]}
    assert {*rows} == {"Müller, Jörg (3)", "=cmd", "other", "random", "large"}
    assert rows["=cmd"]["note"] == "the same file as Müller, Jörg (3)"
    assert "2 MB" in rows["large"]["note"]
    assert rows["large"]["kind"] == "not loaded"
    assert rows["other"]["look_at"] == "agents.make (line 1), 'perfect' (line 2), exec (line 5)"
    assert rows["=cmd"]["look_at"] == ""
    text = class_csv(class_rows(result, data))
    assert "'=cmd" in text  # no spreadsheet computes it
    assert '"Müller, Jörg (3)"' in text
    page = class_html(data)
    assert "Müller, Jörg (3)" in page
    assert "legal_actions" not in page  # no source of a student
    assert "agents.make" not in page  # nor what is said of one to a teacher


def test_one_submission_plays_the_staff_and_without_one_nobody(tmp_path: Path):
    folder = folder_of(tmp_path / "class", only=GOOD.format(0))
    assert len(play(folder, tmp_path / "f").tournament.games) == 2
    own = run_class(START, folder, QUICK, staff=[str(folder / "only.py")], workers=1)
    assert {game.players[0].split()[0] for game in own.games()} == {"only", "staff"}
    with pytest.raises(ValueError, match="one submission, and there is no staff"):
        run_class(START, folder, QUICK, staff=[])


def test_tracebacks_on_the_page_have_no_source():
    traceback = (
        "Traceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\n    import secret_code\n    ^^^^^^\n'
        "ModuleNotFoundError: No module named 'x'\nA submission is one file.\n"
    )
    assert "secret_code" not in without_source(traceback)
    assert 'File "a.py", line 3' in without_source(traceback)
    assert error_line(traceback) == "ModuleNotFoundError: No module named 'x'"
    assert error_line("agent(a, b) cannot be asked\n") == "agent(a, b) cannot be asked"
    assert error_line("") == ""


# ---- the command


def test_the_command_writes_a_page_a_table_and_clean_json(tmp_path: Path):
    agent = GOOD.format(0).replace("return", "print('{'); return")
    printing = f"import socket\nprint('hello {{')\n{agent}"
    folder = folder_of(tmp_path / "class", talks=printing, fails="raise OSError('no book')\n")
    line = ["class", str(folder), "--game", "tic_tac_toe", "--games", "2", "--staff", "random()"]
    answer = run(*line, "--seed", "3", "--workers", "1", "--json")
    assert answer.code == 0
    data = json.loads(answer.out)
    assert [row["name"] for row in data["table"] if row["kind"] == "submission"] == ["talks"]
    assert data["table"][-1]["note"] == "OSError: no book"
    assert "no book" in data["not_loaded"][0]["error"]
    page = (folder / "class.html").read_text()
    assert "hello {" in page
    assert "no book" in page
    csv = tmp_path / "table.csv"
    answer = run(*line, "--workers", "1", "--csv", str(csv))  # the seed is that of the file
    assert "talks" in answer.out
    assert "fails did not load: OSError: no book" in answer.out
    assert "random, of the staff, is random()" in answer.out
    assert "talks, to be looked at: socket (line 1)" in answer.out
    assert 'File "fails.py", line 1' in answer.err
    assert csv.read_text().startswith("rank,name,kind,elo")
    answer = run("class", str(folder), "--game", "nim", "--no-staff", "--out", str(tmp_path / "n"))
    assert answer.code == 0
    assert "nobody is there to play against" in answer.err
    other = refused(*line, "--seed", "4")
    assert "seed is 3 there, 4 here" in other


def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path):
    folder = folder_of(tmp_path / "class", a=GOOD.format(0))
    (tmp_path / "empty" / "below").mkdir(parents=True)
    shutil.copy(folder / "a.py", tmp_path / "empty" / "below")
    for words, line in {
        "does not exist: name the folder": [str(tmp_path / "no"), "--game", "nim"],
        "is a file: name the folder": [str(folder / "a.py"), "--game", "nim"],
        "; files of sub-folders, such as": [
            *(str(tmp_path / "empty"), "--game", "nim"),
        ],
        "no game 'conect_four'; did you mean 'connect_four'?": [
            *(str(folder), "--game", "conect_four"),
        ],
        "a game is written": [str(folder), "--game", "hex(7)"],
        "unexpected keyword argument 'sise'": [str(folder), "--game", "hex(sise=7)"],
        "a class plays games of two players, not 3": [
            *(str(folder), "--game", "kuhn(players=3)"),
        ],
        "games must be an even number": [str(folder), "--game", "nim", "--games", "3"],
        "seconds must be more than 0": [str(folder), "--game", "nim", "--seconds", "0"],
        "memory must be at least 64 MB": [str(folder), "--game", "nim", "--memory", "5"],
        "either --staff or --no-staff": [
            *(str(folder), "--game", "nim", "--no-staff", "--staff", "random()"),
        ],
        "choose other openings, such as none": [str(folder), "--game", "fig52"],
        "no agent 'rndom'": [str(folder), "--game", "nim", "--staff", "rndom"],
    }.items():
        assert words in refused("class", *line)
    assert [each.name for each in read_submissions(folder)[0]] == ["a"]


# ---- the page in a browser


def test_a_name_leads_to_what_it_printed_and_a_number_to_its_game(chromium: Any, tmp_path: Path):
    text = GOOD.format(0).replace("return", "print('I see', position.ply); return")
    folder = folder_of(tmp_path / "class", a=GOOD.format(-1), talks=text)
    page_file = tmp_path / "class.html"
    page_file.write_text(class_html(class_page_data(play(folder, tmp_path / "f"))))
    with open_page(chromium, viewport={"width": 1200, "height": 900}) as page:
        page.goto(page_file.as_uri())
        assert not page.locator("#class pre").first.is_visible()
        page.click("#class td a:has-text('talks')")
        page.locator("#class pre:has-text('I see')").first.wait_for()
        page.locator("#class details a[href^='#game-']:visible").first.click()
        page.locator("#board circle, #board path").first.wait_for()
        assert page.evaluate("document.getElementById('games').getBoundingClientRect().top") < 900
        number = page.url.partition("#game-")[2]
        assert page.locator(
            f"#list tr[data-number='{int(number) - 1}'][aria-selected=true]"
        ).count()


# ---- the twelve


@pytest.mark.slow  # some are late, and all others must not be
def test_a_class_of_twelve_has_the_right_outcome_for_each_twice(tmp_path: Path):
    settings = ClassSettings(games=2, seed=1, seconds=1.0, ready=60.0)
    result = play(TWELVE, tmp_path / "at once", settings=settings)
    assert result.complete
    data = class_page_data(result)
    rows = {row["name"]: row for row in data["rows"]}
    assert len(rows) == 12 + 1
    for name, words in {
        "exiting": "with its process ended",
        "forking": "with an error",
        "huge_memory": "out of memory",
        "looping": "out of time",
        "slow": "out of time",
    }.items():
        assert rows[name]["causes"] == f"{rows[name]['losses']} {words}", name
        assert rows[name]["losses"] >= 12  # all against those that do not fail, from both seats
    for name in ("good", "printing", "cheating", "smith-john_12345_hw3", "textbook"):
        assert rows[name]["forfeits"] == 0, name
        assert rows[name]["wins"] >= 10, name
    assert rows["cheating"]["losses"] == 0
    assert all(min(game.seconds) >= 0 for game in result.games())
    assert rows["broken_import"]["note"].startswith("ModuleNotFoundError: No module named 'my_help")
    assert "agent(board, player, depth) cannot be asked" in rows["wrong_signature"]["note"]
    printed = next(own["printed"] for own in data["submissions"] if own["name"] == "printing")
    assert "I could play" in printed[0]["text"]
    assert "and I write to descriptor 1" in printed[0]["text"]
    assert "my_helpers_that_nobody_has\n" not in class_html(data)

    some = tmp_path / "some"
    some.mkdir()
    for path in sorted(TWELVE.glob("*.py"))[::2]:
        shutil.copy(path, some)
    in_two_steps = tmp_path / "in two steps"
    play(some, in_two_steps, settings=settings)
    for path in TWELVE.glob("*.py"):
        shutil.copy(path, some)
    again = play(some, in_two_steps, settings=settings)
    assert played(again) == played(result)
    assert again.ratings() == result.ratings()
