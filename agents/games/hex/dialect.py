"""How Hex programs write the game: the Hex text protocol (HTP), which is GTP with these words.

Black begins and joins top and bottom; ``a1`` is the top left cell. A position does not know the
order of its stones, and in Hex it makes no difference: stones are sent in turn, row by row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

from adv_envs import Hex
from adv_envs.formats.hex_setup import COLOURS, stones, turned
from agents.dialects import GtpGame

SWAPS = "swap", "swap-pieces", "swap-sides"


def settings(position: Hex) -> Sequence[str]:
    """Returns the command for the size of the board."""
    return [f"boardsize {position.size} {position.size}"]


def vertex(position: Hex, action: int) -> str | None:
    """Returns the name of the cell; None for the swap, after which programs' boards differ."""
    return position.name(action) if action < position.num_stone_actions else None


def action_of(position: Hex, word: str) -> int:
    """Returns the action; every word for the swap means the same."""
    if word in SWAPS and position.swap and position.ply == 1:
        return position.num_stone_actions
    return position.action(word)


def set_up(position: Hex, known: Collection[str]) -> Sequence[str]:
    """Returns a command for each stone, black and white in turn as long as there are both."""
    both = [stones(position, player) for player in (0, 1)]
    return [
        f"play {COLOURS[player]} {position.cell_name(*cell)}"
        for pair in zip_longest(*both)
        for player, cell in enumerate(pair)
        if cell is not None
    ]


def start_of_size(start: Hex, width: int, height: int) -> Hex:
    """Returns the start on another board; ValueError unless it is a rhombus of 2 to 19 cells."""
    if width != height or not 2 <= width <= 19:
        raise ValueError("boards here are 2 x 2 to 19 x 19")
    return Hex(width, start.swap)


def moves_left(position: Hex) -> float:
    """Returns a quarter of the empty cells: a game usually ends with half of the board empty."""
    placed = position.stones(0).bit_count() + position.stones(1).bit_count()
    return (position.size**2 - placed) / 4


HTP = GtpGame(
    name="Hex",
    colours=COLOURS,
    settings=settings,
    vertex=vertex,
    action=action_of,
    set_up=set_up,
    resized=start_of_size,
    turned=turned,
    moves_left=moves_left,
    board=lambda position: str(position).translate(str.maketrans("XO", "BW")),
)
"""Hex in GTP. HexGui, MoHex and other programs of Benzene, and KataHex speak it."""
