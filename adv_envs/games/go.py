r"""Go: surround more of the board than the other player; stones without free points are captured.

Player 0 is Black. The score is the area, as Tromp and Taylor count it; unlike theirs, these rules
forbid suicide. A game also ends, and is scored as it stands, after ``max_plies`` plies. Cells are
numbered row by row, with an always-empty bit at the end of each row. On 3 x 3::

      a b c
    3 0  1  2  (3)
    2 4  5  6  (7)
    1 8  9  10 (11)

The neighbours of a cell are 1 and, here, 4 bits away; none can wrap around an edge. Actions are
numbered row by row without the gap; the last one is to pass.

**Superko**, positional: no move may lead to a board that was there before. A position keeps a key
of 62 bits for every earlier board of its game, so it is an immutable value like any other, and two
positions are equal only if the same boards came before. This costs 8 bytes for each ply that the
game may have: 1.3 KB on 9 x 9, 5.8 KB on 19 x 19. It seldom costs time, as few moves can repeat a
board: they set a stone where one of that player was captured before. Moreover, a stone that was set
where none of its colour was captured stands on no earlier board; if the last stone is such a
``fresh`` one, only the move that captures it can repeat a board. ``superko=False`` keeps one key
only: a move may not restore the board before the opponent's move, the simple ko rule, and longer
cycles go on until ``max_plies``.
"""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Any

from adv_envs.bits import (
    count,
    fill_plane,
    has_word,
    list_cells,
    lowest,
    resized,
    single,
    write_planes,
)
from adv_envs.position import Example, RowBoard, Wide, reflowed, require_between
from adv_envs.random import GOLDEN, MASK

MOST_PLIES = 10_000
"""The longest game."""


class Go(RowBoard):
    """Represents a position of Go; ``Go(size=9, komi=7.5)`` is the start.

    ``superko`` and ``max_plies`` (0: two for each cell) are explained above; ``boards`` is how many
    of the latest boards an observation shows. Raises ValueError unless size is 2 to 19, komi is
    finite, boards is 1 to 8, max_plies is 0 to 10,000, and passes_to_end is 2 to 10,000.
    """

    size: int = 9
    komi: float = 7.5
    superko: bool = True
    boards: int = 8
    max_plies: int = 0
    passes_to_end: int = 2
    own: Wide = 0
    opp: Wide = 0
    free: Wide = -1  # the empty cells; -1: all without a stone
    own_lost: Wide = 0  # where own stones were captured in this game; without superko, just now
    opp_lost: Wide = 0
    fresh: Wide = 0  # the last stone, if none of its colour was captured there before
    key: int = 0  # of the board
    history: Annotated[int, "history_bits"] = 0  # keys of the boards before, the latest one lowest
    shown: Annotated[int, "shown_bits"] = 0  # boards of an observation, this one lowest
    passes: int = 0  # in succession
    ply: int = 0
    parameters = ("size", "komi", "superko", "boards", "max_plies", "passes_to_end")
    parameter_words = (
        ("Size", "How many rows and columns the board has."),
        ("Komi", "The points that White gets for moving second."),
        (
            "Superko",
            "No position of the whole board may come again; otherwise only the last but one.",
        ),
        ("Boards observed", "How many of the latest boards programs see; people can ignore it."),
        ("Longest game", "After so many moves the board is counted; 0: two for each cell."),
        ("Passes to end", "How many passes in a row end the game."),
    )
    side_names = ("Black", "White")

    @property
    def limit(self) -> int:
        """Returns the ply at which the game ends."""
        return self.max_plies if self.max_plies > 0 else 2 * self.size * self.size

    @property
    def history_bits(self) -> int:
        """Returns a word for the key of every board before the last one, or of one."""
        return 64 * self.limit if self.superko else 64

    @property
    def shown_bits(self) -> int:
        """Returns the bits of ``shown``: for each board Black's stones, then White's."""
        return 2 * self.board_bits * self.boards

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, row by row, and the pass."""
        return self.size * self.size + 1

    def legal(self, action: int) -> bool:
        """Allows a pass, or a stone on an empty cell that is no suicide and repeats no board."""
        if action == self.size * self.size:
            return True
        stone = single(self.entry(action), self.own)
        if stone & self.free == 0 or is_suicide(
            stone, self.own, self.opp, self.free, self.size + 1
        ):
            return False
        return self.doubtful(stone) == 0 or not self.repeats(stone)

    def write_legal(self, actions: Any) -> int:
        cells = open_cells(self.own, self.opp, self.free, self.size + 1)
        doubtful = self.doubtful(cells)
        while doubtful != 0:
            stone = single(lowest(doubtful), doubtful)
            doubtful ^= stone
            if self.repeats(stone):
                cells ^= stone
        number = list_cells(cells, self.size + 1, actions)
        actions[number] = self.size * self.size
        return number + 1

    def doubtful(self, cells: Wide) -> Wide:
        """Returns those of ``cells`` where a stone may restore a board of the history."""
        cells &= self.own_lost
        if cells == 0 or self.fresh == 0:
            return cells
        group = reached(self.fresh & self.opp, self.opp, self.size + 1)
        liberties = neighbours(group, self.size + 1) & self.free
        return cells & liberties if count(liberties) == 1 else cells & 0

    def repeats(self, stone: Wide) -> bool:
        """Returns whether a stone at ``action`` would bring back a board of the history."""
        taken = captured(stone, self.opp, self.free ^ stone, self.size + 1)
        return has_word(self.history, key_after(self.key, stone, self.to_move, taken))

    def play(self, action: int) -> Go:
        """Sets a stone and takes those that it captures, or passes; the other player is to move."""
        own, opp, free, key, fresh = self.own, self.opp, self.free, self.key, self.fresh
        lost, taken, passes = self.own_lost, own & 0, self.passes + 1
        if action < self.size * self.size:
            stone = single(self.entry(action), own)
            free ^= stone
            taken = captured(stone, opp, free, self.size + 1)
            key, passes = key_after(key, stone, self.to_move, taken), 0
            own, opp, free, fresh = own | stone, opp ^ taken, free | taken, stone & ~lost
        if self.superko:
            taken |= self.opp_lost
        else:
            lost &= 0
        return Go(
            self.size, self.komi, self.superko, self.boards, self.max_plies, self.passes_to_end,
            opp, own, free, taken, lost, fresh, key, self.next_history(),
            self.next_shown(own, opp), passes, self.ply + 1,
        )  # fmt: skip

    def next_history(self) -> int:
        """Returns the history with the key of this board."""
        key = resized(self.key, self.history)
        return self.history << 64 | key if self.superko else key

    def next_shown(self, own: Wide, opp: Wide) -> int:
        """Returns the boards to be shown after a move of this player has led to these stones."""
        shown, room = self.shown, self.board_bits
        older = shown & single(2 * room * (self.boards - 1), shown) - 1
        black, white = (own, opp) if self.to_move == 0 else (opp, own)
        return older << 2 * room | resized(white, shown) << room | resized(black, shown)

    def is_terminal(self) -> bool:
        """Tests whether players have passed in succession often enough, or the limit is reached."""
        return self.passes >= self.passes_to_end or self.ply >= self.limit

    def utility(self, player: int) -> int:
        """Returns 1 for the player with more points, -1 for the other; 0 if they have as many."""
        lead = self.lead()
        if lead == 0:
            return 0
        return 1 if (lead > 0) == (player == 0) else -1

    def lead(self) -> float:
        """Returns Black's points minus White's, komi included, if the game ended here."""
        return count(self.area(0)) - count(self.area(1)) - self.komi

    def area(self, player: int) -> Wide:
        """Returns the stones of a player, and the empty cells from which only these are reached."""
        stride = self.size + 1
        theirs = reached(self.stones(1 - player), self.free, stride)
        return reached(self.stones(player), self.free, stride) & ~theirs

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (size, size, 2 * boards + 1): the latest boards, the last first, the colour."""
        return self.size, self.size, 2 * self.boards + 1

    def observe(self, player: int, planes: Any) -> None:
        """Writes own stones into planes[:, :, 0], the opponent's into 1, a ply before into 2, 3...

        The last plane is 1 everywhere for White.
        """
        number = 2 * self.boards
        write_planes(self.shown, self.board_bits, self.size + 1, planes, number, player == 1)
        if player == 1:
            fill_plane(planes, number)

    def cells(self) -> Wide:
        """Returns all cells of the board."""
        return self.own | self.opp | self.free

    # ---- not needed by the rules

    def result_text(self) -> str:
        lead = abs(self.lead())
        return super().result_text() + (f" by {lead:g}" if lead else "")

    def rules(self) -> str:
        again = "that was there before at any time in this game (superko)"
        if not self.superko:
            again = "that was there before the last move of the other player (ko)"
        end = f"{self.passes_to_end} passes in succession"
        return reflowed(f"""
            **Goal.** Surround more of the board than the other player. It has {self.size} rows of
            {self.size} cells, also called crossings, and is empty at the start. Player 0 is Black,
            player 1 White.

            **Moves.** The players take turns, and Black begins. A move sets one own stone on an
            empty cell, or passes. Stones that are joined across or down, cell by cell, are a group;
            the empty cells beside a group, across or down, are its liberties. A stone that takes
            the last liberty of groups of the other player captures them: all their stones are taken
            off. Two moves are forbidden:

            - a stone that leaves its own group without a liberty, after captures (suicide);
            - a stone that makes the same board {again}.

            **End.** The game is over after {end}, or after {self.limit} moves in all, passes
            included. A player has a point for each own stone on the board, and for each empty cell
            from which a path over empty cells leads to own stones only. White has {self.komi:g}
            points more. All stones on the board count as they stand: capture dead stones before you
            pass. The player with more points gets 1, the other -1; as many each are a draw, 0 to
            both.

            {NOTATION}
            """)

    example = Example(
        """
        a2
        a1
        b1 takes the last liberty of a1, which is captured
        pass a1 would be suicide: player 1 passes
        pass all cells are points of Black
        """,
        size=3,
    )

    def set_up(self) -> Go:
        """Returns the empty cells, the key and the board to show, for stones without them."""
        if self.free != -1 or not 2 <= self.size <= 19:
            return self
        free, key = self.free_and_key()
        start: Go = self._replace(free=free, key=key, shown=self.both())
        return start

    def extended(self) -> Go:
        """Returns the same position of a longer game, for one that went on after an agreed end.

        One pass more is needed, or twice as many plies are allowed, if the game is over because of
        that. Raises ValueError if it would be longer than any game.
        """
        passes, plies = self.passes_to_end, self.max_plies
        if self.passes >= passes:
            passes = self.passes + 1
        if self.ply >= self.limit:
            plies = min(2 * self.limit, MOST_PLIES)
        longer: Go = self._replace(passes_to_end=passes, max_plies=plies)
        longer.check()
        if longer.is_terminal():
            raise ValueError(f"a game has at most {MOST_PLIES:,} plies")
        return longer

    def both(self) -> int:
        """Returns the board as it is shown: Black's stones, then White's."""
        return self.stones(0) | self.stones(1) << self.board_bits

    def free_and_key(self) -> tuple[int, int]:
        """Returns the empty cells and the key of the board, found from nothing."""
        free, key = sum(1 << self.entry(action) for action in range(self.size**2)), 0
        for player in (0, 1):
            for cell in self.cells_in(self.stones(player)):
                key ^= key_of(self.bit(*cell), player)
        return free & ~(self.own | self.opp), key

    def check(self) -> None:
        require_between("size", self.size, 2, 19)
        if not isfinite(self.komi):
            raise ValueError(f"komi must be a finite number, not {self.komi}")
        require_between("boards", self.boards, 1, 8)
        require_between("max_plies", self.max_plies, 0, MOST_PLIES)
        require_between("passes_to_end", self.passes_to_end, 2, MOST_PLIES)
        self.check_cells()
        require_between("ply", self.ply, 0, self.limit)
        require_between("passes", self.passes, 0, min(self.ply, self.passes_to_end))
        if (self.free, self.key) != self.free_and_key():
            raise ValueError("free and key do not fit the stones: leave them out")
        stride = self.size + 1
        for stones in (self.own, self.opp):
            if reached(neighbours(self.free, stride) & stones, stones, stride) != stones:
                raise ValueError("every stone must be joined to a liberty: captured stones are off")
        if (self.own_lost | self.opp_lost | self.fresh) & ~self.cells():
            raise ValueError("own_lost, opp_lost and fresh must be cells of the board, as bits")
        keys, room = 64 * min(self.ply, self.history_bits // 64), 2 * self.board_bits
        if self.history < 0 or self.history >> keys or not 0 <= self.shown < 1 << self.shown_bits:
            raise ValueError("history and shown do not fit the plies: use after()")
        if self.shown & (1 << room) - 1 != self.both():
            raise ValueError("shown does not fit the stones: leave out free, key and shown")

    def name(self, action: int) -> str:
        """Returns column letter, without i, and row number from below; or "pass"."""
        return "pass" if action == self.size * self.size else super().name(action)

    def cell_name(self, row: int, column: int) -> str:
        """Returns the name of a cell, as Go players and programs write it."""
        return f"{'abcdefghjklmnopqrst'[column]}{self.size - row}"


# ---- groups of stones: ``stride`` is the number of bits from a cell to the one below it


def neighbours(cells: Wide, stride: int) -> Wide:
    """Returns the cells beside ``cells``, some of them perhaps off the board."""
    return cells << 1 | cells >> 1 | cells << stride | cells >> stride


def reached(cells: Wide, area: Wide, stride: int) -> Wide:
    """Returns ``cells``, and all of ``area`` that is joined to them."""
    while True:
        grown = cells | (cells << 1 | cells >> 1) & area
        grown |= (grown << stride | grown >> stride) & area
        if grown == cells:
            return cells
        cells = grown


def enclosed(stone: Wide, stones: Wide, free: Wide, stride: int) -> Wide:
    """Returns the group of ``stones`` with this one if it has no liberty, otherwise nothing."""
    group = stone
    while True:
        beside = neighbours(group, stride)
        if beside & free != 0:
            return stone & 0
        grown = group | beside & stones
        if grown == group:
            return group
        group = grown


def captured(stone: Wide, stones: Wide, free: Wide, stride: int) -> Wide:
    """Returns those of ``stones`` that this one of the other player captures."""
    taken = stone & 0
    beside = neighbours(stone, stride) & stones
    if beside != 0:
        beside &= ~neighbours(free, stride)
    while beside != 0:
        first = single(lowest(beside), stone)
        group = enclosed(first, stones, free, stride)
        taken |= group
        beside &= ~(first | group)
    return taken


def is_suicide(stone: Wide, own: Wide, opp: Wide, free: Wide, stride: int) -> bool:
    """Returns whether this stone, one of ``own`` then, has no liberty and captures nothing."""
    free ^= stone
    if neighbours(stone, stride) & free != 0 or captured(stone, opp, free, stride) != 0:
        return False
    return enclosed(stone, own | stone, free, stride) != 0


def open_cells(own: Wide, opp: Wide, free: Wide, stride: int) -> Wide:
    """Returns the empty cells where a stone of ``own`` has a liberty, or captures.

    Groups matter only to holes, the empty cells without an empty neighbour.
    """
    left, right, up, down = free << 1, free >> 1, free << stride, free >> stride
    spacious = free & (left | right | up | down)
    holes = free ^ spacious
    if holes == 0:
        return free
    twice = left & (right | up | down) | right & (up | down) | up & down
    safe = neighbours(spacious, stride) | twice  # these have a liberty besides any one hole
    alive = reached(own & safe, own, stride)
    found = holes & neighbours(alive, stride)
    near = neighbours(holes & ~found, stride)
    if near == 0:
        return free
    found |= holes_of(own & near & ~alive, own, free, stride, False)
    near &= opp
    if near != 0:
        found |= holes_of(near & ~reached(opp & safe, opp, stride), opp, free, stride, True)
    return spacious | found


def holes_of(some: Wide, stones: Wide, free: Wide, stride: int, last: bool) -> Wide:
    """Returns the liberties of groups of ``some`` stones: with one, the ``last``, or more."""
    found = free & 0
    while some != 0:
        group = reached(single(lowest(some), some), stones, stride)
        some &= ~group
        liberties = neighbours(group, stride) & free
        if (count(liberties) == 1) == last:
            found |= liberties
    return found


def key_after(key: int, stone: Wide, player: int, taken: Wide) -> int:
    """Returns the key of the board after a stone of ``player`` that captures ``taken``."""
    key ^= key_of(lowest(stone), player)
    while taken != 0:
        key ^= key_of(lowest(taken), 1 - player)
        taken &= taken - 1
    return key


def key_of(cell: int, player: int) -> int:
    """Returns 62 bits for a stone; the key of a board is the xor of those of its stones.

    Source: A. Zobrist, A New Hashing Method with Application for Game Playing, 1970; the mixing is
    that of G. Steele, D. Lea and C. Flood, Fast Splittable Pseudorandom Number Generators, 2014.
    """
    number = (2 * cell + player + 1) * GOLDEN & MASK
    number = (number ^ number >> 30) * 0x3F58476D1CE4E5B9 & MASK
    number = (number ^ number >> 27) * 0x14D049BB133111EB & MASK
    return number ^ number >> 31


NOTATION = """
    **Notation.** A move is written as its cell, the letter of the column and the number of the row,
    counted from the bottom; the letter i is left out. `a1` is the bottom left cell. `pass` is to
    pass.

    **Board.** X is a black stone, O a white one, and a dot an empty cell. The letters of the
    columns are above, the numbers of the rows at the left. The board does not show who is to move,
    nor what is forbidden because of earlier boards.
"""
"""How moves are written and boards are printed, for ``rules``."""
