"""Counts the weight of the two packages: lines, files, loops of imports, kernels.

    python benchmarks/house.py                      the working tree
    python benchmarks/house.py --before v0.1.0      a commit beside it

Lines are counted by the tokeniser and the syntax tree: what is left without blank lines, comments
and docstrings is code. An import counts wherever it stands: at the top, in a function, as the text
given to ``import_module`` or in a table of lazy names; those for type checkers alone do not. A loop
is a set of files that all lead to each other. Modules entered are those of the two
packages in which a line runs, in this process, once everything is compiled and imported.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("adv_envs", "agents")

LAYERS = [
    ("position", "bits", "literals", "random", "files", "lazy", "notation", "session", "version"),
    ("games", "pictures", "formats", "jit", "layout", "registry", "optional", "startup"),
    ("envs", "batch", "text", "testing", "aima", "notebook"),
]
"""Rooms of adv_envs, lowest first: an import from a lower one to a higher one runs upwards."""

WALKS = {
    "Env.step": """
env = adv_envs.env("connect_four")
def prepare(): env.reset(seed=0)
def walk(): env.step(3)
""",
    "alpha_beta.act": """
agent = agents.make("alpha_beta(depth=4)")
position = adv_envs.start_position("connect_four")
def prepare(): agent.reset(0)
def walk(): agent.act(position)
""",
    "Boards.step": """
import numpy as np
boards = adv_envs.Boards(adv_envs.start_position("connect_four"), 8)
def prepare(): boards.reset(seed=0)
def walk(): boards.step(np.full(8, 3))
""",
    "a tournament": """
from agents import arena
start = adv_envs.start_position("tic_tac_toe")
def prepare(): pass
def walk(): arena.run(start, ["random", "greedy"], games=4, workers=1)
""",
    "a grade": """
from agents import grading
start = adv_envs.start_position("tic_tac_toe")
def prepare(): pass
def walk(): grading.grade(start, "random", positions=20, games=2, seed=0)
""",
    "a move on the page": """
sys.path.insert(0, "tests")
from web_client import our_page
page = our_page()
def prepare(): pass
def walk(): page.post("/api/position", json={"game": "connect_four", "moves": [3]})
""",
}
"""Walks through the house: Python that defines ``prepare`` and ``walk``."""


# ---- lines


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yields the docstrings of a module, also those of attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield text


def code_lines(text: str, tree: ast.Module) -> tuple[int, int]:
    """Returns how many lines of a file hold code, and how many a docstring."""
    documented: set[int] = set()
    for node in docstrings(tree):
        documented |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    held: set[int] = set()
    empty = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (*empty, tokenize.ENDMARKER):
            held |= set(range(token.start[0], token.end[0] + 1))
    return len(held - documented), len(documented)


# ---- imports


def module_of(file: Path) -> str:
    """Returns the dotted name of a file: "agents.games.hex" also for the package's __init__."""
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Imports(ast.NodeVisitor):
    """Returns what a module imports from the two packages, anywhere, type checking aside."""

    def __init__(self, name: str, is_package: bool, modules: set[str]) -> None:
        self.package = name if is_package else name.rpartition(".")[0]
        self.modules = modules
        self.found: set[str] = set()

    def add(self, name: str) -> None:
        """Notes an import of a module, or of a name in one."""
        while name and name not in self.modules:
            name = name.rpartition(".")[0]
        if name:
            self.found.add(name)

    def absolute(self, level: int, module: str) -> str:
        """Returns the full name of what is imported with ``level`` dots before it."""
        base = self.package.split(".")
        base = base[: len(base) - level + 1] if level else []
        return ".".join([*base, *filter(None, [module])])

    def visit_If(self, node: ast.If) -> None:
        """Passes over what only type checkers read."""
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)
        else:
            for child in node.orelse:
                self.visit(child)

    def visit_Import(self, node: ast.Import) -> None:
        """Notes ``import a.b``."""
        for alias in node.names:
            self.add(alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Notes ``from a import b``, which may be a module."""
        module = self.absolute(node.level, node.module or "")
        for alias in node.names:
            self.add(f"{module}.{alias.name}")

    def visit_Call(self, node: ast.Call) -> None:
        """Notes the module that is given to ``import_module``, if it is written there."""
        if ast.unparse(node.func).endswith("import_module") and node.args:
            self.add_text(node.args[0])
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        """Notes modules in tables: of lazy names, of games."""
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None or ast.unparse(key) != "'__module__'":
                self.add_text(value)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Notes entry points, "package.module:name"."""
        if "entry_point" in (node.arg or ""):
            self.add_text(node.value)
        self.generic_visit(node)

    def add_text(self, node: ast.expr) -> None:
        """Notes a module that is named in a text: "package.module", ".module", "module:name"."""
        match node:
            case ast.Constant(value=str(text)) if re.fullmatch(r"\.*\w[\w.]*(:\w+)?", text):
                text = text.partition(":")[0]
                dots = len(text) - len(text.lstrip("."))
                name = self.absolute(dots, text[dots:]) if dots else text
                if name in self.modules and name not in PACKAGES:
                    self.found.add(name)


def loops(imports: dict[str, set[str]]) -> list[set[str]]:
    """Returns the sets of modules that lead to each other, the largest first."""
    reach: dict[str, set[str]] = {}
    for name in imports:
        seen, todo = set(), [name]
        while todo:
            for each in imports[todo.pop()] - seen:
                seen.add(each)
                todo.append(each)
        reach[name] = seen
    found = {frozenset({b for b in reach[a] if a in reach[b]} | {a}) for a in reach}
    return sorted((set(each) for each in found if len(each) > 1), key=len, reverse=True)


def layer(name: str) -> int:
    """Returns the layer of a module, lowest 0; the package itself stands above its rooms."""
    package, _, rest = name.partition(".")
    if package == "agents":
        return len(LAYERS) + 1
    room = rest.partition(".")[0]
    for number, rooms in enumerate(LAYERS):
        if room in rooms:
            return number
    return len(LAYERS)


def all_imports(root: Path) -> dict[str, set[str]]:
    """Returns what each module of a checkout imports from the two packages."""
    return imports_of(trees_of(root))


def trees_of(root: Path) -> dict[Path, ast.Module]:
    """Returns the syntax trees of all files of the two packages."""
    files = sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))
    return {path.relative_to(root): ast.parse(path.read_text(encoding="utf-8")) for path in files}


def imports_of(trees: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """Returns what each module imports from the others."""
    modules = {module_of(path): path for path in trees}
    imports = {}
    for name, path in modules.items():
        visitor = Imports(name, path.name == "__init__.py", set(modules))
        visitor.visit(trees[path])
        imports[name] = visitor.found - {name}
    return imports


def upwards(imports: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Returns the imports that run from a lower layer to a higher one."""
    return [(a, b) for a, found in imports.items() for b in found if layer(a) < layer(b)]


# ---- what is counted


def kernel_parameters(tree: ast.Module) -> Iterator[int]:
    """Yields the number of parameters of each kernel."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}
            if "kernel" in names:
                yield len(node.args.args) + len(node.args.posonlyargs) + len(node.args.kwonlyargs)


def longest_body(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the length of each function's body without its docstring, with its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body:
                yield (body[-1].end_lineno or 0) - body[0].lineno + 1, node.name


def used_once(trees: dict[Path, ast.Module]) -> tuple[int, int]:
    """Returns how many functions of modules are referenced just once, and their lines."""
    uses: Counter[str] = Counter()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                uses[node.id] += 1
            elif isinstance(node, ast.Attribute):
                uses[node.attr] += 1
    once = [
        (node.end_lineno or 0) - node.lineno + 1
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and uses[node.name] == 1
    ]
    return len(once), sum(once)


def count(root: Path) -> dict[str, str]:
    """Returns every figure of a checkout that is counted without running it."""
    trees = trees_of(root)
    texts = {path: (root / path).read_text(encoding="utf-8") for path in trees}
    imports = imports_of(trees)
    counted = [code_lines(texts[path], trees[path]) for path in trees]
    rings = loops(imports)
    parameters = sorted(n for tree in trees.values() for n in kernel_parameters(tree))
    longest = sorted((each for tree in trees.values() for each in longest_body(tree)), reverse=True)
    once, lines_once = used_once(trees)
    tests = [path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*.py")]
    return {
        "files": f"{len(trees)}",
        "lines": f"{sum(text.count(chr(10)) for text in texts.values()):,}",
        "lines of code": f"{sum(code for code, _ in counted):,}",
        "lines of docstrings": f"{sum(documented for _, documented in counted):,}",
        "functions used once": f"{once:,} ({lines_once:,} lines)",
        "loops of imports": f"{len(rings)} ({sum(map(len, rings))} files)",
        "imports upwards": f"{len(upwards(imports))}",
        "kernels": f"{len(parameters)}",
        "parameters of a kernel, median": f"{statistics.median(parameters):g}",
        "parameters of a kernel, most": f"{parameters[-1]}",
        "kernels of more than six": f"{sum(n > 6 for n in parameters)}",
        "longest body": ", ".join(f"{name} {length}" for length, name in longest[:3]),
        "bodies of more than 45 lines": f"{sum(length > 45 for length, _ in longest)}",
        "lines of the tests": f"{sum(text.count(chr(10)) for text in tests):,}",
    }


# ---- walks

WALKER = """
import json, sys, threading, adv_envs, agents
{walk}
prepare(); walk()          # compiles, imports
prepare()
entered = set()
def note(frame, event, arg):
    name = frame.f_globals.get("__name__", "")
    if name.partition(".")[0] in ("adv_envs", "agents"):
        entered.add(name)
threading.setprofile(note); sys.setprofile(note); walk(); sys.setprofile(None)
print(json.dumps(sorted(entered)))
"""


def walk(root: Path, source: str) -> str:
    """Returns how many modules of the packages a walk enters, or why it cannot be made there."""
    done = subprocess.run(
        [sys.executable, "-c", WALKER.format(walk=source)],
        env=os.environ | {"PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    return str(len(json.loads(done.stdout.splitlines()[-1])))


def measure(root: Path, walks: bool) -> dict[str, str]:
    """Returns all figures of a checkout."""
    found = count(root)
    if walks:
        found |= {f"modules entered: {name}": walk(root, source) for name, source in WALKS.items()}
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", metavar="COMMIT", help="counts this commit, too")
    parser.add_argument("--no-walks", action="store_true", help="runs nothing, only counts")
    options = parser.parse_args()
    columns = {}
    if options.before:
        packed = subprocess.run(
            ["git", "archive", options.before], cwd=ROOT, stdout=subprocess.PIPE, check=True
        ).stdout
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(folder, filter="data")
            columns["before"] = measure(Path(folder), not options.no_walks)
    columns["now"] = measure(ROOT, not options.no_walks)
    names = list(columns["now"])
    print(f"| {'':34} |" + "".join(f" {title:>24} |" for title in columns))
    print(f"|{'-' * 36}|" + f"{'-' * 25}:|" * len(columns))
    for name in names:
        print(f"| {name:34} |" + "".join(f" {each[name]:>24} |" for each in columns.values()))


if __name__ == "__main__":
    main()
