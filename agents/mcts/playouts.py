"""Playouts: how Monte Carlo search finishes a game at random, for any game and faster for some.

A playout is a kernel ``playout(position, worth, seen, room)``. It plays an unfinished position to
its end and writes what that is worth to each player into ``worth``, float64 of shape
(num_players,). Its random numbers come from the state room[0] (see ``chance.py``), which it
advances; room[4:], at least four times as many integers as there are actions, and a few hundred
more, is its to work in. With AMAF bound it also sets seen[player, action] = room[1] for every move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adv_envs import ConnectFour, Hex, Position, TicTacToe
from agents.games.connect_four import playouts as connect_four
from agents.games.hex import playouts as hex

from . import playouts_general as general


def playout_for(position: Position) -> Any:
    """The best playout there is for the game of ``position``, a kernel."""
    if isinstance(position, Hex):
        return hex.bridged
    if isinstance(position, ConnectFour) and connect_four.fits(position):
        return connect_four.decisive
    if isinstance(position, ConnectFour | TicTacToe):
        return general.filling
    return general.uniform


def winning_for(position: Position) -> Callable[[Any], int]:
    """The function that finds a move that wins at once, or answers -1."""
    if isinstance(position, Hex):
        return hex.winning
    if isinstance(position, ConnectFour) and connect_four.fits(position):
        return connect_four.winning
    return general.winning
