"""Reads and writes Go as SGF, game number 1. Source: https://www.red-bean.com/sgf/go.html.

A cell is two letters, its column and its row from the top: the top left is ``aa``. A pass is empty,
or ``tt`` as in old files. KM is the komi, 0 if a file does not say; whole numbers from 100 on are
hundredths, and with a quarter they are Chinese stones of two points: 375 is 7.5. AB and AW are
stones that are there from the start, as those of a handicap, which HA counts; old files have these
as moves, one after another. RU names parameters that are not the usual ones, such as
``superko=False max_plies=100``; other values of RU do not change the rules.

Files know no end of a game and no superko. Where one goes on after two passes, or after the usual
number of plies, or repeats a board, the game is read with ``passes_to_end``, ``max_plies`` or
``superko`` such that its moves are legal: ``SgfGame.start`` says so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from adv_envs.games.go import Go
from adv_envs.literals import literal

from .sgf_nodes import OWN, Cell, Node, Root, SgfError, SgfGame, SgfReader, stones_of, value_of

NUMBER = "1"
"""The number of Go among the games of SGF."""

LETTERS = "abcdefghijklmnopqrs"

PARAMETERS = "superko", "boards", "max_plies", "passes_to_end"
"""What RU may give."""


def root_of(start: Go) -> Root:
    """Writes a file's start; ValueError if it has boards before that a file cannot hold."""
    usual = Go()
    other = [name for name in PARAMETERS if getattr(start, name) != getattr(usual, name)]
    root = {"SZ": [str(start.size)], "KM": [f"{start.komi!r}"]}
    if other:
        root["RU"] = [" ".join(f"{name}={getattr(start, name)}" for name in other)]
    stones = stones_of(start, lambda row, column: LETTERS[column] + LETTERS[row])
    handicap = len(stones.get("AB", ()))
    if handicap > 1 and "AW" not in stones and start.to_move == 1:
        root["HA"] = [str(handicap)]
    root |= stones
    if start != set_up(start, start.stones(0), start.stones(1), start.to_move):
        raise ValueError(
            "SGF holds stones, but not the boards before, which superko forbids: "
            "give the first position, and all actions"
        )
    return root


def set_up(start: Go, black: int, white: int, to_move: int) -> Go:
    """Returns the position with these stones, after as many plies as stones, or one more."""
    ply = black.bit_count() + white.bit_count()
    return start.with_stones(black, white, ply + (ply % 2 != to_move))


def move_of(position: Go, action: int) -> str:
    """Returns how a file writes a move."""
    if action == position.num_stone_actions:
        return ""
    return LETTERS[action % position.size] + LETTERS[action // position.size]


def result_of(end: Go) -> str:
    """Returns the result of a finished game."""
    lead = end.lead()
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead != 0 else "0"


class GoReader(SgfReader):
    """Reads games of Go."""

    own = OWN | {"KM"}

    def __init__(self, nodes: list[Node]) -> None:
        super().__init__(nodes)
        komi, rules = value_of(nodes[0], "KM"), self.properties.get("RU", "")
        try:
            self.empty = Go(self.size, komi_of(komi), **rules_of(rules))
        except (ValueError, TypeError) as error:
            raise SgfError(f"KM[{komi}] RU[{rules}]: {error}") from None

    def read_size(self, root: Node) -> int:
        """Returns the size of the board; 19 if the file does not say."""
        return self.square(root, Go, "19")

    def cells(self, word: str, name: str) -> list[Cell]:
        """Returns the cells that are set up: one, or all of a rectangle, ``aa:cc``."""
        what = f"{name}[{word}]"
        corners = [self.cell(part.strip(), what) for part in word.split(":")]
        if len(corners) > 2:
            raise SgfError(f"{what} is not a cell, nor a rectangle such as aa:cc")
        rows, columns = (sorted((corners[0][i], corners[-1][i])) for i in (0, 1))
        return [
            (i, j) for i in range(rows[0], rows[1] + 1) for j in range(columns[0], columns[1] + 1)
        ]

    def cell(self, word: str, what: str) -> Cell:
        """Returns the cell called ``word``."""
        known = LETTERS[: self.size]
        if len(word) != 2 or word[0] not in known or word[1] not in known:
            raise SgfError(f"{what} is not a cell: aa to {2 * known[-1]}, column and row")
        return known.index(word[1]), known.index(word[0])

    def position(self, black: list[Cell], white: list[Cell], to_move: int | None) -> Go:
        """Returns the position with these stones; White begins after a handicap."""
        stones = [sum(1 << self.empty.bit(*cell) for cell in cells) for cells in (black, white)]
        if to_move is None:
            to_move = 1 if black and not white else 0
        return set_up(self.empty, stones[0], stones[1], to_move)

    def read_move(self, word: str, following: Node, what: str) -> None:
        """Reads a stone, or a pass."""
        action = self.size * self.size
        if word not in ("", "tt", "pass"):
            row, column = self.cell(word, what)
            action = row * self.size + column
            if self.here.cell(row, column) is not None:
                raise SgfError(f"{what} is not legal: there is a stone")
        if not self.here.legal(action):
            self.allow_repetition(action, what)
        self.play(action)

    def take_turn(self, player: int, what: str) -> None:
        """Begins with the stones of a handicap that a file has as moves of Black."""
        handicap = value_of(self.nodes[0], "HA") not in ("", "0", "1")
        if not handicap or player == 1 or len(self.actions) != 1 or self.here.stones(1):
            super().take_turn(player, what)
        self.setup, self.actions = self.stones(), []
        self.start = self.here = self.begin(player)
        if self.comments:
            self.comments = {0: "\n".join(self.comments.values())}

    def game(self) -> SgfGame:
        """Returns the game that the nodes make, all parts of it by the rules of the last one."""
        game = super().game()
        rules = {name: getattr(self.empty, name) for name in PARAMETERS}
        earlier = tuple(replace(part, start=part.start._replace(**rules)) for part in game.earlier)
        return replace(game, earlier=earlier)

    def allow(self, **rules: Any) -> None:
        """Goes on by other rules, which hold for what was played before as well."""
        self.empty, self.start, self.here = (
            position._replace(**rules) for position in (self.empty, self.start, self.here)
        )

    def allow_repetition(self, action: int, what: str) -> None:
        """Goes on by the simple ko rule; SgfError if it does not allow the stone either."""
        self.allow(superko=False)
        self.here = self.start
        for made in self.actions:  # what was captured is kept for superko only
            self.here = self.here.play(made)
        if not self.here.legal(action):
            raise SgfError(f"{what} is not legal: it is suicide, or repeats a board")

    def go_on(self, what: str) -> None:
        """Goes on after passes, and after the usual number of plies."""
        try:
            longer = self.here.extended()
        except ValueError as error:
            raise SgfError(f"{what} comes after the end of the game: {error}") from None
        self.allow(passes_to_end=longer.passes_to_end, max_plies=longer.max_plies)


def komi_of(text: str) -> float:
    """Returns the komi in points; ValueError if it is no number."""
    if re.fullmatch("[0-9]{3,4}", text):  # hundredths
        return int(text) / (50 if int(text) % 50 else 100)
    return float(text.replace(",", ".") or 0)


def rules_of(text: str) -> dict[str, Any]:
    """Returns the parameters of Go that RU names; ValueError for values that they cannot have."""
    found = dict(re.findall(rf"\b({'|'.join(PARAMETERS)})=(\w+)", text))
    return {name: literal(value) for name, value in found.items()}
