"""Playouts: how Monte Carlo search finishes a game at random, for any game and faster for some.

A playout is a kernel ``playout(position, worth, seen, room)``. It plays an unfinished position to
its end and writes what that is worth to each player into ``worth``, float64 of shape
(num_players,). Its random numbers come from the state room[0] (see ``adv_envs.random``), which it
advances; room[4:], at least four times as many integers as there are actions, and a few hundred
more, is its to work in. With AMAF bound it also sets seen[player, action] = room[1] for every move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.jit import kernel
from adv_envs.random import advanced, below, chance_action, fraction
from agents.knowledge import knowledge_of

MAX_PLIES = 10_000
"""A playout that is longer is worth 0 to everybody."""

RANDOM, STAMP = range(2)
SCRATCH = 4

AMAF = False
"""Whether moves are noted for RAVE; bound by the agent."""

TRIES = 6
"""How often a random action is drawn before the legal ones are counted."""


def rolled(position: Any, state: int) -> int:
    """The action that the dice choose; bound where there are dice."""
    return 0


def by_probability(position: Any, state: int) -> int:
    """What ``rolled`` stands for in games with dice."""
    return chance_action(position, fraction(state))


@kernel
def uniform(position, worth, seen, room):  # type: ignore[no-untyped-def]
    """Random moves, each legal one as likely as the others."""
    state, plies = int(room[RANDOM]), 0
    while plies < MAX_PLIES and not position.is_terminal():
        state = advanced(state)
        mover, number = position.to_move, position.num_actions
        if mover == CHANCE:
            action = rolled(position, state)
        else:
            action = below(state, number)
            tries = 1
            while tries < TRIES and not position.legal(action):
                state = advanced(state)
                action = below(state, number)
                tries += 1
            if tries == TRIES and not position.legal(action):
                state = advanced(state)
                action = any_legal(position, state)
            if AMAF:
                seen[mover, action] = room[STAMP]
        position = position.play(action)
        plies += 1
    room[RANDOM] = state
    for player in range(worth.shape[0]):
        worth[player] = position.utility(player) if plies < MAX_PLIES else 0.0


def any_legal(position: Any, state: int) -> int:
    """A random legal action, found by counting them."""
    number = 0
    for action in range(position.num_actions):
        number += position.legal(action)
    number = below(state, number)
    for action in range(position.num_actions):
        if position.legal(action):
            if number == 0:
                return action
            number -= 1
    return 0


@kernel
def filling(position, worth, seen, room):  # type: ignore[no-untyped-def]
    """``uniform``, for boards that fill up: an action gets illegal by being played, if at all.

    The legal actions are listed once, so that none is drawn in vain: twice as fast. No dice.
    """
    state, left = int(room[RANDOM]), 0
    for action in range(position.num_actions):
        room[SCRATCH + left] = action
        left += position.legal(action)
    while not position.is_terminal():
        state = advanced(state)
        at = SCRATCH + below(state, left)
        action = room[at]
        if AMAF:
            seen[position.to_move, action] = room[STAMP]
        position = position.play(action)
        if not position.legal(action):
            left -= 1
            room[at] = room[SCRATCH + left]
    room[RANDOM] = state
    for player in range(worth.shape[0]):
        worth[player] = position.utility(player)


@kernel
def decisive(position, worth, seen, room):  # type: ignore[no-untyped-def]
    """``uniform``, but whoever can win at once does.

    Source: Teytaud and Teytaud, On the huge benefit of decisive moves in MCTS, 2010.
    """
    state, plies = int(room[RANDOM]), 0
    while plies < MAX_PLIES and not position.is_terminal():
        state = advanced(state)
        if position.to_move == CHANCE:
            action = rolled(position, state)
        else:
            action = winning(position)
            if action < 0:
                action = any_legal(position, state)
            if AMAF:
                seen[position.to_move, action] = room[STAMP]
        position = position.play(action)
        plies += 1
    room[RANDOM] = state
    for player in range(worth.shape[0]):
        worth[player] = position.utility(player) if plies < MAX_PLIES else 0.0


@kernel
def winning(position):  # type: ignore[no-untyped-def]
    """An action that ends the game with all that the player to move can get; -1: there is none."""
    mover, most = position.to_move, position.max_utility
    for action in range(position.num_actions):
        if position.legal(action):
            after = position.play(action)
            if after.is_terminal() and after.utility(mover) >= most:
                return action
    return -1


# ---- which playout for which game


def playout_for(position: Position) -> Any:
    """The playout kernel for the game of ``position``: its own, or the general one."""
    own = knowledge_of(position).playout
    return (own(position) if own is not None else None) or uniform


def winning_for(position: Position) -> Callable[[Any], int]:
    """The function that finds a move that wins at once, or answers -1."""
    own = knowledge_of(position).winning_move
    found: Callable[[Any], int] = (own(position) if own is not None else None) or winning
    return found
