"""States: our positions, dressed as the boards that code written against the book looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import Any

from adv_envs.notation import IllegalMove
from adv_envs.position import CHANCE, Board, Position

Move = Any
"""A square (x, y) on a board, elsewhere a name."""


def illegal(move: Move, legal: Iterable[Move]) -> IllegalMove:
    """The error for ``move`` where only ``legal`` is allowed."""
    choices = ", ".join(map(str, legal))
    return IllegalMove(
        f"{move!r} is not a legal move; {f'legal: {choices}' if choices else 'the game is over'}"
    )


class State:
    """A position as the book's code sees it: hashable, equal by content, with ``to_move``."""

    __slots__ = ("_choices", "position")
    empty, off = ".", "#"

    def __init__(self, position: Position) -> None:
        self.position = position
        self._choices: dict[Move, int] | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in our order 0, 1, ..."""
        number = self.position.num_players
        return ("MAX", "MIN") if number == 2 else tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:number])

    @property
    def to_move(self) -> str:
        """The name of the player to move."""
        if self.position.to_move == CHANCE:
            raise NotImplementedError("games of chance cannot be played through adv_envs.aima")
        return self.players[self.position.to_move]

    @property
    def choices(self) -> dict[Move, int]:
        """The legal moves, each with our number for it; none when the game is over."""
        if self._choices is None:
            self._choices = {self.spell(a): a for a in self.position.legal_actions()}
        return self._choices

    @property
    def moves(self) -> list[Move]:
        """The legal moves, in our order."""
        return list(self.choices)

    @property
    def utility(self) -> float:
        """What the game was worth to the first player; 0 while it goes on."""
        return self.position.utility(0) if self.position.is_terminal() else 0

    def spell(self, action: int) -> Move:
        """Our action as a move of the book."""
        return self.position.name(action)

    def action(self, move: Move) -> int:
        """A move, its name, or an action number as our legal action; else IllegalMove."""
        if isinstance(move, tuple | str) and move in self.choices:
            return self.choices[move]
        if isinstance(move, Integral) and move in self.choices.values():
            return int(move)
        if isinstance(move, str):
            return self.position.action(move)
        raise illegal(move, self.moves)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.position == other.position

    def __hash__(self) -> int:
        return hash(self.position)

    def __repr__(self) -> str:
        return str(self.position)


class BoardState(State, Mapping[tuple[int, int], str]):
    """A state that is a board: a mapping from the squares (x, y) with a stone to "X" and "O"."""

    __slots__ = ()
    position: Board

    @property
    def players(self) -> tuple[str, ...]:
        """The marks of the stones; "X" begins."""
        return tuple(self.position.symbols)

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.position.width

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.position.height

    @property
    def board(self) -> dict[tuple[int, int], str]:
        """The stones as a dict of one's own."""
        return dict(self)

    def spell(self, action: int) -> Move:
        """The square where the stone comes to rest, of a cell (row by row) or of a column."""
        board = self.position
        if action < board.num_stone_actions == board.width * board.height:
            return action % board.width, action // board.width
        if action < board.num_stone_actions == board.width:
            stones = board.own | board.opp
            return action, max(
                row for row in range(board.height) if not stones >> board.bit(row, action) & 1
            )
        return board.name(action)

    def __getitem__(self, square: tuple[int, int]) -> str:
        x, y = square
        if not (0 <= x < self.width and 0 <= y < self.height):
            return self.off
        owner = self.position.cell(y, x)
        return self.empty if owner is None else self.position.symbols[owner]

    def __contains__(self, square: object) -> bool:
        if not (isinstance(square, tuple) and len(square) == 2):
            return False
        return self[square] not in (self.empty, self.off)

    def get(self, square: Any, default: Any = None) -> Any:
        """The stone on ``square``, or ``default`` where there is none."""
        mark = self[square]
        return default if mark in (self.empty, self.off) else mark

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for y, row in enumerate(self.position.rows()):
            yield from ((x, y) for x, mark in enumerate(row) if mark != self.empty)

    def __len__(self) -> int:
        return (self.position.own | self.position.opp).bit_count()
