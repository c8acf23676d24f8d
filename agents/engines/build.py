"""Makes the modules: the rules of a game and every search that is offered for it, compiled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from adv_envs import Position
from adv_envs.bits import words_of
from adv_envs.jit.source_digest import digest_of_sources
from adv_envs.registry import GAMES, name_of_class, parameters_of, start_position
from agents.knowledge import knowledge_of
from agents.offers import allowed, analyst_specs, seat_specs
from agents.spec import make

from .exact_plans import exact_agent, work_exports
from .kinds import Exports
from .plans import FOLDER, key_of, searched, widths_of
from .rules_engine import rules_exports


class Module:
    """Describes one module: a game whose fields have certain widths."""

    def __init__(self, name: str, starts: list[Position]) -> None:
        """Finds the variants of searches that are offered for the game of any of ``starts``."""
        self.name, self.starts = name, starts
        works = filter(None, map(work_exports, starts))  # of all starts the same
        self.exports: Exports = rules_exports(starts[0]) | next(works, {})
        self.variants: dict[str, list[str]] = {}
        for start in starts:
            for spec in offered_specs(start):
                self.add(make(spec), start)
            if (solver := exact_agent(start)) is not None:
                self.add(solver, start)

    def add(self, agent: Any, start: Position) -> None:
        """Adds the kernels for what ``agent`` does, if an engine can, and has none as yet."""
        if (found := searched(agent, start)) is None:
            return
        kind, _ = found
        exports = kind.exports(agent, start)
        known, key = self.variants.setdefault(kind.NAME, []), key_of(exports)
        if key not in known:
            prefix = f"{kind.NAME}_{len(known)}"
            self.exports |= {f"{prefix}_{name}": export for name, export in exports.items()}
            known.append(key)

    def info(self) -> dict[str, Any]:
        """Returns what ``engines.json`` says of the module."""
        like = self.starts[0]
        return {
            "game": name_of_class(type(like)),
            "widths": list(widths_of(like)),
            "words": len(words_of(like)),
            "chance": like.has_chance,
            "hidden": not like.perfect_information,
            "variants": self.variants,
            "starts": [
                {"parameters": parameters_of(start), "words": list(map(str, words_of(start)))}
                for start in self.starts
            ],
            "fingerprint": self.fingerprint(),
        }

    def fingerprint(self) -> str:
        """Returns a digest of the source that the module is made of."""
        kernels = (kernel for _, (kernel, _) in sorted(self.exports.items()))
        shapes = (f"{name} {shape_of(given)}" for name, (_, given) in sorted(self.exports.items()))
        return digest_of_sources(*kernels, *shapes)

    def compiled(self) -> bytes:
        """Returns the module; CompileError for what cannot be compiled, or without a linker."""
        from adv_envs.jit.webassembly import Export, module_of

        return module_of({name: Export(*export) for name, export in self.exports.items()})


def shape_of(given: Any) -> str:
    """Returns what the code of a kernel depends on of its arguments, as text."""
    if isinstance(given, np.ndarray):
        return f"{given.dtype}[{given.ndim}]"
    if isinstance(given, tuple):
        return f"{type(given).__name__}({', '.join(map(shape_of, given))})"
    return type(given).__name__


def modules() -> Iterator[tuple[str, list[Position]]]:
    """Yields the name of each module, and the starts of the games that it serves."""
    for name in GAMES:
        usual = start_position(name)
        if not usual.is_compiled:
            continue
        others = knowledge_of(usual).settings
        starts = [usual, *(start_position(name, **given) for given in others)]
        by_widths: dict[tuple[int, ...], list[Position]] = {}
        for start in starts:
            by_widths.setdefault(widths_of(start), []).append(start)
        for i, same in enumerate(by_widths.values()):
            yield f"{name}-{i}", same


def offered_specs(start: Position) -> Iterator[str]:
    """Yields the specs of the agents that the page offers for the game of ``start``."""
    yield from allowed(seat_specs(start), start).values()
    yield from allowed(analyst_specs(start), start).values()


def told(info: dict[str, Any]) -> str:
    """Returns ``engines.json``."""
    return json.dumps(dict(sorted(info.items())), indent=1) + "\n"


def file_of(name: str) -> Path:
    """Returns where a module lies."""
    return FOLDER / f"{name}.wasm"


def make_module(name: str) -> int:
    """Makes one module and writes its file; returns how many bytes it has."""
    content = Module(name, dict(modules())[name]).compiled()
    FOLDER.mkdir(parents=True, exist_ok=True)
    file_of(name).write_bytes(content)
    return len(content)
