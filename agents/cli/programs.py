"""``adv-envs gtp``, ``uci`` and ``htp``: agents for other programs; ``book``: openings."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Annotated

import typer

import agents
from adv_envs.position import Position
from adv_envs.registry import GAMES, game, title
from agents.knowledge import knowledge_of, knowledge_of_class
from agents.protocols.gtp import GtpServer
from agents.protocols.gtp_clock import thinking_for
from agents.protocols.htp import HtpServer
from agents.protocols.uci import UciServer

from .console import Bar, CommandError, check_files, check_folder, command_errors, err, out
from .matches import check_can_play

# ---- an agent as a program

HTP_EXAMPLES = (
    "adv-envs htp",
    'adv-envs htp --agent "alpha_beta(seconds=5, evaluate=hex.two_distance)"',
    "printf 'boardsize 5\\nplay black c3\\ngenmove white\\nshowboard\\n' | adv-envs htp",
)

HTP_AGENT = "alpha_beta(seconds=5, evaluate=hex.two_distance, order=hex.centre)"

Spec = Annotated[
    str, typer.Option(metavar="SPEC", help="The agent that plays; see: adv-envs agents.")
]
Size = Annotated[
    int, typer.Option(metavar="N", min=2, max=19, help="Size of the board until boardsize is sent.")
]
Swap = Annotated[
    bool, typer.Option("--swap/--no-swap", help="Whether the agent may answer swap-pieces.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Repeat all random choices.")]
Name = Annotated[
    str,
    typer.Argument(metavar="SPEC", help="The agent that plays; see: adv-envs agents."),
]

GTP_EXAMPLES = (
    'adv-envs gtp tic_tac_toe "alpha_beta()"',
    "printf 'play black b2\\ngenmove white\\nshowboard\\n' | adv-envs gtp tic_tac_toe",
    "adv-envs match tic_tac_toe random \"engine(command='adv-envs gtp tic_tac_toe')\"",
)


def player_of(spec: str, start: Position | None = None) -> agents.Agent:
    """The agent that a program plays with; for "strong" the one of this game, which has limits.

    CommandError for a person, who would need the input of the commands.
    """
    player = agents.make(spec)
    if isinstance(player, agents.Human):
        raise CommandError("an agent is needed: a person would need the input of the commands")
    if isinstance(player, agents.Strong) and start is not None:
        return player.agent(start)
    return player


def serve(server: GtpServer) -> None:
    """Answer the commands on standard input until one of them, or its end, ends the session."""
    if sys.stdin.isatty():
        err().print(f"{server.agent!r} waits for commands; list_commands lists them, quit ends.")
    while server.running and (line := sys.stdin.buffer.readline()):
        answer = server.answer(line.decode("utf-8", "replace"))
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()


def gtp(start: Position, agent: Name = "strong", seed: Seed = None) -> None:
    """Run an agent as a program that others control by the Go text protocol (GTP).

    It reads commands from standard input and writes answers to standard output: "= answer" or
    "? error message", then an empty line. Try: list_commands, play black b2, genmove white,
    showboard, undo, quit. Player 0, who is black in most games, moves first. In GoGui choose
    Program, New Program, and enter this command with the full path of adv-envs.
    """
    with command_errors():
        player = player_of(agent, start)
        server = GtpServer(player, start, seed)
    with thinking_for(player, 0.01, depth=1, nodes=1, simulations=1):  # compiles
        check_can_play(start, player, err())
    serve(server)


UCI_EXAMPLES = (
    'adv-envs uci chess "alpha_beta(seconds=5)"',
    "printf 'position startpos moves e2e4\\ngo movetime 1000\\n' | adv-envs uci chess",
)


def uci(start: Position, agent: Name = "strong", seed: Seed = None) -> None:
    """Run an agent as a program that others control by UCI, as programs that play chess are.

    It reads commands from standard input and writes answers to standard output. Try: uci,
    position startpos, d, go movetime 1000, go infinite, stop, quit. In a graphical board, such as
    Cute Chess or Arena, add an engine with this command and the full path of adv-envs.
    """
    lock = threading.Lock()
    output = sys.stdout.buffer

    def send(line: str) -> None:
        with lock:
            output.write(f"{line}\n".encode("utf-8", "replace"))
            output.flush()

    with command_errors():
        player = player_of(agent, start)
        server = UciServer(player, start, send, seed)
    if sys.stdin.isatty():
        err().print(f"{player!r} waits for commands; quit ends.")
    while server.running and (line := sys.stdin.buffer.readline()):
        server.receive(line.decode("utf-8", "replace"))
    server.wait()


def htp(agent: Spec = HTP_AGENT, size: Size = 11, swap: Swap = False, seed: Seed = None) -> None:
    """Run an agent as a Hex program that HexGui and other programs control.

    It speaks the Hex text protocol (HTP), a form of GTP: it reads commands from standard input and
    writes answers to standard output: "= answer" or "? error message", then an empty line. Try:
    list_commands, boardsize 7, play black d4, genmove white, showboard, undo, quit. Black begins
    and connects top and bottom; a1 is the top left cell.

    In HexGui choose Program, New Program, and enter this command with the full path of adv-envs.
    The menu Analyze then has the values of the moves, best play and a heat map.

    To play against another program: adv-envs match hex "engine(command='mohex')" random.
    """
    with command_errors():
        server = HtpServer(player_of(agent), size, swap, seed)
    serve(server)


# ---- books

BOOK_EXAMPLES = (
    "adv-envs book connect_four --plies 8 --out connect_four.book",
    "adv-envs book connect_four --plies 3 --height 4 --width 5 --out small.book",
)

SAVE_EVERY = 30.0
"""Seconds after which the book is saved again."""

Plies = Annotated[int, typer.Option(min=0, max=12, metavar="N", help="Plies of the openings.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The file to write.")]
Memory = Annotated[float, typer.Option(metavar="MB", help="Size of the solver's table.")]
Rebuild = Annotated[bool, typer.Option("--rebuild", help="Ignore what FILE holds already.")]


def book(
    start: Position,
    plies: Plies = 8,
    out_file: Out = None,
    table_mb: Memory = 1024,
    rebuild: Rebuild = False,
) -> None:
    """Make a book of openings: the exact value of every position of the first plies.

    Eight plies of Connect Four take hours. The book is saved every half a minute and on Ctrl-C; the
    same command continues it, and an unfinished book can be used: adv-envs solve connect_four
    --agent "perfect(book='FILE')"
    """
    make_writer = knowledge_of(start).book_writer
    if make_writer is None:
        known = [name for name in GAMES if knowledge_of_class(game(name)).book_writer]
        games = ", ".join(known) or "no game"
        raise CommandError(f"no book is made of {title(start)}, only of {games}")
    path = out_file or Path(f"{title(start).replace(', ', '_').replace('=', '')}.book")
    check_folder(path.parent)
    check_files(path)
    with command_errors():
        writer = make_writer(start, plies, path, table_mb, rebuild)
    saved = time.monotonic()
    try:
        what = f"solving positions of up to {plies} plies"
        with command_errors(), Bar(what, writer.total) as bar:
            for found in writer.fill():
                bar.update(found)
                if time.monotonic() - saved > SAVE_EVERY:
                    writer.save()
                    saved = time.monotonic()
    finally:
        content = writer.save()
    out().print(f"{path}: {content}", soft_wrap=True)
