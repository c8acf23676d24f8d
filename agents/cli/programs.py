"""Implements the commands for other programs, books of openings, and training.

They are ``adv-envs gtp``, ``uci`` and ``htp``, ``book``, and ``train``.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Annotated, Any

import typer

import agents
from adv_envs.position import Position
from adv_envs.registry import GAMES, game, name_of, title
from agents.knowledge import knowledge_of, knowledge_of_class
from agents.protocols.agent_control import thinking_for
from agents.protocols.gtp import GtpServer
from agents.protocols.htp import HtpServer
from agents.protocols.uci import UciServer

from .console import (
    CommandError,
    Repeat,
    check_files,
    check_folder,
    command_errors,
    err,
    option,
    out,
    progress_bar,
)
from .matches import check_can_play

# ---- an agent as a program

HTP_EXAMPLES = (
    "adv-envs htp",
    'adv-envs htp --agent "alpha_beta(seconds=5, evaluate=hex.two_distance)"',
    "printf 'boardsize 5\\nplay black c3\\ngenmove white\\nshowboard\\n' | adv-envs htp",
)

HTP_AGENT = "alpha_beta(seconds=5, evaluate=hex.two_distance, order=hex.centre)"

AGENT = "The agent that plays; see: adv-envs agents."
SIZE = "Size of the board until boardsize is sent."
SWAP = "Whether the agent may answer swap-pieces."

Name = Annotated[str, typer.Argument(metavar="SPEC", help=AGENT)]

GTP_EXAMPLES = (
    'adv-envs gtp tic_tac_toe "alpha_beta()"',
    "printf 'play black b2\\ngenmove white\\nshowboard\\n' | adv-envs gtp tic_tac_toe",
    "adv-envs match tic_tac_toe random \"engine(command='adv-envs gtp tic_tac_toe')\"",
)


def player_of(spec: str, start: Position | None = None) -> agents.Agent:
    """Returns the agent that a program plays with; for "strong" that of the game, with limits.

    CommandError for a person, who would need the input of the commands.
    """
    player = agents.make(spec)
    if isinstance(player, agents.Human):
        raise CommandError("an agent is needed: a person would need the input of the commands")
    if isinstance(player, agents.StrongestAgent) and start is not None:
        return player.agent(start)
    return player


class _Output:
    """Returns what is standard output now; ``sys.stdout`` is another while an agent thinks."""

    def __init__(self) -> None:
        self._file, self._lock = sys.stdout.buffer, threading.Lock()

    def write(self, text: str) -> None:
        """Writes what a command, or the thread of a search, has to say."""
        with self._lock:
            self._file.write(text.encode("utf-8", "replace"))
            self._file.flush()


def _receive_all(server: GtpServer | UciServer, hint: str = "quit ends.") -> None:
    """Executes the lines of standard input until one of them, or its end, ends the session."""
    if sys.stdin.isatty():
        err().print(f"{server.agent!r} waits for commands; {hint}")
    output = _Output()
    while server.running and (line := sys.stdin.buffer.readline()):
        text = line.decode("utf-8", "replace")
        if isinstance(server, UciServer):
            server.receive(text)
        else:
            output.write(server.answer(text))


def gtp(start: Position, agent: Name = "strong", seed: Repeat = None) -> None:
    """Runs an agent as a program that others control by the Go text protocol (GTP).

    It reads commands from standard input and writes answers to standard output: "= answer" or
    "? error message", then an empty line. Try: list_commands, play black b2, genmove white,
    showboard, undo, quit. Player 0, who is black in most games, moves first. In GoGui choose
    Program, New Program, and enter this command with the full path of adv-envs.
    """
    with command_errors():
        player = player_of(agent, start)
        server = GtpServer(player, start, seed)
    with thinking_for(player, 0.01, depth=1, nodes=1, simulations=1):  # compiles
        check_can_play(start, player, err(), in_time=True)
    _receive_all(server, "list_commands lists them, quit ends.")


UCI_EXAMPLES = (
    'adv-envs uci chess "alpha_beta(seconds=5)"',
    "printf 'position startpos moves e2e4\\ngo movetime 1000\\n' | adv-envs uci chess",
)


def uci(start: Position, agent: Name = "strong", seed: Repeat = None) -> None:
    """Runs an agent as a program that others control by UCI, as programs that play chess are.

    It reads commands from standard input and writes answers to standard output. Try: uci,
    position startpos, d, go movetime 1000, go infinite, stop, quit. In a graphical board, such as
    Cute Chess or Arena, add an engine with this command and the full path of adv-envs.
    """
    output = _Output()
    with command_errors():
        player, usual = player_of(agent, start), None
        if agent == agents.StrongestAgent.name and isinstance(player, agents.SearchAgent):
            usual = player.limits().get("seconds")  # who controls it decides about the time
            player = player.limited(seconds=None) if usual else player
        server = UciServer(player, start, lambda line: output.write(f"{line}\n"), seed, usual)
    _receive_all(server)
    server.wait()


def htp(
    agent: Annotated[str, option(AGENT, "SPEC")] = HTP_AGENT,
    size: Annotated[int, option(SIZE, "N", min=2, max=19)] = 11,
    swap: Annotated[bool, option(SWAP, None, "--swap/--no-swap")] = False,
    seed: Repeat = None,
) -> None:
    """Runs an agent as a Hex program that HexGui and other programs control.

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
    _receive_all(server, "list_commands lists them, quit ends.")


# ---- books

BOOK_EXAMPLES = (
    "adv-envs book connect_four --plies 8 --out connect_four.book",
    "adv-envs book connect_four --plies 3 --height 4 --width 5 --out small.book",
)

SAVE_EVERY = 30.0
"""Seconds after which the book is saved again."""


def book(
    start: Position,
    plies: Annotated[int, option("Plies of the openings.", "N", min=0, max=12)] = 8,
    out_file: Annotated[Path | None, option("The file to write.", "FILE", "--out")] = None,
    table_mb: Annotated[float, option("Size of the solver's table.", "MB")] = 1024,
    rebuild: Annotated[bool, option("Ignore what FILE holds already.", None, "--rebuild")] = False,
) -> None:
    """Makes a book of openings: the exact value of every position of the first plies.

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
        with command_errors(), progress_bar(what, writer.total) as update:
            for found in writer.fill():
                update(found)
                if time.monotonic() - saved > SAVE_EVERY:
                    writer.save()
                    saved = time.monotonic()
    finally:
        content = writer.save()
    out().print(f"{path}: {content}", soft_wrap=True)


# ---- training

TRAIN_EXAMPLES = (
    "adv-envs train tic_tac_toe --minutes 2",
    "adv-envs train connect_four --minutes 10 --out runs/mine",
    "adv-envs train hex --size 5 --method alphazero --simulations 64 --iterations 200",
    "adv-envs train connect_four --set width=32 --set blocks=2 --minutes 5",
    "adv-envs match connect_four \"policy(path='runs/mine/policy.safetensors')\" random",
)

METHODS = "gumbel: few simulations are enough; alphazero: PUCT with noise, as published first."
FOLDER = "Folder of the run; runs/GAME_METHOD by default."
MINUTES = "Time to play and learn; 10 if nothing else is given."
WORKERS = "Processes for self-play; all cores but one by default."
SETTINGS = "Any other of the settings, see agents.learning.AlphaZeroSettings; may be repeated."
WEIGHTS = "Weights to begin with: a file, or a shipped name."
ADDRESS = 'Self-play on a Ray cluster; "local" begins one.'
TENSORBOARD = "Write grades and losses for TensorBoard as well."


def train(
    position: Position,
    method: Annotated[str, option(METHODS, "NAME")] = "gumbel",
    directory: Annotated[Path | None, option(FOLDER, "DIR", "--out")] = None,
    minutes: Annotated[float | None, option(MINUTES, "M", min=0)] = None,
    iterations: Annotated[int | None, option("End after as many.", "N", min=1)] = None,
    simulations: Annotated[
        int | None, option("Simulations of a search in self-play.", "N", min=1)
    ] = None,
    workers: Annotated[int | None, option(WORKERS, "N", min=0)] = None,
    settings: Annotated[list[str] | None, option(SETTINGS, "NAME=VALUE", "--set")] = None,
    grade_every: Annotated[int, option("Iterations between two grades.", "N", min=1)] = 20,
    seed: Annotated[int, option("Draws weights, games and batches.", "N", min=0)] = 0,
    begin_with: Annotated[str | None, option(WEIGHTS, "POLICY")] = None,
    ray: Annotated[str | None, option(ADDRESS, "ADDRESS", "--ray")] = None,
    tensorboard: Annotated[bool, option(TENSORBOARD, None, "--tensorboard")] = False,
) -> None:
    """Trains a policy by self-play: AlphaZero, graded by exact values while it learns.

    Where these are not known, on large boards, the points against searches are its grade.
    The folder gets the policy, which plays as policy(path='DIR/policy.safetensors'), a log, and the
    curve of its grades. The same command goes on where it was stopped, however that happened.
    """
    folder = directory or Path("runs") / f"{name_of(position)}_{method}"
    if minutes is None and iterations is None:
        minutes = 10.0
    with command_errors():
        from agents.learning import evaluation_or_points
        from agents.learning.alphazero import ActorError, AlphaZeroSettings, train_alphazero
        from agents.learning.alphazero.residual_network import require_device
    try:
        given = AlphaZeroSettings.parse(settings or [])
    except ValueError as error:
        raise CommandError(f"--set {error}") from None
    chosen: dict[str, Any] = {"workers": max(1, (os.cpu_count() or 2) - 1)}
    named = {"method": method, "seed": seed, "simulations": simulations, "workers": workers}
    chosen |= {name: value for name, value in named.items() if value is not None} | given
    try:
        suited = AlphaZeroSettings.suited(position, **chosen)
        require_device(suited.device)  # before positions are solved
        evaluation = evaluation_or_points(position)
        if evaluation.reason:
            out().print(f"Graded by points alone: {evaluation.reason}", style="yellow")
        path = train_alphazero(
            position,
            folder,
            suited,
            minutes=minutes,
            iterations=iterations,
            grade_every=grade_every,
            evaluation=evaluation,
            begin_with=begin_with,
            ray=ray,
            tensorboard=tensorboard,
        )
    except (ValueError, ImportError, ActorError) as error:
        raise CommandError(str(error)) from None
    out().print(f"The policy: policy(path='{path}')", soft_wrap=True)
    out().print(f"Its curve: {folder / 'curve.png'}", soft_wrap=True)
