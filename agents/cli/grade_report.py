"""Report cards in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adv_envs.position import Position

from .console import out
from .describe import title
from .lists import print_table, table

if TYPE_CHECKING:
    from agents.grading import RecordCard, ReportCard
    from agents.grading.card import Blunder
    from agents.grading.marks import Marks
    from agents.grading.record import GradedGame
    from agents.grading.statistics import Estimate

SPACE = "\N{NO-BREAK SPACE}"


def report(card: ReportCard) -> None:
    """The card as tables."""
    console = out()
    console.print(f"Report card: {card.agent} at {title(card.start)}", style="bold")
    console.print(f"positions: {card.positions.name}", style="dim")
    rows = {"all": card.overall, **card.phases, **card.difficulties}
    names = {"self": "against itself", "mixed": "against others"}
    rows |= {names[who]: marks for who, marks in card.games.items()}
    last = {"all", *list(card.phases)[-1:], *list(card.difficulties)[-1:]}
    in_points, scores = card.positions.in_points, card.positions.has_scores
    print_table(marks_table(card.start, rows, last, scores, in_points))
    console.print(how_to_read(card), style="dim")
    for line in (*timing(card), *calibration(card)):
        console.print(line)
    blunders(card.blunders, card.start, bool(card.failures))


def report_games(card: RecordCard) -> None:
    """The card of games that were played."""
    console = out()
    games = "a game" if len(card.games) == 1 else f"{len(card.games)} games"
    console.print(f"Report card: {games} of {title(card.start)}", style="bold")
    players = card.players
    print_table(marks_table(card.start, players, set(), card.has_scores, card.in_points))
    if card.unknown:
        slow = "moves are not graded: their exact worth takes long to find"
        console.print(f"{card.unknown} {slow}", style="dim")
    for game in card.games if len(card.games) == 1 else ():
        print_table(moves_table(game, card.has_scores))
    blunders(card.blunders, card.start, False)


def moves_table(game: GradedGame, has_scores: bool) -> Any:
    """Every move with its verdict."""
    filled = table("move", "player", "verdict", "lost", "strongest" if has_scores else "right")
    for move in game.moves:
        question, answer = move.answer.question, move.answer
        name = question.position.name
        lost = ""
        if move.verdict == "mistake":
            lost = f"{answer.lost:.3g}"
        elif move.verdict == "right":
            lost = f"score {answer.lost_score:g}"
        told = move.verdict in ("mistake", "right", "strongest")
        best = few([name(action) for action in question.strongest]) if told else ""
        verdict = {
            "strongest": "strongest" if has_scores else "right",
            "same": "all the same",
            "unknown": "not graded",
        }.get(move.verdict, move.verdict)
        moved = f"{move.number} {name(answer.action or 0)}"
        filled.add_row(moved, game.players[move.player], verdict, lost, best)
    return filled


def marks_table(
    start: Position, rows: dict[str, Marks], last: set[str], scores: bool, in_points: bool
) -> Any:
    """A line for each group of answers; after those in ``last`` comes a rule."""
    loss = "% points lost" if in_points else "utility lost"
    if start.has_chance:
        loss = "% chance lost"
    columns = ["", "asked", "% right", *["% strongest"] * scores, loss]
    filled = table(*columns, *["score lost"] * scores, "random")
    filled.columns[1].justify = "right"
    for name, marks in rows.items():
        filled.add_row(name, *cells(marks, scores, in_points), end_section=name in last)
    return filled


def cells(marks: Marks, scores: bool, in_points: bool) -> list[str]:
    """The numbers of a line."""
    lost = percent(marks.lost) if in_points else plain(marks.lost)
    found = [str(marks.questions), percent(marks.kept, 0)]
    found += [percent(marks.strongest, 0)] * scores + [lost] + [plain(marks.lost_score)] * scores
    kept = marks.random.kept
    return [*found, "" if kept is None else f"{100 * kept:.1f}"]


def percent(estimate: Estimate | None, digits: int = 1) -> str:
    """A share with its interval, which has so many digits: "92.3 (88-95)"."""
    if estimate is None:
        return ""
    low, high = (100 * bound for bound in (estimate.low, estimate.high))
    return f"{100 * estimate.value:.1f}{SPACE}({low:.{digits}f}-{high:.{digits}f})"


def plain(estimate: Estimate | None) -> str:
    """A number with its interval."""
    if estimate is None:
        return ""
    return f"{estimate.value:.2f}{SPACE}({estimate.low:.1f}-{estimate.high:.1f})"


def how_to_read(card: ReportCard) -> str:
    """What the columns mean."""
    right = "right: keeps the value of the position; "
    points = "a win is worth 1 point and a draw a half; " * card.positions.in_points
    score = "strongest: wins soonest, loses latest; " * card.positions.has_scores
    games = f"{card.played} games, {card.repeated} moves in them repeat others"
    slow = f", {card.unknown} are not graded: their exact worth takes long to find"
    return (
        f"In brackets 95 % intervals; random: what random moves get; {right}{points}{score}"
        f"only positions where moves differ count; {games}{slow * (card.unknown > 0)}"
    )


def timing(card: ReportCard) -> list[str]:
    """Time per move."""
    median, slow = card.times.median, card.times.slow
    if median is None or slow is None:
        return []
    return [f"Time per move: median {seconds(median)}, one in twenty over {seconds(slow)}"]


def seconds(estimate: Estimate) -> str:
    """A time with its interval."""
    low, high = estimate.low, estimate.high
    unit, factor = ("s", 1) if estimate.value >= 1 else ("ms", 1000)
    return f"{factor * estimate.value:.3g} {unit} ({factor * low:.3g}-{factor * high:.3g})"


def calibration(card: ReportCard) -> list[str]:
    """How far its values can be believed."""
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


def blunders(found: tuple[Blunder, ...], start: Position, failed: bool) -> None:
    """The worst mistakes."""
    if not found:
        if not failed:
            out().print("No mistake was seen.", style="bold")
        return
    listed = table("worst blunders: after", "played", "right", "lost")
    for blunder in found:
        question, answer = blunder.answer.question, blunder.answer
        name = question.position.name
        wrong = question.right if answer.lost > 1e-9 else question.strongest
        lost = f"{answer.lost:.3g}" if answer.lost > 1e-9 else f"score {answer.lost_score:g}"
        beginning = "the start" if question.position == start else ""
        where = question.moves or beginning or " ".join(str(question.position).split())
        assert answer.action is not None  # a failure is no blunder
        listed.add_row(where, name(answer.action), few([name(action) for action in wrong]), lost)
    print_table(listed)


def few(names: list[str]) -> str:
    """At most eight of these names."""
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return " ".join(names[:8]) + more
