"""Implements ``adv-envs match``: agents play each other; ``rate``: an agent's rating."""

from __future__ import annotations

import contextlib
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import agents
from adv_envs.position import Position
from adv_envs.random import root_seed
from adv_envs.registry import title
from agents.arena.clock import READY, TimeControl, read_clock
from agents.arena.isolation import IsolatedAgent, isolated
from agents.arena.ladder import BATCH, Ladder, RatingEstimate, Rung, estimate_rating, ladder_for
from agents.describe import game_data
from agents.faults import NobodyToBlame, require_player
from agents.knowledge import knowledge_of
from agents.match_loop import amount, is_for_amounts, score_of_team
from agents.move_values import in_parts
from agents.statistics import in_words

from .console import (
    AGENT_HELP,
    SEATS,
    Clock,
    CommandError,
    Json,
    Out,
    Ready,
    Resume,
    Seconds,
    Seed,
    Workers,
    agents_print_aside,
    busy,
    check_files,
    command_errors,
    end,
    err,
    option,
    out,
    print_json,
    print_table,
    progress_bar,
    table,
    tell_printed,
    warn,
)
from .show import check_sgf, save_game
from .tournaments import check_resume, interrupted, playable, warn_of_forfeits

EXAMPLES = (
    'adv-envs match tic_tac_toe random "alpha_beta()" --pairs 20',
    'adv-envs match connect_four "alpha_beta(depth=4)" "alpha_beta(depth=2)" --plies 2',
    "adv-envs match hex rush random --size 7 --seed 1 --json",
    'adv-envs match leduc "ismcts(simulations=200)" random --pairs 100',
    "adv-envs match hex rush \"engine(command='mohex', seconds=5)\" --sgf games",
)

SGF_FOLDER = "Write each game, of go or hex, there as SGF."

Players = Annotated[
    list[str],
    typer.Argument(metavar="A B...", help="Agents, one for each player; see: adv-envs agents."),
]


def match(
    start: Position,
    names: Players,
    pairs: Annotated[int, option("Openings, each from all seats.", "N", min=1)] = 10,
    plies: Annotated[int, option("Random moves of each opening.", "N", min=0)] = 0,
    seed: Seed = None,
    ready: Ready = READY,
    sgf: Annotated[Path | None, option(SGF_FOLDER, "FOLDER")] = None,
    json: Json = False,
) -> None:
    """Lets agents play each other, each opening twice with seats swapped.

    In games of more than two players each opening is played from all seats, which are rotated.
    Agents without randomness play the same game over and over: --plies gives them openings.
    All games of an opening have the same dice or cards: they are duplicate deals. Where games are
    played for amounts, such as chips, their mean is given with its 95 % interval.
    Agents that are not of this package play in processes of their own, as in tournaments. The exit
    code is 1 if an agent failed or made an illegal move, which loses the game.
    """
    with command_errors(), agents_print_aside():
        players = tuple(map(agents.make, names))
    check_sgf(start, sgf, is_folder=True)
    if len(players) != start.num_players:
        needed = f"{start.num_players} agents, one for each player"
        raise CommandError(f"{title(start)} needs {needed}, not {len(players)}")
    if any(isinstance(agent, agents.Human) for agent in players):
        raise CommandError("a match is for agents; to play yourself: adv-envs play")
    with agents_print_aside(), isolated_players(start, players, ready) as playing:
        for agent in playing:
            check_can_play(start, agent, err())
        result = play_match(start, playing, pairs, seed, plies, json)
    if sgf is not None:
        for number, game in enumerate(result.games, 1):
            save_game(sgf / f"{number:03}.sgf", game.start, [], game)
    if json:
        settings = {"pairs": pairs, "plies": plies}
        print_json({**game_data(start), **settings, **result.to_dict()})
    else:
        report_match(start, result)
    games, planned = len(result.games), len(players) * pairs
    again = games - result.distinct
    if again * 4 >= games > 2 and not start.has_chance:
        warn(f"{again} of {games} games repeat others: use --plies {plies + 2}")
    failed = warn_of_forfeits(game.reason for game in result.games)
    end(f"interrupted after {games} of {planned} games" * (games < planned), failed)


@contextlib.contextmanager
def isolated_players(
    start: Position,
    players: Sequence[agents.Agent],
    ready: float,
    seconds: float | None = None,
    trusted: bool = False,
) -> Iterator[tuple[agents.Agent, ...]]:
    """Gives agents as ``isolated`` does, in a context; CommandError where that is impossible."""
    with contextlib.ExitStack() as stack:
        with command_errors():
            TimeControl(seconds, ready=ready)  # an error now if these are no times
            context = isolated(players, start, ready=ready, seconds=seconds, trusted=trusted)
            playing = stack.enter_context(context)
        try:
            yield playing
        except NobodyToBlame as disturbance:
            raise CommandError(str(disturbance), 1) from disturbance
        finally:
            apart = (agent for agent in playing if isinstance(agent, IsolatedAgent))
            called = ((each.name if each.foreign else repr(each), each) for each in apart)
            tell_printed((name, agent.printed()) for name, agent in called)


def check_can_play(
    start: Position, agent: agents.Agent, console: Console, in_time: bool = False
) -> None:
    """Raises CommandError for an agent that cannot play this game; compiles searches by the way.

    With ``in_time`` those with a limit of time are compiled in the background.
    """
    quick = in_parts(agent, 100) if isinstance(agent, agents.SearchAgent) else agent
    apart = isinstance(agent, IsolatedAgent)
    what = f"{agent.name} gets ready"
    with busy(console, what, announced=apart), warnings.catch_warnings(record=True) as caught:
        try:
            require_player(quick, start, in_time)
        except agents.CannotPlay as error:  # of the agent in parts
            why = f"{agent!r} cannot play {title(start)}: {error.why}"
            raise CommandError(why, 1) from error
    for warning in caught:
        warn(str(warning.message))


def play_match(
    start: Position,
    players: tuple[agents.Agent, ...],
    pairs: int,
    seed: int | None,
    plies: int,
    json: bool,
) -> agents.MatchResult:
    """Plays the match with a progress bar; returns what was played by then after Ctrl-C."""
    seed = root_seed(seed)
    latest = agents.MatchResult(players, seed=seed)
    with command_errors(), progress_bar("", len(players) * pairs, json) as update:

        def on_game(result: agents.MatchResult) -> None:
            nonlocal latest
            latest = result
            both = zip(players, result.totals, strict=True)
            score = ", ".join(f"{agent.name} {total.points:g}" for agent, total in both)
            update(len(result.games), score)

        with contextlib.suppress(KeyboardInterrupt):
            agents.match(start, *players, pairs=pairs, seed=seed, plies=plies, on_game=on_game)
    return latest


LETTERS = "ABCDEFGHIJ"


def report_match(start: Position, result: agents.MatchResult) -> None:
    """Prints the result as a table, for each agent and seat."""
    console, count = out(), len(result.agents)
    if start.cooperative:
        return report_team(start, result)
    console.print(f"{title(start)}, {len(result.games)} games", style="bold")
    failed = any(forfeits.total for forfeits in result.forfeits)
    amounts = is_for_amounts(start)
    columns = ["agent", "seat", "wins", "draws", "losses", "points", *["won/game"] * amounts]
    columns += ["s/game", *["forfeits"] * failed]
    scores = table(*columns, numbers=len(columns) - 2)
    for letter, agent, standing in zip(LETTERS, result.agents, result.standings, strict=False):
        console.print(f"{letter} is {standing.name}", soft_wrap=True)
        overall = "both" if count == 2 else "all", standing
        for name, own in (*zip(SEATS, standing.seats, strict=False), overall):
            counts = map(str, (own.score.wins, own.score.draws, own.score.losses))
            cells = [*counts, f"{own.score.points:.1f}", *[f"{own.mean:+.3f}"] * amounts]
            cells += [f"{own.seconds / max(own.score.games, 1):.3f}"]
            cells += [str(own.forfeits)] * failed
            who = f"{letter} {agent.name}" if name == SEATS[0] else ""
            last = name == overall[0] and letter != LETTERS[count - 1]
            scores.add_row(who, name, *cells, end_section=last)
    print_table(scores)
    if amounts:
        unit = knowledge_of(start).utility_unit
        for letter, won in zip(LETTERS, result.mean_utilities, strict=False):
            console.print(f"{letter}: {amount(won)} {unit}", soft_wrap=True)
    for letter, agent in zip(LETTERS, result.agents, strict=False):
        if isinstance(agent, agents.LanguageModel):
            console.print(f"{letter}: {agent.counts}", soft_wrap=True)
    console.print(f"seed: {result.seed}", style="dim")


def report_team(start: Position, result: agents.MatchResult) -> None:
    """Prints the mean score of the team, and how many games had which score."""
    console = out()
    console.print(f"{title(start)}, {len(result.games)} games", style="bold")
    for letter, standing in zip(LETTERS, result.standings, strict=False):
        console.print(f"{letter} is {standing.name}", soft_wrap=True)
    scores = Counter(game.utilities[0] for game in result.games)
    rows = table("score", "games", numbers=2)
    for score in sorted(scores, reverse=True):
        rows.add_row(f"{score:g}", str(scores[score]))
    print_table(rows)
    unit = knowledge_of(start).utility_unit
    most = f"the most is {start.max_utility:g}"
    console.print(f"The team: {score_of_team(result)} {unit}; {most}", soft_wrap=True)
    console.print(f"seed: {result.seed}", style="dim")


# ---- a rating

RATE_EXAMPLES = (
    'adv-envs rate tic_tac_toe "mcts(simulations=50)"',
    'adv-envs rate tic_tac_toe "alpha_beta(depth=3)" --within 30 --games 1000 --out rated.db',
)


def rate(
    start: Position,
    name: Annotated[str, typer.Argument(metavar="AGENT", help=AGENT_HELP)],
    within: Annotated[float, option("Stop when the rating is known to within ELO.", "ELO")] = 50.0,
    games: Annotated[int, option("Stop after N games in any case.", "N")] = 400,
    seed: Seed = None,
    seconds: Seconds = None,
    clock: Clock = None,
    ready: Ready = READY,
    workers: Workers = None,
    out_file: Out = None,
    resume: Resume = False,
    json: Json = False,
) -> None:
    """Rates an agent on the ladder of a game: opponents from random to perfect, in Elo.

    It plays the opponents whose games tell most about its rating, each opening twice with seats
    swapped, until the rating is known to --within ELO, or until --games are played. Random
    play is 0.
    """
    check_resume(resume, out_file)
    check_files(out_file)
    with command_errors():
        ladder = ladder_for(start)
        game_clock = None if clock is None else read_clock(clock)
        control = TimeControl(seconds, game_clock, ready=ready)
    with command_errors(), progress_bar("", games, json) as update:
        found = estimate_rating(
            start,
            name,
            playable(ladder),
            within,
            games,
            seed=seed,
            control=control,
            workers=workers,
            out=out_file,
            resume=resume,
            on_progress=lambda found: update(found.games, rating_text(found)),
        )
    if json:
        print_json({**game_data(start), "ladder": ladder.how, **found.to_dict()})
    else:
        report_rating(start, ladder, found)
    finish_rating(found, within, games, out_file)


def report_rating(start: Position, ladder: Ladder, found: RatingEstimate) -> None:
    """Prints the ladder with the agent in its place."""
    heading = f"{title(start)}: {found.agent} is at {rating_text(found)}"
    out().print(heading, style="bold", soft_wrap=True)
    columns = "Elo", "95 % interval", "games", "points", "keeps the value", "s/move"
    listed = table("rung", *columns, numbers=len(columns))
    met = {one.name: (str(one.games), f"{one.points:g}") for one in found.met}
    own = f"> {found.agent}"
    cells = [own, *numbers(found), str(found.games), "", "", ""]
    rows = [(found.rating, cells)]
    for rung in ladder.rungs:
        kept = f"{rung.report['kept']:.1%}" if rung.report and "kept" in rung.report else ""
        games = met.get(rung.name, ("", ""))
        cells = [rung.name, *numbers(rung), *games, kept, f"{rung.seconds:.4f}"]
        rows.append((rung.rating, cells))
    for _, cells in sorted(rows, key=lambda row: -row[0]):
        listed.add_row(*cells, style="bold" if cells[0] == own else None)
    print_table(listed)
    out().print(f"seed: {found.seed}", style="dim")


def numbers(rated: Rung | RatingEstimate) -> tuple[str, str]:
    """Returns a rating and its interval in words."""
    return f"{rated.rating:.0f}", in_words(rated.low, rated.high, "{:.0f}".format)


def rating_text(found: RatingEstimate) -> str:
    """Returns the rating and its interval in a sentence."""
    return "{} Elo (95 %: {})".format(*numbers(found))


def finish_rating(found: RatingEstimate, within: float, games: int, path: Path | None) -> None:
    """Warns of a rating that is not reliable; exit code 130 if interrupted, 1 for forfeits."""
    tell_printed([(found.agent, found.printed)])
    if found.repeated * 4 > found.games:
        warn(f"{found.repeated} of {found.games} games repeat others and add no information")
    if found.forfeits:
        warn(f"{found.forfeits} of {found.games} games were lost by failing")
    if found.half_width > within:
        if found.games < games // BATCH * BATCH:
            end(interrupted(f"{found.games} games", path))
        hint = "use more --games"
        if found.repeated * 2 > found.games:
            hint = "most repeat others, so that more games would add no information"
        warn(f"not known to within {within:g} Elo after {found.games} games: {hint}")
    end(failed=bool(found.forfeits))
