"""The value of every move in a terminal: on the board where there is one, else as bars.

The colours say again what the numbers say; without colours nothing is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite, isinf

from rich.console import Console
from rich.text import Text

from adv_envs.pictures.boards import cells, names
from adv_envs.pictures.heat import ColourScale, short
from adv_envs.pictures.picture import picture_of
from adv_envs.position import Board, Position

from .board import STYLES, stone

BAR = 30  # characters
MOST_BARS = 20


def heat_text(console: Console, position: Position, values: Mapping[int, float]) -> Text:
    """The board with its values, as wide as the console allows, or the moves in order of value.

    Where values are too wide they are in hundredths, and a line says so.
    """
    text = _heat_text(console, position, values)
    if console.is_terminal:
        return text
    return Text("\n".join(line.rstrip() for line in text.plain.split("\n")))


def _heat_text(console: Console, position: Position, values: Mapping[int, float]) -> Text:
    if isinstance(position, Board):
        forms: list[Callable[[float, bool], str]] = [framed]
        if all(isinf(value) or abs(value) <= 9.99 for value in values.values()):
            forms.append(hundredths)
        for form in forms:
            text = board(console, position, values, form)
            if text is not None and max(map(len, text.plain.split("\n"))) <= console.width:
                return text + Text("\nin hundredths; * is best" * (form is hundredths), "dim")
    return bars(position, values)


def framed(value: float, best: bool) -> str:
    """A value, in brackets if no move is better."""
    return f"[{short(value)}]" if best else f" {short(value)} "


def hundredths(value: float, best: bool) -> str:
    """A value as a whole number, with a star if no move is better."""
    return "*" * best + short(value if isinf(value) else round(100 * value))


def board(
    console: Console,
    position: Board,
    values: Mapping[int, float],
    form: Callable[[float, bool], str],
) -> Text | None:
    """The board with a value in each cell that can be taken; None if a move has no cell."""
    where = {action: cell_of(position, action) for action in values}
    extra = {action: value for action, value in values.items() if where[action] is None}
    if any(position.num_stone_actions > action for action in extra):
        return None
    scale, best = ColourScale(values.values()), max(values.values())
    width = max(len(form(value, value == best)) for value in values.values())
    width += width % 2  # for boards whose rows are shifted by half a cell
    here = {cell: values[action] for action, cell in where.items() if cell is not None}
    columns, rows = names(position)
    margin = max(map(len, rows)) + 1
    picture = picture_of(position)
    upright = picture.column_names_below
    text = Text() if upright else header(columns, width, margin)
    for row in range(position.height):
        indent = int(row * width * picture.row_shift)
        text.append(" " * indent + ("" if upright else f"{rows[row]:>{margin - 1}} "))
        for column in range(position.width):
            cell = row, column
            owner = position.cell(row, column)
            if cell in here:
                text.append_text(spot(here[cell], here[cell] == best, form, width, scale))
            elif owner is None:
                text.append("·".center(width), "dim")
            else:
                text.append(stone(console, position, owner).center(width), STYLES[owner])
        text.append("\n")
    if upright:
        text.append_text(header([position.name(a) for a in range(position.width)], width, 0))
    for action, value in extra.items():
        text.append(f"{position.name(action)} ").append_text(
            spot(value, value == best, form, width, scale)
        )
    text.rstrip()
    return text


def header(columns: list[str], width: int, margin: int) -> Text:
    """The names of the columns."""
    line = " " * margin + "".join(name.center(width) for name in columns)
    return Text(line.rstrip() + "\n", "dim")


def spot(
    value: float, best: bool, form: Callable[[float, bool], str], width: int, scale: ColourScale
) -> Text:
    """A value in its colour."""
    fill, ink = scale.colours(value)
    return Text(form(value, best).center(width), f"{'bold ' * best}{ink} on {fill}")


def cell_of(position: Board, action: int) -> tuple[int, int] | None:
    """The cell where a stone comes to stand by ``action``; None if by none."""
    after = position.play(action)
    new = [c for c in cells(position) if position.cell(*c) is None and after.cell(*c) is not None]
    moved = [c for c in cells(position) if position.cell(*c) not in (None, after.cell(*c))]
    return new[0] if len(new) == 1 and not moved else None


def bars(position: Position, values: Mapping[int, float]) -> Text:
    """A line for each move, the best first: its name, its value, a bar."""
    scale, best = ColourScale(values.values()), max(values.values())
    most = max((abs(value) for value in values.values() if isfinite(value)), default=0) or 1
    ranked = sorted(values.items(), key=lambda item: -item[1])
    text = Text()
    wide = max(len(position.name(action)) for action in values)
    for action, value in ranked[:MOST_BARS]:
        text.append(f"{position.name(action):>{wide}} ", "bold")
        text.append(f"{framed(value, value == best):>9} ")
        length = max(1, round(BAR * min(1, abs(value) / most)))
        sign = "+" if value > 0 else "-" if value < 0 else "0"
        fill, _ = scale.colours(value)  # the bar is all colour: its signs are seen where is none
        text.append(sign * length, f"{fill} on {fill}")
        text.append("\n")
    if len(ranked) > MOST_BARS:
        text.append(f"and {len(ranked) - MOST_BARS} more", "dim")
    text.rstrip()
    return text
