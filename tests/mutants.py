"""Plants faults in the packages and counts those that the tests find.

Each fault ("mutant") is one small change: a number, a comparison, an operator, a condition, a
loop that is left out. Cosmic Ray (https://cosmic-ray.readthedocs.io) makes them. Their draw depends
on the seed and on the text of the lines, not on their numbers: two versions of the tests meet
the same faults::

    python tests/mutants.py --count 30
    python tests/mutants.py --only rules --only rating --tests ../before/tests

Every fault is planted in a copy of the project, and the tests of its group run there. A test that
fails, or tests that take ten times as long as without a fault, find it.
"""

import argparse
import ast
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from tqdm import tqdm

ROOT = Path(__file__).parent.parent


class Group(NamedTuple):
    """Names the sources in which faults are planted, and the tests that are to find them.

    The tests run as plain Python, or compiled: where the sources are no kernels, they lose nothing.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    compiled: bool = False


GROUPS = {
    "rules": Group(
        ("adv_envs/games/*.py", "adv_envs/bits.py"),
        ("games", "test_games.py", "test_laws.py", "test_naive*.py", "test_perft.py",
         "test_hidden.py", "test_multiplayer.py", "test_position.py", "test_listed_actions.py",
         "test_pig.py", "test_versions.py", "test_aima.py"),
    ),
    "env": Group(
        ("adv_envs/envs/aec.py", "adv_envs/envs/observation.py", "adv_envs/envs/render_mixin.py",
         "adv_envs/session.py"),
        ("test_aec*.py", "test_observation_forms.py", "test_session.py", "test_hidden.py",
         "test_render.py"),
        compiled=True,
    ),
    "gym": Group(
        ("adv_envs/envs/gym.py", "adv_envs/envs/opponents.py", "adv_envs/batch/vector.py"),
        ("test_gym.py", "test_opponents.py", "test_vector*.py", "test_observation_forms.py"),
        compiled=True,
    ),
    "kernels": Group(
        ("adv_envs/batch/*.py", "agents/search/*.py", "agents/mcts/*.py"),
        ("test_alpha_beta.py", "test_batch.py", "test_expectiminimax.py", "test_mcts.py",
         "test_multiplayer.py", "test_perfect.py", "test_proof_number.py", "test_retrograde.py",
         "test_vector*.py"),
    ),
    "equilibrium": Group(
        ("agents/equilibrium/*.py",),
        ("test_equilibrium.py", "test_game_tree.py", "test_regret.py"),
    ),
    "rating": Group(
        ("agents/arena/rating/*.py", "agents/statistics.py"),
        ("test_ratings.py", "test_league.py", "test_match.py", "test_tournament*.py",
         "test_duplicate_deals.py", "test_ladder.py", "test_grading.py"),
        compiled=True,
    ),
}  # fmt: skip
OPERATORS = ("Number", "Comparison", "BinaryOperator", "Unary", "And", "Or", "AddNot", "True",
             "False", "Break", "Continue", "ZeroIteration")  # fmt: skip
"""Parts of the names of the changes that are made: those that one slip of a hand would make."""


class Mutant(NamedTuple):
    """Describes one fault: where it is planted, and the text of the file with it."""

    path: str
    line: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


def annotated(source: str) -> set[tuple[int, int]]:
    """Returns the (line, column) of all that stands in annotations, where nothing is computed."""
    parts: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg | ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            parts.append(node.returns)
    return {
        (line, column)
        for part in parts
        if part is not None
        for line in range(part.lineno, (part.end_lineno or 0) + 1)
        for column in range(part.col_offset, (part.end_col_offset or 0) + 1)
    }


def places(path: str) -> Iterator[tuple[str, list[tuple[str, dict, int]], int]]:
    """Yields each place of a file that can be changed: its key, its changes, its line."""
    source = (ROOT / path).read_text(encoding="utf-8")
    lines = source.splitlines()
    nodes = list(ast_nodes(get_ast(source)))
    silent = annotated(source)
    found: dict[tuple[int, int], list[tuple[str, dict, int]]] = {}
    for name in operator_names():
        if not any(part in name for part in OPERATORS):
            continue
        operator = get_operator(name)
        for arguments in operator.arguments() or ({},):
            given = arguments if isinstance(arguments, dict) else vars(arguments)
            made = operator(**given)
            spots = itertools.chain.from_iterable(map(made.mutation_positions, nodes))
            for occurrence, (begin, _) in enumerate(spots):
                if begin not in silent:
                    found.setdefault(begin, []).append((name, given, occurrence))
    seen: Counter[str] = Counter()
    for line, column in sorted(found):
        text = f"{path}|{lines[line - 1].strip()}"
        seen[text] += 1
        yield f"{text}|{seen[text]}", found[line, column], line


def drawn(group: Group, count: int, seed: int) -> list[Mutant]:
    """Returns at most ``count`` faults of a group, drawn by the seed, no two in one place."""

    def draw(*parts: object) -> bytes:
        return hashlib.blake2b(repr((seed, *parts)).encode()).digest()

    files = sorted({str(p.relative_to(ROOT)) for glob in group.sources for p in ROOT.glob(glob)})
    ranked = sorted((draw(key), key, path, changes, line)
                    for path in files for key, changes, line in places(path))  # fmt: skip
    mutants = []
    for _, key, path, changes, line in ranked:
        source = (ROOT / path).read_text(encoding="utf-8")
        name, given, occurrence = min(changes, key=lambda c: draw(key, c[0], sorted(c[1].items())))
        text = mutate_code(source, get_operator(name)(**given), occurrence)
        if text is not None and ast.dump(ast.parse(text)) != ast.dump(ast.parse(source)):
            old, new = source.splitlines()[line - 1].strip(), text.splitlines()[line - 1].strip()
            mutants.append(Mutant(path, line, old, new, text))
        if len(mutants) == count:
            break
    return mutants


def copied(folder: Path, tests: Path) -> Path:
    """Copies what the tests need into an empty folder, with the tests of another folder."""
    ignored = shutil.ignore_patterns("__pycache__", "_build", "node_modules", ".*")
    for name in ("adv_envs", "agents", "benchmarks", "docs", "examples", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name, **({"ignore": ignored} if (ROOT / name).is_dir() else {}))
    shutil.copytree(tests, folder / "tests", ignore=ignored)
    return folder


def passes(folder: Path, group: Group, limit: float | None) -> tuple[bool, str]:
    """Returns whether the tests of a group pass within ``limit`` seconds, and what they print."""
    files = sorted({str(p) for glob in group.tests for p in (folder / "tests").glob(glob)})
    if not files:
        raise SystemExit(f"no tests of the group in {folder}")
    wanted = f"not (slow or thorough{'' if group.compiled else ' or compiled'})"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--light", "-p", "no:cacheprovider"]
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "0" if group.compiled else "1",
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SDL_VIDEODRIVER": "dummy",
    }
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [*command, "-m", wanted, *files], cwd=folder, env=environment, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()
        output.seek(0)
        return code == 0, output.read()


def measure(name: str, count: int, seed: int, jobs: int, tests: Path) -> tuple[int, list[Mutant]]:
    """Plants the faults of a group; returns how many there were, and those that no test found.

    Raises:
        SystemExit: If the tests of the group fail without a fault.
    """
    group = GROUPS[name]
    mutants = drawn(group, count, seed)
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            (Path(scratch) / str(job)).mkdir()
            copies.put(copied(Path(scratch) / str(job), tests))
        first, began = copies.get(), time.perf_counter()
        good, output = passes(first, group, None)
        if not good:
            raise SystemExit(f"{output}\nThe tests of {name!r} fail without any fault planted")
        limit = 60 + 10 * (time.perf_counter() - began)
        copies.put(first)

        def survives(mutant: Mutant) -> bool:
            folder = copies.get()
            try:
                (folder / mutant.path).write_text(mutant.text, encoding="utf-8")
                return passes(folder, group, limit)[0]
            finally:
                shutil.copy(ROOT / mutant.path, folder / mutant.path)
                copies.put(folder)

        with ThreadPoolExecutor(jobs) as pool:
            runs = {pool.submit(survives, mutant): mutant for mutant in mutants}
            finished = tqdm(as_completed(runs), name, len(runs), leave=False, disable=None)
            lost = [runs[run] for run in finished if run.result()]
    return len(mutants), sorted(lost)


def main() -> None:
    """Prints the faults found in each group, and all that were not found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=GROUPS, help="a group; may be repeated")
    parser.add_argument("--count", type=int, default=20, help="faults in each group (20)")
    parser.add_argument("--seed", type=int, default=0, help="decides which faults (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tests at a time")
    parser.add_argument(
        "--tests", type=Path, default=ROOT / "tests", metavar="DIR", help="run these tests instead"
    )
    options = parser.parse_args()
    if options.count < 1 or options.jobs < 1:
        parser.error("--count and --jobs are at least 1")
    if not options.tests.is_dir():
        parser.error(f"no folder {options.tests}")
    print(f"{'group':12} {'faults':>6} {'found':>6} {'%':>5}", flush=True)
    for name in options.only or GROUPS:
        total, lost = measure(name, options.count, options.seed, options.jobs, options.tests)
        found = total - len(lost)
        print(f"{name:12} {total:6} {found:6} {100 * found / max(total, 1):5.0f}", flush=True)
        for mutant in lost:
            print(f"    not found: {mutant}", flush=True)


if __name__ == "__main__":
    main()
