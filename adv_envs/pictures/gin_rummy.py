"""Draws gin rummy: both hands, sorted by their melds, with the stock and the pile between them.

The top left is (0, 0), the hand of player 1 above, that of player 0 below.
"""

from __future__ import annotations

from adv_envs.bits import count
from adv_envs.games.gin_rummy import (
    DISCARD,
    DRAW,
    DRAWN,
    KNOCK,
    STOCK,
    TAKE,
    TAKEN,
    GinRummy,
    cards_of,
    deadwood_of,
    meld_lists,
)
from adv_envs.games.gin_rummy_words import card_name

from . import palette
from .cards import RATIO, card_fan, playing_card_shapes
from .picture import Miniature, Picture, Place, Target, card, outcome, register_picture
from .shapes import Drawing, Rect, Shape, Text

WIDE = 46
HIGH = RATIO * WIDE
PITCH, GAP = 33, 9
"""How far apart cards of a meld are, and what is between the melds."""
LABEL = 22
ROOM = 452
"""The width of the table."""
MIDDLE = LABEL + HIGH + 22 + HIGH / 2
"""The height of the middle of the stock."""
BELOW = MIDDLE + HIGH / 2 + 34
"""Where the lower hand begins, with its label."""
STOCK_AT, PILE_AT = 0.36 * ROOM, 0.64 * ROOM


def top_of(player: int) -> float:
    """Returns where the cards of a hand begin."""
    return LABEL if player == 1 else BELOW + LABEL


def groups_of(position: GinRummy, player: int) -> list[list[str]]:
    """Returns what is seen of a hand: its melds, then the deadwood; "?" for what is hidden."""
    hand = position.hand(player)
    hidden = position.hand_length(player) - count(hand)
    if hidden > 0:
        return [[*map(card_name, cards_of(hand)), *["?"] * hidden]]
    melds, rest = meld_lists(hand)
    return [[card_name(c) for c in group] for group in [*melds, rest] if group]


def spots(position: GinRummy, player: int) -> list[tuple[float, str]]:
    """Returns the middle of each card of a hand, and the card, from the left."""
    found, left = list[tuple[float, str]](), WIDE / 2
    for group in groups_of(position, player):
        for name in group:
            found.append((left, name))
            left += PITCH
        left += WIDE - PITCH + GAP
    wide = found[-1][0] + WIDE / 2 if found else 0
    return [(x + (ROOM - wide) / 2, name) for x, name in found]


def new_card(position: GinRummy) -> str:
    """Returns the card that the last move has brought into a hand or onto the pile, if it shows."""
    if position.stage == DRAWN:
        drawn = position.drawn(position.turn)
        return card_name(drawn[-1]) if drawn else ""
    if position.stage == TAKEN:
        return card_name(position.latest())
    return card_name(position.latest()) if position.stage != STOCK and position.pile else ""


def draw(position: GinRummy, last: int | None = None) -> Drawing:
    """Returns the table, the latest card in a frame unless ``last`` is None."""
    new = new_card(position) if last is not None else ""
    shapes = [*draw_middle(position, new)]
    for player in (0, 1):
        shapes += draw_hand(position, player, new)
    return card(shapes, (0, 0, ROOM, BELOW + LABEL + HIGH), outcome(position)[0])


def draw_hand(position: GinRummy, player: int, new: str) -> list[Shape]:
    """Returns a hand below its label; at the end its deadwood is pale."""
    over = position.is_terminal()
    top, here = top_of(player), position.to_move == player and not over
    ink = palette.INK if here else palette.MUTED
    shapes: list[Shape] = [
        Text(0, top - 14, position.side_names[player], 15, ink, "start"),
        Text(ROOM, top - 14, words_on(position, player), 14, ink, "end"),
    ]
    rest = meld_lists(position.hand(player))[1] if over else []
    pale = {card_name(c) for c in rest}
    y = top + HIGH / 2
    for x, name in spots(position, player):
        shapes += playing_card_shapes(x, y, WIDE, name, framed=name == new, pale=name in pale)
    return shapes


def words_on(position: GinRummy, player: int) -> str:
    """Returns the deadwood of a hand that is seen; at the end what was won, too."""
    hand = position.hand(player)
    if not hand or position.hand_length(player) > count(hand):
        return ""
    if position.is_terminal():
        left = position.final_deadwood(player)
        return f"deadwood {left}, {position.utility(player):+.4g}"
    return f"deadwood {deadwood_of(hand)}"


def draw_middle(position: GinRummy, new: str) -> list[Shape]:
    """Returns the stock and the pile, with how many cards they have."""
    top = position.top()
    name = card_name(top) if top >= 0 else ""
    y = MIDDLE + HIGH / 2 + 14
    shapes: list[Shape] = []
    for offset in (4, 2) if position.stock > 2 else ():
        left, above = STOCK_AT - WIDE / 2 + offset, MIDDLE - HIGH / 2 + offset
        shapes.append(Rect(left, above, WIDE, HIGH, 5, palette.BLUE, palette.BLUE_RIM, 1.2))
    shapes += playing_card_shapes(STOCK_AT, MIDDLE, WIDE, "?" if position.stock > 0 else "")
    shapes += playing_card_shapes(PILE_AT, MIDDLE, WIDE, name, framed=name != "" and name == new)
    shapes.append(Text(STOCK_AT, y, f"stock {position.stock}", 13, palette.MUTED))
    shapes.append(Text(PILE_AT, y, f"pile {count(position.pile)}", 13, palette.MUTED))
    if position.ply >= position.dealt_to(0) + position.dealt_to(1):
        limit = f"knock with {position.limit}" if position.limit else "gin only"
        shapes.append(Text(ROOM, y, limit, 13, palette.MUTED, "end"))
    return shapes


def card_targets(position: GinRummy) -> dict[str, Target]:
    """Returns what is seen of each card of the hand to move, as things to click."""
    player, found = position.turn, dict[str, Target]()
    places, y = spots(position, player), top_of(player) + HIGH / 2
    for at, (x, name) in enumerate(places):
        following = places[at + 1][0] if at + 1 < len(places) else x + WIDE
        wide = min(WIDE, following - x)
        found[name] = Target(x - WIDE / 2 + wide / 2, y, wide / 2, HIGH / 2, label=name)
    return found


def pile_targets() -> dict[int, Target]:
    """Returns the stock and the pile as things to click."""
    stock = Target(STOCK_AT, MIDDLE, WIDE / 2, HIGH / 2, label="stock")
    return {DRAW: stock, TAKE: Target(PILE_AT, MIDDLE, WIDE / 2, HIGH / 2, label="pile")}


def clicks(position: GinRummy) -> dict[int, tuple[Target, ...]]:
    """Returns the stock, the pile, or a card: a discard, or a knock with it."""
    if position.is_terminal() or position.to_move < 0:
        return {}
    cards, piles = card_targets(position), pile_targets()
    found: dict[int, tuple[Target, ...]] = {}
    for action in position.legal_actions():
        if action >= DISCARD:
            found[action] = (cards[card_name((action - DISCARD) % (KNOCK - DISCARD))],)
        elif action in piles:
            found[action] = (piles[action],)
    return found


def places(position: GinRummy) -> dict[int, Place]:
    """Returns the places of what is clicked; a knock has none, as its card is that of a discard."""
    found = clicks(position)
    return {
        action: Place(target.x, target.y, min(target.wide, 15), "square", target.label)
        for action, (target,) in found.items()
        if action < KNOCK
    }


def labels(position: GinRummy) -> dict[int, str]:
    """Returns what buttons say of discards, knocks and ways to get a card."""
    if position.is_terminal() or position.to_move < 0:
        return {}
    words = {DRAW: "draw from the stock", TAKE: "take the upcard"}
    for action in position.legal_actions():
        if action >= KNOCK:
            words[action] = f"knock with {card_name(action - KNOCK)}"
        elif action >= DISCARD:
            words[action] = f"discard {card_name(action - DISCARD)}"
    return words


def miniature(position: GinRummy) -> Miniature | None:
    """Returns the hand of the player whose turn it is; None for large hands."""
    names = [name for group in groups_of(position, position.turn) for name in group]
    if len(names) > 6 or not names:
        return None
    return Miniature(18 * len(names), 23, card_fan(0, 0, 16, names, 18))


register_picture(
    GinRummy, Picture(draw=draw, places=places, clicks=clicks, labels=labels, miniature=miniature)
)
