"""Says what language models answered and what that took, in the rows of a table.

Report cards, tournaments and their pages have such a table where a language model plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from .model import ModelCounts, dollars

ALL = "all"
"""The name of the sum."""
REPLIES = {"legal", "illegal", "unreadable"}
"""What language models count, and other agents do not."""


@dataclass(frozen=True)
class ModelUsage:
    """Holds the counts of one row: a model, or what it did in one part of a report card."""

    name: str
    counts: ModelCounts
    partly_priced: bool = False
    """Whether it is the sum of some whose prices are known and some whose prices are not."""

    @property
    def moves(self) -> int:
        """Returns how many moves it was asked for."""
        return int(self.counts.legal + self.counts.failures)

    @property
    def seconds_per_move(self) -> float | None:
        """Returns the time of all replies for a move; None without moves."""
        return self.counts.seconds / self.moves if self.moves else None

    @property
    def cost(self) -> float | None:
        """Returns the dollars for all tokens; None where prices or tokens are not known."""
        return self.counts.cost or None

    @property
    def cost_per_move(self) -> float | None:
        """Returns the dollars for a move; None where they are not known."""
        known = self.cost and self.moves and not self.partly_priced
        return self.cost / self.moves if self.cost and known else None

    def to_dict(self) -> dict[str, Any]:
        """Returns the row as plain data, for JSON and pages."""
        found = self.counts
        return {
            "name": self.name,
            "moves": self.moves,
            "legal": found.legal,
            "illegal": found.illegal,
            "unreadable": found.unreadable,
            "forfeits": found.forfeits,
            "random_moves": found.failures - found.forfeits,
            "tokens_in": found.tokens_in,
            "tokens_out": found.tokens_out,
            "seconds": found.seconds,
            "seconds_per_move": self.seconds_per_move,
            "cost": self.cost,
            "cost_per_move": self.cost_per_move,
        }


def model_usage(counted: Mapping[str, Mapping[str, float]]) -> list[ModelUsage]:
    """Returns a row for each name with counts of a language model, and their sum, if they are more.

    ``counted`` has sums of ``Agent.game_counts`` by name; others than those of models are left out.
    """
    known = {field.name for field in fields(ModelCounts)}
    rows = [
        ModelUsage(name, ModelCounts(**{k: v for k, v in counts.items() if k in known}))  # type: ignore[arg-type]  # they are numbers
        for name, counts in counted.items()
        if counts.keys() & REPLIES
    ]
    if len(rows) < 2:
        return rows
    total = ModelCounts()
    for row in rows:
        total.add(**vars(row.counts))
    return [*rows, ModelUsage(ALL, total, any(row.cost is None for row in rows))]


def usage_cells(rows: Sequence[ModelUsage]) -> tuple[list[str], list[list[str]]]:
    """Returns the headings of a table as text, the first "", and the cells of each row.

    Random moves and costs are left out where there are none.
    """
    drawn = any(row.counts.failures > row.counts.forfeits for row in rows)
    priced = any(row.cost for row in rows)
    heads = ["", "moves", "legal", "illegal", "unreadable", "forfeits", *["random"] * drawn]
    heads += ["tokens in", "tokens out", "s/move", *["$/move", "$"] * priced]
    cells = []
    for row in rows:
        found, pace = row.counts, row.seconds_per_move
        numbers = [row.moves, found.legal, found.illegal, found.unreadable, found.forfeits]
        numbers += [found.failures - found.forfeits] * drawn
        numbers += [found.tokens_in, found.tokens_out]
        amounts = row.cost_per_move, row.cost
        costs = [dollars(each).lstrip("$") if each else "" for each in amounts]
        own = [f"{number:,}" for number in numbers] + ["" if pace is None else f"{pace:.3f}"]
        cells.append([row.name, *own, *costs * priced])
    return heads, cells
