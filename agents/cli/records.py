"""Files of games on the command line: an SGF file in place of moves, and games written as such."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import agents
from adv_envs.formats import sgf
from adv_envs.games.hex import Hex
from adv_envs.notation import read_line
from adv_envs.position import Position

from .console import Refusal, refusing
from .describe import title
from .files import write_whole


def line(start: Position, words: Sequence[str]) -> tuple[Position, list[int]]:
    """Where a line of play begins, and its actions: moves by name, or a file and more moves.

    A file brings its own board along, so ``start`` must be the usual one or the same. Refusal where
    the rules do not have a move, or the file is none.
    """
    actions: list[int] = []
    if words and words[0].lower().endswith(".sgf"):
        if not isinstance(start, Hex):
            raise Refusal(f"SGF files are read for hex, not for {title(start)}")
        with refusing(1):
            record = sgf.load(words[0])
        same = Hex(start.size, record.start.swap), Hex(start.size, start.swap)
        if start != Hex() and record.start.start() not in same:
            raise Refusal(f"{words[0]} has a board of size {record.start.size}: leave --size out")
        start, actions, words = record.start, list(record.actions), words[1:]
    with refusing():
        more = read_line(start.after(actions), " ".join(words))
    return start, actions + more


def save(path: Path, start: Position, actions: Sequence[int], **properties: str) -> None:
    """Write a game of Hex as SGF; Refusal for other games, and where that cannot be."""
    if not isinstance(start, Hex):
        raise Refusal(f"SGF files are written for hex, not for {title(start)}")
    with refusing(1):
        write_whole(path, sgf.write(start, actions, None, **properties))


def save_game(path: Path, start: Position, made: Sequence[int], game: agents.Game) -> None:
    """Write a game that agents played after the moves ``made``, with who played and the result."""
    names = {"PB": repr(game.players[0]), "PW": repr(game.players[1])}
    if game.reason:  # who lost it resigned, or failed
        how = "Resign" if game.reason.endswith("resigned") else "Forfeit"
        names["RE"] = f"{'BW'[game.utilities[1] > 0]}+{how}"
    save(path, start, [*made, *game.actions], **names)
