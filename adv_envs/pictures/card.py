"""The card that every picture lies on, and the card of a game that has no picture: its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from adv_envs.position import CHANCE, Position

from . import palette
from .shapes import Scene, Shape, Text

Box = tuple[float, float, float, float]  # left, top, right, bottom
Piece = Callable[[int, float, float, float], Sequence[Shape]]  # player, x, y, radius

MARGIN = 22
CAPTION = 15  # size of the line below a picture
MONO = 15  # size of a game's text


@singledispatch
def draw(position: Position, last: int | None = None) -> Scene:
    """The picture of a position; ``last`` is the action to mark as the latest move."""
    return text_card(position)


def text_card(position: Position) -> Scene:
    """The text of a position."""
    lines = [line.expandtabs() for line in str(position).splitlines()]
    step = 1.35 * MONO
    shapes = [
        Text(0, (i + 0.5) * step, line, MONO, palette.INK, "start", mono=True)
        for i, line in enumerate(lines)
    ]
    width = 0.6 * MONO * max(map(len, lines), default=0)
    return card(shapes, (0, 0, width, len(lines) * step), *outcome(position))


def card(
    shapes: Sequence[Shape],
    box: Box,
    caption: str,
    player: int | None = None,
    piece: Piece | None = None,
) -> Scene:
    """``shapes``, which fill ``box``, above a caption that may begin with a player's ``piece``."""
    left, top, right, bottom = box
    wanting = max(0, 180 - (right - left))  # what the caption needs of width
    left, right = left - wanting / 2, right + wanting / 2
    x, y = left, bottom + 14 + CAPTION / 2
    mark: Sequence[Shape] = ()
    if piece is not None and player is not None:
        mark = piece(player, x + 7, y, 7)
        x += 22
    text = Text(x, y, caption, CAPTION, palette.INK, "start")
    width, height = right - left + 2 * MARGIN, y - top + CAPTION / 2 + 2 * MARGIN - 4
    return Scene(
        left - MARGIN, top - MARGIN, round(width), round(height), caption, [*shapes, *mark, text]
    )


def outcome(position: Position) -> tuple[str, int | None]:
    """Who is to move or who won, in words, and the one player whose piece goes with them."""
    if not position.is_terminal():
        player = position.to_move
        return ("Chance moves", None) if player == CHANCE else (f"Player {player} to move", player)
    utilities = [position.utility(player) for player in range(position.num_players)]
    winners = [player for player, utility in enumerate(utilities) if utility == max(utilities)]
    if len(winners) == 1:
        return f"Player {winners[0]} wins", winners[0]
    if len(winners) == len(utilities):
        return "Draw", None
    return f"Players {', '.join(map(str, winners))} win", None


def between(low: float, length: float, high: float) -> float:
    """``length``, but at least ``low`` and at most ``high``."""
    return max(low, min(length, high))
