"""Positions in a terminal: coloured stones, the last move in brackets, the winning line marked."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from adv_envs.position import Board, Position

from .describe import seat

STYLES = ("bold red", "bold bright_blue")
STONES = "●○"  # told apart without colours too


def fancy(console: Console) -> bool:
    """Whether to draw round stones: in a terminal that has them. A pipe gets X and O."""
    return console.is_terminal and console.encoding.lower().startswith("utf")


def mark(console: Console, position: Position, player: int) -> Text:
    """How a player is called, looking like their stones."""
    if not isinstance(position, Board):
        return Text(seat(position, player), "bold")
    return Text(stone(console, position, player), STYLES[player])


def stone(console: Console, position: Board, player: int) -> str:
    """A player's stone: round where the terminal has round ones."""
    round_ones = fancy(console) and position.symbols == "XO"
    return STONES[player] if round_ones else position.symbols[player]


def draw(console: Console, position: Position, before: Position | None = None) -> None:
    """Print the position; the stone that was not there ``before`` is marked as the last move."""
    console.print()
    console.print(board_text(console, position, before), no_wrap=True, crop=False)
    console.print()


def board_text(console: Console, position: Position, before: Position | None = None) -> Text:
    """``str(position)`` with its stones in colour, and the last move in brackets."""
    lines = [[(character, "") for character in line] for line in str(position).split("\n")]
    if isinstance(position, Board):
        won = position.winning_cells()
        for (row, column), (number, at) in _places(position).items():
            line, owner = lines[number], position.cell(row, column)
            if owner is None:
                line[at] = line[at][0], "dim"
                continue
            style = STYLES[owner] + " reverse" * ((row, column) in won)
            line[at] = stone(console, position, owner), style
            if isinstance(before, Board) and before.cell(row, column) != owner:
                _put_in_brackets(line, at)
    return Text("\n").join(Text.assemble(*line) for line in lines)


def _put_in_brackets(line: list[tuple[str, str]], at: int) -> None:
    """Write brackets around a character, if there is room."""
    line += [(" ", "")] * (at + 1 == len(line))
    if at > 0 and line[at - 1][0] + line[at + 1][0] == "  ":
        line[at - 1], line[at + 1] = ("(", ""), (")", "")


def _places(position: Board) -> dict[tuple[int, int], tuple[int, int]]:
    """Where in the text each cell is: (line, character); empty if the text has other rows."""
    lines = str(position).split("\n")
    places, line = {}, -1
    for row, cells in enumerate(position.rows()):
        drawn = " ".join(cells)
        line = next((i for i in range(line + 1, len(lines)) if drawn in lines[i]), -1)
        if line < 0:
            return {}
        at = lines[line].rfind(drawn)
        for column in range(len(cells)):
            places[row, column] = line, at + 2 * column
    return places
