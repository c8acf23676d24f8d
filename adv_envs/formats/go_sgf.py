"""Go in SGF files: game number 1. Source: https://www.red-bean.com/sgf/go.html.

A cell is two letters, its column and its row from the top: the top left is ``aa``. A pass is empty,
or ``tt`` as in old files. KM is the komi, 0 if a file does not say; AB and AW are stones that are
there from the start, as those of a handicap, which HA counts. RU names parameters that are not the
usual ones, such as ``superko=False max_plies=100``; other values of RU do not change the rules.
"""

from __future__ import annotations

import re

from adv_envs.games.go import Go

from .sgf_nodes import OWN, Cell, Node, SgfError, SgfReader

NUMBER = "1"
"""The number of Go among the games of SGF."""

LETTERS = "abcdefghijklmnopqrs"

PARAMETERS = "superko", "boards", "max_plies"
"""What RU may give."""


def root_of(start: Go) -> dict[str, list[str]]:
    """What a file says of the start; ValueError if it has boards before that a file cannot hold."""
    usual = Go()
    other = [name for name in PARAMETERS if getattr(start, name) != getattr(usual, name)]
    root = {"SZ": [str(start.size)], "KM": [f"{start.komi!r}"]}
    if other:
        root["RU"] = [" ".join(f"{name}={getattr(start, name)}" for name in other)]
    black, white = (
        [
            LETTERS[column] + LETTERS[row]
            for row in range(start.size)
            for column in range(start.size)
            if start.cell(row, column) == player
        ]
        for player in (0, 1)
    )
    root |= ({"AB": black} if black else {}) | ({"AW": white} if white else {})
    if len(black) > 1 and not white and start.to_move == 1:
        root["HA"] = [str(len(black))]
    if black or white or start.to_move == 1:
        root["PL"] = ["BW"[start.to_move]]
    if start != set_up(start, start.stones(0), start.stones(1), start.to_move):
        raise ValueError(
            "SGF holds stones, but not the boards before, which superko forbids: "
            "give the first position, and all actions"
        )
    return root


def set_up(start: Go, black: int, white: int, to_move: int) -> Go:
    """The position with these stones, after as many plies as stones, or one more."""
    ply = black.bit_count() + white.bit_count()
    return start.with_stones(black, white, ply + (ply % 2 != to_move))


def move_of(position: Go, action: int) -> str:
    """How a file writes a move."""
    if action == position.num_stone_actions:
        return ""
    return LETTERS[action % position.size] + LETTERS[action // position.size]


def result_of(end: Go) -> str:
    """The result of a finished game."""
    lead = end.lead()
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead != 0 else "0"


class GoReader(SgfReader):
    """Reads games of Go."""

    own = OWN | {"KM"}

    def __init__(self, root: Node, encoding: str) -> None:
        super().__init__(root, encoding)
        komi = self.text(root["KM"][0]).strip() if "KM" in root else "0"
        rules = dict(
            re.findall(r"\b(superko|boards|max_plies)=(\w+)", self.properties.get("RU", ""))
        )
        superko = rules.get("superko", "True") == "True"
        boards, max_plies = rules.get("boards", Go().boards), rules.get("max_plies", 0)
        try:
            self.empty = Go(self.size, float(komi), superko, int(boards), int(max_plies))
        except ValueError as error:
            raise SgfError(f"KM[{komi}] RU[{self.properties.get('RU', '')}]: {error}") from None

    def read_size(self, root: Node) -> int:
        """The size of the board; 19 if the file does not say."""
        return self.square(root, Go, "19")

    def cells(self, word: str, name: str) -> list[Cell]:
        """The cells that are set up: one, or all of a rectangle, ``aa:cc``."""
        corners = [self.cell(part, f"{name}[{word}]") for part in word.split(":")[:2]]
        (top, left), (bottom, right) = corners[0], corners[-1]
        return [(i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)]

    def cell(self, word: str, what: str) -> Cell:
        """The cell called ``word``."""
        known = LETTERS[: self.size]
        if len(word) != 2 or word[0] not in known or word[1] not in known:
            raise SgfError(f"{what} is not a cell: aa to {2 * known[-1]}, column and row")
        return known.index(word[1]), known.index(word[0])

    def begin(self, to_move: int | None) -> Go:
        """End the set-up and begin the game from the stones that were set up."""
        stones = [0, 0]
        for cell, player in self.setup.items():
            stones[player] |= 1 << self.empty.bit(*cell)
        to_move = to_move if self.to_move is None else self.to_move
        if to_move is None:  # White begins after a handicap
            to_move = 1 if stones[0] and not stones[1] else 0
        try:
            return set_up(self.empty, stones[0], stones[1], to_move)
        except ValueError as error:
            raise SgfError(f"the stones that are set up: {error}") from None

    def read_move(self, word: str, following: Node, what: str) -> None:
        """A stone, or a pass."""
        action = self.size * self.size
        if word and not (word == "tt" and self.size < 20):
            row, column = self.cell(word, what)
            action = row * self.size + column
        if not self.here.legal(action):
            there = self.here.cell(row, column) is not None
            why = "there is a stone" if there else "it is suicide, or repeats a board"
            raise SgfError(f"{what} is not legal: {why}")
        self.play(action)
