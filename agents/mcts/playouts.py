"""Finishes games at random, for Monte Carlo search: any game, and faster for some.

A playout is a kernel ``playout(position, values, played, workspace)``. It plays an unfinished
position to its end and writes the utility of each player into ``values``, float64 of shape
(num_players,). Its random numbers come from the state workspace[RANDOM] (see ``adv_envs.random``),
which it advances. With AMAF bound it also sets played[player, action] = workspace[STAMP] for every
move, int64 of shape (num_players, num_actions). workspace[SCRATCH:], int64, is its own: at least
four times as many elements as there are actions, and a few hundred more.
"""

from __future__ import annotations

from collections.abc import Callable
from math import tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.jit import Kernel, kernel
from adv_envs.random import advanced, below, chance_action, fraction
from agents.knowledge import knowledge_of

MAX_PLIES = 10_000
"""A playout that is longer counts as 0 for everybody."""

RANDOM, STAMP, USED, DEEPEST, SCRATCH = range(5)
"""The elements of the workspace: the state of the random numbers, the number of the simulation, the
number of nodes in use, the depth of the deepest leaf, and from SCRATCH on, what playouts use."""

Workspace = NDArray[np.int64]
Values = NDArray[np.float64]
"""The value of a position for each player, shape (num_players,)."""

Played = NDArray[np.int64]
"""The last simulation in which a player made a move, shape (num_players, num_actions)."""

Playout = Callable[..., None]
"""``playout(position, values, played, workspace)``, a kernel."""

AMAF = False
"""Whether moves are noted for all-moves-as-first statistics; bound by the agent."""

TRIES = 6
"""How often a random action is drawn before the legal ones are counted."""


def next_by_chance(position: Position, state: int) -> int:
    """Returns the action of chance; ``draw_chance`` is bound where chance may be to move."""
    return 0


def draw_chance(position: Position, state: int) -> int:
    """Returns an action of chance, drawn by its probability."""
    return chance_action(position, fraction(state))


def draw_legal(position: Position, state: int, workspace: Workspace) -> int:
    """Returns a random legal action, found by listing or counting them."""
    if position.lists_legal:
        scratch = workspace[SCRATCH:]
        return int(scratch[below(state, position.write_legal(scratch))])
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
def uniform(position: Position, values: Values, played: Played, workspace: Workspace) -> None:
    """Plays random moves, each legal one as likely as the others."""
    state, plies = int(workspace[RANDOM]), 0
    while plies < MAX_PLIES and not position.is_terminal():
        state = advanced(state)
        to_move, number = position.to_move, position.num_actions
        if to_move == CHANCE:
            action = next_by_chance(position, state)
        else:
            action = below(state, number)
            tries = TRIES if position.lists_legal else 1
            while tries < TRIES and not position.legal(action):
                state = advanced(state)
                action = below(state, number)
                tries += 1
            if tries == TRIES and (position.lists_legal or not position.legal(action)):
                state = advanced(state)
                action = draw_legal(position, state, workspace)
            if AMAF:
                played[to_move, action] = workspace[STAMP]
        position = position.play(action)
        plies += 1
    workspace[RANDOM] = state
    for player in range(values.shape[0]):
        values[player] = position.utility(player) if plies < MAX_PLIES else 0.0


@kernel
def filling(position: Position, values: Values, played: Played, workspace: Workspace) -> None:
    """Plays as ``uniform`` on boards that fill up: an action becomes illegal only by being played.

    The legal actions are listed once, so that none is drawn in vain: twice as fast. No chance.
    """
    state, left = int(workspace[RANDOM]), 0
    for action in range(position.num_actions):
        workspace[SCRATCH + left] = action
        left += position.legal(action)
    while not position.is_terminal():
        state = advanced(state)
        at = SCRATCH + below(state, left)
        action = workspace[at]
        if AMAF:
            played[position.to_move, action] = workspace[STAMP]
        position = position.play(action)
        if not position.legal(action):
            left -= 1
            workspace[at] = workspace[SCRATCH + left]
    workspace[RANDOM] = state
    for player in range(values.shape[0]):
        values[player] = position.utility(player)


@kernel
def decisive(position: Position, values: Values, played: Played, workspace: Workspace) -> None:
    """Plays as ``uniform``, but a player who can win at once does.

    Source: Teytaud and Teytaud, On the huge benefit of decisive moves in MCTS, 2010.
    """
    state, plies = int(workspace[RANDOM]), 0
    while plies < MAX_PLIES and not position.is_terminal():
        state = advanced(state)
        if position.to_move == CHANCE:
            action = next_by_chance(position, state)
        else:
            action = winning_move(position, workspace)
            if action < 0:
                action = draw_legal(position, state, workspace)
            if AMAF:
                played[position.to_move, action] = workspace[STAMP]
        position = position.play(action)
        plies += 1
    workspace[RANDOM] = state
    for player in range(values.shape[0]):
        values[player] = position.utility(player) if plies < MAX_PLIES else 0.0


@kernel
def winning_move(position: Position, workspace: Workspace) -> int:
    """Returns an action that ends the game with the highest utility there is; -1: there is none."""
    to_move, most, listed = position.to_move, position.max_utility, position.lists_legal
    number = position.write_legal(workspace[SCRATCH:]) if listed else position.num_actions
    for i in range(number):
        action = int(workspace[SCRATCH + i]) if listed else i
        if listed or position.legal(action):
            after = position.play(action)
            if after.is_terminal() and after.utility(to_move) >= most:
                return action
    return -1


# ---- an evaluation in place of a playout


def evaluate(position: Position) -> float:
    """Returns the evaluation of a leaf for the player to move; another is bound in its place."""
    return 0.0


@kernel
def evaluate_statically(
    position: Position, values: Values, played: Played, workspace: Workspace
) -> None:
    """Writes an evaluation in place of a playout, scaled between the worst and the best utility.

    Where chance is to move, it is that of a random one of the positions after it.
    """
    while position.to_move == CHANCE and not position.is_terminal():
        workspace[RANDOM] = advanced(int(workspace[RANDOM]))
        position = position.play(next_by_chance(position, int(workspace[RANDOM])))
    if position.is_terminal():
        for player in range(values.shape[0]):
            values[player] = position.utility(player)
        return
    value = position.max_utility * tanh(evaluate(position))
    values[position.to_move], values[1 - position.to_move] = value, -value


# ---- which playout for which game


def playout_for(position: Position) -> Playout:
    """Returns the playout kernel for the game of ``position``: its own, or the general one."""
    own = knowledge_of(position).playout
    return (own(position) if own is not None else None) or uniform


def winning_move_for(position: Position) -> Callable[[Any, Any], int]:
    """Returns the function that finds a move that wins at once: the game's, or the general one."""
    own = knowledge_of(position).winning_move
    return (own(position) if own is not None else None) or winning_move


def bound_playout(playout: Playout, amaf: bool, chance: bool) -> Playout:
    """Returns a playout kernel for games with chance or without, that notes moves or does not."""
    if not isinstance(playout, Kernel):
        return playout
    return playout.bind_used(AMAF=amaf, **({"next_by_chance": draw_chance} if chance else {}))
