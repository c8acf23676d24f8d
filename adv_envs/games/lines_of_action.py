"""Lines of Action: join all of your men into one group.

A man moves in a straight line, by exactly as many cells as there are men on that line. Black,
player 0, begins. Invented by Claude Soucie around 1960 and published by Sid Sackson in 1969.

Cells are numbered row by row from the top left, without gaps. On 4 x 4::

    4   0  1  2  3        . B B .
    3   4  5  6  7        W . . W          action = 8 * cell + direction
    2   8  9 10 11        W . . W
    1  12 13 14 15        . B B .          directions:  7 0 1
        a  b  c  d        a b c d                       6 . 2
                                                        5 4 3

``cell`` is the cell that the man leaves. How far it goes follows from the board, so that 8 actions
for each cell are enough. Up, 0, is to ``size`` bits less, 1 to ``size`` - 1 less, 2 to 1 more, 3 to
``size`` + 1 more, and the other four are their opposites.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from adv_envs.bits import count, lowest, repeated, single
from adv_envs.position import Board, Example, Wide, Words, counted, reflowed, require_between

DOWN = (-1, -1, 0, 1, 1, 1, 0, -1)
"""By direction, how many rows further down a man is after a step."""

RIGHT = (0, 1, 1, 1, 0, -1, -1, -1)
"""By direction, how many columns further right a man is after a step."""

WON, DRAWN = range(2)
"""The values of ``joined_both``."""


class LinesOfAction(Board):
    """Represents a position; ``LinesOfAction(size=8)`` is the start.

    ``joined_both`` says what a move is worth that joins the men of both players: "win" or "draw".
    The game is drawn after ``draw_moves`` moves of each player without a capture. Raises ValueError
    unless ``size`` is 4 to 10 and ``draw_moves`` 1 to 1000.
    """

    size: int = 8
    joined_both: Words = Words("win", "draw")
    draw_moves: int = 50
    own: Wide = -1  # -1: see set_up
    opp: Wide = -1
    quiet: int = 0  # plies since the last capture
    turn: int = 0  # the player to move
    parameters = ("size", "joined_both", "draw_moves")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        (
            "Both joined",
            "What happens when a capture joins the men of both players: who moved wins, or a draw.",
        ),
        ("Moves to a draw", "The game is drawn after so many moves of each without a capture."),
    )
    symbols: ClassVar[str] = "BW"
    side_names = ("Black", "White")

    def set_up(self) -> LinesOfAction:
        """Returns the position itself or, if no men were given, all men on their edges."""
        if self.own != -1 or self.opp != -1:
            return self
        self.check_parameters()
        n = self.size
        row = (1 << n - 1) - 2
        black = row | row << n * (n - 1)
        white = sum((1 | 1 << n - 1) << n * i for i in range(1, n - 1))
        own, opp = (black, white) if self.turn == 0 else (white, black)
        return LinesOfAction(n, self.joined_both, self.draw_moves, own, opp, self.quiet, self.turn)

    @property
    def height(self) -> int:
        """Counts the rows of the board."""
        return self.size

    @property
    def width(self) -> int:
        """Counts the columns of the board."""
        return self.size

    @property
    def board_bits(self) -> int:
        """Returns 1 bit for every cell."""
        return self.size * self.size

    @property
    def num_actions(self) -> int:
        """Returns eight actions for each cell, one for each direction."""
        return 8 * self.size * self.size

    @property
    def num_stone_actions(self) -> int:
        """Returns 0: no action sets a stone on an empty cell."""
        return 0

    @property
    def to_move(self) -> int:
        """Returns the player to move: Black, player 0, begins."""
        return self.turn

    def bit(self, row: int, column: int) -> int:
        """Returns a cell's bit: cells are numbered row by row, from the top left."""
        return row * self.size + column

    def line(self, cell: int, direction: int) -> Wide:
        """Returns the cells of the whole line through ``cell`` in a direction and its opposite."""
        n, way = self.size, direction % 4
        row, column = cell // n, cell % n
        first = single(0, self.own)
        if way == 0:
            return repeated(first, n, n) << column
        if way == 2:
            return (single(n, self.own) - first) << row * n
        if way == 3:
            diagonal, offset = repeated(first, n, n + 1), column - row
            if offset < 0:
                return diagonal << -offset * n & self.cells_up_to(n * n - 1)
            return (diagonal & self.cells_up_to(n * (n - offset) - 1)) << offset
        diagonal, offset = repeated(first, n, n - 1) << n - 1, row + column - n + 1
        if offset > 0:
            return diagonal << offset * n & self.cells_up_to(n * n - 1)
        return diagonal >> -offset & self.cells_up_to(n * (row + column))

    def cells_up_to(self, cell: int) -> Wide:
        """Returns all cells from the first one to ``cell``."""
        last = single(cell, self.own)
        return last | last - 1

    def distance(self, cell: int, direction: int) -> int:
        """Returns how far a man goes: as many cells as there are men of both on the line."""
        return count(self.line(cell, direction) & (self.own | self.opp))

    def target(self, cell: int, direction: int, distance: int) -> int:
        """Returns where a man comes down, or -1 where it would leave the board or is in the way.

        It may pass over own men and end on a man of the other player, which it captures.
        """
        row = cell // self.size + distance * DOWN[direction]
        column = cell % self.size + distance * RIGHT[direction]
        if not (0 <= row < self.size and 0 <= column < self.size):
            return -1
        to = row * self.size + column
        if self.own >> to & 1 != 0:
            return -1
        low, high = min(cell, to), max(cell, to)
        between = single(high, self.own) - (single(low, self.own) << 1)
        if self.opp & between & self.line(cell, direction) != 0:
            return -1
        return to

    def end_of(self, action: int) -> int:
        """Returns the cell where the man of ``action`` comes down, or -1 if it cannot move so."""
        cell, direction = action // 8, action % 8
        return self.target(cell, direction, self.distance(cell, direction))

    def legal(self, action: int) -> bool:
        """Tests whether an own man is on the cell and can move in the direction."""
        return self.own >> action // 8 & 1 != 0 and self.end_of(action) >= 0

    def write_legal(self, actions: Any) -> int:
        men, number = self.own, 0
        while men != 0:
            cell = lowest(men)
            men &= men - 1
            distances = (
                self.distance(cell, 0),
                self.distance(cell, 1),
                self.distance(cell, 2),
                self.distance(cell, 3),
            )
            for direction in range(8):
                if self.target(cell, direction, distances[direction % 4]) >= 0:
                    actions[number] = 8 * cell + direction
                    number += 1
        return number

    def can_move(self) -> bool:
        """Tests whether the player to move has a legal move."""
        men = self.own
        while men != 0:
            cell = lowest(men)
            men &= men - 1
            for direction in range(8):
                if self.target(cell, direction, self.distance(cell, direction)) >= 0:
                    return True
        return False

    def play(self, action: int) -> LinesOfAction:
        """Moves a man; what it captures is gone, and the other player is to move."""
        end = single(self.end_of(action), self.own)
        men, others = self.own ^ single(action // 8, self.own) | end, self.opp & ~end
        quiet = 0 if self.opp & end != 0 else self.quiet + 1
        n, joined_both, draw_moves = self.size, self.joined_both, self.draw_moves
        return LinesOfAction(n, joined_both, draw_moves, others, men, quiet, 1 - self.turn)

    def is_joined(self, men: Wide) -> bool:
        """Tests whether ``men`` are one group, in which each is beside another in 8 directions."""
        n = self.size
        first_column = repeated(single(0, men), n, n)
        inner, group = men & ~first_column, single(lowest(men), men)
        outer = men & ~(first_column << n - 1)
        while True:
            sides = group | (group & inner) >> 1 | (group & outer) << 1
            grown = (sides | sides << n | sides >> n) & men
            if grown == group:
                return group == men
            group = grown

    def is_terminal(self) -> bool:
        """Tests whether men are joined, nobody captured for too long, or the mover is stuck."""
        if self.quiet >= 2 * self.draw_moves or self.is_joined(self.opp):
            return True
        return self.is_joined(self.own) or not self.can_move()

    def utility(self, player: int) -> int:
        """Returns 1 for the player whose men are joined, or if nobody's are, who can move; else -1.

        Where the men of both are joined, who moved last has won, or it is a draw.
        """
        own, opp = self.is_joined(self.own), self.is_joined(self.opp)
        if own and opp and self.joined_both == DRAWN:
            return 0
        if opp or (not own and not self.can_move()):
            return -1 if player == self.turn else 1
        if own:
            return 1 if player == self.turn else -1
        return 0

    # ---- not needed by the rules

    def result_text(self) -> str:
        own, opp = self.is_joined(self.own), self.is_joined(self.opp)
        if own and opp:
            return f"The men of both are joined, {super().result_text()}"
        if own or opp:
            return super().result_text()
        if not self.can_move():
            return f"{self.side_names[self.turn]} cannot move, {super().result_text()}"
        return f"Draw: {counted(self.draw_moves, 'move')} of each without a capture"

    def rules(self) -> str:
        n = self.size
        last, men = "abcdefghij"[n - 1], 2 * (n - 2)
        both = (
            "If a capture joins the men of both players, the player who moved wins."
            if self.joined_both == WON
            else "If a capture joins the men of both players, the game is a draw, worth 0 to both."
        )
        return reflowed(f"""
            **Goal.** Join all of your own men into one group, in which men are connected by being
            beside each other, across, down or diagonally. The board has {n} rows of {n} cells.
            Player 0, Black, begins with {men} men on the top and the bottom row, player 1, White,
            with {men} on the first and the last column; the four corners are empty.

            **Moves.** The players take turns, and Black begins. A move takes one own man in a
            straight line, across, down or diagonally, by exactly as many cells as there are men of
            both players on that whole line, itself included, on both sides of it. The man may pass
            over own men, but not over men of the other player. It comes down on an empty cell or on
            a man of the other player, which is captured and taken off. Nobody may pass.

            **End.** The player whose men are all joined wins and gets 1, the other gets -1; a
            single man is joined. {both} A player to move who has no move loses. The game is a draw,
            worth 0 to both, after {counted(self.draw_moves, "move")} of each player in succession
            without a capture. That positions repeat does not end the game.

            **Notation.** A move is written as the cells that the man leaves and enters, with - for
            a move and x for a capture, such as `b{n}-b{n - 2}`. A cell is the letter of its column
            and the number of its row, counted from the bottom as in chess: a1 is the bottom left
            cell, {last}{n} the top right one.

            **Board.** B is a man of Black, W one of White, and a dot an empty cell. The numbers of
            the rows are at the left, the letters of the columns below. The last line tells who is
            to move, or how the game has ended and whose move was the last, and for how long nothing
            was captured.
            """)

    example = Example(
        """
        c1xe3 two men are on this diagonal, so the man moves by two, and captures
        a3xc5 captures
        b1-b3 two men are on the column
        c5xe3 captures, and three men of player 1 are joined
        """,
        size=5,
    )

    def name(self, action: int) -> str:
        """Returns the cells that the man leaves and enters: "b8-b6"; "c1xe3" is a capture."""
        start, end = action // 8, self.end_of(action)
        cells = [self.cell_name(i // self.size, i % self.size) for i in (start, end)]
        return ("x" if self.opp >> end & 1 else "-").join(cells)

    def alias(self, name: str) -> int | None:
        """Returns the legal action of "b8b6", "b8-b6" or "b8xb6"; None for other names."""
        wanted = name.lower().replace("-", "").replace("x", "")
        for action in self.legal_actions():
            if wanted == self.name(action).replace("-", "").replace("x", ""):
                return action
        return None

    def cell_name(self, row: int, column: int) -> str:
        """Returns column letter and row number, as in chess: "a1" is the bottom left."""
        return super().cell_name(self.size - 1 - row, column)

    def check_parameters(self) -> None:
        """Raises ValueError, saying what is allowed, for other games."""
        require_between("size", self.size, 4, 10)
        require_between("draw_moves", self.draw_moves, 1, 1000)

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other games and impossible positions.

        Any number of men will do, as in puzzles.
        """
        self.check_parameters()
        require_between("turn", self.turn, 0, 1)
        require_between("quiet", self.quiet, 0, 2 * self.draw_moves)
        self.check_cells()
        if not self.own or not self.opp:
            raise ValueError("both players must have a man: a single one is joined and has won")

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it; see ``Board``.

        Who is to move, and ``quiet``, are read from the last line. If it does not say so, and
        ``to_move`` is not given, Black is to move, and there was a capture just before.
        """
        if to_move is None:
            to_move = int("White to move" in text or "after a move of Black" in text)
        quiet = re.search(r"(\d+) of \d+ moves without a capture", text)
        found = super().from_text(text, to_move, **parameters)
        found = found._replace(quiet=int(quiet[1])) if quiet else found
        found.check()
        return found

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position with these men of Black and White; player ``ply`` % 2 is to move."""
        own, opp = (second, first) if ply % 2 else (first, second)
        fields: dict[str, Any] = dict(zip(self.parameters, self, strict=False))
        return type(self)(**fields, own=own, opp=opp, turn=ply % 2)

    def state_space(self) -> int:
        """Counts boards with each cell empty or with a man, who is to move, and quiet plies."""
        return 2 * 3 ** (self.size * self.size) * (2 * self.draw_moves + 1)  # type: ignore[no-any-return]

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of the winner's men, where they are joined."""
        own, opp = self.is_joined(self.own), self.is_joined(self.opp)
        if own == opp and (not own or self.joined_both == DRAWN):
            return []
        return self.cells_in(self.opp if opp else self.own)

    def __str__(self) -> str:
        letters, *lines = super().__str__().splitlines()
        outcome = self.turn_text()
        if self.is_terminal():
            outcome = f"{self.result_text()}, after a move of {self.side_names[1 - self.turn]}"
        clock = f"{self.quiet} of {2 * self.draw_moves} moves without a capture"
        return "\n".join([*lines, letters, f"{outcome}; {clock}"])
