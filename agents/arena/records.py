r"""Games of a tournament as text that other programs read: PGN for rating tools, SGF for Hex.

``write_pgn`` gives what Ordo, BayesElo and their kin need, the tags White (the first seat), Black
and Result; ``read_pgn`` gives the records back, element for element::

    [Event "ladder"]
    [Site "adv-envs"]
    [Round "1.2"]
    [White "mcts(simulations=100)"]
    [Black "random"]
    [Result "1-0"]
    [Number "1"]
    [Start "ConnectFour(height=6, width=7, k=4, own=0, opp=0, ply=0)"]
    [OpeningPlies "2"]
    [WhiteSeconds "0.25"]
    [BlackSeconds "0.002"]

    1. 4 4 2. 3 5 3. 2 1 4. 1 1-0

Round is the pair, from 1, and the game in it. Moves have the names of ``adv_envs.notation``, the
opening's first. A game that ended before its end also has Termination, Reason and Loser.
``write_sgf`` is a game of Hex as HexGui shows it, and ``save_sgf`` a folder of them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from adv_envs import Hex, IllegalMove, Position
from adv_envs.files import write_file
from adv_envs.formats import sgf
from adv_envs.notation import read_line

from .record import GameRecord

SCORES = {(1.0, 0.0): "1-0", (0.5, 0.5): "1/2-1/2", (0.0, 1.0): "0-1"}

TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
Tags = dict[str, str]


def write_pgn(start: Position, records: Iterable[GameRecord], event: str = "tournament") -> str:
    """Games from ``start`` as PGN. ValueError for points that are no result."""
    return "\n".join(_game(start, record, event) for record in records)


def _game(start: Position, record: GameRecord, event: str) -> str:
    if record.points not in SCORES:
        raise ValueError(f"game {record.number}: {record.points} is not the result of a game")
    score = SCORES[record.points]
    tags = {
        "Event": event,
        "Site": "adv-envs",
        "Round": f"{record.pair + 1}.{record.number % 2 + 1}",
        "White": record.players[0],
        "Black": record.players[1],
        "Result": score,
        "Number": str(record.number),
        "Start": repr(start),
        "OpeningPlies": str(len(record.opening)),
        "WhiteSeconds": repr(record.seconds[0]),
        "BlackSeconds": repr(record.seconds[1]),
    }
    if record.reason or record.fault or record.loser is not None:
        tags |= {"Termination": record.fault, "Reason": record.reason}
        tags["Loser"] = "-" if record.loser is None else str(record.loser)
    head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
    moves = " ".join([*_numbered(start, (*record.opening, *record.actions)), score])
    body = textwrap.fill(moves, 80, break_long_words=False, break_on_hyphens=False)
    return f"{head}\n{body}\n"


def _numbered(position: Position, actions: tuple[int, ...]) -> Iterator[str]:
    for ply, action in enumerate(actions):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield position.name(action)
        position = position.play(action)


def _escape(text: str) -> str:
    return " ".join(text.splitlines()).replace("\\", r"\\").replace('"', r"\"")


# ---- reading


def read_pgn(text: str, start: Position) -> list[GameRecord]:
    """The games that ``write_pgn`` wrote. ValueError says which of them is wrong, and how."""
    records = []
    for count, (tags, moves) in enumerate(_games(text), 1):
        try:
            records.append(_record(tags, moves, start))
        except KeyError as error:
            raise ValueError(f"game {count} has no tag {error}") from None
        except ValueError as error:
            raise ValueError(f"game {count}: {error}") from error
    return records


def _games(text: str) -> Iterator[tuple[Tags, str]]:
    """The tags of each game, and what follows them."""
    tags: Tags = {}
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


def _record(tags: Tags, text: str, start: Position) -> GameRecord:
    if tags["Start"] != repr(start):
        raise ValueError(f"it began with {tags['Start']}, not with {start!r}")
    points = {score: pair for pair, score in SCORES.items()}.get(tags["Result"])
    *moves, result = text.split() or [""]
    if points is None or result != tags["Result"]:
        raise ValueError(f"the result is {tags['Result']!r}, and the game ends with {result!r}")
    actions = _actions(start, [move for move in moves if not re.fullmatch(r"\d+\.", move)])
    plies, loser = int(tags["OpeningPlies"]), tags.get("Loser", "-")
    if not 0 <= plies <= len(actions):
        raise ValueError(f"the opening has {plies} plies, and the game {len(actions)}")
    return GameRecord(
        int(tags["Number"]),
        (tags["White"], tags["Black"]),
        actions[:plies],
        actions[plies:],
        points,
        (float(tags["WhiteSeconds"]), float(tags["BlackSeconds"])),
        tags.get("Reason", ""),
        None if loser == "-" else int(loser),
        tags.get("Termination", ""),
    )


def _actions(start: Position, moves: list[str]) -> tuple[int, ...]:
    try:
        return tuple(read_line(start, moves))
    except IllegalMove as error:
        raise ValueError(str(error)) from error


# ---- SGF


def write_sgf(start: Position, record: GameRecord, event: str = "tournament") -> str:
    """A game of Hex as SGF, with who played, the round, the result and what went wrong.

    ValueError for other games.
    """
    if not isinstance(start, Hex):
        raise ValueError(f"SGF is for hex here, not for {type(start).__name__}")
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
    """Every game of Hex as a file in ``folder``, named by its number from 1; the paths.

    The folder is made where it is missing. ValueError for other games, OSError where files cannot
    be written.
    """
    paths = []
    for record in records:
        text = write_sgf(start, record, event)
        folder.mkdir(parents=True, exist_ok=True)
        paths.append(folder / f"{record.number + 1:06}.sgf")
        write_file(paths[-1], text)
    return paths
