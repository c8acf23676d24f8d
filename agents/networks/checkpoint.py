"""Stores checkpoints: a trained policy in one safetensors file, described by JSON in its header.

A file holds arrays and text, so loading one runs no code. The JSON has the game and its parameters,
the encoding of positions, the layers of the network, and notes of its authors (``card``).

A network is a list of layers, each a dictionary such as {"op": "conv", "name": "trunk.0"}; its
weights are arrays by name, laid out as PyTorch does. ``forward`` is its forward pass in NumPy, with
the layers that networks for board games need. Batches come first: (n, features) or
(n, channels, height, width), float32.
"""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from adv_envs import CHANCE, Position, name_of, start_position
from adv_envs.bits import num_words, pack
from adv_envs.files import write_file

from .encoding import Encoder, encoder_for

FORMAT = 1
HEADER = "adv_envs"
"""The key of the description in the file's header."""

SHIPPED = Path(__file__).parent.parent / "data" / "policies"


class CheckpointError(ValueError):
    """Says why a file is not a valid checkpoint."""


@dataclass(frozen=True)
class Checkpoint:
    """Holds a trained policy for one game.

    It is a network, with ``layers`` under "trunk", "policy" and perhaps "value"; or a table, where
    ``arrays`` has "keys" (n, words) int64, sorted, and for each either "values" (n, num_actions) or
    the "probabilities" (n, num_actions) of actions. Keys are those of what the player sees.
    """

    game: str
    parameters: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    layers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    channels_first: bool = True
    """Whether planes are given as (channels, height, width), else as they are observed."""
    player: bool = False
    """Whether one more plane has the player to move: 0 for the first player, 1 for the second. It
    comes last; an observation without planes gets one more number."""
    mirrored: bool = False
    """Whether the board is transposed for the second player, and the logits of the cells back: in
    Hex both players then join top and bottom. Square boards only."""
    features: bool = False
    """Whether the planes of the game's ``Features`` follow those that are observed."""
    card: dict[str, Any] = field(default_factory=dict)
    """Notes of the authors: how it was trained, how strong it is."""

    @property
    def start(self) -> Position:
        """Returns the start position of the game."""
        return start_position(self.game, **self.parameters)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file in one step."""
        from safetensors.numpy import save

        names = [each.name for each in dataclasses.fields(self) if each.name != "arrays"]
        about = {"format": FORMAT, **{name: getattr(self, name) for name in names}}
        arrays = {name: np.ascontiguousarray(array) for name, array in self.arrays.items()}
        data = save(arrays, {HEADER: json.dumps(about)})
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)

    @property
    def encoder(self) -> Encoder:
        """Returns what shows positions to the network."""
        return encoder_for(self.start, self.features, self.player, self.mirrored)

    def inputs(self, positions: list[Any]) -> NDArray[np.float32]:
        """Returns the inputs of the network, (n, ...) float32, as the player to move observes."""
        return self._arranged(self.encoder.inputs(positions))

    def _arranged(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.ascontiguousarray(np.moveaxis(planes, -1, 1)) if self.channels_first else planes

    def outputs(
        self, positions: list[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Returns logits (n, num_actions), and values (n,) for the player to move, or None."""
        if not self.layers:
            return self._look_up(positions), None
        players = np.array([position.to_move for position in positions])
        return self._forward(self.encoder.inputs(positions), players)

    def observed_outputs(
        self, observations: NDArray[np.float32], players: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Returns what ``outputs`` does, of a network, from what the players to move (n,) observe.

        ``observations`` are float32 (n, *observation_shape).
        """
        return self._forward(self.encoder.observed(observations, players), players)

    def _forward(
        self, planes: NDArray[np.float32], players: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        inputs = self._arranged(planes)
        with one_thread():
            x = forward(self.layers.get("trunk", []), self.arrays, inputs)
            logits = forward(self.layers["policy"], self.arrays, x)
            head = self.layers.get("value")
            values = None if head is None else forward(head, self.arrays, x)
        logits = self.encoder.mirror_actions(logits, players)
        return logits, None if values is None else values.reshape(len(players))

    @property
    def is_mixed(self) -> bool:
        """Returns whether it is a table of probabilities: a policy that draws its actions."""
        return "probabilities" in self.arrays

    def _look_up(self, positions: list[Any]) -> NDArray[np.float32]:
        """Returns values, or logarithms of probabilities; zeros for what is not in the table."""
        table = self.arrays["probabilities" if self.is_mixed else "values"]
        found = np.zeros((len(positions), table.shape[1]), np.float32)
        for row, position in zip(found, positions, strict=True):
            at = self._rows.get(table_key(position))
            if at is not None:
                row[:] = np.log(np.maximum(table[at], LEAST)) if self.is_mixed else table[at]
        return found

    @cached_property
    def _rows(self) -> dict[tuple[int, ...], int]:
        return {tuple(key): i for i, key in enumerate(self.arrays["keys"].tolist())}


LEAST = 1e-300
"""Probabilities below count as this, so that their logarithms are finite."""


def table_key(position: Position) -> tuple[int, ...]:
    """Returns the key of a position in a table: what the player to move sees of it, as words."""
    view = position.hidden(position.to_move) if position.to_move != CHANCE else position
    words = [0] * num_words(view)
    pack(view, words)
    return tuple(words)


def make_checkpoint(
    position: Position,
    arrays: Mapping[str, NDArray[Any]],
    layers: Mapping[str, list[dict[str, Any]]] | None = None,
    **more: Any,
) -> Checkpoint:
    """Returns the checkpoint of a policy for the game of ``position``, after a first use of it.

    ``more`` are the other fields of ``Checkpoint``. CheckpointError if the layers do not fit.
    """
    given = dict(zip(position.parameters, position, strict=False))
    name = name_of(position)
    made = Checkpoint(name, given, dict(arrays), dict(layers or {}), **more)
    return require_usable(made, "the checkpoint")


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Returns the checkpoint in a file; CheckpointError unless it is intact and of this format."""
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not os.path.isfile(path):  # False for names that no file can have, unlike Path.is_file
        raise CheckpointError(f"there is no checkpoint {str(path)[:200]!r}")
    try:
        with safe_open(path, "numpy") as file:
            header = (file.metadata() or {}).get(HEADER)
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise CheckpointError(f"{path} is torn, or no safetensors file: {error}") from None
    if header is None:
        raise CheckpointError(f"{path} does not say what it plays: save it with Checkpoint.save")
    try:
        about = json.loads(header)
        if about.pop("format") != FORMAT:
            raise CheckpointError(f"{path} is of another format than {FORMAT}, which is needed")
        found = Checkpoint(arrays=arrays, **about)
    except CheckpointError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{path} has a header that cannot be read: {error!r}") from None
    for each in dataclasses.fields(Checkpoint):
        value, kind = getattr(found, each.name), KINDS.get(each.name, bool)
        if not isinstance(value, kind):
            raise CheckpointError(f"{path}: {each.name} must be a {kind.__name__}, not {value!r}")
    return require_usable(found, str(path))


KINDS = {"game": str, "parameters": dict, "arrays": dict, "layers": dict, "card": dict}
"""The types of the fields of a checkpoint that are not bool."""


def require_usable(found: Checkpoint, what: str) -> Checkpoint:
    """Returns ``found`` after a first use; CheckpointError if that fails."""
    if found.is_mixed:
        require_probabilities(found, what)
    try:
        start = position = found.start
        while position.to_move == CHANCE and not position.is_terminal():
            position = position.play(position.legal_actions()[0])
        with np.errstate(all="ignore"):  # numbers that are not finite are refused below
            logits, values = found.outputs([position])
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise CheckpointError(f"{what} cannot be used: {error}") from None
    if logits.shape != (1, start.num_actions):
        raise CheckpointError(
            f"{what} gives logits of shape {logits.shape[1:]}, but {found.game} has "
            f"{start.num_actions} actions"
        )
    if not np.isfinite(logits).all() or not (values is None or np.isfinite(values).all()):
        raise CheckpointError(f"{what} gives numbers that are not finite")
    return found


def require_probabilities(found: Checkpoint, what: str) -> None:
    """Raises CheckpointError unless a table has a row of probabilities for each key."""
    keys, table = found.arrays.get("keys", np.zeros(0)), found.arrays["probabilities"]
    fits = keys.ndim == table.ndim == 2 and len(keys) == len(table)
    if not fits or keys.dtype.kind != "i" or table.dtype.kind != "f":
        raise CheckpointError(f"{what} has no row of probabilities for each key")
    if not ((table >= 0).all() and np.allclose(table.sum(axis=1), 1, atol=1e-6)):
        raise CheckpointError(f"{what} has probabilities that do not add up to 1")


def shipped_checkpoints() -> list[str]:
    """Returns the names of the checkpoints that ship with this package."""
    return sorted(path.stem for path in SHIPPED.glob("*.safetensors"))


def checkpoint_path(path: str | os.PathLike[str]) -> Path:
    """Returns the file of a checkpoint, given by its path or the name of a shipped one."""
    given = Path(path)
    for file in (given, SHIPPED / f"{given}.safetensors"):
        if os.path.isfile(file):  # False for names that no file can have, unlike Path.is_file
            return file
    names = ", ".join(shipped_checkpoints()) or "none"
    raise CheckpointError(f"there is no checkpoint {str(path)[:200]!r}; shipped ones: {names}")


# ---- the forward pass

Array = NDArray[np.float32]
Layer = Mapping[str, Any]
Weights = Mapping[str, Array]


def forward(layers: Sequence[Layer], weights: Weights, x: Array) -> Array:
    """Returns the output for inputs ``x``; ValueError names a layer that does not fit."""
    if not isinstance(layers, list | tuple):
        raise ValueError(f"layers are a list, not {layers!r}")
    for layer in layers:
        if not isinstance(layer, Mapping) or not isinstance(layer.get("op"), str):
            raise ValueError(f'a layer is a dictionary such as {{"op": "relu"}}, not {layer!r}')
        apply = LAYERS.get(layer["op"])
        if apply is None:
            raise ValueError(f"no layer {layer['op']!r}; layers: {', '.join(LAYERS)}")
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
    if weight.shape[1:] != (x.shape[1], k, k) or k % 2 == 0:
        raise ValueError(f"the weight has the shape {weight.shape}")
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


LAYERS: dict[str, Callable[[Layer, Weights, Array], Array]] = {
    "linear": _linear,
    "conv": _conv,
    "affine": _affine,
    "residual": _residual,
    "relu": lambda layer, weights, x: np.maximum(x, 0.0),
    "tanh": lambda layer, weights, x: np.tanh(x),
    "flatten": lambda layer, weights, x: x.reshape(len(x), -1),
}
"""Every kind of layer, by its "op"."""


def softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    """Returns probabilities along the last axis; a logit of -inf gives 0."""
    powers = np.exp(logits - logits.max(-1, keepdims=True), dtype=np.float64)
    return powers / powers.sum(-1, keepdims=True)  # type: ignore[no-any-return] # NumPy: Any


# ---- matrix products on one thread, while networks are asked

_lock = threading.Lock()
_limits: list[Any] = []
"""An entry for each of those inside, the first of which the last one to leave undoes."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Lets NumPy multiply matrices on the calling thread alone, in the block under ``with``.

    The threads of its libraries wait for each other: where other programs compute too, an answer of
    a network takes many times as long. And the last digits depend on how many there are. The
    number is that of the whole process; it is put back when the last block is left. A limit that
    another thread of the program has set with threadpoolctl stays as it is.
    """
    with _lock:
        _limits.append(None if _limits else libraries().limit(limits=1))
        release()
    try:
        yield
    finally:
        with _lock:
            limit = _limits.pop()
            if limit is not None:
                limit.restore_original_limits()
                release()


def release() -> None:
    """Lets other threads set the number, too: from 3.8 on, threadpoolctl ignores all but one."""
    for library in libraries().lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear()


@cache
def libraries() -> Any:
    """Returns the libraries with which NumPy multiplies matrices."""
    return ThreadpoolController().select(user_api="blas")
