"""The latest samples of self-play."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs.bits import num_words

from .encoding import Encoder
from .self_play import Samples


class Replay:
    """A ring of at most ``size`` samples."""

    def __init__(self, encoder: Encoder, size: int) -> None:
        actions = encoder.start.num_actions
        self.encoder, self.size, self.added = encoder, size, 0
        self.words = np.zeros((size, num_words(encoder.start)), np.int64)
        self.policies = np.zeros((size, actions), np.float32)
        self.weights, self.values = np.zeros(size, np.float32), np.zeros(size, np.float32)

    def add(self, samples: Samples) -> None:
        """Keeps samples, each in the place of the oldest."""
        number = len(samples.values)
        at = (self.added + np.arange(number)) % self.size
        for array, new in zip(self._arrays(), samples, strict=True):
            array[at] = new
        self.added += number

    def batch(
        self, number: int, window: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], ...]:
        """Returns inputs, policies, weights and values of random samples of the last ``window``.

        Each is seen in a random image of the game's symmetries.
        """
        available = min(window, self.size, self.added)
        at = (self.added - 1 - rng.integers(0, available, number)) % self.size
        images = rng.integers(0, self.encoder.num_images, number)
        inputs, policies = self.encoder.samples(self.words[at], images, self.policies[at])
        return inputs, policies, self.weights[at], self.values[at]

    def state(self) -> dict[str, Any]:
        """Returns the samples, as tensors."""
        import torch

        kept = min(self.added, self.size)
        arrays = [torch.from_numpy(array[:kept]) for array in self._arrays()]
        return {"added": self.added, "arrays": arrays}

    def restore(self, state: dict[str, Any]) -> None:
        """Takes over what ``state`` returned."""
        self.added = state["added"]
        for array, tensor in zip(self._arrays(), state["arrays"], strict=True):
            array[: len(tensor)] = tensor.numpy()

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.words, self.policies, self.weights, self.values
