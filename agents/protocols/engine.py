"""Somebody else's Hex program as an agent: MoHex, KataHex, or any other that speaks HTP or GTP."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from math import isfinite
from typing import Any, ClassVar

from adv_envs import Hex, IllegalMove, Position
from agents.agent import Agent, require_unfinished
from agents.human import Resign

from .program import EngineIllegalMove, EngineRefusal, Program, split

COLOURS = "black", "white"
SWAPS = "swap", "swap-pieces", "swap-sides"


@dataclass(repr=False)
class Engine(Agent):
    """Hex: the moves of another program, which is started with ``command`` when it is first asked.

    ``seconds`` is the time for a move, of which programs with ``time_settings`` or ``set_time`` are
    told. An answer may take ``timeout`` seconds, by default twice that and 10 more. A program that
    does not start, dies, takes longer or answers nonsense is ended and raises EngineError, which
    loses the game; the next move starts it anew. One that refuses the size of the board raises
    EngineRefusal, a ValueError as well: no tournament begins with it. ``close`` ends the program,
    as does the end of this object. Copies have a program of their own. ValueError for other games,
    an empty command and times that are none.
    """

    command: str = ""
    seconds: float = 10.0
    timeout: float | None = None

    name: ClassVar[str] = "engine"
    _program: Program | None = field(default=None, init=False, repr=False, compare=False)
    _size: int = field(default=0, init=False, repr=False, compare=False)
    _shown: tuple[set[int], set[int]] = field(init=False, repr=False, compare=False)
    """The stones that the program knows of, by player."""

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a command or for times that make no sense."""
        if not isinstance(self.command, str):
            raise TypeError(f"command must be a command line, not {self.command!r}")
        split(self.command)
        for what, value in (("seconds", self.seconds), ("timeout", self.timeout)):
            if what == "timeout" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{what} must be a number of seconds, not {value!r}")
            if not (isfinite(value) and value > 0):
                raise ValueError(f"{what} must be above 0, not {value}")
        self._shown = set(), set()

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game. The program draws its random numbers as it likes."""
        self._size = 0

    def close(self) -> None:
        """End the program; it is started again when it is needed."""
        if self._program is not None:
            self._program.close()
        self._program, self._size = None, 0

    def act(self, position: Position) -> int:
        """The program's move. EngineError if it fails, Resign if it gives up."""
        require_unfinished(position)
        if not isinstance(position, Hex):
            raise ValueError(f"{self.name} plays hex, not {type(position).__name__}")
        try:
            program = self._program or self._start()
            self._show(program, position)
            colour = COLOURS[position.to_move]
            move = self._ask(program, f"genmove {colour}").lower()
            if move != "resign":
                return self._played(program, position, move)
        except BaseException:  # interrupted, too: its answer would be taken for another one
            self.close()
            raise
        self._size = 0
        raise Resign

    def _played(self, program: Program, position: Hex, move: str) -> int:
        """The action that is called ``move``, now on the program's board too."""
        if move in SWAPS and position.swap and position.ply == 1:
            self._size = 0  # what its board looks like now is its own affair
            return position.num_stone_actions
        try:
            action = position.action(move)
        except IllegalMove as error:
            program.fail(f"answered genmove with an illegal move: {error}", EngineIllegalMove)
        self._shown[position.to_move].add(action)
        return action

    @property
    def _limit(self) -> float:
        return 2 * self.seconds + 10 if self.timeout is None else self.timeout

    def _ask(self, program: Program, command: str) -> str:
        return program.ask(command, self._limit)

    def _start(self) -> Program:
        self._program, self._size = Program(self.command), 0
        known = self._program.say("list_commands", self._limit)[1].split()
        for command in (f"time_settings 0 {self.seconds:g} 1", f"set_time {self.seconds:g}"):
            if command.split()[0] in known:
                self._program.say(command, self._limit)
                break
        return self._program

    def _show(self, program: Program, position: Hex) -> None:
        """Bring the program's board up to date: what is new if it can go on, else everything.

        A position does not know its history; to a player of Hex it makes no difference.
        """
        cells = range(position.num_stone_actions)
        now = [
            {a for a in cells if position.stones(player) >> position.entry(a) & 1}
            for player in (0, 1)
        ]
        if self._size != position.size:
            asked = f"boardsize {position.size} {position.size}"
            program.ask(asked, self._limit, EngineRefusal)
        if self._size != position.size or not all(
            s <= n for s, n in zip(self._shown, now, strict=True)
        ):
            self._ask(program, "clear_board")
            self._shown = set(), set()
        self._size = position.size
        new = [sorted(n - s) for s, n in zip(self._shown, now, strict=True)]
        for both in zip_longest(*new):  # black and white in turn, as long as there are both
            for player, action in enumerate(both):
                if action is not None:
                    cell = position.cell_name(action // position.size, action % position.size)
                    self._ask(program, f"play {COLOURS[player]} {cell}")
                    self._shown[player].add(action)

    def __getstate__(self) -> dict[str, Any]:
        """A copy has no program yet."""
        return {**vars(self), "_program": None, "_size": 0}
