"""Amazons: move a queen and shoot an arrow that blocks a cell; who cannot move has lost.

A turn is three plies of the same player: choose an amazon, move it, and shoot. Invented by Walter
Zamkauskas in 1988.

Cells are numbered row by row from the top left, with a bit after each row that is no cell and never
empty, so that no line can wrap around an edge. Actions are numbered without these. On 5 x 5::

    5   0  1  2  3  4  (5)        . B . B .        actions:   0  1  2  3  4
    4   6  7  8  9 10 (11)        B . . . B                   5  6  7  8  9
    3  12 13 14 15 16 (17)        . . . . .                  10 11 12 13 14
    2  18 19 20 21 22 (23)        W . . . W                  15 16 17 18 19
    1  24 25 26 27 28 (29)        . W . W .                  20 21 22 23 24
        a  b  c  d  e             a b c d e

A step to the right, down, down-left and down-right is a shift to the left by 1, 6, 5 and 7 bits
here, and the opposite steps are shifts to the right.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from adv_envs.bits import lowest, single
from adv_envs.position import Example, RowBoard, Wide, read_board, reflowed, require_between

CHOOSE, MOVE, SHOOT = range(3)
"""The three parts of a turn."""


class Amazons(RowBoard):
    """Represents a position; ``Amazons(size=10)`` is the start. ValueError unless size is 4 to 10.

    Four amazons a side begin on the usual cells of 10 x 10, 8 x 8, 6 x 6 and 5 x 5, and in the same
    manner on 9 x 9, 7 x 7 and 4 x 4.
    """

    size: int = 10
    own: Wide = -1  # -1: see set_up
    opp: Wide = -1
    empty: Wide = -1
    turn: int = 0  # the player to move
    part: int = 0  # of the turn: CHOOSE, MOVE or SHOOT
    chosen: int = -1  # the bit of the amazon that was chosen, and then moved; -1 if none is
    parameters = ("size",)
    parameter_words = (("Size", "How many rows and columns the board has."),)
    symbols: ClassVar[str] = "WB"
    side_names = ("White", "Black")

    def set_up(self) -> Amazons:
        """Returns the position itself or, if no amazons were given, the start."""
        require_between("size", self.size, 4, 10)
        own, opp, empty = self.own, self.opp, self.empty
        if own == -1 and opp == -1:
            near = (self.size - 1) // 3  # the distance of every amazon from the nearest corner
            edge, far = self.size - 1, self.size - 1 - near
            own = self.cells_of((edge, near), (edge, far), (far, 0), (far, edge))
            opp = self.cells_of((0, near), (0, far), (near, 0), (near, edge))
        if empty == -1:
            empty = self.all_cells() & ~(own | opp)
        return Amazons(self.size, own, opp, empty, self.turn, self.part, self.chosen)

    def cells_of(self, *cells: tuple[int, int]) -> int:
        """Returns the set of some cells, each given as (row, column)."""
        return sum(1 << self.bit(*cell) for cell in cells)

    def all_cells(self) -> int:
        """Returns the set of all cells."""
        rows = range(self.size)
        return sum(1 << self.bit(row, column) for row in rows for column in rows)

    @property
    def num_stone_actions(self) -> int:
        """Returns 0: that its cell is empty does not make an action legal."""
        return 0

    @property
    def to_move(self) -> int:
        """Returns the player to move, for all three parts of a turn; White, player 0, begins."""
        return self.turn

    def neighbours(self, cells: Wide) -> Wide:
        """Returns ``cells`` and those beside them in eight directions, perhaps off the board."""
        sides = cells | cells << 1 | cells >> 1
        return sides | sides << self.size + 1 | sides >> self.size + 1

    def reached(self, cells: Wide) -> Wide:
        """Returns the empty cells that queens on ``cells`` reach with one move."""
        found = cells & 0
        for step in (1, self.size, self.size + 1, self.size + 2):
            ahead, back = cells << step & self.empty, cells >> step & self.empty
            while ahead | back != 0:
                found |= ahead | back
                ahead, back = ahead << step & self.empty, back >> step & self.empty
        return found

    def targets(self) -> Wide:
        """Returns the cells of the legal actions of an unfinished position."""
        if self.part == CHOOSE:
            return self.own & self.neighbours(self.empty)
        return self.reached(single(self.chosen, self.own))

    def legal(self, action: int) -> bool:
        """Tests whether an own amazon there can move, or the chosen one can move or shoot there."""
        return self.targets() >> self.entry(action) & 1 != 0

    def write_legal(self, actions: Any) -> int:
        targets, number = self.targets(), 0
        for row in range(self.size):
            cells = targets >> row * (self.size + 1) & (1 << self.size) - 1
            while cells != 0:
                actions[number] = row * self.size + lowest(cells)
                cells &= cells - 1
                number += 1
        return number

    def play(self, action: int) -> Amazons:
        """Chooses an amazon, moves it, or burns a cell, after which the other player is to move."""
        size, own, opp, empty, turn = self.size, self.own, self.opp, self.empty, self.turn
        bit = self.entry(action)
        if self.part == CHOOSE:
            return Amazons(size, own, opp, empty, turn, MOVE, bit)
        cell = single(bit, own)
        if self.part == MOVE:
            start = single(self.chosen, own)
            return Amazons(size, own ^ start | cell, opp, empty ^ cell | start, turn, SHOOT, bit)
        return Amazons(size, opp, own, empty ^ cell, 1 - turn, CHOOSE, -1)

    def is_terminal(self) -> bool:
        """Tests whether no amazon of the player to move can move."""
        return self.part == CHOOSE and self.own & self.neighbours(self.empty) == 0

    def utility(self, player: int) -> int:
        """Returns -1 for the player who cannot move, 1 for the other."""
        return -1 if player == self.turn else 1

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (size, size, 5): amazons, the opponent's, burnt cells, the chosen one, part."""
        return self.size, self.size, 5

    def observe(self, player: int, planes: Any) -> None:
        """Writes own amazons into planes[:, :, 0], the opponent's into 1, burnt cells into 2.

        The chosen amazon is in 3, and 4 is all ones when it has moved and is about to shoot.
        """
        own, opp = self.stones(player), self.stones(1 - player)
        for row in range(self.size):
            for column in range(self.size):
                cell = self.bit(row, column)
                planes[row, column, 0] = own >> cell & 1 != 0
                planes[row, column, 1] = opp >> cell & 1 != 0
                planes[row, column, 2] = (own | opp | self.empty) >> cell & 1 == 0
                planes[row, column, 3] = cell == self.chosen
                planes[row, column, 4] = self.part == SHOOT

    # ---- not needed by the rules

    def result_text(self) -> str:
        return f"{self.side_names[self.to_move]} cannot move, {super().result_text()}"

    def turn_text(self) -> str:
        task = ("to move", "to move the amazon", "to shoot")[self.part]
        return f"{self.side_names[self.turn]} {task}"

    def rules(self) -> str:
        white, black = (
            ", ".join(self.cell_name(*cell) for cell in self.cells_in(self.start().stones(player)))
            for player in (0, 1)
        )
        return reflowed(f"""
            **Goal.** Be the last player who can move. The board has {self.size} rows of {self.size}
            cells. Each player has four amazons: those of player 0, White, begin on {white}, those
            of player 1, Black, on {black}.

            **Moves.** The players take turns, and White begins. A turn has three parts, each of
            them a move of the same player:

            1. Choose one of your own amazons that can move.
            2. Move it like a queen of chess: one or more cells in a straight line, across, down or
               diagonally, over empty cells to an empty cell.
            3. Shoot an arrow from the cell where the amazon now stands. It flies in the same way,
               perhaps over the cell that the amazon has left or onto it, and burns the cell where
               it comes down.

            A burnt cell is never empty again. Amazons and arrows pass over empty cells only.
            Nothing is captured, and nobody may pass.

            **End.** The game is over when the player who begins a turn has no amazon that can move:
            this player loses and gets -1, the other gets 1. There are no draws.

            {NOTATION}
            """)

    example = Example(
        """
        b1 player 0 chooses this amazon
        b4 moves it up
        e4 burns this cell
        f5 player 1 chooses
        f4 moves it
        """,
        size=6,
    )

    def cell_name(self, row: int, column: int) -> str:
        """Returns column letter and row number, as in chess: "a1" is the bottom left."""
        return super().cell_name(self.size - 1 - row, column)

    def burnt(self) -> int:
        """Returns the cells that arrows have burnt."""
        return self.all_cells() & ~(self.own | self.opp | self.empty)

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, for other boards and impossible positions.

        Any number of amazons and burnt cells will do, as in puzzles.
        """
        require_between("size", self.size, 4, 10)
        require_between("turn", self.turn, 0, 1)
        require_between("part", self.part, CHOOSE, SHOOT)
        self.check_cells()
        if self.empty < 0 or self.empty & ~self.all_cells():
            raise ValueError("empty must be a set of cells of the board, given as bits")
        if self.empty & (self.own | self.opp):
            raise ValueError("own, opp and empty must not share a cell")
        if self.part == CHOOSE and self.chosen != -1:
            raise ValueError(f"chosen must be -1 while part is {CHOOSE}, not {self.chosen}")
        if self.part != CHOOSE:
            require_between("chosen", self.chosen, 0, self.board_bits - 1)
            if not self.own >> self.chosen & 1 or self.targets() == 0:
                raise ValueError("chosen must be an amazon of the player to move that can move")

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it.

        Rows of W, B, dots and # for burnt cells. What a player is about to do is read from the last
        line; if there is none, and ``to_move`` is not given, White begins a turn.
        """
        rows = read_board(text, cls.symbols + "#")
        start = cls(**{"size": len(rows), **parameters})
        if (start.size, start.size) != (len(rows), len(rows[0])):
            raise ValueError(
                f"the board must have {start.size} rows of {start.size} cells, "
                f"not {len(rows)} of {len(rows[0])}"
            )
        sets = dict.fromkeys("WB.#", 0)
        for row, cells in enumerate(rows):
            for column, character in enumerate(cells):
                sets[character] |= 1 << start.bit(row, column)
        *_, last = text.strip().splitlines()
        turn = int(last.startswith(("Black to", "White wins"))) if to_move is None else to_move
        own, opp = (sets["W"], sets["B"]) if turn == 0 else (sets["B"], sets["W"])
        position = cls(start.size, own=own, opp=opp, empty=sets["."], turn=turn)
        if " with" not in last:
            return position
        task, _, cell = last.partition(" with")
        part = task.rpartition(" to ")[2]
        return position.with_chosen(part, cell.strip())

    def with_chosen(self, part: str, cell: str) -> Self:
        """Returns the same position with the amazon on ``cell`` chosen, to "move" or to "shoot"."""
        if part not in ("move", "shoot"):
            raise ValueError(f"an amazon is to move or to shoot with, not {part!r}")
        cells = self.cells_in(self.all_cells())
        chosen = next((self.bit(*at) for at in cells if self.cell_name(*at) == cell), -1)
        fields = dict(zip(self._fields, self, strict=True))
        fields |= {"part": MOVE if part == "move" else SHOOT, "chosen": chosen}
        return type(self)(**fields)

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position with these amazons, no burnt cells, player ``ply`` % 2 to move."""
        own, opp = (second, first) if ply % 2 else (first, second)
        return type(self)(self.size, own=own, opp=opp, turn=ply % 2)

    def state_space(self) -> int:
        """Counts the boards: each cell is empty, burnt or holds an amazon, perhaps the chosen one.

        It counts any number of amazons.
        """
        return 4 ** (self.size * self.size) * 2 * (1 + 2 * self.size * self.size)  # type: ignore[no-any-return]

    def rows(self) -> list[list[str]]:
        """Returns the board as characters, top row first: W, B, # for a burnt cell, or a dot."""
        rows = super().rows()
        for row, column in self.cells_in(self.burnt()):
            rows[row][column] = "#"
        return rows

    def __str__(self) -> str:
        letters, *lines = super().__str__().splitlines()
        to_move, other = ("White", "Black") if self.turn == 0 else ("Black", "White")
        task = "to shoot" if self.part == SHOOT else "to move"
        if self.part != CHOOSE:
            row, column = divmod(self.chosen, self.size + 1)
            task += f" with {self.cell_name(row, column)}"
        outcome = f"{other} wins" if self.is_terminal() else f"{to_move} {task}"
        return "\n".join([*lines, letters, outcome])


NOTATION = """
    **Notation.** Each part is written as one cell: that of the amazon, the one where it goes, and
    the one that the arrow burns. A cell is the letter of its column and the number of its row,
    counted from the bottom as in chess: `a1` is the bottom left one.

    **Board.** W is an amazon of White, B one of Black, # a burnt cell, and a dot an empty one. The
    numbers of the rows are at the left, the letters of the columns below. The last line tells who
    is to move, and in the second and third part whether to move or to shoot, with the cell of the
    chosen amazon; or who has won.
"""
"""How moves are written and boards are printed, for ``rules``."""
