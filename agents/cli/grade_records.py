"""``adv-envs grade --record``: games that people played, or whoever else, move by move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import typer

from adv_envs.formats import sgf
from adv_envs.position import Position

from .console import Refusal, busy, err, print_json, refusing, warn
from .files import write_whole
from .grade_report import report_games
from .records import line


class Record(NamedTuple):
    """A game to grade."""

    title: str
    start: Position
    actions: list[int]
    players: tuple[str, str] = ("player 0", "player 1")


def grade_records(
    start: Position, given: Sequence[str], seed: int, html: Path | None, json: bool
) -> None:
    """Grade these games, print the card and write the page. Refusal for what is no game.

    Ctrl-C prints the games graded by then.
    """
    from agents.grading import GradedGame, exact_for, grade_game, record_card

    records = [record for text in given for record in read(start, text)]
    games: list[GradedGame] = []
    interrupted = False
    with refusing():
        exact = exact_for(records[0].start)
        try:
            for number, (title, begin, actions, players) in enumerate(records):
                with busy(err(), f"grading {title or 'the game'}"):
                    games.append(grade_game(exact, begin, actions, title, players, number))
        except KeyboardInterrupt:
            if not games:
                raise
            interrupted = True
    card = record_card(exact, games, seed)
    if html is not None:
        from agents.reports.report_card_page import graded_games_html

        write_whole(html, graded_games_html(card))
    if json:
        print_json(card.to_dict())
    else:
        report_games(card)
    if interrupted:
        warn(f"interrupted after {len(games)} of {len(records)} games")
        raise typer.Exit(130)


def read(start: Position, text: str) -> Iterator[Record]:
    """The games that an argument names: a file of SGF, a file with a game a line, or moves."""
    path = Path(text)
    if text.lower().endswith(".sgf"):
        begin, actions = line(start, [text])
        names = sgf.load(path).properties
        players = names.get("PB") or "black", names.get("PW") or "white"
        yield Record(path.stem, begin, actions, players)
        return
    if len(text) < 200 and path.is_file():
        with refusing(1):
            lines = path.read_text("utf-8").splitlines()
        games = [line.strip() for line in lines if line.strip() and line.strip()[0] != "#"]
        if not games:
            raise Refusal(f"{text} has no game in it: a game a line is expected", 1)
        for number, moves in enumerate(games, 1):
            title = f"{path.stem} {number}" if len(games) > 1 else path.stem
            yield Record(title, *line(start, [moves]))
        return
    if not text.strip():
        raise Refusal("a record needs moves, such as 'b2 a1', or the name of a file")
    yield Record("", *line(start, [text]))
