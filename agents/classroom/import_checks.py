"""Finds what an assignment does not allow: imports, agents by their specs, code made of texts.

Imports are looked for in the text of the file and while it runs. What may be a way around them,
such as ``exec``, is reported for a person to look at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from adv_envs.literals import call_of, expression
from agents.agent import clean
from agents.spec import known_agents

from .assessment import STUDENT_FAILURES, Assessment, CheckOutcome, RubricCheck
from .questions import ImportQuestion, imports_while_playing, matching
from .students import require_answer

if TYPE_CHECKING:
    from .rubric import Rubric

FORBIDDEN = "agents", "open_spiel", "pyspiel", "pgx", "subprocess", "socket"
"""Modules that students may not use by default."""

IMPORTING = "__import__", "import_module"
"""Functions that import what they are given by name."""

DYNAMIC = (
    "exec",
    "eval",
    "compile",
    "__builtins__",
    "__loader__",
    "__subclasses__",
    "modules",
    "ctypes",
)
"""Names by which code is run, or modules are reached, without an import."""

USUAL = "random", "human", "greedy", "policy", "strong"
"""Agents whose names are also words that programs use for something else."""


class Finding(NamedTuple):
    """Describes a place in a student's file."""

    line: int
    what: str
    key: str = ""
    """The sentence for it: "spec" or "dynamic"; "" for a module that is not allowed."""


def findings(source: str, modules: Sequence[str]) -> Iterator[Finding]:
    """Yields what is found in the text of a file; nothing where it has a syntax error."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    aliases = dict(imported_names(tree))
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Import(names=names):
                found = [each.name for each in names]
            case ast.ImportFrom(module=module, names=names):
                found = [f"{module or ''}.{each.name}" for each in names]
            case ast.Attribute() if dotted := dotted_name(node, aliases):
                found = [dotted]
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if called(node) in IMPORTING:
                found = [name]
            case _:
                found = []
        yield from (Finding(line, name) for name in found if matching(name, modules))
        yield from suspicious(node, line)


def imported_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yields the names that imports define, and what each of them is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield (
                    each.asname or each.name.partition(".")[0],
                    each.name if each.asname else each.name.partition(".")[0],
                )
        elif isinstance(node, ast.ImportFrom):
            yield from (
                (each.asname or each.name, f"{node.module or ''}.{each.name}")
                for each in node.names
            )


def dotted_name(node: ast.expr, aliases: dict[str, str]) -> str:
    """Returns an attribute of an imported module with its full name; "" for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases:
        return ""
    return ".".join([aliases[node.id], *reversed(parts)])


def called(node: ast.Call) -> str:
    """Returns the name of the function that is called, without its module."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def suspicious(node: ast.AST, line: int) -> Iterator[Finding]:
    """Yields what a person should look at: ways around imports, and names of agents."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in DYNAMIC:
            yield Finding(line, name, "dynamic")
        case ast.Import(names=names) if any(each.name in DYNAMIC for each in names):
            yield Finding(line, names[0].name, "dynamic")
        case ast.Call(args=[first, *_]) if called(node) in IMPORTING:
            if not isinstance(first, ast.Constant):
                yield Finding(line, called(node), "dynamic")
        case ast.Constant(value=str(text)) if is_spec(text):
            yield Finding(line, repr(text.strip()), "spec")


def is_spec(text: str) -> bool:
    """Returns whether a text is the spec of an agent that searches or solves."""
    if not text.strip() or len(text) > 200 or "\n" in text:
        return False
    try:
        name, _ = call_of(expression(text))
    except ValueError:
        return False
    return name in known_agents() and name not in USUAL


@dataclass(frozen=True, kw_only=True)
class ForbiddenImports(RubricCheck):
    """Finds ``modules`` that are not allowed, in the text of the file and while it runs."""

    kind: ClassVar[str] = "forbidden_imports"
    modules: tuple[str, ...] = FORBIDDEN

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        if not self.modules:
            raise ValueError("modules must name those that are not allowed")
        for name in self.modules:
            if not all(part.isidentifier() for part in name.split(".")):
                raise ValueError(f"{name!r} is not the name of a module")

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, source = assessment.words, assessment.student.source
        found = list(dict.fromkeys(findings(source, self.modules)))
        imports = [each for each in found if not each.key]
        others = [each for each in found if each.key]
        written = {each.what for each in imports}
        running = [n for n in self.running(assessment) if n not in written]
        said = [words("forbidden_imports_line", line=each.line, what=each.what) for each in imports]
        said += [words("forbidden_imports_running", what=name) for name in running]
        noted = []
        for each in others:
            what = words(f"forbidden_imports_{each.key}", what=each.what)
            noted.append(words("forbidden_imports_line", line=each.line, what=what))
        staff = "\n".join([words("forbidden_imports_suspicious"), *noted]) if noted else ""
        data = {"forbidden": said, "suspicious": noted}
        if said:
            text = "\n".join([words("forbidden_imports_no"), *said])
            return self.outcome(assessment, 0, text, data=data, for_staff=staff)
        text = words("forbidden_imports_yes")
        return self.outcome(assessment, 1, text, data=data, for_staff=staff)

    def running(self, assessment: Assessment) -> list[str]:
        """Returns the modules that are imported while the file is loaded and chooses a move."""
        student = assessment.student
        question = ImportQuestion(student.source, self.modules, assessment.first)
        try:
            found = student.ask(imports_while_playing, question)
            require_answer(isinstance(found, list))
        except STUDENT_FAILURES:  # other checks say so
            return []
        return [clean(name, 100) for name in found]
