"""Writes games of a tournament for other programs: PGN for rating tools, SGF, and data for pages.

``write_pgn`` writes what Ordo, BayesElo and similar programs need, the seven tags of the standard,
where White is the first seat, and in tags of its own what ``read_pgn`` needs to return equal
records: Number, OpeningPlies, WhiteSeconds, BlackSeconds, WhiteCounts and BlackCounts where an
agent counts, such as a model its tokens; of more than two players White and Black are the first
two, Players says how many there are, the tags of others begin with Player3 and so on, Points are
those of all, and Result is *, as PGN has no other for them; and Start, the ``repr`` of the
position, where games of chess have FEN. Round is the pair, from 1, and the game in it. Games of
chess are as chess programs read them, with moves like Nf3. Moves of others have the names of
``adv_envs.notation``. The opening's come first. A game that ended before its end also has
Termination, in the words of the standard, Fault, Reason and Loser.
All files are a referee's record: they have every action, also those that a player did not see.
``write_sgf`` writes a game as HexGui shows it, where ``adv_envs.formats.sgf`` supports the game,
and ``save_sgf`` a folder of them.

``replays(start, records)`` is plain data for JSON, from which a page shows games step by step. A
picture is a list of numbers of ``shapes``, pieces of SVG that all pictures share. Each move is a
list of changes [index, number of shapes removed, shapes inserted ...], applied one after another
like JavaScript's ``splice``. A game on a board of 7 x 7 takes about 4 kB.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from adv_envs import Position
from adv_envs.files import write_file
from adv_envs.formats import pgn, sgf
from adv_envs.notation import read_line
from adv_envs.pictures import draw
from adv_envs.pictures.shapes import Drawing, Shape
from adv_envs.pictures.svg import element
from agents.agent import checked_counts

from .game_record import GameRecord, points_of_game

SCORES: dict[tuple[float, ...], str] = {(1.0, 0.0): "1-0", (0.5, 0.5): "1/2-1/2", (0.0, 1.0): "0-1"}

TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
Tags = Mapping[str, str]

TERMINATIONS = {
    "illegal": "rules infraction",
    "crash": "abandoned",
    "time": "time forfeit",
    "resigned": "normal",
}
"""What PGN calls the faults for which a game ended early."""


def write_pgn(start: Position, records: Iterable[GameRecord], event: str = "tournament") -> str:
    """Writes games from ``start`` as PGN. ValueError for points that are no result."""
    return "\n".join(_game(start, record, event) for record in records)


def _game(start: Position, record: GameRecord, event: str) -> str:
    score = SCORES.get(record.points, "*")
    if points_of_game(record.points) != record.points:
        raise ValueError(f"game {record.number}: {record.points} is not the result of a game")
    seats = _seat_tags(len(record.players))
    tags = {
        "Event": event,
        "Site": "adv-envs",
        "Round": f"{record.pair + 1}.{record.turn + 1}",
        **dict(zip(seats, record.players, strict=True)),
        "Result": score,
        "Number": str(record.number),
        "OpeningPlies": str(len(record.opening)),
        **{f"{seat}Seconds": repr(s) for seat, s in zip(seats, record.seconds, strict=True)},
    }
    if len(seats) > 2:
        tags |= {"Players": str(len(seats)), "Points": " ".join(map(repr, record.points))}
    for seat, counts in zip(seats, record.counts, strict=True):
        if counts:
            tags[f"{seat}Counts"] = " ".join(f"{name}={n!r}" for name, n in counts.items())
    if record.reason or record.fault or record.loser is not None:
        tags["Termination"] = TERMINATIONS.get(record.fault, "normal")
        tags |= {"Fault": record.fault, "Reason": record.reason}
        tags["Loser"] = "-" if record.loser is None else str(record.loser)
    actions = (*record.opening, *record.actions)
    if pgn.supports(start):
        return pgn.write(start, actions, **tags)
    words, position = list[str](), start
    for ply, action in enumerate(actions):
        words += [f"{ply // 2 + 1}."] * (ply % 2 == 0) + [position.name(action)]
        position = position.play(action)
    head = pgn.head({**tags, "Start": repr(start)})
    return f"{head}\n{pgn.fill([*words, score])}\n"


def _seat_tags(players: int) -> list[str]:
    """Returns the names of the tags of players."""
    return ["White", "Black", *(f"Player{seat}" for seat in range(3, players + 1))]


# ---- reading


def read_pgn(text: str, start: Position) -> list[GameRecord]:
    """Reads the games that ``write_pgn`` wrote. ValueError says which of them is wrong, and how."""
    if pgn.supports(start):
        games: Iterator[tuple[Tags, Any]] = ((g.tags, g) for g in pgn.read(text, start.draws))
    else:
        games = _games(text)
    records = []
    for count, (tags, game) in enumerate(games, 1):
        try:
            records.append(_record(tags, game, start))
        except KeyError as error:
            raise ValueError(f"game {count} has no tag {error}") from None
        except ValueError as error:
            raise ValueError(f"game {count}: {error}") from error
    return records


def _games(text: str) -> Iterator[tuple[Tags, str]]:
    """Yields the tags of each game, and what follows them."""
    tags: dict[str, str] = {}
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            found = TAG.fullmatch(line)
            if found is None:
                raise ValueError(
                    f'line {number} is no tag: {line!r}; they look like [White "name"]'
                )
            if body:
                yield tags, " ".join(body)
                tags, body = {}, []
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif line.strip():
            if not tags:
                raise ValueError(f"line {number} comes before any tag: {line!r}")
            body.append(line)
    if tags:
        yield tags, " ".join(body)


def _record(tags: Tags, game: str | pgn.PgnGame, start: Position) -> GameRecord:
    """Returns a game's record; ValueError for one from another start, or with another result."""
    if isinstance(game, pgn.PgnGame):
        actions, result, began = game.actions, game.result, repr(game.start)
        known = game.start == start
    else:
        *moves, result = game.split() or [""]
        began, known = tags["Start"], tags["Start"] == repr(start)
        names = [move for move in moves if known and not re.fullmatch(r"\d+\.", move)]
        actions = tuple(read_line(start, names))
    if not known:
        raise ValueError(f"it began with {began}, not with {start!r}")
    seats = _seat_tags(int(tags.get("Players", 2)))
    points: tuple[float, ...] | None
    points = {score: pair for pair, score in SCORES.items()}.get(tags["Result"])
    if len(seats) > 2:
        points = _points(tags["Points"], len(seats))
    if points is None or result != tags["Result"]:
        raise ValueError(f"the result is {tags['Result']!r}, and the game ends with {result!r}")
    plies, loser = int(tags["OpeningPlies"]), tags.get("Loser", "-")
    if not 0 <= plies <= len(actions):
        raise ValueError(f"the opening has {plies} plies, and the game {len(actions)}")
    return GameRecord(
        int(tags["Number"]),
        tuple(tags[seat] for seat in seats),
        actions[:plies],
        actions[plies:],
        points,
        tuple(float(tags[f"{seat}Seconds"]) for seat in seats),
        tags.get("Reason", ""),
        None if loser == "-" else int(loser),
        tags.get("Fault", ""),
        tuple(_counts(tags.get(f"{seat}Counts", "")) for seat in seats),
        ("",) * len(seats),
    )


def _points(text: str, players: int) -> tuple[float, ...]:
    """Returns the points of a tag such as "1.0 0.25 0.25"; ValueError for those of no game."""
    points = tuple(map(float, text.split()))
    if len(points) != players or points_of_game(points) != points:
        raise ValueError(f"points {text} are not those of a game of {players}")
    return points


def _counts(text: str) -> dict[str, float]:
    """Returns the counts of a tag such as "legal=7 seconds=1.5"; ValueError if it has none."""
    pairs = (word.partition("=") for word in text.split())
    return checked_counts({name: json.loads(number) for name, _, number in pairs})


# ---- SGF


def write_sgf(start: Position, record: GameRecord, event: str = "tournament") -> str:
    """Returns a game as SGF, with the players, the round, the result and what went wrong.

    ValueError for games that ``adv_envs.formats.sgf`` does not support.
    """
    if not sgf.supports(start):
        raise ValueError(f"games of {type(start).__name__} cannot be written as SGF")
    how = {"": "", "resigned": "Resign", "time": "Time"}.get(record.fault, "Forfeit")
    comments = {}
    if record.opening:
        comments[len(record.opening)] = "The players take over here."
    if record.reason:
        last = len(record.opening) + len(record.actions)
        comments[last] = " ".join(filter(None, [comments.get(last), record.reason]))
    return sgf.write(
        start,
        (*record.opening, *record.actions),
        comments,
        PB=record.players[0],
        PW=record.players[1],
        EV=event,
        RO=f"{record.pair + 1}.{record.number % 2 + 1}",
        RE=f"{'B' if record.points[0] == 1 else 'W'}+{how}",
    )


def save_sgf(
    folder: Path, start: Position, records: Iterable[GameRecord], event: str = "tournament"
) -> list[Path]:
    """Writes every game to a file in ``folder``, named by its number from 1; returns the paths.

    The folder is made where it is missing. ValueError for games that SGF does not support, OSError
    where files cannot be written.
    """
    paths = []
    for record in records:
        text = write_sgf(start, record, event)
        folder.mkdir(parents=True, exist_ok=True)
        paths.append(folder / f"{record.number + 1:06}.sgf")
        write_file(paths[-1], text)
    return paths


# ---- replays

GAMES, SHAPES = 400, 400_000
"""The most games of ``replays``, and the most shapes in all their pictures, which take some seconds
to draw: 400 games of tic-tac-toe, 250 of Connect Four, 100 of Hex on 7 x 7."""

Picture = list[int]
Change = list[int]


def replays(
    start: Position, records: Sequence[GameRecord], games: int = GAMES, shapes: int = SHAPES
) -> dict[str, Any]:
    """Returns the pictures of games that went wrong, then of the first games of each pairing.

    At most ``games`` games with at most ``shapes`` shapes in all pictures. By the number of a game:
    the names of its moves, and the changes of each; the first are those that draw the start.
    """
    pictures, nothing = PictureList(), list[int]()
    chosen: dict[str, Any] = {}
    plies = shapes // max(len(pictures.picture(start, None)), 1)
    for record in _in_order(records):
        actions = (*record.opening, *record.actions)
        if len(chosen) == games or plies < len(actions):
            break
        plies -= len(actions)
        position, before = start, pictures.picture(start, None)
        changes, names = [changes_between(nothing, before)], []
        for action in actions:
            names.append(position.name(action))
            position = position.play(action)
            after = pictures.picture(position, action)
            changes.append(changes_between(before, after))
            before = after
        chosen[str(record.number)] = {"moves": names, "changes": changes}
    return {"box": pictures.box, "shapes": pictures.shapes, "games": chosen}


def _in_order(records: Iterable[GameRecord]) -> list[GameRecord]:
    """Returns games that went wrong, then those of every two agents in turns."""
    seen, order = Counter[frozenset[str]](), []
    for record in sorted(records, key=lambda record: record.number):
        players = frozenset(record.players)
        order.append((not record.reason, seen[players] // 2, record.number, record))
        seen[players] += 1
    return [record for *_, record in sorted(order, key=lambda item: item[:3])]


class PictureList:
    """Draws the pictures of one game with a common list of shapes."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        """The SVG of each."""
        self._numbers: dict[Shape, int] = {}
        self._pictures: dict[tuple[Position, int | None], Picture] = {}
        self._box: tuple[float, ...] = ()

    @property
    def box(self) -> list[float]:
        """Returns the box that holds all pictures: x, y, width and height."""
        left, top, right, bottom = self._box or (0.0, 0.0, 0.0, 0.0)
        return [left, top, right - left, bottom - top]

    def picture(self, position: Position, last: int | None) -> Picture:
        """Returns the numbers of its shapes, from the lowest to the topmost."""
        found = self._pictures.get((position, last))
        if found is None:
            found = self._pictures[position, last] = self._draw(draw(position, last))
        return found

    def _draw(self, drawing: Drawing) -> Picture:
        for shape in drawing.shapes:
            if shape not in self._numbers:
                self._numbers[shape] = len(self.shapes)
                self.shapes.append(element(shape))
        box = drawing.x, drawing.y, drawing.x + drawing.width, drawing.y + drawing.height
        left, top, right, bottom = zip(box, self._box or box, strict=True)
        self._box = min(left), min(top), max(right), max(bottom)
        return [self._numbers[shape] for shape in drawing.shapes]


def changes_between(old: Picture, new: Picture) -> list[Change]:
    """Returns the splices, applied one after another, that turn ``old`` into ``new``."""
    staying = set(old) & set(new)
    kept = [shape for shape in old if shape in staying]
    if kept != [shape for shape in new if shape in staying]:  # moved, or there more than once
        return [[0, len(old), *new]]
    changes: list[Change] = []
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
            continue
        change = [j, 0]
        while i < len(old) and old[i] not in staying:
            change[1] += 1
            i += 1
        while j < len(new) and new[j] not in staying:
            change.append(new[j])
            j += 1
        changes.append(change)
    return changes
