"""Modules and agents of others at the command line: none of them stops a command or spoils JSON."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from children import LONGEST
from typer.testing import CliRunner

import adv_envs
from agents.cli.app import app, main

pytestmark = pytest.mark.plain

ROOT = str(Path(adv_envs.__file__).parents[1])

AGENTS = {
    "loud": "print('imported')\ndef agent(position):\n    print('thinking', flush=True)\n"
    "    return position.legal_actions()[0]\n",
    "calm": "def agent(position):\n    return position.legal_actions()[-1]\n",
    "leaves": "import os\ndef agent(position):\n    os._exit(0)\n",
    "quits": "import sys\ndef agent(position):\n    sys.exit(0)\n",
    "broken": "def agent(:\n",
    "fails": "import nothing_there\n",
    "ends": "import sys\nsys.exit(0)\n",
    "hangs": "def agent(position):\n    while True: pass\n",
    "wrong": "def agent(position, seconds):\n    return 0\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of modules, the current one; they are forgotten after the test."""
    for name, text in AGENTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in AGENTS:
        sys.modules.pop(name, None)


def typed(line: str) -> tuple[int, str, str]:
    """Exit code, output and error output of a command."""
    result = CliRunner().invoke(app, line.split(), prog_name="adv-envs")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


MODULE = [sys.executable, "-m", "adv_envs"]
SCRIPT = [sys.executable, "-P", "-c", f"from {main.__module__} import main; main()"]


def started(folder: Path, line: str, program: list[str] = MODULE) -> tuple[int, str, str]:
    """The same of a command in a process of its own."""
    path = os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*program, *line.split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        timeout=LONGEST,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line",
    [
        "match tic_tac_toe loud.agent random --pairs 1",
        "grade tic_tac_toe loud.agent --positions 5 --games 1",
        "grade kuhn loud.agent",
        "tournament tic_tac_toe loud.agent random --games 2 --workers 1",
    ],
)
def test_what_agents_print_is_not_in_json(folder: Path, line: str) -> None:
    code, out, err = started(folder, f"--import loud {line} --json")
    json.loads(out)
    assert "imported\n" in err
    assert re.search(r"loud.agent printed \d+ lines: (imported|thinking) \| thinking", err)
    assert code == 0


@pytest.mark.parametrize(("agent", "why"), [("leaves", "exit status 0"), ("quits", "SystemExit")])
def test_an_agent_that_ends_its_process_ends_no_command(folder: Path, agent: str, why: str) -> None:
    code, out, err = typed(f"match tic_tac_toe {agent}.agent random --pairs 1 --json")
    assert json.loads(out)["forfeits"][0] == {"illegal": 0, "crash": 2, "time": 0}
    assert (code, why in err) == (1, True)
    code, out, err = typed(f"grade tic_tac_toe {agent}.agent --positions 4 --json")
    assert json.loads(out)["positions"]
    assert re.search(rf"Warning: \d+ answers failed: crash: .*{why}", err)
    assert code == 1


def test_a_broken_file_does_not_stop_the_others(folder: Path) -> None:
    names = "calm.agent broken.agent fails.agent ends.agent wrong.agent random registered_nowhere"
    line = f"--import broken --import calm tournament tic_tac_toe {names} --games 2 --workers 1"
    for resumed in ("", " --resume"):  # the file has the agents that played
        code, out, err = typed(f"{line} --out t.db --json{resumed}")
        assert json.loads(out)["settings"]["agents"] == ["calm.agent", "random()"]
        assert err.splitlines() == [
            "Warning: broken did not load: SyntaxError: invalid syntax (broken.py, line 1)",
            "Warning: fails did not load: ModuleNotFoundError: No module named 'nothing_there' "
            "(fails.py, line 1)",
            "Warning: ends did not load: SystemExit: 0 (ends.py, line 2)",
            *[
                "Warning: no agent 'registered_nowhere': broken did not load: SyntaxError: invalid "
                "syntax (broken.py, line 1)",
                "Warning: wrong.agent cannot play tic_tac_toe: agent() missing 1 required "
                "positional argument: 'seconds'",
            ][:: -1 if resumed else 1],
        ]
        assert code == 1


@pytest.mark.parametrize("command", ["match", "grade", "tournament"])
def test_a_file_that_does_not_load_is_one_line(folder: Path, command: str) -> None:
    others = "" if command == "grade" else " random"
    code, out, err = typed(f"{command} tic_tac_toe fails.agent{others}")
    assert (code in (1, 2), out) == (True, "")
    assert err == (
        "Error: fails did not load: ModuleNotFoundError: No module named 'nothing_there' "
        "(fails.py, line 1)\n"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("program", [MODULE, SCRIPT])
def test_the_current_folder_is_importable(folder: Path, program: list[str]) -> None:
    """However the command line is started, with --import and without."""
    for line in ("--import calm agents", "match tic_tac_toe calm.agent random --pairs 1"):
        assert started(folder, line, program)[0] == 0


def test_the_time_to_get_ready_is_an_option(folder: Path) -> None:
    for line in (
        "match tic_tac_toe hangs.agent random --pairs 1 --ready 0.2",
        "grade tic_tac_toe hangs.agent --positions 5 --games 1 --ready 0.2",
        "tournament tic_tac_toe hangs.agent random --games 2 --workers 1 --ready 0.2",
    ):
        code, _, err = typed(line)
        assert (code, "it was not ready after 0.2 s" in err) == (1, True)
    assert typed("match tic_tac_toe calm.agent random --ready 0")[0] == 2
