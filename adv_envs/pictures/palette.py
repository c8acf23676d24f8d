"""The colours of all pictures, and the contrast between two colours.

The two colours of a game differ in lightness too, for colour-blind readers.
"""

CARD, CARD_RIM = "#fcfbf8", "#e4dfd5"  # what everything lies on, on light and on dark pages
INK, MUTED = "#2c2f36", "#8d8880"
CELL, GRID = "#f1ede4", "#cbc4b6"
RED, RED_RIM = "#e2613d", "#bd4526"
BLUE, BLUE_RIM = "#22639c", "#174a78"
YELLOW, YELLOW_RIM = "#f8cf4c", "#d9a722"
BLACK, BLACK_RIM = "#33363d", "#1d1f24"
WHITE, WHITE_RIM = "#ffffff", "#9b9588"
BOARD, HOLE = "#3a6aa8", "#24456f"
GOLD, GOLD_PALE = "#f2b632", "#fbe7b2"
BROWN_TEAL = (  # from bad through even to good
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
