"""Tests processes that are started, and the launcher that starts them."""

import os
import signal
import sys
import time
from contextlib import closing
from typing import Any

import pytest

from adv_envs.games.tic_tac_toe import TicTacToe
from agents import processes
from agents.engine import Engine
from agents.faults import NobodyToBlame
from agents.launcher import PR_SET_PDEATHSIG, prctl
from agents.processes import Channel, Closed, start

from .children import wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="launchers are forked")


def lose_the_launcher() -> None:
    """Kill the launcher of this process."""
    own: Any = processes._launchers[0]._process
    os.kill(own.pid, signal.SIGKILL)
    wait_for(lambda: own.poll() is not None)


def idle(channel: Channel) -> None:
    """Wait for a message."""
    channel.receive()


def go_on(channel: Channel, what: str) -> None:
    """Outlive the launcher, as if it were still to be killed, and use what it has started."""
    prctl(PR_SET_PDEATHSIG, 0)
    child = start(idle, [])
    channel.send(b"begun")
    channel.receive()
    if what == "start":
        start(idle, [])
    elif what == "join":
        child.join()
    elif what == "ended":
        while not child.ended:
            time.sleep(0.01)
    else:
        child.kill()
    channel.send(b"went on")


@pytest.mark.parametrize("what", ["start", "join", "ended", "kill"])
def test_who_has_lost_its_launcher_ends(what: str) -> None:
    """It cannot tell the loss from a failure of what was started, so it must not judge."""
    process = start(go_on, [what], launches=True)
    assert process.channel.receive() == b"begun"
    lose_the_launcher()
    process.channel.send(b"")
    with pytest.raises(Closed):
        process.channel.receive()
    assert process.ended
    assert process.exitcode is None
    again = start(go_on, ["start"], launches=True)  # by another launcher
    assert again.channel.receive() == b"begun"
    again.end()
    process.end()


@pytest.mark.skipif(sys.platform != "linux", reason="programs end with their launcher")
def test_an_engine_that_is_lost_with_its_launcher_has_not_failed() -> None:
    position, program = TicTacToe(), "-m adv_envs gtp tic_tac_toe"
    with closing(Engine(f"{sys.executable} {program}")) as engine:
        engine.act(position)
        lose_the_launcher()
        with pytest.raises(NobodyToBlame, match=r"was lost, with .* no agent is to blame"):
            engine.act(position)
        engine.reset(1)
        assert position.legal(engine.act(position))
