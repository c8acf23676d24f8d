"""Opponents where another package is called ``agents``, as in a checkout of aima-python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adv_envs import ConnectFour
from adv_envs.envs.opponents import RandomOpponent
from agents import Random

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parent.parent

SCRIPT = """
import gymnasium
import adv_envs

env = gymnasium.make("adv_envs/ConnectFour-v0", opponent="random")
env.reset(seed=1)
env.step(3)
adv_envs.Boards(adv_envs.Hex(3), 4, 1).reset(seed=1)
try:
    gymnasium.make("adv_envs/ConnectFour-v0", opponent="alpha_beta(depth=2)")
except ImportError as error:
    print(error)
"""


def run(folder, *command):
    path = os.pathsep.join([str(folder), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("package", [False, True])
def test_another_package_of_agents_is_named(tmp_path, package):
    other = tmp_path / ("agents/__init__.py" if package else "agents.py")
    other.parent.mkdir(exist_ok=True)
    other.write_text("class Runner: pass")
    done = run(tmp_path, "-c", SCRIPT)
    assert done.returncode == 0, done.stderr
    assert "the opponent 'alpha_beta(depth=2)' needs the package agents of adv-envs" in done.stdout
    assert f"`import agents` finds {other}: rename that file" in done.stdout
    line = run(tmp_path, "-m", "adv_envs", "games")
    assert line.returncode == 1
    assert "the command line needs the package agents of adv-envs, but" in line.stderr
    assert str(other) in line.stderr


OTHER_PACKAGE = """
from dataclasses import dataclass
from typing import ClassVar

from agents import Agent

@dataclass(repr=False)
class Last(Agent):
    back: int = 1
    name: ClassVar[str] = "last"

    def act(self, position):
        return position.legal_actions()[-self.back]

class Foreign:
    def act(self, position):
        return position.legal_actions()[0]

def read(text):
    return Foreign() if text == "foreign:1" else None
"""

WITH_OTHER_PACKAGE = """
import gymnasium
import adv_envs, agents

print(agents.make("last(back=2)").act(adv_envs.ConnectFour()))
env = gymnasium.make("adv_envs/TicTacToe-v0", opponent="last", seat="second")
print(env.reset(seed=0)[0][2, 2].any())
env = gymnasium.make("adv_envs/TicTacToe-v0", opponent="foreign:1", seat="second")
print(env.reset(seed=0)[0][0, 0].any())
try:
    agents.make("lost")
except ValueError as error:
    print(error)
"""


def test_other_packages_add_agents_and_readers_of_specs(tmp_path):
    (tmp_path / "other_package.py").write_text(OTHER_PACKAGE)
    about = tmp_path / "other_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[adv_envs.agents]\nlast = other_package:Last\n"
        "[adv_envs.opponents]\nother = other_package:read\n"
    )
    done = run(tmp_path, "-c", WITH_OTHER_PACKAGE)
    assert done.returncode == 0, done.stderr
    second_to_last, last, first, error = done.stdout.splitlines()
    assert (second_to_last, last, first) == ("5", "True", "True")
    assert error.startswith("no agent 'lost'")


def test_the_random_opponent_plays_as_the_agent_does():
    ours, agents, position = RandomOpponent(), Random(), ConnectFour()
    ours.reset(7)
    agents.reset(7)
    for _ in range(7):
        action = ours.act(position)
        assert action == agents.act(position)
        position = position.play(action)
    assert repr(ours) == repr(Random())
