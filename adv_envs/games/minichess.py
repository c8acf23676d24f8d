r"""Gardner's minichess: chess on 5 times 5 squares, without double steps, castling, en passant.

Everything else is as in chess, whose rules these are, with squares numbered likewise::

    5   4  9 14 19 24
    4   3  8 13 18 23        Actions are 49 * square + plane: planes 0 to 31 are queens' moves,
    3   2  7 12 17 22        8 * (distance - 1) + direction, 32 to 39 the knight's jumps, and 40
    2   1  6 11 16 21        to 48 promotions to knight, bishop and rook.
    1   0  5 10 15 20
        a  b  c  d  e

With best play the game is a draw: M. Mhalla and F. Prost, Gardner's Minichess Variant is solved,
ICGA Journal 36 (2013), who let no rule but mate and stalemate end it. Martin Gardner proposed the
board in 1969.
"""

from __future__ import annotations

from typing import Any

from adv_envs.position import Example, Wide, Words, reflowed

from .chess import END, MOST_QUIET, NEVER, Chess


class MiniChess(Chess, side=5):
    """Represents a position of Gardner's minichess; ``MiniChess(draws="automatic")`` is the start.

    A position that occurs for the third time, or fifty moves of each player without a capture or a
    move of a pawn, end the game. ``draws`` and ``MiniChess.from_fen`` are as in ``Chess``.
    """

    draws: Words = Words("automatic", "claimed", "never")
    own: Wide = 0b00011_00011_00011_00011_00011
    opp: Wide = 0b11000_11000_11000_11000_11000
    pawns: Wide = 0b01010_01010_01010_01010_01010
    diagonal: Wide = 0b00000_10001_10001_00000_00000  # bishops and queens
    straight: Wide = 0b00000_10001_00000_00000_10001  # rooks and queens
    kings: Wide = 0b10001_00000_00000_00000_00000
    rank_3 = 0  # no pawn arrives there and may go on
    board_planes = 2, 15

    @property  # type: ignore[misc]  # in chess it is a field
    def castling(self) -> Wide:
        """Returns no rooks: nobody may castle."""
        return self.own & 0

    @property  # type: ignore[misc]  # as castling
    def passant(self) -> Wide:
        """Returns no square: no pawn passes one by."""
        return self.own & 0

    def with_fields(
        self, draws: int, own: Wide, opp: Wide, pawns: Wide, diagonal: Wide, straight: Wide,
        kings: Wide, castling: Wide, passant: Wide, clock: int, ply: int, repeated: int,
        history: int,
    ) -> MiniChess:  # fmt: skip
        """Returns the position of the same game with these fields, but the two it has not."""
        return MiniChess(
            draws, own, opp, pawns, diagonal, straight, kings, clock, ply, repeated, history
        )

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (5, 5, 15), row 0 the rank far from the player, column 0 the a-file."""
        return 5, 5, 15

    def observe(self, player: int, planes: Any) -> None:
        """Writes two planes, and the last 13 of chess.

        Plane 0 is full of ones for Black; 1 has a one in the square numbered with a quarter of the
        clock, row by row from the top left, or in the last.
        """
        if player == 1:
            planes[:, :, 0] = 1
        quarter = min(self.clock // 4, 24)
        planes[quarter // 5, quarter % 5, 1] = 1
        flipped = player != self.to_move
        own, opp = (self.opp, self.own) if flipped else (self.own, self.opp)
        self.show_pieces(own, opp, flipped, planes, 2)

    # ---- not needed by the rules

    def rules(self) -> str:
        drawn = self.draw_rules("with the same player to move")
        return f"{MOVES}\n\n{reflowed(END + drawn)}\n\n{BOARD}"

    example = Example("""
        b1c3 a knight's jump
        dxc3 a pawn captures diagonally: the same as d4c3
        d2c3
        Nxc3 attacks the queen on d1
        e2e3 leaves the queen to its fate
        Qxd1 guarded by the knight on c3: mate
        """)

    def state_space(self) -> int | None:
        """Counts boards with one of twelve pieces or none on each square, and the clock."""
        return None if self.draws == NEVER else 13**25 * 2 * (MOST_QUIET[self.draws] + 1)


# ---- the rules in words

MOVES = reflowed("""
    **Goal.** Attack the king of the other player so that it cannot escape: mate. The board has 5
    rows of 5 squares. Player 0 is White, with a rook, a knight, a bishop, the queen and the king on
    rank 1, from left to right, and five pawns on rank 2. Player 1 is Black, with the same on ranks
    5 and 4.

    **Moves.** The players take turns, and White begins. A move takes one own piece to a square
    that is empty, or has a piece of the other player, which is captured. No move may leave the own
    king attacked, which is check.

    - A rook moves any number of squares across or down, a bishop diagonally, a queen either way,
      over empty squares only. A king moves one square in any direction; it never castles.
    - A knight moves two squares across or down and one to the side, over any pieces.
    - A pawn moves one square forward to an empty square, never two; it captures one square
      diagonally forward. On the last rank it becomes a queen, rook, bishop or knight.
""")
BOARD = reflowed("""
    **Notation.** A move is written as the squares from and to: `b2b3`; d4e5q promotes to a queen
    (r, b and n to the others). Standard algebraic notation is read as well: `b3`, `Nxb3`, dxe5=Q.

    **Board.** KQRBNP are the king, queen, rooks, bishops, knights and pawns of White, kqrbnp those
    of Black, and a dot is an empty square. The board does not show who is to move.
""")
