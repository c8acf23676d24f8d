"""Games of tournaments as PGN and SGF: written, read back, and refused where they are wrong."""

import io
import random

import pytest

from adv_envs import Chess, ConnectFour, Hex, Pig, TicTacToe
from adv_envs.formats import pgn, sgf
from agents.arena.game_files import read_pgn, save_sgf, write_pgn, write_sgf
from agents.arena.game_record import GameRecord

pytestmark = pytest.mark.plain


def played(start, number, seed, **changes):
    """A random game of odd agents, from an opening of two plies."""
    rng, position, actions = random.Random(seed), start, []
    while not position.is_terminal():
        actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    utility = position.utility(0)
    result = {
        "number": number,
        "players": ('policy(path="a\\b.npz")', "mcts(simulations=100, evaluate=hex.two_distance)"),
        "opening": tuple(actions[:2]),
        "actions": tuple(actions[2:]),
        "points": ((utility + 1) / 2, (1 - utility) / 2),
        "seconds": (0.1 + number, 1e-5),
    }
    return GameRecord(**(result | changes))


ENDING = Chess.from_fen("8/8/8/1k6/8/8/3q4/K1R5 b - - 95 70")


@pytest.mark.parametrize(
    "start", [TicTacToe(), ConnectFour(), Hex(4), Hex(3, swap=True), Pig(20), Chess(), ENDING]
)
def test_what_is_written_is_read(start):
    records = [played(start, number, number) for number in range(6)]
    cut = records[3].actions[:1]
    records[3] = played(
        start,
        3,
        3,
        actions=cut,
        points=(0.0, 1.0),
        reason='player 0 failed: ValueError: "no"\nmore',
        loser=0,
        fault="crash",
    )
    found = read_pgn(write_pgn(start, records, "a test"), start)
    assert found[:3] + found[4:] == records[:3] + records[4:]
    assert found[3].reason == 'player 0 failed: ValueError: "no" more'  # a tag is one line
    assert (found[3].loser, found[3].fault, found[3].actions) == (0, "crash", cut)
    assert read_pgn("", start) == []


def test_the_text_is_what_rating_tools_expect():
    start = ConnectFour()
    record = GameRecord(
        1, ("mcts(simulations=100)", "random"), (3, 3), (2, 4, 1, 0, 0), (1.0, 0.0), (0.25, 0.002)
    )
    assert write_pgn(start, [record], "ladder") == (
        '[Event "ladder"]\n[Site "adv-envs"]\n[Date "????.??.??"]\n[Round "1.2"]\n'
        '[White "mcts(simulations=100)"]\n[Black "random"]\n[Result "1-0"]\n[Number "1"]\n'
        '[OpeningPlies "2"]\n[WhiteSeconds "0.25"]\n[BlackSeconds "0.002"]\n'
        '[Start "ConnectFour(height=6, width=7, k=4, own=0, opp=0, ply=0)"]\n'
        "\n1. 4 4 2. 3 5 3. 2 1 4. 1 1-0\n"
    )


@pytest.mark.parametrize("start", [Chess(), ENDING, Chess(draws="claimed")])
def test_games_of_chess_are_read_by_chess_programs(start):
    library = pytest.importorskip("chess.pgn")
    records = [played(start, number, number) for number in range(3)]
    records.append(played(start, 3, 3, actions=(), points=(0.0, 1.0), loser=0, fault="time"))
    file = io.StringIO(write_pgn(start, records, "a test"))
    for record in records:
        game = library.read_game(file)
        assert game.errors == []
        assert list(game.headers)[:7] == [*pgn.ROSTER]
        assert game.headers["Event"] == "a test"
        assert "Start" not in game.headers
        assert ("FEN" in game.headers) == ("SetUp" in game.headers) == (start is ENDING)
        assert game.headers.get("Termination") == ("time forfeit" if record.fault else None)
        names, position = [], start
        for action in (*record.opening, *record.actions):
            names.append(position.name(action))
            position = position.play(action)
        assert [move.uci() for move in game.mainline_moves()] == names
    assert library.read_game(file) is None


def torn(old, new):
    return write_pgn(TicTacToe(), [played(TicTacToe(), n, n) for n in (0, 1)]).replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[Black "', "[Black ", "line 6 is no tag: .* look like"),
        ("[Event", "1. a1\n[Event", "line 1 comes before any tag"),
        ('[Number "0"]\n', "", "game 1 has no tag 'Number'"),
        ("TicTacToe(height=3", "TicTacToe(height=4", r"game 1: it began with TicTacToe\(height=4"),
        ("1. ", "1. z9 ", "game 1: move 1, 'z9', is not legal"),
        ('[Result "', '[Result "*', "game 1: the result is '\\*"),
        ('[OpeningPlies "2"]', '[OpeningPlies "99"]', "game 1: the opening has 99 plies"),
        ('[Number "0"]', '[Number "x"]', "game 1: invalid literal"),
    ],
)
def test_torn_text_is_refused(old, new, message):
    with pytest.raises(ValueError, match=message):
        read_pgn(torn(old, new), TicTacToe())


def test_a_game_without_a_result_is_refused():
    with pytest.raises(ValueError, match=r"game 4: \(1.0, 1.0\) is not the result of a game"):
        write_pgn(TicTacToe(), [played(TicTacToe(), 4, 1, points=(1.0, 1.0))])


def test_games_of_hex_as_sgf(tmp_path):
    start = Hex(4)
    records = [played(start, number, number) for number in range(3)]
    records[2] = played(
        start,
        2,
        2,
        actions=(),
        points=(0.0, 1.0),
        reason="player 0 exceeded its time",
        loser=0,
        fault="time",
    )
    paths = save_sgf(tmp_path / "games", start, records, "a test")
    assert [path.name for path in paths] == ["000001.sgf", "000002.sgf", "000003.sgf"]
    for path, record in zip(paths, records, strict=True):
        found = sgf.load(path)
        assert tuple(found.actions) == record.opening + record.actions
    text = write_sgf(start, records[2])
    assert "RE[W+Time]" in text
    assert "player 0 exceeded its time" in text
    assert r"PB[policy(path=\"a\\b.npz\")]" in text.replace('"', r"\"")
    with pytest.raises(ValueError, match="games of TicTacToe cannot be written as SGF"):
        save_sgf(tmp_path / "none", TicTacToe(), [played(TicTacToe(), 0, 0)])
    assert not (tmp_path / "none").exists()
