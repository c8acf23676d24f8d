"""Dots and Boxes: draw lines between dots; who closes a box owns it and goes on.

Edges are numbered as in OpenSpiel: the horizontal ones row by row, then the vertical ones row by
row. 2 x 2 boxes, with the edges, and the boxes as they are numbered::

          a   b   c
        1 +-0-+-1-+          action 0 is a1b1, between the dots a1 and b1
          6 0 7 1 8          action 7 is b1b2
        2 +-2-+-3-+          the sides of box 0 are 0 above, 2 below, 6 and 7
          9 2 10 3 11
        3 +-4-+-5-+

Three sets, as bits: the edges that are drawn, the boxes of player 0 and those of player 1. Source:
E. R. Berlekamp, The Dots and Boxes Game (2000).
"""

from __future__ import annotations

from typing import Any

from adv_envs.bits import count
from adv_envs.position import Example, Position, counted, reflowed, require_between


class DotsAndBoxes(Position):
    """Represents a position; ``DotsAndBoxes(rows=3, columns=3, margin=False)`` is the start.

    With ``margin`` the utility is the number of own boxes minus the opponent's, otherwise 1 for a
    win, 0 for as many each. Raises ValueError unless there are at least one row and one column of
    boxes, and at most 63 edges: 5 x 5 has 60.
    """

    rows: int = 3
    columns: int = 3
    margin: bool = False
    edges: int = 0
    first: int = 0  # the boxes of player 0
    second: int = 0
    to_move: int = 0
    parameters = ("rows", "columns", "margin")
    parameter_words = (
        ("Rows", "How many rows of boxes there are."),
        ("Columns", "How many columns of boxes there are."),
        ("Count the margin", "The result is by how many boxes a player wins, not only who wins."),
    )
    side_names = ("Red", "Blue")

    @property
    def num_horizontal(self) -> int:
        """Returns how many edges are horizontal; they come first."""
        return (self.rows + 1) * self.columns

    @property
    def num_actions(self) -> int:
        """Returns one action for each edge."""
        return self.num_horizontal + self.rows * (self.columns + 1)

    @property
    def max_utility(self) -> int:
        """Returns the number of boxes with ``margin``, else 1."""
        return self.rows * self.columns if self.margin else 1

    @property
    def ply(self) -> int:
        """Counts the edges drawn: every move draws one."""
        return count(self.edges)

    def legal(self, action: int) -> bool:
        """Tests whether the edge is not drawn yet."""
        return self.edges >> action & 1 == 0

    def sides(self, box: int) -> int:
        """Returns the edges around a box: above it, below it, to its left and right."""
        left = self.num_horizontal + box + box // self.columns
        return 1 << box | 1 << box + self.columns | 3 << left

    def boxes_beside(self, edge: int) -> tuple[int, int]:
        """Returns the boxes above and below an edge, or left and right; -1 for the outside."""
        across = edge - self.num_horizontal
        if across < 0:
            above, below = edge - self.columns, edge
            return above, below if below < self.rows * self.columns else -1
        row, column = across // (self.columns + 1), across % (self.columns + 1)
        right = row * self.columns + column
        return right - 1 if column > 0 else -1, right if column < self.columns else -1

    def play(self, action: int) -> DotsAndBoxes:
        """Draws an edge; the player who closes a box owns it and draws again."""
        edges, closed = self.edges | 1 << action, 0
        one, two = self.boxes_beside(action)
        for box in (one, two):
            if box >= 0 and edges & self.sides(box) == self.sides(box):
                closed |= 1 << box
        first, second = self.first, self.second
        if self.to_move == 0:
            first |= closed
        else:
            second |= closed
        to_move = 1 - self.to_move if closed == 0 else self.to_move
        return DotsAndBoxes(self.rows, self.columns, self.margin, edges, first, second, to_move)

    def is_terminal(self) -> bool:
        """Tests whether all edges are drawn."""
        return self.edges + 1 == 1 << self.num_actions

    def utility(self, player: int) -> int:
        """Returns the margin in boxes, or who has more of them."""
        margin = count(self.first) - count(self.second)
        if not self.margin:
            margin = (margin > 0) - (margin < 0)
        return margin if player == 0 else -margin

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (2 * rows + 1, 2 * columns + 1, 3): edges, own boxes, the opponent's boxes."""
        return 2 * self.rows + 1, 2 * self.columns + 1, 3

    def observe(self, player: int, planes: Any) -> None:
        """Writes the board as drawn, dots in even rows and columns: edges between, boxes inside."""
        for edge in range(self.num_horizontal):
            row, column = 2 * (edge // self.columns), 2 * (edge % self.columns) + 1
            planes[row, column, 0] = self.edges >> edge & 1
        for edge in range(self.num_horizontal, self.num_actions):
            across = edge - self.num_horizontal
            row, column = across // (self.columns + 1), across % (self.columns + 1)
            planes[2 * row + 1, 2 * column, 0] = self.edges >> edge & 1
        for box in range(self.rows * self.columns):
            row, column = 2 * (box // self.columns) + 1, 2 * (box % self.columns) + 1
            planes[row, column, 1 + player] = self.first >> box & 1
            planes[row, column, 2 - player] = self.second >> box & 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        high, low = sorted((count(self.first), count(self.second)), reverse=True)
        return f"{super().result_text()}, {high} to {low}"

    def rules(self) -> str:
        result = (
            "The player with more boxes gets 1, the other -1; as many each are a draw, 0 to both."
        )
        if self.margin:
            result = "Each player gets the number of own boxes minus that of the other's."
        last = f"{chr(ord('a') + self.columns)}{self.rows + 1}"
        return reflowed(f"""
            **Goal.** Own more boxes than the other player at the end. The board is a grid of dots
            with {counted(self.rows, "row")} of {counted(self.columns, "box")}
            between them. At the start no edge is drawn.

            **Moves.** Player 0 begins. A move draws one edge that is not drawn yet, between two
            dots that are next to each other, across or down. A player who so draws the fourth side
            of a box owns it, whoever drew the other sides; one edge may close two boxes. A player
            who has closed a box must draw another edge; otherwise it is the other player's turn.
            Nobody may pass.

            **End.** The game is over when all {self.num_actions} edges are drawn. {result}

            **Notation.** A move is written as the two dots of the edge, the left or upper one
            first: `a1b1` goes across, `a1a2` down. A dot is the letter of its column and the number
            of its row, counted from the top: a1 is the top left dot, {last} the bottom right one.

            **Board.** Dots are +, and edges that are drawn are --- or |. A 0 or 1 in a box is the
            player who owns it. The letters of the columns are above, the numbers of the rows at the
            left, and the last line counts the boxes. The board does not show who is to move.
            """)

    example = Example(
        """
        a1b1
        a1a2
        a2b2 the third side of the left box
        b1b2 closes it: player 1 moves again
        b1c1
        b2c2 the third side of the right box
        c1c2 closes it: player 1 has both boxes
        """,
        rows=1,
        columns=2,
    )

    def owner(self, box: int) -> int | None:
        """Returns the player who closed a box, or None."""
        return 0 if self.first >> box & 1 else 1 if self.second >> box & 1 else None

    def dots(self, edge: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Returns the (row, column) of an edge's two dots, counted from 0 at the top left."""
        if edge < self.num_horizontal:
            row, column = divmod(edge, self.columns)
            return (row, column), (row, column + 1)
        row, column = divmod(edge - self.num_horizontal, self.columns + 1)
        return (row, column), (row + 1, column)

    def name(self, action: int) -> str:
        """Returns two dots, by column letter and row number: "a1b1" is the top left edge."""
        return "".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in self.dots(action))

    def check(self) -> None:
        require_between("rows", self.rows, 1, 20)
        require_between("columns", self.columns, 1, 20)
        if self.num_actions > 63:
            raise ValueError(
                f"{self.rows} x {self.columns} boxes have {self.num_actions} edges: at most 63 are "
                "allowed, as in 5 x 5"
            )
        require_between("to_move", self.to_move, 0, 1)
        require_between("edges", self.edges, 0, (1 << self.num_actions) - 1)
        boxes = range(self.rows * self.columns)
        closed = sum(1 << b for b in boxes if self.edges & self.sides(b) == self.sides(b))
        if self.first < 0 or self.second < 0 or (self.first | self.second) != closed:
            raise ValueError("first and second must be sets of boxes, together all that are closed")
        if self.first & self.second:
            raise ValueError("first and second must not share a box")

    def __str__(self) -> str:
        letters = "   ".join(chr(ord("a") + column) for column in range(self.columns + 1))
        lines = [f"   {letters}"]
        for row in range(self.rows + 1):
            edges = [row * self.columns + column for column in range(self.columns)]
            drawn = ["---" if self.edges >> edge & 1 else "   " for edge in edges]
            lines.append(f"{row + 1:2} +" + "".join(f"{side}+" for side in drawn))
            if row < self.rows:
                lines.append("   " + self._between(row))
        score = f"   boxes: {count(self.first)} of player 0, {count(self.second)} of player 1"
        return "\n".join([*lines, score])

    def _between(self, row: int) -> str:
        """Returns the vertical edges of a row, and the owners of its boxes."""
        text = ""
        for column in range(self.columns + 1):
            edge = self.num_horizontal + row * (self.columns + 1) + column
            text += "|" if self.edges >> edge & 1 else " "
            if column < self.columns:
                owner = self.owner(row * self.columns + column)
                text += "   " if owner is None else f" {owner} "
        return text.rstrip()
