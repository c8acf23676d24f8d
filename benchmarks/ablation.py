"""Measures what each technique of alpha-beta is worth: one more at a time, nodes and time.

In the style of Pascal Pons' tutorial on solving Connect Four (http://blog.gamesolver.org): random
positions in classes of difficulty are solved to the end of the game by the same agent with more and
more of it turned on. A stage that needs more than --nodes for a position gives up on it, and its
class then says so; all stages of a class are given the same positions, and those that finish must
agree on every value.

    python benchmarks/ablation.py [--positions 20] [--nodes 20000000] [--game connect_four]
"""

from __future__ import annotations

import argparse
import random
import time

from rich.console import Console
from rich.progress import track
from rich.table import Table

from adv_envs import ConnectFour, Hex, Position, TicTacToe
from agents import AlphaBeta, Minimax, SearchAgent

PLAIN = {
    "order": None,
    "killers": False,
    "history": False,
    "table_mb": 0,
    "null_window": False,
    "symmetry": False,
}

STAGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("alpha-beta", {}),
    ("+ the game's order", {"order": "own"}),
    ("+ killers, history", {"killers": True, "history": True}),
    ("+ null windows", {"null_window": True}),
    ("+ table", {"table_mb": 64}),
    ("+ symmetry", {"symmetry": True}),
)

CLASSES: dict[str, list[tuple[str, Position, int]]] = {
    "connect_four": [
        ("12 stones to come", ConnectFour(), 30),
        ("16 stones to come", ConnectFour(), 26),
        ("20 stones to come", ConnectFour(), 22),
    ],
    "tic_tac_toe": [("4,4,4, 2 stones", TicTacToe(4, 4, 4), 2), ("3,3,3", TicTacToe(), 0)],
    "hex": [("4x4, 3 stones", Hex(4), 3), ("5x5, 9 stones", Hex(5), 9)],
}
"""For each game: name, start, and how many plies are played at random."""


def drawn(start: Position, plies: int, count: int, seed: int) -> list[Position]:
    """Returns unfinished positions after ``plies`` random moves in which nobody wins at once."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        position = start
        for _ in range(plies):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        children = [] if position.is_terminal() else map(position.play, position.legal_actions())
        quiet = [c for c in children if not (c.is_terminal() and c.utility(position.to_move) > 0)]
        if quiet and len(quiet) == len(position.legal_actions()):
            found.append(position)
    return found


def stages(nodes: int, with_minimax: bool) -> list[tuple[str, SearchAgent]]:
    """Returns name and agent of each stage; minimax, without limits, only where it gets through."""
    agents: list[tuple[str, SearchAgent]] = [("minimax", Minimax())] if with_minimax else []
    options: dict[str, object] = {**PLAIN}
    for name, change in STAGES:
        options |= change
        agents.append((name, AlphaBeta(depth=512, nodes=nodes, **options)))  # type: ignore[arg-type]
    return agents


def main() -> None:
    """Measures and prints a table for each class of positions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=20, help="positions in each class")
    parser.add_argument("--nodes", type=int, default=20_000_000, help="most nodes for a position")
    parser.add_argument("--game", choices=CLASSES, default="connect_four")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    bar = Console(stderr=True)
    for number, (title, start, plies) in enumerate(CLASSES[args.game]):
        positions = drawn(start, plies, args.positions, args.seed)
        table = Table(title=f"{args.game}, {title}: {len(positions)} positions, means")
        for column in ("search", "nodes", "milliseconds", "M nodes/s", "solved"):
            table.add_column(column, justify="left" if column == "search" else "right")
        values: dict[Position, float] = {}
        for name, agent in track(
            stages(args.nodes, number == 0 and args.game != "tic_tac_toe"),
            title,
            console=bar,
            transient=True,
        ):
            agent.analyse(positions[0])
            nodes, solved, began = 0, 0, time.process_time()
            for position in positions:
                found = agent.analyse(position)
                nodes += found.nodes
                solved += found.proven
                if found.proven and values.setdefault(position, found.value) != found.value:
                    raise SystemExit(f"{agent!r} disagrees on {position!r}")
            seconds = time.process_time() - began
            each = len(positions)
            table.add_row(
                name,
                f"{nodes / each:,.0f}",
                f"{1000 * seconds / each:,.2f}",
                f"{nodes / seconds / 1e6:,.1f}",
                f"{solved} of {each}",
            )
        Console().print(table)


if __name__ == "__main__":
    main()
