"""``adv-envs match``: agents play each other, each opening from all seats."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import agents
from adv_envs.games.hex import Hex
from adv_envs.position import Position

from .console import Refusal, busy, err, out, print_json, refusing, warn
from .describe import game_data, title
from .files import check_folder
from .lists import Json, print_table, table
from .records import save_game

EXAMPLES = (
    'adv-envs match tic_tac_toe random "alpha_beta()" --pairs 20',
    'adv-envs match connect_four "alpha_beta(depth=4)" "alpha_beta(depth=2)" --plies 2',
    "adv-envs match hex rush random --size 7 --seed 1 --json",
    "adv-envs match hex rush \"engine(command='mohex', seconds=5)\" --sgf games",
)

Names = Annotated[
    list[str], typer.Argument(metavar="A B...", help="Agents, one a player: see adv-envs agents.")
]
Pairs = Annotated[int, typer.Option(metavar="N", min=1, help="Openings, each from all seats.")]
Plies = Annotated[int, typer.Option(metavar="N", min=0, help="Random moves of each opening.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides openings and all chance.")]

Sgf = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write each game of hex there.")]


def match(
    start: Position,
    names: Names,
    pairs: Pairs = 10,
    plies: Plies = 0,
    seed: Seed = 0,
    sgf: Sgf = None,
    json: Json = False,
) -> None:
    """Let agents play each other, each opening twice with seats swapped.

    In games of more than two players each opening is played from all seats, which are rotated.
    Agents without randomness play the same game over and over: --plies gives them openings.
    The exit code is 1 if an agent failed or made an illegal move, which loses the game.
    """
    with refusing():
        players = tuple(map(agents.make, names))
        if sgf is not None and not isinstance(start, Hex):
            raise ValueError(f"SGF files are written for hex, not for {title(start)}")
    if sgf is not None:
        check_folder(sgf)
    try_out(start, players)
    result = hold(start, players, pairs, seed, plies, json)
    if sgf is not None:
        save_games(sgf, result)
    if json:
        settings = {"pairs": pairs, "plies": plies, "seed": seed}
        print_json({**game_data(start), **settings, **result.to_dict()})
    else:
        report(start, result)
    failed = explain(result, plies)
    if len(result.games) < (games := len(players) * pairs):
        warn(f"interrupted after {len(result.games)} of {games} games")
        raise typer.Exit(130)
    if failed:
        raise typer.Exit(1)


def try_out(start: Position, players: tuple[agents.Agent, ...]) -> None:
    """Refuse agents that cannot play this game at all, and let searches be compiled now."""
    if len(players) != start.num_players:
        needed = f"{start.num_players} agents, one for each player"
        raise Refusal(f"{title(start)} needs {needed}, not {len(players)}")
    for agent in players:
        if isinstance(agent, agents.Human):
            raise Refusal("a match is for agents; to play yourself: adv-envs play")
        with busy(err(), f"{agent!r} gets ready"):
            try:
                agent.reset(0)
                agent.act(start)
            except Exception as error:  # the agent's own failure
                why = f"{agent!r} cannot play {title(start)}: {error}"
                raise Refusal(why, 1) from error


def hold(
    start: Position,
    players: tuple[agents.Agent, ...],
    pairs: int,
    seed: int,
    plies: int,
    json: bool,
) -> agents.MatchResult:
    """The match, watched; what there is of it when Ctrl-C interrupts."""
    result = agents.MatchResult(players)
    bar = progress(json)
    with refusing(), contextlib.nullcontext() if bar.disable else bar:
        task = bar.add_task("", total=len(players) * pairs)

        def on_game(so_far: agents.MatchResult) -> None:
            nonlocal result
            result = so_far
            bar.update(task, advance=1, description=score(so_far))

        with contextlib.suppress(KeyboardInterrupt):
            agents.match(start, *players, pairs=pairs, seed=seed, plies=plies, on_game=on_game)
    return result


def save_games(folder: Path, result: agents.MatchResult) -> None:
    """Each game as a file: 001.sgf, 002.sgf, ..."""
    for number, game in enumerate(result.games, 1):
        save_game(folder / f"{number:03}.sgf", game.start, [], game)


def progress(json: bool) -> Progress:
    """A bar on standard error, where somebody watches."""
    console = err()
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    hidden = json or not console.is_terminal
    return Progress(*columns, console=console, transient=True, disable=hidden)


def score(result: agents.MatchResult) -> str:
    """The points so far."""
    both = zip(result.agents, result.totals, strict=True)
    return ", ".join(f"{agent.name} {total.points:g}" for agent, total in both)


def report(start: Position, result: agents.MatchResult) -> None:
    """The result as a table, for each agent and seat."""
    console = out()
    console.print(f"{title(start)}, {len(result.games)} games", style="bold")
    failed = any(forfeits.total for forfeits in result.forfeits)
    columns = "agent", "seat", "wins", "draws", "losses", "points", "s/game"
    scores = table(*columns, *["forfeits"] * failed)
    for column in scores.columns[2:]:
        column.justify = "right"
    count = len(result.agents)
    seats: list[tuple[str, tuple[int, ...]]]
    seats = [(name, (seat,)) for seat, name in enumerate(SEATS[:count])]
    seats.append(("both" if count == 2 else "all", tuple(range(count))))
    for i, agent in enumerate(result.agents):
        console.print(f"{LETTERS[i]} is {agent!r}", soft_wrap=True)
        for name, chosen in seats:
            own = [(game, seat) for game, seat in seated(result, i) if seat in chosen]
            who = f"{LETTERS[i]} {agent.name}" if chosen == (0,) else ""
            cells = [*numbers(own), *[forfeited(own)] * failed]
            scores.add_row(who, name, *cells, end_section=len(chosen) > 1 and i + 1 < count)
    print_table(scores)


LETTERS = "ABCDEFGHIJ"
SEATS = "first", "second", "third", "fourth", "fifth", "sixth", "7th", "8th", "9th", "10th"


def seated(result: agents.MatchResult, i: int) -> list[tuple[agents.Game, int]]:
    """The games, and the seat that agent ``i`` had in each."""
    return [(game, result.seat(i, number)) for number, game in enumerate(result.games)]


def numbers(games: list[tuple[agents.Game, int]]) -> list[str]:
    """Wins, draws, losses, points and seconds per game of who had these seats."""
    score = agents.Score()
    for game, seat in games:
        score.count(game.utilities[seat])
    seconds = sum(game.seconds[seat] for game, seat in games) / max(len(games), 1)
    counts = map(str, (score.wins, score.draws, score.losses))
    return [*counts, f"{score.points:.1f}", f"{seconds:.3f}"]


def forfeited(games: list[tuple[agents.Game, int]]) -> str:
    """How many games those who had these seats forfeited, and how."""
    faults = Counter(game.fault for game, seat in games if game.loser == seat)
    return str(agents.Forfeits(**{kind: faults[kind] for kind in vars(agents.Forfeits())}))


def explain(result: agents.MatchResult, plies: int) -> bool:
    """Warn of repeated games and lost-by-failure ones; whether there were such failures."""
    games = len(result.games)
    if (again := games - result.distinct) * 4 >= games > 2:
        warn(f"{again} of {games} games repeat others: use --plies {plies + 2}")
    reasons = Counter(game.reason for game in result.games if game.reason)
    for reason, times in reasons.most_common():
        warn(f"{times} of {games} games forfeited: {reason}")
    return bool(reasons)
