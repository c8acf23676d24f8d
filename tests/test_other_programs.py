"""Matches with programs of others: GNU Go, GRhino, Stockfish, Fairy-Stockfish, where there are any.

Every move goes through both programs, so that each is a judge of the other's rules.
"""

import os
import random
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import twogtp

from adv_envs import start_position
from adv_envs.formats import sgf
from agents import make, match
from agents.protocols.gtp import GtpServer

pytestmark = pytest.mark.plain

US = f"{sys.executable} -m adv_envs"

GNU_GO = (
    "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"
    " --never-resign"
)

GAMES_FOLDER = "/usr/games"
"""Where Debian has programs that play, which is not always in PATH."""


def found(command: str) -> str:
    """The command with the path of its program; the test is skipped if there is none."""
    name, _, arguments = command.partition(" ")
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}{os.pathsep}{GAMES_FOLDER}")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return f"{path} {arguments}".strip()


@pytest.fixture
def seed() -> int:
    """Another one in every run, shown where a test fails."""
    number = random.randrange(10**9)
    print(f"seed {number}")
    return number


# ---- other programs as agents


@pytest.mark.parametrize(
    ("name", "parameters", "command", "options", "plies"),
    [
        ("go", {"size": 5, "komi": 5.5}, GNU_GO, {}, 6),
        ("othello", {}, "gtp-rhino --level=1", {}, 11),
        ("chess", {}, "stockfish", {"protocol": "uci", "go": "depth 1"}, 9),
        ("chess", {}, "fairy-stockfish", {"protocol": "uci", "options": "Skill Level=-20"}, 4),
        ("breakthrough", {}, "fairy-stockfish", {"protocol": "uci", "go": "nodes 100"}, 9),
    ],
)
def test_they_play_our_games(
    name: str,
    parameters: dict[str, float],
    command: str,
    options: dict[str, str],
    plies: int,
    seed: int,
) -> None:
    start = start_position(name, **parameters)
    given = {"command": found(command), "seconds": 0.01, **options}
    engine = make(f"engine({', '.join(f'{k}={v!r}' for k, v in given.items())})")
    result = match(start, engine, "random", pairs=2, plies=plies, seed=seed)
    assert [game.reason for game in result.games] == [""] * 4
    engine.close()  # type: ignore[attr-defined]


# ---- our agents as programs


@pytest.mark.parametrize("ours_first", [True, False])
@pytest.mark.parametrize(
    ("ours", "theirs", "settings", "untold"),
    [
        (
            f"{US} gtp go random --size 5",
            GNU_GO,
            ["boardsize 5", "clear_board", "komi 5.5"],
            "",
        ),
        (f"{US} gtp othello random", "gtp-rhino --level=1", ["boardsize 8"], "pass"),
    ],
    ids=["go", "othello"],
)
def test_they_play_us_under_a_referee(
    ours: str, theirs: str, settings: list[str], untold: str, ours_first: bool
) -> None:
    both = [ours, found(theirs)] if ours_first else [found(theirs), ours]
    moves, results = twogtp.play(*both, *settings, untold=untold)
    assert len(moves) > 4
    if "othello" in ours:
        assert results[0][0] == results[1][0]


@pytest.fixture
def gnu_go() -> Iterator[twogtp.Player]:
    """GNU Go, at the other end of two pipes."""
    player = twogtp.Player(found(GNU_GO))
    yield player
    player.close()


def ours(size: int) -> Callable[[str], str]:
    """Our program of Go: a function from a command to its answer, which must be good."""
    server = GtpServer(make("random"), start_position("go", size=size), 1)

    def ask(command: str) -> str:
        answer = server.answer(command)
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()

    return ask


def stones_of(board: str) -> list[str]:
    """What stands on the cells of a board that showboard prints, row by row."""
    rows = (re.fullmatch(r" *[0-9]+((?: [.+XO])+).*", line) for line in board.split("\n"))
    found = [row[1].replace("+", ".") for row in rows if row]
    assert found, board
    return found


def test_handicaps_are_those_of_gnu_go(gnu_go: twogtp.Player) -> None:
    for size in (7, 9, 13, 19):
        for stones in range(2, 10):
            ask = ours(size)
            for command in (f"boardsize {size}", "clear_board"):
                gnu_go.send(command)
            if size > 7 or stones <= 4:
                theirs = gnu_go.send(f"fixed_handicap {stones}").lower().split()
                assert sorted(ask(f"fixed_handicap {stones}").split()) == sorted(theirs)
                assert stones_of(ask("showboard")) == stones_of(gnu_go.send("showboard"))


def test_games_are_loaded_as_gnu_go_loads_them(gnu_go: twogtp.Player, tmp_path: Path) -> None:
    start, rng = start_position("go", size=7), random.Random(4)
    position, moves = start, list[int]()
    while len(moves) < 60 and not position.is_terminal():
        moves.append(rng.choice(position.legal_actions()))
        position = position.play(moves[-1])
    path = tmp_path / "game.sgf"
    sgf.save(path, start, moves)
    for move in ("", "1", "2", "17", "40"):
        ask = ours(7)
        ask(f"loadsgf {path} {move}")
        gnu_go.send(f"loadsgf {path} {move}")
        assert stones_of(ask("showboard")) == stones_of(gnu_go.send("showboard"))


def test_the_end_of_a_game_is_scored_as_gnu_go_scores_it(gnu_go: twogtp.Player) -> None:
    """With everything dead captured, all groups are alive for both."""
    ask = ours(5)
    for command in ("boardsize 5", "komi 2.5", "clear_board"):
        ask(command)
        gnu_go.send(command)
    moves = "c3 b3 c4 b4 c2 b2 c1 b1 c5 b5 d3 a4 pass a2 e4 pass pass"
    for number, move in enumerate(moves.split()):
        for send in (ask, gnu_go.send):
            send(f"play {'bw'[number % 2]} {move}")
    assert ask("final_score") == gnu_go.send("final_score") == "B+2.5"
    listed = [send("final_status_list alive") for send in (ask, gnu_go.send)]
    groups = [{frozenset(line.lower().split()) for line in each.split("\n")} for each in listed]
    assert set().union(*groups[0]) == set().union(*groups[1])
    assert ask("final_status_list dead") == gnu_go.send("final_status_list dead") == ""


def test_a_game_of_chess_under_python_chess(seed: int) -> None:
    chess = pytest.importorskip("chess")
    from chess import engine as protocol

    rng, board = random.Random(seed), chess.Board()
    ours = [*US.split(), "uci", "chess", "greedy(evaluate=chess.material)"]
    with (
        protocol.SimpleEngine.popen_uci(ours, timeout=60) as us,
        protocol.SimpleEngine.popen_uci(found("stockfish"), timeout=60) as them,
    ):
        assert us.id["name"].startswith("adv-envs greedy")
        for _ in range(rng.randrange(8)):
            board.push(rng.choice(list(board.legal_moves)))
        players = [us, them] if rng.random() < 0.5 else [them, us]
        while not board.is_game_over(claim_draw=True):
            played = players[board.turn].play(board, protocol.Limit(nodes=50))
            assert played.move in board.legal_moves
            board.push(played.move)


def test_python_chess_hears_what_a_search_finds() -> None:
    chess = pytest.importorskip("chess")
    from chess import engine as protocol

    ours = [*US.split(), "uci", "chess", "alpha_beta(evaluate=chess.material)"]
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    with protocol.SimpleEngine.popen_uci(ours, timeout=60) as us:
        us.configure({"depth": "3"})
        info = us.analyse(mate, protocol.Limit(depth=2))
        assert info["score"].white() == protocol.Mate(1)
        assert info["pv"] == [chess.Move.from_uci("a1a8")]
        with us.analysis(chess.Board()) as analysis:  # until it is stopped
            assert analysis.get()["depth"] == 1
        assert us.play(mate, protocol.Limit(time=0.5)).move == chess.Move.from_uci("a1a8")
