"""Draws a table of hold'em: the players around it, their cards and chips, the board and the pot.

Player 0 sits below, and the others follow clockwise. The top left of the felt is (0, 0); what may
be done next stands below the table, each action in a box of its own.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

from adv_envs.games.holdem import Holdem

from . import palette
from .cards import RATIO, card_fan, dealer_button, playing_card_shapes
from .picture import Miniature, Picture, Place, boxes, card, outcome, register_picture
from .shapes import Circle, Drawing, Rect, Shape, Text

MOST_BOXES, GAP = 5, 8
"""How many of the next actions have boxes, below the table, and what is between them. Where there
may be more, none has."""
SMALL = 15
"""The width of a card of a miniature."""
LABEL = 20
"""The height of a label."""


class TableSize(NamedTuple):
    """Describes how large a table and its cards are."""

    width: float
    height: float
    card: float
    board: float

    @property
    def box(self) -> float:
        """Returns the size of a box: all together are as wide as the table."""
        return (self.width - (MOST_BOXES - 1) * GAP) / MOST_BOXES

    def seat(self, player: int, players: int) -> tuple[float, float]:
        """Returns the middle of a player's cards."""
        angle = 2 * pi * player / players
        wide, high = self.width / 2 - 54, self.height / 2 - 52
        return self.width / 2 - wide * sin(angle), self.height / 2 + high * cos(angle) - 6


def table_for(players: int) -> TableSize:
    """Returns the table for a number of players."""
    if players <= 2:
        return TableSize(370, 290, 38, 38)
    return TableSize(600, 370, 34, 36) if players <= 6 else TableSize(640, 440, 30, 38)


def draw_holdem(position: Holdem, last: int | None = None) -> Drawing:
    """Returns the table, with the latest card or action in a frame unless ``last`` is None."""
    table = table_for(position.players)
    place, actor = latest(position) if last is not None else (None, None)
    shapes: list[Shape] = [
        Rect(
            0, 0, table.width, table.height, 0.4 * table.height, palette.FELT, palette.FELT_LINE, 5
        )
    ]
    shapes += draw_board(position, table, place)
    for player in range(position.players):
        shapes += draw_player(position, table, player, place, player == actor)
    for spot in holdem_places(position).values():
        shapes.append(spot.outline(0, palette.CELL, palette.GRID, 1))
        shapes.append(Text(spot.x, spot.y, spot.name, 0.18 * table.box, palette.INK))
    bottom = table.height + (12 + 0.6 * table.box if position.num_moves <= MOST_BOXES else 0)
    return card(shapes, (0, 0, table.width, bottom), outcome(position)[0])


def latest(position: Holdem) -> tuple[int | None, int | None]:
    """Returns which card was dealt in the last ply, or else who acted; None for what was not."""
    taken = position.turns_taken()[-1]
    if not taken or position.num_board in (1, 2):
        return position.dealt - 1, None
    return None, taken[-1][0]


def draw_board(position: Holdem, table: TableSize, new: int | None) -> list[Shape]:
    """Draws the cards of all, the newest framed, and the pot below them."""
    x, y = table.width / 2, table.height / 2 - 8
    words = position.board_words()
    framed = words[-1:] if new is not None and new >= 2 * position.players else ()
    shapes = card_fan(x, y, table.board, words + [""] * (5 - len(words)), framed=framed)
    below = y + RATIO * table.board / 2 + 16
    return [*shapes, *chips_on_felt(x - 26, below, position.pot(), "pot ")]


def chips_on_felt(x: float, y: float, number: int, word: str = "") -> list[Shape]:
    """Returns a chip from x on, and how many there are."""
    return [
        Circle(x, y, 7, palette.YELLOW, palette.YELLOW_RIM, 1.5),
        Circle(x, y, 3.5, None, palette.YELLOW_RIM, 1.2),
        Text(x + 11, y, f"{word}{number}", 14, palette.ON_FELT, "start"),
    ]


def draw_player(
    position: Holdem, table: TableSize, player: int, new: int | None, acted: bool
) -> list[Shape]:
    """Draws a player's cards, name and chips; at the end what was won."""
    x, y = table.seat(player, position.players)
    words = position.card_words(player)
    shapes: list[Shape] = []
    for number, word in enumerate(words + [""] * (2 - len(words))):
        middle = x + (number - 0.5) * 1.1 * table.card
        framed = new is not None and new == player + number * position.players
        shapes += playing_card_shapes(
            middle, y, table.card, word, framed=framed, pale=position.has_folded(player)
        )
    shapes += player_label(position, x, y + RATIO * table.card / 2 + 4 + LABEL / 2, player, acted)
    side = 1 if x < table.width / 2 + 1 else -1  # where there is room, to the middle
    if position.chips(player) > 0:
        wide = 0 if side > 0 else 8 * len(str(position.chips(player))) + 8
        shapes += chips_on_felt(
            x + side * (1.1 * table.card + 11) - wide, y + 8, position.chips(player)
        )
    if player == button_of(position):
        shapes += dealer_button(x + side * (1.1 * table.card + 13), y - 15, 9)
    return shapes


def button_of(position: Holdem) -> int:
    """Returns who has the button: who acts last after the flop."""
    return 0 if position.players == 2 and not position.rlcard else position.players - 1


def player_label(position: Holdem, x: float, y: float, player: int, acted: bool) -> list[Shape]:
    """Returns the player's name and chips left on a label; below it, what was done or won."""
    over = position.is_terminal()
    here = player == position.to_move and not over
    text = f"{position.side_names[player]}: {position.chips_left(player)}"
    wide = 7.2 * len(text) + 10
    rim, line = (palette.GOLD, 2.5) if here else (palette.CARD_RIM, 1)
    ink = palette.MUTED if position.has_folded(player) else palette.INK
    shapes: list[Shape] = [
        Rect(x - wide / 2, y - LABEL / 2, wide, LABEL, LABEL / 2, palette.CARD, rim, line),
        Text(x, y, text, 13, ink),
    ]
    words = f"{position.utility(player):+d}" if over else action_of(position, player)
    if words:
        left = x + wide / 2 + 3
        if left + 7 * len(words) + 20 > table_for(position.players).width:
            left = x - wide / 2 - 3 - (7 * len(words) + 12)
        shapes += said(left, y, words, acted)
    return shapes


def said(left: float, y: float, words: str, framed: bool) -> list[Shape]:
    """Returns what a player did, on a label from ``left`` on, framed if it was the latest."""
    wide = 7 * len(words) + 12
    rim, line = (palette.GOLD, 2.5) if framed else (palette.GRID, 1)
    return [
        Rect(left, y - LABEL / 2, wide, LABEL, 5, palette.CELL, rim, line),
        Text(left + wide / 2, y, words, 13, palette.INK),
    ]


def action_of(position: Holdem, player: int) -> str:
    """Returns the last action of a player in this round, or that one is out or all in; or ""."""
    done = [word for other, word in position.rounds()[-1] if other == player]
    if done:
        return done[-1]
    if position.has_folded(player):
        return "out"
    return "all in" if position.chips_left(player) == 0 else ""


def holdem_places(position: Holdem) -> dict[int, Place]:
    """Returns a box below the table for each action of a player, if there cannot be many."""
    if position.is_terminal() or position.to_move < 0 or position.num_moves > MOST_BOXES:
        return {}
    table = table_for(position.players)
    found = boxes(position, 0, table.height + 12 + 0.3 * table.box, table.box, GAP)
    return {action: place._replace(form="label") for action, place in found.items()}


def holdem_miniature(position: Holdem) -> Miniature:
    """Returns the board, or before the flop the cards of the player whose turn it is."""
    words = position.board_words() or position.card_words(position.turn) or ["", ""]
    pitch = SMALL + 2
    shapes = card_fan(0, 0, SMALL, words, pitch)
    return Miniature(pitch * len(words) - 2, RATIO * SMALL, shapes)


HOLDEM_PICTURE = Picture(draw=draw_holdem, places=holdem_places, miniature=holdem_miniature)

register_picture(Holdem, HOLDEM_PICTURE)
