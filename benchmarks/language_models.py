"""Grades scripted language models at Connect Four, and compares their report cards with the script.

Each answers at the positions of the published set through an endpoint on this computer, as
``adv-envs grade connect_four "llm(...)"`` asks any other: one that knows the best move, one that
draws its moves, one that hides the best move in many words, one that forgets or garbles two of
three answers, and one that refuses. The card must say: all moves right; the exact share of random
moves inside the interval; all right; replies counted as they were scripted; no reply read.

    python benchmarks/language_models.py [--positions 300] [--game connect_four] [--seed 2]

Prints a line for each model. By luck the interval of random moves leaves out their exact share with
one of 20 seeds. The exit status is 1 if one of them has another card than it must.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from adv_envs import Position, start_position
from adv_envs.testing import ChatEndpoint, ScriptedModel
from agents import LanguageModel, make
from agents.grading import Grader, ReportCard


class Personality(NamedTuple):
    """Describes a scripted model: whether it knows the best moves, and how it tells them."""

    name: str
    knows: bool
    manner: str


PERSONALITIES = (
    Personality("perfect", True, "plain"),
    Personality("random", False, "plain"),
    Personality("chatty", True, "chatty"),
    Personality("forgetful", True, "forgetful"),
    Personality("rude", True, "rude"),
)


class Recorded:
    """Counts the replies of a scripted model by what they were scripted to be."""

    def __init__(self, model: ScriptedModel) -> None:
        self.model, self.replies = model, Counter[str]()

    def __call__(self, messages: list[dict[str, str]]) -> str:
        """Returns the reply of the model."""
        reply = self.model(messages)
        kinds = {"zz99": "illegal", "My move": "legal", "Final answer:": "legal"}
        kind = next((kind for text, kind in kinds.items() if text in reply), "unreadable")
        self.replies["legal" if "**Final answer:**" in reply else kind] += 1
        return reply


def graded(
    start: Position, who: Personality, positions: int, seed: int
) -> tuple[ReportCard, Counter[str]]:
    """Returns the card of a scripted model, and its replies as they were scripted."""
    act: Callable[[Any], int] | None = make("perfect").act if who.knows else None
    model = Recorded(ScriptedModel(act, who.manner, seed))
    with ChatEndpoint(model) as endpoint:
        agent = LanguageModel(who.name, endpoint.base_url, board="json")
        grader = Grader(start, agent, positions, games=0, seed=seed)
        for _ in grader.run():
            pass
    return grader.card(), model.replies


def faults(who: Personality, card: ReportCard, scripted: Counter[str]) -> list[str]:
    """Returns what of a card is not as it must be."""
    kept, row, found = card.overall.kept, card.models[0].counts, list[str]()
    counts = {"legal": row.legal, "illegal": row.illegal, "unreadable": row.unreadable}
    if counts != {kind: scripted[kind] for kind in counts}:
        return [f"scripted were {dict(scripted)}"]
    if kept is None:
        return ["no position has a wrong move: ask for more positions"]
    if who.name in ("perfect", "chatty") and kept.value != 1:
        found.append("all moves must be right")
    expected = card.overall.random.kept
    if who.name == "random" and not (expected and kept.low <= expected <= kept.high):
        found.append("the share of random moves must be in the interval")
    if who.name == "rude" and row.unreadable != scripted.total():
        found.append("no reply must be readable")
    return found


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    try:
        start, wrong = start_position(options.game), 0
        Grader(start, "random", options.positions, games=0)  # an error now if it cannot be graded
    except ValueError as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    heads = "legal", "illegal", "unreadable", "forfeits"
    print(f"{'model':<10} {'% right':>8} {'95 %':>14} {'random':>7}", *(f"{h:>10}" for h in heads))
    for who in PERSONALITIES:
        card, scripted = graded(start, who, options.positions, options.seed)
        kept, counts = card.overall.kept, card.models[0].counts
        right, ends, expected = "", "", 100 * (card.overall.random.kept or 0)
        if kept is not None:
            right, ends = f"{100 * kept.value:.1f}", kept.ends(lambda end: f"{100 * end:.1f}")
        numbers = (f"{getattr(counts, head):>10}" for head in heads)
        print(f"{who.name:<10} {right:>8} {ends:>14} {expected:>7.1f}", *numbers)
        for fault in faults(who, card, scripted):
            wrong += 1
            print(f"  {who.name}: {fault}")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
