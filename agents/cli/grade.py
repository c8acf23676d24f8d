"""``adv-envs grade``: an agent's report card, measured against the exact worth of every move."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import agents
from adv_envs.position import Position

from .console import Refusal, err, print_json, refusing, warn
from .files import check_files, write_whole
from .grade_records import grade_records
from .grade_report import report
from .lists import Json

if TYPE_CHECKING:
    from agents.grading import Grader

EXAMPLES = (
    'adv-envs grade tic_tac_toe "mcts(simulations=50)"',
    'adv-envs grade connect_four "alpha_beta(depth=6)" --html card.html',
    "adv-envs grade tic_tac_toe --record 'b2 a2 a1 c3'",
    "adv-envs grade hex --record game.sgf --html game.html",
    "adv-envs grade hex --size 5 random --positions 60 --json",
    "adv-envs grade pig greedy --games 2",
)

Spec = Annotated[
    str | None, typer.Argument(metavar="AGENT", help="An agent; see: adv-envs agents.")
]
Records = Annotated[
    list[str] | None,
    typer.Option(
        "--record",
        metavar="GAME",
        help="Grade a game instead: moves, an SGF file, or a file with a game a line.",
    ),
]
Positions = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Questions of the set; all by default.")
]
Games = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Games against itself, and as many against others."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides the agent's chance and the games.")]
SetSeed = Annotated[
    int | None, typer.Option(metavar="N", help="Draw other positions than the usual ones.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with pictures.")]
Limit = Annotated[float, typer.Option(metavar="SECONDS", help="Later answers count as failures.")]


def grade(
    start: Position,
    agent: Spec = None,
    record: Records = None,
    positions: Positions = None,
    games: Games = 10,
    seed: Seed = 0,
    set_seed: SetSeed = None,
    timeout: Limit = 60,
    html: Html = None,
    json: Json = False,
) -> None:
    """Grade an agent, or games that were played, against perfect play.

    An agent is asked at the positions of a published set, balanced by phase of the game and by
    value, and plays games of its own: right moves, value lost, its own values, its worst blunders.
    What every move is worth is known exactly: tic-tac-toe on small boards, Connect Four, Hex up to
    7x7, the Game of 31, Pig and trees. Ctrl-C prints what is known by then. The exit code is 1 if
    the agent failed, made an illegal move or took too long.
    """
    if (agent is None) == (not record):
        raise Refusal("name an agent to grade, or give games that were played with --record")
    check_page(html)
    if agent is None:
        grade_records(start, record or [], seed, html, json)
        return
    grader = prepare(start, agent, positions, games, seed, set_seed, timeout, json)
    try:
        done = watch(grader, json)
    except agents.CannotPlay as error:
        raise Refusal(str(error), 1) from error
    if not grader.answers:
        raise KeyboardInterrupt
    card = grader.card()
    if html is not None:
        from agents.reports.report_card_page import report_card_html

        write_whole(html, report_card_html(card))
    if json:
        print_json(card.to_dict())
    else:
        report(card)
    for reason, times in card.failures.items():
        warn(f"{times} answers failed: {reason}")
    if not done:
        asked = f"{card.asked} of {len(card.positions.questions)} positions"
        warn(f"interrupted after {asked} and {card.played} of {2 * games} games")
        raise typer.Exit(130)
    if card.failures:
        raise typer.Exit(1)


def check_page(path: Path | None) -> None:
    """Refusal unless a page can be made and written, before the work begins."""
    check_files(path)
    if path is not None:
        from agents.reports.page import environment

        with refusing(1):
            environment()


def prepare(
    start: Position,
    spec: str,
    positions: int | None,
    games: int,
    seed: int,
    set_seed: int | None,
    limit: float,
    json: bool,
) -> Grader:
    """The grader, with its questions; Refusal for what cannot be graded."""
    from agents.grading import Grader

    bar = progress(json)
    with contextlib.nullcontext() if bar.disable else bar:
        task = bar.add_task("finding positions", total=None)

        def on_question(number: int) -> None:
            bar.update(task, completed=number)

        with refusing():
            made = agents.make(spec)
            return Grader(start, made, positions, games, seed, set_seed, limit, on_question)


def watch(grader: Grader, json: bool) -> bool:
    """Grade, with a bar where somebody watches; False if Ctrl-C ended it."""
    bar = progress(json)
    with contextlib.nullcontext() if bar.disable else bar:
        task = bar.add_task(f"grading {grader.agent.name}", total=None)
        try:
            for step in grader.run():
                bar.update(task, completed=step.done, total=step.total)
        except KeyboardInterrupt:
            return False
    return True


def progress(json: bool) -> Progress:
    """A bar on standard error, where somebody watches."""
    console = err()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    hidden = json or not console.is_terminal
    return Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=hidden
    )
