"""Speaks the Go text protocol (GTP) for any agent in any game of two players without chance.

A command in, an answer out, no I/O. GTP 2 (Farneback 2002): a command is a line: an optional
number, a name, arguments; ``#`` starts a comment. The answer is ``= text`` or ``? error message``,
with the number if one was given, then an empty line. How moves are written is the game's own, see
``agents.dialects``.

``GtpServer`` holds the game and executes the commands: those that its methods ``do_...`` are called
after, "__" for a hyphen. Their parameters are the arguments; some have a usage of their own.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import adv_envs
import agents
from adv_envs import IllegalMove, Position
from adv_envs.formats import sgf
from adv_envs.literals import literal
from adv_envs.registry import name_of
from agents.agent import MOST_SECONDS, require_two_players
from agents.faults import NobodyToBlame
from agents.knowledge import knowledge_of
from agents.search.limits import require_no_chance

from .agent_control import parameter, parameters_of_agent, share, thinking_for, with_parameter

FEWEST_MOVES = 5
"""At least so many moves of a player are assumed to be still to come."""


class GtpError(ValueError):
    """Says that a command cannot be executed; the message is the answer after ``?``."""


# ---- the game


@dataclass
class GtpClock:
    """Keeps a player's clock: ``seconds`` for ``moves`` moves or, if that is 0, for all.

    ``period`` is the (seconds, moves) that follow when the time is used up, again and again.
    """

    seconds: float
    moves: int = 0
    period: tuple[float, int] = (0.0, 0)

    def spend(self, seconds: float) -> None:
        """Subtracts the time of a move."""
        self.seconds -= seconds
        over = self.seconds <= 0 or self.moves == 1
        self.moves = max(self.moves - 1, 0)
        if over and self.period[1]:
            self.seconds, self.moves = self.period

    def share(self, moves_left: float) -> float:
        """Returns the seconds for the next move, ``moves_left`` of them expected."""
        return share(self.seconds, self.moves or max(moves_left, FEWEST_MOVES))


@dataclass(frozen=True)
class Moment:
    """Holds a position in the history. ``regular``: reached by moves, not by placing stones."""

    position: Any
    regular: bool = True


class GtpServer:
    """Plays a game that a controller drives by commands until ``running`` is False."""

    usages: ClassVar[dict[str, str]] = {
        "set_game": "GAME [PARAMETER=VALUE ...]",
        "set_free_handicap": "VERTEX VERTEX [VERTEX ...]",
    }
    """How commands are written where the names of the parameters do not say it."""

    def __init__(self, agent: agents.Agent, start: Position, seed: int | None = None) -> None:
        """Raises ValueError for games with chance, and games not of two players."""
        start = require_two_players(start, "a program of GTP")
        require_no_chance(start, "a program of GTP")
        self.agent, self.seed = agent, seed
        self.game = knowledge_of(start).gtp
        self.start: Any = start
        self.commands: dict[str, Callable[..., str]] = {
            method[3:].replace("__", "-"): getattr(self, method)
            for method in dir(self)
            if method.startswith("do_")
        }
        for name, known in {
            "fixed_handicap": self.game.with_handicap is not None,
            "place_free_handicap": self.game.with_handicap is not None,
            "set_free_handicap": self.game.with_handicap is not None,
            "kgs-genmove_cleanup": self.game.resumed is not None,
            "final_status_list": self.game.groups is not None,
            "loadsgf": sgf.supports(start),
        }.items():
            if not known:
                del self.commands[name]
        self.running = True
        self.clocks: dict[int, GtpClock] = {}
        self.new_game(start)

    def new_game(self, start: Position, history: list[Moment] | None = None) -> None:
        """Begins a game in which ``history`` was played, and resets the agent."""
        self.reset(self.agent)
        self.start = start
        self.history = history or [Moment(start)]

    @property
    def position(self) -> Any:
        """Returns the current position."""
        return self.history[-1].position

    def written(self, position: Position, action: int) -> str:
        """Returns how a move is written."""
        return self.game.vertex(position, action) or position.name(action)

    def play(self, player: int, word: str) -> None:
        """Plays the move that ``word`` means; GtpError if it is not a legal one."""
        position = self.position
        if position.is_terminal() and self.game.resumed is None:
            raise GtpError(f"illegal move: {self.game_over()}")
        position = self.position_for(player)
        try:
            action = self.game.action(position, word)
        except IllegalMove as error:
            raise GtpError(f"illegal move: {error}") from None
        self.put(player, position, action)

    def put(self, player: int, position: Position, action: int) -> None:
        """Plays a legal action in ``position``, the current one with ``player`` to move."""
        here = self.history[-1]
        regular = here.regular and here.position.to_move == player
        self.history.append(Moment(position.play(action), regular))

    def position_for(self, player: int) -> Any:
        """Returns the unfinished position with ``player`` to move; GtpError if that cannot be."""
        position = self.position
        if position.is_terminal():
            if self.game.resumed is None:
                raise GtpError(self.game_over())
            try:
                position = self.game.resumed(position)
            except ValueError as error:
                raise GtpError(f"{self.game_over()}: {error}") from None
        if position.to_move == player:
            return position
        try:
            return self.game.turned(position, player)
        except ValueError as error:
            raise GtpError(f"{self.game.colours[player]} is not to move: {error}") from None

    def result(self) -> str:
        """Returns the result of the finished game: "B+", "W+3.5", or "0" for a draw."""
        if self.game.score is not None:
            return self.game.score(self.position)
        value = self.position.utility(0)
        return f"{self.game.colours[value < 0][0].upper()}+" if value else "0"

    def game_over(self) -> str:
        """Returns the message that says who has won."""
        value = self.position.utility(0)
        result = f"{self.game.colours[value < 0]} has won" if value else "a draw"
        return f"the game is over: {result}"

    def turn(self, position: Position) -> str:
        """Returns the message that says whose turn it is."""
        return f"{self.game.colours[position.to_move]} to move"

    @contextlib.contextmanager
    def agent_errors(self, agent: agents.Agent) -> Iterator[None]:
        """Turns an agent's errors within the context into GtpErrors, which end no session."""
        try:
            yield
        except (GtpError, agents.Resign):
            raise
        except (Exception, NobodyToBlame) as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise GtpError(f"{agent!r} failed: {why}") from error

    def reset(self, agent: agents.Agent) -> None:
        """Resets an agent; GtpError if it fails."""
        with self.agent_errors(agent):
            agent.reset(self.seed)

    @contextlib.contextmanager
    def thinking(self, position: Position, seconds: float | None = None) -> Iterator[None]:
        """Limits the time of a question to the agent, and turns its errors into GtpErrors."""
        with self.agent_errors(self.agent), thinking_for(self.agent, seconds):
            yield

    def choose(self, player: int) -> tuple[Any, int | None]:
        """Returns the position with ``player`` to move, and the move; None if it resigns."""
        over = self.position.is_terminal() and self.game.resumed is None
        if over and self.position.utility(player) < 0:
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

    def load(self, file: str, most: int | None) -> None:
        """Loads the first ``most`` moves of an SGF file of this game; None: all of them."""
        try:
            record = sgf.load(file)
        except (OSError, ValueError) as error:
            raise GtpError(f"cannot load the file: {error}") from None
        if not isinstance(record.start, type(self.start)):
            raise GtpError("cannot load the file: it is of another game")
        regular = record.start == record.start.start()
        history = [Moment(record.start, regular)]
        for action in record.actions[:most]:
            history.append(Moment(history[-1].position.play(action), regular))
        self.new_game(self.emptied(record.start), history)

    def emptied(self, position: Any) -> Any:
        """Returns the start of a loaded game, from which ``clear_board`` begins the next one."""
        return position.start()

    # ---- reading

    def answer(self, line: str) -> str:
        """Returns the answer to a line of input, both newlines included; "" for an empty line."""
        text = re.sub(r"[^\S\n]", " ", line.partition("#")[0])
        text = "".join(character for character in text if character.isprintable())
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdecimal() else ""
        try:
            sign, said = "=", self.execute(words)
        except (ValueError, TypeError, OSError) as error:  # what bad arguments and files lead to
            sign, said = "?", str(error)
        said = re.sub(r"\n\s*\n", "\n", said.rstrip())  # an empty line would end the answer
        return f"{sign}{number}{' ' * bool(said)}{said}\n\n"

    def execute(self, words: list[str]) -> str:
        """Executes a command; GtpError if that is not possible."""
        if not words:
            raise GtpError("a number and no command")
        name, *arguments = words
        if name not in self.commands:
            raise GtpError(f"unknown command: {name} (list_commands lists those there are)")
        command = self.commands[name]
        signature = inspect.signature(command)
        try:
            signature.bind(*arguments)
        except TypeError:
            usage = self.usages.get(name) or usage_of(signature)
            wanted = f"{name} {usage}" if usage else f"{name}, and nothing after it"
            raise GtpError(f"wrong number of arguments: write {wanted}") from None
        return command(*arguments)

    def player_of(self, word: str) -> int:
        """Returns the player called by a colour or its first letter."""
        for player, name in enumerate(self.game.colours):
            if word.lower() in (name, name[0]):
                return player
        raise GtpError(f"{word!r} is not a colour: {' or '.join(self.game.colours)}")

    # ---- commands: the program and the game

    def do_name(self) -> str:
        """Returns the name of the program."""
        return f"adv-envs {self.agent.name}"

    def do_version(self) -> str:
        """Returns the version of the program."""
        return adv_envs.__version__

    def do_protocol_version(self) -> str:
        """Returns the version of GTP."""
        return "2"

    def do_list_commands(self) -> str:
        """Returns all commands, one on each line."""
        return "\n".join(self.commands)

    def do_known_command(self, command: str) -> str:
        """Returns whether there is such a command."""
        return str(command in self.commands).lower()

    def do_list_games(self) -> str:
        """Returns the name of the game that this program plays."""
        return self.game.name or name_of(self.start)

    def do_quit(self) -> str:
        """Ends the session."""
        self.running = False
        return ""

    def do_set_game(self, name: str, *parameters: str) -> str:
        """Returns a new game of that name, with these parameters."""
        start, known = self.start, (name_of(self.start), self.do_list_games())
        if name.lower() not in [word.lower() for word in known]:
            raise GtpError(f"unsupported game: {name} (this program plays {known[-1]})")
        kept = start.parameters if self.game.name else ()  # others: usual where they are not given
        values, given = {key: getattr(start, key) for key in kept}, dict[str, Any]()
        for key, _, value in (word.partition("=") for word in parameters):
            if key not in start.parameters:
                raise GtpError(f"no parameter {key!r}; parameters: {', '.join(start.parameters)}")
            if key in given:
                raise GtpError(f"{key} is given twice")
            try:
                given[key] = value if key in start.field_words else literal(value)
            except ValueError as error:
                raise GtpError(f"cannot read {key}={value[:80]}: {error}") from None
        self.new_game(type(start)(**values | given))
        return ""

    # ---- commands: the board and the moves

    def do_boardsize(self, width: str, height: str = "") -> str:
        """Returns a new game on a board of that size."""
        sizes = width, height or width
        try:
            if not all(re.fullmatch("[0-9]{1,4}", size) for size in sizes):
                raise ValueError("sizes are whole numbers")
            self.new_game(self.game.resized(self.start, *map(int, sizes)))
        except ValueError as error:
            raise GtpError(f"unacceptable size {' x '.join(sizes)}: {error}") from None
        return ""

    def do_clear_board(self) -> str:
        """Returns a new game on the same board."""
        self.new_game(self.start)
        return ""

    def do_komi(self, points: str) -> str:
        """Sets the points that White is given; they change nothing where no points are counted."""
        try:
            value, change = float(points), self.game.with_komi
            if change is not None:
                changed = [Moment(change(m.position, value), m.regular) for m in self.history]
                self.start, self.history = change(self.start, value), changed
        except ValueError as error:
            raise GtpError(f"komi cannot be {points}: {error}") from None
        return ""

    def do_fixed_handicap(self, number_of_stones: str) -> str:
        """Sets the stones of a handicap on their usual cells, and lists them."""
        count, most = count_of(number_of_stones, "stones"), self.game.most_handicap(self.start)
        if not 2 <= count <= most:
            usual = f"on this board 2 to {most}, or none if that is 0"
            raise GtpError(f"invalid number of stones: {usual}")
        assert self.game.fixed_handicap is not None
        return self.handicap(self.game.fixed_handicap(self.start, count))

    def do_place_free_handicap(self, number_of_stones: str) -> str:
        """Sets the number of stones or, as GTP allows, fewer: as many as there are usual cells."""
        most = self.game.most_handicap(self.start)
        return self.do_fixed_handicap(str(min(count_of(number_of_stones, "stones"), most)))

    def do_set_free_handicap(self, first: str, second: str, *more: str) -> str:
        """Sets the stones of a handicap on these cells."""
        vertices = first, second, *more
        actions = [self.game.action(self.start, vertex.lower()) for vertex in vertices]
        self.handicap(actions)
        return ""

    def handicap(self, actions: Sequence[int]) -> str:
        """Sets these stones of a handicap, and lists them; GtpError where that cannot be."""
        if len(self.history) > 1 or self.position != self.start:
            raise GtpError("board not empty")
        if len(set(actions)) < len(actions) or self.start.num_actions - 1 in actions:
            raise GtpError("bad vertex list: each cell once, and no pass")
        assert self.game.with_handicap is not None
        start = self.game.with_handicap(self.start, actions)
        self.history = [Moment(start, False)]
        return " ".join(self.written(self.start, action) for action in actions)

    def do_play(self, color: str, move: str) -> str:
        """Plays a move of that colour; resign changes nothing."""
        player = self.player_of(color)
        if move.lower() != "resign":
            self.play(player, move.lower())
        return ""

    def do_genmove(self, color: str) -> str:
        """Lets the agent move."""
        player, began = self.player_of(color), time.perf_counter()
        position, action = self.choose(player)
        if player in self.clocks:
            self.clocks[player].spend(time.perf_counter() - began)
        if action is None:
            return "resign"
        self.put(player, position, action)
        return self.written(position, action)

    def do_kgs__genmove_cleanup(self, color: str) -> str:
        """Returns the same after the players have disagreed about the end: the game goes on."""
        return self.do_genmove(color)

    def do_reg_genmove(self, color: str) -> str:
        """Returns the move that the agent would play; the board does not change."""
        position, action = self.choose(self.player_of(color))
        return "resign" if action is None else self.written(position, action)

    def do_undo(self) -> str:
        """Takes the last move back."""
        if len(self.history) == 1:
            raise GtpError("cannot undo: nothing has been played")
        self.history.pop()
        return ""

    def do_showboard(self) -> str:
        """Returns the board, and whose turn it is."""
        position = self.position
        over = position.is_terminal()
        turn = self.game_over() if over else self.turn(position)
        return f"\n{self.game.board(position)}\n{turn}"

    def do_all_legal_moves(self, color: str = "") -> str:
        """Returns every legal move of a colour; by default of the one to move."""
        position = self.position
        if color and not position.is_terminal():
            position = self.position_for(self.player_of(color))
        return " ".join(self.written(position, action) for action in position.legal_actions())

    def do_final_score(self) -> str:
        """Returns the result: B+ or W+, with the points if there are any, or 0 for a draw."""
        if not self.position.is_terminal():
            raise GtpError("cannot score: the game is not over")
        return self.result()

    def do_final_status_list(self, status: str) -> str:
        """Returns the groups of stones that are alive, dead or in seki: all count as alive here."""
        if status not in ("alive", "dead", "seki"):
            raise GtpError(f"invalid status: {status} (alive, dead or seki)")
        if not self.position.is_terminal():
            raise GtpError("cannot score: the game is not over")
        assert self.game.groups is not None
        groups = self.game.groups(self.position) if status == "alive" else ()
        return "\n".join(
            " ".join(self.written(self.start, action) for action in group) for group in groups
        )

    def do_loadsgf(self, file: str, move: str = "") -> str:
        """Loads the game in a file, to its end or to the position before move number MOVE."""
        self.load(file, max(count_of(move) - 1, 0) if move else None)
        return ""

    def do_gogui__analyze_commands(self) -> str:
        """Lists the entries of GoGui's menu: type, label, command; %m is the colour to move."""
        entries = [
            "param/Agent Parameters/param_agent",
            "string/Reg GenMove/reg_genmove %m",
            "string/All Legal Moves/all_legal_moves %m",
            "string/Show Board/showboard",
            "string/Final Score/final_score",
            "plist/Final Status List Dead/final_status_list dead",
        ]
        known = self.commands
        return "\n".join(entry for entry in entries if entry.split("/")[2].split()[0] in known)

    # ---- commands: the agent and its time

    def do_time_settings(self, main_seconds: str, period_seconds: str, period_moves: str) -> str:
        """Sets the time of both players; no limit if all is 0, or if a period has no moves."""
        seconds, each = seconds_of(main_seconds), seconds_of(period_seconds)
        count = count_of(period_moves)
        self.clocks = {}
        if (seconds or each) and (count or not each):
            for player in (0, 1):
                self.clocks[player] = GtpClock(seconds, 0, (each, count))
                if not seconds:
                    self.clocks[player] = GtpClock(each, count, (each, count))
        return ""

    def do_time_left(self, color: str = "", seconds: str = "", moves: str = "0") -> str:
        """Sets the time that a player has left, or, without SECONDS, prints it."""
        if not color:
            return ", ".join(f"{name}: {self.do_time_left(name)}" for name in self.game.colours)
        player = self.player_of(color)
        clock = self.clocks.get(player)
        if not seconds:
            return "no limit" if clock is None else f"{clock.seconds:.1f}"
        period = clock.period if clock else (0.0, 0)
        self.clocks[player] = GtpClock(seconds_of(seconds), count_of(moves), period)
        return ""

    def do_param_agent(self, name: str = "", value: str = "") -> str:
        """Lists the agent's parameters that can be typed, as HexGui and GoGui do, or sets one."""
        known = parameters_of_agent(self.agent)
        if not name:
            return "".join(
                f"\n[bool] {key} {int(now)}" if isinstance(now, bool) else f"\n[string] {key} {now}"
                for key, now in known.items()
            )
        if not value:
            return str(parameter(self.agent, name))
        agent = with_parameter(self.agent, name, value)
        self.reset(agent)
        self.agent = agent
        return ""


# ---- arguments of commands


def usage_of(signature: inspect.Signature) -> str:
    """Returns how the arguments of a command are written: optional ones in brackets."""
    parameters = signature.parameters.values()
    names = [(each.name.upper(), each.default is each.empty) for each in parameters]
    return " ".join(name if needed else f"[{name}]" for name, needed in names)


def seconds_of(word: str) -> float:
    """Returns a number of seconds, from 0 to MOST_SECONDS."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise GtpError(f"{word!r} is not a number of seconds from 0 to {MOST_SECONDS}")
    return seconds


def count_of(word: str, what: str = "moves") -> int:
    """Returns a number of moves, or of ``what`` else."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise GtpError(f"{word!r} is not a number of {what}")
    return int(word)
