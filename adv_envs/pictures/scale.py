"""A scale from bad through even to good, as colours: brown, white, teal.

The hue says which side of 0 a value lies on, the depth of the colour how far. The colours are
ColorBrewer's BrBG (Brewer, Hatchard and Harrower, 2003), which keep apart for every kind of eye.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from . import palette
from .shapes import Rect, Shape, Text

PALEST = 0.15  # how deep the colour of anything but 0 is, so that signs are seen
DECIDED = 0.8  # how deep the deepest colour is where there are games won or lost as well
STEPS = 24  # of the legend's bar


class Scale:
    """The colours of some values: numbers, of which infinite ones are games won and lost.

    Where values lie on both sides of 0, or are 0, the scale goes equally far both ways; where all
    have one sign it spreads over the range that they have.
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
        """-1 for the worst to 1 for the best, with the sign of ``value``."""
        if value == 0:
            return 0.0
        if math.isinf(value):
            return math.copysign(1.0, value)
        span = self.furthest - self.nearest
        part = min(1.0, (abs(value) - self.nearest) / span) if span else 1.0
        depth = PALEST + (self.deepest - PALEST) * part
        return depth if value > 0 else -depth

    def colours(self, value: float) -> tuple[str, str]:
        """The colour of ``value``, and one for text that is read upon it."""
        fill = mixed(self.depth(value))
        return fill, max((palette.INK, palette.WHITE), key=lambda ink: contrast(fill, ink))

    def legend(self, x: float, y: float, width: float) -> list[Shape]:
        """A bar of the colours with its numbers, from (x, y), the middle of its left end."""
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


def mixed(depth: float) -> str:
    """The colour at ``depth``, -1 to 1, between the colours of the palette."""
    colours = palette.BROWN_TEAL
    place = (depth + 1) / 2 * (len(colours) - 1)
    i = min(int(place), len(colours) - 2)
    before, after = rgb(colours[i]), rgb(colours[i + 1])
    mix = (round(a + (b - a) * (place - i)) for a, b in zip(before, after, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mix)


def contrast(one: str, other: str) -> float:
    """How well two colours are told apart, 1 to 21, as the Web's guidelines (WCAG 2) define it."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """How much light a colour gives, 0 to 1."""
    parts = [channel / 255 for channel in rgb(colour)]
    red, green, blue = (p / 12.92 if p <= 0.04 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rgb(colour: str) -> tuple[int, int, int]:
    """The parts of "#rrggbb", 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def short(value: float) -> str:
    """A value with its sign, in about five characters: "+18", "−0.35", "0", "win"."""
    if math.isinf(value):
        return "win" if value > 0 else "loss"
    size = abs(value)
    digits = 0 if value == int(value) or size >= 100 else 1 if size >= 10 else 2
    text = f"{size:.{digits}f}" if size < 10_000 else f"{size:.0e}".replace("e+0", "e")
    if float(text) == 0:
        return "0"
    return ("+" if value > 0 else "−") + text
