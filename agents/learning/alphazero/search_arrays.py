"""The arrays that the compiled steps of a search share, for all its games at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import num_words
from agents.mcts.playouts import SCRATCH, Workspace

from .encoding import Words

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]
Games = NDArray[np.int64]
"""One number for each game, (games,)."""


class Trees(NamedTuple):
    """The trees of all games; node 0 of each is the root."""

    words: Words
    """(games, nodes, num_words): the position of each node."""
    to_move: NDArray[np.int8]
    """(games, nodes): who is to move there."""
    values: Floats
    """(games, nodes): the network's value, or the exact one."""
    exact: NDArray[np.bool_]
    """(games, nodes): whether the value is exact: the game is over, or a move wins at once."""
    logits: Floats
    """(games, nodes, actions): logarithms of the network's probabilities; -inf: illegal."""
    visits: Integers
    """(games, nodes, actions): simulations that took the action."""
    totals: Floats
    """(games, nodes, actions): the sum of their values."""
    children: Integers
    """(games, nodes, actions): the node after the action; 0: not seen yet."""
    policy: NDArray[np.float64]
    """(actions,): a workspace, for the improved policy of one node."""


class Evaluations(NamedTuple):
    """The network's evaluations that are kept, by position, and the requests for new ones."""

    keys: Words
    """(entries, num_words + 1): positions; the last number is 1 where there is an entry."""
    logits: Floats
    """(entries, actions): as in ``Trees``."""
    values: Floats
    """(entries,)"""
    waiting: Games
    """(games,): the numbers of the games whose new nodes wait for the network."""
    planes: Floats
    """(games, *shape): the network's inputs for them."""
    workspace: Workspace
    """What ``winning_move`` needs."""


class Considered(NamedTuple):
    """The actions that are considered at the roots, and the simulations that each game has."""

    logits: Floats
    """(games, actions): logits with Gumbel noise; -inf: not considered."""
    visits_in_turn: Integers
    """(games, simulations): how many visits an action must have to be tried next."""
    budgets: Games
    """(games,): simulations."""


class Paths(NamedTuple):
    """The way of one simulation down each tree."""

    steps: Integers
    """(games, nodes, 2): the node and the action of each step."""
    depths: Games
    """(games,): the number of steps; 0: there was no simulation."""
    leaves: Games
    """(games,): the node that it led to."""


def new_trees(position: Position, games: int, nodes: int) -> Trees:
    """Returns the arrays of trees of at most ``nodes`` nodes."""
    shape = games, nodes, position.num_actions
    return Trees(
        words=np.zeros((games, nodes, num_words(position)), np.int64),
        to_move=np.zeros((games, nodes), np.int8),
        values=np.zeros((games, nodes), np.float32),
        exact=np.zeros((games, nodes), np.bool_),
        logits=np.zeros(shape, np.float32),
        visits=np.zeros(shape, np.int32),
        totals=np.zeros(shape, np.float32),
        children=np.zeros(shape, np.int32),
        policy=np.zeros(position.num_actions),
    )


def new_evaluations(
    position: Position, games: int, shape: tuple[int, ...], entries: int
) -> Evaluations:
    """Returns room for ``entries`` evaluations, a power of two, and for a request of each game.

    ``shape`` is that of the network's inputs for one position.
    """
    return Evaluations(
        keys=np.zeros((entries, num_words(position) + 1), np.int64),
        logits=np.zeros((entries, position.num_actions), np.float32),
        values=np.zeros(entries, np.float32),
        waiting=np.zeros(games, np.int64),
        planes=np.zeros((games, *shape), np.float32),
        workspace=np.zeros(SCRATCH + position.num_actions + num_words(position) + 8, np.int64),
    )


def new_paths(games: int, nodes: int) -> Paths:
    """Returns room for a path of at most ``nodes`` nodes in each game."""
    return Paths(
        steps=np.zeros((games, nodes, 2), np.int32),
        depths=np.zeros(games, np.int64),
        leaves=np.zeros(games, np.int64),
    )
