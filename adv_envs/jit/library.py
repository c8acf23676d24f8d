"""Optimises libraries of compiled code: a kernel once, with all that it calls.

Numba optimises every function together with all that it calls, which were optimised before, and
makes machine code of the whole. Of a kernel only one function is called from outside. The others
wait as they were generated until that one links them, and nobody else can call them then: this
takes half the time, and makes code that is as fast or faster (``benchmarks/cold_start.py``).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class InternalLibrary(JITCodeLibrary):
    """Holds the code of a function that only compiled code calls, as it was generated."""

    _shared_module: Any

    def finalize(self) -> None:
        """Leaves it as it is."""
        self._raise_if_finalized()
        self._finalized = True

    def link(self) -> None:
        """Adds all that is called, directly or not, to the final module; each function once."""
        found: dict[Any, None] = {}
        self._find_callees(found)
        for library in found:
            if hasattr(library, "_reload_init"):  # of newer versions of Numba
                self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._final_module, preserve=True)

    def _find_callees(self, found: dict[Any, None]) -> None:
        for library in self._linking_libraries:
            if library not in found:
                found[library] = None
                if isinstance(library, InternalLibrary):
                    library._find_callees(found)

    def _get_module_for_linking(self) -> Any:
        """Returns the whole, for callers that Numba compiles by itself."""
        if self._shared_module is None:
            whole = InternalLibrary(self._codegen, self.name)
            whole._final_module.link_in(self._final_module, preserve=True)
            whole._linking_libraries = self._linking_libraries
            whole.link()
            hide(whole._final_module, "linkonce_odr")  # as Numba does: others may have it, too
            self._shared_module = whole._final_module
        return self._shared_module


class EntryLibrary(InternalLibrary):
    """Holds the code of a kernel: linked with all that it calls, and optimised once."""

    def finalize(self) -> None:
        """Links, optimises, and emits machine code."""
        self._raise_if_finalized()
        functions = self._final_module.functions
        own = {function.name for function in functions if not function.is_declaration}
        self.link()
        hide(self._final_module, "internal", own)  # then what is called once is written there
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    _get_module_for_linking = JITCodeLibrary._get_module_for_linking


def hide(module: Any, linkage: str, but: Collection[str] = ()) -> None:
    """Gives ``linkage`` to the functions that a module offers to others, but for those named."""
    for function in module.functions:
        offered = function.linkage == Linkage.external and not function.is_declaration
        if offered and function.name not in but:
            function.linkage = linkage


class InternalCompiler(Compiler):
    """Represents Numba's compiler for a function that only compiled code calls."""

    library: type[InternalLibrary] = InternalLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compiles a function into a library of this kind."""
        context = self.state.targetctx  # made for this function
        self.state.library = self.library(context.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        if self.library is InternalLibrary:
            context.get_executable = _nothing_to_call
        return super().compile_extra(func)


class EntryCompiler(InternalCompiler):
    """Represents the same for the function that Python calls."""

    library = EntryLibrary


def _nothing_to_call(library: Any, fndesc: Any, env: Any) -> Any:
    """Returns what Numba knows a function by that has no machine code of its own."""
    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", 0, env, (library,))
