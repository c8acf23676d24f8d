"""Implements ``adv-envs grade``: an agent's report card, by the exact value of every move.

Where players do not see everything it is another card, for agents side by side.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.table import Table

import agents
from adv_envs.position import Position
from adv_envs.registry import title
from agents.arena.clock import READY
from agents.statistics import signed

from .card_tables import few, metrics_table, print_blunders, seconds
from .console import (
    CommandError,
    Json,
    Ready,
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
    print_usage,
    progress_bar,
    save_file,
    table,
    warn,
)
from .item_cards import grade_items, run_grader
from .matches import isolated_players
from .show import check_board, load_games, read_moves

if TYPE_CHECKING:  # these need SciPy
    from agents.grading import GradedGame, Grader, RecordCard, ReportCard
    from agents.grading.evaluator import Calibration
    from agents.grading.exploitability_card import HiddenReport, PolicyCard
    from agents.grading.large_card import LargeReport

EXAMPLES = (
    'adv-envs grade tic_tac_toe "mcts(simulations=50)"',
    'adv-envs grade connect_four "alpha_beta(depth=6)" --html card.html',
    "adv-envs grade tic_tac_toe --record 'b2 a2 a1 c3'",
    "adv-envs grade hex --record game.sgf --html game.html",
    "adv-envs grade hex --size 5 random --positions 60 --json",
    "adv-envs grade pig greedy --games 2",
    "adv-envs grade connect_four 'alpha_beta(depth=2)' --items items.jsonl",
    'adv-envs grade leduc "cfr(iterations=1000)" "ismcts(simulations=100)" random',
)

AGENT = "An agent; see: adv-envs agents. Several in games of hidden information."
RECORD = "Grade games instead: moves, an SGF or PGN file, or a file with a game on each line."
SELF_PLAY = "Games against itself, and as many against others; 10 by default."
SEED = "Decides random choices and the games; random, and printed."
SET_SEED = "Draw other positions than the usual ones."
ITEMS = "Ask it the items of a file instead, and their twins; see: adv-envs puzzles."
SAMPLES = (
    "Hidden information: answers at each information set of agents that do not tell their "
    "probabilities; 20 by default."
)

WORKERS = "Processes that are asked at the same time, of a model that is far away for example."


def grade(
    start: Position,
    names: Annotated[list[str] | None, typer.Argument(metavar="AGENT", help=AGENT)] = None,
    record: Annotated[list[str] | None, option(RECORD, "GAME", "--record")] = None,
    items: Annotated[Path | None, option(ITEMS, "FILE", "--items")] = None,
    positions: Annotated[
        int | None, option("Positions of the set; all by default.", "N", min=1)
    ] = None,
    games: Annotated[int | None, option(SELF_PLAY, "N", min=0)] = None,
    seed: Annotated[int | None, option(SEED, "N")] = None,
    set_seed: Annotated[int | None, option(SET_SEED, "N")] = None,
    timeout: Annotated[float, option("Later answers count as failures.", "S")] = 60,
    ready: Ready = READY,
    workers: Annotated[int, option(WORKERS, "N", min=1)] = 1,
    samples: Annotated[int | None, option(SAMPLES, "N", min=2)] = None,
    html: Annotated[Path | None, option("Write a page with pictures.", "FILE")] = None,
    json: Json = False,
) -> None:
    """Grades an agent, or games that were played, against perfect play.

    An agent is tested at the positions of a published set, balanced by phase of the game and by
    value, and plays games of its own: the card has the share of right moves, the value lost, the
    accuracy of its own values and its worst blunders. The exact value of every move is known for
    tic-tac-toe on small boards, Connect Four, Hex up to 7x7, the Game of 31, Pig and trees. Ctrl-C
    prints what is known by then. The agent plays in a process of its own: nothing that it does ends
    the grading. The exit code is 1 if the agent failed, played an illegal move or
    took too long. With --workers it is asked at several positions at the same time, with the same
    card: more than there are cores are of use where an agent waits, as a language model does.

    With --items it answers the positions of a file that adv-envs puzzles wrote, and plays no games.
    If the file has twins, which are mirrored, rotated or renamed, the card compares them in pairs
    with their originals: what an agent knows by heart, it plays better than the twins of that.

    Where players do not see everything, as in poker, agents are graded side by side: by what a
    perfect opponent takes from each (exploitability), exactly, over all information sets; by what
    they lose at which of these, and in which round; and by what they win against an equilibrium and
    against each other. Agents that do not tell their probabilities are asked --samples times at
    every information set. The game tree must be small: Leduc has 9,457 histories.
    """
    if bool(names) == bool(record):
        raise CommandError("name an agent to grade, or give games that were played with --record")
    check_files(html)
    if items is not None:
        given = record, html, positions, set_seed, games, samples
        check_items_only(names or [], any(each not in (None, []) for each in given))
        grade_items(start, (names or [""])[0], items, seed, timeout, ready, workers, json)
        return
    check_choices(start, names or [], html, workers, positions, set_seed)
    if not start.perfect_information:
        grade_hidden(start, names or [], samples or 20, seed, timeout, ready, html, json)
    elif not names:
        grade_records(start, record or [], seed or 0, html, json)
    else:
        with command_errors(), agents_print_aside():
            player = agents.make(names[0])
        players = [player] * workers
        games = 10 if games is None else games
        with isolated_players(start, players, ready, timeout, trusted=True) as playing:
            with command_errors(), progress_bar("finding positions", json=json) as update:
                from agents.grading import Grader

                options = positions, games, seed, set_seed, timeout, update
                grader = Grader(start, playing[0], *options, copies=playing[1:])
            grade_agent(grader, games, html, json)


def check_items_only(names: Sequence[str], others: bool) -> None:
    """Raises CommandError unless --items comes with one agent, and not with the ``others``."""
    if others:
        raise CommandError(
            "--items has no page, and no --record, --positions, --set-seed, --games or "
            "--samples: all its items are asked"
        )
    if len(names) != 1:
        raise CommandError(f"one agent is graded at items, not {len(names)}")


def check_choices(
    start: Position,
    names: Sequence[str],
    html: Path | None,
    workers: int,
    positions: int | None,
    set_seed: int | None,
) -> None:
    """Raises CommandError for what does not go with the game, or without an agent's ``names``."""
    if html is not None:
        from agents.reports.page import environment

        with command_errors():
            environment()
    if workers > 1 and not (names and start.perfect_information):
        raise CommandError(
            "--workers is for an agent that is asked at positions, where players see everything"
        )
    if not start.perfect_information:
        if positions is not None or set_seed is not None:
            raise CommandError("agents are asked at every information set: leave out --positions")
    elif len(names) > 1:
        raise CommandError(f"one agent of {title(start)} is graded at a time, not {len(names)}")


def grade_agent(grader: Grader, games: int, html: Path | None, json: bool) -> None:
    """Grades an agent, prints the card and writes the page."""
    done = run_grader(grader, json)
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
    tested = f"{card.evaluated} of {len(card.positions.positions)} positions"
    cut_off = f"interrupted after {tested} and {card.played} of {2 * games} games" * (not done)
    end(cut_off, bool(card.failures))


# ---- games that were played


class RecordedGame(NamedTuple):
    """Holds a game to grade."""

    title: str
    start: Position
    actions: list[int]
    players: tuple[str, str] = ("player 0", "player 1")


def grade_records(
    start: Position, given: Sequence[str], seed: int, html: Path | None, json: bool
) -> None:
    """Grades these games, prints the card and writes the page; Ctrl-C prints the games graded."""
    with command_errors():
        from agents.grading import exact_for, grade_game, record_card

    records = [record for text in given for record in read_records(start, text)]
    games: list[GradedGame] = []
    with command_errors():
        exact = exact_for(records[0].start)
        with suppress(KeyboardInterrupt):
            for number, (name, begin, actions, players) in enumerate(records):
                with busy(err(), f"grading {name or 'the game'}"):
                    games.append(grade_game(exact, begin, actions, name, players, number))
    if not games:
        raise KeyboardInterrupt
    card = record_card(exact, games, seed)
    if html is not None:
        from agents.reports.report_card_page import graded_games_html

        save_file(html, graded_games_html(card))
    if json:
        print_json(card.to_dict())
    else:
        report_games(card)
    end(f"interrupted after {len(games)} of {len(records)} games" * (len(games) < len(records)))


def read_records(start: Position, text: str) -> Iterator[RecordedGame]:
    """Yields the games of an argument: a file of SGF, PGN or a game on each line, or moves."""
    path = Path(text)
    if path.suffix.lower() in (".sgf", ".pgn"):
        yield from records_in(start, path)
    elif len(text) < 200 and os.path.isfile(path):  # False for names that no file can have
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


def records_in(start: Position, path: Path) -> Iterator[RecordedGame]:
    """Returns the games of an SGF or PGN file, and their parts where stones were set up.

    A warning says which games cannot be read; CommandError if none can.
    """
    games = load_games(start, path)
    if all(isinstance(game, ValueError) for game in games):
        raise CommandError(f"{path}: {games[0]}", 1)
    for number, game in enumerate(games, 1):
        if isinstance(game, ValueError):
            warn(f"{path}: {game}")
            continue
        name = f"{path.stem} {number}" if len(games) > 1 else path.stem
        parts = [part for part in (*game.earlier, game) if part.actions] or [game]
        for count, part in enumerate(parts, 1):
            check_board(start, part.start, path)
            label = f"{name}, part {count}" if len(parts) > 1 else name
            yield RecordedGame(label, part.start, list(part.actions), game.players)


# ---- the cards as text


def report(card: ReportCard) -> None:
    """Prints the card of an agent."""
    console = out()
    console.print(f"Report card: {card.agent} at {title(card.start)}", style="bold", soft_wrap=True)
    console.print(f"positions: {card.positions.name}", style="dim")
    rows = {"all": card.overall, **card.phases, **card.difficulties}
    names = {"self": "against itself", "mixed": "against others"}
    rows |= {names[who]: metrics for who, metrics in card.games.items()}
    last = {"all", *list(card.phases)[-1:], *list(card.difficulties)[-1:]}
    in_points, scores = card.positions.in_points, card.positions.has_scores
    print_table(metrics_table(card.start, rows, last, scores, in_points))
    slow = f", {card.unknown} are not graded: their exact value is not known, or takes long"
    console.print(
        "In brackets 95 % intervals; random: the result of random moves; right: keeps the value of "
        f"the position; {'a win is 1 point and a draw half a point; ' * in_points}"
        f"{'strongest: wins soonest, loses latest; ' * scores}only positions where moves differ "
        f"count; {card.played} games, {card.repeated} moves in them repeat others"
        f"{slow * (card.unknown > 0)}",
        style="dim",
    )
    if card.times.median is not None and card.times.slow is not None:
        median, slowest = seconds(card.times.median), seconds(card.times.slow)
        console.print(f"Time per move: median {median}, one in twenty over {slowest}")
    if card.models:
        print_usage(card.models)
    if card.calibration is not None:
        print_calibration(card.calibration)
    print_blunders(card.blunders, card.start, bool(card.failures))
    console.print(f"seed: {card.seed}", style="dim")


def print_calibration(found: Calibration) -> None:
    """Prints how accurate an agent's own values are."""
    scale = "as they are" if found.factor is None else f"times {found.factor:.3g}, as a logistic"
    tau = "" if found.tau is None else f", rank correlation {found.tau:.2f}"
    out().print(
        f"Its own values, {scale}: Brier score {found.brier.value:.3f} "
        f"({found.brier.ends('{:.3f}'.format, '-')}; {found.baseline:.3f} for always the mean), "
        f"calibration error {found.error.value:.3f}{tau}, {found.brier.n} positions"
    )


def report_games(card: RecordCard) -> None:
    """Prints the card of games that were played."""
    console = out()
    games = "a game" if len(card.games) == 1 else f"{len(card.games)} games"
    console.print(f"Report card: {games} of {title(card.start)}", style="bold")
    print_table(metrics_table(card.start, card.players, set(), card.has_scores, card.in_points))
    if card.unknown:
        slow = "moves are not graded: their exact value is not known, or takes long"
        console.print(f"{card.unknown} {slow}", style="dim")
    if len(card.games) == 1:
        print_table(moves_table(card.games[0], card.has_scores))
    print_blunders(card.blunders, card.start, False)


def moves_table(game: GradedGame, has_scores: bool) -> Table:
    """Returns every move with its verdict."""
    right = "strongest" if has_scores else "right"
    words = {"strongest": right, "same": "all the same", "unknown": "not graded"}
    filled = table("move", "player", "verdict", "lost", right)
    for move in game.moves:
        test, answer, verdict = move.answer.test, move.answer, move.verdict
        name = test.position.name
        lost = {"mistake": f"{answer.lost:.3g}", "right": f"score {answer.lost_score:g}"}
        graded = verdict in ("mistake", "right", "strongest")
        filled.add_row(
            f"{move.number} {name(answer.action or 0)}",
            game.players[move.player],
            words.get(verdict, verdict),
            lost.get(verdict, ""),
            few([name(action) for action in test.strongest]) if graded else "",
        )
    return filled


# ---- games of hidden information

SHOWN = 8
"""Information sets of each agent that are printed."""


def grade_hidden(
    start: Position,
    names: Sequence[str],
    samples: int,
    seed: int | None,
    timeout: float,
    ready: float,
    html: Path | None,
    json: bool,
) -> None:
    """Grades the agents side by side, prints the report and writes the page."""
    if not names:
        raise CommandError(
            f"games of {title(start)} are not graded, as good play is a policy, not moves: name "
            "agents"
        )
    with command_errors(), agents_print_aside():
        players = list(map(agents.make, names))
    with (
        agents_print_aside(),
        isolated_players(start, players, ready, timeout) as playing,
        command_errors(),
        progress_bar("finding histories", json=json) as update,
    ):
        from agents.grading.exploitability_card import grade_hidden as grade
        from agents.grading.large_card import grade_large, is_large

        if is_large(start):
            if html is not None:
                raise CommandError(
                    f"{title(start)} has too many information sets for a page: leave out --html"
                )
            large = grade_large(start, playing, update)
        else:
            large, found = None, grade(start, playing, samples, seed, update)
    if large is not None:
        print_json(large.to_dict()) if json else report_large(large)
        return
    if html is not None:
        from agents.reports.report_card_page import exploitability_html

        save_file(html, exploitability_html(found))
    if json:
        print_json(found.to_dict())
    else:
        report_hidden(found)


def report_large(found: LargeReport) -> None:
    """Prints what a best response wins against each agent."""
    console, (first, second) = out(), found.sets
    console.print(f"Report card: {title(found.start)}", style="bold", soft_wrap=True)
    size = f"{first:,} and {second:,} information sets of the players; in {found.unit}"
    console.print(size, style="dim", soft_wrap=True)
    filled = table("agent", "exploitability", "best response of 0", "of 1", numbers=3)
    for card in found.cards:
        filled.add_row(card.agent, amount(card.exploitability), *map(amount, card.best_responses))
    print_table(filled)
    console.print(
        "exploitability: what a perfect opponent takes per game beyond the value of the game, the "
        "mean of both seats; best response: the most that anybody can expect in that seat",
        style="dim",
    )


def report_hidden(found: HiddenReport) -> None:
    """Prints the cards side by side, then what each agent loses, and where."""
    console, two = out(), found.value is not None
    console.print(f"Report card: {title(found.start)}", style="bold", soft_wrap=True)
    value = "" if found.value is None else f", worth {signed(found.value, 4)} to player 0"
    size = f"{found.histories:,} histories, {found.sets:,} information sets"
    console.print(f"{size}{value}; in {found.unit}", style="dim", soft_wrap=True)
    print_table(overview(found))
    taken = (
        "exploitability: what a perfect opponent takes per game beyond the value of the game, the "
        "mean of both seats; "
        if two
        else "taken: what a best response in that seat gains over the agent, where all others play "
        "like it; NashConv: their sum; exploitability: their mean; "
    )
    console.print(
        f"{taken}lost: the part of NashConv of a phase or an information set; costs: the same once "
        f"there{'; taken: what a perfect opponent takes there' * two}",
        style="dim",
    )
    if found.meetings is not None and len(found.cards) > 1:
        numbers = [str(number + 1) for number in range(len(found.cards))]
        met = table("expected against", *numbers, numbers=len(numbers))
        for number, card, row in zip(numbers, found.cards, found.meetings, strict=True):
            met.add_row(f"{number} {card.agent}", *(signed(each, 4) for each in row))
        print_table(met)
    for card in found.cards:
        print_card(card)
    console.print(f"seed: {found.seed}", style="dim")


def overview(found: HiddenReport) -> Table:
    """Returns a line for each agent."""
    two = found.value is not None
    first = found.cards[0]
    columns = [
        "exploitability",
        "NashConv",
        *[f"taken in seat {seat.seat}" for seat in first.seats],
    ]
    columns += ["against equilibrium"] * two + [f"lost in {phase}" for phase in first.phases]
    filled = table("agent", *columns, numbers=len(columns))
    for card in found.cards:
        taken = [seat.gain if seat.taken is None else seat.taken for seat in card.seats]
        against = [signed(card.against_equilibrium or 0.0, 4)] * two
        cells = [*map(amount, (card.exploitability, card.nash_conv, *taken)), *against]
        filled.add_row(card.agent, *cells, *[amount(card.phases[phase]) for phase in first.phases])
    return filled


def print_card(card: PolicyCard) -> None:
    """Prints where an agent loses most."""
    console = out()
    console.print(f"{card.agent}: {card.how}", style="bold", soft_wrap=True)
    if card.half is not None:
        console.print(
            f"exploitability {amount(card.exploitability)}; of half of the answers "
            f"{amount(card.half)}: an estimate is too high on average, a best response exploits "
            "its errors, too",
            style="dim",
        )
    worst = [found for found in card.sets[:SHOWN] if max(found.loss, found.taken or 0.0) > 1e-9]
    if not worst:
        console.print("Nothing is lost anywhere.")
        return
    columns = ["information set", "player", "reached", "plays", "best", "costs", "lost"]
    filled = table(*columns, *["taken"] * (worst[0].taken is not None))
    for column in (filled.columns[2], *filled.columns[5:]):
        column.justify = "right"
    for found in worst:
        name = found.view.name
        likely = sorted(found.probabilities.items(), key=lambda item: -item[1])
        shares = [f"{name(action)} {100 * share:.0f} %" for action, share in likely if share]
        view, reached = " ".join(str(found.view).split()), f"{100 * found.reach:.2f} %"
        numbers = [n for n in (found.gap, found.loss, found.taken) if n is not None]
        cells = [view, str(found.player), reached, ", ".join(shares), name(found.best)]
        filled.add_row(*cells, *map(amount, numbers))
    print_table(filled)


def amount(value: float) -> str:
    """Returns an amount as text; 0 for what is nothing but rounding."""
    if abs(value) < 1e-9:
        return "0.0000"
    return f"{value:.4f}" if abs(value) >= 5e-5 else f"{value:.1e}"
