"""The process that plays games: it is told numbers of games, and sends back what they came to."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from adv_envs import Position
from agents.agent import Agent
from agents.faults import FAILURES, first_decision, refusal
from agents.match import play_game
from agents.results import Game

from .clock import NOBODY, Clock
from .isolation import IsolatedAgent, limit_memory
from .plan import Plan
from .schedule import Task
from .store import Row, spell

SLICE = 0.1
"""Seconds after which a worker reports what it has, so that little is lost whatever happens."""


@dataclass
class Table:
    """Where games are played: the agents, and the positions that openings lead to.

    Agents that are not of this package are ``isolated``: see the module of that name.
    """

    plan: Plan
    clock: Clock
    isolated: bool = True
    _agents: list[Agent] = field(init=False)
    _starts: dict[int, Position] = field(default_factory=dict, init=False)
    _lines: dict[int, str] = field(default_factory=dict, init=False)
    _ready: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Load the agents that play in this process."""
        self._agents = [
            IsolatedAgent(entrant, self.clock, self.plan.memory)
            if self.isolated and not entrant.trusted
            else entrant.load()
            for entrant in self.plan.entrants
        ]

    def play(self, number: int) -> Row:
        """Play one game."""
        task = self.plan.schedule.task(number)
        start = self._starts.get(task.opening)
        if start is None:
            start = self.plan.start.after(self.plan.openings[task.opening])
            self._starts[task.opening] = start
            self._lines[task.opening] = spell(self.plan.openings[task.opening])
        game = self._game(start, task)
        if game.loser is not None and self._recover(task)[game.loser]:
            game = self._game(start, task)
            self._recover(task)
        utility = game.utilities[0]
        names = self.plan.names
        return (
            number,
            names[task.players[0]],
            names[task.players[1]],
            self._lines[task.opening],
            spell(game.actions),
            1.0 if utility > 0 else 0.5 if utility == 0 else 0.0,
            game.seconds[0],
            game.seconds[1],
            game.reason,
            game.loser,
            game.fault,
        )

    def _game(self, start: Position, task: Task) -> Game:
        players = [self._agents[i] for i in task.players]
        self.clock.start(task.number, players)
        if not self._ready.issuperset(task.players):
            for player, (agent, index) in enumerate(zip(players, task.players, strict=True)):
                if index not in self._ready:
                    self._get_ready(index, player, agent, start, task.seed)
        game = play_game(start, players, task.seed, watch=self.clock)
        self.clock.stop()
        return game

    def _recover(self, task: Task) -> list[bool]:
        """Have agents whose processes failed get ready again; whether these were killed.

        That is what an operator does, or the system without memory: the game is played again.
        """
        killed = []
        for index in task.players:
            agent = self._agents[index]
            failure = agent.failure if isinstance(agent, IsolatedAgent) else None
            killed.append(failure is not None and failure.outside)
            if isinstance(agent, IsolatedAgent) and failure is not None and agent.recover():
                self._ready.discard(index)
        return killed

    def close(self) -> None:
        """End the processes of agents."""
        for agent in self._agents:
            if isinstance(agent, IsolatedAgent):
                agent.close()

    def try_out(self, index: int) -> str:
        """What the agent refuses the game with, or "": see ``trial``."""
        agent = self._agents[index]
        self.clock.start(NOBODY, [agent])
        error = self._get_ready(index, 0, agent, first_decision(self.plan.start))
        self.clock.stop()
        if isinstance(agent, IsolatedAgent) and agent.failure is not None and agent.recover():
            self._ready.discard(index)
        return "" if error is None else refusal(error)

    def _get_ready(
        self, index: int, player: int, agent: Agent, start: Position, seed: int = 0
    ) -> BaseException | None:
        """A move that does not count, in which it compiles and fills what it needs to; its error.

        If it has one, that is no loss: it will be seen in a game.
        """
        self._ready.add(index)
        self.clock.get_ready(player)
        try:
            agent.reset(seed)
            agent.act(start)
        except FAILURES as error:
            return error
        finally:
            self.clock.is_ready()
        return None


def work(connection: Connection, lifeline: Connection, shared: Any, plan: Plan) -> None:
    """Play the games that are asked for, or try an agent out, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's
    end_with_parent(lifeline)
    os.dup2(2, 1)  # what agents print is not the tournament's output
    if plan.memory is not None:
        limit_memory(plan.memory)
    shared[0] = NOBODY
    view: Any = memoryview(shared).cast("B").cast("d")  # is written faster than through ctypes
    with closing(Table(plan, Clock(plan.control, view))) as table:
        while True:
            try:
                asked: list[int] | int = connection.recv()
            except EOFError:
                return
            if isinstance(asked, int):
                connection.send(table.try_out(asked))
            else:
                connection.send(play_for_a_while(table, asked))


def play_for_a_while(table: Table, numbers: Sequence[int]) -> list[Row] | str:
    """The first of these games, as many as can be begun within a ``SLICE`` of time; or an error."""
    results: list[Row] = []
    until = time.monotonic() + SLICE
    for number in numbers:
        try:
            results.append(table.play(number))
        except Exception as error:  # of the rules, not of an agent: nobody is to blame
            return f"game {number} cannot be played: {type(error).__name__}: {error}"
        if time.monotonic() > until:
            break
    return results


def end_with_parent(lifeline: Connection) -> None:
    """End this process, whatever it does, when its parent has ended, and be it by kill -9.

    ``lifeline`` is a pipe into which nothing is ever written. When its other end is gone the system
    sends SIGIO, which ends the process even inside a compiled search that looks at nothing.
    """
    if sys.platform != "linux":  # elsewhere it ends when it wants to send its next results
        return
    import fcntl

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    if lifeline.poll():  # it ended before this
        sys.exit()
