"""Domineering: lay dominoes, one player upright, the other flat; who cannot has lost.

Cells are numbered row by row, with an always-empty cell at the end of each row. On 3 x 4::

       a  b  c  d
    1  0  1  2  3  (4)     upright on b1 covers 1 and 6,
    2  5  6  7  8  (9)     flat on b1 covers 1 and 2
    3 10 11 12 13 (14)

An action is the upper or left cell of a domino, numbered row by row without the gap. Free cells
shifted onto themselves by one row, or by one cell, leave the places for dominoes.

Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways (1982).
"""

from __future__ import annotations

from typing import Any, ClassVar

from adv_envs.bits import single
from adv_envs.position import Example, RowBoard, Wide, counted, reflowed, require_between


class Domineering(RowBoard):
    """Represents a position of Domineering; ``Domineering(height=8, width=8)`` is the start.

    Player 0 lays dominoes upright, player 1 flat. Raises ValueError unless height and width are 1
    to 19.
    """

    symbols: ClassVar[str] = "|-"

    height: int = 8
    width: int = 8
    own: Wide = 0  # the cells under the dominoes of the player to move
    opp: Wide = 0
    ply: int = 0
    parameters = ("height", "width")
    parameter_words = (
        ("Height", "How many rows the board has."),
        ("Width", "How many columns the board has."),
    )
    side_names = ("Vertical", "Horizontal")

    @property
    def num_stone_actions(self) -> int:
        """Returns 0: that one cell is empty does not make a move legal."""
        return 0

    def step(self, player: int) -> int:
        """Returns how many bits the two cells of a player's domino are apart."""
        return self.width + 1 if player == 0 else 1

    def free(self) -> Wide:
        """Returns the cells without a domino."""
        cells = single(self.width, self.own) - 1  # one row, and then twice as many each time
        rows = 1
        while rows < self.height:
            cells |= cells << min(rows, self.height - rows) * (self.width + 1)
            rows *= 2
        return cells & ~(self.own | self.opp)

    def places(self, player: int) -> Wide:
        """Returns the upper or left cells of all dominoes that a player could lay."""
        free = self.free()
        return free & free >> self.step(player)

    def legal(self, action: int) -> bool:
        """Tests whether both cells of the domino are free."""
        return self.places(self.to_move) >> self.entry(action) & 1 != 0

    def write_legal(self, actions: Any) -> int:
        places, number = self.places(self.to_move), 0
        for row in range(0, self.num_actions, self.width):
            for action in range(row, row + self.width):
                if places & 1 != 0:
                    actions[number] = action
                    number += 1
                places >>= 1
            places >>= 1
        return number

    def play(self, action: int) -> Domineering:
        """Lays a domino; the other player is to move."""
        cell = single(self.entry(action), self.own)
        own = self.own | cell | cell << self.step(self.to_move)
        return Domineering(self.height, self.width, self.opp, own, self.ply + 1)

    def is_terminal(self) -> bool:
        """Tests whether the player to move cannot lay a domino."""
        return self.places(self.to_move) == 0

    def utility(self, player: int) -> int:
        """Returns -1 for the player who cannot move, 1 for the other."""
        return -1 if player == self.to_move else 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        return f"{self.side_names[self.to_move]} cannot move, {super().result_text()}"

    def rules(self) -> str:
        return reflowed(f"""
            **Goal.** Be the last player who can lay a domino. The board has
            {counted(self.height, "row")} of {counted(self.width, "cell")} and is empty at the
            start.

            **Moves.** The players take turns, and player 0 begins. A move lays one domino on two
            free cells that are next to each other. Player 0 lays dominoes upright, on a cell and
            the one below it; player 1 lays them flat, on a cell and the one to its right. Dominoes
            lie within the board, do not cover each other, and are never moved or taken off. Nobody
            may pass.

            **End.** The game is over when the player to move cannot lay a domino: this player loses
            and gets -1, the other gets 1. It does not matter whether the other player could still
            lay one. There are no draws.

            **Notation.** A move is written as one cell, the upper one of an upright domino or the
            left one of a flat domino. A cell is the letter of its column and the number of its row,
            counted from the top: a1 is the top left cell, and its domino is written `a1`.

            **Board.** Cells under a domino of player 0 are |, those under one of player 1 are -,
            and a dot is a free cell. The letters of the columns are above, the numbers of the rows
            at the left. Player 0 is to move when both have laid as many dominoes, otherwise
            player 1.
            """)

    example = Example(
        """
        b1 covers b1 and b2
        a3 covers a3 and b3
        a1 covers a1 and a2: nowhere are two free cells side by side, so player 1 loses
        """,
        height=3,
        width=3,
    )

    def check(self) -> None:
        require_between("height", self.height, 1, 19)
        require_between("width", self.width, 1, 19)
        self.check_cells()
        for player in (0, 1):
            if 2 * len(self.dominoes(player)) != self.stones(player).bit_count():
                how = ("upright", "flat")[player]
                raise ValueError(f"the cells of player {player} must be those of {how} dominoes")
        counts = self.own.bit_count() // 2, self.opp.bit_count() // 2
        if self.ply < 0 or counts != (self.ply // 2, self.ply - self.ply // 2):
            raise ValueError(
                f"after {self.ply} plies the player to move cannot have {counts[0]} dominoes "
                f"and the other {counts[1]}"
            )

    def dominoes(self, player: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Returns the (row, column) of both cells of each domino of ``player``."""
        down, right = (1, 0) if player == 0 else (0, 1)
        found: dict[tuple[int, int], tuple[int, int]] = {}  # by the second cell
        for row in range(self.height):
            for column in range(self.width):
                before = row - down, column - right
                second = self.cell(row, column) == player and min(before) >= 0
                if second and self.cell(*before) == player and before not in found:
                    found[row, column] = before
        return [(first, second) for second, first in found.items()]

    def with_stones(self, first: int, second: int, ply: int) -> Domineering:
        """Returns the position with dominoes on these cells; their number tells who is to move."""
        ply = (first | second).bit_count() // 2
        own, opp = (first, second) if ply % 2 == 0 else (second, first)
        return Domineering(self.height, self.width, own, opp, ply=ply)

    def state_space(self) -> int:
        """Counts boards: each cell is free, or under a domino of one of two kinds."""
        return 3**self.num_actions  # type: ignore[no-any-return]
