"""Defines kernels: functions over positions that run compiled where they can, else plainly."""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, ParamSpec, TypeVar

from adv_envs.bits import num_wide_words
from adv_envs.position import Position, checked

from .folder import is_kept, note_kept
from .link import INLINED, CompileError, check_bindings, plain, used_names

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound=Callable[..., Any])

_COMPILING = threading.RLock()


def inlined(marked: T) -> T:
    """Copies the compiled code of a kernel or function into its callers, however long it is.

    ``marked`` is returned. For the innermost parts of a search: a call with arrays costs about as
    much as a probe of a table. It may make the caller slower to compile, and no faster: measure it.
    """
    INLINED.add(getattr(marked, "function", marked).__code__)
    return marked


def disabled() -> bool:
    """Returns whether NUMBA_DISABLE_JIT asks for plain Python everywhere."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def milliseconds() -> float:
    """Returns a time in milliseconds; kernels ask for it in modules of WebAssembly only."""
    return time.perf_counter() * 1000


class Kernel(Generic[P, R]):
    """Compiles a function over positions, arrays and numbers, once for each kind of argument.

    Numbers come out (or nothing: results may also be written into arrays passed in). A kernel may
    call other kernels. ``bind(name=function)`` makes a variant in which a global name of the
    kernel, and of every kernel it calls, stands for another function: that is how an evaluation
    gets into a search. Called with a position whose class says ``compiled=False`` it runs as plain
    Python.
    """

    def __init__(self, function: Callable[P, R], bindings: dict[str, Any] | None = None) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.bindings = bindings or {}
        self._compiled: dict[tuple[Any, ...], Callable[..., R]] = {}
        self._failed: dict[tuple[Any, ...], CompileError] = {}
        self._plain: Callable[..., R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Returns the function's answer; arguments are given by position.

        TypeError or ValueError for positions that their games cannot have, because what is compiled
        trusts them.
        """
        if kwargs:
            raise TypeError(f"the arguments of {self.function.__name__} are given by position")
        for arg in args:
            if isinstance(arg, Position) and checked(arg) is not arg:  # its fields were converted
                own = [checked(a) if isinstance(a, Position) else a for a in args]
                return self.trusted(*own)  # type: ignore[arg-type,call-arg]
        return self.trusted(*args, **kwargs)

    def trusted(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Returns the same where positions were ``checked`` before, or come from the rules."""
        kinds = None if disabled() else _kinds(args)
        if kinds is None:
            return self.plain(*args, **kwargs)
        return (self._compiled.get(kinds) or self._compile(kinds, args))(*args, **kwargs)

    def prepare(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Compiles for such arguments now, if they can be compiled for; raises CompileError."""
        kinds = None if disabled() else _kinds(args)
        if kinds is not None and kinds not in self._compiled:
            self._compile(kinds, args)

    def ready(self, *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
        """Returns what a call with such arguments ends in: the unchecked entry point.

        It does not look at what it is given, which takes most of the time of a short call:
        positions must have been ``checked``, or come from the rules.
        """
        kinds = None if disabled() else _kinds(args)
        if kinds is None:
            return self.plain
        return self._compiled.get(kinds) or self._compile(kinds, args)

    def available(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Returns the same as ``trusted`` without compiling: in plain Python until that is done."""
        kinds = None if disabled() else _kinds(args)
        compiled = None if kinds is None else self._compiled.get(kinds)
        return (compiled or self.plain)(*args, **kwargs)

    def variant(self, *args: P.args, **kwargs: P.kwargs) -> tuple[Any, ...] | None:
        """Returns what the code for such arguments depends on; None if they run in plain Python."""
        return None if disabled() else _kinds(args)

    def is_quick(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Returns whether a call with such arguments would compile nothing that takes long.

        That is so where the code was made, or was refused, in this process, where it is kept on
        disk, and where nothing is kept at all: then no other process can make it.
        """
        kinds = None if disabled() else _kinds(args)
        if kinds is None or kinds in self._compiled or kinds in self._failed:
            return True
        return is_kept(self.function, self.bindings, kinds, args)

    @property
    def plain(self) -> Callable[P, R]:
        """Returns the same function in plain Python, all the way down."""
        if self._plain is None:
            self._plain = plain(self.function, self.bindings)
        return self._plain

    def traced(self, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[P, R]:
        """Returns ``plain`` with a trace: ``wrap`` returns what is called in place of a function.

        It is given every function and kernel that is called, as plain Python whose ``__code__`` is
        that of the function as it was written. Nothing of it is in what is compiled.
        """
        return plain(self.function, self.bindings, wrap)

    def bind(self, **functions: Any) -> Kernel[P, R]:
        """Returns a variant in which the given global names stand for these functions or constants.

        A name is bound in the kernel and in every function that it calls, directly or not; what is
        bound, and the methods of positions, keep their own globals. Raises ValueError for a name
        that none of these functions uses, and for one that means different things to two of them.
        The same functions give the same kernel again, with what it has compiled.
        """
        if not functions:
            return self
        names = tuple(sorted(functions))
        return _bound(self, names, *map(functions.__getitem__, names))  # type: ignore[no-any-return]

    def bind_used(self, **facts: Any) -> Kernel[P, R]:
        """Returns ``bind`` of those ``facts`` that the kernel, or what it calls, uses by name.

        For facts about a game that are worked out once for several kernels that need some
        of them. Names that are spelt out in a call belong into ``bind``.
        """
        used = used_names(self.function, self.bindings | facts)
        return self.bind(**{name: value for name, value in facts.items() if name in used})

    def _compile(self, kinds: tuple[Any, ...], args: tuple[Any, ...]) -> Callable[..., R]:
        if _elsewhere.takes is not None and _elsewhere.takes(self, args):
            return self.available
        with _COMPILING, uninterrupted():
            from .bridge import compile_kernel
        with _COMPILING:
            if kinds in self._failed:
                raise self._failed[kinds]
            if kinds not in self._compiled:
                try:
                    self._compiled[kinds] = compile_kernel(self.function, self.bindings, args)
                except CompileError as error:
                    self._failed[kinds] = error
                    raise
                note_kept(self.function, self.bindings, kinds, args)
            return self._compiled[kinds]

    def __reduce__(self) -> Any:
        """Copies and pickles by name, as functions do; bound ones with what is bound."""
        name = self.function.__qualname__
        named = getattr(sys.modules.get(self.__module__), name, None)
        if named is self:
            return name
        if isinstance(named, Kernel) and named.function is self.function:
            names = tuple(sorted(self.bindings))
            return _bound, (named, names, *map(self.bindings.__getitem__, names))
        return Kernel, (self.function, self.bindings)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"


class _Elsewhere(threading.local):
    takes: Callable[[Kernel[..., Any], tuple[Any, ...]], bool] | None = None


_elsewhere = _Elsewhere()


@contextmanager
def compiling_elsewhere(
    takes: Callable[[Kernel[..., Any], tuple[Any, ...]], bool] | None,
) -> Iterator[None]:
    """Lets kernels that this thread calls meanwhile run plainly where they are compiled elsewhere.

    ``takes(kernel, args)`` is asked wherever a kernel would be compiled for such arguments, and
    returns whether it has seen to that: until it is done, ``available`` is called. None compiles
    here, before anything is called.
    """
    before, _elsewhere.takes = _elsewhere.takes, takes
    try:
        yield
    finally:
        _elsewhere.takes = before


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Lets Ctrl-C wait until the block is left, for imports: half a module cannot be used again."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compiles ``function`` for the positions it is called with. See ``Kernel``."""
    return Kernel(function)


@functools.lru_cache(maxsize=256)
def _bound(kernel: Any, names: tuple[str, ...], *functions: Any) -> Any:
    bindings = kernel.bindings | dict(zip(names, functions, strict=True))
    check_bindings(kernel.function, names, bindings)
    return Kernel(kernel.function, bindings)


def _kinds(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Returns what compiled code depends on of each argument; None if one cannot be compiled."""
    kinds: list[Any] = []
    for arg in args:
        if hasattr(arg, "wide_fields"):  # a position; how wide its words are is part of its type
            if not arg.is_compiled:
                return None
            words = tuple(num_wide_words(getattr(arg, width)) for width in arg.field_widths)
            kinds.append((type(arg), words))
        elif hasattr(arg, "dtype") and arg.ndim:
            order = arg.flags.c_contiguous, arg.flags.f_contiguous, arg.flags.writeable
            kinds.append((arg.dtype.str, arg.ndim, *order))
        elif isinstance(arg, tuple):
            kinds.append((type(arg), _kinds(arg)))
        else:
            kinds.append(type(arg))
    return tuple(kinds)
