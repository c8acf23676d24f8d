"""Report cards as pages: how well an agent plays, by exact values, with its worst blunders.

They are made of what ``to_dict`` of a card returns, also if it was read from a file of JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from adv_envs import Position
from adv_envs.pictures.svg import palette_rules
from adv_envs.registry import position_of, start_position, title
from agents.grading.graded_games import RecordCard
from agents.grading.position_sets import SAME
from agents.grading.report_card import OPPONENTS, ReportCard

from .charts import calibration_chart, marked_board
from .page import markup, render

Data = Mapping[str, Any]
Addresses = Callable[[Position], str | None]
"""Where the board of the game with a start position is, of pages of a server."""


def report_card_html(card: ReportCard) -> str:
    """The page of ``card``; ImportError, which says what to install, without Jinja."""
    positions = [blunder.answer.test.position for blunder in card.blunders]
    return render("report_card.html.j2", **card_values(card.to_dict(), card.start, positions))


def graded_games_html(card: RecordCard) -> str:
    """The page of graded games; ImportError as ``report_card_html``."""
    positions = [blunder.answer.test.position for blunder in card.blunders]
    return render("graded_games.html.j2", **record_values(card.to_dict(), card.start, positions))


def start_of_card(data: Data) -> Position:
    """The start position of the game that a card is about; ValueError for what is no card."""
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
    """What the template of report cards needs of the data of one.

    ``start``, and ``positions`` of the blunders, are read from the data if they are not given.
    """
    start = start or start_of_card(data)
    found, in_points = data["calibration"], data["positions"]["in_points"]
    return {
        "card": data,
        "game": title(start),
        "agent": data["agent"],
        "has_chance": start.has_chance,
        "sections": sections(data),
        "chart": None if found is None else markup(calibration_chart(found["bins"])),
        "blunders": all_shown(data["blunders"], start, in_points, positions, address),
        "picture_rules": markup(palette_rules()),
    }


def record_values(
    data: Data,
    start: Position | None = None,
    positions: Sequence[Position] | None = None,
    address: Addresses | None = None,
) -> dict[str, Any]:
    """What the template of graded games needs of their data; see ``card_values``."""
    start = start or start_of_card(data)
    in_points = data["in_points"]
    return {
        "card": data,
        "game": title(start),
        "blunders": all_shown(data["blunders"], start, in_points, positions, address),
        "names": names,
        "lost": lambda points: lost_in_words(points, start, in_points),
        "picture_rules": markup(palette_rules()),
    }


def sections(data: Data) -> list[tuple[str, list[tuple[str, Data]]]]:
    """The groups of answers that get bars and numbers, with their headings."""
    own = [(said, data["games"][who]) for who, said in OPPONENTS.items() if who in data["games"]]
    groups = [
        ("", [("all positions", data["overall"])]),
        ("by phase of the game", list(data["phases"].items())),
        ("by difficulty", list(data["difficulties"].items())),
        ("in its own games", own),
    ]
    return [(heading, rows) for heading, rows in groups if rows]


def all_shown(
    blunders: Sequence[Data],
    start: Position,
    in_points: bool,
    positions: Sequence[Position] | None,
    address: Addresses | None,
) -> list[dict[str, Any]]:
    """What the page shows of each mistake."""
    if positions is None:
        positions = [position_of(blunder["position"]) for blunder in blunders]
    board = None if address is None else address(start)
    return [
        shown(blunder, position, start, in_points, board)
        for blunder, position in zip(blunders, positions, strict=True)
    ]


def shown(
    blunder: Data, position: Position, start: Position, in_points: bool, board: str | None
) -> dict[str, Any]:
    """What the page shows of a mistake; ``board`` is where its position can be analysed."""
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
        "moves": blunder["moves"] or ("the start" if position == start else ""),
        "phase": blunder["phase"],
        "number": f"{len(best)} of {len(position.legal_actions())}",
        "address": f"{board}#moves={quote(blunder['moves'])}" if board and known else None,
    }


def names(moves: Collection[str], most: int = 10) -> str:
    """Names of moves, at most ``most`` of them."""
    more = f" and {len(moves) - most} more" if len(moves) > most else ""
    return ", ".join(list(moves)[:most]) + more


def lost_in_words(lost: float, start: Position, in_points: bool) -> str:
    """What a mistake costs, in words."""
    if not in_points:
        return f"{lost:g} of utility"
    if start.has_chance:
        return f"{100 * lost:.1f} % of the chance to win"
    return "the game" if lost > 0.75 else "half a point"
