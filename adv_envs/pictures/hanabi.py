"""Draws Hanabi: fireworks above a row for each player, with the cards and boxes of the moves.

Below each firework stand the ranks of its colour that are discarded. A card that is not seen has
what was told of it; below a card stands what its owner can tell by hints, if that is anything. The
boxes at the right of a hand are the hints that its owner may be given, and of the player to move
the cards to be played or discarded. The top left is (0, 0).
"""

from __future__ import annotations

from collections.abc import Iterator

from adv_envs.games.hanabi import LETTERS, POINTED, SCORED, Hanabi
from adv_envs.position import CHANCE

from . import palette
from .picture import Miniature, Picture, Place, Target, card, enlarged, outcome, register_picture
from .shapes import Circle, Drawing, Rect, Shape, Text, dashed, square

WIDE, HIGH = 34, 46
"""The size of a card."""
PITCH = WIDE + 8
TOP = 104
"""Where the hands begin."""
ROW = HIGH + 36
LABEL = 66
"""Where the first card of a hand begins."""
BOX = 32
SUITS = (
    (palette.RED, palette.RED_RIM),
    (palette.YELLOW, palette.YELLOW_RIM),
    (palette.FELT, palette.FELT_LINE),
    (palette.WHITE, palette.WHITE_RIM),
    (palette.BLUE, palette.BLUE_RIM),
)


def draw(position: Hanabi, last: int | None = None) -> Drawing:
    """Returns the table; what the last move was about is in a frame unless ``last`` is None."""
    marked = last is not None and position.turns > 0
    shapes: list[Shape] = [*fireworks(position, marked), *counters(position)]
    for player in range(position.players):
        shapes += player_row(position, player, marked)
    for action, place in places(position).items():
        shapes += box(position, action, place)
    right = boxes_left(position) + max(position.held, position.colours, position.ranks) * BOX + 4
    right = max(right, position.colours * PITCH + 130)
    return card(shapes, (0, 0, right, TOP + position.players * ROW), outcome(position)[0])


def boxes_left(position: Hanabi) -> float:
    """Returns where the boxes at the right of the hands begin."""
    return LABEL + position.held * PITCH + 42


def face(x: float, y: float, kind: int, position: Hanabi) -> list[Shape]:
    """Returns a card around (x, y): its rank in its colour, with the letter of the colour."""
    colour, rank = kind // position.ranks, kind % position.ranks
    fill, rim = SUITS[colour]
    ink = palette.text_on(fill)
    return [
        Rect(x - WIDE / 2, y - HIGH / 2, WIDE, HIGH, 5, fill, rim, 1.5),
        Text(x, y - 4, str(rank + 1), 20, ink),
        Text(x, y + 14, LETTERS[colour], 11, ink),
    ]


def frame(x: float, y: float) -> Shape:
    """Returns the mark of the last move around a card."""
    return Rect(x - WIDE / 2 - 3, y - HIGH / 2 - 3, WIDE + 6, HIGH + 6, 7, None, palette.GOLD, 2.5)


def fireworks(position: Hanabi, marked: bool) -> list[Shape]:
    """Returns the top card of each firework, and the discarded ranks below it."""
    shapes: list[Shape] = []
    last = position.dealt_card(position.last & 63) - 1 if position.last & 63 else -1
    for colour in range(position.colours):
        x, y, built = (colour + 0.5) * PITCH, HIGH / 2 + 4, position.built(colour)
        if built > 0:
            shapes += face(x, y, colour * position.ranks + built - 1, position)
        else:
            shapes.append(dashed(x, y, WIDE / 2, HIGH / 2, 1.5))
            shapes.append(Text(x, y, LETTERS[colour], 14, palette.MUTED))
        scored = position.last >> SCORED & 1 and last // position.ranks == colour
        if marked and last >= 0 and scored:
            shapes.append(frame(x, y))
        ranks = [name[1] for name in position.discarded() if name[0] == LETTERS[colour]]
        for line in range(0, len(ranks), 5):
            words = "".join(ranks[line : line + 5])
            ink = palette.MUTED
            shapes.append(Text(x, HIGH + 16 + 12 * (line // 5), words, 11, ink))
    return shapes


def counters(position: Hanabi) -> Iterator[Shape]:
    """Yields hints and lives, those that are spent hollow, and the number of cards in the deck."""
    left = position.colours * PITCH + 14
    rows = (
        ("hints", position.tokens, position.hints, palette.BLUE, palette.BLUE_RIM),
        ("lives", position.lives_left, position.lives, palette.RED, palette.RED_RIM),
    )
    for row, (word, number, most, fill, rim) in enumerate(rows):
        y = 12 + 22 * row
        yield Text(left, y, word, 12, palette.MUTED, "start")
        for i in range(most):
            x = left + 42 + 11 * i
            yield Circle(x, y, 4.5, fill if i < number else None, rim, 1)
    yield Text(left, 56, "deck", 12, palette.MUTED, "start")
    yield Text(left + 38, 56, str(position.in_deck), 14, palette.INK, "start")


def middle(position: Hanabi, player: int, place: int) -> tuple[float, float]:
    """Returns where a card of a hand lies."""
    return LABEL + place * PITCH + WIDE / 2, TOP + player * ROW + HIGH / 2 + 4


def player_row(position: Hanabi, player: int, marked: bool) -> list[Shape]:
    """Returns the cards of a player; those that the last hint is about in a frame."""
    here = player == position.to_move and not position.is_terminal()
    _, y = middle(position, player, 0)
    ink = palette.INK if here else palette.MUTED
    shapes: list[Shape] = [Text(0, y, position.side_names[player], 13, ink, "start")]
    told = told_to(position)
    for place in range(position.held):
        x, y = middle(position, player, place)
        slot, kind = position.slot(player, place), position.card(player, place) - 1
        if slot == 0:
            shapes.append(dashed(x, y, WIDE / 2, HIGH / 2, 1.2))
            continue
        if kind >= 0:
            shapes += face(x, y, kind, position)
        else:
            shapes += back(x, y, position.card_name(player, place))
        if marked and player == told and position.last >> POINTED + place & 1:
            shapes.append(frame(x, y))
        shapes += known(position, player, place)
    return shapes


def told_to(position: Hanabi) -> int:
    """Returns the player who got a hint in the last move; -1 if it was none."""
    if position.turns == 0 or position.last >> POINTED == 0:
        return -1
    action = position.move_made(position.turns - 1)
    return (position.turns - 1 + position.offset(action)) % position.players


def back(x: float, y: float, name: str) -> list[Shape]:
    """Returns a card that is not seen, with what was told of it."""
    colour = LETTERS.find(name[0])
    fill, rim = SUITS[colour] if colour >= 0 else (palette.POINT, palette.WOOD_LINE)
    body = Rect(x - WIDE / 2, y - HIGH / 2, WIDE, HIGH, 5, fill, rim, 1.5)
    words = "?" if name == "??" else name
    return [body, Text(x, y, words, 17, palette.text_on(fill))]


def known(position: Hanabi, player: int, place: int) -> list[Shape]:
    """Returns the colours and ranks that a card may have by hints, where some are ruled out."""
    x, y = middle(position, player, place)
    words = position.possible(player, place)
    colours = "".join(c for c in words if c in LETTERS)
    ranks = words[len(colours) :]
    shapes: list[Shape] = []
    for line, (text, most) in enumerate(((colours, position.colours), (ranks, position.ranks))):
        if len(text) < most:
            shapes.append(Text(x, y + HIGH / 2 + 9 + 11 * line, text, 10, palette.MUTED))
    return shapes


def places(position: Hanabi) -> dict[int, Place]:
    """Returns a box for each legal move, at the right of the hand that it is about."""
    if position.to_move == CHANCE or position.is_terminal():
        return {}
    left = boxes_left(position)
    found = {}
    for action in position.legal_actions():
        player, row, column = position.to_move, 0, action % position.held
        if action < 2 * position.held:
            row, name = 1 - action // position.held, "abcde"[column]
        else:
            player, value = position.told_player(action), position.told(action)
            row = 0 if value < position.colours else 1
            column = value - row * position.colours
            name = position.value_name(value) if row else LETTERS[value]
        y = TOP + player * ROW + 4 + (row + 0.5) * (BOX + 2)
        found[action] = Place(left + (column + 0.5) * BOX, y, BOX / 2 - 1.5, "square", name)
    return found


def clicks(position: Hanabi) -> dict[int, tuple[Target, ...]]:
    """Returns boxes without room between them."""
    return enlarged(places(position), BOX / 2, BOX / 2 + 1)


def box(position: Hanabi, action: int, place: Place) -> list[Shape]:
    """Returns the box of a move: a colour or a rank to tell, or the letter of an own card."""
    fill, rim = palette.CELL, palette.GRID
    ink: str = palette.INK
    if action >= 2 * position.held and position.told(action) < position.colours:
        fill, rim = SUITS[position.told(action)]
        ink = palette.text_on(fill)
    shapes: list[Shape] = [
        place.outline(0, fill, rim, 1),
        Text(place.x, place.y, place.name, 15, ink),
    ]
    if action in (0, position.held):
        x = boxes_left(position) - 4
        word = ("discard", "play")[action // position.held]
        shapes.append(Text(x, place.y, word, 11, palette.MUTED, "end"))
    elif action >= 2 * position.held and position.told(action) in first_told(position, action):
        shapes.append(Text(boxes_left(position) - 4, place.y, "tell", 11, palette.MUTED, "end"))
    return shapes


def first_told(position: Hanabi, action: int) -> tuple[int, int]:
    """Returns the first colour and the first rank that the player of a hint may be told."""
    offset = position.offset(action)
    values = range(position.colours + position.ranks)
    legal = [value for value in values if position.legal(position.hint(offset, value))]
    ranks = [value for value in legal if value >= position.colours]
    return legal[0], ranks[0]


def miniature(position: Hanabi) -> Miniature | None:
    """Returns the top ranks of the fireworks, side by side."""
    width = 14 * position.colours + 4
    shapes: list[Shape] = []
    for colour in range(position.colours):
        fill, rim = SUITS[colour]
        x = (colour + 0.5) * 14 - 7 * position.colours
        shapes.append(square(x, 0, 6, 2, fill, rim, 1))
        shapes.append(Text(x, 0, str(position.built(colour)), 10, palette.text_on(fill)))
    return Miniature(width, 18, shapes)


register_picture(Hanabi, Picture(draw=draw, places=places, clicks=clicks, miniature=miniature))
