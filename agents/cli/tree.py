"""``adv-envs tree``: the tree that a search goes through, as text or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree as Branches

import agents
from adv_envs.pictures.raster import to_pixels
from adv_envs.pictures.svg import to_svg
from adv_envs.position import Position
from agents.reports.trees import Node
from agents.reports.trees.draw import searched_tree, steps_drawing, tree_drawing
from agents.reports.trees.node import kind
from agents.reports.trees.picture import number, rounded

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
    typer.Option(
        metavar="SPEC", help="minimax (the default), alpha_beta, expectimax (with chance) or mcts."
    ),
]


def tree(
    start: Position,
    moves: Moves = None,
    agent: Spec = None,
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", help="Plies; as far as the agent looks if not given."),
    ] = None,
    children: Annotated[
        int, typer.Option(metavar="N", help="Of MCTS: the most visited children to show.")
    ] = 5,
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
        usual = "expectimax" if position.has_chance else "minimax"
        searcher = agents.make(agent or usual)
        root, text = searched_tree(position, searcher, depth, children)
        panels = steps_drawing(position, searcher, depth) if steps else None
    console = out()
    console.print(branches(root, root))
    console.print(text, style="bold")
    drawing = panels or tree_drawing(root, text)
    with refusing(1):
        if svg is not None:
            write_whole(svg, to_svg(drawing) + "\n")
        if png is not None:
            write_png(to_pixels(drawing, 2), png)


def branches(node: Node, root: Node) -> Branches:
    """A node and what is below it, for the terminal; best play is bold."""
    best = node in root.line()
    grown = Branches(described(node, best), guide_style="dim")
    for child in node.children:
        grown.add(branches(child, root))
    return grown


def described(node: Node, best: bool) -> Text:
    """A node in a line: the move, who moves next, the value, the window or the visits."""
    if node.dots:
        return Text("...", "dim")
    if node.cut:
        return Text(f"{node.name} cut off", "dim strike")
    words = [node.name]
    if node.chance is not None:
        words.append(f"({node.chance:.2g})")
    if node.children:
        words.append(kind(node))
    if node.value is not None:
        words.append(rounded(node.value) if node.visits is not None else number(node.value))
    text = Text(" ".join(word for word in words if word), "bold" if best else "")
    if node.visits is not None:
        text.append(f"  {node.visits:,} visits", "dim")
    elif node.window is not None and node.children:
        low, high = map(number, node.window)
        text.append(f"  [{low}, {high}]", "dim")
    return text
