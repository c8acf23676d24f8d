"""Animal shogi: catch the other lion, or bring your own to the far side of the board.

The board is always seen by the player to move, whose pieces go up; after every move it is turned
round, the first cell becoming the last. Cells are the bits of 12-bit sets, numbered row by row, and
a move goes in one of eight directions; opposite ones add up to 7::

        a b c          a  b  c
    4   g l e          0  1  2        action = 8 * cell + direction       0 1 2
    3   . c .          3  4  5                                            3   4
    2   . C .          6  7  8        action = 96 + 12 * kind + cell      5 6 7
    1   E L G          9 10 11        drops a chick, elephant or giraffe (kind 0, 1, 2)

``cell`` is the cell that a piece leaves, or on which it is set, as the player to move sees the
board: the first player sees it as it is drawn here. ``own`` and ``opp`` say whose the pieces are,
``chicks``, ``elephants``, ``giraffes`` and ``hens`` which; the others are the lions. ``hands`` has
two bits for the number of chicks, elephants and giraffes in the hand of the player to move, then
six for those of the opponent.

Rules: Japan Ladies Professional Shogi-players' Association, for the game of Madoka Kitao (2008).
What they leave open, that a lion stays on the far row although it could have been taken, is as in
Fairy-Stockfish.
"""

from __future__ import annotations

import re
from itertools import product
from math import comb
from typing import Annotated, Any

from adv_envs.bits import has_word, lowest, resized
from adv_envs.position import Example, Position, Words, counted, reflowed, require_between

ALL, FAR_ROW, HOME_ROW = 0o7777, 0o0007, 0o7000
NOT_LEFT, NOT_RIGHT = 0o6666, 0o3333
"""All cells; the first and last row; the cells with one to their left, and to their right."""
UP, DROPS, ACTIONS = 1, 96, 132
"""The direction straight ahead, the first action that is a drop, and how many there are."""
STEPS = (-4, -3, -2, -1, 1, 2, 3, 4)
"""What a step in each direction adds to the number of a cell."""
LETTERS = "cehgl"
"""The letters of chicks, elephants, hens, giraffes and lions."""
KINDS = "CEG"
"""The pieces that may be in hand, by kind."""
DRAW, IGNORED = range(2)
"""What ``repetition`` may be."""
SIDE_BIT = 54
"""The bit of a key that says who is to move."""
FIELDS = ("own", "opp", "chicks", "elephants", "giraffes", "hens")
"""The fields that are sets of cells."""
FEN = r"([1-3celhgCELHG/]+)\[(-|[cegCEG]*)\](?: ([wb])(?:(?: [-0-9]+)*? ([0-9]{1,9}))?)?"
"""Board, hands, who is to move, a number without meaning, the number of the move."""


def step(cells: int, direction: int) -> int:
    """Returns all ``cells`` one step further, without those that leave the board."""
    if direction in (0, 3, 5):
        cells &= NOT_LEFT
    elif direction in (2, 4, 7):
        cells &= NOT_RIGHT
    by = STEPS[direction]
    return cells << by & ALL if by > 0 else cells >> -by


def turned(cells: int) -> int:
    """Returns the set on the board turned round: cell 11 - i for cell i."""
    rows = (cells & 0o7) << 9 | (cells & 0o70) << 3 | (cells & 0o700) >> 3 | cells >> 9
    return (rows & 0o1111) << 2 | rows & 0o2222 | rows >> 2 & 0o1111


def occurrences(history: int, key: int) -> int:
    """Counts the words of ``history`` that are ``key``."""
    found = 0
    while history != 0:
        if resized(history & (1 << 63) - 1, 0) == key:
            found += 1
        history = history >> 64
    return found


def is_key(number: int, side: int) -> bool:
    """Tests whether ``number`` can be the key of an unfinished position, with ``side`` to move."""
    own, first, second, third = (number >> 12 * i & ALL for i in range(4))
    pieces, lions = first | second | third, first & ~(second | third)
    kinds = second & ~first | third & first, second & first, third & ~first
    numbers = [kinds[i].bit_count() + (number >> 48 + 2 * i & 3) for i in range(3)]
    return (
        number >> SIDE_BIT == side
        and second & third == own & ~pieces == 0
        and (lions & own).bit_count() == (lions & ~own).bit_count() == 1
        and max(numbers) <= 2
    )


class AnimalShogi(Position):
    """Represents a position; ``AnimalShogi(max_plies=128, repetition="draw")`` is the start.

    A position that occurs for the third time is a draw, unless repetition is "ignored", and so is
    the game after ``max_plies``, 1 to 1000. Other positions come from ``AnimalShogi.from_fen``.
    """

    max_plies: int = 128
    repetition: Words = Words("draw", "ignored")
    own: int = 0o7200
    opp: int = 0o0027
    chicks: int = 0o0220
    elephants: int = 0o1004
    giraffes: int = 0o4001
    hens: int = 0
    hands: int = 0
    ply: int = 0
    repeated: int = 0  # how often the position has occurred before
    history: Annotated[int, "history_bits"] = 0  # the keys of all earlier positions, latest lowest
    parameters = ("max_plies", "repetition")
    parameter_words = (
        ("Longest game", "The game is drawn after so many moves of both players together."),
        ("Repetition", "Whether a position that occurs for the third time is a draw."),
    )
    side_names = ("Forest", "Sky")

    @property
    def history_bits(self) -> int:
        """Returns a word for the key of every earlier position, or one word."""
        return 64 if self.repetition == IGNORED else 64 * self.max_plies

    @property
    def num_actions(self) -> int:
        """Returns eight directions for each cell that a piece may leave, and 36 drops."""
        return ACTIONS

    @property
    def to_move(self) -> int:
        """Returns the player to move: player 0, Forest, begins."""
        return self.ply % 2

    @property
    def lions(self) -> int:
        """Returns the pieces that are nothing else."""
        return (self.own | self.opp) & ~(self.chicks | self.elephants | self.giraffes | self.hens)

    @property
    def key(self) -> int:
        """Returns a number, 55 bits long: the position and who is to move, without its past."""
        pieces = self.own | self.opp
        first = pieces & ~(self.chicks | self.giraffes)
        second, third = self.chicks | self.elephants, self.giraffes | self.hens
        kinds = first << 12 | second << 24 | third << 36
        return self.own | kinds | (self.hands & 63) << 48 | self.to_move << SIDE_BIT

    # ---- moves

    def goers(self, pieces: int, direction: int) -> int:
        """Returns those of ``pieces`` that can go in a direction, as their owner sees it."""
        if direction == UP:
            return pieces & ~self.elephants
        if direction in (0, 2):
            return pieces & ~(self.chicks | self.giraffes)
        if direction in (5, 7):
            return pieces & ~(self.chicks | self.giraffes | self.hens)
        return pieces & ~(self.chicks | self.elephants)

    def attackers(self, cell: int) -> int:
        """Returns the pieces of the opponent that can go to ``cell``, a set of one."""
        found = 0
        for direction in range(8):
            found |= self.goers(self.opp, direction) & step(cell, direction)
        return found

    def takers(self, cell: int) -> int:
        """Returns the pieces of the player to move that can go to ``cell``, a set of one."""
        found = 0
        for direction in range(8):
            found |= self.goers(self.own, direction) & step(cell, 7 - direction)
        return found

    def write_legal(self, actions: Any) -> int:
        pieces, free, number = self.own, ALL & ~self.own, 0
        while pieces != 0:
            piece = pieces & -pieces
            pieces ^= piece
            for direction in range(8):
                if step(self.goers(piece, direction), direction) & free != 0:
                    actions[number] = 8 * lowest(piece) + direction
                    number += 1
        empty = ALL & ~(self.own | self.opp)
        for kind in range(3):
            cells = empty if self.hands >> 2 * kind & 3 != 0 else 0
            while cells != 0:
                actions[number] = DROPS + 12 * kind + lowest(cells)
                number += 1
                cells &= cells - 1
        return number

    def legal(self, action: int) -> bool:
        """Allows a step to a cell without an own piece, or a drop on an empty cell."""
        if action >= DROPS:
            held = self.hands >> 2 * ((action - DROPS) // 12) & 3
            return held != 0 and (self.own | self.opp) >> action % 12 & 1 == 0
        piece = self.own & 1 << action // 8
        return step(self.goers(piece, action % 8), action % 8) & ~self.own != 0

    def can_move(self) -> bool:
        """Returns whether there is a move; eight pieces leave room for a drop."""
        if self.hands & 63 != 0:
            return True
        for direction in range(8):
            if step(self.goers(self.own, direction), direction) & ~self.own != 0:
                return True
        return False

    def play(self, action: int) -> AnimalShogi:
        """Moves or drops a piece, and turns the board round."""
        chicks, elephants, giraffes = self.chicks, self.elephants, self.giraffes
        own, opp, hens, hands = self.own, self.opp, self.hens, self.hands
        if action >= DROPS:
            kind, end = (action - DROPS) // 12, 1 << action % 12
            own, hands = own | end, hands - (1 << 2 * kind)
            chicks |= end if kind == 0 else 0
            elephants |= end if kind == 1 else 0
            giraffes |= end if kind == 2 else 0
        else:
            start = 1 << action // 8
            end = 1 << action // 8 + STEPS[action % 8]
            if opp & end != 0:
                hands += self.caught(end)
                opp ^= end
                chicks, elephants, giraffes = chicks & ~end, elephants & ~end, giraffes & ~end
                hens &= ~end
            both = start | end
            own ^= both
            if chicks & start != 0:
                chicks ^= start if end & FAR_ROW != 0 else both
                hens |= end & FAR_ROW
            elephants ^= both if elephants & start != 0 else 0
            giraffes ^= both if giraffes & start != 0 else 0
            hens ^= both if hens & start != 0 else 0
        after = AnimalShogi(
            self.max_plies, self.repetition, turned(opp), turned(own), turned(chicks),
            turned(elephants), turned(giraffes), turned(hens), hands >> 6 | (hands & 63) << 6,
            self.ply + 1, 0, self.history,
        )  # fmt: skip
        return after if self.repetition == IGNORED else after.remembering(self.key)

    def caught(self, cell: int) -> int:
        """Returns what is added to the hand for a piece of the opponent: nothing for the lion."""
        if (self.chicks | self.hens) & cell != 0:
            return 1
        return 4 if self.elephants & cell != 0 else 16 if self.giraffes & cell != 0 else 0

    def remembering(self, last: int) -> AnimalShogi:
        """Returns the position with ``last``, the key of the one before, added to its history."""
        history, key = self.history << 64 | resized(last, self.history), self.key
        repeated = occurrences(history, key) if has_word(history, key) else 0
        return AnimalShogi(
            self.max_plies, self.repetition, self.own, self.opp, self.chicks, self.elephants,
            self.giraffes, self.hens, self.hands, self.ply, repeated, history,
        )  # fmt: skip

    # ---- the end

    def is_terminal(self) -> bool:
        """Tests whether a lion is caught or across, nobody can move, or a rule says draw."""
        return self.lead() != 0 or self.is_drawn()

    def is_drawn(self) -> bool:
        """Tests whether a rule says so. A win by the last move is a win."""
        return self.repeated >= 2 or self.ply >= self.max_plies

    def lead(self) -> int:
        """Returns 1 if the player to move has won, -1 if the other has, else 0."""
        if self.own & self.lions == 0 or self.is_across():
            return -1
        mine = self.own & self.lions & FAR_ROW
        if mine != 0 and self.attackers(mine) == 0:
            return 1
        return 0 if self.can_move() else -1

    def is_across(self) -> bool:
        """Tests whether the other lion is on its far row, and cannot be taken."""
        lion = self.opp & self.lions & HOME_ROW
        return lion != 0 and self.takers(lion) == 0

    def utility(self, player: int) -> int:
        """Returns 1 for the winner, -1 for the other; 0 for a draw."""
        lead = self.lead()
        return lead if player == self.to_move else -lead

    # ---- what players see

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (4, 3, 23), row 0 the one far from the player."""
        return 4, 3, 23

    def observe(self, player: int, planes: Any) -> None:
        """Writes own chicks, elephants, giraffes, hens and lion into planes 0 to 4.

        Those of the opponent are in 5 to 9. Planes 10 to 15 are full of ones if at least one, two
        chicks, elephants, giraffes are in the own hand, 16 to 21 for the opponent's, and 22 if the
        position has occurred before.
        """
        own, opp, hands = self.own, self.opp, self.hands
        if player != self.to_move:
            own, opp, hands = opp, own, hands >> 6 | (hands & 63) << 6
        kinds = self.chicks, self.elephants, self.giraffes, self.hens, self.lions
        for kind in range(5):
            for cell in range(12):
                at = cell if player == self.to_move else 11 - cell
                planes[at // 3, at % 3, kind] = own & kinds[kind] & 1 << cell != 0
                planes[at // 3, at % 3, 5 + kind] = opp & kinds[kind] & 1 << cell != 0
        for i in range(6):
            if hands >> 2 * i & 3 >= 1:
                planes[:, :, 10 + 2 * i] = 1
            if hands >> 2 * i & 3 >= 2:
                planes[:, :, 11 + 2 * i] = 1
        if self.repeated > 0:
            planes[:, :, 22] = 1

    # ---- not needed by the rules

    def result_text(self) -> str:
        if self.own & self.lions == 0:
            return f"The lion is caught, {super().result_text()}"
        if self.lead() != 0:
            how = "The lion is across" if self.can_move() else "No move is left"
            return f"{how}, {super().result_text()}"
        if self.repeated >= 2:
            return "Draw by threefold repetition"
        return f"Draw: {counted(self.max_plies, 'move')} without a winner"

    def rules(self) -> str:
        again = """The game is a draw, worth 0 to both, when a position occurs for the third time,
            with the same hands and player to move, and """
        if self.repetition == IGNORED:
            again = "The game is a draw, worth 0 to both, "
        end = reflowed(f"""
            **End.** Who captures the lion wins. So does a player whose lion stands on the far row
            where no piece of the other player can take it, at once or later. A player without any
            move loses. The winner gets 1, the other -1.
            {again}after {counted(self.max_plies, "move")} of both players together.
            """)
        return f"{PIECES}\n\n{end}\n\n{NOTATION}"

    example = Example("""
        b2b3 captures a chick, and attacks the lion
        b4b3 captures the chick with the lion
        C@b2 sets the captured chick before the lion
        b3b2 captures it, but leaves the lion beside another
        b1b2 catches the lion
        """)

    def check(self) -> None:
        """Raises ValueError, saying what is wrong, for what is no position of the game."""
        require_between("max_plies", self.max_plies, 1, 1000)
        require_between("ply", self.ply, 0, self.max_plies)
        require_between("repeated", self.repeated, 0, 2)
        kinds = self.chicks, self.elephants, self.giraffes, self.hens
        for name, cells in zip(FIELDS, (self.own, self.opp, *kinds), strict=True):
            require_between(f"{name}, cells as bits,", cells, 0, ALL)
        if self.own & self.opp:
            raise ValueError("own and opp must not share a cell")
        several = self.chicks | self.elephants | self.giraffes | self.hens
        if sum(cells.bit_count() for cells in kinds) != several.bit_count():
            raise ValueError("every piece must be of one kind: a cell is in two of them")
        if several & ~(self.own | self.opp):
            raise ValueError("chicks, elephants, giraffes and hens must be pieces of own or opp")
        if (self.opp & self.lions).bit_count() != 1 or (self.own & self.lions).bit_count() > 1:
            raise ValueError("each player has a lion, unless that of the player to move is caught")
        require_between("hands", self.hands, 0, 0o5252)
        in_hands = [(self.hands >> 2 * i & 3) + (self.hands >> 2 * i + 6 & 3) for i in range(3)]
        on_board = self.chicks | self.hens, self.elephants, self.giraffes
        for name, cells, held in zip(
            ("chicks", "elephants", "giraffes"), on_board, in_hands, strict=True
        ):
            if cells.bit_count() + held != 2:
                raise ValueError(
                    f"there must be two {name}, on the board (or as hens) and in the hands, "
                    f"not {cells.bit_count() + held}"
                )
        self.check_past()

    def check_past(self) -> None:
        """Raises ValueError unless the history can be that of a game as long."""
        most = min(self.ply + 1, self.max_plies) if self.repetition == DRAW else 0
        if self.history < 0 or self.history >> 64 * most:
            raise ValueError("history does not fit the plies: use after()")
        for i in range(-(-self.history.bit_length() // 64)):
            if not is_key(self.history >> 64 * i & (1 << 64) - 1, (self.ply + i + 1) % 2):
                raise ValueError("history must have the keys of earlier positions: use after()")
        if self.repeated != min(2, occurrences(self.history, self.key)):
            raise ValueError("repeated does not fit the history: use after()")

    def name(self, action: int) -> str:
        """Returns the cells that a piece leaves and enters, "b2b3", or what is dropped: "C@b2".

        A plus follows where a chick becomes a hen: "a3a4+".
        """
        if action >= DROPS:
            return f"{KINDS[(action - DROPS) // 12]}@{self.cell_name(action % 12)}"
        start = action // 8
        end = start + STEPS[action % 8]
        promotes = end < 3 and self.chicks >> start & 1
        return f"{self.cell_name(start)}{self.cell_name(end)}{'+' if promotes else ''}"

    def cell_name(self, cell: int) -> str:
        """Returns column and row, from below, of a cell as the player to move sees it."""
        row, column = divmod(self.seen_by_first(cell), 3)
        return f"{'abc'[column]}{4 - row}"

    def seen_by_first(self, cell: int) -> int:
        """Returns the number that a cell of the player to move has for the first player."""
        return cell if self.to_move == 0 else 11 - cell

    def piece_at(self, cell: int) -> str:
        """Returns the letter on a cell as the first player sees the board, capital for Forest's.

        A dot where there is no piece.
        """
        bit = 1 << self.seen_by_first(cell)
        if not (self.own | self.opp) & bit:
            return "."
        kinds = self.chicks, self.elephants, self.hens, self.giraffes, self.lions
        letter = next(letter for letter, kind in zip(LETTERS, kinds, strict=True) if kind & bit)
        is_first = (self.own & bit != 0) == (self.to_move == 0)
        return letter.upper() if is_first else letter

    def held_by(self, player: int) -> str:
        """Returns the pieces in the hand of a player, such as "CCG", in capitals."""
        held = self.hands if player == self.to_move else self.hands >> 6
        return "".join(KINDS[kind] * (held >> 2 * kind & 3) for kind in range(3))

    def fen(self) -> str:
        """Returns the position as Fairy-Stockfish writes it; it tells nothing of the history."""
        rows = ["".join(self.piece_at(3 * row + i) for i in range(3)) for row in range(4)]
        board = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
        hands = self.held_by(0) + self.held_by(1).lower()
        return f"{board}[{hands or '-'}] {'wb'[self.to_move]} 0 {self.ply // 2 + 1}"

    @classmethod
    def from_fen(cls, fen: str, **parameters: Any) -> AnimalShogi:
        """Reads a position as ``fen`` writes it, whose last fields may be missing.

        Raises ValueError, saying what is allowed, for what is none.
        """
        found = re.fullmatch(FEN, fen.strip())
        if not found:
            raise ValueError(
                "a FEN of animal shogi is like 'gle/1c1/1C1/ELG[-] w 0 1', with the pieces in hand "
                f"in brackets, not {fen[:80]!r}"
            )
        rows = [re.sub("[1-3]", lambda gap: "." * int(gap[0]), row) for row in found[1].split("/")]
        if [len(row) for row in rows] != [3] * 4:
            raise ValueError(f"a board of animal shogi has four rows of three cells: {found[1]!r}")
        second = found[3] == "b"
        ply = 2 * max(int(found[4] or 1) - 1, 0) + second
        return cls(**parameters, **fields_of("".join(rows), found[2], second), ply=ply)

    @classmethod
    def from_text(cls, text: str, **parameters: Any) -> AnimalShogi:
        """Reads a position as ``str`` writes it, without its past; ValueError for what is none."""
        rows = re.findall(r"^\s*[1-4] ((?:[.celhgCELHG] ?){3})\s*$", text, re.MULTILINE)
        hands = [re.search(rf"{name} has ([CEG ]+)", text) for name in cls.side_names]
        if len(rows) != 4:
            raise ValueError(
                f"animal shogi is written in rows such as '4 g l e', not {text[:80]!r}"
            )
        first, second = (found[1].replace(" ", "") if found else "" for found in hands)
        moves = re.search(r"\bafter (\d+) of \d+ moves", text)
        ply = int(moves[1]) if moves else int("Sky to move" in text)
        fields = fields_of("".join(rows).replace(" ", ""), first + second.lower(), ply % 2 == 1)
        return cls(**parameters, **fields, ply=ply)

    def state_space(self) -> int | None:
        """Counts the arrangements of all pieces, with either player to move at any ply."""
        return 2 * arrangements() * self.max_plies

    def __str__(self) -> str:
        rows = [" ".join(self.piece_at(3 * row + i) for i in range(3)) for row in range(4)]
        lines = [f"{4 - i} {row}" for i, row in enumerate(rows)]
        hands = [
            f"{name} has {' '.join(self.held_by(player)) or 'nothing'} in hand"
            for player, name in enumerate(self.side_names)
        ]
        told = self.result_text() if self.is_terminal() else self.turn_text()
        told += f", after {self.ply} of {self.max_plies} moves"
        if self.repeated > 0:
            told += f"; seen {counted(self.repeated, 'time')} before"
        return "\n".join([*lines, "  a b c", *hands, told])


# ---- positions as text, and how many there are


def fields_of(board: str, hands: str, second: bool) -> dict[str, int]:
    """Returns the fields of a position, without its ply: twelve letters, and those of the hands."""
    if any(hands.count(letter) > 2 for letter in KINDS + KINDS.lower()):
        raise ValueError(f"a hand has at most two pieces of a kind, not those of {hands!r}")

    def cells(letters: str) -> int:
        found = sum(1 << cell for cell in range(12) if board[cell] in letters)
        return turned(found) if second else found

    def counted_in(kinds: str) -> int:
        return sum(hands.count(letter) << 2 * kind for kind, letter in enumerate(kinds))

    own, opp = cells(LETTERS.upper()), cells(LETTERS)
    first, other = counted_in(KINDS), counted_in(KINDS.lower())
    if second:
        own, opp, first, other = opp, own, other, first
    kinds = [cells(letters) for letters in ("cC", "eE", "gG", "hH")]
    return dict(zip(FIELDS, (own, opp, *kinds), strict=True)) | {"hands": first | other << 6}


def arrangements() -> int:
    """Counts the ways in which all pieces can be on the board and in hands, one side to move."""
    total = 0
    for giraffes, elephants, chicks in product(range(3), repeat=3):
        cells, ways = 10, 132  # of the lions
        for number, kinds in ((giraffes, 2), (elephants, 2), (chicks, 4)):
            ways *= comb(cells, number) * kinds**number * (3 - number)
            cells -= number
        total += ways
    return total


# ---- the rules in words

PIECES = reflowed("""
    **Goal.** Catch the lion of the other player, or bring your own lion to the far row. The board
    has 4 rows of 3 cells. Player 0, Forest, begins at the bottom with an elephant, a lion and a
    giraffe on row 1 and a chick before the lion; player 1, Sky, has the same on the other side.

    **Moves.** The players take turns, and Forest begins. A move takes one own piece one step to a
    cell that is empty or has a piece of the other player, which is captured and goes into the own
    hand; or it sets a piece from the own hand on any empty cell (a drop). Nobody may pass.

    - A lion goes in any direction, an elephant diagonally, a giraffe ahead, back, left or right.
    - A chick goes straight ahead. On the far row it becomes a hen.
    - A hen goes like a giraffe, or diagonally ahead. Captured, it is a chick again.
    - A chick dropped on the far row stays a chick there, and cannot move.
""")
NOTATION = reflowed("""
    **Notation.** A move is written as the cells from and to, such as `b2b3`, with a plus where a
    chick becomes a hen, `a3a4+`; a drop as the piece and the cell, `C@b2`. A cell is its column's
    letter and its row's number, counted from Forest's side.

    **Board.** C, E, G, H and L are chick, elephant, giraffe, hen and lion of Forest, small letters
    those of Sky, a dot is an empty cell. Below are the hands, who is to move or
    how the game ended, and the number of moves.
""")
