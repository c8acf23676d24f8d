"""``adv-envs tree``: the tree that a search goes through, as text or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree as Branches

from adv_envs.pictures.raster import to_pixels
from adv_envs.pictures.svg import to_svg
from adv_envs.position import Position
from agents.reports.draw_trees import searched_tree, steps_drawing, tree_drawing
from agents.reports.search_tree import TreeNode
from agents.reports.tree_picture import kind, number, rounded

from .console import Refusal, out, refusing
from .describe import outcome
from .files import check_files, write_whole
from .show import Moves, replay, write_png

EXAMPLES = (
    "adv-envs tree tic_tac_toe --depth 1 --svg tree.svg",
    "adv-envs tree fig52 --agent alpha_beta --svg tree.svg",
    "adv-envs tree tic_tac_toe b2 a1 c3 --depth 2 --svg tree.svg",
    "adv-envs tree fig52 --agent alpha_beta --steps --svg steps.svg",
    'adv-envs tree tic_tac_toe b2 --agent "mcts(simulations=500)" --children 4 --svg tree.svg',
)

Spec = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="minimax (the default), alpha_beta, expectiminimax or mcts."),
]


def tree(
    start: Position,
    moves: Moves = None,
    agent: Spec = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", help="Plies; by default the agent's, or as deep as can be read."),
    ] = None,
    children: Annotated[
        int | None, typer.Option(metavar="N", help="The best children of a node to show.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="Nodes to show, best play first.")
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="A panel after each leaf.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture.")] = None,
) -> None:
    """Show the tree that a search goes through: values, windows, branches that are cut off.

    All values are for MAX, the player who moves first in the game.
    """
    _, position, _ = replay(start, moves)
    if position.is_terminal():
        raise Refusal(f"the game is over after these moves: {outcome(position)}")
    if steps and svg is None and png is None:
        raise Refusal("--steps are drawn: say where with --svg FILE or --png FILE")
    check_files(svg, png=png)
    with refusing():
        agent = agent or ("alpha_beta" if steps else None)
        root, text = searched_tree(position, agent, depth, children, nodes)
        panels = steps_drawing(position, agent, depth) if steps else None
    console = out()
    console.print(branches(root, root))
    console.print(text, style="bold")
    drawing = panels or tree_drawing(root, text)
    with refusing(1):
        if svg is not None:
            write_whole(svg, to_svg(drawing) + "\n")
        if png is not None:
            write_png(to_pixels(drawing, 2), png)


def branches(node: TreeNode, root: TreeNode) -> Branches:
    """A node and what is below it, for the terminal; best play is bold."""
    best = node in root.line()
    grown = Branches(described(node, best), guide_style="dim")
    for child in node.children:
        grown.add(branches(child, root))
    return grown


def described(node: TreeNode, best: bool) -> Text:
    """A node in a line: the move, who moves next, the value, the window or the visits."""
    if node.dots:
        return Text(node.name or "...", "dim")
    if node.cut:
        return Text(node.name + " cut off" * (not node.hidden), "dim strike")
    words = [node.name]
    if node.chance is not None:
        words.append(f"({node.chance:.2g})")
    if node.inner:
        words.append(kind(node))
    if node.value is not None:
        words.append(rounded(node.value) if node.visits is not None else number(node.value))
    text = Text(" ".join(word for word in words if word), "bold" if best else "")
    if node.visits is not None:
        text.append(f"  {node.visits:,} visits", "dim")
    elif node.window is not None and node.inner:
        low, high = map(number, node.window)
        text.append(f"  [{low}, {high}]", "dim")
    if node.hidden:
        text.append(f"  {node.hidden:,} nodes below are not shown", "dim")
    return text
