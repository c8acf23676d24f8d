"""PGN as it is found in files: read here and by python-chess, each game by itself."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adv_envs import Chess, IllegalMove
from adv_envs.formats import game_texts, pgn

pytestmark = pytest.mark.plain

ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4"
QUIRKS = {
    "usual": ("1. e4 e5 2. Nf3 Nc6 3. Bc4 *", ITALIAN),
    "no spaces": ("1.e4 e5 2.Nf3 Nc6 3.Bc4 *", ITALIAN),
    "no dots": ("1 e4 e5 2 Nf3 Nc6 3 Bc4 *", ITALIAN),
    "no numbers, no result": ("e4 e5 Nf3 Nc6 Bc4", ITALIAN),
    "dots for Black": ("1. e4 1... e5 2.Nf3 2...Nc6 3. Bc4 *", ITALIAN),
    "spaces before dots": ("1 . e4 e5 2 . Nf3 Nc6 3 . Bc4 *", ITALIAN),
    "null move in a variation": ("1. e4 (1. -- e5 2. Z0) 1... e5 2. Nf3 Nc6 3. Bc4 *", ITALIAN),
    "anything in a variation": (
        "1. e4 ( \u2658f3 +- D $146 [%x] } Cf3 \u00b1 1-0 (1. d4 (1. c4 {:)} ) ) ; :)\n 9. Qxz9) "
        "e5 2. Nf3 Nc6 3. Bc4 *",
        ITALIAN,
    ),
    "comments with brackets": (
        '1. e4 {a ( b [Event "x"] } 1... e5 ; ) } {\n2. Nf3 {;} Nc6 {} 3. Bc4 *',
        ITALIAN,
    ),
    "escaped line": ("1. e4 e5\n% 2. d4 exd4 (\n2. Nf3 Nc6 3. Bc4 *", ITALIAN),
    "glyphs": ("1. e4!! e5?! 2. Nf3!? Nc6?? 3. Bc4! *", ITALIAN),
    "glyphs apart": ("1. e4 ! $1 e5 +- 2. Nf3 = Nc6 \u00b1 D 3. Bc4 \u221e N -+ *", ITALIAN),
    "glyphs joined": ("1. e4\u00b1 e5= 2. Nf3+- Nc6-+ 3. Bc4\u2213 *", ITALIAN),
    "long moves": ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4 *", ITALIAN),
    "moves of UCI": (f"{ITALIAN} *", ITALIAN),
    "reserved": ("1. e4 <diagram> e5 2. Nf3 Nc6 3. Bc4 *", ITALIAN),
    "carriage returns": ('[Event "x"]\r\n\r\n1. e4 e5\r\n2. Nf3 Nc6\r\n3. Bc4 *\r\n', ITALIAN),
    "byte-order mark": ('\ufeff[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *', ITALIAN),
    "two tags on a line": ('[Event "x"] [Site "y"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *', ITALIAN),
    "check signs": ("1. e4 f5 2. Qh5+! g6 3. Qxg6++ hxg6# *", "e2e4 f7f5 d1h5 g7g6 h5g6 h7g6"),
    "castling with zeros": (
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 d6 5. d3 Bg4 6. c3 Qd7 7. b4 0-0-0!? *",
        f"{ITALIAN} f8c5 e1g1 d7d6 d2d3 c8g4 c2c3 d8d7 b2b4 e8c8",
    ),
    "en passant": (
        "1. e4 a6 2. e5 d5 3. exd6 e.p. h6 4. a3 *",
        "e2e4 a7a6 e4e5 d7d5 e5d6 h7h6 a2a3",
    ),
    "en passant, joined": ("1. e4 a6 2. e5 d5 3. exd6e.p. *", "e2e4 a7a6 e4e5 d7d5 e5d6"),
    "en passant, short": ("1. e4 a6 2. e5 d5 3. exd6 ep *", "e2e4 a7a6 e4e5 d7d5 e5d6"),
    "figurines": ("1. e4 e5 2. \u2658f3 \u265ec6 3. \u2657c4 *", ITALIAN),
}
"""Texts of one game, and its moves."""

PROMOTIONS = ["e8=Q", "e8Q", "e8q", "e8=q", "e8(Q)", "e8/Q", "e7-e8=Q", "e7e8q", "e8=Q+", "e8q!?"]

OURS_ALONE = "anything in a variation", "figurines"
"""Texts that python-chess does not read as people do."""


def names(game: pgn.PgnGame) -> str:
    """The moves of a game as UCI writes them."""
    position, found = game.start, []
    for action in game.actions:
        found.append(position.name(action))
        position = position.play(action)
    return " ".join(found)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_quirks_are_read(quirk: str) -> None:
    text, moves = QUIRKS[quirk]
    (game,) = pgn.read(text)
    assert names(game) == moves
    after = f'{text}\n\n[Event "next"]\n\n1. d4 d5 1/2-1/2\n'
    assert [names(game) for game in pgn.read(after)] == [moves, "d2d4 d7d5"]


@pytest.mark.parametrize("quirk", [quirk for quirk in QUIRKS if quirk not in OURS_ALONE])
def test_python_chess_reads_the_same(quirk: str) -> None:
    library = pytest.importorskip("chess.pgn")
    text, moves = QUIRKS[quirk]
    game = library.read_game(io.StringIO(text))
    assert [move.uci() for move in game.mainline_moves()] == moves.split()


@pytest.mark.parametrize("text", PROMOTIONS)
def test_promotions_are_read(text: str) -> None:
    start = '[FEN "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"]\n\n'
    (game,) = pgn.read(f"{start}1. {text} Kf6 *")
    assert names(game) == "e7e8q g7f6"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1. e4 -- 2. d4 *", "'--' is a null move"),
        ("1. e4 Z0 *", "'Z0' is a null move"),
        ("1. e4 0000 *", "'0000' is a null move"),
        ("1. e4 e5\n2. Ke3 *", r"2\. Ke3 is not legal; legal: a2a3"),
        ("1. e4 e5 2. Nf6 *", r"2\. Nf6 is not legal"),
        ("1. e4 \u0421f6 *", "\u0421f6 is not legal"),
        ("1. e4 (e5", "a variation is not closed"),
        ("1. e4 {e5", "a comment is not closed"),
        ("1. e4 e5) 2. d4 *", "cannot read '\\)'"),
        ("1. e4 } e5 *", "cannot read '}'"),
        (
            "[White Ann]\n\n1. e4 *",
            r"cannot read '\[White Ann\]': a tag looks like \[White \"Ann\"\]",
        ),
        ('[FEN "8/8/8 w - - 0 1"]\n\n1. e4 *', "eight ranks"),
        ('[Variant "Atomic"]\n\n1. e4 *', "a game of atomic, and not of chess"),
        ("1. f3 e5 2. g4 Qh4# 3. a3 *", r"3\. a3 is not legal; the game is over"),
    ],
)
def test_a_game_that_cannot_be_read_is_its_own_error(text: str, wrong: str) -> None:
    good = '[Event "good"]\n\n1. d4 d5 *\n\n'
    tagged = text if text.startswith("[") else f'[Event "bad"]\n\n{text}'
    first, second, third = pgn.read_all(f"{good}{tagged}\n\n{good}")
    assert isinstance(first, pgn.PgnGame)
    assert isinstance(second, pgn.PgnError)
    assert isinstance(third, pgn.PgnGame)
    assert names(first) == names(third) == "d2d4 d7d5"
    assert str(second).startswith("game 2, line ")
    with pytest.raises(pgn.PgnError, match=wrong):
        raise second
    with pytest.raises(pgn.PgnError, match="game 1, line "):
        pgn.read(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[Event "a"]\n[Event "b"]\n\n1. e4 *', ["a:", "b:e2e4"]),
        ('[Event "a"]\n\n[Event "b"]\n\n1. e4 *', ["a:", "b:e2e4"]),
        ('[Event "a"]\n[White "x"]\n\n[Site "b"]\n1. e4', ["a:", ":e2e4"]),
        ('[Event "a"]\n\n*\n\n[Event "b"]\n1. e4\n[Event "c"]\n*', ["a:", "b:e2e4", "c:"]),
        ('[Event "a"]\n1. e4 1-0 1. d4 0-1', ["a:e2e4", ":d2d4"]),
        ("", []),
        ("\n\n{only words} ; and more\n", []),
    ],
)
def test_where_a_game_begins(text: str, expected: list[str]) -> None:
    found = [f"{game.tags.get('Event', '')}:{names(game)}" for game in pgn.read(text)]
    assert found == expected


def test_tags_and_results_as_they_are_found() -> None:
    text = (
        '[Event "A \\"B\\" \\\\ C"]\n[Site "say "hello""]\n[White "M\u00fcller"]\n'
        '[Result "0-1"]\n\n1. e4'
    )
    (game,) = pgn.read(text)
    assert game.tags["Event"] == 'A "B" \\ C'
    assert game.tags["Site"] == 'say "hello"'
    assert game.result == "0-1"
    results = [("1/2", "1/2-1/2"), ("\u00bd-\u00bd", "1/2-1/2"), ("*", "*"), ("1-0", "1-0")]
    for written, result in results:
        assert pgn.read(f"1. e4 {written}")[0].result == result
    for data in (text.encode(), text.encode("latin-1"), b"\xef\xbb\xbf" + text.encode()):
        assert pgn.read(pgn.decode(data))[0].tags["White"] == "M\u00fcller"


def test_a_game_that_goes_on_after_a_draw_is_read_to_its_end() -> None:
    dance = "Nf3 Nf6 Ng1 Ng8 "
    for times, draws in [(1, 0), (2, 0), (3, 1), (5, 2)]:
        (game,) = pgn.read(dance * times)
        assert (game.start, game.end.ply) == (Chess(draws=draws), 4 * times)
        read = game_texts.read_game(Chess(), f"1. {dance * times}")
        assert (read.start, read.actions) == (game.start, game.actions)
    (dead,) = pgn.read('[FEN "k7/8/8/8/8/8/8/K7 w - - 0 1"]\n\n1. Ka2 Ka7 1/2-1/2')
    assert dead.end.ply == 2
    (quiet,) = pgn.read('[FEN "7k/8/8/8/8/8/8/RK6 w - - 149 80"]\n\n80. Ra2 Kg7 81. Ra1 *')
    assert quiet.end.clock == 152
    assert pgn.read("1. e4 e5", "claimed")[0].start == Chess(draws="claimed")


# ---- SAN

MANY = [
    "8/7k/8/1Q6/1P1Q4/2p1p3/1P1N1N2/BN1QK1B1 w - - 0 1",
    "1b2k1b1/bbb5/n1n5/1p1p4/2P1P3/N1N1B3/1B1B4/4K2B b - - 0 1",
    "2n3k1/1P1P4/8/1N3N2/1b3b2/N1N5/1P1P1P2/RB2K2R w K - 0 1",
    "8/6k1/8/8/R2R4/8/3R4/KQ1Q3Q w - - 0 1",
]
"""Positions with several pieces of a kind, and pawns and bishops near the b-file."""


@settings(deadline=None, max_examples=60)
@given(fen=st.sampled_from([Chess().fen(), *MANY]), seed=st.integers(0, 2**32))
def test_games_are_read_as_they_were_written(fen: str, seed: int) -> None:
    start, rng = Chess.from_fen(fen), random.Random(seed)
    position, actions = start, list[int]()
    while not position.is_terminal() and len(actions) < 25:
        for action in position.legal_actions()[::7] if len(actions) < 5 else ():
            assert position.action(position.san(action)) == action
        actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    (game,) = pgn.read(pgn.write(start, actions))
    assert (game.start, list(game.actions)) == (start, actions)


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_what_is_exact_has_one_meaning(data: Any) -> None:
    """Texts of the form of SAN: read as python-chess does, or refused where it refuses."""
    chess = pytest.importorskip("chess")
    fen = data.draw(st.sampled_from(MANY))
    square = st.sampled_from([f + r for f in "abcdefgh" for r in "12345678"])
    text = (
        data.draw(st.sampled_from("KQRBN"))
        + data.draw(st.sampled_from(["", *"abcdefgh", *"12345678"]))
        + data.draw(st.sampled_from(["", "x"]))
        + data.draw(square)
    )
    try:
        expected = chess.Board(fen).parse_san(text).uci()
    except ValueError:
        expected = None
    position = Chess.from_fen(fen)
    if expected is None:
        with pytest.raises(IllegalMove):
            position.action(text)
    else:
        assert position.name(position.action(text)) == expected


@pytest.mark.parametrize("fen", MANY)
def test_exact_san_is_that_of_python_chess(fen: str) -> None:
    chess = pytest.importorskip("chess")
    position, board = Chess.from_fen(fen), chess.Board(fen)
    texts = {position.name(action): position.san(action) for action in position.legal_actions()}
    assert texts == {move.uci(): board.san(move) for move in board.legal_moves}
    for name, text in texts.items():
        assert position.name(position.action(text)) == name


def test_a_bishop_is_no_pawn_and_no_knight() -> None:
    both = Chess.from_fen("4k3/8/8/8/1B6/8/8/BN2K3 w - - 0 1")
    assert [both.name(both.action(move)) for move in ("B1c3", "b1c3", "Nc3", "B4c3")] == [
        *("a1c3", "b1c3", "b1c3", "b4c3")
    ]
    blocked = Chess.from_fen("4k3/p7/8/8/8/8/1P6/BN2K3 w - - 0 1")
    with pytest.raises(IllegalMove, match="'B1c3' is not a legal move"):
        blocked.action("B1c3")
    assert blocked.name(blocked.action("B1C3")) == "b1c3"  # UCI in upper case


@settings(deadline=None, max_examples=300)
@given(st.text("[]{}()%;$<>\"'\\ \n.*-+#=/xO01285KQRBNabcdefgh\u2658\u00bd\ufeff", max_size=120))
def test_any_text_is_games_or_errors(text: str) -> None:
    for game in pgn.read_all(text):
        if isinstance(game, pgn.PgnError):
            assert str(game).startswith("game ")
        else:
            game.start.after(game.actions).check()
