"""``adv-envs match``: agents play each other, each opening from all seats."""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Console

import agents
from adv_envs.position import Position
from adv_envs.registry import title
from agents.describe import game_data
from agents.faults import require_player
from agents.knowledge import knowledge_of
from agents.move_values import in_parts
from agents.results import amount, is_for_amounts

from .console import (
    Bar,
    CommandError,
    busy,
    check_folder,
    command_errors,
    err,
    out,
    print_json,
    print_table,
    table,
    warn,
)
from .show import Json, check_sgf, save_game

EXAMPLES = (
    'adv-envs match tic_tac_toe random "alpha_beta()" --pairs 20',
    'adv-envs match connect_four "alpha_beta(depth=4)" "alpha_beta(depth=2)" --plies 2',
    "adv-envs match hex rush random --size 7 --seed 1 --json",
    'adv-envs match leduc "ismcts(simulations=200)" random --pairs 100',
    "adv-envs match hex rush \"engine(command='mohex', seconds=5)\" --sgf games",
)

Names = Annotated[
    list[str],
    typer.Argument(metavar="A B...", help="Agents, one for each player; see: adv-envs agents."),
]
Pairs = Annotated[int, typer.Option(metavar="N", min=1, help="Openings, each from all seats.")]
Plies = Annotated[int, typer.Option(metavar="N", min=0, help="Random moves of each opening.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides openings and all random choices.")]
SgfFolder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Write each game, of go or hex, there as SGF.")
]


def match(
    start: Position,
    names: Names,
    pairs: Pairs = 10,
    plies: Plies = 0,
    seed: Seed = 0,
    sgf: SgfFolder = None,
    json: Json = False,
) -> None:
    """Let agents play each other, each opening twice with seats swapped.

    In games of more than two players each opening is played from all seats, which are rotated.
    Agents without randomness play the same game over and over: --plies gives them openings.
    All games of an opening have the same dice or cards: they are duplicate deals. Where games are
    played for amounts, such as chips, their mean is given with its 95 % interval.
    The exit code is 1 if an agent failed or made an illegal move, which loses the game.
    """
    with command_errors():
        players = tuple(map(agents.make, names))
    check_sgf(start, sgf is not None)
    if sgf is not None:
        check_folder(sgf)
    if len(players) != start.num_players:
        needed = f"{start.num_players} agents, one for each player"
        raise CommandError(f"{title(start)} needs {needed}, not {len(players)}")
    if any(isinstance(agent, agents.Human) for agent in players):
        raise CommandError("a match is for agents; to play yourself: adv-envs play")
    for agent in players:
        check_can_play(start, agent, err())
    result = play_match(start, players, pairs, seed, plies, json)
    if sgf is not None:
        for number, game in enumerate(result.games, 1):
            save_game(sgf / f"{number:03}.sgf", game.start, [], game)
    if json:
        settings = {"pairs": pairs, "plies": plies, "seed": seed}
        print_json({**game_data(start), **settings, **result.to_dict()})
    else:
        report(start, result)
    failed = warn_of_failures(result, plies)
    if len(result.games) < (games := len(players) * pairs):
        warn(f"interrupted after {len(result.games)} of {games} games")
        raise typer.Exit(130)
    if failed:
        raise typer.Exit(1)


def check_can_play(start: Position, agent: agents.Agent, console: Console) -> None:
    """CommandError for an agent that cannot play this game; searches are compiled by the way."""
    quick = in_parts(agent, 100) if isinstance(agent, agents.SearchAgent) else agent
    with busy(console, f"{agent.name} gets ready"), warnings.catch_warnings(record=True) as caught:
        try:
            require_player(quick, start)
        except agents.CannotPlay as error:
            why = f"{agent!r} cannot play {title(start)}: {error.why}"
            raise CommandError(why, 1) from error
    for warning in caught:
        warn(str(warning.message))


def play_match(
    start: Position,
    players: tuple[agents.Agent, ...],
    pairs: int,
    seed: int,
    plies: int,
    json: bool,
) -> agents.MatchResult:
    """The match, with a progress bar; the games played by then if Ctrl-C interrupts it."""
    result = agents.MatchResult(players)
    with command_errors(), Bar("", len(players) * pairs, json) as bar:

        def on_game(so_far: agents.MatchResult) -> None:
            nonlocal result
            result = so_far
            both = zip(result.agents, result.totals, strict=True)
            score = ", ".join(f"{agent.name} {total.points:g}" for agent, total in both)
            bar.update(len(result.games), score)

        with contextlib.suppress(KeyboardInterrupt):
            agents.match(start, *players, pairs=pairs, seed=seed, plies=plies, on_game=on_game)
    return result


def report(start: Position, result: agents.MatchResult) -> None:
    """Print the result as a table, for each agent and seat."""
    console = out()
    console.print(f"{title(start)}, {len(result.games)} games", style="bold")
    failed = any(forfeits.total for forfeits in result.forfeits)
    amounts = is_for_amounts(start)
    columns = ["agent", "seat", "wins", "draws", "losses", "points", *["won/game"] * amounts]
    columns += ["s/game", *["forfeits"] * failed]
    scores = table(*columns, numbers=len(columns) - 2)
    count = len(result.agents)
    seats: list[tuple[str, tuple[int, ...]]]
    seats = [(name, (seat,)) for seat, name in enumerate(SEATS[:count])]
    seats.append(("both" if count == 2 else "all", tuple(range(count))))
    for i, agent in enumerate(result.agents):
        console.print(f"{LETTERS[i]} is {agent!r}", soft_wrap=True)
        for name, chosen in seats:
            own = [(game, seat) for game, seat in games_of(result, i) if seat in chosen]
            who = f"{LETTERS[i]} {agent.name}" if chosen == (0,) else ""
            cells = [*numbers(own, amounts), *[forfeited(own)] * failed]
            scores.add_row(who, name, *cells, end_section=len(chosen) > 1 and i + 1 < count)
    print_table(scores)
    if amounts:
        unit = knowledge_of(start).utility_unit
        for letter, won in zip(LETTERS, result.mean_utilities, strict=False):
            console.print(f"{letter}: {amount(won)} {unit}", soft_wrap=True)


LETTERS = "ABCDEFGHIJ"
SEATS = "first", "second", "third", "fourth", "fifth", "sixth", "7th", "8th", "9th", "10th"


def games_of(result: agents.MatchResult, i: int) -> list[tuple[agents.Game, int]]:
    """The games, and the seat of agent ``i`` in each."""
    return [(game, result.seat(i, number)) for number, game in enumerate(result.games)]


def numbers(games: list[tuple[agents.Game, int]], amounts: bool) -> list[str]:
    """Wins, draws, losses, points and seconds per game of the player in these seats.

    Where games are played for ``amounts``, also the mean of these.
    """
    score = agents.Score()
    for game, seat in games:
        score.count(game.utilities[seat])
    seconds = sum(game.seconds[seat] for game, seat in games) / max(len(games), 1)
    counts = map(str, (score.wins, score.draws, score.losses))
    mean = fmean([game.utilities[seat] for game, seat in games] or [0.0])
    return [*counts, f"{score.points:.1f}", *[f"{mean:+.3f}"] * amounts, f"{seconds:.3f}"]


def forfeited(games: list[tuple[agents.Game, int]]) -> str:
    """How many games the player in these seats forfeited, and how."""
    faults = Counter(game.fault for game, seat in games if game.loser == seat)
    return str(agents.Forfeits(**{kind: faults[kind] for kind in vars(agents.Forfeits())}))


def warn_of_failures(result: agents.MatchResult, plies: int) -> bool:
    """Warn of repeated games and of forfeited ones; whether there were forfeited ones."""
    games = len(result.games)
    again = games - result.distinct
    if again * 4 >= games > 2 and not result.games[0].start.has_chance:
        warn(f"{again} of {games} games repeat others: use --plies {plies + 2}")
    reasons = Counter(game.reason for game in result.games if game.reason)
    for reason, times in reasons.most_common():
        warn(f"{times} of {games} games forfeited: {reason}")
    return bool(reasons)
