"""Checkpoints: a trained policy in one safetensors file, described by JSON in its header.

A file holds arrays and text, so loading one runs no code. The JSON has the game and its parameters,
the encoding of positions, the layers of the network (``layers``), and notes of its authors
(``card``).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position, name_of, start_position
from adv_envs.bits import num_words, pack
from adv_envs.files import write_file
from agents.knowledge import knowledge_of

from .layers import forward
from .one_thread import one_thread

FORMAT = 1
HEADER = "adv_envs"
"""The key of the description in the file's header."""

SHIPPED = Path(__file__).parent.parent / "data" / "policies"


class CheckpointError(ValueError):
    """A file is not a valid checkpoint; the message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """A trained policy for one game.

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
        """The start position of the game."""
        return start_position(self.game, **self.parameters)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file in one step."""
        from safetensors.numpy import save

        about = {
            "format": FORMAT,
            "game": self.game,
            "parameters": self.parameters,
            "layers": self.layers,
            "channels_first": self.channels_first,
            "player": self.player,
            "mirrored": self.mirrored,
            "features": self.features,
            "card": self.card,
        }
        arrays = {name: np.ascontiguousarray(array) for name, array in self.arrays.items()}
        data = save(arrays, {HEADER: json.dumps(about)})
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)

    def inputs(self, positions: list[Any]) -> NDArray[np.float32]:
        """Returns the inputs of the network, (n, ...) float32, as the player to move observes."""
        shape = positions[0].observation_shape
        known = knowledge_of(positions[0]).features if self.features else None
        features = None if known is None else known(positions[0].start())
        number = shape[-1] + (0 if features is None else len(features.names))
        seen = np.zeros((len(positions), *shape[:-1], number), np.float32)
        for planes, position in zip(seen, positions, strict=True):
            position.observe(position.to_move, planes[..., : shape[-1]])
            if features is not None:
                features.write(position, planes, shape[-1])
        return self._arranged(seen, np.array([position.to_move for position in positions]))

    def _arranged(
        self, seen: NDArray[np.float32], players: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Returns the inputs of the network from observations, which are overwritten."""
        if self.mirrored:
            second = players == 1
            seen[second] = seen[second].swapaxes(1, 2)
        if self.player:
            shape = seen.shape[1:]
            plane = np.broadcast_to(
                players.astype(np.float32).reshape(-1, *[1] * len(shape)),
                (len(seen), *shape[:-1], 1),
            )
            seen = np.concatenate([seen, plane], axis=-1)
        return np.ascontiguousarray(np.moveaxis(seen, -1, 1)) if self.channels_first else seen

    def outputs(
        self, positions: list[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Returns logits (n, num_actions), and values (n,) for the player to move, or None."""
        if not self.layers:
            return self._look_up(positions), None
        players = np.array([position.to_move for position in positions])
        return self._forward(self.inputs(positions), players)

    def observed_outputs(
        self, observations: NDArray[np.float32], players: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Returns what ``outputs`` does, of a network, from what the players to move (n,) observe.

        ``observations`` are float32 (n, *observation_shape).
        """
        return self._forward(self._arranged(observations.copy(), players), players)

    def _forward(
        self, inputs: NDArray[np.float32], players: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        with one_thread():
            x = forward(self.layers.get("trunk", []), self.arrays, inputs)
            logits = forward(self.layers["policy"], self.arrays, x)
            values = (
                forward(self.layers["value"], self.arrays, x) if "value" in self.layers else None
            )
        if self.mirrored:  # the swap of the pie rule comes after the cells
            start: Any = self.start
            size, second = start.height, players == 1
            cells = logits[second, : size * size].reshape(-1, size, size)
            logits[second, : size * size] = cells.swapaxes(1, 2).reshape(-1, size * size)
        return logits, None if values is None else values.reshape(len(players))

    @property
    def is_mixed(self) -> bool:
        """Whether it is a table of probabilities: a policy that draws its actions."""
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
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {str(path)!r}")
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
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} has a header that cannot be read: {error!r}") from None
    return require_usable(found, str(path))


def require_usable(found: Checkpoint, what: str) -> Checkpoint:
    """Returns ``found`` after a first use; CheckpointError if that fails."""
    if found.is_mixed:
        require_probabilities(found, what)
    try:
        start = position = found.start
        while position.to_move == CHANCE and not position.is_terminal():
            position = position.play(position.legal_actions()[0])
        logits, values = found.outputs([position])
    except (ValueError, TypeError, KeyError, IndexError) as error:
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
    if given.is_file():
        return given
    if (SHIPPED / f"{given}.safetensors").is_file():
        return SHIPPED / f"{given}.safetensors"
    names = ", ".join(shipped_checkpoints()) or "none"
    raise CheckpointError(f"there is no checkpoint {str(path)!r}; shipped ones: {names}")
