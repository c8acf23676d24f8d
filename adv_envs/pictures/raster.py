"""Draws pictures as pixels, and in a window. Needs the extra ``render``.

Pillow paints the shapes, as it brings a font along: programs that turn SVG into pixels show text
only where the system has fonts. Pixels have the colours of light pages.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from adv_envs.optional import optional_library
from adv_envs.position import Position

from . import palette
from .heat import heat_map
from .picture import draw
from .shapes import Circle, Drawing, Line, Point, Polygon, Rect, Shape, Text

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

SUPERSAMPLING = 3
"""Pictures are painted this many times as large, and scaled down."""


def pixels(position: Position, last: int | None = None) -> Pixels:
    """Returns the picture of a position as an array (height, width, 3) of uint8. Needs Pillow."""
    return to_pixels(draw(position, last))


def heat_map_pixels(
    position: Position, values: Mapping[int, float], last: int | None = None, scale: float = 1
) -> Pixels:
    """Draws ``heat_map`` as an array (height, width, 3) of uint8, ``scale`` times its size."""
    return to_pixels(heat_map(position, values, last), scale)


def to_pixels(drawing: Drawing, scale: float = 1) -> Pixels:
    """Returns a drawing as an array (height, width, 3) of uint8, ``scale`` times its size."""
    image_module = _library("PIL.Image")
    factor = SUPERSAMPLING * scale
    size = round(drawing.width * factor), round(drawing.height * factor)
    image = image_module.new("RGB", size, palette.CARD)
    brush = _Brush(_library("PIL.ImageDraw").Draw(image), drawing.x, drawing.y, factor)
    for shape in drawing.shapes:
        brush.paint(shape)
    return np.array(image.reduce(SUPERSAMPLING))


# what Pillow's own font lacks, and what comes close
_PLAINER = str.maketrans({"−": "-", "×": "x", "∞": "inf", "α": "a", "β": "b"})
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # in Pillow's words, on the baseline


class _Brush:
    """Paints shapes on a Pillow drawing whose top left is (x, y), ``factor`` times as large."""

    def __init__(self, drawing: Any, x: float, y: float, factor: float) -> None:
        self.drawing, self.x, self.y, self.factor = drawing, x, y, factor

    def paint(self, shape: Shape) -> None:
        match shape:
            case Rect(x, y, width, height, radius, fill, stroke, line):
                corners = self.around(x, y, x + width, y + height, line / 2)
                corner = (radius + line / 2) * self.factor
                self.drawing.rounded_rectangle(corners, corner, fill, stroke, self.width(line))
            case Circle(x, y, radius, fill, stroke, line):
                corners = self.around(x, y, x, y, radius + line / 2)
                self.drawing.ellipse(corners, fill, stroke, self.width(line))
            case Polygon(points, fill, stroke, line):
                self.drawing.polygon([self.point(*point) for point in points], fill)
                if stroke is not None:
                    self.line((*points, points[0]), stroke, line)
            case Line(points, stroke, line, dash):
                for part in _dashes(points, dash) if dash else [points]:
                    self.line(part, stroke, line)
            case Text():
                self.text(shape)

    def point(self, x: float, y: float) -> Point:
        return (x - self.x) * self.factor, (y - self.y) * self.factor

    def width(self, line: float) -> int:
        return round(line * self.factor)

    def around(self, x: float, y: float, u: float, v: float, more: float) -> tuple[Point, Point]:
        """Returns a box's corners, ``more`` outside (x, y), (u, v): Pillow draws lines inside."""
        return self.point(x - more, y - more), self.point(u + more, v + more)

    def line(self, points: Iterable[Point], stroke: str, line: float) -> None:
        self.drawing.line([self.point(*point) for point in points], stroke, self.width(line))
        for x, y in points:
            self.drawing.ellipse(self.around(x, y, x, y, line / 2), stroke)

    def text(self, shape: Text) -> None:
        x, y, text, size, fill, anchor, mono = shape
        font, where = _font(round(size * self.factor), mono), _ANCHORS[anchor]
        greek = None if set(text).isdisjoint("αβ∞") else _greek_font(round(size * self.factor))
        font, text = (greek, text) if greek else (font, text.translate(_PLAINER))
        y += 0.35 * size
        if mono:  # by whatever font, each character in the middle of its place
            for i, character in enumerate(text):
                place = self.point(x + (i + 0.5) * 0.6 * size, y)
                self.drawing.text(place, character, fill, font, "ms")
        else:
            self.drawing.text(self.point(x, y), text, fill, font, where)


def _dashes(points: Sequence[Point], dash: float) -> list[tuple[Point, ...]]:
    """Returns the dashes of a line, each as long as the gap after it, anew on each of its parts."""
    found = []
    for (x, y), (u, v) in itertools.pairwise(points):
        length = max(math.hypot(u - x, v - y), 1e-9)
        for i in range(0, math.ceil(length / dash), 2):
            ends = i * dash / length, min((i + 1) * dash / length, 1)
            found.append(tuple((x + part * (u - x), y + part * (v - y)) for part in ends))
    return found


@functools.lru_cache(maxsize=32)
def _font(size: int, mono: bool) -> Any:
    """Returns a font of this size: the system's monospaced one if it has one, or Pillow's."""
    fonts = _library("PIL.ImageFont")
    for name in ("DejaVuSansMono.ttf", "Menlo.ttc", "consola.ttf") if mono else ():
        with contextlib.suppress(OSError):
            return fonts.truetype(name, size)
    return fonts.load_default(size)


@functools.lru_cache(maxsize=32)
def _greek_font(size: int) -> Any:
    """Returns a font of the system with Greek letters, for search windows; None if none."""
    fonts = _library("PIL.ImageFont")
    for name in ("DejaVuSans.ttf", "Arial.ttf", "arial.ttf"):
        with contextlib.suppress(OSError):
            return fonts.truetype(name, size)
    return None


def _library(name: str) -> Any:
    return optional_library(name, "this picture needs", "render")


# ---- the window


class Window:
    """Shows pixels in a window; needs pygame. Once the user closes it, it stays closed."""

    def __init__(self, title: str) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        self._pygame = _library("pygame")
        self._title = title
        self._shown = float("-inf")  # when the last picture came, seconds
        self.closed = False

    def show(self, pixels: Pixels, fps: float) -> None:
        """Shows an array (height, width, 3), at least 1 / ``fps`` seconds after the one before."""
        self._wait_until(self._shown + 1 / fps)
        if self.closed:
            return
        pygame, size = self._pygame, (pixels.shape[1], pixels.shape[0])
        pygame.display.init()
        screen = pygame.display.get_surface()
        if screen is None or screen.get_size() != size:
            screen = pygame.display.set_mode(size)
        pygame.display.set_caption(self._title)
        screen.blit(pygame.image.frombuffer(pixels.tobytes(), size, "RGB"), (0, 0))
        pygame.display.flip()
        self._shown = time.monotonic()
        self._wait_until(0)

    def _wait_until(self, moment: float) -> None:
        """Handles the events of the window until ``moment``."""
        pygame = self._pygame
        while not self.closed and pygame.display.get_init():
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    self.close()
                    return
            left = moment - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, 0.02))

    def close(self) -> None:
        """Closes the window; showing more has no effect then."""
        self.closed = True
        self._pygame.display.quit()
