"""Reads and writes Hex as SGF, game number 11. Source: https://www.red-bean.com/sgf/hex.html.

The pie rule has two forms, and old programs write one for the other; the colour that moves next
tells which was meant. ``swap-pieces`` mirrors the stone and Black moves: that is the swap of
``Hex(swap=True)``. ``swap-sides`` leaves the board as it is and White moves, the players having
changed seats: ``SgfGame.sides_swapped`` says so, and the game goes on.

Files of Little Golem have no game number, and their W is the first player: the one who connects top
and bottom, PB, and B in RE. So is White wherever the second move of a game that White begins is a
swap. Otherwise White may begin a set-up, as in puzzles, and connects left and right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from adv_envs.games.hex import Hex

from .sgf_nodes import Cell, Node, Root, SgfError, SgfReader, stones_of, value_of

# ---- set-ups: positions from stones alone, as puzzles and other programs describe them
#
# In a game that began with the empty board, the numbers of stones tell whose turn it is. In a
# puzzle they need not: it may show one black stone among ten white ones, with White to move. Rules
# and searches go on from there all the same, since neither counts stones.


COLOURS = "black", "white"
"""The names of player 0, who connects top and bottom, and of player 1 in other programs."""


def set_up(
    size: int,
    black: Iterable[Cell],
    white: Iterable[Cell],
    to_move: int | None = None,
    swap: bool = False,
) -> Hex:
    """Returns the position with these stones and with player ``to_move`` to move.

    Any set of stones is allowed. If a game can reach them, this is the position of that game;
    otherwise it is one without the swap. By default the player with fewer stones is to move, Black
    if both have equally many, and the loser in a won position. Raises ValueError for cells off the
    board, for two stones in a cell, and if the winner would be to move.
    """
    start = Hex(size, swap)
    cells = [_checked(start, black), _checked(start, white)]
    if both := cells[0] & cells[1]:
        name = start.cell_name(*min(both))
        raise ValueError(f"{name} cannot hold a black and a white stone at once")
    stones = [sum(1 << start.bit(*cell) for cell in own) for own in cells]
    plain = Hex(size, False, stones[0], stones[1], 0, 0, False, 0)
    joined = [plain.joined_stones(player) for player in (0, 1)]
    winner = next((player for player in (0, 1) if plain.joins(joined[player], player)), None)
    if to_move is None:
        to_move = int(len(cells[0]) > len(cells[1])) if winner is None else 1 - winner
    if to_move == winner:
        raise ValueError(f"{COLOURS[winner]} has won: {COLOURS[1 - winner]} is to move, not they")
    placed = len(cells[0]) + len(cells[1])
    ply = placed + (placed % 2 != to_move)  # one more than stones, as where somebody has swapped
    swap = swap and (ply != 1 or len(cells[0]) == 1)  # at ply 1 there is a black stone to take over
    own, opp = (0, 1) if to_move == 0 else (1, 0)
    return Hex(
        size, swap, stones[own], stones[opp], joined[own], joined[opp], winner is not None, ply
    )


def stones(position: Hex, player: int) -> list[Cell]:
    """Returns the cells with stones of ``player``, row by row."""
    return position.cells_in(position.stones(player))


def turned(position: Hex, player: int) -> Hex:
    """Returns the same stones with ``player`` to move; ValueError if ``player`` has won."""
    if position.to_move == player:
        return position
    return set_up(position.size, stones(position, 0), stones(position, 1), player, position.swap)


def _checked(start: Hex, cells: Iterable[Cell]) -> set[Cell]:
    found = set(cells)
    for row, column in found:
        if not (0 <= row < start.size and 0 <= column < start.size):
            last = start.cell_name(start.size - 1, start.size - 1)
            raise ValueError(f"row {row}, column {column} is off the board, which ends at {last}")
    return found


NUMBER = "11"
"""The number of Hex among the games of SGF."""


def root_of(start: Hex) -> Root:
    """Writes a file's start: the stones and whose turn it is, if not an empty board."""
    root = {"SZ": [str(start.size)]} | ({"RU": ["swap"]} if start.swap else {})
    return root | stones_of(start, start.cell_name)


def move_of(position: Hex, action: int) -> str:
    """Returns how a file writes a move."""
    return "swap-pieces" if action == position.num_stone_actions else position.name(action)


def result_of(end: Hex) -> str:
    """Returns the result of a finished game."""
    return "WB"[end.to_move] + "+"


SWAPS = "swap", "swap-pieces", "swap-sides"
"""How files write that the pie rule is applied."""


def words_of(nodes: list[Node], names: tuple[str, ...] = ("B", "W")) -> list[tuple[str, str]]:
    """Returns the (property, value) of every move, or of other properties, in lower case."""
    return [
        (name, value.decode().strip().lower())
        for node in nodes
        for name in names
        for value in node.get(name, [])
    ]


def has_no_set_up(nodes: list[Node]) -> bool:
    """Returns whether a game begins with the empty board, and nothing says whose turn it is."""
    return not any(node.keys() & {"AB", "AW", "PL"} for node in nodes)


def is_hex(nodes: list[Node]) -> bool:
    """Returns whether a file without a game number is of Hex, and not of Go.

    Its event says so, somebody swaps, cells are all written like c4, or White begins and resigns,
    or begins on Little Golem.
    """
    moves = words_of(nodes)
    words = [word for _, word in moves + words_of(nodes, ("AB", "AW"))]
    source = value_of(nodes[0], "SO").lower() + value_of(nodes[0], "AP").lower()
    if value_of(nodes[0], "EV").lower().startswith("hex") or "hexworld" in source:
        return True
    if any(word in SWAPS for word in words):
        return True
    if len(words) > 1 and all(re.fullmatch("[a-z][0-9]{1,2}", word) for word in words):
        return True
    first = bool(moves) and moves[0][0] == "W" and has_no_set_up(nodes)
    return first and (words[-1] == "resign" or "littlegolem" in source)


class HexReader(SgfReader):
    """Reads games of Hex."""

    def __init__(self, nodes: list[Node]) -> None:
        super().__init__(nodes)
        moves = words_of(nodes)
        if moves and moves[0][0] == "W" and has_no_set_up(nodes):
            swapped = len(moves) > 1 and moves[1][0] == "B" and moves[1][1] in SWAPS
            if swapped or not value_of(nodes[0], "GM"):
                self.colours = "WB"

    def read_size(self, root: Node) -> int:
        """Returns the size of the board."""
        return self.square(root, Hex)

    def swap(self) -> bool:
        """Returns whether the pie rule is in force."""
        return bool(re.search("swap|pie", self.properties.get("RU", ""), re.IGNORECASE))

    def cells(self, word: str, name: str) -> list[Cell]:
        """Returns the cell that is set up."""
        return [self.cell(word, name)]

    def cell(self, word: str, name: str) -> Cell:
        """Returns the cell called ``word``: "c4", or "cd" as on Little Golem."""
        match = re.fullmatch(r"([a-z])(?:([1-9]\d?)|([a-z]))", word)
        row, column = -1, -1
        if match is not None:
            row = int(match[2]) - 1 if match[2] else ord(match[3]) - ord("a")
            column = ord(match[1]) - ord("a")
        if not (0 <= row < self.size and 0 <= column < self.size):
            last = Hex(self.size).cell_name(self.size - 1, self.size - 1)
            where = f"move {len(self.actions) + 1}: " if name in "BW" else ""
            raise SgfError(f"{where}{name}[{word}] is not a cell: a1 to {last}")
        return row, column

    def position(self, black: list[Cell], white: list[Cell], to_move: int | None) -> Hex:
        """Returns the position with these stones."""
        return set_up(self.size, black, white, to_move, self.swap())

    def read_move(self, word: str, following: Node, what: str) -> None:
        """Reads a stone, or the swap in one of its forms."""
        if word in SWAPS:
            self.swap_players(word, following, what)
            return
        row, column = self.cell(word, self.colours[self.here.to_move])
        if self.here.cell(row, column) is not None:
            raise SgfError(f"{what} is not legal: there is a stone")
        self.play(row * self.size + column)

    def swap_players(self, word: str, following: Node, what: str) -> None:
        """Applies the pie rule in the form that fits the next move."""
        here = self.here
        if here.ply != 1 or len(self.actions) != 1 or self.sides_swapped:
            raise SgfError(f"{what} is not legal: White may swap for the first stone, or never")
        black, white = self.colours[0], self.colours[1]
        if white in following or (black not in following and word == "swap-sides"):
            self.sides_swapped = True
            return
        self.start = self.here = Hex(self.size, True)
        stone, self.actions = self.actions, []
        for action in [*stone, here.num_stone_actions]:
            self.play(action)
