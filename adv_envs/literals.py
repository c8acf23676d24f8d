"""Values and calls written as Python, such as ``-1.5`` and ``Hex(size=5)``: read, never evaluated.

Texts come from files, pages and other programs, so whatever is wrong with one, also that it is
nested too deeply or has a number that is too long, is a ValueError.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any

DEEPEST = 100
"""How many levels a syntax tree may have: brackets, signs, dots."""

HOW = "write name(parameter=value, ...), each parameter once"
"""How a call is written, for errors."""

FAULTS = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError, OverflowError)
"""What Python raises for texts, and for nodes of them, that are no literals."""


def expression(text: str) -> ast.expr:
    """Returns the syntax tree of ``text``; ValueError if it is no expression, or nested deeply."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)  # the same before Python 3.12
            tree = ast.parse(text.strip(), mode="eval").body
    except FAULTS:
        raise ValueError(f"cannot read {shortened(text)}") from None
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise ValueError(f"{shortened(text)} is nested too deeply")


def call_of(tree: ast.expr) -> tuple[str, dict[str, ast.expr]]:
    """Returns the name and the values, by parameter, of a call such as ``Hex(size=5)``.

    A name alone is a call, too; what ``**`` gives is called "None". ValueError for anything else:
    a call of what is no name, a value without a name, and a name that is given twice.
    """
    made = tree if isinstance(tree, ast.Call) else ast.Call(tree, [], [])
    values = {str(keyword.arg): keyword.value for keyword in made.keywords}
    if not isinstance(made.func, ast.Name) or made.args or len(values) < len(made.keywords):
        raise ValueError(HOW)
    return made.func.id, values


def literal(value: str | ast.expr) -> Any:
    """Returns the number, text, True, False, None, or collection of these, that is written.

    ``value`` is text or a part of an ``expression``. ValueError if it is no literal.
    """
    tree = expression(value) if isinstance(value, str) else value
    try:
        return ast.literal_eval(tree)
    except FAULTS:
        text = value if isinstance(value, str) else ast.unparse(value)
        raise ValueError(f"{shortened(text)} is no number, text, True, False or None") from None


def shortened(text: str) -> str:
    """Returns a text as an error quotes it: at most 80 characters of it."""
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
