"""Other programs as agents: our own over the wire, and programs that fail in every way there is."""

import copy
import dataclasses
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random as RandomNumbers
from typing import Any

import pytest
from children import LONGEST, child, runs, wait_for_the_end_of

from adv_envs import ConnectFour, Hex, Pig, TicTacToe
from adv_envs.formats.hex_sgf import set_up
from adv_envs.testing import check_agent
from agents import Engine, EngineError, Random, Resign, knowledge_of, make, play_game
from agents import arena as tournament
from agents.dialects import GtpGame
from agents.engine import READER, GtpClient
from agents.faults import CannotPlay
from agents.match_loop import random_opening
from agents.processes import start_program

pytestmark = pytest.mark.plain

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and processes of POSIX")

HTP = f"{sys.executable} -m adv_envs htp"

HEAD = """
import os, sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

LOG = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
for line in sys.stdin:
    if LOG:
        print(line.strip(), file=LOG, flush=True)
    if line.startswith("list_commands"):
        say("= play\\ngenmove\\n\\n")
    elif line.startswith("quit"):
        say("=\\n\\n")
        break
    elif not line.startswith("genmove"):
        say("=\\n\\n")
    else:
"""
"""A program that obeys, as far as ``genmove``; what that does is indented twice below."""


def started(engine: Engine) -> Any:
    """The client of an engine's program, which has said that it is ready."""
    engine._client = engine._start()
    return engine._client


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Any]:
    """Makes an engine of a program from what it does at genmove, or from all of its source."""
    made: list[Engine] = []

    def make_program(body: str, head: str = HEAD, **more: Any) -> Engine:
        file = tmp_path / f"program{len(made)}.py"
        indent = "        " if head == HEAD else ""
        lines = [indent + line for line in body.strip("\n").split("\n")]
        file.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
        log = tmp_path / f"log{len(made)}"
        made.append(Engine(f"{sys.executable} {file} {log}", **{"seconds": 1, **more}))
        made[-1].log = log  # type: ignore[attr-defined]
        return made[-1]

    yield make_program
    for engine in made:
        engine.close()


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No program survives a test, dead or alive, and nobody who listens to one."""
    started: list[Any] = []

    def noted(words: list[str]) -> Any:
        started.append(start_program(words))
        return started[-1]

    monkeypatch.setattr("agents.engine.start_program", noted)
    yield
    if not all(child.ended for child, *_ in started):
        gc.collect()
    assert all(child.ended for child, *_ in started)
    listeners = [thread for thread in threading.enumerate() if thread.name == READER]
    for thread in listeners:
        thread.join(LONGEST)
    assert not any(thread.is_alive() for thread in listeners)


def heard(engine: Engine) -> list[str]:
    """Every command that the program of ``engine`` has read."""
    text: str = engine.log.read_text()  # type: ignore[attr-defined]
    return text.split("\n")[:-1]


# ---- our own program at the other end


def test_whole_games_against_our_own_program() -> None:
    engine = make(f'engine(command="{HTP} --agent random --seed 1", seconds=5, timeout={LONGEST})')
    assert isinstance(engine, Engine)
    for start in (Hex(4), Hex(3)):
        for seats in ([engine, Random(2)], [Random(3), engine]):
            game = play_game(start, seats, seed=4)
            assert game.reason == ""
            assert game.end.is_terminal()
    engine.close()


def test_the_laws_of_agents() -> None:
    engine = Engine(f"{HTP} --agent rush --seed 1", timeout=LONGEST)
    check_agent(engine, Hex(3), games=3, make=make)
    engine.close()


def test_both_seats_and_the_pie_rule() -> None:
    one = Engine(f"{HTP} --agent random --seed 1", timeout=LONGEST)
    two = Engine(f"{HTP} --agent random --seed 1 --swap", timeout=LONGEST)
    game = play_game(Hex(3, swap=True), [one, two], seed=1)
    assert game.reason == ""
    # after a swap the stone is another: both go on with the board as it is now
    swapped = Hex(3, swap=True).after("a3 swap")
    assert one.act(swapped) in swapped.legal_actions()
    one.close()
    two.close()


# ---- what the program hears


def test_it_hears_what_is_new_and_no_more(program: Any) -> None:
    engine = program("say(f\"= {os.environ['HOME'] and 'a1'}\\n\\n\")")
    position = Hex(3)
    position = position.play(engine.act(position)).play(position.action("b2"))
    with pytest.raises(EngineError, match="illegal move: 'a1' is not a legal move"):
        engine.act(position)
    assert heard(engine)[:-1] == [
        "list_commands",
        "boardsize 3 3",
        "clear_board",
        "genmove black",
        "play white b2",
        "genmove black",
    ]


def test_it_hears_everything_where_the_game_is_another(program: Any) -> None:
    engine = program('say("= c3\\n\\n")')
    engine.act(Hex(3).after("a1"))
    engine.act(Hex(3).after("a2 b2"))  # not a continuation
    engine.act(Hex(4).after("a2 b2"))
    engine.reset()
    engine.act(Hex(4).after("a2 b2"))
    pairs = ["play black a2", "play white b2", "genmove black"]
    assert heard(engine) == [
        *["list_commands", "boardsize 3 3", "clear_board", "play black a1", "genmove white"],
        *["clear_board", *pairs],
        *["boardsize 4 4", "clear_board", *pairs],
        *["boardsize 4 4", "clear_board", *pairs],
    ]


def test_set_ups_and_swapped_stones(program: Any) -> None:
    engine = program('say("= C3\\n\\n")')  # in capitals, as some have it
    assert engine.act(set_up(3, [], [(0, 0), (0, 1)], 0)) == 8
    assert engine.act(Hex(3, swap=True).after("a2 swap")) == 8
    assert heard(engine)[3:] == [
        *["play white a1", "play white b1", "genmove black"],
        *["clear_board", "play white b1", "genmove black"],
    ]


@pytest.mark.parametrize("word", ["swap", "swap-pieces", "swap-sides"])
def test_it_may_swap_where_the_rules_have_it(program: Any, word: str) -> None:
    engine = program(f'say("= {word}\\n\\n")')
    assert engine.act(Hex(3, swap=True).after("a1")) == 9
    with pytest.raises(EngineError, match="illegal"):
        engine.act(Hex(3).after("a1"))


def test_it_is_told_the_time() -> None:
    engine = Engine(f"{HTP} --agent random", seconds=0.25, timeout=LONGEST)
    engine.act(Hex(3))
    assert isinstance(engine._client, GtpClient)
    assert engine._client.ask("time_left black") == "0.2"
    engine.close()


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("time_settings", "time_settings 0 1.5 1"),
        ("set_time", "set_time 1.5"),
        ("", "boardsize 3 3"),
    ],
)
def test_it_is_told_the_time_in_its_own_words(program: Any, known: str, told: str) -> None:
    head = HEAD.replace("= play\\n", f"= {known}\\n")
    assert f"= {known}" in head
    engine = program("        say('= a1\\n\\n')", head=head, seconds=1.5)
    engine.act(Hex(3))
    assert heard(engine)[:2] == ["list_commands", told]


# ---- other games, as their records write them


def test_it_is_told_the_game_and_moves_by_their_names(program: Any) -> None:
    engine = program('say("= b2\\n\\n")')
    position = TicTacToe(4, 3, 3)
    position = position.play(engine.act(position)).move("a4")
    with pytest.raises(EngineError, match="illegal move"):
        engine.act(position)
    assert heard(engine)[:-1] == [
        *["list_commands", "set_game tic_tac_toe height=4", "clear_board", "genmove black"],
        *["play white a4", "genmove black"],
    ]


def test_it_is_told_the_moves_that_lead_to_a_position(program: Any) -> None:
    engine = program('say("= 2\\n\\n")')
    engine.act(ConnectFour().after("4443"))
    engine.act(ConnectFour().after("44432551"))
    told = heard(engine)
    assert told[3:7] == ["play black 4", "play white 4", "play black 4", "play white 3"]
    assert told[8:] == ["play white 5", "play black 5", "play white 1", "genmove black"]
    with pytest.raises(EngineError, match="cannot be told this position of connect_four"):
        engine.act(random_opening(ConnectFour(), 13, RandomNumbers(1)))


def test_it_is_not_told_what_it_does_by_itself(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = knowledge_of(TicTacToe())
    silent = GtpGame(vertex=lambda position, action: position.name(action) if action else "")
    monkeypatch.setattr(
        "agents.engine.knowledge_of", lambda position: dataclasses.replace(known, gtp=silent)
    )
    engine = program('say("= b2\\n\\n")')
    engine.act(TicTacToe().after("a1 c1"))
    assert heard(engine)[2:] == ["clear_board", "play white c1", "genmove black"]


def test_it_hears_the_name_of_the_game_if_it_knows_several(program: Any) -> None:
    head = HEAD.replace("= play\\n", "= set_game\\n")
    engine = program("        say('= a1\\n\\n')", head=head)
    engine.act(Hex(3))
    assert heard(engine)[1:3] == ["set_game Hex", "boardsize 3 3"]


# ---- how programs fail


FAILURES = {
    "hangs": ("time.sleep(600)", "did not answer 'genmove black' within 0.5 s"),
    "dies": ("sys.exit(3)", "ended with exit status 3 when asked 'genmove black'"),
    "raises": ("raise OSError('no net')", "ended with exit status 1.*it said: .*OSError: no net"),
    "closes its output": ("os.close(1)\ntime.sleep(600)", "closed its output"),
    "refuses": ("say('? not today\\n\\n')", "with an error: not today"),
    "says nothing": ("say('=\\n\\n')", "answered genmove with an illegal move: ''"),
    "talks nonsense": ("say('= a banana\\n\\n')", "illegal move: 'a banana'"),
    "talks another protocol": ("say('bestmove a1\\n\\n')", "begins with neither = nor ?"),
    "prints noise": ("say('\\x00\\xff\\n\\n')", "begins with neither"),
    "plays on a stone": ("say('= b2\\n\\n')", "illegal move: 'b2'"),
    "plays off the board": ("say('= k11\\n\\n')", "illegal move: 'k11'"),
    "never comes to an end": ("while True: say('= a1\\n')", "more than 10000 lines|did not answer"),
    "never ends a line": (
        "while True: say('a' * 9999)",
        "begins with neither|lines|did not answer",
    ),
    "shows pictures for ever": ("while True: say('gogui-gfx: a\\n\\n')", "did not answer"),
}


@pytest.mark.parametrize("how", FAILURES)
def test_failures_are_errors_and_no_hang(program: Any, how: str) -> None:
    body, why = FAILURES[how]
    engine = program(body, timeout=LONGEST)
    started(engine).limit = 0.5 if "0.5" in why or "did not" in why else LONGEST
    with pytest.raises(EngineError, match=rf"(?s)program0.py.*({why})"):
        engine.act(Hex(3).after("b2 a1"))
    assert engine._client is None


def test_a_failure_loses_the_game_with_its_reason(program: Any) -> None:
    engine = program("sys.exit(3)")
    game = play_game(Hex(3), [Random(1), engine], seed=1)
    assert game.utilities == (1.0, -1.0)
    assert "failed: EngineError: " in game.reason
    assert "exit status 3" in game.reason
    assert (game.loser, game.fault) == (1, "crash")
    silent, wrong = program("time.sleep(600)"), program("say('= b2\\n\\n')")
    started(silent).limit = 0.5
    assert play_game(Hex(3), [silent, Random(1)]).fault == "time"
    assert play_game(Hex(3).after("b2"), [Random(1), wrong]).fault == "illegal"


def test_it_is_started_anew_after_a_failure(program: Any) -> None:
    engine = program(
        "if os.path.exists(sys.argv[1] + 'x'):\n    say('= a2\\n\\n')\nelse:\n"
        "    open(sys.argv[1] + 'x', 'w').close()\n    sys.exit(1)"
    )
    with pytest.raises(EngineError):
        engine.act(Hex(3))
    assert engine.act(Hex(3)) == 3


def test_it_may_resign(program: Any) -> None:
    engine = program("say('= resign\\n\\n')")
    with pytest.raises(Resign):
        engine.act(Hex(3))
    game = play_game(Hex(3), [engine, Random(1)])
    assert game.reason.endswith("resigned")


def test_much_said_on_standard_error_does_not_block(program: Any) -> None:
    engine = program("sys.stderr.write('thinking\\n' * 100_000)\nsay('= a1\\n\\n')")
    assert engine.act(Hex(3)) == 0


def test_pictures_of_the_search_are_passed_over(program: Any) -> None:
    engine = program("say('gogui-gfx:\\nuct\\nVAR B a1\\n\\n')\nsay('\\n= a1 \\r\\n\\r\\n')")
    assert engine.act(Hex(3)) == 0


def test_it_may_know_no_commands_but_the_usual(program: Any) -> None:
    engine = program(
        "for line in sys.stdin:\n"
        "    if line.startswith('list'): print('? unknown command\\n', flush=True)\n"
        "    elif line.startswith('gen'): print('= c1\\n', flush=True)\n"
        "    else: print('=\\n', flush=True)\n",
        head="import sys\n",
    )
    assert engine.act(Hex(3)) == 2


def test_it_refuses_a_size(program: Any) -> None:
    engine = program(
        "for line in sys.stdin: print('? unacceptable size\\n', flush=True)", head="import sys\n"
    )
    told = "'boardsize 3 3' with an error: unacceptable size"
    with pytest.raises(EngineError, match=told):
        engine.act(Hex(3))
    with pytest.raises(CannotPlay, match=rf"cannot play hex.*{told}"):
        tournament.run(Hex(3), ["random", repr(engine)], 2, workers=0)


@pytest.mark.parametrize("command", ["/no/such/program", "no-such-program --at all"])
def test_it_cannot_be_started(command: str) -> None:
    with pytest.raises(EngineError, match=f"cannot start '{command}': No such file"):
        Engine(command).act(Hex(3))


@pytest.mark.parametrize(
    ("values", "error", "why"),
    [
        ({}, ValueError, "a command is needed"),
        ({"command": "  "}, ValueError, "a command is needed"),
        ({"command": "mohex 'oops"}, ValueError, "No closing quotation"),
        ({"command": 3}, TypeError, "command line, not 3"),
        ({"command": "x", "seconds": 0}, ValueError, "seconds must be above 0"),
        ({"command": "x", "seconds": "9"}, TypeError, "seconds must be a number"),
        ({"command": "x", "seconds": None}, TypeError, "seconds must be a number"),
        ({"command": "x", "timeout": -1}, ValueError, "timeout must be above 0"),
        ({"command": "x", "timeout": 1e30}, ValueError, "at most 10000000, not 1e\\+30"),
        ({"command": "x", "timeout": float("nan")}, ValueError, "timeout must be above 0"),
        ({"command": "x", "protocol": "xboard"}, ValueError, "gtp or uci, not 'xboard'"),
        ({"command": "x", "options": "Hash=1"}, ValueError, "programs that speak UCI: add prot"),
        ({"command": "x", "protocol": "uci", "options": "Hash"}, ValueError, "write 'Name=value"),
        ({"command": "x", "protocol": "uci", "options": 1}, TypeError, "options must be text"),
        ({"command": "x", "protocol": "uci", "go": "a\nb"}, ValueError, "go must be one line"),
    ],
)
def test_bad_parameters(values: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        Engine(**values)


def test_other_games_and_finished_ones() -> None:
    with pytest.raises(ValueError, match="engine plays games without chance, which Pig has"):
        Engine("mohex").act(Pig())
    with pytest.raises(ValueError, match="tic_tac_toe is not a game of UCI"):
        Engine("stockfish", protocol="uci").act(TicTacToe())
    with pytest.raises(ValueError, match="over"):
        Engine("mohex").act(Hex(2).after("a1 b1 a2"))


# ---- processes


@posix_only
def test_the_process_ends_with_the_agent(program: Any, tmp_path: Path) -> None:
    file = tmp_path / "still.py"
    file.write_text(HEAD + "        say('= a1\\n\\n')\n", encoding="utf-8")
    engine = Engine(f"{sys.executable} {file}")
    engine.act(Hex(3))
    assert engine._client is not None
    pid = engine._client.program.pid
    assert runs(pid)
    del engine
    gc.collect()
    wait_for_the_end_of([pid])


@posix_only
def test_what_it_started_ends_too(program: Any) -> None:
    engine = program(
        "import subprocess, signal\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open(sys.argv[1] + 'pid', 'w').write(str(child.pid))\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "say('= a1\\n\\n')"
    )
    engine.act(Hex(3))
    pid = int(Path(f"{engine.log}pid").read_text())
    assert runs(pid)
    engine.close()
    wait_for_the_end_of([pid])


def test_copies_have_programs_of_their_own(program: Any) -> None:
    engine = program("say('= a1\\n\\n')")
    assert engine.act(Hex(3)) == 0
    for twin in (copy.deepcopy(engine), pickle.loads(pickle.dumps(engine)), copy.copy(engine)):
        assert twin == engine
        assert twin._client is None
        assert twin.act(Hex(3)) == 0
        assert twin._client is not engine._client
        twin.close()
    assert engine.act(Hex(3).after("a2 b2")) == 0
    engine.close()
    engine.close()
    assert engine.act(Hex(3)) == 0


@posix_only
def test_a_script_that_ends_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "still.py"
    file.write_text(HEAD + "        say('= a1\\n\\n')\n", encoding="utf-8")
    script = (
        "import sys; from adv_envs import Hex; from agents import Engine\n"
        f"engine = Engine({f'{sys.executable} {file}'!r})\n"
        "engine.act(Hex(3)); print(engine._client.program.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=LONGEST,
    )
    assert done.stderr == ""
    wait_for_the_end_of([int(done.stdout)])


@posix_only
def test_a_script_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    """A program that hangs does not notice that nobody waits for it any more."""
    file, note = tmp_path / "hangs.py", tmp_path / "note"
    file.write_text(f"import os, time\nopen({str(note)!r}, 'w').write(str(os.getpid()) + '.')\n")
    file.write_text(file.read_text() + "time.sleep(600)")
    script = "import sys; from adv_envs import Hex; from agents import Engine\n"
    script += f"Engine({f'{sys.executable} {file}'!r}, timeout=60).act(Hex(3))"
    with child([sys.executable, "-c", script]) as process:
        while not (note.exists() and note.read_text().endswith(".")):
            assert process.poll() is None
            time.sleep(0.02)
        pid = int(note.read_text()[:-1])
        assert runs(pid)
        process.kill()
    wait_for_the_end_of([pid])


@posix_only
def test_an_interruption_ends_the_program(program: Any) -> None:
    engine = program("time.sleep(600)")
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.act(Hex(3))
    timer.join()
    assert engine._client is None
