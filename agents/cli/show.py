"""Implements ``adv-envs show``, ``rules`` and ``tree``: a position, its rules, a search's tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from rich.text import Text
from rich.tree import Tree as Branches

import agents
from adv_envs.formats import game_texts, pgn
from adv_envs.formats import sgf as sgf_files
from adv_envs.notation import read_line
from adv_envs.pictures.raster import pixels, to_pixels
from adv_envs.pictures.svg import to_svg
from adv_envs.position import CHANCE, Position
from adv_envs.registry import title
from adv_envs.text.rules import rules_text, with_side_names
from agents.describe import full_name, game_data, task
from agents.knowledge import knowledge_of
from agents.reports.draw_trees import drawn_tree, labels_of, on_card, steps_drawing
from agents.reports.tree_node import TreeNode, number, rounded
from agents.reports.tree_picture import kind

from .board_text import draw, mark
from .console import (
    CommandError,
    Json,
    Moves,
    check_files,
    check_folder,
    command_errors,
    option,
    out,
    print_json,
    save_file,
    save_png,
    warn,
)

EXAMPLES = (
    "adv-envs show tic_tac_toe",
    "adv-envs show connect_four 4455",
    "adv-envs show tic_tac_toe b2 a1 --svg board.svg",
    "adv-envs show hex --size 5 a1 b2 c3 --png board.png",
    "adv-envs show hex --size 5 a1 b2 c3 --sgf game.sgf",
    "adv-envs show hex game.sgf",
    "adv-envs show chess game.pgn",
)

GAME_FILE = re.compile(r"(?P<path>.*?\.(?P<ending>sgf|pgn))(?:\s+(?P<moves>.*)|)", re.I | re.S)
"""A file, and the moves after it."""

Picture = Annotated[Path | None, option("Write a picture.", "FILE")]


def show(
    start: Position,
    moves: Moves = None,
    svg: Picture = None,
    png: Picture = None,
    sgf: Annotated[Path | None, option("Write a game of go or hex.", "FILE")] = None,
    view: Annotated[int | None, option("Show only what player 0, 1, ... sees.", "PLAYER")] = None,
    json: Json = False,
) -> None:
    """Shows a position: the board, the player to move, the legal moves."""
    before, position, last = replay(start, moves)
    if view is not None:
        if not 0 <= view < position.num_players:
            raise CommandError(f"players are 0 to {position.num_players - 1}, not {view}")
        if not position.perfect_information:
            before, position, last = None, position.hidden(view), None
    check_sgf(start, sgf)
    check_files(svg, sgf, png=png)
    if sgf is not None:
        save_sgf(sgf, *read_moves(start, moves or []))
    if svg is not None:
        save_file(svg, position.svg(last))
    if png is not None:
        save_png(png, pixels(position, last))
    over = position.is_terminal()
    if json:
        players = range(position.num_players)
        return print_json(
            {
                **game_data(position),
                "position": repr(position),
                "board": str(position),
                "to_move": None if over else position.to_move,
                "legal": [position.name(action) for action in position.legal_actions()],
                "utilities": [position.utility(player) for player in players] if over else None,
            }
        )
    console = out()
    draw(console, position, before)
    if over:
        console.print(f"The game is over: {position.result_text()}.")
        return
    player = position.to_move
    if player == CHANCE:
        console.print(f"{position.turn_text()}.")
    else:
        console.print(mark(console, position, player), f"to move{task(position, player)}.")
    console.print(f"Legal moves: {', '.join(map(position.name, position.legal_actions()))}")


RULES_EXAMPLES = (
    "adv-envs rules connect_four",
    "adv-envs rules hex --size 5 --swap",
    "adv-envs rules chess > chess.md",
)


def rules(start: Position) -> None:
    """Tells the rules of a game in words: what a player must know, and an example.

    They are those of the parameters that are given. In a pipe or a file they are Markdown.
    """
    text = f"# {full_name(type(start))}\n\n{with_side_names(start, rules_text(start))}"
    console = out()
    if not console.is_terminal:
        print(text)
        return
    from rich.markdown import Markdown

    console.print(Markdown(text))


# ---- moves and files of games


def read_moves(start: Position, words: Sequence[str]) -> tuple[Position, list[int]]:
    """Returns the position where a line of play begins, and its actions: by name, or of a file.

    A file has its own board, so ``start`` must be the usual one or the same; of a PGN file it is
    the first game. In games of UCI a FEN may come before the moves. CommandError for an illegal
    move and for what cannot be read.
    """
    actions: list[int] = []
    uci, text = knowledge_of(start).uci, " ".join(words)
    if file := GAME_FILE.fullmatch(text):
        path, text = Path(file["path"]), file["moves"] or ""
        first, *others = load_games(start, path)
        if isinstance(first, ValueError):
            raise CommandError(f"{path}: {first}", 1)
        if others:
            warn(f"{path} has {len(others) + 1} games; this is the first")
        check_board(start, first.start, path)
        start, actions = first.start, list(first.actions)
    elif uci is not None and words and "/" in words[0]:
        fields = text.split()
        with command_errors():
            start, text = uci.from_fen(start, " ".join(fields[:6])), " ".join(fields[6:])
    with command_errors():
        more = read_line(start.after(actions), text)
    return start, actions + more


def load_games(start: Position, path: Path) -> list[game_texts.GameText | ValueError]:
    """Returns a file's games, and what is wrong with others; CommandError if there are none."""
    is_sgf = path.suffix.lower() == ".sgf"
    check_sgf(start, path if is_sgf else None)
    if not is_sgf and not pgn.supports(start):
        raise CommandError(f"PGN files are not for {title(start)}")
    if not path.is_file():
        raise CommandError(f"there is no file {str(path)!r}")
    try:
        games = list(game_texts.read_games(start, path.read_bytes()))
    except (ValueError, OSError) as error:
        named = str(path) in str(error)
        raise CommandError(str(error) if named else f"{path}: {error}", 1) from error
    if not games:
        raise CommandError(f"{path} has no game in it", 1)
    return games


def check_board(start: Position, found: Position, path: Path) -> None:
    """Raises CommandError unless a file is of this game, with the unusual parameters."""
    usual = type(start)()
    chosen = [name for name in start.parameters if getattr(start, name) != getattr(usual, name)]
    same = type(found) is type(start)
    if not same or any(getattr(start, name) != getattr(found, name) for name in chosen):
        raise CommandError(
            f"{path} is a game of {title(found)}, not of {title(start)}: leave the options out"
        )


def check_sgf(start: Position, path: Path | None, is_folder: bool = False) -> None:
    """Raises CommandError if a game without SGF is to be read or written in such a file."""
    if path is not None and not sgf_files.supports(start):
        raise CommandError(f"SGF files are for go and hex, not for {title(start)}")
    if path is not None and is_folder:
        check_folder(path)


def save_sgf(path: Path, start: Position, actions: Sequence[int], **properties: str) -> None:
    """Writes a game as SGF."""
    assert sgf_files.supports(start), "check_sgf was called before"
    with command_errors(1):
        save_file(path, sgf_files.write(start, actions, None, **properties))


def save_game(path: Path, start: Position, made: Sequence[int], game: agents.Game) -> None:
    """Writes a game as SGF, with its players and result; ``made`` are the moves before it."""
    names = {"PB": repr(game.players[0]), "PW": repr(game.players[1])}
    if game.reason:  # its loser resigned or failed
        how = "Resign" if game.reason.endswith("resigned") else "Forfeit"
        names["RE"] = f"{'BW'[game.utilities[1] > 0]}+{how}"
    save_sgf(path, start, [*made, *game.actions], **names)


def replay(
    start: Position, moves: list[str] | None, unfinished: bool = False
) -> tuple[Position | None, Position, int | None]:
    """Returns the positions before and after the last of the moves, and that move.

    CommandError if the game is over, where it is to be ``unfinished``.
    """
    start, actions = read_moves(start, moves or [])
    before, position, last = None, start, None
    for last in actions:
        before, position = position, position.play(last)
    if unfinished and position.is_terminal():
        raise CommandError(f"the game is over after these moves: {position.result_text()}")
    return before, position, last


# ---- trees

TREE_EXAMPLES = (
    "adv-envs tree tic_tac_toe --depth 1 --svg tree.svg",
    "adv-envs tree fig52 --agent alpha_beta --svg tree.svg",
    "adv-envs tree tic_tac_toe b2 a1 c3 --depth 2 --svg tree.svg",
    "adv-envs tree fig52 --agent alpha_beta --steps --svg steps.svg",
    'adv-envs tree tic_tac_toe b2 --agent "mcts(simulations=500)" --children 4 --svg tree.svg',
)

TREE_AGENT = (
    "minimax (the default), alpha_beta, expectiminimax (with chance), mcts, max_n, paranoid, "
    "proof_number or ismcts."
)
DEPTH = "Plies; by default the agent's, or as deep as can be read."
AS_PLAYED = "The agent's own search, not that of textbooks."


def tree(
    start: Position,
    moves: Moves = None,
    agent: Annotated[str | None, option(TREE_AGENT, "SPEC")] = None,
    depth: Annotated[int | None, option(DEPTH, "N")] = None,
    children: Annotated[int | None, option("The best children of a node to show.", "N")] = None,
    nodes: Annotated[int | None, option("Nodes to show, best play first.", "N")] = None,
    steps: Annotated[bool, option("Draw the tree again after each leaf.", None, "--steps")] = False,
    as_played: Annotated[bool, option(AS_PLAYED, None, "--as-played")] = False,
    svg: Picture = None,
    png: Picture = None,
) -> None:
    """Shows the tree of a search: values, alpha-beta windows, branches that are cut off.

    All values are for MAX, the player who moves first in the game.
    """
    _, position, _ = replay(start, moves, unfinished=True)
    if steps and svg is None and png is None:
        raise CommandError("--steps are drawn: say where with --svg FILE or --png FILE")
    check_files(svg, png=png)
    with command_errors():
        agent = agent or ("alpha_beta" if steps else None)
        root, text = drawn_tree(position, agent, depth, children, nodes, as_played)
        panels = steps_drawing(position, agent, depth) if steps else None
    console = out()
    console.print(branches(root, root))
    console.print(text, style="bold", soft_wrap=True)
    drawing = panels or on_card(root, labels_of(root), text)
    if svg is not None:
        save_file(svg, to_svg(drawing) + "\n")
    if png is not None:
        save_png(png, to_pixels(drawing, 2))


def branches(node: TreeNode, root: TreeNode) -> Branches:
    """Returns a node and the nodes below it, for the terminal; best play is bold."""
    best = node in root.line()
    grown = Branches(node_text(node, best), guide_style="dim")
    for child in node.children:
        grown.add(branches(child, root))
    return grown


def node_text(node: TreeNode, best: bool) -> Text:
    """Returns a node in a line: its move, the player to move, value, window or visits."""
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
    elif node.known:
        text.append("  from the table", "dim")
    if node.hidden:
        text.append(f"  {node.hidden:,} nodes below are not shown", "dim")
    return text
