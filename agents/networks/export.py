"""From modules of PyTorch to checkpoints. Only the modules are looked at: PyTorch is not imported.

Known are Sequential (and modules in it), Linear, Conv2d (odd, of stride 1, padded to keep the
size), BatchNorm1d and 2d (as they are in evaluation), ReLU, Tanh, Flatten, Identity, Dropout, and
any module whose class is called ``Residual`` and which has its inner layers as ``body``.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position

from .checkpoint import Checkpoint, checkpoint


def save_torch(
    path: str | os.PathLike[str],
    position: Position,
    *,
    policy: Any,
    value: Any = None,
    trunk: Any = None,
    **more: Any,
) -> Checkpoint:
    """Save modules of PyTorch as a checkpoint for the game of ``position``, and return it.

    ``trunk`` comes before both others; ``policy`` ends in logits (n, num_actions), ``value`` in
    numbers (n, 1) from -1 to 1 for the player to move. ``more`` are fields of ``Checkpoint``:
    channels_first, player, card. TypeError for a module that is not known.
    """
    arrays: dict[str, NDArray[Any]] = {}
    parts = {"trunk": trunk, "policy": policy, "value": value}
    layers = {
        name: described(part, name, arrays) for name, part in parts.items() if part is not None
    }
    made = checkpoint(position, arrays, layers, **more)
    made.save(path)
    return made


def described(module: Any, name: str, arrays: dict[str, NDArray[Any]]) -> list[dict[str, Any]]:
    """The layers of ``module``; its weights go into ``arrays`` under names that begin so."""
    kind = type(module).__name__
    if kind == "Sequential":
        parts = enumerate(module.children())
        return [layer for i, part in parts for layer in described(part, f"{name}.{i}", arrays)]
    if kind in ("Identity", "Dropout"):
        return []
    if kind == "Residual":
        return [{"op": "residual", "layers": described(module.body, f"{name}.body", arrays)}]
    if kind in ("ReLU", "Tanh", "Flatten"):
        return [{"op": kind.lower()}]
    if kind in ("Linear", "Conv2d"):
        return [_weighted(module, kind, name, arrays)]
    if kind in ("BatchNorm1d", "BatchNorm2d"):
        return [_normalised(module, name, arrays)]
    raise TypeError(f"cannot export the module {module!r}")


def _weighted(module: Any, kind: str, name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    weight = _array(module.weight)
    if kind == "Conv2d":
        k = weight.shape[-1]
        same = module.padding in ("same", (k // 2, k // 2)) and module.padding_mode == "zeros"
        plain = (module.stride, module.dilation, module.groups) == ((1, 1), (1, 1), 1)
        if not (same and plain and k % 2 == 1 and weight.shape[-2] == k):
            raise TypeError(f"cannot export {module!r}: only convolutions that keep the size")
    arrays[f"{name}.weight"] = weight
    bias = None if module.bias is None else _array(module.bias)
    arrays[f"{name}.bias"] = np.zeros(len(weight), np.float32) if bias is None else bias
    return {"op": "conv" if kind == "Conv2d" else "linear", "name": name}


def _normalised(module: Any, name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    scale = 1 / np.sqrt(_array(module.running_var) + module.eps)
    shift = -_array(module.running_mean) * scale
    if module.affine:
        scale, shift = scale * _array(module.weight), shift * _array(module.weight)
        shift = shift + _array(module.bias)
    arrays[f"{name}.scale"], arrays[f"{name}.shift"] = scale, shift
    return {"op": "affine", "name": name}


def _array(tensor: Any) -> NDArray[np.float32]:
    return tensor.detach().cpu().float().numpy().copy()  # type: ignore[no-any-return]
