"""``adv-envs book``: a book of openings, made by solving every position up to so many plies."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from adv_envs.games.connect_four import ConnectFour

from .console import Refusal, err, out, refusing
from .files import check_files, check_folder

EXAMPLES = (
    "adv-envs book connect_four --plies 8 --out connect_four.book",
    "adv-envs book connect_four --plies 3 --height 4 --width 5 --out small.book",
)

SAVE_EVERY = 30.0
"""Seconds between two savings of what was found."""

Plies = Annotated[int, typer.Option(min=0, max=12, metavar="N", help="How deep the book goes.")]
Table = Annotated[float, typer.Option(metavar="MB", help="Memory for what was found before.")]
Height = Annotated[int, typer.Option(metavar="N", help="Rows of the board.")]
Width = Annotated[int, typer.Option(metavar="N", help="Columns of the board.")]
Rebuild = Annotated[bool, typer.Option("--rebuild", help="Begin again, whatever is in FILE.")]


def book(
    game: Annotated[str, typer.Argument(metavar="GAME", help="connect_four.")],
    plies: Plies = 8,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The book.")
    ] = None,
    table_mb: Table = 1024,
    height: Height = 6,
    width: Width = 7,
    rebuild: Rebuild = False,
) -> None:
    """Make a book of openings: the exact score of every position up to so many plies.

    Eight plies take hours. What is found is saved every half a minute and when you press Ctrl-C:
    the same command goes on where it was, and an unfinished book can be used as it is:
    adv-envs solve connect_four --agent "perfect(book='FILE')"
    """
    if game.replace("-", "_") != "connect_four":
        raise Refusal(f"there are books of connect_four only, not of {game!r}")
    with refusing():
        start = ConnectFour(height, width)
    path = out_file or Path(f"connect_four_{height}x{width}.book")
    check_folder(path.parent)
    check_files(path)
    scores = known(path, start, rebuild)
    with refusing():
        make(start, plies, path, table_mb, scores)


def known(path: Path, start: ConnectFour, rebuild: bool) -> dict[int, int]:
    """The scores in a book that was begun. Refusal if it is damaged or about something else."""
    from agents.games.connect_four.book import BookError, load_book

    if rebuild or not path.exists():
        return {}
    try:
        return load_book(path, start.height, start.width).scores()
    except BookError as error:
        hint = "" if "--rebuild" in str(error) else "; begin again with --rebuild"
        raise Refusal(f"{error}{hint}") from error


def make(
    start: ConnectFour, plies: int, path: Path, table_mb: float, scores: dict[int, int]
) -> None:
    """Fill the book and save it, now and then and at the end, also if it is interrupted."""
    from agents.games.connect_four.book import complete_plies, opening_layers, solve_openings
    from agents.games.connect_four.solver import ConnectFourSolver

    solver = ConnectFourSolver(book=False, table_mb=table_mb)
    layers = opening_layers(start, plies)
    total = sum(map(len, layers))
    wanted = {key for layer in layers for key, _ in layer}
    saved = time.monotonic()
    try:
        with progress() as bar:
            task = bar.add_task(f"solving positions of up to {plies} plies", total=total)
            known_before = len(scores) - len(wanted & scores.keys())
            for found in solve_openings(solver, layers, scores):
                bar.update(task, completed=found - known_before)
                if time.monotonic() - saved > SAVE_EVERY:
                    save(path, start, scores, complete_plies(layers, scores))
                    saved = time.monotonic()
    finally:
        complete = complete_plies(layers, scores)
        if scores:
            save(path, start, scores, complete)
    held = f"{len(scores):,} positions, every one up to {complete} plies"
    out().print(f"{path}: {held}", soft_wrap=True)


def save(path: Path, start: ConnectFour, scores: dict[int, int], complete: int) -> None:
    """Write what there is."""
    from agents.games.connect_four.book import make_book

    deepest = max(stones(key, start.height, start.width) for key in scores)
    make_book(start, deepest, complete, scores).save(path)


def stones(key: int, height: int, width: int) -> int:
    """Returns the number of stones of the position with this canonical key."""
    up = height + 1
    columns = (key >> up * column & (1 << up) - 1 for column in range(width))
    return sum((column + 1).bit_length() - 1 for column in columns)


def progress() -> Any:
    """A bar on standard error, where somebody watches."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    console = err()
    hidden = not console.is_terminal
    return Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=hidden
    )
