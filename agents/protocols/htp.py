"""The Hex text protocol (HTP), spoken by any agent: GTP with what Hex needs beyond it.

HexGui and the programs of Benzene speak it. Black begins and connects top and bottom; ``a1`` is the
top left cell. Stones may be placed in any order of colours, as in a set-up: HexGui sends the stones
of a position row by row. The pie rule has its own moves, ``swap-pieces`` and ``swap-sides``.

``HtpServer`` holds the game; the commands that analyse a position are in ``htp_analysis``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any, ClassVar

import agents
from adv_envs import Position
from adv_envs.formats import sgf
from adv_envs.formats.hex_setup import COLOURS, set_up, stones, turned
from adv_envs.games.hex import Hex

from . import gtp
from .gtp import Command, Commands, GtpError, GtpServer, Moment, count_of
from .htp_analysis import ANALYSES, move_name

COMMANDS = Commands(gtp.COMMANDS)


# ---- the game


class HtpServer(GtpServer):
    """A game of Hex that a controller drives by commands; an agent plays it."""

    commands: ClassVar[Commands] = COMMANDS

    def __init__(
        self, agent: agents.Agent, size: int = 11, swap: bool = False, seed: int | None = None
    ) -> None:
        """ValueError unless 2 <= size <= 19. With ``swap`` the agent may answer by swapping."""
        super().__init__(agent, Hex(size, swap), seed)

    def new_game(self, start: Position) -> None:
        """Empty the board and reset the agent."""
        self.extra_plies = 0
        super().new_game(start)

    def written(self, position: Position, action: int) -> str:
        """The name of the move."""
        return move_name(position, action)

    def play(self, player: int, word: str) -> None:
        """Play a stone of either colour, or swap; GtpError where that is not possible."""
        here = self.history[-1]
        if word in ("swap-pieces", "swap-sides"):
            self.exchange(player, word)
            return
        if word in ("swap", "pass"):
            known = "say swap-pieces or swap-sides" if word == "swap" else "nobody passes in hex"
            raise GtpError(f"illegal move: {known}")
        row, column = cell_of(word, here.position.size)
        if here.position.cell(row, column) is not None:
            raise GtpError(f"illegal move: there is a stone on {word}")
        if here.regular and here.position.is_terminal():
            raise GtpError(f"illegal move: {self.game_over()}")
        if here.regular and here.position.to_move == player:
            self.put(player, here.position, row * here.position.size + column)
        else:
            self.put_stone(player, (row, column))

    def put_stone(self, player: int, cell: tuple[int, int]) -> None:
        """Place a stone of a set-up, in any order of colours."""
        cells = [stones(self.position, 0), stones(self.position, 1)]
        cells[player].append(cell)
        size, swap = self.start.size, self.start.swap
        plain = set_up(size, cells[0], cells[1], swap=swap)
        after = plain if plain.is_terminal() else turned(plain, 1 - player)
        self.history.append(Moment(after, False))

    def exchange(self, player: int, how: str) -> None:
        """Apply the pie rule; GtpError unless the opponent's first stone is the only one."""
        position = self.position
        theirs = stones(position, 1 - player)
        if len(self.history) != 2 or len(theirs) != 1:
            raise GtpError(f"illegal move: {how} answers the first stone, at once or never")
        regular = self.history[-1].regular and self.start.swap and how == "swap-pieces"
        if how == "swap-pieces":
            ((row, column),) = theirs
            cells: list[list[tuple[int, int]]] = [[], []]
            cells[player] = [(column, row)]
            position = set_up(position.size, cells[0], cells[1], 1 - player, self.start.swap)
        self.history.append(Moment(position, regular))

    def turn(self, position: Position) -> str:
        """The message that says whose turn it is, and which edges they join."""
        edges = ("top to bottom", "left to right")[position.to_move]
        return f"{super().turn(position)} ({edges})"

    def game_over(self) -> str:
        """The message that says who has won."""
        loser = self.position.to_move
        edges = ("left and right", "top and bottom")[loser]
        return f"the game is over: {COLOURS[1 - loser]} has joined {edges}"

    @contextlib.contextmanager
    def thinking(self, position: Any, seconds: float | None = None) -> Iterator[None]:
        """The same, for an agent that forgets its search where set-ups are of another kind."""
        placed = len(stones(position, 0)) + len(stones(position, 1))
        if position.ply - placed != self.extra_plies:
            self.agent.reset(self.seed)
            self.extra_plies = position.ply - placed
        with super().thinking(position, seconds):
            yield


def cell_of(word: str, size: int) -> tuple[int, int]:
    """(row, column) of a cell such as c4."""
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", word)
    row, column = (int(match[2]) - 1, ord(match[1]) - ord("a")) if match else (-1, -1)
    if not (0 <= row < size and 0 <= column < size):
        last = Hex(size).cell_name(size - 1, size - 1)
        raise GtpError(f"{word!r} is not a cell: a1 to {last}")
    return row, column


# ---- commands


@COMMANDS.add("FILE [MOVES]")
def loadsgf(server: HtpServer, file: str, moves: str = "") -> str:
    """Load the game in a file, or its first MOVES moves."""
    count = count_of(moves) if moves else None
    try:
        record = sgf.load(file)
    except (OSError, sgf.SgfError) as error:
        raise GtpError(f"cannot load the file: {error}") from None
    if not isinstance(record.start, Hex):
        raise GtpError("cannot load the file: this is game number 1; Hex is GM[11]")
    regular = record.start == record.start.start()
    server.new_game(Hex(record.start.size, server.start.swap))
    server.history = [Moment(record.start, regular)]
    for action in record.actions[:count]:
        server.history.append(Moment(server.position.play(action), regular))
    return ""


@COMMANDS.add()
def final_score(server: HtpServer) -> str:
    """B+ or W+; as in Benzene it is no error to ask too early."""
    if not server.position.is_terminal():
        return "cannot score"
    return server.result()


@COMMANDS.add("", "hexgui-analyze_commands")
def analyze_commands(server: HtpServer) -> str:
    """The entries of HexGui's menu: type, label, command; %m stands for the colour to move."""
    lines = [f"{label}/{name} %m" for name, (label, _) in ANALYSES.items()]
    return "\n".join(
        [
            *lines,
            "param/Agent Parameters/param_agent",
            "var/Reg GenMove/reg_genmove %m",
            "plist/All Legal Moves/all_legal_moves %m",
            "string/Show Board/showboard",
            "string/Final Score/final_score",
        ]
    )


def analysis_command(name: str) -> Command:
    """The command that runs the analysis ``name``."""

    def run(server: HtpServer, color: str = "") -> str:
        player = server.player_of(color) if color else server.position.to_move
        position = server.position_for(player)
        with server.thinking(position):
            return ANALYSES[name][1](server.agent, position)

    return run


for analysis in ANALYSES:
    COMMANDS.add("[COLOR]", analysis)(analysis_command(analysis))
