"""Compares trained policies with classical search in one cross table.

Every two agents meet from the same random openings, each played twice with the seats swapped. A
cell is what the agent of its row scored against that of its column, in percent (a draw is half a
point), plus or minus half of the 95 % confidence interval over pairs of games (bootstrap; where all
pairs ended the same, the interval that such a record leaves). The picture is the same table.

    python examples/search_vs_rl.py --game tic_tac_toe
    python examples/search_vs_rl.py --game connect_four --pairs 50 --out cross_table.png
    python examples/search_vs_rl.py --game hex --size 5 --policy my_policy.safetensors
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

import adv_envs
from adv_envs import Position
from agents import make, match
from agents.networks.checkpoint import SHIPPED, load_checkpoint
from agents.networks.policy import Policy
from agents.statistics import mean_interval

SEARCH = {
    "tic_tac_toe": ["random", "minimax(depth=2)", "alpha_beta(depth=4)", "mcts(simulations=500)"],
    "connect_four": [
        "random",
        "minimax(depth=2)",
        "alpha_beta(depth=4)",
        "alpha_beta(depth=8)",
        "mcts(simulations=1000)",
    ],
    "hex": [
        "random",
        "greedy(evaluate=hex.shortest_path)",
        "alpha_beta(depth=2, evaluate=hex.two_distance)",
        "mcts(simulations=1000)",
    ],
}
"""Who meets the policies; ``hex.shortest_path`` is the distance that Dijkstra's algorithm finds."""


def shipped_for(start: Position) -> dict[str, str]:
    """Returns the checkpoints that come along for this game, by the names that are shown."""
    found = {}
    for path in sorted(SHIPPED.glob("*.safetensors")):
        if load_checkpoint(path).start == start:
            found[path.stem] = f"policy(path={path.stem!r})"
    return found


def meet(start: Position, first: str, second: str, pairs: int, plies: int) -> NDArray[np.float64]:
    """Returns what ``first`` scored in each pair of games, 0 to 1."""
    games = match(start, make(first), make(second), pairs=pairs, plies=plies, seed=0).games
    for game in games:
        if game.reason:  # else who fails would look weak
            raise ValueError(game.reason)
    mine = [game.utilities[i % 2] / start.max_utility for i, game in enumerate(games)]
    means: NDArray[np.float64] = (np.array(mine).reshape(-1, 2).mean(1) + 1) / 2
    return means


def cross_table(
    names: list[str], scores: dict[tuple[str, str], NDArray[np.float64]]
) -> tuple[Table, NDArray[np.float64], NDArray[np.float64]]:
    """Returns the means and half intervals, (agents, agents), in percent; nan on diagonals."""
    table = Table("", box=box.SIMPLE_HEAD)
    for heading in [*range(1, len(names) + 1), "mean"]:
        table.add_column(str(heading), justify="right", no_wrap=True)
    means, halves = np.full((2, len(names), len(names)), np.nan)
    for i, name in enumerate(names):
        cells = []
        for j, other in enumerate(names):
            if i == j:
                cells.append("-")
                continue
            found = scores[name, other] if (name, other) in scores else 1 - scores[other, name]
            estimate = mean_interval(found.tolist(), seed=0)
            assert estimate is not None  # there are games
            means[i, j], halves[i, j] = 100 * estimate.value, 100 * estimate.half
            cells.append(f"{means[i, j]:.0f} ±{halves[i, j]:.0f}")
        table.add_row(str(i + 1), *cells, f"{np.nanmean(means[i]):.0f}")
    return table, means, halves


def picture(
    path: Path,
    names: list[str],
    means: NDArray[np.float64],
    halves: NDArray[np.float64],
    title: str,
) -> None:
    """Draws the table as a heat map."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
    shown = axes.imshow(means, cmap="RdBu", vmin=0, vmax=100)
    for (i, j), points in np.ndenumerate(means):
        if i != j:
            color = "white" if abs(points - 50) > 30 else "black"
            told = f"{points:.0f}\n±{halves[i, j]:.0f}"
            axes.text(j, i, told, ha="center", va="center", color=color)
    numbers = [str(number + 1) for number in range(len(names))]
    axes.set_xticks(range(len(names)), numbers)
    labels = [
        f"{name.replace(', evaluate=', ',' + chr(10) + 'evaluate=')}  {number}"
        for number, name in zip(numbers, names, strict=True)
    ]
    axes.set_yticks(range(len(names)), labels)
    axes.set_title(title)
    figure.colorbar(shown, label="points of the row, percent", shrink=0.8)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)


def who_meets(options: argparse.Namespace) -> tuple[Position, dict[str, str]]:
    """Returns the start position and the agents, their specs by the names that are shown."""
    if options.game not in SEARCH:
        raise ValueError(f"no cross table for {options.game!r}; games: {', '.join(SEARCH)}")
    if options.pairs < 1:
        raise ValueError(f"--pairs must be at least 1, not {options.pairs}")
    if options.out:
        if options.out.suffix != ".png":
            raise ValueError(f"--out is a picture, a .png file, not {options.out}")
        try:
            options.out.open("ab").close()
        except OSError as error:
            raise ValueError(f"{options.out}: {error.strerror}") from None
    start = adv_envs.start_position(
        options.game, **({"size": options.size} if options.game == "hex" else {})
    )
    given = {}
    for path in options.policy:
        policy = Policy(path)
        policy.act(start)  # says so if it plays another game
        given[Path(path).stem] = repr(policy)
    others = {spec: spec for spec in [*SEARCH[options.game], *options.agent]}
    for spec in options.agent:
        make(spec)
    return start, others | shipped_for(start) | given


def main() -> None:
    """Lets everybody meet everybody."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="tic_tac_toe", help=", ".join(SEARCH))
    parser.add_argument("--size", type=int, default=5, help="rows and columns of the Hex board (5)")
    parser.add_argument("--pairs", type=int, default=10, help="openings for each two agents (10)")
    parser.add_argument("--policy", action="append", default=[], help="a checkpoint of your own")
    parser.add_argument("--agent", action="append", default=[], help="one more, by its spec")
    parser.add_argument("--out", type=Path, help="a picture of the table, a PNG file")
    options = parser.parse_args()
    progress, scores = Console(stderr=True), {}
    try:
        start, agents = who_meets(options)
        for a, b in track([*combinations(agents, 2)], "Playing", console=progress, transient=True):
            scores[a, b] = meet(start, agents[a], agents[b], options.pairs, plies=2)
    except (ValueError, TypeError) as error:  # they say what would be right
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, f"\n{parser.prog}: stopped\n")
    table, means, halves = cross_table([*agents], scores)
    board = " x ".join(str(length) for length in start.observation_shape[:2])
    title = f"{options.game} {board}, {2 * options.pairs} games for each two agents"
    console = Console(highlight=False)
    console.print(f"{title}: percent of the points", soft_wrap=True)
    for number, name in enumerate(agents, 1):
        console.print(f"  {number}  {name}", soft_wrap=True)
    console.print(table)
    if options.out:
        picture(options.out, [*agents], means, halves, title)
        console.print(f"{options.out}: the same as a picture")


if __name__ == "__main__":
    main()
