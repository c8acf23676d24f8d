"""Tic-tac-toe as a game of UCI, for tests: imported, it gives the game a record of that."""

import dataclasses
import re

from adv_envs import IllegalMove, TicTacToe
from agents import knowledge_of, register_knowledge
from agents.dialects import UciGame


def variant(position: TicTacToe) -> str:
    """Returns its name; ValueError for other boards than 3 x 3."""
    if (position.height, position.width, position.k) != (3, 3, 3):
        raise ValueError("tic-tac-toe is a variant on 3 x 3 only")
    return "tictactoe"


def fen(position: TicTacToe) -> str:
    """Returns the rows, and who is to move: "1X1/3/3 b - - 0 1"."""
    rows = ("".join(row) for row in position.rows())
    board = "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in rows)
    return f"{board} {'wb'[position.to_move]} - - 0 {position.ply // 2 + 1}"


def from_fen(start: TicTacToe, text: str) -> TicTacToe:
    """Returns the position of a FEN."""
    if not re.fullmatch(r"[XO1-3]+/[XO1-3]+/[XO1-3]+ [wb] - - \d+ \d+", text):
        raise ValueError(f"{text!r} is not a position of tic-tac-toe")
    board, turn = text.split()[:2]
    rows = re.sub("[1-3]", lambda digit: "." * int(digit[0]), board).replace("/", "\n")
    return TicTacToe.from_text(rows, "wb".index(turn))


def action_of(position: TicTacToe, word: str) -> int:
    """Returns the action that is written @b2."""
    if not word.startswith("@"):
        raise IllegalMove(f"{word!r} is not a move; write @b2")
    return position.action(word[1:])


TICTACTOE = UciGame(
    variant=variant,
    fen=fen,
    from_fen=from_fen,
    move=lambda position, action: f"@{position.name(action)}",
    action=action_of,
    centipawns=10,
)

register_knowledge(TicTacToe, dataclasses.replace(knowledge_of(TicTacToe()), uci=TICTACTOE))
