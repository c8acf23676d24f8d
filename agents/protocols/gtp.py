"""The Go text protocol (GTP), spoken by any agent in any game of two players without chance.

A command in, an answer out, no I/O. GTP 2 (Farneback 2002): a command is a line: an optional
number, a name, arguments; ``#`` starts a comment. The answer is ``= text`` or ``? error message``,
with the number if one was given, then an empty line. How moves are written is the game's own, see
``agents.dialects``.

``GtpServer`` holds the game and reads the commands, which follow it.
"""

from __future__ import annotations

import ast
import contextlib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import adv_envs
import agents
from adv_envs import IllegalMove, Position
from adv_envs.registry import name_of
from agents.agent import MOST_SECONDS, require_two_players
from agents.knowledge import knowledge_of
from agents.search.limits import require_no_chance

from .agent_parameters import parameter, parameters_of_agent, with_parameter
from .gtp_clock import GtpClock, thinking_for


class GtpError(Exception):
    """A command that cannot be executed; the message is the answer after ``?``."""


Command = Callable[..., str]
F = TypeVar("F", bound=Command)


class Commands(dict[str, tuple[str, Command]]):
    """For each command its arguments, as text, and the function that executes it."""

    def add(self, usage: str = "", name: str = "") -> Callable[[F], F]:
        """Register a function as a command, under its own name or ``name``."""

        def enter(function: F) -> F:
            self[name or function.__name__] = usage, function
            return function

        return enter


COMMANDS = Commands()


# ---- the game


@dataclass(frozen=True)
class Moment:
    """A position in the history. ``regular``: reached by legal moves, not by placing stones."""

    position: Any
    regular: bool = True


class GtpServer:
    """A game that a controller drives by commands until ``running`` is False; an agent plays it."""

    commands: ClassVar[Commands] = COMMANDS

    def __init__(self, agent: agents.Agent, start: Position, seed: int | None = None) -> None:
        """ValueError for games with chance, and games not of two players."""
        require_two_players(start, "a program of GTP")
        require_no_chance(start, "a program of GTP")
        self.agent, self.seed = agent, seed
        self.game = knowledge_of(start).gtp
        self.running = True
        self.clocks: dict[int, GtpClock] = {}
        self.new_game(start)

    def new_game(self, start: Position) -> None:
        """Begin a game and reset the agent."""
        self.start: Any = start
        self.history = [Moment(start)]
        self.agent.reset(self.seed)

    @property
    def position(self) -> Any:
        """The current position."""
        return self.history[-1].position

    def written(self, position: Position, action: int) -> str:
        """How a move is written."""
        return self.game.vertex(position, action) or position.name(action)

    def play(self, player: int, word: str) -> None:
        """Play the move that ``word`` means; GtpError if it is not a legal one."""
        position = self.position
        if position.is_terminal():
            raise GtpError(f"illegal move: {self.game_over()}")
        position = self.position_for(player)
        try:
            action = self.game.action(position, word)
        except IllegalMove as error:
            raise GtpError(f"illegal move: {error}") from None
        self.put(player, position, action)

    def put(self, player: int, position: Position, action: int) -> None:
        """Play a legal action in ``position``, the current one with ``player`` to move."""
        here = self.history[-1]
        regular = here.regular and here.position.to_move == player
        self.history.append(Moment(position.play(action), regular))

    def position_for(self, player: int) -> Any:
        """The unfinished position with ``player`` to move; GtpError if that cannot be."""
        position = self.position
        if position.is_terminal():
            raise GtpError(self.game_over())
        if position.to_move == player:
            return position
        try:
            return self.game.turned(position, player)
        except ValueError as error:
            raise GtpError(f"{self.game.colours[player]} is not to move: {error}") from None

    def result(self) -> str:
        """The result of the finished game: "B+", "W+3.5", or "0" for a draw."""
        if self.game.score is not None:
            return self.game.score(self.position)
        value = self.position.utility(0)
        return f"{self.game.colours[value < 0][0].upper()}+" if value else "0"

    def game_over(self) -> str:
        """The message that says who has won."""
        value = self.position.utility(0)
        result = f"{self.game.colours[value < 0]} has won" if value else "a draw"
        return f"the game is over: {result}"

    def turn(self, position: Position) -> str:
        """The message that says whose turn it is."""
        return f"{self.game.colours[position.to_move]} to move"

    @contextlib.contextmanager
    def thinking(self, position: Position, seconds: float | None = None) -> Iterator[None]:
        """A context for a question to the agent: its errors are GtpErrors, its time is limited."""
        try:
            with thinking_for(self.agent, seconds):
                yield
        except (GtpError, agents.Resign):
            raise
        except Exception as error:  # the agent's own failure must not end the session
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise GtpError(f"{self.agent!r} failed: {why}") from error

    def choose(self, player: int) -> tuple[Any, int | None]:
        """The position with ``player`` to move, and the agent's move; None if it resigns."""
        if self.position.is_terminal() and self.position.utility(player) < 0:
            return self.position, None
        position, clock = self.position_for(player), self.clocks.get(player)
        moves_left = self.game.moves_left(position)
        try:
            with self.thinking(position, None if clock is None else clock.share(moves_left)):
                action = self.agent.act(position)
                if action not in position.legal_actions():
                    raise GtpError(f"{self.agent!r} answers {action!r}, which is not legal")
        except agents.Resign:
            return position, None
        return position, action

    # ---- commands

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
        except GtpError as error:
            sign, said = "?", str(error)
        said = re.sub(r"\n\s*\n", "\n", said.rstrip())  # an empty line would end the answer
        return f"{sign}{number}{' ' * bool(said)}{said}\n\n"

    def execute(self, words: list[str]) -> str:
        """Execute a command; GtpError if that is not possible."""
        if not words:
            raise GtpError("a number and no command")
        name, *arguments = words
        if name not in self.commands:
            raise GtpError(f"unknown command: {name} (list_commands lists those there are)")
        usage, function = self.commands[name]
        least = len(usage.partition("[")[0].split())
        most = len(arguments) if usage.endswith("...]") else len(usage.split())
        if not least <= len(arguments) <= most:
            wanted = f"{name} {usage}" if usage else f"{name}, and nothing after it"
            raise GtpError(f"wrong number of arguments: write {wanted}")
        return function(self, *arguments)

    def player_of(self, word: str) -> int:
        """The player called by a colour or its first letter."""
        for player, name in enumerate(self.game.colours):
            if word.lower() in (name, name[0]):
                return player
        raise GtpError(f"{word!r} is not a colour: {' or '.join(self.game.colours)}")


# ---- arguments of commands


def seconds_of(word: str) -> float:
    """A number of seconds, from 0 to MOST_SECONDS."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise GtpError(f"{word!r} is not a number of seconds from 0 to {MOST_SECONDS}")
    return seconds


def count_of(word: str) -> int:
    """A number of moves."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise GtpError(f"{word!r} is not a number of moves")
    return int(word)


# ---- commands: the program and the game


@COMMANDS.add("", "name")
def program_name(server: GtpServer) -> str:
    """The name of the program."""
    return f"adv-envs {server.agent.name}"


@COMMANDS.add()
def version(server: GtpServer) -> str:
    """The version of the program."""
    return adv_envs.__version__


@COMMANDS.add()
def protocol_version(server: GtpServer) -> str:
    """The version of GTP."""
    return "2"


@COMMANDS.add()
def list_commands(server: GtpServer) -> str:
    """All commands, one on each line."""
    return "\n".join(server.commands)


@COMMANDS.add("COMMAND")
def known_command(server: GtpServer, name: str) -> str:
    """Whether there is such a command."""
    return str(name in server.commands).lower()


@COMMANDS.add("", "quit")
def quit_session(server: GtpServer) -> str:
    """End the session."""
    server.running = False
    return ""


@COMMANDS.add()
def list_games(server: GtpServer) -> str:
    """The name of the game that this program plays."""
    return server.game.name or name_of(server.start)


@COMMANDS.add("GAME [PARAMETER=VALUE ...]")
def set_game(server: GtpServer, name: str, *parameters: str) -> str:
    """A new game of that name, with these parameters."""
    start, known = server.start, (name_of(server.start), list_games(server))
    if name.lower() not in [word.lower() for word in known]:
        raise GtpError(f"unsupported game: {name} (this program plays {known[-1]})")
    kept = start.parameters if server.game.name else ()  # others are usual where they are not given
    values = {key: getattr(start, key) for key in kept}
    for key, _, value in (word.partition("=") for word in parameters):
        if key not in start.parameters:
            raise GtpError(f"no parameter {key!r}; parameters: {', '.join(start.parameters)}")
        try:
            values[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            raise GtpError(f"cannot read {key}={value}") from None
    try:
        server.new_game(type(start)(**values))
    except (ValueError, TypeError) as error:
        raise GtpError(str(error)) from None
    return ""


# ---- commands: the board and the moves


@COMMANDS.add("WIDTH [HEIGHT]")
def boardsize(server: GtpServer, width: str, height: str = "") -> str:
    """A new game on a board of that size."""
    sizes = width, height or width
    try:
        if not all(re.fullmatch("[0-9]{1,4}", size) for size in sizes):
            raise ValueError("sizes are whole numbers")
        server.new_game(server.game.resized(server.start, *map(int, sizes)))
    except ValueError as error:
        raise GtpError(f"unacceptable size {' x '.join(sizes)}: {error}") from None
    return ""


@COMMANDS.add()
def clear_board(server: GtpServer) -> str:
    """A new game on the same board."""
    server.new_game(server.start)
    return ""


@COMMANDS.add("POINTS")
def komi(server: GtpServer, points: str) -> str:
    """Set the points that White is given; they change nothing where no points are counted."""
    try:
        value, change = float(points), server.game.with_komi
        if change is not None:
            changed = [Moment(change(m.position, value), m.regular) for m in server.history]
            server.start, server.history = change(server.start, value), changed
    except ValueError as error:
        raise GtpError(f"komi cannot be {points}: {error}") from None
    return ""


@COMMANDS.add("COLOR MOVE")
def play(server: GtpServer, color: str, move: str) -> str:
    """Play a move of that colour; resign changes nothing."""
    player = server.player_of(color)
    if move.lower() != "resign":
        server.play(player, move.lower())
    return ""


@COMMANDS.add("COLOR")
def genmove(server: GtpServer, color: str) -> str:
    """Let the agent move."""
    player, began = server.player_of(color), time.perf_counter()
    position, action = server.choose(player)
    if player in server.clocks:
        server.clocks[player].spend(time.perf_counter() - began)
    if action is None:
        return "resign"
    server.put(player, position, action)
    return server.written(position, action)


@COMMANDS.add("COLOR")
def reg_genmove(server: GtpServer, color: str) -> str:
    """The move that the agent would play; the board does not change."""
    position, action = server.choose(server.player_of(color))
    return "resign" if action is None else server.written(position, action)


@COMMANDS.add()
def undo(server: GtpServer) -> str:
    """Take the last move back."""
    if len(server.history) == 1:
        raise GtpError("cannot undo: nothing has been played")
    server.history.pop()
    return ""


@COMMANDS.add()
def showboard(server: GtpServer) -> str:
    """The board, and whose turn it is."""
    position = server.position
    over = position.is_terminal()
    turn = server.game_over() if over else server.turn(position)
    return f"\n{server.game.board(position)}\n{turn}"


@COMMANDS.add("[COLOR]")
def all_legal_moves(server: GtpServer, color: str = "") -> str:
    """Every legal move of a colour; by default of the one to move."""
    position = server.position
    if color and not position.is_terminal():
        position = server.position_for(server.player_of(color))
    return " ".join(server.written(position, action) for action in position.legal_actions())


@COMMANDS.add()
def final_score(server: GtpServer) -> str:
    """The result: B+ or W+, with the points if there are any, or 0 for a draw."""
    if not server.position.is_terminal():
        raise GtpError("cannot score: the game is not over")
    return server.result()


# ---- commands: the agent and its time


@COMMANDS.add("MAIN_SECONDS PERIOD_SECONDS PERIOD_MOVES")
def time_settings(server: GtpServer, main: str, period: str, moves: str) -> str:
    """Set the time of both players; no limit if all is 0, or if a period has no moves."""
    seconds, each, count = seconds_of(main), seconds_of(period), count_of(moves)
    server.clocks = {}
    if (seconds or each) and (count or not each):
        for player in (0, 1):
            server.clocks[player] = GtpClock(seconds, 0, (each, count))
            if not seconds:
                server.clocks[player] = GtpClock(each, count, (each, count))
    return ""


@COMMANDS.add("[COLOR] [SECONDS] [MOVES]")
def time_left(server: GtpServer, color: str = "", seconds: str = "", moves: str = "0") -> str:
    """Set the time that a player has left, or, without SECONDS, print it."""
    if not color:
        return ", ".join(f"{name}: {time_left(server, name)}" for name in server.game.colours)
    player = server.player_of(color)
    clock = server.clocks.get(player)
    if not seconds:
        return "no limit" if clock is None else f"{clock.seconds:.1f}"
    period = clock.period if clock else (0.0, 0)
    server.clocks[player] = GtpClock(seconds_of(seconds), count_of(moves), period)
    return ""


@COMMANDS.add("[NAME] [VALUE]")
def param_agent(server: GtpServer, name: str = "", value: str = "") -> str:
    """List the agent's parameters that can be typed, as HexGui and GoGui read them, or set one."""
    known = parameters_of_agent(server.agent)
    if not name:
        return "".join(
            f"\n[bool] {key} {int(now)}" if isinstance(now, bool) else f"\n[string] {key} {now}"
            for key, now in known.items()
        )
    try:
        if not value:
            return str(parameter(server.agent, name))
        server.agent = with_parameter(server.agent, name, value)
    except ValueError as error:
        raise GtpError(str(error)) from None
    server.agent.reset(server.seed)
    return ""
