"""``adv-envs show`` and ``adv-envs tree``: a position, or the tree of a search, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from rich.tree import Tree as Branches

import agents
from adv_envs.formats import sgf as sgf_files
from adv_envs.notation import read_line
from adv_envs.pictures.raster import pixels, to_pixels
from adv_envs.pictures.svg import to_svg
from adv_envs.position import Position
from adv_envs.registry import title
from agents.describe import game_data, outcome, task
from agents.knowledge import knowledge_of
from agents.reports.draw_trees import searched_tree, steps_drawing, tree_drawing
from agents.reports.search_tree import TreeNode
from agents.reports.tree_picture import kind, number, rounded

from .board_text import draw, mark
from .console import (
    CommandError,
    check_files,
    command_errors,
    out,
    print_json,
    save_file,
    save_png,
)

EXAMPLES = (
    "adv-envs show tic_tac_toe",
    "adv-envs show connect_four 4455",
    "adv-envs show tic_tac_toe b2 a1 --svg board.svg",
    "adv-envs show hex --size 5 a1 b2 c3 --png board.png",
    "adv-envs show hex --size 5 a1 b2 c3 --sgf game.sgf",
    "adv-envs show hex game.sgf",
)

Moves = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MOVES",
        help='Moves: a1 b2, or "4455"; for go and hex also game.sgf; for chess a FEN first.',
    ),
]
Picture = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture.")]
View = Annotated[
    int | None, typer.Option(metavar="PLAYER", help="Show only what player 0, 1, ... sees.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def show(
    start: Position,
    moves: Moves = None,
    svg: Picture = None,
    png: Picture = None,
    sgf: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a game of go or hex.")
    ] = None,
    view: View = None,
    json: Json = False,
) -> None:
    """Show a position: the board, the player to move, the legal moves."""
    before, position, last = replay(start, moves)
    if view is not None:
        if not 0 <= view < position.num_players:
            raise CommandError(f"players are 0 to {position.num_players - 1}, not {view}")
        if not position.perfect_information:
            before, position, last = None, position.hidden(view), None
    check_sgf(start, sgf is not None)
    check_files(svg, sgf, png=png)
    if sgf is not None:
        save_sgf(sgf, *read_moves(start, moves or []))
    if svg is not None:
        save_file(svg, position.svg(last))
    if png is not None:
        save_png(png, pixels(position, last))
    if json:
        return print_json(position_data(position))
    console = out()
    draw(console, position, before)
    if position.is_terminal():
        names = [mark(console, position, i).plain for i in range(position.num_players)]
        console.print(f"The game is over: {outcome(position, names=names)}.")
        return
    player = position.to_move
    console.print(mark(console, position, player), f"to move{task(position, player)}.")
    console.print(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")


def position_data(position: Position) -> dict[str, Any]:
    """The position for JSON."""
    over = position.is_terminal()
    players = range(position.num_players)
    return {
        **game_data(position),
        "position": repr(position),
        "board": str(position),
        "to_move": None if over else position.to_move,
        "legal": [position.name(action) for action in position.legal_actions()],
        "utilities": [position.utility(player) for player in players] if over else None,
    }


# ---- moves and files of games


def read_moves(start: Position, words: Sequence[str]) -> tuple[Position, list[int]]:
    """The position where a line of play begins, and its actions: moves by name, or after a file.

    A file has its own board, so ``start`` must be the usual one or the same. In games of UCI a FEN
    may come before the moves. CommandError for an illegal move and for what cannot be read.
    """
    actions: list[int] = []
    uci = knowledge_of(start).uci
    if uci is not None and words and "/" in words[0]:
        fields = " ".join(words).split()
        with command_errors():
            start, words = uci.from_fen(start, " ".join(fields[:6])), fields[6:]
    elif words and words[0].lower().endswith(".sgf"):
        start, actions = read_sgf(start, Path(words[0]))
        words = words[1:]
    with command_errors():
        more = read_line(start.after(actions), " ".join(words))
    return start, actions + more


def read_sgf(start: Position, path: Path) -> tuple[Position, list[int]]:
    """The position where the game in a file begins, and its actions."""
    check_sgf(start, True)
    try:
        with command_errors(1):
            record = sgf_files.load(path)
    except CommandError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise CommandError(f"there is no file {str(path)!r}") from None
        raise
    usual, board = type(start)(), record.start.start()
    if type(start) is not type(board) or (start != usual and title(start) != title(board)):
        raise CommandError(
            f"{path} is a game of {title(board)}, not of {title(start)}: leave the options out"
        )
    return record.start, list(record.actions)


def check_sgf(start: Position, wanted: bool) -> None:
    """CommandError if SGF is wanted of a game that has none."""
    if wanted and not sgf_files.supports(start):
        raise CommandError(f"SGF files are for go and hex, not for {title(start)}")


def save_sgf(path: Path, start: Position, actions: Sequence[int], **properties: str) -> None:
    """Write a game as SGF."""
    assert sgf_files.supports(start), "check_sgf was called before"
    with command_errors(1):
        save_file(path, sgf_files.write(start, actions, None, **properties))


def save_game(path: Path, start: Position, made: Sequence[int], game: agents.Game) -> None:
    """Write a game as SGF, with its players and result; ``made`` are the moves before it."""
    names = {"PB": repr(game.players[0]), "PW": repr(game.players[1])}
    if game.reason:  # its loser resigned or failed
        how = "Resign" if game.reason.endswith("resigned") else "Forfeit"
        names["RE"] = f"{'BW'[game.utilities[1] > 0]}+{how}"
    save_sgf(path, start, [*made, *game.actions], **names)


def replay(
    start: Position, moves: list[str] | None
) -> tuple[Position | None, Position, int | None]:
    """The positions before and after the last of the moves, and that move."""
    start, actions = read_moves(start, moves or [])
    before, position, last = None, start, None
    for last in actions:
        before, position = position, position.play(last)
    return before, position, last


def replay_unfinished(
    start: Position, moves: list[str] | None
) -> tuple[Position | None, Position, int | None]:
    """The same; CommandError if the game is over."""
    found = replay(start, moves)
    if found[1].is_terminal():
        raise CommandError(f"the game is over after these moves: {outcome(found[1])}")
    return found


# ---- trees

TREE_EXAMPLES = (
    "adv-envs tree tic_tac_toe --depth 1 --svg tree.svg",
    "adv-envs tree fig52 --agent alpha_beta --svg tree.svg",
    "adv-envs tree tic_tac_toe b2 a1 c3 --depth 2 --svg tree.svg",
    "adv-envs tree fig52 --agent alpha_beta --steps --svg steps.svg",
    'adv-envs tree tic_tac_toe b2 --agent "mcts(simulations=500)" --children 4 --svg tree.svg',
)

TreeAgent = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="minimax (the default), alpha_beta, expectiminimax (with chance), mcts, max_n, "
        "paranoid, proof_number or ismcts.",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(metavar="N", help="Plies; by default the agent's, or as deep as can be read."),
]
Children = Annotated[
    int | None, typer.Option(metavar="N", help="The best children of a node to show.")
]
Nodes = Annotated[int | None, typer.Option(metavar="N", help="Nodes to show, best play first.")]
Steps = Annotated[bool, typer.Option("--steps", help="Draw the tree again after each leaf.")]


def tree(
    start: Position,
    moves: Moves = None,
    agent: TreeAgent = None,
    depth: Depth = None,
    children: Children = None,
    nodes: Nodes = None,
    steps: Steps = False,
    svg: Picture = None,
    png: Picture = None,
) -> None:
    """Show the tree of a search: values, alpha-beta windows, branches that are cut off.

    All values are for MAX, the player who moves first in the game.
    """
    _, position, _ = replay_unfinished(start, moves)
    if steps and svg is None and png is None:
        raise CommandError("--steps are drawn: say where with --svg FILE or --png FILE")
    check_files(svg, png=png)
    with command_errors():
        agent = agent or ("alpha_beta" if steps else None)
        root, text = searched_tree(position, agent, depth, children, nodes)
        panels = steps_drawing(position, agent, depth) if steps else None
    console = out()
    console.print(branches(root, root))
    console.print(text, style="bold", soft_wrap=True)
    drawing = panels or tree_drawing(root, text)
    if svg is not None:
        save_file(svg, to_svg(drawing) + "\n")
    if png is not None:
        save_png(png, to_pixels(drawing, 2))


def branches(node: TreeNode, root: TreeNode) -> Branches:
    """A node and the nodes below it, for the terminal; best play is bold."""
    best = node in root.line()
    grown = Branches(node_text(node, best), guide_style="dim")
    for child in node.children:
        grown.add(branches(child, root))
    return grown


def node_text(node: TreeNode, best: bool) -> Text:
    """A node in a line: the move, the player to move, the value, the window or the visits."""
    if node.dots:
        return Text(node.name or "...", "dim")
    if node.cut:
        return Text(node.name + " cut off" * (not node.hidden), "dim strike")
    words = [node.name]
    if node.chance is not None:
        words.append(f"({node.chance:.2g})")
    if node.inner:
        words.append(kind(node))
    if node.text:
        words.append(node.text)
    elif node.value is not None:
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
