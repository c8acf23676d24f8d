"""The network of AlphaZero."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from adv_envs import Position
from agents.networks.checkpoint import CheckpointError, checkpoint_path, load_checkpoint
from agents.networks.pytorch import load_torch, save_torch

from .encoding import Encoder, Words
from .settings import AlphaZeroSettings


class Residual(nn.Module):  # type: ignore[misc] # PyTorch: Any
    """x + body(x)."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the sum."""
        total: torch.Tensor = x + self.body(x)
        return total


class Network(nn.Module):  # type: ignore[misc] # as above
    """Inputs of an ``Encoder`` to logits of all actions and the value for the player to move.

    A trunk of residual blocks (K. He et al., Identity Mappings in Deep Residual Networks, 2016),
    then a head for the policy and one for the value, both of one narrow layer and dense ones.
    """

    def __init__(self, encoder: Encoder, settings: AlphaZeroSettings) -> None:
        super().__init__()
        conv = settings.network == "conv"
        if conv and len(encoder.shape) != 3:
            raise ValueError('this game has no board: network must be "dense"')
        width = settings.width
        cells = int(np.prod(encoder.shape[:-1]))
        inputs = encoder.shape[-1] * (1 if conv else cells)

        def layer(number: int, outputs: int, size: int = 3) -> list[nn.Module]:
            if not conv:
                return [nn.Linear(number, outputs, bias=False), nn.BatchNorm1d(outputs)]
            kernel = nn.Conv2d(number, outputs, size, padding="same", bias=False)
            return [kernel, nn.BatchNorm2d(outputs)]

        def block() -> nn.Module:
            first, second = layer(width, width), layer(width, width)
            return Residual(nn.Sequential(nn.ReLU(), *first, nn.ReLU(), *second))

        def head(channels: int) -> tuple[list[nn.Module], int]:
            if not conv:
                return [], width
            return [*layer(width, channels, 1), nn.ReLU(), nn.Flatten()], channels * cells

        blocks = [block() for _ in range(settings.blocks)]
        flat = [] if conv else [nn.Flatten()]
        self.trunk = nn.Sequential(*flat, *layer(inputs, width), *blocks, nn.ReLU())
        layers, size = head(16)
        self.policy = nn.Sequential(*layers, nn.Linear(size, encoder.start.num_actions))
        layers, size = head(8)
        self.value = nn.Sequential(
            *layers, nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh()
        )

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, planes, height, width) to logits (n, num_actions) and values (n,)."""
        x = self.trunk(x)
        return self.policy(x), self.value(x)[:, 0]

    def parts(self) -> dict[str, nn.Module]:
        """Returns what a checkpoint consists of."""
        return {"trunk": self.trunk, "policy": self.policy, "value": self.value}


def as_tensor(inputs: NDArray[np.float32], device: str = "cpu") -> torch.Tensor:
    """Returns inputs (n, ..., planes) as a tensor (n, planes, ...), which shares their memory."""
    tensor = torch.from_numpy(inputs)
    return (tensor.permute(0, 3, 1, 2) if inputs.ndim == 4 else tensor).to(device)


def require_device(name: str) -> None:
    """Raises ValueError unless PyTorch knows a device of this name, and it is there."""
    devices = ["cpu"]
    if torch.accelerator.is_available():
        kind = torch.accelerator.current_accelerator().type
        devices += [kind, *(f"{kind}:{i}" for i in range(torch.accelerator.device_count()))]
    if name not in devices:
        raise ValueError(f"device must be one of {', '.join(devices)}, not {name!r}")


def takes_bfloat16(settings: AlphaZeroSettings) -> bool:
    """Returns whether the network computes with bfloat16."""
    if settings.precision == "auto":
        return settings.device == "cpu" and torch.cpu._is_avx512_bf16_supported()
    return settings.precision == "bfloat16"


def save_network(path: Path, network: Network, encoder: Encoder, card: dict[str, Any]) -> None:
    """Writes the network as a policy that plays without PyTorch."""
    plain = copy.deepcopy(network).eval().cpu()
    about = {"player": True, "mirrored": encoder.mirrored, "features": encoder.features is not None}
    save_torch(path, encoder.start, **plain.parts(), **about, card=card)


def load_network(
    path: str, network: Network, encoder: Encoder, settings: AlphaZeroSettings, words: Words
) -> None:
    """Takes over the weights of a checkpoint; ``words`` are typical positions.

    A network with more residual blocks or a greater width computes the same at first (T. Chen et
    al., Net2Net, ICLR 2016). CheckpointError for fewer blocks or less width, or another game.
    """
    checkpoint = load_checkpoint(checkpoint_path(path))
    layers = checkpoint.layers.get("trunk", [])
    blocks = sum(layer["op"] == "residual" for layer in layers)
    weights = [f"{layer['name']}.weight" for layer in layers if layer["op"] in ("conv", "linear")]
    width = len(checkpoint.arrays[weights[0]]) if weights else settings.width
    for number, had, what in (
        (settings.blocks, blocks, "blocks"),
        (settings.width, width, "width"),
    ):
        if had > number:
            raise CheckpointError(
                f"{path} has {what} {had}, more than the {number} of the network: set {what}={had}"
            )
    known = Network(encoder, replace(settings, blocks=blocks, width=width))
    load_torch(path, encoder.start, as_tensor(encoder.inputs(words)), **known.parts())
    names = network.state_dict()
    widened = {
        name: _widened(tensor, names[name].shape, width, settings.width)
        for name, tensor in known.state_dict().items()
    }
    network.load_state_dict(widened, strict=False)
    residuals = [part for part in network.trunk if isinstance(part, Residual)]
    for block in residuals[blocks:]:
        nn.init.zeros_(block.body[-1].weight)  # of the batch normalisation that comes last


def _widened(tensor: torch.Tensor, shape: torch.Size, old: int, new: int) -> torch.Tensor:
    """Returns the weights of a layer for ``new`` channels in place of ``old``.

    Channel i is a copy of channel i % old. What weights the copies have in the next layer is drawn
    for each number of it anew, so that they add up to what they were, and the copies learn to
    differ.
    """
    copies = torch.arange(new) % old
    for axis in range(min(tensor.ndim, 2)):
        if tensor.shape[axis] == shape[axis]:
            continue
        tensor = tensor.index_select(axis, copies)
        if axis == 1:  # the inputs of the layer
            shares = 0.5 + torch.rand_like(tensor)
            sums = torch.zeros_like(tensor[:, :old]).index_add_(1, copies, shares)
            tensor = tensor * shares / sums.index_select(1, copies)
    return tensor


def random_words(start: Position, number: int, seed: int) -> NDArray[np.int64]:
    """Returns positions of random play, (number, num_words)."""
    from adv_envs.batch.boards import Boards

    boards = Boards(start, number)
    boards.reset(seed=seed)
    boards.play_random(start.num_actions)
    return boards.words.copy()
