"""Makes the modules: the rules of a game and every search that is offered for it, compiled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from adv_envs import Position
from adv_envs.bits import words_of
from adv_envs.registry import GAMES, name_of_class, parameters_of, start_position
from agents.offers import allowed, analyst_specs, seat_specs
from agents.spec import make

from .exact_plans import exact_agent, work_exports
from .fingerprint import fingerprint
from .kinds import Exports
from .plans import key_of, searched, widths_of
from .rules_engine import rules_exports
from .settings import SETTINGS


class Module:
    """Describes one module: a game whose fields have certain widths."""

    def __init__(self, name: str, starts: list[Position]) -> None:
        """Finds the variants of searches that are offered for the game of any of ``starts``."""
        self.name, self.starts = name, starts
        self.exports: Exports = rules_exports(starts[0]) | work_exports(starts[0])
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
            "fingerprint": fingerprint(self.exports),
        }

    def compiled(self) -> bytes:
        """Returns the module; CompileError for what cannot be compiled, or without a linker."""
        from adv_envs.jit.webassembly import Export, module_of

        return module_of({name: Export(*export) for name, export in self.exports.items()})


def modules() -> Iterator[tuple[str, list[Position]]]:
    """Yields the name of each module, and the starts of the games that it serves."""
    for name in GAMES:
        usual = start_position(name)
        if not usual.is_compiled:
            continue
        starts = [usual, *(start_position(name, **given) for given in SETTINGS.get(name, ()))]
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
    return json.dumps(info, indent=1, sort_keys=True) + "\n"
