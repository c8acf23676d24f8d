"""Draws liar's dice: everybody's dice, some of them under cups, and the bids in a table.

The table has a row for each face and a column for each quantity, so bids go down, then right. Every
bid is a disc with the number and the colour of the player who made it. The top left is (0, 0).
"""

from __future__ import annotations

from adv_envs.games.liars_dice import LiarsDice
from adv_envs.position import CHANCE

from . import palette
from .picture import Miniature, Picture, Place, Target, card, enlarged, outcome, register_picture
from .shapes import Circle, Drawing, Polygon, Shape, Text, clamp, dashed, die, square

HALF = 16
"""Of the width of a die."""
PITCH = 2 * HALF + 7
ROW = 2 * HALF + 16
LABEL = 92  # where the dice begin
COLOURS = (palette.RED, palette.BLUE, palette.YELLOW, palette.BLACK, palette.WHITE)


def draw(position: LiarsDice, last: int | None = None) -> Drawing:
    """Draws dice above bids; the latest bid or call in a frame unless ``last`` is None."""
    table = Bids(position)
    shapes: list[Shape] = []
    for player in range(position.players):
        shapes += dice_row(position, player, (player + 0.5) * ROW)
    shapes += table.shapes(last is not None)
    width = max(table.right, LABEL + position.dice * PITCH)
    return card(shapes, (0, 0, width, table.bottom), outcome(position)[0])


def dice_row(position: LiarsDice, player: int, y: float) -> list[Shape]:
    """Returns a player's dice: shown, under a cup, or still to be rolled."""
    here = player == position.to_move and not position.is_terminal()
    shapes = [
        *disc(11, y, 10, player),
        Text(28, y, "to move" if here else "", 13, palette.MUTED, "start"),
    ]
    dice, rolled = position.dice_of(player), position.rolled_by(player)
    wanted = position.last_bid % position.sides + 1 if position.is_terminal() else 0
    for i in range(position.dice):
        x = LABEL + HALF + i * PITCH
        if i < len(dice):
            match = wanted > 0 and dice[i] in (wanted, position.sides)
            rim, line = (palette.GOLD, 3) if match else (palette.WHITE_RIM, 1.2)
            shapes += die(x, y, HALF, dice[i], rim=rim, line=line)
        elif i < rolled:
            shapes += cup(x, y)
        else:
            shapes.append(dashed(x, y, HALF, HALF, 1.5))
    return shapes


def disc(x: float, y: float, radius: float, player: int) -> list[Shape]:
    """Returns the mark of a player, counted from 1."""
    fill = COLOURS[player % len(COLOURS)]
    size = 1.25 * radius
    return [
        Circle(x, y, radius, fill, palette.WHITE_RIM, 1),
        Text(x, y, str(player + 1), size, palette.text_on(fill)),
    ]


def cup(x: float, y: float) -> list[Shape]:
    """Returns a cup upside down, with a die under it."""
    top, bottom, low, high = y - HALF, y + HALF, HALF, 0.68 * HALF
    corners = ((x - high, top), (x + high, top), (x + low, bottom), (x - low, bottom))
    return [
        Polygon(corners, palette.POINT, palette.WOOD_LINE, 2),
        Text(x, y + 1, "?", 17, palette.text_on(palette.POINT)),
    ]


class Bids:
    """Draws the table of bids and, below it, the box of the call."""

    def __init__(self, position: LiarsDice) -> None:
        self.position = position
        self.cell = clamp(14, 640 // position.total, 34)
        self.left, self.top = 40.0, position.players * ROW + 34
        self.right = self.left + position.total * self.cell
        self.below = self.top + position.sides * self.cell
        self.bottom = self.below + 54

    def place(self, action: int) -> Place:
        """Returns where an action is shown."""
        position = self.position
        if action == position.liar:
            return Place(self.left + 60, self.below + 31, 60, "label", "liar")
        x = self.left + (action // position.sides + 0.5) * self.cell
        y = self.top + (action % position.sides + 0.5) * self.cell
        return Place(x, y, self.cell / 2 - 1, "square", position.bid_name(action))

    def shapes(self, marked: bool) -> list[Shape]:
        """Returns the table; the latest action in a frame if it is to be ``marked``."""
        position, cell = self.position, self.cell
        shapes = self.heads()
        order, latest = 0, -1
        for action in range(position.num_actions):
            place = self.place(action)
            taken = position.bids >> action & 1 != 0
            gone = position.bids >> action != 0
            fill, rim = (palette.CARD, palette.CARD_RIM) if gone else (palette.CELL, palette.GRID)
            shapes.append(place.outline(0, fill, rim, 1))
            if action == position.liar:
                ink = palette.INK if taken or position.bids else palette.MUTED
                caller = position.side_names[order % position.players]
                word = f"{caller}: liar!" if taken else "liar"
                if taken:
                    shapes[-1] = Text(self.left, place.y, word, 16, ink, "start")
                else:
                    shapes.append(Text(place.x, place.y, word, 16, ink))
            elif taken:
                shapes += disc(place.x, place.y, 0.4 * cell, order % position.players)
            if taken:
                order, latest = order + 1, action
        if marked and 0 <= latest < position.liar:
            shapes.append(self.place(latest).outline(0, None, palette.GOLD, 2.5))
        return shapes

    def heads(self) -> list[Shape]:
        """Returns the quantities above the columns, the faces before the rows."""
        position, cell = self.position, self.cell
        size = clamp(9, 0.45 * cell, 14)
        shapes: list[Shape] = []
        step = 1 if cell > 18 else 5
        for column in range(position.total):
            if column == 0 or (column + 1) % step == 0:
                x = self.left + (column + 0.5) * cell
                shapes.append(Text(x, self.top - 11, str(column + 1), size, palette.MUTED))
        for row in range(position.sides):
            shapes += die(18, self.top + (row + 0.5) * cell, 0.38 * cell, row + 1)
        y = self.top + (position.sides - 0.5) * cell
        shapes.append(Text(-2, y, "*", 18, palette.MUTED))
        return shapes


def places(position: LiarsDice) -> dict[int, Place]:
    """Returns each bid in its cell of the table; rolls of dice have no place."""
    if position.to_move == CHANCE:
        return {}
    table = Bids(position)
    return {action: table.place(action) for action in position.legal_actions()}


def clicks(position: LiarsDice) -> dict[int, tuple[Target, ...]]:
    """Returns whole cells of the table; to call the bidder a liar is a button."""
    half = Bids(position).cell / 2
    bids = {action: at for action, at in places(position).items() if action != position.liar}
    return enlarged(bids, half, half)


def miniature(position: LiarsDice) -> Miniature | None:
    """Returns the dice, a row for each player, and the last bid; None for more than three each."""
    if position.dice > 3 or position.players > 3:
        return None
    half, pitch = 7.0, 17.0
    width, height = position.dice * pitch + 34, position.players * pitch
    shapes: list[Shape] = []
    for player in range(position.players):
        y = (player + 0.5) * pitch - height / 2
        dice = position.dice_of(player)
        for i in range(position.dice):
            x = (i + 0.5) * pitch - width / 2
            if i < len(dice):
                shapes += die(x, y, half, dice[i])
            else:
                fill = palette.POINT if i < position.rolled_by(player) else palette.CELL
                shapes.append(square(x, y, half, 2, fill, palette.GRID, 1))
    names = position.bid_names()[-1:]
    shapes += [Text(width / 2 - 15, 0, name, 12, palette.INK) for name in names]
    return Miniature(width, height, shapes)


register_picture(
    LiarsDice,
    Picture(
        draw=draw,
        places=places,
        clicks=clicks,
        labels=lambda position: {position.liar: "Liar!"},
        miniature=miniature,
    ),
)
