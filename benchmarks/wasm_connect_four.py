"""Measures how long exact scores of Connect Four take in WebAssembly, beside the compiled solver.

The positions are the first of each of the six classes of `agents.games.connect_four.classes`, by
which solvers are compared. Neither solver has a book, and a position finds a table that is empty;
making and emptying it is outside of the time. Scores are compared with the published ones, and a
difference stops it. WebAssembly runs in Node. It needs the extra `js`, no other program.

    python benchmarks/wasm_connect_four.py [--positions 20]
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from adv_envs import ConnectFour
from adv_envs.bits import words_of
from agents.engines import plan_of
from agents.engines.plans import FOLDER
from agents.games.connect_four.classes import load_classes
from agents.games.connect_four.solver import BoardSearch, ConnectFourSolver
from agents.search.limits import counters

MEGABYTES = 64
"""The size of both tables."""

SCRIPT = """
import { readFileSync } from "node:fs";
const { statics, folder, plan, positions } = JSON.parse(readFileSync(0, "utf-8"));
const { Engine } = await import(`${statics}/engine.js`);
const { ScoreSearch } = await import(`${statics}/exact.js`);
const infos = JSON.parse(readFileSync(`${folder}/engines.json`, "utf-8"));
const bytes = readFileSync(`${folder}/${plan.module}.wasm`);
const engine = await Engine.load(bytes, infos[plan.module]);
for (const words of [positions[0], ...positions]) {
  const search = new ScoreSearch(engine, plan, BigInt64Array.from(words, BigInt), {});
  const began = performance.now();
  const score = search.whole();
  console.log(JSON.stringify([score, (performance.now() - began) / 1000]));
}
"""
"""Scores positions in Node, the first one twice, as it warms up."""


def main() -> None:
    """Reads the command line and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20, help="of each class")
    options = parser.parse_args()
    table = Table(title="Seconds for the exact score of a position, the mean and the most")
    for column in ("class", "positions", "compiled", "", "WebAssembly", "", "times as long"):
        table.add_column(column, justify="left" if column == "class" else "right")
    for name, tests in track(load_classes().items(), "classes"):
        used = tests[: options.positions]
        positions, scores = [test.position for test in used], [test.score for test in used]
        here, there = compiled_times(positions, scores), node_times(positions, scores)
        ratio = statistics.mean(there) / statistics.mean(here)
        table.add_row(name, str(len(used)), *shown(here), *shown(there), f"{ratio:.2f}")
    Console().print(table)


def compiled_times(positions: list[Any], scores: list[float]) -> list[float]:
    """Returns the seconds of the compiled solver for each position."""
    search, found = BoardSearch(ConnectFour(), MEGABYTES, False), []
    for position, score in zip([positions[0], *positions], [scores[0], *scores], strict=True):
        search.table[:] = 0
        began = time.perf_counter()
        said = search.search(position[3:6], counters(), -63, 63)
        found.append(time.perf_counter() - began)
        require_equal(position, said, score)
    return found[1:]


def node_times(positions: list[Any], scores: list[float]) -> list[float]:
    """Returns the seconds of the engine in Node for each position."""
    start = ConnectFour()
    asked = {
        "statics": (Path(__file__).resolve().parents[1] / "agents/engines/static").as_uri(),
        "folder": str(FOLDER),
        "plan": plan_of(ConnectFourSolver(book=False, table_mb=MEGABYTES), start),
        "positions": [list(map(str, words_of(position))) for position in positions],
    }
    done = subprocess.run(
        [node(), "--input-type=module", "-e", SCRIPT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()][1:]
    for position, (said, _), score in zip(positions, answers, scores, strict=True):
        require_equal(position, said, score)
    return [seconds for _, seconds in answers]


def node() -> str:
    """Returns the program that runs JavaScript: that of the extra `js`, or the system's."""
    beside = Path(sys.executable).parent / "node"
    found = str(beside) if beside.exists() else shutil.which("node")
    if found is None:
        raise SystemExit("Node is not there: install adv-envs[js]")
    return found


def require_equal(position: Any, said: int, score: float) -> None:
    """Stops where a score is wrong."""
    if said != score:
        raise SystemExit(f"a score of {said} in place of {score:g}:\n{position}")


def shown(seconds: list[float]) -> tuple[str, str]:
    """Returns the mean and the most, as text."""
    return f"{statistics.mean(seconds):.4f}", f"{max(seconds):.4f}"


if __name__ == "__main__":
    main()
