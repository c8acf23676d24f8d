"""Converts PyTorch modules to checkpoints and back. PyTorch itself is not imported.

Supported are Sequential (and modules in it), Linear, Conv2d (odd, of stride 1, padded to keep the
size), BatchNorm1d and 2d (as they are in evaluation), ReLU, Tanh, Flatten, Identity, Dropout, and
any module whose class is called ``Residual`` and has its inner layers as ``body``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.registry import title

from .checkpoint import (
    Checkpoint,
    CheckpointError,
    checkpoint_path,
    load_checkpoint,
    make_checkpoint,
)


def save_torch(
    path: str | os.PathLike[str],
    position: Position,
    *,
    policy: Any,
    value: Any = None,
    trunk: Any = None,
    **more: Any,
) -> Checkpoint:
    """Saves PyTorch modules as a checkpoint for the game of ``position``, and returns it.

    ``trunk`` comes before both others; ``policy`` ends in logits (n, num_actions), ``value`` in
    numbers (n, 1) from -1 to 1 for the player to move. ``more`` are fields of ``Checkpoint``:
    channels_first, player, card. TypeError for a module that is not supported.
    """
    arrays: dict[str, NDArray[Any]] = {}
    parts = {"trunk": trunk, "policy": policy, "value": value}
    layers = {
        name: layers_of(part, name, arrays) for name, part in parts.items() if part is not None
    }
    made = make_checkpoint(position, arrays, layers, **more)
    made.save(path)
    return made


def load_torch(
    path: str | os.PathLike[str],
    position: Position,
    inputs: Any,
    *,
    policy: Any,
    value: Any = None,
    trunk: Any = None,
) -> Checkpoint:
    """Copies the weights of a checkpoint, a file or the name of a shipped one, into modules.

    The modules must have the layers that were saved, see ``save_torch``; in evaluation mode they
    then compute the same as the checkpoint, which is returned. A checkpoint has no statistics of
    batch normalisation, which further training needs: they are taken from ``inputs``, a tensor
    (n, ...) of typical inputs. CheckpointError for a checkpoint of another game or other layers;
    TypeError for a module that is not supported; RuntimeError, by PyTorch, for inputs that do not
    fit.
    """
    found = load_checkpoint(checkpoint_path(path))
    if found.start != position.start():
        raise CheckpointError(f"{path} plays {title(found.start)}, not {title(position)}")
    parts = {"trunk": trunk, "policy": policy, "value": value}
    parts = {name: part for name, part in parts.items() if part is not None}
    arrays: dict[str, NDArray[Any]] = {}
    layers = {name: layers_of(part, name, arrays) for name, part in parts.items()}
    if layers != found.layers or shapes_of(arrays) != shapes_of(found.arrays):
        reason = difference(shapes_of(found.arrays), shapes_of(arrays))
        raise CheckpointError(f"{path} has other layers than these modules{reason}")
    for name, part in parts.items():
        _fill(part, name, found.arrays)
        modes = [(module, module.training) for module in part.modules()]
        x = part.eval()(inputs).detach()
        for module, training in modes:
            module.training = training
        inputs = x if name == "trunk" else inputs
    return found


def shapes_of(arrays: Mapping[str, NDArray[Any]]) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of arrays by name."""
    return {name: array.shape for name, array in arrays.items()}


def difference(there: dict[str, tuple[int, ...]], here: dict[str, tuple[int, ...]]) -> str:
    """Returns what differs first, of the weights ``there``, in a file, and ``here``, in modules."""
    for name in [*there, *here]:
        if there.get(name) != here.get(name):
            sizes = (x.get(name, "none") for x in (there, here))
            return ": {} is {} there, and {} here".format(name, *sizes)
    return ""


def _fill(module: Any, name: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Copies the weights; those of batch normalisation are set at its first inputs."""
    kind = type(module).__name__
    if kind == "Sequential":
        for i, part in enumerate(module.children()):
            _fill(part, f"{name}.{i}", arrays)
    elif kind == "Residual":
        _fill(module.body, f"{name}.body", arrays)
    elif kind in ("Linear", "Conv2d"):
        _set(module.weight, arrays[f"{name}.weight"])
        if module.bias is not None:
            _set(module.bias, arrays[f"{name}.bias"])
    elif kind in ("BatchNorm1d", "BatchNorm2d") and not module.affine:
        scale, shift = arrays[f"{name}.scale"], arrays[f"{name}.shift"]
        _set(module.running_mean, -shift / scale)
        _set(module.running_var, scale**-2 - module.eps)
    elif kind in ("BatchNorm1d", "BatchNorm2d"):

        def hook(_: Any, given: tuple[Any, ...]) -> None:
            seen = given[0].detach().transpose(0, 1).flatten(1)
            mean, variance = seen.mean(1), seen.var(1, correction=0)
            _set(module.running_mean, _array(mean))
            _set(module.running_var, _array(variance))
            deviation = np.sqrt(_array(variance) + module.eps)
            _set(module.weight, arrays[f"{name}.scale"] * deviation)
            _set(module.bias, arrays[f"{name}.shift"] + arrays[f"{name}.scale"] * _array(mean))
            once.remove()

        once = module.register_forward_pre_hook(hook)


def _set(tensor: Any, array: NDArray[Any]) -> None:
    tensor.data[...] = tensor.new_tensor(array)


def layers_of(module: Any, name: str, arrays: dict[str, NDArray[Any]]) -> list[dict[str, Any]]:
    """Returns the layers of ``module``; writes its weights to ``arrays``, prefixed by ``name``."""
    kind = type(module).__name__
    if kind == "Sequential":
        parts = enumerate(module.children())
        return [layer for i, part in parts for layer in layers_of(part, f"{name}.{i}", arrays)]
    if kind in ("Identity", "Dropout"):
        return []
    if kind == "Residual":
        return [{"op": "residual", "layers": layers_of(module.body, f"{name}.body", arrays)}]
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
    return np.array(tensor.detach().cpu().float().numpy())
