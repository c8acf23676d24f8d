"""Compares speeds on a machine that is not quite quiet; the scripts beside this file use it.

All contestants take turns. In each round every one of them runs once, for a moment, so that other
programs disturb all of them alike. A ratio is taken within each round, and its median over all
rounds is shown with its range; a speed is the median of all rounds. At the end a line says how much
of the machine other programs have used meanwhile.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn, Self

from rich.console import Console
from rich.progress import track

PAIRS = 7
"""Rounds at the least: with seven, the median lies between the second and the sixth value of such
a series with 94 % confidence."""

BUSY = 0.1
"""Cores that other programs may use on average without a warning."""

LACKING = 77
"""The exit status of a script for want of a library, by the convention of Automake."""

Contestant = Callable[[], float]
"""Works for a moment, and returns how fast: units per second, larger is better."""


def without(error: ImportError, install: str) -> NoReturn:
    """Ends a script that lacks a library; ``install`` is what pip is to install."""
    print(f"{error.name} is missing: pip install {install}", file=sys.stderr)
    sys.exit(LACKING)


class Ratio(NamedTuple):
    """Holds how many times as fast one contestant is as another."""

    median: float
    lowest: float
    highest: float

    def __str__(self) -> str:
        digits = 2 if self.median < 2 else 1 if self.median < 20 else 0
        low, high = f"{self.lowest:,.{digits}f}", f"{self.highest:,.{digits}f}"
        return f"{self.median:,.{digits}f} ({low} to {high})"


class Comparison:
    """Holds the speeds of all contestants in every round."""

    def __init__(self, speeds: Mapping[str, list[float]]) -> None:
        self.speeds = speeds

    def speed(self, name: str) -> float:
        """Returns the median speed of a contestant."""
        return statistics.median(self.speeds[name])

    def ratio(self, name: str, base: str) -> Ratio:
        """Returns how many times as fast ``name`` is as ``base``: median and range of rounds."""
        return ratio_of(self.speeds[name], self.speeds[base])


def ratio_of(numbers: list[float], base: list[float]) -> Ratio:
    """Returns the median and range of the ratios of two series, round by round."""
    ratios = [mine / theirs for mine, theirs in zip(numbers, base, strict=True)]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios))


def compare(
    contestants: Mapping[str, Contestant], pairs: int = PAIRS, label: str = "measuring"
) -> Comparison:
    """Lets all contestants take turns for ``pairs`` rounds, after one that does not count."""
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    for run in contestants.values():
        run()  # compiles, and fills caches
    bar = Console(stderr=True)
    for _ in track(range(pairs), label, console=bar, transient=True):
        for name, run in contestants.items():
            speeds[name].append(run())
    return Comparison(speeds)


def rate(work: Callable[[], float], clock: Callable[[], float] = time.process_time) -> Contestant:
    """Returns a contestant that does ``work``, which returns its units, timed by CPU or clock."""

    def run() -> float:
        began = clock()
        units = work()
        return units / max(clock() - began, 1e-9)

    return run


def parser_of(documentation: str | None, pairs: int = PAIRS) -> argparse.ArgumentParser:
    """Returns a parser of arguments with the script's own text as its help, and --pairs."""
    parser = argparse.ArgumentParser(
        description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pairs", type=at_least(PAIRS), default=pairs, help=f"rounds, at least {PAIRS} ({pairs})"
    )
    return parser


def at_least(number: int) -> Callable[[str], int]:
    """Returns the type of an argument that is a whole number of at least ``number``."""

    def convert(text: str) -> int:
        if not text.isdecimal() or int(text) < number:
            raise argparse.ArgumentTypeError(f"must be a whole number of at least {number}")
        return int(text)

    return convert


def printer() -> Console:
    """Returns a console for tables: as wide as the terminal, elsewhere as all columns need."""
    return Console(width=None if sys.stdout.isatty() else 130, highlight=False)


class Machine:
    """Watches how busy other programs keep the machine meanwhile; a context manager.

    Read from /proc/stat, so on Linux only; elsewhere nothing is said.
    """

    def __enter__(self) -> Self:
        self._began, self._before = time.perf_counter(), _busy_and_own()
        return self

    def __exit__(self, *exception: object) -> None:
        """Prints a line about the other programs, as a warning if they may have disturbed."""
        now = _busy_and_own()
        if exception[0] is not None or now is None or self._before is None:
            return
        elapsed = time.perf_counter() - self._began
        busy, own = (after - before for after, before in zip(now, self._before, strict=True))
        others = max(busy - own, 0.0) / elapsed
        cores = os.cpu_count() or 1
        told = f"other programs used {others:.2f} of {cores} cores meanwhile"
        if others > BUSY:
            told = f"WARNING: {told}: speeds are too low, and ratios less certain"
        Console(stderr=True, highlight=False).print(told, style="bold red" * (others > BUSY))


def _busy_and_own() -> tuple[float, float] | None:
    """Returns the seconds that all cores worked, and that this process and its children did."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    user, nice, system, _idle, _iowait, irq, soft, *_ = map(int, fields)
    own = os.times()
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK"), sum(own[:4])
