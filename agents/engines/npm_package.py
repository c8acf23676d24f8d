"""Writes the engines as a package for npm: the modules, JavaScript, types, and an example."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from adv_envs.registry import start_position
from adv_envs.version import __version__
from agents.spec import make

from .build import offered_specs
from .plans import FOLDER, engine_info, plan_of

STATIC = Path(__file__).parent / "static"
TYPES = Path(__file__).parent / "engine.d.ts"

DESCRIPTION = {
    "name": "adv-envs-engines",
    "version": __version__,
    "description": "Board, card and dice games with engines that search, as WebAssembly.",
    "license": "MIT",
    "author": "The adv-envs developers",
    "keywords": ["board games", "alpha-beta", "mcts", "webassembly"],
    "type": "module",
    "main": "./index.js",
    "exports": {
        ".": {"types": "./engine.d.ts", "default": "./index.js"},
        "./engine-worker.js": "./engine-worker.js",
        "./modules/*": "./modules/*",
        "./package.json": "./package.json",
    },
    "types": "./engine.d.ts",
    "files": ["*.js", "example.mjs", "engine.d.ts", "modules"],
    "sideEffects": ["./engine-worker.js", "./example.mjs"],
    "engines": {"node": ">=20"},
}

INDEX = """export { Engine } from "./engine.js";
export { loadGame } from "./load_game.js";
"""

EXAMPLE = """// Two engines play a game, in Node and in pages.
import { loadGame } from "./index.js";

const { engine, start, plans } = await loadGame("connect_four");
const specs = ["alpha_beta(depth=8, evaluate=connect_four.threats)", "mcts(simulations=1000)"];
let position = start;
const moves = [];
while (!engine.isTerminal(position)) {
  const plan = plans[specs[engine.toMove(position)]];
  const found = engine.search(position, plan, { seed: 1 });
  moves.push(found.action);
  position = engine.play(position, found.action);
}
const [first] = engine.utilities(position);
const result = first > 0 ? `${specs[0]} wins` : first < 0 ? `${specs[1]} wins` : "a draw";
const text = `${moves.join(" ")}: ${result}`;
if (globalThis.document) document.body.append(text);
else console.log(text);
"""

README = """# adv-envs-engines

Games with engines that search, as WebAssembly: in browsers and in Node 20 or newer, without
dependencies. They are made by the Python package adv-envs, of the rules and searches that it has,
and find the same moves; Monte Carlo those of Python's `mcts(reuse=False, knowledge=0)`.

    node example.mjs

Needed are ES modules, WebAssembly, and 64-bit integers in both: any browser since 2021. A page
comes from a web server, not from the disk, and one with a Content-Security-Policy allows
`wasm-unsafe-eval` in `script-src`. Types need the target ES2022, and no library of the DOM.

`loadGame(game, parameters)` gives an engine, the first position, and plans: how an engine plays
what an agent of adv-envs would, by the agent's spec. `engine.d.ts` says all that an engine does.
`engine-worker.js` is a web worker that searches, so that a page does not wait. The games are:

"""


def write_package(folder: Path) -> int:
    """Writes the package into a folder; returns how many files it has.

    FileExistsError if something else is in the folder, FileNotFoundError if the licence is not
    where the installation has it.
    """
    written = texts()
    if folder.exists() and any(folder.iterdir()) and not is_package(folder):
        raise FileExistsError(f"{folder} is not empty, and not a package of engines")
    modules = folder / "modules"
    modules.mkdir(parents=True, exist_ok=True)
    for path in modules.iterdir():
        path.unlink()  # some may be of games that there are no more
    for path in [*FOLDER.glob("*.wasm"), FOLDER / "engines.json"]:
        shutil.copyfile(path, modules / path.name)
    for path in [*STATIC.glob("*.js"), TYPES]:
        shutil.copyfile(path, folder / path.name)
    for name, plans in all_plans().items():  # as large as a policy: a page loads those of its game
        (modules / f"{name}.plans.json").write_text(json.dumps(plans), encoding="utf-8")
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    return sum(path.is_file() for path in folder.rglob("*"))


def is_package(folder: Path) -> bool:
    """Returns whether a folder has a package that was written before."""
    try:
        told = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and told.get("name") == DESCRIPTION["name"]


def texts() -> dict[str, str]:
    """Returns the files of text by their names."""
    return {
        "package.json": json.dumps(DESCRIPTION, indent=2) + "\n",
        "index.js": INDEX,
        "example.mjs": EXAMPLE,
        "LICENSE": licence(),
        "README.md": README + "\n".join(f"- {line}" for line in games()) + "\n",
    }


def licence() -> str:
    """Returns the text of the licence; FileNotFoundError if it is not installed."""
    if not (found := metadata.distribution("adv-envs").read_text("licenses/LICENSE")):
        raise FileNotFoundError("adv-envs is installed without its licence: install it again")
    return found


def games() -> Iterator[str]:
    """Yields each game with the parameters that there are modules for."""
    found: dict[str, list[str]] = {}
    for info in engine_info().values():
        shown = (json.dumps(start["parameters"]) for start in info["starts"])
        found.setdefault(info["game"], []).extend(shown)
    for game, parameters in sorted(found.items()):
        yield f"`{game}`: {', '.join(f'`{text}`' for text in parameters)}"


def all_plans() -> dict[str, list[dict[str, Any]]]:
    """Returns for each start of each module the plans of the agents that are offered, by spec."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, info in engine_info().items():
        starts = (start_position(info["game"], **told["parameters"]) for told in info["starts"])
        found[name] = [dict(plans_for(start)) for start in starts]
    return found


def plans_for(start: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the plan of each agent that is offered and that an engine plays, by its spec."""
    for spec in offered_specs(start):
        if (plan := plan_of(make(spec), start)) is not None:
            yield spec, plan
