"""Tests how replies of language models are read: a law over all games, and cases by hand."""

import pytest
from samples import SAMPLES

from adv_envs import Backgammon, Chess, ConnectFour, Hex, Kuhn, LiarsDice, Position, TicTacToe
from adv_envs.testing import check_reading
from adv_envs.text import read_reply

pytestmark = pytest.mark.plain

SMALL = [start for samples in SAMPLES.values() for start in samples.small]
STARTS = [start for start in SMALL if not start.is_terminal()]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: repr(start)[:60])
def test_moves_are_found_and_nothing_else_is(start: Position) -> None:
    check_reading(start, replies=150, seed=7)


CHESS = Chess()
FOUR = ConnectFour()
DICE = Backgammon().after("31")
BET = Kuhn().after("J Q bet")
BIDS = LiarsDice().after("3 4 1-6")
LEGAL = [
    (CHESS, "e4", "e2e4"),
    (CHESS, "E2E4", "e2e4"),
    (CHESS, "1. e4", "e2e4"),
    (CHESS, "e2\u2013e4", "e2e4"),
    (CHESS, "from e2 to e4", "e2e4"),
    (CHESS, "\uff45\uff14", "e2e4"),
    (CHESS, "My move is Nf3!", "g1f3"),
    (CHESS, "After some thought, Nf3 looks best.", "g1f3"),
    (CHESS, '{"move": {"from": "e2", "to": "e4"}}', "e2e4"),
    (CHESS, "Final answer:\n\n**e4**\nIt is open.\n\nGood luck with d4!", "e2e4"),
    (CHESS, "Final answer: **e4** (not **d4**)", "e2e4"),
    (CHESS, "Final answer: e4\n\nIf you reply e5, I play Nf3 next.", "e2e4"),
    (CHESS, "\uff1a e2e4", "e2e4"),
    (CHESS, "My move: e4\n\nYou may reply with c7c5.", "e2e4"),
    (CHESS, "<think>Final answer: e4</think>My move: d4", "d2d4"),
    (CHESS.after("e4 e5 Nf3 Nc6 Bc4 Bc5"), "0-0", "e1g1"),
    (CHESS.after("e4 e5 Nf3 Nc6 Bc4 Bc5"), "O\u2013O", "e1g1"),
    (CHESS.after("b3 b6 Nc3 a6 e3 a5 a3 a4"), "B1-c1", None),
    (FOUR, "column 4", "4"),
    (FOUR, "Final answer: 4. It blocks.", "4"),
    (FOUR, "I drop in column 4 to block.", "4"),
    (FOUR, '{"action": 3}', "3"),
    (DICE, "8-5", "8/5"),
    (DICE, "8/5*", "8/5"),
    (BET, "I'll call.", "bet"),
    (BET, "Fold", "pass"),
    (BIDS, "I bid 2-3", "2-3"),
    (BIDS, "liar!", "liar"),
]


@pytest.mark.parametrize(("position", "reply", "name"), LEGAL)
def test_moves_in_other_words(position: Position, reply: str, name: str | None) -> None:
    reading = read_reply(position, reply)
    found = None if reading.action is None else position.name(reading.action)
    assert found == name, reading


ILLEGAL = [
    (CHESS, "e5"),
    (CHESS, "0-0"),
    (CHESS, "Final answer: knight to f3"),
    (CHESS, "Final answer: I resign"),
    (CHESS, '{"move": "resign"}'),
    (CHESS, "I play e5."),
    (FOUR, "9"),
    (FOUR, "d5"),
    (FOUR, "Answer: 0"),
    (TicTacToe().after("b2"), "**b2**"),
    (BET, "check"),
    (BET, "hello"),
]


@pytest.mark.parametrize(("position", "reply"), ILLEGAL)
def test_answers_that_are_no_legal_move(position: Position, reply: str) -> None:
    assert read_reply(position, reply).outcome == "illegal"


UNREADABLE = [
    (CHESS, "hello"),
    (FOUR, "Sorry"),
    (BET, "..."),
    (BET, "\u200b?"),
    (CHESS, ""),
    (CHESS, "I resign."),
    (CHESS, "knight to f3"),
    (CHESS, "I move my knight to f3"),
    (CHESS, "I won't play e2e4"),
    (CHESS, "If I play e4, you take it."),
    (CHESS, "I could play e4 or d4."),
    (CHESS, "Final answer: e4, d4"),
    (CHESS, "1. e4 e5 2. Nf3"),
    (CHESS, "- e4\n- d4"),
    (CHESS, "Final answer:\n1. e4\n2. d4"),
    (CHESS, "Answer: e4? No, d4."),
    (CHESS, "Final answer: not e4"),
    (CHESS, "My opponent's move: e4"),
    (CHESS, "I'll play e4, then d4."),
    (CHESS, "<think>e4, and no end"),
    (FOUR, "1. 4"),
    (FOUR, "There are **4** stones."),
    (FOUR, "I have 3 in a row."),
    (DICE, "8/5 6/5"),
    (DICE, "Final answer: 8/5, 6/5"),
    (Hex(5), "a1 or b2"),
]


@pytest.mark.parametrize(("position", "reply"), UNREADABLE)
def test_replies_without_an_answer_or_with_several(position: Position, reply: str) -> None:
    assert read_reply(position, reply).outcome == "unreadable"


def test_what_is_exact_keeps_its_meaning() -> None:
    knights = Chess.from_fen("4k3/8/8/8/8/8/8/1N1BK3 w - - 0 1")
    assert read_reply(knights, "b1c3").outcome == "legal"
    assert read_reply(knights, "B1c3").outcome == "illegal"  # a bishop, which cannot go there
    assert read_reply(knights, "My move is **B1c2**").action == knights.action("d1c2")


def test_there_is_a_reply_only_where_a_player_chooses() -> None:
    with pytest.raises(ValueError, match="chance is to move"):
        read_reply(Backgammon(), "31")
    with pytest.raises(ValueError, match="the game is over"):
        read_reply(TicTacToe().after("a1 b1 a2 b2 a3"), "c3")
    with pytest.raises(TypeError, match="a reply is text"):
        read_reply(CHESS, 5)  # type: ignore[arg-type]


def test_long_replies_are_read_in_time() -> None:
    for part in ("{", "[", "**", "<answer>", "\\boxed{", "I play ", "# ", "e4 ", "> * "):
        assert read_reply(CHESS, part * 5_000 + "\n\nFinal answer: e4").action is not None
