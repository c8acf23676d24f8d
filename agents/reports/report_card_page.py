"""Makes pages of report cards: how well an agent plays, by exact values, its worst blunders.

Where players do not see everything: what a perfect opponent takes from agents, and where. Pages are
made of what ``to_dict`` of a card returns, also if it was read from a file of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from adv_envs import Position
from adv_envs.formats import game_texts
from adv_envs.pictures import draw, places
from adv_envs.pictures.palette import HALO, ON_DARK, Colour
from adv_envs.pictures.shapes import Circle, Line, Shape
from adv_envs.pictures.svg import palette_rules, to_svg
from adv_envs.registry import position_of, start_position, title
from agents.best_play import SAME
from agents.grading.evaluator import BINS
from agents.grading.exploitability_card import HiddenReport
from agents.grading.report_card import OPPONENTS, RecordCard, ReportCard

from .page import markup, render

Data = Mapping[str, Any]
Addresses = Callable[[Position], str | None]
"""Where the board of the game with a start position is, of pages of a server."""


def report_card_html(card: ReportCard) -> str:
    """Returns the page of ``card``; ImportError, which says what to install, without Jinja."""
    positions = [blunder.answer.test.position for blunder in card.blunders]
    return render("report_card.html.j2", **card_values(card.to_dict(), card.start, positions))


def graded_games_html(card: RecordCard) -> str:
    """Returns the page of graded games; ImportError as ``report_card_html``."""
    positions = [blunder.answer.test.position for blunder in card.blunders]
    return render("graded_games.html.j2", **record_values(card.to_dict(), card.start, positions))


def start_of_card(data: Data) -> Position:
    """Returns the start position of a card's game; ValueError for what is no card."""
    try:
        return start_position(data["game"], **data["parameters"])
    except TypeError as error:
        raise ValueError(str(error)) from None


def card_values(
    data: Data,
    start: Position | None = None,
    positions: Sequence[Position] | None = None,
    address: Addresses | None = None,
) -> dict[str, Any]:
    """Returns what the template of report cards needs of the data of one.

    ``start``, and ``positions`` of the blunders, are read from the data if they are not given.
    """
    start = start or start_of_card(data)
    found, in_points = data["calibration"], data["positions"]["in_points"]
    return {
        **shared_values(data, start, in_points, positions, address),
        "agent": data["agent"],
        "has_chance": start.has_chance,
        "sections": sections(data),
        "models": data.get("models") or [],
        "chart": None if found is None else markup(calibration_chart(found["bins"])),
    }


def record_values(
    data: Data,
    start: Position | None = None,
    positions: Sequence[Position] | None = None,
    address: Addresses | None = None,
) -> dict[str, Any]:
    """Returns what the template of graded games needs of their data; see ``card_values``."""
    start, in_points = start or start_of_card(data), data["in_points"]
    return {
        **shared_values(data, start, in_points, positions, address),
        "names": names,
        "lost": lambda points: lost_in_words(points, start, in_points),
    }


def sections(data: Data) -> list[tuple[str, list[tuple[str, Data]]]]:
    """Returns the groups of answers that get bars and numbers, with their headings."""
    own = [(said, data["games"][who]) for who, said in OPPONENTS.items() if who in data["games"]]
    groups = [
        ("", [("all positions", data["overall"])]),
        ("by phase of the game", list(data["phases"].items())),
        ("by difficulty", list(data["difficulties"].items())),
        ("in its own games", own),
    ]
    return [(heading, rows) for heading, rows in groups if rows]


def shared_values(
    data: Data,
    start: Position,
    in_points: bool,
    positions: Sequence[Position] | None,
    address: Addresses | None,
) -> dict[str, Any]:
    """Returns what both templates need, mistakes among it."""
    blunders = data["blunders"]
    if positions is None:
        positions = [position_of(blunder["position"]) for blunder in blunders]
    board = None if address is None else address(start)
    return {
        "card": data,
        "game": title(start),
        "blunders": [
            shown(blunder, position, start, in_points, board)
            for blunder, position in zip(blunders, positions, strict=True)
        ],
        "picture_rules": markup(palette_rules()),
    }


def shown(
    blunder: Data, position: Position, start: Position, in_points: bool, board: str | None
) -> dict[str, Any]:
    """Returns what the page shows of a mistake; ``board`` is where its position can be analysed."""
    wrong = blunder["lost"] > SAME
    best = blunder["right"] if wrong else blunder["strongest"]
    known = blunder["moves"] or position == start
    played, *others = map(position.action, (blunder["played"], *best))
    return {
        "picture": markup(marked_board(position, others, played)),
        "played": blunder["played"],
        "best": names(best),
        "kind": "right" if wrong else "stronger",
        "lost": lost_in_words(blunder["lost"], start, in_points)
        if wrong
        else f"score {blunder['lost_score']:g}",
        "source": blunder["source"],
        "text": game_texts.write_position(position),
        "moves": blunder["moves"] or ("the start" if position == start else ""),
        "phase": blunder["phase"],
        "number": f"{len(best)} of {len(position.legal_actions())}",
        "address": f"{board}#moves={quote(blunder['moves'])}" if board and known else None,
    }


def names(moves: Collection[str], most: int = 10) -> str:
    """Returns the names of moves, at most ``most`` of them."""
    more = f" and {len(moves) - most} more" if len(moves) > most else ""
    return ", ".join(list(moves)[:most]) + more


def lost_in_words(lost: float, start: Position, in_points: bool) -> str:
    """Returns what a mistake costs, in words."""
    if not in_points:
        return f"{lost:g} of utility"
    if start.has_chance:
        return f"{100 * lost:.1f} % of the chance to win"
    return "the game" if lost > 0.75 else "half a point"


# ---- cards of hidden information

WORST = 6
"""Information sets of each agent that are drawn."""


def exploitability_html(report: HiddenReport) -> str:
    """Returns the page of ``report``; ImportError, which says what to install, without Jinja."""
    data = report.to_dict()
    views = [[found.view for found in card.sets[:WORST]] for card in report.cards]
    return render("exploitability.html.j2", **hidden_values(data, report.start, views))


def hidden_values(
    data: Data, start: Position | None = None, views: Sequence[Sequence[Position]] | None = None
) -> dict[str, Any]:
    """Returns what the template needs of the data of a report.

    ``start`` and ``views``, those of the first sets of each agent, are read from the data if they
    are not given.
    """
    start = start or start_of_card(data)
    cards = data["agents"]
    if views is None:
        views = [[position_of(found["view"]) for found in worst(card)] for card in cards]
    return {
        "report": data,
        "game": title(start),
        "phases": list(cards[0]["phases"]),
        "bars": bars(cards),
        "galleries": [
            (card, [shown_set(found, view) for found, view in zip(worst(card), seen, strict=False)])
            for card, seen in zip(cards, views, strict=True)
        ],
        "picture_rules": markup(palette_rules()),
    }


def shown_set(found: Data, view: Position) -> dict[str, Any]:
    """Returns what the page shows of an information set."""
    likely = sorted(found["probabilities"].items(), key=lambda item: -item[1])
    best = next(a for a in view.legal_actions() if view.name(a) == found["best"])
    return {
        "found": found,
        "picture": markup(marked_board(view, (best,), None)),
        "plays": [(name, share) for name, share in likely if share >= 0.005],
        "best": found["best"],
    }


def bars(cards: Sequence[Data]) -> list[list[float]]:
    """Returns the parts of each agent's bar by phase, in percent of the longest bar."""
    longest = max(1e-9, *(card["nash_conv"] for card in cards))
    return [[100 * lost / longest for lost in card["phases"].values()] for card in cards]


def worst(card: Data) -> list[Data]:
    """Returns the most expensive information sets: the first ones."""
    return [
        found for found in card["sets"][:WORST] if max(found["loss"], found["taken"] or 0.0) > 1e-9
    ]


# ---- pictures

RIGHT = Colour("#12805c", "#3fb68b")
"""Around right moves."""
RIGHT_DISC, WRONG_DISC = "#12805d", "#c0262d"
"""On the move that was made."""

SIDE, LEFT, TOP, BELOW = 300.0, 44.0, 12.0, 92.0
"""The side of the square, and the space at its left, above and below it, in pixels."""

COUNTS = 36.0
"""Height of the tallest bar of the counts."""


def calibration_chart(bins: Sequence[Mapping[str, Any]]) -> str:
    """Draws claimed against true chances of winning as SVG: a dot with interval for each bin.

    Bars below show the number of claims in each bin. Dots on the diagonal are right. The colours
    are classes of the page.
    """

    def x(claimed: float) -> float:
        return LEFT + SIDE * claimed

    def y(true: float) -> float:
        return TOP + SIDE * (1 - true)

    width, height, parts = LEFT + SIDE + 12, TOP + SIDE + BELOW, list[str]()
    for chance in (0.0, 0.25, 0.5, 0.75, 1.0):
        below = f'x="{x(chance):g}" y="{TOP + SIDE + 16:g}" text-anchor="middle"'
        beside = f'x="{LEFT - 6:g}" y="{y(chance) + 4:g}" text-anchor="end"'
        parts += [f"<text {place}>{chance:g}</text>" for place in (below, beside)]
    most, bottom = max(each["true"]["n"] for each in bins), height - 4
    for each in bins:
        claimed, true = each["claimed"], each["true"]
        at, low, high = x(claimed), y(true["low"]), y(true["high"])
        tip = f"claimed {claimed:.2f}, true {true['value']:.2f}, {true['n']} positions"
        left = x(min(int(claimed * BINS), BINS - 1) / BINS) + 1
        tall = max(1.5, COUNTS * true["n"] / most)
        parts += [
            f'<g><title>{tip}</title><line class="interval" x1="{at:.1f}" y1="{low:.1f}" '
            f'x2="{at:.1f}" y2="{high:.1f}"/>',
            f'<circle class="dot" cx="{at:.1f}" cy="{y(true["value"]):.1f}" r="5"/></g>',
            f'<rect class="count" x="{left:.1f}" y="{bottom - tall:.1f}" '
            f'width="{SIDE / BINS - 2:g}" height="{tall:.1f}"/>',
        ]
    words = "claimed chances of winning against the true ones"
    return (
        f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{words}">'
        f'<rect class="frame" x="{LEFT:g}" y="{TOP:g}" width="{SIDE:g}" height="{SIDE:g}"/>'
        f'<line class="ideal" x1="{x(0):g}" y1="{y(0):g}" x2="{x(1):g}" y2="{y(1):g}"/>'
        f'<text x="{x(0.5):g}" y="{TOP + SIDE + 33:g}" text-anchor="middle">claimed chance</text>'
        f'<text transform="translate(12 {y(0.5):g}) rotate(-90)" text-anchor="middle">true chance'
        f"</text>{''.join(parts)}</svg>"
    )


# ---- boards


def marked_board(position: Position, right: Collection[int], played: int | None) -> str:
    """Draws the position as SVG: right moves framed, a disc with a cross on the one made.

    Moves that have no place on the picture are not marked. The SVG is for use inside a page of
    HTML, which needs no namespace, and has the rules of the colours.
    """
    drawing, where = draw(position), places(position)
    shapes: list[Shape] = []
    for place in (where[action] for action in right if action in where):
        # a frame in the form of the place, between two paler ones that are seen on any ground
        line = max(3.0, 0.16 * place.half)
        for colour, width in ((HALO, line + 4), (RIGHT, line)):
            shapes.append(place.outline(line / 2 + 2, None, colour, width))
    if played in where:  # a disc with a cross in the middle of the place, unlike any stone
        x, y = where[played].x, where[played].y
        radius = 0.45 * min(where[played].half, 2 * where[played].high)
        disc = RIGHT_DISC if played in right else WRONG_DISC
        shapes.append(Circle(x, y, radius, disc, ON_DARK, 1.5))
        arm, line = 0.42 * radius, max(1.5, 0.2 * radius)
        for s in (1, -1):
            shapes.append(Line(((x - arm, y - s * arm), (x + arm, y + s * arm)), ON_DARK, line))
    text = to_svg(drawing._replace(shapes=[*drawing.shapes, *shapes]))
    return re.sub(' xmlns="[^"]*"|<style>.*?</style>', "", text)
