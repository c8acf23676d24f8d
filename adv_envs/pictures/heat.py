"""Draws heat maps: a position with every move's value, the best ones in a golden frame.

Each move's value stands where the ``Picture`` of the game shows the move: on its cell, in the hole
where the disc comes to rest, on the token, on the branch of the tree. Moves that have no place,
such as a swap or the choices of a game without a board, stand as bars below.

The colours go from brown for bad through white to teal for good: the hue says which side of 0 a
value lies on, the depth of the colour how far. They are ColorBrewer's BrBG (Brewer, Hatchard and
Harrower, 2003), which are told apart by colour-blind readers too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from adv_envs.position import CHANCE, Position

from . import palette
from .palette import BROWN_TEAL, BROWN_TEAL_DARK, Colour, rgb, text_on
from .picture import MARGIN, Place, draw, places
from .shapes import Drawing, Rect, Shape, Text

BAR = 20  # height of a bar's line
LEGEND = 30  # height of the legend's line


def heat_map(position: Position, values: Mapping[int, float], last: int | None = None) -> Drawing:
    """Returns the picture of ``position`` with the value of each action for the player to move.

    Values are above 0 where the player to move is better off. Infinite ones are proven wins and
    losses, beside which the others are evaluations. Actions without a value are not marked.
    ``last`` is the action to mark as the latest move. Raises ValueError if the game is over, for an
    action that is not legal, for a value that is not a number, and without values.
    """
    return heat_map_of(position, values, draw(position, last), places(position))


def heat_map_of(
    position: Position, values: Mapping[int, float], drawing: Drawing, where: Mapping[int, Place]
) -> Drawing:
    """Draws ``drawing`` with the value of each action at its place; see ``heat_map``."""
    check(position, values)
    scale = ColourScale(values.values())
    best = max(values.values())
    shapes: list[Shape] = []
    for action, value in sorted(values.items(), key=lambda item: item[1] == best):
        if action in where:
            shapes += spot(where[action], value, scale, value == best)
    others = {action: value for action, value in values.items() if action not in where}
    left, bottom = drawing.x + MARGIN, drawing.y + drawing.height - MARGIN + 10
    width = drawing.width - 2 * MARGIN
    below = bars(position, others, scale, best, left, bottom, width)
    y = bottom + BAR * len(others) + LEGEND / 2
    below += scale.legend(left, y, min(width, 260))
    height = drawing.height + BAR * len(others) + LEGEND
    player = "chance" if position.to_move == CHANCE else position.side_names[position.to_move]
    title = f"{drawing.title}: the value of each move for {player}"
    return Drawing(
        drawing.x, drawing.y, drawing.width, height, title, [*drawing.shapes, *shapes, *below]
    )


def check(position: Position, values: Mapping[int, float]) -> None:
    """Raises ValueError, saying what is wrong, unless ``values`` can be drawn upon ``position``."""
    if position.is_terminal():
        raise ValueError("the game is over: there are no moves to draw the values of")
    if not values:
        raise ValueError("a heat map needs the value of at least one move")
    legal = position.legal_actions()
    for action, value in values.items():
        if action not in legal:
            raise ValueError(f"{action!r} is not a legal action; {position.choices()}")
        if math.isnan(value):
            raise ValueError(f"the value of {position.name(action)} must be a number, not {value}")


# ---- what is drawn there


def spot(place: Place, value: float, scale: ColourScale, best: bool) -> list[Shape]:
    """Returns a value in its colour, in a golden frame if no move is better."""
    x, y, half, form, name = place
    fill, ink = scale.colours(value)
    text = short(value)
    if form == "label" and name:
        name, text = "", f"{name}:{text}"
    room = {"hexagon": 1.5, "label": 2, "disc": 1.7}.get(form, 1.8) * half
    line = max(2.0, 0.13 * half)
    room -= line * best
    size = min(0.62 * half if form != "label" else 13, room / (0.6 * len(text)))
    if best:
        halo = place.outline(line / 2 + 0.5, None, palette.HALO, line + 3)
        frame = [halo, place.outline(line / 2 + 0.5, fill, palette.GOLD, line)]
    else:
        frame = [place.outline(0.0, fill, palette.GRID, max(0.6, 0.03 * half))]
    if not name:
        return [*frame, Text(x, y, text, size, ink)]
    hidden = Text(x - 0.72 * half, y - 0.58 * half, name, 0.5 * half, ink, "start")
    return [*frame, hidden, Text(x, y + 0.22 * half, text, size, ink)]


def bars(
    position: Position,
    values: Mapping[int, float],
    scale: ColourScale,
    best: float,
    left: float,
    top: float,
    width: float,
) -> list[Shape]:
    """Returns a line for each action: its name, a bar as long as its value, and the number."""
    size = 13.0
    names = {action: position.name(action) for action in values}
    start = left + 0.6 * size * max(map(len, names.values()), default=0) + 10
    most = max((abs(v) for v in values.values() if math.isfinite(v)), default=0)
    room = max(20.0, left + width - 3.6 * size - start)
    shapes: list[Shape] = []
    for i, (action, value) in enumerate(values.items()):
        y, length = top + (i + 0.5) * BAR, min(room, room * abs(value) / (most or 1))
        marked = value == best
        rim, line = (palette.GOLD, 2.5) if marked else (palette.GRID, 1)
        shapes += [
            Text(left, y, names[action], size, palette.INK, "start"),
            Rect(start, y - 6, max(4.0, length), 12, 3, scale.colours(value)[0], rim, line),
            Text(left + width, y, short(value), size, palette.INK, "end"),
        ]
    return shapes


# ---- colours

PALEST = 0.15  # how deep the colour of anything but 0 is, so that signs are seen
DECIDED = 0.8  # how deep the deepest colour is where there are games won or lost as well
STEPS = 24  # of the legend's bar


class ColourScale:
    """Returns the colours of some values; infinite ones are proven wins and losses.

    If values lie on both sides of 0, or are 0, the scale goes equally far both ways; if all have
    one sign it covers their range.
    """

    def __init__(self, values: Iterable[float]) -> None:
        every = list(values)
        values = [value for value in every if math.isfinite(value)] or [0.0]
        self.deepest = DECIDED if len(values) < len(every) else 1.0  # of what is not decided
        self.low, self.high = min(values), max(values)
        self.one_sided = self.low > 0 or self.high < 0
        if not self.one_sided:
            self.high = max(self.high, -self.low)
            self.low = 0.0 - self.high
        self.nearest = min(map(abs, values)) if self.one_sided else 0.0
        self.furthest = max(map(abs, values))

    def depth(self, value: float) -> float:
        """Returns -1 for the worst to 1 for the best, with the sign of ``value``."""
        if value == 0:
            return 0.0
        if math.isinf(value):
            return math.copysign(1.0, value)
        span = self.furthest - self.nearest
        part = min(1.0, (abs(value) - self.nearest) / span) if span else 1.0
        depth = PALEST + (self.deepest - PALEST) * part
        return depth if value > 0 else -depth

    def colours(self, value: float) -> tuple[Colour, Colour]:
        """Returns the colour of ``value``, and one for text that is written upon it."""
        fill = mixed(self.depth(value))
        return fill, text_on(fill)

    def legend(self, x: float, y: float, width: float) -> list[Shape]:
        """Draws a bar of the colours with its numbers, from (x, y), the middle of its left end."""
        size, low, high = 12.0, short(self.low), short(self.high)
        if self.low == self.high:
            fill, _ = self.colours(self.low)
            return [
                Rect(x, y - 6, 24, 12, 3, fill, palette.GRID, 1),
                Text(x + 31, y, low, size, palette.INK, "start"),
            ]
        left, right = (0.62 * size * len(text) + 6 for text in (low, high))
        step = (width - left - right) / STEPS
        shapes: list[Shape] = [Text(x, y, low, size, palette.INK, "start")]
        for i in range(STEPS):
            value = self.low + (self.high - self.low) * (i + 0.5) / STEPS
            place = x + left + i * step
            shapes.append(Rect(place, y - 6, step + 0.4, 12, 0, self.colours(value)[0]))
        whole = Rect(x + left, y - 6, STEPS * step, 12, 0, None, palette.GRID, 1)
        return [*shapes, whole, Text(x + width, y, high, size, palette.INK, "end")]


def mixed(depth: float) -> Colour:
    """Returns the colour at ``depth``, -1 to 1, between the colours of the palette."""
    return Colour(*(between(colours, depth) for colours in (BROWN_TEAL, BROWN_TEAL_DARK)))


def between(colours: Sequence[str], depth: float) -> str:
    """Returns the colour at ``depth``, the first of ``colours`` at -1 and the last at 1."""
    place = (depth + 1) / 2 * (len(colours) - 1)
    i = min(int(place), len(colours) - 2)
    before, after = rgb(colours[i]), rgb(colours[i + 1])
    mix = (round(a + (b - a) * (place - i)) for a, b in zip(before, after, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mix)


def short(value: float) -> str:
    """Returns a value with its sign, in about five characters: "+18", "−0.35", "0", "win"."""
    if math.isinf(value):
        return "win" if value > 0 else "loss"
    size = abs(value)
    digits = 0 if value == int(value) or size >= 100 else 1 if size >= 10 else 2
    text = f"{size:.{digits}f}" if size < 10_000 else f"{size:.0e}".replace("e+0", "e")
    if float(text) == 0:
        return "0"
    return ("+" if value > 0 else "−") + text
