"""``adv-envs grade`` where players do not see everything: exploitability, and where it is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

import agents
from adv_envs.position import Position
from adv_envs.registry import title

from .console import (
    Bar,
    CommandError,
    command_errors,
    out,
    print_json,
    print_table,
    save_file,
    table,
)

if TYPE_CHECKING:  # these need SciPy
    from agents.grading.exploitability_card import HiddenReport, PolicyCard, SetLoss

SHOWN = 8
"""Information sets of each agent that are printed."""


def grade_hidden(
    start: Position, names: Sequence[str], samples: int, seed: int, html: Path | None, json: bool
) -> None:
    """Grade the agents side by side, print the report and write the page."""
    if not names:
        raise CommandError(
            f"games of {title(start)} are not graded, as good play is a policy, not moves: name "
            "agents"
        )
    found = graded(start, names, samples, seed, json)
    if html is not None:
        from agents.reports.exploitability_page import exploitability_html

        save_file(html, exploitability_html(found))
    if json:
        print_json(found.to_dict())
    else:
        report(found)


def graded(
    start: Position, names: Sequence[str], samples: int, seed: int, json: bool
) -> HiddenReport:
    """The report, with a progress bar; CommandError for what cannot be graded."""
    with command_errors(), Bar("finding histories", json=json) as bar:
        from agents.grading.exploitability_card import grade_hidden as grade

        try:
            return grade(
                start,
                [agents.make(name) for name in names],
                samples,
                seed,
                bar.update,
            )
        except agents.CannotPlay as error:
            raise CommandError(str(error), 1) from error


# ---- as text


def report(found: HiddenReport) -> None:
    """Print the cards side by side, then what each agent loses, and where."""
    console = out()
    console.print(f"Report card: {title(found.start)}", style="bold", soft_wrap=True)
    value = "" if found.value is None else f", worth {signed(found.value)} to player 0"
    size = f"{found.histories:,} histories, {found.sets:,} information sets"
    console.print(f"{size}{value}; in {found.unit}", style="dim", soft_wrap=True)
    print_table(overview(found))
    console.print(explanation(found), style="dim")
    if found.meetings is not None and len(found.cards) > 1:
        print_table(meetings(found))
    for card in found.cards:
        print_card(card)


def overview(found: HiddenReport) -> Table:
    """A line for each agent."""
    two = found.value is not None
    phases = list(found.cards[0].phases)
    seats = [seat.seat for seat in found.cards[0].seats]
    columns = ["exploitability", "NashConv", *[f"taken in seat {seat}" for seat in seats]]
    columns += ["against equilibrium"] * two + [f"lost in {phase}" for phase in phases]
    filled = table("agent", *columns, numbers=len(columns))
    for card in found.cards:
        taken = [seat.gain if seat.taken is None else seat.taken for seat in card.seats]
        against = [signed(card.against_equilibrium or 0.0)] * two
        cells = [*map(plain, (card.exploitability, card.nash_conv, *taken)), *against]
        filled.add_row(card.agent, *cells, *[plain(card.phases[phase]) for phase in phases])
    return filled


def explanation(found: HiddenReport) -> str:
    """The meaning of the columns, and where policies come from."""
    two = found.value is not None
    words = "exploitability: what a perfect opponent takes per game beyond the value of the game, "
    if two:
        words += "the mean of both seats; "
    else:
        words = (
            "taken: what a best response in that seat gains over the agent, where all others play "
            "like it; NashConv: their sum; exploitability: their mean; "
        )
    words += (
        "lost: the part of NashConv of a phase or an information set; costs: the same once there"
    )
    return words + "; taken: what a perfect opponent takes there" * two


def meetings(found: HiddenReport) -> Table:
    """What the agents expect against each other."""
    numbers = range(1, len(found.cards) + 1)
    filled = table("expected against", *map(str, numbers), numbers=len(found.cards))
    rows = zip(numbers, found.cards, found.meetings or (), strict=True)
    for number, card, row in rows:
        filled.add_row(f"{number} {card.agent}", *map(signed, row))
    return filled


def print_card(card: PolicyCard) -> None:
    """Where an agent loses most."""
    console = out()
    console.print(f"{card.agent}: {card.how}", style="bold", soft_wrap=True)
    if card.half is not None:
        console.print(
            f"exploitability {plain(card.exploitability)}; of half of the answers "
            f"{plain(card.half)}: an estimate is too high on average, a best response exploits its "
            "errors, too",
            style="dim",
        )
    worst = [found for found in card.sets[:SHOWN] if max(found.loss, found.taken or 0.0) > 1e-9]
    if not worst:
        console.print("Nothing is lost anywhere.")
        return
    two = worst[0].taken is not None
    columns = ["information set", "player", "reached", "plays", "best", "costs", "lost"]
    filled = table(*columns, *["taken"] * two)
    for column in (filled.columns[2], *filled.columns[5:]):
        column.justify = "right"
    for found in worst:
        filled.add_row(*cells(found))
    print_table(filled)


def cells(found: SetLoss) -> list[str]:
    """The line of an information set."""
    name = found.view.name
    likely = sorted(found.probabilities.items(), key=lambda item: -item[1])
    plays = ", ".join(f"{name(action)} {100 * share:.0f} %" for action, share in likely if share)
    view = " ".join(str(found.view).split())
    reached = f"{100 * found.reach:.2f} %"
    taken = [] if found.taken is None else [plain(found.taken)]
    numbers = [plain(found.gap), plain(found.loss), *taken]
    return [view, str(found.player), reached, plays, name(found.best), *numbers]


def plain(value: float) -> str:
    """An amount; 0 for what is nothing but rounding."""
    if abs(value) < 1e-9:
        return "0.0000"
    return f"{value:.4f}" if abs(value) >= 5e-5 else f"{value:.1e}"


def signed(value: float) -> str:
    """An amount with its sign."""
    text = f"{value:+.4f}"
    return text[1:] if float(text) == 0 else text
