"""Compiles plain-Python rules by Numba, which only this package knows.

``@kernel`` compiles a function over positions the first time each kind of position is passed in,
and keeps the result on disk. It calls the methods of the position's class as they are written
there; positions of a class that says ``compiled=False`` run in plain Python. Importing this imports
no Numba: that happens at the first call of a kernel. With ``NUMBA_DISABLE_JIT=1`` everything runs
as plain Python, with the same answers.

Kernels have typed signatures, and say the shapes of arrays in their docstrings::

    @kernel
    def best_of(position: Position, values: NDArray[np.float64], counts: NDArray[np.int64]) -> int:
        # Return the legal action of the largest of ``values`` (num_actions,), and add the number of
        # legal actions to counts[0]; ``counts`` is (2,).

The annotations are for readers and type checkers, which see them in calls of the kernel, of
``bind``, ``ready`` and ``plain`` as well; Numba goes by the arguments of a call. To a type checker
the elements of an array are Any: ``best: int = values[0]`` says more. A kernel for one game names
its class, one for all boards ``Board``, and one that is given positions of any kind ``Position``,
or ``Any`` if it asks for fields that not every game has.

``kernel.bind(name=value)`` makes a variant of a kernel in which a global name stands for something
else, in the kernel and in every function it calls. A name that none of them uses is an error, and
so is one that means different things to two of them, so that nothing is replaced by accident.

- ``kernel.py``: what a kernel is, and when it may compile;
- ``link.py``: finds everything a function uses, binds it and fingerprints it;
- ``bridge.py``: teaches Numba the methods of positions and the functions of ``bits``;
- ``wide.py``: the native integer of N bits;
- ``cache.py``: the compiled code on disk, filed under its contents; ``folder.py``: where that is;
- ``webassembly.py``: modules for browsers, with ``runtime.ll``, what their code calls by itself.
"""

from .kernel import Kernel, compiling_elsewhere, disabled, inlined, kernel, milliseconds
from .link import CacheError, CompileError

__all__ = [
    "CacheError",
    "CompileError",
    "Kernel",
    "compiling_elsewhere",
    "disabled",
    "inlined",
    "kernel",
    "milliseconds",
]
