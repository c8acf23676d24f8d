"""Draws ultimate tic-tac-toe: nine small boards, with a frame around those to be played on.

The frames have the colour of the player to move. A board that is won has the stroke of its winner
over pale ones, and one that is drawn has pale strokes only.
"""

from __future__ import annotations

from adv_envs.games.ultimate_tic_tac_toe import ANY, UltimateTicTacToe, board_bit

from . import palette
from .grids import Cell, Grid, cells, on_cells, set_by, small_board, whole_cells
from .picture import Picture, card, outcome, register_picture
from .shapes import Circle, Drawing, Line, Rect, Shape
from .tic_tac_toe import x_or_o

COLOURS = palette.RED, palette.BLUE


def draw(position: UltimateTicTacToe, last: int | None = None) -> Drawing:
    """Draws the small boards, a golden frame on the last stone, the boards that won on gold."""
    grid = Grid(position)
    return card([*board(grid, last), *grid.labels()], grid.box, *outcome(position), x_or_o)


def board(grid: Grid, last: int | None = None) -> list[Shape]:
    """Returns all small boards, with frames around those where the next stone may be set."""
    position, shapes = grid.position, list[Shape]()
    won = set(position.winning_cells())
    for number in range(9):
        fill = palette.GOLD_PALE if first_cell(number) in won else palette.CELL
        shapes += small(grid, number, fill)
    shapes += [grid.tile(cell, None, palette.GOLD) for cell in set_by(position, last)]
    for cell in cells(position):
        shapes += stroke(grid, cell)
    for number in range(9):
        shapes += owned(grid, number)
    return shapes


def first_cell(number: int) -> Cell:
    """Returns the cell at the top left of a small board."""
    return 3 * (number // 3), 3 * (number % 3)


def small(grid: Grid, number: int, fill: str) -> list[Shape]:
    """Returns one small board without stones, with a frame if it may be played on."""
    row, column = first_cell(number)
    side, gap = grid.side, 0.09 * grid.side
    left, top, size = column * side + gap, row * side + gap, 3 * side - 2 * gap
    frame = (palette.GRID, max(0.8, 0.02 * side))
    if is_next(grid.position, number):
        frame = (COLOURS[grid.position.to_move], max(1.5, 0.08 * side))
    shapes: list[Shape] = [Rect(left, top, size, size, 0.15 * side, fill, *frame)]
    thin, end = max(0.6, 0.025 * side), 0.2 * side
    for i in (1, 2):
        x, y = (column + i) * side, (row + i) * side
        across = (column * side + end, y), ((column + 3) * side - end, y)
        down = (x, row * side + end), (x, (row + 3) * side - end)
        shapes += [Line(across, palette.GRID, thin), Line(down, palette.GRID, thin)]
    return shapes


def is_next(position: UltimateTicTacToe, number: int) -> bool:
    """Returns whether the next stone may be set on a small board."""
    if position.is_terminal():
        return False
    is_open = position.small_boards >> board_bit(number) & 1 == 0
    return is_open if position.sent == ANY else position.sent == number


def stroke(grid: Grid, cell: Cell) -> list[Shape]:
    """Returns the stone of a cell, pale where the small board is closed."""
    position, player = grid.position, grid.position.cell(*cell)
    if player is None:
        return []
    shapes = x_or_o(player, *grid.centre(*cell), 0.27 * grid.side)
    number = 3 * (cell[0] // 3) + cell[1] // 3
    if position.small_boards >> board_bit(number) & 1 == 0:
        return shapes
    return [
        shape._replace(stroke=palette.GRID) for shape in shapes if isinstance(shape, Circle | Line)
    ]


def owned(grid: Grid, number: int) -> list[Shape]:
    """Returns the large stroke of the player who has won a small board."""
    player = grid.position.owner(number)
    if player is None:
        return []
    row, column = first_cell(number)
    return x_or_o(player, *grid.centre(row + 1, column + 1), 1.02 * grid.side)


register_picture(
    UltimateTicTacToe,
    Picture(
        draw=draw,
        places=on_cells,
        clicks=whole_cells(on_cells),
        miniature=small_board(board),
        stones=UltimateTicTacToe.symbols,
    ),
)
