"""The report card as a page: one file that needs no network, on a phone, in light and dark."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from adv_envs import Position, name_of
from agents.grading.card import OPPONENTS, Blunder, ReportCard
from agents.grading.marks import Marks
from agents.grading.positions import parameters
from agents.grading.question import SAME
from agents.grading.record import RecordCard
from agents.grading.statistics import Estimate

from .blunder_pictures import marked
from .charts import calibration_chart


def html(card: ReportCard) -> str:
    """The page of ``card``; ImportError, which says what to install, without Jinja."""
    from markupsafe import Markup

    found = card.calibration
    return render(
        "card.html.j2",
        card=card,
        game=title(card.start),
        agent=card.agent,
        sections=sections(card),
        chart=None if found is None else Markup(calibration_chart(found)),
        blunders=[
            shown(blunder, card.start, card.positions.in_points) for blunder in card.blunders
        ],
    )


def record_html(card: RecordCard) -> str:
    """The page of graded games; ImportError as ``html``."""
    return render(
        "record.html.j2",
        card=card,
        game=title(card.start),
        blunders=[shown(blunder, card.start, card.in_points) for blunder in card.blunders],
    )


def render(template: str, **values: Any) -> str:
    """A template of this folder, filled in; what comes from outside is escaped."""
    return str(environment().get_template(template).render(**values))


@cache
def environment() -> Any:
    """Jinja with the templates of report cards."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError("pages need Jinja: pip install 'adv-envs[lab]'") from error
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates" / "card"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"percent": percent, "between": between, "seconds": seconds, "number": short}
    found.filters["names"] = names
    found.filters["lost"] = lambda lost, card: lost_in_words(lost, card.start, card.in_points)
    return found


def sections(card: ReportCard) -> list[tuple[str, list[tuple[str, Marks]]]]:
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
    """What the page tells of a mistake."""
    from markupsafe import Markup

    answer, question = blunder.answer, blunder.answer.question
    position = question.position
    wrong = answer.lost > SAME
    best = question.right if wrong else question.strongest
    return {
        "picture": Markup(marked(position, best, answer.action)),
        "played": position.name(answer.action or 0),
        "best": names(position, best),
        "kind": "right" if wrong else "stronger",
        "lost": lost_in_words(answer.lost, start, in_points)
        if wrong
        else f"score {answer.lost_score:g}",
        "source": blunder.source,
        "moves": question.moves or ("the start" if position == start else ""),
        "phase": question.phase,
        "number": f"{len(best)} of {len(question.move_values)}",
    }


def names(position: Position, actions: tuple[int, ...], most: int = 10) -> str:
    """Moves by name, at most so many of them."""
    more = f" and {len(actions) - most} more" if len(actions) > most else ""
    return ", ".join(map(position.name, actions[:most])) + more


def lost_in_words(lost: float, start: Position, in_points: bool) -> str:
    """What a mistake costs."""
    if not in_points:
        return f"{lost:g} of utility"
    if start.has_chance:
        return f"{100 * lost:.1f} % of the chance to win"
    return "the game" if lost > 0.75 else "half a point"


def title(position: Position) -> str:
    """The game and those of its parameters that are not usual: "hex, size=7"."""
    usual = type(position)()
    shown = [f"{k}={v}" for k, v in parameters(position).items() if v != getattr(usual, k)]
    return ", ".join([name_of(position).replace("_", " "), *shown])


# ---- numbers


def percent(value: float | None, digits: int = 1) -> str:
    """A share: "92.3 %"."""
    return "–" if value is None else f"{100 * value:.{digits}f}\N{NO-BREAK SPACE}%"


def between(estimate: Estimate, factor: float = 100, digits: int = 1) -> str:
    """An interval: "87.7–95.3"."""
    return f"{factor * estimate.low:.{digits}f}–{factor * estimate.high:.{digits}f}"


def seconds(estimate: Estimate | None) -> str:
    """A time: "0.45 ms"."""
    if estimate is None:
        return "–"
    return f"{estimate.value:.3g} s" if estimate.value >= 1 else f"{1000 * estimate.value:.3g} ms"


def short(value: float | None) -> str:
    """A number with two digits."""
    return "–" if value is None else f"{value:.2f}"
