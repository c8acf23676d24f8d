"""Ranks all hands of seven cards, and computes equities before the flop, on one core.

python benchmarks/hand_ranks.py
"""

from __future__ import annotations

import time

from agents.games.holdem import category_counts, hand_equities

MATCHES = (
    ("Ac Ah", "Kd Ks"), ("Ac Ah", "Kc Kh"), ("As Ks", "Qh Qd"), ("Ah Kd", "2s 2c"),
    ("Jh Th", "2s 2c"), ("Ac Ad", "7h 2s"),
)  # fmt: skip


def main() -> None:
    """Prints the categories with the speed, then the equities."""
    category_counts()  # compiles
    began = time.perf_counter()
    counts = category_counts()
    seconds = time.perf_counter() - began
    for name, number in counts.items():
        print(f"{name:16} {number:11,}")
    total = sum(counts.values())
    print(
        f"{'all':16} {total:11,} in {seconds:.2f} s, {total / seconds / 1e6:.0f} M hands a second"
    )
    hand_equities(MATCHES[0])
    for hands in MATCHES:
        began = time.perf_counter()
        (win, tie), (loss, _) = hand_equities(hands)
        seconds = time.perf_counter() - began
        print(
            f"{hands[0]} wins {win:.4%}, {hands[1]} wins {loss:.4%}, ties {2 * tie:.4%}; "
            f"{1_712_304 / seconds / 1e6:.0f} M boards a second"
        )


if __name__ == "__main__":
    main()
