"""Commands of the Hex text protocol about the program, the board and the moves."""

from __future__ import annotations

import time

import adv_envs
from adv_envs.formats import sgf
from adv_envs.formats.hex_setup import COLOURS, turned

from .htp_analysis import board, move_name
from .htp_arguments import HtpError, cell_of, number_of, player_of
from .htp_game import HtpGame, Moment, over
from .htp_registry import COMMANDS, command


@command("", "name")
def name_(engine: HtpGame) -> str:
    """What the program is called."""
    return f"adv-envs {engine.agent.name}"


@command()
def version(engine: HtpGame) -> str:
    """Its version."""
    return adv_envs.__version__


@command()
def protocol_version(engine: HtpGame) -> str:
    """The version of GTP."""
    return "2"


@command()
def list_commands(engine: HtpGame) -> str:
    """All commands, one in each line."""
    return "\n".join(COMMANDS)


@command("COMMAND")
def known_command(engine: HtpGame, name: str) -> str:
    """Whether there is such a command."""
    return str(name in COMMANDS).lower()


@command("WIDTH [HEIGHT]")
def boardsize(engine: HtpGame, width: str, height: str = "") -> str:
    """A new game on a board of that size."""
    height = height or width
    if width != height or not width.isdecimal() or not 2 <= int(width) <= 19:
        raise HtpError(f"unacceptable size {width} x {height}: boards here are 2 x 2 to 19 x 19")
    engine.new_game(int(width))
    return ""


@command()
def clear_board(engine: HtpGame) -> str:
    """A new game on the same board."""
    engine.new_game(engine.position.size)
    return ""


@command("FILE [MOVES]")
def loadsgf(engine: HtpGame, file: str, moves: str = "") -> str:
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
def play(engine: HtpGame, color: str, move: str) -> str:
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
def genmove(engine: HtpGame, color: str) -> str:
    """Let the agent move."""
    player, began = player_of(color), time.perf_counter()
    position, action = engine.choose(player)
    if player in engine.clocks:
        engine.clocks[player].spend(time.perf_counter() - began)
    if action is None:
        return "resign"
    engine.put(player, action)
    return move_name(position, action)


@command("COLOR")
def reg_genmove(engine: HtpGame, color: str) -> str:
    """The move that the agent would make; it is not made."""
    position, action = engine.choose(player_of(color))
    return "resign" if action is None else move_name(position, action)


@command()
def undo(engine: HtpGame) -> str:
    """Take the last stone back."""
    if len(engine.history) == 1:
        raise HtpError("cannot undo: nothing has been played")
    engine.history.pop()
    return ""


@command()
def showboard(engine: HtpGame) -> str:
    """The board, and whose turn it is."""
    position = engine.position
    edges = ("top to bottom", "left to right")[position.to_move]
    turn = f"{COLOURS[position.to_move]} to move ({edges})"
    return f"\n{board(position)}\n{over(position) if position.is_terminal() else turn}"


@command("[COLOR]")
def all_legal_moves(engine: HtpGame, color: str = "") -> str:
    """Every legal move of a colour; by default of the one whose turn it is."""
    position = engine.position
    if not position.is_terminal():
        position = turned(position, player_of(color) if color else position.to_move)
    return " ".join(move_name(position, action) for action in position.legal_actions())


@command()
def final_score(engine: HtpGame) -> str:
    """B+ or W+; as in Benzene it is no error to ask too early."""
    if not engine.position.is_terminal():
        return "cannot score"
    return "WB"[engine.position.to_move] + "+"


@command("", "quit")
def quit_(engine: HtpGame) -> str:
    """End the session."""
    engine.running = False
    return ""
