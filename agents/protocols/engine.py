"""Other people's programs as agents: GNU Go, MoHex, Stockfish, or any other that speaks GTP or UCI.

``Engine`` is the agent; the conversations with the program are in ``gtp_client`` and
``uci_client``, the running program and the errors that it can cause in ``process``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from adv_envs import Position
from agents.agent import MOST_SECONDS, Agent, require_two_players
from agents.human import Resign
from agents.search.limits import require_no_chance

from .gtp_client import GtpClient
from .process import split
from .uci_client import UciClient, read_options, uci_of

PROTOCOLS = "gtp", "uci"


@dataclass(repr=False)
class Engine(Agent):
    """Another program, which is started with ``command`` at the first move.

    Parameters:
        command: the command line of a program that speaks GTP or UCI on its standard input.
        seconds: time for a move, sent to GTP programs that know ``time_settings`` or ``set_time``.
        timeout: the longest that an answer may take, in seconds; None for 2 * seconds + 10.
        protocol: "gtp", or "uci" for games whose record has a ``UciGame``.
        options: the options of a UCI program, such as "Skill Level=0; Hash=16".
        go: what bounds the search of a UCI program in place of the time, such as "nodes 1000".

    A program that does not start, ends, takes longer or gives an invalid answer is ended and raises
    EngineError, which loses the game; the next move starts it again. A program that does not accept
    the game or the size of the board raises EngineIncompatible, also a ValueError, so that no
    tournament begins with it. ``close`` ends the program, as does deleting this object. Copies
    start a program of their own. Raises ValueError for games not of two players, or with chance, an
    empty command and invalid times.
    """

    command: str = ""
    seconds: float = 10.0
    timeout: float | None = None
    protocol: str = "gtp"
    options: str = ""
    go: str = ""

    name: ClassVar[str] = "engine"
    _client: GtpClient | UciClient | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for invalid parameters."""
        if not isinstance(self.command, str):
            raise TypeError(f"command must be a command line, not {self.command!r}")
        split(self.command)
        for what, value in (("seconds", self.seconds), ("timeout", self.timeout)):
            if what == "timeout" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{what} must be a number of seconds, not {value!r}")
            if not 0 < value <= MOST_SECONDS:
                raise ValueError(f"{what} must be above 0 and at most {MOST_SECONDS}, not {value}")
        if self.protocol not in PROTOCOLS:
            raise ValueError(f"protocol must be {' or '.join(PROTOCOLS)}, not {self.protocol!r}")
        for what, text in (("options", self.options), ("go", self.go)):
            if not isinstance(text, str):
                raise TypeError(f"{what} must be text, not {text!r}")
            if text and self.protocol != "uci":
                raise ValueError(f'{what} are for programs that speak UCI: add protocol="uci"')
        read_options(self.options)
        if self.go and not self.go.isprintable():
            raise ValueError(f"go must be one line, such as 'nodes 1000', not {self.go!r}")

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game. The program's random numbers are its own."""
        if self._client is not None:
            self._client.new_game()

    def close(self) -> None:
        """End the program; the next move starts it again."""
        if self._client is not None:
            self._client.program.close()
        self._client = None

    def act(self, position: Position) -> int:
        """The program's move. EngineError if it fails, Resign if it resigns."""
        require_two_players(position, self.name)
        require_no_chance(position, self.name)
        if self.protocol == "uci":
            uci_of(position).variant(position)  # ValueError: it need not be started
        try:
            self._client = self._client or self._start()
            return self._client.move(position)
        except Resign:
            raise
        except BaseException:  # after an interrupt its answer would be taken for the next one
            self.close()
            raise

    def _start(self) -> GtpClient | UciClient:
        limit = 2 * self.seconds + 10 if self.timeout is None else self.timeout
        if self.protocol == "gtp":
            return GtpClient(self.command, self.seconds, limit)
        go = self.go or f"movetime {max(round(1000 * self.seconds), 1)}"
        return UciClient(self.command, go, limit, read_options(self.options))

    def __getstate__(self) -> dict[str, Any]:
        """A copy has no program yet."""
        return {**vars(self), "_client": None}
