"""Hex in SGF files: game number 11. Source: https://www.red-bean.com/sgf/hex.html.

The pie rule has two forms, and old programs write one for the other; the colour that moves next
tells which was meant. ``swap-pieces`` mirrors the stone and Black moves: that is the swap of
``Hex(swap=True)``. ``swap-sides`` leaves the board as it is and White moves, the players having
changed seats: ``SgfGame.sides_swapped`` says so, and the game goes on.
"""

from __future__ import annotations

import re

from adv_envs.games.hex import Hex

from .hex_setup import set_up, stones
from .sgf_nodes import Cell, Node, SgfError, SgfReader

NUMBER = "11"
"""The number of Hex among the games of SGF."""


def root_of(start: Hex) -> dict[str, list[str]]:
    """What a file says of the start: the stones and whose turn it is, if not an empty board."""
    root = {"SZ": [str(start.size)]} | ({"RU": ["swap"]} if start.swap else {})
    for player, name in ((0, "AB"), (1, "AW")):
        if cells := stones(start, player):
            root[name] = [start.cell_name(*cell) for cell in cells]
    if root.keys() & {"AB", "AW"} or start.to_move == 1:
        root["PL"] = ["BW"[start.to_move]]
    return root


def move_of(position: Hex, action: int) -> str:
    """How a file writes a move."""
    return "swap-pieces" if action == position.num_stone_actions else position.name(action)


def result_of(end: Hex) -> str:
    """The result of a finished game."""
    return "WB"[end.to_move] + "+"


class HexReader(SgfReader):
    """Reads games of Hex."""

    def read_size(self, root: Node) -> int:
        """The size of the board."""
        return self.square(root, Hex)

    def swap(self) -> bool:
        """Whether the pie rule is in force."""
        return bool(re.search("swap|pie", self.properties.get("RU", ""), re.IGNORECASE))

    def cells(self, word: str, name: str) -> list[Cell]:
        """The cell that is set up."""
        return [self.cell(word, name)]

    def cell(self, word: str, name: str) -> Cell:
        """The cell called ``word``: "c4", or "cd" as on Little Golem."""
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

    def begin(self, to_move: int | None) -> Hex:
        """End the set-up and begin the game from the stones that were set up."""
        cells: list[list[Cell]] = [[], []]
        for cell, player in self.setup.items():
            cells[player].append(cell)
        to_move = to_move if self.to_move is None else self.to_move
        try:
            return set_up(self.size, cells[0], cells[1], to_move, self.swap())
        except ValueError as error:
            raise SgfError(f"the stones that are set up: {error}") from None

    def read_move(self, word: str, following: Node, what: str) -> None:
        """A stone, or the swap in one of its forms."""
        if word in ("swap", "swap-pieces", "swap-sides"):
            self.swap_players(word, following, what)
            return
        row, column = self.cell(word, "BW"[self.here.to_move])
        if self.here.cell(row, column) is not None:
            raise SgfError(f"{what} is not legal: there is a stone")
        self.play(row * self.size + column)

    def swap_players(self, word: str, following: Node, what: str) -> None:
        """Apply the pie rule in the form that fits the next move."""
        here = self.here
        if here.ply != 1 or len(self.actions) != 1 or self.sides_swapped:
            raise SgfError(f"{what} is not legal: White may swap for the first stone, or never")
        if "W" in following or ("B" not in following and word == "swap-sides"):
            self.sides_swapped = True
            return
        self.start = self.here = Hex(self.size, True)
        first, self.actions = self.actions, []
        for action in [*first, here.num_stone_actions]:
            self.play(action)
