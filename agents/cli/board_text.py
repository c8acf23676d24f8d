"""Writes positions in a terminal: coloured stones, the last move in brackets, values of moves.

Colours only repeat what characters say, so that nothing is missing without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite, isinf

from rich.console import Console
from rich.text import Text

from adv_envs.pictures.grids import cells
from adv_envs.pictures.heat import ColourScale, short
from adv_envs.pictures.picture import picture_of
from adv_envs.position import CHANCE, Board, Position
from adv_envs.text.rules import with_side_names
from agents.describe import seat

STYLES = ("bold red", "bold bright_blue")
COLOURS = {"Red": "bold red", "Blue": "bold bright_blue", "Yellow": "bold yellow"}

BAR = 30
"""Characters of the longest bar."""

MOST_BARS = 20


# ---- players and stones


def mark(console: Console, position: Position, player: int) -> Text:
    """Returns the name of a player, in the colour of their stones: "X", "Red (X)", "chance"."""
    name = seat(position, player)
    if not isinstance(position, Board) or player == CHANCE:
        return Text.assemble((name, "bold"))
    letter = stone(console, position, player)
    alike = name.startswith(position.symbols[player])
    return Text.assemble((name if alike else f"{name} ({letter})", style(position, player)))


def style(position: Position, player: int) -> str:
    """Returns the colour of a player's stones: that of their name, if it is one."""
    return COLOURS.get(position.side_names[player], STYLES[player])


def stone(console: Console, position: Board, player: int) -> str:
    """Returns a player's stone: the picture's symbol in a terminal that has it, else a letter.

    A game with letters of its own keeps them.
    """
    can = console.is_terminal and console.encoding.lower().startswith("utf")
    usual = position.symbols == Board.symbols
    return picture_of(position).stones[player] if can and usual else position.symbols[player]


# ---- a position


def draw(console: Console, position: Position, before: Position | None = None) -> None:
    """Prints the position; the stone that was not there ``before`` is marked as the last move."""
    print_apart(console, board_text(console, position, before))


def print_apart(console: Console, text: Text) -> None:
    """Prints a text between empty lines."""
    console.print()
    console.print(text, no_wrap=True, crop=False)
    console.print()


def board_text(console: Console, position: Position, before: Position | None = None) -> Text:
    """Returns ``str(position)`` with its stones in colour, and the last move in brackets."""
    people_see = with_side_names(position, str(position))
    lines = [[(character, "") for character in line] for line in people_see.split("\n")]
    if isinstance(position, Board):
        won = position.winning_cells()
        for (row, column), (number, at) in _places(position).items():
            line, owner = lines[number], position.cell(row, column)
            if owner is None:
                line[at] = line[at][0], "dim"
                continue
            marked = " reverse" * ((row, column) in won)
            line[at] = stone(console, position, owner), style(position, owner) + marked
            if isinstance(before, Board) and before.cell(row, column) != owner:
                line += [(" ", "")] * (at + 1 == len(line))
                if at > 0 and line[at - 1][0] + line[at + 1][0] == "  ":  # there is room
                    line[at - 1], line[at + 1] = ("(", ""), (")", "")
    return Text("\n").join(Text.assemble(*line) for line in lines)


def _places(position: Board) -> dict[tuple[int, int], tuple[int, int]]:
    """Returns the (line, character) of each cell in the text; empty if the text has other rows."""
    lines = str(position).split("\n")
    places, line = {}, -1
    for row, row_cells in enumerate(position.rows()):
        drawn = " ".join(row_cells).lstrip()  # a row may begin with places that are no cells
        line = next((i for i in range(line + 1, len(lines)) if drawn in lines[i]), -1)
        if line < 0:
            return {}
        first = sum(cell == " " for cell in row_cells)
        at = lines[line].rfind(drawn) - 2 * first
        for column in range(first, len(row_cells)):
            places[row, column] = line, at + 2 * column
    return places


# ---- the value of every move


def values_text(console: Console, position: Position, values: Mapping[int, float]) -> Text:
    """Returns the board with the value of every move, or the moves in order of value.

    Where values are too wide for the console they are in hundredths, and a line says so.
    """
    text = bars(position, values)
    if isinstance(position, Board):
        board = position.hidden(position.to_move)  # a stone that is not seen is in no move's way
        forms: list[Callable[[float, bool], str]] = [framed]
        if all(isinf(value) or abs(value) <= 9.99 for value in values.values()):
            forms.append(hundredths)
        for form in forms:
            drawn = values_board(console, board, values, form)
            if drawn is not None and max(map(len, drawn.plain.split("\n"))) <= console.width:
                text = drawn + Text("\nin hundredths; * is best" * (form is hundredths), "dim")
                break
    if console.is_terminal:
        return text
    return Text("\n".join(line.rstrip() for line in text.plain.split("\n")))


def framed(value: float, best: bool) -> str:
    """Returns a value, in brackets if no move is better."""
    return f"[{short(value)}]" if best else f" {short(value)} "


def hundredths(value: float, best: bool) -> str:
    """Returns a value as a whole number, with a star if no move is better."""
    return "*" * best + short(value if isinf(value) else round(100 * value))


def values_board(
    console: Console,
    position: Board,
    values: Mapping[int, float],
    form: Callable[[float, bool], str],
) -> Text | None:
    """Returns the board with a value in each cell that can be taken; None if a move has no cell."""
    where = {action: cell_of(position, action) for action in values}
    extra = {action: value for action, value in values.items() if where[action] is None}
    if any(position.num_stone_actions > action for action in extra):
        return None
    scale, best = ColourScale(values.values()), max(values.values())
    width = max(len(form(value, value == best)) for value in values.values())
    width += width % 2  # for boards whose rows are shifted by half a cell
    here = {cell: values[action] for action, cell in where.items() if cell is not None}
    columns, rows = position.labels()
    margin = max(map(len, rows)) + 1
    picture = picture_of(position)
    names_below = picture.column_names_below
    leftmost = 0 if picture.row_shift >= 0 else position.height - 1
    inward = int(-leftmost * width * picture.row_shift)
    text = Text() if names_below else header(columns, width, margin + inward)
    for row, characters in enumerate(position.rows()):
        indent = int((row - leftmost) * width * picture.row_shift)
        text.append(" " * indent + ("" if names_below else f"{rows[row]:>{margin - 1}} "))
        for column, character in enumerate(characters):
            cell = row, column
            owner = position.cell(row, column)
            if cell in here:
                text.append_text(spot(here[cell], here[cell] == best, form, width, scale))
            elif owner is None:
                text.append(" " * width if character == " " else "·".center(width), "dim")
            else:
                text.append(stone(console, position, owner).center(width), style(position, owner))
        text.append("\n")
    if names_below:
        text.append_text(header([position.name(a) for a in range(position.width)], width, 0))
    for action, value in extra.items():
        text.append(f"{position.name(action)} ").append_text(
            spot(value, value == best, form, width, scale)
        )
    text.rstrip()
    return text


def header(columns: list[str], width: int, margin: int) -> Text:
    """Returns the names of the columns."""
    line = " " * margin + "".join(name.center(width) for name in columns)
    return Text(line.rstrip() + "\n", "dim")


def spot(
    value: float, best: bool, form: Callable[[float, bool], str], width: int, scale: ColourScale
) -> Text:
    """Returns a value of a move as a short text, green to red from best to worst."""
    fill, ink = scale.colours(value)
    return Text(form(value, best).center(width), f"{'bold ' * best}{ink} on {fill}")


def cell_of(position: Board, action: int) -> tuple[int, int] | None:
    """Returns the cell on which ``action`` sets a stone; None if it sets none or moves others.

    Stones may change hands or be taken away by a move that has the name of its cell.
    """
    after = position.play(action)
    new = [c for c in cells(position) if position.cell(*c) is None and after.cell(*c) is not None]
    changed = any(position.cell(*c) not in (None, after.cell(*c)) for c in cells(position))
    if len(new) != 1 or (changed and position.name(action) != position.cell_name(*new[0])):
        return None
    return new[0]


def bars(position: Position, values: Mapping[int, float]) -> Text:
    """Returns a line for each move, the best first: its name, its value, a bar."""
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
        fill, _ = scale.colours(value)
        text.append(sign * length, f"{fill} on {fill}")  # the signs are seen without colours
        text.append("\n")
    if len(ranked) > MOST_BARS:
        text.append(f"and {len(ranked) - MOST_BARS} more", "dim")
    text.rstrip()
    return text
