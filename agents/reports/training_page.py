"""Makes the page of trainings: their learning curves side by side, and the last grades.

It is made of what a ``TrainingRun`` or a ``GradeLog`` writes into its folder: log.jsonl, a JSON
object for each grade, and run.json, which says how long the run is to be.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from .page import markup, round_numbers

MOST_RUNS = 12
"""Runs on a page."""
MOST_BYTES = 20_000_000
"""Bytes of a log that are read."""
MOST_POINTS = 400
"""Points of a curve; of more, some are left out."""
COUNTERS = ("steps", "seconds", "cpu_seconds", "steps_per_second")
"""What is in a log beside the grades and metrics."""


Band = tuple[float, float]
"""The ends of an interval, the lower first."""


@dataclass
class LoggedRun:
    """Holds what a training has written into its folder."""

    name: str
    lines: list[dict[str, float]] = field(default_factory=list)
    """The numbers of each grade; "steps" and "seconds" are among them."""
    bands: list[dict[str, Band]] = field(default_factory=list)
    """The intervals of each grade, by the names of its numbers, as far as it has some."""
    random: float | None = None
    """The share of mistakes of random moves at the positions of the last grade, if it is known."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was begun: "kind", "steps", "minutes", "in_percent"; empty if that is not known."""
    strange: int = 0
    """Lines that are no grades."""
    graded: float = 0.0
    """When it was graded last, in seconds since 1970."""

    @property
    def last(self) -> dict[str, float]:
        """Returns the numbers of the last grade."""
        return self.lines[-1] if self.lines else {}

    @property
    def total(self) -> float | None:
        """Returns the steps that it is to take."""
        found = number(self.about.get("steps"))
        return found if found is not None and found > 0 else None

    @property
    def complete(self) -> bool:
        """Returns whether it has reached its end."""
        minutes = number(self.about.get("minutes"))
        long = minutes is not None and self.last.get("seconds", 0.0) >= 60 * minutes
        return bool(self.lines) and (long or self.last["steps"] >= (self.total or math.inf))

    @property
    def seconds_left(self) -> float | None:
        """Estimates how much longer it will learn; None if that is not known."""
        seconds, minutes = self.last.get("seconds", 0.0), number(self.about.get("minutes"))
        aims = (self.total, self.last.get("steps")), (60 * (minutes or 0) or None, seconds)
        ends = [seconds * (end - done) / done for end, done in aims if end is not None and done]
        if self.complete or not ends:
            return None
        return max(0.0, min(ends) - max(0.0, time.time() - self.graded))

    def is_share(self, metric: str) -> bool:
        """Returns whether a metric is a share, from 0 to 1, that is shown in percent."""
        if not self.about.get("in_percent", True):
            return False
        return metric.startswith(("mistakes", "vs "))


def number(value: Any) -> float | None:
    """Returns a finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


# ---- reading


def read_runs(folders: Iterable[Path]) -> list[LoggedRun]:
    """Returns the runs of these folders, or of folders in them; OSError for what is not there."""
    found: list[LoggedRun] = []
    for folder in folders:
        if not folder.is_dir():
            raise FileNotFoundError(f"there is no folder {folder}")
        inside = sorted(path.parent for path in folder.glob("*/log.jsonl"))
        own = (folder / "log.jsonl").exists() or not inside
        found += [read_run(each) for each in ([folder] if own else inside)]
    return found[:MOST_RUNS]


def read_run(folder: Path) -> LoggedRun:
    """Reads the run of a folder; what is no grade is counted, and half a line left out."""
    run = LoggedRun(folder.name or str(folder))
    log = folder / "log.jsonl"
    if not log.is_file():
        return run
    if log.stat().st_size > MOST_BYTES:
        raise ValueError(f"{log} is too large for the log of a training")
    run.graded = log.stat().st_mtime
    for line in log.read_text("utf-8", "replace").splitlines(keepends=True):
        if not line.endswith("\n"):
            break
        add_grade(run, line)
    try:
        about = json.loads((folder / "run.json").read_text("utf-8"))
    except (OSError, ValueError):
        about = {}
    run.about = about if isinstance(about, dict) else {}
    return run


def add_grade(run: LoggedRun, line: str) -> None:
    """Adds a line of a log to a run, or counts it as strange if it is no grade."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    found = numbers(data)
    if found.get("steps", -1) < 0 or found.get("seconds", -1) < 0:
        run.strange += 1
        return
    intervals = intervals_of(data)
    if "random" in intervals:
        run.random = 1 - intervals.pop("random")[0]
    run.lines.append({name: value for name, (value, _, _) in intervals.items()} | found)
    run.bands.append({name: (low, high) for name, (_, low, high) in intervals.items()})


def intervals_of(line: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Returns the intervals of a grade by name: its number, and the lower and the upper end.

    Shares of moves that keep the value become those of "mistakes", as "kept end" "mistakes, end".
    """
    given, found = line.get("intervals"), {}
    for name, each in given.items() if isinstance(given, dict) else ():
        ends = numbers(each)
        if not {"value", "low", "high"} <= ends.keys():
            continue
        value, low, high = ends["value"], ends["low"], ends["high"]
        kept, _, phase = name.partition(" ")
        if kept == "kept":
            found[f"mistakes, {phase}" if phase else "mistakes"] = 1 - value, 1 - high, 1 - low
        else:
            found[name] = value, low, high
    return found


def numbers(data: Any) -> dict[str, float]:
    """Returns the numbers of a JSON object, by name."""
    if not isinstance(data, dict):
        return {}
    return {str(key): value for key, each in data.items() if (value := number(each)) is not None}


# ---- the page


def training_values(runs: Sequence[LoggedRun]) -> dict[str, Any]:
    """Returns what the template needs."""
    metrics: dict[str, None] = {}
    for run in runs:
        for line in run.lines[-1:]:
            metrics |= dict.fromkeys(key for key in line if key not in COUNTERS)
    first = "mistakes", "vs "
    order = sorted(metrics, key=lambda key: [not key.startswith(each) for each in first])
    charts = [
        {
            "metric": metric,
            "better": "less is better" * metric.startswith(("mistakes", "exploitability")),
            "svg": markup(learning_curves(metric, runs)),
            "last": [written(run.last.get(metric), run.is_share(metric)) for run in runs],
            "ends": [
                " to ".join(written(end, run.is_share(metric)) for end in band)
                for run in runs
                for band in [(run.bands or [{}])[-1].get(metric, ())]
            ],
        }
        for metric in order
    ]
    return {"runs": runs, "charts": charts, "bands": any(run.bands[-1:] != [{}] for run in runs)}


def written(value: float | None, share: bool) -> str:
    """Returns a number for a table or an axis."""
    if value is None:
        return "–"
    if share:
        return f"{100 * value:.1f} %"
    text = f"{value / 1e6:.3g} M" if abs(value) >= 1e6 else f"{value:,.0f}"
    return (f"{value:.4g}" if abs(value) < 1e4 else text).replace("-", "−")


Place = Callable[[float, float], tuple[float, float]]
"""Where in a picture a number is, after some steps."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BELOW = 340.0, 190.0, 46.0, 10.0, 10.0, 24.0


class Point(NamedTuple):
    """Holds a number after some steps, and its interval, or itself where it has none."""

    step: float
    value: float
    low: float
    high: float


def points_of(run: LoggedRun, metric: str) -> list[Point]:
    """Returns the curve of a run: at most MOST_POINTS of its grades, first and last among them."""
    points = [
        Point(line["steps"], line[metric], *bands.get(metric, (line[metric],) * 2))
        for line, bands in zip(run.lines, run.bands, strict=True)
        if metric in line
    ]
    if len(points) <= MOST_POINTS:
        return points
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return [points[round(i * step)] for i in range(MOST_POINTS)]


def learning_curves(metric: str, runs: Sequence[LoggedRun]) -> str:
    """Draws a metric over the steps of training as SVG, a curve for each run.

    Bands are its intervals, and a dashed line the mistakes of random moves.
    """
    curves = [points_of(run, metric) for run in runs]
    share = any(run.is_share(metric) for run in runs)
    at_random = {run.random for run in runs if metric == "mistakes" and run.random is not None}
    ys = [*at_random, *(y for curve in curves for point in curve for y in point[1:])]
    low, high = (0.0, 1.0) if metric.startswith("vs ") and share else ends(ys)
    steps = max([1.0, *(point.step for curve in curves for point in curve)])

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * x / steps
        return across, TOP + (HEIGHT - TOP - BELOW) * (high - y) / (high - low)

    parts = grid(round_numbers(low, high), steps, share, place)
    for each in sorted(at_random):
        x, y = place(0, each)
        tip = f"<title>random moves: {written(each, share)}</title>"
        line = f"M{x:.1f} {y:.1f}H{WIDTH - RIGHT:g}"
        parts.append(f'<path class="random" d="{line}">{tip}</path>')
    for i, (run, curve) in enumerate(zip(runs, curves, strict=True)):
        parts += [
            f'<g class="run-{i % MOST_RUNS}">',
            *curve_parts(run, curve, share, place),
            "</g>",
        ]
    said = escape(f"{metric}, over the steps of training")
    box = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{said}"'
    return "".join([f'<svg class="curves" {box}>', *parts, "</svg>"])


def grid(ticks: Sequence[float], steps: float, share: bool, place: Place) -> list[str]:
    """Returns the lines and numbers behind the curves."""
    parts = []
    for tick in ticks:
        x, y = place(0, tick)
        parts.append(f'<path class="grid" d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT:g}"/>')
        text = written(tick, share).replace(".0 %", " %")
        parts.append(f'<text x="{x - 5:.1f}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for i, x in enumerate((0.0, steps / 2, steps)):
        text, anchor = f"{x:,.0f}", ("start", "middle", "end")[i]
        across = place(x, 0)[0]
        parts.append(
            f'<text x="{across:.1f}" y="{HEIGHT - 6:g}" text-anchor="{anchor}">{text}</text>'
        )
    return parts


def curve_parts(run: LoggedRun, curve: Sequence[Point], share: bool, place: Place) -> list[str]:
    """Draws one run: the band of its intervals, its curve, its grades with their numbers."""

    def coordinates(points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))

    parts = []
    if any(point.low < point.high for point in curve):
        edge = [(p.step, p.high) for p in curve] + [(p.step, p.low) for p in reversed(curve)]
        parts.append(f'<polygon class="band" points="{coordinates(edge)}"/>')
    parts.append(f'<polyline points="{coordinates(point[:2] for point in curve)}"/>')
    for point in curve:
        x, y = place(point.step, point.value)
        told = f"{run.name}: {written(point.value, share)} after {point.step:,.0f} steps"
        if point.low < point.high:
            told += f", {written(point.low, share)} to {written(point.high, share)}"
        tip = f"<title>{escape(told)}</title>"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3">{tip}</circle>')
    return parts


def ends(values: Sequence[float]) -> tuple[float, float]:
    """Returns the ends of an axis that has all values on it, and 0 if that is near."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if 0 <= low <= 0.6 * high:
        low = 0.0
    margin = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return low - (margin if low else 0.0), high + margin
