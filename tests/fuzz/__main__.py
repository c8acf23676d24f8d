"""Runs the fuzzers in processes of their own: ``make fuzz ARGS="--inputs 20000 --only gtp"``.

An input that is neither accepted nor refused by a documented error is printed with what makes it
again, made smaller; so is one that takes more than ``LIMIT`` seconds of a processor, or ends the
process. A table says how many inputs there were of each kind. The exit code is 1 if any failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import KINDS, made

LIMIT = 20
"""Seconds of a processor for one input: a thousand times what any takes."""
SILENCE = 300
"""Seconds without a new input after which a process counts as hanging."""
CHUNK = 20_000
"""Inputs of one process, at most."""
MEMORY = 8 << 30


class Hang(BaseException):
    """An input has taken too long."""


# ---- in a process of its own


def work(name: str, seed: int, first: int, count: int, progress: Path) -> None:
    """Asks about inputs and prints a line of JSON for each that fails, and one at the end."""
    import resource  # Unix has it

    answers = os.fdopen(os.dup(1), "w")
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - as long as the process lives
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, overdue)
    counts = Counter[str]()
    with progress.open("r+b") as file, mmap.mmap(file.fileno(), 8) as shared:
        for index in range(first, first + count):
            shared[:] = index.to_bytes(8, "little")
            given = made(name, seed, index)
            found = outcome(KINDS[name], given)
            counts["accepted" if found is None else "refused" if found == "" else "failed"] += 1
            if found:
                small = smaller(KINDS[name], given, found)
                print(json.dumps([index, found, ascii(small)]), file=answers, flush=True)
    print(json.dumps(counts), file=answers, flush=True)


def overdue(*_: object) -> None:
    """Ends the input that has taken too long."""
    raise Hang(f"more than {LIMIT} seconds")


def outcome(kind: Any, given: Any) -> str | None:
    """Returns None for an input that is accepted, "" for a refused one, else what went wrong."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        kind.ask(given)
    except kind.errors:
        return ""
    except (Exception, Hang) as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f for f in frames if "adv_envs" in f.filename or "agents" in f.filename] or frames
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
        return f"{type(error).__name__} at {where}: {str(error)[:150]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def smaller(kind: Any, given: Any, found: str) -> Any:
    """Returns a part of an input that fails alike; of one that takes too long, itself."""
    if found.startswith("Hang"):
        return given
    wanted, parts = found.partition(": ")[0], 2
    while parts <= 2 * len(given) and parts <= 256:
        size = max(1, len(given) // parts)
        for begin in range(0, len(given), size):
            less = given[:begin] + given[begin + size :]
            if less and (outcome(kind, less) or "").partition(": ")[0] == wanted:
                given = less
                break
        else:
            parts *= 2
    return given


# ---- the processes


@dataclass
class Tally:
    """What came of the inputs of a kind."""

    inputs: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    failures: dict[str, tuple[int, str]] = field(default_factory=dict)
    """For each way to fail the first input, by number and as ``ascii`` writes it."""


def run(name: str, seed: int, first: int, count: int, tally: Tally) -> None:
    """Asks about inputs in processes, of which each that ends early is followed by another."""
    end = first + count
    while first < end:
        with tempfile.NamedTemporaryFile() as progress:
            progress.write(first.to_bytes(8, "little"))
            progress.flush()
            began = time.perf_counter()
            last, ended = watched(name, seed, first, end - first, Path(progress.name), tally)
            tally.seconds += time.perf_counter() - began
        if ended:
            tally.failures.setdefault(ended, (last, f"made({name!r}, {seed}, {last})"))
            tally.counts["failed"] += 1
        tally.inputs += last + 1 - first
        first = last + 1


def watched(
    name: str, seed: int, first: int, count: int, progress: Path, tally: Tally
) -> tuple[int, str]:
    """Runs one process; returns the number of its last input, and how it ended unless well."""
    command = [sys.executable, "-m", "fuzz", "--work", name, str(seed), str(first), str(count)]
    here = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, here))}
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*command, str(progress)], stdout=subprocess.PIPE, stderr=errors, text=True, env=where
        )
        while True:
            before = progress.read_bytes()
            try:
                said, _ = process.communicate(timeout=SILENCE)
                break
            except subprocess.TimeoutExpired:
                if progress.read_bytes() == before:
                    process.send_signal(signal.SIGABRT)
        errors.seek(0)
        told = errors.read().decode("utf-8", "replace")
    last = int.from_bytes(progress.read_bytes(), "little")
    for line in map(json.loads, said.splitlines()):
        if isinstance(line, dict):
            tally.counts.update(line)
            return first + count - 1, ""
        tally.failures.setdefault(
            line[1].partition(": ")[0], (line[0], f"{line[1]}\n    {line[2]}")
        )
    return last, f"the process ended with {process.returncode}: {told[-1500:]}"


def main() -> int:
    """Runs what the arguments say; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="in all; 1,000,000")
    parser.add_argument("--seed", type=int, help="of the inputs; by default a new one")
    parser.add_argument("--only", choices=KINDS, nargs="*", help="these kinds")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    seed = int.from_bytes(os.urandom(4), "big") if options.seed is None else options.seed
    kinds = [KINDS[name] for name in options.only or KINDS]
    print(f"seed {seed}", flush=True)
    tallies = {kind.name: Tally() for kind in kinds}
    shares = sum(kind.share for kind in kinds)
    with ThreadPoolExecutor(options.processes) as pool:
        for kind in kinds:
            most = -(-options.inputs * kind.share // shares)
            for first in range(0, most, CHUNK):
                count = min(CHUNK, most - first)
                pool.submit(run, kind.name, seed, first, count, tallies[kind.name])
    return report(tallies, seed)


def report(tallies: dict[str, Tally], seed: int) -> int:
    """Prints the failures and the table; returns the exit code."""
    for name, tally in tallies.items():
        for why, (index, said) in tally.failures.items():
            print(f"\n{name}, input {index} of seed {seed}: {why}\n    {said[:800]}")
    names = "accepted", "refused", "failed"
    print(f"\n{'kind':24}{'inputs':>10}{''.join(f'{name:>10}' for name in names)}{'a second':>10}")
    for name, tally in tallies.items():
        counts = "".join(f"{tally.counts[name]:10,}" for name in names)
        rate = tally.inputs / max(tally.seconds, 1e-9)
        print(f"{name:24}{tally.inputs:10,}{counts}{rate:10,.0f}")
    failed = sum(tally.counts["failed"] for tally in tallies.values())
    print(f"{'all':24}{sum(t.inputs for t in tallies.values()):10,}{'':20}{failed:10,}")
    return int(failed > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], *map(int, sys.argv[3:6]), Path(sys.argv[6]))  # type: ignore[arg-type]
    else:
        sys.exit(main())
