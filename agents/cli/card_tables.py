"""Writes the tables that report cards have in common: metrics, and the worst mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from adv_envs.formats import game_texts
from adv_envs.position import Position

from .console import out, print_table, table

if TYPE_CHECKING:  # these need SciPy
    from agents.grading.evaluator import Metrics
    from agents.grading.position_sets import TestPosition
    from agents.grading.report_card import Blunder
    from agents.statistics import Interval

SPACE = "\N{NO-BREAK SPACE}"


def metrics_table(
    start: Position, rows: dict[str, Metrics], last: set[str], scores: bool, in_points: bool
) -> Table:
    """Returns a line for each group of answers; after those in ``last`` comes a rule."""
    loss = "% points lost" if in_points else "utility lost"
    if start.has_chance:
        loss = "% chance lost"
    columns = ["", "asked", "% right", *["% strongest"] * scores, loss]
    filled = table(*columns, *["score lost"] * scores, "random")
    filled.columns[1].justify = "right"
    for name, metrics in rows.items():
        cells = [str(metrics.positions), percent(metrics.kept, 0)]
        cells += [percent(metrics.strongest, 0)] * scores
        cells.append(percent(metrics.lost) if in_points else plain(metrics.lost))
        cells += [plain(metrics.lost_score)] * scores
        kept = metrics.random.kept
        cells.append("" if kept is None else f"{100 * kept:.1f}")
        filled.add_row(name, *cells, end_section=name in last)
    return filled


def percent(interval: Interval | None, digits: int = 1) -> str:
    """Returns a share with its interval, shown with ``digits`` decimals: "92.3 (88-95)"."""
    if interval is None:
        return ""
    ends = interval.ends(lambda end: f"{100 * end:.{digits}f}", "-")
    return f"{100 * interval.value:.1f}{SPACE}({ends})"


def plain(interval: Interval | None) -> str:
    """Returns a number with its interval."""
    if interval is None:
        return ""
    return f"{interval.value:.2f}{SPACE}({interval.ends('{:.1f}'.format, '-')})"


def seconds(interval: Interval) -> str:
    """Returns a time with its interval."""
    unit, factor = ("s", 1) if interval.value >= 1 else ("ms", 1000)
    ends = interval.ends(lambda end: f"{factor * end:.3g}", "-")
    return f"{factor * interval.value:.3g} {unit} ({ends})"


def print_blunders(found: tuple[Blunder, ...], start: Position, failed: bool) -> None:
    """Prints the worst mistakes."""
    if not found:
        if not failed:
            out().print("No mistake was seen.", style="bold")
        return
    texts = any(game_texts.write_position(each.answer.test.position) for each in found)
    listed = table(f"worst blunders: {'in' if texts else 'after'}", "played", "right", "lost")
    for blunder in found:
        test, answer = blunder.answer.test, blunder.answer
        name = test.position.name
        wrong = test.right if answer.lost > 1e-9 else test.strongest
        lost = f"{answer.lost:.3g}" if answer.lost > 1e-9 else f"score {answer.lost_score:g}"
        assert answer.action is not None  # a failure is no blunder
        listed.add_row(
            where(test, start), name(answer.action), few([name(action) for action in wrong]), lost
        )
    print_table(listed)


def where(test: TestPosition, start: Position) -> str:
    """Returns a position as people enter it elsewhere: its FEN, the moves to it, else its board."""
    if text := game_texts.write_position(test.position):
        return text
    beginning = "the start" if test.position == start else ""
    return test.moves or beginning or " ".join(str(test.position).split())


def few(names: list[str]) -> str:
    """Returns at most eight of these names."""
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return " ".join(names[:8]) + more
