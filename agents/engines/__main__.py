"""Makes the modules of the engines that are out of date: ``python -m agents.engines``."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from adv_envs.jit import CompileError
from adv_envs.registry import GAMES

from .build import Module, file_of, make_module, modules, told
from .npm_package import write_package
from .plans import FOLDER

INFO = FOLDER / "engines.json"


def main() -> None:
    """Reads the command line, and makes modules or a package of them."""
    options = read_options()
    if options.package is not None:
        try:
            print(f"{write_package(options.package)} files in {options.package}")
        except OSError as error:
            sys.exit(str(error))
        return
    known: dict[str, Any] = json.loads(INFO.read_text("utf-8")) if INFO.exists() else {}
    stale = {name: info for name, info in described(options.games) if is_stale(name, info, known)}
    failed = list[str]()
    columns = *Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns) as bar:
        task = bar.add_task("modules", total=len(stale))
        for name, size in made(list(stale), options.jobs):
            bar.advance(task)
            if isinstance(size, CompileError):
                failed.append(f"{name}: {size}")
                continue
            known[name] = stale[name] | {"bytes": size}
            bar.console.print(f"{name}: {size:,} bytes")
            INFO.write_text(told(known), encoding="utf-8")
    if failed:
        sys.exit("\n".join(failed))
    if not options.games:
        known = leave_out_others(known)
    print(f"{len(known)} modules, {sum(info['bytes'] for info in known.values()):,} bytes")


def read_options() -> argparse.Namespace:
    """Returns what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m agents.engines", description=__doc__)
    parser.add_argument(
        "--games", nargs="+", default=(), choices=list(GAMES), metavar="GAME", help="only of these"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at a time")
    parser.add_argument("--package", type=Path, metavar="DIR", help="write a package for npm there")
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error(f"--jobs must be at least 1, not {options.jobs}")
    return options


def described(games: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields what is to be said of each module of these games, of all if there are none."""
    for name, starts in modules():
        if not games or name.rpartition("-")[0] in games:
            yield name, Module(name, starts).info()


def is_stale(name: str, info: dict[str, Any], known: dict[str, Any]) -> bool:
    """Returns whether a module is missing or was made of something else."""
    made = known.get(name, {})
    return {**info, "bytes": None} != {**made, "bytes": None} or not file_of(name).exists()


def made(names: list[str], jobs: int) -> Iterator[tuple[str, int | CompileError]]:
    """Makes modules, each in a process of its own; yields of each how many bytes it has.

    Of one that cannot be compiled, the reason.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
        running = {pool.submit(make_module, name): name for name in names}
        for done in as_completed(running):
            error = done.exception()
            if error is not None and not isinstance(error, CompileError):
                pool.shutdown(wait=False, cancel_futures=True)
                raise error
            yield running[done], error or done.result()


def leave_out_others(known: dict[str, Any]) -> dict[str, Any]:
    """Removes modules that are not made any more; returns what is said of the others."""
    names = dict(modules()).keys()
    for path in FOLDER.glob("*.wasm"):
        if path.stem not in names:
            path.unlink()
    left = {name: info for name, info in known.items() if name in names}
    INFO.write_text(told(left), encoding="utf-8")
    return left


if __name__ == "__main__":
    main()
