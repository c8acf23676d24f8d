"""Matches with programs of others: GNU Go, GRhino, Stockfish, Fairy-Stockfish, where there are any.

Every move goes through both programs, so that each is a judge of the other's rules.
"""

import os
import random
import shutil
import sys

import pytest
import twogtp

from adv_envs import start_position
from agents import make, match

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
