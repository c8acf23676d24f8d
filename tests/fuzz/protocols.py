"""Sessions of GTP, HTP and UCI, and the command line: nothing may end them but their own end."""

from __future__ import annotations

import os
import random
import re
import threading
from typing import Any

from typer.testing import CliRunner

from adv_envs.registry import start_position
from agents.cli import app
from agents.protocols.gtp import GtpServer
from agents.protocols.htp import HtpServer
from agents.protocols.uci import UciServer
from agents.spec import make

from .files import folder
from .kinds import kind
from .mutations import mutated
from .texts import CORPUS

Session = tuple[str, ...]


def change_session(sample: Session, others: list[Session], rng: random.Random) -> Session:
    """Changes lines, leaves some out, and takes some from other sessions."""
    pool = [line for other in others for line in other]
    lines = [line for line in sample if rng.random() < 0.85]
    lines += rng.choices(pool, k=rng.randrange(6))
    return tuple(
        mutated(line, [rng.choice(pool)], rng).replace("\n", " ") if rng.random() < 0.5 else line
        for line in lines
    )


# ---- GTP and HTP

BOTH = (
    *("name", "protocol_version", "list_commands", "known_command play", "boardsize 5", "komi 7.5"),
    *("clear_board", "play b c3", "genmove w", "undo", "showboard", "all_legal_moves w"),
    *("reg_genmove b", "final_score", "time_settings 10 5 2", "time_left b 10 1", "time_left"),
    *("param_agent", "param_agent seed 3", "param_agent seed", "loadsgf game.sgf 3", "12 name # x"),
    *("play w pass", "play b pass", "quit", "gogui-analyze_commands", "list_games"),
)
GTP = {
    "go": ("set_game go size=5 komi=0.5", "fixed_handicap 2", "set_free_handicap a1 b2",
           "place_free_handicap 4", "final_status_list alive", "kgs-genmove_cleanup b"),
    "tic_tac_toe": ("set_game tic_tac_toe width=4 k=3", "play b a1", "boardsize 4 5"),
    "hex": ("set_game hex size=4 swap=True", "play b a1", "play w swap"),
    "othello": ("set_game Othello size=4", "play b d3"),
    "chess": ("play b e2e4", "set_game chess"),
    "checkers": ("set_game checkers", "genmove b"),
}  # fmt: skip
ANSWER = re.compile(r"([=?]\d*( .*)?(\n.+)*\n\n)?")


def answered(server: Any, lines: Session) -> None:
    """Asks a server, which must give one answer to each line."""
    for line in lines:
        answer = server.answer(line)
        assert ANSWER.fullmatch(answer) or not answer.isprintable(), answer
        answer.encode("utf-8", "replace")


def sgf_files() -> None:
    """Writes files that the sessions load; they run in their folder."""
    os.chdir(folder())
    for name, file in zip(("game.sgf", "a", "1"), CORPUS.values(), strict=False):
        (folder() / name).write_bytes(file.data)


def sessions_of_gtp() -> list[Session]:
    """Returns sessions, each with the name of its game first."""
    sgf_files()
    return [(name, *BOTH[5:12], *own, *BOTH) for name, own in GTP.items()]


def change_gtp(sample: Session, others: list[Session], rng: random.Random) -> Session:
    """Changes the lines, and keeps the game."""
    return sample[0], *change_session(sample[1:], [other[1:] for other in others], rng)


@kind(sessions_of_gtp, share=20, change=change_gtp)
def gtp(session: Session) -> None:
    """Plays a session; nothing is an error."""
    answered(GtpServer(make("random(seed=1)"), start_position(session[0])), session[1:])


def sessions_of_htp() -> list[Session]:
    """Returns sessions of HexGui."""
    sgf_files()
    own = ("play b a1", "play w swap-pieces", "play w swap-sides", "hexgui-analyze_commands")
    more = ("move_values w", "heat_map", "principal_variation b", "search_report", "value_board")
    return [(*BOTH[5:12], *own, *BOTH), (*own, *more, *BOTH)]


@kind(sessions_of_htp, share=10, change=change_session)
def htp(session: Session) -> None:
    """Plays a session; nothing is an error."""
    answered(HtpServer(make("mcts(simulations=2, seed=1)"), 3), session)


# ---- UCI


def sessions_of_uci() -> list[Session]:
    """Returns sessions of graphical boards."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    return [
        ("uci", "isready", "ucinewgame", "position startpos", "go depth 1", "stop", "d"),
        ("uci", "setoption name seed value 3", "position startpos moves e2e4 e7e5", "go nodes 5"),
        (f"position fen {fen}", "go movetime 1", "stop", "position startpos moves e2e4", "d"),
        ("go wtime 1000 btime 1000 winc 1 binc 1 movestogo 3", "go infinite", "stop"),
        ("go searchmoves e2e4", "stop", "go ponder wtime 100", "ponderhit", "stop", "quit"),
    ]


@kind(sessions_of_uci, share=8, change=change_session)
def uci(session: Session) -> None:
    """Plays a session; nothing is an error, in the thread of the search neither."""
    said, failed = list[str](), list[BaseException]()
    before = threading.excepthook
    threading.excepthook = lambda args: failed.append(args.exc_value or SystemExit())
    try:
        server = UciServer(make("random(seed=1)"), start_position("chess"), said.append)
        for line in session:
            server.receive(line)
        server.stop()
        server.wait()
    finally:
        threading.excepthook = before
    for error in failed:
        raise error
    assert not any("\n" in line for line in said)


# ---- the command line


def arguments() -> list[Session]:
    """Returns command lines that take some milliseconds, and write into this process's folder."""
    sgf_files()
    return [
        ("show", "tic_tac_toe", "b2", "a1", "--svg", "x.svg"),
        ("show", "hex", "--size", "5", "a1", "b2", "--json"),
        ("show", "go", "game.sgf", "pass"),
        ("show", "go", "--size", "5", "--komi", "0.5", "c3", "pass", "--sgf", "y.sgf"),
        ("show", "chess", "e4", "e5", "Nf3"),
        ("show", "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4"),
        ("show", "kuhn", "--view", "1", "0"),
        ("show", "connect_four", "4455", "--height", "4", "--png", "x.png"),
        ("tree", "tic_tac_toe", "--depth", "1"),
        ("agents", "mcts"),
        ("games", "--json"),
        ("analyse", "tic_tac_toe", "b2", "--agent", "greedy", "--no-values"),
        ("match", "tic_tac_toe", "random", "random(seed=2)", "--pairs", "1", "--json"),
    ]


def change_arguments(sample: Session, others: list[Session], rng: random.Random) -> Session:
    """Changes words of a command line, but neither the command nor to slow agents."""
    words = change_session(sample[1:], [other[1:] for other in others], rng)
    return sample[0], *(word for word in words if harmless(word))


def harmless(word: str) -> bool:
    """Whether a word makes nothing outside of the folder, starts nothing and takes no time."""
    return not re.search(r"engine|human|/[^ ]*\w/|\.\.|^/|\d{3}|strong|--(seconds|ray|help)", word)


@kind(arguments, share=4, change=change_arguments)
def command_lines(words: Session) -> None:
    """Runs a command in this process; errors are messages."""
    done = CliRunner().invoke(app, list(words), prog_name="adv-envs")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 2, 130)
