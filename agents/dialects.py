"""Describes how other programs write a game: in the Go text protocol (GTP) and in UCI.

Both protocols leave the moves to the game, so a game's record in ``agents.knowledge`` has a
``GtpGame`` and, where programs play it by UCI, a ``UciGame``: a few small functions. The protocols
themselves, in ``agents.protocols``, are the same for all games. The defaults of ``GtpGame`` do for
any game of two players: moves have the names that the game gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from adv_envs.position import Position
from adv_envs.registry import name_of, parameters_of


def game_settings(position: Position) -> Sequence[str]:
    """Returns the command for a game and its unusual parameters: "set_game tic_tac_toe width=4"."""
    usual = parameters_of(type(position)())
    shown = [f"{k}={v}" for k, v in parameters_of(position).items() if v != usual[k]]
    return [" ".join(["set_game", name_of(position), *shown])]


def start_of_size(start: Position, width: int, height: int) -> Position:
    """Returns the start of the same game on another board; ValueError if it has none of that size.

    The size is in the parameters ``size``, or ``width`` and ``height``, of most games.
    """
    sizes = {"size": width, "width": width, "height": height}
    named = {name: sizes[name] for name in start.parameters if name in sizes}
    kept = {name: getattr(start, name) for name in start.parameters}
    if named and (width == height or "size" not in named):
        return type(start)(**{**kept, **named})
    size = getattr(start, "width", width), getattr(start, "height", height)
    if named or size != (width, height):
        raise ValueError(f"{name_of(start)} has no board of {width} x {height}")
    return start


def not_turned(position: Position, player: int) -> Position:
    """Raises ValueError: in most games the players cannot move out of turn."""
    raise ValueError("it is the other player's turn")


@dataclass(frozen=True, kw_only=True)
class GtpGame:
    """Describes a game in GTP: how it is set up, how moves are written, what the end is.

    A word that the other side sends arrives in lower case.
    """

    name: str = ""
    """The name of the game for the command ``set_game``, such as "Othello", which is sent to the
    programs that know it; "": the settings below say which game it is."""
    colours: tuple[str, str] = ("black", "white")
    """The names of player 0 and player 1."""
    settings: Callable[[Any], Sequence[str]] = game_settings
    """``settings(position)``: commands that say which game is played, before ``clear_board``, such
    as "boardsize 9" and "komi 7.5". A program that rejects one cannot play this game."""
    vertex: Callable[[Any, int], str | None] = lambda position, action: position.name(action)
    """``vertex(position, action)``: how a move is written, such as "d4" or "pass"; "" for one that
    programs make by themselves and are not told; None for one in which programs differ, who are
    shown the position that it leads to instead."""
    action: Callable[[Any, str], int] = lambda position, name: position.action(name)
    """``action(position, word)``: the legal action that is written so, or IllegalMove."""
    set_up: Callable[[Any, Collection[str]], Sequence[str] | None] | None = None
    """``set_up(position, known)``: commands that lead from the empty board to the position, for a
    program that knows the commands ``known``; None if there are none. Without it, or where it
    returns None, a line of moves that leads from the start to the position is searched for."""

    resized: Callable[[Any, int, int], Any] = start_of_size
    """``resized(start, width, height)``: the start on a board of that size; ValueError if there is
    none."""
    with_komi: Callable[[Any, float], Any] | None = None
    """``with_komi(position, komi)``: the same position of the game in which White has these points
    from the start; ValueError for points that the game does not know. None: nothing is counted, and
    every komi is accepted."""
    turned: Callable[[Any, int], Any] = not_turned
    """``turned(position, player)``: the same stones with that player to move, for a player who
    moves out of turn, as handicaps and set-ups are entered; ValueError if that cannot be."""
    resumed: Callable[[Any], Any] | None = None
    """``resumed(position)``: a finished position in which players go on who do not agree about it;
    ValueError if that cannot be. None: an end is an end."""
    fixed_handicap: Callable[[Any, int], Sequence[int]] | None = None
    """``fixed_handicap(start, count)``: the usual cells, as actions, of so many stones, 2 to
    ``most_handicap(start)``."""
    most_handicap: Callable[[Any], int] = lambda start: 0
    """``most_handicap(start)``: for how many stones there are usual cells; below 2: for none."""
    with_handicap: Callable[[Any, Collection[int]], Any] | None = None
    """``with_handicap(start, actions)``: the start with these stones, the other player to move.
    None: there are no handicaps, nor the three commands for them."""
    groups: Callable[[Any], Sequence[Sequence[int]]] | None = None
    """``groups(position)``: the cells, as actions, of each group of stones of a finished game, all
    of which count as alive. None: the game has nothing like that."""
    score: Callable[[Any], str] | None = None
    """``score(position)``: the result of a finished game with its points, such as "W+3.5"; None:
    "B+", "W+", or "0" for a draw."""
    moves_left: Callable[[Any], float] = lambda position: 20.0
    """``moves_left(position)``: how many more moves a player may expect to make, who shares the
    time of a game among them."""
    board: Callable[[Any], str] = str
    """``board(position)``: the board as text."""


@dataclass(frozen=True, kw_only=True)
class UciGame:
    """Describes a game in UCI: a position is a text, the FEN; moves are like e2e4 or e7e8q."""

    variant: Callable[[Any], str]
    """``variant(position)``: what the option ``UCI_Variant`` calls the game, such as "chess" or
    "breakthrough"; ValueError, which says which boards have one, for others."""
    fen: Callable[[Any], str]
    """``fen(position)``: the position as text, in six fields as in chess."""
    from_fen: Callable[[Any, str], Any]
    """``from_fen(start, text)``: the position of the same game that a FEN describes; ValueError
    says what is wrong with the text."""
    move: Callable[[Any, int], str] = lambda position, action: position.name(action)
    """``move(position, action)``: how a move is written."""
    action: Callable[[Any, str], int] = lambda position, name: position.action(name)
    """``action(position, word)``: the legal action that is written so, or IllegalMove."""
    resumed: Callable[[Any, Any], Any] = lambda start, position: position
    """``resumed(start, position)``: the position in a game that goes on, where the rules of
    ``start`` end it and interfaces do not: a draw that a player would have to claim, for example.
    Where they do not end it, it is a position of the game of ``start``."""
    centipawns: float = 100.0
    """What 1 of the game's evaluations is in hundredths of a pawn, for ``info score cp``."""
