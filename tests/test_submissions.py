"""Files that are handed in: how they load, and that nothing they do gets out of their sandbox."""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from children import LONGEST, child, state_of, wait_for
from typer.testing import CliRunner

import agents
from adv_envs import Leduc, Pig, TicTacToe
from agents import CannotPlay, landlock, sandbox, system_calls
from agents.arena import GameRecord, StoreError, run
from agents.arena.isolation import IsolatedAgent, Participant, ProcessFailure, is_trusted
from agents.arena.store import Store, read
from agents.captured_output import CapturedOutput, printable, shortened_output
from agents.classroom import (
    LoadedSubmission,
    Loading,
    NotASubmission,
    Submission,
    find_submissions,
    load_submissions,
)
from agents.cli.app import app
from agents.faults import Forfeit
from agents.processes import Child
from agents.sandbox import Limits
from agents.student_code import find_player

pytestmark = pytest.mark.plain

START = TicTacToe()
FIRST = "def agent(position):\n    return position.legal_actions()[0]\n"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")


@pytest.fixture
def hand_in(tmp_path: Path) -> Callable[..., Submission]:
    """Makes a submission of its source."""

    def make(source: str | bytes, name: str = "alice") -> Submission:
        file = tmp_path / f"{name}.py"
        file.write_bytes(source if isinstance(source, bytes) else source.encode())
        return Submission(str(file))

    return make


def loaded(submission: Submission, **options: Any) -> Loading:
    return load_submissions([submission], START, **options)[0]


# ---- what a submission is


def test_a_file_is_an_agent_by_its_spec(hand_in: Callable[..., Submission]) -> None:
    file = hand_in(FIRST, "smith-john_12345_hw3").path
    for spec in (file, f"submission({file!r})", f"submission(path={file!r})", f" {file} "):
        agent = agents.make(spec)
        assert isinstance(agent, Submission)
        assert (repr(agent), agent.name) == (f"submission({file!r})", "smith-john_12345_hw3")
        assert agents.make(repr(agent)) == agent
        assert not is_trusted(agent)
    told = agents.make(f"submission({file!r}, seconds=0.5)")
    assert repr(agents.make(repr(told))) == f"submission({file!r}, seconds=0.5)"
    with pytest.raises(ValueError, match=r"did you mean the file .*smith-john_12345_hw3\.py\?"):
        agents.make(file.removesuffix(".py"))
    with pytest.raises(ValueError, match="is a folder: name a file in it"):
        agents.make(str(Path(file).parent))
    for wrong in ("no.py", "submission('no.py')", "\0.py"):
        with pytest.raises(ValueError, match=r"cannot read the submission|embedded null"):
            agents.make(wrong)
    with pytest.raises(TypeError, match="path must be the path of a file of Python, not 3"):
        agents.make("submission(3)")


def test_a_file_is_as_it_was_when_it_was_handed_in(hand_in: Callable[..., Submission]) -> None:
    agent = hand_in("X = 1\n" + FIRST + "def f():\n    return X\n")
    Path(agent.path).write_text("X = 2")
    assert agent.source.startswith("X = 1\n")
    assert agent.digest != Submission(agent.path).digest
    assert agent != Submission(agent.path)
    Path(agent.path).unlink()
    with LoadedSubmission(agent.limited(seconds=1.0), START) as submission:
        assert submission.call("f") == 1


def test_it_never_runs_in_the_process_that_asks(hand_in: Callable[..., Submission]) -> None:
    agent = hand_in("import sys\nsys.modules['was here'] = sys\n" + FIRST)
    for ask in (
        lambda: agent.act(START),
        agent.reset,
        lambda: agents.match(START, agent, "random"),
    ):
        with pytest.raises(CannotPlay, match="a submission has a process of its own"):
            ask()
    with pytest.raises(CannotPlay, match="a submission has a process of its own"):
        run(START, [agent, "random"], 2, workers=0)
    assert loaded(agent).form == "agent(position)"
    assert "was here" not in sys.modules


def test_the_files_of_a_folder_are_found(tmp_path: Path) -> None:
    for name in ("b.py", "a b.py", "__init__.py", ".hidden.py", "notes.txt", "sub/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FIRST)
    (tmp_path / "folder.py").mkdir()
    assert [each.name for each in find_submissions(tmp_path)] == ["a b", "b"]
    with pytest.raises(ValueError, match="is no folder of submissions"):
        find_submissions(tmp_path / "b.py")


# ---- what is found in it

CLASS = "class {}:\n    def act(self, position):\n        return position.legal_actions()[0]\n"
FORMS = {
    "agent(position)": FIRST,
    "agent(game, state)": "def agent(game, state):\n    return game.actions(state)[0]\n",
    "my_player(game, state)": "def search(game, state): pass\n"
    "def my_player(game, state):\n    return 0.5, game.actions(state)[0]\n",
    "class Mine": CLASS.format("Mine"),
    "class Derived": "from agents import Agent\n"
    + CLASS.format("Base")
    + "class Derived(Base): 1\n",
    "class Two": CLASS.format("One") + CLASS.format("Two") + "agent = Two\n",
    "agent, an object with act(position)": CLASS.format("One") + "agent = One()\n",
    "class Slow": "class Slow:\n    def __init__(self, seconds): self.seconds = seconds\n"
    "    def act(self, position, seconds=1): return 0\n    def reset(self): pass\n",
}
NO_FORMS = {
    "it has nothing": "",
    r"it has f\(x\), class C": "def f(x): pass\nclass C: pass\n",
    r"agent\(\) cannot be asked": "def agent(): pass\n",
    r"agent\(board, depth=3, \*, k\) cannot be asked": "def agent(board, depth=3, *, k): pass\n",
    "several agents, One, Two: call the one": CLASS.format("One") + CLASS.format("Two"),
    "several players, a, b: call": "def a(game, state): pass\ndef b(game, state): pass\n",
    r"the class A needs depth to be made": CLASS.format("A") + "    def __init__(self, depth): 1\n",
    r"the class agent has no method act": "class agent: pass\n",
    r"agent has yield in it: it must return": "def agent(position):\n    yield 0\n",
    r"agent is written async def": "async def agent(position): return 0\n",
    r"act of the class A has yield in it": CLASS.format("A").replace("return", "yield"),
}


def module_of(source: str) -> Any:
    from types import ModuleType

    module = ModuleType("handed_in")
    exec(source, vars(module))  # noqa: S102 - it is written above
    return module


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_found_and_plays(form: str) -> None:
    found, player = find_player(module_of(FORMS[form]), "alice.py")
    assert found == form
    player.reset(3)
    assert player.answer(START, 1.0) == 0


@pytest.mark.parametrize("why", NO_FORMS)
def test_what_is_no_agent_is_said(why: str) -> None:
    with pytest.raises(NotASubmission, match=why):
        find_player(module_of(NO_FORMS[why]), "alice.py")


def test_textbook_players_play_games_of_chance_and_not_of_hidden_cards() -> None:
    _, player = find_player(module_of(FORMS["agent(game, state)"]), "alice.py")
    assert player.answer(Pig(), None) in Pig().legal_actions()
    with pytest.raises(ValueError, match="searches games of perfect information"):
        player.answer(Leduc(), None)


# ---- how it loads

TRACEBACK = """Traceback (most recent call last):
  File "alice.py", line 3, in <module>
    f()
  File "alice.py", line 2, in f
    return 1 / 0
           ~~^~~
ZeroDivisionError: division by zero
"""


@LINUX
def test_what_does_not_load_says_why(hand_in: Callable[..., Submission]) -> None:
    assert loaded(hand_in("def f():\n    return 1 / 0\nf()\n")).error == TRACEBACK
    broken = loaded(hand_in("def agent(:\n"))
    assert broken.error.startswith('  File "alice.py", line 1\n    def agent(:\n')
    assert (broken.loaded, broken.form) == (False, "")
    assert "one file: modules beside it" in loaded(hand_in("import bob\n")).error
    ended = loaded(hand_in("import os\nprint('so far')\nos._exit(0)\n"))
    assert (ended.error, ended.printed) == ("its process ended with exit status 0\n", "so far\n")
    hangs = loaded(hand_in("x = 1\nwhile x:\n    pass\n"), ready=0.3)
    assert "it was not ready after 0.3 s" in hangs.error  # perhaps it has not even begun by then
    obeyed = loaded(hand_in("raise OSError('\\x1b[2J \\x9b \\ud800')\n"))
    assert obeyed.error.endswith("OSError: \\x1b[2J \\x9b \\ud800\n")
    forged = "from agents import student_code as s\ns.find_player = lambda *_: ([1], None)\n"
    lies = loaded(hand_in(forged))
    assert lies.error == "its process sent what is no answer\n"
    latin = loaded(hand_in("# coding: latin-1\nprint('\xe9')\n".encode("latin-1") + FIRST.encode()))
    assert (latin.error, latin.printed) == ("", "é\n")


# ---- what it may do

HARMLESS = """
import asyncio, os, tempfile, threading
def scratch():
    with open("notes.txt", "w") as file: file.write("x")
    with tempfile.TemporaryFile() as file: file.write(b"x")
    assert os.path.realpath(os.path.expanduser("~")) == os.path.realpath(os.getcwd())
    return sorted(os.listdir("."))
def thread():
    found = []
    other = threading.Thread(target=found.append, args=(1,))
    other.start()
    other.join()
    return found
async def nothing(): return 3
def loop(): return asyncio.run(nothing())
def own():
    os.remove(__file__)
    return 5
def kinds():
    import numpy
    return {"a": (1, numpy.int64(2)), "b": {3, 1}, "c": numpy.zeros(2)}
def legal(position): return position.legal_actions()
def function(): return print
"""

FORBIDDEN = """
import ctypes, os, socket, subprocess, multiprocessing, resource, signal
C = ctypes.CDLL(None, use_errno=True)
def write(path): open(path, "w")
def read(path): return open(path).read()
def look(path): return os.listdir(os.path.dirname(path))
def remove(path): os.remove(path)
def change(path): os.chmod(path, 0)
def environment(path): return open("/proc/self/environ").read()
def of_the_parent(path): return open(f"/proc/{os.getppid()}/environ").read()
def kill(path): os.kill(os.getppid(), 9)
def connect(path): socket.create_connection(("127.0.0.1", 9))
def send(path): socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def fork(path): os.fork()
def run(path): subprocess.run(["true"])
def process(path): multiprocessing.Process(target=print).start()
def system(path): os.system("true")
def limit(path): resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
def memory(path): return len(bytearray(10**10))
def divide(path): return 1 / 0
"""
SAID = {
    "kill": "PermissionError",
    "limit": "ValueError: not allowed to raise",
    "memory": "MemoryError",
    "divide": "ZeroDivisionError",
    "connect": "must not use the network",
    **dict.fromkeys(("fork", "run", "process", "system"), "must not start processes"),
}


def names_in(source: str) -> list[str]:
    return [line[4:].partition("(")[0] for line in source.splitlines() if line[:4] == "def "]


@LINUX
def test_what_a_submission_may_do(hand_in: Callable[..., Submission]) -> None:
    with LoadedSubmission(hand_in(FIRST + HARMLESS), START) as submission:
        assert submission.load().error == ""
        assert submission.call("scratch") == ["alice.py", "notes.txt"]
        assert (submission.call("thread"), submission.call("loop")) == ([1], 3)
        assert submission.call("own") == 5
        assert submission.call("kinds") == {"a": [1, 2], "b": [1, 3], "c": [0, 0]}
        assert submission.call("legal", START.after("b2")) == [0, 1, 2, 3, 5, 6, 7, 8]
        for name, why in [
            ("function", "TypeError: builtin_function_or_method is no number, text"),
            ("missing", "AttributeError: there is no function missing in the file; it has agent"),
        ]:
            with pytest.raises(Forfeit, match=why):
                submission.call(name)
        assert submission.agent.act(START) == 0


@pytest.mark.skipif(
    not (landlock.version() and system_calls.available()), reason="Landlock and seccomp are needed"
)
def test_what_a_submission_must_not_do(
    hand_in: Callable[..., Submission], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    (other := tmp_path / "bob.py").write_text("secret")
    assert sandbox.not_enforced() == []
    source = FIRST + FORBIDDEN + "def fork_in_c():\n    return [C.fork(), ctypes.get_errno()]\n"
    source += "def variables():\n    return 'SECRET_TOKEN' in os.environ\n"
    with LoadedSubmission(hand_in(source), START) as submission:
        for name in names_in(FORBIDDEN):
            with pytest.raises(Forfeit, match=SAID.get(name, "PermissionError")) as found:
                submission.call(name, str(other))
            assert not isinstance(found.value, ProcessFailure), found.value.why
            line = source.splitlines().index(
                next(x for x in source.splitlines() if f" {name}(" in x)
            )
            assert found.value.why.endswith(f"(alice.py, line {line + 1})")
        assert submission.call("fork_in_c") == [-1, 1]
        assert submission.call("variables") is False
        assert "agents" not in submission.printed()  # no frame of ours
    assert other.read_text() == "secret"


@LINUX
def test_what_ends_a_submission(hand_in: Callable[..., Submission]) -> None:
    source = FIRST + "import json, os, time\njson.dumps = None\n"
    source += "def loud():\n    while True: print('x' * 9999)\n"
    source += "def large():\n    open('large', 'wb').write(bytes(20_000_000))\n"
    source += "def leave():\n    print('bye', end='')\n    os._exit(3)\n"
    source += "def hang():\n    time.sleep(600)\n"
    ended = {
        "loud": "it printed or wrote more than 10 MB at once",
        "large": "it printed or wrote more than 10 MB at once",
        "leave": "its process ended with exit status 3",
        "hang": r"no answer 0.5 s after its time and grace were over \(alice.py, line \d+\)",
    }
    with LoadedSubmission(hand_in(source), START, Limits(output=50), seconds=3.0) as submission:
        for name, why in ended.items():
            submission.agent.reset(1)
            assert submission.agent.act(START) == 0
            with pytest.raises(ProcessFailure, match=why):
                submission.call(name)
            printed = submission.printed()
            if name == "loud":
                assert printed.startswith("x" * 50 + "\n... and ")
                assert len(printed) < 100
            assert printed == {"leave": "bye"}.get(name, printed)


@LINUX
def test_answers_that_are_no_moves(hand_in: Callable[..., Submission]) -> None:
    answers = ["10**5000", "'a1'", "None", "-1", "99", "[1]", "1.0"]
    for answer in answers:
        submission = hand_in(f"def agent(position):\n    return {answer}\n")
        with LoadedSubmission(submission, START) as one:
            game = agents.play_game(START, [one.agent, "random"], 1)
        assert (game.fault, game.loser) == ("illegal", 0), answer


def test_a_function_draws_by_the_seed(hand_in: Callable[..., Submission]) -> None:
    source = "import random\ndef agent(position):\n"
    source += "    print(sorted({'a', 'b', 'c'}, key=hash))\n"
    submission = hand_in(source + "    return random.choice(position.legal_actions())\n")
    found = []
    for _ in range(2):
        with LoadedSubmission(submission, START) as one:
            game = agents.play_game(START, [one.agent, "random"], 5)
            found.append((game.actions, one.printed()))
    assert found[0] == found[1]


# ---- time


def test_the_time_of_one_that_is_killed_ends_when_it_was_to_answer(
    hand_in: Callable[..., Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    late = hand_in("def agent(position):\n    while position.ply: pass\n    return 0\n")
    kill = Child.kill

    def slowly(child: Child) -> None:
        time.sleep(2.5)
        kill(child)

    with LoadedSubmission(late, START, seconds=0.1) as one:
        one.agent.reset(1)
        monkeypatch.setattr(Child, "kill", slowly)
        game = agents.play_game(START, ["random", one.agent], 1)
        monkeypatch.undo()
    assert (game.fault, game.loser) == ("time", 1)
    assert 0.5 < game.seconds[1] < 2.5  # without the time that it took to end it


def test_it_is_told_its_time(hand_in: Callable[..., Submission]) -> None:
    submission = hand_in("def agent(position, seconds):\n    return int(100 * seconds)\n")
    for own, told in ((None, 195), (1.5, 150), (9.0, 195)):
        with LoadedSubmission(submission.limited(seconds=own), START, seconds=2.0) as one:
            assert one.agent.act(START) == told


@LINUX
def test_no_folder_is_left(hand_in: Callable[..., Submission], tmp_path: Path) -> None:
    """Neither of one that is ended, nor of those whose worker is killed, nor with the program."""
    (temporary := tmp_path / "temporary").mkdir()
    program = "import sys, agents.arena\nfrom adv_envs import TicTacToe\n"
    program += "if __name__ == '__main__':\n"
    program += "    agents.arena.run(TicTacToe(), sys.argv[1:], 2, workers=1, ready=50)\n"
    killed = FIRST + "import os\nopen('x', 'w')\nos.kill(os.getpid(), 9)\n"
    words = [sys.executable, "-c", program, hand_in(FIRST).path, hand_in(killed, "killed").path]
    with child(words, env={**os.environ, "TMPDIR": str(temporary)}, stderr=-3) as process:
        process.wait(LONGEST)
    assert list(temporary.iterdir()) == []


@LINUX
def test_what_still_computes_after_an_answer_is_stopped(hand_in: Callable[..., Submission]) -> None:
    source = FIRST + "import threading\ndef spin():\n    while True: pass\n"
    source += "threading.Thread(target=spin, daemon=True).start()\n"
    with LoadedSubmission(hand_in(source), START) as one:
        assert one.agent.act(START) == 0
        process = one.agent._process
        assert process is not None
        wait_for(lambda: state_of(process.child.pid) == "T")


def test_there_is_a_limit_where_no_time_is_set(hand_in: Callable[..., Submission]) -> None:
    late = Participant.of(hand_in("def agent(position):\n    while position.ply: pass\n"))
    agent = IsolatedAgent(late, START, 60, lambda: inf, limits=Limits(seconds=0.1))
    with closing(agent), pytest.raises(ProcessFailure, match="no answer"):
        agent.act(START.after("b2"))


# ---- what is printed

LOUD = """
import os, sys
print("imported")
os.write(1, b"directly\\n")
class Loud:
    def reset(self, seed):
        print("reset", file=sys.stderr)
    def act(self, position):
        print("acts", end="")
        return position.legal_actions()[0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "loud.py").write_text(LOUD)
    (tmp_path / "broken.py").write_text("def agent(:\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "match tic_tac_toe loud.py random --pairs 1",
        "grade tic_tac_toe loud.py --positions 5 --games 1",
        "grade kuhn loud.py --samples 2",
        "tournament tic_tac_toe loud.py random --games 2 --workers 1 --out t.db",
        "rate tic_tac_toe loud.py --games 10 --workers 1",
    ],
)
@LINUX
def test_what_files_print_is_never_in_json(folder: Path, line: str) -> None:
    done = CliRunner().invoke(app, [*line.split(), "--json", "--ready", "50"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    json.loads(done.stdout)
    assert "printed" in done.stderr
    first = "reset | acts" if line[0] in "tr" else "imported | directly | reset | ..."
    assert f"lines: {first}" in done.stderr
    if "t.db" in line:
        assert all("acts" in "".join(game.printed) for game in read(folder / "t.db")[1])


def test_what_was_printed_is_stored_and_older_files_go_on(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    game = GameRecord(0, ("a", "b"), (), (4, 0, 8), (1.0, 0.0), (0.5, 1.0))
    loud = replace(game, number=1, printed=("so\nso", ""))
    with Store(path, {"seed": 1}, resume=False) as store:
        store.add([game])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("ALTER TABLE game RENAME TO later")
        db.execute("CREATE TABLE game AS SELECT * FROM later")
        for column in ("printed", "seats"):
            db.execute(f"ALTER TABLE game DROP COLUMN {column}")
        db.execute("DROP TABLE later")
        db.execute("PRAGMA user_version = 3")
    assert read(path)[1] == [game]
    with Store(path, {"seed": 1}, resume=True) as store:
        store.add([loud])
    assert read(path)[1] == [game, loud]
    for change in ('[\'["so", ""]\'', "", '["so"]', "[1, 2]"):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE game SET printed = ? WHERE number = 1", (change,))
        with pytest.raises(StoreError, match="game 1 is not as it was written"):
            read(path)


@LINUX
def test_a_file_is_played_with_at_the_terminal(folder: Path) -> None:
    done = CliRunner().invoke(app, ["play", "tic_tac_toe", "--opponent", "loud.py"], input="b2\n")
    assert "loud plays a1" in done.stdout
    assert "loud printed" in done.stderr
    done = CliRunner().invoke(app, ["match", "tic_tac_toe", "broken.py", "random"])
    assert done.stderr == (
        "Error: submission('broken.py') cannot play tic_tac_toe: it did not load: SyntaxError: "
        "invalid syntax (broken.py, line 1)\n"
    )


def test_output_is_kept_to_a_length() -> None:
    output = CapturedOutput(10)
    assert output.take() == ""
    os.write(output.file, b"12345\x1b[31m\r\n\t6789")
    output.drain()
    assert output.size == 0
    os.write(output.file, b"more")
    assert output.take() == "12345\\x1b[\n... and 16 bytes more\n"
    assert output.take() == ""
    assert printable("a\tb\nc\0") == "a    b\nc\\x00"
    assert shortened_output("x" * 5000).count("x") == 1960
    assert shortened_output("short") == "short"


def test_limits_are_checked() -> None:
    for wrong in ({"memory": 0}, {"output": 0}, {"seconds": 0}):
        with pytest.raises(ValueError, match="must be"):
            Limits(**wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"memory must be a whole number, not 1\.5"):
        Limits(memory=1.5)  # type: ignore[arg-type]
    assert Limits(**Limits(memory=None).to_dict()) == Limits(memory=None)


def test_what_is_not_enforced_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(system_calls, "available", lambda: False)
    if sys.platform == "linux":
        assert len(sandbox.not_enforced()) == 3
    monkeypatch.setattr(sandbox, "LINUX", False)
    assert len(sandbox.not_enforced()) == 3
