"""The calibration chart, as SVG that takes its colours from the page."""

from __future__ import annotations

from agents.grading.calibration import BINS, Calibration

SIDE, LEFT, TOP, BELOW = 300.0, 44.0, 12.0, 92.0
"""Of the square, and of what is around it, in pixels."""

COUNTS = 36.0
"""Height of the tallest bar of the counts."""


def calibration_chart(found: Calibration) -> str:
    """What was claimed against what was true: a dot with its interval for each bin.

    Below stands how many claims each bin has. On the diagonal lies who is right.
    """
    width, height = LEFT + SIDE + 12, TOP + SIDE + BELOW
    words = "claimed chances of winning against the true ones"
    parts = [
        f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{words}">',
        f'<rect class="frame" x="{LEFT:g}" y="{TOP:g}" width="{SIDE:g}" height="{SIDE:g}"/>',
        f'<line class="ideal" x1="{x(0):g}" y1="{y(0):g}" x2="{x(1):g}" y2="{y(1):g}"/>',
        *ticks(),
    ]
    most = max(b.true.n for b in found.bins)
    for b in found.bins:
        at, low, high = x(b.claimed), y(b.true.low), y(b.true.high)
        tip = f"claimed {b.claimed:.2f}, true {b.true.value:.2f}, {b.true.n} positions"
        parts += [
            f'<g><title>{tip}</title><line class="interval" x1="{at:.1f}" y1="{low:.1f}" '
            f'x2="{at:.1f}" y2="{high:.1f}"/>',
            f'<circle class="dot" cx="{at:.1f}" cy="{y(b.true.value):.1f}" r="5"/></g>',
            count_bar(b.claimed, b.true.n, most),
        ]
    return "".join([*parts, "</svg>"])


def x(chance: float) -> float:
    """Where a claimed chance stands."""
    return LEFT + SIDE * chance


def y(chance: float) -> float:
    """Where a true chance stands."""
    return TOP + SIDE * (1 - chance)


def ticks() -> list[str]:
    """The numbers and names of the axes."""
    parts = []
    for chance in (0.0, 0.25, 0.5, 0.75, 1.0):
        below = f'x="{x(chance):g}" y="{TOP + SIDE + 16:g}" text-anchor="middle"'
        beside = f'x="{LEFT - 6:g}" y="{y(chance) + 4:g}" text-anchor="end"'
        parts += [f"<text {place}>{chance:g}</text>" for place in (below, beside)]
    middle = TOP + SIDE / 2
    return [
        *parts,
        f'<text x="{x(0.5):g}" y="{TOP + SIDE + 33:g}" text-anchor="middle">claimed chance</text>',
        f'<text transform="translate(12 {middle:g}) rotate(-90)" text-anchor="middle">'
        "true chance</text>",
    ]


def count_bar(claimed: float, number: int, most: int) -> str:
    """A bar for the number of claims in the bin of ``claimed``."""
    left = min(int(claimed * BINS), BINS - 1) / BINS
    tall = max(1.5, COUNTS * number / most)
    bottom = TOP + SIDE + BELOW - 4
    return (
        f'<rect class="count" x="{x(left) + 1:.1f}" y="{bottom - tall:.1f}" '
        f'width="{SIDE / BINS - 2:g}" height="{tall:.1f}"/>'
    )
