"""Encodes what a network sees: positions as planes, and its actions as positions name them.

The planes are those that the player to move observes, then the game's ``Features``, then one that
is 0 for the first player and 1 for the second. Their memory is (n, height, width, planes), which
is what PyTorch calls channels last. In Hex the board is transposed for the second player, so that
both join top and bottom, and what is learnt for one is known for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import unpack_row
from adv_envs.jit import kernel
from agents.knowledge import knowledge_of

Words = NDArray[np.int64]
"""Positions, shape (n, num_words), as ``adv_envs.bits.pack`` writes them."""

Floats = NDArray[np.float32]

OBSERVED, PLAYER = 0, True
"""How many planes the player observes, and whether the last one is of the player; bound by the
encoder."""


def add_features(position: Any, planes: Any, first: int) -> None:
    """Writes nothing; the features of the game are bound in its place."""


def image(position: Any, i: int) -> Any:
    """Returns the position itself; the symmetries of the game are bound in its place."""
    return position


def image_action(position: Any, action: int, i: int) -> int:
    """Returns the action itself; as ``image``."""
    return action


@kernel
def write_planes(position: Position, planes: Floats) -> None:
    """Writes what the network sees of one position into ``planes``, before it is mirrored."""
    planes[...] = 0.0
    position.observe(position.to_move, planes[..., :OBSERVED])
    add_features(position, planes, OBSERVED)
    if PLAYER:
        planes[..., -1] = position.to_move


@kernel
def write_samples(
    start: Position,
    words: Words,
    images: NDArray[np.int64],
    policies: Floats,
    planes: Floats,
    targets: Floats,
) -> None:
    """Writes planes and the policies to learn, both for one image of each position.

    ``images`` (n,) are the numbers of the images; ``policies`` and ``targets`` are (n,
    num_actions), ``planes`` (n, *shape).
    """
    for i in range(words.shape[0]):
        position = unpack_row(start, words, i)
        write_planes(image(position, images[i]), planes[i])
        targets[i] = 0.0
        for action in range(policies.shape[1]):
            if policies[i, action] > 0.0:  # actions that are not legal need not have an image
                targets[i, image_action(position, action, images[i])] = policies[i, action]


class Encoder:
    """Encodes positions of the game of ``start`` for a network, see the module.

    ``features`` says whether the game's planes of features are used, ``player`` whether the plane
    of the player is, ``mirrored`` whether boards are transposed (None: as is best for the game).
    ``shape`` is that of one position, (height, width, planes), or (numbers,) without a board.
    """

    def __init__(
        self,
        start: Position,
        features: bool = True,
        player: bool = True,
        mirrored: bool | None = None,
    ) -> None:
        self.start: Any = start.start()
        known, self.player = knowledge_of(self.start), player
        self.features = known.features(self.start) if features and known.features else None
        self.mirrored = bool(known.transposed_sides) if mirrored is None else mirrored
        *sizes, observed = self.start.observation_shape
        planes = observed + player + (len(self.features.names) if self.features else 0)
        self.shape = *sizes, planes
        symmetries = known.symmetries
        self.num_images = 1 if symmetries is None else symmetries.num_images(self.start)
        self.bindings: dict[str, Any] = {"OBSERVED": observed, "PLAYER": player}
        if self.features is not None:
            self.bindings["add_features"] = self.features.write
        images: dict[str, Any] = {}
        if symmetries is not None:
            images["image"] = symmetries.whole_image or symmetries.image
            images["image_action"] = symmetries.image_action
        self._write = write_planes.bind_used(**self.bindings)
        self._samples = write_samples.bind_used(**self.bindings, **images)

    def inputs(self, positions: Sequence[Position]) -> Floats:
        """Returns what the network sees of the positions, (n, *shape), without compiling."""
        planes = np.empty((len(positions), *self.shape), np.float32)
        for row, position in zip(planes, positions, strict=True):
            self._write.plain(position, row)
        return self.mirror(planes, np.array([position.to_move for position in positions]))

    def observed(self, observations: Floats, players: NDArray[np.int64]) -> Floats:
        """Returns the same of what ``players`` (n,) observe, for networks without features."""
        planes = np.empty((len(players), *self.shape), np.float32)
        planes[..., : observations.shape[-1]] = observations
        if self.player:
            planes[..., -1] = players.reshape(-1, *[1] * (len(self.shape) - 1))
        return self.mirror(planes, players)

    def samples(
        self, words: Words, images: NDArray[np.int64], policies: Floats
    ) -> tuple[Floats, Floats]:
        """Returns inputs, and policies by the network's actions, for images (n,) of positions."""
        planes = np.empty((len(words), *self.shape), np.float32)
        targets = np.empty_like(policies)
        self._samples(self.start, words, images, policies, planes, targets)
        players = self.players_in(planes)
        return self.mirror(planes, players), self.mirror_actions(targets, players)

    def players_in(self, planes: Floats) -> Floats:
        """Returns who is to move in each, (n,), by the plane of the player."""
        return planes.reshape(len(planes), -1)[:, -1]

    def mirror(self, planes: Floats, players: NDArray[Any]) -> Floats:
        """Returns planes, those of the second player transposed in place where that is used."""
        if self.mirrored:
            second = players == 1
            planes[second] = planes[second].swapaxes(1, 2)
        return planes

    def mirror_actions(self, outputs: Floats, players: NDArray[Any]) -> Floats:
        """Returns the network's outputs (n, num_actions) by the actions of positions, or back.

        Cells come first: in Hex the swap of the pie rule comes after them.
        """
        if self.mirrored:
            size, second = self.start.height, players == 1
            cells = outputs[second, : size * size].reshape(-1, size, size)
            outputs[second, : size * size] = cells.swapaxes(1, 2).reshape(-1, size * size)
        return outputs


encoder_for = lru_cache(maxsize=64)(Encoder)
"""Returns the encoder of its arguments, the same one again."""
