"""Forward passes in NumPy, with the layers that networks for board games need.

A network is a list of layers, each a dictionary such as {"op": "conv", "name": "trunk.0"}; its
weights are arrays by name, laid out as PyTorch does. Batches come first: (n, features) or
(n, channels, height, width), float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Layer = Mapping[str, Any]
Weights = Mapping[str, Array]


def forward(layers: Sequence[Layer], weights: Weights, x: Array) -> Array:
    """Returns the output for inputs ``x``; ValueError names a layer that does not fit."""
    for layer in layers:
        apply = LAYERS.get(layer.get("op", ""))
        if apply is None:
            raise ValueError(f"no layer {layer.get('op')!r}; layers: {', '.join(LAYERS)}")
        try:
            x = apply(layer, weights, x)
        except KeyError as error:
            raise ValueError(f"the layer {dict(layer)} needs {error}, which is missing") from None
        except (ValueError, IndexError) as error:
            raise ValueError(f"the layer {dict(layer)} cannot follow {x.shape}: {error}") from None
    return x


def _linear(layer: Layer, weights: Weights, x: Array) -> Array:
    """Multiplies with weight (out, in) and adds bias (out,)."""
    name = layer["name"]
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _conv(layer: Layer, weights: Weights, x: Array) -> Array:
    """Convolves with weight (out, in, k, k), k odd, padded with zeros; adds bias (out,)."""
    weight, bias = weights[f"{layer['name']}.weight"], weights[f"{layer['name']}.bias"]
    k = weight.shape[-1]
    edge = k // 2
    padded = np.pad(x, ((0, 0), (0, 0), (edge, edge), (edge, edge)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (k, k), (2, 3))
    n, channels, height, width = x.shape
    patches = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * height * width, channels * k * k)
    out = patches @ weight.reshape(len(weight), -1).T + bias
    return np.ascontiguousarray(out.reshape(n, height, width, -1).transpose(0, 3, 1, 2))


def _affine(layer: Layer, weights: Weights, x: Array) -> Array:
    """Multiplies with scale and adds shift (channels,): batch normalisation in evaluation mode."""
    shape = (1, -1) + (1,) * (x.ndim - 2)
    scale, shift = weights[f"{layer['name']}.scale"], weights[f"{layer['name']}.shift"]
    return x * scale.reshape(shape) + shift.reshape(shape)


def _residual(layer: Layer, weights: Weights, x: Array) -> Array:
    """Adds the output of the inner layers to the input."""
    return x + forward(layer["layers"], weights, x)


def _relu(layer: Layer, weights: Weights, x: Array) -> Array:
    return np.maximum(x, 0.0)


def _tanh(layer: Layer, weights: Weights, x: Array) -> Array:
    return np.tanh(x)


def _flatten(layer: Layer, weights: Weights, x: Array) -> Array:
    return x.reshape(len(x), -1)


LAYERS = {
    "linear": _linear,
    "conv": _conv,
    "affine": _affine,
    "residual": _residual,
    "relu": _relu,
    "tanh": _tanh,
    "flatten": _flatten,
}
"""Every kind of layer, by its "op"."""


def softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    """Returns probabilities along the last axis; a logit of -inf gives 0."""
    powers = np.exp(logits - logits.max(-1, keepdims=True), dtype=np.float64)
    return powers / powers.sum(-1, keepdims=True)  # type: ignore[no-any-return] # NumPy: Any
