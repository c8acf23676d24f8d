"""The page of trainings: their learning curves side by side, and the numbers of the last grades.

It is made of what a ``TrainingRun`` writes into its folder: log.jsonl, a JSON object for each
grade, and run.json, which says how long the run is to be.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .page import markup

MOST_RUNS = 12
"""Runs on a page."""
MOST_BYTES = 20_000_000
"""Bytes of a log that are read."""
MOST_POINTS = 400
"""Points of a curve; of more, some are left out."""
COUNTERS = ("steps", "seconds", "cpu_seconds", "steps_per_second")
"""What is in a log beside the grades and metrics."""


@dataclass
class LoggedRun:
    """What a training has written into its folder."""

    name: str
    lines: list[dict[str, float]] = field(default_factory=list)
    """The numbers of each grade; "steps" and "seconds" are among them."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was begun: "kind", "steps", "minutes", "in_percent"; empty if that is not known."""
    strange: int = 0
    """Lines that are no grades."""
    graded: float = 0.0
    """When it was graded last, in seconds since 1970."""

    @property
    def last(self) -> dict[str, float]:
        """The numbers of the last grade."""
        return self.lines[-1] if self.lines else {}

    @property
    def total(self) -> float | None:
        """The steps that it is to take."""
        found = number(self.about.get("steps"))
        return found if found is not None and found > 0 else None

    @property
    def complete(self) -> bool:
        """Whether it has reached its end."""
        minutes = number(self.about.get("minutes"))
        long = minutes is not None and self.last.get("seconds", 0.0) >= 60 * minutes
        return bool(self.lines) and (long or self.last["steps"] >= (self.total or math.inf))

    @property
    def seconds_left(self) -> float | None:
        """How much longer it will learn, if it goes on as before; None if that is not known."""
        ends = [
            None if end is None or not done else seconds * (end - done) / done
            for end, done, seconds in (
                (self.total, self.last.get("steps"), self.last.get("seconds", 0.0)),
                (
                    60 * (number(self.about.get("minutes")) or 0) or None,
                    self.last.get("seconds"),
                    self.last.get("seconds", 0.0),
                ),
            )
        ]
        known = [end for end in ends if end is not None]
        if self.complete or not known:
            return None
        return max(0.0, min(known) - max(0.0, time.time() - self.graded))

    def is_share(self, metric: str) -> bool:
        """Whether a metric is a share, from 0 to 1, that is shown in percent."""
        if not self.about.get("in_percent", True):
            return False
        return metric == "mistakes" or metric.startswith("vs ")


def number(value: Any) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


# ---- reading


def read_runs(folders: Iterable[Path]) -> list[LoggedRun]:
    """The runs of these folders, or of folders in them; OSError for what is not there."""
    found: list[LoggedRun] = []
    for folder in folders:
        if not folder.is_dir():
            raise FileNotFoundError(f"there is no folder {folder}")
        inside = sorted(path.parent for path in folder.glob("*/log.jsonl"))
        own = (folder / "log.jsonl").exists() or not inside
        found += [read_run(each) for each in ([folder] if own else inside)]
    return found[:MOST_RUNS]


def read_run(folder: Path) -> LoggedRun:
    """The run of a folder; what is no grade is counted, and a line that is not whole left out."""
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
        found = numbers(line)
        if found is None:
            run.strange += 1
        else:
            run.lines.append(found)
    try:
        about = json.loads((folder / "run.json").read_text("utf-8"))
    except (OSError, ValueError):
        about = {}
    run.about = about if isinstance(about, dict) else {}
    return run


def numbers(line: str) -> dict[str, float] | None:
    """The numbers of a line of a log; None if it is no grade."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    found = {str(key): value for key, each in data.items() if (value := number(each)) is not None}
    return found if found.get("steps", -1) >= 0 and found.get("seconds", -1) >= 0 else None


# ---- the page


def training_values(runs: Sequence[LoggedRun]) -> dict[str, Any]:
    """What the template needs."""
    metrics: dict[str, None] = {}
    for run in runs:
        for line in run.lines[-1:]:
            metrics |= dict.fromkeys(key for key in line if key not in COUNTERS)
    order = sorted(metrics, key=lambda key: (key != "mistakes", not key.startswith("vs ")))
    charts = [
        {
            "metric": metric,
            "better": "less is better" if metric in ("mistakes", "exploitability") else "",
            "svg": markup(learning_curves(metric, runs)),
            "last": [shown_number(run, metric) for run in runs],
        }
        for metric in order
    ]
    return {"runs": runs, "charts": charts}


def shown_number(run: LoggedRun, metric: str) -> str:
    """The last number of a metric; a dash where there is none."""
    return written(run.last.get(metric), run.is_share(metric))


def written(value: float | None, share: bool) -> str:
    """A number for a table or an axis."""
    if value is None:
        return "–"
    return f"{100 * value:.1f} %" if share else f"{value:.4g}".replace("-", "−")


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BELOW = 340.0, 190.0, 46.0, 10.0, 10.0, 24.0


def learning_curves(metric: str, runs: Sequence[LoggedRun]) -> str:
    """A metric over the steps of training as SVG, a curve for each run, in classes of the page."""
    curves = [
        thinned([(line["steps"], line[metric]) for line in run.lines if metric in line])
        for run in runs
    ]
    share = any(run.is_share(metric) for run in runs)
    steps = max([1.0, *(x for curve in curves for x, _ in curve)])
    ys = [y for curve in curves for _, y in curve]
    low, high = (0.0, 1.0) if share and metric != "mistakes" else ends(ys)
    ticks = round_numbers(low, high)

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * x / steps
        return across, TOP + (HEIGHT - TOP - BELOW) * (high - y) / (high - low)

    said = f"{metric}, over the steps of training"
    parts = [
        f'<svg class="curves" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="{escaped(said)}">'
    ]
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
    for i, (run, curve) in enumerate(zip(runs, curves, strict=True)):
        places = [place(x, y) for x, y in curve]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<g class="run-{i % MOST_RUNS}"><polyline points="{line}"/>')
        for (x, y), (step, value) in zip(places, curve, strict=True):
            tip = escaped(f"{run.name}: {written(value, share)} after {step:,.0f} steps")
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{tip}</title></circle>')
        parts.append("</g>")
    return "".join([*parts, "</svg>"])


def escaped(text: str) -> str:
    """Text for SVG."""
    from markupsafe import escape

    return str(escape(text))


def thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most MOST_POINTS of the points, the first and the last among them."""
    if len(points) <= MOST_POINTS:
        return points
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return [points[round(i * step)] for i in range(MOST_POINTS)]


def ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that has all values on it, and 0 if that is near."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if 0 <= low <= 0.6 * high:
        low = 0.0
    margin = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return low - (margin if low else 0.0), high + margin


def round_numbers(low: float, high: float) -> list[float]:
    """Three to six round numbers from ``low`` to ``high``."""
    raw = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(raw))
    step = min((digit * power for digit in (1, 2, 5, 10)), key=lambda each: abs(each - raw))
    first = math.ceil(low / step)
    return [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]
