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


def test_the_random_opponent_plays_as_the_agent_does():
    ours, agents, position = RandomOpponent(), Random(), ConnectFour()
    ours.reset(7)
    agents.reset(7)
    for _ in range(7):
        action = ours.act(position)
        assert action == agents.act(position)
        position = position.play(action)
    assert repr(ours) == repr(Random())
