"""Computes the exact exploitability of games whose trees are too large to be written down.

A policy of such a game is one array for each player, in which each information set has a row of
probabilities, one for each legal action. Which row is whose, and how a best response is found
without the tree, only the game knows: its record has a ``LargeGame`` (``Knowledge.large_game``).
``policy_array`` fills the array by whatever answers many observations at once, as networks do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.position import checked
from agents.knowledge import knowledge_of

Floats = NDArray[np.float64]

CHUNK = 1 << 15
"""Information sets that are shown at once."""

BatchAnswer = Callable[[NDArray[Any], NDArray[np.bool_]], Any]
"""Weights (n, num_actions) of actions, from observations (n, *observation_shape), of the type that
environments give, and masks (n, num_actions)."""

Progress = Callable[[int], None]
"""``progress(done)``: how many information sets have been asked about."""


class SetChunk(NamedTuple):
    """Shows some information sets of one player, as environments show them."""

    observations: NDArray[Any]
    """(n, *observation_shape), of the smallest type that holds them."""
    masks: NDArray[np.bool_]
    """(n, num_actions): which actions are legal."""
    rows: NDArray[np.int64]
    """(n,): where the row of each set begins in the array of a policy."""


class LargeGame(Protocol):
    """Describes a game of two players to those who need no tree."""

    @property
    def start(self) -> Position:
        """Returns the position with which the game begins, whose parameters it has."""

    def num_sets(self, player: int) -> int:
        """Returns how many information sets with a choice a player has."""

    def num_slots(self, player: int) -> int:
        """Returns how long the array of a policy of a player is."""

    def chunks(self, player: int) -> Iterator[SetChunk]:
        """Yields all information sets of a player with a choice."""

    def best_value(self, player: int, policy: Floats) -> float:
        """Returns the most that ``player`` can expect against the other's ``policy``, an array."""


def large_game(start: Position) -> LargeGame | None:
    """Returns how the game of a position, from its start, is handled without its tree; else None.

    ValueError for what a player sees of a position.
    """
    start = checked(start, whole=True).start()
    known = knowledge_of(start).large_game
    return None if known is None else known(start)


def policy_array(
    game: LargeGame, player: int, answer: BatchAnswer, progress: Progress | None = None
) -> Floats:
    """Returns a policy of a player, asked about every information set with a choice.

    Weights of illegal actions do not count. ValueError where no legal action has a weight above 0,
    or one has a negative one.
    """
    array, done = np.zeros(game.num_slots(player)), 0
    for chunk in game.chunks(player):
        told = np.asarray(answer(chunk.observations, chunk.masks), np.float64)
        weights = np.where(chunk.masks, told, 0.0)
        sums = weights.sum(axis=1, keepdims=True)
        if not (weights >= 0).all() or not (sums > 0).all() or not np.isfinite(sums).all():
            raise ValueError("a policy gives probabilities, at least 0, not all 0")
        weights /= sums
        number = chunk.masks.sum(axis=1)
        begins = np.cumsum(number) - number
        places = np.repeat(chunk.rows - begins, number) + np.arange(number.sum())
        array[places] = weights[chunk.masks]
        done += len(number)
        if progress is not None:
            progress(done)
    return array


def best_values(game: LargeGame, policies: Sequence[Floats]) -> tuple[float, float]:
    """Returns the most that each player can expect against the policy of the other.

    Half of the sum is the exploitability of the ``policies``: what they expect cancels out, as one
    player wins what the other loses.
    """
    return game.best_value(0, policies[1]), game.best_value(1, policies[0])


def uniform_answer(observations: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Answers that every legal action is as likely."""
    return np.asarray(masks / masks.sum(axis=1, keepdims=True), np.float64)
