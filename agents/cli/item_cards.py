"""Implements ``adv-envs grade --items``: an agent's card at items and their twins."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

import agents
from adv_envs.position import Position
from adv_envs.registry import title
from agents.statistics import Interval, signed

from .card_tables import SPACE, metrics_table, print_blunders
from .console import (
    agents_print_aside,
    busy,
    command_errors,
    end,
    err,
    out,
    print_json,
    print_table,
    print_usage,
    progress_bar,
    table,
    warn,
)
from .matches import isolated_players

if TYPE_CHECKING:  # these need SciPy
    from agents.grading import Grader, ItemCard, ItemGrader, PairedDifference


def grade_items(
    start: Position,
    spec: str,
    path: Path,
    seed: int | None,
    timeout: float,
    ready: float,
    workers: int,
    json: bool,
) -> None:
    """Grades an agent at the items of a file, and prints its card."""
    with command_errors(1), agents_print_aside():
        from agents.grading import read_items

        items = read_items(path, start)
    with command_errors(), agents_print_aside():
        player = agents.make(spec)
    players = [player] * workers
    with isolated_players(start, players, ready, timeout, trusted=True) as (playing, *copies):
        with command_errors():
            from agents.grading import ItemGrader

            grader = ItemGrader(start, items, playing, seed, timeout, player, copies)
        done = run_grader(grader, json)
    card = grader.card()
    if json:
        print_json(card.to_dict())
    else:
        report_items(card, path)
    for reason, times in card.failures.items():
        warn(f"{times} answers failed: {reason}")
    cut_off = f"interrupted after {card.answered} of {len(grader.items)} items" * (not done)
    end(cut_off, bool(card.failures))


def run_grader(grader: Grader | ItemGrader, json: bool) -> bool:
    """Asks all questions of a card, with a progress bar; returns whether it was not interrupted.

    KeyboardInterrupt where nothing was answered until then.
    """
    name, done = grader.agent.name, False
    bar = progress_bar(f"grading {name}", json=json)
    with suppress(KeyboardInterrupt), command_errors(), bar as update:
        steps = grader.run()
        with busy(err(), f"{name} gets ready", announced=True):
            first = next(steps)
        for step in chain((first,), steps):
            update(step.done, total=step.total)
        done = True
    if not grader.answers:
        raise KeyboardInterrupt
    return done


# ---- the card as text


def report_items(card: ItemCard, path: Path) -> None:
    """Prints the card of an agent at the items of a file."""
    console = out()
    console.print(f"Item card: {card.agent} at {title(card.start)}", style="bold", soft_wrap=True)
    left_out = "".join(f", {n} left out: {why}" for why, n in card.left_out.items())
    console.print(f"items: {path}, {card.items} of them{left_out}", style="dim", soft_wrap=True)
    names = {"original": "originals", "image": "other images"}
    kinds = {names.get(kind, f"{kind} twins"): found for kind, found in card.kinds.items()}
    rows = {"all": card.overall, **kinds, **card.phases, **card.difficulties}
    last = {"all", *list(kinds)[-1:], *list(card.phases)[-1:], *list(card.difficulties)[-1:]}
    print_table(metrics_table(card.start, rows, last, False, False))
    console.print(
        "In brackets 95 % intervals; an item and its twins count as one observation; random: the "
        "result of random moves; right: keeps the value of the position",
        style="dim",
    )
    if card.paired:
        print_table(paired_table(card.paired))
        console.print(
            "Twins have the same values as their originals. Fewer right moves at twins show what "
            "an agent knows by heart; * marks intervals without 0",
            style="dim",
        )
    if card.models:
        print_usage(card.models)
    print_blunders(card.blunders, card.start, bool(card.failures))
    console.print(f"seed: {card.seed}", style="dim")


def paired_table(paired: dict[str, PairedDifference]) -> Table:
    """Returns a line for each kind of twin: what changes from originals to twins."""
    columns = "items", "% right", "% right at twins", "difference", "more utility lost"
    filled = table("twins", *columns, numbers=len(columns))
    for kind, found in paired.items():
        filled.add_row(
            kind,
            str(found.items),
            f"{100 * found.kept_originals:.1f}",
            f"{100 * found.kept_twins:.1f}",
            difference(found.kept, 100, 1) + "*" * found.tells,
            difference(found.lost, 1, 2),
        )
    return filled


def difference(interval: Interval, factor: float, digits: int) -> str:
    """Returns a difference with its sign and its interval: "-50.0 (-62.1 to -38.0)"."""
    ends = interval.ends(lambda end: signed(factor * end, digits))
    return f"{signed(factor * interval.value, digits)}{SPACE}({ends})"
