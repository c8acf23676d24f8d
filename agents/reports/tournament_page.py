"""Makes the page of a tournament: ratings, scores, seats, times, failures, and its games.

``page_data`` is everything that the page shows, as plain data that can be kept as JSON, and
``tournament_html`` makes the page of it::

    tournament_html(page_data(start, result.games, "My tournament"))

Some of the games, as many as ``agents.arena.game_files`` allows, can be stepped through on a board;
the others are shown by their moves. A page is the report of a referee, who sees everything: where
players do not see all of a position, it shows what each of them did not know.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from adv_envs import CHANCE, Position
from adv_envs.pictures.svg import palette_rules
from adv_envs.registry import title as title_of
from agents.arena.game_files import GAMES, replays
from agents.arena.game_record import GameRecord
from agents.arena.rating.head_to_head import all_against_all
from agents.arena.rating.ratings import RatingTable, rate
from agents.arena.rating.winnings import winnings
from agents.arena.schedule import seats_in_words
from agents.arena.tournament import Standings

from .page import embedded, markup, render, round_numbers

FORMAT = 1
"""The version of the data."""
ORDINALS = ["1st", "2nd", "3rd", *(f"{seat}th" for seat in range(4, 21))]
KEPT = 20_000
"""Games that are not read again when a page is made again."""


def page_data(
    start: Position,
    records: Sequence[GameRecord],
    title: str = "Tournament",
    *,
    agents: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    table: RatingTable | None = None,
    seed: int = 0,
    games: int = GAMES,
) -> dict[str, Any]:
    """Returns everything about a tournament that began with ``start``.

    ``settings`` are shown as they are. ``table`` is by default that of ``rate`` with ``agents`` and
    ``seed``. At most ``games`` games can be stepped through.
    """
    records = sorted(records, key=lambda record: record.number)
    if table is None:
        table = rate(records, agents, seed=seed, chance=start.has_chance)
    rated = [rating.agent for rating in table.ratings]
    standings = Standings(start, [*agents, *rated])
    standings.count(records)
    played = [_game(start, record) for record in records]
    amounts = standings.amounts and bool(records)
    seats = {"players": start.num_players, "seated": seats_in_words(start.num_players)}
    return {
        "format": FORMAT,
        **(seats if start.num_players > 2 else {}),
        "title": title,
        "game": title_of(start) if start == start.start() else repr(start),
        "settings": dict(settings or {}),
        "table": table.to_dict(),
        "hidden": not start.perfect_information,
        "models": [row.to_dict() for row in standings.models()],
        "winnings": winnings(start, records, agents).to_dict() if amounts else None,
        "agents": {name: _agent(played, name, start.num_players) for name in rated},
        "matches": [
            {**match.to_dict(), "lines": match.lines()}
            for match in all_against_all(records, start.has_chance)
        ],
        "distinct": len({(record.players, record.opening, record.actions) for record in records}),
        "first_seat_points": sum(record.points[0] for record in records),
        "games": played,
        "replays": replays(start, records, games),
    }


SHOWN_SETTINGS = ["mode", "games", "seed", "seconds", "clock", "grace", "memory", "sprt"]
"""Settings that a page shows."""


def shown_settings(settings: Mapping[str, Any], openings: str = "") -> dict[str, str]:
    """Returns a tournament's settings as its page shows them; ``openings`` in words, if known."""
    given = {name: str(value) for name, value in settings.items() if value is not None}
    shown = {name: given[name] for name in SHOWN_SETTINGS if name in given}
    return {"openings": openings or given.get("openings", ""), **shown}


def _agent(played: Sequence[Mapping[str, Any]], agent: str, players: int) -> dict[str, Any]:
    """Returns the seats, times and faults of an agent."""
    points, games, seconds, moves = [0.0] * players, [0] * players, 0.0, 0
    faults = Counter[str]()
    for game in played:
        if agent not in game["players"]:
            continue
        seat = game["players"].index(agent)
        points[seat] += game["points"][seat]
        games[seat] += 1
        seconds += game["seconds"][seat]
        moves += game["chosen"][seat]
        if game["loser"] == seat:
            faults[game["fault"] or "other"] += 1
    found = {"points": points, "games": games, "seconds": seconds, "moves": moves}
    return {**found, "faults": dict(faults)}


@lru_cache(KEPT)
def _game(start: Position, record: GameRecord) -> dict[str, Any]:
    position, chosen, names = start, [0] * start.num_players, []
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


# ---- the page


def tournament_html(data: Mapping[str, Any]) -> str:
    """Returns the page of what ``page_data`` returned, also if it was read from a file of JSON.

    ValueError for other data; ImportError, which says what to install, without Jinja.
    """
    return render("tournament.html.j2", **tournament_values(data))


def tournament_values(data: Mapping[str, Any], live: bool = False) -> dict[str, Any]:
    """Returns what the template needs of what ``page_data`` returned; ValueError for other data.

    ``live``: the page is one of a server, which has the pictures of all games.
    """
    if data.get("format") != FORMAT:
        raise ValueError(f"pages are made of page_data of format {FORMAT}: {sorted(data)[:8]}")
    table = data["table"]
    ratings: list[dict[str, Any]] = table["ratings"]
    names = [rating["agent"] for rating in ratings]
    order = sorted(names) if live else names  # what is chosen stays where ratings change
    agents = [data["agents"][name] for name in names]
    won = data.get("winnings")
    return {
        "data": data,
        "table": table,
        "ratings": ratings,
        "agents": agents,
        "names": names,
        "numbers": {name: i for i, name in enumerate(order)},
        "live": live,
        "seat_names": [f"{seat} seat" for seat in ORDINALS[: data.get("players", 2)]],
        "seat_shares": seat_shares,
        "seats_of": lambda own: zip(own["points"], own["games"], strict=True),
        "scale": RatingScale(ratings),
        "winnings": won,
        "models": data.get("models") or [],
        "won_scale": won and RatingScale([w["mean"] for w in won["winnings"]], "value", 0.01),
        "scores": scores(data["matches"], names),
        "times": times(agents),
        "faulty": any(agent["faults"] for agent in agents),
        "picture_rules": markup(palette_rules()),
        "shared": embedded({"games": data["games"], "replays": data["replays"], "names": order}),
    }


def seat_shares(own: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Returns each seat of an agent with the percentage it scored there; [] if it misses a seat."""
    if not all(own["games"]):
        return []
    shares = zip(own["points"], own["games"], strict=True)
    return [(seat, 100 * points / games) for seat, (points, games) in enumerate(shares)]


class RatingScale:
    """Places numbers from 0 to 100, with ticks at round ones."""

    def __init__(
        self, rated: Sequence[Mapping[str, Any]], value: str = "elo", margin: float = 20.0
    ) -> None:
        ends: list[float] = [
            r[key] for r in rated for key in ("low", value, "high") if r[key] is not None
        ]
        low, high = min(ends), max(ends)
        margin = max(0.06 * (high - low), margin)
        self.low, self.high = low - margin, high + margin
        ticks = round_numbers(self.low, self.high)
        self.ticks = [tick for tick in ticks if 3 < self.at(tick) < 97]

    def at(self, value: float | None, otherwise: float = 0.0) -> float:
        """Returns the place of a number; ``otherwise`` where there is none."""
        if value is None:
            return otherwise
        return round(100 * (value - self.low) / float(self.high - self.low), 2)


def scores(
    matches: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[list[dict[str, Any] | None]]:
    """Returns the score of each agent against each other: wins, draws, losses, share."""
    found: list[list[dict[str, Any] | None]] = [[None] * len(names) for _ in names]
    for match in matches:
        a, b = names.index(match["a"]), names.index(match["b"])
        share = match["points"] / match["games"]
        counts = [match["wins"], match["draws"], match["losses"]]
        found[a][b] = {"share": share, "counts": counts, "games": match["games"]}
        found[b][a] = {"share": 1 - share, "counts": counts[::-1], "games": match["games"]}
    return found


def times(agents: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """Returns the mean seconds a move of each agent, and its bar's length, 0 to 100, logarithmic.

    Moves at which it failed count as well: they took some of its time.
    """
    counts = [agent["moves"] + sum(agent["faults"].values()) for agent in agents]
    means = [agent["seconds"] / max(n, 1) for agent, n in zip(agents, counts, strict=True)]
    logs = [math.log10(max(mean, 1e-6)) for mean in means]
    low, high = min(logs) - 0.25, max(logs)
    return [
        {"mean": mean, "length": round(100 * (log - low) / (high - low), 1)}
        for mean, log in zip(means, logs, strict=True)
    ]
