"""Ultimate tic-tac-toe: nine boards in one; a move says on which board the next one must be.

Cells are those of one board of 9 x 9, numbered row by row, with an always-empty cell at the end of
each row, so that row r and column c are bit 10 * r + c. The small board that holds them is number
3 * (r // 3) + c // 3, and sends the next move to board 3 * (r % 3) + c % 3::

    rows    small boards      cells of a small board     sets of small boards
    0 - 2     0  1  2             0   1   2                  0  1  2 (3)
    3 - 5     3  4  5            10  11  12                  4  5  6 (7)
    6 - 8     6  7  8            20  21  22                  8  9 10 (11)

A set of small boards is kept like a board of tic-tac-toe, with a gap after each row: board b has
bit b + b // 3. Actions are the cells, row by row without the gaps: 9 * r + c.

Source: the usual rules, as in B. Orlin, Math with Bad Drawings (2018).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Self

from adv_envs.bits import count, has_line, line_cells, list_cells, resized, single
from adv_envs.position import Example, RowBoard, Wide, read_board, reflowed, require_between

ANY = 9
"""``sent`` where the player to move may choose among all small boards that are not closed."""

ALL_BOARDS = 0b0111_0111_0111
"""The nine small boards, as a set."""

SMALL = 0b111_0000000_111_0000000_111
"""The nine cells of a small board, as a set, from its first cell on."""


class UltimateTicTacToe(RowBoard):
    """Represents a position of nine boards of three by three; ``UltimateTicTacToe()`` is the start.

    A small board is closed when it is won or full. Raises ValueError unless all fields go together.
    """

    size: ClassVar[int] = 9

    own: Wide = 0
    opp: Wide = 0
    own_boards: int = 0  # the small boards that the player to move has won
    opp_boards: int = 0
    drawn: int = 0  # the small boards that are full and that nobody has won
    sent: int = ANY  # the small board of the next move, or ANY
    ply: int = 0
    side_names = ("X", "O")

    @property
    def small_boards(self) -> int:
        """Returns the small boards that are closed, as a set."""
        return self.own_boards | self.opp_boards | self.drawn

    def open_cells(self) -> Wide:
        """Returns the cells where the next stone may be set."""
        cells = self.own & 0
        if self.sent != ANY:
            cells |= small_cells(self.sent, cells)
        else:
            closed = self.small_boards
            for board in range(9):
                if closed >> board_bit(board) & 1 == 0:
                    cells |= small_cells(board, cells)
        return cells & ~(self.own | self.opp)

    def legal(self, action: int) -> bool:
        """Tests whether the cell is empty and on a small board where the move may go."""
        return self.open_cells() >> self.entry(action) & 1 != 0

    def write_legal(self, actions: Any) -> int:
        return list_cells(self.open_cells(), 10, actions)

    def play(self, action: int) -> UltimateTicTacToe:
        """Sets a stone; the other player moves on the board that it sends to, or on any one."""
        row, column = action // 9, action % 9
        own = self.own | single(10 * row + column, self.own)
        board, target = 3 * (row // 3) + column // 3, 3 * (row % 3) + column % 3
        own_boards, drawn, mark = self.own_boards, self.drawn, 1 << board_bit(board)
        stones = on_board(own, board)
        if has_line(stones, 3, 10):
            own_boards |= mark
        elif count(stones | on_board(self.opp, board)) == 9:
            drawn |= mark
        closed = own_boards | self.opp_boards | drawn
        over = has_line(own_boards, 3, 4)
        sent = ANY if over or closed >> board_bit(target) & 1 != 0 else target
        return UltimateTicTacToe(
            self.opp, own, self.opp_boards, own_boards, drawn, sent, self.ply + 1
        )

    def lost(self) -> bool:
        """Tests whether the player who just moved has three small boards in a row."""
        return has_line(self.opp_boards, 3, 4)

    def is_terminal(self) -> bool:
        """Tests whether three small boards are in a row, or all are closed."""
        return self.small_boards == ALL_BOARDS or self.lost()

    def utility(self, player: int) -> int:
        """Returns 1 for a win, -1 for a loss, 0 for a draw."""
        if not self.lost():
            return 0
        return -1 if player == self.to_move else 1

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (9, 9, 5): stones of both, where the next may be set, boards won by both."""
        return 9, 9, 5

    def observe(self, player: int, planes: Any) -> None:
        """Writes own stones, the opponent's, where the next may be set, boards won by each."""
        mine, others = self.own_boards, self.opp_boards
        own, opp, free = self.own, self.opp, self.open_cells()
        if player != self.to_move:
            mine, others, own, opp = others, mine, opp, own
        over = self.is_terminal()
        for row in range(9):
            for column in range(9):
                cell, board = 10 * row + column, 4 * (row // 3) + column // 3
                planes[row, column, 0] = own >> cell & 1 != 0
                planes[row, column, 1] = opp >> cell & 1 != 0
                planes[row, column, 2] = not over and free >> cell & 1 != 0
                planes[row, column, 3] = mine >> board & 1 != 0
                planes[row, column, 4] = others >> board & 1 != 0

    # ---- not needed by the rules

    def turn_text(self) -> str:
        return f"{super().turn_text()} {self.where()}"

    def where(self) -> str:
        """Returns on which small board the next stone is to be set, in words."""
        return "on any open board" if self.sent == ANY else f"on board {self.sent + 1}"

    def result_text(self) -> str:
        if self.lost():
            return super().result_text()
        return "Draw, all nine boards are closed"

    def rules(self) -> str:
        return reflowed("""
            **Goal.** Be the first to win three small boards in a row, across, down or diagonally.
            The board has 9 rows of 9 cells, which are nine small boards of 3 x 3 cells. It is empty
            at the start.

            **Moves.** The players take turns, and player 0 begins. A move sets one own stone on an
            empty cell of a small board that is not closed. The first stone may be set anywhere.
            From then on, the place of the last stone within its small board says on which small
            board the next one must be set: after a stone in the top right cell of a small board,
            the other player must play on the top right small board. If that one is closed, any
            small board that is not may be chosen. Nobody may pass.

            Three own stones in a row on a small board, across, down or diagonally, win that board.
            A board that is full without such a row is drawn and counts for nobody. Won and drawn
            boards are closed.

            **End.** The game is over as soon as a player has won three small boards in a row: this
            player gets 1, the other -1. When all small boards are closed and there is no such row,
            it is a draw, worth 0 to both.

            **Notation.** A move is written as its cell, the letter of the column and the number of
            the row on the board of 9 x 9, counted from the top: `a1` is the top left cell, `i9` the
            bottom right one. The small boards have numbers, row by row: board 1 is a1 to c3, board
            3 is g1 to i3, board 5 is d4 to f6, board 9 is g7 to i9.

            **Board.** Stones of player 0 are printed as X, those of player 1 as O, and empty cells
            as dots. The letters of the columns are above, the numbers of the rows at the left. The
            last line tells who is to move, and on which small board, or how the game has ended.
            """)

    example = Example("""
        e5 in the middle of board 5, so player 1 must play on board 5 as well
        d4 the top left cell of board 5, so player 0 must play on board 1
        b2 sends player 1 back to board 5
        f4 the top right cell, so player 0 must play on board 3
        h2 sends player 1 to board 5 again
        e4 wins board 5, which is closed now, and sends player 0 to board 2
        e2 is a middle cell and would send player 1 to board 5: any other board may be chosen
        a9
        """)

    def check(self) -> None:
        self.check_stones()
        require_between("sent", self.sent, 0, ANY)
        own_boards, opp_boards, drawn = settled(self.own, self.opp)
        if own_boards & opp_boards:
            raise ValueError("only one player can have three in a row on a small board")
        if (self.own_boards, self.opp_boards, self.drawn) != (own_boards, opp_boards, drawn):
            raise ValueError(
                "own_boards, opp_boards and drawn must be the small boards with three in a row of "
                f"each player and the full ones, here {own_boards}, {opp_boards} and {drawn}"
            )
        if has_line(own_boards, 3, 4):
            raise ValueError(
                "the player to move cannot have three boards in a row: the game ended with that"
            )
        if self.sent not in self.possible_targets():
            raise ValueError(
                f"the next move cannot be {self.where()}: no stone of the player who just moved "
                "sends it there"
            )

    def possible_targets(self) -> set[int]:
        """Returns each value that ``sent`` can have, whichever stone was the last."""
        if self.ply == 0 or self.is_terminal():
            return {ANY}
        closed = self.small_boards
        sent = {3 * (row % 3) + column % 3 for row, column in self.cells_in(self.opp)}
        return {ANY if closed >> board_bit(board) & 1 else board for board in sent}

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it.

        The last line says on which small board the next move must be. Without it, that is the only
        one that the stones allow, or any open one; ValueError if that cannot be.
        """
        rows = read_board(text.replace("|", " "), cls.symbols)
        position = super().from_text("\n".join(rows), to_move, **parameters)
        last = text.strip().splitlines()[-1]
        found = re.search(r" on (?:board (\w+)|(any) )", last)
        if found and found[1] and not re.fullmatch("[1-9]", found[1]):
            raise ValueError(f"there is no board {found[1]}: small boards are 1 to 9")
        if found:
            position = position._replace(sent=int(found[1]) - 1 if found[1] else ANY)
        elif len(possible := position.possible_targets()) == 1:
            position = position._replace(sent=min(possible))
        elif ANY not in possible:
            said = [position._replace(sent=board).turn_text() for board in sorted(possible)]
            raise ValueError(
                "the last line must say on which small board the next move is: "
                f"{' or '.join(map(repr, said))}"
            )
        position.check()
        return position

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position with these stones and any board to play on that can be meant."""
        own, opp = (first, second) if ply % 2 == 0 else (second, first)
        boards = settled(own, opp)
        found = type(self)(own, opp, *boards, ANY, ply)
        found.check_stones()
        return found

    def state_space(self) -> int:
        """Counts boards, each cell empty, X or O, and where the next stone may be set."""
        return 3**81 * 10

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the cells of every small board in a row of three that won."""
        boards = line_cells(self.opp_boards, 3, 4) if self.lost() else 0
        cells = sum(small_cells(b, 1) for b in range(9) if boards >> board_bit(b) & 1)
        return self.cells_in(cells)

    def owner(self, board: int) -> int | None:
        """Returns the player who has won a small board, 0 or 1, or None."""
        for player in (0, 1):
            boards = self.own_boards if player == self.to_move else self.opp_boards
            if boards >> board_bit(board) & 1:
                return player
        return None

    def __str__(self) -> str:
        lines = [divided(line) for line in super().__str__().splitlines()]
        rule = "   " + "+".join(["-" * 7, "-" * 7, "-" * 6])
        lines[7:7], lines[4:4] = [rule], [rule]
        return "\n".join([*lines, self.result_text() if self.is_terminal() else self.turn_text()])


def board_bit(board: int) -> int:
    """Returns the bit of a small board in a set of them."""
    return board + board // 3


def first_bit(board: int) -> int:
    """Returns the bit of the first cell of a small board."""
    return 30 * (board // 3) + 3 * (board % 3)


def small_cells(board: int, like: Wide) -> Wide:
    """Returns the nine cells of a small board, as wide as the set ``like``."""
    return resized(SMALL, like) << first_bit(board)


def on_board(stones: Wide, board: int) -> int:
    """Returns those of ``stones`` on a small board, moved to where the first one is."""
    return resized(stones >> first_bit(board) & SMALL, 0)


def settled(own: int, opp: int) -> tuple[int, int, int]:
    """Returns the small boards won by ``own``, those won by ``opp``, and those that are drawn."""
    found = [0, 0, 0]
    for board in range(9):
        mine, others = on_board(own, board), on_board(opp, board)
        won = [has_line(mine, 3, 10), has_line(others, 3, 10)]
        drawn = not any(won) and count(mine | others) == 9
        for i, closed in enumerate((*won, drawn)):
            found[i] |= closed << board_bit(board)
    return found[0], found[1], found[2]


def divided(line: str) -> str:
    """Returns a line of a board as text with bars between the small boards."""
    return f"{line[:9]}| {line[9:15]}| {line[15:]}"
