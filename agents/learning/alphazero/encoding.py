"""What a network sees: positions as planes, and its actions as positions name them.

The planes are those that the player to move observes, then the game's ``Features``, then one that
is 0 for the first player and 1 for the second. Their memory is (n, height, width, planes), which
is what PyTorch calls channels last. In Hex the board is transposed for the second player, so that
both join top and bottom, and what is learnt for one is known for the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.bits import unpack_row
from adv_envs.jit import Kernel, kernel
from adv_envs.position import Board
from agents.knowledge import Features, knowledge_of

Words = NDArray[np.int64]
"""Positions, shape (n, num_words), as ``adv_envs.bits.pack`` writes them."""

OBSERVED, PLANES = 0, 0
"""How many planes the player observes, and how many there are in all; bound by the encoder."""


def add_features(position: Any, planes: Any, first: int) -> None:
    """Writes nothing; the features of the game are bound in its place."""


def transpose_for_second(position: Any, planes: Any) -> None:
    """Leaves the planes as they are; ``transpose`` is bound where the game is mirrored."""


def transpose(position: Any, planes: Any) -> None:
    """Transposes all planes if the second player is to move."""
    if position.to_move == 1:
        for row in range(planes.shape[0]):
            for column in range(row):
                for plane in range(planes.shape[2]):
                    held = planes[row, column, plane]
                    planes[row, column, plane] = planes[column, row, plane]
                    planes[column, row, plane] = held


def output_of(position: Any, action: int) -> int:
    """Returns the number that an action has for the network; ``transposed`` may be bound."""
    return action


def transposed(position: Board, action: int) -> int:
    """Returns the action on the transposed board, if the second player is to move."""
    cells = position.height * position.width
    if position.to_move != 1 or action >= cells:
        return action
    return action % position.width * position.height + action // position.width


def image(position: Any, i: int) -> Any:
    """Returns the position itself; the symmetries of the game are bound in its place."""
    return position


def image_action(position: Any, action: int, i: int) -> int:
    """Returns the action itself; as ``image``."""
    return action


def write_planes(position: Any, planes: Any) -> None:
    """Writes what the network sees of one position into ``planes`` (*shape, PLANES)."""
    planes[...] = 0.0
    position.observe(position.to_move, planes[..., :OBSERVED])
    add_features(position, planes, OBSERVED)
    planes[..., PLANES - 1] = position.to_move
    transpose_for_second(position, planes)


@kernel
def write_inputs(start: Position, words: Words, planes: NDArray[np.float32]) -> None:
    """Writes what the network sees of each position into ``planes`` (n, *shape, PLANES)."""
    for i in range(words.shape[0]):
        write_planes(unpack_row(start, words, i), planes[i])


@kernel
def write_samples(
    start: Position,
    words: Words,
    images: NDArray[np.int64],
    policies: NDArray[np.float32],
    planes: NDArray[np.float32],
    targets: NDArray[np.float32],
) -> None:
    """Writes inputs and the policies to learn, both for one image of each position.

    ``images`` (n,) are the numbers of the images, ``policies`` (n, num_actions) is by action, and
    ``targets`` of the same shape as the network numbers them.
    """
    for i in range(words.shape[0]):
        position = unpack_row(start, words, i)
        seen = image(position, images[i])
        write_planes(seen, planes[i])
        targets[i] = 0.0
        for action in range(policies.shape[1]):
            if policies[i, action] > 0.0:  # actions that are not legal need not have an image
                there = image_action(position, action, images[i])
                targets[i, output_of(seen, there)] = policies[i, action]


class Encoder:
    """How positions of the game of ``start`` are shown to a network, see the module.

    ``features`` says whether the game's planes of features are used; ``shape`` is that of one
    position, (height, width, planes), or (numbers,) where there is no board.
    """

    def __init__(self, start: Position, features: bool = True) -> None:
        self.start = start.start()
        self.features = features_of(self.start) if features else None
        self.mirrored = is_mirrored(self.start)
        *sizes, observed = self.start.observation_shape
        planes = observed + 1 + (len(self.features.names) if self.features else 0)
        self.shape = *sizes, planes
        known = knowledge_of(self.start).symmetries
        self.num_images = 1 if known is None else known.num_images(self.start)
        self.bindings: dict[str, Any] = {"OBSERVED": observed, "PLANES": planes}
        if self.features is not None:
            self.bindings["add_features"] = self.features.write
        if self.mirrored:
            self.bindings |= {"transpose_for_second": transpose, "output_of": transposed}
        images: dict[str, Any] = {}
        if known is not None:
            images = {"image": known.whole_image or known.image, "image_action": known.image_action}
        self._inputs: Kernel[..., None] = write_inputs.bind_used(**self.bindings)
        self._samples: Kernel[..., None] = write_samples.bind_used(**self.bindings, **images)

    def inputs(self, words: Words) -> NDArray[np.float32]:
        """Returns what the network sees of the positions, (n, *shape)."""
        planes = np.empty((len(words), *self.shape), np.float32)
        self._inputs(self.start, words, planes)
        return planes

    def samples(
        self, words: Words, images: NDArray[np.int64], policies: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns inputs and target policies for images (n,) of the positions."""
        planes = np.empty((len(words), *self.shape), np.float32)
        targets = np.empty_like(policies)
        self._samples(self.start, words, images, policies, planes, targets)
        return planes, targets


def features_of(start: Position) -> Features | None:
    """Returns the game's features for networks, None if it has none."""
    known = knowledge_of(start).features
    return None if known is None else known(start)


def is_mirrored(start: Position) -> bool:
    """Returns whether networks see the board transposed for the second player."""
    return bool(knowledge_of(start).transposed_sides)
