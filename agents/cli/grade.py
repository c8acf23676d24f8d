"""``adv-envs grade``: an agent's report card, measured against the exact value of every move.

Where players do not see everything it is another card, see ``grade_hidden``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.table import Table

import agents
from adv_envs.formats import sgf
from adv_envs.position import Position
from adv_envs.registry import title

from .console import (
    Bar,
    CommandError,
    busy,
    check_files,
    command_errors,
    err,
    out,
    print_json,
    print_table,
    save_file,
    table,
    warn,
)
from .grade_hidden import grade_hidden
from .show import Json, read_moves

if TYPE_CHECKING:  # these need SciPy
    from agents.grading import GradedGame, Grader, RecordCard, ReportCard
    from agents.grading.metrics import Interval, Metrics
    from agents.grading.report_card import Blunder

EXAMPLES = (
    'adv-envs grade tic_tac_toe "mcts(simulations=50)"',
    'adv-envs grade connect_four "alpha_beta(depth=6)" --html card.html',
    "adv-envs grade tic_tac_toe --record 'b2 a2 a1 c3'",
    "adv-envs grade hex --record game.sgf --html game.html",
    "adv-envs grade hex --size 5 random --positions 60 --json",
    "adv-envs grade pig greedy --games 2",
    'adv-envs grade leduc "cfr(iterations=1000)" "ismcts(simulations=100)" random',
)

Specs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="AGENT",
        help="An agent; see: adv-envs agents. Several in games of hidden information.",
    ),
]
Records = Annotated[
    list[str] | None,
    typer.Option(
        "--record",
        metavar="GAME",
        help="Grade a game instead: moves, an SGF file, or a file with one game on each line.",
    ),
]
Positions = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Positions of the set; all by default.")
]
Games = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Games against itself, and as many against others."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Decides random choices and the games.")]
SetSeed = Annotated[
    int | None, typer.Option(metavar="N", help="Draw other positions than the usual ones.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with pictures.")]
Timeout = Annotated[float, typer.Option(metavar="S", help="Later answers count as failures.")]
Samples = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=2,
        help="Hidden information: answers at each information set of agents that do not tell their "
        "probabilities.",
    ),
]

SPACE = "\N{NO-BREAK SPACE}"


def grade(
    start: Position,
    names: Specs = None,
    record: Records = None,
    positions: Positions = None,
    games: Games = 10,
    seed: Seed = 0,
    set_seed: SetSeed = None,
    timeout: Timeout = 60,
    samples: Samples = 20,
    html: Html = None,
    json: Json = False,
) -> None:
    """Grade an agent, or games that were played, against perfect play.

    An agent is tested at the positions of a published set, balanced by phase of the game and by
    value, and plays games of its own: the card has the share of right moves, the value lost, the
    accuracy of its own values and its worst blunders. The exact value of every move is known for
    tic-tac-toe on small boards, Connect Four, Hex up to 7x7, the Game of 31, Pig and trees. Ctrl-C
    prints what is known by then. The exit code is 1 if the agent failed, played an illegal move or
    took too long.

    Where players do not see everything, as in poker, agents are graded side by side: by what a
    perfect opponent takes from each (exploitability), exactly, over all information sets; by what
    they lose at which of these, and in which round; and by what they win against an equilibrium and
    against each other. Agents that do not tell their probabilities are asked --samples times at
    every information set. The game tree must be small: Leduc has 9,457 histories.
    """
    if bool(names) == bool(record):
        raise CommandError("name an agent to grade, or give games that were played with --record")
    check_page(html)
    if not start.perfect_information:
        if positions is not None or set_seed is not None:
            raise CommandError("agents are asked at every information set: leave out --positions")
        grade_hidden(start, names or [], samples, seed, html, json)
    elif not names:
        grade_records(start, record or [], seed, html, json)
    elif len(names) > 1:
        raise CommandError(f"one agent of {title(start)} is graded at a time, not {len(names)}")
    else:
        grader = prepare(start, names[0], positions, games, seed, set_seed, timeout, json)
        grade_agent(grader, games, html, json)


def grade_agent(grader: Grader, games: int, html: Path | None, json: bool) -> None:
    """Grade an agent, print the card and write the page."""
    try:
        done = run(grader, json)
    except agents.CannotPlay as error:
        raise CommandError(str(error), 1) from error
    if not grader.answers:
        raise KeyboardInterrupt
    card = grader.card()
    if html is not None:
        from agents.reports.report_card_page import report_card_html

        save_file(html, report_card_html(card))
    if json:
        print_json(card.to_dict())
    else:
        report(card)
    for reason, times in card.failures.items():
        warn(f"{times} answers failed: {reason}")
    if not done:
        tested = f"{card.evaluated} of {len(card.positions.positions)} positions"
        warn(f"interrupted after {tested} and {card.played} of {2 * games} games")
        raise typer.Exit(130)
    if card.failures:
        raise typer.Exit(1)


def check_page(path: Path | None) -> None:
    """CommandError unless a page can be made and written, before the work begins."""
    check_files(path)
    if path is not None:
        from agents.reports.page import environment

        with command_errors():
            environment()


def prepare(
    start: Position,
    spec: str,
    positions: int | None,
    games: int,
    seed: int,
    set_seed: int | None,
    limit: float,
    json: bool,
) -> Grader:
    """The grader with its positions; CommandError for what cannot be graded."""
    with command_errors(), Bar("finding positions", json=json) as bar:
        from agents.grading import Grader

        made = agents.make(spec)
        return Grader(start, made, positions, games, seed, set_seed, limit, bar.update)


def run(grader: Grader, json: bool) -> bool:
    """Grade, with a progress bar; False if Ctrl-C ended it."""
    with Bar(f"grading {grader.agent.name}", json=json) as bar:
        try:
            for step in grader.run():
                bar.update(step.done, total=step.total)
        except KeyboardInterrupt:
            return False
    return True


# ---- games that were played


class RecordedGame(NamedTuple):
    """A game to grade."""

    title: str
    start: Position
    actions: list[int]
    players: tuple[str, str] = ("player 0", "player 1")


def grade_records(
    start: Position, given: Sequence[str], seed: int, html: Path | None, json: bool
) -> None:
    """Grade these games, print the card and write the page; Ctrl-C prints the games graded."""
    with command_errors():
        from agents.grading import exact_for, grade_game, record_card

    records = [record for text in given for record in read_records(start, text)]
    games: list[GradedGame] = []
    interrupted = False
    with command_errors():
        exact = exact_for(records[0].start)
        try:
            for number, (name, begin, actions, players) in enumerate(records):
                with busy(err(), f"grading {name or 'the game'}"):
                    games.append(grade_game(exact, begin, actions, name, players, number))
        except KeyboardInterrupt:
            if not games:
                raise
            interrupted = True
    card = record_card(exact, games, seed)
    if html is not None:
        from agents.reports.report_card_page import graded_games_html

        save_file(html, graded_games_html(card))
    if json:
        print_json(card.to_dict())
    else:
        report_games(card)
    if interrupted:
        warn(f"interrupted after {len(games)} of {len(records)} games")
        raise typer.Exit(130)


def read_records(start: Position, text: str) -> Iterator[RecordedGame]:
    """The games that an argument gives: an SGF file, a file with a game on each line, or moves."""
    path = Path(text)
    if text.lower().endswith(".sgf"):
        begin, actions = read_moves(start, [text])
        names = sgf.load(path).properties
        players = names.get("PB") or "black", names.get("PW") or "white"
        yield RecordedGame(path.stem, begin, actions, players)
    elif len(text) < 200 and path.is_file():
        with command_errors(1):
            lines = path.read_text("utf-8").splitlines()
        games = [line.strip() for line in lines if line.strip() and line.strip()[0] != "#"]
        if not games:
            raise CommandError(f"{text} has no game in it: one game on each line is expected", 1)
        for number, moves in enumerate(games, 1):
            name = f"{path.stem} {number}" if len(games) > 1 else path.stem
            yield RecordedGame(name, *read_moves(start, [moves]))
    elif text.strip():
        yield RecordedGame("", *read_moves(start, [text]))
    else:
        raise CommandError("a record needs moves, such as 'b2 a1', or the name of a file")


# ---- the cards as text


def report(card: ReportCard) -> None:
    """Print the card of an agent."""
    console = out()
    console.print(f"Report card: {card.agent} at {title(card.start)}", style="bold", soft_wrap=True)
    console.print(f"positions: {card.positions.name}", style="dim")
    rows = {"all": card.overall, **card.phases, **card.difficulties}
    names = {"self": "against itself", "mixed": "against others"}
    rows |= {names[who]: metrics for who, metrics in card.games.items()}
    last = {"all", *list(card.phases)[-1:], *list(card.difficulties)[-1:]}
    in_points, scores = card.positions.in_points, card.positions.has_scores
    print_table(metrics_table(card.start, rows, last, scores, in_points))
    console.print(explanation(card), style="dim")
    for line in (*timing(card), *calibration(card)):
        console.print(line)
    print_blunders(card.blunders, card.start, bool(card.failures))


def report_games(card: RecordCard) -> None:
    """Print the card of games that were played."""
    console = out()
    games = "a game" if len(card.games) == 1 else f"{len(card.games)} games"
    console.print(f"Report card: {games} of {title(card.start)}", style="bold")
    players = card.players
    print_table(metrics_table(card.start, players, set(), card.has_scores, card.in_points))
    if card.unknown:
        slow = "moves are not graded: finding their exact value takes long"
        console.print(f"{card.unknown} {slow}", style="dim")
    for game in card.games if len(card.games) == 1 else ():
        print_table(moves_table(game, card.has_scores))
    print_blunders(card.blunders, card.start, False)


def moves_table(game: GradedGame, has_scores: bool) -> Table:
    """Every move with its verdict."""
    filled = table("move", "player", "verdict", "lost", "strongest" if has_scores else "right")
    for move in game.moves:
        test, answer = move.answer.test, move.answer
        name = test.position.name
        lost = ""
        if move.verdict == "mistake":
            lost = f"{answer.lost:.3g}"
        elif move.verdict == "right":
            lost = f"score {answer.lost_score:g}"
        graded = move.verdict in ("mistake", "right", "strongest")
        best = few([name(action) for action in test.strongest]) if graded else ""
        verdict = {
            "strongest": "strongest" if has_scores else "right",
            "same": "all the same",
            "unknown": "not graded",
        }.get(move.verdict, move.verdict)
        moved = f"{move.number} {name(answer.action or 0)}"
        filled.add_row(moved, game.players[move.player], verdict, lost, best)
    return filled


def metrics_table(
    start: Position, rows: dict[str, Metrics], last: set[str], scores: bool, in_points: bool
) -> Table:
    """A line for each group of answers; after those in ``last`` comes a rule."""
    loss = "% points lost" if in_points else "utility lost"
    if start.has_chance:
        loss = "% chance lost"
    columns = ["", "asked", "% right", *["% strongest"] * scores, loss]
    filled = table(*columns, *["score lost"] * scores, "random")
    filled.columns[1].justify = "right"
    for name, metrics in rows.items():
        filled.add_row(name, *cells(metrics, scores, in_points), end_section=name in last)
    return filled


def cells(metrics: Metrics, scores: bool, in_points: bool) -> list[str]:
    """The numbers of a line."""
    lost = percent(metrics.lost) if in_points else plain(metrics.lost)
    found = [str(metrics.positions), percent(metrics.kept, 0)]
    found += [percent(metrics.strongest, 0)] * scores
    found += [lost] + [plain(metrics.lost_score)] * scores
    kept = metrics.random.kept
    return [*found, "" if kept is None else f"{100 * kept:.1f}"]


def percent(interval: Interval | None, digits: int = 1) -> str:
    """A share with its interval, shown with ``digits`` decimals: "92.3 (88-95)"."""
    if interval is None:
        return ""
    low, high = (100 * bound for bound in (interval.low, interval.high))
    return f"{100 * interval.value:.1f}{SPACE}({low:.{digits}f}-{high:.{digits}f})"


def plain(interval: Interval | None) -> str:
    """A number with its interval."""
    if interval is None:
        return ""
    return f"{interval.value:.2f}{SPACE}({interval.low:.1f}-{interval.high:.1f})"


def explanation(card: ReportCard) -> str:
    """The meaning of the columns."""
    right = "right: keeps the value of the position; "
    points = "a win is 1 point and a draw half a point; " * card.positions.in_points
    score = "strongest: wins soonest, loses latest; " * card.positions.has_scores
    games = f"{card.played} games, {card.repeated} moves in them repeat others"
    slow = f", {card.unknown} are not graded: finding their exact value takes long"
    return (
        f"In brackets 95 % intervals; random: the result of random moves; {right}{points}{score}"
        f"only positions where moves differ count; {games}{slow * (card.unknown > 0)}"
    )


def timing(card: ReportCard) -> list[str]:
    """Time per move."""
    median, slow = card.times.median, card.times.slow
    if median is None or slow is None:
        return []
    return [f"Time per move: median {seconds(median)}, one in twenty over {seconds(slow)}"]


def seconds(interval: Interval) -> str:
    """A time with its interval."""
    low, high = interval.low, interval.high
    unit, factor = ("s", 1) if interval.value >= 1 else ("ms", 1000)
    return f"{factor * interval.value:.3g} {unit} ({factor * low:.3g}-{factor * high:.3g})"


def calibration(card: ReportCard) -> list[str]:
    """How accurate its own values are."""
    found = card.calibration
    if found is None:
        return []
    scale = "as they are" if found.factor is None else f"times {found.factor:.3g}, as a logistic"
    tau = "" if found.tau is None else f", rank correlation {found.tau:.2f}"
    return [
        f"Its own values, {scale}: Brier score {found.brier.value:.3f} ({found.brier.low:.3f}-"
        f"{found.brier.high:.3f}; {found.baseline:.3f} for always the mean), calibration error "
        f"{found.error.value:.3f}{tau}, {found.brier.n} positions"
    ]


def print_blunders(found: tuple[Blunder, ...], start: Position, failed: bool) -> None:
    """The worst mistakes."""
    if not found:
        if not failed:
            out().print("No mistake was seen.", style="bold")
        return
    listed = table("worst blunders: after", "played", "right", "lost")
    for blunder in found:
        test, answer = blunder.answer.test, blunder.answer
        name = test.position.name
        wrong = test.right if answer.lost > 1e-9 else test.strongest
        lost = f"{answer.lost:.3g}" if answer.lost > 1e-9 else f"score {answer.lost_score:g}"
        beginning = "the start" if test.position == start else ""
        where = test.moves or beginning or " ".join(str(test.position).split())
        assert answer.action is not None  # a failure is no blunder
        listed.add_row(where, name(answer.action), few([name(action) for action in wrong]), lost)
    print_table(listed)


def few(names: list[str]) -> str:
    """At most eight of these names."""
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return " ".join(names[:8]) + more
