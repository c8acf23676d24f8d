"""Defines AlphaZero's network, and how self-play asks it: in batches, with fused layers."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

from adv_envs import Position
from adv_envs.bits import unpack
from agents.networks.checkpoint import CheckpointError, checkpoint_path, load_checkpoint
from agents.networks.encoding import Encoder
from agents.networks.pytorch import load_torch

from .settings import AlphaZeroSettings

ROWS = 16
"""Larger batches are filled up to a multiple of this: oneDNN compiles each layer anew for every
size of a batch, which takes longer than the layer, and keeps what it compiled for few of them."""

Layer = Callable[[torch.Tensor], torch.Tensor]


class Residual(nn.Module):  # type: ignore[misc] # PyTorch: Any
    """Computes x + body(x)."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the sum."""
        total: torch.Tensor = x + self.body(x)
        return total


class Network(nn.Module):  # type: ignore[misc] # as above
    """Maps inputs of an ``Encoder`` to logits of all actions and the value for the player to move.

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
        """Maps (n, planes, height, width) to logits (n, num_actions) and values (n,)."""
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


def load_network(
    path: str,
    network: Network,
    encoder: Encoder,
    settings: AlphaZeroSettings,
    positions: Sequence[Position],
) -> None:
    """Takes over the weights of a checkpoint; ``positions`` are typical ones.

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
    load_torch(path, encoder.start, as_tensor(encoder.inputs(positions)), **known.parts())
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


def random_positions(start: Position, number: int, seed: int) -> list[Position]:
    """Returns ``number`` positions of random play."""
    from adv_envs.batch.boards import Boards

    boards = Boards(start, number)
    boards.reset(seed=seed)
    boards.play_random(start.num_actions)
    return [unpack(start, row) for row in boards.state.words]


# ---- for self-play


class BatchEvaluator:
    """Copies a network for self-play.

    Batch normalisation is part of the weights; on CPUs with oneDNN, rectifications and additions
    are part of the convolutions (``FusedNetwork``), unless ``fused`` is False.
    """

    def __init__(self, network: Network, settings: AlphaZeroSettings, fused: bool = True) -> None:
        keep_freed_memory()
        self.device = settings.device
        self.dtype = torch.bfloat16 if takes_bfloat16(settings) else torch.float32
        plain = copy.deepcopy(network).eval()
        for part in (plain.trunk, plain.policy, plain.value):
            _fold(part)
        plain = plain.to(self.device, self.dtype, memory_format=torch.channels_last)
        fused = fused and self.device == "cpu" and settings.network == "conv"
        fused = fused and can_fuse(self.dtype)
        self.network: Callable[[torch.Tensor], Any] = FusedNetwork(plain) if fused else plain
        self.inputs = np.zeros(0, np.float32)

    def __call__(
        self, inputs: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns logits (n, num_actions) and values (n,)."""
        number = rows = len(inputs)
        if number > ROWS:
            rows = -(-number // ROWS) * ROWS
        if len(self.inputs) < rows:
            self.inputs = np.zeros((rows, *inputs.shape[1:]), np.float32)
        self.inputs[:number] = inputs
        with torch.inference_mode():
            x = as_tensor(self.inputs[:rows], self.device).to(self.dtype)
            logits, values = (each[:number].float().cpu().numpy() for each in self.network(x))
        return logits, values


@functools.cache
def keep_freed_memory() -> None:
    """Lets the C library keep the memory that tensors free, for those that come next.

    Else glibc gives blocks of a megabyte back to the system, which hands them out again page by
    page: that took a quarter of the time of the network. It keeps all that are smaller than the
    largest one freed so far, up to 32 MiB (mallopt(3), M_MMAP_THRESHOLD).
    """
    torch.empty(31 << 20, dtype=torch.uint8)  # is freed at once, and was never written to


def _fold(layers: nn.Module) -> None:
    """Makes batch normalisation part of the layers before it."""
    children = list(layers.named_children())
    for (name, first), (after, second) in pairwise(children):
        if isinstance(second, nn.BatchNorm2d):
            layers._modules[name] = fuse_conv_bn_eval(first, second)
            layers._modules[after] = nn.Identity()
        elif isinstance(second, nn.BatchNorm1d):
            layers._modules[name] = fuse_linear_bn_eval(first, second)
            layers._modules[after] = nn.Identity()
    for _, child in children:
        if isinstance(child, Residual):
            _fold(child.body)


# ---- oneDNN


class FusedNetwork:
    """Computes what a network of convolutions does on a CPU, in fewer passes over memory.

    The operators are those that ``torch.compile`` makes of such a network, which would take a C++
    compiler. PyTorch does not document them: where they are missing, ``can_fuse`` says so.
    """

    def __init__(self, network: Network) -> None:
        with torch.inference_mode():
            first, *blocks = [part for part in network.trunk if not _is_trivial(part)]
            self.first = Convolution(first)
            self.blocks = [[Convolution(each) for each in _layers(block.body)] for block in blocks]
            self.policy, self.value = _head(network.policy), _head(network.value)

    def __call__(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Maps (n, planes, height, width) to logits (n, num_actions) and values (n,)."""
        x = self.first(x)
        for one, other in self.blocks:
            other.add_to(x, one(rectified(x), "relu"))
        x = rectified(x)
        return self.policy(x), self.value(x)[:, 0]


class Convolution:
    """Represents a convolution whose weights are in the order that oneDNN computes with."""

    def __init__(self, layer: nn.Conv2d) -> None:
        self.bias = layer.bias
        edge = layer.kernel_size[0] // 2
        self.geometry = [edge, edge], [1, 1], [1, 1], 1
        self.weight = torch._C._nn.mkldnn_reorder_conv2d_weight(
            layer.weight.to_mkldnn(), *self.geometry, None
        )

    def __call__(self, x: torch.Tensor, then: str = "none") -> torch.Tensor:
        """Returns the convolution of x, rectified where ``then`` is "relu"."""
        convolve: Any = torch.ops.mkldnn._convolution_pointwise
        padding, stride, dilation, groups = self.geometry
        found: torch.Tensor = convolve(
            x, self.weight, self.bias, padding, stride, dilation, groups, then, [], ""
        )
        return found

    def add_to(self, total: torch.Tensor, x: torch.Tensor) -> None:
        """Adds the convolution of x to ``total``, in place."""
        convolve: Any = torch.ops.mkldnn._convolution_pointwise_.binary
        padding, stride, dilation, groups = self.geometry
        convolve(
            total, x, self.weight, self.bias, padding, stride, dilation, groups, "add", 1.0,
            None, [], None,
        )  # fmt: skip


def _head(head: Sequence[nn.Module]) -> Layer:
    """Returns what a head computes: a narrow convolution, rectified, then dense layers.

    The first of these takes channels last, as they lie in memory.
    """
    narrow, dense, *others = _layers(head)
    convolve, channels = Convolution(narrow), narrow.out_channels
    weight = dense.weight.reshape(len(dense.weight), channels, -1).transpose(1, 2)
    weight = weight.reshape(len(weight), -1).contiguous()
    *_, last = head

    def apply(x: torch.Tensor) -> torch.Tensor:
        x = convolve(x, "relu").permute(0, 2, 3, 1).reshape(len(x), -1)
        x = nn.functional.linear(x, weight, dense.bias)
        for layer in others:
            x = layer(rectified(x))
        return x.tanh() if isinstance(last, nn.Tanh) else x

    return apply


def rectified(x: torch.Tensor) -> torch.Tensor:
    """Returns max(x, 0)."""
    if x.dtype is not torch.bfloat16:
        return torch.relu(x)
    # as integers, which have the same sign: four times as fast
    return x.view(torch.int16).clamp_min(0).view(torch.bfloat16)


def _is_trivial(layer: nn.Module) -> bool:
    return not isinstance(layer, nn.Conv2d | nn.Linear | Residual)


def _layers(part: Sequence[nn.Module]) -> list[Any]:
    return [layer for layer in part if not _is_trivial(layer)]


@functools.cache
def can_fuse(dtype: torch.dtype) -> bool:
    """Returns whether this PyTorch has what ``FusedNetwork`` takes, for numbers of ``dtype``."""
    if not torch.backends.mkldnn.is_available():
        return False
    with torch.random.fork_rng(devices=[]):  # what is drawn later does not depend on this
        layer: Any = nn.Conv2d(2, 2, 3, padding="same")
    layer = layer.to(dtype, memory_format=torch.channels_last)
    x = torch.linspace(-1, 1, 18).reshape(1, 2, 3, 3)
    x = x.to(dtype, memory_format=torch.channels_last)
    with torch.inference_mode():
        expected, total = layer(x), x.clone(memory_format=torch.channels_last)
        try:
            convolution = Convolution(layer)
            convolution.add_to(total, x)
            found = convolution(x, "relu")
        except (AttributeError, RuntimeError):  # no such operator, or not for these numbers
            return False
        close = functools.partial(torch.allclose, rtol=0.05, atol=0.05)
        return bool(close(found, rectified(expected)) and close(total, x + expected))
