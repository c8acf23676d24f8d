"""The Hex text protocol (HTP), spoken by any agent: a command in, an answer out, no I/O.

HTP is the Go text protocol (GTP 2, Farneback 2002) with Hex's moves; HexGui and Benzene's programs
speak it. A command is a line: an optional number, a name, arguments; ``#`` starts a comment. The
answer is ``= text`` or ``? what was wrong``, with the number if there was one, and an empty line.

Black begins and joins top and bottom, ``a1`` is the top left. Stones may come in any order of
colours, as in set-ups: HexGui sends the stones of a position row by row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import adv_envs
from adv_envs import sgf
from adv_envs.stones import COLOURS, turned

from .htp_analysis import ANALYSES, board, move_name
from .htp_arguments import HtpError, cell_of, number_of, player_of
from .htp_clock import Clock
from .htp_game import HtpGame, Moment, over


class HtpEngine(HtpGame):
    """A game that is driven by the commands of a controller, until ``running`` is False."""

    running = True

    def answer(self, line: str) -> str:
        """The answer to a line of input, both newlines included; "" where none is due."""
        text = re.sub(r"[^\S\n]", " ", line.partition("#")[0])
        text = "".join(character for character in text if character.isprintable())
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdecimal() else ""
        try:
            sign, said = "=", self.obey(words)
        except HtpError as error:
            sign, said = "?", str(error)
        said = re.sub(r"\n\s*\n", "\n", said.rstrip())  # an empty line would end the answer
        return f"{sign}{number}{' ' * bool(said)}{said}\n\n"

    def obey(self, words: list[str]) -> str:
        """Do what a command says; HtpError if that is not possible."""
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


# ---- the commands


Command = Callable[..., str]
COMMANDS: dict[str, tuple[str, Command]] = {}
"""Each command, how its arguments are written, and what does it."""

F = TypeVar("F", bound=Command)


def command(usage: str = "", name: str = "") -> Callable[[F], F]:
    """Make a function a command: by its own name, with arguments as in ``usage``."""

    def enter(function: F) -> F:
        COMMANDS[name or function.__name__] = usage, function
        return function

    return enter


@command("", "name")
def name_(engine: HtpEngine) -> str:
    """What the program is called."""
    return f"adv-envs {engine.agent.name}"


@command()
def version(engine: HtpEngine) -> str:
    """Its version."""
    return adv_envs.__version__


@command()
def protocol_version(engine: HtpEngine) -> str:
    """The version of GTP."""
    return "2"


@command()
def list_commands(engine: HtpEngine) -> str:
    """All commands, one in each line."""
    return "\n".join(COMMANDS)


@command("COMMAND")
def known_command(engine: HtpEngine, name: str) -> str:
    """Whether there is such a command."""
    return str(name in COMMANDS).lower()


@command("WIDTH [HEIGHT]")
def boardsize(engine: HtpEngine, width: str, height: str = "") -> str:
    """A new game on a board of that size."""
    height = height or width
    if width != height or not width.isdecimal() or not 2 <= int(width) <= 19:
        raise HtpError(f"unacceptable size {width} x {height}: boards here are 2 x 2 to 19 x 19")
    engine.new_game(int(width))
    return ""


@command()
def clear_board(engine: HtpEngine) -> str:
    """A new game on the same board."""
    engine.new_game(engine.position.size)
    return ""


@command("FILE [MOVES]")
def loadsgf(engine: HtpEngine, file: str, moves: str = "") -> str:
    """The game in a file, or its first MOVES moves."""
    count = int(number_of(moves, "a number of moves")) if moves else None
    try:
        record = sgf.load(file)
    except (OSError, sgf.SgfError) as error:
        raise HtpError(f"cannot load the file: {error}") from None
    engine.new_game(record.start.size)
    regular = record.start == record.start.start()
    engine.history = [Moment(record.start, regular)]
    for action in record.actions[:count]:
        engine.history.append(Moment(engine.position.play(action), regular))
    return ""


@command("COLOR MOVE")
def play(engine: HtpEngine, color: str, move: str) -> str:
    """A stone of either colour, swap-pieces, swap-sides, or resign, which changes nothing."""
    player, move, here = player_of(color), move.lower(), engine.history[-1]
    if move == "resign":
        return ""
    if move in ("swap-pieces", "swap-sides"):
        engine.exchange(player, move)
        return ""
    if move in ("swap", "pass"):
        known = "say swap-pieces or swap-sides" if move == "swap" else "nobody passes in hex"
        raise HtpError(f"illegal move: {known}")
    row, column = cell_of(move, here.position.size)
    if here.position.cell(row, column) is not None:
        raise HtpError(f"illegal move: there is a stone on {move}")
    if here.regular and here.position.is_terminal():
        raise HtpError(f"illegal move: {over(here.position)}")
    if here.regular and here.position.to_move == player:
        engine.put(player, row * here.position.size + column)
    else:
        engine.put_stone(player, (row, column))
    return ""


@command("COLOR")
def genmove(engine: HtpEngine, color: str) -> str:
    """Let the agent move."""
    player = player_of(color)
    position, action = engine.choose(player)
    if action is None:
        return "resign"
    engine.put(player, action)
    return move_name(position, action)


@command("COLOR")
def reg_genmove(engine: HtpEngine, color: str) -> str:
    """The move that the agent would make; it is not made."""
    position, action = engine.choose(player_of(color))
    return "resign" if action is None else move_name(position, action)


@command()
def undo(engine: HtpEngine) -> str:
    """Take the last stone back."""
    if len(engine.history) == 1:
        raise HtpError("cannot undo: nothing has been played")
    engine.history.pop()
    return ""


@command()
def showboard(engine: HtpEngine) -> str:
    """The board, and whose turn it is."""
    position = engine.position
    edges = ("top to bottom", "left to right")[position.to_move]
    turn = f"{COLOURS[position.to_move]} to move ({edges})"
    return f"\n{board(position)}\n{over(position) if position.is_terminal() else turn}"


@command("[COLOR]")
def all_legal_moves(engine: HtpEngine, color: str = "") -> str:
    """Every legal move of a colour; by default of the one whose turn it is."""
    position = engine.position
    if not position.is_terminal():
        position = turned(position, player_of(color) if color else position.to_move)
    return " ".join(move_name(position, action) for action in position.legal_actions())


@command()
def final_score(engine: HtpEngine) -> str:
    """B+ or W+; as in Benzene it is no error to ask too early."""
    if not engine.position.is_terminal():
        return "cannot score"
    return "WB"[engine.position.to_move] + "+"


@command("MAIN_SECONDS PERIOD_SECONDS PERIOD_MOVES")
def time_settings(engine: HtpEngine, main: str, period: str, moves: str) -> str:
    """The time of both players; no limit if all is 0, or if a period has seconds and no moves."""
    seconds = number_of(main, "a number of seconds", float)
    each = number_of(period, "a number of seconds", float)
    count = int(number_of(moves, "a number of moves"))
    engine.clocks = {}
    if (seconds or each) and (count or not each):
        for player in (0, 1):
            engine.clocks[player] = Clock(seconds, 0, (each, count))
            if not seconds:
                engine.clocks[player] = Clock(each, count, (each, count))
    return ""


@command("[COLOR] [SECONDS] [MOVES]")
def time_left(engine: HtpEngine, color: str = "", seconds: str = "", moves: str = "0") -> str:
    """Set the time that a player has left, or, without SECONDS, tell it."""
    if not color:
        return ", ".join(f"{COLOURS[p]}: {time_left(engine, COLOURS[p])}" for p in (0, 1))
    player = player_of(color)
    clock = engine.clocks.get(player)
    if not seconds:
        return "no limit" if clock is None else f"{clock.seconds:.1f}"
    left = number_of(seconds, "a number of seconds", float)
    count = int(number_of(moves, "a number of moves"))
    engine.clocks[player] = Clock(left, count, clock.period if clock else (0.0, 0))
    return ""


@command("", "hexgui-analyze_commands")
def analyze_commands(engine: HtpEngine) -> str:
    """What HexGui offers in its menu: type, label, command; %m stands for the colour to move."""
    lines = [f"{label}/{name} %m" for name, (label, _) in ANALYSES.items()]
    return "\n".join(
        [
            *lines,
            "var/Reg GenMove/reg_genmove %m",
            "plist/All Legal Moves/all_legal_moves %m",
            "string/Show Board/showboard",
            "string/Final Score/final_score",
        ]
    )


def analysis(name: str) -> Command:
    """The command of that analysis."""

    def run(engine: HtpEngine, color: str = "") -> str:
        player = player_of(color) if color else engine.position.to_move
        position = engine.to_think(player)
        if position.is_terminal():
            raise HtpError(over(position))
        with engine.thinking(player, position):
            return ANALYSES[name][1](engine.agent, position)

    return run


for analysis_name in ANALYSES:
    command("[COLOR]", analysis_name)(analysis(analysis_name))


@command("", "quit")
def quit_(engine: HtpEngine) -> str:
    """End the session."""
    engine.running = False
    return ""
