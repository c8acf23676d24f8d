r"""Othello: trap discs of the other player between yours, and they become yours; most discs win.

Player 0 is Black and begins. Cells are numbered row by row from the top left, without gaps; with
the names of rows and columns, and the four discs of the start (X is Black, O White)::

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7          . . . . . . . .
    2   8  9 10 11 12 13 14 15          . . . . . . . .
    3  16 17 18 19 20 21 22 23          . . . . . . . .
    4  24 25 26 27 28 29 30 31          . . . O X . . .
    5  32 33 34 35 36 37 38 39          . . . X O . . .
    6  40 41 42 43 44 45 46 47          . . . . . . . .
    7  48 49 50 51 52 53 54 55          . . . . . . . .
    8  56 57 58 59 60 61 62 63          . . . . . . . .

A step right, down, down-left and down-right is a shift to the left by 1, 8, 7 and 9 here, and the
steps back are shifts to the right. A disc in the first or last column cannot be enclosed along a
row or diagonal, nor one in the first or last row along a column or diagonal. So lines of discs are
followed through inner cells only, and no line can wrap around an edge.

Action 64 (the number of cells) passes, which is a ply of its own. The cells where the player to
move can set a disc are kept in the position, because all that is asked of a position depends on
them.
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count, lowest, single
from adv_envs.position import Board, Example, Wide, reflowed, require_between


class Othello(Board):
    """Represents a position of Othello; ``Othello(size=8, margin=False)`` is the start.

    ``margin=True`` counts discs: the game is worth the own discs minus the opponent's, cells that
    are left empty being nobody's. Otherwise it is won, drawn or lost. Raises ValueError unless size
    is 4, 6 or 8.
    """

    size: int = 8
    margin: bool = False
    own: Wide = 0  # no discs: the start, see set_up
    opp: Wide = 0
    moves: Wide = 0  # the cells where the player to move can set a disc
    ply: int = 0
    parameters = ("size", "margin")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        ("Count the margin", "The result is by how many discs a player wins, not only who wins."),
    )
    side_names = ("Black", "White")

    def set_up(self) -> Othello:
        """Returns the start if no discs are given; ``moves`` that were not given are found."""
        self.check_size()
        own, opp = self.own, self.opp
        if own | opp == 0:
            own, opp = middle(self.size)
        moves = self.moves or enclosing(own, opp, self.size)
        return Othello(self.size, self.margin, own, opp, moves, self.ply)

    @property
    def height(self) -> int:
        return self.size

    @property
    def width(self) -> int:
        return self.size

    @property
    def board_bits(self) -> int:
        """Returns 1 bit for every cell."""
        return self.size * self.size

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, row by row, and the last one to pass."""
        return self.size * self.size + 1

    def bit(self, row: int, column: int) -> int:
        """Returns a cell's bit: cells are numbered row by row."""
        return row * self.size + column

    @property
    def num_stone_actions(self) -> int:
        """Returns 0: an empty cell is not enough for a move; ``legal`` is asked about all."""
        return 0

    def legal(self, action: int) -> bool:
        """Allows a disc that encloses some of the opponent's, or a pass if there is none."""
        if action == self.size * self.size:
            return self.moves == 0
        return self.moves >> action & 1 != 0

    def write_legal(self, actions: Any) -> int:
        """Writes the cells where a disc can be set, or the pass."""
        moves, number = self.moves, 0
        while moves != 0:
            cell = lowest(moves)
            actions[number] = cell
            moves ^= single(cell, moves)
            number += 1
        if number > 0:
            return number
        actions[0] = self.size * self.size
        return 1

    def play(self, action: int) -> Othello:
        """Sets a disc and turns over all that it encloses, or passes; the other is to move."""
        own, opp = self.own, self.opp
        if action < self.size * self.size:
            disc = single(action, own)
            turned = enclosed(disc, own, opp, self.size)
            own, opp = own | disc | turned, opp ^ turned
        moves = enclosing(opp, own, self.size)
        return Othello(self.size, self.margin, opp, own, moves, self.ply + 1)

    def is_terminal(self) -> bool:
        """Tests whether neither player can set a disc."""
        return self.moves == 0 and enclosing(self.opp, self.own, self.size) == 0

    def utility(self, player: int) -> int:
        """Returns 1 for more discs, -1 for fewer, 0 for as many; or the difference."""
        more = count(self.own) - count(self.opp)
        if player != self.to_move:
            more = -more
        return more if self.margin else (more > 0) - (more < 0)

    @property
    def max_utility(self) -> int:
        """Returns 1 or, with ``margin``, the number of cells."""
        return self.size * self.size if self.margin else 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        high, low = sorted((count(self.own), count(self.opp)), reverse=True)
        return f"{super().result_text()}, {high} to {low}"

    def rules(self) -> str:
        result = (
            "The player with more discs gets 1, the other -1; as many each are a draw, 0 to both."
        )
        if self.margin:
            result = "Each player gets the number of own discs minus that of the other's."
        near, far = self.size // 2 - 1, self.size // 2
        black = f"{self.cell_name(near, far)} and {self.cell_name(far, near)}"
        white = f"{self.cell_name(near, near)} and {self.cell_name(far, far)}"
        return reflowed(f"""
            **Goal.** Have more discs than the other player at the end. The board has {self.size}
            rows of {self.size} cells. Player 0 has the black discs, player 1 the white ones. At the
            start there are black discs on {black}, white ones on {white}.

            **Moves.** The players take turns, and Black begins. A move sets one own disc on an
            empty cell so that it encloses discs of the other player: in at least one of the eight
            directions, across, down or diagonally, one or more of these lie in an unbroken line
            between the new disc and another own disc. All discs that are enclosed so, in all
            directions, are turned over and become own ones; discs enclosed in another way are not.
            A player who cannot enclose anything must pass; one who can may not pass.

            **End.** The game is over when neither player can set a disc. {result} Cells that are
            still empty count for nobody.

            {NOTATION}
            """)

    example = Example(
        """
        b1 encloses b2, which is turned over
        c1
        d3
        a1
        pass player 0 cannot enclose anything and must pass
        """,
        size=4,
    )

    def name(self, action: int) -> str:
        """Returns column letter and row number: "a1" is the top left; or "pass"."""
        if action == self.size * self.size:
            return "pass"
        return self.cell_name(action // self.size, action % self.size)

    def check_size(self) -> None:
        """Raises ValueError, saying what is allowed, for other sizes."""
        if self.size not in (4, 6, 8):
            raise ValueError(f"size must be 4, 6 or 8, not {self.size}")

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other sizes and impossible positions.

        Any discs will do that fill the four cells in the middle, as nothing empties a cell.
        ``ply`` is the number of discs set since the start and of passes, which never follow each
        other; one more pass is allowed, for positions where the other player is to move.
        """
        self.check_size()
        self.check_cells()
        black, white = middle(self.size)
        discs = self.own | self.opp
        if (black | white) & ~discs:
            raise ValueError("the four cells in the middle must have discs")
        added = count(discs) - 4
        require_between("ply", self.ply, added, 2 * added + 1)
        if self.moves != enclosing(self.own, self.opp, self.size):
            raise ValueError(
                "moves do not fit the discs: use after(), from_text() or with_stones()"
            )

    def state_space(self) -> int:
        """Counts boards: the cells in the middle hold a disc, others may be empty too."""
        return 2**4 * 3 ** (self.size * self.size - 4)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        letters, names = self.labels()
        rows = (f"{name} {' '.join(row)}" for name, row in zip(names, self.rows(), strict=True))
        return "\n".join([f"{' ' * len(names[0])} {' '.join(letters)}", *rows])


def middle(size: int) -> tuple[int, int]:
    """Returns the discs of the start: Black's and White's."""
    upper_left = (size // 2 - 1) * (size + 1)
    lower_left = upper_left + size
    return 1 << lower_left | 1 << upper_left + 1, 1 << upper_left | 1 << lower_left + 1


def enclosing(own: int, opp: int, size: int) -> int:
    """Returns the empty cells where a disc would enclose some of ``opp``, by ``own``."""
    columns, rows = inner_columns(size), inner_rows(size)
    ends = beyond(own, opp & columns, 1) | beyond(own, opp & rows, size)
    ends |= beyond(own, opp & columns & rows, size - 1)
    ends |= beyond(own, opp & columns & rows, size + 1)
    return ends & ~(own | opp)


def enclosed(disc: int, own: int, opp: int, size: int) -> int:
    """Returns the discs of ``opp`` that a new ``disc`` encloses, in all directions."""
    columns, rows = inner_columns(size), inner_rows(size)
    turned = between(disc, own, opp & columns, 1) | between(disc, own, opp & rows, size)
    turned |= between(disc, own, opp & columns & rows, size - 1)
    return turned | between(disc, own, opp & columns & rows, size + 1)


def beyond(own: int, opp: int, step: int) -> int:
    """Returns the cells next to the far ends of all lines of ``opp`` beside ``own``."""
    return run_left(own, opp, step) << step | run_right(own, opp, step) >> step


def between(disc: int, own: int, opp: int, step: int) -> int:
    """Returns the lines of ``opp`` from ``disc`` to one of ``own``, both ways of a step."""
    left, right = run_left(disc, opp, step), run_right(disc, opp, step)
    none = left & 0
    return (left if own & left << step != 0 else none) | (
        right if own & right >> step != 0 else none
    )


def run_left(cells: int, opp: int, step: int) -> int:
    """Returns the lines of ``opp``, up to six long, beside ``cells``, by shifts to the left."""
    line = opp & cells << step
    line |= opp & line << step
    pairs = opp & opp << step
    line |= pairs & line << 2 * step
    return line | pairs & line << 2 * step


def run_right(cells: int, opp: int, step: int) -> int:
    """Returns the same by shifts to the right."""
    line = opp & cells >> step
    line |= opp & line >> step
    pairs = opp & opp >> step
    line |= pairs & line >> 2 * step
    return line | pairs & line >> 2 * step


def inner_columns(size: int) -> int:
    """Returns the cells that are not in the first or last column."""
    if size == 8:
        return 0x7E7E_7E7E_7E7E_7E7E
    return 0b011110_011110_011110_011110_011110_011110 if size == 6 else 0b0110_0110_0110_0110


def inner_rows(size: int) -> int:
    """Returns the cells that are not in the first or last row."""
    return ((1 << size * (size - 2)) - 1) << size


NOTATION = """
    **Notation.** A move is written as its cell, the letter of the column and the number of the row,
    counted from the top: `a1` is the top left cell. `pass` is to pass.

    **Board.** X is a black disc, O a white one, and a dot an empty cell. The letters of the columns
    are above, the numbers of the rows at the left. The board does not show who is to move.
"""
"""How moves are written and boards are printed, for ``rules``."""
