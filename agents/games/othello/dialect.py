"""How Othello programs write the game in GTP: GRhino, and others that play with Quarry.

Black begins; ``a1`` is the top left cell. A player who cannot move passes without a word: programs
do it by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adv_envs import Othello
from agents.dialects import GtpGame

SET_UP = "grhino-setup_board"
"""The command of GRhino that sets up a board: its discs row by row, and who is to move."""


def settings(position: Othello) -> Sequence[str]:
    """Returns the command for the size of the board."""
    return [f"boardsize {position.size}"]


def vertex(position: Othello, action: int) -> str:
    """Returns the name of the cell; nothing for a pass."""
    return position.name(action) if action < position.size**2 else ""


def set_up(position: Othello, known: Collection[str]) -> Sequence[str] | None:
    """Returns the command of GRhino; None for programs that do not know it."""
    if SET_UP not in known:
        return None
    board = "".join(cell for row in position.rows() for cell in row)
    return [f"{SET_UP} {board} {position.symbols[position.to_move]}"]


def turned(position: Othello, player: int) -> Othello:
    """Returns the position after a pass that is not told; ValueError if the rules allow none."""
    must_pass = position.size**2
    if not position.legal(must_pass):
        raise ValueError("only a player who has no other move passes")
    return position.play(must_pass)


def score(position: Othello) -> str:
    """Returns who has won, and by how many discs: "B+4", "W+10" or "0"."""
    more = position.stones(0).bit_count() - position.stones(1).bit_count()
    return "0" if more == 0 else f"B+{more}" if more > 0 else f"W+{-more}"


GTP = GtpGame(
    name="Othello", settings=settings, vertex=vertex, set_up=set_up, turned=turned, score=score
)
"""Othello in GTP."""
