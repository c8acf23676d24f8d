"""The learning curve of a log: points, wrong moves with their interval, or exploitability."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np


def draw_learning_curve(
    log: Path, picture: Path, rungs: Sequence[str] = (), over: str = "seconds"
) -> None:
    """Draws the grades in a log, a JSON object a line, over the "seconds" or "steps" of training.

    ``picture`` is the file that is written. Above are the points against each opponent, and below
    the mistakes, as far as there are any: these with their interval of 95 % confidence as a band
    where the log has it, those of random moves as a dashed line, and those in each phase of the
    game as thin lines. Where the "rung" of the log goes up, a vertical line is labelled with the
    name in ``rungs``. A log of exploitabilities is drawn by ``draw_exploitability_curve``.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import PercentFormatter

    lines = [json.loads(line) for line in log.read_text().splitlines()]
    if any("exploitability" in line for line in lines):
        draw_exploitability_curve(log, picture)
        return
    graded = [line for line in lines if "mistakes" in line or points_in(line)]
    times, label = axis_of(graded, over)
    against, exact = points_in(graded[-1]), "mistakes" in graded[-1]
    ratios = (2,) * bool(against) + (1,) * exact
    shape: Any = {"figsize": (9, 5.5 if len(ratios) == 2 else 4), "layout": "constrained"}
    figure, axes = plt.subplots(
        len(ratios), sharex=True, squeeze=False, height_ratios=ratios, **shape
    )
    if against:
        above = axes[0, 0]
        title = draw_points(above, times, graded, against)
        draw_rungs(above, times, graded, rungs)
        figure.legend(title=title, loc="outside right upper", fontsize="small", frameon=False)
    if exact:
        draw_mistakes(axes[-1, 0], times, graded)
    axes[-1, 0].set_xlabel(label)
    for axis in axes[:, 0]:
        axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.grid(alpha=0.3)
    figure.savefig(picture, dpi=120)
    plt.close(figure)


def points_in(line: dict[str, Any]) -> list[str]:
    """Returns the names of the points in a line of a log."""
    return [name for name in line if name.startswith("vs ")]


def axis_of(graded: Sequence[dict[str, Any]], over: str) -> tuple[list[float], str]:
    """Returns where the grades are on the axis, and its label."""
    if over == "steps":
        return [line["steps"] for line in graded], "steps of training"
    unit, name = (60, "minutes") if graded[-1]["seconds"] > 180 else (1, "seconds")
    return [line["seconds"] / unit for line in graded], f"{name} of training"


def draw_points(
    axis: Any, times: Sequence[float], graded: Sequence[dict[str, Any]], against: Sequence[str]
) -> str | None:
    """Draws the points against each opponent; returns what the legend is called."""
    import matplotlib.pyplot as plt

    colors, evaluation = plt.get_cmap("viridis_r")(np.linspace(0.15, 1, len(against))), ""
    for key, color in zip(against, colors, strict=True):  # deeper searches are darker
        spec, comma, evaluation = key.removeprefix("vs ").partition(", evaluate=")
        label = f"{spec})" if comma else spec
        axis.plot(times, [line[key] for line in graded], ".-", color=color, label=label)
    axis.axhline(0.5, color="gray", linewidth=0.8)
    axis.set(ylabel="points against", ylim=(-0.02, 1.02))
    return f"evaluate={evaluation.removesuffix(')')}" if evaluation else None


def draw_rungs(
    axis: Any, times: Sequence[float], graded: Sequence[dict[str, Any]], rungs: Sequence[str]
) -> None:
    """Draws a vertical line where the "rung" goes up, with its name."""
    reached = [int(line.get("rung", 0)) for line in graded]
    for i, (before, after) in enumerate(pairwise(reached), 1):
        if after > before:
            axis.axvline(times[i], color="gray", linewidth=0.8, linestyle=":")
            where: Any = {"rotation": 90, "ha": "right", "va": "top", "fontsize": "small"}
            axis.text(times[i], 1, rungs[after], **where)


PHASE_COLORS = {"opening": "tab:blue", "middle": "tab:orange", "end": "tab:green"}


def draw_mistakes(axis: Any, times: Sequence[float], graded: Sequence[dict[str, Any]]) -> None:
    """Draws the share of wrong moves, its interval, that of random moves, and those by phase."""
    mistakes = [line["mistakes"] for line in graded]
    axis.plot(times, mistakes, ".-", color="firebrick", label="all")
    tops = [0.1, *mistakes]
    if all("intervals" in line for line in graded):
        kept = [line["intervals"]["kept"] for line in graded]
        low, high = [1 - each["high"] for each in kept], [1 - each["low"] for each in kept]
        axis.fill_between(times, low, high, color="firebrick", alpha=0.2, linewidth=0)
        tops += high
        for phase, color in PHASE_COLORS.items():
            some = [line["intervals"].get(f"kept {phase}") for line in graded]
            if all(some):
                shares = [1 - each["value"] for each in some if each]
                axis.plot(times, shares, color=color, linewidth=0.8, label=phase)
                tops += shares
        at_random = 1 - graded[-1]["intervals"]["random"]["value"]
        axis.axhline(at_random, color="gray", linestyle="--", label="random")
        tops.append(at_random)
        axis.legend(fontsize="x-small", ncols=5, frameon=False, loc="upper right")
    axis.set(ylabel="wrong moves", ylim=(0, 1.25 * max(tops)))  # the legend has room


def draw_exploitability_curve(log: Path, picture: Path) -> None:
    """Draws the exploitability in a log, a JSON object a line, over the steps, by a log scale.

    ``picture`` is the file that is written.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    lines = map(json.loads, log.read_text().splitlines())
    graded = [line for line in lines if "exploitability" in line]
    figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
    axis.plot([x["steps"] for x in graded], [x["exploitability"] for x in graded], ".-")
    axis.set(xlabel="steps", ylabel="exploitability, chips per game", yscale="log")
    axis.grid(alpha=0.3, which="both")
    figure.savefig(picture, dpi=120)
    plt.close(figure)
