"""Defines the colours of all pictures, on light and dark pages, and the contrast of two.

The two colours of a game differ in lightness too, for colour-blind readers. Text has a contrast of
at least 4.5 on what it is written on, and pieces and marks one of at least 3 (WCAG 2, 1.4.3 and
1.4.11); the tests compute it. Every light colour is used in one role only, as it is the name by
which SVG finds the dark one.
"""

from __future__ import annotations


class Colour(str):
    """Represents a colour "#rrggbb" on light pages, with one for ``dark`` pages."""

    dark: str

    def __new__(cls, light: str, dark: str | None = None) -> Colour:
        """Returns a colour that is the same on dark pages unless ``dark`` is given."""
        self = super().__new__(cls, light)
        self.dark = light if dark is None else dark
        return self


CARD = Colour("#fcfbf8", "#1d2026")
"""The card that every picture lies on."""
CARD_RIM = Colour("#e4dfd5", "#3b404a")
INK, MUTED = Colour("#2c2f36", "#ece8e0"), Colour("#6a655c", "#aca69c")
CELL, GRID = Colour("#f1ede4", "#31363f"), Colour("#cbc4b6", "#5b626e")
RED, RED_RIM = Colour("#d9532e", "#e05f3a"), Colour("#b23f21", "#f0805f")
BLUE, BLUE_RIM = Colour("#22639c", "#4f8fcb"), Colour("#174a78", "#7fb0de")
YELLOW, YELLOW_RIM = Colour("#f8cf4c"), Colour("#d9a722")
BLACK, BLACK_RIM = Colour("#33363d", "#08090b"), Colour("#1d1f24", "#8b929e")
WHITE, WHITE_RIM = Colour("#fdfdfd", "#f0ede6"), Colour("#837d74", "#ffffff")
BOARD, HOLE = Colour("#3a6aa8", "#2d5a94"), Colour("#1a3356", "#142740")
POINT, POINT_PALE = Colour("#c08a5c", "#a26d43"), Colour("#e2d3b6", "#5b6371")
WOOD, WOOD_LINE = Colour("#f3dcae", "#7d6238"), Colour("#a1844c", "#45351d")
FELT, FELT_LINE = Colour("#4f9e6c", "#3f8a5b"), Colour("#2f7049", "#22573a")
SQUARE_LIGHT, SQUARE_DARK = Colour("#f3e9d6", "#6e7785"), Colour("#cdb893", "#454c57")
PIECE_RIM = Colour("#3b3630", "#17191d")
"""Around white pieces on the squares of a chequered board."""
LAST_MOVE, CHECK = Colour("#7a4a00", "#ffd877"), Colour("#a02010", "#ffc9bb")
"""Marks on such squares."""
GOLD, GOLD_PALE = Colour("#b87300", "#f2b632"), Colour("#fbe7b2", "#453810")
ON_DARK, ON_LIGHT = Colour("#fffffd"), Colour("#1f2229")
"""Marks on pieces whose colours are dark or light on every page."""

ON_FELT = Colour("#0a0f0c", "#000201")
"""Small text on felt."""

HALO = Colour("#fefefe", "#1e2127")
"""Around a frame, so that it is seen on any ground."""

BROWN_TEAL = (
    "#8c510a",
    "#bf812d",
    "#dfc27d",
    "#f6e8c3",
    "#f5f5f2",
    "#c7eae5",
    "#80cdc1",
    "#35978f",
    "#01665e",
)
"""From bad through even to good. Source: ColorBrewer's BrBG."""
BROWN_TEAL_DARK = (
    "#f0b060",
    "#c98a3c",
    "#96622a",
    "#5f4526",
    "#383d45",
    "#22504d",
    "#247a73",
    "#3aaaa0",
    "#7fe0d3",
)
"""The same on dark pages, where deep colours are light ones."""


def contrast(one: str, other: str) -> float:
    """Returns the contrast of two colours, 1 to 21, as the Web's guidelines (WCAG 2) define it."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Returns the relative luminance of a colour, 0 to 1."""
    parts = [channel / 255 for channel in rgb(colour)]
    red, green, blue = (p / 12.92 if p <= 0.04 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rgb(colour: str) -> tuple[int, int, int]:
    """Returns the parts of "#rrggbb", 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def text_on(fill: Colour) -> Colour:
    """Returns black or white, on light and dark pages the one of more contrast to ``fill``."""
    light, dark = (
        max(("#000000", "#ffffff"), key=lambda i: contrast(i, c)) for c in (fill, fill.dark)
    )
    if light == dark:
        return Colour(light)
    return Colour("#010101", dark) if light == "#000000" else Colour("#fefeff", dark)
