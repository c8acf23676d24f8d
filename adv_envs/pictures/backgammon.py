"""Draws backgammon: 24 points in two rows, the bar, dice and borne-off men beside it.

The top left corner of the board is (0, 0). Points are numbered as player 0 counts them. The men of
player 0 enter at the top right, and run to the left, down, and to the right, where their home is;
those of player 1 run the other way.
"""

from __future__ import annotations

from adv_envs.games.backgammon import Backgammon

from . import palette
from .grids import BLACK_WHITE
from .picture import Miniature, Place, Target, card, outcome, register_picture, two_sided
from .shapes import Circle, Drawing, Point, Polygon, Rect, Shape, Text, die, moved

FULL = 5
"""How many men of a stack are shown one beside the other; the last one says how many there are."""


class Table:
    """Tells where things are, as player 0 sees them, or player 1 if it is ``flipped``.

    ``step`` is the width of a point.
    """

    def __init__(self, step: float, flipped: bool = False) -> None:
        self.step = step
        self.flipped = flipped
        self.width, self.height = 13 * step, 13 * step
        self.tray = self.width + 0.2 * step, 1.2 * step  # its left edge, and its width

    def column(self, point: int) -> float:
        """Returns the middle of a point as the one who looks counts it, or of the bar, 0 or 25."""
        if point in (0, 25):
            return 6.5 * self.step
        column = point - 13 if point > 12 else 12 - point
        return (column + (1.5 if column > 5 else 0.5)) * self.step

    def man(self, player: int, place: int, number: int) -> Point:
        """Returns the middle of a player's man, the ``number``-th from the edge, on a place."""
        mine = player == self.flipped
        point = 25 - place if mine else place
        x, number = self.column(point), min(number, FULL - 1)
        top = point > 12
        if place == 0:  # on the bar, near the middle, in the half where the man will enter
            top = mine
            depth = self.height / 2 - (2.2 + 0.9 * min(number, 3)) * self.step
        else:
            depth = (0.5 + 0.98 * number) * self.step
        return x, depth if top else self.height - depth

    def ground(self) -> list[Shape]:
        """Returns the board, its points and the bar."""
        step, width, height = self.step, self.width, self.height
        left, tray = self.tray
        shapes: list[Shape] = [
            Rect(0, 0, width, height, 0.1 * step, palette.CELL, palette.GRID, 1.5),
            Rect(left, 0, tray, height, 0.1 * step, palette.CELL, palette.GRID, 1.5),
        ]
        for point in range(1, 25):
            x, edge = self.column(point), 0 if point > 12 else height
            tip = edge + (5 if point > 12 else -5) * step
            corners = ((x - 0.48 * step, edge), (x + 0.48 * step, edge), (x, tip))
            shapes.append(Polygon(corners, palette.POINT if point % 2 else palette.POINT_PALE))
        bar = Rect(6 * step, 0, step, height, 0, palette.CARD_RIM, palette.GRID, 1)
        return [*shapes, bar]

    def target(self, player: int, place: int) -> Target:
        """Returns what is clicked for a place: a whole point, half of the bar, half of the tray."""
        mine, half = player == self.flipped, self.height / 4
        if place >= 25:
            x, wide, top, label = self.tray[0] + self.tray[1] / 2, self.tray[1] / 2, not mine, "off"
        else:
            point = 25 - place if mine else place
            top = point > 12 if place > 0 else mine
            x, wide = self.column(point), self.step / 2
            label = f"point {25 - place}" if place > 0 else "bar"
        return Target(x, half if top else self.height - half, wide, half, label=label)

    def men(self, position: Backgammon) -> list[Shape]:
        """Returns all men on points and on the bar, and those borne off, seen from the side."""
        shapes: list[Shape] = []
        for player in (0, 1):
            men = position.men(player)
            for place in range(25):
                for number in range(min(men[place], FULL)):
                    at = self.man(player, place, number)
                    shapes += BLACK_WHITE.piece(player, *at, 0.47 * self.step)
            shapes += [self.borne_off(player, number) for number in range(men[25])]
        return shapes

    def borne_off(self, player: int, number: int) -> Rect:
        """Returns a man that was borne off, the ``number``-th in the tray."""
        left, tray = self.tray
        thick = 0.29 * self.step
        depth = (0.08 + number * 0.31) * self.step
        y = self.height - depth - thick if player == self.flipped else depth
        box = left + 0.1 * self.step, y, tray - 0.2 * self.step, thick, 0.3 * thick
        return Rect(*box, *BLACK_WHITE.colours(player)[:2], 0.03 * self.step)


TABLES = Table(40), Table(40, flipped=True)


def draw(position: Backgammon, last: int | None = None, flipped: bool = False) -> Drawing:
    """Returns the board with men, the dice that are left, and borne-off men."""
    table = TABLES[flipped]
    step, (left, tray) = table.step, table.tray
    shapes = [*table.ground(), *table.men(position), *counts(position, table)]
    shapes += [*dice(position, table), *latest(position, last, table)]
    for point in range(1, 25):
        y = -10 if point > 12 else table.height + 10
        shapes.append(Text(table.column(point), y, str(point), 0.3 * step, palette.MUTED))
    box = -4, -20, left + tray, table.height + 20
    return card(shapes, box, *outcome(position), BLACK_WHITE.piece)


def counts(position: Backgammon, table: Table) -> list[Shape]:
    """Returns how many men are on a place that holds more than can be shown."""
    shapes: list[Shape] = []
    for player in (0, 1):
        for place, count in enumerate(position.men(player)[:25]):
            most = 4 if place == 0 else FULL
            if count > most:
                x, y = table.man(player, place, most - 1)
                ink = BLACK_WHITE.signs[player]
                shapes.append(Text(x, y, str(count), 0.42 * table.step, ink))
    return shapes


def dice(position: Backgammon, table: Table) -> list[Shape]:
    """Returns the dice that are left to play, to the right of the player who rolled them."""
    middle = (9.95 if position.turn == table.flipped else 3) * table.step
    half = 0.55 * table.step
    numbers = position.dice_left()
    fill, rim, ink = BLACK_WHITE.colours(position.turn)
    shapes: list[Shape] = []
    for i, number in enumerate(numbers):
        x = middle + (i - (len(numbers) - 1) / 2) * 2.4 * half
        shapes += die(x, table.height / 2, half, number, fill=fill, rim=rim, ink=ink)
    return shapes


def latest(position: Backgammon, last: int | None, table: Table) -> list[Shape]:
    """Returns a dot on the man that was moved by ``last``, unless that was a roll or a pass."""
    left = position.dice_left()
    rolled = len(left) == 4 or (len(left) == 2 and left[0] != left[1])
    if last is None or last < 6 or position.turn < 0 or rolled:
        return []
    same = position.dice != 0 or position.is_terminal()
    player = position.turn if same else 1 - position.turn
    place = min(last // 6 + last % 6, 25)
    men = position.men(player)
    if men[place] == 0:
        return []
    sign = BLACK_WHITE.signs[player]
    if place == 25:
        man = table.borne_off(player, men[25] - 1)
        x, y = man.x + man.width / 2, man.y + man.height / 2
    else:
        x, y = table.man(player, place, men[place] - 1)
        if men[place] > FULL:
            y += (0.34 if y < table.height / 2 else -0.34) * table.step
    return [Circle(x, y, 0.11 * table.step, sign)]


def places(position: Backgammon, flipped: bool = False) -> dict[int, Place]:
    """Places each move before the point that it starts from, the lower die's at the edge.

    The die is written there.
    """
    if position.dice == 0:
        return {}
    found, table = {}, TABLES[flipped]
    low = position.dice_left()[-1]
    for action in position.legal_actions():
        if action >= 6:
            start, die = table.target(position.turn, action // 6 - 1), action % 6 + 1
            depth = (5.3 if die == low else 5.9) * table.step
            y = depth if start.y < table.height / 2 else table.height - depth
            found[action] = Place(start.x, y, 0.48 * table.step, "label", str(die))
    return found


def clicks(position: Backgammon, flipped: bool = False) -> dict[int, tuple[Target, ...]]:
    """Returns the point or bar, and the point where the man goes or the tray; none for rolls."""
    if position.dice == 0:
        return {}
    table, player = TABLES[flipped], position.turn
    return {
        action: tuple(
            table.target(player, place) for place in (action // 6 - 1, action // 6 + action % 6)
        )
        for action in position.legal_actions()
        if action >= 6
    }


def labels(position: Backgammon) -> dict[int, str]:
    """Returns the dice of a roll, and the die that bears a man off."""
    actions = position.legal_actions()
    if position.is_terminal():
        return {}
    if position.dice == 0:
        return {action: f"{action // 6 + 1} and {action % 6 + 1}" for action in actions}
    off = [action for action in actions if action // 6 + action % 6 >= 25]
    return {action: f"with the {action % 6 + 1}" for action in off}


def miniature(position: Backgammon) -> Miniature:
    """Returns the board without numbers and dice."""
    small = Table(6)
    width, height = small.tray[0] + small.tray[1], small.height
    shapes = [*small.ground(), *small.men(position)]
    return Miniature(width, height, [moved(each, -width / 2, -height / 2) for each in shapes])


register_picture(Backgammon, two_sided(draw, places, clicks, labels=labels, miniature=miniature))
