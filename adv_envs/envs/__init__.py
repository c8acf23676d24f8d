"""Makes environments of any game: PettingZoo AEC, Gymnasium against opponents; what they share.

- ``aec``: ``Env`` and ``RawEnv``, PettingZoo's interface, which ``env`` and ``raw_env`` make;
- ``parallel``: ``ParallelGame``, PettingZoo's parallel interface, which ``parallel_env`` makes for
  games in which all players choose at once;
- ``gym``: ``GymEnv``, one player against opponents; ``opponents``: who plays the other seats;
- ``observation``: what a player sees, as arrays; ``render_mixin``: the four render modes;
- ``sb3``: vector environments for Stable-Baselines3.

The batches of ``adv_envs.batch`` are Gymnasium vector environments of the same games.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import DTypeLike

from adv_envs.position import Position
from adv_envs.registry import game, start_of, versioned

from .observation import ObservationForm

if TYPE_CHECKING:
    from .aec import Env, RawEnv
    from .parallel import ParallelGame

__all__ = ["GameModule", "env", "game_module", "parallel_env", "raw_env"]


def raw_env(game: str | Position, *, render_mode: str | None = None, **options: Any) -> RawEnv:
    """Makes the AEC environment without the standard checks; its ``options`` are those of ``env``.

    They are the form of observations and masks, ``history``, and the parameters of ``game``;
    ``render_mode`` is given as there.
    """
    from .aec import RawEnv

    form = {name: options.pop(name) for name in ObservationForm._fields if name in options}
    history = options.pop("history", None)
    start, name = start_of(game, options)
    return RawEnv(start, f"{name}_v{start.version}", render_mode, ObservationForm(**form), history)


def env(
    game: str | Position,
    *,
    render_mode: str | None = None,
    dtype: DTypeLike | None = None,
    channels_first: bool = False,
    flatten: bool = False,
    mask_dtype: DTypeLike = "int8",
    keys: Mapping[str, str] | None = None,
    history: int | None = None,
    **parameters: Any,
) -> Env:
    """Makes a PettingZoo AEC environment of a game, by name and parameters or from a position.

    ``env("hex", size=5)`` or ``env(Hex(size=5))``; ``render_mode`` is None, "human", "ansi", "svg"
    or "rgb_array", see ``adv_envs.envs.aec.Env``. ``dtype``, ``channels_first``, ``flatten``,
    ``mask_dtype`` and ``keys`` say how observations and masks are given, see
    ``adv_envs.envs.observation.ObservationForm``. ``history`` is how many boards of the game
    observations show, 8 in ``env("chess", history=8)``, see
    ``adv_envs.envs.observation.HistoryObservationWriter``. ValueError for what does not exist.
    """
    from .aec import Env

    start, name = start_of(game, parameters)
    form = ObservationForm(dtype, channels_first, flatten, mask_dtype, keys)
    return Env(start, f"{name}_v{start.version}", render_mode, form, history)


def parallel_env(
    game: str | Position, *, render_mode: str | None = None, **options: Any
) -> ParallelGame:
    """Makes a PettingZoo parallel environment of a game in which all players choose at once.

    ``parallel_env("goofspiel", cards=5)``; its ``options`` and ``render_mode`` are those of
    ``env``, but for ``history``. ValueError for a game in which players take turns, whatever the
    options, and for what does not exist.
    """
    from .parallel import ParallelGame, require_simultaneous

    require_simultaneous(start_of(game, {})[0])
    form = {name: options.pop(name) for name in ObservationForm._fields if name in options}
    start, name = start_of(game, options)
    return ParallelGame(start, f"{name}_v{start.version}", render_mode, ObservationForm(**form))


class GameModule(types.ModuleType):
    """Represents a game as a module, such as ``adv_envs.hex_v0``, as PettingZoo has them."""

    env: Callable[..., Env]
    """``adv_envs.env`` of this game."""
    raw_env: Callable[..., RawEnv]
    """``adv_envs.raw_env`` of this game."""
    parallel_env: Callable[..., ParallelGame]
    """``adv_envs.parallel_env`` of this game, which must be one of simultaneous choices."""


def game_module(name: str) -> GameModule:
    """Returns a module such as ``hex_v0``, with ``env``, ``raw_env`` and ``parallel_env``."""
    module = GameModule(f"adv_envs.{versioned(name)}", game(name).__doc__)
    module.env = functools.partial(env, name)
    module.raw_env = functools.partial(raw_env, name)
    module.parallel_env = functools.partial(parallel_env, name)
    return module
