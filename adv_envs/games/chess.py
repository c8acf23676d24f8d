r"""Chess: attack the other king so that it cannot escape; the laws are those of FIDE.

Which draws need no claim is said by ``draws``. The board is always seen by the player to move,
whose pawns go up; after every move it is turned over, rank 1 becoming rank 8. Squares are the bits
of 64-bit sets, numbered file by file::

    8   7 15 23 31 39 47 55 63
    7   6 14 22 30 38 46 54 62       Directions are numbered    2 4 7
    6   5 13 21 29 37 45 53 61       as their steps grow:       1   6
    5   4 12 20 28 36 44 52 60                                  0 3 5
    4   3 11 19 27 35 43 51 59
    3   2 10 18 26 34 42 50 58       -9 -8 -7 -1  1  7  8  9
    2   1  9 17 25 33 41 49 57
    1   0  8 16 24 32 40 48 56       Opposite directions add up to 7; straight lines are those
        a  b  c  d  e  f  g  h       of 1 and 6, 3 and 4.

A position is six sets of squares: ``own`` and ``opp`` say whose the pieces are, ``pawns``,
``diagonal`` (bishops and queens), ``straight`` (rooks and queens) and ``kings`` which; the others
are knights. ``castling`` has the rooks that may still castle, ``passant`` the square that a pawn
has just passed by.

An action is ``73 * square + plane``, as in PettingZoo's chess_v6 and AlphaZero. Planes 0 to 55 are
``8 * (distance - 1) + direction``, 56 to 63 the knight's jumps, 64 to 72 promotions to knight,
bishop and rook, to the left, straight ahead and to the right. A pawn that reaches the last rank
otherwise becomes a queen, and a king that castles moves two squares.

Which positions repeat depends on the past. ``history`` holds the moves since the last one that
cannot be undone (a capture, a pawn's move, the loss of the right to castle or to capture en
passant), 12 bits each, as many as the game may last without others. Taking them
back, one by one, finds earlier occurrences of the position without any hashing.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from adv_envs.bits import count, lowest, single, sort_first
from adv_envs.position import Example, Wide, Words, reflowed

from .chess_board import FILES, LEFT, RIGHT, UP, UP_LEFT, UP_RIGHT, ChessBoard
from .chess_notation import read_fen, read_san, require_possible, uci, write_fen, write_san

A1, H1 = 0, 56
BESIDE_KING, BESIDE_QUEEN = 1 << 40 | 1 << 48, 1 << 8 | 1 << 16 | 1 << 24
"""The squares between king and rook."""
ROOK_LEFT, ROOK_RIGHT = 1 << A1 | 1 << 24, 1 << 40 | 1 << H1
"""Where the rook comes from and goes to when its king castles."""


AUTOMATIC, CLAIMED, NEVER = range(3)
"""What ``draws`` may be."""
ENDLESS = 1 << 62
MOST_QUIET, MOST_REPEATED = (100, 150, ENDLESS), (2, 4, ENDLESS)
"""By ``draws``: the plies without a capture or a move of a pawn, and the earlier occurrences of a
position, with which a game is over."""


class Chess(ChessBoard, side=8):
    """Represents a position of chess; ``Chess(draws="automatic")`` is the start.

    A position that occurs for the third time, or fifty moves of each player without a capture or a
    move of a pawn, end the game. With ``draws="claimed"`` these are claims, as FIDE has them (9.2
    and 9.3), which nobody makes here: a fifth occurrence or seventy-five moves end the game (9.6).
    With ``draws="never"`` only mate and stalemate do, positions need no history, and a game may go
    on for ever. Other positions come from ``Chess.from_fen``.
    """

    draws: Words = Words("automatic", "claimed", "never")
    own: Wide = 0x0303030303030303
    opp: Wide = 0xC0C0C0C0C0C0C0C0
    pawns: Wide = 0x4242424242424242
    diagonal: Wide = 0x0000810081810000  # bishops and queens
    straight: Wide = 0x8100000081000081  # rooks and queens
    kings: Wide = 0x0000008100000000
    castling: Wide = 0x8100000000000081  # rooks that may castle, as their king may
    passant: Wide = 0  # the square that a pawn passed by in the last move
    clock: int = 0  # plies since the last capture or move of a pawn
    ply: int = 0
    repeated: int = 0  # how often the position has occurred before
    history: Annotated[int, "history_bits"] = 0
    parameters = ("draws",)
    parameter_words = (
        (
            "Draws",
            "Whether repetition and fifty quiet moves draw at once, if claimed, or never.",
        ),
    )
    side_names = ("White", "Black")
    rank_3 = 0x0404040404040404
    board_planes = 7, 20  # of observations: those of the board, without rights, clock and colour

    @property
    def board_bits(self) -> int:
        """Returns 1 bit for every square."""
        return self.side * self.side

    @property
    def history_bits(self) -> int:
        """Returns 12 bits for each of the moves that may be needed."""
        return 1 if self.draws == NEVER else 12 * MOST_QUIET[self.draws]

    @property
    def num_actions(self) -> int:
        """Returns 73 actions for each square that a piece may leave."""
        return self.board_bits * self.num_planes

    @property
    def to_move(self) -> int:
        """Returns the player to move: player 0 is White."""
        return self.ply % 2

    @property
    def knights(self) -> Wide:
        """Returns the pieces that are nothing else."""
        return (self.own | self.opp) & ~(self.pawns | self.diagonal | self.straight | self.kings)

    # ---- checks and pins

    def attacked(self, cell: Wide, own: Wide, opp: Wide) -> bool:
        """Returns whether one of ``opp`` attacks ``cell``, with ``own`` the other pieces."""
        near = self.pawn_attacks(cell) & self.pawns | self.beside(cell) & self.kings
        if (near | self.jumps(cell) & self.knights) & opp != 0:
            return True
        square = lowest(cell)
        for line in range(4):
            riders = opp & (self.straight if line & 1 else self.diagonal)
            if riders & self.whole_line(square, line) != 0:
                rays = self.ray(cell, line, own | opp) | self.ray(cell, 7 - line, own | opp)
                if rays & riders != 0:
                    return True
        return False

    def in_check(self) -> bool:
        """Returns whether the king of the player to move is attacked."""
        return self.attacked(self.own & self.kings, self.own, self.opp)

    def guards(self) -> tuple[Wide, Wide]:
        """Returns (squares to be reached unless the king moves, pinned pieces).

        These are all squares if there is no check, none if there are two. A pinned piece may move
        on its line with the king.
        """
        king = self.own & self.kings
        checkers = self.pawn_attacks(king) & self.pawns | self.jumps(king) & self.knights
        checkers &= self.opp
        evasions = king | ~king
        if checkers != 0:
            evasions = checkers if checkers & (checkers - 1) == 0 else king & 0
        pinned, square, occupied = king & 0, lowest(king), self.own | self.opp
        for line in range(4):
            riders = self.opp & (self.straight if line & 1 else self.diagonal)
            if riders & self.whole_line(square, line) != 0:
                for direction in (line, 7 - line):
                    seen = self.ray(king, direction, occupied)
                    blocker = seen & self.own
                    if seen & riders != 0:
                        evasions &= seen
                    elif blocker != 0 and self.ray(blocker, direction, occupied) & riders != 0:
                        pinned |= blocker
        return evasions, pinned

    def free(self, direction: int, pinned: Wide) -> Wide:
        """Returns the own pieces that no pin keeps from moving in ``direction``."""
        if pinned == 0:
            return self.own
        king = self.own & self.kings
        line = self.whole_line(lowest(king), min(direction, 7 - direction))
        return self.own & (~pinned | line)

    # ---- moves

    def write_legal(self, actions: Any) -> int:
        evasions, pinned = self.guards()
        n = self.write_king(actions, 0, evasions)
        if evasions != 0:
            n = self.write_pawns(actions, n, evasions, pinned)
            n = self.write_riders(actions, n, evasions, pinned)
            knights, targets = self.knights & self.own & ~pinned, evasions & ~self.own
            if knights != 0:
                for i in range(8):
                    n = self.write(
                        actions,
                        n,
                        self.jump(knights, i) & targets,
                        self.leaps[i],
                        self.first_jump + i,
                    )
        sort_first(actions, n)
        return n

    def write_king(self, actions: Any, n: int, evasions: Wide) -> int:
        """Writes the moves of the king, from ``actions[n]`` on; returns how many there are then."""
        king = self.own & self.kings
        targets = self.beside(king) & ~self.own
        if targets != 0:
            for direction in range(8):
                target = self.step(king, direction) & targets
                if target != 0 and not self.attacked(target, self.own ^ king, self.opp & ~target):
                    n = self.write(actions, n, target, self.steps[direction], direction)
        if evasions & king != 0:
            for direction in (LEFT, RIGHT):
                if self.can_castle(direction):
                    n = self.write(actions, n, king, 0, 8 + direction)
        return n

    def can_castle(self, direction: int) -> bool:
        """Returns whether the king, which is not in check, may castle to the left or right."""
        rook, between = (H1, BESIDE_KING) if direction == RIGHT else (A1, BESIDE_QUEEN)
        if self.castling >> rook & 1 == 0 or (self.own | self.opp) & between != 0:
            return False
        king = self.own & self.kings
        first, own = self.step(king, direction), self.own ^ king
        second = self.step(first, direction)
        return not (self.attacked(first, own, self.opp) or self.attacked(second, own, self.opp))

    def write_pawns(self, actions: Any, n: int, evasions: Wide, pinned: Wide) -> int:
        """Writes the moves of pawns, from ``actions[n]`` on; returns how many there are then."""
        empty = ~(self.own | self.opp)
        once = self.step(self.free(UP, pinned) & self.pawns, UP) & empty
        twice = self.step(once & self.rank_3, UP) & empty & evasions
        n = self.write_promotions(actions, n, once & evasions, UP, self.first_promotion + 3)
        n = self.write(actions, n, twice, 2, 8 + UP)
        left = self.step(self.free(UP_LEFT, pinned) & self.pawns, UP_LEFT) & self.opp & evasions
        right = self.step(self.free(UP_RIGHT, pinned) & self.pawns, UP_RIGHT) & self.opp & evasions
        n = self.write_promotions(actions, n, left, UP_LEFT, self.first_promotion)
        n = self.write_promotions(actions, n, right, UP_RIGHT, self.first_promotion + 6)
        if self.passant != 0:
            for direction in (UP_LEFT, UP_RIGHT):
                if self.passes_to(direction):
                    n = self.write(actions, n, self.passant, self.steps[direction], direction)
        return n

    def passes_to(self, direction: int) -> bool:
        """Returns whether a pawn may capture en passant, moving in ``direction``."""
        pawn = self.step(self.passant, 7 - direction) & self.own & self.pawns
        return pawn != 0 and self.is_safe(pawn, self.passant, self.passant >> 1)

    def passes(self) -> bool:
        """Returns whether a pawn may capture en passant."""
        return self.passant != 0 and (self.passes_to(UP_LEFT) or self.passes_to(UP_RIGHT))

    def write_riders(self, actions: Any, n: int, evasions: Wide, pinned: Wide) -> int:
        """Writes the moves of queens, rooks and bishops from ``actions[n]`` on, as the others."""
        for direction in range(8):
            line = min(direction, 7 - direction)
            reached = self.free(direction, pinned) & (self.straight if line & 1 else self.diagonal)
            plane, by = direction, self.steps[direction]
            while reached != 0:
                reached = self.step(reached, direction) & ~self.own
                n = self.write(actions, n, reached & evasions, by, plane)
                reached &= ~self.opp
                plane, by = plane + 8, by + self.steps[direction]
        return n

    def legal(self, action: int) -> bool:
        """Tests whether a piece may move so, and its king is not attacked afterwards."""
        square, plane = action // self.num_planes, action % self.num_planes
        if self.own >> square & 1 == 0:
            return False
        piece = single(square, self.own)
        target = self.target(piece, plane) & ~self.own
        if target == 0:
            return False
        if piece & self.kings != 0 and plane >= 8:
            castles = plane in (8 + LEFT, 8 + RIGHT) and not self.in_check()
            return castles and self.can_castle(plane - 8)
        return self.is_safe(piece, target, self.captured(piece, target))

    def target(self, piece: Wide, plane: int) -> Wide:
        """Returns where ``piece`` ends, if it moves like that over free squares; else nothing."""
        if plane >= self.first_promotion:
            promotes = piece & self.pawns != 0 and self.step(piece, UP) & self.last_rank != 0
            return (
                self.pawn_target(piece, (plane - self.first_promotion) // 3)
                if promotes
                else piece & 0
            )
        if plane >= self.first_jump:
            return (
                self.jump(piece, plane - self.first_jump)
                if piece & self.knights != 0
                else piece & 0
            )
        direction, distance = plane % 8, plane // 8 + 1
        if piece & self.pawns != 0:
            if direction == UP and distance == 2:
                first = self.step(piece, UP) & self.rank_3 & ~(self.own | self.opp)
                return self.step(first, UP) & ~(self.own | self.opp)
            side = (2 * direction - 1) // 5  # 0, 1 and 2 for the directions 2, 4 and 7
            ahead = distance == 1 and direction in (UP_LEFT, UP, UP_RIGHT)
            return self.pawn_target(piece, side) if ahead else piece & 0
        line = min(direction, 7 - direction)
        if piece & self.kings != 0:
            return (
                self.walk(piece, direction, distance, self.own | self.opp)
                if distance < 3
                else piece & 0
            )
        rides = piece & (self.straight if line & 1 else self.diagonal) != 0
        return self.walk(piece, direction, distance, self.own | self.opp) if rides else piece & 0

    def pawn_target(self, pawn: Wide, side: int) -> Wide:
        """Returns where ``pawn`` arrives by a step to the left (0), ahead (1) or right (2)."""
        if side == 1:
            return self.step(pawn, UP) & ~(self.own | self.opp)
        return self.step(pawn, UP_LEFT if side == 0 else UP_RIGHT) & (self.opp | self.passant)

    def is_safe(self, piece: Wide, target: Wide, captured: Wide) -> bool:
        """Returns whether the own king is not attacked once ``piece`` has moved to ``target``."""
        own = self.own ^ piece | target
        king = target if piece & self.kings != 0 else self.own & self.kings
        return not self.attacked(king, own, self.opp & ~captured)

    def play(self, action: int) -> Self:
        """Moves a piece, and turns the board over."""
        square, plane = action // self.num_planes, action % self.num_planes
        piece = single(square, self.own)
        target = self.landing(piece, plane)
        both, none = piece | target, piece & 0
        captured, passed = self.captured(piece, target), none
        own, opp, kings = self.own ^ both, self.opp & ~captured, self.kings
        pawns, castling = self.pawns & ~captured, self.castling & ~both
        diagonal, straight = self.diagonal & ~captured, self.straight & ~captured
        if piece & pawns != 0:
            last_rank = target & self.last_rank
            pawns ^= both ^ last_rank
            promoted = (plane - self.first_promotion) % 3 if plane >= self.first_promotion else 3
            diagonal |= last_rank if promoted & 1 else none
            straight |= last_rank if promoted & 2 else none
            passed = target >> 1 if plane == 8 + UP else none
        elif piece & kings != 0:
            kings, castling = kings ^ both, castling & self.not_first
            if plane in (8 + LEFT, 8 + RIGHT):
                rook = ROOK_LEFT if plane == 8 + LEFT else ROOK_RIGHT
                own, straight = own ^ rook, straight ^ rook
        else:
            diagonal ^= both if diagonal & piece != 0 else none
            straight ^= both if straight & piece != 0 else none
        clock = 0 if captured | piece & self.pawns != 0 else self.clock + 1
        history, repeated = self.history & 0, 0
        if self.draws != NEVER and clock != 0 and castling == self.castling and not self.passes():
            history = self.history << 12 | square << 6 | lowest(target)
            repeated = self.occurrences(own, opp, diagonal, straight, kings, history)
        return self.with_fields(
            self.draws, self.mirrored(opp), self.mirrored(own), self.mirrored(pawns),
            self.mirrored(diagonal), self.mirrored(straight), self.mirrored(kings),
            self.mirrored(castling), self.mirrored(passed), clock, self.ply + 1, repeated, history,
        )  # fmt: skip

    def with_fields(
        self, draws: int, own: Wide, opp: Wide, pawns: Wide, diagonal: Wide, straight: Wide,
        kings: Wide, castling: Wide, passant: Wide, clock: int, ply: int, repeated: int,
        history: int,
    ) -> Self:  # fmt: skip
        """Returns the position with these fields; a game on another board makes its own."""
        return Chess(  # type: ignore[return-value]  # here it is of the same class
            draws, own, opp, pawns, diagonal, straight, kings, castling, passant, clock, ply,
            repeated, history,
        )  # fmt: skip

    def captured(self, piece: Wide, target: Wide) -> Wide:
        """Returns what a move of ``piece`` to ``target`` captures."""
        if target & self.passant != 0 and piece & self.pawns != 0:
            return target >> 1
        return target & self.opp

    # ---- the end

    def is_terminal(self) -> bool:
        """Tests for mate, stalemate, or a draw by a rule, see ``draws``."""
        return self.is_drawn() or not self.can_move()

    def is_drawn(self) -> bool:
        """Tests whether a rule says so, see ``draws``. A mate by the last move is a mate."""
        return self.is_drawn_with(self.draws)

    def is_drawn_with(self, draws: int) -> bool:
        """Returns whether a position, unless mate, is drawn in a game with these ``draws``."""
        if self.clock >= MOST_QUIET[draws] or self.repeated >= MOST_REPEATED[draws]:
            return True
        return draws != NEVER and self.is_dead()

    def utility(self, player: int) -> int:
        """Returns 1 for the player who gave mate, -1 for the other; 0 for a draw."""
        if not self.in_check() or self.can_move():
            return 0
        return -1 if player == self.to_move else 1

    def is_dead(self) -> bool:
        """Tests whether no mate is possible: bare kings, a minor piece, bishops of one colour."""
        if self.pawns | self.straight != 0:
            return False
        pieces = (self.own | self.opp) & ~self.kings
        if pieces & ~self.diagonal != 0:
            return count(pieces) == 1
        return pieces & self.dark == 0 or pieces & ~self.dark == 0

    def can_move(self) -> bool:
        """Returns whether some move is legal, but for draws."""
        evasions, pinned = self.guards()
        if evasions != 0:
            empty = ~(self.own | self.opp)
            once = self.step(self.free(UP, pinned) & self.pawns, UP) & empty
            if (once | self.step(once & self.rank_3, UP) & empty) & evasions != 0:
                return True
            if self.jumps(self.knights & self.own & ~pinned) & evasions & ~self.own != 0:
                return True
            for direction in range(8):
                if self.reach(direction, pinned) & evasions & ~self.own != 0:
                    return True
            if self.passes():
                return True
        king = self.own & self.kings
        targets = self.beside(king) & ~self.own
        while targets != 0:
            target = targets & ~(targets - 1)
            if not self.attacked(target, self.own ^ king, self.opp & ~target):
                return True
            targets ^= target
        return False

    def reach(self, direction: int, pinned: Wide) -> Wide:
        """Returns where riders arrive in ``direction``, and pawns where they capture."""
        line, free = min(direction, 7 - direction), self.free(direction, pinned)
        riders = free & (self.straight if line & 1 else self.diagonal)
        reached = self.ray(riders, direction, self.own | self.opp)
        if direction in (UP_LEFT, UP_RIGHT):
            reached |= self.step(free & self.pawns, direction) & self.opp
        return reached

    # ---- what players see

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (8, 8, 20), row 0 the rank far from the player, column 0 the a-file."""
        return 8, 8, 20

    def observe(self, player: int, planes: Any) -> None:
        """Writes the first 20 planes of chess_v6.

        Planes 0 to 3 are full of ones if the player may castle on the king's or the queen's side,
        or the opponent may; 4 for Black; 5 has a one in the square numbered with half the clock, or
        in the last; 6 is full of ones. Then come the own pawns, knights, bishops, rooks, queens and
        king, those of the opponent, and ones if the position has occurred before. A pawn that has
        just moved two squares is shown on the first rank of its owner.
        """
        own, opp, flipped = self.own, self.opp, player != self.to_move
        if flipped:
            own, opp = opp, own
        row = 7 if flipped else 0
        corners = (H1 ^ row, A1 ^ row, H1 ^ row ^ 7, A1 ^ row ^ 7)
        for plane in range(4):
            if self.castling >> corners[plane] & 1 != 0:
                planes[:, :, plane] = 1
        if player == 1:
            planes[:, :, 4] = 1
        half = min(self.clock // 2, 63)
        row = half // 8
        planes[row if player == 1 else 7 - row, half % 8, 5] = 1
        planes[:, :, 6] = 1
        self.show_pieces(own, opp, flipped, planes, 7)

    def show_pieces(self, own: Wide, opp: Wide, flipped: bool, planes: Any, first: int) -> None:
        """Writes 13 planes from ``first`` on: the pieces, see ``observe``, and if repeated."""
        own_pawns, opp_pawns = self.pawns & own, self.pawns & opp
        moved = self.passant >> 1 | self.passant << 2
        if not flipped:
            opp_pawns ^= moved
        else:
            own_pawns ^= moved
        self.show(own_pawns, flipped, planes, first)
        self.show(opp_pawns, flipped, planes, first + 6)
        queens = self.diagonal & self.straight
        others = self.knights, self.diagonal ^ queens, self.straight ^ queens, queens, self.kings
        for kind in range(5):
            self.show(others[kind] & own, flipped, planes, first + 1 + kind)
            self.show(others[kind] & opp, flipped, planes, first + 7 + kind)
        if self.repeated > 0:
            planes[:, :, first + 12] = 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        if not self.can_move():
            if self.in_check():
                return f"Checkmate, {super().result_text()}"
            return "Draw by stalemate"
        if self.repeated >= MOST_REPEATED[self.draws]:
            return f"Draw by {('threefold', 'fivefold')[self.draws]} repetition"
        if self.clock >= MOST_QUIET[self.draws]:
            return f"Draw by the {('fifty', 'seventy-five')[self.draws]}-move rule"
        return "Draw: no mate is possible any more"

    def rules(self) -> str:
        same = "with the same player to move"
        rights = f"{same} and the same rights to castle and to capture en passant"
        return f"{PIECES}\n\n{reflowed(END + self.draw_rules(rights))}\n\n{NOTATION}"

    def draw_rules(self, same: str) -> str:
        """Returns which draws end the game; a position is the ``same`` if that is so, too."""
        if self.draws == NEVER:
            return "No other draw ends the game: it may go on for ever."
        moves, times = MOST_QUIET[self.draws] // 2, MOST_REPEATED[self.draws] + 1
        drawn = f"""It is also over, as a draw, when a position occurs {times} times, {same}; after
            {moves} moves of each player in succession without a capture or a move of a pawn, unless
            the last one mates; and when nobody can mate any more: king against king, with one
            bishop or knight at most, or with bishops on squares of one colour only."""
        return drawn + (
            " Players cannot claim a draw before that." if self.draws == CLAIMED else ""
        )

    example = Example("""
        e2e4
        e7e5
        Bc4 the same as f1c4
        b8c6
        d1h5 attacks e5 and f7
        g8f6 attacks the queen, but does not guard f7
        Qxf7 captures, guarded by the bishop: mate
        """)

    def check(self) -> None:
        require_possible(self)

    def state_space(self) -> int | None:
        """Counts boards with one of twelve pieces or none on each square, and the clock."""
        return None if self.draws == NEVER else 13**64 * 2 * 16 * 9 * (MOST_QUIET[self.draws] + 1)

    def resumed(self, first: int | None = None) -> Self:
        """Returns the position in a game that goes on after a draw, not after a mate.

        Its ``draws`` is the first that does not end the game here, of those from its own on, or
        from ``first`` on. Where no move is possible the position stays as it is.
        """
        draws = self.draws if first is None else first
        if not self.can_move():
            return self
        while self.is_drawn_with(draws):
            draws += 1
        return self.with_draws(draws)

    def with_draws(self, draws: int) -> Self:
        """Returns the position in a game with other ``draws``; no history if none is needed."""
        if draws == self.draws:
            return self
        past = (0, 0) if draws == NEVER else self[-2:]
        return type(self)(draws, *self[1:-2], *past)

    @classmethod
    def from_fen(cls, fen: str, draws: int | str = AUTOMATIC) -> Self:
        """Reads a FEN record, whose last fields may be missing; the position has no history.

        Raises ValueError, saying what is allowed, for what is no FEN or no position of chess.
        """
        start = cls(draws)
        position = start.with_fields(start.draws, *read_fen(start, fen))
        position.check()
        return position

    def fen(self) -> str:
        """Returns the position as a FEN record; it tells nothing of the history."""
        return write_fen(self)

    def name(self, action: int) -> str:
        """Returns the action as UCI writes it: "e2e4", "e7e8q", "e1g1"."""
        return uci(self, action)

    def san(self, action: int) -> str:
        """Returns the legal action in standard algebraic notation: "e4", "exd8=Q+", "O-O"."""
        return write_san(self, action)

    def short_name(self, action: int) -> str:
        """Returns ``san(action)``."""
        return write_san(self, action)

    def alias(self, name: str) -> int | None:
        """Returns the legal action of a name in standard algebraic notation; None for other names.

        IllegalMove for what is that notation, but of no legal move, or of two.
        """
        return read_san(self, name)

    def __str__(self) -> str:
        ranks = write_fen(self).split()[0].split("/")
        for digit in "12345678":
            ranks = [rank.replace(digit, "." * int(digit)) for rank in ranks]
        rows = [f"{self.side - i} {' '.join(rank)}" for i, rank in enumerate(ranks)]
        return "\n".join([*rows, f"  {' '.join(FILES[: self.side])}"])


# ---- the rules in words

PIECES = reflowed("""
    **Goal.** Attack the king of the other player so that it cannot escape: mate. The board has 8
    rows of 8 squares. Player 0 is White and begins with the pieces on ranks 1 and 2, player 1 is
    Black, with the pieces on ranks 7 and 8.

    **Moves.** The players take turns, and White begins. A move takes one own piece to a square
    that is empty, or has a piece of the other player, which is captured. A king that is attacked
    is in check; no move may leave the own king in check.

    - A rook moves any number of squares across or down, a bishop diagonally, a queen either way,
      over empty squares only. A king moves one square in any direction.
    - A knight moves two squares across or down and one to the side, over any pieces.
    - A pawn moves one square forward to an empty square, or two from where it begins if both are
      empty; it captures one square diagonally forward. On the last rank it becomes a queen, rook,
      bishop or knight.
    - En passant: right after a pawn has moved two squares, a pawn beside it may capture it as if
      it had moved one.
    - Castling: a king that has not moved goes two squares towards a rook that has not moved, which
      goes to the square that the king has crossed. All squares between them must be empty, and the
      king may not be in check, nor cross or enter an attacked square.
""")
END = """
    **End.** The game is over when the player to move has no legal move. In check it is mate: this
    player gets -1, the other 1. Otherwise it is stalemate, a draw, worth 0 to both. """
NOTATION = reflowed("""
    **Notation.** A move is written as the squares from and to: `e2e4`; `e1g1` castles, and e7e8q
    promotes to a queen (r, b and n to the others). Standard algebraic notation is read as well:
    `e4`, `Nf3`, exd5, O-O, e8=Q.

    **Board.** KQRBNP are the king, queen, rooks, bishops, knights and pawns of White, kqrbnp those
    of Black, and a dot is an empty square. The numbers of the ranks are at the left, the letters
    of the files below. The board does not show who is to move, nor who may castle or capture en
    passant.
""")
