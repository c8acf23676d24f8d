"""The Hex text protocol (HTP), spoken by any agent: a command in, an answer out, no I/O.

HTP is the Go text protocol (GTP 2, Farneback 2002) with the moves of Hex; HexGui and the programs
of Benzene speak it. A command is a line: an optional number, a name, arguments; ``#`` starts a
comment. The answer is ``= text`` or ``? error message``, with the number if one was given, then an
empty line.

Black begins and connects top and bottom; ``a1`` is the top left cell. Stones may be placed in any
order of colours, as in a set-up: HexGui sends the stones of a position row by row.

``HtpGame`` holds the game, ``command`` registers the commands below it, and ``HtpServer`` reads
them. The commands that analyse a position are in ``htp_analysis``.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import adv_envs
import agents
from adv_envs.formats import sgf
from adv_envs.formats.hex_setup import COLOURS, set_up, stones, turned
from adv_envs.games.hex import Hex
from agents.agent import MOST_SECONDS

from .htp_analysis import ANALYSES, board_text, move_name
from .htp_clock import GtpClock, thinking_for


class HtpError(Exception):
    """A command that cannot be executed; the message is the answer after ``?``."""


# ---- the game


@dataclass(frozen=True)
class Moment:
    """A position in the history. ``regular``: reached by legal moves, not by placing stones."""

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
        self.clocks: dict[int, GtpClock] = {}
        self.new_game(size)

    def new_game(self, size: int) -> None:
        """Empty the board and reset the agent."""
        self.history = [Moment(Hex(size, self.swap))]
        self.extra_plies = 0
        self.agent.reset(self.seed)

    @property
    def position(self) -> Hex:
        """The current position."""
        return self.history[-1].position

    def put(self, player: int, action: int) -> None:
        """Play a legal action of ``player``: a stone, or the swap."""
        here = self.history[-1]
        regular = here.regular and here.position.to_move == player
        position = turned(here.position, player)
        self.history.append(Moment(position.play(action), regular))

    def put_stone(self, player: int, cell: tuple[int, int]) -> None:
        """Place a stone of a set-up, in any order of colours."""
        cells = [stones(self.position, 0), stones(self.position, 1)]
        cells[player].append(cell)
        size = self.position.size
        plain = set_up(size, cells[0], cells[1], swap=self.swap)
        after = plain if plain.is_terminal() else turned(plain, 1 - player)
        self.history.append(Moment(after, False))

    def exchange(self, player: int, how: str) -> None:
        """Apply the pie rule; HtpError unless the opponent's first stone is the only one."""
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

    def position_for(self, player: int) -> Hex:
        """The position with ``player`` to move; HtpError if ``player`` has already won."""
        if self.position.is_terminal() and self.position.to_move != player:
            raise HtpError(game_over(self.position))
        return turned(self.position, player)

    @contextlib.contextmanager
    def thinking(self, position: Hex, seconds: float | None = None) -> Iterator[None]:
        """A context for a question to the agent: its errors are HtpErrors, its time is limited."""
        placed = len(stones(position, 0)) + len(stones(position, 1))
        if position.ply - placed != self.extra_plies:  # another kind of set-up: forget the search
            self.agent.reset(self.seed)
            self.extra_plies = position.ply - placed
        try:  # what an agent prints must not be taken for an answer
            with contextlib.redirect_stdout(sys.stderr), thinking_for(self.agent, seconds):
                yield
        except (HtpError, agents.Resign):
            raise
        except Exception as error:  # the agent's own failure must not end the session
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise HtpError(f"{self.agent!r} failed: {why}") from error

    def choose(self, player: int) -> tuple[Hex, int | None]:
        """The position with ``player`` to move, and the agent's move; None if it resigns."""
        position = self.position_for(player)
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


def game_over(position: Hex) -> str:
    """The message that says who has won."""
    edges = ("left and right", "top and bottom")[position.to_move]
    return f"the game is over: {COLOURS[1 - position.to_move]} has joined {edges}"


# ---- arguments of commands


def player_of(word: str) -> int:
    """The player called b, black, w or white."""
    for player, name in enumerate(COLOURS):
        if word.lower() in (name, name[0]):
            return player
    raise HtpError(f"{word!r} is not a colour: black or white")


def cell_of(word: str, size: int) -> tuple[int, int]:
    """(row, column) of a cell such as c4."""
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", word.lower())
    row, column = (int(match[2]) - 1, ord(match[1]) - ord("a")) if match else (-1, -1)
    if not (0 <= row < size and 0 <= column < size):
        last = Hex(size).cell_name(size - 1, size - 1)
        raise HtpError(f"{word!r} is not a cell: a1 to {last}")
    return row, column


def seconds_of(word: str) -> float:
    """A number of seconds, from 0 to MOST_SECONDS."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise HtpError(f"{word!r} is not a number of seconds from 0 to {MOST_SECONDS}")
    return seconds


def count_of(word: str) -> int:
    """A number of moves."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise HtpError(f"{word!r} is not a number of moves")
    return int(word)


# ---- commands: the program, the board and the moves

Command = Callable[..., str]
F = TypeVar("F", bound=Command)

COMMANDS: dict[str, tuple[str, Command]] = {}
"""For each command its arguments, as text, and the function that executes it."""


def command(usage: str = "", name: str = "") -> Callable[[F], F]:
    """Register a function as a command, under its own name or ``name``, with these arguments."""

    def enter(function: F) -> F:
        COMMANDS[name or function.__name__] = usage, function
        return function

    return enter


@command("", "name")
def program_name(game: HtpGame) -> str:
    """The name of the program."""
    return f"adv-envs {game.agent.name}"


@command()
def version(game: HtpGame) -> str:
    """The version of the program."""
    return adv_envs.__version__


@command()
def protocol_version(game: HtpGame) -> str:
    """The version of GTP."""
    return "2"


@command()
def list_commands(game: HtpGame) -> str:
    """All commands, one on each line."""
    return "\n".join(COMMANDS)


@command("COMMAND")
def known_command(game: HtpGame, name: str) -> str:
    """Whether there is such a command."""
    return str(name in COMMANDS).lower()


@command("WIDTH [HEIGHT]")
def boardsize(game: HtpGame, width: str, height: str = "") -> str:
    """A new game on a board of that size."""
    height = height or width
    if width != height or not width.isdecimal() or not 2 <= int(width) <= 19:
        raise HtpError(f"unacceptable size {width} x {height}: boards here are 2 x 2 to 19 x 19")
    game.new_game(int(width))
    return ""


@command()
def clear_board(game: HtpGame) -> str:
    """A new game on the same board."""
    game.new_game(game.position.size)
    return ""


@command("FILE [MOVES]")
def loadsgf(game: HtpGame, file: str, moves: str = "") -> str:
    """Load the game in a file, or its first MOVES moves."""
    count = count_of(moves) if moves else None
    try:
        record = sgf.load(file)
    except (OSError, sgf.SgfError) as error:
        raise HtpError(f"cannot load the file: {error}") from None
    game.new_game(record.start.size)
    regular = record.start == record.start.start()
    game.history = [Moment(record.start, regular)]
    for action in record.actions[:count]:
        game.history.append(Moment(game.position.play(action), regular))
    return ""


@command("COLOR MOVE")
def play(game: HtpGame, color: str, move: str) -> str:
    """Play a stone of either colour, swap-pieces, swap-sides, or resign, which changes nothing."""
    player, move, here = player_of(color), move.lower(), game.history[-1]
    if move == "resign":
        return ""
    if move in ("swap-pieces", "swap-sides"):
        game.exchange(player, move)
        return ""
    if move in ("swap", "pass"):
        known = "say swap-pieces or swap-sides" if move == "swap" else "nobody passes in hex"
        raise HtpError(f"illegal move: {known}")
    row, column = cell_of(move, here.position.size)
    if here.position.cell(row, column) is not None:
        raise HtpError(f"illegal move: there is a stone on {move}")
    if here.regular and here.position.is_terminal():
        raise HtpError(f"illegal move: {game_over(here.position)}")
    if here.regular and here.position.to_move == player:
        game.put(player, row * here.position.size + column)
    else:
        game.put_stone(player, (row, column))
    return ""


@command("COLOR")
def genmove(game: HtpGame, color: str) -> str:
    """Let the agent move."""
    player, began = player_of(color), time.perf_counter()
    position, action = game.choose(player)
    if player in game.clocks:
        game.clocks[player].spend(time.perf_counter() - began)
    if action is None:
        return "resign"
    game.put(player, action)
    return move_name(position, action)


@command("COLOR")
def reg_genmove(game: HtpGame, color: str) -> str:
    """The move that the agent would play; the board does not change."""
    position, action = game.choose(player_of(color))
    return "resign" if action is None else move_name(position, action)


@command()
def undo(game: HtpGame) -> str:
    """Take the last stone back."""
    if len(game.history) == 1:
        raise HtpError("cannot undo: nothing has been played")
    game.history.pop()
    return ""


@command()
def showboard(game: HtpGame) -> str:
    """The board, and whose turn it is."""
    position = game.position
    edges = ("top to bottom", "left to right")[position.to_move]
    turn = f"{COLOURS[position.to_move]} to move ({edges})"
    return f"\n{board_text(position)}\n{game_over(position) if position.is_terminal() else turn}"


@command("[COLOR]")
def all_legal_moves(game: HtpGame, color: str = "") -> str:
    """Every legal move of a colour; by default of the one to move."""
    position = game.position
    if not position.is_terminal():
        position = turned(position, player_of(color) if color else position.to_move)
    return " ".join(move_name(position, action) for action in position.legal_actions())


@command()
def final_score(game: HtpGame) -> str:
    """B+ or W+; as in Benzene it is no error to ask too early."""
    if not game.position.is_terminal():
        return "cannot score"
    return "WB"[game.position.to_move] + "+"


@command("", "quit")
def quit_session(game: HtpGame) -> str:
    """End the session."""
    game.running = False
    return ""


# ---- commands: the agent, its time and its parameters, what it finds


@command("MAIN_SECONDS PERIOD_SECONDS PERIOD_MOVES")
def time_settings(game: HtpGame, main: str, period: str, moves: str) -> str:
    """Set the time of both players; no limit if all is 0, or if a period has no moves."""
    seconds, each, count = seconds_of(main), seconds_of(period), count_of(moves)
    game.clocks = {}
    if (seconds or each) and (count or not each):
        for player in (0, 1):
            game.clocks[player] = GtpClock(seconds, 0, (each, count))
            if not seconds:
                game.clocks[player] = GtpClock(each, count, (each, count))
    return ""


@command("[COLOR] [SECONDS] [MOVES]")
def time_left(game: HtpGame, color: str = "", seconds: str = "", moves: str = "0") -> str:
    """Set the time that a player has left, or, without SECONDS, print it."""
    if not color:
        return ", ".join(f"{name}: {time_left(game, name)}" for name in COLOURS)
    player = player_of(color)
    clock = game.clocks.get(player)
    if not seconds:
        return "no limit" if clock is None else f"{clock.seconds:.1f}"
    period = clock.period if clock else (0.0, 0)
    game.clocks[player] = GtpClock(seconds_of(seconds), count_of(moves), period)
    return ""


@command("", "hexgui-analyze_commands")
def analyze_commands(game: HtpGame) -> str:
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

    def run(game: HtpGame, color: str = "") -> str:
        player = player_of(color) if color else game.position.to_move
        position = game.position_for(player)
        if position.is_terminal():
            raise HtpError(game_over(position))
        with game.thinking(position):
            return ANALYSES[name][1](game.agent, position)

    return run


for analysis in ANALYSES:
    command("[COLOR]", analysis)(analysis_command(analysis))


@command("[NAME] [VALUE]")
def param_agent(game: HtpGame, name: str = "", value: str = "") -> str:
    """List the agent's parameters that can be typed, as HexGui reads them, or set one."""
    known = {
        field.name: getattr(game.agent, field.name)
        for field in dataclasses.fields(game.agent)
        if field.init and isinstance(getattr(game.agent, field.name), int | float | None)
    }
    if not name:
        return "".join(
            f"\n[bool] {key} {int(now)}" if isinstance(now, bool) else f"\n[string] {key} {now}"
            for key, now in known.items()
        )
    if name not in known:
        raise HtpError(f"no parameter {name!r}; parameters: {', '.join(known) or 'none'}")
    if not value:
        return str(known[name])
    try:
        typed = ast.literal_eval(value)
        typed = bool(typed) if isinstance(known[name], bool) else typed
        agent = dataclasses.replace(game.agent, **{name: typed})
    except (ValueError, TypeError, SyntaxError) as error:
        raise HtpError(f"{name} cannot be {value}: {error}") from None
    game.agent = agent
    game.agent.reset(game.seed)
    return ""


# ---- the server


class HtpServer(HtpGame):
    """A game that a controller drives by commands, until ``running`` is False."""

    def answer(self, line: str) -> str:
        """The answer to a line of input, both newlines included; "" for an empty line."""
        text = re.sub(r"[^\S\n]", " ", line.partition("#")[0])
        text = "".join(character for character in text if character.isprintable())
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdecimal() else ""
        try:
            sign, said = "=", self.execute(words)
        except HtpError as error:
            sign, said = "?", str(error)
        said = re.sub(r"\n\s*\n", "\n", said.rstrip())  # an empty line would end the answer
        return f"{sign}{number}{' ' * bool(said)}{said}\n\n"

    def execute(self, words: list[str]) -> str:
        """Execute a command; HtpError if that is not possible."""
        if not words:
            raise HtpError("a number and no command")
        name, *arguments = words
        if name not in COMMANDS:
            raise HtpError(f"unknown command: {name} (list_commands lists those there are)")
        usage, function = COMMANDS[name]
        least = len(usage.partition("[")[0].split())
        if not least <= len(arguments) <= len(usage.split()):
            wanted = f"{name} {usage}" if usage else f"{name}, and nothing after it"
            raise HtpError(f"wrong number of arguments: write {wanted}")
        return function(self, *arguments)
