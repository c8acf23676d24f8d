"""Defines the textbook's games: states, games, how they are played (AIMA, section 5.1).

A ``State`` is a position as the book's code sees it, a ``Game`` has the functions of the section,
and ``play_game`` plays one with a strategy for each player. Games of chance are a
``StochasticGame``, as in games.py.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from adv_envs import registry
from adv_envs.notation import IllegalMove
from adv_envs.position import CHANCE, Board, Position, checked

__all__ = [
    "BoardState",
    "Chance",
    "Game",
    "State",
    "StochasticGame",
    "play_game",
    "player",
    "query_player",
    "random_player",
    "seeded_random_player",
]

Move = Any
"""A square (x, y) on a board, elsewhere a name."""


def illegal(move: Move, legal: Iterable[Move]) -> IllegalMove:
    """Returns the error for ``move`` where only ``legal`` is allowed."""
    choices = ", ".join(map(str, legal))
    return IllegalMove(
        f"{move!r} is not a legal move; {f'legal: {choices}' if choices else 'the game is over'}"
    )


class Chance(NamedTuple):
    """Represents an uncertain event, such as the result of a die."""

    name: str
    """Its usual name; empty for the certain event that nothing happens."""
    actions: tuple[int, ...]
    """Our numbers for what happens, one after the other."""
    probability: float

    def __str__(self) -> str:
        return self.name


class State:
    """Represents a position as the book's code sees it: hashable, equal by content."""

    __slots__ = ("_choices", "position")
    empty, off = ".", "#"

    def __init__(self, position: Position) -> None:
        self.position = position
        self._choices: dict[Move, int] | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """Returns the names of the players, in our order 0, 1, ..."""
        number = self.position.num_players
        return ("MAX", "MIN") if number == 2 else tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:number])

    @property
    def to_move(self) -> str:
        """Returns the name of the player to move, or "CHANCE"."""
        player = self.position.to_move
        return "CHANCE" if player == CHANCE else self.players[player]

    @property
    def chances(self) -> list[Chance]:
        """Returns what may happen before a player moves: the certain event without chance."""
        return list(_chances(self.position, Chance("", (), 1.0)))

    @property
    def choices(self) -> dict[Move, int]:
        """Returns the legal moves, each with our number for it; none when the game is over."""
        if self._choices is None:
            self._choices = {self.spell(a): a for a in self.position.legal_actions()}
        return self._choices

    @property
    def moves(self) -> list[Move]:
        """Returns the legal moves, in our order."""
        return list(self.choices)

    @property
    def utility(self) -> float:
        """Returns what the game was worth to the first player; 0 while it goes on."""
        return self.position.utility(0) if self.position.is_terminal() else 0

    def spell(self, action: int) -> Move:
        """Returns our action as a move of the book."""
        return self.position.name(action)

    def action(self, move: Move) -> int:
        """Returns a move, its name, or an action number as our legal action; else IllegalMove."""
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


def _chances(position: Position, before: Chance) -> Iterator[Chance]:
    """Yields the events that begin with ``before``, until a player moves or the game ends."""
    if position.is_terminal() or position.to_move != CHANCE:
        yield before
        return
    for action in position.legal_actions():
        name = f"{before.name} {position.name(action)}".strip()
        probability = before.probability * position.probability(action)
        event = Chance(name, (*before.actions, action), probability)
        yield from _chances(position.play(action), event)


class BoardState(State, Mapping[tuple[int, int], str]):
    """Represents a board: a mapping from the squares (x, y) with a stone to "X" and "O"."""

    __slots__ = ()
    position: Board

    @property
    def players(self) -> tuple[str, ...]:
        """Returns the marks of the stones; "X" begins."""
        return tuple(self.position.symbols)

    @property
    def width(self) -> int:
        """Counts the columns of the board."""
        return self.position.width

    @property
    def height(self) -> int:
        """Counts the rows of the board."""
        return self.position.height

    @property
    def board(self) -> dict[tuple[int, int], str]:
        """Returns the stones as a dict of one's own."""
        return dict(self)

    def spell(self, action: int) -> Move:
        """Returns the square where the stone comes to rest, of a cell (by rows) or of a column."""
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
        """Returns the stone on ``square``, or ``default`` where there is none."""
        mark = self[square]
        return default if mark in (self.empty, self.off) else mark

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for y, row in enumerate(self.position.rows()):
            yield from ((x, y) for x, mark in enumerate(row) if mark != self.empty)

    def __len__(self) -> int:
        return (self.position.own | self.position.opp).bit_count()


# ---- games

Strategy = Callable[["Game", Any], Move]
"""A player: from the game and the state to a move."""


class Game:
    """Defines a game as in section 5.1: its start, who moves, legal moves, results, utilities.

    ``Game(position)`` is any game of ours without chance, from that position on. A game of one's
    own is a subclass as in the book: set ``initial``, define ``actions``, ``result`` and
    ``utility`` and, where "no actions" will not do, ``is_terminal`` (in older code
    ``terminal_test``; either serves for both). ValueError for positions with chance, for which
    there is ``StochasticGame``, and of games in which players do not see everything.
    """

    initial: Any

    def __init__(self, position: Position | None = None) -> None:
        position = None if position is None else checked(position)
        if position is not None and position.has_chance and not isinstance(self, StochasticGame):
            raise ValueError(f"{type(position).__name__} is a game of chance: use StochasticGame")
        if position is not None and not position.perfect_information:
            raise ValueError(
                f"in {type(position).__name__} players do not see everything, and chapter 5 of the "
                "book searches games of perfect information"
            )
        if isinstance(position, Board):
            self.initial = BoardState(position)
            self.squares = {(x, y) for x in range(position.width) for y in range(position.height)}
        elif position is not None:
            self.initial = State(position)

    def __init_subclass__(cls) -> None:
        """Lets the test for the end answer to both its names, whichever a subclass defines."""
        super().__init_subclass__()
        defined = {"is_terminal", "terminal_test"} & vars(cls).keys()
        if defined == {"terminal_test"}:
            cls.is_terminal = cls.terminal_test  # type: ignore[method-assign]
        elif defined == {"is_terminal"}:
            cls.terminal_test = cls.is_terminal

    def __repr__(self) -> str:
        """Returns the name of the game in angle brackets, as games.py does."""
        return f"<{type(self).__name__}>"

    def to_move(self, state: Any) -> Any:
        """Returns the player whose turn it is."""
        return self.known(state).to_move

    def actions(self, state: Any) -> Any:
        """Returns the legal moves."""
        return self.known(state).moves

    def result(self, state: Any, move: Move) -> Any:
        """Returns the state that a move leads to."""
        here = self.known(state)
        return type(here)(here.position.play(here.action(move)))

    def known(self, state: Any) -> Any:
        """Returns ``state``; TypeError for one of games.py, such as the letter of a node."""
        if isinstance(state, State) or not isinstance(getattr(self, "initial", None), State):
            return state
        raise TypeError(
            f"{state!r} is no state of adv_envs.aima; states as in games.py belong to the games of "
            "adv_envs.aima.games_py"
        )

    def is_terminal(self, state: Any) -> bool:
        """Returns whether the game is over, by our rules or because there are no ``actions``."""
        state = self.known(state)
        if isinstance(state, State) and not state.choices:
            return True
        return not self.actions(state)

    terminal_test = is_terminal

    def utility(self, state: Any, player: Any) -> float:
        """Returns the utility of a finished game for ``player``; 0 while it goes on.

        ValueError if no player has this name.
        """
        state = self.known(state)
        if not state.position.is_terminal():
            return 0
        if player not in state.players:
            raise ValueError(f"no player is called {player!r}: they are {state.players}")
        utility: float = state.position.utility(state.players.index(player))
        return utility

    def display(self, state: Any) -> None:
        """Prints the state, as games.py does."""
        print(self.known(state))

    def play_game(self, *players: Strategy) -> float:
        """Plays a game, a strategy for each player in order; returns the first one's utility."""
        state = play_game(self, _InOrder(players))
        self.display(state)
        return self.utility(state, self.to_move(self.initial))


class StochasticGame(Game):
    """Defines a game with chance: an uncertain event before each move of a player.

    ``StochasticGame(position)`` is any game of ours. In a game of one's own define ``chances``,
    ``outcome`` and ``probability`` too.
    """

    def chances(self, state: Any) -> Sequence[Any]:
        """Returns the events that are possible at a state."""
        found: list[Chance] = state.chances
        return found

    def outcome(self, state: Any, chance: Any) -> Any:
        """Returns the state after an event."""
        position = state.position
        for action in chance.actions:
            position = position.play(action)
        return type(state)(position)

    def probability(self, chance: Any) -> float:
        """Returns the probability of an event."""
        found: float = chance.probability
        return found


def after_chance(game: Game, state: Any, verbose: bool = False) -> Any:
    """Returns the state after an event drawn at random; the same one in games without chance."""
    if not isinstance(game, StochasticGame) or game.is_terminal(state):
        return state
    chances = list(game.chances(state))
    chance = random.choices(chances, [game.probability(chance) for chance in chances])[0]
    if verbose and str(chance):
        print("Chance:", chance)
    return game.outcome(state, chance)


class _InOrder(dict[Any, Strategy]):
    """Returns strategies by player: who moves for the first time gets the next strategy."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        super().__init__()
        self.strategies = strategies

    def __missing__(self, player: Any) -> Strategy:
        if len(self) == len(self.strategies):
            raise KeyError(player)
        self[player] = self.strategies[len(self)]
        return self[player]


def play_game(game: Game, strategies: Mapping[Any, Strategy], verbose: bool = False) -> Any:
    """Plays a game to its end with ``strategies``, as in ``{"X": random_player, "O": ...}``.

    Returns the final state; ``verbose`` prints every move. ``random.seed`` decides what chance
    does. Raises IllegalMove, which names the move, or ValueError for a missing strategy.
    """
    state = after_chance(game, game.initial, verbose)
    while not game.is_terminal(state):
        player = game.to_move(state)
        try:
            strategy = strategies[player]
        except KeyError:
            given = ", ".join(map(repr, strategies)) or "nobody"
            raise ValueError(
                f"no strategy for {player!r}, who is to move: only for {given}"
            ) from None
        move = strategy(game, state)
        if isinstance(state, State):
            move = state.spell(state.action(move))
        if move not in (legal := list(game.actions(state))):
            raise illegal(move, legal)
        state = game.result(state, move)
        if verbose:
            print("Player", player, "move:", move)
            print(state)
        state = after_chance(game, state, verbose)
    return state


# ---- players


def player(search: Callable[[Game, Any], tuple[float, Move]]) -> Strategy:
    """Returns the player that makes the move found by ``search``."""

    def searching_player(game: Game, state: Any) -> Move:
        """Returns the move found by a search."""
        return search(game, state)[1]

    return searching_player


def random_player(game: Game, state: Any) -> Move:
    """Returns any legal move; ``random.seed`` decides which. See ``seeded_random_player``."""
    return random.choice(list(game.actions(state)))


def seeded_random_player(seed: int) -> Strategy:
    """Returns a random player with a generator of its own: the same seed makes the same choices."""
    generator = random.Random(seed)
    return lambda game, state: generator.choice(list(game.actions(state)))


def query_player(game: Game, state: Any) -> Move:
    """Asks at the terminal until a legal move is entered; EOFError if the user quits.

    A move may be written as it is, (1, 1) or 1 1, by its name, b2, or as our number for it, 4 (not
    where names are numbers). "q" quits.
    """
    readings = _readings(game, state)
    legal = "legal moves: " + ", ".join(_name(state, move) for move in game.actions(state))
    game.display(state)
    print(legal)
    while True:
        try:
            text = input(f"Your move, {game.to_move(state)} (q to leave)? ")
        except EOFError:
            raise EOFError("the game is not over, but there is no more input to play it") from None
        if _plain(text) in readings:
            return readings[_plain(text)]
        if _plain(text) in ("q", "quit"):
            raise EOFError(f"{game.to_move(state)} left the game")
        print(f"Sorry, {text.strip()!r} cannot be played here; {legal}")


def _name(state: Any, move: Move) -> str:
    return state.position.name(state.action(move)) if isinstance(state, State) else str(move)


def _readings(game: Game, state: Any) -> dict[str, Move]:
    """Returns the legal moves by every way to write them; the move as it is comes first."""
    moves = list(game.actions(state))
    readings = {_plain(str(move)): move for move in moves}
    for move in moves:
        name = _plain(_name(state, move))
        readings.setdefault(name, move)
        if isinstance(state, State) and not name.isdigit():
            readings.setdefault(str(state.action(move)), move)
    return readings


def _plain(text: str) -> str:
    """Returns ``text`` without punctuation: "(1, 1)" is "1 1"."""
    return " ".join(re.sub(r"[,()]", " ", text.lower()).split())


# ---- the games of the registry under the names of the book


@functools.cache
def game_class(name: str) -> type[Game]:
    """Returns the class of a registered game, such as that of "tic_tac_toe": ``TicTacToe(3, 3)``.

    Its arguments are the parameters of the game, which are attributes too. ValueError, which lists
    the games, for another name.
    """
    rules = registry.game(name)
    base = StochasticGame if rules().has_chance else Game

    def initialise(self: Game, *args: Any, **kwargs: Any) -> None:
        given = dict(zip(rules.parameters, args, strict=False)) | kwargs
        if len(args) > len(rules.parameters) or not given.keys() <= set(rules.parameters):
            known = ", ".join(rules.parameters)
            raise TypeError(f"{rules.__name__} takes these parameters: {known}")
        position = rules(**given)
        base.__init__(self, position)
        for parameter in rules.parameters:
            setattr(self, parameter, getattr(position, parameter))

    body = {"__init__": initialise, "__doc__": rules.__doc__, "__module__": "adv_envs.aima"}
    return type(rules.__name__, (base,), body)


def class_names() -> dict[str, str]:
    """Returns the names of the game classes, and the registered names of their games."""
    return {registry.game(name).__name__: name for name in registry.GAMES}
