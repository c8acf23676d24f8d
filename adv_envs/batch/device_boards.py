"""Batches on a CUDA device: ``DeviceBoards``, one thread for each game. Experimental.

The same rules and the same step as ``adv_envs.batch.boards``, compiled for the device, with the
same random numbers: from the same seeds the same games. Needs the extra ``cuda``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from adv_envs.bits import num_words, unpack, unpack_row
from adv_envs.jit import kernel
from adv_envs.optional import optional_library
from adv_envs.position import Position

from . import kernels
from .boards import EXTERNAL, Boards, _at_least, _env_index, _others, _reply, lists_legal
from .kernels import GENERATOR, PLAYING, STATUS, TO_MOVE

if TYPE_CHECKING:
    from adv_envs.jit.device import DeviceArray, DeviceKernel


class BoardsOptions(TypedDict, total=False):
    """The options of ``Boards``, which has their defaults, but for ``threads``."""

    autoreset: str
    opponent: str | Callable[[Any], float] | None
    seat: int | str
    max_steps: int | None
    illegal_reward: float
    dtype: DTypeLike | None
    channels_first: bool


class DeviceBoards:
    r"""``n`` games from ``position`` on a CUDA device, stepped together. Experimental.

    The verbs are those of ``Boards``, and so are the options but for ``threads``. Opponents that
    are called in Python ("external") belong to ``Boards``. After ``reset`` or ``step``, which
    overwrite them, these ``DeviceArray`` describe each environment: ``observations``, ``masks``,
    ``to_move``, ``rewards``, ``utilities``, ``terminated``, ``truncated``, ``words`` and
    ``actions``. ``torch.from_dlpack(boards.observations)`` shares the memory, once and for all.

    What differs from ``Boards``:

    - An action that is no number from 0 to num_actions - 1 is an illegal action: to say more, a
      step would have to wait for the device.
    - A step returns before the device is done. What PyTorch does next, on its default stream, comes
      after it; where a library has streams of its own, as JAX has, ``synchronize()`` first.
    - ``a * b + c`` is rounded once, on a CPU twice: where "greedy" in a game with chance, or an
      evaluation, compares what is almost equal, the device may decide otherwise.
    - With ``channels_first``, only boards, whose planes are the stones of both players.

    Raises DeviceError without a device; TypeError where the rules cannot be compiled; ValueError or
    TypeError for other arguments, as ``Boards``.
    """

    def __init__(self, position: Position, n: int, **options: Unpack[BoardsOptions]) -> None:
        self._host = HostGames(position, n, 1, **options)
        _require_possible(self._host)
        device = _device_library()
        device.require_device()
        self.start, self.n, self._device = position, self._host.n, device
        self._run, self._answer = _kernels(self._host)
        self._to_device(self._host)

    def _to_device(self, host: HostGames) -> None:
        """Copy the arrays to the device, and name what users see of them."""
        put = self._device.to_device
        self._rows = put(np.asfortranarray(host._rows))  # a column is one stretch: for all threads
        self._starts, self._ends = put(host._starts), put(host._ends)
        self.actions, self._ended = put(host._actions), put(np.zeros(self.n, np.int64))
        self._rules = put(host._rules)
        self._own_actions = put(np.zeros(0, np.int64))
        self.rewards, self.utilities = put(host.rewards), put(host.utilities)
        self.terminated, self.truncated = put(host.terminated), put(host.truncated)
        self.masks, self.observations = put(host.masks), put(host.observations)
        layout = [put(table).data for table in host._layout]
        self._seen = *_flat(host, self.observations.data, self.masks.data), *layout

    # ---- playing

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        envs: ArrayLike | None = None,
        seats: ArrayLike | str | None = None,
    ) -> None:
        """Begin new games: in all environments, or where ``envs``, bool (n,), is true.

        As ``Boards.reset``; arguments are on the host.
        """
        self._on_host(lambda host: host.reset(seed, envs, seats))

    def start_from(
        self, positions: Position | Sequence[Position | None], envs: ArrayLike | None = None
    ) -> None:
        """Continue from unfinished positions, as ``Boards.start_from``."""
        self._on_host(lambda host: host.start_from(positions, envs))

    def __setitem__(self, env: int, position: Position) -> None:
        """Continue environment ``env`` from another position of the same game."""
        self._on_host(lambda host: host.__setitem__(env, position))

    def step(self, actions: Any) -> None:
        """Play an action in each environment: integers (n,).

        They lie on the device, as a ``DeviceArray`` or an array of another library, such as a
        tensor of PyTorch; or on the host, from where they are copied.
        """
        self._host._require_begun()
        given = self._device.as_device(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be {self.n} integers, an array of shape ({self.n},), "
                f"not {given.dtype} of shape {given.shape}"
            )
        self._go(given, 1, False)

    def play_random(self, plies: int = 1) -> int:
        """Make ``plies`` steps of random legal ``actions``; return how many games ended."""
        self._host._require_begun()
        self._go(self._own_actions, _at_least(1, "plies", plies), True)
        return int(self._ended.numpy().sum())

    def random_actions(self) -> DeviceArray:
        """A random legal action for each environment, int64 (n,); 0 where a game is over."""
        self._host._require_begun()
        chosen = self._device.to_device(np.zeros(self.n, np.int64))
        self._answer(self.n, chosen.data, self._rows.data)
        return chosen  # type: ignore[no-any-return]

    def __getitem__(self, env: int) -> Position:
        """The position of an environment. Waits for the device."""
        env = _env_index(env, self.n)
        return unpack(self.start, self._rows.numpy()[env])  # type: ignore[no-any-return]

    def __len__(self) -> int:
        """How many environments there are."""
        return self.n

    def synchronize(self) -> None:
        """Wait until the device has made all steps."""
        self._rules.numpy()

    # ---- looking

    @property
    def words(self) -> DeviceArray:
        """The positions, int64 (n, num_words), as ``bits.pack`` writes them, a column at a time."""
        return self._device.DeviceArray(self._rows.data[:, : self._host._size])  # type: ignore[no-any-return]

    @property
    def to_move(self) -> DeviceArray:
        """The player to move, (n,), or who would be to move where a game is over."""
        return self._column(TO_MOVE)

    @property
    def generators(self) -> DeviceArray:
        """The states of the random number generators, (n,)."""
        return self._column(GENERATOR)

    # ---- inside

    def _column(self, number: int) -> DeviceArray:
        return self._device.DeviceArray(self._rows.data[:, self._host._size + number])  # type: ignore[no-any-return]

    def _on_host(self, change: Callable[[HostGames], None]) -> None:
        """Let ``Boards`` write commands and rows, and carry them out on the device."""
        host = self._host
        host._rows[:] = self._rows.numpy()
        change(host)
        self._rows.data.copy_to_device(np.asfortranarray(host._rows))
        self.actions.data.copy_to_device(host._actions)
        self._rules.data.copy_to_device(host.rules_of_games)
        self._go(self._own_actions, 1, False)
        self._rules.data.copy_to_device(host._rules)

    def _go(self, given: DeviceArray, plies: int, draws: bool) -> None:
        self._run(self.n, *self._given(given, plies, draws))

    def _given(self, given: DeviceArray, plies: int, draws: bool) -> tuple[Any, ...]:
        """The arguments of ``run_env``."""
        arrays = (
            self._rules, self.actions, self._starts, self._rows, self._ends, self._ended,
            self.rewards, self.utilities, self.terminated, self.truncated,
        )  # fmt: skip
        forfeit = self._host.illegal_reward
        return plies, draws, forfeit, given.data, *(a.data for a in arrays), *self._seen


class HostGames(Boards):
    """Writes what games are to do next, as ``Boards`` does, and leaves it to the device."""

    rules_of_games: NDArray[np.int64]
    """The rules for the next step, see ``kernels.run``."""

    def _go(self, plies: int, draws: bool, rules: NDArray[np.int64]) -> int:
        self.rules_of_games = rules
        return 0

    def _run_envs(
        self, first: int, last: int, plies: int, draws: bool, rules: NDArray[np.int64]
    ) -> int:
        others = np.ones(self.n, np.bool_)
        others[first:last] = False
        self._actions[others] = kernels.SKIP
        return self._go(plies, draws, rules)


def _require_possible(host: HostGames) -> None:
    """Raise TypeError or ValueError for games and opponents that no device can play."""
    name = type(host.start).__name__
    if not host.start.is_compiled:
        raise TypeError(f"the rules of {name} run as plain Python (compiled=False): use Boards")
    if host.opponent == EXTERNAL:
        raise ValueError('opponents that are called in Python ("external") need Boards')
    if host.channels_first and not host._board:
        raise ValueError(f"on a device, observations of {name} have their channels last")


def _device_library() -> Any:
    """``adv_envs.jit.device``; ImportError, which says what to install, without numba-cuda."""
    optional_library("numba_cuda", "batches on a device need", "cuda")
    from adv_envs.jit import device

    return device


def _kernels(host: HostGames) -> tuple[DeviceKernel, DeviceKernel]:
    """The step of the game, and what draws random actions."""
    facts, game = host._bound, host.start.start()
    others = _others(facts, host.opponent)
    played = played_on_device.bind_used(**facts, **others)
    step = kernels.step.bind_used(**facts, **others, played=played)
    show = host._show
    if host._board:
        show = show.bind(unpack_bits=kernels.unpack_bits_exactly)
    scratch = game.num_actions if lists_legal(game) else 1
    return (
        _kernel(run_env, scratch, GAME=game, step=step, show=show),
        _kernel(answer_env, scratch, GAME=game, reply=_reply(facts, "random")),
    )


def _kernel(function: Callable[..., Any], scratch: int, **bindings: Any) -> DeviceKernel:
    return _shared_kernel(function, scratch, tuple(bindings.items()))


@cache
def _shared_kernel(
    function: Callable[..., Any], scratch: int, bindings: tuple[tuple[str, Any], ...]
) -> DeviceKernel:
    """One kernel for all batches of a game, with what it has compiled."""
    made: DeviceKernel = _device_library().DeviceKernel(function, dict(bindings), scratch)
    return made


def _flat(host: HostGames, observations: Any, masks: Any) -> tuple[Any, Any]:
    """Views of NumPy's or the device's arrays, as ``kernels.show`` writes them."""
    if host.dtype.itemsize == 1:
        observations = observations.view(np.uint8)
    if host._board:
        observations = observations.reshape(host.observations.size)
    return observations, masks.view(np.uint8).reshape(host.masks.size)


def device_code(
    position: Position, compute_capability: tuple[int, int], **options: Unpack[BoardsOptions]
) -> tuple[str, str]:
    """The kernels of ``DeviceBoards(position, n, **options)`` as PTX, NVIDIA's assembly language.

    The first makes steps, begins games and writes observations and masks; the second draws random
    actions. For devices of this compute capability, such as (8, 0), and newer; needs none.
    """
    host = HostGames(position, 2, 1, **options)
    _require_possible(host)
    run, answer = _kernels(host)
    rows, actions = np.asfortranarray(host._rows), host._actions
    arrays = (
        actions, host._rules, actions, host._starts, rows, host._ends, actions, host.rewards,
        host.utilities, host.terminated, host.truncated,
        *_flat(host, host.observations, host.masks), *host._layout,
    )  # fmt: skip
    step = run.ptx(2, 1, False, 0.0, *arrays, compute_capability=compute_capability)
    return step, answer.ptx(2, actions, rows, compute_capability=compute_capability)


GAME: Any = None
"""The start position, bound by the batch."""

step, show, reply = kernels.step, kernels.show, kernels.reply
"""Those of the game, bound by the batch."""

after_dice, after_replies = kernels.after_dice, kernels.after_replies
"""What follows a move, bound in the step."""


def run_env(
    env: int,
    plies: int,
    draws: bool,
    forfeit: float,
    given: NDArray[Any],
    rules: NDArray[np.int64],
    actions: NDArray[np.int64],
    starts: kernels.Rows,
    rows: kernels.Rows,
    ends: kernels.Rows,
    ended: NDArray[np.int64],
    rewards: NDArray[np.float32],
    utilities: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    planes: NDArray[Any],
    masks: NDArray[np.uint8],
    layout: kernels.Layout,
    sources: kernels.Sources,
    mask_layout: kernels.Layout,
    mask_sources: kernels.Sources,
) -> None:
    """``kernels.run`` for one environment, in a thread of its own.

    ``given``, integers (n,), are a user's actions, or (0,) if there are commands in ``actions``.
    How many games ended is written to ``ended``, int64 (n,).
    """
    if given.shape[0] > 0:
        action = int(given[env])
        actions[env] = action if 0 <= action < GAME.num_actions else GAME.num_actions
    number = 0
    for _ in range(plies):
        number += step(
            GAME, env, env + 1, draws, rules, forfeit, actions, starts, rows, ends, rewards,
            utilities, terminated, truncated,
        )  # fmt: skip
        show(
            GAME, env, env + 1, env + 1, rows, planes, masks, layout, sources, mask_layout,
            mask_sources,
        )  # fmt: skip
    ended[env] = number


@kernel
def played_on_device(position: Any, action: int, to_move: int, state: int) -> tuple[Any, int, bool]:
    """``kernels.played``, where an action that the game does not have is illegal as well."""
    if action >= GAME.num_actions or not position.legal(action):
        return position, state, True
    position, state = after_dice(position.play(action), state)
    position, state = after_replies(position, to_move, state)
    return position, state, False


def answer_env(env: int, chosen: NDArray[np.int64], rows: kernels.Rows) -> None:
    """Write a random legal action where the game goes on, and advance the generator."""
    size = num_words(GAME)
    if rows[env, size + STATUS] == PLAYING:
        state = int(rows[env, size + GENERATOR])
        action, state = reply(unpack_row(GAME, rows, env), state)
        chosen[env], rows[env, size + GENERATOR] = action, state
