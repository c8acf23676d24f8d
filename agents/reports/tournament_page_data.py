"""What the page of a tournament shows, as plain data: it can be kept as JSON and drawn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adv_envs import CHANCE, Position
from agents.arena.rating.head_to_head import all_against_all
from agents.arena.rating.ratings import Table, rate
from agents.arena.record import GameRecord
from agents.arena.replay import GAMES, replays
from agents.results import named

FORMAT = 1
"""Of the data; pages are drawn of this one."""


def page_data(
    start: Position,
    records: Sequence[GameRecord],
    title: str = "Tournament",
    *,
    agents: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    table: Table | None = None,
    seed: int = 0,
    games: int = GAMES,
) -> dict[str, Any]:
    """Everything about a tournament that began with ``start``.

    ``settings`` are shown as they are, ``table`` is made by ``rate`` (with ``agents`` and ``seed``)
    if it is not given, and at most ``games`` games can be stepped through.
    """
    records = sorted(records, key=lambda record: record.number)
    table = rate(records, agents, seed=seed) if table is None else table
    played = [_game(start, record) for record in records]
    return {
        "format": FORMAT,
        "title": title,
        "game": named(start),
        "settings": dict(settings or {}),
        "table": table.to_dict(),
        "agents": {rating.agent: _agent(played, rating.agent) for rating in table.ratings},
        "matches": [
            {**match.to_dict(), "lines": match.lines()} for match in all_against_all(records)
        ],
        "distinct": len({(record.players, record.opening, record.actions) for record in records}),
        "first_seat_points": sum(record.points[0] for record in records),
        "games": played,
        "replays": replays(start, records, games),
    }


def _agent(played: Sequence[Mapping[str, Any]], agent: str) -> dict[str, Any]:
    """Its seats, time and faults."""
    points, games, seconds, moves = [0.0, 0.0], [0, 0], 0.0, 0
    faults: dict[str, int] = {}
    for game in played:
        if agent not in game["players"]:
            continue
        seat = game["players"].index(agent)
        points[seat] += game["points"][seat]
        games[seat] += 1
        seconds += game["seconds"][seat]
        moves += game["chosen"][seat]
        if game["loser"] == seat:
            fault = game["fault"] or "other"
            faults[fault] = faults.get(fault, 0) + 1
    return {"points": points, "games": games, "seconds": seconds, "moves": moves, "faults": faults}


def _game(start: Position, record: GameRecord) -> dict[str, Any]:
    position, chosen, names = start, [0, 0], []
    for ply, action in enumerate((*record.opening, *record.actions)):
        if ply >= len(record.opening) and position.to_move != CHANCE:
            chosen[position.to_move] += 1
        names.append(position.name(action))
        position = position.play(action)
    return {
        "number": record.number,
        "players": list(record.players),
        "points": list(record.points),
        "opening": len(record.opening),
        "plies": len(names),
        "moves": ("" if all(len(name) == 1 for name in names) else " ").join(names),
        "chosen": chosen,
        "seconds": list(record.seconds),
        "reason": record.reason,
        "loser": record.loser,
        "fault": record.fault,
    }
