"""Shows what ``make demo`` promises: agents play real games and meet in a tournament, in a minute.

Most of that goes into compiling the searches; what is compiled is kept, and the next run is quick.

    python examples/demo.py
"""

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

import adv_envs
from adv_envs import ConnectFour, Fig52, Hex, Position, ThirtyOne
from agents import Agent, Minimax, Retrograde, make, play_game
from agents.arena import run
from agents.reports.tournament_page import page_data, tournament_html

console = Console(highlight=False, soft_wrap=True)
COLOURS = {"X": "bold red", "O": "bold blue", ".": "dim"}


def heading(text: str) -> None:
    """Prints a line between two parts of the show."""
    console.print()
    console.rule(f"[bold]{text}", align="left")


def show(position: Position) -> None:
    """Returns the position as text, its stones in colour."""
    text = Text("\n".join(f"   {line}" for line in str(position).splitlines()))
    for stone, style in COLOURS.items():
        text.highlight_words([f" {stone}"], style)
    console.print(text)


def ready(spec: str, position: Position) -> Agent:
    """Returns the agent of a spec, with its search compiled for a game."""
    agent = make(spec)
    with console.status(f"Compiling {spec} for {adv_envs.name_of(position)}, the first time only"):
        agent.act(position)
    return agent


def loop(env: Any, players: dict[str, Agent]) -> None:
    """Runs PettingZoo's loop: the agent that is selected looks at the position and acts."""
    env.reset(seed=0)
    for seed, player in enumerate(players.values()):
        player.reset(seed)
    for name in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        over = termination or truncation
        if over:
            console.print(f"   {name}, {players[name]}, gets {reward:+}")
        env.step(None if over else players[name].act(env.position))


def tic_tac_toe() -> str:
    """Plays random moves against a search that sees the end of the game."""
    heading("Tic-tac-toe, in the loop of a PettingZoo environment")
    env = adv_envs.env("tic_tac_toe")
    player = ready("alpha_beta", adv_envs.start_position("tic_tac_toe"))
    loop(env, {"player_0": make("random"), "player_1": player})
    show(env.position)
    svg: str = env.position.svg(env.last_action)
    return svg


def meet(start: Position, *specs: str) -> str:
    """Lets two agents play a game, and shows it."""
    goal = ": X joins top and bottom, O left and right" if isinstance(start, Hex) else ""
    heading(adv_envs.name_of(start).replace("_", " ").title() + goal)
    players = [ready(spec, start) for spec in specs]
    for stone, player in zip("XO", players, strict=True):
        console.print(f"   [{COLOURS[stone]}]{stone}[/] {player}")
    with console.status("Playing"):
        game = play_game(start, players, seed=0)
    show(game.end)
    winner = "Nobody" if game.utilities[0] == 0 else "XO"[game.utilities[1] > 0]
    times = ", ".join(f"{stone} {t:.2f} s" for stone, t in zip("XO", game.seconds, strict=True))
    console.print(f"   {winner} wins in {len(game.actions)} moves: {game.moves}  ({times})")
    return game.end.svg(game.actions[-1])


def thirty_one() -> str:
    """Solves small games from the end backwards."""
    heading("The Game of 31")
    start, solver = ThirtyOne(), Retrograde()
    found = solver.solve(start)
    first = " ".join(start.name(action) for action in solver.winning(start))
    console.print(f"   Solved: {found.explored} positions in {found.seconds:.2f} s. ", end="")
    console.print(f"The {'first' if found.value > 0 else 'second'} player wins, with {first}.")
    return start.after("5 6 6").svg()


def figure_5_2() -> str:
    """Returns the tree of every course on search."""
    heading("Figure 5.2 of Artificial Intelligence: A Modern Approach")
    tree = Fig52()
    found = Minimax().analyse(tree)
    console.print(f"   Minimax: {found.value:g} by {tree.name(found.action)}", end=", ")
    console.print(f"{found.nodes} nodes, {found.leaves} leaves.")
    return tree.svg()


def tournament(out: Path) -> None:
    """Rates agents: each meets all others, and the ratings have intervals."""
    heading("A tournament on Hex 5 x 5: each opening twice, with seats swapped")
    specs = ["random", "rush", "greedy(evaluate=hex.shortest_path)", "hex_solver"]
    with console.status("Playing"):
        result = run(Hex(size=5), specs, games=20, seed=0)
    for line in result.ratings().lines():
        console.print(f"   {line}")
    text = tournament_html(page_data(result.start, result.games, "Hex 5 x 5"))
    (out / "tournament.html").write_text(text, encoding="utf-8")


NEXT = {
    "Play and analyse in a browser": "serve --open",
    "On a phone in the same network": "serve --lan",
    "In a terminal": "play hex",
}
"""What to type next, and where it leads."""


def command() -> str:
    """Returns what to type for the command of this environment, which may not be activated."""
    found, own = shutil.which("adv-envs"), Path(sys.executable).with_name("adv-envs")
    if found is not None and Path(found) == own:
        return "adv-envs"
    return os.path.relpath(own) if own.exists() else f"{sys.executable} -m adv_envs"


def main() -> None:
    """Runs the show, and writes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="build/demo", help="folder for pictures (build/demo)")
    out = Path(parser.parse_args().out)
    console.print("[bold]adv-envs[/]: games that are written once, and agents that play them all")
    looking = "alpha_beta(depth={}, evaluate=connect_four.threats)"
    pictures = {
        "tic_tac_toe": tic_tac_toe(),
        "connect_four": meet(ConnectFour(), looking.format(3), looking.format(9)),
        "hex": meet(Hex(size=5), "rush", "alpha_beta(depth=2, evaluate=hex.two_distance)"),
        "thirty_one": thirty_one(),
        "fig52": figure_5_2(),
    }
    out.mkdir(parents=True, exist_ok=True)
    tournament(out)
    heading("What next")
    for name, svg in pictures.items():
        (out / f"{name}.svg").write_text(svg, encoding="utf-8")
    console.print(f"   Pictures of these games, for a browser: {out}/*.svg")
    console.print(f"   The tournament, every game to step through: {out}/tournament.html")
    for where, what in NEXT.items():  # in one line each, to be copied
        console.print(f"   {where}: {command()} {what}", soft_wrap=True)
    console.print("   Scripts to copy: examples/*.py, aec_loop.py to begin with")
    console.print("   Add a game: CONTRIBUTING.md, examples/your_own_game.py")


if __name__ == "__main__":
    main()
