"""Search trees to step through: pictures, and the steps as scripts that a click loads.

A page names one of ``TREES``, as in ``<!-- tree: minimax -->``. What steps through them is the
script of the page to play on, with all that it imports in one file: so it also runs where the
manual is opened as files, of which browsers load no modules.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from adv_envs import Fig52, Pig, Position, TicTacToe
from agents import draw_tree
from agents.web.game_states import GameState
from agents.web.tree_jobs import tree as searched

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "agents" / "web"
SCRIPTS = (
    WEB / "static" / "dom.js",
    WEB / "static" / "tree_steps.js",
    HERE.parent / "static" / "tree_figures.js",
)
"""In the order in which they import each other."""


class Stepped(NamedTuple):
    """A search, and what is said of it."""

    start: Position
    spec: str
    text: str


TREES = {
    "minimax": Stepped(Fig52(), "minimax", "Figure 5.2 by minimax: it values all nine leaves."),
    "alpha_beta": Stepped(
        Fig52(),
        "alpha_beta",
        "The same tree by alpha-beta, as in figures 5.5 and 5.7: two leaves below C are cut.",
    ),
    "tic_tac_toe": Stepped(
        TicTacToe().after("b2 a1 c3 b1"),
        "alpha_beta",
        "Tic-tac-toe after four moves by alpha-beta: X is MAX, and wins.",
    ),
    "pig": Stepped(
        Pig(target=6),
        "expectiminimax(depth=2)",
        "Pig up to 6 points by expectiminimax, two moves ahead: circles are rolls of the die.",
    ),
    "mcts": Stepped(
        TicTacToe(),
        "mcts(simulations=256, seed=0)",
        "Tic-tac-toe by Monte Carlo tree search: visits and means for MAX as they grow.",
    ),
}


def figure(name: str) -> str:
    """The picture of a tree, and a button to step through it, as HTML."""
    start, spec, text = TREES[name]
    return (
        f'<figure class="stepped-tree" id="stepped-{name}">\n'
        f'<div class="wide-picture" tabindex="0">{draw_tree(start, spec)}</div>\n'
        f"<figcaption>{text}</figcaption>\n"
        f'<button type="button" class="btn btn-outline-primary" data-tree="{name}" hidden>'
        "Step through the search</button>\n</figure>"
    )


def write_scripts(folder: Path) -> None:
    """Writes what steps through trees, and ``trees/NAME.js`` for each of ``TREES``."""
    (folder / SCRIPTS[-1].name).write_text(bundle(), encoding="utf-8")
    (folder / "trees").mkdir(exist_ok=True)
    for name in TREES:
        (folder / "trees" / f"{name}.js").write_text(script_of(name), encoding="utf-8")


def script_of(name: str) -> str:
    """A tree and the elements that step through it, as a call of what shows them."""
    found: dict[str, Any] = next(
        searched(GameState(TREES[name].start), {"agent": TREES[name].spec})
    )
    given = [name, template().render(prefix=f"{name}-"), found["tree"]]
    return f"showTree(...{json.dumps(given, ensure_ascii=False)});\n"


@cache
def template() -> Any:
    """The elements that step through a tree."""
    loader = jinja2.FileSystemLoader(WEB / "templates")
    return jinja2.Environment(loader=loader, autoescape=True).get_template("tree_steps.html.j2")


def bundle() -> str:
    """The scripts as one that is no module: without imports, and with nothing exported."""
    parts = [path.read_text(encoding="utf-8") for path in SCRIPTS]
    parts = [re.sub(r"^import .*?;\n", "", part, flags=re.MULTILINE | re.DOTALL) for part in parts]
    text = "\n".join(re.sub(r"^export ", "", part, flags=re.MULTILINE) for part in parts)
    return f"(() => {{\n{text}}})();\n"
