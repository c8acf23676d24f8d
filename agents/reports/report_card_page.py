"""Report cards as pages: how well an agent plays, by exact values, with its worst blunders."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from adv_envs import Position
from adv_envs.registry import title
from agents.grading.graded_games import RecordCard
from agents.grading.metrics import Metrics
from agents.grading.position_sets import SAME
from agents.grading.report_card import OPPONENTS, Blunder, ReportCard

from .charts import calibration_chart, marked_board
from .page import markup, render


def report_card_html(card: ReportCard) -> str:
    """The page of ``card``; ImportError, which says what to install, without Jinja."""
    found = card.calibration
    return render(
        "report_card.html.j2",
        card=card,
        game=title(card.start),
        agent=card.agent,
        sections=sections(card),
        chart=None if found is None else markup(calibration_chart(found)),
        blunders=[
            shown(blunder, card.start, card.positions.in_points) for blunder in card.blunders
        ],
    )


def graded_games_html(card: RecordCard) -> str:
    """The page of graded games; ImportError as ``report_card_html``."""
    return render(
        "graded_games.html.j2",
        card=card,
        game=title(card.start),
        blunders=[shown(blunder, card.start, card.in_points) for blunder in card.blunders],
        names=names,
        lost=lambda points: lost_in_words(points, card.start, card.in_points),
    )


def sections(card: ReportCard) -> list[tuple[str, list[tuple[str, Metrics]]]]:
    """The groups of answers that get bars and numbers, with their headings."""
    own = [(OPPONENTS[who], found) for who, found in card.games.items()]
    groups = [
        ("", [("all positions", card.overall)]),
        ("by phase of the game", list(card.phases.items())),
        ("by difficulty", list(card.difficulties.items())),
        ("in its own games", own),
    ]
    return [(heading, rows) for heading, rows in groups if rows]


def shown(blunder: Blunder, start: Position, in_points: bool) -> dict[str, Any]:
    """What the page shows of a mistake."""
    answer, test = blunder.answer, blunder.answer.test
    position = test.position
    wrong = answer.lost > SAME
    best = test.right if wrong else test.strongest
    return {
        "picture": markup(marked_board(position, best, answer.action)),
        "played": position.name(answer.action or 0),
        "best": names(position, best),
        "kind": "right" if wrong else "stronger",
        "lost": lost_in_words(answer.lost, start, in_points)
        if wrong
        else f"score {answer.lost_score:g}",
        "source": blunder.source,
        "moves": test.moves or ("the start" if position == start else ""),
        "phase": test.phase,
        "number": f"{len(best)} of {len(test.move_values)}",
    }


def names(position: Position, actions: Collection[int], most: int = 10) -> str:
    """Moves by name, at most ``most`` of them."""
    more = f" and {len(actions) - most} more" if len(actions) > most else ""
    return ", ".join(map(position.name, list(actions)[:most])) + more


def lost_in_words(lost: float, start: Position, in_points: bool) -> str:
    """What a mistake costs, in words."""
    if not in_points:
        return f"{lost:g} of utility"
    if start.has_chance:
        return f"{100 * lost:.1f} % of the chance to win"
    return "the game" if lost > 0.75 else "half a point"
