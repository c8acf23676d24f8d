"""The colours of all pictures. The two of a game differ in lightness too, for every kind of eye."""

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
