"""The game behind the Hex text protocol: stones of any colour in any order, and an agent."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import agents
from adv_envs.formats.hex_setup import COLOURS, set_up, stones, turned
from adv_envs.games.hex import Hex

from .htp_arguments import HtpError
from .htp_clock import Clock, thinking_for


@dataclass(frozen=True)
class Moment:
    """A position in the history. ``regular``: a game led here, not stones set in any order."""

    position: Hex
    regular: bool = True


class HtpGame:
    """A game of Hex, its history, its clocks and the agent that plays it."""

    def __init__(
        self, agent: agents.Agent, size: int = 11, swap: bool = False, seed: int | None = None
    ) -> None:
        """ValueError unless 2 <= size <= 19. With ``swap`` the agent may answer by swapping."""
        self.agent, self.swap, self.seed = agent, swap, seed
        self.running = True
        self.clocks: dict[int, Clock] = {}
        self.new_game(size)

    def new_game(self, size: int) -> None:
        """Empty the board; the agent forgets the last game."""
        self.history = [Moment(Hex(size, self.swap))]
        self.seen = 0
        self.agent.reset(self.seed)

    @property
    def position(self) -> Hex:
        """The present position."""
        return self.history[-1].position

    # ---- the board

    def put(self, player: int, action: int) -> None:
        """A stone, or the swap, that the rules allow."""
        here = self.history[-1]
        regular = here.regular and here.position.to_move == player
        position = turned(here.position, player)
        self.history.append(Moment(position.play(action), regular))

    def put_stone(self, player: int, cell: tuple[int, int]) -> None:
        """A stone of a set-up, in which anything goes."""
        cells = [stones(self.position, 0), stones(self.position, 1)]
        cells[player].append(cell)
        size = self.position.size
        plain = set_up(size, cells[0], cells[1], swap=self.swap)
        after = plain if plain.is_terminal() else turned(plain, 1 - player)
        self.history.append(Moment(after, False))

    def exchange(self, player: int, how: str) -> None:
        """The pie rule: HtpError unless the opponent's first stone is the only one."""
        theirs = stones(self.position, 1 - player)
        if len(self.history) != 2 or len(theirs) != 1:
            raise HtpError(f"illegal move: {how} answers the first stone, at once or never")
        position, size = self.position, self.position.size
        if how == "swap-pieces":
            ((row, column),) = theirs
            cells: list[list[tuple[int, int]]] = [[], []]
            cells[player] = [(column, row)]
            position = set_up(size, cells[0], cells[1], 1 - player, self.swap)
        regular = self.history[-1].regular and self.swap and how == "swap-pieces"
        self.history.append(Moment(position, regular))

    # ---- the agent

    def to_think(self, player: int) -> Hex:
        """The position in which ``player`` should move; HtpError if that is the winner."""
        if self.position.is_terminal() and self.position.to_move != player:
            raise HtpError(over(self.position))
        return turned(self.position, player)

    @contextlib.contextmanager
    def thinking(self, position: Hex, seconds: float | None = None) -> Iterator[None]:
        """In here the agent is asked something: its failure is an HtpError, its time is bounded."""
        placed = len(stones(position, 0)) + len(stones(position, 1))
        if position.ply - placed != self.seen:  # a set-up of another kind: nothing known holds
            self.agent.reset(self.seed)
            self.seen = position.ply - placed
        try:  # what an agent prints must not be taken for an answer
            with contextlib.redirect_stdout(sys.stderr), thinking_for(self.agent, seconds):
                yield
        except (HtpError, agents.Resign):
            raise
        except Exception as error:  # the agent's own failure must not end the session
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise HtpError(f"{self.agent!r} failed: {why}") from error

    def choose(self, player: int) -> tuple[Hex, int | None]:
        """The position and the agent's move in it; None if it resigns."""
        position = self.to_think(player)
        if position.is_terminal():
            return position, None
        clock = self.clocks.get(player)
        empty = position.size**2 - len(stones(position, 0)) - len(stones(position, 1))
        try:
            with self.thinking(position, None if clock is None else clock.share(empty)):
                action = self.agent.act(position)
                if action not in position.legal_actions():
                    raise HtpError(f"{self.agent!r} answers {action!r}, which is not legal")
        except agents.Resign:
            return position, None
        return position, action


def over(position: Hex) -> str:
    """Who has won, and how."""
    edges = ("left and right", "top and bottom")[position.to_move]
    return f"the game is over: {COLOURS[1 - position.to_move]} has joined {edges}"
