"""Grades an agent at items and their twins, which show what it knows by heart.

Twins are as hard as their originals, so an agent that understands a game answers both alike. An
item and its twins are one observation: intervals of shares and means know that their answers depend
on each other, and differences are taken within each item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

from adv_envs import Position, name_of
from adv_envs.optional import optional_library
from adv_envs.position import checked
from adv_envs.random import root_seed
from adv_envs.registry import parameters_of
from adv_envs.text import write_board
from agents.language import ModelUsage, model_usage
from agents.simple import Human
from agents.spec import AgentLike, make
from agents.statistics import Interval, paired_interval

from .evaluator import Answer, Evaluator, Metrics, metrics_of
from .item_files import ORIGINAL, LoadedItem, clusters_of
from .item_twins import RENAMED, TWIN_KINDS
from .parallel_answers import Evaluators
from .position_sets import PHASES
from .report_card import Blunder, GradingProgress, counted, worst

RIGHT_SHARES = {
    "a quarter or more right": 0.25,
    "an eighth to a quarter right": 0.125,
    "less than an eighth right": 0.0,
}
"""Classes of difficulty, by the least share of moves that keep the value."""
TWINS = "all twins"


@dataclass(frozen=True)
class PairedDifference:
    """Compares the answers at twins with those at their originals, item by item."""

    items: int
    """The items that were answered in both forms."""
    kept_originals: float
    """The share of originals answered by a move that keeps the value."""
    kept_twins: float
    """The same share at their twins; those of one item count as one."""
    kept: Interval
    """The second share minus the first one."""
    lost: Interval
    """The mean value lost at twins minus that at originals."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as plain data."""
        return asdict(self)

    @property
    def tells(self) -> bool:
        """Returns whether the interval of the shares excludes 0."""
        return self.kept.low is not None and (self.kept.low > 0 or (self.kept.high or 0.0) < 0)


@dataclass(frozen=True)
class ItemCard:
    """Shows how an agent does at items, and at their twins."""

    start: Position
    agent: str
    seed: int
    items: int
    """The items of the file, twins included."""
    left_out: dict[str, int]
    """Why items were left out that the agent cannot be asked, and how many."""
    answered: int
    overall: Metrics
    kinds: dict[str, Metrics]
    """By kind: ORIGINAL, and the kinds of twins."""
    phases: dict[str, Metrics]
    difficulties: dict[str, Metrics]
    paired: dict[str, PairedDifference]
    """By kind of twin, and of all twins."""
    failures: dict[str, int]
    blunders: tuple[Blunder, ...]
    models: tuple[ModelUsage, ...] = ()
    """What a language model answered at items and at twins, and the sum."""

    @property
    def unasked(self) -> int:
        """Returns the number of items that were left out."""
        return sum(self.left_out.values())

    @property
    def complete(self) -> bool:
        """Returns whether all items were answered that were to be asked."""
        return self.answered == self.items - self.unasked

    def to_dict(self) -> dict[str, Any]:
        """Returns the card as plain data, for JSON."""
        by_kind, by_phase, by_difficulty = (
            {name: found.to_dict() for name, found in groups.items()}
            for groups in (self.kinds, self.phases, self.difficulties)
        )
        return {
            "game": name_of(self.start),
            "parameters": parameters_of(self.start),
            "agent": self.agent,
            "seed": self.seed,
            "items": {"given": self.items, "unasked": self.unasked, "answered": self.answered},
            "left_out": self.left_out,
            "overall": self.overall.to_dict(),
            "kinds": by_kind,
            "phases": by_phase,
            "difficulties": by_difficulty,
            "paired": {kind: found.to_dict() for kind, found in self.paired.items()},
            "failures": self.failures,
            "blunders": [blunder.to_dict() for blunder in self.blunders],
            **({"models": [row.to_dict() for row in self.models]} if self.models else {}),
        }


class ItemGrader:
    """Grades ``agent``, or the spec of one, at ``items`` of the game of ``start``.

    The seed of the agent at each item is derived from ``seed``, None for 64 random bits; the card
    has it. A move may take ``limit`` seconds. Items that ``why_unasked`` refuses are left out, and
    are no wrong answers. ``reader`` is the agent that it is told of, where ``agent`` only passes
    positions on to it. ``copies`` are more agents of the same spec, asked at the same time, as in
    ``Grader``. ``run`` grades in steps and can be left at any time; ``card`` is the result until
    then. ValueError for people, without items that can be asked, and for a limit that is not
    positive; ImportError without SciPy. ``run`` raises CannotPlay, a ValueError, if the agent
    cannot play this game at all.
    """

    def __init__(
        self,
        start: Position,
        items: Sequence[LoadedItem],
        agent: AgentLike,
        seed: int | None = None,
        limit: float = 60.0,
        reader: Any = None,
        copies: Sequence[AgentLike] = (),
    ) -> None:
        optional_library("scipy", "report cards need", "lab")
        self.start, self.seed, self.agent = checked(start).start(), root_seed(seed), make(agent)
        if isinstance(self.agent, Human):
            raise ValueError("people are not graded at items")
        if not items:
            raise ValueError("at least 1 item is needed")
        reasons = [why_unasked(item, reader or self.agent) for item in items]
        self.items = [item for item, why in zip(items, reasons, strict=True) if not why]
        self.left_out = dict(Counter(filter(None, reasons)))
        if not self.items:
            raise ValueError(f"{self.agent.name} can be asked none of the items: {reasons[0]}")
        self.given = len(items)
        self.copies = tuple(map(make, copies))
        self.evaluators = Evaluators([self.agent, *self.copies], limit, self.seed)
        self._clusters = list(clusters_of(self.items))
        self.answers: list[Answer] = []

    def run(self) -> Iterator[GradingProgress]:
        """Grades; yields the progress at the start and after each item."""
        self.evaluators.prepare(self.start)
        yield GradingProgress(0, len(self.items))
        questions = [
            partial(Evaluator.evaluate, test=item.test, number=number)
            for number, item in enumerate(self.items)
        ]
        for answer in self.evaluators.results(questions):
            cluster = self._clusters[len(self.answers)]
            self.answers.append(replace(answer, group=cluster))
            yield GradingProgress(len(self.answers), len(self.items))

    def card(self) -> ItemCard:
        """Returns the card of all answers so far."""
        answered = list(zip(self.items, self.answers, strict=False))

        def measured(names: Sequence[str], of: Callable[[LoadedItem], str]) -> dict[str, Metrics]:
            groups = {name: [a for item, a in answered if of(item) == name] for name in names}
            return {name: self._metrics(some) for name, some in groups.items() if some}

        failures = Counter(answer.failure for answer in self.answers if answer.failure)
        sources = [(a, "an item" if i.kind == ORIGINAL else f"{i.kind} twin") for i, a in answered]
        return ItemCard(
            start=self.start,
            agent=repr(self.agent),
            seed=self.seed,
            items=self.given,
            left_out=self.left_out,
            answered=len(self.answers),
            overall=self._metrics(self.answers),
            kinds=measured((ORIGINAL, *TWIN_KINDS), lambda item: item.kind),
            phases=measured(PHASES, lambda item: item.test.phase),
            difficulties=measured(tuple(RIGHT_SHARES), difficulty_class),
            paired=dict(paired_differences(answered, self.seed)),
            failures=dict(failures.most_common()),
            blunders=worst(sources),
            models=tuple(self._usage(answered)),
        )

    def _usage(self, answered: Sequence[tuple[LoadedItem, Answer]]) -> list[ModelUsage]:
        """Returns what a language model answered, at originals and at twins."""
        parts = {
            name: counted([a for item, a in answered if (item.kind == ORIGINAL) == original])
            for name, original in (("originals", True), ("twins", False))
        }
        return model_usage(parts)

    def _metrics(self, answers: Sequence[Answer]) -> Metrics:
        return metrics_of(answers, False, self.seed, clustered=True)


def why_unasked(item: LoadedItem, agent: Any) -> str:
    """Returns why an agent cannot be asked an item; "" if it can.

    Renamed twins are for agents that read text, which have an attribute ``reads_text``: others see
    the same position under any name. Such an agent is told positions in the form of boards that
    its attribute ``board`` names, and a twin may not have this form.
    """
    if not getattr(agent, "reads_text", False):
        return "renamed twins are for agents that read text" * (item.kind == RENAMED)
    try:
        write_board(item.test.position, getattr(agent, "board", "grid"))
    except ValueError as error:
        return str(error) if item.kind == ORIGINAL else f"as a {item.kind} twin {error}"
    return ""


def difficulty_class(item: LoadedItem) -> str:
    """Returns the one of RIGHT_SHARES to which an item belongs."""
    share = len(item.test.right) / len(item.test.move_values)
    return next(name for name, least in RIGHT_SHARES.items() if share >= least)


def paired_differences(
    answered: Sequence[tuple[LoadedItem, Answer]], seed: int
) -> Iterator[tuple[str, PairedDifference]]:
    """Yields the difference of each kind of twin, and of all twins if there are several kinds."""
    kinds = [kind for kind in TWIN_KINDS if any(item.kind == kind for item, _ in answered)]
    originals = {item.original: a for item, a in answered if item.kind == ORIGINAL}
    most = max((answer.test.lost(None) for _, answer in answered), default=0.0)
    groups = {kind: (kind,) for kind in kinds} | ({TWINS: tuple(kinds)} if len(kinds) > 1 else {})
    for name, some in groups.items():
        twins: dict[str, list[Answer]] = {}
        for item, answer in answered:
            if item.kind in some and item.original in originals:
                twins.setdefault(item.original, []).append(answer)
        if twins:
            pairs = [(originals[original], found) for original, found in twins.items()]
            yield name, paired_difference(pairs, most, seed)


def paired_difference(
    pairs: Sequence[tuple[Answer, Sequence[Answer]]], most: float, seed: int
) -> PairedDifference:
    """Returns the difference of originals and their twins; a move loses ``most`` at most."""
    kept = [(float(a.kept), fmean(twin.kept for twin in twins)) for a, twins in pairs]
    lost = [fmean(twin.lost for twin in twins) - a.lost for a, twins in pairs]
    return PairedDifference(
        len(pairs),
        fmean(original for original, _ in kept),
        fmean(twin for _, twin in kept),
        paired_interval([twin - original for original, twin in kept], seed),
        paired_interval(lost, seed, most),
    )
