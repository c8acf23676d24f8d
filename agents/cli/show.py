"""``adv-envs show``: one position, as text or as a picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, Any

import typer

from adv_envs.position import Position

from .board import draw, mark
from .console import out, print_json, refusing
from .describe import game_data, outcome, task
from .files import check_files, write_whole
from .lists import Json
from .records import line, save

EXAMPLES = (
    "adv-envs show tic_tac_toe",
    "adv-envs show connect_four 4455",
    "adv-envs show tic_tac_toe b2 a1 --svg board.svg",
    "adv-envs show hex --size 5 a1 b2 c3 --png board.png",
    "adv-envs show hex --size 5 a1 b2 c3 --sgf game.sgf",
    "adv-envs show hex game.sgf",
)

Moves = Annotated[
    list[str] | None,
    typer.Argument(metavar="MOVES", help='Moves: a1 b2, or "4455"; for hex also game.sgf, a file.'),
]


def show(
    start: Position,
    moves: Moves = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture.")] = None,
    sgf: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a game of hex.")] = None,
    json: Json = False,
) -> None:
    """Show a position: the board, who is to move, the legal moves."""
    before, position, last = replay(start, moves)
    check_files(svg, sgf, png=png)
    if sgf is not None:
        save(sgf, *line(start, moves or []))
    with refusing(1):
        if svg is not None:
            write_whole(svg, position.svg(last))
        if png is not None:
            save_png(position, last, png)
    if json:
        return print_json(data(position))
    console = out()
    draw(console, position, before)
    if position.is_terminal():
        names = [mark(console, position, i).plain for i in range(position.num_players)]
        console.print(f"The game is over: {outcome(position, names=names)}.")
        return
    mover = position.to_move
    console.print(mark(console, position, mover), f"to move{task(position, mover)}.")
    console.print(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")


def replay(
    start: Position, moves: list[str] | None
) -> tuple[Position | None, Position, int | None]:
    """The positions before and after the last of the moves, and that move."""
    start, actions = line(start, moves or [])
    before, position, last = None, start, None
    for last in actions:
        before, position = position, position.play(last)
    return before, position, last


def save_png(position: Position, last: int | None, path: Path) -> None:
    """Write the picture as PNG; ImportError without Pillow."""
    from adv_envs.pictures.raster import pixels

    write_png(pixels(position, last), path)


def write_png(pixels: Any, path: Path) -> None:
    """Write an array (height, width, 3) as PNG."""
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    write_whole(path, data.getvalue())


def data(position: Position) -> dict[str, Any]:
    """The position for JSON."""
    over = position.is_terminal()
    players = range(position.num_players)
    return {
        **game_data(position),
        "position": repr(position),
        "board": str(position),
        "to_move": None if over else position.to_move,
        "legal": [position.name(action) for action in position.legal_actions()],
        "utilities": [position.utility(player) for player in players] if over else None,
    }
