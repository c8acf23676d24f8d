"""Ranks all hands of seven cards, and computes equities before the flop, on one core.

python benchmarks/hand_ranks.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from agents.games.holdem import category_counts, hand_equities

MATCHES = (
    ("Ac Ah", "Kd Ks"), ("Ac Ah", "Kc Kh"), ("As Ks", "Qh Qd"), ("Ah Kd", "2s 2c"),
    ("Jh Th", "2s 2c"), ("Ac Ad", "7h 2s"),
)  # fmt: skip


def quickest(run: Callable[[], Any]) -> tuple[Any, float]:
    """Returns the answer, and the seconds of the quickest of five runs; the first one compiles."""
    took = []
    for _ in range(5):
        began = time.perf_counter()
        answer = run()
        took.append(time.perf_counter() - began)
    return answer, min(took)


def main() -> None:
    """Prints the categories with the speed, then the equities."""
    counts, seconds = quickest(category_counts)
    for name, number in counts.items():
        print(f"{name:16} {number:11,}")
    total = sum(counts.values())
    print(
        f"{'all':16} {total:11,} in {seconds:.2f} s, {total / seconds / 1e6:.0f} M hands a second"
    )
    for hands in MATCHES:
        ((win, tie), (loss, _)), seconds = quickest(lambda hands=hands: hand_equities(hands))
        print(
            f"{hands[0]} wins {win:.4%}, {hands[1]} wins {loss:.4%}, ties {2 * tie:.4%}; "
            f"{1_712_304 / seconds / 1e6:.0f} M boards a second"
        )


if __name__ == "__main__":
    main()
