"""Kernels for CUDA devices: the same functions and rules, compiled by numba-cuda.

A thread calls a function for one index. With ``NUMBA_ENABLE_CUDASIM=1`` numba-cuda's simulator runs
the kernels on the CPU, and the rules as plain Python. Needs the extra ``cuda``. Importing this
module imports numba-cuda.
"""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import ArrayLike, NDArray

from .link import plain

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
"""Whether kernels run in numba-cuda's simulator, without a device."""

THREADS = 32 if SIMULATED else 128
"""The threads of a block; the simulator starts one of Python's for each."""


class DeviceError(RuntimeError):
    """There is no device to run on; the message says what is missing."""


def require_device() -> None:
    """Raise DeviceError unless there is a CUDA device, or the simulator of one."""
    if not SIMULATED and not cuda.is_available():
        raise DeviceError(
            "no CUDA device can be used: it needs an NVIDIA GPU and its driver "
            "(NUMBA_ENABLE_CUDASIM=1 runs a slow simulator instead)"
        )


class DeviceKernel:
    """``function`` with ``bindings``, called with an index in each of n threads.

    Arguments after the index are arrays on the device, integers, floats and bools. ``scratch`` is
    the largest number that functions other than methods of positions ask ``bits.scratch`` for.
    """

    def __init__(
        self, function: Callable[..., Any], bindings: dict[str, Any], scratch: int
    ) -> None:
        names = list(inspect.signature(function).parameters)[1:]
        if SIMULATED:
            linked = plain(function, bindings)
        else:
            from .device_bridge import link

            linked = link(function, bindings, scratch)
        self._entry = cuda.jit(_entry_point(linked, names))

    def __call__(self, n: int, *args: Any) -> None:
        """Run n threads."""
        self._entry[-(-n // THREADS), THREADS](n, *args)

    def ptx(self, n: int, *args: Any, compute_capability: tuple[int, int]) -> str:
        """The assembly code for such arguments and any device of this or a newer capability.

        Arrays may be NumPy's. Needs no device.
        """
        import numba

        with _compiling_for(compute_capability):
            signature = tuple(map(numba.typeof, (n, *args)))
            return str(cuda.compile_ptx(self._entry.py_func, signature, cc=compute_capability)[0])


def _entry_point(function: Any, names: list[str]) -> Any:
    """A function of (n, *names) that calls ``function`` with the index of the thread before them.

    It is spelled out, for compiled code cannot pass arrays on in a list of any length.
    """
    given = ", ".join(names)
    lines = (
        f"def entry(n, {given}):",
        "    index = cuda.grid(1)",
        "    if index < n:",
        f"        function(index, {given})",
    )
    space: dict[str, Any] = {"cuda": cuda, "function": function}
    exec("\n".join(lines), space)
    return space["entry"]


@contextlib.contextmanager
def _compiling_for(compute_capability: tuple[int, int]) -> Iterator[None]:
    """Compile functions for a device that need not be there: numba-cuda asks the current one."""
    from numba.cuda import dispatcher

    current = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: _Wanted(compute_capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = current


class _Wanted:
    def __init__(self, compute_capability: tuple[int, int]) -> None:
        self.compute_capability = compute_capability


# ---- memory


class DeviceArray:
    """An array on the device.

    ``torch.from_dlpack(array)`` and ``jax.dlpack.from_dlpack(array)`` see the same memory, without
    a copy; so does what knows ``__cuda_array_interface__``. ``numpy()`` copies it to the host.
    """

    def __init__(self, data: Any) -> None:
        self.data = data
        """numba-cuda's own array."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return tuple(self.data.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements, as NumPy knows it."""
        dtype: np.dtype[Any] = np.dtype(self.data.dtype)
        return dtype

    def numpy(self) -> NDArray[Any]:
        """A copy on the host."""
        return np.array(self.data.copy_to_host())

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype} {self.shape}>"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where the memory is; AttributeError in the simulator, whose memory is the host's."""
        interface: dict[str, Any] = self.data.__cuda_array_interface__
        return interface

    def __dlpack__(self, **options: Any) -> Any:
        """The memory as a DLPack capsule."""
        return self._view().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind and number of the device, as DLPack counts them."""
        kind, number = self._view().__dlpack_device__()
        return int(kind), int(number)

    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_any_interface(_memory(self.data), stream_ptr=-1)


def _memory(data: Any) -> Any:
    """What to look at: the simulator keeps its arrays in NumPy's."""
    return data._ary if SIMULATED else data


def to_device(array: ArrayLike) -> DeviceArray:
    """A copy of a NumPy array on the device, in the same order."""
    return DeviceArray(cuda.to_device(np.asarray(array)))


def as_device(array: Any) -> DeviceArray:
    """What was given, if it lies on the device, as ours or another library's; else a copy."""
    if isinstance(array, DeviceArray):
        return array
    if hasattr(array, "__cuda_array_interface__") and not SIMULATED:
        return DeviceArray(cuda.as_cuda_array(array))
    return to_device(array)
